"""`assert_proved` and the pytest plugin, in a project of its own: it passes as it stands, and fails with the counterexample once the noise is halved."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ahdp_verify import dp, exp, finite, log, name, piecewise, real
from ahdp_verify.domain import Queries, Values
from ahdp_verify.expression import Abs, eq
from ahdp_verify.limits import Limits
from ahdp_verify.mechanism import Mechanism
from ahdp_verify.privacy import Claim
from ahdp_verify.testing import NotProved, assert_proved, key
from ahdp_verify.verdict import Proved

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "tests" / "example_project"


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """pytest in a folder, with the plugin loaded by name where the package is not installed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "ahdp_verify.pytest_plugin", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the example project."""
    return Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache")))


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
    # The loss of the halved noise is 2: the event n < 0 has 1/2 on no records, and exp(-2)/2 on one, by hand.
    assert "probability 1/2 against exp(-2)/2 = 0.0676676, loss 2 > 1" in found.stdout
    assert "search.py" not in found.stdout, "frames of the package are left out"


def test_an_answer_that_the_file_does_not_expect_fails_without_a_traceback(project: Path) -> None:
    file = project / "mechanisms" / "coin.toml"
    file.write_text(file.read_text().replace('level = "log(3)"', 'level = "log(5/2)"').replace('level = "log(2)"', 'level = "4"'))
    found = run(project, "mechanisms")
    assert found.returncode == 1 and "2 failed" in found.stdout, found.stdout
    assert "probability 3/4 against 1/4" in found.stdout and "refuted was expected" in found.stdout and "Traceback" not in found.stdout


def test_a_file_that_cannot_be_read_is_one_sentence(project: Path) -> None:
    (project / "mechanisms" / "broken.toml").write_text("format = 2\n")
    found = run(project, "mechanisms")
    assert found.returncode != 0 and "is not a format that is read here" in found.stdout and "Traceback" not in found.stdout


def test_the_plugin_does_nothing_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "claims.toml").write_text("format = 2\n")
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    import sys\n    assert 'ahdp_verify.search' not in sys.modules\n")
    assert run(tmp_path, "--rootdir", str(tmp_path)).returncode == 0


s = real("s")
ANSWER = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2, name="noisy answer")


class Cache(dict[str, object]):
    """A stand-in for pytest's cache."""

    def set(self, where: str, value: object) -> None:
        self[where] = value


def test_a_kept_record_is_checked_and_not_believed() -> None:
    claim, other, cache = dp(ANSWER, 1, "one"), dp(ANSWER, "1/2", "one"), Cache()
    assert isinstance(assert_proved(claim, cache=cache), Proved)
    cache[key(other)] = cache[key(claim)]  # a proof of a weaker claim under the name of a false one
    with pytest.raises(NotProved, match="it was refuted"):
        assert_proved(other, cache=cache)
    cache[key(claim)] = {"nonsense": 1}
    assert isinstance(assert_proved(claim, cache=cache), Proved)


def test_nothing_decided_says_why() -> None:
    with pytest.raises(NotProved, match="nothing was decided"):
        assert_proved(dp(ANSWER, 1, "one"), limits=Limits(seconds=0.001))


def test_all_datasets_up_to_a_size() -> None:
    r = finite("r", [0, 1])
    flip = Mechanism(Values([0, 1]), outputs=[r], density=piecewise(("3/4", eq(r, name("v"))), ("1/4", True)), name="flip")
    assert isinstance(assert_proved(Claim(flip, "any", log(3)), size=1), Proved)
