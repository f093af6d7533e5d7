"""`python -m grognard` is the command `grognard`."""

import signal
import sys


def run() -> int:
    """The command line.  An interrupt while it is being loaded ends it without a word, as it does
    others.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from grognard.fronts.cli.main import main  # start-up: interrupts are silent from before it

    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, before)
    return main()


if __name__ == "__main__":
    sys.exit(run())
