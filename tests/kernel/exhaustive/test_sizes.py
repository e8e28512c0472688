"""An enumeration in parts shows what it shows as a whole, and needs each of its parts."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("numpy")

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.exhaustive import enumerate as enumeration
from ahdp_verify.kernel.exhaustive.enumerate import EnumerationJob
from ahdp_verify.kernel.exhaustive.sizes import (
    Parts,
    ShownPart,
    check_parts,
    in_parts,
    part_of,
    shown_part,
    sizes_in_parts,
)
from ahdp_verify.kernel.exhaustive.violation import ClaimViolated
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.terms.expression import Abs, eq, exp, log, name, piecewise
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

NUMBER = 3
W = Domain([(1, 1), (2, 2)])


@pytest.fixture(autouse=True)
def single_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row is in another part than the next one."""
    monkeypatch.setattr(enumeration, "TOGETHER", 1)


def parts(claim: Claim, job: EnumerationJob) -> tuple[ShownPart, ...]:
    """All parts of a job, as if they came from other processes."""
    shown = tuple(shown_part(claim, part_of(job, i, NUMBER)) for i in range(NUMBER))
    return pickle.loads(pickle.dumps(shown))  # type: ignore[no-any-return]


def smoothed(factor: Fraction) -> Claim:
    """A finite output, one law for each dataset."""
    s, (a, b) = finite("s", [0, 1]), (W.count(record) for record in W.records)
    law = piecewise((1 + a, eq(s, 0)), (1 + b, True)) / (W.size + 2)
    return ahdp(Mechanism(W, outputs=[s], density=law), lambda x, eps: log(2) * factor)


def noisy(kind: Callable[[str], Any], factor: Fraction) -> Claim:
    """An output that is not finite."""
    s, q = kind("s"), exp(-1)
    scale = 2 if kind is real else (1 + q) / (1 - q)
    law = exp(-Abs(s - W.sum(lambda x, eps: x))) / scale
    return ahdp(Mechanism(W, outputs=[s], density=law), lambda x, eps: eps * factor)


def response(factor: Fraction) -> Claim:
    """Randomised response of four values: any two of them."""
    s, v = finite("s", range(4)), name("v")
    law = piecewise((Fraction(1, 2), eq(s, v)), (Fraction(1, 6), True))
    return dp(
        Mechanism(Values(range(4)), outputs=[s], density=law), log(3) * factor, neighbours="any"
    )


CLAIMS: dict[str, Callable[[Fraction], Claim]] = {
    "finite": smoothed,
    "real": lambda factor: noisy(real, factor),
    "integer": lambda factor: noisy(integer, factor),
    "values": response,
}


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(99, 100), Fraction(1, 3)])
@pytest.mark.parametrize("name", CLAIMS)
def test_the_verdict_is_that_of_one_process(name: str, factor: Fraction) -> None:
    """The same record: size, trusts and counterexample."""
    claim = CLAIMS[name](factor)
    alone = verify(claim, Limits(), size=4)
    with in_parts(Parts(parts, lambda: True)):
        shared = verify(claim, Limits(), size=4)
    assert shared.to_json() == alone.to_json()
    if factor != Fraction(99, 100):
        assert alone.outcome == ("proved" if factor == 1 else "refuted")


@pytest.mark.parametrize("name", CLAIMS)
def test_a_violation_is_seen_by_the_part_that_has_it(name: str) -> None:
    """Where the claim holds, no part sees one; where it fails, the first is that of the whole."""
    job = EnumerationJob(4, False)
    assert not any(
        part.violated or part.undecided for part in parts(CLAIMS[name](Fraction(1)), job)
    )
    claim = CLAIMS[name](Fraction(1, 3))
    whole = shown_part(claim, job).violated
    seen = [part.violated for part in parts(claim, job) if part.violated is not None]
    assert whole is not None
    assert min(violated.place for violated in seen) == whole.place
    with pytest.raises(ClaimViolated) as raised:
        check_parts(claim, job, parts(claim, job))
    assert (raised.value.before, raised.value.after) == (whole.before, whole.after)


@pytest.mark.parametrize("kind", [finite, real])
def test_a_wrong_total_is_seen_by_one_part(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law has total 2 where there are three records; nothing is claimed of its moves."""
    monkeypatch.setattr("ahdp_verify.kernel.exhaustive.distribution_table.CELLS", 1)
    one, s = Domain([(1, 1)]), finite("s", [0, 1]) if kind is finite else real("s")
    law = piecewise((2, eq(one.size, 3)), (1, True)) * (1 if kind is finite else exp(-Abs(s))) / 2
    claim = ahdp(Mechanism(one, outputs=[s], density=law), lambda x, eps: 5)
    undecided = [part.undecided for part in parts(claim, EnumerationJob(4, False))]
    assert sorted(map(bool, undecided)) == [False, False, True]
    with pytest.raises(Rejected, match="the total at an input is 2, not shown to be 1"):
        check_parts(claim, EnumerationJob(4, False), parts(claim, EnumerationJob(4, False)))


def test_every_part_is_needed() -> None:
    claim, job = smoothed(Fraction(1)), EnumerationJob(4, False)
    good = parts(claim, job)
    check_parts(claim, job, good)
    check_parts(claim, job, good[::-1])
    first, *rest = good
    part, number, done, most, massive = first.numbers
    for bad in (
        (),
        good[1:],
        good[:-1],
        (first, first, good[2]),
        (*good, first),
        (replace(first, numbers=(part, number, done, 3, massive)), *rest),
        (replace(first, numbers=(part, number, 1, most, massive)), *rest),
        (replace(first, numbers=(part, number, done, most, True)), *rest),
    ):
        with pytest.raises(Rejected, match="the parts are not those of the enumeration"):
            check_parts(claim, job, bad)
    other, *_ = parts(smoothed(Fraction(2)), job)
    with pytest.raises(Rejected, match="a part is one of another claim"):
        check_parts(claim, job, (other, *rest))
    with pytest.raises(Rejected, match="too hard"):
        check_parts(claim, job, (replace(first, undecided="too hard"), *rest))


@pytest.mark.parametrize("alone", range(6))
def test_only_the_sizes_that_are_left_are_shown_in_parts(alone: int) -> None:
    """A size of a law of a real output is a step of its own."""
    claim, asked, left = noisy(real, Fraction(1)), iter([False] * alone + [True] * 9), []

    def show(claim: Claim, job: EnumerationJob) -> tuple[ShownPart, ...]:
        left.append((job.done, job.most))
        return parts(claim, job)

    said = Parts(show, lambda: next(asked), "somebody")
    accepted = list(sizes_in_parts(claim, EnumerationJob(4, False), said))
    sizes = [acceptance.size for acceptance in accepted]
    named = ("somebody (up to 4 records)",) if alone < 4 else ()
    assert [a.trusts for a in accepted] == [()] * (len(sizes) - 1) + [named]
    assert sizes == ([*range(1, alone + 1), 4] if alone < 4 else [1, 2, 3, 4])
    assert left == ([(alone, 4)] if alone < 4 else [])
