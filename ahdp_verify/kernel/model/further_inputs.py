"""The kinds of input beyond datasets, query answers and listed values, told apart by a key of
their canonical JSON; each is a module of its own, loaded only where it is used.
"""

from __future__ import annotations

from typing import Any

from ahdp_verify.kernel.model.domain import Domain, Inputs


def further_inputs_from_json(data: Any) -> Inputs:
    """The input of its canonical JSON; BadInput for anything else."""
    return Domain.from_json(data)
