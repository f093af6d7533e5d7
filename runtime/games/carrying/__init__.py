"""A game goes on by other rules: a ruleset was changed, and play continues from the same position.

Nothing is played again, since that would change what has happened.  All is found by its stable
name: fields by owner and name, pieces by kind and name, hexes by label, members and cards by name,
procedures by name, the place where each of them waits by what is asked or called there.  Then the
question is asked again, by the new rules.
"""

from runtime.games.carrying.carry import CarriedGame, carry_over
from runtime.games.carrying.translation import Loss

__all__ = ["CarriedGame", "Loss", "carry_over"]
