"""Moves against the definition: on small domains the moves are exactly the pairs of neighbouring
datasets with their levels.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.errors import BadInput, Unsupported
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.neighbours import Frame, Move, frame, parameter_context
from ahdp_verify.kernel.model.replacements import dataset_moves, query_moves, value_moves
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import (
    Expression,
    Min,
    exp,
    indicator,
    label,
    log,
    name,
    number,
    oo,
    piecewise,
    substitute,
)
from tests import oracle
from tests.sweeps import examples

x, eps = name("x"), name("eps")
HERE = Context.empty()
SUMS = tuple(Expression("sum", (e,)) for e in (number(1), x, Min(eps, 1) * x - 1))
EXTREMES = (Expression("maximum", (x,)), Expression("minimum", (x * x,)), *SUMS[:1])
VALUES = [Fraction(0), Fraction(1), Fraction(-3, 2)]
DEMANDS = [number(0), number(1), number(Fraction(1, 2)), log(4), 2 * log(2), oo]
RECORDS = st.tuples(st.sampled_from(VALUES), st.sampled_from(DEMANDS))
DOMAINS = st.lists(
    RECORDS,
    min_size=1,
    max_size=3,
    unique_by=lambda r: (r[0], "log 4" if "log" in str(r[1]) else str(r[1])),
)
LEVEL = Min(eps, 2) + x**2
RELATIONS = st.sampled_from(["ahdp", "add-remove", "hdp", "swap"])
MOST = 1
Pair = tuple[Fraction, Expression]
Sides = tuple[tuple[int, ...], tuple[int, ...]]


def demand(record: Pair) -> object:
    return oracle.mpf("inf") if record[1].head == "oo" else oracle.value(record[1], {})


def body_at(body: Expression, record: Pair) -> object:
    capped = Fraction(10**9) if record[1].head == "oo" else None
    if capped is None:
        body = substitute(body, {"eps": record[1]})
    return oracle.value(body, {"x": record[0], "eps": capped or Fraction(0)})


def aggregate(node: Expression, records: list[Pair], counts: tuple[int, ...]) -> object:
    each = [
        body_at(node.args[0], r) for r, h in zip(records, counts, strict=True) for _ in range(h)
    ]
    return (
        sum(each, oracle.mpf(0))
        if node.head == "sum"
        else max(each)
        if node.head == "maximum"
        else min(each)
    )


def written(value: object) -> str:
    return (
        oracle.mp.nstr(value, 20, min_fixed=-oracle.mp.inf, max_fixed=oracle.mp.inf)
        if abs(value) > oracle.SMALL
        else "0"
    )  # type: ignore[operator]


def neighbours(
    relation: str, records: list[Pair]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], object]]:
    """Every pair (D, D') of the definition with the rest of at most MOST records, and its level."""
    n = len(records)
    for rest in itertools.product(range(MOST + 1), repeat=n):
        for i in range(n):
            one = tuple(h + (w == i) for w, h in enumerate(rest))
            if relation in ("ahdp", "add-remove"):
                yield rest, one, body_at(LEVEL, records[i]) if relation == "ahdp" else oracle.mpf(7)
                continue
            for j in range(n):
                other = tuple(h + (w == j) for w, h in enumerate(rest))
                same = (
                    demand(records[i]) == demand(records[j])
                    or abs(demand(records[i]) - demand(records[j])) < oracle.SMALL
                )  # type: ignore[operator]
                if i != j and (relation == "swap" or same):
                    yield one, other, demand(records[i]) if relation == "hdp" else oracle.mpf(7)


def level_of(relation: str) -> Expression:
    return {"ahdp": LEVEL, "hdp": eps}.get(relation, number(7))


def listed(
    relation: str, records: list[Pair], nodes: tuple[Expression, ...], counts: bool
) -> tuple[Frame, list[Move]]:
    f = frame(Domain(records), nodes, HERE, counts)
    return f, list(dataset_moves(relation, level_of(relation), f, HERE, ()))


@settings(
    max_examples=examples(40, 8), phases=(Phase.generate,)
)  # what fails is small enough, and shrinking is slow here
@given(DOMAINS, RELATIONS)
def test_moves_in_counts_are_exactly_the_neighbours(records: list[Pair], relation: str) -> None:
    _, moves = listed(relation, records, SUMS, True)
    found = set()
    for m in moves:
        assert all(
            oracle.holds(c, {f"#{w + 1}": Fraction(0) for w in range(len(records))})
            for c in m.conditions
        )
        for rest in itertools.product(range(MOST + 1), repeat=len(records)):
            at = {f"#{w + 1}": Fraction(h) for w, h in enumerate(rest)}
            sides = tuple(
                tuple(written(oracle.value(nodes[n], at)) for n in SUMS)
                for nodes in (m.before, m.after)
            )
            found.add((*sides, written(oracle.value(m.level, at))))
    wanted = {
        (*(tuple(written(aggregate(n, records, d)) for n in SUMS) for d in (a, b)), written(level))
        for a, b, level in neighbours(relation, records)
        if level != oracle.mpf("inf")
    }
    assert found == wanted


@settings(max_examples=examples(40, 8), phases=(Phase.generate,))
@given(DOMAINS, RELATIONS, st.sampled_from([SUMS, EXTREMES]))
def test_opaque_moves_cover_every_pair_of_neighbours(
    records: list[Pair], relation: str, nodes: tuple[Expression, ...]
) -> None:
    f, moves = listed(relation, records, nodes, False)
    for a, b, level in neighbours(relation, records):
        if level == oracle.mpf("inf"):
            continue
        rest = tuple(min(p, q) for p, q in zip(a, b, strict=True))
        if nodes is EXTREMES and not (sum(a) and sum(b)):
            continue
        assert any(_instance(m, f, records, rest, (a, b), level) for m in moves), (a, b, relation)


def _instance(
    m: Move, f: Frame, records: list[Pair], rest: tuple[int, ...], sides: Sides, level: object
) -> bool:
    """Whether a choice of the rest's aggregates, that satisfies all that is known of them, makes
    the move this pair.
    """
    if not oracle.near(oracle.value(m.level, {}), level):  # type: ignore[arg-type]
        return False
    free = not sum(rest)  # the extremes of no records may be anything
    choices = [
        [body_at(n.args[0], r) for r in records]
        if free and n.head != "sum"
        else [aggregate(n, records, rest)]
        for n in f.nodes
    ]
    for chosen in itertools.product(*choices):
        at = {f"@{j + 1}": Fraction(int(oracle.mp.nint(c * 64)), 64) for j, c in enumerate(chosen)}  # type: ignore[operator]
        assert all(oracle.near(oracle.real(v), c) for v, c in zip(at.values(), chosen, strict=True))
        if not all(oracle.holds(c, at) for c in m.conditions) or any(
            at[i].denominator != 1 for i in f.integers
        ):
            continue
        both = zip((m.before, m.after), sides, strict=True)
        if all(
            oracle.near(oracle.value(nodes[n], at), aggregate(n, records, d))
            for nodes, d in both
            for n in f.nodes
        ):
            return True
    return False


def test_demands_that_may_be_equal_are_moves_of_hdp() -> None:
    p, q = name("a"), name("b")
    always = (
        (log(4), 2 * log(2), True),
        (number(1), number(2), False),
        (oo, oo, False),
        (number(1), oo, False),
    )
    for a, b, wanted in (*always, (p, q, True), (p, p + 1, False)):
        domain = Domain([(0, a), (1, b)])
        f = frame(domain, SUMS[:2], HERE)
        moves = list(
            dataset_moves(
                "hdp",
                eps,
                f,
                parameter_context((("a", number(0) <= name("a")), ("b", number(0) <= name("b")))),
                (),
            )
        )
        assert bool(moves) is wanted, (str(a), str(b))


def test_public_parts_stay() -> None:
    domain = Domain([((0, "m"), 1), ((1, "m"), 1), ((1, "f"), 1)])
    f = frame(domain, (Expression("sum", (name("x[1]"),)),), HERE)
    assert len(list(dataset_moves("hdp", eps, f, HERE, ()))) == 6
    x1 = Expression("sum", (name("x[1]"),))
    kept = [(m.before[x1], m.after[x1]) for m in dataset_moves("hdp", eps, f, HERE, ("x[2]",))]
    assert len(kept) == 2 and kept[0] == kept[1][::-1]


def test_a_universal_record_may_have_an_infinite_demand() -> None:
    seen = Expression("sum", (piecewise((1, Expression("==", (eps, oo))), (0, True)),))
    U = Domain.universal({"f": "0 <= f <= 1"})
    try:
        moves = list(dataset_moves("ahdp", Min(eps, 1), frame(U, (seen,), HERE), HERE, ()))
    except (BadInput, Unsupported):
        return  # refusing to say anything is sound
    contributions = set()
    for m in moves:
        try:
            contributions.add(
                oracle.value(
                    m.after[seen], {"@1": Fraction(0), "eps": Fraction(3), "f": Fraction(0)}
                )
            )
        except KeyError:
            continue  # a comparison with oo that is still open
    assert 1 in contributions


@given(
    st.lists(
        st.sampled_from([0, 1, Fraction(5, 2), "yes", "no", label("maybe")]),
        min_size=2,
        max_size=4,
        unique_by=str,
    )
)
def test_any_value_becomes_any_other(values: list[object]) -> None:
    V = Values(values)
    level = indicator(Expression("==", (name("v"), name("other")))) + 1
    moves = list(value_moves(level, V, Context.empty()))
    pairs = {(m.before[name("v")], m.after[name("v")]) for m in moves}
    assert len(moves) == len(pairs) and pairs == set(itertools.permutations(V.values, 2))
    for m in moves:
        assert m.level == substitute(level, {"v": m.before[name("v")], "other": m.after[name("v")]})


def test_a_pair_of_values_at_level_oo_is_not_a_move() -> None:
    free = Expression(
        "or",
        (Expression("==", (name("v"), label("c"))), Expression("==", (name("other"), label("c")))),
    )
    moves = list(
        value_moves(piecewise((oo, free), (log(3), True)), Values(["a", "b", "c"]), Context.empty())
    )
    assert {(m.before[name("v")], m.after[name("v")]) for m in moves} == {
        (label("a"), label("b")),
        (label("b"), label("a")),
    }
    assert all(m.level == log(3) for m in moves)


INTERVALS = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}


CHANGES = st.sampled_from([Fraction(x) for x in ("-3/2", "-1", "-1/3", "0", "1/2", "1", "2")])


@given(st.sampled_from(sorted(INTERVALS)), st.lists(CHANGES, min_size=1, max_size=3))
def test_query_moves_are_those_of_the_definition(relation: str, change: list[Fraction]) -> None:
    n, (low, high) = len(change), INTERVALS[relation]
    legal = all(low <= d <= high for d in change) and (
        relation != "one" or sum(d != 0 for d in change) <= 1
    )
    start = {f"q[{i + 1}]": Fraction(10 + i) for i in range(n)}
    found = False
    for m in query_moves(relation, number(1), Queries(n)):
        moved = {q.args[0] for q in m.after}
        if m.before or any(d and f"q[{i + 1}]" not in moved for i, d in enumerate(change)):
            continue
        at = {**start, **{f"@d{i + 1}": d for i, d in enumerate(change)}}
        exact = all(
            oracle.value(m.after.get(name(q), name(q)), at)
            == oracle.real(v + change[int(q[2:-1]) - 1])
            for q, v in start.items()
        )
        found = found or (exact and all(oracle.holds(c, at) for c in m.conditions))
    assert found is legal


def test_infinite_weights_and_open_conditions_are_refused() -> None:
    with pytest.raises(BadInput):
        frame(Domain([(1, oo)]), (Expression("sum", (eps * x,)),), HERE)
    with pytest.raises(BadInput):
        frame(Domain([(0, 1)]), (Expression("sum", (1 / x,)),), HERE)
    with pytest.raises(Unsupported):
        frame(Domain.universal({}), SUMS[:1], HERE, counts=True)
    with pytest.raises(Unsupported):
        frame(Domain([(1, 1)]), EXTREMES, HERE, counts=True)


def test_conditions_that_are_not_understood_add_nothing() -> None:
    a = name("a")
    for condition in (
        (a < 0) | (a < 1),
        ~(a < 1),
        Expression("!=", (a, number(0))),
        1 / a < 1,
        log(a) < 1,
        exp(a) < oo,
    ):
        assert parameter_context((("a", condition),)).facts == ()
