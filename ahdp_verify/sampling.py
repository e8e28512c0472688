"""Draws from the very law that was verified.

The law at one input with concrete parameters is worked out exactly, then drawn from: finite outputs from their joint table, others one
after the other, each from its own factor of the law, in which earlier outputs may occur.  A mechanism that is made of others runs as it is
made: its parts one after the other, a sample of the records before what works on it, a chosen part of a mixture.  All draws are made at
once; nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.domain import Domain, Multiset
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> round(float(sample(M, Multiset(W, [3]), size=4000, rng=1).mean()), 1)
3.0
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

from ahdp_verify.composite import Abstract, AnyMechanism, Composite
from ahdp_verify.counterexample import Counterexample, Instance, aggregate, at_instance, check_conditions, law_at, present, state, with_parts
from ahdp_verify.domain import Domain
from ahdp_verify.draws import array, choose, draw_one, generator, plain, symbolic_total, table, total_of
from ahdp_verify.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.event import JOINT
from ahdp_verify.explicit import explicit
from ahdp_verify.expression import TRUE, ZERO, Expression, aggregates, eq, multiply, name, names, number, oo, piecewise, reciprocal, substitute, walk
from ahdp_verify.inputs import question
from ahdp_verify.integrate import grouped
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.numeric import Array, Columns, evaluated, np
from ahdp_verify.privacy import Claim, dataset_nodes
from ahdp_verify.relation import Nodes, place

MOST = 10_000_000  # draws at once
CELLS = 20_000_000  # numbers in one table of weights
NEAR = 1e-9  # relative difference of totals that are the same
WHOLE = 1e-6  # difference from 1 of a total that is 1, rounded
Draws = dict[str, Array]  # output -> a value for each draw; an atom is its value


@dataclass(frozen=True, slots=True)
class Law:
    """The law of a mechanism at one input: only the outputs are left as names, and what columns are given for."""

    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...]

    def draw(self, rng: Any, n: int, given: Columns | None = None) -> Draws:
        """n independent draws."""
        known = given or {}
        if self.atoms:
            return {self.outputs[0].name: self._with_atoms(rng, n, known)}
        if all(o.kind == "finite" for o in self.outputs) and self.combinations <= JOINT:
            return self._joint(rng, n, known)
        prefactor, groups = grouped(self.density, tuple(o.name for o in self.outputs))
        found: Draws = {}
        total = evaluated(prefactor, known)
        for output, group in zip(self.outputs, conditional(groups, self.outputs, tuple(known)), strict=True):
            found[output.name], mass = draw_one(group, output, {**known, **found}, rng, n)
            total = total * mass
        check_total(total)
        return found

    @property
    def combinations(self) -> int:
        """How many values finite outputs have together."""
        return math.prod(len(o.values) for o in self.outputs)

    def _joint(self, rng: Any, n: int, given: Columns) -> Draws:
        outcomes = list(itertools.product(*(range(len(o.values)) for o in self.outputs)))
        laws = [substitute(self.density, {o.name: o.values[i] for o, i in zip(self.outputs, outcome, strict=True)}) for outcome in outcomes]
        used = {k: v for k, v in given.items() if k in names(self.density)}
        chosen = np.empty(n, dtype=np.int64)
        for rows in np.array_split(np.arange(n), 1 + (n * len(laws) // CELLS if used else 0)):
            chosen[rows], total = choose([evaluated(law, {k: v[rows] for k, v in used.items()}) for law in laws], rng, len(rows))
            check_total(total)
        positions = np.array(outcomes)[chosen]
        return {o.name: table(o)[positions[:, i]] for i, o in enumerate(self.outputs)}

    def _with_atoms(self, rng: Any, n: int, given: Columns) -> Array:
        masses = [evaluated(mass, given) for _, mass in self.atoms]
        rest = 1 - sum(masses)
        chosen, _ = choose([*masses, np.where(abs(rest) < WHOLE, 0.0, rest)], rng, n)
        rows = np.flatnonzero(chosen == len(masses))
        output = self.outputs[0]
        continuous, total = draw_one(self.density, output, {k: v[rows] for k, v in given.items()}, rng, len(rows)) if len(rows) else (np.empty(0), 1)
        check_total(total + 1 - (rest[rows] if np.ndim(rest) else rest) if len(rows) else 1)
        points = array([plain(at) for at, _ in self.atoms])
        mixed = points.dtype if points.dtype.kind == continuous.dtype.kind or points.dtype.kind in "if" else object
        values = np.empty(n, dtype=np.result_type(mixed, continuous.dtype))
        values[rows] = continuous
        values[chosen < len(masses)] = points[chosen[chosen < len(masses)]]
        return values


def check_total(total: Array) -> None:
    """Unsupported unless the total is 1."""
    if not np.all(np.abs(np.asarray(total, dtype=float) - 1) < WHOLE):
        raise Unsupported(f"its total is {float(np.ravel(total)[0]):.6g}, so it is no probability law")


def conditional(groups: Iterable[Expression], outputs: tuple[Output, ...], given: tuple[str, ...] = ()) -> list[Expression]:
    """The groups, each of which is the law of its own output given the earlier ones, up to a constant.

    From the last on, the total of a group over its output, where it hangs on earlier outputs, goes to the group of the last of these: the
    1/(1 + b) of exp(-|s|/(1 + b))/(1 + b) mentions b alone, and yet belongs to the law of s.
    """
    listed = list(groups)
    for i in reversed(range(len(outputs))):
        used = names(listed[i])
        earlier = [j for j, o in enumerate(outputs[:i]) if o.name in used]
        if not earlier:
            continue
        finite = [outputs[j] for j in earlier if outputs[j].kind == "finite"]
        others = [*(outputs[j].name for j in earlier if outputs[j].kind != "finite"), *(k for k in given if k in used)]
        if math.prod(len(o.values) for o in finite) > JOINT:
            raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
        assignments = [dict(zip((o.name for o in finite), values, strict=True)) for values in itertools.product(*(o.values for o in finite))]
        totals = [_total(substitute(listed[i], put), outputs[i], others) for put in assignments]
        if not all(_same(total, totals[0]) for total in totals) or names(totals[0]):
            cases = [(total, reduce(and_, (eq(name(k), v) for k, v in put.items()), TRUE)) for total, put in zip(totals, assignments, strict=True)]
            share = piecewise(*cases[:-1], (cases[-1][0], True)) if finite else totals[0]
            listed[earlier[-1]], listed[i] = multiply(listed[earlier[-1]], share), multiply(listed[i], reciprocal(share))
    return listed


def _same(a: Expression, b: Expression) -> bool:
    """True only if two totals are equal, numbers up to rounding."""
    return a == b or (a.head == b.head == "number" and math.isclose(a.args[0], b.args[0], rel_tol=NEAR))


def _total(law: Expression, output: Output, others: list[str]) -> Expression:
    """The total of a law over its output, a number or an expression in what else it hangs on."""
    if not others:
        found = total_of(law, output)
        if not math.isfinite(found):
            raise Unsupported(f"the total over {output.name} is not finite")
        return number(Fraction(found))
    try:
        return symbolic_total(law, output)
    except Undecided:
        raise Unsupported(f"the total over {output.name} hangs on {', '.join(others)}, and not in one way") from None


def law_of(claim: Claim, example: Counterexample, side: tuple[Expression, ...]) -> Law:
    """The law at one side of an example; BadInput where the mechanism has none there."""
    try:
        check_conditions(claim, example)
        density, atoms = law_at(claim, example, side)
    except (Rejected, Undecided, Unsupported) as why:
        raise BadInput("sampling", str(why), "choose another input or other parameters") from None
    except ZeroDivisionError:
        raise BadInput("sampling", "the law divides by 0 at this input", "choose another input") from None
    return Law(claim.mechanism.outputs, density, atoms)


def drawn(law: Law, rng: Any, n: int) -> Draws:
    """Draws from a law; BadInput where it has no form that can be drawn from."""
    return _made(lambda: law.draw(rng, number_of_draws(n)))


def _made(run: Any) -> Draws:
    try:
        with np.errstate(all="ignore"):
            found: Draws = run()
            return found
    except (Rejected, Undecided, Unsupported, ZeroDivisionError) as error:
        why = "it divides by 0" if isinstance(error, ZeroDivisionError) else error
        raise BadInput("sampling", f"this law cannot be drawn from ({why})", "laws that are sums of exponentials between finitely many points can") from None


def sample(mechanism: AnyMechanism, dataset: object, size: int | None = None, rng: object = None, parameters: Mapping[str, object] | None = None) -> Any:
    """Independent draws of what a mechanism releases on one input, as a numpy array; a dict of arrays for several outputs, one value without a size.

    dataset     a Multiset or a list of records (of a universal domain: tables of its unknowns), one of the values, or a list of query answers
    size        how many draws; None for one, as a plain value
    rng         a numpy Generator, a seed, or None for a new one
    parameters  the values of the mechanism's parameters, exact numbers or texts
    Raises BadInput for a missing parameter, an input that the mechanism does not take, and laws without a form that can be drawn from.
    """
    arrays = sampled(mechanism, dataset, 1 if size is None else size, rng, parameters)
    if size is None:
        first = {k: column.tolist()[0] for k, column in arrays.items()}
        return first if len(first) > 1 else next(iter(first.values()))
    return arrays if len(arrays) > 1 else next(iter(arrays.values()))


def sampled(mechanism: AnyMechanism, dataset: object, size: int, rng: object = None, parameters: Mapping[str, object] | None = None) -> Draws:
    """The same with all outputs as columns, always."""
    n, source = number_of_draws(size), generator(rng)
    if isinstance(mechanism, Mechanism):
        claim, example = question(mechanism, dataset, parameters or {})
        return drawn(law_of(claim, example, example.before), source, n)
    claim, example = question(bare(mechanism), dataset, parameters or {})
    law_of(claim, example, example.before)
    data = Data(example, tuple(present(claim, example, example.before)) if isinstance(mechanism.inputs, Domain) else ())
    found = _made(lambda: run(mechanism, data, {}, source, n))
    return {o.name: found[o.name] for o in mechanism.outputs}


def number_of_draws(size: object) -> int:
    """A number of draws; BadInput for anything else, and for too many."""
    if not 0 <= (n := whole_number(size)) <= MOST:
        raise BadInput("size", f"{n} draws at once", f"ask for 0 to {MOST}")
    return n


def whole_number(size: object) -> int:
    """A whole number; BadInput for anything else."""
    if not isinstance(size, int) or isinstance(size, bool):
        raise BadInput("size", f"{str(size)[:40]} is no number of draws", "give a whole number, or None for one draw")
    return size


# mechanisms made of others


def bare(mechanism: Composite | Abstract) -> Mechanism:
    """A mechanism that says nothing, with the same inputs, parameters and condition under which it runs."""
    taken = {k.split("[")[0] for k, _ in mechanism.parameters} | {k.split("[")[0] for k in mechanism.inputs.bound} | {"x", "eps", "v", "other", "q"}
    reply = next(k for k in (f"r{i}" for i in itertools.count()) if k not in taken)
    return Mechanism(mechanism.inputs, outputs=[Output(reply, "finite", [0])], density=1, parameters=mechanism.parameters, defined=mechanism.defined, name=str(mechanism))


@dataclass(frozen=True, slots=True)
class Data:
    """One input with the parameters' values; of a dataset the records with their counts, and in `counts` how many a sample has kept, draw by draw."""

    example: Counterexample
    held: tuple[tuple[Instance, int], ...]
    counts: Array = None  # draws by records; None where no sample was taken

    @property
    def parameters(self) -> dict[str, Expression]:
        """The values of the parameters."""
        return dict(self.example.parameters)

    def of(self, rows: Array) -> Data:
        """What the draws of these rows are made from."""
        return self if self.counts is None else replace(self, counts=self.counts[rows])

    def kept(self, keep: Expression, rng: Any, n: int) -> Data:
        """Of each record each copy is kept with its probability, independently."""
        chances = [at_instance(keep, r, self.parameters) for r, _ in self.held]
        shares = np.array([float(evaluated(p, {})) for p in chances])
        if np.any(~((shares >= 0) & (shares <= 1))):
            raise Rejected(f"{keep} is no probability at a record")
        there = np.array([h for _, h in self.held], dtype=np.int64) if self.counts is None else self.counts
        return replace(self, counts=rng.binomial(there, shares, size=(n, len(self.held))))

    def nodes(self, m: Mechanism, given: Columns) -> tuple[Nodes, dict[str, Array]]:
        """What the nodes of a law are: values, or names of columns."""
        if not isinstance(m.inputs, Domain):
            return state(Claim(m, "any" if m.inputs.__class__.__name__ == "Values" else "one", ZERO), self.example, self.example.before), {}
        values = {k: v for k, v in self.parameters.items() if k not in given}
        if self.counts is None:
            return {node: aggregate(node, list(self.held), values) for node in dataset_nodes(m)}, {}
        listed = [node for node in dataset_nodes(m) if node not in aggregates(m.defined) or node in aggregates(m.density)]
        columns = {f"#{i}": self._column(node, values, given) for i, node in enumerate(listed)}
        return {node: name(key) for node, key in zip(listed, columns, strict=True)}, columns

    def _column(self, node: Expression, values: dict[str, Expression], given: Columns) -> Array:
        """The value of a record sum, maximum or minimum in every draw."""
        terms = [at_instance(node.args[0], r, values) for r, _ in self.held]
        if any(part == oo for e in terms for part in walk(e)):
            raise Rejected("a record has an infinite weight")
        each = [np.asarray(evaluated(e, given)) for e in terms]
        if node.head == "sum":
            return sum((self.counts[:, i] * v for i, v in enumerate(each)), start=np.zeros(len(self.counts), dtype=np.int64))
        if np.any(self.counts.sum(axis=1) == 0):
            raise BadInput(str(node), "it is undefined where no record is kept", "choose a base that is defined on the empty dataset")
        far = math.inf if node.head == "minimum" else -math.inf
        present_ = [np.where(self.counts[:, i] > 0, v, far) for i, v in enumerate(each)]
        return reduce(np.minimum if node.head == "minimum" else np.maximum, present_)


def run(m: AnyMechanism, data: Data, given: Columns, rng: Any, n: int) -> Draws:
    """n independent runs: what each part releases; `given` are the outputs of earlier parts that it may read."""
    if isinstance(m, Abstract):
        raise BadInput(str(m), "it is any mechanism of its kind, so there is none to be run", "put a mechanism in its place")
    if isinstance(m, Mechanism):
        return _leaf(m, data, given, rng, n)
    parts = [part.mechanism for part in m.parts]
    match m.law:
        case "compose" | "product" | "post_process":
            found: Draws = {}
            for part in parts:
                found |= run(part, data, {**given, **found}, rng, n)
            formulas = zip(m.released, m.formulas, strict=True) if m.law == "post_process" else ()
            return found | {o.name: _released(o, f, data, {**given, **found}, n) for o, f in formulas}
        case "subsample":
            return run(parts[0], data.kept(m.formulas[0], rng, n), given, rng, n)
        case "mixture":
            return _mixed(m, parts, data, given, rng, n)
        case "pull_back":
            return run(parts[0], _pulled(m, parts[0], data), given, rng, n)
        case "normalised":
            return _leaf(explicit(m), data, given, rng, n)
    return run(parts[0], data, given, rng, n)


def _leaf(m: Mechanism, data: Data, given: Columns, rng: Any, n: int) -> Draws:
    """Draws of a mechanism that is written out."""
    read = {k: given[k] for k, _ in m.parameters if k in given}
    nodes, columns = data.nodes(m, read)
    values = {k: v for k, v in data.parameters.items() if k not in read}
    density = substitute(place(with_parts(m.density, nodes), nodes), values)
    atoms = tuple((at, substitute(place(mass, nodes), values)) for at, mass in m.atoms)
    return Law(m.outputs, density, atoms).draw(rng, n, {**read, **columns})


def _released(output: Output, formula: Expression, data: Data, found: Columns, n: int) -> Array:
    """The values of a formula in what was released; those of a finite output are the listed ones."""
    values = np.broadcast_to(np.asarray(evaluated(substitute(formula, data.parameters), found)), n)
    listed = table(output) if output.kind == "finite" else None
    if listed is None or values.dtype.kind not in "if" or listed.dtype.kind not in "if":
        return values
    return listed[np.abs(values[:, None] - listed).argmin(axis=1)]


def _mixed(m: Composite, parts: list[AnyMechanism], data: Data, given: Columns, rng: Any, n: int) -> Draws:
    """One part each time, with its probability."""
    chosen, total = choose([evaluated(substitute(w, data.parameters), {}) for w in m.formulas], rng, n)
    check_total(total)
    places = [np.flatnonzero(chosen == i) for i in range(len(parts))]
    made = [run(part, data.of(rows), {k: v[rows] for k, v in given.items()}, rng, len(rows)) for part, rows in zip(parts, places, strict=True)]
    order = np.argsort(np.concatenate(places), kind="stable")
    return {o.name: np.concatenate([found[o.name] for found in made])[order] for o in m.outputs}


def _pulled(m: Composite, part: AnyMechanism, data: Data) -> Data:
    """The records as what they become."""
    bound = part.inputs.bound
    held = tuple((tuple((k, _become(f, r, data)) for k, f in zip(bound, m.formulas, strict=True)), h) for r, h in data.held)
    return replace(data, held=held)


def _become(formula: Expression, record: Instance, data: Data) -> Expression:
    """A part of the record that another becomes: a label or oo as it is, else a number."""
    if formula.head == "name" and formula.args[0] in dict(record):
        return dict(record)[formula.args[0]]
    return formula if formula.head in ("label", "oo") else at_instance(formula, record, data.parameters)
