"""Noise of a Euclidean distance: the totals against quadrature in polar coordinates, the triangle
inequality against random points, and laws and levels of other forms, which are rejected.
"""

from __future__ import annotations

import math
import random

import pytest
from scipy.integrate import quad

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import Certificate, InequalityLeaf, Mass, TotalLeaf
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import integer, real
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.radial import SPHERES, radial_law, radial_total
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.verify import verify

PLANE, S = RealValues({"v[2]": ""}), real("s", 2)
ROOT = "sqrt((s[1] - v[1])^2 + (s[2] - v[2])^2)"
DISTANCE = "sqrt((v[1] - other[1])^2 + (v[2] - other[2])^2)"
LAW = f"4/(2*pi)*exp(-2*{ROOT})"  # k = 2
RADIAL = InequalityLeaf((), "radial", ())


def planar(density: str = LAW, inputs: RealValues = PLANE, **more: object) -> Mechanism:
    return Mechanism(inputs, outputs=S, density=parse(density), **more)  # type: ignore[arg-type]


def certificate(claim: Claim, leaf: InequalityLeaf = RADIAL) -> Certificate:
    mass = Mass((), (TotalLeaf(),))
    return Certificate(claim.fingerprint, False, (), mass, (leaf,), (0,))


def shown(level: str, density: str = LAW) -> Proved:
    claim = Claim(planar(density), "any", parse(level))
    return check(claim, certificate(claim))


@pytest.mark.parametrize("n", [2, 3])
def test_the_totals_are_those_of_quadrature(n: int) -> None:
    """The sphere of radius r has the surface 2 pi r or 4 pi r^2."""
    surface = {2: 2 * math.pi, 3: 4 * math.pi}[n]
    found, _ = quad(lambda r: surface * r ** (n - 1) * math.exp(-r), 0, math.inf)
    assert abs(found - SPHERES[n] * math.pi) < 1e-8


def test_the_total_scales_with_the_rate() -> None:
    total = radial_total(parse(LAW), S, Context.empty())
    assert (total - constant(1)).is_zero
    twice = radial_total(parse(f"2*({LAW})"), S, Context.empty())
    assert (twice - constant(2)).is_zero


def test_the_centre_is_read_off_the_distance() -> None:
    law = "exp(-sqrt((s[1] - 2*v[1] - 1)^2 + s[2]^2 - 2*s[2]*v[2] + v[2]^2))"
    found = radial_law(parse(law), S, Context.empty())
    wanted = [normal(parse(e), Context.empty()) for e in ("2*v[1] + 1", "v[2]")]
    assert all((a - b).is_zero for a, b in zip(found.centre, wanted, strict=True))


@pytest.mark.parametrize("level", [f"2*{DISTANCE}", f"{DISTANCE}*(1 + 1)"])
def test_the_exact_level_needs_no_proof(level: str) -> None:
    assert "radial" in " ".join(shown(level).beyond)


def test_a_larger_level_has_one() -> None:
    """9 |a - b|^2 - 4 |a - b|^2 is a sum of squares."""
    found = verify(Claim(planar(), "any", parse(f"3*{DISTANCE}")))
    assert isinstance(found, Proved) and found.trusts == ()


@pytest.mark.parametrize(
    "level",
    [
        f"199/100*{DISTANCE}",
        f"-2*{DISTANCE}",
        "sqrt((v[1] - other[1])^2)*2",
        "2*sqrt((v[1] - other[1])^2 + (v[2] + other[2])^2)",
        f"2*{DISTANCE}*{DISTANCE}",
        f"(v[1] - other[1])*{DISTANCE}",
        "2*(v[1] - other[1])",
        "-5 - v[1]^2",
    ],
)
def test_a_level_that_is_too_small_somewhere_is_not(level: str) -> None:
    """Each is below twice the distance for some pair of points, by the points tried here."""
    draw = random.Random(1)
    points = [tuple(draw.uniform(-1, 1) for _ in range(4)) for _ in range(2000)]

    def value(a: float, b: float, c: float, d: float) -> float:
        names = {"v[1]": a, "v[2]": b, "other[1]": c, "other[2]": d}
        text = level
        for key, number in names.items():
            text = text.replace(key, f"({number!r})")
        return float(eval(text.replace("^", "**"), {"sqrt": math.sqrt}))

    assert any(value(*p) < 2 * math.hypot(p[0] - p[2], p[1] - p[3]) - 1e-9 for p in points)
    with pytest.raises((Rejected, Undecided, Unsupported)):
        shown(level)


@pytest.mark.parametrize(
    "density",
    [
        f"4/(2*pi)*exp(2*{ROOT})",  # grows
        f"2/(2*pi)*exp(-2*{ROOT})",  # total 1/2
        f"4/(2*pi)*exp(-2*{ROOT}) + 0*s[1]",
        "4/(2*pi)*exp(-2*sqrt(2*(s[1] - v[1])^2 + (s[2] - v[2])^2))",  # an ellipse
        "4/(2*pi)*exp(-2*sqrt((s[1] - v[1])^2 + (s[2] - v[2])^2 + 1))",
        "4/(2*pi)*exp(-2*sqrt((s[1] - s[2])^2 + (s[2] - v[2])^2))",
        "4/(2*pi)*exp(-2*sqrt((s[1] - v[1])^2 + (s[1] - v[2])^2))",
        "4/(2*pi)*exp(-2*((s[1] - v[1])^2 + (s[2] - v[2])^2)^(1/4))",
        "4/(2*pi)*exp(-2*((s[1] - v[1])^2 + (s[2] - v[2])^2))",
        f"4/(2*pi)*exp(-2*{ROOT})*exp(-{ROOT})",
        f"4/(2*pi)*s[1]*exp(-2*{ROOT})",
        f"4/(2*pi)*exp(-2*s[1]*{ROOT})",
    ],
)
def test_other_densities_are_rejected(density: str) -> None:
    with pytest.raises((Rejected, Undecided, Unsupported)):
        shown(f"100*{DISTANCE}", density)


def test_one_output_four_outputs_and_whole_outputs_are_rejected() -> None:
    for outputs, root in (
        ((real("a"),), "a^2"),
        (real("a", 4), "a[1]^2 + a[2]^2 + a[3]^2 + a[4]^2"),
        ((real("a"), integer("b")), "a^2 + b^2"),
    ):
        law = parse(f"exp(-sqrt({root}))")
        with pytest.raises(Rejected, match="two or three real outputs"):
            radial_law(law, outputs, Context.empty())


def test_a_rate_that_depends_on_the_value_is_rejected() -> None:
    with pytest.raises(Rejected, match=r"differ by more than their centre|fall off"):
        shown("100", f"(1 + v[1]^2)^2/(2*pi)*exp(-(1 + v[1]^2)*{ROOT})")


def test_more_than_one_proof_is_rejected() -> None:
    claim = Claim(planar(), "any", parse(f"2*{DISTANCE}"))
    with pytest.raises(Rejected, match="one proof"):
        check(claim, certificate(claim, InequalityLeaf((), "radial", (None, None))))


def test_a_claim_with_delta_and_an_atom_take_other_evidence() -> None:
    claim = Claim(planar(), "any", parse(f"2*{DISTANCE}"), parse("1/10"))
    with pytest.raises(Rejected):
        check(claim, certificate(claim))


def test_all_places_of_a_box() -> None:
    """The corners of the unit square are sqrt(2) apart."""
    box = RealValues({"v[2]": "0 <= v <= 1"})
    assert isinstance(verify(Claim(planar(inputs=box), "any", parse("2*sqrt(2)"))), Proved)
    below = Claim(planar(inputs=box), "any", parse("2*sqrt(2)*99/100"))
    with pytest.raises((Rejected, Undecided, Unsupported)):
        check(below, certificate(below))
