"""Files about mechanisms with parts: what they say, that whatever is wrong with one is told in one sentence, and that the commands take them.

Levels are compared with the `least` notes of the files about the same mechanisms written out, which tests/test_tighten.py and the paper's
referee notes support; the two probabilities of the pipeline are integrated by hand below.
"""

from __future__ import annotations

import copy
import json
import math
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ahdp_verify import cli
from ahdp_verify.ball import enclose
from ahdp_verify.combine import compose, subsample
from ahdp_verify.composite import Composite, CompositeClaim, assume
from ahdp_verify.context import Context, normal
from ahdp_verify.domain import Domain
from ahdp_verify.errors import BadInput
from ahdp_verify.expression import Abs, Expression, exp, name, number, oo, substitute
from ahdp_verify.files import load
from ahdp_verify.grammar import parse
from ahdp_verify.mechanism import Mechanism, real
from ahdp_verify.pipelines import PipelineFile, read
from ahdp_verify.privacy import ahdp
from ahdp_verify.search import verify
from ahdp_verify.tables import MechanismFile
from ahdp_verify.verdict import Proved, Refuted

PAPER = Path(__file__).resolve().parent.parent / "proofs" / "paper"
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


# what a file says


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


# what is wrong with one


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


# the commands


def run(*words: object) -> Result:
    result = CliRunner().invoke(cli.app, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_commands_take_a_file_with_parts(two: Path, tmp_path: Path) -> None:
    result = run("verify", two, "--expect", "--save", tmp_path / "two.json")
    assert result.exit_code == 0 and [line.split(":")[0] for line in result.stdout.splitlines()] == ["Proved", "Proved", "Refuted"]
    again = run("recheck", *(tmp_path / f"two-{i}.json" for i in (1, 2, 3)))
    assert again.exit_code == 0 and again.stdout.count("valid: ") == 3
    assert run("verify", two).exit_code == 1
    assert run("verify", f"{two}:W-AHDP").stdout == "Proved: two stages is AHDP at level eps; scope: all datasets; trusts: the checker alone\n"
    shown = json.loads(run("verify", f"{two}:W-AHDP", "--json").stdout)
    assert shown == json.loads((tmp_path / "two-2.json").read_text())
    assert run("verify", two, "--expect", "--level", "1").exit_code == 2
    assert run("verify", two, "--level", "1/2").exit_code == 1


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


# the paper's mechanisms from their parts

POINTS: tuple[dict[str, Expression], ...] = (
    {"l": number(-1), "h": number(3), "alpha1": number("1/7"), "alpha2": number("1/5"), "alpha": number("1/3"), "y": number("-2/3"), "eps": number(2), "x": number("5/3")},
    {"l": number(2), "h": number("7/2"), "alpha1": number("3/7"), "alpha2": number(0), "alpha": number("4/9"), "y": number("1/2"), "eps": number("1/2"), "x": number(2)},
)  # fmt: skip


def at(level: Expression, point: dict[str, Expression]) -> Expression:
    """A level with numbers for all names; the parts of a vector are x[i] = (-1)^i i/9."""
    parts = {f"x[{i}]": number(Fraction((-1) ** i * i, 9)) for i in range(1, 9)}
    return substitute(level, {**point, **parts})


@pytest.mark.parametrize(
    ("composed", "part", "direct"),
    [
        ("mean-composed", "mean", "mean"), ("frequency-composed", "frequencies", "frequency"), ("regression-2-composed", "trace", "regression-2"),
        ("regression-8-composed", "trace", "regression-8"), ("regression-2-upper-composed", "slope", "regression-2-upper"),
        ("regression-8-upper-composed", "rows and vector", "regression-8-upper"),
    ],
)  # fmt: skip
def test_the_level_by_laws_is_the_least_level_of_the_direct_proof(composed: str, part: str, direct: str) -> None:
    """The file's own levels add up to the `least` of the file about the whole law, in which all releases stand in one density."""
    laws, whole = load(PAPER / f"{composed}.toml"), load(PAPER / f"{direct}.toml")
    assert isinstance(laws, PipelineFile) and isinstance(whole, MechanismFile)
    found, wanted = laws.parts[part].level, whole.notes[0].least
    for point in POINTS:
        for x in (1, 2, 3) if direct == "frequency" else (None,):
            here = point if x is None else {**point, "x": number(x)}
            gap = normal(at(found, here), Context.empty()) - normal(at(wanted, here), Context.empty())
            assert gap.is_zero, here


@pytest.mark.parametrize(("composed", "direct"), [("mean-composed", "mean"), ("frequency-composed", "frequency")])
def test_composed_files_speak_of_the_same_records(composed: str, direct: str) -> None:
    assert load(PAPER / f"{composed}.toml").mechanism.inputs == load(PAPER / f"{direct}.toml").mechanism.inputs


def test_clipping_and_division_are_post_processing() -> None:
    for stem in ("mean", "frequency", "regression-2", "regression-2-upper"):
        mechanism = load(PAPER / f"{stem}-composed.toml").mechanism
        assert isinstance(mechanism, Composite) and mechanism.law == "post_process" and {"maximum", "max"} & {e.head for f in mechanism.formulas for e in heads(f)}


def heads(e: Expression) -> list[Expression]:
    return [e, *(part for a in e.args if isinstance(a, Expression) for part in heads(a))]


def test_a_pipeline_that_reuses_the_records_is_refuted_with_the_probabilities_integrated_by_hand() -> None:
    """Let w = 1 - exp(-1) be the weight of the record (1, 1), k how often it is there, and A that n < 0, b = 0, s < 0.

    n has density exp(n - k w/4)/2 there, n/2 lies below what is reached, k w/4, so b = 0 has probability exp(n/2 - k w/4)/2; s < 0 has
    exp(-k w/2)/2.  The integral over n < 0 is exp(-k w)/8 * 2/3.
    """
    found = verify(load(f"{PAPER / 'pipeline-reused.toml'}:the first two stages alone").claims[0])
    assert isinstance(found, Refuted) and isinstance(found.claim, CompositeClaim)
    assert str(found.counterexample.event) == "n < 0 and s < 0 and b = 0"
    assert found.before.as_rational == Fraction(1, 12)
    low, high = (Fraction(end) for end in enclose(found.after))
    assert low - Fraction(1, 10**12) < Fraction(math.exp(math.exp(-1) - 1)) / 12 < high + Fraction(1, 10**12) and high - low < Fraction(1, 10**12)


def test_paying_for_all_stages_is_enough_and_for_fewer_is_not() -> None:
    paid = load(PAPER / "pipeline.toml")
    assert isinstance(paid, PipelineFile)
    spent = [claim.level for key, claim in paid.parts.items() if key in ("count", "threshold", "sum")]
    for demand, x in ((Fraction(1, 2), 0), (Fraction(1), 1), (Fraction(2), 1)):
        point = {"eps": number(demand), "x": number(x)}
        total = normal(substitute(paid.parts["pipeline"].level, point), Context.empty())
        assert (total - sum((normal(substitute(e, point), Context.empty()) for e in spent[1:]), normal(substitute(spent[0], point), Context.empty()))).is_zero
    assert oo not in spent
