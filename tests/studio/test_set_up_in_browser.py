"""Set-up mode of the studio, by drags, clicks and keys; without chromium and selenium left out."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

pytest.importorskip("selenium", reason="selenium is not installed (the extra 'browser')")
pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="chromium and chromedriver are not installed",
)

from in_browser import Page, browser_at  # noqa: E402 - it needs selenium
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from text_field import text_of  # noqa: E402

SIZE = "--window-size=1500,1000"
#: the button that takes a stroke back
UNDO = ".set-up .bar button:nth-last-of-type(2)"


class SetUpPage:
    """The page in set-up mode."""

    def __init__(self, page: Page) -> None:
        self.page, self.driver = page, page.driver

    @property
    def text(self) -> str:
        return text_of(self.driver)

    def until(self, holds: Callable[[], Any]) -> None:
        end = time.monotonic() + 15
        while not holds():
            assert time.monotonic() < end, self.text
            time.sleep(0.05)

    def click(self, what: str) -> None:
        self.page.until(what).click()

    def tab(self, number: int) -> None:
        self.click(f".set-up .tabs button:nth-child({number})")

    def spot(self, label: str, dx: float = 0, dy: float = 0) -> tuple[int, int]:
        """Where the middle of a hex is on the screen: where its label is, and a little below."""
        box = self.driver.execute_script(
            "const all = [...document.querySelectorAll('.set-up #board text')];"
            "const one = all.find((text) => text.textContent === arguments[0]);"
            "const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + 20]",
            label,
        )
        return round(box[0] + dx), round(box[1] + dy)

    def drag(self, *places: tuple[int, int], pause: float = 0) -> None:
        """Drag over places, with a pause of so many seconds before the last."""
        actions = ActionChains(self.driver, 60)
        pointer = actions.w3c_actions.pointer_action
        pointer.move_to_location(*places[0]).pointer_down()
        for place in places[1:-1]:
            pointer.move_to_location(*place)
        if pause:
            pointer.pause(pause)
        if places[1:]:
            pointer.move_to_location(*places[-1])
        pointer.pointer_up()
        actions.perform()

    def keys(self, *keys: str) -> None:
        self.page.until(".set-up .plan").send_keys(*keys)

    def undo(self) -> None:
        self.click(UNDO)


@pytest.fixture
def set_up(tmp_path: Path) -> Iterator[Callable[[str], SetUpPage]]:
    """Opens the studio of a ruleset, in a folder of its own, in set-up mode."""
    open_ones: list[Any] = []

    def opened(scenario: str) -> SetUpPage:
        ruleset = scenario.partition("/")[0]
        shutil.copytree(ROOT / "scenarios" / ruleset, tmp_path / "scenarios" / ruleset)
        shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
        command = [sys.executable, "-m", "grognard", "studio", ruleset, scenario, "--no-open"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        open_ones.append(process)
        assert process.stdout is not None
        link = next(m[0] for line in process.stdout if (m := re.search(r"http\S+", line)))
        browser = browser_at(link, "en", False, SIZE)
        page = browser.__enter__()
        open_ones.append(browser)
        page.until("#head .acts button[aria-pressed]", 60).click()
        page.until(".set-up #board", 60)
        return SetUpPage(page)

    yield opened
    process, browser = open_ones
    browser.__exit__(None, None, None)
    process.terminate()
    process.wait(20)
    process.stdout.close()


def test_a_battle_is_set_up_by_hand(set_up: Callable[[str], SetUpPage]) -> None:
    at = set_up("cc_ancients/trebbia")
    before = at.text
    # a drag paints three hexes, with one stroke
    at.click(".set-up .brush:nth-of-type(3)")
    at.drag(at.spot("E5"), at.spot("E6"), at.spot("E7"))
    at.until(lambda: "forest: [E5, E6, E7]" in at.text)
    at.undo()
    at.until(lambda: at.text == before)
    # a piece comes from the palette, by drag
    at.tab(2)
    counter = at.page.until(".set-up .panel .counters button")
    box = counter.rect
    at.drag((int(box["x"] + 20), int(box["y"] + 20)), (700, 500), at.spot("F6"))
    at.until(lambda: "hex: F6}" in at.text or "F6]" in at.text)
    # the roster does not agree with it, which is told
    at.until(lambda: "(" in at.page.until(".set-up .tabs button:nth-child(5)").text)
    at.undo()
    at.until(lambda: at.text == before)
    # a piece is moved onto another, which is found, and marked on the map
    at.click(".set-up .bar button")
    at.drag(at.spot("G5"), at.spot("G6"), at.spot("G7"))
    at.until(lambda: "hex: [G7, G7, G9]" in at.text)
    mark = at.page.until(".fault-mark.bad")
    assert "stands on G7" in mark.find_element(By.TAG_NAME, "title").get_attribute("textContent")
    at.undo()
    at.until(lambda: at.text == before and not at.page.all(".fault-mark"))
    # by keys: a cursor, and what stands there goes
    at.drag(at.spot("D2"))
    at.until(
        lambda: (
            "light infantry" in at.page.text(".set-up .panel h3").lower() or at.page.all(".held")
        )
    )
    at.keys(Keys.DELETE)
    at.until(lambda: "type: LI, hex: [D6, D11]" in at.text)
    # off the board; the map that comes of something else waits for the end of a drag
    tray = at.page.until(".set-up .tray").rect
    off = int(tray["x"] + 500), int(tray["y"] + 40)
    later = "setTimeout(() => document.querySelector(arguments[0]).click(), 300)"
    at.driver.execute_script(later, UNDO)
    at.drag(at.spot("G5"), at.spot("G6"), off, pause=2)
    at.until(lambda: "none" in at.text.partition("type: LS")[2][:40])
    assert not at.page.faults()


def test_pieces_are_turned(set_up: Callable[[str], SetUpPage]) -> None:
    at = set_up("battles_of_napoleon/los_arapiles")
    before = at.text
    at.page.until(".set-up .piece").click()
    at.page.until(".turner")
    at.keys("r")
    at.until(lambda: at.text != before)
    at.undo()
    at.until(lambda: at.text == before)
    assert not at.page.faults()
