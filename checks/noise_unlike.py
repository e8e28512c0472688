"""Records about noise programs whose counterexamples refute nothing."""

from __future__ import annotations

from collections.abc import Iterator

from forge import Record, sealed
from noise_meaningless import SAID, ZZ
from noise_parts import (
    FREE,
    POSITIVE,
    Q1,
    Q2,
    STOP,
    B,
    Q,
    T,
    X,
    Y,
    Z,
    against,
    answers,
    between,
    claim,
    draw,
    minus,
    outputs,
    people,
    plus,
    runs,
    when,
)
from noise_true import COUNTED, EPS, ROWS, SUMS, noisy


def unlike() -> Iterator[Record]:
    said, event = claim(noisy(), answers(1), level="1/2"), outputs(("1", None))
    yield against(said, [0], [1], event)
    yield against(said, [2], [0], event)
    yield against(said, [1, 0], [0, 0], event)
    yield against(said, [1], [0, 0], event)
    yield against(said, [], [], event)
    yield against(said, [1], [0], event, [("b", "1")])
    scaled = claim(noisy("laplace", B), answers(1), "one", "1/2", parameters=[*POSITIVE, *FREE])
    low = outputs((None, "0"))
    for values in (
        [("b", "1")],
        [("T", "1"), ("b", "1")],
        [("b", "-1"), ("T", "0")],
        [("b", "0"), ("T", "0")],
        [("b", "1"), ("T", ["log", "0"])],
        [("b", "1"), ("T", ["label", "a"])],
        [("b", "1"), ("T", ["oo"])],
        [("b", "1"), ("T", ZZ)],
        [("b", "1"), ("T", ["sum", "1"])],
        [("b", ["log", "2"]), ("T", "0")],
        [("b", "1"), ("T", "0"), ("T", "0")],
    ):
        yield against(scaled, [0], [1], low, values)
    whole = claim(noisy("geometric"), answers(1, True), level="1/4")
    yield against(whole, ["1/2"], ["-1/2"], outputs(("0", None)))
    pair = claim(
        draw("x", "laplace", "1", ["release", plus(Q1, X), ["release", Q2, STOP]]),
        answers(2),
        "one",
        "1/2",
    )
    yield against(pair, [1, 1], [0, 0], outputs(("1", None), (None, None)))
    up = claim(
        draw("x", "laplace", "1", ["release", plus(Q1, ["*", "-1", Q2], X), STOP]),
        answers(2),
        "increasing",
        "1",
    )
    yield against(up, [1, 0], [0, 1], event)
    every = [["wait", [], ["release", Q, ["goto", "wait", []]], STOP]]
    many = claim(["goto", "wait", []], answers("n"), states=every, level="1")
    yield against(many, [], [0], outputs(("0", "0")))
    yield against(many, [0, 0], [0], outputs((None, None)))
    for queries, side in ((2, [0]), (1, [0, 0])):
        fixed = {**many, "queries": queries}
        yield against(fixed, side, [1] * len(side), outputs(*[("0", "0")] * len(side)))
    rows, small = people(ROWS, *SUMS), ["*", "1/4", EPS]
    by_demand = claim(COUNTED, rows, "ahdp", small)
    no = outputs("no")
    for first, second in (
        ([0, 4, 2], [0, 6, 2]),
        ([0, 4, 2], [0, 5, 3]),
        ([0, 4, 2], [0, 4, 2]),
        ([0, 4], [0, 5]),
        ([0, 4, 2, 0], [0, 5, 2, 0]),
        ([0, "1/2", 2], [0, "3/2", 2]),
        ([0, -1, 2], [0, 0, 2]),
    ):
        yield against(by_demand, first, second, no)
        yield against(claim(COUNTED, rows, "add-remove", "1/9"), first, second, no)
        yield against(claim(COUNTED, rows, "swap", "1/9"), first, second, no)
    yield against(by_demand, [0, 4, 2], [0, 4, 3], no)
    asked = people([["1", T], ["2", "1"]], ["sum", "1"])
    certain = claim(SAID, asked, "ahdp", EPS, parameters=FREE)
    yield against(certain, [1, 0], [0, 0], outputs("a"), [("T", "-1")])
    odd = people(ROWS, ["+", ["sum", "1"], ["log", "2"]], SUMS[1])
    yield against(claim(COUNTED, odd, "ahdp", small), [0, 4, 2], [0, 5, 2], no)
    for law in ("gumbel", "laplace"):
        scale = "1" if law == "gumbel" else ["log", "2"]
        yield against(claim(noisy(law, scale), answers(1), level="1/2"), [1], [0], event)
    three = draw(
        "x",
        "laplace",
        "1",
        draw("y", "laplace", "1", draw("z", "laplace", "1", when(plus(Q1, X, Y, Z)))),
    )
    yield against(claim(three, answers(1), level="1/9"), [1], [0], outputs("yes"))
    uneven = draw("x", "laplace", "1", draw("y", "laplace", "1", when(plus(Q1, X, ["*", "2", Y]))))
    yield against(claim(uneven, answers(1), level="1/9"), [1], [0], outputs("yes"))
    mixed = draw("x", "laplace", "1", draw("y", "geometric", "1", when(plus(Q1, X, Y))))
    yield against(claim(mixed, answers(1), level="1/9"), [1], [0], outputs("yes"))
    signs = when(plus(Q1, X, Y), when(minus(X, Y)))
    both = draw("x", "laplace", "1", draw("y", "laplace", "1", signs))
    yield against(claim(both, answers(1), level="1/9"), [1], [0], outputs("yes"))
    ring = when(minus(X, Y), when(minus(Y, Z), when(plus("1", minus(Z, X))), STOP), STOP)
    around = draw(
        "x",
        "laplace",
        "1",
        draw("y", "laplace", "1", draw("z", "laplace", "1", when(plus(Q1, X), ring, STOP))),
    )
    yield against(claim(around, answers(1), level="1/9"), [1], [0], outputs("yes"))
    good = against(said, [1], [0], event)
    yield sealed(
        {**good, "mass": {"counts": False, "mass": {"is": "mass", "values": [], "evidence": []}}}
    )
    yield sealed({**good, "counterexample": runs()})
    for wrong in (
        outputs("a"),
        outputs(),
        outputs(("2", "1")),
        between(None, None),
        {"is": "outputs", "items": [{"e": "1"}], "increments": False},
    ):
        yield against(said, [1], [0], wrong)
