"""Cases: examples of the rulebook as data, and what runs them.  ``docs/cases.md`` tells what a file
of cases may say.

:mod:`file` reads, :mod:`case_shape` says which keys there are; :mod:`positions` sets up, also for
:func:`grognard.set_up`; :mod:`runner` plays a case, :mod:`expectations` compares; :mod:`suite` runs
the cases of files.
"""
