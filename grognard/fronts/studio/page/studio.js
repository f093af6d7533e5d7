/**
 * The studio: the table on the left, the text on the right, below it what is told.
 *
 * @typedef {import("./panels.js").File} File @typedef {import("./panels.js").Found} Found
 * @typedef {import("./panels.js").Case} Case @typedef {import("./panels.js").Odd} Odd
 * @typedef {{state: string, words: string, lost: {what: string, why: string}[], seconds: number}} State
 * @typedef {{ruleset: string, files: File[], scenario: string | null, scenarios: {uri: string, name: string, title: string}[], game: string, making: boolean, players: Record<string, string>, sides: Record<string, string>, bots: string[]}} Begun
 */
import { render } from "preact";
import { $, filled, make } from "board/dom";
import { html } from "table/html";
import { Editor } from "./editor.js";
import { connect } from "./language.js";
import { Cases, Findings, Odds, Tabs, Why, called } from "./panels.js";
import { split } from "./splitter.js";

const words = JSON.parse(/** @type {string} */ ($("words").textContent));
/** The kinds of files, in the order in which they are listed. */
const KINDS = ["rules", "scenarios", "cases", "boards", "looks", "texts", "index", "other"];
/** @type {Record<string, string>} */
const SAYS = { "goes on": "goes_on", "went back": "went_back", "begun anew": "begun_anew", "stands still": "stands_still" };
const HERE = "studio " + document.title;

/** @type {import("./language.js").Language} */
let language;
/** @type {Editor} */
let editor;
/** @type {Begun} */
let begun;
/** The files with tabs, and the one that is shown. @type {string[]} */
let tabs = [];
let shown = "";
let panel = "findings";
/** @type {Map<string, Found[]>} */
const found = new Map();
/** @type {Case[]} */
let cases = [];
let running = false;
/** @type {Odd[] | null} */
let odds = null;
/** @type {State | null} */
let state = null;
let seed = "";
/** What is to be said until it is closed. @type {{text: string, choices: [string, () => void][]} | null} */
let notice = null;
/** Whether the name of the case that is being made is asked for. */
let naming = false;
/** What the table waits for, or why there is none. */
let waiting = words.compiling;
/** @type {any} what sets a scenario up, once it was wanted */
let setup = null;
let settingUp = false;
/** Why nothing goes to the server. @type {"" | "taken" | "gone"} */
let cut = "";
/** @type {HTMLIFrameElement | null} */
let frame = null;

// -------------------------------------------------------------------- files

/** @param {string} uri @param {number} [line] from 0 */
const go = async (uri, line) => {
  if (editor.text(uri) === undefined) {
    const { text, open } = await ask("studio/text", { uri });
    if (editor.text(uri) === undefined) {
      editor.open(uri, text, line);
      if (open !== null) editor.apply(uri, [{ range: { start: { line: 0, character: 0 }, end: end(text) }, newText: open }]);
    }
  }
  if (!tabs.includes(uri)) tabs = [...tabs, uri];
  shown = uri;
  editor.show(uri, line);
  remember();
  paint();
};

/** @param {string} text @returns {{line: number, character: number}} where it ends */
const end = (text) => { const lines = text.split("\n"); return { line: lines.length - 1, character: lines[lines.length - 1].length }; };

const remember = () => localStorage.setItem(HERE, JSON.stringify({ tabs, shown }));

/** Edits that the server makes of a text that may not be open yet. @param {string} uri @param {any[]} edits */
const change = async (uri, edits) => { await go(uri); editor.apply(uri, edits); };

/** @param {string} uri @param {boolean} [over] */
const save = async (uri, over = false) => {
  const text = editor.text(uri) || "", { saved } = await ask("studio/save", { uri, over });
  if (saved) {
    editor.saved(uri, text);
    language.notify("textDocument/didSave", { textDocument: { uri } });
  } else say(filled(words.changed_on_disk, called(begun.files, uri)), [[words.write_over, () => save(uri, true)]]);
  paint();
};

const saveAll = async () => { for (const uri of editor.dirty()) await save(uri); };

/** @param {string} name */
const create = async (name) => {
  const { uri } = await ask("studio/create", { name });
  begun = { ...begun, ...(await ask("studio/begin")) };
  await go(uri);
};

// -------------------------------------------------------------------- what the server is asked

/** @param {string} text @param {[string, () => void][]} [choices] */
const say = (text, choices = []) => { notice = { text, choices }; paint(); };

/** What the server answers; what it refuses is told. @param {string} method @param {any} [params] @returns {Promise<any>} */
const ask = async (method, params = {}) => {
  try { return await language.request(method, params); } catch (error) {
    if (!cut) say(filled(words.refused, /** @type {Error} */ (error).message));
    throw error;
  }
};

/** A change of the game that somebody has asked for, after which it is told anew. @param {string} method @param {any} params */
const play = async (method, params) => {
  await ask(method, params);
  begun = { ...begun, ...(await ask("studio/begin")) };
  reload();
  paint();
};

const reload = () => {
  if (frame) { frame.contentWindow?.location.reload(); return; }
  if (!begun || !begun.scenario) return;
  frame = /** @type {HTMLIFrameElement} */ (make("iframe", $("stage")));
  frame.title = words.table;
  waiting = words.table_loads;
  frame.addEventListener("load", () => { waiting = ""; dressed(); paint(); });
  frame.src = begun.game;
};

/** Odds take a while, and are asked for while somebody looks at them. */
let asking = false;
const askOdds = async () => {
  if (asking) return;
  asking = true;
  try { odds = await language.request("studio/odds"); } catch { odds = null; } finally { asking = false; }
  paint();
};

/** @param {string} name */
const showPanel = (name) => { panel = name; if (name === "odds") askOdds(); paint(); };

/** @param {string} what @param {string} [name] */
const makeCase = async (what, name) => {
  const made = await ask("studio/case", { do: what, name });
  naming = false;
  begun = { ...begun, making: what === "begin" };
  if (made && made.uri) { await change(made.uri, made.edits); say(filled(words.case_made, called(begun.files, made.uri))); }
  paint();
};

const toggleSetup = async () => {
  settingUp = !settingUp;
  if (settingUp && !setup) {
    const { SetUp } = await import("./setup.js");
    setup = new SetUp($("setup"), language, editor);
  }
  if (settingUp && begun.scenario) { await go(begun.scenario); setup.show(begun.scenario); } else if (setup) setup.hide();
  $("setup").hidden = !settingUp;
  $("stage").hidden = settingUp;
  paint();
};

// -------------------------------------------------------------------- what it tells

const listen = () => {
  language.on("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
    found.set(uri, diagnostics.map((/** @type {any} */ one) => ({ uri, line: one.range.start.line, severity: one.severity || 1, code: String(one.code || ""), message: one.message })));
    paint();
  });
  language.on("studio/game", (told) => {
    state = told;
    begun = { ...begun, making: told.making };
    if (told.state === "begun anew") language.request("studio/begin").then((now) => { begun = now; reload(); paint(); });
    if (told.state !== "stands still" && panel === "odds") askOdds();
    paint();
  });
  language.on("studio/cases", (told) => {
    running = told.running;
    if (!running || told.cases.length) { cases = told.cases; editor.cases(cases); }
    paint();
  });
  language.on("studio/reached", (counts) => editor.reached(counts));
  language.closed((event) => { cut = event.code === 4001 ? "taken" : "gone"; paint(); });
};

// -------------------------------------------------------------------- what is drawn

/** @param {{files: File[]}} props */
const Files = ({ files }) => {
  const own = files.filter((file) => !file.base), bases = [...new Set(files.map((file) => file.base).filter(Boolean))];
  /** @param {File[]} some @param {string} title */
  const group = (some, title) => some.length > 0 && html`<section><h3>${title}</h3><ul>${some.map((file) => html`
    <li><button type="button" popovertarget="files" popovertargetaction="hide" onClick=${() => go(file.uri)}>${file.name}</button></li>`)}</ul></section>`;
  /** @param {any} event */
  const send = (event) => { event.preventDefault(); create(event.target.elements.name.value.trim()).then(() => $("files").hidePopover(), () => {}); };
  return html`
    <button type="button" class="files" popovertarget="files">☰ ${words.files}</button>
    <div id="files" popover="auto">
      <div class="groups">
        ${KINDS.map((kind) => group(own.filter((file) => file.kind === kind), words[kind]))}
        ${bases.map((base) => group(files.filter((file) => file.base === base), filled(words.of_base, base)))}
      </div>
      <form class="row" onSubmit=${send}><input name="name" required aria-label=${words.new_file} placeholder=${words.new_file_hint} /><button type="submit">${words.new_file}</button></form>
    </div>`;
};

const Head = () => {
  const dirty = editor.dirty();
  /** @param {any} event */
  const anew = (event) => { event.preventDefault(); play("studio/again", seed.trim() ? { seed: Number(seed) } : {}).catch(() => {}); };
  /** @param {any} event */
  const named = (event) => {
    event.preventDefault();
    const field = event.target.elements.name, name = field.value.trim();
    if (name) makeCase("end", name).catch(() => {}); else { say(words.case_unnamed); field.focus(); }
  };
  return html`
    <h1>${begun.ruleset} <span class="date">${words.studio}</span></h1>
    <form class="game" onSubmit=${anew}>
      ${begun.scenarios.length > 0 && html`<label><span class="hidden">${words.scenario}</span>
        <select value=${begun.scenario} onChange=${(/** @type {any} */ event) => play("studio/scenario", { uri: event.target.value }).catch(() => {})}>
          ${begun.scenarios.map(({ uri, name, title }) => html`<option value=${uri} selected=${uri === begun.scenario}>${title || name}</option>`)}</select></label>`}
      ${Object.entries(begun.sides || {}).map(([side, name]) => html`<label><span>${name}</span>
        <select value=${begun.players[side]} onChange=${(/** @type {any} */ event) => play("studio/players", { [side]: event.target.value }).catch(() => {})}>
          ${["person", ...begun.bots].map((who) => html`<option value=${who} selected=${who === begun.players[side]}>${who === "person" ? words.you : who}</option>`)}</select></label>`)}
      <input class="seed" inputmode="numeric" pattern="[0-9]*" value=${seed} placeholder=${words.seed} aria-label=${words.seed} title=${words.seed_hint} onInput=${(/** @type {any} */ event) => { seed = event.target.value; }} />
      <button type="submit">${words.new_game}</button>
    </form>
    <div class="acts">
      <button type="button" aria-pressed=${settingUp} disabled=${!begun.scenario} onClick=${() => toggleSetup().catch((error) => { settingUp = false; say(error.message); })}>${settingUp ? words.play_on : words.set_up}</button>
      ${!begun.making && html`<button type="button" onClick=${() => makeCase("begin").catch(() => {})}>${words.begin_case}</button>`}
      ${begun.making && !naming && html`<button type="button" class="main" onClick=${() => { naming = true; paint(); }}>${words.end_case}</button>`}
      ${begun.making && naming && html`<form class="row" onSubmit=${named}><input name="name" autofocus aria-label=${words.case_name} placeholder=${words.case_name} /><button type="submit" class="main">${words.end_case}</button></form>`}
      ${begun.making && html`<button type="button" onClick=${() => makeCase("drop").catch(() => {})}>${words.drop_case}</button>`}
      <button type="button" class=${dirty.length ? "main" : ""} disabled=${!dirty.length} title=${words.save_hint} onClick=${() => saveAll().catch(() => {})}>${words.save_all}${dirty.length > 0 && ` (${dirty.length})`}</button>
      <button type="button" class="round" aria-label=${words.theme} title=${words.theme} onClick=${theme}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z" /></svg></button>
    </div>`;
};

const StateLine = () => {
  if (waiting) return html`<p class="soft">${waiting}</p>`;
  if (begun.making) return html`<p class="going"><span class="dot"></span>${words.case_going}</p>`;
  if (!state) return html`<p class="soft">${!begun.scenario ? words.no_scenario : frame ? "" : words.no_table}</p>`;
  const still = state.state === "stands still", told = state.words || (still && !frame ? words.no_table : words[SAYS[state.state]]);
  return html`
    <p class=${still ? "still" : "going"}><span class="dot"></span>${told}${!still && state.seconds ? html` <span class="soft">${filled(words.seconds, state.seconds.toFixed(2))}</span>` : ""}</p>
    ${(state.lost || []).map(({ what, why }) => html`<p class="lost-thing"><b>${what}</b> ${why}</p>`)}`;
};

const Strip = () => {
  const dirty = editor.dirty();
  return html`<${Files} files=${begun.files} />
    <div class="open" role="tablist" aria-label=${words.files}>${tabs.map((uri) => html`
      <button type="button" role="tab" aria-selected=${uri === shown} aria-controls="editor" onClick=${() => go(uri)}>${called(begun.files, uri)}${dirty.includes(uri) && html`<span class="unsaved" role="img" aria-label=${words.unsaved} title=${words.unsaved}>●</span>`}</button>`)}</div>`;
};

const Below = () => {
  const all = [...found.values()].flat().sort((a, b) => a.severity - b.severity);
  const red = cases.filter((one) => !one.held).length, counted = cases.length ? (red ? "✗ " + red : "✓ " + cases.length) + (cases.some((one) => one.old) ? " …" : "") : "";
  return html`<${Tabs} names=${[["findings", words.findings, all.length ? String(all.length) : ""], ["cases", words.cases, running ? "…" : counted], ["odds", words.odds, ""], ["why", words.why, ""]]} shown=${panel} show=${showPanel} label=${words.state_of_game}>
    ${panel === "findings" && html`<${Findings} found=${all} files=${begun.files} words=${words} go=${go} />`}
    ${panel === "cases" && html`<${Cases} cases=${cases} running=${running} files=${begun.files} words=${words} go=${go} />`}
    ${panel === "odds" && html`<${Odds} odds=${odds} words=${words} />`}
    ${panel === "why" && html`<${Why} ask=${(/** @type {string} */ line) => language.request("studio/why", { line })} files=${begun.files} words=${words} go=${go} />`}
  <//>`;
};

const Over = () => {
  if (cut) return html`<div class="veil" role="alertdialog" aria-modal="true"><div><h2>${cut === "taken" ? words.taken_over : words.server_gone}</h2>
    <button type="button" class="main" autofocus onClick=${again}>${cut === "taken" ? words.take_back : words.connect_again}</button></div></div>`;
  return notice && html`<div class="notice" role="alert"><p>${notice.text}</p>
    ${notice.choices.map(([text, act]) => html`<button type="button" class="main" onClick=${() => { notice = null; act(); paint(); }}>${text}</button>`)}
    <button type="button" onClick=${() => { notice = null; paint(); }}>${words.close}</button></div>`;
};

let painting = 0;
function paint() {
  cancelAnimationFrame(painting);
  painting = requestAnimationFrame(() => {
    render(html`<${Head} />`, $("head"));
    render(html`<${StateLine} />`, $("state"));
    render(html`<${Strip} />`, $("texts"));
    render(html`<${Below} />`, $("below"));
    render(html`<${Over} />`, $("over"));
  });
}

const theme = () => {
  const root = document.documentElement, dark = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  localStorage.setItem("theme", dark === "dark" ? "light" : "dark");
  dressed();
};

/** Table and text are light, or dark, together. */
const dressed = () => {
  const chosen = localStorage.getItem("theme");
  if (!chosen) return;
  for (const root of [document, frame && frame.contentDocument]) if (root) root.documentElement.dataset.theme = chosen;
};

/** The texts stay: what is written here is told again to the server. */
const again = () => { unguarded = true; location.reload(); };
let unguarded = false;

addEventListener("beforeunload", (event) => { if (!unguarded && editor && editor.dirty().length) event.preventDefault(); });
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
    event.preventDefault();
    if (shown) save(shown).catch(() => {});
  }
}, true);

const begin = async () => {
  dressed();
  render(html`<${StateLine} />`, $("state"));
  language = await connect((location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/language");
  editor = new Editor($("editor"), language);
  editor.changed((uri) => { if (!tabs.includes(uri)) tabs = [...tabs, uri]; paint(); });
  editor.opens(go);
  listen();
  begun = await language.request("studio/begin");
  waiting = "";
  if (Object.keys(begun.sides).length) reload();
  split($("across"), $("desk"), "--left", words.table_and_text);
  split($("down"), $("right"), "--text", words.text_and_panels);
  const known = JSON.parse(localStorage.getItem(HERE) || "{}"), there = new Set(begun.files.map((file) => file.uri));
  const own = begun.files.filter((file) => file.kind === "rules" && !file.base), first = own.find((file) => file.name === "ruleset.grog") || own[0];
  const unsaved = begun.files.filter((file) => file.open).map((file) => file.uri);
  const wanted = [...new Set([...(known.tabs || []), ...unsaved])].filter((uri) => there.has(uri));
  if (!wanted.length && first) wanted.push(first.uri);
  for (const uri of wanted) await go(uri);
  if (there.has(known.shown)) await go(known.shown);
  paint();
};

begin().catch((error) => {
  waiting = filled(words.refused, error.message);
  render(html`<${StateLine} />`, $("state"));
});
