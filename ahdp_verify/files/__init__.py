"""Reading what users write, files of mechanisms and formulas, and saved records; what a message shows
of them.
"""

from __future__ import annotations

from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.terms.canonical_json import content as file_content
from ahdp_verify.kernel.terms.canonical_json import text as record_text
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import named, named_path, one_line

__all__ = (
    "ArgumentFile",
    "MechanismFile",
    "PipelineFile",
    "file_content",
    "load",
    "named",
    "named_path",
    "one_line",
    "parse",
    "recheck",
    "record_text",
)
