"""The extension for VS Code starts the language server, and says what to do where it cannot."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

EXTENSION = ROOT / "editors/vscode"
ESBUILD = EXTENSION / "node_modules/.bin/esbuild"
pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not ESBUILD.exists(),
    reason="node or esbuild is not installed (.ci/run gets it from npm)",
)

#: A server that writes down how it was called and what it is asked, and offers nothing.
SERVER = f"""#!{sys.executable}
import json, pathlib, sys
if "--help" in sys.argv:
    sys.exit()
said = pathlib.Path(__file__).with_suffix(".log").open("w", buffering=1)
print(*sys.argv[1:], file=said)
while header := sys.stdin.buffer.readline():
    sys.stdin.buffer.readline()
    message = json.loads(sys.stdin.buffer.read(int(header.split()[1])))
    print(message["method"], file=said)
    if "id" in message:
        result = {{"capabilities": {{}}}} if message["method"] == "initialize" else None
        reply = json.dumps({{"jsonrpc": "2.0", "id": message["id"], "result": result}}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n%s" % (len(reply), reply))
        sys.stdout.buffer.flush()
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as one file."""
    target = tmp_path_factory.mktemp("extension") / "extension.js"
    how = ("--bundle", "--platform=node", "--format=cjs", "--external:vscode", "--log-level=error")
    subprocess.run(
        [ESBUILD, "source/extension.ts", *how, f"--outfile={target}"], cwd=EXTENSION, check=True
    )
    return target


def started(bundle: Path, command: Path) -> dict[str, Any]:
    """What is shown and done when the extension starts with *command* for the server, and a lens is
    clicked at.
    """
    run = ["node", ROOT / "tests/editors/extension.cjs", bundle, command]
    told: dict[str, Any] = json.loads(
        subprocess.run(run, capture_output=True, check=True, timeout=60).stdout
    )
    return told


def test_starts_the_server(bundle: Path, tmp_path: Path) -> None:
    server = tmp_path / "server"
    server.write_text(SERVER)
    os.chmod(server, 0o755)
    told = started(bundle, server)
    assert told["shown"] == []
    (command, uri, at, places), shown, hover = told["done"]
    assert (command, uri) == ("editor.action.showReferences", "file:///a.grog")
    assert at == {"line": 2, "character": 1} and places == [{"uri": "file:///b.grog"}]
    selection = {"selection": {"ends": [at, at]}}
    assert shown == ["shown", "file:///a.grog", selection]
    assert hover == ["editor.action.showHover"]
    assert server.with_suffix(".log").read_text().split("\n")[:4] == [
        "lsp",
        "initialize",
        "initialized",
        "shutdown",
    ]


def test_says_what_to_do_without_the_program(bundle: Path, tmp_path: Path) -> None:
    (message,) = started(bundle, tmp_path / "nowhere")["shown"]
    assert (
        f"there is no program '{tmp_path / 'nowhere'}'" in message and "grognard.command" in message
    )


def test_says_what_the_program_says(bundle: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho 'there is no such command' >&2\nexit 2\n")
    os.chmod(old, 0o755)
    (message,) = started(bundle, old)["shown"]
    assert "cannot be started: there is no such command. Update Grognard" in message
