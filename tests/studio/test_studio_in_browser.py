"""The studio in a browser: ten edits under a running game; without chromium and selenium this is left out."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

pytest.importorskip("selenium", reason="selenium is not installed (the extra 'browser')")
pytest.importorskip("pygls", reason="pygls is not installed (the extra 'studio')")
pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="chromium and chromedriver are not installed",
)

from in_browser import Page, browser_at  # noqa: E402 - it needs selenium
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from text_field import put_cursor, replaced, text_of  # noqa: E402

#: What is changed, one after the other, and what the game does then.
EDITS = [
    ("| infantry | 3 | 1 | 2 | 2 |", "| infantry | 3 | 2 | 2 | 2 |", "goes_on"),
    ("| infantry | 3 | 2 | 2 | 2 |", "| infantry | 4 | 2 | 2 | 3 |", "goes_on"),
    ("| cavalry  | 2 |", "| cavalry  | x |", "stands_still"),
    ("| cavalry  | x |", "| cavalry  | 2 |", "goes_on"),
    ("hit 1, miss 2", "hit 2, miss 2", "goes_on"),
    ("hit 2, miss 2", "hit 1, miss 5", "goes_on"),
    ("enum Terrain { clear, forest }", "enum Terrain { clear, forest", "stands_still"),
    ("enum Terrain { clear, forest", "enum Terrain { clear, forest }", "goes_on"),
    ("# A small game", "# A very small game", "goes_on"),
    ("# A very small game", "# The smallest game", "goes_on"),
]


@pytest.fixture
def page(hills: Path) -> Iterator[Page]:
    with studio() as page:
        yield page


@contextmanager
def studio() -> Iterator[Page]:
    """The studio on the ruleset *hills* in a browser."""
    process = subprocess.Popen(
        [sys.executable, "-m", "grognard", "studio", "hills", "--no-open"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    link = next(found[0] for line in lines if (found := re.search(r"http://\S+/enter/\S+", line)))
    try:
        with browser_at(link) as page:
            page.until("#editor .cm-content")
            yield page
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 0 and not said
    finally:
        process.kill()


def asked(page: Page) -> str:
    """What is asked at the table."""
    page.driver.switch_to.frame(page.until("#stage iframe"))
    try:
        return page.text(".asked h2")
    finally:
        page.driver.switch_to.default_content()


def said(page: Page, words: str) -> None:
    """The line of the state says so, in the end."""
    end = time.monotonic() + 15
    while words not in page.text("#state"):
        assert time.monotonic() < end, page.text("#state")
        time.sleep(0.02)


def state(page: Page, wanted: str) -> None:
    words = {"goes_on": "The game goes on by the rules", "stands_still": "The rules have errors"}
    said(page, words[wanted])


def test_ten_edits_under_a_running_game(page: Page, hills: Path) -> None:
    """Pieces stay where they were moved to, and what is asked stays asked."""
    page.driver.switch_to.frame(page.until("#stage iframe"))
    page.until(".asked .option").click()  # the first piece is to move
    page.driver.switch_to.default_content()
    question = asked(page)
    for old, fresh, wanted in EDITS:
        before = page.driver.find_element("id", "state").text
        assert replaced(page.driver, old, fresh), old
        if wanted == "stands_still" or "errors" in before or not before:
            state(page, wanted)
        else:
            time.sleep(0.5)
            assert "goes on" in page.text("#state")
        assert asked(page) == question
        end = time.monotonic() + 10
        while (page.text("#panel") == "Nothing is found.") != (wanted == "goes_on"):
            assert time.monotonic() < end, (wanted, page.text("#panel"))
            time.sleep(0.05)
    page.driver.switch_to.frame(page.until("#stage iframe"))
    page.until(".asked .option").click()  # where it moves to, by the rules as they are now
    page.driver.switch_to.default_content()
    end = time.monotonic() + 10
    while asked(page) == question:
        assert time.monotonic() < end
        time.sleep(0.05)
    page.driver.execute_script(
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: 's', ctrlKey: true, bubbles: true}))"
    )
    end = time.monotonic() + 10
    rules = hills / "rulesets/hills/ruleset.grog"
    while "# The smallest game" not in rules.read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert not page.faults()


def test_the_text_helps(page: Page, hills: Path) -> None:
    """Words are completed, findings mended, names gone to and changed in all files."""
    driver, keys = page.driver, ActionChains(page.driver, 0)

    def until(holds: Callable[[], Any]) -> None:
        end = time.monotonic() + 15
        while not holds():
            assert time.monotonic() < end, text_of(driver)
            time.sleep(0.05)

    def press(*held: str) -> None:
        for key in held[:-1]:
            keys.key_down(key)
        keys.send_keys(held[-1])
        for key in held[:-1]:
            keys.key_up(key)
        keys.perform()

    page.until("#editor .is-enumMember")  # the server has told what the names are
    before = text_of(driver)
    put_cursor(driver, "some u in Unit where u.side", len("some u in Unit where u."))
    press(Keys.CONTROL, " ")
    assert "Side" in page.text(".cm-tooltip-autocomplete")  # what fits the type
    press(Keys.ESCAPE)

    assert replaced(driver, "| cavalry ", "| cavalri ")
    put_cursor(driver, "| cavalri ", 3)
    page.until("#editor .cm-lintRange-error")
    press(Keys.CONTROL, ".")
    page.until(".listing li button").click()
    until(lambda: text_of(driver) == before)
    page.driver.execute_script("document.querySelector('#editor .cm-content').focus()")
    press(Keys.CONTROL, "z")
    until(lambda: "cavalri" in text_of(driver))
    press(Keys.CONTROL, Keys.SHIFT, "z")
    until(lambda: text_of(driver) == before)

    put_cursor(driver, "| cavalry ", 3)
    press(Keys.F12)
    until(lambda: "enum Type" in page.text("#editor .cm-activeLine"))
    press(Keys.SHIFT, Keys.F12)
    page.until(".listing li")
    press(Keys.ESCAPE)
    put_cursor(driver, "| cavalry ", 3)
    press(Keys.F2)
    name = page.until(".renaming input")
    name.clear()
    name.send_keys("dragoons", Keys.ENTER)
    until(lambda: "| dragoons" in text_of(driver))
    page.until("#texts [role=tab]:nth-child(2)")  # a scenario, in which it was named, too
    until(lambda: page.text("#panel") == "Nothing is found.")
    until(lambda: "The game goes on" in page.text("#state"))
    press(Keys.CONTROL, "z")  # in all files
    until(lambda: "| cavalry " in text_of(driver))
    until(lambda: page.text("#panel") == "Nothing is found.")
    until(lambda: "The game goes on" in page.text("#state"))

    x, y = put_cursor(driver, "enum Terrain", 6)
    keys.w3c_actions.pointer_action.move_to_location(x + 4, y)
    keys.perform()
    assert "enum Terrain" in page.text(".cm-tooltip .marked")
    put_cursor(driver, "procedure play", 3)
    explain = page.until("#editor .lens button + button")
    assert explain.text == "explain"
    explain.click()
    until(lambda: "used" in page.text(".cm-tooltip .marked"))
    page.until(".cm-tooltip .marked li")
    assert not page.faults()


def test_why_there_is_no_table(hills: Path) -> None:
    rules = hills / "rulesets/hills/ruleset.grog"
    rules.write_text(rules.read_text().replace("enum Terrain { clear, forest }", "enum Terrain {"))
    with studio() as page:
        said(page, "The table comes when the rules and the scenario have no errors.")
        assert replaced(page.driver, "enum Terrain {", "enum Terrain { clear, forest }")
        page.until("#stage iframe")
        said(page, "The game has begun anew.")


def test_a_case_without_a_name_says_what_it_lacks(page: Page) -> None:
    def press(words: str) -> None:
        page.until(".acts")
        next(one for one in page.all(".acts button") if one.text == words).click()

    press("Begin a case")
    said(page, "A case is being made")
    press("End the case")
    page.until(".acts input[name=name]")
    press("End the case")
    assert "A case needs a name" in page.text(".notice")


def test_the_map_has_more_room_than_what_is_told(page: Page) -> None:
    page.driver.switch_to.frame(page.until("#stage iframe"))
    assert page.until("#map").rect["height"] > 1.5 * page.until("#told").rect["height"]
