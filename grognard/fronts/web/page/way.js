/** The way to whoever plays the games, here to a server: where its pages are, and what is asked of it. */
export { Connection } from "./connection.js";

/** Where the lobby is. */
export const lobbyAt = "/";

/** @param {string} name of a game @param {string} [seat] @returns {string} where its page is */
export const gameAt = (name, seat) => "/game/" + encodeURIComponent(name) + (seat ? "?seat=" + encodeURIComponent(seat) : "");

/** @param {string} name of a record @returns {string} where its page is */
export const recordAt = (name) => "/replay/" + encodeURIComponent(name);

/** @param {string} scenario @returns {string} where its picture is */
export const pictureAt = (scenario) => "/picture/" + scenario.split("/").map(encodeURIComponent).join("/") + ".svg";

/** @returns {{game: string, seat: string}} the game that this page shows, and the seat from which it looks, if one was given */
export const here = () => ({
  game: decodeURIComponent(location.pathname.slice("/game/".length)),
  seat: new URLSearchParams(location.search).get("seat") || "",
});

/** @param {string} words what could not be done @param {string} path @param {string} method @param {any} [body] @returns {Promise<any>} what the server says, with `ok` */
export const ask = async (words, path, method, body) => {
  try {
    const reply = await fetch(path, { method, body });
    const text = await reply.text();
    return { ok: reply.ok, ...(text ? JSON.parse(text) : {}) };
  } catch { return { ok: false, message: words, remedy: "" }; }
};
