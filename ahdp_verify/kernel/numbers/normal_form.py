"""The normal form of an expression under hypotheses, and whether a condition holds there.

`normal` turns a tree into a ratio of polynomials: absolute values, maxima and branches are resolved
where the facts give the sign, absolute values of unknown sign stay as atoms, an unknown branch,
divisor or logarithm raises `Undecided` with the polynomial whose sign is missing.  `to_expression`
turns a ratio back into a tree.

>>> from ahdp_verify.kernel.terms.expression import Abs, Max, name
>>> a, b = name("a"), name("b")
>>> here = Context.empty().given(normal(a - b, Context.empty()).num, ">=")
>>> normal(Abs(a - b) + Max(a, b), here).key
'2*a + -1*b'
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from functools import lru_cache, reduce

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import Undecided, Undefined, Unsupported
from ahdp_verify.kernel.numbers import algebra, hypotheses
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio, constant, ratio_of_atom
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import ANY, OF_RELATION, Context, Signs, sign_of
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import ONE, Expression, multiply, number
from ahdp_verify.kernel.terms.printing import short_text
from ahdp_verify.kernel.terms.words import SMOOTH

NOT_KNOWN = (Undecided, Unsupported, ZeroDivisionError)  # a value, a sign or a truth value
ONE_SIDED = (OF_RELATION[">="], OF_RELATION["<="])
# characters of a maximum in absolute values, doubled by each of unknown sign; the longest in a
# stored proof, of four quotients, has 20,000 to 25,000
LONGEST = 25_000
CHOSEN = 16  # largest k for which binomial(n, k) is written as a polynomial in n, of degree k


def abs_of(r: Ratio, here: Context) -> Ratio:
    """|r| here: parts of known sign resolved, the rest as one atom for each name and one for the
    remaining factor.
    """
    signs = here.ratio_signs(r)
    if signs <= {0, 1}:
        return r
    if signs <= {0, -1}:
        return -r
    c, m, primitive = algebra.primitive_part(r.num)
    result = constant(abs(c)) * _abs_polynomial(primitive, here)
    for a, e in m.powers:
        result = result * (
            ratio_of_atom(a, e)
            if a.kind in algebra.INVERTIBLE
            else _abs_polynomial(algebra.polynomial_of_atom(a), here) ** int(e)
        )
    for f, k in r.den:
        result = result / _abs_divisor(f, here) ** k
    return result


def _abs_divisor(f: Polynomial, here: Context) -> Ratio:
    return Ratio(f) if sign_of(f, here) > 0 else -Ratio(f)


def _abs_polynomial(p: Polynomial, here: Context) -> Ratio:
    signs = here.signs(p)
    if signs <= {0, 1}:
        return Ratio(p)
    if signs <= {0, -1}:
        return -Ratio(p)
    return ratio_of_atom(abs_atom(p))


def abs_atom(p: Polynomial) -> Atom:
    """The atom |p| of a primitive polynomial."""
    return Atom("abs", (Ratio(p),), f"|{p.key}|")


def normal(e: Expression, here: Context) -> Ratio:
    """The canonical ratio of e here.

    Raises Undecided(p) if the sign of p is needed and not known, Unsupported for expressions
    without a ratio (oo, labels, records), ZeroDivisionError for a divisor that is zero here.
    """
    rule = _NORMAL.get(e.head, _refuse)
    if e.head in ex.LEAVES:
        return rule(e, here)
    found: Ratio | None = here.worked.get(e)
    if found is not None:
        return found
    spend()
    if not (here.facts or here.germ or here.values):
        return _normal_without_facts(e, here.integers)
    return here.once(e, lambda: rule(e, here))


@lru_cache(maxsize=8192)  # contexts without facts live as long as the process, and must not grow
def _normal_without_facts(e: Expression, integers: frozenset[str]) -> Ratio:
    return _NORMAL.get(e.head, _refuse)(e, Context.empty(integers))


def _name(text: str, here: Context) -> Ratio:
    if not here.values:
        return algebra.symbol(text)
    return next((v for n, v in here.values if n == text), algebra.symbol(text))


def _refuse(e: Expression, _: Context) -> Ratio:
    raise Unsupported(f"{short_text(str(e))} is not a number")


def _arguments(e: Expression, here: Context) -> list[Ratio]:
    return [normal(a, here) for a in e.args]


def require_nonzero(r: Ratio, here: Context) -> Ratio:
    """r itself once it is known not to vanish here."""
    if r.is_zero:
        raise ZeroDivisionError
    if 0 in here.signs(r.num):
        raise Undecided(hypotheses.open_factor(r.num, here))
    return r


def require_positive(r: Ratio, here: Context) -> Ratio:
    """r itself once it is known to be positive here."""
    signs = here.ratio_signs(r)
    if signs == {1}:
        return r
    for p in (r.num, *(f for f, _ in r.den)):
        if len(here.signs(p)) != 1:
            raise Undecided(hypotheses.open_factor(p, here))
    raise Undefined(f"the logarithm or a root of {message_text(r)} is taken, which is not positive")


def _power(e: Expression, here: Context) -> Ratio:
    base, exponent = normal(e.args[0], here), normal(e.args[1], here)
    value = exponent.as_rational
    if value is None or value.denominator != 1:
        if base.is_zero or here.signs(base.num) == hypotheses.ZERO_ONLY:
            counted = value is None and _counts(exponent, here) and sign_of(exponent.num, here) > 0
            if counted or (value is not None and value > 0):
                return constant(0)  # 0^n for n > 0
        base = require_positive(base, here)
    elif value < 0:
        base = require_nonzero(base, here)
    if value is not None and value.denominator > 1 and algebra.ratio_names(base):
        from ahdp_verify.kernel.numbers.smooth import root_of

        return root_of(base, value, here.signs)
    found = algebra.ratio_power(base, exponent)
    # a root to a whole power: (2 log(2))^(1/2) squared is 2 log(2)
    terms = (pair for m in found.num.terms for pair in m.powers)
    whole = (a.payload[0].single for a, e in terms if a.kind == "exp" and e.denominator == 1)
    if any(inner is not None and inner.kind == "log" for inner in whole):
        from ahdp_verify.kernel.numbers.smooth import with_whole_powers

        return with_whole_powers(found)
    return found


def _extreme(e: Expression, here: Context) -> Ratio:
    best = normal(e.args[0], here)
    for a in e.args[1:]:
        other = normal(a, here)
        if is_extreme_atom(best) or is_extreme_atom(other):
            return extreme_atom(e, here)
        gap = abs_of(best - other, here)
        best = (best + other + gap if e.head == "max" else best + other - gap).scale(Fraction(1, 2))
        if len(best.key) > LONGEST:
            return extreme_atom(e, here)
    return best


def is_extreme_atom(r: Ratio) -> bool:
    """Whether a ratio is a maximum or minimum kept as one atom."""
    if r.den or len(r.num.terms) != 1:
        return False
    ((m, c),) = r.num.terms.items()
    return c == 1 and m.single is not None and m.single.kind in hypotheses.EXTREMES


def extreme_atom(e: Expression, here: Context) -> Ratio:
    """A maximum or minimum as one atom of its distinct arguments, in the order of their texts;
    extremes among them are kept as atoms too.
    """
    listed = (
        extreme_atom(a, here) if a.head in hypotheses.EXTREMES else normal(a, here) for a in e.args
    )
    distinct = [r for _, r in sorted({r.key: r for r in listed}.items())]
    return (
        distinct[0]
        if len(distinct) == 1
        else ratio_of_atom(
            Atom(e.head, tuple(distinct), f"{e.head}({', '.join(r.key for r in distinct)})")
        )
    )


def _sign(e: Expression, here: Context) -> Ratio:
    r = normal(e.args[0], here)
    return constant(sign_of(r.num, here) * math.prod(sign_of(f, here) ** k for f, k in r.den))


def is_whole(r: Ratio, here: Context) -> bool:
    """True only if r takes integer values: a polynomial with integer coefficients in integer names,
    floors and absolute values of integers.
    """
    return not r.den and all(
        c.denominator == 1 and _whole_monomial(m, here) for m, c in r.num.terms.items()
    )


def _whole_monomial(m: algebra.Monomial, here: Context) -> bool:
    return all(
        a.kind == "floor"
        or (a.kind == "name" and a.payload in here.integers)
        or (a.kind == "abs" and is_whole(a.payload[0], here))
        for a, _ in m.powers
    )


def floor_of(r: Ratio, here: Context) -> Ratio:
    """floor(r): a number if known bounds of r determine it, else the integer terms of r plus the
    floor of the others as one atom.
    """
    if (value := r.as_rational) is not None:
        return constant(math.floor(value))
    if not algebra.ratio_names(r):
        low, high = enclose(r, 256)
        return constant(math.floor(low)) if math.floor(low) == math.floor(high) else _floor_atom(r)
    if not r.den and (settled := _floor_between(_bounds(r.num, here))) is not None:
        return constant(settled)
    whole = _whole_part(_undivided(r), here)
    rest = r - whole
    return whole + (_floor_atom(rest) if algebra.ratio_names(rest) else floor_of(rest, here))


def _undivided(r: Ratio) -> Polynomial:
    """The terms of r whose divisor cancels, where r has at most one divisor and that is one
    atom.
    """
    if not r.den:
        return r.num
    (f, k), *others = r.den
    if others or k != 1 or len(f.terms) != 1:
        return algebra.ZERO
    (divisor,) = f.terms
    listed = {m: algebra.monomial_quotient(m, divisor) for m in r.num.terms}
    return Polynomial(
        {
            q[1]: algebra.quotient(r.num.terms[m] * q[0], f.terms[divisor])
            for m, q in listed.items()
            if q is not None
        }
    )


def _whole_part(p: Polynomial, here: Context) -> Ratio:
    """The integer terms of p, and the integer part of its constant."""
    terms = {
        m: Fraction(math.floor(c)) if not m else c
        for m, c in p.terms.items()
        if not m or (c.denominator == 1 and _whole_monomial(m, here))
    }
    return Ratio(Polynomial({m: c for m, c in terms.items() if c}))


def _floor_atom(r: Ratio) -> Ratio:
    return ratio_of_atom(Atom("floor", (r,), f"floor({r.key})"))


Bound = tuple[Fraction, bool] | None  # a rational bound and whether it is strict
EITHER = (1, -1)


def _bounds(p: Polynomial, here: Context, deeper: bool = True) -> tuple[Bound, Bound]:
    """Rational bounds of p from below and from above, read off known signs: of p - c, or of q
    where p = k * q + r has bounds of r.
    """
    if (value := p.as_rational) is not None:
        return (value, False), (value, False)
    found: dict[int, Bound] = dict.fromkeys(EITHER)
    spend(len(here.known))
    for q, signs in here.known.items():
        for m in q.terms:
            if not m or m not in p.terms:
                continue
            k = p.coefficient(m) / q.coefficient(m)
            rest = p - q.scale(k)
            if rest.as_rational is None and not (deeper and len(rest.terms) < len(p.terms)):
                continue
            moved = frozenset(s if k > 0 else -s for s in signs)
            for side, bound in zip(EITHER, _bounds(rest, here, False), strict=True):
                if -side not in moved and bound is not None:
                    found[side] = _tighter(
                        found[side], (bound[0], bound[1] or 0 not in moved), side
                    )
            break
    return found[1], found[-1]


def _tighter(a: Bound, b: tuple[Fraction, bool], side: int) -> Bound:
    return b if a is None or (side * b[0], b[1]) > (side * a[0], a[1]) else a


def _floor_between(bounds: tuple[Bound, Bound]) -> int | None:
    """The floor of everything between the bounds, if that is one number."""
    low, high = bounds
    if low is None or high is None:
        return None
    least, most = math.floor(low[0]), math.ceil(high[0]) - 1 if high[1] else math.floor(high[0])
    return least if least == most else None


def _function(e: Expression, here: Context) -> Ratio:
    from ahdp_verify.kernel.numbers.smooth import function_value

    r, needed = normal(e.args[0], here), {"Ei": require_nonzero, "theta3": require_positive}
    return function_value(e.head, needed[e.head](r, here) if e.head in needed else r)


def _mod(e: Expression, here: Context) -> Ratio:
    a, b = normal(e.args[0], here), normal(e.args[1], here)
    return a - b * floor_of(a / require_nonzero(b, here), here)


def _binomial(e: Expression, here: Context) -> Ratio:
    n, k = _arguments(e, here)
    total, chosen = n.as_rational, k.as_rational
    if (
        chosen is None
        or chosen.denominator != 1
        or (total is None and not (0 <= chosen <= CHOSEN and _counts(n, here)))
    ):
        raise Unsupported("binomial of anything but integers up to 4096")
    if total is None:
        return _chosen(n, int(chosen), here)
    if total.denominator != 1 or not 0 <= total <= 4096:
        raise Unsupported("binomial of anything but integers up to 4096")
    return constant(math.comb(int(total), int(chosen)) if 0 <= chosen <= total else 0)


def _counts(n: Ratio, here: Context) -> bool:
    """True only if n is a sum of integer multiples of integer names."""
    whole = not n.den and all(c.denominator == 1 for c in n.num.terms.values())
    return whole and all(
        a.kind == "name" and a.payload in here.integers for a in algebra.polynomial_atoms(n.num)
    )


def _chosen(n: Ratio, k: int, here: Context) -> Ratio:
    """n (n - 1) ... (n - k + 1) / k! for an integer n >= k, 0 below; Undecided until it is known
    which.
    """
    sign_of_count = here.ratio_signs(n)
    if not sign_of_count <= {0, 1}:
        sign_of(n.num, here)
        raise Unsupported("binomial of a negative number")
    order = sign_of((n - constant(k)).num, here)
    result = constant(1 if order >= 0 else 0)
    for i in range(k if order > 0 else 0):
        result = result * (n - constant(i)).scale(Fraction(1, i + 1))
    return result


def _piecewise(e: Expression, here: Context) -> Ratio:
    return normal(branch_value(e, here), here)


def branch_value(e: Expression, here: Context) -> Expression:
    """The value of the branch of a piecewise node that holds here; Undecided if that is not
    known.
    """
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        if truth(condition, here):
            chosen: Expression = value
            return chosen
    raise Undefined("a piecewise expression has no branch that holds; end it with (value, true)")


_NORMAL = {
    "number": lambda e, here: constant(algebra.exact(e.args[0])),
    "name": lambda e, here: _name(e.args[0], here),
    "pi": lambda e, here: algebra.PI,
    "+": lambda e, here: reduce(operator.add, _arguments(e, here)),
    "*": lambda e, here: reduce(operator.mul, _arguments(e, here)),
    "^": _power,
    "exp": lambda e, here: algebra.exp_of(normal(e.args[0], here)),
    "log": lambda e, here: algebra.log_of(require_positive(normal(e.args[0], here), here)),
    "abs": lambda e, here: abs_of(normal(e.args[0], here), here),
    "max": _extreme,
    "min": _extreme,
    "sign": _sign,
    "floor": lambda e, here: floor_of(normal(e.args[0], here), here),
    **dict.fromkeys((*SMOOTH, "Ei", "theta3"), _function),
    "mod": _mod,
    "binomial": _binomial,
    "piecewise": _piecewise,
}


def signs_of(e: Expression, here: Context) -> Signs:
    """The signs that e can have here, from those of its factors and terms as written or, if these
    do not decide it, expanded.
    """
    if e.head == "exp":
        return OF_RELATION[">"]
    if e.head == "piecewise":
        return signs_of(branch_value(e, here), here)
    signs = ANY
    if e.head == "*":
        signs = OF_RELATION[">"]
        for a in e.args:
            signs = hypotheses.product_signs(signs, signs_of(a, here))
    elif e.head == "+":
        parts = [signs_of(a, here) for a in e.args]
        one_sided = next((s for s in (1, -1) if all(-s not in p for p in parts)), None)
        signs = (
            _signs_against_exponential(e, here)
            if one_sided is None
            else frozenset((one_sided,) if any(p == {one_sided} for p in parts) else (0, one_sided))
        )
    elif e.head == "^" and e.args[1].head == "number" and e.args[1].args[0] % 2 == 0:
        return frozenset(x * x for x in signs_of(e.args[0], here))
    elif e.head == "^" and signs_of(e.args[0], here) == {1}:
        return OF_RELATION[">"]
    elif (
        e.head == "^"
        and signs_of(e.args[0], here) <= {0, 1}
        and here.ratio_signs(normal(e.args[1], here)) == {1}
    ):
        return OF_RELATION[">="]
    return signs if len(signs) == 1 or signs in ONE_SIDED else here.ratio_signs(normal(e, here))


def known_signs(e: Expression, here: Context) -> Signs:
    """The signs that e can have here; every one where that is not known."""
    try:
        return signs_of(e, here)
    except NOT_KNOWN:
        return ANY


def _signs_against_exponential(e: Expression, here: Context) -> Signs:
    """The signs of a + b exp(u) for numbers a and b of opposite signs: those of log(-a/b) - u,
    and the opposite ones if a < 0.  ANY for other sums.
    """
    if len(e.args) != 2 or [a.head for a in e.args].count("number") != 1:
        return ANY
    a, other = sorted(e.args, key=lambda part: part.head != "number")
    b, power = (
        (other.args[0], other.args[1])
        if other.head == "*" and len(other.args) == 2
        else (ONE, other)
    )
    if power.head != "exp" or b.head != "number" or a.args[0] * b.args[0] >= 0:
        return ANY
    gap = ex.add(ex.log(number(-a.args[0] / b.args[0])), multiply(number(-1), power.args[0]))
    side = frozenset((1 if a.args[0] > 0 else -1,))
    return hypotheses.product_signs(side, signs_of(gap, here))


def truth(condition: Expression, here: Context) -> bool:
    """Whether the condition holds here; Undecided(p) if that depends on an unknown sign of p."""
    if condition.head == "boolean":
        return bool(condition.args[0])
    if condition.head == "not":
        return not truth(condition.args[0], here)
    if condition.head in ("and", "or"):
        return _connective(condition, here)
    if condition.head in ("==", "!=", "<", "<="):
        return _comparison(condition, here)
    raise Unsupported(f"{short_text(str(condition))} is not a condition")


def known_truth(condition: Expression, here: Context) -> bool | None:
    """Whether the condition holds here; None if that is not known."""
    try:
        return truth(condition, here)
    except NOT_KNOWN:
        return None


def _connective(condition: Expression, here: Context) -> bool:
    decisive, missing = condition.head == "or", None
    for part in condition.args:
        try:
            if truth(part, here) is decisive:
                return decisive
        except Undecided as reason:
            missing = missing or reason
    if missing is not None:
        raise missing
    return not decisive


def _comparison(condition: Expression, here: Context) -> bool:
    left, right = condition.args
    if "label" in (left.head, right.head):
        return _labels(condition.head, left, right, here)
    if "oo" in (left.head, right.head):
        return _infinite(condition.head, left, right)
    gap = normal(left, here) - normal(right, here)
    signs = here.ratio_signs(gap)
    allowed = OF_RELATION["=" if condition.head == "==" else condition.head]
    if signs <= allowed:
        return True
    if not signs & allowed:
        return False
    raise Undecided(
        next(
            (
                hypotheses.open_factor(p, here)
                for p in (*(f for f, _ in gap.den), gap.num)
                if len(here.signs(p)) > 1
            ),
            gap.num,
        )
    )


def _labels(head: str, left: Expression, right: Expression, here: Context) -> bool:
    """Equality with a label: a label equals only itself, and never a number; an expression with
    names may still become a label.
    """
    for side in (left, right):
        if head in ("<", "<=") or ex.names(side):
            raise Unsupported("a label can only be compared by == and != with a value")
        if side.head not in ("label", "number", "oo"):
            normal(side, here)
    return (left == right) is (head == "==")


def _infinite(head: str, left: Expression, right: Expression) -> bool:
    if left == right:
        return head in ("==", "<=")
    if any(part == ex.oo for side in (left, right) if side != ex.oo for part in ex.walk(side)):
        raise Unsupported("oo stands inside a comparison with oo")
    return head == "!=" or (head in ("<", "<=") and right.head == "oo")


def assume_condition(condition: Expression, here: Context) -> Context:
    """This context with the facts that a condition gives; alternatives and != give none (which only
    weakens the assumptions).
    """
    if condition.head == "and":
        for part in condition.args:
            here = assume_condition(part, here)
        return here
    if condition.head not in ("==", "<", "<=") or any(
        a.head in ("oo", "label") for a in condition.args
    ):
        return here
    gap = normal(condition.args[1], here) - normal(condition.args[0], here)
    return hypotheses.with_ratio_fact(gap, {"==": "=", "<": ">", "<=": ">="}[condition.head], here)


def to_expression(r: Ratio) -> Expression:
    """The tree of a ratio, whose normal form is that ratio again."""
    bottom = [
        ex.reciprocal(_tree(f)) if k == 1 else Expression("^", (_tree(f), number(-k)))
        for f, k in r.den
    ]
    return multiply(_tree(r.num), *bottom)


def message_text(thing: Polynomial | Ratio | Atom, most: int = 80) -> str:
    """The text of a polynomial, a ratio or an atom for a message."""
    r = (
        ratio_of_atom(thing)
        if isinstance(thing, Atom)
        else Ratio(thing)
        if isinstance(thing, Polynomial)
        else thing
    )
    return short_text(str(to_expression(r)), most)


def refusal_text(why: Exception) -> str:
    """The text of an error in an exact step: which sign is not known, or what else was not
    shown.
    """
    if isinstance(why, Undecided):
        return (
            f"the sign of {message_text(why.guard)} is not known"
            if isinstance(why.guard, Polynomial)
            else "a sign is not known"
        )
    return (
        "a divisor was not shown to be nonzero" if isinstance(why, ZeroDivisionError) else str(why)
    )


def no_value_text(why: Exception) -> str:
    """The message for a constant whose value could not be computed; it states that it has none, if
    that is so.
    """
    return (
        "has no value"
        if has_no_value(why)
        else f"has no value that was found ({refusal_text(why)})"
    )


def has_no_value(why: Exception) -> bool:
    """True only if the expression has no value; False if none was found."""
    return isinstance(why, Undefined | ZeroDivisionError)


def _tree(p: Polynomial) -> Expression:
    terms = sorted(p.terms.items())
    return (
        ex.add(*(multiply(number(c), *(_atom_tree(a, e) for a, e in m.powers)) for m, c in terms))
        if terms
        else number(0)
    )


def _atom_tree(a: Atom, e: algebra.Rational) -> Expression:
    if a.kind == "exp":
        m, den = a.payload
        return Expression("exp", (to_expression(Ratio(algebra.polynomial_of_monomial(m, e), den)),))
    if a.kind == "prime":
        return Expression("^", (number(a.payload), number(e)))
    base = ex.name(a.payload) if a.kind == "name" else _function_tree(a)
    return base if e == 1 else Expression("^", (base, number(e)))


def _function_tree(a: Atom) -> Expression:
    if a.kind == "pi":
        return Expression("pi")
    arguments = (a.payload,) if a.kind == "log" else a.payload
    return Expression(a.kind, tuple(to_expression(r) for r in arguments))
