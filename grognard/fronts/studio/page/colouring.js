/**
 * Colours of a text: at once by its words, and then by what the language server says that its names are.
 *
 * @typedef {import("./vendor/codemirror.js").StringStream} StringStream @typedef {import("./vendor/codemirror.js").Text} Text
 * @typedef {{declare: string[], control: string[], other: string[]}} Keywords
 * @typedef {{depth: number, row: boolean}} Reading how many brackets are open; whether it is in a row of a table
 */
import { Decoration, RangeSetBuilder, StreamLanguage } from "./vendor/codemirror.js";
import { offsetOf } from "./positions.js";

const CONSTANTS = ["true", "false", "none"];
/** What stands behind a name, and behind no word of the language that has something to follow. */
const NAMED = /^\s*(?:[,)\]:;]|\.(?!\.)|(?:in|is)\b)/;

/** The language of rules by its words: what names are, the server says. @param {Keywords} keywords */
export const grog = (keywords) => {
  /** @type {Map<string, string>} */
  const kinds = new Map();
  for (const [kind, words] of [["keyword", keywords.other], ["controlKeyword", keywords.control], ["definitionKeyword", keywords.declare], ["atom", CONSTANTS]])
    for (const word of words) kinds.set(word, /** @type {string} */ (kind));

  /** @param {StringStream} stream @param {Reading} reading @returns {string | null} */
  const word = (stream, reading) => {
    const kind = kinds.get(stream.current()), rest = stream.string.slice(stream.pos);
    if (kind === undefined || reading.row || stream.string.slice(0, stream.start).endsWith(".")) return null;
    return kind !== "atom" && NAMED.test(rest) ? null : kind;
  };

  return StreamLanguage.define({
    name: "grog",
    startState: () => ({ depth: 0, row: false }),
    /** @param {StringStream} stream @param {Reading} reading */
    token: (stream, reading) => {
      if (stream.sol()) reading.row = /^\s*\|/.test(stream.string);
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"[^"]*"?/)) return "string";
      if (stream.match(/^@section\b/)) return "heading";
      if (stream.match(/^@\w+/)) return "meta";
      if (stream.match(/^§[ \t]*[\w.-]*\w/)) return "labelName";
      if (stream.match(/^\d+\b/)) return "number";
      if (stream.match(/^[A-Za-z_]\w*/)) return word(stream, reading);
      const mark = /** @type {string} */ (stream.next());
      if ("{[(".includes(mark)) reading.depth += 1;
      else if ("}])".includes(mark)) reading.depth = Math.max(0, reading.depth - 1);
      else return "operator";
      return "bracket";
    },
    /** @param {Reading} reading @param {string} after @param {{unit: number}} context */
    indent: ({ depth }, after, { unit }) => Math.max(0, depth - Number(/^[}\])]/.test(after))) * unit,
    languageData: { commentTokens: { line: "#" }, indentOnInput: /^\s*[}\])]$/, closeBrackets: { brackets: ["(", "[", "{", '"'] }, wordChars: "_" },
  });
};

/**
 * The names of a text by what they are.
 * @param {Text} doc @param {number[]} data semantic tokens as the protocol packs them @param {{tokenTypes: string[], tokenModifiers: string[]}} legend
 */
export const coloured = (doc, data, legend) => {
  const made = new RangeSetBuilder();
  let line = 0, character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines, step, length, type, modifiers] = data.slice(at, at + 5);
    character = lines ? step : character + step;
    line += lines;
    const from = offsetOf(doc, { line, character }), also = legend.tokenModifiers.filter((_, bit) => modifiers & (1 << bit));
    made.add(from, Math.min(from + length, doc.length), Decoration.mark({ class: [legend.tokenTypes[type], ...also].map((one) => "is-" + one).join(" ") }));
  }
  return made.finish();
};
