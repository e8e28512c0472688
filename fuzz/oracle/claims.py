"""What a claim compares: values of its parameters, its inputs, and the moves between them with
their levels; from its JSON.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from mpmath import mp, mpf

from fuzz.oracle.laws import Input, bindings, inputs_of
from fuzz.oracle.trees import (
    FAR,
    CannotTell,
    Env,
    Label,
    Records,
    Tree,
    Undefined,
    equal,
    holds,
    is_oo,
    limit,
    number,
    value,
)

Json = Any
GRID = tuple(
    Fraction(t)
    for t in [
        "0",
        "1/1000000000",
        "1/1000",
        "1/100",
        "1/10",
        "1/4",
        "1/3",
        "1/2",
        "2/3",
        "3/4",
        "9/10",
        "999/1000",
        "1",
        "1001/1000",
        "3/2",
        "2",
        "3",
        "5",
        "10",
        "100",
        "1000",
        "-1",
        "-1/2",
        "-2",
    ]
)
COUNTS = (1, 2, 3, 5, 10, 50, 1000, 10**6)


@dataclass(frozen=True)
class Move:
    """Two inputs and the level of the move between them; OO requires nothing."""

    before: Input
    after: Input
    level: Any


def constants(e: Tree) -> set[mpf]:
    """The numbers in a tree."""
    if isinstance(e, str):
        try:
            return {number(e)}
        except (ValueError, ZeroDivisionError):
            return set()
    if not isinstance(e, list) or not e or e[0] in ("name", "label", "boolean"):
        return set()
    own = set()
    if e[0] in ("log", "exp", "*", "+", "^"):
        try:
            own = {v for v in [value(e, {})] if isinstance(v, mpf)}
        except (CannotTell, Undefined, KeyError):
            own = set()
    return own.union(*(constants(a) for a in e[1:]))


def all_parameters(m: Json) -> list[tuple[str, Tree]]:
    """The parameters of a mechanism of any kind that are not outputs of earlier parts."""
    if "rule" not in m:
        return [(k, c) for k, c in m["parameters"]]
    found: dict[str, Tree] = {}
    if m["domain"] is not None:
        found.update({k: c for k, c in m["domain"].get("parameters", [])})
    seen: set[str] = set()
    for p in m["parts"]:
        found.update({k: c for k, c in all_parameters(p["mechanism"]) if k not in seen})
        if m["rule"] in ("compose", "post_process"):
            seen |= {n for n in output_names(p["mechanism"])}
    found.update({k: c for k, c in m["own"]})
    return list(found.items())


def output_names(m: Json) -> list[str]:
    if "rule" not in m:
        return [n for n, _, _ in m["outputs"]]
    if m["released"]:
        return [n for n, _, _ in m["released"]]
    if m["rule"] in ("compose", "product"):
        return [n for p in m["parts"] for n in output_names(p["mechanism"])]
    return output_names(m["parts"][-1]["mechanism"])


def satisfying(
    declared: list[tuple[str, Tree]], known: Env, rng: Random, tries: int = 60
) -> dict[str, Any] | None:
    """Values of names that satisfy their conditions, near the ends often; None if none was
    found.
    """
    near = {c for _, condition in declared for c in constants(condition)}
    pool = [number(g) for g in GRID] + [
        c + d for c in near for d in (mpf(0), mpf(10) ** -9, -(mpf(10) ** -9), mpf(1))
    ]
    pool += [
        a + (b - a) * number(Fraction(rng.randint(1, 99), 100)) for a in near for b in near if a < b
    ]
    for _ in range(tries):
        chosen = {k: rng.choice(pool) for k, _ in declared}
        for k, c in declared:
            if c[0] == "==" and c[1] == ["name", k]:
                chosen[k] = known.get(k, chosen[k])
        try:
            chosen = solved(declared, chosen, known, rng, pool)
        except (Undefined, CannotTell):
            continue
        if chosen is not None:
            return chosen
    return None


def solved(
    declared: list[tuple[str, Tree]],
    chosen: dict[str, Any],
    known: Env,
    rng: Random,
    pool: list[mpf],
) -> dict[str, Any] | None:
    """The values, each drawn again a few times while its condition fails."""
    for _ in range(12):
        failed = [k for k, c in declared if not holds(c, {**known, **chosen})]
        if not failed:
            return chosen
        for k in failed:
            chosen[k] = rng.choice([*pool, *(v for v in chosen.values() if isinstance(v, mpf))])
    return None


def parameters(claim: Json, rng: Random) -> dict[str, Any] | None:
    """Values of all parameters of a claim; None if none was found."""
    return satisfying(all_parameters(claim["mechanism"]), {}, rng)


def record_bindings(record: Json, given: Env) -> dict[str, Any]:
    v, demand = record
    eps = value(demand, given)
    return {**bindings(v, "x"), "eps": FAR if is_oo(eps) else eps}


def records(claim: Json, given: Env, rng: Random) -> list[dict[str, Any]]:
    """The records of a listed domain; a few that satisfy the conditions of a universal one."""
    inputs = inputs_of(claim["mechanism"])
    if "records" in inputs:
        return [record_bindings(r, given) for r in inputs["records"]]
    found = []
    for _ in range(6):
        one = instance(inputs, given, rng)
        if one is not None and not any(all(equal(one[k], r[k]) for k in one) for r in found):
            found.append(one)
    return found


def instance(inputs: Json, given: Env, rng: Random) -> dict[str, Any] | None:
    """One record of a universal domain, of demand oo now and then."""
    unknowns = [(k, c) for k, c in inputs["unknowns"]]
    if rng.random() < 0.25:
        rest = [(k, c) for k, c in unknowns if k != "eps"]
        chosen = satisfying(rest, {**given, "eps": FAR}, rng, 20)
        if chosen is not None and all(
            holds(c, {**given, **chosen, "eps": FAR}) for _, c in unknowns
        ):
            return {**chosen, "eps": FAR}
    chosen = satisfying(unknowns, given, rng, 20)
    return chosen


def multisets(listed: list[dict[str, Any]], most: int) -> Iterator[tuple[int, ...]]:
    """All datasets up to a size as counts, smallest first."""
    n = len(listed)
    for size in range(most + 1):
        for chosen in itertools.combinations_with_replacement(range(n), size):
            yield tuple(chosen.count(i) for i in range(n))


def dataset(listed: list[dict[str, Any]], counts: tuple[int, ...]) -> Input:
    held = tuple((r, c) for r, c in zip(listed, counts, strict=True) if c)
    return Input({}, Records(held), str(counts))


def level_of(claim: Json, given: Env, extra: Env) -> Any:
    """The level at a record, or at two values."""
    return limit(claim["level"], {**given, **extra})


def same_part(a: Any, b: Any) -> bool:
    return equal(a, b)


def moves_from(
    claim: Json, given: Env, listed: list[dict[str, Any]], counts: tuple[int, ...]
) -> Iterator[Move]:
    """All moves from one dataset, each in both directions where the relation has both."""
    relation = claim["relation"]
    here = dataset(listed, counts)
    if relation in ("ahdp", "add-remove"):
        for i, r in enumerate(listed):
            there = dataset(listed, (*counts[:i], counts[i] + 1, *counts[i + 1 :]))
            at = level_of(claim, given, r if relation == "ahdp" else {})
            yield Move(here, there, at)
            yield Move(there, here, at)
        return
    for i, j in itertools.permutations(range(len(listed)), 2):
        if not counts[i]:
            continue
        old, new = listed[i], listed[j]
        if relation == "hdp" and any(
            not same_part(old[p], new[p]) for p in ("eps", *claim["public"])
        ):
            continue
        changed = list(counts)
        changed[i] -= 1
        changed[j] += 1
        at = level_of(claim, given, old if relation == "hdp" else {})
        if relation == "hdp":
            other = level_of(claim, given, new)
            at = other if not is_oo(other) and (is_oo(at) or other < at) else at
        yield Move(here, dataset(listed, tuple(changed)), at)


def distance(
    claim: Json, given: Env, listed: list[dict[str, Any]], a: tuple[int, ...], b: tuple[int, ...]
) -> Any:
    """The weighted distance of two datasets."""
    total = mpf(0)
    for r, i, j in zip(listed, a, b, strict=True):
        if i != j:
            at = level_of(claim, given, r)
            if is_oo(at):
                return at
            total += at * abs(i - j)
    return total


AMOUNTS = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}


def query_moves(claim: Json, given: Env, rng: Random, many: int) -> Iterator[Move]:
    n = int(inputs_of(claim["mechanism"])["queries"])
    level = limit(claim["level"], given)
    low, high = AMOUNTS[claim["relation"]]
    for _ in range(many):
        q = [
            number(
                rng.choice(
                    [
                        0,
                        0,
                        1,
                        -1,
                        Fraction(1, 2),
                        Fraction(rng.randint(-30, 30), rng.randint(1, 9)),
                        1000,
                    ]
                )
            )
            for _ in range(n)
        ]
        d = [
            number(
                rng.choice([low, high, low, high, Fraction(1, 2) * low, Fraction(1, 3) * high, 0])
            )
            for _ in range(n)
        ]
        if claim["relation"] == "one":
            k = rng.randrange(n)
            d = [x if i == k else mpf(0) for i, x in enumerate(d)]
        a = Input({f"q[{i}]": x for i, x in enumerate(q, 1)}, None, "q")
        b = Input(
            {f"q[{i}]": x + y for i, (x, y) in enumerate(zip(q, d, strict=True), 1)}, None, "q'"
        )
        yield Move(a, b, level)
        yield Move(b, a, level)


def value_moves(claim: Json, given: Env) -> Iterator[Move]:
    listed = inputs_of(claim["mechanism"])["values"]
    for a, b in itertools.permutations(listed, 2):
        first, second = bindings(a, "v"), bindings(b, "other")
        level = limit(claim["level"], {**given, **first, **second})
        yield Move(Input(first), Input(bindings(b, "v")), level)


def moves(
    claim: Json, given: Env, rng: Random, size: int | None = None, many: int = 24
) -> Iterator[Move]:
    """Moves to be tried: all small ones first, then some large ones; of a given size all there
    are.
    """
    inputs = inputs_of(claim["mechanism"])
    if "queries" in inputs:
        yield from query_moves(claim, given, rng, many)
        return
    if "values" in inputs:
        yield from value_moves(claim, given)
        return
    listed = records(claim, given, rng)
    if not listed:
        raise CannotTell("no record was found")
    if claim["relation"] == "pairs":
        yield from pair_moves(claim, given, listed, rng, many)
        return
    if size is not None:
        addition = claim["relation"] in ("ahdp", "add-remove")
        for counts in multisets(listed, size - 1 if addition else size):
            yield from moves_from(claim, given, listed, counts)
        return
    small = list(itertools.islice(multisets(listed, 2), many))
    large = [tuple(rng.choice((0, 0, 1, *COUNTS)) for _ in listed) for _ in range(4)]
    for counts in (*small, *large):
        yield from moves_from(claim, given, listed, counts)


def pair_moves(
    claim: Json, given: Env, listed: list[dict[str, Any]], rng: Random, many: int
) -> Iterator[Move]:
    for _ in range(many):
        a, b = (tuple(rng.choice((0, 0, 1, 2, 3)) for _ in listed) for _ in range(2))
        yield Move(dataset(listed, a), dataset(listed, b), distance(claim, given, listed, a, b))


def given_values(pairs: list[Any]) -> dict[str, Any]:
    """The exact values of a counterexample."""
    found: dict[str, Any] = {}
    for k, v in pairs:
        at = value(v["e"], {})
        found[k] = FAR if is_oo(at) else at
    return found


def check_conditions(declared: list[tuple[str, Tree]], given: Env) -> bool:
    return all(holds(c, given) for _, c in declared)


def input_of(claim: Json, side: list[Any], given: Env, instances: list[dict[str, Any]]) -> Input:
    """One side of a counterexample."""
    inputs = inputs_of(claim["mechanism"])
    values = [value(v["e"], {}) for v in side]
    if "queries" in inputs:
        return Input({f"q[{i}]": v for i, v in enumerate(values, 1)})
    if "values" in inputs:
        if len(values) == 1:
            return Input({"v": values[0]})
        return Input({f"v[{i}]": v for i, v in enumerate(values, 1)})
    listed = instances or [record_bindings(r, given) for r in inputs["records"]]
    return dataset(listed, tuple(int(mp.nint(v)) for v in values))


def counts_of(side: list[Any]) -> list[int]:
    return [int(Fraction(v["e"])) for v in side]


def level_between(claim: Json, example: Json, given: Env, instances: list[dict[str, Any]]) -> Any:
    """The level of the move between the two inputs of a counterexample; CannotTell for none."""
    inputs, relation = inputs_of(claim["mechanism"]), claim["relation"]
    if "queries" in inputs:
        a, b = ([value(v["e"], {}) for v in example[s]] for s in ("first", "second"))
        gaps = [y - x for x, y in zip(a, b, strict=True)]
        low, high = AMOUNTS[relation]
        moved = [g for g in gaps if g != 0]
        legal = any(all(low <= s * g <= high for g in moved) for s in (1, -1))
        if not moved or not legal or (relation == "one" and len(moved) > 1):
            raise NoMove("no such move of answers")
        return limit(claim["level"], given)
    if "values" in inputs:
        v, w = (input_of(claim, example[s], given, instances).env for s in ("first", "second"))
        other = {k.replace("v", "other", 1): x for k, x in w.items()}
        return limit(claim["level"], {**given, **v, **other})
    listed = instances or [record_bindings(r, given) for r in inputs["records"]]
    a, b = counts_of(example["first"]), counts_of(example["second"])
    gaps = {i: y - x for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y}
    if relation == "pairs":
        return distance(claim, given, listed, tuple(a), tuple(b))
    if relation in ("ahdp", "add-remove"):
        if len(gaps) != 1 or abs(next(iter(gaps.values()))) != 1:
            raise NoMove("the datasets do not differ by one record")
        return level_of(claim, given, listed[next(iter(gaps))] if relation == "ahdp" else {})
    if sorted(gaps.values()) != [-1, 1]:
        raise NoMove("the datasets do not differ by one replacement")
    old, new = (listed[i] for i in sorted(gaps, key=lambda i: gaps[i]))
    if relation == "hdp":
        if any(not equal(old[p], new[p]) for p in ("eps", *claim["public"])):
            raise NoMove("the replaced record has another demand")
        x, y = (level_of(claim, given, r) for r in (old, new))
        return y if is_oo(x) else x if is_oo(y) else min(x, y)
    return limit(claim["level"], given)


class NoMove(Exception):
    """The inputs of a counterexample are not neighbouring."""


__all__ = ["Label", "Mapping", "Move", "moves", "parameters"]
