"""`ahdp-verify verify`: a line for each claim as soon as it is decided, and the saved records."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import typer

from ahdp_verify.cli.options import (
    USUAL,
    FunctionOptions,
    JsonOption,
    LevelOption,
    QueriesOption,
    RelationOption,
    SearchLimits,
    SourcesArgument,
    TrustOption,
    WorkersOption,
    scheduler_for,
)

OneProcedure = Annotated[
    Literal["finite", "linear", "smt", "laws"] | None,
    typer.Option(help="Use only this procedure.", show_default=False),
]
Save = Annotated[
    str,
    typer.Option(
        metavar="CERT",
        show_default=False,
        help=(
            "Save the record of every proof and refutation. CERT is a file, or a folder "
            "(FOLDER/ is created if missing) for a file named after FILE; "
            "of several claims, claim N is saved in CERT-N: sum.json becomes sum-1.json, "
            "sum-2.json. Of several files, each has its own in the folder CERT. Nothing is saved "
            "for an unknown claim."
        ),
    ),
]
Expect = Annotated[
    bool,
    typer.Option(
        "--expect",
        help="Exit with 0 exactly if every verdict is the one that FILE expects.",
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Decide the claim for datasets of at most N records only, by exhaustive enumeration.",
        show_default=False,
    ),
]
Resume = Annotated[
    str,
    typer.Option(
        metavar="CERT",
        show_default=False,
        help=(
            "With --size: record the finished sizes in CERT (named as for --save), and continue "
            "after them."
        ),
    ),
]
Scheduler = Annotated[
    str,
    scheduler_for("decide the claims", "the checker reaches their verdicts again here"),
]


def verify_command(
    sources: SourcesArgument,
    level: LevelOption = "",
    relation: RelationOption = "",
    queries: QueriesOption = None,
    options: FunctionOptions = None,
    procedure: OneProcedure = None,
    save: Save = "",
    as_json: JsonOption = False,
    trust: TrustOption = "all",
    expect: Expect = False,
    size: Size = None,
    resume: Resume = "",
    workers: WorkersOption = None,
    scheduler: Scheduler = "",
    limits: SearchLimits = USUAL,
) -> int:
    """Prove or refute the claims of mechanism files."""
    from ahdp_verify.cli.program_claims import Changes
    from ahdp_verify.cli.several import listed_sources, number_of_workers
    from ahdp_verify.cli.verify_job import (
        VerifyJob,
        VerifyRun,
        answers_of_this,
        verify_files,
    )

    listed = listed_sources(sources, ".toml", "mechanism file")
    run = VerifyRun(
        sources=listed,
        job=VerifyJob("", limits, procedure, trust, as_json, expect, size),
        changes=Changes(level, relation, queries, tuple(options or ())),
        save=save,
        resume=resume,
        workers=number_of_workers(workers, len(listed), scheduler),
        scheduler=scheduler,
    )
    if run.shares_datasets:
        shared = replace(run.job, processes=run.workers, scheduler=scheduler)
        run = replace(run, job=shared)
    if not run.is_shared or run.shares_datasets:
        return verify_files(run, answers_of_this)
    from ahdp_verify.cli.verify_shared import answers_of_others

    return verify_files(run, answers_of_others)
