"""Gaussian noise in proofs by alignment, at the price of a delta.

    at each draw of a noise x a cut C(x), fixed before the draw    delta >= sum of P[x not in C(x)]
    over the cut noises of every path    alignments as in `alignment` on every path, with costs at
    most L where each cut noise lies in its cut
    -------------------------------------------------------------------------------------------------
    P[outputs at q in S] <= exp(L) P[outputs at q + d in S] + delta, for every set S

Let E be the event that every cut noise that is drawn lies in its cut.  On E the proof in
`alignment` holds path by path: P[E, outputs at q in S] <= exp(L) P[outputs at q + d in S], since x
+ s need not lie in any cut.  Whether a draw happens depends on earlier noises and coins alone, so
P[not E] is at most the sum over all draws of P[it happens] P[x not in C(x)], the expectation of the
sum over the path that is taken, hence at most the largest sum over a path.

A cut may not depend on what follows: among many noises the one that is answered "above" is large
because it was selected, and its tail alone does not bound the probability that it leaves its cut.
So one cut serves each noise of the unrolled runs, all of which count, and their number has to be
fixed.

Gaussian noise x of standard deviation b, cut at |x| <= t = b sqrt(2 w), has, by a shift of size s,

    log f(x)/f(x + s) <= (2 t s + s^2)/(2 b^2) = s sqrt(2 w)/b + s^2/(2 b^2),  which is convex in s
    P[|x| > t] <= exp(-w),  and  P[|x| > t] <= exp(-w)/sqrt(pi w)

since (t + u)^2 >= t^2 + u^2 for u >= 0, so that the upper tail at t is at most exp(-w) times that
at 0, and by Mills' ratio: the upper tail is at most b/t times the density of x/b at t/b (R. D.
Gordon, Annals of Mathematical Statistics 12, 1941, 364-366).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.program_paths import Noise
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.inequalities import check_sign
from ahdp_verify.kernel.terms.expression import Expression, exp, names, pi, sqrt


def checked_cuts(
    claim: ProgramClaim, listed: Sequence[tuple[str, Expression]], drawn: Sequence[Sequence[Noise]]
) -> Mapping[str, Expression]:
    """The cuts, by noise; Rejected unless they are numbers > 0 and the tails of those drawn on each
    path add up to at most the delta of the claim.
    """
    rely_on("the rule of cut noise")
    if claim.n is None:
        raise Rejected("cuts need a fixed number of queries")
    cuts, here = dict(listed), claim.program.here
    for w in cuts.values():
        if not names(w) <= {key for key, _ in claim.parameters}:
            raise Rejected(f"the cut {w} is not a number in the parameters")
        check_sign(normal(w, here), ">", None, here)
    for cut in {tuple(cuts[d.name] for d in draws if d.name in cuts) for draws in drawn}:
        try:
            _check_tails(claim, [exp(-w) / sqrt(pi * w) for w in cut])
        except Rejected:
            _check_tails(claim, [exp(-w) for w in cut])
    return cuts


def _check_tails(claim: ProgramClaim, tails: list[Expression]) -> None:
    here = claim.program.here
    check_sign(normal(sum((-p for p in tails), claim.delta), here), ">=", None, here)


def prices(
    noise: Noise, size: Fraction, cuts: Mapping[str, Expression]
) -> tuple[tuple[Expression, Fraction], ...]:
    """What a shift of this size costs, as a sum of (divisor, what is divided by it)."""
    if noise.law != "gaussian":
        return ((noise.scale, size),)
    if noise.name not in cuts:
        raise Rejected("Gaussian noise is shifted only where it is cut")
    along = noise.scale / sqrt(2 * cuts[noise.name])
    return (along, size), (2 * noise.scale * noise.scale, size * size)
