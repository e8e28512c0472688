"""Numbers that the package computes: least levels, divergences, calibrations, ranges, errors of
tests, powers, moments.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from mpmath import mp, mpf

from ahdp_verify import (
    Domain,
    Proved,
    Refuted,
    best_power,
    calibrate,
    delta,
    extra_records,
    oo,
    power,
    ranges,
    tighten,
    tradeoff,
)
from ahdp_verify.analysis.moments import mean, variance
from ahdp_verify.analysis.power import known_record, one_more_record
from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.terms.expression import substitute, to_json
from ahdp_verify.kernel.terms.grammar import parse
from fuzz import ask
from fuzz.case import Outcome, document
from fuzz.generate import mechanisms
from fuzz.oracle import claims, judge, values
from fuzz.oracle.laws import Input, Law, box, law
from fuzz.oracle.text import shown_number
from fuzz.oracle.trees import CannotTell, Undefined, is_oo, number, value

SLACK = mpf(10) ** -22


def tree(e: Any) -> Any:
    return to_json(e)


def at(e: Any, given: Any) -> Any:
    """The value of an expression of the package, by the oracle."""
    return value(to_json(e), given)


def asked(
    rng: Random, kind: str, keep: Callable[[mechanisms.Made], bool]
) -> tuple[Outcome, Any, mechanisms.Made]:
    """A mechanism of a file that suits, read."""
    while not keep(m := mechanisms.made(rng)):
        pass
    m.data["claim"] = [mechanisms.claimed(rng, m)]
    out = Outcome(kind, document(m.data))
    return out, ask.timed(out, "read", lambda: ask.mechanism_of(m.data)), m


def guarded(out: Outcome, work: Callable[[], None]) -> None:
    """The oracle's answer, which may be unknown."""
    try:
        work()
        out.settled += 1
    except CannotTell as why:
        out.undecided.append(str(why))
    except Undefined as why:
        out.undecided.append(f"undefined: {why}")


# least levels


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


# divergences


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


# parameters


def parametric(rng: Random) -> mechanisms.Document:
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


# tests


def two_inputs(m: mechanisms.Made, rng: Random) -> tuple[Any, Any, Input, Input] | None:
    """Two inputs of a mechanism without parameters: in the form of the package, and in that of
    the oracle.
    """
    domain = m.data["domain"]
    if "values" in domain:
        a, b = rng.sample(domain["values"], 2)
        as_given = [x if x[0].isalpha() else Fraction(x) for x in (a, b)]
        read = [value(["label", x] if x[0].isalpha() else x, {}) for x in (a, b)]
        return (*as_given, Input({"v": read[0]}), Input({"v": read[1]}))
    if "queries" in domain:
        n = int(domain["queries"])
        a, b = (
            [Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(n)] for _ in range(2)
        )
        return (a, b, *(Input({f"q[{i}]": number(x) for i, x in enumerate(q, 1)}) for q in (a, b)))
    if domain.get("universal"):
        return None
    n = len(domain["records"])
    a, b = ([rng.choice((0, 0, 1, 1, 2, 3)) for _ in range(n)] for _ in range(2))
    if a == b:
        b[0] += 1
    return a, b, Input({"counts": tuple(a)}), Input({"counts": tuple(b)})


def laws_of(mechanism: Any, pair: Any) -> tuple[Law, Law]:
    m = mechanism.to_json()
    found = []
    for i in (2, 3):
        there = pair[i]
        if "counts" in there.env:
            listed = [claims.record_bindings(r, {}) for r in m["inputs"]["records"]]
            there = claims.dataset(listed, there.env["counts"])
        found.append(law(m, there, {}))
    return found[0], found[1]


def plain(m: mechanisms.Made) -> bool:
    return m.outputs == 1 and "parameters" not in m.data and not m.data["domain"].get("universal")


def tests(rng: Random) -> Outcome:
    out, file, m = asked(rng, "tradeoff", plain)
    pair = two_inputs(m, rng)
    if file is None or pair is None:
        return out
    out.source += f"# tradeoff between {pair[0]} and {pair[1]}\n"
    found = ask.timed(
        out, "tradeoff", lambda: tradeoff(file.mechanism, pair[0], pair[1], limits=ask.limits())
    )
    if found is None:
        return out
    out.answers.append("curve")
    guarded(out, lambda: check_tradeoff(out, found, file.mechanism, pair, rng))
    return out


def check_tradeoff(out: Outcome, found: Any, mechanism: Any, pair: Any, rng: Random) -> None:
    first, second = laws_of(mechanism, pair)
    known = values.slopes(first, second)
    for x in found.vertices:
        alpha, beta = at(x.alpha, {}), at(x.beta, {})
        if values.least_error(known, alpha)[0] > beta + SLACK:
            out.wrong.append(f"tradeoff: no test has the errors {x.alpha} and {x.beta}")
        events = x.test.rejected
        names = [o.name for o in first.outputs]
        printed = [judge.text.event(str(ev), names) for ev in events]
        for one, wanted, what in ((first, alpha, "type I"), (second, 1 - beta, "power")):
            total = judge.probability(one, *printed) if printed else mpf(0)
            if not values.near(total, wanted):
                out.wrong.append(
                    f"tradeoff: the test {x.test} has {what} {judge.short(total)}, not "
                    f"{judge.short(wanted)}"
                )
    for p in found.pieces[:4]:
        a, b = at(p.low.alpha, {}), at(p.high.alpha, {})
        middle = a + (b - a) * Fraction(rng.randint(1, 9), 10).numerator / 10
        said = at(found.at(str(mpf_fraction(middle))), {})
        exact = mpf(mpf_fraction(middle).numerator) / mpf_fraction(middle).denominator
        least, most = values.least_error(known, exact)
        if least > said + SLACK:
            out.wrong.append(
                f"tradeoff: at {judge.short(exact)} it says {judge.short(said)}, but no test is "
                f"below {judge.short(least)}"
            )
        if most is not None and said > most + SLACK:
            out.wrong.append(
                f"tradeoff: at {judge.short(exact)} it says {judge.short(said)}, but some test "
                f"has at most {judge.short(most)}"
            )


def mpf_fraction(x: mpf) -> Fraction:
    return Fraction(int(x * 10**6), 10**6)


def rates(rng: Random) -> Outcome:
    out, file, m = asked(rng, "errors", lambda m: plain(m) or m.outputs == 2)
    pair = two_inputs(m, rng) if "parameters" not in m.data else None
    if file is None or pair is None:
        return out
    outputs = m.data["mechanism"]["outputs"]
    pieces = []
    for o in outputs:
        c = rng.choice(("0", "1", "1/2", "-1", "3", "exp(-1)"))
        if o["kind"] == "finite":
            v = rng.choice(o["values"])
            pieces.append(f"{o['name']} == {mechanisms.written(v)}")
        else:
            pieces.append(
                rng.choice(
                    (
                        f"{o['name']} >= {c}",
                        f"{o['name']} < {c}",
                        f"-1 <= {o['name']} and {o['name']} < {c}",
                        f"{o['name']} > {c} and {o['name']} < 5",
                    )
                )
            )
    event = " and ".join(pieces)
    out.source += f"# error_rates between {pair[0]} and {pair[1]} of {event}\n"
    found = ask.timed(
        out, "error_rates", lambda: error_rates(file.mechanism, pair[0], pair[1], event)
    )
    if found is None:
        return out
    out.answers.append("errors")
    guarded(out, lambda: check_rates(out, found, file.mechanism, pair, event))
    return out


def check_rates(out: Outcome, found: Any, mechanism: Any, pair: Any, event: str) -> None:
    condition = to_json(parse(event, "event"))
    laws = laws_of(mechanism, pair)
    for one, said in ((laws[0], at(found.type_one, {})), (laws[1], 1 - at(found.type_two, {}))):
        true = (
            values.expectation(one, indicator_of(condition))
            if len(one.others) <= 1
            else product_event(one, condition)
        )
        if not values.near(said, true):
            out.wrong.append(
                f"error_rates says {judge.short(said)}, but the event has {mp.nstr(true, 20)}"
            )


def indicator_of(condition: Any) -> Any:
    return ["piecewise", "1", condition, "0", ["boolean", True]]


def product_event(one: Law, condition: Any) -> mpf:
    total = mpf(0)
    for outcome, t in one.cases():
        total += box(["*", t, *(indicator_of(c) for c in parts(condition))], one.others, {})
        if outcome:
            raise CannotTell("a mixed event")
    return total


def parts(c: Any) -> list[Any]:
    return [p for a in c[1:] for p in parts(a)] if c[0] == "and" else [c]


# powers


def best(rng: Random) -> Outcome:
    n = rng.choice((1, 2, 2, 3))
    listed = rng.sample(
        (
            "log(2)",
            "log(3)",
            "log(3/2)",
            "oo",
            "0",
            "2*log(2)",
            "log(5)",
            "log(10)",
            "1/1000*log(2)",
        ),
        n,
    )
    rows = [(f"x{i}", parse(d, "demand")) for i, d in enumerate(listed)]
    if n > 1 and rng.random() < 0.15:
        rows[1] = ("x0", rows[1][1])
    domain = Domain(rows)
    relation = rng.choice(("ahdp", "ahdp", "ahdp", "swap", "add-remove"))
    level = None if relation == "ahdp" else rng.choice(("log(2)", "log(3)", "log(3/2)"))
    pick = rng.randrange(3)
    t = rng.choice((1, 2, 3)) if n < 3 else rng.choice((1, 2))
    model = (
        [extra_records(t), one_more_record(), known_record(rows[0])][pick]
        if relation != "swap"
        else one_more_record()
    )
    out = Outcome(
        "best_power",
        f"# best_power of {rows}, model {['extra', 'one more', 'known'][pick]} {t}, {relation} "
        f"{level}",
    )
    options: dict[str, Any] = {} if level is None else {"level": parse(level, "level")}
    found = ask.timed(
        out,
        "best_power",
        lambda: best_power(domain, model, relation, limits=ask.limits(), **options),
    )
    if found is None:
        return out
    out.answers.append("exact" if found.exact else "bounds")
    guarded(out, lambda: check_best(out, found, domain, model, relation, level))
    return out


def check_best(
    out: Outcome, found: Any, domain: Any, model: Any, relation: str, level: str | None
) -> None:
    hypotheses = model(domain)
    rows = [tuple(d.counts) for d in hypotheses.datasets]
    levels = [
        at(r.demand, {}) if level is None else value(to_json(parse(level, "level")), {})
        for r in domain.records
    ]
    at_level = None if level is None else value(to_json(parse(level, "level")), {})
    true = values.best_power(rows, levels, list(hypotheses.labels), relation, at_level)
    low, high = (None if e is None else float(at(e, {})) for e in (found.attained, found.bound))
    if low is not None and low > true + values.FLOAT:
        out.wrong.append(f"best_power says that {low} is attained, but the optimum is {true}")
    if high is not None and high < true - values.FLOAT:
        out.wrong.append(f"best_power says that nothing exceeds {high}, but the optimum is {true}")


def against(rng: Random) -> Outcome:
    out, file, m = asked(rng, "power", plain)
    if file is None:
        return out
    inputs, given = [], []
    for _ in range(rng.choice((2, 2, 3, 4))):
        pair = two_inputs(m, rng)
        if pair is None:
            return out
        if pair[0] not in given:
            given.append(pair[0])
            inputs.append(pair)
    if len(given) < 2:
        return out
    names = [f"H{i}" for i in range(len(given))]
    if len(given) > 2 and rng.random() < 0.3:
        names[1] = names[0]
    out.source += f"# power among {given} with labels {names}\n"
    found = ask.timed(
        out, "power", lambda: power(file.mechanism, given, labels=names, limits=ask.limits())
    )
    if found is None:
        return out
    out.answers.append("exact" if found.exact else "bounds")
    guarded(out, lambda: check_power(out, found, file.mechanism, inputs, names))
    return out


def check_power(out: Outcome, found: Any, mechanism: Any, inputs: Any, names: list[str]) -> None:
    laws = [laws_of(mechanism, (p[0], p[1], p[2], p[2]))[0] for p in inputs]
    low, high = float(at(found.low, {})), float(at(found.high, {}))
    if laws[0].finite:
        order = list(laws[0].table())
        tables = [[float(t[o]) for o in order] for t in (one.table() for one in laws)]
        true = values.power_of_tables(tables, names)
        if low > true + values.FLOAT or high < true - values.FLOAT:
            out.wrong.append(f"power lies in [{low}, {high}], but is {true}")
        return
    below = values.power_of_tables(values.cells_of(laws), names)
    if high < below - values.FLOAT:
        out.wrong.append(f"no test exceeds {high}, but one has {below}")
    if low > below + 0.2:
        out.wrong.append(f"a test attains {low}, but cells allow about {below}")


# moments


def moment(rng: Random) -> Outcome:
    out, file, m = asked(rng, "moments", plain)
    pair = two_inputs(m, rng)
    if file is None or pair is None:
        return out
    name, kind = (
        m.data["mechanism"]["outputs"][0]["name"],
        m.data["mechanism"]["outputs"][0]["kind"],
    )
    if kind == "finite" and any(
        not v.lstrip("-")[0].isdigit() for v in m.data["mechanism"]["outputs"][0]["values"]
    ):
        return out
    of = rng.choice(
        (
            name,
            name,
            f"{name}^2",
            f"2*{name} - 1",
            f"abs({name})",
            f"max({name}, 0)",
            f"exp(-abs({name}))",
            f"indicator({name} >= 1)",
        )
    )
    what = rng.choice((mean, variance))
    everywhere = rng.random() < 0.3
    out.source += f"# {what.__name__} of {of} at {'all' if everywhere else pair[0]}\n"
    found = ask.timed(
        out,
        "moments",
        lambda: what(file.mechanism, None if everywhere else pair[0], of=of, limits=ask.limits()),
    )
    if found is None:
        return out
    out.answers.append("value")
    guarded(out, lambda: check_moment(out, found, file.mechanism, pair, of, what is variance))
    return out


def check_moment(
    out: Outcome, found: Any, mechanism: Any, pair: Any, of: str, squared: bool
) -> None:
    one = laws_of(mechanism, pair)[0]
    wanted = to_json(parse(of, "of"))
    true = values.expectation(one, wanted)
    if squared:
        true = values.expectation(one, ["*", wanted, wanted]) - true**2
    m = mechanism.to_json()
    env, data = dict(pair[2].env), None
    if "counts" in env:
        listed = [claims.record_bindings(r, {}) for r in m["inputs"]["records"]]
        data, env = claims.dataset(listed, env["counts"]).data, {}
    if "Ei" in str(found):
        raise CannotTell("exponential integrals")
    said = value(to_json(found), env, data)
    if not values.near(said, true):
        out.wrong.append(
            f"a moment is {found} = {mp.nstr(said, 20)}, but should be {mp.nstr(true, 20)}"
        )


KINDS = {
    "tighten": (6, tightened),
    "delta": (7, divergence),
    "ranges": (6, ranged),
    "calibrate": (8, calibrated),
    "tradeoff": (6, tests),
    "errors": (5, rates),
    "best_power": (5, best),
    "power": (5, against),
    "moments": (7, moment),
}
__all__ = ["KINDS", "Claim", "is_oo", "shown_number", "substitute", "tree"]
