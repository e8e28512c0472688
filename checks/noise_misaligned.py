"""Records about noise programs whose alignments show less than they should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from forge import Record, digest
from noise_meaningless import SAID, SURE, ZZ, silent, waited
from noise_parts import (
    FREE,
    Q1,
    RHO,
    STOP,
    B,
    Q,
    T,
    X,
    against,
    answers,
    between,
    by,
    claim,
    draw,
    head,
    minus,
    outputs,
    plus,
    proof_of,
    proved,
    quantity,
    region,
    rounds,
    runs,
    shifts,
    when,
)
from noise_true import (
    ABOVE,
    BEST,
    BEST_SHIFTS,
    BY_GAP,
    CORNERS,
    CORNERS_2,
    FIRST,
    HALF,
    IN_NO,
    NONE,
    NOTHING,
    ON_FIRST,
    ON_YES,
    REGIONS,
    above,
    above_one,
    contest,
    cut_badly,
    noisy,
    two,
    waiting,
)


def yes_no(level: Any = "0", **more: Any) -> Any:
    """Whether an answer with noise is positive; 1 is the least level."""
    return claim(draw("x", "laplace", "1", when(plus(Q1, X))), answers(1), level=level, **more)


def misaligned() -> Iterator[Record]:
    good = proved(claim(noisy(), answers(1)), [runs(shifts(by(FIRST)))])
    other = {**good["certificate"], "claim": "0" * 64}
    changed = {k: v for k, v in good.items() if k != "sha256"} | {"certificate": other}
    yield {**changed, "sha256": digest(changed)}
    for kind in (
        NONE,
        NOTHING,
        ABOVE,
        region([], []),
        between(None, None),
        None,
        5,
        {"is": "mass"},
    ):
        yield proof_of(claim(noisy(), answers(1)), kind)
    example = against(claim(noisy(), answers(1)), [0], [1], outputs("a"))["counterexample"]
    yield proof_of(claim(noisy(), answers(1)), example)
    yield proved(claim(noisy(), answers(1)), [])
    yield proved(claim(noisy(), answers(1), "increasing"), [runs(shifts(by(FIRST)))])
    yield proved(claim(noisy(), answers(1)), [ABOVE])
    yield proved(above(), [NOTHING])
    yield proved(above(), [ABOVE], REGIONS[:1])
    yield proved(claim(noisy(), answers(1)), [runs()])
    yield proved(claim(noisy(), answers(1)), [runs(NONE)])
    yield proved(claim(noisy(), answers(1), level="1/2"), [runs(shifts(by(FIRST)))])
    yield proved(claim(noisy("gumbel"), answers(1), level="2"), [runs(shifts(by(FIRST)))])
    for shift in (0, {"q[1]": "-1", "": "1/9"}, {"q[2]": "0"}, {"zz": "1"}):
        yield proved(claim(noisy(), answers(1), level="2"), [runs(shifts(by(shift)))])
    twice = shifts([[["q[1]", quantity("-1")], ["q[1]", quantity("-1")]]])
    yield proved(claim(noisy(), answers(1)), [runs(twice)])
    part = proved(yes_no("1"), [runs(shifts(by({"q[1]": "-1/2"})), shifts(by(FIRST)))])
    yield part
    yield proved(claim(two(), answers(2)), [runs(shifts(*CORNERS[:3]), shifts(*CORNERS_2))])
    yield proved(claim(two(), answers(2)), [runs(shifts(*CORNERS_2), shifts(*CORNERS))])
    whole, half = claim(noisy("geometric"), answers(1, True)), claim(noisy("geometric"), answers(1))
    yield proved(half, [runs(shifts(by(FIRST)))])
    yield proved(whole | {"level": "2"}, [runs(shifts(by({"q[1]": "-1", "": "1/2"})))])
    yield proved(half, [runs(shifts(by(1), by(-1)))])
    yield proved(half | {"relation": "one"}, [runs(shifts(by(d))) for d in (-1, 1)])
    steep = claim(draw("x", "geometric", "1", when(plus(Q1, X))), answers(1, True), level="1")
    yield proved(steep, [runs(shifts(by("1/2")), shifts(by("-1/2")))])
    for never in (
        ((-1, 1),),
        ((9, 1),),
        ((0, -1), (1, -1)),
        ((0, 1),),
        ((0, 1), (1, 1)),
        ((0, 0), (1, 0)),
    ):
        shown = shifts(never=never)
        yield proved(yes_no(), [runs(shown, shown)])
        exact = when("1", ["release", Q1, STOP], ["release", Q1, STOP])
        yield proved(claim(exact, answers(1), level="0"), [runs(shown, shown)])
        gap = when(plus(Q1, X), when(minus(T, plus(Q1, X)), ["release", Q1, STOP]))
        said = claim(draw("x", "laplace", "1", gap), answers(1), parameters=FREE)
        yield proved(said, [runs(shown, *[shifts(by(FIRST))] * 2)])
    touching = when(plus(Q1, X), when(plus(Q1, X), SAID, SAID, ">="), relation=">=")
    on_line = shifts(never=((0, 1), (1, 1)))
    yield proved(
        claim(
            draw(
                "x",
                "geometric",
                "1",
                when(
                    plus(Q1, X),
                    when(["*", "-1", plus(Q1, X)], ["release", Q1, STOP], SAID, ">="),
                    SAID,
                    ">=",
                ),
            ),
            answers(1, True),
        ),
        [runs(on_line, shifts(by(FIRST)), shifts(by(FIRST)))],
    )
    del touching
    yield from merged_badly()
    yield from rounds_badly()
    yield from contests_badly()
    yield from cut_badly()


def merged_badly() -> Iterator[Record]:
    still = shifts(by(0))
    yield proved(yes_no(), [runs(still)], [region([0], [[[0]]])])
    yield proved(yes_no(), [runs(still, still)], [region([0], [[]]), region([1], [[]])])
    yield proved(yes_no(), [runs(still)], [region([0, 1], [[], []])])
    yield proved(yes_no(), [runs(still)], [region([1, 0], [[], []])])
    shown, pair = [shifts(by(FIRST))] * 2, [region([0], [[[0]]]), region([1], [[[0]]])]
    yield proved(yes_no("1"), [runs(*shown)], [*pair, region([], [])])
    for sums in ([[[-1]]], [[[5]]], [[[]]], [[[0], []]], [[[0]], [[0]]], []):
        yield proved(yes_no("1"), [runs(*shown)], [region([0], sums), pair[1]])
    yield proved(yes_no("1"), [runs(*shown, still)], [*pair, pair[1]])
    coin = ["coin", "1/2", when(plus(Q1, X)), when(plus(Q1, X))]
    tossed = claim(draw("x", "laplace", "1", coin), answers(1))
    regions = [region([0, 2], [[[0]], [[0]]]), region([1, 3], [[[0]], [[0]]])]
    yield proved(tossed, [runs(*shown)], regions)
    constant = claim(draw("x", "laplace", "1", when(plus(Q1, X, T))), answers(1), parameters=FREE)
    yield proved(constant, [runs(*shown)], pair)
    late = when(plus(Q1, X), draw("y", "laplace", "1", SAID))
    said = claim(draw("x", "laplace", "1", late), answers(1))
    yield proved(said, [runs(shifts(by(FIRST, 0)), shown[1])], pair)
    same = [region([0, 2], [[[1]], [[1]]]), *REGIONS[1:]]
    yield proved(BEST, [runs(*BEST_SHIFTS)], same)
    ties = claim(
        draw(
            "x",
            "geometric",
            "1",
            when(plus(Q1, X), when(["*", "-1", plus(Q1, X)], SAID, SAID, ">="), SAID, ">="),
        ),
        answers(1, True),
        level="0",
    )
    parts = [region([0], [[[0]]]), region([1], [[[0]]]), region([2], [[[0]]])]
    yield proved(ties, [runs(*[shifts(by(0))] * 3)], parts)
    low = when(minus(X, Q1), SAID, when(plus(X, Q1), SAID, SAID))
    yield proved(
        claim(draw("x", "geometric", "1", low), answers(1, True)),
        [runs(*[shifts(by({"q[1]": 1})), shifts(by(FIRST)), shifts(by(FIRST))])],
        [region([0], [[[0]]]), region([1], [[[1]]]), region([2], [[[1]]])],
    )


def rounds_badly() -> Iterator[Record]:
    common: Any = {"left": HALF, "differences": [("rho", 1)]}
    start, end = [shifts(by(1))], [NONE]
    for ages in (0, -1, 51):
        yield proved(above(), [rounds(start, [head("wait", [[0, ON_YES]], end, **common)], ages)])
    for heads in (
        [],
        [head("elsewhere", [[0, ON_YES]], end, **common)],
        [head("wait", [[0, ON_YES]], end, phase=1, **common)],
        [head("wait", [[7, ON_YES]], end, **common)],
        [head("wait", [], end, **common)],
        [head("wait", [[0, ON_YES]] * 2, end, **common)],
        [head("wait", [[0, ON_YES[:1]]], end, **common)],
        [head("wait", [[0, ON_YES]], [], **common)],
        [head("wait", [[0, ON_YES]], end * 2, **common)],
        [head("wait", [[0, ON_YES]], end, left=HALF)],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("zz", 1)])],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("rho", 1), ("q", 0)])],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("rho", 2)])],
        [head("wait", [[0, ON_YES]], end, left=HALF, differences=[("rho", 1), ("rho", 2)])],
        [head("wait", [[0, [shifts(by(1)), shifts(by(0))]]], end, **common)],
        [head("wait", [[0, [shifts(by(2), by(0)), shifts(by(0))]]], end, **common)],
        [head("wait", [[0, ON_YES]], end, left="0", differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=["*", "-1", B], differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=B, differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=ZZ, differences=[("rho", 1)])],
        [head("wait", [[0, ON_YES]], end, left=["oo"], differences=[("rho", 1)])],
    ):
        yield proved(above(), [rounds(start, heads)])
    yield proved(above(), [rounds([], [head("wait", [[0, ON_YES]], end, **common)])])
    yield proved(
        above(), [rounds([shifts(by({"q": 1}))], [head("wait", [[0, ON_YES]], end, **common)])]
    )
    last = ["release", RHO, STOP]
    yield proved(above(states=waiting(end=last)), [ABOVE])
    first = [head("wait", [[0, IN_NO]], [], phase=0, **common)]
    yield proved(above("one"), [rounds(start, first)] * 2)
    one, other = above_one(1), above_one(-1)
    yield proved(above("one"), [one, one])
    yield proved(above("one"), [one | {"heads": one["heads"][:1]}, other])
    yield proved(above("one", law="geometric"), [one, other])


def contests_badly() -> Iterator[Record]:
    yield proved(contest(), [BY_GAP])
    yield proved(contest(), [runs(shifts(*[by({"": d}) for d in (0, 2, 0, 0)]))])
    yield proved(contest(level="0"), [runs(shifts())])
    yield proved(contest(gap=True), [runs(shifts())])
    yield proved(contest(gap=True), [ON_FIRST])
    yield proved(contest("geometric", True, gap=True), [BY_GAP])
    yield proved(contest(), [ON_FIRST], REGIONS[:1])
    yield proved(contest(level="0"), [runs(shifts(by(0)))])
    start = ["contest", [["x", "laplace", "2"]], plus(Q, X), False]
    for inputs, states in ((answers(1), []), (answers("n"), [["wait", [], SAID, STOP]])):
        yield proved(claim(start, inputs, states=states), [ON_FIRST])
    yield silent(when("1", start, SAID), paths=2)
    yield waited(start)
    for gap in (1, None, "true"):
        yield proved(contest(gap=gap), [ON_FIRST])
    for draws in (
        [["q", "laplace", "2"]],
        [["x", "cauchy", "2"]],
        [["x", "laplace", "-2"]],
        [["x", "laplace", SURE]],
        [["x", "laplace", "2"], ["x", "laplace", "2"]],
        [["x", "laplace"]],
        5,
    ):
        bad = ["contest", draws, plus(Q, X), False]
        two_ = runs(
            shifts(by({"q": "-1", "": "1"}, *[0] * (isinstance(draws, list) and len(draws) > 1)))
        )
        yield proved(claim(bad, answers("n")), [two_])
    for value in (ZZ, ["*", Q, Q], plus(Q, X, ZZ), Q1):
        bad = ["contest", [["x", "laplace", "2"]], value, False]
        yield proved(claim(bad, answers("n")), [ON_FIRST])
