"""The verdict on an inequality in unknown numbers: values at which it may fail, and its proof.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.progress import no_progress
>>> statement = Inequality.of({"x": "x > 0"}, parse("1 + x"), "<=", parse("exp(x)"))
>>> type(verify_inequality(statement, Limits(), no_progress)).__name__
'Proved'
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from ahdp_verify.kernel.checker import check, refute_inequality
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Declined
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.unknown import Unknown, Verdict
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.progress import Progress
from ahdp_verify.search.proposed import answered
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.unknowns import certificate_by_steps, inequality_certificate
from ahdp_verify.search.refuting.values import (
    PointValues,
    candidate_points,
    failing_values,
    undefined_values,
)
from ahdp_verify.search.stopping import stop_at_limits
from ahdp_verify.search.wording import unknown_verdict

# values at which a statement is tried before a proof: they take some 10 ms, all others up to 0.5 s
SIMPLE_POINTS = 300


def verify_inequality(
    statement: Inequality, limits: Limits, progress: Progress, steps: tuple[Inequality, ...] = ()
) -> Verdict:
    """Proved, Refuted or Unknown for a statement about unknown numbers; `steps` may give a
    proof.
    """
    return answered(statement, lambda: _searched_statement(statement, limits, progress, steps))


def _searched_statement(
    statement: Inequality, limits: Limits, progress: Progress, steps: tuple[Inequality, ...]
) -> Verdict:
    """The same, of nobody but the search."""
    clock, reasons = limits.clock(), list[Declined]()
    progress(f"deciding {display_name(statement.name) or 'the statement'}")
    with clock.running(), stop_at_limits(reasons):
        found = _decided(statement, clock, steps, reasons)
        if not isinstance(found, Unknown):
            return found
        return unknown_verdict(statement, (*undefined_sides(statement, clock), *reasons))
    return unknown_verdict(statement, reasons)


def _decided(
    statement: Inequality, clock: Clock, steps: tuple[Inequality, ...], reasons: list[Declined]
) -> Verdict:
    """The verdict on a statement: simple values at which it may fail are tried before its proofs,
    all others after them, since most statements are true and the others take longer than a proof.
    """
    points = candidate_points(statement)
    found = _fails_at_some(statement, clock, itertools.islice(points, SIMPLE_POINTS), reasons)
    if isinstance(found, Unknown):
        found = _proved_statement(statement, clock, inequality_certificate, reasons)
    if isinstance(found, Unknown) and statement.parameters:
        found = _fails_at_some(statement, clock, points, reasons)
    if isinstance(found, Unknown) and steps:
        found = _proved_statement(
            statement, clock, lambda s, part: certificate_by_steps(s, steps, part), reasons
        )
    return found


def _fails_at_some(
    statement: Inequality, clock: Clock, points: Iterable[PointValues], reasons: list[Declined]
) -> Verdict:
    """Refuted if the statement fails at one of the points; half of the time left goes to them."""
    part = clock.part(2).clock()
    try:
        with part.running():
            for values in failing_values(statement, part, points):
                try:
                    return refute_inequality(statement, values)
                except Rejected:
                    continue
    except OutOfLimits as stop:
        reasons.append(Declined("values", stop.reason))
    return unknown_verdict(statement, ())


def _proved_statement(
    statement: Inequality,
    clock: Clock,
    certify: Callable[[Inequality, Clock], Certificate | Declined],
    reasons: list[Declined],
) -> Verdict:
    """Proved if a certificate is found, in half of the time left, and the checker accepts it."""
    part = clock.part(2).clock()
    try:
        with part.running():
            found = certify(statement, part)
    except OutOfLimits as stop:
        found = Declined("proof", stop.reason)
    try:
        if not isinstance(found, Declined):
            return check(statement, found, None, comparing.find_compared_inputs(statement))
        reasons.append(found)
    except Rejected as why:
        reasons.append(Declined("checker", why.reason))
    return unknown_verdict(statement, ())


def undefined_sides(statement: Inequality, clock: Clock) -> Iterator[Declined]:
    """Where a side of the statement has no value, if such a place is found."""
    try:
        place = undefined_values(statement, clock)
    except OutOfLimits:
        return
    if place is not None:
        where = ", ".join(f"{key} = {value}" for key, value in place)
        yield Declined("values", f"a side has no value at {where}; exclude it by a condition")
