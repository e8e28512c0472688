"""A claim of privacy: a mechanism, a neighbour relation between its inputs, a level, and a delta.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Output
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> s, W = Output("s", "real"), Domain([(0, 1), (1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="count")
>>> str(Claim(M, "ahdp", name("eps")))
'count is AHDP at level eps'
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, check_level
from ahdp_verify.kernel.model.neighbours import RELATIONS
from ahdp_verify.kernel.terms.expression import ZERO, Expression, names
from ahdp_verify.kernel.terms.printing import display_name

RELATION_WORDS = {
    "ahdp": "AHDP",
    "hdp": "HDP",
    "add-remove": "add-remove DP",
    "swap": "swap DP",
    "any": "local DP",
    "one": "DP for one moving answer",
    "all": "DP for all answers moving",
    "increasing": "DP for increasing answers",
    "decreasing": "DP for decreasing answers",
}


@dataclass(frozen=True, slots=True)
class Claim(Canonical):
    """The claim that a mechanism is private under a relation: level in nats and delta in [0, 1]
    (expressions in x and eps, or in parameters; delta in x and eps for ahdp only).
    """

    mechanism: Mechanism
    relation: str
    level: Expression
    delta: Expression = ZERO
    public: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.mechanism, Mechanism):
            raise BadInput(
                "mechanism",
                f"{type(self.mechanism).__name__} is not a mechanism given by its density",
                "give a Mechanism",
            )
        inputs, kind = self.mechanism.inputs, self.relation
        check_relation(kind, inputs, display_name(self.mechanism.name) or "the mechanism")
        check_level(self.mechanism, self.level, of_record=kind in ("ahdp", "hdp", "any"))
        check_level(self.mechanism, self.delta, of_record=kind == "ahdp", what="delta")
        check_range(self.level, self.delta)
        check_public(self.public, kind, inputs)

    def __str__(self) -> str:
        slack = "" if self.delta == ZERO else f" and delta {self.delta}"
        public = f" with {', '.join(self.public)} public" if self.public else ""
        return (
            f"{display_name(self.mechanism.name) or 'the mechanism'} is {RELATION_WORDS[self.relation]} at "
            f"level {self.level}{slack}{public}"
        )

    @property
    def delta_nodes(self) -> tuple[Expression, ...]:
        """The sum over records of a delta that depends on the record, for ahdp; none for others.

        Adding a record adds its delta to it.
        """
        own = self.relation == "ahdp" and names(self.delta) & set(self.mechanism.inputs.bound)
        return (Expression("sum", (self.delta,)),) if own else ()


def check_relation(relation: str, inputs: Inputs, what: str) -> None:
    """BadInput for a relation that is not known, or does not fit these inputs."""
    if relation not in RELATIONS:
        said, cure = "is not a known relation", closest(relation, RELATIONS, "the relations are")
        raise BadInput("relation", f"{relation!r} {said}", cure)
    if relation not in inputs.relations:
        raise BadInput("relation", f"{relation} does not fit the input of {what}", inputs.cure)


def check_range(level: Expression, delta: Expression) -> None:
    """BadInput for a number that is not a level in [0, oo], or not a delta in [0, 1]."""
    for what, e, most in (("level", level, None), ("delta", delta, Fraction(1))):
        if e.head == "number" and (e.args[0] < 0 or (most is not None and e.args[0] > most)):
            raise BadInput(
                what,
                f"{e} is out of range",
                f"a {what} lies in [0, {'oo' if most is None else most}]",
            )


def check_public(public: tuple[str, ...], relation: str, inputs: object) -> None:
    """BadInput for public parts that are not parts of a record, or with a relation other than
    hdp.
    """
    known = inputs.bound if isinstance(inputs, Domain) else ()
    if public and (relation != "hdp" or not set(public) <= set(known)):
        raise BadInput(
            "public",
            f"{', '.join(public)} is not a part of a record that {relation} keeps",
            f"use hdp, and parts among {', '.join(known)}",
        )
