"""The lines of a refutation of a claim about a noise program: both inputs, the outputs, both
probabilities as integrals where these are short, and how they compare.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, If, Program, Release, Stop
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> high = If(parse("q[1] + x - y"), True, Release(label("high"), Stop()), Stop())
>>> noisy = Draw("x", "laplace", parse("1"), Draw("y", "laplace", parse("2"), high))
>>> at = {"q[1]": LinearForm((), number(3))}
>>> for path in event_paths(Program("above", (), Answers(1), noisy), 1, OutputEvent((label("high"),))):
...     print(path_text(path, at, {}))
the integral over all y of exp(-abs(y)/2)/4 * P[x + 3 > y] dy
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.display.program_text import (
    name_in_words,
    outputs_text,
    program_input_text,
    row_text,
    with_names_in_words,
)
from ahdp_verify.explanation.alignments import introduce_program
from ahdp_verify.explanation.numbered_lines import LineWriter, NumberedLine
from ahdp_verify.explanation.refutations import compare_probabilities, constant_pieces
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import RecordAnswers, answers_at
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_paths import Item, Noise, Path, PathTable, Row
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Abs,
    Expression,
    add,
    exp,
    multiply,
    name,
    negative,
    number,
    reciprocal,
    substitute,
)
from ahdp_verify.kernel.terms.printing import one_line

EMPTY = Context.empty()
# paths that are told, noises of one law that are listed, characters of an integral
FEW_PATHS, FEW_NOISES, SHORT = 3, 4, 240
Values = Mapping[str, Expression]


def explain_program_refutation(verdict: RefutedProgram) -> tuple[NumberedLine, ...]:
    """The lines of a counterexample to a claim about a noise program."""
    w, claim, example = LineWriter(), verdict.claim, verdict.counterexample
    introduce_program(claim, w)
    given = dict(example.parameters)
    choices = [
        w.add("a choice that satisfies all conditions", f"{key} = ", value, head=True)
        for key, value in example.parameters
    ]
    sides = [
        w.add("a choice", f"the {which} input is {one_line(text, 400)}", head=True)
        for which, text in (
            ("first", program_input_text(claim.program, example.first)),
            ("second", program_input_text(claim.program, example.second)),
        )
    ]
    level = w.add(
        f"the level L at {', '.join(f'({n})' for n in [*sides, *choices])}",
        "the two inputs are neighbours, and L is ",
        *constant_pieces(normal(verdict.level, EMPTY)),
        head=True,
    )
    event = w.add("a choice", f"the event: {outputs_text(example.event)}", head=True)
    paths = event_paths(claim.program, _queries(verdict), example.event)
    if drawn := noises_text(paths, given, _queries(verdict)):
        w.add("the laws at these parameters", f"independent noises: {drawn}", head=True)
    numbers = []
    for which, side, value, number_ in zip(
        ("first", "second"),
        (example.first, example.second),
        (verdict.first_probability, verdict.second_probability),
        sides,
        strict=True,
    ):
        numbers.append(
            w.add(
                f"the program at ({number_}), over the event of ({event})",
                f"at the {which} input the event has the probability ",
                *constant_pieces(value),
                head=True,
            )
        )
        with w.inside():
            _integrals(paths, _answers(claim.program, side), given, w)
    compare_probabilities(verdict, numbers, level, w, at="the first input")
    w.say(
        "Both probabilities are exact: the checker integrates over one noise after another (the rule "
        "of exact probabilities of programs)."
    )
    return w.done


def _answers(program: Program, side: tuple[Fraction, ...]) -> dict[str, LinearForm]:
    """The query answers of one input."""
    inputs = program.inputs
    listed = (
        answers_at(inputs, tuple(map(int, side))) if isinstance(inputs, RecordAnswers) else side
    )
    return {f"q[{i}]": LinearForm((), number(q)) for i, q in enumerate(listed, 1)}


def _queries(verdict: RefutedProgram) -> int:
    """The number of query answers of the counterexample."""
    return verdict.claim.program.inputs.n or len(verdict.counterexample.first)


def _integrals(
    paths: list[Path], at: Mapping[str, LinearForm], given: Values, w: LineWriter
) -> None:
    """The lines of the integrals of one probability, where they are few and short."""
    texts = [path_text(path, at, given) for path in paths[:FEW_PATHS]]
    if len(paths) > FEW_PATHS or any(len(text) > SHORT for text in texts):
        leads = "path leads" if len(paths) == 1 else "paths lead"
        reason = "the paths on which exactly this is output"
        w.add(reason, f"{len(paths)} {leads} to the event; their probabilities add up to this")
        return
    for text in texts:
        one = "the only path that leads to the event"
        w.add(
            one if len(texts) == 1 else f"one of {len(texts)} paths, which add up", f"it is {text}"
        )


def event_paths(program: Program, n: int, event: OutputEvent) -> list[Path]:
    """The paths that lead into an event, with the rows of the event among theirs."""

    def fits(i: int, item: Item) -> bool:
        if i >= len(event.items):
            return False
        wanted = event.items[i]
        return isinstance(item, LinearForm) if isinstance(wanted, Between) else item == wanted

    return [
        replace(path, rows=(*path.rows, *_bounds(path, event)))
        for path in PathTable(program).runs(n, fits)
        if len(path.items) == len(event.items)
    ]


def _bounds(path: Path, event: OutputEvent) -> Iterator[Row]:
    """The rows that say in which intervals the released numbers lie."""
    for item, wanted in zip(path.items, event.items, strict=True):
        if isinstance(wanted, Between) and isinstance(item, LinearForm):
            if wanted.low is not None:
                yield Row(item.minus(LinearForm((), wanted.low)), False)
            if wanted.high is not None:
                yield Row(LinearForm((), wanted.high).minus(item), False)


def path_text(path: Path, at: Mapping[str, LinearForm], given: Values) -> str:
    """The probability of a path, at these answers and values of the parameters: an integral over
    the one noise that all others are compared with, if there is one.
    """
    n = len(at)
    rows = [_row_at(row, at, given) for row in path.rows]
    coin = "" if path.probability == ONE else f"{_at(path.probability, given)} * "
    pivot = _pivot(path, rows)
    if pivot is None:
        return f"{coin}{_chances(rows, n)}"
    own = [row for row in rows if [key for key, _ in row.form.terms] == [pivot.name]]
    rest = [row for row in rows if row not in own]
    key = name_in_words(pivot.name, n)
    where = f" with {' and '.join(_said(row, n) for row in own)}" if own else ""
    what = "sum over all whole numbers" if pivot.law == "geometric" else "integral over all"
    density = with_names_in_words(str(_density(pivot, given)), n)
    end = "" if pivot.law == "geometric" else f" d{key}" if key == pivot.name else ""
    chances = f" * {_chances(rest, n, each=True)}" if rest else ""
    return f"{coin}the {what} {key}{where} of {density}{chances}{end}"


def _pivot(path: Path, rows: list[Row]) -> Noise | None:
    """The noise that occurs in all rows with several noises, none of which shares another one."""
    several = [{key for key, _ in row.form.terms} for row in rows if len(row.form.terms) > 1]
    shared = set.intersection(*several) if several else set()
    others = [key for row in rows for key, _ in row.form.terms if key not in shared]
    listed = [d for d in path.draws if d.name in shared and d.law != "gumbel"]
    if not listed or (len(several) > 1 and len(set(others)) < len(others)):
        return None
    return listed[-1]


def _chances(rows: list[Row], n: int, *, each: bool = False) -> str:
    """The probability that rows hold; the product of their own ones where each has its own
    noise.
    """
    if not rows:
        return "1"
    used = [key for row in rows for key, _ in row.form.terms]
    if each or len(set(used)) == len(used):
        return " * ".join(f"P[{_said(row, n)}]" for row in rows)
    return f"P[{' and '.join(_said(row, n) for row in rows)}]"


def _row_at(row: Row, at: Mapping[str, LinearForm], given: Values) -> Row:
    form = row.form.at(at)
    return Row(LinearForm(form.terms, _at(form.constant, given)), row.strict)


def _at(e: Expression, given: Values) -> Expression:
    return to_expression(normal(substitute(e, dict(given)), EMPTY))


def _said(row: Row, n: int) -> str:
    """A row in words; that of one noise as a bound of it."""
    if len(row.form.terms) == 1:
        (key, c), *_ = row.form.terms
        bound = to_expression(normal(multiply(row.form.constant, number(-1 / c)), EMPTY))
        sign = (">" if c > 0 else "<") + ("" if row.strict else "=")
        return f"{name_in_words(key, n)} {sign} {bound}"
    return with_names_in_words(row_text(row.form.expression, strict=row.strict), n)


def noises_text(paths: list[Path], given: Values, n: int) -> str:
    """The noises that are drawn on paths, those of one law together."""
    laws: dict[str, dict[str, None]] = {}
    for noise in (d for path in paths for d in path.draws):
        laws.setdefault(f"{noise.law}({_at(noise.scale, given)})", {})[noise.name] = None
    return "; ".join(
        f"{', '.join(_few([name_in_words(key, n) for key in keys]))} ~ {law}"
        for law, keys in laws.items()
    )


def _few(keys: list[str]) -> list[str]:
    return keys if len(keys) <= FEW_NOISES else [keys[0], "...", keys[-1]]


def _density(noise: Noise, given: Values) -> Expression:
    """The density of a noise, or its probability."""
    x, b = name(noise.name), _at(noise.scale, given)
    if noise.law == "exponential":
        return multiply(exp(negative(multiply(x, reciprocal(b)))), reciprocal(b))
    power = exp(negative(multiply(Abs(x), reciprocal(b))))
    if noise.law == "laplace":
        return multiply(power, reciprocal(multiply(number(2), b)))
    q = exp(negative(reciprocal(b)))
    return multiply(power, add(ONE, negative(q)), reciprocal(add(ONE, q)))
