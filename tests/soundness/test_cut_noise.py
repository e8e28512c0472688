"""Two false claims that would be proved if the cut of a noise could depend on the path that is
taken after it is drawn, so that only the noises shifted on that path paid for leaving their cuts.

Both are shown to be false by integrals in floating point.
"""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.alignment import (
    Alignment,
    CutRuns,
    Head,
    PathShifts,
    Rounds,
    WholeRuns,
)
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import (
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    State,
    Stop,
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Expression, label, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.verify import verify


def tail(z: float) -> float:
    """P[|x| > z] of standard Gaussian noise."""
    return float(2 * stats.norm.sf(z))


def cost(z: float, shift: float, deviation: float) -> float:
    """The largest log f(x)/f(x + shift) where |x| <= z deviations."""
    return z * shift / deviation + (shift / deviation) ** 2 / 2


# the greatest of a hundred answers with noise of deviation 1/2

N = 100
LARGEST = Program(
    "largest",
    (),
    Answers(None),
    Contest((("x", "gaussian", parse("1/2")),), parse("q + x"), gap=False),
)


def largest(level: str, delta: str) -> ProgramClaim:
    return ProgramClaim(LARGEST, "all", parse(level), parse(delta), N)


def winner_shifted(claim: ProgramClaim, cuts: dict[str, Expression]) -> Alignment:
    """The noise of the winner is shifted by 2, so that it wins against answers that move by 2."""
    shifts = tuple(
        PathShifts((tuple((("", Fraction(2)),) if i == j else () for j in range(N)),))
        for i in range(N)
    )
    return Alignment(claim.fingerprint, (), (CutRuns(shifts, tuple(cuts.items())),))


def everywhere(z: str) -> dict[str, Expression]:
    return {f"x#{i}": number(Fraction(z) ** 2 / 2) for i in range(1, N + 1)}


def test_the_noise_that_wins_is_large_because_it_wins() -> None:
    level, delta, z = 13.2, 0.27, 1.3
    assert cost(z, 2, 1 / 2) <= level + 1e-9 and tail(z) < 0.2 < delta  # one tail would be enough
    # fifty answers fall by 1, the others rise by 1: a difference of 4 deviations
    x = np.linspace(-9, 12, 200_001)
    wins = 50 * stats.norm.pdf(x) * stats.norm.cdf(x) ** 49 * stats.norm.cdf(x - 4) ** 50
    after = float(np.trapezoid(wins, x))
    before = 0.5  # by symmetry
    assert before > math.exp(level) * after + delta + 0.1

    claim = largest("66/5", "27/100")
    cuts = everywhere("13/10")
    for some in (cuts, {"x#1": cuts["x#1"]}, {"x#50": cuts["x#50"]}):
        with pytest.raises(Rejected):
            check(claim, winner_shifted(claim, some))


def test_all_noises_pay_for_their_tails() -> None:
    assert 90 * tail(3.1) < 0.27 * 0.9 and cost(3.1, 2, 1 / 2) == pytest.approx(20.4)
    claim = largest("102/5", "27/100")
    assert str(check(claim, winner_shifted(claim, everywhere("31/10")))).startswith("Proved")
    lower = largest("1019/50", "27/100")
    with pytest.raises(Rejected):
        check(lower, winner_shifted(lower, everywhere("31/10")))


# the first of any number of answers above a threshold, with noise of deviation 10 on both


def svt() -> Program:
    above = If(
        parse("q + x - T - rho"),
        False,
        Release(label("above"), Stop()),
        Release(label("below"), Goto("wait", (("rho", parse("rho")),))),
    )
    wait = State("wait", ("rho",), Draw("x", "gaussian", parse("10"), above), Stop())
    start = Draw("r", "gaussian", parse("10"), Goto("wait", (("rho", parse("r")),)))
    return Program("svt", (("T", parse("0 < T")),), Answers(None), start, (wait,))


def test_far_below_queries_select_a_noise_beyond_every_cut() -> None:
    level, delta = 61 / 40, 2e-6
    assert cost(5, 1, 10) + cost(5, 2, 10) <= level + 1e-12 and 2 * tail(5) < delta
    # T = 200; all answers are 0, then those at odd places become -1, and the others 1; among 10^250
    # answers one is above, and it is as likely the first of its pair as the second
    deviation, threshold, pairs = 10, 200, mpmath.mpf(10) ** 250

    def first_above_is_odd(odd: int, even: int, g: mpmath.mpf) -> mpmath.mpf:
        """At the threshold 200 + 10 g."""
        t = threshold + deviation * g
        a, b = (mpmath.erfc((t - q) / deviation / mpmath.sqrt(2)) / 2 for q in (odd, even))
        some = a + b - a * b  # of a pair
        return a / some * -mpmath.expm1(pairs * mpmath.log1p(-some))

    def chance(odd: int, even: int) -> float:
        with mpmath.workdps(30):
            places = mpmath.linspace(-12, 12, 13)
            return float(
                mpmath.quad(lambda g: mpmath.npdf(g) * first_above_is_odd(odd, even, g), places)
            )

    assert chance(0, 0) > math.exp(level) * chance(-1, 1) + delta + 0.3

    claim = ProgramClaim(svt(), "all", parse("61/40"), parse("1/500000"))
    assert verify(claim).word == "Unknown"
    by = {d: PathShifts((((("", Fraction(d)),),),)) for d in (1, 2)}
    still, nothing = PathShifts((((),),)), PathShifts(((),))
    head = Head(
        "wait", 0, (("rho", Fraction(1)),), parse("41/40"), ((0, (by[2], still)),), (nothing,)
    )
    rounds = Rounds(1, (by[1],), (head,))
    cuts = tuple((key, parse("25/2")) for key in ("r", "x", "x#1"))
    for moves in (rounds, WholeRuns((by[1],)), CutRuns((by[1],), cuts), CutRuns((), cuts)):
        with pytest.raises(Rejected):
            check(claim, Alignment(claim.fingerprint, (), (moves,)))


def test_a_contest_of_any_number_of_answers_has_no_cuts() -> None:
    claim = ProgramClaim(LARGEST, "all", parse("66/5"), parse("27/100"))
    by = PathShifts((((("", Fraction(1)), ("q", Fraction(-1))),),))
    for moves in (WholeRuns((by,)), CutRuns((by,), (("x", parse("169/200")),))):
        with pytest.raises(Rejected, match="cut"):
            check(claim, Alignment(claim.fingerprint, (), (moves,)))
