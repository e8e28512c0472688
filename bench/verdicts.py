"""Single verdicts: how the cost grows with a domain, finite laws against a plain table of
Fractions, some stored files, and the files that are too slow for the test suite.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

from row import Row, measured

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Abs, eq, exp, log, name, number, piecewise
from ahdp_verify.paper.catalogue.regression import ALPHA, regression, regression_upper
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parent.parent
FILES = (
    "paper/linear-query-universal",
    "paper/mean-numerator-and-denominator",
    "paper/linear-regression-d-8",
    "paper/linear-regression-upper-triangle-d-8",
    "field/laplace-prefix-sums-of-ten-queries",
    "field/one-time-rappor-two-values",
    "field/k-ary-response-for-every-k",
    "public/laplace-threshold-one-user",
)
ODDS = 4  # of the true answer against each other one


def outcome(claim: AnyClaim | Inequality | ProgramClaim) -> str:
    """The verdict in one word."""
    return verify(claim, Limits(seconds=120)).outcome


def weighted_count(records: int, pairs: int) -> Claim:
    """A weighted count over so many records with so many different pairs (shift, level)."""
    domain = Domain([(i, Fraction(1 + i % pairs, pairs)) for i in range(records)])
    s = real("s")
    law = exp(-Abs(s - domain.sum(lambda x, eps: eps))) / 2
    return ahdp(Mechanism(domain, outputs=[s], density=law, name="weighted count"))


def response(k: int) -> Claim:
    """k-ary randomised response at a number, claimed at its least level."""
    s = finite("s", range(k))
    law = piecewise((ODDS, eq(s, name("v"))), (1, True)) / (ODDS + k - 1)
    mechanism = Mechanism(Values(range(k)), outputs=[s], density=law, name=f"{k}-ary response")
    return Claim(mechanism, "any", log(ODDS))


def table_of_response(k: int) -> str:
    """The same by going through a table of Fractions: totals, and every pair at every output."""
    rows = [[Fraction(ODDS if s == v else 1, ODDS + k - 1) for s in range(k)] for v in range(k)]
    right = all(sum(row) == 1 for row in rows) and all(
        p <= ODDS * q
        for one, other in itertools.permutations(rows, 2)
        for p, q in zip(one, other, strict=True)
    )
    return "proved" if right else "refuted"


def clamped(top: int) -> Claim:
    """Geometric noise on a value of 0, ..., top, clamped to these."""
    s, v, q = finite("s", range(top + 1)), name("v"), number("1/2")
    ends = piecewise((1, eq(s, 0) | eq(s, top)), (1 - q, True))
    law = q ** Abs(s - v) * ends / (1 + q)
    mechanism = Mechanism(Values(range(top + 1)), outputs=[s], density=law, name="clamped value")
    return Claim(mechanism, "any", log(2) * Abs(v - name("other")))


def histogram(cells: int) -> Claim:
    """Laplace noise on the count of each cell."""
    domain = Domain([(i, 1) for i in range(cells)])
    outputs = [real(f"s{i}") for i in range(cells)]
    law = number(1)
    for s, record in zip(outputs, domain.records, strict=True):
        law = law * exp(-Abs(s - domain.count(record))) / 2
    return ahdp(Mechanism(domain, outputs=outputs, density=law, name="histogram"))


def first_claim(path: str) -> AnyClaim | Inequality | ProgramClaim:
    """The first claim of a file below proofs/ about a mechanism or unknowns."""
    (claim, *_) = load(ROOT / "proofs" / f"{path}.toml").claims
    assert isinstance(claim, AnyClaim | Inequality | ProgramClaim), path
    return claim


def rows() -> Iterator[Row]:
    """All of them."""
    for records, pairs in ((10, 10), (1000, 10), (1000, 1000)):
        ours, answer = measured(lambda r=records, p=pairs: outcome(weighted_count(r, p)))  # type: ignore[misc]
        yield Row(f"weighted count, {records} records, {pairs} different", answer, ours)
    for k, aim in ((5, ""), (20, "3 x"), (60, ""), (300, "1")):
        ours, answer = measured(partial(outcome, response(k)))
        theirs, expected = measured(partial(table_of_response, k), 1)
        said = answer if answer == expected else f"{answer}, BUT A TABLE SAYS {expected}"
        yield Row(f"{k}-ary response at a number", said, ours, "table of Fractions", theirs, aim)
    for top in (20, 100):
        ours, answer = measured(partial(outcome, clamped(top)), 1)
        yield Row(f"geometric noise clamped to 0..{top}", answer, ours, aim="2")
    for cells in (5, 20):
        ours, answer = measured(partial(outcome, histogram(cells)))
        yield Row(f"histogram of {cells} cells", answer, ours, aim="2")
    for law in (regression, regression_upper):
        ours, answer = measured(partial(outcome, ahdp(law(16), ALPHA)), 1)
        yield Row(f"{law.__name__} of 16 features", answer, ours, aim="5")
    for path in FILES:
        ours, answer = measured(partial(outcome, first_claim(path)))
        yield Row(f"{path}, first claim", answer, ours)
    for path in (ROOT / "proofs" / "slow.txt").read_text().split():
        ours, answer = measured(partial(as_expected, path), 1)
        yield Row(f"{path}, all claims", answer, ours)


def as_expected(path: str) -> str:
    """Whether every answer about a file is the expected one."""
    file = load(ROOT / "proofs" / path)
    verdicts = (
        [examine(file.argument).verdict]
        if isinstance(file, ArgumentFile)
        else [verify(claim, Limits(seconds=240)) for claim in file.claims]
    )
    right = all(
        note.expect in ("", verdict.outcome)
        for note, verdict in zip(file.notes, verdicts, strict=True)
    )
    return "as expected" if right else "NOT as expected"
