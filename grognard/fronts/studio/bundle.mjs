/**
 * Makes page/vendor/codemirror.js, one module of what the editor uses of CodeMirror, and its licenses, from the
 * packages whose versions package.json says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

/** What the editor uses, by the packages that it is of. */
const USED = {
  "@codemirror/state": "EditorState Prec RangeSet RangeSetBuilder StateEffect StateField",
  "@codemirror/view": "Decoration EditorView GutterMarker ViewPlugin WidgetType activateHover closeHoverTooltips crosshairCursor drawSelection dropCursor gutter highlightActiveLine highlightActiveLineGutter hoverTooltip keymap lineNumbers rectangularSelection showDialog showTooltip tooltips",
  "@codemirror/commands": "defaultKeymap history historyKeymap indentWithTab isolateHistory redo undo",
  "@codemirror/language": "StreamLanguage bracketMatching codeFolding foldGutter foldKeymap foldService indentOnInput indentUnit syntaxHighlighting",
  "@codemirror/autocomplete": "autocompletion closeBrackets closeBracketsKeymap completionKeymap snippet",
  "@codemirror/lint": "lintGutter nextDiagnostic previousDiagnostic setDiagnostics",
  "@codemirror/search": "search searchKeymap",
  "@codemirror/lang-yaml": "yaml",
  "@lezer/highlight": "classHighlighter",
};

const parts = JSON.parse(readFileSync("package.json", "utf8")).devDependencies;
delete parts.esbuild;
const names = Object.keys(parts);
/** @param {string} name @param {string} file */
const of = (name, file) => readFileSync(`node_modules/${name}/${file}`, "utf8");
for (const name of names) {
  const { version } = JSON.parse(of(name, "package.json"));
  if (version !== parts[name]) throw new Error(`${name} is installed as ${version}: npm install`);
}
const { metafile, outputFiles } = await build({
  stdin: { contents: Object.entries(USED).map(([name, used]) => `export { ${used.split(" ").join(", ")} } from "${name}";`).join("\n"), resolveDir: "." },
  bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "none", metafile: true, write: false,
  banner: { js: `/* ${names.map((name) => `${name} ${parts[name]}`).join(", ")}; codemirror.LICENSE */` },
});
const inside = new Set(Object.keys(metafile.inputs).map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
const unnamed = [...inside].filter((name) => !names.includes(name));
if (unnamed.length) throw new Error(`package.json says no version of ${unnamed.join(", ")}`);
writeFileSync("page/vendor/codemirror.js", outputFiles[0].contents);

/** The packages of each license. @type {Map<string, string[]>} */
const licenses = new Map();
for (const name of names) {
  const text = of(name, "LICENSE").trim();
  licenses.set(text, [...(licenses.get(text) || []), name]);
}
writeFileSync("page/vendor/codemirror.LICENSE", [...licenses].map(([text, some]) => `${some.join(", ")}\n\n${text}\n`).join(`\n${"-".repeat(78)}\n\n`));
