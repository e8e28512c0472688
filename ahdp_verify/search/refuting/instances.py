"""Instances of abstract mechanisms, and of composites of them, for the refutation of claims about
all mechanisms with a given privacy property.

A claim about all mechanisms that satisfy an assumption is refuted by one that satisfies it. Those
tried here satisfy the assumption tightly: randomised response on whether a record is present; the
number of records, or the sum of their levels, with Laplace noise; randomised response on the value
of one person; a query answer with Laplace noise. That each one satisfies it is proved, not assumed.

>>> from ahdp_verify.kernel.terms.expression import number
>>> print(*(claim.mechanism for claim in instance_claims(AbstractMechanism("any", Domain([(1, 1)]), "add-remove", number(2)))), sep="; ")
"whether there is a record, by randomised response at level 2"; "the number of records with noise at level 2"
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import reduce
from operator import and_

from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AbstractMechanism, AnyClaim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import known_value_at_record, parameter_context
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.joint_law import Instances, abstract_mechanisms, takes_sample
from ahdp_verify.kernel.terms.expression import (
    ONE,
    ZERO,
    Abs,
    Expression,
    Min,
    eq,
    exp,
    indicator,
    name,
    names,
    oo,
    piecewise,
    sum_over_records,
)

# largest datasets for which the distribution of a subsample is expanded, smallest first
SIZES = (1, 2, 3)
MANY = 3  # most listed records whose presence is released


def instantiations(claim: AnyClaim) -> Iterator[tuple[int | None, Instances]]:
    """The sizes and instances with which a composite is expanded; small sizes first."""
    wanted = abstract_mechanisms(claim.mechanism)
    listed = [tuple(instance_claims(a)) for a in wanted]
    for size in SIZES if takes_sample(claim.mechanism) else (None,):
        for chosen in itertools.product(*listed):
            yield size, dict(zip(wanted, chosen, strict=True))


def instance_claims(a: AbstractMechanism) -> Iterator[Claim]:
    """Claims that concrete mechanisms satisfy what is assumed of an abstract one, each still to be
    proved.
    """
    for text, first, density in instance_laws(a):
        outputs = (first, *(Output(o.name, "finite", [0]) for o in a.outputs[1:]))
        try:
            yield Claim(
                Mechanism(
                    a.inputs, outputs=outputs, density=density, parameters=a.parameters, name=text
                ),
                a.relation,
                a.level,
                a.delta,
            )
        except (BadInput, NotWorkedOut):  # e.g. a constant of it has no value that was found
            continue


InstanceLaw = tuple[str, Output, Expression]


def instance_laws(a: AbstractMechanism) -> Iterator[InstanceLaw]:
    """The name, the first output, and its distribution."""
    key = a.outputs[0].name
    if isinstance(a.inputs, Domain):
        yield from dataset_laws(a, a.inputs, key, parameter_context(a.parameters))
    elif isinstance(a.inputs, Queries):
        yield (
            f"the answer q[1] with noise at level {a.level}",
            Output(key, "real"),
            laplace_law(key, name("q[1]"), a.level),
        )
    elif isinstance(a.inputs, Values) and not names(a.level) & {"v", "other"}:
        yield (
            f"the value by randomised response at level {a.level}",
            Output(key, "finite", range(1, len(a.inputs.values) + 1)),
            randomised_value_law(key, a.inputs, a.level),
        )


def dataset_laws(
    a: AbstractMechanism, domain: Domain, key: str, here: Context
) -> Iterator[InstanceLaw]:
    """Laws of a dataset: presence of any record, or of a listed one, the size, the sum of the
    levels.
    """
    bit, real = Output(key, "finite", [0, 1]), Output(key, "real")
    one_level = a.relation != "hdp" and not names(a.level) & set(domain.bound)
    if one_level and a.relation != "swap":
        yield (
            f"whether there is a record, by randomised response at level {a.level}",
            bit,
            randomised_bit_law(key, domain.size, a.level),
        )
        yield (
            f"the number of records with noise at level {a.level}",
            real,
            laplace_law(key, domain.size, a.level),
        )
    if a.relation == "add-remove" and len(domain.records) > 1:
        balance = sum_over_records(piecewise((1, domain.condition(domain.records[0])), (-1, True)))
        yield (
            f"the number of records {domain.records[0]} minus that of others with noise at level "
            f"{a.level}",
            real,
            laplace_law(key, balance, a.level),
        )
    for r in domain.records[:MANY] if a.relation == "swap" or not one_level else ():
        try:
            level = known_value_at_record(a.level, r, here)
        except (BadInput, Unsupported):
            continue
        yield (
            f"whether there is a record {r}, by randomised response at level {level}",
            bit,
            randomised_bit_law(key, domain.count(r), level),
        )
    if a.relation == "ahdp" and not one_level:
        yield (
            f"the sum of {a.level} with noise at level 1",
            real,
            laplace_law(key, sum_over_records(a.level), ONE),
        )


def randomised_bit_law(key: str, count: Expression, level: Expression) -> Expression:
    """Randomised response on the bit that is 1 if a count is not 0."""
    true = eq(name(key), Min(count, 1))
    return (
        indicator(true)
        if level == oo
        else piecewise((exp(level) / (1 + exp(level)), true), (1 / (1 + exp(level)), True))
    )


def laplace_law(key: str, center: Expression, level: Expression) -> Expression:
    """The density of a number with Laplace noise."""
    return exp(-level * Abs(name(key) - center)) * level / 2


def randomised_value_law(key: str, values: Values, level: Expression) -> Expression:
    """Randomised response on the number of a value."""
    conditions = [
        reduce(and_, (eq(name(k), e) for k, e in values.bindings(v).items())) for v in values.values
    ]
    others = len(conditions) - 1
    true, false = (
        (ONE, ZERO)
        if level == oo or not others
        else (exp(level) / (others + exp(level)), 1 / (others + exp(level)))
    )
    return piecewise(
        *((true, eq(name(key), i) & c) for i, c in enumerate(conditions, 1)), (false, True)
    )
