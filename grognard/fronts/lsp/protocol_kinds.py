"""What the protocol calls the kinds of things in sources."""

from __future__ import annotations

from lsprotocol import types as t

#: The kinds of things as completions show them.
KINDS = {
    "keyword": t.CompletionItemKind.Keyword,
    "function": t.CompletionItemKind.Function,
    "quantity": t.CompletionItemKind.Function,
    "permission": t.CompletionItemKind.Function,
    "travel": t.CompletionItemKind.Function,
    "service": t.CompletionItemKind.Function,
    "procedure": t.CompletionItemKind.Method,
    "enum": t.CompletionItemKind.Enum,
    "type": t.CompletionItemKind.Class,
    "piece": t.CompletionItemKind.Class,
    "member": t.CompletionItemKind.EnumMember,
    "field": t.CompletionItemKind.Field,
    "local": t.CompletionItemKind.Variable,
    "event": t.CompletionItemKind.Event,
    "measure": t.CompletionItemKind.Unit,
    "citation": t.CompletionItemKind.Reference,
}
#: The kinds of declarations as outlines show them.
SYMBOL_KINDS = {
    "section": t.SymbolKind.Namespace,
    "enum": t.SymbolKind.Enum,
    "member": t.SymbolKind.EnumMember,
    "piece": t.SymbolKind.Class,
    "fields": t.SymbolKind.Class,
    "field": t.SymbolKind.Field,
    "table": t.SymbolKind.Array,
    "matrix": t.SymbolKind.Array,
    "function": t.SymbolKind.Function,
    "quantity": t.SymbolKind.Function,
    "permission": t.SymbolKind.Function,
    "travel": t.SymbolKind.Function,
    "procedure": t.SymbolKind.Method,
    "case": t.SymbolKind.Method,
    "rule": t.SymbolKind.Operator,
    "event": t.SymbolKind.Event,
    "reaction": t.SymbolKind.Event,
    "switch": t.SymbolKind.Boolean,
    "weight": t.SymbolKind.Number,
    "key": t.SymbolKind.Key,
    "item": t.SymbolKind.Object,
}
#: The types of semantic tokens, in the order in which they are numbered.
TOKEN_TYPES = (
    "type",
    "class",
    "enumMember",
    "property",
    "function",
    "method",
    "parameter",
    "variable",
    "event",
    "macro",
)
#: Which type the names of a kind of thing have.
TOKENS = {
    "enum": "type",
    "measure": "type",
    "piece": "class",
    "member": "enumMember",
    "side": "enumMember",
    "field": "property",
    "column": "property",
    "function": "function",
    "quantity": "function",
    "permission": "function",
    "travel": "function",
    "procedure": "method",
    "param": "parameter",
    "local": "variable",
    "event": "event",
    "effect": "event",
    "reaction": "event",
    "rule": "macro",
    "check": "macro",
    "requirement": "macro",
}
