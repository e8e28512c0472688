"""The lines of a proof by randomness alignment: for each kind of move, and each path of the
program, by how much the noises are shifted and what that costs.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.verify import verify
>>> noisy = Draw("nu", "laplace", parse("1/eps"), Release(parse("q[1] + nu"), Stop()))
>>> program = Program("noisy answer", (("eps", parse("eps > 0")),), Answers(1), noisy)
>>> proof = verify(ProgramClaim(program, "all", parse("eps")))
>>> lines = LineWriter()
>>> explain_alignment(proof, lines)
>>> print(*lines.done[-2].below, sep="\\n")
step                 in the second run  cost
--------------------------------------------
nu ~ laplace(1/eps)  nu - d[1]          eps
output q[1] + nu     the same
stop
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.display.program_text import (
    name_in_words,
    parameters_text,
    program_inputs_text,
    program_lines,
    state_name,
)
from ahdp_verify.explanation.numbered_lines import LineWriter, comparison_piece
from ahdp_verify.explanation.program_steps import (
    END,
    ITEM,
    Steps,
    area_steps,
    contest_steps,
    run_steps,
    tree_steps,
)
from ahdp_verify.explanation.shift_tables import (
    Motion,
    ShiftedPath,
    Vector,
    amount_name,
    listed_values,
    path_table,
    shifted_paths,
    shifted_text,
    simple,
)
from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.evidence.alignment import (
    Alignment,
    CutRuns,
    Head,
    PathShifts,
    Rounds,
    WholeRuns,
)
from ahdp_verify.kernel.model.program import Contest, Draw, Program, Tree, children
from ahdp_verify.kernel.model.program_claim import OTHER, Moves, ProgramClaim, moves_of
from ahdp_verify.kernel.model.program_paths import Path, PathTable
from ahdp_verify.kernel.rules.alignment import Area, area_of_path, areas_of_runs, contest_area
from ahdp_verify.kernel.rules.compared import ComparedValues
from ahdp_verify.kernel.terms.expression import Expression, add, multiply, names, sqrt
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.programs.costs import CostUnits
from ahdp_verify.search.programs.decide import sample_parameters

PRIVATE = {
    "ahdp": "a record (x, eps) is added to a dataset or removed from it",
    "add-remove": "a record is added to a dataset or removed from it",
    "swap": "a record of a dataset is replaced by another one",
    "one": "one answer moves by at most 1",
    "all": "all answers move, each by at most 1",
    "increasing": "all answers grow, or all fall, each by at most 1",
    "decreasing": "all answers grow, or all fall, each by at most 1",
}
COSTS = {
    "laplace": "abs(s)/b for Laplace noise of scale b",
    "geometric": "abs(s)/b for geometric noise of scale b, where s is a whole number",
    "exponential": "s/b for exponential noise of scale b, where s >= 0",
    "gumbel": "s/b for Gumbel noise of scale b, where s >= 0",
    "gaussian": (
        "t*abs(s)/b^2 + s^2/(2*b^2) for Gaussian noise of standard deviation b that lies between -t "
        "and t, and of other Gaussian noise 0 for s = 0 alone"
    ),
}
METHOD = (
    "To each run on the first input belongs a second run, on the second input: every noise x is "
    "replaced by x + s. The second run takes the same path, and outputs the same, if no gap on this "
    "path shrinks, and no number that is output changes; a gap is the difference of the two sides of a "
    "comparison that holds."
)
COST = "The density of the noise in the first run is at most exp(cost) times that in the second run, where "
LISTED = 3  # answers whose moves are listed


def explain_alignment(verdict: Proved, lines: LineWriter) -> None:
    """The lines of a proof about a noise program."""
    claim, proof = verdict.claim, verdict.certificate
    if not isinstance(claim, ProgramClaim) or not isinstance(proof, Alignment):
        raise Rejected("the certificate proves no such claim")
    introduce_program(claim, lines)
    lines.say(METHOD)
    costs = "; ".join(COSTS[law] for law in laws_of(claim.program))
    varying = " A shift that depends on d costs what its largest value costs."
    depends = any(m.box for m in moves_of(claim))
    lines.say(COST, f"a shift by s costs {costs}.{varying if depends else ''}")
    told = _Told(claim, proof, PathTable(claim.program), _sample(verdict), lines)
    kinds = moves_of(claim)
    numbers = [told.moves(m, shown) for m, shown in zip(kinds, proof.moves, strict=True)]
    many = f"from {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"from {numbers[0]}"
    reason = f"{many}, by the alignment rule, since exactly one path is taken in each run"
    lines.add(reason, one_line(str(claim)), head=True)


def introduce_program(claim: ProgramClaim, lines: LineWriter) -> None:
    """The claim in words, and the program."""
    slack = () if str(claim.delta) == "0" else (", and an additional ", claim.delta)
    lines.say(
        f"Claimed: when {PRIVATE[claim.relation]}, the probability of every set of outputs changes by "
        "at most the factor exp(L)",
        *slack,
        ", up or down, where L = ",
        claim.level,
        ".",
    )
    program = claim.program
    given = f", with the parameters {parameters_text(program)}" if program.parameters else ""
    said = f"The program, run on {program_inputs_text(program.inputs)}{given}:"
    lines.say(said, below=program_lines(program))
    if claim.queries is not None:
        lines.say(f"The claim is about {claim.queries} queries.")


def laws_of(program: Program) -> list[str]:
    """The laws of the noises that a program draws."""

    def drawn(tree: Tree) -> Iterator[str]:
        if isinstance(tree, Draw):
            yield tree.law
        elif isinstance(tree, Contest):
            yield from (law for _, law, _ in tree.draws)
        for child in children(tree):
            yield from drawn(child)

    trees = [program.start, *(tree for s in program.states for tree in (s.body, s.end))]
    return [law for law in COSTS if any(law in drawn(tree) for tree in trees)]


def _sample(verdict: Proved) -> dict[str, Expression]:
    """Values of the parameters, at which costs are compared to list the highest first."""
    found = verdict.compared
    if not isinstance(found, ComparedValues) and isinstance(verdict.claim, ProgramClaim):
        found = sample_parameters(verdict.claim)
    return dict(found.values) if isinstance(found, ComparedValues) else {}


def move_pieces(moves: Moves) -> Iterator[str]:
    """What a kind of move does to the answers."""
    moved = [(key, dict(v)) for key, v in moves.values if v]
    shown = []
    for key, v in moved[:LISTED]:
        of, own = ("each other answer ", "q'") if key == OTHER else ("", key)
        shown.append(f"{of}{own} becomes {shifted_text(own, v)}")
    more = [f"... {len(moved) - LISTED} more"] if len(moved) > LISTED else []
    yield f": {', '.join((*shown, *more))}" if shown else ""
    ends = dict.fromkeys((low, high) for _, low, high in moves.box)
    for low, high in ends:
        names = [amount_name(key) for key, *box in moves.box if tuple(box) == (low, high)]
        few = names if len(names) <= LISTED else [names[0], "...", names[-1]]
        yield f", where {low} <= {', '.join(few)} <= {high}"
    if moves.scaled:
        yield "; if it moves by t times as much, with 0 <= t <= 1, all shifts are multiplied by t"


@dataclass(frozen=True, slots=True)
class _Told:
    """Tells one proof."""

    claim: ProgramClaim
    proof: Alignment
    table: PathTable
    sample: dict[str, Expression]
    lines: LineWriter

    def moves(self, moves: Moves, shown: WholeRuns | CutRuns | Rounds) -> str:
        """The number of the line of a kind of move; the lines of its paths are below it."""
        reason = "moves that the relation allows"
        said = (f"{one_line(moves.text)}{''.join(move_pieces(moves))}; L = ", moves.level)
        number = self.lines.add(reason, *said, head=True)
        with self.lines.inside():
            if isinstance(shown, Rounds):
                self._rounds(moves, shown)
            else:
                self._runs(moves, shown)
        return number

    # a fixed number of queries

    def _runs(self, moves: Moves, shown: WholeRuns | CutRuns) -> None:
        """The lines of all paths, of those that cost the same only one; the highest cost first."""
        motion = self._motion(moves, ())
        if isinstance(shown, CutRuns):
            motion = replace(motion, cuts=dict(shown.cuts))
            self._cut(motion)
        areas, start = self._areas(), self.claim.program.start
        whole = self.claim.program.inputs.whole
        groups: dict[Expression, list[tuple[int, ShiftedPath]]] = {}
        never: list[int] = []
        for i, (area, shifts) in enumerate(zip(areas, shown.shifts, strict=True)):
            paths = list(shifted_paths(area, shifts, moves, motion, whole))
            if paths:
                dearest = max(paths, key=lambda path: self._weight(path.cost))
                groups.setdefault(dearest.cost, []).append((i, dearest))
            else:
                never.append(i)
        steps = self._steps({group[0][0] for group in groups.values()}, areas, start)
        for cost in sorted(groups, key=self._weight, reverse=True):
            (i, path), *others = groups[cost]
            self._path(steps[i], path, moves.level, len(others))
        if never:
            self.lines.add(
                "comparisons on it contradict each other",
                f"{len(never)} more {_paths(len(never))}: no noise leads there",
            )

    def _cut(self, motion: Motion) -> None:
        """The line that says where Gaussian noise is cut."""
        ends: dict[Expression, dict[str, None]] = {}
        for noise in (d for area in self._areas() for d in area.draws if d.name in motion.cuts):
            w = motion.cuts[noise.name]
            end = multiply(noise.scale, sqrt(2 * w))
            end = end if names(w) else simple(end, motion.here)
            ends.setdefault(end, {})[name_in_words(noise.name, motion.n)] = None
        said = [
            f"{keys[0] if len(keys) == 1 else f'{keys[0]}, ..., {keys[-1]}'} between -t and t = {end}"
            for end, keys in ((end, list(found)) for end, found in ends.items())
        ]
        self.lines.add(
            "on every path the tails of these noises add up to at most that",
            f"but with probability {self.claim.delta} or less, {'; '.join(said)}",
        )

    def _path(self, steps: Steps, path: ShiftedPath, level: Expression, others: int) -> None:
        """The line of a path of whole runs, with its table."""
        if self.claim.n is None:
            told = f"the query that wins ({outcome_text(steps)})"
        elif self.proof.regions:
            told = f"all paths with {outcome_text(steps)}, taken together"
            told += f"; those of {others} more outputs cost the same" if others else ""
        else:
            told = f"a path ({outcome_text(steps)})"
            told += f"; {others} more cost{'s' if others == 1 else ''} the same" if others else ""
        self.lines.add(
            f"what it costs; it may be up to L{corner_text(path)}",
            f"{told}: ",
            comparison_piece(path.cost, "<=", level),
            below=path_table(path, steps, None),
        )

    def _areas(self) -> list[Area]:
        start = self.claim.program.start
        if self.claim.n is None and isinstance(start, Contest):
            return [contest_area(self.table, start)]
        return areas_of_runs(self.table, self.claim.n or 0, self.proof.regions)

    def _steps(self, wanted: set[int], areas: list[Area], start: Tree) -> dict[int, Steps]:
        """The steps of the paths with these indices."""
        n = self.claim.n or 0
        if self.claim.n is None and isinstance(start, Contest):
            return {0: contest_steps(start)}
        if self.proof.regions or isinstance(start, Contest):
            return {i: area_steps(areas[i], n) for i in wanted}
        return {i: s for i, s in enumerate(run_steps(self.claim.program, n)) if i in wanted}

    # any number of queries

    def _rounds(self, moves: Moves, shown: Rounds) -> None:
        still = Moves(moves.text, moves.level, (), (), False, moves.scaled)
        heads = {(head.state, head.phase): head for head in shown.heads}
        round_ = _Round(shown.start, 0, still, (), moves.level)
        self.lines.add(
            "the level",
            "before the first query, the cost may be up to ",
            moves.level,
            head=True,
        )
        with self.lines.inside():
            self._round_paths(self.claim.program.start, self.table.start, round_, heads)
        for head in shown.heads:
            self._head(moves, still, shown, head)

    def _head(self, moves: Moves, still: Moves, shown: Rounds, head: Head) -> None:
        """The lines of a state in a phase."""
        heads = {(h.state, h.phase): h for h in shown.heads}
        state = self.claim.program.state(head.state)
        phase = phase_text(head.phase, shown.ages) if moves.single else ""
        reason = "every path that leads here leaves this"
        self.lines.add(
            reason,
            f"in state {state_name(head.state)}{phase}, {differences_text(head.differences)}; the "
            "cost from here on may be up to ",
            head.left,
            head=True,
        )
        with self.lines.inside():
            for phase_after, shifts in head.bodies:
                moving = not moves.single or (head.phase == 0 and phase_after == 1)
                of_query = (
                    moves
                    if moving
                    else Moves(still.text, still.level, (("q", ()),), (), False, still.scaled)
                )
                round_ = _Round(shifts, phase_after, of_query, head.differences, head.left)
                asked = ", if this is the answer that moves" if moving else ", if this answer stays"
                self._round_paths(
                    state.body,
                    self.table.bodies[head.state],
                    round_,
                    heads,
                    asked if moves.single and head.phase == 0 else "",
                )
            if head.end:
                round_ = _Round(head.end, head.phase, still, head.differences, head.left)
                self._round_paths(
                    state.end, self.table.ends[head.state], round_, heads, ", if no query is left"
                )

    def _round_paths(
        self,
        tree: Tree,
        paths: Sequence[Path],
        of: _Round,
        heads: dict[tuple[str, int], Head],
        asked: str = "",
    ) -> None:
        """The lines of the paths of one tree."""
        motion = self._motion(of.moves, of.kept)
        whole = self.claim.program.inputs.whole
        listed = zip(tree_steps(tree), paths, of.shifts, strict=True)
        for i, ((steps, _), path, shifts) in enumerate(listed, 1):
            found = next(shifted_paths(area_of_path(path), shifts, of.moves, motion, whole), None)
            if found is None:
                self.lines.add(
                    "comparisons on it contradict each other",
                    f"path {i}{asked}: no noise leads there",
                )
                continue
            then = heads.get((getattr(path.end, "state", ""), of.phase))
            total = found.cost if then is None else simple(add(found.cost, then.left), motion.here)
            what = "what it costs" + ("" if then is None else ", and what is left after it")
            calm = "" if found.moves_something(then) else "; no noise is shifted"
            self.lines.add(
                f"{what}; it may be up to {of.left}{calm}",
                f"path {i} ({outcome_text(steps)}){asked}: ",
                comparison_piece(total, "<=", of.left),
                below=path_table(found, steps, then) if found.moves_something(then) else (),
            )

    def _motion(self, moves: Moves, kept: tuple[tuple[str, Fraction], ...]) -> Motion:
        values: dict[str, Vector] = {key: dict(v) for key, v in moves.values}
        values |= {key: {"": d} for key, d in kept}
        return Motion(values, moves.box, self.table.here, self.claim.n or 0)

    def _weight(self, cost: Expression) -> float:
        """The value of a cost at the sample; 0 if there is none."""
        try:
            return CostUnits(self.table.here, self.sample).at_sample(cost)
        except Unsupported:
            return 0.0


@dataclass(frozen=True, slots=True)
class _Round:
    """What holds on the paths of one tree: their shifts, the phase after it, how the answer moves,
    how the registers differ, and what may be spent.
    """

    shifts: tuple[PathShifts, ...]
    phase: int
    moves: Moves
    kept: tuple[tuple[str, Fraction], ...]
    left: Expression


def _paths(number: int) -> str:
    return "path" if number == 1 else "paths"


def outcome_text(steps: Steps) -> str:
    """What a path outputs, and how it ends."""
    said = [step.text for step in steps if step.kind == ITEM]
    if len(said) > 4:
        said = [*said[:2], f"... {len(said) - 3} more ...", said[-1]]
    waits = [step.text for step in steps[-1:] if step.kind == END and step.text != "stop"]
    return ", ".join((*said, *waits)) or "no output"


def corner_text(path: ShiftedPath) -> str:
    """For which amounts the table is, if there is one for each vertex."""
    if path.corner is None:
        return ""
    values = listed_values(path.corner.items())
    return (
        f"; this is the table for {values}, the one that costs most of {path.corners}; between these "
        "amounts the shifts are averages of theirs"
    )


def phase_text(phase: int, ages: int) -> str:
    """How long ago the answer moved."""
    if phase == 0:
        return ", before the answer that moves"
    if phase == ages:
        return f", {phase} or more queries after it"
    return f", {phase} {'query' if phase == 1 else 'queries'} after it"


def differences_text(differences: Iterable[tuple[str, Fraction]]) -> str:
    """By how much the registers differ."""
    told = [
        f"{key} is {'larger' if d > 0 else 'smaller'} by {abs(d)}" for key, d in differences if d
    ]
    return f"{', '.join(told)} in the second run" if told else "both runs keep the same values"
