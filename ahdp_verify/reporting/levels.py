"""The part of a report on levels: what the claim allows each record, the least level that holds,
and whether the record's demand is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ahdp_verify.analysis.levels.table import LevelRow, Levels, claim_context
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.kernel.errors import AhdpError, OutOfLimits
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import PAIRS, AnyClaim
from ahdp_verify.kernel.model.domain import Domain, Values, value_at_bindings
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.algebra import Ratio, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.compared import bare_claim
from ahdp_verify.kernel.terms.expression import ZERO, Expression, oo
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.reporting.blocks import Block, Folded, Formula, Paragraph, Pieces, Table
from ahdp_verify.reporting.numbers import constant_value, interval_text
from ahdp_verify.reporting.sentences import depends_on_record, largest_level
from ahdp_verify.reporting.subjects import written_claim
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.loss.candidates import Slot, claim_slots
from ahdp_verify.search.simplify import shortest_form
from ahdp_verify.verdicts import Verdict

SECONDS = 5.0  # most processor time for the least levels of one claim
FEW = 40  # rows that are shown at once
MANY = 400  # rows beyond which none is worked out
LONG = 60  # characters of a level that is shown in a table


@dataclass(frozen=True, slots=True)
class RecordLevel:
    """One row: a record (or pair, or move), its demand, the level that the claim gives it, and what
    is known of the least level there.
    """

    text: str
    demand: Expression | None
    claimed: Expression | None
    row: LevelRow | None


def level_blocks(verdict: Verdict, limits: Limits) -> Iterator[Block]:
    """The table, with what is not in it."""
    claim = verdict.claim
    written = written_claim(claim) if isinstance(claim, AnyClaim) else None
    if written is None:
        yield Paragraph.of(
            "The least levels were not worked out: the distribution of this mechanism is not one "
            "expression.",
            kind="note",
        )
        return
    slots = listed_slots(written)
    if len(slots) > MANY:
        yield Paragraph.of(
            f"There are {len(slots)} rows, which are not listed here; the least levels were not "
            "worked out.",
            kind="note",
        )
        return
    found, why = least_levels(written, limits)
    rows = record_levels(written, slots, found)
    table = level_table(verdict, written, rows)
    yield table if len(rows) <= FEW else Folded(f"All {len(rows)} rows", (table,))
    yield from remarks(written, found, why)


def remarks(claim: Claim, found: Levels | None, why: str) -> Iterator[Block]:
    """What the table leaves out."""
    if found is None:
        yield Paragraph.of(f"The least levels were not worked out: {why}.", kind="note")
        return
    if found.level is not None:
        yield Paragraph.of("In one formula, the least level is ", Formula.of(found.level), ".")
    if claim.delta != ZERO:
        yield Paragraph.of(
            "The least levels are those with delta = 0, so they may be above the claimed one.",
            kind="note",
        )
    for remark in found.remarks:
        yield Paragraph.of(remark, kind="note")


def listed_slots(claim: Claim) -> tuple[Slot, ...]:
    """The records (or pairs) that have a row; for an added or removed record also where one level
    is claimed for all.
    """
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Values) and len(inputs.values) ** 2 > MANY:
        return (Slot("every two values"),)
    if claim.relation == "add-remove" and isinstance(inputs, Domain) and inputs.records:
        return tuple(Slot(str(r), tuple(r.bindings.items())) for r in inputs.records)
    return claim_slots(claim)


def relation_of_rows(claim: Claim) -> str:
    """The relation whose least levels are listed: where one record is added or removed at one level
    for all, those of each record say more.
    """
    inputs = claim.mechanism.inputs
    by_record = isinstance(inputs, Domain) and bool(inputs.records)
    return "ahdp" if claim.relation == "add-remove" and by_record else claim.relation


def is_shown(verdict: Verdict) -> bool:
    """Whether a level is proved, without a delta, for inputs of every size that there are."""
    return (
        isinstance(verdict, Proved)
        and not verdict.vacuous
        and verdict.scope.size is None
        and isinstance(verdict.claim, AnyClaim)
        and verdict.claim.delta == ZERO
        and verdict.claim.relation != PAIRS
    )


def least_levels(claim: Claim, limits: Limits) -> tuple[Levels | None, str]:
    """The least levels, if they were found within a few seconds, or why not."""
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Values) and len(inputs.values) ** 2 > MANY:
        return None, f"there are {len(inputs.values)} values, too many to compare all pairs here"
    few = replace(limits, seconds=min(SECONDS, limits.seconds))
    try:
        found = tightened(claim.mechanism, relation_of_rows(claim), claim.public, few)
    except OutOfLimits:
        return None, f"they take more than {few.seconds:g} s; ahdp-verify tighten may find them"
    except (AhdpError, ZeroDivisionError) as error:
        return None, str(error).rstrip(".")
    if all(row.level is None and row.low == ZERO for row in found.rows):
        return None, f"none was found within {few.seconds:g} s; ahdp-verify tighten may find them"
    return found, ""


@lru_cache(maxsize=8)  # the claims of a file are often about one mechanism
def tightened(
    mechanism: Mechanism, relation: str, public: tuple[str, ...], limits: Limits
) -> Levels:
    """The least levels of a mechanism."""
    return tighten(mechanism, relation, limits, public=public)


def record_levels(
    claim: Claim, slots: tuple[Slot, ...], found: Levels | None
) -> tuple[RecordLevel, ...]:
    """The rows of the table."""
    rows = found.rows if found is not None else ()
    here = claim_context(claim)
    return tuple(
        RecordLevel(
            slot.text,
            dict(slot.values).get("eps") if isinstance(claim.mechanism.inputs, Domain) else None,
            level_at(claim, slot, here),
            rows[i] if i < len(rows) else None,
        )
        for i, slot in enumerate(slots)
    )


def level_at(claim: Claim, slot: Slot, here: Context) -> Expression | None:
    """The level that the claim gives a record, in a short form; None if it was not worked out."""
    if not slot.values or claim.relation not in ("ahdp", "hdp", "any"):
        return claim.level
    try:
        found = value_at_bindings(claim.level, dict(slot.values), here)
        return found if found == oo else shortest_form(found, here)
    except (AhdpError, ZeroDivisionError):
        return None


def claimed_levels(claim: AnyClaim) -> dict[str, Expression | None]:
    """The level that a claim gives each record (or pair of values) of a listed domain; empty where
    it gives one level to all, the domain is not listed, or too many would have to be listed.
    """
    inputs = claim.mechanism.inputs
    is_listed = isinstance(inputs, Values) or (isinstance(inputs, Domain) and bool(inputs.records))
    if not is_listed or not depends_on_record(claim) or claim.relation == PAIRS:
        return {}
    carrier = bare_claim(claim)
    slots = listed_slots(carrier)
    if len(slots) > MANY or not all(slot.values for slot in slots):
        return {}
    here = claim_context(carrier)
    # a bare claim may have another finite level
    given = replace(carrier, level=claim.level)
    return {slot.text: level_at(given, slot, here) for slot in slots}


def largest_claimed(claim: AnyClaim) -> Ratio | None:
    """The largest finite level that a claim gives; None if one is not a constant or not known."""
    if not depends_on_record(claim):
        return constant_value(claim.level)
    found = list(claimed_levels(claim).values())
    if None in found:
        return None
    return largest_level([e for e in found if e is not None and e != oo])


def unprotected(claim: AnyClaim) -> list[str]:
    """The records, or pairs of values, whose level is infinite."""
    return [text for text, level in claimed_levels(claim).items() if level == oo]


def level_table(verdict: Verdict, claim: Claim, rows: tuple[RecordLevel, ...]) -> Table:
    """The table of levels."""
    here = claim_context(claim)
    # of a change between two inputs, only that of one record has a demand to compare with
    with_demand = claim.relation in ("ahdp", "hdp", "add-remove") and all(
        row.demand is not None for row in rows
    )
    is_proved = is_shown(verdict)
    kept_head = "demand kept" if claim.delta == ZERO else "demand kept with delta = 0"
    head = [
        {"any": "values", "ahdp": "record", "hdp": "record", "add-remove": "record"}.get(
            claim.relation, "change"
        ),
        *(["demand"] if with_demand else []),
        "level claimed",
        "exp(level claimed)",
        "least level",
        "shown",
        *([kept_head] if with_demand else []),
    ]
    lines = []
    for row in rows:
        bounds = str(row.row.bounds) if row.row is not None else "not worked out"
        lines.append(
            (
                (one_line(row.text, LONG),),
                *([expression_pieces(row.demand)] if with_demand else []),
                expression_pieces(row.claimed),
                (factor_text(row.claimed),),
                (bounds if len(bounds) <= LONG else "a long expression, see ahdp-verify tighten",),
                (shown_text(row.row),),
                *([(kept_text(row, is_proved, here),)] if with_demand else []),
            )
        )
    caption = "Levels" + (" against the demands" if with_demand else "")
    return Table(
        f"{caption} (nats); brackets enclose a number between two decimals",
        tuple(head),
        tuple(lines),
    )


def expression_pieces(e: Expression | None) -> Pieces:
    """An expression in a cell."""
    if e is None:
        return ("not worked out",)
    return (str(e) if len(str(e)) <= LONG else "a long expression",)


def factor_text(level: Expression | None) -> str:
    """exp(level) as a number, or what is known instead."""
    if level is None:
        return "not worked out"
    if level == oo:
        return "unlimited"
    value = constant_value(level)
    return "depends on parameters" if value is None else interval_text(exp_of(value))


def shown_text(row: LevelRow | None) -> str:
    """How much of the least level is shown."""
    return "" if row is None else row.cells[-1]


def kept_text(row: RecordLevel, is_proved: bool, here: Context) -> str:
    """Whether the loss of the record is shown to be at most its demand, or to exceed it;
    `is_proved` says whether the claim is proved, without a delta.
    """
    if row.demand == oo:
        return "yes, none is made"
    known = [row.claimed] if is_proved else []
    if row.row is not None and row.row.proof is not None:
        known.append(row.row.level)
    if any(e is not None and is_at_most(e, row.demand, here) for e in known):
        return "yes"
    if row.row is not None and row.demand is not None:
        low = row.row.low
        if low == oo or (row.row.exact and row.row.level == oo):
            return "no"
        if is_below(row.demand, low, here):
            return "no"
    return "not shown"


def is_at_most(a: Expression, b: Expression | None, here: Context) -> bool:
    """True only if a <= b is shown."""
    if b is None or a == oo:
        return False
    return signs(b, a, here) <= {0, 1}


def is_below(a: Expression, b: Expression, here: Context) -> bool:
    """True only if a < b is shown."""
    return signs(b, a, here) == {1}


def signs(a: Expression, b: Expression, here: Context) -> set[int]:
    """The signs that a - b may have."""
    try:
        return set(here.ratio_signs(normal(a, here) - normal(b, here)))
    except (AhdpError, ZeroDivisionError):
        return {-1, 0, 1}
