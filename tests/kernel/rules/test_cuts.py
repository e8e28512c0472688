"""Cut Gaussian noise: the two bounds of its tails and the cost of its shifts, against scipy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.alignment import Alignment, CutRuns, PathShifts
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import Coin, Draw, Program, Release, Stop, Tree
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.program_paths import Noise
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.cuts import prices
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse

EMPTY = Context.empty()
BY_ANSWER = (("q[1]", Fraction(-1)),)


def noisy(law: str = "gaussian", scale: str = "1", key: str = "x") -> Tree:
    return Draw(key, law, parse(scale), Release(parse(f"q[1] + {key}"), Stop()))


def accepted(
    tree: Tree, level: object, delta: object, cuts: dict[str, str], paths: int = 1
) -> bool:
    """Whether noises that are shifted by as much as the answer falls prove the claim."""
    program = Program("p", (), Answers(1), tree)
    claim = ProgramClaim(program, "all", number(level), number(delta))
    shifts = (PathShifts(((BY_ANSWER,),)),) * paths
    listed = tuple((key, parse(w)) for key, w in cuts.items())
    try:
        check(claim, Alignment(claim.fingerprint, (), (CutRuns(shifts, listed),)))
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("z", ["1/2", "1", "2", "3", "5", "8"])
def test_no_delta_below_the_tail_is_accepted(z: str) -> None:
    t = Fraction(z)
    true = Fraction(float(2 * stats.norm.sf(float(t)))).limit_denominator(10**30)
    bound = min(
        2 * stats.norm.pdf(float(t)) / float(t), np.exp(-(float(t) ** 2) / 2)
    )  # Mills' ratio, or half of the density at 0 for each side
    w = {"x": f"({z})^2/2"}
    assert not accepted(noisy(), 100, true, w)
    assert accepted(noisy(), 100, Fraction(bound * 1.0001), w)
    assert not accepted(noisy(), 100, Fraction(bound * 0.9999), w)


@pytest.mark.parametrize(("scale", "z", "shift"), [(1, 3, 1), (2, 1, Fraction(3, 2)), (5, 4, 2)])
def test_the_price_is_the_largest_log_ratio_on_the_cut(scale: int, z: int, shift: Fraction) -> None:
    x = np.linspace(-z * scale, z * scale, 1001)
    ratio = stats.norm.logpdf(x, scale=scale) - stats.norm.logpdf(x + float(shift), scale=scale)
    cuts = {"x": number(Fraction(z * z, 2))}
    parts = prices(Noise("x", "gaussian", number(scale)), Fraction(shift), cuts)
    total = sum(amount / (normal(divisor, EMPTY).as_rational or 0) for divisor, amount in parts)
    assert float(total) == pytest.approx(float(ratio.max()))


def test_the_level_counts_the_square_of_the_shift() -> None:
    # on |x| <= 4 b, b = 2: 4/2 + 1/8
    assert accepted(noisy(scale="2"), "17/8", "1/1000", {"x": "8"})
    assert not accepted(noisy(scale="2"), "2124/1000", "1/1000", {"x": "8"})


def test_other_laws_cost_the_same_with_a_cut() -> None:
    assert accepted(noisy("laplace"), 1, "1/1000", {"x": "8"})
    assert not accepted(noisy("laplace"), "99/100", "1/1000", {"x": "8"})


def test_delta_is_that_of_the_worst_path() -> None:
    # tails exp(-8)/sqrt(8 pi) < 0.0000670, exp(-2)/sqrt(2 pi) < 0.0540 on the other path
    tree = Coin(parse("1/2"), noisy(), noisy(key="y"))
    cuts = {"x": "8", "y": "2"}
    assert accepted(tree, 5, "54/1000", cuts, paths=2)
    assert not accepted(tree, 5, "53/1000", cuts, paths=2)
    assert not accepted(tree, 5, "54/1000", {"x": "8"}, paths=2)
