"""The graph of neighbouring datasets of a claim: its nodes are datasets, its edges the moves (steps
between neighbouring datasets) along which the claim bounds the output distribution.

A privacy claim says nothing about two datasets that no path joins; a dataset without an edge may be
distinguishable from all others (paper, section 2.4: "a disconnected node in the graph"). Whether
two datasets are one move apart is decided by the function that the checker uses when it checks a
refutation; a move of level oo bounds nothing, so it is not an edge.

>>> from ahdp_verify.kernel.terms.expression import eq, indicator
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import integer
>>> from ahdp_verify.kernel.model.privacy import hdp
>>> W, n = Domain([(1, 0), (0, 1), (1, 1)]), integer("n")
>>> length = Mechanism(W, outputs=[n], density=indicator(eq(n, W.size)))
>>> found = neighbour_graph(hdp(length), [2])
>>> [str(D) for D in found.nodes if D not in found.isolated]
['{(1, 0), (0, 1)}', '{(1, 0), (1, 1)}', '{2 x (0, 1)}', '{(0, 1), (1, 1)}', '{2 x (1, 1)}']
>>> [str(D) for D in found.isolated], len(found.components)
(['{2 x (1, 0)}'], 3)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ahdp_verify.analysis.inputs import checker_input, law_at_input
from ahdp_verify.analysis.power.threat_models import integer_compositions
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.counterexample import Counterexample, level_of_move
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Expression, oo

MOST = 500  # datasets; every pair of them is compared


@dataclass(frozen=True, slots=True)
class Edge:
    """Two nodes, by their numbers, that are one move apart, and the level that the claim has for
    it.
    """

    first: int
    second: int
    level: Expression


@dataclass(frozen=True, slots=True)
class NeighbourGraph:
    """The datasets of the sizes that were asked for at which the mechanism is defined, and the
    moves between them.
    """

    nodes: tuple[Multiset, ...]
    edges: tuple[Edge, ...]

    @property
    def isolated(self) -> tuple[Multiset, ...]:
        """The datasets that are compared with no other one."""
        return tuple(part[0] for part in self.components if len(part) == 1)

    @property
    def components(self) -> tuple[tuple[Multiset, ...], ...]:
        """The nodes in groups: a path of moves joins two datasets if and only if they are in one
        group.
        """
        group = list(range(len(self.nodes)))
        for edge in self.edges:
            old, new = group[edge.second], group[edge.first]
            group = [new if g == old else g for g in group]
        return tuple(
            tuple(D for D, g in zip(self.nodes, group, strict=True) if g == one)
            for one in dict.fromkeys(group)
        )


def neighbour_graph(
    claim: Claim, sizes: Iterable[int], parameters: Mapping[str, object] | None = None
) -> NeighbourGraph:
    """The graph of a claim on the datasets of the given sizes (numbers of records).

    Raises BadInput for a claim that is not about datasets of listed records, for invalid sizes, and
    for too many datasets.
    """
    domain = claim.mechanism.inputs
    if not isinstance(domain, Domain) or domain.is_universal:
        raise BadInput(
            "graph", "the datasets of this claim are not listed", "use a mechanism on Domain([...])"
        )
    nodes = [D for D in datasets_of_sizes(domain, sizes) if _is_defined(claim, D, parameters)]
    edges = (
        _edge_between(claim, i, j, nodes, parameters or {})
        for i, j in itertools.combinations(range(len(nodes)), 2)
    )
    return NeighbourGraph(tuple(nodes), tuple(e for e in edges if e is not None))


def datasets_of_sizes(domain: Domain, sizes: Iterable[int]) -> list[Multiset]:
    """All datasets of the given sizes."""
    listed, width = tuple(dict.fromkeys(sizes)), len(domain.records)
    for n in listed:
        if not isinstance(n, int) or isinstance(n, bool) or n < 0:
            raise BadInput(
                "sizes",
                f"{str(n)[:40]} is not a number of records",
                "give whole numbers from 0, for example range(4)",
            )
    if (count := sum(math.comb(n + width - 1, n) for n in listed)) > MOST:
        raise BadInput(
            "sizes",
            f"there are {count} datasets of these sizes",
            f"ask for smaller ones (at most {MOST} datasets)",
        )
    return [Multiset(domain, counts) for n in listed for counts in integer_compositions(n, width)]


def _is_defined(claim: Claim, D: Multiset, parameters: Mapping[str, object] | None) -> bool:
    """Whether the mechanism has a distribution at a dataset."""
    checker_input(
        claim.mechanism, D, parameters or {}
    )  # bad parameters are reported, not taken for a dataset without a distribution
    try:
        law_at_input(claim.mechanism, D, parameters)
    except BadInput:
        return False
    return True


def _edge_between(
    claim: Claim, i: int, j: int, nodes: list[Multiset], parameters: Mapping[str, object]
) -> Edge | None:
    """The edge between two datasets, None if they are not one move apart or the claim has no
    bound for it.
    """
    (_, first), (_, second) = (checker_input(claim.mechanism, nodes[k], parameters) for k in (i, j))
    try:
        level = level_of_move(
            claim, Counterexample(first.parameters, (), first.first, second.first, Event())
        )
    except Rejected:
        return None
    return None if level == oo else Edge(i, j, level)
