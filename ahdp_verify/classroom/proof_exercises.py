"""Exercises about written proofs: find the first line that fails, and write a proof.

>>> claim = Inequality.of({"y": "y >= 0"}, "exp(-y)", ">=", "1 - y", name="tangent")
>>> steps = ProofExercise(claim)
>>> print(steps.check(">= 1/(1 + y)  by exp(y) >= 1"))
Not right. Step 1, exp(-y) >= 1/(y + 1), fails at y = 1: exp(-1) = 0.367879 against 1/2.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ahdp_verify.analysis.arguments import Examination, StepResult, examine
from ahdp_verify.classroom.feedback import Feedback, answered, limits
from ahdp_verify.display.markup import escape_markdown, latex
from ahdp_verify.display.verdict_latex import SIGNS
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.expression import TRUE, Expression, conjuncts
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify
from ahdp_verify.steps import Argument, Step

RELATION = re.compile(r"\s*(<=|>=|==|=|<|>)\s*(.*)", re.DOTALL)
BY = re.compile(r"\s+(?:by|since)\s+")
LINES = 20  # most lines of a student's proof
HOLDS = "every step holds"


@functools.lru_cache(maxsize=64)
def examined(argument: Argument) -> Examination:
    """What `examine` finds, worked out once for each argument."""
    return examine(argument, limits())


def step_text(step: Step) -> str:
    """A step as one line.

    >>> print(step_text(read_steps(parse("x"), "<= x + 1 by 1 >= 0")[0]))
    x <= x + 1
    """
    return step.reason if step.cited else f"{step.left} {step.relation} {step.right}"


def argument_markdown(argument: Argument) -> str:
    """The statement and the numbered steps in Markdown, with what is assumed of the unknowns and
    what each step is said to follow from.
    """
    whole = argument.statement
    known = ", ".join(
        f"${latex(part)}$"
        for _, condition in whole.parameters
        if condition != TRUE
        for part in conjuncts(condition)
    )
    lines = [
        f"*To show*: $\\displaystyle {_formula(whole)}$" + (f", where {known}." if known else ".")
    ]
    for i, step in enumerate(argument.steps, 1):
        facts = "since " + " and ".join(f"${latex(fact)}$" for fact in step.by) if step.by else ""
        said = "; ".join(filter(None, (escape_markdown(step.reason), facts)))
        formula = (
            escape_markdown(step.reason) if step.cited else f"$\\displaystyle {_formula(step)}$"
        )
        lines.append(f"**Step {i}.** {formula}" + (f" ({said})" if said and not step.cited else ""))
    return "\n\n".join(lines)


def _formula(said: Inequality | Step) -> str:
    """A comparison in LaTeX."""
    return f"{latex(said.left)} {SIGNS[said.relation]} {latex(said.right)}"


@dataclass(frozen=True, slots=True)
class FalseLineExercise:
    """Right is the number of the first step that the toolkit finds to fail, or `HOLDS` if it finds
    the argument valid.
    """

    argument: Argument

    @property
    def choices(self) -> list[str]:
        """The texts to choose from."""
        return [*(f"step {i}" for i in range(1, len(self.argument.steps) + 1)), HOLDS]

    def check(self, answer: str | None) -> Feedback:
        """Whether this is the first step that fails."""
        return answered(answer, self._judge)

    def _judge(self, answer: str) -> Feedback:
        if answer not in self.choices:
            raise BadInput("answer", f"{answer} is not one of the choices", "choose one of them")
        found = examined(self.argument)
        first = found.first
        if answer == HOLDS:
            return Feedback(
                found.valid, "The toolkit proves every step." if found.valid else _defect(found)
            )
        chosen = found.steps[self.choices.index(answer)]
        if chosen.holds:
            return Feedback(False, f"Step {chosen.number} holds: the toolkit proves it.")
        if chosen.holds is None:
            return Feedback(None, f"Step {chosen.number} is open.")
        assert first is not None
        if first.number != chosen.number:
            return Feedback(False, "It fails, but an earlier step fails too.")
        return Feedback(True, failure_text(chosen))


def failure_text(result: StepResult) -> str:
    """Why a step fails, in a sentence."""
    step = result.step
    said = f"Step {result.number}, {step_text(step)},"
    if isinstance(result.verdict, RefutedInequality):
        return f"{said} fails at {result.verdict.text}."
    for fact, verdict in result.facts:
        if isinstance(verdict, RefutedInequality):
            return f"{said} rests on {fact}, which fails at {verdict.text}."
    rest = one_line(str(result), 1200).partition("): ")[2] or str(result)
    return f"{said} {rest}."


def _defect(found: Examination) -> str:
    """Why an argument is not valid."""
    if found.first is not None and found.first.holds is False:
        return "A step fails."
    return f"It is not a proof: {found.missing or found.conclusion}."


def read_steps(start: Expression, text: str) -> tuple[Step, ...]:
    """The steps of a proof: a relation and a right side on each line, and after `by` the facts
    that are used, with commas between them; of an exponential in these facts nothing else is then
    assumed.  Each step begins where the one above it ends.

    Raises BadInput, with the number of the line, for a line of another form.
    """
    return tuple(_read_steps(start, text))


def _read_steps(start: Expression, text: str) -> Iterator[Step]:
    left = start
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > LINES:
        raise BadInput("proof", f"it has {len(lines)} lines", f"use at most {LINES}")
    for i, line in enumerate(lines, 1):
        found = RELATION.fullmatch(line)
        if found is None:
            raise BadInput(f"line {i}", "it has no relation", "begin with <=, >=, ==, < or >")
        relation, (right, *facts) = {"=": "=="}.get(found[1], found[1]), BY.split(found[2])
        by = tuple(parse_condition(fact, f"line {i}") for part in facts for fact in part.split(","))
        step = Step(left, relation, parse(right, f"line {i}"), by=by)
        yield step
        left = step.right


@dataclass(frozen=True, slots=True)
class ProofExercise:
    """Right is every chain of steps that leads from one side of the statement to the other, each of
    which the toolkit proves; one step that repeats the statement is not a proof.
    """

    statement: Inequality

    def argument(self, text: str) -> Argument:
        """The argument that a text states; BadInput where it cannot be read."""
        return Argument(self.statement, read_steps(self.statement.left, text))

    def check(self, answer: str | None) -> Feedback:
        """Whether the steps are a proof."""
        return answered(answer, self._judge)

    def _judge(self, answer: str) -> Feedback:
        argument = self.argument(answer)
        found = examined(argument)
        first = found.first
        if first is not None and first.holds is False:
            return Feedback(False, failure_text(first))
        if found.missing:
            return Feedback(False, f"Every step holds, but {found.missing}.")
        if first is not None:
            return Feedback(None, f"Step {first.number} was neither proved nor refuted.")
        if repeated := next((i for i, s in enumerate(argument.steps, 1) if self._repeats(s)), None):
            return Feedback(False, f"Step {repeated} is the statement itself; show why it holds.")
        return Feedback(
            True,
            f"The toolkit proves each of the {len(argument.steps)} steps, and they lead to the end.",
        )

    def _repeats(self, step: Step) -> bool:
        """Whether a step leads from the left side of the statement to its right side at once."""
        known, whole = self.statement.parameters, self.statement
        return all(
            isinstance(verify(Inequality(known, mine, "==", its), limits()), Proved)
            for mine, its in ((step.left, whole.left), (step.right, whole.right))
        )
