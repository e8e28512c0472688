"""`ranges`: the values of its one parameter for which a claim is true, piece by piece, each with
its verdict.

The ends of the pieces are searched for where level minus privacy loss vanishes
(`search.loss.margins`), and where the event of a refutation stops refuting; failing both, by
bisection. No verdict depends on how they were found: every piece is the claim with the piece as the
condition of the parameter, and its verdict is `Proved` or `Refuted` by the checker, or `Unknown`.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> e, q, s = name("e"), name("q[1]"), real("s")
>>> M = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - q) / e) / (2 * e), parameters={"e": "e > 0"}, name="scale e")
>>> found = ranges(Claim(M, "one", e))
>>> print(found)
Refuted for 0 < e < 1: scale e is DP for one moving answer at level e; everywhere there; at e = 1/2: 0 against -1, event s >= 0, loss 2 > 1/2
Proved for e >= 1: scale e is DP for one moving answer at level e; scope: all inputs, 1 <= e; trusts: the checker and the exponential-sign rule
>>> print(found.text)
holds exactly for e >= 1
"""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.analysis.parameters.bisection import pieces_by_bisection
from ahdp_verify.analysis.parameters.cuts import distinct_roots, rational_bounds, split_at_roots
from ahdp_verify.analysis.parameters.pieces import RangePiece, Ranges
from ahdp_verify.analysis.parameters.program_margins import choices_of_margins, value_inside
from ahdp_verify.analysis.parameters.range_search import (
    HERE,
    RangeSearch,
    subject_name,
    undecided_piece,
)
from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.rules.obligations import mechanism_context
from ahdp_verify.kernel.terms.expression import Expression, number, substitute
from ahdp_verify.kernel.unknown import Unknown
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import (
    EMPTY,
    MISSING,
    RealInterval,
    compare_constants,
    interval_of,
)
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.loss.margins import (
    free_parameters,
    margins,
    parameters_of,
    restrict_parameter,
    violations,
)
from ahdp_verify.search.loss.roots import (
    BITS,
    STEEP,
    ParameterRoot,
    exponential_degree,
    roots_in_interval,
    sign_at_constant,
)
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.sign_queries import brief_clock
from ahdp_verify.search.wording import unknown_verdict

DEPTH = 8  # most nested splits of an interval around refuted pieces
SHALLOW = 3  # the same where the claim is expected to be false


def parameter_of(claim: Claim | ProgramClaim) -> str:
    """The one parameter of a claim that is not fixed; BadInput if there is none, or another
    number.
    """
    free = free_parameters(claim)
    if len(free) != 1:
        what = subject_name(claim)
        if not free:
            raise BadInput(
                what,
                "it has no parameter whose range can be found",
                "replace a number by a name declared under [parameters]",
            )
        raise BadInput(
            what,
            f"its parameters are {', '.join(free)}",
            "a range is found for one parameter; fix the others, for example by the condition n "
            "== 3",
        )
    return free[0]


def ranges(
    claim: Claim | ProgramClaim, limits: Limits | None = None, progress: Progress = no_progress
) -> Ranges:
    """The values of the one parameter of a claim, in pieces, with the verdict on each.

    Of a noise program, a refutation is at one value, and says nothing of the others in its piece.

    Raises BadInput for a claim with no parameter or several, for a condition that allows no value,
    and for a mechanism that is not well defined; NotWorkedOut for a condition that cannot be read
    as an interval.
    """
    parameter = parameter_of(claim)
    condition = dict(parameters_of(claim))[parameter]
    where = interval_of(condition, parameter)
    if where is None:
        raise NotWorkedOut(
            parameter,
            f"its condition {condition} could not be read as an interval",
            "write it as low < p < high, with constants",
        )
    if where.is_empty:
        raise BadInput(
            parameter,
            f"its condition {condition} allows no value",
            "allow some values, as in 0 < p < 1",
        )
    run = RangeSearch(claim, parameter, (limits or Limits()).clock(), progress)
    found: list[RangePiece] = []
    try:
        with run.clock.running("looking for the range of a parameter"):
            for i, word in _predicted_verdicts(run, where):
                found += (
                    [undecided_piece(run, i, HERE)]
                    if word is None
                    else _interval_pieces(run, i, DEPTH if word else SHALLOW, hopeful=word)
                )
            found = list(_merge_pieces(run, found))
    except OutOfLimits as stop:
        run.reasons[stop.reason] = None
        found += _rest(run, where, found, stop.reason)
    return Ranges(claim, parameter, tuple(found), "; ".join(run.reasons))


def _rest(
    run: RangeSearch, where: RealInterval, found: list[RangePiece], why: str
) -> list[RangePiece]:
    """The piece above everything examined."""
    last = found[-1].interval if found else None
    rest = (
        where
        if last is None
        else RealInterval(last.high, where.high, not last.high_closed, where.high_closed)
    )
    done = rest.is_empty or (last is not None and last.high is None)
    return (
        []
        if done
        else [
            RangePiece(
                rest,
                unknown_verdict(
                    restrict_parameter(run.claim, run.parameter, rest), (Declined("ranges", why),)
                ),
            )
        ]
    )


def _fixed_values(run: RangeSearch) -> dict[str, Expression]:
    """The values of the parameters that their conditions fix."""
    listed = ((k, interval_of(c, k)) for k, c in parameters_of(run.claim) if k != run.parameter)
    return {k: i.low for k, i in listed if i is not None and i.low is not None}


def _predicted_verdicts(
    run: RangeSearch, where: RealInterval
) -> list[tuple[RealInterval, bool | None]]:
    """The intervals in which the margins of the claim have the same signs, in order, and their
    verdict; None for a narrow one around a root.

    Neighbours of the same verdict are one interval, but for a noise program that is expected to be
    private: its cheapest alignment may be another one on each side of a root.
    """
    run.progress("looking for the largest privacy loss")
    choices = _choices_of_margins(run, where)
    functions = dict.fromkeys(f for margins_ in choices for f in margins_)
    cuts = [r for f in functions for r in roots_in_interval(f, run.parameter, where, run.clock)]
    cuts += [
        ParameterRoot(*enclose(normal(e, EMPTY), BITS), e)
        for e, closed in ((where.low, where.low_closed), (where.high, where.high_closed))
        if closed and e is not None
    ]
    says: list[tuple[RealInterval, bool | None]] = []
    for i, narrow in split_at_roots(where, distinct_roots(cuts)):
        x = value_inside(i)
        word = None if narrow or x is None else _holds_at(run.parameter, choices, x)
        apart = word and isinstance(run.claim, ProgramClaim) and not i.is_point
        if says and word is not None and says[-1][1] is word and not (apart and len(choices) > 1):
            says[-1] = (
                RealInterval(says[-1][0].low, i.high, says[-1][0].low_closed, i.high_closed),
                word,
            )
        else:
            says.append((i, word))
    return says


def _choices_of_margins(run: RangeSearch, where: RealInterval) -> list[tuple[Expression, ...]]:
    """Functions of the parameter; where all those of a choice are >= 0, the claim is expected to be
    true.
    """
    if isinstance(run.claim, ProgramClaim):
        choices = choices_of_margins(run.claim, run.parameter, where, run.clock)
    else:
        choices = [margins(run.claim, run.parameter, run.clock)]
    fixed = _fixed_values(run)
    return [tuple(substitute(f, fixed) for f in choice) for choice in choices]


def _holds_at(parameter: str, choices: list[tuple[Expression, ...]], x: Expression) -> bool:
    """Whether no function of one of the choices is known to be negative at a value."""
    return any(all(sign_at_constant(f, parameter, x) != -1 for f in c) for c in choices)


def _interval_pieces(
    run: RangeSearch, where: RealInterval, depth: int, *, hopeful: bool
) -> list[RangePiece]:
    """The pieces of an interval: one if the claim is proved there or refuted throughout, else the
    piece around a refutation and the rest.
    """
    verdict = run.verdict(where, hopeful=hopeful)
    if not isinstance(verdict, Refuted):
        if isinstance(verdict, Unknown):
            run.reasons |= dict.fromkeys(
                f"{where.text(run.parameter)}: {d.reason}" for d in verdict.reasons[-1:]
            )
        return [RangePiece(where, verdict)]
    around, shown = _refuted_part(run, where, verdict.counterexample)
    if around == where:
        return [RangePiece(where, verdict, shown)]
    if around is None or depth <= 0:
        return (
            pieces_by_bisection(run, where, verdict) if depth > 0 else [RangePiece(where, verdict)]
        )
    again = refute(restrict_parameter(run.written, run.parameter, around), verdict.counterexample)
    left = RealInterval(where.low, around.low, where.low_closed, not around.low_closed)
    right = RealInterval(around.high, where.high, not around.high_closed, where.high_closed)
    found = [RangePiece(around, again, shown)]
    if around.low is not None and not left.is_empty:
        found = [*_interval_pieces(run, left, depth - 1, hopeful=hopeful), *found]
    if around.high is not None and not right.is_empty:
        found += _interval_pieces(run, right, depth - 1, hopeful=hopeful)
    return found


def _refuted_part(
    run: RangeSearch, where: RealInterval, example: Counterexample
) -> tuple[RealInterval | None, bool]:
    """The part of an interval in which the event of an example refutes the claim, and whether that
    is shown; None if no function shows it.
    """
    at, given, best = dict(example.parameters)[run.parameter], _fixed_values(run), None
    for f in violations(
        run.written,
        example,
        mechanism_context(restrict_parameter(run.written, run.parameter, where).mechanism),
        run.clock,
    ):
        function = substitute(f, given)
        around = _positive_interval(run, function, where, at)
        if around is not None and _is_positive(run, function, around):
            return around, True
        best = around if best is None else best
    return best, False


def _positive_interval(
    run: RangeSearch, f: Expression, where: RealInterval, at: Expression
) -> RealInterval | None:
    """The interval around a value, between the roots of a function that is positive there."""
    if sign_at_constant(f, run.parameter, at) != 1:
        return None
    closed = [
        e is not None and c and sign_at_constant(f, run.parameter, e) == 1
        for e, c in ((where.low, where.low_closed), (where.high, where.high_closed))
    ]
    low, high = (
        RealInterval(where.low, None, closed[0]),
        RealInterval(None, where.high, False, closed[1]),
    )
    try:
        for r in roots_in_interval(f, run.parameter, where, run.clock):
            if compare_constants(number(r.high), at) <= 0:
                low = RealInterval(
                    number(rational_bounds(r)[1]) if r.exact is None else r.exact,
                    None,
                    r.exact is None,
                )
            elif high.high == where.high and compare_constants(number(r.low), at) >= 0:
                high = RealInterval(
                    None,
                    number(rational_bounds(r)[0]) if r.exact is None else r.exact,
                    False,
                    r.exact is None,
                )
    except MISSING:
        return None
    return low.within(high)


def _is_positive(run: RangeSearch, f: Expression, where: RealInterval) -> bool:
    """True if the checker's rules accept that a function is positive in an interval."""
    here: Context = mechanism_context(
        restrict_parameter(run.written, run.parameter, where).mechanism
    )
    try:
        r = normal(f, here)
        if here.ratio_signs(r) == {1}:
            return True
        found = (
            None
            if exponential_degree(r.num) > STEEP
            else prove_requirement(r, ">", here, brief_clock(run.clock))
        )
        if found is None:
            return False
        check_sign(r, ">", found[1], extend_context(found[0], here))
    except (*MISSING, Rejected, OutOfLimits):
        return False
    return True


def _merge_pieces(run: RangeSearch, found: list[RangePiece]) -> Iterator[RangePiece]:
    """The pieces with simple ends, those joined that touch, have the same verdict and are proved
    or refuted together.
    """
    last: RangePiece | None = None
    for piece in found:
        whole = None if last is None else _merge_two(run, last, piece)
        if last is not None and whole is None:
            yield last
        last = whole or piece
    if last is not None:
        yield last


def _merge_two(run: RangeSearch, a: RangePiece, b: RangePiece) -> RangePiece | None:
    """Two pieces as one, or None."""
    whole = RealInterval(
        a.interval.low, b.interval.high, a.interval.low_closed, b.interval.high_closed
    )
    if (
        a.interval.high is None
        or a.interval.high != b.interval.low
        or not (a.interval.high_closed or b.interval.low_closed)
    ):
        return None
    if isinstance(a.verdict, Refuted) and isinstance(b.verdict, Refuted):
        return RangePiece(
            whole,
            refute(restrict_parameter(run.written, run.parameter, whole), a.verdict.counterexample),
            a.everywhere and b.everywhere,
        )
    if isinstance(a.verdict, Proved) and isinstance(b.verdict, Proved):
        try:
            verdict = run.verdict(whole)
        except OutOfLimits:
            return None
        return RangePiece(whole, verdict) if isinstance(verdict, Proved) else None
    return None
