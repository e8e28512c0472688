"""The notebooks are run as programs, with other positions of their sliders too; what they show
is compared with STATEMENTS and with formulas worked out here.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import math
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("marimo", reason="the extra notebooks")
pytest.importorskip("highspy", reason="the extra notebooks")
matplotlib = pytest.importorskip("matplotlib", reason="the extra notebooks")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from ahdp_verify import Proved, Refuted, log, number, oo  # noqa: E402
from ahdp_verify.kernel.decimals import approximate_rational  # noqa: E402
from ahdp_verify.kernel.terms.expression import substitute  # noqa: E402
from ahdp_verify.plots import float_value  # noqa: E402

F = Fraction
FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


@functools.cache
def run(title: str, **sliders: Any) -> tuple[list[Any], dict[str, Any]]:
    """What the cells show and define, where the cell that reads the sliders is replaced by these
    values.
    """
    spec = importlib.util.spec_from_file_location(f"notebook_{title}", FOLDER / f"{title}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shown, defined = module.app.run(defs=sliders or None)
    return list(shown), dict(defined)


def test_the_notebooks_are_there() -> None:
    assert {"first_mechanism", "why_hdp_fails", "power"} <= set(NAMES)


@pytest.mark.parametrize("title", NAMES)
def test_a_notebook_uses_the_library_and_draws(title: str) -> None:
    tree = ast.parse((FOLDER / f"{title}.py").read_text(encoding="utf-8"))
    modules = {
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    roots = {str(module).partition(".")[0] for module in modules}
    assert roots <= {
        "ahdp_verify",
        "marimo",
        "matplotlib",
        *sys.stdlib_module_names,
    } and not roots & {"math", "decimal", "random", "statistics"}


def test_marimo_finds_nothing_wrong() -> None:
    """No name is defined twice, no circle of cells, nothing that marimo would write in another
    way.
    """
    done = subprocess.run(
        [sys.executable, "-m", "marimo", "check", "--strict", str(FOLDER)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_notebook_becomes_a_page(tmp_path: Path) -> None:
    line = [
        sys.executable,
        "-m",
        "marimo",
        "export",
        "html",
        str(FOLDER / "why_hdp_fails.py"),
        "-o",
        str(tmp_path / "page.html"),
        "--no-include-code",
    ]
    environment = {
        "PYTHONPATH": str(FOLDER.parent),
        "HOME": str(tmp_path),
        "MPLBACKEND": "Agg",
        "PATH": "",
    }
    done = subprocess.run(
        line,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert (
        "isolated nodes" in page
        and "data:image/png;base64" in page
        and "Traceback" not in page
        and "marimo-error" not in page
    )


def figures(shown: list[Any]) -> list[Figure]:
    return [thing for thing in shown if isinstance(thing, Figure)]


def test_a_first_mechanism() -> None:
    """The weighted sum with b = 2 = max x: alpha f / F is the exact level (E7, S5), so alpha is
    kept and 2 is the least noise; half of it doubles the loss.
    """
    shown, found = run("first_mechanism")
    verdict, refuted = found["verdict"], found["refuted"]
    assert (
        isinstance(verdict, Proved)
        and verdict.scope_text == "all datasets"
        and verdict.trusts == ()
        and found["checked"] == verdict
    )
    assert (found["noise"].value, found["noise"].exact, found["noise"].attained) == (
        number(2),
        True,
        True,
    )
    assert [str(row.low) for row in found["least"].rows] == ["0", "(1 - exp(-1))/2", "1"]
    assert found[
        "explanation"
    ].title == "Proof that weighted sum is AHDP at level 1 - exp(-eps)" and any(
        "triangle inequality" in line.reason for line in found["explanation"].lines
    )
    assert (
        isinstance(refuted, Refuted)
        and refuted.loss is not None
        and str(refuted.counterexample.event) == "s < 0"
    )
    probabilities = {
        float(approximate_rational(refuted.first_probability)),
        float(approximate_rational(refuted.second_probability)),
    }
    assert sorted(probabilities) == pytest.approx(
        [math.exp(-2) / 2, 0.5]
    )  # Laplace noise of scale 1 around 0 and around 2, below 0
    (picture,) = figures(shown)
    labels = [text.get_text() for text in picture.axes[0].get_legend().get_texts()]
    assert labels == [
        "at {}",
        "probability 1/2",
        "at {(2, oo)}",
        "probability exp(-2)/2 = 0.0676676",
    ]
    assert picture.axes[0].get_title() == "the event s < 0"


@pytest.mark.parametrize(
    ("scale", "share", "chosen", "kept"),
    [
        (
            F(4),
            F(1, 2),
            1,
            True,
        ),  # least levels alpha x / 4 (S5), so alpha / 2 is just kept by (2, oo)
        (F(2), F(3, 4), 0, False),
    ],
)
def test_a_first_mechanism_at_other_positions(
    scale: Fraction, share: Fraction, chosen: int, kept: bool
) -> None:
    _, found = run("first_mechanism", scale=scale, share=share, chosen=chosen)
    assert (
        isinstance(found["verdict"], Proved if kept else Refuted)
        and found["checked"].to_json() == found["verdict"].to_json()
    )
    weights = (0.0, 1 - math.exp(-1), 1.0)
    assert [float_value(row.level) for row in found["least"].rows] == pytest.approx(
        [w * x / float(scale) for w, x in zip(weights, (0, 1, 2), strict=True)]
    )
    assert float_value(found["level"]) == pytest.approx(
        float(share) * weights[chosen]
    )  # what the claim says of the record that is added


def test_the_curves_of_the_first_mechanism_are_the_laws() -> None:
    """Laplace densities around the weighted sums, written here with floats, and a log-ratio that
    is flat far out.
    """
    _, found = run("first_mechanism")
    left, right = found["two_densities"](
        found["mechanism"], found["before"], found["after"], 1.0
    ).axes
    alpha = 1 - math.exp(-1)
    for line, centre in zip(left.lines, (2 * alpha, 2 * alpha + 2), strict=True):
        assert line.get_ydata() == pytest.approx(
            [math.exp(-abs(x - centre) / 2) / 4 for x in line.get_xdata()]
        )
    assert right.lines[0].get_ydata()[[0, -1]] == pytest.approx([1, -1])


def test_why_hdp_fails() -> None:
    """STATEMENTS rows 46 (length: HDP, power 1; AHDP, power 1/2), 42 (1 / (1 + exp(-eps))), 11
    (no neighbour), 9 and 10 (the limits; output 0, E10).
    """
    shown, found = run("why_hdp_fails")
    assert [str(D) for D in found["under_hdp"].isolated] == ["{4 x (1, 0)}"] and len(
        found["under_hdp"].components
    ) == 5
    assert found["under_ahdp"].isolated == () and len(found["under_ahdp"].components) == 1
    assert (
        isinstance(found["length_is_hdp"], Proved)
        and found["length_is_hdp"].scope_text == "all datasets"
    )
    assert isinstance(found["length_is_ahdp"], Refuted) and found["length_is_ahdp"].loss is None
    assert found["full"].value == number(1) and found["conceded"].value == number(F(1, 2))
    assert [f.value for f in found["concessions"]] == [
        number(x) for x in (F(1, 2), F(2, 3), F(3, 4), F(10, 11), 1)
    ]
    assert found["demands"] == [number(0), log(2), log(3), log(10), oo]
    assert (
        isinstance(found["free_is_hdp"], Proved)
        and isinstance(found["coupled_is_hdp"], Proved)
        and found["coupled_is_hdp"].vacuous
    )
    assert isinstance(found["coupled_is_ahdp"], Refuted)
    assert isinstance(found["limit_is_hdp"], Proved) and found["limit_is_hdp"].vacuous
    assert (
        isinstance(found["limit_is_swap"], Refuted)
        and found["limit_is_swap"].loss is None
        and isinstance(found["limit_is_ahdp"], Proved)
    )
    assert found["betrayed"].value == number(1) and found["betrayed"].strategy["s = 0"] == {
        "some have x = 0": number(1)
    }
    graphs, laws = figures(shown)
    assert [len(axes.lines) for axes in graphs.axes] == [10, 30] and "isolated" in [
        text.get_text() for text in graphs.axes[0].texts
    ]
    assert len(laws.axes) == 4


@pytest.mark.parametrize(("d", "E"), [("1/2", "2"), ("0", "10000")])
def test_the_example_of_the_paper_on_its_way_to_the_limit(d: str, E: str) -> None:
    """Row 9: at d = 0 the ends have the probability 1/2 each; row 10: with one other user the
    output tends to 0.  The integrals are worked out with floats.
    """
    _, found = run("why_hdp_fails", d=d, E=E)
    a, b = float(F(d)), float(F(E))
    assert [str(at) for at, _ in found["all_alike"].atoms] == ["-1", "3"]
    assert [float_value(mass) for _, mass in found["all_alike"].atoms] == pytest.approx(
        [math.exp(-6 * a) / 2] * 2
    )
    assert float_value(found["errors"].type_one) == pytest.approx(
        (math.exp(-2.7 * a) - math.exp(-3.3 * a)) / 2, abs=1e-12
    )
    total, centre = 2 * a + b, 2 * a / (2 * a + b)
    assert float_value(found["errors"].type_two) == pytest.approx(
        1 - laplace((0.1 - centre) * total) + laplace((-0.1 - centre) * total), abs=1e-12
    )
    assert d != "0" or (
        found["errors"].type_one == number(0) and float_value(found["errors"].type_two) < 1e-300
    )


def laplace(x: float) -> float:
    """The probability that noise of scale 1 is at most x."""
    return math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2


# STATEMENTS O1 and S1: k, exp(eps), powers for t = 1, 2, ..., the limit of large t, the paper's
# bound (1 - q)^k of it (claim:2 A1)
O1 = [
    (1, 3, "3/4 3/5 9/16 9/17 27/52 27/53", "1/2", "2/3"),
    (2, 2, "1/2 8/23 1/4 8/39 64/351", "1/9", "1/4"),
    (3, 2, "2/5 1/4 32/183", "1/27", "1/8"),
]
WHERE_THEY_STAND = (
    2,
    2,
)  # k and exp(eps) of the sliders when the notebook is opened; then its own cell reads them


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("k", "e", "powers", "limit", "bound"), O1)
def test_power(k: int, e: int, powers: str, limit: str, bound: str) -> None:
    wanted = [F(x) for x in powers.split()]
    shown, found = run(
        "power", **({} if (k, e) == WHERE_THEY_STAND else {"eps": log(e), "k": k, "t": len(wanted)})
    )
    assert (found["eps"], found["k"], found["t"]) == (log(e), k, len(wanted))
    assert [row.best.value for row in found["table"].rows] == list(map(number, wanted))
    assert found["limit"] == number(F(limit)) and found["bound"] == number(F(bound))
    assert (
        found["best"].value == number(wanted[1])
        and found["checked"] == found["best"].verdicts[0]
        and isinstance(found["private"], Proved)
    )
    lines = found["curve"](found["table"]).axes[0].lines
    assert list(lines[0].get_ydata()) == pytest.approx(list(map(float, wanted))) and lines[
        2
    ].get_ydata()[0] == pytest.approx(float(F(limit)))
    rows = found["exact_table"](found["table"]).splitlines()[2:]
    assert all(
        rf"\frac{{{x.numerator}}}{{{x.denominator}}}" in row
        for x, row in zip(wanted, rows, strict=True)
    )
    assert len(figures(shown)) == 1


def test_power_for_all_levels_and_the_ball_bound() -> None:
    """claim:2 A2 and B2, S2, and O3: 2900/4133 against the ball bound 1000/1423."""
    _, found = run("power", eps=log(3), k=1, t=6)
    q = math.exp(-0.7)
    for k, best in found["one_missing"].items():
        assert best.verdicts[0].scope_text.endswith("0 < eps") and at(
            best.value, "7/10"
        ) == pytest.approx(1 / (1 + k * q))
    for t, (claim, proof) in found["one_value"].items():
        assert isinstance(proof, Proved) and proof.scope_text.endswith("all datasets, 0 < eps")
        assert at(claim.value, "7/10") == pytest.approx(
            (1 - q) / (1 + q - q ** (t // 2 + 1) - q ** ((t + 1) // 2 + 1))
        )
    assert found["three"].value == number(F(2900, 4133)) and found["ball"].claim.value == number(
        F(1000, 1423)
    )


def at(e: Any, eps: str) -> float:
    return float_value(substitute(e, {"eps": number(eps)}))
