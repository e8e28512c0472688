"""What is known exactly of the privacy loss between two inputs: that of the law itself, and the
level that a proved claim allows.

>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=exp(-Abs(name("s") - name("q[1]"))) / 2, name="noisy")
>>> print(loss_of_law(M, [3], ["7/2"], {}), allowed_level(dp(M, 1, "one"), [3], ["7/2"], {}))
1/2 1
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from ahdp_verify.analysis.inputs import checker_input, distance_between
from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyMechanism, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, multiply, number, oo
from ahdp_verify.sampling.sample import silent_mechanism
from ahdp_verify.search.limits import Limits

SECONDS = 10.0  # for the exact loss of the law between two inputs
PER_RECORD = ("ahdp", "add-remove")  # relations whose moves add or remove a record
Given = Mapping[str, object]


def loss_of_law(
    mechanism: AnyMechanism, first: object, second: object, parameters: Given
) -> Expression | None:
    """The largest privacy loss of the law between two inputs, in either direction, oo if it is
    unbounded; None where it was not found.
    """
    if not isinstance(mechanism, Mechanism):
        return None
    try:
        limits = Limits(seconds=SECONDS)
        return tradeoff(mechanism, first, second, parameters=parameters, limits=limits).level
    except (Undecided, Unsupported, OutOfLimits, BadInput):
        return None


def allowed_level(
    claim: Claim | CompositeClaim, first: object, second: object, parameters: Given
) -> Expression | None:
    """The level that a claim allows between two inputs: its level times the number of moves from
    one to the other, or the sum of the levels of the records that differ; None for relations for
    which that is not worked out, and for inputs that no moves connect.

    Where the claim has a delta, or the mechanism is not defined everywhere, only neighbouring
    inputs have one.
    """
    mechanism, relation = claim.mechanism, claim.relation
    plain = mechanism if isinstance(mechanism, Mechanism) else silent_mechanism(mechanism)
    (_, a), (_, b) = (checker_input(plain, d, parameters) for d in (first, second))
    if isinstance(plain.inputs, Domain) and plain.inputs.is_universal:
        return None
    sides = list(zip(a.first, b.first, strict=True))
    if isinstance(plain.inputs, Queries):
        if any(e.head != "number" for pair in sides for e in pair):
            return None
        steps = query_steps(relation, [y.args[0] - x.args[0] for x, y in sides])
    elif relation == "any":
        steps = 1
    elif relation in PER_RECORD:
        steps = sum(abs(x.args[0] - y.args[0]) for x, y in sides)
    else:
        return None
    if not steps or (steps > 1 and (claim.delta != ZERO or plain.defined != TRUE)):
        return None
    try:
        level = distance_between(plain, first, second, claim.level, parameters)
    except (Unsupported, BadInput):
        return None
    if not isinstance(plain.inputs, Queries):
        return level
    return oo if level == oo else multiply(number(steps), level)


def query_steps(relation: str, differences: list[Fraction]) -> int:
    """How many moves lead from one list of query answers to the other; 0 where none do."""
    if not any(differences):
        return 0
    if relation == "one":
        return sum(math.ceil(abs(d)) for d in differences)
    same_direction = all(d >= 0 for d in differences) or all(d <= 0 for d in differences)
    if relation == "all" or (relation in ("increasing", "decreasing") and same_direction):
        return max(math.ceil(abs(d)) for d in differences)
    return 0


def upper_float(level: Expression) -> float:
    """A float that is at least the level, by less than 1e-9 of it; infinity for oo."""
    if level == oo:
        return math.inf
    high = enclose(normal(level, Context.empty()))[1]
    near = float(high)
    return near if Fraction(near) >= high else math.nextafter(near, math.inf)
