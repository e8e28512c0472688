"""Whether a verdict is true, from the record that is stored and the line that is printed.

`proved` hunts for a counterexample on small and a few large inputs; `refuted` computes the
probabilities of the printed event again.  Both return what is certainly wrong, and what could not
be decided.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from mpmath import mp, mpf

from fuzz.oracle import claims, lines, text
from fuzz.oracle.laws import Input, Law, Out, box, inputs_of, law
from fuzz.oracle.trees import CannotTell, Env, Label, Undefined, folded, holds, is_oo, value

Json = Any
SLACK = mpf(10) ** -24  # relative; demands oo are 10^30
NEAR = mpf(10) ** -13
CANCELLED = mpf(10) ** -50  # what is left of a difference of numbers around 1 may be rounding
TOO_NEAR = mpf(10) ** -22


@dataclass
class Judgement:
    """What is certainly wrong, what could not be decided, and how much was compared."""

    wrong: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    compared: int = 0

    @property
    def settled(self) -> bool:
        return bool(self.wrong) or self.compared > 0


def short(x: Any) -> str:
    return mp.nstr(x, 12) if isinstance(x, mpf) else str(x)


# what exceeds


def candidates(laws: tuple[Law, Law], rng: Random) -> list[dict[str, Any]]:
    """Outputs at which two distributions are compared: near every kink, between, and far away."""
    others, finite = laws[0].others, laws[0].outcomes()
    found: list[dict[str, Any]] = []
    for outcome in finite if len(finite) <= 12 else rng.sample(finite, 12):
        named = laws[0].named(outcome)
        if not others:
            found.append(named)
            continue
        for _ in range(1 if len(others) == 1 else 12):
            found += around(laws, others, named, rng)
    return found


def around(
    laws: tuple[Law, Law], others: tuple[Out, ...], named: dict[str, Any], rng: Random
) -> list[dict[str, Any]]:
    """Points along one output, near the kinks of both distributions, the others chosen near their
    kinks one after the other.
    """
    point = {**named, **{o.name: mpf(rng.choice((0, 0, 1, -1, 3))) for o in others}}
    order = list(others)
    rng.shuffle(order)
    line: list[mpf] = []
    for o in order:
        rest = {k: v for k, v in point.items() if k != o.name}
        cuts: set[mpf] = set()
        for one in laws:
            key = (o.name, *rest.items())
            if key not in one.kinks:
                tree = folded(one.tree, rest, None, frozenset((o.name,)))
                one.kinks[key] = lines.kinks(tree, o.name, o.kind == "integer")
            cuts |= set(one.kinks[key])
        line = along(sorted(cuts), o.kind == "integer")
        point[o.name] = rng.choice(line)
    return [{**point, order[-1].name: s} for s in (line if len(others) == 1 else line[:8])]


def along(cuts: list[mpf], whole: bool) -> list[mpf]:
    if whole:
        near = {c + d for c in cuts for d in (-2, -1, 0, 1, 2)} or {mpf(0)}
        return sorted(
            {mp.nint(c) for c in near} | {mp.nint(min(near)) - 100, mp.nint(max(near)) + 100}
        )
    if not cuts:
        return [mpf(0), mpf(1), mpf(-1)]
    sides = [c + d * max(1, abs(c)) for c in cuts for d in (NEAR, -NEAR)]
    between = [(a + b) / 2 for a, b in itertools.pairwise(cuts)]
    return sorted([*sides, *between, cuts[0] - 100, cuts[-1] + 100, cuts[0] - 1, cuts[-1] + 1])


def atom_pairs(first: Law, second: Law) -> list[tuple[Any, mpf, mpf]]:
    there = list(second.atoms)
    found = []
    for v, p in first.atoms:
        found.append(
            (
                v,
                p,
                sum(
                    (
                        q
                        for w, q in there
                        if w == v
                        or (
                            not isinstance(v, Label)
                            and not isinstance(w, Label)
                            and abs(w - v) < NEAR
                        )
                    ),
                    mpf(0),
                ),
            )
        )
    return found


def violation(first: Law, second: Law, level: Any, delta: mpf, rng: Random) -> str:
    """How p(first) <= exp(level) p(second) + delta fails, "" where nothing was found."""
    if is_oo(level):
        return ""
    factor = mp.exp(level)
    if delta == 0:
        return pointwise(first, second, factor, rng)
    over = excess(first, second, factor)
    if over > delta + SLACK:
        return f"the total of what exceeds is {short(over)} > {short(delta)}"
    return ""


def pointwise(first: Law, second: Law, factor: mpf, rng: Random) -> str:
    """How p(first) <= factor p(second) fails at a point of mass or at an output, "" where nothing
    was found; CannotTell where it may only be that 60 digits cancel to nothing.
    """
    pairs = [(f"the point {at}", p, q) for at, p, q in atom_pairs(first, second)]
    cancelled = False
    for point in candidates((first, second), rng):
        pairs.append((said(point), first.at(point), second.at(point)))
    for at, p, q in pairs:
        if p < -SLACK or q < -SLACK:
            return f"a law is negative: {short(p)}, {short(q)} at {at}"
        if p > factor * q * (1 + SLACK):
            if p > factor * (q + CANCELLED):
                return f"at {at}: {short(p)} > {short(factor)} * {short(q)}"
            cancelled = True
    if cancelled:
        raise CannotTell("a difference of which 60 digits leave nothing")
    return ""


def said(point: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} = {short(v)}" for k, v in point.items())


def excess(first: Law, second: Law, factor: mpf) -> mpf:
    """The total of max(0, p - factor q)."""
    total = sum((max(mpf(0), p - factor * q) for _, p, q in atom_pairs(first, second)), mpf(0))
    if first.finite:
        other = second.table()
        return total + sum(
            (max(mpf(0), p - factor * other[o]) for o, p in first.table().items()), mpf(0)
        )
    if len(first.others) > 1:
        raise CannotTell("a divergence of several outputs that are not finite")
    (o,) = first.others
    for (_, p), (_, q) in zip(first.cases(), second.cases(), strict=True):
        total += lines.excess(p, q, factor, o.name, o.kind == "integer")
    return total


# proofs


def abstracts(m: Json) -> list[Json]:
    """The different abstract mechanisms of a tree, in order of appearance."""
    found: list[Json] = []
    if "assumed" in m:
        found.append(m)
    for p in m.get("parts", []):
        found += [a for a in abstracts(p["mechanism"]) if a not in found]
    return found


def example_of(m: Json, rng: Random) -> Any:
    """The distribution of a mechanism that satisfies what is assumed of an abstract one."""
    relation, level, delta = m["assumed"]
    claim = {"mechanism": m, "relation": relation, "level": level, "delta": delta, "public": []}
    name = m["outputs"][0][0]
    rest = [o[0] for o in m["outputs"][1:]]
    style, pick = rng.random(), rng.randrange(10**6)

    def built(at: Input, given: Env) -> Any:
        p = probability_of_one(claim, at, given, style, pick)
        one = [
            "piecewise",
            p,
            ["==", ["name", name], mpf(1)],
            1 - p,
            ["==", ["name", name], mpf(0)],
            mpf(0),
            ["boolean", True],
        ]
        return [
            "*",
            one,
            *(
                ["piecewise", mpf(1), ["==", ["name", n], mpf(0)], mpf(0), ["boolean", True]]
                for n in rest
            ),
        ]

    return built


def probability_of_one(claim: Json, at: Input, given: Env, style: float, pick: int) -> mpf:
    """P(1): half of exp(-distance from some dataset), or the two answers of randomised response
    about one record.
    """
    relation, inputs = claim["relation"], inputs_of(claim["mechanism"])
    delta = value(claim["delta"], given)
    if delta != 0 and relation in ("ahdp", "add-remove") and at.data is not None and style < 0.5:
        return min(mpf(1), delta) if at.data.size else mpf(0)
    if "records" in inputs and relation in ("ahdp", "add-remove") and at.data is not None:
        listed = [claims.record_bindings(r, given) for r in inputs["records"]]
        counts = [
            sum(n for r, n in at.data.held if all(claims.equal(r[k], w[k]) for k in w))
            for w in listed
        ]
        if style < 0.6:
            w = pick % len(listed)
            level = claims.level_of(claim, given, listed[w] if relation == "ahdp" else {})
            if is_oo(level):
                return mpf(1) if counts[w] else mpf(0)
            odds = mp.exp(level)
            return odds / (1 + odds) if (counts[w] > 0) == (pick % 2 == 0) else 1 / (1 + odds)
        centre = [(pick >> (2 * i)) % 3 for i in range(len(listed))]
        d = claims.distance(
            {**claim, "level": claim["level"]}, given, listed, tuple(counts), tuple(centre)
        )
        return mpf(0) if is_oo(d) else mp.exp(-d) / 2
    if "values" in inputs:
        listed = inputs["values"]
        return mpf(1) / 2 if pick % 3 == 0 else two_answers(claim, at, given, listed, pick)
    raise CannotTell("no example of an abstract mechanism")


def two_answers(claim: Json, at: Input, given: Env, listed: list[Json], pick: int) -> mpf:
    if "v" in json.dumps(claim["level"]) or "other" in json.dumps(claim["level"]):
        raise CannotTell("a level of two values")
    level = value(claim["level"], given)
    here = [claims.bindings(v, "v") for v in listed]
    i = next(i for i, b in enumerate(here) if all(claims.equal(b[k], at.env[k]) for k in b))
    odds = mp.exp(level)
    return odds / (1 + odds) if i % 2 == pick % 2 else 1 / (1 + odds)


def instances_for(m: Json, rng: Random) -> dict[str, Any]:
    return {json.dumps(a, sort_keys=True): example_of(a, rng) for a in abstracts(m)}


def proved(claim: Json, seed: int, *, effort: int = 16, size: int | None = None) -> Judgement:
    """A hunt for a counterexample to a claim that was proved; with a size, on all datasets up to
    that size.
    """
    found, rng = Judgement(), Random(seed)
    try:
        draws = (
            1
            if not claims.all_parameters(claim["mechanism"]) and not abstracts(claim["mechanism"])
            else 3
        )
        for _ in range(draws):
            given = claims.parameters(claim, rng)
            if given is None:
                found.undecided.append("no values of the parameters were found")
                continue
            hunt(claim, given, rng, found, effort // draws + 2, size)
            if found.wrong:
                return found
    except CannotTell as why:
        found.undecided.append(str(why))
    return found


def hunt(
    claim: Json, given: Env, rng: Random, found: Judgement, effort: int, size: int | None
) -> None:
    """Compares some moves, and all of a given size."""
    m, done = claim["mechanism"], {}
    instances = instances_for(m, rng)
    listed = list(claims.moves(claim, given, rng, size))
    if size is None and len(listed) > effort:
        head = listed[: effort // 2]
        listed = head + rng.sample(listed[effort // 2 :], effort - len(head))
    for move in listed:
        try:
            laws = [known(m, at, given, instances, done, found) for at in (move.before, move.after)]
            delta = value(claim["delta"], given)
            why = violation(laws[0], laws[1], move.level, delta, rng)
            found.compared += 1
        except Undefined:
            continue
        except CannotTell as reason:
            found.undecided.append(str(reason))
            continue
        if why:
            where = (
                f"parameters {said(given)}; {describe(move.before)} against "
                f"{describe(move.after)}, level {short(move.level)}"
            )
            found.wrong.append(f"Proved, but {why}; {where}")
        if found.wrong:
            return


def describe(at: Input) -> str:
    if at.data is None:
        return said(at.env)
    return "{" + ", ".join(f"{n} x ({said(r)})" for r, n in at.data.held) + "}"


def known(
    m: Json, at: Input, given: Env, instances: Any, done: dict[str, Law], found: Judgement
) -> Law:
    """The law at an input, whose total is checked once."""
    key = describe(at)
    if key not in done:
        done[key] = law(m, at, given, instances)
        try:
            mass = done[key].total()
            if abs(mass - 1) > SLACK:
                found.wrong.append(
                    f"Proved, but the total mass at {key} is {short(mass)}; parameters "
                    f"{said(given)}"
                )
        except CannotTell as why:
            found.undecided.append(f"total: {why}")
    return done[key]


# refutations


def probability(one: Law, *events: text.EventText) -> mpf:
    """The probability of the union of printed events, whose intervals are disjoint."""
    names = [o.name for o in one.outputs]
    total = sum(
        (
            mass
            for v, mass in one.atoms
            if any(text.contains(e, names, {names[0]: v}) for e in events)
        ),
        mpf(0),
    )
    if one.finite:
        return total + sum(
            (
                p
                for o, p in one.table().items()
                if any(text.contains(e, names, one.named(o)) for e in events)
            ),
            mpf(0),
        )
    return total + sum((of_box(one, e, names) for e in events if e.box), mpf(0))


def of_box(one: Law, event: text.EventText, names: list[str]) -> mpf:
    """The probability of a box by the density."""
    others = {o.name for o in one.others}
    total = mpf(0)
    for outcome, tree in one.cases():
        named = one.named(outcome)
        if any(
            n in named and not any(claims.equal(named[n], value(v, named)) for v in vs)
            for n, vs in event.values
        ):
            continue
        ends = {}
        for n, low, high in event.intervals:
            if n in others:
                ends[n] = (
                    -lines.INF if low is None else value(low, named),
                    lines.INF if high is None else value(high, named),
                )
            elif not text.contains(text.EventText(intervals=[(n, low, high)]), names, named):
                break
        else:
            total += box(tree, one.others, ends)
    return total


WITNESS = re.compile(
    r"(?s)^(.*), event (.*): probability (.*) against (.*), (?:loss (.*) > (.*), delta (.*)|delta "
    r"(.*) > (.*) at level (.*))$"
)


def refuted(claim: Json, record: Json, witness: str, seed: int) -> Judgement:
    """Compares both probabilities of the printed event, computed again, with the text `witness`."""
    found = Judgement()
    try:
        again(claim, record["counterexample"], witness, found, Random(seed))
    except CannotTell as why:
        found.undecided.append(str(why))
    except Undefined as why:
        found.wrong.append(f"Refuted, but the law has no value there: {why}")
    except claims.NoMove as why:
        found.wrong.append(f"Refuted, but {why}")
    except text.Unreadable as why:
        found.undecided.append(f"the printed text is not read: {why}")
    return found


def again(claim: Json, example: Json, witness: str, found: Judgement, rng: Random) -> None:
    instances, m = {}, claim["mechanism"]
    if "counterexample" in example:
        for a, pair in zip(abstracts(m), example["instances"], strict=True):
            instances[json.dumps(a, sort_keys=True)] = replaced_by(pair["claim"])
            check_instance(a, pair["claim"], found, rng)
        example = example["counterexample"]
    given = claims.given_values(example["parameters"])
    if not claims.check_conditions(claims.all_parameters(m), given):
        found.wrong.append(f"Refuted at parameters that are not allowed: {said(given)}")
    concrete = [claims.given_values(r) for r in example["instances"]]
    for r in concrete:
        if not all(holds(c, {**given, **r}) for _, c in inputs_of(m)["unknowns"]):
            found.wrong.append(f"Refuted with a record that is not allowed: {said(r)}")
    level = claims.level_between(claim, example, given, concrete)
    if is_oo(level):
        found.wrong.append("Refuted at a move of level oo")
        return
    laws = [
        law(m, claims.input_of(claim, example[s], given, concrete), given, instances)
        for s in ("first", "second")
    ]
    for one in laws:
        check_law(one, found)
    compare(laws, level, value(claim["delta"], given), witness, example, found)


def check_law(one: Law, found: Judgement) -> None:
    try:
        mass = one.total()
    except CannotTell as why:
        found.undecided.append(f"total: {why}")
        return
    if abs(mass - 1) > SLACK:
        found.wrong.append(f"Refuted, but the total mass is {short(mass)}")


def replaced_by(claim: Json) -> Any:
    return lambda at, given: law(claim["mechanism"], at, {k: v for k, v in given.items()})


def check_instance(a: Json, kept: Json, found: Judgement, rng: Random) -> None:
    """Checks by a hunt that the instance satisfies what is assumed."""
    relation, level, delta = a["assumed"]
    if relation == "pairs":
        relation = "ahdp"
    if (kept["relation"], kept["level"], kept["delta"]) != (relation, level, delta):
        found.wrong.append(
            "Refuted with an instance that claims something else than what is assumed"
        )
    inner = proved(kept, rng.randrange(10**9), effort=6)
    found.wrong += [f"the instance does not keep what is assumed: {w}" for w in inner.wrong]


def compare(
    laws: list[Law],
    level: mpf,
    delta: mpf,
    witness: str,
    example: Json,
    found: Judgement,
) -> None:
    """The probabilities, the loss and the delta of the printed line."""
    m = WITNESS.match(witness)
    if m is None or "..." in m.group(2):
        event = of_json(example["event"])
        shown = None
        found.undecided.append("the printed event is cut")
    else:
        event, shown = text.event(m.group(2), [o.name for o in laws[0].outputs]), m
    p, q = (probability(one, event) for one in laws)
    gap = p - mp.exp(level) * q - delta
    if gap <= 0 and abs(gap) > TOO_NEAR * (abs(p) + delta):
        found.wrong.append(
            f"Refuted, but the printed event has {short(p)} <= exp({short(level)}) * {short(q)} + "
            f"{short(delta)}"
        )
    elif abs(gap) <= TOO_NEAR * (abs(p) + delta):
        found.undecided.append("the gap is too small")
    found.compared += 1
    if shown is not None:
        check_shown(shown, p, q, level, delta, found)


def check_shown(m: re.Match[str], p: mpf, q: mpf, level: mpf, delta: mpf, found: Judgement) -> None:
    """Every number of the line."""
    over = p - mp.exp(level) * q
    wanted = [("probability before", m.group(3), p), ("probability after", m.group(4), q)]
    if m.group(5) is not None:
        wanted += [("level", m.group(6), level), ("delta", m.group(7), over)]
        if m.group(5) != "infinite":
            wanted.append(("loss", m.group(5), mp.log(p / q) if q > 0 else mp.inf))
        elif q > SLACK:
            found.wrong.append(f"loss infinite, but the event has the probability {short(q)} after")
    else:
        wanted += [("delta", m.group(8), over), ("claimed delta", m.group(9), delta)]
    for what, printed, true in wanted:
        if printed.endswith("..."):
            continue
        try:
            shown, slack = text.shown_number(printed)
        except (text.Unreadable, CannotTell, Undefined, ValueError) as why:
            found.undecided.append(f"{what} {printed[:40]!r} is not read: {why}")
            continue
        if abs(shown - true) > slack + mpf(10) ** -28 * abs(true) + mpf(10) ** -38:
            found.wrong.append(f"{what} is printed as {printed[:80]}, but is {mp.nstr(true, 20)}")


def of_json(e: Json) -> text.EventText:
    """The event of a stored counterexample; one set: points of mass inside the box count unless
    `without` names them.
    """
    tree = lambda x: None if x is None else x["e"]  # noqa: E731
    found = text.EventText(
        intervals=[(n, tree(a), tree(b)) for n, a, b in e["intervals"]],
        values=[(n, [v["e"] for v in vs]) for n, vs in e["values"]],
        atoms=[a["e"] for a in e["atoms"]],
        box=e["continuous"],
    )
    found.without = [a["e"] for a in e.get("without", [])]
    if e["outcomes"]:
        found.atoms, found.box = (
            [["point", *(v["e"] for v in o)] if len(o) > 1 else o[0]["e"] for o in e["outcomes"]],
            False,
        )
    return found
