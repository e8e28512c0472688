"""`calibrate`: the least noise (or the largest weight) for which a claim is proved: one end of the range of its parameter, with evidence.

The value is exact where the range ends at an exact constant; else it is a decimal on the proved side, less than 10^-9 from a refuted one.

>>> from ahdp_verify.domain import Queries
>>> from ahdp_verify.expression import Abs, exp, name
>>> from ahdp_verify.mechanism import Mechanism, real
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

from ahdp_verify.context import normal
from ahdp_verify.decide.interval import EMPTY, Interval, end_text
from ahdp_verify.decide.thresholds import free_parameters, within
from ahdp_verify.errors import BadInput
from ahdp_verify.expression import Expression, number
from ahdp_verify.limits import Limits
from ahdp_verify.printing import markup, named
from ahdp_verify.privacy import Claim
from ahdp_verify.ranges import Piece, Ranges, at_value, ranges
from ahdp_verify.search import Progress, silent, verify
from ahdp_verify.verdict import Proved, Refuted, decimal, one_line

NEAR = Fraction(1, 10**9)  # how close to the end a refutation is looked for
Side = Literal["least", "greatest"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The end of the range in which a claim is proved.

    value       the least (greatest) value of the parameter; None where none was found, with a `reason`
    exact       whether it is the very end of the range, and not a number less than 10^-9 from it
    attained    whether the claim is proved at the value itself, and not only beyond it
    proof       the proof for all values on its side, up to the next end
    refutation  a refutation at a value on the other side, as close as one was found
    """

    claim: Claim
    parameter: str
    side: Side
    value: Expression | None
    exact: bool
    attained: bool
    ranges: Ranges
    proof: Proved | None = None
    refutation: Refuted | None = None
    reason: str = ""

    @property
    def text(self) -> str:
        """The value and where the claim is proved and refuted, on one line."""
        if self.value is None:
            return f"{self.side} {self.parameter} not found; {one_line(str(self.claim))}; {self.reason}"
        how = "exactly" if self.exact else "to 9 digits"
        edge = "" if self.attained else ", which itself is not enough"
        false = [p.interval.text(self.parameter) for p in self.ranges.pieces if isinstance(p.verdict, Refuted) and p.everywhere]
        refuted = f" and refuted for {' and '.join(false)}" if false else ""
        proved = " and ".join(i.text(self.parameter) for i in self.ranges.holds)
        return f"{self.side} {self.parameter} = {end_text(self.value)}, {how}{edge}; {one_line(str(self.claim))}, proved for {proved}{refuted}"

    def line(self, digits: int | None = None) -> str:
        """The text with the evidence, the value also as a decimal of so many digits."""
        shown = self.text
        if self.value is not None and self.value.head != "number" and digits:
            shown = shown.replace(",", f" = {decimal(normal(self.value, EMPTY), digits)},", 1)
        return "; ".join((shown, *self.parts))

    @property
    def parts(self) -> tuple[str, ...]:
        """The evidence: what the proof covers and believes, and the refutation."""
        return (*(self.proof.parts if self.proof is not None else ()), *((f"refuted {at_value(self.refutation)}",) if self.refutation is not None else ()))

    def __str__(self) -> str:
        return self.line()

    def _repr_html_(self) -> str:
        return f"<p>{'<br>'.join(markup(part) for part in (self.text, *self.parts))}</p>"


def calibrate(
    claim: Claim, parameter: str, limits: Limits | None = None, progress: Progress = silent, *, side: Side | None = None
) -> Calibration:
    """The least or greatest value of a parameter for which a claim is proved; `side` says which where both could be meant.

    Raises BadInput for a parameter that is not there or not the only one, and for a claim that is true, or false, for all its values.
    """
    checked(claim, parameter, side)
    limits = limits or Limits()
    found = ranges(claim, limits, progress)
    proved = [p for p in found.pieces if isinstance(p.verdict, Proved)]
    refuse_constant(found, proved)
    side = side or natural(found, proved)
    if not proved:
        return Calibration(claim, parameter, side, None, False, False, found, reason=found.reason or "no value was found for which the claim is proved")
    piece = proved[-1] if side == "least" else proved[0]
    i = piece.interval
    value, attained = (i.low, i.low_closed) if side == "least" else (i.high, i.high_closed)
    if value is None or (piece is found.pieces[0] and side == "least") or (piece is found.pieces[-1] and side == "greatest"):
        raise BadInput(parameter, f"there is no {side} value: the claim is proved for {i.text(parameter)}", f"ask for the {'least' if side == 'greatest' else 'greatest'}")
    refutation, gap = beside(found, piece, side, limits)
    proof = piece.verdict if isinstance(piece.verdict, Proved) else None
    reason = "" if refutation is not None else "no refutation was found next to the value"
    return Calibration(claim, parameter, side, value, gap is None and refutation is not None, attained, found, proof, refutation, reason)


def checked(claim: Claim, parameter: str, side: str | None) -> None:
    """Nothing if the claim can be calibrated by the parameter; BadInput otherwise."""
    free, known = free_parameters(claim), [k for k, _ in claim.mechanism.parameters]
    if parameter not in known:
        whose = named(claim.mechanism.name) or "the mechanism"
        raise BadInput("parameter", f"{named(parameter)} is no parameter of {whose}", f"known are {', '.join(known)}" if known else "it has none")
    if parameter not in free:
        raise BadInput("parameter", f"{parameter} is fixed by its condition", "give it a range such as b > 0")
    if len(free) > 1:
        raise BadInput("parameter", f"{', '.join(k for k in free if k != parameter)} is left open", "fix it by a condition such as n == 3")
    if side not in (None, "least", "greatest"):
        raise BadInput("side", f"{side!r} is not known", "use least or greatest")


def refuse_constant(found: Ranges, proved: list[Piece]) -> None:
    """BadInput if the claim is proved, or refuted, at every value."""
    if len(proved) == len(found.pieces):
        raise BadInput(found.parameter, f"the claim is true for {' and '.join(i.text(found.parameter) for i in found.holds)}, so nothing is to be calibrated", "lower its level")
    if not proved and found.exact:
        raise BadInput(found.parameter, f"the claim is false for every {found.parameter} that its condition allows", "raise its level, or allow more values")


def natural(found: Ranges, proved: list[Piece]) -> Side:
    """The side on which the claim is false: below the least value, or above the greatest; BadInput where it is neither or both."""
    above = bool(proved) and proved[-1] is found.pieces[-1]
    below = bool(proved) and proved[0] is found.pieces[0]
    if proved and above == below:
        raise BadInput(found.parameter, f"the claim {found.text}", "ask for the least or for the greatest value")
    return "greatest" if below else "least"


def beside(found: Ranges, piece: Piece, side: Side, limits: Limits) -> tuple[Refuted | None, Piece | None]:
    """A refutation next to the value, and the narrow piece between, if the end of the range is not known exactly."""
    order = list(found.pieces) if side == "greatest" else list(found.pieces)[::-1]
    rest = order[order.index(piece) + 1 :]
    gap = rest[0] if rest and not isinstance(rest[0].verdict, Refuted) else None
    near = (gap.interval.low if side == "least" else gap.interval.high) if gap is not None else None
    for x in (*([near] if near is not None else []), *close(piece, side)):
        verdict = verify(within(found.claim, found.parameter, Interval(x, x, True, True)), replace(limits, seconds=max(0.1, limits.seconds / 8)))
        if isinstance(verdict, Refuted):
            return verdict, gap
    return next((p.verdict for p in rest if isinstance(p.verdict, Refuted)), None), gap


def close(piece: Piece, side: Side) -> list[Expression]:
    """The value itself if it does not belong to the range, and the simplest number within 10^-9 on its other side."""
    i = piece.interval
    end, closed = (i.low, i.low_closed) if side == "least" else (i.high, i.high_closed)
    if end is None:
        return []
    low, high = Interval(end, end, True, True).bounds
    if low is None or high is None:
        return []
    beyond = Interval(number(low - NEAR), number(low)) if side == "least" else Interval(number(high), number(high + NEAR))
    simple = beyond.simplest
    return [*([] if closed else [end]), *([] if simple is None else [number(simple)])]
