"""What moments are asked for: an expression in the outputs, and the probability with which a record
is kept.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, W = real("s"), Domain([(0, 1), (3, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2)
>>> print(moment_expression(M, None), moment_expression(M, "s^2"), keep_probability(M, "x/4"))
s s^2 x/4
"""

from __future__ import annotations

from ahdp_verify.analysis.moments.enclosure import enclosure as enclosure
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.comparisons import check_comparisons
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import NUMBER, Mechanism, Output, name_scope
from ahdp_verify.kernel.model.mechanism import check_kind as check_kind
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.terms.expression import Expression, expression, names
from ahdp_verify.kernel.terms.grammar import parse

Of = Output | Expression | str | None


def keep_probability(mechanism: Mechanism, keep: Body | str) -> Expression:
    if not isinstance(mechanism.inputs, Domain):
        raise BadInput("keep", "the input is not a dataset", "leave it out")
    found = parse(keep, "keep") if isinstance(keep, str) else record_expression(keep)
    allowed = frozenset(mechanism.inputs.bound) | {k for k, _ in mechanism.parameters}
    if unknown := names(found) - allowed:
        raise BadInput(
            "keep",
            f"the name {min(unknown)} is not known",
            "use components of the record and parameters",
        )
    check_comparisons(found, mechanism.inputs.choices, "keep")
    return found


def moment_expression(mechanism: Mechanism, of: Of) -> Expression:
    """The expression whose mean is asked for; BadInput for unknown names, and for several
    outputs without a choice.
    """
    if not isinstance(mechanism, Mechanism):
        raise BadInput(
            "mechanism",
            f"{type(mechanism).__name__} is not a mechanism given by its density",
            "give a Mechanism",
        )
    if of is None and len(mechanism.outputs) > 1:
        raise BadInput(
            "of",
            f"the mechanism has {len(mechanism.outputs)} outputs",
            f'say which, for example of="{mechanism.outputs[0]}"',
        )
    found = mechanism.outputs[0].symbol if of is None else read_expression(of, "of")
    used = frozenset(
        o.name for o in mechanism.outputs if o.values and any(v.head == "label" for v in o.values)
    )
    if found.head == "name" and found.args[0] in used:
        raise BadInput(
            "of",
            f"{found} is a label, which has no mean",
            f'ask for a probability, for example of=indicator(eq({found}, label("...")))',
        )
    missing = next((at for at, _ in mechanism.atoms if at.head == "label"), None)
    if missing is not None and found == mechanism.outputs[0].symbol:
        raise BadInput(
            "of",
            f"{found} has no mean, since it may be the label {missing}",
            f"ask for a probability, for example of=indicator(eq({found}, label(...)))",
        )
    check_kind(
        found,
        (NUMBER,),
        name_scope(mechanism, "of", mechanism.outputs, (at for at, _ in mechanism.atoms)),
    )
    return found


def read_expression(e: object, where: str) -> Expression:
    return parse(e, where) if isinstance(e, str) else expression(e)
