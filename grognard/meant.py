"""What a typed text may be short for: some words of a name, in their order, in full or begun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from grognard.draw.scene import Scene
from grognard.typed import Same, among, begins, heads, words_of
from runtime.game import Decision, Game, Option
from runtime.model import TypeSpec
from runtime.spelling import plain
from runtime.view import View


class Named(Protocol):
    """What is known of a menu: its game, and what it calls things."""

    game: Game
    scene: Scene

    def types_of(self, decision: Decision, option: Option) -> tuple[TypeSpec, ...]:
        """The types of an option's values."""

    def piece(self, type_: str, number: int) -> tuple[str, int]:
        """The kind and the number there of a piece of a type."""

    def called_piece(self, kind: str, index: int) -> list[str]:
        """What a piece is called."""

    def value_of(self, type_: TypeSpec, value: int) -> str:
        """A value as options show it."""


@dataclass(frozen=True)
class Meant:
    """The options for which *words* are short, *whole* or begun; *same* compares a typed word with one."""

    options: Sequence[Option]
    words: Sequence[str]
    same: Same
    whole: bool


class Short:
    """Reads short forms of what a menu's game names."""

    def __init__(self, menu: Named) -> None:
        self.menu = menu

    def meant(self, decision: Decision, known: Sequence[tuple[Option, list[str]]], line: str) -> Meant | None:
        """The options, *known* with what they may be called, that have the words of a line in a name: as they
        are, without those that only connect, else begun; None where none has.
        """
        names = [(option, list(map(words_of, aliases))) for option, aliases in known]
        asked, taken = words_of(line), self._taken(decision)
        joined = (plain(token) for token in line.split() if "-" in token)
        taken -= {part for token in joined if token not in taken for part in token.split()}

        def begun(typed: str, word: str) -> bool:
            return typed == word or (typed not in taken and begins(typed, word))

        plainly = self.spare(asked)
        tried: list[tuple[Sequence[str], Same]] = [(asked, str.__eq__), (plainly, str.__eq__)]
        if " ".join(plainly) not in taken:
            tried.append((plainly, begun))
        for words, same in tried:
            exact = [option for option, called in names if words in called]
            some = [option for option, called in names if any(among(words, name, same) for name in called)]
            if some:
                return Meant(exact if len(exact) == 1 else some, words, same, same is not begun)
        return None

    def rather(self, decision: Decision, meant: Meant, seen: View) -> list[str]:
        """The pieces whose names begin with the words that stand in the midst of the name of a piece of what
        is meant: who types *Taupin* may not mean the *2nd battalion of Taupin*.
        """
        menu, option, found = self.menu, meant.options[0], []
        for type_, number in zip(
            menu.types_of(decision, option), (option.index, option.second), strict=False
        ):
            if type_.kind == "piece" and number >= 0:
                piece = menu.piece(type_.name, number)
                sort = menu.scene.parts(seen.data, *piece)[0]
                own = [words_of(name) for name in (*menu.called_piece(*piece), sort)]
                said = [w for w in meant.words if any(meant.same(w, one) for name in own for one in name)]
                if said and not any(heads(said, name, meant.same) for name in own):
                    found += self._headed(said, meant.same, seen)
        return list(dict.fromkeys(found))

    def _headed(self, said: Sequence[str], same: Same, seen: View) -> list[str]:
        """The pieces on the board whose names begin with words."""
        scene, setup = self.menu.scene, self.menu.game.setup
        return [
            self.menu.game.wording.called(piece.name)
            for kind, pieces in setup.pieces.items()
            for i, piece in enumerate(pieces)
            if scene.hex_of(seen.data, kind, i) >= 0
            and any(heads(said, words_of(name), same) for name in self.menu.called_piece(kind, i))
        ]

    def spare(self, words: Sequence[str]) -> tuple[str, ...]:
        """Words without those that only connect; all, where there are no others."""
        return tuple(word for word in words if plain(word) not in self._connecting) or tuple(words)

    @cached_property
    def _connecting(self) -> frozenset[str]:
        """The words that only connect others, but for those by which a name ends (*Group A*)."""
        scene, called = self.menu.scene, self.menu.game.wording.called
        pieces = self.menu.game.setup.pieces.values()
        names = [called(name) for name in scene.spec.board.names.values()]
        names += [called(piece.name) for of_kind in pieces for piece in of_kind]
        names += [scene.member(enum, i) for enum, ms in scene.spec.enums.items() for i in range(len(ms))]
        return scene.words.connecting - {words[-1] for words in map(words_of, names) if words}

    def _taken(self, decision: Decision) -> frozenset[str]:
        """The whole names of hexes, and of the members that options are made of: they begin no others
        (*south* not *southeast*, *C1* not *C10*).
        """
        spec = self.menu.game.spec
        types = {t for branch in spec.decisions[decision.point].options for t in branch.values}
        members = [
            name
            for type_ in types
            if type_.kind == "enum"
            for i, member in enumerate(spec.enums[type_.name])
            for name in (member, self.menu.value_of(type_, i))
        ]
        return frozenset(map(plain, (*spec.board.labels, *members)))
