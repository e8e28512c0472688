"""Sensitivities of queries, against those that a public benchmark states (DPriv-Bench, Apache-2.0,
category 1) and those worked out by hand.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify import Abs, Domain, Mechanism, Proved, Queries, dp, exp, name, real
from ahdp_verify.analysis.sensitivity import by_sensitivity, sensitivity, sensitivity_claim
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import number, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.verify import verify


def unit(least: int = 1) -> Entries:
    return Entries("n", "0 <= x <= 1", {"n": f"n >= {least}"})


@pytest.mark.parametrize(
    ("query", "inputs", "bound"),
    [
        ("sum(x)", unit(), "1"),
        ("product(x)", unit(), "1"),
        ("maximum(x)", unit(), "1"),
        ("sum(x)/n", unit(), "1/n"),
        ("total(abs(x[i] - x[i + 1]), i, 1, n - 1)", unit(3), "2"),
        ("sum(abs(x - sum(x)/n))", unit(2), "2*(n - 1)/n"),
        ("sum(x^3)", unit(), "1"),
        ("sum(exp(x))", unit(), "exp(1) - 1"),
        ("sum(x*(1 - x))", unit(), "1/4"),
        ("ordered(x, k + 1)", Entries("2*k + 1", "0 <= x <= 1", {"k": "k >= 0"}), "1"),
        (
            "(ordered(x, k) + ordered(x, k + 1))/2",
            Entries("2*k", "0 <= x <= 1", {"k": "k >= 1"}),
            "1/2",
        ),
        ("sum(i*x)", unit(), "n"),
        ("indicator(x[1] > x[2])", unit(2), "1"),
        ("sum(x^2)/n - (sum(x)/n)^2", unit(2), "(n - 1)/n^2"),
        ("sum(x)^2", unit(), "2*n - 1"),
        ("maximum(x) - minimum(x)", Entries(4, "-1 <= x <= 2"), "3"),
    ],
)
def test_the_least_bound_is_found_and_attained(query: str, inputs: Entries, bound: str) -> None:
    found = sensitivity(query, inputs)
    assert found.bound is not None and found.proof is not None and found.least
    for count in range(4, 7):
        mine, stated = (
            normal(substitute(e, {"n": number(count)}), Context.empty())
            for e in (found.bound, parse(bound))
        )
        assert (mine - stated).is_zero


def test_what_is_not_bounded_by_a_formula_is_a_lower_bound() -> None:
    found = sensitivity("log(x[1])", Entries("n", "0 < x <= 1"))
    assert found.bound is None and not found.least and "at least" in str(found)


def test_claims_are_read_from_texts() -> None:
    claim = sensitivity_claim("sum(x)", unit(), "1", "count")
    assert str(claim) == "count: the sensitivity of sum(x) is at most 1"
    with pytest.raises(BadInput):
        sensitivity_claim("sum(y)", unit(), "1")
    with pytest.raises(BadInput):
        by_sensitivity("sum", claim)  # type: ignore[arg-type]


def test_why_there_is_no_bound_is_said_in_words_of_the_query() -> None:
    from_zero = Entries("n", "x >= 0", {"n": "n >= 1"})
    assert verify(sensitivity_claim("sum(x)", from_zero, "5")).outcome == "refuted"
    text = str(sensitivity("sum(x)", from_zero))
    assert "no bound was proved: " in text and "r1 + x - (r1 + x')" in text
    assert "x becomes x', and r1, r2 ... are what the other entries contribute" in text
    unit = Entries("n", "0 <= x <= 1", {"n": "n >= 2"})
    claim = sensitivity_claim("sqrt(sum((x - sum(x)/n)^2)/n) + x[1]", unit, "3/2")
    assert "@" not in str(verify(claim)) and "u1" in str(verify(claim))


def noisy(parameter: str = "e", condition: str = "e > 0") -> Mechanism:
    rate, s = name(parameter), real("s")
    return Mechanism(
        Queries(1),
        outputs=[s],
        density=exp(-rate * Abs(s - name("q[1]"))) * rate / 2,
        parameters={parameter: condition},
        name="noisy answer",
    )


@pytest.mark.parametrize("bound", ["0", "-1", "1 - exp(1/2)", "log(2)/2 - log(sqrt(2))"])
def test_answers_are_not_divided_by_what_is_not_positive(bound: str) -> None:
    with pytest.raises(BadInput, match="is not positive, and answers are divided by it"):
        by_sensitivity(dp(noisy(), "e", "one"), sensitivity_claim("1/n", unit(), bound))


def test_a_name_of_the_mechanism_and_of_the_query_has_one_meaning() -> None:
    # noise of scale 1/n, and n entries: two numbers of one name
    mean = sensitivity_claim("sum(x)/n", unit(3), "1/n")
    with pytest.raises(BadInput, match="parameter n: the mechanism declares it with 0 < n, the q"):
        by_sensitivity(dp(noisy("n", "n > 0"), "n", "one"), mean)
    shared = by_sensitivity(dp(noisy("n", "n >= 3"), "n", "one"), mean)
    assert verify(shared).outcome == "proved"


def test_proofs_stand_for_their_claims() -> None:
    moves = verify(sensitivity_claim("sum(x)/n", unit(), "1/n"))
    private = verify(dp(noisy(), "e", "one"))
    assert isinstance(moves, Proved) and isinstance(private, Proved)
    assert by_sensitivity(private, moves) == by_sensitivity(private.claim, moves.claim)


def test_what_gives_no_bound_of_vectors_is_refused_with_the_cure() -> None:
    of_records = sensitivity("sum(x)", Domain([(0, 1), (1, 1)]))
    with pytest.raises(BadInput, match="over the domain"):
        by_sensitivity(dp(noisy(), "e", "one"), of_records)  # type: ignore[arg-type]
    with pytest.raises(NotWorkedOut, match="no bound was proved"):
        by_sensitivity(dp(noisy(), "e", "one"), sensitivity("sum(x)/sum(x)", unit()))
    with pytest.raises(BadInput, match="give Entries, or a Domain"):
        sensitivity("sum(x)", [(0, 1), (1, 1)])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("query", "values", "reason"),
    [
        ("sum(x)", "1 <= x <= 0", "no vectors are compared"),
        ("x[n + 1]", "0 <= x <= 1", "the position n \\+ 1 is not known to lie between 1 and n"),
    ],
)
def test_why_a_query_has_no_value_is_told(query: str, values: str, reason: str) -> None:
    with pytest.raises(NotWorkedOut, match=reason):
        sensitivity(query, Entries("n", values, {"n": "n >= 1"}))


@pytest.mark.parametrize(("query", "bound"), [("sum(x)", "1"), ("sum(x)/n", "1/n")])
def test_a_bound_that_is_only_approached_is_found(query: str, bound: str) -> None:
    # entries in an open interval: |x - x'| < 1, and every smaller bound is exceeded
    found = sensitivity(query, Entries("n", "0 < x < 1", {"n": "n >= 1"}))
    assert str(found.bound) == bound and not found.least
    at, moved = dict(found.attained), normal(found.moved, Context.empty()).as_rational
    supremum = normal(substitute(parse(bound), at), Context.empty()).as_rational
    assert moved is not None and supremum is not None
    assert Fraction(999, 1000) * supremum < moved < supremum
