// what of the vendored library the editor uses
export type Extension = any;
type Span = { from: number; to: number };
export interface Line extends Span { number: number; text: string }
export interface Text {
  length: number; lines: number;
  line(number: number): Line;
  lineAt(offset: number): Line;
  eq(other: Text): boolean;
  toString(): string;
}
export interface ChangeSet {
  mapPos(offset: number, side?: number): number;
  apply(doc: Text): Text;
  iterChanges(each: (from: number, to: number, fromNow: number, toNow: number, inserted: Text) => void): void;
}
export interface StateEffectType<T> { of(value: T): StateEffect<T> }
export interface StateEffect<T> { value: T; is<U>(type: StateEffectType<U>): this is StateEffect<U> }
export const StateEffect: { define(): StateEffectType<any> };
export interface Transaction {
  startState: EditorState; state: EditorState; docChanged: boolean; changes: ChangeSet; effects: readonly StateEffect<any>[];
  isUserEvent(name: string): boolean;
}
export interface Facet<T> { of(value: T): Extension; from<F>(field: StateField<F>, get?: (value: F) => T): Extension }
export interface StateField<T> { init(create: (state: EditorState) => T): Extension }
export const StateField: {
  define<T>(what: { create(state: EditorState): T; update(value: T, tr: Transaction): T; provide?(field: StateField<T>): Extension }): StateField<T>;
};
export class EditorState {
  static create(what: { doc?: string; extensions?: Extension }): EditorState;
  static readOnly: Facet<boolean>;
  static phrases: Facet<Record<string, string>>;
  static allowMultipleSelections: Facet<boolean>;
  doc: Text;
  selection: { main: Span & { head: number; empty: boolean } };
  field<T>(field: StateField<T>): T;
  sliceDoc(from: number, to: number): string;
  changes(changes: { from: number; to: number; insert: string }[]): ChangeSet;
  update(spec: any): Transaction;
  toText(text: string): Text;
}
export const Prec: { high(what: Extension): Extension; highest(what: Extension): Extension };
export const isolateHistory: { of(which: "before" | "after" | "full"): any };

export interface ViewUpdate { view: EditorView; state: EditorState; docChanged: boolean; selectionSet: boolean; transactions: readonly Transaction[] }
export class EditorView {
  constructor(what: { parent: Element; state: EditorState; dispatchTransactions?(transactions: readonly Transaction[], view: EditorView): void });
  static editable: Facet<boolean>;
  static cspNonce: Facet<string>;
  static contentAttributes: Facet<Record<string, string>>;
  static decorations: Facet<RangeSet>;
  static updateListener: Facet<(update: ViewUpdate) => void>;
  static scrollIntoView(at: number, how: { y: "center" }): StateEffect<any>;
  static domEventHandlers(handlers: { [event: string]: (event: any, view: EditorView) => boolean }): Extension;
  state: EditorState;
  dom: HTMLElement;
  dispatch(spec: any): void;
  update(transactions: readonly Transaction[]): void;
  setState(state: EditorState): void;
  scrollSnapshot(): StateEffect<any>;
  focus(): void;
  plugin<T>(plugin: Plugin<T>): T | null;
  posAtCoords(at: { x: number; y: number }): number | null;
}
export type Plugin<T> = { of: T } & Extension;
export const ViewPlugin: { fromClass<T>(made: new (view: EditorView) => T): Plugin<T> };
export interface RangeSet { map(changes: ChangeSet): RangeSet }
export const RangeSet: { empty: RangeSet; of(ranges: any[], sort?: boolean): RangeSet };
export class RangeSetBuilder { add(from: number, to: number, value: any): void; finish(): RangeSet }
export class Decoration {
  static none: RangeSet;
  static mark(how: { class: string }): Decoration;
  static line(how: { class: string }): Decoration;
  static widget(how: { widget: WidgetType; side: number; block?: boolean }): Decoration;
  static set(ranges: any[], sort?: boolean): RangeSet;
  range(from: number, to?: number): any;
}
export class WidgetType {}
export class GutterMarker { range(from: number): any }
export function gutter(how: { class: string; markers(view: EditorView): any }): Extension;

type Handle = (view: EditorView) => boolean;
type Command = (target: { state: EditorState; dispatch: (tr: Transaction) => void }) => boolean;
export interface KeyBinding { key: string; run: Handle; shift?: Handle }
export const keymap: Facet<readonly KeyBinding[]>;
export const defaultKeymap: readonly KeyBinding[], historyKeymap: readonly KeyBinding[], foldKeymap: readonly KeyBinding[];
export const completionKeymap: readonly KeyBinding[], closeBracketsKeymap: readonly KeyBinding[], searchKeymap: readonly KeyBinding[];
export const indentWithTab: KeyBinding;
export const undo: Command, redo: Command;
export const nextDiagnostic: Handle, previousDiagnostic: Handle;

type Tooltip = { pos: number; end?: number; above?: boolean; create(view: EditorView): { dom: HTMLElement } };
export const showTooltip: Facet<Tooltip | null>;
export function hoverTooltip(source: (view: EditorView, pos: number) => Tooltip | null | Promise<Tooltip | null>): Extension;
export function activateHover(view: EditorView, pos: number, side: number, how: { until(update: ViewUpdate): boolean }): void;
export const closeHoverTooltips: StateEffect<any>;
export function showDialog(view: EditorView, what: any): { close: StateEffect<any>; result: Promise<HTMLFormElement | null> };

export interface CompletionContext {
  pos: number; state: EditorState; explicit: boolean;
  matchBefore(pattern: RegExp): Span | null;
  addEventListener(event: "abort", listener: () => void): void;
}
export function autocompletion(how: { override: ((context: CompletionContext) => Promise<any>)[]; icons: boolean; closeOnBlur: boolean }): Extension;
export function snippet(template: string): (view: EditorView, completion: any, from: number, to: number) => void;
export function setDiagnostics(state: EditorState, diagnostics: any[]): any;

export interface StringStream {
  string: string; pos: number; start: number;
  sol(): boolean; eatSpace(): boolean; match(pattern: RegExp): any; next(): string | void; current(): string;
}
export const StreamLanguage: { define(parser: any): Extension };
export const indentUnit: Facet<string>;
export const foldService: Facet<(state: EditorState, start: number, end: number) => Span | null>;
export const classHighlighter: any;
export function syntaxHighlighting(highlighter: any): Extension;
export function foldGutter(how: { openText: string; closedText: string }): Extension;
export function search(how: { top: boolean }): Extension;
export function tooltips(how: { parent: Element }): Extension;
export function bracketMatching(): Extension;
export function closeBrackets(): Extension;
export function codeFolding(): Extension;
export function crosshairCursor(): Extension;
export function drawSelection(): Extension;
export function dropCursor(): Extension;
export function highlightActiveLine(): Extension;
export function highlightActiveLineGutter(): Extension;
export function history(): Extension;
export function indentOnInput(): Extension;
export function lineNumbers(): Extension;
export function lintGutter(): Extension;
export function rectangularSelection(): Extension;
export function yaml(): Extension;
