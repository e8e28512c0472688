"""Canonical JSON in files: one text for one content, written atomically, read only if it is exact.

Floats, repeated keys and numbers of thousands of digits are refused.  Nothing here is believed: a
record that was read still has to pass the checker.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     write_json({"b": [1, None], "a": "1/2"}, f"{folder}/x.json")
...     Path(f"{folder}/x.json").read_text(), read_json(f"{folder}/x.json")
('{"a":"1/2","b":[1,null]}\\n', {'a': '1/2', 'b': [1, None]})
"""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any, NoReturn

from ahdp_verify.kernel.errors import AhdpError, BadInput
from ahdp_verify.kernel.terms.fingerprint import canonical_text as canonical_text
from ahdp_verify.kernel.terms.printing import named_path
from ahdp_verify.kernel.terms.sealing import SEAL as SEAL
from ahdp_verify.kernel.terms.sealing import is_sealed as is_sealed
from ahdp_verify.kernel.terms.sealing import seal as seal

LARGEST = 64_000_000  # bytes of one file; a hundred times the largest certificate seen
TEMPORARY = ".ahdp-verify-"  # prefix of the names of files that are being written
UNFINISHED: set[Path] = set()  # those that are currently being written
NEW = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def write_json(data: object, path: str | Path) -> None:
    """Writes the canonical text of `data` to the file, completely; if that fails, the previous
    content remains.

    Raises BadInput naming the path for a folder, a device, a missing folder, and anything that the
    system refuses.
    """
    write_text(canonical_text(data) + "\n", path)


def write_text(content: str, path: str | Path) -> None:
    """The same for any text; an unpaired surrogate is written as an escape."""
    write_bytes(content.encode("utf-8", "backslashreplace"), path)


def write_bytes(content: bytes, path: str | Path) -> None:
    """The same for any bytes: written to a new file with an unguessable name in the same folder,
    flushed to disk, then renamed.
    """
    target = writable_path(path)
    try:
        beside = target.with_name(TEMPORARY + os.urandom(8).hex())
        UNFINISHED.add(beside)
        try:
            _fill(beside, content, target)
            beside.replace(target)
        except BaseException:  # also if a signal ends the command: no partly written file remains
            beside.unlink(missing_ok=True)
            raise
        finally:
            UNFINISHED.discard(beside)
        _to_disk(target.parent)
    except OSError as error:
        raise BadInput(
            named_path(path),
            f"it cannot be written ({error.strerror})",
            "check the folder and its permissions",
        ) from None


def _fill(beside: Path, content: bytes, target: Path) -> None:
    """Writes the content to the new file, flushed to disk, with the permissions of the file that it
    replaces.
    """
    with open(os.open(beside, NEW, 0o666), "wb") as file:
        if target.exists():
            os.chmod(beside, stat.S_IMODE(target.stat().st_mode))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _to_disk(folder: Path) -> None:
    """Flushes the folder's list of names to disk, on systems that support it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    except OSError as error:
        # some network folders do not support it
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(opened)


def writable_path(path: str | Path) -> Path:
    """The file behind the path, links followed; BadInput, before any search, unless a file can
    be made there or may be replaced.
    """
    shown = named_path(path)
    try:
        target = Path(path).resolve()
        kind = _kind(target)
        if kind not in ("", "a file"):
            raise BadInput(shown, f"it is {kind}", "name a file, for example sum.json")
        if not target.parent.is_dir():
            raise BadInput(
                shown, f"there is no folder {named_path(Path(path).parent)}", "create it first"
            )
        if kind and not os.access(target, os.W_OK):
            raise BadInput(
                shown,
                "the file exists and is not writable",
                "name a different file, or change its permissions",
            )
        probe = target.with_name(TEMPORARY + os.urandom(8).hex())
        UNFINISHED.add(probe)
        try:
            os.close(os.open(probe, NEW, 0o600))
        finally:
            probe.unlink(missing_ok=True)
            UNFINISHED.discard(probe)
    except (OSError, RuntimeError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise BadInput(
            shown, f"it cannot be a file name ({said})", "use a different path"
        ) from None
    return target


def _kind(path: Path) -> str:
    """What is at a path, in words; empty if nothing is there.  OSError if nothing could be there,
    such as for too long a name.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return ""
    return (
        "a file"
        if stat.S_ISREG(mode)
        else "a folder"
        if stat.S_ISDIR(mode)
        else "not an ordinary file"
    )


def file_bytes(path: str | Path, most: int, cure: str) -> bytes:
    """The bytes of an ordinary file; BadInput naming the path for anything else, and for more than
    `most` bytes, whatever size the system reports.
    """
    shown = named_path(path)
    try:
        kind = _kind(Path(path))
        if kind != "a file":
            raise BadInput(
                shown, f"it is {kind}" if kind else "there is no such file", "check the path"
            )
        with open(path, "rb") as file:
            # room is made for all that is asked for, so not much more is than the file seems to have
            size = min(os.fstat(file.fileno()).st_size, most) + 1
            found = file.read(size)
            if len(found) == size:
                found += file.read(most + 1 - size)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise BadInput(
            shown, f"it cannot be read ({said})", "check the path and its permissions"
        ) from None
    if len(found) > most:
        raise BadInput(shown, f"the file has more than {most} bytes", cure)
    return found


def read_json(path: str | Path) -> Any:
    """The JSON data of a file; BadInput naming the path if it is not a file, not text, not a
    complete JSON document, or not exact.
    """
    return exact_json(file_bytes(path, LARGEST, "save it again"), named_path(path))


def exact_json(content: bytes, shown: str) -> Any:
    """The JSON data of the bytes of a file that messages call `shown`; BadInput likewise."""
    try:
        return json.loads(
            content.decode("utf-8"),
            parse_float=_inexact,
            parse_constant=_inexact,
            object_pairs_hook=_distinct,
        )
    except RecursionError:
        raise BadInput(shown, "it is nested too deep", "save it again") from None
    except UnicodeDecodeError as error:
        raise BadInput(
            shown, f"byte {error.start + 1} is not UTF-8 text", "name a file that ahdp-verify saved"
        ) from None
    except _NotExact as error:
        raise BadInput(shown, error.reason, "save it again") from None
    except ValueError as error:
        raise BadInput(
            shown, f"it is not a complete JSON document ({error})", "save it again"
        ) from None


class _NotExact(AhdpError):
    """Something in a document that is not exact."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def _inexact(number: str) -> NoReturn:
    raise _NotExact(f"the number {number[:40]} in it is not exact")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise _NotExact("a key is repeated in it")
    return table
