"""Models refute what is wrong: their inputs are one move apart, simple, and replayed by the
checker.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from test_smtlib import SECONDS

from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import replay
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.claims import ahdp, dp
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, finite, real
from ahdp_verify.kernel.terms.expression import ONE, Abs, exp, name, oo
from ahdp_verify.kernel.verdict import Refuted
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.solvers.models import models, simple_values, tangents
from ahdp_verify.search.solvers.processes import z3_answer
from ahdp_verify.search.solvers.smtlib import Script, decimal
from ahdp_verify.search.solvers.symbolic_inputs import pairs

PROOFS = Path(__file__).resolve().parent.parent / "proofs"
WRONG = [
    ("paper/linear-query-universal", 3),
    ("paper/linear-query-universal", 4),
    ("paper/linear-query-universal", 5),
    ("paper/mean-half", 0),
    ("public/ns-01-large", 2),
    ("public/nr-03-symbolic", 4),
    ("public/he-07", 0),
    ("public/he-10-universal", 1),
    ("public/nr-05", 1),
    ("public/sh-07-a-symbolic", 1),
    ("public/rr-05-mutant-symbolic", 0),
    ("public/de-03", 3),
    ("public/ns-01", 4),
    ("public/nr-01-b-large", 2),
    ("field/m6-concrete", 1),
    ("field/m10", 5),
    ("field/a2", 1),
    ("field/a4", 3),
    ("paper/histogram-swap", 3),
    ("field/m2", 3),
]
TRUE = [
    ("field/m1", 0),
    ("public/he-10-universal", 0),
    ("public/rr-05-symbolic", 0),
    ("field/m33", 0),
]


def claim(file: str, i: int) -> Claim:
    return load(PROOFS / f"{file}.toml").claims[i]


def refuted(c: Claim) -> Refuted | None:
    for example in models(c, Limits(seconds=2 * SECONDS).clock()):
        try:
            return replay(c, example)
        except Rejected:
            continue
    return None


@pytest.mark.parametrize(("file", "i"), WRONG)
def test_wrong_claims_have_models_that_replay(file: str, i: int) -> None:
    assert refuted(claim(file, i)) is not None


@pytest.mark.parametrize(("file", "i"), TRUE)
def test_true_claims_have_no_model(file: str, i: int) -> None:
    assert list(models(claim(file, i), Limits(seconds=SECONDS).clock())) == []


def test_parameters_are_found_where_few_simple_ones_are_wrong() -> None:
    """The level is too low only for a between 317/100 and 318/100."""
    s, a = real("s"), name("a")
    gap = Abs(a - "635/200") - "1/200"
    M = Mechanism(
        Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2, parameters={"a": a > 0}
    )
    found = refuted(dp(M, 1 + gap, neighbours="one"))
    assert found is not None and Fraction(317, 100) < dict(found.counterexample.parameters)[
        "a"
    ].args[0] < Fraction(318, 100)


def test_large_datasets_are_found_as_whole_counts() -> None:
    """The scale shrinks only from the 51st record on, far beyond the datasets that are
    enumerated.
    """
    s, W = real("s"), Domain([(1, 1)])
    rate = 1 + Abs(W.size - 50) - (50 - W.size)
    M = Mechanism(W, outputs=[s], density=rate * exp(-rate * Abs(s - W.size)) / 2, name="size")
    found = refuted(dp(M, 1))
    assert found is not None and 49 <= found.counterexample.before[0].args[0] <= 60


# pairs of inputs in symbols


def test_pairs_are_one_move_apart() -> None:
    s, r = real("s"), finite("r", [0, 1])
    query = dp(
        Mechanism(Queries(2), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2),
        1,
        neighbours="all",
    )
    assert [p.filled for p in pairs(query)] == [("q[1]", "q[2]", "@d1", "@d2")] * 2
    local = Claim(Mechanism(Values(["a", "b"]), outputs=[r], density="1/2"), "any", ONE)
    assert [tuple(str(e) for side in p.sides for e in side) for p in pairs(local)] == [
        ('"a"', '"b"'),
        ('"b"', '"a"'),
    ]
    W = Domain([(0, 1), (1, 1), (2, oo)])
    least = Mechanism(
        W, outputs=[s], density=exp(-Abs(s - W.min(name("x")))) / 2, defined=W.size >= 1
    )
    listed = list(pairs(ahdp(least)))
    assert len(listed) == 4 and all(set(p.filled) == {"#1", "#2", "#3"} for p in listed)
    assert len(list(pairs(dp(least, 1, neighbours="swap")))) == 6


def test_minima_follow_their_counts() -> None:
    """The pair's conditions fix the minimum of a dataset whose counts are known."""
    s, W = real("s"), Domain([(0, 1), (5, 1)])
    M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.min(name("x")))) / 2, defined=W.size >= 1)
    pair = next(iter(pairs(ahdp(M))))
    for counts, least in (((1, 0), 0), ((0, 2), 5), ((3, 1), 0)):
        node = next(e for n, e in pair.obligation.dominating.items() if n.head == "minimum")
        script = Script(pair.obligation.here.integers)
        for condition in pair.conditions:
            script.holds(script.condition(condition))
        for i, h in enumerate(counts):
            script.add("=", script.symbol(f"#{i + 1}"), decimal(Fraction(h)))
        for word, answer in (("distinct", "unsat"), ("=", "sat")):
            text = script.text.removesuffix("(check-sat)")
            assert (
                z3_answer(
                    f"{text}(assert ({word} {script.term(node)} "
                    f"{decimal(Fraction(least))}))(check-sat)",
                    SECONDS,
                ).word
                == answer
            )


def test_simple_values_come_first_and_the_value_itself_last() -> None:
    listed = simple_values(Fraction(31416, 10000))
    assert listed[0] == 0 and listed[-1] == Fraction(31416, 10000) and Fraction(22, 7) in listed


@pytest.mark.parametrize(("a", "b"), [("1/2", "1/2"), ("1/2", "3"), ("-2", "1"), ("0", "-5")])
def test_tangents_are_true(a: str, b: str) -> None:
    """exp(b) satisfies the facts that are added at a."""
    script = Script()
    script.nonlinear = True
    x, symbol = script.real(decimal(Fraction(b))), script.term(exp(Fraction(b)))
    script.lines += tangents(x, symbol, Fraction(a))
    assert z3_answer(script.text, SECONDS).word == "sat"
