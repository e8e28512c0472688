"""Formulas: those in outputs define a release only if they have a value at every output, and those
in records define what records become.

Whether a formula has a value is known beforehand; beside those that have none is an output at which
this is visible.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify import (
    BadInput,
    Claim,
    Domain,
    Mechanism,
    Proved,
    Refuted,
    Rejected,
    Unknown,
    ahdp,
    compose,
    finite,
    integer,
    oo,
    post_process,
    real,
    recheck,
    verify,
)
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.rules import composition as kernel
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.compose import pull_back
from tests import oracle

W = Domain([(0, 1), (1, 2)])
PROOFS = Path(__file__).resolve().parents[3] / "proofs"
NOISE = parse("exp(-abs(s - size))/2")
WITHHELD = Mechanism(W, outputs=[real("s")], density=NOISE / 2, atoms={"NULL": Fraction(1, 2)})

EVERYWHERE = (
    "s/max(n, 1)",
    "piecewise((s/n, n != 0), (0, true))",
    "piecewise((s/n, n < 0 or n > 0), (0, true))",
    "piecewise((0, not (n < 0 or n > 0)), (s/n, true))",
    "piecewise((0, n == 0), (piecewise((s, s > n), (n, true))/n, true))",
    "log(1 + s^2)",
    "log(max(s, exp(n)))",
    "min(exp(s), 2)^(1/2)",
    "mod(s, n^2 + 1)",
    "1/(abs(s) + exp(-n))",
)
SOMEWHERE_NOT = (
    ("s/n", "n = 0"),
    ("1/s", "s = 0"),
    ("s/max(n, -1)", "n = 0"),
    ("piecewise((s/n, n != 1), (0, true))", "n = 0"),
    ("piecewise((s/n, n > 0), (0, n < 0))", "n = 0"),
    ("piecewise((s/n, n > 0 or s > 0), (0, true))", "n = 0, s = 1"),
    ("piecewise((0, n > 0 and s > 0), (s/n, true))", "n = 0"),
    ("piecewise((0, 1/n > 0), (1, true))", "n = 0"),
    ("log(s)", "s = 0"),
    ("(s*n)^(1/2)", "s = -1, n = 1"),
    ("mod(s, n)", "n = 0"),
    ("s + 0*(1/(n - 3))", "n = 3"),
)


def counted() -> CompositeClaim:
    """A real output s and a whole one n."""
    whole = Mechanism(
        W, outputs=[integer("n")], density=parse("(1 - exp(-1))/(1 + exp(-1))*exp(-abs(n - size))")
    )
    return compose(ahdp(Mechanism(W, outputs=[real("s")], density=NOISE), 1), ahdp(whole, 1))


@pytest.mark.parametrize("formula", EVERYWHERE)
def test_a_formula_with_a_value_everywhere_is_proved_by_both_checkers(
    formula: str, tmp_path: Path
) -> None:
    found = verify(post_process(counted(), {"z": parse(formula)}))
    assert isinstance(found, Proved), found
    assert stand_alone(stored(found, tmp_path)) == "accepted"


@pytest.mark.parametrize(("formula", "at"), SOMEWHERE_NOT)
def test_a_formula_without_a_value_somewhere_is_accepted_by_neither(
    formula: str, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = (pair.split(" = ") for pair in at.split(", "))
    point = {"s": Fraction(1), "n": Fraction(1)} | {key: Fraction(value) for key, value in pairs}
    with pytest.raises(oracle.Undefined):
        oracle.value(parse(formula), point)
    claim = post_process(counted(), {"z": parse(formula)})
    found = verify(claim)
    assert isinstance(found, Unknown)
    assert "is not known to have a value" in str(found)
    with monkeypatch.context() as forging:
        forging.setattr(kernel, "check_formula_values", lambda m: None)
        record = stored(verify(claim), tmp_path)
    with pytest.raises(Rejected, match="is not known to have a value"):
        recheck(record)
    assert stand_alone(record) == "rejected"


def test_at_a_value_of_a_finite_output_the_fault_is_found() -> None:
    coin: Claim = ahdp(Mechanism(W, outputs=[finite("n", [0, 1])], density=Fraction(1, 2)), 0)
    with pytest.raises(
        BadInput, match="1/n: at n = 0 it divides by 0; give its value there with piecewise or max"
    ):
        post_process(coin, {"z": parse("1/n")})
    assert isinstance(verify(post_process(coin, {"z": parse("1/(n + 1)")})), Proved)


def test_a_label_is_a_value_too() -> None:
    clean = post_process(ahdp(WITHHELD, 1), {"z": parse('piecewise((0, s == "NULL"), (s, true))')})
    assert isinstance(verify(clean), Proved)


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize(
    "formula",
    ["piecewise((s, exp(s) > 0), (0, true))", "piecewise((s, 0 < 1 or 1/s > 0), (0, true))"],
)
def test_a_law_is_written_out_only_where_formulas_have_values(
    formula: str, level: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The formula is s at every number that has a value, so the law looks like that of the part;
    the label has no exp, and 0 divides nothing.

    The part keeps level 1 and claims 5, so the rule shows nothing about level 1: the
    composite has to be proved as one expression.
    """
    claim = replace(post_process(ahdp(WITHHELD, 5), {"z": parse(formula)}), level=number(level))
    assert isinstance(verify(claim), Unknown)
    with monkeypatch.context() as forging:
        forging.setattr(kernel, "check_formula_values", lambda m: None)
        found = verify(claim)
        assert isinstance(found, Proved if level else Refuted), found
        path = tmp_path / "record.json"
        found.save(path)
    with pytest.raises(Rejected, match="is not known to have a value"):
        recheck(path)
    assert stand_alone(path) == "rejected"


@pytest.mark.parametrize(
    ("defined", "same"), [("sum(indicator(eps > 0)) >= 1", False), ("size >= 1", True)]
)
def test_a_sum_in_defined_is_not_taken_along_a_formula_to_demand_oo(
    defined: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record (a, oo) becomes (a, 0), which does not count; the sum over 1/eps > 0 tends to
    1, so it would.
    """
    part = Mechanism(
        Domain([("a", 0), ("a", 1)]),
        outputs=[finite("z", [0, 1])],
        density=Fraction(1, 2),
        defined=parse(defined),
    )
    claim = pull_back(ahdp(part, 0), Domain([("a", 1), ("a", oo)]), {"eps": parse("1/eps")})
    assert isinstance(verify(claim), Proved) is same
    with monkeypatch.context() as forging:
        forging.setattr(kernel, "check_limits_kept", lambda m: None)
        record = stored(verify(claim), tmp_path)
    if same:
        recheck(record)
    else:
        with pytest.raises(Rejected, match="what a record of demand oo becomes"):
            recheck(record)
    assert stand_alone(record) == ("accepted" if same else "rejected")


def stored(verdict: object, folder: Path) -> Path:
    assert isinstance(verdict, Proved)
    path = folder / "record.json"
    verdict.save(path)
    return path


def stand_alone(record: Path) -> str:
    """What the stand-alone checker says."""
    sys.path.append(str(PROOFS))
    try:
        command = importlib.import_module("recheck.command")
    finally:
        sys.path.remove(str(PROOFS))
    (answer,) = command.in_thread([str(record)], 60.0)
    return str(answer.verdict)
