/**
 * What the language server says in Markdown, as elements: what it uses of it, and never any HTML.
 *
 * @typedef {import("./positions.js").Location} Location
 */
import { make } from "board/dom";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((file:[^\s)#]+)#L(\d+)\)/g;

/** @param {Element} into @param {string} text @param {(location: Location) => void} go */
const inline = (into, text, go) => {
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    into.append(text.slice(at, found.index));
    if (found[1]) make("code", into, found[1]);
    else if (found[2]) make("strong", into, found[2]);
    else if (found[3]) make("em", into, found[3]);
    else {
      const start = { line: Number(found[6]) - 1, character: 0 };
      make("button", into, found[4], "link").onclick = () => go({ uri: found[5], range: { start, end: start } });
    }
    at = found.index + found[0].length;
  }
  into.append(text.slice(at));
};

/** @param {Element} into @param {string} block one without empty lines around it @param {(location: Location) => void} go */
const put = (into, block, go) => {
  const lines = block.split("\n");
  if (block === "---") make("hr", into);
  else if (lines.every((line) => /^ *[*-] /.test(line))) {
    const lists = [make("ul", into)];
    for (const line of lines) { // each two spaces are a list within the last item
      const depth = Math.min(line.search(/\S/) >> 1, lists.length);
      if (depth === lists.length) lists.push(make("ul", lists[depth - 1].lastElementChild || lists[depth - 1]));
      lists.length = depth + 1;
      inline(make("li", lists[depth]), line.trimStart().slice(2), go);
    }
  } else inline(make("p", into), block, go);
};

/** @param {string | {kind: string, value: string}} text @param {string} [kind] of its element @param {(location: Location) => void} [go] where a link leads @returns {HTMLElement} */
export const marked = (text, kind = "marked", go = () => {}) => {
  const made = make("div", null, undefined, kind), plain = typeof text === "string" || text.kind === "plaintext";
  const value = typeof text === "string" ? text : text.value;
  if (plain) { make("p", made, value); return made; }
  for (const part of value.split(/^(```[\s\S]*?^```)$/m)) {
    const code = part.match(/^```.*\n([\s\S]*?)\n?```$/);
    if (code) make("pre", made, code[1]);
    else for (const block of part.split(/\n\s*\n/)) if (block.trim()) put(made, block.trim(), go);
  }
  return made;
};
