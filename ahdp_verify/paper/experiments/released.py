"""The sums that a mechanism publishes and the noise that it adds, derived from the verified law.

A law that is a product of Laplace densities, one for each output, determines how to run it:
output = centre + L(scale), where the centre is an expression in sums over the records.  The result
is checked by building the law again from it.

>>> from ahdp_verify.catalogue import find_entry
>>> from ahdp_verify.paper.catalogue import PAPER_CATALOGUE
>>> M = find_entry("mean-ex-mean", PAPER_CATALOGUE).mechanism
>>> for part in laplace_outputs(M):
...     print(part.output, "=", part.centre, "+ L(", part.scale, ")")
m = sum((1 - exp(-eps))*x/2) + L( 2 )
n = sum((1 - exp(-eps))/2) + L( 1 )
>>> record_contributions(laplace_outputs(M), {"x": np.array([2.0]), "eps": np.array([np.inf])})
array([[1. , 0.5]])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ahdp_verify import Expression, Mechanism, NotWorkedOut, Output, name, number
from ahdp_verify.catalogue import laplace_density, simplified_reciprocal
from ahdp_verify.sampling import Array, Columns, evaluate_columns


@dataclass(frozen=True, slots=True)
class LaplaceOutput:
    """One output of a mechanism: its centre, an expression in sums over the records, plus
    L(scale).
    """

    output: str
    centre: Expression
    scale: Expression


def laplace_outputs(mechanism: Mechanism) -> tuple[LaplaceOutput, ...]:
    """The parts of a mechanism whose density is a product of Laplace densities; NotWorkedOut for
    any other.
    """
    law = mechanism.density
    exponents = [f.args[0] for f in (law.args if law.head == "*" else (law,)) if f.head == "exp"]
    found = tuple(
        part for o in mechanism.outputs for e in exponents if (part := _part(o, e)) is not None
    )
    again = expression_product(
        laplace_density(o - part.centre, part.scale)
        for o, part in zip(mechanism.outputs, found, strict=False)
    )
    if again != law or mechanism.atoms or len(found) != len(mechanism.outputs):
        raise NotWorkedOut(
            str(mechanism),
            "its density was not found to be a product of Laplace densities, one for each output",
            "only such mechanisms are run here",
        )
    return found


def _part(output: Output, exponent: Expression) -> LaplaceOutput | None:
    """The part of an output whose density has the exponent -|output - centre|/scale, else None."""
    factors = exponent.args if exponent.head == "*" else (exponent,)
    inside = next((f.args[0] for f in factors if f.head == "abs"), None)
    if inside is None or inside.head != "+" or inside.args[0] != output.symbol:
        return None
    rate = -expression_product(f for f in factors if f.head != "abs")
    centre = sum((-e for e in inside.args[1:]), number(0))
    return LaplaceOutput(output.name, centre, simplified_reciprocal(rate))


def expression_product(factors: Iterable[Expression]) -> Expression:
    """The product of expressions, 1 for none."""
    return prod(factors, start=number(1))


def output_per_unit(part: LaplaceOutput, weight: Expression) -> LaplaceOutput:
    """The part whose centre is this one's with weight 1, where the weight is a factor of every
    contribution; NotWorkedOut where it was not found to be one.
    """
    (body,) = part.centre.args if part.centre.head == "sum" else (part.centre,)
    rest = [f for f in body.args if f != weight] if body.head == "*" else []
    if part.centre.head != "sum" or len(rest) != len(body.args) - 1:
        raise NotWorkedOut(
            part.output,
            f"its centre {part.centre} was not found to be {weight} times something, summed",
            "only such sums are weighted here",
        )
    return LaplaceOutput(part.output, Expression("sum", (expression_product(rest),)), part.scale)


def float_constant(e: Expression, values: Mapping[str, float] | None = None) -> float:
    """About the value of an expression at values of its names."""
    return float(evaluate_columns(e, values or {}))


def noise_scales(
    parts: tuple[LaplaceOutput, ...], values: Mapping[str, float] | None = None
) -> Array:
    """The scale of every output's noise; the values are those of the mechanism's parameters."""
    return np.array([float_constant(part.scale, values) for part in parts])


def record_contributions(parts: tuple[LaplaceOutput, ...], columns: Columns) -> Array:
    """What each record adds to each centre, records by outputs, where every centre is one sum
    over the records (and else NotWorkedOut).
    """
    number = len(next(iter(columns.values())))
    for part in parts:
        if part.centre.head != "sum":
            raise NotWorkedOut(
                part.output,
                f"its centre {part.centre} is not written as a plain sum over the records",
                "use `centre_function`",
            )
    return np.stack(
        [np.broadcast_to(evaluate_columns(part.centre.args[0], columns), number) for part in parts],
        axis=1,
    ).astype(float)


def centre_function(parts: tuple[LaplaceOutput, ...], columns: Columns) -> Callable[[Array], Array]:
    """The centres as a function of the dataset: copies of each record in the last axis of its
    argument, outputs in that of its result.
    """
    sums = tuple(dict.fromkeys(node for part in parts for node in sums_in(part.centre)))
    added = record_contributions(
        tuple(LaplaceOutput("", node, number(1)) for node in sums), columns
    )

    def at(counts: Array) -> Array:
        values = dict(zip(sums, np.moveaxis(counts @ added, -1, 0), strict=True))
        return np.stack(
            [np.broadcast_to(_combined(part.centre, values), counts.shape[:-1]) for part in parts],
            axis=-1,
        )

    return at


def sums_in(e: Expression) -> Iterator[Expression]:
    """The sums over the records in an expression."""
    if e.head == "sum":
        yield e
        return
    for part in e.args:
        if isinstance(part, Expression):
            yield from sums_in(part)


def _combined(e: Expression, sums: Mapping[Expression, Array]) -> Array:
    """An expression in sums, of which the values are given."""
    keys = {node: f"sum{i}" for i, node in enumerate(sums)}

    def named(node: Expression) -> Expression:
        if node in keys:
            return name(keys[node])
        parts = (named(part) if isinstance(part, Expression) else part for part in node.args)
        return Expression(node.head, tuple(parts))

    return evaluate_columns(named(e), {keys[node]: v for node, v in sums.items()})


def laplace_noise(rng: Any, b: Array, shape: tuple[int, ...]) -> Array:
    """Independent Laplace noise of the scales b along a new last axis."""
    return rng.laplace(0.0, 1.0, (*shape, len(b))) * b
