"""The least levels of a noise program: one for all moves of its answers, or one for each record.

The cheapest alignment gives a level that is proved to suffice.  That no lower one does is shown by
inputs at which the privacy loss is that level, or else by a checked refutation of a level that is
lower by a thousandth: then the level is approached, not attained, or the gap is no wider than that.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> noisy = Draw("nu", "laplace", parse("2/eps"), Release(parse("q[1] + nu"), Stop()))
>>> program = Program("noisy answer", (("eps", parse("eps > 0")),), Answers(1), noisy)
>>> print(least_levels(program, "all").rows[0].level)
eps/2
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from operator import and_

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.analysis.levels.table import aligned_lines
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.tables import html_table, latex_table
from ahdp_verify.kernel.checker import check, refute_program
from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.alignment import (
    Alignment,
    CutRuns,
    Region,
    Rounds,
    WholeRuns,
)
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.claim import RELATION_WORDS
from ahdp_verify.kernel.model.domain import Record
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim, moves_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    eq,
    multiply,
    name,
    number,
    oo,
    piecewise,
    substitute,
)
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Clock, Limits
from ahdp_verify.search.programs.bad_inputs import counterexamples
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.decide import (
    cost_units,
    greatest,
    needs_rounds,
    sample_parameters,
)
from ahdp_verify.search.programs.rounds import rounds_alignment
from ahdp_verify.search.programs.whole_runs import AreaShifts, RunsSearch
from ahdp_verify.search.stopping import stop_at_limits

HEAD = ("moves", "least level", "where", "shown")
LOWER = number("999/1000")  # of the level found, which is refuted where it is not attained
ATTAINED, LIMIT, NEARLY = "attained", "limit", "to a thousandth"
ENOUGH, NONE = "upper bound", "no level"
ALL_MOVES = "all moves"
LARGE = number(100)  # a level that is refuted where no alignment was found
EMPTY = Context.empty()
WHAT = "looking for inputs at which the level is needed"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ProgramLevel:
    """The least level of some moves.

    moves       all moves of the answers, or one record
    level       a level that is proved to suffice; None if none was found
    shown       ATTAINED: the loss of the refutation is the level; NEARLY: no level below 999/1000 of
                it suffices; LIMIT: besides, the largest loss for some move tends to the level,
                since the programmes of the cheapest shifts and of the largest loss are dual;
                ENOUGH: nothing was shown of lower levels; NONE: no level was found
    reason      why there is no level, or no proof
    proof       the proof that the level suffices
    refutation  what shows that lower levels do not, or that a large one does not
    """

    moves: str
    level: Expression | None
    shown: str
    reason: str = ""
    proof: Proved | None = None
    refutation: RefutedProgram | None = None

    @property
    def exact(self) -> bool:
        """Whether the level is known to be the least."""
        return self.shown in (ATTAINED, LIMIT)

    @property
    def bounds(self) -> Bounds:
        """The bounds on the least level."""
        if self.level is None:
            return Bounds(None, None)
        if self.exact:
            return Bounds(self.level, self.level)
        low = multiply(LOWER, self.level) if self.shown == NEARLY else None
        return Bounds(low, self.level)

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as texts, one for each column."""
        level = "" if self.level is None else str(self.level)
        return self.moves, level, self.where, self.shown

    @property
    def where(self) -> str:
        """The inputs and the outputs that show that lower levels do not suffice."""
        if self.refutation is None:
            return ""
        example = self.refutation.counterexample
        first, second = (
            f"({', '.join(map(str, side))})" for side in (example.first, example.second)
        )
        return f"{first} against {second}, outputs {example.event}"


@dataclass(frozen=True, slots=True)
class ProgramLevels:
    """The least levels of a noise program under a relation, for a number of queries (None: for any
    number of them).
    """

    program: Program
    relation: str
    queries: int | None
    rows: tuple[ProgramLevel, ...]

    __repr__ = short_repr

    @property
    def exact(self) -> bool:
        """Whether every row is exact."""
        return all(row.exact for row in self.rows)

    @property
    def level(self) -> Expression | None:
        """The level, if one row or all have the same; None otherwise."""
        first = self.rows[0].level if self.rows else None
        return first if all(row.level == first for row in self.rows) else None

    @property
    def title(self) -> str:
        """The title of the table."""
        asked = "" if self.queries is None else f" for {self.queries} queries"
        name_ = display_name(self.program.name) or "the program"
        return f"least level at which {name_} is {RELATION_WORDS[self.relation]}{asked}"

    @property
    def texts(self) -> list[tuple[str, ...]]:
        """The rows as texts, below a head."""
        return [HEAD, *(row.cells for row in self.rows)]

    @property
    def remarks(self) -> tuple[str, ...]:
        """The reasons of rows without a level, or without a proof."""
        return tuple(dict.fromkeys(f"{r.moves}: {r.reason}" for r in self.rows if r.reason))

    def __str__(self) -> str:
        remarks = (f"  {remark}" for remark in self.remarks)
        return "\n".join([self.title, *aligned_lines(self.texts), *remarks])

    def _repr_html_(self) -> str:
        return html_table(self.title, self.texts, self.remarks)

    def _repr_latex_(self) -> str:
        return latex_table(self.texts)


def least_levels(
    program: Program,
    relation: str,
    queries: int | None = None,
    limits: Limits | None = None,
    progress: Progress = lambda text: None,
) -> ProgramLevels:
    """The least level of a noise program: one for all moves (one, all, increasing, decreasing,
    add-remove, swap), or one for each record (ahdp).

    `queries` is the number of query answers, for a program on any number of them (None: for every
    number).  Raises BadInput for a relation that does not fit the program.
    """
    claim = ProgramClaim(program, relation, ZERO, ZERO, queries)
    search = LevelSearch(claim, (limits or Limits()).clock(), progress)
    return ProgramLevels(program, relation, queries, tuple(search.rows()))


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Moves that share a row: those of a record, or all; of each what its cheapest alignment costs
    on each path (None if there is none), the evidence, and whether nothing costs less.
    """

    text: str
    record: Record | None
    costs: tuple[tuple[dict[str, Fraction], ...] | None, ...]
    shown: tuple[WholeRuns | CutRuns | Rounds, ...]
    cheapest: bool = False


@dataclass(slots=True)
class LevelSearch:
    """The search for the least levels of one program; the level of `claim` is irrelevant."""

    claim: ProgramClaim
    clock: Clock
    progress: Progress
    costs: CostUnits = field(init=False)
    regions: tuple[Region, ...] = ()
    stopped: list[Declined] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.costs = cost_units(self.claim, sample_parameters(self.claim))

    def rows(self) -> Iterator[ProgramLevel]:
        """One row for each record (ahdp), or one for all moves."""
        reasons = list[Declined]()
        with self.clock.running(), stop_at_limits(reasons):
            self.progress("looking for the cheapest alignment")
            try:
                groups = self._groups()
            except Rejected as why:
                yield ProgramLevel(ALL_MOVES, None, NONE, str(why))
                return
            levels = [None if None in group.costs else self._greatest(group) for group in groups]
            claim = self._with_levels(groups, levels)
            proof = self._proof(claim, groups)
            self.progress(WHAT)
            for group, level in zip(groups, levels, strict=True):
                yield self._row(group, level, proof)
            return
        yield ProgramLevel(ALL_MOVES, None, NONE, reasons[0].reason)

    def _groups(self) -> list[MoveGroup]:
        """The moves that share a row, with the cheapest alignment of each."""
        moves = moves_of(self.claim)
        if needs_rounds(self.claim):
            found = rounds_alignment(self.claim, self.costs, self.clock)
            if found is None:
                return [MoveGroup(ALL_MOVES, None, (None,), ())]
            return [MoveGroup(ALL_MOVES, None, tuple((c,) for c in found[1]), found[0].moves)]
        search = RunsSearch(self.claim, self.costs, self.clock)
        self.regions = search.regions
        laws = {noise.law for area in search.areas for noise in area.draws}
        costs, shown, cheapest = [], [], []
        for one in moves:
            areas = search.cheapest(one)
            most = max(areas or [], key=lambda shifts: shifts.cost, default=None)
            # whole shifts have no dual programme, and far Gaussian noise does not pay its prices
            dual = not laws & {"geometric", "gaussian"} and self.claim.n is not None
            cheapest.append(dual and most is not None and most.cheapest)
            costs.append(None if areas is None else _costs(areas))
            shown.append(WholeRuns(() if areas is None else search.evidence(areas)))
        inputs = self.claim.program.inputs
        if self.claim.relation != "ahdp" or not isinstance(inputs, RecordAnswers):
            return [MoveGroup(ALL_MOVES, None, tuple(costs), tuple(shown), all(cheapest))]
        return [
            MoveGroup(
                str(r),
                r,
                tuple(costs[2 * i : 2 * i + 2]),
                tuple(shown[2 * i : 2 * i + 2]),
                all(cheapest[2 * i : 2 * i + 2]),
            )
            for i, r in enumerate(inputs.domain.records)
        ]

    def _greatest(self, group: MoveGroup) -> Expression:
        """A level that covers all costs of a group: the greatest of them, or the sum of the
        greatest multiples of each unit.
        """
        spent = [s for costs in group.costs for s in costs or ()]
        found = greatest(self.costs, spent)
        return cover(self.costs, spent) if found is None else found

    def _with_levels(
        self, groups: list[MoveGroup], levels: list[Expression | None]
    ) -> ProgramClaim:
        """The claim with the level found for each record, oo where none was found."""
        if groups[0].record is None:
            return replace(self.claim, level=ZERO if levels[0] is None else levels[0])
        branches: list[tuple[Expression, Expression]] = []
        for group, level in zip(groups, levels, strict=True):
            if group.record is not None:
                here = reduce(and_, (eq(name(k), v) for k, v in group.record.bindings.items()))
                branches.append((oo if level is None else level, here))
        if len({str(level) for level, _ in branches}) == 1:
            return replace(self.claim, level=branches[0][0])
        return replace(self.claim, level=piecewise(*branches[:-1], (branches[-1][0], TRUE)))

    def _proof(self, claim: ProgramClaim, groups: list[MoveGroup]) -> Proved | None:
        shown = [m for group in groups if None not in group.costs for m in group.shown]
        alignment = Alignment(claim.fingerprint, self.regions, tuple(shown))
        try:
            return check(claim, alignment, None, sample_parameters(claim))
        except Rejected:
            return None

    def _row(
        self, group: MoveGroup, level: Expression | None, proof: Proved | None
    ) -> ProgramLevel:
        """The row of a group, once inputs have been sought at which a lower level fails."""
        if level is None:
            refuted = self._refutation(self._claim_of(group, LARGE))
            reason = "no shifts of the noises keep every output"
            if refuted is not None and refuted.loss is None:
                return ProgramLevel(group.text, oo, ATTAINED, "", None, refuted)
            return ProgramLevel(group.text, None, NONE, reason, None, refuted)
        if proof is None:
            return ProgramLevel(group.text, None, NONE, f"{level} was not proved to suffice")
        if level == ZERO:
            return ProgramLevel(group.text, level, ATTAINED, "", proof)
        refuted = self._refutation(self._claim_of(group, multiply(LOWER, level)))
        if refuted is None:
            why = self.stopped[0].reason if self.stopped else ""
            return ProgramLevel(group.text, level, ENOUGH, why, proof)
        shown = LIMIT if group.cheapest else NEARLY
        if self._is_attained(refuted, level):
            shown = ATTAINED
        return ProgramLevel(group.text, level, shown, "", proof, refuted)

    def _claim_of(self, group: MoveGroup, level: Expression) -> ProgramClaim:
        """The claim with this level for the moves of a group, and oo for all others."""
        if group.record is None:
            return replace(self.claim, level=level)
        here = reduce(and_, (eq(name(k), v) for k, v in group.record.bindings.items()))
        return replace(self.claim, level=piecewise((level, here), (oo, TRUE)))

    def _refutation(self, claim: ProgramClaim) -> RefutedProgram | None:
        """A refutation of the claim; None if none was found, or if the search was stopped."""
        with stop_at_limits(self.stopped):
            for example in counterexamples(claim, self.clock):
                try:
                    return refute_program(claim, example)
                except (Rejected, Unsupported):
                    continue
        return None

    @staticmethod
    def _is_attained(refuted: RefutedProgram, level: Expression) -> bool:
        """Whether the loss at the refutation is the level itself."""
        given = dict(refuted.counterexample.parameters)
        wanted = normal(substitute(level, given), EMPTY)
        return refuted.loss is not None and constant_sign(refuted.loss - wanted) == 0


def _costs(areas: list[AreaShifts]) -> tuple[dict[str, Fraction], ...]:
    return tuple(spent for shifts in areas for _, _, spent in shifts.rows)


def cover(costs: CostUnits, listed: list[dict[str, Fraction]]) -> Expression:
    """The sum of the greatest multiples of each unit."""
    units = {unit for spent in listed for unit in spent}
    return costs.total({u: max(spent.get(u, Fraction(0)) for spent in listed) for u in units})
