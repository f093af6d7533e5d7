"""A browser at a server of its own: chromium, driven by selenium."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from served import Process

OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
#: Plays in the page, by clicks at what it shows alone: at hexes that are lit, at options, at what is asked back.
PLAYER = """
const [clicks, seed, patience, done] = arguments;
let state = seed, left = clicks;
const random = (n) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; };
const shown = (one) => one && one.getClientRects().length > 0;
const all = (what) => [...document.querySelectorAll(what)].filter(shown);
const point = (x, y) => {
  const board = document.getElementById('board');
  for (const kind of ['pointerdown', 'pointerup'])
    board.dispatchEvent(new PointerEvent(kind, { clientX: x, clientY: y, bubbles: true, pointerId: 1, pointerType: 'mouse', button: 0 }));
};
const seen = () => document.getElementById('question').textContent + document.querySelector('.bubble').textContent + document.getElementById('count').textContent;
let before = '', idle = 0;
const step = () => {
  if (document.querySelector('a.main') || document.querySelector('.veil') || left <= 0 || idle * 15 > patience * 1000)
    return done({ left, idle, ended: Boolean(document.querySelector('a.main')), veil: Boolean(document.querySelector('.veil')) });
  const busy = document.querySelector('.asked[aria-busy="true"]'), now = seen();
  idle = now === before ? idle + 1 : 0;
  if (busy || !document.querySelector('.asked .list') || (idle && idle % 25)) { before = now; return setTimeout(step, 15); }
  before = now;
  left -= 1;
  const bubble = all('.bubble .choices button:not(.closing)'), close = all('.bubble .closing');
  const options = all('.asked .option'), passes = all('.asked .pass'), lit = all('#board polygon.edge');
  if (bubble.length) bubble[random(bubble.length)].click();
  else if (close.length) close[0].click();
  else if (lit.length && random(2)) {
    const box = lit[random(lit.length)].getBoundingClientRect();
    point(box.x + box.width / 2, box.y + box.height / 2);
  } else {
    const buttons = random(4) || !passes.length ? options.concat(options.length ? [] : passes) : passes;
    if (buttons.length) buttons[random(buttons.length)].click();
  }
  setTimeout(step, 15);
};
step();
"""


class Page:
    """What somebody does who clicks and looks."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address

    def enter(self) -> None:
        """Follow the link that is open, if one is."""
        if "/enter/" in self.driver.current_url:
            self.until("#enter button").click()
        while "/enter/" in self.driver.current_url:
            time.sleep(0.05)

    def new(self, scenario: str, **players: str) -> str:
        """Begin a game as the lobby does, and open it."""
        reply = self.driver.execute_async_script(
            "const [body, done] = arguments;"
            "fetch('/games', {method: 'POST', body}).then((r) => r.json()).then(done)",
            json.dumps({"scenario": scenario, "players": players}),
        )
        self.open(reply["game"])
        return str(reply["game"])

    def open(self, game: str, query: str = "") -> None:
        self.driver.get(f"{self.address}/game/{game}{query}")
        self.until(".asked")

    def until(self, what: str, seconds: float = 30) -> Any:
        """The first element there is."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(StaleElementReferenceException):  # the page has just gone on to another
                for one in self.driver.find_elements(By.CSS_SELECTOR, what):
                    if one.is_displayed():
                        return one
            time.sleep(0.05)
        raise AssertionError(
            f"there is no {what}: {self.driver.find_element(By.TAG_NAME, 'body').text[:800]}"
        )

    def all(self, what: str) -> list[Any]:
        shown = []
        for one in self.driver.find_elements(By.CSS_SELECTOR, what):
            with suppress(StaleElementReferenceException):  # it has just gone
                if one.is_displayed():
                    shown.append(one)
        return shown

    def text(self, what: str) -> str:
        while True:
            with suppress(StaleElementReferenceException):
                return str(self.until(what).text)

    def point(self, piece: str) -> None:
        """Click at a piece, once it stands still."""
        before, now = None, self.until(f"[data-piece='{piece}']").rect
        while before != now:
            time.sleep(0.1)
            before, now = now, self.until(f"[data-piece='{piece}']").rect
        self.driver.execute_script(
            "const box = document.querySelector(`[data-piece='${arguments[0]}']`).getBoundingClientRect();"
            "for (const kind of ['pointerdown', 'pointerup']) document.getElementById('board').dispatchEvent("
            "new PointerEvent(kind, {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2,"
            " bubbles: true, pointerId: 1, pointerType: 'mouse', button: 0}))",
            piece,
        )

    def play(self, clicks: int, seed: int = 1, patience: float = 30) -> dict[str, Any]:
        """Click away, until nothing has changed for so many seconds; the driver waits for no more
        than so many clicks at a time.
        """
        while True:
            now = min(clicks, 200)
            result: dict[str, Any] = self.driver.execute_async_script(PLAYER, now, seed, patience)
            clicks, seed = clicks - now, seed + 1
            if not clicks or result["left"] or result["ended"] or result["veil"]:
                return result

    def faults(self) -> list[str]:
        """What the browser complains of."""
        return [
            line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"
        ]


@contextmanager
def browser_at(
    address: str, language: str = "en", phone: bool = False, *more: str
) -> Iterator[Page]:
    """A browser that has gone to an address."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in (*OPTIONS.split(), f"--window-size={'360,740' if phone else '1280,800'}", *more):
        options.add_argument(word)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    if phone:
        metrics = {"width": 360, "height": 740, "pixelRatio": 2, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_script_timeout(280)
    try:
        driver.get(address)
        yield Page(driver, address)
    finally:
        driver.quit()


@contextmanager
def browser(
    server: Process, language: str = "en", phone: bool = False, link: str = ""
) -> Iterator[Page]:
    """A browser that is let in: a host's or, by the *link* of a seat, a guest's."""
    with browser_at(link or server.link, language, phone) as page:
        page.enter()
        page.address = server.address
        if not link:
            another = page.driver.execute_async_script(
                "fetch('/links', {method: 'POST'}).then((r) => r.json()).then(arguments[0])"
            )
            server.link = another["link"]  # for the next browser
        yield page
