"""Audits of noise programs: whether outputs of a running function are consistent with the exact
probabilities of the program that is verified.

The events are the outcomes of the program (its labels, with any number where a number is released),
and, where a number is released, that it lies below a cut.  They are chosen from draws of the
program itself, so none depends on the draws that are tested.  By default the function of the noise
program is run.

>>> from ahdp_verify.laws import laplace
>>> from ahdp_verify.programs import noise_program
>>> @noise_program(parameters={"eps": "eps > 0"})
... def high(queries, eps):
...     return queries[0] + laplace(1 / eps) > 2
>>> found = audit_program(high, None, [[1], [2]], size=1000, alpha=1e-6, parameters={"eps": 1})
>>> found.outcome, [i.tests for i in found.inputs]
('consistent', [2, 2])
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.analysis.inputs import constant_of
from ahdp_verify.auditing.certified_level import query_steps, upper_float
from ahdp_verify.auditing.events import (
    REFERENCE,
    SEED,
    WIDEST,
    hidden_difference,
    tail_probability,
)
from ahdp_verify.auditing.observed_loss import loss_between_cells
from ahdp_verify.auditing.results import Audit, InputResult, PairResult
from ahdp_verify.datasets import Multiset
from ahdp_verify.display.program_text import program_input_text
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import RecordAnswers, answers_at
from ahdp_verify.kernel.model.domain import value_at_record
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.program_paths import Item, PathTable
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.exact import rational
from ahdp_verify.kernel.terms.expression import Expression, add, label, multiply, number, substitute
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.programs import NoiseProgram
from ahdp_verify.sampling.floats import Array, np
from ahdp_verify.sampling.goodness_of_fit import FEWEST, chi_squared_test
from ahdp_verify.sampling.programs import ProgramDraws, sample_program
from ahdp_verify.sampling.sample import whole_number
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.verify import verify

OUTCOMES = 40  # most outcomes that are tested at an input, the most frequent ones
CUTS = (25, 50, 75)  # percentiles of a released number, where it is tested whether it lies below
STEPS = 8  # a cut is a multiple of 1/STEPS
ANYTHING = Between(None, None)
Subject = NoiseProgram | Program | ProgramClaim | Proved
Outcome = tuple[str, ...]  # labels, with NUMBER for a number
Drawer = Callable[..., object]
NUMBER = "#"


@dataclass(frozen=True, slots=True)
class ProgramReference:
    """The program at one input: the outcomes that are told apart, and all events that are tested,
    with their probabilities.
    """

    side: tuple[Fraction, ...]
    text: str
    outcomes: tuple[Outcome, ...]
    events: tuple[OutputEvent, ...]
    probabilities: Array


def audit_program(
    subject: Subject,
    draws: Sequence[object] | Drawer | None,
    at: Sequence[object],
    *,
    size: int,
    alpha: float,
    parameters: Mapping[str, object],
    progress: Progress = no_progress,
) -> Audit:
    """Whether outputs of a running program are consistent with those of a noise program.

    subject     a noise program, as a function or as its tree; or a claim about it or the proof of
                one, whose level between two inputs is then shown (a claim is verified first)
    draws       for each input a list of outputs, each a value or a list of values; or a function
                that is called with (query answers, size) and returns them; None runs the function
    at          lists of query answers, or datasets of a program on records
    parameters  exact values of all parameters
    """
    given = {key: constant_of(value, key) for key, value in parameters.items()}
    sides = [_side(dataset) for dataset in at]
    program, claim = _program_of(subject, len(sides[0]), progress)
    references = [_reference(program, side, given, progress) for side in sides]
    made = _outputs(subject, draws, [_answers(program, s) for s in sides], size, parameters)
    columns = [_program_draws(outputs) for outputs in made]
    progress("testing the draws")
    pairs = list(itertools.permutations(range(len(at)), 2))
    total = sum(len(r.events) for r in references)
    share = alpha / 2 if pairs else alpha
    return Audit(
        name=program.name,
        claim="" if claim is None else str(claim),
        alpha=alpha,
        tests=total,
        inputs=tuple(
            _at_input(program, r, c, total) for r, c in zip(references, columns, strict=True)
        ),
        scale=None,
        scale_p_value=1.0,
        detectable=None,
        difference=max(
            hidden_difference(r.probabilities, c.size, share / total)
            for r, c in zip(references, columns, strict=True)
        ),
        pairs=tuple(
            _pair(
                claim,
                (references[a], references[b]),
                (columns[a], columns[b]),
                given,
                alpha / 2 / len(pairs),
            )
            for a, b in pairs
        ),
        parameters=tuple((key, str(value)) for key, value in parameters.items()),
    )


def _side(dataset: object) -> tuple[Fraction, ...]:
    """An input as exact numbers: query answers, or how often a dataset holds each record."""
    if isinstance(dataset, Multiset):
        return tuple(map(Fraction, dataset.counts))
    if isinstance(dataset, str) or not isinstance(dataset, Sequence):
        raise BadInput("at", f"{str(dataset)[:40]} is no list of query answers", "list them")
    return tuple(rational(answer, "at") for answer in dataset)


def _program_of(
    subject: Subject, count: int, progress: Progress
) -> tuple[Program, ProgramClaim | None]:
    """The program, and the claim about it if it is proved."""
    if isinstance(subject, Proved):
        claim = subject.claim
        if not isinstance(claim, ProgramClaim):
            raise BadInput("audit", f"{claim} is not about a noise program", "give one that is")
        return claim.program, claim
    if isinstance(subject, ProgramClaim):
        progress(f"verifying {one_line(str(subject), 40)}")
        return subject.program, subject if isinstance(verify(subject), Proved) else None
    if isinstance(subject, NoiseProgram):
        return subject.answering(count)[0], None
    return subject, None


def _dataset(program: Program, side: tuple[Fraction, ...]) -> Sequence[object] | Multiset:
    """An input as `sample_program` takes it."""
    if isinstance(program.inputs, RecordAnswers):
        return Multiset(program.inputs.domain, tuple(map(int, side)))
    return side


def _answers(program: Program, side: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The query answers at an input."""
    if isinstance(program.inputs, RecordAnswers):
        return answers_at(program.inputs, tuple(map(int, side)))
    return side


def _reference(
    program: Program,
    side: tuple[Fraction, ...],
    given: Mapping[str, Expression],
    progress: Progress,
) -> ProgramReference:
    """The events at an input and their exact probabilities; NotWorkedOut where these are not
    found.
    """
    text = program_input_text(program, side)
    progress(f"the probabilities of the outputs at {text}")
    pilot = sample_program(program, _dataset(program, side), given, size=REFERENCE, rng=SEED)
    frequent = [outcome for outcome, _ in pilot.counts().most_common(OUTCOMES)]
    answers = _answers(program, side)
    listed, chances = list[OutputEvent](), list[float]()
    for outcome in frequent:
        for event in _events(outcome, pilot):
            try:
                low, high = enclose(output_probability(program, answers, given, event))
            except (Unsupported, Undecided) as why:
                if event.items == _whole(outcome).items:
                    raise NotWorkedOut(
                        program.name,
                        f"the exact probabilities of its outputs were not found ({why})",
                        "give rational values of the parameters",
                    ) from None
                continue
            if high < 1:
                listed.append(event)
                chances.append(float(low + high) / 2)
    return ProgramReference(side, text, tuple(frequent), tuple(listed), np.array(chances))


def _whole(outcome: Outcome) -> OutputEvent:
    """The event that the outputs have the labels and the numbers of an outcome."""
    return OutputEvent(tuple(ANYTHING if word == NUMBER else label(word) for word in outcome))


def _events(outcome: Outcome, pilot: ProgramDraws) -> Iterator[OutputEvent]:
    """An outcome, and for each number in it that it lies below a cut."""
    whole = _whole(outcome)
    yield whole
    outcomes, which = pilot.outcomes()
    rows = which == outcomes.index(outcome)
    for i, word in enumerate(outcome):
        if word != NUMBER:
            continue
        for cut in np.percentile(pilot.numbers[i][rows], CUTS):
            end = number(Fraction(round(float(cut) * STEPS), STEPS))
            below = (*whole.items[:i], Between(None, end), *whole.items[i + 1 :])
            yield OutputEvent(below)


def _outputs(
    subject: Subject,
    draws: Sequence[object] | Drawer | None,
    at: list[tuple[Fraction, ...]],
    size: int,
    parameters: Mapping[str, object],
) -> list[list[object]]:
    """The outputs at each of several lists of query answers."""
    if whole_number(size) < FEWEST:
        raise BadInput("size", f"{size} draws show nothing", f"ask for at least {FEWEST}")
    if draws is None:
        if not isinstance(subject, NoiseProgram):
            raise BadInput("draws", "there are none", "give a function (answers, size), or outputs")
        return [subject.sample(answers, size, **parameters) for answers in at]
    made = (
        [draws([_plain(a) for a in answers], size) for answers in at]
        if callable(draws)
        else list(draws)
    )
    if len(made) != len(at):
        raise BadInput(
            "draws",
            f"there are draws for {len(made)} inputs, and {len(at)} inputs",
            "give one list of outputs for each input",
        )
    return [_listed(outputs) for outputs in made]


def _plain(exact: Fraction) -> int | float:
    """A number as an int or a float."""
    return int(exact) if exact.denominator == 1 else float(exact)


def _listed(outputs: object) -> list[object]:
    """The outputs at one input; BadInput for too few, and for what is no list."""
    if isinstance(outputs, str) or not isinstance(outputs, Sequence) or len(outputs) < FEWEST:
        raise BadInput(
            "draws", f"they are no list of at least {FEWEST} outputs", "list the outputs"
        )
    return list(outputs)


def _program_draws(outputs: list[object]) -> ProgramDraws:
    """Outputs of a function, item by item."""
    listed = [tuple(_items(value)) for value in outputs]
    found = ProgramDraws(len(listed))
    for place in range(max(map(len, listed), default=0)):
        words: dict[str, list[int]] = {}
        for i, items in enumerate(listed):
            if place < len(items):
                word = items[place]
                words.setdefault(word if isinstance(word, str) else NUMBER, []).append(i)
        for word, rows in words.items():
            where = np.array(rows)
            if word == NUMBER:
                found.release(place, where, np.array([float(listed[i][place]) for i in rows]))
            else:
                found.release(place, where, word)
    return found


def _items(value: object) -> Iterator[str | float]:
    """The labels and the numbers of one output."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _items(part)
    elif isinstance(value, str):
        yield value
    elif value is None or isinstance(value, bool | np.bool_):
        yield "none" if value is None else str(bool(value)).lower()
    else:
        try:
            yield float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise BadInput(
                "draws",
                f"a {type(value).__name__} is not an output of a noise program",
                "return numbers, texts, True, False, None, and tuples and lists of them",
            ) from None


def _at_input(
    program: Program, reference: ProgramReference, draws: ProgramDraws, total: int
) -> InputResult:
    """The least likely event at one input."""
    seen = np.array([draws.occurrences(event) for event in reference.events], dtype=int)
    p = tail_probability(seen, draws.size, reference.probabilities)
    i = int(np.argmin(p)) if len(p) else -1
    counts = draws.counts()
    whole = {
        event.items: p for event, p in zip(reference.events, reference.probabilities, strict=True)
    }
    chances = [float(whole.get(_whole(o).items, 1.0)) for o in reference.outcomes]
    observed = [counts[outcome] for outcome in reference.outcomes]
    rest = max(0.0, 1.0 - sum(chances))
    wanted = np.array([*chances, rest]) * draws.size
    bad = _impossible(program, reference, draws)
    cells = np.array([*observed, draws.size - sum(observed)])
    _, freedom, chi_squared = chi_squared_test(cells, wanted)
    return InputResult(
        reference.text,
        draws.size,
        len(reference.events),
        _event_text(reference.events[i]) if len(p) else "",
        int(seen[i]) if len(p) else 0,
        float(reference.probabilities[i]) if len(p) else 1.0,
        min(1.0, total * float(p[i])) if len(p) else 1.0,
        chi_squared if freedom or not chi_squared else None,
        len(bad),
        _draw_text(draws, bad[0]) if bad else "",
    )


def _event_text(event: OutputEvent) -> str:
    return one_line(f"outputs {event}", WIDEST)


def _impossible(program: Program, reference: ProgramReference, draws: ProgramDraws) -> list[int]:
    """The runs, from 0, with an outcome that the program cannot have."""
    outcomes, which = draws.outcomes()
    n = len(_answers(program, reference.side))
    table = PathTable(program)
    bad = [
        k
        for k, outcome in enumerate(outcomes)
        if outcome not in reference.outcomes and not _is_possible(table, n, outcome)
    ]
    return [int(i) for i in np.flatnonzero(np.isin(which, bad))]


def _is_possible(table: PathTable, n: int, outcome: Outcome) -> bool:
    """Whether a path releases the labels and the numbers of an outcome."""

    def fits(i: int, item: Item) -> bool:
        if i >= len(outcome):
            return False
        return outcome[i] == (NUMBER if isinstance(item, LinearForm) else item.args[0])

    return any(len(path.items) == len(outcome) for path in table.runs(n, fits))


def _draw_text(draws: ProgramDraws, row: int) -> str:
    shown = ", ".join(map(str, draws.outputs()[row])) or "nothing"
    return f"{one_line(shown, WIDEST)} (draw {row + 1:,})"


def _pair(
    claim: ProgramClaim | None,
    references: Sequence[ProgramReference],
    columns: Sequence[ProgramDraws],
    given: Mapping[str, Expression],
    alpha: float,
) -> PairResult:
    """The lower bound of the loss between two inputs."""
    known = list(dict.fromkeys((*references[0].outcomes, *references[1].outcomes)))
    size = len(known) + 1

    def places(draws: ProgramDraws) -> Array:
        outcomes, which = draws.outcomes()
        index = [known.index(o) if o in known else size - 1 for o in outcomes]
        return np.array(index)[which]

    def text(cells: frozenset[int]) -> str:
        shown = [str(_whole(known[k])) for k in sorted(cells - {size - 1})]
        shown += ["another outcome"] if size - 1 in cells else []
        return one_line(" or ".join(shown), WIDEST)

    delta = 0.0
    if claim is not None:
        delta = upper_float(constant_of(substitute(claim.delta, dict(given)), "delta"))
    pair = places(columns[0]), places(columns[1])
    return PairResult(
        references[0].text,
        references[1].text,
        loss_between_cells(pair, size, text, alpha, delta),
        None,
        None if claim is None else _allowed(claim, references[0].side, references[1].side, given),
        delta,
    )


def _allowed(
    claim: ProgramClaim,
    first: tuple[Fraction, ...],
    second: tuple[Fraction, ...],
    given: Mapping[str, Expression],
) -> Expression | None:
    """The level that a claim allows between two inputs; None where that is not worked out."""
    moved = [b - a for a, b in zip(first, second, strict=True)]
    inputs, level = claim.program.inputs, claim.level
    if not isinstance(inputs, RecordAnswers):
        steps = query_steps(claim.relation, moved)
        if not steps or (steps > 1 and claim.delta != number(0)):
            return None
        return constant_of(substitute(multiply(number(steps), level), dict(given)), "level")
    if claim.relation == "swap" or not any(moved):
        return None
    here = claim.program.here
    parts = [
        multiply(
            number(abs(k)), value_at_record(level, r, here) if claim.relation == "ahdp" else level
        )
        for r, k in zip(inputs.domain.records, moved, strict=True)
        if k
    ]
    if len(parts) > 1 and claim.delta != number(0):
        return None
    return constant_of(substitute(add(*parts), dict(given)), "level")
