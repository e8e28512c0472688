"""What a verdict says in words: its line, the witness of a refutation, and what had to be trusted.

The classes are those of the kernel, whose verdicts are data and which has no code for display.
Importing this module gives them their words; whatever proposes or reads verdicts imports it.

    word: claim; scope or witness or reasons; ...; trusts: the checker, and what else

The text is one line whatever a mechanism is called, since invisible and cursor-moving characters
are written as escapes, and states no more than the fields of the verdict.

>>> from ahdp_verify.kernel.model.inequality import Inequality
>>> from ahdp_verify.kernel.terms.expression import number
>>> from ahdp_verify.kernel.evidence.certificate import Declined
>>> print(Unknown(Inequality({}, number(0), "<=", number(1)), (Declined("linear", "nobody asked"),)))
Unknown: 0 <= 1; reasons: linear: nobody asked
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR

from ahdp_verify.decimals import SHORT, decimal, distinct_decimals, text_with_decimal
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.scope_text import (
    assumptions_text,
    influences,
    inputs_text,
    scope_text,
    total_text,
)
from ahdp_verify.kernel.evidence.counterexample import Counterexample, ImageCounterexample
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.notion_claim import BOUND_WORDS
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
    Violation,
)
from ahdp_verify.kernel.rules.compared import ComparedPair, scope_of
from ahdp_verify.kernel.rules.joint_law import abstract_mechanisms
from ahdp_verify.kernel.rules.notion_refutation import written_claim
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import PROVIDED, Proved
from ahdp_verify.verdicts import Unknown

PART = 160  # characters shown of one part of a witness; the stored record has all of it


# Proved


def said_of_inputs(proved: Proved) -> tuple[str, ...]:
    """What is compared, or why nothing is, and whether the input influences the output."""
    return inputs_text(proved.scope, proved.claim, proved.compared)


def proved_parts(proved: Proved) -> tuple[str, ...]:
    """The scope, what is assumed of abstract mechanisms, and what is trusted."""
    lines = (*said_of_inputs(proved), *assumptions_text(proved.claim))
    return *map(one_line, lines), trusts_text(*proved.beyond, *proved.trusts)


def trusts_text(*names: str) -> str:
    """What had to be trusted: the checker, and these.

    >>> trusts_text("a rule", "another")
    'trusts: the checker, a rule and another'
    """
    return f"trusts: {listed_in_words('the checker', *names)}{'' if names else ' alone'}"


def listed_in_words(*items: str) -> str:
    """A list of one or more as a sentence has it.

    >>> listed_in_words("a", "b", "c")
    'a, b and c'
    """
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


# what refutations have in common


def given_text(values: UnknownValues) -> str:
    """The values of the parameters, to begin a witness with."""
    return one_line("".join(f"{key} = {value}, " for key, value in values))


def both_sides(claim: Claim, example: Counterexample) -> Iterator[str]:
    """The two inputs of a counterexample for people."""
    for side in (example.first, example.second):
        yield one_line(side_text(claim, example, side), PART)


def probabilities_text(refuted: Violation) -> str:
    """Both probabilities, and the size of the violation."""
    if not refuted.enclosed:
        both = refuted.first_probability, refuted.second_probability
        p, q = (text_with_decimal(to_expression(r), r) for r in both)
        return f"probability {p} against {q}, {violation_text(refuted)}"
    p = decimal(refuted.first_probability, rounding=ROUND_FLOOR)
    q = decimal(refuted.second_probability, rounding=ROUND_CEILING)
    return f"probability at least {p} against at most {q}, with these {violation_text(refuted)}"


def violation_text(refuted: Violation) -> str:
    """By how much the event violates the level, or the delta at that level."""
    level, loss = normal(refuted.level, Context.empty()), refuted.loss
    if not refuted.allowed.is_zero:
        deltas = distinct_decimals(refuted.delta, refuted.allowed)
        return f"delta {' > '.join(deltas)} at level {text_with_decimal(refuted.level, level)}"
    shown, least = ("infinite", decimal(level)) if loss is None else distinct_decimals(loss, level)
    delta = f"delta {decimal(refuted.delta)}"
    if shown == least and loss is not None:
        said = text_with_decimal(refuted.level, level)
        return f"loss larger than {said} by {decimal(loss - level)}, {delta}"
    return f"loss {shown} > {refuted.level if len(str(refuted.level)) < SHORT else least}, {delta}"


# Refuted


def witness_text(refuted: Refuted) -> str:
    """Both inputs, the event, both probabilities, and the size of the violation."""
    example = refuted.counterexample
    first, second = both_sides(refuted.written, example)
    return (
        f"{one_line(instead_text(refuted))}{given_text(example.parameters)}{first} against {second}, "
        f"event {one_line(event_text(refuted), PART)}: {probabilities_text(refuted)}"
    )


def event_text(refuted: Refuted) -> str:
    """The event; of post-processed outputs with what it is of the part."""
    event, of = refuted.counterexample.event, refuted.of
    if not isinstance(of, ImageCounterexample):
        return str(event)
    return f"{of.image} (up to probability 0, {event})"


def instead_text(refuted: Refuted) -> str:
    """The mechanisms that replace the abstract ones."""
    wanted = abstract_mechanisms(refuted.claim.mechanism)
    pairs = zip(wanted, refuted.of.instances if refuted.of else (), strict=True)
    said = " and ".join(f"{kept.claim.mechanism} in place of {a}" for a, kept in pairs)
    return f"with {said}: " if said else ""


def law_total_text(refuted: Refuted) -> str:
    """For which inputs it is shown that the law has total 1."""
    example = refuted.counterexample
    pair = ComparedPair(example.parameters, example.instances, example.first, example.second)
    return total_text(None if refuted.mass is None else scope_of(refuted.written, None, pair))


def refuted_parts(refuted: Refuted) -> tuple[str, ...]:
    """The witness, for which inputs the law is shown to be a distribution, and what is trusted."""
    said = one_line(law_total_text(refuted)), *influences(refuted.claim)
    return f"witness: {refuted.text}", *said, trusts_text(*refuted.beyond)


# RefutedProgram, RefutedInequality


def program_witness_text(refuted: RefutedProgram) -> str:
    """Both inputs, the outputs, both probabilities, and the size of the violation."""
    example = refuted.counterexample
    first, second = (f"({', '.join(map(str, side))})" for side in (example.first, example.second))
    what = "counts " if isinstance(refuted.claim.program.inputs, RecordAnswers) else ""
    return (
        f"{given_text(example.parameters)}{what}{first} against {second}, "
        f"outputs {one_line(str(example.event), PART)}: {probabilities_text(refuted)}"
    )


def values_text(refuted: RefutedInequality) -> str:
    """The values of the unknowns, and both sides there."""
    sides = (text_with_decimal(to_expression(r), r) for r in (refuted.left, refuted.right))
    listed = ", ".join(f"{k} = {v}" for k, v in refuted.values)
    return one_line(f"{listed or 'no unknowns'}: {' against '.join(sides)}")


def plain_parts(refuted: RefutedProgram | RefutedInequality) -> tuple[str, ...]:
    """The witness, and what is trusted."""
    return f"witness: {refuted.text}", trusts_text(*refuted.beyond)


# RefutedNotion, RefutedApplied


def bound_excess_text(refuted: RefutedNotion) -> str:
    """By how much the bound fails."""
    word, allowed = BOUND_WORDS[refuted.claim.notion], normal(refuted.bound, Context.empty())
    example, is_test = refuted.counterexample, refuted.claim.notion == "gdp"
    event = one_line(str(example.counterexample.event), PART)
    if refuted.found is None:
        return f"the second never gives the event {event}, so that no {word} is enough"
    said = text_with_decimal(refuted.bound, allowed)
    if is_test and example.order is not None:
        return (
            f"the event {event} has probability {decimal(refuted.found)} at the first, more than "
            f"mu {said} allows beside that at the second"
        )
    found, least = distinct_decimals(refuted.found, allowed)
    at = "" if example.order is None or is_test else f" at order {example.order}"
    return f"it takes {word} {found}{at}, which is larger than {said if least == found else least}"


def bound_witness_text(refuted: RefutedNotion) -> str:
    """Both inputs, and by how much the bound fails."""
    example = refuted.counterexample.counterexample
    first, second = both_sides(written_claim(refuted.claim), example)
    given = given_text(example.parameters)
    return f"{given}{first} against {second}: {bound_excess_text(refuted)}"


def bound_parts(refuted: RefutedNotion) -> tuple[str, ...]:
    """The witness, for which inputs the law is shown to be a distribution, and what is trusted."""
    said = total_text(None), *influences(refuted.claim)
    return f"witness: {refuted.text}", *said, trusts_text(*refuted.beyond)


def applied_witness_text(refuted: RefutedApplied) -> str:
    """The vectors, and the witness between their answers."""
    listed = (", ".join(f"{k} = {e}" for k, e in vector) for vector in refuted.vectors)
    return f"{one_line(' and '.join(listed), PART)}: {refuted.there.text}"


def applied_parts(refuted: RefutedApplied) -> tuple[str, ...]:
    """The witness, for which inputs the law is shown to be a distribution, and what is trusted."""
    return f"witness: {refuted.text}", total_text(None), trusts_text(*refuted.beyond)


def unknown_parts(unknown: Unknown) -> tuple[str, ...]:
    """The procedures that were asked, and why each declined."""
    said = "; ".join(f"{d.procedure}: {d.reason}" for d in unknown.reasons)
    return (one_line(f"reasons: {said}"),)


PROVIDED |= {
    (Proved, "scope_text"): lambda proved: scope_text(proved.scope, proved.claim),
    (Proved, "parts"): proved_parts,
    (Refuted, "text"): witness_text,
    (Refuted, "parts"): refuted_parts,
    (RefutedProgram, "text"): program_witness_text,
    (RefutedProgram, "parts"): plain_parts,
    (RefutedInequality, "text"): values_text,
    (RefutedInequality, "parts"): plain_parts,
    (RefutedNotion, "text"): bound_witness_text,
    (RefutedNotion, "parts"): bound_parts,
    (RefutedApplied, "text"): applied_witness_text,
    (RefutedApplied, "parts"): applied_parts,
    (Unknown, "parts"): unknown_parts,
}
