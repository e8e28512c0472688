"""Text to expression tree: a tokenizer and a precedence parser; nothing is ever evaluated.

From loose to tight: or, and, not, comparisons (chained: a <= b < c), + -, * /, unary minus, ^ (to
the right).  Numbers are exact ("0.25" is 1/4), labels are in double quotes.  Let names stand for
trees.  total(e, k, a, b) and product(e, k, a, b) are expanded here: e is read once for every
integer k from a to b, so that x[k] and s[8*(i - 1) + k] become the names of parts. A text is
bounded in length, nesting, terms and size after substitution, so that reading any text is fast.

>>> print(parse("exp(-abs(s - sum(a*x))/2)/4", lets={"a": parse("1 - exp(-eps)")}))
exp(-abs(s - sum((1 - exp(-eps))*x))/2)/4
>>> print(parse("total(k*x[k], k, 1, 3)"))
x[1] + 2*x[2] + 3*x[3]
>>> parse("2*(1 + x", "level")
Traceback (most recent call last):
ahdp_verify.kernel.errors.GrammarError: level: at character 3, this parenthesis is never closed; write ) where it ends
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from ahdp_verify.kernel.errors import BadInput, GrammarError, closest
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.exact import BITS, rational
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    DEPTH,
    FALSE,
    LEAVES,
    TRUE,
    Expression,
    add,
    is_condition,
    multiply,
    negative,
    number,
    reciprocal,
)
from ahdp_verify.kernel.terms.tokens import SIZE, Token, TokenReader
from ahdp_verify.kernel.terms.words import SMOOTH, is_name

T = TypeVar("T")

NESTING = 100  # nested expressions; keeps the recursion far below Python's own limit of 1000
TERMS = 10_000  # terms of one total or product; guards the time to read a text
DIGITS = 400  # digits of one number in a text; guards the arithmetic on it
ANY = 1 << 20

OR, AND, NOT, COMPARISON, SUM, PRODUCT, POWER = range(1, 8)
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
LEVELS = {
    "or": OR,
    "and": AND,
    **dict.fromkeys(COMPARISONS, COMPARISON),
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "^": POWER,
}
CONSTANTS = {"pi": ex.pi, "oo": ex.oo, "true": TRUE, "false": FALSE, "size": ex.sum_over_records(1)}
WORDS = ("and", "or", "not")
PLAIN: dict[str, tuple[int, int, Callable[..., Expression]]] = {
    **{
        head: (1, 1, lambda e, head=head: Expression(head, (e,)))
        for head in ("exp", "log", *SMOOTH, "theta3", "abs", "sign", "floor")
    },
    **{
        head: (2, 2, lambda a, b, head=head: Expression(head, (a, b)))
        for head in ("mod", "binomial")
    },
    **{head: (1, ANY, lambda *es, head=head: Expression(head, es)) for head in ("min", "max")},
    "sqrt": (1, 1, ex.sqrt),
    "clip": (3, 3, ex.clip),
}


class _Let(NamedTuple):
    """A tree that a name stands for, with what bounds its use: its number of nodes, its names,
    whether it sums over records.
    """

    tree: Expression
    size: int
    names: frozenset[str]
    aggregates: bool


def parse(
    text: str,
    where: str = "expression",
    lets: Mapping[str, Expression] = MappingProxyType({}),
    *,
    records: Sequence[Expression] = (),
    nested: bool = False,
) -> Expression:
    """The tree of a text; `lets` maps names to the trees that they stand for, count(i) is
    `records[i - 1]`; with `nested`, sums over rows may stand inside each other.

    Raises GrammarError (with `where` and the position in its sentence) for any text that is not an
    expression.  A name that is neither a let nor bound stays a name: whether it is declared is
    checked by the mechanism.
    """
    if not isinstance(text, str):
        raise BadInput(
            where,
            f"{type(text).__name__} is not a string",
            'write the expression in quotes, for example "1/2"',
        )
    try:
        return _Parser(TokenReader(text, where), lets, records, nested).whole()
    except GrammarError as error:
        error.found_in = error.found_in or (text, error.position)
        raise
    except RecursionError:  # deeply nested let names in deeply nested texts, or deep in a program
        raise GrammarError(where, 1, "the text is nested too deep", "write it flatter") from None


def parse_condition(
    text: str, where: str = "condition", lets: Mapping[str, Expression] = MappingProxyType({})
) -> Expression:
    """The condition of a text, true for an empty text; raises GrammarError for anything else."""
    if isinstance(text, str) and not text.strip():
        return TRUE
    tree = parse(text, where, lets)
    if not is_condition(tree):
        raise GrammarError(
            where,
            1,
            f"{text.strip()[:40]!r} is not a condition",
            'write for example "0 < eps <= 1", or "" for none',
        )
    return tree


class _Parser:
    """Reads one text; `bound` holds the counters of the surrounding totals, `body` the record sum
    that is being read.
    """

    def __init__(
        self,
        words: TokenReader,
        lets: Mapping[str, Expression],
        records: Sequence[Expression],
        nested: bool,
    ) -> None:
        self.words, self.lets, self.records, self.nested = words, lets, records, nested
        self.depth = 0
        self.bound: dict[str, Expression] = {}
        self.body = ""
        self.known: dict[str, _Let] = {}

    def whole(self) -> Expression:
        tree = self.expression(OR)
        self.words.end()
        if _depth(tree) > DEPTH:
            self.words.fail(
                self.words.tokens[0],
                f"the expression is more than {DEPTH} levels deep",
                "write it flatter",
            )
        return tree

    def expression(self, least: int) -> Expression:
        """The expression that begins here, up to the first operator that binds less tightly than
        `least`.
        """
        start = self.words.next
        self.depth += 1
        if self.depth > NESTING:
            self.words.fail(
                start, f"the text is nested more than {NESTING} deep", "split it with let names"
            )
        left = self.prefix()
        while LEVELS.get(self.words.next.text, 0) >= least:
            left = self.infix(left, start, LEVELS[self.words.next.text])
        self.depth -= 1
        return left

    def operand(self, least: int) -> Expression:
        start = self.words.next
        return self.numeric(self.expression(least), start)

    def anything(self) -> Expression:
        return self.operand(OR)

    def requirement(self, least: int) -> Expression:
        start = self.words.next
        return self.conditional(self.expression(least), start)

    def numeric(self, e: Expression, start: Token) -> Expression:
        if is_condition(e):
            self.words.fail(
                start,
                "a condition is used where a number is expected",
                "write indicator(...) around it",
            )
        if e.head == "label":
            self.words.fail(
                start,
                "a label is used where a number is expected",
                "labels are only compared, with == or !=",
            )
        return e

    def conditional(self, e: Expression, start: Token) -> Expression:
        if not is_condition(e):
            self.words.fail(
                start,
                "a number is used where a condition is expected",
                'compare it with something, for example "x == 1"',
            )
        return e

    def infix(self, left: Expression, start: Token, level: int) -> Expression:
        if level in (SUM, PRODUCT):
            return self.chain(self.numeric(left, start), level)
        if level == COMPARISON:
            return self.comparison(left, start)
        sign = self.words.take()
        if level == POWER:
            return self.power(self.numeric(left, start), self.operand(POWER), sign)
        return Expression(sign.text, (self.conditional(left, start), self.requirement(level + 1)))

    def chain(self, first: Expression, level: int) -> Expression:
        """first + a - b ... or first * a / b ..., collected in one node."""
        start, parts = self.words.next, [first]
        while LEVELS.get(self.words.next.text) == level:
            sign = self.words.take().text
            part = self.operand(level + 1)
            parts.append(
                negative(part) if sign == "-" else reciprocal(part) if sign == "/" else part
            )
        return self.collected("+" if level == SUM else "*", parts, start)

    def collected(self, head: str, parts: list[Expression], at: Token) -> Expression:
        """The sum or product of parts; refused if its numerical coefficient becomes too large."""
        value = Fraction(head == "*")
        for part in parts:
            for e in part.args if part.head == head else (part,):
                if e.head == "number":
                    value = self.guarded(
                        value * e.args[0] if head == "*" else value + e.args[0], at
                    )
        return add(*parts) if head == "+" else multiply(*parts)

    def guarded(self, value: Fraction, at: Token) -> Fraction:
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > BITS:
            self.words.fail(
                at,
                f"a number of more than {BITS} bits appears",
                "use smaller exponents or fewer digits",
            )
        return value

    def power(self, base: Expression, exponent: Expression, at: Token) -> Expression:
        """base ^ exponent; computed for a number to an integer power."""
        if (
            base.head != "number"
            or exponent.head != "number"
            or exponent.args[0].denominator != 1
            or (not base.args[0] and exponent.args[0] < 0)
        ):
            return Expression("^", (base, exponent))
        value, times = base.args[0], exponent.args[0].numerator
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if (bits - 1) * abs(times) > BITS:
            self.words.fail(
                at, f"this power is a number of more than {BITS} bits", "use a smaller exponent"
            )
        return number(self.guarded(value**times, at))

    def comparison(self, left: Expression, start: Token) -> Expression:
        """left < a <= b ...: every two neighbours compared, joined by and."""
        joined: Expression | None = None
        while LEVELS.get(self.words.next.text) == COMPARISON:
            sign, right_start = self.words.take().text, self.words.next
            right = self.expression(SUM)
            pair = self.compared(sign, (left, start), (right, right_start))
            joined = pair if joined is None else Expression("and", (joined, pair))
            left, start = right, right_start
        return left if joined is None else joined

    def compared(
        self, sign: str, left: tuple[Expression, Token], right: tuple[Expression, Token]
    ) -> Expression:
        if sign in ("==", "!="):
            return Expression(sign, (left[0], right[0]))
        a, b = self.numeric(*left), self.numeric(*right)
        return (
            Expression(sign, (a, b))
            if sign in ("<", "<=")
            else Expression(sign.replace(">", "<"), (b, a))
        )

    def prefix(self) -> Expression:
        """An operand: a signed or parenthesised part, a number, a label, a name or a call."""
        token = self.words.next
        if token.kind not in ("number", "label", "name") and token.text not in ("(", "-"):
            self.words.unexpected("a number, a name or a function")
        self.words.take()
        if token.text == "-":
            return negative(self.operand(POWER))
        if token.text == "(":
            inner = self.expression(OR)
            self.words.close(token)
            return inner
        if token.text == "not":
            return Expression("not", (self.requirement(NOT),))
        return (
            self.name(token)
            if token.kind == "name"
            else self.number(token)
            if token.kind == "number"
            else self.label(token)
        )

    def number(self, token: Token) -> Expression:
        if len(token.text) > DIGITS:
            self.words.fail(token, f"a number has more than {DIGITS} digits", "use fewer digits")
        if self.words.next.kind == "name" and re.fullmatch("[eE][0-9]*", self.words.next.text):
            self.words.fail(
                self.words.next,
                "numbers are written without exponents",
                "write 10^5 in place of 1e5",
            )
        return number(rational(token.text))

    def label(self, token: Token) -> Expression:
        try:
            return Expression("label", (str(json.loads(token.text)),))
        except ValueError:
            self.words.fail(
                token,
                "this label is not a plain text",
                'write " as \\" and \\ as \\\\ inside a label',
            )

    def name(self, token: Token) -> Expression:
        if self.words.next.text == "(":
            return self.call(token)
        if token.text in FUNCTIONS or token.text in WORDS:
            self.words.fail(
                token,
                f"{token.text!r} is a reserved word and not a name",
                f"write {token.text}(...)",
            )
        if token.text == "size":
            self.outside(token)
        if token.text in CONSTANTS:
            return CONSTANTS[token.text]
        return self.part(token) if self.words.next.text == "[" else self.named(token.text, token)

    def part(self, token: Token) -> Expression:
        """x[i], the name of a part once i is a number."""
        opened = self.words.take()
        index = self.operand(OR)
        self.words.close(opened)
        base = self.bound.get(
            token.text, self.lets.get(token.text, Expression("name", (token.text,)))
        )
        try:
            found = ex.component(base, index)
        except BadInput as error:
            self.words.fail(token, error.reason, error.cure)
        return self.named(found.args[0], token) if found.head == "name" else found

    def named(self, name: str, token: Token) -> Expression:
        if name in self.bound:
            return self.bound[name]
        return self.let(name, token) if name in self.lets else Expression("name", (name,))

    def let(self, name: str, token: Token) -> Expression:
        """The tree of a let name, with the counters of the surrounding totals substituted."""
        if name not in self.known:
            self.known[name] = _measured(self.lets[name])
        let = self.known[name]
        self.words.spend(token, let.size)
        if let.aggregates and self.body and not self.nested:
            self.words.fail(
                token,
                f"{name} sums over the records inside {self.body}, which already does",
                "move it outside",
            )
        return self.instance(let.tree, token) if let.names & self.bound.keys() else let.tree

    def instance(self, e: Expression, token: Token) -> Expression:
        if e.head == "name":
            return self.bound.get(e.args[0], e)
        if e.head in LEAVES:
            return e
        args = [self.instance(a, token) for a in e.args]
        if e.head in ("+", "*"):
            return self.collected(e.head, args, token)
        return self.power(args[0], args[1], token) if e.head == "^" else ex.rebuild(e, tuple(args))

    def call(self, token: Token) -> Expression:
        if token.text not in FUNCTIONS:
            self.words.fail(
                token,
                f"{token.text[:40]!r} is not a function",
                closest(token.text, sorted(FUNCTIONS), "the functions are"),
            )
        opened = self.words.take()
        result = FUNCTIONS[token.text](self, token)
        self.words.close(opened)
        return result

    def plain(self, token: Token) -> Expression:
        """The call of a function of numbers."""
        least, most, build = PLAIN[token.text]
        args = [self.operand(OR)]
        while self.words.next.text == ",":
            self.words.take()
            args.append(self.operand(OR))
        if not least <= len(args) <= most:
            self.words.fail(token, f"{token.text} has {len(args)} arguments in place of {least}")
        return build(*args)

    def indicator(self, token: Token) -> Expression:
        return ex.indicator(self.requirement(OR))

    def piecewise(self, token: Token) -> Expression:
        branches = [self.branch()]
        while self.words.next.text == ",":
            self.words.take()
            branches.append(self.branch())
        return ex.piecewise(*branches)

    def branch(self) -> tuple[Expression, Expression]:
        opened = self.words.next
        if opened.text != "(":
            self.words.unexpected("a branch (value, condition)")
        self.words.take()
        start = self.words.next
        value = self.expression(OR)
        if is_condition(value):
            self.numeric(value, start)
        self.words.comma("the condition of this branch")
        holds = self.requirement(OR)
        self.words.close(opened)
        return value, holds

    def aggregate(self, token: Token) -> Expression:
        """sum(e), maximum(e), minimum(e), count(c) and ordered(e, k)."""
        self.outside(token)
        outer, self.body, start = self.body, token.text, self.words.next
        inner = self.expression(OR)
        self.body = outer
        if token.text == "count":
            return self.counted(inner, start)
        if token.text != "ordered":
            return Expression(token.text, (self.numeric(inner, start),))
        self.words.comma("which of them, from 1 for the smallest")
        return Expression("ordered", (self.numeric(inner, start), self.anything()))

    def counted(self, inner: Expression, start: Token) -> Expression:
        if inner.head != "number":
            return ex.sum_over_records(ex.indicator(self.conditional(inner, start)))
        i: Fraction = inner.args[0]
        if i.denominator != 1 or not 1 <= i <= len(self.records):
            which = (
                f", or a record from 1 to {len(self.records)}"
                if self.records
                else ", for example count(x == 1)"
            )
            self.words.fail(start, f"there is no record number {i}", f"count a condition{which}")
        return self.records[int(i) - 1]

    def outside(self, token: Token) -> None:
        if self.body and not self.nested:
            self.words.fail(
                token,
                f"{token.text} stands inside {self.body}, and both range over the records",
                "move it outside",
            )

    def repeated(self, token: Token) -> Expression:
        """total(e, k, a, b) and product(e, k, a, b): e read again for every k, where the ends are
        numbers; product(e) over rows.
        """
        spans = self.words.spans()
        if len(spans) == 1 and token.text == "product":
            return self.aggregate(token)
        if len(spans) != 4:
            self.words.fail(
                token,
                f"{token.text} has {len(spans)} arguments in place of 4",
                f"write {token.text}(expression, k, first, last)",
            )
        name = self.within(spans[1], self.binder)
        if token.text == "total" and self.nested:
            ends = [self.within(span, self.anything) for span in spans[2:]]
            if any(end.head != "number" for end in ends):
                body = self.within(spans[0], self.anything)
                self.words.at = spans[3][1]
                return Expression("total", (body, Expression("name", (name,)), *ends))
        first, last = (self.within(span, self.whole_number) for span in spans[2:])
        if last - first >= TERMS:
            self.words.fail(token, f"{token.text} has more than {TERMS} terms", "use fewer")
        terms, outer = [], self.bound
        for k in range(first, last + 1):
            self.bound = {**outer, name: number(k)}
            terms.append(self.within(spans[0], self.anything))
        self.bound, self.words.at = outer, spans[3][1]
        return self.collected("+" if token.text == "total" else "*", terms, token)

    def within(self, span: tuple[int, int], read: Callable[[], T]) -> T:
        self.words.at = span[0]
        result = read()
        if self.words.at != span[1]:
            self.words.unexpected("an operator or a comma")
        return result

    def binder(self) -> str:
        token = self.words.next
        if token.kind != "name" or not is_name(token.text) or token.text in ("x", "eps"):
            self.words.fail(
                token, f"{token.text[:40]!r} cannot be a counter", "name a new letter such as k"
            )
        return self.words.take().text

    def whole_number(self) -> int:
        start = self.words.next
        value = self.operand(OR)
        if value.head != "number" or value.args[0].denominator != 1:
            self.words.fail(
                start,
                "the first and the last number must be integers",
                'write for example "1" and "8"',
            )
        return int(value.args[0])


def _measured(tree: Expression) -> _Let:
    nodes = tuple(islice(ex.walk(tree), SIZE + 1))
    return _Let(
        tree,
        len(nodes),
        frozenset(e.args[0] for e in nodes if e.head == "name"),
        any(e.head in AGGREGATES for e in nodes),
    )


def _depth(tree: Expression) -> int:
    deepest, stack = 0, [(tree, 1)]
    while stack:
        e, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend(() if e.head in LEAVES else ((a, depth + 1) for a in e.args))
    return deepest


FUNCTIONS: dict[str, Callable[[_Parser, Token], Expression]] = {
    **dict.fromkeys(PLAIN, _Parser.plain),
    **dict.fromkeys((*AGGREGATES, "count", "ordered"), _Parser.aggregate),
    **dict.fromkeys(("total", "product"), _Parser.repeated),
    "indicator": _Parser.indicator,
    "piecewise": _Parser.piecewise,
}
