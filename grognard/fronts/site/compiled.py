"""What of a site is compiled when it is built, by the Python that will run it within browsers."""

from __future__ import annotations

import py_compile
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from grognard import places
from runtime.private_files import cache_folder


def compile_all(archive: str, say: Callable[[str], object]) -> None:
    """Compile the rulesets of all scenarios that are found here, and the modules by which they are
    played, into an archive; *say* is told of each ruleset.
    """

    home = Path.cwd()
    names = sorted({places.head_of(path)[0] for path in places.scenarios().values()})
    for number, name in enumerate(names, 1):
        places.program_of(places.ruleset_folder(name))
        say(f"compiled: {name} ({number} of {len(names)})")
    with ZipFile(archive, "w", ZIP_DEFLATED) as made:
        for path in sorted(cache_folder().rglob("*.bin")):
            made.write(path, path.relative_to(home))
        for module in list(sys.modules.values()):
            source = getattr(module, "__file__", None)
            if source and source.endswith(".py") and Path(source).is_relative_to(home):
                # unchecked: unpacking gives files other dates
                compiled = py_compile.compile(
                    source, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
                )
                if compiled is not None:
                    made.write(compiled, Path(compiled).relative_to(home))
