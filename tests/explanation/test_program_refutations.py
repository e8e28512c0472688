"""What `explain` prints of a refutation of a noise program: the printed integrals have the printed
values, by quadrature from the text.
"""

from __future__ import annotations

import itertools
import math
import re

import pytest

from ahdp_verify import explain
from ahdp_verify.explanation.numbered_lines import Explanation
from ahdp_verify.kernel.evidence.program_counterexample import Between
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.terms.expression import Expression, label, number
from ahdp_verify.kernel.terms.grammar import parse
from tests.programs_by_hand import (
    buggy_twin,
    claim,
    most_popular,
    noisy_max,
    refuted,
    total_at_the_end,
)

integrate = pytest.importorskip("scipy.integrate")


def lower_value() -> RefutedProgram:
    """The largest of three noisy answers is below -1/2 (loss 3/2 in the limit, corpus/field.md
    M13).
    """
    about = claim(noisy_max(3, "laplace", released="value"), "all", "eps")
    return refuted(about, [0] * 3, [1] * 3, [Between(None, number("-1/2"))], eps="1")


def less_popular() -> RefutedProgram:
    about = claim(most_popular("2/eps"), "add-remove", "eps/4")
    return refuted(about, [0, 0], [1, 0], [label("2")], eps="8")


def whole_numbers() -> RefutedProgram:
    about = claim(noisy_max(2, "geometric", "1/eps"), "all", "eps")
    return refuted(about, [0, 0], [1, -1], [label("2")], eps="1")


def far_total() -> RefutedProgram:
    about = claim(total_at_the_end(), "all", "eps")
    outputs = [Between(number(2), None), label("true")]
    return refuted(about, [1, 1], [0, 0], outputs, eps="1")


CASES = {
    "twin": buggy_twin,
    "value": lower_value,
    "dataset": less_popular,
    "whole numbers": whole_numbers,
    "total": far_total,
}


def python(e: Expression, at: dict[str, float]) -> float:
    """The value of a printed formula, by Python's own floats."""
    if e.head == "number":
        return float(e.args[0])
    if e.head == "name":
        return at[e.args[0]]
    parts = [python(a, at) for a in e.args]
    if e.head == "+":
        return math.fsum(parts)
    if e.head == "*":
        return math.prod(parts)
    return {"^": math.pow, "exp": math.exp, "abs": abs}[e.head](*parts)


def tail(law: str, b: float, x: float) -> float:
    """P[noise >= x]."""
    if law == "geometric":
        y, k = math.exp(-1 / b), math.ceil(x)
        return y**k / (1 + y) if k > 0 else 1 - y ** (1 - k) / (1 + y)
    return math.exp(-x / b) / 2 if x >= 0 else 1 - math.exp(x / b) / 2


def plain(text: str) -> str:
    """Noises with names that the grammar reads."""
    return re.sub(r"\(?(\w+) of query (\d+)\)?", r"\1_\2", text)


def laws(found: Explanation) -> dict[str, tuple[str, float]]:
    """The law and the scale of each noise, as the explanation states them."""
    said = next(line.text for line in found.lines if line.text.startswith("independent noises"))
    known = {}
    for part in plain(said.partition(": ")[2]).split("; "):
        keys, law, scale = re.fullmatch(r"(.*) ~ (\w+)\((.*)\)", part).groups()  # type: ignore[union-attr]
        known |= {key: (law, python(parse(scale), {})) for key in keys.split(", ")}
    return known


def chance(row: str, at: dict[str, float], known: dict[str, tuple[str, float]]) -> float:
    """P[row] over the one noise in it that has no value yet."""
    left, sign, right = re.fullmatch(r"(.*?) (>=|>|<=|<) (.*)", row).groups()  # type: ignore[union-attr]
    (free,) = {w for w in re.findall(r"[a-z]\w*", row) if w not in at}

    def gap(x: float) -> float:
        values = {**at, free: x}
        found = python(parse(left), values) - python(parse(right), values)
        return found if ">" in sign else -found

    slope = gap(1.0) - gap(0.0)
    end = -gap(0.0) / slope
    law, scale = known[free]
    strict = "=" not in sign
    step = 1e-9 if law == "geometric" else 0.0
    above = tail(law, scale, end + (step if strict else 0))
    return above if slope > 0 else 1 - tail(law, scale, end + (0 if strict else step))


def integral(text: str, known: dict[str, tuple[str, float]]) -> float:
    """The value of a printed integral or sum."""
    text = plain(text)
    if single := re.fullmatch(r"(\S+) \* P\[(.*)\]", text):
        return python(parse(single[1]), {}) * chance(single[2], {}, known)
    coin, _, rest = text.rpartition("the ")
    factor = python(parse(coin.removesuffix(" * ")), {}) if coin else 1.0
    form = re.fullmatch(
        r"(integral|sum) over all (?:whole numbers )?(\w+)(?: with (.*?))? of (.*?)((?: \* P\[.*?\])*)"
        r"(?: d\w+)?",
        rest,
    )
    assert form is not None, text
    kind, key, where, density, tails = form.groups()
    rows = re.findall(r"P\[(.*?)\]", tails)

    def f(x: float) -> float:
        at = {key: x}
        if where and not inside(where, key, x):
            return 0.0
        return python(parse(density), at) * math.prod(chance(row, at, known) for row in rows)

    if kind == "sum":
        return factor * sum(f(float(k)) for k in range(-300, 301))
    ends = sorted({-80.0, 80.0, *(i / 2 for i in range(-10, 11))})
    pieces = (integrate.quad(f, a, b, limit=200)[0] for a, b in itertools.pairwise(ends))
    return factor * sum(pieces)


def inside(where: str, key: str, x: float) -> bool:
    for row in where.split(" and "):
        sign, bound = re.fullmatch(rf"{key} (>=|>|<=|<) (.*)", row).groups()  # type: ignore[union-attr]
        gap = x - python(parse(bound), {})
        if (gap < 0) if ">" in sign else (gap > 0):
            return False
    return True


@pytest.mark.parametrize("key", CASES)
def test_the_printed_integrals_have_the_printed_values(key: str) -> None:
    found = explain(CASES[key](), every=True)
    known = laws(found)
    heads = [line for line in found.lines if "input the event has the probability" in line.text]
    assert len(heads) == 2
    for head in heads:
        parts = [
            integral(line.text.removeprefix("it is "), known)
            for line in found.lines
            if line.number.startswith(f"{head.number}.")
        ]
        assert parts
        exact = next(piece for piece in head.pieces if isinstance(piece, Expression))
        assert sum(parts) == pytest.approx(python(exact, {}), abs=1e-7)


@pytest.mark.parametrize("key", CASES)
def test_explanations_of_refutations_fit_into_80_columns(key: str) -> None:
    text = explain(CASES[key]()).within(80)
    assert max(map(len, text.splitlines())) <= 80
    assert "#" not in text and "@" not in text, "internal names"


def test_a_refutation_tells_inputs_outputs_and_how_the_claim_fails() -> None:
    lines = {line.text for line in explain(less_popular()).lines}
    assert "the first input is {} (answers 0, 0)" in lines
    assert 'the second input is {("a", 1/2)} (answers 1, 0)' in lines
    assert 'the event: exactly this is output: "2"' in lines
    # 1/2 against exp(-4) (1/2 + 4/4), since two Laplace noises of scale 1/4 are compared at distance 1
    told = next(text for text in lines if text.startswith("so the claim fails"))
    loss = math.log(0.5 / (math.exp(-4) * 1.5))
    assert f"loss {loss:.5f} > 2" in told


def test_many_paths_are_counted() -> None:
    about = claim(noisy_max(5, "laplace", released="value"), "all", "eps")
    low = refuted(about, [0] * 5, [1] * 5, [Between(None, number("-1/2"))], eps="1")
    texts = [line.text for line in explain(low).lines]
    assert texts.count("5 paths lead to the event; their probabilities add up to this") == 2
