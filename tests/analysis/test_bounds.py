"""A bound is printed as a bound: never in place of the value, and never as oo because nothing was
found.

Expected values are computed by hand beside the inputs; the first input is the median on which
`tighten` once printed "oo".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.analysis.divergence.curve import delta_curve
from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.analysis.parameters.calibrate import (
    Calibration,
    calibrate,
    calibration_bounds,
    is_narrow,
)
from ahdp_verify.analysis.parameters.pieces import RangePiece, Ranges
from ahdp_verify.analysis.parameters.ranges import ranges
from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.analysis.power.best import best_power
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.cli.app import app
from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, real
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import Expression, number, oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Unknown

CLI = CliRunner()
EMPTY = Context.empty()
HALF, ONE, TWO = number("1/2"), number(1), number(2)
BITS = Domain([(0, 1), (1, 1)])
SHORT = Limits(seconds=2)

MEDIAN = """
format = 2
name = "median on an interval"
[parameters]
e = "e > 0"
[domain]
records = [["1/4", "1"], ["1/2", "1"], ["3/4", "1"]]
[let]
n1 = "count(x == 1/4)"
n2 = "count(x <= 1/2)"
w0 = "exp(-e/2*abs(0 - size/2))"
w1 = "exp(-e/2*abs(n1 - size/2))"
w2 = "exp(-e/2*abs(n2 - size/2))"
w3 = "exp(-e/2*abs(size - size/2))"
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "piecewise((0, s < 0 or s > 1), (w0, s < 1/4), (w1, s < 1/2), (w2, s < 3/4), (w3, true))*4/(w0 + w1 + w2 + w3)"
[[claim]]
relation = "swap"
level = "e"
"""
QUARTIC = """
format = 2
name = "noise with tails of degree 4"
[domain]
records = [["0", "1"], ["1", "1"]]
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "sqrt(2)/(pi*(1 + (s - sum(x))^4))"
[[claim]]
relation = "add-remove"
level = "1"
"""


def noisy(
    density: str, domain: Domain | Queries | Values = BITS, outputs: int = 1, **parameters: str
) -> Mechanism:
    return Mechanism(
        domain,
        outputs=real("s", outputs) if outputs > 1 else [real("s")],
        density=parse(density),
        parameters=parameters,
        name="noisy",
    )


# the type


@pytest.mark.parametrize(
    ("low", "high", "kind", "text"),
    [
        (HALF, HALF, "exact", "1/2"),
        (HALF, ONE, "between", "between 1/2 and 1"),
        (HALF, None, "at least", "at least 1/2"),
        (None, ONE, "at most", "at most 1"),
        (None, None, "not found", "not found"),
        (oo, oo, "infinite", "oo"),
        (oo, None, "infinite", "oo"),
    ],
)
def test_what_is_known_is_reported_by_its_kind(
    low: Expression | None, high: Expression | None, kind: str, text: str
) -> None:
    found = Bounds(low, high)
    assert (found.kind, str(found)) == (kind, text)
    assert found.value == (low if kind in ("exact", "infinite") else None)


# tighten


def shown(text: str, tmp_path: Path, *command: str) -> tuple[int, str]:
    """Exit code and stdout of a command on a file of this text."""
    file = tmp_path / "asked.toml"
    file.write_text(text)
    done = CLI.invoke(app, [command[0], str(file), *command[1:]])
    return done.exit_code, done.stdout


def test_a_median_has_a_bound_in_place_of_oo(tmp_path: Path) -> None:
    """At level e the claim is true, so that no answer may be oo, or exact and above e; what is
    found in a second is a bound or nothing.
    """
    code, out = shown(MEDIAN, tmp_path, "tighten", "--seconds", "1")
    (row,) = [line for line in out.splitlines() if line.startswith("every move")]
    assert (
        code == 3
        and "oo" not in row.split()
        and any(word in row for word in ("at least", "between", "not found"))
    )


def test_noise_without_a_closed_form_has_no_level(tmp_path: Path) -> None:
    """The loss log((1 + s^4)/(1 + (s - 1)^4)) is largest, 2.14250973958727689..., at s = 1.959 (by
    mpmath, as the root of its slope).
    """
    code, out = shown(QUARTIC, tmp_path, "tighten", "--seconds", "2")
    row = out.splitlines()[2]
    low = Fraction(row.split("at least ")[1].split()[0])
    assert code == 3 and row.startswith("every move") and row.split()[-2:] == ["at", "least"]
    assert Fraction("2.1425097395") < low <= Fraction("2.14250973958727689")


def test_out_of_time_no_level_is_found_for_any_record() -> None:
    levels = tighten(noisy("exp(-abs(s - sum(x)))/2"), limits=Limits(seconds=1e-6))
    assert (
        [row.bounds.kind for row in levels.rows] == ["not found"] * 2
        and levels.level is None
        and "oo" not in str(levels).split()
    )
    assert "in the domain" not in str(
        levels
    )  # nothing was looked at, so nothing is said of the domain


def test_a_mixture_has_the_bound_that_an_event_shows() -> None:
    """P(s > 1) is exp(-1)/4 + exp(-2)/4 against 3/4 - ...; in the tail the ratio of exp(-|s|)/4
    + exp(-2|s|)/2 at s = 1 is 3 exp(2)/(exp(1) + 2).
    """
    levels = tighten(noisy("exp(-abs(s - sum(x)))/4 + exp(-2*abs(s - sum(x)))/2"), limits=SHORT)
    _, row = levels.rows
    least = normal(parse("log(3*exp(2)/(exp(1) + 2))"), EMPTY)
    if row.exact:
        assert row.value is not None and (normal(row.value, EMPTY) - least).is_zero
    else:
        assert (
            row.value is None
            and levels.level is None
            and row.bounds.low is not None
            and (normal(row.bounds.low, EMPTY) - least).is_zero
        )
        assert row.cells[1].startswith(("at least ", "between ")) and row.cells[-1] in (
            "at least",
            "between",
        )


@pytest.mark.parametrize(
    ("density", "last"),
    [
        ("piecewise((exp(-s), s >= 0), (0, true))*piecewise((1, size == 0), (1, true))", "exact"),
        (
            "piecewise((exp(sum(x) - s), s >= sum(x)), (0, true))",
            "exact",
        ),  # what lies below the sum is impossible: an infinite loss is shown
        (
            "(1 + sum(x))*exp(-(1 + sum(x))*abs(s))/2",
            "tail",
        ),  # another scale: log(2) + |s| is the loss at s, yet no single event is impossible
    ],
)
def test_an_infinite_level_says_how_far_it_is_shown(density: str, last: str) -> None:
    _, row = tighten(noisy(density), limits=Limits(seconds=10)).rows
    if "size" in density:
        assert row.value == number(0)
        return
    assert row.refutation is not None and row.cells[-1] == "exact"
    assert row.refutation.second_probability.is_zero is (last == "exact")
    assert row.bounds.kind == "infinite" and row.cells[1] == "oo" and row.value == oo
    assert ("without bound" in row.reason) is (last == "tail")


# delta


def test_a_delta_that_is_not_found_is_not_between_0_and_1() -> None:
    law = "1/(pi^2*(1 + (s[1] - q[1])^2)*(1 + (s[2] - q[2])^2))"
    two = noisy(law, Queries(2), 2)
    found = delta(two, 1, "all", SHORT)
    assert (
        found.bounds.kind == "not found" and "was not found; " in str(found) and found.value is None
    )
    table = delta_curve(two, [1], "all", SHORT)
    assert table.rows[1][1:] == ("not found", "", "", "not found") and "between" not in str(table)


def test_out_of_time_no_delta_is_found() -> None:
    found = delta(noisy("exp(-abs(s - sum(x)))/2"), "1/2", limits=Limits(seconds=1e-6))
    assert (
        not found.exact
        and found.bounds.kind in ("not found", "at least")
        and "between" not in str(found)
    )


def test_a_delta_with_one_end_is_a_bound() -> None:
    exact = delta(noisy("exp(-abs(s - sum(x)))/2"), "1/2")
    low, high = (
        replace(exact, high=ONE, reason="no proof"),
        replace(exact, low=number(0), reason="no event"),
    )
    assert " is at least 1 - exp(-1/4) = 0.221199; no proof" in str(
        low
    ) and " is at most 1 - exp(-1/4) = 0.221199; no event" in str(high)
    both = replace(exact, high=HALF, reason="no proof")
    assert (
        " lies between 1 - exp(-1/4) = 0.221199 and 1/2; no proof" in str(both)
        and both.value is None
    )


# ranges and calibrate

SCALE = Claim(
    noisy("exp(-abs(s - q[1])/b)/(2*b)", Queries(1), b="0 < b < 4"), "one", HALF
)  # true for b >= 2


def failing(at: str) -> Refuted:
    """A refutation of the claim with b in an interval, at one value."""
    found = verify(replace(SCALE, mechanism=replace_parameters(f"b == {at}")))
    assert isinstance(found, Refuted)
    return found


def replace_parameters(condition: str) -> Mechanism:
    return noisy("exp(-abs(s - q[1])/b)/(2*b)", Queries(1), b=condition)


def test_a_value_that_is_refuted_decides_no_interval() -> None:
    refuted = failing("1/2")
    piece = RangePiece(RealInterval(number(0), TWO), refuted)
    found = Ranges(SCALE, "b", (piece,))
    assert not piece.decided and not found.exact and found.text == ""
    assert str(found).startswith(
        "Refuted for one value in 0 < b < 2: "
    ) and "not decided elsewhere in it" in str(found)
    assert RangePiece(RealInterval(HALF, HALF, True, True), refuted).decided
    assert Ranges(SCALE, "b", (replace(piece, everywhere=True),)).exact


def test_what_is_unknown_is_decided_nowhere() -> None:
    unknown = RangePiece(RealInterval(number(0), TWO), Unknown(SCALE, ()), everywhere=True)
    assert not unknown.decided and not Ranges(SCALE, "b", (unknown,)).exact


def test_where_a_claim_holds_is_not_said_to_be_all_while_a_part_is_open() -> None:
    proof = verify(replace(SCALE, mechanism=replace_parameters("2 <= b and b < 4")))
    assert isinstance(proof, Proved)
    pieces = (
        RangePiece(RealInterval(number(0), TWO), failing("1/2")),
        RangePiece(RealInterval(TWO, number(4), True), proof),
    )
    assert Ranges(SCALE, "b", pieces).text == "holds for 2 <= b < 4, and perhaps for other values"
    assert ranges(SCALE).text == "holds exactly for 2 <= b < 4"


@pytest.mark.parametrize(
    ("side", "at", "touching", "text", "near"),
    [
        ("least", "1/2", False, "between 1/2 and 2", False),
        ("greatest", "3", False, "between 2 and 3", False),
        ("least", "1/2", True, "2", False),
        ("least", "", False, "at most 2", False),
        ("greatest", "", False, "at least 2", False),
        ("least", "1999999999999/1000000000000", False, None, True),
    ],
)
def test_the_end_of_a_range_is_known_as_far_as_it_is_refuted_beyond(
    side: str, at: str, touching: bool, text: str | None, near: bool
) -> None:
    refuted = None
    if at:
        some = failing("1/2")
        refuted = replace(
            some, counterexample=replace(some.counterexample, parameters=(("b", number(at)),))
        )
    found = calibration_bounds(TWO, "b", refuted, side, touching=touching)  # type: ignore[arg-type]
    assert is_narrow(found) is (near or found.kind == "exact") and (
        text is None or str(found) == text
    )


def test_a_calibration_without_a_near_refutation_is_a_bound() -> None:
    exact = calibrate(SCALE, "b", Limits(seconds=30))
    assert str(exact).startswith("least b = 2, exactly; ") and exact.bounds.kind == "exact"
    rough: Calibration = replace(
        exact,
        value=None,
        exact=False,
        bounds=Bounds(HALF, TWO),
        reason="no refutation was found close to it",
    )
    assert (
        rough.text.startswith("least b between 1/2 and 2, no refutation was found close to it; ")
        and "=" not in rough.text.partition(";")[0]
    )
    one_sided = replace(rough, bounds=Bounds(None, TWO))
    assert one_sided.text.startswith("least b at most 2, ") and one_sided.value is None
    missing = replace(rough, bounds=Bounds(None, None), reason="stopped")
    assert missing.text.startswith("least b not found; ") and missing.line(12) == "; ".join(
        (missing.text, *missing.parts)
    )


# powers


def test_an_optimum_with_one_end_or_none_is_a_bound() -> None:
    best = best_power(Domain([("a", parse("log(2)"))]), extra_records(1))
    assert best.bounds.kind == "exact" and str(best.bounds) == "2/3"  # 1/(1 + exp(-log 2))
    only = replace(best, found=replace(best.found, high=None))
    assert str(only.bounds) == "at least 2/3"
    with pytest.raises(NotWorkedOut, match="at least 2/3"):
        _ = only.value
    none = replace(best, found=replace(best.found, low=None, high=None), verdicts=())
    assert none.lines[0].endswith(": not found") and "not found" in none._repr_html_()


def test_a_power_between_bounds_has_no_value() -> None:
    """Laplace noise of scale 1 and a shift by 1: 1 - exp(-1/2)/2, which is not a rational
    number.
    """
    found = power(noisy("exp(-abs(s - size))/2", Domain([(1, 1)])), [[0], [1]])
    low, high = (approximate_rational(normal(e, EMPTY)) for e in (found.low, found.high))
    assert found.bounds.kind == "between" and low < Fraction("0.69673467014368") < high
    with pytest.raises(NotWorkedOut, match="only known to lie between"):
        _ = found.value


def test_a_randomised_response_has_an_exact_power() -> None:
    flip = Mechanism(
        Values([0, 1]),
        outputs=[finite("r", [0, 1])],
        density=parse("piecewise((3/4, r == v), (1/4, true))"),
    )
    assert str(power(flip, [0, 1]).bounds) == "3/4"
    assert isinstance(refute(Claim(flip, "any", HALF), failing_flip(flip).counterexample), Refuted)


def failing_flip(flip: Mechanism) -> Refuted:
    found = verify(Claim(flip, "any", HALF))
    assert isinstance(found, Refuted)
    return found
