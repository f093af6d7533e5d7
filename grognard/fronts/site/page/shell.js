/** The page around the others: it holds the engine, so that nothing is begun anew when one goes from the lobby to a game. */

const words = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("words")).textContent || "{}");
const page = /** @type {HTMLIFrameElement} */ (document.getElementById("page")), state = /** @type {HTMLElement} */ (document.getElementById("state"));
const language = navigator.languages.map((one) => one.split("-")[0].toLowerCase()).find((one) => one in words) || "en";
/** Which addresses the part after # may name. */
const INSIDE = /^[a-z]{2}\/(lobby|game|record)\.html(\?[^#]*)?$/;

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
/** @type {Map<number, (done: any) => void>} */
const waiting = new Map();
let asked = 0, ready = false, broken = "", told = (/** @type {any} */ _) => {};

const paint = () => {
  state.textContent = broken ? words[language].broken.replace("{0}", broken) : ready || !waiting.size ? "" : words[language].ready;
  state.hidden = !state.textContent;
};

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.ready) ready = true;
  if (data.broken) broken = data.broken;
  if (data.told) told(data.told);
  const done = waiting.get(data.id);
  if (done) { waiting.delete(data.id); done(data); }
  paint();
};
worker.onerror = (/** @type {ErrorEvent} */ event) => { broken = event.message || "…"; paint(); };

/** What the pages within ask of this one. */
const shell = {
  language,
  /** @param {any} request @returns {Promise<{reply?: any, error?: {message: string, remedy: string}}>} what the engine says */
  ask: (request) => new Promise((done) => {
    waiting.set(++asked, done);
    worker.postMessage({ id: asked, request });
    paint();
  }),
  /** @param {(message: any) => void} listener is told what happens at the table */
  listen: (listener) => { told = listener; },
  /** @param {Location} place where the page within is now @param {string} title */
  at: (place, title) => {
    const folder = new URL(".", location.href).href;
    history.replaceState(null, "", "#" + place.href.slice(folder.length));
    document.title = title;
  },
};
Object.assign(window, { grognard: shell });

const wanted = location.hash.slice(1);
page.src = INSIDE.test(wanted) ? wanted : language + "/lobby.html";
