// Prints the scopes that a TextMate grammar gives the files named: per file, a list of [line, column, end, scope].
const { readFileSync } = require("node:fs");
const [modules, path, ...files] = process.argv.slice(2);
const { Registry, INITIAL, parseRawGrammar } = require(`${modules}/vscode-textmate`);
const oniguruma = require(`${modules}/vscode-oniguruma`);

async function main() {
  await oniguruma.loadWASM(readFileSync(`${modules}/vscode-oniguruma/release/onig.wasm`).buffer);
  const onigLib = Promise.resolve({
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text),
  });
  const raw = parseRawGrammar(readFileSync(path, "utf8"), path);
  const registry = new Registry({ onigLib, loadGrammar: async (scope) => (scope === raw.scopeName ? raw : null) });
  const grammar = await registry.loadGrammar(raw.scopeName);
  const found = {};
  for (const file of files) {
    const tokens = (found[file] = []);
    let state = INITIAL;
    readFileSync(file, "utf8").split("\n").forEach((line, number) => {
      const result = grammar.tokenizeLine(line, state);
      state = result.ruleStack;
      for (const token of result.tokens) {
        tokens.push([number + 1, token.startIndex, token.endIndex, token.scopes.slice(1).join(" ")]);
      }
    });
  }
  process.stdout.write(JSON.stringify(found));
}

main();
