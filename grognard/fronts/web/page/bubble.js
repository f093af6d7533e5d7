/**
 * What is said, or asked back, at a place of the board: one bubble at a time.
 *
 * @typedef {{text: string, level: number}} Line
 * @typedef {{words: string, note?: string, main?: boolean, act: () => void}} Choice
 */
import { make } from "board/dom";

export class Bubble {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.box = make("div", parent, undefined, "bubble");
    this.box.hidden = true;
    this.box.setAttribute("role", "dialog");
    this.box.setAttribute("data-own-keys", "");
    /** @type {Element | null} */
    this.from = null;
    /** Says the same again, with what is known by then, where more is to come. @type {(() => void) | null} */
    this.again = null;
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { this.close(); event.stopPropagation(); }
    });
  }

  get open() { return !this.box.hidden; }

  close() {
    if (this.box.hidden) return;
    const within = this.box.contains(document.activeElement);
    this.box.hidden = true;
    this.again = null;
    this.box.textContent = "";
    if (within && this.from instanceof HTMLElement && this.from.isConnected) this.from.focus();
  }

  /**
   * @param {{x: number, y: number} | null} at a place on the screen; none: in the middle
   * @param {string} title @param {Line[]} lines @param {Choice[]} choices @param {string} closing what closes it
   */
  say(at, title, lines, choices, closing) {
    const { box } = this;
    if (!box.contains(document.activeElement)) this.from = document.activeElement;
    this.again = null;
    box.textContent = "";
    box.setAttribute("aria-label", title);
    make("h3", box, title);
    const told = make("div", box, undefined, "lines");
    told.tabIndex = 0;
    for (const { text, level } of lines) make("p", told, text).style.paddingInlineStart = level + "em";
    told.hidden = !lines.length;
    const buttons = make("div", box, undefined, "choices");
    for (const { words, note, main, act } of choices) {
      const button = /** @type {HTMLButtonElement} */ (make("button", buttons, words, main ? "main" : ""));
      button.type = "button";
      if (note) make("span", button, note, "odds");
      button.addEventListener("click", () => { this.close(); act(); });
    }
    const close = /** @type {HTMLButtonElement} */ (make("button", buttons, closing, "closing"));
    close.type = "button";
    close.addEventListener("click", () => this.close());
    box.hidden = false;
    box.style.left = box.style.top = "0px";
    const { width, height } = box.getBoundingClientRect(), gap = 14;
    const x = at ? at.x + gap : (innerWidth - width) / 2, y = at ? at.y + gap : (innerHeight - height) / 3;
    box.style.left = Math.max(6, x + width > innerWidth - 6 ? (at ? at.x - gap - width : x) : x) + "px";
    box.style.top = Math.max(6, Math.min(y, innerHeight - height - 6)) + "px";
    /** @type {HTMLElement} */ (buttons.querySelector("button.main") || buttons.querySelector("button")).focus({ preventScroll: true });
  }
}
