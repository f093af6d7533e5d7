/**
 * Going from moment to moment: the slider, buttons, keys and the chart below the board.
 *
 * @typedef {import("./moments.js").Moment} Moment
 */
import { $, draw } from "board/dom";
import { Board } from "board/board";
import { Moments } from "board/moments";
import { Panels } from "board/panels";

const RUN = "M6 3l15 9-15 9z", STOP = "M6 4h4v16H6zm8 0h4v16h-4z";

export class Course {
  /**
   * @param {Moments} moments @param {Board} board @param {Panels} panels
   * @param {(n: number) => void} [shown] called with the moment that is shown
   */
  constructor(moments, board, panels, shown = () => {}) {
    this.moments = moments;
    this.board = board;
    this.panels = panels;
    this.shown = shown;
    this.current = -1;
    this.timer = 0;
    this.place = /** @type {HTMLInputElement} */ ($("place"));
    this.jump = /** @type {HTMLSelectElement} */ ($("jump"));
    this.cursor = draw("path", null, { class: "now", d: "" });
    panels.points = (text) => board.name(text);
    panels.tabs(() => [moments.list[Math.max(0, this.current)], Math.max(0, this.current)]);
    this.grow();
    this.#controls();
  }

  get last() { return this.moments.count - 1; }

  /** Take in moments that have come. */
  grow() {
    const { data, list, count, firsts } = this.moments;
    this.place.max = String(count - 1);
    this.jump.textContent = "";
    data.turns.forEach(([, title], turn) => this.jump.append(new Option(title, String(turn))));
    const chart = $("chart"), most = Math.max(1, ...list.map((m) => Math.max(...m.c))), least = Math.min(0, ...list.map((m) => Math.min(...m.c)));
    chart.textContent = "";
    chart.setAttribute("viewBox", "0 0 " + Math.max(1, count - 1) + " 100");
    for (const first of firsts) draw("path", chart, { class: "tick", d: "M" + first + ",0V100" });
    data.sides.forEach(([, fill], side) => {
      let d = "";
      list.forEach((m, i) => {
        if (i && m.c[side] === list[i - 1].c[side]) return;
        const y = (94 - 88 * (m.c[side] - least) / (most - least)).toFixed(1);
        d += i ? "H" + i + "V" + y : "M0," + y;
      });
      draw("path", chart, { class: "line side" + side % 2, d: d + "H" + (count - 1) }).style.setProperty("--side", fill);
    });
    chart.append(this.cursor);
    this.#buttons();
  }

  /** Show a moment. @param {number} to @param {boolean} [again] even where it is the one that is shown */
  go(to, again = false) {
    const n = Math.max(0, Math.min(this.last, to));
    if (n === this.current && !again) return;
    const { list } = this.moments, now = list[n], before = list[n - 1];
    this.board.show(now, before, this.current < 0 || Math.abs(n - this.current) !== 1);
    this.current = n;
    this.panels.tell(n, now, before);
    this.#strip(now.w);
    if (this.panels.open) this.panels.open();
    $("happened").scrollTop = 0;
    this.place.value = String(n);
    this.place.setAttribute("aria-valuetext", this.panels.say("decision", n, this.last));
    this.jump.value = String(now.t);
    this.cursor.setAttribute("d", "M" + n + ",0V100");
    this.#buttons();
    if (n === this.last) this.stop();
    this.shown(n);
  }

  #buttons() {
    const n = this.current, first = n <= 0, last = n === this.last;
    for (const [id, end] of /** @type {[string, boolean][]} */ ([["first", first], ["back", first], ["turn-back", first], ["forward", last], ["turn-forward", last], ["last", last]]))
      /** @type {HTMLButtonElement} */ ($(id)).disabled = end;
  }

  // the steps of a turn: as many lines as the longest row of them needs, so that nothing jumps
  /** @param {number} w */
  #strip(w) {
    const strip = $("strip"), { strips } = this.moments.data;
    const chips = (/** @type {number} */ one) => {
      const [steps, here] = strips[one];
      strip.textContent = "";
      steps.forEach((step, i) => {
        const chip = document.createElement("li");
        chip.textContent = step;
        if (i === here) { chip.className = "here"; chip.setAttribute("aria-current", "step"); }
        strip.append(chip);
      });
    };
    const room = innerWidth + " " + strips.length;
    if (strip.dataset.room !== room) {
      strip.dataset.room = room;
      strip.style.minHeight = "";
      strip.style.minHeight = Math.max(...strips.map((_, one) => { chips(one); return strip.offsetHeight; })) + "px";
    }
    chips(w);
  }

  // ------------------------------------------------------------------ ways

  turnBack() {
    const { list, firsts } = this.moments, turn = list[this.current].t;
    return this.current > firsts[turn] ? firsts[turn] : firsts[Math.max(0, turn - 1)];
  }

  turnForward() {
    const next = this.moments.firsts.find((first) => first > this.current);
    return next === undefined ? this.last : next;
  }

  /** @param {number} way @returns {number} where the next step of the turn begins */
  phase(way) {
    const { list } = this.moments;
    let n = this.current + way;
    while (n > 0 && n < this.last && list[n].w === list[n - 1].w && list[n].t === list[n - 1].t) n += way;
    return n;
  }

  stop() {
    if (this.timer) clearInterval(this.timer);
    this.timer = 0;
    this.#running(this.panels.words.run, RUN);
  }

  run() {
    if (this.timer) { this.stop(); return; }
    if (this.current === this.last) this.go(0);
    this.timer = setInterval(() => this.go(this.current + 1), 900);
    this.#running(this.panels.words.stop, STOP);
  }

  /** @param {string} label @param {string} path */
  #running(label, path) {
    const run = $("run");
    run.setAttribute("aria-label", label);
    run.title = label;
    /** @type {Element} */ (run.querySelector("path")).setAttribute("d", path);
  }

  #controls() {
    const { board } = this;
    const theme = (/** @type {string} */ name) => { document.documentElement.dataset.theme = name; };
    /** @type {Record<string, () => void>} */
    const acts = {
      first: () => this.go(0), last: () => this.go(this.last), back: () => this.go(this.current - 1), forward: () => this.go(this.current + 1),
      run: () => this.run(), "turn-back": () => this.go(this.turnBack()), "turn-forward": () => this.go(this.turnForward()),
      closer: () => board.scale(1 / 1.5), farther: () => board.scale(1.5), whole: () => board.showWhole(),
      theme: () => {
        const dark = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
        theme(dark === "dark" ? "light" : "dark");
      },
    };
    for (const id in acts) $(id).addEventListener("click", () => { if (id !== "run") this.stop(); acts[id](); });
    board.does.moved = () => { for (const id of ["farther", "whole"]) /** @type {HTMLButtonElement} */ ($(id)).disabled = board.isWhole; };
    this.place.addEventListener("input", () => { this.stop(); this.go(Number(this.place.value)); });
    this.jump.addEventListener("change", () => { this.stop(); this.go(this.moments.firsts[Number(this.jump.value)]); });
    $("chart").addEventListener("click", (event) => {
      const frame = $("chart").getBoundingClientRect();
      this.go(Math.round((event.clientX - frame.left) / frame.width * this.last));
    });
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = /** @type {HTMLElement} */ (event.target), at = target.tagName;
      if (at === "SELECT" || at === "TEXTAREA" || (at === "INPUT" && target !== this.place) || target.closest("dialog, [data-own-keys]")) return;
      if (target === this.place && !event.shiftKey && event.key.startsWith("Arrow")) return;
      if (event.key === " " && (at === "BUTTON" || at === "SUMMARY" || at === "A")) return;
      /** @type {Record<string, () => void>} */
      const keys = {
        ArrowLeft: () => this.go(event.shiftKey ? this.phase(-1) : this.current - 1), ArrowRight: () => this.go(event.shiftKey ? this.phase(1) : this.current + 1),
        Home: acts.first, End: acts.last, PageUp: acts["turn-back"], PageDown: acts["turn-forward"], " ": acts.run,
        "+": acts.closer, "-": acts.farther, 0: acts.whole,
      };
      if (!Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      if (event.key !== " ") this.stop();
      keys[event.key]();
    });
    addEventListener("hashchange", () => this.fromHash());
  }

  /** Show the moment that the address names; whether it names one. */
  fromHash() {
    const n = parseInt(location.hash.slice(1), 10);
    if (!(n >= 0)) return false;
    this.stop();
    this.go(n);
    return true;
  }
}
