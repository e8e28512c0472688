"""`assert_proved` on claims about noise programs."""

from __future__ import annotations

from typing import Any

import pytest

from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.testing import assertions
from ahdp_verify.testing.assertions import NotProved, assert_proved, cache_key, failure_report
from tests.programs_by_hand import buggy_twin, claim, noisy_max, sparse_vector


class Cache:
    """What pytest's cache does, and how often it was asked."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    def get(self, key: str, default: Any) -> Any:
        return self.kept.get(key, default)

    def set(self, key: str, value: Any) -> None:
        self.kept[key] = value


def test_a_proof_about_a_program_is_kept_and_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    about, cache = claim(sparse_vector("2/eps", "4/eps"), "all", "eps"), Cache()
    first = assert_proved(about, cache=cache)
    assert isinstance(first, Proved) and list(cache.kept) == [cache_key(about)]
    monkeypatch.setattr(assertions, "verify", lambda *_, **__: pytest.fail("searched again"))
    assert assert_proved(about, cache=cache) == first
    changed = cache.kept[cache_key(about)]
    changed["certificate"]["moves"] = []
    with pytest.raises(pytest.fail.Exception, match="searched again"):
        assert_proved(about, cache=cache)


def test_a_claim_about_a_program_that_is_not_proved_says_why() -> None:
    about = claim(sparse_vector("2/eps", "4/(3*eps)"), "all", "eps")
    with pytest.raises(NotProved) as failed:
        assert_proved(about)
    said = str(failed.value).splitlines()
    assert said[0] == str(about)
    assert said[1].startswith("it was refuted: eps = ") and " against " in said[1]
    # its probabilities are not computed for Gumbel noise, so that no counterexample is found
    with pytest.raises(NotProved, match="nothing was decided: alignment: "):
        assert_proved(claim(noisy_max(2, "gumbel", "1/eps"), "all", "eps"))


def test_a_refuted_program_is_reported_with_its_inputs_and_outputs() -> None:
    # eps = 1, T = 0: P["no", "yes"] at (1/2, -1/2) against (3/2, -3/2)
    report = failure_report(buggy_twin())
    assert "it was refuted: eps = 1, T = 0, (1/2, -1/2) against (3/2, -3/2)" in report
    assert 'outputs "no", "yes": probability ' in report
