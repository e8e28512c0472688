"""Ranges of a parameter, and its least or greatest value."""

from __future__ import annotations

from random import Random
from typing import Any

from mpmath import mp, mpf

from ahdp_verify import Proved, Refuted, calibrate, oo, ranges
from fuzz import ask
from fuzz.case import Outcome, document
from fuzz.generate import mechanisms
from fuzz.generate.analyses import SLACK, at, guarded
from fuzz.generate.ingredients import Document
from fuzz.oracle import claims, judge, values
from fuzz.oracle.trees import CannotTell, number


def parametric(rng: Random) -> Document:
    """A claim with one parameter that is true for some of its values."""
    style = rng.randrange(5)
    condition = rng.choice(("p > 0", "p >= 1/100", "0 < p and p <= 10", "1/10 <= p < 5", "p > 0"))
    level = rng.choice(("1", "1/2", "log(2)", "eps", "1/3", "2", "p", "1/p", "p/2 + 1/4"))
    if style == 0:
        c = rng.choice(("x", "1", "abs(x)", "min(eps, 1)"))
        data = {
            "domain": {"records": mechanisms.records(rng)[:2]},
            "mechanism": {
                "outputs": [{"name": "s", "kind": "real"}],
                "density": f"exp(-abs(s - sum({c}))/p)/(2*p)",
            },
        }
        relation = "ahdp"
    elif style == 1:
        w = rng.choice(("p*x", "min(p, eps)*x", "p", "x/p", "(1 - exp(-p))*x"))
        data = {
            "domain": {"records": mechanisms.records(rng)[:2]},
            "mechanism": {
                "outputs": [{"name": "s", "kind": "real"}],
                "density": f"exp(-abs(s - sum({w})))/2",
            },
        }
        relation = rng.choice(("ahdp", "ahdp", "add-remove", "swap"))
    elif style == 2:
        n = rng.choice((1, 2))
        density = "*".join(f"exp(-abs(s[{i}] - q[{i}])/p)/(2*p)" for i in range(1, n + 1))
        if n == 1:
            density = density.replace("s[1]", "s")
        data = {
            "domain": {"queries": str(n)},
            "mechanism": {
                "outputs": [{"name": f"s[{n}]" if n > 1 else "s", "kind": "real"}],
                "density": density,
            },
        }
        relation = rng.choice(("one", "all", "increasing"))
    elif style == 3:
        k = rng.choice((2, 3, 4))
        listed = [str(i) for i in range(k)]
        density = rng.choice(
            (
                f"piecewise((exp(p)/(exp(p) + {k - 1}), r == v), (1/(exp(p) + {k - 1}), true))",
                f"piecewise((p/(p + {k - 1}), r == v), (1/(p + {k - 1}), true))",
                f"piecewise((1 - {k - 1}/(p + {k}), r == v), (1/(p + {k}), true))",
            )
        )
        data = {
            "domain": {"values": listed},
            "mechanism": {
                "outputs": [{"name": "r", "kind": "finite", "values": listed}],
                "density": density,
            },
        }
        relation = "any"
    else:
        data = {
            "domain": {"records": mechanisms.records(rng)[:2]},
            "mechanism": {
                "outputs": [{"name": "r", "kind": "finite", "values": ["0", "1"]}],
                "density": "piecewise((piecewise((1/(1 + exp(p)), r == 1), (exp(p)/(1 + exp(p)), "
                "true)), size >= 1), (1/2, true))",
            },
        }
        relation = "ahdp"
    if relation != "ahdp":
        level = level.replace("eps", "1")
    claim = {"relation": relation, "level": level}
    if rng.random() < 0.2 and (style != 2 or n == 1):
        claim["delta"] = rng.choice(("1/10", "1/100", "1/1000"))
    return {
        "format": 2,
        "name": f"parametric {style}",
        "parameters": {"p": condition},
        **data,
        "claim": [claim],
    }


def at_parameter(claim: Any, p: Any, rng: Random) -> bool | None:
    """Whether the oracle finds that the claim fails at a value of its parameter."""
    return values.fails(claim, {"p": p}, rng)


def inside(i: Any, rng: Random) -> list[mpf]:
    """Values in an interval of the package: near its ends, and in the middle."""
    low = None if i.low is None or i.low.same(oo) else at(i.low, {})
    high = None if i.high is None or i.high.same(oo) else at(i.high, {})
    if low is not None and high is not None:
        if high <= low:
            return [low] if i.low_closed and i.high_closed else []
        w = high - low
        return [low + w * mpf(10) ** -9, low + w / 2, high - w * mpf(10) ** -9]
    if low is not None:
        return [low + mpf(10) ** -9 * max(1, low), low + 1, low * 3 + 10]
    if high is not None:
        return [high - mpf(10) ** -9, high - 1]
    return [mpf(1)]


def check_pieces(out: Outcome, found: Any, claim: Any, rng: Random) -> None:
    """Checks that the claim is not seen to fail where it is proved, and fails where it is refuted
    everywhere.
    """
    allowed = claim["mechanism"]["parameters"]
    for piece in found.pieces:
        for p in inside(piece.interval, rng):
            if not claims.check_conditions(allowed, {"p": p}):
                out.wrong.append(
                    f"a piece {piece.interval.text('p')} holds p = {judge.short(p)}, which is not "
                    f"allowed"
                )
                continue
            fails = at_parameter(claim, p, rng)
            if fails is None:
                continue
            if isinstance(piece.verdict, Proved) and fails:
                out.wrong.append(
                    f"proved for {piece.interval.text('p')}, but it fails at p = {mp.nstr(p, 20)}"
                )
                return
            if isinstance(piece.verdict, Refuted) and piece.everywhere and not fails:
                out.undecided.append(
                    f"refuted everywhere on {piece.interval.text('p')}, not seen at p = "
                    f"{mp.nstr(p, 20)}"
                )
                raise CannotTell("refuted everywhere, not seen to fail")
    covers(out, found, claim)


def covers(out: Outcome, found: Any, claim: Any) -> None:
    """Every allowed value is in a piece."""
    allowed = claim["mechanism"]["parameters"]
    for g in claims.GRID:
        p = number(g)
        if not claims.check_conditions(allowed, {"p": p}):
            continue
        if not any(holds_in(piece.interval, p) for piece in found.pieces):
            out.wrong.append(f"no piece holds p = {g}")
            return


def holds_in(i: Any, p: mpf) -> bool:
    low = None if i.low is None or i.low.same(oo) else at(i.low, {})
    high = None if i.high is None or i.high.same(oo) else at(i.high, {})
    if low is not None and (p < low - SLACK or (abs(p - low) <= SLACK and not i.low_closed)):
        return False
    return high is None or not (p > high + SLACK or (abs(p - high) <= SLACK and not i.high_closed))


def ranged(rng: Random) -> Outcome:
    data = parametric(rng)
    out = Outcome("ranges", document(data) + "# ranges\n")
    file = ask.timed(out, "read", lambda: ask.mechanism_of(data))
    found = (
        None
        if file is None
        else ask.timed(out, "ranges", lambda: ranges(file.claims[0], ask.limits()))
    )
    if found is None:
        return out
    out.answers.append("exact" if found.exact else "bounds")
    guarded(out, lambda: check_pieces(out, found, file.claims[0].to_json(), rng))
    for piece in found.pieces:
        ask.judged(out, piece.verdict, rng.randrange(10**9), effort=4)
    return out


def calibrated(rng: Random) -> Outcome:
    data = parametric(rng)
    out = Outcome("calibrate", document(data) + "# calibrate p\n")
    file = ask.timed(out, "read", lambda: ask.mechanism_of(data))
    found = (
        None
        if file is None
        else ask.timed(out, "calibrate", lambda: calibrate(file.claims[0], "p", ask.limits()))
    )
    if found is None:
        return out
    out.answers.append("none" if found.value is None else "exact" if found.exact else "bounds")
    claim = file.claims[0].to_json()
    guarded(out, lambda: check_calibration(out, found, claim, rng))
    for v in (found.proof, found.refutation):
        if v is not None:
            ask.judged(out, v, rng.randrange(10**9), effort=4)
    return out


def check_calibration(out: Outcome, found: Any, claim: Any, rng: Random) -> None:
    """The claim is not seen to fail at the value and on its good side, and is seen to fail a
    little beyond.
    """
    check_pieces(out, found.ranges, claim, rng)
    if found.value is None:
        return
    v = at(found.value, {})
    sign = 1 if found.side == "least" else -1
    width = mpf(10) ** -6 * max(v, mpf(1) / 1000)
    for p in ([v] if found.attained else []) + [v + sign * width]:
        if claims.check_conditions(claim["mechanism"]["parameters"], {"p": p}) and at_parameter(
            claim, p, rng
        ):
            out.wrong.append(
                f"calibrated to {found.value} ({found.side}), but the claim fails at p = "
                f"{mp.nstr(p, 20)}"
            )
    beyond = v - sign * width
    if (
        found.exact
        and claims.check_conditions(claim["mechanism"]["parameters"], {"p": beyond})
        and at_parameter(claim, beyond, rng) is False
    ):
        raise CannotTell("not seen to fail beyond the value")


KINDS = {"ranges": (6, ranged), "calibrate": (8, calibrated)}
