"""The one name of an exponential polynomial, shown to be positive by other facts.

>>> from ahdp_verify.kernel.numbers.hypotheses import Context
>>> from ahdp_verify.search.limits import Limits
>>> e, d = algebra.symbol("e"), algebra.symbol("d")
>>> draft = Draft(Context.empty().given((e - d).num, ">=").given(d.num, ">"))
>>> add_positivity((e * e).num, draft, Limits().clock())
>>> [(str(lemma.arguments[0]), lemma.relation) for lemma in draft.lemmas]
[('e', '>')]
"""

from __future__ import annotations

from ahdp_verify.kernel.evidence.certificate import Lemma
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.one_variable import fixing_fact, interval_facts, only_name
from ahdp_verify.search.proving.products import prove_by_products


def add_positivity(p: Polynomial, draft: Draft, clock: Clock) -> None:
    """The one name of an exponential polynomial shown to be > 0 or >= 0 by other facts (e >= d
    and d > 0), if none bounds it from below.
    """
    name_ = only_name(p)
    if (
        name_ is None
        or fixing_fact(name_, draft.here) is not None
        or interval_facts(name_, draft.here) is not None
    ):
        return
    e = algebra.symbol(name_).num
    for relation in (">", ">="):
        if (found := prove_by_products(e, relation, draft.here, clock, degrees=(1,))) is not None:
            draft.take(Lemma("proved", (polynomial_tree(e),), relation, (found,)))
            return
