"""Games told again from their records: as a page to step through, and as a report.

:mod:`course` plays the game again and gives one moment after another; :mod:`account` counts what
was lost, won and rolled; :mod:`luck` says what a roll might have brought, :mod:`battles` what there
is to say of odds; :mod:`frames` keeps the drawing in little room; :mod:`page` and :mod:`report`
write it down.  Whoever is shown a game (``side``) is shown what it sees: None is everything, NONE
what everybody sees.
"""
