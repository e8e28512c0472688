"""proofs/FORMAT.md names every kind, lemma, form and head that the code knows, and its example is a certificate that the checker accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ahdp_verify.certificate import KINDS, RELATIONS, Certificate, from_json
from ahdp_verify.checker import check
from ahdp_verify.domain import Domain
from ahdp_verify.errors import Rejected
from ahdp_verify.expression import HEADS, Abs, exp
from ahdp_verify.mechanism import Mechanism, real
from ahdp_verify.privacy import Claim, ahdp
from ahdp_verify.proof import LEMMAS

TEXT = (Path(__file__).resolve().parent.parent / "proofs" / "FORMAT.md").read_text()


def claim() -> Claim:
    s, W = real("s"), Domain([(0, 0), (1, 1)])
    return ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="m"))


def example() -> dict[str, object]:
    """The certificate of the text, with the claim's fingerprint."""
    (block,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    found = json.loads(block)
    assert isinstance(found, dict)
    return {**found, "is": "certificate", "claim": claim().fingerprint}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_paragraph(kind: str) -> None:
    assert f"\n**{kind}**: " in TEXT


@pytest.mark.parametrize("word", [*LEMMAS, *sorted(HEADS - {"number", *LEMMAS})])
def test_every_lemma_and_head_is_named(word: str) -> None:
    assert f"`{word}`" in TEXT


@pytest.mark.parametrize("form", ["log", "direct", "zero", "never"])
def test_every_form_is_drawn(form: str) -> None:
    assert re.search(rf"^{form} ", TEXT, re.MULTILINE)


def test_every_relation_of_a_case_is_named() -> None:
    assert f"relations {', '.join(RELATIONS)}" in TEXT


def test_the_example_is_accepted() -> None:
    certificate = from_json(example())
    assert isinstance(certificate, Certificate)
    assert str(check(claim(), certificate)).startswith("Proved: m is AHDP at level eps")


def test_the_example_with_another_number_is_rejected() -> None:
    changed = json.loads(json.dumps(example()).replace('[[{"q": "1"}, [1]]]', '[[{"q": "2"}, [1]]]', 1))
    with pytest.raises(Rejected):
        check(claim(), from_json(changed))
