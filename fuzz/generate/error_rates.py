"""Errors of tests and trade-off curves of two inputs."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from mpmath import mp, mpf

from ahdp_verify import tradeoff
from ahdp_verify.analysis.testing.error_rates import error_rates
from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse
from fuzz import ask
from fuzz.case import Outcome
from fuzz.generate import mechanisms
from fuzz.generate.analyses import SLACK, asked, at, guarded
from fuzz.generate.ingredients import Made
from fuzz.oracle import claims, judge, values
from fuzz.oracle.laws import Input, Law, box, law
from fuzz.oracle.trees import CannotTell, number, value


def two_inputs(m: Made, rng: Random) -> tuple[Any, Any, Input, Input] | None:
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


def plain(m: Made) -> bool:
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


KINDS = {"tradeoff": (6, tests), "errors": (5, rates)}
