"""One module out of a generated one and the inner modules of the engine, for mypyc.

What is compiled together calls each other directly; so the functions that rules call most are taken
in, and the class that states derive from.  Exceptions, and other classes that derive from Python's,
stay those of the engine, which catches them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import resources

#: The package that holds ``runtime``: none in a checkout, ``grognard._engine.`` in an installation.
ENGINE = __name__.removesuffix("compiler.native.unit")
#: The modules of the engine that are compiled along, each after those it needs.
INNER = ("services", "state", "chance", "alike")

#: Runs blocks as ``runtime.program`` does, and playouts as ``runtime.games.game`` does.
_DRIVER = '''
def run(s: State) -> None:
    """Run on to the next decision; IndexError when nothing is left to run."""
    frames = s.frames
    for _ in range(len(ENDLESS)):
        if block(s, frames[-1]):
            return
    raise RulesetFault("the rules go on and on without a decision")


def answer(s: State, option: int) -> None:
    """Answer the pending decision and run on."""
    s.answer = option
    run(s)


def playout(
    s: State, random: Callable[[], float], most: int, ended: Callable[[Any, Any], None]
) -> int:
    """Answer at random until the game is over or *most* decisions are taken; their number."""
    taken = 0
    try:
        while taken < most and not s.over:
            options = s.options
            taken += 1
            answer(s, options[int(random() * len(options))])
    except (Over, IndexError) as over:
        ended(s, over)
    return taken
'''


class NotNative(Exception):
    """The generated module cannot be compiled natively, and why."""


@dataclass
class _Unit:
    """The parts of the module, in order."""

    imports: dict[tuple[str, str], str | None] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    #: which module a name at the top has come from
    names: dict[str, str] = field(default_factory=dict)

    def take(self, tree: ast.Module, module: str, inner: Iterable[str]) -> None:
        """Add a module's statements, without its imports of *inner* modules, which are there."""
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                self._import(node, inner)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    self.imports["", alias.name] = alias.asname
            elif isinstance(node, ast.ClassDef) and not self._ours(node):
                self.imports[module, node.name] = None
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                self._add(node, module)

    def _import(self, node: ast.ImportFrom, inner: Iterable[str]) -> None:
        if node.module is not None and node.module not in inner and node.module != "__future__":
            for alias in node.names:
                self.imports[node.module, alias.name] = alias.asname

    def _ours(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from nothing, or from classes that are compiled along."""
        return all(isinstance(base, ast.Name) and base.id in self.names for base in node.bases)

    def _add(self, node: ast.stmt, module: str) -> None:
        for name in _named(node):
            if self.names.setdefault(name, module) != module:
                raise NotNative(f"'{name}' is a name of {self.names[name]} and of {module}")
        self.texts.append(ast.unparse(node))

    @property
    def text(self) -> str:
        """The whole module."""
        head = ["from __future__ import annotations"]
        for (module, name), known_as in self.imports.items():
            source = f"from {module} " if module else ""
            head.append(f"{source}import {name}" + (f" as {known_as}" if known_as else ""))
        return "\n".join(head) + "\n\n" + "\n\n".join(self.texts) + "\n"


def _named(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def unit(generated: str, blocks: list[str]) -> str:
    """The text of the module that mypyc compiles, made from that of a generated one, with the names
    of the functions of its blocks.
    """
    inner = [f"{ENGINE}runtime.{name}" for name in INNER]
    whole = _Unit()
    for name, module in zip(INNER, inner, strict=True):
        path = resources.files(f"{ENGINE}runtime").joinpath(f"{name}.py")
        whole.take(ast.parse(path.read_text(encoding="utf-8")), module, inner)
    rules = ast.parse(generated)
    _untangle(rules)
    _make_whole_numbers(rules)
    rules.body += ast.parse(_dispatch(blocks) + _DRIVER).body
    whole.take(rules, "the rules", inner)
    return whole.text


def _dispatch(blocks: list[str]) -> str:
    """``block(s, f)``: the block with which a frame goes on, found by halves."""
    lines = ["", "", "def block(s: State, f: list[Any]) -> bool:", "    at: int = f[0]"]

    def part(low: int, high: int, depth: int) -> None:
        indent = "    " * depth
        if high - low == 1:
            lines.append(f"{indent}return {blocks[low]}(s, f)")
            return
        middle = (low + high) // 2
        lines.append(f"{indent}if at < {middle}:")
        part(low, middle, depth + 1)
        lines.append(f"{indent}else:")
        part(middle, high, depth + 1)

    if blocks:
        part(0, len(blocks), 1)
    else:
        lines[-1] = '    raise RulesetFault("there are no blocks")'
    return "\n".join([*lines, "", ""])


# --------------------------------------------------------------------------- truth as numbers


def _make_whole_numbers(tree: ast.Module) -> None:
    """Let locals declared as ``int`` take truth values as numbers.

    mypyc would take such a local for a ``bool`` from there on, and fail where it finds the number
    that it keeps.
    """
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            nodes = list(ast.walk(function))
            known = {a.arg for a in nodes if isinstance(a, ast.arg) and _is_int(a.annotation)}
            for node in nodes:
                if (
                    isinstance(node, ast.AnnAssign)
                    and isinstance(node.target, ast.Name)
                    and _is_int(node.annotation)
                ):
                    known.add(node.target.id)
            for node in nodes:
                if isinstance(node, ast.Assign | ast.AnnAssign) and known.intersection(
                    _named(node)
                ):
                    value = node.value
                    if value is not None and (isinstance(value, _UNSURE) or _is_truth(value)):
                        node.value = ast.BinOp(value, ast.Add(), ast.Constant(0))


#: Expressions that may have truth values.
_UNSURE = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.IfExp, ast.Call)


def _is_int(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "int"


def _is_truth(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


# --------------------------------------------------------------------------- recursion

#: What generated functions are called that may come back to themselves.  Blocks cannot without end:
#: frames are counted, and checks do not run within themselves.
_CALLED = ("p_", "q_", "i_", "base_", "travel_", "reach_", "way_", "initial_")
_DEPTH = '''
DEPTH: Final[list[int]] = [0]


def deeper() -> None:
    """A function calls itself; Python would allow about as many."""
    if DEPTH[0] >= 900:
        raise RecursionError("functions call each other without end")
    DEPTH[0] += 1
'''


def _untangle(tree: ast.Module) -> None:
    """Count how deep functions are that call each other in circles: machine code has no limit."""
    functions = {
        n.name: n
        for n in tree.body
        if isinstance(n, ast.FunctionDef) and n.name.startswith(_CALLED)
    }
    calls = {
        name: {
            c.func.id
            for c in ast.walk(node)
            if isinstance(c, ast.Call) and isinstance(c.func, ast.Name)
        }
        & functions.keys()
        for name, node in functions.items()
    }
    circles = {name: circle for circle in _circles(calls) for name in circle}
    counted = [_DEPTH] if circles else []
    for name, circle in circles.items():
        node = functions[name]
        passed = ", ".join(arg.arg for arg in node.args.args)
        head = ast.unparse(node).split("\n")[0].replace(f"def {name}(", f"def again_{name}(")
        tried = f"    try:\n        return {name}({passed})\n    finally:\n        DEPTH[0] -= 1\n"
        counted.append(f"{head}\n    deeper()\n{tried}")
        for call in ast.walk(node):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and call.func.id in circle
            ):
                call.func.id = f"again_{call.func.id}"
    tree.body += ast.parse("\n".join(counted)).body


def _circles(calls: dict[str, set[str]]) -> list[set[str]]:
    """The sets of functions that can come back to themselves (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles: list[set[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in calls[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            circle = set(stack[stack.index(name) :])
            del stack[stack.index(name) :]
            if len(circle) > 1 or name in calls[name]:
                circles.append(circle)

    for name in calls:
        if name not in index:
            visit(name)
    return circles
