"""What a decision offers, as people read it and type it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

from grognard.draw.picture import SMALL, Token
from grognard.draw.piles import tells_no_more
from grognard.draw.scene import Scene
from grognard.files import short
from grognard.highlights import Highlights
from grognard.looking import found as pieces_named
from grognard.meant import Short
from grognard.outlook import Foreteller
from grognard.typed import is_number, plain_number
from runtime.game import ChoiceError, Decision, Game, Option
from runtime.model import NONE, PASS, TypeSpec, branch_of
from runtime.scenario.schema import side_field
from runtime.spelling import plain, solid
from runtime.view import View, view
from runtime.wording import filled

#: How many of the options are named that somebody passes by.
_LEFT = 3


class Menu:
    """The options of a game's decisions in the words of its catalogue, and what typed text means of them."""

    def __init__(self, game: Game, scene: Scene) -> None:
        self.game = game
        self.scene = scene
        #: what stands beside options of what comes of them; None where nothing shall
        self.foreteller: Foreteller | None = Foreteller(game, scene.words, lambda: scene.style.names("odds"))
        #: by point, what was asked when its options got their numbers, and these
        self._numbers: dict[int, tuple[tuple[object, ...], dict[int, int]]] = {}
        self._lights: Highlights | None = None
        self.short = Short(self)

    def over(self, game: Game) -> Menu:
        """The same over a copy of the game: options keep the numbers they have here."""
        menu = Menu(game, self.scene)
        menu._numbers = {point: (scope, dict(numbers)) for point, (scope, numbers) in self._numbers.items()}
        return menu

    def marks(self, decision: Decision, seen: View) -> dict[int, str]:
        """The hexes that options name, and where the pieces stand that they name; with what lets them stand
        out (:mod:`grognard.highlights`), empty for nothing.
        """
        marked: dict[int, str] = {}
        lights = self._highlights(decision, seen)
        for option in decision.options:
            for h in self._hexes(decision, option, seen):
                marked[h] = marked.get(h) or lights.of(option, h)
        marked.pop(NONE, None)
        return marked or dict.fromkeys(self._asked_about(decision, seen), "")

    def _asked_about(self, decision: Decision, seen: View) -> Iterator[int]:
        """The hexes that a question is about, and where the pieces stand that it is about."""
        about = self.game.state.about  # not the view's: who looks on knows it of an open question
        for type_, value in zip(self.game.spec.decisions[decision.point].about, about, strict=False):
            yield from self._places_of(type_, value, seen)

    def _places_of(self, type_: TypeSpec, value: int, seen: View) -> Iterator[int]:
        if type_.kind == "hex" and value >= 0:
            yield value
        elif type_.kind == "piece" and value >= 0:
            yield from self.scene.hexes_of(seen.data, *self.piece(type_.name, value))

    def _highlights(self, decision: Decision, seen: View) -> Highlights:
        """The highlights of a decision; made once, as long as the style is the same."""
        looks, lights = self.scene.style.part("highlights"), self._lights
        names = {name: look.get("for") for name, look in looks.items()}
        if lights is None or lights.decision is not decision or lights.names != names:
            lights = self._lights = Highlights(self.game, names, decision, seen)
        return lights

    def _hexes(self, decision: Decision, option: Option, seen: View) -> Iterator[int]:
        """The hexes that an option names, and those where the pieces stand that it names."""
        values = zip(self.types_of(decision, option), (option.index, option.second), strict=False)
        for type_, value in values:
            yield from self._places_of(type_, value, seen)

    def piece(self, type_: str, number: int) -> tuple[str, int]:
        """The kind and the number there of a piece of a type."""
        return self.game.setup.own_number(self.game.spec.kinds_of(type_), number)

    def kind_of(self, decision: Decision, option: Option) -> str:
        """The piece kind or enum of an option's value."""
        types = self.types_of(decision, option)
        return types[0].name if types else ""

    def types_of(self, decision: Decision, option: Option) -> tuple[TypeSpec, ...]:
        """The types of an option's values."""
        return (
            ()
            if option.passes
            else self.game.spec.decisions[decision.point].options[branch_of(option.value)].values
        )

    def prompt(self, decision: Decision) -> str:
        """What is asked, in the catalogue's words."""
        if not decision.prompt:
            return self.scene.words("what now?")
        return self.game.wording.prompt(decision.point, self.game.state.about)

    def value(self, decision: Decision, option: Option) -> str:
        """The value of an option in words; of a pair both."""
        return " ".join(self.values(decision, option))

    def values(self, decision: Decision, option: Option) -> list[str]:
        """The values of an option, each in words."""
        return [
            self.value_of(type_, value)
            for type_, value in zip(
                self.types_of(decision, option), (option.index, option.second), strict=False
            )
        ]

    def value_of(self, type_: TypeSpec, value: int) -> str:
        """A value as options show it: members in words, pieces by their names, hexes by their labels."""
        if type_.kind == "enum" and value >= 0:
            return self.scene.member(type_.name, value)
        name = self.game.wording.name(type_, value)
        return self.game.wording.called(name) if type_.kind == "piece" else name

    def wording(self, decision: Decision, option: Option) -> str:
        """An option in the catalogue's words."""
        text = self.game.wording.text
        if option.passes:
            return text(f"pass.{option.word}", default=option.word.replace("_", " "))
        values = self.values(decision, option)
        template = text(f"option.{option.word}", default="")
        if not template:
            return " ".join([option.word.replace("_", " "), *values])
        types, numbers = self.types_of(decision, option), (option.index, option.second)

        def inflected(place: int, case: str) -> str:
            return self.game.wording.word(types[place], numbers[place], case)

        return filled(template, values, inflected)

    def head(self, word: str) -> str:
        """What stands above the options of one word."""
        return filled(self.game.wording.text(f"option.{word}", default=word.replace("_", " ")), ("…", "…"))

    def foretold(self, decision: Decision, option: Option, text: str) -> str:
        """A text for an option, with what comes of the option where a forecast says it."""
        told = self.foreteller.beside(decision, option) if self.foreteller is not None else ""
        return f"{text} ({told})" if told else text

    def item(
        self, decision: Decision, option: Option, seen: View, looks: Mapping[tuple[str, int], Token]
    ) -> str:
        """An option's value with what helps to find it, and what comes of it: *18th-Army 4-3 at 1204*, *1106
        (4th-Army)*.
        """
        return self.foretold(decision, option, self._item(decision, option, seen, looks))

    def _item(
        self, decision: Decision, option: Option, seen: View, looks: Mapping[tuple[str, int], Token]
    ) -> str:
        value = self.value(decision, option)
        if option.second_kind:
            return self._pair(decision, option, seen, looks)
        if option.kind == "piece":
            return self.told(self.piece(self.kind_of(decision, option), option.index), seen, looks)
        if option.kind == "hex":
            return self._place(decision, option, option.index, seen, looks)
        return value

    def _pair(
        self, decision: Decision, option: Option, seen: View, looks: Mapping[tuple[str, int], Token]
    ) -> str:
        """A pair, each with what helps to find it."""
        return ", ".join(self.parts(decision, option, seen, looks))

    def parts(
        self, decision: Decision, option: Option, seen: View, looks: Mapping[tuple[str, int], Token]
    ) -> list[str]:
        """The values of a pair, each with what helps to find it."""
        told = []
        types = self.types_of(decision, option)
        for type_, index in zip(types, (option.index, option.second), strict=False):
            if type_.kind == "piece" and index >= 0:
                told.append(self.told(self.piece(type_.name, index), seen, looks))
            elif type_.kind == "hex" and index >= 0:
                told.append(self._place(decision, option, index, seen, looks))
            else:
                told.append(self.value_of(type_, index))
        return told

    def _place(
        self,
        decision: Decision,
        option: Option,
        h: int,
        seen: View,
        looks: Mapping[tuple[str, int], Token],
    ) -> str:
        """A hex that an option names, with who stands there and what would come of going there."""
        there, sign = self.standing(seen, h, looks), self.sign(decision, option, h, seen)
        place = self.game.wording.place(h)
        return place + (f" ({there})" if there else "") + (f" {sign}" if sign else "")

    def told(self, piece: tuple[str, int], seen: View, looks: Mapping[tuple[str, int], Token]) -> str:
        """A piece with its sort, where the name does not tell it, its figures and its place."""
        kind, index = piece
        name = self.game.wording.called(self.game.setup.pieces[kind][index].name)
        sort, figures, place = self.scene.parts(seen.data, kind, index)
        token = looks.get(piece)
        if token is not None and token.figures:
            figures = token.figures
        if sort and _alike(name, sort):
            sort = ""
        if self.scene.place_of(kind) is None:
            hexes = self.scene.hexes_of(seen.data, kind, index)
            places = ", ".join(self.game.wording.place(h) for h in hexes[:_LEFT]) + "…" * (len(hexes) > _LEFT)
            place = self.scene.words("at {place}", place=places) if places else place
        return " ".join(filter(None, (name, sort, figures, place)))

    def standing(self, seen: View, h: int, looks: Mapping[tuple[str, int], Token]) -> str:
        """What stands in a hex, as map and counters say it: by sort, label and figures, else by name."""
        names = []
        for kind in self.game.spec.kinds:
            for index, piece in enumerate(self.game.setup.pieces.get(kind, ())):
                if self.scene.hex_of(seen.data, kind, index) == h:
                    token = looks.get((kind, index))
                    said = [token.label, token.figures] if token is not None else []
                    sort = self.scene.short(seen.data, kind, index)
                    if said and not (said[0] and tells_no_more(said[0], sort)):
                        said.insert(0, sort.upper())
                    names.append(" ".join(filter(None, said)) or self.game.wording.called(piece.name))
        return ", ".join(names)

    def sign(self, decision: Decision, option: Option, h: int, seen: View) -> str:
        """The sign of the highlight that holds in a hex where an option leads."""
        name = self._highlights(decision, seen).of(option, h)
        return str(self.scene.style.part("highlights", name).get("sign", "*")) if name else ""

    # ------------------------------------------------------------------ passing

    def left(self, decision: Decision) -> str:
        """What with pieces and hexes is left to do, in words: of each piece one option, of many the first."""
        options = [o for o in decision.options if {o.kind, o.second_kind} & {"piece", "hex"}]
        each: dict[tuple[str, int], Option] = {}
        for option in options:
            each.setdefault((option.word, option.index), option)
        told = [self.wording(decision, option) for option in list(each.values())[:_LEFT]]
        return ", ".join([*told, "…"] if len(told) < len(options) else told)

    def returns(self, option: Option) -> bool:
        """Whether what an option does could be taken back."""
        copy = self.game.copy()
        copy.play(option)
        return copy.can_undo

    # ------------------------------------------------------------------ numbers

    def numbers(self, decision: Decision) -> dict[int, int]:
        """The number of each option, by its value.  While a side works through a list, its options keep their
        numbers.
        """
        state = self.game.state
        scope = (state.checkpoints, decision.side, str(decision.question), decision.prompt)
        known = self._numbers.get(decision.point)
        values = [option.value for option in listed(decision.options)]
        if known is None or known[0] != scope or not any(v in known[1] for v in values if v != PASS):
            known = self._numbers[decision.point] = scope, {}
        numbers = known[1]
        if all(option.kind == "int" or option.passes for option in decision.options):  # called as they are
            numbers.update({o.value: o.index for o in decision.options if not o.passes})
        for value in values:
            if value not in numbers:
                numbers[value] = max(numbers.values(), default=0) + 1
        return {value: numbers[value] for value in values}

    # ------------------------------------------------------------------ what is typed

    def resolve(self, decision: Decision, line: str, like: str = "") -> Option:
        """The option that a line means.  ChoiceError when it is none, or could be several.

        What the line names (a hex, a town, a piece, a card) comes before the number of an option.  Of several
        things that one piece could do it is that with the word *like*; a hex is the counter that fills it,
        not a small one beside that.
        """
        try:
            return self._resolved(decision, line)
        except ChoiceError as error:
            there = self.scene.hex_named(line) >= 0
            one = there or len({(option.kind, option.index) for option in error.matches}) == 1
            several = one and len(error.matches) > 1
            alike = [option for option in error.matches if several and option.word == like]
            if len(alike) != 1 and there:
                alike = self._filling(decision, error.matches)
            if len(alike) != 1:
                raise
            return alike[0]

    def _filling(self, decision: Decision, options: Iterable[Option]) -> list[Option]:
        """Those of which the piece is drawn as large as a hex is."""
        looks = self.scene.looks(view(self.game.state, decision.side))
        pieces = [o for o in options if o.kind == "piece" and not o.second_kind]
        tokens = [(o, looks.get(self.piece(self.kind_of(decision, o), o.index))) for o in pieces]
        return [option for option, token in tokens if token is not None and token.size >= SMALL]

    def _resolved(self, decision: Decision, line: str) -> Option:
        for option in decision.options:
            if option.text == line:
                return option
        seen = view(self.game.state, decision.side)
        known = [(option, self.aliases(decision, option, seen)) for option in decision.options]
        given = plain(line)
        matches = [option for option, aliases in known if given in aliases]
        if matches:
            return self._only(decision, matches, line)
        chosen = plain_number(line)
        if chosen is not None and not self.named(line):
            return self._numbered(decision, seen, chosen)
        found = None if is_number(line) else self._shortened(decision, known, seen, line)
        if found is not None:
            return found
        passing = pass_of(decision)
        if passing is not None and self.scene.words.understood(line) == "done":  # whatever it is called here
            return passing
        raise self._not_offered(decision, line)

    def _shortened(
        self, decision: Decision, known: Sequence[tuple[Option, list[str]]], seen: View, line: str
    ) -> Option | None:
        """The only option for which a line is short, or of which a piece bears it on its counter.
        ChoiceError for several, and where it may rather mean a piece that is not offered.
        """
        short_for = self.short.meant(decision, known, line)
        if short_for is None or not short_for.whole:
            found = self._inscribed(decision, seen, line)
            if found is not None or short_for is None:
                return found
        rather = self.short.rather(decision, short_for, seen) if len(short_for.options) == 1 else []
        return self._only(decision, short_for.options, line, rather)

    def called_piece(self, kind: str, index: int) -> list[str]:
        """What a piece is called: its name, that in the language, and that without the prefix of its list."""
        name = self.game.setup.pieces[kind][index].name
        return [name, self.game.wording.called(name), name.rsplit(".", 1)[-1]]

    def _numbered(self, decision: Decision, seen: View, chosen: int) -> Option:
        """The option of a number, else that of the piece with this number on its counter, else the only one
        whose value has it in its name (*token 13*).  ChoiceError.
        """
        numbers = self.numbers(decision)
        for option in decision.options:
            if numbers[option.value] == chosen:
                return option
        found = self._inscribed(decision, seen, str(chosen))
        if found is not None:
            return found
        called = [o for o in decision.options if str(chosen) in self.value(decision, o).split()]
        if len(called) == 1:
            return called[0]
        gone = self._gone(decision, chosen)
        if gone:
            raise ChoiceError(gone, (), decision.options)
        if self.names_piece(decision, str(chosen)):
            raise self._not_offered(decision, str(chosen))
        least, most = min(numbers.values()), max(numbers.values())
        message = "there is no option {number}; they are numbered {least} to {most}"
        told = self.scene.words(message, number=chosen, least=least, most=most)
        raise ChoiceError(told, (), decision.options)

    def _gone(self, decision: Decision, chosen: int) -> str:
        """What is to be said of the number of an option that is offered no more."""
        numbers = self._numbers[decision.point][1]
        value = next((value for value, number in numbers.items() if number == chosen), PASS)
        if value == PASS:
            return ""
        option = self.wording(decision, self.game.wording.option(decision.point, value))
        return self.scene.words("{number} ({option}) is offered no more", number=chosen, option=option)

    def _only(
        self, decision: Decision, matches: Sequence[Option], line: str, rather: Sequence[str] = ()
    ) -> Option:
        """The only one of the options that a line can mean.  ChoiceError for several, and where it may rather
        mean something else.
        """
        if len(matches) == 1 and not rather:
            return matches[0]
        texts = ", ".join([*(self.wording(decision, o) for o in matches[:8]), *rather])
        more = " …" if len(matches) > 8 else ""
        told = self.scene.words("'{text}' could mean: {names}", text=short(line, 40), names=texts + more)
        raise ChoiceError(told, tuple(matches), decision.options)

    def _not_offered(self, decision: Decision, line: str) -> ChoiceError:
        told = self.scene.words("'{text}' is not among the options", text=short(line, 40))
        return ChoiceError(told, (), decision.options)

    def inscribed(self, decision: Decision, text: str) -> Option | None:
        """The only option of which a piece bears a text on its counter.  ChoiceError for several."""
        return self._inscribed(decision, view(self.game.state, decision.side), text)

    def _inscribed(self, decision: Decision, seen: View, line: str) -> Option | None:
        """The only option of which a piece bears a text on its counter, alone or before the hex where it
        stands.
        """
        looks, known = self.scene.looks(seen), []
        for option in decision.options:
            if option.kind == "piece" and not option.second_kind:
                piece = self.piece(self.kind_of(decision, option), option.index)
                token, h = looks.get(piece), self.scene.hex_of(seen.data, *piece)
                label = token.label if token is not None else ""
                places = ["", *self._called("", h)]
                heads = ("", option.word, self.head(option.word).rstrip("… "))
                names = {solid(f"{head}{label}{place}") for place in places for head in heads}
                known.append((option, list(names) if label else []))
            elif option.kind == "hex" and not option.second_kind:
                known.append((option, self._inscribed_there(decision, option, seen, looks)))
        matches = [option for option, names in known if solid(line) in names]
        return self._only(decision, matches, line) if matches else None

    def _inscribed_there(
        self, decision: Decision, option: Option, seen: View, looks: Mapping[tuple[str, int], Token]
    ) -> list[str]:
        """What the pieces of other sides in a hex are called that an option names: who attacks *NW* means
        the hex where it stands.
        """
        names = []
        heads = ("", option.word, self.head(option.word).rstrip("… "))
        for kind in self.game.spec.kinds:
            owner = side_field(self.game.spec, kind)
            for index, piece in enumerate(self.game.setup.pieces.get(kind, ())):
                if owner is None or self.scene.hex_of(seen.data, kind, index) != option.index:
                    continue
                if seen.data[owner.slot][index] not in (None, NONE, decision.side):
                    token = looks.get((kind, index))
                    called = [piece.name, self.game.wording.called(piece.name)]
                    names += [*called, token.label] if token is not None else called
        return [solid(f"{head}{name}") for name in names if name for head in heads]

    def names_piece(self, decision: Decision, text: str) -> bool:
        """Whether a text is what the counter, or a word in the name, of a piece says, offered or not."""
        scene = self.scene
        return len(pieces_named(scene, text, scene.looks(view(self.game.state, decision.side)))) == 1

    def named(self, text: str) -> bool:
        """Whether a text is the whole name of a hex, a town or a piece of the game."""
        return plain(text) in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        called = self.game.wording.called
        pieces = [piece.name for pieces in self.game.setup.pieces.values() for piece in pieces]
        board = self.game.spec.board
        names = [*pieces, *board.names.values()]
        return frozenset(plain(name) for name in (*names, *map(called, names), *board.labels))

    def aliases(self, decision: Decision, option: Option, seen: View) -> list[str]:
        """What an option may be called."""
        value = self.value(decision, option)
        names = [option.text, self.wording(decision, option), value]
        if option.kind == "piece":
            kind, index = self.piece(self.kind_of(decision, option), option.index)
            sort = self.scene.parts(seen.data, kind, index)[0]
            own = self.called_piece(kind, index)
            names += [*own, value.rsplit(".", 1)[-1], sort, f"{option.word} {sort}"]
            names += self._called(option.word, self.scene.hex_of(seen.data, kind, index))
        if option.second_kind:
            names += self._of_pair(decision, option, seen)
        if option.kind == "hex" and not option.second_kind:
            names += self._called(option.word, option.index)
        return [plain(name) for name in names if name]

    def _of_pair(self, decision: Decision, option: Option, seen: View) -> Iterator[str]:
        """The names of a pair: each value by its name, a piece also by where it stands."""
        called: list[list[str]] = []
        types = self.types_of(decision, option)
        for type_, index in zip(types, (option.index, option.second), strict=False):
            name = self.value_of(type_, index)
            names = [name]
            if type_.kind == "piece" and index >= 0:
                h = self.scene.hex_of(seen.data, *self.piece(type_.name, index))
                names += [name.rsplit(".", 1)[-1], *([self.game.spec.board.label(h)] if h >= 0 else [])]
            called.append(names)
        return (" ".join(pair) for pair in product(*called))

    def _called(self, word: str, h: int) -> list[str]:
        """The names of a hex, alone and behind a word."""
        if h < 0:
            return []
        board = self.game.spec.board
        own = board.names.get(h, "")
        names = [
            board.label(h),
            own,
            self.game.wording.called(own) if own else "",
            self.game.wording.place(h),
        ]
        return [*names, *(f"{word} {name}" for name in names if name)]


def pass_of(decision: Decision) -> Option | None:
    """The option that passes a question by; None where there is none."""
    return next((option for option in decision.options if option.passes), None)


def stands_alone(option: Option) -> bool:
    """Whether an option is listed by itself, below those that are listed by their word."""
    return option.kind in ("", "pass")


def listed(options: Iterable[Option]) -> list[Option]:
    """Options in the order in which they are listed: word by word, behind these those that stand alone."""
    words: dict[str, list[Option]] = {}
    alone: list[Option] = []
    for option in options:
        (alone if stands_alone(option) else words.setdefault(option.word, [])).append(option)
    return [*(option for group in words.values() for option in group), *alone]


def _alike(name: str, sort: str) -> bool:
    """Whether the name of a piece tells its sort; a number behind it tells pieces of a sort apart."""
    one, other = ("".join(c for c in plain(text) if c.isalnum()) for text in (name.rsplit(".", 1)[-1], sort))
    stem = one.rstrip("0123456789")
    return one in other or other in one or (stem in other and 2 * len(stem) >= len(other))
