"""Machine-checked proofs and refutations of heterogeneous differential privacy claims.

Say what a mechanism is (`Mechanism`) and what it claims (`ahdp`, `hdp`, `dp`), and ask (`verify`).
The answer is `Proved`, `Refuted` or `Unknown`; the first two can be saved and checked again.
Everything is exact: numbers are ints, Fractions or texts, never floats.

>>> from ahdp_verify import Abs, Domain, Mechanism, ahdp, exp, real, verify
>>> W, s = Domain([(0, 1), (1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: eps * x))) / 2, name="weighted sum")
>>> print(verify(ahdp(M)))
Proved: weighted sum is AHDP at level eps; scope: all datasets; trusts: the checker alone
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ahdp_verify import start as start  # before anything that takes long to load

# isort: split
from ahdp_verify.display import (
    notebook as notebook,  # verdicts and formulas as a notebook shows them
)
from ahdp_verify.kernel.errors import AhdpError, BadInput, Missing, NotWorkedOut, Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim, assume
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.inequality import Argument, Statement, Step
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.multiset import Multiset, distance
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.refuted import Refuted, RefutedStatement
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    Min,
    binomial,
    clip,
    eq,
    exp,
    floor,
    indicator,
    label,
    log,
    name,
    ne,
    number,
    oo,
    pi,
    piecewise,
    sign,
    sqrt,
)
from ahdp_verify.kernel.terms.extension import give
from ahdp_verify.kernel.unknown import Unknown, Verdict
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits

if TYPE_CHECKING:
    from ahdp_verify.analysis.arguments import examine
    from ahdp_verify.analysis.divergence.curve import delta_curve
    from ahdp_verify.analysis.divergence.delta import delta
    from ahdp_verify.analysis.levels.tighten import tighten
    from ahdp_verify.analysis.moments.asymptotics import (
        asymptotic_bias,
        average,
        covariance,
        limit,
        log_uniform,
    )
    from ahdp_verify.analysis.moments.enclosure import enclosure
    from ahdp_verify.analysis.moments.moments import (
        bias,
        infinite_mean,
        mean,
        mean_shift_bound,
        value_at,
        variance,
    )
    from ahdp_verify.analysis.parameters.calibrate import calibrate
    from ahdp_verify.analysis.parameters.ranges import ranges
    from ahdp_verify.analysis.power.against_mechanism import power
    from ahdp_verify.analysis.power.best import best_mechanism, best_power, best_powers
    from ahdp_verify.analysis.power.table import power_table
    from ahdp_verify.analysis.power.threat_models import (
        extra_records,
        known_record,
        one_more_record,
        these,
    )
    from ahdp_verify.analysis.testing.error_rates import (
        error_rates,
        implied_level,
        odds,
        odds_range,
        privacy_region,
        satisfies,
    )
    from ahdp_verify.analysis.testing.tradeoff import tradeoff
    from ahdp_verify.explain import explain
    from ahdp_verify.files.load import load
    from ahdp_verify.files.records import recheck
    from ahdp_verify.plots import draw_tradeoff as draw_tradeoff
    from ahdp_verify.sampling.goodness_of_fit import goodness_of_fit as goodness_of_fit
    from ahdp_verify.sampling.sample import sample as sample
    from ahdp_verify.sampling.simulate import replay as replay
    from ahdp_verify.sampling.simulate import replay_example as replay_example
    from ahdp_verify.search.compose import (
        compose,
        group,
        mixture,
        normalised,
        post_process,
        product,
        pull_back,
        subsample,
        subsample_ends,
        to_ahdp,
        to_swap,
        weaken,
    )
    from ahdp_verify.search.verify import verify
    from ahdp_verify.sympy_bridge import from_sympy, to_sympy

# Loaded when first used: importing SymPy takes 0.25 s, the procedures with Z3 0.1 s, measured on
# one core; everything else is 0.12 s.
LATER = {
    **dict.fromkeys(
        (
            "compose",
            "product",
            "post_process",
            "subsample",
            "subsample_ends",
            "mixture",
            "normalised",
            "pull_back",
            "group",
            "weaken",
        ),
        "search.compose",
    ),
    **dict.fromkeys(("to_swap", "to_ahdp"), "search.compose"),
    **dict.fromkeys(
        ("error_rates", "implied_level", "odds", "odds_range", "privacy_region", "satisfies"),
        "analysis.testing.error_rates",
    ),
    **dict.fromkeys(
        ("mean", "variance", "bias", "infinite_mean", "mean_shift_bound", "value_at"),
        "analysis.moments.moments",
    ),
    "enclosure": "analysis.moments.enclosure",
    **dict.fromkeys(
        ("limit", "asymptotic_bias", "average", "covariance", "log_uniform"),
        "analysis.moments.asymptotics",
    ),
    "tradeoff": "analysis.testing.tradeoff",
    "draw_tradeoff": "plots",
    "load": "files.load",
    "verify": "search.verify",
    "recheck": "files.records",
    "tighten": "analysis.levels.tighten",
    "delta": "analysis.divergence.delta",
    **dict.fromkeys(("best_power", "best_powers", "best_mechanism"), "analysis.power.best"),
    "power": "analysis.power.against_mechanism",
    **dict.fromkeys(
        ("extra_records", "one_more_record", "known_record", "these"),
        "analysis.power.threat_models",
    ),
    "power_table": "analysis.power.table",
    "explain": "explain",
    "examine": "analysis.arguments",
    "ranges": "analysis.parameters.ranges",
    "calibrate": "analysis.parameters.calibrate",
    "delta_curve": "analysis.divergence.curve",
    "replay": "sampling.simulate",
    "replay_example": "sampling.simulate",
    "sample": "sampling.sample",
    "goodness_of_fit": "sampling.goodness_of_fit",
    "from_sympy": "sympy_bridge",
    "to_sympy": "sympy_bridge",
}

__all__ = (
    "Abs",
    "AhdpError",
    "Argument",
    "BadInput",
    "Claim",
    "Composite",
    "CompositeClaim",
    "Domain",
    "Expression",
    "Limits",
    "Max",
    "Mechanism",
    "Min",
    "Missing",
    "Multiset",
    "NotWorkedOut",
    "Output",
    "Proved",
    "Queries",
    "Record",
    "Refuted",
    "RefutedStatement",
    "Rejected",
    "Statement",
    "Step",
    "Unknown",
    "Values",
    "Verdict",
    "ahdp",
    "assume",
    "asymptotic_bias",
    "average",
    "best_mechanism",
    "best_power",
    "best_powers",
    "bias",
    "binomial",
    "calibrate",
    "clip",
    "compose",
    "covariance",
    "delta",
    "delta_curve",
    "distance",
    "dp",
    "enclosure",
    "eq",
    "error_rates",
    "examine",
    "exp",
    "explain",
    "extra_records",
    "finite",
    "floor",
    "from_sympy",
    "group",
    "hdp",
    "implied_level",
    "indicator",
    "infinite_mean",
    "integer",
    "known_record",
    "label",
    "limit",
    "load",
    "log",
    "log_uniform",
    "mean",
    "mean_shift_bound",
    "mixture",
    "name",
    "ne",
    "normalised",
    "number",
    "odds",
    "odds_range",
    "one_more_record",
    "oo",
    "pi",
    "piecewise",
    "post_process",
    "power",
    "power_table",
    "privacy_region",
    "product",
    "pull_back",
    "ranges",
    "real",
    "recheck",
    "satisfies",
    "sign",
    "sqrt",
    "subsample",
    "subsample_ends",
    "these",
    "tighten",
    "to_ahdp",
    "to_swap",
    "to_sympy",
    "tradeoff",
    "value_at",
    "variance",
    "verify",
    "weaken",
)


class _Package(ModuleType):
    """This package, in which `tighten` is the function, also after the module of that name was
    loaded.
    """

    def __setattr__(self, key: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and LATER.get(key) == key):
            super().__setattr__(key, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(key: str) -> Any:
    if key not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {key!r}")
    found = getattr(import_module(f"{__name__}.{LATER[key]}"), key)
    globals()[key] = found
    return found


def _method(key: str) -> Callable[..., Any]:
    """The function of that name, found when it is called; `replay`, `sample`, `goodness_of_fit`
    and pictures need extras, so they are not among `__all__`.
    """
    return lambda *args, **options: (globals().get(key) or __getattr__(key))(*args, **options)


for _key in ("replay", "replay_example", "sample", "explain", "draw_tradeoff", "from_sympy"):
    give(_key, _method(_key))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
