"""One input of a mechanism: what is accepted, and what is refused with one sentence."""

from __future__ import annotations

import pytest

from ahdp_verify.analysis.inputs import law_at_input
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.terms.expression import Abs, exp, name
from ahdp_verify.kernel.terms.grammar import parse

s, W = real("s"), Domain([(0, 1), (1, 1)])
SUM = Mechanism(
    W,
    outputs=[s],
    density=exp(-Abs(s - W.sum(lambda x, eps: x)) / name("b")) / (2 * name("b")),
    parameters={"b": "b > 0"},
    name="sum",
)
NONE = Mechanism(W, outputs=[s], density=exp(-Abs(s)) / 2, defined="size >= 1")
FLIP = Mechanism(
    Values(["no", "yes"]),
    outputs=[finite("r", ["no", "yes"])],
    density=parse("piecewise((3/4, r == v), (1/4, true))", "law"),
)
NOISY = Mechanism(Queries(2), outputs=[s], density=exp(-Abs(s - name("q[1]") - name("q[2]"))) / 2)
U = Domain.universal(unknowns={"a": "0 <= a"})
ANY = Mechanism(U, outputs=[s], density=exp(-Abs(s - U.sum(name("a")))) / 2)


def test_a_dataset_is_counts_records_or_a_multiset() -> None:
    laws = [
        law_at_input(SUM, d, {"b": 1})
        for d in ([1, 2], [(0, 1), (1, 1), (1, 1)], Multiset(W, [1, 2]))
    ]
    assert (
        laws[0] == laws[1] == laws[2]
        and str(laws[0].density) == "exp(-abs(s - 2))/2"
        and laws[0].text == "{(0, 1), 2 x (1, 1)}"
    )


def test_values_answers_and_tables_are_inputs_too() -> None:
    assert str(law_at_input(FLIP, "yes").density) == 'piecewise((3/4, r == "yes"), (1/4, true))'
    assert str(law_at_input(NOISY, ["1/2", 1]).density) == "exp(-abs(s - 3/2))/2"
    assert (
        str(law_at_input(ANY, [{"a": 2, "eps": 1}, {"a": "1/2", "eps": "oo"}]).density)
        == "exp(-abs(s - 5/2))/2"
    )


@pytest.mark.parametrize(
    ("mechanism", "dataset", "parameters", "said"),
    [
        (SUM, [1], {"b": 1}, "1 counts are given for 2 records"),
        (SUM, [0, 1], {}, "there is no value for b"),
        (SUM, [0, 1], {"b": -1}, "the condition b > 0|does not hold"),
        (SUM, [0, 1], {"b": 1, "c": 1}, "no parameter c"),
        (SUM, "01", {"b": 1}, "is not a list"),
        (SUM, Multiset(Domain([(5, 1), (6, 1)])), {"b": 1}, "another domain"),
        (SUM, [0, 1], {"b": 0.5}, "float"),
        (FLIP, "maybe", {}, "not one of the mechanism's values"),
        (NOISY, [1], {}, "number of query answers"),
        (NONE, [0, 0], {}, "the mechanism is not defined there"),
        (ANY, [{"a": 1}], {}, "not a table of the unknowns"),
        (ANY, [{"a": -1, "eps": 1}], {}, "does not hold"),
    ],
)
def test_what_is_not_an_input_is_refused(
    mechanism: Mechanism, dataset: object, parameters: dict[str, object], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        law_at_input(mechanism, dataset, parameters)
