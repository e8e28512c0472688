"""The decorator: arguments, options, names, real runs, claims."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ahdp_verify import ahdp, coin, dp, exp, exponential, geometric, laplace, noise_program
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.laws import Law
from ahdp_verify.programs.noise_program import NoiseProgram
from tests import field_programs as field


def test_options_are_part_of_the_name_where_they_differ_from_the_defaults() -> None:
    above = field.adaptive_sparse_vector
    assert above.name == above(count=1, margin=16).name == "adaptive_sparse_vector"
    assert above(margin=3, count=2).name == above(count=2)(margin=3).name
    assert above(margin=3, count=2).name == "adaptive_sparse_vector(count=2, margin=3)"
    assert (
        above(count=2).program().name
        == above.program(count=2).name
        == "adaptive_sparse_vector(count=2)"
    )
    assert above(count=2)(count=1) == above


def test_any_number_a_fixed_number_and_whole_answers() -> None:
    assert field.sparse_vector.program().inputs == Answers(None)
    assert field.sparse_vector.program(3).inputs == Answers(3)
    assert field.whole_sparse_vector.program(3).inputs == Answers(3, whole=True)
    assert field.whole_sparse_vector.program().inputs == Answers(None, whole=True)


def test_claims_are_made_of_functions_and_of_programs() -> None:
    above = field.sparse_vector
    claim = dp(above(count=2), "eps/2 + 1", "all")
    assert claim == ProgramClaim(above.program(count=2), "all", parse("eps/2 + 1"))
    assert dp(above, "eps", "increasing", queries=10).queries == 10
    assert dp(above.program(), "eps", "all", queries=7).n == 7
    fixed = dp(field.noisy_maximum, "eps", "all", queries=4)
    assert fixed.program.inputs == Answers(4) and fixed.queries is None
    with pytest.raises(BadInput, match="give the number of queries"):
        dp(field.noisy_maximum, "eps", "all")


def test_levels_of_records() -> None:
    @noise_program(parameters={"b": "b > 0"})
    def total(queries: Any, b: Any) -> Any:
        return queries[0] + laplace(b)

    W = Domain([(0, 1), (1, 2)])
    claim = ahdp(total.program(inputs=W, answers=["sum(x)"]), lambda x, eps: x / 1)
    assert isinstance(claim, ProgramClaim) and claim.relation == "ahdp"


def test_one_word_is_the_law_of_an_output_and_draws_in_a_program() -> None:
    assert isinstance(laplace(0, 2), Law) and isinstance(geometric(location=0, scale=2), Law)
    with pytest.raises(BadInput, match=r"write laplace\(location, scale\); laplace\(scale\) draws"):
        laplace(2)
    with pytest.raises(BadInput, match="geometric: its location or its scale is missing"):
        geometric(scale=2)
    with pytest.raises(BadInput, match="exponential: no noise program is running"):
        exponential(2)

    @noise_program(parameters={})
    def f(queries: Any) -> Any:
        return laplace(2) + laplace(scale=3)

    assert [d for d in str(f.program(1)) if d == "~"] == ["~", "~"]


def test_a_run_that_fails_leaves_no_program_running() -> None:
    @noise_program(parameters={})
    def f(queries: Any) -> Any:
        raise KeyError("here")

    with pytest.raises(BadInput, match="running it failed with KeyError: 'here'"):
        f.program(1)
    with pytest.raises(BadInput, match="no noise program is running"):
        coin(Fraction(1, 2))


def test_the_digest_is_that_of_the_source() -> None:
    function = field.sparse_vector.function
    expected = hashlib.sha256(inspect.getsource(function).encode()).hexdigest()
    assert (
        field.sparse_vector.source_digest == field.sparse_vector(count=2).source_digest == expected
    )


def test_real_runs_draw_the_laws() -> None:
    @noise_program(parameters={"b": "b > 0"})
    def f(queries: Any, b: Any) -> Iterator[Any]:
        yield laplace(b)
        yield exponential(b)
        yield geometric(b)
        yield coin(exp(-b))

    rows = np.array([[float(v) for v in row] for row in f.sample([0], 20_000, rng=1, b=2)])
    q = np.exp(-1 / 2)
    expected = [0, 2, 0, np.exp(-2)]
    spread = [np.sqrt(8), 2, np.sqrt(2 * q) / (1 - q), np.sqrt(np.exp(-2) * (1 - np.exp(-2)))]
    # within 5 standard errors of means and of standard deviations (kurtosis of at most 9)
    assert np.all(np.abs(rows.mean(axis=0) - expected) < 5 * np.array(spread) / np.sqrt(20_000))
    assert np.all(np.abs(rows.std(axis=0) / spread - 1) < 5 * np.sqrt(8 / 20_000) / 2)
    assert np.all(rows[:, 2] == np.round(rows[:, 2]))


def test_one_run_and_runs_on_given_noises() -> None:
    above = field.sparse_vector
    assert isinstance(above.sample([0], rng=3, eps=1, T=0), list)
    assert above.run_on([1, 2], [0.5, 0, 0], eps=1, T="5/2") == [False, False]
    assert above.run_on([1, 5], [0.5, 0, 0], eps=1, T="5/2", count=2) == [False, True]
    assert field.noisy_max.run_on([1, 5], [4.5, 0], eps=1) == 0
    with pytest.raises(BadInput, match=r"the parameter T has no value; give T=\.\.\."):
        above.sample([0], rng=3, eps=1)
    with pytest.raises(BadInput, match=r"eps: 0\.5 is a float, which is not exact"):
        above.sample([0], rng=3, eps=0.5, T=0)
    with pytest.raises(BadInput, match="noises: there are only 1; give more"):
        above.run_on([1, 2], [0.5], eps=1, T=0)


def positional(queries: Any, eps: Any, /) -> Any: ...
def several(*queries: Any, eps: Any) -> Any: ...
def without_queries(eps: Any) -> Any: ...
def misspelt(queries: Any, epsilon: Any) -> Any: ...
def reserved(queries: Any, eps: Any, size: int = 1) -> Any: ...
def inexact(queries: Any, eps: Any, share: float = 0.5) -> Any: ...
def remembering(queries: Any, eps: Any, seen: Any = []) -> Any: ...  # noqa: B006
async def waiting(queries: Any, eps: Any) -> Any: ...


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (positional, "positional: its arguments are not all named; leave out *, ** and /"),
        (several, "its arguments are not all named"),
        (
            without_queries,
            "its first argument is not the query answers; write def without_queries(",
        ),
        (misspelt, "the parameter eps is not among its arguments; they are epsilon"),
        (reserved, "an argument is called size; rename it"),
        (inexact, "the option share is a float; give a whole number or a Fraction"),
        (remembering, "the option seen is a list; give a number, a text"),
        (waiting, "it is not a plain function; write it with def"),
        (len, "len: it is not a plain function"),
    ],
)
def test_what_is_no_noise_program(function: Any, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        noise_program(parameters={"eps": "eps > 0"})(function)
    assert said in str(caught.value)


def test_calls_that_mean_nothing() -> None:
    above = field.sparse_vector
    with pytest.raises(BadInput, match=r"is not called with query answers; use .sample\(answers"):
        above([1, 2])
    with pytest.raises(BadInput, match="it has no option d; the options are count"):
        above(d=2)
    with pytest.raises(BadInput, match="it has no option eps"):
        above(eps=2)
    with pytest.raises(BadInput, match="0 is not a number of queries; use 1 to 10000"):
        above.program(0)
    with pytest.raises(BadInput, match="the answers are listed; leave the number out"):
        above.program(2, inputs=Domain([(1, 1)]), answers=["size"])

    @noise_program(parameters={})
    def f(queries: Any, c: int) -> Any:
        return laplace(c)

    with pytest.raises(BadInput, match=r"the option c has no value; give c=\.\.\."):
        f.program(1)
    assert f.program(1, c=2).name == "f(c=2)"


def test_a_function_without_parameters_needs_no_table_of_them() -> None:
    @noise_program
    def plain(queries: Any) -> Any:
        return queries[0] + laplace(1)

    @noise_program()
    def called(queries: Any) -> Any:
        return queries[0] + laplace(1)

    for made in (plain, called):
        assert isinstance(made, NoiseProgram) and made.program(1).parameters == ()
        assert made.run_on([2], [Fraction(1, 2)]) == Fraction(5, 2)
