"""`delta_curve` is exact at every level; its table and its picture show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify import plots
from ahdp_verify.analysis.divergence.curve import delta_curve, usual_levels
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, names, number
from ahdp_verify.kernel.terms.grammar import parse

EMPTY = Context.empty()
NOISY = Mechanism(
    Domain([(0, 1), (1, 1)]),
    outputs=[real("s")],
    density=parse("exp(-abs(s - sum(x)))/2", "law"),
    name="noisy sum",
)
FLIP = Mechanism(
    Values([0, 1]),
    outputs=[finite("r", [0, 1])],
    density=parse("piecewise((3/4, r == v), (1/4, true))", "law"),
    name="flip",
)


def equal(a: Expression | None, b: str) -> bool:
    return a is not None and (normal(a, EMPTY) - normal(parse(b, "value"), EMPTY)).is_zero


# Closed forms: 1 - exp(-(1 - t)/2) for Laplace noise of scale 1 and a shift by 1; 3/4 - exp(t)/4
# for a fair lie with probability 1/4.
@pytest.mark.parametrize(
    ("claim", "level", "value"),
    [
        (Claim(NOISY, "add-remove", number(1)), "0", "1 - exp(-1/2)"),
        (Claim(NOISY, "add-remove", number(1)), "1/3", "1 - exp(-1/3)"),
        (Claim(NOISY, "add-remove", number(1)), "1", "0"),
        (Claim(NOISY, "add-remove", number(1)), "2", "0"),
        (Claim(FLIP, "any", number(1)), "0", "1/2"),
        (Claim(FLIP, "any", number(1)), "log(2)", "1/4"),
        (Claim(FLIP, "any", number(1)), "1", "3/4 - exp(1)/4"),
        (Claim(FLIP, "any", number(1)), "log(3)", "0"),
    ],
)
def test_every_point_has_its_closed_form(claim: Claim, level: str, value: str) -> None:
    curve = delta_curve(claim, [level])
    assert curve.exact and equal(curve.points[0].value, value)


def test_the_table_has_one_line_for_each_level() -> None:
    curve = delta_curve(FLIP, ["0", "log(2)", "log(3)"], "any")
    assert str(curve).splitlines() == [
        "least delta of flip (any)",
        "level   delta  decimal  where           shown",
        "0       1/2    0.5      replace 0 by 1  exact",
        "log(2)  1/4    0.25     replace 0 by 1  exact",
        "log(3)  0      0                        exact",
    ]


def test_parameters_stay_in_the_expressions() -> None:
    m = Mechanism(
        Values([0, 1]),
        outputs=FLIP.outputs,
        density=parse("piecewise((p, r == v), (1 - p, true))", "law"),
        parameters={"p": "1/2 < p < 1"},
        name="flip",
    )
    curve = delta_curve(m, ["0"], "any")
    assert curve.exact and str(curve.points[0].value) == "2*p - 1" and curve.coordinates == ()


def test_the_usual_levels_end_at_the_level_of_the_claim() -> None:
    levels = usual_levels(Claim(NOISY, "add-remove", parse("log(3)", "level")))
    assert (
        levels[0] == number(0)
        and equal(levels[-1], "log(3)")
        and equal(levels[4], "log(3)/2")
        and not any(map(names, levels))
    )
    assert equal(usual_levels(Claim(NOISY, "ahdp", parse("eps", "level")))[-1], "2")


def test_no_level_at_all_is_refused() -> None:
    with pytest.raises(BadInput, match="the list is empty"):
        delta_curve(NOISY, [])


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    curve = delta_curve(FLIP, ["0", "log(2)", "log(3)"], "any")
    plots.draw_curve(curve, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput, match="there is no folder"):
        plots.draw_curve(curve, tmp_path / "missing" / "curve.png")


def test_without_matplotlib_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(BadInput, match=r"pip install 'ahdp-verify\[plots\]'"):
        plots.figure_module()
