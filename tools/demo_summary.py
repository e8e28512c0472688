"""What `make demo` has shown, in words: how many claims were proved and refuted, one of each, where
the records are, and what to try next.

    python tools/demo_summary.py FOLDER      the records that `verify --expect --save FOLDER/` wrote

Everything is read from the records; the two that are told are checked again.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.refuted import Refuted, RefutedProgram
from ahdp_verify.kernel.verdict import Proved

WIDTH = 80
TRIED = 8  # small records among which one is looked for that is easy to follow


def outcome(record: Path) -> str:
    """ "proved", "vacuous" or "refuted", as the record states it."""
    content = json.loads(record.read_text(encoding="utf-8"))
    is_vacuous = content["verdict"] == "proved" and content["scope"]["compared"] != "something"
    return "vacuous" if is_vacuous else content["verdict"]


def claim_of(record: Path) -> dict[str, Any]:
    """The claim as the record states it."""
    claim: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))["claim"]
    return claim


def smallest(records: list[Path], wanted: str, of: int = TRIED) -> list[Path]:
    """The smallest `of` records of that outcome: their claims are the easiest to read."""
    found = [path for path in records if outcome(path) == wanted]
    return sorted(found, key=lambda path: (path.stat().st_size, path.name))[:of]


def example_of_refutation(records: list[Path]) -> tuple[Path, Refuted | RefutedProgram] | None:
    """A refutation, if possible one whose event has a positive probability on both inputs."""
    found = [(path, recheck(path)) for path in smallest(records, "refuted")]
    refuted = [
        (path, verdict) for path, verdict in found if isinstance(verdict, Refuted | RefutedProgram)
    ]
    return min(refuted, key=lambda each: each[1].loss is None, default=None)


def example_of_proof(records: list[Path], beside: Path | None) -> tuple[Path, Proved] | None:
    """A proof that compares something, if possible of what the record `beside` refutes, at another
    level.
    """
    refuted = claim_of(beside) if beside else {}

    def distance(path: Path) -> tuple[bool, ...]:
        claim = claim_of(path)
        return tuple(claim.get(key) != refuted.get(key) for key in ("mechanism", "relation"))

    proofs = smallest(records, "proved", of=len(records))
    for path in sorted(proofs, key=distance)[:TRIED]:
        if isinstance(found := recheck(path), Proved):
            return path, found
    return None


def claims(number: int, verb: str = "") -> str:
    """A number of claims, as a sentence begins with it.

    >>> claims(1, "be"), claims(3, "be"), claims(2)
    ('1 claim is', '3 claims are', '2 claims')
    """
    one = number == 1
    said = f"{number} {'claim' if one else 'claims'}"
    return f"{said} {'is' if one else 'are'}" if verb else said


def paragraphs(folder: Path) -> Iterator[str]:
    """The paragraphs of the summary; lines that start with blanks stay as they are."""
    records = sorted(folder.glob("*.json"))
    counts = {word: sum(outcome(p) == word for p in records) for word in ("proved", "refuted")}
    rest = len(records) - sum(counts.values())
    yield "What you have seen"
    yield (
        f"Decided and saved: {claims(len(records))} about mechanisms, each with the answer that its "
        "file expects. Then the checker went through all saved records again, without any search."
    )
    tried = []
    refutation = example_of_refutation(records)
    if proof := example_of_proof(records, refutation[0] if refutation else None):
        tried.append(proof[0])
        yield (
            f"{claims(counts['proved'], 'be')} true: proved, each for everything in the scope that its "
            "line names. For example:"
        )
        yield f"    {proof[1].claim}\n    (scope: {proof[1].scope_text})"
    if rest:
        yield (
            f'{claims(rest, "be")} true only because nothing is compared ("vacuously"): every '
            "mechanism satisfies such a claim."
        )
    if refutation:
        tried.append(refutation[0])
        shown = refutation[1].text.replace(": prob", ":\n    prob")
        for word in ("event", "outputs"):
            shown = shown.replace(f", {word} ", f",\n    {word} ", 1)
        yield (
            f"{claims(counts['refuted'], 'be')} false, as the files say: false claims are there to show "
            "that a mistake is found. For each there are two neighbouring inputs and an event whose "
            "probabilities differ by more than the claim allows, which anybody can work out again. "
            "For example:"
        )
        yield f"    {refutation[1].claim}\n    {shown}"
    yield f"The records are in {folder}/. Try next, first the steps behind these answers:"
    yield "\n".join(
        [
            *(f"    .venv/bin/ahdp-verify explain {path}" for path in tried),
            f"    python3 proofs/recheck {folder}    # a second checker, nothing but Python",
            "    .venv/bin/ahdp-verify new laplace > my.toml    # a file to change",
            "    .venv/bin/ahdp-verify verify my.toml",
        ]
    )
    yield "docs/start.md goes through a first mechanism in ten minutes."


def main(folder: str) -> int:
    """Prints the summary, as wide as the terminal but at most WIDTH."""
    width = min(WIDTH, shutil.get_terminal_size().columns)
    for text in paragraphs(Path(folder)):
        print()
        print(text if text.startswith(" ") else textwrap.fill(text, width))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
