/** The page of a game that is over: the engine makes it of the record. */
import { finished } from "./keeping.js";
import "way";

const shell = /** @type {any} */ (parent).grognard, note = /** @type {HTMLElement} */ (document.getElementById("note"));
const name = new URLSearchParams(location.search).get("record");
const record = (await finished()).find((one) => one.name === name);
if (!record) note.textContent = note.dataset.none || "";
else {
  const { reply, error } = await shell.ask({ do: "record", scenario: record.scenario, text: record.text, language: document.documentElement.lang });
  if (error) note.textContent = [error.message, error.remedy].filter(Boolean).join(" – ");
  else location.replace(URL.createObjectURL(new Blob([reply], { type: "text/html" })));
}
