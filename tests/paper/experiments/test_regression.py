"""Experiment 3: with no noise it is least squares, with noise it has the stated law; demands
have the moments of O7.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from ahdp_verify.catalogue.functional_mechanism import functional  # noqa: E402
from ahdp_verify.kernel.errors import BadInput  # noqa: E402
from ahdp_verify.paper.catalogue.regression import regression, regression_upper  # noqa: E402
from ahdp_verify.paper.experiments import housing  # noqa: E402
from ahdp_verify.paper.experiments.draws import DrawnHere  # noqa: E402
from ahdp_verify.paper.experiments.housing import COLUMNS, HEADER, Housing  # noqa: E402
from ahdp_verify.paper.experiments.regression import (  # noqa: E402
    RIDGE,
    THRESHOLDS,
    Release,
    all_fits,
    make_release,
    noisy_quadratic,
    parts_per_unit,
    random_demands,
    record_columns,
    regression_curves,
    repaired_coefficients,
    residuals,
    running_sums,
    solve_full,
    solve_upper,
    stationary_coefficients,
)
from ahdp_verify.paper.experiments.released import (  # noqa: E402
    laplace_outputs,
    noise_scales,
    record_contributions,
)
from tests.sweeps import examples  # noqa: E402

FILE = Path(__file__).resolve().parents[4] / "shared" / "data" / "california_housing.csv"
present = pytest.mark.skipif(
    not FILE.is_file(), reason=f"the California housing data is not at {FILE}"
)

RNG = np.random.default_rng(11)
X = RNG.uniform(-1, 1, (400, 3))
Y = np.clip(X @ [0.5, -0.3, 0.2] + RNG.normal(0, 0.1, 400), -1, 1)
LEAST = np.linalg.lstsq(X, Y, rcond=None)[
    0
]  # an independent solver: by singular values, not by normal equations
SMALL = Housing(X[:300], Y[:300], X[300:], Y[300:], 5.0)


def coefficients(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return record_contributions(laplace_outputs(functional(x.shape[1])), record_columns(x, y))


def test_without_noise_all_ways_are_least_squares() -> None:
    ones = np.ones((1, len(Y)))
    assert solve_full(ones @ make_release(parts_per_unit(regression(3)), X, Y).added, np.zeros(12))[
        0
    ] == pytest.approx(LEAST, rel=1e-10)
    assert solve_upper(
        ones @ make_release(parts_per_unit(regression_upper(3)), X, Y).added, np.zeros(9)
    )[0] == pytest.approx(LEAST, rel=1e-10)
    outputs = ones @ coefficients(X, Y)
    for way in (stationary_coefficients, repaired_coefficients):
        assert way(outputs, np.zeros(13))[0] == pytest.approx(LEAST, rel=1e-10)


def test_weighted_least_squares() -> None:
    """Weights w are rows and targets times sqrt(w)."""
    w = RNG.uniform(0, 2, len(Y))
    wanted = np.linalg.lstsq(X * np.sqrt(w)[:, None], Y * np.sqrt(w), rcond=None)[0]
    assert solve_full(
        w[None] @ make_release(parts_per_unit(regression(3)), X, Y).added, np.zeros(12)
    )[0] == pytest.approx(wanted, rel=1e-10)


def test_the_functional_mechanism_publishes_the_squared_error() -> None:
    """c + b theta + theta A theta is the squared error at any theta."""
    outputs = np.ones((1, len(Y))) @ coefficients(X, Y)
    matrix, linear = noisy_quadratic(outputs)
    for theta in RNG.normal(size=(5, 3)):
        assert outputs[0, 0] + linear[0] @ theta + theta @ matrix[0] @ theta == pytest.approx(
            ((X @ theta - Y) ** 2).sum(), rel=1e-10
        )


@pytest.mark.parametrize("d", [1, 3, 8])
def test_the_sensitivity_of_the_functional_mechanism(d: int) -> None:
    """Zhang et al. 2012: replacing a record moves the coefficients by at most 2 (d + 1)^2 in
    all, which corners reach in half: (d + 1)^2 for adding one.
    """
    corner = RNG.choice([-1.0, 1.0], (200, d + 1))
    inside = RNG.uniform(-1, 1, (200, d + 1))
    added = np.abs(coefficients(corner[:, :d], corner[:, d])).sum(axis=1)
    assert added == pytest.approx([(d + 1) ** 2] * 200)
    assert (np.abs(coefficients(inside[:, :d], inside[:, d])).sum(axis=1) <= (d + 1) ** 2).all()
    assert noise_scales(laplace_outputs(functional(d)), {"t": 1.0}).tolist() == [
        2 * (d + 1) ** 2
    ] * (1 + d + d * d)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_the_scale_of_the_paper_is_the_largest_shift(d: int) -> None:
    """alg:LR: (d^2 + d) for all of A and b; S7: d (d + 3)/2 for the upper triangle."""
    corner = RNG.choice([-1.0, 1.0], (100, d + 1))
    for make, wanted in ((regression, d * d + d), (regression_upper, d * (d + 3) / 2)):
        release = make_release(parts_per_unit(make(d)), corner[:, :d], corner[:, d])
        assert np.abs(release.added).sum(axis=1) == pytest.approx([wanted] * 100) and set(
            release.scales.tolist()
        ) == {wanted}


def test_the_repair_by_hand() -> None:
    """d = 1: a + 5 sqrt(2) b > 0 gives -linear/(2 (a + 5 sqrt(2) b)), else the only eigenvalue
    is left out and the answer is 0.
    """
    outputs, b = np.array([[0.0, 3.0, 2.0], [0.0, 3.0, -50.0]]), np.full(3, 0.5)
    assert repaired_coefficients(outputs, b)[:, 0] == pytest.approx(
        [-3 / (2 * (2 + 5 * math.sqrt(2) * 0.5)), 0]
    )
    assert RIDGE == 5


def test_the_repair_leaves_out_directions() -> None:
    """A = diag(2, -1) has one positive eigenvalue: the minimum is in its direction."""
    outputs = np.array([[0.0, 4.0, 6.0, 2.0, 0.0, 0.0, -1.0]])
    assert repaired_coefficients(outputs, np.zeros(7))[0] == pytest.approx([-1, 0])
    assert stationary_coefficients(outputs, np.zeros(7))[0] == pytest.approx([-1, 3])


def test_running_sums() -> None:
    weights, added, order = RNG.random((2, 7)), RNG.random((7, 3)), RNG.permutation(7)
    found = running_sums(weights, added, order, (2, 5))
    for i, n in enumerate((2, 5)):
        assert found[:, i] == pytest.approx(sum(weights[:, [r]] * added[r] for r in order[:n]))


def test_noise_has_the_scale_of_the_mechanism() -> None:
    """E|L(b)| = b, standard deviation b."""
    release = Release(np.zeros((1, 12)), noise_scales(laplace_outputs(regression(3))))
    drawn = release.with_noise(np.random.default_rng(1), np.zeros((20_000, 12)))
    assert (np.abs(np.abs(drawn).mean(axis=0) / 12 - 1) < 5 / 20_000**0.5).all()


def test_demands_have_the_moments_of_O7() -> None:
    n = 200_000
    eps = random_demands(np.random.default_rng(1), n)
    for values, wanted in (
        (eps, 1.05461687884736639),
        (1 - np.exp(-eps), 0.367223371465289705),
        (eps / (1 + eps), 0.302887523221979204),
        (eps < 1, 5 / 7),
    ):
        assert abs(values.mean() - wanted) < 5 * values.std() / n**0.5


def test_the_weights_of_fits() -> None:
    """alg:LR weighs by alpha(eps), not halved; the Sample Mechanism keeps at its probability and
    weighs by 1.
    """
    listed = all_fits(SMALL.train_x, SMALL.train_y, THRESHOLDS)
    eps = np.array([0.5, 2.0, 1e-9])
    by_name = {fit.ways[0][0]: fit for fit in listed}
    assert by_name["alpha = eps"].weights(RNG, eps).tolist() == eps.tolist()
    assert by_name["alpha = 1 - exp(-eps), upper triangle"].weights(RNG, eps) == pytest.approx(
        1 - np.exp(-eps)
    )
    assert by_name["Sample Mechanism, t = 0.5"].weights(RNG, eps).tolist() == [1, 1, 0]
    assert [name for fit in listed for name, kind, _ in fit.ways if kind == "method"] == [
        "alpha = eps",
        "alpha = 1 - exp(-eps)",
        "alpha = eps/(eps + 1)",
        "Sample Mechanism, t = 0.5",
        "Sample Mechanism, t = 2",
    ]
    assert (
        by_name["Sample Mechanism, t = 2"].release.scales[0] == 2 * 16 / 2
        and by_name["Sample Mechanism, t = 2, half the noise"].release.scales[0] == 16 / 2
    )


def test_residuals() -> None:
    found = residuals(
        np.array([[1.0], [0.0]]), np.array([[1.0], [1.0], [1.0]]), np.array([1.0, 3.0, 0.0])
    )
    assert found.tolist() == [
        [1.0, 1.0],
        [pytest.approx(math.sqrt(5 / 3)), pytest.approx(math.sqrt(10 / 3))],
    ]


def test_curves_of_a_small_set() -> None:
    one, same, other = (
        regression_curves(SMALL, (100, 300), (Fraction(1),), 6, seed, DrawnHere())
        for seed in (1, 1, 2)
    )
    assert one.csv == same.csv != other.csv
    (baseline,) = [line for line in one.lines if line.kind == "baseline"]
    theta = np.linalg.lstsq(SMALL.train_x, SMALL.train_y, rcond=None)[0]
    assert baseline.main[-1] == pytest.approx(
        np.median(np.abs(SMALL.test_x @ theta - SMALL.test_y)), rel=1e-9
    )
    assert baseline.values["median_absolute_residual_in_dollars"][-1] == pytest.approx(
        5 * baseline.main[-1]
    )
    for line in one.lines:
        assert (line.values["lower_quartile"] <= line.main).all() and (
            line.main <= line.values["upper_quartile"]
        ).all()


def written(folder: Path, *lines: str, encoding: str = "utf-8") -> str:
    path = folder / "h.csv"
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return str(path)


ROW = "-114.3,34.2,15,5612,1283,1015,472,1.5,66900"
OTHER = "-115.3,35.2,16,5613,1284,1016,473,2.5,76900"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ("a,b",),
            "its first line is a,b; give a comma-separated file whose first line is "
            "longitude,latitude",
        ),
        (("",), "its first line is empty"),
        ((HEADER,), "it has a first line and no rows"),
        ((HEADER, "1,2"), "line 2 has 2 values in place of 9"),
        (
            (HEADER, ROW, ROW.replace("1015", "many")),
            "line 3 has 'many' where a finite number belongs",
        ),
        ((HEADER, ROW.replace("1015", "")), "line 2 has 'nothing' where"),
        ((HEADER, ROW.replace("1015", "nan")), "line 2 has 'nan' where"),
        ((HEADER, ROW.replace("1015", "1e999")), "line 2 has '1e999' where"),
        ((HEADER, ROW, ROW), "the column longitude has only one value"),
        ((HEADER, ROW), "it has 1 rows, and 1 are to train on"),
    ],
)
def test_bad_files_are_reported_in_one_sentence(
    tmp_path: Path, lines: tuple[str, ...], said: str
) -> None:
    path = written(tmp_path, *lines)
    with pytest.raises(BadInput) as caught:
        housing.load_housing(path, 1)
    assert (
        str(caught.value).startswith(path)
        and said in str(caught.value)
        and "\n" not in str(caught.value)
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00long")
    for path, said in (
        (tmp_path, "it is a folder"),
        (tmp_path / "missing.csv", "there is no such file"),
        (tmp_path / "b.csv", "it is not comma-separated text"),
    ):
        with pytest.raises(BadInput, match=said):
            housing.load_housing(str(path), 1)


def test_columns_may_come_in_any_order_and_are_rescaled(tmp_path: Path) -> None:
    turned = [",".join(reversed(text.split(","))) for text in (HEADER, ROW, OTHER, ROW)]
    one, other = (
        housing.load_housing(written(tmp_path, HEADER, ROW, OTHER, ROW), 2),
        housing.load_housing(written(tmp_path, *turned), 2),
    )
    assert (one.train_x == other.train_x).all() and (one.test_y == other.test_y).all()
    signs = [
        1,
        -1,
        -1,
        -1,
        -1,
        -1,
        -1,
        -1,
    ]  # of the first row: longitudes are negative, all else grows
    assert one.train_x.tolist() == [signs, [-s for s in signs]] and one.test_x.tolist() == [signs]
    assert (one.train_y.tolist(), one.test_y.tolist(), one.dollars) == ([-1, 1], [-1], 5000)
    assert len(COLUMNS) == 9


@present
def test_the_real_data() -> None:
    """The data's own description: 17,000 rows train, 3,000 test, eight covariates; everything
    lies in [-1, 1] and reaches both ends.
    """
    data = housing.load_housing(str(FILE))
    assert data.train_x.shape == (17_000, 8) and data.test_x.shape == (3_000, 8)
    both = np.concatenate([data.train_x, data.test_x])
    assert both.min(axis=0).tolist() == [-1] * 8 and both.max(axis=0).tolist() == [1] * 8
    assert data.dollars == pytest.approx((500_001 - 14_999) / 2)


@present
def test_a_few_trials_on_the_real_data() -> None:
    """Least squares is the best; more rows help the method with the largest weights; and halving
    the noise of A (S7) helps it.
    """
    data = housing.load_housing(str(FILE))
    curves = regression_curves(data, (1000, 17_000), THRESHOLDS, examples(25, 8), 1, DrawnHere())
    by_name = {line.method: line.main for line in curves.lines}
    theta = np.linalg.lstsq(data.train_x, data.train_y, rcond=None)[0]
    assert by_name["least squares, not private"][-1] == pytest.approx(
        np.median(np.abs(data.test_x @ theta - data.test_y)), rel=1e-6
    )
    assert curves.ranking[0].kind == "baseline"
    assert (
        by_name["alpha = eps"][-1] < by_name["alpha = eps"][0]
        and by_name["alpha = eps, upper triangle"][-1] < by_name["alpha = eps"][-1]
    )
