"""The expression tree: frozen, without SymPy, with one canonical JSON form.

A node is a head and its arguments.  Heads are a closed set:

    number (a Fraction), oo, pi, boolean, label, name
        leaves; a label is a quoted word, and vector parts are names such as x[2]
    index (base name, integer expression)
        x[k] before k is known
    +, *, ^, exp, log, sin, cos, atan, erf, abs, sign, floor, mod, min, max, binomial
        arithmetic; a - b is a + -1 * b, and a / b is a * b ^ -1
    ==, !=, <, <=, and, or, not
        conditions
    piecewise (value, condition, ...)
        the first value whose condition holds; indicator(c) is piecewise(1, c, 0, true)
    sum, maximum, minimum
        over the records of the dataset, with x, x[i], eps inside
    product, ordered, total
        of tables only (`ahdp_verify.kernel.model.entries`), so not among the heads of mechanisms

`size` is sum(1) and `count(c)` is sum(indicator(c)).

`a == b`, `a != b` and `a < b` build conditions about values, as `eq(a, b)` does; a text that does
not read as a number is a label there.  Only inside the package's own modules do == and != mean "the
same tree", which dictionaries, sets and dataclasses need: the module of the calling frame decides.
The truth value of a condition exists only if it is immediate: the same tree on both sides, labels,
rational numbers and oo; anything else raises, so that a comparison of trees is never mistaken for
one of values.  Whether exp(1) < 3 is decided by `kernel.numbers.constants.holds`.

>>> s = name("s")
>>> str(exp(-Abs(s - 1) / 2) / 4)
'exp(-abs(s - 1)/2)/4'
>>> elsewhere = {"s": s}
>>> exec('condition = s == "yes"', elsewhere)
>>> print(elsewhere["condition"])
s == "yes"
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from operator import and_
from typing import Any

from ahdp_verify.kernel.effort import spend
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.exact import NAME, NUMBER, rational
from ahdp_verify.kernel.terms.printing import expression_text
from ahdp_verify.kernel.terms.words import SMOOTH

LEAVES = frozenset(("number", "oo", "pi", "boolean", "label", "name"))
STEPS = ("abs", "sign", "floor", "mod", "min", "max", "binomial")
ARITHMETIC = ("+", "*", "^", "exp", "log", *SMOOTH, "theta3", *STEPS)
CONDITIONS = ("==", "!=", "<", "<=", "and", "or", "not")
AGGREGATES = ("sum", "maximum", "minimum")
HEADS = frozenset((*LEAVES, *ARITHMETIC, *CONDITIONS, *AGGREGATES, "index", "piecewise"))
OWN: tuple[str, ...] = (
    "ahdp_verify.",
)  # prefix of the names of the modules in which == and != compare trees


def _asked_from_inside() -> bool:
    """Whether the code that uses the operator which calls this is the package's own."""
    asking: str = sys._getframe(2).f_globals.get("__name__") or ""
    return asking.startswith(OWN)


class Arithmetic:
    """Operators that build expressions; shared by expressions and by objects that stand for one (an
    output).
    """

    __slots__ = ()

    @property
    def symbol(self) -> Expression:
        """The expression that this object stands for."""
        raise NotImplementedError

    def __add__(self, other: object) -> Expression:
        return add(expression(self), expression(other))

    def __radd__(self, other: object) -> Expression:
        return add(expression(other), expression(self))

    def __sub__(self, other: object) -> Expression:
        return add(expression(self), negative(expression(other)))

    def __rsub__(self, other: object) -> Expression:
        return add(expression(other), negative(expression(self)))

    def __mul__(self, other: object) -> Expression:
        return multiply(expression(self), expression(other))

    def __rmul__(self, other: object) -> Expression:
        return multiply(expression(other), expression(self))

    def __truediv__(self, other: object) -> Expression:
        return multiply(expression(self), reciprocal(expression(other)))

    def __rtruediv__(self, other: object) -> Expression:
        return multiply(expression(other), reciprocal(expression(self)))

    def __pow__(self, other: object) -> Expression:
        return Expression("^", (expression(self), expression(other)))

    def __rpow__(self, other: object) -> Expression:
        return Expression("^", (expression(other), expression(self)))

    def __mod__(self, other: object) -> Expression:
        return Expression("mod", (expression(self), expression(other)))

    def __rmod__(self, other: object) -> Expression:
        return Expression("mod", (expression(other), expression(self)))

    def __neg__(self) -> Expression:
        return negative(expression(self))

    def __abs__(self) -> Expression:
        return Abs(self)

    def same(self, other: object) -> bool:
        """Whether `other` is the same object in all its parts: what == means inside this
        package.
        """
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """The condition that both have the same value; inside this package: whether they are the
        same.  Nothing equals None.
        """
        if other is None:
            return False
        if _asked_from_inside():
            return self.same(other)
        return eq(self, other)  # type: ignore[return-value]

    def __ne__(self, other: object) -> bool:
        """The condition that the values differ; inside this package: whether the objects do.
        Everything differs from None.
        """
        if other is None:
            return True
        if _asked_from_inside():
            return not self.same(other)
        return ne(self, other)  # type: ignore[return-value]

    def __hash__(self) -> int:
        raise NotImplementedError

    def __lt__(self, other: object) -> Expression:
        return Expression("<", (comparable(self), comparable(other)))

    def __le__(self, other: object) -> Expression:
        return Expression("<=", (comparable(self), comparable(other)))

    def __gt__(self, other: object) -> Expression:
        return Expression("<", (comparable(other), comparable(self)))

    def __ge__(self, other: object) -> Expression:
        return Expression("<=", (comparable(other), comparable(self)))

    def __and__(self, other: object) -> Expression:
        return Expression("and", (expression(self), as_condition(other, "&")))

    def __rand__(self, other: object) -> Expression:
        return Expression("and", (as_condition(other, "&"), expression(self)))

    def __or__(self, other: object) -> Expression:
        return Expression("or", (expression(self), as_condition(other, "|")))

    def __ror__(self, other: object) -> Expression:
        return Expression("or", (as_condition(other, "|"), expression(self)))

    def __invert__(self) -> Expression:
        return Expression("not", (expression(self),))

    def __getitem__(self, i: object) -> Expression:
        return component(expression(self), expression(i))

    def __iter__(self) -> Iterator[Expression]:
        raise TypeError("an expression is not a sequence")

    def __bool__(self) -> bool:
        from ahdp_verify.kernel.terms.truth import truth_of

        return truth_of(expression(self), walk, lambda side: evaluate(side, {}))


@dataclass(frozen=True, slots=True, eq=False)
class Expression(Arithmetic):
    """A node: `head` from the closed set, `args` its sub-expressions (for a leaf: its one
    payload; none for oo and pi).
    """

    head: str
    args: tuple[Any, ...] = ()
    # set when first asked for
    _hash: int = field(init=False, repr=False, compare=False)
    _names: frozenset[str] = field(init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            hashed: Any = self.args
            if self.head == "number":  # Fraction.__hash__ is slow, and that of -1 is that of -2
                value = self.args[0]
                hashed = (value.numerator < 0, abs(value.numerator), value.denominator)
            object.__setattr__(self, "_hash", hash((self.head, hashed)))
            return self._hash

    def same(self, other: object) -> bool:
        """Whether `other` is the same tree."""
        if self is other:
            return True
        return type(other) is Expression and self.head == other.head and self.args == other.args

    def __reduce__(self) -> tuple[type[Expression], tuple[Any, ...]]:
        return Expression, (self.head, self.args)  # hashes differ between processes

    @property
    def symbol(self) -> Expression:
        """The expression itself."""
        return self

    def __str__(self) -> str:
        return expression_text(self)


# names and trees that are read are mostly one object if they are equal, as those of `rebuild` are
_one_object = lru_cache(maxsize=1 << 15)(Expression)


def number(value: object) -> Expression:
    """The leaf of an exact number (int, Fraction, decimal string or "p/q"); a float is refused."""
    return Expression("number", (rational(value),))


def name(text_: str) -> Expression:
    """The leaf of a name; a vector's part is written x[2]."""
    return _one_object("name", (text_,))


def label(text_: str) -> Expression:
    """The leaf of a label, a value that can only be compared."""
    return Expression("label", (text_,))


def boolean(value: bool) -> Expression:
    """The condition that is always, or never, true."""
    return Expression("boolean", (value,))


oo = Expression("oo")
pi = Expression("pi")
ZERO, ONE = number(0), number(1)
TRUE, FALSE = boolean(True), boolean(False)


def expression(value: object) -> Expression:
    """The expression of a value: expressions as they are, those of SymPy read by the names of their
    symbols, exact numbers, booleans.

    Raises BadInput for a float (write "0.1" or Fraction(1, 10)), for a text that is not a number,
    and for anything else.
    """
    if isinstance(value, Expression):
        return value
    symbol = getattr(value, "symbol", None)  # of an output, or of a parameter in a noise program
    if isinstance(symbol, Expression):
        return symbol
    if isinstance(value, bool):
        return boolean(value)
    if is_label(value):
        cure = (
            "write a formula with +, exp(...) and the like; a label is only compared, with == or !="
        )
        raise BadInput(
            "expression", f"the text {str(value)[:60]!r} is used where a number is expected", cure
        )
    read = reader_of(value)
    return number(value) if read is None else read(value)


def is_label(value: object) -> bool:
    """Whether `value` is a text that does not read as a number: a label wherever a value is
    expected, and never a formula.
    """
    return isinstance(value, str) and not NUMBER.fullmatch(value.strip())


# How values of other libraries are read, by the package of their classes: `ahdp_verify.sympy_trees`
# adds SymPy's.
READERS: dict[str, Callable[[Any], Expression]] = {}


def reader_of(value: object) -> Callable[[Any], Expression] | None:
    """How a value of another library is read as an expression; None for all other values."""
    packages = (str(kind.__module__).partition(".")[0] for kind in type(value).__mro__)
    return next((READERS[package] for package in packages if package in READERS), None)


def operand(value: object) -> Expression:
    """What == and != compare and piecewise may choose: the expression of a value, the label of a
    text.
    """
    if isinstance(value, list | tuple):
        raise BadInput(
            "comparison",
            f"{str(value)[:60]} has several parts",
            "compare part by part, as in (x[1] == 0) & (x[2] == 1)",
        )
    return label(str(value)) if is_label(value) else expression(value)


def comparable(value: object) -> Expression:
    """What <, <=, > and >= compare: the expression of a value; BadInput for a label."""
    e = operand(value)
    if e.head == "label":
        raise BadInput(
            "comparison",
            f"{e} is a label, and labels have no order",
            "compare labels with == or !=",
        )
    return e


def as_condition(value: object, where: str) -> Expression:
    """The expression of a condition; BadInput for True and False of Python, which a comparison
    of other objects than values may have left.
    """
    e = expression(value)
    if isinstance(value, bool) or (e.head == "boolean" and reader_of(value) is not None):
        cure = (
            "write eq(a, b) or ne(a, b), since == between SymPy's or Python's own objects asks "
            "whether they are the same object"
        )
        raise BadInput(where, f"its condition is just {value}, whatever the values are", cure)
    return e


def is_condition(e: Expression) -> bool:
    """Whether a tree is a condition, something that holds or not."""
    return e.head in CONDITIONS or e.head == "boolean"


def add(*terms: Expression) -> Expression:
    """The sum of terms, nested sums flattened and numbers collected in front of nothing else."""
    flat = [t for term in terms for t in (term.args if term.head == "+" else (term,))]
    numbers = [t for t in flat if t.head == "number"]
    rest = [t for t in flat if t.head != "number"]
    if len(numbers) > 1 or not rest:
        numbers = [number(sum(t.args[0] for t in numbers))]
    if numbers and (numbers[0].args[0] or not rest):
        rest.append(numbers[0])
    return rest[0] if len(rest) == 1 else Expression("+", tuple(rest))


def multiply(*factors: Expression) -> Expression:
    """The product of factors, nested products flattened and the numbers multiplied into one leading
    factor.

    A zero factor stays (0 * oo and 0 * (1/0) are decided where the mechanism is checked, not here).
    """
    flat = [f for factor in factors for f in (factor.args if factor.head == "*" else (factor,))]
    numbers = [f for f in flat if f.head == "number"]
    rest = [f for f in flat if f.head != "number"]
    if len(numbers) > 1 or not rest:
        numbers = [number(math.prod(f.args[0] for f in numbers))]
    if numbers and (numbers[0].args[0] != 1 or not rest):
        rest.insert(0, numbers[0])
    return rest[0] if len(rest) == 1 else Expression("*", tuple(rest))


def negative(e: Expression) -> Expression:
    """-e."""
    return multiply(number(-1), e)


def reciprocal(e: Expression) -> Expression:
    """1 / e; a number other than 0 is inverted at once."""
    if e.head == "number" and e.args[0]:
        return number(1 / e.args[0])
    return Expression("^", (e, number(-1)))


def exp(e: object) -> Expression:
    """e^x."""
    return Expression("exp", (expression(e),))


def log(e: object) -> Expression:
    """The natural logarithm."""
    return Expression("log", (expression(e),))


def sqrt(e: object) -> Expression:
    """The square root."""
    return Expression("^", (expression(e), number(Fraction(1, 2))))


def Abs(e: object) -> Expression:
    """The absolute value (the name follows SymPy; `abs(e)` works as well)."""
    return Expression("abs", (expression(e),))


def sign(e: object) -> Expression:
    """-1, 0 or 1."""
    return Expression("sign", (expression(e),))


def floor(e: object) -> Expression:
    """The largest integer that is at most e."""
    return Expression("floor", (expression(e),))


def Max(*args: object) -> Expression:
    """The largest of the arguments."""
    return Expression("max", tuple(expression(a) for a in args))


def Min(*args: object) -> Expression:
    """The smallest of the arguments."""
    return Expression("min", tuple(expression(a) for a in args))


def clip(e: object, low: object, high: object) -> Expression:
    """e moved to the nearest point of [low, high]; low <= high is the caller's duty."""
    return Min(high, Max(low, e))


def binomial(n: object, k: object) -> Expression:
    """n choose k."""
    return Expression("binomial", (expression(n), expression(k)))


def eq(a: object, b: object) -> Expression:
    """The condition that a and b have the same value; the same as a == b.  A text that does not
    read as a number is a label.
    """
    return Expression("==", (operand(a), operand(b)))


def ne(a: object, b: object) -> Expression:
    """The condition that the values of a and b differ; the same as a != b."""
    return Expression("!=", (operand(a), operand(b)))


def piecewise(*branches: tuple[object, object]) -> Expression:
    """The value of the first branch (value, condition) whose condition holds; the last condition
    should be True, and no other may be True.
    """
    *first, last = ((operand(value), condition) for value, condition in branches)
    parts = [
        part for value, condition in first for part in (value, as_condition(condition, "piecewise"))
    ]
    otherwise = TRUE if last[1] is True else as_condition(last[1], "piecewise")
    return Expression("piecewise", (*parts, last[0], otherwise))


def indicator(condition: object) -> Expression:
    """1 where the condition holds, 0 elsewhere."""
    return Expression("piecewise", (ONE, as_condition(condition, "indicator"), ZERO, TRUE))


def sum_over_records(body: object) -> Expression:
    """The sum of body(x, eps) over the records of the dataset, each as often as it occurs."""
    return Expression("sum", (expression(body),))


def component(base: Expression, i: Expression) -> Expression:
    """Part i (from 1) of a vector: the name x[2] once i is a number."""
    if base.head != "name":
        raise BadInput(str(base), "only a name has parts", "write x[1] with the name of a vector")
    if i.head == "number":
        if i.args[0].denominator != 1 or i.args[0] < 1:
            raise BadInput(
                f"{base}[{i}]", "parts are counted 1, 2, 3, ...", "use an integer of at least 1"
            )
        return name(f"{base.args[0]}[{i.args[0]}]")
    return Expression("index", (base, i))


def rebuild(e: Expression, args: tuple[Expression, ...]) -> Expression:
    """The node e with other arguments, with sums, products and parts put in their flat form
    again.
    """
    return _rebuilt(e.head, args)


@lru_cache(maxsize=1 << 15)  # so that equal trees are mostly one object, compared at once
def _rebuilt(head: str, args: tuple[Expression, ...]) -> Expression:
    if head == "+":
        return add(*args)
    if head == "*":
        return multiply(*args)
    if head == "index":
        return component(args[0], args[1])
    if head == "^" and args[1] == number(-1):
        return reciprocal(args[0])
    return Expression(head, args)


def substitute(e: Expression, values: Mapping[str, Expression]) -> Expression:
    """e with names replaced, all at once.  Bodies of sum, maximum and minimum are left alone in
    x, x[i] and eps.
    """
    if e.head == "name":
        return values.get(e.args[0], e)
    if e.head in LEAVES or names(e).isdisjoint(values):
        return e
    spend()
    if e.head in AGGREGATES:
        values = {k: v for k, v in values.items() if k.split("[")[0] not in ("x", "eps")}
    args = tuple([substitute(a, values) for a in e.args])
    return e if all(map(operator.is_, args, e.args)) else rebuild(e, args)


def transform(e: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """e with every node that `change` answers for replaced by its answer, from the top; None
    means: look inside.
    """
    changed = change(e)
    if changed is not None or e.head in LEAVES:
        return e if changed is None else changed
    spend()
    args = tuple([transform(a, change) for a in e.args])
    return e if all(map(operator.is_, args, e.args)) else rebuild(e, args)


def walk(e: Expression) -> Iterator[Expression]:
    """Every node of e, parents before children."""
    left = [e]
    while left:
        e = left.pop()
        yield e
        if e.head not in LEAVES:
            left.extend(reversed(e.args))


def names(e: Expression) -> frozenset[str]:
    """The names that e uses, those inside record sums included."""
    try:
        return e._names
    except AttributeError:
        inside = () if e.head in LEAVES else map(names, e.args)
        found = frozenset(e.args if e.head == "name" else ()).union(*inside)
        object.__setattr__(e, "_names", found)
        return found


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The conditions that a conjunction joins, in order; any other condition alone."""
    if condition.head != "and":
        return (condition,)
    return tuple(c for part in condition.args for c in conjuncts(part))


def conjunction(conditions: Iterable[Expression]) -> Expression:
    """The condition that all of these hold, each part once; true if there is none."""
    parts = dict.fromkeys(c for condition in conditions for c in conjuncts(condition) if c != TRUE)
    return reduce(and_, parts) if parts else TRUE


def aggregates(e: Expression) -> tuple[Expression, ...]:
    """The distinct sum, maximum and minimum nodes of e in order of appearance."""
    return tuple(dict.fromkeys(node for node in walk(e) if node.head in AGGREGATES))


def evaluate(e: Expression, values: Mapping[str, Fraction]) -> Fraction | None:
    """The rational value of e at rational values of its names; None where it is irrational,
    undefined or not that simple.
    """
    if e.head == "number":
        value: Fraction = e.args[0]
        return value
    if e.head == "name":
        return values.get(e.args[0])
    if e.head == "piecewise":
        return _evaluate_branch(e, values)
    if e.head not in _RATIONAL:
        return None
    parts = [evaluate(a, values) for a in e.args]
    known = [p for p in parts if p is not None]
    return _RATIONAL[e.head](known) if len(known) == len(parts) else None


def _evaluate_branch(e: Expression, values: Mapping[str, Fraction]) -> Fraction | None:
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        if condition == TRUE:
            return evaluate(value, values)
        sides = [evaluate(a, values) for a in condition.args] if condition.head in ORDER else [None]
        if any(s is None for s in sides):
            return None
        if ORDER[condition.head](*sides):
            return evaluate(value, values)
    return None


def _rational_power(parts: list[Fraction]) -> Fraction | None:
    base, exponent = parts
    if exponent.denominator != 1 or abs(exponent) > 64 or (exponent < 0 and not base):
        return None
    return Fraction(base ** int(exponent))


ORDER: dict[str, Callable[..., bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
}
_RATIONAL: dict[str, Callable[[list[Fraction]], Fraction | None]] = {
    "+": lambda parts: sum(parts, Fraction(0)),
    "*": lambda parts: math.prod(parts, start=Fraction(1)),
    "^": _rational_power,
    "abs": lambda parts: abs(parts[0]),
    "min": min,
    "max": max,
    "floor": lambda parts: Fraction(math.floor(parts[0])),
}


def to_json(e: Expression) -> Any:
    """The canonical JSON of e: numbers as "p/q", other nodes as [head, arguments ...]."""
    if e.head == "number":
        return str(e.args[0])
    if e.head in LEAVES:
        return [e.head, *e.args]
    return [e.head, *[to_json(a) for a in e.args]]


ARITY = (
    dict.fromkeys(("^", "mod", "binomial", "==", "!=", "<", "<=", "and", "or", "index"), 2)
    | dict.fromkeys(
        (*["exp", "log", "theta3", "abs", "sign", "floor", "not"], *SMOOTH, *AGGREGATES), 1
    )
    | {"oo": 0, "pi": 0, "product": 1, "ordered": 2, "total": 4}
)
WRITTEN = HEADS - {"number"} | {"product", "ordered", "total"}  # in JSON, numbers are texts
DEPTH = 200


def from_json(data: Any, depth: int = 0) -> Expression:
    """The expression of its canonical JSON; BadInput if it is not one (unknown head, wrong
    number of arguments, too deep).
    """
    if depth > DEPTH:
        raise BadInput(
            "expression", f"it is nested more than {DEPTH} deep", "split it with let names"
        )
    if isinstance(data, str):
        return _number_of_text(data)
    head, args = (data[0], data[1:]) if isinstance(data, list) and data else (None, [])
    if not isinstance(head, str) or head not in WRITTEN:
        raise BadInput(
            "expression", f"{str(data)[:60]!r} is not a node", "write [head, arguments ...]"
        )
    if head in ("name", "label", "boolean"):
        if len(args) != 1 or not isinstance(args[0], bool if head == "boolean" else str):
            raise BadInput(
                "expression",
                f"{head} carries one {'truth value' if head == 'boolean' else 'text'}",
                "",
            )
        return _name_of_text(args[0]) if head == "name" else _one_object(head, (args[0],))
    wanted = ARITY.get(head)
    if (len(args) != wanted if wanted is not None else not args) or (
        head == "piecewise" and len(args) % 2
    ):
        raise BadInput("expression", f"{head} has {len(args)} arguments", "")
    return _one_object(head, tuple([from_json(a, depth + 1) for a in args]))


_number_of_text = lru_cache(maxsize=4096)(number)


@lru_cache(maxsize=4096)
def _name_of_text(text: str) -> Expression:
    if not NAME.fullmatch(text):
        raise BadInput("expression", f"{text[:40]!r} is not a name", "")
    return name(text)
