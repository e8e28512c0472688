"""Claims from end to end: verdicts against brute force on random finite mechanisms, and claims
whose truth is known by hand.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import AhdpError, BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Certificate,
    Declined,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
    Lemma,
    Mass,
    Products,
    TotalLeaf,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.obligations import Obligation, obligations, output_parts, tasks
from ahdp_verify.kernel.rules.schema import has_schema, schema, schema_values
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Min,
    eq,
    exp,
    indicator,
    label,
    log,
    multiply,
    name,
    number,
    oo,
    piecewise,
    substitute,
    sum_over_records,
)
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.claim import certify
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown
from tests import oracle
from tests.sweeps import examples

s, o, v, x, eps, a = (name(n) for n in ("s", "o", "v", "x", "eps", "a"))
ZERO, ONE, FAR = number(0), number(1), number(100)
LIMITS = Limits(seconds=10)
SIZE = sum_over_records(1)


def noisy(center: object, scale: int = 1) -> Expression:
    """The Laplace distribution of a center."""
    return exp(-Abs(s - center) / scale) / (2 * scale)


def never_both(claim: Claim, example: Counterexample | None = None) -> tuple[bool, bool]:
    """(proved, refuted) for a claim, by whatever route the package has; both would be a
    contradiction.
    """
    is_proved = is_refuted = False
    for counts in (False, True):
        try:
            answer = certify(claim, counts, LIMITS.clock())
            is_proved = is_proved or (
                not isinstance(answer, Declined) and isinstance(check(claim, answer), Proved)
            )
        except AhdpError:
            continue
    try:
        is_refuted = example is not None and isinstance(refute(claim, example), Refuted)
    except AhdpError:
        is_refuted = False
    try:
        verdict = verify(claim, LIMITS)
        is_proved, is_refuted = (
            is_proved or isinstance(verdict, Proved),
            is_refuted or isinstance(verdict, Refuted),
        )
    except BadInput:
        assert not is_proved
    assert not (is_proved and is_refuted), str(claim)
    return is_proved, is_refuted


# random mechanisms

THIRDS = st.fractions(min_value=Fraction(1, 3), max_value=3, max_denominator=3)


@settings(max_examples=examples(40, 8))
@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=2, max_size=3),
    st.sampled_from([0, "1/2", 1, 2]),
    st.sampled_from([0, "1/10", "1/3"]),
)
def test_verdicts_on_finite_laws_are_those_of_arithmetic(
    table: list[tuple[int, ...]], level: object, delta: object
) -> None:
    rows = [
        [Fraction(c + (i == 0 and not any(row)), max(1, sum(row))) for i, c in enumerate(row)]
        for row in table
    ]
    law = piecewise(
        *((p, eq(v, i) & eq(o, j)) for i, row in enumerate(rows) for j, p in enumerate(row)),
        (0, True),
    )
    m = Mechanism(Values(range(len(rows))), outputs=[finite("o", range(3))], density=law)
    factor = oracle.mp.exp(oracle.real(Fraction(level)))  # type: ignore[arg-type]
    gaps = [
        [oracle.real(p) - factor * oracle.real(q) for p, q in zip(r, t, strict=True)]
        for r, t in itertools.permutations(rows, 2)
    ]
    excess = max(sum(max(oracle.mpf(0), g) for g in gap) for gap in gaps)
    verdict = verify(dp(m, level, "any", delta=delta), LIMITS)
    assert not isinstance(verdict, Unknown)
    assert isinstance(verdict, Proved) is (excess <= oracle.real(Fraction(delta)) + oracle.SMALL)  # type: ignore[arg-type]


@settings(max_examples=examples(25, 8))
@given(THIRDS, THIRDS, st.sampled_from(["ahdp", "hdp", "swap"]))
def test_verdicts_on_noisy_sums_are_those_of_sensitivity(
    weight: Fraction, scale: Fraction, relation: str
) -> None:
    W = Domain([(0, 1), (1, 1), (-1, 2)])
    law = exp(-Abs(s - weight * sum_over_records(x)) / scale) / (2 * scale)
    m = Mechanism(W, outputs=[real("s")], density=law)
    claim = {"ahdp": ahdp(m), "hdp": hdp(m), "swap": dp(m, 2, "swap")}[relation]
    step = weight / scale
    wanted = {"ahdp": step <= 1, "hdp": step <= 1, "swap": 2 * step <= 2}[relation]
    assert isinstance(verify(claim, LIMITS), Proved if wanted else Refuted)


def test_obligations_are_listed_once_and_lose_nothing() -> None:
    m = Mechanism(
        Domain([(0, 1), (1, 1), (1, 2), (2, oo)]),
        outputs=[real("s")],
        density=noisy(sum_over_records(x)),
    )
    keys = [
        (tuple(ob.dominated.values()), tuple(ob.dominating.values()), ob.level)
        for ob in obligations(ahdp(m, lambda x, e: Min(e, 1) + x))
    ]
    assert (
        len(keys) == 2 * 3 and len(set(keys)) == 5
    )  # (1, 1) and (1, 2) say the same; (0, 1) changes nothing, whatever the direction
    for moved in range(1, 3):
        q = Mechanism(Queries(2), outputs=[real("s")], density=noisy(name(f"q[{moved}]")))
        assert (
            len({tuple(ob.dominated) + tuple(ob.dominating) for ob in obligations(dp(q, 1, "one"))})
            >= 2
        )
    y = Mechanism(
        Values(["a", "b", "c"]), outputs=[finite("o", [0, 1])], density=number(Fraction(1, 2))
    )
    assert (
        len(list(obligations(Claim(y, "any", piecewise((1, eq(v, label("a"))), (2, True)))))) == 6
    )


@pytest.mark.parametrize("relation", ["ahdp", "add-remove"])
def test_the_schema_of_a_record_filled_in_is_what_the_claim_says(relation: str) -> None:
    nodes = noisy(sum_over_records(x) / (1 + sum_over_records(x * x)) + Expression("maximum", (x,)))
    m = Mechanism(
        Domain([(0, 1), (2, "1/2"), (-1, log(3)), (3, oo)]),
        outputs=[real("s")],
        density=nodes,
        defined=number(1) <= SIZE,
    )
    claim = ahdp(m) if relation == "ahdp" else dp(m, 2)
    assert has_schema(claim) and not has_schema(hdp(m)) and not has_schema(ahdp(m, delta="1/2"))

    def said(ob: Obligation, filling: dict[str, Expression]) -> tuple[object, ...]:
        sides = (
            {n: normal(substitute(e, filling), ob.here).key for n, e in nodes_.items()}
            for nodes_ in (ob.dominated, ob.dominating)
        )
        return (
            *(tuple(sorted((str(n), k) for n, k in side.items())) for side in sides),
            str(substitute(ob.level, filling)),
        )

    filled = {
        said(ob, filling) for filling in schema_values(claim) for ob in schema(claim, (ZERO,))
    }
    assert filled == {said(ob, {}) for ob in obligations(claim)} and len(
        list(schema_values(claim))
    ) == (3 if relation == "ahdp" else 4)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=3))
def test_parts_are_all_outcomes(sizes: list[int]) -> None:
    outputs = [finite(f"y{i}", range(n)) for i, n in enumerate(sizes)]
    law = sum((number(10**i) * y.symbol for i, y in enumerate(outputs)), ONE)
    m = Mechanism(Values([0, 1]), outputs=outputs, density=law)
    expected = sorted(
        1 + sum(10**i * k for i, k in enumerate(c))
        for c in itertools.product(*(range(n) for n in sizes))
    )
    assert sorted(oracle.value(p.law, {}) for p in output_parts(m)) == expected


# claims that are false, or that are true: no route may say the contrary

W = Domain([(0, oo)])
AT_FAR: tuple[object, object] = ((("s", (FAR,)),), (("s", (ZERO, FAR)),))


def witness(
    before: tuple[int, ...],
    after: tuple[int, ...],
    parameters: dict[str, object] | None = None,
    *,
    instances: tuple[object, ...] = (),
    at: int = 100,
) -> Counterexample:
    """Two datasets by their counts and the event s >= at, with the points of a Laplace distribution
    about `at` and about 0.
    """
    points = ((("s", (number(at),)),), (("s", (ZERO, number(at))),))
    given_ = tuple(
        (k, number(p) if isinstance(p, int) else p) for k, p in (parameters or {}).items()
    )
    return Counterexample(
        given_,
        instances,
        tuple(map(number, before)),
        tuple(map(number, after)),
        Event((("s", number(at), None),)),
        points,
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "level", [Min(a * eps, 1), piecewise((oo, number(1) <= a * eps), (0, True))]
)
def test_false_a_level_at_infinity_that_a_parameter_switches_off(level: Expression) -> None:
    m = Mechanism(W, outputs=[real("s")], density=noisy(SIZE), parameters={"a": "a >= 0"})
    assert not never_both(ahdp(m, lambda x, e: level), witness((1,), (0,), {"a": 0}, at=1))[0]


def test_false_universal_infinite_demand_is_counted() -> None:
    m = Mechanism(
        Domain.universal({"eps": ""}),
        outputs=[real("s")],
        density=noisy(100 * sum_over_records(indicator(eq(eps, oo)))),
    )
    assert not never_both(
        ahdp(m, lambda x, e: Min(e, 1)), witness((1,), (0,), instances=((("eps", oo),),))
    )[0]


def test_false_universal_weight_that_is_reached_at_infinity_only() -> None:
    reached = indicator(number(1) <= Expression("maximum", (1 - exp(-eps),)))
    m = Mechanism(
        Domain.universal({"eps": ""}),
        outputs=[real("s")],
        density=noisy(100 * reached),
        defined=number(1) <= SIZE,
    )
    records = ((("eps", oo),), (("eps", ONE),))
    assert not never_both(
        ahdp(m, lambda x, e: Min(e, 1)), witness((1, 1), (0, 1), instances=records)
    )[0]


@pytest.mark.parametrize("one, two", [(log(4), 2 * log(2)), (a, name("b")), (a, a**2)])
def test_false_hdp_of_demands_that_are_or_may_be_equal(one: Expression, two: Expression) -> None:
    used = {
        n: f"{n} >= 0"
        for n in ("a", "b")
        if n in str(one) + str(two).replace("abs", "") and "log" not in str(one)
    }
    m = Mechanism(
        Domain([(0, one), (1, two)]),
        outputs=[real("s")],
        density=noisy(100 * sum_over_records(x)),
        parameters=used,
    )
    assert not never_both(hdp(m), witness((0, 1), (1, 0), dict.fromkeys(used, 1)))[0]


@pytest.mark.parametrize("who", ["a", "b"])
def test_an_asymmetric_level_means_one_thing(who: str) -> None:
    law = piecewise(
        (Fraction(1, 2), eq(v, label("a"))),
        (Fraction(9, 10), eq(o, label("yes"))),
        (Fraction(1, 10), True),
    )
    m = Mechanism(Values(["a", "b"]), outputs=[finite("o", ["yes", "no"])], density=law)
    claim = Claim(m, "any", piecewise((log(2), eq(v, label(who))), (log(6), True)))
    for p, q in (("a", "b"), ("b", "a")):
        for word in ("yes", "no"):
            never_both(
                claim,
                Counterexample((), (), (label(p),), (label(q),), Event(outcomes=((label(word),),))),
            )


def test_true_a_parameter_called_eps_is_not_the_demand() -> None:
    """The default level would be eps, the parameter or the demand: it is refused, and one of
    another name is right.
    """
    law = eps * exp(-2 * eps * Abs(s - sum_over_records(x)))
    m = Mechanism(
        Domain([(0, eps), (1, 2 * eps)]),
        outputs=[real("s")],
        density=law,
        parameters={"eps": "eps > 0"},
    )
    with pytest.raises(BadInput, match="a parameter is called eps as well"):
        ahdp(m)
    e = name("e")
    renamed = Mechanism(
        Domain([(0, e), (1, 2 * e)]),
        outputs=[real("s")],
        density=substitute(law, {"eps": e}),
        parameters={"e": "e > 0"},
    )
    assert not never_both(ahdp(renamed), witness((0, 1), (0, 0), {"e": 1}, at=1))[1]


def test_true_parameters_and_unknowns_are_numbers() -> None:
    hidden = noisy(100 * SIZE * indicator(eq(a, oo)))
    m = Mechanism(Domain([(0, 1)]), outputs=[real("s")], density=hidden, parameters={"a": ""})
    assert not never_both(ahdp(m, lambda x, e: ZERO), witness((1,), (0,), {"a": oo}))[1]
    u = Mechanism(
        Domain.universal({"f": ""}),
        outputs=[real("s")],
        density=noisy(100 * sum_over_records(indicator(eq(name("f"), oo)))),
    )
    assert not never_both(
        ahdp(u, lambda x, e: ZERO), witness((1,), (0,), instances=((("eps", ONE), ("f", oo)),))
    )[1]


# certificates that prove what is false


def refused(
    claim: Claim, mass: Mass, evidence: tuple[object, ...], uses: tuple[int, ...] | None = None
) -> None:
    with pytest.raises(Rejected):
        given_ = Certificate(
            claim.fingerprint, False, (), mass, evidence, uses or tuple(range(len(evidence)))
        )  # type: ignore[arg-type]
        raise AssertionError(check(claim, given_))


REVEAL = Mechanism(Values([0, 1]), outputs=[finite("o", [0, 1])], density=indicator(eq(o, v)))


@pytest.mark.parametrize("relation", ["!=", "<", "<=", "=", ">", ">=", "?"])
def test_no_relation_of_a_lemma_forges_an_inequality(relation: str) -> None:
    claim, evidence = dp(REVEAL, 0, "any"), []
    for task in tasks(claim):
        dominated, dominating = task.laws
        lemma = Lemma("sign", (exp(task.obligation.level) * dominating - dominated,), relation)
        evidence.append(InequalityLeaf((lemma,), "direct", (Products(((Fraction(1), (0,)),)),)))
    refused(claim, Mass((), (TotalLeaf(), TotalLeaf())), tuple(evidence))


def test_delta_over_many_outcomes_is_their_sum() -> None:
    half = number(Fraction(1, 2500))
    disjoint = piecewise(
        (half, (eq(v, 0) & (o < 2500)) | (eq(v, 1) & (number(2500) <= o))), (0, True)
    )
    claim = dp(
        Mechanism(Values([0, 1]), outputs=[finite("o", range(5000))], density=disjoint),
        0,
        "any",
        delta=half,
    )

    def side(counted: bool) -> HockeyStickLeaf:
        return HockeyStickLeaf((), (), (HockeyStickPart("excess" if counted else "none"),))

    sides = tuple(
        CaseSplit((), o - 2500, (("<", side(low)), (">=", side(not low)))) for low in (False, True)
    )
    refused(claim, Mass((), (TotalLeaf(), TotalLeaf())), sides)


def test_delta_is_not_shared_out_by_splitting_the_output() -> None:
    half = number(Fraction(1, 2))
    law = piecewise(
        (half, eq(v, 0) & (s > 0) & (s < 2)), (half, eq(v, 1) & (s > 2) & (s < 4)), (0, True)
    )
    claim = dp(
        Mechanism(Values([0, 1]), outputs=[real("s")], density=law), 0, "any", delta=half
    )  # the true delta is 1
    cuts = tuple(map(number, range(5)))

    def side(guard: int, above: bool) -> HockeyStickLeaf:
        counted = guard + above
        empty = range(guard + 1) if above else range(guard + 1, 6)
        kinds = [
            ("excess" if i == counted else "none", "never" if i in empty else "direct")
            for i in range(6)
        ]
        return HockeyStickLeaf(
            (), cuts, tuple(HockeyStickPart(kind, InequalityLeaf((), form)) for kind, form in kinds)
        )

    sides = tuple(
        CaseSplit((), s - g, ((">=", side(g, True)), ("<", side(g, False)))) for g in (3, 1)
    )
    mass = TotalLeaf((), cuts)
    assert not isinstance(verify(claim, LIMITS), Proved)
    refused(claim, Mass((), (mass, mass)), sides)


def test_a_name_in_a_certificate_cannot_pass_for_an_exponential() -> None:
    algebra.atom_names.cache_clear()
    e = exp(s)
    law = piecewise(
        (0, s < 0), (1 / (1 + e), s < 1), (e / (1 + e), s < 2), (0, True)
    )  # mass 1.19...
    claim = ahdp(Mechanism(Domain([(0, 1)]), outputs=[real("s")], density=law))
    leaf: object = InequalityLeaf()
    for k in (2, 1, 0):
        leaf = CaseSplit((), s - k, (("<", leaf), (">=", leaf)))  # type: ignore[arg-type]
    known = (Lemma("sign", (name("exp(s)") ** 2 + 1,), ">"),)
    try:
        refused(
            claim,
            Mass((), (TotalLeaf(known, (ZERO, ONE, number(2))),)),
            (leaf,),
            (0,) * len(list(tasks(claim))),
        )
    finally:
        algebra.atom_names.cache_clear()


def test_independent_outputs_multiply() -> None:
    both = Mechanism(
        Domain([(0, 1)]),
        outputs=[real("s"), real("t")],
        density=multiply(noisy(SIZE, 2), exp(-Abs(name("t") - SIZE) / 2) / 4),
    )
    assert isinstance(verify(ahdp(both), LIMITS), Proved)
    assert isinstance(verify(ahdp(both, lambda x, e: number(Fraction(99, 100))), LIMITS), Refuted)


def test_a_delta_without_end_is_none() -> None:
    """It would allow everything."""
    s = real("s")
    M = Mechanism(Domain([(0, 1)]), outputs=[s], density=exp(-Abs(s)) / 2)
    with pytest.raises(BadInput, match="oo is infinite"):
        Claim(M, "ahdp", number(1), oo)
