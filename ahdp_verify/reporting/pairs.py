"""The part of a report on two neighbouring inputs: a picture of both distributions, the event of a
counterexample with its probabilities, and the trade-off curve.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ahdp_verify.analysis.inputs import LawAtInput
from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.program_text import outputs_text, program_input_text
from ahdp_verify.display.verdict_text import event_text, instead_text, violation_text
from ahdp_verify.kernel.errors import AhdpError, BadInput, Missing, NotWorkedOut, OutOfLimits
from ahdp_verify.kernel.evidence.counterexample import law_at, level_of_move
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import Refuted, RefutedProgram
from ahdp_verify.kernel.terms.expression import ZERO, Expression, number, oo
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.plots import float_value, svg_text, tradeoff_figure
from ahdp_verify.reporting.blocks import Block, Code, Figure, Folded, Paragraph, Pieces, Table
from ahdp_verify.reporting.figures import LawPair, apart, law_figure
from ahdp_verify.reporting.numbers import interval_text
from ahdp_verify.reporting.subjects import Pair
from ahdp_verify.search.limits import Limits, enforce_limits

SECONDS = 5.0  # most processor time for one picture or curve
LONG = 70  # characters of an exact number that is shown beside its enclosure
TRIED, SOME = 60, 6  # pairs that are tried, and values among which all pairs are
WIDEST = 160  # characters of one input or event in a sentence
EMPTY = Context.empty()


def few_seconds(limits: Limits) -> Limits:
    """The limits of something that a report can do without."""
    return replace(limits, seconds=min(SECONDS, limits.seconds))


def given_text(pair: Pair) -> str:
    """The values of the parameters, for a sentence."""
    given = ", ".join(f"{k} = {v}" for k, v in pair.example.parameters)
    return f" (at {given})" if given else ""


def side_texts(pair: Pair) -> tuple[str, str]:
    """Both inputs in words."""
    first, second = (
        one_line(side_text(pair.claim, pair.example, side), WIDEST)
        for side in (pair.example.first, pair.example.second)
    )
    return first, second


# the counterexample


def counterexample_blocks(refuted: Refuted) -> Iterator[Block]:
    """The event and its probabilities, exact and enclosed."""
    pair = Pair(refuted.written, refuted.counterexample)
    first, second = side_texts(pair)
    if instead := instead_text(refuted):
        yield Paragraph.of(f"The counterexample is about a special case, {instead}")
    yield Paragraph.of(
        "The inputs ",
        Code(first),
        " and ",
        Code(second),
        f" are neighbouring{given_text(pair)}. The event is ",
        Code(one_line(event_text(refuted), WIDEST)),
        ".",
    )
    yield probability_table(refuted, first, second)
    yield Paragraph.of(excess_text(refuted))


def program_counterexample_blocks(refuted: RefutedProgram) -> Iterator[Block]:
    """The outputs of a noise program and their probabilities, exact and enclosed."""
    example, program = refuted.counterexample, refuted.claim.program
    first, second = (
        one_line(program_input_text(program, side), WIDEST)
        for side in (example.first, example.second)
    )
    given = ", ".join(f"{k} = {v}" for k, v in example.parameters)
    yield Paragraph.of(
        "The inputs ",
        Code(first),
        " and ",
        Code(second),
        f" are neighbouring{f' (at {given})' if given else ''}. The event is that ",
        one_line(outputs_text(example.event), WIDEST),
        ".",
    )
    yield probability_table(refuted, first, second)
    yield Paragraph.of(excess_text(refuted))


def probability_table(refuted: Refuted | RefutedProgram, first: str, second: str) -> Table:
    """Both probabilities, and the most that the claim allows the first."""
    level = normal(refuted.level, EMPTY) if refuted.level != oo else None
    delta = delta_at(refuted)
    allowed = None if level is None else exp_of(level) * refuted.second_probability + delta
    slack = "" if delta.is_zero else " + delta"
    least, most = (
        ("lower bound of the probability", "upper bound of the probability")
        if refuted.enclosed
        else ("probability", "probability")
    )
    rows: list[tuple[Pieces, ...]] = [
        (
            (f"{least} at the first input, ", Code(first)),
            *number_cells(refuted.first_probability),
        ),
        (
            (f"{most} at the second input, ", Code(second)),
            *number_cells(refuted.second_probability),
        ),
    ]
    if level is not None and allowed is not None:
        rows += [
            (("level between the two inputs",), *number_cells(level)),
            *([] if delta.is_zero else [((("delta"),), *number_cells(delta))]),
            (
                (f"most that the claim allows at the first: exp(level) times the second{slack}",),
                *number_cells(allowed),
            ),
        ]
    return Table(
        "Probability of the event",
        ("", "exact", "enclosed"),
        tuple(rows),
    )


def delta_at(refuted: Refuted | RefutedProgram) -> Ratio:
    """The delta that the claim allows, at the parameters of the counterexample."""
    if refuted.claim.delta == ZERO:
        return constant(0)
    return refuted.allowed


def number_cells(r: Ratio) -> tuple[Pieces, Pieces]:
    """A constant exactly, and in decimals."""
    e = to_expression(r)
    return (str(e) if len(str(e)) <= LONG else "a long expression",), (interval_text(r),)


def excess_text(refuted: Refuted | RefutedProgram) -> str:
    """By how much the claim fails."""
    with_bounds = "with these bounds " if refuted.enclosed else ""
    return (
        "So the first probability is larger than the claim allows, which refutes the claim: "
        f"{with_bounds}{violation_text(refuted)} (decimals)."
    )


# the pair that is drawn


def informative_pair(pair: Pair) -> Pair:
    """The pair itself, or if both distributions are the same there, another one that the claim
    compares and at which they differ, as far as one is found quickly.
    """
    if laws_differ(pair):
        return pair
    return next((p for p in itertools.islice(other_pairs(pair), TRIED) if laws_differ(p)), pair)


def laws_differ(pair: Pair) -> bool:
    """Whether both inputs are inputs of the mechanism, one allowed move apart, and their
    distributions are not written in the same way.
    """
    example = pair.example
    try:
        if level_of_move(pair.claim, example) == oo:
            return False
        one, other = (law_at(pair.claim, example, s) for s in (example.first, example.second))
    except (AhdpError, ZeroDivisionError):
        return False
    return one != other


def other_pairs(pair: Pair) -> Iterator[Pair]:
    """Pairs of inputs near the given one; not all of them are compared."""
    inputs, example = pair.claim.mechanism.inputs, pair.example
    if isinstance(inputs, Domain) and not inputs.is_universal:
        places = range(len(inputs.records))
        for base in (example.first, (number(0),) * len(inputs.records)):
            added = [with_one_more(base, i) for i in places]
            for second in added:
                yield Pair(pair.claim, replace(example, first=base, second=second))
            for first, second in itertools.permutations(added[:SOME], 2):
                yield Pair(pair.claim, replace(example, first=first, second=second))
    elif isinstance(inputs, Values):
        sides = [v if isinstance(v, tuple) else (v,) for v in inputs.values[:SOME]]
        for first, second in itertools.permutations(sides, 2):
            yield Pair(pair.claim, replace(example, first=first, second=second))


def with_one_more(counts: tuple[Expression, ...], i: int) -> tuple[Expression, ...]:
    """A dataset with one more record number i."""
    return (*counts[:i], number(counts[i].args[0] + 1), *counts[i + 1 :])


# the picture


def law_pair(pair: Pair, refuted: Refuted | None) -> LawPair:
    """Both distributions, the level between them, and the event."""
    laws = []
    for side, text in zip((pair.example.first, pair.example.second), side_texts(pair), strict=True):
        density, atoms = law_at(pair.claim, pair.example, side)
        laws.append(LawAtInput(pair.claim.mechanism.outputs, density, atoms, text))
    level = level_of_move(pair.claim, pair.example)
    return LawPair(
        laws[0],
        laws[1],
        None if level == oo else float_value(level),
        refuted.counterexample.event if refuted is not None else None,
    )


def picture_blocks(
    pair: Pair, refuted: Refuted | None, name: str, limits: Limits
) -> Iterator[Block]:
    """The picture of both distributions, or why there is none."""
    first, second = side_texts(pair)
    try:
        with enforce_limits(few_seconds(limits), "drawing it"):
            drawn = law_pair(pair, refuted)
            svg, left = law_figure(drawn)
    except (AhdpError, ZeroDivisionError, OverflowError, ValueError, TypeError) as error:
        yield Paragraph.of(f"There is no picture: {reason_text(error)}.", kind="note")
        return
    same = drawn.first.density == drawn.second.density and drawn.first.atoms == drawn.second.atoms
    caption = (
        f"The output distributions at {first} (solid) and at {second} (dashed){given_text(pair)}"
        if drawn.first.outputs[0].kind == "real"
        else f"The output distributions at {first} (left bars) and at {second} (right bars)"
        f"{given_text(pair)}"
    )
    caption += "; both are the same here" if same else ""
    band = (
        "; the band shows what the level allows the first, exp(-level) to exp(level) times the second"
        if drawn.level is not None
        else ""
    )
    if band and pair.claim.delta != ZERO:
        band += " (what lies outside counts towards delta)"
    event = "; the event is hatched" if refuted is not None else ""
    note = f". Left out: {left}" if left else ""
    yield Figure(
        apart(svg, name),
        f"Plot of two output distributions: {caption}{band}{event}.",
        f"{caption}{band}{event}. Drawn in floating point, for the eye only{note}.",
    )


def reason_text(error: Exception) -> str:
    """Why something is missing, without a full stop."""
    if isinstance(error, OutOfLimits):
        return "it takes too long"
    if isinstance(error, NotWorkedOut):
        said = error.why
    elif isinstance(error, BadInput):
        said = f"{error.reason}; {error.cure}" if isinstance(error, Missing) else error.reason
    else:
        said = str(error) if isinstance(error, AhdpError) else "it cannot be drawn in floats"
    return one_line(said, 300).rstrip(".")


# the trade-off curve


def tradeoff_blocks(pair: Pair, name: str, limits: Limits) -> Iterator[Block]:
    """The trade-off curve of the two inputs, or why there is none."""
    first, second = (as_input(pair, side) for side in (pair.example.first, pair.example.second))
    try:
        with enforce_limits(few_seconds(limits), "working it out"):
            curve = tradeoff(
                pair.claim.mechanism, first, second, parameters=dict(pair.example.parameters)
            )
            level = level_of_move(pair.claim, pair.example)
            region = None if level == oo or pair.claim.delta != ZERO else level
            rows, remarks = curve.rows, curve.remarks
    except (AhdpError, ZeroDivisionError) as error:
        yield Paragraph.of(f"It was not worked out: {reason_text(error)}.", kind="note")
        return
    a, b = side_texts(pair)
    yield Paragraph.of(
        "For somebody who sees the output and has to tell the first input from the second: the least "
        "probability of missing the second (type II error), for each probability of a false alarm at "
        "the first (type I error). The closer the curve is to the diagonal, the less the output tells."
    )
    try:
        svg = svg_text(tradeoff_figure(curve, region))
    except (Missing, OverflowError, ValueError) as error:
        yield Paragraph.of(f"There is no picture: {reason_text(error)}.", kind="note")
    else:
        yield Figure(
            apart(svg, name),
            f"Plot of the trade-off curve between {a} and {b}: {remarks[-1]}.",
            f"The best tests between {a} and {b}{given_text(pair)}"
            + (
                "; shaded is the region in which a mechanism of this level lies"
                if region is not None
                else ""
            )
            + ". Drawn in floating point, for the eye only.",
            narrow=True,
        )
    yield Paragraph.of(f"Exact: {remarks[-1]}.")
    yield Folded("Exact values of the curve", (curve_table(rows), *map(Paragraph.of, remarks[:-1])))


def curve_table(rows: list[tuple[str, ...]]) -> Table:
    """The vertices of the curve."""
    head, *body = rows
    return Table(
        "Vertices of the trade-off curve",
        tuple(head),
        tuple(tuple((cell,) for cell in row) for row in body),
    )


def as_input(pair: Pair, side: tuple[Expression, ...]) -> Any:
    """One side in the form in which `tradeoff` takes an input."""
    inputs = pair.claim.mechanism.inputs
    if isinstance(inputs, Domain) and inputs.is_universal:
        return [
            dict(record)
            for record, count in zip(pair.example.instances, side, strict=True)
            for _ in range(int(count.args[0]))
        ]
    if isinstance(inputs, Domain):
        return [int(count.args[0]) for count in side]
    if isinstance(inputs, Queries):
        return list(side)
    return side if len(side) > 1 else side[0]
