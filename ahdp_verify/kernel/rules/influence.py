"""An upper bound on what of the input the output distribution depends on, read off the law.

    the law contains no query answer, no value, and no record aggregate that depends on the dataset
    -----------------------------------------------------------------------------------------------
                              the distribution is the same at every input

    every aggregate in the law is constant, or the sum over the records of the same number for all
    ----------------------------------------------------------------------------------------------
                     the distribution depends on the number of records only

Only these two independences are shown; everything else is "values", which claims nothing. The law
of a composite depends on no more than those of its parts, the score of a normalised mechanism, and
the probability with which a sample keeps a record.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, W = real("s"), Domain([(0, 1), (1, 1)])
>>> def noisy(location):
...     return Mechanism(W, outputs=[s], density=exp(-Abs(s - location)) / 2)
>>> influence(noisy(W.size)), influence(noisy(W.sum(lambda x, eps: x))), influence(noisy(3))
('size', 'values', 'none')
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.composite import AbstractMechanism, AnyMechanism, Composite
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import known_value_at_record
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    ZERO,
    Expression,
    aggregates,
    names,
    walk,
)

NONE, SIZE, VALUES = (
    "none",
    "size",
    "values",
)  # what has an influence: nothing, at most the number of records, possibly anything
ORDER = (NONE, SIZE, VALUES)


def influence(mechanism: AnyMechanism) -> str:
    """NONE if the law is shown not to depend on the input, SIZE if it is shown to depend on the
    number of records only; else VALUES.
    """
    if isinstance(mechanism, AbstractMechanism):
        return VALUES
    if isinstance(mechanism, Mechanism):
        return _law_influence(
            (mechanism.density, *(p for _, p in mechanism.atoms)), mechanism.inputs
        )
    return _composite_influence(mechanism)


def _composite_influence(mechanism: Composite) -> str:
    """The largest influence on a part; for a normalised mechanism, that on the score. A sample
    whose probability of keeping a record depends on the record depends on VALUES.
    """
    if mechanism.rule == "normalised":
        return _law_influence(mechanism.formulas[:1], mechanism.inputs)
    found = _largest_influence(influence(part.mechanism) for part in mechanism.parts)
    if (
        mechanism.rule == "subsample"
        and found == SIZE
        and _speaks_of_record(mechanism.formulas, mechanism.inputs)
    ):
        return VALUES
    return found


def _largest_influence(listed: object) -> str:
    """The largest of some influences."""
    return max(listed, key=ORDER.index, default=NONE)  # type: ignore[call-overload, no-any-return]


def _speaks_of_record(formulas: tuple[Expression, ...], inputs: object) -> bool:
    """Whether formulas mention the value or the demand of a record."""
    bound = set(inputs.bound) if isinstance(inputs, Domain) else set()
    return any(names(f) & bound or any(n.head == "index" for n in walk(f)) for f in formulas)


def _law_influence(law: tuple[Expression, ...], inputs: object) -> str:
    """The influence of the input on expressions in outputs and parameters."""
    if not isinstance(inputs, Domain):
        bound = set(inputs.bound)  # type: ignore[attr-defined]
        used = any(names(e) & bound or any(n.head == "index" for n in walk(e)) for e in law)
        return VALUES if used else NONE
    return _largest_influence(
        _aggregate_influence(node, inputs) for e in law for node in aggregates(e)
    )


def _aggregate_influence(node: Expression, domain: Domain) -> str:
    """The influence of the dataset on a sum, maximum or minimum over its records."""
    body = node.args[0]
    if any(n.head in AGGREGATES for n in walk(body)):
        return VALUES
    found = _contributions(body, domain) if _speaks_of_record((body,), domain) else {body}
    if len(found) != 1:
        return VALUES
    if node.head != "sum" or found == {ZERO}:
        return NONE
    return (
        SIZE if domain.is_universal or len(domain.records) > 1 else VALUES
    )  # with one listed record, the size determines the dataset


def _contributions(body: Expression, domain: Domain) -> set[Expression]:
    """The distinct values of an expression at the listed records; empty if they are not listed or
    not all known.
    """
    here, found = Context.empty(), set()
    for record in domain.records:
        try:
            found.add(known_value_at_record(body, record, here))
        except (BadInput, Undecided, Unsupported, ZeroDivisionError):
            return set()
        if len(found) > 1:
            break
    return found
