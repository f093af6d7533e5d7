/** The way to whoever plays the game in the frame of the studio; there is no lobby. */
export { Connection } from "../connection.js";

export const lobbyAt = "";

/** @returns {string} where the page of the game is */
export const gameAt = () => "/game/studio";

/** @returns {string} */
export const recordAt = () => "";

/** @returns {string} */
export const pictureAt = () => "";

/** @returns {{game: string, seat: string}} the game that this page shows; it looks with the eyes of whoever is asked */
export const here = () => ({ game: "studio", seat: "" });

/** @param {string} words @returns {Promise<any>} nothing is asked but over the socket */
export const ask = async (words) => ({ ok: false, message: words, remedy: "" });
