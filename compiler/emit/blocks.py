"""Blocks of procedures that can ask, as Python: one function each."""

from __future__ import annotations

from compiler import ir
from compiler import lowered as low
from compiler.emit.emission import Emission
from compiler.emit.frames import block_locals, candidates, rows_of, written_first
from compiler.emit.procedures import StatementEmitter
from compiler.emit.writer import Code, Writer
from compiler.layout import DEEPEST
from runtime.model import MASK, PASS, SECOND, SHIFT


def emit_blocks(program: Emission, name: str) -> list[Code]:
    """The blocks of one procedure."""
    blocks = {block.index: block for block in program.blocks_of(name)}
    kept, rows = program.frame_of(name), rows_of(blocks.values())
    return [_BlockEmitter(program, blocks, b, kept, rows).code() for b in blocks.values()]


def option_value(var: str, source: ir.Expr) -> str:
    """A member of *source*, which can be chosen, as part of an option."""
    return f"choosable(v_{var})" if source.type.of_numbers else f"v_{var}"


class _BlockEmitter(StatementEmitter):
    """Writes one of the *blocks* of a procedure; *kept* are the locals of the frame, *rows* those
    with several values.
    """

    def __init__(
        self,
        program: Emission,
        blocks: dict[int, low.BasicBlock],
        block: low.BasicBlock,
        kept: dict[str, int],
        rows: set[str],
    ) -> None:
        procedure = program.procedures[block.procedure]
        same_file = block.span.file == procedure.span.file
        w = Writer(f"b{block.index}_{block.procedure}", block.span if same_file else procedure.span)
        super().__init__(program, w, kept)
        self.blocks = blocks
        self.block = block
        self.kept = kept
        self.rows = rows
        #: places of the frame with what was chosen secretly, and the decisions at which it is still
        #: known
        self.secrets = {
            kept[name]: known for name, known in procedure.secrets.items() if name in kept
        }

    def code(self) -> Code:
        """The whole function."""
        w, block, kept = self.w, self.block, self.kept
        w.add(f"def {w.code.name}(s: State, f: list[Any]) -> bool:")
        w.depth = 1
        read = block_locals(block) - candidates(block) - written_first(block)
        for name in sorted(read & kept.keys(), key=lambda n: kept[n]):
            row = name in self.rows
            type_, blank = ("tuple[int, ...]", " or ()") if row else ("int", "")
            w.add(f"v_{name}: {type_} = f[{kept[name]}]{blank}")
        if block.index == self.program.procedure_info(block.procedure).entry:
            begun = self.program.procedures[block.procedure]
            self.x.note(f"procedure {begun.name}", begun.span)
        if block.body:
            self.steps(block.body)
        getattr(self, "_end_" + type(block.terminator).__name__.lower())(block.terminator)
        return w.code

    def go(self, target: int) -> None:
        """Go on with another block: a later one is called, an earlier one waits for its turn.

        So does every one behind chance, and one that begins with chance: there forecasts take ways
        together that have come to the same.
        """
        chance = self.block.chance or self.blocks[target].at_once
        if target <= self.block.index or chance:
            self.w.add(f"f[0] = {target}")
            self.w.add("return False")
        else:
            self.w.add(f"return b{target}_{self.block.procedure}(s, f)")

    def forget(self, decision: int | None = None) -> None:
        """Take out of the frame what was chosen secretly and nobody asks for any more."""
        for slot, known in sorted(self.secrets.items()):
            if decision not in known:
                self.w.add(f"f[{slot}] = -1")

    # ------------------------------------------------------------------ terminators

    def _end_return(self, end: low.Return) -> None:
        self.finish(end.value)

    def _end_jump(self, end: low.Jump) -> None:
        self.go(end.target)

    def _end_branch(self, end: low.Branch) -> None:
        self.w.place = end.test.span
        with self.w.block(f"if {self.x.expr(end.test)}:"):
            self.go(end.then)
        self.go(end.orelse)

    def _end_call(self, end: low.Call) -> None:
        w, x = self.w, self.x
        w.place = self.blocks[end.next].span
        run, name = self.program.procedure_info(end.procedure), end.procedure
        args = [x.simple(a) if i == 0 and run.cases else x.expr(a) for i, a in enumerate(end.args)]
        first = f"E_{name}[{args[0]}]" if run.cases else str(run.entry)
        blanks = ["0"] * (run.size - 1 - len(args))
        self.forget()
        w.add(f"f[0] = {end.next}")
        w.add(f"n: list[Any] = [{', '.join([first, *args, *blanks])}]")
        w.add("s.frames.append(n)")
        fault = f'raise RulesetFault("procedure {name} calls itself without end")'
        w.when(f"len(s.frames) > {DEEPEST}", fault)
        waits = run.cases or self.block.chance or run.at_once
        w.add("return False" if waits else f"return b{first}_{name}(s, n)")

    def _end_iterate(self, end: low.Iterate) -> None:
        items, position = f"v_{end.items}", f"v_{end.position}"
        with self.w.block(f"while {position} < len({items}):"):
            self.assign(end.var, f"{items}[{position}]")
            self.assign(end.position, f"{position} + 1")
            if end.where is not None:
                self.x.skip_unless(end.where)
            self.go(end.body)
        self.go(end.done)

    def _end_suspend(self, end: low.Suspend) -> None:
        w, x, node = self.w, self.x, end.node
        decision = node.decision
        w.add("o: list[int] = []")
        if isinstance(node, ir.Choose):
            with w.indented():
                if offered := x.offered_test((decision.index, 0)):
                    w.open(f"if {offered}:")
                x.loop(node.var, node.source, node.where)
                w.add(f"o.append({option_value(node.var, node.source)})")
                x.leave()
        else:
            for number, branch in enumerate(node.branches):
                self.options(number, branch, x.offered_test((decision.index, number)))
        w.place = node.span
        kinds = self.program.alike_kinds()
        if any(t.kind == "piece" and t.name in kinds for o in decision.options for t in o.values):
            merge = f"o = merged(s, o, {decision.index}, told_apart(s, LIVE))"
            w.when("s.pools is not None", f"f[0] = {end.next}", merge)
        side = x.simple(node.by)
        unasked = self.skip_tests(node, side)
        if unasked:
            with w.block(f"if {' or '.join(unasked)}:"):
                self.go(end.empty)
        passing, optional = decision.passing is not None, node.pass_when is not None
        if passing:
            with w.indented():
                if offered := x.offered_test((decision.index, PASS)):
                    optional = True
                    w.open(f"if {offered}:")
                if node.pass_when is not None:
                    w.open(f"if {x.expr(node.pass_when)}:")
                w.add(f"o.append({PASS})")
        w.add(f"f[0] = {end.next}")
        if not passing or optional:
            veiled = f" and o[0] != {PASS}" if passing and node.veil is not None else ""
            with w.block(f"if len(o) == 1{veiled}:"):
                w.add("s.answer = o[0]")
                w.when("s.events is not None", f"s.took({decision.index}, {side})")
                self.go(end.next)
        self.forget(decision.index)
        w.add(f"s.chooser = {side}")
        w.add(f"s.point = {decision.index}")
        if node.about:
            w.add("s.about = (" + "".join(f"{x.expr(e)}, " for e in node.about) + ")")
        w.add("s.options = o")
        w.add("return True")

    def skip_tests(self, node: ir.Choose | ir.Offer, side: str) -> list[str]:
        """The tests one of which leaves the question unasked."""
        tests = []
        if node.decision.passing is None or node.veil is None:
            tests.append("not o")
        else:
            needed = [
                self.x.expr(e)
                for e in (node.veil, node.pass_when)
                if e is not None and not isinstance(e, ir.Const)
            ]
            if needed:
                tests.append(f"not o and not ({' and '.join(needed)})")
        if not isinstance(node.by, ir.Const):
            tests.append(f"{side} < 0")
        return tests

    def options(self, number: int, branch: ir.Branch, offered: str) -> None:
        """Find the options of a branch, where the test *offered* (none: '') allows."""
        w, x, second = self.w, self.x, branch.second
        w.place = branch.span
        with w.indented():
            if offered:
                w.open(f"if {offered}:")
            if branch.when is not None:
                w.open(f"if {x.expr(branch.when)}:")
            if branch.var is None or branch.source is None:
                w.add(f"o.append({number << SHIFT})")
                return
            x.loop(branch.var, branch.source, branch.where)
            value = option_value(branch.var, branch.source)
            value = f"{number << SHIFT} | {value}" if number else value
            if second is not None:
                x.loop(second.var, second.source, second.where)
                value = f"{value} | {option_value(second.var, second.source)} << {SECOND}"
                x.leave()
            w.add(f"o.append({value})")
            x.leave()

    def _end_resume(self, end: low.Resume) -> None:
        w, node = self.w, end.node
        if isinstance(node, ir.Choose):
            self.assign(node.var, "s.answer")
            with w.block(f"if v_{node.var} >= 0:"):
                self.go(end.targets[0])
            self.go(end.passed)
            return
        w.add("a = s.answer")
        if node.decision.passing is not None:
            with w.block("if a < 0:"):
                self.go(end.passed)
        last = len(node.branches) - 1
        if last > 0:
            pairs = any(branch.second is not None for branch in node.branches)
            w.add(f"k = a >> {SHIFT} & {MASK}" if pairs else f"k = a >> {SHIFT}")
        for number, (branch, target) in enumerate(zip(node.branches, end.targets, strict=True)):
            with w.indented():
                if number != last:
                    w.open(f"if k == {number}:")
                self.x.note(f"option {branch.name} of {node.decision.procedure}", branch.span)
                if branch.var is not None:
                    alone = last == 0 and branch.second is None
                    self.assign(branch.var, "a" if alone else f"a & {MASK}")
                if branch.second is not None:
                    self.assign(branch.second.var, f"a >> {SECOND}")
                self.go(target)
        if not node.branches:
            self.go(end.passed)
