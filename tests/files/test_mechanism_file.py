"""The content of mechanism files; whatever is wrong with one is reported in one sentence that names
the file and the place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ahdp_verify.files.load import load
from ahdp_verify.files.mechanism_file import ClaimNote, read_mechanism_file
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp, hdp
from ahdp_verify.kernel.terms.expression import TRUE, Abs, exp, label, log, name, number, oo
from ahdp_verify.kernel.terms.grammar import parse

WEIGHTED_SUM = """
format = 2
name = "weighted sum"
[let]
alpha = "1 - exp(-eps)"
location = "sum(alpha * x)"
[domain]
records = [["0", "0"], ["1", "1"], ["2", "oo"]]
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - location) / 2) / 4"
atoms = []
defined = ""
[[claim]]
relation = "ahdp"
level = "alpha"
delta = "0"
expect = "proved"
[[claim]]
name = "public"
relation = "hdp"
public = ["x"]
note = "no moves"
least = "log(3/2)"
"""
DOCUMENT: dict[str, Any] = {
    "format": 2,
    "domain": {"records": [["0", "0"], ["1", "1"]]},
    "mechanism": {"outputs": [{"name": "s", "kind": "real"}], "density": "exp(-abs(s - sum(x)))/2"},
    "claim": [{"relation": "ahdp", "level": "eps"}],
}


@pytest.fixture
def sum_file(tmp_path: Path) -> Path:
    path = tmp_path / "sum.toml"
    path.write_text(WEIGHTED_SUM, encoding="utf-8")
    return path


def changed(path: str, value: Any) -> dict[str, Any]:
    """DOCUMENT with the entry of a dotted path replaced, or removed for None."""

    def put(content: Any, keys: list[str]) -> Any:
        if not keys:
            return value
        if isinstance(content, list):
            return [
                put(part, keys[1:]) if str(i) == keys[0] else part
                for i, part in enumerate(content, 1)
            ]
        rest = {key: part for key, part in content.items() if key != keys[0]}
        return (
            rest
            if keys[1:] == [] and value is None
            else {**rest, keys[0]: put(content.get(keys[0], {}), keys[1:])}
        )

    found: dict[str, Any] = put(DOCUMENT, path.split("."))
    return found


def test_the_file_of_the_design(sum_file: Path) -> None:
    s, W = real("s"), Domain([(0, 0), (1, 1), (2, oo)])
    alpha = 1 - exp(-name("eps"))
    M = Mechanism(
        W, outputs=[s], density=exp(-Abs(s - W.sum(alpha * name("x"))) / 2) / 4, name="weighted sum"
    )
    file = load(sum_file)
    assert file.mechanism == M
    assert file.claims == (ahdp(M, alpha), hdp(M, ("x",)))
    assert file.notes == (
        ClaimNote(expect="proved"),
        ClaimNote(name="public", note="no moves", least=log(number("3/2"))),
    )


def test_one_claim_by_its_name(sum_file: Path) -> None:
    assert [claim.relation for claim in load(f"{sum_file}:public").claims] == ["hdp"]
    with pytest.raises(BadInput, match="none is called secret; the names are public"):
        load(f"{sum_file}:secret")


def test_a_universal_domain_with_parameters() -> None:
    unknowns = {"alpha": "0 <= alpha <= eps", "f": "l <= f <= h", "x[2]": "-1 <= x <= 1"}
    file = read_mechanism_file(
        {
            **DOCUMENT,
            "parameters": {"l": "", "h": "h > l"},
            "domain": {"universal": True, "unknowns": unknowns},
            "mechanism": {
                "outputs": [{"name": "s", "kind": "real"}],
                "density": "exp(-abs(s - sum(alpha*f*x[1]))/h)/(2*h)",
                "defined": "size >= 1",
            },
        },
        "file",
    )
    assert file.mechanism.inputs == Domain.universal(unknowns, {"l": "", "h": "h > l"})
    assert file.mechanism.parameters == (("l", TRUE), ("h", parse("h > l")))
    assert file.mechanism.defined == parse("size >= 1")


def test_values_and_finite_outputs() -> None:
    domain = {"values": ["a", "true", '"two words"', "0.5"]}
    mechanism = {
        "outputs": [{"name": "o", "kind": "finite", "values": ["yes", "1/2"]}],
        "density": 'piecewise((2/3, v == "a"), (1/3, true))',
    }
    file = read_mechanism_file(
        {
            "format": 2,
            "domain": domain,
            "mechanism": mechanism,
            "claim": [{"relation": "any", "level": "log(2)"}],
        },
        "local",
    )
    assert file.mechanism.inputs == Values(
        [label("a"), label("true"), label("two words"), number("0.5")]
    )
    assert file.mechanism.outputs == (finite("o", ["yes", number("1/2")]),)
    assert file.mechanism.name == "local"


def test_queries_and_output_vectors() -> None:
    mechanism = {
        "outputs": [{"name": "a", "kind": "real", "size": "3"}],
        "density": "product(exp(-abs(a[k] - q[k]))/2, k, 1, 3)",
    }
    file = read_mechanism_file(
        {
            "format": 2,
            "domain": {"queries": "3"},
            "mechanism": mechanism,
            "claim": [{"relation": "one", "level": "1"}],
        },
        "file",
    )
    assert file.mechanism.inputs == Queries(3)
    assert [o.name for o in file.mechanism.outputs] == ["a[1]", "a[2]", "a[3]"]


def test_vector_records_counts_and_atoms() -> None:
    density = "exp(-abs(s - count(1) + 2*count(2)))/4"
    file = read_mechanism_file(
        {
            **DOCUMENT,
            "domain": {"records": [[["0", "yes"], "log(2)"], [["1", "no"], "oo"]]},
            "mechanism": {
                "outputs": [{"name": "s", "kind": "real"}],
                "density": density,
                "atoms": [{"at": "NULL", "mass": "1/2"}],
            },
        },
        "file",
    )
    W = Domain([((0, "yes"), log(2)), ((1, "no"), oo)])
    assert file.mechanism.inputs == W
    assert (
        file.mechanism.density
        == exp(-Abs(name("s") - W.count(W.records[0]) + 2 * W.count(W.records[1]))) / 4
    )
    assert file.mechanism.atoms == ((label("NULL"), number("1/2")),)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("format", None, "format: the key is missing"),
        ("format", 3, "format: 3 is not a supported format"),
        ("format", "1", "format: 1 is not a supported format"),
        (
            "formt",
            1,
            "formt: the key is not known; did you mean format\\? the keys here are format",
        ),
        ("mechanism.sample", "x", r"mechanism\.sample: the key is not known"),
        ("claim.1.epsilon", "1", r"claim\[1\]\.epsilon: the key is not known"),
        ("mechanism", None, "mechanism: the key is missing"),
        ("mechanism.density", None, r"mechanism\.density: the key is missing"),
        ("claim.1.relation", None, r"claim\[1\]\.relation: the key is missing"),
        (
            "mechanism.density",
            0.5,
            r'the bare number 0\.5 stands where a quoted text is expected; write "0\.5" with '
            r"quotes",
        ),
        ("claim.1.level", 1, 'the bare number 1 stands where .* write "1" with quotes'),
        ("claim.1.level", True, 'the bare word true .* write "true" with quotes'),
        ("claim.1.level", ["1"], "a list stands where a quoted text is expected"),
        ("claim", {}, "a table stands where a list is expected"),
        ("mechanism", [], "a list stands where a table is expected"),
        ("let", "x", "a text stands where a table is expected"),
        (
            "mechanism.density",
            "exp((s",
            r"mechanism\.density: at character 5, this parenthesis is never closed",
        ),
        ("mechanism.density", "t", "the name t is not known"),
        ("let", {"a": "b", "b": "1"}, "let.a: it uses b, which is not defined above it"),
        ("let.a", "a", "it uses a, which is not defined above"),
        ("let.s", "1", "s already names an output"),
        ("let.x", "1", "x already names"),
        ("let.eps", "1", "eps already names"),
        ("let.exp", "1", "'exp' is not a name"),
        ("let.a", "1 +", r"let\.a: at character 4, the text ends too early"),
        ("parameters.h", "h +", "parameter h: at character 4"),
        ("parameters.s", "", "s is declared twice"),
        ("parameters.h", "h + 1", "'h \\+ 1' is not a condition"),
        ("parameters.2h", "", "use a different name"),
        ("domain.records", [], "domain: it is empty"),
        ("domain.records.1", ["0"], r"domain\.records\[1\]: a record is not a pair"),
        ("domain.records.2", ["0", "0"], "listed twice"),
        ("domain.records.2", ["1", "-1"], "the demand -1 is negative"),
        ("domain.records.2", [1, "1"], r"domain\.records\[2\]: the bare number 1"),
        ("domain.records.2", ["1", "1 +"], r"domain\.records\[2\]: at character 4"),
        ("domain.records.2", ["1 + h", "1"], "is neither an exact constant nor a label"),
        ("domain.values", ["a"], "records and values define the input in different ways"),
        ("domain", {}, "domain: nothing defines the input"),
        ("domain.unknowns", {"f": ""}, "only a universal domain has unknowns"),
        ("domain", {"universal": "yes"}, "write universal = true"),
        ("domain", {"queries": "0"}, "'0' is not a whole number"),
        ("domain", {"queries": "many"}, "'many' is not a whole number"),
        ("mechanism.outputs.1.kind", "complex", "complex is not a kind of output"),
        ("mechanism.outputs.1.size", "0", "'0' is not a whole number"),
        ("mechanism.outputs", [], "outputs: there is none"),
        ("mechanism.outputs", [{"name": "s", "kind": "real"}] * 2, "the name s is declared twice"),
        ("mechanism.outputs.1.values", ["1"], "a real output"),
        ("mechanism.outputs.1.name", "x", "x already names a part of the input"),
        ("mechanism.defined", "size", "is not a condition"),
        ("mechanism.atoms", [{"at": "1"}], r"mechanism\.atoms\[1\]\.mass: the key is missing"),
        ("claim.1.relation", "one", "one does not fit the input"),
        ("claim.1.relation", "near", "'near' is not a known relation"),
        ("claim.1.expect", "true", "'true' is not a verdict"),
        ("claim.1.public", "x", "a text stands where a list"),
        ("claim.1.least", "1 +", r"claim\[1\]\.least: at character 4"),
        ("claim", [{"relation": "ahdp", "name": "a"}] * 2, "two claims are called a"),
        ("claim.1", {"relation": "swap"}, r"claim\[1\]\.level: the key is missing"),
    ],
)
def test_a_wrong_file_is_reported_with_its_key(path: str, value: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        read_mechanism_file(changed(path, value), "file")
    assert "\n" not in str(caught.value)


def test_a_value_named_like_a_parameter_is_refused() -> None:
    with pytest.raises(BadInput, match="h is a parameter, and values are constants or labels"):
        read_mechanism_file(
            {**changed("domain.records.1", ["h", "1"]), "parameters": {"h": ""}}, "file"
        )


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"format = 2\nname = weighted", "it is not TOML: .*line 2"),
        (b"format = 2\nformat = 2\n", "it is not TOML: .*line 2"),
        (b"\xff\xfe\x00", "byte 1 is not UTF-8 text"),
        (b"", "format: the key is missing"),
        (b"\x00", "it is not TOML"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"# " + b"x" * 2_000_000, "more than 2000000 bytes"),
        (b"format = " + b"9" * 5000, "it is not TOML"),
        (b"format = 2\n[mechanism]\ndensity = 1979-05-27", "domain: the key is missing"),
    ],
)
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=says) as caught:
        load(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("none.toml", "there is no such file"),
        ("folder.toml", "it is a folder"),
        ("sum.json", "neither a .toml nor a .py file"),
        ("", "neither"),
        ("m.py", "name one of its objects"),
        ("none.py:M", "there is no such file"),
        ("a\x00b.toml", "cannot be read|no such file"),
        ("x" * 5000 + ".toml", "cannot be read|no such file"),
    ],
)
def test_a_source_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadInput, match=says):
        load(source)


PYTHON = """
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.terms.expression import Abs, exp
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.privacy import ahdp, hdp
from ahdp_verify import Mechanism, real
from ahdp_verify.kernel.model.privacy import ahdp, hdp
s, W = real("s"), Domain([(0, 0), (1, 1)])
M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="sum")
claim = ahdp(M)
claims = [claim, hdp(M)]
nothing, mixed = [], [claim, 1]
"""


def test_objects_of_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "mechanisms.py"
    path.write_text(PYTHON, encoding="utf-8")
    assert load(f"{path}:M").mechanism.name == "sum" and load(f"{path}:M").claims == ()
    assert [str(c) for c in load(f"{path}:claim").claims] == ["sum is AHDP at level eps"]
    assert [c.relation for c in load(f"{path}:claims").claims] == ["ahdp", "hdp"]
    assert isinstance(load(f"{path}:claim").claims[0], Claim) and load(f"{path}:claim").notes == (
        ClaimNote(),
    )
    for wrong, says in (
        ("nothing", "it is a list"),
        ("mixed", "it is a list"),
        ("s", "it is a Output"),
        ("absent", "it does not define absent; it defines M, claim"),
    ):
        with pytest.raises(BadInput, match=says):
            load(f"{path}:{wrong}")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            "x = 1\ny = 1 / 0\n",
            "line 2: running it failed with ZeroDivisionError: division by zero",
        ),
        ("x = (\n", "line 1: .*SyntaxError"),
        ("def f():\n    raise ValueError('a\\nb')\nf()\n", "line 2: .*ValueError: a b"),
        ("import sys\nsys.exit(3)\n", "line 2: .*SystemExit"),
        ("import no_such_module_here\n", "line 1: .*ModuleNotFoundError"),
        ("def f():\n    f()\nf()\n", "RecursionError"),
        (
            "from ahdp_verify.kernel.model.domain import Domain\nW = Domain([(0, -1)])\n",
            "line 2: running it failed with demand: the demand -1 is negative",
        ),
        (
            "from ahdp_verify.kernel.model.domain import Domain\nW = Domain([(0.5, 1)])\n",
            "line 2: .*0.5 is a float",
        ),
        ("x = '\\ud800'\nraise OSError(x)\n", "line 2"),
    ],
)
def test_a_python_file_that_fails_is_reported_with_its_line(
    tmp_path: Path, content: str, says: str
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=says) as caught:
        load(f"{path}:M")
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


KEYS = ("name", "kind", "records", "at", "level", "relation", "x")
JSON = st.recursive(
    st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(("", "0", "1", "s", "exp(s)", "real", "ahdp", "size")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)
PLACES = (
    "name",
    "parameters",
    "let",
    "domain",
    "domain.records",
    "domain.records.1",
    "mechanism",
    "mechanism.outputs",
    "mechanism.outputs.1",
    "mechanism.density",
    "mechanism.atoms",
    "claim",
    "claim.1",
    "claim.1.public",
    "claim.1.level",
)


@given(st.sampled_from(PLACES), JSON)
def test_any_content_is_read_or_refused(path: str, value: Any) -> None:
    try:
        file = read_mechanism_file(changed(path, value), "file")
    except BadInput as refusal:
        assert "\n" not in str(refusal)
    else:
        assert isinstance(file.mechanism, Mechanism)


def test_a_parameter_may_be_called_eps_under_a_relation_with_one_level() -> None:
    """The demand eps has no place in a level for all records; a parameter of that name has."""
    law = {"outputs": [{"name": "s", "law": "laplace(size, 1/eps)"}]}
    document = {
        "format": 2,
        "parameters": {"eps": "eps > 0"},
        "domain": {"records": [["0", "1"], ["1", "1"]]},
        "mechanism": law,
        "claim": [{"relation": "add-remove", "level": "eps"}],
    }
    (claim,) = read_mechanism_file(document, "count").claims
    assert str(claim.level) == "eps"
    law["outputs"][0]["law"] = "laplace(size, 1)"
    with pytest.raises(BadInput, match="demand eps of one record, and add-remove has one level"):
        read_mechanism_file({**document, "parameters": {}}, "count")
