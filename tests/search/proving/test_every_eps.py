"""Whole claims about one parameter, decided for all of its values at once."""

from __future__ import annotations

import pytest

from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify


def answer(law: str, kind: str, level: str) -> type:
    """The verdict on a claim about adding one record, for a mechanism that sees the number of
    records.
    """
    table = {
        "format": 2,
        "name": "test",
        "parameters": {"e": "e > 0"},
        "domain": {"records": [["1", "1"]]},
        "mechanism": {
            "outputs": [
                {
                    "name": "s",
                    "kind": kind,
                    **({"values": ["0", "1", "2"]} if kind == "finite" else {}),
                }
            ],
            "density": law,
        },
        "claim": [{"relation": "add-remove", "level": level}],
    }
    (claim,) = read_mechanism_file(table, "test").claims
    found = verify(claim)
    if isinstance(found, Proved):
        assert check(claim, found.certificate, None, found.compared) == found
    return type(found)


WEIGHTS = "exp(-e*abs(size - s))/(exp(-e*size) + exp(-e*abs(size - 1)) + exp(-e*abs(size - 2)))"
# Laplace noise, rounded
ROUNDED = (
    "piecewise((1 - exp(-e/2), s == size), ((exp(e/2) - exp(-e/2))/2*exp(-e*abs(s - size)), true))"
)
# >= 0 by e - 1 + exp(-e) >= 0 only
ODD = "piecewise(((e - 1 + exp(-e))/e, s == 0), ((1 - exp(-e))/e, s == 1), (0, true))"
KINKED = "exp(-e*abs(s - size))*e/2"


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("law", "kind", "level", "verdict"),
    [
        (
            WEIGHTS,
            "finite",
            "log((1 + 2*exp(-e))/(exp(-e)*(1 + exp(-e) + exp(-2*e))))",
            Proved,
        ),  # the weights at 0 and 1 people
        (
            WEIGHTS,
            "finite",
            "log((1 + 2*exp(-e))/(exp(-e)*(1 + exp(-e) + exp(-2*e)))) - e/1000",
            Refuted,
        ),
        (ROUNDED, "integer", "e", Proved),
        (ROUNDED, "integer", "999*e/1000", Refuted),
        (ODD, "finite", "0", Proved),
        (KINKED, "real", "max(e, 3*(e^2 - 3*e + 2), 3*e/4)", Proved),
        (
            KINKED,
            "real",
            "abs(e - exp(-e)) + min(e, exp(-e))",
            Proved,
        ),  # max(e, exp(-e)): the sign changes at the omega constant
        (KINKED, "real", "abs(e - exp(-e)) + 99*min(e, exp(-e))/100", Refuted),
    ],
)
def test_a_claim_for_all_eps_is_decided(law: str, kind: str, level: str, verdict: type) -> None:
    assert answer(law, kind, level) is verdict
