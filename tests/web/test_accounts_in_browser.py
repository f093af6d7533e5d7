"""An account in a browser, by what one sees and clicks; without chromium and selenium these tests are left out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from project import ROOT

pytest.importorskip("selenium", reason="selenium is not installed (the extra 'browser')")
pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("chromedriver")),
    reason="chromium and chromedriver are not installed",
)

from in_browser import Page, browser  # noqa: E402 - it needs selenium
from served import process  # noqa: E402

#: What npm puts there when `.ci/run` prepares the tests of pages.
AXE = ROOT / "build/page-tools/node_modules/axe-core/axe.min.js"


def send(page: Page, form: str, **fields: str) -> None:
    page.until(form)
    for name, text in fields.items():
        page.until(f"{form} input[name={name}]").send_keys(text)
    page.until(f"{form} button").click()


def accessible(page: Page) -> None:
    if AXE.is_file():
        page.driver.execute_script(AXE.read_text(encoding="utf-8"))
        found = page.driver.execute_async_script("axe.run().then(arguments[0])")
        assert not found["violations"], found["violations"]


def test_signing_in_and_finding_ones_game_again(tmp_path: Path) -> None:
    mail = tmp_path / "mail.yaml"
    mail.write_text("server: 127.0.0.1\nport: 9\nsender: games@example.org\n", encoding="utf-8")
    with process(tmp_path, 0, "--accounts", "--notices", str(mail)) as server:
        with browser(server, link=server.address) as page:
            accessible(page)
            send(page, "#sign-up", name="Anna", password="correct horse")
            page.until(".battle")
            assert "Anna" in page.text("a.way")
            game = page.new("cc_ancients/akragas", bottom="person", top="link")  # Syracuse begins
            page.until(".asked .option")
            assert not page.faults()
        with browser(server, "cs", link=f"{server.address}/game/{game}") as page:
            send(page, "#sign-in", name="anna", password="wrong password")
            assert (
                page.text("p.wrong")
                and page.until("#sign-in input[name=name]").get_attribute("value") == "anna"
            )
            page.until("#sign-in input[name=password]").send_keys("correct horse")
            page.until("#sign-in button").click()
            page.until(".asked .option")  # he is led to where he wanted to go
            page.driver.get(server.address)
            assert page.text(".under-way .turn") == "Jste na řadě"
            page.until("a.way").click()
            accessible(page)
            send(page, "#notices", address="anna@example.net", password="correct horse")
            assert page.until("#notices [role=status]")
            accessible(page)
            send(page, "#password", old="correct horse", new="another horse")
            page.until("main > [role=status]")
            page.until("#sign-out button").click()
            page.until("#sign-in")
            accessible(page)
            page.until("a[href='/forgotten']").click()
            accessible(page)
            send(page, "#forgotten", name="anna")
            assert "hodinu" in page.text("main > [role=status]")
            page.driver.get(f"{server.address}/recover?key=x")
            accessible(page)
            send(page, "#recover", new="third horse")
            assert page.text("p.wrong") and page.until("#forgotten")
            refused = [one for one in page.faults() if "403" not in one]
            assert not refused
