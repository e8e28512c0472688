"""The power of an adversary, best and against one mechanism."""

from __future__ import annotations

from random import Random
from typing import Any

from ahdp_verify import Domain, best_power, extra_records, power
from ahdp_verify.analysis.power import known_record, one_more_record
from ahdp_verify.kernel.terms.expression import to_json
from ahdp_verify.kernel.terms.grammar import parse
from fuzz import ask
from fuzz.case import Outcome
from fuzz.generate.analyses import asked, at, guarded
from fuzz.generate.error_rates import laws_of, plain, two_inputs
from fuzz.oracle import values
from fuzz.oracle.trees import value


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


KINDS = {"best_power": (5, best), "power": (5, against)}
