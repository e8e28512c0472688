"""`return argmax(... for q in queries)`: a program for any number of queries, and what is not
one.
"""

from __future__ import annotations

import functools
import gc
import itertools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import argmax, coin, exponential, geometric, laplace, noise_program
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.program import Contest, Program
from ahdp_verify.kernel.model.program_paths import Path, PathTable
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.programs.numbers import GivenRun
from ahdp_verify.sampling.programs import run_program, sample_program
from ahdp_verify.search.verify import verify

KEPT: list[Any] = []
EPS = {"eps": "eps > 0"}
GIVE = "or give the number of queries"
HALF = Fraction(1, 2)
DRAWN = (("z1", "laplace", parse("2/eps")),)


def program(function: Callable[..., Any], **options: Any) -> Program:
    """The program that a function of queries and eps is on any number of queries."""
    return noise_program(parameters=EPS)(function).program(**options)


def refusal(function: Callable[..., Any]) -> str:
    """Why it is none."""
    with pytest.raises(BadInput) as caught:
        program(function)
    return str(caught.value)


# what is understood


@noise_program(parameters=EPS)
def noisy_max(queries: Any, eps: Any) -> int:
    """The place of the greatest."""
    return argmax(q + laplace(2 / eps) for q in queries)


@noise_program(parameters=EPS)
def with_gap(queries: Any, eps: Any) -> Any:
    """The place of the greatest, and by how much it leads."""
    return argmax((q + laplace(2 / eps) for q in queries), gap=True)


def test_argmax_over_all_queries_is_a_contest() -> None:
    assert noisy_max.program().start == Contest(DRAWN, parse("q + z1"), False)
    assert with_gap.program().start == Contest(DRAWN, parse("q + z1"), True)
    assert noisy_max.program().inputs.n is None


def test_options_helpers_and_several_noises() -> None:
    def noise(scale: Any, times: int) -> Any:
        return sum(exponential(scale) for _ in range(times))

    def f(queries: Any, eps: Any, times: int = 2, gap: bool = False, c: int = 3) -> Any:
        if c == 4:
            return argmax((q for q in queries), gap=gap)
        scale = 2 / eps
        return argmax((c * q - laplace(1) / 2 + noise(scale, times) for q in queries), gap=gap)

    found = program(f, gap=True).start
    assert isinstance(found, Contest) and found.gap
    assert [law for _, law, _ in found.draws] == ["laplace", "exponential", "exponential"]
    assert found.value == program(f).start.value  # type: ignore[union-attr]
    assert str(found.value) == "3*q - z1/2 + z2 + z3"
    assert program(f, c=4).start == Contest((), parse("q"), False)


def test_a_parameter_called_like_a_noise() -> None:
    @noise_program(parameters={"z1": "z1 > 0"})
    def f(queries: Any, z1: Any) -> Any:
        return argmax(q + laplace(z1) for q in queries)

    start = f.program().start
    assert isinstance(start, Contest) and start.draws[0][0] not in ("z1", "q")


@pytest.mark.parametrize("decided", [noisy_max, with_gap], ids=str)
def test_it_is_proved_for_any_number_of_answers(decided: Any) -> None:
    """Report noisy max, and with gap (Ding, Wang, Zhang, Kifer 2019): eps, or eps/2 in one
    direction.
    """
    for relation, level in (("all", "eps"), ("increasing", "eps/2")):
        proved = verify(dp(decided, level, relation))
        assert proved.outcome == "proved"
        assert "scope: all inputs, any number of answers" in str(proved)
    assert verify(dp(decided, "99/100*eps", "all")).outcome == "refuted"


def test_whole_answers() -> None:
    @noise_program(parameters=EPS, whole=True)
    def f(queries: Any, eps: Any) -> int:
        return argmax(q + geometric(2 / eps) for q in queries)

    assert verify(dp(f, "eps", "all")).outcome == "proved"
    assert f.run_on([1, 2, 2], [1, 0, 0], eps=1) == 0  # the first among equals


# the same in every form


def by_hand(answers: list[float], noises: list[float], gap: bool) -> list[float]:
    """The place of the first greatest sum, from 0, and what it exceeds the next by."""
    ordered = sorted(range(len(answers)), key=lambda i: (-(answers[i] + noises[i]), i))
    sums = [answers[i] + noises[i] for i in ordered]
    return [float(ordered[0]), *([sums[0] - sums[1]] if gap and len(sums) > 1 else [])]


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("gap", [False, True])
def test_function_contest_and_tree_release_the_same(n: int, gap: bool) -> None:
    """10,000 runs, in eighths, so that floats are exact and many are equal."""
    chosen, rng = with_gap if gap else noisy_max, random.Random(n)
    answers = [rng.randint(0, 3) for _ in range(n)]
    noises = [[rng.randint(-16, 16) / 8 for _ in range(n)] for _ in range(10_000)]
    expected = [by_hand([float(a) for a in answers], row, gap) for row in noises]
    for tree in (chosen.program(), chosen.program(n)):
        assert run_program(tree, answers, {"eps": 1}, noises).outputs() == expected
    released = [chosen.run_on(answers, row, eps=1) for row in noises]
    assert [list(r) if gap else [r] for r in released] == expected


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("gap", [False, True])
def test_exactly_one_path_of_the_contest_unrolled_and_of_the_tree_is_taken(
    n: int, gap: bool
) -> None:
    chosen, rng = with_gap if gap else noisy_max, random.Random(n)
    answers = [Fraction(rng.randint(0, 3)) for _ in range(n)]
    tables = ((chosen.program(), "z1#{}"), (chosen.program(n), "z{}"))
    unrolled = [(list(PathTable(tree).runs(n)), noise) for tree, noise in tables]
    for _ in range(200):
        noises = [Fraction(rng.randint(-3, 3), 2) for _ in range(n)]
        expected = by_hand([float(a) for a in answers], [float(z) for z in noises], gap)
        for paths, noise in unrolled:
            at = {noise.format(i): z for i, z in enumerate(noises, 1)}
            at |= {f"q[{i}]": a for i, a in enumerate(answers, 1)}
            (taken,) = (path for path in paths if holds(path, at))
            assert [float(value(i, at)) for i in taken.items] == expected


def holds(path: Path, at: dict[str, Fraction]) -> bool:
    """Whether noises lead along a path."""
    gaps = [(value(row.form, at), row.strict) for row in path.rows]
    return all(gap > 0 if strict else gap >= 0 for gap, strict in gaps)


def value(form: Any, at: dict[str, Fraction]) -> Fraction:
    """A linear form at given values."""
    assert isinstance(form, LinearForm)
    return Fraction(str(form.constant)) + sum(c * at[key] for key, c in form.terms)


def test_draws_have_the_law_of_the_function() -> None:
    """Equal answers: every place is as likely, and the gap of two is that of |x - y|."""
    counts = sample_program(noisy_max.program(), [1] * 4, {"eps": 1}, size=20_000, rng=1)
    places = [row[0] for row in counts.outputs()]
    for place in range(4):
        assert abs(places.count(float(place)) / 20_000 - 1 / 4) < 0.02
    assert {noisy_max.sample([0, 9, 0], rng=k, eps=20) for k in range(20)} == {1}


def test_argmax_with_gap_inside_a_program() -> None:
    @noise_program(parameters=EPS)
    def f(queries: Any, eps: Any) -> Any:
        for q in queries:
            place, lead = argmax([q, laplace(1 / eps), 0], gap=True)
            yield place
            yield lead

    given = run_program(f.program(), [2, -3], {"eps": 1}, [[5.0, -1.0]]).outputs()
    assert given == [[1.0, 3.0, 2.0, 1.0]]
    assert f.run_on([2, -3], [5.0, -1.0], eps=1) == [1, 3, 2, 1]


def test_a_gap_is_true_or_false() -> None:
    with pytest.raises(BadInput, match="argmax: gap is neither True nor False"):
        noise_program(parameters=EPS)(lambda queries, eps: argmax(queries, gap=eps)).program(2)


# what is refused


def drawing_before(queries: Any, eps: Any) -> Any:
    rho = laplace(1 / eps)
    return argmax(q + rho for q in queries)


def tossing_before(queries: Any, eps: Any) -> Any:
    scale = 1 / eps if coin(HALF) else 2 / eps
    return argmax(q + laplace(scale) for q in queries)


def filtering(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace(1 / eps) for q in queries if q > 0)


def filtering_all(queries: Any, eps: Any) -> Any:
    return argmax(q for q in queries if eps < 0)


def comparing(queries: Any, eps: Any) -> Any:
    return argmax(max(q, laplace(1 / eps)) for q in queries)


def tossing(queries: Any, eps: Any) -> Any:
    return argmax(q if coin(HALF) else 0 for q in queries)


def choosing(queries: Any, eps: Any) -> Any:
    return argmax(argmax([q, laplace(1 / eps)]) for q in queries)


def twice_each(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace(k / eps) for q in queries for k in (1, 2))


def counting_in_a_list(queries: Any, eps: Any) -> Any:
    seen: list[int] = []
    return argmax(q + laplace(1 / eps) + len(seen) for q in queries)


def counting(queries: Any, eps: Any) -> Any:
    numbers = itertools.count()
    return argmax(q + laplace(1 / eps) + 0 * next(numbers) for q in queries)


def counting_late(queries: Any, eps: Any) -> Any:
    listed = iter((1, 1, 1, 5))
    return argmax(q + laplace(next(listed) / eps) for q in queries)


def counting_in_a_helper(queries: Any, eps: Any) -> Any:
    seen: list[int] = []

    def noise() -> Any:
        seen.append(1)
        return laplace((1 if len(seen) < 4 else 9) / eps)

    return argmax(q + noise() for q in queries)


def counting_in_a_default(queries: Any, eps: Any) -> Any:
    def noise(seen: list[int] = []) -> Any:  # noqa: B006
        seen.append(1)
        return laplace((1 if len(seen) < 4 else 9) / eps)

    return argmax(q + noise() for q in queries)


def keeping_outside(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace(1 / eps) + len(KEPT) for q in queries)


def naming(queries: Any, eps: Any) -> Any:
    last = 0
    return argmax((last := q + laplace(1 / eps)) + last for q in queries)


def counting_in_a_closure(queries: Any, eps: Any) -> Any:
    k = 0

    def noise() -> Any:
        nonlocal k
        k = k + 1
        return laplace(k / eps)

    return argmax(q + noise() for q in queries)


def counting_in_the_library(queries: Any, eps: Any) -> Any:
    return argmax(q + next_number() for q in queries)


def next_number() -> int:
    gc.set_threshold(gc.get_threshold()[0] + 1)
    return gc.get_threshold()[0]


def counting_in_an_object(queries: Any, eps: Any) -> Any:
    run = GivenRun([0] * 3 + [1])
    return argmax(q + laplace((1 if run.draw("", 1) < 1 else 9) / eps) for q in queries)


def using_all(queries: Any, eps: Any) -> Any:
    return argmax(q + len(queries) for q in queries)


def calculating(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace(1 / eps) for q in queries) + 1


def asking(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace(1 / eps) for q in queries) == 0


def pairing(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace(1 / eps) for q in queries), 1


def remembering(queries: Any, eps: Any) -> Any:
    place = argmax(q + laplace(1 / eps) for q in queries)
    return place if place is not None else 0


def yielding(queries: Any, eps: Any) -> Iterator[Any]:
    yield argmax(q + laplace(1 / eps) for q in queries)


def using_the_gap(queries: Any, eps: Any) -> Any:
    _, gap = argmax((q + laplace(1 / eps) for q in queries), gap=True)
    return gap


def releasing_the_maximum(queries: Any, eps: Any) -> Any:
    return max(q + laplace(1 / eps) for q in queries)


def summing(queries: Any, eps: Any) -> Any:
    return sum(q + laplace(1 / eps) for q in queries)


def calling_a_helper(queries: Any, eps: Any) -> Any:
    return best(q + laplace(1 / eps) for q in queries)


def best(values: Any) -> Any:
    return argmax(values)


def dropping(queries: Any, eps: Any) -> Any:
    return zero(q + laplace(1 / eps) for q in queries)


def zero(values: Any) -> Any:
    return 0


def through_map(queries: Any, eps: Any) -> Any:
    return max(map(argmax, [(q + laplace(1 / eps) for q in queries)]))


def through_partial(queries: Any, eps: Any) -> Any:
    f = functools.partial(argmax, gap=True)
    return f(q + laplace(1 / eps) for q in queries)


def listing(queries: Any, eps: Any) -> Any:
    return argmax([q + laplace(1 / eps) for q in queries])


def the_queries(queries: Any, eps: Any) -> Any:
    return argmax(queries)


def mapping(queries: Any, eps: Any) -> Any:
    return argmax(map(lambda q: q + laplace(1 / eps), queries))


def another_generator(queries: Any, eps: Any) -> Any:
    def noisy() -> Iterator[Any]:
        for q in queries:
            yield q + laplace(1 / eps)

    return argmax(noisy())


def enumerated(queries: Any, eps: Any) -> Any:
    return argmax(q + laplace((i + 1) / eps) for i, q in enumerate(queries))


def looping_and_choosing(queries: Any, eps: Any) -> Iterator[Any]:
    for q in queries:
        yield q + laplace(1 / eps)
    yield argmax(q for q in queries)


def clearing(queries: Any, eps: Any) -> Any:
    KEPT.clear()
    return argmax(q + laplace(1 / eps) for q in queries)


def catching(queries: Any, eps: Any) -> Any:
    try:
        return argmax(q + laplace(1 / eps) for q in queries)
    except ValueError:
        return 1


def multiplying(queries: Any, eps: Any) -> Any:
    return argmax(q * laplace(1 / eps) for q in queries)


def floating(queries: Any, eps: Any) -> Any:
    return argmax(0.5 * q + laplace(1 / eps) for q in queries)


ELSE = (
    "it does something else with a generator over its queries than return argmax of it; write return "
    f"argmax(... for q in queries), {GIVE}"
)
KEEPS = (
    ", which could keep something between queries; use numbers, texts and tuples of them, " + GIVE
)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (
            drawing_before,
            "it draws, compares or releases something before argmax; draw noise for ea",
        ),
        (
            tossing_before,
            "it draws, compares or releases something before argmax; draw noise for ea",
        ),
        (
            filtering,
            "what it compares by argmax is not the same sum for every query; only draw, add",
        ),
        (filtering_all, f"it leaves queries out of argmax; leave out if, {GIVE}"),
        (
            comparing,
            "what it compares by argmax is not the same sum for every query; only draw, add",
        ),
        (tossing, "what it compares by argmax is not the same sum for every query; only draw, add"),
        (
            choosing,
            "what it compares by argmax is not the same sum for every query; only draw, add",
        ),
        (
            twice_each,
            "argmax is given more than one value for a query; use one for inside argmax, ",
        ),
        (counting_in_a_list, "inside argmax it uses seen, a list" + KEEPS),
        (
            counting,
            "count is a type, which could keep something between queries; pass what it need",
        ),
        (counting_late, "inside argmax it uses listed, a tuple_iterator" + KEEPS),
        (counting_in_a_helper, "inside argmax it uses noise, a function" + KEEPS),
        (counting_in_a_default, "inside argmax it uses noise, a function" + KEEPS),
        (
            keeping_outside,
            "KEPT is a list, which could keep something between queries; pass what it",
        ),
        (
            naming,
            "it changes a variable of an enclosing function, last; keep values in local variab",
        ),
        (
            counting_in_a_closure,
            "it changes a variable of an enclosing function, k; keep values in ",
        ),
        (
            counting_in_the_library,
            "inside argmax it keeps something from one query to the next; use",
        ),
        (counting_in_an_object, "inside argmax it uses run, a GivenRun" + KEEPS),
        (using_all, f"it uses all its queries inside argmax; use only q there, {GIVE}"),
        (calculating, ELSE),
        (asking, ELSE),
        (pairing, ELSE),
        (remembering, ELSE),
        (yielding, ELSE),
        (using_the_gap, ELSE),
        (releasing_the_maximum, ELSE),
        (summing, ELSE),
        (calling_a_helper, "another function calls argmax; call it in the function itself"),
        (dropping, ELSE),
        (through_map, ELSE),
        (
            through_partial,
            "functools.partial is a type, which could keep something between queries",
        ),
        (
            listing,
            "it collects its queries in a list; write return argmax(... for q in queries), w",
        ),
        (the_queries, "another function goes over the queries; loop in the function itself"),
        (
            mapping,
            "it goes over any number of queries otherwise than by a for statement; write for",
        ),
        (another_generator, "another function goes over the queries; loop in the function itself"),
        (
            enumerated,
            "it goes over any number of queries otherwise than by a for statement; write f",
        ),
        (looping_and_choosing, "it goes over the queries twice; give the number of queries"),
        (
            clearing,
            "KEPT is a list, which could keep something between queries; pass what it needs as",
        ),
        (catching, "it uses try or with; leave them out, and compare values"),
        (
            multiplying,
            "q is multiplied by noise1, and the product is not linear; use sums, multiples",
        ),
        (floating, "0.5 is a float, which is not exact; write Fraction(1, 2)"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_what_is_refused(function: Callable[..., Any], said: str) -> None:
    sentence = refusal(function)
    assert said in sentence
    assert sentence.count("; ") == 1


def test_what_is_refused_for_any_number_may_be_a_program_on_so_many() -> None:
    for function in (calculating, using_the_gap, listing, remembering, the_queries, comparing):
        assert program(function, queries=2).inputs.n == 2
