"""`calibrate`: the least noise (or the largest weight) for which a claim is proved: one end of the
range of its parameter, with evidence.

The value is exact where the claim is proved up to it and refuted beyond; else it is a decimal on
the proved side, less than 10^-9 from a refuted one. Where no refutation is that close, the end of
the range is only bounded, and is printed as "at most" (or "at least") the value.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> b, q, s = name("b"), name("q[1]"), real("s")
>>> M = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - q) / b) / (2 * b), parameters={"b": "b > 0"}, name="noise b")
>>> found = calibrate(Claim(M, "one", number("1/3")), "b")
>>> print(found.value, found.side, found.attained)
3 least True
>>> print(found.text)
least b = 3, exactly; noise b is DP for one moving answer at level 1/3, proved for b >= 3 and refuted for 0 < b < 3
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from ahdp_verify.analysis.bounds import UNKNOWN, Bounds
from ahdp_verify.analysis.parameters.pieces import RangePiece, Ranges, refutation_summary
from ahdp_verify.analysis.parameters.range_search import subject_name
from ahdp_verify.analysis.parameters.ranges import ranges
from ahdp_verify.decimals import decimal
from ahdp_verify.display.markup import bounded_latex, escape_html, latex, upright_latex
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted, RefutedProgram, Violation
from ahdp_verify.kernel.terms.expression import Expression, name, number
from ahdp_verify.kernel.terms.printing import display_name, one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import EMPTY, RealInterval, end_text
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.loss.margins import free_parameters, parameters_of, restrict_parameter
from ahdp_verify.search.programs.margins import deciding_parameters
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.verdict_search import find_refutation
from ahdp_verify.search.verify import verify

NEAR = Fraction(1, 10**9)  # how close to the end a refutation is searched for
# the share of the time spent on the range; the rest is for a refutation close to its end
SEARCHED = 0.75
# of the time for one value, the part in which only a refutation is searched for where all values
# just beyond the end are refuted; measured: 0.03 s, where a whole search takes 0.8 s, since a loss
# just above the level is not seen in floats
EXPECTED = 0.25
CalibrationSide = Literal["least", "greatest"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The end of the range in which a claim is proved.

    value       the least (greatest) value of the parameter; None where it was not found, with a
                `reason`
    exact       whether it is the end of the range itself, and not a number less than 10^-9 from it
    bounds      what is known of the end of the range: one end is proved, the other refuted
    attained    whether the claim is proved at the value itself, and not only beyond it
    proof       the proof for all values on its side, up to the next end
    refutation  a refutation at a value on the other side, as close as one was found
    """

    claim: Claim | ProgramClaim
    parameter: str
    side: CalibrationSide
    value: Expression | None
    exact: bool
    attained: bool
    ranges: Ranges
    proof: Proved | None = None
    refutation: Refuted | RefutedProgram | None = None
    reason: str = ""
    bounds: Bounds = UNKNOWN

    __repr__ = short_repr

    @property
    def text(self) -> str:
        """The value or its bounds, and where the claim is proved and refuted, on one line."""
        if self.bounds.kind == "not found":
            return (
                f"{self.side} {self.parameter} not found; {one_line(str(self.claim))}; "
                f"{self.reason}"
            )
        how = "exactly" if self.exact else "to 9 digits" if self.value is not None else self.reason
        edge = "" if self.attained or self.value is None else ", which itself is not enough"
        known = (
            f"= {end_text(self.value)}" if self.value is not None else self.bounds.text(end_text)
        )
        false = [
            p.interval.text(self.parameter)
            for p in self.ranges.pieces
            if isinstance(p.verdict, Violation) and p.everywhere
        ]
        refuted = f" and refuted for {' and '.join(false)}" if false else ""
        proved = " and ".join(i.text(self.parameter) for i in self.ranges.holds)
        return (
            f"{self.side} {self.parameter} {known}, {how}{edge}; {one_line(str(self.claim))}, "
            f"proved for {proved}{refuted}"
        )

    def line(self, digits: int | None = None) -> str:
        """The text with the evidence, the value also as a decimal of so many digits."""
        shown = self.text
        if self.value is not None and self.value.head != "number" and digits:
            shown = shown.replace(",", f" = {decimal(normal(self.value, EMPTY), digits)},", 1)
        return "; ".join((shown, *self.parts))

    @property
    def parts(self) -> tuple[str, ...]:
        """The evidence: what the proof covers and trusts, and the refutation."""
        return (
            *(self.proof.parts if self.proof is not None else ()),
            *(
                (f"refuted {refutation_summary(self.refutation)}",)
                if self.refutation is not None
                else ()
            ),
        )

    def __str__(self) -> str:
        return self.line()

    def _repr_latex_(self) -> str:
        what = rf"{upright_latex(self.side)}\ {latex(name(self.parameter))}"
        shown = bounded_latex(what, self.bounds.low, self.bounds.high)
        if self.attained or self.value is None:
            return f"${shown}$"
        return f"${shown}{upright_latex(', which itself is not enough')}$"

    def _repr_html_(self) -> str:
        return f"<p>{'<br>'.join(escape_html(part) for part in (self.text, *self.parts))}</p>"


def calibrate(
    claim: Claim | ProgramClaim,
    parameter: str,
    limits: Limits | None = None,
    progress: Progress = no_progress,
    *,
    side: CalibrationSide | None = None,
) -> Calibration:
    """The least or greatest value of a parameter for which a claim is proved; `side` says which
    where both could be meant.

    Raises BadInput for a parameter that does not exist or is not the only one, and for a claim that
    is true, or false, for all its values.
    """
    _check_calibratable(claim, parameter, side)
    limits = limits or Limits()
    clock = limits.clock()
    found = ranges(claim, replace(limits, seconds=SEARCHED * limits.seconds), progress)
    proved = [p for p in found.pieces if isinstance(p.verdict, Proved)]
    refuse_constant(found, proved)
    side = side or _natural_side(found, proved)
    if not proved:
        return Calibration(
            claim,
            parameter,
            side,
            None,
            False,
            False,
            found,
            reason=found.reason or "no value was found for which the claim is proved",
        )
    piece = proved[-1] if side == "least" else proved[0]
    i = piece.interval
    value, attained = (i.low, i.low_closed) if side == "least" else (i.high, i.high_closed)
    if (
        value is None
        or (piece is found.pieces[0] and side == "least")
        or (piece is found.pieces[-1] and side == "greatest")
    ):
        shown = i.text(parameter)
        said = f"there is no {side} value: the claim is proved for {shown}"
        if value is not None and attained:
            said = (
                f"the claim is proved for {shown}, the {side} value that its condition allows "
                f"included"
            )
        raise BadInput(
            parameter, said, f"ask for the {'least' if side == 'greatest' else 'greatest'}"
        )
    refutation, touching = _adjacent_refutation(found, piece, side, clock)
    proof = piece.verdict if isinstance(piece.verdict, Proved) else None
    bounds = calibration_bounds(value, parameter, refutation, side, touching=touching)
    near = bounds.kind == "exact" or is_narrow(bounds)
    reason = "" if near else "no refutation was found close to it"
    return Calibration(
        claim,
        parameter,
        side,
        value if near else None,
        bounds.kind == "exact",
        attained,
        found,
        proof,
        refutation,
        reason,
        bounds,
    )


def calibration_bounds(
    value: Expression,
    parameter: str,
    refutation: Refuted | RefutedProgram | None,
    side: CalibrationSide,
    *,
    touching: bool,
) -> Bounds:
    """The bounds on the end of the range from a proved end and a refutation; `touching` if all
    values just beyond are refuted.
    """
    if touching:
        return Bounds(value, value)
    other = None if refutation is None else dict(refutation.counterexample.parameters)[parameter]
    if other == value:  # it is refuted at the very end, which the range does not contain
        return Bounds(value, value)
    return Bounds(other, value) if side == "least" else Bounds(value, other)


def is_narrow(bounds: Bounds) -> bool:
    """True if the two ends are known and at most 10^-9 apart."""
    if bounds.low is None or bounds.high is None:
        return False
    (low, _), (_, high) = (RealInterval(e, e, True, True).bounds for e in (bounds.low, bounds.high))
    return low is not None and high is not None and high - low <= NEAR


def _check_calibratable(claim: Claim | ProgramClaim, parameter: str, side: str | None) -> None:
    """Passes if the claim can be calibrated by the parameter; raises BadInput otherwise."""
    free, known = free_parameters(claim), [k for k, _ in parameters_of(claim)]
    if parameter not in known:
        raise BadInput(
            "parameter",
            f"{display_name(str(parameter))} is not a parameter of {subject_name(claim)}",
            f"known are {', '.join(known)}" if known else "it has none",
        )
    if isinstance(claim, ProgramClaim) and parameter not in deciding_parameters(claim):
        raise BadInput(
            "parameter",
            f"no noise and no level depends on {parameter}",
            f"name one of {', '.join(free)}" if free else "there is nothing to calibrate",
        )
    if parameter not in free:
        raise BadInput(
            "parameter", f"{parameter} is fixed by its condition", "give it a range such as b > 0"
        )
    if len(free) > 1:
        raise BadInput(
            "parameter",
            f"{', '.join(k for k in free if k != parameter)} is left open",
            "fix it by a condition such as n == 3",
        )
    if side not in (None, "least", "greatest"):
        raise BadInput("side", f"{side!r} is not known", "use least or greatest")


def refuse_constant(found: Ranges, proved: list[RangePiece]) -> None:
    """BadInput if the claim is proved, or refuted, at every value."""
    if len(proved) == len(found.pieces):
        raise BadInput(
            found.parameter,
            f"the claim is true for {' and '.join(i.text(found.parameter) for i in found.holds)}, "
            f"so there is nothing to calibrate",
            "lower its level",
        )
    if not proved and found.exact:
        raise BadInput(
            found.parameter,
            f"the claim is false for every {found.parameter} that its condition allows",
            "raise its level, or allow more values",
        )


def _natural_side(found: Ranges, proved: list[RangePiece]) -> CalibrationSide:
    """The side on which the claim is false: below the least value, or above the greatest;
    BadInput where it is neither or both.
    """
    above = bool(proved) and proved[-1] is found.pieces[-1]
    below = bool(proved) and proved[0] is found.pieces[0]
    if proved and above == below:
        raise BadInput(
            found.parameter,
            f"the claim {found.text}",
            "ask for the least or for the greatest value",
        )
    return "greatest" if below else "least"


def _adjacent_refutation(
    found: Ranges, piece: RangePiece, side: CalibrationSide, clock: Clock
) -> tuple[Refuted | RefutedProgram | None, bool]:
    """A refutation as near to the value as one is found, and whether the claim is refuted at all
    values just beyond it.
    """
    order = list(found.pieces) if side == "greatest" else list(found.pieces)[::-1]
    rest = order[order.index(piece) + 1 :]
    gap = rest[0] if rest and not isinstance(rest[0].verdict, Violation) else None
    touching = (
        bool(rest)
        and isinstance(rest[0].verdict, Refuted)
        and rest[0].everywhere
        and not rest[0].interval.is_point
    )
    near = (gap.interval.low if side == "least" else gap.interval.high) if gap is not None else None
    for x in (*([near] if near is not None else []), *_close_values(piece, side)):
        if not clock.left:
            break
        limits = replace(clock.limits, seconds=min(clock.left, max(0.1, clock.limits.seconds / 8)))
        there = restrict_parameter(found.claim, found.parameter, RealInterval(x, x, True, True))
        brief = replace(limits, seconds=limits.seconds * EXPECTED)
        refuted = find_refutation(there, brief) if touching and isinstance(there, Claim) else None
        verdict = verify(there, limits) if refuted is None else refuted
        if isinstance(verdict, Refuted | RefutedProgram):
            return verdict, touching
    far = (p.verdict for p in rest if isinstance(p.verdict, Refuted | RefutedProgram))
    return next(far, None), touching


def _close_values(piece: RangePiece, side: CalibrationSide) -> list[Expression]:
    """The value itself if it does not belong to the range, and the simplest number within 10^-9
    on its other side.
    """
    i = piece.interval
    end, closed = (i.low, i.low_closed) if side == "least" else (i.high, i.high_closed)
    if end is None:
        return []
    low, high = RealInterval(end, end, True, True).bounds
    if low is None or high is None:
        return []
    beyond = (
        RealInterval(number(low - NEAR), number(low))
        if side == "least"
        else RealInterval(number(high), number(high + NEAR))
    )
    simple = beyond.simplest
    return [*([] if closed else [end]), *([] if simple is None else [number(simple)])]
