"""Draws from the distribution that was verified.

The distribution at one input with concrete parameters is computed exactly, then drawn from
(`ahdp_verify.sampling.joint`).  A composite runs by its structure: its parts one after the other,
the subsample of the records before the mechanism that works on it, a chosen part of a mixture.  All
draws are made at once; nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.datasets import Multiset
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> round(float(sample(M, Multiset(W, [3]), size=4000, rng=1).mean()), 1)
3.0
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from ahdp_verify.analysis.inputs import checker_input, input_refusal
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    Instance,
    aggregate_value,
    check_example_conditions,
    expand_indexed_parts,
    law_at,
    present_records,
    side_nodes,
    value_at_instance,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AbstractMechanism, AnyMechanism, Composite
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, dataset_nodes
from ahdp_verify.kernel.model.neighbours import Nodes, substitute_nodes
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.kernel.rules.joint_law import explicit_mechanism
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    aggregates,
    name,
    oo,
    substitute,
    walk,
)
from ahdp_verify.sampling.floats import Array, Columns, evaluate_columns, np
from ahdp_verify.sampling.joint import Draws, SampledLaw, check_law_total
from ahdp_verify.sampling.one_output import choose_positions, finite_values, random_generator

MOST = 10_000_000  # most draws at once


def law_on_side(claim: Claim, example: Counterexample, side: tuple[Expression, ...]) -> SampledLaw:
    """The distribution at one side of an example; BadInput where the mechanism has none there,
    NotWorkedOut where none was found.
    """
    try:
        check_example_conditions(claim, example)
        density, atoms = law_at(claim, example, side)
    except (Rejected, Undecided, Unsupported, ZeroDivisionError) as why:
        raise input_refusal(why, "sampling", "choose another input or other parameters") from None
    return SampledLaw(claim.mechanism.outputs, density, atoms)


def draw_from_law(law: SampledLaw, rng: Any, n: int) -> Draws:
    """Draws from a distribution; NotWorkedOut where no form of it was found that can be drawn
    from.
    """
    return _made(lambda: law.draw(rng, number_of_draws(n)))


def _made(run: Any) -> Draws:
    try:
        with np.errstate(all="ignore"):
            found: Draws = run()
            return found
    except (Rejected, Undecided, Unsupported, ZeroDivisionError) as error:
        said = f"no way to draw from this distribution was found ({refusal_text(error)})"
        raise NotWorkedOut(
            "sampling",
            said,
            "densities that are sums of exponentials between finitely many points can",
        ) from None


def sample(
    mechanism: AnyMechanism,
    dataset: object,
    size: int | None = None,
    rng: object = None,
    parameters: Mapping[str, object] | None = None,
) -> Any:
    """Independent draws of what a mechanism releases on one input, as a numpy array; a dict of
    arrays for several outputs, one value without a size.

    dataset     a Multiset or a list of records (of a universal domain: tables of its unknowns), one
                of the values, or a list of query answers
    size        how many draws; None for one, as a plain value
    rng         a numpy Generator, a seed, or None for a new one
    parameters  the values of the mechanism's parameters, exact numbers or texts
    Raises BadInput for a missing parameter and an input that the mechanism does not take,
    NotWorkedOut for laws of which no form was found that can be drawn from.
    """
    arrays = sample_columns(mechanism, dataset, 1 if size is None else size, rng, parameters)
    if size is None:
        first = {k: column.tolist()[0] for k, column in arrays.items()}
        return first if len(first) > 1 else next(iter(first.values()))
    return arrays if len(arrays) > 1 else next(iter(arrays.values()))


def sample_columns(
    mechanism: AnyMechanism,
    dataset: object,
    size: int,
    rng: object = None,
    parameters: Mapping[str, object] | None = None,
) -> Draws:
    """The same with all outputs as columns, always."""
    n, source = number_of_draws(size), random_generator(rng)
    if isinstance(mechanism, Mechanism):
        claim, example = checker_input(mechanism, dataset, parameters or {})
        return draw_from_law(law_on_side(claim, example, example.first), source, n)
    claim, example = checker_input(silent_mechanism(mechanism), dataset, parameters or {})
    law_on_side(claim, example, example.first)
    data = SampleInput(
        example,
        tuple(present_records(claim, example, example.first))
        if isinstance(mechanism.inputs, Domain)
        else (),
    )
    found = _made(lambda: run_mechanism(mechanism, data, {}, source, n))
    return {o.name: found[o.name] for o in mechanism.outputs}


def number_of_draws(size: object) -> int:
    """A number of draws; BadInput for anything else, and for too many."""
    if not 0 <= (n := whole_number(size)) <= MOST:
        raise BadInput("size", f"{n} draws at once", f"ask for 0 to {MOST}")
    return n


def whole_number(size: object) -> int:
    """A whole number; BadInput for anything else."""
    if not isinstance(size, int) or isinstance(size, bool):
        raise BadInput(
            "size",
            f"{str(size)[:40]} is not a number of draws",
            "give a whole number, or None for one draw",
        )
    return size


# composites


def silent_mechanism(mechanism: Composite | AbstractMechanism) -> Mechanism:
    """A mechanism with a constant output, with the same inputs, parameters and condition under
    which it is defined.
    """
    taken = (
        {k.split("[")[0] for k, _ in mechanism.parameters}
        | {k.split("[")[0] for k in mechanism.inputs.bound}
        | {"x", "eps", "v", "other", "q"}
    )
    reply = next(k for k in (f"r{i}" for i in itertools.count()) if k not in taken)
    return Mechanism(
        mechanism.inputs,
        outputs=[Output(reply, "finite", [0])],
        density=1,
        parameters=mechanism.parameters,
        defined=mechanism.defined,
        name=str(mechanism),
    )


@dataclass(frozen=True, slots=True)
class SampleInput:
    """One input with the parameters' values; of a dataset the records with their counts, and in
    `counts` how many a sample has kept, draw by draw.
    """

    example: Counterexample
    held: tuple[tuple[Instance, int], ...]
    counts: Array = None  # draws by records; None where no sample was taken

    @property
    def parameters(self) -> dict[str, Expression]:
        """The values of the parameters."""
        return dict(self.example.parameters)

    def of(self, rows: Array) -> SampleInput:
        """What the draws of these rows are made from."""
        return self if self.counts is None else replace(self, counts=self.counts[rows])

    def kept(self, keep: Expression, rng: Any, n: int) -> SampleInput:
        """Of each record each copy is kept with its probability, independently."""
        keep_probabilities = [value_at_instance(keep, r, self.parameters) for r, _ in self.held]
        shares = np.array([float(evaluate_columns(p, {})) for p in keep_probabilities])
        if np.any(~((shares >= 0) & (shares <= 1))):
            raise Rejected(f"{keep} is not a probability at a record")
        there = (
            np.array([h for _, h in self.held], dtype=np.int64)
            if self.counts is None
            else self.counts
        )
        return replace(self, counts=rng.binomial(there, shares, size=(n, len(self.held))))

    def nodes(self, m: Mechanism, given: Columns) -> tuple[Nodes, dict[str, Array]]:
        """What the nodes of a law are: values, or names of columns."""
        if not isinstance(m.inputs, Domain):
            return side_nodes(
                Claim(m, m.inputs.relations[0], ZERO),
                self.example,
                self.example.first,
            ), {}
        values = {k: v for k, v in self.parameters.items() if k not in given}
        if self.counts is None:
            return {
                node: aggregate_value(node, list(self.held), values) for node in dataset_nodes(m)
            }, {}
        listed = [
            node
            for node in dataset_nodes(m)
            if node not in aggregates(m.defined) or node in aggregates(m.density)
        ]
        columns = {f"#{i}": self._column(node, values, given) for i, node in enumerate(listed)}
        return {node: name(key) for node, key in zip(listed, columns, strict=True)}, columns

    def _column(self, node: Expression, values: dict[str, Expression], given: Columns) -> Array:
        """The value of a record sum, maximum or minimum in every draw."""
        terms = [value_at_instance(node.args[0], r, values) for r, _ in self.held]
        if any(part == oo for e in terms for part in walk(e)):
            raise Rejected("a record has an infinite weight")
        each = [np.asarray(evaluate_columns(e, given)) for e in terms]
        if node.head == "sum":
            return sum(
                (self.counts[:, i] * v for i, v in enumerate(each)),
                start=np.zeros(len(self.counts), dtype=np.int64),
            )
        if np.any(self.counts.sum(axis=1) == 0):
            raise BadInput(
                str(node),
                "it is undefined where no record is kept",
                "choose a base that is defined on the empty dataset",
            )
        far = math.inf if node.head == "minimum" else -math.inf
        present_ = [np.where(self.counts[:, i] > 0, v, far) for i, v in enumerate(each)]
        return reduce(np.minimum if node.head == "minimum" else np.maximum, present_)


def run_mechanism(m: AnyMechanism, data: SampleInput, given: Columns, rng: Any, n: int) -> Draws:
    """n independent runs: what each part releases; `given` are the outputs of earlier parts that
    it may read.
    """
    if isinstance(m, AbstractMechanism):
        raise BadInput(
            str(m),
            "it is an assumed mechanism, so there is nothing to run",
            "replace it by a concrete mechanism",
        )
    if isinstance(m, Mechanism):
        return _leaf(m, data, given, rng, n)
    parts = [part.mechanism for part in m.parts]
    match m.rule:
        case "compose" | "product" | "post_process":
            found: Draws = {}
            for part in parts:
                found |= run_mechanism(part, data, {**given, **found}, rng, n)
            formulas = zip(m.released, m.formulas, strict=True) if m.rule == "post_process" else ()
            return found | {
                o.name: _released(o, f, data, {**given, **found}, n) for o, f in formulas
            }
        case "subsample":
            return run_mechanism(parts[0], data.kept(m.formulas[0], rng, n), given, rng, n)
        case "mixture":
            return _mixed(m, parts, data, given, rng, n)
        case "pull_back":
            return run_mechanism(parts[0], _pulled(m, parts[0], data), given, rng, n)
        case "normalised":
            return _leaf(explicit_mechanism(m), data, given, rng, n)
    return run_mechanism(parts[0], data, given, rng, n)


def _leaf(m: Mechanism, data: SampleInput, given: Columns, rng: Any, n: int) -> Draws:
    """Draws of a mechanism given by its density."""
    read = {k: given[k] for k, _ in m.parameters if k in given}
    nodes, columns = data.nodes(m, read)
    values = {k: v for k, v in data.parameters.items() if k not in read}
    density = substitute(substitute_nodes(expand_indexed_parts(m.density, nodes), nodes), values)
    atoms = tuple((at, substitute(substitute_nodes(mass, nodes), values)) for at, mass in m.atoms)
    return SampledLaw(m.outputs, density, atoms).draw(rng, n, {**read, **columns})


def _released(
    output: Output, formula: Expression, data: SampleInput, found: Columns, n: int
) -> Array:
    """The values of a formula in released outputs; those of a finite output are the listed ones."""
    values = np.broadcast_to(
        np.asarray(evaluate_columns(substitute(formula, data.parameters), found)), n
    )
    listed = finite_values(output) if output.kind == "finite" else None
    if listed is None or values.dtype.kind not in "if" or listed.dtype.kind not in "if":
        return values
    return listed[np.abs(values[:, None] - listed).argmin(axis=1)]


def _mixed(
    m: Composite, parts: list[AnyMechanism], data: SampleInput, given: Columns, rng: Any, n: int
) -> Draws:
    """Draws of a mixture: in each draw one part runs, chosen with its probability."""
    chosen, total = choose_positions(
        [evaluate_columns(substitute(w, data.parameters), {}) for w in m.formulas], rng, n
    )
    check_law_total(total)
    places = [np.flatnonzero(chosen == i) for i in range(len(parts))]
    made = [
        run_mechanism(part, data.of(rows), {k: v[rows] for k, v in given.items()}, rng, len(rows))
        for part, rows in zip(parts, places, strict=True)
    ]
    order = np.argsort(np.concatenate(places), kind="stable")
    return {o.name: np.concatenate([found[o.name] for found in made])[order] for o in m.outputs}


def _pulled(m: Composite, part: AnyMechanism, data: SampleInput) -> SampleInput:
    """The input with its records transformed."""
    bound = part.inputs.bound
    held = tuple(
        (tuple((k, _become(f, r, data)) for k, f in zip(bound, m.formulas, strict=True)), h)
        for r, h in data.held
    )
    return replace(data, held=held)


def _become(formula: Expression, record: Instance, data: SampleInput) -> Expression:
    """A part of the record that another becomes: a label or oo as it is, else a number."""
    if formula.head == "name" and formula.args[0] in dict(record):
        return dict(record)[formula.args[0]]
    return (
        formula
        if formula.head in ("label", "oo")
        else value_at_instance(formula, record, data.parameters)
    )
