/**
 * What is told below the text: findings, cases, odds, why.
 *
 * @typedef {{uri: string, name: string, kind: string, base: string, open: boolean}} File
 * @typedef {{uri: string, line: number, severity: number, code: string, message: string}} Found
 * @typedef {{name: string, uri: string, line: number, held: boolean, problems: string[], old: boolean}} Case
 * @typedef {{option: string, words: string, before: string | null, after: string | null}} Odd
 * @typedef {{text: string, level: number, uri?: string, line?: number}} Reason
 * @typedef {(uri: string, line?: number) => void} Go
 */
import { useState } from "preact/hooks";
import { html } from "table/html";

/** @param {File[]} files @param {string} uri @returns {string} what a file is called */
export const called = (files, uri) => files.find((file) => file.uri === uri)?.name || decodeURIComponent(uri.split("/").pop() || "");

/** @param {{found: Found[], files: File[], words: Record<string, string>, go: Go}} props */
export const Findings = ({ found, files, words, go }) => found.length === 0
  ? html`<p class="quiet">${words.no_findings}</p>`
  : html`<ul class="lines">${found.map((one) => html`
      <li class=${"s" + one.severity}><button type="button" onClick=${() => go(one.uri, one.line)}>
        <span class="place">${called(files, one.uri)}:${one.line + 1}</span> <span class="message">${one.message}</span> ${one.code && html`<span class="code">${one.code}</span>`}
      </button></li>`)}</ul>`;

/** @param {{cases: Case[], running: boolean, files: File[], words: Record<string, string>, go: Go}} props */
export const Cases = ({ cases, running, files, words, go }) => {
  if (!cases.length) return html`<p class="quiet">${running ? words.running : words.no_cases}</p>`;
  const ordered = [...cases].sort((a, b) => Number(a.held) - Number(b.held));
  return html`<ul class="lines cases">${ordered.map((one) => html`
    <li class=${(one.held ? "held" : "not-held") + (one.old ? " old" : "")} title=${one.old ? words.old_case : ""}><button type="button" onClick=${() => go(one.uri, one.line)}>
      <span class="mark" role="img" aria-label=${one.held ? words.held : words.not_held}>${one.held ? "✓" : "✗"}</span>
      <span>${one.name}</span> <span class="place">${called(files, one.uri)}</span>
      ${one.problems.map((problem) => html`<span class="problem">${problem}</span>`)}
    </button></li>`)}</ul>`;
};

/** @param {{odds: Odd[] | null, words: Record<string, string>}} props */
export const Odds = ({ odds, words }) => {
  if (!odds || !odds.length) return html`<p class="quiet">${words.no_odds}</p>`;
  const other = odds.filter((one) => one.before !== one.after);
  const rows = [...other, ...odds.filter((one) => one.before === one.after)];
  return html`
    <p class="quiet">${words.odds_hint} ${!other.length && words.same}</p>
    <table class="odds-table"><thead><tr><th>${words.option}</th><th>${words.before}</th><th>${words.after}</th></tr></thead>
    <tbody>${rows.map((one) => html`<tr class=${one.before === one.after ? "" : "differs"}>
      <td>${one.words}</td><td>${one.before ?? "–"}</td><td>${one.after ?? "–"}</td></tr>`)}</tbody></table>`;
};

/** @param {{ask: (line: string) => Promise<Reason[]>, words: Record<string, string>, files: File[], go: Go}} props */
export const Why = ({ ask, words, files, go }) => {
  const [line, type] = useState(""), [told, tell] = useState(/** @type {Reason[] | null} */ (null)), [wrong, refuse] = useState("");
  /** @param {Event} event */
  const send = async (event) => {
    event.preventDefault();
    try { tell(await ask(line)); refuse(""); } catch (error) { tell(null); refuse(/** @type {Error} */ (error).message); }
  };
  return html`
    <form class="row" onSubmit=${send}>
      <input value=${line} placeholder=${words.why_hint} aria-label=${words.why} onInput=${(/** @type {any} */ event) => type(event.target.value)} />
      <button type="submit">${words.ask_it}</button>
    </form>
    ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    ${told && !told.length && html`<p class="quiet">${words.no_why}</p>`}
    ${told && html`<ul class="lines why">${told.map((one) => html`<li style=${{ paddingInlineStart: one.level * 1.2 + "em" }}>${one.uri
      ? html`<button type="button" onClick=${() => go(/** @type {string} */ (one.uri), one.line)}><span>${one.text}</span> <span class="place">${called(files, one.uri)}:${(one.line || 0) + 1}</span></button>`
      : html`<p>${one.text}</p>`}</li>`)}</ul>`}`;
};

/**
 * The panels, one of which is shown.
 * @param {{names: [string, string, string][], shown: string, show: (name: string) => void, label: string, children: any}} props
 *   each by its name, its words and what is counted in it
 */
export const Tabs = ({ names, shown, show, label, children }) => {
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    const at = names.findIndex(([name]) => name === shown), next = names[(at + way + names.length) % names.length][0];
    show(next);
    requestAnimationFrame(() => document.getElementById("tab-" + next)?.focus());
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} onKeyDown=${key}>${names.map(([name, words, count]) => html`
      <button type="button" role="tab" id=${"tab-" + name} aria-selected=${name === shown} aria-controls="panel" tabindex=${name === shown ? 0 : -1} onClick=${() => show(name)}>
        ${words} ${count && html`<span class=${"count " + (count.startsWith("✗") ? "bad" : "")}>${count}</span>`}
      </button>`)}</div>
    <div class="panel" id="panel" role="tabpanel" aria-labelledby=${"tab-" + shown} tabindex="0">${children}</div>`;
};
