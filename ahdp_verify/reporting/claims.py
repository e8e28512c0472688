"""The section of a report on one claim: what is claimed, what was found, and everything that helps
to judge it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ahdp_verify.analysis.arguments import Examination, StepResult
from ahdp_verify.canonical_json import canonical_text
from ahdp_verify.display.markup import latex
from ahdp_verify.display.scope_text import influences, not_found_text
from ahdp_verify.display.verdict_text import law_total_text, listed_in_words, said_of_inputs
from ahdp_verify.explanation import explain
from ahdp_verify.explanation.numbered_lines import Explanation, formula_latex
from ahdp_verify.kernel.errors import AhdpError, OutOfLimits
from ahdp_verify.kernel.evidence.counterexample import ImageCounterexample
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, assumptions
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.algebra import exp_of
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.rules.scope import NOTHING
from ahdp_verify.kernel.terms.expression import ZERO
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.reporting.blocks import (
    Attached,
    Badge,
    Block,
    Code,
    Folded,
    Formula,
    Heading,
    Listing,
    Numbered,
    Paragraph,
    Pieces,
    Section,
    Strong,
    Table,
    spelled_exponents,
)
from ahdp_verify.reporting.levels import is_shown, largest_claimed, level_blocks, unprotected
from ahdp_verify.reporting.mechanisms import mechanism_blocks, program_text_blocks, separated
from ahdp_verify.reporting.numbers import constant_value, enclosed_text
from ahdp_verify.reporting.pairs import (
    counterexample_blocks,
    given_text,
    informative_pair,
    picture_blocks,
    program_counterexample_blocks,
    side_texts,
    tradeoff_blocks,
)
from ahdp_verify.reporting.sentences import (
    MEANING,
    belief,
    depends_on_record,
    parameters_of,
    protection,
    protection_of_notion,
)
from ahdp_verify.reporting.subjects import Origin, Pair, Subject, compared_pair, shell_word
from ahdp_verify.search.limits import Limits
from ahdp_verify.verdicts import Unknown, Verdict

FEW = 12  # records without protection that are listed
HEADING = 110  # characters of a heading
LARGEST = 2_000_000  # characters of a record that is kept in the page
OF_THE_PART = (
    "The picture, and the trade-off curve below, are about the output of the part, before it is "
    "processed further; what is released tells no more than that."
)
SIGNS = {"<=": r"\le", "<": "<", "==": "=", "=": "=", ">=": r"\ge", ">": ">"}


def claim_section(subject: Subject, number: int, limits: Limits) -> Section:
    """The section of one claim."""
    name = f"claim-{number}"
    title = f"{number}. {one_line(subject.text, HEADING)}"
    blocks: list[Block] = [verdict_paragraph(subject)]
    verdict = subject.verdict
    if verdict is None:
        blocks += no_verdict_blocks(subject)
    elif isinstance(verdict.claim, AnyClaim):
        blocks += privacy_blocks(subject, verdict, verdict.claim, name, limits)
    elif isinstance(verdict.claim, NotionClaim):
        blocks += notion_blocks(subject, verdict, verdict.claim)
    elif isinstance(verdict.claim, ProgramClaim):
        blocks += program_blocks(subject, verdict, verdict.claim)
    elif isinstance(verdict.claim, Inequality):
        blocks += statement_blocks(subject, verdict, verdict.claim)
    elif isinstance(verdict.claim, SensitivityClaim | AppliedClaim):
        blocks += query_blocks(subject, verdict, verdict.claim)
    else:
        blocks += optimum_blocks(verdict)
    blocks += step_blocks(subject, limits)
    blocks += evidence_blocks(subject, number)
    return Section(name, Heading(2, title), tuple(blocks), subject.outcome)


# what was found


def verdict_paragraph(subject: Subject) -> Paragraph:
    """The verdict with what it means."""
    return Paragraph.of(
        Badge(subject.outcome, subject.word), f" {verdict_text(subject)}", kind="lead"
    )


def verdict_text(subject: Subject) -> str:
    """What the verdict means, in a sentence or two."""
    verdict = subject.verdict
    match verdict:
        case Proved() if verdict.scope.compared == NOTHING:
            return f"The claim says nothing: {one_line(said_of_inputs(verdict)[0])}."
        case Proved() if verdict.vacuous:
            return f"The claim is true, but may say nothing: {one_line(not_found_text(verdict.claim))}."
        case Proved():
            trusted = listed_in_words("the checker", *verdict.beyond, *verdict.trusts)
            return (
                f"This holds for {verdict.scope_text}. A certificate of it was accepted; what has to "
                f"be trusted for that: {trusted}."
            )
        case (
            Refuted() | RefutedProgram() | RefutedInequality() | RefutedNotion() | RefutedApplied()
        ):
            return "This is false; below is a counterexample that was computed exactly."
        case Unknown():
            return (
                "Neither a proof nor a counterexample was found. The claim may be true or false, so "
                "it must not be relied on."
            )
    found = subject.no_verdict
    return {
        "invalid": "The checker does not accept this record, so it shows nothing.",
        "refused": "This mechanism is not well defined, so there is nothing to decide.",
    }.get(found.outcome, "No answer was reached, so the claim must not be relied on.")


def no_verdict_blocks(subject: Subject) -> Iterator[Block]:
    """The reason why there is no verdict."""
    yield Paragraph.of(Strong("Reason: "), subject.no_verdict.reason)


def unknown_blocks(verdict: Unknown, origin: Origin) -> Iterator[Block]:
    """Who was asked and why each declined, and what can be tried."""
    yield Heading(3, "Why there is no answer")
    yield Table(
        "Procedures that were tried",
        ("procedure", "why it gave no answer"),
        tuple(((d.procedure,), (d.reason,)) for d in verdict.reasons),
    )
    yield Paragraph.of("What may help:")
    again = f"ahdp-verify verify {shell_word(origin.path) if origin.path else 'FILE'}"
    items: list[Pieces] = [
        ("more time, if a reason names a limit: ", Code(f"{again} --seconds 600")),
        ("a simpler form of the mechanism or of the level, if a reason names an expression",),
    ]
    claim = verdict.claim
    if isinstance(claim, ProgramClaim) and claim.n is None:
        items.append(("a weaker statement, about a fixed number of queries",))
    if isinstance(claim, AnyClaim | ProgramClaim) and parameters_of(claim):
        items.append(("numbers in place of the parameters",))
    if isinstance(claim, Claim) and isinstance(claim.mechanism.inputs, Domain):
        items.append(
            (
                "a weaker statement, about datasets of at most 3 records only: ",
                Code(f"{again} --size 3"),
            )
        )
    yield Listing(tuple(items))


# claims of privacy


def privacy_blocks(
    subject: Subject, verdict: Verdict, claim: AnyClaim, name: str, limits: Limits
) -> Iterator[Block]:
    """All of a claim of privacy but the steps of its proof."""
    yield Heading(3, "What is claimed")
    yield Paragraph(protection(claim))
    yield from size_blocks(verdict, claim)
    yield fact_table(verdict, claim)
    if isinstance(verdict, Unknown):
        yield from unknown_blocks(verdict, subject.origin)
    if isinstance(verdict, Refuted):
        yield Heading(3, "The counterexample")
        yield from counterexample_blocks(verdict)
    pair = compared_pair(verdict)
    refuted = verdict if isinstance(verdict, Refuted) else None
    if pair is not None and refuted is not None:
        if isinstance(refuted.of, ImageCounterexample):
            yield Paragraph.of(OF_THE_PART, kind="note")
        yield from picture_blocks(pair, refuted, f"{name}-a", limits)
    yield Heading(3, "The mechanism")
    yield from mechanism_blocks(claim.mechanism)
    if pair is not None and refuted is None:
        # of a proof up to a size, only the pair that it names is known to be within it
        stored = pair
        pair = pair if has_size(verdict) else informative_pair(pair)
        yield Heading(3, "Two neighbouring inputs")
        yield from compared_blocks(stored, pair)
        yield from picture_blocks(pair, None, f"{name}-a", limits)
    yield Heading(3, "Levels")
    yield from level_blocks(verdict, limits)
    if pair is not None:
        yield Heading(3, "Trade-off curve")
        yield from tradeoff_blocks(pair, f"{name}-b", limits)


def has_size(verdict: Verdict) -> bool:
    """Whether a proof is about datasets up to some size only."""
    return isinstance(verdict, Proved) and verdict.scope.size is not None


def size_blocks(verdict: Verdict, claim: AnyClaim) -> Iterator[Block]:
    """How large the claimed factors are, and what that means."""
    largest, infinite = largest_claimed(claim), unprotected(claim)
    if largest is not None and depends_on_record(claim):
        which = "pairs of values" if claim.relation == "any" else "records of the domain"
        yield Paragraph.of(
            f"Over all {which}{' of finite level' if infinite else ''}, the largest factor is "
            f"{enclosed_text(exp_of(largest))}."
        )
    if infinite:
        shown = ", ".join(one_line(text, 60) for text in infinite[:FEW])
        more = f" and {len(infinite) - FEW} more" if len(infinite) > FEW else ""
        yield Paragraph.of(
            Strong("Not protected"),
            f" (their level is infinite, which allows everything): {shown}{more}.",
        )
    yield Paragraph.of(MEANING, kind="note")
    if largest is not None and not infinite and is_shown(verdict):
        yield Paragraph.of(belief(largest, several=depends_on_record(claim)))


def compared_blocks(stored: Pair, drawn: Pair) -> Iterator[Block]:
    """Which inputs the record names, and which are drawn."""
    first, second = side_texts(stored)
    yield Paragraph.of(
        "The record names two inputs that the proof compares: ",
        Code(first),
        " and ",
        Code(second),
        f"{given_text(stored)}.",
    )
    if drawn is not stored:
        first, second = side_texts(drawn)
        yield Paragraph.of(
            "Since their output distributions are the same, the picture shows another such pair: ",
            Code(first),
            " and ",
            Code(second),
            ".",
        )


def fact_table(verdict: Verdict, claim: AnyClaim) -> Table:
    """The claim in the words of the field."""
    rows: list[tuple[Pieces, ...]] = [(("Level, in nats",), (Formula.of(claim.level),))]
    if len(str(claim)) > HEADING:
        rows.insert(0, (("Claim",), (one_line(str(claim)),)))
    if claim.delta != ZERO:
        rows.append((("Delta",), (Formula.of(claim.delta),)))
    if isinstance(verdict, Proved) and not verdict.vacuous:
        rows.append((("Scope",), (verdict.scope_text,)))
    rows += [(("Assumes",), (one_line(said),)) for said in assumptions(claim.mechanism)]
    if isinstance(verdict, Refuted):
        rows.append((("Distribution",), (law_total_text(verdict),)))
    rows += [(("Note",), (one_line(said),)) for said in influences(claim)]
    if isinstance(verdict, Refuted):
        rows.append((("Relies on",), (listed_in_words("the checker", *verdict.beyond),)))
    return Table("", (), tuple(rows))


# claims about noise programs


def program_blocks(subject: Subject, verdict: Verdict, claim: ProgramClaim) -> Iterator[Block]:
    """All of a claim about a noise program but the steps of its proof."""
    yield Heading(3, "What is claimed")
    yield Paragraph(protection(claim))
    yield Paragraph.of(MEANING, kind="note")
    level = constant_value(claim.level)
    if level is not None and claim.delta == ZERO and isinstance(verdict, Proved):
        yield Paragraph.of(belief(level, several=False))
    yield program_fact_table(verdict, claim)
    if isinstance(verdict, Unknown):
        yield from unknown_blocks(verdict, subject.origin)
    if isinstance(verdict, RefutedProgram):
        yield Heading(3, "The counterexample")
        yield from program_counterexample_blocks(verdict)
    yield Heading(3, "The program")
    yield from program_text_blocks(claim)


def program_fact_table(verdict: Verdict, claim: ProgramClaim) -> Table:
    """The claim in the words of the field."""
    rows: list[tuple[Pieces, ...]] = [(("Level, in nats",), (Formula.of(claim.level),))]
    if len(str(claim)) > HEADING:
        rows.insert(0, (("Claim",), (one_line(str(claim)),)))
    if claim.delta != ZERO:
        rows.append((("Delta",), (Formula.of(claim.delta),)))
    if isinstance(verdict, Proved) and not verdict.vacuous:
        rows.append((("Scope",), (verdict.scope_text,)))
    if isinstance(verdict, RefutedProgram):
        rows.append((("Relies on",), (listed_in_words("the checker", *verdict.beyond),)))
    return Table("", (), tuple(rows))


# statements, and optima


def notion_blocks(subject: Subject, verdict: Verdict, claim: NotionClaim) -> Iterator[Block]:
    """A claim of zCDP, Rényi DP or GDP, and the counterexample to it."""
    yield Heading(3, "What is claimed")
    yield Paragraph.of(*protection_of_notion(claim))
    yield Heading(3, "The mechanism")
    yield from mechanism_blocks(claim.mechanism)
    if isinstance(verdict, RefutedNotion):
        yield Heading(3, "The counterexample")
        yield Paragraph.of(one_line(verdict.text, 400), ".")
    if isinstance(verdict, Unknown):
        yield from unknown_blocks(verdict, subject.origin)


def statement_blocks(subject: Subject, verdict: Verdict, statement: Inequality) -> Iterator[Block]:
    """A statement about numbers, and the argument for it."""
    yield Heading(3, "The statement")
    sides = f"{latex(statement.left)} {SIGNS[statement.relation]} {latex(statement.right)}"
    plain = f"{statement.left} {statement.relation} {statement.right}"
    yield Paragraph.of(Formula(spelled_exponents(sides), plain), kind="display")
    names = ", ".join(key for key, _ in statement.parameters)
    conditions = separated([c for _, c in statement.parameters])
    if names:
        yield Paragraph.of(
            f"For all real values of {names}", *((" with ", *conditions) if conditions else ()), "."
        )
    if isinstance(verdict, RefutedInequality | RefutedApplied):
        yield Heading(3, "The counterexample")
        yield Paragraph.of("At ", Code(one_line(verdict.text, 400)), ".")
    if isinstance(verdict, Unknown):
        yield from unknown_blocks(verdict, subject.origin)
    if isinstance(subject.found, Examination) and subject.found.steps:
        yield from argument_blocks(subject.found)


def query_blocks(
    subject: Subject, verdict: Verdict, about: SensitivityClaim | AppliedClaim
) -> Iterator[Block]:
    """A query on vectors, and how far its answer moves; or a mechanism on its answers."""
    claim = about.sensitivity if isinstance(about, AppliedClaim) else about
    yield Heading(3, "The query")
    inputs = claim.inputs
    yield Paragraph.of(
        Code(str(claim.query)),
        ", on vectors of ",
        Code(str(inputs.size)),
        " numbers x with ",
        Code(str(inputs.values)),
        "; two of them are compared if they differ in one entry.",
    )
    conditions = separated([c for _, c in inputs.parameters])
    if conditions:
        yield Paragraph.of("For all parameters with ", *conditions, ".")
    if isinstance(verdict, RefutedInequality | RefutedApplied):
        yield Heading(3, "The counterexample")
        yield Paragraph.of("At ", Code(one_line(verdict.text, 400)), ".")
    if isinstance(verdict, Unknown):
        yield from unknown_blocks(verdict, subject.origin)


def argument_blocks(examined: Examination) -> Iterator[Block]:
    """The steps of an argument, and whether it is valid."""
    yield Heading(3, "The argument")
    state = examined.state
    outcome = {"valid": "valid", "not valid": "invalid", "open": "unknown"}[state]
    yield Paragraph.of(Badge(outcome, state.capitalize()), f" {one_line(examined.conclusion)}.")
    yield Table(
        "Its steps, each decided by itself",
        ("step", "claimed", "reason given", "found"),
        tuple(step_row(step) for step in examined.steps),
    )


def step_row(result: StepResult) -> tuple[Pieces, ...]:
    """One step with what was found."""
    step = result.step
    if step.cited:
        return (str(result.number),), ("",), (step.reason,), ("cited, not checked",)
    said = Formula(
        spelled_exponents(f"{latex(step.left)} {SIGNS[step.relation]} {latex(step.right)}"),
        f"{step.left} {step.relation} {step.right}",
    )
    found = str(result).partition(": ")[2]
    status = one_line(found.removeprefix(f"{said.plain}"), 400)
    status = status.removeprefix(f" ({step.reason})").removeprefix(": ")
    return (str(result.number),), (said,), (step.reason,), (status,)


def optimum_blocks(verdict: Verdict) -> Iterator[Block]:
    """The claim of an optimum, or of the power against one mechanism."""
    yield Heading(3, "What is claimed")
    yield Paragraph.of(
        "This is not a claim that a mechanism is private, but about how well an adversary can do: ",
        one_line(str(verdict.claim)),
        ".",
    )
    for part in verdict.parts:
        yield Paragraph.of(part, kind="note")


# evidence


def step_blocks(subject: Subject, limits: Limits) -> Iterator[Block]:
    """The steps of the proof or of the refutation, folded."""
    verdict = subject.verdict
    if verdict is None or isinstance(verdict, Unknown):
        return
    what = "The proof" if isinstance(verdict, Proved) else "The refutation"
    yield Heading(3, f"{what}, step by step")
    try:
        found = explain(verdict, limits=limits)
    except OutOfLimits:
        yield Paragraph.of(
            "The steps were not written out within the limits; ahdp-verify explain prints them.",
            kind="note",
        )
        return
    except AhdpError as error:
        yield Paragraph.of(f"The steps were not written out: {error}.", kind="note")
        return
    lines = numbered_lines(found)
    yield Folded(f"Show the {len(lines)} lines", (Numbered(lines),))


def numbered_lines(
    found: Explanation,
) -> tuple[tuple[str, int, Pieces, str, tuple[str, ...]], ...]:
    """The lines of an explanation."""
    return tuple(
        (
            line.number,
            line.depth,
            tuple(
                p if isinstance(p, str) else Formula(spelled_exponents(formula_latex(p)), str(p))
                for p in line.pieces
            ),
            line.reason,
            line.below,
        )
        for line in found.shown
    )


def evidence_blocks(subject: Subject, number: int) -> Iterator[Block]:
    """Where the claim comes from, its digests, and its record."""
    origin, verdict = subject.origin, subject.verdict
    rows: list[tuple[Pieces, ...]] = []
    if origin.path:
        kind = "Record" if origin.is_record else "File"
        rows.append(((kind,), (Code(one_line(origin.path, 400)),)))
        rows.append(((f"SHA-256 of the {kind.lower()}",), (Code(origin.digest),)))
    if origin.name:
        rows.append((("Name in the file",), (origin.name,)))
    if origin.expect:
        same = "as found" if origin.expect == subject.outcome else "NOT as found"
        rows.append((("Expected by the file",), (f"{origin.expect}, {same}",)))
    if origin.note:
        rows.append((("Note in the file",), (origin.note,)))
    if verdict is not None:
        rows.append((("SHA-256 of the claim",), (Code(verdict.claim.fingerprint),)))
        rows += record_rows(verdict, number)
    if rows:
        yield Heading(3, "Source")
        yield Table("", (), tuple(rows))


def record_rows(verdict: Verdict, number: int) -> Iterator[tuple[Pieces, ...]]:
    """The record of a proof or a refutation, kept in the page."""
    if isinstance(verdict, Unknown):
        return
    record = verdict.to_json()
    yield (("SHA-256 of the record's content",), (Code(str(record["sha256"])),))
    content = canonical_text(record) + "\n"
    if len(content) <= LARGEST:
        name = f"claim-{number}.json"
        yield (
            ("Record, to be checked again",),
            (Attached(f"{name} ({len(content) / 1000:.1f} kB, kept in this page)", name, content),),
        )
    made = ", ".join(f"{key} {value}" for key, value in sorted(record["made_by"].items()))
    yield (("Made by",), (made,))
