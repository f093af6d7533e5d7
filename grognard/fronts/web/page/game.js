/** A game under way: what is asked is answered on the board or in the list, and what happens is shown as it happens. */
import { render } from "preact";
import { $, filled, make } from "board/dom";
import { Board } from "board/board";
import { Course } from "board/course";
import { Moments } from "board/moments";
import { Panels } from "board/panels";
import { Bubble } from "./bubble.js";
import { Clock } from "./clock.js";
import { html } from "./html.js";
import { Odds } from "./odds.js";
import { Asked } from "./question.js";
import { Connection, ask as askFor, gameAt, here, lobbyAt } from "way";

/** @typedef {import("./question.js").Option} Option @typedef {import("./question.js").Question} Question */
/** @typedef {import("board/board").Pick} Pick */

const words = JSON.parse(/** @type {string} */ ($("words").textContent));
const { game, seat } = here();
/** Milliseconds between moments that have come while one looked. */
const PACE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 650;

/** What is seen of the game; nothing before it has been told. @type {any} */
let view = null;
/** The show that was told last. @type {any} */
let show = null;
/** @type {{options: Option[], question: Question | null, prompts: string[]}} */
const NOTHING = { options: [], question: null, prompts: [] };
/** The answers that are chosen and not given yet. */
let gesture = NOTHING;
let busy = false;
/** @type {{text: string, level: number}[]} */
let teaching = [];
let taught = "";
/** @type {{side: string, words: string} | null} */
let handover = null;
let looksOn = false;
let fault = "";
/** @type {import("./clock.js").Times | null} */
let times = null;
let listed = /** @type {Option | null} */ (null);
/** The question that the cards of the hand lie open for. @type {Question | null} */
let laid = null;
/** What would be meant by the place that the mouse is at. @type {Option[]} */
let over = [];
/** That place. @type {Pick | null} */
let hovering = null;
/** Where odds stand beside the cards of the hand. @type {[HTMLElement, Option][]} */
let dealtOdds = [];
const bubble = new Bubble(document.body);
const note = make("div", $("map"), undefined, "teaching");
note.setAttribute("aria-live", "polite");
note.hidden = true;
/** On a small screen it stands above the question, else it would lie on the pieces. */
const small = matchMedia("(max-width: 900px)"), place = () => { if (small.matches) $("question").before(note); else $("map").append(note); };
small.addEventListener("change", place);
place();
const tip = make("div", document.body, undefined, "tip");
tip.hidden = true;
tip.setAttribute("aria-hidden", "true");
/** Odds that have come while somebody was at what they are of: else a screen reader would not tell them. */
const heard = make("p", document.body, undefined, "hidden");
heard.setAttribute("aria-live", "polite");
const lost = make("p", document.body, words.lost, "lost");
lost.hidden = true;
lost.setAttribute("role", "status");

// -------------------------------------------------------------------- what is told

const connection = new Connection(game, seat, (message) => {
  if (message.begin) begin(message.begin);
  else if (message.more) grow(message.more);
  else if (message.fault) { fault = message.fault; paint(); }
  else if (message.gone) { lost.textContent = message.gone; lost.hidden = false; }
}, (is) => { lost.hidden = !is; });

const odds = new Odds((request) => connection.ask(request), () => {
  for (const [place, option] of dealtOdds) place.textContent = odds.words(option);
  if (bubble.again) bubble.again();
  hovered(hovering);
  paint();
  const at = document.activeElement && document.activeElement.closest("button.option"), asked = question();
  const option = at && asked && asked.options.find((one) => String(one.number) === at.getAttribute("data-number"));
  heard.textContent = option ? odds.words(option) : "";
});

/** Say at the head of the page what is played, and by whom. @param {any} table */
const head = (table) => {
  document.title = table.words;
  const title = /** @type {HTMLElement} */ (document.querySelector("h1")), players = /** @type {HTMLElement} */ (document.querySelector(".players"));
  title.textContent = table.words + " ";
  if (table.date) make("span", title, table.date, "date");
  players.textContent = "";
  for (const side in table.sides) make("span", players, table.sides[side] + (table.players[side] === "bot" ? ": bot" : ""));
};

/** What a board is laid out by. @param {Moments} moments */
const laidOut = ({ data: { drawing } }) => JSON.stringify([drawing.width, drawing.height, drawing.sea, drawing.names, drawing.hexes]);

/** @param {any} told */
const begin = (told) => {
  const at = view ? view.course.current : -1, before = view ? view.moments.count : 0;
  const moments = new Moments(told.telling);
  odds.forget();
  if (view && laidOut(view.moments) !== laidOut(moments)) { location.reload(); return; }
  if (view) {
    view.board.drawn = { looks: 0, defs: 0 };
    view.moments.data = told.telling;
    view.moments.list = moments.list;
    view.moments.layers = moments.layers;
    view.board.shown = undefined;
    view.panels.grow(0);
    view.course.grow();
    view.course.go(at === before - 1 ? view.course.last : at, true);
  } else {
    const panels = new Panels(moments, words);
    panels.dealt = dealt;
    const board = new Board(/** @type {any} */ ($("board")), moments, { picked, hovered, held: (name) => mayMove(name) });
    const course = new Course(moments, board, panels, () => { if (view) looked(); paint(); });
    view = { moments, panels, board, course, table: told.table };
    board.focus();
    board.look();
    course.go(course.last);
  }
  view.table = told.table;
  head(told.table);
  take(told);
  const seen = Number(localStorage.getItem(seenAs()) || -1);
  if (at < 0 && seen > 0) came(seen + 1);
  looked();
  paint();
};

/** @param {any} told */
const grow = (told) => {
  const { moments, panels, course } = view, was = course.last, live = course.current >= was;
  const kept = moments.grow(told.telling);
  panels.grow(kept);
  course.grow();
  take(told);
  if (course.current >= kept) course.go(Math.min(course.current, course.last), true);
  if (unseen >= kept) unseen = -1;
  came(Math.min(kept, was + 1));
  if (live) follow(Math.min(kept, was + 1));
  paint();
};

/** The first moment that has come since one looked; -1 where none has. */
let unseen = -1;
const seenAs = () => "seen " + gameAt(game) + " " + show.seat;
/** @param {number} first the first moment that is new */
const came = (first) => {
  const { list } = view.moments, own = Object.keys(view.table.sides).indexOf(show.seat);
  while (first < list.length && list[first].s === own) first += 1;
  if (unseen < 0 && first < list.length) unseen = first;
};
const looked = () => {
  const { course } = view;
  if (show && course.current === course.last && !document.hidden) localStorage.setItem(seenAs(), String(course.last));
};

let follower = 0;
/** Go to the last moment, through those that others have brought about. @param {number} first the first that is new */
const follow = (first) => {
  const { course } = view;
  clearTimeout(follower);
  if (PACE === 0 || course.last - first < 1 || course.last - first > 40) { course.go(course.last, true); return; }
  const step = () => {
    if (course.current >= course.last || course.timer) return;
    course.go(course.current + 1);
    follower = setTimeout(step, PACE);
  };
  step();
};
const toNow = () => { clearTimeout(follower); view.course.stop(); view.course.go(view.course.last); };

/** @param {any} told */
const take = (told) => {
  const asks = !show || show.version !== told.show.version;
  show = told.show;
  handover = told.handover || null;
  if (!handover) looksOn = false;
  fault = told.fault || "";
  times = told.clock || null;
  if (asks) { gesture = NOTHING; bubble.close(); hovered(null); heard.textContent = ""; }
  $("outcome").textContent = show.end;
  teach();
  paint();
};

// -------------------------------------------------------------------- what is asked

/** @returns {Question | null} */
const question = () => gesture.question || (show && show.question);

/** The dialogue with the server over one thing; nothing else is asked meanwhile. @param {Record<string, any>} request */
const ask = async (request) => {
  busy = true;
  paint();
  const reply = await connection.ask(request);
  busy = false;
  if (reply.reply === "show") { if (!show || reply.version >= show.version) take({ show: reply, handover: handover || undefined }); }
  paint();
  return reply;
};

/** @param {any} reply an error @param {{x: number, y: number} | null} at @param {() => void} [again] what does it all the same */
const refused = (reply, at, again) => {
  if (reply.kind === "lost" || reply.kind === "version") return;
  const lines = [...(reply.reasons || []), ...(reply.remedy ? [{ text: reply.remedy, level: 0 }] : [])];
  const choices = reply.kind === "sure" && again ? [{ words: words.anyway, main: true, act: again }] : [];
  bubble.say(at, reply.where ? reply.where + ": " + reply.message : reply.message, lines, choices, reply.kind === "sure" ? words.cancel : words.close);
};

/** @param {string[]} texts @param {{x: number, y: number} | null} at @param {boolean} [careful] */
const commit = async (texts, at, careful = true) => {
  toNow();
  unseen = -1;
  const reply = await ask({ do: "answer", version: show.version, options: texts, careful, brief: true });
  if (reply.reply === "error") { drop(); refused(reply, at, () => commit(texts, at, false)); }
};

const drop = () => { gesture = NOTHING; paint(); };

/** Choose an option: it is kept until piece, hex and target are known. @param {Option} option @param {{x: number, y: number} | null} [at] */
const choose = async (option, at = null) => {
  bubble.close();
  const asked = question();
  if (busy || !asked) return;
  const options = [...gesture.options, option], prompts = [...gesture.prompts, asked.prompt], texts = options.map((one) => one.text);
  if (option.passes || !option.parts.length || asked.side !== show.seat) { await commit(texts, at); return; }
  const reply = await ask({ do: "after", version: show.version, options: texts });
  if (reply.reply === "error") { drop(); refused(reply, at); return; }
  const next = /** @type {Question | null} */ (reply.question), named = options.flatMap((one) => one.parts.map((part) => part.name));
  if (next && !prompts.includes(next.prompt) && next.about.some((name) => named.includes(name))) {
    gesture = { options, question: next, prompts };
    paint();
  } else await commit(texts, at);
};

// -------------------------------------------------------------------- pointing at the board

/** @param {Option} option @param {Pick} pick */
const names = (option, pick) => option.parts.some((part) => pick.pieces.includes(part.name));
/** @param {Option} option @param {string | null} hex */
const lies = (option, hex) => hex !== null && option.parts.some((part) => part.hexes.includes(hex));

/** @param {Question | null} asked @param {Pick} pick @returns {Option[]} the options that are meant by a place */
const meant = (asked, pick) => {
  const options = asked ? asked.options : [];
  const first = options.filter((option) => option.parts.some((part) => part.name === pick.pieces[0]));
  if (first.length) return first;
  const some = options.filter((option) => names(option, pick));
  return some.length ? some : options.filter((option) => lies(option, pick.hex));
};

/** @param {string} name @returns {boolean} whether a piece may be taken up */
const mayMove = (name) => Boolean(show && show.question && !busy && show.question.options.some((/** @type {Option} */ option) => option.parts.some((part) => part.role === "piece" && part.name === name)));

/** @param {Option[]} options @param {{x: number, y: number}} at */
const tellOffer = (options, at) => {
  const one = options.length === 1 ? options[0] : null, note = (/** @type {Option} */ option) => odds.coming(option) ? "…" : odds.words(option);
  const choices = options.map((option) => ({ words: one ? words.choose : option.words, note: one ? "" : note(option), main: Boolean(one), act: () => choose(option, at) }));
  bubble.say(at, one ? one.words : words.several, one && note(one) ? [{ text: note(one), level: 0 }] : [], choices, words.cancel);
  if (options.some((option) => odds.coming(option))) bubble.again = () => tellOffer(options, at);
};

/** Choose the only option; of several, or where it has odds, ask first. @param {Option[]} options @param {{x: number, y: number}} at */
const offer = async (options, at) => {
  const asked = question();
  bubble.close();
  await odds.wait(options);
  if (asked !== question() || bubble.open) return;
  const [one] = options;
  if (options.length === 1 && !odds.coming(one) && !odds.words(one)) await choose(one, at);
  else tellOffer(options, at);
};

/** @param {Pick} pick */
async function picked(pick) {
  if (!show || busy) return;
  if (bubble.open) bubble.close();
  if (view.course.current < view.course.last) toNow();
  const at = { x: pick.x, y: pick.y };
  let options = meant(question(), pick);
  if (!options.length && gesture.options.length) {
    const again = gesture.options.some((option) => option.parts.some((part) => part.name === pick.pieces[0]));
    options = again ? [] : meant(show.question, pick);
    if (again || options.length) drop();
    if (again) return; // who points at what is chosen lets it go
  }
  if (pick.to && options.length) {
    const there = { ...pick, pieces: pick.toPieces, hex: pick.to, to: null };
    await choose(options.find((option) => option.parts.some((part) => part.name === pick.pieces[0])) || options[0], at);
    if (gesture.question) { const ends = meant(gesture.question, there); if (ends.length) await offer(ends, at); else why(there, at); }
    return;
  }
  if (options.length) { await offer(options, at); return; }
  await why(pick, at);
}

/** What is meant by a place stands out in the list, and what comes of it beside the place. @param {Pick | null} pick */
function hovered(pick) {
  const now = view && show && !handover && view.course.current === view.course.last && !bubble.open;
  const options = now && pick ? meant(question(), pick) : [], told = options.filter((option) => odds.words(option)).slice(0, 4);
  hovering = pick;
  if (options.length !== over.length || options.some((option, i) => option !== over[i])) { over = options; paint(); }
  tip.hidden = !told.length;
  if (!pick || !told.length) return;
  render(told.map((option) => html`<p>${told.length > 1 && html`<span>${option.item}</span> `}<b>${odds.words(option)}</b></p>`), tip);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.min(pick.x + 18, innerWidth - width - 6) + "px";
  tip.style.top = Math.min(pick.y + 18, innerHeight - height - 6) + "px";
}

/** A card of a hand can be played where it lies. @param {string} title @param {HTMLElement} item */
const dealt = (title, item) => {
  dealtOdds = dealtOdds.filter(([place]) => place.isConnected);
  const asked = view && show && !handover && view.course.current === view.course.last ? question() : null;
  const options = asked ? asked.options.filter((option) => option.parts.some((part) => part.role === "card" && part.words === title)) : [];
  if (!options.length) return;
  item.classList.add("playable");
  for (const option of options) {
    const button = /** @type {HTMLButtonElement} */ (make("button", item, option.words));
    button.type = "button";
    if (option.foreseen) dealtOdds.push([make("span", button, odds.words(option), "odds"), option]);
    button.addEventListener("click", (event) => { event.stopPropagation(); choose(option); });
  }
  item.addEventListener("click", (event) => offer(options, { x: event.clientX, y: event.clientY }));
};

/** Say why nothing can be done with a place. @param {Pick} pick @param {{x: number, y: number}} at */
const why = async (pick, at) => {
  const line = pick.pieces[0] || pick.hex;
  if (!line) return;
  const behind = gesture.options.map((option) => option.text), hex = pick.hex || line;
  if (show.question && show.question.side === show.seat) {
    const reply = await connection.ask({ do: "why_not", version: show.version, line: behind.length ? hex : line, ...(behind.length ? { options: behind } : {}) });
    if (reply.reply === "lines" && reply.lines.length) { bubble.say(at, words.not_possible, reply.lines, [], words.close); return; }
    const more = await connection.ask({ do: "why", version: show.version, line });
    if (more.reply === "lines" && more.lines.length) { bubble.say(at, pick.pieces[0] || hex, more.lines, [], words.close); return; }
  }
  const seen = await connection.ask({ do: "look", line });
  if (seen.reply === "lines" && seen.lines.length) bubble.say(at, line, seen.lines, [], words.close);
};

// -------------------------------------------------------------------- what can be asked beside it

/** @param {Option | null} option */
const explain = async (option) => {
  const behind = gesture.options.map((one) => one.text);
  const reply = option && behind.length
    ? await connection.ask({ do: "forecast", version: show.version, options: [...behind, option.text] })
    : await connection.ask({ do: "why", version: show.version, ...(option ? { line: option.text } : {}) });
  if (reply.reply === "error") refused(reply, null);
  else bubble.say(null, option ? option.words : (question() || { words: "" }).words, reply.lines || (reply.forecasts || []).flat(), [], words.close);
};

/** @param {string} what */
const act = async (what) => {
  const version = show.version;
  if (what === "undo") { drop(); const reply = await ask({ do: "undo", version, brief: true }); if (reply.reply === "error") refused(reply, null); }
  if (what === "never") { const reply = await ask({ do: "pass", version, standing: true, brief: true }); if (reply.reply === "error") refused(reply, null); }
  if (what === "expect") bubble.say(null, words.expects, (await connection.ask({ do: "expect" })).lines, [], words.close);
  if (what === "hint") {
    const reply = await ask({ do: "hint", version });
    if (reply.reply === "error") { refused(reply, null); return; }
    const option = show.question && show.question.options.find((/** @type {Option} */ one) => one.text === reply.option);
    const at = option && option.parts[0] && option.parts[0].hexes[0] ? view.board.at(option.parts[0].hexes[0]) : null;
    bubble.say(at, words.hint, reply.lines, option ? [{ words: words.choose, main: true, act: () => { drop(); choose(option, at); } }] : [], words.close);
  }
};

/** @param {string} line what somebody has typed @param {boolean} [careful] */
const typed = async (line, careful = true) => {
  toNow();
  drop();
  if (["undo", "hint", "expect", "never"].includes(line.trim().toLowerCase())) { await act(line.trim().toLowerCase()); return; }
  if (line.startsWith("?")) {
    const reply = await connection.ask({ do: "why", version: show.version, line: line.slice(1).trim() });
    if (reply.reply === "error") refused(reply, null); else bubble.say(null, line, reply.lines, [], words.close);
    return;
  }
  const reply = await ask({ do: "answer", version: show.version, line, careful, brief: true });
  if (reply.reply === "error") refused(reply, null, () => typed(line, false));
};

/** Explain what is asked for the first time. */
const teach = async () => {
  teaching = [];
  const asked = show.question, key = view && view.table.ruleset + "/" + (asked && asked.prompt);
  if (!asked || !view || localStorage.getItem("explain") === "no" || asked.side !== show.seat || taught === key) return;
  const known = JSON.parse(localStorage.getItem("explained") || "[]");
  if (known.includes(key)) return;
  taught = key;
  const reply = await connection.ask({ do: "why", version: show.version });
  if (reply.reply !== "lines" || !show.question || show.question.prompt !== asked.prompt) return;
  localStorage.setItem("explained", JSON.stringify([...known, key].slice(-300)));
  teaching = reply.lines;
  paint();
};

// -------------------------------------------------------------------- what is drawn

const light = () => {
  if (!view) return;
  const { board, table, course } = view, asked = course.current === course.last ? question() : null;
  if (!asked) { board.light([], []); return; }
  const lights = table.highlights || {}, shown = listed ? [listed] : asked.options;
  const hexes = new Set(shown.flatMap((option) => option.parts.flatMap((part) => part.hexes)));
  /** @type {Set<string>} */
  const own = new Set();
  const pieces = shown.flatMap((option) => option.parts.filter((part) => part.role === "piece" || part.role === "target").map((part) => { part.hexes.forEach((hex) => own.add(hex)); return { name: part.name, kind: part.role }; }));
  const chosen = gesture.options.flatMap((option) => option.parts.filter((part) => part.role === "piece").map((part) => ({ name: part.name, kind: "chosen" })));
  board.light([...hexes].map((hex) => {
    const { color, sign } = lights[asked.hexes[hex] || ""] || { color: "gold", sign: "" };
    return { hex, color, sign: asked.hexes[hex] ? sign : "", kind: (own.has(hex) ? "piece" : "place") + (listed ? " pointed" : "") };
  }), [...pieces, ...chosen]);
};

const point = (/** @type {Option | null} */ option) => {
  listed = option;
  light();
  if (option && view) view.board.reach(option.parts.flatMap((part) => part.hexes));
};

const Waiting = () => {
  if (show.end) return html`<div class="asked"><h2>${show.end}</h2>${lobbyAt && html`<p><a class="main" href=${lobbyAt}>${words.to_lobby}</a></p>`}</div>`;
  const name = show.decides ? view.table.sides[show.decides] : "";
  return html`<div class="asked"><p class="waiting">${show.seat === null && html`${words.looking_on} `}${filled(show.waits ? words.waits : words.thinks, name)}</p></div>`;
};

const Teaching = () => html`
  <button type="button" class="ask" aria-label=${words.close} title=${words.close} onClick=${() => { teaching = []; paint(); }}>×</button>
  ${teaching.slice(1).map((one) => html`<p>${one.text}</p>`)}
  <p><button type="button" class="less" onClick=${() => { localStorage.setItem("explain", "no"); teaching = []; paint(); }}>${words.explain_no_more}</button></p>`;

/** @param {number} way */
const go = (way) => { clearTimeout(follower); view.course.stop(); view.course.go(view.course.current + way); };

const Since = () => html`
  <div class="past">
    <span>${filled(words.since, view.course.last - unseen + 1)}</span>
    <button type="button" onClick=${() => view.course.go(unseen)}>${words.step_through}</button>
  </div>`;

const Past = () => html`
  <div class="past">
    <span>${words.happening}</span>
    <button type="button" aria-label=${words.back} title=${words.back} disabled=${view.course.current < 1} onClick=${() => go(-1)}>◀</button>
    <button type="button" aria-label=${words.forward} title=${words.forward} onClick=${() => go(1)}>▶</button>
    <button type="button" class="main" onClick=${toNow}>${words.now}</button>
  </div>`;

const Veil = () => html`
  <div class="veil" role="dialog" aria-modal="true" aria-label=${filled(words.handover, handover ? handover.words : "")}>
    <div>
      <h2>${filled(words.handover, handover ? handover.words : "")}</h2>
      <p>${filled(words.handover_hint, view.table.sides[show.seat] || "")}</p>
      <button type="button" class="main" autofocus onClick=${() => { connection.end(); location.replace(gameAt(game, handover ? handover.side : "")); }}>${filled(words.i_am, handover ? handover.words : "")}</button>
      <button type="button" onClick=${() => { looksOn = true; paint(); }}>${filled(words.stay, view.table.sides[show.seat] || "")}</button>
    </div>
  </div>`;

function paint() {
  if (!view || !show) return;
  odds.of(question(), show.version, gesture.options.map((one) => one.text));
  const asked = question(), people = Object.values(view.table.players).filter((who) => who !== "bot").length, behind = view.course.current < view.course.last;
  render(html`
    ${times && !show.end && html`<p class="time"><${Clock} times=${times} names=${view.table.sides} words=${words} claim=${() => askFor(words.lost, gameAt(game) + "/claim" + location.search, "POST")} /></p>`}
    ${fault && html`<p class="fault" role="alert">${filled(words.fault, fault)}</p>`}
    ${behind ? html`<${Past} />` : unseen >= 0 && html`<${Since} />`}
    ${asked && !handover ? html`<${Asked} question=${asked} who=${people > 1 && show.decides ? view.table.sides[show.decides] : ""} taken=${gesture.options.map((one) => one.words)}
      undo=${show.undo && !gesture.options.length} bots=${Object.values(view.table.players).includes("bot")} busy=${busy} odds=${odds} words=${words} take=${(/** @type {Option} */ option) => choose(option)} why=${explain} point=${point} cancel=${drop} act=${act} type=${typed} over=${over} />`
    : html`<${Waiting} />`}`, $("question"));
  note.hidden = !teaching.length || gesture.options.length > 0 || behind;
  render(note.hidden ? null : html`<${Teaching} />`, note);
  const veiled = Boolean(handover && !looksOn);
  for (const part of document.querySelectorAll("main, footer, header")) part.toggleAttribute("inert", veiled);
  document.body.classList.toggle("veiled", veiled);
  render(veiled ? html`<${Veil} />` : null, $("over"));
  document.body.classList.toggle("mine", Boolean(asked));
  if (asked !== laid && !$("panel-hands").hidden) view.panels.open();
  laid = asked;
  light();
}

let digits = "", digitAt = 0;
/** A number brings the keyboard to the option that has it. @param {KeyboardEvent} event */
const numbered = (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog, .bubble")) return false;
  digits = (event.timeStamp - digitAt < 900 ? digits : "") + event.key;
  digitAt = event.timeStamp;
  const button = /** @type {HTMLElement | null} */ (document.querySelector('#question [data-number="' + Number(digits) + '"]'));
  if (button) button.focus();
  return Boolean(button);
};

document.addEventListener("keydown", (event) => {
  if (/^[0-9]$/.test(event.key) && numbered(event)) event.stopImmediatePropagation();
  if (event.key === "Escape") { if (bubble.open) bubble.close(); else if (gesture.options.length) drop(); }
});
