"""Draws from noise programs: how often outcomes occur, and what is refused."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import pytest

from ahdp_verify import gaussian, noise_program
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import Coin, Contest, Draw, Program, Release, Stop, Tree
from ahdp_verify.kernel.terms.expression import TRUE, label, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.sampling.programs import ProgramDraws, run_program, sample_program
from tests import field_programs as field

ONE = {"eps": 1, "T": 0}


def near(count: int, size: int, p: float) -> bool:
    """Whether a count is within 5 standard deviations of what a probability gives."""
    return abs(count - size * p) <= 5 * sqrt(size * p * (1 - p)) + 1e-9


def test_the_first_query_is_above_as_often_as_the_formula_says() -> None:
    """P[q + Lap(4) >= T + Lap(2)] at q = T + d: 1 - (16 exp(-d/4) - 4 exp(-d/2))/(2 (16 - 4))."""
    size, d = 200_000, 1.0
    above = 1 - (16 * exp(-d / 4) - 4 * exp(-d / 2)) / 24
    for program in (field.sparse_vector.program(), field.sparse_vector.program(2)):
        found = sample_program(program, [1, -100], ONE, size=size, rng=7).counts()
        assert found.total() == size and near(found["true",], size, above)
        assert found["true",] + found["false", "false"] == size  # -100 is never above


def test_geometric_noise_is_two_sided_and_whole() -> None:
    size, r = 200_000, exp(-1 / 2)
    tree: Tree = Draw("z", "geometric", parse("2/eps"), Release(parse("q[1] + z"), Stop()))
    program = Program("noisy", (("eps", parse("0 < eps")),), Answers(1, whole=True), tree)
    found = sample_program(program, [4], {"eps": 1}, size=size, rng=3)
    values = Counter(found.numbers[0].tolist())
    for k in range(-3, 4):
        assert near(values[4.0 + k], size, (1 - r) / (1 + r) * r ** abs(k))
    assert all(v == int(v) for v in values)


def test_the_scale_of_gaussian_noise_is_its_standard_deviation() -> None:
    size, within_one = 100_000, 0.682689492137
    tree: Tree = Draw("z", "gaussian", parse("3"), Release(parse("q[1] + z"), Stop()))
    program = Program("noisy", (), Answers(1), tree)
    found = sample_program(program, [4], {}, size=size, rng=3)
    near_4 = Between(number(1), number(7))
    assert near(found.occurrences(OutputEvent((near_4,))), size, within_one)

    @noise_program(parameters={})
    def noisy(queries: Any) -> Any:
        return queries[0] + gaussian(3)

    own = noisy.sample([4], 20_000, 5)
    assert near(sum(1 <= value <= 7 for value in own), 20_000, within_one)


def test_gumbel_noise_makes_the_exponential_mechanism() -> None:
    size = 100_000
    found = sample_program(
        field.noisy_max.program(3, law="gumbel"), [0, 1, 2], {"eps": 2}, size=size, rng=5
    )
    weights = [exp(q) for q in (0, 1, 2)]
    places = Counter(found.numbers[0].tolist())
    assert all(near(places[float(i)], size, w / sum(weights)) for i, w in enumerate(weights))


def test_coins() -> None:
    tree = Coin(parse("exp(-eps)"), Release(label("a"), Stop()), Stop())
    program = Program("coin", (("eps", parse("0 < eps")),), Answers(1), tree)
    found = sample_program(program, [0], {"eps": 1}, size=100_000, rng=1).counts()
    assert near(found["a",], 100_000, exp(-1)) and found["a",] + found[()] == 100_000
    assert run_program(program, [0], {"eps": 1}, [[0.3], [0.4]]).outputs() == [["a"], []]


def test_outputs_keep_their_order_and_number() -> None:
    program = field.adaptive_sparse_vector.program(margin=3)
    noises = [[0, 5, 0], [0, 1, 1.5], [0, -9, -9]]
    found = run_program(program, [0, 0], ONE, [[*row, -8, -8] for row in noises])
    assert found.outputs() == [["far", 5.0], ["near", 1.5], ["false", "false"]]
    assert found.counts() == {("far", "#"): 1, ("near", "#"): 1, ("false", "false"): 1}


def test_equal_seeds_draw_equally_and_no_draw_is_a_draw() -> None:
    program = field.running_sums.program()
    first, second = (sample_program(program, [1], {"eps": 1}, size=3, rng=2) for _ in range(2))
    assert first.outputs() == second.outputs()
    assert sample_program(program, [1], {"eps": 1}, size=0, rng=2).counts() == {}
    assert ProgramDraws(2).counts() == {(): 2} and ProgramDraws(1).outputs() == [[]]


W = Domain([("a", 1), ("b", 1)])


@pytest.mark.parametrize(
    ("answers", "parameters", "said"),
    [
        ([1], {"eps": 1}, "sparse_vector: the parameter T has no value; give it one"),
        ([1], {"eps": 0, "T": 0}, "eps: 0 does not satisfy 0 < eps; change it"),
        ([1], {"eps": 0.5, "T": 0}, "eps: 0.5 is a float, which is not exact"),
        ([1, 2], ONE, "answers: there are 2; the program has 1"),
        ([0.5], ONE, "answers: 0.5 is a float, which is not exact"),
        (Multiset(W, [1, 2]), ONE, "answers: the program is given query answers; list them"),
    ],
    ids=str,
)
def test_inputs_that_do_not_fit(answers: Any, parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        sample_program(field.sparse_vector.program(1), answers, parameters, size=2)
    assert said in str(caught.value)


def test_more_inputs_that_do_not_fit() -> None:
    whole = field.whole_noisy_max.program(2)
    with pytest.raises(BadInput, match="answers: they are not whole numbers; the program expects"):
        sample_program(whole, [Fraction(1, 2), 1], {"eps": 1}, size=2)
    with pytest.raises(BadInput, match="noises: they are not a table; give a row of noises"):
        run_program(whole, [1, 1], {"eps": 1}, [1.0, 2.0])
    with pytest.raises(BadInput, match="noises: there are only 1; give more"):
        run_program(whole, [1, 1], {"eps": 1}, [[1.0]])
    counted = field.noisy_max.program(inputs=W, answers=["size", "sum(eps)"])
    with pytest.raises(BadInput, match="they are computed from records; give a Multiset of them"):
        sample_program(counted, [1, 1], {"eps": 1}, size=2)
    constant = Program("c", (("e", TRUE),), Answers(1), Stop())
    with pytest.raises(BadInput, match="size: -1 draws at once; ask for 0 to"):
        sample_program(constant, [1], {"e": 1}, size=-1)


def test_the_winner_of_any_number_of_answers_is_that_of_a_fixed_number() -> None:
    contest = Contest((("x", "laplace", parse("2/eps")),), parse("q + x"), True)
    generic = Program("gap", (("eps", parse("0 < eps")),), Answers(None), contest)
    fixed = field.noisy_max_with_gap_by_lists.program(3)
    noises = [[0.5, -2, 3], [1, 1, 1], [-4, 2, 0], [0, -1, -2]]
    both = [run_program(p, [3, 4, 2], {"eps": 1}, noises).outputs() for p in (generic, fixed)]
    assert both[0] == [[2.0, 1.5], [1.0, 1.0], [1.0, 4.0], [0.0, 0.0]]  # by hand; ties: the first
    assert both[1] == both[0]
    with pytest.raises(BadInput, match="answers: there are none; give at least one"):
        sample_program(generic, [], {"eps": 1}, size=2)


def test_outputs_are_counted_in_events() -> None:
    program = field.running_sums.program()
    found = run_program(program, [1, 2], {"eps": 1}, [[0, 0], [1, -2], [5, 5]])
    assert found.outputs() == [[1.0, 3.0], [2.0, 2.0], [6.0, 13.0]]
    low, any_number = Between(None, number(2)), Between(None, None)
    for items, increments, count in [
        ((low, any_number), False, 2),
        ((any_number, low), False, 1),
        ((any_number, low), True, 2),  # 2 and 0, not 7
        ((any_number,), False, 0),
        ((any_number, any_number, any_number), False, 0),
        ((label("yes"), any_number), False, 0),
        ((Between(number(2), number(6)), any_number), False, 2),
    ]:
        assert found.occurrences(OutputEvent(items, increments)) == count
    top = run_program(field.sparse_vector.program(2), [0, 0], ONE, [[0, 1, 0], [5, 1, 9]])
    assert top.outputs() == [["true"], ["false", "true"]]
    assert top.occurrences(OutputEvent((label("false"), label("true")))) == 1
    assert top.occurrences(OutputEvent((label("true"),))) == 1


def test_outputs_as_columns() -> None:
    top = run_program(field.sparse_vector.program(2), [0, 0], ONE, [[0, 1, 0], [5, 1, 9]])
    columns = {key: column.tolist() for key, column in top.columns().items()}
    assert columns == {"output 1": ["true", "false"], "output 2": ["", "true"]}
    sums = run_program(field.running_sums.program(), [1], {"eps": 1}, [[1], [2]])
    assert sums.columns()["output 1"].tolist() == [2.0, 3.0]
