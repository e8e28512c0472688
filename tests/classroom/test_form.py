"""The form of the last notebook."""

from __future__ import annotations

import pytest

from ahdp_verify.classroom.form import form_claim, form_toml
from ahdp_verify.files.load import load_mechanism
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

RECORDS = "0, 0\n 1 , 1\n\n2, oo\n"
DENSITY = "exp(-abs(s - sum((1 - exp(-eps))*x))/b)/(2*b)"


def test_the_text_of_a_form_is_a_mechanism_file(tmp_path) -> None:
    text = form_toml(RECORDS, DENSITY, "1 - exp(-eps)", {"b": "2"})
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    (claim,) = load_mechanism(path).claims
    assert claim == form_claim(text)
    assert isinstance(verify(claim), Proved)
    assert [str(r) for r in claim.mechanism.inputs.records] == ["(0, 0)", "(1, 1)", "(2, oo)"]


def test_an_open_parameter_and_another_relation() -> None:
    claim = form_claim(
        form_toml(RECORDS, DENSITY, "3", {}, relation="add-remove", parameters={"b": "b > 0"})
    )
    assert claim.relation == "add-remove"
    assert [key for key, _ in claim.mechanism.parameters] == ["b"]


@pytest.mark.parametrize("level", ['1"\nname = "x', "1\\", "1 # no comment", 'x == "a"', "é"])
def test_what_is_written_in_a_field_stays_in_it(level: str) -> None:
    """Whatever is typed is read as one string: it may be refused, but adds nothing to the file."""
    text = form_toml(RECORDS, DENSITY, level, {"b": "2"})
    with pytest.raises(BadInput) as refused:
        form_claim(text)
    assert "TOML" not in str(refused.value)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ("", "there are 0"),
        ("1", "line 1"),
        ("1, 2\n, 3", "line 2"),
        ("1, 1\n" * 60, "there are 60"),
    ],
)
def test_records_that_cannot_be_read(records: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        form_toml(records, DENSITY, "1", {"b": "2"})
