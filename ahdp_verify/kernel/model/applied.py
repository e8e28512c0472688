"""A mechanism on query answers, applied to vectors of entries.

    M is private for answers that move by at most 1      the sensitivity of f is at most b, b > 0
    ---------------------------------------------------------------------------------------------
           M(f(D_1)/b, ..., f(D_m)/b) is private, in the same sense and to the same extent,
           where one entry, at the same position of each D_j, may change

M    a mechanism, or a noise program, on m query answers, which need not be whole numbers, and one
     or all of which move (`one` only for m = 1)
f    a query on vectors of n entries;  D_1, ..., D_m are such vectors, the columns of a table

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.entries import Entries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism, Output
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> noisy = Mechanism(Queries(1), outputs=[Output("s", "real")], density=parse("exp(-abs(s - q[1]))/2"), name="noisy answer")
>>> mean = SensitivityClaim(Entries("n", "0 <= x <= 1"), parse("sum(x)/n"), parse("1/n"))
>>> print(AppliedClaim(dp(noisy, 1, "one"), mean))
with sum(x)/n / (1/n) of vectors that differ in one entry as its answer, noisy answer is DP for one moving answer at level 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.composite import AnyClaim, AnyMechanism, claim_from_json
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.entries import POSITION
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.expression import TRUE, names


def claim_of_answers(data: Any) -> AnyClaim | NotionClaim | ProgramClaim:
    """The claim of its canonical JSON; BadInput for anything else."""
    kinds: dict[str, Any] = {"notion": NotionClaim.from_json, "program": ProgramClaim.from_json}
    read = next((kinds[key] for key in kinds if key in data), claim_from_json)
    found: AnyClaim | NotionClaim | ProgramClaim = read(data)
    return found


@dataclass(frozen=True, slots=True)
class AppliedClaim(Canonical):
    """The claim that `base` makes for answers that move by at most 1, for its mechanism applied to
    the answers of a query, divided by the bound of its sensitivity.
    """

    base: AnyClaim | NotionClaim | ProgramClaim
    sensitivity: SensitivityClaim

    keys: ClassVar = {"base": "applied", "sensitivity": "to"}
    readers: ClassVar = {"base": claim_of_answers}

    def __post_init__(self) -> None:
        kinds = (AnyClaim | NotionClaim | ProgramClaim, SensitivityClaim)
        if not all(map(isinstance, (self.base, self.sensitivity), kinds)):
            raise BadInput("claim", "it is not made of a mechanism and a query", CURE)
        inputs, relation = self.asked.inputs, self.base.relation
        if getattr(self.asked, "defined", TRUE) != TRUE:
            raise BadInput("claim", "its mechanism is not defined for all answers", CURE)
        if not isinstance(inputs, Queries | Answers) or relation not in ("one", "all"):
            raise BadInput("claim", f"{self.base} is not about all answers moving", CURE)
        if isinstance(inputs, Answers) and inputs.whole:
            raise BadInput("claim", "its program takes whole numbers, and f/b is none", CURE)
        if relation == "one" and self.answers != 1:
            raise BadInput("relation", "one entry moves all answers", "claim it for all of them")
        if "x" in dict(self.asked.parameters):
            raise BadInput("parameters", "x is an entry, and a parameter as well", "rename it")
        if POSITION in names(self.sensitivity.bound):
            raise BadInput("bound", "it depends on the position i", "give one bound for all")

    def __str__(self) -> str:
        said = self.sensitivity
        many = "its answer" if self.base.relation == "one" else "its answers"
        of = f"{said.query} / ({said.bound}) of vectors that differ in one entry"
        return f"with {of} as {many}, {self.base}"

    @property
    def asked(self) -> AnyMechanism | Program:
        """What is run on the answers."""
        return self.base.program if isinstance(self.base, ProgramClaim) else self.base.mechanism

    @property
    def answers(self) -> int | None:
        """The number of answers; None for any number of them."""
        inputs: Any = self.asked.inputs
        return self.base.n if isinstance(self.base, ProgramClaim) else inputs.n

    @property
    def parameters(self) -> NamedConditions:
        """The parameters of the mechanism, those of the query, and an entry."""
        return tuple(dict.fromkeys((*self.asked.parameters, *self.sensitivity.parameters)))


CURE = 'give a claim about query answers, for example dp(M, eps, "one"), and a sensitivity claim'
