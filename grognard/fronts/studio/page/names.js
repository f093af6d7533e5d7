/**
 * What is done with names: to where they are declared and used, another name, what a text holds.
 *
 * @typedef {import("./editor.js").Editor} Editor @typedef {import("./vendor/codemirror.js").EditorView} EditorView
 * @typedef {import("./positions.js").Range} Range @typedef {import("./positions.js").Location} Location
 * @typedef {{name: string, detail?: string, kind: number, range: Range, selectionRange: Range, children?: DocumentSymbol[]}} DocumentSymbol
 */
import { Decoration, EditorView as View, Prec, StateEffect, StateField, ViewPlugin, keymap, showDialog } from "./vendor/codemirror.js";
import { filled } from "board/dom";
import { spanOf } from "./positions.js";

/** After the cursor has stood for so long, the same name is lit elsewhere, in ms. */
const PAUSE = 250;

/** @param {Editor} editor @param {number} pos */
const define = async (editor, pos) => {
  const found = /** @type {Location[]} */ (await editor.ask("textDocument/definition", { position: editor.position(pos) }) || []);
  if (!found.length) editor.say(editor.words.no_declaration);
  else if (found.length === 1) await editor.go(found[0]);
  else await editor.list(editor.words.declarations, found);
};

/** @param {Editor} editor @param {number} pos */
const refer = async (editor, pos) => {
  const found = /** @type {Location[]} */ (await editor.ask("textDocument/references", { position: editor.position(pos), context: { includeDeclaration: true } }) || []);
  if (found.length) await editor.list(filled(editor.words.used_at, found.length), found); else editor.say(editor.words.no_use);
};

/** @param {Editor} editor @param {EditorView} view */
const rename = async (editor, view) => {
  const position = editor.position(view.state.selection.main.head), named = await editor.ask("textDocument/prepareRename", { position });
  if (!named) { editor.say(editor.words.no_name); return; }
  const { close, result } = showDialog(view, { label: editor.words.new_name, submitLabel: editor.words.rename, class: "renaming", focus: true, input: { name: "name", value: named.placeholder, spellcheck: "false", autocomplete: "off" } });
  const form = await result;
  view.dispatch({ effects: close });
  view.focus();
  const newName = /** @type {any} */ (form?.elements.namedItem("name"))?.value.trim();
  if (newName && newName !== named.placeholder) await editor.change(await editor.ask("textDocument/rename", { position, newName }));
};

/** @param {Editor} editor */
const listOutline = async (editor) => {
  /** @param {DocumentSymbol[]} some @param {number} depth @returns {import("./listing.js").Item[]} */
  const items = (some, depth) => some.flatMap(({ name, detail, selectionRange, children }) => [
    { place: "\u2003".repeat(depth) + (selectionRange.start.line + 1), text: detail ? `${name} – ${detail}` : name, act: () => { editor.listing.close(); editor.place(selectionRange.start); } },
    ...items(children || [], depth + 1),
  ]);
  editor.listing.show(editor.words.outline, items(await editor.outline(), 0));
};

// -------------------------------------------------------------------- the same name in the same text

/** @type {import("./vendor/codemirror.js").StateEffectType<any>} */
const light = StateEffect.define();
const SAME = Decoration.mark({ class: "same-name" });

/** @type {import("./vendor/codemirror.js").StateField<any>} */
const lit = StateField.define({
  create: () => Decoration.none,
  update(now, tr) {
    for (const effect of tr.effects) if (effect.is(light)) return effect.value;
    return tr.docChanged ? Decoration.none : now;
  },
  provide: (field) => View.decorations.from(field),
});

/** @param {Editor} editor */
const lighting = (editor) => ViewPlugin.fromClass(class {
  /** @param {EditorView} view */
  constructor(view) { this.view = view; this.timer = 0; this.gone = false; }
  /** @param {import("./vendor/codemirror.js").ViewUpdate} update */
  update(update) {
    if (!update.selectionSet && !update.docChanged) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.ask().catch(() => {}), PAUSE);
  }
  destroy() { this.gone = true; clearTimeout(this.timer); }
  async ask() {
    const { doc, selection } = this.view.state;
    const found = await editor.ask("textDocument/documentHighlight", { position: editor.position(selection.main.head) });
    if (this.gone || this.view.state.doc !== doc) return;
    const marks = (found || []).map((/** @type {{range: Range}} */ { range }) => {
      const { from, to } = spanOf(doc, range);
      return SAME.range(from, to);
    });
    this.view.dispatch({ effects: light.of(Decoration.set(marks, true)) });
  }
});

/** @param {Editor} editor */
export const names = (editor) => {
  /** @param {(view: EditorView) => Promise<any>} act */
  const does = (act) => (/** @type {EditorView} */ view) => { editor.attempt(act(view)); return true; };
  return [
    lit, lighting(editor),
    Prec.high(keymap.of([
      { key: "F12", run: does((view) => define(editor, view.state.selection.main.head)) },
      { key: "Shift-F12", run: does((view) => refer(editor, view.state.selection.main.head)) },
      { key: "F2", run: does((view) => rename(editor, view)) },
      { key: "Mod-Shift-o", run: does(() => listOutline(editor)) },
      { key: "Shift-Alt-f", run: does(() => editor.format()) },
      { key: "Alt-ArrowLeft", run: does(() => editor.back()) },
    ])),
    Prec.highest(View.domEventHandlers({
      mousedown(event, view) {
        const pos = event.button === 0 && (event.ctrlKey || event.metaKey) ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
        if (pos === null) return false;
        editor.attempt(define(editor, pos));
        return true;
      },
    })),
  ];
};
