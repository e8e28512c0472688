"""Tables of power: the largest power that a private mechanism can concede for t = 1, 2, ..., its
limit, and for comparison the power against one mechanism.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> print(power_table(Domain([("a", log(2)), ("b", log(3))]), 3))
best power against at most t extra records
t  hypotheses  best power  decimal   guess     all datasets
1  3           6/11        0.545455  0.333333  yes
2  6           9/23        0.391304  0.166667  yes
3  10          36/119      0.302521  0.1       yes
limit as t grows: 1/6; the paper's upper bound of it is 1/3
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.analysis.levels.table import aligned_lines
from ahdp_verify.analysis.power.against_mechanism import Power, power
from ahdp_verify.analysis.power.best import BestMechanism, best_power, decimal_of
from ahdp_verify.analysis.power.closed_forms import canonical_value, limit_bound, limit_power
from ahdp_verify.analysis.power.threat_models import extra_records
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.tables import html_table, latex_table
from ahdp_verify.kernel.decimals import decimal
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.progress import Progress, no_progress

HEAD = ("t", "hypotheses", "best power", "decimal", "guess", "all datasets")
LONGEST = 40  # characters of an exact value in a table; longer ones are only in the record
SMALL = 60  # hypotheses up to which an extension to all datasets is searched for by default


@dataclass(frozen=True)
class PowerRow:
    """The optimum for one t, whether a mechanism on all datasets attains it (None: not asked),
    and the power against the user's mechanism.
    """

    t: int
    hypotheses: int
    best: BestMechanism
    extends: bool | None
    against: Power | None = None

    __repr__ = short_repr


@dataclass(frozen=True)
class PowerTable:
    """The optima for t = 1, 2, ... with the limit and the paper's upper bound of it, and the
    name of a mechanism that is compared.
    """

    rows: tuple[PowerRow, ...]
    limit: Expression
    bound: Expression
    against: str = ""

    __repr__ = short_repr

    @property
    def title(self) -> str:
        """The title of the table."""
        return "best power against at most t extra records" + (
            f", and power against {self.against}" if self.against else ""
        )

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """The rows as texts, below a head."""
        return [
            (*HEAD, *(("this mechanism",) if self.against else ())),
            *(_texts(row) for row in self.rows),
        ]

    @property
    def ending(self) -> str:
        """The limit in words."""
        return (
            f"limit as t grows: {decimal_of(self.limit)}; the paper's upper bound of it is "
            f"{decimal_of(self.bound)}"
        )

    @property
    def exact(self) -> bool:
        """True if every optimum is known exactly."""
        return all(row.best.exact for row in self.rows)

    def __str__(self) -> str:
        return "\n".join([self.title, *aligned_lines(self.lines), self.ending])

    def _repr_html_(self) -> str:
        return html_table(self.title, self.lines, [self.ending])

    def _repr_latex_(self) -> str:
        return latex_table(self.lines)


def _texts(row: PowerRow) -> tuple[str, ...]:
    known = row.best.bounds
    exact = known.text(lambda e: str(e) if len(str(e)) <= LONGEST else "(long)")
    extends = "not asked" if row.extends is None else "yes" if row.extends else "open"
    against = () if row.against is None else (_power_text(row.against),)
    return (
        str(row.t),
        str(row.hypotheses),
        exact,
        known.text(_decimal),
        _decimal(number(Fraction(1, row.hypotheses))),
        extends,
        *against,
    )


def _power_text(found: Power) -> str:
    """A power as a decimal, between decimals where these differ."""
    low, high = _decimal(found.low), _decimal(found.high)
    return low if found.exact else f"about {low}" if low == high else f"between {low} and {high}"


def _decimal(e: Expression) -> str:
    """A decimal of a constant."""
    return decimal(normal(e, Context.empty()))


def power_table(
    domain: Domain,
    most: int,
    given: Iterable[object] = (),
    mechanism: Mechanism | None = None,
    *,
    everywhere: bool | None = None,
    report: Progress = no_progress,
    limits: Limits | None = None,
) -> PowerTable:
    """The table for t = 1 to `most` beside a known part `given`, perhaps with the power against a
    mechanism.

    everywhere   whether an extension to all datasets is searched for; by default where there are
                 few hypotheses
    limits       the time and memory it may use (else OutOfLimits); without any, only limits
                 already in force
    Raises BadInput for `most` < 1, and for too many hypotheses before the first row is computed.
    """
    with enforce_limits(limits, "working out the power"):
        rows, base = [], tuple(given)
        extra_records(most, base)(domain)
        for t in range(1, most + 1):
            report(f"t = {t}")
            model = extra_records(t, base)
            best = best_power(domain, model, report=report)
            count = len(best.claim.aims)
            asked = count <= SMALL if everywhere is None else everywhere
            rows.append(
                PowerRow(
                    t,
                    count,
                    best,
                    best.extends if asked else None,
                    None if mechanism is None else power(mechanism, model, report=report),
                )
            )
        return PowerTable(
            tuple(rows),
            canonical_value(limit_power(domain)),
            canonical_value(limit_bound(domain)),
            "" if mechanism is None else str(mechanism),
        )
