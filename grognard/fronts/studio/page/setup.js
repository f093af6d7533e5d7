/**
 * Set-up mode: a scenario is painted and placed by hand.  Each stroke changes the text in the editor, and what is
 * shown is read from the text again.
 *
 * @typedef {import("./language.js").Language} Language @typedef {import("./editor.js").Editor} Editor
 * @typedef {{word: string, words: string, swatch?: string}} Option
 * @typedef {{field: string, words: string, type: string, set: boolean, options: Option[], kinds: string[], none: boolean, required: boolean, usual: any, swatch?: string, hexsides?: boolean, map?: boolean}} Field
 * @typedef {{side: number, words: string, used: boolean, fields: [string, any][], look?: number}} Template
 * @typedef {{kind: string, words: string, place: string | null, side: string | null, sort: string | null, facing: string | null, fields: Field[], templates: Template[], looks: string[], defs: string[], grouped: boolean}} Kind
 * @typedef {{name: string, words: string, kind: string, hex: string | null, fields: Record<string, any>, named: boolean, grouped: boolean, pool: number, line: number}} Piece
 * @typedef {{text: string, remedy: string, severity: string, line: number, pieces: string[], hexes: string[]}} Finding
 * @typedef {{do: string, field?: Field, value?: string | null, kind?: Kind, template?: Template}} Tool
 */
import { render } from "preact";
import { $, draw, filled, make } from "board/dom";
import { Board } from "board/board";
import { Moments, onBoard } from "board/moments";
import { html } from "table/html";

const SELECT = /** @type {Tool} */ ({ do: "select" });
const FRAME = "-28 -28 56 56";

/** A bit of a drawing that stands by itself. @param {{inner: string, box?: string}} props */
const Bit = ({ inner, box = FRAME }) => html`<svg viewBox=${box} aria-hidden="true" dangerouslySetInnerHTML=${{ __html: inner }}></svg>`;

export class SetUp {
  /** @param {HTMLElement} parent @param {Language} language @param {Editor} editor */
  constructor(parent, language, editor) {
    this.words = JSON.parse(/** @type {string} */ ($("words").textContent));
    this.language = language;
    this.editor = /** @type {any} */ (editor);
    if (!document.querySelector('link[href$="setup.css"]')) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: new URL("setup.css", import.meta.url).href });
      document.head.append(link);
    }
    this.root = make("div", parent, undefined, "set-up");
    this.bar = make("div", this.root, undefined, "bar");
    this.plan = make("div", this.root, undefined, "plan");
    this.plan.tabIndex = 0;
    this.plan.setAttribute("role", "application");
    this.plan.setAttribute("aria-label", this.words.map_of_setup);
    this.tray = make("div", this.root, undefined, "tray");
    this.below = make("div", this.root, undefined, "under");
    this.told = make("p", this.root, undefined, "hidden");
    this.told.setAttribute("role", "status");
    /** @type {any} what is shown */
    this.data = null;
    /** @type {Board | null} */
    this.board = null;
    this.uri = "";
    this.tab = "ground";
    this.tool = SELECT;
    this.both = true;
    this.search = "";
    this.fault = "";
    this.selected = "";
    this.cursor = "";
    this.reading = "";
    this.group = 0;
    /** The hexes of a drag, in the order in which they were come to. @type {string[]} */
    this.trail = [];
    this.down = false;
    /** @type {Promise<any>} */
    this.queue = Promise.resolve();
    this.waiting = 0;
    this.#listen();
    editor.changed(() => { if (this.uri) this.#soon(); });
  }

  /** @param {string} uri the scenario */
  show(uri) {
    if (uri !== this.uri) { this.board = null; this.data = null; this.selected = this.cursor = ""; this.tool = SELECT; }
    this.uri = uri;
    this.refresh();
  }

  hide() { this.uri = ""; }

  // ------------------------------------------------------------------ what is shown

  #soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.refresh(), 40);
  }

  async refresh() {
    const uri = this.uri;
    if (!uri) return;
    let data;
    try { data = await this.language.request("studio/setup", { uri }); } catch (error) {
      this.reading = /** @type {Error} */ (error).message;
      this.paint();
      return;
    }
    if (uri !== this.uri) return;
    if (this.down || (this.board && this.board.down.size)) { this.#soon(); return; } // a drag goes on on the board where it began
    this.reading = data.unreadable || "";
    if (this.reading && this.data) this.data.findings = data.findings;
    else this.data = data;
    if (!this.reading) {
      if (!this.#piece(this.selected)) this.selected = "";
      this.#draw();
    }
    this.paint();
  }

  #draw() {
    const { drawing } = this.data, svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("id", "board");
    svg.classList.add("still");
    const before = this.board && this.board.box;
    const moments = new Moments(/** @type {any} */ ({ drawing, steps: [drawing.moment], log: [], turns: [] }));
    const board = new Board(svg, moments, { picked: (pick) => this.#picked(pick), held: () => true });
    if (before && Math.abs(before.w / before.h - board.whole.w / board.whole.h) < 0.01) { board.box = before; board.look(); }
    board.show(moments.list[0], undefined, true);
    this.over = draw("g", svg, {});
    this.plan.replaceChildren(svg);
    this.board = board;
    this.#light();
  }

  #light() {
    const board = this.board;
    if (!board || !this.over) return;
    const lights = this.cursor ? [{ hex: this.cursor, color: "#1d4ed8", sign: "", kind: "cursor" }] : [];
    for (const hex of this.trail) lights.push({ hex, color: "#c2410c", sign: "", kind: "trail" });
    board.light(lights, this.selected ? [{ name: this.selected, kind: "chosen" }] : []);
    this.over.textContent = "";
    const { hexes, sizes } = this.data.drawing, marked = new Map();
    for (const one of this.data.findings) {
      const at = [...one.hexes, ...one.pieces.map((/** @type {string} */ name) => this.#piece(name)?.hex)].filter(Boolean);
      for (const hex of new Set(at)) marked.set(hex, [...(marked.get(hex) || []), one]);
    }
    for (const [hex, some] of marked) {
      const [x, y] = hexes[hex], bad = some.some((/** @type {Finding} */ one) => one.severity === "error");
      const mark = draw("g", this.over, { class: "fault-mark" + (bad ? " bad" : ""), transform: "translate(" + (x + 20) + "," + (y - 22) + ")" });
      draw("title", mark, {}).textContent = some.map((/** @type {Finding} */ one) => one.text).join("\n");
      draw("circle", mark, { r: 9 });
      draw("text", mark, { y: 4.5 }).textContent = "!";
    }
    const piece = this.#piece(this.selected), kind = piece && this.#kind(piece.kind);
    const spot = piece && board.shown && board.shown.pieces[board.slots.get(piece.name) ?? -1];
    if (kind && kind.facing && onBoard(spot)) {
      const handle = draw("g", this.over, { class: "turner", transform: "translate(" + spot[1] + "," + (spot[2] + sizes[spot[0]] * spot[3] / 100 + 10) + ")" });
      draw("title", handle, {}).textContent = this.words.turn_right + " (R)";
      draw("circle", handle, { r: 10 });
      draw("text", handle, { y: 5 }).textContent = "↻";
      handle.addEventListener("pointerdown", (event) => { event.stopPropagation(); this.#turn(event.shiftKey ? -1 : 1); });
    }
  }

  /** @param {string} name @returns {Piece | undefined} */
  #piece(name) { return this.data && this.data.pieces.find((/** @type {Piece} */ one) => one.name === name); }

  /** @param {string} name @returns {Kind} */
  #kind(name) { return this.data.kinds.find((/** @type {Kind} */ one) => one.kind === name); }

  /** @param {string} text */
  #say(text) { this.told.textContent = text; }

  // ------------------------------------------------------------------ strokes

  /** @param {Record<string, any>} stroke @returns {Promise<boolean>} whether it was done */
  stroke(stroke) {
    const made = this.queue.then(async () => {
      try {
        const { edits } = await this.language.request("studio/stroke", { uri: this.uri, stroke });
        this.fault = "";
        for (const uri in edits) {
          if (this.editor.text(uri) === undefined) this.editor.open(uri, (await this.language.request("studio/text", { uri })).text);
          this.editor.apply(uri, edits[uri], { undoGroup: "stroke " + this.group });
        }
        if (Object.keys(edits).length > 1 || !(this.uri in edits)) this.editor.show(this.uri);
        return true;
      } catch (error) {
        this.fault = /** @type {Error} */ (error).message;
        this.#say(this.fault);
        this.paint();
        return false;
      }
    });
    this.queue = made;
    return made;
  }

  /** @param {Piece} piece @param {string} field @param {any} value */
  #change(piece, field, value) { this.group += 1; return this.stroke({ do: "change", piece: piece.name, field, value }); }

  /** @param {Piece} piece @param {string | null} hex */
  #move(piece, hex) {
    const { place } = this.#kind(piece.kind);
    if (!place || hex === piece.hex) return;
    this.#change(piece, place, hex || "none");
    this.#say(piece.words + ": " + (hex || this.words.off_the_board));
  }

  /** @param {Template} template @param {Kind} kind @param {string} hex */
  #place(template, kind, hex) {
    this.group += 1;
    this.stroke({ do: "place", kind: kind.kind, fields: [...template.fields, ...(kind.place ? [[kind.place, hex]] : [])] });
    this.#say(template.words + ": " + hex);
  }

  /** @param {number} way */
  #turn(way) {
    const piece = this.#piece(this.selected), kind = piece && this.#kind(piece.kind);
    const field = kind && kind.fields.find((one) => one.field === kind.facing);
    if (!piece || !field) return;
    const words = field.options.length ? field.options.map((one) => one.word) : ["0", "1", "2", "3", "4", "5"];
    const now = words.indexOf(String(piece.fields[field.field] ?? field.usual)), next = words[(now + way + words.length) % words.length];
    this.#change(piece, field.field, next);
    this.#say(field.options.find((/** @type {any} */ one) => one.word === next)?.words || next);
  }

  #remove() { if (this.selected) { this.group += 1; this.stroke({ do: "remove", piece: this.selected }); } }

  #duplicate() { if (this.selected) { this.group += 1; this.stroke({ do: "duplicate", piece: this.selected }); } }

  // ------------------------------------------------------------------ pointing

  /** @param {any} event @returns {string | null} the hex under a pointer */
  #at(event) {
    const board = /** @type {Board} */ (this.board), { x, y } = board.place(event);
    return board.nearest(x, y);
  }

  /** @param {any} pick what was clicked at, or dragged, where nothing is painted */
  #picked(pick) {
    const frame = this.plan.getBoundingClientRect();
    const outside = pick.x < frame.left || pick.x > frame.right || pick.y < frame.top || pick.y > frame.bottom;
    const piece = this.#piece(pick.pieces[0]);
    if (piece && (pick.to || outside)) { this.selected = piece.name; this.#move(piece, pick.to); this.paint(); return; }
    this.#pick(piece, pick.hex);
  }

  /** @param {Piece | undefined} piece @param {string | null} hex */
  #pick(piece, hex) {
    this.selected = piece ? piece.name : "";
    if (hex) this.cursor = hex;
    this.tab = "selected";
    this.#light();
    this.paint();
    this.#say([hex, piece && piece.words].filter(Boolean).join(": "));
  }

  /** What the tool does at a hex. @param {string[]} hexes @param {{x: number, y: number}} [point] of the drawing */
  #use(hexes, point) {
    const { tool } = this, field = tool.field;
    this.group += 1;
    if (tool.do === "piece" && tool.kind && tool.template) this.#place(tool.template, tool.kind, hexes[0]);
    else if (tool.do === "paint" && field) this.stroke({ do: "paint", field: field.field, value: tool.value, hexes });
    else if (tool.do === "mark" && field) {
      const on = !(this.data.hexes[field.field][hexes[0]] || []).includes(tool.value);
      this.stroke({ do: "mark", field: field.field, member: tool.value, hexes, on });
    } else if (tool.do === "hexside" && field && point) this.#side(field, hexes[0], point);
    else if (tool.do === "select") this.#pick(this.data.pieces.find((/** @type {Piece} */ one) => one.hex === hexes[0]), hexes[0]);
  }

  /** @param {Field} field @param {string} hex @param {{x: number, y: number}} point */
  #side(field, hex, point) {
    const { hexes } = this.data.drawing, far = (/** @type {string} */ one) => Math.hypot(hexes[one][0] - point.x, hexes[one][1] - point.y);
    const other = [...this.data.neighbors[hex]].sort((a, b) => far(a) - far(b))[0];
    if (!other) return;
    const on = !(this.data.hexes[field.field][hex] || []).includes(other);
    this.stroke({ do: "hexside", field: field.field, hexes: [hex, other], on, both: this.both });
    this.#say(field.words + ": " + hex + "–" + other);
  }

  #listen() {
    const { plan } = this;
    /** @param {PointerEvent} event */
    const begun = (event) => {
      plan.focus({ preventScroll: true });
      if (this.tool === SELECT || !this.board || event.button || this.reading) return;
      event.stopPropagation();
      event.preventDefault();
      const hex = this.#at(event);
      if (!hex) return;
      this.cursor = hex;
      this.down = this.tool.do === "paint" || this.tool.do === "mark";
      if (this.down) { plan.setPointerCapture(event.pointerId); this.trail = [hex]; this.#light(); } else this.#use([hex], this.board.place(event));
    };
    plan.addEventListener("pointerdown", begun, true);
    plan.addEventListener("pointermove", (event) => {
      if (!this.down) return;
      event.stopPropagation();
      const hex = this.#at(event);
      if (hex && !this.trail.includes(hex)) { this.trail.push(hex); this.#light(); }
    }, true);
    const ended = (/** @type {PointerEvent} */ event) => {
      if (!this.down) return;
      event.stopPropagation();
      this.down = false;
      const hexes = this.trail;
      this.trail = [];
      this.#light();
      if (event.type === "pointerup") this.#use(hexes);
    };
    plan.addEventListener("pointerup", ended, true);
    plan.addEventListener("pointercancel", ended, true);
    plan.addEventListener("keydown", (event) => this.#typed(event));
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    if (!this.data || !this.board || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key === "z" || key === "y") { event.preventDefault(); this.#undo(key === "y" || event.shiftKey); }
      return;
    }
    /** @type {Record<string, () => void>} */
    const does = {
      ArrowLeft: () => this.#step(-1, 0), ArrowRight: () => this.#step(1, 0), ArrowUp: () => this.#step(0, -1), ArrowDown: () => this.#step(0, 1),
      Enter: () => { if (this.cursor) { const [x, y] = this.data.drawing.hexes[this.cursor]; this.#use([this.cursor], { x: x + 1, y }); } },
      Escape: () => { this.tool = SELECT; }, Delete: () => this.#delete(), Backspace: () => this.#delete(),
      r: () => this.#turn(event.shiftKey ? -1 : 1), d: () => this.#duplicate(),
    };
    if (!does[key]) return;
    event.preventDefault();
    does[key]();
    this.paint();
  }

  #delete() {
    const { tool } = this;
    if (this.selected) this.#remove();
    else if (tool.do === "paint" && tool.field && this.cursor) this.stroke({ do: "paint", field: tool.field.field, value: null, hexes: [this.cursor] });
  }

  /** @param {number} dx @param {number} dy */
  #step(dx, dy) {
    const { hexes } = this.data.drawing, from = hexes[this.cursor];
    if (!from) this.cursor = Object.keys(hexes)[0];
    else {
      let best = "", least = Infinity;
      for (const hex in hexes) {
        const x = hexes[hex][0] - from[0], y = hexes[hex][1] - from[1], along = x * dx + y * dy, beside = Math.abs(x * dy + y * dx);
        if (along > 5 && along + 1.6 * beside < least) { least = along + 1.6 * beside; best = hex; }
      }
      this.cursor = best || this.cursor;
    }
    const board = /** @type {Board} */ (this.board), there = this.data.pieces.filter((/** @type {Piece} */ one) => one.hex === this.cursor);
    board.reach([this.cursor]);
    this.#light();
    const grounds = this.data.grounds.flatMap((/** @type {Field} */ f) => this.data.hexes[f.field][this.cursor] !== undefined ? [f.words + " " + [this.data.hexes[f.field][this.cursor]].flat().join(", ")] : []);
    this.#say([this.cursor, ...grounds, ...there.map((/** @type {Piece} */ one) => one.words)].join(", "));
  }

  /** @param {boolean} again */
  #undo(again) { if (again) this.editor.redo(this.uri); else this.editor.undo(this.uri); }

  // ------------------------------------------------------------------ what stands around the board

  paint() {
    if (!this.data || this.data.unreadable) {
      render(html`<p class="fault">${this.reading}</p>`, this.bar);
      return;
    }
    this.plan.classList.toggle("painting", this.tool !== SELECT);
    this.plan.classList.toggle("old", Boolean(this.reading));
    render(this.#barOf(), this.bar);
    render(this.#trayOf(), this.tray);
    render(this.#underOf(), this.below);
  }

  /** @param {Tool} tool */
  #take(tool) { this.tool = tool; this.selected = ""; this.#light(); this.paint(); }

  #barOf() {
    const { words, tool } = this;
    const what = tool.template ? tool.template.words : tool.field ? tool.field.words + (tool.value ? ": " + (tool.field.options.find((/** @type {any} */ one) => one.word === tool.value)?.words || tool.value) : "") : "";
    return html`
      <button type="button" aria-pressed=${tool === SELECT} onClick=${() => this.#take(SELECT)}>⬉ ${words.select}</button>
      ${what && html`<span class="tool">🖌 ${what}</span>`}
      <span class="space"></span>
      <button type="button" onClick=${() => this.#undo(false)}>↶ ${words.undo}</button>
      <button type="button" onClick=${() => this.#undo(true)}>↷ ${words.redo}</button>
      ${this.fault && html`<p class="fault" role="alert">${this.fault}</p>`}
      ${this.reading && html`<p class="fault" role="alert">${words.unreadable} ${this.reading}</p>`}`;
  }

  /** Begin to drag something onto the board. @param {PointerEvent} event @param {string} inner @param {(hex: string) => void} dropped */
  #drag(event, inner, dropped) {
    if (event.button) return;
    const from = { x: event.clientX, y: event.clientY };
    /** @type {HTMLElement | null} */
    let ghost = null;
    const moved = (/** @type {PointerEvent} */ now) => {
      if (!ghost && Math.hypot(now.clientX - from.x, now.clientY - from.y) > 6) { ghost = make("div", document.body, undefined, "ghost"); render(html`<${Bit} inner=${inner} />`, ghost); }
      if (ghost) ghost.style.transform = "translate(" + now.clientX + "px," + now.clientY + "px)";
    };
    const ended = (/** @type {PointerEvent} */ now) => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", ended);
      removeEventListener("pointercancel", ended);
      if (!ghost) return;
      ghost.remove();
      const frame = this.plan.getBoundingClientRect(), { clientX: x, clientY: y } = now;
      const inside = x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
      const hex = inside && now.type === "pointerup" ? this.#at(now) : null;
      if (hex) dropped(hex);
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", ended);
    addEventListener("pointercancel", ended);
    event.preventDefault();
  }

  #trayOf() {
    const { drawing, pieces } = this.data, off = new Map();
    for (const [slot, look, group, ...more] of drawing.moment.p) if (!more.length) off.set(group, [...(off.get(group) || []), [drawing.names[slot], look]]);
    if (!off.size) return html`<p class="soft">${this.words.off_the_board}: –</p>`;
    return [...off].map(([group, some]) => html`<section>
      <h3>${this.data.sides[drawing.groups[group][0]]?.words} · ${drawing.groups[group][1] || this.words.off_the_board}</h3>
      <div class="counters">${some.map((/** @type {[string, number]} */ [name, look]) => {
        const piece = pieces.find((/** @type {Piece} */ one) => one.name === name), inner = drawing.looks[look];
        return html`<button type="button" key=${name} title=${piece.words} aria-label=${piece.words} aria-pressed=${name === this.selected}
          onPointerDown=${(/** @type {PointerEvent} */ event) => this.#drag(event, inner, (hex) => { this.selected = name; this.#move(piece, hex); })}
          onClick=${() => this.#pick(piece, null)}><${Bit} inner=${inner} /></button>`;
      })}</div></section>`);
  }

  #underOf() {
    const { words, data } = this, tabs = [["ground", words.ground], ["pieces", words.pieces], ["selected", words.selected], ["whole", words.whole], ["found", words.findings + (data.findings.length ? " (" + data.findings.length + ")" : "")]];
    /** @type {Record<string, () => any>} */
    const panels = { ground: () => this.#grounds(), pieces: () => this.#palette(), selected: () => this.#selection(), whole: () => this.#scenario(), found: () => this.#found() };
    return html`<div class="tabs" role="tablist">${tabs.map(([name, text]) => html`
      <button type="button" role="tab" aria-selected=${this.tab === name} onClick=${() => { this.tab = name; this.paint(); }}>${text}</button>`)}</div>
      <div class="panel" role="tabpanel">${panels[this.tab]()}</div>`;
  }

  #grounds() {
    const { words, tool } = this, is = (/** @type {string} */ does, /** @type {Field} */ field, /** @type {any} */ value) => tool.do === does && tool.field?.field === field.field && tool.value === value;
    /** @param {string} does @param {Field} field @param {any} value @param {string} text @param {string} [swatch] */
    const brush = (does, field, value, text, swatch) => html`<button type="button" class="brush" aria-pressed=${is(does, field, value)} onClick=${() => this.#take({ do: does, field, value })}>
      ${swatch ? html`<${Bit} inner=${swatch} box="-18 -16 36 32" />` : ""}<span>${text}</span></button>`;
    return this.data.grounds.map((/** @type {Field} */ field) => {
      const does = field.set ? "mark" : "paint";
      if (field.hexsides) return html`<section class="field"><h3>${field.words}</h3>${brush("hexside", field, undefined, field.words, field.swatch)}
        <label><input type="checkbox" checked=${this.both} onChange=${() => { this.both = !this.both; this.paint(); }} /> ${words.both_hexes}</label></section>`;
      const values = field.type === "bool" ? [{ word: "true", words: words.yes }, { word: "false", words: words.no }] : field.options;
      const number = field.type === "int" && html`<input type="number" aria-label=${field.words} onInput=${(/** @type {any} */ event) => this.#take({ do: "paint", field, value: event.target.value })} />`;
      return html`<section class="field"><h3>${field.words}</h3>${number}
        ${values.map((/** @type {Option} */ one) => brush(does, field, one.word, one.words, one.swatch))}
        ${!field.set && brush("paint", field, null, words.erase)}</section>`;
    });
  }

  #palette() {
    const { words, data } = this, wanted = this.search.toLowerCase();
    const defs = (/** @type {Kind} */ kind) => "<defs>" + kind.defs.filter((one) => one.startsWith("<image")).join("") + "</defs>";
    return html`<input type="search" placeholder=${words.search_pieces} aria-label=${words.search_pieces} value=${this.search} onInput=${(/** @type {any} */ event) => { this.search = event.target.value; this.paint(); }} />
      ${data.kinds.filter((/** @type {Kind} */ kind) => kind.place).map((/** @type {Kind} */ kind) => {
        /** @param {Template} one */
        const counter = (one) => {
          const inner = defs(kind) + kind.looks[one.look ?? 0], taken = this.tool.template && this.tool.kind?.kind === kind.kind && JSON.stringify(this.tool.template.fields) === JSON.stringify(one.fields);
          return html`<button type="button" title=${one.words} aria-label=${one.words} aria-pressed=${Boolean(taken)}
            onPointerDown=${(/** @type {PointerEvent} */ event) => this.#drag(event, inner, (hex) => this.#place(one, kind, hex))}
            onClick=${() => this.#take({ do: "piece", kind, template: one })}><${Bit} inner=${inner} /><span>${one.words}</span></button>`;
        };
        const groups = [...new Set(kind.templates.map((one) => one.side))];
        return groups.map((side) => {
          const some = kind.templates.filter((one) => one.side === side && one.words.toLowerCase().includes(wanted)), used = some.filter((one) => one.used), rest = some.filter((one) => !one.used);
          return html`<section><h3>${data.sides[side]?.words || ""} ${kind.words}</h3><div class="counters">${used.map(counter)}</div>
            ${rest.length > 0 && html`<details open=${Boolean(wanted) || !used.length}><summary>${words.unused} (${rest.length})</summary><div class="counters">${rest.map(counter)}</div></details>`}</section>`;
        });
      })}`;
  }

  #selection() {
    const { words, data, cursor } = this, piece = this.#piece(this.selected);
    const here = data.pieces.filter((/** @type {Piece} */ one) => cursor && one.hex === cursor && one.name !== this.selected);
    const others = here.length > 0 && html`<p>${here.map((/** @type {Piece} */ one) => html`<button type="button" onClick=${() => this.#pick(one, cursor)}>${one.words}</button> `)}</p>`;
    if (!piece && !cursor) return html`<p class="soft">${words.nothing_selected}</p>`;
    if (!piece) return html`<h3>${cursor}</h3>${others}<div class="form">${data.grounds.filter((/** @type {Field} */ field) => !field.hexsides).map((/** @type {Field} */ field) =>
      this.#input(field, data.hexes[field.field][cursor], (value) => { this.group += 1; this.#ground(field, cursor, value); }))}</div>`;
    const kind = this.#kind(piece.kind);
    return html`<h3>${piece.words} <span class="soft">${kind.words} ${piece.hex || words.off_the_board}</span></h3>
      <p class="acts">
        ${kind.facing && html`<button type="button" onClick=${() => this.#turn(-1)}>↺ ${words.turn_left}</button><button type="button" onClick=${() => this.#turn(1)}>↻ ${words.turn_right}</button>`}
        <button type="button" onClick=${() => this.#duplicate()}>⧉ ${words.duplicate}</button>
        ${kind.place && piece.hex && html`<button type="button" onClick=${() => this.#move(piece, null)}>⤓ ${words.off_the_board}</button>`}
        <button type="button" onClick=${() => this.#remove()}>✕ ${words.remove}</button>
        <button type="button" onClick=${() => this.editor.show(this.uri, piece.line - 1)}>¶ ${words.in_the_text}</button></p>
      ${others}
      <div class="form">
        ${this.#input(/** @type {any} */ ({ field: "name", words: words.piece_name, type: "text", options: [], kinds: [] }), piece.named ? piece.name : undefined, (value) => this.#change(piece, "name", value))}
        ${kind.fields.map((field) => this.#input(field, piece.fields[field.field], (value) => this.#change(piece, field.field, value)))}</div>`;
  }

  /** @param {Field} field @param {string} hex @param {any} value */
  async #ground(field, hex, value) {
    if (!field.set) { this.stroke({ do: "paint", field: field.field, value, hexes: [hex] }); return; }
    const before = this.data.hexes[field.field][hex] || [], now = value || [];
    for (const member of new Set([...before, ...now])) {
      if (before.includes(member) !== now.includes(member)) await this.stroke({ do: "mark", field: field.field, member, hexes: [hex], on: now.includes(member) });
    }
  }

  /** @param {Field} field @param {any} value @param {(value: any) => void} given */
  #input(field, value, given) {
    const { words, data } = this, taken = (/** @type {any} */ event) => given(event.target.value === "" ? null : event.target.value);
    const usual = field.usual === null || field.usual === undefined || Array.isArray(field.usual) ? words.not_given : filled(words.usual, field.options.find((/** @type {any} */ one) => one.word === field.usual)?.words || field.usual);
    const pieces = data.pieces.filter((/** @type {Piece} */ one) => field.kinds?.includes(one.kind)).map((/** @type {Piece} */ one) => ({ word: one.name, words: one.words }));
    const options = field.type === "bool" ? [{ word: "true", words: words.yes }, { word: "false", words: words.no }] : field.type === "piece" ? pieces : field.options;
    if (field.set && options.length && options.length < 60) {
      const now = value || [];
      return html`<fieldset key=${field.field}><legend>${field.words}</legend>${options.map((/** @type {any} */ one) => html`<label><input type="checkbox" checked=${now.includes(one.word)}
        onChange=${() => { const next = now.includes(one.word) ? now.filter((/** @type {string} */ word) => word !== one.word) : [...now, one.word]; given(next.length ? next : null); }} /> ${one.words}</label>`)}</fieldset>`;
    }
    if (field.set) return html`<label key=${field.field}><span>${field.words}</span><input title=${words.set_hint} value=${(value || []).join(", ")}
      onChange=${(/** @type {any} */ event) => { const next = event.target.value.split(",").map((/** @type {string} */ word) => word.trim()).filter(Boolean); given(next.length ? next : null); }} /></label>`;
    if (options.length || field.type === "piece") return html`<label key=${field.field}><span>${field.words}</span><select onChange=${taken}>
      ${(!field.required || value === undefined) && html`<option value="" selected=${value === undefined}>${usual}</option>`}
      ${field.none && html`<option value="none" selected=${value === "none"}>–</option>`}
      ${options.map((/** @type {any} */ one) => html`<option value=${one.word} selected=${value === one.word}>${one.words}</option>`)}</select></label>`;
    return html`<label key=${field.field}><span>${field.words}</span><input type=${field.type === "int" && value !== "none" ? "number" : "text"} value=${value ?? ""} placeholder=${usual} onChange=${taken} /></label>`;
  }

  #scenario() {
    const { words, data } = this, say = (/** @type {string} */ key) => (/** @type {any} */ value) => { this.group += 1; this.stroke({ do: "say", key, value }); };
    const plain = (/** @type {string} */ field, /** @type {string} */ text, /** @type {string} */ type) => /** @type {any} */ ({ field, words: text, type, options: [], kinds: [] });
    return html`<div class="form">${this.#input(plain("title", words.title, "text"), data.title, say("title"))}${this.#input(plain("length", words.length, "int"), data.length || undefined, say("length"))}</div>
      ${data.owners.map((/** @type {any} */ owner) => owner.members.map((/** @type {any} */ member) => html`<details key=${owner.owner + member.member} open=${owner.owner === "Game" || owner.owner === "Side"}><summary>${member.words || owner.words}</summary>
        <div class="form">${owner.fields.map((/** @type {Field} */ field) => this.#input({ ...field, options: field.options || [] }, member.values[field.field] === "" ? undefined : member.values[field.field],
          (value) => { this.group += 1; this.stroke({ do: "give", owner: owner.owner, member: member.member, field: field.field, value }); }))}</div></details>`))}
      ${data.switches.length > 0 && html`<details open><summary>${words.switches}</summary>${data.switches.map((/** @type {any} */ one) => html`
        <label class="switch" key=${one.name}><input type="checkbox" checked=${one.on} onChange=${() => say("switches." + one.name)(!one.on)} /> ${one.words}</label>`)}</details>`}`;
  }

  #found() {
    const { data, words } = this;
    if (!data.findings.length) return html`<p class="soft">${words.no_findings}</p>`;
    return html`<ul class="found">${data.findings.map((/** @type {Finding} */ one) => html`<li class=${one.severity}><button type="button"
      onClick=${() => { const piece = this.#piece(one.pieces[0]), hex = one.hexes[0] || (piece && piece.hex) || ""; if (hex) { this.cursor = hex; this.#light(); } this.editor.show(this.uri, one.line - 1); }}>
      <b>${[...one.hexes, ...one.pieces].join(", ")}</b> ${one.text}${one.remedy && html`<br /><span class="soft">${one.remedy}</span>`}</button></li>`)}</ul>`;
  }
}
