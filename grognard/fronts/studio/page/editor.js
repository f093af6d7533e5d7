/** The texts that are open: a plain field for one at a time. */

/** @typedef {import("./language.js").Language} Language @typedef {{text: string, saved: string, version: number}} Open */

export class Editor {
  /** @param {HTMLElement} parent @param {Language} language */
  constructor(parent, language) {
    this.language = language;
    /** @type {Map<string, Open>} */
    this.open_ = new Map();
    /** @type {((uri: string) => void)[]} */
    this.listeners = [];
    /** What a text was before it was changed, and what it was before that was undone. @type {Map<string, {past: string[], future: string[]}>} */
    this.history = new Map();
    this.now = "";
    this.field = document.createElement("textarea");
    this.field.spellcheck = false;
    this.field.className = "plain";
    parent.append(this.field);
    this.field.addEventListener("input", () => this.#set(this.now, this.field.value));
  }

  /** @param {string} uri @param {string} text @param {number} [line] */
  open(uri, text, line) {
    if (!this.open_.has(uri)) {
      this.open_.set(uri, { text, saved: text, version: 1 });
      this.language.notify("textDocument/didOpen", { textDocument: { uri, languageId: "grog", version: 1, text } });
    }
    this.show(uri, line);
  }

  /** @param {string} uri @param {number} [line] from 0 */
  show(uri, line) {
    const one = this.open_.get(uri);
    if (!one) return;
    this.now = uri;
    this.field.value = one.text;
    if (line === undefined) return;
    const at = one.text.split("\n").slice(0, line).reduce((sum, part) => sum + part.length + 1, 0);
    this.field.focus();
    this.field.setSelectionRange(at, at);
    this.field.scrollTop = Math.max(0, line - 6) * 19;
  }

  /** @param {string} uri */
  text(uri) { return this.open_.get(uri)?.text; }

  /** @param {string} uri @param {any[]} edits */
  apply(uri, edits) {
    const one = this.open_.get(uri);
    if (!one) return;
    const lines = one.text.split("\n"), at = (/** @type {any} */ p) => lines.slice(0, p.line).reduce((sum, part) => sum + part.length + 1, 0) + p.character;
    let text = one.text;
    for (const { range, newText } of [...edits].sort((a, b) => at(b.range.start) - at(a.range.start))) text = text.slice(0, at(range.start)) + newText + text.slice(at(range.end));
    this.#set(uri, text);
    if (uri === this.now) this.field.value = text;
  }

  /** @param {string} uri */
  undo(uri) { this.#back(uri, "past", "future"); }

  /** @param {string} uri */
  redo(uri) { this.#back(uri, "future", "past"); }

  /** @param {string} uri @param {"past" | "future"} from @param {"past" | "future"} to */
  #back(uri, from, to) {
    const history = this.history.get(uri), text = history && history[from].pop();
    if (!history || text === undefined) return;
    history[to].push(this.open_.get(uri)?.text || "");
    this.#tell(uri, text);
    if (uri === this.now) this.field.value = text;
  }

  /** @param {(uri: string) => void} handler */
  changed(handler) { this.listeners.push(handler); }

  /** @param {string} uri */
  saved(uri) { const one = this.open_.get(uri); if (one) one.saved = one.text; }

  dirty() { return [...this.open_].filter(([, one]) => one.text !== one.saved).map(([uri]) => uri); }

  /** @param {Record<string, Record<string, number>>} _ */
  reached(_) {}

  /** @param {any[]} _ */
  cases(_) {}

  cursor() { return { uri: this.now, line: 0, character: 0 }; }

  /** @param {string} uri @param {string} text */
  #set(uri, text) {
    const history = this.history.get(uri) || { past: [], future: [] };
    history.past.push(this.open_.get(uri)?.text || "");
    history.future = [];
    this.history.set(uri, history);
    this.#tell(uri, text);
  }

  /** @param {string} uri @param {string} text */
  #tell(uri, text) {
    const one = this.open_.get(uri);
    if (!one) return;
    one.text = text;
    one.version += 1;
    this.language.notify("textDocument/didChange", { textDocument: { uri, version: one.version }, contentChanges: [{ text }] });
    for (const handler of this.listeners) handler(uri);
  }
}
