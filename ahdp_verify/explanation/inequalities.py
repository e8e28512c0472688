"""The lines of all inequalities that a claim about a density comes down to; those with identical
steps are explained once.

>>> lines_below((NumberedLine("2.1", "a > 0", "by its sign, from (2.1)"),), "2")
(('a > 0', 'by its sign, from (.1)'),)
"""

from __future__ import annotations

import re
from functools import partial

from ahdp_verify.explanation.divergences import explain_divergence, output_part_text
from ahdp_verify.explanation.evidence import (
    ExplainLeaf,
    explain_closed_leaf,
    explain_evidence,
    explain_lemmas,
    explain_requirement,
    inequality_piece,
    level_surplus,
)
from ahdp_verify.explanation.introduction import (
    comma_separated,
    fact_source,
    first_few,
    introduce_facts,
)
from ahdp_verify.explanation.numbered_lines import LinePiece, NumberedLine, comparison_piece
from ahdp_verify.explanation.radial import explain_radial_leaf
from ahdp_verify.explanation.teller import Facts, Teller
from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    Certificate,
    CoordinatesLeaf,
    Evidence,
    HockeyStickLeaf,
    InequalityLeaf,
    SolverWord,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, substitute_nodes
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.obligations import Obligation, Task, output_parts, tasks
from ahdp_verify.kernel.rules.schema import schema_tasks
from ahdp_verify.kernel.rules.separation import factor_laws
from ahdp_verify.kernel.terms.expression import ZERO, Expression, name, substitute, walk

BROAD = 240  # most characters of an inequality that is shown with both distributions in it
# most inequalities that are explained in full, if they differ in more than their names; measured:
# each takes some 2 ms
DIFFERENT = 60


def explain_inequalities(claim: Claim, shown: Certificate, teller: Teller) -> list[str]:
    """The numbers of the lines of all inequalities; those with identical steps are explained
    once.
    """
    number_of: dict[tuple[int, object], str] = {}  # by evidence and steps
    first: dict[int, str] = {}  # by evidence
    again: dict[str, list[str]] = {}
    like: dict[str, list[str]] = {}
    single, lines, numbers = len(output_parts(claim.mechanism)) == 1, teller.lines, []
    listed = (
        schema_tasks(claim, shown.conditions) if shown.conditions else tasks(claim, shown.counts)
    )
    for task, use in zip(listed, shown.uses, strict=True):
        text = task_title(task, single)
        if use in first and len(number_of) > DIFFERENT:
            like.setdefault(first[use], []).append(text)
            continue
        here = task.obligation.here
        known = introduce_facts(
            here,
            teller,
            partial(fact_source, claim, shown),
            f"Known when we {task.obligation.text.removesuffix(', backwards')}:",
        )
        start = len(lines.done)
        number_ = lines.add(
            "to be shown", f"{text}: ", *task_formula(claim, task, teller), head=True
        )
        with lines.inside():
            explain_evidence(shown.evidence[use], here, known, teller, _leaf(claim, task, teller))
        key = (use, lines_below(lines.done[start + 1 :], number_))
        if key in number_of:
            lines.withdraw(start)
            again.setdefault(number_of[key], []).append(text)
        else:
            number_of[key] = first[use] = number_
            numbers.append(number_)
    numbers += [
        lines.add(f"the same steps as in {n}", first_few(texts, "; "), head=True)
        for n, texts in again.items()
    ]
    numbers += [
        lines.add(
            f"in the same way as in {n}, with other numbers",
            first_few(texts, "; "),
            head=True,
        )
        for n, texts in like.items()
    ]
    if shown.conditions:
        lines.say(
            "This is one proof for all records of the domain; the checker tested that each of them "
            "satisfies the conditions above."
        )
    return numbers


def lines_below(lines: tuple[NumberedLine, ...], number_: str) -> tuple[tuple[str, str], ...]:
    """The texts and reasons of the lines below a number, independent of that number."""
    own = re.compile(rf"\({re.escape(number_)}(?=[.)])")
    return tuple((own.sub("(", line.text), own.sub("(", line.reason)) for line in lines)


def task_title(task: Task, single: bool) -> str:
    """The move, its direction, and the part of the output space."""
    text = task.obligation.text
    text = (
        f"{text.removesuffix(', backwards')}, the other way round"
        if text.endswith(", backwards")
        else text
    )
    part = (
        ""
        if task.part is None or single
        else " outside single points"
        if task.part.text == "density"
        else f", {output_part_text(task.part)}"
    )
    return text + part


def task_formula(claim: Claim, task: Task, teller: Teller) -> tuple[LinePiece, ...]:
    """The inequality as a formula, with the law as given or in a shorter form."""
    level = teller.show(task.obligation.level)
    if task.part is None:
        extra = f", apart from a total of {claim.delta}" if claim.delta != ZERO else ""
        return (
            f"p <= {'' if level == ZERO else f'exp({level}) * '}p' for all outputs{extra}, where "
            f"p is the law at the first input of this move and p' that at the second",
        )
    dominated, dominating = (simplified_law(law, task.obligation.here) for law in task.laws)
    whole = inequality_piece(
        Dominated(teller.show(dominated)), Dominating(teller.show(dominating)), level
    )
    small, large = task.obligation.dominated, task.obligation.dominating
    changed = [
        (n, small.get(n, n), large.get(n, n))
        for n in dict.fromkeys((*small, *large))
        if small.get(n, n) != large.get(n, n)
    ]
    if len(str(whole)) <= BROAD or not changed:
        return (whole,)
    first, second = (
        comma_separated([comparison_piece(n, "=", teller.show(e[i])) for n, *e in changed])
        for i in (0, 1)
    )
    return (
        inequality_piece(Dominated(name("P")), Dominating(name("Q")), level),
        ", where P is the law with ",
        *first,
        " and Q that with ",
        *second,
    )


def simplified_law(law: Expression, here: Context) -> Expression:
    """A law with its branches and parts resolved where they are known, if that is shorter."""
    if not any(e.head in ("piecewise", "index") for e in walk(law)):
        return law
    try:
        return min(law, to_expression(normal(law, here)), key=lambda e: len(str(e)))
    except (Undecided, Unsupported, ZeroDivisionError):
        return law


def _leaf(claim: Claim, task: Task, teller: Teller) -> ExplainLeaf:
    """The explanation of a leaf of this inequality."""

    def explain_leaf(found: Evidence, here: Context, known: Facts) -> None:
        if isinstance(found, SolverWord):
            teller.tell(
                "attested by " + " and ".join(found.solvers),
                "no proof was found; the solvers, asked independently, report that it never fails",
            )
        elif isinstance(found, CoordinatesLeaf):
            explain_separate_outputs(found, here, known, teller, claim, task.obligation)
        elif isinstance(found, HockeyStickLeaf):
            explain_divergence(found, here, known, teller, claim, task.obligation)
        elif isinstance(found, InequalityLeaf) and found.form == "radial":
            explain_radial_leaf(found, task, claim.mechanism.outputs, here, known, teller)
        else:
            explain_closed_leaf(found, *task.laws, task.obligation.level, here, known, teller)

    return explain_leaf


def explain_separate_outputs(
    found: CoordinatesLeaf,
    here: Context,
    known: Facts,
    teller: Teller,
    claim: Claim,
    obligation: Obligation,
) -> None:
    """The lines of independent outputs: the level of each at each of its values, and their sum."""
    here, known = explain_lemmas(found.lemmas, here, known, teller)
    leaves = list(found.leaves)
    for output, law, level in zip(
        claim.mechanism.outputs, factor_laws(claim.mechanism), found.levels, strict=True
    ):
        teller.tell(
            "shown below for each of its values",
            f"the factor of {output.name} changes by at most exp(L) with L = ",
            teller.show(level),
        )
        with teller.lines.inside():
            for v in output.values:
                at_value = substitute(law, {output.name: v})
                dominated, dominating = (
                    substitute_nodes(at_value, obligation.dominated),
                    substitute_nodes(at_value, obligation.dominating),
                )
                small, large = (
                    Dominated(teller.show(simplified_law(dominated, here))),
                    Dominating(teller.show(simplified_law(dominating, here))),
                )
                teller.tell(
                    "to be shown",
                    f"at {output.name} = {v}: ",
                    inequality_piece(small, large, teller.show(level)),
                )
                with teller.lines.inside():
                    explain_closed_leaf(
                        leaves.pop(0), dominated, dominating, level, here, known, teller
                    )
    r = level_surplus(obligation.level, list(found.levels), here, found.form)
    lead = "the outputs are independent, so their levels add up to at most the level: "
    explain_requirement(
        r, ">=", found.proofs[0] if found.proofs else None, here, known, teller, lead
    )
