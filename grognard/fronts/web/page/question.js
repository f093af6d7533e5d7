/**
 * The question and what can be answered, as a list: every option with what may come of it.
 *
 * @typedef {{role: string, name: string, words: string, hexes: string[]}} Part
 * @typedef {{number: number, text: string, words: string, word: string, head: string, passes: boolean, parts: Part[],
 *   item: string, card: string, foreseen: boolean}} Option
 * @typedef {{side: string, prompt: string, about: string[], words: string, options: Option[], hexes: Record<string, string>}} Question
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";

/** @param {Option[]} options @returns {[string, Option[]][]} options by what is done, in order */
const grouped = (options) => {
  /** @type {Map<string, Option[]>} */
  const groups = new Map();
  for (const option of options) groups.set(option.parts.length ? option.head : "", [...(groups.get(option.parts.length ? option.head : "") || []), option]);
  return [...groups].sort(([a], [b]) => Number(a === "") - Number(b === ""));
};

/** @param {Option[]} options @returns {boolean} whether they are as short as hexes are, and stand side by side */
const short = (options) => options.length > 3 && options.every((option) => option.item.length < 9 && !option.foreseen && !option.card);

/** Odds, with as much room as they may take when they come: what is beneath stays where it is. @param {{option: Option, odds: import("./odds.js").Odds}} props */
const Beside = ({ option, odds }) => html`
  <span class="odds">
    <span class="room" aria-hidden="true">${odds.room(option)}</span>
    ${odds.coming(option) ? html`<span aria-hidden="true">…</span>` : html`<span>${odds.words(option)}</span>`}
  </span>`;

/**
 * @param {{option: Option, alone: boolean, meant: boolean, odds: import("./odds.js").Odds, words: Record<string, string>, take: (option: Option) => void, why: (option: Option) => void,
 *   point: (option: Option | null) => void}} props
 */
const Choice = ({ option, alone, meant, odds, words, take, why, point }) => html`
  <li class=${meant ? "meant" : ""} onMouseEnter=${() => point(option)} onMouseLeave=${() => point(null)}>
    <button type="button" class=${option.foreseen ? "option foreseen" : "option"} data-number=${option.number} onClick=${() => take(option)} onFocus=${() => point(option)} onBlur=${() => point(null)}>
      <span class="number">${option.number}</span>
      <span class="item">${alone ? option.words : option.item}</span>
      ${option.foreseen && html`<${Beside} option=${option} odds=${odds} />`}
      ${option.card && html`<span class="card">${option.card}</span>`}
    </button>
    <button type="button" class="ask" title=${words.ask_why} aria-label=${words.ask_why + ": " + option.words} onClick=${() => why(option)}>?</button>
  </li>`;

/**
 * @param {{question: Question, who: string, taken: string[], undo: boolean, bots: boolean, busy: boolean, odds: import("./odds.js").Odds, words: Record<string, string>,
 *   take: (option: Option) => void, why: (option: Option | null) => void, point: (option: Option | null) => void,
 *   cancel: () => void, act: (what: string) => void, type: (line: string) => void, over: Option[]}} props
 */
export const Asked = ({ question, who, taken, undo, bots, busy, odds, words, take, why, point, cancel, act, type, over }) => {
  const list = useRef(/** @type {HTMLElement | null} */ (null)), [line, write] = useState("");
  const passes = question.options.filter((option) => option.passes), others = question.options.filter((option) => !option.passes);
  useEffect(() => { if (list.current) list.current.scrollTop = 0; }, [question]);
  useEffect(() => {
    const meant = list.current && list.current.querySelector("li.meant");
    if (meant) meant.scrollIntoView({ block: "nearest" });
  }, [over]);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape" && taken.length) { cancel(); return; }
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way || /** @type {HTMLElement} */ (event.target).tagName === "INPUT") return;
    const buttons = /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button.option, button.pass")]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    event.preventDefault();
    (buttons[at + way] || buttons[way > 0 ? 0 : buttons.length - 1]).focus();
  };
  return html`
    <div class="asked" aria-busy=${busy} onKeyDown=${keys}>
      ${who && html`<p class="who">${who}</p>`}
      <h2>${question.words} <button type="button" class="ask" title=${words.why} aria-label=${words.why} onClick=${() => why(null)}>?</button></h2>
      ${taken.length > 0 && html`
        <p class="taken"><span class="hidden">${words.chosen}: </span>${taken.join(" › ")}
          <button type="button" onClick=${cancel}>${words.cancel}</button></p>`}
      <div class="list" ref=${list} role="group" aria-label=${words.options}>
        ${grouped(others).map(([head, options]) => html`
          ${/\p{L}/u.test(head) && html`<h3>${head}</h3>`}
          <ul key=${head} class=${short(options) ? "short" : ""}>${options.map((option) => html`<${Choice} key=${option.text} option=${option} alone=${!head} meant=${over.includes(option)} odds=${odds} words=${words} take=${take} why=${why} point=${point} />`)}</ul>`)}
      </div>
      <div class="acts">
        ${passes.map((option) => html`<button type="button" class="pass" data-number=${option.number} onClick=${() => take(option)}>${option.words}</button>`)}
        ${passes.length > 0 && taken.length === 0 && html`<button type="button" class="less" onClick=${() => act("never")}>${words.never}</button>`}
        ${undo && html`<button type="button" class="less" onClick=${() => act("undo")}>${words.undo}</button>`}
        <button type="button" class="less" onClick=${() => act("hint")}>${words.hint}</button>
        ${bots && html`<button type="button" class="less" onClick=${() => act("expect")}>${words.expects}</button>`}
      </div>
      <form onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); if (line.trim()) { type(line); write(""); } }}>
        <input value=${line} placeholder=${words.type} aria-label=${words.type} autocomplete="off" maxlength="2000"
          onInput=${(/** @type {any} */ event) => write(event.target.value)} />
        <button type="submit">${words.send}</button>
      </form>
    </div>`;
};
