/**
 * What stands beside the lines of a text: how often its rules are reached, which cases hold; and what the language
 * server says of all its lines – colours, types of locals, how often a declaration is used, what can be folded.
 *
 * @typedef {import("./editor.js").Editor} Editor @typedef {import("./vendor/codemirror.js").EditorState} EditorState
 * @typedef {import("./vendor/codemirror.js").EditorView} EditorView @typedef {import("./vendor/codemirror.js").Text} Text
 * @typedef {import("./positions.js").Position} Position @typedef {import("./positions.js").Range} Range @typedef {import("./positions.js").Location} Location
 * @typedef {{title: string, command: string, arguments?: any[]}} Command @typedef {{range: Range, command?: Command}} Lens
 * @typedef {{position: Position, label: string}} Hint
 * @typedef {{name: string, uri: string, line: number, held: boolean, problems: string[], old: boolean}} Case
 * @typedef {{from: number, to: number}} Span
 * @typedef {{colours: any, hints: any, lenses: any, folds: Span[]}} Told
 */
import { Decoration, EditorView as View, GutterMarker, RangeSet, StateEffect, StateField, ViewPlugin, WidgetType, foldService, gutter } from "./vendor/codemirror.js";
import { filled, make } from "board/dom";
import { explain } from "./assistance.js";
import { coloured } from "./colouring.js";
import { offsetOf } from "./positions.js";

/** After so long without typing the server is asked anew, in ms. */
const PAUSE = 300;

// -------------------------------------------------------------------- what the server says of all lines

class HintWidget extends WidgetType {
  /** @param {string} text */
  constructor(text) { super(); this.text = text; }
  /** @param {any} other */
  eq(other) { return other.text === this.text; }
  toDOM() { return make("span", null, this.text, "hint"); }
}

class LensWidget extends WidgetType {
  /** @param {Command[]} commands @param {string} indent @param {(command: Command) => void} act */
  constructor(commands, indent, act) { super(); this.commands = commands; this.indent = indent; this.act = act; }
  /** @param {any} other */
  eq(other) { return other.indent === this.indent && JSON.stringify(other.commands) === JSON.stringify(this.commands); }
  toDOM() {
    const line = make("div", null, this.indent, "lens");
    this.commands.forEach((command, number) => {
      if (number) line.append(" · ");
      const button = make("button", line, command.title);
      button.tabIndex = -1;
      button.onclick = () => this.act(command);
    });
    return line;
  }
  get estimatedHeight() { return 17; }
  ignoreEvent() { return true; }
}

/** @type {import("./vendor/codemirror.js").StateEffectType<Told>} */
const tell = StateEffect.define();

/** @type {import("./vendor/codemirror.js").StateField<Told>} */
const told = StateField.define({
  create: () => /** @type {Told} */ ({ colours: Decoration.none, hints: Decoration.none, lenses: Decoration.none, folds: [] }),
  update(now, tr) {
    for (const effect of tr.effects) if (effect.is(tell)) return effect.value;
    if (!tr.docChanged) return now;
    const folds = now.folds.map(({ from, to }) => ({ from: tr.changes.mapPos(from, 1), to: tr.changes.mapPos(to, -1) }));
    return { colours: now.colours.map(tr.changes), hints: now.hints.map(tr.changes), lenses: now.lenses.map(tr.changes), folds };
  },
  provide: (field) => [
    View.decorations.from(field, (now) => now.colours), View.decorations.from(field, (now) => now.hints), View.decorations.from(field, (now) => now.lenses),
    foldService.of((state, _, end) => { const found = state.field(field).folds.find(({ from, to }) => from === end && to > from); return found || null; }),
  ],
});

/** @param {Text} doc @param {Hint[]} hints */
const hinted = (doc, hints) => Decoration.set(hints.map(({ position, label }) => Decoration.widget({ widget: new HintWidget(label), side: 1 }).range(offsetOf(doc, position))), true);

/** @param {Text} doc @param {Lens[]} lenses @param {(command: Command) => void} act */
const above = (doc, lenses, act) => {
  /** @type {Map<number, Command[]>} */
  const lines = new Map();
  for (const { range, command } of lenses) if (command) lines.set(range.start.line, [...(lines.get(range.start.line) || []), command]);
  return Decoration.set([...lines].map(([number, commands]) => {
    const line = doc.line(number + 1), indent = /** @type {RegExpMatchArray} */ (line.text.match(/^\s*/))[0];
    return Decoration.widget({ widget: new LensWidget(commands, indent, act), block: true, side: -1 }).range(line.from);
  }), true);
};

/** @param {Text} doc @param {{startLine: number, endLine: number}[]} folds @returns {Span[]} */
const folding = (doc, folds) => folds.filter(({ endLine }) => endLine < doc.lines).map(({ startLine, endLine }) => ({ from: doc.line(startLine + 1).to, to: doc.line(endLine + 1).to }));

/** Asks the server of all lines of the rules that are shown, when nothing more is typed. @param {Editor} editor */
export const sayings = (editor) => {
  const plugin = ViewPlugin.fromClass(class {
    /** @param {EditorView} view */
    constructor(view) { this.view = view; this.timer = 0; this.gone = false; this.soon(0); }
    /** @param {import("./vendor/codemirror.js").ViewUpdate} update */
    update(update) { if (update.docChanged) this.soon(PAUSE); }
    destroy() { this.gone = true; clearTimeout(this.timer); }
    /** @param {number} pause in ms */
    soon(pause) { clearTimeout(this.timer); this.timer = window.setTimeout(() => this.ask().catch(() => {}), pause); }
    /** What somebody clicks at above a declaration. @param {Command} command */
    act({ command, title, arguments: given = [] }) {
      if (command === "grognard.showReferences") editor.attempt(editor.list(title, given[2]));
      else if (command === "grognard.explain") editor.attempt(explain(editor, this.view, given[1]));
    }
    async ask() {
      const file = editor.shown, doc = this.view.state.doc, end = { line: doc.lines, character: 0 };
      if (file?.languageId !== "grog") return;
      const [tokens, hints, lenses, folds] = await Promise.all([
        editor.ask("textDocument/semanticTokens/full"), editor.ask("textDocument/inlayHint", { range: { start: { line: 0, character: 0 }, end } }),
        editor.ask("textDocument/codeLens"), editor.ask("textDocument/foldingRange"),
      ]);
      if (this.gone || this.view.state.doc !== doc) return; // it is asked again
      if (!tokens.data.length && file.findings.some((one) => one.severity === 1)) return; // it cannot be read: what was known stays
      const told = { colours: coloured(doc, tokens.data, editor.language.offers.semanticTokensProvider.legend), hints: hinted(doc, hints), lenses: above(doc, lenses, (command) => this.act(command)), folds: folding(doc, folds) };
      this.view.dispatch({ effects: tell.of(told) });
    }
  });
  return { plugin, extension: [told, plugin] };
};

// -------------------------------------------------------------------- how often rules are reached, and which cases hold

class Mark extends GutterMarker {
  /** @param {string} kind @param {string} sign @param {string} title */
  constructor(kind, sign, title) { super(); this.kind = kind; this.sign = sign; this.title = title; }
  /** @param {any} other */
  eq(other) { return other.kind === this.kind && other.title === this.title; }
  toDOM() {
    const made = make("span", null, this.sign, this.kind);
    made.title = this.title;
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", this.title);
    return made;
  }
}

/** @typedef {{marks: any, lines: any}} Beside */

/** A gutter whose marks go along with their lines. @param {string} name */
const beside = (name) => {
  /** @type {import("./vendor/codemirror.js").StateEffectType<Beside>} */
  const put = StateEffect.define();
  /** @type {import("./vendor/codemirror.js").StateField<Beside>} */
  const field = StateField.define({
    create: () => ({ marks: RangeSet.empty, lines: Decoration.none }),
    update(now, tr) {
      for (const effect of tr.effects) if (effect.is(put)) return effect.value;
      return tr.docChanged ? { marks: now.marks.map(tr.changes), lines: now.lines.map(tr.changes) } : now;
    },
    provide: (one) => View.decorations.from(one, (now) => now.lines),
  });
  return { put, extension: [field, gutter({ class: name, markers: (view) => view.state.field(field).marks })] };
};

const reach = beside("reached-gutter"), proof = beside("cases-gutter");
const UNREACHED = Decoration.line({ class: "unreached" });

export const gutters = [reach.extension, proof.extension];

/** @param {Text} doc @param {Record<string, number>} counts by lines from 0 @param {Record<string, string>} words @returns {any} the effect that shows them */
export const countsShown = (doc, counts, words) => {
  const lines = Object.entries(counts).map(([line, count]) => ({ line: Number(line), count })).filter(({ line }) => line < doc.lines).map(({ line, count }) => ({ from: doc.line(line + 1).from, count }));
  const marks = lines.map(({ from, count }) => (count ? new Mark("is-reached", "", filled(words.reached, count)) : new Mark("is-unreached", "", words.unreached)).range(from));
  return reach.put.of({ marks: RangeSet.of(marks, true), lines: Decoration.set(lines.filter(({ count }) => !count).map(({ from }) => UNREACHED.range(from)), true) });
};

/** @param {Text} doc @param {Case[]} cases of this text @param {Record<string, string>} words @returns {any} the effect that shows them */
export const casesShown = (doc, cases, words) => {
  const marks = cases.filter(({ line }) => line < doc.lines).map(({ line, held, problems, old }) => {
    const title = [held ? words.held : words.not_held, ...(old ? [words.old_case] : []), ...problems].join("\n");
    return new Mark((held ? "is-held" : "is-not-held") + (old ? " is-old" : ""), held ? "✓" : "✗", title).range(doc.line(line + 1).from);
  });
  return proof.put.of({ marks: RangeSet.of(marks, true), lines: Decoration.none });
};
