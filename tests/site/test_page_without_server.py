"""The site in a browser that reaches nothing but a server of files; without chromium, selenium and Node left out."""

from __future__ import annotations

import http.server
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from project import ROOT

pytest.importorskip("selenium", reason="selenium is not installed (the extra 'browser')")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not all(map(shutil.which, ("chromium", "chromedriver", "node", "npm"))),
        reason="chromium, chromedriver, node or npm is not installed",
    ),
]
sys.path.append(str(ROOT / "tests/web"))

from in_browser import Page, browser_at  # noqa: E402 - it needs selenium
from selenium.webdriver.support.ui import Select  # noqa: E402

from grognard.fronts.site.building import build  # noqa: E402

#: Seconds until the engine has begun, on a slow machine.
BEGUN = 120


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site") / "public"
    said: list[str] = []
    assert build(folder, ["cc_ancients"], None, said.append) > 10_000_000
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@contextmanager
def at(address: str, language: str = "en", phone: bool = False) -> Iterator[Page]:
    """A browser at the site, which reaches no other address."""
    with browser_at(
        address, language, phone, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    ) as page:
        within(page)
        page.until(".battle")
        yield page


def within(page: Page) -> None:
    """Look at the page within the page."""
    page.driver.switch_to.default_content()
    page.driver.switch_to.frame("page")


def begin(page: Page, name: str, **players: str) -> None:
    page.until("input[type=search]").send_keys(name)
    page.until(".battle button").click()
    dialog = page.until("dialog")
    for select, side in zip(
        dialog.find_elements("css selector", "select"), ("top", "bottom"), strict=True
    ):
        Select(select).select_by_value(players.get(side, "person"))
    dialog.find_element("css selector", "button[type=submit]").click()
    page.until(".asked", BEGUN)


def reload(page: Page) -> None:
    page.driver.switch_to.default_content()
    page.driver.refresh()
    within(page)
    page.until(".asked", BEGUN)


def test_a_whole_battle_gone_on_with_and_stepped_through(address: str) -> None:
    with at(address) as page:
        begin(page, "akragas", top="greedy")
        page.play(30)
        while page.all(".bubble .closing"):
            page.all(".bubble .closing")[0].click()
        asked, rows = page.text(".asked h2"), page.text("#panel-table")
        reload(page)
        assert (page.text(".asked h2"), page.text("#panel-table")) == (asked, rows)
        assert page.play(2_000)["ended"] and page.text("#outcome") == page.text(".asked h2")
        won = page.text("#outcome")
        page.until("a.main").click()
        page.until(".battle")
        assert not page.all(".under-way")
        page.until(".finished a").click()
        page.until("#board [data-piece]", BEGUN)
        assert (
            page.text("#outcome") == won
            and page.driver.execute_script("return location.protocol") == "blob:"
        )
        assert not page.faults()


def test_two_windows_play_on_one_game(address: str) -> None:
    """Of two that play on, the second is told, and finds the game as the first has left it."""
    with at(address) as page:
        begin(page, "akragas", top="random")
        first, place = (
            page.driver.current_window_handle,
            page.driver.execute_script("return top.location.href"),
        )
        page.driver.switch_to.new_window("tab")
        page.driver.get(place)
        within(page)
        page.until(".asked", BEGUN)
        page.play(6)
        page.driver.switch_to.window(first)
        within(page)
        page.until(".asked .option").click()
        bubble = page.all(".bubble .choices button:not(.closing)")
        if bubble:
            bubble[0].click()
        assert "another window" in page.text(".fault")
        reload(page)
        assert not page.all(".fault") and page.until(".asked")


def test_in_czech_on_a_phone_two_at_one_screen(address: str) -> None:
    with at(address, language="cs", phone=True) as page:
        assert (
            "Vyberte" in page.text("h2")
            or page.driver.find_element("tag name", "html").get_attribute("lang") == "cs"
        )
        begin(page, "akragas")
        assert page.play(200)["veil"]
        page.until(".veil button.main").click()
        page.until(".asked", BEGUN)
        width = page.driver.execute_script(
            "return [document.documentElement.scrollWidth, innerWidth]"
        )
        assert width[0] <= width[1] and not page.faults()


def test_a_scenario_of_ones_own_is_there_again(address: str, tmp_path: Path) -> None:
    mine, wrong = tmp_path / "mine.yaml", tmp_path / "wrong.yaml"
    text = (ROOT / "scenarios/cc_ancients/akragas.yaml").read_text()
    mine.write_text(text.replace("title: Akragas", "title: Quixotic"))
    wrong.write_text("ruleset: cc_ancients\ntitle: x\nsides: 3\n")
    with at(address) as page:
        chooser = page.driver.find_element("css selector", "input[type=file]")
        chooser.send_keys(str(wrong))
        assert "line 3" in page.until(".own .wrong", BEGUN).text
        page.driver.find_element("css selector", "input[type=file]").send_keys(str(mine))
        assert "Quixotic" in page.until("dialog", BEGUN).text
        page.driver.switch_to.default_content()
        page.driver.refresh()
        within(page)
        page.until(".battle")
        begin(page, "quixotic", top="random")
        assert page.text("h1") == "Quixotic 406 BC"
