/** The way to the server: a socket or, where there is none, requests one by one. */

/** The reply where there is none. */
const LOST = { reply: "error", kind: "lost", message: "", remedy: "", reasons: [], matches: [] };
/** How long to wait before the next try, in milliseconds: a little longer each time. */
const WAITS = [300, 700, 1500, 3000, 5000];
/** The statuses with which the server shuts somebody out, or says that there is no such game any more. */
const SHUT = [403, 404];
/** How often a socket may fail before it is done without. */
const TRIES = 3;
/** How long a socket may say nothing when it is asked whether it is still there, in milliseconds; and where it may be busy with what was asked before. */
const SILENT = 5000, BUSY = 60000;
/** How often the time is looked at, in milliseconds: where it leaps, the machine has slept. */
const BEAT = 10000;

export class Connection {
  /**
   * @param {string} game @param {string} seat
   * @param {(message: any) => void} told called with what the server says
   * @param {(lost: boolean) => void} state called when the connection is lost, or there again
   */
  constructor(game, seat, told, state) {
    this.query = seat ? "?seat=" + encodeURIComponent(seat) : "";
    this.path = "/game/" + encodeURIComponent(game);
    this.told = told;
    this.state = state;
    /** @type {Map<number, (reply: any) => void>} */
    this.waiting = new Map();
    this.asked = 0;
    this.failures = 0;
    this.ended = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heard = 0;
    this.retry = 0;
    this.listening = new AbortController();
    this.#open();
    this.#wake();
  }

  /** Say no more, and hear no more. */
  end() {
    this.ended = true;
    this.listening.abort();
    if (this.socket) this.socket.close();
  }

  /** @param {Record<string, any>} request one of the protocol @returns {Promise<any>} its reply */
  ask(request) {
    const id = ++this.asked, text = JSON.stringify({ ...request, id });
    if (this.socket && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(text);
      return new Promise((done) => this.waiting.set(id, done));
    }
    return fetch(this.path + "/live" + this.query, { method: "POST", body: text })
      .then((reply) => reply.json())
      .catch(() => LOST);
  }

  #open() {
    const socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + this.path + "/live" + this.query);
    this.socket = socket;
    socket.onmessage = (event) => {
      this.heard += 1;
      const message = JSON.parse(event.data);
      if (message.begin) { this.failures = 0; this.state(false); }
      const done = message.id === undefined ? undefined : this.waiting.get(message.id);
      if (done) { this.waiting.delete(message.id); done(message); } else this.told(message);
    };
    socket.onclose = () => this.#closed();
  }

  #closed() {
    this.socket = null;
    for (const done of this.waiting.values()) done(LOST);
    this.waiting.clear();
    if (this.ended) return;
    this.state(true);
    this.failures += 1;
    if (this.failures > TRIES) { this.#poll(""); return; }
    this.retry = setTimeout(() => this.#open(), WAITS[Math.min(this.failures, WAITS.length) - 1]);
  }

  /** A page that comes back from sleep, or from those that the browser keeps, may have a socket that is dead and does not know it. */
  #wake() {
    const { signal } = this.listening, look = () => { if (!document.hidden) this.#look(); };
    addEventListener("pageshow", (event) => { if (event.persisted) look(); }, { signal });
    addEventListener("online", look, { signal });
    document.addEventListener("visibilitychange", look, { signal });
    let beat = Date.now();
    const beating = setInterval(() => {
      const before = beat;
      beat = Date.now();
      if (beat - before > 3 * BEAT) look();
    }, BEAT);
    signal.addEventListener("abort", () => clearInterval(beating));
  }

  /** See whether the socket is still there; one that says nothing is given up for another. */
  #look() {
    const { socket, heard } = this;
    if (!socket) { // it is tried again soon
      if (this.failures <= TRIES) { clearTimeout(this.retry); this.#open(); }
      return;
    }
    const patience = socket.readyState > WebSocket.OPEN ? 0 : this.waiting.size ? BUSY : SILENT;
    if (socket.readyState === WebSocket.OPEN) this.ask({ do: "table" });
    setTimeout(() => {
      if (this.socket !== socket || this.heard !== heard) return;
      socket.onmessage = socket.onclose = null;
      socket.close();
      this.#closed();
    }, patience);
  }

  /** @param {string | number} after the version that is known */
  async #poll(after) {
    if (this.ended) return;
    try {
      const reply = await fetch(this.path + "/news" + (this.query || "?") + "&after=" + after);
      if (SHUT.includes(reply.status)) { this.ended = true; location.reload(); return; } // the server says why
      if (reply.status === 200) {
        const message = await reply.json();
        after = message.begin.show.version;
        this.state(false);
        this.told(message);
      } else if (reply.status !== 204) throw new Error(String(reply.status));
    } catch {
      this.state(true);
      await new Promise((done) => setTimeout(done, WAITS[WAITS.length - 1]));
    }
    this.#poll(after);
  }
}
