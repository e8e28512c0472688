"""Probabilities of events against brute force; an event counts every outcome once and only
outcomes that exist.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import AhdpError, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.events import (
    ascending_points,
    event_probability,
    interval_probability,
    total_probability,
)
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    eq,
    exp,
    label,
    multiply,
    name,
    number,
    piecewise,
    sum_over_records,
)
from tests import oracle

s, t, k, o, v = name("s"), name("t"), name("k"), name("o"), name("v")
HERE = Context.empty()
ENDS = st.none() | st.fractions(min_value=-3, max_value=3, max_denominator=3)
WHOLE = st.none() | st.integers(-4, 4)
LAPLACE = exp(-Abs(s)) / 2
GEOMETRIC = (
    (1 - exp(-1 * number(Fraction(1, 2))))
    / (1 + exp(-1 * number(Fraction(1, 2))))
    * exp(-Abs(k) / 2)
)


def laplace_cdf(x: Fraction | None, at: Fraction, infinite: int) -> object:
    if x is None:
        return oracle.mpf(infinite)
    y = oracle.real(x - at)
    return mp.exp(y) / 2 if y < 0 else 1 - mp.exp(-y) / 2


@given(ENDS, ENDS, st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(-2)]))
def test_interval_has_the_probability_of_the_distribution_function(
    low: Fraction | None, high: Fraction | None, at: Fraction
) -> None:
    law = exp(-Abs(s - at)) / 2
    ends = tuple(None if e is None else number(e) for e in (low, high))
    event = Event((("s", *ends),)) if ends != (None, None) else Event()  # type: ignore[arg-type]
    found = event_probability(law, (), (real("s"),), event, (("s", (number(at),)),))
    expected = max(oracle.mpf(0), laplace_cdf(high, at, 1) - laplace_cdf(low, at, 0))
    assert oracle.near(oracle.of_ratio(found, {}), expected)


@given(WHOLE, WHOLE)
def test_whole_intervals_are_half_open(low: int | None, high: int | None) -> None:
    ends = tuple(None if e is None else number(e) for e in (low, high))
    event = Event((("k", *ends),)) if ends != (None, None) else Event()  # type: ignore[arg-type]
    found = event_probability(GEOMETRIC, (), (integer("k"),), event, (("k", (number(0),)),))
    half = mp.exp(oracle.mpf(-1) / 2)
    values = range(-300 if low is None else low, 300 if high is None else high)
    expected = sum((half ** abs(i) for i in values), oracle.mpf(0)) * (1 - half) / (1 + half)
    assert oracle.near(oracle.of_ratio(found, {}), expected)


@given(
    st.lists(st.integers(1, 9), min_size=2, max_size=4),
    st.lists(st.integers(1, 9), min_size=2, max_size=3),
    st.data(),
)
def test_finite_outcomes_are_counted(
    first: list[int], second: list[int], data: st.DataObject
) -> None:
    a, b = finite("s", range(len(first))), finite("t", range(len(second)))
    table = {
        (i, j): Fraction(x * (y + i), 1) for i, x in enumerate(first) for j, y in enumerate(second)
    }
    total = sum(table.values())
    law = piecewise(*((p / total, eq(s, i) & eq(t, j)) for (i, j), p in table.items()), (0, True))
    chosen = data.draw(
        st.lists(st.sampled_from(sorted(table)), min_size=1, max_size=4, unique=True)
    )
    event = Event(outcomes=tuple((number(i), number(j)) for i, j in chosen))
    assert (
        event_probability(law, (), (a, b), event, ()).as_rational
        == sum(table[c] for c in chosen) / total
    )
    assert total_probability(law, (), (a, b), ()).as_rational == 1


@given(st.lists(st.integers(0, 3), unique=True, max_size=4), ENDS)
def test_atoms_count_beside_the_density(atoms: list[int], low: Fraction | None) -> None:
    masses = tuple((label(f"n{i}"), number(Fraction(i + 1, 20))) for i in range(4))
    chosen = tuple(label(f"n{i}") for i in atoms)
    event = (
        Event((("s", number(low), None),), atoms=chosen)
        if low is not None
        else Event(without=tuple(at for at, _ in masses if at not in chosen))
    )
    found = event_probability(LAPLACE / 2, masses, (real("s"),), event, (("s", (number(0),)),))
    expected = (1 - laplace_cdf(low, Fraction(0), 0)) / 2 + sum(
        oracle.real(Fraction(i + 1, 20)) for i in atoms
    )
    assert oracle.near(oracle.of_ratio(found, {}), expected)
    only = event_probability(
        LAPLACE / 2, masses, (real("s"),), Event(atoms=chosen, continuous=False), ()
    )
    assert only.as_rational == sum(Fraction(i + 1, 20) for i in atoms)


@given(ENDS, ENDS, ENDS)
def test_a_box_of_dependent_outputs(
    low: Fraction | None, high: Fraction | None, gap: Fraction | None
) -> None:
    law = exp(-Abs(s) - Abs(t - s)) / 4
    spans = (
        ("s", *(None if e is None else number(e) for e in (low, high))),
        ("t", None if gap is None else s + gap, None),
    )
    event = Event(tuple(span for span in spans if span[1:] != (None, None)))  # type: ignore[arg-type]
    if gap is not None and gap != 0:
        return
    found = event_probability(
        law, (), (real("s"), real("t")), event, (("s", (number(0),)), ("t", (s,)))
    )
    expected = max(
        oracle.mpf(0), laplace_cdf(high, Fraction(0), 1) - laplace_cdf(low, Fraction(0), 0)
    ) * (1 if gap is None else oracle.mpf(1) / 2)
    assert oracle.near(oracle.of_ratio(found, {}), expected)


@given(
    st.lists(
        st.sampled_from(
            [
                number(0),
                number(1),
                exp(number(1)),
                exp(number(-1)),
                number(Fraction(271, 100)),
                number(-2),
            ]
        ),
        max_size=6,
    )
)
def test_ascending_sorts_and_drops_repeats(listed: list[Expression]) -> None:
    found = [
        oracle.of_ratio(r, {}) for r in ascending_points([normal(e, HERE) for e in listed], HERE)
    ]
    assert all(x < y for x, y in itertools.pairwise(found))
    assert {oracle.mp.nstr(x, 30) for x in found} == {
        oracle.mp.nstr(oracle.value(e, {}), 30) for e in listed
    }


def test_points_that_cannot_be_ordered_are_refused() -> None:
    with pytest.raises(Unsupported):
        interval_probability(LAPLACE, real("s"), (number(0),), name("a"), None, HERE)
    with pytest.raises(AhdpError):
        interval_probability(
            GEOMETRIC, integer("k"), (number(0),), number(Fraction(1, 2)), None, HERE
        )
    with pytest.raises(AhdpError):
        interval_probability(LAPLACE, real("s"), (number(1),), None, number(2), HERE)


# false refutations: each claim below is true, each event overcounts or does not exist

ZERO, ONE = number(0), number(1)
COIN = finite("o", [0, 1])
NOISY = Mechanism(
    Values([0, 1]),
    outputs=[COIN],
    density=piecewise((Fraction(1, 2) + v / 10, eq(o, 0)), (Fraction(1, 2) - v / 10, True)),
)
FAIR = Mechanism(
    Values([0, 1]), outputs=[COIN], density=piecewise((Fraction(1, 2), o < 2), (v, True))
)
COUNT = Mechanism(
    Domain([(0, 1)]), outputs=[real("s")], density=50 * exp(-100 * Abs(s - sum_over_records(1)))
)
GHOST = Mechanism(
    Domain([(0, 1)]),
    outputs=[real("s")],
    density=piecewise((sum_over_records(1), (Abs(s) + 1 < s) & (s < Abs(s) + 2)), (LAPLACE, True)),
)
AT_ONE, AT_ZERO = (("s", (ONE,)),), (("s", (ZERO,)),)


@pytest.mark.parametrize(
    "claim, event, points",
    [
        (dp(NOISY, 0, "any", delta="1/10"), Event(outcomes=((ZERO,),) * 3), ((), ())),
        (dp(NOISY, 0, "any", delta="1/10"), Event(values=(("o", (ZERO,) * 3),)), ((), ())),
        (dp(FAIR, 0, "any"), Event(outcomes=((number(5),),)), ((), ())),
        (dp(FAIR, 0, "any"), Event(values=(("o", (number(5),)),)), ((), ())),
        (ahdp(COUNT, lambda x, eps: ONE, delta=1), Event(outcomes=((ONE,),)), (AT_ONE, AT_ZERO)),
        (
            ahdp(GHOST, lambda x, eps: ZERO),
            Event((("s", Abs(s) + 1, Abs(s) + 2),)),
            (AT_ZERO, AT_ZERO),
        ),
    ],
    ids=[
        "repeated outcome",
        "repeated value",
        "no such outcome",
        "no such value",
        "a density is none",
        "an interval about itself",
    ],
)
def test_an_invalid_event_refutes_nothing(claim: object, event: Event, points: object) -> None:
    with pytest.raises(AhdpError):
        raise AssertionError(refute(claim, Counterexample((), (), (ONE,), (ZERO,), event, points)))  # type: ignore[arg-type]


def test_an_interval_may_not_mention_a_later_output() -> None:
    law = multiply(LAPLACE, exp(-Abs(t)) / 2)
    both = Mechanism(Domain([(0, 1)]), outputs=[real("s"), real("t")], density=law)
    event = Event((("s", t, None), ("t", ZERO, None)))
    with pytest.raises(AhdpError):
        refute(
            ahdp(both, lambda x, eps: ZERO),
            Counterexample((), (), (ONE,), (ZERO,), event, ((("s", (ZERO,)), ("t", (ZERO,))),) * 2),
        )


def test_true_refutations_are_accepted() -> None:
    claim = dp(NOISY, 0, "any", delta="1/11")
    found = refute(claim, Counterexample((), (), (ONE,), (ZERO,), Event(outcomes=((ZERO,),))))
    assert (
        isinstance(found, Refuted)
        and found.first_probability.as_rational == Fraction(3, 5)
        and found.second_probability.as_rational == Fraction(1, 2)
    )
    far = refute(
        ahdp(COUNT),
        Counterexample(
            (),
            (),
            (ONE,),
            (ZERO,),
            Event((("s", ONE, None),)),
            ((("s", (ONE,)),), (("s", (ZERO, ONE)),)),
        ),
    )
    assert (far.first_probability - constant(Fraction(1, 2))).is_zero


@pytest.mark.parametrize("chosen", [0, 1])
def test_a_law_that_is_negative_at_one_value_of_a_finite_output_refutes_nothing(
    chosen: int,
) -> None:
    """Weights 3/2 and -1/2 add up to 1, so the total does not give the law away; each case has
    its own factor before the integral.
    """
    weights = piecewise(
        (piecewise((number("3/4"), eq(o, ZERO)), (number("-1/4"), True)), eq(v, ZERO)),
        (number("1/4"), True),
    )
    law = multiply(weights, exp(-Abs(s - o)))
    claim = dp(
        Mechanism(Values([0, 1]), outputs=[finite("o", [0, 1]), real("s")], density=law), 0, "any"
    )
    event, points = Event(values=(("o", (number(chosen),)),)), ((("s", (o,)),),) * 2
    for first, second in ((ZERO, ONE), (ONE, ZERO)):
        with pytest.raises(AhdpError):
            raise AssertionError(
                refute(claim, Counterexample((), (), (first,), (second,), event, points))
            )
