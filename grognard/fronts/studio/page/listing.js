/** A list below a text, of places or of things to do; it stays while other texts are shown. */
import { make } from "board/dom";

/** @typedef {{place?: string, text: string, act: () => void}} Item */

export class Listing {
  /** @param {HTMLElement} parent @param {string} close what the button that closes it says @param {() => void} left is called when it is closed */
  constructor(parent, close, left) {
    this.root = make("section", parent, undefined, "listing");
    this.root.hidden = true;
    this.closing = close;
    this.left = left;
    this.root.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {string} title @param {Item[]} items @param {[string, () => void][]} [choices] what else can be done; any ends it
   */
  show(title, items, choices = []) {
    this.root.replaceChildren();
    this.root.setAttribute("aria-label", title);
    const head = make("div", this.root, undefined, "head"), list = make("ul", this.root);
    make("strong", head, title);
    for (const [text, act] of choices) make("button", head, text).onclick = () => { this.close(); act(); };
    make("button", head, this.closing).onclick = () => this.close();
    for (const { place, text, act } of items) {
      const button = make("button", make("li", list));
      if (place) make("span", button, place + " ", "place");
      make("span", button, text);
      button.onclick = act;
    }
    this.root.hidden = false;
    const first = items.length ? list : head;
    first.querySelector("button")?.focus();
  }

  close() {
    this.root.hidden = true;
    this.left();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (step) {
      const all = [...this.root.querySelectorAll("button")], at = all.indexOf(/** @type {any} */ (document.activeElement));
      all[(at + step + all.length) % all.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
