"""The stored records, and what they are made of: a sample of them is chosen so that every key,
rule, relation and kind of evidence is in it.

>>> '"rule":"compose"' in set().union(*map(kinds_of_record, RECORDS))
True
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, Union

from ahdp_verify.kernel.evidence.certificate import CERTIFICATE_KINDS
from ahdp_verify.kernel.terms.expression import Expression

# what one reads a piece of evidence as whose kind is not known
ANY_KIND: Any = Union[(*CERTIFICATE_KINDS.values(), Expression)]
PROOFS = Path(__file__).resolve().parents[1] / "proofs"
RECORDS = sorted(path for path in PROOFS.rglob("*.json") if path.parent.name == "certificates")
KINDS = re.compile(r'"(?:is|rule|kind|form|relation|verdict|role)":"[^"]*"|"[a-z_]+":')


@functools.cache
def kinds_of_record(record: Path) -> frozenset[str]:
    """The keys of a record, and what its evidence is."""
    return frozenset(KINDS.findall(record.read_text(encoding="utf-8")))


@functools.cache
def kinds_by_file() -> dict[Path, frozenset[str]]:
    """Those of the records beside a mechanism file."""
    found: dict[Path, frozenset[str]] = {}
    for record in RECORDS:
        folder, stem = record.parent.parent, record.stem
        file = folder / f"{stem}.toml"
        if not file.exists():
            file = folder / f"{stem.rpartition('-')[0]}.toml"
        found[file] = found.get(file, frozenset()) | kinds_of_record(record)
    return found


def kinds_of_file(file: Path) -> frozenset[str]:
    """Nothing where the file has no records."""
    return kinds_by_file().get(file, frozenset())
