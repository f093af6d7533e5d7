"""Which words of cases mean something that gets another name.

A word in a case may name several things, or be no name at all, so cases are asked themselves: each
is run by the rules as they will be, and a word is meant where the case holds with its new name and
does not without.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Final, TypeAlias

from dsl.source import Source
from grognard.cases.case_shape import check_file
from grognard.cases.file import Case
from grognard.cases.suite import RulesetErrors, Workbench
from grognard.editing.edits import Edit
from grognard.editing.occurrences import whole
from runtime.data.reader import Mapping, Node, Scalar, Sequence, items_of, plain, read_tree, text_of
from runtime.errors import GrognardError

#: Of so many groups of words every choice is tried.
_MOST_GROUPS: Final = 6
#: The keys behind which nothing is named; a log may say what something is called.
_SENTENCES: Final = frozenset(("name", "note", "notes", "rules"))
#: What words have in common that name the same kind of thing: the keys that lead there, and what
#: stands before them.
_Role: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    """The old name in a case: its scalar, where it stands in the text of that, and in the file."""

    scalar: Scalar
    start: int
    edit: Edit
    role: _Role


@dataclass
class CaseNames:
    """Looks through cases for the name *old*, which is to be *new*; *bench* runs them by the rules
    as they will be.
    """

    bench: Workbench
    old: str
    new: str
    _meant: set[_Role] = field(default_factory=set)

    def in_file(self, path: Path, text: str) -> tuple[set[Edit], set[Edit]]:
        """What must be written otherwise in a file of cases, and what may have to be: the words of
        cases that hold with no choice of them, or cannot be run.
        """
        meant: set[Edit] = set()
        doubtful: set[Edit] = set()
        root = read_tree(text, str(path))[0] if re.search(whole(self.old), text) else None
        if not isinstance(root, Mapping):
            return meant, doubtful
        source = Source(str(path), text)
        for node in items_of(root.get("cases")):
            words = list(self._words(node, source))
            found = self._meant_words(root, node, words, path) if words else ()
            if found is None:
                doubtful.update(one.edit for one in words)
            else:
                meant.update(one.edit for one in found)
        return meant, doubtful

    # ------------------------------------------------------------------ words

    def _words(self, node: Node, source: Source) -> Iterator[_Word]:
        """Where the old name stands in a case."""
        for keys, scalar in _scalars_with_roles(node, ()):
            start = source.at(scalar.line, scalar.column)
            end = source.at(scalar.line, scalar.end) if scalar.end else start + len(scalar.text)
            written = list(re.finditer(whole(self.old), source.text[start:end]))
            read_ones = list(re.finditer(whole(self.old), scalar.text))
            if len(written) != len(read_ones) or not isinstance(scalar.value, str):
                continue
            for one, at in zip(read_ones, written, strict=True):
                edit = Edit(start + at.start(), start + at.end(), self.new)
                yield _Word(scalar, one.start(), edit, _role(keys, scalar.text[: one.start()]))

    # ------------------------------------------------------------------ trying

    def _meant_words(
        self, root: Mapping, node: Node, words: list[_Word], path: Path
    ) -> Iterable[_Word] | None:
        """The words of a case that are meant; None where that cannot be found out."""
        if not isinstance(node, Mapping) or node.get("balance") is not None:
            return None
        try:
            runner = self.bench.runner(text_of(root.get("ruleset")), text_of(root.get("scenario")))
        except (GrognardError, RulesetErrors):
            return None

        def holds(chosen: Iterable[_Word]) -> bool:
            made = _with_texts(node, _texts(chosen, self.old, self.new))
            entries = (
                (key, Sequence((made,), value.line, value.column) if key.text == "cases" else value)
                for key, value in root.entries
            )
            if check_file(replace(root, entries=tuple(entries)), str(path)):
                return False
            return runner.run(Case(str(path), node.line, plain(made), made)).ok

        groups: dict[_Role, list[_Word]] = defaultdict(list)
        for one in words:
            groups[one.role].append(one)
        if groups.keys() <= self._meant and holds(words):
            return words
        if holds(()):
            return ()
        for roles in self._choices(list(groups)):
            if not holds(_words_of_roles(groups, roles)):
                continue
            for role in sorted(roles) if len(roles) > 1 else ():
                if holds(_words_of_roles(groups, roles - {role})):
                    roles -= {role}
            self._meant |= roles
            return _words_of_roles(groups, roles)
        return None

    def _choices(self, roles: list[_Role]) -> Iterator[frozenset[_Role]]:
        """What may be meant together: all, what has been meant elsewhere, then the fewest first."""
        every = frozenset(roles)
        likely = every & self._meant
        yield every
        if likely and likely != every:
            yield likely
        if len(roles) <= _MOST_GROUPS:
            for size in range(1, len(roles)):
                yield from map(frozenset, combinations(roles, size))


def _scalars_with_roles(node: Node, keys: _Role) -> Iterator[tuple[_Role, Scalar]]:
    """The scalars in which something may be named, with the keys that lead to them."""
    if isinstance(node, Scalar):
        yield keys, node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _scalars_with_roles(item, keys)
    else:
        for key, value in node.entries:
            yield (*keys, "key"), key
            if key.text not in _SENTENCES:
                yield from _scalars_with_roles(value, (*keys, key.text.rpartition(".")[2]))


def _role(keys: _Role, before: str) -> _Role:
    """The role of a word behind these words of its scalar."""
    head = re.match(r"\w+(?=[ (])", before)
    return *keys, head[0] if head else "", str(len(re.findall(r"\w+", before))), before[-1:]


def _words_of_roles(groups: dict[_Role, list[_Word]], roles: Iterable[_Role]) -> list[_Word]:
    return [one for role in roles for one in groups[role]]


def _texts(words: Iterable[_Word], old: str, new: str) -> dict[int, str]:
    """The new texts of scalars, by their identity."""
    texts: dict[int, str] = {}
    for one in sorted(words, key=lambda word: -word.start):  # from behind, so that nothing moves
        text = texts.get(id(one.scalar), one.scalar.text)
        texts[id(one.scalar)] = text[: one.start] + new + text[one.start + len(old) :]
    return texts


def _with_texts(node: Node, texts: dict[int, str]) -> Node:
    """A tree with other texts."""
    if isinstance(node, Scalar):
        text = texts.get(id(node))
        return node if text is None else replace(node, value=text, text=text)
    if isinstance(node, Sequence):
        return replace(node, items=tuple(_with_texts(one, texts) for one in node.items))
    entries = []
    for key, value in node.entries:
        named = _with_texts(key, texts)
        assert isinstance(named, Scalar)
        entries.append((named, _with_texts(value, texts)))
    return replace(node, entries=tuple(entries))
