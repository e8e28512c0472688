"""Composite mechanisms, each claimed at the level and the delta that its composition rule gives:
nothing is searched or simplified, so reading a file needs no prover.

A claim about a noise program is a part too: an abstract mechanism stands for the program, assumed
to satisfy that claim (`assumed_from`).  The composite keeps the claim beside it, so that `verify`
proves both.

>>> from ahdp_verify.kernel.model.composite import assume
>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import name
>>> W = Domain([(0, 1), (1, 2)])
>>> print(composite_claim("compose", [assume(W, "ahdp", name("eps"), text=letter) for letter in "AB"]))
compose(A, B) is AHDP at level eps + eps
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from operator import and_

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import AnyCertificate
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    AbstractMechanism,
    AnyClaim,
    Composite,
    CompositeClaim,
)
from ahdp_verify.kernel.model.domain import Queries
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    Max,
    add,
    conjuncts,
    eq,
    exp,
    log,
    multiply,
    negative,
    number,
    oo,
    piecewise,
    walk,
)
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved

# a claim with the proof of it that a file holds, or with the claim about a noise program that it
# stands for, or the verdict on that
ClaimWithProof = tuple[AnyClaim, AnyCertificate | ProgramClaim | Proved]
ComposedPart = AnyClaim | ProgramClaim | Proved | ClaimWithProof
ReadPart = tuple[AnyClaim, AnyCertificate | ProgramClaim | Proved | None]


def claim_and_proof(part: ComposedPart, queries: int | None = None) -> ReadPart:
    """The claim of a part, and its proof where it comes with one; BadInput for anything else.

    `queries` is for how many of them a claim about any number is used.
    """
    if (
        isinstance(part, Proved)
        and isinstance(part.claim, Claim | CompositeClaim)
        and not isinstance(part.certificate, Alignment | AppliedAlignment)
    ):
        return part.claim, part.certificate
    if isinstance(part, ProgramClaim) or (
        isinstance(part, Proved) and isinstance(part.claim, ProgramClaim)
    ):
        return assumed_from(part, queries), part
    if isinstance(part, Claim | CompositeClaim):
        return part, None
    if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], Claim | CompositeClaim):
        return part
    cure = "give ahdp(M, level), a verdict, or recheck(path) of a saved proof"
    if isinstance(part, Mechanism | Program):
        cure = "state its level, as in ahdp(M, level); tighten(M) finds the least one"
    raise BadInput("part", f"{str(part)[:60]} is not a claim", cure)


def assumed_from(claim: ProgramClaim | Proved, queries: int | None = None) -> CompositeClaim:
    """The claim of an abstract mechanism that stands for a noise program, or for any other
    mechanism with the same inputs that satisfies the program's claim.

    queries    for how many of them, where the claim is about any number

    Raises BadInput for a claim about any number of queries without such a number, and for a program
    whose query answers are whole numbers.

    >>> from ahdp_verify.kernel.model.answers import Answers
    >>> from ahdp_verify.kernel.model.program import Draw, Program, Release, Stop
    >>> from ahdp_verify.kernel.terms.grammar import parse
    >>> noisy = Draw("nu", "laplace", parse("2"), Release(parse("q[1] + nu"), Stop()))
    >>> program = Program("noisy answer", (), Answers(1), noisy)
    >>> print(assumed_from(ProgramClaim(program, "one", parse("1/2"))))
    noisy answer is DP for one moving answer at level 1/2
    """
    found = claim.claim if isinstance(claim, Proved) else claim
    if not isinstance(found, ProgramClaim):
        raise BadInput("part", "it is no claim about a noise program", "give it as it is")
    inputs, program, n = found.program.inputs, found.program, found.n or queries
    what = display_name(program.name) or "the program"
    domain: Inputs
    if isinstance(inputs, RecordAnswers):
        domain = inputs.domain
    elif inputs.whole:
        raise BadInput(
            what,
            "its query answers are whole numbers, and those of a composite are any numbers",
            "compute its answers from records",
        )
    elif n is None:
        raise BadInput(
            what,
            "the claim is about any number of queries, and a composite has a fixed number",
            "give it, as in dp(..., queries=10)",
        )
    else:
        domain = Queries(n)
    taken = {key for key, _ in program.parameters}
    output = next(key for key in free_names("y") if key not in taken)
    abstract = AbstractMechanism(
        program.name or "program",
        domain,
        found.relation,
        found.level,
        found.delta,
        (real(output),),
        program.parameters,
    )
    return CompositeClaim(abstract, found.relation, found.level, found.delta)


def free_names(base: str) -> Iterator[str]:
    """The name itself, then others like it: y, y_2, y_3, ..."""
    stem = base.split("[")[0]
    return itertools.chain((base,), (f"{stem}_{i}" for i in itertools.count(2)))


def program_premises(claim: AnyClaim) -> tuple[ProgramClaim | Proved, ...]:
    """The claims about noise programs, or the verdicts on them, that stand beside the parts of a
    composite, each once.
    """
    m = claim.mechanism
    if not isinstance(m, Composite):
        return ()
    found = [p for p in m.proofs if isinstance(p, ProgramClaim | Proved)]
    found += [p for part in m.parts for p in program_premises(part)]
    return tuple(dict.fromkeys(found))


def _number_of_queries(part: ComposedPart) -> int | None:
    """How many query answers a part is about, where that is a fixed number."""
    claim = part[0] if isinstance(part, tuple) else part
    claim = claim.claim if isinstance(claim, Proved) else claim  # type: ignore[assignment]
    if isinstance(claim, ProgramClaim):
        return None if isinstance(claim.program.inputs, RecordAnswers) else claim.n
    inputs = claim.mechanism.inputs if isinstance(claim, Claim | CompositeClaim) else None
    return inputs.n if isinstance(inputs, Queries) else None


def composite_claim(
    rule: str,
    parts: Iterable[ComposedPart],
    *,
    name: str = "",
    formulas: Iterable[object] = (),
    domain: Inputs | None = None,
    released: Iterable[Output] = (),
    own: Mapping[str, object] | None = None,
    level: Expression | None = None,
    relation: str = "",
) -> CompositeClaim:
    """The claim of the composite at the level that its rule gives, or at `level`."""
    given = list(parts)
    n = next((k for part in given if (k := _number_of_queries(part)) is not None), None)
    listed = [claim_and_proof(part, n) for part in given]
    if rule in ("compose", "product"):
        listed = with_distinct_outputs(listed)
    m = Composite(
        rule,
        [claim for claim, _ in listed],
        name=name,
        formulas=formulas,
        domain=domain,
        released=released,
        own=own or {},
        proofs=[p for _, p in listed],
    )
    of_law, at = relation_and_level(m)
    weights = m.formulas if rule == "mixture" else (number(1),) * len(listed)
    deltas = [
        multiply(w, claim.delta)
        for w, (claim, _) in zip(weights, listed, strict=True)
        if claim.delta != ZERO
    ]
    return CompositeClaim(
        m,
        relation or of_law,
        at if level is None else level,
        add(*deltas) if deltas else ZERO,
        listed[0][0].public if listed else (),
    )


def with_distinct_outputs(listed: list[ReadPart]) -> list[ReadPart]:
    """The same claims, the outputs of abstract mechanisms, which are only there to be named,
    under other names where an earlier part has theirs.
    """
    used: set[str] = set()
    result: list[ReadPart] = []
    for claim, proof in listed:
        m = claim.mechanism
        if (
            isinstance(m, AbstractMechanism)
            and isinstance(claim, CompositeClaim)
            and {o.name for o in m.outputs} & used
        ):
            taken_ = used | {key for key, _ in m.parameters}
            new = []
            for o in m.outputs:
                key = next(k for k in free_names(o.name) if k not in taken_)
                taken_.add(key)
                new.append(Output(key, o.kind, o.values))
            claim = replace(claim, mechanism=replace(m, outputs=tuple(new)))
            proof = proof if isinstance(proof, ProgramClaim | Proved) else None
        used |= {o.name for o in claim.mechanism.outputs}
        result.append((claim, proof))
    return result


def relation_and_level(m: Composite) -> tuple[str, Expression]:
    """The relation and the level that the composition rule gives a composite."""
    levels = [part.level for part in m.parts]
    relation = m.parts[0].relation if m.parts else "ahdp"
    if m.rule == "mixture":
        return relation, branch_on_infinity(
            levels, lambda finite: Max(*finite) if len(finite) > 1 else finite[0], oo
        )
    if m.rule == "subsample":
        keep = m.formulas[0]
        infinite = (
            piecewise((0, eq(keep, 0)), (oo, True))
            if keep.head != "number"
            else oo
            if keep.args[0]
            else number(0)
        )
        return "ahdp", branch_on_infinity(
            levels,
            lambda finite: log(add(number(1), multiply(keep, add(exp(finite[0]), number(-1))))),
            infinite,
        )
    if m.rule == "normalised":
        return relation, add(m.formulas[2], negative(m.formulas[1]))
    return relation, branch_on_infinity(levels, lambda finite: add(*finite), oo)


def branch_on_infinity(
    levels: list[Expression], joined: Callable[[list[Expression]], Expression], infinite: Expression
) -> Expression:
    """What `joined` makes of the levels, and `infinite` where one of them is oo: in branches, since
    oo is not a number to compute with.
    """
    if not any(node == oo for level in levels for node in walk(level)):
        return joined(levels)
    found: list[tuple[Expression, Expression]] = []
    for chosen in itertools.product(*(level_branches(level) for level in levels)):
        values = [value for value, _ in chosen]
        conditions = tuple(
            dict.fromkeys(c for _, condition in chosen for c in conjuncts(condition) if c != TRUE)
        )
        here = reduce(and_, conditions) if conditions else TRUE
        found.append((infinite if oo in values else joined(values), here))
    return found[0][0] if found[0][1] == TRUE else piecewise(*found)


def level_branches(level: Expression) -> list[tuple[Expression, Expression]]:
    """The values of a level with the conditions under which each is taken, if no earlier one is."""
    if level.head != "piecewise":
        return [(level, TRUE)]
    listed = []
    for value, condition in zip(level.args[::2], level.args[1::2], strict=True):
        listed += [
            (v, c if condition == TRUE else condition if c == TRUE else condition & c)
            for v, c in level_branches(value)
        ]
    return listed
