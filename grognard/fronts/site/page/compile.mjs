// Compiles what a site holds with the Python that will run it: node compile.mjs ENGINE ARCHIVE, where ENGINE is the folder
// with Pyodide and grognard.zip. Says a line for each ruleset; what comes of it is written into ARCHIVE.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { HOME, OPTIONS, unpack } from "./boot.mjs";

const [engine, archive] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(engine + "/pyodide.mjs").href);
const python = await loadPyodide({ indexURL: engine + "/", ...OPTIONS });
unpack(python, new Uint8Array(readFileSync(engine + "/grognard.zip")));
python.globals.set("say", (/** @type {string} */ line) => console.log(line));
python.runPython(`
from grognard.fronts.site.compiled import compile_all
compile_all("${HOME}/compiled.zip", say)`);
writeFileSync(archive, python.FS.readFile(HOME + "/compiled.zip"));
