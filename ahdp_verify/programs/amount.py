"""The numbers on which a noise program computes while its paths are explored.

An amount is a linear form: rational multiples of noises, query answers and values kept from earlier
queries, plus an exact constant in the parameters.  It behaves like a Python number as far as sums,
multiples and comparisons go; a comparison is decided by the run to which the amount belongs (it
forks there, or follows from the conditions of the parameters), and everything else is refused with
the cure: a noise has no truth value, is no index and no float, and products of noises are not
linear.

>>> from ahdp_verify.programs.exploring import ExploringRun
>>> run = ExploringRun("program", Context.empty())
>>> eps, rho = Amount.of_expression(name("eps"), run), run.draw("laplace", 2)
>>> print((2 * (rho + eps / 3) - 1).text)
2*noise1 + 2*eps/3 - 1
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NoReturn, Protocol

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression
from ahdp_verify.kernel.terms.expression import Arithmetic, Expression, name, substitute

NOTHING = constant(0)
WRITTEN_OUT = 8  # most digits of a denominator that someone has written as a decimal
TO_INT = "compare it instead: int, round, // and % are not linear"


WRITTEN: dict[str, Expression] = {}  # constants by their texts, at most so many:
MOST_WRITTEN = 4096


def constant_expression(value: Ratio) -> Expression:
    """The expression of a constant; programs use the same few again and again."""
    key = value.key
    if key not in WRITTEN:
        if len(WRITTEN) >= MOST_WRITTEN:
            WRITTEN.clear()
        WRITTEN[key] = to_expression(value)
    return WRITTEN[key]


class Run(Protocol):
    """What decides about amounts."""

    @property
    def here(self) -> Context:
        """What is known of the parameters."""

    def decide(self, gap: Amount, strict: bool) -> bool:
        """Whether gap > 0 (strict) or gap >= 0 on the path that is taken."""

    def refuse(self, reason: str, cure: str) -> NoReturn:
        """Raises BadInput, of which the run is told."""


class Amount:
    """The sum of coefficient * name over `terms` and of `constant`, on one run of a program.

    Amounts do not change, except that a loop over any number of queries replaces what they are by
    a name for it where it waits for the next query (`ahdp_verify.programs.stream`).
    """

    __slots__ = ("constant", "run", "terms")

    def __init__(
        self, run: Run, terms: dict[str, Fraction] | None = None, constant: Ratio = NOTHING
    ) -> None:
        self.run, self.constant = run, constant
        self.terms = {key: c for key, c in (terms or {}).items() if c}

    @classmethod
    def of_expression(cls, e: Expression, run: Run) -> Amount:
        """The amount of an expression in the parameters."""
        try:
            return cls(run, None, normal(e, run.here))
        except (Undecided, Unsupported, ZeroDivisionError) as why:
            run.refuse(f"{str(e)[:60]} has no known value ({refusal_text(why)})", "simplify it")

    @property
    def form(self) -> LinearForm:
        """The amount as the kernel writes it."""
        return LinearForm.of(self.terms, constant_expression(self.constant))

    @property
    def symbol(self) -> Expression:
        """The expression of an amount that depends on parameters alone."""
        if self.terms:
            self._refuse(
                "stands where only parameters may", "write noises and query answers on the left"
            )
        return constant_expression(self.constant)

    @property
    def text(self) -> str:
        """The amount in messages."""
        shown = {key: name(_shown(key)) for key in self.terms}
        return str(substitute(self.form.expression, shown))

    # sums and multiples

    def __add__(self, other: object) -> Amount:
        them = self._other(other)
        if them is None:
            return NotImplemented
        terms = dict(self.terms)
        for key, c in them.terms.items():
            terms[key] = terms.get(key, Fraction(0)) + c
        return Amount(self.run, terms, self.constant + them.constant)

    __radd__ = __add__

    def __neg__(self) -> Amount:
        return self._scaled(Fraction(-1))

    def __pos__(self) -> Amount:
        return self

    def __sub__(self, other: object) -> Amount:
        them = self._other(other)
        return NotImplemented if them is None else self + -them

    def __rsub__(self, other: object) -> Amount:
        return -self + other

    def __mul__(self, other: object) -> Amount:
        them = self._other(other)
        if them is None:
            return NotImplemented
        if not self.terms:
            self, them = them, self
        if not self.terms:
            return Amount(self.run, None, self.constant * them.constant)
        factor = None if them.terms else them.constant.as_rational
        if factor is None:
            if them.terms:
                self._refuse(f"is multiplied by {them.text}, and the product is not linear")
            self._refuse(
                f"is multiplied by {them.text}, which is not a number",
                "multiply by numbers, and the scale of a noise by parameters",
            )
        return self._scaled(factor)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Amount:
        them = self._other(other)
        return NotImplemented if them is None else self * them._inverse()

    def __rtruediv__(self, other: object) -> Amount:
        return self._inverse() * other

    def __pow__(self, other: object) -> Amount:
        if not isinstance(other, int) or isinstance(other, bool) or self.terms:
            self._refuse("is raised to a power", "use whole powers of parameters")
        base = self if other >= 0 else self._inverse()
        return Amount(self.run, None, base.constant ** abs(other))

    def __abs__(self) -> Amount:
        return self if self >= 0 else -self

    # comparisons

    def __gt__(self, other: object) -> Any:
        return self._compared(other, 1, True)

    def __ge__(self, other: object) -> Any:
        return self._compared(other, 1, False)

    def __lt__(self, other: object) -> Any:
        return self._compared(other, -1, True)

    def __le__(self, other: object) -> Any:
        return self._compared(other, -1, False)

    def _compared(self, other: object, sign: int, strict: bool) -> Any:
        """Whether sign * (self - other) > 0, or >= 0; infinities are beyond every amount;
        NotImplemented for what is not a number.
        """
        if isinstance(other, float) and math.isinf(other):
            return (other < 0) is (sign > 0)
        them = self._other(other)
        if them is None:
            return NotImplemented
        return self.run.decide(self - them if sign > 0 else them - self, strict)

    def __eq__(self, other: object) -> Any:
        at_least = self._compared(other, 1, False)
        return self._compared(other, -1, False) if at_least is True else at_least

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return NotImplemented if equal is NotImplemented else not equal

    # what numbers can do and amounts cannot

    def __getattr__(self, key: str) -> NoReturn:
        if key.startswith("_"):
            raise AttributeError(key)
        self._refuse(f"is asked for {key}")

    def __copy__(self) -> Amount:
        return self

    def __deepcopy__(self, memo: object) -> Amount:
        return self

    def __str__(self) -> str:
        self._refuse("becomes a text", "release the number itself")

    __repr__ = __str__

    def __format__(self, layout: str) -> str:
        return str(self)

    def __bool__(self) -> bool:
        self._refuse("has no truth value", "compare it with something")

    def __hash__(self) -> int:
        self._refuse("is a key or an element of a set", "use lists")

    def __index__(self) -> int:
        self._refuse("is used as an index or a count", "use argmax, or whole numbers")

    def __float__(self) -> float:
        self._refuse("would become a float", "leave it as it is: floats are not exact")

    def __int__(self) -> int:
        self._refuse("would become a whole number", TO_INT)

    def __round__(self, digits: int = 0) -> int:
        self._refuse("would be rounded", TO_INT)

    __trunc__ = __floor__ = __ceil__ = __int__

    def __mod__(self, other: object) -> Amount:
        self._refuse("is taken modulo something", TO_INT)

    __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __mod__

    def __rpow__(self, other: object) -> Amount:
        self._refuse("is an exponent", "use exp(...) of parameters")

    def _scaled(self, factor: Fraction) -> Amount:
        terms = {key: factor * c for key, c in self.terms.items()}
        return Amount(self.run, terms, self.constant.scale(factor))

    def _inverse(self) -> Amount:
        if self.terms:
            self._refuse("is a divisor", "divide by numbers and parameters")
        if 0 in self.run.here.ratio_signs(self.constant):
            self._refuse("is a divisor that may be 0", 'declare a condition such as "eps > 0"')
        return Amount(self.run, None, constant(1) / self.constant)

    def _other(self, other: object) -> Amount | None:
        """An operand as an amount; None for what is not a number."""
        if isinstance(other, Amount):
            if other.run is not self.run:
                self._refuse(f"meets {other.text} of another run", "keep values in local variables")
            return other
        if isinstance(other, int | Fraction):
            return Amount(self.run, None, constant(Fraction(other)))
        if isinstance(other, Arithmetic):
            return Amount.of_expression(other.symbol, self.run)
        if isinstance(other, float):
            self.run.refuse(f"{other!r} is a float, which is not exact", exact_cure(other))
        return None

    def _refuse(self, reason: str, cure: str = "") -> NoReturn:
        self.run.refuse(f"{self.text[:60]} {reason}", cure or "use sums, multiples and comparisons")


def _shown(key: str) -> str:
    """A name in messages: a noise by its number, a kept value by its variable."""
    if key.startswith("#"):
        return f"noise{key[1:]}"
    return "q" if key.startswith("?") else key.partition("@")[0]


def exact_cure(value: float) -> str:
    """What to write instead of a float."""
    if value != value or abs(value) > 1e300:
        return "use exact numbers"
    near = Fraction(value).limit_denominator(10_000)  # 1/3 is written more often than 0.333...
    top, _, bottom = str(near if float(near) == value else Fraction(str(value))).partition("/")
    if len(bottom) > WRITTEN_OUT:
        return "use exp, log and sqrt of this package, or a Fraction"
    return f"write Fraction({top}, {bottom})" if bottom else f"write {top}"


def exact_parameter(value: object, run: Run, what: str) -> Amount:
    """A scale or a probability: an amount that depends on parameters alone; BadInput, through the
    run, for anything else.
    """
    found: object = value
    if not isinstance(value, Amount):
        found = Amount(run)._other(value)
    if not isinstance(found, Amount):
        run.refuse(f"the {what} is a {type(value).__name__}", "use an exact number")
    if found.terms:
        run.refuse(
            f"the {what} {found.text[:60]} depends on noise or on the data",
            f"use a {what} in parameters alone",
        )
    return found
