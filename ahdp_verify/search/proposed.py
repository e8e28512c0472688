"""Somebody between `verify` and its search: for a claim of the block, `answer` is asked, and may
leave the answer to the search.

So a machine that does the search for another notes the verdicts that it reaches, and the other
takes them, once its own checker has reached them again from their records. Only plain questions are
put to it: all inputs, any procedure, solvers admitted.

>>> from ahdp_verify.kernel.model.inequality import Inequality
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.verify import verify
>>> with noted_verdicts() as noted:
...     found = verify(Inequality.of({}, parse("1/3"), "<", parse("1/2")))
>>> [str(verdict) == str(found) for verdict in noted]
[True]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ahdp_verify.verdicts import Unknown, Verdict

Search = Callable[[], Verdict]
Answer = Callable[[Any, Search], Verdict]  # of a claim, or a statement, and its search
_answer: ContextVar[Answer | None] = ContextVar("answer", default=None)


@contextmanager
def answered_by(answer: Answer) -> Iterator[None]:
    """The questions of the block are put to `answer`."""
    token = _answer.set(answer)
    try:
        yield
    finally:
        _answer.reset(token)


@contextmanager
def noted_verdicts() -> Iterator[list[Verdict]]:
    """A list of the proofs and refutations that are reached in the block."""
    noted: list[Verdict] = []

    def answer(claim: Any, search: Search) -> Verdict:
        found = search()
        if not isinstance(found, Unknown):
            noted.append(found)
        return found

    with answered_by(answer):
        yield noted


def answered(claim: Any, search: Search) -> Verdict:
    """The verdict of whoever is asked first."""
    answer = _answer.get()
    return search() if answer is None else answer(claim, search)
