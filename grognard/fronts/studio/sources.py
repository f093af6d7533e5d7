"""The files of the ruleset that is written: which there are, what they hold, and that they are
saved so that nothing is lost.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from grognard import places
from grognard.cases.suite import files_about
from grognard.editing.desk import GROG, Desk
from grognard.files import reason, replace, short
from grognard.fronts.lsp.text_positions import uri_of
from runtime.errors import ArgumentError
from runtime.files import entries, read_bytes
from runtime.words.said import said

_YAML: Final = ".yaml"
#: The folders in that of a ruleset, which name the kinds of their files.
_PARTS: Final = ("texts", "boards", "cases")
#: The kinds of files in YAML beside the rules, by their names.
_BESIDE: Final = {"rulebook.yaml": "index", "style.yaml": "looks"}
#: What a new file may be called.
_NEW: Final = re.compile(r"(?:(texts|boards|cases|scenarios)/\w[\w.\-]*\.yaml|\w[\w.\-]*\.grog)")
_EXAMPLES: Final = (
    *("combat.grog", "texts/de.yaml", "boards/map.yaml", "cases/combat.yaml"),
    "scenarios/second.yaml",
)


class Sources:
    """The files around the ruleset in a *folder*, whose open texts are on a *desk*."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk, self.folder = desk, folder
        #: what stood in each file when it was last read or written here; None: there was none
        self._known: dict[Path, bytes | None] = {}

    def files(self) -> list[dict[str, Any]]:
        """All of them, as the page lists them: those of the ruleset, of the rulesets that it
        extends (``base`` names these), its scenarios and its cases; ``open``: with unsaved text.
        """
        about = dict([*self._rule_files(), *self._scenarios(), *self._cases()])
        return [
            {"uri": uri_of(path), **file, "open": self._is_unsaved(path)}
            for path, file in about.items()
        ]

    def scenarios(self) -> list[dict[str, str]]:
        """The scenarios of the ruleset."""
        return [
            {"uri": uri_of(path), "name": path.stem, "title": places.head_of(path)[1]}
            for path, *_ in self._scenarios()
        ]

    def text(self, path: Path) -> dict[str, str | None]:
        """What a file holds on disk, as ``text``, and as ``open`` what stands for it and is not
        saved.  ArgumentError.
        """
        self._check_own(path)
        saved, known, written = _read(path), self._known.get(path), self.desk.texts.get(path)
        if written is None or known is None or written == _decoded(known):
            self._known[path], written = saved, None
        try:
            return {"text": "" if saved is None else _decoded(saved), "open": written}
        except UnicodeDecodeError:
            message = said("{file} is not UTF-8 text", file=short(str(path)))
            remedy = said("save it as UTF-8 with another program")
            raise ArgumentError(message, remedy) from None

    def save(self, path: Path, over: bool = False) -> bool:
        """Write the open text of a file; whether it was written: not where the file has changed on
        disk since it was read here, but *over* that.  ArgumentError.
        """
        self._check_own(path)
        text = self.desk.texts.get(path)
        if text is None:
            return True
        now = _read(path)
        data = text.replace("\r\n", "\n").encode("utf-8", "surrogateescape")
        if now is not None and b"\r\n" in now:
            data = data.replace(b"\n", b"\r\n")
        if not over and now not in (data, self._known.get(path, now)):
            return False
        if now != data:
            _write(path, data)
        self._known[path] = data
        self.desk.forget_disk()
        return True

    def create(self, name: str, text: str = "") -> Path:
        """A new file of the ruleset, with a *text*; its *name* begins with that of the folder of
        the ruleset that it stands in, or with ``scenarios``.  ArgumentError.
        """
        found = _NEW.fullmatch(name)
        if found is None:
            raise ArgumentError(
                said("'{name}' is no name for a file of a ruleset", name=short(name)),
                said("name it {examples}", examples=", ".join(_EXAMPLES)),
            )
        path = self.folder / name
        if found[1] == "scenarios":
            path = self._scenarios_folder() / Path(name).name
        if _read(path) is not None:
            message = said("there is a file {file} already", file=short(name))
            raise ArgumentError(message, said("choose another name"))
        data = text.encode()
        _write(path, data)
        self._known[path] = data
        self.desk.forget_disk()
        return path

    # ------------------------------------------------------------------ which there are

    def _rule_files(self) -> Iterator[tuple[Path, dict[str, str]]]:
        for member in self.desk.family(self.folder):
            base = "" if member == self.folder else member.name
            for path in entries(member, GROG):
                yield path, _about(path.name, "rules", base)
            for path in entries(member, _YAML):
                yield path, _about(path.name, _BESIDE.get(path.name, "other"), base)
            for part in _PARTS:
                for path in entries(member / part, _YAML):
                    yield path, _about(f"{part}/{path.name}", part, base)

    def _scenarios(self) -> Iterator[tuple[Path, dict[str, str]]]:
        for path in places.scenarios().values():
            if places.head_of(path)[0] == self.folder.name:
                yield path, _about(path.name, "scenarios")

    def _cases(self) -> Iterator[tuple[Path, dict[str, str]]]:
        for path in files_about(self.folder):
            yield path, _about(path.name, "cases")

    def _scenarios_folder(self) -> Path:
        """The folder in which the scenarios of the ruleset stand, or would."""
        there = next((path.parent for path, *_ in self._scenarios()), None)
        return there or self.folder.parent.parent / places.SCENARIOS / self.folder.name

    def _is_unsaved(self, path: Path) -> bool:
        known, written = self._known.get(path), self.desk.texts.get(path)
        return known is not None and written is not None and written != _decoded(known)

    def _check_own(self, path: Path) -> None:
        """ArgumentError where a file is none of these, nor would stand beside them."""
        real = Path(os.path.realpath(path))
        folders = [*self.desk.family(self.folder), self._scenarios_folder()]
        folders += [path.parent for path in files_about(self.folder)]
        if path.suffix not in (GROG, _YAML) or not any(
            real.is_relative_to(os.path.realpath(folder)) for folder in folders
        ):
            raise ArgumentError(
                said(
                    "{file} is no file of the ruleset {ruleset}",
                    file=short(str(path)),
                    ruleset=self.folder.name,
                ),
                said("files of the ruleset, its bases, scenarios and cases can be written here"),
            )


def _about(name: str, kind: str, base: str = "") -> dict[str, str]:
    return {"name": name, "kind": kind, "base": base}


def _read(path: Path) -> bytes | None:
    """What a file holds; None where there is none.  ArgumentError."""
    try:
        return read_bytes(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        message = said(
            "{file} cannot be read: {reason}", file=short(str(path)), reason=reason(error)
        )
        raise ArgumentError(message, said("check the file and its permissions")) from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, data)
    except OSError as error:
        message = said(
            "{file} cannot be written: {reason}", file=short(str(path)), reason=reason(error)
        )
        remedy = said("check its permissions and the space on the disk")
        raise ArgumentError(message, remedy) from None


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig").replace("\r\n", "\n")
