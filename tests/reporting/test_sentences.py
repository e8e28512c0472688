"""The sentences of a report are true: the change of the input that each names is the change that
the checker's relation compares, read here from the words alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from ahdp_verify import (
    Domain,
    Mechanism,
    Queries,
    Values,
    ahdp,
    assume,
    dp,
    exp,
    hdp,
    log,
    name,
    oo,
    real,
)
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.counterexample import Counterexample, level_of_move
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.terms.expression import Abs, number
from ahdp_verify.reporting.numbers import constant_value
from ahdp_verify.reporting.sentences import belief, largest_level, protection
from ahdp_verify.search.compose import group

s = real("s")
Side = tuple[Fraction, ...]
# records (value, demand): two values at demand 1, one of them at demand 2 too
RECORDS = ((0, 1), (1, 1), (1, 2))
W = Domain(RECORDS)
NOISE = exp(-Abs(s - W.size)) / 2
PEOPLE = Mechanism(W, outputs=[s], density=NOISE, name="size")
DATASETS: list[Side] = [
    tuple(map(Fraction, counts)) for counts in itertools.product(range(3), repeat=3)
]
VALUES: list[Side] = [(Fraction(v),) for v in range(3)]
ANSWERS: list[Side] = [
    tuple(pair)
    for pair in itertools.product(
        (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)), repeat=2
    )
]


def said(claim: Claim) -> str:
    return "".join(map(str, protection(claim)))


def gaps(a: Side, b: Side) -> list[Fraction]:
    return [y - x for x, y in zip(a, b, strict=True)]


def one_more_or_less(a: Side, b: Side) -> bool:
    return sorted(map(abs, gaps(a, b))) == [0, 0, 1]


def one_other(a: Side, b: Side) -> bool:
    return sorted(gaps(a, b)) == [-1, 0, 1]


def one_other_value(a: Side, b: Side) -> bool:
    moved = [RECORDS[i][1] for i, gap in enumerate(gaps(a, b)) if gap]
    return one_other(a, b) and len(set(moved)) == 1


def one_moves(a: Side, b: Side) -> bool:
    moved = [gap for gap in gaps(a, b) if gap]
    return len(moved) == 1 and abs(moved[0]) <= 1


def each_moves(a: Side, b: Side) -> bool:
    return a != b and all(abs(gap) <= 1 for gap in gaps(a, b))


def same_direction(a: Side, b: Side) -> bool:
    found = gaps(a, b)
    return each_moves(a, b) and (all(g >= 0 for g in found) or all(g <= 0 for g in found))


# the words of a sentence, and which pairs they describe
READINGS: dict[str, Callable[[Side, Side], bool]] = {
    "Adding one person's record to a dataset, or removing it,": one_more_or_less,
    "Adding one person's record (a value with a privacy demand) to a dataset, or removing it,": one_more_or_less,
    "Replacing one person's record in a dataset by any other record of the domain": one_other,
    "Changing the value in one person's record, while its privacy demand, which is public, stays as it is,": one_other_value,
    "Changing one of the 2 query answers by at most 1, while the others stay,": one_moves,
    "Changing each of the 2 query answers by at most 1, up or down,": each_moves,
    "Changing each of the 2 query answers by at most 1, all in the same direction (some may stay),": same_direction,
    "For a person who reports alone, having one of the 3 possible values (v) rather than a different one (other)": lambda a, b: (
        a != b
    ),
}
TWO = Mechanism(
    Queries(2), outputs=[s], density=exp(-Abs(s - name("q[1]") - name("q[2]"))) / 2, name="sum"
)
LOCAL = Mechanism(
    Values([0, 1, 2]), outputs=[s], density=exp(-Abs(s - name("v"))) / 2, name="local"
)
CLAIMS = [
    *(
        (claim, DATASETS)
        for claim in (ahdp(PEOPLE), hdp(PEOPLE), dp(PEOPLE, 1), dp(PEOPLE, 1, "swap"))
    ),
    *((dp(TWO, 1, relation), ANSWERS) for relation in ("one", "all", "increasing", "decreasing")),
    (dp(LOCAL, 1, "any"), VALUES),
]


@pytest.mark.parametrize(("claim", "sides"), CLAIMS, ids=lambda x: getattr(x, "relation", ""))
def test_a_sentence_names_the_neighbours_of_its_relation(claim: Claim, sides: list[Side]) -> None:
    (reading,) = [READINGS[words] for words in READINGS if said(claim).startswith(f"{words} makes")]
    both = [
        tuple(tuple(map(number, side)) for side in pair)
        for pair in itertools.product(sides, repeat=2)
    ]
    for (a, b), (first, second) in zip(itertools.product(sides, repeat=2), both, strict=True):
        try:
            level_of_move(claim, Counterexample((), (), first, second, Event()))
            compared = True
        except Rejected:
            compared = False
        assert compared == reading(a, b), (claim.relation, a, b)


def test_the_factor_and_whose_level_it_is() -> None:
    assert said(ahdp(PEOPLE)).endswith(
        "makes no set of outputs more than exp(eps) times as likely as before, where eps is the "
        "privacy demand of this record."
    )
    assert said(ahdp(PEOPLE, lambda x, eps: x * eps)).endswith(
        "where x, eps belong to this record."
    )
    assert said(hdp(PEOPLE)).endswith("where eps is the privacy demand of this record.")
    assert said(dp(PEOPLE, log(2))).endswith("; exp(log(2)) is exactly 2.")
    assert said(dp(PEOPLE, Fraction(1, 2))).endswith("; exp(1/2) is between 1.64872 and 1.64873.")
    assert said(dp(PEOPLE, oo)).endswith(
        "exp(oo) times as likely as before; a level of oo allows everything."
    )


def test_a_delta_conditions_and_where_it_is_defined_are_part_of_the_sentence() -> None:
    eps = name("e")
    some = Mechanism(
        W,
        outputs=[s],
        density=exp(-Abs(s - W.size) * eps) * eps / 2,
        parameters={"e": "0 < e and e < 1"},
        defined="size >= 1",
    )
    text = said(dp(some, eps, delta=Fraction(1, 10)))
    assert ", up to an additional probability of delta = 1/10" in text
    assert text.endswith(", whenever 0 < e and e < 1, where both inputs satisfy 1 <= size.")


def test_parts_that_stay_public() -> None:
    pairs = Domain([((0, 0), 1), ((1, 0), 1)])
    claim = hdp(
        Mechanism(pairs, outputs=[s], density=exp(-Abs(s - pairs.size)) / 2), public=("x[2]",)
    )
    assert said(claim).startswith(
        "Changing the value in one person's record, while its privacy demand and x[2], which are "
        "public, stay as they are, makes no set of outputs"
    )


def test_any_two_datasets() -> None:
    claim = group(assume(W, "ahdp", name("eps")))
    text = "".join(map(str, protection(claim)))
    assert text.startswith(
        "Replacing a dataset by any other one makes no set of outputs more than exp(d)"
    )
    assert "d adds up the level eps of every record by which the two datasets differ" in text


def test_an_answer_alone() -> None:
    one = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2)
    assert said(dp(one, 1, "all")).startswith("Changing the one query answer by at most 1 makes")


def test_what_can_be_believed_is_rounded_up() -> None:
    """From even odds to odds of exp(level) at most: exp(1)/(1 + exp(1)) = 0.7310585..."""
    level = constant_value(number(1))
    assert level is not None
    (shown,) = re.findall(r"more likely than ([0-9.]+) after it", belief(level, several=False))
    assert shown == "0.731059"


def test_the_largest_of_several_levels() -> None:
    largest = largest_level([number(1), log(3), number(Fraction(1, 2))])
    assert largest == constant_value(log(3))
    assert largest_level([number(1), oo]) is None
    assert largest_level([number(1), name("e")]) is None
    assert largest_level([]) is None
