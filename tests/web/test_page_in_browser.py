"""Games at the page, by clicks, taps and keys alone; without chromium and selenium these tests are left out."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from project import ROOT

pytest.importorskip("selenium", reason="selenium is not installed (the extra 'browser')")
pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="chromium and chromedriver are not installed",
)

from in_browser import Page, browser  # noqa: E402 - it needs selenium
from selenium.webdriver.support.ui import Select  # noqa: E402
from served import Process, Way, process  # noqa: E402

#: A battle of each game, and who plays it.
BATTLES = {
    "no_retreat/barbarossa_1941": {"axis": "person", "soviet": "random"},
    "battles_of_westeros/learning_battle": {"stark": "person", "lannister": "random"},
    "battles_of_napoleon/first_lesson": {"french": "person", "english": "random"},
    "cc_ancients/akragas": {"top": "random", "bottom": "person"},
    "cc_napoleonics/redinha": {"top": "random", "bottom": "person"},
}
#: Clicks that a battle may take to its end, and those of a beginning.
CLICKS, BEGINNING = 2_000, 60
#: What npm puts there when `.ci/run` prepares the tests of pages.
AXE = ROOT / "build/page-tools/node_modules/axe-core/axe.min.js"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with process(tmp_path_factory.mktemp("served")) as made:
        yield made


@pytest.fixture(scope="module")
def page(server: Process) -> Iterator[Page]:
    with browser(server) as made:
        yield made


@pytest.fixture(scope="module")
def phone(server: Process) -> Iterator[Page]:
    with browser(server, phone=True) as made:
        yield made


def violations(page: Page) -> list[Any]:
    """What axe finds in the page as it is now."""
    page.driver.execute_script(AXE.read_text(encoding="utf-8"))
    found: list[Any] = page.driver.execute_async_script(
        "axe.run().then((r) => arguments[0](r.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160))])))"
    )
    return found


def test_a_battle_by_clicks_alone(page: Page) -> None:
    page.new("battles_of_westeros/learning_battle", stark="person", lannister="random")
    played = page.play(CLICKS)
    assert played["ended"], played
    assert page.text("#outcome") == page.text(".asked h2") and not page.faults()


@pytest.mark.long
@pytest.mark.parametrize("scenario", BATTLES)
def test_the_beginning_of_a_battle(page: Page, scenario: str) -> None:
    """By clicks alone; axe, where it is installed, finds nothing before and after."""
    page.new(scenario, **BATTLES[scenario])
    assert not AXE.is_file() or violations(page) == []
    played = page.play(BEGINNING, 3)
    assert played["ended"] or not played["left"], played
    assert not page.faults()
    assert not AXE.is_file() or violations(page) == []


def test_a_clock_is_chosen_and_seen(page: Page) -> None:
    page.driver.get(page.address)
    page.until(".battle button").click()
    Select(page.until("dialog select[name=clock]")).select_by_visible_text(
        "minutes a side for the game: 30"
    )
    page.until("dialog button.main").click()
    page.until(".asked")
    seen = set()
    for _ in range(60):  # it ticks
        seen.update(one.text for one in page.all("#question .clock b"))
        if len(seen) > 1:
            break
        time.sleep(0.1)
    assert len(seen) > 1 and all("has 29:" in text or "has 30:" in text for text in seen), seen
    page.driver.get(page.address)
    assert "left" in page.text(".under-way .clock") and not page.faults()


def test_from_the_lobby_to_the_first_decision(page: Page) -> None:
    page.driver.get(page.address)
    page.until(".battle")
    page.until("input[type=search]").send_keys("406 syracuse")
    (card,) = page.all(".battle button")
    assert "Akragas" in card.text
    card.click()
    dialog = page.until("dialog")
    assert [label.text.split("\n")[0] for label in page.all("dialog label")] == [
        "Carthage",
        "Syracuse",
        "Clock",
    ]
    dialog.find_element("css selector", "button[type=submit]").click()
    assert page.text(".asked h2").startswith("Which card do you play?")
    assert len(page.all(".option")) > 3 and not page.faults()
    page.driver.get(page.address)
    assert "Akragas" in page.text(".under-way")


def test_reloaded_in_the_middle(page: Page) -> None:
    game = page.new("cc_ancients/akragas", top="random", bottom="person")
    page.play(12)
    while page.all(".bubble button.closing"):
        page.all(".bubble button.closing")[0].click()
    page.open(game)
    asked, told = page.text(".asked h2"), page.text("#panel-table")
    page.open(game)
    assert (page.text(".asked h2"), page.text("#panel-table")) == (asked, told)


def test_two_at_one_screen(page: Page) -> None:
    """Where the other decides, nothing of the first is to be seen until somebody says who looks."""
    page.new("battles_of_westeros/learning_battle", stark="person", lannister="person")
    assert page.play(60)["veil"]
    assert not page.all("main") and not page.all("#panel-hands") and page.all(".veil button")
    name = page.text(".veil button.main").removeprefix("I am ")
    page.until(".veil button.main").click()
    page.until(".option")
    assert page.text("#rows th.turn") in (name, "") and "seat=" in page.driver.current_url
    assert not page.faults()


def test_what_cannot_be_done_is_explained(page: Page) -> None:
    page.new("cc_ancients/akragas", top="random", bottom="person")
    page.until(".option")
    page.point("C.MI1")
    assert "C.MI1" in page.text(".bubble")


def test_a_hint_and_what_the_bot_expects(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    def told(button: str) -> str:
        next(one for one in page.all(".acts .less") if one.text == button).click()
        shown = page.text(".bubble")
        page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        return shown

    page.new("cc_ancients/akragas", top="person", bottom="novice")
    page.until(".option")
    while "stands ahead in" not in (expected := told("What it expects")):
        assert "no bot says yet" in expected
        page.play(3)
        page.until(".option")
    assert "play " not in expected
    advice = told("Hint")
    assert "a bot would choose: " in advice
    assert "tries of how it may go on" in advice or "next best" not in advice


def test_what_is_chosen_is_let_go(page: Page) -> None:
    """By the Esc key, and by pointing at it again; nothing has been taken then."""
    from selenium.webdriver.common.keys import Keys

    page.new("no_retreat/barbarossa_1941", axis="person", soviet="random")
    while "Whom do you move" not in (asked := page.text(".asked h2")):  # some hands ask before it
        page.driver.execute_script(
            "(document.querySelector('.pass') || document.querySelector('.option')).click()"
        )
        page.until(".asked[aria-busy='false']")
    for let_go in (
        lambda: page.point("18th-Army"),
        lambda: page.driver.switch_to.active_element.send_keys(Keys.ESCAPE),
    ):
        page.point("18th-Army")
        page.until(".taken")
        let_go()
        assert not page.all(".taken") and page.text(".asked h2") == asked


#: Where the options stand, and what stands beside them; what is asked for, of which requests for odds are held back until
#: they are let go; whether somebody is away.
SOCKET = """
Object.defineProperty(document, "hidden", { get: () => away });
window.sent = []; window.held = []; window.hold = true;
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  const go = () => { sent.push(JSON.parse(text).do); send.call(this, text); };
  if (hold && JSON.parse(text).do === "odds") held.push(go); else go();
};
window.unhold = () => { hold = false; for (const go of held.splice(0)) go(); };
window.tops = () => [...document.querySelectorAll(".option")].map((one) => Math.round(one.getBoundingClientRect().top));
window.odds = () => [...document.querySelectorAll(".option .odds > :not(.room)")].map((one) => one.textContent);
"""


def look_anew(page: Page, game: str, away: bool = False) -> None:
    """Open a game in a page that holds back its requests for odds, while somebody is *away*."""
    ready, hidden = "Page.addScriptToEvaluateOnNewDocument", f"window.away = {json.dumps(away)};"
    made = page.driver.execute_cdp_cmd(ready, {"source": hidden + SOCKET})
    page.open(game)
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


def test_odds_come_beside_options_that_stay_where_they_are(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    run = page.driver.execute_script
    look_anew(page, page.new("cc_ancients/akragas", top="random", bottom="person"))
    for _ in range(40):
        active = page.driver.switch_to.active_element
        if "option" in (active.get_attribute("class") or ""):
            break
        active.send_keys(Keys.TAB)
    before = run("return tops()")
    assert run("return odds()") == ["…"] * len(before) and run("return held.length") == 1
    run("unhold()")
    page.until(
        "[aria-live].hidden:not(:empty)"
    )  # a screen reader tells those of the option it is at
    told = run("return odds()")
    assert any(told) and "…" not in told
    assert run("return document.querySelector('[aria-live].hidden').textContent") in told
    assert run("return tops()") == before and not page.faults()


def test_a_page_that_nobody_looks_at_asks_for_no_odds(page: Page) -> None:
    run = page.driver.execute_script
    look_anew(page, page.new("cc_ancients/akragas", top="random", bottom="person"), away=True)
    assert set(run("return odds()")) == {"…"} and run("return held.length") == 0
    run("window.away = false; document.dispatchEvent(new Event('visibilitychange')); unhold()")
    assert run("return sent").count("odds") == 1
    page.until(".option .odds > :not(.room):not([aria-hidden])")
    assert not page.faults()


def test_by_keys_alone(page: Page) -> None:
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    page.new("cc_ancients/akragas", top="random", bottom="person")
    page.until(".option")
    active = lambda: page.driver.switch_to.active_element  # noqa: E731
    for _ in range(40):
        active().send_keys(Keys.TAB)
        if "option" in (active().get_attribute("class") or ""):
            break
    first = active().text
    active().send_keys(Keys.ARROW_DOWN)
    assert "option" in active().get_attribute("class") and active().text != first
    asked = page.text(".asked h2")
    active().send_keys(Keys.ENTER)
    gone = [StaleElementReferenceException]  # the page goes on meanwhile
    WebDriverWait(page.driver, 30, ignored_exceptions=gone).until(
        lambda _: page.text(".asked h2") != asked
    )
    line = page.until(".asked input")
    line.send_keys("nonsense", Keys.ENTER)
    assert "'nonsense' is not among the options" in page.text(".bubble")
    active().send_keys(Keys.ESCAPE)
    assert not page.all(".bubble")


def test_a_phone(phone: Page) -> None:
    phone.new("battles_of_napoleon/first_lesson", french="person", english="random")
    assert phone.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    small = phone.driver.execute_script(
        "return [...document.querySelectorAll('.option, .pass, .asked form button, .asked input, .buttons button')]"
        ".filter((one) => one.getClientRects().length && one.getBoundingClientRect().height < 43.5).map((one) => one.textContent)"
    )
    assert small == []
    assert phone.play(CLICKS)["ended"] and not phone.faults()


def test_a_game_with_a_clock_in_the_lobby_of_a_phone(phone: Page) -> None:
    phone.driver.get(phone.address)
    phone.until(".battle button").click()
    phone.until("dialog")
    assert (
        min(one.rect["width"] for one in phone.all("dialog select")) > 240
    )  # what is chosen is read
    Select(phone.until("dialog select[name=clock]")).select_by_index(1)
    phone.until("dialog button[type=submit]").click()
    phone.until(".asked")
    phone.driver.get(phone.address)
    phone.until(".under-way .clock")
    assert phone.until(".under-way a").rect["width"] > 300  # and the buttons stand below
    assert phone.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_in_czech(server: Process) -> None:
    with browser(server, "cs") as page:
        page.driver.get(page.address)
        page.until(".battle")
        assert "Vyberte bitvu" in [one.text for one in page.all(".lobby h2")]
        page.new("cc_ancients/akragas", top="random", bottom="person")
        assert page.driver.execute_script("return document.documentElement.lang") == "cs"
        assert "Kter" in page.text(".asked h2") and "Nápověda" in page.text(".acts")


accessible = pytest.mark.skipif(
    not AXE.is_file(), reason="axe-core is not installed (.ci/run gets it from npm)"
)


@accessible
def test_axe_finds_nothing_in_the_lobby(page: Page) -> None:
    page.driver.get(page.address)
    page.until(".battle")
    assert violations(page) == []
    page.until(".battle button").click()
    page.until("dialog")
    assert violations(page) == []


@accessible
def test_axe_finds_nothing_where_another_takes_over(page: Page) -> None:
    page.new("battles_of_westeros/learning_battle", stark="person", lannister="person")
    page.play(60)
    page.until(".veil")
    assert violations(page) == []


def test_nothing_is_asked_of_any_other_address(page: Page, server: Process) -> None:
    page.new("cc_ancients/akragas", top="random", bottom="person")
    asked = page.driver.execute_script(
        "return performance.getEntriesByType('resource').map((one) => one.name)"
    )
    assert asked and all(name.startswith((server.address, "data:")) for name in asked)


def test_two_browsers_by_a_link(page: Page, server: Process) -> None:
    """The host sends a link; who follows it plays his side, and neither is handed the other's screen."""
    page.driver.get(page.address)
    page.until("input[type=search]").send_keys("406 syracuse")
    page.until(".battle button").click()
    top, bottom = page.all("dialog select:not([name])") if page.until("dialog select") else ()
    Select(top).select_by_value("link")
    Select(bottom).select_by_value("person")
    page.until("dialog .main").click()
    link = page.until("dialog .link input").get_attribute("value")
    page.until("dialog a.main").click()
    page.until(".asked")

    def count(one: Page, what: str) -> int:
        return int(one.driver.execute_script(f"return document.querySelectorAll(`{what}`).length"))

    with browser(server, phone=True, link=link) as guest:
        guest.until(".asked")
        assert "seat=top" in guest.driver.current_url
        asked = {page: 0, guest: 0}
        end = time.monotonic() + 60
        while time.monotonic() < end and not all(asked.values()):
            for one in asked:
                assert not count(one, ".veil")
                if count(one, ".asked .option, .asked .pass"):
                    asked[one] += 1
                    one.play(5, seed=asked[one], patience=2)
        assert all(asked.values()), asked
        assert not page.faults() and not guest.faults()
        guest.driver.get(guest.address)
        guest.until(".under-way a")
        assert not count(guest, ".battle") and count(guest, ".under-way a") == 1
        guest.until(".under-way a").click()
        guest.until(".asked")


def test_a_lost_link_and_somebody_who_looks_on(page: Page, server: Process) -> None:
    """The host makes new links; who had an old one is shown out at once, who looks on has no say."""
    game = page.new("cc_ancients/akragas", top="link", bottom="person")
    page.driver.get(page.address)

    def made(which: int) -> str:
        """The new link behind a button of the host's dialog."""
        page.all("dialog p button:not(.main)")[which].click()
        return str(page.until("dialog .link input").get_attribute("value"))

    def dialog() -> None:
        page.driver.get(page.address)
        rows = page.until(".under-way").find_elements("css selector", "tr, li")
        (row,) = [one for one in rows if game in (one.get_attribute("innerHTML") or "")]
        row.find_element("css selector", "button.less").click()
        page.until("dialog")

    dialog()
    first = made(0)
    with browser(server, link=first) as guest:
        guest.until(".asked")
        dialog()
        second = made(0)
        end = time.monotonic() + 30
        while guest.all("#board") and time.monotonic() < end:
            time.sleep(0.1)
        assert "can send a new one" in guest.text("body") and not guest.all("#board")
        with browser(server, phone=True, link=second) as again:
            again.until(".asked")
            assert "seat=top" in again.driver.current_url and not again.faults()
    dialog()
    with browser(server, link=made(1)) as watcher:
        watcher.until("#board")
        assert not watcher.all(".option") and not watcher.all(".pass") and not watcher.faults()


def test_a_page_that_wakes_notices_that_its_socket_is_dead(tmp_path: Path) -> None:
    way = Way()
    with (
        closing(way),
        process(tmp_path, way.to, "--address", f"http://127.0.0.1:{way.port}") as server,
        browser(server) as page,
    ):
        game = page.new("cc_ancients/akragas", top="person", bottom="person")
        page.open(game, "?seat=none")
        (cookie,) = page.driver.get_cookies()

        def asked(**request: Any) -> Any:
            sent = Request(
                f"{server.address}/game/{game}/live",
                json.dumps(request).encode(),
                {"Cookie": f"{cookie['name']}={cookie['value']}", "Origin": server.address},
            )
            return json.loads(urlopen(sent).read())

        for woken in (
            "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))",
            "document.dispatchEvent(new Event('visibilitychange'))",
            "dispatchEvent(new Event('online'))",
        ):
            before = page.text("#count")
            way.cut()
            for _ in range(2):
                show = asked(do="show")
                option = show["question"]["options"][0]["text"]
                asked(do="answer", version=show["version"], options=[option])
            time.sleep(0.5)
            assert page.text("#count") == before  # it cannot know
            page.driver.execute_script(woken)
            end = time.monotonic() + 20
            while page.text("#count") == before and time.monotonic() < end:
                time.sleep(0.1)
            assert page.text("#count") != before, woken
        assert not page.faults()
