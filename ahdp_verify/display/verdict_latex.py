"""A verdict as LaTeX: its word and the claim, without the evidence."""

from __future__ import annotations

from ahdp_verify.display.markup import latex, upright
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import WORDS_OF_ALL, AnyClaim
from ahdp_verify.kernel.model.inequality import Statement
from ahdp_verify.kernel.rules.best_power import SENSES, BestClaim
from ahdp_verify.kernel.rules.compared import Claimed
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.terms.printing import named
from ahdp_verify.kernel.unknown import Verdict

SIGNS = {"<=": r"\le", "<": "<", "==": "=", "=": "=", ">=": r"\ge", ">": ">"}


def verdict_latex(verdict: Verdict) -> str:
    """One formula, in dollar signs."""
    return rf"$\textbf{{{verdict.word}}}:\ {_claim(verdict.claim)}$"


def _claim(claim: Claimed) -> str:
    if isinstance(claim, Statement):
        return f"{latex(claim.left)} {SIGNS[claim.relation]} {latex(claim.right)}"
    if isinstance(claim, GuessClaim):
        return _power(claim)
    if isinstance(claim, BestClaim):
        said = upright(named(claim.name) or SENSES[claim.sense])
        return f"{said} {SIGNS[claim.bound]} {latex(claim.value)}"
    return _privacy(claim)


def _power(claim: GuessClaim) -> str:
    said = upright(named(claim.name) or "power")
    if claim.low == claim.high:
        return f"{said} = {latex(claim.low)}"
    return rf"{said}  \in [{latex(claim.low)}, {latex(claim.high)}]"


def _privacy(claim: AnyClaim) -> str:
    nameless = isinstance(claim, Claim) and not claim.mechanism.name
    name = "the mechanism" if nameless else str(claim.mechanism)
    slack = "" if claim.delta == ZERO else rf",\ \delta = {latex(claim.delta)}"
    return (
        rf"{upright(name)}\ \text{{is {WORDS_OF_ALL[claim.relation]} at level}}\ "
        rf"{latex(claim.level)}{slack}"
    )
