"""Every notebook, driven in headless Chromium as a student drives it: nothing is reported on the
console, a slider changes the verdict and a figure, an exercise takes a right answer and refuses a
wrong one.

One server shows all of them.  Nothing sleeps: each step waits for what it expects to see.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("marimo", reason="the extra notebooks")
pytest.importorskip("highspy", reason="the extra notebooks")
pytest.importorskip("matplotlib", reason="the extra notebooks")
driver = pytest.importorskip("playwright.sync_api", reason="the extra browser")

from ahdp_verify.classroom.lessons import LESSONS, notebook_path  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Nothing moves: a machine without graphics draws every frame by itself.
STILL = """addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = '* { animation: none !important; transition: none !important }';
    document.head.append(style); })"""
PATIENCE = 60.0  # seconds for one condition: the machine may be busy with other tests
# The data of a figure: its paths and markers, without the identifiers that are drawn anew each time.
PATHS = """figure => [...figure.querySelectorAll('path, use')].map(
    part => [part.getAttribute('d'), part.getAttribute('x'), part.getAttribute('y')]).join()"""
REDRAWN = f"""([number, drawn]) => {{
    const figure = document.querySelectorAll('figure')[number];
    return figure && ({PATHS})(figure) != drawn; }}"""

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="neither Chromium nor Chrome is on the path"
)

Page = Any
Answer = Callable[[Page], None]


def write(place: str, text: str) -> Answer:
    """The text is typed into the field with this placeholder, which is left."""

    def act(page: Page) -> None:
        field = page.get_by_placeholder(place, exact=True).first
        field.fill(text)
        field.blur()

    return act


def choose(text: str) -> Answer:
    """The choice with this text is made."""
    return lambda page: page.get_by_text(text, exact=True).click()


def select(text: str) -> Answer:
    """The choice with this text is made in the first list."""
    return lambda page: page.locator("select").first.select_option(label=text)


@dataclass(frozen=True)
class Drive:
    """What is done in a notebook.

    slider       the number of the slider that is moved, and by which keys
    before, after    texts of the verdict, as patterns
    figure       the number of the figure that changes with it
    exercise     the number of the exercise that is answered
    """

    slider: tuple[int, str]
    before: str
    after: str
    figure: int
    exercise: int
    right: Answer
    wrong: Answer


FIELD = "for example eps/10"
DRIVES = {
    1: Drive(
        (0, "Home"),
        "^Proved: weighted sum is AHDP at level 1 - exp",
        "^Refuted: weighted sum is AHDP at level 1 - exp",
        0,
        0,
        write(FIELD, "x*(1 - exp(-eps))/2"),
        write(FIELD, "eps/10"),
    ),
    2: Drive(
        (1, "End"),
        r"^Refuted: randomised response is local DP at level log\(2\)",
        r"^Proved: randomised response is local DP at level log\(19\)",
        1,
        0,
        write("a fraction", "0.75"),
        write("a fraction", "1/2"),
    ),
    3: Drive(
        (1, "Home"),
        "^Proved: size and sum is AHDP at level 1",
        "^Refuted: size and sum is AHDP at level 1",
        0,
        2,
        choose("the noisy size, but 0 if the noisy size is negative"),
        choose("the noisy size, but exactly 0 if the dataset is empty"),
    ),
    4: Drive(
        (1, "End"),
        r"^Refuted: weighted mean is AHDP .*\(1, 1/10\)",
        r"^Refuted: weighted mean is AHDP .*\(1, 1/1000\)",
        2,
        1,
        write("such as 1 - eps", "exp(eps)/(1 + exp(eps))"),
        write("such as 1 - eps", "1 - eps"),
    ),
    5: Drive(
        (1, "End"),
        "^Proved: sample is AHDP at level eps",
        "^Refuted: sample is AHDP at level eps",
        0,
        0,
        write("such as log(5/2)", "log(2)"),
        write("such as log(5/2)", "log(3/2)"),
    ),
    6: Drive(
        (2, "End"),
        "^Refuted: noisy count is add-remove DP at level 1/2 and delta 1/20",
        "^Proved: noisy count is add-remove DP at level 1/2 and delta 1/2",
        1,
        1,
        write("such as 1/10", "1/4"),
        write("such as 1/10", "1/10"),
    ),
    7: Drive(
        (2, "ArrowLeft"),
        "^Proved: best power against at most 4 extra records = 8/39",
        "^Proved: best power against at most 3 extra records = 1/4",
        0,
        0,
        write("a fraction", "1/10"),
        write("a fraction", "1/8"),
    ),
    8: Drive(
        (0, "ArrowRight ArrowRight"),
        "^argument: not valid, step 3 is the first that fails",
        "^argument: valid",
        0,
        0,
        select("step 1"),
        select("step 2"),
    ),
    9: Drive(
        (0, "Home"),
        "^Proved: my mechanism is AHDP",
        "^Refuted: my mechanism is AHDP",
        0,
        1,
        choose("B: the claim is the level 1 - exp(-eps)"),
        choose("A: the claim is the level (1 - exp(-eps))/2"),
    ),
    10: Drive(
        (2, "ArrowLeft"),
        "^Proved: above is DP for all answers moving at level eps",
        r"^Refuted: above\(query=3\) is DP for all answers moving at level eps",
        1,
        0,
        write("for example 3/2", "3"),
        write("for example 3/2", "2"),
    ),
}


# The suite takes the first, the fourth, the seventh and the last: a text, a choice and a list as answers;
# sliders of one step and of many; verdicts, an argument and a best power.  Every notebook is run
# without a browser by tests/repository/test_notebooks.py.
SHOWN = (1, 2, 4, 7, 5, 6, 3, 9, 10, 8)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address at which marimo shows all notebooks, on a port that was free."""
    home = tmp_path_factory.mktemp("home")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [sys.executable, "-m", "marimo", "run", str(notebook_path(1).parent)]
    line += ["--headless", "--host", "127.0.0.1", "--port", str(port), "--no-sandbox", "--no-check"]
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(home), "MPLBACKEND": "Agg"}
    address = f"http://127.0.0.1:{port}"
    with (home / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(line, env=settings, stdout=log, stderr=log)
        try:
            await_server(process, address, home / "log")
            yield address
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()


def await_server(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """The server answers, or the test fails with what it wrote."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(OSError):
            opener.open(address, timeout=5).close()
            return
        time.sleep(0.1)
    pytest.fail(log.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One page for all notebooks: what it has loaded and compiled for one serves the next."""
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=BROWSER,
            args=SWITCHES,
            viewport={"width": 700, "height": 500},
            reduced_motion="reduce",
        )
        opened = browser.new_page()
        opened.add_init_script(STILL)
        opened.set_default_timeout(1000 * PATIENCE)
        yield opened
        browser.close()


@pytest.fixture
def complaints(page: Page) -> Iterator[list[str]]:
    """What the console and the page report as errors."""
    found: list[str] = []
    handlers = {
        "console": lambda said: found.append(said.text) if said.type == "error" else None,
        "pageerror": lambda error: found.append(str(error)),
    }
    for event, handler in handlers.items():
        page.on(event, handler)
    yield found
    for event, handler in handlers.items():
        page.remove_listener(event, handler)


def test_every_notebook_is_driven() -> None:
    assert sorted(DRIVES) == sorted(SHOWN) == [lesson.number for lesson in LESSONS]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("number", SHOWN)
def test_a_notebook_in_a_browser(
    number: int, server: str, page: Page, complaints: list[str]
) -> None:
    drive, patience = DRIVES[number], 1000 * PATIENCE
    page.goto(f"{server}/?file={notebook_path(number).name}")
    text = page.locator("p, b, strong, li")
    before, after = (re.compile(said, re.DOTALL) for said in (drive.before, drive.after))
    driver.expect(text.filter(has_text=before).first).to_be_visible(timeout=patience)
    feedback = page.locator("[role=status][data-accepted]").nth(drive.exercise)
    driver.expect(feedback).to_have_attribute("data-accepted", "open", timeout=patience)

    figure = page.locator("figure").nth(drive.figure)
    drawn = figure.evaluate(PATHS)
    assert drawn.count(",") > 3
    place, keys = drive.slider
    for key in keys.split():
        page.get_by_role("slider").nth(place).press(key)
    driver.expect(text.filter(has_text=after).first).to_be_visible(timeout=patience)
    page.wait_for_function(REDRAWN, arg=[drive.figure, drawn], timeout=patience)

    for answer, accepted in ((drive.wrong, "no"), (drive.right, "yes")):
        answer(page)
        driver.expect(feedback).to_have_attribute("data-accepted", accepted, timeout=patience)
    assert complaints == []
    assert page.get_by_text("Traceback").count() == 0
