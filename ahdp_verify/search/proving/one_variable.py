"""Where a polynomial in one name e and powers of exp(e), with rational coefficients, is positive: a
complete decision for all e of an interval.

It changes its sign exactly at the zeros of irreducible factors to odd powers, which
`search.proving.root_isolation` finds. A proof that it is >= 0 or > 0 is an `ExpSign`, with the
points that the search cut the interval at; where it finds none, and the facts give no more than
bounds on e (`is_decidable`), the claim is false.

>>> from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
>>> from ahdp_verify.search.limits import Limits
>>> e, clock = symbol("e"), Limits().clock()
>>> here = Context.empty().given(e.num, ">")
>>> found = sign_pattern((exp_of(-e).scale(3) - constant(2)).num, here, clock)
>>> found.signs, found.roots[0].exact
((1, -1), -1*log(2) + log(3))
>>> exp_sign_proof((e - constant(1) + exp_of(-e)).num, ">", here, clock) is not None
True
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from weakref import WeakKeyDictionary

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.certificate import Declined, ExpSign
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.ball_between import Terms, sign_between
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import refusal_text, to_expression
from ahdp_verify.kernel.rules.exponential_sign import (
    VariableInterval,
    check_exp_sign,
    exponential_terms,
    fact_end,
    fact_interval,
    inequality_bound,
    sturm_sign,
)
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.limits import Clock, OutOfLimits
from ahdp_verify.search.proving.root_isolation import (
    IsolatedRoot,
    enclosing_multiples,
    factored_terms,
    is_strictly_inside,
    ordered_roots,
    scan_for_zeros,
    zeros_of_factor,
)

WHERE = "exppoly"
ROUGH = tuple(
    Fraction(n, 8) for n in (1, 4, 8, 16, 40)
)  # distances from the lower end at which a false requirement usually fails
FactorWithPoints = tuple[Expression, int, tuple[Fraction, ...]]  # as in an ExpSign
KEPT = 256  # answers that are kept for one search
Asked = tuple[Polynomial, str, Fact | None, Fact | None]  # a sign, and the bounds of its one name
# what the searches under one clock have found; outputs and records that a mechanism treats alike
# ask for the same sign in many cases: measured, 31 of 636 such questions are different
_shown: WeakKeyDictionary[Clock, dict[Asked, tuple[FactorWithPoints, ...] | None]] = (
    WeakKeyDictionary()
)


@dataclass(frozen=True, slots=True)
class SignPattern:
    """The signs of a polynomial in `name` on the open intervals between its zeros, from the
    lower end of `where` to the upper.
    """

    name: str
    where: VariableInterval
    signs: tuple[int, ...]
    roots: tuple[IsolatedRoot, ...]


def only_name(p: Polynomial) -> str | None:
    """The name e if p is a polynomial in e and powers of exp(e) with rational coefficients, else
    None.
    """
    used = algebra.polynomial_names(p)
    if len(used) != 1:
        return None
    (name,) = used
    try:
        exponential_terms(p, name)
    except Rejected:
        return None
    return name


def interval_facts(name: str, here: Context) -> tuple[int, int | None] | None:
    """The numbers of the facts that leave the smallest interval to a name; None without a lower
    bound.
    """
    best: dict[bool, tuple[int, Ratio, bool]] = {}
    for i, fact in enumerate(here.facts):
        if algebra.polynomial_names(fact.polynomial) != {name} or not is_bound(fact, name):
            continue
        v, lower, included = inequality_bound(fact, name)
        kept = best.get(lower)
        gap = 1 if kept is None else constant_sign((v - kept[1]).scale(1 if lower else -1))
        if gap == 1 or (gap == 0 and kept is not None and kept[2] and not included):
            best[lower] = i, v, included
    if True not in best:
        return None
    return best[True][0], (best[False][0] if False in best else None)


def is_decidable(p: Polynomial, here: Context) -> bool:
    """Whether only bounds are known of the one name of p, so that a requirement without a proof
    here is false.
    """
    name = only_name(p)
    about = [f for f in here.facts if name in algebra.polynomial_names(f.polynomial)]
    if name is not None and fixing_fact(name, here) is not None:
        return True
    return (
        name is not None
        and bool(about)
        and all(is_bound(f, name) for f in about)
        and interval_facts(name, here) is not None
    )


def is_bound(fact: Fact, name: str) -> bool:
    """Whether a fact bounds a name by a constant."""
    try:
        inequality_bound(fact, name)
    except Rejected:
        return False
    return True


def sign_pattern(p: Polynomial, here: Context, clock: Clock) -> SignPattern | Declined:
    """Where p is positive, zero and negative in the interval that the facts leave to its one
    name.
    """
    name = only_name(p)
    if name is None:
        return Declined(
            WHERE,
            "it is not a polynomial in one name and its exponential with rational coefficients",
        )
    numbers = interval_facts(name, here)
    if numbers is None:
        return Declined(WHERE, f"no fact bounds {name} from below")
    where = fact_interval(*numbers, name, here)
    try:
        return pattern_of_terms(exponential_terms(p, name), name, where, clock)
    except OutOfLimits as stop:
        return Declined(WHERE, stop.reason)
    except (Unsupported, Rejected) as reason:
        return Declined(WHERE, refusal_text(reason))


def pattern_of_terms(f: Terms, name: str, where: VariableInterval, clock: Clock) -> SignPattern:
    """The pattern of a table of terms."""
    unit, _, listed = factored_terms(f)
    current, roots = (1 if unit > 0 else -1), []
    for factor, power in listed:
        found, last = zeros_of_factor(factor, bool(power % 2), where, clock)
        roots += found
        current *= last**power
    ordered = ordered_roots(roots, clock)
    signs = [current]
    for root in reversed(ordered):
        signs.append(-signs[-1] if root.odd else signs[-1])
    return SignPattern(name, where, tuple(reversed(signs)), ordered)


def separating_guard(p: Polynomial, here: Context, clock: Clock) -> tuple[Polynomial, bool] | None:
    """(e - x, whether x is a zero of p) for an x that splits the facts into cases in each of which
    p has one sign; None where there is none.

    A case p > 0 gives no bound on e from which other signs follow; a case e > x does.
    """
    name = only_name(p)
    if name is None or fixing_fact(name, here) is not None or is_bound(Fact(p, ">"), name):
        return None
    found = sign_pattern(p, here, clock)
    if isinstance(found, Declined):
        return None
    e = symbol(name)
    for root in found.roots:
        places = (
            list(map(constant, enclosing_multiples(root, clock)))
            if root.exact is None or root.exact.den
            else [root.exact]
        )
        for x in places:
            if len(here.signs((e - x).num)) > 1 and is_strictly_inside(x, found.where):
                return (e - x).num, len(places) == 1
    return None


def exp_sign_proof(p: Polynomial, relation: str, here: Context, clock: Clock) -> ExpSign | None:
    """A proof of p >= 0 (or > 0) for all values that the facts leave to its one name, or None."""
    name = only_name(p)
    if name is None or relation not in (">=", ">"):
        return None
    if (fixed := fixing_fact(name, here)) is not None:
        return checked_proof(p, relation, ExpSign((), fixed), here)
    numbers = interval_facts(name, here)
    if numbers is None:
        return None
    low, high = (None if i is None else here.facts[i] for i in numbers)
    asked, shown = (p, relation, low, high), _shown.setdefault(clock, {})
    if asked not in shown:
        if len(shown) >= KEPT:
            shown.clear()
        shown[asked] = _shown_factors(p, relation, (low, high), clock)
    found = shown[asked]
    return None if found is None else ExpSign(found, *numbers)


def _shown_factors(
    p: Polynomial, relation: str, bounds: tuple[Fact | None, Fact | None], clock: Clock
) -> tuple[FactorWithPoints, ...] | None:
    """The factors with points that show p >= 0 (or > 0) between these bounds of its one name, or
    None.
    """
    here = Context.empty()
    for fact in bounds:
        here = here if fact is None else here.given(fact.polynomial, fact.relation)
    (name,) = algebra.polynomial_names(p)
    ends = (0, None if bounds[1] is None else 1)
    where, f = fact_interval(*ends, name, here), exponential_terms(p, name)
    try:
        if is_negative_somewhere(f, where):
            return None
        found = factors_with_points(f, name, relation == ">", where, clock)
        if found is None or checked_proof(p, relation, ExpSign(found, *ends), here) is None:
            return None
        return found
    except (Unsupported, Rejected):
        return None


def checked_proof(p: Polynomial, relation: str, found: ExpSign, here: Context) -> ExpSign | None:
    """The proof itself if the checker takes it."""
    try:
        check_exp_sign(p, relation, found, here)
    except (Unsupported, Rejected):
        return None
    return found


def fixing_fact(name: str, here: Context) -> int | None:
    """The number of a fact that says which constant a name is."""
    return next(
        (
            i
            for i, f in enumerate(here.facts)
            if f.relation == "="
            and algebra.polynomial_names(f.polynomial) == {name}
            and is_fixing(f, name)
        ),
        None,
    )


def is_fixing(fact: Fact, name: str) -> bool:
    """Whether an equality can be solved for a name."""
    try:
        fact_end(fact, name)
    except Rejected:
        return False
    return True


def is_negative_somewhere(f: Terms, where: VariableInterval) -> bool:
    """Whether f is negative at one of a few points."""
    start = enclose(where.low)[1]
    points = [constant(start + d) for d in ROUGH]
    kept = [x for x in points if where.high is None or constant_sign(where.high - x) == 1]
    return any(sign_between(f, x, x) == -1 for x in kept)


def factors_with_points(
    f: Terms, name: str, strict: bool, where: VariableInterval, clock: Clock
) -> tuple[FactorWithPoints, ...] | None:
    """The factors of f with the points that show their signs; None if one of them has a zero
    where it must not.
    """
    unit, rate, listed = factored_terms(f)
    result: list[FactorWithPoints] = [
        (to_expression(Ratio(polynomial_of_terms({(0, rate): unit}, name))), 1, ())
    ]
    for factor, power in listed:
        points: tuple[Fraction, ...] | None = ()
        if power % 2 or strict:
            points = sign_points(factor, where, clock)
        if points is None:
            return None
        result.append((to_expression(Ratio(polynomial_of_terms(factor, name))), power, points))
    return tuple(result[1:]) if unit == 1 and rate == 0 and listed else tuple(result)


def sign_points(f: Terms, where: VariableInterval, clock: Clock) -> tuple[Fraction, ...] | None:
    """The points that cut the interval so that the sign of f shows, none where counting roots is
    enough; None if f has a zero inside.
    """
    if not any(k for k, _ in f):
        try:
            sturm_sign(f, where)
            return ()
        except (Rejected, Unsupported):
            pass
    scan = scan_for_zeros(f, where, clock, True)
    return None if scan.brackets else tuple(dict.fromkeys(scan.stops))


def polynomial_of_terms(f: Terms, name: str) -> Polynomial:
    """The polynomial of a table of terms."""
    e = algebra.name_atom(name)
    x = algebra.exp_atom(algebra.Monomial(((e, 1),)), ())
    return Polynomial({algebra.monomial_of_powers({e: k, x: a})[1]: c for (k, a), c in f.items()})
