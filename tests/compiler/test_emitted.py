"""The generated modules: typed, the same every time, and pointing at the rules."""

from __future__ import annotations

import random
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from corpus_cases import compile_folder, write
from project import ROOT, compiled, placed, playable, sampled, setup_of

from compiler.ruleset import Ruleset
from runtime.state import RulesetFault


def test_all_pass_mypy_strict(tmp_path: Path) -> None:
    paths = []
    for name in playable():
        emitted = compiled(name).emitted
        assert emitted is not None
        paths.append(tmp_path / f"{name}.py")
        paths[-1].write_text(emitted.text, encoding="utf-8")
    settings = ["--strict", "--no-error-summary", "--config-file=", "--follow-imports=silent"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *settings, *map(str, paths)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_a_roll_is_a_tuple_for_functions_too(tmp_path: Path) -> None:
    """A native build would not let a function have one that is declared as a number."""
    write(
        "# preamble\nfunction hits(r: roll of Face): int = tally(r, hit)\n", tmp_path, "case.grog"
    )
    emitted = compile_folder(tmp_path).emitted
    assert (
        emitted is not None and "def q_hits(s: Any, v_r: tuple[int, ...]) -> int:" in emitted.text
    )


@pytest.mark.parametrize("name", playable())
def test_cites_its_rules(name: str) -> None:
    compilation = compiled(name)
    assert compilation.emitted is not None
    text = compilation.emitted.text
    for call in compilation.program.calls.values():
        for rule in call.roots:
            if rule.rules and call.kind == "quantity":
                assert rule.name in text and rule.rules[0] in text


def test_tracebacks_point_at_rules(tmp_path: Path) -> None:
    folder = tmp_path / "loop"
    folder.mkdir()
    source = (
        "ruleset loop\nsides a, b\nboard field { layout odd_r; rows 2; columns 2; }\n"
        "procedure play() {\n  do again()\n}\n"
        "procedure again() {\n  choose n in 1 .. 2 by a prompt go\n  do again()\n}\n"
    )
    (folder / "loop.grog").write_text(source)
    compilation = Ruleset(folder)
    assert compilation.emitted is not None, compilation.diagnostics
    program = compilation.compiled
    from runtime.scenario import SetUp

    state = program.new_state(SetUp("loop", "Loop"), 1)
    program.begin(state)
    with pytest.raises(RulesetFault) as caught:
        for _ in range(500):
            program.answer(state, state.options[0])
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert any(frame.filename.endswith("loop.grog") and frame.lineno == 9 for frame in frames)


@pytest.mark.parametrize("scenario", sampled())
def test_a_profiler_sees_rules(scenario: str) -> None:
    """Code objects carry the file and line of their rule."""
    program = placed(scenario)
    state = program.new_state(setup_of(scenario), 3)
    program.begin(state)
    rng = random.Random(3)
    files: set[str] = set()

    def trace(frame: object, event: str, arg: object) -> None:
        code = frame.f_code  # type: ignore[attr-defined]
        files.add(code.co_filename)

    sys.setprofile(trace)
    try:
        for _ in range(50):
            if state.over:
                break
            program.answer(state, rng.choice(state.options))
    finally:
        sys.setprofile(None)
    assert any(file.endswith(".grog") and Path(file).is_file() for file in files)
