"""Expression trees as SMT-LIB 2 text over reals and integers: one text, which each solver reads
with its own parser.

Absolute values, minima, maxima, signs and branches are written as they are, with `ite`; nothing is
resolved beforehand. What the theory of reals lacks becomes a fresh real constrained by true facts:
pi and logarithms of primes between rationals, a power exp(m) with exp(m) >= 1 + m and exp(m) (1 -
m) <= 1, roots and logarithms with theirs where they exist. So every point at which the trees take
their values satisfies the text: `unsat` speaks about the trees, `sat` may be due to a missing fact.
Where a divisor is 0, `/` may be anything.

>>> from ahdp_verify.kernel.terms.expression import name
>>> script = Script()
>>> script.add("<", script.term(Expression("abs", (name("s"),))), script.term(number(Fraction(1, 2))))
>>> print(script.text)
(set-logic QF_LRA)
(declare-const |$s| Real)
(declare-const t!1 Real)
(assert (= t!1 (ite (>= |$s| 0.0) |$s| (- |$s|))))
(assert (< t!1 (/ 1.0 2.0)))
(check-sat)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    LEAVES,
    Expression,
    add,
    log,
    multiply,
    names,
    number,
    oo,
    walk,
)
from ahdp_verify.kernel.terms.printing import short_text
from ahdp_verify.search.solvers.exponents import (
    ExpandedSum,
    Monomial,
    expand_logarithm,
    expand_sum,
    product_of,
)

# largest power of a unit exp(m/N) as which an exponential is written; beyond it the exponential is
# a separate real
MOST_POWER = 24
LARGEST = 8192  # bits of a number that is written as a literal
BITS = 128  # bits of the rational ends that enclose constants

ORDER = {"<": "<", "<=": "<=", "==": "=", "!=": "distinct", "and": "and", "or": "or", "not": "not"}


def real_literal(value: Fraction) -> str:
    """A rational number as a term of sort Real; Unsupported for one of more than LARGEST bits."""
    if max(abs(value.numerator), value.denominator).bit_length() > LARGEST:
        raise Unsupported(f"a number of more than {LARGEST} bits")
    size = (
        f"{abs(value.numerator)}.0"
        if value.denominator == 1
        else f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    )
    return size if value >= 0 else f"(- {size})"


def n_ary(head: str, terms: Iterable[str]) -> str:
    """The application of + or * to any number of terms, or the one term itself."""
    listed = list(terms)
    return listed[0] if len(listed) == 1 else f"({head} {' '.join(listed)})"


def _small(exponent: Fraction) -> bool:
    return abs(exponent.numerator) <= 4 * MOST_POWER and exponent.denominator <= MOST_POWER


class Script:
    """A growing text: declarations and assertions, each tree written once; `integers` are the
    names that are whole numbers.
    """

    def __init__(self, integers: frozenset[str] = frozenset()) -> None:
        self.integers, self.lines = integers, []  # type: frozenset[str], list[str]
        self.nonlinear, self.whole, self.fresh = False, False, 0
        self.done: dict[Expression, str] = {}
        self.units: dict[
            Monomial, tuple[int, str]
        ] = {}  # m -> (N, the real that stands for exp(m/N))
        self.others: dict[
            tuple[Monomial, Fraction], str
        ] = {}  # powers that are far from their unit
        self.inverses: dict[str, str] = {}
        self.exponents: list[
            tuple[str, str]
        ] = []  # (x, the real that stands for exp(x)), both as fresh symbols
        self.roots: dict[tuple[Expression, int], str] = {}
        self.named: dict[str, str] = {}  # name -> symbol of the text

    @property
    def text(self) -> str:
        """The whole text, with the smallest logic that it needs and the question at its end."""
        logic = "QF_" + ("N" if self.nonlinear else "L") + ("I" if self.whole else "") + "RA"
        return "\n".join((f"(set-logic {logic})", *self.lines, "(check-sat)"))

    def add(self, head: str, *terms: str) -> None:
        """One more assertion."""
        self.lines.append(f"(assert ({head} {' '.join(terms)}))")

    def holds(self, condition: str) -> None:
        """One more condition that is assumed."""
        self.lines.append(f"(assert {condition})")

    def real(self, value: str = "") -> str:
        """A fresh real number, equal to a term if one is given."""
        self.fresh += 1
        symbol = f"t!{self.fresh}"
        self.lines.append(f"(declare-const {symbol} Real)")
        if value:
            self.add("=", symbol, value)
        return symbol

    def between(self, r: algebra.Ratio) -> str:
        """A fresh real number between the rational ends of an enclosure of a constant, or the
        constant itself if it is rational.
        """
        low, high = enclose(r, BITS)
        if low == high:
            return real_literal(low)
        symbol, fine = self.real(), 10**24
        self.add(
            "<=",
            real_literal(Fraction(math.floor(low * fine), fine)),
            symbol,
            real_literal(Fraction(math.ceil(high * fine), fine)),
        )
        return symbol

    # terms

    def term(self, e: Expression) -> str:
        """The term of a number's tree, of sort Real."""
        if e not in self.done:
            self.done[e] = self._term(e)
        return self.done[e]

    def _term(self, e: Expression) -> str:
        if e.head == "number":
            return real_literal(e.args[0])
        if e.head == "name":
            return self.symbol(e.args[0])
        if e.head == "pi":
            return self.between(algebra.PI)
        if e.head not in TERMS:
            raise Unsupported(f"{short_text(str(e))} is not a term that the solvers support")
        return TERMS[e.head](self, e)

    def symbol(self, text: str) -> str:
        """The term of a name, declared on first use as |$name|, which is not a word of SMT-LIB."""
        if text not in self.named:
            whole, symbol = text in self.integers, f"|${text}|"
            self.lines.append(f"(declare-const {symbol} {'Int' if whole else 'Real'})")
            self.named[text], self.whole = symbol, self.whole or whole
        return f"(to_real {self.named[text]})" if text in self.integers else self.named[text]

    def _sum(self, e: Expression) -> str:
        return n_ary("+", (self.term(a) for a in e.args))

    def _product(self, e: Expression) -> str:
        self.nonlinear = (
            self.nonlinear
            or sum(bool(names(a)) or a.head not in LEAVES for a in e.args)
            + sum(a.head == "pi" for a in e.args)
            > 1
        )
        return n_ary("*", (self.term(a) for a in e.args))

    def _power(self, e: Expression) -> str:
        base, exponent = e.args
        if exponent.head != "number" or not _small(exponent.args[0]):
            return self._general_power(base, exponent)
        k: Fraction = exponent.args[0]
        self.nonlinear = True
        root = self.term(base) if k.denominator == 1 else self._root(base, k.denominator)
        power = n_ary("*", [root] * abs(k.numerator)) if k else "1.0"
        return power if k >= 0 else f"(/ 1.0 {power})"

    def _general_power(self, base: Expression, exponent: Expression) -> str:
        """exp(exponent log base) wherever base > 0; elsewhere it may be anything."""
        power = self.exponential(multiply(exponent, log(base)))
        if base.head == "number" and base.args[0] > 0:
            return power
        value = self.real()
        self.add("=>", f"(> {self.term(base)} 0.0)", f"(= {value} {power})")
        return value

    def _root(self, base: Expression, n: int) -> str:
        """The root r >= 0 with r^n = base, wherever base >= 0."""
        if (base, n) not in self.roots:
            u, root = self.term(base), self.real()
            self.add(
                "=>", f"(>= {u} 0.0)", f"(and (>= {root} 0.0) (= {n_ary('*', [root] * n)} {u}))"
            )
            self.roots[base, n] = root
        return self.roots[base, n]

    def _log(self, e: Expression) -> str:
        parts = expand_logarithm(e)
        if parts == {((e, 1),): Fraction(1)}:
            return self._one_logarithm(e.args[0])
        return self.sum_of(parts)

    def _one_logarithm(self, inside: Expression) -> str:
        """log u with log u <= u - 1 and u log u >= u - 1 wherever u > 0; of a number, between
        its ends.
        """
        if inside.head == "number" and inside.args[0] > 0:
            return self.between(algebra.log_of(algebra.constant(inside.args[0])))
        u, value = self.term(inside), self.real()
        self.nonlinear = True
        self.add(
            "=>", f"(> {u} 0.0)", f"(and (<= {value} (- {u} 1.0)) (>= (* {u} {value}) (- {u} 1.0)))"
        )
        return value

    def sum_of(self, parts: ExpandedSum) -> str:
        """The term of a sum of multiples of monomials."""
        return self.term(
            add(number(0), *(multiply(number(c), product_of(m)) for m, c in parts.items()))
        )

    def _abs(self, e: Expression) -> str:
        u = self.term(e.args[0])
        return self.real(f"(ite (>= {u} 0.0) {u} (- {u}))")

    def _sign(self, e: Expression) -> str:
        u = self.term(e.args[0])
        return self.real(f"(ite (> {u} 0.0) 1.0 (ite (< {u} 0.0) (- 1.0) 0.0))")

    def _extreme(self, e: Expression) -> str:
        best, order = self.term(e.args[0]), "<=" if e.head == "min" else ">="
        for a in e.args[1:]:
            other = self.term(a)
            best = self.real(f"(ite ({order} {best} {other}) {best} {other})")
        return best

    def _floor(self, e: Expression) -> str:
        self.whole = True
        return f"(to_real (to_int {self.term(e.args[0])}))"

    def _mod(self, e: Expression) -> str:
        a, b = e.args
        return self.term(a - b * Expression("floor", (a / b,)))

    def _binomial(self, e: Expression) -> str:
        n, k = (a.args[0] if a.head == "number" else None for a in e.args)
        if n is None or k is None or n.denominator != 1 or k.denominator != 1 or not 0 <= n <= 4096:
            raise Unsupported("binomial with arguments other than whole numbers up to 4096")
        return real_literal(Fraction(math.comb(int(n), int(k)) if 0 <= k <= n else 0))

    def _piecewise(self, e: Expression) -> str:
        """Branch by branch; where no branch holds the value may be anything."""
        value = ""
        for v, condition in reversed(list(zip(e.args[::2], e.args[1::2], strict=True))):
            test = self.condition(condition)
            if test != "false":
                value = (
                    self.term(v)
                    if test == "true"
                    else f"(ite {test} {self.term(v)} {value or self.real()})"
                )
        return self.real(value) if value.startswith("(ite") else value or self.real()

    # exponentials

    def exponential(self, e: Expression) -> str:
        """The term of exp(e): a product of powers of units exp(m/N), of primes, and of the
        arguments of logarithms.
        """
        factors = [self._factor(m, c) for m, c in expand_sum(e).items()]
        self.nonlinear = self.nonlinear or len(factors) > 1
        return n_ary("*", factors or ["1.0"])

    def _factor(self, m: Monomial, c: Fraction) -> str:
        if len(m) == 1 and m[0][1] == 1 and m[0][0].head == "log" and _small(c):
            return self.term(m[0][0].args[0] ** number(c))
        unit = self.units.get(m)
        n = math.lcm(unit[0] if unit else 1, c.denominator)
        k = int(c * n)
        if n > MOST_POWER or abs(k) > MOST_POWER:
            if (m, c) not in self.others:
                self.others[m, c] = self._unit(multiply(number(c), product_of(m)))
            return self.others[m, c]
        symbol = unit[1] if unit and unit[0] == n else self._finer(m, n, unit)
        self.nonlinear = self.nonlinear or abs(k) > 1
        return n_ary("*", [symbol if k > 0 else self._inverse(symbol)] * abs(k))

    def _finer(self, m: Monomial, n: int, unit: tuple[int, str] | None) -> str:
        symbol = self._unit(multiply(number(Fraction(1, n)), product_of(m)))
        if unit is not None:
            self.add("=", unit[1], n_ary("*", [symbol] * (n // unit[0])))
        self.units[m] = n, symbol
        return symbol

    def _unit(self, exponent: Expression) -> str:
        """A fresh real for exp(x): a constant between its ends, else with exp(x) >= 1 + x and
        exp(x) (1 - x) <= 1.
        """
        if names(exponent):
            return self.exponential_of(self.term(exponent))
        try:
            return self.between(algebra.exp_of(normal(exponent, Context.empty())))
        except (Undecided, ZeroDivisionError):
            return self.exponential_of(self.term(exponent))

    def exponential_of(self, term: str) -> str:
        """A fresh real for exp(term) with the facts about it."""
        x, symbol, self.nonlinear = self.real(term), self.real(), True
        self.exponents.append((x, symbol))
        self.add(">", symbol, "0.0")
        self.add(">=", symbol, f"(+ 1.0 {x})")
        self.add("<=", f"(* {symbol} (- 1.0 {x}))", "1.0")
        return symbol

    def _inverse(self, symbol: str) -> str:
        if symbol not in self.inverses:
            self.nonlinear = True
            self.inverses[symbol] = inverse = self.real()
            self.add(">", inverse, "0.0")
            self.add("=", f"(* {symbol} {inverse})", "1.0")
        return self.inverses[symbol]

    # conditions

    def condition(self, e: Expression) -> str:
        """The term of a condition, of sort Bool; comparisons with labels and with oo are decided
        here.
        """
        if e.head in ("and", "or", "not"):
            return connective(e.head, [self.condition(a) for a in e.args])
        truth = decided_truth(e)
        if truth is not None:
            return "true" if truth else "false"
        return f"({ORDER[e.head]} {' '.join(self.term(a) for a in e.args)})"


def connective(head: str, parts: list[str]) -> str:
    """The conjunction, disjunction or negation of conditions, without those that are decided."""
    if head == "not":
        return {"true": "false", "false": "true"}.get(parts[0], f"(not {parts[0]})")
    decisive, idle = ("false", "true") if head == "and" else ("true", "false")
    kept = [p for p in dict.fromkeys(parts) if p != idle]
    if decisive in kept or not kept:
        return decisive if kept else idle
    return kept[0] if len(kept) == 1 else f"({head} {' '.join(kept)})"


def decided_truth(e: Expression) -> bool | None:
    """The truth of a condition that compares numbers, labels or oo; None where it depends on
    names.
    """
    if e.head == "boolean":
        return bool(e.args[0])
    if e.head in ("and", "or", "not"):
        return _settled_connective(e)
    if e.head not in ORDER:
        raise Unsupported(f"{short_text(str(e))} is not a condition that the solvers support")
    kinds = {a.head for a in e.args}
    if kinds & {"label", "oo"}:
        return _decided(e, "label" in kinds)
    if kinds == {"number"}:
        a, b = (part.args[0] for part in e.args)
        return bool({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b}[e.head])
    return None


def _settled_connective(e: Expression) -> bool | None:
    known = [decided_truth(a) for a in e.args]
    if e.head == "not":
        return None if known[0] is None else not known[0]
    if (e.head == "or") in known:
        return e.head == "or"
    return None if None in known else e.head == "and"


def _decided(e: Expression, labels: bool) -> bool:
    left, right = e.args
    if any(node.head == "oo" for part in e.args if part != oo for node in walk(part)):
        raise Unsupported(f"{short_text(str(e))} computes with oo")
    if labels and (e.head in ("<", "<=") or "name" in (left.head, right.head)):
        raise Unsupported(
            f"{short_text(str(e))} compares a label in a way that the solvers do not support"
        )
    if left == right:
        return e.head in ("==", "<=")
    return e.head == "!=" or (not labels and e.head in ("<", "<=") and right.head == "oo")


TERMS: dict[str, Callable[[Script, Expression], str]] = {
    "+": Script._sum,
    "*": Script._product,
    "^": Script._power,
    "exp": lambda script, e: script.exponential(e.args[0]),
    "log": Script._log,
    "abs": Script._abs,
    "sign": Script._sign,
    "min": Script._extreme,
    "max": Script._extreme,
    "floor": Script._floor,
    "mod": Script._mod,
    "binomial": Script._binomial,
    "piecewise": Script._piecewise,
}
