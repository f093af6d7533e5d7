"""The reference interpreter: the meaning of the language in executable form.

It walks the checked tree (:mod:`compiler.ir`) and shares nothing with the lowering and the emitted
code. It is written to be read, not to be fast.

* :class:`InterpretedProgram` plays a ruleset, decision for decision as a compiled program does;
* :class:`Evaluator` gives the value of an expression in any state, a compiled program's too;
* :func:`explain_quantity` and :func:`explain_permission` say which rules decided.
"""

from compiler.interpreter.evaluate import Evaluator, explain_permission, explain_quantity
from compiler.interpreter.program import InterpretedProgram, InterpretedState
from compiler.interpreter.trace import (
    Applied,
    Cited,
    PermissionTrace,
    QuantityTrace,
    StageTrace,
    Tracer,
)

__all__ = [
    "Applied",
    "Cited",
    "Evaluator",
    "InterpretedProgram",
    "InterpretedState",
    "PermissionTrace",
    "QuantityTrace",
    "StageTrace",
    "Tracer",
    "explain_permission",
    "explain_quantity",
]
