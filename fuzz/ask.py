"""Runs the package on a claim, and compares its answer with the oracle."""

from __future__ import annotations

import os
import time
import tomllib
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from ahdp_verify import BadInput, Limits, Proved, Refuted, Unknown, verify
from ahdp_verify.display.verdict_text import instead_text
from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.refuted import RefutedInequality, RefutedNotion
from ahdp_verify.search.limits import OutOfLimits
from fuzz.case import Outcome, document
from fuzz.oracle import judge, scopes

T = TypeVar("T")
SECONDS = 1.0  # limit for one question
SPARE = 1.0  # allowed on top of 1.1 times the limit


def used() -> float:
    """Processor time of this process and of its children that have ended."""
    t = os.times()
    return t.user + t.system + t.children_user + t.children_system


def timed(out: Outcome, what: str, work: Callable[[], T], seconds: float = SECONDS) -> T | None:
    """The answer; None for a refusal in one plain sentence.  An overrun of the limit is noted."""
    start, clock = used(), time.monotonic()
    try:
        return work()
    except BadInput as why:
        out.answers.append("refused")
        sentence(out, what, str(why))
        return None
    except (NotWorkedOut, OutOfLimits) as why:
        out.answers.append("unknown")
        sentence(out, what, str(why))
        return None
    except Exception:
        out.error = f"{what}: {traceback.format_exc()}"
        return None
    finally:
        spent = used() - start
        out.seconds += spent
        if spent > 1.1 * seconds + SPARE:
            out.over.append(
                f"{what}: {spent:.1f} s of processor time at a limit of {seconds:g} s "
                f"({time.monotonic() - clock:.1f} s passed)"
            )


def sentence(out: Outcome, what: str, said: str) -> None:
    """Checks that a refusal is one plain sentence, without internal names."""
    if (
        "\n" in said.strip()
        or "@" in said
        or "#1" in said
        or "Traceback" in said
        or not said.strip()
    ):
        out.suspect.append(f"{what} says: {said[:300]}")
    out.suspect.append(f"refused: {said[:160]}")


def limits(seconds: float = SECONDS) -> Limits:
    return Limits(seconds=seconds)


def mechanism_of(data: dict[str, Any]) -> Any:
    """The file of a document, read as the command line reads it."""
    return read_mechanism_file(tomllib.loads(document(data)), "fuzz")


def judged(
    out: Outcome, verdict: Any, seed: int, *, size: int | None = None, effort: int = 14
) -> None:
    """The verdict compared with the oracle."""
    if isinstance(verdict, Unknown):
        out.answers.append("unknown")
        for d in verdict.reasons:
            if "@" in d.reason:
                out.suspect.append(f"an internal name in a reason: {d.reason[:160]}")
        return
    record = verdict.to_json()
    claim = record["claim"]
    if isinstance(verdict, Proved):
        out.answers.append("vacuous" if "vacuous" in str(verdict)[:20] else "proved")
        found = judge.proved(claim, seed, effort=effort, size=size)
        take(out, scopes.scope(claim, record, str(verdict), seed))
    elif isinstance(verdict, Refuted):
        out.answers.append("refuted")
        witness = verdict.text.removeprefix(instead_text(verdict))
        found = judge.refuted(claim, record, witness, seed)
    else:
        assert isinstance(verdict, RefutedInequality), verdict
        return
    take(out, found)
    if found.wrong:
        out.source += f"\n# {verdict}"


def take(out: Outcome, found: judge.Judgement) -> None:
    out.wrong += found.wrong
    out.undecided += found.undecided
    out.settled += found.settled


def compared(out: Outcome, data: dict[str, Any], wanted: str, why: str, seconds: float) -> Outcome:
    """The outcome of the first claim of a document whose law has total 1, with the verdict that is
    `wanted` held against it; `why` is how the oracle knows.
    """
    file = timed(out, "read", lambda: mechanism_of(data))
    if file is None:
        out.wrong.append("a law of total 1 is refused")
        return out
    verdict = timed(out, "verify", lambda: verify(file.claims[0], limits(seconds)), seconds)
    if verdict is None:
        out.wrong.append("a law of total 1 is refused")
        return out
    kinds = {Proved: "proved", Refuted: "refuted", RefutedNotion: "refuted"}
    word = kinds.get(type(verdict), "")
    out.answers.append(word or "unknown")
    out.settled = 1
    if word and word != wanted:
        out.wrong.append(f"{word}, but {why}: {verdict}")
    if not word:
        out.undecided.append(f"{data['name']}: {wanted} expected")
    return out


def ask(out: Outcome, claim: Any, seed: int, **options: Any) -> Any:
    """The verdict on a claim, compared with the oracle."""
    verdict = timed(out, "verify", lambda: verify(claim, limits(), **options))
    if verdict is not None:
        judged(out, verdict, seed, size=options.get("size"))
    return verdict
