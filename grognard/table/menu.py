"""What a decision offers, in the words of people, and what typed text means of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Self

from grognard.draw.highlights import Highlights
from grognard.draw.scene import Scene
from grognard.draw.tokens import SMALL, Token
from grognard.files import short
from grognard.lexicon.typed import (
    Same,
    among,
    begins,
    heads,
    is_number,
    plain_number,
    words_of,
)
from grognard.table.inspection import pieces_found as pieces_named
from grognard.table.inspection import pieces_on
from runtime.errors import IllegalOption
from runtime.games.decision import Decision
from runtime.games.game import Game
from runtime.model import NONE, PASS, TypeSpec, branch_of
from runtime.option import Option
from runtime.scenario.fields import side_field
from runtime.spelling import plain, solid
from runtime.view import Sight, view
from runtime.words.said import fill_wording

#: How many of the options are named that somebody passes by.
_LEFT = 3


@dataclass(frozen=True)
class _Match:
    """The options for which *words* are short, *whole* or begun; *same* compares a typed word with
    one.
    """

    options: Sequence[Option]
    words: Sequence[str]
    same: Same
    whole: bool


class Menu:
    """The options of a game's decisions in the words of its catalogue, and what typed text means
    of them.
    """

    def __init__(self, game: Game, scene: Scene) -> None:
        self.game = game
        self.scene = scene
        #: whether what may come of options shall stand beside them
        self.foretells = True
        #: by point, what was asked when its options got their numbers, and these
        self._numbers: dict[int, tuple[tuple[object, ...], dict[int, int]]] = {}
        self._lights: Highlights | None = None

    def for_copy(self, game: Game) -> Self:
        """The same over a copy of the game: options keep the numbers they have here."""
        menu = type(self)(game, self.scene)
        menu._numbers = {
            point: (scope, dict(numbers)) for point, (scope, numbers) in self._numbers.items()
        }
        menu.foretells = self.foretells
        return menu

    def marks(self, decision: Decision, seen: Sight) -> dict[int, str]:
        """The hexes that options name, and where the pieces stand that they name; with what lets
        them stand out (:mod:`grognard.draw.highlights`), empty for nothing.
        """
        marked: dict[int, str] = {}
        lights = self.highlights(decision, seen)
        for option in decision.options:
            for type_, value in self.values_of(decision, option):
                for h in self.places_of(type_, value, seen):
                    marked[h] = marked.get(h) or lights.of(option, h)
        marked.pop(NONE, None)
        return marked or dict.fromkeys(self._question_hexes(decision, seen), "")

    def _question_hexes(self, decision: Decision, seen: Sight) -> Iterator[int]:
        """The hexes that a question is about, and where the pieces stand that it is about."""
        about = self.game.state.about  # not the view's: who looks on knows it of an open question
        types = self.game.spec.decisions[decision.point].about
        for type_, value in zip(types, about, strict=False):
            yield from self.places_of(type_, value, seen)

    def places_of(self, type_: TypeSpec, value: int, seen: Sight) -> Iterator[int]:
        """The hexes where a value is."""
        if type_.kind == "hex" and value >= 0:
            yield value
        elif type_.kind == "piece" and value >= 0:
            yield from self.scene.hexes_of(seen.data, *self.piece(type_.name, value))

    def highlights(self, decision: Decision, seen: Sight) -> Highlights:
        """The highlights of a decision; made once, as long as the style is the same."""
        looks, lights = self.scene.style.part("highlights"), self._lights
        names = {name: look.get("for") for name, look in looks.items()}
        if lights is None or lights.decision is not decision or lights.names != names:
            lights = self._lights = Highlights(self.game, names, decision, seen)
        return lights

    def piece(self, type_: str, number: int) -> tuple[str, int]:
        """The kind and the number there of a piece of a type."""
        return self.game.setup.own_number(self.game.spec.kinds_of(type_), number)

    def piece_of(self, decision: Decision, option: Option) -> tuple[str, int]:
        """The kind and number of the piece that an option names first."""
        type_, value = self.values_of(decision, option)[0]
        return self.piece(type_.name, value)

    def values_of(self, decision: Decision, option: Option) -> list[tuple[TypeSpec, int]]:
        """The values of an option with their types."""
        if option.passes:
            return []
        branch = self.game.spec.decisions[decision.point].options[branch_of(option.raw)]
        return list(zip(branch.values, (option.number, option.second), strict=False))

    def prompt(self, decision: Decision) -> str:
        """What is asked, in the catalogue's words."""
        if not decision.prompt:
            return self.scene.words("what now?")
        return self.game.wording.prompt(decision.point, self.game.state.about)

    def value(self, decision: Decision, option: Option) -> str:
        """The value of an option in words; of a pair both."""
        return " ".join(self.value_of(*value) for value in self.values_of(decision, option))

    def value_of(self, type_: TypeSpec, value: int) -> str:
        """A value as options show it: members in words, pieces by their names, hexes by their
        labels.
        """
        if type_.kind == "enum" and value >= 0:
            return self.scene.member(type_.name, value)
        name = self.game.names.name(type_, value)
        return self.game.wording.display_name(name) if type_.kind == "piece" else name

    def wording(self, decision: Decision, option: Option) -> str:
        """An option in the catalogue's words."""
        text = self.game.wording.text
        if option.passes:
            return text(f"pass.{option.branch}", default=option.branch.replace("_", " "))
        values = self.values_of(decision, option)
        words = [self.value_of(*value) for value in values]
        template = text(f"option.{option.branch}", default="")
        if not template:
            return " ".join([option.branch.replace("_", " "), *words])
        return fill_wording(
            template, words, lambda n, case: self.game.wording.word(*values[int(n)], case)
        )

    def head(self, word: str) -> str:
        """What stands above the options of one word."""
        return fill_wording(
            self.game.wording.text(f"option.{word}", default=word.replace("_", " ")), ("…", "…")
        )

    def begins_option(self, decision: Decision, text: str) -> bool:
        """Whether an option begins with a text."""
        beginning = plain(text)
        return any(
            plain(name).startswith(beginning)
            for option in decision.options
            for name in (option.text, self.wording(decision, option))
        )

    # ------------------------------------------------------------------ passing

    def remaining_work(self, decision: Decision) -> str:
        """What with pieces and hexes is left to do, in words: of each piece one option, of many the
        first.
        """
        options = [o for o in decision.options if {o.kind, o.second_kind} & {"piece", "hex"}]
        each: dict[tuple[str, int], Option] = {}
        for option in options:
            each.setdefault((option.branch, option.number), option)
        names = [self.wording(decision, option) for option in list(each.values())[:_LEFT]]
        return ", ".join([*names, "…"] if len(names) < len(options) else names)

    def returns(self, option: Option) -> bool:
        """Whether what an option does could be taken back."""
        copy = self.game.copy()
        copy.play(option)
        return copy.can_undo

    # ------------------------------------------------------------------ numbers

    def numbers(self, decision: Decision) -> dict[int, int]:
        """The number of each option, by its value.  While a side works through a list, its options
        keep their numbers.
        """
        state = self.game.state
        scope = (state.checkpoints, decision.side, str(decision.question), decision.prompt)
        known = self._numbers.get(decision.point)
        values = [option.raw for option in in_list_order(decision.options)]
        same = known is not None and known[0] == scope
        if known is None or not same or not any(v in known[1] for v in values if v != PASS):
            known = self._numbers[decision.point] = scope, {}
        numbers = known[1]
        if all(o.kind == "int" or o.passes for o in decision.options):  # called as they are
            numbers.update({o.raw: o.number for o in decision.options if not o.passes})
        for value in values:
            if value not in numbers:
                numbers[value] = max(numbers.values(), default=0) + 1
        return {value: numbers[value] for value in values}

    # ------------------------------------------------------------------ what a line means

    def resolve(self, decision: Decision, line: str, like: str = "") -> Option:
        """The option that a line means.  IllegalOption when it is none, or could be several.

        What the line names (a hex, a town, a piece, a card) comes before the number of an option.
        Of several things that one piece could do it is that with the word *like*; a hex is the
        counter that fills it, not a small one beside that.
        """
        try:
            return self._resolve_exactly(decision, line)
        except IllegalOption as error:
            there = self.scene.hex_named(line) >= 0
            one = there or len({(option.kind, option.number) for option in error.matches}) == 1
            several = one and len(error.matches) > 1
            alike = [option for option in error.matches if several and option.branch == like]
            if len(alike) != 1 and there:
                alike = self._pieces_filling_hex(decision, error.matches)
            if len(alike) != 1:
                raise
            return alike[0]

    def _pieces_filling_hex(self, decision: Decision, options: Iterable[Option]) -> list[Option]:
        """Those of which the piece is drawn as large as a hex is."""
        looks = self.scene.looks(view(self.game.state, decision.side))
        pieces = [o for o in options if o.kind == "piece" and not o.second_kind]
        tokens = [(o, looks.get(self.piece_of(decision, o))) for o in pieces]
        return [option for option, token in tokens if token is not None and token.size >= SMALL]

    def _resolve_exactly(self, decision: Decision, line: str) -> Option:
        for option in decision.options:
            if option.text == line:
                return option
        seen = view(self.game.state, decision.side)
        known = [(option, self.aliases(decision, option, seen)) for option in decision.options]
        given = plain(line)
        matches = [option for option, aliases in known if given in aliases]
        if matches:
            return self._only_match(decision, matches, line)
        chosen = plain_number(line)
        if chosen is not None and not self.is_name(line):
            return self._resolve_number(decision, seen, chosen)
        shortened = None if is_number(line) else self._resolve_short(decision, known, seen, line)
        if shortened is not None:
            return shortened
        passing = passing_option(decision)  # whatever it is called here
        if passing is not None and self.scene.words.understood(line) == "done":
            return passing
        raise self._not_offered(decision, line)

    def _resolve_short(
        self, decision: Decision, known: Sequence[tuple[Option, list[str]]], seen: Sight, line: str
    ) -> Option | None:
        """The only option for which a line is short, or of which a piece bears it on its counter.
        IllegalOption for several, and where it may rather mean a piece that is not offered.
        """
        short_for = self._matches_short(decision, known, line)
        if short_for is None or not short_for.whole:
            inscribed = self.inscribed(decision, line, seen)
            if inscribed is not None or short_for is None:
                return inscribed
        rather = (
            self._other_pieces(decision, short_for, seen) if len(short_for.options) == 1 else []
        )
        return self._only_match(decision, short_for.options, line, rather)

    def _resolve_number(self, decision: Decision, seen: Sight, chosen: int) -> Option:
        """The option of a number, else that of the piece with this number on its counter, else the
        only one whose value has it in its name (*token 13*).  IllegalOption.
        """
        numbers = self.numbers(decision)
        for option in decision.options:
            if numbers[option.raw] == chosen:
                return option
        inscribed = self.inscribed(decision, str(chosen), seen)
        if inscribed is not None:
            return inscribed
        called = [o for o in decision.options if str(chosen) in self.value(decision, o).split()]
        if len(called) == 1:
            return called[0]
        words, known = self.scene.words, self._numbers[decision.point][1]
        gone = next((value for value, number in known.items() if number == chosen), PASS)
        if gone != PASS:
            name = self.wording(decision, self.game.names.option(decision.point, gone))
            reason = words("{number} ({option}) is offered no more", number=chosen, option=name)
            raise IllegalOption(reason, (), decision.options)
        if self.names_piece(decision, str(chosen)):
            raise self._not_offered(decision, str(chosen))
        least, most = min(numbers.values()), max(numbers.values())
        message = "there is no option {number}; they are numbered {least} to {most}"
        reason = words(message, number=chosen, least=least, most=most)
        raise IllegalOption(reason, (), decision.options)

    def _only_match(
        self, decision: Decision, matches: Sequence[Option], line: str, rather: Sequence[str] = ()
    ) -> Option:
        """The only one of the options that a line can mean.  IllegalOption for several, and where
        it may rather mean something else.
        """
        if len(matches) == 1 and not rather:
            return matches[0]
        texts = ", ".join([*(self.wording(decision, o) for o in matches[:8]), *rather])
        more = " …" if len(matches) > 8 else ""
        message = self.scene.words(
            "'{text}' could mean: {names}", text=short(line, 40), names=texts + more
        )
        raise IllegalOption(message, tuple(matches), decision.options)

    def _not_offered(self, decision: Decision, line: str) -> IllegalOption:
        message = self.scene.words("'{text}' is not among the options", text=short(line, 40))
        return IllegalOption(message, (), decision.options)

    def inscribed(self, decision: Decision, text: str, seen: Sight | None = None) -> Option | None:
        """The only option of which a piece bears a text on its counter, alone or before the hex
        where it stands; or of the hex where a piece of another side bears it.  IllegalOption.
        """
        seen = view(self.game.state, decision.side) if seen is None else seen
        looks, matches = self.scene.looks(seen), []
        for option in decision.options:
            names: list[str] = []
            if option.kind == "piece" and not option.second_kind:
                piece = self.piece_of(decision, option)
                token, h = looks.get(piece), self.scene.hex_of(seen.data, *piece)
                if token is not None and token.label:
                    names = [f"{token.label}{place}" for place in ("", *self._hex_names("", h))]
            elif option.kind == "hex" and not option.second_kind:
                names = self._others_on(decision, option.number, seen, looks)
            verbs = ("", option.branch, self.head(option.branch).rstrip("… "))
            if solid(text) in {solid(f"{verb}{name}") for name in names for verb in verbs}:
                matches.append(option)
        return self._only_match(decision, matches, text) if matches else None

    def _others_on(
        self, decision: Decision, h: int, seen: Sight, looks: Mapping[tuple[str, int], Token]
    ) -> list[str]:
        """What the pieces of other sides in a hex are called: who attacks *NW* means the hex where
        it stands.
        """
        names: list[str] = []
        for kind, index in pieces_on(self.scene, seen.data, h):
            owner = side_field(self.game.spec, kind)
            if owner is None or seen.data[owner.slot][index] in (None, NONE, decision.side):
                continue
            token = looks.get((kind, index))
            names += self.scene.piece_names(kind, index)[:2]
            names += [token.label] if token is not None and token.label else []
        return names

    def names_piece(self, decision: Decision, text: str) -> bool:
        """Whether a text is what the counter, or a word in the name, of a piece says, offered or
        not.
        """
        looks = self.scene.looks(view(self.game.state, decision.side))
        return len(pieces_named(self.scene, text, looks)) == 1

    def is_name(self, text: str) -> bool:
        """Whether a text is the whole name of a hex, a town or a piece of the game."""
        return plain(text) in self._known_names

    @cached_property
    def _known_names(self) -> frozenset[str]:
        called = self.game.wording.display_name
        pieces = [piece.name for pieces in self.game.setup.pieces.values() for piece in pieces]
        board = self.game.spec.board
        names = [*pieces, *board.names.values()]
        return frozenset(plain(name) for name in (*names, *map(called, names), *board.labels))

    def aliases(self, decision: Decision, option: Option, seen: Sight) -> list[str]:
        """What an option may be called."""
        value = self.value(decision, option)
        names = [option.text, self.wording(decision, option), value]
        if option.kind == "piece":
            piece = self.piece_of(decision, option)
            sort = self.scene.parts(seen.data, *piece)[0]
            names += [*self.scene.piece_names(*piece), value.rsplit(".", 1)[-1]]
            names += [sort, f"{option.branch} {sort}"]
            names += self._hex_names(option.branch, self.scene.hex_of(seen.data, *piece))
        if option.second_kind:
            pair = (
                self._value_names(type_, n, seen) for type_, n in self.values_of(decision, option)
            )
            names += map(" ".join, product(*pair))
        elif option.kind == "hex":
            names += self._hex_names(option.branch, option.number)
        return [plain(name) for name in names if name]

    def _value_names(self, type_: TypeSpec, value: int, seen: Sight) -> list[str]:
        """What a value of a pair is called: by its name, a piece also by where it stands."""
        name = self.value_of(type_, value)
        if type_.kind != "piece" or value < 0:
            return [name]
        h = self.scene.hex_of(seen.data, *self.piece(type_.name, value))
        place = [self.game.spec.board.label(h)] if h >= 0 else []
        return [name, name.rsplit(".", 1)[-1], *place]

    def _hex_names(self, word: str, h: int) -> list[str]:
        """The names of a hex, alone and behind a word."""
        if h < 0:
            return []
        board = self.game.spec.board
        own = board.names.get(h, "")
        called = [own, self.game.wording.display_name(own)] if own else []
        names = [board.label(h), *called, self.game.wording.place(h)]
        return [*names, *(f"{word} {name}" for name in names)]

    # ------------------------------------------------------------------ short forms

    def _matches_short(
        self, decision: Decision, known: Sequence[tuple[Option, list[str]]], line: str
    ) -> _Match | None:
        """The options, *known* with what they may be called, that have the words of a line in a
        name: as they are, without those that only connect, else begun; None where none has.
        """
        names = [(option, list(map(words_of, aliases))) for option, aliases in known]
        asked, taken = words_of(line), self._whole_names(decision)
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
            some = [
                option
                for option, called in names
                if any(among(words, name, same) for name in called)
            ]
            if some:
                return _Match(exact if len(exact) == 1 else some, words, same, same is not begun)
        return None

    def _other_pieces(self, decision: Decision, meant: _Match, seen: Sight) -> list[str]:
        """The pieces whose names begin with the words that stand in the midst of the name of a
        piece of what is meant: who types *Taupin* may not mean the *2nd battalion of Taupin*.
        """
        option, names = meant.options[0], list[str]()
        for type_, number in self.values_of(decision, option):
            if type_.kind == "piece" and number >= 0:
                piece = self.piece(type_.name, number)
                sort = self.scene.parts(seen.data, *piece)[0]
                own = [words_of(name) for name in (*self.scene.piece_names(*piece), sort)]
                there = [word for name in own for word in name]
                typed = [w for w in meant.words if any(meant.same(w, one) for one in there)]
                if typed and not any(heads(typed, name, meant.same) for name in own):
                    names += self._pieces_beginning(typed, meant.same, seen)
        return list(dict.fromkeys(names))

    def _pieces_beginning(self, said: Sequence[str], same: Same, seen: Sight) -> list[str]:
        """The pieces on the board whose names begin with words."""
        scene, setup = self.scene, self.game.setup
        return [
            self.game.wording.display_name(piece.name)
            for kind, pieces in setup.pieces.items()
            for i, piece in enumerate(pieces)
            if scene.hex_of(seen.data, kind, i) >= 0
            and any(heads(said, words_of(name), same) for name in self.scene.piece_names(kind, i))
        ]

    def spare(self, words: Sequence[str]) -> tuple[str, ...]:
        """Words without those that only connect; all, where there are no others."""
        return tuple(word for word in words if plain(word) not in self._connecting_words) or tuple(
            words
        )

    @cached_property
    def _connecting_words(self) -> frozenset[str]:
        """The words that only connect others, but for those by which a name ends (*Group A*)."""
        scene, called = self.scene, self.game.wording.display_name
        pieces = self.game.setup.pieces.values()
        names = [called(name) for name in scene.spec.board.names.values()]
        names += [called(piece.name) for of_kind in pieces for piece in of_kind]
        names += [
            scene.member(enum, i) for enum, ms in scene.spec.enums.items() for i in range(len(ms))
        ]
        return scene.words.connecting - {words[-1] for words in map(words_of, names) if words}

    def _whole_names(self, decision: Decision) -> frozenset[str]:
        """The whole names of hexes, and of the members that options are made of: they begin no
        others (*south* not *southeast*, *C1* not *C10*).
        """
        spec = self.game.spec
        types = {t for branch in spec.decisions[decision.point].options for t in branch.values}
        members = [
            name
            for type_ in types
            if type_.kind == "enum"
            for i, member in enumerate(spec.enums[type_.name])
            for name in (member, self.value_of(type_, i))
        ]
        return frozenset(map(plain, (*spec.board.labels, *members)))


def passing_option(decision: Decision) -> Option | None:
    """The option that passes a question by; None where there is none."""
    return next((option for option in decision.options if option.passes), None)


def in_list_order(options: Iterable[Option]) -> list[Option]:
    """Options in the order in which they are listed: word by word, behind these those that stand
    alone.
    """
    words: dict[str, list[Option]] = {}
    alone: list[Option] = []
    for option in options:
        (alone if option.kind in ("", "pass") else words.setdefault(option.branch, [])).append(
            option
        )
    return [*(option for group in words.values() for option in group), *alone]
