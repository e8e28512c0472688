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

from ahdp_verify import Proved, Refuted, RefutedProgram, dp, log, number, verify  # noqa: E402
from ahdp_verify.classroom.lessons import LESSONS, notebook_path  # noqa: E402
from ahdp_verify.classroom.pictures import Row  # noqa: E402
from ahdp_verify.kernel.terms.expression import substitute  # noqa: E402
from ahdp_verify.plots import float_value  # noqa: E402

F = Fraction
FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NAMES = sorted(
    (path.stem for path in FOLDER.glob("*.py")), key=lambda stem: int(stem.partition("_")[0])
)


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


def test_the_course_lists_the_notebooks() -> None:
    """The numbers run from 1, the files are those of the folder, and each shows its own goals."""
    assert [lesson.number for lesson in LESSONS] == [*range(1, 11)]
    assert [lesson.file for lesson in LESSONS] == [f"{name}.py" for name in NAMES]
    for lesson in LESSONS:
        source = notebook_path(lesson.number).read_text(encoding="utf-8")
        assert f"mo.md(heading({lesson.number}))" in source
        assert f'app_title="{lesson.number}. {lesson.title}"' in source


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
    copy = tmp_path / "notebook.py"  # marimo leaves files beside what it exports
    copy.write_bytes((FOLDER / "4_why_hdp_fails.py").read_bytes())
    line = [sys.executable, "-m", "marimo", "export", "html", str(copy)]
    line += ["-o", str(tmp_path / "page.html"), "--no-include-code"]
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
        "The graph of datasets" in page
        and "aria-label" in page
        and "Traceback" not in page
        and "marimo-error" not in page
    )


def feedback(found: dict[str, Any], exercise: str, *answer: str) -> bool | None:
    """Whether an exercise of a notebook accepts an answer."""
    accepted = found[f"{exercise}_exercise"].check(*answer).accepted
    assert accepted is None or isinstance(accepted, bool)
    return accepted


# Notebook, exercise, answers that are right in different forms, answers that are wrong.  They are
# worked out here by hand, as a student would.
ANSWERS: list[tuple[int, str, list[Any], list[Any]]] = [
    (1, "level", ["x/2", "eps", "x*(1 - exp(-eps))/2"], ["eps/10", "0", "x*(1 - exp(-eps))/3"]),
    (1, "scale", ["2", "4/2"], ["3", "1"]),
    (1, "event", ["s < 0", "s > 2", "s >= 3 and s < 4"], ["s >= 0 and s < 1", "s < 1 or s >= 1"]),
    (2, "coin", ["3/4", "0.75"], ["1/2", "0.7501"]),
    (2, "least", ["log(3)", "log(9)/2"], ["log(2)", "1.0986"]),
    (2, "truth", ["1/(1 + exp(-eps))", "exp(eps)/(1 + exp(eps))"], ["1 - exp(-eps)/2", "1/2"]),
    (2, "estimate", ["2*y - 1/2", "(4*y - 1)/2"], ["y", "y - 1/4", "2*y"]),
    (3, "sum", ["(1 + x)/3", "1"], ["x/3", "1/2"]),
    (3, "budget", ["8/3", "100"], ["2", "1"]),
    (4, "event", [("n == 0", "0,0,0", "1,0,0")], [("n == 1", "0,0,1", "0,1,0")]),
    (4, "power", ["1/(1 + exp(-eps))"], ["1 - eps", "exp(eps)/2"]),
    (5, "level", ["log(2)", "1"], ["log(3/2)", "1/2"]),
    (5, "kept", ["(exp(eps) - 1)/4", "eps/5"], ["1/2", "(exp(eps) - 1)/3"]),
    (5, "noise", ["log(6)", "1"], ["log(8)", "2"]),
    (6, "error", ["exp(-1/2)/2"], ["1 - exp(-1/2)/2", "exp(-1)/2"]),
    (6, "delta", ["1 - exp(-1/4)", "1/4"], ["1/5", "0"]),
    (6, "odds", ["exp(1)/(1 + exp(1))"], ["exp(1)", "1/2"]),
    (7, "guess", ["1/10", "0.1"], ["1/8", "1/4"]),
    (7, "formula", ["1/(1 + 2*exp(-eps))"], ["1/(1 + exp(-eps))"]),
    (7, "limit", ["(1 - exp(-eps))/(1 + exp(-eps))"], ["1 - exp(-eps)"]),
    (8, "presence", ["step 1"], ["step 2", "step 3", "every step holds"]),
    (8, "weights", ["step 3"], ["step 1", "step 2", "every step holds"]),
    (8, "lower", ["every step holds"], ["step 1", "step 2", "step 3"]),
    (
        8,
        "proof",
        ["<= exp(a)*q*k by p <= exp(a)*q, k >= 0\n<= exp(a + b)*q*m"],
        ["<= exp(a + b)*q*m", "<= q*k\n<= exp(a + b)*q*m", "<= exp(a)*q*k"],
    ),
    (9, "scale", ["2"], ["3", "1"]),
    # 1/3 for the threshold, 2/k for the one answer that is output as true
    (10, "noise", ["3", "1/3 + 8/3", "100"], ["2", "2.999"]),
    (
        10,
        "outputs",
        # q[2] < rho <= q[1] at one input and at the other not, in either order
        [("true, false", "1/2, 0", "1/2, 1"), ("TRUE, False", "1, 1", "1, 0")],
        # the same at both; a ratio that is allowed; answers that move up and down
        [("true, true", "0, 0", "1/2, 1"), ("false", "0", "1"), ("true, false", "1, 0", "0, 1")],
    ),
    (10, "eva", ["1/(2*b)", "1/b/2", "0.5/b"], ["1/b", "0", "2/b"]),
]


@pytest.mark.parametrize(("number", "exercise", "right", "wrong"), ANSWERS)
def test_exercises_accept_every_right_answer(
    number: int, exercise: str, right: list[Any], wrong: list[Any]
) -> None:
    _, found = run(NAMES[number - 1])
    for answers, accepted in ((right, True), (wrong, False)):
        for answer in answers:
            given = answer if isinstance(answer, tuple) else (answer,)
            assert feedback(found, exercise, *given) is accepted, (exercise, answer)


@pytest.mark.parametrize(
    ("number", "exercise", "right"),
    [(3, "choice", 2), (4, "choice", 0), (9, "record", 1), (10, "more", 1)],
)
def test_one_choice_of_an_exercise_is_right(number: int, exercise: str, right: int) -> None:
    _, found = run(NAMES[number - 1])
    choices = found[f"{exercise}_exercise"].choices
    accepted = [feedback(found, exercise, choice) for choice in choices]
    assert accepted == [i == right for i in range(len(choices))]


def html(thing: Any) -> str:
    """What a cell shows, as HTML; "" if it shows something else."""
    if isinstance(thing, Row):
        return thing._repr_html_()
    return str(getattr(thing, "text", ""))


@pytest.mark.parametrize("title", NAMES)
def test_a_notebook_shows_figures(title: str) -> None:
    shown, _ = run(title)
    drawn = "".join(map(html, shown))
    assert drawn.count("<figure") == drawn.count("<svg") > 0
    assert drawn.count('aria-label="') == drawn.count("<figure")


def test_a_first_mechanism() -> None:
    """The weighted sum with b = 2 = max x: alpha f / F is the exact level (E7, S5)."""
    _, found = run("1_first_mechanism")
    verdict = found["verdict"]
    assert isinstance(verdict, Proved)
    assert verdict.scope_text == "all datasets" and verdict.trusts == ()
    assert [str(row.low) for row in found["least"].rows] == ["0", "(1 - exp(-1))/2", "1"]


@pytest.mark.parametrize(
    ("scale", "share", "chosen", "kept"),
    [
        # least levels alpha x / 4 (S5), so alpha / 2 is just kept by (2, oo)
        (F(4), F(1, 2), 1, True),
        (F(2), F(3, 4), 0, False),
    ],
)
def test_a_first_mechanism_at_other_positions(
    scale: Fraction, share: Fraction, chosen: int, kept: bool
) -> None:
    _, found = run("1_first_mechanism", scale=scale, share=share, chosen=chosen)
    assert isinstance(found["verdict"], Proved if kept else Refuted)
    weights = (0.0, 1 - math.exp(-1), 1.0)
    assert [float_value(row.level) for row in found["least"].rows] == pytest.approx(
        [w * x / float(scale) for w, x in zip(weights, (0, 1, 2), strict=True)]
    )
    assert float_value(found["level"]) == pytest.approx(float(share) * weights[chosen])


# factor and p: the suite takes the first, the middle and the last, where the level is kept with and
# without slack, and where it is not
@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("factor", "p"),
    [
        (F(1), F(1, 2)),
        (F(1), F(3, 4)),
        (F(1), F(19, 20)),
        (F(3), F(1, 2)),
        (F(3), F(19, 20)),
        (F(3), F(3, 4)),
        (F(19), F(3, 4)),
        (F(19), F(19, 20)),
        (F(19), F(1, 2)),
    ],
)
def test_randomised_response(p: Fraction, factor: Fraction) -> None:
    """The least level is log(p / (1 - p))."""
    _, found = run("2_randomised_response", p=p, factor=factor)
    assert isinstance(found["verdict"], Proved if p / (1 - p) <= factor else Refuted)


@pytest.mark.parametrize(("b1", "b2"), [(F(2), F(4)), (F(6), F(2))])
def test_the_budget(b1: Fraction, b2: Fraction) -> None:
    """The record with the value 2 has the level 1/b1 + 2/b2."""
    _, found = run("3_composition", b1=b1, b2=b2)
    within = 1 / b1 + 2 / b2 <= 1
    assert isinstance(found["verdict"], Proved if within else Refuted)
    assert isinstance(found["mean_verdict"], Proved) or not within


def test_why_hdp_fails() -> None:
    """STATEMENTS rows 46 (length: HDP, power 1; AHDP, power 1/2), 42 (1 / (1 + exp(-eps))), 11
    (no neighbour), 9 and 10 (the limits; output 0, E10).
    """
    _, found = run("4_why_hdp_fails")
    assert [str(D) for D in found["under_hdp"].isolated] == ["{4 x (1, 0)}"]
    assert len(found["under_hdp"].components) == 5
    assert found["under_ahdp"].isolated == () and len(found["under_ahdp"].components) == 1
    assert [len(found[key].edges) for key in ("under_hdp", "under_ahdp")] == [10, 30]
    assert isinstance(found["length_is_hdp"], Proved)
    assert found["length_is_hdp"].scope_text == "all datasets"
    assert isinstance(found["length_is_ahdp"], Refuted) and found["length_is_ahdp"].loss is None
    assert found["full"].value == number(1) and found["conceded"].value == number(F(1, 2))
    assert isinstance(found["coupled_is_hdp"], Proved) and found["coupled_is_hdp"].vacuous
    assert isinstance(found["coupled_is_ahdp"], Refuted)
    assert found["betrayed"].value == number(1)
    assert found["betrayed"].strategy["s = 0"] == {"some have x = 0": number(1)}


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("d", "E"), [("1/2", "2"), ("1/1000", "1000")])
def test_the_example_of_the_paper_on_its_way_to_the_limit(d: str, E: str) -> None:
    """Rows 9 and 10: where everybody demands d the ends have the probability exp(-6d)/2 each; with
    one other person the output tends to 0.  The integrals are worked out with floats.
    """
    _, found = run("4_why_hdp_fails", d=d, E=E)
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


def laplace(x: float) -> float:
    """The probability that noise of scale 1 is at most x."""
    return math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2


@pytest.mark.parametrize(("t", "share", "kept"), [(4, F(1), True), (9, F(5, 4), False)])
def test_sampling(t: int, share: Fraction, kept: bool) -> None:
    """For any mechanism only (exp(eps) - 1)/(exp(t) - 1) is small enough."""
    _, found = run("5_sampling", t=log(t), share=share)
    assert isinstance(found["verdict"], Proved if kept else Refuted)
    assert not kept or isinstance(found["count_verdict"], Proved)


def test_delta() -> None:
    """Laplace noise of scale 1: the least delta is 1 - exp((level - 1)/2), here 0.31."""
    for slack, kept in ((F(3, 10), False), (F(7, 20), True)):
        _, found = run("6_tradeoff", scale=F(1), level=F(1, 4), slack=slack)
        assert isinstance(found["verdict"], Proved if kept else Refuted)
        assert found["curve"].level == number(1)


# STATEMENTS O1 and S1: k, exp(eps), powers for t = 1, 2, ..., the limit of large t, the paper's
# bound (1 - q)^k of it (claim:2 A1)
O1 = [
    (1, 3, "3/4 3/5 9/16 9/17 27/52 27/53", "1/2", "2/3"),
    (2, 2, "1/2 8/23 1/4 8/39 64/351", "1/9", "1/4"),
    (3, 2, "2/5 1/4 32/183", "1/27", "1/8"),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("k", "e", "powers", "limit", "bound"), O1)
def test_power(k: int, e: int, powers: str, limit: str, bound: str) -> None:
    wanted = [F(x) for x in powers.split()]
    _, found = run("7_power", eps=log(e), k=k, t=len(wanted))
    assert [row.best.value for row in found["table"].rows] == list(map(number, wanted))
    assert found["limit"] == number(F(limit)) and found["bound"] == number(F(bound))
    assert found["best"].value == number(wanted[0 if k > 2 else 1])
    assert isinstance(found["private"], Proved)
    lines = found["curve_picture"](found["table"]).figure.axes[0].lines
    assert list(lines[0].get_ydata()) == pytest.approx(list(map(float, wanted)))
    assert lines[2].get_ydata()[0] == pytest.approx(float(F(limit)))
    rows = found["exact_table"](found["table"]).splitlines()[2:]
    assert all(
        rf"\frac{{{x.numerator}}}{{{x.denominator}}}" in row
        for x, row in zip(wanted, rows, strict=True)
    )


def test_power_of_one_value_for_all_levels() -> None:
    """S2: (1 - q) / (1 + q - q^(floor(t/2) + 1) - q^(ceil(t/2) + 1))."""
    _, found = run("7_power")
    q = math.exp(-0.7)
    for t, (claim, proof) in found["one_value"].items():
        assert isinstance(proof, Proved) and proof.scope_text.endswith("all datasets, 0 < eps")
        assert float_value(substitute(claim.value, {"eps": number("7/10")})) == pytest.approx(
            (1 - q) / (1 + q - q ** (t // 2 + 1) - q ** ((t + 1) // 2 + 1))
        )


@pytest.mark.parametrize(("fact", "valid"), [(F(1, 2), False), (F(1), True), (F(2), False)])
def test_the_fact_that_a_step_needs(fact: Fraction, valid: bool) -> None:
    """exp(y) >= 1 for y >= 0 is just enough, and anything above it is false at y = 0."""
    _, found = run("8_false_line", fact=fact)
    assert found["examination"].valid is valid
    assert valid or found["examination"].first.number == 3


def test_a_certificate_of_ones_own() -> None:
    _, found = run("9_certify")
    assert isinstance(found["verdict"], Proved) and found["checked"] == found["verdict"]
    assert found["explanation"].title.startswith("Proof that my mechanism is AHDP")
    _, less = run("9_certify", b=F(3, 2), written=found["written"])
    assert isinstance(less["verdict"], Refuted)


@pytest.mark.parametrize(
    ("relation", "threshold", "query", "c"),
    [("all", 3, 3, 2), ("all", 2, 3, 1), ("increasing", 2, 2, 1)],
)
def test_the_scales_of_a_sparse_vector(relation: str, threshold: int, query: int, c: int) -> None:
    """1/threshold, and for each of c answers 2/(c query), or 1/(c query) where a person is
    added.
    """
    _, found = run("10_noise_programs", relation=relation, threshold=threshold, query=query, c=c)
    kept = F(1, threshold) + F(2 if relation == "all" else 1, query) <= 1
    assert isinstance(found["verdict"], Proved if kept else RefutedProgram)


# field.md, section 3: M17 to M22, in the order of the paper, for n = 1 to 4 answers and c = 1; "oo"
# where a pattern has probability 0
VARIANTS = {
    "all": ["1/4 1/2 3/4 1", "1/4 1/2 3/4 1", "1/2 1 3/2 2", "1/4 3/2 7/4 7/4", "1/2 oo oo oo", "1/2 1 3/2 2"],
    "increasing": ["1/4 1/2 1/2 3/4", "1/4 1/2 1/2 3/4", "1/2 1 3/2 2", "1/4 3/4 1 1", "1/2 oo oo oo", "1/2 1/2 1 1"],
}  # fmt: skip


@pytest.mark.parametrize("relation", VARIANTS)
def test_six_variants_of_a_sparse_vector(relation: str) -> None:
    sliders = (
        {} if relation == "all" else {"relation": relation, "threshold": 2, "query": 2, "c": 1}
    )
    _, found = run("10_noise_programs", **sliders)
    eps = {"eps": number(1)}
    assert [
        [str(substitute(level, eps)) for level in levels] for levels in found["least"].values()
    ] == [levels.split() for levels in VARIANTS[relation]]


@pytest.mark.parametrize(("relation", "wrong"), [("all", "3456"), ("increasing", "356")])
def test_which_variants_are_wrong(relation: str, wrong: str) -> None:
    """For c = 1 and any number of answers; where a person is added, the fourth is right."""
    _, found = run("10_noise_programs")
    for key, program in found["VARIANTS"].items():
        verdict = verify(dp(program, "eps", relation))
        assert isinstance(verdict, RefutedProgram if key[-1] in wrong else Proved), key
    assert isinstance(found["variant_verdict"], RefutedProgram)
    assert set(found["BY_HAND"]) == set(found["VARIANTS"])


def test_whoever_moves_all_counts_alike_costs_nothing() -> None:
    """The largest difference of two of the steps of the counts, divided by the scale."""
    _, found = run("10_noise_programs")
    levels = {key: row.level for key, row in found["personal"].items()}
    assert [str(substitute(level, {"b": number(1)})) for level in levels.values()] == (
        ["0", "1", "1/2", "1/2", "0"]
    )
