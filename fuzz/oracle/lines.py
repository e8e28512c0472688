"""Functions of one output that are sums of polynomial times exponential between finitely many
points.

A tree with one free name is simplified from the inside out on an interval; where the sign of a
linear part changes inside, the interval is cut and both halves are tried again.  Integrals,
sums and moments then have closed forms in 60 digits.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from mpmath import mp, mpf

from fuzz.oracle.trees import (
    ARITHMETIC,
    TINY,
    CannotTell,
    Label,
    Tree,
    Undefined,
    equal,
    number,
    value,
)

MOST = 400  # pieces of one function
READS = 200_000  # parts of trees read for one case; about 15 seconds, and 1 case in 600 needs more
INF = mp.inf

_read = 0


def begin() -> None:
    """A new case begins: nothing has been read for it."""
    global _read
    _read = 0


def count_read() -> None:
    """Counts one part of a tree; raises CannotTell if the case exceeds its limit."""
    global _read
    _read += 1
    if _read > READS:
        raise CannotTell("more to read than one case may cost")


class Cut(Exception):
    """The interval has to be cut at a point."""

    def __init__(self, at: mpf) -> None:
        self.at = at


@dataclass(frozen=True)
class Line:
    """The sum of polynomial(s) * exp(slope * s); polynomials from the constant up."""

    terms: tuple[tuple[mpf, tuple[mpf, ...]], ...]

    def at(self, s: mpf) -> mpf:
        return sum((horner(p, s) * mp.exp(k * s) for k, p in self.terms), mpf(0))

    @property
    def linear(self) -> tuple[mpf, mpf] | None:
        """(constant, slope) if it is linear in s."""
        if any(k != 0 or len(p) > 2 for k, p in self.terms):
            return None
        p = self.terms[0][1] if self.terms else ()
        return (*p, *(mpf(0),) * (2 - len(p)))[0:2]

    @property
    def constant(self) -> mpf | None:
        found = self.linear
        return None if found is None or found[1] != 0 else found[0]


def horner(p: tuple[mpf, ...], s: mpf) -> mpf:
    result = mpf(0)
    for c in reversed(p):
        result = result * s + c
    return result


def line(terms: list[tuple[mpf, tuple[mpf, ...]]]) -> Line:
    """The sum of terms, with equal slopes collected, without those that cancel up to rounding."""
    merged: list[list[Any]] = []
    for k, p in terms:
        for entry in merged:
            if equal(entry[0], k):
                entry[1] = tuple(
                    a + b for a, b in itertools.zip_longest(entry[1], p, fillvalue=mpf(0))
                )
                entry[2] += max(map(abs, p), default=mpf(0))
                break
        else:
            merged.append([k, p, max(map(abs, p), default=mpf(0))])
    kept = []
    for k, p, size in merged:
        q = [mpf(0) if abs(c) <= TINY * size else c for c in p]
        while q and q[-1] == 0:
            q.pop()
        if q:
            kept.append((mpf(0) if abs(k) <= TINY else k, tuple(q)))
    return Line(tuple(kept))


def constant(c: mpf) -> Line:
    return Line(((mpf(0), (c,)),) if c != 0 else ())


def times(a: Line, b: Line) -> Line:
    out = []
    for (k, p), (m, q) in itertools.product(a.terms, b.terms):
        coefficients = [mpf(0)] * (len(p) + len(q) - 1)
        for (i, x), (j, y) in itertools.product(enumerate(p), enumerate(q)):
            coefficients[i + j] += x * y
        out.append((k + m, tuple(coefficients)))
    if len(out) > 200:
        raise CannotTell("too many terms")
    return line(out)


def plus(*lines: Line) -> Line:
    return line([t for one in lines for t in one.terms])


def negative(a: Line) -> Line:
    return Line(tuple((k, tuple(-c for c in p)) for k, p in a.terms))


def inverse(a: Line) -> Line:
    if not a.terms:
        raise Undefined("division by 0")
    if len(a.terms) > 1 or len(a.terms[0][1]) > 1:
        raise CannotTell("the reciprocal of a sum")
    ((k, (c,)),) = a.terms
    return Line(((-k, (1 / c,)),))


class Reader:
    """Reads a tree on one interval of one output."""

    def __init__(self, name: str, low: mpf, high: mpf, whole: bool) -> None:
        self.name, self.low, self.high, self.whole = name, low, high, whole

    @property
    def middle(self) -> mpf:
        if self.whole:
            if self.low == -INF:
                return mpf(0) if self.high == INF else self.high
            return self.low
        if self.low == -INF:
            return mpf(0) if self.high == INF else self.high - 1
        return self.low + 1 if self.high == INF else (self.low + self.high) / 2

    def sign(self, a: Line) -> int:
        """The sign on the whole interval; Cut where it changes.  For whole outputs 0 only if it
        is 0 on all of the interval.
        """
        found = a.linear
        if found is None:
            if all(len(p) == 1 for _, p in a.terms) and len({p[0] > 0 for _, p in a.terms}) == 1:
                return 1 if a.terms[0][1][0] > 0 else -1
            raise CannotTell("the sign of what is not linear")
        c, k = found
        if k == 0:
            return 0 if c == 0 else 1 if c > 0 else -1
        root = -c / k
        near = mp.nint(root)
        if self.whole and abs(root - near) <= TINY * max(1, abs(root)):
            root = near
            if self.low == self.high == root:
                return 0
            if self.low <= root <= self.high:
                raise Cut(root)
        elif self.low < root < self.high and not (
            not self.whole and (close(root, self.low) or close(root, self.high))
        ):
            raise Cut(root)
        return 1 if k * self.middle + c > 0 else -1

    def read(self, e: Tree) -> Line:
        count_read()
        if isinstance(e, mpf):
            return constant(e)
        if isinstance(e, str):
            return constant(number(e))
        head = e[0]
        if head == "name":
            if e[1] != self.name:
                raise CannotTell(f"unbound {e[1]}")
            return Line(((mpf(0), (mpf(0), mpf(1))),))
        if head == "piecewise":
            for v, c in zip(e[1::2], e[2::2], strict=True):
                if self.holds(c):
                    return self.read(v)
            raise Undefined("no branch")
        if head in ("pi", "label", "oo", "indexed"):
            found = value(e, {}) if head == "pi" else None
            if found is None:
                raise CannotTell(head)
            return constant(found)
        return self.calculated(head, [self.read(a) for a in e[1:]])

    def calculated(self, head: str, args: list[Line]) -> Line:
        if head == "+":
            return plus(*args)
        constants = [a.constant for a in args]
        if head == "*":
            factor = mp.fprod(c for c in constants if c is not None)
            result = constant(factor)
            for a, c in zip(args, constants, strict=True):
                result = times(result, a) if c is None else result
            return result
        if all(c is not None for c in constants):
            return constant(ARITHMETIC[head](*constants))
        if head == "exp":
            return self.exponential(args[0])
        if head == "abs":
            return args[0] if self.sign(args[0]) >= 0 else negative(args[0])
        if head == "sign":
            return constant(mpf(self.sign(args[0])))
        if head in ("min", "max"):
            best = args[0]
            for a in args[1:]:
                s = self.sign(plus(a, negative(best)))
                best = a if (s > 0) == (head == "max") and s else best
            return best
        if head == "^":
            return self.power(args[0], args[1])
        if head == "log" and len(args[0].terms) == 1 and len(args[0].terms[0][1]) == 1:
            ((k, (c,)),) = args[0].terms
            if c <= 0:
                raise Undefined("a logarithm")
            return line([(mpf(0), (mp.log(c), k))])
        if head == "floor":
            return self.floor(args[0])
        if head == "mod":
            b = args[1].constant
            if b is not None and b != 0:
                return plus(
                    args[0], times(constant(-b), self.floor(times(args[0], constant(1 / b))))
                )
        raise CannotTell(f"{head} of an output")

    def exponential(self, a: Line) -> Line:
        found = a.linear
        if found is None:
            raise CannotTell("the exponential of what is not linear")
        return line([(found[1], (mp.exp(found[0]),))])

    def power(self, a: Line, b: Line) -> Line:
        n = b.constant
        if n is None:
            base = a.constant
            if base is not None and base > 0:
                return self.exponential(times(b, constant(mp.log(base))))
            raise CannotTell("a power")
        if mp.isint(n) and abs(n) <= 40:
            result, base = constant(mpf(1)), a if n >= 0 else inverse(a)
            for _ in range(abs(int(n))):
                result = times(result, base)
            return result
        if len(a.terms) == 1 and len(a.terms[0][1]) == 1 and a.terms[0][1][0] > 0:
            ((k, (c,)),) = a.terms
            return line([(k * n, (c**n,))])
        raise CannotTell("a root of an output")

    def floor(self, a: Line) -> Line:
        found = a.linear
        if found is None or self.low == -INF or self.high == INF:
            raise CannotTell("floor without an end")
        c, k = found
        if self.whole:
            if self.low == self.high:
                return constant(ARITHMETIC["floor"](c + k * self.low))
            raise Cut(mp.floor((self.low + self.high) / 2))
        ends = sorted((c + k * self.low, c + k * self.high))
        first = mp.floor(ends[0] + TINY) + 1
        if first < ends[1] - TINY:
            raise Cut((first - c) / k)
        return constant(first - 1)

    def holds(self, c: Tree) -> bool:
        head = c[0]
        if head == "boolean":
            return bool(c[1])
        if head == "not":
            return not self.holds(c[1])
        if head == "and":
            return all([self.holds(a) for a in c[1:]])
        if head == "or":
            return any([self.holds(a) for a in c[1:]])
        if any(isinstance(a, list) and a[0] in ("label", "oo") for a in c[1:]):
            return self.beside_label(head, c[1:])
        s = self.sign(plus(self.read(c[1]), negative(self.read(c[2]))))
        return {"==": s == 0, "!=": s != 0, "<": s < 0, "<=": s <= 0}[head]

    def beside_label(self, head: str, sides: list[Tree]) -> bool:
        labels = [isinstance(a, list) and a[0] == "label" for a in sides]
        if head in ("==", "!="):
            return (sides[0] == sides[1] if all(labels) else False) == (head == "==")
        if any(labels):
            raise Undefined("labels have no order")
        return sides[1] == ["oo"]


def close(a: mpf, b: mpf) -> bool:
    return abs(b) != INF and abs(a - b) <= TINY * max(1, abs(a))


Piece = tuple[mpf, mpf, Line]


def pieces(e: Tree, name: str, whole: bool, low: mpf = -INF, high: mpf = INF) -> list[Piece]:
    """The pieces of a tree between two ends, in order; of a whole output both ends belong to a
    piece.
    """
    done: list[Piece] = []
    open_ = [(low, high)]
    while open_:
        if len(done) + len(open_) > MOST:
            raise CannotTell("too many pieces")
        a, b = open_.pop()
        if a > b or (not whole and a >= b):
            continue
        try:
            done.append((a, b, Reader(name, a, b, whole).read(e)))
        except Cut as cut:
            if whole and mp.isint(cut.at):
                parts = [(a, cut.at - 1), (cut.at, cut.at), (cut.at + 1, b)]
            elif whole:
                parts = [(a, mp.floor(cut.at)), (mp.floor(cut.at) + 1, b)]
            else:
                parts = [(a, cut.at), (cut.at, b)]
            open_ += parts[::-1]
    return done


def integral(f: Line, low: mpf, high: mpf, whole: bool) -> mpf:
    """The integral over [low, high], or the sum over the integers in it, both ends
    included.
    """
    if whole:
        return sum((term_sum(k, p, low, high) for k, p in f.terms), mpf(0))
    return sum((term_integral(k, p, low, high) for k, p in f.terms), mpf(0))


def term_integral(k: mpf, p: tuple[mpf, ...], low: mpf, high: mpf) -> mpf:
    if k == 0:
        if INF in (high, -low):
            raise CannotTell("an infinite integral")
        q = (mpf(0), *(c / (i + 1) for i, c in enumerate(p)))
        return horner(q, high) - horner(q, low)
    if (high == INF and k > 0) or (low == -INF and k < 0):
        raise CannotTell("an infinite integral")
    q, derivative, factor = [mpf(0)] * len(p), list(p), 1 / k
    while derivative:
        for i, c in enumerate(derivative):
            q[i] += c * factor
        derivative = [i * c for i, c in enumerate(derivative)][1:]
        factor = -factor / k
    ends = [mpf(0) if abs(s) == INF else horner(tuple(q), s) * mp.exp(k * s) for s in (low, high)]
    return ends[1] - ends[0]


def term_sum(k: mpf, p: tuple[mpf, ...], low: mpf, high: mpf) -> mpf:
    if low > high:
        return mpf(0)
    if low == high:
        return horner(p, low) * mp.exp(k * low)
    if low != -INF and high != INF and high - low <= 40:
        return sum(
            (horner(p, low + i) * mp.exp(k * (low + i)) for i in range(int(high - low) + 1)), mpf(0)
        )
    if k > 0:
        mirrored = tuple(c * (-1) ** i for i, c in enumerate(p))
        return term_sum(-k, mirrored, -high, -low)
    if k == 0:
        if INF in (high, -low) or high - low > 10**5:
            raise CannotTell("a long sum")
        return sum((horner(p, low + i) for i in range(int(high - low) + 1)), mpf(0))
    if low == -INF:
        raise CannotTell("an infinite sum")
    first = tail(k, p, low)
    return first if high == INF else first - tail(k, p, high + 1)


def tail(k: mpf, p: tuple[mpf, ...], low: mpf) -> mpf:
    """The sum of p(n) exp(k n) over n >= low, for k < 0."""
    r = mp.exp(k)
    d = 1 - r
    sums = [
        1 / d,
        r / d**2,
        r * (1 + r) / d**3,
        r * (1 + 4 * r + r * r) / d**4,
        r * (1 + 11 * r + 11 * r * r + r**3) / d**5,
    ]
    if len(p) > len(sums):
        raise CannotTell("a high moment")
    shifted = [
        sum((c * mp.binomial(i, j) * low ** (i - j) for i, c in enumerate(p) if i >= j), mpf(0))
        for j in range(len(p))
    ]
    return mp.exp(k * low) * sum((c * s for c, s in zip(shifted, sums, strict=False)), mpf(0))


def total(e: Tree, name: str, whole: bool, low: mpf = -INF, high: mpf = INF) -> mpf:
    """The integral or sum of a tree between two ends (low <= s < high; of whole outputs too)."""
    if whole:
        low = low if low == -INF else mp.ceil(low - TINY)
        high = high if high == INF else mp.ceil(high - TINY) - 1
    found = pieces(e, name, whole, low, high) if low <= high else []
    return sum((integral(f, a, b, whole) for a, b, f in found), mpf(0))


def excess(p: Tree, q: Tree, factor: mpf, name: str, whole: bool) -> mpf:
    """The total of max(0, p - factor * q)."""
    gap: Tree = ["+", p, ["*", -factor, q]]
    return sum((positive(f, a, b, whole) for a, b, f in pieces(gap, name, whole)), mpf(0))


def positive(f: Line, low: mpf, high: mpf, whole: bool) -> mpf:
    """The total of max(0, f) over a piece, for f with at most two exponentials."""
    if not f.terms:
        return mpf(0)
    if len(f.terms) > 2 or any(len(p) > 1 for _, p in f.terms):
        raise CannotTell("a difference of many exponentials")
    if len(f.terms) == 1:
        return integral(f, low, high, whole) if f.terms[0][1][0] > 0 else mpf(0)
    (k, (a,)), (m, (b,)) = f.terms
    if a * b > 0:
        return integral(f, low, high, whole) if a > 0 else mpf(0)
    root = mp.log(-b / a) / (k - m)
    below_positive = (a > 0) == (k < m)
    if whole:
        edge = mp.floor(root)
        part = (low, min(high, edge)) if below_positive else (max(low, edge + 1), high)
        return integral(f, *part, True) if part[0] <= part[1] else mpf(0)
    part = (low, min(high, root)) if below_positive else (max(low, root), high)
    return integral(f, *part, False) if part[0] < part[1] else mpf(0)


def kinks(e: Tree, name: str, whole: bool) -> list[mpf]:
    """The finite points between the pieces of a tree."""
    found = pieces(e, name, whole)
    return sorted({s for a, b, _ in found for s in (a, b) if abs(s) != INF})


__all__ = ["Label", "excess", "integral", "kinks", "pieces", "total"]
