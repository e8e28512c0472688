"""A proof under construction: the lemmas taken so far, the facts that they add, and the products
already in the sum.

A draft extends its context with every lemma at once, as the checker will, so a lemma whose
conditions do not hold is rejected here.

>>> from ahdp_verify.kernel.numbers.algebra import constant, symbol
>>> e = symbol("e")
>>> draft = Draft(Context.empty().given(e.num, ">"))
>>> draft.take_sign((e * e + e).num), draft.take_sign(e.num)
(1, 0)
>>> draft.offer(Lemma("sign", (polynomial_tree((e - constant(1)).num),)))
>>> [str(lemma.arguments[0]) for lemma in draft.lemmas]
['e + e^2']
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Enumeration, Evidence, Lemma, SolverWord
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import Expression


def polynomial_tree(p: Polynomial) -> Expression:
    """The tree of a polynomial."""
    return to_expression(Ratio(p))


def with_lemmas(lemmas: tuple[Lemma, ...], evidence: Evidence) -> Evidence:
    """The evidence with more lemmas in front."""
    if not lemmas or isinstance(evidence, SolverWord | Enumeration):
        return evidence
    return replace(evidence, lemmas=(*lemmas, *evidence.lemmas))


class Draft:
    """A growing proof: lemmas taken so far, the context before and with them, and products that are
    already part of the sum.
    """

    def __init__(self, here: Context, before: Context | None = None) -> None:
        self.here = here
        self.before = before or here  # the lemmas follow from it, so it has the same points
        self.lemmas: tuple[Lemma, ...] = ()
        self.terms: list[tuple[Fraction, tuple[int, ...]]] = []

    def copy(self) -> Draft:
        """Another draft that starts from what this one has."""
        other = Draft(self.here, self.before)
        other.lemmas, other.terms = self.lemmas, list(self.terms)
        return other

    def take(self, lemma: Lemma) -> int:
        """The number of the fact that the lemma adds."""
        self.here = extend_context((lemma,), self.here)
        self.lemmas = (*self.lemmas, lemma)
        return len(self.here.facts) - 1

    def take_known(self, p: Polynomial, lemma: Lemma) -> int:
        """The number of the fact about p that the lemma adds, where both are known to fit: it is
        not looked at again before the whole certificate is checked.
        """
        self.here = self.here.given(p, lemma.relation)
        self.lemmas = (*self.lemmas, lemma)
        return len(self.here.facts) - 1

    def offer(self, lemma: Lemma) -> None:
        """The lemma taken if its conditions hold; a heuristic may propose one that does not."""
        try:
            self.take(lemma)
        except (Rejected, Undecided, Unsupported):
            return

    def take_sign(self, p: Polynomial, relation: str = ">=") -> int:
        """The number of a fact p >= 0 that follows from signs."""
        known = next(
            (
                i
                for i, f in enumerate(self.here.facts)
                if f.polynomial == p and f.relation in (relation, ">")
            ),
            None,
        )
        return self.take(Lemma("sign", (polynomial_tree(p),), relation)) if known is None else known
