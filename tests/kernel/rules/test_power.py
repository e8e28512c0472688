"""Claims about the best test of one mechanism and their certificates: true ones are accepted, and
all forgeries below are refused.

The examples are randomised response with probability 3/4 (the best test repeats its output: power
3/4), and a Laplace count of scale 1 with or without one record (the best test compares with 1/2:
power 1 - exp(-1/2)/2, paper row 20 and the usual formula of the total variation).
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Mechanism,
    Proved,
    Queries,
    Rejected,
    Values,
    eq,
    exp,
    finite,
    integer,
    log,
    name,
    number,
    piecewise,
    real,
    sqrt,
    verify,
)
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.evidence.certificate import BestTest, Certificate, Mass
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression
from ahdp_verify.plots import float_value as value_near
from tests.kernel.rules.mutants import survivors

FLIP = Mechanism(
    Values(["a", "b"]),
    outputs=[finite("r", ["a", "b"])],
    density=piecewise(("3/4", eq(name("r"), name("v"))), ("1/4", TRUE)),
)
V, S = name("v"), name("s")


def claim(
    low: object = "3/4", high: object = "3/4", of: Mechanism = FLIP, **more: Any
) -> GuessClaim:
    inputs = more.pop("inputs", None) or tuple((v,) for v in of.inputs.values)
    return GuessClaim(
        of,
        tuple(more.pop("parameters", ())),
        inputs,
        tuple(more.pop("labels", "ab")),
        exact(low),
        exact(high),
        **more,
    )


def exact(x: object) -> Expression:
    return x if isinstance(x, Expression) else number(x)


def shown(of: GuessClaim, test: Any, prior: Any, winners: Any, points: Any = ()) -> BestTest:
    """A certificate from numbers instead of places."""
    listed: list[Expression] = []

    def at(x: Any) -> int:
        if exact(x) not in listed:
            listed.append(exact(x))
        return listed.index(exact(x))

    rows, weights = tuple(tuple(map(at, row)) for row in test), tuple(map(at, prior))
    return BestTest(
        of.fingerprint, tuple(map(exact, points)), tuple(listed), rows, weights, tuple(winners)
    )


REPEAT, HALF = ((1, 0), (0, 1)), ("1/2", "1/2")


def refused(of: GuessClaim, proof: Any, reason: str = "") -> None:
    with pytest.raises(Rejected) as caught:
        check(of, proof)
    assert reason in str(caught.value)


def test_the_power_of_randomised_response_is_accepted() -> None:
    verdict = check(claim(), shown(claim(), REPEAT, HALF, (0, 1)))
    assert isinstance(verdict, Proved) and str(verdict.claim) == "power against 2 inputs = 3/4"
    assert verdict.scope_text.startswith("all tests of piecewise(")
    assert GuessClaim.from_json(claim().to_json()) == claim()


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [
        ("3/4", "3/4", True),
        ("1/2", 1, True),
        (0, "3/4", True),
        ("4/5", 1, False),
        ("1/2", "2/3", False),
        ("4/5", "4/5", False),
        (1, "1/2", False),
        (name("z"), 1, False),
        (0, name("z"), False),
        (ex.oo, 1, False),
        (0, ex.oo, False),
        (ex.label("a"), 1, False),
        (log(number(0)), 1, False),
    ],
)
def test_bounds(low: object, high: object, holds: bool) -> None:
    of = claim(low, high)
    proof = shown(of, REPEAT, HALF, (0, 1))
    if holds:
        assert isinstance(check(of, proof), Proved)
    else:
        refused(of, proof)


@pytest.mark.parametrize(
    ("test", "prior", "winners", "reason"),
    [
        (((1, 0),), HALF, (0, 1), "no row for each cell"),
        (((1, 0), (0, 1), (1, 0)), HALF, (0, 1), "no row for each cell"),
        (((1,), (0,)), HALF, (0, 1), "no row for each cell"),
        (((1, 0, 0), (0, 1, 0)), HALF, (0, 1), "no row for each cell"),
        (((1, 1), (1, 1)), HALF, (0, 1), "not a distribution"),
        (((2, -1), (0, 1)), HALF, (0, 1), "not a distribution"),
        (((name("z"), 0), (0, 1)), HALF, (0, 1), "not a distribution"),
        (((0, 1), (1, 0)), HALF, (0, 1), "lower than claimed"),
        (((1, 0), (1, 0)), HALF, (0, 1), "lower than claimed"),
        (REPEAT, ("1/2",), (0, 1), "the prior"),
        (REPEAT, ("1/2", "1/2", 0), (0, 1), "the prior"),
        (REPEAT, ("1/2", "1/3"), (0, 1), "the prior"),
        (REPEAT, ("3/2", "-1/2"), (0, 1), "the prior"),
        (REPEAT, (1, 0), (0, 0), "higher than claimed"),
        (REPEAT, HALF, (0,), "not one winner per cell"),
        (REPEAT, HALF, (0, 1, 1), "not one winner per cell"),
        (REPEAT, HALF, (1, 1), "does not win"),
        (REPEAT, HALF, (0, 2), "no such answer"),
        (REPEAT, HALF, (0, -2), "no such answer"),
        (REPEAT, HALF, (0, True), "a winner is not the index"),
        (REPEAT, HALF, (0, "1"), "a winner is not the index"),
        (REPEAT, HALF, (-1, -1), "higher than claimed"),
    ],
)
def test_tests_and_priors_that_show_nothing(
    test: Any, prior: Any, winners: Any, reason: str
) -> None:
    refused(claim(), shown(claim(), test, prior, winners), reason)


@pytest.mark.parametrize("entry", [-1, 9, True, "0", None, number(0), ()])
def test_entries_are_places_in_the_list_of_numbers(entry: Any) -> None:
    proof = shown(claim(), REPEAT, HALF, (0, 1))
    refused(claim(), replace(proof, test=((entry, 1), (1, 0))))
    refused(claim(), replace(proof, prior=(entry, 2)))
    refused(claim(), replace(proof, numbers=(*proof.numbers, number(7))), "not used")


def test_points_are_for_outputs_that_are_not_finite() -> None:
    refused(claim(), shown(claim(), REPEAT, HALF, (0, 1), points=(0,)), "take no cut points")


def test_equal_labels_need_not_be_told_apart() -> None:
    """Both inputs have the same label, so the test that always says it is right; and an input
    that is listed twice costs nothing then.
    """
    one = claim(1, 1, labels=("a", "a"))
    assert isinstance(check(one, shown(one, ((1,), (1,)), (1, 0), (0, 0))), Proved)
    a, b = ((v,) for v in FLIP.inputs.values)
    twice = claim("3/4", "3/4", inputs=(a, a, b), labels=("a", "a", "b"))
    assert isinstance(check(twice, shown(twice, REPEAT, ("1/4", "1/4", "1/2"), (0, 1))), Proved)
    apart = claim("3/8", "3/8", inputs=(a, a), labels=("a", "b"))
    refused(apart, shown(apart, REPEAT, HALF, (0, 1)), "lower than claimed")
    half = claim("1/2", "1/2", inputs=(a, a), labels=("a", "b"))
    assert isinstance(check(half, shown(half, (HALF, HALF), HALF, (0, 1))), Proved)


@pytest.mark.parametrize(
    ("inputs", "labels"), [((), ()), (((V,),), ("a", "b")), (((V,), (V,)), ("a",)), (((V,),), (1,))]
)
def test_inputs_and_labels_have_to_fit(inputs: Any, labels: Any) -> None:
    with pytest.raises(BadInput, match="one label for each input"):
        GuessClaim(FLIP, (), inputs, labels, ZERO, ZERO)


def test_inputs_are_those_of_the_mechanism() -> None:
    of = claim(inputs=((ex.label("a"),), (ex.label("c"),)))
    refused(of, shown(of, REPEAT, HALF, (0, 1)), "not one of the mechanism's values")
    W = Domain([("x", 1)])
    counted = Mechanism(W, outputs=[finite("r", ["a", "b"])], density="1/2", defined=W.size <= 1)
    for side, reason in (
        ((number(2),), "not defined"),
        ((number(-1),), "integer count"),
        ((number("1/2"),), "integer count"),
        ((number(0), number(0)), "integer count"),
    ):
        wrong = claim("1/2", "1/2", counted, inputs=((number(0),), side))
        refused(wrong, shown(wrong, (HALF, HALF), HALF, (0, 1)), reason)
    asked = Mechanism(Queries(2), outputs=[finite("r", ["a", "b"])], density="1/2")
    wrong = claim("1/2", "1/2", asked, inputs=((number(0),), (number(1),)))
    refused(wrong, shown(wrong, (HALF, HALF), HALF, (0, 1)), "number of query answers")


def test_parameters_have_one_value_that_satisfies_their_conditions() -> None:
    p = name("p")
    of = Mechanism(
        FLIP.inputs,
        outputs=FLIP.outputs,
        density=piecewise((p, eq(name("r"), V)), (1 - p, TRUE)),
        parameters={"p": "1/2 <= p < 1"},
    )
    for given, holds in (
        ((("p", number("3/4")),), True),
        ((), False),
        ((("p", number(1)),), False),
        ((("p", number("1/4")),), False),
        ((("p", p),), False),
    ):
        said = claim(of=of, parameters=given)
        proof = shown(said, REPEAT, HALF, (0, 1))
        if holds:
            assert isinstance(check(said, proof), Proved)
        else:
            refused(said, proof)
    with pytest.raises(BadInput, match="two values"):
        claim(of=of, parameters=(("p", number("1/4")), ("p", number("3/4"))))


@pytest.mark.parametrize(
    "density",
    [
        piecewise(("3/4", eq(name("r"), V)), ("1/2", TRUE)),
        piecewise((2, eq(name("r"), V)), (-1, TRUE)),
        exact("1/4"),
        piecewise((1, eq(name("r"), V)), (1, TRUE)),
    ],
)
def test_a_law_that_is_not_a_probability_is_refused(density: Expression) -> None:
    of = claim(of=Mechanism(FLIP.inputs, outputs=FLIP.outputs, density=density))
    refused(of, shown(of, REPEAT, HALF, (0, 1)))


# outputs that are not finite

COUNT = piecewise((0, eq(V, ex.label("a"))), (1, TRUE))
NOISY = Mechanism(FLIP.inputs, outputs=[real("s")], density=exp(-Abs(S - COUNT)) / 2)
POWER = 1 - exp(number("-1/2")) / 2


def noisy(of: Mechanism = NOISY, low: object = POWER, high: object = POWER) -> GuessClaim:
    return claim(low, high, of)


FOUR, WON = ((1, 0), (1, 0), (0, 1), (0, 1)), (0, 0, 1, 1)


def test_the_power_of_a_laplace_count_is_accepted() -> None:
    of = noisy()
    assert isinstance(check(of, shown(of, FOUR, HALF, WON, (0, "1/2", 1))), Proved)


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ((1, "1/2", 0), "not ascending"),
        (("1/2", "1/2", 1), "not ascending"),
        ((0, "1/2"), ""),
        ((), ""),
        ((0, 1, 2), ""),
        ((S,), "not a constant"),
        ((name("z"),), "not a constant"),
        ((0, S, 1), "not a constant"),
        ((ex.oo,), ""),
        ((ex.label("a"),), ""),
    ],
)
def test_points_ascend_and_are_constants(points: Any, reason: str) -> None:
    cells = len(points) + 1
    for rows in (FOUR, FOUR[:cells], (*FOUR, *FOUR)[:cells]):
        refused(
            noisy(), shown(noisy(), rows, HALF, WON[:cells] if cells <= 4 else WON, points), reason
        )


@pytest.mark.parametrize(
    "density",
    [
        exp(-S),
        exact(1),
        exact(0),
        -exp(-Abs(S)) / 2,
        exp(-Abs(S)),
        piecewise((1, (ex.ZERO <= S) & (S < 1)), (0, TRUE)) - exp(-Abs(S)),
        (1 + S) * exp(-Abs(S)) / 2,
    ],
)
@pytest.mark.parametrize("point", [0, S, name("z")])
def test_densities_that_are_not_a_distribution_are_refused(
    density: Expression, point: object
) -> None:
    of = noisy(Mechanism(FLIP.inputs, outputs=[real("s")], density=density), "1/2", "1/2")
    for points in ((point,), (point, 1)):
        refused(of, shown(of, (HALF,) * (len(points) + 1), HALF, (0,) * (len(points) + 1), points))


def test_a_winner_wins_in_all_of_an_interval() -> None:
    """Without the point 1/2 nobody wins between 0 and 1: what can be gained there counts for all
    labels together.
    """
    of = noisy(high=1)
    points = (0, 1)
    for winner in (0, 1):
        refused(of, shown(of, ((1, 0), HALF, (0, 1)), HALF, (0, winner, 1), points))
    wide = replace(of, low=number("1/2"))
    assert isinstance(
        check(wide, shown(wide, ((1, 0), HALF, (0, 1)), HALF, (0, -1, 1), points)), Proved
    )
    tight = replace(wide, high=POWER)
    refused(
        tight, shown(tight, ((1, 0), HALF, (0, 1)), HALF, (0, -1, 1), points), "higher than claimed"
    )


def test_the_prevailing_exponential_decides_far_out() -> None:
    """Two Laplace distributions about 0 with scales 1 and 2: the wide one wins far out, though the
    narrow one wins at 0.
    """
    scale = piecewise((1, eq(V, ex.label("a"))), (2, TRUE))
    of = Mechanism(FLIP.inputs, outputs=[real("s")], density=exp(-Abs(S) / scale) / (2 * scale))
    said = noisy(of, "1/2", "99/100")
    refused(
        said, shown(said, (HALF, HALF), HALF, (0, 0), (0,)), "does not win on all of an interval"
    )
    cut = 2 * log(
        number(2)
    )  # exp(-s)/2 = exp(-s/2)/4; within it lie 3/4 of the narrow law and 1/2 of the wide one
    test, points = ((0, 1), (1, 0), (1, 0), (0, 1)), (-cut, 0, cut)
    said = noisy(of, "1/2", "5/8")  # the Bayes test succeeds with 1/2 * 3/4 + 1/2 * 1/2
    assert isinstance(check(said, shown(said, test, HALF, (1, 0, 0, 1), points)), Proved)
    more = noisy(of, "5/8", "5/8")
    refused(more, shown(more, test, HALF, (1, 0, 0, 1), points), "lower than claimed")


def test_three_exponentials_are_not_decided() -> None:
    """1/2 of each of two scales against a third: the difference is not a sum of two
    exponentials.
    """
    mixed = (exp(-Abs(S)) / 2 + exp(-Abs(S) / 3) / 6) / 2
    of = Mechanism(
        FLIP.inputs,
        outputs=[real("s")],
        density=piecewise((mixed, eq(V, ex.label("a"))), (exp(-Abs(S) / 2) / 4, TRUE)),
    )
    said = noisy(of, "1/2", "99/100")
    refused(said, shown(said, (HALF, HALF), HALF, (0, 0), (0,)), "more than two exponentials")


def test_rates_that_are_not_known_to_differ_prove_nothing() -> None:
    """log(1 + sqrt 2) = log(3 + 2 sqrt 2)/2: a sign that is not found is not used.  (Both
    distributions are the same, so the even prior gives 1/2 and 1/4 gives 3/4.)
    """
    rate = piecewise((log(1 + sqrt(2)), eq(V, ex.label("a"))), (log(3 + 2 * sqrt(2)) / 2, TRUE))
    of = Mechanism(FLIP.inputs, outputs=[real("s")], density=exp(-Abs(S) * rate) * rate / 2)
    said = noisy(of, "1/2", "1/2")
    refused(said, shown(said, (HALF, HALF), HALF, (0, 0), (0,)))


def test_one_point_written_in_two_ways_is_not_two_outcomes() -> None:
    """The mechanism says log(1 + sqrt 2) whatever it is given; so it is private at level 0, and
    its power is 1/2 and not 1.
    """
    one, other = log(1 + sqrt(2)), log(3 + 2 * sqrt(2)) / 2
    probabilities = (
        piecewise((1, eq(V, ex.label("a"))), (0, TRUE)),
        piecewise((0, eq(V, ex.label("a"))), (1, TRUE)),
    )
    with pytest.raises(NotWorkedOut, match="not known to differ"):
        Mechanism(
            FLIP.inputs,
            outputs=[real("s")],
            density=0,
            atoms=list(zip((one, other), probabilities, strict=True)),
        )
    with pytest.raises(NotWorkedOut, match="not known to differ"):
        finite("r", [1, one, 2, other])
    assert (
        len(
            finite(
                "r",
                [
                    one,
                    log(number(2)),
                    log(number(3)),
                    0,
                    "1/3",
                    ex.label("a"),
                    ex.pi,
                    ex.exp(number(1)),
                ],
            ).values
        )
        == 8
    )
    with pytest.raises(NotWorkedOut, match="more than 65536 bits"):
        finite("r", [exp(number(10**6)), 1])


def test_atoms_count_beside_the_density() -> None:
    """Half of the mass is an atom that tells the inputs apart: power 1/2 * 1 + 1/2 * 1/2 = 3/4."""
    half = exp(-Abs(S)) / 4
    tell = (
        ("0", piecewise(("1/2", eq(V, ex.label("a"))), (0, TRUE))),
        ("1", piecewise((0, eq(V, ex.label("a"))), ("1/2", TRUE))),
    )
    of = noisy(Mechanism(FLIP.inputs, outputs=[real("s")], density=half, atoms=tell), "3/4", "3/4")
    rows = ((1, 0), (0, 1), HALF, HALF)
    assert isinstance(check(of, shown(of, rows, HALF, (0, 1, 0, 0), (0,))), Proved)
    refused(of, shown(of, rows[2:], HALF, (0, 0), (0,)), "no row for each cell")
    lost = noisy(
        Mechanism(FLIP.inputs, outputs=[real("s")], density=half, atoms=tell[:1]), "1/2", "3/4"
    )
    refused(lost, shown(lost, rows[1:], HALF, (0, 0, 0), (0,)), "not shown to have total 1")


GEOMETRIC = Mechanism(
    FLIP.inputs,
    outputs=[integer("s")],
    density=ex.Expression("^", (number("1/2"), Abs(S - COUNT))) / 3,
)


def test_points_of_whole_outputs_are_whole() -> None:
    """Two-sided geometric noise with q = 1/2: s <= 0 has probabilities 2/3 and 1/3, so the power is
    2/3 = 1/(1 + q), the largest there is (claim:4).
    """
    of = claim("2/3", "2/3", GEOMETRIC)
    rows, won = ((1, 0), (1, 0), (0, 1)), (0, 0, 1)
    assert isinstance(check(of, shown(of, rows, HALF, won, (0, 1))), Proved)
    refused(of, shown(of, rows, HALF, won, (0, "3/2")), "integers")
    refused(of, shown(of, rows, HALF, won, (0, log(number(3)))), "integers")


def test_outputs_of_other_kinds_are_not_decided() -> None:
    for outputs in (
        [real("s"), real("t")],
        [finite("s", [0, 1]), real("t")],
        [integer("s"), integer("t")],
    ):
        of = claim(
            "1/2", 1, Mechanism(FLIP.inputs, outputs=outputs, density=exp(-Abs(S) - Abs(name("t"))))
        )
        refused(of, shown(of, (HALF, HALF), HALF, (0, 0), (0,)), "several outputs")


def test_many_finite_outputs_are_not_decided() -> None:
    """2^13 outcomes, with a density that is nowhere looked at before they are counted."""
    outputs = finite("r", [0, 1], 13)
    of = claim("1/2", 1, Mechanism(FLIP.inputs, outputs=outputs, density=number("1/8192")))
    refused(of, shown(of, (HALF,), HALF, (0,)), "more than 4096")


def test_a_universal_domain_lists_no_hypotheses() -> None:
    W = Domain.universal({"x": "0 <= x <= 1"})
    of = Mechanism(W, outputs=[finite("r", [0, 1])], density="1/2")
    with pytest.raises(BadInput, match="universal"):
        GuessClaim(of, (), ((number(0),),), ("a",), ZERO, ZERO)


def test_a_certificate_belongs_to_its_claim_and_is_of_its_kind() -> None:
    refused(claim(), shown(claim(high=1), REPEAT, HALF, (0, 1)), "another claim")
    refused(
        claim(),
        Certificate(claim().fingerprint, False, (), Mass((), ()), (), ()),
        "by a test and a prior",
    )
    private = Claim(FLIP, "any", ZERO)
    proof = replace(shown(claim(), REPEAT, HALF, (0, 1)), claim=private.fingerprint)
    with pytest.raises(Rejected, match="proves privacy"):
        check(private, proof)
    assert not isinstance(verify(private), Proved)


@pytest.mark.parametrize(
    "pair",
    [
        (claim(), shown(claim(), REPEAT, HALF, (0, 1))),
        (noisy(), shown(noisy(), FOUR, HALF, WON, (0, "1/2", 1))),
    ],
    ids=["finite", "real"],
)
def test_every_mutant_of_a_record_is_refused_but_for_other_true_claims(
    pair: tuple[GuessClaim, BestTest],
) -> None:
    found = survivors(json.loads(json.dumps(check(*pair).to_json())), GuessClaim)
    bounds = [path for path in found if path[:2] in (("claim", "low"), ("claim", "high"))]
    for said in (
        said for path in bounds for said in found[path]
    ):  # a weaker bound is true, and no number of the certificate changed
        assert (
            value_near(said.low) <= value_near(pair[0].low) + 1e-12
            and value_near(said.high) >= value_near(pair[0].high) - 1e-12
        )
    assert {path[:3] for path in found if path not in bounds} <= {
        ("claim", "name"),
        ("claim", "guess", "labels"),
        ("claim", "guess", "mechanism"),
    }
    (square,) = (
        found.pop(("claim", "guess", "mechanism", "density", 2, 1, 2, 1, 2, 2), [None])
        if pair[0].mechanism == NOISY
        else [None]
    )
    assert (
        square is None or square.mechanism.density == exp(-Abs(S - COUNT * COUNT)) / 2
    )  # 0 and 1 are their own squares
    assert all(path[3] == "name" for path in found if path[:3] == ("claim", "guess", "mechanism"))
