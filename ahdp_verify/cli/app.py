"""The command line, one function for each command; one line on stdout for each answer, as soon as
it is known.

Exit codes: 0 proved or valid, 1 refuted or invalid, 2 usage or bad input, 3 unknown; of several
answers 2 comes before 1 before 3 before 0.

>>> from typer.testing import CliRunner
>>> CliRunner().invoke(app, ["recheck", "missing.json"]).exit_code
2
>>> [str(path) for path in targets("sum.json", "proofs/sum.toml", 2)]
['sum-1.json', 'sum-2.json']
"""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ahdp_verify import start
from ahdp_verify.cli.console import (
    BAD,
    PROVED,
    REFUTED,
    UNKNOWN,
    complain,
    outermost,
    progress,
    say,
    shielded,
    worst,
)
from ahdp_verify.files import records as storage
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.load import load, load_mechanism
from ahdp_verify.files.mechanism_file import OF_DEMAND, MechanismFile, Note
from ahdp_verify.kernel.errors import BadInput, OutOfLimits, Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.expression import name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import named, named_path
from ahdp_verify.kernel.verdict import FORMAT, Proved, Refuted, Verdict, one_line
from ahdp_verify.search import verify as search
from ahdp_verify.search.limits import LAST_WORDS, Clock, Limits, within

REFUSED: type[Exception] = typer.BadParameter.__mro__[
    2
]  # what the library says of a command line that it cannot read
EXIT_CODES = (
    "Exit codes: 0 proved or valid, 1 refuted or invalid, 2 usage or bad input, 3 unknown, or "
    "proved of nothing (vacuous) unless the file "
    "expects that; of several, 2 comes before 1 before 3 before 0."
)
app = typer.Typer(
    name="ahdp-verify",
    help="Decide claims of heterogeneous differential privacy: proved, refuted or unknown.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

READING = "reading the file"
CODES = {"proved": PROVED, "refuted": REFUTED, "unknown": UNKNOWN, "vacuous": UNKNOWN}
Procedure = Literal["finite", "linear", "smt", "laws"]
Trust = Literal["all", "kernel"]
FILE = (
    "A .toml file, FILE:NAME for one of its claims, or FILE.py:NAME for an object of a Python "
    "file (which is run)."
)

Source = Annotated[str, typer.Argument(metavar="FILE[:NAME]", help=FILE, show_default=False)]
Relation = Annotated[
    str,
    typer.Option(
        metavar="R",
        help="Ask about this relation instead of that of each claim.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float, typer.Option(metavar="N", help="Processor time for one claim, in seconds.")
]
Pieces = Annotated[
    int, typer.Option(metavar="N", help="Cases, boxes and products tried for one claim.")
]
Records = Annotated[
    int, typer.Option(metavar="N", help="Largest dataset tried as a counterexample.")
]
Megabytes = Annotated[
    int,
    typer.Option(
        metavar="N", help="Memory for one claim, in MB beyond what the program takes itself."
    ),
]
Longer = Annotated[float, typer.Option("--seconds", metavar="N", help="Time, in all.")]
Memory = Annotated[
    int,
    typer.Option(
        "--megabytes", metavar="N", help="Memory, in MB beyond what the program takes itself."
    ),
]
Bits = Annotated[int, typer.Option(metavar="N", help="Largest precision of an enclosure.")]
Trusted = Annotated[
    Trust, typer.Option(help="With kernel, a proof on the word of solvers does not count.")
]
USUAL = Limits()
GENEROUS = Limits(seconds=600.0)  # for what is asked once, and checks what took a search to find


@dataclass(frozen=True, slots=True)
class Job:
    """What to do with every claim of `source`: how to search, what to print, what to expect;
    `said` are the complaints made so far.
    """

    source: str
    limits: Limits
    procedure: str | None
    trust: str
    as_json: bool
    expect: bool
    size: int | None = None
    resume: Path | None = None
    clock: Clock | None = None
    said: set[str] = field(default_factory=set)


@app.command("verify", epilog=EXIT_CODES)
def verify_command(
    source: Source,
    level: Annotated[
        str,
        typer.Option(
            metavar="EXPR",
            help="Ask about this level instead of that of each claim.",
            show_default=False,
        ),
    ] = "",
    relation: Relation = "",
    procedure: Annotated[
        Procedure | None, typer.Option(help="Let this procedure alone answer.", show_default=False)
    ] = None,
    save: Annotated[
        str,
        typer.Option(
            metavar="CERT",
            show_default=False,
            help=(
                "Save the record of every proof and refutation. CERT is a file, or a folder "
                "(FOLDER/ makes it) for a file named like FILE; "
                "claim N of several is saved in CERT-N, so that sum.json becomes sum-1.json, "
                "sum-2.json. An unknown claim saves nothing."
            ),
        ),
    ] = "",
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print the stored record of each claim, one JSON document per line."
        ),
    ] = False,
    trust: Trusted = "all",
    expect: Annotated[
        bool,
        typer.Option(
            "--expect",
            help="Exit with 0 if every answer is the one that FILE expects, and with 1 otherwise.",
        ),
    ] = False,
    size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Decide about datasets of at most N records only, by going through all.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        str,
        typer.Option(
            metavar="CERT",
            show_default=False,
            help=(
                "With --size: keep a record of the sizes that are finished in CERT (named like "
                "those of --save), and go on after them."
            ),
        ),
    ] = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> None:
    """Prove or refute the claims of a mechanism file."""

    def action() -> int:
        limits = Limits(
            seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes
        )
        job = Job(source, limits, procedure, trust, as_json, expect, size)
        with within(limits, READING):
            file = load(source)
        if isinstance(file, ArgumentFile):
            return argued(file, job, save, bool(level or relation or procedure or size is not None))
        asked = questions(file, level, relation)
        check_expectations(asked, job, changed=bool(level or relation))
        places = targets(save, source, len(asked)) if save else (None,) * len(asked)
        kept = targets(resume, source, len(asked), "--resume") if resume else (None,) * len(asked)
        each = enumerate(zip(asked, places, kept, strict=True))
        return worst(
            [
                answer(replace(job, resume=file), claim, note, place, (i, len(asked)))
                for i, ((claim, note), place, file) in each
            ]
        )

    raise typer.Exit(outermost(action, "verify"))


def argued(file: ArgumentFile, job: Job, save: str, more: bool) -> int:
    """The exit code of a statement and the argument for it: a line for the statement, for every
    step, and for the argument.
    """
    if more:
        raise BadInput(
            named_path(job.source),
            "it is about a statement, which has no level, relation, procedure or size",
            "leave these options out",
        )
    (place,) = targets(save, job.source, 1) if save else (None,)
    found: int = import_module("ahdp_verify.cli.analysis_commands").argued(
        file, job.limits, place, as_json=job.as_json, expect=job.expect
    )
    return found


Question = tuple[AnyClaim, Note]


def questions(
    file: MechanismFile | PipelineFile, level: str, relation: str
) -> tuple[Question, ...]:
    """The claims of a file with their notes; with another level or relation, the claims that
    result, each once and without notes.
    """
    if not level and not relation:
        if not file.claims:
            raise BadInput(
                str(file.mechanism),
                "it states no claim",
                "add a [[claim]], or say which with --relation and --level",
            )
        return tuple(zip(file.claims, file.notes, strict=True))
    at = parse(level, "--level") if level else None
    bases = file.claims or (default_claim(file, relation, at is not None),)
    changed = (
        replace(c, relation=relation or c.relation, level=c.level if at is None else at)
        for c in bases
    )
    return tuple((claim, Note()) for claim in dict.fromkeys(changed))


def default_claim(file: MechanismFile | PipelineFile, relation: str, levelled: bool) -> Claim:
    """The claim that a file without any is asked about: at the demand, unless a level is given."""
    relation = relation or relations_of(file)[0]
    if relation not in OF_DEMAND and not levelled:
        raise BadInput(
            "--relation", f"{named(relation)} has no level of its own", "give one with --level"
        )
    if not isinstance(file.mechanism, Mechanism):
        raise BadInput(str(file.mechanism), "it states no claim", "add a [[claim]]")
    return Claim(
        file.mechanism, relation, name("eps") if relation in OF_DEMAND else parse("0", "--level")
    )


def relations_of(file: MechanismFile | PipelineFile) -> tuple[str, ...]:
    """The relations that a file speaks of, or the usual one for its input."""
    inputs: Inputs = file.mechanism.inputs
    usual = (
        "ahdp" if isinstance(inputs, Domain) else "one" if isinstance(inputs, Queries) else "any"
    )
    return tuple(dict.fromkeys(claim.relation for claim in file.claims)) or (usual,)


def check_expectations(asked: tuple[Question, ...], job: Job, *, changed: bool) -> None:
    """BadInput where --expect would compare nothing."""
    if job.expect and changed:
        raise BadInput(
            "--expect",
            "the file expects nothing of another level or relation",
            "leave --expect out",
        )
    if job.expect and not any(note.expect for _, note in asked):
        raise BadInput(
            "--expect",
            f"no claim of {named_path(job.source)} says what to expect",
            'add a line expect = "proved" to it',
        )


def targets(save: str, source: str, number: int, option: str = "--save") -> tuple[Path, ...]:
    """The file of each claim; BadInput, before any search, where they cannot be written."""
    folder = save.endswith(("/", os.sep)) or os.path.isdir(save)
    if folder:
        make_folder(save)
    origin = Path(source if Path(source).suffix in (".toml", ".py") else source.rpartition(":")[0])
    base = Path(save, f"{origin.stem}.json") if folder else Path(save)
    if os.path.realpath(base) == os.path.realpath(origin):
        raise BadInput(
            option,
            f"{named_path(save)} is the mechanism file itself",
            "name another file, for example sum.json",
        )
    listed = (
        tuple(base.with_name(f"{base.stem}-{i}{base.suffix}") for i in range(1, number + 1))
        if number > 1
        else (base,)
    )
    for path in listed:
        jsonfile.writable(path)
    return listed


def make_folder(path: str) -> None:
    """The folder exists; BadInput where it cannot."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise BadInput(
            named_path(path), f"it cannot be made ({said})", "name another folder"
        ) from None


def answer(job: Job, claim: AnyClaim, note: Note, place: Path | None, part: tuple[int, int]) -> int:
    """The exit code of one claim, whose line is printed and whose record is saved."""
    job = replace(job, clock=job.limits.clock())
    return shielded(
        lambda: reported(job, claim, decided(job, claim, part), note.expect, place),
        f"verifying that {claim}",
    )


def decided(job: Job, claim: AnyClaim, part: tuple[int, int]) -> Verdict | BadInput:
    """The verdict on a claim, or why its mechanism has no meaning."""
    chosen: dict[str, Any] = ({"procedure": job.procedure} if job.procedure else {}) | (
        {"trust": job.trust} if job.trust != "all" else {}
    )
    chosen |= ({"size": job.size} if job.size is not None else {}) | (
        {"resume": job.resume} if job.resume else {}
    )
    with progress(*part) as report:
        try:
            return search.verify(claim, limits=job.limits, progress=report, **chosen)
        except BadInput as error:
            return error


def reported(
    job: Job, claim: AnyClaim, found: Verdict | BadInput, expected: str, place: Path | None
) -> int:
    """The exit code of an answer that is printed, saved and compared with what was expected."""
    word = "refused" if isinstance(found, BadInput) else found.outcome
    if isinstance(found, BadInput):
        code = BAD
        refuse(job, claim, found, quiet=job.expect and expected == word)
    else:
        code = PROVED if word == expected == "vacuous" else CODES[word]
        say(jsonfile.text(found.to_json()) if job.as_json else shown(job, found))
    saved = shielded(lambda: keep(found, place), "saving")
    if job.expect and expected and expected != word:
        complain(f"{expected} was expected, not {word}: {claim}")
        code = worst([REFUTED, BAD if word == "refused" else PROVED])
    elif job.expect:
        code = PROVED
    return worst([code, saved])


def shown(job: Job, found: Verdict) -> str:
    """The line of a verdict, with the range in which a refuted claim with one parameter holds; a
    procedure that answers alone is not helped.
    """
    if (
        not isinstance(found, Refuted)
        or not isinstance(found.claim, Claim)
        or not found.claim.mechanism.parameters
        or job.procedure
    ):
        return str(found)
    left = max(
        job.clock.left if job.clock is not None else 0.0, LAST_WORDS + job.limits.seconds / 20
    )
    line: str = import_module("ahdp_verify.cli.analysis_commands").with_range(
        found, replace(job.limits, seconds=min(left, job.limits.seconds))
    )
    return line


def refuse(job: Job, claim: AnyClaim, why: BadInput, *, quiet: bool) -> None:
    """A claim about a mechanism that has no meaning: one line or record on stdout if that is an
    answer, else one sentence on stderr.
    """
    if job.as_json:
        say(
            jsonfile.text(
                {
                    "format": FORMAT,
                    "verdict": "refused",
                    "claim": claim.to_json(),
                    "fingerprint": claim.fingerprint,
                    "reason": str(why),
                }
            )
        )
    elif quiet:
        say(f"Refused: {claim}; reason: {why}")
    if not quiet and str(why) not in job.said:
        job.said.add(str(why))
        complain(f"{named_path(job.source)}, {why}")


def keep(found: Verdict | BadInput, place: Path | None) -> int:
    """Proofs and refutations are saved where a place is given."""
    if place is not None and isinstance(found, Proved | Refuted):
        storage.save(found, place)
    return PROVED


@app.command("recheck", epilog=EXIT_CODES)
def recheck_command(
    certificates: Annotated[
        list[str],
        typer.Argument(
            metavar="CERT...", help="Files that verify --save wrote.", show_default=False
        ),
    ],
    file: Annotated[
        str,
        typer.Option(
            metavar="FILE[:NAME]",
            help="Accept only records of a claim of this file.",
            show_default=False,
        ),
    ] = "",
    trust: Trusted = "all",
    seconds: Annotated[
        float, typer.Option(metavar="N", help="Processor time for one file, in seconds.")
    ] = GENEROUS.seconds,
    megabytes: Annotated[
        int,
        typer.Option(
            metavar="N", help="Memory for one file, in MB beyond what the program takes itself."
        ),
    ] = GENEROUS.megabytes,
) -> None:
    """Check saved proofs and refutations again, from the mechanism up."""

    def action() -> int:
        limits = Limits(seconds=seconds, megabytes=megabytes)
        with within(limits, READING):
            of = load(file) if file else None
        known = (
            {
                claim.fingerprint: note.expect
                for claim, note in zip(of.claims, of.notes, strict=True)
            }
            if of is not None
            else None
        )
        return worst(
            [
                shielded(
                    partial(checked, path, known, file, trust, limits),
                    f"checking {named_path(path)}",
                )
                for path in certificates
            ]
        )

    raise typer.Exit(outermost(action, "recheck"))


def checked(path: str, known: dict[str, str] | None, file: str, trust: str, limits: Limits) -> int:
    """The exit code of one saved file, whose line is printed; BadInput for a file that is none, or
    is about something else.

    A valid proof that compares nothing counts as unknown, unless `file` expects that of the claim.
    """
    try:
        with within(limits, f"checking {named_path(path)}"):
            if known is not None and (claim := storage.read(path).claim).fingerprint not in known:
                raise BadInput(
                    named_path(path),
                    f"it says that {claim}, which is no claim of {named_path(file)}",
                    "verify that file again with --save",
                )
            verdict = storage.recheck(path, trust=trust)
            line = f"valid: {named_path(path)}: {verdict}"
    except Rejected as why:
        say(f"invalid: {named_path(path)}: {one_line(why.reason, 300)}")
        return REFUTED
    except OutOfLimits as stop:
        say(f"not checked: {named_path(path)}: {stop.reason}")
        return UNKNOWN
    say(line)
    return (
        UNKNOWN
        if verdict.outcome == "vacuous"
        and (known or {}).get(verdict.claim.fingerprint) != "vacuous"
        else PROVED
    )


@app.command("explain", epilog=EXIT_CODES)
def explain_command(
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERT", help="A record that verify --save wrote.", show_default=False
        ),
    ],
    kind: Annotated[
        Literal["text", "markdown", "latex"],
        typer.Option("--format", help="How it is written; latex is a whole document."),
    ] = "text",
    output: Annotated[
        str, typer.Option(metavar="FILE", help="Write it into a file.", show_default=False)
    ] = "",
    every: Annotated[
        bool, typer.Option("--all", help="Leave nothing out, however long it gets.")
    ] = False,
    seconds: Longer = GENEROUS.seconds,
    megabytes: Memory = GENEROUS.megabytes,
) -> None:
    """Print a saved proof or refutation as numbered steps, with the reason at the side of each."""

    def action() -> int:
        try:
            with within(Limits(seconds=seconds, megabytes=megabytes), "explaining it"):
                found: str = (
                    import_module("ahdp_verify.explain")
                    .explain(certificate, every=every)
                    .in_format(kind)
                )
        except Rejected as why:
            say(f"invalid: {named_path(certificate)}: {one_line(why.reason, 300)}")
            return REFUTED
        if output:
            jsonfile.write_text(found, output)
        else:
            for line in found.splitlines():
                say(line)
        return PROVED

    raise typer.Exit(outermost(action, "explain"))


@app.command("tighten", epilog=EXIT_CODES)
def tighten_command(
    source: Source,
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> None:
    """Print the exact least level of every record, and where it is attained; 3 if it is only
    enclosed.
    """

    def action() -> int:
        limits = Limits(
            seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes
        )
        with within(limits, READING):
            file = load_mechanism(source)
        asked = (relation,) if relation else relations_of(file)
        return worst([tightened(file, r, limits, (i, len(asked))) for i, r in enumerate(asked)])

    raise typer.Exit(outermost(action, "tighten"))


def tightened(file: MechanismFile, relation: str, limits: Limits, part: tuple[int, int]) -> int:
    """The exit code of one table of least levels, which is printed."""
    with progress(*part) as report:
        report(f"least {relation} levels")
        levels: Any = import_module("ahdp_verify.analysis.levels.tighten").tighten(
            file.mechanism, relation, limits=limits
        )
    for line in str(levels).splitlines():
        say(line)
    return PROVED if levels.exact else UNKNOWN


@app.command("replay", epilog=EXIT_CODES)
def replay_command(
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERT", help="A refutation that verify --save wrote.", show_default=False
        ),
    ],
    samples: Annotated[
        int, typer.Option(metavar="N", help="How many draws from each of the two laws.")
    ] = 100_000,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="S",
            help="Seed of the draws; another one each time if it is left out.",
            show_default=False,
        ),
    ] = None,
    seconds: Longer = GENEROUS.seconds,
    megabytes: Memory = GENEROUS.megabytes,
) -> None:
    """Draw from both laws of a saved refutation, and show how often its event occurs beside the
    exact probabilities.
    """

    def action() -> int:
        try:
            with within(Limits(seconds=seconds, megabytes=megabytes), "counting the event"):
                verdict = storage.recheck(certificate)
                if not isinstance(verdict, Refuted):
                    raise BadInput(
                        named_path(certificate),
                        "it is a proof, so there is no event to be counted",
                        "give the file of a refutation",
                    )
                lines = str(verdict.replay(samples=samples, rng=seed)).splitlines()
        except Rejected as why:
            say(f"invalid: {named_path(certificate)}: {one_line(why.reason, 300)}")
            return REFUTED
        for line in lines:
            say(line)
        return PROVED

    raise typer.Exit(outermost(action, "replay"))


@app.command("sample", epilog=EXIT_CODES)
def sample_command(
    source: Source,
    dataset: Annotated[
        str,
        typer.Option(
            metavar="INPUT",
            show_default=False,
            help=(
                'What the mechanism is run on: counts in the order of the records ("0,1"), query '
                'answers, a value, or records with their unknowns ("eps=1, f=2; eps=oo, f=0").'
            ),
        ),
    ],
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="The value of a parameter of the mechanism; may be repeated.",
        ),
    ] = None,
    size: Annotated[int, typer.Option(metavar="N", help="How many draws.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="S",
            help="Seed of the draws; another one each time if it is left out.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write the table into this file instead of stdout.",
            show_default=False,
        ),
    ] = "",
    seconds: Longer = GENEROUS.seconds,
    megabytes: Memory = GENEROUS.megabytes,
) -> None:
    """Run a mechanism N times on one input: its outputs as comma-separated values, a column for
    each.
    """

    def action() -> int:
        with within(Limits(seconds=seconds, megabytes=megabytes), "drawing"):
            file = load(source)
            if isinstance(file, ArgumentFile):
                raise BadInput(
                    named_path(source),
                    "it is about a statement, so there is nothing to be run",
                    "give a file about a mechanism",
                )
            module = import_module("ahdp_verify.cli.sample")
            found: int = module.run(
                module.Asked(dataset, tuple(values or ()), size, seed, out), file.mechanism
            )
        return found

    raise typer.Exit(outermost(action, "sample"))


@app.command("ranges", epilog=EXIT_CODES)
def ranges_command(
    source: Source,
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> None:
    """Print for which values of its one parameter each claim is proved and for which it is
    refuted; 3 if a piece is undecided.
    """

    def action() -> int:
        limits = Limits(
            seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes
        )
        with within(limits, READING):
            claims = tuple(claim for claim, _ in questions(load_mechanism(source), "", relation))
        found: int = import_module("ahdp_verify.cli.analysis_commands").ranged(claims, limits)
        return found

    raise typer.Exit(outermost(action, "ranges"))


@app.command("calibrate", epilog=EXIT_CODES)
def calibrate_command(
    source: Source,
    parameter: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The parameter whose least or greatest value is looked for.",
            show_default=False,
        ),
    ],
    side: Annotated[
        Literal["least", "greatest"] | None,
        typer.Option(help="Which value, where both could be meant.", show_default=False),
    ] = None,
    digits: Annotated[
        int,
        typer.Option(
            metavar="N", help="Digits of the decimal beside an exact value.", min=1, max=1000
        ),
    ] = 12,
    level: Annotated[
        str,
        typer.Option(
            metavar="EXPR",
            help="Ask about this level instead of that of each claim.",
            show_default=False,
        ),
    ] = "",
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> None:
    """Print the least noise (or the largest weight) for which each claim is proved, with the
    proof; 3 if none was found.
    """

    def action() -> int:
        limits = Limits(
            seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes
        )
        with within(limits, READING):
            claims = tuple(claim for claim, _ in questions(load_mechanism(source), level, relation))
        found: int = import_module("ahdp_verify.cli.analysis_commands").calibrated(
            claims, parameter, side, digits, limits
        )
        return found

    raise typer.Exit(outermost(action, "calibrate"))


@app.command("delta", epilog=EXIT_CODES)
def delta_command(
    source: Source,
    levels: Annotated[
        str,
        typer.Option(
            metavar="L,L,...",
            show_default=False,
            help=(
                'Levels, for example "0,1/2,log(3)"; without it nine evenly spaced ones, up to '
                "the level of the first claim, or 2."
            ),
        ),
    ] = "",
    plot: Annotated[
        str,
        typer.Option(
            metavar="PICTURE",
            help="Draw the curve into a file such as curve.png (needs matplotlib).",
            show_default=False,
        ),
    ] = "",
    relation: Relation = "",
    seconds: Seconds = USUAL.seconds,
    pieces: Pieces = USUAL.pieces,
    records: Records = USUAL.records,
    bits: Bits = USUAL.bits,
    megabytes: Megabytes = USUAL.megabytes,
) -> None:
    """Print the least delta at each level, exact or enclosed; 3 if one is only enclosed."""

    def action() -> int:
        limits = Limits(
            seconds=seconds, pieces=pieces, records=records, bits=bits, megabytes=megabytes
        )
        with within(limits, READING):
            file = load_mechanism(source)
            asked = tuple(
                first_claim(file, r) for r in ((relation,) if relation else relations_of(file))
            )
        found: int = import_module("ahdp_verify.cli.analysis_commands").divergences(
            asked, levels, plot, limits
        )
        return found

    raise typer.Exit(outermost(action, "delta"))


@app.command("tradeoff", epilog=EXIT_CODES)
def tradeoff_command(
    source: Source,
    before: Annotated[
        str,
        typer.Option(
            metavar="INPUT",
            show_default=False,
            help=(
                "The input whose rejection is the type I error: counts in the order of the "
                'records ("0,1"), query answers, or a value.'
            ),
        ),
    ],
    after: Annotated[
        str, typer.Option(metavar="INPUT", help="The other input.", show_default=False)
    ],
    level: Annotated[
        str,
        typer.Option(
            metavar="EXPR",
            show_default=False,
            help=(
                "A level, perhaps in x and eps: say whether the curve lies in the region of the "
                "two inputs' distance at it (0: yes, 1: no)."
            ),
        ),
    ] = "",
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="The value of a parameter of the mechanism; may be repeated.",
        ),
    ] = None,
    plot: Annotated[
        str,
        typer.Option(
            metavar="PICTURE",
            help="Draw the curve into a file such as curve.png (needs matplotlib).",
            show_default=False,
        ),
    ] = "",
    seconds: Longer = GENEROUS.seconds,
    megabytes: Memory = GENEROUS.megabytes,
) -> None:
    """Print how well two inputs can be told apart: the errors of the best tests, exactly, and
    the level that they imply.
    """

    def action() -> int:
        with within(Limits(seconds=seconds, megabytes=megabytes), "working out the trade-off"):
            found: int = import_module("ahdp_verify.cli.analysis_commands").told_apart(
                load_mechanism(source).mechanism, (before, after), level, values or [], plot
            )
        return found

    raise typer.Exit(outermost(action, "tradeoff"))


def first_claim(file: MechanismFile, relation: str) -> Claim:
    """The first claim of a file about a relation, or one at level 0."""
    listed = (claim for claim in file.claims if claim.relation == relation)
    return next(listed, Claim(file.mechanism, relation, parse("0", "--level")))


@app.command("power", epilog=EXIT_CODES)
def power_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="[FILE[:NAME]]",
            help="A mechanism: its records are the domain; the power against it is printed too.",
            show_default=False,
        ),
    ] = "",
    demands: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            show_default=False,
            help=(
                'One record for each demand, perhaps with its value, for example "log(2), log(3)" '
                'or "a: 1/2, b: oo"; a name such as eps gives formulas.'
            ),
        ),
    ] = "",
    extra: Annotated[
        int | None,
        typer.Option(
            metavar="T",
            help="At most T records more than the adversary has seen; a table for t = 1 to T.",
            show_default=False,
        ),
    ] = None,
    one_more: Annotated[
        bool, typer.Option("--one-more", help="Exactly one unknown record.")
    ] = False,
    known: Annotated[
        int | None,
        typer.Option(metavar="I", help="Record number I is there or not.", show_default=False),
    ] = None,
    datasets: Annotated[
        str,
        typer.Option(
            metavar="LIST", help='These datasets, as counts: "0,0; 1,0; 0,1".', show_default=False
        ),
    ] = "",
    given: Annotated[
        str,
        typer.Option(
            metavar="COUNTS",
            help="What the adversary has seen, as counts; nothing if left out.",
            show_default=False,
        ),
    ] = "",
    relation: Annotated[
        Literal["ahdp", "add-remove", "swap"],
        typer.Option(help="Which mechanisms count as private."),
    ] = "ahdp",
    level: Annotated[
        str,
        typer.Option(
            metavar="EXPR", help="The level, if it is not the demand.", show_default=False
        ),
    ] = "",
    everywhere: Annotated[
        bool,
        typer.Option("--everywhere", help="Private on all datasets, not only on the hypotheses."),
    ] = False,
    figure: Annotated[
        Literal["cap", "cap-2"] | None,
        typer.Option(
            help="Draw a figure of the paper, with the exact limit, into the file of --plot.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        str,
        typer.Option(
            metavar="CERT", help="Save the record of the (last) optimum.", show_default=False
        ),
    ] = "",
    plot: Annotated[
        str,
        typer.Option(
            metavar="PICTURE",
            help="Draw the power against t into a file such as power.png (needs matplotlib).",
            show_default=False,
        ),
    ] = "",
    seconds: Longer = GENEROUS.seconds,
    megabytes: Memory = GENEROUS.megabytes,
) -> None:
    """Print how much an adversary can learn at most from any private mechanism, exactly, with
    its certificate.
    """

    def action() -> int:
        if figure is not None:
            import_module("ahdp_verify.plots").draw_figure(figure, plot)
            return PROVED
        module = import_module("ahdp_verify.cli.power")
        asked = module.Asked(
            demands,
            extra,
            one_more,
            known,
            datasets,
            given,
            relation,
            level,
            everywhere,
            save,
            plot,
        )
        with within(Limits(seconds=seconds, megabytes=megabytes), "working out the power"):
            found: int = module.run(asked, load_mechanism(source).mechanism if source else None)
        return found

    raise typer.Exit(outermost(action, "power"))


@app.command(
    "experiment",
    epilog="Exit codes: 0 done, 2 usage or bad input, 130 interrupted; what is finished is then "
    "written all the same.",
)
def experiment_command(
    name: Annotated[
        Literal["examples", "mean", "frequency", "regression"],
        typer.Argument(
            metavar="NAME", help="examples, mean, frequency or regression.", show_default=False
        ),
    ],
    trials: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            show_default=False,
            help=(
                "Trials for each size; 5000 if left out, 200 for regression, as in the paper. For "
                "examples: draws, 10000000."
            ),
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="S", min=0, help="The same seed gives the same tables.")
    ] = 1,
    out: Annotated[
        str,
        typer.Option(
            metavar="FOLDER", help="Where tables and pictures go; made if it is not there."
        ),
    ] = "experiments",
    data: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="California housing as comma-separated values, for regression.",
            show_default=False,
        ),
    ] = "",
    sizes: Annotated[
        str,
        typer.Option(
            metavar="LIST", help='Numbers of records, such as "1000, 2000".', show_default=False
        ),
    ] = "",
    thresholds: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help='Thresholds of the Sample Mechanism, such as "0.5, 2".',
            show_default=False,
        ),
    ] = "",
    correlation: Annotated[
        float | None,
        typer.Option(
            metavar="R",
            show_default=False,
            help=(
                "Correlation of value and demand in generated data (mean, frequency); -0.84 if "
                "left out, that of the paper's data."
            ),
        ),
    ] = None,
    training: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            show_default=False,
            help="Rows of the data file to train on, the others test; 17000 if left out.",
        ),
    ] = None,
) -> None:
    """Run an example or experiment of the paper with the verified mechanisms; tables as CSV,
    figures as PNG and SVG.
    """

    def action() -> int:
        module = import_module("ahdp_verify.cli.experiment")
        found: int = module.run(
            module.Asked(name, trials, seed, out, data, sizes, thresholds, correlation, training)
        )
        return found

    raise typer.Exit(outermost(action, "experiment"))


@app.command("paper", epilog=EXIT_CODES)
def paper_command(
    label: Annotated[
        str,
        typer.Argument(
            metavar="[LABEL]",
            help='One statement, such as "claim:2 (B1)", or all that begin so; all of them if '
            "left out.",
            show_default=False,
        ),
    ] = "",
    html: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write a report with formulas, figures and counterexamples, in one file.",
            show_default=False,
        ),
    ] = "",
    markdown: Annotated[
        str, typer.Option(metavar="FILE", help="Write the table as Markdown.", show_default=False)
    ] = "",
    save: Annotated[
        str,
        typer.Option(
            metavar="FOLDER", help="Save the records that are made on the way.", show_default=False
        ),
    ] = "",
    figures: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Where ahdp-verify experiment has put its figures, for the report.",
            show_default=False,
        ),
    ] = "",
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="How many statements are worked on at once.")
    ] = 2,
    seconds: Annotated[
        float, typer.Option(metavar="N", help="Processor time for one statement, in seconds.")
    ] = GENEROUS.seconds,
    megabytes: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Memory for one statement, in MB beyond what the program takes itself.",
        ),
    ] = GENEROUS.megabytes,
) -> None:
    """Go through the paper, statement by statement: does it hold, what repairs it, and how much
    of it is proved.
    """

    def action() -> int:
        limits, module = (
            Limits(seconds=seconds, megabytes=megabytes),
            import_module("ahdp_verify.cli.paper"),
        )
        found: int = module.run(
            label,
            html=html,
            markdown=markdown,
            save=save,
            figures=figures,
            workers=workers,
            limits=limits,
        )
        return found

    raise typer.Exit(outermost(action, "paper"))


@app.command("list")
def list_command() -> None:
    """Print the catalogue: name, what it is, number of claims."""

    def action() -> int:
        for entry in import_module("ahdp_verify.catalogue").CATALOGUE:
            say(f"{entry.name}: {entry.description} ({len(entry.claims)} claims)")
        return PROVED

    raise typer.Exit(outermost(action, "list"))


def shown_version(wanted: bool) -> None:
    """The version is printed if it is asked for."""
    if wanted:
        try:
            say(f"ahdp-verify {version('ahdp-verify')}")
        except PackageNotFoundError:
            say("ahdp-verify, run from its source")
        raise typer.Exit(PROVED)


@app.callback()
def options(
    version_: Annotated[
        bool,
        typer.Option("--version", callback=shown_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Decide claims of heterogeneous differential privacy: proved, refuted or unknown."""


def main() -> None:
    """The exit code of the command in sys.argv; whatever happens, no traceback."""
    for stream in ("stdout", "stderr"):
        if isinstance(getattr(sys, stream), io.TextIOWrapper):
            getattr(sys, stream).reconfigure(errors="backslashreplace")
        elif getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it stays open until the end
    start.loaded()
    code = outermost(run, "ahdp-verify")
    start.ended()
    sys.exit(code)


def run() -> int:
    """The exit code of the command in sys.argv."""
    try:
        found = app(prog_name="ahdp-verify", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else BAD
    except REFUSED as error:  # arguments may be names of files, and these may be anything
        error.message = one_line(error.message, 2000)  # type: ignore[attr-defined]
        error.show()  # type: ignore[attr-defined]
        return BAD
    return found if isinstance(found, int) else PROVED
