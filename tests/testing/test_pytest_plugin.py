"""`assert_proved` and the pytest plugin, in a project of its own: it passes as it stands, and
fails with the counterexample once the noise is halved.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from ahdp_verify import dp, exp, finite, log, name, piecewise, real, verify
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Abs, eq
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.testing.assertions import NotProved, assert_proved, cache_key

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "tests" / "testing" / "example_project"


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """pytest in a folder, with the plugin loaded by name where the package is not installed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "ahdp_verify.testing.pytest_plugin",
        *options,
    ]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the example project."""
    return Path(
        shutil.copytree(
            PROJECT,
            tmp_path / "project",
            ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"),
        )
    )


def test_the_example_project_passes_and_its_records_are_kept(project: Path) -> None:
    first = run(project)
    assert first.returncode == 0 and "5 passed" in first.stdout, first.stdout
    assert list((project / ".pytest_cache").rglob("ahdp/*"))
    assert run(project).returncode == 0


def test_half_the_noise_fails_with_the_counterexample(project: Path) -> None:
    library = project / "noisy_clinic.py"
    library.write_text(library.read_text().replace("SCALE = number(1)", 'SCALE = number("1/2")'))
    found = run(project, "test_noisy_clinic.py")
    assert found.returncode == 1 and "2 failed, 1 passed" in found.stdout, found.stdout
    # The loss of the halved noise is 2: the event n < 0 has 1/2 on no records, and exp(-2)/2 on
    # one, by hand.
    assert "probability 1/2 against exp(-2)/2 = 0.0676676, loss 2 > 1" in found.stdout
    assert "search.py" not in found.stdout, "frames of the package are left out"


def test_an_answer_that_the_file_does_not_expect_fails_without_a_traceback(project: Path) -> None:
    file = project / "mechanisms" / "coin.toml"
    file.write_text(
        file.read_text()
        .replace('level = "log(3)"', 'level = "log(5/2)"')
        .replace('level = "log(2)"', 'level = "4"')
    )
    found = run(project, "mechanisms")
    assert found.returncode == 1 and "2 failed" in found.stdout, found.stdout
    assert (
        "probability 3/4 against 1/4" in found.stdout
        and "refuted was expected" in found.stdout
        and "Traceback" not in found.stdout
    )


def test_a_file_that_cannot_be_read_is_one_sentence(project: Path) -> None:
    (project / "mechanisms" / "broken.toml").write_text("format = 7\n")
    found = run(project, "mechanisms")
    assert (
        found.returncode != 0
        and "is not a supported format" in found.stdout
        and "Traceback" not in found.stdout
    )


def settings(folder: Path, *lines: str) -> None:
    """The folder's pytest settings are these lines."""
    (folder / "pyproject.toml").write_text("\n".join(["[tool.pytest.ini_options]", *lines, ""]))


def test_files_of_the_settings_are_tests_wherever_they_lie_unless_the_command_line_chooses(
    project: Path,
) -> None:
    file = project / "mechanisms" / "coin.toml"
    file.write_text(file.read_text().replace('level = "log(3)"', 'level = "log(5/2)"'))
    (project / "unit").mkdir()
    (project / "unit" / "test_unit.py").write_text("def test_unit():\n    pass\n")
    settings(
        project,
        'testpaths = ["unit"]',
        'ahdp_files = ["mechanisms/*.toml", "mechanisms/coin.toml"]',
    )
    found, chosen = run(project), run(project, "unit")
    assert found.returncode == 1 and "1 failed, 2 passed" in found.stdout, found.stdout
    assert chosen.returncode == 0 and "1 passed" in chosen.stdout, chosen.stdout


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['ahdp_files = ["nosuch/*.toml"]'], "matches nosuch/*.toml"),
        (['ahdp_files = ["/mechanisms/*.toml"]'], "is an absolute path"),
        (
            ['ahdp_files = ["mechanisms/*.toml"]', 'ahdp_seconds = "soon"'],
            "'soon' is not a number of seconds",
        ),
        (
            ['ahdp_files = ["mechanisms/*.toml"]', 'ahdp_seconds = "0"'],
            "'0' is not a number of seconds",
        ),
    ],
)
def test_a_wrong_setting_is_one_sentence(project: Path, lines: list[str], said: str) -> None:
    settings(project, *lines)
    found = run(project)
    assert (
        found.returncode == pytest.ExitCode.USAGE_ERROR
        and said in found.stderr
        and "Traceback" not in found.stdout + found.stderr
    )


def test_a_file_that_expects_nothing_is_an_error(project: Path) -> None:
    file = project / "mechanisms" / "coin.toml"
    file.write_text(
        "\n".join(line for line in file.read_text().splitlines() if not line.startswith("expect"))
    )
    found = run(project, "mechanisms")
    assert found.returncode != 0 and "no claim says what to expect" in found.stdout


def test_a_true_statement_with_an_argument_that_is_not_valid(project: Path) -> None:
    # By hand: from y >= 0 and z >= 0, exp(y)*z >= z holds since exp(y) >= 1; exp(y) >= 0 alone
    # gives 0 at most.
    (project / "mechanisms" / "order.toml").write_text(
        'format = 2\n[parameters]\ny = "y >= 0"\nz = "z >= 0"\n[inequality]\nleft = '
        '"exp(y)*z"\nrelation = ">="\nright = "z"\nexpect = "proved"\n'
        'argument = "valid"\n[[step]]\nrelation = ">="\nright = "z"\nby = ["exp(y) >= 0"]\n'
    )
    found = run(project, "mechanisms/order.toml")
    assert found.returncode == 1 and "1 failed, 1 passed" in found.stdout, found.stdout
    assert "step 1 is the first that fails" in found.stdout and "Traceback" not in found.stdout


def test_the_entry_point_is_the_plugin() -> None:
    entries = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][
        "pytest11"
    ]
    assert [import_module(module).pytest_collect_file for module in entries.values()]


def test_the_plugin_does_nothing_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "claims.toml").write_text("format = 2\n")
    (tmp_path / "test_nothing.py").write_text(
        "def test_nothing():\n    import sys\n    assert not {'sympy', 'z3', 'cvc5', 'numpy'} & set(sys.modules)\n"
    )
    assert run(tmp_path, "--rootdir", str(tmp_path)).returncode == 0


s = real("s")
ANSWER = Mechanism(
    Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2, name="noisy answer"
)


class Cache(dict[str, object]):
    """A stand-in for pytest's cache."""

    def set(self, where: str, value: object) -> None:
        self[where] = value


def test_a_kept_record_is_checked_and_not_believed() -> None:
    claim, other, cache = dp(ANSWER, 1, "one"), dp(ANSWER, "1/2", "one"), Cache()
    assert isinstance(assert_proved(claim, cache=cache), Proved)
    cache[cache_key(other)] = cache[
        cache_key(claim)
    ]  # a proof of a weaker claim under the name of a false one
    with pytest.raises(NotProved, match="it was refuted"):
        assert_proved(other, cache=cache)
    cache[cache_key(claim)] = {"nonsense": 1}
    assert isinstance(assert_proved(claim, cache=cache), Proved)


def test_a_kept_proof_for_small_datasets_does_not_serve_for_all() -> None:
    """By hand: up to one record both outputs have 1/2; with two, output 0 has 1/1000, a loss of
    log(500) > 1.
    """
    domain, r = Domain([(0, 1)]), finite("r", [0, 1])
    rare = piecewise(("1/1000", eq(r, 0)), ("999/1000", True))
    claim = dp(
        Mechanism(
            domain,
            outputs=[r],
            density=piecewise(("1/2", domain.size < 2), (rare, True)),
            name="jump",
        ),
        1,
    )
    small = verify(claim, size=1)
    assert isinstance(small, Proved)
    with pytest.raises(NotProved, match="it was refuted"):
        assert_proved(claim, cache=Cache({cache_key(claim): small.to_json()}))


def test_nothing_decided_says_why() -> None:
    with pytest.raises(NotProved, match="nothing was decided"):
        assert_proved(dp(ANSWER, 1, "one"), limits=Limits(seconds=0.001))


def test_all_datasets_up_to_a_size() -> None:
    r = finite("r", [0, 1])
    flip = Mechanism(
        Values([0, 1]),
        outputs=[r],
        density=piecewise(("3/4", eq(r, name("v"))), ("1/4", True)),
        name="flip",
    )
    assert isinstance(assert_proved(Claim(flip, "any", log(3)), size=1), Proved)
