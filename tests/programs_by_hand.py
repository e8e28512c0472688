"""Noise programs of the field, built as trees by hand."""

from __future__ import annotations

from collections.abc import Sequence

from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import (
    Draw,
    Goto,
    If,
    Program,
    Release,
    State,
    Stop,
    Tree,
    Winner,
)
from ahdp_verify.kernel.terms.expression import TRUE, label
from ahdp_verify.kernel.terms.grammar import parse

EPS = ("eps", parse("0 < eps"))
YES, NO = label("yes"), label("no")


def drawn(names: Sequence[str], law: str, scale: str, tree: Tree) -> Tree:
    """The tree after draws of independent noises with one law."""
    for name in reversed(names):
        tree = Draw(name, law, parse(scale), tree)
    return tree


def noisy_max(n: int, law: str, scale: str = "2/eps", released: str = "index") -> Program:
    """The index, or the value, of the largest noisy answer."""
    values = tuple(parse(f"q[{i}] + x{i}") for i in range(1, n + 1))
    branches = tuple(
        Release(label(str(i)) if released == "index" else value, Stop())
        for i, value in enumerate(values, 1)
    )
    tree = Winner(values, branches) if n > 1 else branches[0]
    draws = drawn([f"x{i}" for i in range(1, n + 1)], law, scale, tree)
    return Program("noisy max", (EPS,), Answers(n, law == "geometric"), draws)


def sparse_vector(
    threshold: str,
    query: str,
    c: int | None = 1,
    *,
    law: str = "laplace",
    released: str = "",
    redrawn: bool = False,
) -> Program:
    """Above-threshold on any number of queries: noise of scale `threshold` on the threshold T, of
    scale `query` on each answer (none: no noise), until c answers were above it (None: to the end).

    released    what is released for an answer above the threshold, "yes" by default; a second noise
                is called fresh (its scale is half of `query`)
    """

    def above(k: int) -> Tree:
        if c is not None and k + 1 == c:
            return Stop()
        goto = Goto(
            f"wait{0 if c is None else k + 1}", (("rho", parse("new" if redrawn else "rho")),)
        )
        return Draw("new", law, parse(threshold), goto) if redrawn else goto

    def body(k: int) -> Tree:
        nu = " + nu" if query else ""
        yes: Tree = Release(parse(released) if released else YES, above(k))
        if "fresh" in released:
            yes = Draw("fresh", law, parse(f"({query})/2"), yes)
        no = Release(NO, Goto(f"wait{k}", (("rho", parse("rho")),)))
        test = If(parse(f"q{nu} - T - rho"), False, yes, no)
        return Draw("nu", law, parse(query), test) if query else test

    states = tuple(State(f"wait{k}", ("rho",), body(k), Stop()) for k in range(c or 1))
    start = Draw("r", law, parse(threshold), Goto("wait0", (("rho", parse("r")),)))
    return Program(
        "sparse vector", (EPS, ("T", TRUE)), Answers(None, law == "geometric"), start, states
    )


def adaptive_sparse_vector(top: str, margin: int = 16) -> Program:
    """The adaptive sparse vector with c = 1: a first, noisier test against a margin above the
    threshold, for which `top` is released; then one against the threshold, with its gap.
    """
    rest = parse("q + b - T - rho")
    again = Goto("wait", (("rho", parse("rho")),))
    middle = Release(label("middle"), Release(rest, Stop()))
    second = Draw("b", "laplace", parse("4/eps"), If(rest, False, middle, Release(NO, again)))
    first = Release(label("top"), Release(parse(top), Stop()))
    test = If(parse(f"q + a - T - rho - {margin}"), False, first, second)
    body = Draw("a", "laplace", parse("8/eps"), test)
    start = Draw("r", "laplace", parse("2/eps"), Goto("wait", (("rho", parse("r")),)))
    wait = State("wait", ("rho",), body, Stop())
    return Program("adaptive", (EPS, ("T", TRUE)), Answers(None), start, (wait,))


def block_sums_without_noise() -> Program:
    """Two answers: the first with noise, then their sum without any (BadSmartSum, M = 2)."""
    tree = Release(parse("q[1] + nu"), Release(parse("q[1] + q[2]"), Stop()))
    return Program("block sums", (EPS,), Answers(2), Draw("nu", "laplace", parse("1/eps"), tree))


def sum_of_answers(n: int, scale: str) -> Program:
    """The sum of all answers, with noise."""
    total = " + ".join(f"q[{i}]" for i in range(1, n + 1))
    tree = Draw("nu", "laplace", parse(scale), Release(parse(f"{total} + nu"), Stop()))
    return Program("sum", (EPS,), Answers(n), tree)
