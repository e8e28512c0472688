"""The composition rules against mechanisms that are composed by hand (tables.py): the level of a
rule bounds every move, and nothing less is ever proved.

The parts are random tables; the package is given only the levels that they satisfy, which are the
exact ones. Whatever it then proves of all such mechanisms must hold for these.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import assume as assume_that
from hypothesis import strategies as st
from mpmath import log as mplog
from mpmath import mpf

from ahdp_verify import (
    Domain,
    Mechanism,
    Proved,
    Queries,
    Values,
    ahdp,
    assume,
    compose,
    eq,
    exp,
    finite,
    hdp,
    label,
    log,
    mixture,
    name,
    normalised,
    number,
    oo,
    piecewise,
    post_process,
    product,
    real,
    subsample,
    verify,
)
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim
from ahdp_verify.kernel.model.declarations import value_bindings
from ahdp_verify.kernel.model.domain import value_at_record
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import FALSE, LEAVES, TRUE, ZERO, Expression, substitute
from ahdp_verify.search.compose import group, pull_back, to_ahdp, to_swap
from tests.deriving import by_rules
from tests.kernel.rules import tables
from tests.kernel.rules.tables import Table, additions, datasets, replacements, worst
from tests.oracle import value
from tests.sweeps import examples

W = Domain([(0, 1), (1, 2)])
V = Domain([("a", 1), ("b", 1), ("c", 3)])
THREE = Values(["a", "b", "c"])
LESS = Fraction(999, 1000)
SEEDS = st.integers(0, 10**9)


def level_of(ratios: Mapping[Hashable, Fraction | None], domain: Domain) -> Expression:
    """The level of each record whose ratio exp(level) this is."""
    return piecewise(
        *(
            (oo if q is None else log(number(q)), domain.condition(domain.records[r]))
            for r, q in sorted(ratios.items())
        ),
        (ZERO, True),
    )  # type: ignore[type-var]


def level_between(ratios: Mapping[Hashable, Fraction | None]) -> Expression:
    """The level between each pair of values."""
    v, other, letters = name("v"), name("other"), "abc"
    return piecewise(
        *(
            (log(number(q)), eq(v, label(letters[i])) & eq(other, label(letters[j])))
            for (i, j), q in ratios.items()
        ),
        (ZERO, True),
    )  # type: ignore[misc, arg-type]


def said(claim: CompositeClaim, key: Hashable, domain: Domain | None = None) -> mpf | None:
    """The level that a claim states for a key, in 60 digits; None for oo."""
    level = claim.level
    if domain is not None and isinstance(key, int) and claim.relation in ("ahdp", "hdp", "pairs"):
        level = value_at_record(level, domain.records[key], Context.empty())
    elif isinstance(key, tuple) and claim.relation == "any":
        level = by_hand(
            substitute(
                level,
                {
                    **value_bindings(THREE.values[key[0]], "v"),
                    **value_bindings(THREE.values[key[1]], "other"),
                },
            )
        )
    return None if level == oo else value(level, {})


def by_hand(e: Expression) -> Expression:
    """The tree with comparisons of labels decided and branches taken."""
    if e.head == "piecewise":
        return next(
            by_hand(a) for a, c in zip(e.args[::2], e.args[1::2], strict=True) if same_labels(c)
        )
    return e if e.head in LEAVES else Expression(e.head, tuple(by_hand(a) for a in e.args))


def same_labels(c: Expression) -> bool:
    """Whether a conjunction of equations between labels holds."""
    return c == TRUE or (
        all(same_labels(part) for part in c.args) if c.head == "and" else c.args[0] == c.args[1]
    )


def bounds(
    claim: CompositeClaim, table: Table, moves: list[tables.Move], domain: Domain | None = None
) -> None:
    """The claim is proved, and every move of the table keeps it."""
    assert isinstance(by_rules(claim), Proved), claim
    for key, ratio in worst(table, moves).items():
        at = said(claim, key, domain)
        assert at is None or (
            ratio is not None
            and at >= mplog(mpf(ratio.numerator) / ratio.denominator) - mpf(10) ** -40
        )


def never_less(
    claim: CompositeClaim, table: Table, moves: list[tables.Move], domain: Domain
) -> None:
    """A level that this table breaks at one record is not proved."""
    for key, ratio in worst(table, moves).items():
        if ratio is None or ratio <= 1:
            continue
        broken = log(number(max(Fraction(1), ratio * LESS)))
        short = piecewise((broken, domain.condition(domain.records[key])), (oo, True))  # type: ignore[index, call-overload]
        assert isinstance(
            by_rules(CompositeClaim(claim.mechanism, claim.relation, short, claim.delta)), Declined
        )  # type: ignore[arg-type]


def part(table: Table, domain: Domain, output: str, reads: tuple[str, ...] = ()) -> CompositeClaim:
    """Any mechanism with the exact levels of the table."""
    ratios = worst(table, additions(len(domain.records)))
    return assume(
        domain,
        "ahdp",
        level_of(ratios, domain),
        outputs=[finite(output, [0, 1])],
        parameters={key: "" for key in reads},
        text=f"mechanism {output}",
    )


def several(
    rng: Random, inputs: list[tuple[int, ...]], n: int = 2, least: int = 1
) -> dict[Hashable, Table]:
    return {y: tables.random_table(rng, inputs, 2, least) for y in range(n)}


def joined(listed: Mapping[Hashable, Table]) -> Table:
    """One table whose worst ratios are those of the worst of several: their outputs side by
    side.
    """
    share = Fraction(1, len(listed))
    return {
        d: {(y, o): share * p for y, t in listed.items() for o, p in t[d].items()}
        for d in next(iter(listed.values()))
    }


ADD, ALL = additions(2), datasets(2)


@settings(max_examples=examples(25, 8), deadline=None)
@given(SEEDS, st.integers(0, 1))
def test_adaptive_composition(seed: int, least: int) -> None:
    rng = Random(seed)
    first, second = tables.random_table(rng, ALL, least=least), several(rng, ALL, least=least)
    whole = tables.composed(first, second)
    claim = compose(part(first, W, "y"), part(joined(second), W, "z", ("y",)))
    bounds(claim, whole, ADD, W)
    never_less(claim, whole, ADD, W)


@settings(max_examples=examples(15, 8), deadline=None)
@given(SEEDS)
def test_independent_releases(seed: int) -> None:
    rng = Random(seed)
    first, second = tables.random_table(rng, ALL), tables.random_table(rng, ALL)
    claim, whole = (
        product(part(first, W, "y"), part(second, W, "z")),
        tables.composed(first, {0: second, 1: second}),
    )
    bounds(claim, whole, ADD, W)
    never_less(claim, whole, ADD, W)


@settings(max_examples=examples(20, 8), deadline=None)
@given(SEEDS)
def test_post_processing_by_formulas_and_by_kernels(seed: int) -> None:
    rng = Random(seed)
    base = tables.random_table(rng, ALL, 4)
    mapped = tables.pushed(base, lambda y: y // 2 if isinstance(y, int) else y)
    claim = post_process(part(base, W, "y"), {"z": Expression("floor", (name("y") / 2,))})
    bounds(claim, mapped, ADD, W)
    kernel = {y: dict.fromkeys(ALL, tables.random_law(rng, range(3))) for y in range(4)}
    blind = assume(W, "ahdp", 0, outputs=[real("z")], parameters={"y": ""})
    seen = tables.pushed(tables.composed(base, kernel), lambda pair: pair[1])  # type: ignore[index]
    bounds(post_process(part(base, W, "y"), blind), seen, ADD, W)
    reader = several(rng, ALL, 4)
    both = tables.pushed(tables.composed(base, reader), lambda pair: pair[1])  # type: ignore[index]
    bounds(post_process(part(base, W, "y"), part(joined(reader), W, "z", ("y",))), both, ADD, W)


@settings(max_examples=examples(30, 8), deadline=None)
@given(
    SEEDS,
    st.integers(0, 1),
    st.lists(st.fractions(0, 1, max_denominator=6), min_size=2, max_size=2),
)
def test_subsampling(seed: int, least: int, keep: list[Fraction]) -> None:
    rng = Random(seed)
    base = tables.random_table(rng, ALL, least=least)
    whole = tables.sampled(base, dict(enumerate(keep)))
    rate = piecewise(
        *((number(k), W.condition(W.records[r])) for r, k in enumerate(keep)), (ZERO, True)
    )
    ratios = worst(base, ADD)
    claim = subsample(
        part(base, W, "y"),
        rate,
        level=level_of(
            {
                r: None if q is None and keep[r] else 1 + keep[r] * ((q or Fraction(1)) - 1)
                for r, q in ratios.items()
            },
            W,
        ),
    )
    bounds(claim, whole, ADD, W)
    never_less(claim, whole, ADD, W)


@settings(max_examples=examples(15, 8), deadline=None)
@given(SEEDS, st.fractions(0, 1, max_denominator=6))
def test_mixtures(seed: int, w: Fraction) -> None:
    rng = Random(seed)
    first, second = tables.random_table(rng, ALL), tables.random_table(rng, ALL)
    claim, whole = (
        mixture((w, part(first, W, "y")), (1 - w, part(second, W, "y"))),
        tables.mixed((w, 1 - w), (first, second)),
    )
    bounds(claim, whole, ADD, W)
    never_less(claim, whole, ADD, W)


@settings(max_examples=examples(15, 8), deadline=None)
@given(SEEDS)
def test_pulling_back(seed: int) -> None:
    rng = Random(seed)
    base = tables.random_table(rng, ALL)
    becomes = {i: rng.randrange(2) for i in range(3)}
    whole = tables.relabelled(base, datasets(3), becomes)
    how = {
        key: piecewise(
            *((W.records[becomes[i]].bindings[key], V.condition(V.records[i])) for i in range(3)),
            (ZERO, True),
        )
        for key in ("x", "eps")
    }
    claim = pull_back(part(base, W, "y"), V, how)
    bounds(claim, whole, additions(3), V)
    never_less(claim, whole, additions(3), V)


@settings(max_examples=examples(15, 8), deadline=None)
@given(SEEDS, st.integers(0, 1))
def test_groups(seed: int, least: int) -> None:
    rng = Random(seed)
    base = tables.random_table(rng, ALL, least=least)
    claim = group(part(base, W, "y"))
    assert isinstance(by_rules(claim), Proved)
    for d, e in itertools.product(ALL, ALL):
        spent = [(abs(d.count(r) - e.count(r)), said(claim, r, W)) for r in range(2)]
        if any(n and at is None for n, at in spent):
            continue
        distance = sum(n * at for n, at in spent if n and at is not None)
        for o, p in base[d].items():
            q = base[e].get(o, Fraction(0))
            assert not p or (
                q
                and mplog(mpf(p.numerator) * q.denominator / (p.denominator * q.numerator))
                <= distance + mpf(10) ** -40
            )


@settings(max_examples=examples(15, 8), deadline=None)
@given(SEEDS)
def test_swaps_and_levels_for_all(seed: int) -> None:
    rng = Random(seed)
    base = tables.random_table(rng, ALL)
    most = max(q for q in worst(base, ADD).values() if q is not None)
    same = assume(W, "add-remove", log(number(most)), text="any mechanism")
    swap, single = to_swap(same), to_ahdp(same)
    assert isinstance(by_rules(swap), Proved) and isinstance(by_rules(single), Proved)
    assert all(q is not None and q <= most**2 for q in worst(base, replacements(2)).values())
    assert all(q is not None and q <= most for q in worst(base, ADD).values())
    ratios = worst(base, ADD)
    precise = part(base, W, "y")
    least = log(number(ratios[0] * ratios[1]))  # type: ignore[operator]
    assert isinstance(by_rules(CompositeClaim(precise.mechanism, "swap", least)), Proved)  # type: ignore[arg-type]
    for q in worst(base, replacements(2)).values():
        assert q is not None and isinstance(
            by_rules(
                CompositeClaim(precise.mechanism, "swap", log(number(max(Fraction(1), q * LESS))))
            ),
            Declined,
        )  # type: ignore[arg-type]


@settings(max_examples=6, deadline=None)
@given(SEEDS)
def test_normalised_laws(seed: int) -> None:
    """Scores log(weight) per record, so that all probabilities are rational."""
    rng = Random(seed)
    factor = {
        (r, o): Fraction(rng.randint(1, 6), rng.randint(1, 6)) for r in range(2) for o in range(2)
    }
    whole: Table = {}
    for d in ALL:
        weights = {o: Fraction(1) for o in range(2)}
        for r, o in itertools.product(d, range(2)):
            weights[o] *= factor[r, o]
        whole[d] = {o: w / sum(weights.values()) for o, w in weights.items()}
    sums = [
        W.sum(
            piecewise(
                *((log(number(factor[r, o])), W.condition(W.records[r])) for r in range(2)),
                (ZERO, True),
            )
        )
        for o in range(2)
    ]
    score = piecewise((sums[0], eq(name("r"), 0)), (sums[1], True))
    low, high = (
        level_of({r: f(factor[r, 0], factor[r, 1]) for r in range(2)}, W) for f in (min, max)
    )
    claim = normalised(W, [finite("r", [0, 1])], score, low, high)
    bounds(claim, whole, ADD, W)
    never_less(claim, whole, ADD, W)
    tight = level_of({r: f for r in range(2) for f in [min(factor[r, 0], factor[r, 1]) * LESS]}, W)
    wrong = normalised(W, [finite("r", [0, 1])], score, low, tight)
    assert isinstance(by_rules(wrong), Declined)


# deltas


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.filter_too_much]
)  # whether a draw can be used depends on the tables it makes
@given(SEEDS, st.fractions(0, 1, max_denominator=6))
def test_deltas(seed: int, w: Fraction) -> None:
    """Parts that keep a lower level up to their exact delta: the whole keeps the level of the
    rule up to the delta of the rule.
    """
    rng = Random(seed)
    first, second = tables.random_table(rng, ALL, 2, 0), tables.random_table(rng, ALL, 2, 0)
    factors = [Fraction(rng.randint(4, 12), 4) for _ in range(2)]

    def loose(table: Table, output: str, factor: Fraction) -> CompositeClaim:
        slack = tables.excess(table, ADD, dict.fromkeys(range(2), factor))
        return assume(W, "ahdp", log(number(factor)), delta=slack, outputs=[finite(output, [0, 1])])

    def keeps(claim: CompositeClaim, table: Table, factor: Fraction) -> None:
        assert isinstance(by_rules(claim), Proved)
        assert tables.excess(table, ADD, dict.fromkeys(range(2), factor)) <= claim_delta(claim)
        assert isinstance(
            by_rules(
                CompositeClaim(
                    claim.mechanism, "ahdp", claim.level, number(claim_delta(claim) * LESS)
                )
            ),
            Declined,
        ) or not claim_delta(claim)  # type: ignore[arg-type]

    assume_that(
        sum(
            tables.excess(t, ADD, dict.fromkeys(range(2), f))
            for t, f in zip((first, second), factors, strict=True)
        )
        <= 1
    )
    a, b = loose(first, "y", factors[0]), loose(second, "z", factors[1])
    keeps(compose(a, b), tables.composed(first, {0: second, 1: second}), factors[0] * factors[1])
    keeps(post_process(a, {"u": name("y")}), first, factors[0])
    k = number(w)
    keeps(
        subsample(a, k, level=log(number(1 + w * (factors[0] - 1)))),
        tables.sampled(first, {0: w, 1: w}),
        1 + w * (factors[0] - 1),
    )
    keeps(
        mixture((w, a), (1 - w, loose(second, "y", factors[1]))),
        tables.mixed((w, 1 - w), (first, second)),
        max(factors),
    )


def claim_delta(claim: CompositeClaim) -> Fraction:
    """The delta of a claim as a fraction."""
    (found,) = {str(claim.delta)}
    return Fraction(found)


# other relations


def spread(table: Table, moves: list[tables.Move], keyed: bool) -> dict[Hashable, Fraction]:
    """The ratios by key, or the largest for one key."""
    ratios = {k: q for k, q in worst(table, moves).items() if q is not None}
    return ratios if keyed else {0: max(ratios.values())}


LETTERS = [((i,), (j,), (i, j)) for i, j in itertools.permutations(range(3), 2)]
GRID = list(itertools.product(range(3), repeat=2))
QUERIES = {
    "one": [
        (a, b, 0)
        for a in GRID
        for b in GRID
        if sum(abs(p - q) for p, q in zip(a, b, strict=True)) == 1
    ],
    "all": [
        (a, b, 0)
        for a in GRID
        for b in GRID
        if a != b and all(abs(p - q) <= 1 for p, q in zip(a, b, strict=True))
    ],
    "increasing": [
        (a, b, 0)
        for a in GRID
        for b in GRID
        if a != b and all(0 <= q - p <= 1 for p, q in zip(a, b, strict=True))
    ],
    "decreasing": [
        (a, b, 0)
        for a in GRID
        for b in GRID
        if a != b and all(0 <= p - q <= 1 for p, q in zip(a, b, strict=True))
    ],
}
SAME_DEMAND = [m for m in replacements(3) if m[2] in ((0, 1), (1, 0))]  # of the domain V


def old_record(moves: list[tables.Move]) -> list[tables.Move]:
    return [(a, b, key[0]) for a, b, key in moves]  # type: ignore[index]


RELATIONS = {
    "any": (THREE, [(i,) for i in range(3)], LETTERS),
    "hdp": (V, datasets(3, 2), old_record([m for m in SAME_DEMAND if len(m[0]) <= 2])),  # type: ignore[arg-type]
    "swap": (W, ALL, [(a, b, 0) for a, b, _ in replacements(2)]),
    "add-remove": (W, ALL, [(a, b, 0) for a, b, _ in ADD]),
    **{key: (Queries(2), GRID, moves) for key, moves in QUERIES.items()},
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("relation", RELATIONS)
@settings(max_examples=5, deadline=None)
@given(seed=SEEDS)
def test_laws_that_keep_the_relation(relation: str, seed: int) -> None:
    rng = Random(seed)
    inputs, listed, moves = RELATIONS[relation]
    keyed = relation in ("any", "hdp")
    first, second = (tables.random_table(rng, listed) for _ in range(2))

    def known(table: Table, output: str, reads: tuple[str, ...] = ()) -> CompositeClaim:
        ratios = spread(table, moves, keyed)
        level = (
            level_between(ratios)
            if relation == "any"
            else level_of(ratios, V)
            if keyed
            else log(number(ratios[0]))
        )
        return assume(
            inputs,
            relation,
            level,
            outputs=[finite(output, [0, 1])],
            parameters={key: "" for key in reads},
        )

    reader = {y: tables.random_table(rng, listed) for y in range(2)}
    domain = V if relation == "hdp" else None
    for claim, table in (
        (
            compose(known(first, "y"), known(joined(reader), "z", ("y",))),
            tables.composed(first, reader),
        ),
        (
            product(known(first, "y"), known(second, "z")),
            tables.composed(first, {0: second, 1: second}),
        ),
        (post_process(known(first, "y"), {"u": 1 - name("y")}), first),
        (
            mixture((Fraction(1, 3), known(first, "y")), (Fraction(2, 3), known(second, "y"))),
            tables.mixed((Fraction(1, 3), Fraction(2, 3)), (first, second)),
        ),
    ):
        assert claim.relation == relation
        bounds(claim, table, moves, domain)
        for factor in (spread(table, moves, False)[0],):
            if relation != "any" and factor > 1:
                assert isinstance(
                    by_rules(
                        CompositeClaim(
                            claim.mechanism, relation, log(number(max(Fraction(1), factor * LESS)))
                        )
                    ),
                    Declined,
                )  # type: ignore[arg-type]


# universal domains: what holds of all records, those of demand oo included


U = Domain.universal({"f": "0 <= f and f <= 1"})
f, eps, t = name("f"), name("eps"), name("t")


def of(domain: Domain, level: object, output: str = "y") -> CompositeClaim:
    return assume(domain, "ahdp", level, outputs=[real(output)], text=output)


@pytest.mark.parametrize(
    ("spent", "claimed", "holds"),
    [
        (eps, eps, True),
        (eps, 2 * eps, True),
        (2 * eps, eps, False),
        (1 - exp(-eps), eps, True),
        (eps / (1 + eps), 1 - exp(-eps), True),
        (1 - exp(-eps), eps / (1 + eps), False),
        (Expression("min", (eps, number(1))), piecewise((eps, eps < 1), (1, True)), True),
        (Expression("min", (eps, number(1))), number(1), True),
        (eps, piecewise((0, eq(eps, oo)), (eps, True)), False),
        (eps, piecewise((eps, eps < oo), (0, True)), False),  # too low at demand oo alone
        (
            1 - exp(-eps),
            Expression("min", (eps, number("99/100"))),
            False,
        ),  # 1 is reached at demand oo alone
        (eps, number(5), False),
        (f, number(1), True),
        (f, number("1/2"), False),
        (f + 1, 1 + f, True),
    ],
)
def test_levels_of_all_records(spent: Expression, claimed: Expression, holds: bool) -> None:
    """Whether spent <= claimed for every eps in [0, oo] and f in [0, 1], by hand: 1 - exp(-e) <=
    e, e/(1 + e) <= 1 - exp(-e) (row 56).
    """
    found = by_rules(ahdp(compose(of(U, spent)), claimed))
    assert isinstance(found, Proved) is holds


def test_bounded_demands_leave_demand_oo_out() -> None:
    bounded = Domain.universal({"eps": "eps <= 5"})
    assert isinstance(by_rules(ahdp(compose(of(bounded, eps)), 5)), Proved)
    assert isinstance(by_rules(ahdp(compose(of(bounded, eps)), 4)), Declined)
    assert isinstance(by_rules(ahdp(compose(of(U, eps)), 5)), Declined)


def test_records_that_become_others() -> None:
    """A pulled back record must be one of the part's domain, at every demand."""
    wide = Domain.universal({"g": "1 <= g"})
    flat = Domain([(0, 1), (1, oo)])
    listed = Domain([(0, 1), (1, 1)])
    x = name("x")
    for claim, holds in (
        (pull_back(of(U, f), wide, {"f": 1 / name("g")}), True),
        (pull_back(of(U, f), wide, {"f": name("g")}), False),
        (pull_back(of(U, 2 * f), flat, {"f": x}), True),
        (pull_back(of(U, f), flat, {"f": x + 1}), False),
        (pull_back(of(U, eps), flat, {"f": x, "eps": eps / 2}), True),
        (pull_back(of(U, eps), flat, {"f": x, "eps": eps - 2}), False),
        (pull_back(of(U, f), flat, {"f": eps}), False),
        (pull_back(of(U, 1), Domain([("a", 1)]), {"f": name("x")}), False),
        (pull_back(of(listed, x), Domain([(0, 1), (1, oo), (1, 3)]), {"eps": number(1)}), True),
        (pull_back(of(listed, x), Domain([(0, 1), (1, 3)])), False),
        (pull_back(of(listed, 0), U, {"x": ZERO, "eps": number(1)}), True),
        (pull_back(of(listed, 0), U, {"x": f, "eps": number(1)}), False),
        (pull_back(of(Domain.universal({"f": FALSE}), 0), flat, {"f": x}), False),
        (
            pull_back(
                of(Domain.universal({"f": ""}), 0),
                Domain.universal({"g": ""}),
                {"f": 1 / name("g")},
            ),
            False,
        ),
    ):
        assert isinstance(by_rules(claim), Proved) is holds, claim


def test_a_record_costs_what_it_becomes() -> None:
    flat = Domain([(0, 1), (1, oo)])
    claim = pull_back(of(U, eps), flat, {"f": name("x"), "eps": eps / 2})
    short = piecewise((number("499/1000"), eq(name("x"), 0)), (oo, True))
    assert isinstance(
        by_rules(ahdp(claim, piecewise((number("1/2"), eq(name("x"), 0)), (oo, True)))), Proved
    )
    assert isinstance(by_rules(ahdp(claim, short)), Declined)
    assert isinstance(by_rules(ahdp(claim, 100)), Declined)


def test_public_parts_must_agree() -> None:
    """hdp with a public part compares fewer pairs, so it gives nothing for hdp without."""
    V2 = Domain.universal({"f": "", "g": ""})
    kept = CompositeClaim(compose(assume(V2, "hdp", eps)).mechanism, "hdp", eps, ZERO, ("g",))
    assert isinstance(by_rules(kept), Declined)
    assert isinstance(by_rules(hdp(compose(assume(V2, "hdp", eps)))), Proved)
    count = hdp(Mechanism(V, outputs=[real("n")], density=exp(-V.size), name="any"), public=("x",))
    with_public = compose(count)
    assert with_public.public == ("x",)
    assert isinstance(by_rules(hdp(with_public)), Declined)


def test_the_probabilities_of_a_mixture_with_parameters() -> None:
    for condition, holds in (("0 <= t and t <= 1", True), ("0 <= t", False), ("t <= 1", False)):
        claim = mixture((t, of(U, 1)), (1 - t, of(U, 2)), parameters={"t": condition})
        assert isinstance(by_rules(claim), Proved) is holds
        assert str(claim.delta) == "0" and str(claim.level) == "2"


def test_verify_goes_on_where_a_stand_in_has_no_meaning() -> None:
    """No instance of "any eps-AHDP mechanism" on a universal domain is tried that would have an
    infinite weight.
    """
    assert not isinstance(verify(ahdp(compose(of(U, eps), of(U, eps, "z")))), Proved)


# trees of composition rules


class Grown:
    """A random tree of composition rules and, beside it, the table of the mechanism that it
    describes when every leaf is one random table.
    """

    def __init__(self, seed: int) -> None:
        self.rng, self.leaves = Random(seed), 0

    def leaf(self, outputs: list[Output] | None = None) -> tuple[CompositeClaim, Table]:
        self.leaves += 1
        outputs = outputs or [finite(f"y{self.leaves}", [0, 1])]
        space = list(itertools.product(*(tuple(int(str(v)) for v in o.values) for o in outputs)))
        table: Table = {d: tables.random_law(self.rng, space) for d in ALL}
        return assume(
            W, "ahdp", level_of(worst(table, ADD), W), outputs=outputs, text=f"leaf {self.leaves}"
        ), table

    def tree(self, depth: int) -> tuple[CompositeClaim, Table]:
        if depth == 0:
            return self.leaf()
        claim, table = self.tree(depth - 1)
        kind = self.rng.choice(("compose", "post_process", "subsample", "mixture", "pull_back"))
        if kind == "compose":
            more, other = self.tree(depth - 1)
            joint = tables.composed(
                table, dict.fromkeys({o for law in table.values() for o in law}, other)
            )
            return compose(claim, more), tables.pushed(joint, lambda pair: (*pair[0], *pair[1]))  # type: ignore[index]
        if kind == "post_process":
            self.leaves += 1
            total = sum((name(o.name) for o in claim.mechanism.outputs), number(0))
            released = Composite(
                "post_process",
                (claim,),
                released=[finite(f"y{self.leaves}", [0, 1])],
                formulas=[total % number(2)],
            )
            return CompositeClaim(released, "ahdp", claim.level), tables.pushed(
                table, lambda o: (sum(o) % 2,)
            )  # type: ignore[call-overload]
        if kind == "subsample":
            keep = [Fraction(self.rng.randint(0, 4), 4) for _ in range(2)]
            rate = piecewise((number(keep[0]), W.condition(W.records[0])), (number(keep[1]), True))
            return subsample(claim, rate), tables.sampled(table, dict(enumerate(keep)))
        if kind == "mixture" and all(o.kind == "finite" for o in claim.mechanism.outputs):
            more, other = self.leaf(list(claim.mechanism.outputs))
            w = Fraction(self.rng.randint(0, 3), 3)
            return mixture((w, claim), (1 - w, more)), tables.mixed((w, 1 - w), (table, other))
        swapped = pull_back(claim, W, {"x": 1 - name("x"), "eps": 3 - eps})
        return swapped, tables.relabelled(table, ALL, {0: 1, 1: 0})


@settings(max_examples=examples(25, 8), deadline=None)
@given(SEEDS, st.integers(1, 3))
def test_trees_of_laws(seed: int, depth: int) -> None:
    claim, table = Grown(seed).tree(depth)
    bounds(claim, table, ADD, W)
    never_less(claim, table, ADD, W)
