"""Least levels and least deltas that the package computes, against the oracle."""

from __future__ import annotations

from random import Random
from typing import Any

from ahdp_verify import delta, tighten
from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse
from fuzz import ask
from fuzz.case import Outcome
from fuzz.generate import mechanisms
from fuzz.generate.analyses import SLACK, asked, at, guarded
from fuzz.oracle import claims, judge, values
from fuzz.oracle.trees import CannotTell, is_oo


def tightened(rng: Random) -> Outcome:
    out, file, m = asked(rng, "tighten", lambda m: m.outputs == 1)
    if file is None:
        return out
    relation = rng.choice(m.relations)
    out.source += f"# tighten, {relation}\n"
    found = ask.timed(out, "tighten", lambda: tighten(file.mechanism, relation, ask.limits()))
    if found is None:
        return out
    out.answers.append("exact" if found.exact else "bounds")
    if not found.exact and any(str(r.level) == "oo" for r in found.rows if not r.exact):
        out.suspect.append("tighten prints oo for what was not found")
    guarded(out, lambda: check_levels(out, found, rng))
    for r in found.rows:
        if r.proof is not None:
            ask.judged(out, r.proof, rng.randrange(10**9), effort=6)
        if r.refutation is not None:
            ask.judged(out, r.refutation, rng.randrange(10**9))
    return out


def check_levels(out: Outcome, found: Any, rng: Random) -> None:
    """No loss exceeds an exact level, and every lower bound is not above the largest loss (where
    that is known).
    """
    claim = found.claim.to_json()
    given = claims.parameters(claim, rng)
    if given is None:
        raise CannotTell("no parameters")
    universal = "unknowns" in str(claim["mechanism"]["inputs"].keys())
    if universal or claim["relation"] in (
        "swap",
        "add-remove",
        "one",
        "all",
        "increasing",
        "decreasing",
    ):
        if len(found.rows) != 1:
            raise CannotTell("rows of another kind")
        level = found.rows[0].level
        for move, worst in values.losses(claim, given, rng):
            if universal and claim["relation"] in ("ahdp", "hdp"):
                raise CannotTell("a universal formula")
            compare_level(out, found.rows[0], level, worst, given, move)
        return
    if found.formula is not None or found.level is not None:
        whole = {**claim, "level": to_json(found.level)}
        if found.exact:
            for move, worst in values.losses(whole, given, rng):
                if not is_oo(move.level) and worst > move.level + SLACK:
                    out.wrong.append(
                        exceeds("tighten", worst, judge.short(move.level), move, given)
                    )
                    return
        return
    if claim["relation"] != "ahdp":
        raise CannotTell("levels of other rows")
    listed = claims.records(claim, given, rng)
    for i, row in enumerate(found.rows):
        one = dict(listed[i])
        for move, worst in values.losses(claim, given, rng, 80):
            if moved(move, one):
                compare_level(out, row, row.level, worst, given, move)


def moved(move: claims.Move, record: dict[str, Any]) -> bool:
    """Whether a move adds or removes this record."""
    assert move.before.data is not None and move.after.data is not None
    count = lambda data: sum(n for r, n in data.held if r == record)  # noqa: E731
    return count(move.before.data) != count(move.after.data)


def compare_level(out: Outcome, row: Any, level: Any, worst: Any, given: Any, move: Any) -> None:
    if not row.exact or is_oo(at(level, given)):
        return
    if worst > at(level, given) + SLACK:
        out.wrong.append(exceeds("tighten", worst, f"{level} of {row.record}", move, given))


def exceeds(what: str, worst: Any, bound: str, move: Any, given: Any) -> str:
    """The message that a loss or a divergence exceeds the stated maximum."""
    inputs = f"{judge.describe(move.before)} against {judge.describe(move.after)}"
    return f"{what}: {judge.short(worst)} exceeds {bound} ({inputs}, {judge.said(given)})"


def divergence(rng: Random) -> Outcome:
    out, file, m = asked(rng, "delta", lambda m: m.outputs == 1)
    if file is None:
        return out
    relation = rng.choice(m.relations)
    level = mechanisms.level(rng, m, relation)
    out.source += f"# delta at {level}, {relation}\n"
    found = ask.timed(
        out, "delta", lambda: delta(file.mechanism, parse(level, "level"), relation, ask.limits())
    )
    if found is None:
        return out
    out.answers.append("exact" if found.exact else "bounds")
    guarded(out, lambda: check_delta(out, found, rng))
    for v in (found.proof, found.refutation):
        if v is not None:
            ask.judged(out, v, rng.randrange(10**9), effort=6)
    return out


def check_delta(out: Outcome, found: Any, rng: Random) -> None:
    claim = {**found.claim.to_json(), "level": to_json(found.level)}
    given = claims.parameters(claim, rng)
    if given is None:
        raise CannotTell("no parameters")
    high, low = at(found.high, given), at(found.low, given)
    if low > high + SLACK:
        out.wrong.append(f"delta: the lower end {found.low} is above the upper end {found.high}")
    pairs = values.divergences(claim, given, rng)
    for move, over in pairs:
        if over > high + SLACK:
            out.wrong.append(exceeds("delta", over, str(found.high), move, given))
            return
    inputs = claim["mechanism"]["inputs"]
    if "values" in inputs and pairs and max(x for _, x in pairs) < low - SLACK:
        out.wrong.append(
            f"delta: no pair of values reaches {found.low}; the largest is "
            f"{judge.short(max(x for _, x in pairs))}"
        )


KINDS = {"tighten": (6, tightened), "delta": (7, divergence)}
