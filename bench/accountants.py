"""Questions that accountants answer in floats: the least delta at several levels (dp-accounting),
and the level of Laplace noise (OpenDP).  Ours are exact, with a proof and a refutation of less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any

from row import Row, measured
from verdicts import response

from ahdp_verify.analysis.divergence.curve import delta_curve
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import Abs, exp, name

LEVELS = tuple(Fraction(i, 10) for i in range(10))
ABSENT = "not installed"


def laplace() -> Mechanism:
    """Laplace noise of scale 1 on the answer to a query of sensitivity 1."""
    s = real("s")
    law = exp(-Abs(s - name("q[1]"))) / 2
    return Mechanism(Queries(1), outputs=[s], density=law, name="Laplace")


def exact_curve(mechanism: Mechanism, relation: str) -> str:
    """Whether all deltas are exact."""
    curve = delta_curve(mechanism, LEVELS, relation)
    return "exact" if curve.exact else "enclosed"


def accountant_curve(make: Callable[[], Any]) -> str:
    """The deltas of dp-accounting."""
    law = make()
    return ", ".join(f"{law.get_delta_for_epsilon(float(e)):.4f}" for e in LEVELS)


def laplace_of_accountant() -> Any:
    """The privacy loss distribution of the same noise."""
    from dp_accounting.pld import privacy_loss_distribution  # noqa: PLC0415 - it may be missing

    return privacy_loss_distribution.from_laplace_mechanism(1.0)


def response_of_accountant() -> Any:
    """The privacy loss distribution of randomised response among five values."""
    from dp_accounting.pld import privacy_loss_distribution  # noqa: PLC0415 - it may be missing

    return privacy_loss_distribution.from_randomized_response(5 / 8, 5)


def level_of_opendp() -> str:
    """The level that OpenDP gives for Laplace noise."""
    import opendp.prelude as opendp  # noqa: PLC0415 - it may be missing

    opendp.enable_features("contrib")
    space = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    noise: Any = opendp.m.make_laplace(*space, scale=1.0)
    return str(noise.map(1.0))


def rows() -> Iterator[Row]:
    """All of them; the time of a peer that is not installed is left out."""
    has_accountant, has_opendp = find_spec("dp_accounting"), find_spec("opendp")
    for what, mechanism, relation, make, aim in (
        ("Laplace", laplace(), "one", laplace_of_accountant, "0.1"),
        ("5-ary response", response(5).mechanism, "any", response_of_accountant, "0.05"),
    ):
        ours, answer = measured(partial(exact_curve, mechanism, relation))
        theirs = measured(partial(accountant_curve, make))[0] if has_accountant else None
        peer = "dp-accounting" if has_accountant else f"dp-accounting, {ABSENT}"
        yield Row(f"delta of {what} at {len(LEVELS)} levels", answer, ours, peer, theirs, aim)
    ours, answer = measured(lambda: tighten(laplace(), "one").level)
    theirs = measured(level_of_opendp)[0] if has_opendp else None
    peer = "OpenDP" if has_opendp else f"OpenDP, {ABSENT}"
    yield Row("least level of Laplace noise", answer, ours, peer, theirs)
