"""How the suite runs: which cases of a sweep, how rarely garbage is collected, the cluster of some
tests, and Hypothesis profiles: the same examples on every run, with no deadline, since slowness of
a loaded machine is not a failure.

`make bench` draws more of them (tests/sweeps.py), `HYPOTHESIS_PROFILE=search pytest tests` ten
times as many, different ones on each run.
"""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.testing
from _pytest import runner
from hypothesis import settings

from ahdp_verify.kernel.terms import expression
from ahdp_verify.search import resources
from ahdp_verify.start import collect_garbage_rarely
from tests.roomy import with_room
from tests.sweeps import examples, spread

resources.PROCESSOR_EVERY = 0.0  # a limit of 1e-9 s is seen at the first look
# the command line is built from its functions once, not for every command that is run
typer.testing._get_command = functools.cache(typer.testing._get_command)

settings.register_profile(
    "suite",
    deadline=None,
    derandomize=True,
    print_blob=True,
    max_examples=examples(100, 8),
)
settings.register_profile("search", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sweep(n): outside of a sweep, n of the cases are run")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test that is marked as a sweep, a few cases are kept."""
    swept: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sweep") is not None:
            swept.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = set(items)
    for cases in swept.values():
        marker = cases[0].get_closest_marker("sweep")
        assert marker is not None
        kept -= {*cases} - {*spread(cases, *marker.args)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Every test has room for its frames: a sixth of the suite's time (tests/roomy.py)."""
    return with_room(runner.pytest_runtest_protocol, item, nextitem)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What 8,000 collected tests hold is looked through by no later collection of garbage: an
    eighth of the suite's time.
    """
    gc.collect()
    collect_garbage_rarely()


def pytest_unconfigure() -> None:
    """Nor is what the tests left behind, which pytest and Python do six times before they end: ten
    seconds in which a worker tests nothing.
    """
    gc.freeze()


# Test modules in which == between expressions means what it means to users.  The others handle trees
# as the package's own modules do, so there it tests for the same tree.
OUTSIDE = (
    "files.test_composite_file",
    "files.test_mechanism_file",
    "kernel.model.test_comparisons",
    "kernel.model.test_composite",
    "kernel.model.test_declarations",
    "kernel.model.test_domain",
    "kernel.model.test_inequality",
    "kernel.model.test_mechanism",
    "kernel.model.test_neighbours",
    "kernel.numbers.test_context",
    "kernel.rules.test_obligations",
    "kernel.terms.test_expression",
    "kernel.terms.test_grammar",
    "kernel.terms.test_printing",
    "repository.test_notebooks",
    "repository.test_readme",
    "analysis.testing.test_error_rates",
    "test_init",
    "test_sympy_bridge",
)
HERE = Path(__file__).parent
MODULES = {
    ".".join(path.relative_to(HERE).with_suffix("").parts)
    for path in HERE.rglob("*.py")
    if "example_project" not in path.parts
}
assert MODULES.issuperset(OUTSIDE), "a module that the list above names has moved"
expression.OWN = ("ahdp_verify.", *(f"tests.{module}" for module in sorted(MODULES - {*OUTSIDE})))


@pytest.fixture(scope="module")
def dask_cluster() -> Iterator[Any]:
    """A Dask cluster of two workers, processes of this machine; it ends with the tests that use it,
    since idle it takes a tenth of a processor and a start takes one second.
    """
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as found:
        yield found
