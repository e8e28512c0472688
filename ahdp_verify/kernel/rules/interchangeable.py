"""Values that are only compared with each other: a few of each kind stand for all of them.

    the claim holds for the mechanism with fewer values
    ---------------------------------------------------
                    the claim holds

The density and the level mention v, other and the output only as sides of == and !=, beside each
other or beside a number or a label.  So a permutation of the values that such a comparison does not
name changes neither, as long as it keeps inputs inputs and outputs outputs.  There are three kinds
of these values: both input and output, input alone, and output alone.  Any two inputs and an output
are moved by such a permutation to

    the first two inputs of each kind,
    the first three values that are input and output, and the first that is output alone,

where the third (and the first) stands for all others that are left: its probability is multiplied
by their number, on both sides of every inequality, so that the probabilities still add up to 1.

>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.terms.expression import log
>>> s = finite("s", range(300))
>>> law = piecewise((3 / number(302), eq(s, name("v"))), (1 / number(302), True))
>>> claim = Claim(Mechanism(Values(range(300)), outputs=[s], density=law), "any", log(3))
>>> fewer = with_fewer_values(claim).mechanism
>>> len(fewer.inputs.values), [str(value) for value in fewer.outputs[0].values]
(2, ['0', '1', '2'])
>>> print(fewer.density == piecewise((298 * law, eq(s, 2)), (law, True)))
True
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.terms.expression import (
    LEAVES,
    TRUE,
    Expression,
    eq,
    multiply,
    name,
    number,
    piecewise,
)

SCALARS = ("number", "label")


def with_fewer_values(claim: Claim) -> Claim:
    """The claim with a few values of each kind; Rejected where it is not about such values, or no
    value stands for others.
    """
    m = claim.mechanism
    if not isinstance(m.inputs, Values) or m.atoms or m.defined != TRUE or len(m.outputs) != 1:
        raise Rejected("the rule is about listed values and one output without points of mass")
    (output,) = m.outputs
    if not all(
        isinstance(value, Expression) and value.head in SCALARS
        for value in (*m.inputs.values, *output.values)
    ):
        raise Rejected("the rule is about values that are numbers or labels")
    moving = frozenset(("v", "other", output.name))
    named = compared_values(m.density, moving) | compared_values(claim.level, moving)
    inputs, outcomes = frozenset(m.inputs.values), frozenset(output.values)
    both = [value for value in output.values if value in inputs - named]
    unread = [value for value in output.values if value not in inputs | named]
    unseen = [value for value in m.inputs.values if value not in outcomes | named]
    kept = frozenset((*named, *both[:2], *unseen[:2]))
    shown = frozenset((*named, *both[:3], *unread[:1]))
    values = [value for value in m.inputs.values if value in kept]
    listed = [value for value in output.values if value in shown]
    if len(values) == len(inputs) and len(listed) == len(outcomes):
        raise Rejected("no value stands for others")
    density = m.density
    for last, count in ((unread[:1], len(unread)), (both[2:3], len(both) - 2)):
        if count > 1:
            many = multiply(number(count), m.density)
            density = piecewise((many, eq(name(output.name), last[0])), (density, True))
    outputs = [Output(output.name, output.kind, listed)]
    fewer = m.changed(inputs=Values(values), outputs=outputs, density=density)
    return Claim(fewer, claim.relation, claim.level, claim.delta, claim.public)


def compared_values(e: Expression, moving: frozenset[str]) -> frozenset[Expression]:
    """The numbers and labels with which e compares a moving name; Rejected if it uses such a name
    otherwise.
    """
    if e.head in LEAVES:
        if is_moving(e, moving):
            raise Rejected(f"{e} is used otherwise than in == and !=")
        return frozenset()
    if e.head in ("==", "!=") and any(is_moving(side, moving) for side in e.args):
        others = frozenset(side for side in e.args if not is_moving(side, moving))
        if not all(side.head in SCALARS for side in others):
            raise Rejected(f"{e} compares a value with what is neither a number nor a label")
        return others
    return frozenset[Expression]().union(*(compared_values(part, moving) for part in e.args))


def is_moving(e: Expression, moving: frozenset[str]) -> bool:
    """Whether e is one of the names."""
    return e.head == "name" and e.args[0] in moving
