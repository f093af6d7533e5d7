"""Loading again costs little: what is in the cache is not read through once more."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import grognard
from grognard import places
from grognard.fronts.cli.main import main


def test_what_is_in_the_cache_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    grognard.load("akragas", seed=1)
    parsed: list[str] = []
    inner = places.parse
    monkeypatch.setattr(
        places, "parse", lambda text, name: parsed.append(text) or inner(text, name)
    )
    assert grognard.load("akragas", seed=1).title == "Akragas" and not parsed


def test_a_scenario_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(places.scenarios()["cc_ancients/akragas"])
    copy = tmp_path / "mine.yaml"
    copy.write_text(source.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    parsed: list[str] = []
    inner = yaml.parse
    monkeypatch.setattr(
        yaml, "parse", lambda text, Loader: parsed.append(text) or inner(text, Loader=Loader)
    )
    assert grognard.load(copy, seed=1).ruleset == "cc_ancients"
    assert sum(text.endswith("# mine\n") for text in parsed) == 1


def test_texts_that_cannot_be_read_are_found_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "skirmish"]) == 0
    grognard.load("skirmish/first", seed=1)
    texts = tmp_path / "rulesets/skirmish/texts/en.yaml"
    texts.write_text(texts.read_text(encoding="utf-8") + "a: [\n", encoding="utf-8")
    with pytest.raises(grognard.LoadError, match=r"texts/en.yaml:\d+"):
        grognard.load("skirmish/first", seed=1)
