"""Arguments: a statement and the steps that are claimed to lead to it.

Nothing is believed because of an argument: each step is a statement of its own
(`ahdp_verify.kernel.model.inequality`), which is proved or refuted as any other.

>>> from ahdp_verify.kernel.terms.expression import name, number
>>> y = name("y")
>>> whole = Inequality((("y", number(0) <= y),), y, "<=", y + 2)
>>> print(Argument(whole, (Step(y, "<=", y + 1), Step(y + 1, "<=", y + 2))).claim(1))
step 2: y + 1 <= y + 2
"""

from __future__ import annotations

from dataclasses import dataclass

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.printing import display_name


@dataclass(frozen=True, slots=True)
class Step:
    """A claimed step: left `relation` right, for the given reason.

    by       the facts that the author names as all that is needed, as conditions
    cited    True for mathematics that is quoted, not shown (measurability, minimax); such a step
             compares nothing
    lemma    True for a step outside the chain, which later steps may use
    """

    left: Expression
    relation: str
    right: Expression
    reason: str = ""
    by: tuple[Expression, ...] = ()
    cited: bool = False
    lemma: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """A statement and the steps that are claimed to lead to it, each about the same unknowns.
    Raises BadInput for a malformed step.
    """

    statement: Inequality
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        for i, step in enumerate(self.steps):
            if not step.cited:
                self.claim(i)
            for fact in step.by:
                if fact.head not in ("==", "<", "<="):
                    raise BadInput(
                        f"step {i + 1}",
                        f"the fact {str(fact)[:60]} is not a comparison",
                        'write for example by = ["exp(y) >= 1"]',
                    )
                Inequality(
                    self.statement.parameters,
                    fact.args[0],
                    fact.head,
                    fact.args[1],
                    f"a fact of step {i + 1}",
                )

    def __str__(self) -> str:
        return f"{display_name(self.statement.name) or 'the statement'}, in {len(self.steps)} steps"

    def claim(self, i: int) -> Inequality:
        """Step number i (from 0) as a statement under the conditions of the whole, and under the
        lemmas before it.
        """
        step = self.steps[i]
        return Inequality(
            self.statement.parameters, step.left, step.relation, step.right, f"step {i + 1}"
        )
