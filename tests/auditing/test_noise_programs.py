"""Audits of noise programs: a function that follows its tree is consistent, one with another noise
is rejected; probabilities are compared with formulas.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

import pytest

pytest.importorskip("scipy")
import numpy as np

from ahdp_verify import laplace, noise_program
from ahdp_verify.auditing.audit import audit
from ahdp_verify.auditing.noise_programs import audit_program
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.program import Draw, If, Program, Release, Stop
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import label
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify
from tests import field_programs as field

ONE = {"eps": 1, "T": 0}
SVT, TWIN = field.sparse_vector, field.sparse_vector_with_little_noise


def drawn(program: Any, seed: int) -> Any:
    """A function of runs with a fixed seed, another one for each input."""

    def run(answers: list[float], size: int) -> Any:
        rng = np.random.default_rng([seed, *(int(a) + 100 for a in answers)])
        return program.sample([int(a) for a in answers], size, rng, **ONE)

    return run


def test_the_function_follows_its_own_tree() -> None:
    found = audit(SVT, drawn(SVT, 1), at=[[0, 1], [1, 0]], size=4000, parameters=ONE)
    assert found.outcome == "consistent" and not found.findings
    first = found.inputs[0]
    # P[q + Lap(4) >= Lap(2)] at q = 0 is 1/2; three outcomes are told apart
    assert first.draws == 4000 and first.tests == 3 and found.tests == 6
    assert found.name == "sparse_vector" and found.scale is None
    assert "event outputs" in str(found)


def test_a_function_runs_by_itself() -> None:
    found = audit(SVT, None, at=[[0, 1]], size=1000, alpha=1e-9, parameters=ONE)
    assert found.outcome == "consistent" and found.pairs == ()


def test_less_noise_is_found() -> None:
    found = audit(SVT, drawn(TWIN, 1), at=[[0, 1]], size=4000, parameters=ONE)
    assert found.outcome == "rejected"
    assert found.findings[0].startswith("at (0, 1) the event outputs ")


def test_the_expected_counts_are_those_of_a_formula() -> None:
    """P[q + Lap(4) >= T + Lap(2)] at q = T + d: 1 - (16 exp(-d/4) - 4 exp(-d/2))/24."""
    above = 1 - (16 * exp(-1 / 4) - 4 * exp(-1 / 2)) / 24
    never = [[True]] * 1000  # so that this outcome is the least likely one
    found = audit(SVT, [never], at=[[1]], parameters=ONE)
    (at,) = found.inputs
    assert at.probability == pytest.approx(above) or at.probability == pytest.approx(1 - above)
    assert at.p_value == pytest.approx(min(1, 2 * 2 * above**1000), abs=1e-12)


def test_an_output_that_no_path_has_is_a_rejection() -> None:
    outputs = [[False, False]] * 500 + [[True]] * 499 + [[True, True]]
    found = audit(SVT, [outputs], at=[[0, 0]], parameters=ONE)
    (at,) = found.inputs
    assert at.impossible == 1 and at.example == "true, true (draw 1,000)"
    assert found.outcome == "rejected"
    words = audit(SVT, [[["maybe"]] * 100], at=[[0, 0]], parameters=ONE)
    assert words.inputs[0].impossible == 100


def test_the_loss_is_bounded_and_the_level_of_a_claim_is_shown() -> None:
    def leaky(answers: list[float], size: int) -> Any:
        return [[answers[0] > 0]] * size

    verdict = verify(dp(SVT, "eps", "all"))
    assert isinstance(verdict, Proved)
    found = audit(verdict, leaky, at=[[0], [1]], size=4000, parameters=ONE)
    first, second = found.pairs
    assert str(first.allowed) == str(second.allowed) == "1" and first.exceeds_allowed
    # with 2000 of 2000 draws against 0 of 2000, at error beta for each bound
    beta = 1e-6 / 2 / 2 / 2
    low, high = beta ** (1 / 2000), 1 - beta ** (1 / 2000)
    assert first.observed.bound() == pytest.approx(log(low / high), rel=1e-6)
    assert found.claim == "sparse_vector is DP for all answers moving at level eps"


def test_several_moves_cost_several_levels() -> None:
    claim = dp(SVT, "eps", "all")
    far = audit(claim, drawn(SVT, 3), at=[[0, 0], [2, -1]], size=500, parameters=ONE)
    assert [str(pair.allowed) for pair in far.pairs] == ["2", "2"]
    false = audit(dp(SVT, "eps/9", "all"), drawn(SVT, 3), at=[[0], [1]], size=500, parameters=ONE)
    assert [pair.allowed for pair in false.pairs] == [None, None] and not false.claim


def noisy_count() -> ProgramClaim:
    """The number of records with x = 1, with noise of scale 2."""
    tree = Draw("nu", "laplace", parse("2"), Release(parse("q[1] + nu"), Stop()))
    answers = RecordAnswers(Domain([(0, 1), (1, 3)]), (parse("count(x == 1)"),))
    return ProgramClaim(Program("noisy count", (), answers, tree), "ahdp", parse("x/2"))


def test_numbers_are_compared_below_cuts() -> None:
    claim = noisy_count()
    W = Domain([(0, 1), (1, 3)])

    def noisy(scale: float) -> Any:
        rng = np.random.default_rng(8)
        return lambda answers, size: (answers[0] + rng.laplace(scale=scale, size=size)).tolist()

    at = [Multiset(W, [1, 2]), Multiset(W, [1, 3])]
    fine = audit(claim, noisy(2), at=at, size=3000)
    assert fine.outcome == "consistent" and fine.inputs[0].tests == 3  # at three cuts
    assert [str(pair.allowed) for pair in fine.pairs] == ["1/2", "1/2"]
    assert audit(claim, noisy(1), at=at, size=3000).outcome == "rejected"


@pytest.mark.parametrize(
    ("subject", "draws", "at", "said"),
    [
        (SVT.program(), None, [[0]], "there are none; give a function"),
        (SVT, [], [[0]], "there are draws for 0 inputs, and 1 inputs"),
        (SVT, ["abc"], [[0]], "they are no list of at least"),
        (SVT, [[{}] * 100], [[0]], "a dict is not an output of a noise program"),
        (SVT, None, ["0"], "is no list of query answers"),
    ],
)
def test_what_cannot_be_audited_is_refused(
    subject: Any, draws: Any, at: list[object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        audit(subject, draws, at, parameters=ONE)


def test_other_laws_do_not_apply() -> None:
    with pytest.raises(BadInput, match="they do not apply to noise programs"):
        audit(SVT, None, at=[[0]], parameters=ONE, others={"a": None})  # type: ignore[dict-item]


def test_probabilities_that_are_not_found_are_said_to_be_missing() -> None:
    high = Release(label("high"), Stop())
    test = If(parse("q[1] + a + b + c"), False, high, Stop())
    tree = Draw("a", "laplace", parse("1"), Draw("b", "laplace", parse("2"), test))
    program = Program("three", (), SVT.program(1).inputs, Draw("c", "laplace", parse("3"), tree))
    with pytest.raises(NotWorkedOut, match="exact probabilities of its outputs were not found"):
        audit_program(program, [[["high"]] * 100], [[0]], size=100, alpha=1e-6, parameters={})


def test_a_chi_squared_test_of_a_single_cell_is_left_out() -> None:
    # one number is released, so there is one outcome, whatever the draws are
    @noise_program
    def plain(queries: Any) -> Any:
        return queries[0] + laplace(1)

    found = audit(plain, None, at=[[0]], size=500)
    assert found.inputs[0].chi_squared is None and "chi-squared" not in str(found)
