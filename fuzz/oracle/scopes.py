"""Whether a proof states its scope correctly: what it assumes, whether anything is compared,
whether inputs matter.
"""

from __future__ import annotations

from random import Random
from typing import Any

from fuzz.oracle import claims
from fuzz.oracle.judge import Judgement, abstracts, describe, instances_for, said, violation
from fuzz.oracle.laws import inputs_of, law
from fuzz.oracle.trees import CannotTell, Undefined, is_oo, number

Json = Any
NO_INFLUENCE = "does not depend on the"


def scope(claim: Json, record: Json, line: str, seed: int) -> Judgement:
    """Checks what the record and the line of a proof about a mechanism state beyond the claim."""
    found, rng = Judgement(), Random(seed)
    said_ = record.get("scope")
    if not isinstance(said_, dict):
        return found
    try:
        if said_["compared"] == "nothing":
            something(claim, rng, found, said_["size"])
        pair = record.get("compared")
        if isinstance(pair, dict) and "before" in pair:
            legal(claim, pair, found)
        if "defined" in claim["mechanism"] and said_["defined"] != claim["mechanism"]["defined"]:
            found.wrong.append(
                f"the scope assumes {said_['defined']}, the claim {claim['mechanism']['defined']}"
            )
        if NO_INFLUENCE in line:
            influence(claim, rng, found)
    except CannotTell as why:
        found.undecided.append(f"scope: {why}")
    return found


def drawn(claim: Json, rng: Random, many: int, size: int | None = None) -> Any:
    """Legal moves of finite level at random parameters, with both distributions."""
    for _ in range(3):
        given = claims.parameters(claim, rng)
        if given is None:
            continue
        instances = instances_for(claim["mechanism"], rng)
        for move in list(claims.moves(claim, given, rng, size))[:many]:
            if is_oo(move.level):
                continue
            try:
                yield (
                    given,
                    move,
                    [
                        law(claim["mechanism"], at, given, instances)
                        for at in (move.before, move.after)
                    ],
                )
            except Undefined:
                continue


def something(claim: Json, rng: Random, found: Judgement, size: int | None) -> None:
    """A move that is compared makes "nothing is compared" false."""
    for given, move, _ in drawn(claim, rng, 60, size):
        if describe(move.before) != describe(move.after):
            where = f"{describe(move.before)} and {describe(move.after)} at {said(given)}"
            found.wrong.append(f"nothing is said to be compared, but {where} are")
            return
    found.compared += 1


def legal(claim: Json, pair: Json, found: Judgement) -> None:
    """Checks that the two stored inputs are compared by the claim."""
    given = claims.given_values(pair["parameters"])
    m = claim["mechanism"]
    if not claims.check_conditions(claims.all_parameters(m), given):
        found.wrong.append("the stored pair has parameters that are not allowed")
    concrete = [claims.given_values(r) for r in pair["instances"]]
    for r in concrete:
        if not claims.check_conditions(inputs_of(m)["unknowns"], {**given, **r}):
            found.wrong.append(f"the stored pair has a record that is not allowed: {said(r)}")
    example = {"first": pair["before"], "second": pair["after"]}
    try:
        if is_oo(claims.level_between(claim, example, given, concrete)):
            found.wrong.append("the stored pair is a move of level oo")
        if not abstracts(m):
            for side in ("before", "after"):
                law(m, claims.input_of(claim, pair[side], given, concrete), given)
    except claims.NoMove as why:
        found.wrong.append(f"the stored inputs are not neighbouring: {why}")
    except Undefined as why:
        found.wrong.append(f"the stored pair is not covered: {why}")
    found.compared += 1


def influence(claim: Json, rng: Random, found: Judgement) -> None:
    """Two inputs with different distributions make "does not depend on" false."""
    for given, move, laws in drawn(claim, rng, 40):
        why = violation(laws[0], laws[1], number(0), number(0), rng)
        if why:
            where = f"{describe(move.before)} and {describe(move.after)} at {said(given)}"
            found.wrong.append(f"the output is said not to depend on the input, but {why}; {where}")
            return
    found.compared += 1
