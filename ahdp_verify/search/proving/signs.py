"""The sign of a polynomial by lemmas: by its zeros, by products of facts, by its factors, or by its
coefficients.

Zeros decide a polynomial in one name and its exponential (`search.proving.one_variable`).  In more
names it may be a product of factors whose signs are found one by one, or a sum of monomials >= 0
times polynomials in one name.

>>> from ahdp_verify.search.limits import Limits
>>> e, f, clock = algebra.symbol("e"), algebra.symbol("f"), Limits().clock()
>>> here = Context.empty().given(e.num, ">").given(f.num, ">")
>>> one, two = algebra.exp_of(-e) + e - algebra.constant(1), (algebra.exp_of(f) - algebra.constant(1)) * e
>>> for p in (one, two, e - f):
...     print([(str(lemma.arguments[0]), lemma.relation) for lemma in sign_lemmas(p.num, here, clock)[-1:]])
[('e + exp(-e) - 1', '>')]
[('-e + e*exp(f)', '>')]
[]
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ahdp_verify.kernel.evidence.certificate import Lemma, Products
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, atom_names, polynomial_of_monomial
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.draft import Draft, polynomial_tree
from ahdp_verify.search.proving.exponentials import add_constant_bounds, add_exponential_facts
from ahdp_verify.search.proving.factorisation import polynomial_factors
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.one_variable import (
    exp_sign_proof,
    is_decidable,
)
from ahdp_verify.search.proving.positivity import add_positivity
from ahdp_verify.search.proving.products import prove_by_products
from ahdp_verify.search.proving.squares import square_lemmas


def sign_lemmas(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that settle the sign of p by its zeros or by products of facts, exponentials and
    constants included; none if it stays open.
    """
    draft = Draft(here)
    add_positivity(p, draft, clock)
    for relation, q in sign_goals(p):
        if (
            not here.signs(q) <= OF_RELATION[relation]
            and (shown := exp_sign_proof(q, relation, draft.here, clock)) is not None
        ):
            return (*draft.lemmas, Lemma("proved", (polynomial_tree(q),), relation, (shown,)))
    if is_decidable(p, here):
        return ()
    squares = square_lemmas(p, here, clock)
    if squares and squares[-1].relation == ">":
        return squares
    add_exponential_facts(p, draft)
    for f in draft.here.facts[len(here.facts) :]:
        add_constant_bounds(f.polynomial, draft)
    points = SamplePoints.of(here, algebra.polynomial_names(p))
    for relation, q in sign_goals(p):
        if relation == ">=" and (squares or here.signs(q) <= {0, 1}):
            continue
        if not points.may_hold(q):
            continue
        found = prove_by_products(q, relation, draft.here, clock, degrees=(1, 2))
        if found is not None:
            return (*draft.lemmas, Lemma("proved", (polynomial_tree(q),), relation, (found,)))
    return squares or factor_sign_lemmas(p, here, clock)


def sign_goals(p: Polynomial) -> tuple[tuple[str, Polynomial], ...]:
    """What is known about the sign of p, the strongest statement first."""
    return (">", p), (">", -p), (">=", p), (">=", -p)


def factor_sign_lemmas(p: Polynomial, here: Context, clock: Clock) -> tuple[Lemma, ...]:
    """Lemmas that settle the sign of p by those of its factors; none if one stays open, or if
    there is only one.
    """
    draft = Draft(here)

    def signed(f: Polynomial) -> bool:
        lemmas = sign_lemmas(f, draft.here, clock)
        for lemma in lemmas:
            draft.take(lemma)
        return bool(lemmas)

    found = signed_factorisation(p, draft, signed)
    if found is None:
        return ()
    c, numbers = found
    strict = all(draft.here.facts[i].relation == ">" for i in numbers)
    q = p if c > 0 else -p
    return (
        *draft.lemmas,
        Lemma(
            "proved",
            (polynomial_tree(q),),
            ">" if strict else ">=",
            (Products(((abs(c), numbers),)),),
        ),
    )


def signed_factorisation(
    p: Polynomial, draft: Draft, signed: Callable[[Polynomial], bool]
) -> tuple[Fraction, tuple[int, ...]] | None:
    """(c, numbers of facts f >= 0) with p = c times their product; None for a p without factors, or
    if the sign of one was not found.

    `signed` adds a fact about a factor of unknown sign to the draft, if it can.
    """
    c, listed = polynomial_factors(p)
    if len(listed) < 2 and all(k == 1 for _, k in listed):
        return None
    numbers: list[int] = []
    for f, k in sorted(listed, key=lambda pair: len(pair[0].terms)):
        if len(draft.here.signs(f)) > 2 and not (k % 2 and signed(f)):
            if k % 2:
                return None
            numbers += [draft.take(Lemma("square", (polynomial_tree(f),)))] * (k // 2)
            continue
        signs = draft.here.signs(f)
        s = 1 if signs <= {0, 1} else -1
        if not frozenset(s * x for x in signs) <= {0, 1}:
            return None
        c, numbers = (
            c * s**k,
            [*numbers, *[draft.take_sign(f.scale(s), ">" if 0 not in signs else ">=")] * k],
        )
    return c, tuple(numbers)


def prove_by_coefficients(p: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether p >= 0 was shown because p = sum of m * c(e), monomials m >= 0 in other names
    times c(e) >= 0 in one; the draft then holds it.
    """
    for e in sorted(algebra.polynomial_names(p)):
        trial = draft.copy()
        if all(_term(m, c, trial, clock) for m, c in coefficients_in_name(p, e).items()):
            draft.here, draft.lemmas, draft.terms = trial.here, trial.lemmas, trial.terms
            return True
    return False


def coefficients_in_name(p: Polynomial, e: str) -> dict[algebra.Monomial, Polynomial]:
    """The coefficient, in e and constants alone, of each monomial in the other names."""
    found: dict[algebra.Monomial, Polynomial] = {}
    for m, c in p.terms.items():
        outer = algebra.Monomial((a, k) for a, k in m.powers if atom_names(a) - {e})
        inner = algebra.Monomial((a, k) for a, k in m.powers if not atom_names(a) - {e})
        found[outer] = found.get(outer, algebra.ZERO) + polynomial_of_monomial(inner, c)
    return found


def _term(m: algebra.Monomial, c: Polynomial, draft: Draft, clock: Clock) -> bool:
    """Whether m * c >= 0 was added to the draft."""
    if not draft.here.signs(polynomial_of_monomial(m)) <= {0, 1}:
        return False
    add_positivity(c, draft, clock)
    if draft.here.signs(c) <= {0, 1}:
        number = draft.take_sign(c)
    elif (found := exp_sign_proof(c, ">=", draft.here, clock)) is not None:
        number = draft.take(Lemma("proved", (polynomial_tree(c),), ">=", (found,)))
    else:
        return False
    draft.terms.append(
        (Fraction(1), (draft.take_sign(polynomial_of_monomial(m)), number) if m else (number,))
    )
    return True
