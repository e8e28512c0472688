"""The kinds of input beyond datasets, query answers and listed values, told apart by a key of
their canonical JSON; each is a module of its own, loaded only where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ahdp_verify.kernel.model.domain import Domain, Inputs
from ahdp_verify.kernel.model.real_values import RealValues

READ: dict[str, Callable[[Any], Inputs]] = {"reals": RealValues.from_json}


def further_inputs_from_json(data: Any) -> Inputs:
    """The input of its canonical JSON; BadInput for anything else."""
    kinds = [read for key, read in READ.items() if isinstance(data, dict) and key in data]
    return (*kinds, Domain.from_json)[0](data)
