/**
 * Places in the terms of the protocol, and in those of the editor.
 *
 * @typedef {import("./vendor/codemirror.js").Text} Text
 * @typedef {{line: number, character: number}} Position @typedef {{start: Position, end: Position}} Range
 * @typedef {{range: Range, newText: string, annotationId?: string}} TextEdit @typedef {{uri: string, range: Range}} Location
 */

/** @param {Text} doc @param {Position} position @returns {number} its offset; of one beyond a line or the text, their end */
export const offsetOf = (doc, { line, character }) => {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
};

/** @param {Text} doc @param {number} offset @returns {Position} */
export const positionOf = (doc, offset) => {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
};

/** @param {Text} doc @param {Range} range @returns {{from: number, to: number}} */
export const spanOf = (doc, { start, end }) => ({ from: offsetOf(doc, start), to: offsetOf(doc, end) });

/** @param {Text} doc @param {readonly TextEdit[]} edits that do not overlap @returns {{from: number, to: number, insert: string}[]} */
export const changesOf = (doc, edits) => edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText }));
