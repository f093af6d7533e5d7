/** Clocks: the time that is left, which runs on in the page without asking the server. */
import { useEffect, useState } from "preact/hooks";
import { filled } from "board/dom";
import { html } from "./html.js";

/** @typedef {{kind: string, runs: string, left: number | null, late: string, sides?: Record<string, number>, claims?: boolean}} Times */

/** When what was told was told. @type {WeakMap<Times, number>} */
const heard = new WeakMap();

/** @param {number} seconds @param {Record<string, string>} words @returns {string} */
const written = (seconds, words) => {
  const all = Math.max(0, Math.ceil(seconds)), two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
  if (hours >= 48) return filled(words.days_hours, Math.floor(hours / 24), hours % 24);
  return (hours ? hours + ":" + two(minutes) : String(minutes)) + ":" + two(all % 60);
};

/**
 * The time of a game, with what can be done where it is up.
 * @param {{times: Times, names: Record<string, string>, words: Record<string, string>, claim?: () => void}} props
 */
export const Clock = ({ times, names, words, claim }) => {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!heard.has(times)) heard.set(times, Date.now());
  const name = (/** @type {string} */ side) => names[side] || side, since = (Date.now() - (heard.get(times) || 0)) / 1000;
  if (times.late) return html`<span class="clock over">${filled(words.on_time, name(times.late))}</span>`;
  const left = times.left === null ? null : times.left - since;
  const others = times.kind === "game" ? Object.entries(times.sides || {}).filter(([side]) => side !== times.runs) : [];
  return html`<span class=${"clock" + (left !== null && left <= 0 ? " over" : "")} role="timer">
    ${left !== null && html`<b>${left > 0 ? filled(words.time_left, name(times.runs), written(left, words)) : filled(words.time_up, name(times.runs))}</b>`}
    ${others.map(([side, more]) => html` <span>${filled(words.time_left, name(side), written(more, words))}</span>`)}
    ${claim && times.claims && left !== null && left <= 0 && html` <button type="button" class="less" onClick=${() => { if (confirm(filled(words.claim_sure, name(times.runs)))) claim(); }}>${words.claim}</button>`}
  </span>`;
};
