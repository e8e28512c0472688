"""The rule of interchangeable values against a table of all values, computed here in Fractions."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.interchangeable import with_fewer_values
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    eq,
    exp,
    log,
    name,
    number,
    piecewise,
    substitute,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parents[3]
V, OTHER = name("v"), name("other")
WEIGHTS = st.fractions(min_value=0, max_value=9, max_denominator=3)
SETS = st.sets(st.integers(0, 11), min_size=2, max_size=9).map(sorted)


def law(weights: list[Fraction], named: int) -> Expression:
    """A law that compares the value and the output with each other and with one number."""
    same, both, at_input, at_output, rest = map(number, weights)
    s = name("s")
    return piecewise(
        (both, Expression("and", (eq(V, named), eq(s, V)))),
        (same, eq(s, V)),
        (at_input, eq(V, named)),
        (at_output, eq(s, named)),
        (rest, True),
    )


def table(claim: Claim) -> dict[tuple[int, int], Fraction]:
    """The probability of each output at each input, each computed for itself."""
    found = {}
    inputs, outputs = claim.mechanism.inputs.values, claim.mechanism.outputs[0].values  # type: ignore[union-attr]
    for v, s in itertools.product(inputs, outputs):
        at = substitute(claim.mechanism.density, {"v": v, "s": s})
        value = normal(at, Context.empty()).as_rational
        assert value is not None
        found[int(v.args[0]), int(s.args[0])] = value
    return found


def worst_ratio(found: dict[tuple[int, int], Fraction]) -> Fraction | None:
    """The largest p(s; v) / p(s; w); None for oo."""
    worst = Fraction(0)
    inputs = sorted({v for v, _ in found})
    for (v, s), p in found.items():
        for w in inputs:
            if w == v or not p:
                continue
            if not found[w, s]:
                return None
            worst = max(worst, p / found[w, s])
    return worst


@given(SETS, SETS, st.lists(WEIGHTS, min_size=5, max_size=5), st.integers(0, 11))
def test_a_few_values_have_the_same_worst_ratio_and_the_same_totals(
    inputs: list[int], outputs: list[int], weights: list[Fraction], named: int
) -> None:
    mechanism = Mechanism.derived(
        Values(inputs), outputs=[finite("s", outputs)], density=law(weights, named)
    )
    claim = Claim(mechanism, "any", number(1))
    try:
        fewer = with_fewer_values(claim)
    except Rejected as why:
        assert "no value stands for others" in str(why)
        kinds = [set(inputs) & set(outputs), set(outputs) - set(inputs), set(inputs) - set(outputs)]
        assert all(len(k - {named}) <= n for k, n in zip(kinds, (3, 1, 2), strict=True))
        return
    whole, few = table(claim), table(fewer)
    assert len(few) < len(whole)
    assert worst_ratio(few) == worst_ratio(whole)
    totals = [
        {sum(p for (w, _), p in found.items() if w == v) for v, _ in found}
        for found in (whole, few)
    ]
    assert totals[0] == totals[1]


def claim_of(
    density: object, values: object = range(9), level: object = 1, **more: object
) -> Claim:
    outputs = more.pop("outputs", None) or [finite("s", range(9))]
    m = Mechanism.derived(Values(values), outputs=outputs, density=density, **more)  # type: ignore[arg-type]
    return Claim(m, "any", level if isinstance(level, Expression) else number(level))


TELL = piecewise((1, eq(name("s"), V)), (0, True))


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (claim_of(parse("piecewise((1/9, v < 4), (0, true))")), "otherwise than"),
        (claim_of(parse("(1 + 0*v)/9")), "otherwise than"),
        (claim_of(parse("piecewise((1/9, s <= 4), (1/9, true))")), "otherwise than"),
        (claim_of(TELL, level=Abs(V - OTHER)), "otherwise than"),
        (claim_of(parse("piecewise((1/9, v == s + 1), (1/9, true))")), "neither a number nor"),
        (claim_of(parse("piecewise((1/9, v == log(2)), (1/9, true))")), "neither a number nor"),
        (claim_of(TELL, values=[*range(8), log(7)]), "numbers or labels"),
        (claim_of(number(1) / 9, values=[(i, i) for i in range(9)]), "numbers or labels"),
        (claim_of(TELL, outputs=[finite("s", range(9)), finite("r", [0])]), "one output"),
        (claim_of(TELL, values=range(2), outputs=[finite("s", range(2))]), "no value stands"),
        (
            Claim(
                Mechanism(Domain([(0, 1)]), outputs=[real("s")], density=exp(-Abs(name("s"))) / 2),
                "ahdp",
                number(1),
            ),
            "listed values",
        ),
    ],
)
def test_what_the_rule_is_not_about(claim: Claim, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        with_fewer_values(claim)


@pytest.mark.parametrize("labels", [False, True])
def test_three_hundred_values_are_decided_and_both_checkers_accept(
    labels: bool, tmp_path: Path
) -> None:
    """k-ary response: exact level log(3) (Kairouz, Oh, Viswanath 2014)."""
    values: list[object] = [f"w{i}" if labels else i for i in range(300)]
    density = piecewise((3, eq(name("s"), V)), (1, True)) / 302
    m = Mechanism(Values(values), outputs=[finite("s", values)], density=density)
    verdict = verify(Claim(m, "any", log(3)), Limits(seconds=30))
    assert isinstance(verdict, Proved)
    path = tmp_path / "proof.json"
    verdict.save(path)
    done = subprocess.run(
        [sys.executable, str(ROOT / "proofs" / "recheck"), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "accepted" in done.stdout
    forged = json.loads(path.read_text())
    forged["claim"]["level"] = ["log", "2"]
    path.write_text(json.dumps(forged))
    done = subprocess.run(
        [sys.executable, str(ROOT / "proofs" / "recheck"), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0


def test_one_value_that_differs_is_not_overlooked() -> None:
    """The value 7 is told for certain; all others are not."""
    density = piecewise((TELL, eq(V, 7)), (number(1) / 50, True))
    m = Mechanism(Values(range(50)), outputs=[finite("s", range(50))], density=density)
    verdict = verify(Claim(m, "any", log(3)), Limits(seconds=30))
    assert type(verdict).__name__ == "Refuted"
