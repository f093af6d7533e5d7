/**
 * The board: draws moments, shows what moved, comes closer and goes farther, tells what is pointed at.
 *
 * @typedef {import("./moments.js").Moment} Moment
 * @typedef {import("./moments.js").Moments} Moments
 * @typedef {{pieces: string[], hex: string | null, to: string | null, toPieces: string[], x: number, y: number, touch: boolean}} Pick
 *   what was pointed at: pieces by their names, the uppermost first; the hex; where it was dragged
 * @typedef {{hex: string, color: string, sign: string, kind: string}} Light
 */
import { draw } from "board/dom";
import { onBoard } from "board/moments";

const AROUND = 12;
/** How far, in points of the screen, a pointer may move and still point. */
const STILL = 7;

export class Board {
  /**
   * @param {SVGSVGElement} svg @param {Moments} moments
   * @param {{picked?: (pick: Pick) => void, hovered?: (pick: Pick | null) => void, swiped?: (way: number) => void,
   *   held?: (name: string) => boolean, moved?: () => void}} does
   *   what is done when something is pointed at; `held` says whether a piece may be dragged
   */
  constructor(svg, moments, does = {}) {
    this.svg = svg;
    this.moments = moments;
    this.does = does;
    const { width, height } = moments.data.drawing;
    this.whole = { x: -AROUND, y: -AROUND, w: width + 2 * AROUND, h: height + 2 * AROUND };
    this.box = { ...this.whole };
    /** Where fingers or a button of the mouse are down. @type {Map<number, {x: number, y: number}>} */
    this.down = new Map();
    this.drawn = { looks: 0, defs: 0 };
    this.defs = draw("defs", svg, {});
    draw("rect", svg, { x: -AROUND, y: -AROUND, width: this.whole.w, height: this.whole.h, rx: 8, fill: moments.data.drawing.sea });
    const group = (/** @type {Record<string, string>} */ more = {}) => draw("g", svg, more);
    this.layers = { below: group(), edges: group() };
    this.grounds = group({ "pointer-events": "none" });
    this.traces = group();
    this.counters = group();
    /** @type {Record<string, SVGElement>} */
    this.layers = { ...this.layers, above: group({ "pointer-events": "none" }) };
    this.marks = group({ "pointer-events": "none" });
    this.lights = group({ "pointer-events": "none" });
    this.named = group({ "pointer-events": "none" });
    svg.style.aspectRatio = this.whole.w + " / " + this.whole.h;
    this.pieces = moments.data.drawing.names.map((name) => {
      const piece = draw("g", this.counters, { class: "piece", "data-piece": name });
      draw("title", piece, {}).textContent = name;
      const use = draw("use", piece, {});
      piece.style.display = "none";
      return { piece, use };
    });
    this.slots = new Map(moments.data.drawing.names.map((name, slot) => [name, slot]));
    /** @type {Moment | undefined} */
    this.shown = undefined;
    this.#define();
    this.#point();
    this.look();
  }

  /** Take over looks that have come. */
  #define() {
    const { looks, defs } = this.moments.data.drawing;
    if (looks.length === this.drawn.looks && defs.length === this.drawn.defs) return;
    this.defs.innerHTML = defs.join("") + looks.map((look, i) => look.replace("<g", '<g id="look' + i + '"')).join("");
    this.drawn = { looks: looks.length, defs: defs.length };
  }

  // ------------------------------------------------------------------ what is shown

  /**
   * Show a moment, with what has moved since the one before it.
   * @param {Moment} now @param {Moment | undefined} before @param {boolean} still whether nothing glides
   */
  show(now, before, still) {
    this.#define();
    this.svg.classList.toggle("still", still);
    const { drawing } = this.moments.data, shown = this.shown;
    for (const [name, key] of /** @type {["below" | "edges" | "above", "b" | "e" | "v"][]} */ ([["below", "b"], ["edges", "e"], ["above", "v"]])) {
      const versions = /** @type {number[][]} */ (this.moments.layers.get(name));
      if (!shown || now[key] !== shown[key])
        this.layers[name].innerHTML = versions[now[key]].map((i) => drawing[name].lines[i]).join("");
    }
    this.pieces.forEach(({ piece, use }, slot) => {
      const spot = now.pieces[slot];
      if (shown && spot === shown.pieces[slot]) return;
      if (!onBoard(spot)) { piece.style.display = "none"; return; }
      piece.style.display = "";
      use.setAttribute("href", "#look" + spot[0]);
      piece.style.transform = "translate(" + spot[1] + "px," + spot[2] + "px) scale(" + spot[3] / 100 + ")";
    });
    this.shown = now;
    this.#trace(now, before);
    this.#follow(now, before);
  }

  /** @param {[number, number, number, number]} spot @param {SVGElement} parent @param {string} kind */
  #ring([number, x, y, size], parent, kind) {
    return draw("circle", parent, { class: kind, cx: x, cy: y, r: 1.42 * this.moments.data.drawing.sizes[number] * size / 100 });
  }

  /** @param {Moment} now @param {Moment | undefined} before */
  #trace(now, before) {
    this.traces.textContent = this.marks.textContent = "";
    if (!before) return;
    this.pieces.forEach((_, slot) => {
      const was = before.pieces[slot], is = now.pieces[slot];
      if (was === is) return;
      if (onBoard(was) && onBoard(is)) {
        const far = Math.hypot(is[1] - was[1], is[2] - was[2]);
        if (far > 30) draw("path", this.traces, { class: "trace", d: "M" + was[1] + "," + was[2] + "L" + is[1] + "," + is[2] });
        if (far > 30 || is[0] !== was[0]) this.#ring(is, this.marks, "ring");
      } else if (onBoard(is)) this.#ring(is, this.marks, "ring");
      else if (onBoard(was)) {
        const d = "M" + (was[1] - 13) + "," + (was[2] - 13) + "l26,26m0,-26l-26,26";
        draw("path", this.marks, { class: "gone", d });
        draw("path", this.marks, { class: "gone over", d });
      }
    });
  }

  /**
   * Let hexes and pieces stand out.
   * @param {Light[]} hexes @param {{name: string, kind: string}[]} pieces
   */
  light(hexes, pieces) {
    this.grounds.textContent = this.lights.textContent = "";
    const { hexes: middles, corners } = this.moments.data.drawing;
    const outline = (/** @type {number} */ size) => corners.map(([x, y]) => (x * size).toFixed(1) + "," + (y * size).toFixed(1)).join(" ");
    for (const { hex, color, sign, kind } of hexes) {
      const middle = middles[hex];
      if (!middle) continue;
      const at = { transform: "translate(" + middle[0] + "," + middle[1] + ")" };
      const shade = (/** @type {SVGElement} */ one) => one.style.setProperty("--light", color);
      shade(draw("polygon", this.grounds, { ...at, class: "light " + kind, points: outline(0.97) }));
      shade(draw("polygon", this.lights, { ...at, class: "edge " + kind, points: outline(0.93) }));
      if (sign && sign !== "*") {
        const [x, y] = [middle[0], middle[1] + Math.max(...corners.map((c) => c[1])) * 0.62];
        shade(draw("circle", this.lights, { class: "sign", cx: x, cy: y, r: 9 }));
        draw("text", this.lights, { class: "sign", x, y: y + 4.5 }).textContent = sign;
      }
    }
    for (const { name, kind } of pieces) {
      const spot = this.shown && this.shown.pieces[this.slots.get(name) ?? -1];
      if (onBoard(spot)) this.#ring(spot, this.lights, "held " + kind);
    }
  }

  /** Ring the pieces and hexes on the board that a text names; an empty one names none. @param {string} text */
  name(text) {
    this.named.textContent = "";
    const { hexes, corners } = this.moments.data.drawing;
    const names = (/** @type {string} */ one) => {
      const at = text.indexOf(one), whole = (/** @type {string} */ c) => !/[\p{L}\p{N}]/u.test(c);
      return at >= 0 && whole(text.charAt(at - 1)) && whole(text.charAt(at + one.length));
    };
    this.pieces.forEach((_, slot) => {
      const spot = this.shown && this.shown.pieces[slot];
      if (onBoard(spot) && names(this.moments.data.drawing.names[slot])) this.#ring(spot, this.named, "named");
    });
    for (const hex in hexes) {
      if (!names(hex)) continue;
      const [x, y] = hexes[hex];
      draw("polygon", this.named, { class: "named", points: corners.map((c) => (x + c[0] * 0.93) + "," + (y + c[1] * 0.93)).join(" ") });
    }
  }

  /** @param {string} hex @returns {{x: number, y: number} | null} the middle of a hex on the screen */
  at(hex) {
    const middle = this.moments.data.drawing.hexes[hex];
    if (!middle) return null;
    const frame = this.svg.getBoundingClientRect(), size = Math.max(this.box.w / frame.width, this.box.h / frame.height);
    return {
      x: frame.left + frame.width / 2 + (middle[0] - this.box.x - this.box.w / 2) / size,
      y: frame.top + frame.height / 2 + (middle[1] - this.box.y - this.box.h / 2) / size,
    };
  }

  /** @param {string} name @returns {string | null} the hex nearest to a piece */
  hexOf(name) {
    const spot = this.shown && this.shown.pieces[this.slots.get(name) ?? -1];
    return onBoard(spot) ? this.nearest(spot[1], spot[2]) : null;
  }

  // ------------------------------------------------------------------ closer and farther

  look() {
    const { box, whole, svg } = this;
    box.w = Math.min(box.w, whole.w);
    box.h = Math.min(box.h, whole.h);
    box.x = Math.max(whole.x, Math.min(box.x, whole.x + whole.w - box.w));
    box.y = Math.max(whole.y, Math.min(box.y, whole.y + whole.h - box.h));
    svg.setAttribute("viewBox", [box.x, box.y, box.w, box.h].map((n) => n.toFixed(1)).join(" "));
    svg.classList.toggle("near", !this.isWhole);
    if (this.does.moved) this.does.moved();
  }

  get isWhole() { return this.box.w >= this.whole.w - 1; }

  showWhole() { this.box = { ...this.whole }; this.look(); }

  /** @param {number} factor @param {number} [x] @param {number} [y] */
  scale(factor, x = this.box.x + this.box.w / 2, y = this.box.y + this.box.h / 2) {
    const { box, whole } = this;
    const w = Math.max(whole.w / 12, Math.min(whole.w, box.w * factor)), ratio = w / box.w;
    this.box = { x: x - (x - box.x) * ratio, y: y - (y - box.y) * ratio, w, h: box.h * ratio };
    this.look();
  }

  /** Come as close as hexes can be read, where most pieces stand. */
  focus() {
    const across = this.svg.getBoundingClientRect().width / this.whole.w * this.moments.data.drawing.hex;
    if (across >= 24 || !across) return;
    this.scale(across / 34);
    this.#center((this.shown || this.moments.list[0]).pieces.filter(onBoard));
  }

  /** @param {[number, number, number, number][]} spots */
  #center(spots) {
    if (!spots.length) return;
    this.box.x = spots.reduce((sum, spot) => sum + spot[1], 0) / spots.length - this.box.w / 2;
    this.box.y = spots.reduce((sum, spot) => sum + spot[2], 0) / spots.length - this.box.h / 2;
    this.look();
  }

  /** @param {Moment} now @param {Moment | undefined} before */
  #follow(now, before) {
    if (!before || this.isWhole) return;
    /** @type {[number, number, number, number][]} */
    const spots = [];
    this.pieces.forEach((_, slot) => {
      if (now.pieces[slot] !== before.pieces[slot])
        for (const spot of [before.pieces[slot], now.pieces[slot]]) if (onBoard(spot)) spots.push(spot);
    });
    this.#reach(spots);
  }

  /** @param {[number, number, number, number][]} spots */
  #reach(spots) {
    const { box } = this;
    if (spots.some(([, x, y]) => x < box.x + 30 || x > box.x + box.w - 30 || y < box.y + 30 || y > box.y + box.h - 30))
      this.#center(spots);
  }

  /** See to it that hexes are in sight. @param {string[]} hexes */
  reach(hexes) {
    if (this.isWhole) return;
    const { hexes: middles } = this.moments.data.drawing;
    this.#reach(hexes.filter((hex) => middles[hex]).map((hex) => [0, middles[hex][0], middles[hex][1], 0]));
  }

  // ------------------------------------------------------------------ pointing

  /** @param {{clientX: number, clientY: number}} event @returns {{x: number, y: number, size: number}} */
  place(event) {
    const { box } = this, frame = this.svg.getBoundingClientRect(), size = Math.max(box.w / frame.width, box.h / frame.height);
    return {
      x: box.x + box.w / 2 + (event.clientX - frame.left - frame.width / 2) * size,
      y: box.y + box.h / 2 + (event.clientY - frame.top - frame.height / 2) * size, size,
    };
  }

  /** @param {number} x @param {number} y @returns {string | null} */
  nearest(x, y) {
    const { hexes, corners } = this.moments.data.drawing, reach = Math.hypot(...corners[0]);
    let best = null, least = reach;
    for (const label in hexes) {
      const far = Math.hypot(hexes[label][0] - x, hexes[label][1] - y);
      if (far < least) { least = far; best = label; }
    }
    return best;
  }

  /** @param {{clientX: number, clientY: number}} event @returns {string[]} the pieces there, the uppermost first */
  #piecesAt(event) {
    const found = document.elementsFromPoint(event.clientX, event.clientY)
      .map((one) => one.closest(".piece")).filter((one) => one && this.svg.contains(one));
    return [...new Set(found.map((one) => /** @type {any} */ (one).dataset.piece))];
  }

  /** @param {PointerEvent} event @returns {Pick} */
  #pick(event) {
    const { x, y } = this.place(event);
    return { pieces: this.#piecesAt(event), hex: this.nearest(x, y), to: null, toPieces: [], x: event.clientX, y: event.clientY, touch: event.pointerType !== "mouse" };
  }

  #point() {
    const { svg, does } = this;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { x, y } = this.place(event);
      this.scale(event.deltaY > 0 ? 1.2 : 1 / 1.2, x, y);
    }, { passive: false });
    svg.addEventListener("keydown", (event) => { // where the board has the keyboard and is not whole, arrows move it
      const way = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[event.key];
      if (!way || this.isWhole || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.box.x += way[0] * this.box.w / 6;
      this.box.y += way[1] * this.box.h / 6;
      this.look();
    });
    const { down } = this;
    /** @type {{pick: Pick, box: {x: number, y: number, w: number, h: number}, x: number, y: number, far: boolean, piece: SVGElement | null, apart: number} | null} */
    let held = null;
    const apart = () => { const [a, b] = [...down.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    const lift = () => { if (held && held.piece) { held.piece.style.translate = ""; held.piece.classList.remove("lifted"); } };
    svg.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const pick = this.#pick(event);
      const name = does.held && pick.pieces.find(does.held);
      const slot = name === undefined ? undefined : this.slots.get(/** @type {string} */ (name));
      if (held) lift();
      held = { pick, box: { ...this.box }, x: event.clientX, y: event.clientY, far: down.size > 1, piece: slot === undefined || down.size > 1 ? null : this.pieces[slot].piece, apart: down.size === 2 ? apart() : 0 };
      if (name && slot !== undefined) pick.pieces = [/** @type {string} */ (name), ...pick.pieces.filter((one) => one !== name)];
    });
    svg.addEventListener("pointermove", (event) => {
      if (down.has(event.pointerId)) down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (!held) { if (does.hovered && event.pointerType === "mouse") does.hovered(this.#pick(event)); return; }
      if (down.size === 2) {
        this.box = { ...held.box };
        const { x, y } = this.place({ clientX: held.x, clientY: held.y });
        this.scale(held.apart / apart(), x, y);
        return;
      }
      const dx = event.clientX - held.x, dy = event.clientY - held.y;
      if (!held.far && Math.hypot(dx, dy) < STILL) return;
      if (!held.far) svg.setPointerCapture(event.pointerId);
      held.far = true;
      const { size } = this.place(event);
      if (held.piece) {
        held.piece.classList.add("lifted");
        held.piece.style.translate = dx * size + "px " + dy * size + "px";
      } else if (!this.isWhole) {
        this.box.x = held.box.x - dx * size;
        this.box.y = held.box.y - dy * size;
        this.look();
      }
    });
    const released = (/** @type {PointerEvent} */ event) => {
      down.delete(event.pointerId);
      if (!held) return;
      const { pick, far, piece, x } = held;
      lift();
      held = down.size ? { ...held, far: true, piece: null, box: { ...this.box } } : null;
      if (event.type !== "pointerup" || down.size) return;
      if (!far) { if (does.picked) does.picked(pick); return; }
      if (piece) {
        const there = this.#pick(event);
        pick.to = there.hex;
        pick.toPieces = there.pieces.filter((name) => name !== pick.pieces[0]);
        if (does.picked) does.picked({ ...pick, x: there.x, y: there.y });
      } else if (this.isWhole && does.swiped && Math.abs(event.clientX - x) > 40) does.swiped(event.clientX < x ? 1 : -1);
    };
    svg.addEventListener("pointerup", released);
    svg.addEventListener("pointercancel", released);
    svg.addEventListener("mousedown", (event) => event.preventDefault()); // a click is no wish for the keyboard
    svg.addEventListener("pointerleave", (event) => {
      released(event); // it was not captured: it comes up elsewhere
      if (does.hovered && !held) does.hovered(null);
    });
  }
}
