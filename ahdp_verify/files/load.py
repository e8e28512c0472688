"""Mechanism files: a mechanism with its claims, as data (TOML) or as Python (`file.py:name`,
executed because the user names it).

A TOML file is only read (`ahdp_verify.files.mechanism_file`).  Any error in a file, of either kind,
is one `BadInput` that names the file and the key or the line; no traceback of a user's file reaches
the user.

>>> import pathlib, tempfile
>>> path = pathlib.Path(tempfile.mkdtemp(), "sum.toml")
>>> _ = path.write_text('''format = 2
... domain.records = [["0", "0"], ["1", "log(2)"]]
... mechanism = {outputs = [{name = "s", kind = "real"}], density = "exp(-abs(s - sum((1 - exp(-eps))*x)))/2"}
... claim = [{relation = "ahdp", level = "1 - exp(-eps)", expect = "proved"}]''')
>>> print(*load(path).claims)
sum is AHDP at level 1 - exp(-eps)
"""

from __future__ import annotations

import itertools
import re
import runpy
import tomllib
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.files import argument_file as argumentfile
from ahdp_verify.files import composite_file as pipelines
from ahdp_verify.files import mechanism_file as tables
from ahdp_verify.files import program_file as programs
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.mechanism_file import ClaimNote, MechanismFile
from ahdp_verify.files.program_file import ProgramFile
from ahdp_verify.files.sensitivity_file import SensitivityFile, read_sensitivity_file
from ahdp_verify.kernel.errors import AhdpError, BadInput, NotWorkedOut, with_location
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.terms.printing import display_name, named_path
from ahdp_verify.programs import NoiseProgram

File = TypeVar("File", MechanismFile, PipelineFile, ProgramFile, SensitivityFile)
AnyFile = MechanismFile | PipelineFile | ProgramFile | ArgumentFile | SensitivityFile
OF_USERS = (
    *(Mechanism, Claim, CompositeClaim, NoiseProgram, Program, ProgramClaim),
    SensitivityClaim,
    AppliedClaim,
)
LARGEST = 2_000_000  # most bytes of one file
KEY_PARTS, NESTING = (
    16,
    32,
    # most parts of a dotted key, and most levels of nested arrays and tables: the time and memory
    # of the TOML parser grow with the square of either
)
_STRINGS = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|\'{3}.*?\'{3}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*''', re.DOTALL
)
_LONG_KEY = re.compile(
    rf"(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|\"\")[ \t]*+\.[ \t]*+){{{KEY_PARTS}}}"
)


def load(source: str | Path) -> AnyFile:
    """The mechanism and the claims of "file.toml", of one named claim "file.toml:claim", or of an
    object "file.py:name".

    The object is a Mechanism, a noise program, a claim, or a tuple or list of claims.  Raises
    BadInput for any error in the file.
    """
    path, chosen = _split(str(source))
    text = _text(path)
    if path.suffix == ".py":
        return _of_object(_object(path, chosen), named_path(f"{path}:{chosen}"))
    with _naming(path):
        document = _toml(text)
        if "inequality" in document:
            return _whole(argumentfile.read_argument_file(document, path.stem), chosen)
        if "entries" in document:
            return _choose(
                read_sensitivity_file(document, path.stem, path.parent, any_claim_in_file), chosen
            )
        if "program" in document:
            return _choose(programs.read_program_file(document, path.stem, path.parent), chosen)
        if "part" in document:
            return _choose(
                pipelines.read_pipeline_file(document, path.stem, path.parent, claim_in_file),
                chosen,
            )
        return _choose(tables.read_mechanism_file(document, path.stem, path.parent), chosen)


def claim_in_file(source: str) -> Claim | ProgramClaim:
    """The claim of a level in such a file as `any_claim_in_file` reads."""
    claim = any_claim_in_file(source)
    if isinstance(claim, NotionClaim):
        raise BadInput(named_path(source), "it claims no level", "choose a claim with a level")
    return claim


def any_claim_in_file(source: str) -> Claim | ProgramClaim | NotionClaim:
    """The claim of "file.toml" or "file.toml:claim", a file about one mechanism given by its
    density or one noise program; a Python file is refused, so that reading data never runs code.
    """
    path, chosen = _split(source)
    if path.suffix != ".toml":
        raise BadInput(
            named_path(source),
            "it is a Python file, and a data file cannot run code",
            "name a .toml file",
        )
    claims: tuple[Claim | ProgramClaim | NotionClaim, ...]
    with _naming(path):
        document = _toml(_text(path))
        if "program" in document:
            of_program = programs.read_program_file(document, path.stem, path.parent)
            claims = _choose(of_program, chosen).claims
        else:
            file = tables.read_mechanism_file(document, path.stem, path.parent)
            claims = _choose(file, chosen).claims
    if len(claims) != 1:
        raise BadInput(
            named_path(source),
            f"it makes {len(claims)} claims",
            f"choose one by its name, for example {named_path(f'{path.name}:claim')}",
        )
    (claim,) = claims
    return claim


def _whole(file: ArgumentFile, chosen: str) -> ArgumentFile:
    """The file of a statement; BadInput if a claim is chosen by name, since it has none."""
    if chosen:
        raise BadInput(
            "inequality",
            f"it makes one statement, and none called {display_name(chosen)}",
            "leave the name out",
        )
    return file


def load_mechanism(source: str | Path) -> MechanismFile:
    """The same for a command that needs one mechanism given by its density; BadInput for a file
    about a statement or a composite.
    """
    return only_mechanism(load(source), source)


def only_mechanism(file: AnyFile, source: str | Path) -> MechanismFile:
    """A file about one mechanism given by its density; BadInput for any other."""
    if isinstance(file, ProgramFile):
        raise of_a_program(source)
    if not isinstance(file, MechanismFile):
        raise BadInput(
            named_path(source),
            "it contains no mechanism given by its density",
            "name a mechanism file, or use ahdp-verify verify",
        )
    return file


def of_a_program(source: str | Path) -> BadInput:
    """The refusal of a command that does not work on noise programs."""
    return BadInput(
        named_path(source),
        "it is about a noise program, which this command does not work on",
        "use ahdp-verify verify, tighten, ranges, calibrate, sample or audit",
    )


def _split(source: str) -> tuple[Path, str]:
    """The path and the name after the colon; a Python file needs a name."""
    found = re.fullmatch(r"(.*\.(?:py|toml)):([^/]*)", source, re.DOTALL)
    path, chosen = (Path(found[1]), found[2]) if found else (Path(source), "")
    if path.suffix not in (".py", ".toml"):
        raise BadInput(
            named_path(source) or "file",
            "it is neither a .toml nor a .py file",
            "name a mechanism file, for example sum.toml or mechanisms.py:claim",
        )
    if path.suffix == ".py" and not chosen:
        raise BadInput(
            named_path(source),
            "a Python file may define many mechanisms",
            f"name one of its objects, for example {named_path(f'{source}:claim')}",
        )
    return path, chosen


def _text(path: Path) -> str:
    try:
        return jsonfile.file_bytes(path, LARGEST, "split it into several files").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(
            named_path(path), f"byte {error.start + 1} is not UTF-8 text", "save the file as UTF-8"
        ) from None


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Every error raised inside names the file as well."""
    try:
        yield
    except (BadInput, NotWorkedOut) as error:
        raise with_location(
            error, f"{named_path(path)}, {error.where}" if error.where else named_path(path)
        ) from None


def _object(path: Path, chosen: str) -> object:
    """What a Python file defines under a name."""
    try:
        content = runpy.run_path(str(path))
    except (Exception, SystemExit) as error:
        line = _line(error, str(path))
        said = str(error) if isinstance(error, AhdpError) else f"{type(error).__name__}: {error}"
        raise BadInput(
            f"{named_path(path)}, line {line}" if line else named_path(path),
            f"running it failed with {' '.join(said.split())}",
            "fix the file",
        ) from None
    if chosen not in content:
        fitting = sorted(key for key, value in content.items() if isinstance(value, OF_USERS))
        raise BadInput(
            named_path(path),
            f"it does not define {display_name(chosen)}",
            f"it defines {', '.join(fitting) or 'no mechanism and no claim'}",
        )
    return content[chosen]


def _line(error: BaseException, filename: str) -> int:
    """The line of the user's file at which an error was raised or, for a SyntaxError there,
    found; 0 if there is none.
    """
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno or 0
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == filename
    ]
    return lines[-1] if lines else 0


def _of_object(
    found: object, where: str
) -> MechanismFile | PipelineFile | ProgramFile | SensitivityFile:
    if isinstance(found, Mechanism):
        return MechanismFile(found, (), ())
    if isinstance(found, NoiseProgram | Program):
        return ProgramFile(found)
    claims = tuple(found) if isinstance(found, tuple | list) else (found,)
    of_programs = tuple(claim for claim in claims if isinstance(claim, ProgramClaim))
    if of_programs and len(of_programs) == len(claims):
        return ProgramFile(of_programs[0].program, of_programs, (ClaimNote(),) * len(claims))
    of_queries = tuple(c for c in claims if isinstance(c, SensitivityClaim | AppliedClaim))
    if of_queries and len(of_queries) == len(claims):
        notes = (ClaimNote(),) * len(claims)
        first = of_queries[0]
        first = first.sensitivity if isinstance(first, AppliedClaim) else first
        return SensitivityFile(first.inputs, first.query, first.name, of_queries, notes)
    listed = tuple(claim for claim in claims if isinstance(claim, Claim | CompositeClaim))
    if not listed or len(listed) < len(claims):
        raise BadInput(
            where,
            f"it is a {type(found).__name__}",
            "name a Mechanism, a noise program, a Claim, or a tuple or list of Claims",
        )
    notes, written = (
        (ClaimNote(),) * len(listed),
        tuple(claim for claim in listed if isinstance(claim, Claim)),
    )
    return (
        MechanismFile(written[0].mechanism, written, notes)
        if len(written) == len(listed)
        else PipelineFile(listed[-1].mechanism, listed, notes, {})
    )


def _choose(file: File, chosen: str) -> File:
    """The file with the claims of one name only, or as it is for no name."""
    if not chosen:
        return file
    kept = [i for i, note in enumerate(file.notes) if note.name == chosen]
    if not kept:
        known = ", ".join(display_name(note.name) for note in file.notes if note.name)
        raise BadInput(
            "claim",
            f"none is called {display_name(chosen)}",
            f"the names are {known}" if known else "no claim has a name; verify them all",
        )
    return replace(
        file, claims=tuple(file.claims[i] for i in kept), notes=tuple(file.notes[i] for i in kept)
    )


def _toml(text: str) -> dict[str, Any]:
    bare = _STRINGS.sub('""', text)  # the text of a string or a comment is not a key
    if _LONG_KEY.search(bare):
        raise BadInput(
            "",
            f"a key in it has more than {KEY_PARTS} parts",
            "write it with tables, such as [mechanism]",
        )
    if (
        max(itertools.accumulate((c in "[{") - (c in "]}") for c in bare if c in "[]{}"), default=0)
        > NESTING
    ):
        raise BadInput(
            "",
            f"its arrays and tables are nested too deeply, more than {NESTING} levels",
            "flatten it",
        )
    try:
        return tomllib.loads(text)
    except ValueError as error:
        said = str(error)
        raise BadInput(
            "", f"it is not TOML: {said[:1].lower()}{said[1:]}", "fix the file there"
        ) from None
    except RecursionError:
        raise BadInput("", "its arrays are nested too deeply", "flatten it") from None
