/**
 * The lobby: battles to begin, games to go on with.
 *
 * @typedef {{name: string, title: string, date: string, ruleset: string, game: string, sides: Record<string, string>, length: number, lines: string[]}} Scenario
 * @typedef {{name: string, title: string, decides: string, turn: boolean, own: boolean, clock: import("./clock.js").Times | null, sides: Record<string, string>, away: Record<string, string>}} Game
 */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { $, filled } from "board/dom";
import { Clock } from "./clock.js";
import { html } from "./html.js";
import { ask as asked, gameAt, pictureAt, recordAt } from "way";

const words = JSON.parse(/** @type {string} */ ($("words").textContent));

/** @param {string} path @param {string} method @param {any} [body] */
const ask = (path, method, body) => asked(words.lost, path, method, body);

/** @param {string} text @returns {string} small letters without accents */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @param {Scenario} scenario @returns {string} the game, when it was, and how long it is */
const heading = ({ game, date, length }) => [game, date, length && filled(words.length, length)].filter(Boolean).join(" · ");

/** A link to be sent to somebody. @param {{to: string, link: string}} props */
const Link = ({ to, link }) => {
  const box = useRef(/** @type {HTMLInputElement | null} */ (null)), [copied, note] = useState(false);
  const copy = async () => {
    if (box.current) box.current.select();
    try { await navigator.clipboard.writeText(link); note(true); } catch { note(false); } // not over plain http: it is selected
  };
  return html`<p class="link"><label><span>${to}</span><input ref=${box} readonly value=${link} onFocus=${(/** @type {any} */ event) => event.target.select()} /></label>
    <button type="button" onClick=${copy}>${copied ? words.copied : words.copy}</button></p>`;
};

/** Links for the seats of a game. @param {{game: Game, done: () => void}} props */
const Links = ({ game, done }) => {
  const [links, set] = useState(/** @type {Record<string, string>} */ ({})), [wrong, tell] = useState("");
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => { if (box.current && !box.current.open) box.current.showModal(); });
  const make = async (/** @type {string} */ seat) => {
    const reply = await ask("/games/" + encodeURIComponent(game.name) + "/links", "POST", JSON.stringify({ seat }));
    if (reply.ok) { tell(""); set({ ...links, [seat]: reply.link }); } else tell([reply.message, reply.remedy].filter(Boolean).join(" – "));
  };
  return html`
    <dialog ref=${box} onClose=${done} aria-labelledby="links-title">
      <h2 id="links-title">${filled(words.links_of, game.title)}</h2>
      <p>${words.link_hint}</p>
      ${[...Object.entries(game.away), ["", words.watchers]].map(([seat, name]) => links[seat]
        ? html`<${Link} to=${name} link=${links[seat]} />`
        : html`<p><button type="button" onClick=${() => make(seat)}>${filled(words.new_link, name)}</button></p>`)}
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <div class="row"><button type="button" onClick=${() => box.current && box.current.close()}>${words.close}</button></div>
    </dialog>`;
};

/** The clocks that are on offer. @type {[string, string, any][]} */
const CLOCKS = [.../** @type {[string, string, any][]} */ ([1, 3, 7, 14].map((days) => ["turn" + days, filled(words.clock_turn, days), { by: "turn", days }])),
  .../** @type {[string, string, any][]} */ ([30, 60, 120, 240].map((minutes) => ["game" + minutes, filled(words.clock_game, minutes), { by: "game", minutes }]))];

/** @param {{scenario: Scenario, players: string[], names: Record<string, string>, done: () => void}} props */
const Start = ({ scenario, players, names, done }) => {
  const sides = Object.entries(scenario.sides), [who, choose] = useState(/** @type {Record<string, string>} */ ({})), [wrong, tell] = useState(""), [busy, wait] = useState(false), [begun, set] = useState(/** @type {{game: string, links: Record<string, string>} | null} */ (null));
  const [time, limit] = useState("");
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => { if (box.current && !box.current.open) box.current.showModal(); });
  const playing = (/** @type {string} */ side, /** @type {number} */ i) => who[side] || (i === sides.length - 1 ? "person" : "greedy");
  const begin = async (/** @type {Event} */ event) => {
    event.preventDefault();
    wait(true);
    const made = Object.fromEntries(sides.map(([side], i) => [side, playing(side, i)]));
    const reply = await ask("/games", "POST", JSON.stringify({ scenario: scenario.name, players: made, clock: (CLOCKS.find(([key]) => key === time) || [])[2] }));
    if (reply.ok && Object.keys(reply.links).length) set(reply);
    else if (reply.ok) location.assign(gameAt(reply.game));
    else { wait(false); tell([reply.message, reply.remedy].filter(Boolean).join(" – ")); }
  };
  if (begun) return html`
    <dialog ref=${box} onClose=${done} aria-labelledby="start-title">
      <h2 id="start-title">${scenario.title}</h2>
      <p>${words.send_links}</p>
      ${Object.entries(begun.links).map(([side, link]) => html`<${Link} to=${scenario.sides[side] || side} link=${link} />`)}
      <div class="row"><a class="main" href=${gameAt(begun.game)}>${words.to_the_board}</a></div>
    </dialog>`;
  return html`
    <dialog ref=${box} onClose=${done} aria-labelledby="start-title">
      <form onSubmit=${begin}>
        <h2 id="start-title">${scenario.title}</h2>
        <p class="soft">${heading(scenario)}</p>
        ${scenario.lines.map((line) => html`<p>${line}</p>`)}
        ${sides.map(([side, name], i) => html`
          <label><span>${name}</span>
            <select value=${playing(side, i)} onChange=${(/** @type {any} */ event) => choose({ ...who, [side]: event.target.value })}>
              ${players.map((one) => html`<option value=${one} selected=${one === playing(side, i)}>${names[one] || words[one] || one}</option>`)}
            </select></label>`)}
        ${players.includes("link") && html`<label><span>${words.clock}</span>
          <select name="clock" value=${time} onChange=${(/** @type {any} */ event) => limit(event.target.value)}>
            <option value="">${words.no_clock}</option>${CLOCKS.map(([key, name]) => html`<option value=${key}>${name}</option>`)}
          </select></label>`}
        ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
        <div class="row">
          <button type="submit" class="main" disabled=${busy}>${words.begin}</button>
          <button type="button" onClick=${() => box.current && box.current.close()}>${words.close}</button>
        </div>
      </form>
    </dialog>`;
};

/** Pictures that are in sight and not yet there: one is asked for at a time, as drawing takes a while. @type {HTMLImageElement[]} */
const wanted = [];
let drawing = false;
const drawNext = () => {
  const picture = drawing ? undefined : wanted.shift();
  if (!picture) return;
  drawing = true;
  picture.onload = picture.onerror = () => { drawing = false; drawNext(); };
  picture.src = picture.dataset.src || "";
};
const inSight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inSight.unobserve(target);
    wanted.push(/** @type {HTMLImageElement} */ (target));
  }
  drawNext();
});

/** @param {{scenario: Scenario, start: () => void}} props */
const Card = ({ scenario, start }) => {
  const picture = useRef(/** @type {HTMLImageElement | null} */ (null));
  useEffect(() => { if (picture.current) inSight.observe(picture.current); }, []);
  return html`
  <li class="battle">
    <button type="button" onClick=${start}>
      <img ref=${picture} data-src=${pictureAt(scenario.name)} alt="" />
      <span class="text">
        <span class="title">${scenario.title}</span>
        <span class="soft">${heading(scenario)}</span>
        <span class="soft">${Object.values(scenario.sides).join(" – ")}</span>
        ${scenario.lines.slice(0, 1).map((line) => html`<span class="line">${line}</span>`)}
      </span>
    </button>
  </li>`;
};

/** @param {{played: (name: string) => void}} props */
const Own = ({ played }) => {
  const [findings, tell] = useState(/** @type {any[] | null} */ (null));
  const send = async (/** @type {any} */ event) => {
    const file = event.target.files[0];
    if (!file) return;
    const reply = await ask("/scenarios", "POST", file);
    event.target.value = "";
    if (reply.ok) { tell(null); played(reply.scenario); }
    else tell(reply.findings || [{ message: reply.message, remedy: reply.remedy }]);
  };
  return html`
    <section class="own">
      <h2>${words.own_scenario}</h2>
      <label><span>${words.own_hint}</span><input type="file" accept=".yaml,.yml" onChange=${send} /></label>
      ${findings && html`<div class="wrong" role="alert"><p>${words.own_wrong}</p><ul>${findings.map((one) => html`
        <li>${one.line ? filled(words.line, one.line) + ": " : ""}${one.message}${one.remedy ? " – " + one.remedy : ""}</li>`)}</ul></div>`}
    </section>`;
};

const Another = () => {
  const [link, set] = useState("");
  return html`
    <section class="another">
      <h2>${words.another_browser}</h2>
      ${link ? html`<p>${words.another_hint}</p><p><code>${link}</code></p>`
      : html`<button type="button" onClick=${async () => { const reply = await ask("/links", "POST", ""); if (reply.ok) set(reply.link); }}>${words.another_browser}</button>`}
    </section>`;
};

const Lobby = () => {
  const [told, set] = useState(/** @type {any} */ (null)), [search, look] = useState(""), [game, only] = useState(""), [chosen, choose] = useState(/** @type {Scenario | null} */ (null)), [linked, link] = useState(/** @type {Game | null} */ (null));
  const read = async () => { const reply = await ask("/lobby.json", "GET"); if (reply.ok) set(reply); return reply; };
  useEffect(() => { read(); }, []);
  if (!told) return html`<p class="loading">${words.loading}</p>`;
  const sought = plain(search).split(/\s+/).filter(Boolean);
  const found = /** @type {Scenario[]} */ (told.scenarios).filter((one) => (!game || one.game === game) && sought.every((word) => plain([one.title, one.date, one.game, one.name, ...Object.values(one.sides), ...one.lines].join(" ")).includes(word)));
  const games = [...new Set(/** @type {Scenario[]} */ (told.scenarios).map((one) => one.game))];
  return html`
    <header><div class="name"><h1>Grognard</h1></div>${told.account !== null && html`<div class="tools">${told.account
      ? html`<a class="way" href="/account">${filled(words.account, told.account)}</a>` : html`<a class="way" href="/sign-in">${words.sign_in}</a>`}</div>`}</header>
    <main>
      ${told.games.length > 0 && html`
        <section class="under-way"><h2>${words.under_way}</h2><ul>${told.games.map((/** @type {Game} */ one) => html`
          <li key=${one.name}><a href=${gameAt(one.name)}><b>${one.title}</b> ${one.turn && html`<strong class="turn">${words.your_turn}</strong> `}<span class="soft">${one.turn ? one.name : one.decides ? filled(words.decides_now, one.decides) : one.name}</span>${one.clock && html` <${Clock} times=${one.clock} names=${one.sides} words=${words} />`}</a>
            ${one.own && html`${told.links && html`<button type="button" class="less" aria-label=${words.links + ": " + one.name} onClick=${() => link(one)}>${words.links}</button>`}
            <button type="button" class="less" aria-label=${words.forget + ": " + one.name} onClick=${async () => { if (confirm(words.forget_sure)) { const reply = await ask("/games/" + encodeURIComponent(one.name), "DELETE"); if (!reply.ok) alert(reply.message); read(); } }}>${words.forget}</button>`}</li>`)}</ul></section>`}
      ${told.begins ? html`<section>
        <h2>${words.lobby}</h2>
        <div class="find">
          <label><span class="hidden">${words.search}</span><input type="search" value=${search} placeholder=${words.search_hint} onInput=${(/** @type {any} */ event) => look(event.target.value)} /></label>
          <label><span class="hidden">${words.all_games}</span><select value=${game} onChange=${(/** @type {any} */ event) => only(event.target.value)}>
            <option value="">${words.all_games}</option>${games.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
        </div>
        ${found.length ? html`<ul class="battles">${found.map((one) => html`<${Card} key=${one.name} scenario=${one} start=${() => choose(one)} />`)}</ul>` : html`<p>${words.nothing_found}</p>`}
      </section>` : !told.games.length && !told.finished.length && html`<p>${words.no_game}</p>`}
      ${told.finished.length > 0 && html`
        <section><h2>${words.finished}</h2><ul class="finished">${told.finished.map((/** @type {string} */ one) => html`
          <li key=${one}><a href=${recordAt(one)}>${one}</a></li>`)}</ul></section>`}
      ${told.host && html`<${Own} played=${async (/** @type {string} */ name) => { const now = await read(); choose(now.scenarios.find((/** @type {Scenario} */ one) => one.name === name) || null); }} />
      ${told.links && html`<${Another} />`}`}
    </main>
    ${linked && html`<${Links} game=${linked} done=${() => link(null)} />`}
    ${chosen && html`<${Start} scenario=${chosen} players=${told.players} names=${told.account ? { person: words.myself } : {}} done=${() => choose(null)} />`}`;
};

$("lobby").textContent = "";
render(html`<${Lobby} />`, $("lobby"));
