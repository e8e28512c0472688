"""A whole report: the summary, a section for each claim, what is not covered, and how to check
everything again.
"""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ahdp_verify.kernel.record import MADE_BY
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.reporting.blocks import (
    Badge,
    Block,
    Code,
    Commands,
    Document,
    Heading,
    Jump,
    Listing,
    Paragraph,
    Pieces,
    Section,
    Strong,
    Table,
)
from ahdp_verify.reporting.claims import claim_section
from ahdp_verify.reporting.subjects import ORDER, Subject, shell_word
from ahdp_verify.search.limits import Limits

LIBRARIES = ("sympy", "z3-solver", "cvc5", "numpy", "matplotlib", "latex2mathml")
WORDS = {
    "invalid": "not accepted",
    "refused": "not well defined",
    "vacuous": "proved vacuously",
}  # an outcome in a sentence, where it is not the word itself
NAME = 60  # characters of a mechanism's name in the title
LONG = 140  # characters of a claim in the summary
NOT_COVERED: tuple[Pieces, ...] = (
    (
        Strong("Floating point."),
        " Programs compute with rounded numbers, and the rounding of noise can reveal data. What is "
        "shown here is about exact real numbers.",
    ),
    (
        Strong("Random numbers."),
        " The noise is assumed to be perfectly random. A seed that is known, fixed or used twice "
        "voids every statement.",
    ),
    (
        Strong("Timing and other traces."),
        " Only the stated output is considered: not how long it took, memory, logs, errors or what "
        "else a system shows.",
    ),
    (
        Strong("Several runs."),
        " Each statement is about one release. Losses of several releases about the same people can "
        "add up (composition), unless a claim here is about all of them together.",
    ),
    (
        Strong("The code."),
        " Whether a program follows the stated distribution is not shown: scales, clamping, and the "
        "preparation of data have to be checked in the program.",
    ),
    (
        Strong("The data."),
        " Inputs outside the stated domain are not covered, nor are several records of one person "
        "(their losses can add up).",
    ),
    (
        Strong("What the output says anyway."),
        " Somebody can learn facts about people that hold whether or not their record is in the data.",
    ),
)


def document(subjects: Sequence[Subject], date: str, limits: Limits) -> Document:
    """The report about these claims, of this date."""
    listed = sorted(subjects, key=lambda subject: subject.rank)
    sections = tuple(
        claim_section(subject, number, limits) for number, subject in enumerate(listed, 1)
    )
    return Document(
        title(listed),
        f"ahdp-verify {MADE_BY['ahdp_verify']}, {date}",
        (
            *summary(listed),
            *sections,
            Section(
                "not-covered", Heading(2, "What this report does not cover"), tuple(limitations())
            ),
            Section("check-again", Heading(2, "How to check it again"), tuple(again(listed))),
            Section("versions", Heading(2, "Versions"), (version_table(date),)),
        ),
    )


def title(listed: Sequence[Subject]) -> str:
    """The title of the report, with the name of its mechanism, or of the first of several."""
    names = list(dict.fromkeys(one_line(subject.subject_name, NAME) for subject in listed))
    others = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"Privacy report: {names[0]}{others}"


def counted(listed: Sequence[Subject]) -> str:
    """How many claims have which outcome."""
    tally = Counter(subject.outcome for subject in listed)
    said = [f"{tally[o]} {WORDS.get(o, o)}" for o in ORDER if tally[o]]
    failing = sum(subject.argument not in ("", "valid") for subject in listed)
    of_arguments = (
        f"; {failing} argument{'s' * (failing > 1)} not shown to be valid" if failing else ""
    )
    return f"{len(listed)} claim{'s' * (len(listed) != 1)}: {', '.join(said)}{of_arguments}"


def summary(listed: Sequence[Subject]) -> Iterator[Block]:
    """What a reader who reads nothing else should read."""
    blocks: list[Block] = [Paragraph.of(f"{counted(listed)}.", kind="lead")]
    if len(listed) > 1 and any(subject.rank < ORDER.index("vacuous") for subject in listed):
        blocks.append(Paragraph.of("What failed or stayed open comes first.", kind="note"))
    blocks.append(
        Table(
            "Claims of this report",
            ("no.", "verdict", "claim", "from"),
            tuple(
                (
                    (Jump(str(number), f"claim-{number}"),),
                    (Badge(subject.outcome, subject.word),),
                    summary_text(subject),
                    (
                        Code(one_line(subject.origin.path, 200))
                        if subject.origin.path
                        else "Python",
                    ),
                )
                for number, subject in enumerate(listed, 1)
            ),
        )
    )
    blocks.append(
        Paragraph.of(
            "A verdict is about the stated distribution or noise program, not about code that runs. ",
            Jump("What this report does not cover", "not-covered"),
            ". ",
            Jump("How to check it again", "check-again"),
            ".",
        )
    )
    yield Section("summary", Heading(2, "Summary"), tuple(blocks))


def summary_text(subject: Subject) -> Pieces:
    """The claim in the summary, with what has to be known beside the verdict."""
    said = one_line(subject.text, LONG)
    return (f"{said} (", Strong(subject.remark), ")") if subject.remark else (said,)


def limitations() -> Iterator[Block]:
    """What no claim of a report covers."""
    yield Listing(NOT_COVERED)


def again(listed: Sequence[Subject]) -> Iterator[Block]:
    """The commands that check the records again, with two checkers."""
    files = list(
        dict.fromkeys(s.origin.path for s in listed if s.origin.path and not s.origin.is_record)
    )
    records = list(dict.fromkeys(s.origin.path for s in listed if s.origin.is_record))
    kept = [
        f"claim-{number}.json"
        for number, subject in enumerate(listed, 1)
        if subject.outcome in ("proved", "vacuous", "refuted")
    ]
    if kept:
        yield Paragraph.of(
            "The record of each proof and refutation is kept in the HTML page: save it under the name "
            "that its link has. The first command checks records again with the checker of "
            "ahdp-verify; the second does so with an independent one, which is in the source of "
            "ahdp-verify, needs only Python, and shares no code with the first."
        )
        names = kept if len(kept) <= 6 else ["claim-*.json"]
        yield Commands(
            (f"ahdp-verify recheck {' '.join(names)}", f"python3 proofs/recheck {' '.join(names)}")
        )
    if records:
        shown = " ".join(map(shell_word, records))
        yield Paragraph.of("The records that this report was made from:")
        yield Commands((f"ahdp-verify recheck {shown}", f"python3 proofs/recheck {shown}"))
    if files:
        yield Paragraph.of("To decide the claims of the files anew, and to save their records:")
        yield Commands(anew(files))
    yield Paragraph.of(
        "A file is the one of this report if its SHA-256 is the one listed under Source "
        "(sha256sum FILE)."
    )


def anew(files: Sequence[str]) -> tuple[str, ...]:
    """The commands that decide the claims of files again; records of files with one name are kept
    in different folders.

    >>> anew(["a.toml", "b.toml"])[0]
    'ahdp-verify verify a.toml b.toml --save records/'
    >>> anew(["x/a.toml", "y/a.toml"])[:2]
    ('ahdp-verify verify x/a.toml --save records-1/', 'ahdp-verify verify y/a.toml --save records-2/')
    """
    paths = list(dict.fromkeys(re.sub(r"(\.toml):[^/]*$", r"\1", path) for path in files))
    stems = {Path(path.partition(".py:")[0]).stem for path in paths}
    if len(stems) == len(paths):
        groups = [(" ".join(map(shell_word, paths)), "records/")]
    else:
        groups = [(shell_word(path), f"records-{i}/") for i, path in enumerate(paths, 1)]
    folders = " ".join(folder for _, folder in groups)
    return (
        *(f"ahdp-verify verify {shown} --save {folder}" for shown, folder in groups),
        f"ahdp-verify recheck {folders}",
        f"python3 proofs/recheck {folders}",
    )


def version_table(date: str) -> Table:
    """What made this report."""
    rows = (*versions(), ("Date", date))
    return Table("", (), tuple(((key,), (value,)) for key, value in rows))


def versions() -> tuple[tuple[str, str], ...]:
    """What is installed: this package, Python, and the libraries that it uses."""
    own = [("ahdp_verify", MADE_BY["ahdp_verify"]), ("Python", platform.python_version())]
    own += [(key, value) for key, value in MADE_BY.items() if key != "ahdp_verify"]
    return (*own, *((key, found) for key in LIBRARIES if (found := installed(key))))


def installed(library: str) -> str:
    """The version of a library, "" if it is not installed."""
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
