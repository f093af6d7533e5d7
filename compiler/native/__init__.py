"""The native build: the rules as one file of C11 over flat memory, and the library that comes of it.

:mod:`compiler.native.module` writes the file for a board and a number of pieces, out of the checked
tree and the basic blocks; :mod:`compiler.native.build` has it compiled,
:mod:`compiler.native.build_cache` keeps what came out and loads it. Nothing needs it: without one,
and where it is switched off, the same games are played in Python.
"""
