"""What `explain` prints of a proof by alignment: the tables add up, by the rule of the shifts as it
is computed here from the printed text alone.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from fractions import Fraction

import pytest

from ahdp_verify import explain, verify
from ahdp_verify.explanation.numbered_lines import Explanation, NumberedLine
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.alignment import Alignment, PathShifts, WholeRuns
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import Draw, If, Program, Release, Stop
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import label, number, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from tests.programs_by_hand import (
    best_so_far,
    claim,
    contest,
    most_popular,
    noisy_max,
    sparse_vector,
    sum_of_answers,
    total_at_the_end,
)

CLAIMS = {
    "sum": claim(sum_of_answers(3, "2/eps"), "one", "eps"),
    "maximum": claim(noisy_max(3, "laplace"), "all", "eps"),
    "its value": claim(noisy_max(3, "laplace", released="value"), "all", "3*eps/2"),
    "whole numbers": claim(noisy_max(3, "geometric"), "all", "eps"),
    "best so far": claim(best_so_far(4), "all", "eps"),
    "sparse vector": claim(sparse_vector("2/eps", "4/eps"), "all", "eps"),
    "one moves": claim(sparse_vector("2/eps", "4/eps"), "one", "eps"),
    "five queries": claim(sparse_vector("2/eps", "4/eps"), "all", "eps", 5),
    "two above": claim(sparse_vector("2/eps", "8/eps", 2), "all", "eps"),
    "dataset": claim(most_popular("2/eps"), "add-remove", "eps/2"),
    "contest": claim(contest(True), "all", "eps"),
    "at the end": claim(total_at_the_end(), "one", "eps"),
}
NAMES = r"[a-z]\w*(?: of query \d+)?"
DRAW = re.compile(rf"({NAMES}) ~ (\w+)\((.*?)\) {{2,}}(\S.*?) {{2,}}(\S+)$")
EMPTY = Context.empty()


def explained(key: str) -> Explanation:
    verdict = verify(CLAIMS[key])
    assert isinstance(verdict, Proved), verdict
    return explain(verdict, every=True)


def tables(found: Explanation) -> Iterator[NumberedLine]:
    yield from (line for line in found.lines if line.number and line.below)


def value(text: str, at: dict[str, Fraction]) -> Fraction:
    """The value of a text at eps = 2 and these amounts."""
    given = {"eps": number(2), **{key: number(v) for key, v in at.items()}}
    found = normal(substitute(parse(text), given), EMPTY).as_rational
    assert found is not None, text
    return found


def points(
    texts: list[str], found: Explanation, line: NumberedLine
) -> Iterator[dict[str, Fraction]]:
    """The ends of the ranges of the amounts in some texts, as the line above states them."""
    head = line.number.split(".")[0]
    said = next(other.text for other in found.lines if other.number == head)
    ends = re.search(r"where (-?\d) <= .* <= (-?\d)", said)
    amounts = sorted({d for text in texts for d in re.findall(r"d(?:\[\d+\]|_other)?", text)})
    if not amounts:
        yield {}
        return
    assert ends is not None, said
    box = (Fraction(ends[1]), Fraction(ends[2]))
    for values in itertools.product(box, repeat=len(amounts)):
        yield dict(zip(amounts, values, strict=True))


def readable(text: str) -> str:
    """Amounts as the grammar has them."""
    return text.replace("d'", "d_other")


@pytest.mark.parametrize("key", CLAIMS)
def test_every_cost_is_that_of_the_printed_shift_and_no_gap_shrinks(key: str) -> None:
    found = explained(key)
    seen = 0
    for line in tables(found):
        for row in map(readable, line.below):
            if drawn := DRAW.match(row):
                noise, law, scale, cell, cost = drawn.groups()
                shift = cell.removeprefix(noise) or "+ 0"
                texts = [f"0 {shift}"]
                sizes = [value(texts[0], at) for at in points(texts, found, line)]
                assert value(cost, {}) == max(map(abs, sizes)) / value(scale, {}), row
                assert law != "exponential" or min(sizes) >= 0
                assert law != "geometric" or all(s.denominator == 1 for s in sizes)
                seen += 1
            elif grown := re.search(r" {2,}gap ([+-] .*)$", row):
                texts = [f"0 {grown[1]}"]
                assert all(value(texts[0], at) >= 0 for at in points(texts, found, line)), row
    assert seen


@pytest.mark.parametrize("key", CLAIMS)
def test_every_table_adds_up_to_the_line_above_it(key: str) -> None:
    found = explained(key)
    for line in tables(found):
        rows = [row.rsplit("  ", 1) for row in line.below[2:]]
        costs = [
            value(row[1], {})
            for row in rows
            if len(row) == 2 and re.fullmatch(r" ?[\d*/eps]+", row[1]) and "together" not in row[0]
        ]
        total, _, most = re.split(r": |, taken together: ", line.text)[-1].partition(" <= ")
        assert sum(costs) == value(total, {}) <= value(most, {}), line.text
        assert [value(r[1], {}) for r in rows if r[0].startswith("together")] in (
            [],
            [value(total, {})],
        )


@pytest.mark.parametrize("key", CLAIMS)
def test_explanations_fit_into_80_columns(key: str) -> None:
    text = explain(verify(CLAIMS[key])).within(80)
    assert max(map(len, text.splitlines())) <= 80
    assert "#" not in text and "@" not in text, "internal names"


def test_the_shifts_of_sparse_vector_are_those_of_the_literature() -> None:
    """The threshold moves up by 1; the answer above it by 2, those below it not at all (Lyu, Su and
    Li, VLDB 2017): eps/2 for the threshold and 2/(4/eps) for the answer.
    """
    found = explained("sparse vector")
    start, above, below, *_ = tables(found)
    assert start.below[2].split("  ")[-1].strip() == "eps/2" and "r + 1" in start.below[2]
    assert above.below[2].endswith("eps/2") and above.text.endswith("eps/2 <= eps/2")
    assert re.search(r"  nu +0$", below.below[2])
    states = [line.text for line in found.lines if line.text.startswith("in state")]
    assert states == [
        "in state wait0, rho is larger by 1 in the second run; the cost from here on may be up to "
        "eps/2"
    ]


def test_paths_that_cost_the_same_are_counted_and_the_highest_cost_comes_first() -> None:
    (table,) = tables(explained("maximum"))
    assert table.text == 'a path (output "1"); 2 more cost the same: eps <= eps'
    first, second = (line.text for line in tables(explained("dataset")) if line.number[0] == "1")
    assert first.startswith('a path (output "2"): eps/2') and second.startswith(
        'a path (output "1")'
    )
    (merged,) = tables(explained("best so far"))
    assert "all paths with output" in merged.text
    assert "those of 3 more outputs cost the same" in merged.text


def test_the_phases_of_a_single_move_are_told() -> None:
    texts = [line.text for line in explained("one moves").lines]
    for said in ("before the answer that moves", "1 or more queries after it"):
        assert any(said in text for text in texts)
    assert any("if this is the answer that moves" in text for text in texts)
    assert any("if this answer stays" in text for text in texts)


def test_runs_on_a_fixed_number_of_queries_are_told_query_by_query() -> None:
    table = next(tables(explained("five queries")))
    heads = [row for row in table.below if row.startswith("query ")]
    assert heads == [f"query {i}:" for i in range(1, len(heads) + 1)] and len(heads) >= 1
    about = " ".join(line.text for line in explained("five queries").lines)
    assert "The claim is about 5 queries." in about


def test_a_table_for_each_vertex_says_for_which_one_it_is() -> None:
    about = claim(sum_of_answers(1, "1/eps"), "all", "eps")
    at_ends = tuple(((("", Fraction(s)),),) for s in (1, -1))  # for d = -1 and for d = 1
    proof = Alignment(about.fingerprint, (), (WholeRuns((PathShifts(at_ends),)),))
    (table,) = tables(explain(check(about, proof), every=True))
    assert "this is the table for d[1] = -1, the one that costs most of 2" in table.reason
    assert re.search(r"nu \+ 1 +eps$", table.below[2])


def test_a_path_that_no_noise_takes_says_so() -> None:
    """Noise above 1, then below 0, or not."""
    never = If(parse("-nu"), True, Release(label("never"), Stop()), Stop())
    tree = If(parse("nu - 1"), False, never, Stop())
    program = Program("contradiction", (), Answers(1), Draw("nu", "laplace", parse("1"), tree))
    about = claim(program, "all", "0")
    still, never_taken = PathShifts((((),),)), PathShifts((), ((0, Fraction(1)), (1, Fraction(1))))
    proof = Alignment(about.fingerprint, (), (WholeRuns((never_taken, still, still)),))
    texts = [line.text for line in explain(check(about, proof)).lines]
    assert "1 more path: no noise leads there" in texts


def test_a_proof_says_what_it_rests_on_and_for_whom_it_holds() -> None:
    last = {key: explained(key).lines[-1].text for key in ("sparse vector", "maximum", "dataset")}
    assert all("the checker's core and the alignment rule" in text for text in last.values())
    assert "all inputs, any number of queries, chosen adaptively" in last["sparse vector"]
    assert (
        "This holds for all inputs of 3 queries, each answer moving by at most 1" in last["maximum"]
    )
    assert "This holds for all datasets, 0 < eps." in last["dataset"]


def test_other_formats_keep_the_columns() -> None:
    found = explain(verify(CLAIMS["maximum"]))
    table = next(tables(found)).below
    indented = [row.removeprefix("    ") for row in found.markdown.splitlines()]
    assert list(table) == indented[indented.index(table[0]) : indented.index(table[0]) + len(table)]
    assert found.markdown.count("```") % 2 == 0
    assert r"\ttfamily x1~\textasciitilde{}~laplace(2/eps)" in found.latex
    assert table[2] in found.text and table[2] in found.within(100)
