"""`examine`: whether a statement is true, and whether an argument proves it: two questions with
separate answers.

Every step is decided as a separate statement. The argument is valid if all steps hold, each begins
where the previous one ends, and their relations lead from the left side of the statement to its
right side. Where a step names the facts that it uses, it has to follow from them alone: the
exponentials, logarithms and roots in these facts become unknown numbers about which nothing else is
assumed. If it does not follow, the gap of the step is factored, to find the fact that is needed.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> order = Inequality.of({"y": "y >= 0", "z": "z >= 0"}, "exp(y)*z", ">=", "z", name="order")
>>> step = Step(order.left, ">=", order.right, "exp(y) is positive", by=(parse("exp(y) >= 0"),))
>>> for line in examine(Argument(order, (step,))).lines:
...     print(line)
Proved: order: exp(y)*z >= z; scope: all values of its unknowns, 0 <= y, 0 <= z; trusts: the checker and the rule of statements
step 1: exp(y)*z >= z (exp(y) is positive): holds, but does not follow from exp(y) >= 0 (y = 0, z = 1, exp(y) = 0: 0 against 1); needed is exp(y) >= 1, which holds
argument: not valid, step 1 is the first that fails
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ahdp_verify.display.markup import escape_html
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.display.verdict_latex import verdict_latex
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.expression import TRUE, Expression, eq
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.inequalities import verify_inequality
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving.opaque import OpaqueInequality
from ahdp_verify.search.verify import verify
from ahdp_verify.steps import Argument, Step
from ahdp_verify.verdicts import Unknown, Verdict

UPWARD, DOWNWARD = ("<=", "<"), (">=", ">")
MIRRORED = {"<=": ">=", "<": ">"}


@dataclass(frozen=True, slots=True)
class StepResult:
    """The findings on one step.

    verdict    on the step as a statement; None for a cited step
    facts      the facts that its author names, each with the verdict on it
    follows    the verdict on the step with nothing but these facts known; None where no facts are
               named, and for a step that fails
    terms      what the opaque names in `follows` stand for
    needed     true facts from which it does follow, each with the verdict on it
    """

    number: int
    step: Step
    verdict: Verdict | None = None
    facts: tuple[tuple[Expression, Verdict], ...] = ()
    follows: Verdict | None = None
    terms: tuple[tuple[str, Expression], ...] = ()
    needed: tuple[tuple[Expression, Verdict], ...] = ()

    __repr__ = short_repr

    @property
    def holds(self) -> bool | None:
        """True if the step is a valid one, False if it is not, None if that is not known; a cited
        step is assumed to be valid.
        """
        if self.step.cited:
            return True
        asked = [
            self.verdict,
            *(v for _, v in self.facts),
            *([self.follows] if self.follows is not None else []),
        ]
        if any(isinstance(v, RefutedInequality) for v in asked):
            return False
        return True if all(isinstance(v, Proved) for v in asked) else None

    def __str__(self) -> str:
        step = self.step
        if step.cited:
            return f"step {self.number}: cited, not checked: {step.reason}"
        said = f"step {self.number}: {step.left} {step.relation} {step.right}" + (
            f" ({step.reason})" if step.reason else ""
        )
        return one_line(f"{said}: {'; '.join(self._found())}", 1200)

    def _found(self) -> Iterable[str]:
        yield inequality_status(self.verdict) + (
            ", but does not follow from " + self._facts()
            if isinstance(self.follows, RefutedInequality)
            else ""
        )
        for fact, verdict in self.facts:
            if not isinstance(verdict, Proved):
                yield f"the fact {comparison_text(fact)} {inequality_status(verdict)}"
        if isinstance(self.follows, Unknown):
            yield f"whether it follows from {self._facts()} is not known"
        if self.needed:
            yield "needed is " + " and ".join(
                f"{comparison_text(fact)}, which {inequality_status(verdict)}"
                for fact, verdict in self.needed
            )

    def _facts(self) -> str:
        facts = " and ".join(comparison_text(fact) for fact, _ in self.facts)
        if not isinstance(self.follows, RefutedInequality):
            return facts
        spoken = dict(self.terms)
        text = ", ".join(f"{spoken.get(key, key)} = {value}" for key, value in self.follows.values)
        return f"{facts} ({text}: {self.follows.text.rpartition(': ')[2]})"


def comparison_text(fact: Expression) -> str:
    """A comparison in the usual form, with a number on the right."""
    left, right = fact.args
    return (
        f"{right} {MIRRORED[fact.head]} {left}"
        if left.head == "number" and fact.head in MIRRORED
        else str(fact)
    )


def inequality_status(verdict: Verdict | None) -> str:
    """The status of a statement, with its counterexample."""
    if isinstance(verdict, RefutedInequality):
        return f"fails at {verdict.text}"
    return "holds" if isinstance(verdict, Proved) else "is open"


@dataclass(frozen=True, slots=True)
class Examination:
    """The verdict on a statement, what was found of each step, and what is missing between the
    steps ("" if nothing is).
    """

    argument: Argument
    verdict: Verdict
    steps: tuple[StepResult, ...]
    missing: str

    __repr__ = short_repr

    @property
    def first(self) -> StepResult | None:
        """The first step that fails, or else the first that is open."""
        failing = [s for s in self.steps if s.holds is False] or [
            s for s in self.steps if s.holds is None
        ]
        return failing[0] if failing else None

    @property
    def valid(self) -> bool | None:
        """True if the argument shows the statement, given what it cites; False if it does not,
        None if a step is open.
        """
        if any(s.holds is False for s in self.steps) or self.missing:
            return False
        return None if any(s.holds is None for s in self.steps) else True

    @property
    def state(self) -> str:
        """The status of the argument, as `expect_argument` in a file names it."""
        return {True: "valid", False: "not valid", None: "open"}[self.valid]

    @property
    def conclusion(self) -> str:
        """The line about the argument."""
        first, cited = self.first, [s.step.reason for s in self.steps if s.step.cited]
        if first is not None:
            return (
                f"argument: {'not valid' if self.valid is False else 'open'}, step "
                f"{first.number} is the first that "
                f"{'fails' if first.holds is False else 'is open'}"
            )
        if self.missing:
            return f"argument: not valid, {self.missing}"
        return "argument: valid" + (f", given: {'; '.join(cited)}" if cited else "")

    @property
    def lines(self) -> tuple[str, ...]:
        """The statement, the steps and the argument, a line each."""
        return str(self.verdict), *(str(s) for s in self.steps), self.conclusion

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        lines = "<br>".join(map(escape_html, self.lines[1:]))
        return f"{verdict_html(self.verdict)}<p>{lines}</p>"

    def _repr_latex_(self) -> str:
        return verdict_latex(self.verdict)


def examine(
    argument: Argument, limits: Limits | None = None, progress: Progress = no_progress
) -> Examination:
    """Whether the statement is true, every step, and whether the steps lead from one side of the
    statement to the other.
    """
    clock = (limits or Limits()).clock()
    chain = tuple(argument.claim(i) for i, step in enumerate(argument.steps) if not step.cited)
    verdict = verify_inequality(argument.statement, limits or Limits(), progress, chain)
    done: list[StepResult] = []
    lemmas: list[Step] = []
    for i, step in enumerate(argument.steps):
        progress(f"step {i + 1} of {len(argument.steps)}")
        found = (
            StepResult(i + 1, step)
            if step.cited
            else _step_result(
                argument, i, _with_lemmas(argument.statement.parameters, lemmas), clock
            )
        )
        done.append(found)
        if step.lemma and isinstance(found.verdict, Proved):
            lemmas.append(step)
    return Examination(argument, verdict, tuple(done), _missing_link(argument))


def _with_lemmas(parameters: NamedConditions, lemmas: list[Step]) -> NamedConditions:
    """The unknowns, with the facts shown so far as further conditions."""
    if not lemmas or not parameters:
        return parameters
    (key, condition), shown = parameters[-1], [_as_condition(s) for s in lemmas]
    for fact in shown:
        condition = fact if condition == TRUE else condition & fact
    return (*parameters[:-1], (key, condition))


def _as_condition(step: Step) -> Expression:
    """A step as a condition."""
    if step.relation == "==":
        return eq(step.left, step.right)
    small, large = (step.left, step.right) if step.relation in UPWARD else (step.right, step.left)
    return small < large if step.relation in ("<", ">") else small <= large


def _remaining_limits(clock: Clock) -> Limits:
    """The limits that are left: they apply to the whole argument."""
    return clock.part()


def _step_result(
    argument: Argument, i: int, parameters: NamedConditions, clock: Clock
) -> StepResult:
    """The findings on step number i (from 0)."""
    step = argument.steps[i]
    claim = replace(argument.claim(i), parameters=parameters)
    verdict = verify(claim, _remaining_limits(clock))
    facts = tuple(
        (fact, verify(_inequality_of(fact, parameters), _remaining_limits(clock)))
        for fact in step.by
    )
    if not facts or isinstance(verdict, RefutedInequality):
        return StepResult(i + 1, step, verdict, facts)
    veil = OpaqueInequality.over(claim, step.by)
    follows = verify(veil.statement, _remaining_limits(clock))
    needed = () if isinstance(follows, Proved) else _required_facts(veil, claim, step.by, clock)
    return StepResult(i + 1, step, verdict, facts, follows, veil.terms, needed)


def _inequality_of(fact: Expression, parameters: NamedConditions) -> Inequality:
    """A comparison as a statement."""
    relation = {"==": "==", "<": "<", "<=": "<="}[fact.head]
    return Inequality(parameters, fact.args[0], relation, fact.args[1], "fact")


def _required_facts(
    veil: OpaqueInequality, claim: Inequality, named: tuple[Expression, ...], clock: Clock
) -> tuple[tuple[Expression, Verdict], ...]:
    """True facts about the veiled functions, read off the factors of the gap, from which the step
    follows, no more than needed; empty if they do not suffice.
    """

    def enough(pairs: list[tuple[Expression, Verdict]]) -> bool:
        return isinstance(
            verify(
                OpaqueInequality.over(claim, (*named, *(fact for fact, _ in pairs))).statement,
                _remaining_limits(clock),
            ),
            Proved,
        )

    found: list[tuple[Expression, Verdict]] = []
    for sides in veil.wanted():
        asked = (
            (side, verify(_inequality_of(side, claim.parameters), _remaining_limits(clock)))
            for side in sides
        )
        found.extend(itertools.islice((pair for pair in asked if isinstance(pair[1], Proved)), 1))
    if not found or not enough(found):
        return ()
    for pair in found[::-1]:
        fewer = [other for other in found if other is not pair]
        if fewer and enough(fewer):
            found = fewer
    return tuple(found)


def _missing_link(argument: Argument) -> str:
    """What is missing between the steps, or between them and the statement; "" if nothing is
    missing.
    """
    chain = [(i + 1, s) for i, s in enumerate(argument.steps) if not s.cited and not s.lemma]
    statement = argument.statement
    if not chain:
        return "it has no step that leads from one side to the other"
    for (i, first), (j, second) in itertools.pairwise(chain):
        if not _have_one_normal_form(first.right, second.left, statement):
            return f"step {j} does not begin where step {i} ends"
    if not _have_one_normal_form(chain[0][1].left, statement.left, statement):
        return f"step {chain[0][0]} does not begin with {statement.left}"
    if not _have_one_normal_form(chain[-1][1].right, statement.right, statement):
        return f"step {chain[-1][0]} does not end with {statement.right}"
    return _chain_defect([(i, s.relation) for i, s in chain], statement.relation)


def _have_one_normal_form(a: Expression, b: Expression, statement: Inequality) -> bool:
    """True only if two expressions have one normal form."""
    try:
        return a == b or (normal(a, statement.here) - normal(b, statement.here)).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        return isinstance(
            verify(Inequality(statement.parameters, a, "==", b), Limits(seconds=5)), Proved
        )


def _chain_defect(relations: list[tuple[int, str]], wanted_: str) -> str:
    """Why the relations of a chain do not give the relation of the statement; "" if they do."""
    allowed = ("==",) if wanted_ == "==" else ("==", *(UPWARD if wanted_ in UPWARD else DOWNWARD))
    wrong = next((i for i, r in relations if r not in allowed), None)
    if wrong is not None:
        return f"step {wrong} goes against the direction of {wanted_}"
    if wanted_ in ("<", ">") and all(r != wanted_ for _, r in relations):
        return f"no step is strict, but the statement is ({wanted_})"
    return ""
