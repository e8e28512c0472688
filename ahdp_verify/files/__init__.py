"""Reading user input (mechanism files, formulas) and saved records, and showing them in messages.

`load` and `recheck` are names of `ahdp_verify` instead: a file of composites is read with the
composition rules, which import the search, and nothing here does.
"""

from __future__ import annotations

from ahdp_verify.canonical_json import canonical_text as record_text
from ahdp_verify.canonical_json import file_bytes as file_content
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.files.proposals import UNREADABLE, noted_records, taking_over
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name, named_path, one_line

__all__ = (
    "UNREADABLE",
    "ArgumentFile",
    "MechanismFile",
    "display_name",
    "file_content",
    "named_path",
    "noted_records",
    "one_line",
    "parse",
    "record_text",
    "taking_over",
)
