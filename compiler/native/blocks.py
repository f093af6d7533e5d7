"""Blocks of procedures that can ask, and procedures that cannot, as functions of C.

A frame is a stretch of the state's stack: where the frame below it begins, its block, the locals
that blocks share.  What its rolls and its shelf hold lies behind it, until it is left.
"""

from __future__ import annotations

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.emit.frames import block_locals, candidates, written_first
from compiler.layout import DEEPEST
from compiler.native.calls import blank, parameters
from compiler.native.expressions import Expressions, number
from compiler.native.shapes import Shapes
from compiler.native.steps import Steps
from compiler.native.text import Text, source_place
from compiler.types import INT, Type
from runtime.model import MASK, PASS, SECOND, SHIFT

#: Where the locals of a frame begin: behind the place of the one below, and its block.
FIRST = 2


class Frames:
    """Where the locals of each procedure stand in its frame."""

    def __init__(self, program: Emission, shapes: Shapes, lowered: low.Lowered) -> None:
        self.lowered = lowered
        self.kept: dict[str, dict[str, int]] = {}
        self.places: dict[str, dict[str, int]] = {}
        self.types: dict[str, dict[str, Type]] = {}
        self.sizes: dict[str, int] = {}
        for name in lowered.entry:
            procedure = program.procedures[name]
            types = dict(procedure.locals)
            types |= {p.name: p.type for p in procedure.params}
            kept = program.frame_of(name)
            hidden = _hidden(lowered, name)
            types |= {
                one: _type_of_hidden(one, hidden) for one in lowered.slots[name] if one not in types
            }
            place, places = FIRST, {}
            params = [p.name for p in procedure.params]
            for local in [*params, *(one for one in kept if one not in params)]:
                places[local] = place
                place += shapes.words_of(types[local])
            self.kept[name], self.places[name], self.types[name] = kept, places, types
            self.sizes[name] = place
        for procedure in program.procedures.values():
            if procedure.cases and procedure.asks:
                family = [procedure.name, *procedure.cases.values()]
                most = max(self.sizes[one] for one in family)
                self.sizes.update(dict.fromkeys(family, most))


def written_layouts(frames: Frames, shapes: Shapes) -> list[str]:
    """Where the frames of Python have what frames have here, by block: the frame's size, how many
    locals there are, and of each its place there, its place here, and what it is: a set of so many
    words, a number (-1) or a roll (0).
    """
    numbers, begins = list[int](), dict[str, int]()
    for name, places in frames.places.items():
        begins[name] = len(numbers)
        numbers += [frames.sizes[name], len(places)]
        for local, at in places.items():
            type_ = frames.types[name][local]
            what = 0 if type_.kind == "roll" else -1
            if type_.kind == "set":
                what = shapes.width(type_)
            numbers += [frames.lowered.slots[name][local], at, what]
    by_block = [begins[block.procedure] for block in frames.lowered.blocks]
    return [
        f"EXPORTED const int32_t LAYOUTS[] = {{{''.join(f'{one}, ' for one in numbers)}0}};",
        f"EXPORTED const int32_t LAYOUT_OF[] = {{{''.join(f'{one}, ' for one in by_block)}0}};",
    ]


def _hidden(lowered: low.Lowered, name: str) -> set[str]:
    """The hidden locals of a procedure that hold several values."""
    return {
        end.items
        for block in lowered.by_procedure.get(name, ())
        if isinstance(end := block.terminator, low.Iterate)
    }


def _type_of_hidden(name: str, several: set[str]) -> Type:
    return Type("roll", of=INT) if name in several else INT


def written_blocks(
    program: Emission, shapes: Shapes, frames: Frames, procedure: ir.Procedure
) -> list[list[str]]:
    """The functions of the blocks of one procedure."""
    blocks = frames.lowered.by_procedure.get(procedure.name, [])
    return [_Block(program, shapes, frames, block).lines() for block in blocks]


def option_value(var: str, source: ir.Expr) -> str:
    """A member of *source*, which can be chosen, as part of an option."""
    return f"choosable(c, v_{var})" if source.type.of_numbers else f"v_{var}"


class _Block(Steps):
    def __init__(
        self, program: Emission, shapes: Shapes, frames: Frames, block: low.BasicBlock
    ) -> None:
        self.procedure = program.procedures[block.procedure]
        self.frames, self.block, self.lowered = frames, block, frames.lowered
        name = block.procedure
        super().__init__(
            program, shapes, Text(), frames.types[name], self.procedure.type, frames.places[name]
        )
        self.secrets = {
            frames.places[name][local]: known
            for local, known in self.procedure.secrets.items()
            if local in frames.places[name]
        }

    def lines(self) -> list[str]:
        """The whole function."""
        w, block, kept = self.w, self.block, self.frames.places[self.block.procedure]
        w.cite(self.procedure.rules)
        w.add("num *f = s->stack + s->frame; (void)f; (void)c;")
        mentioned = block_locals(block) - candidates(block)
        read = mentioned - written_first(block)
        for name in sorted(mentioned):
            type_ = self.locals.get(name, INT)
            value = blank(self.shapes, type_)
            own = self.shapes.value(type_)
            if name in read and name in kept:
                if type_.kind == "set":
                    w.add(f"{own} v_{name}; memcpy(&v_{name}, f + {kept[name]}, sizeof v_{name});")
                elif type_.kind == "roll":
                    w.add(f"roll v_{name} = kept_roll(s, f + {kept[name]});")
                else:
                    w.add(f"num v_{name} = f[{kept[name]}];")
            else:
                w.add(f"{own} v_{name} = {value};")
            w.add(f"(void)v_{name};")
        self.steps(block.body)
        getattr(self, "_end_" + type(block.terminator).__name__.lower())(block.terminator)
        name = f"b{block.index}_{block.procedure}"
        where = source_place(block.span) or source_place(self.procedure.span)
        head = f"static int {name}(State *s, Context *c) {{"
        return [f"/* {block.procedure}, {where} */", head, *w.lines, "}"]

    def go(self, target: int) -> None:
        """Go on with another block: with a later one at once."""
        self.w.add(f"f[1] = {target};")
        if target <= self.block.index:
            self.w.add("return 0;")
        else:
            self.w.add(f"return b{target}_{self.lowered.blocks[target].procedure}(s, c);")

    def forget(self, decision: int | None = None) -> None:
        """Take out of the frame what was chosen secretly and nobody asks for any more."""
        for slot, known in sorted(self.secrets.items()):
            if decision not in known:
                self.w.add(f"f[{slot}] = -1;")

    # ------------------------------------------------------------------ terminators

    def _end_return(self, end: low.Return) -> None:
        self.finish(end.value)

    def _end_jump(self, end: low.Jump) -> None:
        self.go(end.target)

    def _end_branch(self, end: low.Branch) -> None:
        text = self.x.value(end.test)
        with self.w.block(f"if ({text})"):
            self.go(end.then)
        self.go(end.orelse)

    def _end_call(self, end: low.Call) -> None:
        w = self.w
        procedure = self.program.procedures[end.procedure]
        params = procedure.params
        args = [self.x.simple(a, p.type) for a, p in zip(end.args, params, strict=True)]
        entry = str(self.lowered.entry[procedure.name])
        if procedure.cases:
            entry = f"E_{procedure.name}[{args[0]} + 1]"
        self.forget()
        w.add(f"f[1] = {end.next};")
        w.add(f"num *n = enter(s, c, {entry}, {self.frames.sizes[procedure.name]});")
        fault = f'fail(c, "procedure {procedure.name} calls itself without end")'
        w.add(f"if (s->depth > {DEEPEST}) {fault};")
        for param, arg in zip(params, args, strict=True):
            at = self.frames.places[procedure.name][param.name]
            if param.type.kind == "set":
                w.add(f"memcpy(n + {at}, {arg}.w, sizeof {arg}.w);")
            elif param.type.kind == "roll":
                w.add(f"keep_roll(s, c, n + {at}, {arg});")
            else:
                w.add(f"n[{at}] = {arg};")
        w.add("(void)n; return 0;")

    def _end_iterate(self, end: low.Iterate) -> None:
        items, position = f"v_{end.items}", f"v_{end.position}"
        with self.w.block(f"while ({position} < {items}.n)"):
            self.assign(end.var, f"{items}.at[{position}]")
            self.assign(end.position, f"{position} + 1")
            if end.where is not None:
                self.w.add(f"if (!{self.x.value(end.where)}) continue;")
            self.go(end.body)
        self.go(end.done)

    def _end_suspend(self, end: low.Suspend) -> None:
        w, x, node = self.w, self.x, end.node
        decision = node.decision
        w.add("s->options = 0;")
        if isinstance(node, ir.Choose):
            with w.block(""), x.each(node.var, node.source, node.where):
                w.add(f"offer(s, c, {option_value(node.var, node.source)});")
        else:
            for i, branch in enumerate(node.branches):
                self.options(i, branch)
        if any(t.kind == "piece" for o in decision.options for t in o.values):
            w.add(f"f[1] = {end.next};")
            w.add(f"if (GIVEN->pools) merge(s, c, {decision.index});")
        side = x.simple(node.by)
        unasked = [f"{side} < 0"]
        if decision.passing is None or node.veil is None:
            unasked.append("!s->options")
        else:
            needed = [x.value(e) for e in (node.veil, node.pass_when) if e is not None]
            if needed:
                unasked.append(f"(!s->options && !({' && '.join(needed)}))")
        with w.block(f"if ({' || '.join(unasked)})"):
            w.add("s->options = 0;")
            self.go(end.empty)
        if decision.passing is not None:
            with w.block(""):
                w.add(f"if ({x.test(node.pass_when)}) offer(s, c, {PASS});")
        w.add(f"f[1] = {end.next};")
        veiled = (
            f" && offered(s)[0] != {PASS}" if decision.passing is not None and node.veil else ""
        )
        with w.block(f"if (s->options == 1{veiled})"):
            w.add("s->answer = offered(s)[0]; s->options = 0;")
            self.go(end.next)
        self.forget(decision.index)
        w.add(f"s->chooser = {side}; s->point = {decision.index};")
        if node.about:
            args = [(x.simple(e), e.type) for e in node.about]
            w.add("s->abouts = 0;")
            for text, type_ in args:
                if type_.kind == "set":
                    w.add(f"tell(s, c, {text}.w, {self.shapes.width(type_)});")
                elif type_.kind == "roll":
                    w.add(f"tell_roll(s, c, {text});")
                else:
                    w.add(f"{{ num own = {text}; tell(s, c, (uint64_t *)&own, 1); }}")
        else:
            w.add("s->abouts = 0;")
        w.add("return 1;")

    def options(self, number_: int, branch: ir.Branch) -> None:
        """Find the options of a branch."""
        w, x, second = self.w, self.x, branch.second
        w.cite(branch.rules, branch.name)
        with w.block(""):
            if branch.when is not None:
                text = x.value(branch.when)
                w.add(f"if ({text}) {{")
                w.depth += 1
            if branch.var is None or branch.source is None:
                w.add(f"offer(s, c, {number(number_ << SHIFT)});")
            else:
                with x.each(branch.var, branch.source, branch.where):
                    value = (
                        f"{number(number_ << SHIFT)} | {option_value(branch.var, branch.source)}"
                    )
                    if second is None:
                        w.add(f"offer(s, c, {value});")
                    else:
                        with x.each(second.var, second.source, second.where):
                            other = option_value(second.var, second.source)
                            w.add(f"offer(s, c, {value} | {other} << {SECOND});")
            if branch.when is not None:
                w.depth -= 1
                w.add("}")

    def _end_resume(self, end: low.Resume) -> None:
        w, node = self.w, end.node
        w.add("num a = s->answer;")
        if isinstance(node, ir.Choose):
            self.assign(node.var, "a")
            with w.block("if (a >= 0)"):
                self.go(end.targets[0])
            self.go(end.passed)
            return
        if node.decision.passing is not None:
            with w.block("if (a < 0)"):
                self.go(end.passed)
        for i, (branch, target) in enumerate(zip(node.branches, end.targets, strict=True)):
            with w.block(f"if ((a >> {SHIFT} & {MASK}) == {i})"):
                if branch.var is not None:
                    self.assign(branch.var, f"a & {MASK}")
                if branch.second is not None:
                    self.assign(branch.second.var, f"a >> {SECOND}")
                self.go(target)
        self.go(end.passed)


def whole_head(shapes: Shapes, procedure: ir.Procedure) -> str:
    """The head of a procedure that cannot ask."""
    result = "void" if procedure.type.kind == "void" else shapes.value(procedure.type)
    return f"static {result} p_{procedure.name}({parameters(shapes, procedure.params)})"


def written_whole(program: Emission, shapes: Shapes, procedure: ir.Procedure) -> list[str]:
    """A procedure that cannot ask: one function."""
    head, args = whole_head(shapes, procedure), "".join(f", v_{p.name}" for p in procedure.params)
    inner = head.replace(f" p_{procedure.name}(", f" w_{procedure.name}(", 1)
    text = Text()
    text.cite(procedure.rules)
    text.add("(void)s; (void)c;")
    declare(shapes, text, procedure.locals, procedure.params)
    Steps(program, shapes, text, dict(procedure.locals), procedure.type).steps(procedure.body)
    returns = procedure.type.kind != "void"
    if returns:
        text.add(f'fail(c, "procedure {procedure.name} ended without a value");')
        text.add(f"return {blank(shapes, procedure.type)};")
    outer = Text()
    for member, name in procedure.cases.items():
        call = f"p_{name}(s, c{args})"
        does = f"return {call};" if returns else f"{{ {call}; return; }}"
        outer.add(f"if (v_{procedure.params[0].name} == {member}) {does}")
    outer.add("deeper(c);")
    call = f"w_{procedure.name}(s, c{args})"
    outer.add(f"{shapes.value(procedure.type)} value = {call};" if returns else f"{call};")
    outer.add("c->depth--;")
    if returns:
        outer.add("return value;")
    said = f"/* procedure {procedure.name}, {source_place(procedure.span)} */"
    return [said, f"{inner} {{", *text.lines, "}", said, f"{head} {{", *outer.lines, "}"]


def written_check(program: Emission, shapes: Shapes, check: ir.CheckInfo) -> list[str]:
    """A check: its condition, and its steps, which another function takes, as they may leave it."""
    bit, set_ = list(program.checks).index(check.name), f"set{shapes.check_width}"
    inner, outer = Text(), Text()
    steps = Steps(program, shapes, inner, dict(check.locals), INT)
    declare(shapes, inner, check.locals, [])
    steps.steps(check.body)
    outer.cite(check.rules)
    outer.add(f"if ({set_}_has(s->checking, {bit})) return;")
    condition = Expressions(program, shapes, outer).value(check.when)
    outer.add(f"if (!{condition}) return;")
    outer.add(f"s->checking = {set_}_with(s->checking, {bit});")
    outer.add(f"w_check_{check.name}(s, c);")
    outer.add(f"s->checking = {set_}_without(s->checking, {bit});")
    said = f"/* check {check.name}, {source_place(check.span)} */"
    head = f"check_{check.name}(State *s, Context *c) {{"
    body = [said, f"static void w_{head}", *inner.lines, "}"]
    return [*body, said, f"static void {head}", *outer.lines, "}"]


def declare(
    shapes: Shapes, text: Text, locals_: list[tuple[str, Type]], params: list[ir.ParamInfo]
) -> None:
    """Declare locals."""
    known = {p.name for p in params}
    for name, type_ in locals_:
        if name not in known:
            known.add(name)
            text.add(f"{shapes.value(type_)} v_{name} = {blank(shapes, type_)}; (void)v_{name};")
