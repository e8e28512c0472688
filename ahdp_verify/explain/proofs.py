"""The lines of a proof: what is claimed, what is known, the total of the law, every inequality;
laws with their premises; statements.

>>> from ahdp_verify.search.verify import verify
>>> for line in proof(verify(Statement.of({"a": "a > 0"}, "a + 1", ">", "1")))[-3:-1]:
...     print(line.number, line.text, "--", line.reason)
2.1 a > 0 -- by its sign, from (1.1)
3 a + 1 > 1 -- from 2
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ahdp_verify.explain.evidence import (
    Leaf,
    closed,
    difference,
    evidence,
    inequality,
    lemmas,
    required,
)
from ahdp_verify.explain.numbered_lines import Compared, Line, Piece, Writer, compared
from ahdp_verify.explain.optima import best_test, optimum
from ahdp_verify.explain.teller import Facts, Teller, state_name
from ahdp_verify.explain.totals import divergence, mass, where_of
from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    BestTest,
    ByLaw,
    Certificate,
    Closed,
    Divergence,
    Enumeration,
    Evidence,
    Optimum,
    Proven,
    Separate,
    SolverWord,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import AnyClaim, CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.inequality import Statement
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, assume_what_is_known, place
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.composition import LAWS, Side, nonnegative, rule
from ahdp_verify.kernel.rules.integration import grouped
from ahdp_verify.kernel.rules.obligations import (
    Obligation,
    Task,
    base,
    factor_laws,
    frame_of,
    parts,
    states,
    tasks,
    whole_law,
)
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.rules.schema import schema_tasks
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
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.wording import Meaning, internal_names

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
FEW = 8  # records that are listed, moves that are named in one line
BROAD = 240  # characters of an inequality that is written out
# inequalities that are told in full, where they differ in more than their names; measured: each
# takes some 2 ms
DIFFERENT = 60
WITHOUT_FILE = ("assumed", "written_out")  # laws that hold by definition


def claimed(claim: Claim | CompositeClaim) -> str:
    """What a claim says, in words."""
    slack = "" if claim.delta == ZERO else f", and an additional {claim.delta}"
    kept = f" (and the same {', '.join(claim.public)})" if claim.public else ""
    return (
        f"Claimed: when {MOVES[claim.relation]}{kept}, the probability of every event changes "
        f"by at most the factor exp(L){slack}, up or down, where L = "
    )


def proof(verdict: Proved) -> tuple[Line, ...]:
    """The lines of a proof, the last of which says how far it goes and what it rests on."""
    teller = Teller(Writer())
    if isinstance(verdict.claim, CompositeClaim):
        teller.lines.say(claimed(verdict.claim), verdict.claim.level, ".")
    if isinstance(verdict.claim, BestClaim) and isinstance(verdict.certificate, Optimum):
        optimum(verdict.claim, verdict.certificate, teller.lines)
    elif isinstance(verdict.claim, GuessClaim) and isinstance(verdict.certificate, BestTest):
        best_test(verdict.claim, verdict.certificate, teller.lines)
    elif not isinstance(verdict.claim, BestClaim | GuessClaim):
        proven(verdict.claim, verdict.certificate, teller, {})
    trusted = (
        f"It was believed of {' and '.join(verdict.trusts)}."
        if verdict.trusts
        else "Nothing was believed beyond the checker."
    )
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


Told = dict[tuple[str, Proven], str]  # where a claim was shown by a proof


def proven(claim: AnyClaim | Statement, shown: Proven, teller: Teller, told: Told) -> str:
    """The number of the line that concludes a claim."""
    if isinstance(shown, ByLaw) and not isinstance(claim, Statement):
        return by_law(claim, shown, teller, told)
    if isinstance(shown, Certificate) and isinstance(claim, Statement):
        return statement(claim, shown, teller)
    if isinstance(shown, Certificate) and isinstance(claim, Claim):
        return written_out(claim, shown, teller)
    raise Rejected("the certificate proves no such claim")


# statements


def statement(claim: Statement, shown: Certificate, teller: Teller) -> str:
    """The lines of a statement about numbers."""
    for key, condition in claim.parameters:
        teller.lines.say(
            f"{key} is any real number" + ("" if condition == TRUE else f" with {condition}")
        )
    known = introduced(claim.here, teller, lambda i, fact: "assumed", "Known are these facts:")
    numbers = []
    for gap, found in zip(claim.gaps, shown.evidence, strict=True):
        numbers.append(
            teller.lines.add(
                "to be shown", compared(gap, ">" if claim.strict else ">=", ZERO), head=True
            )
        )
        side = nonnegative("a gap", claim.here, gap)[0]
        leaf = (
            partial(_strict, gap=gap, teller=teller)
            if claim.strict
            else _inside(side.dominated, side.dominating, side.level, teller)
        )
        with teller.lines.inside():
            evidence(found, claim.here, known, teller, leaf)
    return teller.lines.add(
        f"from {' and '.join(numbers)}",
        compared(claim.left, claim.relation, claim.right),
        head=True,
    )


def _strict(leaf: Evidence, here: Context, known: Facts, gap: Expression, teller: Teller) -> None:
    if not isinstance(leaf, Closed):
        raise Rejected("a strict inequality needs one proof")
    here, known = lemmas(leaf.lemmas, here, known, teller)
    required(normal(gap, here), ">", leaf.proofs[0] if leaf.proofs else None, here, known, teller)


def _inside(
    dominated: Dominated, dominating: Dominating, level: Expression, teller: Teller
) -> Leaf:
    """How a leaf of dominated <= exp(level) * dominating is told."""
    return lambda leaf, here, known: closed(leaf, dominated, dominating, level, here, known, teller)


# laws


def by_law(claim: AnyClaim, shown: ByLaw, teller: Teller, told: Told) -> str:
    """The lines of a law: its premises, its side conditions, its conclusion."""
    law, numbers = rule(claim, shown.law, shown.version, shown.stated), []
    for premise, by in zip(law.premises, shown.premises, strict=True):
        if (premise.fingerprint, by) in told:
            numbers.append(told[premise.fingerprint, by])
            continue
        if isinstance(by, ByLaw) and by.law == "assumed" and not by.evidence:
            numbers.append(
                teller.lines.add(
                    "assumed of this part, whatever it is", one_line(str(premise)), head=True
                )
            )
            continue
        numbers.append(
            teller.lines.add("a premise, shown below", one_line(str(premise)), head=True)
        )
        told[premise.fingerprint, by] = numbers[-1]
        with teller.lines.inside():
            proven(premise, by, teller.afresh({}), told)
    for side, found in zip(law.sides, shown.evidence, strict=True):
        numbers.append(condition(side, found, teller))
    source = f"by the law {shown.law} ({LAWS[shown.law].source}), version {shown.version}"
    origin = (
        ""
        if shown.law in WITHOUT_FILE
        else f"; the law itself is shown in proofs/laws/{shown.law.replace('_', '-')}.toml"
    )
    return teller.lines.add(
        f"{source}{', from ' + ', '.join(f'({n})' for n in dict.fromkeys(numbers)) if numbers else ''}{origin}",
        one_line(str(claim)),
        head=True,
    )


def condition(side: Side, found: Evidence, teller: Teller) -> str:
    """The number of the line of a side condition."""
    if side.dominated == ONE == side.dominating:
        said: Piece = compared(side.level, ">=", ZERO)
    else:
        said = (
            compared(side.dominating, ">=", side.dominated)
            if side.level == ZERO
            else inequality(side.dominated, side.dominating, side.level)
        )
    number_ = teller.lines.add(f"a condition of the law: {side.text}", said, head=True)
    inner = teller.afresh({})
    with teller.lines.inside():
        known = inner.introduced(side.here, lambda i, fact: "known")
        evidence(
            found,
            side.here,
            known,
            inner,
            _inside(side.dominated, side.dominating, side.level, inner),
        )
    return number_


# mechanisms that are written out


def written_out(claim: Claim, shown: Certificate, outer: Teller) -> str:
    """The lines of a mechanism that is written out: what is claimed, what is known, the total,
    every inequality, the conclusion.
    """
    teller = outer.afresh({key: e for _, key, e in state_names(claim.mechanism, shown)})
    introduce(claim, shown, teller)
    sizes = [e.size for e in shown.evidence if isinstance(e, Enumeration)]
    if sizes:
        searched(claim, shown, sizes[0], teller)
        return teller.lines.add("all comparisons together", one_line(str(claim)), head=True)
    first = next(states(claim.mechanism, shown.counts)).here
    introduced(first, teller, partial(source, claim, shown), "Known before anything is compared:")
    numbers = [
        mass(claim.mechanism, shown.mass, shown.counts, teller),
        *inequalities(claim, shown, teller),
    ]
    return teller.lines.add(
        f"from {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"from {numbers[0]}",
        one_line(str(claim)),
        head=True,
    )


def introduce(claim: Claim, shown: Certificate, teller: Teller) -> None:
    """What is claimed of which law, and the names that are used below."""
    m, say = claim.mechanism, teller.lines.say
    say(claimed(claim), claim.level, ".")
    kinds = {"real": "a real number", "integer": "a whole number"}
    outputs = ", ".join(
        f"{o.name} ({kinds.get(o.kind) or 'one of ' + some([str(v) for v in o.values])})"
        for o in m.outputs
    )
    say(f"The law of the output {outputs}: ", *law_of(m))
    if m.defined != TRUE:
        say("It is defined for datasets with ", m.defined, ".")
    if m.parameters:
        say(
            "Parameters: ", *joined([c if c != TRUE else name(key) for key, c in m.parameters]), "."
        )
    if isinstance(m.inputs, Domain) and m.inputs.is_universal:
        say(
            "A record is anything with ",
            *joined([c if c != TRUE else name(key) for key, c in m.inputs.unknowns]),
            ".",
        )
    elif isinstance(m.inputs, Domain):
        say("A record is " + some([str(r) for r in m.inputs.records], " or ") + ".")
    for text, _, e in state_names(m, shown):
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
        "To be shown: the law is one (nowhere negative, of total 1), and for each move and "
        "direction: (law before) <= exp(L) * (law after)."
    )


def law_of(m: Mechanism) -> tuple[Piece, ...]:
    """A law as one formula, or factor by factor where it is totalled factor by factor; then its
    single points.
    """
    points = [
        p
        for at, chance in m.atoms
        for p in (f"; the single point {at} has the probability ", chance)
    ]
    if whole_law(m):
        return (m.density, *points)
    prefactor, groups = grouped(m.density, tuple(o.name for o in m.outputs))
    return (
        "the product of ",
        *joined([prefactor, *groups] if prefactor != ONE else list(groups)),
        *points,
    )


def joined(formulas: Sequence[Expression | Compared]) -> list[Piece]:
    """Formulas with commas between them."""
    return [p for i, e in enumerate(formulas) for p in ((", ", e) if i else (e,))]


def some(texts: list[str], last: str = ", ") -> str:
    """The texts, or the first few of them and how many more there are."""
    return (
        last.join(texts)
        if len(texts) <= FEW
        else f"{last.join(texts[:FEW])}{last.rstrip(' or').rstrip()} and {len(texts) - FEW} more"
    )


def state_names(
    m: Mechanism, shown: Certificate
) -> list[tuple[tuple[Piece, ...], str, Expression]]:
    """What the names of a state stand for, the name in certificates, and the name that is shown."""
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
    internal: dict[str, list[Meaning]] = {}
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
    result: list[tuple[tuple[Piece, ...], str, Expression]] = []
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


def searched(claim: Claim, shown: Certificate, size: int, teller: Teller) -> None:
    """The line of an exhaustive search, from which no formula results."""
    what = (
        "all inputs"
        if not isinstance(claim.mechanism.inputs, Domain)
        else f"all datasets of at most {size} record{'s' if size > 1 else ''}"
    )
    said_ = (
        f"{what} were gone through, with all moves between them and all outputs; every two "
        f"probabilities were compared"
    )
    teller.lines.add("exhaustive search, done again by the checker", said_, head=True)
    if not shown.mass.evidence:
        teller.lines.add(
            "exhaustive search",
            "at each of them the law is nowhere negative and adds up to 1",
            head=True,
        )
        return
    introduced(
        next(states(claim.mechanism, shown.counts)).here,
        teller,
        partial(source, claim, shown),
        "Known before anything is compared:",
    )
    mass(claim.mechanism, shown.mass, shown.counts, teller)


def introduced(here: Context, teller: Teller, why: Callable[[int, Fact], str], title: str) -> Facts:
    """The lines of the facts of a context, those that are new under a title."""
    if any(f not in teller.stands for f in here.facts):
        teller.lines.add("", title, head=True)
        with teller.lines.inside():
            return teller.introduced(here, why)
    return {i: teller.stands[f] for i, f in enumerate(here.facts)}


def source(claim: Claim, shown: Certificate, i: int, fact: Fact) -> str:
    """Where a fact that is known from the start comes from."""
    m = claim.mechanism
    here = base(m)
    if i < len(here.facts):
        return "condition on the parameters"
    if isinstance(m.inputs, Queries):
        return "how far an answer moves"
    if not isinstance(m.inputs, Domain):
        return "condition on the values"
    f = frame_of(m, shown.counts)
    for c in f.conditions:
        here = assume_what_is_known(c, here)
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


def inequalities(claim: Claim, shown: Certificate, teller: Teller) -> list[str]:
    """The numbers of the lines of all inequalities; those that take the very same steps are
    explained once.
    """
    told: dict[tuple[int, object], str] = {}  # by evidence and steps
    first: dict[int, str] = {}  # by evidence
    again: dict[str, list[str]] = {}
    like: dict[str, list[str]] = {}
    single, lines, numbers = len(parts(claim.mechanism)) == 1, teller.lines, []
    listed = (
        schema_tasks(claim, shown.conditions) if shown.conditions else tasks(claim, shown.counts)
    )
    for task, use in zip(listed, shown.uses, strict=True):
        text = titled(task, single)
        if use in first and len(told) > DIFFERENT:
            like.setdefault(first[use], []).append(text)
            continue
        here = task.obligation.here
        known = introduced(
            here,
            teller,
            partial(source, claim, shown),
            f"Known when we {task.obligation.text.removesuffix(', backwards')}:",
        )
        start = len(lines.done)
        number_ = lines.add("to be shown", f"{text}: ", *said(claim, task, teller), head=True)
        with lines.inside():
            evidence(shown.evidence[use], here, known, teller, _leaf(claim, task, teller))
        key = (use, steps(lines.done[start + 1 :], number_))
        if key in told:
            lines.withdraw(start)
            again.setdefault(told[key], []).append(text)
        else:
            told[key] = first[use] = number_
            numbers.append(number_)
    numbers += [
        lines.add(f"the very same steps as in {n}", some(texts, "; "), head=True)
        for n, texts in again.items()
    ]
    numbers += [
        lines.add(
            f"in the same way as in {n}, with numbers of their own", some(texts, "; "), head=True
        )
        for n, texts in like.items()
    ]
    if shown.conditions:
        lines.say(
            "This was one proof for all records of the domain; the checker tested that each "
            "satisfies the conditions above."
        )
    return numbers


def steps(lines: tuple[Line, ...], number_: str) -> tuple[tuple[str, str], ...]:
    """What lines below a number say, whichever number that is."""
    own = re.compile(rf"\({re.escape(number_)}(?=[.)])")
    return tuple((own.sub("(", line.text), own.sub("(", line.reason)) for line in lines)


def titled(task: Task, single: bool) -> str:
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
        else f", {where_of(task.part)}"
    )
    return text + part


def said(claim: Claim, task: Task, teller: Teller) -> tuple[Piece, ...]:
    """The inequality as a formula, with the law as it is written or in a shorter form."""
    level = teller.show(task.obligation.level)
    if task.part is None:
        extra = f", apart from a total of {claim.delta}" if claim.delta != ZERO else ""
        return (
            f"p <= {'' if level == ZERO else f'exp({level}) * '}p' for all outputs{extra}, where "
            f"p is the law before this move and p' the law after it",
        )
    dominated, dominating = (simpler(law, task.obligation.here) for law in task.laws)
    whole = inequality(
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
        joined([compared(n, "=", teller.show(e[i])) for n, *e in changed]) for i in (0, 1)
    )
    return (
        inequality(Dominated(name("P")), Dominating(name("Q")), level),
        ", where P is the law with ",
        *first,
        " and Q that with ",
        *second,
    )


def simpler(law: Expression, here: Context) -> Expression:
    """A law with its branches and parts chosen, where that is known; else as it is written."""
    if not any(e.head in ("piecewise", "index") for e in walk(law)):
        return law
    try:
        return min(law, to_expression(normal(law, here)), key=lambda e: len(str(e)))
    except (Undecided, Unsupported, ZeroDivisionError):
        return law


def _leaf(claim: Claim, task: Task, teller: Teller) -> Leaf:
    """How a leaf of this inequality is told."""

    def told(found: Evidence, here: Context, known: Facts) -> None:
        if isinstance(found, SolverWord):
            teller.tell(
                "on the word of " + " and ".join(found.solvers),
                "no proof was found; the solvers, asked independently, say that it never fails",
            )
        elif isinstance(found, Separate):
            separate(found, here, known, teller, claim, task.obligation)
        elif isinstance(found, Divergence):
            divergence(found, here, known, teller, claim, task.obligation)
        else:
            closed(found, *task.laws, task.obligation.level, here, known, teller)

    return told


def separate(
    found: Separate,
    here: Context,
    known: Facts,
    teller: Teller,
    claim: Claim,
    obligation: Obligation,
) -> None:
    """The lines of independent outputs: the level of each at each of its values, and their sum."""
    here, known = lemmas(found.lemmas, here, known, teller)
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
                    place(at_value, obligation.dominated),
                    place(at_value, obligation.dominating),
                )
                small, large = (
                    Dominated(teller.show(simpler(dominated, here))),
                    Dominating(teller.show(simpler(dominating, here))),
                )
                teller.tell(
                    "to be shown",
                    f"at {output.name} = {v}: ",
                    inequality(small, large, teller.show(level)),
                )
                with teller.lines.inside():
                    closed(leaves.pop(0), dominated, dominating, level, here, known, teller)
    r = difference(obligation.level, list(found.levels), here, found.form)
    lead = "the outputs are independent, so their levels add up to at most the level: "
    required(r, ">=", found.proofs[0] if found.proofs else None, here, known, teller, lead)
