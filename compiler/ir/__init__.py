"""The checked tree: resolved names, types on every expression, nothing left to look up.

Both executions start here: the reference interpreter walks this tree, the lowering turns it into
blocks.  Nodes and the program are frozen; declarations that refer to each other (procedures,
quantities) are plain objects that the checker fills in, and nothing else.
"""

from compiler.ir.declarations import *  # noqa: F403
from compiler.ir.expressions import *  # noqa: F403
from compiler.ir.statements import *  # noqa: F403
from compiler.ir.travels import *  # noqa: F403
