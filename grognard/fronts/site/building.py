"""A folder that any server of files can serve: pages, the engine, games."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator
from glob import escape
from importlib.metadata import distribution as installed
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

import jinja2
from markupsafe import Markup

from grognard import places
from grognard.files import reason, short
from grognard.fronts.site import pyodide
from grognard.fronts.site.browser_host import PLAYERS
from grognard.fronts.web import lobby
from grognard.fronts.web.page_words import table_words
from grognard.fronts.web.pages import environment, game_page, imports, lobby_page
from grognard.lexicon.catalogue import languages, words_in
from grognard.retelling.page import MODULES, UNSAFE, digest
from runtime.errors import ArgumentError

#: The libraries that the engine needs.
_LIBRARIES: Final = {
    "lark": "lark",
    "PyYAML": "yaml",
    "Jinja2": "jinja2",
    "MarkupSafe": "markupsafe",
    "platformdirs": "platformdirs",
}
#: What of the package no page asks for.
_LEFT_OUT: Final = ("lab", "fronts/cli", "fronts/envs", "fronts/screen", "fronts/terminal")
_ENDINGS: Final = (".py", ".lark", ".j2", ".c", ".js", ".css", ".yaml")
#: What says that a folder holds a site.
_MARK: Final = "grognard-site.json"
#: What a site has beside that, and a folder for each language.
_PARTS: Final = ("index.html", "engine", "pictures", "static")
#: What is made beside the folder, and what the folder held until now.
_MADE, _BEFORE = "site", "before"
#: Where the pages of a language find what they need.
_STATIC: Final = "../static/"


def build(
    folder: Path,
    rulesets: Collection[str],
    distribution: Path | None,
    say: Callable[[str], object],
) -> int:
    """Write a site with the scenarios of some *rulesets* (none: of all), in place of the one that
    a *folder* may hold; how many bytes it has.  *say* is told how far it is.

    ArgumentError where the folder holds something else, or Python for browsers is not there;
    LoadError where a ruleset or a scenario has errors.
    """
    if _holds_something_else(folder):
        raise ArgumentError(
            f"{short(str(folder))} holds something else than a site", "give a new folder"
        )
    known = places.rulesets()
    for name in rulesets:
        places.ruleset_folder(name)
    scenarios = {
        name: path
        for name, path in places.scenarios().items()
        if (ruleset := places.head_of(path)[0]) in known and (not rulesets or ruleset in rulesets)
    }
    if not scenarios:
        raise ArgumentError("there is no scenario to be played", "give other rulesets")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clean(folder)
        with TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as made:
            site = Path(made) / _MADE
            _write(site, scenarios, distribution, say)
            _put(site, folder, Path(made) / _BEFORE)
    except OSError as error:
        raise ArgumentError(
            f"{short(str(folder))} cannot be written: {reason(error)}", "give another folder"
        ) from None
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _holds_something_else(folder: Path) -> bool:
    """Whether a folder holds what no site does, also beside one."""
    if not folder.exists():
        return False
    if not folder.is_dir():
        return True
    names = {path.name for path in folder.iterdir()}
    return bool(names) and not ({_MARK} <= names <= {_MARK, *_PARTS, *languages()})


def _clean(folder: Path) -> None:
    """Remove what builds that were killed have left beside a folder; an older site that one had
    taken away stands there again.
    """
    for left in folder.parent.glob(f".{escape(folder.name)}-*"):
        if left.is_symlink() or not left.is_dir():
            continue
        if not {path.name for path in left.iterdir()} <= {_MADE, _BEFORE}:
            continue
        before = left / _BEFORE
        if before.is_dir() and not folder.exists():
            before.rename(folder)
        shutil.rmtree(left)


def _put(site: Path, folder: Path, before: Path) -> None:
    """Put a site in the place of what a *folder* holds, which is *before* then; nothing is lost
    where that fails.
    """
    if not folder.exists():
        site.rename(folder)
        return
    folder.rename(before)
    try:
        site.rename(folder)
    except BaseException:
        before.rename(folder)
        raise


def _write(
    site: Path,
    scenarios: dict[str, Path],
    distribution: Path | None,
    say: Callable[[str], object],
) -> None:
    python = pyodide.distribution(distribution)
    # what is wrong with a ruleset or a scenario is found first, with its place
    for name in scenarios:
        picture = site / "pictures" / f"{name}.svg"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(lobby.picture(name, "en"), encoding="utf-8")
    engine = site / "engine"
    engine.mkdir()
    for name in pyodide.FILES:
        shutil.copyfile(python / name, engine / name)
    _pack(engine / "grognard.zip", scenarios)
    (engine / "compiled.zip").write_bytes(pyodide.compile_site(engine, say))
    _write_licenses(engine / "LICENSES.txt")
    static = site / "static"
    _copy(
        static / "board", "grognard.retelling/page", {*(f"{one}.js" for one in MODULES), "page.css"}
    )
    _copy(static, "grognard.fronts.web/page")
    _copy(static / "vendor", "grognard.fronts.web/page/vendor")
    _copy(static / "site", "grognard.fronts.site/page")
    for language in languages():
        _write_pages(site / language, language, scenarios)
    _write_index(site)
    (site / _MARK).write_text(json.dumps({"grognard": installed("grognard").version}))


# --------------------------------------------------------------------------- the engine


def _pack(archive: Path, scenarios: dict[str, Path]) -> None:
    """Pack the engine, the libraries that it needs, and the games."""
    with ZipFile(archive, "w", ZIP_DEFLATED, strict_timestamps=False) as packed:
        for place, path in sorted((*_engine(), *_libraries(), *_games(scenarios))):
            packed.write(path, place)


def _engine() -> Iterator[tuple[str, Path]]:
    """The files of the package, which stands as it is installed, in a checkout beside others."""
    package = Path(str(files("grognard")))
    beside = () if (package / "_engine").is_dir() else ("dsl", "compiler", "runtime")
    for root in (package, *(package.parent / name for name in beside)):
        for path in root.rglob("*"):
            inside = path.relative_to(root)
            left_out = root == package and any(inside.is_relative_to(one) for one in _LEFT_OUT)
            games = inside.parts[0] == "_games"
            if path.suffix in _ENDINGS and path.is_file() and not left_out and not games:
                yield f"{root.name}/{inside.as_posix()}", path


def _libraries() -> Iterator[tuple[str, Path]]:
    for library, package in _LIBRARIES.items():
        for file in installed(library).files or ():
            path = Path(str(file.locate()))
            if file.parts[0] == package and path.suffix in (".py", ".lark"):
                yield file.as_posix(), path


def _games(scenarios: dict[str, Path]) -> Iterator[tuple[str, Path]]:
    """The scenarios, their rulesets and those that these extend."""
    folders = {
        folder.name: folder
        for ruleset in {places.head_of(path)[0] for path in scenarios.values()}
        for folder in places.family(places.ruleset_folder(ruleset))
    }
    for name, folder in folders.items():
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in (".grog", ".yaml"):
                yield f"rulesets/{name}/{path.relative_to(folder).as_posix()}", path
    for name, path in scenarios.items():
        yield f"scenarios/{name}.yaml", path


def _write_licenses(path: Path) -> None:
    """Write under which licenses the parts stand."""
    texts = [
        f"Pyodide {pyodide.VERSION}: Mozilla Public License 2.0. It contains CPython (PSF License)."
    ]
    for library in ("grognard", *_LIBRARIES):
        there = installed(library)
        texts += [
            f"{library} {there.version}\n\n{file.read_text()}"
            for file in there.files or ()
            if file.parts[0].endswith(".dist-info")
            and file.name.upper().startswith(("LICENSE", "LICENCE", "NOTICE"))
        ]
    path.write_text("\n\n----\n\n".join(texts), encoding="utf-8")


# --------------------------------------------------------------------------- the pages


def _copy(to: Path, place: str, names: Collection[str] | None = None) -> None:
    """Copy what pages need from a folder of a package."""
    to.mkdir(parents=True, exist_ok=True)
    package, _, folder = place.partition("/")
    for file in files(package).joinpath(*folder.split("/")).iterdir():
        wanted = file.name.endswith((".js", ".css", ".LICENSE", "boot.mjs")) and names is None
        if file.is_file() and (wanted or (names is not None and file.name in names)):
            (to / file.name).write_bytes(file.read_bytes())


def _write_pages(folder: Path, language: str, scenarios: Collection[str]) -> None:
    """Write the pages of a language."""
    folder.mkdir()
    modules = imports(_STATIC, "site/way.js")
    ways = {"lobby": "lobby.html", "static": _STATIC, "imports": modules}
    policy = (
        f"default-src 'none'; script-src 'self' '{digest(modules)}'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    # what it makes, a page that holds its scripts and looks, inherits this
    wide = (
        "default-src 'none'; script-src 'self' 'unsafe-inline' data:; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'"
    )
    words = table_words(language)
    written = {
        "lobby.html": lobby_page(language, {**ways, "policy": policy}),
        "game.html": game_page(language, {**ways, "policy": policy}),
        "record.html": _rendered(
            "record.html.j2",
            **{**ways, "imports": Markup(modules)},
            language=language,
            policy=wide,
            title="Grognard",
            forward="",
            word=words.__getitem__,
            none=words_in(language)("There is no such game."),
        ),
        "lobby.json": json.dumps(_lobby(language, scenarios), ensure_ascii=False),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")


def _lobby(language: str, scenarios: Collection[str]) -> dict[str, Any]:
    """What the lobby shows before anything is played."""
    return {
        "host": True,
        "begins": True,
        "links": False,
        "account": None,
        "scenarios": [one for one in lobby.scenarios(language) if one["name"] in scenarios],
        "games": [],
        "finished": [],
        "players": PLAYERS,
    }


def _write_index(site: Path) -> None:
    """Write the page around the others."""
    told = {}
    for language in languages():
        words = table_words(language)
        told[language] = {"ready": words["set_up_now"], "broken": words["set_up_not"]}
    policy = (
        "default-src 'none'; script-src 'self'; worker-src 'self'; frame-src 'self' blob:; "
        "connect-src 'self'; style-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = _rendered(
        "index.html.j2",
        policy=policy,
        noscript=table_words("en")["noscript"],
        words=Markup(json.dumps(told, ensure_ascii=False).translate(UNSAFE)),
    )
    (site / "index.html").write_text(page, encoding="utf-8")


def _rendered(template: str, **values: Any) -> str:
    """A template of this package, which may extend those of the server's pages."""
    beside = environment()
    loaders = [jinja2.PackageLoader(__package__, "page"), beside.loader]
    own = beside.overlay(loader=jinja2.ChoiceLoader([one for one in loaders if one is not None]))
    return own.get_template(template).render(**values)
