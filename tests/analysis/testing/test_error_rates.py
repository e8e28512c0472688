"""Errors, the region of a level (thm:HT, STATEMENTS rows 20, 45 and E6), and odds, against
independent computations.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ahdp_verify.analysis.inputs import distance_between
from ahdp_verify.analysis.testing.error_rates import (
    error_rates,
    implied_level,
    odds,
    odds_range,
    privacy_region,
    satisfies,
)
from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, label, number, oo
from ahdp_verify.kernel.terms.grammar import parse
from tests.analysis.testing.pairs import Laws, laws, table
from tests.sweeps import examples

EMPTY = Context.empty()
W, s, t, k = Domain([(1, 1)]), real("s"), real("t"), integer("k")
RR = Mechanism(
    Values([0, 1]),
    outputs=[finite("r", [0, 1])],
    density=parse("piecewise((exp(e)/(exp(e) + 1), r == v), (1/(exp(e) + 1), true))", "law"),
    parameters={"e": "e > 0"},
)
LAPLACE = Mechanism(
    W, outputs=[s], density=parse("exp(-abs(s - size))/2", "law"), name="noisy size"
)
COUNT = Mechanism(
    Domain([(1, oo)]),
    outputs=[k],
    density=parse("piecewise((1, k == size), (0, true))", "law"),
    name="count",
)
NULLED = Mechanism(
    W,
    outputs=[s],
    density=parse("exp(-abs(s - size))/4", "law"),
    atoms={"NULL": parse("1/2", "mass")},
    name="with NULL",
)
TWO = Mechanism(W, outputs=[s, t], density=parse("exp(-abs(s - size) - abs(t - 2*size))/4", "law"))
MIXED = Mechanism(
    W,
    outputs=[finite("b", [0, 1]), s],
    density=parse("piecewise((1/4, b == 1), (3/4, true))*exp(-abs(s - size*b))/2", "law"),
)

RATES = Mechanism(
    W,
    outputs=[s],
    density=parse("piecewise(((1 + size)*exp(-s*(1 + size)), s >= 0), (0, true))", "law"),
)
CLAMPED = Mechanism(
    W,
    outputs=[s],
    density=parse("piecewise((exp(-abs(s - size))/2, 0 < s and s < 1), (0, true))", "law"),
    atoms={
        0: parse("exp(-size)/2", "mass"),
        1: parse("piecewise((exp(-1)/2, size == 0), (1/2, true))", "mass"),
    },
)
GEOMETRIC = Mechanism(
    W, outputs=[k], density=parse("(1 - exp(-1/2))/(1 + exp(-1/2))*exp(-abs(k - 3*size)/2)", "law")
)


def equal(e: Expression, text: str) -> bool:
    wanted = parse(text, "value")
    if "oo" in (e.head, wanted.head):
        return e.head == wanted.head
    return (normal(e, EMPTY) - normal(wanted, EMPTY)).is_zero


def regions(n: int) -> list[tuple[int, ...]]:
    return [r for size in range(n + 1) for r in itertools.combinations(range(n), size)]


def of(row: tuple[Fraction, ...], region: tuple[int, ...]) -> Fraction:
    return sum((row[i] for i in region), Fraction(0))


# thm:HT


def inequality(found: Laws, factor: Fraction) -> bool:
    """e1 + L e2 >= 1 for every rejection region, in this order of the two distributions only."""
    p, q = found
    return all(of(p, r) + factor * (1 - of(q, r)) >= 1 for r in regions(len(p)))


def private(found: Laws, factor: Fraction) -> bool:
    """P(S) <= L Q(S) and Q(S) <= L P(S) for every event S: the definition."""
    return all(
        of(p, r) <= factor * of(q, r) for p, q in (found, found[::-1]) for r in regions(len(p))
    )


FACTORS = (Fraction(1), Fraction(4, 3), Fraction(2), Fraction(3), Fraction(6), Fraction(30))
ONE_ORDER: Laws = (
    (Fraction(1), Fraction(0), Fraction(0)),
    (Fraction(3, 4), Fraction(1, 4), Fraction(0)),
)


@settings(deadline=None)
@given(laws())
@example(ONE_ORDER)
def test_all_ordered_pairs_of_errors_are_the_definition(found: Laws) -> None:
    """STATEMENTS row 20: for all events and both orders <=> DP; the curve and the region say the
    same, as does the implied level.
    """
    curve = tradeoff(table(found), 0, 1)
    ratios = {
        q / p if p else None
        for a, b in zip(*found, strict=True)
        for p, q in ((a, b), (b, a))
        if p or q
    }
    largest = None if None in ratios else max(r for r in ratios if r is not None)
    assert (
        implied_level(curve) == oo
        if largest is None
        else equal(implied_level(curve), f"log({largest})")
    )
    for factor in FACTORS:
        wanted = private(found, factor)
        assert (inequality(found, factor) and inequality(found[::-1], factor)) is wanted
        assert satisfies(curve, f"log({factor})") is wanted
        region = privacy_region(f"log({factor})")
        every = [
            region.contains(of(found[0], r), 1 - of(found[1], r)) for r in regions(len(found[0]))
        ]
        assert (
            all(every) is wanted
            and all(region.contains(v.alpha, v.beta) for v in curve.vertices) is wanted
        )


def test_one_order_of_the_pair_is_not_enough() -> None:
    """STATEMENTS row 20, L = 2: the inequality holds for every event in one order, and the loss
    has no bound.
    """
    assert inequality(ONE_ORDER, Fraction(2)) and not inequality(ONE_ORDER[::-1], Fraction(2))
    curve = tradeoff(table(ONE_ORDER), 0, 1)
    assert (
        implied_level(curve) == oo
        and satisfies(curve, "log(2)") is False
        and satisfies(curve, 50) is False
    )


@pytest.mark.parametrize("e", ["1", "1/10", "log(3)", "3"])
def test_randomised_response_attains_equality(e: str) -> None:
    """STATEMENTS row 20: e1 = e2 = 1/(1 + exp(e)), so e1 + exp(e) e2 = 1; any lower level fails,
    by however little.
    """
    found = error_rates(RR, 0, 1, "r == 1", parameters={"e": e})
    assert all(
        equal(x, f"1/(1 + exp({e}))")
        for x in (found.type_one, found.type_two, privacy_region(e).corner)
    )
    curve = tradeoff(RR, 0, 1, parameters={"e": e})
    assert (
        equal(implied_level(curve), e)
        and satisfies(curve, e) is True
        and satisfies(curve, f"{e} - 1/10^40") is False
    )
    assert (
        privacy_region(e).contains(found.type_one, found.type_two) is True
        and privacy_region(f"{e} - 1/10^9").contains(found.type_one, found.type_two) is False
    )


def test_at_distance_oo_the_display_fails_and_nothing_is_asked() -> None:
    """E6: the size of a dataset is released, D = {} and D' = {x}, R = {k != 0}: both errors are 0,
    and 0 + oo * 0 >= 1 is false with oo * 0 = 0.
    """
    found = error_rates(COUNT, [0], [1], "k != 0")
    assert (found.type_one, found.type_two) == (number(0), number(0))
    distance = distance_between(COUNT, [0], [1], lambda x, eps: eps)
    assert distance == oo

    def product(a: Expression, b: Expression) -> Fraction | float:
        return 0 if b == number(0) else math.inf if a == oo else Fraction(1)

    assert not 0 + product(distance, found.type_two) >= 1
    curve = tradeoff(COUNT, [0], [1])
    assert [(str(v.alpha), str(v.beta)) for v in curve.vertices] == [
        ("0", "0"),
        ("1", "0"),
    ] and implied_level(curve) == oo
    assert (
        privacy_region("oo").contains(0, 0) is True
        and satisfies(curve, oo) is True
        and satisfies(curve, 1000) is False
    )
    assert privacy_region("oo").corner == number(0) and privacy_region("oo").contains(2, 0) is False


@pytest.mark.parametrize(
    ("level", "inside"),
    [
        ("1", True),
        ("1 - 1/10^30", False),
        ("0", False),
        ("log(3)", True),
        ("log(2)", False),
        ("oo", True),
    ],
)
def test_laplace_laws_keep_their_level(level: str, inside: bool) -> None:
    """The loss of a shift by one scale is 1: x <= s <= x + 1 moves |s - x| by at most 1, and
    large s by 1.
    """
    assert satisfies(tradeoff(LAPLACE, [0], [1]), level) is inside


# errors of events


@pytest.mark.parametrize(
    ("mechanism", "event", "one", "two"),
    [
        (LAPLACE, "s >= 1", "exp(-1)/2", "1/2"),
        (LAPLACE, "s < 0 or s > 2", "1/2 + exp(-2)/2", "1 - exp(-1)"),
        (LAPLACE, "s == 1", "0", "1"),
        (LAPLACE, "abs(s) <= 1", "1 - exp(-1)", "1/2 + exp(-2)/2"),
        (LAPLACE, "true", "1", "0"),
        (LAPLACE, Event(intervals=(("s", None, number(0)),)), "1/2", "1 - exp(-1)/2"),
        (NULLED, 's == "NULL"', "1/2", "1/2"),
        (NULLED, Event(atoms=(label("NULL"),), continuous=False), "1/2", "1/2"),
        (NULLED, 's != "NULL"', "1/2", "1/2"),
        (TWO, "s >= 1 and t >= 2", "exp(-3)/4", "3/4"),
        (TWO, "s >= 1", "exp(-1)/2", "1/2"),
        (MIXED, "b == 1 and s >= 1", "exp(-1)/8", "7/8"),
        (MIXED, "b == 0 or s >= 1", "3/4 + exp(-1)/8", "1/8"),
        (COUNT, "k >= 1", "0", "0"),
        (COUNT, "k >= 1/2", "0", "0"),
    ],
)
def test_errors_of_events(mechanism: Mechanism, event: str | Event, one: str, two: str) -> None:
    """By hand, from the distribution function of a Laplace distribution."""
    found = error_rates(mechanism, [0], [1], event)
    assert equal(found.type_one, one) and equal(found.type_two, two), str(found)


@settings(deadline=None, max_examples=examples(40, 8))
@given(laws(), st.data())
def test_errors_of_subsets(found: Laws, data: st.DataObject) -> None:
    region = data.draw(st.sampled_from(regions(len(found[0]))))
    text = " or ".join(f"r == {i}" for i in region) or "false"
    for event in (text, Event(outcomes=tuple((number(i),) for i in region))) if region else (text,):
        got = error_rates(table(found), 0, 1, event)
        assert (got.type_one, got.type_two) == (
            number(of(found[0], region)),
            number(1 - of(found[1], region)),
        )


@pytest.mark.sweep(2)
@pytest.mark.parametrize("mechanism", [LAPLACE, MIXED, NULLED, RATES, CLAMPED, GEOMETRIC])
def test_attacks_have_the_errors_of_the_curve(mechanism: Mechanism) -> None:
    """Every event of an attack goes through the probabilities of events, which know nothing of
    ratios.
    """
    curve = tradeoff(mechanism, [0], [1])
    for alpha in [
        *(v.alpha for v in curve.vertices),
        *(number(Fraction(i, 13)) for i in range(14)),
    ]:
        attack, one, power = curve.test(alpha), constant(0), constant(0)
        for events, probability in ((attack.rejected, number(1)), (attack.tossed, attack.chance)):
            for found in (error_rates(mechanism, [0], [1], e) for e in events):
                one = one + normal(probability * found.type_one, EMPTY)
                power = power + normal(probability * (1 - found.type_two), EMPTY)
        assert (one - normal(alpha, EMPTY)).is_zero and (
            constant(1) - power - normal(curve.at(alpha), EMPTY)
        ).is_zero


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("s + 1", "not a condition on the outputs s"),
        ("u > 1", "not a condition on the outputs s"),
        ("s >", "character"),
        (Event(intervals=(("u", None, number(0)),)), "something that the mechanism does not have"),
        (Event(intervals=(("s", None, None),)), "an interval without an end"),
        (Event(atoms=(label("NULL"),)), "not an atom outside its box"),
        ('s == "a" or s >= 1', "s is a number"),
    ],
)
def test_what_is_not_an_event_is_refused(event: str | Event, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        error_rates(LAPLACE, [0], [1], event)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300


@pytest.mark.parametrize("event", ["s*s > 1", "exp(s) > 2"])
def test_what_is_an_event_but_no_box_was_not_worked_out(event: str) -> None:
    with pytest.raises(NotWorkedOut, match="not found to be linear in s"):
        error_rates(LAPLACE, [0], [1], event)


# levels of two inputs


def test_distances_of_datasets_values_and_answers() -> None:
    """def:newDP: the sum of level |h - h'|, with 0 * oo = 0."""
    domain = Domain([(0, "1/2"), (1, 1), (2, oo)])
    m = Mechanism(domain, outputs=[s], density=parse("exp(-abs(s - size))/2", "law"))
    assert (
        equal(distance_between(m, [1, 2, 1], [3, 1, 1], lambda x, eps: eps), "2")
        and distance_between(m, [0, 0, 0], [0, 0, 1], "eps") == oo
    )
    assert equal(distance_between(m, [1, 2, 1], [3, 1, 1], "x + 1"), "4") and distance_between(
        m, [1, 1, 1], [1, 1, 1], "eps"
    ) == number(0)
    assert equal(distance_between(RR, 0, 1, "e*abs(v - other)", {"e": "log(2)"}), "log(2)")
    answers = Mechanism(Queries(1), outputs=[s], density=parse("exp(-abs(s - q[1]))/2", "law"))
    assert equal(distance_between(answers, [0], [1], "3/2"), "3/2")
    for level, said in (
        ("-eps", "negative"),
        ("u", "the name u is not known"),
        ("1/(x - 1)", "has no value"),
    ):
        with pytest.raises(BadInput, match=said):
            distance_between(m, [0, 0, 0], [0, 1, 0], level)


@pytest.mark.parametrize(
    ("level", "said"),
    [("-1", "is negative"), (0.5, "float"), ("u", "not a constant"), ("log(0)", "has no value")],
)
def test_a_level_is_a_constant(level: object, said: str) -> None:
    for ask in (privacy_region, lambda e: satisfies(tradeoff(LAPLACE, [0], [1]), e)):
        with pytest.raises(BadInput, match=said):
            ask(level)


# odds (STATEMENTS row 45)


def test_odds_of_a_noisy_size() -> None:
    """The densities at s = 0 are 1/2 and exp(-1)/2, at s = 3/4 their ratio is exp(-1/2); prior 1
    to 3.
    """
    at_zero = odds(LAPLACE, [0], [1], "1/3", 0)
    assert (
        equal(at_zero.prior, "1/3")
        and equal(at_zero.posterior, "exp(1)/3")
        and equal(at_zero.ratio, "exp(1)")
    )
    assert (
        at_zero.within(1) is True
        and at_zero.within("1 - 1/10^20") is False
        and at_zero.within(oo) is True
    )
    between = odds(LAPLACE, [0], [1], ("1/4", "3/4"), "3/4")
    assert (
        equal(between.ratio, "exp(-1/2)")
        and between.within("1/2") is True
        and between.within("1/3") is False
    )
    least, most = odds_range(LAPLACE, [0], [1])
    assert equal(least, "exp(-1)") and equal(most, "exp(1)")


def test_odds_at_labels_tables_and_impossible_outputs() -> None:
    assert equal(odds(NULLED, [0], [1], 2, "NULL").posterior, "2") and equal(
        odds(NULLED, [0], [1], 2, 0).posterior, "2*exp(1)"
    )
    assert equal(odds(MIXED, [0], [1], 1, {"b": 1, "s": 1}).ratio, "exp(-1)") and equal(
        odds(MIXED, [0], [1], 1, {"b": 0, "s": 1}).ratio, "1"
    )
    sure = odds(COUNT, [0], [1], 1, 0)
    assert (
        sure.ratio == sure.posterior == oo
        and sure.within(100) is False
        and sure.within(oo) is True
        and str(odds(COUNT, [0], [1], 1, 1).posterior) == "0"
    )
    assert odds_range(COUNT, [0], [1]) == (number(0), oo)


@settings(deadline=None)
@given(laws())
def test_the_range_of_odds_is_that_of_all_outputs(found: Laws) -> None:
    m = table(found)
    listed = [(i, p, q) for i, (p, q) in enumerate(zip(*found, strict=True)) if p or q]
    seen = [odds(m, 0, 1, (1, 2), i) for i, _, _ in listed]
    for (_, p, q), o in zip(listed, seen, strict=True):
        assert (
            o.ratio == oo
            if not q
            else equal(o.ratio, str(p / q)) and equal(o.posterior, str(p / q / 2))
        )
        for factor in FACTORS:
            assert o.within(f"log({factor})") is bool(q and 1 / factor <= p / q <= factor)
    ends = [math.inf if not q else float(p / q) for _, p, q in listed]
    assert [math.inf if e == oo else float(e.args[0]) for e in odds_range(m, 0, 1)] == [
        min(ends),
        max(ends),
    ]


@pytest.mark.parametrize(
    ("prior", "output", "said"),
    [
        (0, 1, "a weight is 0 or negative"),
        ("-1", 1, "a weight is 0 or negative"),
        ((1, 2, 3), 1, "3 numbers are given"),
        (1, {"u": 1}, "not a value of s"),
        (1, 0.5, "float"),
        (1, "NULL", "s: NULL is not a constant"),
        (0.5, 1, "float"),
        (1, "yes!", "character 4"),
    ],
)
def test_what_has_no_odds_is_refused(prior: object, output: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        odds(LAPLACE, [0], [1], prior, output)


def test_outputs_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(BadInput, match="it is a whole number"):
        odds(COUNT, [0], [1], 1, "1/2")
    with pytest.raises(BadInput, match="its values are 0, 1"):
        odds(RR, 0, 1, 1, 2, parameters={"e": 1})
    with pytest.raises(BadInput, match="occurs at neither input"):
        odds(COUNT, [0], [1], 1, 5)
