"""Verdicts of one machine for another: the records of those that are reached in a block, and a
block that takes over what records propose, once the checker here has reached their verdicts again.

>>> from ahdp_verify.kernel.model.inequality import Inequality
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.verify import verify
>>> statement = Inequality.of({}, parse("1/3"), "<", parse("1/2"))
>>> with noted_records() as records:
...     found = verify(statement)
>>> with taking_over(json.dumps(records), print):
...     verify(statement) == found
True
>>> with taking_over(json.dumps([{**records[0], "trusts": ["nobody"]}]), print):
...     verify(statement) == found
certificate: it was changed after it was saved (its SHA-256 does not fit); use a file that ahdp-verify saved
True
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ahdp_verify.files.records import accepted_record
from ahdp_verify.kernel.errors import AhdpError, OutOfLimits, Rejected
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.proposed import Search, answered_by, noted_verdicts
from ahdp_verify.verdicts import Verdict

LONGEST = 300  # characters of a reason
# what an answer that anybody may have made up raises where it is read
UNREADABLE = (
    AhdpError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)


@contextmanager
def noted_records() -> Iterator[list[Any]]:
    """A list that holds, after the block, the records of the proofs and refutations reached in it,
    as JSON.
    """
    records: list[Any] = []
    with noted_verdicts() as noted:
        yield records
    records += [verdict.to_json() for verdict in noted]


@contextmanager
def taking_over(text: str, rejected: Callable[[str], None]) -> Iterator[None]:
    """In the block, a claim about all inputs has the verdict of the record about it in `text`, a
    JSON list of records, if the checker reaches this verdict; `rejected` is told why it does not,
    and the claim is decided as usual.
    """
    try:
        proposed = {str(record["fingerprint"]): record for record in json.loads(text)}
    except UNREADABLE as error:
        proposed = {}
        rejected(one_line(str(error), LONGEST))

    def answer(claim: Any, search: Search) -> Verdict:
        record = proposed.get(claim.fingerprint)
        if record is None:
            return search()
        try:
            found: Verdict = accepted_record(record, claim)
            if isinstance(found, Proved) and found.scope.size is not None:
                raise Rejected("it is about other datasets than those that were asked about")
            return found
        except OutOfLimits:
            raise
        except UNREADABLE as error:
            del proposed[claim.fingerprint]
            rejected(one_line(str(error), LONGEST))
            return search()

    with answered_by(answer):
        yield
