"""Requirements whose names are bounded.

Every least value is known by calculus, as stated beside it; a thousandth more than it is not
proved.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
from ahdp_verify.kernel.rules.inequalities import check_sign, extend_context
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.draft import Draft
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.separate import prove_on_named_box, prove_separately

UNIT = "0 <= x <= 1 and 0 <= y <= 1 and e > 0"
# a bound of |f(x) - f(y)| on [0, 1], which is the largest value of f less its least
CHANGES = {
    "abs(x^3 - y^3)": "1",
    "abs(x^5 - y^5)": "1",
    "abs(x*(1 - x) - y*(1 - y))": "1/4",  # largest at 1/2
    "abs(x^2*(1 - x) - y^2*(1 - y))": "4/27",  # largest at 2/3
    "abs(log(1 + x) - log(1 + y))": "log(2)",
    "abs(log(1 + 2*x) - log(1 + 2*y))": "log(3)",
    "abs(exp(x) - exp(y))": "exp(1) - 1",
    "abs(x*exp(-x) - y*exp(-y))": "exp(-1)",  # increasing up to 1
    "abs(x*exp(-2*x) - y*exp(-2*y))": "exp(-1)/2",  # largest at 1/2
    "abs(1/(1 + x^2) - 1/(1 + y^2))": "1/2",
    "abs(1/(1 + exp(-x)) - 1/(1 + exp(-y)))": "(1 - exp(-1))/(2*(1 + exp(-1)))",
}


def shown(text: str, facts: str = UNIT) -> bool:
    """Whether text >= 0 was proved, and the checker takes the proof."""
    here = assume_condition(parse(facts), Context.empty())
    wanted = normal(parse(text), here)
    found = prove_requirement(wanted, ">=", here, Limits(seconds=20).clock())
    if found is None:
        return False
    lemmas, proof = found
    check_sign(wanted, ">=", proof, extend_context(lemmas, here))
    return True


@pytest.mark.parametrize("change", CHANGES)
def test_what_one_record_changes_is_bounded_exactly(change: str) -> None:
    assert shown(f"e*({CHANGES[change]}) - e*{change}")
    assert not shown(f"e*999/1000*({CHANGES[change]}) - e*{change}")


@pytest.mark.parametrize("change", CHANGES)
def test_two_shifted_outputs_differ_by_no_more_than_their_places(change: str) -> None:
    old, new = change[4:-1].split(" - ", 1) if "(1 - " not in change else ("", "")
    if not old:
        old, new = change[4:-1].rsplit(" - y", 1)
        new = "y" + new
    gap = f"({CHANGES[change]}) + abs(s - r - ({old})) - abs(s - r - ({new}))"
    assert shown(f"e*({gap})", f"{UNIT} and r >= 0")


def test_parts_in_different_names_have_their_least_values() -> None:
    # x - x^2 >= 0 and y^2 - y >= -1/4, attained at 1/2; z - z^3 <= 2/(3 sqrt 3) = 0.3849...
    facts = "0 <= x <= 1 and 0 <= y <= 1 and 0 <= z <= 1"
    assert shown("1/4 + x - x^2 + y^2 - y", facts)
    assert not shown("249/1000 + x - x^2 + y^2 - y", facts)
    assert shown("385/1000 + x - x^2 - z + z^3", facts)
    assert not shown("384/1000 + x - x^2 - z + z^3", facts)


def test_a_least_value_at_an_irrational_place_is_not_claimed_to_be_exact() -> None:
    # x^3 - x is least at 1/sqrt(3): floating point finds the place, and no simple number is there
    here = assume_condition(parse(UNIT), Context.empty())
    wanted = normal(parse("2*sqrt(3)/9 + x^3 - x + y"), here).num
    clock = Limits(seconds=20).clock()
    assert not prove_separately(wanted, Draft(here), clock, lambda p, context: None)


def test_a_box_of_names_needs_bounds_on_both_sides() -> None:
    product = "1 - (x - m)^2 + (y - m)^2"
    boxed = assume_condition(parse(f"{UNIT} and 0 <= m <= 1"), Context.empty())
    half_open = assume_condition(parse(f"{UNIT} and 0 <= m"), Context.empty())
    assert prove_on_named_box(normal(parse(product), boxed).num, Draft(boxed))
    assert not prove_on_named_box(normal(parse(product), half_open).num, Draft(half_open))


def test_bounds_of_a_box_need_not_be_0_and_1() -> None:
    # x y on [1, 2] x [-3, 1/2] is at least -6, at (2, -3)
    facts = "1 <= x <= 2 and -3 <= 2*y/2 and y <= 1/2"
    here = assume_condition(parse(facts), Context.empty())
    for slack, holds in ((Fraction(6), True), (Fraction(599, 100), False)):
        wanted = normal(parse(f"x*y + {slack}"), here).num
        draft = Draft(here)
        assert prove_on_named_box(wanted, draft) is holds


def test_nothing_is_claimed_beyond_an_open_end() -> None:
    assert shown("1 - x", "0 <= x and x < 1")
    assert not shown("1 - x", "0 <= x and x < 3/2")


def test_a_square_inside_a_box_is_completed() -> None:
    # (1 - m)^2 - (x - m)^2 = (1 - x)(1 + x - 2m), and (y - m)^2 vanishes at y = m
    facts = "0 <= x <= 1 and 0 <= y <= 1 and 0 <= m and 2*m <= 1"
    assert shown("(1 - m)^2 - (x - m)^2 + (y - m)^2", facts)
    assert not shown("999/1000*(1 - m)^2 - (x - m)^2 + (y - m)^2", facts)


def test_least_levels_are_found_where_the_change_of_a_sum_is_largest_inside() -> None:
    # the largest value of each function less its least, times eps over the scale 1
    least = {
        "x*(1 - x)": "e/4",
        "abs(x - 1/2)": "e/2",
        "x^2*(1 - x)*4": "16*e/27",
        "(x - m)^2": "max(e*m^2, e*(1 - m)^2)",
        "x^3": "e",
    }
    s, domain = real("s"), Domain.universal(unknowns={"x": "0 <= x <= 1"})
    given = {"e": "e > 0", "m": "0 <= m <= 1"}
    for text, level in least.items():
        law = parse(f"exp(-abs(s - sum({text}))*e)*e/2")
        mechanism = Mechanism(domain, outputs=[s], density=law, parameters=given)
        (row,) = tighten(mechanism, "swap").rows
        assert row.exact and row.level is not None
        here = assume_condition(parse("e > 0 and 0 <= m and 2*m < 1"), Context.empty())
        assert normal(row.level - parse(level), here).is_zero
