"""To which inputs a proof applies, and under which conditions.

A `Scope` is computed from the assumptions of a claim's obligations, never from a certificate.
Whether any two inputs are compared at all is shown separately
(`ahdp_verify.kernel.rules.compared`), and texts for display are made elsewhere.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> law = exp(-Abs(name("s") - name("q[1]"))) / 2
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=law, defined="q[1] == 0")
>>> print(scope_of_moves(M, None).inputs, scope_of_moves(M, None).defined)
query answers q[1] == 0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import TRUE, Expression

if TYPE_CHECKING:
    from ahdp_verify.kernel.model.composite import AnyMechanism

SOMETHING, NOTHING, NOT_FOUND = "something", "nothing", "not found"


@dataclass(frozen=True, slots=True)
class Scope:
    """What was assumed of the inputs, and whether something is compared, nothing is, or neither was
    found.

    inputs       what kind of inputs the claim is about
    conditions   of the parameters or unknowns, without those that are simply true
    defined      where the mechanism is defined, hence which inputs are compared
    size         datasets of at most so many records; None for all
    compared     SOMETHING, NOTHING or NOT_FOUND
    """

    inputs: str
    conditions: tuple[Expression, ...]
    defined: Expression
    size: int | None
    compared: str


def scope_of_moves(m: AnyMechanism, size: int | None, found: str = NOT_FOUND) -> Scope:
    """The scope of a proof of a claim about the moves between the inputs of a mechanism, or of one
    for datasets of at most `size` records.
    """
    of_datasets = size if isinstance(m.inputs, Domain) else None
    conditions = nontrivial_conditions(m.parameters)
    return Scope(m.inputs.noun, conditions, m.defined, of_datasets, found)


def nontrivial_conditions(parameters: NamedConditions) -> tuple[Expression, ...]:
    """The conditions that are not simply true."""
    return tuple(c for _, c in parameters if c != TRUE)
