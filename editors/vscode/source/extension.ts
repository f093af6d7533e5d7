/** Starts `grognard lsp` for the rulesets, scenarios and cases of a workspace. */

import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, TransportKind } from "vscode-languageclient/node";

/** What the server is asked about: sources, and the YAML that goes with them. */
const DOCUMENTS: LanguageClientOptions["documentSelector"] = [
  { scheme: "file", language: "grog" },
  { scheme: "file", language: "yaml", pattern: "**/rulesets/**" },
  { scheme: "file", language: "yaml", pattern: "**/scenarios/**" },
  { scheme: "file", language: "yaml", pattern: "**/tests/cases/**" },
];
const HELP =
  "Install Grognard (python3 -m pip install grognard), or let the setting 'grognard.command' name the program " +
  "where it is, as '/home/you/grognard/.venv/bin/grognard'.";

let client: LanguageClient | undefined;

/** The program to start; a path with './' begins at the first folder of the workspace. */
function command(): string {
  const given = vscode.workspace.getConfiguration("grognard").get<string>("command")?.trim() || "grognard";
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return folder !== undefined && !isAbsolute(given) && /^\.\.?[/\\]/.test(given) ? join(folder, given) : given;
}

async function start(): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    return;
  }
  const program = command();
  const run = { command: program, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("grognard", "Grognard", { run, debug: run }, { documentSelector: DOCUMENTS });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void complain(program, error);
  }
}

/** Says that the server cannot be started, and leads to what helps. */
async function complain(program: string, error: unknown): Promise<void> {
  const missing = (error as NodeJS.ErrnoException).code === "ENOENT" || /ENOENT|not found/i.test(String(error));
  const what = missing ? `There is no program '${program}'.` : `'${program} lsp' cannot be started: ${String(error)}.`;
  const answer = await vscode.window.showErrorMessage(`Grognard: ${what} ${HELP}`, "Open the setting", "Try again");
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

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("grognard.restart", restart),
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
