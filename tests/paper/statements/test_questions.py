"""The questions that rows ask: each kind can give each of its answers (the right ones from the
paper's statement table or by hand).
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ahdp_verify import BadInput, Domain, best_power, extra_records
from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.catalogue.randomised_response import k_ary_response
from ahdp_verify.kernel.terms.expression import ONE, Expression, log, negative
from ahdp_verify.paper.statements import stored
from ahdp_verify.paper.statements.questions import (
    BY_ENCLOSURE,
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
    decimal_check,
    optimum_check,
    power_check,
    refusal_check,
)
from ahdp_verify.paper.statements.row import Check, CheckAnswer


def ask(check: Check) -> CheckAnswer:
    return check.ask(lambda said: None)


def test_a_claim_of_a_file_comes_from_its_record() -> None:
    answer = ask(claim_check("paper/multiset-weights-1-value-2-more-q-half.toml", 1, "refuted"))
    assert (answer.word, answer.record, answer.records) == (
        "refuted",
        "paper/certificates/multiset-weights-1-value-2-more-q-half-1.json",
        (),
    )
    assert (
        answer.probabilities[0] > answer.probabilities[2] > answer.probabilities[1]
    )  # E1: 4/7 against 1/4, where 2/4 is allowed
    assert answer.probabilities == pytest.approx((4 / 7, 1 / 4, 2 / 4))


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the paper's files that the toolkit reads instead."""
    shutil.copytree(stored.proofs_folder() / "paper", tmp_path / "paper")
    monkeypatch.setattr("ahdp_verify.paper.statements.stored.proofs_folder", lambda: tmp_path)
    monkeypatch.setattr("ahdp_verify.paper.statements.questions.proofs_folder", lambda: tmp_path)
    stored.file_content.cache_clear()
    yield tmp_path
    stored.file_content.cache_clear()


def test_a_record_of_another_claim_is_not_taken(copied: Path) -> None:
    shutil.copy(
        copied / "paper" / "weighted-count-as-printed-without-noise.toml",
        copied / "paper" / "weighted-count.toml",
    )
    assert stored.recheck_stored("paper/weighted-count.toml", 1) is None
    assert ask(claim_check("paper/weighted-count.toml", 1)).record == ""


def test_a_record_that_was_changed_is_not_taken(copied: Path) -> None:
    record = stored.record_path("paper/exact-size.toml", 1)
    record.write_text(record.read_text().replace("size", "siz3"))
    answer = ask(claim_check("paper/exact-size.toml", 1, "proved"))
    assert answer.record == ""
    assert answer.word in ("proved", "refuted")


def test_without_its_record_a_claim_is_decided_anew(copied: Path) -> None:
    stored.record_path("paper/multiset-weights-1-value-1-more-half-exponent.toml", 1).unlink()
    answer = ask(
        claim_check("paper/multiset-weights-1-value-1-more-half-exponent.toml", 1, "proved")
    )
    assert (answer.word, answer.record, len(answer.records)) == ("proved", "", 1)


def test_what_is_refuted_in_a_repaired_file_shows_that_its_level_is_exact() -> None:
    assert [
        c.role
        for c in claim_checks(
            "paper/geometric-size-as-a-guess.toml", "proved", "refuted", role="repair"
        )
    ] == ["repair", "more"]


@pytest.mark.parametrize(
    ("name", "word", "cited"),
    [
        ("paper/power-upper-bound-one-addition.toml", "proved", 1),  # row 27
        (
            "paper/power-lower-bound-two-values-inverted.toml",
            "refuted",
            0,
        ),  # row 31: an inverted fraction
        (
            "paper/power-upper-bound-presence-wrong-exponent.toml",
            "refuted",
            0,
        ),  # row 43: a true statement by a false step
        ("paper/power-upper-bound-presence.toml", "proved", 0),
    ],
)
def test_an_argument(name: str, word: str, cited: int) -> None:
    answer = ask(argument_check(name, "proved"))
    assert (answer.word, len(answer.given)) == (word, cited)


def test_a_comparison() -> None:
    assert ask(comparison_check("1 + 1", "==", 2)).word == "proved"
    assert ask(comparison_check("1 + 1", "==", lambda: 3)).word == "refuted"
    assert (
        ask(comparison_check("q^2", "<=", "q", unknowns={"q": "0 <= q and q <= 1"})).word
        == "proved"
    )


def test_an_optimum() -> None:
    """O2: 6/11 at t = 1."""

    def make() -> object:
        return best_power(Domain([("a", log(2)), ("b", log(3))]), extra_records(1))

    right, wrong = (ask(optimum_check(make, value)) for value in ("6/11", "1/2"))  # type: ignore[arg-type]
    assert (right.word, wrong.word, len(right.records)) == ("proved", "refuted", 2)


@pytest.mark.parametrize(
    ("printed", "word"),
    [
        ("0.3333", "proved"),
        ("0.3334", "refuted"),
        ("-0.3333", "refuted"),
        ("0.33333333333333333333", "proved"),
        ("0.33333333333333333334", "refuted"),
    ],
)
def test_a_decimal(printed: str, word: str) -> None:
    """Of a third, as a verdict of the checker, whose record says so."""
    answer = ask(decimal_check(lambda: "1/3", printed, says="a third"))
    assert (answer.word, len(answer.records), answer.given) == (word, 1, ())


@pytest.mark.parametrize(("printed", "word"), [("-0.2194", "proved"), ("-0.2193", "refuted")])
def test_a_decimal_of_an_exponential_integral(printed: str, word: str) -> None:
    """Ei(-1) = -0.21938393439552 (Abramowitz and Stegun, table 5.1): no verdict of the checker,
    and the row says by what it was compared.
    """
    answer = ask(decimal_check(lambda: Expression("Ei", (negative(ONE),)), printed))
    assert (answer.word, answer.records, answer.given) == (word, (), BY_ENCLOSURE)


def test_power_of_one_mechanism() -> None:
    """Randomised response of 3 values at q = 1/2: 1/(1 + 2 q) = 1/2."""
    right, wrong = (
        ask(power_check(lambda: power(k_ary_response((1, 2, 3), log(2)), [1, 2, 3]), value))
        for value in ("1/2", "2/3")
    )
    assert (right.word, wrong.word, len(right.records)) == ("proved", "refuted", 2)


def test_a_refusal() -> None:
    def refused() -> object:
        raise BadInput("level", "it is missing", "give one")

    assert ask(refusal_check(refused, "a question")).word == "refused"
    assert ask(refusal_check(lambda: 0, "a question")).word == "unknown"
