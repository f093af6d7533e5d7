"""What could have stood somewhere, in words for people."""

from __future__ import annotations

from dsl.language import accepted, spellings

#: What terminals that are spelt in many ways are called.
FRIENDLY = {
    "NAME": "a name",
    "INT": "a number",
    "MEASURED": "a number with its measure",
    "ROW": "a table row ('| … |')",
    "CITE": "'@rule …'",
    "SECTION": "'@section …'",
    "PROVENANCE": "'@house' or '@published'",
    "COMPARE": "a comparison",
    "KIND": "what is dropped (a rule, case, procedure, function, quantity, permission, travel, effect, "
    "event, reaction, check, require, enum, member, table, column, matrix, die, deck, pile, board, piece, "
    "fields, field, stage, switch, scope or measure)",
    "$END": "the end of the file",
}


_DECLARATION = accepted("")

_STATEMENT = accepted("procedure p() {") - {"RBRACE"}

_VALUE = accepted("function f(): t =")

_OPERATOR = accepted("function f(): t = (a") - {"RPAR"}

# The terminals of a group, those of them that must be there, and what the group is called.
_GROUPS = (
    (_DECLARATION, {"ENUM", "PROCEDURE"}, "a declaration (procedure, rule, table …)"),
    (_STATEMENT, {"LET", "DO"}, "a statement (let, set, do …)"),
    (_VALUE, {"INT", "LPAR", "NAME"}, "a value"),
    (_OPERATOR, {"PLUS", "STAR"}, "an operator"),
    (_OPERATOR, {"DOT", "LSQB"}, "'.' or '['"),
)


def in_words(terminals: frozenset[str]) -> str:
    """Terminals of the grammar in few words."""
    left = set(terminals)
    groups: list[str] = []
    for members, least, words in _GROUPS:
        if least <= left:
            groups.append(words)
            left -= members
    single = [
        FRIENDLY.get(name) or " or ".join(f"'{word}'" for word in spellings().get(name, (name,)))
        for name in left
    ]
    single.sort(key=lambda words: (words.startswith("'"), words))
    items = [*single[:5], *groups] if len(single) <= 5 else [*single[:4], *groups, "…"]
    if not items:
        return "nothing more"
    return (
        items[0]
        if len(items) == 1
        else ", ".join(items[:-1]) + (" " if items[-1] == "…" else " or ") + items[-1]
    )
