"""Mutated files, command lines and records: every answer is a verdict or one plain sentence, in
time, and true.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from ahdp_verify import BadInput, Limits, NotWorkedOut, Proved, Refuted, Rejected, recheck, verify
from ahdp_verify.cli.app import main
from ahdp_verify.kernel.record import FORMAT
from fuzz import ask, mutate
from fuzz.case import Outcome, document
from fuzz.generate import composites, mechanisms
from fuzz.oracle import judge
from fuzz.oracle.trees import CannotTell, Undefined

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 1.0
MALFORMED = (
    TypeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
)  # of the oracle, on data of another shape


@lru_cache(maxsize=1)
def stored_files() -> tuple[str, ...]:
    """The mechanism files of the repository that are small."""
    found = sorted((ROOT / "proofs").rglob("[!.]*.toml"))
    return tuple(f.read_text() for f in found if f.stat().st_size < 3000)


@lru_cache(maxsize=1)
def stored_records() -> tuple[Path, ...]:
    """Stored proofs and refutations that are small."""
    return tuple(f for f in sorted((ROOT / "proofs").rglob("*.json")) if f.stat().st_size < 20000)


def base_text(rng: Random) -> str:
    if stored_files() and rng.random() < 0.5:
        return rng.choice(stored_files())
    m = mechanisms.made(rng)
    m.data["claim"] = [mechanisms.claimed(rng, m) for _ in range(rng.choice((1, 1, 2)))]
    return document(m.data)


def run(argv: list[str]) -> tuple[int, str, str]:
    """The exit code of a command, and what it writes; run in this process."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    code = 0
    sys.argv = ["ahdp-verify", *argv]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 2
    finally:
        sys.argv = before
    return code, out.getvalue(), err.getvalue()


@contextlib.contextmanager
def written(data: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fuzz") as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


def checked(
    out: Outcome, argv: list[str], claims: int, seconds: float = SECONDS
) -> tuple[int, str, str]:
    """The answer of a command, with its exit code, messages and time checked."""
    start = ask.used()
    code, said, complained = run(argv)
    spent = ask.used() - start
    out.seconds += spent
    if spent > claims * (1.1 * seconds + ask.SPARE) + 0.5:
        out.over.append(
            f"{' '.join(argv)}: {spent:.1f} s of processor time at --seconds {seconds:g} for "
            f"{claims} claims"
        )
    everything = said + complained
    if "Traceback" in everything or "internal error" in everything:
        found = re.search(r"[^\n]*internal error[^\n]*", everything)
        out.error = found.group() if found else everything[-1500:]
    if code not in (0, 1, 2, 3):
        out.wrong.append(f"the exit code is {code}")
    if code == 2 and not complained.strip() and "refused" not in said.lower():
        out.wrong.append("the exit code is 2, without a word")
    if code == 2 and "Usage:" not in complained:
        for line in complained.strip().splitlines():
            if not line.startswith(("ahdp-verify: ", "ahdp-verify")):
                out.suspect.append(f"not one plain sentence: {line[:120]}")
    if re.search(r"(?<![\w\"'])[@#]c?\d", complained):
        out.suspect.append(f"an internal name: {complained[:160]}")
    return code, said, complained


WORST = {"Proved": 0, "Refuted": 1, "Unknown": 3}


def right_code(out: Outcome, code: int, said: str, complained: str) -> None:
    """Checks that the exit code agrees with the printed lines."""
    words = [line.split(":")[0].split(",")[0].split(" ")[0] for line in said.splitlines()]
    codes = [WORST[w] for w in words if w in WORST]
    if "Proved, vacuously" in said:
        codes.append(3)
    if not codes or code == 2 or complained.strip() or "argument:" in said:
        return
    worst = next(c for c in (1, 3, 0) if c in codes)
    if code != worst:
        out.wrong.append(
            f"the exit code is {code}, but by the lines it should be {worst}: {said[:200]}"
        )


def mutated_file(rng: Random) -> Outcome:
    """One mutated file, verified."""
    data = mutate.file(base_text(rng), rng)
    out = Outcome("file", data.decode("utf-8", "backslashreplace"))
    as_json = rng.random() < 0.6
    with written(data, "f.toml") as path:
        claims = max(
            1, data.count(b"[[claim]]") + data.count(b"[[step]]") * 3 + data.count(b"[[part]]")
        )
        options = ["--json"] if as_json else []
        code, said, complained = checked(
            out, ["verify", str(path), "--seconds", "1", *options], claims
        )
    if not as_json:
        right_code(out, code, said, complained)
        out.answers.append("refused" if code == 2 else "answered")
        return out
    for line in said.splitlines():
        if line.startswith("{"):
            true_record(out, json.loads(line), rng)
    if not out.answers:
        out.answers.append("refused")
    return out


def true_record(out: Outcome, record: Any, rng: Random) -> None:
    """Checks with the oracle that the claim of a record is true."""
    verdict, claim = record["verdict"], record["claim"]
    out.answers.append(verdict)
    if verdict not in ("proved", "refuted") or "mechanism" not in claim:
        return
    if verdict == "proved":
        found = judge.proved(
            claim,
            rng.randrange(10**9),
            effort=8,
            size=size_of(record["certificate"]),
        )
    else:
        found = judge.refuted(claim, record, "", rng.randrange(10**9))
    ask.take(out, found)


def size_of(certificate: Any) -> int | None:
    listed = certificate.get("evidence", []) if isinstance(certificate, dict) else []
    return next(
        (e["size"] for e in listed if isinstance(e, dict) and e.get("is") == "enumeration"), None
    )


COMMANDS = (
    "verify",
    "verify",
    "recheck",
    "explain",
    "tighten",
    "ranges",
    "calibrate",
    "delta",
    "tradeoff",
    "power",
    "sample",
    "simulate",
    "report",
    "list",
    "show",
    "nonsense",
)
OPTIONS = (
    "--seconds",
    "--json",
    "--level",
    "--relation",
    "--procedure",
    "--expect",
    "--trust",
    "--size",
    "--records",
    "--pieces",
    "--bits",
    "--parameter",
    "--levels",
    "--first",
    "--second",
    "--set",
    "--dataset",
    "--seed",
    "--demands",
    "--extra",
    "--one-more",
    "--format",
    "--all",
    "--digits",
    "--side",
    "--help",
    "--samples",
    "--known",
    "--public",
    "-x",
    "--",
)
VALUES = (
    "1",
    "0",
    "-1",
    "1/2",
    "eps",
    "x",
    "oo",
    "ahdp",
    "swap",
    "hdp",
    "any",
    "one",
    "nan",
    "1e400",
    "",
    "abc",
    "10000000000000000000000",
    "0,1",
    "1,0,0",
    "log(2), log(3)",
    "finite",
    "linear",
    "smt",
    "kernel",
    "all",
    "text",
    "latex",
    "p",
    "b",
    "e",
    "eps=log(3)",
    "p=1/2",
    "=",
    "b=",
    "\x00",
    "é",
    "2",
    "3",
    "0,1/2,log(3)",
    "((",
    '"',
)


def mutated_command(rng: Random) -> Outcome:
    """One mutated command line."""
    m = mechanisms.made(rng)
    m.data["claim"] = [mechanisms.claimed(rng, m)]
    text = document(m.data)
    with written(text.encode(), "f.toml") as path:
        command = rng.choice(COMMANDS)
        argv = [
            command,
            str(path)
            if rng.random() < 0.9
            else rng.choice(
                # the folder of the file alone: the one that `make fuzz` runs in has all stored claims
                ("", "missing.toml", str(path.parent), "f.json", f"{path}:claim", "/dev/null")
            ),
        ]
        for _ in range(rng.choice((0, 1, 2, 3))):
            argv.append(rng.choice(OPTIONS))
            if rng.random() < 0.75:
                argv.append(rng.choice(VALUES))
        if any(a.startswith(("--out", "--save")) for a in argv) or (
            "\x00" in "".join(argv) and rng.random() < 0.5
        ):
            argv = argv[:2]
        if "--seconds" not in argv[: argv.index("--") if "--" in argv else None] and command in (
            "verify",
            "tighten",
            "ranges",
            "calibrate",
            "delta",
        ):
            argv[2:2] = ["--seconds", "1"]  # before a --, after which nothing is an option
        out = Outcome("command", " ".join(map(repr, argv)) + "\n" + text)
        given = (
            argv[argv.index("--seconds") + 1]
            if "--seconds" in argv and argv.index("--seconds") + 1 < len(argv)
            else "1"
        )
        try:
            seconds = min(60.0, max(1.0, float(given)))
        except ValueError:
            seconds = 1.0
        many = 1 + 3 * (command in ("delta", "explain", "power", "tradeoff", "sample", "simulate"))
        code, _, _ = checked(out, argv, many, seconds)
    out.answers.append("refused" if code == 2 else "answered")
    return out


# records


def a_record(rng: Random) -> Any:
    """A record that is valid: a stored one, or of a fresh verdict."""
    if stored_records() and rng.random() < 0.4:
        found = json.loads(rng.choice(stored_records()).read_text())
        if found["format"] == FORMAT:
            return found
    for _ in range(10):
        try:
            if rng.random() < 0.35:
                rule = rng.choice(list(composites.RULES))
                claim = composites.RULES[rule][1](rng)
            else:
                m = mechanisms.made(rng)
                m.data["claim"] = [mechanisms.claimed(rng, m)]
                claim = ask.mechanism_of(m.data).claims[0]
            verdict = verify(claim, Limits(seconds=1))
        except (BadInput, NotWorkedOut):
            continue
        if isinstance(verdict, Proved | Refuted):
            return verdict.to_json()
    return None


def package_says(record: Any) -> tuple[str, str]:
    """accepted or rejected, and why, by the package."""
    with written(json.dumps(record).encode(), "r.json") as path:
        try:
            return "accepted", str(recheck(path))
        except (BadInput, NotWorkedOut, Rejected) as why:
            return "rejected", str(why)


@lru_cache(maxsize=1)
def other_checker() -> Any:
    """The command of the stand-alone checker of the repository."""
    sys.path.append(str(ROOT / "proofs"))
    return importlib.import_module("recheck.command")


def other_says(record: Any) -> tuple[str, str]:
    """The answer of the stand-alone checker for a record: a verdict, and why."""
    with written(json.dumps(record).encode(), "r.json") as path:
        (found,) = other_checker().in_thread([str(path)], 20.0)
    return str(found.verdict), str(found.why)


def shielded(out: Outcome, what: str, work: Callable[[], tuple[str, str]]) -> tuple[str, str]:
    """The answer of a checker; an exception that escapes from it is recorded."""
    try:
        return work()
    except Exception:
        out.error = f"{what}: {traceback.format_exc()}"
        return "died", "an exception"


def mutated_record(rng: Random) -> Outcome:
    """One mutated record, given to both checkers; what either accepts has to be true."""
    out = Outcome("record")
    valid = a_record(rng)
    if valid is None:
        out.answers.append("none")
        return out
    changed = mutate.fitted(mutate.record(valid, rng)) if rng.random() < 0.97 else valid
    out.source = json.dumps(changed)
    start = ask.used()
    first, why = shielded(out, "recheck", lambda: package_says(changed))
    spent = ask.used() - start
    start = ask.used()
    second, other = shielded(out, "the stand-alone checker", lambda: other_says(changed))
    out.seconds += spent
    if spent > 20 or ask.used() - start > 60:
        out.over.append(f"recheck: {spent:.1f} s, stand-alone {ask.used() - start:.1f} s")
    out.answers.append(first)
    if {first, second} == {"accepted", "rejected"}:
        out.suspect.append(
            f"the checkers disagree: package {first} ({why[:80]}), stand-alone {second} "
            f"({other[:80]})"
        )
        out.source += f"\n# package {first}: {why}\n# stand-alone {second}: {other}"
    if "accepted" in (first, second):
        try:
            true_record(out, changed, rng)
        except (CannotTell, Undefined) as reason:
            out.undecided.append(str(reason))
        except MALFORMED as reason:
            out.undecided.append("an accepted record is malformed")
            out.suspect.append(f"accepted, but malformed: {reason!r}"[:160])
        if len(out.answers) > 1:
            out.answers.pop()
        out.wrong = [
            f"accepted by "
            f"{'both' if first == second else 'the package' if first == 'accepted' else 'the stand-alone checker'}: "
            f"{w}"
            for w in out.wrong
        ]
    return out


KINDS = {
    "file": (38, mutated_file),
    "command": (8, mutated_command),
    "record": (10, mutated_record),
}
