"use strict";
(() => {
  const data = JSON.parse(document.getElementById("game").textContent);
  const NS = "http://www.w3.org/2000/svg";
  const $ = (id) => document.getElementById(id);
  const words = data.words, firsts = data.turns.map(([first]) => first), drawing = data.drawing, count = data.steps.length;
  const say = (key, ...given) => given.reduce((text, value, i) => text.split("{" + i + "}").join(value), words[key]);
  const make = (name, parent, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    if (parent) parent.append(made);
    return made;
  };
  const draw = (name, parent, attributes) => {
    const made = document.createElementNS(NS, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (parent) parent.append(made);
    return made;
  };
  const dot = (parent, side) => { make("i", parent).style.background = data.sides[side][1]; };

  // ------------------------------------------------------------------ every moment, from the differences

  const unfold = (layer) => {
    let lines = [];
    return layer.versions.map((change) => {
      lines = lines.slice();
      if (change.put) for (let i = 0; i < change.put.length; i += 2) lines[change.put[i]] = change.put[i + 1];
      else lines.splice(change.at, change.drop, ...change.add);
      return lines;
    });
  };
  const layers = [["b", "below"], ["e", "edges"], ["v", "above"]].map(([key, name]) => (
    { key, versions: unfold(drawing[name]), lines: drawing[name].lines }));
  const moments = [];
  {
    let held = { pieces: [], rows: [] };
    for (const step of data.steps) {
      const now = Object.assign({}, held);
      for (const key of "bevtnhwlcx") if (key in step) now[key] = step[key];
      if (step.p) {
        now.pieces = held.pieces.slice();
        for (const [slot, ...spot] of step.p) now.pieces[slot] = spot.length ? spot : null;
      }
      if (step.r) {
        now.rows = held.rows.slice();
        for (const [row, ...values] of step.r) now.rows[row] = values.length ? values : null;
      }
      held = now;
      moments.push(Object.assign({ q: step.q, a: step.a, s: step.s, d: step.d, k: step.k }, now));
    }
  }
  const notes = data.steps.map(() => []);
  for (const link of document.querySelectorAll("#panel-log a"))
    if (!link.parentElement.classList.contains("taken")) notes[+link.hash.slice(1)].push(link);

  // ------------------------------------------------------------------ the board

  const board = $("board");
  const width = drawing.width + 24, height = drawing.height + 24;
  draw("defs", board, {}).innerHTML = drawing.defs.join("") +
    drawing.looks.map((look, i) => look.replace("<g", '<g id="look' + i + '"')).join("");
  draw("rect", board, { x: -12, y: -12, width, height, rx: 8, fill: drawing.sea });
  layers[0].group = draw("g", board, {});
  layers[1].group = draw("g", board, {});
  const traces = draw("g", board, {}), counters = draw("g", board, {});
  layers[2].group = draw("g", board, { "pointer-events": "none" });
  const marks = draw("g", board, { "pointer-events": "none" });
  board.style.aspectRatio = width + " / " + height;
  const pieces = drawing.names.map((name) => {
    const piece = draw("g", counters, { class: "piece" });
    draw("title", piece, {}).textContent = name;
    piece.use = draw("use", piece, {});
    piece.style.display = "none";
    return piece;
  });
  const onBoard = (spot) => spot && spot.length === 4;

  const place = (now, shown) => {
    for (const { key, group, versions, lines } of layers)
      if (!shown || now[key] !== shown[key]) group.innerHTML = versions[now[key]].map((i) => lines[i]).join("");
    pieces.forEach((piece, slot) => {
      const spot = now.pieces[slot];
      if (shown && spot === shown.pieces[slot]) return;
      if (!onBoard(spot)) { piece.style.display = "none"; return; }
      piece.style.display = "";
      piece.use.setAttribute("href", "#look" + spot[0]);
      piece.style.transform = "translate(" + spot[1] + "px," + spot[2] + "px) scale(" + spot[3] / 100 + ")";
    });
  };
  const ring = ([number, x, y, size]) =>
    draw("circle", marks, { class: "ring", cx: x, cy: y, r: 1.42 * drawing.sizes[number] * size / 100 });
  const trace = (now, before) => {
    traces.textContent = marks.textContent = "";
    if (!before) return;
    pieces.forEach((piece, slot) => {
      const was = before.pieces[slot], is = now.pieces[slot];
      if (was === is) return;
      if (onBoard(was) && onBoard(is)) {
        const far = Math.hypot(is[1] - was[1], is[2] - was[2]);
        if (far > 30) draw("path", traces, { class: "trace", d: "M" + was[1] + "," + was[2] + "L" + is[1] + "," + is[2] });
        if (far > 30 || is[0] !== was[0]) ring(is);
      } else if (onBoard(is)) ring(is);
      else if (onBoard(was)) {
        const d = "M" + (was[1] - 13) + "," + (was[2] - 13) + "l26,26m0,-26l-26,26";
        draw("path", marks, { class: "gone", d });
        draw("path", marks, { class: "gone over", d });
      }
    });
  };

  // ------------------------------------------------------------------ closer and farther

  const whole = { x: -12, y: -12, w: width, h: height };
  let box = Object.assign({}, whole);
  const look = () => {
    box.w = Math.min(box.w, whole.w); box.h = Math.min(box.h, whole.h);
    box.x = Math.max(whole.x, Math.min(box.x, whole.x + whole.w - box.w));
    box.y = Math.max(whole.y, Math.min(box.y, whole.y + whole.h - box.h));
    board.setAttribute("viewBox", [box.x, box.y, box.w, box.h].map((n) => n.toFixed(1)).join(" "));
    board.classList.toggle("near", box.w < whole.w - 1);
    $("farther").disabled = $("whole").disabled = box.w >= whole.w - 1;
  };
  const scale = (factor, x = box.x + box.w / 2, y = box.y + box.h / 2) => {
    const w = Math.max(whole.w / 12, Math.min(whole.w, box.w * factor)), ratio = w / box.w;
    box = { x: x - (x - box.x) * ratio, y: y - (y - box.y) * ratio, w, h: box.h * ratio };
    look();
  };
  const follow = (now, before) => {
    if (!before || box.w >= whole.w - 1) return;
    const spots = [];
    pieces.forEach((piece, slot) => {
      if (now.pieces[slot] !== before.pieces[slot])
        for (const spot of [before.pieces[slot], now.pieces[slot]]) if (onBoard(spot)) spots.push(spot);
    });
    const out = spots.some(([, x, y]) => x < box.x + 30 || x > box.x + box.w - 30 || y < box.y + 30 || y > box.y + box.h - 30);
    if (!out) return;
    box.x = spots.reduce((sum, spot) => sum + spot[1], 0) / spots.length - box.w / 2;
    box.y = spots.reduce((sum, spot) => sum + spot[2], 0) / spots.length - box.h / 2;
    look();
  };
  const at = (event) => {
    const shown = board.getBoundingClientRect(), size = Math.max(box.w / shown.width, box.h / shown.height);
    return {
      x: box.x + box.w / 2 + (event.clientX - shown.left - shown.width / 2) * size,
      y: box.y + box.h / 2 + (event.clientY - shown.top - shown.height / 2) * size, size,
    };
  };
  board.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = at(event);
    scale(event.deltaY > 0 ? 1.2 : 1 / 1.2, x, y);
  }, { passive: false });
  let held = null;
  board.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY, box: Object.assign({}, box) }; });
  board.addEventListener("pointermove", (event) => {
    if (!held || box.w >= whole.w - 1) return;
    const { size } = at(event);
    box.x = held.box.x - (event.clientX - held.x) * size;
    box.y = held.box.y - (event.clientY - held.y) * size;
    look();
  });
  const released = (event) => {
    if (held && box.w >= whole.w - 1 && event.type === "pointerup") {
      const dx = event.clientX - held.x, dy = event.clientY - held.y;
      if (Math.abs(dx) > 40 && Math.abs(dx) > 2 * Math.abs(dy)) go(current + (dx < 0 ? 1 : -1));
    }
    held = null;
  };
  board.addEventListener("pointerup", released);
  board.addEventListener("pointercancel", released);

  // ------------------------------------------------------------------ what is told

  const table = $("rows"), cells = [];
  {
    const head = make("tr", make("thead", table));
    make("th", head);
    data.sides.forEach(([name], side) => { const th = make("th", head); dot(th, side); th.append(name); th.scope = "col"; });
    const body = make("tbody", table);
    data.rows.forEach((name) => {
      const row = make("tr", body);
      make("td", row, name);
      cells.push(data.sides.map(() => make("td", row)));
    });
    $("loose").style.minHeight = 1.4 * data.lines + "em";
  }
  const beside = (now, before) => {
    cells.forEach((row, i) => row.forEach((cell, side) => {
      const value = now.rows[i] ? now.rows[i][side] : "–";
      cell.textContent = value;
      cell.className = before && before.rows[i] && now.rows[i] && before.rows[i][side] !== value ? "new" : "";
    }));
    table.querySelectorAll("th").forEach((th, i) => th.classList.toggle("turn", i > 0 && i - 1 === now.n));
    $("loose").textContent = "";
    for (const line of now.l) make("li", $("loose"), data.texts[line]);
  };
  const hands = (now) => {
    const panel = $("panel-hands");
    panel.textContent = "";
    data.sides.forEach(([name], side) => {
      const part = make("div", panel, undefined, "hand"), head = make("h3", part), list = make("ul", part);
      dot(head, side);
      head.append(name);
      const counted = new Map();
      for (const card of now.x[side]) counted.set(card, (counted.get(card) || 0) + 1);
      if (!counted.size) make("li", list, words.no_cards);
      for (const [card, times] of counted) {
        const item = make("li", list);
        make("b", item, data.cards[card][0] + (times > 1 ? " ×" + times : ""));
        if (data.cards[card][1]) make("span", item, data.cards[card][1]);
      }
    });
  };
  const offBoard = (now) => {
    const panel = $("panel-off_board"), groups = drawing.groups.map(() => []);
    now.pieces.forEach((spot, slot) => { if (spot && spot.length === 2) groups[spot[1]].push([spot[0], slot]); });
    panel.textContent = "";
    groups.forEach((group, i) => {
      if (!group.length) return;
      const [side, text] = drawing.groups[i], part = make("div", panel, undefined, "off");
      make("h3", part, [side >= 0 ? data.sides[side][0] : "", text || words.nowhere].filter(Boolean).join(": "));
      const list = make("ul", part);
      for (const [number, slot] of group) {
        const shown = draw("svg", make("li", list), { viewBox: "-24 -24 48 48", role: "img", "aria-label": drawing.names[slot] });
        draw("title", shown, {}).textContent = drawing.names[slot];
        draw("use", shown, { href: "#look" + number });
      }
    });
  };
  for (const [text, swatch] of drawing.key) {
    const entry = make("div", $("panel-key"));
    draw("svg", entry, { viewBox: "-19 -17 38 34", "aria-hidden": "true" }).innerHTML = swatch;
    entry.append(text);
  }

  const dice = (now) => {
    $("dice").textContent = $("odds").textContent = "";
    for (const [die, ...faces] of now.d || []) {
      const roll = make("p", $("dice"), undefined, "roll");
      if (data.texts[die]) make("span", roll, data.texts[die]);
      for (const face of faces) make("b", roll, data.texts[face]);
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
  };
  // the steps of a turn: as many lines as the longest row of them needs, so that nothing jumps
  const strip = $("strip");
  const chips = (w) => {
    const [steps, here] = data.strips[w];
    strip.textContent = "";
    steps.forEach((step, i) => {
      const chip = make("li", strip, step, i === here ? "here" : "");
      if (i === here) chip.setAttribute("aria-current", "step");
    });
  };
  const steps_of = (w) => {
    if (strip.dataset.room !== String(innerWidth)) {
      strip.dataset.room = innerWidth;
      strip.style.minHeight = "";
      const heights = data.strips.map((_, one) => { chips(one); return strip.offsetHeight; });
      strip.style.minHeight = Math.max(...heights) + "px";
    }
    chips(w);
  };
  const tell = (n, now) => {
    $("header").textContent = data.texts[now.h] || say("turn", now.t + 1);
    steps_of(now.w);
    const line = $("count");
    line.textContent = "";
    if (now.s !== undefined) { dot(line, now.s); line.append(data.sides[now.s][0] + " · "); }
    line.append(n ? say("decision", n, count - 1) : words.set_up);
    $("asked").textContent = now.q === undefined ? "" : data.texts[now.q];
    $("answer").textContent = now.a === undefined ? "" : data.texts[now.a];
    $("news").textContent = "";
    for (const note of notes[n]) make("li", $("news"), note.textContent);
    $("happened").scrollTop = 0;
    dice(now);
    const next = $("next");
    next.textContent = "";
    if (now.n === null || now.n === undefined) return;
    if (now.n < 0) { next.textContent = words.over; return; }
    dot(next, now.n);
    next.append(say("next", data.sides[now.n][0]));
  };
  let marked = [];
  const log = (n) => {
    for (const line of marked) line.classList.remove("on");
    let last = n;
    while (last > 0 && !notes[last].length) last -= 1;
    marked = [...document.querySelectorAll('#panel-log a[href="#' + n + '"]')].map((a) => a.parentElement);
    if (!marked.length) marked = notes[last].map((a) => a.parentElement);
    for (const line of marked) line.classList.add("on");
    if (!marked.length || $("panel-log").hidden) return;
    const fold = marked[0].closest("details"), panels = $("panels");
    for (const other of document.querySelectorAll("#panel-log details[open]")) if (other !== fold) other.open = false;
    fold.open = true;
    if (panels.scrollHeight > panels.clientHeight + 1)
      panels.scrollTop = marked[0].getBoundingClientRect().top - panels.getBoundingClientRect().top + panels.scrollTop - 90;
  };

  // ------------------------------------------------------------------ going from moment to moment

  let current = -1;
  const go = (to, byHash) => {
    const n = Math.max(0, Math.min(count - 1, to));
    if (n === current) return;
    const shown = moments[current], now = moments[n], before = moments[n - 1];
    board.classList.toggle("still", Math.abs(n - current) !== 1);
    place(now, shown);
    trace(now, before);
    follow(now, before);
    current = n;
    tell(n, now);
    beside(now, before);
    open[chosen](now, n);
    $("place").value = n;
    $("place").setAttribute("aria-valuetext", say("decision", n, count - 1));
    $("jump").value = now.t;
    cursor.setAttribute("d", "M" + n + ",0V100");
    for (const [id, end] of [["first", n === 0], ["back", n === 0], ["turn-back", n === 0], ["forward", n === count - 1], ["turn-forward", n === count - 1], ["last", n === count - 1]])
      $(id).disabled = end;
    if (n === count - 1) stop();
    if (!byHash) history.replaceState(null, "", "#" + n);
  };
  const turnBack = () => {
    const begun = firsts[moments[current].t];
    return current > begun ? begun : firsts[Math.max(0, moments[current].t - 1)];
  };
  const turnForward = () => {
    const next = firsts.find((first) => first > current);
    return next === undefined ? count - 1 : next;
  };
  const phase = (way) => {
    let n = current + way;
    while (n > 0 && n < count - 1 && moments[n].w === moments[n - 1].w && moments[n].t === moments[n - 1].t) n += way;
    return n;
  };

  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    $("run").setAttribute("aria-label", words.run);
    $("run").title = words.run;
    $("run").querySelector("path").setAttribute("d", "M6 3l15 9-15 9z");
  };
  const run = () => {
    if (timer) { stop(); return; }
    if (current === count - 1) go(0);
    timer = setInterval(() => go(current + 1), 900);
    $("run").setAttribute("aria-label", words.stop);
    $("run").title = words.stop;
    $("run").querySelector("path").setAttribute("d", "M6 4h4v16H6zm8 0h4v16h-4z");
  };

  const chart = $("chart"), most = Math.max(1, ...moments.map((m) => Math.max(...m.c))), least = Math.min(0, ...moments.map((m) => Math.min(...m.c)));
  chart.setAttribute("viewBox", "0 0 " + Math.max(1, count - 1) + " 100");
  for (const first of firsts) draw("path", chart, { class: "tick", d: "M" + first + ",0V100" });
  data.sides.forEach(([, fill], side) => {
    let d = "";
    moments.forEach((m, i) => {
      if (i && m.c[side] === moments[i - 1].c[side]) return;
      const y = (94 - 88 * (m.c[side] - least) / (most - least)).toFixed(1);
      d += i ? "H" + i + "V" + y : "M0," + y;
    });
    draw("path", chart, { class: "line", d: d + "H" + (count - 1) }).style.setProperty("--side", fill);
  });
  const cursor = draw("path", chart, { class: "now", d: "" });
  chart.addEventListener("click", (event) => {
    const shown = chart.getBoundingClientRect();
    go(Math.round((event.clientX - shown.left) / shown.width * (count - 1)));
  });

  // ------------------------------------------------------------------ tabs, keys, buttons

  const open = { table: () => {}, log: (now, n) => log(n), hands, off_board: offBoard, key: () => {} };
  let chosen = "table";
  const tabs = [...document.querySelectorAll("#tabs button")];
  const choose = (name, focus) => {
    chosen = name;
    for (const tab of tabs) {
      const on = tab.id === "tab-" + name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      $("panel-" + tab.id.slice(4)).hidden = !on;
      if (on && focus) tab.focus();
    }
    $("panels").scrollTop = 0;
    if (current >= 0) open[name](moments[current], current);
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => choose(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      choose(tabs[(i + way + tabs.length) % tabs.length].id.slice(4), true);
    });
  });
  if (!data.cards.length) $("tab-hands").hidden = true;
  if (!drawing.groups.length) $("tab-off_board").hidden = true;
  if (!drawing.key.length) $("tab-key").hidden = true;

  const theme = (name) => { document.documentElement.dataset.theme = name; };
  const acts = {
    first: () => go(0), last: () => go(count - 1), back: () => go(current - 1), forward: () => go(current + 1), run,
    "turn-back": () => go(turnBack()), "turn-forward": () => go(turnForward()),
    closer: () => scale(1 / 1.5), farther: () => scale(1.5), whole: () => { box = Object.assign({}, whole); look(); },
    theme: () => {
      const dark = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
      theme(dark === "dark" ? "light" : "dark");
    },
  };
  for (const id in acts) $(id).addEventListener("click", () => { if (id !== "run") stop(); acts[id](); });
  $("place").addEventListener("input", (event) => { stop(); go(+event.target.value); });
  $("jump").addEventListener("change", (event) => { stop(); go(firsts[+event.target.value]); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target.tagName;
    if (at === "SELECT" || (at === "INPUT" && !event.shiftKey && event.key.startsWith("Arrow"))) return;
    if (event.key === " " && (at === "BUTTON" || at === "SUMMARY" || at === "A")) return;
    const keys = {
      ArrowLeft: () => go(event.shiftKey ? phase(-1) : current - 1), ArrowRight: () => go(event.shiftKey ? phase(1) : current + 1),
      Home: acts.first, End: acts.last, PageUp: acts["turn-back"], PageDown: acts["turn-forward"], " ": run,
      "+": acts.closer, "-": acts.farther, 0: acts.whole,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    if (event.key !== " ") stop();
    keys[event.key]();
  });
  const fromHash = () => { const n = parseInt(location.hash.slice(1), 10); if (n >= 0) { stop(); go(n, true); return true; } return false; };
  addEventListener("hashchange", fromHash);
  const focus = () => {
    const across = board.getBoundingClientRect().width / whole.w * drawing.hex;
    if (across >= 24 || !across) return;
    scale(across / 34);
    const stand = moments[0].pieces.filter(onBoard);
    if (!stand.length) return;
    box.x = stand.reduce((sum, spot) => sum + spot[1], 0) / stand.length - box.w / 2;
    box.y = stand.reduce((sum, spot) => sum + spot[2], 0) / stand.length - box.h / 2;
  };
  choose("table");
  focus();
  look();
  if (!fromHash()) go(0, true);
})();
