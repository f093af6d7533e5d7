"""What the declarations of a ruleset say, each as an article of the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from markupsafe import Markup, escape

from dsl import nodes as n
from grognard.book import grids
from grognard.book.grids import Grid
from grognard.book.illustrations import Example
from grognard.book.instructions import Instructions, Line, capital, house_note, option_name, tells
from grognard.book.naming import NOTHING, Naming, cited_in, comma_list
from grognard.book.phrases import AROUND, LABELS, PARTS
from grognard.book.sentences import Sentences, parts_of
from grognard.lexicon.catalogue import ENGLISH

#: How many conditions are said in a row.
_IN_A_ROW: Final = 2
#: A line that belongs to a declaration and stands above it.
_MARK: Final = re.compile(r"@(house|published|rule)\b")


@dataclass
class Article:
    """What one declaration says: its *name*, what it is *about*, what its author *remarks*, the
    *lines* with their *opening*, a *grid*; the rules that it cites, and why it is as it is.
    """

    kind: str
    name: str
    anchor: str
    about: Markup = NOTHING
    remark: Markup = NOTHING
    opening: Markup = NOTHING
    lines: list[Line] = field(default_factory=list)
    grid: Grid | None = None
    rules: tuple[str, ...] = ()
    house: str = ""
    notes: list[Markup] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    #: whether its lines are done one after the other
    numbered: bool = False
    #: the IDs that lead here
    targets: list[str] = field(default_factory=list)

    @property
    def all_rules(self) -> Iterator[str]:
        """The rules that it and its lines cite."""
        yield from self.rules
        if self.grid is not None:
            for sources in self.grid.sources:
                yield from sources
        ahead = list(self.lines)
        while ahead:
            line = ahead.pop(0)
            yield from line.rules
            ahead += line.below


#: Where the article about a declaration stands.
_KINDS: Final[dict[type[n.Decl], str]] = {
    n.Function: "call",
    n.Quantity: "call",
    n.Permission: "call",
    n.Travel: "travel",
    n.Procedure: "procedure",
    n.Event: "event",
    n.Effect: "effect",
    n.Check: "check",
    n.Requirement: "requirement",
    n.Table: "table",
    n.Matrix: "matrix",
    n.Die: "die",
    n.Deck: "deck",
    n.EnumDecl: "enum",
    n.Switch: "switch",
}


def anchor_of(decl: n.Decl) -> tuple[str, str] | None:
    """The kind and name by which a declaration is linked to; None for what has no article."""
    match decl:
        case n.Case():
            return "case", f"{decl.signature.name}.{decl.name}"
        case n.Reaction():
            return "reaction", decl.name.text
        case n.Fields() | n.Piece():  # of one owner there may be several, each with others
            return "fields", _named_by_first(decl)
    kind = _KINDS.get(type(decl))
    return None if kind is None else (kind, decl.name.text)  # type: ignore[attr-defined]


def _named_by_first(decl: n.Fields | n.Piece) -> str:
    """Fields by their owner and the first of them."""
    return ".".join((decl.name.text, *(f.name.text for f in decl.fields[:1])))


class Articles:
    """Writes the articles about *decls*, the declarations that are rules of the game."""

    def __init__(self, naming: Naming, decls: Sequence[n.Decl]) -> None:
        self.naming, self.say, self.decls = naming, naming.say, decls
        self.program = naming.program
        self.rules_of: dict[str, list[n.RuleDecl]] = {}
        self.changes: dict[str, list[str]] = {}
        self.answers: dict[str, list[str]] = {}
        self.cases: dict[str, list[str]] = {}
        #: what each switch changes
        self.switched: dict[str, list[tuple[str, str]]] = {}
        self.params: dict[str, tuple[n.Param, ...]] = {}
        for decl in decls:
            self._know(decl)
            if hasattr(decl, "params"):
                self.params[decl.name.text] = decl.params  # type: ignore[attr-defined]
        self._find_silent()
        if naming.language != ENGLISH:
            self._find_titles()

    def _find_titles(self) -> None:
        """Procedures are called as the step or the option is that does nothing else."""
        naming = self.naming
        for decl in (d for d in self.decls if isinstance(d, n.Procedure | n.Case | n.Reaction)):
            for node in n.below([decl]):
                title = ""
                if isinstance(node, n.Step):
                    title = naming.own_text(f"step.{decl.name}.{node.name}")
                elif isinstance(node, n.Branch):
                    title = option_name(Instructions(self.naming), node.name.text)
                    title = title if naming.own_text(f"option.{node.name}") else ""
                body = node.body if isinstance(node, n.Step | n.Branch) else ()
                if title and len(body) == 1 and isinstance(body[0], n.Do):
                    naming.titles.setdefault(body[0].call.name.text, title)

    def _find_silent(self) -> None:
        """The procedures that only tell what comes of something."""
        silent, found = self.naming.silent, True
        while found:
            found = False
            for decl in self.decls:
                if not isinstance(decl, n.Procedure) or decl.name.text in {*silent, *self.cases}:
                    continue
                if all(tells(s, silent) or isinstance(s, n.Let) for s in decl.body):
                    silent.add(decl.name.text)
                    found = True

    def _know(self, decl: n.Decl) -> None:
        """Where the article about a declaration will stand, and what it changes and answers."""
        place, anchors = anchor_of(decl), self.naming.anchors
        if place is not None:
            anchors[place] = f"{place[0]}.{place[1]}"
        match decl:
            case n.RuleDecl():
                place = ("call", decl.signature.name.text)
                self.rules_of.setdefault(place[1], []).append(decl)
            case n.Case():
                self.cases.setdefault(decl.signature.name.text, []).append(decl.name.text)
            case n.Effect():
                for name in dict.fromkeys(rule.signature.name.text for rule in decl.body):
                    self.changes.setdefault(name, []).append(decl.name.text)
            case n.Reaction():
                self.answers.setdefault(decl.signature.name.text, []).append(decl.name.text)
            case n.Fields() | n.Piece():
                self._know_fields(decl)
            case n.Deck():
                anchors |= {("pile", p.name.text): f"deck.{decl.name}" for p in decl.piles}
        for node in n.below([decl]):
            if isinstance(node, n.Name) and node.name in self.program.switches:
                self.switched.setdefault(node.name, []).extend(filter(None, [place]))

    def _know_fields(self, decl: n.Fields | n.Piece) -> None:
        """Of fields of one name, those that come first are linked to."""
        for one in decl.fields:
            anchor = f"fields.{_named_by_first(decl)}"
            self.naming.anchors.setdefault(("field", one.name.text), anchor)

    # ------------------------------------------------------------------ one article

    def of(self, decl: n.Decl) -> Article | None:
        """The article about a declaration; None where there is nothing to say."""
        write = getattr(self, "_" + type(decl).__name__.lower(), None)
        place = anchor_of(decl)
        if write is None or place is None:
            return None
        article = Article(place[0], self._title(decl), f"{place[0]}.{place[1]}", rules=decl.rules)
        article.remark = self.remark(decl)
        worded = write(decl, article)
        if worded:
            words = Instructions(self.naming)
            article.house = house_note(words, decl)
        return article if worded else None

    def _title(self, decl: n.Decl) -> str:
        naming = self.naming
        match decl:
            case n.Case():
                enum = self.params[decl.signature.name.text][0].type.name
                member = naming.member(enum, decl.name.text)
                call = naming.call(decl.signature.name.text)
                return _upper(str(self.say(AROUND["case_of"], name=call, member=member)))
            case n.Switch():
                return _upper(naming.switch(decl.name.text))
            case n.Piece() | n.Fields():
                kind = naming.kind(decl.name.text)
                shown = naming.words(LABELS["game"]) if decl.name.text == "Game" else kind
                return _upper(f"{naming.words(LABELS['state'])}: {shown}")
            case n.EnumDecl():
                return _upper(naming.kind(decl.name.text))
            case n.Effect():
                return _upper(naming.text(f"effect.{decl.name}", naming.call(decl.name.text)))
            case n.Reaction():
                return _upper(naming.text(f"option.{decl.name}", naming.call(decl.name.text)))
        return _upper(naming.call(decl.name.text))  # type: ignore[attr-defined]

    def remark(self, node: n.Node) -> Markup:
        """What an author has written above something, in English."""
        source = self.naming.rules.sources.get(node.span.file)
        if source is None or self.naming.language != ENGLISH:
            return NOTHING
        said: list[str] = []
        above = source.text[: node.span.start].split("\n")[:-1]
        while above and (above[-1].strip()[:1] == "#" or _MARK.match(above[-1].strip())):
            line = above.pop().strip()
            if line[0] == "#":
                said.insert(0, line.lstrip("# "))
        return cited_in(" ".join(said), self.naming.rules.index)

    def _about(self, words: Sentences, params: Sequence[n.Param]) -> Markup:
        """What something is about: its parameters."""
        if not params:
            return NOTHING
        shown = (
            words.local(p.name.text)
            if not self.naming.is_type(p.type.name) or self._says(p)
            else self.say(
                PARTS["one_of_kind"],
                kind=self.naming.kind(p.type.name),
                name=words.local(p.name.text),
            )
            for p in params
        )
        return self.say(AROUND["params"], params=comma_list(shown))

    def _says(self, param: n.Param) -> bool:
        """Whether a parameter's name says of what kind it is."""
        return self.naming.kind(param.type.name) == param.name.text.replace("_", " ")

    # ------------------------------------------------------------------ conditions

    def _if(self, words: Sentences, head: Markup, when: n.Expr | None, joint: str = "head") -> Line:
        """Something that is so under a condition; of many conditions each on a line.  *joint*:
        ``head`` where the condition goes on with the sentence, ``why`` where it explains it.
        """
        if when is None:
            return Line(head)
        said = {"head": head} if head else {}
        before = f"{joint}_" if head else ""
        for op, key in (("and", "all_of"), ("or", "any_of")):
            parts = parts_of(when, op)
            if len(parts) > _IN_A_ROW:
                below = [Line(words(part, 2 if op == "and" else 1)) for part in parts]
                return Line(self.say(AROUND[before + key], **said), below=below)
        return Line(self.say(AROUND[f"{before}when"], **said, such=words(when)))

    # ------------------------------------------------------------------ rules

    def amount(self, rule: n.RuleDecl) -> Markup:
        """What a rule makes of a number."""
        words = Instructions(self.naming)
        assert rule.value is not None
        value = words(rule.value)
        if rule.kind == "modify" and value[:1] != "−":
            value = Markup("+{}{}").format("" if value[:1].isdigit() else " ", value)
        limits = ("most", "least")
        return self.say(AROUND[rule.kind], value=value) if rule.kind in limits else value

    def rule(self, rule: n.RuleDecl) -> Line:
        """What one rule says."""
        words, naming, name = Instructions(self.naming), self.naming, rule.name.text
        title = _upper(name.replace("_", " "))
        joint = "why" if rule.kind in ("allow", "deny") else "head"
        if joint == "why":
            head = escape(naming.own_text(f"why.{name}"))
            if head and naming.language != ENGLISH:  # the name is English
                title, head = _upper(str(head)), NOTHING
        elif rule.kind == "suspend":
            head = self.say(AROUND["suspends"], name=name.replace("_", " "))
        else:
            head = self.amount(rule)
        remark = self.remark(rule)
        line = self._if(words, head, rule.when, joint)
        line.name, line.rules, line.house = title, rule.rules, house_note(words, rule)
        if remark:
            line.text += Markup(' <span class="remark">{}</span>').format(remark)
        return line

    def _rules_with_exceptions(self, rules: Sequence[n.RuleDecl]) -> list[Line]:
        """Rules with the exceptions to each below it."""
        lines = {rule.name.text: self.rule(rule) for rule in rules}
        verdicts = {"allow": AROUND["allows"], "deny": AROUND["forbids"]}
        roots = []
        for rule in rules:
            line = lines[rule.name.text]
            excepted = [lines[one.text] for one in rule.excepts if one.text in lines]
            if not excepted:
                roots.append(line)
                continue
            word = self.say(AROUND["exception"])
            if rule.kind in verdicts:
                word += Markup(", ") + self.say(verdicts[rule.kind])
            line.text = Markup("<i>{}:</i> {}").format(word, line.text)
            for one in excepted:
                one.below.append(line)
        return roots

    def _permission(self, decl: n.Permission, article: Article) -> bool:
        words, rules = Instructions(self.naming), self.rules_of.get(decl.name.text, [])
        article.about = self._about(words, decl.params)
        free = decl.default == "allow"
        key = ("allowed" if free else "forbidden") + ("" if rules else "_always")
        article.opening, article.lines = self.say(AROUND[key]), self._rules_with_exceptions(rules)
        self._note_effects(decl.name.text, article)
        return True

    def _quantity(self, decl: n.Quantity, article: Article) -> bool:
        words, rules = Instructions(self.naming), self.rules_of.get(decl.name.text, [])
        article.about = self._about(words, decl.params)
        decided = [rule for rule in rules if rule.kind in ("rule", "suspend")]
        article.opening = self.say(AROUND["decided"])
        article.lines = self._rules_with_exceptions(decided)
        for stage in decl.stages:
            of = [r for r in rules if r.stage is not None and r.stage.text == stage.text]
            if of:
                head = self.say(AROUND["stage"], stage=stage.text.replace("_", " "))
                article.lines.append(Line(head, below=[self.rule(rule) for rule in of]))
        self._note_effects(decl.name.text, article)
        return True

    def _note_effects(self, name: str, article: Article) -> None:
        """By which effects something is changed."""
        naming = self.naming
        effects = [
            naming.link("effect", e, naming.text(f"effect.{e}", e.replace("_", " ")))
            for e in self.changes.get(name, ())
            if ("effect", e) in naming.anchors
        ]
        if effects:
            article.notes.append(self.say(AROUND["changed_by"], names=comma_list(effects)))

    def _function(self, decl: n.Function, article: Article) -> bool:
        words = Instructions(self.naming)
        article.about = self._about(words, decl.params)
        if decl.body is None:
            article.opening = self.say(AROUND["function_steps"])
            article.lines, article.numbered = words.lines(decl.steps), True
        elif isinstance(decl.body, n.Cond):
            article.opening = self.say(AROUND["function_cases"])
            article.lines = list(self._cases(words, decl.body))
        elif decl.type.name == "bool":
            self._truth(words, decl.body, article)
        else:
            article.opening = self.say(AROUND["function_value"], value=words(decl.body))
        return True

    def _truth(self, words: Sentences, body: n.Expr, article: Article) -> None:
        for op, key, binds in (("and", "function_all", 2), ("or", "function_any", 1)):
            parts = parts_of(body, op)
            if len(parts) > _IN_A_ROW:
                article.opening = self.say(AROUND[key])
                article.lines = [Line(words(part, binds)) for part in parts]
                return
        article.opening = self.say(AROUND["function_so"], such=words(body))

    def _cases(self, words: Sentences, body: n.Expr) -> Iterator[Line]:
        while isinstance(body, n.Cond):
            value, test = words(body.then), words(body.test)
            yield Line(self.say(AROUND["case_if"], value=value, test=test))
            body = body.orelse
        yield Line(self.say(AROUND["case_else"], value=words(body)))

    def _travel(self, decl: n.Travel, article: Article) -> bool:
        words, say = Instructions(self.naming), self.say
        article.about = self._about(words, decl.params)
        origin = words(decl.origin)
        for one in decl.carried:
            value = words(one.initial)
            shown = words.local(one.name.text)
            article.lines.append(Line(say(AROUND["carried"], name=shown, value=value)))
        start = Line(say(AROUND["from"], origin=origin, budget=words(decl.budget)))
        article.lines.insert(0, start)
        ends = {"a": words.local(decl.here.text), "b": words.local(decl.there.text)}
        article.lines.append(Line(say(AROUND["step_when"], **ends, such=words(decl.enter))))
        for key, part, expr in (
            ("step_cost", "cost", decl.cost),
            ("halt_when", "such", decl.halt),
            ("end_when", "such", decl.end),
        ):
            if expr is not None:
                article.lines.append(Line(say(AROUND[key], **{part: words(expr)})))
        for change in decl.changes:
            shown = words.local(change.name.text)
            value = words(change.value)
            article.lines.append(Line(say(AROUND["becomes"], name=shown, value=value)))
        article.lines += [self._stay(words, stay) for stay in decl.stays]
        return True

    def _stay(self, words: Sentences, stay: n.Stay) -> Line:
        changes = comma_list(
            self.say(AROUND["change"], name=words.local(c.name.text), value=words(c.value))
            for c in stay.changes
        )
        if stay.when is None:
            return Line(self.say(AROUND["stay"], changes=changes))
        return Line(self.say(AROUND["stay_when"], such=words(stay.when), changes=changes))

    # ------------------------------------------------------------------ what is done

    def _procedure(self, decl: n.Procedure, article: Article) -> bool:
        words = Instructions(self.naming)
        words.procedure = decl.name.text
        article.about = self._about(words, decl.params)
        article.lines, article.numbered = words.lines(decl.body), True
        enum = decl.params[0].type.name if decl.params else ""
        members = self.cases.get(decl.name.text, ())
        named = [
            self.naming.link("case", f"{decl.name}.{one}", self.naming.member(enum, one))
            for one in members
        ]
        if named:
            article.notes.append(self.say(AROUND["cases_of"], names=comma_list(named)))
        return decl.name.text not in self.naming.silent

    def _case(self, decl: n.Case, article: Article) -> bool:
        params = self.params[decl.signature.name.text]
        words = Instructions(self.naming)
        text = self.naming.own_text(f"{params[0].type.name}.{decl.name}.text")
        article.remark = escape(text) or article.remark
        article.lines, article.numbered = words.lines(decl.body), True
        return True

    def _event(self, decl: n.Event, article: Article) -> bool:
        words, naming = Instructions(self.naming), self.naming
        article.about = self._about(words, decl.params)
        names = [
            naming.link("reaction", name, naming.text(f"option.{name}", name.replace("_", " ")))
            for name in self.answers.get(decl.name.text, ())
        ]
        if names:
            article.notes.append(self.say(AROUND["answered_by"], names=comma_list(names)))
        return True

    def _reaction(self, decl: n.Reaction, article: Article) -> bool:
        words = Instructions(self.naming)
        event = decl.signature.name.text
        if decl.ranging is not None:
            who = words.new_local(decl.ranging.var.text, decl.ranging.source)
            if decl.ranging.where is not None:
                who = self.say(AROUND["such"], who=who, such=words(decl.ranging.where))
            article.about = self.say(AROUND["reaction_of"], who=who)
        shown = self.naming.link("event", event, self.naming.call(event))
        by = words(decl.by)
        article.opening = capital(self.say(AROUND[decl.timing], by=by, event=shown))
        article.lines, article.numbered = words.lines(decl.body), True
        if decl.when is not None:
            line = self._if(words, NOTHING, decl.when)
            below = (Markup("<br>– {}").format(one.text) for one in line.below)
            article.notes.append(capital(line.text) + NOTHING.join(below))
        return True

    def _effect(self, decl: n.Effect, article: Article) -> bool:
        words = Instructions(self.naming)
        article.about = self._about(words, decl.params)
        scope = decl.scope.text.replace("_", " ") if decl.scope is not None else ""
        key = "lasts" if scope else "lasts_on"
        article.notes.append(self.say(AROUND[key], scope=scope) if scope else self.say(AROUND[key]))
        for rule in decl.body:
            name = rule.signature.name.text
            line = self._effect_rule(rule, decl)
            call = self.naming.link("call", name, self.naming.call(name))
            line.text = self.say(AROUND["for_call"], name=call) + Markup(" ") + line.text
            article.lines.append(line)
        return True

    def _effect_rule(self, rule: n.RuleDecl, decl: n.Effect) -> Line:
        known = self.params.get(rule.signature.name.text, ())
        named = (*rule.signature.params, *(p.name for p in decl.params))
        params = self.params
        try:  # the parameters of an effect are known to its rules
            self.params = {**params, rule.signature.name.text: (*known, *decl.params)}
            inner = n.Signature(rule.signature.name, named if rule.signature.params else ())
            return self.rule(replace(rule, signature=inner))
        finally:
            self.params = params

    def _check(self, decl: n.Check, article: Article) -> bool:
        words = Instructions(self.naming)
        article.opening = self.say(AROUND["check"], such=words(decl.when))
        article.lines, article.numbered = words.lines(decl.body), True
        return True

    def _requirement(self, decl: n.Requirement, article: Article) -> bool:
        said = self.naming.own_text(f"require.{decl.name}")
        claim = escape(said) if said else Instructions(self.naming)(decl.claim)
        article.opening = self.say(AROUND["claim"], claim=claim)
        return True

    # ------------------------------------------------------------------ tables and things

    def _table(self, decl: n.Table, article: Article) -> bool:
        article.grid = grids.of_table(self.naming, decl)
        return article.grid is not None

    def _matrix(self, decl: n.Matrix, article: Article) -> bool:
        article.grid = grids.of_matrix(self.naming, self.program.matrices[decl.name.text])
        return True

    def _die(self, decl: n.Die, article: Article) -> bool:
        article.opening = grids.of_die(self.naming, decl.name.text)
        return True

    def _deck(self, decl: n.Deck, article: Article) -> bool:
        naming = self.naming
        names = (naming.text(f"pile.{p.name}", p.name.text.replace("_", " ")) for p in decl.piles)
        article.opening = comma_list(names)
        return True

    def _enumdecl(self, decl: n.EnumDecl, article: Article) -> bool:
        enum = decl.name.text
        article.grid = grids.of_members(self.naming, enum)
        if article.grid is None:
            members = self.program.enums.get(enum, ())
            article.opening = comma_list(self.naming.member(enum, name) for name in members)
            tabled = any(owner == enum for owner, _ in self.program.columns)
            return bool(article.rules) or not tabled
        return True

    def _fields(self, decl: n.Fields | n.Piece, article: Article) -> bool:
        remarks = {f.name.text: escape(f.remark) or self.remark(f) for f in decl.fields}
        if self.naming.language != ENGLISH:
            remarks = {}
        article.grid = grids.of_fields(self.naming, decl, remarks)
        return bool(decl.fields)

    _piece = _fields

    def _switch(self, decl: n.Switch, article: Article) -> bool:
        article.opening = self.say(AROUND["on" if decl.default else "off"])
        places = dict.fromkeys(self.switched.get(decl.name.text, ()))
        named = [
            self.naming.link(kind, name, self.naming.call(name).replace(".", ": "))
            for kind, name in places
            if (kind, name) in self.naming.anchors
        ]
        if named:
            article.notes.append(self.say(AROUND["switches"], names=comma_list(named)))
        return True


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
