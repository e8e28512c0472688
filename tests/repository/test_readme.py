"""README and docs say what happens: their Python is run, their commands are run, their make targets
exist.

```python     lines with >>> are examples whose output must be the one shown; a block without any is
              run and must not fail; later blocks of a page see the names of earlier ones; one
              whose first line is a comment with the name of a .py file is that file, too
```toml       a file, whose first line is a comment with its name; ```csv likewise
```console    "$ " starts a command, the lines below are its output; "..." stands for any text.
              `ahdp-verify` is run in a scratch folder with the files of the page and a copy of
              proofs/, `make TARGET` must be a target, others are not run; `echo $?` gives the exit
              code, and must be there when bad input is shown
A block inside an HTML comment counts as absent.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.forked import Ended, forked

ROOT = Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
FILE = re.compile(r"# \w+\.py\n")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


LONGEST = 200  # lines of the README


def read_page(path: Path) -> str:
    """A page with every comment replaced by as many empty lines."""
    return COMMENT.sub(
        lambda comment: "\n" * comment[0].count("\n"), path.read_text(encoding="utf-8")
    )


PATHS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
PAGES = {path.relative_to(ROOT).as_posix(): read_page(path) for path in PATHS}
README = PAGES["README.md"]


@dataclass(frozen=True, slots=True)
class Block:
    """The text between two fences; `line` counts the README's lines from 1 and is that of its
    first line.
    """

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a console block with the output that is shown below it."""

    words: tuple[str, ...]
    shown: str
    line: int


def blocks(text: str, language: str) -> list[Block]:
    """The blocks in that language, in the order of the text."""
    found = (
        Block(match[1], match[2], text.count("\n", 0, match.start(2)) + 1)
        for match in FENCE.finditer(text)
    )
    return [block for block in found if block.language == language]


def commands(block: Block) -> list[Command]:
    r"""The commands of a console block; a line that ends with \ goes on below."""
    parts = re.split(r"^\$ ", block.text.replace("\\\n", "  "), flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"line {block.line}: a console block starts with a command")
    return [
        Command(tuple(shlex.split(part.partition("\n")[0])), part.partition("\n")[2], block.line)
        for part in parts[1:]
    ]


def difference(shown: str, got: str) -> str:
    """Empty when the output is the one shown (trailing spaces and blank lines aside); else what
    was shown and what was got.
    """
    want, have = (
        "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"
        for text in (shown, got)
    )
    same = doctest.OutputChecker().check_output(want, have, doctest.ELLIPSIS)
    return "" if same else f"shown:\n{want}\ngot:\n{have}"


def run_python(block: Block, names: dict[str, object]) -> str:
    """What goes wrong when the block is run, empty for nothing; `names` gets what it defines."""
    if ">>>" not in block.text:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile("\n" * (block.line - 1) + block.text, "README.md", "exec"), names)
        return ""
    test = doctest.DocTestParser().get_doctest(
        block.text, names, "README.md", "README.md", block.line - 1
    )
    report = io.StringIO()
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(
        test, out=report.write, clear_globs=False
    )
    names.update(test.globs)
    return report.getvalue()


def run_command(words: tuple[str, ...], folder: Path) -> Ended:
    """The command's end, run as in a terminal of 150 columns without colour."""
    terminal = {"COLUMNS": "150", "NO_COLOR": "1", "TERM": "dumb"}
    return forked(*words[1:], folder=folder, environment=terminal)


def make_targets() -> set[str]:
    return set(
        re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like the repository to a command: with a copy of proofs/, and the files
    that the pages show.
    """
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "proofs", folder / "proofs")
    for page in PAGES.values():
        own = [b for b in blocks(page, "python") if FILE.match(b.text)]
        for block in (*blocks(page, "toml"), *blocks(page, "csv"), *own):
            name, _, content = block.text.partition("\n")
            (folder / name.removeprefix("# ")).write_text(content, encoding="utf-8")
    return folder


def test_the_readme_is_short_and_has_something_to_run() -> None:
    assert len(README.splitlines()) <= LONGEST
    assert blocks(README, "python") and blocks(README, "console") and blocks(README, "toml")
    assert {"make demo", "make test"} <= set(re.findall(r"make \w+", README))


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_does_what_it_shows(page: str) -> None:
    names: dict[str, object] = {"__name__": "readme"}
    if problems := "".join(run_python(block, names) for block in blocks(PAGES[page], "python")):
        pytest.fail(f"{page}: {problems}", pytrace=False)


CONSOLES = [
    pytest.param(page, block, id=f"{page} line {block.line}")
    for page, text in PAGES.items()
    for block in blocks(text, "console")
]


@pytest.mark.parametrize(("page", "block"), CONSOLES)
def test_the_commands_of_a_page_print_what_it_shows(page: str, block: Block, scratch: Path) -> None:
    asked = [command.words == ("echo", "$?") for command in commands(block)]
    code: int | None = None
    for command, next_asks in zip(commands(block), [*asked[1:], False], strict=True):
        where = f"{page} line {command.line}: {shlex.join(command.words)}"
        if command.words[0] == "ahdp-verify":
            end = run_command(command.words, scratch)
            code = end.code
            assert "Traceback" not in end.stderr, end.stderr
            assert next_asks or (end.stdout and code != 2), f"{where} failed:\n{end.stderr}"
            assert difference(command.shown, end.stdout or end.stderr) == "", where
        elif command.words == ("echo", "$?") and code is not None:
            assert difference(command.shown, str(code)) == "", f"{where}: exit code"
        elif command.words[0] == "make":
            assert set(command.words[1:]) <= make_targets()


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_links_to_exists(page: str) -> None:
    folder = (ROOT / page).parent
    links = [
        link.partition("#")[0]
        for link in re.findall(r"\]\(([^)\s]+)\)", PAGES[page])
        if ":" not in link
    ]
    assert [link for link in links if link and not (folder / link).exists()] == []


def test_blocks_and_commands_are_found_where_they_are() -> None:
    text = (
        "a\n\n```python\n>>> 1\n1\n```\n\n```console\n$ ahdp-verify verify a.toml \\\n  "
        "--expect\nProved ...\n$ echo $?\n0\n```\n"
    )
    (python,), (console,) = blocks(text, "python"), blocks(text, "console")
    assert python == Block("python", ">>> 1\n1\n", 4)
    assert commands(console) == [
        Command(("ahdp-verify", "verify", "a.toml", "--expect"), "Proved ...\n", 9),
        Command(("echo", "$?"), "0\n", 9),
    ]


def test_what_is_not_as_shown_is_found() -> None:
    names: dict[str, object] = {}
    assert run_python(Block("python", ">>> x = 1\n>>> x\n1\n", 1), names) == ""
    assert "line 7" in run_python(Block("python", ">>> x\n2\n", 7), names)
    assert difference("Proved ... s\n", "Proved a in 3 s   \n\n") == ""
    assert difference("Proved\n", "Refuted\n").startswith("shown:\nProved")
    assert difference("", "Refuted\n") != ""
    with pytest.raises(ZeroDivisionError):
        run_python(Block("python", "x / 0\n", 1), names)
