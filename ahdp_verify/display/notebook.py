"""Importing this module gives what is in a claim and verdicts their rich display in notebooks.

A notebook looks for the methods `_repr_html_` and `_repr_latex_` on the class of a value.  The
classes belong to the kernel, and trusted code should contain neither HTML nor LaTeX, so the two
methods are attached here, from outside.  `ahdp_verify/public.py` imports this module, so the first
public name that a notebook uses brings it; without it a notebook shows the text.

>>> from ahdp_verify.kernel.terms.expression import name
>>> (name("x") / 2)._repr_latex_()
'$\\\\frac{x}{2}$'
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.datasets import Multiset
from ahdp_verify.display import model_html, model_latex
from ahdp_verify.display.markup import latex
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.display.verdict_latex import verdict_latex
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.program_counterexample import ProgramCounterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AbstractMechanism, Composite, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.refuted import Refuted, RefutedInequality, RefutedProgram
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.verdicts import Unknown


def expression_latex(e: Expression) -> str:
    """The formula, in dollar signs."""
    return f"${latex(e)}$"


VERDICTS = (Proved, Refuted, RefutedProgram, RefutedInequality, Unknown)


def attach(kinds: tuple[type, ...], method: str, picture: Callable[..., str]) -> None:
    """Every value of these classes is displayed by this function in a notebook."""
    for kind in kinds:
        setattr(kind, method, picture)


def in_one_element(picture: Callable[..., str]) -> Callable[..., str]:
    """The same picture inside one element, which a notebook may put into a list or a row."""
    return lambda value: f"<div>{picture(value)}</div>"


CLAIMS = (Claim, CompositeClaim)
HTML: tuple[tuple[tuple[type, ...], Callable[..., str]], ...] = (
    (VERDICTS, verdict_html),
    ((Domain,), model_html.domain_html),
    ((Queries,), model_html.queries_html),
    ((Values,), model_html.values_html),
    ((Multiset,), model_html.dataset_html),
    ((Mechanism,), model_html.mechanism_html),
    ((Composite,), model_html.composite_html),
    ((AbstractMechanism,), model_html.abstract_html),
    (CLAIMS, model_html.claim_html),
    ((Program,), model_html.program_html),
    ((ProgramClaim,), model_html.program_claim_html),
    ((ProgramCounterexample,), model_html.counterexample_html),
    ((Inequality,), model_html.inequality_html),
    ((Counterexample,), model_html.counterexample_html),
)
LATEX: tuple[tuple[tuple[type, ...], Callable[..., str]], ...] = (
    ((Expression,), expression_latex),
    (VERDICTS, verdict_latex),
    ((Domain,), model_latex.domain_latex),
    ((Record,), model_latex.record_latex),
    ((Queries,), model_latex.queries_latex),
    ((Values,), model_latex.values_latex),
    ((Multiset,), model_latex.dataset_latex),
    ((Mechanism,), model_latex.mechanism_latex),
    ((Composite, AbstractMechanism), model_latex.composite_latex),
    ((*CLAIMS, ProgramClaim, Inequality), model_latex.claim_latex),
    ((Program,), model_latex.program_latex),
    ((Counterexample, ProgramCounterexample), model_latex.counterexample_latex),
)
for kinds, picture in HTML:
    attach(kinds, "_repr_html_", in_one_element(picture))
for kinds, picture in LATEX:
    attach(kinds, "_repr_latex_", picture)
