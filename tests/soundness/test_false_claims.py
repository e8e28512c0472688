"""Claims that are false, or mechanisms without a meaning, which were once proved in an adversarial
review; and refutations that claimed too much.
"""

from __future__ import annotations

import pytest

from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, label, number, oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.claim import certify
from ahdp_verify.search.verify import verify

S = real("s")


def proved(claim: Claim) -> bool:
    """Whether the prover finds a certificate, without a look for counterexamples, that the
    checker accepts.
    """
    for counts in (False, True):
        found = certify(claim, counts, Limits(seconds=5).clock())
        if isinstance(found, Certificate):
            try:
                check(claim, found)
            except Rejected:
                continue
            return True
    return False


@pytest.mark.parametrize("body", ["min(1, max(0, s)) * x", "indicator(0 < s) * x"])
def test_a_record_sum_that_speaks_of_the_output_is_not_a_constant_of_the_total(body: str) -> None:
    """With X = sum(x), the mass of exp(-abs(s - clip(s, 0, 1) X))/2 is 3/2 at X = 1, and 1 only
    if the sum is taken for a number.
    """
    try:
        claim = Claim(
            Mechanism(
                Domain([(1, 1)]), outputs=[S], density=parse(f"exp(-abs(s - sum({body})))/2")
            ),
            "ahdp",
            number(1),
        )
    except BadInput:
        return
    assert not proved(claim)


# only a record with demand oo may have a negative alpha
LOWER = "piecewise((0, eps < oo), (-1, true)) <= alpha and alpha <= 1"


@pytest.mark.parametrize(
    "level", ["0", "piecewise((0, eps < oo), (oo, true))", "piecewise((1/2, eps < oo), (oo, true))"]
)
def test_what_is_known_of_a_sum_holds_for_records_with_demand_oo_too(level: str) -> None:
    """{(-1, oo)} and {(-1, oo), (1, eps)} have the scales 2 and 1, so the loss of a record with
    finite demand is log(2) at s = 0.
    """
    U = Domain.universal(unknowns={"alpha": parse(LOWER)})
    scale = "(1 + max(0, -sum(alpha)))"
    claim = Claim(
        Mechanism(U, outputs=[S], density=parse(f"exp(-abs(s)/{scale})/(2*{scale})")),
        "ahdp",
        parse(level),
    )
    assert not proved(claim)
    assert not isinstance(verify(claim, Limits(seconds=3)), Proved)


@pytest.mark.parametrize("condition", ["eps == 3", "1 <= eps and eps == 3"])
def test_a_parameter_called_eps_is_not_the_demand(condition: str) -> None:
    """At demand oo the level 1/(1 + eps) is 0, whatever a parameter of the same name is equal
    to; the loss is 1/4.
    """
    W = Domain([(1, oo)])
    try:
        mechanism = Mechanism(
            W,
            outputs=[S],
            density=parse("exp(-abs(s - sum(x))/4)/8"),
            parameters={"eps": condition},
        )
        claim = Claim(mechanism, "ahdp", parse("1/(1 + eps)"))
    except BadInput:
        return
    assert not proved(claim)


def side(value: int) -> tuple[Expression, ...]:
    return (number(value),)


BELOW_0 = ("s", None, number(0))


@pytest.mark.parametrize(
    "event",
    [
        Event(intervals=(BELOW_0,), values=(("s", (number(5),)),)),
        Event(intervals=(BELOW_0,), atoms=(label("NULL"),)),
    ],
)
def test_an_event_about_a_real_output_says_nothing_that_is_not_counted(event: Event) -> None:
    """ "s < 0 and s = 5" has probability 0, and an atom that the mechanism does not have is not a
    part of an event.
    """
    mechanism = Mechanism(Values([0, 1]), outputs=[S], density=parse("exp(-abs(s - 2*v))/2"))
    points = tuple((("s", side(at)),) for at in (0, 2))
    claim = Claim(mechanism, "any", number(1))
    refute(
        claim,
        Counterexample(
            (), (), side(0), side(1), Event(intervals=(BELOW_0,)), (points[0], points[1])
        ),
    )
    with pytest.raises(Rejected):
        refute(claim, Counterexample((), (), side(0), side(1), event, (points[0], points[1])))


@pytest.mark.parametrize(
    "event",
    [
        Event(intervals=(("y", number(7), number(8)),), values=(("y", (number(0),)),)),
        Event(values=(("y", (number(0),)),), atoms=(label("NULL"),)),
        Event(outcomes=((number(0),),), values=(("y", (number(1),)),)),
        Event(outcomes=((number(0),),), intervals=(("z", None, None),)),
    ],
)
def test_an_event_about_a_finite_output_says_nothing_that_is_not_counted(event: Event) -> None:
    mechanism = Mechanism(
        Values([0, 1]),
        outputs=[finite("y", [0, 1])],
        density=parse("piecewise((9/10, y == v), (1/10, true))"),
    )
    claim = Claim(mechanism, "any", number(1))
    refute(claim, Counterexample((), (), side(0), side(1), Event(outcomes=((number(0),),))))
    with pytest.raises(Rejected):
        refute(claim, Counterexample((), (), side(0), side(1), event))


@pytest.mark.parametrize("first", ["0", "1"])
def test_one_direction_of_a_pair_is_not_the_other(first: str) -> None:
    """p(y; v = 0) <= 2 p(y; v = 1) and p(y; v = 1) <= 3/2 p(y; v = 0) are both tight: exchanged
    levels are refused.
    """
    law = "piecewise((1/2, v == 0), (piecewise((1/4, y == 0), (3/4, true)), true))"
    mechanism = Mechanism(Values([0, 1]), outputs=[finite("y", [0, 1])], density=parse(law))
    claim = Claim(mechanism, "any", parse(f"piecewise((log(2), v == {first}), (log(3/2), true))"))
    assert proved(claim) is (first == "0")


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("piecewise((1, x == 0), (2, true))", Proved),
        ("piecewise((2, x == 0), (1/2, true))", Refuted),
    ],
)
def test_a_replacement_is_held_to_the_smaller_of_the_levels_of_its_two_records(
    level: str, expected: type
) -> None:
    # |log p - log p'| is at most 1, attained by (0, 1) against (1, 1); the pair is a move of either
    # record
    s, W = real("s"), Domain([(0, 1), (1, 1)])
    M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2)
    assert type(verify(Claim(M, "hdp", parse(level)))) is expected
