"""`ahdp-verify sensitivity`: how far the answers to queries on vectors move."""

from __future__ import annotations

from functools import partial

from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    BitsOption,
    JsonOption,
    MegabytesOption,
    PiecesOption,
    SecondsOption,
    SourcesArgument,
    WorkersOption,
)
from ahdp_verify.cli.several import Answered, answer_files, listed_sources
from ahdp_verify.search.limits import Limits, enforce_limits


def sensitivity_command(
    sources: SourcesArgument,
    workers: WorkersOption = None,
    as_json: JsonOption = False,
    seconds: SecondsOption = USUAL.seconds,
    pieces: PiecesOption = USUAL.pieces,
    bits: BitsOption = USUAL.bits,
    megabytes: MegabytesOption = USUAL.megabytes,
) -> int:
    """Print by how much the answer to a query on a vector moves at most when one entry changes, for
    every number of entries, and where it moves that much; exit code 3 if that was not shown.
    """
    limits = Limits(seconds=seconds, pieces=pieces, bits=bits, megabytes=megabytes)
    return answer_files(
        listed_sources(sources, ".toml", "file about a query on entries"),
        partial(print_sensitivity, limits=limits, as_json=as_json),
        workers,
        as_json=as_json,
        doing="working out the sensitivities of",
        counted="query",
        with_table=False,
    )


def print_sensitivity(source: str, limits: Limits, as_json: bool = False) -> Answered:
    """What was done with a file: the sensitivity of its query is printed."""
    from ahdp_verify.analysis.sensitivity import sensitivity
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.sources import load_any
    from ahdp_verify.files.sensitivity_file import SensitivityFile
    from ahdp_verify.kernel.errors import BadInput
    from ahdp_verify.kernel.terms.printing import named_path

    printer = Printer(as_json, source)
    with enforce_limits(limits, READING):
        file = load_any(source)
    if not isinstance(file, SensitivityFile):
        said = "it is not about a query on entries"
        raise BadInput(named_path(source), said, "write its tables [entries] and [query]")
    found = sensitivity(file.query, file.inputs, limits)

    def data() -> Data:
        return {
            "query": str(file.query),
            "bound": None if found.bound is None else str(found.bound),
            "attained": {key: str(value) for key, value in found.attained},
            "moved": str(found.moved),
            "least": found.least,
        }

    word = "proved" if found.proof is not None else "unknown"
    proof = found.proof
    printer.show(
        word, (str(found),), data, record=lambda: None if proof is None else proof.to_json()
    )
    return Answered(PROVED if found.least else UNKNOWN, (word,))
