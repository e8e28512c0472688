"""The graph of a claim against the definitions of its relation, applied to lists of records in
place of counts, and the examples of the paper's section 2.4.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

from ahdp_verify import (
    BadInput,
    Domain,
    Multiset,
    Queries,
    ahdp,
    dp,
    eq,
    exp,
    hdp,
    indicator,
    integer,
    log,
    name,
    oo,
    real,
)
from ahdp_verify.analysis.power.graph import MOST, datasets_of_sizes, neighbour_graph
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Abs, number

n, s = integer("n"), real("s")
COUPLED = Domain([(1, 0), (0, oo)])  # ex:swap-dp
MIXED = Domain([(1, 0), (0, 1), (1, 1), (0, oo), (1, oo), (2, log(2))])


def length(domain: Domain, **options: Any) -> Mechanism:
    return Mechanism(
        domain, outputs=[n], density=indicator(eq(n, domain.size)), name="length", **options
    )


def pairs(of: Any) -> set[frozenset[Multiset]]:
    return {frozenset((of.nodes[e.first], of.nodes[e.second])) for e in of.edges}


def replaced(domain: Domain, size: int, *, keeps_demand: bool) -> set[frozenset[Multiset]]:
    """Def. 1 (swap) and def:hetDP on vectors of users: exactly one user has another record,
    under HDP with the same demand, which is not oo.
    """
    found = set()
    for users in itertools.product(domain.records, repeat=size):
        for i, new in itertools.product(range(size), domain.records):
            old = users[i]
            if new != old and (not keeps_demand or (new.demand == old.demand and old.demand != oo)):
                found.add(
                    frozenset(
                        (
                            Multiset(domain, Counter(users)),
                            Multiset(domain, Counter([*users[:i], new, *users[i + 1 :]])),
                        )
                    )
                )
    return found


@pytest.mark.parametrize("size", [1, 2, 3])
def test_replacements_are_those_of_the_definitions(size: int) -> None:
    assert pairs(neighbour_graph(hdp(length(MIXED)), [size])) == replaced(
        MIXED, size, keeps_demand=True
    )
    assert pairs(neighbour_graph(dp(length(MIXED), 1, "swap"), [size])) == replaced(
        MIXED, size, keeps_demand=False
    )


def test_additions_are_those_of_the_definition() -> None:
    """def:newDP: D and D + {(x, eps)}; where the level is oo nothing is claimed."""
    found = neighbour_graph(ahdp(length(MIXED)), range(3))
    wanted = {
        frozenset((D, D + Multiset(MIXED, [r])))
        for D in datasets_of_sizes(MIXED, [0, 1])
        for r in MIXED.records
        if r.demand != oo
    }
    assert pairs(found) == wanted and len(found.edges) == len(wanted)
    assert {str(e.level) for e in found.edges} == {"0", "1", "log(2)"}
    everything = neighbour_graph(dp(length(MIXED), 1), range(3))
    assert len(everything.edges) == 6 + 6 * 6 and len(everything.components) == 1


def test_of_the_coupled_records_no_dataset_has_a_neighbour() -> None:
    """ex:swap-dp and the text after it (STATEMENTS rows 9 and 11): nobody can have other data
    and the same demand.
    """
    found = neighbour_graph(hdp(length(COUPLED)), [4])
    assert found.edges == () and found.isolated == found.nodes and len(found.nodes) == 5


def test_one_dataset_is_isolated_where_only_perfect_privacy_gives_the_data_away() -> None:
    W = Domain([(1, 0), (0, 1), (1, 1)])
    found = neighbour_graph(hdp(length(W)), [3])
    assert [str(D) for D in found.isolated] == ["{3 x (1, 0)}"]
    assert sorted(map(len, found.components)) == [1, 2, 3, 4]
    together = neighbour_graph(ahdp(length(W)), [2, 3])
    assert together.isolated == () and len(together.components) == 1


def test_public_parts_stay() -> None:
    W = Domain([((0, 0), 1), ((0, 1), 1), ((1, 0), 1)])
    assert len(neighbour_graph(hdp(length(W)), [1]).edges) == 3
    (edge,) = neighbour_graph(hdp(length(W), public=("x[1]",)), [1]).edges
    assert (edge.first, edge.second) == (0, 1)


def test_datasets_without_a_law_are_not_nodes() -> None:
    found = neighbour_graph(ahdp(length(COUPLED, defined="size >= 1")), range(3))
    assert [D.size for D in found.nodes] == [1, 1, 2, 2, 2]


def test_levels_may_depend_on_parameters() -> None:
    W = Domain([(1, name("d")), (0, name("d"))])
    (edge,) = neighbour_graph(hdp(length(W, parameters={"d": "d > 0"})), [1], {"d": "1/2"}).edges
    assert edge.level == number("1/2")


@pytest.mark.parametrize("sizes", [[-1], ["2"], [True], [1, None]])
def test_sizes_that_are_none_are_refused(sizes: list[Any]) -> None:
    with pytest.raises(BadInput, match="is not a number of records"):
        neighbour_graph(hdp(length(COUPLED)), sizes)


def test_too_many_datasets_are_refused() -> None:
    with pytest.raises(BadInput, match=f"there are {MOST + 1} datasets"):
        neighbour_graph(hdp(length(COUPLED)), [MOST])


def test_datasets_that_are_not_listed_are_refused() -> None:
    U = Domain.universal(unknowns={"x": "0 <= x"})
    answers = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2)
    for claim in (ahdp(length(U)), dp(answers, 1, "one")):
        with pytest.raises(BadInput, match="not listed"):
            neighbour_graph(claim, [1])


def test_missing_parameters_are_reported() -> None:
    with pytest.raises(BadInput, match="no value for d"):
        neighbour_graph(hdp(length(Domain([(1, name("d"))]), parameters={"d": "d > 0"})), [1])
