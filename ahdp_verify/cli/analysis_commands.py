"""What the commands about parameters, delta and tests do: their lines on stdout and their exit
codes.

Every function takes a loaded file and returns the exit code of what it printed; bad input goes up
as `BadInput`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ahdp_verify import plots
from ahdp_verify.analysis.arguments import examine
from ahdp_verify.analysis.divergence.curve import delta_curve, usual_levels
from ahdp_verify.analysis.inputs import distance_between
from ahdp_verify.analysis.parameters.calibrate import Side, calibrate
from ahdp_verify.analysis.parameters.ranges import ranges
from ahdp_verify.analysis.testing.error_rates import satisfies
from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.cli.console import (
    BAD,
    PROVED,
    REFUTED,
    UNKNOWN,
    complain,
    progress,
    say,
    shielded,
    worst,
)
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.model.domain import Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms import canonical_json as jsonfile
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import named
from ahdp_verify.kernel.verdict import Refuted, Unknown, Verdict
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.loss.margins import free_parameters

DIGITS = 400  # of one count, as of every number that is written
LONGEST = 15.0  # seconds for the range that is added to a refutation


def ranged(claims: tuple[Claim, ...], limits: Limits) -> int:
    """The exit code of the ranges of claims, one line for each piece: 3 if a piece is undecided."""

    def one(claim: Claim, part: tuple[int, int]) -> int:
        with progress(*part) as report:
            found = ranges(claim, limits, report)
        for line in found.lines:
            say(line)
        return PROVED if found.exact else UNKNOWN

    return each(claims, one, "looking for the range of")


def calibrated(
    claims: tuple[Claim, ...], parameter: str, side: Side | None, digits: int, limits: Limits
) -> int:
    """The exit code of the least or greatest value of a parameter, one line for each claim: 3 if
    none was found, 2 if only such as have no such value.
    """

    def one(claim: Claim, part: tuple[int, int]) -> int:
        with progress(*part) as report:
            found = calibrate(claim, parameter, limits, report, side=side)
        say(found.line(digits))
        return PROVED if found.value is not None and found.proof is not None else UNKNOWN

    return each(claims, one, "calibrating")


def each(
    claims: tuple[Claim, ...], one: Callable[[Claim, tuple[int, int]], int], doing: str
) -> int:
    """The worst exit code of an action on each claim; what is bad about all of them is said
    once.
    """
    said: set[str] = set()

    def run(i: int, claim: Claim) -> int:
        try:
            return one(claim, (i, len(claims)))
        except (BadInput, NotWorkedOut) as error:
            if str(error) in said:
                return BAD if isinstance(error, BadInput) else UNKNOWN
            said.add(str(error))
            raise

    return worst(
        [shielded(partial(run, i, claim), f"{doing} {claim}") for i, claim in enumerate(claims)]
    )


def argued(
    file: ArgumentFile, limits: Limits, place: Path | None, *, as_json: bool, expect: bool
) -> int:
    """The exit code of a statement and the argument for it, whose lines are printed and whose
    record is saved; with `expect`, 0 if both are as expected.
    """
    with progress(1, 1) as report:
        found = examine(file.argument, limits, report)
    say(jsonfile.text(found.verdict.to_json()) if as_json else str(found.verdict))
    word = found.verdict.outcome
    if place is not None and not isinstance(found.verdict, Unknown):
        found.verdict.save(place)
    if file.argument.steps and not as_json:
        for line in found.lines[1:]:
            say(line)
    codes = {
        "proved": PROVED,
        "refuted": REFUTED,
        "unknown": UNKNOWN,
        "vacuous": PROVED if file.expect == "vacuous" else UNKNOWN,
    }
    if not expect:
        of_argument = (
            {True: PROVED, False: REFUTED, None: UNKNOWN}[found.valid]
            if file.argument.steps
            else PROVED
        )
        return worst([codes[word], of_argument])
    if not file.expect and not file.expect_argument:
        raise BadInput(
            "--expect",
            "the file does not say what to expect",
            'add a line expect = "proved" to its statement',
        )
    wrong = [
        f"{wanted} was expected, not {got}"
        for wanted, got in ((file.expect, word), (file.expect_argument, STATES[found.valid]))
        if wanted not in ("", got)
    ]
    for line in wrong:
        complain(f"{line}: {file.argument}")
    return REFUTED if wrong else PROVED


STATES = {True: "valid", False: "not valid", None: "open"}


def with_range(found: Verdict, limits: Limits) -> str:
    """The line of a verdict; that of a refuted claim with one parameter also says where the
    claim holds, if that is found.
    """
    if (
        not isinstance(found, Refuted)
        or not isinstance(found.claim, Claim)
        or len(free_parameters(found.claim)) != 1
    ):
        return str(found)
    try:
        known = ranges(found.claim, replace(limits, seconds=min(limits.seconds, LONGEST)))
    except (BadInput, Undecided, Unsupported):
        return str(found)
    return f"{found}; {known.text}" if known.text else str(found)


def divergences(asked: tuple[Claim, ...], levels: str, plot: str, limits: Limits) -> int:
    """The exit code of tables of least deltas, one for each relation: 3 if a delta is only
    enclosed.
    """
    if plot:
        plots.library()
        plots.check(plot)
    codes = []
    for i, claim in enumerate(asked):
        at: Any = (
            [parse(text, "--levels") for text in split(levels)] if levels else usual_levels(claim)
        )
        with progress(i, len(asked)) as report:
            curve = delta_curve(claim, at, limits=limits, progress=report)
        for line in str(curve).splitlines():
            say(line)
        if plot:
            plots.draw(curve, plot if len(asked) == 1 else numbered(plot, i + 1))
        codes.append(PROVED if curve.exact else UNKNOWN)
    return worst(codes)


def told_apart(
    mechanism: Mechanism, sides: tuple[str, str], level: str, values: list[str], plot: str
) -> int:
    """The exit code of the trade-off curve of two inputs, which is printed: 0 inside the region
    of the level, 1 outside; 0 without a level.
    """
    if plot:
        plots.library()
        plots.check(plot)
    parameters = assigned(mechanism, values)
    before, after = (
        read_input(mechanism, text, option)
        for text, option in zip(sides, ("--before", "--after"), strict=True)
    )
    distance = (
        distance_between(mechanism, before, after, parse(level, "--level"), parameters)
        if level
        else None
    )
    curve = tradeoff(mechanism, before, after, parameters=parameters)
    for line in str(curve).splitlines():
        say(line)
    if plot:
        curve.plot(plot, distance)
    if distance is None:
        return PROVED
    inside = satisfies(curve, distance)
    answer = {True: "inside", False: "not inside", None: "perhaps inside"}[inside]
    say(
        f"{answer} the privacy region of level {distance}, which is the distance of the two "
        f"inputs at {parse(level, '--level')}"
    )
    return {True: PROVED, False: REFUTED, None: UNKNOWN}[inside]


def assigned(mechanism: AnyMechanism, values: list[str]) -> dict[str, str]:
    """The values of the parameters, each of which is given once as name=value."""
    found: dict[str, str] = {}
    for text in values:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not key or not sign or not value:
            raise BadInput(
                "--set",
                f"{text[:40]!r} gives no parameter a value",
                "write for example --set b=1/2",
            )
        if key in found:
            raise BadInput("--set", f"{named(key)} is given two values", "give one")
        found[key] = value
    wanted = [key for key, _ in mechanism.parameters]
    for key in (key for key in wanted if key not in found):
        raise BadInput(
            "--set", f"the parameter {key} has no value", f"add for example --set {key}=1/2"
        )
    for key in (key for key in found if key not in wanted):
        raise BadInput(
            "--set",
            f"the mechanism has no parameter {named(key)}",
            f"its parameters are {', '.join(wanted) or 'none'}",
        )
    return found


def read_input(mechanism: AnyMechanism, text: str, option: str) -> object:
    """The input that a text names: counts in the order of the records, query answers, or a value,
    whose parts stand between commas.

    Records of a universal domain are written out: the values of their unknowns, and ";" between
    records.
    """
    inputs, parts = mechanism.inputs, split(text)
    if isinstance(inputs, Values):
        return tuple(parts) if isinstance(inputs.values[0], tuple) else text
    if isinstance(inputs, Queries):
        return parts
    if inputs.is_universal:
        return [
            table_of(record, option, [k for k, _ in inputs.unknowns])
            for record in text.split(";")
            if text.strip()
        ]
    if not all(part.isascii() and part.isdigit() for part in parts):
        example = ",".join(str(int(i == 0)) for i in range(min(9, len(inputs.records))))
        raise BadInput(
            option,
            f"{text[:40]!r} is no list of counts",
            f"give one for each of the {len(inputs.records)} records, for example {example}",
        )
    if any(len(part) > DIGITS for part in parts):
        raise BadInput(option, f"a count has more than {DIGITS} digits", "give a smaller one")
    return [int(part) for part in parts]


def table_of(record: str, option: str, unknowns: list[str]) -> dict[str, str]:
    """The values of the unknowns of a record, each of which is given once as name=value."""
    pairs = [[side.strip() for side in part.split("=", 1)] for part in split(record)]
    if sorted(pair[0] for pair in pairs) != sorted(unknowns) or any(
        len(pair) == 1 for pair in pairs
    ):
        example = ", ".join(f"{k}=1" for k in unknowns)
        raise BadInput(
            option,
            f"the records of a universal domain are not listed, and {record[:40]!r} tells none",
            f'write for example "{example}; {example}"',
        )
    return {k: value for k, value in pairs}


def numbered(path: str, i: int) -> str:
    """curve-2.png for curve.png."""
    stem, dot, ending = path.rpartition(".")
    return f"{stem}-{i}{dot}{ending}" if dot else f"{path}-{i}"


def split(levels: str) -> list[str]:
    """The texts between commas that stand in no parentheses."""
    found, depth, start = list[str](), 0, 0
    for i, c in enumerate(levels):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            found.append(levels[start:i].strip())
            start = i + 1
    return [*found, levels[start:].strip()]
