"""The files of the paper and their records, wherever the package is: beside a checkout, or inside
an installed wheel.

>>> [claim.relation for claim in file_content("paper/exact-size.toml").claims]
['hdp', 'hdp', 'ahdp', 'ahdp', 'add-remove', 'swap']
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Protocol, cast

from ahdp_verify import (
    BadInput,
    Claim,
    CompositeClaim,
    Inequality,
    NotWorkedOut,
    Proved,
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
    Rejected,
    load,
    recheck,
)


class Content(Protocol):
    """A file of mechanisms, of composites, or of an argument."""

    @property
    def claims(self) -> tuple[Claim | CompositeClaim | Inequality, ...]:
        """What it claims."""


@lru_cache(maxsize=1)
def proofs_folder() -> Path:
    """Where the files are; BadInput if they are nowhere."""
    inside = Path(__file__).resolve().parent / "proofs"  # put there when a wheel is built
    beside = Path(__file__).resolve().parents[3] / "proofs"
    for place in (inside, beside):
        if (place / "paper").is_dir():
            return place
    raise BadInput(
        "proofs", "the files of the paper are not installed", "install the package again"
    )


@lru_cache(maxsize=64)
def file_content(name: str) -> Content:
    """What a file below proofs/ says."""
    return cast("Content", load(proofs_folder() / name))  # none is about a noise program


def record_path(name: str, number: int) -> Path:
    """Where the record of a claim of a file is, if it is stored: the claims of a file are
    counted from 1.
    """
    place = Path(name)
    stem = f"{place.stem}-{number}" if len(file_content(name).claims) > 1 else place.stem
    return proofs_folder() / place.parent / "certificates" / f"{stem}.json"


def recheck_stored(
    name: str, number: int
) -> Proved | Refuted | RefutedProgram | RefutedInequality | RefutedNotion | RefutedApplied | None:
    """The verdict of the stored record, made anew by the checker, if the record is about this
    very claim; else None.
    """
    place = record_path(name, number)
    try:
        found = recheck(place) if place.exists() else None
    except (BadInput, NotWorkedOut, Rejected):
        return None
    return (
        found
        if found is not None
        and found.claim.fingerprint == file_content(name).claims[number - 1].fingerprint
        else None
    )
