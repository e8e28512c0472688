"""Inputs with points of mass inside, at the ends of, and outside the printed intervals, through
every interface.

The first is the smallest input on which the printed event once contained a point that its
probability did not count; the others are of the same kind. Expected probabilities are computed from
the printed text alone, by the reader of `test_event_sets` and by numerical integration of a density
that is stated here a second time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath import mp, mpf

from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.explanation.refutations import explain_refutation
from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import refute as check_example
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Expression, label, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.stored import from_stored, to_stored
from ahdp_verify.search.verify import verify
from tests import oracle
from tests.kernel.evidence.test_event import belongs

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
from ahdp_verify.sampling.goodness_of_fit import goodness_of_fit  # noqa: E402
from ahdp_verify.sampling.sample import draw_from_law, law_on_side  # noqa: E402
from ahdp_verify.sampling.simulate import count_occurrences, simulate  # noqa: E402

mp.dps = 60  # other modules of one process set it too; the numbers below are made with it


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    """The precision in which the numbers of this module were made."""
    with mp.workdps(60):
        yield


STORED = (
    Path(__file__).resolve().parents[2]
    / "proofs"
    / "public"
    / "point-of-mass-inside-an-interval.toml"
)
BITS = Values([0, 1])
Density = Callable[[Any, Any], Any]
Masses = dict[Any, tuple[Any, Any]]
Case = tuple[Claim, Density, Masses]


def laplace(s: Any, at: Any = 0) -> Any:
    return mp.exp(-abs(s - at)) / 2


def case(
    density: str, atoms: dict[str, str], level: str, law: Density, masses: Masses, delta: str = "0"
) -> Case:
    points: dict[str | Expression, Expression] = {
        k if k == "NULL" else parse(k, "point"): parse(m, "mass") for k, m in atoms.items()
    }
    mechanism = Mechanism(
        BITS, outputs=[real("s")], density=parse(density, "density"), atoms=points
    )
    return Claim(mechanism, "any", parse(level), parse(delta)), law, masses


def flat(a: Any, b: Any, low: Any = 0, high: Any = 1) -> Density:
    return lambda v, s: (b if v else a) if low <= s < high else mpf(0)


def steps(a: str, b: str, low: str = "0", high: str = "1") -> str:
    return (
        f"piecewise((piecewise(({a}, v == 0), ({b}, true)), {low} <= s and s < {high}), (0, true))"
    )


def two(a: str, b: str) -> str:
    return f"piecewise(({a}, v == 0), ({b}, true))"


CASES: dict[str, Case] = {
    "inside": case(
        steps("1/2", "1/4"),
        {"1/2": two("1/2", "3/4")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(1, 2): (1 / mpf(2), 3 / mpf(4))},
    ),
    "at the upper end": case(
        steps("1/2", "1/4"),
        {"1": two("1/2", "3/4")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(1): (1 / mpf(2), 3 / mpf(4))},
    ),
    "at the lower end": case(
        steps("1/2", "1/4"),
        {"0": two("1/2", "3/4")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(0): (1 / mpf(2), 3 / mpf(4))},
    ),
    "outside": case(
        steps("1/2", "1/4"),
        {"7/2": two("1/2", "3/4")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(7, 2): (1 / mpf(2), 3 / mpf(4))},
    ),
    "one that helps and one that does not": case(
        steps("1/2", "1/4"),
        {"1/4": two("1/10", "13/20"), "1/2": two("2/5", "1/10")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(1, 4): (1 / mpf(10), 13 / mpf(20)), Fraction(1, 2): (2 / mpf(5), 1 / mpf(10))},
    ),
    "a delta that only both together exceed": case(
        steps("1/2", "1/4"),
        {"1/2": two("2/5", "1/5"), "-1": two("1/10", "11/20")},
        "0",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(1, 2): (2 / mpf(5), 1 / mpf(5)), Fraction(-1): (1 / mpf(10), 11 / mpf(20))},
        "2/5",
    ),
    "a delta beside an unlikely point": case(
        steps("1/2", "1/4"),
        {"1/2": two("1/2", "3/4")},
        "0",
        flat(mpf(1) / 2, mpf(1) / 4),
        {Fraction(1, 2): (1 / mpf(2), 3 / mpf(4))},
        "1/5",
    ),
    "a mixture with a point at its peak": case(
        "(3*exp(-abs(s)) + exp(-abs(s - 4*v)))/16",
        {"0": "1/2"},
        "1/10",
        lambda v, s: (3 * mp.exp(-abs(s)) + mp.exp(-abs(s - 4 * v))) / 16,
        {Fraction(0): (1 / mpf(2), 1 / mpf(2))},
    ),
    "the whole line but a word": case(
        two("3/8", "1/8") + "*exp(-abs(s))",
        {"NULL": two("1/4", "3/4")},
        "log(2)",
        lambda v, s: (1 if v else 3) * mp.exp(-abs(s)) / 8,
        {"NULL": (1 / mpf(4), 3 / mpf(4))},
    ),
    "the whole line but a point and a word": case(
        two("3/8", "1/8") + "*exp(-abs(s))",
        {"2": two("1/8", "3/8"), "NULL": two("1/8", "3/8")},
        "log(2)",
        lambda v, s: (1 if v else 3) * mp.exp(-abs(s)) / 8,
        {Fraction(2): (1 / mpf(8), 3 / mpf(8)), "NULL": (1 / mpf(8), 3 / mpf(8))},
    ),
    "a point that is not a fraction": case(
        steps("1/2", "1/4"),
        {"log(2)": two("1/2", "3/4")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4),
        {mp.log(2): (1 / mpf(2), 3 / mpf(4))},
    ),
    "an end that is not a fraction": case(
        steps("1/2", "1/4", "log(2)", "1 + log(2)"),
        {"1": two("1/2", "3/4")},
        "log(3/2)",
        flat(mpf(1) / 2, mpf(1) / 4, mp.log(2), 1 + mp.log(2)),
        {Fraction(1): (1 / mpf(2), 3 / mpf(4))},
    ),
    "clamped, with a point where it is likely": case(
        "piecewise((exp(-abs(s - v))/4, 0 < s and s < 1), (0, true))",
        {"0": two("1/4", "exp(-1)/4"), "1": two("exp(-1)/4", "1/4"), "1/2": "1/2"},
        "1/2",
        lambda v, s: laplace(s, v) / 2 if 0 < s < 1 else mpf(0),
        {
            Fraction(0): (mpf(1) / 4, mp.exp(-1) / 4),
            Fraction(1): (mp.exp(-1) / 4, mpf(1) / 4),
            Fraction(1, 2): (mpf(1) / 2, mpf(1) / 2),
        },
    ),
}


def words(text: str) -> list[Any]:
    """The constants of a printed event: where its pieces end."""
    found = [mpf(0), mpf(1), mp.log(2), 1 + mp.log(2), mpf(4)]
    for w in re.findall(r"\d+/\d+|\d+", text):
        found += [
            mpf(Fraction(w).numerator) / Fraction(w).denominator,
            -mpf(Fraction(w).numerator) / Fraction(w).denominator,
        ]
    return sorted(set(found))


def probability(text: str, law: Density, masses: Masses, v: int) -> Any:
    """The probability of the event of a text."""
    ends = words(text)
    total = mpf(0)
    for a, b in zip([-mp.inf, *ends], [*ends, mp.inf], strict=True):
        middle = b - 1 if a == -mp.inf else a + 1 if b == mp.inf else (a + b) / 2
        if belongs(text, {"s": middle}):
            total += mp.quad(lambda s: law(v, s), [a, b])
    return total + sum(m[v] for at, m in masses.items() if belongs(text, {"s": at}))


@pytest.mark.parametrize("which", CASES)
def test_the_printed_event_has_the_printed_probabilities(which: str) -> None:
    claim, law, masses = CASES[which]
    found = verify(claim)
    assert isinstance(found, Refuted)
    example, text = found.counterexample, str(found.counterexample.event)
    assert f"event {text}: " in found.text
    for side, exact in (
        (example.first, found.first_probability),
        (example.second, found.second_probability),
    ):
        v = int(side[0].args[0])
        assert oracle.near(oracle.of_ratio(exact, {}), probability(text, law, masses, v)), text
    spoken = [line.text for line in explain_refutation(found)]
    assert f"the event: {text}" in spoken
    again = check_example(
        claim,
        from_stored(Counterexample, json.loads(json.dumps(to_stored(example))), "counterexample"),
    )
    assert (again.first_probability - found.first_probability).is_zero


@pytest.mark.sweep(5)
@pytest.mark.parametrize("which", CASES)
def test_the_draws_that_are_counted_are_those_of_the_printed_event(which: str) -> None:
    claim, _, masses = CASES[which]
    found = verify(claim)
    assert isinstance(found, Refuted)
    picture, text = simulate(found, samples=2000, rng=7), str(found.counterexample.event)
    assert max(picture.first.deviation, picture.second.deviation) < 5
    rng = np.random.default_rng(3)
    draws = draw_from_law(
        law_on_side(claim, found.counterexample, found.counterexample.first), rng, 300
    )["s"]
    counted = count_occurrences({"s": draws}, found.counterexample.event, claim.mechanism)
    assert counted == sum(belongs(text, {"s": exact(x, masses)}) for x in draws)


def exact(x: Any, masses: Masses) -> Any:
    """A draw, which is a point of mass where it is next to one."""
    if isinstance(x, str):
        return x
    points = (at for at in masses if not isinstance(at, str))
    return next((at for at in points if abs(float(at) - float(x)) < 1e-14), mpf(float(x)))


@pytest.mark.parametrize(
    "which",
    [
        "inside",
        "at the lower end",
        "at the upper end",
        "one that helps and one that does not",
        "the whole line but a point and a word",
    ],
)
def test_the_tests_of_a_trade_off_have_the_printed_errors(which: str) -> None:
    claim, law, masses = CASES[which]
    curve = tradeoff(claim.mechanism, 0, 1)
    for vertex in curve.vertices:
        listed = [str(e) for e in vertex.test.rejected]
        errors = [
            sum((probability(text, law, masses, v) for text in listed), mpf(0)) for v in (0, 1)
        ]
        assert oracle.near(oracle.value(vertex.alpha, {}), errors[0]) and oracle.near(
            oracle.value(vertex.beta, {}), 1 - errors[1]
        )


def test_the_cells_of_a_power_are_disjoint_and_cover_the_line() -> None:
    claim, _, masses = CASES["one that helps and one that does not"]
    cells = list(power(claim.mechanism, [0, 1]).strategy)
    for at in [mpf(-2), mpf(1) / 8, mpf(3) / 8, mpf(7) / 8, mpf(9), *masses]:
        assert [belongs(cell, {"s": at}) for cell in cells].count(True) == 1


def test_the_stored_file_of_the_smallest_input() -> None:
    """At level log(3/2) both distributions differ by log(2) outside the point and by log(3/2)
    exactly at it, so the point is left out or refutes nothing.
    """
    (claim,) = load(STORED).claims
    found = verify(claim)
    assert isinstance(found, Refuted)
    assert str(found.counterexample.event) == "0 <= s < 1 except s = 1/2"
    assert (found.first_probability.as_rational, found.second_probability.as_rational) == (
        Fraction(1, 2),
        Fraction(1, 4),
    )
    whole = replace(
        found.counterexample, event=Event(intervals=found.counterexample.event.intervals)
    )
    with pytest.raises(
        Rejected, match="not shown to violate the claimed bound"
    ):  # with the point both probabilities are 1
        check_example(claim, whole)


UNIT = (("s", number(0), number(1)),)
HALF, NULL = number("1/2"), label("NULL")
HIDDEN = parse(
    "sqrt(2 + sqrt(3)) - (sqrt(6) + sqrt(2))/2", "end"
)  # 0, which no enclosure shows and no canonical form sees


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Event(intervals=UNIT, without=(HALF,), atoms=(HALF,)), "twice"),
        (Event(intervals=UNIT, without=(HALF, HALF)), "twice"),
        (Event(intervals=UNIT, atoms=(NULL, NULL), without=(HALF,)), "twice"),
        (Event(intervals=UNIT, atoms=(HALF,)), "outside its box"),
        (Event(intervals=UNIT, without=(HALF, NULL)), "inside its box"),
        (Event(intervals=UNIT, without=(HALF, number("1/3"))), "inside its box"),
        (Event(intervals=UNIT, without=(HALF,), atoms=(number(5),)), "outside its box"),
        (
            Event(intervals=(("s", HALF, number(1)),), without=()),
            "not shown to violate the claimed bound",
        ),
        (Event(intervals=(("s", number(0), HALF),), without=(HALF,)), "inside its box"),
        (Event(atoms=(HALF,), without=(NULL,)), "outside its box"),
        (Event(without=(HALF, NULL), atoms=(NULL,)), "twice"),
        (Event(continuous=False, without=(HALF,)), "without a box"),
        (Event(intervals=UNIT, continuous=False), "without a box"),
        (Event(intervals=(*UNIT, *UNIT), without=(HALF,)), "names an output twice"),
        (Event(intervals=(("s", None, None),), without=(HALF,)), "without an end"),
        (Event(intervals=(("s", parse("s - 1"), None),), without=(HALF,)), "constants"),
        (Event(intervals=(("s", number(0), number(1)),), without=("1/2",)), "inside its box"),  # type: ignore[arg-type]
        (Event(intervals=(("s", "0", number(1)),), without=(HALF,)), "malformed"),  # type: ignore[arg-type]
    ],
)
def test_an_event_that_is_not_one_set_or_says_it_with_slack_is_refused(
    event: Event, reason: str
) -> None:
    mechanism = Mechanism(
        BITS,
        outputs=[real("s")],
        density=parse(steps("1/2", "1/4")),
        atoms={"1/2": parse(two("2/5", "13/20")), "NULL": parse("1/10")},
    )
    claim = Claim(mechanism, "any", parse("log(3/2)"))
    found = verify(claim)
    assert isinstance(found, Refuted)
    assert found.counterexample.event == Event(intervals=UNIT, without=(HALF,))
    with pytest.raises(Rejected, match=reason):
        check_example(claim, replace(found.counterexample, event=event))


def test_a_point_whose_place_is_not_decided_is_refused() -> None:
    mechanism = Mechanism(
        BITS,
        outputs=[real("s")],
        density=parse(steps("1/2", "1/4")),
        atoms={0: parse(two("1/2", "3/4"))},
    )
    claim = Claim(mechanism, "any", parse("log(3/2)"))
    found = verify(claim)
    assert isinstance(found, Refuted)
    for event in (
        Event(intervals=(("s", HIDDEN, number(1)),), without=(number(0),)),
        Event(intervals=(("s", HIDDEN, number(1)),)),
    ):
        with pytest.raises(Rejected, match="order"):
            check_example(claim, replace(found.counterexample, event=event))


def test_a_stored_refutation_names_what_is_left_out(tmp_path: Path) -> None:
    claim = CASES["inside"][0]
    found = verify(claim)
    assert isinstance(found, Refuted)
    path = tmp_path / "inside.json"
    found.save(path)
    event = json.loads(path.read_text())["counterexample"]["event"]
    assert event["without"] == [{"e": "1/2"}] and event["intervals"] == [
        ["s", {"e": "0"}, {"e": "1"}]
    ]


def test_a_word_beside_whole_outputs_is_in_no_interval() -> None:
    """P(k) = (1/2 or 1/4) 2^-(|k| + ...) and the rest at NULL: on k >= 0 the ratio is 2, NULL is
    left out by the interval itself.
    """
    law = "piecewise((1/6, v == 0), (1/12, true))*exp(-log(2)*abs(k))"
    mechanism = Mechanism(
        BITS, outputs=[integer("k")], density=parse(law), atoms={"NULL": parse(two("1/2", "3/4"))}
    )
    found = verify(Claim(mechanism, "any", parse("log(3/2)")))
    assert isinstance(found, Refuted)
    text = str(found.counterexample.event)
    assert not belongs(text, {"k": "NULL"})
    inside = sum(
        (
            Fraction(1, 6) * Fraction(1, 2 ** abs(k))
            for k in range(-60, 61)
            if belongs(text, {"k": k})
        ),
        start=Fraction(0),
    )
    assert oracle.near(oracle.of_ratio(found.first_probability, {}), inside, 1e-12)


def test_an_interval_whose_end_depends_on_an_earlier_output() -> None:
    """t is Laplace around s: the event is a half line around s or a box, and the text is the set
    that is counted.
    """
    law = "exp(-abs(s - q[1]))*exp(-abs(t - s - q[1]))/4"
    mechanism = Mechanism(Queries(1), outputs=[real("s"), real("t")], density=parse(law))
    found = verify(Claim(mechanism, "one", parse("3/2")))
    assert isinstance(found, Refuted)
    text = str(found.counterexample.event)
    picture = simulate(found, samples=4000, rng=5)
    assert max(picture.first.deviation, picture.second.deviation) < 5 and "t" in text


def test_a_finite_output_beside_a_real_one_is_reported_with_both() -> None:
    law = (
        "piecewise((piecewise((3/4, v == 0), (1/4, true))*exp(-abs(s)), r == 0), "
        "(piecewise((1/4, v == 0), (3/4, true))*exp(-abs(s - 1)), true))/2"
    )
    mechanism = Mechanism(BITS, outputs=[finite("r", [0, 1]), real("s")], density=parse(law))
    found = verify(Claim(mechanism, "any", parse("1")))
    assert isinstance(found, Refuted)
    text = str(found.counterexample.event)
    laws = {0: lambda s: mp.exp(-abs(s)), 1: lambda s: mp.exp(-abs(s - 1))}
    weights = {(0, 0): 3, (0, 1): 1, (1, 0): 1, (1, 1): 3}
    for side, exact in (
        (found.counterexample.first, found.first_probability),
        (found.counterexample.second, found.second_probability),
    ):
        v, total, ends = int(side[0].args[0]), mpf(0), words(text)
        for r in (0, 1):
            for a, b in zip([-mp.inf, *ends], [*ends, mp.inf], strict=True):
                middle = b - 1 if a == -mp.inf else a + 1 if b == mp.inf else (a + b) / 2
                if belongs(text, {"r": r, "s": middle}):
                    total += mp.quad(laws[r], [a, b]) * weights[v, r] / 8
        assert oracle.near(oracle.of_ratio(exact, {}), total), text


def test_a_users_event_that_is_not_a_set_is_bad_input() -> None:
    mechanism = CASES["inside"][0].mechanism
    assert (
        str(error_rates(mechanism, 0, 1, Event(intervals=UNIT)))
        == "type I error 1, type II error 0"
    )
    assert (
        str(error_rates(mechanism, 0, 1, Event(intervals=UNIT, without=(HALF,))))
        == "type I error 1/2, type II error 3/4"
    )
    assert (
        str(error_rates(mechanism, 0, 1, "0 <= s and s < 1 and s != 1/2"))
        == "type I error 1/2, type II error 3/4"
    )
    with pytest.raises(BadInput, match="outside its box"):
        error_rates(mechanism, 0, 1, Event(intervals=UNIT, atoms=(HALF,)))


def test_draws_are_held_against_a_law_with_a_point_inside() -> None:
    for which in ("inside", "at the lower end", "clamped, with a point where it is likely"):
        assert goodness_of_fit(CASES[which][0].mechanism, 1, size=2000, rng=11).p_value > 0.001
