"""Real mechanisms of OpenDP and diffprivlib: those that follow their documented law are found
consistent, planted faults are found, and so is a mechanism whose name says another law.

OpenDP takes no seeds, so alpha is 1e-6: an audit of a mechanism that follows its law fails once in
a million runs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import BadInput, Claim, Limits, Proved, number, verify
from ahdp_verify.auditing.diffprivlib_mechanisms import from_diffprivlib
from ahdp_verify.auditing.laws import clamped_geometric
from ahdp_verify.auditing.opendp_measurements import from_opendp
from ahdp_verify.auditing.packaged import PackagedMechanism

dp = pytest.importorskip("opendp.prelude")
ibm = pytest.importorskip("diffprivlib.mechanisms")
dp.enable_features("contrib")

FEW, MANY = 800, 20_000
SCORES = [1, 2, 2.5]


def whole(many: bool = False) -> tuple[Any, Any]:
    atom = dp.atom_domain(T=int)
    if many:
        return dp.vector_domain(atom), dp.l1_distance(T=int)
    return atom, dp.absolute_distance(T=int)


def floats(many: bool = False) -> tuple[Any, Any]:
    atom = dp.atom_domain(T=float, nan=False)
    if many:
        return dp.vector_domain(atom), dp.l1_distance(T=float)
    return atom, dp.absolute_distance(T=float)


def scores() -> tuple[Any, Any]:
    atom = dp.atom_domain(T=float, nan=False)
    return dp.vector_domain(atom, 3), dp.linf_distance(T=float)


OPENDP: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "laplace on whole numbers": (lambda: dp.m.make_laplace(*whole(), scale=2.0), [3]),
    "laplace on floats": (lambda: dp.m.make_laplace(*floats(), scale=2.0), [3]),
    "laplace on vectors of whole numbers": (
        lambda: dp.m.make_laplace(*whole(True), scale=3.0),
        [3, 4],
    ),
    "laplace on vectors of floats": (lambda: dp.m.make_laplace(*floats(True), scale=0.5), [3, 4]),
    "geometric": (lambda: dp.m.make_geometric(*whole(), scale=1.0), [3]),
    "geometric, clamped": (
        lambda: dp.m.make_geometric(*whole(), scale=2.0, bounds=(0, 6)),
        [3],
    ),
    "response, one bit": (lambda: dp.m.make_randomized_response_bool(prob=0.75), [True]),
    "response, three labels": (
        lambda: dp.m.make_randomized_response(categories=["a", "b", "c"], prob=0.5),
        ["a"],
    ),
    "noisy max": (
        lambda: dp.m.make_noisy_max(*scores(), dp.max_divergence(), scale=1.0),
        [SCORES],
    ),
    "noisy max, Gumbel": (
        lambda: dp.m.make_noisy_max(*scores(), dp.zero_concentrated_divergence(), scale=1.0),
        [SCORES],
    ),
}
IBM: dict[str, tuple[Callable[[], Any], list[Any]]] = {
    "Laplace": (lambda: ibm.Laplace(epsilon=1, sensitivity=2, random_state=1), [3, 5]),
    "LaplaceTruncated": (
        lambda: ibm.LaplaceTruncated(epsilon=0.5, sensitivity=1, lower=0, upper=4, random_state=1),
        [3, 2],
    ),
    "LaplaceFolded": (
        lambda: ibm.LaplaceFolded(epsilon=0.5, sensitivity=1, lower=0, upper=4, random_state=1),
        [3],
    ),
    "LaplaceBoundedDomain": (
        lambda: ibm.LaplaceBoundedDomain(
            epsilon=0.5, sensitivity=1, lower=0, upper=4, random_state=1
        ),
        [3],
    ),
    "LaplaceBoundedNoise": (
        lambda: ibm.LaplaceBoundedNoise(epsilon=1, delta=0.125, sensitivity=1, random_state=1),
        [3],
    ),
    "Uniform": (lambda: ibm.Uniform(delta=0.25, sensitivity=1, random_state=1), [3]),
    "Staircase": (lambda: ibm.Staircase(epsilon=1, sensitivity=1, random_state=1), [3]),
    "Geometric": (lambda: ibm.Geometric(epsilon=1, sensitivity=2, random_state=1), [3]),
    "GeometricTruncated": (
        lambda: ibm.GeometricTruncated(epsilon=1, lower=0, upper=5, random_state=1),
        [3],
    ),
    "GeometricFolded": (
        lambda: ibm.GeometricFolded(epsilon=1, lower=0, upper=5, random_state=1),
        [3],
    ),
    "Binary": (lambda: ibm.Binary(epsilon=1, value0="a", value1="b", random_state=1), ["a", "b"]),
    "Exponential": (
        lambda: ibm.Exponential(epsilon=1, sensitivity=1, utility=[1, 2, 3], random_state=1),
        [[1, 2, 3]],
    ),
    "PermuteAndFlip": (
        lambda: ibm.PermuteAndFlip(epsilon=1, sensitivity=1, utility=[1, 2], random_state=1),
        [[1, 2]],
    ),
    "ExponentialCategorical": (
        lambda: ibm.ExponentialCategorical(
            epsilon=1,
            utility_list=[["a", "b", 1], ["a", "c", 2], ["b", "c", 1]],
            random_state=1,
        ),
        ["a", "b"],
    ),
    "ExponentialHierarchical": (
        lambda: ibm.ExponentialHierarchical(
            epsilon=1, hierarchy=[["a", "b"], ["c", "d"]], random_state=1
        ),
        ["a"],
    ),
}
CASES = [
    *((f"OpenDP, {key}", make, from_opendp, at) for key, (make, at) in OPENDP.items()),
    *((f"diffprivlib, {key}", make, from_diffprivlib, at) for key, (make, at) in IBM.items()),
]


@pytest.mark.parametrize(
    ("make", "adapt", "at"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_a_real_mechanism_is_consistent_with_its_documented_law(
    make: Callable[[], Any], adapt: Callable[[Any], PackagedMechanism], at: list[Any]
) -> None:
    found = adapt(make()).audit(at, size=FEW)
    assert found.outcome == "consistent", found.findings
    assert all(i.tests >= 1 and i.draws == FEW for i in found.inputs)


def test_more_than_twelve_mechanisms_are_audited() -> None:
    assert len(CASES) > 12


def drawn_by(law: PackagedMechanism, program: PackagedMechanism) -> PackagedMechanism:
    """The law of one mechanism with the draws of another."""
    return replace(law, draw=program.draw, label=f"{program.label} in place of {law.label}")


def laplace(eps: float) -> PackagedMechanism:
    return from_diffprivlib(ibm.Laplace(epsilon=eps, sensitivity=1, random_state=2))


def test_a_scale_that_is_five_percent_off_is_found() -> None:
    found = drawn_by(laplace(1.0), laplace(1 / 1.05)).audit([3, 4], size=MANY)
    assert found.outcome == "rejected"
    assert found.scale is not None and 1.03 < found.scale.factor < 1.07
    assert found.detectable is not None and found.detectable[0] < 1.05
    assert "scale r = 1.0" in " ".join(found.findings)


def truncated(upper: float, kind: str = "LaplaceTruncated") -> PackagedMechanism:
    return from_diffprivlib(
        getattr(ibm, kind)(epsilon=1, sensitivity=1, lower=0, upper=upper, random_state=2)
    )


def test_a_clamp_at_the_wrong_place_is_found() -> None:
    found = drawn_by(truncated(4.0), truncated(4.5)).audit([3], size=2000)
    assert found.outcome == "rejected" and found.inputs[0].impossible > 0
    lower = drawn_by(truncated(4.5), truncated(4.0)).audit([3], size=2000)
    assert lower.outcome == "rejected" and "s = 9/2" in " ".join(lower.findings)


@pytest.mark.parametrize("other", ["LaplaceFolded", "LaplaceBoundedDomain"])
def test_another_way_to_stay_in_the_bounds_is_found(other: str) -> None:
    """Outputs are clamped, folded or drawn again: three laws, two of them with the same level."""
    assert drawn_by(truncated(4.0), truncated(4.0, other)).audit([3], size=2000).findings
    assert drawn_by(truncated(4.0, other), truncated(4.0)).audit([3], size=2000).findings


def test_a_sibling_with_the_same_level_is_found() -> None:
    staircase = from_diffprivlib(ibm.Staircase(epsilon=1, sensitivity=1, random_state=2))
    assert staircase.stated == laplace(1.0).stated
    found = drawn_by(laplace(1.0), staircase).audit([3], size=5000)
    assert found.outcome == "rejected"
    assert drawn_by(staircase, laplace(1.0)).audit([3], size=5000).outcome == "rejected"


def test_report_noisy_max_by_gumbel_noise_follows_the_law_of_permute_and_flip() -> None:
    """OpenDP's `make_report_noisy_max_gumbel` draws exponential noise: its outputs are not those of
    Gumbel noise, which is the exponential mechanism.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gumbel = from_opendp(dp.m.make_report_noisy_max_gumbel(*scores(), scale=1.0))
    assert gumbel.mechanism.name == "exponential mechanism"
    found = gumbel.audit([SCORES], size=4000)
    assert found.outcome == "rejected"
    assert found.others == (("permute-and-flip", True),)
    assert found.conclusion.endswith("; they are consistent with permute-and-flip")


def test_bounds_of_opendp_hold_before_and_after_the_noise() -> None:
    """A value of 9 with bounds 0 and 6 is drawn from as a 6; clamped after the noise only, 6 would
    be drawn nine times in ten.
    """
    bounded = from_opendp(OPENDP["geometric, clamped"][0]())
    assert bounded.audit([9], size=FEW).outcome == "consistent"
    after = replace(bounded, mechanism=clamped_geometric(Fraction(1, 2), 1, 0, 6))
    assert after.audit([9], size=FEW).outcome == "rejected"
    assert after.audit([3], size=FEW).outcome == "consistent"


def test_a_bounded_domain_moves_values_into_it() -> None:
    assert truncated(4.0, "LaplaceBoundedDomain").audit([7], size=FEW).outcome == "consistent"
    assert truncated(4.0).audit([7], size=FEW).outcome == "consistent"


@pytest.mark.parametrize(
    ("make", "outcome"),
    [
        (lambda: from_opendp(dp.m.make_laplace(*whole(), scale=2.0)), "equal"),
        (lambda: from_opendp(dp.m.make_laplace(*floats(), scale=3.0)), "equal"),
        (lambda: from_opendp(OPENDP["response, three labels"][0]()), "equal"),
        (lambda: from_opendp(OPENDP["noisy max, Gumbel"][0]()), "not stated"),
        (lambda: from_diffprivlib(IBM["Geometric"][0]()), "equal"),
        (lambda: from_diffprivlib(IBM["Uniform"][0]()), "sufficient"),
        (lambda: from_diffprivlib(IBM["ExponentialCategorical"][0]()), "larger"),
        (lambda: replace(laplace(1.0), stated=0.999), "smaller"),
        (lambda: replace(laplace(1.0), stated=1.001), "larger"),
        (lambda: replace(from_diffprivlib(IBM["Uniform"][0]()), delta=0.0), "smaller"),
        (lambda: replace(from_diffprivlib(IBM["Uniform"][0]()), delta=0.2), "not decided"),
    ],
)
def test_a_stated_level_is_compared_with_the_least_one(
    make: Callable[[], PackagedMechanism], outcome: str
) -> None:
    found = make().compare_level(Limits(seconds=5))
    assert found.outcome == outcome
    assert str(found)


def test_the_law_that_is_filled_in_has_the_stated_level() -> None:
    """The laws are mechanisms of this package: their levels are proved."""
    p = from_diffprivlib(IBM["Staircase"][0]())
    claim = Claim(p.mechanism, p.relation, number(Fraction(1)))
    assert isinstance(verify(claim), Proved)


class Louder(ibm.Laplace):  # type: ignore[misc]
    """A subclass may draw from anything."""


@pytest.mark.parametrize(
    ("adapt", "said"),
    [
        (lambda: from_diffprivlib(3), "no law is known for builtins.int"),
        (lambda: from_diffprivlib(Louder(epsilon=1, sensitivity=1)), "no law is known"),
        (lambda: from_diffprivlib(ibm.Laplace(epsilon=1, sensitivity=0)), "adds no noise"),
        (
            lambda: from_diffprivlib(
                ibm.Exponential(epsilon=1, sensitivity=1, utility=[1, 2], measure=[1, 2])
            ),
            "weights its candidates",
        ),
        (
            lambda: from_diffprivlib(ibm.Geometric(epsilon=1)).audit([0.5]),
            "0.5 is not a count",
        ),
        (
            lambda: from_diffprivlib(
                ibm.LaplaceTruncated(epsilon=1, sensitivity=1, lower=0, upper=float("inf"))
            ),
            "between 0 and inf; use finite bounds",
        ),
        (
            lambda: from_diffprivlib(ibm.GeometricFolded(epsilon=1, lower=0.5, upper=2.5)),
            "its bounds are not whole",
        ),
        (lambda: truncated(4.0, "LaplaceFolded").audit([7]), "7 is not between 0 and 4.0"),
        (lambda: from_opendp(3), "a int does not say how it was made"),
        (
            lambda: from_opendp(dp.m.make_gaussian(*floats(), scale=1.0)),
            "no law is known for make_gaussian",
        ),
        (
            lambda: from_opendp(dp.m.make_laplace(*floats(), scale=1.0, k=-2)),
            "rounded to multiples",
        ),
        (
            lambda: from_opendp(
                dp.m.make_noisy_max(
                    dp.vector_domain(dp.atom_domain(T=int)),
                    dp.linf_distance(T=int),
                    dp.max_divergence(),
                    scale=1.0,
                )
            ),
            "does not state how many scores",
        ),
        (
            lambda: from_opendp(
                dp.t.make_sum(
                    dp.vector_domain(dp.atom_domain(bounds=(0, 1))), dp.symmetric_distance()
                )
                >> dp.m.then_laplace(scale=2.0)
            ),
            "no law is known for make_chain_mt",
        ),
    ],
)
def test_what_has_no_law_here_is_refused(adapt: Callable[[], object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        adapt()
