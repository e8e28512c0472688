"""The results of `tighten`: for every record, or pair, or for all moves (steps between neighbouring
inputs) together, the least level that holds.

A row is exact when a proof shows that its level suffices and an event, or a limit of events, shows
that no lower one does. Otherwise `bounds` holds what is known of the least level, and `reason` what
is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.display.short_repr import named_repr, short_repr
from ahdp_verify.display.tables import html_table, latex_table
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, value_at_bindings
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, assume_known_facts
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.rules.obligations import mechanism_context
from ahdp_verify.kernel.terms.expression import ZERO, Expression, exp, names, number, oo
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits, OutOfLimits
from ahdp_verify.search.loss.largest import condition_samples
from ahdp_verify.search.loss.largest import level_at_sample as value_at
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.sign_queries import answer_with_signs
from ahdp_verify.search.simplify import is_same_value

HEAD = ("record", "least level", "upward", "downward", "where", "shown")
WIDE = 12  # characters of a level above which its row says "same" instead of repeating it
NOTHING_COMPARED = "nothing is compared"  # in the place of a row, of which level 0 is proved
SECONDS = 5.0  # seconds for the comparison of two expressions


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One record (removed record, pair, or all moves).

    level       a level that is proved to suffice; None if none was found; oo if an event of
                probability 0 on one side shows that there is none
    low         no lower level suffices, 0 where nothing was shown; equal to `level` in an exact row
    upward, downward    the suprema that were found of log p(D')/p(D) and of log p(D)/p(D') for
                        moves from D to D'; for a relation that lists
                the inverse of every move (swap, any, all) `upward` is that of log p(D)/p(D') and
                there is no `downward`
    where       the event at which the level is attained ("attained at ...") or approached
                ("limit ...")
    exact, reason       whether low and level are the same, or what is missing
    proof       the proof that `level` suffices; None for oo
    refutation  what shows that the loss is infinite, or refutes a large finite level, or the level
                lowered by a thousandth
    values      the values of the names in the level in this row
    """

    record: str
    level: Expression | None
    low: Expression
    upward: Expression | None
    downward: Expression | None
    where: str
    exact: bool
    reason: str = ""
    proof: Proved | None = None
    refutation: Refuted | None = None
    values: tuple[tuple[str, Expression], ...] = ()

    def __repr__(self) -> str:
        return named_repr(self, f"{self.record}: {self.bounds}")

    @property
    def bounds(self) -> Bounds:
        """The bounds on the least level."""
        if self.exact:
            return Bounds(self.level, self.level)
        return Bounds(None if self.low == ZERO else self.low, self.level)

    @property
    def value(self) -> Expression | None:
        """The least level, oo if there is none; None where it is not known."""
        return self.bounds.value

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as texts, one for each column; losses that support no bound are left out of a row
        that is not exact.
        """
        level = str(self.bounds)
        each = (self._loss(e, level) for e in (self.upward, self.downward))
        return self.record, level, *each, self.where, self._shown

    def _loss(self, e: Expression | None, level: str) -> str:
        """The loss of one direction in its column."""
        if e is None or (not self.exact and (e != self.low or e == ZERO)):
            return ""
        if e in (self.level, self.low) and len(level) > WIDE:
            return "same"
        return str(e) if self.exact else f"at least {e}"

    @property
    def _shown(self) -> str:
        """How much of the value is shown."""
        return "exact" if self.exact else self.bounds.kind


@dataclass(frozen=True, slots=True)
class Levels:
    """The least levels of a mechanism: `rows`, and one `formula` (in x, eps, or the unknowns)
    for all of them where there is one.
    """

    claim: Claim
    rows: tuple[LevelRow, ...]
    formula: Expression | None = None
    notes: tuple[str, ...] = field(default=())

    __repr__ = short_repr

    @property
    def level(self) -> Expression | None:
        """One expression whose value at every record is that record's least level, or None."""
        return self.sufficient if self.exact else None

    @property
    def sufficient(self) -> Expression | None:
        """One expression whose value at every record is proved to suffice there, or None."""
        if self.formula is not None:
            return self.formula
        first = self.rows[0].level if self.rows else None
        return first if all(r.level == first for r in self.rows) else None

    @property
    def exact(self) -> bool:
        """True if every row is exact."""
        return all(r.exact for r in self.rows)

    @property
    def here(self) -> Context:
        """The facts about the names in a level."""
        return claim_context(self.claim)

    def matches(self, expression: Expression) -> bool:
        """True if the expression is shown to equal the exact level of every row; False if it
        differs, or nothing was shown.
        """
        return all(self._matches(row, expression) for row in self.rows)

    def matches_downward(self, expression: Expression) -> bool:
        """True if the largest loss when a record is taken away is shown to be the expression in
        every row.
        """
        return all(
            row.downward is not None and is_same_value(row.downward, expression, self.here)
            for row in self.rows
        )

    def least_in_its_names(self, expression: Expression) -> bool:
        """True if the expression is shown to be the least level among those that depend on its
        names only (a constant for all records, say).
        """
        used = names(expression)
        groups: dict[tuple[tuple[str, Expression], ...], list[LevelRow]] = {}
        for row in self.rows:
            groups.setdefault(tuple((k, v) for k, v in row.values if k in used), []).append(row)
        return all(self._matches(self.largest(rows), expression) for rows in groups.values())

    def largest(self, rows: list[LevelRow]) -> LevelRow:
        """The row of the largest level: the first that is oo, else one of which no level is
        known, else the first of those not known to be smaller.
        """
        best = next(
            (r for r in rows if r.level == oo), next((r for r in rows if r.level is None), rows[0])
        )
        for row in rows[1:]:
            if best.level in (oo, None) or row.level is None:
                return best
            if not _is_at_most(row.level, best.level, self.here, Limits(seconds=SECONDS).clock()):
                best = row
        return best

    def _matches(self, row: LevelRow, expression: Expression) -> bool:
        clock, bound = Limits(seconds=SECONDS).clock(), dict(row.values)
        try:
            here, value = answer_with_signs(
                self.here, clock, lambda h: value_at_bindings(expression, bound, h)
            )
            level = row.value
            return (
                level is not None
                and not self._differ(value, level)
                and is_same_level(value, level, here)
            )
        except (Undecided, Unsupported, OutOfLimits, ZeroDivisionError):
            return False

    def _differ(self, a: Expression, b: Expression) -> bool:
        """True if the two have different values at some sample of the parameters and unknowns."""
        inputs = self.claim.mechanism.inputs
        conditions = (
            *self.claim.mechanism.parameters,
            *(inputs.unknowns if isinstance(inputs, Domain) else ()),
        )
        values = (
            [(value_at(a, sample), value_at(b, sample)) for sample in condition_samples(conditions)]
            if oo not in (a, b)
            else []
        )
        return any(
            p is not None and q is not None and constant_sign(p - q) in (1, -1) for p, q in values
        )

    def __str__(self) -> str:
        return "\n".join(
            [
                self.title,
                *aligned_lines(self.texts),
                *(f"  {n}" for n in self.remarks),
            ]
        )

    @property
    def title(self) -> str:
        """The title of the table."""
        formula = f": {self.level}" if self.level is not None else ""
        return (
            f"least {self.claim.relation} level of "
            f"{display_name(self.claim.mechanism.name) or 'the mechanism'}{formula}"
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """The reasons of the rows that are not exact, or that have no finite level."""
        return (
            *dict.fromkeys(f"{r.record}: {r.reason}" for r in self.rows if r.reason),
            *self.notes,
        )

    def _repr_html_(self) -> str:
        return html_table(self.title, self.texts, self.remarks)

    def _repr_latex_(self) -> str:
        return latex_table(self.texts)

    @property
    def texts(self) -> list[tuple[str, ...]]:
        """The rows as texts, below a head."""
        return [HEAD, *(r.cells for r in self.rows)]


def aligned_lines(rows: list[tuple[str, ...]]) -> list[str]:
    """The rows as lines with aligned columns; a column that is empty below its head is left out."""
    kept = [j for j in range(len(rows[0])) if any(r[j] for r in rows[1:])]
    widths = {j: max(len(r[j]) for r in rows) for j in kept}
    return ["  ".join(r[j].ljust(widths[j]) for j in kept).rstrip() for r in rows]


def claim_context(claim: Claim) -> Context:
    """What is known of the parameters and, in a universal domain, of the unknowns of a record."""
    here = mechanism_context(claim.mechanism)
    inputs = claim.mechanism.inputs
    for _, condition in inputs.unknowns if isinstance(inputs, Domain) else ():
        here = assume_known_facts(condition, here)
    return here


def is_same_level(a: Expression, b: Expression, here: Context) -> bool:
    """True if two levels are shown to be equal: by their canonical forms, or by a proof of both
    inequalities.
    """
    if oo in (a, b):
        return a == b
    if is_same_value(a, b, here):
        return True
    clock = Limits(seconds=SECONDS).clock()
    return _is_at_most(a, b, here, clock) and _is_at_most(b, a, here, clock)


def _is_at_most(a: Expression, b: Expression, here: Context, clock: Clock) -> bool:
    """True if a <= b is proved here, as exp(a) <= exp(b) * 1."""
    try:
        return (
            prove_inequality(Dominated(exp(a)), Dominating(number(1)), b, here, clock) is not None
        )
    except (Undecided, Unsupported, Rejected, OutOfLimits, BadInput, ZeroDivisionError):
        return False
