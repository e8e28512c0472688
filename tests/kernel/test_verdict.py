"""The three answers: their line, their pictures, and what a stored record has to be."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ahdp_verify.canonical_json as jsonfile
import ahdp_verify.display.notebook  # noqa: F401 - verdicts get their pictures
from ahdp_verify.decimals import (
    approximate_rational,
    decimal,
    distinct_decimals,
    text_with_decimal,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.certificate import Certificate, Declined
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp, dp
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.record import read_record
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Abs, Min, eq, exp, indicator, name, number
from ahdp_verify.kernel.terms.printing import LINE, one_line
from ahdp_verify.kernel.verdict import PROVIDED, Proved
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown

S = real("s")


def noisy(title: str = "noisy answer", level: object = 1, delta: object = 0) -> Claim:
    mechanism = Mechanism(
        Queries(1), outputs=[S], density=exp(-Abs(S - name("q[1]"))) / 2, name=title
    )
    return dp(mechanism, level, "one", delta)


PROVED, REFUTED = verify(noisy()), verify(noisy(level=Fraction(1, 2)))
UNKNOWN = Unknown(
    noisy(), (Declined("linear", "no proof was found"), Declined("finite", "stopped after 1 s"))
)
VERDICTS = (PROVED, REFUTED, UNKNOWN)


def test_the_examples_are_what_they_are_called() -> None:
    assert [type(v) for v in VERDICTS] == [Proved, Refuted, Unknown]


def test_lines_have_one_shape() -> None:
    assert (
        str(PROVED)
        == "Proved: noisy answer is DP for one moving answer at level 1; scope: all inputs; trusts: the checker alone"
    )
    assert re.fullmatch(
        r"Refuted: noisy answer is DP for one moving answer at level 1/2; witness: -?\d+ against "
        r"-?\d+, event s .*: probability 1/2 against exp\(-1\)/2 = 0\.18394, "
        r"loss 1 > 1/2, delta 0\.196735; total probability 1 is shown at all inputs; trusts: the "
        r"checker alone",
        str(REFUTED),
    )
    assert (
        str(UNKNOWN)
        == "Unknown: noisy answer is DP for one moving answer at level 1; reasons: linear: no proof was found; finite: stopped after 1 s"
    )


def test_a_solvers_word_is_in_the_line() -> None:
    assert isinstance(PROVED, Proved)
    believed = Proved(PROVED.claim, PROVED.certificate, PROVED.scope, ("cvc5", "z3"))
    assert str(believed).startswith(
        "Proved, attested by cvc5 and z3: noisy answer is DP for one moving answer"
    )
    assert str(believed).endswith("; trusts: the checker, cvc5 and z3")


def test_a_violation_of_delta_says_how_large_it_is() -> None:
    refuted = verify(noisy(level=Fraction(1, 2), delta=Fraction(1, 10)))
    assert isinstance(refuted, Refuted), refuted
    assert re.search(
        r", delta 0\.\d+ > 0\.1 at level 1/2; total probability 1 is shown at all inputs; trusts",
        str(refuted),
    ) and "loss" not in str(refuted)


def test_an_infinite_loss_is_called_so() -> None:
    W = Domain([(1, 1)])
    size = Mechanism(
        W,
        outputs=[finite("s", [0, 1])],
        density=indicator(eq(name("s"), Min(W.size, 1))),
        name="presence",
    )
    refuted = verify(ahdp(size))
    assert isinstance(refuted, Refuted), refuted
    assert "loss infinite > 1, delta 1;" in str(refuted) and refuted.loss is None


def test_a_verdict_has_no_truth_value() -> None:
    for verdict in VERDICTS:
        with pytest.raises(TypeError, match="no truth value"):
            bool(verdict)


@given(st.text())
def test_a_line_stays_one_line_whatever_the_mechanism_is_called(title: str) -> None:
    verdict = Unknown(noisy(title), ())
    for text in (str(verdict), verdict._repr_latex_()):
        assert text.isprintable() and len(text) < 2 * LINE
    assert verdict._repr_html_().isprintable()


def test_characters_that_move_or_hide_are_escaped() -> None:
    assert one_line("a\x1b[2K\nProved: b\u202e") == r"a\x1b[2K\nProved: b\u202e"
    assert one_line("\ud800") == r"\ud800"
    assert one_line("x" * 700) == "x" * 597 + "..."


def test_pictures_escape_what_would_be_markup() -> None:
    verdict = Unknown(noisy("<b>50% of $x_1^2$ & {~\\}"), ())
    assert "&quot;&lt;b&gt;50% of $x_1^2$ &amp; {~\\\\}&quot;" in verdict._repr_html_()
    assert r"""\text{"＜b＞50\% of \$x\_1ˆ2\$ \& \{∼∖∖\}"}""" in verdict._repr_latex_()
    assert (
        PROVED._repr_latex_()
        == r"$\textbf{Proved}:\ \text{noisy answer}\ \text{is DP for one moving answer at level}\ 1$"
    )
    assert r"\frac{1}{2}" in REFUTED._repr_latex_() and "witness" in REFUTED._repr_html_()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (constant(0), "0"),
        (constant(Fraction(1, 2)), "0.5"),
        (constant(100), "100"),
        (constant(-3), "-3"),
        (exp_of(constant(1)), "2.71828"),
        (exp_of(constant(-2000)), "2.57654e-869"),
        (exp_of(constant(2000)), "3.88118e+868"),
        (exp_of(constant(Fraction(-1, 10**30))) - constant(1), "-1e-30"),
    ],
)
def test_decimals(value: Ratio, text: str) -> None:
    assert decimal(value) == text


@given(st.fractions(), st.fractions())
def test_different_constants_look_different(a: Fraction, b: Fraction) -> None:
    if a != b and abs(a - b) > abs(a) / 10**15:
        x, y = distinct_decimals(constant(a), constant(b))
        assert x != y
    assert approximate_rational(constant(a)) == a


def test_constants_are_shown_exactly_where_that_is_short() -> None:
    assert text_with_decimal(number(Fraction(1, 2)), constant(Fraction(1, 2))) == "1/2"
    assert text_with_decimal(exp(-1), exp_of(constant(-1))) == "exp(-1) = 0.367879"
    long = constant(Fraction(1, 3**90))
    assert text_with_decimal(number(Fraction(1, 3**90)), long) == "1.14574e-43"


def test_the_loss_and_the_delta_of_a_refutation() -> None:
    assert isinstance(REFUTED, Refuted)
    assert REFUTED.loss is not None and (REFUTED.loss - constant(1)).is_zero
    assert (
        REFUTED.delta
        - (constant(Fraction(1, 2)) - exp_of(constant(Fraction(-1, 2))).scale(Fraction(1, 2)))
    ).is_zero
    assert log_of(constant(1)).is_zero


def test_stored_records_are_read_again() -> None:
    for verdict, kind in ((PROVED, Certificate), (REFUTED, Counterexample)):
        found = read_record(verdict.to_json())
        assert found.claim == verdict.claim and isinstance(found.evidence, kind)


def resealed(made: Proved | Refuted | Unknown, **changes: Any) -> Any:
    record = {k: v for k, v in made.to_json().items() if k != jsonfile.SEAL} | changes
    return jsonfile.seal(record)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "not a stored record of format 3"),
        ([], "not a stored record of format 3"),
        (resealed(PROVED, format=4), "not a stored record of format 3"),
        (resealed(PROVED, format=True), "not a stored record of format 3"),
        (
            resealed(PROVED, format=1),
            "a record of format 1, .*; verify the claim again and save the record",
        ),
        (resealed(PROVED, compared={}), "compared: a part of it does not have"),
        (resealed(PROVED, compared=[]), "compared: a part of it does not have"),
        (resealed(PROVED, made_by={}), "versions"),
        (resealed(PROVED, made_by=PROVED.to_json()["made_by"] | {"flint": 3}), "versions"),
        (resealed(PROVED, made_by=PROVED.to_json()["made_by"] | {"flint": "3\n"}), "versions"),
        (
            resealed(
                REFUTED, mass={"counts": 0, "mass": {"is": "mass", "values": [], "evidence": []}}
            ),
            "mass: a part of it does not have",
        ),
        (
            resealed(REFUTED, mass={"counts": False, "mass": {"e": "1"}}),
            "mass: a part of it does not have",
        ),
        (UNKNOWN.to_json(), "its verdict is Unknown"),
        (resealed(PROVED, verdict="refuted"), "its fields are"),
        (resealed(PROVED, verdict=["proved"]), "its fields are"),
        (resealed(PROVED, remark=""), "its fields are"),
        (PROVED.to_json() | {"scope": "scope: everything"}, "changed after it was saved"),
        (resealed(PROVED, fingerprint="0" * 64), "fingerprint is that of another claim"),
        (resealed(PROVED, claim=noisy(level=2).to_json()), "fingerprint is that of another claim"),
        (resealed(PROVED, claim=[]), "not what to_json returns"),
        (resealed(PROVED, certificate={"e": "1"}), "certificate: a part of it does not have"),
        (resealed(PROVED, certificate=1), "certificate: a part of it does not have"),
        (
            resealed(REFUTED, counterexample={}),
            "counterexample: a part of it does not have",
        ),
    ],
)
def test_what_is_not_a_stored_record_is_refused(record: Any, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        read_record(record)


def test_an_unknown_has_nothing_to_save(tmp_path: Any) -> None:
    with pytest.raises(BadInput, match="nothing to check"):
        UNKNOWN.save(tmp_path / "a.json")
    assert not (tmp_path / "a.json").exists()


def test_the_kernel_alone_says_where_the_words_are(monkeypatch: pytest.MonkeyPatch) -> None:
    found = verify(noisy())
    assert isinstance(found, Proved)
    monkeypatch.delitem(PROVIDED, (Proved, "parts"))
    with pytest.raises(BadInput, match=re.escape("import ahdp_verify.display.verdict_text")):
        str(found)
