"""The distribution of one output in many draws at once: which form it has in which draws.

A law may depend on earlier outputs, or on sums over a dataset that was itself drawn: each of these
is a column, with a value for each draw (a row).  If the values differ, the points of the law may
change their order and conditions their truth: the rows are grouped so that within each group the
law has one form.  Floats throughout: nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, c = name("s"), name("c")
>>> law = exp(-Abs(s) - Abs(s - c))                     # has the points 0 and c
>>> found, _ = columns_by_form(law, real("s"), {"c": np.array([5.0, -2.0, 1.0])}, 3, lambda form: (ratio_values(form.cuts[0], form.columns), 0.0))
>>> found.tolist()                                      # the first point of each row
[0.0, -2.0, 0.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import is_whole, message_text, normal
from ahdp_verify.kernel.rules.integration import piece_context
from ahdp_verify.kernel.terms.expression import (
    CONDITIONS,
    Expression,
    boolean,
    label,
    name,
    names,
    number,
    substitute,
    transform,
)
from ahdp_verify.sampling.floats import Array, Columns, evaluate_columns, np, ratio_values
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context

ALIKE = 20_000  # most sets of equal values that are treated one by one
SIGN = {1: ">", 0: "=", -1: "<"}


@dataclass(frozen=True, slots=True)
class PiecewiseForm:
    """In these rows the distribution of an output has these points, in ascending order, and depends
    on nothing but the output and columns.
    """

    rows: Array
    law: Expression
    output: Output
    cuts: tuple[Ratio, ...]
    columns: Columns
    here: Context

    def piece(self, upper: int) -> Ratio:
        """The law below point number `upper`."""
        return normal(
            self.law, piece_context(self.output.name, self.output.kind, self.cuts, upper, self.here)
        )


DrawForm = Callable[[PiecewiseForm], tuple[Array, Array]]
HoistedLaw = tuple[
    Array, Expression, Columns, Context
]  # rows, and the law there with what is known of its columns


def columns_by_form(
    law: Expression, output: Output, given: Columns, n: int, act: DrawForm
) -> tuple[Array, Array]:
    """The two columns that a function computes from the forms of a law, each for its own rows.

    First the columns stand for any numbers, then for numbers of known signs, in the end each set of
    equal values is put in exactly.
    """
    if not n:
        return np.empty(0), np.empty(0)
    used = {k: v for k, v in given.items() if k in names(law)}
    missing: Exception = Unsupported("nothing was tried")
    for split in (_hoisted, _signed, _exactly):
        try:
            made = [
                (form.rows, act(form))
                for part in split(law, output, used, n)
                for form in _in_order(output, *part)
            ]
        except (Undecided, Unsupported) as reason:
            missing = reason
            if not used:
                break
            continue
        first, second = (_together([(rows, found[i]) for rows, found in made], n) for i in (0, 1))
        return first, second
    raise missing


def _together(parts: list[tuple[Array, Array]], n: int) -> Array:
    if len(parts) == 1:
        return np.broadcast_to(parts[0][1], n) if np.ndim(parts[0][1]) == 0 else parts[0][1]
    whole = np.empty(n)
    for rows, found in parts:
        whole[rows] = found
    return whole


def _hoisted(law: Expression, output: Output, given: Columns, n: int) -> Iterator[HoistedLaw]:
    """The law with every part that is free of the output and depends on columns as one column of
    its own, conditions case by case.
    """
    law, table = hoist_constants(law, output.name)
    columns = {key: np.broadcast_to(evaluate_columns(e, given), n) for e, key in table.items()}
    conditions = [key for e, key in table.items() if e.head in CONDITIONS]
    if not all(v.dtype.kind in "bif" and np.all(np.isfinite(v)) for v in columns.values()):
        raise Unsupported("a part of the law is a label, or not finite")
    for rows, found in group_equal_rows({key: columns[key] for key in conditions}, n):
        there = substitute(law, {key: boolean(bool(v)) for key, v in found.items()})
        yield (
            rows,
            there,
            {k: v[rows] for k, v in columns.items() if k not in conditions},
            _context(output, columns),
        )


def hoist_constants(law: Expression, output: str) -> tuple[Expression, dict[Expression, str]]:
    """The law with every part that is free of the output, and not a constant, under a name of its
    own; and the names.
    """
    table: dict[Expression, str] = {}

    def change(e: Expression) -> Expression | None:
        used = names(e)
        return None if output in used or not used else name(table.setdefault(e, f"@{len(table)}"))

    return transform(law, change), table


def _context(output: Output, columns: Columns) -> Context:
    """What is known to be whole."""
    of_columns = (k for k, v in columns.items() if np.asarray(v).dtype.kind == "i")
    return Context.empty(
        frozenset((output.name, *of_columns)) if output.kind == "integer" else frozenset()
    )


def _signed(law: Expression, output: Output, given: Columns, n: int) -> Iterator[HoistedLaw]:
    """The same, with the sign of every column known."""
    for rows, there, columns, here in _hoisted(law, output, given, n):
        for some, signs in group_equal_rows({k: np.sign(v) for k, v in columns.items()}, len(rows)):
            known = here
            for key, sign in signs.items():
                known = known.given(symbol(key).num, SIGN[int(sign)])
            yield rows[some], there, {k: v[some] for k, v in columns.items()}, known


def _exactly(law: Expression, output: Output, given: Columns, n: int) -> Iterator[HoistedLaw]:
    """The law with the values of the columns substituted, for each set of equal values."""
    for i, (rows, found) in enumerate(group_equal_rows(given, n)):
        if i == ALIKE:
            raise Unsupported(
                f"the distribution of {output.name} has to be worked out for each of more than "
                f"{ALIKE} different values of {', '.join(given)}"
            )
        there = substitute(
            law,
            {
                k: label(str(v))
                if isinstance(v, str)
                else number(Fraction(v.item() if hasattr(v, "item") else v))
                for k, v in found.items()
            },
        )
        yield rows, there, {}, _context(output, {})


def group_equal_rows(columns: Columns, n: int) -> Iterator[tuple[Array, dict[str, Any]]]:
    """The rows in which all columns are equal, with the values that they have there."""
    if not columns:
        yield np.arange(n), {}
        return
    codes = np.stack(
        [
            np.unique(v.astype(str) if v.dtype.kind == "O" else v, return_inverse=True)[1].ravel()
            for v in columns.values()
        ]
    )
    _, first, which = np.unique(codes, axis=1, return_index=True, return_inverse=True)
    which = which.ravel()
    for i, rows in zip(
        first,
        np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1]),
        strict=True,
    ):
        yield rows, {k: v[i] for k, v in columns.items()}


def _in_order(
    output: Output, rows: Array, law: Expression, columns: Columns, here: Context
) -> Iterator[PiecewiseForm]:
    """The forms of a law, one for each order that its points have; points of whole outputs are
    whole.
    """
    listed = output_breakpoints(law, output, here)
    if output.kind == "integer":
        listed = list({c.key: c for c in (_whole(c, here) for c in listed)}.values())
    if not columns:
        yield PiecewiseForm(rows, law, output, sort_in_context(listed, here), columns, here)
        return
    places = [np.broadcast_to(ratio_values(c, columns), len(rows)) for c in listed]
    order: Array = np.argsort(places, axis=0, kind="stable") if places else []
    for some, found in group_equal_rows({str(i): o for i, o in enumerate(order)}, len(rows)):
        yield PiecewiseForm(
            rows[some],
            law,
            output,
            tuple(listed[i] for i in found.values()),
            {k: v[some] for k, v in columns.items()},
            here,
        )


def _whole(c: Ratio, here: Context) -> Ratio:
    """The smallest whole number from a point on."""
    if is_whole(c, here):
        return c
    if algebra.ratio_names(c):
        raise Unsupported(f"{message_text(c)} is not known to be a whole number")
    return algebra.constant(math.ceil(approximate_rational(c)))
