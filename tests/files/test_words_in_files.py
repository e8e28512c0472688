"""Words in mechanism files: laws, families, grids and repetition mean what is written out, and each
mistake is one sentence with the place and the cure.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import MechanismFile, read_mechanism_file
from ahdp_verify.files.written import expanded, laws_text
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.terms.expression import oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
COLOURS = 'domain.records = [["red", "1"], ["blue", "1"], ["red", "2"]]'
TOP = "format = 2\n"


def read(text: str) -> MechanismFile:
    return read_mechanism_file(tomllib.loads(TOP + text), "file")


def same(words: str, plain: str) -> None:
    """Both files define the same mechanism and claims."""
    a, b = read(words), read(plain)
    assert str(a.mechanism.density) == str(b.mechanism.density)
    assert a.mechanism.fingerprint == b.mechanism.fingerprint
    assert a.claims == b.claims


def test_a_law_is_its_density() -> None:
    same(
        f'{COLOURS}\nlet.half = "1/2"\nmechanism.outputs = [{{name = "s", law = "laplace(size, half)"}}]',
        f'{COLOURS}\nmechanism.outputs = [{{name = "s", kind = "real"}}]\nmechanism.density = "exp(-abs(s - size)*2)"',
    )


def test_laws_may_use_earlier_outputs() -> None:
    same(
        'domain.queries = "1"\nmechanism.outputs = [{name = "n", law = "laplace(q[1], 2)"}, '
        '{name = "s", law = "laplace(n, 2)"}]',
        'domain.queries = "1"\nmechanism.outputs = [{name = "n", kind = "real"}, {name = "s", kind = "real"}]\n'
        'mechanism.density = "exp(-abs(n - q[1])/2)*exp(-abs(s - n)/2)/16"',
    )


def test_a_family_has_one_part_for_each_value() -> None:
    same(
        f'{COLOURS}\nmechanism.outputs = [{{name = "h", over = "c in values of x", law = "laplace(count(x == c), 1)"}}]',
        f'{COLOURS}\nmechanism.outputs = [{{name = "h", kind = "real", size = "2"}}]\n'
        'mechanism.density = "exp(-abs(h[1] - count(x == \\"red\\")))*exp(-abs(h[2] - count(x == \\"blue\\")))/4"',
    )


def test_parts_of_a_family_are_called_by_their_values() -> None:
    same(
        f'{COLOURS}\nmechanism.outputs = [{{name = "h", kind = "real", over = "values of x"}}]\n'
        'mechanism.density = "exp(-abs(h[\\"blue\\"]) - abs(h[ \\"red\\" ]))/4"',
        f'{COLOURS}\nmechanism.outputs = [{{name = "h", kind = "real", size = "2"}}]\n'
        'mechanism.density = "exp(-abs(h[2]) - abs(h[1]))/4"',
    )


def test_ages_are_the_names_of_the_parts() -> None:
    """h[18] is the part of the value 18, which is the first one."""
    same(
        'domain.records = {values = "18 to 20", demands = ["1"]}\nmechanism.outputs = [{name = "h", kind = '
        '"real", over = "values of x"}]\nmechanism.density = "exp(-abs(h[18]) - abs(h[20]) - abs(h[19]))/8"',
        'domain.records = [["18", "1"], ["19", "1"], ["20", "1"]]\nmechanism.outputs = [{name = "h", kind = "real", '
        'size = "3"}]\nmechanism.density = "exp(-abs(h[1]) - abs(h[3]) - abs(h[2]))/8"',
    )


def test_counters_run_through_parts_that_are_numbered() -> None:
    same(
        'domain.queries = "3"\nlet.c = {over = "k in 1 to 3", value = "k*q[k]"}\nmechanism.outputs = [{name = "s", '
        'law = "laplace(total(c[j], j, 1, 3), 1)"}]',
        'domain.queries = "3"\nmechanism.outputs = [{name = "s", law = "laplace(q[1] + 2*q[2] + 3*q[3], 1)"}]',
    )


def test_the_score_is_read_for_every_candidate() -> None:
    plain = (
        'mechanism.outputs = [{{name = "r", kind = "finite", values = [{0}, {1}]}}]\nmechanism.density = '
        '"piecewise((exp({2}/2), r == {4}), (exp({3}/2), true))/(exp({2}/2) + exp({3}/2))"'
    )
    of_colours = plain.format(
        '"red"', '"blue"', r"count(x == \"red\")", r"count(x == \"blue\")", r"\"red\""
    )
    law = 'mechanism.outputs = [{name = "r", values = "values of x", law = "exponential_mechanism(%s, 1, 1)"}]'
    family = 'let.c = {over = "k in values of x", value = "count(x == k)"}'
    for words in (law % "count(x == r)", f"{family}\n{law % 'c[r]'}"):
        same(f"{COLOURS}\n{words}", f"{COLOURS}\n{of_colours}")
    same(
        'domain.queries = "2"\nmechanism.outputs = [{name = "r", values = "1 to 2", law = '
        '"exponential_mechanism(q[r], 1, 1)"}]',
        'domain.queries = "2"\n' + plain.format('"1"', '"2"', "q[1]", "q[2]", "1"),
    )


def test_a_finite_output_may_be_counted_or_choose_a_part() -> None:
    outputs = 'mechanism.outputs = [{name = "r", kind = "finite", values = "values of x"}, {name = "s", kind = "real"}]'
    chosen = r"piecewise((count(x == \"red\"), r == \"red\"), (count(x == \"blue\"), true))"
    plain = f'{COLOURS}\n{outputs}\nmechanism.density = "exp(-abs(s - {chosen}))/4"'
    same(f'{COLOURS}\n{outputs}\nmechanism.density = "exp(-abs(s - count(x == r)))/4"', plain)
    family = 'let.c = {over = "k in values of x", value = "count(x == k)"}'
    same(f'{COLOURS}\n{family}\n{outputs}\nmechanism.density = "exp(-abs(s - c[r]))/4"', plain)


def test_a_repeated_mechanism_has_copies() -> None:
    same(
        'domain.queries = "1"\nmechanism = {repeat = "2", outputs = [{name = "s", law = "laplace(q[1], 1)"}]}',
        'domain.queries = "1"\nmechanism.outputs = [{name = "s", size = "2", law = "laplace(q[1], 1)"}]',
    )


def test_randomised_response_reports_the_values_of_the_domain() -> None:
    file = read(
        'parameters.e = "e > 0"\ndomain.values = ["yes", "no"]\nmechanism.outputs = [{name = "s", law = '
        '"randomised_response(values, e)"}]\nclaim = [{relation = "any", level = "e"}, {relation = "any", level = "0.99*e"}]'
    )
    assert [verify(c).outcome for c in file.claims] == ["proved", "refuted"]


def test_a_point_of_mass_becomes_an_atom() -> None:
    file = read(
        'domain.records = [["1", "1"]]\nmechanism.outputs = [{name = "s", law = "clamp(laplace(size, 1), 0, 5)"}]\n'
        'claim = [{relation = "ahdp"}, {relation = "ahdp", level = "0.99*eps"}]'
    )
    assert [str(at) for at, _ in file.mechanism.atoms] == ["0", "5"]
    assert [verify(c).outcome for c in file.claims] == ["proved", "refuted"]


def test_parts_of_a_composite_may_have_laws(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        'format = 2\ndomain.records = {values = "0 to 1", demands = ["2"]}\n'
        '[[part]]\nname = "count"\noutputs = [{name = "n", law = "laplace(size, 1)"}]\nlevel = "1"\n'
        '[[part]]\nname = "sum"\noutputs = [{name = "s", law = "laplace(n + sum(x), 1)"}]\nlevel = "x"\n'
        '[[part]]\nname = "both"\nrule = "compose"\nof = ["count", "sum"]\n'
        '[[claim]]\nrelation = "ahdp"\n[[claim]]\nrelation = "ahdp"\nlevel = "1.9"\n'
    )
    assert [verify(c, Limits(seconds=20)).outcome for c in load(path).claims] == [
        "proved",
        "refuted",
    ]


def test_what_is_written_out_is_the_same_mechanism() -> None:
    """For stored files of every kind: the text reads as the same mechanism and the same claims."""
    paths = [
        *sorted((PROOFS / "public").glob("*.toml"))[::12],
        *sorted((PROOFS / "paper").glob("*.toml"))[::9],
    ]
    files = [file for file in map(load, paths) if isinstance(file, MechanismFile)]
    assert len(files) > 15
    for file in files:
        again = read_mechanism_file(tomllib.loads(expanded(file)), "")
        assert again.mechanism.fingerprint == file.mechanism.fingerprint
        assert (again.claims, again.notes) == (file.claims, file.notes)


def test_words_are_written_out_and_explained() -> None:
    file = read(
        f'{COLOURS}\nmechanism.outputs = [{{name = "h", over = "values of x", law = "truncate(laplace(0, 1), -1, 1)"}}]'
    )
    assert "law" not in expanded(file)
    assert laws_text(file.laws).splitlines()[:2] == [
        "h[1] has the law truncate(laplace(0, 1), -1, 1)",
        "h[2] has the law truncate(laplace(0, 1), -1, 1)",
    ]
    assert "not post-processing" in laws_text(file.laws)
    assert (
        laws_text(
            read(
                'domain.queries = "1"\nmechanism = {outputs = [{name = "s", kind = "real"}], density = "exp(-abs(s))/2"}'
            ).laws
        )
        == ""
    )


def test_outputs_of_two_kinds_under_one_name_cannot_be_written() -> None:
    M = Mechanism(
        Queries(1),
        outputs=[Output("s[1]", "real"), Output("s[2]", "integer")],
        density=parse("exp(-abs(s[1]))/2*piecewise((1, s[2] == 0), (0, true))"),
    )
    with pytest.raises(BadInput, match="of different kinds"):
        expanded(M)


def one(law: str, more: str = "", output: str = "") -> str:
    return f'{COLOURS}\n{more}\nmechanism.outputs = [{{name = "s", law = "{law}"{output}}}]'


MISTAKES = [
    (one("laplac(size, 1)"), r"outputs\[1\].law: at character 1, laplac is not a law; did you mean laplace\?"),
    (one("gauss(size, 1)"), "gauss is not a law; the laws are laplace, geometric"),
    (one("laplace(size)"), r"laplace has 1 argument; write laplace\(location, scale\)"),
    (one("laplace"), "laplace has no arguments"),
    (one("laplace(size, 1"), "this parenthesis is never closed"),
    (one("laplace(size, 1) + 1"), r"at character 18, '\+' follows the law"),
    (one("laplace(siz, 1)"), "the name siz is not known"),
    (one("laplace(size, 1/)"), "at character 17"),
    (one("laplace(size, 0)"), r"law, laplace: scale: 0 is not positive"),
    (one("clamp(laplace(size, 1), 10, 0)"), "10 is not below 0; write the smaller end first"),
    (one("clamp(size, 0, 1)"), "at character 7, size is not a law"),
    (one(""), "a law is missing"),
    (one("exponential_mechanism(count(x == s), 1, 1)"), "its candidates are not listed"),
    (one("exponential_mechanism(size, 1, 1)", output=', values = "values of x"'), "the score does not mention s"),
    (one("randomised_response(values, 1)"), "reports the value of one person, and the input is none"),
    (one("randomised_response(x, 1)"), "the first argument is the word values"),
    (one("laplace(size, 1)", output=', kind = "integer"'), "an output with this law is real, not integer; drop kind"),
    (one("laplace(size, 1)", output=', values = ["1"]'), r"the values of laplace\(size, 1\) are not these"),
    (one("laplace(size, 1)", 'mechanism.density = "1"'), "mechanism.density: the law of s defines the distribution already; drop density"),
    (one("laplace(size, 1)", "mechanism.atoms = []"), "the law of s has its own points of mass; drop atoms"),
    (one("clamp(laplace(size, 1), 0, 1)", 'mechanism.repeat = "2"'), "mechanism.repeat: .*points of mass"),
    (one("laplace(size, 1)", output=', over = "values of y"'), "y is not a part of a record or value; write values of x or eps"),
    (one("laplace(size, 1)", output=', over = "c in values of x"'), "it does not mention c, so all parts of s are alike"),
    (one("laplace(size, 1)", output=', over = "x in values of x"'), "x has a meaning already"),
    (one("laplace(size, 1)", output=', over = "3 to 1"'), "3 to 1 has 0 numbers"),
    (one("laplace(size, 1)", output=', over = "the values"'), "names no values"),
    (one("laplace(size, 1)", output=', over = "values of x", size = "2"'), "over says already how many"),
    (one('laplace(count(x == c), 1)', output=', over = "c in values of x", typo = "1"'), "the key is not known; the keys here are name, kind, values, size, over, law"),
    (f'{COLOURS}\nmechanism.outputs = [{{name = "s", law = "laplace(0, 1)"}}, {{name = "t", kind = "real"}}]', "s has a law and t has none"),
    (f'{COLOURS}\nmechanism.outputs = [{{name = "s", law = "laplace(t, 1)"}}, {{name = "t", law = "laplace(0, 1)"}}]', "it uses the output t, which is below it"),
    (f'{COLOURS}\nmechanism.density = "h[\\"green\\"]"\nmechanism.outputs = [{{name = "h", kind = "real", over = "values of x"}}]', 'h has no part "green"; its parts are "red", "blue"'),
    (f'{COLOURS}\nmechanism.density = "total(h[k], k, 1, 2)"\nmechanism.outputs = [{{name = "h", kind = "real", over = "values of x"}}]', "the parts of h are called by their values, and k is not one"),
    (f'{COLOURS}\nlet.c = {{over = "values of x"}}\nmechanism.outputs = []', "let.c.value: the key is missing"),
    ('domain.records = {values = "1 to 3"}\nmechanism = {}', "domain.records.demands: the key is missing"),
    ('domain.records = {values = "1 to 3", demands = []}\nmechanism = {}', "demands: there is none"),
    ('domain.records = {values = "one to 3", demands = ["1"]}\nmechanism = {}', "is not a range of whole numbers"),
    ('domain.records = {values = "1 to 99999", demands = ["1"]}\nmechanism = {}', "1 to 99999 has 99999 numbers"),
    ('domain.records = {csv = "a.csv", value = "x", demand = "e"}\nmechanism = {}', "another file cannot be read from here"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), MISTAKES)
def test_a_mistake_names_its_place_and_the_cure(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read(text)


def test_a_grid_has_every_value_with_every_demand() -> None:
    grid = 'domain.records = {values = ["a", "b"], demands = ["0", "oo"]}'
    found = read(f'{grid}\nmechanism.outputs = [{{name = "s", law = "laplace(0, 1)"}}]')
    assert found.mechanism.inputs == Domain([("a", 0), ("a", oo), ("b", 0), ("b", oo)])
