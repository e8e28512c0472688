"""Files about mechanisms with parts: their content, their errors, and the paper's mechanisms from
their parts against their direct proofs.

The levels of the paper's composed files are compared with the `least` of the direct files, which
tests of those files check, those of the two corpora with what `tighten` finds in the direct files;
the loss of the pipeline with an unpaid stage is computed by hand.
"""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath import e as euler
from mpmath import exp as mpexp
from mpmath import mpf
from typer.testing import CliRunner

from ahdp_verify import Proved, Refuted, log, name, number, recheck, tighten, verify
from ahdp_verify.cli.app import app
from ahdp_verify.files.composite_file import PipelineFile, read_pipeline_file
from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import MechanismFile
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.composite import CompositeClaim, composite_context
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.composition import move_kinds
from ahdp_verify.kernel.terms.expression import Expression, substitute

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
PAPER = PROOFS / "paper"
NOISE = {
    "name": "count",
    "outputs": [{"name": "n", "kind": "real"}],
    "density": "exp(-abs(n - size))/2",
    "level": "1",
}
LATER = {
    "name": "later",
    "outputs": [{"name": "s", "kind": "real"}],
    "density": "exp(-abs(s - n - sum(x)))/2",
    "level": "x",
}
BOTH = {"name": "both", "rule": "compose", "of": ["count", "later"]}


def document(
    *parts: dict[str, Any], claims: tuple[dict[str, Any], ...] = (), **more: Any
) -> dict[str, Any]:
    """A file about these parts."""
    return {
        "format": 2,
        "domain": {"records": [["0", "1"], ["1", "2"]]},
        "part": list(parts),
        "claim": list(claims),
        **more,
    }


def pipeline(
    *parts: dict[str, Any], claims: tuple[dict[str, Any], ...] = (), **more: Any
) -> PipelineFile:
    return read_pipeline_file(document(*parts, claims=claims, **more), "file", Path())


def claims_of(stem: str) -> dict[str, Any]:
    """The claims of a file of the paper by name."""
    file = load(PAPER / f"{stem}.toml")
    return {note.name: claim for claim, note in zip(file.claims, file.notes, strict=True)}


# the paper's mechanisms


COMPOSED = {  # a file, and that of the same mechanism from its parts
    "mean-numerator-and-denominator": "mean-by-composition",
    "frequency-bins-and-size": "frequency-by-composition",
    "linear-regression-d-2": "linear-regression-d-2-by-composition",
    "linear-regression-d-8": "linear-regression-d-8-by-composition",
}


@pytest.mark.parametrize("stem", COMPOSED)
def test_composed_from_parts_the_level_is_that_of_the_direct_proof(stem: str) -> None:
    direct, composed = load(PAPER / f"{stem}.toml"), load(PAPER / f"{COMPOSED[stem]}.toml")
    assert isinstance(direct, MechanismFile) and isinstance(composed, PipelineFile)
    least = next(note.least for note in direct.notes if note.least is not None)
    whole = composed.parts[
        next(
            name
            for name, part in reversed(composed.parts.items())
            if getattr(part.mechanism, "rule", "") == "compose"
        )
    ]
    assert isinstance(whole, CompositeClaim)
    for p in move_kinds(whole):
        gap: Ratio = normal(p.at(whole.level), p.here) - normal(p.at(least), p.here)
        assert gap.is_zero, f"{whole.level} against {least} at {p.text}"
    assert composite_context(whole.mechanism).facts or not whole.mechanism.parameters


# composed file, direct file, relation of both, and which values of the composed one's parameters
# the direct one has
TWO_ROUTES = [
    (
        "public/sum-and-size-budget-split-twice-by-composition",
        "public/sum-and-size-budget-split-twice-every-eps",
        "add-remove",
        {"e": name("eps")},
    ),
    ("public/two-reports-of-one-bit-by-composition", "public/two-reports-of-one-bit", "any", {}),
    (
        "public/two-laplace-calls-by-composition",
        "public/two-laplace-calls-joint-density",
        "one",
        {},
    ),
    (
        "field/laplace-twenty-copies-by-composition",
        "field/laplace-twenty-copies",
        "one",
        {"e": name("eps")},
    ),
    (
        "field/sample-by-demand-then-any-mechanism",
        "field/sample-by-demand-then-geometric-count",
        "ahdp",
        {"t": log(3)},
    ),  # a count as the base
    (
        "field/drop-low-demands-then-any-mechanism",
        "field/drop-low-demands-then-geometric-count-threshold-1",
        "ahdp",
        {"t": number(1)},
    ),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("composed", "direct", "relation", "filling"),
    TWO_ROUTES,
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_level_of_the_rule_is_the_least_of_the_single_expression(
    composed: str, direct: str, relation: str, filling: dict[str, Expression]
) -> None:
    """For an assumed base the level of the rule is one for all of them, and the base of the
    direct file attains it.
    """
    parts, written = load(PROOFS / f"{composed}.toml"), load(PROOFS / f"{direct}.toml")
    assert isinstance(parts, PipelineFile) and isinstance(written, MechanismFile)
    *_, whole = parts.parts.values()
    least, level = tighten(written.mechanism, relation), substitute(whole.level, filling)
    assert whole.relation == relation and least.exact and least.matches(level), (
        f"{level} against {least}"
    )
    assert not least.matches(level * Fraction(999, 1000))


def test_the_cells_of_a_histogram_cost_a_record_what_one_answer_that_moves_costs() -> None:
    """Benchmark M9: a record is in one cell, so that adding it moves one answer by 1; the direct
    file moves one of five answers.
    """
    parts, written = (
        load(PROOFS / "field" / "laplace-histogram-bin-by-bin.toml"),
        load(PROOFS / "field" / "laplace-histogram-five-bins.toml"),
    )
    assert isinstance(parts, PipelineFile) and isinstance(written, MechanismFile)
    *_, whole = parts.parts.values()
    least = tighten(written.mechanism, "one")
    assert least.exact and least.level is not None
    found = [
        normal(p.at(whole.level), p.here)
        - normal(substitute(least.level, {"eps": name("e")}), p.here)
        for p in move_kinds(whole)
    ]
    assert len(found) == 4 and all(gap.is_zero for gap in found)


def test_post_processing_costs_nothing() -> None:
    for stem in list(COMPOSED.values())[:3]:
        file = load(PAPER / f"{stem}.toml")
        assert isinstance(file, PipelineFile)
        *_, before, last = file.parts.values()
        assert last.level == before.level and getattr(last.mechanism, "rule", "") == "post_process"


@pytest.mark.sweep(0)
def test_the_pipeline_is_certified_and_its_records_are_accepted(tmp_path: Path) -> None:
    for i, claim in enumerate(load(PAPER / "three-stages-count-threshold-sum.toml").claims):
        found = verify(claim)
        assert isinstance(found, Proved) and not found.trusts and found.scope_text == "all datasets"
        found.save(tmp_path / f"{i}.json")
        assert recheck(tmp_path / f"{i}.json") == found


@pytest.mark.sweep(0)
def test_a_stage_that_is_not_paid_for_is_refuted() -> None:
    """By hand: adding a record (1, 1) where n < 0, b = 0 and s < 0 loses alpha/4 + alpha/4 +
    alpha/2 with alpha = 1 - 1/e; alpha/2 is claimed.
    """
    claim = load(PAPER / "three-stages-third-stage-not-paid-for.toml").claims[0]
    found = verify(claim)
    assert isinstance(found, Refuted)
    low, high = (
        mpf(end.numerator) / end.denominator
        for end in enclose(found.first_probability / found.second_probability, 128)
    )
    alpha = 1 - 1 / euler
    assert [str(v) for v in found.counterexample.second] == ["0", "0", "1", "0", "0"] and str(
        found.counterexample.event
    ) == "n < 0 and s < 0 and b = 0"
    assert low - mpf(10) ** -12 <= mpexp(alpha) <= high + mpf(10) ** -12
    assert mpexp(alpha) > mpexp(alpha / 2)


# what a file says


def test_later_parts_read_what_earlier_ones_release() -> None:
    file = pipeline(
        NOISE,
        LATER,
        BOTH,
        claims=(
            {"relation": "ahdp", "level": "1 + x", "expect": "proved"},
            {"relation": "ahdp", "level": "x", "about": "later"},
        ),
    )
    whole, part = file.claims
    assert (
        str(whole) == "both is AHDP at level x + 1"
        and part.mechanism == file.parts["later"].mechanism
    )
    assert [key for key, _ in part.mechanism.parameters] == [
        "n"
    ] and whole.mechanism.parameters == ()
    assert isinstance(verify(whole), Proved)


@pytest.mark.parametrize(
    ("part", "levels"),
    [
        (
            {"rule": "subsample", "of": ["count"], "inclusion_probability": "1/2"},
            "log((exp(1) - 1)/2 + 1)",
        ),
        ({"rule": "mixture", "of": ["count", "count"], "weights": ["1/3", "2/3"]}, "1"),
        ({"rule": "post_process", "of": ["count"], "formulas": {"z": "2*n"}}, "1"),
        ({"rule": "group", "of": ["count"]}, "1"),
        (
            {
                "rule": "pull_back",
                "of": ["count"],
                "domain": {"records": [["5", "1"]]},
                "becomes": {"x": "x - 5"},
            },
            "1",
        ),
    ],
    ids=lambda value: value.get("rule", "") if isinstance(value, dict) else "",
)
def test_every_law_has_its_words(part: dict[str, Any], levels: str) -> None:
    file = pipeline(NOISE, {"name": "made", **part})
    made = file.parts["made"]
    assert isinstance(verify(made), Proved)
    p = next(move_kinds(made))
    assert (normal(p.at(made.level), p.here) - normal(p.at(load_level(levels)), p.here)).is_zero


def load_level(text: str) -> Any:
    return pipeline({**NOISE, "level": text}).parts["count"].level


def test_any_mechanism_and_saved_proofs_are_parts(tmp_path: Path) -> None:
    found = verify(pipeline(NOISE).parts["count"])
    assert isinstance(found, Proved)
    found.save(tmp_path / "count.json")
    kept = {"name": "kept", "record": "count.json"}
    anything = {
        "name": "any mechanism",
        "assumed": True,
        "relation": "ahdp",
        "level": "eps",
        "outputs": [{"name": "y", "kind": "real"}],
    }
    both = {"name": "both", "rule": "compose", "of": ["kept", "any mechanism"]}
    file = read_pipeline_file(
        document(kept, anything, both, claims=({"relation": "ahdp", "level": "1 + eps"},)),
        "file",
        tmp_path,
    )
    whole = verify(file.claims[0])
    assert isinstance(whole, Proved) and "assumes: any mechanism" in str(whole)
    low = verify(
        read_pipeline_file(
            document(kept, anything, both, claims=({"relation": "ahdp", "level": "1/2 + eps"},)),
            "file",
            tmp_path,
        ).claims[0]
    )
    assert isinstance(low, Refuted) and "in place of any mechanism" in str(low)


# what is wrong with a file


@pytest.mark.parametrize(
    ("parts", "more", "where", "reason"),
    [
        ((), {}, "part", "there is none"),
        ((NOISE, NOISE), {}, "part[2].name", "two parts are called count"),
        (({"name": "p"},), {}, "part[1]", "nothing defines the part"),
        (
            ({**NOISE, "rule": "compose"},),
            {},
            "part[1]",
            "density and rule define the same part in different ways",
        ),
        (
            ({**NOISE, "inclusion_probability": "1"},),
            {},
            "part[1].inclusion_probability",
            "the key is not known",
        ),
        (
            (NOISE, {"name": "p", "rule": "magic", "of": ["count"]}),
            {},
            "part[2].rule",
            "'magic' is not a rule that forms a mechanism",
        ),
        (
            (NOISE, {"name": "p", "rule": "compose", "of": ["later"]}),
            {},
            "part[2].of",
            "no part above is called later",
        ),
        (
            (
                NOISE,
                {"name": "p", "rule": "compose", "of": ["count"], "inclusion_probability": "1"},
            ),
            {},
            "part[2].inclusion_probability",
            "compose does not take it",
        ),
        (
            (NOISE, {"name": "p", "rule": "subsample", "of": ["count"]}),
            {},
            "part[2].inclusion_probability",
            "the key is missing",
        ),
        (
            (NOISE, {"name": "p", "rule": "mixture", "of": ["count"], "weights": [1]}),
            {},
            "part[2].weights",
            "it is not a quoted string",
        ),
        (
            (NOISE, {"name": "p", "rule": "mixture", "of": ["count"], "weights": "1"}),
            {},
            "part[2].weights",
            "a text stands where a list is expected",
        ),
        (({"name": "p", "assumed": False, "level": "1"},), {}, "part[1].assumed", "it is not true"),
        (({"name": "p", "record": "missing.json"},), {}, "missing.json", "there is no such file"),
        (
            (NOISE, LATER, {"name": "p", "rule": "compose", "of": ["later", "count"]}),
            {},
            "compose",
            "n is both an output and a parameter",
        ),
        (
            (NOISE, LATER, {"name": "p", "rule": "product", "of": ["count", "later"]}),
            {},
            "product",
            "use compose",
        ),
        (
            (NOISE,),
            {"claim": [{"relation": "ahdp", "about": "sum"}]},
            "claim[1].about",
            "no part is called sum",
        ),
        (
            (NOISE,),
            {"claim": [{"relation": "ahdp", "expect": "yes"}]},
            "claim[1].expect",
            "not a verdict",
        ),
        (
            (NOISE,),
            {"claim": [{"relation": "ahdp", "level": 1}]},
            "claim[1].level",
            "bare number 1",
        ),
        ((NOISE,), {"format": 3}, "format", "not a supported format"),
        ((NOISE,), {"mechanism": {}}, "mechanism", "the key is not known"),
    ],
)
def test_a_bad_file_is_refused_with_its_place_and_reason(
    parts: tuple[dict[str, Any], ...], more: dict[str, Any], where: str, reason: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read_pipeline_file({**document(*parts), **more}, "file", Path())
    assert where in caught.value.where and reason in str(caught.value)


# the command line


def test_commands_on_a_file_with_parts(tmp_path: Path) -> None:
    path = tmp_path / "both.toml"
    path.write_text("""format = 2
domain.records = [["0", "1"], ["1", "2"]]
[[part]]
name = "count"
outputs = [{name = "n", kind = "real"}]
density = "exp(-abs(n - size))/2"
level = "1"
[[part]]
name = "again"
outputs = [{name = "m", kind = "real"}]
density = "exp(-abs(m - size))/2"
level = "1"
[[part]]
name = "both"
rule = "compose"
of = ["count", "again"]
[[claim]]
name = "both"
relation = "ahdp"
level = "2"
expect = "proved"
[[claim]]
name = "one"
relation = "ahdp"
level = "1"
expect = "refuted"
""")
    run = CliRunner().invoke
    found = run(app, ["verify", str(path), "--expect", "--save", str(tmp_path / "out.json")])
    assert found.exit_code == 0 and [line.split(":")[0] for line in found.stdout.splitlines()] == [
        "Proved",
        "Refuted",
    ]
    assert (
        run(app, ["verify", str(path)]).exit_code == 1
        and run(app, ["verify", f"{path}:both"]).exit_code == 0
    )
    records = [str(tmp_path / f"out-{i}.json") for i in (1, 2)]
    assert run(app, ["recheck", *records, "--file", str(path)]).exit_code == 0
    documents = run(app, ["verify", str(path), "--json"]).stdout.splitlines()
    assert [json.loads(d)["record"] for d in documents] == [
        json.loads(Path(r).read_text()) for r in records
    ]
    refused = run(app, ["tighten", str(path)])
    assert refused.exit_code == 2 and "Traceback" not in refused.output
    path.write_text(path.read_text().replace('of = ["count", "again"]', 'of = ["count", "sum"]'))
    wrong = run(app, ["verify", str(path)])
    assert (
        wrong.exit_code == 2
        and "no part above is called sum" in wrong.output
        and "Traceback" not in wrong.output
    )


def test_names_of_parts_and_claims_are_told_apart() -> None:
    names = [note.name for note in load(PAPER / "three-stages-count-threshold-sum.toml").notes]
    assert all(a != b for a, b in itertools.combinations(names, 2))
