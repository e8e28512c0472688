"""Every claim of the mechanism files has its record: proofs/FOLDER/certificates/STEM-I.json, or
STEM.json for a file of one claim.

    python tools/store.py [FILE.toml ...]       by default all files under proofs/; `make
    certificates` runs it

A record of the same claim that the checker still accepts is left as it is, so that running this
again is quick and changes little.  Records of claims that no longer exist are deleted.  A record of
more than LARGE bytes is not stored, but listed in large.txt; `make bench` proves those claims
again.  Then INDEX.md is written: the statements of the paper with their files, verdicts and
records (only if no file is named: that takes long), and all files with their titles and the
identifiers that the paper, a benchmark or an issue tracker has for them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.cli.console import progress
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.unknown import AnyRefuted
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.paper.report import findings_index, markdown_cell
from ahdp_verify.paper.statements import results
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parents[1] / "proofs"
IDENTIFIER = re.compile(r"^# Identifier: (\S+)$", re.MULTILINE)
LARGE = 100_000
LIST = "\n# Index of the files"
LISTED = frozenset((ROOT / "large.txt").read_text().split())
SECONDS = 240


def places(file: Path, claims: int) -> list[Path]:
    """Where the records of a file's claims are, named as `ahdp-verify verify FILE --save
    FOLDER/` names them.
    """
    folder = file.parent / "certificates"
    return [
        folder / (f"{file.stem}-{i}.json" if claims > 1 else f"{file.stem}.json")
        for i in range(1, claims + 1)
    ]


def current(place: Path, fingerprint: str) -> bool:
    """Whether there is a record of this claim, and the checker accepts it."""
    try:
        return place.exists() and recheck(place).claim.fingerprint == fingerprint
    except (BadInput, Rejected):
        return False


def store(file: Path) -> list[str]:
    """What was written for one file, in words; records that are up to date are not touched."""
    content = load(file)
    claims, said = content.claims, []
    for claim, place in zip(claims, places(file, len(claims)), strict=True):
        if str(place.relative_to(ROOT)) in LISTED:
            continue
        if current(place, claim.fingerprint):
            continue
        place.unlink(missing_ok=True)
        try:
            verdict = (
                examine(content.argument).verdict
                if isinstance(content, ArgumentFile)
                else verify(claim, Limits(seconds=SECONDS))
            )
        except BadInput:
            continue
        if not isinstance(verdict, Proved | AnyRefuted):
            continue
        place.parent.mkdir(exist_ok=True)
        verdict.save(place)
        size = place.stat().st_size
        said.append(
            f"{place.relative_to(ROOT)}: {verdict.outcome}, {size} bytes"
            + (", too large to be stored; list it in large.txt" if size > LARGE else "")
        )
        if size > LARGE:
            place.unlink()
    return said


def all_places(files: list[Path]) -> set[Path]:
    """Where the records of all claims of the files are."""
    return {place for file in files for place in places(file, len(load(file).claims))}


def orphans(wanted: set[Path]) -> list[Path]:
    """Stored records elsewhere: they belong to no claim."""
    return sorted(set(ROOT.glob("*/certificates/*.json")) - wanted)


def identifier(file: Path) -> str:
    """The identifier of a file elsewhere, "" if it has none."""
    found = IDENTIFIER.search(file.read_text(encoding="utf-8"))
    return found[1] if found else ""


def list_of(files: list[Path]) -> str:
    """The files below proofs/ as a table in Markdown."""
    lines = [
        LIST,
        "",
        "Identifiers are those of the paper, of the benchmarks and of the public cases; a file has "
        "its own on the line `# Identifier: ...`.",
        "",
        "| file | what it is | identifier |",
        "| --- | --- | --- |",
    ]
    for file in files:
        title = tomllib.loads(file.read_text(encoding="utf-8"))["name"]
        lines.append(f"| {file.relative_to(ROOT)} | {markdown_cell(title)} | {identifier(file)} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Brings all records up to date."""
    every = sorted(ROOT.glob("*/[!.]*.toml"))
    files = [Path(a).resolve() for a in arguments] or every
    with ProcessPoolExecutor() as pool, progress(1, 1) as report:
        for i, said in enumerate(pool.map(store, files), 1):
            report(f"{i} of {len(files)} files")
            for line in said:
                print(line, flush=True)
    for path in () if arguments else orphans(all_places(files)):
        path.unlink()
        print(f"{path.relative_to(ROOT)}: deleted, it belongs to no claim")
    index = ROOT / "INDEX.md"
    statements = (
        index.read_text(encoding="utf-8").partition(LIST)[0]
        if arguments
        else findings_index(list(results(workers=2)))
    )
    index.write_text(statements + list_of(every), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
