"""The steps of procedures in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup, escape

from dsl import nodes as n
from grognard.book.phrases import AROUND, PARTS, STEPS
from grognard.book.sentences import Sentences, label_of
from grognard.lexicon.catalogue import ENGLISH
from runtime.words.said import ARGUMENT


@dataclass
class Line:
    """A sentence with the rules that it is from, and what stands *below* it: *numbered* steps, or
    things among which there is no order.
    """

    text: Markup
    rules: tuple[str, ...] = ()
    below: list[Line] = field(default_factory=list)
    numbered: bool = False
    #: what begins the line and names it
    name: str = ""
    house: str = ""


class Instructions(Sentences):
    """Words the steps of one declaration."""

    def lines(self, steps: Sequence[n.Stmt]) -> list[Line]:
        """Steps as lines; what only programs need is left out."""
        return [line for s in steps if not tells(s, self.naming.silent) for line in self._lines(s)]

    def _lines(self, s: n.Stmt) -> Iterator[Line]:
        if isinstance(s, n.Step):
            yield from self._part(s)
            return
        word = getattr(self, "_step_" + type(s).__name__.lower())
        for line in word(s):
            line.rules = line.rules or s.rules
            line.house = line.house or house_note(self, s)
            yield line

    def _block(self, phrase: str, below: Sequence[n.Stmt] = (), **parts: object) -> Line:
        """A sentence with steps below it."""
        return Line(self.say(phrase, **parts), below=self.lines(below), numbered=True)

    def _part(self, s: n.Step) -> Iterator[Line]:
        """A named part: with its name where it has a text."""
        lines = self.lines(s.body)
        name = self.naming.text(f"step.{self.procedure}.{s.name}")
        if name and lines:
            yield Line(escape(""), s.rules, lines, True, name)
        else:
            yield from lines

    #: the procedure whose steps are worded
    procedure = ""

    # ------------------------------------------------------------------ values

    def _step_let(self, s: n.Let) -> Iterator[Line]:
        value = self(s.value)
        yield Line(self.say(STEPS["let"], name=self.local(s.name.text), value=value))

    def _step_letdo(self, s: n.LetDo) -> Iterator[Line]:
        call = self._procedure(s.call)
        yield Line(self.say(STEPS["let_do"], call=call, name=self.local(s.name.text)))

    def _step_setdo(self, s: n.SetDo) -> Iterator[Line]:
        call = self._procedure(s.call)
        yield Line(self.say(STEPS["set_do"], call=call, target=self._target(s.target)))

    def _target(self, e: n.Expr) -> Markup:
        """What is changed."""
        if isinstance(e, n.Name) and self.naming.is_truth(e):
            return self._attribute_link(e.name)
        if isinstance(e, n.Attr):
            return self.say(
                PARTS["of"], name=self._attribute_link(e.name.text), of=self(e.object, 9)
            )
        return self(e)

    def _step_assign(self, s: n.Assign) -> Iterator[Line]:
        if s.op != "=":
            phrase = STEPS["add"] if s.op == "+" else STEPS["take"]
            yield Line(self.say(phrase, value=self(s.value), target=self._target(s.target)))
            return
        match s.target, s.value:
            case n.Attr(), n.NoneLit() if s.target.name.text in self.naming.places:
                yield Line(self.say(STEPS["remove"], of=self(s.target.object, 9)))
            case n.Attr(), _ if s.target.name.text in self.naming.places:
                of = self(s.target.object, 9)
                yield Line(self.say(STEPS["place"], of=of, value=self(s.value)))
            case n.Attr() | n.Name(), n.Bool() if self._is_fact(s.target):
                fact = self(s.target) if s.value.value else self(n.Unary("not", s.target))
                yield Line(self.say(STEPS["fact"], fact=fact))
            case _, n.NoneLit() | n.SetLit(items=()):
                yield Line(self.say(STEPS["clear"], target=self._target(s.target)))
            case _:
                target = self._target(s.target)
                yield Line(self.say(STEPS["set"], target=target, value=self(s.value)))

    def _is_fact(self, e: n.Attr | n.Name) -> bool:
        """Whether what is changed is a yes or no that is kept."""
        return self.naming.is_truth(e.name if isinstance(e, n.Attr) else e)

    # ------------------------------------------------------------------ what holds other steps

    def _step_if(self, s: n.If) -> Iterator[Line]:
        phrase, here = STEPS["if"], s
        while True:
            yield self._block(phrase, here.then, test=self(here.test))
            orelse = here.orelse
            if len(orelse) == 1 and isinstance(orelse[0], n.If):
                phrase, here = STEPS["else_if"], orelse[0]
                continue
            if orelse:
                yield self._block(STEPS["else"], orelse)
            return

    def _step_each(self, s: n.Each) -> Iterator[Line]:
        parts = {"who": self.new_local(s.var.text, s.source)}
        if s.where is not None:
            parts["such"] = self(s.where)
        yield self._block(STEPS["each" if s.where is None else "each_such"], s.body, **parts)

    def _step_repeat(self, s: n.Repeat) -> Iterator[Line]:
        if s.times is None:
            yield self._block(STEPS["repeat"], s.body)
        else:
            yield self._block(STEPS["repeat_times"], s.body, times=self(s.times, 6))

    def _step_eventstmt(self, s: n.EventStmt) -> Iterator[Line]:
        event = self.application("event", s.name.text, s.args)
        yield self._block(STEPS["event"], s.body, event=event)

    def _step_together(self, s: n.Together) -> Iterator[Line]:
        yield self._block(STEPS["together"], s.body)

    def _step_within(self, s: n.Within) -> Iterator[Line]:
        yield self._block(STEPS["within"], s.body, scope=label_of(s.scope.text))

    # ------------------------------------------------------------------ single steps

    def _procedure(self, call: n.Call) -> Markup:
        return self.application("procedure", call.name.text, call.args)

    def _step_do(self, s: n.Do) -> Iterator[Line]:
        yield Line(self.say(STEPS["do"], call=self._procedure(s.call)))

    def _step_return(self, s: n.Return) -> Iterator[Line]:
        yield Line(self.say(STEPS["return"], value=self(s.value)))

    def _step_leave(self, s: n.Leave) -> Iterator[Line]:
        yield Line(self.say(STEPS["leave"]))

    def _step_stop(self, s: n.Stop) -> Iterator[Line]:
        yield Line(self.say(STEPS["stop"]))

    def _step_roll(self, s: n.Roll) -> Iterator[Line]:
        die = self.naming.link("die", s.die.text, label_of(s.die.text))
        name = self.local(s.name.text)
        yield Line(self.say(STEPS["roll"], count=self(s.count, 6), die=die, name=name))

    def _step_draw(self, s: n.Draw) -> Iterator[Line]:
        source = s.source.object if isinstance(s.source, n.Index) else s.source
        if isinstance(source, n.Name) and source.name in self.program.piles:
            name = self.local(s.name.text)
            yield Line(self.say(STEPS["draw_card"], pile=self(s.source), name=name))
            return
        parts = {"who": self.new_local(s.name.text, s.source)}
        if s.where is not None:
            parts["such"] = self(s.where)
        yield Line(self.say(STEPS["draw" if s.where is None else "draw_such"], **parts))

    def _step_put(self, s: n.Put) -> Iterator[Line]:
        yield Line(self.say(STEPS["put"], card=self(s.card), pile=self(s.pile)))

    def _step_remove(self, s: n.Remove) -> Iterator[Line]:
        yield Line(self.say(STEPS["take_card"], card=self(s.card), pile=self(s.pile)))

    def _step_shuffle(self, s: n.Shuffle) -> Iterator[Line]:
        if s.into is None:
            yield Line(self.say(STEPS["shuffle"], pile=self(s.pile)))
        else:
            yield Line(self.say(STEPS["shuffle_into"], pile=self(s.pile), into=self(s.into)))

    def _step_create(self, s: n.Create) -> Iterator[Line]:
        kind, name = self.naming.kind(s.kind.text), self.local(s.var.text)
        line = Line(self.say(STEPS["create"], kind=kind, name=name))
        for given in s.given:
            called = self._attribute_link(given.name.text)
            below = self.say(STEPS["given"], name=called, value=self(given.value))
            line.below.append(Line(below))
        yield line
        if s.orelse:
            yield self._block(STEPS["none_left"], s.orelse)

    def _effect(self, call: n.Call) -> Markup:
        return self._active(n.Active(call.name, call.args))

    def _step_start(self, s: n.Start) -> Iterator[Line]:
        yield Line(self.say(STEPS["start"], effect=self._effect(s.call)))

    def _step_cease(self, s: n.Cease) -> Iterator[Line]:
        yield Line(self.say(STEPS["cease"], effect=self._effect(s.call)))

    def _step_expire(self, s: n.Expire) -> Iterator[Line]:
        yield Line(self.say(STEPS["expire"], scope=label_of(s.scope.text)))

    def _step_win(self, s: n.Win) -> Iterator[Line]:
        yield Line(self.say(STEPS["win"], sides=self(s.sides)))

    def _step_lose(self, s: n.Lose) -> Iterator[Line]:
        yield Line(self.say(STEPS["lose"], sides=self(s.sides)))

    def _step_tie(self, s: n.Tie) -> Iterator[Line]:
        yield Line(self.say(STEPS["tie"]))

    def _step_mix(self, s: n.Mix) -> Iterator[Line]:
        yield Line(self.say(STEPS["mix"], source=self(s.source)))

    # ------------------------------------------------------------------ decisions

    def _asked_of(self, prompt: n.Prompt | None) -> Markup:
        """What is asked, in the words of the table; without its arguments."""
        text = self.naming.own_text(f"prompt.{prompt.name}") if prompt is not None else ""
        if not text or ARGUMENT.search(text):
            return Markup("")
        return Markup(" <q>{}</q>").format(text)

    def _step_choose(self, s: n.Choose) -> Iterator[Line]:
        parts = {"by": self(s.by), "who": self.new_local(s.var.text, s.source)}
        key = "choose_secretly" if s.secretly else "choose"
        if s.where is not None:
            key, parts["such"] = f"{key}_such", self(s.where)
        text = capital(self.say(STEPS[key], **parts)) + self._asked_of(s.prompt)
        if s.passing is not None:
            if s.passing_when is None:
                passing = self.say(STEPS["may_pass"])
            else:
                passing = self.say(STEPS["may_pass_when"], when=self(s.passing_when))
            text += Markup(" ") + passing
        yield Line(text)
        if s.orelse:
            yield self._block(STEPS["nothing_chosen"], s.orelse)

    def _step_offer(self, s: n.Offer) -> Iterator[Line]:
        head = self.say(STEPS["offer_once" if s.once else "offer"], by=self(s.by))
        line = Line(capital(head) + self._asked_of(s.prompt))
        line.below = [self._branch(branch) for branch in s.branches]
        if s.passing is not None:
            key = "done_once" if s.once else "done"
            if s.passing_when is None:
                line.below.append(Line(self.say(STEPS[key])))
            else:
                when = self(s.passing_when)
                line.below.append(Line(self.say(STEPS[f"{key}_when"], when=when)))
        yield line

    def _branch(self, b: n.Branch) -> Line:
        option = Markup("<b>{}</b>").format(option_name(self, b.name.text))
        ranges = []
        for one in (b.first, b.second):
            if one is not None:
                said = self.new_local(one.var.text, one.source)
                if one.where is not None:
                    said = self.say(AROUND["such"], who=said, such=self(one.where))
                ranges.append(said)
        text = option
        if ranges:
            text = self.say(STEPS["branch_of"], option=option, who=Markup("; ").join(ranges))
        if b.when is not None:
            text = self.say(STEPS["branch_when"], option=text, when=self(b.when))
        below = self.lines(b.body)
        return Line(text, b.rules, below, True, house=house_note(self, b))


def tells(step: n.Stmt, silent: Collection[str]) -> bool:
    """Whether a step does nothing but tell: to the log, or to forecasts."""
    match step:
        case n.Note() | n.Observe():
            return True
        case n.Do():
            return step.call.name.text in silent
        case n.If():
            return all(tells(one, silent) for one in (*step.then, *step.orelse))
        case n.Each() | n.Together() | n.Step():
            return all(tells(one, silent) for one in step.body)
    return False


def option_name(s: Sentences, word: str) -> str:
    """What an option is called without its values."""
    text = s.naming.text(f"option.{word}")
    plain = " ".join(ARGUMENT.sub(" ", text).split())
    return plain or label_of(word)


def house_note(s: Sentences, node: n.Cited) -> str:
    """What is said of something that is designed here: why it is so."""
    if node.provenance != "house":
        return ""
    if node.reason and s.naming.language == ENGLISH:
        return f"{s.say(AROUND['house'])}: {node.reason}"
    return str(s.say(AROUND["house"]))


def capital(text: Markup) -> Markup:
    """A sentence that begins with a capital letter, unless it begins with a name or a link."""
    return text if text[:1] == "<" else Markup(text[:1].upper() + text[1:])
