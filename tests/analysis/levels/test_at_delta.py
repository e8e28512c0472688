"""The least level at a delta against the exact delta of Gaussian and Laplace noise (mpmath)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from mpmath import mp, mpf
from typer.testing import CliRunner

from ahdp_verify.analysis.levels.at_delta import level_at_delta
from ahdp_verify.cli.app import app
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Abs, exp, name, number, pi, sqrt
from ahdp_verify.kernel.terms.functions import theta3
from ahdp_verify.search.limits import Limits

s, k, v = real("s"), integer("k"), name("v")
BITS = Values([0, 1])
LAPLACE = Mechanism(BITS, outputs=[s], density=exp(-Abs(s - v)) / 2, name="noisy bit")
QUICK = Limits(seconds=30)


def gaussian(variance: int) -> Mechanism:
    density = exp(-((s - v) ** 2) / (2 * variance)) / sqrt(2 * variance * pi)
    return Mechanism(BITS, outputs=[s], density=density, name="Gaussian")


def gaussian_delta(level: mpf, sigma: mpf) -> mpf:
    """Balle and Wang 2018, Theorem 8."""
    return mp.ncdf(1 / (2 * sigma) - level * sigma) - mp.exp(level) * mp.ncdf(
        -1 / (2 * sigma) - level * sigma
    )


@pytest.mark.parametrize(("variance", "slack"), [(4, "1/1000"), (1, "1/20"), (25, "1/10000")])
def test_the_least_level_of_gaussian_noise_has_that_delta(variance: int, slack: str) -> None:
    found = level_at_delta(gaussian(variance), slack, "any", QUICK)
    assert found.level is not None and not found.exact
    low, high = enclose(normal(found.level, Context.empty()))
    with mp.workdps(40):
        sigma, wanted = (
            mp.sqrt(variance),
            mpf(Fraction(slack).numerator) / Fraction(slack).denominator,
        )
        at = [gaussian_delta(mpf(x.numerator) / x.denominator, sigma) for x in (high, low)]
        below = gaussian_delta(mpf(low.numerator) / low.denominator - mpf("2e-9"), sigma)
    assert at[0] <= wanted and below > wanted


def test_the_least_level_of_laplace_noise_is_exact_or_within_its_digits() -> None:
    """1 - exp((L - 1)/2) = 1/10 at L = 1 + 2 log(9/10)."""
    found = level_at_delta(LAPLACE, "1/10", "any", QUICK)
    assert found.level is not None
    low, high = enclose(normal(found.level, Context.empty()))
    wanted = 1 + 2 * mp.log(mpf(9) / 10)
    assert abs(float(low + high) / 2 - float(wanted)) < 1e-9
    assert found.calibration is not None and found.calibration.proof is not None


def test_a_large_delta_needs_no_level() -> None:
    found = level_at_delta(LAPLACE, "1/2", "any", QUICK)
    assert found.level == number(0) and found.exact and found.proof is not None
    assert str(found) == "noisy bit: the least level at delta 1/2 (any) is 0, exactly"


def test_a_discrete_gaussian_is_bisected() -> None:
    a = number(Fraction(1, 8))
    noisy = Mechanism(BITS, outputs=[k], density=exp(-((k - v) ** 2) * a) / theta3(a))
    found = level_at_delta(noisy, "1/100", "any", Limits(seconds=60))
    assert found.level is not None and found.proof is not None
    level = mpf(found.level.args[0].numerator) / found.level.args[0].denominator

    def slack(at: mpf) -> mpf:
        p = {j: mp.exp(-mpf(j * j) / 8) for j in range(-90, 92)}
        total = sum(p.values())
        return sum(max(mpf(0), p[j] - mp.exp(at) * p[j - 1]) for j in range(-89, 91)) / total

    assert slack(level) <= mpf("0.01") < slack(level - mpf("2e-9"))


def test_a_delta_of_each_record_gives_one_level_for_all() -> None:
    W = Domain([(0, 1), (1, 1), (2, 1)])
    x = name("x")
    noisy = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(x))) / 2)
    found = level_at_delta(noisy, lambda x, eps: x / 4, "ahdp", QUICK)
    wanted = max(1 + 2 * mp.log(1 - mpf(1) / 4), 2 + 2 * mp.log(1 - mpf(1) / 2))
    assert found.level is not None
    low, high = enclose(normal(found.level, Context.empty()))
    assert abs(float(low + high) / 2 - float(wanted)) < 1e-8


def test_parameters_are_refused() -> None:
    b = name("b")
    noisy = Mechanism(
        BITS, outputs=[s], density=exp(-Abs(s - v) / b) / (2 * b), parameters={"b": "b > 0"}
    )
    with pytest.raises(BadInput, match="b"):
        level_at_delta(noisy, "1/10", "any", QUICK)


def test_the_command_prints_the_level(tmp_path: Path) -> None:
    file = tmp_path / "bit.toml"
    file.write_text(
        'format = 2\nname = "bit"\n[domain]\nvalues = ["0", "1"]\n[mechanism]\n'
        'outputs = [{name = "s", kind = "real"}]\ndensity = "exp(-abs(s - v))/2"\n'
        '[[claim]]\nrelation = "any"\nlevel = "1"\n'
    )
    done = CliRunner().invoke(app, ["tighten", str(file), "--delta", "1/10"])
    assert done.exit_code == 0 and "is 1 - 2*log(10/9) = 0.789279" in done.stdout
