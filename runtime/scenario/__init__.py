"""Scenarios: reading, checking and writing them.  The file format derives from the ruleset's fields."""

from runtime.findings import Finding
from runtime.scenario.dump import dump
from runtime.scenario.finding import CODES
from runtime.scenario.load import board_of, load
from runtime.scenario.schema import schema_for
from runtime.scenario.setup import PieceSetUp, SetUp, SideInfo

__all__ = ["CODES", "Finding", "PieceSetUp", "SetUp", "SideInfo", "board_of", "dump", "load", "schema_for"]
