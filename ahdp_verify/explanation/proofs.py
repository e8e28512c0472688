"""The lines of a proof: of a mechanism given by its density, or by composition rules with their
premises; its last line says what it rests on.

>>> from ahdp_verify.search.verify import verify
>>> for line in explain_proof(verify(Inequality.of({"a": "a > 0"}, "a + 1", ">", "1")))[-3:-1]:
...     print(line.number, line.text, "--", line.reason)
2.1 a > 0 -- by its sign, from (1.1)
3 a + 1 > 1 -- from 2
"""

from __future__ import annotations

from functools import partial

from ahdp_verify.display.verdict_text import listed_in_words, said_of_inputs
from ahdp_verify.explanation.alignments import explain_alignment
from ahdp_verify.explanation.evidence import explain_evidence, inequality_piece
from ahdp_verify.explanation.inequalities import explain_inequalities
from ahdp_verify.explanation.introduction import (
    claim_sentence,
    fact_source,
    introduce_claim,
    introduce_facts,
    state_name_meanings,
)
from ahdp_verify.explanation.numbered_lines import (
    LinePiece,
    LineWriter,
    NumberedLine,
    comparison_piece,
)
from ahdp_verify.explanation.optima import explain_best_test, explain_optimum
from ahdp_verify.explanation.statements import (
    explain_changes,
    explain_inequality_claim,
    explain_leaf_between,
)
from ahdp_verify.explanation.teller import Teller
from ahdp_verify.explanation.totals import explain_total_mass
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    BestTest,
    ByRule,
    Certificate,
    Enumeration,
    Evidence,
    Optimum,
)
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim, Statement
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.composition import COMPOSITION_RULES, SideCondition
from ahdp_verify.kernel.rules.notions import any_rule_conditions
from ahdp_verify.kernel.rules.obligations import input_states
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import ONE, ZERO
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved

# rules that hold by definition, or by a symmetry
WITHOUT_FILE = ("assumed", "written_out", "interchangeable", "open_level")


def explain_proof(verdict: Proved) -> tuple[NumberedLine, ...]:
    """The lines of a proof; the last one states its scope and what it rests on."""
    teller = Teller(LineWriter())
    if isinstance(verdict.claim, CompositeClaim):
        teller.lines.say(claim_sentence(verdict.claim), verdict.claim.level, ".")
    if isinstance(verdict.claim, BestClaim) and isinstance(verdict.certificate, Optimum):
        explain_optimum(verdict.claim, verdict.certificate, teller.lines)
    elif isinstance(verdict.claim, GuessClaim) and isinstance(verdict.certificate, BestTest):
        explain_best_test(verdict.claim, verdict.certificate, teller.lines)
    elif isinstance(verdict.claim, ProgramClaim) or isinstance(verdict.certificate, Alignment):
        explain_alignment(verdict, teller.lines)
    elif not isinstance(verdict.claim, BestClaim | GuessClaim):
        explain_proven(verdict.claim, verdict.certificate, teller, {})
    trusted = reliance_text(verdict)
    first, *more = said_of_inputs(verdict)
    first = (
        f"This holds for {first.removeprefix('scope: ')}"
        if first.startswith("scope: ")
        else f"The proof is vacuous: {first}"
    )
    teller.lines.say(
        one_line(
            " ".join((*(f"{said[:1].upper()}{said[1:]}." for said in (first, *more)), trusted))
        )
    )
    return teller.lines.done


def reliance_text(verdict: Proved) -> str:
    """What a proof rests on: the checker's core, its further rules, and what was not checked."""
    rules = listed_in_words("the checker's core", *verdict.beyond)
    unchecked = (
        f"; believed without a check: {listed_in_words(*verdict.trusts)}" if verdict.trusts else ""
    )
    return f"The proof rests on {rules}{'' if verdict.beyond else ' alone'}{unchecked}."


ExplainedProofs = dict[tuple[str, AnyCertificate], str]  # where a claim was shown by a proof


def explain_proven(
    claim: AnyClaim | Statement | NotionClaim | AppliedClaim | ProgramClaim,
    shown: AnyCertificate | Alignment | AppliedAlignment,
    teller: Teller,
    explained: ExplainedProofs,
) -> str:
    """The number of the line that concludes a claim."""
    if isinstance(shown, ByRule | AppliedAlignment) and isinstance(claim, AppliedClaim):
        return explain_applied(claim, shown, teller, explained)
    if isinstance(shown, ByRule) and not isinstance(claim, Statement | AppliedClaim | ProgramClaim):
        return explain_rule(claim, shown, teller, explained)
    if isinstance(shown, Certificate) and isinstance(claim, SensitivityClaim):
        return explain_changes(claim, shown, teller)
    if isinstance(shown, Certificate) and isinstance(claim, Inequality):
        return explain_inequality_claim(claim, shown, teller)
    if isinstance(shown, Certificate) and isinstance(claim, Claim):
        return explain_direct_proof(claim, shown, teller)
    if isinstance(shown, Certificate) and isinstance(claim, NotionClaim):
        return teller.lines.add("by the rules of divergences", one_line(str(claim)), head=True)
    if isinstance(shown, Alignment):
        return teller.lines.add("by shifts of the noises", one_line(str(claim)), head=True)
    raise Rejected("the certificate proves no such claim")


def explain_applied(
    claim: AppliedClaim,
    shown: ByRule | AppliedAlignment,
    teller: Teller,
    explained: ExplainedProofs,
) -> str:
    """The lines of a mechanism on the answers of a query: it is private, the answers move
    little.
    """
    proofs: tuple[AnyCertificate | Alignment, ...] = (
        shown.premises if isinstance(shown, ByRule) else (shown.of_program, shown.of_query)
    )
    numbers = []
    for premise, proof in zip((claim.base, claim.sensitivity), proofs, strict=True):
        with teller.lines.inside():
            explain_proven(premise, proof, teller, explained)
        numbers.append(teller.lines.add("as shown above", one_line(str(premise)), head=True))
    return teller.lines.add(f"from {' and '.join(numbers)}", one_line(str(claim)), head=True)


def explain_rule(
    claim: AnyClaim | NotionClaim, shown: ByRule, teller: Teller, explained: ExplainedProofs
) -> str:
    """The lines of a composition rule: its premises, its side conditions, its conclusion."""
    law, numbers = any_rule_conditions(claim, shown.rule, shown.version, shown.stated), []
    for premise, by in zip(law.premises, shown.premises, strict=True):
        if (premise.fingerprint, by) in explained:
            numbers.append(explained[premise.fingerprint, by])
            continue
        if isinstance(by, ByRule) and by.rule == "assumed" and not by.evidence:
            numbers.append(
                teller.lines.add(
                    "assumed of this part, whatever it is", one_line(str(premise)), head=True
                )
            )
            continue
        numbers.append(
            teller.lines.add("a premise, shown below", one_line(str(premise)), head=True)
        )
        explained[premise.fingerprint, by] = numbers[-1]
        with teller.lines.inside():
            explain_proven(premise, by, teller.afresh({}), explained)
    for side, found in zip(law.sides, shown.evidence, strict=True):
        numbers.append(explain_side_condition(side, found, teller))
    source = (
        f"by the rule {shown.rule} ({COMPOSITION_RULES[shown.rule].source}), version "
        f"{shown.version}"
    )
    origin = (
        ""
        if shown.rule in WITHOUT_FILE
        else f"; the rule itself is shown in proofs/laws/{shown.rule.replace('_', '-')}.toml"
    )
    return teller.lines.add(
        f"{source}{', from ' + ', '.join(f'({n})' for n in dict.fromkeys(numbers)) if numbers else ''}{origin}",
        one_line(str(claim)),
        head=True,
    )


def explain_side_condition(side: SideCondition, found: Evidence, teller: Teller) -> str:
    """The number of the line of a side condition."""
    if side.dominated == ONE == side.dominating:
        said: LinePiece = comparison_piece(side.level, ">=", ZERO)
    else:
        said = (
            comparison_piece(side.dominating, ">=", side.dominated)
            if side.level == ZERO
            else inequality_piece(side.dominated, side.dominating, side.level)
        )
    number_ = teller.lines.add(f"a condition of the rule: {side.text}", said, head=True)
    inner = teller.afresh({})
    with teller.lines.inside():
        known = inner.introduced(side.here, lambda i, fact: "known")
        explain_evidence(
            found,
            side.here,
            known,
            inner,
            explain_leaf_between(side.dominated, side.dominating, side.level, inner),
        )
    return number_


def explain_direct_proof(claim: Claim, shown: Certificate, outer: Teller) -> str:
    """The lines of a mechanism given by its density: what is claimed, what is known, the total,
    every inequality, the conclusion.
    """
    teller = outer.afresh({key: e for _, key, e in state_name_meanings(claim.mechanism, shown)})
    introduce_claim(claim, shown, teller)
    sizes = [e.size for e in shown.evidence if isinstance(e, Enumeration)]
    if sizes:
        explain_exhaustive_search(claim, shown, sizes[0], teller)
        return teller.lines.add("all comparisons together", one_line(str(claim)), head=True)
    first = next(input_states(claim.mechanism, shown.counts)).here
    introduce_facts(first, teller, partial(fact_source, claim, shown), "Known from the start:")
    numbers = [
        explain_total_mass(claim.mechanism, shown.mass, shown.counts, teller),
        *explain_inequalities(claim, shown, teller),
    ]
    return teller.lines.add(
        f"from {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"from {numbers[0]}",
        one_line(str(claim)),
        head=True,
    )


def explain_exhaustive_search(claim: Claim, shown: Certificate, size: int, teller: Teller) -> None:
    """The line of an exhaustive search, which has no further steps to show."""
    what = (
        "all inputs"
        if not isinstance(claim.mechanism.inputs, Domain)
        else f"all datasets of at most {size} record{'s' if size > 1 else ''}"
    )
    said_ = (
        f"{what}, all moves between them and all outputs were enumerated; the two probabilities "
        f"were compared each time"
    )
    teller.lines.add("exhaustive search, repeated by the checker", said_, head=True)
    if not shown.mass.evidence:
        teller.lines.add(
            "exhaustive search",
            "at each of them the law is nowhere negative and adds up to 1",
            head=True,
        )
        return
    introduce_facts(
        next(input_states(claim.mechanism, shown.counts)).here,
        teller,
        partial(fact_source, claim, shown),
        "Known from the start:",
    )
    explain_total_mass(claim.mechanism, shown.mass, shown.counts, teller)
