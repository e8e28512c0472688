"""Which composites are allowed, and which are not: every refusal is one plain sentence, every
stored claim reads back exactly.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Mechanism,
    Queries,
    Values,
    ahdp,
    assume,
    compose,
    dp,
    eq,
    exp,
    finite,
    hdp,
    integer,
    label,
    log,
    mixture,
    name,
    normalised,
    number,
    oo,
    piecewise,
    post_process,
    product,
    real,
    subsample,
)
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    DEEP,
    MANY,
    AbstractMechanism,
    Composite,
    CompositeClaim,
    claim_from_json,
    is_downward_closed,
    is_upward_closed,
    output_labels,
)
from ahdp_verify.kernel.terms.expression import ONE, TRUE, ZERO, Expression, boolean, indicator
from ahdp_verify.search.compose import pull_back
from tests.sweeps import shared_out

W = Domain([(0, 1), (1, 2)])
HALF = number(Fraction(1, 2))
x, eps, y, s, t = (name(key) for key in ("x", "eps", "y", "s", "t"))


def laplace(
    output: str,
    located: object,
    parameters: dict[str, object] | None = None,
    domain: Domain = W,
    **more: object,
) -> Mechanism:
    out = name(output)
    return Mechanism(
        domain,
        outputs=[real(output)],
        density=exp(-Abs(out - located)) / 2,
        name=f"release of {output}",
        parameters=parameters or {},
        **more,
    )


def coin(output: str, domain: Domain = W) -> Claim:
    return ahdp(
        Mechanism(domain, outputs=[finite(output, [0, 1])], density=HALF, name=f"coin {output}"), 0
    )


def sees_nothing(output: str, reads: str, condition: object = "") -> Claim:
    return ahdp(laplace(output, name(reads), {reads: condition}), 0)


COUNT = ahdp(laplace("n", W.size), 1)
ANY = assume(W, "ahdp", 1, text="any 1-AHDP mechanism")


def refused(build: object, *parts: str) -> None:
    """The call raises BadInput, whose sentence contains all parts."""
    raises_with(BadInput, build, *parts)


def not_shown(build: object, *parts: str) -> None:
    """The call raises NotWorkedOut, whose sentence contains all parts."""
    raises_with(NotWorkedOut, build, *parts)


def raises_with(kind: type[BadInput] | type[NotWorkedOut], build: object, *parts: str) -> None:
    """The call raises this kind of error, in one sentence that contains all parts."""
    with pytest.raises(kind) as caught:
        build()  # type: ignore[operator]
    for part in parts:
        assert part in str(caught.value)
    assert "\n" not in str(caught.value) and "Error" not in str(caught.value)


# names


def test_an_output_is_read_only_by_later_parts() -> None:
    reader = sees_nothing("s", "n")
    assert compose(COUNT, reader).mechanism.parameters == ()
    refused(
        lambda: compose(reader, COUNT),
        "n is both an output and a parameter",
        "put the part that releases it first",
    )
    refused(lambda: product(COUNT, reader), "n is both an output and a parameter", "use compose")
    assert post_process(COUNT, reader).mechanism.outputs == reader.mechanism.outputs


def test_a_name_that_a_part_hides_may_be_used_again() -> None:
    hidden = post_process(COUNT, {"z": name("n") / 2})
    whole = compose(hidden, COUNT)
    assert [o.name for o in whole.mechanism.outputs] == ["z", "n"]
    reader = sees_nothing("s", "n")
    refused(lambda: compose(compose(hidden, reader), COUNT), "n is both an output and a parameter")
    assert (
        compose(COUNT, compose(hidden, reader)).mechanism.parameters == ()
    )  # here the n that is read is the one of COUNT


def test_outputs_have_one_name_each() -> None:
    refused(lambda: compose(COUNT, COUNT), "n is declared twice")
    refused(lambda: post_process(COUNT, {"n": name("n")}), "n is declared twice")


@pytest.mark.parametrize("key", ["x", "eps", "x[1]"])
def test_no_output_and_no_parameter_is_called_like_a_part_of_a_record(key: str) -> None:
    refused(lambda: assume(W, "ahdp", 1, outputs=[real(key)]), "already names a part of the input")
    refused(
        lambda: subsample(COUNT, HALF, parameters={key: ""}), "already names a part of the input"
    )


def test_no_parameter_of_an_abstract_mechanism_is_called_like_an_unknown() -> None:
    U = Domain.universal({"f": "0 <= f"})
    refused(
        lambda: AbstractMechanism("A", U, "ahdp", name("f"), parameters=(("f", eq(name("f"), 0)),)),
        "f already names a part of the input",
    )
    V = Values(["a", "b"])
    refused(lambda: assume(V, "any", 1, outputs=[real("v")]), "v already names a part of the input")
    refused(
        lambda: assume(V, "any", 1, parameters={"other": ""}),
        "other already names a part of the input",
    )
    refused(
        lambda: assume(Queries(2), "one", 1, outputs=[real("q[1]")]),
        "already names a part of the input",
    )


def test_names_of_parameters_are_names() -> None:
    refused(
        lambda: Composite("subsample", (ANY,), formulas=(HALF,), own=(("@1", TRUE),)),
        "'@1' is not a name",
    )
    refused(
        lambda: AbstractMechanism("A", W, "ahdp", ONE, parameters=(("#1", TRUE),)),
        "'#1' is not a name",
    )


def test_conditions_speak_of_parameters_only() -> None:
    refused(lambda: subsample(COUNT, HALF, parameters={"t": "eps <= t"}), "eps is not known")
    refused(
        lambda: AbstractMechanism("A", W, "ahdp", ONE, parameters=(("t", x <= t),)),
        "x is not known",
    )
    refused(
        lambda: Composite("mixture", (ANY, ANY), formulas=(t, 1 - t), own=(("t", t <= y),)),
        "y is not known",
    )


def test_a_parameter_has_one_condition() -> None:
    one, other = (ahdp(laplace(o, t, {"t": c}), 0) for o, c in (("a", "t > 0"), ("b", "t > 1")))
    refused(lambda: product(one, other), "the parameter t has two conditions")


def test_demands_and_the_parameters_of_a_domain_are_declared() -> None:
    E = Domain([("a", name("zz"))])
    refused(lambda: assume(E, "ahdp", eps), "zz is not known")
    assert assume(E, "ahdp", eps, parameters={"zz": "zz >= 0"}).mechanism.parameters[0][0] == "zz"
    U = Domain.universal({"f": "0 <= f"}, {"h": "h > 0"})
    refused(
        lambda: AbstractMechanism("A", U, "ahdp", ONE), "those of the domain are not among them"
    )
    refused(
        lambda: AbstractMechanism(
            "A", U, "ahdp", ONE, parameters=(("h", (name("h") > 0) & (name("h") > 1)),)
        ),
        "those of the domain are not among them",
    )
    refused(lambda: pull_back(assume(W, "ahdp", 1), E, {"x": ZERO, "eps": ONE}), "zz is not known")


# what is read


def test_what_a_part_assumes_of_an_output_is_true_of_all_its_values() -> None:
    not_shown(
        lambda: compose(COUNT, sees_nothing("s", "n", "n >= 0")),
        "assumes 0 <= n of n, which was not shown for all of its values",
    )
    refused(
        lambda: compose(coin("c"), sees_nothing("s", "c", "c > 0")),
        "which is false for its value 0",
    )
    assert compose(coin("c"), sees_nothing("s", "c", "c >= 0")).relation == "ahdp"
    further = ahdp(laplace("s", name("c") * t, {"c": "", "t": "t >= c"}), 0)
    refused(lambda: compose(coin("c"), further), "a condition of release of s mentions c")
    both = ahdp(laplace("s", name("c") * t, {"c": "c <= t", "t": ""}), 0)
    not_shown(
        lambda: compose(coin("c"), both),
        "assumes c <= t of c, which was not shown for all of its values",
    )


def test_no_level_and_no_delta_depends_on_an_output() -> None:
    reader = laplace("s", W.size * name("n"), {"n": ""})
    refused(lambda: compose(COUNT, ahdp(reader, Abs(name("n")))), "depends on n, an earlier output")
    refused(
        lambda: compose(COUNT, ahdp(reader, 1, delta=name("n"))), "depends on n, an earlier output"
    )


def test_where_a_part_runs_depends_on_no_output() -> None:
    reader = ahdp(laplace("s", ZERO, {"n": ""}, defined=W.size <= name("n")), 0)
    refused(lambda: compose(COUNT, reader), "depends on n, an earlier output")


def test_no_label_is_read_not_even_one_that_is_an_atom() -> None:
    words = ahdp(Mechanism(W, outputs=[finite("c", ["a", "b"])], density=HALF, name="word"), 0)
    refused(lambda: compose(words, sees_nothing("s", "c")), 'reads c, which may be the label "a"')
    sometimes = Mechanism(
        W,
        outputs=[real("n")],
        density=exp(-Abs(name("n"))) / 4,
        atoms={"NULL": HALF},
        name="sometimes",
    )
    nothing = ahdp(sometimes, 0)
    refused(
        lambda: compose(nothing, sees_nothing("s", "n")), 'reads n, which may be the label "NULL"'
    )
    refused(lambda: post_process(nothing, sees_nothing("s", "n")), 'which may be the label "NULL"')
    for wrapped in (
        subsample(nothing, HALF),
        mixture((HALF, nothing), (HALF, COUNT)),
        compose(nothing),
        product(nothing),
    ):
        refused(
            lambda w=wrapped: compose(w, sees_nothing("s", "n")), 'which may be the label "NULL"'
        )  # type: ignore[misc]


def test_a_formula_may_turn_the_label_into_a_number() -> None:
    sometimes = ahdp(
        Mechanism(
            W,
            outputs=[real("n")],
            density=exp(-Abs(name("n"))) / 4,
            atoms={"NULL": HALF},
            name="sometimes",
        ),
        0,
    )
    is_null = eq(name("n"), label("NULL"))
    cleaned = post_process(sometimes, {"z": piecewise((0, is_null), (name("n"), True))})
    assert output_labels(cleaned.mechanism, "z") == ()
    assert compose(cleaned, sees_nothing("s", "z")).relation == "ahdp"
    for formula in (name("n"), name("n") + 1, piecewise((name("n"), is_null), (0, True))):
        kept = post_process(sometimes, {"z": formula})
        refused(lambda k=kept: compose(k, sees_nothing("s", "z")), 'which may be the label "NULL"')  # type: ignore[misc]
    refused(
        lambda: post_process(sometimes, {"z": piecewise((0, eq(name("n"), "NULLL")), (1, True))}),
        'did you mean "NULL"',
    )


def test_a_finite_output_takes_its_listed_values_only() -> None:
    def made(values: list[object], formula: object) -> Composite:
        return Composite(
            "post_process", (coin("c"),), released=[finite("z", values)], formulas=[formula]
        )

    assert made([0, 2], 2 * name("c")).outputs[0].values == (number(0), number(2))
    refused(
        lambda: made([0, 1], 2 * name("c")), "is not one of its values at c = 1", "list all values"
    )
    not_shown(
        lambda: Composite(
            "post_process", (COUNT,), released=[finite("z", [0])], formulas=[name("n")]
        ),
        "it was not shown to take only such values",
    )
    not_shown(
        lambda: Composite("post_process", (COUNT,), released=[integer("z")], formulas=[name("n")]),
        "call it real",
    )


# parts that do not fit


def test_what_is_not_a_part() -> None:
    refused(lambda: compose(), "it has 0 parts", "give 1 or more")
    refused(lambda: Composite("compose", [3]), "a part is not a claim")  # type: ignore[list-item]
    refused(
        lambda: Composite("magic", (ANY,)), "'magic' does not construct a mechanism", "use compose"
    )
    refused(
        lambda: Composite("subsample", (ANY, ANY), formulas=(HALF,)), "it has 2 parts", "give 1"
    )
    refused(
        lambda: Composite("compose", (ANY,), formulas=(HALF,)),
        "it is given more fields than it takes",
    )
    refused(lambda: Composite("subsample", (ANY,)), "it is given more fields than it takes")
    refused(lambda: compose(ANY, name=3), "3 is not a string")  # type: ignore[arg-type]
    refused(
        lambda: compose(COUNT, ahdp(laplace("k", ZERO, domain=Domain([(5, 1)])), 0)),
        "its parts have different inputs",
    )
    refused(lambda: mixture((HALF, COUNT), (HALF, coin("c"))), "its parts have different outputs")
    refused(
        lambda: Composite("mixture", (ANY,), formulas=()), "0 probabilities are given for 1 parts"
    )


def test_a_sample_is_taken_of_datasets_and_keeps_the_mechanism_defined() -> None:
    refused(lambda: subsample(assume(W, "hdp", 1), HALF), "no claim about adding records")
    refused(
        lambda: subsample(assume(Values(["a", "b"]), "any", 1), HALF),
        "no claim about adding records",
    )
    refused(
        lambda: subsample(ahdp(laplace("s", ZERO, defined=W.size >= 1), 0), HALF),
        "the empty sample does not satisfy 1 <= size",
    )
    not_shown(
        lambda: subsample(ahdp(laplace("s", ZERO, defined=W.size * W.size <= 9), 0), HALF),
        "a sample was not shown to satisfy",
        "was not shown",
    )
    assert subsample(ahdp(laplace("s", ZERO, defined=W.size <= 4), 0), HALF).mechanism.defined == (
        W.size <= 4
    )


def test_normalised_and_pull_back_need_what_they_need() -> None:
    refused(lambda: normalised(W, [real("r")], ZERO, 0, 0), "finite outputs")
    refused(lambda: normalised(W, [finite("r", [0, 1])], x, 0, 0), "x")
    refused(lambda: pull_back(assume(Queries(2), "one", 1), W), "not about datasets")
    refused(lambda: pull_back(ANY, W, {"z": ZERO}), "z is not a component of the part's records")


def test_levels_deltas_and_public_parts_are_in_range() -> None:
    refused(lambda: CompositeClaim(ANY.mechanism, "ahdp", number(-1)), "-1 is out of range")
    refused(lambda: CompositeClaim(ANY.mechanism, "ahdp", ONE, number(2)), "2 is out of range")
    refused(lambda: assume(W, "ahdp", -1), "-1 is out of range")
    refused(lambda: assume(W, "ahdp", 1, delta=-1), "-1 is out of range")
    refused(
        lambda: CompositeClaim(ANY.mechanism, "ahdp", ONE, ZERO, ("x",)),
        "x is not a part of a record that ahdp keeps",
    )
    refused(
        lambda: hdp(assume(W, "hdp", 1), public=("z",)),
        "z is not a part of a record that hdp keeps",
    )
    refused(lambda: CompositeClaim(ANY.mechanism, "pairs", ONE), "only a group")
    refused(lambda: CompositeClaim(COUNT.mechanism, "ahdp", ONE), "Mechanism is not a mechanism")  # type: ignore[arg-type]
    refused(lambda: ahdp(ANY, y), "y is not known")
    refused(lambda: dp(ANY, 1, "one"), "one does not fit")
    refused(lambda: dp(ANY, 1, "sideways"), "'sideways' is not a known relation")


def test_a_tree_has_a_limited_number_of_parts() -> None:
    claim = ANY
    with pytest.raises(BadInput, match=f"more than {MANY} parts"):
        for _ in range(20):
            claim = mixture((HALF, claim), (HALF, claim))
    deep = ANY
    with pytest.raises(BadInput, match="nested too deep"):
        for _ in range(DEEP + 5):
            deep = subsample(deep, HALF, level=ONE)


# where mechanisms run


SIZE = W.size


@pytest.mark.parametrize(
    ("defined", "down", "up"),
    [
        (TRUE, True, True),
        (SIZE >= 1, False, True),
        (SIZE <= 4, True, False),
        ((SIZE >= 1) & (SIZE <= 4), False, False),
        (eq(SIZE, 2), False, False),
        (W.count((0, 1)) <= t, True, False),
        (W.count((0, 1)) >= 1, False, True),
        (W.sum(lambda x, eps: x) <= 3, False, False),
        (SIZE < 4, False, False),
        (W.count((0, 1)) <= SIZE, False, False),
        (Expression("sum", (indicator(x > 0) * -1,)) <= 1, False, False),
        (boolean(False), False, False),
    ],
)
def test_where_a_mechanism_runs_shrinks_or_grows(defined: Expression, down: bool, up: bool) -> None:
    assert (is_downward_closed(defined), is_upward_closed(defined)) == (down, up)


def test_a_composite_runs_where_all_its_parts_do() -> None:
    here, there = (
        ahdp(laplace(o, ZERO, defined=d), 0) for o, d in (("a", SIZE >= 1), ("b", SIZE <= 4))
    )
    assert compose(here, there).mechanism.defined == (SIZE >= 1) & (SIZE <= 4)
    old = Domain([(1, 2)])
    part = ahdp(laplace("s", ZERO, domain=old, defined=old.count((1, 2)) <= 3), 0)
    moved = pull_back(part, W, {"x": ONE, "eps": number(2)})
    assert str(moved.mechanism.defined) == "count(1 == 1 and 2 == 2) <= 3"


# JSON


def tree() -> CompositeClaim:
    U = Domain([(0, 1), (1, 2)])
    base = subsample(
        assume(U, "add-remove", t, parameters={"t": "t > 0"}),
        (exp(Expression("min", (eps, t))) - 1) / (exp(t) - 1),
    )
    clean = post_process(coin("c", U), {"z": name("c") * 3})
    pulled = pull_back(ahdp(laplace("k", ZERO), 0), U)
    scored = normalised(U, [finite("r", [0, 1])], name("r") * U.size, 0, 1)
    return compose(
        base, clean, pulled, scored, post_process(COUNT, sees_nothing("s", "n")), name="all"
    )


def test_claims_read_back_to_the_letter() -> None:
    claim = tree()
    data = json.loads(json.dumps(claim.to_json()))
    again = claim_from_json(data)
    assert again == claim and again.fingerprint == claim.fingerprint and again.to_json() == data
    assert claim_from_json(COUNT.to_json()) == COUNT


def nodes(data: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The paths of all objects and lists in JSON data."""
    if isinstance(data, dict):
        return [path, *(p for k, v in data.items() for p in nodes(v, (*path, k)))]
    return (
        [path, *(p for i, v in enumerate(data) for p in nodes(v, (*path, i)))]
        if isinstance(data, list)
        else []
    )


SPOILT: tuple[Callable[[Any], Any], ...] = (
    lambda d: {**d, "more": 1} if isinstance(d, dict) else [*d, 1],
    lambda d: None,
    lambda d: 1.5,
    lambda d: [d],
    lambda d: {"rule": d},
)


def test_hand_made_json_is_read_to_the_letter_or_refused() -> None:
    claim = tree()
    whole = claim.to_json()
    for i, path in enumerate(nodes(whole)):
        for spoil in shared_out(SPOILT, i):
            data = copy.deepcopy(whole)
            spot = data
            for key in path[:-1]:
                spot = spot[key]
            if path:
                spot[path[-1]] = spoil(spot[path[-1]])
            else:
                data = spoil(data)
            try:
                found = claim_from_json(data)
            except BadInput:
                continue
            assert found.to_json() == data and found.fingerprint != claim.fingerprint


def test_numbers_of_another_kind_are_not_canonical() -> None:
    data = tree().to_json()
    data["mechanism"]["name"] = True
    refused(lambda: claim_from_json(data), "name")


def test_json_that_is_nested_too_deep_is_refused() -> None:
    data = ANY.to_json()
    for _ in range(60):
        data = {
            **subsample(ANY, HALF).to_json(),
            "mechanism": {**subsample(ANY, HALF).mechanism.to_json(), "parts": [data]},
        }
    refused(lambda: claim_from_json(data), "nested too deep")


def test_a_claim_says_what_it_is_about() -> None:
    claim = CompositeClaim(
        compose(assume(W, "hdp", 2, text="any 2-HDP mechanism")).mechanism,
        "hdp",
        number(2),
        ZERO,
        ("x",),
    )
    assert str(claim) == "compose(any 2-HDP mechanism) is HDP at level 2 with x public"
    assert (
        str(ahdp(compose(ANY), lambda x, eps: oo))
        == "compose(any 1-AHDP mechanism) is AHDP at level oo"
    )
    assert str(assume(W, "ahdp", log(2))).startswith("any mechanism that is AHDP at level log(2)")


def test_outputs_that_may_be_labels_are_not_read() -> None:
    """Those of a normalised score too: a level that holds for all numbers says nothing at a
    label.
    """
    W, y, r = Domain([(0, 1), (1, 1)]), finite("y", ["a", "b"]), real("r")
    chosen = CompositeClaim(
        Composite("normalised", domain=W, released=[y], formulas=(number(0), number(0), number(0))),
        "ahdp",
        number(0),
    )
    noisy = Mechanism(W, outputs=[r], density=exp(-Abs(r - name("y"))) / 2, parameters={"y": ""})
    with pytest.raises(BadInput, match="which may be the label"):
        Composite("compose", (chosen, ahdp(noisy, 0)))


def test_a_part_that_reads_an_output_may_ask_for_labels_of_records() -> None:
    """Only what it asks of the output has to be met by the values of the output."""
    W, y, r = Domain([("a", 1), ("b", 1)]), finite("y", [0, 1]), finite("r", [0, 1])
    coin = ahdp(Mechanism(W, outputs=[y], density=number("1/2")), 0)

    def asked(value: int) -> Mechanism:
        count = W.sum(lambda x, eps: indicator(eq(x, "a")))
        shift = piecewise((0 * count, eq(name("y"), value)), (0, True))
        return Mechanism(W, outputs=[r], density=number("1/2") + shift, parameters={"y": ""})

    assert Composite("compose", (coin, ahdp(asked(1), 0))).outputs == (y, r)
    with pytest.raises(BadInput, match="y == 7 never holds"):
        Composite("compose", (coin, ahdp(asked(7), 0)))


def test_assumptions_are_about_single_moves() -> None:
    with pytest.raises(BadInput, match="only a group claim may compare"):
        assume(Domain([(0, 1)]), "pairs", 1)


def test_a_normalised_score_without_outputs_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="it has no outputs"):
        Composite("normalised", domain=Domain([(0, 1)]), formulas=(number(0), number(0), number(0)))
