"""The page in a real browser: chromium, driven by selenium; without these the test is left out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from retold import data_of, page

pytest.importorskip("selenium", reason="selenium is not installed (the extra 'browser')")
pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="chromium and chromedriver are not installed",
)
SCENARIO = "cc_ancients/akragas"
#: A phone, upright.
PHONE = 360, 740
OPTIONS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --window-size=1200,800"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(page(SCENARIO), encoding="utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for word in OPTIONS.split():
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.get(Path(path).as_uri())
    yield driver
    driver.quit()


def screen(browser: Any, width: int, height: int) -> None:
    """Let the screen be so large; a window alone does not get as narrow as a phone."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def view_box(browser: Any) -> list[float]:
    """What of the board is in sight."""
    script = "const v = board.viewBox.baseVal; return [v.x, v.y, v.width, v.height]"
    box: list[float] = browser.execute_script(script)
    return box


def step(browser: Any) -> int:
    return int(browser.find_element("id", "place").get_attribute("value"))


def press(browser: Any, *keys: str) -> int:
    from selenium.webdriver.common.by import By

    for key in keys:
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
    return step(browser)


def test_keys_buttons_and_places(browser: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    data = data_of(page(SCENARIO))
    last = len(data["steps"]) - 1
    assert step(browser) == 0 and press(browser, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT) == 2
    assert press(browser, Keys.ARROW_LEFT) == 1 and press(browser, Keys.END) == last
    assert press(browser, Keys.HOME) == 0 and press(browser, Keys.PAGE_DOWN) == data["turns"][1][0]
    browser.find_element("id", "last").click()
    assert step(browser) == last and browser.current_url.endswith(f"#{last}")
    assert "Winner" in browser.find_element("class name", "outcome").text
    standing = browser.execute_script(
        "return [...document.querySelectorAll('.piece')].filter(p => p.style.display !== 'none').length"
    )
    spots: dict[int, int] = {}
    for one in data["steps"]:
        spots.update({slot: len(spot) for slot, *spot in one.get("p", ())})
    assert standing == sum(size == 4 for size in spots.values())
    for name in ("log", "hands", "off_board", "key", "table"):
        browser.find_element("id", f"tab-{name}").click()
        assert browser.find_element("id", f"panel-{name}").text
    assert not [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]


def test_what_a_line_of_the_log_names_is_ringed(browser: Any) -> None:
    browser.find_element("id", "first").click()
    browser.find_element("id", "tab-log").click()
    named = browser.execute_script(
        "const standing = [...document.querySelectorAll('.piece')].filter(p => p.style.display !== 'none').map(p => p.dataset.piece);"
        "for (const line of document.querySelectorAll('#panel-log li a')) {"
        "  const names = standing.filter(name => line.textContent.split(/[ ,:]/).includes(name));"
        "  if (!names.length) continue;"
        "  line.closest('details').open = true; line.focus();"
        "  const ringed = document.querySelectorAll('circle.named').length;"
        "  line.blur();"
        "  return [names.length, ringed, document.querySelectorAll('.named').length];"
        "}"
    )
    assert named and named[0] == named[1] and named[2] == 0
    browser.find_element("id", "tab-table").click()


def test_nothing_jumps_and_nothing_is_too_wide(browser: Any) -> None:
    """The board and the controls stay where they are from step to step, on a phone too."""
    for width, height in ((1200, 800), (500, 900), PHONE):
        screen(browser, width, height)
        places = set()
        for number in (0, 5, 20, 105, 148, 280):
            browser.execute_script(f"location.hash = '#{number}'")
            places.add(
                browser.execute_script(
                    "return ['board', 'tabs', 'forward'].map(i => JSON.stringify(document.getElementById(i).getBoundingClientRect())).join()"
                )
            )
        assert len(places) == 1
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        # the steps of the turn are all to be seen
        assert browser.execute_script(
            "return strip.scrollWidth <= strip.clientWidth && strip.scrollHeight <= strip.clientHeight"
        )


def test_the_board_comes_closer_and_moves(browser: Any) -> None:
    """By keys alone: closer, to the right, whole again; arrows step through the game where the board is whole."""
    from selenium.webdriver.common.keys import Keys

    screen(browser, 1200, 800)
    board = browser.find_element("id", "board")
    press(browser, Keys.HOME, "0")
    whole = view_box(browser)
    for _ in range(3):
        press(browser, "+")
    near, before = view_box(browser), step(browser)
    assert near[2] < whole[2] / 2 and near[2] / near[3] == pytest.approx(
        whole[2] / whole[3], rel=0.01
    )
    board.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    moved = view_box(browser)
    assert moved[0] > near[0] and moved[1] > near[1] and moved[2:] == near[2:]
    assert step(browser) == before
    press(browser, "0")
    assert view_box(browser) == whole
    board.send_keys(Keys.ARROW_RIGHT)
    assert step(browser) == before + 1


def test_fingers_move_the_board(browser: Any) -> None:
    """On a phone two fingers bring the board closer, one moves it, and on the whole board one goes a step on."""
    screen(browser, *PHONE)
    browser.execute_cdp_cmd(
        "Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2}
    )
    press(browser, "0")
    frame = browser.execute_script(
        "const r = board.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]"
    )

    def touch(kind: str, *offsets: tuple[float, float]) -> None:
        points = [
            {"x": frame[0] + x, "y": frame[1] + y, "id": n} for n, (x, y) in enumerate(offsets)
        ]
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        frame_drawn()

    def frame_drawn() -> None:
        browser.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        )

    whole = view_box(browser)
    touch("touchStart", (-20, 0), (20, 0))
    touch("touchMove", (-40, 0), (40, 0))
    touch("touchMove", (-60, 0), (60, 0))
    touch("touchEnd")
    near = view_box(browser)
    assert near[2] == pytest.approx(whole[2] / 3, rel=0.05)
    before = step(browser)
    touch("touchStart", (0, 0))
    touch("touchMove", (-30, 10))
    touch("touchMove", (-60, 20))
    touch("touchEnd")
    moved = view_box(browser)
    assert moved[0] > near[0] and moved[1] < near[1] and moved[2:] == near[2:]
    assert step(browser) == before
    press(browser, "0")
    touch("touchStart", (60, 0))
    touch("touchMove", (0, 0))
    touch("touchMove", (-60, 0))
    touch("touchEnd")
    assert step(browser) == before + 1
