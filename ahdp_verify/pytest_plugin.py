"""The pytest plugin: claims of mechanism files as tests, and failures of `assert_proved` without a traceback.

It is loaded with pytest wherever the package is installed, so it imports nothing of the package until a file is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings `ahdp_files` and `ahdp_seconds`."""
    parser.addini("ahdp_files", "mechanism files whose claims are tests, as patterns relative to the root", type="args", default=[])
    parser.addini("ahdp_seconds", "seconds for one claim of such a file", default="60")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a file that the settings name."""
    patterns = parent.config.getini("ahdp_files")
    if not patterns or file_path.suffix != ".toml":
        return None
    place = file_path.relative_to(parent.config.rootpath) if file_path.is_relative_to(parent.config.rootpath) else file_path
    wanted = any(fnmatch(str(place), pattern) for pattern in patterns)
    return ClaimFile.from_parent(parent, path=file_path) if wanted else None


class ClaimFile(pytest.File):
    """A mechanism file: one test for each claim that says what to expect."""

    def collect(self) -> Iterator[pytest.Item]:
        """The claims with an `expect`, named like in the file, or by their numbers."""
        try:
            file = import_module("ahdp_verify.files").load(self.path)
        except import_module("ahdp_verify.errors").BadInput as error:
            raise self.CollectError(str(error)) from None
        for i, (claim, note) in enumerate(zip(file.claims, file.notes, strict=True), 1):
            if note.expect:
                yield ClaimItem.from_parent(self, name=note.name or str(i), claim=claim, expect=note.expect)


class Unexpected(Exception):
    """Another answer than the file expects."""


class ClaimItem(pytest.Item):
    """One claim: it passes if the answer is the expected one."""

    def __init__(self, *, claim: Any, expect: str, **options: Any) -> None:
        super().__init__(**options)
        self.claim, self.expect = claim, expect

    def runtest(self) -> None:
        """The claim gets the expected answer; a proof that was kept is checked again instead of searched for."""
        testing, limits = import_module("ahdp_verify.testing"), import_module("ahdp_verify.limits").Limits(seconds=float(self.config.getini("ahdp_seconds")))
        if self.expect == "proved":
            testing.assert_proved(self.claim, limits=limits, cache=getattr(self.config, "cache", None))
            return
        try:
            verdict = import_module("ahdp_verify.search").verify(self.claim, limits)
        except import_module("ahdp_verify.errors").BadInput as error:
            if self.expect != "refused":
                raise Unexpected(f"{self.claim}\n{self.expect} was expected, but it is refused: {error}") from None
            return
        if type(verdict).__name__.lower().removesuffix("statement") != self.expect:
            raise Unexpected(f"{self.expect} was expected\n{testing.report(verdict)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The sentence without the code that led to it."""
        if type(excinfo.value).__name__ in ("NotProved", "Unexpected", "BadInput"):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim stands."""
        return self.path, 0, f"{self.path.name}: {self.name}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Leaves the frames of this package out of the traceback of a failed `assert_proved`."""
    found = call.excinfo
    if found is not None and type(found.value).__name__ == "NotProved":
        here = str(Path(__file__).parent)
        own = found.traceback.filter(lambda entry: not str(entry.path).startswith(here))
        if own:
            found.value.__traceback__ = own[0]._rawentry
            last = own[-1]._rawentry
            last.tb_next = None


@pytest.fixture
def ahdp_cache(request: pytest.FixtureRequest) -> Any:
    """pytest's cache, to be handed to `assert_proved(..., cache=ahdp_cache)`."""
    return request.config.cache
