"""The pages of the site, for MkDocs: those of the repository where they stand, so that their links
hold, and what is made of them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from grog_lexer import GrogLexer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pygments.lexers import LEXERS

from grognard.editing.built_in import services

ROOT = Path(__file__).resolve().parents[2]
#: Where build.py has put the gallery, and whether it will add the playground.
GALLERY, PLAYGROUND = os.environ.get("SITE_GALLERY"), os.environ.get("SITE_PLAYGROUND")

GUIDES = {
    "Writing games": "authors studio scenarios cases style art languages book lab",
    "Editors": "editors/README /editors/vscode/README"
    " editors/neovim editors/helix editors/zed editors/emacs",
    "Playing": "serve screen table mail records server site bots",
}
GAMES = "cc_ancients cc_napoleonics no_retreat battles_of_napoleon battles_of_westeros"
FINDINGS = {
    "P": "Syntax",
    "R": "Names and modules",
    "T": "Types",
    "F": "Facts",
    "Q": "Rules",
    "S6": "Procedures",
    "C": "Citations and texts",
    "V": "Looks",
    "L": "Advice",
    "S": "Scenarios",
}
SERVICES_PAGE, FINDINGS_PAGE = "dsl/services.md", "docs/diagnostics/index.md"
PLAY_PAGE, GALLERY_PAGE = "docs/play.md", "docs/gallery/index.md"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The order of the pages; and ``grog`` as a language whose blocks have colours."""
    LEXERS["GrogLexer"] = (
        GrogLexer.__module__,
        GrogLexer.name,
        tuple(GrogLexer.aliases),
        tuple(GrogLexer.filenames),
        (),
    )
    games = [f"docs/{name}.md" for name in GAMES.split()]
    config.nav = [
        {"Start": "README.md"},
        {"A first game": "docs/first_game.md"},
        {"Cookbook": ["docs/cookbook/README.md", *chapters("docs/cookbook/README.md")]},
        {"Language": ["dsl/SPEC.md", *chapters("dsl/SPEC.md"), {"Services": SERVICES_PAGE}]},
        {"Guides": [{group: docs(names)} for group, names in GUIDES.items()]},
        {"Findings": [FINDINGS_PAGE, *findings()]},
        {"Library": docs("python protocol")},
        {"Games": [*([GALLERY_PAGE] if GALLERY else []), *games]},
        {"Project": [*docs("status ARCHITECTURE"), "CONTRIBUTING.md", "CHANGELOG.md"]},
    ]
    if PLAYGROUND:
        config.nav.insert(2, {"Play": PLAY_PAGE})
    return config


def docs(names: str) -> list[str]:
    """Pages of the folder ``docs``, and behind a ``/`` of others."""
    return [f"docs/{name}.md".removeprefix("docs//") for name in names.split()]


def chapters(contents: str) -> list[dict[str, list[str]]]:
    """The pages that a table of contents lists, under its headings."""
    groups: list[dict[str, list[str]]] = []
    for line in (ROOT / contents).read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (.*)|\| \*\*(.*)\*\* \| \|", line):
            groups.append({heading[1] or heading[2]: []})
        elif groups and (link := re.match(r"(?:\* |\| \d+ )\[.*?\]\((.*?\.md)\)", line)):
            next(iter(groups[-1].values())).append(f"{Path(contents).parent}/{link[1]}")
    return groups


def findings() -> list[dict[str, list[str]]]:
    """The pages of the findings, by what they are about."""
    groups: dict[str, list[str]] = {title: [] for title in FINDINGS.values()}
    for page in sorted((ROOT / "docs" / "diagnostics").glob("*.md")):
        kind = next(letters for letters in FINDINGS if page.stem.startswith(letters))
        groups[FINDINGS[kind]].append(f"docs/diagnostics/{page.name}")
    return [{title: pages} for title, pages in groups.items()]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """All pages, with their pictures."""
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs" / "pictures").iterdir()]
    pages += [ROOT / "docs" / "protocol.schema.json", ROOT / "dsl" / "SPEC.md"]
    pages += [*(ROOT / "dsl" / "spec").glob("*.md"), ROOT / "editors" / "vscode" / "README.md"]
    for path in pages:
        where = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, where, abs_src_path=str(path)))
    made = {SERVICES_PAGE: list_of_services(), FINDINGS_PAGE: list_of_findings()}
    if PLAYGROUND:
        made[PLAY_PAGE] = (
            "---\nhide: [navigation, toc]\n---\n# Play\n\n"
            '<iframe class="playground" title="Games" src="../../play/index.html"></iframe>\n'
        )
    for where, text in made.items():
        files.append(File.generated(config, where, content=text))
    for path in Path(GALLERY).iterdir() if GALLERY else ():
        files.append(File.generated(config, f"docs/gallery/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page that is named as a file of the repository becomes a link to it."""

    def linked(name: re.Match[str]) -> str:
        if files.get_file_from_path(name[1]) is None:
            return name[0]
        here = Path(page.file.src_uri).parent
        return f"[{name[0]}]({os.path.relpath(name[1], here)})"

    text = r"```.*?^ *```|\[[^\]]*\]\([^)]*\)|`((?:docs|dsl)/[\w/-]+\.md|[A-Z]+\.md)`"
    return re.sub(
        text,
        lambda found: linked(found) if found[1] else found[0],
        markdown,
        flags=re.DOTALL | re.MULTILINE,
    )


def list_of_findings() -> str:
    """A page that lists all findings by their codes."""
    lines = ["# Findings", "", "What the compiler says, by code; each page mends it.", ""]
    for group in findings():
        for title, pages in group.items():
            lines += [f"## {title}", "", "| code | |", "|---|---|"]
            for page in pages:
                heading = (ROOT / page).read_text(encoding="utf-8").partition("\n")[0]
                code, _, what = heading.removeprefix("# ").partition(" — ")
                lines.append(f"| [{code}]({Path(page).name}) | {what} |")
            lines.append("")
    return "\n".join(lines)


def list_of_services() -> str:
    """A page of the built-in services: what the book says of each, and who calls it."""
    lines = ["# Built-in services", "", "What expressions can call, in alphabetical order.", ""]
    lines += ["| call | value | chapter | in the cookbook |", "|---|---|---|---|"]
    recipes = {
        page: "".join(re.findall(r"^```grog\n(.*?)^```", page.read_text("utf-8"), re.M | re.S))
        for page in sorted((ROOT / "docs" / "cookbook").glob("*.md"))
    }
    for name, service in sorted(services().items()):
        called = re.compile(rf"(?<!do )(?<!note )(?<!procedure )\b{name}\(")
        shown = [page for page, text in recipes.items() if called.search(text)][:3]
        links = ", ".join(f"[{p.stem.replace('_', ' ')}](../docs/cookbook/{p.name})" for p in shown)
        title = service.chapter[3:].removesuffix(".md")
        said = f"`{service.signature}` | {service.text}"
        lines.append(f"| {said} | [{title}](spec/{service.chapter}) | {links} |")
    return "\n".join(lines) + "\n"
