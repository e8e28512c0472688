"""What a proof speaks of: which inputs, under which conditions, and whether it compares any two of
them at all.

A `Scope` is worked out from what the obligations of a claim assume, and from nothing that a
certificate says.  A claim that compares nothing is true of every mechanism, so a proof brings
evidence that there is something to compare: two inputs (`Pair`), values of the unknowns (`At`), or
the opposite, a proof that there is nothing (`Nothing`).  Texts for people are made elsewhere.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.mechanism import Mechanism, real
>>> from ahdp_verify.kernel.model.claims import dp
>>> law = exp(-Abs(name("s") - name("q[1]"))) / 2
>>> claim = dp(Mechanism(Queries(1), outputs=[real("s")], density=law, defined="q[1] == 0"), 1, "one")
>>> found = Pair((), (), (number(0),), (number(1),))
>>> print(scope_of(claim, None, found).inputs, scope_of(claim, None, found).defined)
query answers q[1] == 0
>>> check_compared(claim, None, found)
Traceback (most recent call last):
    ...
ahdp_verify.kernel.errors.Rejected: the mechanism is not defined there
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence import certificate
from ahdp_verify.kernel.evidence.certificate import CaseSplit, Closed, Evidence
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    check_conditions,
    law_at,
    level_of_move,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.shape import has_shape
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import PAIRS, AnyClaim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.inequality import Statement, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import excluded, parameter_context
from ahdp_verify.kernel.numbers.ball import sign
from ahdp_verify.kernel.numbers.context import Context, normal, truth
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.inequalities import cases, extended, never
from ahdp_verify.kernel.rules.obligations import Comparison, comparisons
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    eq,
    name,
    number,
    oo,
    substitute,
    sum_over_records,
    to_json,
)

Claimed = AnyClaim | Statement | BestClaim | GuessClaim
SOMETHING, NOTHING, NOT_FOUND = "something", "nothing", "not found"
CURE = "use a file that ahdp-verify saved"
EMPTY = Context.empty()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two inputs that a claim compares, in the form of a counterexample without an event."""

    parameters: Values
    instances: tuple[Values, ...]
    before: tuple[Expression, ...]
    after: tuple[Expression, ...]

    @property
    def example(self) -> Counterexample:
        """The same as a counterexample with an empty event."""
        return Counterexample(self.parameters, self.instances, self.before, self.after, Event())


@dataclass(frozen=True, slots=True)
class At:
    """Values of the unknowns of a statement, or of the parameters of an optimum, that satisfy
    all conditions.
    """

    values: Values


@dataclass(frozen=True, slots=True)
class Nothing:
    """A proof that nothing is compared: for each comparison the place of the evidence that it is
    impossible.

    The place is None for a comparison one of whose conditions is known not to hold.
    """

    counts: bool
    evidence: tuple[Evidence, ...]
    uses: tuple[int | None, ...]


Compared = Pair | At | Nothing


@dataclass(frozen=True, slots=True)
class Scope:
    """What was assumed of the inputs, and whether something, nothing, or nothing that was found is
    compared.

    inputs       what kind of inputs the claim is about
    conditions   of the parameters or unknowns, those that are not simply true
    defined      where the mechanism is defined, so which inputs are compared
    size         datasets of at most so many records; None for all
    compared     SOMETHING, NOTHING or NOT_FOUND
    """

    inputs: str
    conditions: tuple[Expression, ...]
    defined: Expression
    size: int | None
    compared: str

    def to_json(self) -> Any:
        """The object that a stored record holds."""
        return {
            "inputs": self.inputs,
            "conditions": [to_json(c) for c in self.conditions],
            "defined": to_json(self.defined),
            "size": self.size,
            "compared": self.compared,
        }


def scope_of(claim: Claimed, size: int | None, compared: Compared | None) -> Scope:
    """The scope of a proof of the claim, or of one for datasets of at most `size` records.

    `compared` must have passed `check_compared`.
    """
    found = (
        NOT_FOUND if compared is None else NOTHING if isinstance(compared, Nothing) else SOMETHING
    )
    if isinstance(claim, GuessClaim):
        given = tuple(eq(name(k), v) for k, v in claim.parameters)
        return Scope("tests of the listed inputs", given, TRUE, None, found)
    if isinstance(claim, Statement | BestClaim):
        kind = "unknowns" if isinstance(claim, Statement) else _kernels(claim)
        return Scope(kind, conditions_of(claim.parameters), TRUE, None, found)
    m = claim.mechanism
    size = size if isinstance(m.inputs, Domain) else None
    return Scope(_kind(claim), conditions_of(m.parameters), m.defined, size, found)


def conditions_of(parameters: reading.Named) -> tuple[Expression, ...]:
    """The conditions that are not simply true."""
    return tuple(c for _, c in parameters if c != TRUE)


def _kind(claim: AnyClaim) -> str:
    if claim.relation == PAIRS:
        return "pairs of datasets"
    inputs = claim.mechanism.inputs
    return (
        "datasets"
        if isinstance(inputs, Domain)
        else "query answers"
        if isinstance(inputs, Queries)
        else "values"
    )


def _kernels(claim: BestClaim) -> str:
    if not claim.everywhere:
        return "mechanisms on the listed datasets"
    return "mechanisms on all datasets" + (" of one size" if claim.relation == "swap" else "")


def bare(claim: AnyClaim, size: int | None = None) -> Claim:
    """The claim about a law that says nothing: same inputs, parameters, relation and level, and
    defined where that is.

    With a size, it is defined on datasets of at most so many records only.
    """
    m = claim.mechanism
    taken = {k.split("[")[0] for k in (*(p for p, _ in m.parameters), *m.inputs.bound)}
    output = next(key for key in map("y{}".format, itertools.count()) if key not in taken)
    defined = m.defined
    if size is not None and isinstance(m.inputs, Domain):
        small = sum_over_records(ONE) <= number(size)
        defined = small if defined == TRUE else Expression("and", (defined, small))
    law = Mechanism(
        m.inputs,
        outputs=[Output(output, "finite", (ZERO,))],
        density=ONE,
        defined=defined,
        parameters=m.parameters,
    )
    relation = "ahdp" if claim.relation == PAIRS else claim.relation
    return Claim(law, relation, claim.level, ZERO, claim.public)


def comparisons_of(claim: Claimed, size: int | None, counts: bool) -> Iterator[Comparison]:
    """What a claim compares: its moves with the facts that are known of them, or all values of
    its unknowns.
    """
    if isinstance(claim, Statement | BestClaim):
        yield Comparison(tuple(c for _, c in claim.parameters), parameter_context(claim.parameters))
    elif not isinstance(claim, GuessClaim):
        yield from comparisons(bare(claim, size), counts)


def check_compared(claim: Claimed, size: int | None, compared: Compared) -> None:
    """Nothing if the claim compares these inputs, or is shown to compare none; Rejected
    otherwise.
    """
    if isinstance(compared, Nothing):
        _nothing(claim, size, compared)
    elif isinstance(compared, At):
        _at(claim, compared)
    elif isinstance(compared, Pair) and not isinstance(claim, Statement | BestClaim | GuessClaim):
        _pair(bare(claim, size), compared)
    else:
        raise Rejected(
            "a claim about a mechanism compares two inputs, another one values of its unknowns"
        )


def _pair(claim: Claim, pair: Pair) -> None:
    """Nothing if one move of finite level leads from one input to the other, both where the
    mechanism is defined.
    """
    example = pair.example
    check_conditions(claim, example)
    if level_of_move(claim, example) == oo:
        raise Rejected("the two inputs that are compared are a move of level oo")
    for side in (example.before, example.after):
        law_at(claim, example, side)
    for one, other in itertools.combinations(example.instances, 2):
        if not any(_differ(v, dict(other)[k]) for k, v in one):
            raise Rejected("the two records that are compared may be the same")


def _differ(a: Expression, b: Expression) -> bool:
    """True only if two constants are different numbers, or one of them is oo."""
    if oo in (a, b):
        return a != b
    return sign(normal(a, EMPTY) - normal(b, EMPTY)) in (1, -1)


def _at(claim: Claimed, at: At) -> None:
    """Nothing if the values are those of all unknowns, in order, and satisfy all conditions."""
    if not isinstance(claim, Statement | BestClaim | GuessClaim):
        raise Rejected("a claim about a mechanism compares two inputs")
    parameters = () if isinstance(claim, GuessClaim) else claim.parameters
    given = dict(at.values)
    if [k for k, _ in at.values] != [k for k, _ in parameters]:
        raise Rejected("the values are not those of the unknowns")
    for value in given.values():
        reading.constant(value, "value")
    for _, condition in parameters:
        if not truth(substitute(condition, given), EMPTY):
            raise Rejected(f"the condition {condition} does not hold")


def _nothing(claim: Claimed, size: int | None, shown: Nothing) -> None:
    """Nothing if every comparison is shown to be impossible."""
    if isinstance(claim, GuessClaim) or not isinstance(shown.counts, bool):
        raise Rejected("the proof that nothing is compared does not fit the claim")
    listed = list(comparisons_of(claim, size, shown.counts))
    if len(listed) != len(shown.uses):
        raise Rejected(
            f"there are {len(listed)} comparisons, and {len(shown.uses)} are said to be impossible"
        )
    for comparison, use in zip(listed, shown.uses, strict=True):
        if use is None:
            if not any(excluded(c, comparison.here) for c in comparison.conditions):
                raise Rejected("a condition of a comparison may hold")
        elif type(use) is int and 0 <= use < len(shown.evidence):
            impossible(shown.evidence[use], comparison.here)
        else:
            raise Rejected("a comparison has no evidence")
    if {use for use in shown.uses if use is not None} != set(range(len(shown.evidence))):
        raise Rejected("there is evidence for no comparison")


def impossible(evidence: Evidence, here: Context) -> None:
    """Nothing if the facts contradict each other in every case of the evidence; Rejected
    otherwise.
    """
    if isinstance(evidence, CaseSplit):
        here = extended(evidence.lemmas, here)
        for case, rest in cases(evidence, here):
            impossible(rest, case)
    elif isinstance(evidence, Closed) and evidence.form == "never":
        never(evidence.proofs, extended(evidence.lemmas, here))
    else:
        raise Rejected("the facts of a comparison are not shown to contradict each other")


def compared_to_json(compared: Compared | None) -> Any:
    """The exact JSON of what is compared, told apart by its fields; null for nothing that was
    found.
    """
    if compared is None:
        return None
    return {f.name: certificate.to_json(getattr(compared, f.name)) for f in fields(compared)}


KINDS: dict[frozenset[str], type[Compared]] = {
    frozenset(f.name for f in fields(kind)): kind for kind in (Pair, At, Nothing)
}


def compared_from_json(data: Any) -> Compared | None:
    """What is compared, from its JSON; BadInput for anything else."""
    if data is None:
        return None
    kind = KINDS.get(frozenset(data)) if isinstance(data, dict) else None
    if kind is None:
        raise BadInput(
            "compared",
            "it has other fields than two inputs, values, or a proof that there are none",
            CURE,
        )
    found = kind(**{key: certificate.from_json(value) for key, value in data.items()})
    if not has_shape(found):
        raise BadInput("compared", "a field of it does not hold what belongs there", CURE)
    return found
