"""Noise programs of the field, built as trees by hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ahdp_verify.kernel.checker import refute_program
from ahdp_verify.kernel.evidence.program_counterexample import (
    Between,
    OutputEvent,
    ProgramCounterexample,
)
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import (
    Coin,
    Contest,
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
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.terms.expression import TRUE, Expression, label
from ahdp_verify.kernel.terms.grammar import parse

EPS = ("eps", parse("0 < eps"))
YES, NO = label("yes"), label("no")


def drawn(names: Sequence[str], law: str, scale: str, tree: Tree) -> Tree:
    """The tree after draws of independent noises with one law."""
    for name in reversed(names):
        tree = Draw(name, law, parse(scale), tree)
    return tree


def noisy_max(
    n: int,
    law: str,
    scale: str = "2/eps",
    *,
    released: str = "index",
    parameter: str = "eps",
) -> Program:
    """The index, or the value, of the largest noisy answer."""
    values = tuple(parse(f"q[{i}] + x{i}") for i in range(1, n + 1))
    branches = tuple(
        Release(label(str(i)) if released == "index" else value, Stop())
        for i, value in enumerate(values, 1)
    )
    tree = Winner(values, branches) if n > 1 else branches[0]
    draws = drawn([f"x{i}" for i in range(1, n + 1)], law, scale, tree)
    given = ((parameter, parse(f"0 < {parameter}")),)
    return Program("noisy max", given, Answers(n, law == "geometric"), draws)


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


def best_so_far(n: int) -> Program:
    """The index of the largest noisy answer, found by comparing each answer with the best so
    far.
    """

    def after(i: int, best: int) -> Tree:
        if i > n:
            return Release(label(str(best)), Stop())
        gap = parse(f"q[{i}] + x{i} - q[{best}] - x{best}")
        return If(gap, True, after(i + 1, i), after(i + 1, best))

    noises = [f"x{i}" for i in range(1, n + 1)]
    return Program(
        "best so far", (EPS,), Answers(n), drawn(noises, "laplace", "2/eps", after(2, 1))
    )


def most_popular(scale: str) -> Program:
    """Which of two values is the most popular one; people with the second one count by half."""
    domain = Domain([("a", "1/2"), ("b", 1)])
    answers = (parse('count(x == "a")'), parse('count(x == "b")/2'))
    values = (parse("q[1] + x1"), parse("q[2] + x2"))
    tree = Winner(values, (Release(label("1"), Stop()), Release(label("2"), Stop())))
    start = drawn(["x1", "x2"], "laplace", scale, tree)
    return Program("most popular", (EPS,), RecordAnswers(domain, answers), start)


def contest(gap: bool) -> Program:
    """The number of the largest of any number of noisy answers, and its gap to the next."""
    start = Contest((("x", "laplace", parse("2/eps")),), parse("q + x"), gap)
    return Program("contest", (EPS,), Answers(None), start)


def total_at_the_end() -> Program:
    """The sum of any number of answers, with noise, which is not asked for with probability 1/3."""
    kept = (("t", parse("t + q")), ("nu", parse("nu")))
    end = Release(parse("t + nu"), Release(label("true"), Stop()))
    wait = State("wait", ("t", "nu"), Goto("wait", kept), end)
    first = (("t", parse("0")), ("nu", parse("r")))
    drawn_ = Draw("r", "laplace", parse("1/eps"), Goto("wait", first))
    start = Coin(parse("1/3"), Release(label("skipped"), Stop()), drawn_)
    return Program("total", (EPS,), Answers(None), start, (wait,))


def claim(program: Program, relation: str, level: str, queries: int | None = None) -> ProgramClaim:
    """A claim with its level as a text."""
    return ProgramClaim(program, relation, parse(level), queries=queries)


def refuted(
    about: ProgramClaim,
    first: Sequence[str | int],
    second: Sequence[str | int],
    outputs: Sequence[Expression | Between],
    **parameters: str,
) -> RefutedProgram:
    """The refutation by two inputs, outputs, and values of the parameters."""
    given = tuple((key, parse(value)) for key, value in parameters.items())
    sides = (tuple(map(Fraction, first)), tuple(map(Fraction, second)))
    event = OutputEvent(tuple(outputs))
    return refute_program(about, ProgramCounterexample(given, *sides, event))


def buggy_twin() -> RefutedProgram:
    """Sparse vector with too little noise on its answers (4/(3 eps), not 4/eps) at T = 0, eps =
    1.
    """
    about = claim(sparse_vector("2/eps", "4/(3*eps)"), "all", "eps", 2)
    return refuted(about, ["1/2", "-1/2"], ["3/2", "-3/2"], [NO, YES], eps="1", T="0")
