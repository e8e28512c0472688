"""What the subject of a command names: a file, an object of a Python file, or a mechanism of the
catalogue (`catalogue:laplace`).

>>> print(*load_named_mechanism("catalogue:laplace").claims[:1])
Laplace mechanism is DP for one moving answer at level eps
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ahdp_verify.canonical_json import writable_path
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.load import AnyFile, load, load_mechanism, of_a_program
from ahdp_verify.files.mechanism_file import ClaimNote, MechanismFile
from ahdp_verify.files.program_file import ProgramFile
from ahdp_verify.files.sensitivity_file import SensitivityFile
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.printing import named_path

if TYPE_CHECKING:
    from ahdp_verify.catalogue import AnyEntry

CATALOGUE = "catalogue:"


def load_any(source: str) -> AnyFile:
    """The content of a file, or of an entry of the catalogue; BadInput if there is no such
    thing.
    """
    name = entry_name(source)
    return catalogue_file(name) if name else load(source)


def load_named(source: str) -> MechanismFile | PipelineFile | ArgumentFile:
    """The same for a command that does not work on noise programs."""
    file = load_any(source)
    if isinstance(file, ProgramFile):
        raise of_a_program(source)
    if isinstance(file, SensitivityFile):
        said = "it is about a query on entries, which this command does not work on"
        raise BadInput(named_path(source), said, "use ahdp-verify verify or sensitivity")
    return file


def load_named_mechanism(source: str) -> MechanismFile:
    """The same for a command that needs one mechanism given by its density."""
    name = entry_name(source)
    if not name:
        return load_mechanism(source)
    file = load_named(source)
    if not isinstance(file, MechanismFile):
        raise BadInput(named_path(source), "it has no density", "name another entry")
    return file


def is_file_name(source: str) -> bool:
    """Whether the source can be a file, rather than the name of an entry of the catalogue."""
    return bool(re.search(r"[./\\]", source)) or Path(source).exists()


def entry_name(source: str) -> str:
    """The name of the entry of the catalogue that the source is; "" for a file."""
    return source.removeprefix(CATALOGUE) if source.startswith(CATALOGUE) else ""


def file_of(source: str) -> Path:
    """The file without the name of a claim; of the catalogue, a file named like the entry.

    >>> [str(file_of(source)) for source in ("laws/sum.toml:W-AHDP", "catalogue:laplace")]
    ['laws/sum.toml', 'laplace.toml']
    """
    name = entry_name(source)
    if name:
        return Path(f"{name}.toml")
    return Path(source if Path(source).suffix in (".toml", ".py") else source.rpartition(":")[0])


def output_path(path: str, option: str, *read: str | Path) -> Path:
    """The file that an option asks to write; BadInput, before any work, for one of the files that
    the command reads, and for one that cannot be written.
    """
    if any(os.path.realpath(path) == os.path.realpath(each) for each in read):
        said = f"{named_path(path)} is the file that is read"
        raise BadInput(option, said, "name another file, which is written anew")
    return writable_path(path)


def catalogue_entries() -> tuple[AnyEntry, ...]:
    """All entries of the catalogue, in the order in which they are listed."""
    from ahdp_verify.catalogue import CATALOGUE as ENTRIES
    from ahdp_verify.catalogue import PROGRAMS
    from ahdp_verify.paper.catalogue import PAPER_CATALOGUE

    return (*ENTRIES, *PROGRAMS, *PAPER_CATALOGUE)


def catalogue_file(name: str) -> MechanismFile | ProgramFile:
    """An entry of the catalogue as if it were read from a file, with the verdicts that it expects
    of its claims; BadInput, with similar names, if there is none.
    """
    from ahdp_verify.catalogue import find_entry

    entry = find_entry(name, catalogue_entries())
    made, expected = entry.mechanism, entry.claims
    if not expected:
        raise BadInput(f"{CATALOGUE}{name}", "the catalogue states no claim of it", "name another")
    notes = tuple(ClaimNote(note=e.reason, expect=e.verdict, least=e.least) for e in expected)
    if isinstance(made, Program):
        stated = tuple(e.claim for e in expected if isinstance(e.claim, ProgramClaim))
        return ProgramFile(made, stated, notes)
    return MechanismFile(
        made, tuple(e.claim for e in expected if isinstance(e.claim, Claim)), notes
    )
