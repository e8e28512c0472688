"""Counterexamples: exact JSON; true ones are accepted, and nothing that is not a counterexample
is.
"""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Expression, label, name, number, oo, piecewise
from ahdp_verify.kernel.terms.expression import eq as equals
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.stored import from_stored, to_stored

N0, N1, N2 = number(0), number(1), number(2)
A, B = (label("a"),), (label("b"),)
AB, BITS = Values(["a", "b"]), Domain([(0, 1), (1, 1)])


def at(*points: object, output: str = "s") -> tuple[tuple[str, tuple[Expression, ...]], ...]:
    return ((output, tuple(number(p) for p in points)),)


LAPLACE = dp(
    Mechanism(BITS, outputs=[real("s")], density=parse("exp(-abs(s - sum(x)))/2"), name="laplace"),
    Fraction(1, 2),
)
BELOW = Event(intervals=(("s", None, N0),))
GOOD = Counterexample((), (), (N0, N0), (N0, N1), BELOW, (at(0), at(1)))
COIN = Mechanism(
    AB,
    outputs=[finite("y", [0, 1])],
    density=parse('piecewise((1/2 + y/4 - (1 - y)/4, v == "a"), (1/2, true))'),
    name="coin",
)
PURE, SLACK = Claim(COIN, "any", N1), Claim(COIN, "any", N0, number(Fraction(1, 4)))  # both true
FALSE = Claim(COIN, "any", N0, number(Fraction(1, 5)))
UNIVERSAL = Domain.universal(unknowns={"f": "0 <= f <= 2"})
SUM = dp(
    Mechanism(UNIVERSAL, outputs=[real("s")], density=parse("exp(-abs(s - sum(f)))/2"), name="sum"),
    1,
)
RECORD = (("eps", N1), ("f", N2))
OF_SUM = Counterexample((), (RECORD,), (N0,), (N1,), BELOW, (at(0), at(2)))
QUERIES = dp(
    Mechanism(
        Queries(2),
        outputs=[real("s")],
        density=parse("exp(-abs(s - q[1] - q[2]))/2"),
        name="queries",
    ),
    1,
    "all",
)
OF_QUERIES = Counterexample((), (), (N0, N0), (N1, N1), BELOW, (at(0), at(2)))
OF_VALUES = Counterexample((), (), A, B, Event(outcomes=((N1,),)))


def refuted(claim: Claim, example: Counterexample) -> bool:
    try:
        return isinstance(refute(claim, example), Refuted)
    except (Rejected, BadInput):
        return False


HONEST = [(LAPLACE, GOOD), (FALSE, OF_VALUES), (SUM, OF_SUM), (QUERIES, OF_QUERIES)]


@pytest.mark.parametrize(("claim", "example"), HONEST)
def test_honest_counterexamples_replay_and_survive_json(
    claim: Claim, example: Counterexample
) -> None:
    back = from_stored(Counterexample, json.loads(json.dumps(to_stored(example), allow_nan=False)))
    assert back == example
    assert refute(claim, back).counterexample == example


def test_the_probabilities_are_those_of_the_event() -> None:
    answer = refute(LAPLACE, GOOD)
    assert (answer.first_probability.key, answer.second_probability.key) == (
        "1/2",
        "1/2*exp(1)^(-1)",
    )


FIELDS = {f.name for f in dataclasses.fields(Counterexample)} | {
    f.name for f in dataclasses.fields(Event)
}
JUNK: tuple[Any, ...] = (
    None,
    True,
    3,
    10**40,
    0.5,
    float("nan"),
    "x",
    b"x",
    (),
    (None,),
    ((),),
    (("s",),),
    (("s", N0),),
    {},
    {"a": 1},
    set(),
    object(),
    oo,
    label("a"),
    name("s"),
    (oo,),
    (label("z"),),
    (name("s"),),
    (number(Fraction(1, 2)),) * 2,
    (number(-1), N1),
    (N0,),
    (N0,) * 3,
    (N0, name("s")),
    Event(),
)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("claim", "example"),
    [
        (dp(LAPLACE.mechanism, 1), GOOD),
        (PURE, OF_VALUES),
        (dp(SUM.mechanism, 2), OF_SUM),
        (dp(QUERIES.mechanism, 2, "all"), OF_QUERIES),
    ],
)
def test_garbage_never_refutes_a_true_claim(claim: Claim, example: Counterexample) -> None:
    assert not refuted(claim, example)
    for junk in JUNK:
        for field in dataclasses.fields(Counterexample):
            assert not refuted(claim, dataclasses.replace(example, **{field.name: junk}))
        for field in dataclasses.fields(Event):
            assert not refuted(
                claim,
                dataclasses.replace(
                    example, event=dataclasses.replace(example.event, **{field.name: junk})
                ),
            )


SIDES = [
    ((N0, N0), (N1, N1)),
    ((N0, N0), (N0, N2)),
    ((N0, N0), (N0, N0)),
    ((number(-1), N0), (N0, N0)),
    ((N0,), (N1,)),
    ((N0, N0, N0), (N0, N0, N1)),
    ((number(Fraction(1, 2)), N0), (N0, N0)),
    ((N0, N0), (N0, oo)),
    ((N0, N0), (N0, name("n"))),
    ((N0, N0), A),
    ((), ()),
]


@pytest.mark.parametrize(("before", "after"), SIDES, ids=str)
def test_what_is_not_a_move_of_datasets_refutes_nothing(before: Any, after: Any) -> None:
    for event in (BELOW, Event(intervals=(("s", None, number(-9)),))):
        for points in ((at(0), at(1)), (at(0), at(2)), (at(0), at(0))):
            assert not refuted(LAPLACE, Counterexample((), (), before, after, event, points))


def test_moves_of_other_relations_refute_nothing() -> None:
    swap = Claim(
        Mechanism(BITS, outputs=[real("s")], density=parse("exp(-abs(s - 9*size))/2"), name="size"),
        "swap",
        N1,
    )
    assert not refuted(swap, Counterexample((), (), (N0, N0), (N0, N1), BELOW, (at(0), at(9))))
    rates = Domain([(0, 1), (9, 2)])
    demands = hdp(
        Mechanism(
            rates, outputs=[real("s")], density=parse("exp(-abs(s - sum(x)))/2"), name="demands"
        )
    )
    assert not refuted(demands, Counterexample((), (), (N1, N0), (N0, N1), BELOW, (at(0), at(9))))
    one = dataclasses.replace(QUERIES, relation="one")
    assert not refuted(one, OF_QUERIES)
    for after in ((N2, N0), (number(-1), N2), (N0, N0), (N1,), (N1, N1, N1), (name("s"), N1)):
        assert not refuted(QUERIES, dataclasses.replace(OF_QUERIES, second=after))
    for relation, after in (("increasing", (N1, number(-1))), ("decreasing", (N1, number(-1)))):
        difference = Mechanism(
            Queries(2),
            outputs=[real("s")],
            density=parse("exp(-abs(s - q[1] + q[2]))/2"),
            name="difference",
        )
        assert not refuted(
            dp(difference, 1, relation),
            Counterexample((), (), (N0, N0), after, BELOW, (at(0), at(2))),
        )


WRONG_EVENTS = [
    Event(outcomes=((N1,), (N1,))),
    Event(outcomes=((N0,), (N0,))),
    Event(values=(("y", (N1, N1)),)),
    Event(values=(("y", (N0, N0)),)),
    Event(outcomes=((number(9),),)),
    Event(values=(("y", (number(9),)),)),
    Event(outcomes=((N1,), (number(9),))),
    Event(values=(("y", (N1, N2)),)),
    Event(outcomes=((number(-9),),)),
    Event(outcomes=((number(Fraction(1, 2)),),)),
    Event(outcomes=((),)),
    Event(outcomes=((N1, N1),)),
    Event(outcomes=((oo,),)),
    Event(outcomes=((name("y"),),)),
    Event(values=(("y", (name("y"),)),)),
    Event(values=(("y", (N1,)), ("y", (N1, N1)))),
    Event(),
]


@pytest.mark.parametrize("event", WRONG_EVENTS, ids=str)
@pytest.mark.parametrize("sides", [(A, B), (B, A)], ids=["ab", "ba"])
@pytest.mark.parametrize("claim", [PURE, SLACK], ids=["pure", "slack"])
def test_outcomes_count_once_and_must_exist(claim: Claim, sides: Any, event: Event) -> None:
    """An outcome that is listed twice, or is not a value of the output, would make the event
    violate any bound.
    """
    assert not refuted(claim, Counterexample((), (), *sides, event))


def test_a_density_is_not_a_probability() -> None:
    law = parse('piecewise((exp(-abs(100*s))*50, v == "a"), (exp(-abs(100*s - 1))*50, true))')
    claim = Claim(
        Mechanism(AB, outputs=[real("s")], density=law, name="narrow"),
        "any",
        N0,
        number(Fraction(9, 10)),
    )
    spike = piecewise(
        (50, equals(name("s"), 0) & equals(name("v"), label("a"))), (parse("exp(-abs(s))/2"), True)
    )
    null = Claim(Mechanism(AB, outputs=[real("s")], density=spike, name="spike"), "any", N1)
    for event in (
        Event(outcomes=((N0,),)),
        Event(values=(("s", (N0,)),)),
        Event(intervals=(("s", N0, N0),)),
    ):
        assert not refuted(
            claim, Counterexample((), (), A, B, event, (at(0), at(Fraction(1, 100))))
        )
        assert not refuted(null, Counterexample((), (), A, B, event, (at(0), at(0))))
    steps = Mechanism(
        AB,
        outputs=[integer("s")],
        density=piecewise(
            (50, equals(name("s"), Fraction(1, 2)) & equals(name("v"), label("a"))),
            (parse("exp(-abs(s))*(1 - exp(-1))/(1 + exp(-1))"), True),
        ),
        name="half steps",
    )
    assert not refuted(
        Claim(steps, "any", N1),
        Counterexample((), (), A, B, Event(outcomes=((number(Fraction(1, 2)),),)), (at(0), at(0))),
    )


INTERVALS = [
    (("s", N1, N0),),
    (("s", N0, N0),),
    (("s", name("s"), None),),
    (("s", -name("s"), None),),
    (("s", None, name("t")),),
    (("s", oo, None),),
    (("t", None, N0),),
    (("s", N0),),
    (("s", None, None),),
    (("s", None, label("a")),),
]


@pytest.mark.parametrize("intervals", INTERVALS, ids=str)
def test_intervals_without_sense_refute_nothing(intervals: Any) -> None:
    example = dataclasses.replace(GOOD, event=Event(intervals=intervals))
    assert not refuted(LAPLACE, example)


POINTS = [
    at(),
    at(1, 0),
    at(-1),
    (("s", (name("s"),)),),
    (("s", (N0, name("s"))),),
    (("t", (N0,)),),
    (("s", (oo,)),),
    (("s", N0),),
    (("s", (label("a"),)),),
    None,
    ((),),
]


@pytest.mark.parametrize("points", POINTS, ids=str)
def test_points_only_help_to_compute(points: Any) -> None:
    true = dp(LAPLACE.mechanism, 1)
    for table in ((points, at(1)), (at(0), points), (points, points), (points,)):
        assert not refuted(true, dataclasses.replace(GOOD, points=table))


def test_parameters_satisfy_their_conditions_and_are_numbers() -> None:
    law = parse("exp(-abs(s - sum(x)*piecewise((9, t == oo), (9, t < 1), (1, true))))/2")
    claim = dp(
        Mechanism(
            BITS, outputs=[real("s")], density=law, parameters={"t": "t >= 1"}, name="parameter"
        ),
        1,
    )
    for value in (oo, number(0), label("a"), name("s"), name("t"), parse("s^2 + 1"), number(-1)):
        for far in (1, 9):
            assert not refuted(
                claim,
                Counterexample((("t", value),), (), (N0, N0), (N0, N1), BELOW, (at(0), at(far))),
            )
    for parameters in ((), (("u", N1),), (("t", N1), ("u", N1)), (("t", N0), ("t", N1))):
        assert not refuted(
            claim, Counterexample(parameters, (), (N0, N0), (N0, N1), BELOW, (at(0), at(9)))
        )


def test_records_satisfy_their_conditions_and_are_numbers() -> None:
    law = parse("exp(-abs(s - sum(piecewise((9, f == oo), (9, f < 0), (9, f > 1), (1, true)))))/2")
    bounded, free = (
        Domain.universal(unknowns={"f": condition}) for condition in ("0 <= f <= 1", "")
    )
    for domain in (bounded, free):
        claim = dp(
            Mechanism(
                domain,
                outputs=[real("s")],
                density=law
                if domain is bounded
                else parse("exp(-abs(s - sum(piecewise((9, f == oo), (1, true)))))/2"),
                name="record",
            ),
            1,
        )
        for value in (
            oo,
            number(2),
            number(-1),
            label("a"),
            name("s"),
            parse("s^2 + 2"),
            name("f"),
        ):
            for instance in (
                (("eps", N1), ("f", value)),
                (("f", value),),
                (("eps", N1), ("f", value), ("g", N1)),
                (("eps", number(-1)), ("f", value)),
                (("eps", N1), ("f", N0), ("f", value)),
            ):
                if domain is bounded or value in (oo, label("a"), name("s"), name("f")):
                    assert not refuted(
                        claim, Counterexample((), (instance,), (N0,), (N1,), BELOW, (at(0), at(9)))
                    )


def test_a_parameter_does_not_depend_on_the_output() -> None:
    """Each t moves 1/10 between two cells; a t that follows the output would move 1/10 in every
    pair of cells.
    """
    cells = parse(
        "piecewise((0, n < 0), (0, n > 9), (1/10, sum(x) < 1), (1/5, n == t and t < 9), (0, n == "
        "t + 1 and t < 9), (1/10, true))"
    )
    claim = dp(
        Mechanism(BITS, outputs=[integer("n")], density=cells, parameters={"t": ""}, name="cells"),
        0,
        delta=Fraction(1, 10),
    )
    n = name("n")
    pairs = piecewise((n, n < 5), (n - 1, True))
    follows = piecewise(*((n - (k % 2), equals(n, k)) for k in range(10)), (N0, True))
    grid = at(*range(11), output="n")
    lumped = piecewise(
        (n, equals(n, 0) | equals(n, 1) | equals(n, 2) | equals(n, 3)), (n - 1, True)
    )
    for value in (follows, pairs, lumped):
        for low in range(10):
            for high in range(low + 1, 11):
                event = Event(intervals=(("n", number(low), number(high)),))
                assert not refuted(
                    claim,
                    Counterexample((("t", value),), (), (N0, N1), (N0, N0), event, (grid, grid)),
                )


def test_a_negative_density_is_not_a_distribution() -> None:
    for law in (
        'piecewise((piecewise((-1/2, y == 0), (3/2, true)), v == "a"), (1/2, true))',
        'piecewise((piecewise((3/2, y == 0), (-1/2, true)), v == "a"), (1/2, true))',
    ):
        claim = Claim(
            Mechanism(AB, outputs=[finite("y", [0, 1])], density=parse(law), name="negative"),
            "any",
            N1,
        )
        for value in (N0, N1):
            for sides in ((A, B), (B, A)):
                assert not refuted(
                    claim, Counterexample((), (), *sides, Event(outcomes=((value,),)))
                )
    atoms = Mechanism(
        AB,
        outputs=[real("s")],
        density=parse("exp(-abs(s))/2"),
        atoms=[
            (0, parse('piecewise((-1/2, v == "a"), (0, true))')),
            (1, parse('piecewise((1/2, v == "a"), (0, true))')),
        ],
        name="atoms",
    )
    assert not refuted(
        Claim(atoms, "any", N1),
        Counterexample((), (), A, B, Event(atoms=(N1,), continuous=False), (at(0), at(0))),
    )


def test_a_parameter_named_eps_is_not_the_demand_of_a_record() -> None:
    W = Domain([(0, 2), (1, 2)])
    try:
        claim = ahdp(
            Mechanism(
                W,
                outputs=[real("s")],
                density=parse("exp(-abs(s - sum(x)))/2"),
                parameters={"eps": "eps > 0"},
                name="eps",
            )
        )
    except BadInput:
        return
    assert not refuted(
        claim,
        Counterexample(
            (("eps", number(Fraction(1, 10))),), (), (N0, N0), (N0, N1), BELOW, (at(0), at(1))
        ),
    )


def test_a_demand_is_never_negative() -> None:
    W = Domain([(0, name("t")), (1, name("t"))])
    claim = ahdp(
        Mechanism(
            W,
            outputs=[real("s")],
            density=parse("exp(-abs(s - sum(eps*x)))/2"),
            parameters={"t": ""},
            name="negative demand",
        )
    )
    assert not refuted(
        claim, Counterexample((("t", number(-1)),), (), (N0, N0), (N1, N0), Event(), (at(0), at(0)))
    )


@pytest.mark.parametrize("data", [None, 1, 0.5, "x", [], {}, {"event": {}}, [[]]])
def test_hostile_json_is_bad_input(data: Any) -> None:
    with pytest.raises(BadInput):
        from_stored(Counterexample, data)


@pytest.mark.parametrize("field", sorted(FIELDS))
@pytest.mark.parametrize(
    "junk",
    [
        0.5,
        float("nan"),
        3,
        {"a": 1},
        {"e": 1},
        {"e": ["name", 1]},
        [[{"e": None}]],
        [{"kind": "closed"}],
    ],
    ids=str,
)
def test_hostile_fields_are_bad_input(field: str, junk: Any) -> None:
    data = to_stored(GOOD)
    target = data if field in data else data["event"]
    with pytest.raises(BadInput):
        from_stored(
            Counterexample,
            {**data, field: junk}
            if target is data
            else {**data, "event": {**data["event"], field: junk}},
        )


def test_missing_and_additional_fields_are_bad_input() -> None:
    data = to_stored(GOOD)
    for bad in [{k: v for k, v in data.items() if k != key} for key in data] + [
        {**data, "more": None},
        {**data, "event": {**data["event"], "more": None}},
    ]:
        with pytest.raises(BadInput):
            from_stored(Counterexample, bad)


def test_deep_nesting_is_bad_input() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(BadInput):
        from_stored(Counterexample, {**to_stored(GOOD), "first": deep})
