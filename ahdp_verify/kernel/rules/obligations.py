"""What a claim means: the inequalities that it stands for, derived literally from its definition.

    p(s; D) <= exp(L) p(s; D') and p(s; D') <= exp(L) p(s; D), for all outputs s and
    all moves of level L from D to D'                  p is a distribution at every input
    -------------------------------------------------------------------------------------
                       the mechanism keeps its level

D, D'    neighbouring inputs: a move of the claim's relation leads from D to D'
p        the distribution of the mechanism;  L in nats

A pure claim holds if for every move, every output and every state  p(output; state) <= exp(level)
p(output; state + move), and the same with the roles exchanged; a claim with delta, if the
hockey-stick divergence, the sum or integral of the amount by which the dominated law exceeds
exp(level) times the dominating one, is at most delta.  Laws of infinitely many outputs are compared
output by output, laws with atoms piece by piece.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> s, W = real("s"), Domain([(0, 1)])
>>> law = exp(-Abs(s - W.sum(lambda x, eps: x))) / 2
>>> for obligation in obligations(ahdp(Mechanism(W, outputs=[s], density=law))):
...     print(obligation.text, obligation.level)
add (0, 1) 1
add (0, 1), backwards 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import (
    JOINT,
    Mechanism,
    dataset_nodes,
    outcome_count,
    outcomes,
)
from ahdp_verify.kernel.model.neighbours import (
    ADDITIONS,
    ONE_WAY,
    Dominated,
    DominatedInput,
    Dominating,
    DominatingInput,
    Frame,
    Move,
    Nodes,
    additions,
    assume_all,
    frame,
    parameter_context,
    substitute_nodes,
)
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, names, substitute


@dataclass(frozen=True, slots=True)
class OutputPart:
    """A part of the output space: the law there as a tree, and the label of the part ("density",
    an atom, or output values).
    """

    text: str
    law: Expression


@dataclass(frozen=True, slots=True)
class InputState:
    """A state of the input: the values of its nodes, and what is known about the names in them."""

    text: str
    nodes: Nodes
    here: Context


@dataclass(frozen=True, slots=True)
class Obligation:
    """For all states in `here`: p(dominated) <= exp(level) * p(dominating) on every part (with
    delta: up to delta).

    For a move from D to D' the first direction states p(D) <= exp(level) p(D'): D is dominated
    there and D' is dominating; in the second direction the roles are exchanged. Code that proves,
    checks or refutes an obligation names its two sides so, and takes them in this order. `before`
    and `after` are the inputs of a move; `first` and `second` those of a counterexample, whose
    event violates the claimed bound at `first`: there that is the dominated side.
    """

    text: str
    here: Context
    dominated: DominatedInput
    dominating: DominatingInput
    level: Expression
    delta: Expression = ZERO


def output_parts(mechanism: Mechanism) -> tuple[OutputPart, ...]:
    """The parts of the output space; the combinations of finite outputs one by one while there are
    at most 4096.
    """
    listed = list(finite_parts(mechanism))
    if not listed:
        listed = [OutputPart("density", mechanism.density)]
    return (*listed, *(OutputPart(f"atom {at}", mass) for at, mass in mechanism.atoms))


def finite_parts(mechanism: Mechanism) -> Iterator[OutputPart]:
    """The distribution at every combination of the finite outputs; empty if there are no finite
    outputs or too many combinations.
    """
    finite = [o for o in mechanism.outputs if o.kind == "finite"]
    if not finite or outcome_count(finite) > JOINT:
        return
    for chosen in outcomes(finite):
        yield OutputPart(
            ", ".join(f"{k} = {v}" for k, v in chosen.items()),
            substitute(mechanism.density, chosen),
        )


def whole_outputs(mechanism: Mechanism) -> frozenset[str]:
    """The names of integer outputs."""
    return frozenset(o.name for o in mechanism.outputs if o.kind == "integer")


def mechanism_context(mechanism: Mechanism) -> Context:
    """The context given by the conditions of the parameters, with the integer outputs."""
    return parameter_context(mechanism.parameters).with_integers(whole_outputs(mechanism))


@lru_cache(maxsize=8)
def _frame(mechanism: Mechanism, counts: bool, also: tuple[Expression, ...]) -> Frame:
    if not isinstance(mechanism.inputs, Domain):
        raise BadInput("mechanism", "its input is not a dataset", "use a Domain")
    nodes = tuple(dict.fromkeys((*dataset_nodes(mechanism), *also)))
    here, summed = mechanism_context(mechanism), counts and mechanism.inputs.is_universal
    found = frame(mechanism.inputs, nodes, here, counts and not summed)
    if summed:
        from ahdp_verify.kernel.rules.summed import summed_conditions

        found = replace(found, conditions=(*found.conditions, *summed_conditions(found, here)))
    return found


def mechanism_frame(mechanism: Mechanism, counts: bool, also: tuple[Expression, ...] = ()) -> Frame:
    """The frame of a mechanism on datasets, and of further sums over records, computed once for
    each mechanism.
    """
    if counts and isinstance(mechanism.inputs, Domain) and mechanism.inputs.is_universal:
        rely_on("the rule of summed conditions")
    return _frame(mechanism, counts, also)


def input_states(mechanism: Mechanism, counts: bool) -> Iterator[InputState]:
    """Every state of the input, one for all datasets, one for each value, one for all query
    answers.
    """
    here = mechanism_context(mechanism)
    if not isinstance(mechanism.inputs, Domain):
        from ahdp_verify.kernel.model.replacements import rules_of

        for text, nodes, known in rules_of(mechanism.inputs).states(mechanism, here):
            yield InputState(text, nodes, known)
    else:
        f = mechanism_frame(mechanism, counts)
        yield InputState(
            "all datasets",
            f.alone(),
            what_is_known(mechanism, (f.alone(),), f.conditions, f.integers, here),
        )


def what_is_known(
    mechanism: Mechanism,
    placed: tuple[Nodes, ...],
    conditions: tuple[Expression, ...],
    integers: frozenset[str],
    here: Context,
) -> Context:
    here = here.with_integers(integers)
    if mechanism.defined != TRUE:
        conditions += tuple(substitute_nodes(mechanism.defined, nodes) for nodes in placed)
    return assume_all(conditions, here)


def moves(claim: Claim, counts: bool = False) -> Iterator[Move]:
    """The moves of a claim, without those of level oo."""
    m, here = claim.mechanism, mechanism_context(claim.mechanism)
    frame = mechanism_frame(m, counts, claim.delta_nodes) if isinstance(m.inputs, Domain) else None
    if frame is not None and claim.relation in ADDITIONS:
        return additions(claim.relation, claim.level, frame, here)
    from ahdp_verify.kernel.model.replacements import dataset_moves, rules_of

    if frame is None:
        return rules_of(m.inputs).moves(claim, here)
    return dataset_moves(claim.relation, claim.level, frame, here, claim.public)


def distinct_moves(claim: Claim, counts: bool = False) -> Iterator[tuple[Move, Context]]:
    """The moves of a claim with what is known about the names in them; equivalent moves are listed
    once.
    """
    seen, here, known, conditions = set(), mechanism_context(claim.mechanism), None, None
    for move in moves(claim, counts):
        sides = (tuple(nodes.values()) for nodes in (move.before, move.after))
        said = (*sides, move.level, move.conditions)
        if said in seen:
            continue
        seen.add(said)
        if known is None or claim.mechanism.defined != TRUE or move.conditions != conditions:
            known = what_is_known(
                claim.mechanism, (move.before, move.after), move.conditions, move.integers, here
            )
            conditions = move.conditions
        yield move, known


def obligations(claim: Claim, counts: bool = False) -> Iterator[Obligation]:
    """The obligations of a claim, move by move and direction by direction; equivalent moves are
    listed once.
    """
    for move, known in distinct_moves(claim, counts):
        delta = claim.delta
        for node in claim.delta_nodes:
            delta = move.after[node] - move.before[node]
        sides = DominatedInput(move.before), DominatingInput(move.after)
        yield Obligation(move.text, known, *sides, move.level, delta)
        if claim.relation not in ONE_WAY:
            sides = DominatedInput(move.after), DominatingInput(move.before)
            yield Obligation(f"{move.text}, backwards", known, *sides, move.level, delta)


@dataclass(frozen=True, slots=True)
class Task:
    """One inequality to be proved: an obligation on one part of the output space, or on all of
    it (`part` is None).
    """

    obligation: Obligation
    part: OutputPart | None

    @property
    def text(self) -> str:
        """The task for display."""
        return self.obligation.text + (f" ({self.part.text})" if self.part is not None else "")

    @property
    def laws(self) -> tuple[Dominated, Dominating]:
        """The distribution of the part at both sides of the obligation."""
        if self.part is None:
            raise BadInput("task", "it does not have exactly one part", "")
        return substitute_nodes(self.part.law, self.obligation.dominated), substitute_nodes(
            self.part.law, self.obligation.dominating
        )


def tasks(claim: Claim, counts: bool = False) -> Iterator[Task]:
    """Everything that a claim needs apart from the mass, in the order in which certificates answer
    it.
    """
    yield from tasks_of(claim, obligations(claim, counts))


def tasks_of(claim: Claim, listed: Iterable[Obligation]) -> Iterator[Task]:
    """The obligations, each on every part of the output space; on all of it where the parts are
    compared as a whole or coordinate by coordinate.
    """
    whole = claim.delta != ZERO or is_separable(claim.mechanism)
    separate: tuple[OutputPart | None, ...] = (None,) if whole else output_parts(claim.mechanism)
    for obligation in listed:
        for part in separate:
            yield Task(obligation, part)


def has_single_total(mechanism: Mechanism) -> bool:
    """True if the law has one total: one output, or finite outputs whose combinations are
    listed.
    """
    finite = all(o.kind == "finite" for o in mechanism.outputs)
    return len(mechanism.outputs) == 1 or (finite and not is_separable(mechanism))


def is_separable(mechanism: Mechanism) -> bool:
    """True if there are several finite outputs and each output's factor mentions no other
    output.
    """
    if len(mechanism.outputs) < 2 or any(o.kind != "finite" for o in mechanism.outputs):
        return False
    listed = tuple(o.name for o in mechanism.outputs)
    _, groups = factors_by_output(mechanism.density, listed)
    return all(not (set(listed) - {n}) & names(g) for n, g in zip(listed, groups, strict=True))
