"""Statements about unknown numbers, and arguments for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

from mpmath import mp, mpf

from ahdp_verify import Inequality, Proved, verify
from ahdp_verify.analysis.arguments import examine
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.steps import Argument, Step
from fuzz import ask
from fuzz.case import Outcome
from fuzz.oracle import claims
from fuzz.oracle.trees import CannotTell, Env, Undefined, holds, value

CONDITIONS = (
    "y >= 0",
    "y > 0",
    "0 <= y and y <= 1",
    "",
    "y >= 1",
    "0 < y and y < 1/1000",
    "y <= 0",
    "-1 <= y <= 1",
)
SIDES = (
    "1 + y",
    "exp(y)",
    "y^2",
    "2*y",
    "log(1 + y^2)",
    "exp(-y)",
    "1 - y",
    "abs(y)",
    "y*t",
    "max(y, t)",
    "y + t",
    "exp(y + t)",
    "exp(y)*exp(t)",
    "1/(1 + exp(-y))",
    "1 - exp(-y)",
    "(1 - exp(-y))*(1 - exp(-t))",
    "y^2 + t^2",
    "2*y*t",
    "exp(y) - 1",
    "t",
    "0",
    "1",
    "1 + y + y^2/2",
    "log(1 + (exp(y) - 1)/2)",
    "min(y, t)",
    "abs(y) + abs(t)",
    "abs(y + t)",
    "floor(y)",
    "1001/1000*exp(y)",
    "y*exp(y)",
    "exp(2*y)",
    "3*y^2 - 2*y^3",
    "sin(y)",
    "cos(y)",
    "1 - y^2/2",
    "atan(y)",
    "y/(1 + y^2)",
    "erf(y)",
    "2*y/sqrt(pi)",
    "erf(y + t) + 1",
    "atan(t) - atan(y)",
    "y*sin(t) + 2",
    "exp(-y^2)",
    "1/(1 + y^2)",
)
TRUE = (
    ("1 + y", "<=", "exp(y)"),
    ("2*y*t", "<=", "y^2 + t^2"),
    ("abs(y + t)", "<=", "abs(y) + abs(t)"),
    ("1 - y", "<=", "exp(-y)"),
    ("min(y, t)", "<=", "max(y, t)"),
    ("exp(y)*exp(t)", "==", "exp(y + t)"),
    ("floor(y)", "<=", "y"),
    ("1 + y", "<", "exp(y)"),
    ("1 + y", "<=", "exp(y) - 1/1000000000"),
    ("abs(sin(y))", "<=", "abs(y)"),
    ("1 - y^2/2", "<=", "cos(y)"),
    ("abs(atan(y) - atan(t))", "<=", "abs(y - t)"),
    ("1 - exp(-y^2)", "<=", "y^2"),
    ("1/(1 + y^2)", ">=", "exp(-y^2)"),
    ("abs(erf(y))", "<=", "2*abs(y)/sqrt(pi)"),
    ("exp(-y)", ">=", "1 - y + 1/1000000000"),
)
RELATIONS = ("<=", "<=", "<", "==", ">=", ">")


def drawn(rng: Random) -> tuple[dict[str, str], str, str, str]:
    unknowns = {
        "y": rng.choice(CONDITIONS),
        "t": rng.choice(("t >= 0", "", "y <= t", "t > y", "0 <= t <= 1")),
    }
    if rng.random() < 0.4:
        return unknowns, *rng.choice(TRUE)
    return unknowns, rng.choice(SIDES), rng.choice(RELATIONS), rng.choice(SIDES)


POINTS = [
    mpf(p)
    for p in ("0", "1", "-1", "0.5", "2", "10", "-0.5", "1e-9", "0.0005", "30", "-7", "1.7", "0.3")
]


def points(parameters: Any, rng: Random) -> Iterator[dict[str, mpf]]:
    """Values of the unknowns that satisfy their conditions."""
    keys = [k for k, _ in parameters]
    for values in itertools.product(POINTS, repeat=len(keys)) if len(keys) < 3 else ():
        given = dict(zip(keys, values, strict=True))
        if all(holds(c, given) for _, c in parameters):
            yield given
    for _ in range(20):
        given = {k: mpf(rng.uniform(-3, 5)) for k in keys}
        if all(holds(c, given) for _, c in parameters):
            yield given


def fails(statement: Any, given: Env) -> bool | None:
    """Whether a statement fails at values of its unknowns; None if it is too close to decide."""
    left, relation, right = statement["inequality"]
    a, b = value(left, given), value(right, given)
    gap, size = b - a, mpf(10) ** -40 * max(1, abs(a), abs(b))
    if relation == "==":
        return bool(abs(gap) > size)
    if relation in (">=", ">"):
        gap = -gap
    if abs(gap) <= size:
        return None if relation in ("<=", ">=") else True
    return bool(gap < 0)


def compared(out: Outcome, verdict: Any, rng: Random) -> None:
    """The verdict on a statement against values of its unknowns."""
    record = verdict.to_json()
    statement = record["claim"]
    if isinstance(verdict, Proved):
        out.answers.append("proved")
        for given in points(statement["parameters"], rng):
            try:
                if fails(statement, given):
                    out.wrong.append(f"Proved: {verdict.claim}, but it fails at {given}")
                    return
                out.settled = 1
            except (Undefined, CannotTell):
                continue
    elif isinstance(verdict, RefutedInequality):
        out.answers.append("refuted")
        given = claims.given_values(record["counterexample"]["values"])
        if not claims.check_conditions(statement["parameters"], given):
            out.wrong.append(f"Refuted at values that are not allowed: {given}")
        if fails(statement, given) is not True:
            out.wrong.append(f"Refuted: {verdict}, but it does not fail there")
        out.settled = 1
    else:
        out.answers.append("unknown")


def statement(rng: Random) -> Outcome:
    unknowns, left, relation, right = drawn(rng)
    out = Outcome("statement", f"# {left} {relation} {right} for {unknowns}")
    made = ask.timed(out, "statement", lambda: Inequality.of(unknowns, left, relation, right))
    found = None if made is None else ask.timed(out, "verify", lambda: verify(made, ask.limits()))
    if found is not None:
        compared(out, found, rng)
    return out


def argument(rng: Random) -> Outcome:
    """A statement with a chain of random steps."""
    unknowns, left, relation, right = drawn(rng)
    middle = rng.choice(SIDES)
    e = lambda text: parse(text, "side")  # noqa: E731
    steps = [
        Step(e(left), rng.choice(("<=", "==", relation)), e(middle)),
        Step(e(middle), rng.choice(("<=", "==", relation)), e(right)),
    ]
    if rng.random() < 0.4:
        steps[0] = Step(
            e(left),
            relation,
            e(right),
            by=(parse(rng.choice(("exp(y) >= 1", "y >= 0", "exp(y) >= 0", "y <= t")), "fact"),),
        )
        steps.pop()
    out = Outcome(
        "argument",
        f"# {left} {relation} {right} for {unknowns}; steps "
        f"{[f'{s.left} {s.relation} {s.right}' for s in steps]}",
    )
    made = ask.timed(
        out,
        "argument",
        lambda: Argument(Inequality.of(unknowns, left, relation, right), tuple(steps)),
    )
    found = (
        None
        if made is None
        else ask.timed(out, "examine", lambda: examine(made, ask.limits()), 10.0)
    )
    if found is None:
        return out
    compared(out, found.verdict, rng)
    for step in found.steps:
        if step.verdict is not None:
            compared(out, step.verdict, rng)
        for _, v in (*step.facts, *step.needed):
            compared(out, v, rng)
    if found.valid and isinstance(found.verdict, RefutedInequality):
        out.wrong.append("the argument is called valid, but what it shows is refuted")
    return out


KINDS = {"statement": (6, statement), "argument": (2, argument)}
__all__ = ["KINDS", "mp"]
