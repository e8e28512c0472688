"""A mechanism is exactly what was written: names are in scope, the canonical JSON is unique, and
anything odd is refused.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import ahdp_verify.sympy_trees  # noqa: F401 - SymPy's expressions are read
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import (
    Mechanism,
    Output,
    check_level,
    inputs_from_json,
)
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Abs,
    Expression,
    component,
    eq,
    exp,
    expression,
    from_json,
    indicator,
    label,
    log,
    name,
    number,
    oo,
    piecewise,
    sum_over_records,
    to_json,
)

x, v, h, eps, e1, alpha, f = (name(text) for text in ("x", "v", "h", "eps", "e1", "alpha", "f"))
s, n, b = real("s"), integer("n"), finite("b", [0, 1])
W = Domain([(0, 0), (1, 1), (2, oo)])
U = Domain.universal(
    unknowns={"alpha": "0 <= alpha <= eps", "f": "l <= f <= h"}, parameters={"l": "", "h": "h > l"}
)
V8 = Domain([((0,) * 8, 1), ((1,) * 8, 1)])
WORDS = Domain([("yes", 1), ("no", 2)])
MIXED = Domain([("none", 1), (3, 2)])
LOCAL = Values(["a", "b"])
location = W.sum(lambda x, eps: (1 - exp(-eps)) * x)
LAPLACE = Mechanism(W, outputs=[s], density=exp(-Abs(s - location) / 2) / 4, name="weighted sum")
CLAMPED = Mechanism(
    W,
    outputs=[s],
    density=indicator((s > 0) & (s < 1)) * exp(-s) / 2,
    atoms={0: "1/4", "NULL": exp(-W.size)},
    defined="size >= 1",
    name="clamped",
)
UNIVERSAL = Mechanism(
    U,
    outputs=[s],
    density=exp(-Abs(s - U.sum(alpha * f)) / (h - name("l"))),
    parameters={"c[2]": "c > h"},
)
NOISY = Mechanism(
    Queries(3),
    outputs=[s],
    density=exp(-Abs(s - name("q[1]") - name("q[3]"))) / 2,
    parameters={"eps": "eps > 0"},
)
RESPONSE = Mechanism(
    LOCAL,
    outputs=[finite("o", ["a", "b"])],
    density=piecewise((exp(1) / (1 + exp(1)), eq(name("o"), v)), (1 / (1 + exp(1)), True)),
)
CHOICE = finite("o", [1, 2, 3])
SELECTION = Mechanism(
    Queries(3), outputs=[CHOICE], density=exp(component(name("q"), CHOICE.symbol))
)
ALL = (LAPLACE, CLAMPED, UNIVERSAL, NOISY, RESPONSE, SELECTION)


def of(inputs: Any = W, **given_: Any) -> Mechanism:
    """A mechanism with parts to replace: by default one real output with a density that is 1
    wherever it is looked at.
    """
    return Mechanism(inputs, **{"outputs": [s], "density": 1, **given_})


def sentence(wrong: Callable[[], object]) -> str:
    with pytest.raises((BadInput, NotWorkedOut)) as caught:
        wrong()
    return str(caught.value)


def test_an_output_computes_like_its_name() -> None:
    assert s - 1 == name("s") - 1
    assert Expression("<", (2 * s, n.symbol)) == (2 * s < n)
    assert exp(s) == exp(name("s")) and expression(s) == s.symbol == name("s") and str(s) == "s"


def test_kinds_of_outputs() -> None:
    assert (s.kind, n.kind, b.kind) == ("real", "integer", "finite")
    assert (s.values, b.values) == ((), (number(0), number(1)))
    assert finite("o", ["yes", "1/2", log(2)]).values == (label("yes"), number("1/2"), log(2))


def test_a_vector_is_several_outputs() -> None:
    assert real("s", 2) == (Output("s[1]", "real"), Output("s[2]", "real"))
    assert [o.name for o in integer("n", size=3)] == ["n[1]", "n[2]", "n[3]"]
    assert finite("o", iter([0, 1]), size=2) == (
        Output("o[1]", "finite", [0, 1]),
        Output("o[2]", "finite", [0, 1]),
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: real("1s"),
        lambda: real("exp"),
        lambda: real("s t"),
        lambda: real("s", 0),
        lambda: real("s", True),
        lambda: real("s", 10**9),
        lambda: real("s[2]", 2),
        lambda: finite("o", []),
        lambda: finite("o", [1, "1"]),
        lambda: finite("o", [0.5]),
        lambda: finite("o", [x]),
        lambda: finite("o", [(1, 2)]),
        lambda: finite("o", [log(4), 2 * log(2)]),
        lambda: finite("o", [oo]),
        lambda: Output("s", "complex"),
        lambda: Output("s", "real", [1]),
        lambda: Output("s", ["real"]),
        lambda: Output(None, "real"),
    ],
)
def test_what_is_not_an_output(wrong: Callable[[], object]) -> None:
    sentence(wrong)


def test_the_parts_are_normalised() -> None:
    assert CLAMPED.atoms == ((number(0), number("1/4")), (label("NULL"), exp(-sum_over_records(1))))
    assert CLAMPED.defined == (sum_over_records(1) >= 1)
    assert LAPLACE.defined == TRUE and LAPLACE.atoms == () and LAPLACE.parameters == ()
    assert of(outputs=s).outputs == (s,)
    assert of(density="1/2").density == number("1/2")
    assert of(atoms=[(0, "1/4"), ("NULL", "1/4")]) == of(atoms={0: "1/4", "NULL": "1/4"})


def test_the_parameters_of_a_universal_domain_come_first_and_once() -> None:
    assert [key for key, _ in UNIVERSAL.parameters] == ["l", "h", "c[1]", "c[2]"]
    assert dataclasses.replace(UNIVERSAL, name="again").parameters == UNIVERSAL.parameters


def test_an_equal_mechanism_is_equal_and_a_part_can_be_replaced() -> None:
    assert copy.deepcopy(LAPLACE) == LAPLACE and hash(copy.deepcopy(LAPLACE)) == hash(LAPLACE)
    assert dataclasses.replace(LAPLACE, density=exp(s)).density == exp(s)
    with pytest.raises(AttributeError):
        LAPLACE.density = exp(s)  # type: ignore[misc]


def test_names_have_their_places() -> None:
    """Every kind of input gives its own names: outputs and parameters everywhere, parts of a
    record inside record sums only.
    """
    of(density=exp(s * h) + s * W.sum(x * eps * h), parameters={"h": ""})
    of(U, density=U.sum(alpha * f * eps * h) + h)
    of(V8, density=V8.sum(lambda x, eps: x[1] + x[8] + eps))
    of(Queries(2), density=name("q[1]") + name("q[2]"))
    of(Values([(1, "a"), (2, "b")]), density=name("v[1]") * indicator(eq(name("v[2]"), label("a"))))
    of(Domain([(0, e1), (1, 2 * e1)]), density=e1, parameters={"e1": e1 > 0})
    of(density=exp(-eps * s), parameters={"eps": "eps > 0"})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: of(density=name("t")), "density: the name t is not known; known are s"),
        (
            lambda: of(density=x),
            "density: x belongs to one record; use it inside sum, count, maximum or minimum",
        ),
        (lambda: of(density=eps), "density: eps belongs to one record"),
        (
            lambda: of(density=W.sum(lambda x, eps: x[1])),
            "density: the name x[1] is not known; known are eps, s, x",
        ),
        (
            lambda: of(V8, density=V8.sum(lambda x, eps: x[9])),
            "density: the name x[9] is not known",
        ),
        (lambda: of(V8, density=V8.sum(x)), "density: the name x is not known"),
        (
            lambda: of(U, density=U.sum(x)),
            "density: the name x is not known; known are alpha, eps, f, h, l, s",
        ),
        (lambda: of(U, density=alpha), "density: alpha belongs to one record"),
        (
            lambda: of(Queries(2), density=name("q[3]")),
            "density: the name q[3] is not known; known are q[1], q[2], s",
        ),
        (lambda: of(Queries(2), density=name("q")), "density: the name q is not known"),
        (
            lambda: of(Queries(2), density=sum_over_records(1)),
            "density: size needs a dataset; use a Domain as the input",
        ),
        (lambda: of(LOCAL, density=sum_over_records(v)), "density: sum(v) needs a dataset"),
        (lambda: of(LOCAL, density=x), "density: the name x is not known; known are s, v"),
        (
            lambda: of(Values([(1, 2)]), density=name("v[3]")),
            "density: the name v[3] is not known; known are s, v[1], v[2]",
        ),
        (lambda: of(LOCAL, density=name("other")), "density: the name other is not known"),
        (
            lambda: of(density=W.sum(W.size * x)),
            "density: size reads the dataset where one record is meant",
        ),
        (
            lambda: of(density=W.max(W.sum(x))),
            "density: sum(x) reads the dataset where one record is meant",
        ),
        (
            lambda: of(density=eps * W.sum(eps * x), parameters={"eps": "eps > 0"}),
            "density: eps is the demand of a record here, and a parameter is called eps as well",
        ),
        (
            lambda: of(Domain([(0, e1)])),
            "demand of (0, e1): the name e1 is not known; declare it as a parameter",
        ),
        (
            lambda: of(Domain([(0, e1)]), parameters={"e2": ""}),
            "demand of (0, e1): the name e1 is not known; known are e2",
        ),
        (
            lambda: of(parameters={"h": "h > t"}),
            "parameter h: the name t is not known; known are h",
        ),
        (lambda: of(parameters={"h": "h > size"}), "parameter h: size < h depends on the dataset"),
        (
            lambda: of(parameters={"h": "h > s"}),
            "parameter h: the name s is not known; known are h",
        ),
        (lambda: of(defined=s > 0), "defined: the name s is not known"),
        (lambda: of(atoms={0: s}), "mass of the atom 0: the name s is not known"),
        (lambda: of(atoms={"NULL": x}), 'mass of the atom "NULL": x belongs to one record'),
    ],
)
def test_a_name_out_of_place_is_named(wrong: Callable[[], object], said: str) -> None:
    assert sentence(wrong).startswith(said)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: of(parameters={"s": ""}), "names: the name s is declared twice"),
        (lambda: of(outputs=[s, s]), "names: the name s is declared twice"),
        (lambda: of(outputs=[*real("s", 2), s]), "names: the name s is declared twice"),
        (
            lambda: of(outputs=real("s", 3)[1:]),
            "names: the name s is declared twice, or its parts are not 1, 2, 3, ...",
        ),
        (lambda: of(U, parameters={"h": "h > 1"}), "names: the name h is declared twice"),
        (lambda: of(U, parameters={"f": ""}), "names: f already names a part of the input"),
        (lambda: of(U, outputs=[real("alpha")]), "names: alpha already names a part of the input"),
        (lambda: of(U, parameters={"eps": ""}), "names: eps already names a part of the input"),
        (lambda: of(outputs=[real("x")]), "names: x already names a part of the input"),
        (lambda: of(parameters={"x[2]": ""}), "names: x[1] already names a part of the input"),
        (
            lambda: of(Queries(1), outputs=real("q", 2)),
            "names: q[1] already names a part of the input",
        ),
        (lambda: of(LOCAL, parameters={"v": ""}), "names: v already names a part of the input"),
        (
            lambda: of(LOCAL, outputs=[real("other")]),
            "names: other already names a part of the input",
        ),
        (lambda: of(parameters={"exp": ""}), "parameter: exp is a number or a reserved word"),
        (lambda: of(outputs=[]), "outputs: there is none"),
        (lambda: of(outputs=["s"]), "outputs: one of them is not an output"),
        (
            lambda: of(inputs=[(0, 0)]),
            "inputs: list is not an input; use Domain([...]), Queries(n), Values([...]) or RealValues({...})",
        ),
        (lambda: of(name=3), "name: 3 is not a string"),
    ],
)
def test_a_declaration_without_meaning_is_named(wrong: Callable[[], object], said: str) -> None:
    assert sentence(wrong).startswith(said)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda: of(density=0.25),
            'density: 0.25 is a float, which is not exact; write "0.25" in quotes or Fraction(1, 4)',
        ),
        (lambda: of(density=sympy.Symbol("t")), "density: the name t is not known; known are s"),
        (lambda: of(atoms={0: sympy.Float("0.5")}), "atom 0: 0.5 is a float"),
        (lambda: of(density="exp(-s)"), "density: 'exp(-s)' is not a number"),
        (lambda: of(density=s < 1), "density: s < 1 is a condition; write a number"),
        (lambda: of(density=True), "density: true is a condition; write a number"),
        (lambda: of(density=label("a")), 'density: "a" is a label; write a number'),
        (lambda: of(density=oo), "density: oo is infinite; write a number"),
        (lambda: of(density=1 + (s < 1)), "density: s < 1 is a condition; write a number"),
        (lambda: of(density=exp(-oo)), "density: oo is infinite; write a number"),
        (lambda: of(density=W.sum(eq(x, 1))), "density: x == 1 is a condition"),
        (
            lambda: of(density=piecewise((1, s), (0, True))),
            "density: s is a number; write a condition",
        ),
        (lambda: of(density=indicator(~s.symbol)), "density: s is a number; write a condition"),
        (
            lambda: of(density=indicator(eq(s, s < 1))),
            "density: s < 1 is a condition; write a number or a label or infinite",
        ),
        (
            lambda: of(density=indicator(Expression("<", (label("a"), s.symbol)))),
            'density: "a" is a label; write a number or infinite; labels are only compared',
        ),
        (
            lambda: of(WORDS, density=WORDS.sum(x)),
            'density: x is a label, "yes" or "no"; write a number',
        ),
        (lambda: of(LOCAL, density=v + 1), 'density: v is a label, "a" or "b"; write a number'),
        (
            lambda: of(outputs=[finite("o", ["a", "b"])], density=1 / name("o")),
            "density: o is a label",
        ),
        (
            lambda: of(density=W.count(eq(x, label("1")))),
            'density: the label "1" reads as a number',
        ),
        (lambda: of(defined=1), "defined: 1 is not a condition"),
        (lambda: of(defined="size"), "defined: "),
        (lambda: of(defined="size >"), "defined: at character"),
        (lambda: of(defined=indicator(TRUE)), "defined: "),
        (lambda: of(atoms={0: TRUE}), "mass of the atom 0: true is a condition"),
        (lambda: of(atoms={0: 1, "0": 1}), "atom: the point 0 is listed twice"),
        (lambda: of(atoms=[("NULL", 1), ("NULL", 1)]), 'atom: the point "NULL" is listed twice'),
        (
            lambda: of(atoms={h: 1}, parameters={"h": ""}),
            "atom: h is neither an exact constant nor a label",
        ),
        (lambda: of(atoms={0.5: 1}), "atom: 0.5 is a float"),
        (lambda: of(atoms={oo: 1}), "atom: oo is neither"),
        (
            lambda: of(outputs=real("s", 2), atoms={0: 1}),
            "atoms: there are 2 outputs; use atoms with one output only",
        ),
        (lambda: of(outputs=[b], atoms={2: 1}), "atom 2: the output is finite"),
        (lambda: of(outputs=[n], atoms={2: 1}), "atom 2: the output is integer"),
    ],
)
def test_a_law_without_meaning_is_named(wrong: Callable[[], object], said: str) -> None:
    assert sentence(wrong).startswith(said)


def test_what_may_be_compared() -> None:
    of(density=W.count(eq(eps, oo)) + W.count(eps < oo))
    of(MIXED, density=MIXED.sum(piecewise((0, eq(x, label("none"))), (x, True))))
    of(outputs=[n], atoms={"NULL": 1})


def test_a_part_number_may_be_a_finite_output() -> None:
    choice, q = CHOICE.symbol, name("q")
    for part in (q[choice], q[choice + 1], q[4 - choice]):
        of(Queries(4), outputs=[CHOICE], density=part)
    assert "refers to the output" in sentence(
        lambda: of(V8, outputs=[CHOICE], density=V8.sum(x[choice] * eps))
    )
    assert "q[4] is not known" in sentence(
        lambda: of(Queries(3), outputs=[CHOICE], density=q[choice + 1])
    )
    assert "counted 1, 2, 3" in sentence(
        lambda: of(Queries(3), outputs=[CHOICE], density=q[choice - 1])
    )
    assert "no known part number" in sentence(lambda: of(Queries(3), outputs=[n], density=q[n]))
    assert "no known part number" in sentence(
        lambda: of(Queries(3), outputs=[CHOICE], density=q[q[choice]])
    )
    assert "no known part number" in sentence(
        lambda: of(Queries(3), outputs=[finite("o", ["a"])], density=q[name("o")])
    )
    assert "no known part number" in sentence(
        lambda: of(Queries(3), density=q[h], parameters={"h": ""})
    )
    assert "no known part number" in sentence(
        lambda: of(Queries(3), density=Expression("index", (q, number(2))))
    )


EPS = of(Domain([(0, eps), (1, eps)]), parameters={"eps": "eps > 0"})


@pytest.mark.parametrize(
    ("m", "level"),
    [
        (LAPLACE, eps * x),
        (LAPLACE, oo),
        (UNIVERSAL, alpha * f * h),
        (NOISY, eps),
        (RESPONSE, indicator(eq(v, name("other")))),
        (EPS, eps),
        (LAPLACE, piecewise((oo, eq(x, 1)), (eps, True))),
    ],
)
def test_a_level_speaks_of_one_record_or_of_two_values(m: Mechanism, level: Expression) -> None:
    check_level(m, level)


@pytest.mark.parametrize(
    ("m", "level"),
    [
        (LAPLACE, s.symbol),
        (LAPLACE, W.sum(x)),
        (LAPLACE, eq(x, 1)),
        (LAPLACE, name("@1")),
        (UNIVERSAL, x),
        (NOISY, name("q[1]")),
        (RESPONSE, v),
    ],
)
def test_a_level_speaks_of_nothing_else(m: Mechanism, level: Expression) -> None:
    assert sentence(lambda: check_level(m, level)).startswith("level: ")


def test_one_level_for_all_speaks_of_parameters_only() -> None:
    check_level(EPS, 2 * eps, of_record=False)
    for m, level in ((LAPLACE, eps), (LAPLACE, x), (RESPONSE, indicator(eq(v, label("a"))))):
        assert "is not known" in sentence(
            lambda m=m, level=level: check_level(m, level, of_record=False)
        )


@pytest.mark.parametrize("m", ALL, ids=str)
def test_json_reads_back_and_carries_the_fingerprint(m: Mechanism) -> None:
    text = json.dumps(m.to_json())
    again = Mechanism.from_json(json.loads(text))
    assert again == m and again.fingerprint == m.fingerprint
    assert json.dumps(again.to_json()) == text


def test_the_fingerprint_is_the_digest_of_the_canonical_text() -> None:
    canonical = json.dumps(LAPLACE.to_json(), sort_keys=True, separators=(",", ":"))
    assert LAPLACE.fingerprint == hashlib.sha256(canonical.encode("ascii")).hexdigest()
    assert len({m.fingerprint for m in ALL}) == len(ALL)


def test_the_json_of_a_mechanism() -> None:
    m = of(
        Queries(1),
        outputs=[finite("o", ["a", 1])],
        density=name("q[1]"),
        parameters={"h": "h > 1"},
        name="odd",
    )
    assert m.to_json() == {
        "name": "odd",
        "inputs": {"queries": 1},
        "parameters": [["h", ["<", "1", ["name", "h"]]]],
        "outputs": [["o", "finite", [["label", "a"], "1"]]],
        "density": ["name", "q[1]"],
        "atoms": [],
        "defined": ["boolean", True],
    }


@pytest.mark.parametrize(
    "change",
    [
        {"density": to_json(exp(s))},
        {"name": "other"},
        {"defined": to_json(sum_over_records(1) > 2)},
        {"atoms": [["0", "1/2"]]},
        {"outputs": [["s", "integer", []]]},
        {"parameters": [["h", ["boolean", True]]]},
        {"inputs": {"records": [["0", "0"], ["1", "1"], ["2", "2"]]}},
    ],
)
def test_every_part_is_in_the_fingerprint(change: dict[str, Any]) -> None:
    plain = of()
    assert Mechanism.from_json({**plain.to_json(), **change}).fingerprint != plain.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        {"more": 1},
        {"name": 3},
        {"name": None},
        {"inputs": None},
        {"inputs": {}},
        {"inputs": {"queries": 2, "values": ["1"]}},
        {"inputs": {"values": []}},
        {"outputs": []},
        {"outputs": None},
        {"outputs": [["s", "real"]]},
        {"outputs": [["s", "real", [], 1]]},
        {"outputs": ["sr"]},
        {"outputs": [["s", "real", ["1"]]]},
        {"outputs": [["s", "finite", []]]},
        {"outputs": [["s", ["real"], []]]},
        {"outputs": [[["s"], "real", []]]},
        {"outputs": [["@1", "real", []]]},
        {"outputs": {"s": "real"}},
        {"density": None},
        {"density": 1},
        {"density": "0.5"},
        {"density": ["name", "@1"]},
        {"density": ["name", "x'"]},
        {"density": ["eval", "1"]},
        {"density": [["name"], "s"]},
        {"density": ["exp", "1", "2"]},
        {"atoms": None},
        {"atoms": {"0": "1"}},
        {"atoms": [["0"]]},
        {"atoms": [["0", "1", "2"]]},
        {"atoms": [["0", "1"], ["0", "1"]]},
        {"atoms": [[["name", "s"], "1"]]},
        {"defined": True},
        {"defined": "1"},
        {"defined": []},
        {"parameters": None},
        {"parameters": [["h"]]},
        {"parameters": [["h", "1"]]},
        {"parameters": [["h", ["boolean", 1]]]},
        {"parameters": [[1, ["boolean", True]]]},
        {"parameters": [["s", ["boolean", True]]]},
        {"parameters": [["h[2]", ["boolean", True]]]},
        {"parameters": {"h": ["boolean", True]}},
    ],
)
def test_odd_json_is_bad_input(change: dict[str, Any]) -> None:
    sentence(lambda: Mechanism.from_json({**LAPLACE.to_json(), **change}))


def test_json_without_a_part_or_of_another_shape_is_bad_input() -> None:
    for key in LAPLACE.to_json():
        sentence(
            lambda key=key: Mechanism.from_json(
                {k: part for k, part in LAPLACE.to_json().items() if k != key}
            )
        )
    for data in (None, [], "mechanism", 1, True, {}, [LAPLACE.to_json()]):
        sentence(lambda data=data: Mechanism.from_json(data))
    for data in (None, [], {"queries": 0}, {"values": ["1"], "records": []}):
        sentence(lambda data=data: inputs_from_json(data))


def test_json_nested_without_end_is_bad_input() -> None:
    deep: Any = "1"
    for _ in range(900):
        deep = ["exp", deep]
    for change in (
        {"density": deep},
        {"defined": ["not", deep]},
        {"inputs": {"records": [[deep, "0"]]}},
    ):
        assert "nested" in sentence(
            lambda change=change: Mechanism.from_json({**LAPLACE.to_json(), **change})
        )


def test_a_number_that_does_not_fit_a_computer_is_refused_at_once() -> None:
    tower = ["^", "9", ["^", "9", ["^", "9", "9"]]]
    sentence(
        lambda: Mechanism.from_json({**LAPLACE.to_json(), "inputs": {"records": [[tower, "0"]]}})
    )
    sentence(
        lambda: Mechanism.from_json({**LAPLACE.to_json(), "inputs": {"records": [["0", tower]]}})
    )
    sentence(lambda: Mechanism.from_json({**LAPLACE.to_json(), "atoms": [[tower, "0"]]}))


INPUT_KEYS = ["records", "unknowns", "parameters", "queries", "values"]
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["s", "real", "1", "0.5", "records", "vector"])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(INPUT_KEYS), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.sampled_from(ALL), st.sampled_from(sorted(LAPLACE.to_json())), anything)
def test_any_json_is_refused_or_means_what_it_says(m: Mechanism, key: str, part: Any) -> None:
    data = {**m.to_json(), key: part}
    try:
        read = Mechanism.from_json(data)
    except BadInput:
        return
    assert json.dumps(read.to_json()) == json.dumps(data)


def test_a_mechanism_says_its_name_or_its_density() -> None:
    assert str(LAPLACE) == "weighted sum"
    assert str(of(density=exp(-s))) == "exp(-s)"


def test_an_exponential_integral_is_not_a_part_of_a_law() -> None:
    """It is written in answers only: no file or certificate could say it."""
    with pytest.raises(BadInput, match="cannot be part of a formula"):
        Mechanism(Queries(1), outputs=[real("s")], density=Expression("Ei", (name("s"),)))


EI = Expression("Ei", (number(1),))


@pytest.mark.parametrize(
    "forged",
    [
        lambda: Mechanism(
            Queries(1),
            outputs=[real("s")],
            density=exp(-Abs(name("s"))) / 2,
            parameters={"t": name("t") >= EI},
        ),
        lambda: Mechanism(
            Queries(1),
            outputs=[real("s")],
            density=exp(-Abs(name("s"))) / 2,
            defined=name("q[1]") >= EI,
        ),
        lambda: Mechanism(
            Queries(1),
            outputs=[real("s")],
            density=exp(-Abs(name("s"))) / 4,
            atoms={EI: Fraction(1, 2)},
        ),
        lambda: Mechanism(
            Queries(1),
            outputs=[real("s")],
            density=exp(-Abs(name("s"))) / 4,
            atoms={0: EI / EI / 2},
        ),
        lambda: Domain([(0, EI)]),
        lambda: Domain([(EI, 1)]),
        lambda: Domain.universal({"f": name("f") <= EI}),
        lambda: Domain.universal({"f": "f <= h"}, {"h": name("h") <= EI}),
        lambda: Inequality.of({"x": name("x") > EI}, "x", ">", "1"),
        lambda: Inequality.of({}, EI, ">", "1"),
        lambda: from_json(["Ei", "1"]),
    ],
)
def test_an_exponential_integral_is_not_a_part_of_what_is_claimed(
    forged: Callable[[], object],
) -> None:
    """A condition with one was proved from, though no stored record could say it."""
    with pytest.raises(BadInput):
        forged()
