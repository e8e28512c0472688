"""Noise programs as statements: what they look like, and that they say what the tree says."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ahdp_verify.display.program_text import (
    item_text,
    name_in_words,
    opposite_row_text,
    program_input_text,
    program_lines,
    program_text,
    row_text,
    statements,
    with_names_in_words,
)
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import (
    Goto,
    Program,
    Release,
    State,
    Stop,
    Winner,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms.expression import (
    add,
    label,
    multiply,
    name,
    number,
    substitute,
)
from ahdp_verify.kernel.terms.grammar import parse
from tests import field_programs as field
from tests.programs_by_hand import (
    contest,
    most_popular,
    noisy_max,
    sparse_vector,
    total_at_the_end,
)

EMPTY = Context.empty()
SPARSE_VECTOR = """
r ~ laplace(2/eps)
goto wait0 with rho = r

state wait0, which keeps rho; for the next query q
    nu ~ laplace(4/eps)
    if q + nu >= T + rho
        output "yes"
        stop
    else
        output "no"
        goto wait0
"""
TOTAL = """
coin 1/3
    output "skipped"
    stop
else
    r ~ laplace(1/eps)
    goto wait with t = 0, nu = r

state wait, which keeps t, nu; for the next query q
    goto wait with t = t + q
end of state wait
    output t + nu
    output true
    stop
"""
WINNER = """
z1 ~ laplace(2/eps)
z2 ~ laplace(2/eps)
winner k of q[1] + z1, q[2] + z2
output k
stop
"""
WINNING_VALUE = """
x1 ~ laplace(2/eps)
x2 ~ laplace(2/eps)
winner of q[1] + x1, q[2] + x2
case 0
    output q[1] + x1
    stop
case 1
    output q[2] + x2
    stop
"""
CONTEST = """
for each query q
    x ~ laplace(2/eps)
output first greatest of q + x and gap
"""


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (sparse_vector("2/eps", "4/eps"), SPARSE_VECTOR),
        (total_at_the_end(), TOTAL),
        (field.noisy_max.program(2), WINNER),
        (noisy_max(2, "laplace", released="value"), WINNING_VALUE),
        (contest(True), CONTEST),
    ],
    ids=lambda value: value.name if isinstance(value, Program) else "",
)
def test_the_statements_of_a_program(program: Program, text: str) -> None:
    assert program_lines(program) == text.strip().split("\n")
    assert program_text(program).endswith(text.rstrip())


def test_the_head_of_a_program_says_what_it_runs_on() -> None:
    assert program_text(sparse_vector("2/eps", "4/eps")).splitlines()[:3] == [
        "sparse vector",
        "    parameters: 0 < eps, T",
        "    input: any number of query answers (real numbers), each in turn called q",
    ]
    assert "input: the query answer q[1] (a real number)" in program_text(noisy_max(1, "laplace"))
    assert "input: 3 query answers q[i] (whole numbers)" in program_text(noisy_max(3, "geometric"))
    popular = program_text(most_popular("2/eps"))
    assert 'q[1] = count(x == "a"), q[2] = count(x == "b")/2' in popular


def test_a_winner_whose_branches_release_something_else_is_written_by_cases() -> None:
    values = (parse("q[1]"), parse("q[2]"))
    backwards = Winner(values, (Release(number(1), Stop()), Release(number(0), Stop())))
    assert statements(backwards)[1:3] == ("case 0", ("output 1", "stop"))
    with_k = Winner(
        (parse("k"), parse("q[1]")), (Release(number(0), Stop()), Release(number(1), Stop()))
    )
    assert statements(with_k)[0] == "winner of k, q[1]"


def test_comparisons_say_what_their_value_says() -> None:
    rng = random.Random(1)
    for _ in range(200):
        keys = rng.sample(["a", "b", "c", "T"], rng.randint(1, 4))
        terms = [multiply(number(rng.choice([-3, -1, 1, 2])), name(key)) for key in keys]
        value = add(*terms, number(Fraction(rng.randint(-2, 2), 2)))
        at = {key: number(Fraction(rng.randint(-4, 4), 2)) for key in keys}
        for strict in (False, True):
            exact = normal(substitute(value, at), EMPTY).as_rational
            assert exact is not None
            holds = exact > 0 if strict else exact >= 0
            texts = row_text(value, strict=strict), opposite_row_text(value, strict=strict)
            assert [truth(substitute(parse(text), at), EMPTY) for text in texts] == [
                holds,
                not holds,
            ]
            assert "+ -" not in row_text(value, strict=strict)


def test_noises_of_whole_runs_are_named_by_their_query() -> None:
    assert name_in_words("nu#3") == "nu of query 3"
    assert name_in_words("nu#4", 3) == "nu after the last query"
    assert with_names_in_words("T + r > nu#2") == "T + r > nu of query 2"
    assert with_names_in_words("2*nu#2 - r > 0") == "2*(nu of query 2) - r > 0"
    assert with_names_in_words('"nu#2" and nu#2', 1) == '"nu#2" and nu after the last query'


def test_labels_are_quoted_unless_they_are_constants() -> None:
    assert [item_text(label(word)) for word in ("true", "yes", "1")] == ["true", '"yes"', '"1"']
    assert item_text(label('a" stop\nstop')) == '"a\\" stop\\nstop"'


def test_no_name_of_a_state_looks_like_a_statement() -> None:
    hostile = 'wait\nstop; output "yes" \x1b[31m'
    goto = Goto(hostile, ())
    lines = program_lines(Program("", (), Answers(None), goto, (State(hostile, (), goto, Stop()),)))
    assert len(lines) == 4 and all(line.isprintable() for line in lines)
    assert lines[0].startswith('goto "wait')


def test_inputs_in_words() -> None:
    answers = sparse_vector("2/eps", "4/eps")
    assert program_input_text(answers, (Fraction(1, 2), Fraction(-1))) == "(1/2, -1)"
    assert program_input_text(answers, (Fraction(3),)) == "3"
    popular = program_input_text(most_popular("1"), (Fraction(2), Fraction(3)))
    assert popular == '{2 x ("a", 1/2), 3 x ("b", 1)} (answers 2, 3/2)'
