"""The distributions of the selection family against their definitions: orders of candidates one by
one, and datasets that are nearest one by one.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.catalogue.exponential import (
    exponential_mechanism,
    permute_and_flip,
    personalised_count,
)
from ahdp_verify.files.load import load
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, log, name, number, substitute

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
EMPTY = Context.empty()
SCORES = (
    *itertools.product((0, 1, -2), repeat=2),
    (0, 0, 0),
    (1, 0, 0),
    (1, 1, -1),
    (3, -1, 2),
    (-2, 0, -1),
)


def probability(M: Mechanism, values: dict[str, Expression], outcome: int) -> Expression:
    """The distribution at one outcome, with its input and parameters put in."""
    (output,) = M.outputs
    return substitute(substitute(M.density, {output.name: number(outcome)}), values)


def rational(e: Expression) -> Fraction:
    value = normal(e, EMPTY).as_rational
    assert value is not None
    return value


# permute-and-flip, by its definition


def by_orders(accept: list[Fraction]) -> list[Fraction]:
    """Probabilities of being released: every order of the candidates alike, each accepted with
    its probability until one is.
    """
    released = [Fraction(0)] * len(accept)
    orders = list(itertools.permutations(range(len(accept))))
    for order in orders:
        left = Fraction(1, len(orders))
        for i in order:
            released[i] += left * accept[i]
            left *= 1 - accept[i]
        assert left == 0
    return released


def laws_of_permute_and_flip(n: int) -> list[Mechanism]:
    files = {
        2: ("field/permute-and-flip-two-queries.toml",),
        3: ("field/permute-and-flip-three-queries.toml",),
    }[n]
    return [permute_and_flip(n, name("e") / 2), *(load(PROOFS / f).mechanism for f in files)]


@pytest.mark.parametrize("scores", SCORES, ids=str)
def test_permute_and_flip_is_what_its_orders_give(scores: tuple[int, ...]) -> None:
    """e = log 4: a candidate k behind the first is accepted with probability 2^-k."""
    accept = [Fraction(1, 2 ** (max(scores) - q)) for q in scores]
    values = {"e": log(number(4)), **{f"q[{i}]": number(q) for i, q in enumerate(scores, 1)}}
    for M in laws_of_permute_and_flip(len(scores)):
        assert [
            rational(probability(M, values, i)) for i in range(1, len(scores) + 1)
        ] == by_orders(accept)


def test_the_public_case_of_permute_and_flip() -> None:
    """Public case SE-01: scale 2/log 4, scores (0, 0) give (1/2, 1/2), scores (1, -1) give (7/8,
    1/8), and (4/5, 1/5) by the exponential mechanism.
    """
    flip, weigh = (
        load(PROOFS / f"public/{f}.toml").mechanism
        for f in ("permute-and-flip-scale-2-over-log-4", "exponential-mechanism-scale-2-over-log-4")
    )
    one_up = {"q[1]": number(1), "q[2]": number(-1)}
    assert [
        rational(probability(flip, {"q[1]": number(0), "q[2]": number(0)}, i)) for i in (1, 2)
    ] == [Fraction(1, 2)] * 2
    assert [rational(probability(flip, one_up, i)) for i in (1, 2)] == [
        Fraction(7, 8),
        Fraction(1, 8),
    ]
    assert [rational(probability(weigh, one_up, i)) for i in (1, 2)] == [
        Fraction(4, 5),
        Fraction(1, 5),
    ]


@pytest.mark.parametrize("scores", SCORES, ids=str)
def test_the_exponential_mechanism_has_the_weights_of_its_scores(scores: tuple[int, ...]) -> None:
    weights = [Fraction(2) ** q for q in scores]
    values = {"e": log(number(4)), **{f"q[{i}]": number(q) for i, q in enumerate(scores, 1)}}
    M = exponential_mechanism(len(scores), name("e") / 2)
    assert [rational(probability(M, values, i)) for i in range(1, len(scores) + 1)] == [
        w / sum(weights) for w in weights
    ]


# the personalised exponential mechanism, by distances to all datasets


def nearest(counts: tuple[int, ...], demands: tuple[Fraction, ...], r: int) -> Fraction:
    """The least distance from a dataset, given by its counts, to one of r records: all of those
    are gone through.
    """
    others = (c for c in itertools.product(range(r + 1), repeat=len(demands)) if sum(c) == r)
    return min(
        sum((e * abs(a - b) for e, a, b in zip(demands, counts, c, strict=True)), Fraction(0))
        for c in others
    )


def check_against_distances(
    M: Mechanism, demands: tuple[Fraction, ...], half: Fraction, free: bool
) -> None:
    """The distribution at every dataset of at most three records of each demand; with `free`,
    records of demand 0 may join, as in a domain with them.
    """
    (output,) = M.outputs
    for counts in itertools.product(range(4 if len(demands) < 3 else 3), repeat=len(demands)):
        held = ((0, *counts), (Fraction(0), *demands)) if free else (counts, demands)
        weights = [exp_of(constant(-nearest(*held, r) * half)) for r in range(len(output.values))]
        at = M.density
        nodes = {node: number(total(M, node, counts)) for node in dataset_nodes(M)}
        for r, weight in enumerate(weights):
            found = normal(substitute_nodes(substitute(at, {output.name: number(r)}), nodes), EMPTY)
            assert (found * sum(weights, constant(0)) - weight).is_zero


def total(M: Mechanism, node: Expression, counts: tuple[int, ...]) -> Fraction:
    """A sum over a dataset, record by record."""
    assert isinstance(M.inputs, Domain)
    return sum(
        (
            c * rational(substitute(node.args[0], dict(r.bindings)))
            for c, r in zip(counts, M.inputs.records, strict=True)
        ),
        Fraction(0),
    )


EPS_SETS = ((1,), (1, 2), (1, 3), (0, 1), (0, 1, 3))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("demands", EPS_SETS, ids=str)
def test_personalised_exponential_files_are_what_distances_give(demands: tuple[int, ...]) -> None:
    handle, fractions = "-".join(map(str, demands)), tuple(map(Fraction, demands))
    check_against_distances(
        load(PROOFS / f"paper/personalised-exponential-demands-{handle}.toml").mechanism,
        fractions,
        Fraction(1, 2),
        free=False,
    )
    check_against_distances(
        load(
            PROOFS / f"paper/personalised-exponential-free-additions-demands-{handle}.toml"
        ).mechanism,
        fractions,
        Fraction(1),
        free=True,
    )


@pytest.mark.parametrize(
    ("demands", "half"), [((1, 2), True), ((Fraction(1, 2), 1, 4), False), ((0, 2), True)]
)
def test_personalised_count_is_what_distances_give(demands: tuple[int, ...], half: bool) -> None:
    fractions = tuple(map(Fraction, demands))
    for joining in (True, False):
        M = personalised_count(demands, 2, half=half, joining=joining)
        check_against_distances(
            M, fractions, Fraction(1, 2) if half else Fraction(1), free=not joining
        )


# presence counts, by all sets of users (public case HE-05)


@pytest.mark.parametrize(
    ("file", "half"),
    [
        ("personalised-exponential-two-users", Fraction(1, 2)),
        ("personalised-exponential-two-users-not-halved", Fraction(1)),
        ("personalised-exponential-three-users", Fraction(1, 2)),
    ],
)
def test_presence_counts_are_what_distances_give(file: str, half: Fraction) -> None:
    M = load(PROOFS / f"public/{file}.toml").mechanism
    assert isinstance(M.inputs, Domain)
    demands, (output,) = [rational(r.demand) for r in M.inputs.records], M.outputs
    users = range(len(demands))
    sets = [frozenset(c) for k in range(len(demands) + 1) for c in itertools.combinations(users, k)]
    for held in sets:
        cost = [
            min(sum(demands[i] for i in held ^ other) for other in sets if len(other) == r)
            for r in range(len(output.values))
        ]
        weights = [exp_of(constant(-c * half)) for c in cost]
        nodes = {
            node: number(total(M, node, tuple(int(i in held) for i in users)))
            for node in dataset_nodes(M)
        }
        for r, weight in enumerate(weights):
            found = normal(
                substitute_nodes(substitute(M.density, {output.name: number(r)}), nodes), EMPTY
            )
            assert (found * sum(weights, constant(0)) - weight).is_zero
