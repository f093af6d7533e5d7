/**
 * What the language server says of one place: findings with their remedies, words that may stand there, what a name
 * is, what a call expects.
 *
 * @typedef {import("./editor.js").Editor} Editor @typedef {import("./editor.js").File} File
 * @typedef {import("./vendor/codemirror.js").EditorView} EditorView @typedef {import("./vendor/codemirror.js").CompletionContext} CompletionContext
 * @typedef {import("./positions.js").Range} Range @typedef {import("./positions.js").Location} Location
 * @typedef {{range: Range, severity?: number, code?: string, message: string, tags?: number[], relatedInformation?: {location: Location, message: string}[]}} Finding
 * @typedef {{title: string, isPreferred?: boolean, diagnostics?: Finding[], edit: any}} Action
 * @typedef {{signatures: {label: string, documentation?: any, parameters?: {label: string | [number, number]}[]}[], activeSignature?: number, activeParameter?: number}} Help
 */
import { EditorView as View, StateEffect, StateField, activateHover, autocompletion, closeHoverTooltips, hoverTooltip, keymap, showTooltip, snippet } from "./vendor/codemirror.js";
import { make } from "board/dom";
import { marked } from "./markdown.js";
import { offsetOf, spanOf } from "./positions.js";

const SEVERITIES = ["", "error", "warning", "info", "hint"];
const UNUSED = 1, SNIPPET = 2, INVOKED = 1, TYPED = 2;
/** The icons of completions by the kinds of the protocol. @type {Record<number, string>} */
const ICONS = { 2: "method", 3: "function", 5: "property", 6: "variable", 7: "class", 11: "type", 12: "constant", 13: "enum", 14: "keyword", 18: "text", 20: "constant", 23: "interface" };

// -------------------------------------------------------------------- findings

/** Findings as the editor shows them. @param {Editor} editor @param {File} file @param {Finding[]} found */
export const shownFindings = (editor, file, found) => found.map((one) => {
  const { from, to } = spanOf(file.state.doc, one.range);
  return { from, to, severity: SEVERITIES[one.severity || 1], message: one.message, markClass: one.tags?.includes(UNUSED) ? "unused" : undefined, renderMessage: () => message(editor, one) };
});

/** @param {Editor} editor @param {Finding} one */
const message = (editor, one) => {
  const made = make("div", null, undefined, "finding");
  for (const line of one.message.split("\n")) make("p", made, line);
  if (one.code) make("span", made, one.code, "code");
  for (const { location, message } of one.relatedInformation || []) make("button", made, message, "related").onclick = () => editor.go(location);
  remedies(editor, one.range).then((actions) => {
    for (const action of actions) if (action.diagnostics?.some(({ code, message }) => code === one.code && message === one.message))
      make("button", made, action.title, "remedy").onclick = () => editor.change(action.edit);
  }, () => {});
  return made;
};

/** @param {Editor} editor @param {Range} range @returns {Promise<Action[]>} */
const remedies = async (editor, range) => (await editor.ask("textDocument/codeAction", { range, context: { diagnostics: [] } })) || [];

/** The remedies of the line, to choose from. @param {Editor} editor */
const mend = (editor) => {
  const { line } = editor.cursor(), range = { start: { line, character: 0 }, end: { line, character: 0 } };
  editor.attempt(remedies(editor, range).then((actions) => {
    if (!actions.length) editor.say(editor.words.no_remedy);
    else editor.listing.show(editor.words.remedies, actions.map((action) => ({ text: action.title, act: () => { editor.listing.close(); editor.change(action.edit); } })));
  }));
};

// -------------------------------------------------------------------- completion

/** @param {EditorView} view @param {any} item @param {number} from @param {number} to */
const insertSnippet = (view, item, from, to) => snippet((item.textEdit?.newText ?? item.insertText ?? item.label).replace(/\\([$}\\])|\$(\d+)/g, (/** @type {any} */ _, /** @type {string} */ escaped, /** @type {string} */ field) => escaped || `\${${field}}`))(view, null, from, to);

/** @param {any} item one of the protocol */
const proposal = (item) => ({
  label: item.filterText || item.label, displayLabel: item.label, sortText: item.sortText, type: ICONS[item.kind] || "text",
  detail: item.labelDetails?.description,
  info: item.detail || item.documentation ? () => marked(item.documentation || item.detail) : undefined,
  apply: item.insertTextFormat === SNIPPET ? (/** @type {EditorView} */ view, /** @type {any} */ _, /** @type {number} */ from, /** @type {number} */ to) => insertSnippet(view, item, from, to) : item.textEdit?.newText ?? item.insertText ?? item.label,
});

/** @param {Editor} editor @returns {(context: CompletionContext) => Promise<any>} */
const completing = (editor) => async (context) => {
  const before = context.state.sliceDoc(context.pos - 1, context.pos), typed = editor.language.offers.completionProvider?.triggerCharacters.includes(before);
  if (!context.explicit && !typed && !/\w/.test(before)) return null;
  const abort = new AbortController();
  context.addEventListener("abort", () => abort.abort());
  const why = typed && !context.explicit ? { triggerKind: TYPED, triggerCharacter: before } : { triggerKind: INVOKED };
  const told = await editor.ask("textDocument/completion", { position: editor.position(context.pos), context: why }, abort.signal).catch(() => null);
  const items = Array.isArray(told) ? told : told?.items || [];
  if (!items.length) return null;
  const range = items[0].textEdit?.range, from = range ? offsetOf(context.state.doc, range.start) : context.matchBefore(/\w*/)?.from ?? context.pos;
  const cites = items.some((/** @type {any} */ item) => /^\W*[\w-]*[.\d]/.test(item.label));
  return { from, to: range && offsetOf(context.state.doc, range.end), options: items.map(proposal), validFor: told.isIncomplete ? undefined : cites ? /^§?[\w.-]*$/ : /^\W?\w*$/ };
};

// -------------------------------------------------------------------- what a name is

/** What was told of a place before it is shown. @type {{pos: number, told: any} | null} */
let explained = null;

/** @param {Editor} editor @param {number} pos */
const askWhat = (editor, pos) => editor.ask("textDocument/hover", { position: editor.position(pos) }).catch(() => null);

/** @param {Editor} editor @param {EditorView} view @param {number} pos @param {any} told */
const tooltip = (editor, view, pos, told) => {
  if (!told) return null;
  const { from, to } = told.range ? spanOf(view.state.doc, told.range) : { from: pos, to: pos };
  const go = (/** @type {Location} */ location) => { view.dispatch({ effects: closeHoverTooltips }); editor.attempt(editor.go(location)); };
  return { pos: from, end: to, above: true, create: () => ({ dom: marked(told.contents, "marked tooltip", go) }) };
};

/** @param {Editor} editor */
const pointing = (editor) => hoverTooltip((view, pos) => (explained?.pos === pos ? tooltip(editor, view, pos, explained.told) : askWhat(editor, pos).then((told) => tooltip(editor, view, pos, told))));

/** What is said of the place of the cursor, as if somebody pointed at it. @param {EditorView} view */
const sayHere = (view) => {
  const at = view.state.selection.main.head;
  activateHover(view, at, 1, { until: (update) => update.docChanged || update.selectionSet });
  return true;
};

/** The same of a place that was clicked at; asked before it is shown, since a move of the mouse ends the waiting. @param {Editor} editor @param {EditorView} view @param {import("./positions.js").Position} at */
export const explain = async (editor, view, at) => {
  const pos = offsetOf(view.state.doc, at);
  view.dispatch({ selection: { anchor: pos } });
  view.focus();
  explained = { pos, told: await askWhat(editor, pos) };
  sayHere(view);
  explained = null;
};

// -------------------------------------------------------------------- what a call expects

/** @type {import("./vendor/codemirror.js").StateEffectType<{help: Help, pos: number} | null>} */
const expect = StateEffect.define();

/** @type {import("./vendor/codemirror.js").StateField<{help: Help, pos: number} | null>} */
const expected = StateField.define({
  create: () => /** @type {{help: Help, pos: number} | null} */ (null),
  update(now, tr) {
    for (const effect of tr.effects) if (effect.is(expect)) return effect.value;
    return now && tr.docChanged ? { ...now, pos: tr.changes.mapPos(now.pos) } : now;
  },
  provide: (field) => showTooltip.from(field, (now) => now && { pos: now.pos, above: true, create: () => ({ dom: signature(now.help) }) }),
});

/** @param {Help} help */
const signature = (help) => {
  const one = help.signatures[help.activeSignature || 0], made = make("div", null, undefined, "marked tooltip"), line = make("code", make("p", made));
  const label = one.parameters?.[help.activeParameter || 0]?.label;
  // among the parameters, which stand behind the name
  const start = typeof label === "string" ? one.label.indexOf(label, one.label.indexOf("(") + 1) : label ? label[0] : -1;
  const end = typeof label === "string" ? start + label.length : label ? label[1] : -1;
  if (start < 0) line.append(one.label);
  else {
    line.append(one.label.slice(0, start));
    make("strong", line, one.label.slice(start, end));
    line.append(one.label.slice(end));
  }
  if (one.documentation) made.append(marked(one.documentation));
  return made;
};

/** @param {Editor} editor @param {EditorView} view */
const askExpected = async (editor, view) => {
  const doc = view.state.doc, pos = view.state.selection.main.head;
  const help = await editor.ask("textDocument/signatureHelp", { position: editor.position(pos) });
  if (view.state.doc === doc) view.dispatch({ effects: expect.of(help?.signatures.length ? { help, pos } : null) });
};

/** @param {Editor} editor */
const calling = (editor) => View.updateListener.of(({ view, state, docChanged, selectionSet, transactions }) => {
  const now = state.field(expected), at = state.selection.main.head;
  if (!docChanged && !(now && selectionSet)) return;
  const typed = transactions.some((tr) => tr.isUserEvent("input")) && editor.language.offers.signatureHelpProvider?.triggerCharacters.includes(state.sliceDoc(at - 1, at));
  if (typed || now) askExpected(editor, view).catch(() => {});
});

// --------------------------------------------------------------------

/** @param {Editor} editor */
export const assistance = (editor) => [
  autocompletion({ override: [completing(editor)], icons: true, closeOnBlur: true }), pointing(editor), expected, calling(editor),
  keymap.of([
    { key: "Mod-.", run: () => { mend(editor); return true; } },
    { key: "Mod-k Mod-i", run: sayHere },
    { key: "Mod-Shift-Space", run: (view) => { editor.attempt(askExpected(editor, view)); return true; } },
    { key: "Escape", run: (view) => {
      const shown = view.state.field(expected) !== null;
      view.dispatch({ effects: [expect.of(null), closeHoverTooltips] });
      return shown;
    } },
  ]),
];
