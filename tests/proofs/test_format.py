"""proofs/FORMAT.md names every kind, field, lemma, form and head that the code knows, and its
two examples are records that recheck accepts.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from ahdp_verify.canonical_json import SEAL, seal
from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.files.records import recheck
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.alignment import ALIGNMENT_KINDS
from ahdp_verify.kernel.evidence.certificate import (
    CERTIFICATE_KINDS,
    SIGN_RELATIONS,
    Certificate,
    certificate_kind,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample, InstanceCounterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.program_counterexample import EVENT_KINDS
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.neighbours import RELATIONS as MOVES
from ahdp_verify.kernel.model.program import (
    LAWS,
    Coin,
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    Stop,
    Tree,
    Winner,
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.algebra import constant, exp_of, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.record import FIELDS, read_record
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.composition import COMPOSITION_RULES
from ahdp_verify.kernel.rules.inequalities import LEMMAS, check_sign
from ahdp_verify.kernel.rules.joint_law import JOINT_LAWS
from ahdp_verify.kernel.terms.expression import HEADS, ONE
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.stored import from_stored, to_stored
from ahdp_verify.kernel.verdict import Proved
from tests.stored import ANY_KIND

TEXT = (Path(__file__).resolve().parents[2] / "proofs" / "FORMAT.md").read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of the text in one language."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return found


def paragraph(title: str) -> str:
    """What stands between the title of a kind and the next title."""
    return TEXT.split(f"\n### {title}\n", 1)[1].split("\n#", 1)[0]


EXAMPLES: list[dict[str, Any]] = [json.loads(block) for block in blocks("json")]
RECORDS = [example for example in EXAMPLES if "verdict" in example]
PROOF, REFUTATION = RECORDS
EXP_SIGN, MONOTONE = [example for example in EXAMPLES if example not in RECORDS]


PROGRAM_KINDS = {**ALIGNMENT_KINDS, **EVENT_KINDS}


@pytest.mark.parametrize("kind", [*CERTIFICATE_KINDS, *PROGRAM_KINDS])
def test_every_kind_has_its_paragraph_with_its_fields(kind: str) -> None:
    text = paragraph(kind)
    listed = [f"`{field.name}`" for field in fields({**CERTIFICATE_KINDS, **PROGRAM_KINDS}[kind])]
    first = text.split(". ", 1)[0].replace(" (the fingerprint)", "")
    assert (
        text.startswith(f"\n**{kind}**: ")
        and [word for word in re.findall(r"`\w+`", first) if word in listed] == listed
    )


@pytest.mark.parametrize(
    "kind",
    [*CERTIFICATE_KINDS, "alignment", "shifts", "region", "rounds", "inputs and outputs"],
)
def test_every_kind_that_shows_something_has_a_drawn_rule(kind: str) -> None:
    assert re.search(r"^```text\n(.*\n)+?-{20,}\n(.*\n)+?```$", paragraph(kind), re.MULTILINE)


def of_programs() -> str:
    """The section about programs."""
    return TEXT.split("\n## 12. Programs\n", 1)[1]


@pytest.mark.parametrize("law", LAWS)
def test_every_law_of_noise_has_its_row(law: str) -> None:
    assert re.search(rf"^\| `{law}` \| .+ \| .+ \|$", of_programs(), re.MULTILINE)


@pytest.mark.parametrize("step", get_args(Tree))
def test_every_step_of_a_program_has_its_row(step: type) -> None:
    made = {
        Draw: Draw("x", "laplace", ONE, Stop()),
        If: If(ONE, True, Stop(), Stop()),
        Winner: Winner((ONE,), (Stop(),)),
        Coin: Coin(ONE, Stop(), Stop()),
        Release: Release(ONE, Stop()),
        Goto: Goto("s", ()),
        Contest: Contest((), ONE, True),
        Stop: Stop(),
    }
    word, *content = made[step].to_json()
    assert re.search(
        rf'^\| `\["{word}"(, [^,`]+){{{len(content)}}}\]` \|', of_programs(), re.MULTILINE
    )


@pytest.mark.parametrize("kind", [Program, ProgramClaim])
def test_every_field_of_a_claim_about_a_program_has_its_row(kind: type) -> None:
    for field in fields(kind):
        assert re.search(rf"^\| `{field.name}` \| .+ \|$", of_programs(), re.MULTILINE)


@pytest.mark.parametrize("word", [*LEMMAS, *sorted(HEADS - {"number", *LEMMAS}), *MOVES])
def test_every_lemma_head_and_relation_is_named(word: str) -> None:
    assert f"`{word}`" in TEXT


@pytest.mark.parametrize("kind", LEMMAS)
def test_every_lemma_has_its_row(kind: str) -> None:
    assert re.search(rf"^\| `{kind}` \| [a-z, ]+ \| .+ \| .+ \|$", paragraph("lemma"), re.MULTILINE)


@pytest.mark.parametrize("law", COMPOSITION_RULES)
def test_every_law_has_its_row(law: str) -> None:
    text = TEXT.split("\n## 9. Composites and composition rules\n", 1)[1].split("\n## ", 1)[0]
    assert re.search(rf"^\| (`\w+`, )*`{law}`[^|]* \| .+ \| .+ \| .+ \|$", text, re.MULTILINE)


@pytest.mark.parametrize("law", JOINT_LAWS)
def test_every_law_that_is_written_out_has_its_row(law: str) -> None:
    text = TEXT.split("**The distribution of a composite as one expression**", 1)[1].split(
        "\n## ", 1
    )[0]
    assert re.search(rf"^\| (`\w+`, )*`{law}`[^|]* \| .+ \| .+ \|$", text, re.MULTILINE)


@pytest.mark.parametrize("form", ["log", "direct", "zero", "never"])
def test_every_form_is_drawn(form: str) -> None:
    assert re.search(rf"^{form} ", paragraph("closed"), re.MULTILINE)


@pytest.mark.parametrize("counts", ["none", "excess", "whole"])
def test_every_choice_is_drawn(counts: str) -> None:
    assert re.search(rf"^{counts} ", paragraph("choice"), re.MULTILINE)


def test_every_relation_of_a_case_and_of_a_lemma_is_named() -> None:
    for kind in ("lemma", "case split"):
        assert ", ".join(f"`{relation}`" for relation in SIGN_RELATIONS) in " ".join(
            paragraph(kind).split()
        )


@pytest.mark.parametrize(
    "field",
    sorted(
        set().union(*FIELDS.values())
        | {
            f.name
            for kind in (Counterexample, InstanceCounterexample, Event, Claim)
            for f in fields(kind)
        }
    ),
)
def test_every_field_of_a_record_is_named(field: str) -> None:
    assert f"`{field}`" in TEXT


@pytest.mark.parametrize("name", ["@1", "#1", "@c1", "@level", "@d1"])
def test_every_state_name_is_explained(name: str) -> None:
    assert re.search(rf"^\| `{name}`", TEXT, re.MULTILINE)


@pytest.mark.parametrize(
    ("record", "kind"), [(PROOF, Proved), (REFUTATION, Refuted)], ids=["proof", "refutation"]
)
def test_an_example_is_accepted(tmp_path: Path, record: dict[str, Any], kind: type) -> None:
    path = tmp_path / "example.json"
    path.write_text(json.dumps(record))
    assert isinstance(recheck(path), kind)


def test_the_examples_are_about_the_claims_of_the_mechanism_file() -> None:
    (file,) = blocks("toml")
    claims = read_mechanism_file(tomllib.loads(file), "sum").claims
    assert [claim.fingerprint for claim in claims] == [record["fingerprint"] for record in RECORDS]


@pytest.mark.parametrize("record", RECORDS, ids=["proof", "refutation"])
def test_the_hashes_are_those_of_the_canonical_text_that_is_described(
    record: dict[str, Any],
) -> None:
    def digest(data: object) -> str:
        return hashlib.sha256(
            json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
        ).hexdigest()

    assert record["fingerprint"] == digest(record["claim"])
    assert record[SEAL] == digest({key: value for key, value in record.items() if key != SEAL})


def test_the_example_of_a_proof_holds_the_kinds_that_are_explained() -> None:
    found = read_record(PROOF).evidence
    assert isinstance(found, Certificate)
    assert set(kinds(found)) == {"certificate", "mass", "pieces", "closed", "lemma", "products"}
    assert isinstance(read_record(REFUTATION).evidence, Counterexample)


def kinds(thing: object) -> Iterator[str]:
    """The kinds inside a certificate."""
    if type(thing) in CERTIFICATE_KINDS.values():
        yield certificate_kind(thing)
        for field in fields(thing):  # type: ignore[arg-type]
            yield from kinds(getattr(thing, field.name))
    elif isinstance(thing, tuple):
        for part in thing:
            yield from kinds(part)


def test_a_changed_coefficient_is_rejected_as_the_text_says(tmp_path: Path) -> None:
    before = [[{"q": "1"}, [1]]]
    changed = json.loads(
        json.dumps(PROOF).replace(json.dumps(before), json.dumps([[{"q": "2"}, [1]]]), 1)
    )
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(changed))
    with pytest.raises(BadInput):
        recheck(path)
    path.write_text(json.dumps(seal({key: value for key, value in changed.items() if key != SEAL})))
    with pytest.raises(Rejected):
        recheck(path)


def test_the_example_of_an_exp_sign_is_accepted_and_with_the_other_point_rejected_as_the_text_says() -> (
    None
):
    e = symbol("e")
    here, r = Context.empty().given(e.num, ">"), e - constant(1) + exp_of(-e)
    for relation in (">", ">="):
        check_sign(r, relation, from_stored(ANY_KIND, EXP_SIGN), here)
        with pytest.raises(Rejected):
            check_sign(
                r,
                relation,
                from_stored(
                    ANY_KIND, json.loads(json.dumps(EXP_SIGN).replace('{"q": "2"}', '{"q": "1"}'))
                ),
                here,
            )
    assert to_stored(from_stored(ANY_KIND, EXP_SIGN)) == EXP_SIGN


def test_the_example_of_a_monotone() -> None:
    """It shows what the text says that it shows, of x - log(1 + x); not of x/2 - log(1 + x)."""
    here = Context.empty().given(symbol("x").num, ">")
    proof = from_stored(ANY_KIND, MONOTONE)
    check_sign(normal(parse("x - log(1 + x)"), here), ">", proof, here)
    with pytest.raises(Rejected):
        check_sign(normal(parse("x/2 - log(1 + x)"), here), ">", proof, here)
    assert to_stored(proof) == MONOTONE


def test_the_contents_lead_to_titles() -> None:
    titles = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= titles
