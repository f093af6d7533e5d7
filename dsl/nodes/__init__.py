"""The syntax tree: frozen, slotted nodes with spans.

Two trees are equal when they say the same, wherever they say it: spans do not take part in
comparison.  Optional parts that are absent are ``None`` or empty tuples.
"""

from dsl.nodes.declarations import *  # noqa: F403
from dsl.nodes.expressions import *  # noqa: F403
from dsl.nodes.statements import *  # noqa: F403
