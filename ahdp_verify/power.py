"""`best_power`: how well an adversary can do at best against any private mechanism, exactly (paper, section 4).

The power of an adversary against a mechanism and a threat model is the greatest least chance, over tests, of naming the values of the true
dataset (def:capHomo, def:cap-ahdp).  The largest power that any private mechanism concedes is a linear programme, since mechanism and test
together are a private kernel.  Its value comes with a certificate: a kernel that attains it, and prices that show that none exceeds it.

>>> from ahdp_verify.domain import Domain
>>> from ahdp_verify.expression import log
>>> from ahdp_verify.threats import extra_records
>>> found = best_power(Domain([("a", log(2)), ("b", log(3))]), extra_records(3))
>>> print(found.value, found.extends)
36/119 True
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import and_, or_
from pathlib import Path
from typing import Any

from ahdp_verify import checker
from ahdp_verify.context import Context, normal
from ahdp_verify.decide import programme
from ahdp_verify.decide.pieces import formulas, proved_on_interval
from ahdp_verify.domain import Domain
from ahdp_verify.errors import BadInput, Rejected
from ahdp_verify.expression import TRUE, ZERO, Expression, Max, Min, eq, name, names, number, piecewise
from ahdp_verify.mechanism import Mechanism, finite
from ahdp_verify.optimum import BestClaim
from ahdp_verify.reading import exactly
from ahdp_verify.threats import Hypotheses, ThreatModel, cube, most_private
from ahdp_verify.verdict import Proved, shown

Report = Callable[[str], None]
MOST_ROWS = 1500  # rows of a box on which an extension to all datasets is looked for


def silent(_: str) -> None:
    """Progress that nobody reads."""


@dataclass(frozen=True)
class BestPower:
    """The largest power that a mechanism private on the hypotheses concedes: at least `low`, at most `high`, both proved.

    hypotheses   what the adversary cannot exclude
    claim        the last claim that was proved (both bounds in one where they meet)
    found        primal and dual, as numbers or functions
    reduced      True if only the most private record of each value was kept, which loses nothing (S4)
    """

    hypotheses: Hypotheses
    claim: BestClaim
    found: programme.Found
    verdicts: tuple[Proved, ...]
    reduced: bool
    report: Report = field(default=silent, repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """True if the optimum is known exactly."""
        return self.found.exact

    @property
    def low(self) -> Expression:
        """A power that some mechanism concedes."""
        return ZERO if self.found.low is None else self.found.variable.tree(self.found.low.value)

    @property
    def high(self) -> Expression:
        """A power that no mechanism exceeds."""
        return number(1) if self.found.high is None else self.found.variable.tree(self.found.high.value)

    @property
    def value(self) -> Expression:
        """The optimum; BadInput where only bounds were found."""
        if not self.exact:
            raise BadInput("power", f"it is only known to lie between {decimal_of(self.low)} and {decimal_of(self.high)}", "use .low and .high")
        return self.low

    @property
    def certificate(self) -> Any:
        """Primal and dual in one certificate, where they meet."""
        return self.verdicts[-1].certificate

    @property
    def prior(self) -> dict[str, Expression]:
        """The least favourable prior of the hypotheses: against it no mechanism lets any test succeed more often than `high`."""
        weights = self.found.high.prior if self.found.high else ()
        return {str(D): self.found.variable.tree(w) for D, w in zip(self.hypotheses.datasets, weights, strict=False)}

    @property
    def kernel(self) -> dict[str, dict[str, Expression]]:
        """An optimal mechanism: for each dataset the chance of each answer."""
        rows = self.found.low.kernel if self.found.low else ()
        tree = self.found.variable.tree
        return {str(row): dict(zip(self.claim.columns, map(tree, chances), strict=True)) for row, chances in zip(self.claim.rows, rows, strict=True)}

    @property
    def mechanism(self) -> Mechanism:
        """The optimal mechanism, defined on the hypotheses; it names a dataset, so its output is its own best test."""
        return as_mechanism(self.claim, self.found, self.hypotheses)

    @cached_property
    def everywhere(self) -> BestPower | None:
        """The same for mechanisms that are private on all datasets, from a programme on a box onto which all datasets can be moved; None where it is too large."""
        return extension(self)

    @property
    def extends(self) -> bool:
        """True if it is proved that a mechanism that is private on all datasets concedes as much."""
        if self.claim.everywhere:
            return self.exact
        best = self.everywhere
        return best is not None and self.exact and best.exact and (normal(best.low, self.claim.here) - normal(self.low, self.claim.here)).is_zero

    @property
    def lines(self) -> list[str]:
        """What is known, for people."""
        said = [str(v) for v in self.verdicts]
        if self.reduced:
            said.append("  only the most private record of each value counts, which changes nothing (restrict one way, pull back the other)")
        return said

    def __str__(self) -> str:
        return "\\n".join(self.lines)

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(line)}</p>" for line in self.lines)

    def save(self, path: str | Path) -> None:
        """The file at `path` holds the record of the optimum, which `recheck` accepts; BadInput where only bounds are known."""
        if not self.exact:
            raise BadInput("power", "only bounds are known", "save the verdicts one by one")
        self.verdicts[-1].save(path)


def decimal_of(e: Expression) -> str:
    """An expression with a decimal, if it is a constant."""
    return str(e) if names(e) else shown(e, normal(e, Context.empty()))


def best_power(domain: Domain, model: ThreatModel, relation: str = "ahdp", level: object = None, parameters: dict[str, object] | None = None, *, everywhere: bool = False,
               report: Report = silent) -> BestPower:  # fmt: skip
    """The largest power against a threat model that a private mechanism concedes, exactly, with its certificate.

    relation     "ahdp" (levels are the demands, or `level` in x and eps), "add-remove" or "swap" (one `level`, by default that of all demands)
    parameters   names in demands or level, with conditions; then the value is a formula, proved on an interval of them
    everywhere   True: private on all datasets, not only on the hypotheses
    Raises BadInput for infinitely many or too many hypotheses, for hypotheses that coincide in their values, and for levels without one common exponential.
    """
    hypotheses, reduced = model(domain), False
    if model.all_records and relation == "ahdp" and level is None and not parameters and len(kept := most_private(domain)) < len(domain.records):
        hypotheses, reduced = model(Domain(kept)), True
    claim = claim_of(hypotheses, relation, level_of(hypotheses.domain, relation, level), parameters or {}, everywhere=everywhere)
    return proved(hypotheses, claim, reduced, report)


def best_powers(domain: Domain, model: ThreatModel, relation: str = "ahdp", level: object = None, parameters: dict[str, object] | None = None, *, everywhere: bool = False,
                report: Report = silent) -> tuple[BestPower, ...]:  # fmt: skip
    """The formulas of the optimum on all intervals of its one parameter, in ascending order; the same as `best_power` where there is no parameter."""
    first = best_power(domain, model, relation, level, parameters, everywhere=everywhere, report=report)
    if not parameters:
        return (first,)
    claim = claim_of(first.hypotheses, relation, level_of(first.hypotheses.domain, relation, level), parameters, everywhere=everywhere)
    return tuple(replace(first, claim=c, found=f, verdicts=(v,)) for c, f, v in formulas(claim, report))


def level_of(domain: Domain, relation: str, level: object) -> Expression | None:
    """The level of a claim: None for the demand."""
    if level is not None or relation == "ahdp":
        return None if level is None else exactly(level, "level")
    demands = {r.demand for r in domain.records}
    if len(demands) > 1:
        raise BadInput("level", f"the demands differ, so there is no one level for {relation}", "give one, as level=...")
    return demands.pop()


def claim_of(hypotheses: Hypotheses, relation: str, level: Expression | None, parameters: dict[str, object], *, everywhere: bool) -> BestClaim:
    """The claim about the power, with its value still open."""
    rows = [D.counts for D in hypotheses.datasets]
    if everywhere and relation != "swap":
        rows += [row for row in box(rows) if row not in set(rows)]
    place = {u: i for i, u in enumerate(hypotheses.names)}
    aims = [[(i, place[u], 1)] for i, u in enumerate(hypotheses.labels)]
    return BestClaim.of(hypotheses.domain, rows, hypotheses.names, aims, 0, relation=relation, level=level, parameters=parameters, everywhere=everywhere,
                        name=f"best power against {hypotheses}")  # fmt: skip


def box(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All counts between the least and the greatest of each record; BadInput if there are too many."""
    ends = [(min(column), max(column)) for column in zip(*rows, strict=True)]
    size = 1
    for low, high in ends:
        size *= high - low + 1
    if size > MOST_ROWS:
        raise BadInput("everywhere", f"the box around the hypotheses has {size} datasets", f"ask about the hypotheses alone, or about fewer (at most {MOST_ROWS})")
    return list(cube(ends))


def proved(hypotheses: Hypotheses, claim: BestClaim, reduced: bool, report: Report) -> BestPower:
    """The optimum of a claim, with the verdicts of the checker."""
    found = programme.solve(claim, report)
    if claim.parameters:
        claim, verdict = proved_on_interval(claim, found, report)
        return BestPower(hypotheses, claim, found, (verdict,), reduced, report)
    tree = found.variable.tree
    if found.exact and found.low and found.high:
        claim = replace(claim, value=tree(found.low.value))
        verdicts = [checker.check(claim, programme.certificate(claim, found, found.low, found.high))]
    else:
        parts = [(">=", found.low, found.low, None), ("<=", found.high, None, found.high)]
        claims = [(replace(claim, value=tree(end.value), bound=bound), low, high) for bound, end, low, high in parts if end]
        verdicts = [checker.check(c, programme.certificate(c, found, low, high)) for c, low, high in claims]
        claim = claims[-1][0]
    return BestPower(hypotheses, claim, found, tuple(v for v in verdicts if isinstance(v, Proved)), reduced, report)


def extension(found: BestPower) -> BestPower | None:
    """The optimum over mechanisms that are private on all datasets, or None where the box is too large or nothing was found."""
    old = found.claim
    try:
        rows = list(old.rows) if old.relation == "swap" else list(old.rows) + [row for row in box(list(old.rows)) if row not in set(old.rows)]
        claim = replace(old, rows=tuple(rows), everywhere=True, value=ZERO, bound="=")
        return proved(found.hypotheses, claim, found.reduced, found.report)
    except (BadInput, Rejected):
        return None


def as_mechanism(claim: BestClaim, found: programme.Found, hypotheses: Hypotheses) -> Mechanism:
    """The kernel of an optimum as a mechanism with one finite output: on all datasets if its rows are a box, else defined where they are."""
    if found.low is None:
        raise BadInput("power", "no mechanism was found", "give more time")
    domain, tree = claim.domain, found.variable.tree
    counts = [domain.count(r) for r in domain.records]
    ends = [(min(column), max(column)) for column in zip(*claim.rows, strict=True)]
    is_box = claim.relation != "swap" and set(cube(ends)) == set(claim.rows)
    if is_box:
        counts = [Min(Max(c, low), high) for c, (low, high) in zip(counts, ends, strict=True)]
    guesses = [eq(name("guess"), u) for u in range(len(claim.columns))]
    rows = [chosen([tree(x) for x in chances], guesses) for chances in found.low.kernel]
    density = chosen(rows, [at(counts, row) for row in claim.rows])
    return Mechanism(domain, outputs=[finite("guess", list(range(len(claim.columns))))], density=density, defined=None if is_box else where(claim, counts, ends),
                     name=f"best against {hypotheses}", parameters=dict(claim.parameters))  # fmt: skip


def chosen(values: list[Expression], conditions: list[Expression]) -> Expression:
    """The value whose condition holds, the last one if none does."""
    return piecewise(*zip(values[:-1], conditions[:-1], strict=True), (values[-1], TRUE)) if len(values) > 1 else values[0]


def at(counts: list[Expression], row: tuple[int, ...]) -> Expression:
    """That the counts are those of a row."""
    return reduce(and_, (eq(c, n) for c, n in zip(counts, row, strict=True)))


def where(claim: BestClaim, counts: list[Expression], ends: list[tuple[int, int]]) -> Expression:
    """That a dataset is one of the rows; short where these are all that have at most some number of records more than the least one."""
    base, most = [low for low, _ in ends], max(map(sum, claim.rows))
    if set(claim.rows) == {row for row in cube([(low, low + most - sum(base)) for low in base]) if sum(row) <= most}:
        return reduce(and_, (least <= c for c, least in zip(counts, map(number, base), strict=True) if least != ZERO), claim.domain.size <= most)
    return reduce(or_, (at(counts, row) for row in claim.rows))
