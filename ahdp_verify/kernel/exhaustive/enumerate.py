"""A claim on all datasets of at most n records, decided exactly for all moves between them and all
outputs; a trusted module.

A dataset matters only through the values of the law's record aggregates, so datasets with the same
values are one row, and each pair of rows joined by a move is compared once.  `proved_sizes`
enumerates the datasets by size: when it yields m, the claim is shown for all moves between datasets
of at most m records, and the first violation that it raises is one of the smallest.  For a `Values`
input there is one step, over all pairs of values.  The rows are compared by
`ahdp_verify.kernel.exhaustive.distribution_table` (finite outputs) or
`ahdp_verify.kernel.exhaustive.one_output` (one other output, and atoms).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ahdp_verify.kernel.errors import Rejected, Unsupported
from ahdp_verify.kernel.exhaustive.arrays import Array, np, numpy_module
from ahdp_verify.kernel.exhaustive.datasets import DatasetSpace, RecordChange
from ahdp_verify.kernel.exhaustive.distribution_table import (
    DistributionTable,
    InputRows,
    Tick,
    check_is_one,
)
from ahdp_verify.kernel.exhaustive.grid import Column, columns_of, constant_value, node_value
from ahdp_verify.kernel.exhaustive.one_output import (
    PiecewiseLaw,
    hockey_stick_divergence,
    is_dominated,
    larger_constant,
    largest_ratio,
    piecewise_law,
)
from ahdp_verify.kernel.exhaustive.one_output import known_sign as of_sign
from ahdp_verify.kernel.exhaustive.violation import ClaimViolated
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import value_bindings
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import JOINT, Mechanism, Output, outcome_count
from ahdp_verify.kernel.model.neighbours import ONE_WAY, known_value_at_record, substitute_nodes
from ahdp_verify.kernel.model.replacements import agreement_conditions
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.events import total_probability
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.rules.obligations import mechanism_frame
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    multiply,
    name,
    names,
    oo,
    substitute,
)

EMPTY = Context.empty()
# consecutive rows of one part: their moves lead to few other rows, whose laws are then computed by
# few parts
TOGETHER = 64


class Comparer(Protocol):
    """An object that compares rows: `grow` before rows are used, then `violation` for pairs of
    them, most efficient for at least `step` new rows at a time.
    """

    step: int

    def grow(self, number: int) -> None: ...

    def violation(
        self, first: Array, second: Array, level: Ratio, both: bool
    ) -> tuple[int, bool] | None: ...


def ignore_message(message: str) -> None:
    """Ignores the message: no progress report and no limit."""
    del message


@dataclass(frozen=True, slots=True)
class EnumerationJob:
    """The datasets to compare: those of at most `most` records, of which those of at most `done`
    have been compared already.

    `massive`: that the law is >= 0 and has total 1 is shown elsewhere; otherwise it is shown for
    every row.  `tick` receives a text on the current step, and may raise.  Of several `parts` of
    the rows this is number `part`: only its moves are compared, and only its totals shown.
    """

    most: int
    massive: bool
    tick: Tick = ignore_message
    done: int = 0
    part: int = 0
    parts: int = 1

    def is_own(self, rows: Any) -> Any:
        """Which rows are in this part: of each row one part says so."""
        return rows // TOGETHER % self.parts == self.part


def proved_sizes(claim: Claim, job: EnumerationJob) -> Iterator[int]:
    """Each size up to which the claim is shown, in order, the last one being `job.most`.

    Raises ClaimViolated at the first violation, Unsupported or Rejected for what is not decided
    here.
    """
    _check_enumerable(claim, job.most)
    shown = _of_values if isinstance(claim.mechanism.inputs, Values) else _of_datasets
    try:
        yield from shown(claim, job)
    except MemoryError:
        raise Unsupported("there is not enough memory; give a smaller size") from None


def _check_enumerable(claim: Claim, most: int) -> None:
    """Nothing for a claim that can be enumerated here; Unsupported with the obstacle otherwise."""
    m = claim.mechanism
    numpy_module()
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise Unsupported("a size is an integer of at least 1")
    if m.parameters:
        raise Unsupported(
            f"the parameter {m.parameters[0][0]} has no value; enumeration needs numbers"
        )
    if not isinstance(m.inputs, Domain | Values) or (
        isinstance(m.inputs, Domain) and m.inputs.is_universal
    ):
        raise Unsupported(
            "there are infinitely many inputs of every size; list the records or values"
        )
    if claim.delta_nodes:
        raise Unsupported("delta depends on the record")
    if of_sign(normal(claim.delta, EMPTY)) < 0:
        raise Unsupported("delta is negative")
    if not is_table(m) and len(m.outputs) > 1 and claim.delta != ZERO:
        raise Unsupported(
            f"a delta for several outputs is enumerated where these have at most {JOINT} "
            f"combinations"
        )


def is_table(m: Mechanism) -> bool:
    """Whether the combinations of outputs can be listed; others need a factor for each output."""
    return all(o.kind == "finite" for o in m.outputs) and outcome_count(m.outputs) <= JOINT


def comparer(claim: Claim, rows: InputRows, job: EnumerationJob) -> Comparer:
    """The comparer of the rows of a claim."""
    m, tick, delta = claim.mechanism, job.tick, normal(claim.delta, EMPTY)
    if not is_table(m):
        return _FactoredRows(m, rows, job, delta)
    listed = np.indices([len(o.values) for o in m.outputs]).reshape(len(m.outputs), 1, -1)
    outcomes = {
        name(o.name): Column(codes, o.values) for o, codes in zip(m.outputs, listed, strict=True)
    }
    table = DistributionTable(m.density, rows, outcomes, tick, delta, not job.massive)
    table.is_own = job.is_own
    return table


def _concrete_nodes(mechanism: Mechanism, rows: InputRows, i: int) -> dict[Expression, Expression]:
    """The nodes of the distribution at one row, as constants."""
    which = np.array([i])
    return {
        e: node_value(node, [int(c.flat[0]) for c in columns_of(node)])
        for e, node in rows.take(which).items()
    }


def _check_row_total(
    mechanism: Mechanism, nodes: dict[Expression, Expression], factors: tuple[_FactorForm, ...]
) -> None:
    """Nothing if the law at one row is nonnegative and has total 1; Rejected otherwise."""
    listed = tuple(
        (f.output.name, tuple(map(to_expression, f.points)))
        for f in factors
        if isinstance(f, PiecewiseLaw)
    )
    atoms = tuple((e, substitute_nodes(mass, nodes)) for e, mass in mechanism.atoms)
    density = substitute_nodes(mechanism.density, nodes)
    check_is_one(total_probability(density, atoms, mechanism.outputs, listed))


# the factor of one output: a line, or the values at a finite output's values
_FactorForm = PiecewiseLaw | tuple[Ratio, ...]


@dataclass(frozen=True, slots=True)
class _LawRow:
    """The distribution at one input: a factor for each output, and the probabilities of the
    atoms.
    """

    forms: tuple[_FactorForm, ...]
    atoms: tuple[Ratio, ...]


class _FactoredRows:
    """Rows as distributions of outputs that are not all finite and each have a factor of their own,
    with their atoms.
    """

    def __init__(
        self, mechanism: Mechanism, rows: InputRows, job: EnumerationJob, delta: Ratio
    ) -> None:
        self.mechanism, self.rows, self.job, self.delta = mechanism, rows, job, delta
        self.laws: dict[int, _LawRow] = {}
        self.grown, self.step = 0, 1

    def grow(self, number: int) -> None:
        """Computes those of the first rows that are in the part; Rejected for a law that is not
        shown to be one.
        """
        for i in filter(self.job.is_own, range(self.grown, number)):
            self.laws[i] = self.law(i, massive=self.job.massive)
        self.grown = number

    def law(self, i: int, *, massive: bool) -> _LawRow:
        """The law at one row; with `massive`, its total is shown elsewhere."""
        m = self.mechanism
        self.job.tick("computing distributions")
        nodes = _concrete_nodes(m, self.rows, i)
        row = _LawRow(
            tuple(_factor_forms(substitute_nodes(m.density, nodes), m.outputs)),
            tuple(
                _checked_probability(constant_value(substitute_nodes(mass, nodes)))
                for _, mass in m.atoms
            ),
        )
        if not massive:
            _check_row_total(m, nodes, row.forms)
        return row

    def known_law(self, i: int) -> _LawRow:
        """The same, kept; the total at a row of another part is shown there."""
        if i >= self.grown:
            raise Rejected("distributions are compared before they are computed")
        if i not in self.laws:
            self.laws[i] = self.law(i, massive=True)
        return self.laws[i]

    def violation(
        self, first: Array, second: Array, level: Ratio, both: bool
    ) -> tuple[int, bool] | None:
        """The first pair whose laws violate the level."""
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            self.job.tick("comparing")
            p, q = self.known_law(int(a)), self.known_law(int(b))
            for one, other, turned in ((p, q, False), (q, p, True)) if both else ((p, q, False),):
                if not self.compared(one, other, level):
                    return i, turned
        return None

    def compared(self, p: _LawRow, q: _LawRow, level: Ratio) -> bool:
        """Whether one distribution is at most exp(level) times the other, up to delta."""
        if len(p.forms) > 1:
            return _is_product_dominated(p.forms, q.forms, level)
        (one,), (other,) = p.forms, q.forms
        if not isinstance(one, PiecewiseLaw) or not isinstance(other, PiecewiseLaw):
            raise Unsupported(f"one finite output of more than {JOINT} values")
        if self.delta.is_zero:
            return is_dominated(one, other, level) and all(
                of_sign(exp_of(level) * b - a) >= 0 for a, b in zip(p.atoms, q.atoms, strict=True)
            )
        total = hockey_stick_divergence(one, other, level)
        for a, b in zip(p.atoms, q.atoms, strict=True):
            total = total + larger_constant(constant(0), a - exp_of(level) * b)
        return of_sign(self.delta - total) >= 0


def _factor_forms(law: Expression, outputs: tuple[Output, ...]) -> Iterator[_FactorForm]:
    """The factors of a law without names other than the outputs; Unsupported where one mentions
    two outputs.
    """
    prefactor, groups = factors_by_output(law, tuple(o.name for o in outputs))
    for output, group in zip(outputs, (multiply(prefactor, groups[0]), *groups[1:]), strict=True):
        if not names(group) <= {output.name}:
            raise Unsupported(
                f"outputs that depend on each other are enumerated where they have at most "
                f"{JOINT} combinations"
            )
        yield (
            piecewise_law(group, output)
            if output.kind != "finite"
            else tuple(
                _checked_probability(constant_value(substitute(group, {output.name: v})))
                for v in output.values
            )
        )


def _is_product_dominated(
    p: tuple[_FactorForm, ...], q: tuple[_FactorForm, ...], level: Ratio
) -> bool:
    """Whether one product is at most exp(level) times the other: the least upper bounds of
    independent ratios multiply.
    """
    total = constant(1)
    for one, other in zip(p, q, strict=True):
        if isinstance(one, PiecewiseLaw) and isinstance(other, PiecewiseLaw):
            most = largest_ratio(one, other)
        else:
            most = constant(0)
            for a, b in zip(one, other, strict=True):  # type: ignore[arg-type]
                if b.is_zero and not a.is_zero:
                    return False
                most = most if a.is_zero else larger_constant(most, a / b)
        if most is None:
            return False
        total = total * most
    return of_sign(exp_of(level) - total) >= 0


def _checked_probability(r: Ratio) -> Ratio:
    """The probability itself; Rejected for a negative one."""
    if of_sign(r) < 0:
        raise Rejected("the law was not shown to be nonnegative")
    return r


# the local model


def _of_values(claim: Claim, job: EnumerationJob) -> Iterator[int]:
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Values):
        raise Unsupported("the input is not a value")
    listed = [v if isinstance(v, tuple) else (v,) for v in inputs.values]
    names = [name(key) for key in inputs.bindings(inputs.values[0])]
    tables = [tuple(dict.fromkeys(v[j] for v in listed)) for j in range(len(names))]
    codes = [np.array([[tables[j].index(v[j])] for v in listed]) for j in range(len(names))]
    rows = InputRows({n: Column(codes[j], tables[j]) for j, n in enumerate(names)}, len(listed))
    if claim.mechanism.defined != TRUE:
        raise Unsupported("a condition on single values")
    them = comparer(claim, rows, job)
    them.grow(rows.number)
    for i, (level, first, second) in enumerate(_pairs_by_level(claim, inputs)):
        own = np.flatnonzero(job.is_own(np.arange(len(first))))
        found = them.violation(first[own], second[own], level, False) if len(own) else None
        if found is not None:
            place = int(own[found[0]])
            raise ClaimViolated(listed[first[place]], listed[second[place]], (0, i, place))
    yield job.most


def _pairs_by_level(claim: Claim, inputs: Values) -> Iterator[tuple[Ratio, Array, Array]]:
    """The ordered pairs of values, those of one level together; pairs of level oo are left out."""
    pairs: dict[str, tuple[Ratio, list[int], list[int]]] = {}
    for i, j in itertools.permutations(range(len(inputs.values)), 2):
        level = substitute(
            claim.level,
            {**value_bindings(inputs.values[i], "v"), **value_bindings(inputs.values[j], "other")},
        )
        if level != oo:
            value = constant_value(level)
            _, first, second = pairs.setdefault(value.key, (value, [], []))
            first.append(i)
            second.append(j)
    for value, first, second in pairs.values():
        yield value, np.array(first), np.array(second)


# datasets


def _of_datasets(claim: Claim, job: EnumerationJob) -> Iterator[int]:
    space = DatasetSpace.of(claim, job.most, job.tick)
    them = comparer(claim, space.rows, job)
    listed, low = _record_changes(claim, space), min(job.done, space.last) + 1
    for high in space.blocks(them.step, job.done):
        them.grow(int(space.defined[space.starts[high + 1]]))
        violations = []
        for i, change in enumerate(listed):
            ends = space.pairs(change, low, high)
            own = job.is_own(ends[2])
            first, second, rest = (rows[own] for rows in ends)
            found = them.violation(first, second, change.level, change.both) if len(first) else None
            if found is not None:
                violations.append((int(rest[found[0]]), i, found[1]))
        if violations:
            row, i, turned = min(violations)
            before, after = space.sides(listed[i], row)[:: -1 if turned else 1]
            raise ClaimViolated(before, after, (high, row, i))
        yield job.most if high == space.last else high
        low = high + 1


def _record_changes(claim: Claim, space: DatasetSpace) -> list[RecordChange]:
    """The moves of a claim on listed records, without those of level oo; one representative of
    those that are the same to the law.
    """
    f = mechanism_frame(claim.mechanism, False)
    of_record = claim.relation in ("ahdp", "hdp")
    result: dict[object, RecordChange] = {}
    for i, record in enumerate(f.domain.records):
        bound = known_value_at_record(claim.level, record, EMPTY) if of_record else claim.level
        if bound == oo:
            continue
        level, mine = normal(bound, EMPTY), space.kind[i]
        if claim.relation in ("ahdp", "add-remove"):
            result.setdefault((mine, level.key), RecordChange(None, i, level, True))
            continue
        for j, other in enumerate(f.domain.records):
            if i != j and (
                claim.relation == "swap"
                or agreement_conditions(record, other, claim.public, EMPTY) is not None
            ):
                result.setdefault(
                    (mine, space.kind[j], level.key),
                    RecordChange(i, j, level, claim.relation not in ONE_WAY),
                )
    return list(result.values())
