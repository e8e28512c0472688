"""Formulas on intervals: S2 and S3 at many values, the ends of the intervals by hand, and nothing
claimed beyond the given conditions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import BadInput, Domain, Proved
from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.parametric import (
    drop_bounds,
    formulas,
    nearest_sign_changes,
    new_ends,
    prove_signs,
    proved_on_interval,
    required_signs,
    restrict_claim,
    sample_eps,
)
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression, truth
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import TRUE, Expression, log, name, number, substitute
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from tests.minmax import exact, extra

F = Fraction


def claim(k: int, t: int, condition: str, demand: Expression = name("eps")) -> BestClaim:  # noqa: B008 - it is frozen
    rows = extra(k, t)
    return best_claim(
        Domain([(i, demand) for i in range(k)]),
        rows,
        list(map(str, rows)),
        [[(i, i, 1)] for i in range(len(rows))],
        0,
        parameters={"eps": condition},
    )


def level(q: str | Fraction) -> Expression:
    return log(number(1 / F(q)))


def holds(condition: Expression, eps: Expression) -> bool:
    return bool(truth(substitute(condition, {"eps": eps}), Context.empty()))


def values_at(found: Any, q: Fraction) -> list[Fraction]:
    """The values that the pieces that hold at q give there."""
    return [
        exact(v.claim.value, eps=level(q))
        for _, _, v in found
        if holds(v.claim.parameters[0][1], level(q))
    ]


# S2, S3 of STATEMENTS


@pytest.mark.parametrize("t", [1, 2, 3, 4, 5])
def test_one_value(t: int) -> None:
    """S2: V_t = (1 - q)/(1 + q - q^(floor(t/2) + 1) - q^(ceil(t/2) + 1)) for all eps > 0; only
    the kernels that attain it may change.
    """
    found = formulas(claim(1, t, "eps > 0"))
    assert (
        all(isinstance(verdict, Proved) and verdict.trusts == () for _, _, verdict in found)
        and len({str(piece.value) for piece, _, _ in found}) == 1
    )
    for q in (F(1, 1000), F(1, 3), F(1, 2), F(99, 100)):
        assert set(values_at(found, q)) == {
            (1 - q) / (1 + q - q ** (t // 2 + 1) - q ** ((t + 1) // 2 + 1))
        }


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("condition", "formulas_", "changes"),
    [
        ("0 < eps", 2, True),
        ("1 < eps and eps <= 2", 2, True),
        ("eps > 2", 1, False),
        ("0 < eps < 1", 1, False),
        ("log(3) <= eps", 2, True),
        ("eps > 1/2", 2, True),
    ],
)
def test_three_values_and_two_records(condition: str, formulas_: int, changes: bool) -> None:
    """S3: 1/V = (3 + 11 q + 3 q^2 + 3 q^3)/(3 - q) for q < 1/3, 1 + 3 q + 6 q^2 for q >= 1/3
    (log 3 is between 1 and 2); where the condition fails nothing is said.
    """
    found = formulas(claim(3, 2, condition))
    given = parse(condition, "condition")
    assert len({str(piece.value) for piece, _, _ in found}) <= formulas_
    for q in map(
        F,
        [
            "1/1000",
            "1/10",
            "13/100",
            "14/100",
            "1/4",
            "1/3",
            "34/100",
            "36/100",
            "37/100",
            "2/5",
            "1/2",
            "3/5",
            "61/100",
            "9/10",
        ],
    ):
        expected = (
            (3 - q) / (3 + 11 * q + 3 * q**2 + 3 * q**3)
            if q < F(1, 3)
            else 1 / (1 + 3 * q + 6 * q**2)
        )
        assert set(values_at(found, q)) == ({expected} if holds(given, level(q)) else set())
    assert any("log(3)" in str(piece.parameters[0][1]) for piece, _, _ in found) == changes


def test_pieces_ascend_and_do_not_overlap() -> None:
    found = formulas(claim(3, 2, "eps > 0"))
    assert all(len(values_at(found, F(k, 30))) == 1 for k in range(1, 30))
    places = [
        next(
            i
            for i, (piece, _, _) in enumerate(found)
            if holds(piece.parameters[0][1], level(F(k, 30)))
        )
        for k in range(29, 0, -1)
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("condition", "scope"),
    [
        ("eps > 2", "2 < eps"),
        ("eps >= 0", "0 <= eps"),
        ("0 < eps < 1/1000", "0 < eps and eps < 1/1000"),
        ("1/2 <= eps and eps <= 2", "1/2 <= eps and eps <= 2"),
    ],
)
def test_the_conditions_that_were_given_stay(condition: str, scope: str) -> None:
    """1/(1 + 2 q) holds everywhere, so it is claimed for what was asked."""
    ((piece, _, verdict),) = formulas(claim(1, 2, condition))
    assert str(piece.parameters[0][1]) == scope and verdict.scope_text.endswith(scope)


@pytest.mark.parametrize("condition", ["", "eps < 1", "eps <= 3/2"])
def test_eps_needs_a_lower_bound(condition: str) -> None:
    """As a level it could be negative."""
    with pytest.raises(NotWorkedOut, match=r'eps: no lower bound of it was found; .*"eps > 0"'):
        formulas(claim(1, 1, condition))


def test_conditions_that_leave_no_level() -> None:
    for condition in ("-2 < eps and eps < -1", "2 < eps and eps < 1"):
        with pytest.raises(NotWorkedOut, match="no value that satisfies its conditions was found"):
            formulas(claim(1, 1, condition))
    with pytest.raises(BadInput, match="it is negative"):
        formulas(claim(1, 1, "eps > 0", -name("eps")))


def test_constants_have_no_formula() -> None:
    of = claim(1, 1, "eps > 0", log(2))
    found = programme.solve_best_claim(of)
    with pytest.raises(BadInput, match="its levels are constants"):
        sample_eps(found)
    with pytest.raises(NotWorkedOut, match="no formula was found; give constant levels"):
        proved_on_interval(of, found)


def test_half_of_an_optimum_has_no_formula() -> None:
    of = claim(1, 1, "eps > 0")
    found = programme.solve_best_claim(of)
    with pytest.raises(NotWorkedOut, match="no formula was found"):
        proved_on_interval(of, programme.PrimalDual(None, found.high, found.variable))


# intervals, by hand


def polynomial(text: str) -> Any:
    return normal(parse(text, "polynomial"), Context.empty()).num


@pytest.mark.parametrize(
    ("texts", "sample", "low", "high"),
    [
        (["eps - 2", "eps - 1/2"], "1", "1/2", "2"),
        (["eps - 2", "eps - 3", "2*eps - 1", "eps - 1/3"], "1", "1/2", "2"),
        (["(eps - 1/2)^2", "eps - 3"], "1", None, "3"),  # no change of sign at a double root
        (["exp(eps) - 3", "exp(eps) - 2"], "1", "log(2)", "log(3)"),
        (["eps + 1"], "1", None, None),  # -1 is not in eps > 0
        (["eps^2 - 1/4", "eps^2 + 1"], "1", "1/2", None),
        ([], "1", None, None),
    ],
)
@pytest.mark.parametrize("met", [True, False])
def test_the_nearest_changes_of_sign(
    texts: list[str], sample: str, low: str | None, high: str | None, met: bool
) -> None:
    here = parameter_context((("eps", parse("eps > 0", "condition")),))
    found = nearest_sign_changes(
        {polynomial(text): 1 for text in texts},
        normal(parse(sample, "sample"), here),
        here,
        Limits().clock(),
        met=met,
    )
    assert [None if end is None else (str(end[0]), end[1]) for end in found] == [
        None if end is None else (end, met) for end in (low, high)
    ]


@pytest.mark.parametrize(
    ("condition", "low", "high", "result"),
    [
        ("eps > 0", None, None, "0 < eps"),
        ("eps > 0", ("1", True), None, "1 <= eps"),
        ("eps > 0", None, ("2", False), "0 < eps and eps < 2"),
        ("0 < eps and eps <= 9", ("1", False), ("2", True), "1 < eps and eps <= 2"),
        (
            "0 < eps and 2*eps < 7",
            ("1", True),
            ("2", True),
            "2*eps < 7 and 1 <= eps and eps <= 2",
        ),  # no plain bound: it stays
        ("", ("1", True), None, "1 <= eps"),
    ],
)
def test_conditions_of_an_interval(condition: str, low: Any, high: Any, result: str) -> None:
    """Bounds that the ends replace are left out, everything else stays; then only the ends that
    are new are reported as such.
    """
    region = claim(1, 1, condition)
    piece = restrict_claim(
        region, "eps", *(end and (parse(end[0], "end"), end[1]) for end in (low, high))
    )
    assert str(piece.parameters[0][1]) == result
    assert [[str(e) for e in side] for side in new_ends(piece, region, "eps")] == [
        [end[0]] if end else [] for end in (low, high)
    ]


def test_bounds_are_left_out_on_one_side() -> None:
    given = parse("0 < eps and eps < 3 and 2*eps != 1", "condition")
    left = [
        str(drop_bounds(given, "eps", lower, upper))
        for lower, upper in ((True, False), (False, True), (False, False))
    ]
    assert (
        "0 < eps" not in left[0]
        and "eps < 3" in left[0]
        and "0 < eps" in left[1]
        and "eps < 3" not in left[1]
        and all("2*eps" in text for text in left)
    )
    assert (
        left[2] == str(given)
        and drop_bounds(parse("0 < eps", "condition"), "eps", True, True) == TRUE
    )


def test_what_has_to_be_shown_is_shown() -> None:
    """For eps > 0: the sign of exp(eps) - 1 needs a lemma, that of eps + 1 none; what the
    checker makes of the lemmas is true; what is false has none.
    """
    of = claim(1, 1, "eps > 0")
    here, clock = parameter_context(of.parameters), Limits().clock()
    wanted = required_signs(
        [
            normal(parse(text, "ratio"), here)
            for text in ("1 - exp(-eps)", "eps + 1", "7", "(exp(eps) - 1)*2/3")
        ],
        here,
        at_1,
    )
    assert wanted and all(len(here.signs(p)) > 1 for p in wanted)
    lemmas = prove_signs(wanted, of, clock)
    assert lemmas and all(
        extend_context(tuple(lemmas), here).signs(p) == {s} == {at_1(p)} for p, s in wanted.items()
    )
    assert (
        prove_signs({polynomial("eps - 1"): 1}, of, clock)
        == []
        == prove_signs({p: -s for p, s in wanted.items()}, of, clock)
    )


def at_1(p: Any) -> int:
    """The sign at eps = 1."""
    return (
        constant_sign(
            normal(substitute(to_expression(Ratio(p)), {"eps": number(1)}), Context.empty())
        )
        or 0
    )
