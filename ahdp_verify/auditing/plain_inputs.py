"""An input of a mechanism as plain Python numbers, texts and lists: what the audited program gets.

A dataset is the list of its records, each (value, demand), where a value with several parts is a
tuple; of a universal domain a dict of its unknowns for each record.  Query answers are one
number, or a list of several; a value of the local model is itself.  Whole numbers are ints, other
numbers the nearest floats, an infinite demand is `math.inf`, and a label is its text.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> W = Domain([("yes", "1/2"), ("no", 1)])
>>> plain_input(Mechanism(W, outputs=[finite("r", [0])], density=1), [1, 2])
[('yes', 0.5), ('no', 1), ('no', 1)]
>>> plain_input(Mechanism(Queries(2), outputs=[finite("r", [0])], density=1), [3, "1/4"])
[3, 0.25]
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ahdp_verify.analysis.inputs import checker_input
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression, oo, substitute
from ahdp_verify.sampling.one_output import plain_value
from ahdp_verify.sampling.sample import silent_mechanism


def plain_input(
    mechanism: AnyMechanism, dataset: object, parameters: Mapping[str, object] | None = None
) -> Any:
    """The input as plain Python; BadInput where the mechanism does not take it."""
    plain = mechanism if isinstance(mechanism, Mechanism) else silent_mechanism(mechanism)
    _, example = checker_input(plain, dataset, parameters or {})
    inputs, given = plain.inputs, dict(example.parameters)
    if isinstance(inputs, Queries):
        answers = [_plain(e, given) for e in example.first]
        return answers[0] if len(answers) == 1 else answers
    if not isinstance(inputs, Domain):
        return _plain_parts(example.first, given)
    if inputs.is_universal:
        return [{k: _plain(e, given) for k, e in record} for record in example.instances]
    return [
        (
            _plain_parts(r.value if isinstance(r.value, tuple) else (r.value,), given),
            _plain(r.demand, given),
        )
        for r, count in zip(inputs.records, example.first, strict=True)
        for _ in range(int(count.args[0]))
    ]


def _plain_parts(parts: tuple[Expression, ...], given: dict[str, Expression]) -> Any:
    """A value with one part as plain Python, one with several as a tuple."""
    found = tuple(_plain(e, given) for e in parts)
    return found[0] if len(found) == 1 else found


def _plain(e: Expression, given: dict[str, Expression]) -> Any:
    """A constant as plain Python."""
    return math.inf if e == oo else plain_value(substitute(e, given))
