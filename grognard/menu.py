"""What a decision offers, as people read it and type it."""

from __future__ import annotations

from grognard.draw.scene import Scene
from grognard.files import short
from grognard.typed import is_number, plain_number
from runtime.game import ChoiceError, Decision, Game, Option
from runtime.model import NONE, TypeSpec, branch_of
from runtime.view import View, view
from runtime.wording import filled


class Menu:
    """The options of a game's decisions in the words of its catalogue, and what typed text means of them."""

    def __init__(self, game: Game, scene: Scene) -> None:
        self.game = game
        self.scene = scene

    def marks(self, decision: Decision, seen: View) -> set[int]:
        """The hexes that options name, and where the pieces stand that they name."""
        marked = set()
        for option in decision.options:
            if option.kind == "hex":
                marked.add(option.index)
            elif option.kind == "piece":
                marked.add(
                    self.scene.hex_of(seen.data, *self.piece(self.kind_of(decision, option), option.index))
                )
            if option.second_kind == "hex":
                marked.add(option.second)
            elif option.second_kind == "piece":
                marked.add(
                    self.scene.hex_of(
                        seen.data, *self.piece(self.types_of(decision, option)[1].name, option.second)
                    )
                )
        return marked - {NONE}

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
            return "what now?"
        return self.game.wording.prompt(decision.point, self.game.state.about)

    def value(self, decision: Decision, option: Option) -> str:
        """The value of an option in words; of a pair both."""
        return " ".join(self.values(decision, option))

    def values(self, decision: Decision, option: Option) -> list[str]:
        """The values of an option, each in words."""
        name = self.game.wording.name
        return [
            self.scene.member(type_.name, value)
            if type_.kind == "enum" and value >= 0
            else name(type_, value)
            for type_, value in zip(
                self.types_of(decision, option), (option.index, option.second), strict=False
            )
        ]

    def wording(self, decision: Decision, option: Option) -> str:
        """An option in the catalogue's words."""
        text = self.game.wording.text
        if option.passes:
            return text(f"pass.{option.word}", default=option.word.replace("_", " "))
        values = self.values(decision, option)
        template = text(f"option.{option.word}", default="")
        if not template:
            return " ".join([option.word.replace("_", " "), *values])
        return filled(template, values)

    def item(self, decision: Decision, option: Option, seen: View) -> str:
        """An option's value with what helps to find it."""
        value = self.value(decision, option)
        if option.second_kind:
            return value
        if option.kind == "piece":
            piece = self.piece(self.kind_of(decision, option), option.index)
            return f"{value} ({self.scene.describe(seen.data, *piece)})"
        if option.kind == "hex":
            there = self.standing(seen, option.index)
            return f"{value} ({there})" if there else value
        return value

    def standing(self, seen: View, h: int) -> str:
        """What stands in a hex."""
        names = []
        for kind in self.game.spec.kinds:
            for index, piece in enumerate(self.game.setup.pieces.get(kind, ())):
                if self.scene.hex_of(seen.data, kind, index) == h:
                    names.append(piece.name)
        return ", ".join(names)

    def resolve(self, decision: Decision, line: str) -> Option:
        """The option that a line means.  ChoiceError when it is none, or could be several."""
        chosen = plain_number(line)
        if chosen is not None and 1 <= chosen <= len(decision.options):
            return decision.options[chosen - 1]
        try:
            return decision.find(line)
        except ChoiceError as error:
            if error.matches:
                raise
            first = error
        seen = view(self.game.state, decision.side)
        given = " ".join(line.casefold().split())
        known = [(option, self.aliases(decision, option, seen)) for option in decision.options]
        for fits in (lambda a: a == given, lambda a: a.startswith(given), lambda a: f" {given}" in f" {a}"):
            matches = tuple(option for option, aliases in known if any(map(fits, aliases)))
            if len(matches) == 1:
                return matches[0]
            if matches:
                texts = ", ".join(o.text for o in matches[:8]) + (" …" if len(matches) > 8 else "")
                raise ChoiceError(f"'{short(line, 40)}' could mean: {texts}", matches, decision.options)
        line = short(line, 40)
        if is_number(line):
            raise ChoiceError(
                f"there is no option {line}; they are numbered 1 to {len(decision.options)}",
                (),
                decision.options,
            )
        raise ChoiceError(
            f"'{line}' is not among the options; '? {line}' may tell why, '?' helps", (), decision.options
        ) from first

    def aliases(self, decision: Decision, option: Option, seen: View) -> list[str]:
        """What an option may be called."""
        names = [option.text, self.wording(decision, option), self.value(decision, option)]
        if option.kind == "piece":
            kind, index = self.piece(self.kind_of(decision, option), option.index)
            names.append(names[-1].rsplit(".", 1)[-1])
            at = self.scene.hex_of(seen.data, kind, index)
            if at >= 0:
                names += [self.game.spec.board.label(at), f"{option.word} {self.game.spec.board.label(at)}"]
        return [" ".join(name.casefold().split()) for name in names if name]
