"""`audit`: whether draws of a running program are consistent with the verified law of a mechanism.

Draws prove nothing: that they are consistent with the law says that the program was not found to
differ from it, by tests that would have found the changes that the audit states.  A rejection is
rigorous: if the program draws independently from the law, within and between the inputs, an audit
rejects it with a probability of at most alpha.  For that alpha is divided: one half among all tests
of the law (`events`, `noise_scale`), one half among the lower bounds of the privacy loss between
each ordered pair of inputs (`observed_loss`), which know nothing of the law.  With one input all of
alpha goes to the tests.  Needs numpy and scipy (the extra `sampling`).

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=exp(-Abs(name("s") - name("q[1]"))) / 2, name="noisy")
>>> def program(value, size):
...     rng = np.random.default_rng(7)
...     return value + rng.laplace(scale=1.5, size=size)
>>> found = audit(M, program, at=[[3], [4]], size=2000)
>>> found.outcome, 1.3 < found.scale.factor < 1.7
('rejected', True)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.analysis.inputs import constant_of
from ahdp_verify.auditing.certified_level import allowed_level, loss_of_law, upper_float
from ahdp_verify.auditing.events import (
    Reference,
    detectable_difference,
    reference_at,
    tail_probability,
)
from ahdp_verify.auditing.noise_programs import Subject, audit_program
from ahdp_verify.auditing.noise_scale import ScaleTest, detectable_scale, move_together, scale_test
from ahdp_verify.auditing.observed_loss import observed_loss
from ahdp_verify.auditing.plain_inputs import plain_input
from ahdp_verify.auditing.results import Audit, InputResult, PairResult
from ahdp_verify.kernel.errors import BadInput, with_location
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyMechanism, Composite, CompositeClaim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Expression, substitute
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.programs import NoiseProgram
from ahdp_verify.sampling.floats import Columns, np
from ahdp_verify.sampling.goodness_of_fit import FEWEST, chi_squared_test, read_draws
from ahdp_verify.sampling.sample import whole_number
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.verify import verify

MOST_ALPHA = 0.5
ONE_SEED = (
    "the draws at two inputs follow each other, as if the program started from one seed each time; "
    "the inputs are therefore not tested together"
)
Drawer = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Question:
    """The mechanism, the proved claim about it if there is one, the inputs and the parameters."""

    mechanism: AnyMechanism
    claim: Claim | CompositeClaim | None
    at: tuple[object, ...]
    parameters: Mapping[str, object]


def audit(
    subject: AnyMechanism | Claim | CompositeClaim | Proved | NoiseProgram | Program | ProgramClaim,
    draws: Sequence[object] | Drawer | None,
    at: Sequence[object],
    *,
    size: int = 20_000,
    alpha: float | str = 1e-6,
    parameters: Mapping[str, object] | None = None,
    others: Mapping[str, AnyMechanism] | None = None,
    progress: Progress = no_progress,
) -> Audit:
    """Whether draws at several inputs are consistent with the law of a mechanism.

    subject     a mechanism; or a claim about it or the proof of one, whose level between two inputs
                is then shown (a claim is verified first)
    draws       one column, or table of columns, for each input, in the form in which `sample` gives
                them; or a function that is called with (input, size) and returns them
    at          the inputs, as for `sample`; two neighbouring ones give a bound of the loss
    alpha       probability of rejecting a program that draws from the law, at most 1/2
    others      further mechanisms: are the draws consistent with one of these?

    A noise program, as a function or as its tree, is audited too, also from a claim about it or the
    proof of one (`noise_programs`): then draws are lists of outputs, and None runs the function.
    Raises BadInput for inputs and draws without meaning, NotWorkedOut for laws whose cells have no
    exact probabilities.

    >>> from ahdp_verify.catalogue.randomised_response import k_ary_response
    >>> from ahdp_verify.kernel.terms.expression import log
    >>> from ahdp_verify.sampling.sample import sample
    >>> coin = k_ary_response([0, 1], log(3))
    >>> audit(coin, lambda bit, size: sample(coin, bit, size, bit), at=[0, 1], size=500)
    Audit('randomised response', consistent)
    >>> audit(coin, [[0, 1] * 400], at=[0])
    Audit('randomised response', rejected)
    """
    if not at:
        raise BadInput("at", "there is no input", "give at least one")
    error = _checked_alpha(alpha)
    of = subject.claim if isinstance(subject, Proved) else subject
    if isinstance(of, NoiseProgram | Program | ProgramClaim):
        if others:
            raise BadInput("others", "they do not apply to noise programs", "leave them out")
        found: Subject = subject if isinstance(subject, Proved) else of
        return audit_program(
            found,
            draws,
            at,
            size=size,
            alpha=error,
            parameters=parameters or {},
            progress=progress,
        )
    if draws is None:
        raise BadInput("draws", "there are none", "give a function (input, size), or tables")
    mechanism, claim = _claim_of(subject, progress)
    given = dict(parameters or {})
    references = []
    for i, dataset in enumerate(at, 1):
        progress(f"the law at input {i} of {len(at)}")
        references.append(reference_at(mechanism, dataset, given))
    question = Question(mechanism, claim, tuple(at), given)
    columns = _columns(question, references, draws, size, progress)
    progress("testing the draws")
    pairs = list(itertools.permutations(range(len(at)), 2))
    share = error / 2 if pairs else error
    pooled = not move_together(references, columns)
    results, scale, scale_p = _tests(references, columns, pooled=pooled)
    total = _number_of_tests(references)
    sizes = [len(next(iter(c.values()))) for c in columns]
    return Audit(
        name=str(mechanism),
        claim="" if claim is None else str(claim),
        alpha=error,
        tests=total,
        inputs=results,
        scale=scale,
        scale_p_value=scale_p,
        detectable=detectable_scale(references, sizes, share / total, pooled=pooled),
        difference=max(
            detectable_difference(r, n, share / total)
            for r, n in zip(references, sizes, strict=True)
        ),
        pairs=tuple(
            _pair(question, references, columns, pair, error / 2 / len(pairs)) for pair in pairs
        ),
        others=tuple(
            (key, is_consistent(replace(question, mechanism=other, claim=None), columns, share))
            for key, other in (others or {}).items()
        ),
        notes=() if pooled else (ONE_SEED,),
        parameters=tuple((key, str(value)) for key, value in given.items()),
    )


def _checked_alpha(alpha: float | str) -> float:
    """Alpha as a float; BadInput for anything that is not a probability up to 1/2."""
    try:
        found = float(Fraction(alpha))
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        found = 0.0
    if isinstance(alpha, bool) or not 1e-300 < found <= MOST_ALPHA:
        raise BadInput(
            "alpha", f"{str(alpha)[:40]} is not in (0, 1/2]", "give for example 0.001 or 1e-6"
        )
    return found


def _claim_of(
    subject: object, progress: Progress
) -> tuple[AnyMechanism, Claim | CompositeClaim | None]:
    """The mechanism, and the claim about it if it is proved."""
    if isinstance(subject, Mechanism | Composite):
        return subject, None
    if isinstance(subject, Claim | CompositeClaim):
        progress(f"verifying {one_line(str(subject), 40)}")
        verdict = verify(subject)
        return subject.mechanism, subject if isinstance(verdict, Proved) else None
    if isinstance(subject, Proved) and isinstance(subject.claim, Claim | CompositeClaim):
        return subject.claim.mechanism, subject.claim
    raise BadInput(
        "audit",
        f"{type(subject).__name__} is not a mechanism",
        "give a mechanism, a claim about one, or the proof of a claim",
    )


def _columns(
    question: Question,
    references: Sequence[Reference],
    draws: Sequence[object] | Drawer,
    size: int,
    progress: Progress,
) -> list[Columns]:
    """The draws at each input as columns."""
    if whole_number(size) < FEWEST:
        raise BadInput("size", f"{size} draws show nothing", f"ask for at least {FEWEST}")
    at, made = question.at, list[object]()
    if callable(draws):
        for i, dataset in enumerate(at, 1):
            progress(f"drawing at input {i} of {len(at)}")
            made.append(draws(plain_input(question.mechanism, dataset, question.parameters), size))
    else:
        made += draws
    if len(made) != len(at):
        raise BadInput(
            "draws",
            f"there are draws for {len(made)} inputs, and {len(at)} inputs",
            "give one table of draws for each input",
        )
    found = []
    for reference, each in zip(references, made, strict=True):
        try:
            found.append(read_draws(each, reference.law.outputs))
        except BadInput as error:
            raise with_location(error, f"draws at {reference.law.text}") from None
    return found


def _number_of_tests(references: Sequence[Reference]) -> int:
    """How many tests of the law share alpha: the events at all inputs and the scale.  Impossible
    draws need no share, since a program that draws from the law never makes any.
    """
    return sum(r.number_of_events for r in references) + 1


def _tests(
    references: Sequence[Reference], columns: Sequence[Columns], *, pooled: bool
) -> tuple[tuple[InputResult, ...], ScaleTest | None, float]:
    """The tests at each input and that of the scale, with p-values corrected for their number."""
    total = _number_of_tests(references)
    results = tuple(_at_input(r, c, total) for r, c in zip(references, columns, strict=True))
    scale = scale_test(references, columns, pooled=pooled)
    return results, scale, 1.0 if scale is None else min(1.0, total * scale.p_value)


def _at_input(reference: Reference, columns: Columns, total: int) -> InputResult:
    """The least likely event at one input."""
    draws = len(next(iter(columns.values())))
    least = (2.0, "", 0, 0.0)
    chi_squared: float | None = None
    for table in reference.tables:
        counts = reference.counts(table, columns)
        wanted = np.append(table.grid.probabilities, 0.0) * draws
        _, freedom, p_value = chi_squared_test(counts, wanted)
        if freedom or not p_value:  # a single cell says nothing, an impossible draw everything
            chi_squared = p_value if chi_squared is None else min(chi_squared, p_value)
        if not table.events:
            continue
        seen = np.array([int(counts[:-1][event.cells].sum()) for event in table.events])
        p = tail_probability(seen, draws, [event.probability for event in table.events])
        i = int(np.argmin(p))
        event = table.events[i]
        least = min(least, (float(p[i]), event.text, int(seen[i]), event.probability))
    bad = np.flatnonzero(reference.impossible(columns))
    return InputResult(
        reference.law.text,
        draws,
        reference.number_of_events,
        least[1],
        least[2],
        least[3],
        min(1.0, total * least[0]),
        chi_squared,
        len(bad),
        _draw_text(columns, int(bad[0])) if len(bad) else "",
    )


def _draw_text(columns: Columns, row: int) -> str:
    """A draw for people, with its number from 1."""
    values = ", ".join(f"{k} = {one_line(str(c[row]), 40)}" for k, c in columns.items())
    return f"{values} (draw {row + 1:,})"


def _pair(
    question: Question,
    references: Sequence[Reference],
    columns: Sequence[Columns],
    pair: tuple[int, int],
    alpha: float,
) -> PairResult:
    """The lower bound of the loss between two inputs."""
    (a, b), claim, parameters = pair, question.claim, question.parameters
    first, second = question.at[a], question.at[b]
    delta = 0.0
    if claim is not None:
        delta = upper_float(constant_of(substitute(claim.delta, constants(parameters)), "delta"))
    return PairResult(
        references[a].law.text,
        references[b].law.text,
        observed_loss(references[a].tables[0].grid, columns[a], columns[b], alpha, delta),
        loss_of_law(question.mechanism, first, second, parameters),
        None if claim is None else allowed_level(claim, first, second, parameters),
        delta,
    )


def constants(parameters: Mapping[str, object]) -> dict[str, Expression]:
    """The values of the parameters as expressions."""
    return {key: constant_of(value, key) for key, value in parameters.items()}


def is_consistent(question: Question, columns: Sequence[Columns], alpha: float) -> bool:
    """Whether no test of the law of a mechanism rejects the draws; a program that draws from it is
    rejected with a probability of at most alpha.
    """
    references = [
        reference_at(question.mechanism, dataset, question.parameters) for dataset in question.at
    ]
    pooled = not move_together(references, columns)
    results, _, scale_p = _tests(references, columns, pooled=pooled)
    return scale_p >= alpha and all(r.p_value >= alpha and not r.impossible for r in results)
