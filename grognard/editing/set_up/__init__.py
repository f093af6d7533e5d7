"""Set-ups changed by hand: strokes, as changes of the texts of a scenario and its board."""
