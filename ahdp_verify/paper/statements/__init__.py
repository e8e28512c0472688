"""The paper, statement by statement: one module for each, which says what is printed, asks the
toolkit, and names the answer that is expected.

`rows()` are all of them in the paper's order, `results()` runs them.  What a row concludes is
worked out from the answers (`row`), the questions are made by `checks`, the order is in `contents`.

>>> found = next(results(["neighbours"]))
>>> found.row.label, found.passed, found.outcome, found.grade
('Neighbours', True, 'holds', 'proved')
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from difflib import get_close_matches
from importlib import import_module

from ahdp_verify.kernel.errors import AhdpError, BadInput
from ahdp_verify.kernel.terms import printing
from ahdp_verify.paper.statements.contents import MODULES, SECTIONS
from ahdp_verify.paper.statements.row import Answer, Check, Found, Result, Row, Tell
from ahdp_verify.search.limits import Limits, within
from ahdp_verify.search.solvers.processes import signals_held, tied_to

__all__ = (
    "MODULES",
    "SECTIONS",
    "Answer",
    "Check",
    "Found",
    "Result",
    "Row",
    "load",
    "named",
    "result_of",
    "results",
)


def load(module: str) -> Row:
    """The row of a module."""
    row: Row = import_module(f"ahdp_verify.paper.statements.{module}").ROW
    return row


def named(label: str) -> tuple[str, ...]:
    """The modules whose label, or whose own name, is this or begins with it; BadInput if there
    is none.
    """
    plain = "".join(label.lower().split())
    found = [(m, "".join(load(m).label.lower().split())) for m in MODULES]
    chosen = [m for m, text in found if plain in (m, text)] or [
        m for m, text in found if plain and text.startswith(plain)
    ]
    if not chosen:
        close = get_close_matches(plain, [text for _, text in found], 3)
        raise BadInput(
            printing.named(label),
            "there is no such statement",
            f"write for example {', '.join(close)}"
            if close
            else "ahdp-verify paper prints all labels",
        )
    return tuple(chosen)


def answers(
    module: str, tell: Tell = lambda said: None, limits: Limits | None = None
) -> tuple[Answer, ...]:
    """The answers to the checks of a row, which share the limits; a fault of one check does not
    stop the others.
    """
    with within(limits, "going through the statement"):
        return tuple(asked(check, tell) for check in load(module).checks)


def asked(check: Check, tell: Tell) -> Answer:
    """The answer to one check; what cannot be answered is unknown, with the reason."""
    try:
        return check.ask(tell)
    except AhdpError as error:
        return Answer("unknown", str(error))


def result_of(row: Row, found: Iterable[Answer]) -> Result:
    """A row with its answers."""
    return Result(
        row, tuple(Found(check, answer) for check, answer in zip(row.checks, found, strict=True))
    )


def results(
    modules: Iterable[str] = MODULES,
    workers: int = 1,
    tell: Tell = lambda said: None,
    limits: Limits | None = None,
) -> Iterator[Result]:
    """The results of rows in their order, each as soon as it is there; with more workers, several
    rows are worked on at once.

    `limits` are those of one row; what is not answered within them is unknown.
    """
    listed = list(modules)
    if workers == 1:
        for module in listed:
            tell(load(module).label)
            yield result_of(load(module), answers(module, tell, limits))
        return
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), tied_to, (os.getpid(),)
    )
    try:
        with signals_held():
            futures = [(m, pool.submit(answers, m, limits=limits)) for m in listed]
        for module, future in futures:
            tell(load(module).label)
            yield result_of(load(module), future.result())
    except (
        BaseException
    ):  # interrupted, or nobody wants the rest: what is still worked on is given up
        for child in set(multiprocessing.active_children()) - before:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
