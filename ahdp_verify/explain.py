"""`explain`: the proof or the refutation in a record, in numbered lines with the reason at the side of each.

The record is checked first, and an invalid one is refused.  Then the checker's own functions are asked again, step by step, for what the
certificate leaves out: the facts that lemmas add, what a form requires, the integrals between points.  Nothing is told that they do not give.

>>> from ahdp_verify.domain import Domain
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import Mechanism, real
>>> from ahdp_verify.privacy import dp
>>> from ahdp_verify.search import verify
>>> s, W = real("s"), Domain([(1, 1)])
>>> proof = verify(dp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size"), 1))
>>> print(explain(proof).text.splitlines()[0])
Proof that noisy size is add-remove DP at level 1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from ahdp_verify import storage
from ahdp_verify.algebra import Polynomial, Ratio, exp_of
from ahdp_verify.argument import Statement
from ahdp_verify.certificate import (
    ByLaw,
    CaseSplit,
    Certificate,
    Closed,
    Divergence,
    Enumeration,
    Evidence,
    ExpSign,
    Lemma,
    Mass,
    Pieces,
    Products,
    Proof,
    Proven,
    Separate,
    SolverWord,
)
from ahdp_verify.composite import AnyClaim
from ahdp_verify.context import Context, normal, to_expression
from ahdp_verify.counterexample import law_at, side_text
from ahdp_verify.domain import Domain
from ahdp_verify.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.explanation import Explanation, Line, Piece, Writer, compared
from ahdp_verify.expression import ONE, TRUE, ZERO, Expression, add, exp, multiply, name, substitute
from ahdp_verify.integrate import grouped, pieces, total_on
from ahdp_verify.laws import LAWS, rule
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.privacy import LEVEL, Claim, Task, dataset_nodes, frame_of, states, tasks, whole_law
from ahdp_verify.proof import cases, closes, combination, extended, requirements
from ahdp_verify.relation import place
from ahdp_verify.verdict import Proved, Refuted, RefutedStatement, Verdict, one_line, shown

FEW = 14  # lines of one obligation that are shown, unless all are asked for
MEANING = {
    "ahdp": "Adding one record (x, eps) changes the probability of every event by at most the factor exp(level), up or down.",
    "add-remove": "Adding or removing one record changes the probability of every event by at most the factor exp(level).",
    "hdp": "Replacing a record by another one with the same demand changes the probability of every event by at most the factor exp(level).",
    "swap": "Replacing one record changes the probability of every event by at most the factor exp(level).",
    "any": "Whatever the value is, the probability of every event changes by at most the factor exp(level) if it is another one.",
    "one": "If one answer moves by at most 1, the probability of every event changes by at most the factor exp(level).",
    "all": "If all answers move by at most 1, the probability of every event changes by at most the factor exp(level).",
    "increasing": "If all answers grow by at most 1, the probability of every event changes by at most the factor exp(level).",
    "decreasing": "If all answers fall by at most 1, the probability of every event changes by at most the factor exp(level).",
    "pairs": "Between any two datasets the log probability of every event changes by at most their distance, each record weighted by its level.",
}
LEMMAS = {
    "sign": "the signs of its parts", "proved": "roots counted", "exp": "exp(t) >= 1 + t", "order": "exp is increasing", "triangle": "triangle inequality",
    "absolute": "|w| >= w", "bound": "u >= w and u >= -w", "whole": "a whole number above 0 is at least 1", "square": "squares are not negative",
    "floor": "the floor of a number is at most 1 below it",
}  # fmt: skip


def explain(source: Verdict | str | Path, *, every: bool = False) -> Explanation:
    """The explanation of a verdict, or of the record in a file; with `every`, nothing is left out.  Raises BadInput for an Unknown, Rejected for an invalid record."""
    verdict = storage.recheck(source) if isinstance(source, str | Path) else source
    if isinstance(verdict, Proved):
        return Explanation(one_line(f"Proof that {verdict.claim}"), _proof(verdict, every))
    if isinstance(verdict, Refuted):
        return Explanation(one_line(f"It is not true that {verdict.claim}"), _refutation(verdict))
    if isinstance(verdict, RefutedStatement):
        return Explanation(one_line(f"It is not true that {verdict.claim}"), _failure(verdict))
    raise BadInput("verdict", "nothing was decided", "explain a proof or a refutation")


@dataclass(slots=True)
class Teller:
    """What is being told: the lines, how state names are shown, the line in which each fact stands, and how many lines an obligation may take."""

    lines: Writer
    every: bool
    spoken: dict[str, Expression] = field(default_factory=dict)
    left: int = FEW
    muted: bool = False  # inside a case that was left out

    def show(self, e: Expression) -> Expression:
        """e with state names as they were introduced."""
        return substitute(e, self.spoken) if self.spoken else e

    def ratio(self, r: Ratio) -> Expression:
        """A ratio as an expression."""
        return self.show(to_expression(r))

    def polynomial(self, p: Polynomial) -> Expression:
        """A polynomial as an expression."""
        return self.ratio(Ratio(p))

    def tell(self, reason: str, *parts: Piece, last: bool = False) -> str:
        """The number of a new line, "" where the obligation has had enough lines; the last one of a case that is told is never left out."""
        if self.left <= 0 and not self.every and (self.muted or not last):
            self.left -= 1
            return ""
        self.left -= 1
        return self.lines.add(reason, *parts)

    def omitted(self) -> None:
        """Says how many lines were left out."""
        if self.left < 0 and not self.every:
            self.lines.say(f"... {-self.left} more lines of this part (shown with --all)")
        self.left = FEW


Facts = dict[int, str]  # the line in which each fact of a context stands


def _proof(verdict: Proved, every: bool) -> tuple[Line, ...]:
    teller = Teller(Writer(), every)
    _proven(verdict.claim, verdict.certificate, teller)
    teller.lines.say(f"This holds for {verdict.scope.removeprefix('scope: ')}. " + _trusts(verdict))
    return teller.lines.done


def _trusts(verdict: Proved) -> str:
    return f"It was believed of {' and '.join(verdict.trusts)}." if verdict.trusts else "Nothing was believed beyond the checker."


def _proven(claim: AnyClaim | Statement, proof: Proven, teller: Teller) -> str:
    """The number of the line that concludes a claim."""
    if isinstance(proof, ByLaw) and not isinstance(claim, Statement):
        return _by_law(claim, proof, teller)
    if isinstance(proof, Certificate) and isinstance(claim, Statement):
        return _statement(claim, proof, teller)
    if isinstance(proof, Certificate) and isinstance(claim, Claim):
        return _written_out(claim, proof, teller)
    raise BadInput("certificate", "it proves no such claim", "explain a record that recheck accepts")


def _statement(claim: Statement, proof: Certificate, teller: Teller) -> str:
    facts = _conditions(claim.here, teller, [f"{key}: {condition}" if condition != TRUE else f"{key}: any number" for key, condition in claim.parameters])
    for gap, evidence in zip(claim.gaps, proof.evidence, strict=True):
        number_ = teller.lines.add("to be shown", compared(gap, ">" if claim.strict else ">=", ZERO))
        with teller.lines.inside():
            if claim.strict:
                _evidence(evidence, claim.here, facts, teller, partial(_strict, gap=gap, teller=teller))
            else:
                _evidence(evidence, claim.here, facts, teller, _inside(add(gap, ONE), ONE, ZERO, teller))
        teller.omitted()
    return teller.lines.add(f"from {number_}", compared(claim.left, claim.relation, claim.right))


def _strict(leaf: Evidence, here: Context, known: Facts, gap: Expression, teller: Teller) -> None:
    if isinstance(leaf, Closed):
        here = _lemmas(leaf.lemmas, here, known, teller)
        _required(normal(gap, here), ">", leaf.proofs[0] if leaf.proofs else None, here, known, teller)


def _by_law(claim: AnyClaim, proof: ByLaw, teller: Teller) -> str:
    """The lines of a law: its premises, its side conditions, its conclusion."""
    law = rule(claim, proof.law, proof.version, proof.stated)
    numbers = []
    for premise, shown_ in zip(law.premises, proof.premises, strict=True):
        number_ = teller.lines.add("premise", one_line(str(premise)))
        with teller.lines.inside():
            _proven(premise, shown_, teller)
        numbers.append(number_)
    for side, evidence in zip(law.sides, proof.evidence, strict=True):
        numbers.append(teller.lines.add("side condition", side.text))
        with teller.lines.inside():
            facts = _conditions(side.here, teller, [])
            _evidence(evidence, side.here, facts, teller, _inside(side.before, side.after, side.level, teller))
        teller.omitted()
    source = f"by {proof.law} ({LAWS[proof.law].source}), version {proof.version}"
    return teller.lines.add(f"{source}{', from ' + ', '.join(numbers) if numbers else ''}", one_line(str(claim)))


def _written_out(claim: Claim, proof: Certificate, teller: Teller) -> str:
    """The lines of a mechanism that is written out: what is claimed, the mass, every inequality, the conclusion."""
    m = claim.mechanism
    outer = dict(teller.spoken)
    _introduce(claim, proof, teller)
    if any(isinstance(e, Enumeration) for e in proof.evidence):
        size = next(e.size for e in proof.evidence if isinstance(e, Enumeration))
        teller.lines.add("exhaustive search", f"all datasets of at most {size} records were listed, with all moves between them and all outputs; every probability was compared")
    else:
        _mass(m, proof.mass, proof.counts, teller)
        _inequalities(claim, proof, teller)
    last = teller.lines.add("all inequalities together", one_line(str(claim)))
    teller.spoken = outer
    return last


def _introduce(claim: Claim, proof: Certificate, teller: Teller) -> None:
    m = claim.mechanism
    teller.lines.say(MEANING[claim.relation])
    outputs = ", ".join(f"{o.name} ({o.kind})" for o in m.outputs)
    teller.lines.say(f"The law of {outputs} is ", m.density, *(f"; the atom {at} has probability {mass}" for at, mass in m.atoms))
    if m.parameters:
        teller.lines.say("Parameters: " + ", ".join(f"{key} with {c}" if c != TRUE else key for key, c in m.parameters))
    if isinstance(m.inputs, Domain):
        teller.spoken = dict(teller.spoken)
        for text, key, shown_ in state_names(m, proof):
            teller.spoken[key] = shown_
            teller.lines.say("Below, ", shown_, f" stands for {text}.")


def state_names(m: Mechanism, proof: Certificate) -> list[tuple[str, str, Expression]]:
    """What the names of a state stand for, the name in certificates, and the name that is shown."""
    taken = {key.split("[")[0] for key, _ in m.parameters} | {o.name.split("[")[0] for o in m.outputs} | {key.split("[")[0] for key in m.inputs.bound}
    first, second, third = (next(c for c in options if c not in taken) for options in (("S", "SS", "S_"), ("h", "hh", "h_"), ("c", "cc", "c_")))
    f = frame_of(m, proof.counts)
    many = len(dataset_nodes(m)) > 1
    if proof.counts:
        return [(f"the number of records {r} in the rest of the dataset", f"#{i}", name(f"{second}[{i}]")) for i, r in enumerate(f.domain.records, 1)]
    numbers = range(1, len(dataset_nodes(m)) + 1)
    listed = [(f"{node} over the rest of the dataset", f"@{j}", name(f"{first}[{j}]" if many else first)) for j, node in zip(numbers, dataset_nodes(m), strict=True)]
    if proof.conditions:
        listed += [(f"what the added record contributes to it{f' ({first}[{j}])' if many else ''}", f"@c{j}", name(f"{third}[{j}]" if many else third)) for j in numbers]
        listed += [("the level of the added record", str(LEVEL.args[0]), name("L" if "L" not in taken else "L_"))]
    return listed


def _conditions(here: Context, teller: Teller, said: list[str]) -> Facts:
    """What is known from the start, one line for each fact."""
    for line in said:
        teller.lines.say(line)
    return {i: teller.lines.add("known", compared(teller.polynomial(f.polynomial), f.relation, ZERO)) for i, f in enumerate(here.facts)}


def _mass(m: Mechanism, mass: Mass, counts: bool, teller: Teller) -> None:
    """The lines on the total of the law."""
    teller.lines.add("", "The law is nowhere negative, and its total is 1.")
    spaces = list(states(m, counts))
    groups = 1 if whole_law(m) else len(m.outputs)
    with teller.lines.inside():
        for i, state in enumerate(spaces):
            if i and not teller.every:
                teller.lines.say("... and in the same way for the other inputs")
                break
            law = place(m.density, state.nodes)
            factors = (law,) if groups == 1 else grouped(law, tuple(o.name for o in m.outputs))[1]
            for j, factor in enumerate(factors):
                output = None if groups == 1 and len(m.outputs) > 1 else m.outputs[j]
                _total(output, factor, mass.evidence[i * groups + j], state.here, teller)
            teller.omitted()
    teller.left = FEW


def _total(output: Output | None, law: Expression, evidence: Evidence, here: Context, teller: Teller) -> None:
    """The lines on one total: a sum over values, or integrals between points, in the cases that it needs."""

    def leaf(found: Evidence, here: Context, known: Facts) -> None:
        if not isinstance(found, Pieces):
            return
        here = _lemmas(found.lemmas, here, known, teller)
        if output is None or output.kind == "finite":
            teller.tell("all values of the outputs, added up", "the probabilities are >= 0 and add up to 1")
            return
        points = tuple(normal(p, here) for p in found.points)
        shown_ = [teller.ratio(p) for p in points]
        for low, high, upper in pieces(len(points)):
            ends = f"({'-oo' if low is None else shown_[low]}, {'oo' if high is None else shown_[high]})"
            try:
                value = teller.ratio(total_on(law, output.name, output.kind, points, upper, here))
            except (Undecided, Unsupported):
                continue
            teller.tell("a sum of exponentials between these points", f"the total over {output.name} in {ends} is ", value)

    _evidence(evidence, here, {}, teller, leaf)


def _inequalities(claim: Claim, proof: Certificate, teller: Teller) -> None:
    """The lines of every inequality; those with the same evidence are explained once."""
    told: dict[int, str] = {}
    again: dict[int, list[str]] = {}
    known: dict[object, Facts] = {}
    for task, use in zip(tasks(claim, proof.counts, proof.conditions), proof.uses, strict=True):
        if use in told:
            again.setdefault(use, []).append(task.text)
            continue
        here = task.obligation.here
        if here.facts not in known:
            known[here.facts] = _conditions(here, teller, [])
        told[use] = teller.lines.add("to be shown", f"{task.text}: ", *_said(claim, task, teller))
        with teller.lines.inside():
            _evidence(proof.evidence[use], here, known[here.facts], teller, _leaf(claim, task, teller))
        teller.omitted()
    for use, texts in again.items():
        listed = "; ".join(texts[:4]) + (f"; and {len(texts) - 4} more" if len(texts) > 4 else "")
        teller.lines.add(f"as in {told[use]}", listed)


def _said(claim: Claim, task: Task, teller: Teller) -> tuple[Piece, ...]:
    level = teller.show(task.obligation.level)
    if task.part is None:
        return (f"the law after is at most exp({level}) times the law before" + (f", up to {claim.delta}" if claim.delta != ZERO else ""),)
    before, after = (teller.show(law) for law in task.laws)
    return (compared(multiply(exp(level), before), ">=", after),)


Leaf = Callable[[Evidence, Context, Facts], None]


def _leaf(claim: Claim, task: Task, teller: Teller) -> Leaf:
    """How a leaf of this inequality is told."""

    def told(found: Evidence, here: Context, known: Facts) -> None:
        if isinstance(found, SolverWord):
            teller.tell("the word of " + " and ".join(found.solvers), "two solvers, asked independently, find no point at which it fails")
        elif isinstance(found, Separate):
            _separate(found, here, known, teller, claim)
        elif isinstance(found, Divergence):
            _divergence(found, here, known, teller, claim)
        elif isinstance(found, Closed) and task.part is not None:
            _closed(found, *task.laws, task.obligation.level, here, known, teller)

    return told


def _inside(before: Expression, after: Expression, level: Expression, teller: Teller) -> Leaf:
    """How a leaf of exp(level) before >= after is told."""
    return lambda leaf, here, known: _closed(leaf, before, after, level, here, known, teller)


def _separate(found: Separate, here: Context, known: Facts, teller: Teller, claim: Claim) -> None:
    here = _lemmas(found.lemmas, here, known, teller)
    for output, level in zip(claim.mechanism.outputs, found.levels, strict=True):
        teller.tell("each of its values compared", f"the factor of {output.name} keeps the level ", teller.show(level))
    teller.tell("independent factors: their levels add up", "together they spend ", teller.show(add(*found.levels)))


def _divergence(found: Divergence, here: Context, known: Facts, teller: Teller, claim: Claim) -> None:
    here = _lemmas(found.lemmas, here, known, teller)
    counted = [c.counts for c in found.choices]
    if found.points:
        teller.tell("points", "the output is cut at " + ", ".join(str(teller.show(p)) for p in found.points))
    said = ", ".join(f"{counted.count(kind)} {text}" for kind, text in (("excess", "with their excess"), ("none", "with nothing"), ("whole", "as a whole")))
    teller.tell("by the sign of the difference", f"of the parts of the output space count {said}")
    teller.tell("added up", "what counts is at most ", claim.delta)


def _evidence(evidence: Evidence, here: Context, known: Facts, teller: Teller, leaf: Leaf) -> None:
    """The lines of evidence: lemmas and cases, then what the leaf says."""
    if isinstance(evidence, CaseSplit):
        here = _lemmas(evidence.lemmas, here, known, teller)
        for (case, rest), (relation, _) in zip(cases(evidence, here), evidence.cases, strict=True):
            guard = teller.ratio(normal(evidence.guard, here))
            inner = dict(known)
            number_ = teller.tell("case", "Suppose ", compared(guard, relation, ZERO), ".")
            inner[len(case.facts) - 1] = number_ or "a case above"
            if number_:
                with teller.lines.inside():
                    _evidence(rest, case, inner, teller, leaf)
            else:
                outer, teller.muted = teller.muted, True
                _evidence(rest, case, inner, teller, leaf)
                teller.muted = outer
        return
    if isinstance(evidence, Closed) and evidence.form == "never":
        here = _lemmas(evidence.lemmas, here, known, teller)
        teller.tell("the facts contradict each other", "this case does not occur")
        return
    leaf(evidence, here, known)


def _lemmas(lemmas: tuple[Lemma, ...], here: Context, known: Facts, teller: Teller) -> Context:
    """The context with the fact of each lemma, each of which has its line."""
    for lemma in lemmas:
        here = extended((lemma,), here)
        fact = here.facts[-1]
        proof = lemma.proofs[0] if lemma.kind == "proved" else None
        reason = f"identity: {_sum(proof, known)}" if isinstance(proof, Products) else LEMMAS[lemma.kind]
        known[len(here.facts) - 1] = teller.tell(reason, compared(teller.polynomial(fact.polynomial), fact.relation, ZERO)) or "a line left out"
    return here


def _closed(leaf: Evidence, before: Expression, after: Expression, level: Expression, here: Context, known: Facts, teller: Teller) -> None:
    """The lines of a closed leaf: its lemmas, and each thing that its form requires."""
    if not isinstance(leaf, Closed):
        return
    known, leaf = dict(known), needed(leaf, lambda less: closes(less, before, after, level, here), len(here.facts))
    here = _lemmas(leaf.lemmas, here, known, teller)
    wanted = requirements(before, after, level, leaf.form, here)
    for i, (r, relation) in enumerate(wanted):
        proof = leaf.proofs[i] if leaf.proofs else None
        if i and r.is_zero and proof is None:
            continue  # equal factors in front of both exponentials need no line
        _required(r, relation, proof, here, known, teller, FORMS.get(leaf.form, "") if i == 0 else "the factors in front: ")


def needed(leaf: Closed, accepted: Callable[[Closed], None], given_: int) -> Closed:
    """The leaf without lemmas that it does not need: what is left is accepted as the whole is."""
    for i in reversed(range(len(leaf.lemmas))):
        less = _without(leaf, i, given_)
        if less is None:
            continue
        try:
            accepted(less)
            leaf = less
        except (Rejected, Undecided, Unsupported, ZeroDivisionError):
            continue
    return leaf


def _without(leaf: Closed, i: int, given_: int) -> Closed | None:
    """The leaf without lemma i, later facts renumbered; None where a proof uses its fact."""
    fact = given_ + i

    def moved(proof: Proof) -> Proof:
        if isinstance(proof, Products):
            return Products(tuple((c, tuple(n - (n > fact) for n in facts)) for c, facts in proof.terms))
        if isinstance(proof, ExpSign):
            return replace(proof, low=proof.low - (proof.low > fact), high=None if proof.high is None else proof.high - (proof.high > fact))
        return proof

    proofs = [p for lemma in leaf.lemmas for p in lemma.proofs] + list(leaf.proofs)
    used = {n for p in proofs if isinstance(p, Products) for _, facts in p.terms for n in facts} | {n for p in proofs if isinstance(p, ExpSign) for n in (p.low, p.high)}
    if fact in used:
        return None
    lemmas = tuple(replace(lemma, proofs=tuple(map(moved, lemma.proofs))) for j, lemma in enumerate(leaf.lemmas) if j != i)
    return Closed(lemmas, leaf.form, tuple(map(moved, leaf.proofs)))


FORMS = {"log": "in logarithms: ", "zero": "the smaller side vanishes: ", "direct": ""}


def _required(r: Ratio, relation: str, proof: Proof, here: Context, known: Facts, teller: Teller, form: str = "") -> None:
    """The line of one requirement, with the identity that proves it."""
    if proof is None:
        teller.tell("by the signs of its parts", form, compared(teller.ratio(r), relation, ZERO), last=True)
    elif isinstance(proof, ExpSign):
        factors = ", ".join(f"({teller.show(f)})" + (f"^{k}" if k != 1 else "") for f, k, _ in proof.factors)
        since = f", since each of {factors or 'its values'} has one sign"
        teller.tell("roots counted between the ends of its range", form, compared(teller.ratio(r), relation, ZERO), since, last=True)
    else:
        combination(proof, here)
        teller.tell("identity: " + _sum(proof, known), form, compared(teller.ratio(r), relation, ZERO), last=True)


def _sum(proof: Products, known: Facts) -> str:
    """A sum of products of facts, by the numbers of their lines."""
    terms = []
    for c, facts in proof.terms:
        factors = [f"({known.get(i, f'fact {i}')})" for i in facts]
        terms.append("*".join(([] if c == Fraction(1) and factors else [str(c)]) + factors))
    return " + ".join(terms) or "0"


def _refutation(verdict: Refuted) -> tuple[Line, ...]:
    """The lines of a counterexample: two inputs, the laws there, the event, both probabilities, how they compare."""
    w, claim, example = Writer(), verdict.claim, verdict.counterexample
    if not isinstance(claim, Claim):
        raise BadInput("verdict", "its mechanism is not written out", "explain the refutation of a mechanism that is")
    w.say(MEANING[claim.relation])
    w.say("The law is ", claim.mechanism.density, *(f"; the atom {at} has probability {mass}" for at, mass in claim.mechanism.atoms))
    for key, value in example.parameters:
        w.add("choice", f"{key} = ", value)
    laws = []
    for what, side in (("One input", example.before), ("The other input", example.after)):
        law, _ = law_at(claim, example, side)
        number_ = w.add("choice", f"{what} is {side_text(claim, example, side)}")
        laws.append(w.add(f"the law at {number_}", "There the law is ", law))
    level = w.add("the level of this move", "From one to the other is one move, of level ", verdict.level)
    event = w.add("choice", f"The event is: {example.event}")
    chances = zip(("one", "the other"), laws, (verdict.before, verdict.after), strict=True)
    numbers = [w.add(f"the law of {law}, over the event of {event}", f"Its probability under {what} is {constant_text(p)}") for what, law, p in chances]
    delta = normal(substitute(claim.delta, dict(example.parameters)), Context.empty())
    allowed = exp_of(normal(verdict.level, Context.empty())) * verdict.after + delta
    reason = f"exp of the level in {level}, times {numbers[1]}" + ("" if claim.delta == ZERO else f", plus delta {claim.delta}")
    bound = w.add(reason, f"Allowed is at most {constant_text(allowed)}")
    w.add(f"{numbers[0]} against {bound}", f"The claim fails: {verdict.excess}")
    return w.done


def constant_text(r: Ratio) -> str:
    """A constant with a decimal."""
    return shown(to_expression(r), r)


def _failure(verdict: RefutedStatement) -> tuple[Line, ...]:
    """The lines of values at which a statement fails."""
    w, claim = Writer(), verdict.claim
    w.say("Claimed is ", compared(claim.left, claim.relation, claim.right), " under the conditions " + (", ".join(str(c) for _, c in claim.parameters if c != TRUE) or "none"))
    for key, value in verdict.values:
        w.add("choice, which satisfies all conditions", f"{key} = ", value)
    sides = [w.add("put in", f"the {what} side is {constant_text(r)}") for what, r in (("left", verdict.left), ("right", verdict.right))]
    w.add(f"from {sides[0]} and {sides[1]}", f"so {claim.left} {claim.relation} {claim.right} fails there")
    return w.done
