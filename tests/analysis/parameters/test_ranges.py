"""`ranges` splits the values of a parameter exactly where the claim changes from false to true; the
verdict on every piece is accepted by the checker.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.analysis.parameters.pieces import Ranges
from ahdp_verify.analysis.parameters.ranges import ranges
from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.unknown import Unknown
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import RealInterval, interval_of, simplest_rational_between
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.loss.roots import roots_in_interval
from ahdp_verify.search.refuting.small_inputs import assignments
from ahdp_verify.search.verify import verify
from tests.sweeps import examples

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
EMPTY = Context.empty()
LIMITS = Limits(seconds=60)
W = Domain([(0, 1), (1, 1)])


def response(keep: str, where: str, level: str, name: str = "e") -> Claim:
    """Randomised response with a probability of the truth, as local DP."""
    law = parse(f"piecewise(({keep}, r == v), (1 - ({keep}), true))", "law")
    return Claim(
        Mechanism(
            Values([0, 1]),
            outputs=[finite("r", [0, 1])],
            density=law,
            parameters={name: where},
            name="response",
        ),
        "any",
        parse(level, "level"),
    )


def laplace(scale: str, where: str, level: str, name: str = "e") -> Claim:
    """One answer with Laplace noise of a scale."""
    law = parse(f"exp(-abs(s - q[1])/({scale}))/(2*({scale}))", "law")
    return Claim(
        Mechanism(
            Queries(1), outputs=[real("s")], density=law, parameters={name: where}, name="noise"
        ),
        "one",
        parse(level, "level"),
    )


def supported(found: Ranges, name: str = "e") -> bool:
    """The pieces cover the interval without overlap, and the checker accepts each again."""
    for p in found.pieces:
        if isinstance(p.verdict, Proved):
            check(p.verdict.claim, p.verdict.certificate)
        if isinstance(p.verdict, Refuted):
            refute(p.verdict.claim, p.verdict.counterexample)
            assert p.interval.contains(dict(p.verdict.counterexample.parameters)[name])
        assert dict(p.verdict.claim.mechanism.parameters)[name] is not None
    for a, b in pairwise(p.interval for p in found.pieces):
        assert a.high == b.low and a.high is not None and a.high_closed != b.low_closed
    return found.exact


# The ends by hand: the loss of randomised response is |log(p/(1-p))|, that of Laplace noise of
# scale b is 1/b.
BY_HAND = [
    (response("3/4", "e > 0", "e"), "e", "e >= log(3)"),
    (response("p", "0 < p < 1", "log(3)", "p"), "p", "1/4 <= p <= 3/4"),
    (response("exp(e)/(1 + exp(e))", "e > 0", "e^2"), "e", "e >= 1"),
    (
        response("exp(e)/(1 + exp(e))", "e > 0", "log(1 + sqrt(2))"),
        "e",
        "0 < e <= log(sqrt(2) + 1)",
    ),
    (response("2/3", "0 <= e <= 5", "e/3"), "e", "3*log(2) <= e <= 5"),
    (laplace("e", "e > 0", "e"), "e", "e >= 1"),  # M10
    (laplace("b", "b > 0", "1/2", "b"), "b", "b >= 2"),
    (laplace("1/e", "e > 0", "e + (e - 1)*(e - 2)"), "e", "0 < e <= 1 and e >= 2"),
    (
        laplace("1", "e > 0", "1 + (e - 101/100)*(e - 103/100)"),
        "e",
        "0 < e <= 101/100 and e >= 103/100",
    ),
    (laplace("1", "e >= 0", "e/2"), "e", "e >= 2"),
    (laplace("1/e", "e > 0", "e"), "e", "e > 0"),
    (laplace("1/e", "e > 0", "e/2"), "e", ""),
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    ("claim", "name", "where"),
    BY_HAND,
    ids=[f"{c.mechanism.density} at {c.level}" for c, _, _ in BY_HAND],
)
def test_the_ends_are_those_found_by_hand(claim: Claim, name: str, where: str) -> None:
    found = ranges(claim, LIMITS)
    assert supported(found, name)
    assert found.text == (f"holds exactly for {where}" if where else f"holds for no {name}")
    assert all(p.verdict.trusts == () for p in found.pieces if isinstance(p.verdict, Proved))


def test_a_notebook_shows_each_piece_in_a_paragraph() -> None:
    page = ranges(laplace("b", "b > 0", "1/2", "b"), LIMITS)._repr_html_()
    assert (
        page.startswith("<p>Refuted for 0 &lt; b &lt; 2: ")
        and "</p><p>Proved for b &gt;= 2: " in page
    )


def test_the_mutant_that_never_tells_the_truth() -> None:
    """RR-05: exp(eps) must be at least (1 + sqrt(7))/2 (the note of the file, from the corpus)."""
    found = ranges(
        load(PROOFS / "public/k-ary-response-never-picks-the-truth-every-eps.toml").claims[0],
        LIMITS,
    )
    assert supported(found, "eps")
    (end,) = {p.interval.low for p in found.pieces} & {p.interval.high for p in found.pieces}
    assert end is not None
    assert (
        normal(parse("exp(eps)", "end", {"eps": end}), EMPTY)
        - normal(parse("(1 + sqrt(7))/2", "end"), EMPTY)
    ).is_zero


def test_the_turned_over_scale_for_a_person_in_any_bins() -> None:
    """M10 with a person in any of five bins: true iff eps^2 >= 5."""
    file = load(
        PROOFS / "field/laplace-histogram-inverted-scale-eps-at-least-1.toml:a person is added"
    )
    found = ranges(file.claims[0], LIMITS)
    assert supported(found, "eps") and found.text == "holds exactly for eps >= sqrt(5)"


def test_unbounded_datasets_and_weights() -> None:
    law = parse("exp(-abs(s - sum(a*eps*x)))/2", "law")
    claim = Claim(
        Mechanism(
            Domain([(0, 1), (1, 1), (1, 2)]),
            outputs=[real("s")],
            density=law,
            parameters={"a": "a > 0"},
            name="weighted",
        ),
        "ahdp",
        parse("eps", "level"),
    )
    found = ranges(claim, LIMITS)
    assert supported(found, "a") and found.text == "holds exactly for 0 < a <= 1"


def test_whole_number_outputs() -> None:
    """The geometric mechanism has level e."""
    law = parse("(1 - exp(-e))/(1 + exp(-e))*exp(-e*abs(k - sum(x)))", "law")
    claim = Claim(
        Mechanism(
            W, outputs=[integer("k")], density=law, parameters={"e": "e > 0"}, name="geometric"
        ),
        "add-remove",
        parse("1", "level"),
    )
    found = ranges(claim, LIMITS)
    assert supported(found) and found.text == "holds exactly for 0 < e <= 1"


def test_an_end_without_a_closed_form_is_enclosed() -> None:
    """The loss of keep = (1 + e)/(2 + e) is log(1 + e); it meets e/2 at 2.512862417252339...
    (bisection in floats, here).
    """
    found = ranges(response("(1 + e)/(2 + e)", "e > 0", "e/2"), LIMITS)
    supported(found)
    low, high = 2.0, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.log1p(middle) > middle / 2 else (low, middle)
    words = [type(p.verdict) for p in found.pieces]
    assert words == [Refuted, Unknown, Proved] and found.pieces[0].everywhere
    a, b = found.pieces[1].interval.bounds
    assert a is not None and b is not None and a < Fraction(low) < b and b - a <= Fraction(1, 10**9)


def test_a_claim_with_delta_has_an_exact_end() -> None:
    """Laplace noise, level e, delta 1/10: 1 - exp(-(1 - e)/2) <= 1/10 iff e >= 1 - 2 log(10/9)."""
    claim = Claim(
        Mechanism(
            W,
            outputs=[real("s")],
            density=parse("exp(-abs(s - sum(x)))/2", "law"),
            parameters={"e": "e >= 0"},
            name="sum",
        ),
        "add-remove",
        parse("e", "level"),
        parse("1/10", "delta"),
    )
    found = ranges(claim, LIMITS)
    supported(found)
    (i,) = found.holds
    assert i.high is None and i.low_closed and i.low is not None
    assert (normal(i.low, EMPTY) - normal(parse("1 - 2*log(10/9)", "end"), EMPTY)).is_zero


def test_other_parameters_may_be_fixed() -> None:
    law = parse("exp(-abs(s - d*sum(x)))/2", "law")
    claim = Claim(
        Mechanism(
            W,
            outputs=[real("s")],
            density=law,
            parameters={"e": "e > 0", "d": "d == 2"},
            name="twice",
        ),
        "add-remove",
        parse("e", "level"),
    )
    found = ranges(claim, LIMITS)
    assert supported(found) and found.text == "holds exactly for e >= 2"


def test_a_claim_without_one_open_parameter_is_refused() -> None:
    two = response("3/4", "e > 0", "e + 1")
    several = Claim(
        Mechanism(
            Values([0, 1]),
            outputs=two.mechanism.outputs,
            density=two.mechanism.density,
            parameters={"e": "e > 0", "d": "d > 0"},
        ),
        "any",
        two.level,
    )
    with pytest.raises(
        BadInput, match="its parameters are e, d; a range is found for one parameter"
    ):
        ranges(several)
    with pytest.raises(BadInput, match="it has no parameter"):
        ranges(
            Claim(
                Mechanism(
                    Values([0, 1]), outputs=two.mechanism.outputs, density=two.mechanism.density
                ),
                "any",
                parse("1", "level"),
            )
        )
    with pytest.raises(NotWorkedOut, match="its condition e != 0 could not be read as an interval"):
        ranges(laplace("e^2", "e != 0", "1"))
    with pytest.raises(BadInput, match=r"its condition .* allows no value"):
        ranges(laplace("e^2", "e > 2 and e < 1", "1"))


def test_the_limits_stop_it_with_a_reason() -> None:
    found = ranges(response("exp(e)/(1 + exp(e))", "e > 0", "e^2"), Limits(pieces=1))
    assert not found.exact and found.text == "" and "give --pieces a larger value" in found.reason


@settings(max_examples=2, deadline=None)
@given(
    st.fractions(Fraction(1, 2), 2, max_denominator=50),
    st.fractions(Fraction(1, 200), Fraction(1, 20), max_denominator=400),
    st.booleans(),
)
def test_planted_ranges_come_back(low: Fraction, width: Fraction, inside: bool) -> None:
    """The level 1 +- (e - a)(e - b) is below the loss 1 exactly between a and b, or exactly
    outside.
    """
    a, b = low, low + width
    found = ranges(
        laplace("1", "0 < e < 4", f"1 {'+' if inside else '-'} (e - {a})*(e - {b})/16"), LIMITS
    )
    assert supported(found)
    shown = (
        f"0 < e <= {RealInterval(number(a)).text('e')[4:]} and "
        f"{RealInterval(number(b)).text('e')[4:]} <= e < 4"
    )
    assert found.text == "holds exactly for " + (
        shown
        if inside
        else f"{RealInterval(number(a)).text('e')[4:]} <= e <= {RealInterval(number(b)).text('e')[4:]}"
    )


@settings(max_examples=examples(8, 4), deadline=None)
@given(
    st.fractions(Fraction(1, 2), 2, max_denominator=50),
    st.fractions(Fraction(1, 1000), Fraction(1, 50), max_denominator=2000),
)
def test_a_narrow_range_of_failure_is_found(low: Fraction, width: Fraction) -> None:
    """`verify` refutes at a simple value between a and b, wherever they lie: no rational number
    with a smaller denominator lies there.
    """
    a, b = low, low + width
    found = verify(laplace("1", "e > 0", f"1 + (e - {a})*(e - {b})"), LIMITS)
    assert isinstance(found, Refuted)
    (value,) = dict(found.counterexample.parameters).values()
    x = value.args[0]
    assert a < x < b
    assert not any(
        a * d < n < b * d
        for d in range(1, x.denominator)
        for n in range(math.floor(a * d), math.ceil(b * d) + 1)
    )


# roots and intervals


@settings(max_examples=examples(60, 8), deadline=None)
@given(
    st.lists(
        st.fractions(Fraction(1, 10), 3, max_denominator=12), min_size=1, max_size=3, unique=True
    ),
    st.booleans(),
)
def test_planted_roots_are_found_exactly(planted: list[Fraction], exponential: bool) -> None:
    """Products of (z - r), z = e or z = exp(e), vanish at the planted numbers (their logarithms)
    and nowhere else.
    """
    function = parse("*".join(f"({'exp(e)' if exponential else 'e'} - {r})" for r in planted), "f")
    found = roots_in_interval(function, "e", RealInterval(number(0)), Limits().clock())
    wanted = [
        math.log(r) if exponential else float(r)
        for r in sorted(planted)
        if not exponential or r > 1
    ]
    assert [float(r.low) for r in found] == pytest.approx(wanted) and all(
        r.exact is not None for r in found
    )


@given(
    st.fractions(-3, 3, max_denominator=60), st.fractions(Fraction(1, 100), 2, max_denominator=200)
)
def test_the_simplest_number_is_simplest(low: Fraction, width: Fraction) -> None:
    x = simplest_rational_between(low, low + width)
    assert low < x < low + width
    assert not any(math.floor(low * d) + 1 < (low + width) * d for d in range(1, x.denominator))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0 < e < log(3)", "0 < e < log(3)"),
        ("e >= 1/2", "e >= 1/2"),
        ("2*e <= 3 and e > 1 and e > 0", "1 < e <= 3/2"),
        ("e == 2", "e = 2"),
        ("1 - e > 0", "e < 1"),
    ],
)
def test_conditions_are_read_as_intervals(text: str, shown: str) -> None:
    found = interval_of(parse_condition(text, "e"), "e")
    assert found is not None and found.text("e") == shown


@pytest.mark.parametrize("text", ["e != 0", "e > 0 or e < -1", "e > d", "exp(e) > 2"])
def test_other_conditions_are_not_intervals(text: str) -> None:
    assert interval_of(parse_condition(text, "e"), "e") is None


@pytest.mark.parametrize(
    "text",
    [
        "101/100 < e < 103/100",
        "e > 100 and e < 100 + 1/100",
        "e == log(3)",
        "log(2) <= e <= log(2)",
    ],
)
def test_narrow_conditions_have_values(text: str) -> None:
    tables = list(assignments((("e", parse_condition(text, "e")),), {}, 8))
    assert tables and all(_between(text, t["e"]) for t in tables)


def _between(text: str, value: Expression) -> bool:
    i = interval_of(parse_condition(text, "e"), "e")
    if i is None or i.low is None or i.high is None:
        return False
    gaps = [
        normal(value, EMPTY) - normal(i.low, EMPTY),
        normal(i.high, EMPTY) - normal(value, EMPTY),
    ]
    return (
        all((s := constant_sign(g)) is not None and s >= 0 for g in gaps)
        and enclose(normal(value, EMPTY)) is not None
    )
