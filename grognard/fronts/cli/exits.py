"""How a command ends: the exit codes."""

CLEAN, FINDINGS, MISUSE, FAULT, BOT = 0, 1, 2, 3, 4
#: A signal that ends the program gives 128 and its number.
SIGNALLED = 128
INTERRUPTED = SIGNALLED + 2
