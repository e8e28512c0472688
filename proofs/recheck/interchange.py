"""Section 9: values that are only compared, of which a few stand for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recheck.claims import Claim
from recheck.limits import need
from recheck.trees import Tree, is_true

SCALARS = ("number", "label")


def with_fewer_values(claim: Claim) -> Claim:
    """The claim with the values that stand for all.

    Of the values that no comparison names: the first two inputs of each kind, the first three
    outputs that are inputs, and the first other output.  The last of these outputs has the
    probability of all that are left out as well.
    """
    m = claim.mechanism
    single = bool(claim.values) and len(claim.outputs) == 1 and claim.outputs[0].kind == "finite"
    need(
        single and not claim.atoms and is_true(claim.defined), "the rule is not for this mechanism"
    )
    need(claim.direct == ["v"], "the rule is about values without parts")
    (output,) = claim.outputs
    inputs, outcomes = [value["v"] for value in claim.values], list(output.values)
    need(all(value.head in SCALARS for value in (*inputs, *outcomes)), "a value is no constant")
    moving = frozenset(("v", "other", output.name))
    named = compared(claim.density, moving) | compared(claim.level, moving)
    both = [o for o in outcomes if o in inputs and o not in named]
    unread = [o for o in outcomes if o not in inputs and o not in named]
    unseen = [v for v in inputs if v not in outcomes and v not in named]
    kept, shown = [*named, *both[:2], *unseen[:2]], [*named, *both[:3], *unread[:1]]
    fewer = len({*inputs} - {*kept}) + len({*outcomes} - {*shown})
    need(fewer > 0, "no value stands for others")
    density = m["density"]
    for group, count in ((unread[:1], len(unread)), (both[2:3], len(both) - 2)):
        if count > 1:
            many = ["*", str(count), m["density"]]
            last = ["==", ["name", output.name], as_json(group[0])]
            density = ["piecewise", many, last, density, ["boolean", True]]
    data = {
        **m,
        "inputs": {"values": as_listed(inputs, kept)},
        "outputs": [[output.name, "finite", as_listed(outcomes, shown)]],
        "density": density,
    }
    return Claim({**claim.data, "mechanism": data})


def as_listed(values: Sequence[Tree], chosen: Sequence[Tree]) -> list[Any]:
    """The chosen values, in their order, as JSON."""
    return [as_json(value) for value in values if value in chosen]


def as_json(value: Tree) -> Any:
    return str(value.value) if value.head == "number" else [value.head, value.value]


def compared(e: Tree, moving: frozenset[str]) -> frozenset[Tree]:
    """The numbers and labels with which a moving name is compared; raises for any other use."""
    need(e.head != "name" or e.value not in moving, "a value is used otherwise than in == and !=")
    if e.head in ("==", "!="):
        moved = [side for side in e.args if side.head == "name" and side.value in moving]
        if moved:
            others = frozenset(side for side in e.args if side not in moved)
            good = all(side.head in SCALARS for side in others)
            need(good, "a value is compared with what is neither a number nor a label")
            return others
    return frozenset[Tree]().union(*(compared(part, moving) for part in e.args))
