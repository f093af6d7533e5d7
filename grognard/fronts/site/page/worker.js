/**
 * The engine at work: Python beside the page. It is asked one thing after another; what it decides is kept before anybody
 * is told.
 *
 * @typedef {{reply?: any, error?: {message: string, remedy: string}, keep: import("./keeping.js").Game[], told: any, wait: number | null}} Done
 */
// @ts-ignore it stands there once the site is built
import { loadPyodide } from "../../engine/pyodide.mjs";
import { OPTIONS, unpack } from "./boot.mjs";
import { Overtaken, game, keepGame, scenarios } from "./keeping.js";

/** @param {string} name @returns {Promise<ArrayBuffer>} */
const fetched = async (name) => {
  const reply = await fetch(new URL("../../engine/" + name, import.meta.url));
  if (!reply.ok) throw new Error(name + ": " + reply.status);
  return reply.arrayBuffer();
};

const begun = (async () => {
  const [python, engine, compiled] = await Promise.all([
    loadPyodide({ indexURL: new URL("../../engine/", import.meta.url).href, ...OPTIONS }),
    fetched("grognard.zip"), fetched("compiled.zip"),
  ]);
  unpack(python, engine, compiled);
  const host = python.runPython("from grognard.fronts.site.browser_host import BrowserHost; BrowserHost()");
  for (const own of await scenarios()) host.call(JSON.stringify({ do: "take_in", text: own.text, language: "en" }));
  return host;
})();

/** The game that is open, and the revision in which it was kept last. */
let open = { name: "", revision: 0 };
let ahead = 0;

/** @param {any} request @returns {Promise<Done>} what comes of it, once it is kept */
const call = async (request) => {
  const host = await begun;
  const done = /** @type {Done} */ (JSON.parse(host.call(JSON.stringify(request))));
  try {
    for (const kept of done.keep) {
      // a game that begins may be called as the one that is open, and over or removed
      await keepGame(kept, request.do !== "begin" && open.name === kept.name ? open.revision : 0);
      open = { name: kept.name, revision: kept.revision };
    }
  } catch (error) {
    open = { name: "", revision: 0 };
    const lost = /** @type {Done} */ (JSON.parse(host.call(JSON.stringify({ do: "lose", elsewhere: error instanceof Overtaken }))));
    return { ...lost, error: { message: lost.reply, remedy: "" } };
  }
  return done;
};

/** @param {any} request @param {number} [id] by which its reply is known; none: nobody waits for one */
const answer = async (request, id) => {
  clearTimeout(ahead);
  if (request.do === "look") {
    const kept = await game(request.game);
    if (kept && (open.name !== kept.name || open.revision !== kept.revision)) {
      open = { name: kept.name, revision: kept.revision };
      request = { ...request, kept };
    }
  }
  const { reply, error, told, wait } = await call(request);
  if (id !== undefined) postMessage({ id, reply, error });
  if (told) postMessage({ told });
  if (wait !== null) ahead = setTimeout(() => take({ do: "advance" }), wait * 1000);
};

/** What was asked last: one thing is done after another. @type {Promise<any>} */
let last = begun;
/** @param {any} request @param {number} [id] */
const take = (request, id) => {
  last = last.catch(() => {}).then(() => answer(request, id)).catch((error) => postMessage({ id, error: { message: String(error), remedy: "" } }));
};

onmessage = ({ data: { id, request } }) => take(request, id);
begun.then(() => postMessage({ ready: true }), (error) => postMessage({ broken: String(error) }));
