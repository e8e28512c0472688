"""True records about noise programs, with alignments or counterexamples made by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forge import Record
from noise_parts import (
    POSITIVE,
    Q1,
    Q2,
    Q3,
    RHO,
    STOP,
    TRUE,
    B,
    Q,
    X,
    Y,
    Z,
    against,
    answers,
    by,
    claim,
    cut_runs,
    draw,
    head,
    minus,
    outputs,
    over,
    people,
    plus,
    proved,
    region,
    rounds,
    runs,
    say,
    shifts,
    when,
)

NONE = shifts(by())
NOTHING = runs(NONE)
FIRST = {"q[1]": "-1"}


def noisy(law: str = "laplace", scale: Any = "1") -> Any:
    return draw("x", law, scale, ["release", plus(Q1, X), STOP])


def two(law: str = "laplace", scale: Any = "2") -> Any:
    """Which of two answers with noise is the greater."""
    values, trees = [plus(Q1, X), plus(Q2, Y)], [say("1st"), say("2nd")]
    return draw("x", law, scale, draw("y", law, scale, ["winner", values, trees]))


CORNERS = [by(0, 0), by(2, 0), by(0, 0), by(0, 0)]
CORNERS_2 = [by(0, 0), by(0, 0), by(0, 2), by(0, 0)]
GRID = [by(max(0, b - a), 0) for a in (-1, 0, 1) for b in (-1, 0, 1)]
GRID_2 = [by(0, max(0, a - b)) for a in (-1, 0, 1) for b in (-1, 0, 1)]


def best_of_three() -> Any:
    def against_third(best: Any, word: str) -> Any:
        return when(minus(plus(Q3, Z), best), say("3rd"), say(word))

    one, other = plus(Q1, X), plus(Q2, Y)
    choice = when(minus(other, one), against_third(other, "2nd"), against_third(one, "1st"))
    return draw("x", "laplace", "2", draw("y", "laplace", "2", draw("z", "laplace", "2", choice)))


BEST = claim(best_of_three(), answers(3))
REGIONS = (
    region([0, 2], [[[1], [0, 1]], [[0, 1], [1]]]),
    region([1], [[[0], [1]]]),
    region([3], [[[0], [1]]]),
)
BEST_SHIFTS = (shifts(by(0, 0, 2)), shifts(by(0, 2, 0)), shifts(by(2, 0, 0)))


def waiting(body: Any = None, end: Any = STOP, law: str = "laplace") -> Any:
    """One state, in which queries are compared with a threshold that is kept."""
    again = ["goto", "wait", [["rho", RHO]]]
    found = when(minus(plus(Q, X), RHO), say("yes"), say("no", again), ">=")
    return [["wait", ["rho"], body or draw("x", law, over("4", B), found), end]]


def from_threshold(law: str = "laplace") -> Any:
    return draw("r", law, over("2", B), ["goto", "wait", [["rho", ["name", "r"]]]])


def above(relation: str = "all", law: str = "laplace", **more: Any) -> Any:
    inputs = answers("n", more.pop("whole", False))
    level = more.pop("level", B)
    states = more.pop("states", waiting(law=law))
    return claim(
        from_threshold(law), inputs, relation, level, parameters=POSITIVE, states=states, **more
    )


HALF = ["*", "1/2", B]
ON_YES = [shifts(by(2)), shifts(by(0))]
ABOVE = rounds(
    [shifts(by(1))], [head("wait", [[0, ON_YES]], [NONE], left=HALF, differences=[("rho", 1)])]
)
IN_NO = [shifts(by(1)), shifts(by(0))]  # where the answer does not change, and rho by 1


def above_one(sign: int) -> Any:
    """Where one answer changes by 1 or -1."""
    yes = [shifts(by(1 - sign)), shifts(by(0))]
    before = [[0, IN_NO], [1, yes]]
    common: Any = {"left": HALF, "differences": [("rho", 1)]}
    heads = [head("wait", before, [], phase=0, **common)]
    heads += [head("wait", [[1, IN_NO]], [NONE], phase=1, **common)]
    return rounds([shifts(by(1))], heads)


SUMS = (
    ["sum", "1"],
    ["*", "1/2", ["sum", ["piecewise", "1", ["==", X, ["label", "a"]], "0", TRUE]]],
)
ROWS = [[["label", "a"], "1"], [["label", "b"], "1/2"], [["label", "c"], ["oo"]]]
EPS = ["name", "eps"]
COUNTED = draw("x", "laplace", "2", when(minus(plus(Q1, X), Q2)))


def moved_by(d: Any) -> Any:
    """The shifts of `COUNTED`, where the difference of the answers changes by d."""
    return runs(*[shifts(by(-Fraction(d)))] * 2)


A_COUNTED = [moved_by("1/2"), moved_by("-1/2")]
OTHERS = [moved_by("1"), moved_by("-1")]
EMPTY = when(plus(Q1, X), when(plus(Q1, X, "1"), say("high"), ["release", Q1, STOP]), say("low"))


def contest(law: str = "laplace", whole: Any = False, gap: Any = False, **more: Any) -> Any:
    start = ["contest", [["x", law, "2"]], plus(Q, X), gap]
    return claim(start, answers("n", whole), **more)


ON_FIRST = runs(shifts(by({"q": "-1", "": "1"})))
BY_GAP = runs(shifts(by({"q": "-1", "#other": "1"})))


def proofs() -> Iterator[Record]:
    yield proved(claim(noisy(), answers(1)), [runs(shifts(by(FIRST)))])
    inc = claim(noisy("laplace", B), answers(1), "increasing", over("1", B), parameters=POSITIVE)
    yield proved(inc, [runs(shifts(by(FIRST)))] * 2)
    both = claim(draw("x", "laplace", "1", ["release", plus(Q1, X, Q2), STOP]), answers(2), "one")
    yield proved(both, [runs(shifts(by(d))) for d in (-1, -1, 1, 1)])
    yield proved(claim(two(), answers(2)), [runs(shifts(*CORNERS), shifts(*CORNERS_2))])
    for law in ("exponential", "gumbel", "geometric"):
        fits = answers(2, law == "geometric")
        yield proved(claim(two(law), fits), [runs(shifts(by(2, 0)), shifts(by(0, 2)))])
    yield proved(claim(two("geometric"), answers(2, True)), [runs(shifts(*GRID), shifts(*GRID_2))])
    yield proved(BEST, [runs(*BEST_SHIFTS)], REGIONS)
    yield proved(above(), [ABOVE])
    yield proved(above("one"), [above_one(1), above_one(-1)])
    yield proved(above(law="geometric", whole=True), [ABOVE])
    fixed = [shifts(by(1, 2)), shifts(by(1, 0, 2)), shifts(by(1, 0, 0))]
    yield proved(above(queries=2), [runs(*fixed)])
    yield from cut_proofs()
    people_ = people(ROWS, *SUMS)
    yield proved(claim(COUNTED, people_, "ahdp", EPS), A_COUNTED + OTHERS)
    yield proved(claim(COUNTED, people_, "add-remove"), A_COUNTED + OTHERS * 2)
    swaps = [moved_by(d) for d in ("1/2", "1/2", "-1/2", "0", "-1/2", "0")]
    yield proved(claim(COUNTED, people_, "swap", "1/4"), swaps)
    tossed = ["coin", "1/3", draw("x", "laplace", "1", when(plus(Q1, X))), say("no")]
    yield proved(claim(tossed, answers(1)), [runs(*[shifts(by(FIRST))] * 2, NONE)])
    yield proved(contest(), [ON_FIRST])
    yield proved(contest(gap=True), [BY_GAP])
    yield proved(contest("geometric", whole=True), [ON_FIRST])
    ends = [runs(shifts(by(s))) for s in (0, 1, 1, 0)]
    yield proved(contest(relation="one", level="1/2"), ends)
    empty = shifts(never=((0, 1), (1, 1)))
    yield proved(
        claim(draw("x", "laplace", "1", EMPTY), answers(1)),
        [runs(shifts(by(FIRST)), empty, shifts(by(FIRST)))],
    )


def normal_noise(level: Any, delta: Any, cut: Any = "8", shift: Any = FIRST) -> Record:
    """Gaussian noise of standard deviation 2 on one answer."""
    said = claim(noisy("gaussian", "2"), answers(1), level=level, delta=delta)
    return proved(said, [cut_runs({"x": cut}, shifts(by(shift)))])


def cut_proofs() -> Iterator[Record]:
    """At w = 8 the cut is |x| <= 4 b, and exp(-8)/sqrt(8 pi) = 0.0000669 bounds the tails."""
    yield normal_noise("17/8", "67/1000000")
    delta = ["name", "delta"]
    known = [["delta", ["and", ["<", "0", delta], ["<", delta, "1"]]], *POSITIVE]
    w = ["log", over("1", delta)]
    level = plus(over(["^", ["*", "2", w], "1/2"], B), over("1/2", ["*", B, B]))
    said = claim(noisy("gaussian", B), answers(1), level=level, delta=delta, parameters=known)
    yield proved(said, [cut_runs({"x": w}, shifts(by(FIRST)))])
    both = claim(two("gaussian", "8"), answers(2), level="33/32", delta="67/500000")
    shown = shifts(by(2, 0)), shifts(by(0, 2))
    yield proved(both, [cut_runs({"x": "8", "y": "8"}, *shown)])


def cut_badly() -> Iterator[Record]:
    yield normal_noise("17/8", "33/500000")  # less than the tails
    yield normal_noise("2", "67/1000000")  # without the square of the shift
    yield normal_noise("17/8", "67/1000000", cut=["oo"])
    for w in ("0", "-8", ["name", "x"], Q1, ["name", "zz"]):
        yield normal_noise("100", "1", cut=w)
    said = claim(noisy("gaussian", "2"), answers(1), level="17/8", delta="1/2")
    for w in ("0", ["exp", ["name", "zz"]]):  # of a noise that is not drawn
        yield proved(said, [cut_runs({"x": "8", "y": w}, shifts(by(FIRST)))])
    yield proved(said, [runs(shifts(by(FIRST)))])
    yield proved(said, [cut_runs({}, shifts(by(FIRST)))])
    yield proved(said, [cut_runs({"y": "8"}, shifts(by(FIRST)))])
    both = claim(two("gaussian", "8"), answers(2), level="33/32", delta="67/1000000")
    shown = shifts(by(2, 0)), shifts(by(0, 2))
    for cuts in (["x"], ["y"], ["x", "y"]):  # the cut of the noise that wins is not known before
        yield proved(both, [cut_runs(dict.fromkeys(cuts, "8"), *shown)])
    many = contest("gaussian", level="33/2", delta="1/2")
    yield proved(many, [cut_runs({"x": "8"}, shifts(by({"q": "-1", "": "1"})))])
    many = above(law="gaussian", delta="1/2")
    yield proved(many, [ABOVE])
    yield proved(many, [cut_runs({"r": "8", "x": "8"}, *ON_YES)])


def refutations() -> Iterator[Record]:
    yield against(claim(noisy(), answers(1), level="1/2"), [1], [0], outputs(("1", None)))
    given = [("b", "1")]
    said = claim(noisy("laplace", B), answers(1), "one", "1/2", parameters=POSITIVE)
    yield against(said, [0], [1], outputs((None, "0")), given)
    yield against(claim(two(), answers(2), level="1/2"), [-4, 4], [-5, 5], outputs("1st"))
    whole = claim(two("geometric"), answers(2, True), level="1/4")
    yield against(whole, [1, 0], [0, 1], outputs("1st"))
    yield against(
        claim(noisy("geometric"), answers(1, True), level="1/2"), [1], [0], outputs(("1", "1"))
    )
    yield against(
        claim(noisy("exponential"), answers(1), level="5"), [0], [1], outputs((None, "1"))
    )
    yield against(above(level=["*", "1/4", B]), [0, 1], [1, 0], outputs("no", "yes"), given)
    yield against(above("decreasing", level=["*", "1/9", B]), [1], [0], outputs("yes"), given)
    rows, low = people(ROWS, *SUMS), ["*", "1/4", EPS]
    yield against(claim(COUNTED, rows, "ahdp", low), [0, 4, 2], [0, 5, 2], outputs("no"))
    yield against(claim(COUNTED, rows, "add-remove", "1/9"), [0, 2, 2], [0, 3, 2], outputs("no"))
    yield against(claim(COUNTED, rows, "swap", "1/9"), [1, 2, 2], [0, 3, 2], outputs("no"))
    sums = draw(
        "x",
        "laplace",
        "1",
        ["release", plus(Q1, X), draw("y", "laplace", "1", ["release", plus(Q1, X, Q2, Y), STOP])],
    )
    each = {**outputs(("1", None), (None, "0")), "increments": True}
    yield against(claim(sums, answers(2)), [1, 0], [0, 1], each)
    tossed = ["coin", "1/3", draw("x", "laplace", "1", when(plus(Q1, X))), say("no")]
    yield against(claim(tossed, answers(1), level="1/9"), [1], [0], outputs("yes"))
    yield against(BEST | {"level": "1/2"}, [4, 4, 0], [5, 5, -1], outputs("3rd"))
