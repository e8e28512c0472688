"""`level_at_delta`: the least level at which a mechanism is private with a given delta.

The level is a new parameter of the claim, of which the mechanism does not speak; its least value is
found by `calibrate`, with a proof for every level from there on and a refutation below.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> s = real("s")
>>> M = Mechanism(Values([0, 1]), outputs=[s], density=exp(-Abs(s - name("v"))) / 2, name="noisy bit")
>>> print(level_at_delta(M, "1/10", "any"))
noisy bit: the least level at delta 1/10 (any) is 1 - 2*log(10/9) = 0.789279, to 9 digits
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ahdp_verify.analysis.parameters.calibrate import NEAR, Calibration, calibrate
from ahdp_verify.decimals import text_with_decimal
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.record_expression import record_expression
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import ZERO, Expression, name, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import end_text
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Verdict

SOME = 5.0  # seconds for one level
STEP = Fraction(1, 10**10)  # of which the levels tried are multiples
LARGEST = 1000
FIRST = 0.25  # the part of the time in which level 0 is tried


@dataclass(frozen=True, slots=True)
class LevelAtDelta:
    """The least level, in nats, at which a mechanism is private with this delta.

    level        a level for which the claim is proved; None where none was found
    exact        whether it is the least one, and not a number less than 10^-9 above it
    proof        of the claim at this level, if there is no `calibration`
    calibration  how the level was found, with a proof of all higher ones
    reason       what is missing where no level was found
    """

    mechanism: Mechanism
    relation: str
    delta: Expression
    level: Expression | None
    exact: bool
    proof: Proved | None = None
    calibration: Calibration | None = None
    reason: str = ""

    __repr__ = short_repr

    def __str__(self) -> str:
        head = (
            f"{display_name(self.mechanism.name) or 'the mechanism'}: the least level at delta "
            f"{self.delta} ({self.relation})"
        )
        if self.level is None:
            return f"{head} was not found; {self.reason}"
        how = "exactly" if self.exact else "to 9 digits"
        if self.level.head == "number":
            return f"{head} is {end_text(self.level)}, {how}"
        value = normal(self.level, Context.empty())
        return f"{head} is {text_with_decimal(self.level, value)}, {how}"


def level_at_delta(
    mechanism: Mechanism,
    delta: object,
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
) -> LevelAtDelta:
    """The least level, one for all moves, at which the mechanism is private under a relation with
    this delta: a number, or a function of x and eps for ahdp.

    Raises BadInput for a mechanism with parameters, whose least level would depend on them, and
    for delta 0, which `tighten` is for.
    """
    limits = limits or Limits()
    given: Any = parse(delta, "delta") if isinstance(delta, str) else delta
    slack = record_expression(given)
    pure = Claim(mechanism, relation, ZERO, slack)
    if slack == ZERO:
        raise BadInput("delta", "0 asks for the plain least level", "use tighten without a delta")
    progress("trying level 0")
    at_once = verify(pure, limits=replace(limits, seconds=FIRST * limits.seconds))
    if isinstance(at_once, Proved):
        return LevelAtDelta(mechanism, relation, slack, ZERO, True, at_once)
    taken = {k for k, _ in mechanism.parameters} | {o.name for o in mechanism.outputs}
    key = next(k for i in range(len(taken) + 1) if (k := f"level{i or ''}") not in taken)
    level = name(key)
    wider = replace(mechanism, parameters=(*mechanism.parameters, (key, level >= ZERO)))
    part = replace(limits, seconds=(1 - FIRST) * limits.seconds / 2)
    found = calibrate(Claim(wider, relation, level, slack), key, part, progress, side="least")
    if found.proof is None:
        return _by_bisection(pure, part, found.reason, progress)
    return LevelAtDelta(
        mechanism,
        relation,
        slack,
        found.value,
        found.exact,
        None,
        found,
        found.reason,
    )


def _by_bisection(pure: Claim, limits: Limits, reason: str, progress: Progress) -> LevelAtDelta:
    """A level that is proved and, less than 10^-9 below it, one that is refuted: both numbers,
    where no proof for all levels was found.
    """
    clock, low, high = limits.clock(), Fraction(0), Fraction(1)
    proof: Proved | None = None

    def answer(level: Fraction) -> Verdict:
        progress(f"trying level {float(level):.10g}")
        return verify(replace(pure, level=number(level)), limits=replace(limits, seconds=SOME))

    while proof is None and high <= LARGEST and clock.left:
        found = answer(high)
        if isinstance(found, Proved):
            proof = found
        else:
            low, high = high, 2 * high
    while proof is not None and high - low > NEAR and clock.left:
        middle = Fraction(round((low + high) / 2 / STEP)) * STEP
        found = answer(middle)
        if isinstance(found, Proved):
            high, proof = middle, found
        elif found.outcome == "refuted":
            low = middle
        else:
            break
    near = proof is not None and high - low <= NEAR
    return LevelAtDelta(
        pure.mechanism,
        pure.relation,
        pure.delta,
        number(high) if near else None,
        False,
        proof,
        None,
        reason,
    )
