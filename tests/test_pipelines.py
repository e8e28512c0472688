"""Files about mechanisms with parts: what they say, what is wrong with them, and the paper's mechanisms from their parts against their direct proofs.

The levels of the composed files are compared with the `least` of the direct files, which tests of those files check; the loss and the
probabilities of the pipeline that does not pay are worked out by hand.
"""

from __future__ import annotations

import copy
import itertools
import json
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from mpmath import e as euler
from mpmath import exp as mpexp
from mpmath import mpf
from typer.testing import CliRunner, Result

from ahdp_verify import Abs, Domain, Mechanism, Proved, Refuted, ahdp, assume, compose, exp, name, number, real, recheck, subsample, verify
from ahdp_verify.algebra import Ratio
from ahdp_verify.ball import enclose
from ahdp_verify.cli import app
from ahdp_verify.composite import CompositeClaim, known
from ahdp_verify.context import normal
from ahdp_verify.errors import BadInput
from ahdp_verify.files import load
from ahdp_verify.grammar import parse
from ahdp_verify.laws import places
from ahdp_verify.pipelines import PipelineFile, read
from ahdp_verify.tables import MechanismFile

PAPER = Path(__file__).resolve().parent.parent / "proofs" / "paper"
NOISE = {"name": "count", "outputs": [{"name": "n", "kind": "real"}], "density": "exp(-abs(n - size))/2", "level": "1"}
LATER = {"name": "later", "outputs": [{"name": "s", "kind": "real"}], "density": "exp(-abs(s - n - sum(x)))/2", "level": "x"}
BOTH = {"name": "both", "law": "compose", "of": ["count", "later"]}


def document(*parts: dict[str, Any], claims: tuple[dict[str, Any], ...] = (), **more: Any) -> dict[str, Any]:
    """A file about these parts."""
    return {"format": 1, "domain": {"records": [["0", "1"], ["1", "2"]]}, "part": list(parts), "claim": list(claims), **more}


def pipeline(*parts: dict[str, Any], claims: tuple[dict[str, Any], ...] = (), **more: Any) -> PipelineFile:
    return read(document(*parts, claims=claims, **more), "file", Path())


def claims_of(stem: str) -> dict[str, Any]:
    """The claims of a file of the paper by name."""
    file = load(PAPER / f"{stem}.toml")
    return {note.name: claim for claim, note in zip(file.claims, file.notes, strict=True)}


# the paper's mechanisms


@pytest.mark.parametrize("stem", ["mean", "frequency", "regression-2", "regression-8", "regression-2-upper", "regression-8-upper"])
def test_composed_from_parts_the_level_is_that_of_the_direct_proof(stem: str) -> None:
    direct, composed = load(PAPER / f"{stem}.toml"), load(PAPER / f"{stem}-composed.toml")
    assert isinstance(direct, MechanismFile) and isinstance(composed, PipelineFile)
    least = next(note.least for note in direct.notes if note.least is not None)
    whole = composed.parts[next(name for name, part in reversed(composed.parts.items()) if getattr(part.mechanism, "law", "") == "compose")]
    assert isinstance(whole, CompositeClaim)
    for p in places(whole):
        gap: Ratio = normal(p.at(whole.level), p.here) - normal(p.at(least), p.here)
        assert gap.is_zero, f"{whole.level} against {least} at {p.text}"
    assert known(whole.mechanism).facts or not whole.mechanism.parameters


def test_post_processing_costs_nothing() -> None:
    for stem in ("mean", "frequency", "regression-2"):
        file = load(PAPER / f"{stem}-composed.toml")
        assert isinstance(file, PipelineFile)
        *_, before, last = file.parts.values()
        assert last.level == before.level and getattr(last.mechanism, "law", "") == "post_process"


def test_the_pipeline_is_certified_and_its_records_are_accepted(tmp_path: Path) -> None:
    for i, claim in enumerate(load(PAPER / "pipeline.toml").claims):
        found = verify(claim)
        assert isinstance(found, Proved) and not found.trusts and found.scope == "scope: all datasets"
        found.save(tmp_path / f"{i}.json")
        assert recheck(tmp_path / f"{i}.json") == found


def test_a_stage_that_is_not_paid_for_is_refuted() -> None:
    """By hand: adding a record (1, 1) where n < 0, b = 0 and s < 0 loses alpha/4 + alpha/4 + alpha/2 with alpha = 1 - 1/e; alpha/2 is claimed."""
    claim, *_ = load(PAPER / "pipeline-reused.toml").claims
    found = verify(claim)
    assert isinstance(found, Refuted)
    low, high = (mpf(end.numerator) / end.denominator for end in enclose(found.before / found.after, 128))
    alpha = 1 - 1 / euler
    assert [str(v) for v in found.counterexample.after] == ["0", "0", "1", "0", "0"] and str(found.counterexample.event) == "n < 0 and s < 0 and b = 0"
    assert low - mpf(10) ** -12 <= mpexp(alpha) <= high + mpf(10) ** -12
    assert mpexp(alpha) > mpexp(alpha / 2)


# what a file says


def test_later_parts_read_what_earlier_ones_release() -> None:
    file = pipeline(NOISE, LATER, BOTH, claims=({"relation": "ahdp", "level": "1 + x", "expect": "proved"}, {"relation": "ahdp", "level": "x", "about": "later"}))
    whole, part = file.claims
    assert str(whole) == "both is AHDP at level x + 1" and part.mechanism == file.parts["later"].mechanism
    assert [key for key, _ in part.mechanism.parameters] == ["n"] and whole.mechanism.parameters == ()
    assert isinstance(verify(whole), Proved)


@pytest.mark.parametrize(
    ("part", "levels"),
    [
        ({"law": "subsample", "of": ["count"], "keep": "1/2"}, "log((exp(1) - 1)/2 + 1)"),
        ({"law": "mixture", "of": ["count", "count"], "weights": ["1/3", "2/3"]}, "1"),
        ({"law": "post_process", "of": ["count"], "formulas": {"z": "2*n"}}, "1"),
        ({"law": "group", "of": ["count"]}, "1"),
        ({"law": "pull_back", "of": ["count"], "domain": {"records": [["5", "1"]]}, "becomes": {"x": "x - 5"}}, "1"),
    ],
    ids=lambda value: value.get("law", "") if isinstance(value, dict) else "",
)
def test_every_law_has_its_words(part: dict[str, Any], levels: str) -> None:
    file = pipeline(NOISE, {"name": "made", **part})
    made = file.parts["made"]
    assert isinstance(verify(made), Proved)
    p = next(places(made))
    assert (normal(p.at(made.level), p.here) - normal(p.at(load_level(levels)), p.here)).is_zero


def load_level(text: str) -> Any:
    return pipeline({**NOISE, "level": text}).parts["count"].level


def test_any_mechanism_and_saved_proofs_are_parts(tmp_path: Path) -> None:
    found = verify(pipeline(NOISE).parts["count"])
    assert isinstance(found, Proved)
    found.save(tmp_path / "count.json")
    kept = {"name": "kept", "record": "count.json"}
    anything = {"name": "any mechanism", "assumed": True, "relation": "ahdp", "level": "eps", "outputs": [{"name": "y", "kind": "real"}]}
    both = {"name": "both", "law": "compose", "of": ["kept", "any mechanism"]}
    file = read(document(kept, anything, both, claims=({"relation": "ahdp", "level": "1 + eps"},)), "file", tmp_path)
    whole = verify(file.claims[0])
    assert isinstance(whole, Proved) and "assumes: any mechanism" in str(whole)
    low = verify(read(document(kept, anything, both, claims=({"relation": "ahdp", "level": "1/2 + eps"},)), "file", tmp_path).claims[0])
    assert isinstance(low, Refuted) and "in place of any mechanism" in str(low)


# what is wrong with a file


@pytest.mark.parametrize(
    ("parts", "more", "where", "reason"),
    [
        ((), {}, "part", "there is none"),
        ((NOISE, NOISE), {}, "part[2].name", "two parts are called count"),
        (({"name": "p"},), {}, "part[1]", "nothing says what the part is"),
        (({**NOISE, "law": "compose"},), {}, "part[1]", "density and law say different things"),
        (({**NOISE, "keep": "1"},), {}, "part[1].keep", "the key is not known"),
        ((NOISE, {"name": "p", "law": "magic", "of": ["count"]}), {}, "part[2].law", "'magic' makes no mechanism"),
        ((NOISE, {"name": "p", "law": "compose", "of": ["later"]}), {}, "part[2].of", "no part above is called later"),
        ((NOISE, {"name": "p", "law": "compose", "of": ["count"], "keep": "1"}), {}, "part[2].keep", "compose does not take it"),
        ((NOISE, {"name": "p", "law": "subsample", "of": ["count"]}), {}, "part[2].keep", "the key is missing"),
        ((NOISE, {"name": "p", "law": "mixture", "of": ["count"], "weights": [1]}), {}, "part[2].weights", "it is no quoted text"),
        ((NOISE, {"name": "p", "law": "mixture", "of": ["count"], "weights": "1"}), {}, "part[2].weights", "a text stands where a list is expected"),
        (({"name": "p", "assumed": False, "level": "1"},), {}, "part[1].assumed", "it is not true"),
        (({"name": "p", "record": "missing.json"},), {}, "missing.json", "there is no such file"),
        ((NOISE, LATER, {"name": "p", "law": "compose", "of": ["later", "count"]}), {}, "compose", "n is an output and a parameter"),
        ((NOISE, LATER, {"name": "p", "law": "product", "of": ["count", "later"]}), {}, "product", "use compose"),
        ((NOISE,), {"claim": [{"relation": "ahdp", "about": "sum"}]}, "claim[1].about", "no part is called sum"),
        ((NOISE,), {"claim": [{"relation": "ahdp", "expect": "yes"}]}, "claim[1].expect", "no verdict"),
        ((NOISE,), {"claim": [{"relation": "ahdp", "level": 1}]}, "claim[1].level", "bare number 1"),
        ((NOISE,), {"format": 2}, "format", "not a format"),
        ((NOISE,), {"mechanism": {}}, "mechanism", "the key is not known"),
    ],
)
def test_a_bad_file_is_refused_with_its_place_and_reason(parts: tuple[dict[str, Any], ...], more: dict[str, Any], where: str, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        read({**document(*parts), **more}, "file", Path())
    assert where in caught.value.where and reason in str(caught.value)


# the command line


def test_commands_on_a_file_with_parts(tmp_path: Path) -> None:
    path = tmp_path / "both.toml"
    path.write_text("""format = 1
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
law = "compose"
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
    assert found.exit_code == 0 and [line.split(":")[0] for line in found.stdout.splitlines()] == ["Proved", "Refuted"]
    assert run(app, ["verify", str(path)]).exit_code == 1 and run(app, ["verify", f"{path}:both"]).exit_code == 0
    records = [str(tmp_path / f"out-{i}.json") for i in (1, 2)]
    assert run(app, ["recheck", *records, "--file", str(path)]).exit_code == 0
    assert run(app, ["verify", str(path), "--json"]).stdout.splitlines() == [Path(r).read_text().strip() for r in records]
    refused = run(app, ["tighten", str(path)])
    assert refused.exit_code == 2 and "Traceback" not in refused.output
    path.write_text(path.read_text().replace('of = ["count", "again"]', 'of = ["count", "sum"]'))
    wrong = run(app, ["verify", str(path)])
    assert wrong.exit_code == 2 and "no part above is called sum" in wrong.output and "Traceback" not in wrong.output


def test_names_of_parts_and_claims_are_told_apart() -> None:
    names = [note.name for note in load(PAPER / "pipeline.toml").notes]
    assert all(a != b for a, b in itertools.combinations(names, 2))


def test_a_pipeline_that_reuses_the_records_is_refuted_with_the_probabilities_integrated_by_hand() -> None:
    """Let w = 1 - exp(-1) be the weight of the record (1, 1), k how often it is there, and A that n < 0, b = 0, s < 0.

    n has density exp(n - k w/4)/2 there, n/2 lies below what is reached, k w/4, so b = 0 has probability exp(n/2 - k w/4)/2; s < 0 has
    exp(-k w/2)/2.  The integral over n < 0 is exp(-k w)/8 * 2/3.
    """
    found = verify(load(f"{PAPER / 'pipeline-reused.toml'}:the first two stages alone").claims[0])
    assert isinstance(found, Refuted) and isinstance(found.claim, CompositeClaim)
    assert str(found.counterexample.event) == "n < 0 and s < 0 and b = 0"
    assert found.before.as_rational == Fraction(1, 12)
    (low, high), after = enclose(found.after, 128), mpexp(1 / euler - 1) / 12
    assert mpf(low.numerator) / low.denominator - mpf(10) ** -12 <= after <= mpf(high.numerator) / high.denominator + mpf(10) ** -12


@pytest.mark.parametrize("about", ["a stage that is called free", "the free stage itself"])
def test_a_stage_that_is_called_free_is_refuted(about: str) -> None:
    assert isinstance(verify(claims_of("pipeline-reused")[about]), Refuted)


TEXT = """
format = 1
name = "two stages"
[domain]
records = [["0", "1"], ["1", "2"]]
[[part]]
name = "count"
outputs = [{name = "n", kind = "real"}]
density = "exp(-abs(n - size))/2"
level = "1"
[[part]]
name = "sum"
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - n - sum(x)))/2"
level = "x"
[[part]]
name = "any"
assumed = true
relation = "add-remove"
level = "2"
[[part]]
name = "sample"
law = "subsample"
of = ["any"]
keep = "1/2"
[[part]]
name = "both"
law = "compose"
of = ["count", "sum"]
[[claim]]
name = "what is spent"
level = "1 + x"
expect = "proved"
[[claim]]
name = "W-AHDP"
expect = "proved"
[[claim]]
name = "the first stage alone"
level = "1"
expect = "refuted"
"""
DOCUMENT = tomllib.loads(TEXT)


def changed(place: str, value: object) -> dict[str, Any]:
    """DOCUMENT with the entry of a dotted place set, or removed for None."""
    document = copy.deepcopy(DOCUMENT)
    *path, last = [int(key) - 1 if key.isdigit() else key for key in place.split(".")]
    at: Any = document
    for key in path:
        at = at[key]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return document


@pytest.fixture
def two(tmp_path: Path) -> Path:
    path = tmp_path / "two.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_file_makes_the_composite_that_the_functions_make(two: Path) -> None:
    W, n, s, x = Domain([(0, 1), (1, 2)]), real("n"), real("s"), name("x")
    count = ahdp(Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count"), 1)
    total = ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - name("n") - W.sum(x))) / 2, parameters={"n": ""}, name="sum"), x)
    file = load(two)
    assert isinstance(file, PipelineFile)
    assert file.claims[0].fingerprint == ahdp(compose(count, total, name="two stages"), 1 + x).fingerprint
    assert file.parts["sample"].fingerprint == subsample(assume(W, "add-remove", 2, text="any"), "1/2", name="sample").fingerprint
    assert [claim.level for claim in file.claims] == [1 + x, name("eps"), number(1)]


def test_a_claim_is_about_the_part_that_it_names() -> None:
    document = changed("claim.1.about", "count")
    assert read(document, "two", Path()).claims[0].mechanism == read(document, "two", Path()).parts["count"].mechanism


@pytest.mark.parametrize(("values", "condition"), [(["0", "1"], "0 <= b and b <= 1"), (["-3", "1/2", "2"], "-3 <= b and b <= 2"), (['"a"', '"b"'], "")])
def test_a_part_knows_what_values_a_finite_output_may_have(values: list[str], condition: str) -> None:
    law = f"indicator(b == {values[0]})"
    parts = [
        {"name": "test", "outputs": [{"name": "b", "kind": "finite", "values": values}], "density": law, "level": "0"},
        {"name": "noise", "outputs": [{"name": "s", "kind": "real"}], "density": f"exp(-abs(s - indicator(b == {values[0]})))/2", "level": "0"},
    ]
    read_ = read({"format": 1, "domain": {"records": [["0", "1"]]}, "part": parts}, "two", Path()).parts["noise"].mechanism.parameters
    assert read_ == (("b", parse(condition) if condition else parse("true")),)


@pytest.mark.parametrize(
    ("place", "value", "where", "reason"),
    [
        ("part", [], "part", "there is none"),
        ("part.1.name", "sum", "part[2].name", "two parts are called sum"),
        ("part.1.name", None, "part[1].name", "missing"),
        ("part.1.density", None, "part[1]", "nothing says what the part is"),
        ("part.1.law", "compose", "part[1]", "density and law say different things"),
        ("part.1.density", "exp(-abs(n - size)", "part[1].density", "never closed"),
        ("part.1.level", "-1", "part[1], level", "out of range"),
        ("part.1.level", "y", "part[1], level", "the name y is not known"),
        ("part.1.relation", "hpd", "part[1], relation", "'hpd' is not known"),
        ("part.1.delta", "2", "part[1], delta", "out of range"),
        ("part.1.keep", "1", "part[1].keep", "not known"),
        ("part.2.density", "exp(-abs(s - m))/2", "part[2], density", "the name m is not known"),
        ("part.3.assumed", False, "part[3].assumed", "not true"),
        ("part.3.level", None, "part[3].level", "missing"),
        ("part.4.keep", None, "part[4].keep", "missing"),
        ("part.4.keep", "half", "part[4], level", "the name half is not known"),
        ("part.4.of", ["any", "count"], "part[4], subsample", "2 parts"),
        ("part.4.of", "any", "part[4].of", "a list is expected"),
        ("part.4.law", "sample", "part[4].law", "makes no mechanism"),
        ("part.4.weights", ["1"], "part[4].weights", "subsample does not take it"),
        ("part.5.of", ["sum", "count"], "part[5], compose", "put the part that releases it first"),
        ("part.5.of", ["count", "sum", "later"], "part[5].of", "no part above is called later"),
        ("part.5.of", ["count", "count"], "part[5], outputs of compose", "n is declared twice"),
        ("part.3", {"name": "f", "file": "count.toml"}, "part[3].file, file", "cannot be read from here"),
        ("part.3", {"name": "f", "record": "missing.json"}, "part[3], missing.json", "no such file"),
        ("part.4", {"name": "m", "law": "mixture", "of": ["count", "count"], "weights": ["1/2"]}, "part[4], mixture", "1 probabilities are given for 2 parts"),
        ("part.4", {"name": "m", "law": "post_process", "of": ["count"], "formulas": {"z": "q"}}, "part[4], post_process", "the name q is not known"),
        ("part.4", {"name": "m", "law": "post_process", "of": ["count"], "formulas": {"z": 2}}, "part[4].formulas.z", "bare number 2"),
        ("part.4", {"name": "m", "law": "pull_back", "of": ["count"], "domain": {"records": [["2", "1"]]}, "becomes": {"y": "1"}}, "part[4].becomes", "names no part of a record"),
        ("claim.1.about", "whole", "claim[1].about", "no part is called whole"),
        ("claim.1.expect", "true", "claim[1].expect", "no verdict"),
        ("let", {"n": "1"}, "let.n", "n already names an output of count"),
        ("parameters", {"n": ""}, "part[1], names", "n is declared twice"),
        ("format", 2, "format", "not a format"),
        ("mechanism", {}, "mechanism", "not known"),
    ],
)
def test_what_is_wrong_is_named(place: str, value: object, where: str, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(changed(place, value), "two", Path())
    assert caught.value.where == where
    assert reason in f"{caught.value.reason}; {caught.value.cure}"


# parts from elsewhere


def test_a_part_may_be_a_claim_of_another_file_or_a_saved_proof(tmp_path: Path) -> None:
    count = '[[claim]]\nname = "a"\nrelation = "ahdp"\nlevel = "1"\n[[claim]]\nname = "b"\nrelation = "ahdp"\nlevel = "2"\n'
    mechanism = '[mechanism]\noutputs = [{name = "n", kind = "real"}]\ndensity = "exp(-abs(n - size))/2"\n'
    (tmp_path / "count.toml").write_text('format = 1\nname = "count"\n[domain]\nrecords = [["0", "1"], ["1", "2"]]\n' + mechanism + count)
    made = {part: read_in(tmp_path, part) for part in ('file = "count.toml:a"', 'file = "count.toml:b"')}
    assert [file.parts["both"].level for file in made.values()] == [parse("1 + x"), parse("2 + x")]
    assert all(isinstance(verify(file.claims[0]), Proved) for file in made.values())
    saved = verify(load(f"{tmp_path / 'count.toml'}:a").claims[0])
    saved.save(tmp_path / "count.json")
    file = read_in(tmp_path, 'record = "count.json"')
    assert file.claims[0].fingerprint == made['file = "count.toml:a"'].claims[0].fingerprint
    assert isinstance(verify(file.claims[0]), Proved)


def read_in(folder: Path, part: str) -> PipelineFile:
    """TEXT with another first part, from a file in the folder."""
    own = 'outputs = [{name = "n", kind = "real"}]\ndensity = "exp(-abs(n - size))/2"\nlevel = "1"\n'
    (folder / "two.toml").write_text(TEXT.replace(own, f"{part}\n").replace('level = "1 + x"', 'level = "2 + x"'))
    file = load(folder / "two.toml")
    assert isinstance(file, PipelineFile)
    return file


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ('file = "count.toml"', "no such file"),
        ('file = "two.toml"', "the keys here are"),
        ('file = "count.py:count"', "does not run"),
        ('file = "several.toml"', "it makes 2 claims"),
        ('file = "several.toml:c"', "none is called c"),
        ('record = "refuted.json"', "no proof"),
        ('record = "two.toml"', "no whole JSON"),
    ],
)
def test_other_files_that_are_no_claim_are_refused(tmp_path: Path, part: str, reason: str) -> None:
    mechanism = '[mechanism]\noutputs = [{name = "n", kind = "real"}]\ndensity = "exp(-abs(n - size))/2"\n'
    several = 'format = 1\n[domain]\nrecords = [["0", "1"], ["1", "2"]]\n' + mechanism + '[[claim]]\nname = "a"\nlevel = "1/2"\nrelation = "ahdp"\n[[claim]]\nrelation = "ahdp"\n'
    (tmp_path / "several.toml").write_text(several)
    (tmp_path / "count.py").write_text("raise SystemExit('it was run')")
    verify(load(f"{tmp_path / 'several.toml'}:a").claims[0]).save(tmp_path / "refuted.json")
    with pytest.raises(BadInput) as caught:
        read_in(tmp_path, part)
    assert reason in str(caught.value) and "part[1]" in caught.value.where


def test_a_changed_record_proves_nothing(tmp_path: Path) -> None:
    """The record of a proof at level 1, in which the claim says 1/2."""
    W, n = Domain([(0, 1), (1, 2)]), real("n")
    verify(ahdp(Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count"), 1)).save(tmp_path / "count.json")
    content = json.loads((tmp_path / "count.json").read_text())
    content["claim"]["level"] = ["number", "1/2"]
    (tmp_path / "count.json").write_text(json.dumps(content))
    with pytest.raises(BadInput):
        read_in(tmp_path, 'record = "count.json"')


def run(*words: object) -> Result:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_an_expectation_that_is_not_met_is_told(two: Path) -> None:
    two.write_text(TEXT.replace('expect = "refuted"', 'expect = "proved"'))
    result = run("verify", two, "--expect")
    assert result.exit_code == 1 and "proved was expected, not refuted" in result.stderr


def test_a_python_file_may_export_claims_about_what_is_made_of_parts(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text(
        "from ahdp_verify import Domain, ahdp, assume, compose, real\n"
        "W = Domain([(1, 1)])\n"
        'twice = compose(assume(W, "ahdp", 1, text="any"), assume(W, "ahdp", 2, text="other", outputs=[real("z")]))\n'
    )
    result = run("verify", f"{path}:twice")
    assert result.exit_code == 0 and "is AHDP at level 3" in result.stdout and "assumes: any is AHDP at level 1; other is AHDP at level 2" in result.stdout
