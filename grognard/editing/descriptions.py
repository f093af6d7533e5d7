"""What is to be said of a name when somebody points at it: what it is, as it is declared and in
words, the rules of the rulebook that it carries out, what was proved of it, which cases are about
it, who reads and writes it or how often it is used, how often it was reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from compiler.sources.resolve import Resolved
from compiler.sources.rulebook import Entry
from compiler.trees import rules_of
from dsl import nodes as n
from dsl.source import Span
from grognard.editing.accesses import accesses
from grognard.editing.meanings import Definition, Symbol, Symbols
from grognard.editing.reached_rules import Lines
from grognard.lexicon.faults import Sayer
from runtime.words.said import said

#: How many lines of a declaration are shown.
_LINES = 12
#: How many of those that read or write a field are named.
_WHO = 6
_RULE_ID = re.compile(r"(?:[A-Za-z]\w*-|§)[\w.\-]*\w")


@dataclass(frozen=True)
class Telling:
    """With what is told of things: the names of *cases* by the rule IDs that they name, how often
    what stands in lines was *reached*, who *says* it, what makes of a text a *link* to a place,
    and of a declaration what it says in *words*, where it says anything so.
    """

    cases: Mapping[str, list[str]]
    reached: Lines
    say: Sayer
    link: Callable[[str, Span], str]
    words: Callable[[n.Decl], str]


def description_of(symbols: Symbols, symbol: Symbol, telling: Telling) -> str:
    """A symbol in Markdown."""
    say = telling.say
    parts = []
    for one in symbol.definitions[:3]:
        parts += [_source_of(symbols, one), telling.words(one.decl)]
    rules = list(dict.fromkeys(rule for one in symbol.definitions for rule in cited_rules(one)))
    parts += cited_lines(symbols.resolved, rules)
    parts += [_origin(one.decl) for one in symbol.definitions if one.decl.provenance]
    parts += proof_lines(symbols, symbol, telling)
    found = (cases_about(symbols, one, telling.cases) or () for one in symbol.definitions)
    about = list(dict.fromkeys(case for some in found for case in some))
    if about:
        names = f"{', '.join(about[:5])}{' …' if len(about) > 5 else ''}"
        parts.append(f"{say(said('cases:'))} {names}")
    parts += (
        _access_lines(symbols, symbol, telling)
        if symbol.kind == "field"
        else _usage_lines(symbol, say)
    )
    lines = [telling.reached.get(one.at.file, {}).get(one.at.line) for one in symbol.definitions]
    known = [count for count in lines if count is not None]
    if known:
        parts.append(say(reached_words(sum(known))))
    return "\n\n".join(filter(None, parts))


def _usage_lines(symbol: Symbol, say: Sayer) -> Iterator[str]:
    """How often a thing is used."""
    uses = len(symbol.places) - len(symbol.definitions)
    files = len({one.file for one in symbol.places})
    if symbol.definitions:
        used = said("{count: 0 used nowhere else | 1 used once | used # times}", count=uses)
        far = said(" in {files} files", files=files) if uses and files > 1 else ""
        yield f"{say(used)}{say(far)}"


def _access_lines(symbols: Symbols, symbol: Symbol, telling: Telling) -> Iterator[str]:
    """Who reads and who writes a field."""
    found = accesses(symbols, symbol)
    for who, by, nobody in (
        (found.writers, "written by", "written by no rule"),
        (found.readers, "read by", "read by no rule"),
    ):
        links = [telling.link(name, at) for name, at in who.items()]
        shown = ", ".join(links[:_WHO]) + (f" … ({len(links)})" if len(links) > _WHO else "")
        yield f"{telling.say(by)} {shown}" if links else telling.say(nobody)


def proof_lines(symbols: Symbols, symbol: Symbol, telling: Telling) -> Iterator[str]:
    """What the prover has found of a quantity, a permission or a rule, with its witness; of a
    quantity also that it has found nothing.
    """
    if symbol.kind not in ("quantity", "permission", "rule") or not symbols.ruleset.sound:
        return
    call = symbols.ruleset.program.calls.get(symbol.name) if symbol.kind != "rule" else None
    about = {one.decl.span for one in symbol.definitions}
    if call is not None:
        changes = [one for some in call.modifiers.values() for one in some]
        about |= {call.span, *(one.span for one in rules_of(call.roots))}
        about |= {one.span for one in changes}
    found = [
        one
        for one in symbols.ruleset.proofs
        if one.span in about or any(label.span in about for label in one.labels)
    ]
    for one in found:
        yield f"{telling.link(one.code, one.span)} {telling.say(one.message)}"
    if call is not None and call.kind == "quantity" and not found:
        yield telling.say("proved: in every case a rule decides, and no two decide differently")


def reached_words(count: int) -> str:
    """How often something was reached."""
    return said("{count: 0 never reached | 1 reached once | reached # times}", count=count)


def _source_of(symbols: Symbols, definition: Definition) -> str:
    """The source of what declares something, of long ones the beginning."""
    source = symbols.sources.get(definition.at.file)
    if source is None:
        return ""
    whole = definition.kind == "member"  # what it is one of tells more than its name
    span = (definition.decl if whole else part_of(definition)).span
    lines = source.text[span.start : span.end].rstrip().split("\n")
    if len(lines) > _LINES:
        lines = [*lines[:_LINES], "…"]
    kind = (
        "" if whole or re.match(rf"(\S+ )*{definition.kind}\b", lines[0]) else f"{definition.kind} "
    )
    where = f"  # {definition.at}" if definition.at.file else ""
    return f"```grog\n{kind}{lines[0]}{where if len(lines) == 1 else ''}\n" + "\n".join(
        [*lines[1:], "```"]
    )


def part_of(definition: Definition) -> n.Node:
    """The smallest part of its declaration that declares it: a field, a column, a rule."""
    return _smallest(definition.decl, definition)


def _smallest(node: n.Node, definition: Definition) -> n.Node:
    for below in n.children(node):
        if below.span.holds(definition.at) and not isinstance(below, n.Ident):
            if isinstance(below, n.Cited):
                return _smallest(below, definition)
    return node


def cited_rules(definition: Definition) -> Iterator[str]:
    """The rule IDs that something carries out."""
    part = part_of(definition)
    yield from part.rules if isinstance(part, n.Cited) else ()
    yield from definition.decl.rules


def cases_about(
    symbols: Symbols, definition: Definition, cases: Mapping[str, list[str]]
) -> list[str] | None:
    """The names of the cases, which are given by rule IDs, that name one that something, or what
    stands in it, carries out; None: it carries out none.
    """
    span = part_of(definition).span
    within = symbols.resolved.citations.get(span.file, ())
    rules = [*cited_rules(definition), *(one.rule for one in within if span.holds(one.span))]
    about = [case for rule in dict.fromkeys(rules) for case in cases.get(rule, ())]
    return list(dict.fromkeys(about)) if rules else None


def _origin(decl: n.Decl) -> str:
    reason = f": {decl.reason}" if decl.reason else ""
    return f"*{decl.provenance}*{reason}"


def cited_lines(resolved: Resolved, rules: Iterable[str]) -> list[str]:
    """Rule IDs with their topics and pages, a line each."""
    return [rule_line(resolved, rule) for rule in rules]


def rule_line(resolved: Resolved, rule: str) -> str:
    """A rule ID with what its index says of it."""
    entry = entry_of(resolved, rule)
    if entry is None:
        return f"**{rule}**"
    page = f"p. {entry.page}" if entry.page else ""
    source = entry.source if entry.source != "rulebook" else ""
    return f"**{rule}** {', '.join(filter(None, (entry.topic, page, source)))}".rstrip()


def entry_of(resolved: Resolved, rule: str) -> Entry | None:
    """What the indexes of a ruleset and its bases say of a rule ID."""
    found = (index.entries.get(rule) for index in resolved.indexes)
    return next((one for one in found if one is not None), None)


def citation_at(symbols: Symbols, file: str, offset: int) -> str | None:
    """The rule ID that is cited at a place of a file."""
    for one in symbols.resolved.citations.get(file, ()):
        if one.span.start <= offset <= one.span.end:
            return one.rule
    return None
