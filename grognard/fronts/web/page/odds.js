/**
 * What stands beside the options of a question. It is asked for when the question is shown, a little at a time, while somebody
 * looks; of a question that is asked no more nothing is asked, and nothing is shown.
 *
 * @typedef {import("./question.js").Option} Option @typedef {import("./question.js").Question} Question
 * @typedef {{options: Option[], odds: Record<string, {words: string}>, whole: boolean, room: Record<string, string>}} Known
 */

/** So many milliseconds somebody waits for odds who has pointed at what they are of. */
const PATIENCE = 400;

export class Odds {
  /**
   * @param {(request: Record<string, any>) => Promise<any>} ask
   * @param {() => void} came called when more are known
   */
  constructor(ask, came) {
    this.ask = ask;
    this.came = came;
    this.version = -1;
    /** What is known of the questions of this version, by what is chosen before them. @type {Map<string, Known>} */
    this.all = new Map();
    /** @type {string[]} */
    this.behind = [];
    this.asking = false;
    /** The longest that stood beside options of a word: so much room is kept where it is asked again. @type {Record<string, string>} */
    this.longest = {};
    /** @type {(() => void)[]} */
    this.waiting = [];
    document.addEventListener("visibilitychange", () => this.#go());
  }

  /** Begin anew. */
  forget() { this.all.clear(); }

  /** @param {Question | null} question that is shown @param {number} version @param {string[]} behind options that are chosen before it */
  of(question, version, behind) {
    if (version !== this.version) this.all.clear();
    this.version = version;
    this.behind = behind;
    const key = JSON.stringify(behind), options = (question ? question.options : []).filter((option) => option.foreseen);
    if (!this.all.has(key)) this.all.set(key, { options, odds: {}, whole: !options.length, room: { ...this.longest } });
    this.#go();
  }

  get #now() { return this.all.get(JSON.stringify(this.behind)); }

  async #go() {
    const now = this.#now, { version, behind } = this;
    if (this.asking || !now || now.whole || document.hidden) return;
    this.asking = true;
    const reply = await this.ask({ do: "odds", version, options: behind });
    this.asking = false;
    now.whole = reply.reply !== "odds" || reply.whole; // who comes back begins anew
    if (reply.reply === "odds") now.odds = reply.odds;
    for (const { text, word } of now.options) {
      const words = now.odds[text] ? now.odds[text].words : "";
      if (words.length > (this.longest[word] || "").length) this.longest[word] = words;
    }
    if (now === this.#now) this.came();
    for (const done of this.waiting.splice(0)) done();
    this.#go();
  }

  /** @param {Option} option @returns {string} what may come of it, as far as that is known */
  words(option) {
    const now = this.#now;
    return now && now.odds[option.text] ? now.odds[option.text].words : "";
  }

  /** @param {Option} option @returns {boolean} whether that is not known yet */
  coming(option) {
    const now = this.#now;
    return option.foreseen && Boolean(now && !now.whole && !now.odds[option.text]);
  }

  /** @param {Option} option @returns {string} a text that takes as much room */
  room(option) {
    const now = this.#now;
    return (now && now.room[option.word]) || "";
  }

  /** Wait until those of options are known, but not for long. @param {Option[]} options */
  async wait(options) {
    const late = performance.now() + PATIENCE;
    while (options.some((option) => this.coming(option)) && performance.now() < late)
      await new Promise((done) => { this.waiting.push(() => done(null)); setTimeout(done, late - performance.now()); });
  }
}
