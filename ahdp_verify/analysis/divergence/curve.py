"""`delta_curve`: the least delta at several levels, each exact or enclosed, with its evidence, as a
table and for plots.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(0, 1), (1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="noisy sum")
>>> print(delta_curve(M, ["0", "1/2", "1"]))
least delta of noisy sum (ahdp)
level  delta          decimal   where       shown
0      1 - exp(-1/2)  0.393469  add (1, 1)  exact
1/2    1 - exp(-1/4)  0.221199  add (1, 1)  exact
1      0              0                     exact
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.analysis.divergence.delta import LeastDelta, delta
from ahdp_verify.analysis.divergence.family import LevelFamily, find_family
from ahdp_verify.analysis.levels.table import aligned_lines
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.tables import html_table, latex_table
from ahdp_verify.kernel.decimals import approximate_rational, decimal
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    expression,
    multiply,
    names,
    number,
    oo,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.progress import Progress, no_progress

HEAD = ("level", "delta", "decimal", "where", "shown")
STEPS = 8  # number of levels above 0 in a curve
# constant levels from which one search for all of them is tried; measured: it takes as long as one
# or two levels alone, of Laplace noise 0.05 s
SHARED = 3
SHARE = 0.1  # its part of the first second of each level, and that of a level which it serves


@dataclass(frozen=True, slots=True)
class DeltaCurve:
    """The least delta at each level. It is nonincreasing, and convex in exp(level), so chords
    between the points lie above it.
    """

    points: tuple[LeastDelta, ...]

    __repr__ = short_repr

    @property
    def exact(self) -> bool:
        """True if every point is."""
        return all(p.exact for p in self.points)

    @property
    def coordinates(self) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
        """(level, lower, upper end of delta) as rational numbers close to the true ones, for
        plots; points that depend on names, and one at level oo, are left out.
        """
        constants = (
            p
            for p in self.points
            if p.level != oo and not any(map(names, (p.level, p.low, p.high)))
        )
        return tuple((_near(p.level), _near(p.low), _near(p.high)) for p in constants)

    @property
    def title(self) -> str:
        """The title of the table."""
        claim = self.points[0].claim
        return f"least delta of {display_name(claim.mechanism.name) or 'the mechanism'} ({claim.relation})"

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The points as texts, below a head."""
        return [HEAD, *(_row(p) for p in self.points)]

    def __str__(self) -> str:
        return "\n".join(
            [
                self.title,
                *aligned_lines(self.rows),
                *dict.fromkeys(f"  {p.reason}" for p in self.points if p.reason),
            ]
        )

    def _repr_html_(self) -> str:
        remarks = dict.fromkeys(p.reason for p in self.points if p.reason)
        return html_table(self.title, self.rows, remarks)

    def _repr_latex_(self) -> str:
        return latex_table(self.rows)


def _near(e: Expression) -> Fraction:
    return approximate_rational(normal(e, Context.empty()))


def _row(p: LeastDelta) -> tuple[str, ...]:
    where = p.where if p.exact or p.bounds.low is not None else ""
    return str(p.level), str(p.bounds), _decimals(p), where, p.bounds.kind


def _decimals(p: LeastDelta) -> str:
    """The same with decimals for the ends that are constants; nothing where an end depends on
    parameters.
    """
    ends = [e for e in (p.bounds.low, p.bounds.high) if e is not None]
    if not ends or any(map(names, ends)):
        return ""
    return p.bounds.text(lambda e: decimal(normal(e, Context.empty())))


def delta_curve(
    subject: Mechanism | Claim,
    levels: Iterable[object],
    relation: str = "ahdp",
    limits: Limits | None = None,
    progress: Progress = no_progress,
) -> DeltaCurve:
    """The least delta of a mechanism, or of the mechanism and the relation of a claim, at each of
    the levels, in the order given.

    `limits` apply to each level; a search for several at once adds at most a tenth to them, and as
    much where it does not serve a level. Raises BadInput for an empty list of levels, and for a
    mechanism that is not well defined.
    """
    mechanism, relation, public = (
        (subject.mechanism, subject.relation, subject.public)
        if isinstance(subject, Claim)
        else (subject, relation, ())
    )
    listed = [parse(e, "level") if isinstance(e, str) else expression(e) for e in levels]
    if not listed:
        raise BadInput("levels", "the list is empty", "give at least one, for example 0")
    limits = limits or Limits()
    family = _family(Claim(mechanism, relation, ZERO, public=public), listed, limits, progress)
    found, brief = [], replace(limits, seconds=limits.seconds * SHARE)
    for i, e in enumerate(listed):
        progress(f"level {i + 1} of {len(listed)}: {e}")
        point = None if family is None else family.at(e, brief)
        if point is None:
            point = delta(mechanism, e, relation, limits, progress, public)
        found.append(point)
    return DeltaCurve(tuple(found))


def _family(
    claim: Claim, levels: list[Expression], limits: Limits, progress: Progress
) -> LevelFamily | None:
    """The least delta as a function of the level, where enough of the levels are constants."""
    constants = [e for e in levels if not names(e) and e != oo]
    if len(constants) < SHARED:
        return None
    progress("proving all levels at once")
    seconds = SHARE * len(constants) * min(limits.seconds, 1.0)
    return find_family(claim, constants, replace(limits, seconds=seconds))


def usual_levels(claim: Claim) -> tuple[Expression, ...]:
    """Evenly spaced levels from 0 to the level of a claim if that is a constant, else to 2."""
    top = claim.level if not names(claim.level) and claim.level.head != "oo" else number(2)
    return (number(0), *(multiply(number(Fraction(i, STEPS)), top) for i in range(1, STEPS + 1)))
