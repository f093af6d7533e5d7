/** Starts `grognard lsp` for the rulesets, scenarios and cases of a workspace. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type Location, type Position } from "vscode-languageclient/node";

/** What the server is asked about: sources, and the YAML that goes with them. */
const DOCUMENTS: LanguageClientOptions["documentSelector"] = [
  { scheme: "file", language: "grog" },
  { scheme: "file", language: "yaml", pattern: "**/rulesets/**" },
  { scheme: "file", language: "yaml", pattern: "**/scenarios/**" },
  { scheme: "file", language: "yaml", pattern: "**/tests/cases/**" },
];
const HELP =
  "Install Grognard (pip install 'grognard[lsp]'), or let the setting 'grognard.command' say where it is, as " +
  "'./.venv/bin/grognard' in a checkout or '/home/you/grognard/.venv/bin/grognard'.";

let client: LanguageClient | undefined;

/** The program to start; a path with './' begins at the first folder of the workspace. */
function command(): string {
  const given = vscode.workspace.getConfiguration("grognard").get<string>("command")?.trim() || "grognard";
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return folder !== undefined && /^\.\.?[/\\]/.test(given) ? join(folder, given) : given;
}

async function start(): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  const program = command();
  try {
    // the client only says that it could not start a program, not what to do about it
    await promisify(execFile)(program, ["lsp", "--help"]);
    const run = { command: program, args: ["lsp"] };
    client = new LanguageClient("grognard", "Grognard", { run, debug: run }, { documentSelector: DOCUMENTS });
    await client.start();
  } catch (error) {
    client = undefined;
    void complain(program, error as Error & { code?: unknown; stderr?: string });
  }
}

/** Says that the server cannot be started, and leads to what helps. */
async function complain(program: string, error: Error & { code?: unknown; stderr?: string }): Promise<void> {
  const said = error.stderr?.trim().replace(/\s*\n\s*/g, "; ") || error.message || String(error);
  const what =
    error.code === "ENOENT"
      ? `there is no program '${program}'. ${HELP}`
      : `'${program} lsp' cannot be started: ${said}. Update Grognard, or let the setting 'grognard.command' name another.`;
  const answer = await vscode.window.showErrorMessage(`Grognard: ${what}`, "Open the setting", "Try again");
  if (answer === "Open the setting") {
    await vscode.commands.executeCommand("workbench.action.openSettings", "grognard.command");
  } else if (answer === "Try again") {
    await restart();
  }
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

/** Lists where something is named, as the server tells it: the command of its lenses. */
async function showReferences(uri: string, at: Position, places: Location[]): Promise<void> {
  const convert = client?.protocol2CodeConverter;
  if (convert !== undefined) {
    const [there, found] = [convert.asUri(uri), await convert.asReferences(places)];
    await vscode.commands.executeCommand("editor.action.showReferences", there, convert.asPosition(at), found);
  }
}

/** Shows what the server says of a place, as if somebody pointed at it: the other command of its lenses. */
async function explain(uri: string, at: Position): Promise<void> {
  const convert = client?.protocol2CodeConverter;
  if (convert !== undefined) {
    const place = convert.asPosition(at);
    await vscode.window.showTextDocument(convert.asUri(uri), { selection: new vscode.Range(place, place) });
    await vscode.commands.executeCommand("editor.action.showHover");
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("grognard.restart", restart),
    vscode.commands.registerCommand("grognard.showReferences", showReferences),
    vscode.commands.registerCommand("grognard.explain", explain),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("grognard.command")) {
        void restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const stopping = client;
  client = undefined;
  await stopping?.stop();
}
