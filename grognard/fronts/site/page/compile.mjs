// Compiles what a site holds with the Python that will run it: node compile.mjs ENGINE ARCHIVE, where ENGINE is the folder
// with Pyodide and grognard.zip. Says "done/all name" for each ruleset; what comes of it is written into ARCHIVE.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [engine, archive] = process.argv.slice(2), HOME = "/grognard";
const { loadPyodide } = await import(pathToFileURL(engine + "/pyodide.mjs").href);
const python = await loadPyodide({ indexURL: engine + "/", env: { HOME, GROGNARD_CACHE: HOME + "/cache", GROGNARD_DATA: HOME + "/data" } });
python.FS.mkdirTree(HOME);
python.unpackArchive(new Uint8Array(readFileSync(engine + "/grognard.zip")), "zip", { extractDir: HOME });
python.globals.set("say", (/** @type {string} */ line) => console.log(line));
python.runPython(`
import os, sys
os.chdir("${HOME}")
sys.path.insert(0, "${HOME}")
from grognard.fronts.site.compiled import compile_all
compile_all("${HOME}/compiled.zip", say)`);
writeFileSync(archive, python.FS.readFile(HOME + "/compiled.zip"));
