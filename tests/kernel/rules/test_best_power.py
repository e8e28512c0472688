"""Claims about best mechanisms and their certificates: true ones are accepted, and all forgeries
below are refused.

The first claim is the smallest possible: one record of demand log 2, present or not; the best power
is 1/(1 + 1/2) = 2/3 (claim:4, claim:2 A2).
"""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify import BadInput, Domain, Proved, Rejected, recheck
from ahdp_verify.analysis.power.best import best_mechanism, best_power
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.threat_models import extra_records, these
from ahdp_verify.canonical_json import seal
from ahdp_verify.explanation import explain
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.certificate import (
    ByRule,
    Certificate,
    Lemma,
    Mass,
    Optimum,
    Products,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.record import MADE_BY, read_record
from ahdp_verify.kernel.rules.best_power import BestClaim, neighbouring_rows
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, exp, log, name, number, oo
from tests.kernel.rules.mutants import survivors

ONE = Domain([("a", log(2))])
PLACES = tuple(f for f in Optimum.__slots__ if f not in ("claim", "lemmas", "numbers"))


def claim(
    value: object = "2/3",
    *,
    domain: Domain = ONE,
    rows: Any = ((0,), (1,)),
    columns: Any = ("0", "1"),
    aims: Any = None,
    **more: Any,
) -> BestClaim:
    return best_claim(
        domain,
        rows,
        columns,
        [[(i, i, 1)] for i in range(len(rows))] if aims is None else aims,
        value,
        **more,
    )


def proof(
    of: BestClaim,
    kernel: Any = (),
    prior: Any = (),
    prices: Any = (),
    flows: Any = (),
    rest: Any = (),
    lemmas: tuple[Lemma, ...] = (),
) -> Optimum:
    """A certificate from numbers instead of places."""
    listed: list[Expression] = []

    def at(x: Any) -> int:
        e = x if isinstance(x, Expression) else number(x)
        if e not in listed:
            listed.append(e)
        return listed.index(e)

    tables = (
        tuple(tuple(map(at, row)) for row in kernel),
        tuple(map(at, rest)),
        tuple(map(at, prior)),
        tuple(map(at, prices)),
    )
    amounts = tuple(tuple((i, j, at(y)) for i, j, y in flow) for flow in flows)
    return Optimum(of.fingerprint, lemmas, tuple(listed), *tables, amounts)


KERNEL = (("2/3", "1/3"), ("1/3", "2/3"))
DUAL = {
    "prior": ("2/3", "1/3"),
    "prices": ("2/3", 0),
    "flows": ((), ((1, 0, "1/3"),)),
}  # the ball bound around the empty dataset


def whole(of: BestClaim) -> Optimum:
    return proof(of, KERNEL, **DUAL)


def refused(of: BestClaim, shown: Any, reason: str = "") -> None:
    with pytest.raises(Rejected) as caught:
        check(of, shown)
    assert reason in str(caught.value)


def test_the_optimum_of_one_record_is_accepted() -> None:
    verdict = check(claim(), whole(claim()), None, ComparedValues(()))
    assert isinstance(verdict, Proved)
    assert (
        str(verdict)
        == "Proved: greatest least aim = 2/3; scope: mechanisms that are AHDP on the 2 datasets; trusts: the checker and the best-power rule"
    )
    assert BestClaim.from_json(claim().to_json()) == claim()


@pytest.mark.parametrize(
    ("value", "bound", "holds"),
    [
        ("2/3", "=", True),
        ("3/4", "=", False),
        ("1/2", "=", False),
        ("2/3", ">=", True),
        ("1/2", ">=", True),
        ("3/4", ">=", False),
        ("2/3", "<=", True),
        ("3/5", "<=", False),
        ("3/4", "<=", False),
    ],
)
def test_a_bound_needs_its_side(value: str, bound: str, holds: bool) -> None:
    """(The last one is true, but its prices are those of 2/3: a certificate has to show what is
    claimed.)
    """
    said = claim(value, bound=bound)
    shown = proof(said, KERNEL if bound != "<=" else (), **(DUAL if bound != ">=" else {}))
    if holds:
        assert isinstance(check(said, shown), Proved)
    else:
        refused(said, shown)


def test_a_bound_that_is_not_asked_for_says_nothing() -> None:
    """Otherwise `explain` would describe a mechanism that was not checked."""
    for bound, shown in (
        (">=", proof(claim(bound=">="), KERNEL, **DUAL)),
        ("<=", proof(claim(bound="<="), ((2, 3), (5, 5)), **DUAL)),
    ):
        refused(claim(bound=bound), shown, "this bound takes no")


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [
        ((("2/3", "1/3"), ("1/4", "3/4")), "not private"),
        ((("2/3", "1/3"), ("1/3", "1/2")), "sum to 1"),
        ((("4/3", "-1/3"), ("1/3", "2/3")), "one probability per outcome"),
        ((("2/3", "1/3"),), "not those of the claim"),
        ((("2/3", "1/3"), ("1/3", "2/3"), (1, 0)), "not those of the claim"),
        ((("2/3", "1/3", 0), ("1/3", "2/3", 0)), "one probability per outcome"),
        ((("2/3",), ("2/3",)), "one probability per outcome"),
        ((("1/2", "1/2"), ("1/2", "1/2")), "below the value"),
        (((name("z"), 1 - name("z")), ("1/3", "2/3")), "one probability per outcome"),
        (((oo, 0), ("1/3", "2/3")), "not a number"),
        (((ex.label("a"), 0), ("1/3", "2/3")), "not a number"),
        (((ex.TRUE, 0), ("1/3", "2/3")), "not a number"),
    ],
)
def test_kernels_that_are_none(kernel: Any, reason: str) -> None:
    refused(claim(), proof(claim(), kernel, **DUAL), reason)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"prior": ("2/3",)}, "prior"),
        ({"prior": ("2/3", "2/3")}, "prior"),
        ({"prior": ("4/3", "-1/3")}, "prior"),
        ({"prices": ("2/3",)}, "prices"),
        ({"prices": ("1/3", 0)}, "prices"),
        ({"prices": (1, "-1/3")}, "do not cover"),
        ({"flows": ((),)}, "no flow"),
        ({"flows": ((), ())}, "do not cover"),
        ({"flows": ((), ((0, 1, "1/3"),))}, "do not cover"),
        ({"flows": ((), ((1, 0, "1/4"),))}, "do not cover"),
        (
            {"flows": (((1, 0, "-1/3"),), ((1, 0, "1/3"),))},
            "not a multiple of a privacy inequality",
        ),
        ({"flows": ((), ((1, 0, "1/3"), (1, 1, 1)))}, "not a multiple of a privacy inequality"),
        ({"flows": ((), ((-1, 0, "1/3"),))}, "not a multiple of a privacy inequality"),
        ({"flows": ((), ((True, False, "1/3"),))}, "does not join two datasets"),
        ({"flows": ((), ((1, 2, "1/3"),))}, "malformed"),
    ],
)
def test_prices_that_show_nothing(changed: Any, reason: str) -> None:
    refused(claim(), proof(claim(), KERNEL, **{**DUAL, **changed}), reason)


@pytest.mark.parametrize("field", PLACES)
@pytest.mark.parametrize("entry", [-1, 3, True, "0", None, Fraction(0), number(0), ()])
def test_entries_are_places_in_the_list_of_numbers(field: str, entry: Any) -> None:
    shown = whole(claim())
    put = {
        "kernel": ((entry, 1), (1, 0)),
        "rest": (entry, 1),
        "prior": (entry, 1),
        "prices": (0, entry),
        "flows": ((), ((1, 0, entry),)),
    }[field]
    refused(claim(), replace(shown, **{field: put}))


def test_every_number_has_a_place() -> None:
    shown = whole(claim())
    refused(claim(), replace(shown, numbers=(*shown.numbers, number(7))), "not used")
    refused(claim(), replace(shown, numbers=shown.numbers[:-1]), "there is no index")


def test_a_certificate_belongs_to_its_claim_and_is_of_its_kind() -> None:
    refused(claim(), whole(claim("3/4")), "another claim")
    refused(
        claim(),
        Certificate(claim().fingerprint, False, (), Mass((), ()), (), ()),
        "by a mechanism and prices",
    )
    refused(
        claim(),
        ByRule(claim().fingerprint, "weaken", 1, None, (), ()),
        "does not prove a claim of this kind",
    )
    with pytest.raises(
        BadInput, match="its fields are"
    ):  # no record says that an optimum is refuted
        read_record(
            seal(
                {
                    "format": 3,
                    "verdict": "refuted",
                    "claim": claim().to_json(),
                    "fingerprint": claim().fingerprint,
                    "counterexample": {"is": "optimum"},
                }
            )
        )


def test_no_counterexample_refutes_an_optimum(tmp_path: Path) -> None:
    example = {
        "parameters": [],
        "instances": [],
        "first": [],
        "second": [],
        "points": [[], []],
        "event": {
            "intervals": [],
            "values": [],
            "outcomes": [],
            "atoms": [],
            "continuous": True,
            "without": [],
        },
    }
    record = seal(
        {
            "format": 3,
            "verdict": "refuted",
            "claim": claim().to_json(),
            "fingerprint": claim().fingerprint,
            "counterexample": example,
            "mass": None,
            "made_by": MADE_BY,
        }
    )
    (tmp_path / "no.json").write_text(json.dumps(record))
    with pytest.raises(Rejected, match="optimum"):
        recheck(tmp_path / "no.json")


# levels


@pytest.mark.parametrize(
    "level", [-1, log(number("1/2")), log(number(0)), 1 / (name("eps") - log(2)), name("eps") - 1]
)
def test_levels_that_are_none_are_refused(level: Any) -> None:
    """eps - 1 is negative at the demand log 2, 1/(eps - log 2) is 1/0; a privacy inequality with
    a factor below 1 would make any bound true.
    """
    said = claim(0, level=level, bound="<=")
    refused(said, proof(said, prior=(1, 0), prices=(0, 0), flows=((), ())))


@pytest.mark.parametrize("level", [ex.label("a"), ex.TRUE, ex.sum_over_records(ex.ONE), name("x")])
def test_levels_that_are_not_numbers_are_bad_input(level: Any) -> None:
    with pytest.raises(BadInput, match="level"):
        claim(0, level=level, bound="<=")


def test_a_level_has_to_be_nonnegative_for_all_parameters() -> None:
    """Level eps for eps > -1: at eps = -1/2 there is no private kernel at all but on one row."""
    of = Domain([("a", name("eps"))])
    assert isinstance(
        best_power(of, extra_records(1), parameters={"eps": "eps >= 0"}).verdicts[0], Proved
    )
    for condition, holds in (("eps > -1", False), ("eps > 0", True)):
        said = claim("1/2", domain=of, parameters={"eps": condition}, bound=">=")
        shown = proof(said, (("1/2", "1/2"), ("1/2", "1/2")), lemmas=(ABOVE,) if holds else ())
        if holds:
            assert isinstance(check(said, shown), Proved)
        else:
            refused(said, shown, "a level is not known to be >= 0")


@pytest.mark.parametrize(
    ("relation", "level"),
    [
        ("add-remove", name("x")),
        ("swap", name("eps")),
        ("ahdp", name("y")),
        ("add-remove", ex.name("eps")),
    ],
)
def test_names_in_levels_are_known(relation: str, level: Expression) -> None:
    with pytest.raises(BadInput, match="is not known"):
        claim(relation=relation, level=level)


def test_demand_oo_asks_for_nothing() -> None:
    """q = 0: both datasets may be told apart, so the power is 1 (and with demand log 2 it is
    not).
    """
    free = claim(1, domain=Domain([("a", oo)]))
    shown = proof(free, ((1, 0), (0, 1)), prior=(1, 0), prices=(1, 0), flows=((), ()))
    assert isinstance(check(free, shown), Proved)
    refused(
        free, replace(shown, flows=((), ((1, 0, 0),))), "not a multiple of a privacy inequality"
    )  # its factor is infinite
    refused(claim(1), replace(shown, claim=claim(1).fingerprint), "not private")


def test_a_way_through_a_record_of_level_oo_is_not_a_way() -> None:
    """Rows 0, a, a + b with a free: a and a + b are at distance log 2, whatever lies beside."""
    of = Domain([("a", oo), ("b", log(2))])
    said = claim(1, domain=of, rows=((0, 0), (1, 0), (1, 1)), columns=("0", "1", "2"), bound=">=")
    refused(said, proof(said, ((1, 0, 0), (0, 1, 0), (0, 0, 1))), "not private")
    half = replace(said, value=number("2/3"))
    assert isinstance(
        check(half, proof(half, ((1, 0, 0), (0, "2/3", "1/3"), (0, "1/3", "2/3")))), Proved
    )


# other datasets


def test_everywhere_asks_for_a_box() -> None:
    """STATEMENTS S4: on H_2 of three values no retraction is known, so a kernel on the
    hypotheses says nothing of other datasets.
    """
    corner = ((0, 0), (1, 0), (0, 1))
    said = claim(
        "1/3",
        domain=Domain([("a", log(2)), ("b", log(2))]),
        rows=corner,
        columns=("0", "1", "2"),
        bound=">=",
        everywhere=True,
    )
    flat = (("1/3",) * 3,) * 3
    refused(said, proof(said, flat), "do not form a box")
    with_rest = proof(said, flat, rest=("1/3",) * 3)
    refused(said, with_rest, "and only if")
    assert isinstance(
        check(replace(said, everywhere=False), proof(replace(said, everywhere=False), flat)), Proved
    )
    box = replace(said, rows=(*corner, (1, 1)))
    assert isinstance(check(box, proof(box, (*flat, flat[0]))), Proved)


def test_a_large_box_is_not_listed() -> None:
    """10^12 datasets lie in it."""
    said = claim(
        "1/2",
        domain=Domain([("a", 1), ("b", 1), ("c", 1)]),
        rows=((0, 0, 0), (10**4, 10**4, 10**4)),
        bound=">=",
        everywhere=True,
    )
    refused(said, proof(said, (("1/2", "1/2"),) * 2), "do not form a box")


SWAP = Domain([("a", log(2)), ("b", log(2))])


def swap(value: object = "2/3", **more: Any) -> BestClaim:
    return claim(
        value,
        domain=SWAP,
        rows=more.pop("rows", ((1, 0), (0, 1))),
        relation="swap",
        level=log(2),
        **more,
    )


def test_swaps_need_a_row_for_all_other_datasets() -> None:
    """E5: two of the three datasets of size 2; uniform probabilities are within exp(level) of every
    row, (1, 0) is not.
    """
    rows = ((2, 0), (1, 1))
    said = swap(rows=rows, everywhere=True, bound=">=")
    assert isinstance(check(said, proof(said, KERNEL, rest=("1/2", "1/2"))), Proved)
    refused(said, proof(said, KERNEL), "and only if")
    refused(said, proof(said, KERNEL, rest=(1, 0)), "not private")
    refused(said, proof(said, KERNEL, rest=("1/2", "1/3")), "sum to 1")
    refused(said, proof(said, KERNEL, rest=("1/2",)), "one probability per outcome")
    inside = replace(said, everywhere=False)
    refused(inside, proof(inside, KERNEL, rest=("1/2", "1/2")), "and only if")
    below = replace(said, bound="<=")
    refused(below, proof(below, rest=("1/2", "1/2"), **DUAL), "this bound takes no")


def test_rows_of_different_sizes_are_not_swap_neighbours() -> None:
    """They are infinitely far apart, so they may be told apart; "all datasets of that size"
    makes no sense of them.
    """
    rows = ((1, 0), (0, 2))
    said = swap(1, rows=rows, bound=">=")
    assert isinstance(check(said, proof(said, ((1, 0), (0, 1)))), Proved)
    everywhere = swap(1, rows=rows, bound=">=", everywhere=True)
    refused(everywhere, proof(everywhere, ((1, 0), (0, 1)), rest=("1/2", "1/2")), "different sizes")
    above = swap(1, rows=rows, bound="<=", everywhere=True)
    refused(above, proof(above, prior=(1, 0), prices=(1, 0), flows=((), ())), "different sizes")


def test_a_swap_of_two_records_is_one_swap() -> None:
    """(1, 0) and (0, 1) differ in two counts and are one swap apart: factor 2 and not 4."""
    assert str(swap().factor(0, 1)) == "2"
    two = swap(rows=((2, 0), (0, 2)))
    assert str(two.factor(0, 1)) == "4"
    refused(
        swap("4/5"),
        proof(
            swap("4/5"),
            (("4/5", "1/5"), ("1/5", "4/5")),
            prior=("1/2", "1/2"),
            prices=("2/5", "2/5"),
            flows=((), ()),
        ),
        "not private",
    )


# pairs that are looked at


@pytest.mark.parametrize("relation", ["ahdp", "swap"])
def test_privacy_for_the_moves_is_privacy_for_all_pairs(relation: str) -> None:
    """Shortest ways along the moves have the length of the distance, on random sets of rows
    (worked out by Floyd and Warshall).
    """
    rng, levels = random.Random(5), (log(2), log(3), log(5))
    domain = Domain(list(zip("abc", levels, strict=True)))
    factors = (2, 3, 5)
    for _ in range(25):
        rows = rng.sample(
            [r for r in itertools.product(range(4), repeat=3) if relation != "swap" or sum(r) == 4],
            7,
        )
        said = claim(
            0,
            domain=domain,
            rows=tuple(rows),
            columns=tuple("0123456"),
            relation=relation,
            level=None if relation == "ahdp" else log(2),
        )
        far: dict[tuple[int, int], Any] = {(i, i): Fraction(1) for i in range(7)}

        def true_factor(i: int, j: int, rows: Any = rows) -> Fraction:
            gaps = [abs(a - b) for a, b in zip(rows[i], rows[j], strict=True)]
            if relation == "swap":
                return Fraction(2) ** (sum(gaps) // 2)
            return Fraction(factors[0] ** gaps[0] * factors[1] ** gaps[1] * factors[2] ** gaps[2])

        for i, j in neighbouring_rows(said):
            far[i, j] = far[j, i] = true_factor(i, j)
        for m, i, j in itertools.product(range(7), repeat=3):
            if (i, m) in far and (m, j) in far:
                far[i, j] = min(far.get((i, j), far[i, m] * far[m, j]), far[i, m] * far[m, j])
        assert all(
            far[i, j] == true_factor(i, j) and said.factor(i, j).as_rational == far[i, j]
            for i, j in itertools.product(range(7), repeat=2)
        )


# losses


@pytest.mark.parametrize(
    ("value", "bound", "holds"),
    [
        ("1/3", "=", True),
        ("1/3", "<=", True),
        ("1/3", ">=", True),
        ("1/2", "<=", True),
        ("1/4", ">=", False),
        ("1/4", "<=", False),
        ("1/4", "=", False),
        ("1/2", "=", False),
        ("1/2", ">=", False),
    ],
)
def test_losses_are_gains_of_the_other_sign(value: str, bound: str, holds: bool) -> None:
    """The probability of a wrong answer: least greatest value 1 - 2/3.  (An upper bound on it
    needs the mechanism, a lower bound the prices.)
    """
    said = claim(value, aims=[[(0, 1, 1)], [(1, 0, 1)]], bound=bound, sense="loss")
    dual = {
        "prior": ("1/2", "1/2"),
        "prices": ("-1/6", "-1/6"),
        "flows": (((0, 1, "1/6"),), ((1, 0, "1/6"),)),
    }
    shown = proof(said, KERNEL if bound != ">=" else (), **(dual if bound != "<=" else {}))
    if holds:
        assert isinstance(check(said, shown), Proved)
    else:
        refused(said, shown)


# lemmas and parameters


EPS = Domain([("a", name("eps"))])
Q = exp(-name("eps"))
ABOVE = Lemma("order", (number(0), name("eps")), ">", (None,))  # exp(eps) > 1
SYMBOLIC_KERNEL = ((1 / (1 + Q), Q / (1 + Q)), (Q / (1 + Q), 1 / (1 + Q)))
SYMBOLIC_DUAL = {
    "prior": (1 / (1 + Q), Q / (1 + Q)),
    "prices": (1 / (1 + Q), 0),
    "flows": ((), ((1, 0, Q / (1 + Q)),)),
}


BELOW = Lemma("order", (-name("eps"), number(0)), ">", (None,))  # exp(-eps) < 1


def symbolic(value: object = 1 / (1 + Q), condition: str = "eps > 0") -> BestClaim:
    return claim(value, domain=EPS, parameters={"eps": condition})


def test_a_formula_is_accepted_for_all_parameters() -> None:
    verdict = check(
        symbolic(), proof(symbolic(), SYMBOLIC_KERNEL, **SYMBOLIC_DUAL, lemmas=(ABOVE, BELOW))
    )
    assert verdict.scope_text == "mechanisms that are AHDP on the 2 datasets, 0 < eps"


@pytest.mark.parametrize(
    "lemma",
    [
        Lemma("proved", (Q - 1,), ">", (None,)),
        Lemma("proved", (Q - 1,), ">", (Products(()),)),
        Lemma("proved", (name("eps") - 1,), ">=", (Products(((Fraction(1), (0,)),)),)),
        Lemma("sign", (Q - 1,), ">="),
        Lemma("order", (number(0), -name("eps")), ">=", (None,)),
        Lemma("assumed", (Q - 1,), ">="),
        Lemma("exp", (name("eps"),), ">"),
        Lemma("bound", (name("eps"), number(1)), ">=", (None, None)),
        Lemma("whole", (name("eps"),)),
        Lemma("proved", (Q - 1,), "!=", (None,)),
        Lemma("proved", (number(-1),), ">=", (Products(((Fraction(-1), ()),)),)),
    ],
)
def test_false_lemmas_are_refused(lemma: Lemma) -> None:
    """Each would be a contradiction of eps > 0, or of nothing."""
    said = symbolic(1)
    shown = proof(
        said,
        ((1, 0), (0, 1)),
        prior=(1, 0),
        prices=(1, 0),
        flows=((), ()),
        lemmas=(ABOVE, BELOW, lemma),
    )
    refused(said, shown)


def test_a_formula_is_refused_beyond_its_interval() -> None:
    """A mechanism with the probability 1 - exp(-eps) is private if and only if q <= (1 - q)/q,
    so for q = 1/2, and not for q = 2/3.
    """
    for condition, holds in (
        ("eps >= log(2)", True),
        ("eps > 0", False),
        ("0 < eps <= log(2)", False),
    ):
        said = claim(0, domain=EPS, parameters={"eps": condition}, bound=">=")
        two = Lemma("order", (log(2), name("eps")), ">=", (None,))  # exp(eps) >= 2
        private = Lemma(
            "proved",
            (exp(name("eps")) - 1 - Q,),
            ">=",
            (Products(((Fraction(1), (2,)), (Fraction(1), (3,)))),),
        )
        lemmas = (ABOVE, BELOW, two, private) if holds else (ABOVE, BELOW)
        shown = proof(said, ((1 - Q, Q), (Q, 1 - Q)), lemmas=lemmas)
        if holds:
            assert isinstance(check(said, shown), Proved)
        else:
            refused(said, shown, "not private")


def test_a_number_may_not_be_a_name_that_nobody_declared() -> None:
    free = name("z") * name("z")
    said = claim("1/2", bound=">=")
    refused(said, proof(said, ((free, 1 - free), ("1/2", "1/2"))))


# records


def swap_proof() -> tuple[BestClaim, Optimum]:
    said = swap(rows=((2, 0), (1, 1)), everywhere=True)
    return said, proof(said, KERNEL, rest=("1/2", "1/2"), **DUAL)


@pytest.mark.parametrize(
    "pair",
    [
        (claim(), whole(claim())),
        (symbolic(), proof(symbolic(), SYMBOLIC_KERNEL, **SYMBOLIC_DUAL, lemmas=(ABOVE, BELOW))),
        swap_proof(),
    ],
    ids=["numbers", "formula", "swap"],
)
def test_every_mutant_of_a_record_is_refused_but_for_other_true_claims(
    pair: tuple[BestClaim, Optimum],
) -> None:
    """What things are called says nothing about numbers; rows of a box say the same of all
    datasets; eps > 0 may become eps > 1, and a lemma another true one.  No number may change.
    """
    found = survivors(json.loads(json.dumps(check(*pair).to_json())), BestClaim)
    harmless = {
        ("claim", "name"),
        ("claim", "best", "columns"),
        ("claim", "best", "domain"),
        ("claim", "everywhere"),
        ("claim", "parameters", 0),
    }
    assert {path[:3] for path in found if path[:2] != ("certificate", "lemmas")} <= harmless


def test_counterexamples_are_not_certificates() -> None:
    with pytest.raises(Rejected):
        check(claim(), Counterexample((), (), (), (), Event()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rows": ()}, "no dataset"),
        ({"aims": []}, "no dataset"),
        ({"aims": [[]]}, "no aim"),
        ({"columns": ()}, "no outcome"),
        ({"rows": ((0,), (0,))}, "listed twice"),
        ({"columns": ("0", "0")}, "listed twice"),
        ({"columns": (0, 1)}, "listed twice"),
        ({"rows": ((0,), (-1,))}, "not counts"),
        ({"rows": ((0,), (True,))}, "not counts"),
        ({"rows": ((0,), (10**30,))}, "not counts"),
        ({"rows": ((0,), (1, 0))}, "not counts"),
        ({"aims": [[(2, 0, 1)]]}, "no row 2"),
        ({"aims": [[(-1, 0, 1)]]}, "no row -1"),
        ({"aims": [[(0, 2, 1)]]}, "no column 2"),
        ({"relation": "hdp"}, "not known"),
        ({"bound": "<"}, "not known"),
        ({"sense": "regret"}, "not known"),
        ({"everywhere": 1}, "not known"),
        ({"domain": Domain.universal({"x": ""})}, "not listed"),
        ({"parameters": {"eps": "eps > z"}}, "z is not known"),
    ],
)
def test_claims_that_say_nothing(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        claim(**change)
    assert reason in str(caught.value)


# explanations


def test_an_explanation_tells_what_was_checked() -> None:
    """Gains and losses, kernel alone and prices alone."""
    text = str(explain(check(claim(), whole(claim()))))
    assert (
        "its least aim is at least 2/3" in text
        and "No private mechanism has a least aim above" in text.replace("So no", "No")
    )
    only = str(explain(check(claim(bound="<="), proof(claim(bound="<="), **DUAL))))
    assert "There is a private mechanism" not in only
    of = Domain([("a", log(2))])
    loss = best_mechanism(of, these([[0], [1]]), [0, 1], lambda D, s: abs(D.size - s))
    text = str(explain(loss.verdicts[0]))
    assert (
        "least aim" not in text
        and "greatest aim is at most 1/3" in text
        and "greatest aim below" in text
    )


def test_best_power_agrees_with_the_certificate_written_by_hand() -> None:
    found = best_power(ONE, extra_records(1))
    assert str(found.value) == str(claim().value) == "2/3"
