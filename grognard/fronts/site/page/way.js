/** The way to whoever plays the games, here to the engine in the page around this one: its pages, and what is asked of it. */
import { finished, forget, games, keepScenario, scenarios } from "./keeping.js";

if (parent === window) location.replace("../index.html#" + location.href.split("/").slice(-2).join("/"));
/** @type {{language: string, ask: (request: any) => Promise<any>, listen: (told: (message: any) => void) => void, at: (place: Location, title: string) => void}} */
const shell = /** @type {any} */ (parent).grognard;
const language = document.documentElement.lang;
const titled = () => shell.at(location, document.title);
titled();
new MutationObserver(titled).observe(/** @type {Node} */ (document.querySelector("title")), { childList: true });

/** Where the lobby is. */
export const lobbyAt = "lobby.html";

/** @param {string} name of a game @param {string} [seat] @returns {string} where its page is */
export const gameAt = (name, seat) => "game.html?" + new URLSearchParams({ game: name, ...(seat ? { seat } : {}) });

/** @param {string} name of a record @returns {string} where its page is */
export const recordAt = (name) => "record.html?" + new URLSearchParams({ record: name });

/** @param {string} scenario @returns {string} where its picture is */
export const pictureAt = (scenario) => scenario.startsWith("own/") ? "data:," : "../pictures/" + scenario.split("/").map(encodeURIComponent).join("/") + ".svg";

/** @returns {{game: string, seat: string}} the game that this page shows, and the seat from which it looks, if one was given */
export const here = () => {
  const given = new URLSearchParams(location.search);
  return { game: given.get("game") || "", seat: given.get("seat") || "" };
};

/** @type {Record<string, (rest: string, body: any) => Promise<any>>} */
const DOES = {
  "GET /lobby.json": async () => {
    const told = await (await fetch("lobby.json")).json();
    told.scenarios.push(...(await scenarios()).map((own) => own.shown));
    told.games = (await games()).map(({ name, title, decides }) => ({ name, title, decides, away: {}, own: true }));
    told.finished = (await finished()).map((one) => one.name);
    return { ok: true, ...told };
  },
  "POST /games": async (_, body) => {
    const taken = (await games()).map((one) => one.name);
    const { reply, error } = await shell.ask({ do: "begin", taken, language, ...JSON.parse(body) });
    return error ? { ok: false, ...error } : { ok: true, game: reply, links: {} };
  },
  "DELETE /games": async (name) => { await forget(name); return { ok: true }; },
  "POST /scenarios": async (_, body) => {
    const text = await body.text();
    const { reply, error } = await shell.ask({ do: "take_in", text, language });
    if (error) return { ok: false, ...error };
    for (const shown of reply.shown) await keepScenario({ name: shown.name, text, shown });
    return { ok: reply.shown.length > 0, ...reply };
  },
};

/** @param {string} words what could not be done @param {string} path @param {string} method @param {any} [body] @returns {Promise<any>} what comes of it, with `ok` */
export const ask = async (words, path, method, body) => {
  const [, what, rest = ""] = path.split("/");
  try { return await DOES[method + " /" + what](decodeURIComponent(rest), body); }
  catch (error) { return { ok: false, message: words, remedy: String(error) }; }
};

/** The reply where there is none. */
const WRONG = { reply: "error", kind: "fault", message: "", remedy: "", reasons: [], matches: [], where: "" };

export class Connection {
  /**
   * @param {string} game @param {string} seat
   * @param {(message: any) => void} told called with what happens
   */
  constructor(game, seat, told) {
    let looks = false;
    shell.listen((message) => { if (looks) told(message); }); // before that, it is of the game that was open
    shell.ask({ do: "look", game, seat, language }).then(({ reply, error }) => {
      looks = true;
      told(error ? { gone: [error.message, error.remedy].filter(Boolean).join(" – ") } : reply);
    });
  }

  /** Hear no more. */
  end() { shell.listen(() => {}); }

  /** @param {Record<string, any>} request one of the protocol @returns {Promise<any>} its reply */
  async ask(request) {
    const { reply, error } = await shell.ask({ do: "ask", text: JSON.stringify(request) });
    return error ? { ...WRONG, ...error } : reply;
  }
}
