"""Claims about noise programs as parts of composites: levels add, what is assumed is named, and no
composite is proved whose premises are not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.composite import AbstractMechanism
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import dp
from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Abs, exp, name
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.compose import compose, product, to_ahdp, to_swap, weaken
from ahdp_verify.search.parts import assumed_from, program_premises
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown
from tests import field_programs as field
from tests.cli.bench import Bench

EPS = name("eps")
NOISY = Mechanism(
    Queries(1),
    outputs=[real("s")],
    density=exp(-EPS * Abs(name("s") - name("q[1]"))) * EPS / 2,
    parameters={"eps": "eps > 0"},
    name="noisy answer",
)
ABOVE = dp(field.sparse_vector, "eps", "all")  # M17 of field.md: private at eps, and at no less
COUNT = dp(NOISY, "eps", "all")
ASSUMED = "assumes: sparse_vector is DP for all answers moving at level eps"


def test_levels_add_and_the_verdict_says_what_is_assumed() -> None:
    for claim in (compose(ABOVE, COUNT), compose(COUNT, ABOVE), product(ABOVE, COUNT)):
        verdict = verify(claim)
        assert isinstance(verdict, Proved) and str(claim.level) == "2*eps"
        assert ASSUMED in verdict.parts
        check(claim, verdict.certificate)


def test_a_verdict_is_a_part_like_its_claim() -> None:
    proof = verify(ABOVE)
    assert isinstance(proof, Proved)
    claim = compose(proof, COUNT)
    assert program_premises(claim) == (proof,) and isinstance(verify(claim), Proved)


def test_a_composite_whose_premise_fails_is_not_proved() -> None:
    verdict = verify(compose(dp(field.sparse_vector, "eps/2", "all"), COUNT))
    assert isinstance(verdict, Unknown)
    assert verdict.reasons[0].reason == (
        "a premise is refuted: sparse_vector is DP for all answers moving at level eps/2"
    )


def test_premises_of_parts_of_parts_are_proved_too() -> None:
    false = dp(field.sparse_vector, "eps/2", "all")
    whole = compose(compose(false, COUNT), ABOVE)
    assert program_premises(whole) == (ABOVE, false)
    assert isinstance(verify(whole), Unknown)


def test_two_programs_release_outputs_of_different_names() -> None:
    claim = compose(dp(field.sparse_vector, "eps", "all", queries=3), ABOVE)
    assert [o.name for o in claim.mechanism.outputs] == ["y", "y_2"]
    assert len(program_premises(claim)) == 2 and isinstance(verify(claim), Proved)


def test_the_abstract_mechanism_has_what_the_claim_says() -> None:
    assumed = assumed_from(ABOVE, 7)
    m = assumed.mechanism
    assert isinstance(m, AbstractMechanism) and m.inputs == Queries(7)
    assert (m.relation, m.level, m.delta) == ("all", ABOVE.level, ABOVE.delta)
    assert m.parameters == ABOVE.program.parameters
    assert (assumed.relation, assumed.level) == ("all", ABOVE.level)


def noisy_count(level: str, relation: str, *, whole: bool = False) -> ProgramClaim:
    """The number of records with x = 1, with noise of scale 2."""
    answers = RecordAnswers(Domain([(0, 1), (1, 1)]), (parse("count(x == 1)"),))
    law = "geometric" if whole else "laplace"
    tree = Draw("nu", law, parse("2"), Release(parse("q[1] + nu"), Stop()))
    return ProgramClaim(Program("noisy count", (), answers, tree), relation, parse(level))


def test_claims_about_datasets_are_parts_too() -> None:
    claim = noisy_count("x/2", "ahdp")
    both = verify(compose(claim, claim))
    assert isinstance(both, Proved) and str(both.claim.level) == "x"  # type: ignore[union-attr]


def test_rules_that_change_a_claim_keep_the_program() -> None:
    claim = noisy_count("1/2", "add-remove")
    assert weaken(claim, "2") == noisy_count("2", "add-remove")
    assert to_swap(claim) == ProgramClaim(claim.program, "swap", parse("1"))
    assert to_ahdp(claim) == noisy_count("1/2", "ahdp")
    assert isinstance(verify(to_swap(claim)), Proved)


def whole_program() -> ProgramClaim:
    tree = Draw("nu", "geometric", parse("2"), Release(parse("q[1] + nu"), Stop()))
    return ProgramClaim(Program("whole", (), Answers(1, whole=True), tree), "one", parse("1/2"))


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((ABOVE, ABOVE), "the claim is about any number of queries"),
        ((whole_program(), COUNT), "its query answers are whole numbers"),
        (
            (dp(field.sparse_vector, "eps", "all", queries=2), COUNT),
            "its parts have different inputs",
        ),
        ((ABOVE.program, COUNT), "state its level"),
    ],
)
def test_parts_that_do_not_fit_are_refused(parts: tuple[object, ...], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        compose(*parts)  # type: ignore[arg-type]


SVT = """format = 2
name = "above"
parameters = {eps = "eps > 0", T = ""}
domain = {queries = "n"}
[program]
start = ["rho ~ laplace(2/eps)", "goto wait"]
[program.state.wait]
keeps = ["rho"]
query = ["nu ~ laplace(4/eps)", "if q + nu >= T + rho", ["output true", "stop"], "else", ["output false", "goto wait"]]
[[claim]]
name = "true"
relation = "all"
level = "eps"
[[claim]]
name = "false"
relation = "all"
level = "eps/2"
"""
BOTH = """format = 2
name = "both"
parameters = {{eps = "eps > 0"}}
domain = {{queries = "1"}}
[[part]]
name = "above"
file = "svt.toml:{chosen}"
[[part]]
name = "count"
outputs = [{{name = "n", kind = "real"}}]
density = "exp(-eps*abs(n - q[1]))*eps/2"
relation = "all"
level = "eps"
[[part]]
name = "both"
rule = "compose"
of = ["above", "count"]
[[claim]]
relation = "all"
level = "{level}"
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A folder with a file about a noise program, in which commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "svt.toml").write_text(SVT)
    return Bench(tmp_path)


def test_a_file_may_name_a_noise_program_as_a_part(bench: Bench) -> None:
    path = bench.write(BOTH.format(chosen="true", level="2*eps"), "both.toml")
    file = load(path)
    assert isinstance(file, PipelineFile)
    (premise,) = program_premises(file.claims[0])
    assert str(premise) == "above is DP for all answers moving at level eps"
    result = bench.run("verify", path)
    first, second = result.stdout.splitlines()
    assert result.exit_code == 0
    assert first.startswith("Proved: above is DP for all answers moving at level eps;")
    assert second.startswith("Proved: both is DP for all answers moving at level 2*eps;")
    assert "assumes: above is DP for all answers moving at level eps" in second


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_file_whose_program_is_not_private_at_the_level_is_not_proved(
    bench: Bench, workers: str
) -> None:
    path = bench.write(BOTH.format(chosen="false", level="2*eps"), "both.toml")
    result = bench.run("verify", path, "--workers", workers)
    lines = [line for line in result.stdout.splitlines() if ": " in line]
    assert result.exit_code == 1
    assert lines[0].startswith("Refuted: above is DP") and lines[1].startswith("Unknown: both is")
