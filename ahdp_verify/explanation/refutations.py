"""The lines of a refutation: two neighbouring inputs, the output distributions there, an event,
both probabilities piece by piece, and how they compare; and the lines of an argument.

>>> from ahdp_verify.kernel.model.inequality import Inequality
>>> from ahdp_verify.search.verify import verify
>>> for line in explain_failure(verify(Inequality.of({"a": ""}, "a", "<=", "1"))):
...     print(line.number, line.text)
 Claimed: a <= 1, for all real numbers a.
1 a = 2
2 the left side is 2
3 the right side is 1
4 2 <= 1 is false
"""

from __future__ import annotations

import re

from ahdp_verify.analysis.arguments import (
    Examination,
    StepResult,
    comparison_text,
    inequality_status,
)
from ahdp_verify.decimals import text_with_decimal
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.verdict_text import (
    bound_excess_text,
    event_text,
    law_total_text,
    violation_text,
)
from ahdp_verify.explanation.introduction import claim_sentence, first_few, law_pieces
from ahdp_verify.explanation.numbered_lines import LineWriter, NumberedLine, comparison_piece
from ahdp_verify.explanation.radial import explain_share
from ahdp_verify.explanation.teller import Teller
from ahdp_verify.explanation.totals import explain_piecewise_total
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import law_at
from ahdp_verify.kernel.evidence.event import Event, Points
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.refuted import (
    Refuted,
    RefutedApplied,
    RefutedInequality,
    RefutedNotion,
    RefutedProgram,
)
from ahdp_verify.kernel.rules.events import (
    atoms_in_event,
    event_probability,
    interval_probability,
    points_of_interval,
)
from ahdp_verify.kernel.rules.integration import factors_by_output, nonnegative_value
from ahdp_verify.kernel.rules.notion_refutation import written_claim
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, names, substitute
from ahdp_verify.kernel.terms.printing import one_line

EMPTY = Context.empty()
Atoms = tuple[tuple[Expression, Expression], ...]


def explain_refutation(verdict: Refuted) -> tuple[NumberedLine, ...]:
    """The lines of a counterexample."""
    w, claim, example = LineWriter(), verdict.written, verdict.counterexample
    w.say(claim_sentence(claim), claim.level, ".")
    if isinstance(verdict.claim, CompositeClaim):
        _instances(verdict, w)
    w.say("The law (output distribution): ", *law_pieces(claim.mechanism))
    choices = [
        w.add("a choice that satisfies all conditions", f"{key} = ", value, head=True)
        for key, value in example.parameters
    ]
    lines, laws = [], []
    for what, side in (
        ("The first input is D =", example.first),
        ("The second input is D' =", example.second),
    ):
        lines.append(
            w.add("a choice", f"{what} {one_line(side_text(claim, example, side), 400)}", head=True)
        )
        law, atoms = law_at(claim, example, side)
        laws.append((law, atoms))
        with w.inside():
            w.add(
                "substituted; the checker tested that it is nowhere negative and has the total 1",
                "there the law is ",
                law,
            )
            for at, p in atoms if claim.mechanism.atoms else ():
                w.add("substituted", f"and the single point {at} has the probability ", p)
    reason = f"the level L at {', '.join(f'({n})' for n in [*lines, *choices])}"
    level = w.add(
        reason,
        "the two inputs are neighbours, one move apart, and L is ",
        *constant_pieces(normal(verdict.level, EMPTY)),
        head=True,
    )
    event = w.add("a choice", f"the event: {one_line(event_text(verdict), 400)}", head=True)
    numbers = []
    words = ("at least ", "at most ") if verdict.enclosed else ("", "")
    for what, (law, atoms), points, value, number_, word in zip(
        ("D", "D'"),
        laws,
        example.points,
        (verdict.first_probability, verdict.second_probability),
        lines,
        words,
        strict=True,
    ):
        numbers.append(
            w.add(
                f"the law of ({number_}) over the event of ({event})",
                f"at {what} the event has {word}the probability ",
                *constant_pieces(value),
                head=True,
            )
        )
        with w.inside():
            if verdict.enclosed:
                least, outputs = word == "at least ", claim.mechanism.outputs
                explain_share(law, outputs, example.event, value, least, w)
                continue
            _probability(law, atoms, claim.mechanism.outputs, example.event, points, value, w)
    compare_probabilities(verdict, numbers, level, w)
    total = law_total_text(verdict)
    w.say(one_line(f"{total[:1].upper()}{total[1:]}."))
    return w.done


def _instances(verdict: Refuted, w: LineWriter) -> None:
    """The lines on the mechanisms that replace assumed parts, and on the law as one expression."""
    w.say(f"The mechanism is a composite: {one_line(str(verdict.claim.mechanism), 200)}.")
    for kept in (one.claim for one in verdict.of.instances) if verdict.of else ():
        w.say(
            one_line(
                f"In place of an assumed part we take a mechanism for which this is proved: "
                f"{kept}; its distribution is ",
                400,
            ),
            kept.mechanism.density,
        )
    if verdict.of is not None and verdict.of.size is not None:
        w.say(
            f"The law is given as one expression for datasets of at most {verdict.of.size} records."
        )


def compare_probabilities(
    verdict: Refuted | RefutedProgram,
    numbers: list[str],
    level: str,
    w: LineWriter,
    *,
    at: str = "D",
) -> None:
    """The lines that compare both probabilities, the first of them that of the input `at`."""
    first, second = numbers
    most = exp_of(normal(verdict.level, EMPTY)) * verdict.second_probability
    allowed = most + verdict.allowed
    reason = f"exp(L) with the L of ({level}), times ({second})" + (
        "" if verdict.claim.delta == ZERO else f", plus delta = {verdict.claim.delta}"
    )
    bound = w.add(
        reason, f"at {at} the claim allows at most ", *constant_pieces(allowed), head=True
    )
    w.add(
        f"({first}) is larger than ({bound}), by an enclosure of the difference",
        f"so the claim fails: {violation_text(verdict)}",
        head=True,
    )


def constant_text(r: Ratio) -> str:
    """A constant with a decimal."""
    return text_with_decimal(to_expression(r), r)


def constant_pieces(r: Ratio) -> tuple[Expression | str, ...]:
    """A constant as a formula, followed by a decimal unless it is a short number."""
    e, text = to_expression(r), constant_text(r)
    decimal_ = text.rpartition(" = ")[2]
    return (e,) if text == str(e) else (e, f", about {decimal_}")


def _probability(
    law: Expression,
    atoms: Atoms,
    outputs: tuple[Output, ...],
    event: Event,
    points: Points,
    value: Ratio,
    w: LineWriter,
) -> None:
    """The lines of one probability; Rejected if its parts do not add up to it."""
    here, total, teller = (
        Context.empty(frozenset(o.name for o in outputs if o.kind == "integer")),
        constant(0),
        Teller(w),
    )
    for at, mass in atoms_in_event(event, atoms, outputs):
        total = total + nonnegative_value(mass, here)
        w.add(
            "the event contains this point",
            f"the single point {at} has the probability ",
            to_expression(nonnegative_value(mass, here)),
        )
    for at in event.without:
        w.add("the event excludes this point", f"the single point {at} does not count")
    if event.outcomes:
        for outcome_ in event.outcomes:
            p = nonnegative_value(
                substitute(law, {o.name: v for o, v in zip(outputs, outcome_, strict=True)}), here
            )
            total = total + p
            w.add(
                "substituted",
                f"the outcome "
                f"{', '.join(f'{o.name} = {v}' for o, v in zip(outputs, outcome_, strict=True))} "
                f"has the probability ",
                to_expression(p),
            )
    elif event.continuous:
        total = total + _box(law, outputs, event, dict(points), here, teller)
    if not (total - value).is_zero:
        raise Rejected("the parts of a probability do not add up to it")


def _box(
    law: Expression,
    outputs: tuple[Output, ...],
    event: Event,
    points: dict[str, tuple[Expression, ...]],
    here: Context,
    teller: Teller,
) -> Ratio:
    """The probability of a box, with the lines of each output's part of it."""
    if len(outputs) == 1 and outputs[0].kind != "finite":
        return _interval_with_factor(law, outputs[0], event, points, teller)
    prefactor, groups = factors_by_output(law, tuple(o.name for o in outputs))
    value = event_probability(law, (), outputs, event, tuple(points.items()))
    factors: list[Expression] = [] if len(outputs) == 1 else [prefactor]
    together = {o.name for o in outputs}
    if any(len(names(group) & together) > 1 for group in groups):
        teller.tell(
            "integrated over one output after another",
            "the probability of all outputs together is ",
            to_expression(value),
        )
        return value
    for output, group in zip(outputs, groups, strict=True):
        only = Event(
            tuple(i for i in event.intervals if i[0] == output.name),
            tuple(v for v in event.values if v[0] == output.name),
        )
        try:
            part = event_probability(
                group,
                (),
                (output,),
                only,
                tuple((k, p) for k, p in points.items() if k == output.name),
            )
        except (Undecided, Unsupported):
            teller.tell(
                "worked out output by output, each with the earlier ones as names",
                "the probability of all outputs together is ",
                to_expression(value),
            )
            return value
        factors.append(to_expression(part))
        teller.tell(
            "added up" if output.kind == "finite" else "integrated between its points",
            f"over {only} the factor of {output.name} gives ",
            to_expression(part),
        )
    if len(factors) > 1:
        shown_ = Expression("*", tuple(factors))
        if not (normal(shown_, here) - value).is_zero:
            raise Rejected("the factors of a probability do not multiply to it")
        teller.tell(
            "with the factor in front, multiplied",
            "together ",
            comparison_piece(shown_, "=", to_expression(value)),
        )
    return value


def _interval_with_factor(
    law: Expression,
    output: Output,
    event: Event,
    points: dict[str, tuple[Expression, ...]],
    teller: Teller,
) -> Ratio:
    """The probability of an interval of the only output; a stored antiderivative is that of the law
    without the factor that does not depend on the output.
    """
    here = Context.empty(frozenset({output.name} if output.kind == "integer" else ()))
    if not any(output.name in names(e) for e in points.get(output.name, ())):
        return _interval(law, output, event, points, here, teller)
    prefactor, (group,) = factors_by_output(law, (output.name,))
    found = _interval(group, output, event, points, here, teller)
    value = normal(prefactor, here) * found
    product = Expression("*", (prefactor, to_expression(found)))
    teller.tell(
        "with the factor in front, multiplied",
        "together ",
        comparison_piece(product, "=", to_expression(value)),
    )
    return value


def _interval(
    law: Expression,
    output: Output,
    event: Event,
    points: dict[str, tuple[Expression, ...]],
    here: Context,
    teller: Teller,
) -> Ratio:
    """The probability of an interval of the only output, piece by piece."""
    low, high = next(((a, b) for n, a, b in event.intervals if n == output.name), (None, None))
    own = points.get(output.name, ())
    listed, first, last = points_of_interval(output.name, own, low, high, here)
    if first is not None and last is not None and first >= last:
        return interval_probability(law, output, points.get(output.name, ()), low, high, here)
    before = len(teller.lines.done)
    total = explain_piecewise_total(output, law, listed, here, teller, first, last)
    if len(teller.lines.done) > before + 1:
        teller.tell("added up", "together ", to_expression(total))
    return total


def explain_failure(verdict: RefutedInequality) -> tuple[NumberedLine, ...]:
    """The lines on values of the unknowns for which a statement fails."""
    w, claim = LineWriter(), verdict.claim
    if isinstance(claim, SensitivityClaim):
        return explain_jump(verdict, w)
    conditions = first_few([str(c) for _, c in claim.parameters if c != TRUE])
    unknowns = (
        f", for all real numbers {', '.join(k for k, _ in claim.parameters)}"
        if claim.parameters
        else ""
    )
    w.say(
        "Claimed: ",
        comparison_piece(claim.left, claim.relation, claim.right),
        unknowns + (f" with {conditions}" if conditions else "") + ".",
    )
    for key, value in verdict.values:
        w.add("a choice that satisfies all conditions", f"{key} = ", value)
    sides = [
        w.add("substituted", f"the {what} side is ", *constant_pieces(r))
        for what, r in (("left", verdict.left), ("right", verdict.right))
    ]
    w.add(
        f"from ({sides[0]}) and ({sides[1]})",
        comparison_piece(to_expression(verdict.left), claim.relation, to_expression(verdict.right)),
        " is false",
    )
    return w.done


def explain_bound_violation(verdict: RefutedNotion) -> tuple[NumberedLine, ...]:
    """The lines on two inputs whose divergence exceeds the bound."""
    w, example = LineWriter(), verdict.counterexample.counterexample
    w.say("Claimed: ", one_line(str(verdict.claim)), ".")
    for key, value in example.parameters:
        w.add("a choice that satisfies all conditions", f"{key} = ", value)
    claim = written_claim(verdict.claim)
    first, second = (
        one_line(side_text(claim, example, side)) for side in (example.first, example.second)
    )
    w.add("two neighbouring inputs", f"{first} and {second}")
    w.add("the bound of this move", verdict.bound)
    if verdict.found is not None:
        w.add("what is attained there", *constant_pieces(verdict.found))
    w.add("compared", one_line(bound_excess_text(verdict)))
    return w.done


def explain_violation_at_vectors(verdict: RefutedApplied) -> tuple[NumberedLine, ...]:
    """The lines on vectors between which a claim about answers fails."""
    w = LineWriter()
    w.say("Claimed: ", one_line(str(verdict.claim)), ".")
    for j, vector in enumerate(verdict.vectors, 1):
        listed = ", ".join(f"{key} = {value}" for key, value in vector[:-1])
        w.add("a choice that satisfies all conditions", f"vector {j}: {listed}")
        key, value = vector[-1]
        w.add("the entry that changes", f"{key[:-1]} becomes ", value)
        before, after, bound = verdict.claim.sensitivity.answers_at(vector)
        for side, answer in (("before", before), ("after", after)):
            said = f"answer {j} {side}, in units of the bound, is "
            w.add("substituted", said, *constant_pieces(answer / bound))
    w.add("two neighbouring inputs, and what refutes the claim", one_line(verdict.there.text))
    return w.done


def explain_jump(verdict: RefutedInequality, w: LineWriter) -> tuple[NumberedLine, ...]:
    """The lines on a vector at which the answer to a query moves too far."""
    w.say("Claimed: ", f"{verdict.claim}.")
    for key, value in verdict.values[:-1]:
        w.add("a choice that satisfies all conditions", f"{key} = ", value)
    key, value = verdict.values[-1]
    w.add("the entry that changes", f"{key[:-1]} becomes ", value)
    sides = [
        w.add("substituted", said, *constant_pieces(r))
        for said, r in (("the answer moves by ", verdict.left), ("the bound is ", verdict.right))
    ]
    w.add(
        f"from ({sides[0]}) and ({sides[1]})",
        comparison_piece(to_expression(verdict.left), "<=", to_expression(verdict.right)),
        " is false",
    )
    return w.done


# arguments


def explain_examination(found: Examination) -> tuple[NumberedLine, ...]:
    """The lines of an argument: the statement, every step with its author's reason and the result
    of checking it, and whether the argument is valid.
    """
    w, claim = LineWriter(), found.argument.statement
    conditions = first_few([str(c) for _, c in claim.parameters if c != TRUE])
    w.say(
        "To be shown: ",
        comparison_piece(claim.left, claim.relation, claim.right),
        f", where {conditions}" if conditions else "",
    )
    for result in found.steps:
        _step(result, w)
    w.add(
        "the last step that was examined"
        if found.first is None
        else f"from ({found.first.number})",
        found.conclusion,
    )
    w.say(
        f"Apart from this argument, the statement itself "
        f"{'is true' if inequality_status(found.verdict) == 'holds' else inequality_status(found.verdict)}."
    )
    return w.done


def _step(result: StepResult, w: LineWriter) -> None:
    step = result.step
    if step.cited:
        w.add("cited, not checked", step.reason)
        return
    kind = "lemma: " if step.lemma else ""
    w.add(
        step.reason or "no reason given",
        kind,
        comparison_piece(step.left, step.relation, step.right),
    )
    with w.inside():
        state = {
            True: "this step is valid",
            False: "this step is not valid",
            None: "this step is open",
        }[result.holds]
        w.add(f"as a statement it {inequality_status(result.verdict)}", state)
        for fact, verdict in result.facts:
            w.add(f"named by the author; it {inequality_status(verdict)}", comparison_text(fact))
        if result.follows is not None:
            spoken = inequality_status(result.follows)
            for key, term in result.terms:
                spoken = re.sub(rf"\b{key}\b", str(term), spoken)
            w.add("these facts are all that is known", f"that it follows from them alone {spoken}")
        for fact, verdict in result.needed:
            w.add(f"needed; it {inequality_status(verdict)}", comparison_text(fact))
