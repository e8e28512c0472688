"""How far the answer to a query on records moves between neighbouring datasets: the least bound.

Laplace noise of scale 1 around the answer f(D) has the privacy loss |s - f(D')| - |s - f(D)| between
D and D' at the output s, which is largest, |f(D') - f(D)|, beyond both answers.  So the least level
of that mechanism is the sensitivity of f, for each record and for all moves:

    f with Laplace noise of scale 1 has level b between the neighbours
    ------------------------------------------------------------------
                 |f(D') - f(D)| <= b for all neighbours

and `tighten` finds it, with a proof, and datasets at which f moves so far.

>>> U = Domain.universal(unknowns={"x": "0 <= x <= 1"})
>>> print(record_sensitivity("sum(x*(1 - x))", U, "swap"))
the sensitivity of sum(x*(1 - x)) under swap is 1/4, attained at x = 0, x' = 1/2
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ahdp_verify.analysis.levels.table import LevelRow, Levels
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.numbers.normal_form import refusal_text
from ahdp_verify.kernel.terms.expression import ZERO, Abs, Expression, exp, names, oo
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits

LETTERS = ("s", *(f"s{i}" for i in range(1, 100)))  # what the noisy answer may be called
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
        if formula is not None and self.least:
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
    law = Mechanism(
        inputs,
        outputs=[released],
        density=exp(-Abs(released.symbol - answer)) / 2,
        defined=defined,
        parameters=given,
        name="the query with Laplace noise of scale 1",
    )
    try:
        found = tighten(law, relation, limits, public=public)
    except (Undecided, Unsupported) as why:
        cure = "bound what a record may be, its demand too"
        raise NotWorkedOut("query", f"it was not worked out: {refusal_text(why)}", cure) from None
    return RecordSensitivity(answer, relation, found)


def said_of_row(said: str, row: LevelRow) -> str:
    """What is known of one row, in a sentence that begins so."""
    if row.exact:
        size = "infinite" if row.level == oo else str(row.level)
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
