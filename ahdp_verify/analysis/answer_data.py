"""Answers as data for JSON documents: exact values as texts of expressions, enclosed ones as
bounds.

>>> from ahdp_verify.kernel.terms.expression import log, name, number
>>> value_data(log(number(2)))
{'exact': 'log(2)', 'at_least': 'log(2)', 'at_most': 'log(2)', 'bounds': ['0.693147180559', '0.693147180560']}
>>> value_data(name("eps"))["bounds"]
[None, None]
>>> bounds_data(Bounds(number(1), None))
{'exact': None, 'at_least': '1', 'at_most': None, 'bounds': ['1', None]}
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.program_text import program_input_text
from ahdp_verify.display.scope_text import assumptions_text
from ahdp_verify.display.verdict_text import instead_text, law_total_text
from ahdp_verify.kernel.errors import AhdpError
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.evidence.program_counterexample import Between
from ahdp_verify.kernel.model.answers import RecordAnswers
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.declarations import value_text
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers import hypotheses
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.rules.compared import CheckableClaim
from ahdp_verify.kernel.terms.expression import Expression, names, oo
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import RealInterval
from ahdp_verify.verdicts import Unknown, Verdict

Data = dict[str, Any]
DIGITS = 12  # of a bound; it is rounded outwards
BITS = 128  # of the enclosure from which a bound is rounded
EMPTY = hypotheses.Context.empty()


def bounds_data(bounds: Bounds) -> Data:
    """What is known of a value: `exact` where it is known, what it is at least and at most as
    expressions, and a lower and an upper bound as decimals; None where nothing is known, and for
    the decimals of what depends on names or is infinite.
    """
    low = None if bounds.low is None else decimal_bounds(bounds.low)[0]
    high = None if bounds.high is None else decimal_bounds(bounds.high)[1]
    return {
        "exact": text_or_none(bounds.value),
        "at_least": text_or_none(bounds.low),
        "at_most": text_or_none(bounds.high),
        "bounds": [low, high],
    }


def value_data(value: Expression | Ratio | None) -> Data:
    """The same for a value that is known, or about which nothing is (None)."""
    e = to_expression(value) if isinstance(value, Ratio) else value
    return bounds_data(Bounds(e, e))


def text_or_none(e: Expression | None) -> str | None:
    """The text of an expression."""
    return None if e is None else str(e)


def decimal_bounds(e: Expression) -> tuple[str | None, str | None]:
    """A lower and an upper bound of a finite constant, as decimals; None for anything else."""
    if names(e) or e == oo:
        return None, None
    try:
        low, high = enclose(normal(e, EMPTY), BITS)
    except (AhdpError, ZeroDivisionError):
        return None, None
    return tuple(  # type: ignore[return-value]
        plain_text(Context(DIGITS, rounding).divide(Decimal(q.numerator), Decimal(q.denominator)))
        for q, rounding in ((low, ROUND_FLOOR), (high, ROUND_CEILING))
    )


def plain_text(d: Decimal) -> str:
    """A decimal, with an exponent only if it is very large or small."""
    return f"{d:f}" if not d or -DIGITS <= d.adjusted() <= DIGITS else str(d)


# Verdicts.


def claim_data(claim: CheckableClaim) -> Data:
    """What is claimed."""
    if isinstance(claim, ProgramClaim):
        return {
            "statement": str(claim),
            "program": claim.program.name,
            "relation": claim.relation,
            "level": str(claim.level),
            "delta": str(claim.delta),
            "queries": claim.n,
            "fingerprint": claim.fingerprint,
        }
    if not isinstance(claim, Claim | CompositeClaim):
        return {"statement": str(claim), "fingerprint": claim.fingerprint}
    return {
        "statement": str(claim),
        "mechanism": claim.mechanism.name if isinstance(claim, Claim) else str(claim.mechanism),
        "relation": claim.relation,
        "level": str(claim.level),
        "delta": str(claim.delta),
        "public": list(claim.public),
        "fingerprint": claim.fingerprint,
    }


def verdict_data(verdict: Verdict) -> Data:
    """A verdict: the claim, and what is shown of it."""
    found: Data = {"outcome": verdict.outcome, **claim_data(verdict.claim)}
    if isinstance(verdict, Proved):
        return {
            **found,
            "scope": verdict.scope_text,
            "size": verdict.scope.size,
            "compared": verdict.scope.compared,
            "assumes": list(assumptions_text(verdict.claim)),
            "trusts": [*verdict.beyond, *verdict.trusts],
        }
    if isinstance(verdict, Unknown):
        reasons = [{"procedure": d.procedure, "reason": d.reason} for d in verdict.reasons]
        return {**found, "reasons": reasons}
    if isinstance(verdict, RefutedInequality):
        values = {k: str(v) for k, v in verdict.values}
        sides = {"left": value_data(verdict.left), "right": value_data(verdict.right)}
        return {**found, "trusts": [], "witness": {"values": values, **sides}}
    if isinstance(verdict, RefutedProgram):
        return {**found, "trusts": list(verdict.beyond), "witness": program_witness_data(verdict)}
    if isinstance(verdict, RefutedApplied):
        vectors = [{k: str(v) for k, v in vector} for vector in verdict.vectors]
        answers = verdict_data(verdict.there)["witness"]
        witness = {"text": verdict.text, "vectors": vectors, "answers": answers}
        return {**found, "trusts": list(verdict.beyond), "witness": witness}
    if isinstance(verdict, RefutedNotion):
        value = None if verdict.found is None else value_data(verdict.found)
        witness = {"text": verdict.text, "bound": str(verdict.bound), "found": value}
        return {**found, "trusts": list(verdict.beyond), "witness": witness}
    return {
        **found,
        "total": law_total_text(verdict),
        "trusts": list(verdict.beyond),
        "witness": witness_data(verdict),
    }


def witness_data(refuted: Refuted) -> Data:
    """The two inputs, the event, both probabilities, and the size of the violation."""
    example, written = refuted.counterexample, refuted.written
    return {
        "instead": instead_text(refuted),
        "parameters": {k: str(v) for k, v in example.parameters},
        "records": counted_records(written, example.instances),
        "first": input_data(refuted, example.first),
        "second": input_data(refuted, example.second),
        "event": event_data(example.event),
        **violation_data(refuted),
    }


def violation_data(refuted: Refuted | RefutedProgram) -> Data:
    """Both probabilities, and the size of the violation; bounds where only these were worked
    out.
    """
    loss = oo if refuted.loss is None else to_expression(refuted.loss)
    first, second, delta = map(
        to_expression, (refuted.first_probability, refuted.second_probability, refuted.delta)
    )
    some = refuted.enclosed  # then the first is at least, the second at most what is given
    return {
        "first_probability": bounds_data(Bounds(first, None if some else first)),
        "second_probability": bounds_data(Bounds(None if some else second, second)),
        "level": value_data(refuted.level),
        "loss": bounds_data(Bounds(loss, None if some else loss)),
        "delta": bounds_data(Bounds(delta, None if some else delta)),
    }


def program_witness_data(refuted: RefutedProgram) -> Data:
    """The two inputs of a noise program, its outputs, both probabilities, and the size of the
    violation.
    """
    example, program = refuted.counterexample, refuted.claim.program
    inputs = program.inputs
    first, second = (
        {"text": program_input_text(program, side), "entries": [str(e) for e in side]}
        for side in (example.first, example.second)
    )
    return {
        "parameters": {k: str(v) for k, v in example.parameters},
        "records": records_data(inputs.domain) if isinstance(inputs, RecordAnswers) else None,
        "first": first,
        "second": second,
        "outputs": {
            "text": str(example.event),
            "items": [item_data(item) for item in example.event.items],
        },
        **violation_data(refuted),
    }


def item_data(item: Expression | Between) -> Data:
    """A released label, or the interval, with its ends, in which a released number lies."""
    if isinstance(item, Between):
        return {"low": text_or_none(item.low), "high": text_or_none(item.high)}
    return {"label": str(item.args[0])}


def counted_records(claim: AnyClaim, instances: Iterable[Any]) -> list[Data] | None:
    """The records to which the counts of an input refer, in this order; None if it is no
    dataset.
    """
    inputs = claim.mechanism.inputs
    if not isinstance(inputs, Domain):
        return None
    if inputs.is_universal:
        return [{k: str(v) for k, v in instance} for instance in instances]
    return records_data(inputs)


def records_data(domain: Domain) -> list[Data]:
    """The records of a domain that lists them."""
    return [{"value": value_text(r.value), "demand": str(r.demand)} for r in domain.records]


def input_data(refuted: Refuted, side: tuple[Expression, ...]) -> Data:
    """An input: in words, and as counts, query answers, or the parts of a value."""
    return {
        "text": side_text(refuted.written, refuted.counterexample, side),
        "entries": [str(e) for e in side],
    }


def event_data(event: Event) -> Data:
    """A set of outputs: in words, and its parts; an interval is low <= output < high."""
    return {
        "text": str(event),
        "continuous": event.continuous,
        "intervals": [
            {"output": output, "low": text_or_none(low), "high": text_or_none(high)}
            for output, low, high in event.intervals
        ],
        "values": {output: [str(v) for v in values] for output, values in event.values},
        "outcomes": [[str(v) for v in outcome] for outcome in event.outcomes],
        "atoms": [str(a) for a in event.atoms],
        "without": [str(a) for a in event.without],
    }


def interval_data(interval: RealInterval, parameter: str) -> Data:
    """The numbers between two ends, None for an end that is missing."""
    return {
        "text": interval.text(parameter),
        "low": text_or_none(interval.low),
        "high": text_or_none(interval.high),
        "low_closed": interval.low_closed,
        "high_closed": interval.high_closed,
    }
