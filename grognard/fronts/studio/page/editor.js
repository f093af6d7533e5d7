/**
 * The texts that are open, one of which is shown; each with its own undo, and all of them told to the language server.
 *
 * @typedef {import("./language.js").Language} Language @typedef {import("./assistance.js").Finding} Finding
 * @typedef {import("./vendor/codemirror.js").EditorState} EditorState @typedef {import("./vendor/codemirror.js").Text} Text
 * @typedef {import("./vendor/codemirror.js").Transaction} Transaction
 * @typedef {import("./positions.js").Position} Position @typedef {import("./positions.js").TextEdit} TextEdit @typedef {import("./positions.js").Location} Location
 * @typedef {import("./margins.js").Case} Case @typedef {import("./names.js").DocumentSymbol} DocumentSymbol
 * @typedef {{uri: string, name: string, languageId: string, version: number, saved: Text, state: EditorState, scroll: any, findings: Finding[], group: string}} File
 *   *group* is that of the last change, while further changes of the group are undone with it
 * @typedef {(uri: string, line?: number) => any} Opener shows a file, which it opens first where that is not done yet
 */
import {
  EditorState as State, EditorView as View, bracketMatching, classHighlighter, closeBrackets, closeBracketsKeymap, codeFolding, completionKeymap,
  crosshairCursor, defaultKeymap, drawSelection, dropCursor, foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter, history, historyKeymap,
  indentOnInput, indentUnit, indentWithTab, isolateHistory, keymap, lineNumbers, lintGutter, nextDiagnostic, previousDiagnostic, rectangularSelection, redo,
  search, searchKeymap, setDiagnostics, showDialog, syntaxHighlighting, tooltips, undo, yaml,
} from "./vendor/codemirror.js";
import { $, filled, make } from "board/dom";
import { assistance, shownFindings } from "./assistance.js";
import { grog } from "./colouring.js";
import { Listing } from "./listing.js";
import { casesShown, countsShown, gutters, sayings } from "./margins.js";
import { names } from "./names.js";
import { changesOf, offsetOf, positionOf } from "./positions.js";

/** What the history always joins with the change before it. */
const JOINED = "input.type.compose";

/** @param {string} id @returns {any} what an element of the page holds as JSON */
const held = (id) => JSON.parse(/** @type {string} */ ($(id).textContent));

/** Edits that leave lines alone which are as before, so that the cursor and all marks stay. @param {string[]} old @param {string[]} now @returns {TextEdit[]} */
const byLines = (old, now) => {
  const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string[]} */ texts) => ({ range: { start: { line: from, character: 0 }, end: { line: to - 1, character: Infinity } }, newText: texts.join("\n") });
  if (old.length === now.length) return old.flatMap((text, at) => (text === now[at] ? [] : [line(at, at + 1, [now[at]])]));
  const shorter = Math.min(old.length, now.length) - 1;
  let before = 0, behind = 0;
  while (before < shorter && old[before] === now[before]) before += 1;
  while (behind < shorter - before && old[old.length - 1 - behind] === now[now.length - 1 - behind]) behind += 1;
  return [line(before, old.length - behind, now.slice(before, now.length - behind))];
};

export class Editor {
  /** @param {HTMLElement} parent @param {Language} language */
  constructor(parent, language) {
    this.language = language;
    /** @type {Record<string, string>} */
    this.words = held("words");
    /** @type {Map<string, File>} */
    this.files = new Map();
    /** @type {File | null} */
    this.shown = null;
    /** @type {((uri: string) => void)[]} */
    this.listeners = [];
    /** @type {Opener} */
    this.opener = (uri, line) => this.show(uri, line);
    /** The last change of several files, with the text of each before and after it. @type {Map<File, {before: Text, after: Text}> | null} */
    this.joint = null;
    /** Whence one has gone. @type {Location[]} */
    this.trail = [];
    /** @type {Record<string, Record<string, number>>} */
    this.counts = {};
    /** @type {Case[]} */
    this.known = [];
    /** What was found in files that are not open. @type {Map<string, Finding[]>} */
    this.found = new Map();
    this.sayings = sayings(this);
    this.parts = this.#parts();
    this.grog = grog(held("keywords"));
    const root = make("div", parent, undefined, "code");
    this.view = new View({
      parent: make("div", root, undefined, "text"),
      state: State.create({ extensions: [State.readOnly.of(true), View.editable.of(false), ...this.#nonce()] }),
      dispatchTransactions: (transactions, view) => {
        view.update(transactions);
        for (const tr of transactions) this.#done(/** @type {File} */ (this.shown), tr);
      },
    });
    this.listing = new Listing(root, this.words.close, () => this.view.focus());
    language.on("textDocument/publishDiagnostics", ({ uri, diagnostics, version }) => {
      const now = this.files.get(uri)?.version;
      if (!now || !version || version === now) this.#find(uri, diagnostics);
    });
  }

  // ------------------------------------------------------------------ what the page asks

  /** @param {string} uri @param {string} text @param {number} [line] from 0 */
  open(uri, text, line) {
    if (!this.files.has(uri)) {
      const name = decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1)), languageId = name.endsWith(".grog") ? "grog" : "yaml";
      const state = State.create({ doc: text, extensions: [this.parts, View.contentAttributes.of({ "aria-label": name, "aria-description": this.words.leave_text }), languageId === "grog" ? this.grog : yaml()] });
      const file = { uri, name, languageId, version: 1, saved: state.doc, state, scroll: null, findings: [], group: "" };
      this.files.set(uri, file);
      this.language.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text: state.doc.toString() } });
      this.#find(uri, this.found.get(uri) || []);
      this.#beside(file);
    }
    this.show(uri, line);
  }

  /** @param {string} uri @param {number} [line] from 0; the cursor goes there */
  show(uri, line) {
    const file = this.files.get(uri);
    if (!file) return;
    if (file !== this.shown) {
      if (this.shown) this.shown.scroll = this.view.scrollSnapshot();
      this.shown = file;
      this.view.setState(file.state);
      if (file.scroll) this.view.dispatch({ effects: file.scroll });
    }
    if (line !== undefined) this.place({ line, character: 0 });
  }

  /** Without a word to whoever has unsaved changes in it. @param {string} uri of a file that is not shown */
  close(uri) {
    if (this.files.delete(uri)) this.language.notify("textDocument/didClose", { textDocument: { uri } });
  }

  /** @param {string} uri @returns {string | undefined} */
  text(uri) { return this.files.get(uri)?.state.doc.toString(); }

  /**
   * Change an open text, as one step of undo; those of the same group that follow one another are one step, too.
   * @param {string} uri @param {readonly TextEdit[]} edits that do not overlap @param {{undoGroup?: string}} [how]
   */
  apply(uri, edits, { undoGroup = "" } = {}) {
    const file = this.files.get(uri);
    if (!file || !edits.length) return;
    const joined = undoGroup !== "" && file.group === undoGroup;
    this.dispatch(file, { changes: changesOf(file.state.doc, edits), userEvent: joined ? JOINED : "input.apply", annotations: isolateHistory.of(joined ? "after" : "full") });
    file.group = undoGroup;
  }

  /** @param {string} uri */
  undo(uri) { this.#step(undo, uri); }

  /** @param {string} uri */
  redo(uri) { this.#step(redo, uri); }

  /** @param {(uri: string) => void} handler is called after each change of a text */
  changed(handler) { this.listeners.push(handler); }

  /** @param {Opener} opener how the page shows files that are gone to or changed */
  opens(opener) { this.opener = opener; }

  /** @param {string} uri of a file that has been written @param {string} text what was written */
  saved(uri, text) { const file = this.files.get(uri); if (file) file.saved = file.state.toText(text); }

  /** @returns {string[]} the files with changes that are not saved */
  dirty() { return [...this.files.values()].filter((file) => !file.saved.eq(file.state.doc)).map((file) => file.uri); }

  /** @param {Record<string, Record<string, number>>} counts how often rules are reached, by files and their lines from 0 */
  reached(counts) {
    this.counts = counts;
    for (const file of this.files.values()) this.#beside(file);
    this.view.plugin(this.sayings.plugin)?.soon(0);
  }

  /** @param {Case[]} list */
  cases(list) { this.known = list; for (const file of this.files.values()) this.#beside(file); }

  /** @returns {{uri: string, line: number, character: number}} */
  cursor() {
    return { uri: this.shown?.uri || "", ...this.position(this.view.state.selection.main.head) };
  }

  /** @param {string} [uri] of an open file @returns {Promise<DocumentSymbol[]>} what it holds */
  async outline(uri = this.cursor().uri) {
    return (await this.language.request("textDocument/documentSymbol", { textDocument: { uri } })) || [];
  }

  /** Lay out the text that is shown. */
  async format() {
    const file = /** @type {File} */ (this.shown), { version } = file;
    const edits = await this.ask("textDocument/formatting", { options: { tabSize: 2, insertSpaces: true } });
    if (!edits?.length || file.version !== version) return;
    const { doc } = file.state, laidOut = file.state.changes(changesOf(doc, edits)).apply(doc);
    this.apply(file.uri, byLines(doc.toString().split("\n"), laidOut.toString().split("\n")));
  }

  // ------------------------------------------------------------------ what its parts ask

  /** What the server says of the text that is shown. @param {string} method @param {any} [more] @param {AbortSignal} [signal] @returns {Promise<any>} */
  ask(method, more = {}, signal) { return this.language.request(method, { textDocument: { uri: this.shown?.uri }, ...more }, signal); }

  /** @param {number} offset @returns {Position} in the text that is shown */
  position(offset) { return positionOf(this.view.state.doc, offset); }

  /** Put the cursor at a place of the text that is shown. @param {Position} position */
  place(position) {
    const at = offsetOf(this.view.state.doc, position);
    this.view.dispatch({ selection: { anchor: at }, effects: View.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** @param {Location} location */
  async go(location) {
    const { uri, ...position } = this.cursor();
    this.trail.push({ uri, range: { start: position, end: position } });
    await this.#reach(location);
  }

  /** To whence one has come. */
  async back() {
    const location = this.trail.pop();
    if (location) await this.#reach(location);
  }

  /** Change the texts of several files, which are opened for it; what is not sure to be meant is asked about. @param {any} edit a WorkspaceEdit */
  async change(edit) {
    const parts = /** @type {{uri: string, edits: TextEdit[]}[]} */ (edit?.documentChanges
      ? edit.documentChanges.map((/** @type {any} */ { textDocument, edits }) => ({ uri: textDocument.uri, edits }))
      : Object.entries(edit?.changes || {}).map(([uri, edits]) => ({ uri, edits })));
    const unsure = (/** @type {TextEdit} */ { annotationId }) => annotationId !== undefined && edit.changeAnnotations?.[annotationId]?.needsConfirmation;
    const doubtful = parts.flatMap(({ uri, edits }) => edits.filter(unsure).map(({ range }) => ({ uri, range })));
    const carry = (/** @type {boolean} */ all) => this.attempt(this.#change(parts.map(({ uri, edits }) => ({ uri, edits: edits.filter((one) => all || !unsure(one)) }))));
    if (doubtful.length) await this.list(filled(this.words.unsure_places, doubtful.length), doubtful, [[this.words.change_all, () => carry(true)], [this.words.leave_these, () => carry(false)]]);
    else await carry(true);
  }

  /** List places to go to. @param {string} title @param {Location[]} places @param {[string, () => void][]} [choices] */
  async list(title, places, choices) {
    /** @type {Map<string, string[]>} */
    const texts = new Map();
    for (const { uri } of places) if (!texts.has(uri)) texts.set(uri, (this.text(uri) ?? (await this.language.request("studio/text", { uri })).text).split("\n"));
    this.listing.show(title, places.map((place) => ({
      place: `${decodeURIComponent(place.uri.slice(place.uri.lastIndexOf("/") + 1))}:${place.range.start.line + 1}`,
      text: (texts.get(place.uri)?.[place.range.start.line] || "").trim(), act: () => this.attempt(this.go(place)),
    })), choices);
  }

  /** Say something above the text. @param {string} label */
  say(label) { showDialog(this.view, { label, class: "saying", top: true, submitLabel: this.words.close }); }

  /** What goes wrong is said. @param {Promise<any>} doing */
  async attempt(doing) { try { await doing; } catch (error) { this.say(/** @type {Error} */ (error).message); } }

  /** @param {File} file @param {any} spec of a transaction */
  dispatch(file, spec) {
    if (file === this.shown) this.view.dispatch(spec); else this.#done(file, file.state.update(spec));
  }

  // ------------------------------------------------------------------ inside

  /** @param {Location} location */
  async #reach({ uri, range }) {
    if (uri !== this.shown?.uri) await this.opener(uri, range.start.line);
    this.place(range.start);
  }

  /** @param {{uri: string, edits: TextEdit[]}[]} parts */
  async #change(parts) {
    const here = this.cursor().uri, closed = parts.filter(({ uri }) => !this.files.has(uri));
    for (const { uri } of closed) await this.opener(uri);
    const files = parts.map(({ uri }) => /** @type {File} */ (this.files.get(uri))), before = files.map(({ state }) => state.doc);
    for (const { uri, edits } of parts) this.apply(uri, edits);
    this.joint = new Map(files.map((file, at) => [file, { before: before[at], after: file.state.doc }]));
    if (closed.length) await this.opener(here);
  }

  /** @param {(target: {state: EditorState, dispatch: (tr: Transaction) => void}) => boolean} command @param {string} uri */
  #step(command, uri) {
    const file = this.files.get(uri);
    if (file === this.shown) command(this.view); else if (file) command({ state: file.state, dispatch: (tr) => this.#done(file, tr) });
  }

  /**
   * Undo a change of several files in all of them, or redo it, while each is as it left them.
   * @param {typeof undo} command @param {"before" | "after"} now @returns {boolean} whether that is done
   */
  #jointly(command, now) {
    if (!this.shown || !this.joint?.has(this.shown) || [...this.joint].some(([file, texts]) => !file.state.doc.eq(texts[now]))) return false;
    for (const [{ uri }, { before, after }] of this.joint) if (!before.eq(after)) this.#step(command, uri);
    return true;
  }

  /** What is done in a text is told. @param {File} file @param {Transaction} tr */
  #done(file, tr) {
    file.state = tr.state;
    if (!tr.docChanged) return;
    file.version += 1;
    file.group = "";
    /** The last first: so what stands before it is where it was. @type {{range: import("./positions.js").Range, text: string}[]} */
    const contentChanges = [];
    tr.changes.iterChanges((from, to, _, __, text) => {
      const doc = tr.startState.doc;
      contentChanges.unshift({ range: { start: positionOf(doc, from), end: positionOf(doc, to) }, text: text.toString() });
    });
    this.language.notify("textDocument/didChange", { textDocument: { uri: file.uri, version: file.version }, contentChanges });
    for (const handler of this.listeners) handler(file.uri);
  }

  /** @param {string} uri @param {Finding[]} found */
  #find(uri, found) {
    const file = this.files.get(uri);
    this.found.set(uri, found);
    if (!file) return;
    file.findings = found;
    this.dispatch(file, setDiagnostics(file.state, shownFindings(this, file, found)));
    this.view.plugin(this.sayings.plugin)?.soon(150);
  }

  /** @param {File} file */
  #beside(file) {
    const { doc } = file.state, cases = this.known.filter(({ uri }) => uri === file.uri);
    this.dispatch(file, { effects: [countsShown(doc, this.counts[file.uri] || {}, this.words), casesShown(doc, cases, this.words)] });
  }

  /** A policy lets in the styles that the library makes by the nonce of the page. */
  #nonce() {
    const nonce = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[nonce]"))?.nonce;
    return nonce ? [View.cspNonce.of(nonce)] : [];
  }

  /** What all texts have. */
  #parts() {
    const words = this.words;
    return [
      ...this.#nonce(), State.phrases.of(Object.fromEntries(Object.entries(words).filter(([key]) => key.startsWith("editor:")).map(([key, text]) => [key.slice(7), text]))),
      lineNumbers(), highlightActiveLineGutter(), gutters, lintGutter(), codeFolding(), foldGutter({ openText: "▾", closedText: "▸" }),
      history(), drawSelection(), dropCursor(), rectangularSelection(), crosshairCursor(), State.allowMultipleSelections.of(true),
      indentUnit.of("  "), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), search({ top: true }), tooltips({ parent: document.body }),
      syntaxHighlighting(classHighlighter), assistance(this), names(this), this.sayings.extension,
      keymap.of([{ key: "Mod-z", run: () => this.#jointly(undo, "after") }, ...["Mod-y", "Mod-Shift-z"].map((key) => ({ key, run: () => this.#jointly(redo, "before") }))]),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, { key: "F8", run: nextDiagnostic, shift: previousDiagnostic }, ...defaultKeymap, indentWithTab]),
    ];
  }
}

