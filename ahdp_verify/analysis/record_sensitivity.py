"""How far the answer to a query on records moves between neighbouring datasets: the least bound.

Laplace noise of scale 1 around the answer f(D) has the privacy loss |s - f(D')| - |s - f(D)|
between D and D' at the output s, which is largest, |f(D') - f(D)|, beyond both answers.  So the
least level of that mechanism is the sensitivity of f, for each record and for all moves:

    f with Laplace noise of scale 1 has level b between the neighbours
    ------------------------------------------------------------------
                 |f(D') - f(D)| <= b for all neighbours

and `tighten` finds it, with a proof, and datasets at which f moves so far.

>>> U = Domain.universal(unknowns={"x": "0 <= x <= 1"})
>>> print(record_sensitivity("sum(x*(1 - x))", U, "swap"))
the sensitivity of sum(x*(1 - x)) under swap is 1/4, attained at x = 0, x' = 1/2
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.analysis.levels.table import NOTHING_COMPARED, LevelRow, Levels
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import (
    BadInput,
    LawFault,
    NotWorkedOut,
    Rejected,
    Undecided,
    Unsupported,
)
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    check_example_conditions,
    law_at,
    level_of_move,
    side_nodes,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Abs,
    Expression,
    aggregates,
    exp,
    name,
    names,
    number,
    oo,
    transform,
    walk,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.floating_point import WITHOUT_VALUE, float_function
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

LETTERS = ("s", *(f"s{i}" for i in range(1, 100)))  # what the noisy answer may be called
Record = dict[str, Fraction]
Records = tuple[Record, ...]
EMPTY = Context.empty()
TRIED = 120  # records of which all pairs are tried
BESIDE = Fraction(1, 64)  # from a number at which a condition may change
JOINED: dict[str, Callable[[list[float]], float]] = {"sum": sum, "maximum": max, "minimum": min}
# in the place of a row, where outputs are "large s" and the like
EQUATION = re.compile(r"[^ ,]+ (=|->) [^,]+?(?=,| or | and |$)")
RELATIONS = ("add-remove", "swap", "ahdp", "hdp")


@dataclass(frozen=True, slots=True)
class RecordSensitivity:
    """The sensitivity of a query on records under a relation.

    levels    the least levels of Laplace noise of scale 1 around the answer, which are how far the
              answer moves: one row for all moves (add-remove, swap), or one for each record that is
              added, removed (ahdp) or replaced by one of the same demand (hdp)
    """

    query: Expression
    relation: str
    levels: Levels

    __repr__ = short_repr

    @property
    def bound(self) -> Expression | None:
        """The answer never moves by more, an expression in the record that changes under ahdp and
        hdp; None if there is no such expression with a proof.
        """
        return self.levels.sufficient

    @property
    def least(self) -> bool:
        """Whether no smaller bound is valid."""
        return self.levels.exact

    @property
    def lines(self) -> tuple[str, ...]:
        """What is known, in sentences: one, or one for each record."""
        said = f"the sensitivity of {self.query} under {self.relation}"
        rows = self.levels.rows
        if len(rows) == 1:
            return (said_of_row(said, rows[0]),)
        formula = self.levels.formula
        if formula is not None and self.least and rows[0].where != NOTHING_COMPARED:
            return (f"{said} is {formula} for every record",)
        return tuple(said_of_row(f"{said} for {row.record}", row) for row in rows)

    def __str__(self) -> str:
        return "\n".join(self.lines)


def record_sensitivity(
    query: object,
    inputs: Domain,
    relation: str = "add-remove",
    limits: Limits | None = None,
    *,
    public: tuple[str, ...] = (),
    defined: object = None,
    parameters: Mapping[str, object] | None = None,
) -> RecordSensitivity:
    """How far the answer to a query on datasets moves at most between neighbours, for all datasets,
    or for those where `defined` holds.

    `relation` is add-remove, swap, ahdp (how far each record moves the answer) or hdp (each record,
    replaced by one of the same demand and the same `public` parts).  Raises BadInput for a query
    that has no meaning on the records.
    """
    if relation not in RELATIONS:
        cure = f"use {', '.join(RELATIONS)}"
        raise BadInput("relation", f"{str(relation)[:40]!r} does not relate datasets", cure)
    answer = parse(query, "query") if isinstance(query, str) else query
    if not isinstance(answer, Expression):
        raise BadInput("query", f"{type(query).__name__} is no query", 'write it, as in "sum(x)"')
    given = parameters or {}
    taken = {*names(answer), *given, *(key.split("[")[0] for key in inputs.bound)}
    taken |= {key for key, _ in inputs.parameters}
    released = Output(next(key for key in LETTERS if key not in taken), "real")
    try:
        law = Mechanism(
            inputs,
            outputs=[released],
            density=exp(-Abs(released.symbol - answer)) / 2,
            defined=defined,
            parameters=given,
            name="the query with Laplace noise of scale 1",
        )
        found = tighten(law, relation, limits, public=public)
    except BadInput as why:
        raise of_the_query(why, released.name) from None
    except (Undecided, Unsupported) as why:
        cure = "bound what a record may be, its demand too"
        raise NotWorkedOut("query", f"it was not worked out: {refusal_text(why)}", cure) from None
    if not found.exact and len(found.rows) == 1:
        found = by_small_datasets(found, answer, limits or Limits()) or found
    return RecordSensitivity(answer, relation, found)


def of_the_query(why: BadInput, output: str) -> BadInput:
    """The same of the query, where it is about the law with noise that was made of it, whose output
    has this name.
    """
    if isinstance(why, LawFault):
        said = why.fault.replace("the density", "it")
        cure = 'state where it has a value, for example defined = "size >= 1"'
        return BadInput("query", f"at {why.place.partition(', output')[0]} {said}", cure)
    cure = re.sub(rf"(, {output}\b|\b{output}, )", "", why.cure)  # among the names that are known
    return BadInput("query", why.reason, cure) if why.where == "density" else why


def by_small_datasets(found: Levels, query: Expression, limits: Limits) -> Levels | None:
    """The level that datasets of at most one record suggest, if the answer moves by exactly that
    between two of them, and it is proved; None otherwise.  Records are tried at the numbers in the
    query and the conditions, and beside and between them.
    """
    claim = found.claim
    before, after = farthest_apart(query, claim, limits)
    moved = None if before == after else exact_change(query, claim, before, after)
    if moved is None:
        return None
    bound = to_expression(moved)
    proof = verify(replace(claim, level=bound), limits)
    if proof.outcome != "proved" or not isinstance(proof, Proved):
        return None
    shown = [(("", "'")[i], r) for i, r in enumerate((*before, *after))]
    where = ", ".join(f"{k}{mark} = {number(v)}" for mark, r in shown for k, v in r.items())
    row = replace(found.rows[0], level=bound, low=bound, where=f"attained at {where}")
    return replace(found, rows=(replace(row, exact=True, reason="", proof=proof),))


def exact_change(query: Expression, claim: Claim, before: Records, after: Records) -> Ratio | None:
    """How far the answer moves between two datasets, exactly; None where that is not worked out,
    where the claim does not compare them, or where a record is none of the domain.
    """
    unknowns = [key for key, _ in claim.mechanism.inputs.unknowns]  # type: ignore[attr-defined]
    listed = tuple(
        tuple((key, number(r.get(key, Fraction(1)))) for key in unknowns) for r in (*before, *after)
    )
    counts = ((1,) * len(before) + (0,) * len(after), (0,) * len(before) + (1,) * len(after))
    first, second = (tuple(map(number, side)) for side in counts)
    pair = Counterexample((), listed, first, second, Event())
    try:
        check_example_conditions(claim, pair)
        level_of_move(claim, pair)  # Rejected unless they are neighbours
        answers = []
        for side in (first, second):
            law_at(claim, pair, side)  # Rejected where the query is not defined
            nodes = side_nodes(claim, pair, side)
            answers.append(normal(substitute_nodes(query, nodes), EMPTY))
    except (Undecided, Unsupported, Rejected, BadInput, ZeroDivisionError):
        return None
    moved = answers[1] - answers[0]
    sign = constant_sign(moved)
    return None if sign in (0, None) else moved.scale(sign)


def farthest_apart(query: Expression, claim: Claim, limits: Limits) -> tuple[Records, Records]:
    """No record and one, or one and another, between which the answer moves farthest in floats;
    nothing where there are parameters.
    """
    inputs = claim.mechanism.inputs
    if claim.relation not in ("add-remove", "swap") or not isinstance(inputs, Domain):
        return (), ()
    if claim.mechanism.parameters or not inputs.is_universal:
        return (), ()
    clock, defined = limits.clock(), claim.mechanism.defined
    parts = [
        (part, float_function(part.args[0]))
        for part in dict.fromkeys((*aggregates(query), *aggregates(defined)))
    ]
    places = {part: name(f"@{i}") for i, (part, _) in enumerate(parts)}
    whole, inside = (float_function(transform(e, places.get)) for e in (query, defined))

    def answer(*records: Record) -> float:
        values = ([body(in_floats(r)) for r in records] for _, body in parts)
        joined = (JOINED[part.head](v) for (part, _), v in zip(parts, values, strict=True))
        given = {f"@{i}": value for i, value in enumerate(joined)}
        return float(whole(given)) if inside(given) else math.nan

    listed = list(itertools.islice(records_to_try(query, inputs), TRIED))
    pairs: Iterable[tuple[Records, Records]] = (
        (((), (r,)) for r in listed)
        if claim.relation == "add-remove"
        else (((r,), (other,)) for r, other in itertools.combinations(listed, 2))
    )
    best: tuple[float, tuple[Records, Records]] = (0.0, ((), ()))
    for before, after in pairs:
        clock.check("trying small datasets")
        with suppress(*WITHOUT_VALUE, ValueError):
            moved = abs(answer(*after) - answer(*before))
            best = (moved, (before, after)) if moved > best[0] else best
    return best[1]


def in_floats(record: Record) -> dict[str, float]:
    """The numbers of a record in floats."""
    return {key: float(value) for key, value in record.items()}


def records_to_try(query: Expression, inputs: Domain) -> Iterator[Record]:
    """Records at, beside and between the numbers in a query and in the conditions of the domain."""
    conditions = [c for _, c in inputs.unknowns]
    numbers = {
        Fraction(e.args[0])
        for part in (query, *conditions)
        for e in walk(part)
        if e.head == "number"
    }
    ends = sorted(numbers) or [Fraction(0), Fraction(1)]
    between = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
    values = [*ends, *between, *(e + side for e in ends for side in (BESIDE, -BESIDE))]
    spoken = set(names(query))
    for _ in conditions:
        spoken |= set().union(*(names(c) for c in conditions if names(c) & spoken))
    keys = [key for key, _ in inputs.unknowns if key in spoken]
    allowed = [float_function(c) for c in conditions if names(c) <= spoken]
    for row in itertools.product(values, repeat=len(keys)):
        record = dict(zip(keys, row, strict=True))
        with suppress(*WITHOUT_VALUE):
            if all(holds(in_floats(record)) for holds in allowed):
                yield record


def said_of_row(said: str, row: LevelRow) -> str:
    """What is known of one row, in a sentence that begins so."""
    if row.exact:
        size = "infinite" if row.level == oo else str(row.level)
        if row.where == NOTHING_COMPARED:
            return f"{said} is {size}: {NOTHING_COMPARED}"
        return f"{said} is {size}{place_of(row)}"
    low = "" if row.low == ZERO else f"at least {row.low}{place_of(row)}"
    most = "" if row.level is None else f"at most {row.level}"
    known = " and ".join(part for part in (low, most) if part) or "not known"
    return f"{said} is {known}; of Laplace noise of scale 1, whose least level it is: {row.reason}"


def place_of(row: LevelRow) -> str:
    """The records at which the answer moves so far, without the outputs of the noise."""
    word = "attained" if row.where.startswith("attained") else "approached"
    parts = [found[0] for found in EQUATION.finditer(row.where)]
    return f", {word} at {', '.join(dict.fromkeys(parts))}" if parts else ""
