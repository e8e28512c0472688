"""Models refute what is false: their inputs are neighbouring, simple, and accepted by the
checker.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import ONE, Abs, exp, name, oo
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.solvers.models import model_counterexamples, simple_values, tangent_facts
from ahdp_verify.search.solvers.processes import z3_answer
from ahdp_verify.search.solvers.smtlib import Script, real_literal
from ahdp_verify.search.solvers.symbolic_inputs import symbolic_pairs
from tests.search.solvers.test_smtlib import SECONDS

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
WRONG = [
    ("paper/linear-query-universal", 3),
    ("paper/linear-query-universal", 4),
    ("paper/linear-query-universal", 5),
    ("paper/mean-half-noise-in-numerator", 0),
    ("public/count-inverted-laplace-scale-eps-at-least-1", 2),
    ("public/laplace-histogram-two-bins-every-eps", 4),
    ("public/randomised-response-eps-depends-on-the-value", 0),
    ("public/row-count-users-with-any-number-of-rows", 1),
    ("public/exact-size-swap-and-add-remove", 1),
    ("public/censored-geometric-clamped-input-every-eps", 1),
    ("public/k-ary-response-never-picks-the-truth-every-eps", 0),
    ("public/bit-without-noise", 3),
    ("public/count-inverted-laplace-scale-eps-half", 4),
    ("public/mean-noise-for-four-records-at-least-four", 2),
    ("field/laplace-prefix-sums-of-ten-queries-eps-tenth", 1),
    ("field/laplace-histogram-inverted-scale", 5),
    ("field/sum-noise-from-least-demand-of-dataset", 1),
    ("field/demand-weighted-sum-scale-from-dataset", 3),
    ("field/laplace-twenty-copies", 3),  # 16 s, where Z3 has not been asked anything before
    ("paper/homogeneous-histogram-swap-costs-twice", 3),
]
TRUE = [
    ("field/laplace-one-query", 0),
    ("public/row-count-users-with-any-number-of-rows", 0),
    ("public/k-ary-response-with-pick-rate-every-eps", 0),
    ("field/randomised-response-one-bit", 0),
]


def claim(file: str, i: int) -> Claim:
    return load(PROOFS / f"{file}.toml").claims[i]


def refuted(c: Claim) -> Refuted | None:
    for example in model_counterexamples(c, Limits(seconds=2 * SECONDS).clock()):
        try:
            return refute(c, example)
        except Rejected:
            continue
    return None


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("file", "i"), WRONG)
def test_wrong_claims_have_models_that_replay(file: str, i: int) -> None:
    assert refuted(claim(file, i)) is not None


@pytest.mark.parametrize(("file", "i"), TRUE)
def test_true_claims_have_no_model(file: str, i: int) -> None:
    assert list(model_counterexamples(claim(file, i), Limits(seconds=SECONDS).clock())) == []


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
    assert found is not None and 49 <= found.counterexample.first[0].args[0] <= 60


# pairs of inputs in symbols


def test_pairs_are_one_move_apart() -> None:
    s, r = real("s"), finite("r", [0, 1])
    query = dp(
        Mechanism(Queries(2), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2),
        1,
        neighbours="all",
    )
    assert [p.filled for p in symbolic_pairs(query)] == [("q[1]", "q[2]", "@d1", "@d2")] * 2
    local = Claim(Mechanism(Values(["a", "b"]), outputs=[r], density="1/2"), "any", ONE)
    assert [tuple(str(e) for side in p.sides for e in side) for p in symbolic_pairs(local)] == [
        ('"a"', '"b"'),
        ('"b"', '"a"'),
    ]
    W = Domain([(0, 1), (1, 1), (2, oo)])
    least = Mechanism(
        W, outputs=[s], density=exp(-Abs(s - W.min(name("x")))) / 2, defined=W.size >= 1
    )
    listed = list(symbolic_pairs(ahdp(least)))
    assert len(listed) == 4 and all(set(p.filled) == {"#1", "#2", "#3"} for p in listed)
    assert len(list(symbolic_pairs(dp(least, 1, neighbours="swap")))) == 6


def test_minima_follow_their_counts() -> None:
    """The pair's conditions fix the minimum of a dataset whose counts are known."""
    s, W = real("s"), Domain([(0, 1), (5, 1)])
    M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.min(name("x")))) / 2, defined=W.size >= 1)
    pair = next(iter(symbolic_pairs(ahdp(M))))
    for counts, least in (((1, 0), 0), ((0, 2), 5), ((3, 1), 0)):
        node = next(e for n, e in pair.obligation.dominating.items() if n.head == "minimum")
        script = Script(pair.obligation.here.integers)
        for condition in pair.conditions:
            script.holds(script.condition(condition))
        for i, h in enumerate(counts):
            script.add("=", script.symbol(f"#{i + 1}"), real_literal(Fraction(h)))
        for word, answer in (("distinct", "unsat"), ("=", "sat")):
            text = script.text.removesuffix("(check-sat)")
            assert (
                z3_answer(
                    f"{text}(assert ({word} {script.term(node)} "
                    f"{real_literal(Fraction(least))}))(check-sat)",
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
    x, symbol = script.real(real_literal(Fraction(b))), script.term(exp(Fraction(b)))
    script.lines += tangent_facts(x, symbol, Fraction(a))
    assert z3_answer(script.text, SECONDS).word == "sat"
