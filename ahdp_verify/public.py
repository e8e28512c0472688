"""The public names: what `from ahdp_verify import ...` offers, with everything that they need.

`ahdp_verify/__init__.py` imports this module at the first public name that is asked for.
"""

from __future__ import annotations

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.analysis.divergence.delta import delta
from ahdp_verify.analysis.levels.at_delta import level_at_delta
from ahdp_verify.analysis.levels.notions import renyi
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.analysis.notions import gdp, renyi_dp, zcdp
from ahdp_verify.analysis.parameters.calibrate import calibrate
from ahdp_verify.analysis.parameters.ranges import ranges
from ahdp_verify.analysis.power.against_mechanism import power
from ahdp_verify.analysis.power.best import best_power
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.analysis.sensitivity import by_sensitivity, sensitivity, sensitivity_claim
from ahdp_verify.analysis.testing.tradeoff import tradeoff
from ahdp_verify.auditing import audit
from ahdp_verify.constants import holds
from ahdp_verify.datasets import Multiset, distance
from ahdp_verify.display import (
    kernel_repr as kernel_repr,  # what `repr` shows
)
from ahdp_verify.display import (
    notebook as notebook,  # verdicts and formulas as a notebook shows them
)
from ahdp_verify.explanation import explain
from ahdp_verify.files.csv_records import domain_from_csv, people_from_csv
from ahdp_verify.files.domain_table import domain_grid
from ahdp_verify.files.load import load
from ahdp_verify.files.records import recheck
from ahdp_verify.files.written import expanded
from ahdp_verify.kernel.errors import AhdpError, BadInput, Missing, NotWorkedOut, Rejected
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim, assume
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.entries import Entries
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
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
from ahdp_verify.kernel.terms.functions import atan, cos, erf, sin, theta3
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.laws import (
    Law,
    clamp,
    exponential_mechanism,
    geometric,
    laplace,
    mechanism,
    randomised_response,
    repeat,
    rounded,
    staircase,
    truncate,
    uniform,
)
from ahdp_verify.plots import draw_tradeoff
from ahdp_verify.programs import argmax, coin, exponential, gaussian, gumbel, noise_program
from ahdp_verify.reporting import report
from ahdp_verify.sampling.sample import sample
from ahdp_verify.sampling.simulate import simulate
from ahdp_verify.search.compose import (
    compose,
    mixture,
    normalised,
    post_process,
    product,
    subsample,
)
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.parts import assumed_from
from ahdp_verify.search.verify import verify
from ahdp_verify.steps import Argument, Step
from ahdp_verify.sympy_trees import (
    from_sympy as from_sympy,  # SymPy's expressions are read
)
from ahdp_verify.verdicts import Unknown, Verdict

__all__ = (
    "Abs",
    "AhdpError",
    "Argument",
    "BadInput",
    "Claim",
    "Composite",
    "CompositeClaim",
    "Domain",
    "Entries",
    "Expression",
    "Inequality",
    "Law",
    "Limits",
    "Max",
    "Mechanism",
    "Min",
    "Missing",
    "Multiset",
    "NotWorkedOut",
    "NotionClaim",
    "Output",
    "Program",
    "ProgramClaim",
    "Proved",
    "Queries",
    "RealValues",
    "Record",
    "Refuted",
    "RefutedApplied",
    "RefutedInequality",
    "RefutedNotion",
    "RefutedProgram",
    "Rejected",
    "Step",
    "Unknown",
    "Values",
    "Verdict",
    "ahdp",
    "argmax",
    "assume",
    "assumed_from",
    "atan",
    "audit",
    "best_power",
    "binomial",
    "by_sensitivity",
    "calibrate",
    "clamp",
    "clip",
    "coin",
    "compose",
    "cos",
    "delta",
    "distance",
    "domain_from_csv",
    "domain_grid",
    "dp",
    "draw_tradeoff",
    "eq",
    "erf",
    "examine",
    "exp",
    "expanded",
    "explain",
    "exponential",
    "exponential_mechanism",
    "extra_records",
    "finite",
    "floor",
    "gaussian",
    "gdp",
    "geometric",
    "gumbel",
    "hdp",
    "holds",
    "indicator",
    "integer",
    "label",
    "laplace",
    "level_at_delta",
    "load",
    "log",
    "mechanism",
    "mixture",
    "name",
    "ne",
    "noise_program",
    "normalised",
    "number",
    "oo",
    "people_from_csv",
    "pi",
    "piecewise",
    "post_process",
    "power",
    "product",
    "randomised_response",
    "ranges",
    "real",
    "recheck",
    "renyi",
    "renyi_dp",
    "repeat",
    "report",
    "rounded",
    "sample",
    "sensitivity",
    "sensitivity_claim",
    "sign",
    "simulate",
    "sin",
    "sqrt",
    "staircase",
    "subsample",
    "theta3",
    "tighten",
    "tradeoff",
    "truncate",
    "uniform",
    "verify",
    "zcdp",
)
