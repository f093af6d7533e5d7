// Starts the extension in a stand-in for VS Code, with a setting for its command, has it carry out a lens's command, and
// prints the messages shown and what VS Code is asked to do.
const Module = require("node:module");
const [bundle, command] = process.argv.slice(2);
const shown = [], done = [], registered = new Map();

const event = () => ({ dispose() {} });
class EventEmitter {
  listeners = [];
  event = (listener, self) => (this.listeners.push(listener.bind(self)), { dispose() {} });
  fire = (value) => this.listeners.forEach((listener) => listener(value));
  dispose() {}
}
/** What is asked of it and not among *known*: an event, something that registers, or a class. */
const standIn = (known = {}) =>
  new Proxy(known, {
    get(_, name) {
      if (name in known) return known[name];
      if (typeof name === "symbol" || name === "then") return undefined;
      if (/^on[A-Z]/.test(name)) return event;
      if (/^(create|register)/.test(name)) return () => standIn({ dispose() {} });
      return class { dispose() {} };
    },
  });
const CHANNEL = ["append", "appendLine", "show", "dispose", "trace", "debug", "info", "warn", "error"];
const channel = Object.fromEntries(CHANNEL.map((name) => [name, () => {}]));
const vscode = standIn({
  version: "1.91.0",
  EventEmitter,
  CancellationTokenSource: class { token = { onCancellationRequested: event }; dispose() {} },
  Disposable: class { dispose() {} },
  workspace: standIn({
    isTrusted: true,
    workspaceFolders: undefined,
    textDocuments: [],
    notebookDocuments: [],
    getConfiguration: () => ({ get: (name) => (name === "command" ? command : undefined), inspect() {} }),
  }),
  window: standIn({
    visibleTextEditors: [],
    tabGroups: standIn({ all: [] }),
    createOutputChannel: () => ({ ...channel, logLevel: 0, onDidChangeLogLevel: event }),
    showTextDocument: async (...asked) => void done.push(["shown", ...asked]),
    showErrorMessage: async (message) => void shown.push(message),
  }),
  languages: standIn(),
  commands: standIn({
    registerCommand: (name, act) => (registered.set(name, act), { dispose() {} }),
    executeCommand: async (...asked) => void done.push(asked),
  }),
  Uri: { parse: (text) => text, file: (text) => text },
  Position: class { constructor(line, character) { Object.assign(this, { line, character }); } },
  Range: class { constructor(...ends) { Object.assign(this, { ends }); } },
  Location: class { constructor(uri) { Object.assign(this, { uri }); } },
  env: standIn({ appName: "a stand-in", language: "en" }),
});
const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));

const extension = require(bundle), start = { line: 2, character: 1 };
extension
  .activate({ subscriptions: [] })
  .then(() => registered.get("grognard.showReferences")("file:///a.grog", start, [{ uri: "file:///b.grog", range: { start, end: start } }]))
  .then(() => registered.get("grognard.explain")("file:///a.grog", start))
  .then(() => extension.deactivate())
  .then(() => process.stdout.write(JSON.stringify({ shown, done }), () => process.exit(0)));
