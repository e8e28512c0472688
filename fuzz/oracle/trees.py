"""Values of expression trees in 60 digits, from their JSON; no code of the package is used.

A demand oo is a very large number (10^30), which comparisons treat as infinite:
weights and levels there are limits, and the error of taking such a number is about 10^-30.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mpmath import mp, mpf

mp.dps = 60
Tree = Any
Env = Mapping[str, Any]
TINY = mpf(10) ** -40  # relative differences below this are rounding
FAR = mpf(10) ** 30
FURTHER = mpf(10) ** 60
AGGREGATES = ("sum", "maximum", "minimum")


class Undefined(Exception):
    """The tree has no value there."""


class CannotTell(Exception):
    """The oracle cannot decide."""


@dataclass(frozen=True)
class Label:
    """A word."""

    text: str


class Infinity:
    """oo where it stands for itself."""

    def __repr__(self) -> str:
        return "oo"


OO = Infinity()


@dataclass(frozen=True)
class Records:
    """A dataset: bindings of each record with how often it occurs."""

    held: tuple[tuple[Mapping[str, Any], int], ...]

    @property
    def size(self) -> int:
        return sum(n for _, n in self.held)


@lru_cache(maxsize=4096)
def number(value: Any) -> mpf:
    """A number from a text, an int or a Fraction."""
    if isinstance(value, str) and "e" in value:
        return mpf(value)  # a printed probability may be 1e-400000000, too long for a fraction
    f = Fraction(value)
    return mpf(f.numerator) / f.denominator


def equal(a: Any, b: Any) -> bool:
    """Whether two values are the same, numbers up to rounding."""
    if isinstance(a, Label | Infinity) or isinstance(b, Label | Infinity):
        return a == b or (is_oo(a) and is_oo(b))
    return abs(a - b) <= TINY * max(1, abs(a), abs(b))


def is_oo(a: Any) -> bool:
    """Whether a value stands for oo."""
    return a is OO or (isinstance(a, mpf) and (a == mp.inf or abs(a) in (FAR, FURTHER)))


def value(e: Tree, env: Env, data: Records | None = None) -> Any:
    """The value of a tree: a number, a label, or OO; raises Undefined if there is none."""
    if isinstance(e, mpf):
        return e
    if isinstance(e, str):
        return number(e)
    head = e[0]
    if head == "name":
        if e[1] not in env:
            raise CannotTell(f"unbound {e[1]}")
        return env[e[1]]
    if head in LEAVES:
        return LEAVES[head](e)
    if head == "piecewise":
        for v, c in zip(e[1::2], e[2::2], strict=True):
            if holds(c, env, data):
                return value(v, env, data)
        raise Undefined("no branch")
    if head in AGGREGATES:
        return aggregate(e, env, data)
    if head == "index":
        return part(e, env, data)
    args = [value(a, env, data) for a in e[1:]]
    if any(isinstance(a, Label) for a in args):
        raise Undefined("a label is computed with")
    if any(a is OO for a in args):
        return with_oo(head, args)
    return ARITHMETIC[head](*args)


def with_oo(head: str, args: list[Any]) -> Any:
    """Sums, products and extremes with oo among them; anything else is left open."""
    if head in ("+", "max") and all(a is OO or a > -FAR for a in args):
        return OO
    if head == "min":
        rest = [a for a in args if a is not OO]
        return min(rest) if rest else OO
    if head == "*" and all(a is OO or a > 0 for a in args):
        return OO
    raise CannotTell(f"{head} of oo")


def part(e: Tree, env: Env, data: Records | None) -> Any:
    base, i = (e[1] if isinstance(e[1], str) else e[1][1]), value(e[2], env, data)
    key = f"{base}[{int(mp.nint(i))}]"
    if key not in env:
        raise Undefined(key)
    return env[key]


def aggregate(e: Tree, env: Env, data: Records | None) -> Any:
    """A sum, largest or smallest value over the records of a dataset."""
    if data is None:
        raise CannotTell("an aggregate without a dataset")
    values = [(value(e[1], {**env, **r}), n) for r, n in data.held if n]
    if any(is_oo(v) for v, _ in values) or any(abs(v) > mpf(10) ** 20 for v, _ in values):
        raise CannotTell("an infinite weight")
    if e[0] == "sum":
        return sum((v * n for v, n in values), mpf(0))
    if not values:
        raise Undefined("an extreme of nothing")
    return (max if e[0] == "maximum" else min)(v for v, _ in values)


def holds(c: Tree, env: Env, data: Records | None = None) -> bool:
    """Whether a condition holds."""
    head = c[0]
    if head == "boolean":
        return bool(c[1])
    if head == "not":
        return not holds(c[1], env, data)
    if head in ("and", "or"):
        return (all if head == "and" else any)(holds(a, env, data) for a in c[1:])
    a, b = (value(x, env, data) for x in c[1:])
    if head in ("==", "!="):
        return equal(a, b) == (head == "==")
    if isinstance(a, Label) or isinstance(b, Label):
        raise Undefined("labels have no order")
    return less(a, b, head == "<=")


def less(a: Any, b: Any, or_equal: bool) -> bool:
    if equal(a, b):
        return or_equal
    if a is OO or b is OO:
        return b is OO
    return bool(a < b)


def power(a: mpf, b: mpf) -> mpf:
    if mp.isint(b):
        if b == 0:
            return mpf(1)
        if a == 0 and b < 0:
            raise Undefined("division by 0")
        return a ** int(b)
    if a < 0 or (a == 0 and b <= 0):
        raise Undefined("a root of what is not positive")
    return a**b


def logarithm(a: mpf) -> mpf:
    if a <= 0:
        raise Undefined("a logarithm of what is not positive")
    return mp.log(a)


def floor(a: mpf) -> mpf:
    near = mp.nint(a)
    return near if abs(a - near) <= TINY * max(1, abs(a)) else mp.floor(a)


def modulo(a: mpf, b: mpf) -> mpf:
    if b == 0:
        raise Undefined("division by 0")
    return a - b * floor(a / b)


def binomial(n: mpf, k: mpf) -> mpf:
    if not (mp.isint(n) and mp.isint(k)) or n < 0:
        raise Undefined("a binomial of what is not whole")
    return mpf(math.comb(int(n), int(k))) if 0 <= k <= n else mpf(0)


def product(args: Iterable[mpf]) -> mpf:
    result = mpf(1)
    for a in args:
        result *= a
    return result


def exponential(a: mpf) -> mpf:
    if abs(a) > mpf(10) ** 200:
        raise CannotTell("an enormous exponent")
    return mp.exp(a)


LEAVES = {
    "label": lambda e: Label(e[1]),
    "oo": lambda e: OO,
    "pi": lambda e: +mp.pi,
    "boolean": lambda e: bool(e[1]),
}
ARITHMETIC = {
    "+": lambda *a: sum(a, mpf(0)),
    "*": lambda *a: product(a),
    "min": lambda *a: min(a),
    "max": lambda *a: max(a),
    "^": power,
    "mod": modulo,
    "binomial": binomial,
    "exp": exponential,
    "log": logarithm,
    "sin": mp.sin,
    "cos": mp.cos,
    "atan": mp.atan,
    "erf": mp.erf,
    "theta3": lambda a: mp.jtheta(3, 0, mp.exp(-a)),
    "abs": lambda a: abs(a),
    "sign": lambda a: mpf(0) if abs(a) <= TINY else mp.sign(a),
    "floor": floor,
}


def names(e: Tree) -> set[str]:
    """The names in a tree, including those of records."""
    if isinstance(e, (str, mpf)) or not isinstance(e, list | tuple):
        return set()
    if e[0] == "name":
        return {e[1]}
    found = set().union(*(names(a) for a in e[1:])) if len(e) > 1 else set()
    return found | ({e[1]} if e[0] == "index" and isinstance(e[1], str) else set())


def folded(e: Tree, env: Env, data: Records | None, free: frozenset[str]) -> Tree:
    """The tree with everything evaluated that mentions none of the free names."""
    if isinstance(e, str | mpf):
        return number(e) if isinstance(e, str) else e
    if e[0] in ("label", "boolean", "oo"):
        return e
    if e[0] not in ("==", "!=", "<", "<=", "and", "or", "not", "index") and not names(e) & free:
        found = value(e, env, data)
        return (
            ["label", found.text] if isinstance(found, Label) else ["oo"] if found is OO else found
        )
    if e[0] == "name":
        return e
    if e[0] == "index":
        return ["indexed", e, env]
    if e[0] == "piecewise":
        return folded_piecewise(e, env, data, free)
    if e[0] in ("==", "!=", "<", "<=", "and", "or", "not") and not names(e) & free:
        return ["boolean", holds(e, env, data)]
    return [e[0], *(folded(a, env, data, free) for a in e[1:])]


def folded_piecewise(e: Tree, env: Env, data: Records | None, free: frozenset[str]) -> Tree:
    """A piecewise tree without the branches that are known not to hold."""
    kept: list[Tree] = ["piecewise"]
    for v, c in zip(e[1::2], e[2::2], strict=True):
        condition = folded(c, env, data, free)
        if condition == ["boolean", False]:
            continue
        kept += [folded(v, env, data, free), condition]
        if condition == ["boolean", True]:
            break
    if len(kept) == 1:
        raise Undefined("no branch")
    return kept[1] if kept[2] == ["boolean", True] else kept


def limit(e: Tree, env: Env, data: Records | None = None) -> Any:
    """The value, with eps = oo as its limit; raises CannotTell if it does not converge;
    OO if it grows.
    """
    if not any(isinstance(v, mpf) and v == FAR for v in env.values()):
        return value(e, env, data)
    a = value(e, env, data)
    b = value(
        e, {k: FURTHER if isinstance(v, mpf) and v == FAR else v for k, v in env.items()}, data
    )
    if a is OO or b is OO:
        return OO
    if isinstance(a, Label):
        return a
    if abs(a - b) <= mpf(10) ** -25 * max(1, abs(a)):
        return a
    if abs(b) > mpf(10) ** 25 * max(1, abs(a)) and b > 0:
        return OO
    raise CannotTell("a limit that does not settle")
