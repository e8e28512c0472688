"""The stored witnesses of the paper's claims against the definition: levels recomputed in fractions
on all small datasets.

The distributions are stated here again, from the paper (claim:1 to claim:3) and from its repairs;
the fractions in the table are those of the referee notes on claim:2. A box of datasets that reaches
two beyond t shows the largest ratio, since beyond t + 1 nothing changes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.numbers.algebra import exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, log, number, substitute

PAPER = Path(__file__).resolve().parents[2] / "proofs" / "paper"
Dataset = tuple[int, ...]
Law = Callable[[Dataset], dict[object, Fraction]]

TABLE = {  # (k, t, 1/q): excess inside H_t, excess on all datasets
    (1, 2, 2): ("8/7", "8/7"),
    (1, 3, 2): ("6/5", "6/5"),
    (1, 4, 2): ("38/31", "38/31"),
    (1, 8, 2): ("638/511", "638/511"),
    (1, 2, 3): ("15/13", "15/13"),
    (2, 1, 2): ("8/7", "7/5"),
    (2, 1, 3): ("15/13", "13/7"),
    (2, 2, 2): ("46/35", "28/17"),
    (2, 4, 2): ("306/217", "78/43"),
    (3, 1, 2): ("5/4", "11/7"),
}


def weights(q: tuple[Fraction, ...], t: int) -> Law:
    """M' with nothing seen: y in H_t with probability proportional to the product of q_x^|h_x -
    y_x|.
    """
    guesses = [y for y in itertools.product(range(t + 1), repeat=len(q)) if sum(y) <= t]

    def law(h: Dataset) -> dict[object, Fraction]:
        weight = {y: Fraction(1) for y in guesses}
        for y in guesses:
            for x, a, b in zip(q, h, y, strict=True):
                weight[y] *= x ** abs(a - b)
        return {y: w / sum(weight.values()) for y, w in weight.items()}

    return law


def additions(k: int, most: int, size: int | None = None) -> Iterator[tuple[Dataset, Dataset, int]]:
    """Pairs of datasets in a box, the second with one record more, and that record."""
    for h in itertools.product(range(most + 1), repeat=k):
        for x in range(k):
            larger = tuple(c + (i == x) for i, c in enumerate(h))
            if size is None or sum(larger) <= size:
                yield h, larger, x


def worst(law: Law, k: int, most: int, size: int | None = None) -> list[Fraction]:
    """The largest ratio of probabilities that adding each record causes, in either direction."""
    found = [Fraction(0)] * k
    laws: dict[Dataset, dict[object, Fraction]] = {}
    for h, larger, x in additions(k, most, size):
        p, r = (laws.setdefault(d, law(d)) for d in (h, larger))
        found[x] = max(found[x], *(max(p[y] / r[y], r[y] / p[y]) for y in p))
    return found


def factor(level: Expression, **values: Expression) -> Fraction:
    """exp(level) at values of its names."""
    result = exp_of(normal(substitute(level, values), Context.empty())).as_rational
    assert result is not None
    return result


def stored(file: str) -> dict[str, Expression]:
    """The levels of a stored file's claims that it expects to be proved, by name."""
    loaded = load(PAPER / f"{file}.toml")
    return {
        note.name: claim.level
        for claim, note in zip(loaded.claims, loaded.notes, strict=True)
        if note.expect == "proved"
    }


def weights_file(k: int, t: int, weight: str, inside: bool) -> str:
    """The file of M' of claim:2 for k values and at most t more records, on all datasets or on
    those of at most t records.
    """
    values = "1-value" if k == 1 else f"{k}-values"
    return f"multiset-weights-{values}-{t}-more-{weight}{'-small-datasets' if inside else ''}"


@pytest.mark.parametrize(("k", "t", "d"), TABLE)
@pytest.mark.parametrize("inside", [True, False])
def test_every_row_of_the_table_has_the_level_that_the_definition_gives(
    k: int, t: int, d: int, inside: bool
) -> None:
    q = Fraction(1, d)
    ratio = max(worst(weights((q,) * k, t), k, t + 1, t if inside else None))
    assert ratio == Fraction(TABLE[k, t, d][0 if inside else 1]) / q
    assert (
        factor(stored(weights_file(k, t, {2: "q-half", 3: "q-third"}[d], inside))["exact level"])
        == ratio
    )


@pytest.mark.sweep(7)
@pytest.mark.parametrize("d", [2, 3, 10])
@pytest.mark.parametrize(
    ("file", "k", "t", "inside"),
    [
        ("multiset-weights-sizes-0-to-2-as-printed", 1, 2, False),
        *((weights_file(1, t, "every-eps", False), 1, t, False) for t in (3, 4, 8)),
        *((weights_file(k, 1, "every-eps", True), k, 1, True) for k in (2, 3, 4)),
        *((weights_file(k, 1, "every-eps", False), k, 1, False) for k in (2, 3, 4)),
    ],
)
def test_a_level_for_all_eps_is_the_one_of_the_definition_at_single_eps(
    file: str, k: int, t: int, inside: bool, d: int
) -> None:
    ratio = max(worst(weights((Fraction(1, d),) * k, t), k, t + 1, t if inside else None))
    assert factor(stored(file)["exact level"], e=log(number(d))) == ratio


def test_one_value_and_one_more_record_is_the_only_row_without_excess() -> None:
    assert worst(weights((Fraction(1, 2),), 1), 1, 3) == [2]
    assert factor(stored("multiset-weights-1-value-1-more-q-half")["as stated"]) == 2
    assert all(Fraction(x) > 1 for row in TABLE.values() for x in row)


@pytest.mark.parametrize(("inside", "excess"), [(True, Fraction(11, 9)), (False, Fraction(5, 3))])
def test_the_weighted_version_has_the_levels_of_the_definition(
    inside: bool, excess: Fraction
) -> None:
    q = (Fraction(1, 2), Fraction(1, 3))
    ratios = worst(weights(q, 1), 2, 3, 1 if inside else None)
    assert max(r * x for r, x in zip(ratios, q, strict=True)) == excess
    level = stored(f"multiset-weights-unequal-demands{'-small-datasets' if inside else ''}")[
        "exact level"
    ]
    assert [factor(level, x=number(x)) for x in (1, 2)] == ratios


def guesses(q: tuple[Fraction, ...], seen: Dataset, simple: bool = False) -> Law:
    """The repaired witness: the row of the added value whose demand is largest, or (simple) of
    "nothing" once there are two records more.
    """
    total = 1 + sum(q)

    def law(h: Dataset) -> dict[object, Fraction]:
        more = [max(a - b, 0) for a, b in zip(h, seen, strict=True)]
        added = [x for x, c in enumerate(more) if c]
        row = (
            max(added, key=lambda x: (-q[x], x), default=None)
            if not simple or sum(more) < 2
            else None
        )
        if row is None:
            return {None: 1 / total, **{x: q[x] / total for x in range(len(q))}}
        return {
            None: q[row] / total,
            **{x: (1 if x == row else q[x]) / total for x in range(len(q))},
        }

    return law


@pytest.mark.parametrize("seen", [(0, 0, 0), (0, 2, 1)])
def test_the_repaired_guess_keeps_every_demand_and_uses_it_up(seen: Dataset) -> None:
    q = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 7))
    assert worst(guesses(q, seen), 3, 3) == [2, 3, 7]


def test_the_simpler_guess_keeps_equal_demands_only() -> None:
    assert worst(guesses((Fraction(1, 2), Fraction(1, 2)), (0, 0), simple=True), 2, 3) == [2, 2]
    assert worst(guesses((Fraction(1, 2), Fraction(1, 3)), (0, 0), simple=True), 2, 3)[0] == 3


@pytest.mark.parametrize(
    ("seen", "file"),
    [
        ((1, 0), "2-records-2"),
        ((1, 1), "3-records-2"),
        ((1, 0, 1), "3-records-3"),
        ((1, 0, 0, 0), "2-records-4"),
    ],
)
def test_randomised_response_on_the_hypotheses_keeps_the_swap_level(
    seen: Dataset, file: str
) -> None:
    k, q = len(seen), Fraction(1, 3)

    def law(h: Dataset) -> list[Fraction]:
        gaps = [a - b for a, b in zip(h, seen, strict=True)]
        if sorted(gaps) != [0] * (k - 1) + [1]:
            return [Fraction(1, k)] * k
        return [(1 if g else q) / (1 + (k - 1) * q) for g in gaps]

    datasets = [
        h for h in itertools.product(range(sum(seen) + 2), repeat=k) if sum(h) == sum(seen) + 1
    ]
    pairs = [
        (g, h)
        for g in datasets
        for h in datasets
        if sorted(b - a for a, b in zip(g, h, strict=True)) == [-1, *[0] * (k - 2), 1]
    ]
    ratio = max(p / r for g, h in pairs for p, r in zip(law(g), law(h), strict=True))
    assert (
        ratio
        == 1 / q
        == factor(stored(f"randomised-response-{file}-values")["as stated"], e=log(number(3)))
    )
