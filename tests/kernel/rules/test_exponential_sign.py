"""The rule ExpSign: what it proves is true at every point, and no forgery is accepted.

Signs are compared with values that mpmath computes with 60 digits from the terms; expected answers
are derived by hand beside each case.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from ahdp_verify.kernel.errors import AhdpError, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    ExpSign,
    Lemma,
)
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.exponential_sign import (
    check_exp_sign,
    coefficients_value,
    exponential_terms,
    fact_interval,
    inequality_bound,
    roots_between,
    tail_sign,
    terms_derivative,
)
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, floor, log, name, number, oo
from ahdp_verify.kernel.terms.stored import from_stored, to_stored
from tests.stored import ANY_KIND

E = name("e")
Q = exp(-E)  # q = exp(-e)
Given = tuple[Expression, str]
POSITIVE: Given = (E, ">")


def ratio(e: Expression) -> Ratio:
    return normal(e, Context.empty())


def knowing(*facts: Given) -> Context:
    here = Context.empty()
    for e, relation in facts:
        here = here.given(ratio(e).num, relation)
    return here


def points(*values: int | str) -> tuple[Fraction, ...]:
    return tuple(Fraction(v) for v in values)


def whole(e: Expression, *values: int | str, low: int = 0, high: int | None = None) -> ExpSign:
    """The proof by one factor."""
    return ExpSign(((e, 1, points(*values)),), low, high)


HERE = knowing(POSITIVE)
HALF_OPEN = knowing(
    POSITIVE, (log(number(Fraction(3, 2))) - E, ">=")
)  # 0 < e <= log(3/2), so 2/3 <= q < 1
CLOSED = knowing((E - log(2), ">="), (number(3) - E, ">="))
THROUGH_EXP = knowing((1 - Q, ">"), (3 * Q - 2, ">="))  # the same as HALF_OPEN, said of exp(-e)
BELOW_ZERO = knowing((E + 1, ">"))
FIXED = knowing(POSITIVE, (2 * Q - 1, "="))  # e = log 2

# (what is claimed, its relation, what is known of e, a proof); why it is true stands beside it
TRUE: tuple[tuple[Expression, str, Context, ExpSign], ...] = (
    (1 - Q, ">", HERE, whole(1 - Q)),  # q < 1
    (E - 1 + Q, ">", HERE, whole(E - 1 + Q, 2)),  # exp(-e) > 1 - e
    (
        Q - 1 + E - E**2 / 2 + E**3 / 6,
        ">",
        HERE,
        whole(Q - 1 + E - E**2 / 2 + E**3 / 6, 1, "9/8", "5/4", "3/2", "7/4", 2),
    ),  # Taylor, order 4 at 0
    (exp(E) - 1 - E, ">", HERE, whole(exp(E) - 1 - E, 1)),
    ((1 - 2 * Q) ** 2, ">=", HERE, ExpSign(((1 - 2 * Q, 2, ()),), 0)),  # a square, 0 at log 2
    (
        (E - 1 + Q) ** 3 * (1 - Q),
        ">",
        HERE,
        ExpSign(((E - 1 + Q, 3, points(2)), (1 - Q, 1, ())), 0),
    ),
    (2 * (Q - 1) * (Q - 2), ">", HERE, ExpSign(((Q - 1, 1, ()), (2 * Q - 4, 1, ())), 0)),
    (
        3 * Q - 2,
        ">=",
        HALF_OPEN,
        whole(3 * Q - 2, high=1),
    ),  # 0 at the end log(3/2) that belongs to it
    (3 * Q - 2, ">=", THROUGH_EXP, whole(3 * Q - 2, high=1)),
    (
        3 * Q - 2,
        ">",
        knowing(POSITIVE, (log(number(Fraction(3, 2))) - E, ">")),
        whole(3 * Q - 2, high=1),
    ),  # the end left out
    (3 * Q - 2, ">=", HALF_OPEN, whole(3 * Q - 2, "1/8", "3/8", high=1)),  # the same by pieces
    (
        3 * Q**2 - 2,
        ">=",
        knowing(POSITIVE, (log(number(Fraction(3, 2))) / 2 - E, ">=")),
        whole(3 * Q**2 - 2, high=1),
    ),
    (E * Q - log(number(1)), ">", CLOSED, whole(E * Q, "3/4", 1, 2, high=1)),
    (E + 2, ">", BELOW_ZERO, whole(E + 2, 1)),
    (1 + Q + E**2, ">", BELOW_ZERO, whole(1 + Q + E**2, 0, 1)),
    (E * Q - Fraction(1, 3), ">", FIXED, ExpSign((), 1)),  # log(2)/2 = 0.3466
)

# What is false, with every interval above; the witness of falsehood stands beside it
FALSE: tuple[tuple[Expression, str, Context], ...] = (
    (Q - 1, ">=", HERE),
    (1 - 2 * Q, ">=", HERE),  # negative below log 2
    (E - 1 - Q, ">=", HERE),  # at e = 1/2
    (1 - E + Q, ">=", HERE),  # at e = 2
    ((1 - 2 * Q) ** 2, ">", HERE),  # 0 at log 2
    (Q - Fraction(1, 10**9), ">=", HERE),  # beyond e = 21
    (3 * Q - 2, ">", HALF_OPEN),  # 0 at log(3/2)
    (2 * Q - Fraction(4, 3) - Fraction(1, 10**9), ">=", HALF_OPEN),  # at log(3/2)
    (E - log(2), ">", CLOSED),
    (E, ">=", BELOW_ZERO),
    (1 - Q, ">=", BELOW_ZERO),
    (E**2, ">", BELOW_ZERO),
    (E * Q - Fraction(7, 20), ">=", FIXED),
    (E - Fraction(693147180559946, 10**15), ">=", FIXED),  # log 2 = 0.693147180559945309...
    (4 * Q**2 - 1, ">", FIXED),  # 0
)


def accepted(p: Polynomial, relation: str, proof: Any, here: Context) -> bool:
    try:
        check_sign(Ratio(p), relation, proof, here)
    except (
        Rejected,
        Undecided,
        Unsupported,
        TypeError,
        AttributeError,
        ValueError,
        KeyError,
        IndexError,
        ZeroDivisionError,
    ):
        return False  # the checker turns each of these into Rejected
    return True


@pytest.mark.parametrize(
    ("claim", "relation", "here", "proof"),
    TRUE,
    ids=lambda x: str(x)[:40] if isinstance(x, Expression) else "",
)
def test_a_true_sign_is_accepted_and_travels_through_json(
    claim: Expression, relation: str, here: Context, proof: ExpSign
) -> None:
    check_sign(normal(claim, here), relation, proof, here)
    check_sign(normal(claim, here), ">=", proof, here)
    assert from_stored(ANY_KIND, json.loads(json.dumps(to_stored(proof)))) == proof
    assert (
        extend_context((Lemma("proved", (claim,), relation, (proof,)),), here).facts[-1].relation
        == relation
    )
    for other in ("<", "<=", "=", "!=", "nonsense"):
        with pytest.raises(Rejected):
            check_exp_sign(normal(claim, here).num, other, proof, here)
    assert not accepted((-normal(claim, here)).num, ">=", proof, here)


def changed(thing: Any) -> Iterator[Any]:
    """Every copy with one number changed, or one part left out."""
    if isinstance(thing, bool) or thing is None:
        yield 0
    elif isinstance(thing, int):
        yield from (thing + 1, thing - 1, -thing, 0, 10**20)
    elif isinstance(thing, Fraction):
        yield from (thing + 1, thing - 1, thing / 2, -thing, thing + Fraction(1, 7), thing * 1000)
    elif isinstance(thing, Expression):
        if thing.head == "number":
            yield from (number(v) for v in changed(thing.args[0]))
        elif thing.head not in ("name", "label"):
            yield from (
                Expression(thing.head, (*thing.args[:i], bad, *thing.args[i + 1 :]))
                for i, a in enumerate(thing.args)
                for bad in changed(a)
            )
    elif isinstance(thing, tuple):
        yield from ((*thing[:i], *thing[i + 1 :]) for i in range(len(thing)))
        yield from (
            (*thing[:i], bad, *thing[i + 1 :])
            for i, part in enumerate(thing)
            for bad in changed(part)
        )
    elif isinstance(thing, ExpSign):
        for field in dataclasses.fields(thing):
            yield from (
                dataclasses.replace(thing, **{field.name: bad})
                for bad in changed(getattr(thing, field.name))
            )


@pytest.mark.parametrize(
    ("claim", "relation", "here", "proof"),
    TRUE,
    ids=lambda x: str(x)[:40] if isinstance(x, Expression) else "",
)
def test_every_mutation_is_rejected_or_proves_what_is_true_and_never_what_is_false(
    claim: Expression, relation: str, here: Context, proof: ExpSign
) -> None:
    false = [(normal(f, there).num, r) for f, r, there in FALSE if there is here]
    tried = rejected = 0
    for bad in changed(proof):
        tried += 1
        rejected += not accepted(normal(claim, here).num, relation, bad, here)
        assert not any(accepted(p, r, bad, here) for p, r in false), bad
    assert tried > 5 or not proof.factors
    assert rejected > 2


@pytest.mark.parametrize(
    ("claim", "relation", "here"),
    FALSE,
    ids=lambda x: str(x)[:40] if isinstance(x, Expression) else "",
)
def test_no_honest_looking_proof_shows_what_is_false(
    claim: Expression, relation: str, here: Context
) -> None:
    p = normal(claim, here).num
    tree = to_expression(Ratio(p))
    highs = (None, *range(len(here.facts)))
    for low in range(len(here.facts)):
        for high in highs:
            for cut in (
                (),
                points("1/8"),
                points("1/8", "3/8"),
                points(1),
                points("3/4", 1, 2),
                points(1, 64),
                points("-1/2", 1),
                points("1/2", 40, 1000),
            ):
                assert not accepted(
                    p, relation, whole(tree, *map(str, cut), low=low, high=high), here
                )
                assert not accepted(
                    p, relation, ExpSign(((tree, 1, cut), (number(1), 1, ())), low, high), here
                )
                assert not accepted(
                    p, relation, ExpSign(((-tree, 1, cut), (number(-1), 1, ())), low, high), here
                )


FACTOR = E - 1 + Q
FORGED: tuple[ExpSign, ...] = (
    ExpSign((), 0),  # no factor
    whole(FACTOR),  # e outside exponentials, and no points
    whole(FACTOR, 1),  # the leading term vanishes at 1
    whole(FACTOR, 2, 1),  # not in order
    whole(FACTOR, 2, 2),
    whole(FACTOR, 0, 2),  # not inside
    whole(FACTOR, -1, 2),
    ExpSign(((FACTOR, 1, (2,)),), 0),  # a number that is not a Fraction
    ExpSign(((FACTOR, 1, (2.0,)),), 0),  # type: ignore[arg-type]
    ExpSign(((FACTOR, 1.0, points(2)),), 0),  # type: ignore[arg-type]
    ExpSign(((FACTOR, 0, points(2)),), 0),
    ExpSign(((FACTOR, -1, points(2)),), 0),
    ExpSign(((FACTOR, 3, points(2)),), 0),  # another product
    ExpSign(((FACTOR, 1, points(2)), (FACTOR, 2, ())), 0),
    ExpSign(((FACTOR * 2, 1, points(2)),), 0),
    ExpSign(((FACTOR, 1, points(2)), (number(0), 2, ())), 0),
    ExpSign(
        ((FACTOR, 1, points(2)), (name("f"), 1, ()), (1 / name("f"), 1, ())), 0
    ),  # another name, though it cancels
    ExpSign(((FACTOR, 1, points(2)), (exp(E**2), 1, ()), (exp(-(E**2)), 1, ())), 0),
    ExpSign(((FACTOR, 1, points(2)), (Abs(E - 7), 2, ())), 0),
    ExpSign(((FACTOR, 1, points(2)), (floor(E), 2, ())), 0),
    ExpSign(((FACTOR, 1, points(2)), (log(number(2)), 2, ())), 0),
    ExpSign(((FACTOR * E, 1, points(2)), (1 / E, 1, points(1))), 0),
    whole(FACTOR, 2, low=1),  # no such fact
    whole(FACTOR, 2, low=-1),
    whole(FACTOR, 2, high=0),  # a lower bound is not an upper bound
    whole(FACTOR, 2, high=7),
    whole(FACTOR, 2, low=None),  # type: ignore[arg-type]
    whole(oo, 2),
)


@pytest.mark.parametrize("proof", FORGED, ids=range(len(FORGED)))
def test_a_forged_proof_of_a_true_sign_is_rejected(proof: ExpSign) -> None:
    assert accepted(ratio(FACTOR).num, ">", whole(FACTOR, 2), HERE)
    assert not accepted(ratio(FACTOR).num, ">", proof, HERE)


def test_strictness_at_an_end_depends_on_the_fact() -> None:
    p = ratio(Q * 3 - 2).num
    for last, strict in ((">=", False), (">", True)):
        here = knowing(POSITIVE, (log(number(Fraction(3, 2))) - E, last))
        for proof in (whole(3 * Q - 2, high=1), whole(3 * Q - 2, "1/8", "3/8", high=1)):
            assert accepted(p, ">=", proof, here)
            assert accepted(p, ">", proof, here) is strict
    for first, strict in ((">=", False), (">", True)):
        for proof in (whole(E, 1), ExpSign(((E, 1, points(1)),), 0)):
            assert accepted(ratio(E).num, ">", proof, knowing((E, first))) is strict


def test_a_name_without_lower_bound_is_not_handled() -> None:
    for facts in (
        (),
        ((1 - E, ">"),),
        ((E - name("f"), ">"), (name("f"), ">")),
        ((E * E, ">"),),
        ((E - 1, "="),),
        ((exp(E) + 1, ">"),),
    ):
        here = knowing(*facts)
        for low in range(-1, 3):
            assert not accepted(ratio(1 + Q).num, ">", whole(1 + Q, low=low), here)


def test_a_name_with_one_value_has_the_sign_at_it() -> None:
    for p, relation, holds in (
        (4 * Q**2 - 1, ">=", True),
        (1 - 4 * Q**2, ">=", True),
        (4 * Q**2 - 1, ">", False),
        (E - Q, ">", True),
        (Q - E, ">=", False),
    ):
        assert accepted(ratio(p).num, relation, ExpSign((), 1), FIXED) is holds
        assert not accepted(ratio(p).num, relation, ExpSign((), 1, 0), FIXED)
        assert not accepted(ratio(p).num, relation, ExpSign(((p, 1, ()),), 1), FIXED)
        assert not accepted(ratio(p).num, relation, ExpSign((), 0), FIXED)


def test_an_interval_without_points_inside_is_rejected() -> None:
    for facts in (((E - 2, ">"), (1 - E, ">")), ((E, ">="), (-E, ">="))):
        here = knowing(*facts)
        for cut in (
            (),
            points(0),
            points(1),
            points("3/2"),
            points("1/2"),
            points(2),
            points("1/2", "5/2"),
        ):
            assert not accepted(ratio(1 + Q).num, ">", whole(1 + Q, *map(str, cut), high=1), here)


@pytest.mark.parametrize(
    ("fact", "low", "value"),
    [
        (2 * E - 3, True, constant(Fraction(3, 2))),
        (3 - 2 * E, False, constant(Fraction(3, 2))),
        (E - log(2), True, log_of(constant(2))),
        (1 - Q, True, constant(0)),
        (3 * Q - 2, False, log_of(constant(Fraction(3, 2)))),  # q >= 2/3
        (exp(2 * E) - 9, True, log_of(constant(3))),
        (9 - exp(2 * E), False, log_of(constant(3))),
        (exp(-E / 3) - Fraction(1, 2), False, log_of(constant(8))),
    ],
)
def test_a_fact_is_read_as_the_bound_that_it_is(fact: Expression, low: bool, value: Ratio) -> None:
    for relation, included in ((">", False), (">=", True)):
        end, lower, belongs = inequality_bound(knowing((fact, relation)).facts[0], "e")
        assert ((end - value).is_zero, lower, belongs) == (True, low, included)


@pytest.mark.parametrize(
    "fact",
    [
        1 + Q,
        -1 - Q,
        Q,
        E**2 - 1,
        E * Q - 1,
        E + Q,
        E - name("f"),
        name("f"),
        Q - exp(-2 * E),
        exp(E**2) - 2,
        2 * Q + E - 1,
    ],
)
def test_a_fact_that_is_not_a_bound_is_rejected(fact: Expression) -> None:
    here = Context.empty().given(ratio(fact).num, ">")
    with pytest.raises(Rejected):
        fact_interval(0, None, "e", here)


def test_the_derivative_is_that_of_a_difference_quotient() -> None:
    f = exponential_terms(ratio(E**3 * exp(E / 2) - 5 * E + 7 * Q + 2).num, "e")

    def value(table: Any, x: Any) -> Any:
        return mpmath.fsum(
            mpmath.mpf(c.numerator)
            / c.denominator
            * x**k
            * mpmath.exp(mpmath.mpf(a.numerator) / a.denominator * x)
            for (k, a), c in table.items()
        )

    with mpmath.workdps(60):
        for x in (mpmath.mpf(1) / 3, mpmath.mpf(2)):
            h = mpmath.mpf(10) ** -20
            assert (
                abs((value(f, x + h) - value(f, x - h)) / (2 * h) - value(terms_derivative(f), x))
                < mpmath.mpf(10) ** -30
            )


def test_the_dominant_term_is_believed_only_where_it_dominates() -> None:
    for e, least, s in (
        (E - 100, 100, 1),
        (100 * Q - 1, 5, -1),
        (Q * E**5 - 1, 13, -1),
        (E**2 - 10 * E + 1, 10, 1),
        (exp(E) - E**3, 5, 1),
    ):
        f = exponential_terms(ratio(e).num, "e")
        for x in range(1, 400):
            found = tail_sign(f, Fraction(x))
            assert found in (None, s)
            assert found is None or x >= least  # below it the sign is another one somewhere
        assert tail_sign(f, Fraction(399)) == s


def test_sturm_counts_the_planted_roots() -> None:
    def product(*roots: Fraction) -> list[Fraction]:
        p = [Fraction(1)]
        for r in roots:
            p = [x - r * y for x, y in zip([Fraction(0), *p], [*p, Fraction(0)], strict=True)]
        return p

    planted = [Fraction(n, d) for n, d in ((-1, 2), (0, 1), (1, 3), (1, 2), (3, 4), (1, 1), (5, 4))]
    p = product(*planted)
    assert [coefficients_value(p, r) for r in planted] == [0] * len(planted)
    for a, b in (
        (0, 1),
        (Fraction(-1), Fraction(2)),
        (Fraction(1, 3), Fraction(1, 2)),
        (Fraction(1, 4), Fraction(3, 4)),
    ):
        assert roots_between(p, Fraction(a), Fraction(b)) == sum(a < r < b for r in planted)
    with pytest.raises(Rejected):
        roots_between(
            product(Fraction(1, 2), Fraction(1, 2), Fraction(3)), Fraction(0), Fraction(1)
        )


def test_what_is_proved_holds_at_sampled_points() -> None:
    for claim, relation, here, proof in TRUE[:-1]:
        low = fact_interval(proof.low, proof.high, "e", here).low
        high = fact_interval(proof.low, proof.high, "e", here).high
        f = exponential_terms(normal(claim, here).num, "e")
        for step in range(1, 40):
            x = low + (
                constant(Fraction(step, 4))
                if high is None
                else (high - low).scale(Fraction(step, 40))
            )
            value = constant(0)
            for (k, a), c in f.items():
                value = value + (x**k * exp_of(x.scale(a))).scale(c)
            assert constant_sign(value) in ((1,) if relation == ">" else (0, 1))


def test_symbols_and_errors_are_the_package_s_own() -> None:
    with pytest.raises(AhdpError):
        check_exp_sign(symbol("e").num - symbol("f").num, ">", whole(E, 1), HERE)
    with pytest.raises(AhdpError):
        check_exp_sign(constant(1).num, ">", whole(number(1)), HERE)
