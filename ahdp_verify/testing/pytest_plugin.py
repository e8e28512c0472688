"""The pytest plugin: claims of mechanism files as tests, which fail with one sentence instead of a
traceback.

It is loaded with pytest wherever the package is installed, so it loads no solver until a claim is
to be decided.  Files named in the settings are never silently skipped: they are tests regardless of
their location, unless the command line selects what to run, and a pattern that matches no file, or
a file without an expected verdict, is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.testing.assertions import assert_proved, failure_report

FILES = pytest.StashKey[list[Path]]()  # what the settings name
PLAIN = ("NotProved", "Unexpected", "BadInput")  # what fails with its own sentence


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings `ahdp_files` and `ahdp_seconds`."""
    parser.addini(
        "ahdp_files",
        "mechanism files whose claims are tests, as patterns relative to the root",
        type="args",
        default=[],
    )
    parser.addini("ahdp_seconds", "seconds for one claim of such a file", default="60")


def pytest_configure(config: pytest.Config) -> None:
    """The files named in the settings are collected, unless the command line selects what to
    collect; UsageError for an invalid setting.
    """
    files = config.stash[FILES] = named_files(config)
    if not files:
        return
    search_limits(config)
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [*config.args, *map(str, files)]


def named_files(config: pytest.Config) -> list[Path]:
    """The files that the settings name."""
    files: list[Path] = []
    for pattern in config.getini("ahdp_files"):
        if Path(pattern).is_absolute():
            raise pytest.UsageError(
                f"ahdp_files: {pattern} is an absolute path; write it relative to {config.rootpath}"
            )
        found = sorted(path.resolve() for path in config.rootpath.glob(pattern) if path.is_file())
        if not found:
            raise pytest.UsageError(
                f"ahdp_files: no file under {config.rootpath} matches {pattern}; correct the "
                f"pattern or take it out"
            )
        files += [path for path in found if path not in files]
    return files


def search_limits(config: pytest.Config) -> Limits:
    """What the search for one claim may use."""
    text = config.getini("ahdp_seconds")
    try:
        return Limits(seconds=float(text))
    except (ValueError, BadInput):
        raise pytest.UsageError(
            f"ahdp_seconds: {text!r} is not a number of seconds; write a number above 0, such as 60"
        ) from None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a file that the settings name."""
    files = parent.config.stash.get(FILES, [])
    return (
        ClaimFile.from_parent(parent, path=file_path)
        if files and file_path.resolve() in files
        else None
    )


class ClaimFile(pytest.File):
    """A mechanism file: one test for each claim with an expected verdict, and one for an argument
    with an expected result.
    """

    def collect(self) -> Iterator[pytest.Item]:
        """The claims with an `expect`, named as in the file, or by their numbers."""
        try:
            file = load(self.path)
        except (BadInput, NotWorkedOut) as error:
            raise self.CollectError(str(error)) from None
        said = getattr(file, "expect_argument", "")
        if not said and not any(note.expect for note in file.notes):
            raise self.CollectError(
                f'{self.path.name}: no claim says what to expect; write expect = "proved" or '
                f"another answer beside one"
            )
        for i, (claim, note) in enumerate(zip(file.claims, file.notes, strict=True), 1):
            if note.expect:
                yield ClaimItem.from_parent(
                    self, name=note.name or str(i), claim=claim, expect=note.expect
                )
        if said and isinstance(file, ArgumentFile):
            yield ArgumentItem.from_parent(self, name="argument", claim=file.argument, expect=said)


class Unexpected(Exception):
    """The answer is not the one that the file expects."""


class ClaimItem(pytest.Item):
    """One claim: it passes if the answer is the expected one."""

    def __init__(self, *, claim: Any, expect: str, **options: Any) -> None:
        super().__init__(**options)
        self.claim, self.expect = claim, expect

    def runtest(self) -> None:
        """The claim gets the expected answer; a proof that was kept is checked again instead of
        searched for.
        """
        limits = search_limits(self.config)
        if self.expect == "proved":
            assert_proved(self.claim, limits=limits, cache=getattr(self.config, "cache", None))
            return
        try:
            verdict = verify(self.claim, limits)
        except BadInput as error:
            if self.expect != "refused":
                raise Unexpected(
                    f"{self.claim}\n{self.expect} was expected, but it is refused: {error}"
                ) from None
            return
        if verdict.outcome != self.expect:
            raise Unexpected(f"{self.expect} was expected\n{failure_report(verdict)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The sentence without the code that led to it."""
        if type(excinfo.value).__name__ in PLAIN:
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim stands."""
        return self.path, 0, f"{self.path.name}: {self.name}"


class ArgumentItem(ClaimItem):
    """An argument: it passes if its steps show the statement, or do not, as expected; whether
    the statement is true is another test.
    """

    def runtest(self) -> None:
        """The argument is as valid as the file expects."""
        found = examine(self.claim, search_limits(self.config))
        if found.state != self.expect:
            raise Unexpected(f"the argument was expected to be: {self.expect}\n{found}")


@pytest.fixture
def ahdp_cache(request: pytest.FixtureRequest) -> Any:
    """pytest's cache, to be handed to `assert_proved(..., cache=ahdp_cache)`."""
    return request.config.cache
