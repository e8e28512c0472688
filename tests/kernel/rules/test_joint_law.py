"""Distributions of composites as one expression against tables that are composed by the definition
(tables.py), and refutations through them.

The tables compute with fractions and with no rule of the package; a table becomes a mechanism by
listing all its probabilities.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify import (
    Abs,
    Domain,
    Mechanism,
    Proved,
    Queries,
    Refuted,
    Rejected,
    Unknown,
    Values,
    ahdp,
    assume,
    compose,
    dp,
    eq,
    exp,
    finite,
    hdp,
    integer,
    log,
    mixture,
    name,
    normalised,
    number,
    oo,
    piecewise,
    post_process,
    real,
    recheck,
    subsample,
    verify,
)
from ahdp_verify.files.records import read_saved_record
from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput, Unsupported
from ahdp_verify.kernel.evidence.certificate import ByRule
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    InstanceCounterexample,
    law_at,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, Composite, CompositeClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.events import event_probability
from ahdp_verify.kernel.rules.joint_law import (
    abstract_mechanisms,
    explicit_claim,
    explicit_mechanism,
    takes_sample,
)
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Expression,
    Min,
    expression,
    label,
    substitute,
)
from ahdp_verify.search.compose import group, pull_back, to_swap
from tests.kernel.rules import tables
from tests.kernel.rules.tables import Table, datasets, random_law

W = Domain([(0, 1), (1, 2)])
MOST = 3  # records
HALF = Fraction(1, 2)


def counts(d: tuple[int, ...], records: int = 2) -> tuple[int, ...]:
    return tuple(d.count(r) for r in range(records))


def listed(
    table: Mapping[Any, Mapping[Any, Fraction]], output: str, domain: Domain = W
) -> Expression:
    """The probabilities of a table, one by one."""
    n = len(domain.records)
    cells = []
    for d, law in table.items():
        here = [eq(domain.count(r), c) for r, c in zip(domain.records, counts(d, n), strict=True)]
        for o, p in law.items():
            condition = eq(name(output), o)
            for c in here:
                condition = condition & c
            cells.append((p, condition))
    return piecewise(*cells, (0, True))


def of_table(table: Table, output: str, domain: Domain = W) -> Claim:
    """A table as a mechanism, which claims nothing."""
    outputs = sorted({o for law in table.values() for o in law})
    m = Mechanism(
        domain,
        outputs=[finite(output, outputs)],
        density=listed(table, output, domain),
        defined=domain.size <= MOST,
        name=f"table {output}",
    )
    return Claim(m, "ahdp", oo)


def law_of(m: Mechanism, side: tuple[int, ...]) -> dict[tuple[Fraction, ...], Fraction]:
    """The probabilities of all outputs at a dataset."""
    example = Counterexample((), (), (), (), Event())
    density, atoms = law_at(Claim(m, "ahdp", oo), example, tuple(number(c) for c in side))
    assert not atoms
    found = {}
    for values in itertools.product(*(o.values for o in m.outputs)):
        at = substitute(density, {o.name: v for o, v in zip(m.outputs, values, strict=True)})
        p = normal(at, Context.empty()).as_rational
        assert p is not None
        if p:
            found[tuple(v.args[0] for v in values)] = p
    return found


def same_as(m: Mechanism, table: Table, records: int = 2, most: int = MOST) -> None:
    """The mechanism is the table, on all datasets of at most so many records."""
    for d in datasets(records, most):
        expected = {(o if isinstance(o, tuple) else (o,)): p for o, p in table[d].items() if p}
        assert law_of(m, counts(d, records)) == {
            tuple(Fraction(v) for v in o): p for o, p in expected.items()
        }, d


def table(rng: Random, records: int = 2, outputs: int = 2) -> Table:
    return tables.random_table(rng, datasets(records), outputs, least=0)


def reader(chosen: Mapping[Any, Table], output: str, read: str) -> Claim:
    """A mechanism that is one of several tables, chosen by an earlier output."""
    cases = [(listed(t, output), eq(name(read), y)) for y, t in chosen.items()]
    m = Mechanism(
        W,
        outputs=[finite(output, [0, 1])],
        density=piecewise(*cases, (0, True)),
        parameters={read: ""},
        defined=W.size <= MOST,
        name=f"reader {output}",
    )
    return Claim(m, "ahdp", oo)


SEEDS = range(6)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_compose_is_the_adaptive_run(seed: int) -> None:
    rng = Random(seed)
    first, second = table(rng), {y: table(rng) for y in (0, 1)}
    whole = compose(of_table(first, "y"), reader(second, "z", "y"))
    same_as(explicit_mechanism(whole.mechanism), tables.composed(first, second))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_kernel_is_the_second_output_of_the_adaptive_run(seed: int) -> None:
    rng = Random(seed)
    first, second = table(rng), {y: table(rng) for y in (0, 1)}
    whole = post_process(of_table(first, "y"), reader(second, "z", "y"))
    same_as(
        explicit_mechanism(whole.mechanism),
        tables.pushed(tables.composed(first, second), lambda o: o[1]),
    )  # type: ignore[index]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_formulas_push_the_law_forward(seed: int) -> None:
    rng = Random(seed)
    a, b = table(rng, outputs=3), table(rng, outputs=2)
    whole = post_process(
        compose(of_table(a, "y"), of_table(b, "z")),
        {"s": name("y") * name("z") - 1, "t": Min(name("y"), 1)},
    )
    both = tables.composed(a, dict.fromkeys((0, 1, 2), b))
    same_as(
        explicit_mechanism(whole.mechanism),
        tables.pushed(both, lambda o: (o[0] * o[1] - 1, min(o[0], 1))),
    )  # type: ignore[index]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mixture_is_the_weighted_sum(seed: int) -> None:
    rng = Random(seed)
    a, b, w = table(rng), table(rng), Fraction(rng.randint(0, 7), 7)
    whole = mixture((w, of_table(a, "y")), (1 - w, of_table(b, "y")))
    same_as(explicit_mechanism(whole.mechanism), tables.mixed([w, 1 - w], [a, b]))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["table", "composed"])
def test_a_sample_is_the_sum_over_smaller_datasets(seed: int, kind: str) -> None:
    rng = Random(seed)
    keep = {r: Fraction(rng.choice([0, 1, 2, 3, 4]), 4) for r in (0, 1)}
    first, second = table(rng), {y: table(rng) for y in (0, 1)}
    part = (
        of_table(first, "y")
        if kind == "table"
        else compose(of_table(first, "y"), reader(second, "z", "y"))
    )
    whole = subsample(part, lambda x, eps: piecewise((keep[0], eq(x, 0)), (keep[1], True)))
    for size in (1, 3):
        found = explicit_mechanism(whole.mechanism, size)
        same_as(
            found,
            tables.sampled(first if kind == "table" else tables.composed(first, second), keep),
            most=size,
        )
        with pytest.raises(Rejected, match="not defined"):
            law_of(found, (size, 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_law_is_pulled_back_along_what_records_become(seed: int) -> None:
    rng = Random(seed)
    old = table(rng)
    becomes = [rng.randint(0, 1) for _ in range(3)]
    new = Domain([("a", 0), ("b", oo), ("c", 1)])
    x = name("x")
    formula = piecewise(
        (becomes[0], eq(x, label("a"))), (becomes[1], eq(x, label("b"))), (becomes[2], True)
    )
    demand = piecewise(
        (1 + becomes[0], eq(x, label("a"))),
        (1 + becomes[1], eq(x, label("b"))),
        (1 + becomes[2], True),
    )
    whole = pull_back(of_table(old, "y"), new, {"x": formula, "eps": demand})
    same_as(
        explicit_mechanism(whole.mechanism),
        tables.relabelled(old, datasets(3), dict(enumerate(becomes))),
        records=3,
    )


def test_a_limit_at_demand_oo_is_taken_before_the_record_becomes_another() -> None:
    """floor(1 - exp(-eps)) is 0 at every finite eps, but the record (1, oo) becomes one of
    demand 1, where floor(eps) is 1.
    """
    old, y = Domain([(1, 1)]), real("y")
    part = Mechanism(
        old,
        outputs=[y],
        density=exp(-Abs(y - old.sum(lambda x, eps: Expression("floor", (eps,))))) / 2,
        name="floors",
    )
    new = Domain([(1, oo)])
    whole = pull_back(ahdp(part, 1), new, {"x": name("x"), "eps": 1 - exp(-name("eps"))})
    density = law_at(
        Claim(explicit_mechanism(whole.mechanism), "ahdp", oo),
        Counterexample((), (), (), (), Event()),
        (number(3),),
    )[0]
    assert density == exp(-Abs(y - 3)) / 2


def test_a_normalised_law_is_its_weights_over_their_total() -> None:
    r = finite("r", [0, 1, 2])
    whole = normalised(W, [r], log(2) * name("r") * W.size, 0, 2 * log(2))
    for n in range(MOST + 1):
        weights = [Fraction(2) ** (k * n) for k in range(3)]
        assert law_of(explicit_mechanism(whole.mechanism), (n, 0)) == {
            (Fraction(k),): w / sum(weights) for k, w in enumerate(weights)
        }


# outputs that are not finite


def laplace(key: str, centre: Expression, domain: object = W, **more: Any) -> Mechanism:
    return Mechanism(
        domain,
        outputs=[real(key)],
        density=exp(-Abs(name(key) - centre)) / 2,
        name=f"noisy {key}",
        **more,
    )  # type: ignore[arg-type]


def test_an_affine_map_changes_the_variable() -> None:
    whole = post_process(ahdp(laplace("y", W.size), 1), {"z": 3 - 2 * name("y")})
    at = law_at(
        Claim(explicit_mechanism(whole.mechanism), "ahdp", oo),
        Counterexample((), (), (), (), Event()),
        (number(2), number(0)),
    )[0]
    expected = exp(-Abs(name("z") + 1) / 2) / 4  # the centre 2 goes to -1, the scale to 2
    for z in (-3, -1, 0, 4):
        gap = normal(
            substitute(at, {"z": number(z)}) - substitute(expected, {"z": number(z)}),
            Context.empty(),
        )
        assert gap.is_zero


def test_an_atom_goes_where_the_map_takes_it() -> None:
    m = Mechanism(
        W, outputs=[real("y")], density=exp(-Abs(name("y"))) / 4, atoms={3: HALF}, name="spiked"
    )
    found = explicit_mechanism(post_process(Claim(m, "ahdp", oo), {"z": 1 - name("y")}).mechanism)
    assert found.atoms == ((number(-2), number(HALF)),)
    spoken = Mechanism(
        W,
        outputs=[real("y")],
        density=exp(-Abs(name("y"))) / 4,
        atoms={"NULL": HALF},
        name="sometimes",
    )
    kept = explicit_mechanism(post_process(Claim(spoken, "ahdp", oo), {"z": name("y")}).mechanism)
    assert kept.atoms == ((label("NULL"), number(HALF)),)


def test_atoms_of_a_mixture_add_up_point_by_point() -> None:
    def spiked(at: object, mass: Fraction) -> Claim:
        return Claim(
            Mechanism(
                W,
                outputs=[real("y")],
                density=(1 - mass) * exp(-Abs(name("y"))) / 2,
                atoms={at: mass},
                name="spiked",
            ),
            "ahdp",
            oo,
        )

    found = explicit_mechanism(
        mixture(
            (Fraction(1, 3), spiked(1, HALF)), (Fraction(2, 3), spiked(1, Fraction(1, 4)))
        ).mechanism
    )
    assert [(at, normal(mass, Context.empty()).as_rational) for at, mass in found.atoms] == [
        (ONE, Fraction(1, 3))
    ]


def test_record_sums_that_read_a_finite_output_are_written_case_by_case() -> None:
    coin = Mechanism(W, outputs=[finite("c", [1, 2])], density=number(HALF), name="coin")
    weighted = laplace("s", W.sum(lambda x, eps: x * name("c")), parameters={"c": ""})
    whole = compose(ahdp(coin, 0), ahdp(weighted, lambda x, eps: 2 * x))
    assert isinstance(verify(whole), Proved)
    found = verify(ahdp(whole, lambda x, eps: x))
    assert isinstance(found, Refuted) and found.counterexample.event.values  # only c = 2 loses 2


def test_probabilities_where_outputs_of_both_kinds_depend_on_each_other() -> None:
    """By hand: c is 1 or 2 with probability 1/3 and 2/3, s is Laplace around c of scale 1, b
    says whether s was above 1, correctly in 3 of 4 cases.
    """
    s, c, b = name("s"), name("c"), name("b")
    law = piecewise((Fraction(1, 3), eq(c, 1)), (Fraction(2, 3), True)) * exp(-Abs(s - c)) / 2
    law = law * piecewise(
        (Fraction(3, 4), eq(b, piecewise((1, s >= 1), (0, True)))), (Fraction(1, 4), True)
    )
    outputs, points = (
        (finite("c", [1, 2]), real("s"), finite("b", [0, 1])),
        (("s", (ONE, number(2))),),
    )
    tail = exp(number(-1)) / 2
    for event, expected in (
        (
            Event(values=(("c", (number(2),)),), intervals=(("s", number(3), None),)),
            Fraction(2, 3) * tail,
        ),
        (Event(intervals=(("s", None, ONE),)), Fraction(1, 6) + Fraction(2, 3) * tail),
        (
            Event(intervals=(("s", None, c),), values=(("b", (number(0),)),)),
            Fraction(1, 8) + Fraction(1, 2) * tail + Fraction(1, 6) * (HALF - tail),
        ),
        (Event(), ONE),
    ):
        assert (
            event_probability(law, (), outputs, event, points)
            - normal(expression(expected), Context.empty())
        ).is_zero
    with pytest.raises(Unsupported):
        event_probability(law, (), outputs, Event(values=(("c", (number(3),)),)), points)
    with pytest.raises(Unsupported):
        event_probability(law, (), outputs, Event(values=(("c", (ONE, ONE)),)), points)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (lambda: assume(W, "ahdp", 1), "no law of its own"),
        (lambda: subsample(ahdp(laplace("y", W.size), 1), HALF), "no single expression"),
        (lambda: post_process(ahdp(laplace("y", W.size), 1), {"z": name("y") ** 2}), "one-to-one"),
        (
            lambda: post_process(
                ahdp(laplace("y", W.size), 1), {"z": Expression("floor", (name("y"),))}
            ),
            "one-to-one",
        ),
        (lambda: post_process(ahdp(laplace("y", W.size), 1), {"z": 0 * name("y")}), "one-to-one"),
        (
            lambda: post_process(
                compose(ahdp(laplace("y", W.size), 1), ahdp(laplace("x1", W.size), 1)),
                {"z": name("y")},
            ),
            "one-to-one",
        ),
        (
            lambda: post_process(
                ahdp(laplace("y", W.size), 1),
                ahdp(laplace("z", name("y"), parameters={"y": ""}), 0),
            ),
            "list of values",
        ),
        (
            lambda: compose(
                Claim(
                    Mechanism(
                        W, outputs=[real("y")], density=exp(-Abs(name("y"))) / 4, atoms={3: HALF}
                    ),
                    "ahdp",
                    oo,
                ),
                ahdp(laplace("z", W.size), 1),
            ),
            "atom",
        ),
    ],
)
def test_what_has_no_single_expression_is_refused_with_the_reason(
    claim: Callable[[], AnyClaim], reason: str
) -> None:
    with pytest.raises(Unsupported, match=reason):
        explicit_mechanism(claim().mechanism)


# proofs from the composite as one expression


def test_what_a_law_loses_is_proved_directly() -> None:
    """The two shares of one split: by composition 2, but no record is in both."""
    parts = [ahdp(laplace(key, W.count((v, v + 1))), 1) for key, v in (("a", 0), ("b", 1))]
    whole = ahdp(compose(*parts), 1)
    found = verify(whole)
    assert (
        isinstance(found, Proved)
        and isinstance(found.certificate, ByRule)
        and found.certificate.rule == "written_out"
    )
    assert check(whole, found.certificate, None, found.compared) == found
    with pytest.raises(Rejected):
        check(ahdp(compose(*parts), HALF), found.certificate)


def test_a_sample_is_not_written_out_in_a_proof() -> None:
    claim = subsample(ahdp(laplace("y", W.size), 1), HALF)
    proof = ByRule(claim.fingerprint, "written_out", 1, None, (), ())
    with pytest.raises(Rejected, match="no single expression"):
        check(claim, proof)


# refutations


V = Values([0, 1])


def response_claim(key: str, level: Expression) -> Claim:
    true = eq(name(key), name("v"))
    return dp(
        Mechanism(
            V,
            outputs=[finite(key, [0, 1])],
            density=piecewise((exp(level) / (1 + exp(level)), true), (1 / (1 + exp(level)), True)),
            name=key,
        ),
        level,
        "any",
    )


def present(key: str) -> Claim:
    D = Domain([(1, log(2))])
    return ahdp(
        Mechanism(
            D,
            outputs=[finite(key, [0, 1])],
            density=piecewise(
                (Fraction(2, 3), eq(name(key), Min(D.size, 1))), (Fraction(1, 3), True)
            ),
            name=key,
        )
    )


def refuted(claim: AnyClaim, tmp_path: Path) -> Refuted:
    """The refutation of a claim, saved and checked again."""
    found = verify(claim)
    assert isinstance(found, Refuted), found
    found.save(tmp_path / "record.json")
    again = recheck(tmp_path / "record.json")
    assert again.to_json() == found.to_json() and str(again) == str(found)
    return found


def test_composition_is_tight(tmp_path: Path) -> None:
    whole = compose(response_claim("s", log(2)), response_claim("t", log(3)))
    assert isinstance(verify(dp(whole, log(6), "any")), Proved)
    found = refuted(dp(whole, log(6) - Fraction(1, 1000), "any"), tmp_path)
    assert (
        found.first_probability / found.second_probability
    ).as_rational == 6  # (2/3)(3/4) against (1/3)(1/4)


def test_w_ahdp_is_not_closed_under_composition(tmp_path: Path) -> None:
    found = refuted(ahdp(compose(present("s"), present("t"))), tmp_path)
    assert (found.first_probability / found.second_probability).as_rational == 4


@pytest.mark.sweep(5)
@pytest.mark.parametrize(
    "c", [Fraction(2), Fraction(3, 2), Fraction(1001, 1000), 1 + Fraction(1, 10**6)]
)
@pytest.mark.parametrize("kind", ["abstract", "laplace", "geometric"])
def test_a_probability_of_being_kept_that_is_too_large_is_refuted(
    c: Fraction, kind: str, tmp_path: Path
) -> None:
    """keep = c (exp(eps) - 1)/(exp(t) - 1) gives the ratio 1 + c (exp(eps) - 1) at worst (Sec.
    Sample Mechanism).
    """
    D, t, y = Domain([(1, log(2))]), log(4), name("y")
    noise = exp(-t * Abs(y - D.size))
    base = {
        "abstract": assume(D, "add-remove", t, text="any log(4)-DP mechanism"),
        "laplace": dp(Mechanism(D, outputs=[real("y")], density=noise * t / 2, name="count"), t),
        "geometric": dp(
            Mechanism(
                D,
                outputs=[integer("y")],
                density=noise * (1 - exp(-t)) / (1 + exp(-t)),
                name="count",
            ),
            t,
        ),
    }[kind]
    claim = subsample(
        base, lambda x, eps: c * (exp(eps) - 1) / (exp(t) - 1), level=lambda x, eps: eps
    )
    found = refuted(claim, tmp_path)
    assert (found.first_probability / found.second_probability).as_rational == 1 + c
    assert ("in place of any log(4)-DP mechanism" in str(found)) == (kind == "abstract")


def test_the_same_for_every_demand_threshold_and_factor(tmp_path: Path) -> None:
    a, t, c = name("a"), name("t"), name("c")
    base = assume(
        Domain([(1, a)]),
        "add-remove",
        t,
        text="any t-DP mechanism",
        parameters={"t": "t > 0", "a": "a >= 0"},
    )
    claim = subsample(
        base,
        lambda x, eps: c * (exp(Min(eps, t)) - 1) / (exp(t) - 1),
        level=lambda x, eps: Min(eps, t),
        parameters={"c": "c > 1"},
    )
    found = refuted(claim, tmp_path)
    assert {key for key, _ in found.counterexample.parameters} == {"a", "t", "c"}


@pytest.mark.parametrize(
    "claim",
    [
        lambda: dp(
            compose(
                assume(Queries(2), "one", 1, outputs=[real("y")]),
                assume(Queries(2), "one", 2, outputs=[real("z")]),
            ),
            Fraction(5, 2),
            "one",
        ),
        lambda: dp(
            compose(
                assume(V, "any", 1, outputs=[real("y")]), assume(V, "any", 2, outputs=[real("z")])
            ),
            Fraction(5, 2),
            "any",
        ),
        lambda: hdp(
            compose(
                *(
                    assume(Domain([(0, 1), (1, 1)]), "hdp", name("eps"), outputs=[real(k)])
                    for k in "yz"
                )
            )
        ),
        lambda: dp(to_swap(assume(W, "add-remove", 1)), Fraction(3, 2), "swap"),
        lambda: CompositeClaim(
            group(assume(W, "ahdp", name("eps"))).mechanism, "pairs", name("eps") * Fraction(9, 10)
        ),  # type: ignore[arg-type]
        lambda: ahdp(
            compose(*(assume(W, "ahdp", name("eps"), outputs=[real(k)]) for k in "yz")),
            lambda x, eps: 2 * eps - Fraction(1, 100),
        ),
    ],
)
def test_laws_about_all_mechanisms_are_tight(claim: Callable[[], AnyClaim], tmp_path: Path) -> None:
    refuted(claim(), tmp_path)


# what refutes nothing


def test_what_has_no_meaning_is_not_refuted() -> None:
    D = Domain([(1, 1)])
    base = ahdp(laplace("y", D.size, D), 1)
    assert isinstance(verify(subsample(base, 2, level=ZERO)), Unknown)
    assert isinstance(
        verify(subsample(base, name("k"), level=ZERO, parameters={"k": "k > 1"})), Unknown
    )
    mixed = mixture((2, base), (-1, ahdp(laplace("y", ZERO, D), 0)))
    assert isinstance(verify(ahdp(mixed, 0)), Unknown)
    outside = Composite(
        "pull_back", (base,), domain=Domain([(5, 1)]), formulas=(name("x"), name("eps"))
    )
    assert isinstance(verify(CompositeClaim(outside, "ahdp", ZERO)), Unknown)


def test_a_true_claim_about_all_mechanisms_is_not_refuted() -> None:
    claim = subsample(assume(Domain([(1, 1)]), "add-remove", 2), HALF)
    lower = ahdp(claim, log((1 + exp(number(2))) / 2))
    assert isinstance(verify(lower), Proved)


def sample_refutation() -> tuple[CompositeClaim, InstanceCounterexample]:
    claim = subsample(
        assume(Domain([(1, log(2))]), "add-remove", log(4)), HALF, level=lambda x, eps: eps
    )
    found = verify(claim)
    assert isinstance(found, Refuted) and found.of is not None
    return claim, found.of


def test_every_part_of_the_record_is_needed() -> None:
    claim, of = sample_refutation()
    (instance,) = of.instances
    kept = instance.claim
    other = replace(kept, level=log(5))
    loud = Mechanism(
        kept.mechanism.inputs, outputs=kept.mechanism.outputs, density=eq_law(kept), name="loud"
    )
    assert refute(claim, of).claim == claim
    for wrong in (
        replace(of, size=None),
        replace(of, size=0),
        replace(of, size=True),
        replace(of, instances=()),
        replace(of, instances=of.instances * 2),
        replace(of, instances=(replace(instance, claim=other),)),
        replace(of, instances=(replace(instance, claim=replace(kept, mechanism=loud)),)),
        replace(
            of, counterexample=replace(of.counterexample, event=Event(outcomes=((number(0),),)))
        ),
        replace(of, counterexample=replace(of.counterexample, first=of.counterexample.second)),
        replace(of, counterexample=replace(of.counterexample, parameters=(("k", ONE),))),
    ):
        with pytest.raises(Rejected):
            refute(claim, wrong)
    with pytest.raises(Rejected, match="given by its density"):
        refute(claim, of.counterexample)
    with pytest.raises(Rejected, match="so no instances are needed"):
        refute(
            explicit_claim(
                claim, of.size, dict(zip(abstract_mechanisms(claim.mechanism), [kept], strict=True))
            ),
            of,
        )


def eq_law(kept: Claim) -> Expression:
    """The presence of a record released without noise: it keeps no finite level."""
    size = kept.mechanism.inputs.size  # type: ignore[union-attr]
    return piecewise((1, eq(kept.mechanism.outputs[0].symbol, Min(size, 1))), (0, True))


def test_no_field_of_a_stored_refutation_goes_unread(tmp_path: Path) -> None:
    claim, of = sample_refutation()
    path = tmp_path / "record.json"
    refute(claim, of).save(path)
    record = jsonfile.read_json(path)

    def spoilt(change: Callable[[dict[str, Any]], object]) -> None:
        data = copy.deepcopy(record)
        change(data["counterexample"])
        jsonfile.write_json(
            jsonfile.seal({k: v for k, v in data.items() if k != jsonfile.SEAL}), path
        )
        with pytest.raises((Rejected, BadInput)):
            recheck(path)

    spoilt(lambda c: c.update(size=None))
    spoilt(lambda c: c.update(size="1"))
    spoilt(lambda c: c.update(size=-1))
    spoilt(lambda c: c.update(more=1))
    spoilt(lambda c: c.pop("instances"))
    spoilt(lambda c: c["instances"].clear())
    spoilt(lambda c: c["instances"].append(c["instances"][0]))
    spoilt(lambda c: c["instances"][0].update(more=1))
    spoilt(lambda c: c["instances"][0]["claim"].update(level="0"))
    spoilt(lambda c: c["instances"][0]["certificate"].update(claim="0" * 64))
    spoilt(lambda c: c["counterexample"].pop("event"))
    jsonfile.write_json(record, path)
    assert read_saved_record(path).evidence == of


def test_which_mechanisms_hold_a_sample() -> None:
    base = assume(W, "add-remove", 1)
    inner = compose(subsample(base, HALF))
    assert (
        takes_sample(inner.mechanism)
        and not takes_sample(base.mechanism)
        and abstract_mechanisms(inner.mechanism) == (base.mechanism,)
    )
    assert abstract_mechanisms(mixture((HALF, base), (HALF, base)).mechanism) == (base.mechanism,)


def test_random_composites_are_never_both_proved_and_refuted() -> None:
    """The exact level of a random composite, by its table: what lies above is not refuted, what
    lies below is not proved.
    """
    rng = Random(7)
    moves = tables.additions(1, 2)
    D = Domain([(1, 1)])
    for _ in range(6):
        cells = {d: random_law(rng, (0, 1)) for d in datasets(1)}
        density = listed(cells, "y", D)
        part = Claim(
            Mechanism(
                D, outputs=[finite("y", [0, 1])], density=density, defined=D.size <= 3, name="table"
            ),
            "ahdp",
            oo,
        )
        keep = Fraction(rng.randint(1, 3), 4)
        whole = subsample(part, keep)
        ratio = tables.worst(tables.sampled(cells, {0: keep}), moves)[0]
        assert ratio is not None
        above = verify(CompositeClaim(whole.mechanism, "ahdp", log(ratio)))  # type: ignore[arg-type]
        below = (
            verify(CompositeClaim(whole.mechanism, "ahdp", log(ratio * Fraction(999, 1000))))
            if ratio > Fraction(1000, 999)
            else None
        )  # type: ignore[arg-type]
        most = tables.worst(tables.sampled(cells, {0: keep}), tables.additions(1, 3))[0]
        assert not isinstance(above, Proved) and (isinstance(above, Refuted) == (most != ratio))
        assert below is None or isinstance(below, Refuted)
