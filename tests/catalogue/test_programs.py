"""The noise programs of the catalogue: claims, personal levels, losses in digits, and that
functions, trees and exact probabilities agree.

Values are those of corpus/field.md (M), corpus/public.md (SE, SV, HE) and corpus/second (p2-29).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from scipy.stats import chisquare

from ahdp_verify.analysis.levels.programs import least_levels
from ahdp_verify.catalogue import PROGRAMS, ProgramEntry, find_entry
from ahdp_verify.catalogue import noisy_max as maxima
from ahdp_verify.catalogue import running_sums as sums
from ahdp_verify.catalogue import sparse_vector as sparse
from ahdp_verify.catalogue.entry import Expected
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.program_paths import PathTable
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.expression import Expression, label, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.laws import laplace
from ahdp_verify.programs import NoiseProgram, noise_program
from ahdp_verify.sampling.programs import run_program, sample_program
from ahdp_verify.search.verify import verify
from tests.sweeps import WHOLE

CLAIMS = [
    pytest.param(entry, expected, id=f"{entry.name}-{i}")
    for entry in PROGRAMS
    for i, expected in enumerate(entry.claims, 1)
]


@pytest.mark.sweep(25)
@pytest.mark.parametrize(("entry", "expected"), CLAIMS)
def test_every_claim_gets_its_verdict(
    entry: ProgramEntry, expected: Expected[ProgramClaim]
) -> None:
    assert expected.claim.program == entry.mechanism
    assert verify(expected.claim).outcome == expected.verdict


def test_every_broken_twin_is_refuted_and_every_other_program_is_proved_at_eps() -> None:
    for entry in PROGRAMS:
        words = [expected.verdict for expected in entry.claims]
        assert words[0] == ("refuted" if entry.description.startswith("broken twin") else "proved")


def test_a_program_is_found_by_name() -> None:
    assert find_entry("smart-sum", PROGRAMS).mechanism == sums.smart_sum(block=3).program()
    with pytest.raises(BadInput, match="above-threshold"):
        find_entry("above-treshold", PROGRAMS)


# personal levels (A11)


@noise_program(parameters={"e": "e > 0"})
def personal_noisy_max(queries: Any, e: Any) -> Any:
    """M11, with a parameter that is not the demand of a person."""
    return maxima.noisy_max.function(queries, e)


@noise_program(parameters={"e": "e > 0", "T": ""})
def personal_sparse_vector(queries: Any, e: Any, T: Any) -> Iterator[Any]:
    """M17."""
    yield from sparse.sparse_vector.function(queries, e, T)


@noise_program(parameters={"e": "e > 0", "T": ""})
def personal_little_noise(queries: Any, e: Any, T: Any) -> Iterator[Any]:
    """M20."""
    yield from sparse.sparse_vector_with_little_noise.function(queries, e, T)


@noise_program(parameters={"e": "e > 0", "T": ""})
def personal_monotone(queries: Any, e: Any, T: Any) -> Iterator[Any]:
    """M29."""
    yield from sparse.monotone_sparse_vector.function(queries, e, T)


@pytest.mark.parametrize(
    ("program", "n", "levels"),
    [
        (personal_noisy_max, 3, ("0", "e/2", "0", "e/3")),
        (personal_sparse_vector, 5, ("e/2", "e/4", "e/4", "9/20*e")),
        (personal_little_noise, 5, ("e/4", "3/4*e", "e/8", "13/20*e")),
        (personal_monotone, 5, ("e/2", "e/2", "e/4", "e/2")),
    ],
    ids=("M11", "M17", "M20", "M29"),
)
def test_personal_levels(program: NoiseProgram, n: int, levels: tuple[str, ...]) -> None:
    """Who adds 1 to every answer, 1 to the first, 1/2 to every one, i/n to answer number i."""
    people = [
        (1,) * n,
        (1,) + (0,) * (n - 1),
        (Fraction(1, 2),) * n,
        tuple(Fraction(i, n) for i in range(1, n + 1)),
    ]
    domain = Domain([(row, 1) for row in people])
    answers = [f"sum(x[{i}])" for i in range(1, n + 1)]
    found = least_levels(program.program(inputs=domain, answers=answers), "ahdp")
    assert [row.level for row in found.rows] == [parse(text) for text in levels]
    assert {row.shown for row in found.rows} <= {"attained", "limit", "to a thousandth"}


# losses in digits


def word(text: str) -> OutputEvent:
    """Truth values t and f, or the number of a place."""
    listed: list[Expression | Between] = []
    for letter in text:
        if letter in "tf":
            listed.append(label({"t": "true", "f": "false"}[letter]))
        else:
            listed.append(Between(number(letter), number(letter)))
    return OutputEvent(tuple(listed))


def probability(
    program: Program, answers: Sequence[object], given: dict[str, str], event: OutputEvent
) -> float:
    """The exact probability, as a float."""
    q = tuple(Fraction(str(x)) for x in answers)
    values = {key: number(value) for key, value in given.items()}
    low, high = enclose(output_probability(program, q, values, event))
    return float((low + high) / 2)


def loss(
    program: Program,
    pair: tuple[Sequence[object], Sequence[object]],
    given: dict[str, str],
    event: OutputEvent,
) -> float:
    """The privacy loss of the event."""
    p, other = (probability(program, side, given, event) for side in pair)
    return math.log(p / other)


def below(end: object) -> OutputEvent:
    """One number, at most this."""
    return OutputEvent((Between(None, number(end)),))


ZEROS, ONES = (0,) * 10, (1,) * 10
TENTH, UNIT = {"eps": "1/10"}, {"eps": "1"}
HALF_UP = (2,) * 5 + (0,) * 5


@pytest.mark.parametrize(
    ("program", "pair", "given", "event", "expected"),
    [
        # field.md: M11, M12, M13 on the shapes of length 5; M17 and M20 by half-half shapes in M22
        (maxima.noisy_max, (ONES[:5], (0, 2, 2, 2, 2)), TENTH, word("0"), 0.094615),
        (maxima.noisy_max(law="exponential"), (ONES[:5], (0, 2, 2, 2, 2)), TENTH, word("0"), 0.1),
        (maxima.noisy_maximum, (ZEROS[:5], ONES[:5]), TENTH, below(0), 0.25),
        (
            sparse.sparse_vector_without_end,
            (ONES, HALF_UP),
            {**TENTH, "T": "1"},
            word("f" * 5 + "t" * 5),
            0.420032,
        ),
        # public.md: SE-02, SE-04, SV-01, SV-04
        (maxima.noisy_maximum, (ZEROS[:2], ONES[:2]), UNIT, below(-1), 1.0),
        (maxima.noisy_maximum, (ZEROS[:3], ONES[:3]), UNIT, below(-1), 1.5),
        (maxima.noisy_max, ((0, 1), (0, 3)), UNIT, word("0"), 0.6635),
        (maxima.noisy_max, ((0, 3), (0, 5)), UNIT, word("0"), 0.7487),
        (
            sparse.above_threshold,
            ((0,) * 4, (1, 1, 1, -1)),
            {**UNIT, "T": "0"},
            word("ffft"),
            0.754,
        ),
        *(
            (
                sparse.sparse_vector_without_end,
                ((0,) * 2 * m, (1,) * m + (-1,) * m),
                {**UNIT, "T": "0"},
                word("f" * m + "t" * m),
                expected,
            )
            for m, expected in ((1, 0.820), (2, 1.704), (3, 2.617), (6, 5.434))
        ),
        (
            sparse.sparse_vector_without_end,
            ((5, -5, -5), (6, -6, -6)),
            {**UNIT, "T": "0"},
            word("ftt"),
            1.37976,
        ),
    ],
)
def test_losses_have_the_digits_of_the_corpus(
    program: NoiseProgram,
    pair: tuple[Sequence[object], Sequence[object]],
    given: dict[str, str],
    event: OutputEvent,
    expected: float,
) -> None:
    digits = len(str(expected).partition(".")[2])
    n = len(pair[0])
    tree, queries = program.answering(n)
    assert queries in (None, n)
    assert round(loss(tree, pair, given, event), digits) == expected


def test_an_answer_without_noise_makes_an_output_impossible() -> None:
    """SV-03: q = (0, 1) against (1, 0), below and then above: (1 - exp(-1/2))/2 against 0."""
    program, given = sparse.sparse_vector_with_plain_answers.program(), {**UNIT, "T": "0"}
    seen = probability(program, (0, 1), given, word("ft"))
    assert abs(seen - (1 - math.exp(-1 / 2)) / 2) < 1e-12
    assert probability(program, (1, 0), given, word("ft")) == 0


@noise_program(parameters={"eps": "eps > 0"})
def two_calls(queries: Any, eps: Any) -> Iterator[Any]:
    """SV-09: each answer twice."""
    for q in queries:
        yield q + laplace(1 / eps)
        yield q + laplace(1 / eps)


@noise_program(parameters={"eps": "eps > 0"})
def used_up_and_seen(queries: Any, eps: Any) -> Iterator[Any]:
    """HE-09: the first query charges who has the event, and the second says whether anyone did."""
    yield queries[0] + laplace(1 / eps)
    if queries[0] >= 1:
        yield None
    else:
        yield queries[0] + laplace(1 / eps)


@noise_program(parameters={"eps": "eps > 0"})
def used_up_and_hidden(queries: Any, eps: Any) -> Iterator[Any]:
    """HE-09 with a null report in its place: noise alone, whoever is charged."""
    yield queries[0] + laplace(1 / eps)
    yield laplace(1 / eps)


@noise_program(parameters={"e": "e > 0"})
def above_zero(queries: Any, e: Any) -> bool:
    """p2-29: above-threshold with one query and threshold 0."""
    rho = laplace(2 / e)
    return queries[0] + laplace(4 / e) >= rho


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (dp(two_calls, "2*eps", "one"), "proved"),
        (dp(two_calls, "1999/1000*eps", "one"), "refuted"),
        (dp(used_up_and_seen, "100*eps", "increasing", queries=1), "refuted"),
        (dp(used_up_and_hidden, "eps", "increasing", queries=1), "proved"),
        (dp(above_zero, "e", "all", queries=1), "proved"),
        (dp(above_zero, "e/4", "all", queries=1), "proved"),
        (dp(above_zero, "99/400*e", "all", queries=1), "refuted"),
        (dp(sparse.sparse_vector_with_answers, "eps", "all"), "refuted"),  # SV-05
        (dp(sums.smart_sum_with_plain_blocks, "100*eps", "one"), "refuted"),  # SV-07
        (dp(sums.running_sums, "eps", "one", queries=2), "proved"),  # SV-08
        (dp(sums.running_sums, "2*eps", "all", queries=2), "proved"),
        (dp(sums.running_sums, "1999/1000*eps", "all", queries=2), "refuted"),
    ],
    ids=str,
)
def test_programs_of_the_corpus(claim: ProgramClaim, expected: str) -> None:
    assert verify(claim).outcome == expected


def test_the_scale_that_follows_what_is_left_is_not_enough() -> None:
    """1/2 for the threshold, 2/8 for the first answer above and 2/4 for the second: 5/4 eps."""
    two, three = (sparse.sparse_vector_refilled(count=c) for c in (2, 3))
    assert least_levels(two.program(), "all").rows[0].level == parse("5/4*eps")
    assert verify(dp(three, "17/12*eps", "all")).outcome == "proved"


def test_adaptive_sparse_vector_on_five_queries() -> None:
    """The worst outputs are three answers below and two near ones: where the first three increase
    and the others decrease, no noise but theirs need be shifted, by 3 (1/16 + 1/8) + 2/8 = 13/16.
    """
    program = sparse.adaptive_sparse_vector(count=2).program()
    found = least_levels(program, "all", 5).rows[0]
    assert (found.level, found.shown) == (parse("13/16*eps"), "limit")


# functions, trees and exact probabilities

FUNCTIONS = [
    (sparse.above_threshold, 4),
    (sparse.sparse_vector(count=2), 4),
    (sparse.sparse_vector(count=2, redrawn=True), 4),
    (sparse.sparse_vector_refilled(count=2), 4),
    (sparse.monotone_sparse_vector(count=2), 4),
    (sparse.numeric_sparse_vector(count=2), 4),
    (sparse.gap_sparse_vector(count=2), 4),
    (sparse.adaptive_sparse_vector(count=2), 4),
    (sparse.adaptive_sparse_vector_with_answers(count=2), 4),
    (sparse.sparse_vector_with_answers(count=2), 4),
    (sparse.sparse_vector_with_little_noise(count=2), 4),
    (sparse.sparse_vector_with_plain_answers, 4),
    (sparse.sparse_vector_without_end, 4),
    (sparse.whole_sparse_vector(count=2), 4),
    (maxima.noisy_max, 4),
    (maxima.noisy_max(law="exponential"), 4),
    (maxima.noisy_max(law="gumbel"), 4),
    (maxima.noisy_max_in_a_loop, 4),
    (maxima.whole_noisy_max, 4),
    (maxima.noisy_max_with_gap, 4),
    (maxima.two_largest, 4),
    (maxima.noisy_maximum, 4),
    (maxima.noisy_maximum(law="exponential"), 4),
    (sums.noisy_sum, 4),
    (sums.noisy_sum_with_half_the_noise, 4),
    (sums.noisy_histogram, 4),
    (sums.noisy_histogram_upside_down, 4),
    (sums.running_sums, 4),
    (sums.whole_running_sums, 4),
    (sums.smart_sum(block=3), 4),
    (sums.smart_sum_with_plain_blocks, 4),
]
GIVEN = {"eps": "7/10", "T": "10/3"}


def items(value: Any) -> Iterator[Any]:
    """What a function returned or yielded, as labels and numbers one after the other."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from items(part)
    else:
        yield (
            str(value).lower()
            if isinstance(value, bool)
            else float(value)
            if not isinstance(value, str)
            else value
        )


def alike(a: list[Any], b: list[Any]) -> bool:
    """Whether labels are equal, and numbers are up to rounding."""
    return len(a) == len(b) and all(
        x == y if isinstance(x, str) or isinstance(y, str) else math.isclose(x, y, abs_tol=1e-9)
        for x, y in zip(a, b, strict=True)
    )


def values_of(program: NoiseProgram) -> dict[str, str]:
    """Values of its parameters."""
    return {key: GIVEN[key] for key, _ in program.parameters}


@pytest.mark.parametrize(("program", "n"), FUNCTIONS, ids=str)
def test_functions_and_trees_agree_on_given_noises(program: NoiseProgram, n: int) -> None:
    """10,000 runs in a sweep."""
    rng, runs = random.Random(18), 10_000 if WHOLE else 100
    whole = program.whole
    answers = [rng.randint(-5, 25) for _ in range(n)]
    spread = [rng.choice((1, 30)) for _ in range(runs)]
    noises = [[rng.gauss(0, 1) * s for _ in range(3 * n)] for s in spread]
    if whole:
        noises = [[float(round(x)) for x in row] for row in noises]
    given = values_of(program)
    trees = [program.answering(n)[0]]
    if trees[0].inputs.n is None:
        trees.append(program.program(n))
    expected = [list(items(program.run_on(answers, row, **given))) for row in noises]
    for tree in trees:
        found = run_program(tree, answers, given, noises).outputs()
        assert sum(not alike(a, b) for a, b in zip(found, expected, strict=True)) == 0


@pytest.mark.parametrize("program", [maxima.noisy_max, maxima.noisy_max_with_gap], ids=str)
def test_a_contest_unrolled_agrees_with_the_function_on_given_noises(program: NoiseProgram) -> None:
    rng = random.Random(7)
    answers, table = [3, 1, 4, 1], PathTable(program.program())
    for z in [[rng.gauss(0, 5) for _ in answers] for _ in range(200)]:
        (path,) = (
            path
            for path in table.runs(len(answers))
            if all(_at(row.form, answers, z) >= 0 for row in path.rows)
        )
        released = [_at(i, answers, z) for i in path.items if isinstance(i, LinearForm)]
        expected = list(items(program.run_on(answers, z, eps="7/10")))
        assert len(released) == len(expected) and alike(released, expected)


def _at(form: LinearForm, answers: list[int], noises: list[float]) -> float:
    values = {f"q[{i}]": float(x) for i, x in enumerate(answers, 1)}
    values |= {f"z1#{i}": z for i, z in enumerate(noises, 1)}
    return float(str(form.constant)) + sum(float(c) * values[key] for key, c in form.terms)


def exact_probabilities(tree: Program, n: int, answers: list[int]) -> dict[tuple[str, ...], float]:
    """The probability of each sequence of labels, with "#" for any number."""
    found: dict[tuple[str, ...], float] = {}
    given = {key: GIVEN[key] for key, _ in tree.parameters}
    for path in PathTable(tree).runs(n):
        listed = tuple("#" if isinstance(i, LinearForm) else str(i.args[0]) for i in path.items)
        if listed not in found:
            anything = Between(None, None)
            wanted = [anything if isinstance(i, LinearForm) else i for i in path.items]
            found[listed] = probability(tree, answers, given, OutputEvent(tuple(wanted)))
    return found


LABELLED = [pair for pair in FUNCTIONS if pair[0] in [program for program, _ in FUNCTIONS[:14]]]


@pytest.mark.parametrize(("program", "n"), LABELLED, ids=str)
def test_draws_have_the_exact_probabilities(program: NoiseProgram, n: int) -> None:
    """A million draws in a sweep; each test fails by chance once in 10^5 seeds, and the seed is
    fixed.
    """
    answers, size = [2, 5, 1, 4], 10**6 if WHOLE else 20_000
    tree = program.answering(n)[0]
    exact = exact_probabilities(tree, n, answers)
    assert abs(sum(exact.values()) - 1) < 1e-12
    counts = sample_program(tree, answers, values_of(program), size=size, rng=5).counts()
    assert set(counts) <= {listed for listed, p in exact.items() if p}
    often = [listed for listed, p in exact.items() if p * size > 10]
    seen = [counts[listed] for listed in often]
    wanted = [exact[listed] * size for listed in often]
    rest = size - sum(wanted)
    if rest > 1e-6:
        seen, wanted = [*seen, size - sum(seen)], [*wanted, rest]
    assert chisquare(seen, wanted).pvalue > 1e-5


@pytest.mark.parametrize(
    "program",
    [maxima.noisy_max, maxima.noisy_max(law="exponential"), maxima.whole_noisy_max],
    ids=str,
)
def test_winners_are_drawn_with_their_exact_probabilities(program: NoiseProgram) -> None:
    answers, size = [2, 5, 1, 4], 10**6 if WHOLE else 20_000
    tree, given = program.program(4), values_of(program)
    exact = [probability(tree, answers, given, word(str(i))) for i in range(4)]
    assert abs(sum(exact) - 1) < 1e-12
    drawn = sample_program(tree, answers, given, size=size, rng=5).numbers[0]
    seen = [int((drawn == i).sum()) for i in range(4)]
    assert chisquare(seen, [p * size for p in exact]).pvalue > 1e-5


def test_whole_programs_have_whole_answers() -> None:
    whole = {entry.name for entry in PROGRAMS if entry.mechanism.inputs.whole}
    assert whole == {"whole-sparse-vector", "whole-noisy-max", "whole-running-sums"}
    assert replace(sparse.whole_sparse_vector.program(), inputs=Answers(None)).inputs.whole is False
