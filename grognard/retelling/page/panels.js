/**
 * What stands beside the board at a moment: what happened, dice and odds, table, log, hands, pieces off the board, key.
 *
 * @typedef {import("./moments.js").Moment} Moment
 * @typedef {import("./moments.js").Moments} Moments
 */
import { $, draw, filled, make } from "board/dom";

export class Panels {
  /** @param {Moments} moments @param {Record<string, string>} words */
  constructor(moments, words) {
    this.moments = moments;
    this.words = words;
    /** @type {HTMLElement[][]} */
    this.cells = [];
    this.lines = 0;
    /** called with each card of a hand that is laid out @type {((title: string, item: HTMLElement) => void) | null} */
    this.dealt = null;
    /** called with the line of the log that is pointed at, or with nothing @type {(text: string) => void} */
    this.points = () => {};
    /** the folds of the log, and the lines that are marked @type {HTMLElement[]} */
    this.marked = [];
    this.table = $("rows");
    const head = make("tr", make("thead", this.table));
    make("td", head);
    moments.data.sides.forEach(([name], side) => {
      const th = make("th", head);
      this.dot(th, side);
      th.append(name);
      th.setAttribute("scope", "col");
    });
    this.body = make("tbody", this.table);
    for (const [begins, ends] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      $("panel-log").addEventListener(begins, ({ target }) => {
        const line = /** @type {Element} */ (target).closest("li");
        if (line) this.points(line.textContent || "");
      });
      $("panel-log").addEventListener(ends, () => this.points(""));
    }
    this.grow(0);
  }

  /** @param {string} key @param {...(string | number)} given */
  say(key, ...given) { return filled(this.words[key], ...given); }

  /** @param {Element} parent @param {number} side */
  dot(parent, side) {
    const dot = make("i", parent);
    dot.style.background = this.moments.data.sides[side][1];
    dot.classList.add("side" + side % 2);
  }

  /** Take in what the moments have learned. @param {number} kept how many moments are as they were */
  grow(kept) {
    const { rows, cards, drawing, lines } = this.moments.data;
    for (const name of rows.slice(this.cells.length)) {
      const row = make("tr", this.body);
      make("td", row, name);
      this.cells.push(this.moments.data.sides.map(() => make("td", row)));
    }
    $("loose").style.minHeight = 1.4 * lines + "em";
    $("tab-hands").hidden = !cards.length;
    $("tab-off_board").hidden = !drawing.groups.length;
    $("tab-key").hidden = !drawing.key.length;
    const key = $("panel-key");
    key.textContent = "";
    for (const [text, swatch] of drawing.key) {
      const entry = make("div", key);
      draw("svg", entry, { viewBox: "-19 -17 38 34", "aria-hidden": "true" }).innerHTML = swatch;
      entry.append(text);
    }
    this.#logs(kept);
  }

  // ------------------------------------------------------------------ a moment

  /** @param {number} n @param {Moment} now @param {Moment | undefined} before */
  tell(n, now, before) {
    const { data, count } = this.moments;
    $("header").textContent = data.texts[now.h] || this.say("turn", now.t + 1);
    const line = $("count");
    line.textContent = "";
    if (now.s !== undefined) { this.dot(line, now.s); line.append(data.sides[now.s][0] + " · "); }
    line.append(n ? this.say("decision", n, count - 1) : this.words.set_up);
    $("asked").textContent = now.q === undefined ? "" : data.texts[now.q];
    $("answer").textContent = now.a === undefined ? "" : data.texts[now.a];
    $("news").textContent = "";
    for (const note of this.moments.notes(n)) make("li", $("news"), note);
    this.#dice(now);
    this.#beside(now, before);
    const next = $("next");
    next.textContent = "";
    if (now.n === null || now.n === undefined) return;
    if (now.n < 0) { next.textContent = this.words.over; return; }
    this.dot(next, now.n);
    next.append(this.say("next", data.sides[now.n][0]));
  }

  /** @param {Moment} now */
  #dice(now) {
    const { texts } = this.moments.data;
    $("dice").textContent = $("odds").textContent = "";
    for (const [die, ...faces] of now.d || []) {
      const roll = make("p", $("dice"), undefined, "roll");
      if (texts[die]) make("span", roll, texts[die]);
      for (const face of faces) make("b", roll, texts[face]);
    }
    for (const [title, shares, note] of now.k || []) {
      const odd = make("div", $("odds"), undefined, "odd"), bars = (make("p", odd, title), make("div", odd, undefined, "bars"));
      for (const [text, share, came] of shares) {
        const kind = came ? " came" : "";
        make("span", bars, text, kind);
        make("span", bars, undefined, "bar" + kind).style.width = share + "%";
        make("span", bars, (share < 10 ? share.toFixed(1) : share.toFixed(0)) + " %", "share" + kind);
      }
      if (note) make("p", odd, note);
    }
  }

  /** @param {Moment} now @param {Moment | undefined} before */
  #beside(now, before) {
    this.cells.forEach((row, i) => row.forEach((cell, side) => {
      const is = now.rows[i], was = before && before.rows[i];
      cell.textContent = is ? is[side] : "–";
      cell.className = was && is && was[side] !== is[side] ? "new" : "";
    }));
    this.table.querySelectorAll("th").forEach((th, i) => th.classList.toggle("turn", i === now.n));
    $("loose").textContent = "";
    for (const line of now.l) make("li", $("loose"), this.moments.data.texts[line]);
  }

  // ------------------------------------------------------------------ the log

  /** @param {number} kept */
  #logs(kept) {
    const panel = $("panel-log"), { turns, log } = this.moments.data;
    if (!kept) panel.textContent = "";
    for (const line of panel.querySelectorAll("li")) if (Number(line.dataset.step) >= kept) line.remove();
    const folds = [...panel.querySelectorAll("details")];
    folds.slice(turns.length).forEach((fold) => fold.remove());
    turns.forEach(([, title], turn) => {
      let fold = folds[turn];
      if (!fold) {
        fold = /** @type {HTMLDetailsElement} */ (make("details", panel));
        make("summary", fold);
        make("ol", fold);
        fold.open = turn === turns.length - 1;
        folds[turn] = fold;
      }
      /** @type {HTMLElement} */ (fold.firstChild).textContent = title;
    });
    for (const [step, turn, text, taken] of log) {
      if (step < kept) continue;
      const line = make("li", /** @type {Element} */ (folds[turn].lastChild), undefined, taken ? "taken" : "");
      line.dataset.step = String(step);
      /** @type {HTMLAnchorElement} */ (make("a", line, text)).href = "#" + step;
    }
  }

  /** Mark in the log what belongs to a moment, and show it. @param {number} n */
  log(n) {
    for (const line of this.marked) line.classList.remove("on");
    let last = n;
    while (last > 0 && !this.moments.notes(last).length) last -= 1;
    const lines = (/** @type {number} */ step) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#panel-log li[data-step="' + step + '"]')]);
    this.marked = lines(n);
    if (!this.marked.length) this.marked = lines(last);
    for (const line of this.marked) line.classList.add("on");
    if (!this.marked.length || $("panel-log").hidden) return;
    const fold = /** @type {HTMLDetailsElement} */ (this.marked[0].closest("details")), panels = $("panels");
    for (const other of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("#panel-log details[open]"))) if (other !== fold) other.open = false;
    fold.open = true;
    if (panels.scrollHeight > panels.clientHeight + 1)
      panels.scrollTop = this.marked[0].getBoundingClientRect().top - panels.getBoundingClientRect().top + panels.scrollTop - 90;
  }

  // ------------------------------------------------------------------ hands, and what is off the board

  /** @param {Moment} now */
  hands(now) {
    const panel = $("panel-hands"), { sides, cards, hands } = this.moments.data;
    panel.textContent = "";
    sides.forEach(([name], side) => {
      const part = make("div", panel, undefined, "hand"), head = make("h3", part), list = make("ul", part);
      this.dot(head, side);
      head.append(name);
      const counted = new Map();
      for (const card of now.x[side]) counted.set(card, (counted.get(card) || 0) + 1);
      if (!counted.size) make("li", list, hands[side] ? this.words.no_cards : this.words.unseen_cards);
      for (const [card, times] of counted) {
        const item = make("li", list), picture = cards[card][2];
        if (picture) {
          const shown = /** @type {HTMLImageElement} */ (make("img", item));
          shown.src = picture;
          shown.alt = "";
        }
        make("b", item, cards[card][0] + (times > 1 ? " ×" + times : ""));
        if (cards[card][1]) make("span", item, cards[card][1]);
        if (this.dealt) this.dealt(cards[card][0], item);
      }
    });
  }

  /** @param {Moment} now */
  offBoard(now) {
    const { drawing, sides } = this.moments.data, panel = $("panel-off_board");
    /** @type {[number, number][][]} */
    const groups = drawing.groups.map(() => []);
    now.pieces.forEach((spot, slot) => { if (spot && spot.length === 2) groups[spot[1]].push([spot[0], slot]); });
    panel.textContent = "";
    groups.forEach((group, i) => {
      if (!group.length) return;
      const [side, text] = drawing.groups[i], part = make("div", panel, undefined, "off");
      make("h3", part, [side >= 0 ? sides[side][0] : "", text || this.words.nowhere].filter(Boolean).join(": "));
      const list = make("ul", part);
      for (const [number, slot] of group) {
        const item = make("li", list);
        item.dataset.piece = drawing.names[slot];
        const shown = draw("svg", item, { viewBox: "-24 -24 48 48", role: "img", "aria-label": drawing.names[slot] });
        draw("title", shown, {}).textContent = drawing.names[slot];
        draw("use", shown, { href: "#look" + number });
      }
    });
  }

  // ------------------------------------------------------------------ tabs

  /**
   * Let the tabs be chosen; what a chosen one shows is asked for.
   * @param {() => [Moment, number]} now the moment that is shown, with its number
   */
  tabs(now) {
    /** @type {Record<string, (now: Moment, n: number) => void>} */
    const open = { log: (_, n) => this.log(n), hands: (one) => this.hands(one), off_board: (one) => this.offBoard(one) };
    const tabs = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("#tabs button")]);
    let chosen = "table";
    this.open = () => { if (open[chosen]) open[chosen](...now()); };
    const choose = (/** @type {string} */ name, /** @type {boolean} */ focus) => {
      chosen = name;
      for (const tab of tabs) {
        const on = tab.id === "tab-" + name;
        tab.setAttribute("aria-selected", String(on));
        tab.tabIndex = on ? 0 : -1;
        $("panel-" + tab.id.slice(4)).hidden = !on;
        if (on && focus) tab.focus();
      }
      $("panels").scrollTop = 0;
      if (this.open) this.open();
    };
    tabs.forEach((tab) => {
      tab.addEventListener("click", () => choose(tab.id.slice(4), false));
      tab.addEventListener("keydown", (event) => {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        const shown = tabs.filter((one) => !one.hidden), at = shown.indexOf(tab);
        choose(shown[(at + way + shown.length) % shown.length].id.slice(4), true);
      });
    });
    choose("table", false);
  }
}
