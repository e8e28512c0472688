"""`ahdp-verify sensitivity`: how far the answers to queries move, on vectors and on records."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.options import (
    USUAL,
    JsonOption,
    LimitsWithoutRecords,
    SourcesArgument,
    WorkersOption,
    not_empty,
)
from ahdp_verify.cli.several import Answered, answer_files, listed_sources
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.search.limits import Limits, enforce_limits

QueryOption = Annotated[
    str,
    typer.Option(
        metavar="EXPR",
        help="A query on the records of a mechanism file, such as 'sum(x)/size'.",
        show_default=False,
        callback=not_empty,
    ),
]
NeighboursOption = Annotated[
    str,
    typer.Option(
        metavar="R",
        help="With --query: which datasets are neighbours: add-remove (default), swap, or, for each "
        "record, ahdp or hdp.",
        show_default=False,
        callback=not_empty,
    ),
]


def sensitivity_command(
    sources: SourcesArgument,
    query: QueryOption = "",
    relation: NeighboursOption = "",
    workers: WorkersOption = None,
    as_json: JsonOption = False,
    limits: LimitsWithoutRecords = USUAL,
) -> int:
    """Print by how much the answer to a query on a vector moves at most when one entry changes, for
    every number of entries, and where it moves that much; or, with --query, the answer to a query
    on the records of a mechanism file; exit code 3 if that was not shown.
    """
    if relation and not query:
        said = "it is about the records of a mechanism file"
        raise BadInput("--relation", said, "give a --query on them, or leave it out")
    asked = relation or "add-remove"
    answer = (
        partial(print_of_records, query=query, relation=asked, limits=limits, as_json=as_json)
        if query
        else partial(print_sensitivity, limits=limits, as_json=as_json)
    )
    return answer_files(
        listed_sources(sources, ".toml", "file about a query on entries"),
        answer,
        workers,
        as_json=as_json,
        doing="working out the sensitivities of",
        counted="query",
        with_table=False,
    )


def print_of_records(
    source: str, *, query: str, relation: str, limits: Limits, as_json: bool = False
) -> Answered:
    """What was done with a file: the sensitivity of a query on its records is printed."""
    from ahdp_verify.analysis.record_sensitivity import record_sensitivity
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.sources import load_named_mechanism
    from ahdp_verify.kernel.model.domain import Domain
    from ahdp_verify.kernel.terms.printing import named_path

    printer = Printer(as_json, source)
    with enforce_limits(limits, READING):
        m = load_named_mechanism(source).mechanism
    if not isinstance(m.inputs, Domain):
        said = "its input is not a dataset of records"
        raise BadInput(named_path(source), said, "name a file with records or universal = true")
    own = {key for key, _ in m.inputs.parameters}
    found = record_sensitivity(
        query,
        m.inputs,
        relation,
        limits,
        defined=m.defined,
        parameters={key: condition for key, condition in m.parameters if key not in own},
    )

    def data() -> Data:
        rows = found.levels.rows
        bounds = [{"record": r.record, "bound": str(r.bounds), "where": r.where} for r in rows]
        bound = None if found.bound is None else str(found.bound)
        return {
            "query": str(found.query),
            "relation": relation,
            "bound": bound,
            "least": found.least,
            "rows": bounds,
        }

    word = "proved" if found.bound is not None else "unknown"
    printer.show(word, found.lines, data)
    return Answered(PROVED if found.least else UNKNOWN, (word,))


def print_sensitivity(source: str, limits: Limits, as_json: bool = False) -> Answered:
    """What was done with a file: the sensitivity of its query is printed."""
    from ahdp_verify.analysis.sensitivity import sensitivity
    from ahdp_verify.cli.claims import READING
    from ahdp_verify.cli.sources import load_any
    from ahdp_verify.files.sensitivity_file import SensitivityFile
    from ahdp_verify.kernel.terms.printing import named_path

    printer = Printer(as_json, source)
    with enforce_limits(limits, READING):
        file = load_any(source)
    if not isinstance(file, SensitivityFile):
        said = "it is not about a query on entries"
        cure = "write its tables [entries] and [query], or ask for a --query on its records"
        raise BadInput(named_path(source), said, cure)
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
