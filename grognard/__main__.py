"""`python -m grognard` is the command `grognard`."""

import sys

from grognard.cli import main

sys.exit(main())
