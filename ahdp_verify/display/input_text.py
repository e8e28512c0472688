"""Datasets, values and query answers for people.

>>> dataset_text(("(1, 0)", "(0, oo)", "(2, 1)"), (2, 1, 0)), dataset_text((), ())
('{2 x (1, 0), (0, oo)}', '{}')
"""

from __future__ import annotations

from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import Expression


def dataset_text(records: tuple[str, ...], counts: tuple[int, ...]) -> str:
    """A dataset for people: {2 x (1, 0), (0, oo)}, {} for the empty one."""
    shown = [(f"{h} x " if h > 1 else "") + r for r, h in zip(records, counts, strict=True) if h]
    return "{" + ", ".join(shown) + "}"


def side_text(claim: Claim, example: Counterexample, side: tuple[Expression, ...]) -> str:
    """One side of a counterexample for people."""
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Domain):
        return "(" + ", ".join(map(str, side)) + ")" if len(side) > 1 else str(side[0])
    shown = (
        tuple("(" + ", ".join(f"{k} = {v}" for k, v in r) + ")" for r in example.instances)
        if inputs.is_universal
        else tuple(map(str, inputs.records))
    )
    return dataset_text(shown, tuple(int(c.args[0]) for c in side))


def guess_input_text(claim: GuessClaim, side: tuple[Expression, ...]) -> str:
    """The text of one of the inputs between which a test decides."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Domain):
        return dataset_text(tuple(map(str, inputs.records)), tuple(int(c.args[0]) for c in side))
    return ", ".join(map(str, side))
