"""The tables in docs/architecture.md name the modules that a claim goes through, in the order in
which a fresh interpreter enters them.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.test_layers import FLOORS
from tests.repository.test_readme import PAGES, blocks

ROOT = Path(__file__).resolve().parents[2]
PAGE = PAGES["docs/architecture.md"]
MOST = 20  # modules that the way of one claim may need
WAYS = [re.findall(r"^\| \d+ \| `([\w/.]+)` \|", part, re.M) for part in PAGE.split("\nAnd `")]
PROGRAM = """
import json, sys
# all that they need is loaded first: the body of a class counts as a call
import ahdp_verify.cli.verify_job, ahdp_verify.public
from ahdp_verify.cli import app
entered = []
def follow(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_name != "<module>":
        place = code.co_filename.rpartition("/ahdp_verify/")
        path = "ahdp_verify/" + place[2]
        if place[1] and path not in entered:
            entered.append(path)
sys.argv = ["ahdp-verify", *sys.argv[1:]]
sys.setprofile(follow)
try:
    app.main()
except SystemExit:
    sys.setprofile(None)
    print(json.dumps(entered), file=sys.stderr)
"""


def test_the_page_has_the_order_of_the_packages_and_a_row_for_each() -> None:
    said = PAGE[PAGE.index("**start") : PAGE.index("cli**") + 5].strip("*").split("<")
    assert [tuple(re.findall(r"\w+", floor)) for floor in said] == list(FLOORS)
    table = PAGE[PAGE.index("| package |") : PAGE.index("Inside the kernel")]
    first_cells = " ".join(row.split("|")[1] for row in table.splitlines()[2:] if row)
    assert sorted(re.findall(r"`(\w+)`", first_cells)) == sorted(itertools.chain(*FLOORS))


def test_the_way_of_a_claim_needs_few_modules() -> None:
    assert len(WAYS) == 2 and all(WAYS)
    assert len({module for way in WAYS for module in way}) <= MOST


@pytest.fixture(scope="module")
def entered(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The modules that `verify --save` and then `recheck` enter, each in order."""
    folder = tmp_path_factory.mktemp("way")
    (text,) = [b.text for b in blocks(PAGES["README.md"], "toml") if "# weighted" in b.text]
    (folder / "weighted-count.toml").write_text(text)
    ways = []
    for words in (
        ("verify", "weighted-count.toml", "--save", "weighted-count.json"),
        ("recheck", "weighted-count.json"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *words],
            cwd=folder,
            env={"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        ways.append(json.loads(done.stderr.splitlines()[-1]))
    return ways


@pytest.mark.parametrize("way", [0, 1])
def test_modules_are_entered_in_the_order_of_the_table(way: int, entered: list[list[str]]) -> None:
    assert [module for module in entered[way] if module in WAYS[way]] == WAYS[way]
