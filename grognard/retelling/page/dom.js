/** Elements of a page, made in one line each. */

const NS = "http://www.w3.org/2000/svg";

/** @param {string} id @returns {HTMLElement} the element with an id, which is there */
export const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {string} name @param {Element | null} [parent] @param {string} [text] @param {string} [kind]
 * @returns {HTMLElement} a new element, the last of its parent
 */
export const make = (name, parent, text, kind) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  if (parent) parent.append(made);
  return made;
};

/**
 * @param {string} name @param {Element | null} parent @param {Record<string, string | number>} attributes
 * @returns {SVGElement} a new element of a drawing
 */
export const draw = (name, parent, attributes) => {
  const made = /** @type {SVGElement} */ (document.createElementNS(NS, name));
  for (const key in attributes) made.setAttribute(key, String(attributes[key]));
  if (parent) parent.append(made);
  return made;
};

/** @param {string} text a message with places {0}, {1} … @param {...(string | number)} given */
export const filled = (text, ...given) =>
  given.reduce((/** @type {string} */ made, value, i) => made.split("{" + i + "}").join(String(value)), text);
