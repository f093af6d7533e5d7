"""Scenarios: reading, checking and writing them.  The file format derives from the ruleset's
fields.
"""

from runtime.data.findings import Finding
from runtime.scenario.codes import CODES
from runtime.scenario.dump import dump
from runtime.scenario.load import board_of, load
from runtime.scenario.setup import PieceSetUp, SetUp, SideInfo
from runtime.scenario.shape import schema_for

__all__ = [
    "CODES",
    "Finding",
    "PieceSetUp",
    "SetUp",
    "SideInfo",
    "board_of",
    "dump",
    "load",
    "schema_for",
]
