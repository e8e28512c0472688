"""Summed conditions hold for random datasets, and no others are accepted by either checker."""

from __future__ import annotations

import json
import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.neighbours import assume_known_facts, frame
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.summed import summed_conditions
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.floating_point import float_function
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

sys.path.insert(0, str(Path(__file__).parents[3] / "proofs"))
from recheck.claims import Claim as Reread
from recheck.limits import CLOCK
from recheck.moves import frame as reread_frame
from recheck.moves import state_context
from recheck.records import check_record

ROOT = Path(__file__).parents[3]
Case = tuple[dict[str, str], dict[str, str], tuple[str, ...], int]
CASES: tuple[Case, ...] = (
    ({"x": "0 <= x and x <= 1"}, {}, ("sum(x)", "size"), 1),
    ({"x": "-1 <= x and x <= 2"}, {}, ("sum(x)", "sum(x^2)", "size"), 3),
    ({"x": "0 <= x and x <= h"}, {"h": "h > 0"}, ("size", "sum(x)"), 1),
    ({"x": "0 <= x", "y": "x <= y and y <= 3"}, {}, ("sum(x)", "sum(y)", "size"), 2),
    ({"x": "0 <= x and x <= 1"}, {}, ("count(x > 1/2)", "size"), 1),
    ({"x": "0 <= x and x <= 1"}, {}, ("sum(exp(x))", "size"), 2),
    ({"x": "0 <= x and x <= 1"}, {}, ("sum(x)", "sum(x^2)"), 0),  # no size to compare with
    ({"x": "0 <= x and x <= 1"}, {}, ("sum((x - x^2)/(2 - x))", "size"), 0),  # largest inside
    ({"x": "x == 2*y", "y": "0 <= y"}, {}, ("sum(x)", "sum(y)"), 1),
)


def conditions_of(
    unknowns: dict[str, str], parameters: dict[str, str], sums: tuple[str, ...]
) -> tuple[Domain, tuple[Expression, ...], tuple[Expression, ...]]:
    order = dict(reversed(unknowns.items())) if "y" in unknowns["x"] else unknowns
    domain = Domain.universal(unknowns=order, parameters=parameters)
    here = Context.empty()
    for condition in parameters.values():
        here = assume_known_facts(parse(condition), here)
    nodes = tuple(parse(text, "sum") for text in sums)
    f = frame(domain, nodes, here)
    return domain, nodes, summed_conditions(f, here)


@pytest.mark.parametrize(("unknowns", "parameters", "sums", "number"), CASES)
def test_they_hold_for_random_datasets(
    unknowns: dict[str, str], parameters: dict[str, str], sums: tuple[str, ...], number: int
) -> None:
    _, nodes, found = conditions_of(unknowns, parameters, sums)
    assert len(found) == number, list(map(str, found))
    draw = random.Random(0)
    kept = 0
    for _ in range(4000):
        h = draw.choice((1, Fraction(3, 2)))
        rows = []
        for _ in range(draw.randrange(4)):
            y = Fraction(draw.randint(-8, 24), 8)
            x = 2 * y if "==" in unknowns["x"] else Fraction(draw.randint(-8, 24), 8)
            rows.append({"x": float(x), "y": float(y), "h": float(h)})
        said = [float_function(parse(c)) for c in (*unknowns.values(), *parameters.values())]
        if not all(holds(row) for holds in said for row in rows):
            continue
        kept += 1
        point = {"h": float(h)}
        for j, node in enumerate(nodes):
            point[f"@{j + 1}"] = sum(float(float_function(node.args[0])(row)) for row in rows)
        for condition in found:
            left, right = (float(float_function(side)(point)) for side in condition.args)
            gap = right - left
            assert abs(gap) < 1e-9 if condition.head == "==" else gap > -1e-9, (condition, rows)
    assert kept > 200


@pytest.mark.parametrize("name", ["one-bit-of-any-value", "coin-of-a-bounded-sum"])
def test_both_checkers_accept_what_needs_them_and_nothing_lower(name: str) -> None:
    """The values are those of P2-22 of the second set of cases; (2 + n + S)/(4 + 5 n), by hand."""
    proved, lower = load(ROOT / "proofs" / "public" / f"{name}.toml").claims
    found = verify(proved, limits=Limits(seconds=30))
    assert isinstance(found, Proved) and "the rule of summed conditions" in str(found)
    assert isinstance(verify(lower, limits=Limits(seconds=30)), Refuted)
    record = found.to_json()
    CLOCK.start(100)
    check_record(json.loads(json.dumps(record)))


def test_the_second_checker_has_the_same_facts_in_the_same_order() -> None:
    """Evidence refers to facts by their numbers."""
    for name in ("one-bit-of-any-value", "coin-of-a-bounded-sum"):
        claim = load(ROOT / "proofs" / "public" / f"{name}.toml").claims[0]
        CLOCK.start(100)
        again = Reread(claim.to_json())
        f = reread_frame(again, True)
        there = state_context(again, f, f.conditions, f.alone())
        more = state_context(again, g := reread_frame(again, False), g.conditions, g.alone())
        assert len(there.facts) > len(more.facts)


def test_a_demand_that_may_be_infinite_is_not_summed() -> None:
    """Where demand oo is possible, a weight <= eps says nothing of the sum of the weights."""
    for extra, sums, number in (
        ("", ("sum(a)", "size"), 0),
        (" and eps <= 5", ("sum(a)", "sum(eps)", "size"), 1),
    ):
        nodes = tuple(parse(text, "sum") for text in sums)
        domain = Domain.universal(unknowns={"eps": f"0 <= eps{extra}", "a": "0 <= a and a <= eps"})
        f = frame(domain, nodes, Context.empty())
        found = [str(c) for c in summed_conditions(f, Context.empty())]
        assert sum("@1" in c for c in found) == number, found
