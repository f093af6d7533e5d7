"""The native build: a generated module and the inner modules of the engine, compiled to machine
code by mypyc.

:mod:`compiler.native.unit` writes one module out of them, :mod:`compiler.native.build` has it
compiled, :mod:`compiler.native.kept` keeps what came out and loads it.  Nothing needs it: without
one, with one that is out of date or damaged, and where it is switched off, the same rules run in
plain Python.
"""
