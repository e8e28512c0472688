"""The lines of a proof: what is claimed, what is known, the total of the law, every inequality;
composition rules with their premises; statements.

>>> from ahdp_verify.search.verify import verify
>>> for line in explain_proof(verify(Inequality.of({"a": "a > 0"}, "a + 1", ">", "1")))[-3:-1]:
...     print(line.number, line.text, "--", line.reason)
2.1 a > 0 -- by its sign, from (1.1)
3 a + 1 > 1 -- from 2
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ahdp_verify.explanation.alignments import explain_alignment
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
from ahdp_verify.explanation.numbered_lines import (
    ComparisonPiece,
    LinePiece,
    LineWriter,
    NumberedLine,
    comparison_piece,
)
from ahdp_verify.explanation.optima import explain_best_test, explain_optimum
from ahdp_verify.explanation.radial import explain_radial_leaf
from ahdp_verify.explanation.teller import Facts, Teller, state_name
from ahdp_verify.explanation.totals import explain_total_mass
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.alignment import Alignment
from ahdp_verify.kernel.evidence.certificate import (
    AnyCertificate,
    BestTest,
    ByRule,
    Certificate,
    CoordinatesLeaf,
    Enumeration,
    Evidence,
    HockeyStickLeaf,
    InequalityLeaf,
    Optimum,
    SolverWord,
)
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.entries import position
from ahdp_verify.kernel.model.entry_changes import entry_changes
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.model.neighbours import (
    Dominated,
    Dominating,
    assume_known_facts,
    substitute_nodes,
)
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim, Statement
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.composition import (
    COMPOSITION_RULES,
    SideCondition,
    nonnegative_condition,
)
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.rules.notions import any_rule_conditions
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    Task,
    has_single_total,
    input_states,
    mechanism_context,
    mechanism_frame,
    output_parts,
    tasks,
)
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.rules.schema import schema_tasks
from ahdp_verify.kernel.rules.separation import factor_laws
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    name,
    names,
    substitute,
    walk,
)
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.verdict import Proved, listed_in_words
from ahdp_verify.search.wording import InternalName, internal_names

MOST_NAMES = 100  # in one case of a change of an entry, more than there ever are
MOVES = {
    "ahdp": "a record (x, eps) is added to a dataset or removed from it",
    "add-remove": "a record is added to a dataset or removed from it",
    "hdp": "a record of a dataset is replaced by one with the same demand",
    "swap": "a record of a dataset is replaced by another one",
    "any": "the value is replaced by another one",
    "one": "one answer moves by at most 1",
    "all": "all answers move, each by at most 1",
    "increasing": "all answers grow, each by at most 1",
    "decreasing": "all answers fall, each by at most 1",
    "pairs": "a dataset becomes any other one, where levels add up along the records that differ",
}
FEW = 8  # most records, or moves, that are listed in one line
BROAD = 240  # most characters of an inequality that is shown with both distributions in it
# most inequalities that are explained in full, if they differ in more than their names; measured:
# each takes some 2 ms
DIFFERENT = 60
# rules that hold by definition, or by a symmetry
WITHOUT_FILE = ("assumed", "written_out", "interchangeable", "open_level")


def claim_sentence(claim: Claim | CompositeClaim) -> str:
    """A claim in words, up to the level."""
    slack = "" if claim.delta == ZERO else f", and an additional {claim.delta}"
    kept = f" (and the same {', '.join(claim.public)})" if claim.public else ""
    return (
        f"Claimed: when {MOVES[claim.relation]}{kept}, the probability of every event changes "
        f"by at most the factor exp(L){slack}, up or down, where L = "
    )


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
    first, *more = verdict.said_of_inputs
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
    """The lines of a mechanism on the answers of a query: it is private, the answers move little."""
    proofs: tuple[AnyCertificate | Alignment, ...] = (
        shown.premises if isinstance(shown, ByRule) else (shown.of_program, shown.of_query)
    )
    numbers = []
    for premise, proof in zip((claim.base, claim.sensitivity), proofs, strict=True):
        with teller.lines.inside():
            explain_proven(premise, proof, teller, explained)
        numbers.append(teller.lines.add("as shown above", one_line(str(premise)), head=True))
    return teller.lines.add(f"from {' and '.join(numbers)}", one_line(str(claim)), head=True)


# statements


def words_for_entries(claim: SensitivityClaim) -> tuple[str, dict[str, Expression]]:
    """A sentence about the names in the cases of a change, and the names that are shown for those
    of the checker: x becomes x', and r1, r2 ... are what the other entries contribute; where the
    query names positions, u1, u2 ... are all of these.
    """
    taken = {key for key, _ in claim.parameters}
    free = [a for a in "urstwyz" if not any(re.fullmatch(f"{a}[0-9]+", key) for key in taken)]
    if any(position(part) is not None for part in walk(claim.query)):
        said = f"{free[0]}1, {free[0]}2 ... are entries, and what the other entries contribute."
        return said, {f"@{k}": name(f"{free[0]}{k}") for k in range(1, MOST_NAMES)}
    letter = "r" if "r" in free else free[0]
    said = (
        f"The entry x at position i becomes x', and {letter}1, {letter}2 ... are what the other "
        "entries contribute."
    )
    own = {"@1": name("i"), "@2": name("x"), "@3": name("x'")}
    return said, own | {f"@{k}": name(f"{letter}{k - 3}") for k in range(4, MOST_NAMES)}


def explain_changes(claim: SensitivityClaim, shown: Certificate, teller: Teller) -> str:
    """The lines of a claim of sensitivity: one case for each way in which an entry may change."""
    teller.lines.say(
        f"The entries are numbers x with {claim.inputs.values}, and one of them changes."
    )
    said, spoken = words_for_entries(claim)
    teller.lines.say(said)
    teller, numbers = teller.afresh(spoken), list[str]()
    for i, change in enumerate(entry_changes(claim.query, claim.inputs), 1):
        before, after = map(teller.show, (change.before, change.after))
        teller.lines.say(f"Case {i}: the answer is {before} before, {after} after.")
    for (here, gap), found in zip(claim.tasks, shown.evidence, strict=True):
        known = introduce_facts(here, teller, lambda i, fact: "assumed", "Known facts:")
        shows = comparison_piece(teller.show(gap), ">=", ZERO)
        numbers.append(teller.lines.add("to be shown", shows, head=True))
        side = nonnegative_condition("a bound", here, gap)[0]
        leaf = _inside(side.dominated, side.dominating, side.level, teller)
        with teller.lines.inside():
            explain_evidence(found, here, known, teller, leaf)
    return teller.lines.add(f"from {' and '.join(numbers)}", str(claim), head=True)


def explain_inequality_claim(claim: Inequality, shown: Certificate, teller: Teller) -> str:
    """The lines of a statement about numbers."""
    for key, condition in claim.parameters:
        teller.lines.say(
            f"{key} is any real number" + ("" if condition == TRUE else f" with {condition}")
        )
    known = introduce_facts(claim.here, teller, lambda i, fact: "assumed", "Known facts:")
    numbers = []
    for gap, found in zip(claim.gaps, shown.evidence, strict=True):
        numbers.append(
            teller.lines.add(
                "to be shown", comparison_piece(gap, ">" if claim.strict else ">=", ZERO), head=True
            )
        )
        side = nonnegative_condition("a gap", claim.here, gap)[0]
        leaf = (
            partial(_strict, gap=gap, teller=teller)
            if claim.strict
            else _inside(side.dominated, side.dominating, side.level, teller)
        )
        with teller.lines.inside():
            explain_evidence(found, claim.here, known, teller, leaf)
    return teller.lines.add(
        f"from {' and '.join(numbers)}",
        comparison_piece(claim.left, claim.relation, claim.right),
        head=True,
    )


def _strict(leaf: Evidence, here: Context, known: Facts, gap: Expression, teller: Teller) -> None:
    if not isinstance(leaf, InequalityLeaf):
        raise Rejected("a strict inequality needs one proof")
    here, known = explain_lemmas(leaf.lemmas, here, known, teller)
    explain_requirement(
        normal(gap, here), ">", leaf.proofs[0] if leaf.proofs else None, here, known, teller
    )


def _inside(
    dominated: Dominated, dominating: Dominating, level: Expression, teller: Teller
) -> ExplainLeaf:
    """The explanation of a leaf of dominated <= exp(level) * dominating."""
    return lambda leaf, here, known: explain_closed_leaf(
        leaf, dominated, dominating, level, here, known, teller
    )


# composition rules


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
            _inside(side.dominated, side.dominating, side.level, inner),
        )
    return number_


# mechanisms given by their density


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


def introduce_claim(claim: Claim, shown: Certificate, teller: Teller) -> None:
    """The claim, the law that it is about, and the names used below."""
    m, say = claim.mechanism, teller.lines.say
    say(claim_sentence(claim), claim.level, ".")
    kinds = {"real": "a real number", "integer": "a whole number"}
    outputs = ", ".join(
        f"{o.name} ({kinds.get(o.kind) or 'one of ' + first_few([str(v) for v in o.values])})"
        for o in m.outputs
    )
    say(f"The law (distribution) of the output {outputs}: ", *law_pieces(m))
    if m.defined != TRUE:
        say("It is defined for datasets with ", m.defined, ".")
    if m.parameters:
        say(
            "Parameters: ",
            *comma_separated([c if c != TRUE else name(key) for key, c in m.parameters]),
            ".",
        )
    if isinstance(m.inputs, Domain) and m.inputs.is_universal:
        say(
            "A record is anything with ",
            *comma_separated([c if c != TRUE else name(key) for key, c in m.inputs.unknowns]),
            ".",
        )
    elif isinstance(m.inputs, Domain):
        say("A record is " + first_few([str(r) for r in m.inputs.records], " or ") + ".")
    for text, _, e in state_name_meanings(m, shown):
        say(e, " stands for ", *text, ".")
    for i in range(m.inputs.n if isinstance(m.inputs, Queries) else 0):
        teller.spoken[f"@d{i + 1}"] = state_name(
            "d", i + 1, m.inputs.n > 1 if isinstance(m.inputs, Queries) else False
        )
        say(
            teller.spoken[f"@d{i + 1}"],
            f" stands for the amount by which the answer q[{i + 1}] moves.",
        )
    say(
        "To be shown: the law is a probability distribution (nowhere negative, of total 1), and "
        "for any two neighbouring inputs, in either order: "
        "(law at the first) <= exp(L) * (law at the second)."
    )


def law_pieces(m: Mechanism) -> tuple[LinePiece, ...]:
    """A law as one formula, or as a product if its factors are integrated separately; then its
    single points.
    """
    points = [
        p for at, mass in m.atoms for p in (f"; the single point {at} has the probability ", mass)
    ]
    if has_single_total(m):
        return (m.density, *points)
    prefactor, groups = factors_by_output(m.density, tuple(o.name for o in m.outputs))
    return (
        "the product of ",
        *comma_separated([e for e in (prefactor, *groups) if e != ONE]),
        *points,
    )


def comma_separated(formulas: Sequence[Expression | ComparisonPiece]) -> list[LinePiece]:
    """Formulas with commas between them."""
    return [p for i, e in enumerate(formulas) for p in ((", ", e) if i else (e,))]


def first_few(texts: list[str], last: str = ", ") -> str:
    """The texts, or the first few of them and how many more there are."""
    return (
        last.join(texts)
        if len(texts) <= FEW
        else f"{last.join(texts[:FEW])}{last.rstrip(' or').rstrip()} and {len(texts) - FEW} more"
    )


def state_name_meanings(
    m: Mechanism, shown: Certificate
) -> list[tuple[tuple[LinePiece, ...], str, Expression]]:
    """For each name of a state: its meaning, its name in certificates, and the name shown."""
    if not isinstance(m.inputs, Domain):
        return []
    taken = {
        key.split("[")[0]
        for key in (*(k for k, _ in m.parameters), *(o.name for o in m.outputs), *m.inputs.bound)
    }
    rest, count, added, level = (
        next(
            c
            for c in (letter, letter * 2, f"{letter}_", f"{letter}_0", f"own_{letter}")
            if c not in taken
        )
        for letter in "ShcL"
    )
    nodes = dataset_nodes(m)
    internal: dict[str, list[InternalName]] = {}
    for meaning in internal_names(m):
        internal.setdefault(meaning.kind, []).append(meaning)
    if shown.counts:
        listed = enumerate(internal["count"], 1)
        return [
            (
                (f"how often the record {c.of} occurs in the rest of the dataset",),
                c.internal,
                state_name(count, i, True),
            )
            for i, c in listed
        ]
    result: list[tuple[tuple[LinePiece, ...], str, Expression]] = []
    for j, node in enumerate(nodes, 1):
        result.append(
            (
                (node, " over the rest of the dataset"),
                internal["rest"][j - 1].internal,
                state_name(rest, j, len(nodes) > 1),
            )
        )
    if shown.conditions:
        sums = [(j, e) for j, (_, _, e) in enumerate(result, 1)]
        result += [
            (
                ("what the added record contributes to ", e),
                internal["added"][j - 1].internal,
                state_name(added, j, len(nodes) > 1),
            )
            for j, e in sums
        ]
        result += [(("the level of the added record",), internal["level"][0].internal, name(level))]
    return result


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


def introduce_facts(
    here: Context, teller: Teller, why: Callable[[int, Fact], str], title: str
) -> Facts:
    """The lines of the facts of a context; new ones are listed under a title."""
    if any(f not in teller.stands for f in here.facts):
        teller.lines.add("", title, head=True)
        with teller.lines.inside():
            return teller.introduced(here, why)
    return {i: teller.stands[f] for i, f in enumerate(here.facts)}


def fact_source(claim: Claim, shown: Certificate, i: int, fact: Fact) -> str:
    """Where a fact that is known from the start comes from."""
    m = claim.mechanism
    here = mechanism_context(m)
    if i < len(here.facts):
        return "condition on the parameters"
    if isinstance(m.inputs, Queries):
        return "how far an answer moves"
    if not isinstance(m.inputs, Domain):
        return "condition on the values"
    f = mechanism_frame(m, shown.counts)
    for c in f.conditions:
        here = assume_known_facts(c, here)
    if i < len(here.facts):
        return (
            "counts are not negative"
            if shown.counts
            else "it holds for what each record contributes, and so for all together"
        )
    of_rest = {n for e in f.rest for n in names(e)}
    if algebra.polynomial_names(fact.polynomial) & of_rest:
        return "where the mechanism is defined"
    return (
        "every record satisfies it"
        if shown.conditions
        else "condition on the record"
        if m.inputs.is_universal
        else "condition of the move"
    )


# the inequalities


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
