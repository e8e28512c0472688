"""Boxes of several outputs: those of laws that are not products violate lowered levels, by the
checker and by sums or quadrature here.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.refuting.joint_events import is_joint, joint_points
from ahdp_verify.search.verify import verify

REALS, WHOLE = (real("y"), real("z")), (integer("y"), integer("z"))
MIXTURE = "1/8*(exp(-abs(y - v))*exp(-abs(z)) + exp(-abs(y))*exp(-abs(z - v)))"
POWER = "1/9/2^(abs(y - v) + abs(z))"


def claim(density: str, outputs: tuple[Output, ...], level: str) -> Claim:
    m = Mechanism(Values([0, 1]), outputs=list(outputs), density=parse(density), name="m")
    return Claim(m, "any", parse(level))


@pytest.mark.parametrize(
    ("density", "outputs", "level"),
    [(MIXTURE, REALS, "99/100"), (POWER, WHOLE, "99/100*log(2)")],
)
def test_a_level_a_hundredth_too_low_is_refuted(
    density: str, outputs: tuple[Output, ...], level: str
) -> None:
    """The least levels are 1 and log 2: |y - 1| - |y| <= 1, and both are attained."""
    found = verify(claim(density, outputs, level), Limits(seconds=60))
    assert isinstance(found, Refuted)
    first, second = (enclose(p)[0] for p in (found.first_probability, found.second_probability))
    box = dict((n, (a, b)) for n, a, b in found.counterexample.event.intervals)
    sides = [int(v.args[0]) for v in (*found.counterexample.first, *found.counterexample.second)]
    for v, p in zip(sides, (first, second), strict=True):
        assert float(p) == pytest.approx(brute(density, outputs, box, v), rel=1e-6)


def brute(
    density: str, outputs: tuple[Output, ...], box: dict[str, tuple[Any, Any]], v: int
) -> float:
    """The probability of a box, by the midpoint rule with 300 steps, or by a sum."""
    ends = [tuple(float(e.args[0]) for e in box[o.name]) for o in outputs]
    lists = []
    for output, (low, high) in zip(outputs, ends, strict=True):
        steps = 300 if output.kind == "real" else round(high - low)
        width = (high - low) / steps
        lists.append(
            [low + (k + (0.5 if output.kind == "real" else 0)) * width for k in range(steps)]
        )
    cell = math.prod((high - low) / len(xs) for xs, (low, high) in zip(lists, ends, strict=True))
    text = density.replace("^", "**")
    code = compile(text, "law", "eval")
    return cell * math.fsum(
        eval(code, {"exp": math.exp, "abs": abs, "v": v, "y": y, "z": z})
        for y in lists[0]
        for z in lists[1]
    )


def test_what_is_a_product_is_not_joint() -> None:
    assert not is_joint(parse("exp(-abs(y) - abs(z))/4"), REALS)
    assert is_joint(parse("exp(-abs(y) - abs(z - y))/4"), REALS)


def test_points_of_a_later_output_that_cross_are_points_of_the_earlier_one() -> None:
    law = parse("exp(-abs(z - y) - abs(z - 3))")
    (_, of_y), (_, of_z) = joint_points((law, substitute(law, {})), REALS, Context.empty())
    assert set(map(str, of_z)) == {"y", "3"} and list(map(str, of_y)) == ["3"]
