"""Files that are not what they seem, or that would never end: each is told by name, soon, in little memory, without a fault."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path

import odd_streams
import pytest
from running import Ran

from grognard.fronts.cli.main import main

#: Of the processor; the machine may have other things to do.
SECONDS = 10
#: Beside what the tests have taken before.
MEMORY = 400 << 20
DEEP = "[" * 3000 + "]" * 3000
BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
)

Spoil = Callable[[Path], None]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    desk = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(desk)
        assert main(["new", "tiny"]) == main(["check", "tiny"]) == 0  # what commands load is there
    return desk


@pytest.fixture
def desk(original: Path, tmp_path: Path) -> Path:
    shutil.copytree(original, tmp_path / "desk")
    return tmp_path / "desk"


def _limits() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    memory = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def _run(desk: Path, *words: str, typed: str = "") -> Ran:
    odd = odd_streams.Odd(limit=_limits)
    return odd_streams.run(list(words), typed.splitlines(), odd, desk)


def _told(done: Ran, *names: str, code: tuple[int, ...] = (1, 2)) -> None:
    both = done.all
    assert done.code in code, (done.code, both[-2000:])
    assert "Traceback" not in both and "MemoryError" not in both and "not enough memory" not in both
    for name in names:
        assert name in both, both[-2000:]
    assert len(both) < 30_000


def _write(name: str, text: str) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return spoil


def _fifo(name: str) -> Spoil:
    return lambda folder: os.mkfifo(folder / name)


def _link(name: str, target: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)

    return spoil


def _procedure(body: str) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "ruleset.grog"
        text = path.read_text(encoding="utf-8")
        at = text.index("{", text.index("procedure play()")) + 1
        path.write_text(f"{text[:at]}\n{body}\n{text[at:]}", encoding="utf-8")

    return spoil


SOURCES: dict[str, tuple[Spoil, str]] = {
    "a pipe": (_fifo("z.grog"), "z.grog"),
    "a device": (_link("z.grog", "/dev/zero"), "z.grog"),
    "a link in a circle": (_link("z.grog", "z.grog"), "z.grog"),
    "a link to nothing": (_link("z.grog", "nowhere"), "z.grog"),
    "a folder": (lambda folder: (folder / "z.grog").mkdir(), "z.grog"),
    "a name in no encoding": (
        lambda folder: (Path(os.fsdecode(os.fsencode(folder) + b"/\xff.grog"))).write_text("enum"),
        ".grog",
    ),
    "a name that globs": (_write("[a-z]*.grog", "enum"), "[a-z]*.grog"),
    "five megabytes": (_write("z.grog", "# " + "x" * (5 << 20)), "z.grog"),
    "parentheses": (_write("z.grog", "function f(): int = " + "(" * 100_000), "z.grog"),
    "a sum of thousands": (
        _write("z.grog", "function f(): int = " + " + ".join(["1"] * 10_000)),
        "z.grog",
    ),
    "nots": (_write("z.grog", "function f(): bool = " + "not " * 10_000 + "true"), "z.grog"),
    "functions that call the next one twice": (
        _write(
            "z.grog",
            "\n".join(f"function f{i}(x: int): int = f{i + 1}(x) + f{i + 1}(x)" for i in range(200))
            + "\nfunction f200(x: int): int = x",
        ),
        "z.grog",
    ),
    "a chain of functions": (
        _write(
            "z.grog",
            "\n".join(
                f"function f{i}(x: int): int = f{i + 1}(x) + f{i + 2}(x)" for i in range(1_000)
            )
            + "\nfunction f1000(x: int): int = x\nfunction f1001(x: int): int = x",
        ),
        "in a chain of more than 200: f800 → f801",
    ),
    "a chain of rules": (
        _write(
            "z.grog",
            "\n".join(
                f"permission q{i}(x: int) allow\ndeny r{i} for q{i} when x > 3 and q{i + 1}(x)"
                for i in range(600)
            )
            + "\npermission q600(x: int) allow",
        ),
        "in a chain of more than 200: q400 → q401",
    ),
    "a thousand exceptions of one rule": (
        _write(
            "z.grog",
            "quantity big(x: int): int\nrule base for big = 0\n"
            + "\n".join(f"rule r{i} except base for big = {i} when x is {i}" for i in range(1_000)),
        ),
        "not proved",
    ),
    "a chain of exceptions": (
        _write(
            "z.grog",
            "quantity q(x: int): int\nrule r0 for q = 0\n"
            + "\n".join(
                f"rule r{i} except r{i - 1} for q = {i} when x > {i}" for i in range(1, 2_500)
            ),
        ),
        "rules of q except each other in a chain of more than 200",
    ),
    "five thousand procedures": (
        _write(
            "z.grog", "\n".join(f"procedure p{i}(x: int) {{ note n{i}(x) }}" for i in range(5_000))
        ),
        "p9",
    ),
    "thousands of unknown names": (
        _write(
            "z.grog", "\n".join(f"function f{i}(x: int): int = zeta{i} + 1" for i in range(3_000))
        ),
        "unknown name 'zeta0'",
    ),
    "names of a hundred thousand characters": (
        _write(
            "z.grog",
            f"enum {'a' * 100_000} {{ {'b' * 100_000} }}\nfunction f(): int = {'c' * 100_001}",
        ),
        "names have at most 100",
    ),
    "keys of a hundred thousand characters": (
        _write(
            "rulebook.yaml", f"? {'a' * 100_000}\n: {{source: house}}\n? {'a' * 100_001}\n: 3\n"
        ),
        "rulebook.yaml",
    ),
    "blocks": (_write("z.grog", "procedure p() { " + "if true { " * 5_000 + "}" * 5_001), "z.grog"),
    "else ifs": (
        _write("z.grog", "procedure p() { if true {} " + "else if true {} " * 5_000 + "}"),
        "z.grog",
    ),
    "a die of a billion faces": (_write("z.grog", "die huge of 1 .. 1000000000"), "z.grog"),
    "a face of a billion": (
        _write("z.grog", "enum F { x, y }\ndie huge of F { x 1000000000, y 1 }"),
        "z.grog",
    ),
    "a deck of a billion cards": (
        _write(
            "z.grog",
            "enum Z { z }\ntable zs of Z {\n columns copies: int\n | z | 1000000000 |\n}\n"
            "deck huge of Z copies copies {\n pile all_of_them hidden\n}",
        ),
        "a deck has at most 10000 cards, this one has 1000000000",
    ),
    "a number of 5,000 digits": (_write("z.grog", "function f(): int = " + "9" * 5_000), "z.grog"),
    "a catalogue that is deep": (_write("texts/en.yaml", DEEP), "texts/en.yaml"),
    "a catalogue of aliases": (_write("texts/en.yaml", BOMB), "texts/en.yaml"),
    "a catalogue of a pipe": (_fifo("texts/cs.yaml"), "cs.yaml"),
    "a text that steers the terminal": (
        _write("texts/en.yaml", 'title: "a\\e[2Jb"\nprompt.action: "a\\u202eb"\n'),
        "texts/en.yaml",
    ),
    "a topic that steers the terminal": (
        _write("rulebook.yaml", 'X-1: {source: house, page: 1, topic: "a\\e[2Jb"}\n'),
        "rulebook.yaml:1:38",
    ),
    "a colour that steers the terminal": (
        _write("style.yaml", 'colors: {a: "r\\u2028ed"}\n'),
        "style.yaml:1:13",
    ),
    "a reason that steers the terminal": (
        _write("z.grog", '@house "a\u202eb"\nmeasure Steps\n'),
        "z.grog:1:9",
    ),
    "an index that is deep": (_write("rulebook.yaml", DEEP), "rulebook.yaml"),
    "an index of aliases": (_write("rulebook.yaml", BOMB), "rulebook.yaml"),
    "an index that is a list": (_write("rulebook.yaml", "[a, b]"), "rulebook.yaml"),
    "a style that is deep": (_write("style.yaml", DEEP), "style.yaml"),
    "a style of many keys": (
        _write("style.yaml", "".join(f"k{i}: 1\n" for i in range(20_000))),
        "style.yaml",
    ),
    "a style of many values": (
        _write("style.yaml", "a: [" + "x, " * 110_000 + "]"),
        "more than 100,000 keys",
    ),
    "an index of many values": (
        _write("rulebook.yaml", "- \n" * 110_000),
        "more than 100,000 keys",
    ),
    "a style with a circle": (_write("style.yaml", "pieces: &p {Unit: *p}"), "style.yaml"),
    "a board that is deep": (_write("boards/b.yaml", DEEP), "boards/b.yaml"),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_files_of_a_ruleset(desk: Path, kind: str) -> None:
    spoil, name = SOURCES[kind]
    spoil(desk / "rulesets/tiny")
    _told(_run(desk, "check", "tiny"), name)


@pytest.mark.parametrize(
    "command",
    [
        ("play", "tiny/first"),
        ("validate", "tiny/first"),
        ("render", "tiny/first", "-o", "x.svg"),
        ("list",),
    ],
)
def test_other_commands_tell_as_well(desk: Path, command: tuple[str, ...]) -> None:
    _fifo("z.grog")(desk / "rulesets/tiny")
    _told(_run(desk, *command), *(() if command == ("list",) else ("z.grog",)), code=(0, 1, 2))


@pytest.mark.parametrize("name", ["z.grog", "rulebook.yaml", "texts/en.yaml", "style.yaml"])
def test_no_finding_shows_what_stands_outside_the_ruleset(
    desk: Path, tmp_path: Path, name: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("enum hunter2 { hunter3\nhunter4: [hunter5", encoding="utf-8")
    _link(name, str(secret))(desk / "rulesets/tiny")
    for command in (
        ("check", "tiny"),
        ("play", "tiny/first"),
        ("explain", "tiny"),
        ("dump", "tiny", "--stage", "parsed"),
    ):
        done = _run(desk, *command)
        _told(done, Path(name).name)
        assert "hunter" not in done.all


ENDLESS = {
    "a number that squares itself": "let x = 3 repeat { set x = x * x }",
    "a number that doubles": "let x = 1 repeat { set x = x + x }",
    "a range": "let x = 2000000000 each i in 0 .. x { stop }",
    "a set of numbers": "let x = 2000000000 let r = 0 .. x if 3 in r { leave }",
    "a repetition": "let x = 2000000000 repeat x times { set x = x + 1 }",
    "a negative set": "let x = - 5 let r = x .. 3 if 3 in r { leave }",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_rules_without_end(desk: Path, kind: str) -> None:
    _procedure(ENDLESS[kind])(desk / "rulesets/tiny")
    done = _run(desk, "play", "tiny/first", typed="\n")
    _told(done, code=(1,))


SCENARIOS: dict[str, Spoil] = {
    "a pipe": lambda folder: os.mkfifo(folder / "odd.yaml"),
    "a device": _link("odd.yaml", "/dev/zero"),
    "a circle": _link("odd.yaml", "odd.yaml"),
    "a folder": lambda folder: (folder / "odd.yaml").mkdir(),
    "depth": _write("odd.yaml", DEEP),
    "depth of mappings": _write("odd.yaml", "\n".join(" " * i + "a:" for i in range(2000))),
    "aliases": _write("odd.yaml", BOMB),
    "fifty megabytes of line breaks": _write("odd.yaml", "\n" * (50 << 20)),
    "fifty megabytes of a record": _write(
        "odd.yaml", "grognard: 2\nresult: unfinished\n\n" + "a: b\n" * (10 << 20)
    ),
    "a long number": _write(
        "odd.yaml", "ruleset: tiny\ntitle: x\ngame: {turns_left: " + "9" * 5_000 + "}\n"
    ),
    "many keys": _write(
        "odd.yaml", "ruleset: tiny\ntitle: x\n" + "".join(f"k{i}: 1\n" for i in range(3_000))
    ),
    "NUL": _write("odd.yaml", "ruleset: tiny\ntitle: a\0b\n"),
}


@pytest.mark.parametrize("kind", SCENARIOS)
def test_scenarios(desk: Path, kind: str) -> None:
    SCENARIOS[kind](desk / "scenarios/tiny")
    _told(_run(desk, "validate", "scenarios/tiny/odd.yaml"), "odd.yaml")


@pytest.mark.parametrize(
    "kind",
    [
        "a pipe",
        "a device",
        "a circle",
        "a folder",
        "depth",
        "aliases",
        "NUL",
        "fifty megabytes of line breaks",
        "fifty megabytes of a record",
    ],
)
def test_cases_and_records(desk: Path, kind: str) -> None:
    SCENARIOS[kind](desk / "scenarios/tiny")
    _told(_run(desk, "test", "scenarios/tiny/odd.yaml"))
    _told(_run(desk, "replay", "scenarios/tiny/odd.yaml"))


@pytest.mark.parametrize("command", ["play", "bots", "validate", "explain", "render", "test"])
def test_a_record_is_no_scenario(desk: Path, command: str) -> None:
    assert _run(desk, "bots", "tiny/first", "--games", "1", "--records", "r").code == 0
    done = _run(desk, command, "r/first-1.record")
    _told(done, "this is the record of a game", "grognard play --resume")
    assert len(done.all) < 600


def test_names_that_cannot_be(desk: Path) -> None:
    assert len(_run(desk, "check", "(" * 5_000).err) < 400
    for words in (
        ("check", "a" * 5_000),
        ("validate", ""),
        ("check", ""),
        ("play", "/"),
        ("render", "tiny/first", "-o", "a/" * 3_000),
    ):
        _told(_run(desk, *words))


def test_a_text_does_not_steer_the_terminal(desk: Path) -> None:
    _write("texts/en.yaml", 'title: "a\\e[2Jb"\n')(desk / "rulesets/tiny")
    for command in (("play", "tiny/first"), ("list",), ("check", "tiny"), ("render", "tiny/first")):
        assert "\x1b" not in _run(desk, *command, typed="1\n").all


@pytest.mark.parametrize("key", ["sides", "notes", "game"])
def test_a_value_does_not_steer_the_terminal(desk: Path, key: str) -> None:
    _write("odd.yaml", f'ruleset: tiny\ntitle: x\n{key}: "\\u202e\\u009b2J"\n')(
        desk / "scenarios/tiny"
    )
    done = _run(desk, "validate", "scenarios/tiny/odd.yaml")
    _told(done, "odd.yaml", code=(1,))
    assert "\u202e" not in done.all and "\x9b" not in done.all


def test_the_name_of_a_ruleset_does_not_steer_the_terminal(desk: Path) -> None:
    (desk / "rulesets/tiny").rename(desk / "rulesets/a\x1b[2J")
    done = _run(desk, "list")
    _told(done, "[2J", code=(0,))
    assert "\x1b" not in done.out


def test_a_title_does_not_steer_the_terminal(desk: Path) -> None:
    _write("odd.yaml", 'ruleset: tiny\ntitle: "a\\e[2Jb"\n')(desk / "scenarios/tiny")
    done = _run(desk, "list")
    _told(done, "(cannot be read)", code=(0,))
    assert "\x1b" not in done.out
    _told(_run(desk, "validate", "scenarios/tiny/odd.yaml"), "odd.yaml:2:8", "U+001B", code=(1,))


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("replay",),
        ("test",),
        ("play", "--resume"),
        ("play",),
        ("validate",),
        ("fmt",),
        ("render", "tiny/first", "--record"),
    ],
)
def test_the_name_of_a_file_does_not_steer_the_terminal(desk: Path, words: tuple[str, ...]) -> None:
    for name, content in (("a\x1b[2J.yaml", b"x: [\n"), ("b\x1b[2J.grog", b"\xff")):
        (desk / name).write_bytes(content)
        done = _run(desk, *words, name)
        _told(done, "[2J")
        assert "\x1b" not in done.all


def test_links_that_lead_out_of_a_folder_are_not_followed(
    desk: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is told what stands there, nor is it written."""
    monkeypatch.chdir(desk)
    aside, cases = desk.parent / "aside", desk / "cases"
    aside.mkdir()
    cases.mkdir()
    for suffix, folders in (("yaml", ("cases", "scenarios/tiny")), ("grog", ("rulesets/tiny",))):
        (aside / f"x.{suffix}").write_text("TOPSECRET [\n", encoding="utf-8")
        for folder in folders:
            (desk / folder / f"linked.{suffix}").symlink_to(aside / f"x.{suffix}")
    (cases / "circle.yaml").symlink_to("circle.yaml")
    for words in (
        ("test", "cases"),
        ("fmt", "rulesets"),
        ("fmt", "--check", "."),
        ("validate", "linked"),
        ("play", "tiny/linked"),
        ("list",),
    ):
        done = run(*words)
        assert "TOPSECRET" not in done.out + done.err
        assert done.code == (0 if words == ("list",) else 2), words
        assert "linked" in done.err or words == ("list",)
    assert (aside / "x.grog").read_text(encoding="utf-8") == "TOPSECRET [\n"


def test_cases_name_rulesets_and_scenarios_that_are_found(
    desk: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)
    aside = desk / "aside"
    (aside / "evil").mkdir(parents=True)
    (aside / "evil/x.grog").write_text("TOPSECRET [\n", encoding="utf-8")
    (aside / "x.yaml").write_text("TOPSECRET: 1\nTOPSECRET: 2\n", encoding="utf-8")
    case = "ruleset: {}\nscenario: {}\ncases:\n  - {{name: one, rules: [T-1.1], expect: {{over: false}}}}\n"
    file = desk / "cases.yaml"
    for names in (
        ("tiny", "aside/x.yaml"),
        ("tiny", "rulesets/tiny/../../aside/x.yaml"),
        ("tiny", str(aside / "x.yaml")),
        ("aside/evil", "first"),
        ("../" + desk.name + "/aside/evil", "first"),
    ):
        file.write_text(case.format(*names), encoding="utf-8")
        done = run("test", "cases.yaml")
        assert done.code == 2 and "TOPSECRET" not in done.out + done.err, done
        assert "is not the name of a" in done.err
    for names in (("tiny", "first"), ("tiny", "tiny/first"), ("tiny", "scenarios/tiny/first.yaml")):
        file.write_text(case.format(*names), encoding="utf-8")
        assert run("test", "cases.yaml").code == 0


def test_a_file_that_is_too_large_is_to_be_split(desk: Path) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    file.write_text(file.read_text() + "#" * (5 << 20))
    for command in (("check", "tiny"), ("fmt", "rulesets/tiny"), ("play", "first")):
        done = _run(desk, *command)
        assert (
            done.code == 2
            and "it has more than 4 MB" in done.err
            and "remedy: split it" in done.err
        )


def test_what_is_read_for_coverage_is_named(desk: Path) -> None:
    os.mkfifo(desk / "cases.yaml")
    done = _run(desk, "cover", "tiny", "--games", "0", "--cases", "cases.yaml")
    assert done.code == 2 and "cases.yaml cannot be read: it is a pipe" in done.err


def test_a_long_tag_is_cut(desk: Path) -> None:
    (desk / "scenarios/tiny/first.yaml").write_text("!" * 100_000)
    done = _run(desk, "validate", "first")
    assert done.code == 1 and "S106" in done.out and len(done.out) < 2_000


def test_nothing_is_said_to_be_changed_that_could_not_be_written(desk: Path) -> None:
    file = desk / "rulesets/tiny/ruleset.grog"
    file.write_text(file.read_text().replace("sides ", "sides    "))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        done = _run(desk, "fmt", "rulesets/tiny")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert done.code == 2 and done.out == "" and "cannot be written" in done.err
    assert [path.name for path in file.parent.iterdir() if path.name.endswith(".part")] == []
