"""The texts that are being edited, and what they make of the rulesets and scenarios around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from compiler.output.report import Report
from compiler.ruleset import Ruleset
from grognard import places
from grognard.cases.case_shape import check_file
from grognard.draw.style_findings import look_findings
from grognard.editing.meanings import Symbols
from grognard.editing.reached_rules import Lines, ReachedRules
from grognard.lab.experiment import findings_of_experiment
from grognard.opening import findings_in
from runtime.data.findings import Finding
from runtime.data.reader import Mapping, Node, entries_of, read_tree, text_of
from runtime.errors import GrognardError, LoadError
from runtime.files import read_text
from runtime.program import CompiledProgram
from runtime.words.said import said

GROG = ".grog"
#: What kinds of files in YAML there are, by keys that only they have, or by their folder.
RULES, SCENARIO, CASES, EXPERIMENT, OTHER = "rules", "scenario", "cases", "experiment", "other"
_KEYS = re.compile(r"^\ufeff?([a-z]+):[ \t]*([\w.\-]*)", re.MULTILINE)


@dataclass
class _CheckedRuleset:
    """A ruleset as it was last looked at, with which texts in the place of files, at which state of
    the disk; and what its names mean.
    """

    ruleset: Ruleset
    overlay: dict[str, str]
    disk: int
    symbols: Symbols | None = None


@dataclass
class Desk:
    """Open texts, which stand in for their files, by absolute paths; *root* is the folder with the
    author's ``rulesets`` and ``scenarios``.
    """

    root: Path
    texts: dict[Path, str] = field(default_factory=dict)
    #: how often rules were reached, by the folders of rulesets
    reached: dict[Path, ReachedRules] = field(default_factory=dict)
    _disk: int = 0
    _checked: dict[Path, _CheckedRuleset] = field(default_factory=dict)
    _families: dict[Path, list[Path]] = field(default_factory=dict)

    def write(self, path: Path, text: str) -> None:
        """Let *text* stand in for a file."""
        self.texts[path] = text

    def close(self, path: Path) -> None:
        """Let a file be again what is on disk."""
        self.texts.pop(path, None)
        self.forget_disk()

    def trying(self, path: Path, text: str) -> Desk:
        """A desk on which a file holds *text*; what is known here is taken over."""
        texts, checked = {**self.texts, path: text}, {**self._checked}
        return Desk(self.root, texts, _disk=self._disk, _checked=checked)

    def forget_disk(self) -> None:
        """Files have changed on disk."""
        self._disk += 1
        self._families.clear()

    def text(self, path: Path) -> str:
        """The text of a file; empty where it cannot be read."""
        if path in self.texts:
            return self.texts[path]
        try:
            return read_text(path)
        except (OSError, UnicodeDecodeError):
            return ""

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Rulesets and scenarios are found in the author's folder."""
        with places.searching(self.root):
            yield

    # ------------------------------------------------------------------ rulesets

    def folder_of(self, path: Path) -> Path | None:
        """The folder of the ruleset that a file belongs to: its own, or the one that it names."""
        folder = places.ruleset_around(path)
        if folder is not None or path.suffix == GROG:
            return folder
        named = self.named_in(path)
        return places.find(named) if named else None

    def named_in(self, path: Path) -> str:
        """The ruleset that a file of data says it is of; empty where it says none."""
        return _keys_of(self.text(path)).get("ruleset", "")

    def scenarios_of(self, folder: Path) -> list[Path]:
        """The scenarios of the ruleset in a folder."""
        every = dict.fromkeys(places.scenarios().values())
        return [path for path in every if self.named_in(path) == folder.name]

    def family(self, folder: Path) -> list[Path]:
        """A ruleset's folder and those of the rulesets that it extends."""
        if folder not in self._families:
            self._families[folder] = places.family(folder)
        return self._families[folder]

    def games_of(self, folder: Path) -> list[Path]:
        """The rulesets to be checked for what is written in one: itself, but where it is abstract,
        one that extends it; and those that extend it and are open.
        """
        everywhere = [*places.rulesets().values(), *_beside(folder)]
        extending = [
            one for one in dict.fromkeys(everywhere) if one != folder and folder in self.family(one)
        ]
        open_ones = {places.ruleset_around(path) for path in self.texts}
        games = [folder, *(one for one in extending if one in open_ones)]
        if self.ruleset(folder).resolved.abstract and extending:
            games = games[1:] or extending[:1]
        return games

    def ruleset(self, folder: Path) -> Ruleset:
        """The ruleset in a folder with what is open, checked as far as nothing else has changed."""
        return self._checked_ruleset(folder).ruleset

    def symbols(self, folder: Path) -> Symbols:
        """What the names of a ruleset mean."""
        kept = self._checked_ruleset(folder)
        if kept.symbols is None:
            kept.symbols = Symbols(kept.ruleset)
        return kept.symbols

    def _checked_ruleset(self, folder: Path) -> _CheckedRuleset:
        kept, overlay = self._checked.get(folder), self.overlay(folder)
        if kept is None or (kept.overlay, kept.disk) != (overlay, self._disk):
            made = places.ruleset(folder) if kept is None else kept.ruleset
            kept = self._checked[folder] = _CheckedRuleset(
                made.with_overlay(overlay), overlay, self._disk
            )
        return kept

    def program(self, folder: Path) -> CompiledProgram:
        """The program of a ruleset with what is open; while that has errors, as it was saved."""
        if self.overlay(folder):
            ruleset = self.ruleset(folder)
            if ruleset.ok and not ruleset.resolved.abstract:
                return ruleset.compiled
        return places.program_of(folder)

    def overlay(self, folder: Path, other: dict[Path, str] | None = None) -> dict[str, str]:
        """The open texts of a ruleset and its bases by the names that findings call them, *other*
        ones before them.
        """
        texts, overlay = {**self.texts, **(other or {})}, {}
        for member in self.family(folder):
            for path, text in texts.items():
                if path.is_relative_to(member):
                    overlay[f"{member.name}/{path.relative_to(member).as_posix()}"] = text
        return overlay

    def reached_lines(self, folder: Path) -> Lines:
        """How often the rules of a ruleset were reached, as far as that is known of it as it
        stands: by the names of its files, and lines from 1.
        """
        known = self.reached.get(folder)
        return {} if known is None else known.lines(self.ruleset(folder))

    # ------------------------------------------------------------------ findings

    def findings(self, path: Path, looks: bool = True) -> dict[Path, list[Finding]]:
        """What is found in a file and in those that belong together with it; also of files in which
        nothing is found.  Without *looks* nothing of styles, which takes longer than all else.
        """
        if path.suffix != GROG and kind_of(path, self.text(path)) != RULES:
            there = path in self.texts or path.exists()  # it may never have been saved
            return {path: self._in_data(path) if there else []}
        folder = places.ruleset_around(path)
        if folder is None:
            return {path: []}
        found: dict[Path, list[Finding]] = {path: []}
        for game in self.games_of(folder):
            for file, findings in self._of_ruleset(self.ruleset(game), looks).items():
                known = found.setdefault(file, [])
                known += [one for one in findings if one not in known]
        return found

    def _of_ruleset(self, ruleset: Ruleset, looks: bool) -> dict[Path, list[Finding]]:
        report = Report()
        paths = {name: str(path) for name, path in ruleset.paths.items()}
        try:
            report.add_diagnostics(ruleset.diagnostics, ruleset.sources, paths)
            if looks:
                report.add_findings(look_findings(ruleset))
        except OSError as error:
            where = next(iter(paths.values()), str(ruleset.folder))
            message = said("the ruleset cannot be read: {reason}", reason=error.strerror or error)
            return {Path(where): [Finding("R102", message, where, 1, 1)]}
        found: dict[Path, list[Finding]] = {Path(path): [] for path in paths.values()}
        for one in report.findings:
            found.setdefault(Path(one.file).absolute(), []).append(one)
        return found

    def _in_data(self, path: Path) -> list[Finding]:
        """What is found in a file of a scenario, of cases or of an experiment."""
        text, shown = self.text(path), str(path)
        kind = kind_of(path, text)
        if kind == OTHER:
            return []
        if kind in (CASES, EXPERIMENT):
            root, findings = read_tree(text, shown)
            check = check_file if kind == CASES else findings_of_experiment
            return findings if root is None else check(root, shown)
        try:
            return findings_in(text, shown, self.program)
        except LoadError as error:
            place = _key_in(text, "ruleset")
            return [Finding("S202", str(error), shown, *place, remedy=error.remedy or "")]
        except GrognardError as error:
            return [Finding("S101", str(error), shown, 1, 1, remedy=error.remedy or "")]


def kind_of(path: Path, text: str) -> str:
    """What kind of file in YAML a text is, also one that is half written."""
    keys = _keys_of(text)
    folder = places.ruleset_around(path)
    if folder is None or "ruleset" in keys:  # no file of rules says which they are of
        if "cases" in keys:
            return CASES
        if "scenarios" in keys:
            return EXPERIMENT
        if "title" in keys or "scenarios" in path.parts:
            return SCENARIO
    if "cases" in path.parts[-4:-1] and "title" not in keys:
        return CASES
    return RULES if folder is not None else OTHER


def _keys_of(text: str) -> dict[str, str]:
    """The keys of a file in YAML, with the word behind each: of lines that begin with one, since
    the rest may not be readable yet; where none does, of a mapping in braces.
    """
    keys = dict(_KEYS.findall(text))
    if not keys:
        root, _ = read_tree(text, "")
        keys = {key.text: text_of(value) for key, value in entries_of(root)}
    return keys


def _beside(folder: Path) -> Iterable[Path]:
    """The rulesets beside one."""
    try:
        return sorted(one for one in folder.parent.iterdir() if places.is_ruleset(one))
    except OSError:
        return []


def _key_in(text: str, key: str) -> tuple[int, int]:
    """Where a key of a text stands; its beginning where there is none."""
    root, _ = read_tree(text, "")
    node: Node | None = root.key(key) if isinstance(root, Mapping) else None
    return (node.line, node.column) if node is not None else (1, 1)
