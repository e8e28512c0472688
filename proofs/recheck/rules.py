"""Section 9: claims that follow from others by composition rules."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from recheck.certificates import Words, is_without_delta, require_certificate, size_of
from recheck.claims import ADDED, OWN_LEVEL, Claim
from recheck.everywhere import require_number, require_values
from recheck.evidence import Evidence, descend, require_at_most
from recheck.forms import UNIT, exp_of
from recheck.interchange import with_fewer_values
from recheck.limits import Rejected, cover, need
from recheck.meaning import is_joined
from recheck.moves import frame, moves, state_context, sums_over_records
from recheck.places import EndlessPlace, Place, laws_of_parts, places
from recheck.shapes import listed
from recheck.signs import POS, Context, at_record, truth
from recheck.trees import (
    AGGREGATES,
    Tree,
    at_most,
    is_number,
    make,
    minus,
    name,
    negated,
    number,
    plus,
    rebuild,
    substitute,
    times,
    walk,
)
from recheck.written import is_the_same, written_out

SAME = ("compose", "product", "post_process", "mixture", "assumed", "weaken", "normalised")
WAYS = {  # the relations of a premise and of the claim where they may differ
    "subsample": (("add-remove", "ahdp"), ("add-remove", "add-remove"), ("ahdp", "ahdp")),
    "pull_back": (("add-remove", "add-remove"), ("ahdp", "ahdp")),
    "group": (("add-remove", "pairs"), ("ahdp", "pairs")),
    "to_ahdp": (("add-remove", "ahdp"),),
    "to_swap": (("add-remove", "swap"), ("ahdp", "swap")),
}
# rules that other modules add: they derive a claim with a level from one of another kind
OTHER_RULES: dict[str, Callable[[Claim, Evidence, Words], None]] = {}
STATED = ("weaken", "to_ahdp", "to_swap")  # the premise is another claim of the same mechanism


@dataclass(frozen=True)
class Side:
    """A side condition: small <= exp(level) large here."""

    here: Context
    small: Tree
    large: Tree
    level: Tree


@dataclass
class Step:
    """One use of a rule: the claim, its premises, and the side conditions collected so far."""

    claim: Claim
    premises: list[Claim]
    here: Context
    sides: list[Side] = field(default_factory=list)

    def at_least_zero(self, here: Context, e: Tree) -> None:
        self.sides.append(Side(here, number(1), plus(e, number(1)), number(0)))

    def level_at_least(self, here: Context, level: Tree, spent: Tree) -> None:
        if level.head != "oo" and level is not spent:
            need(spent.head != "oo", "a part has no finite level")
            self.sides.append(Side(here, number(1), number(1), minus(level, spent)))

    def delta_at_least(self, spent: Callable[[Place | None], Tree]) -> None:
        """Once for all moves, or place by place if a delta depends on the record."""
        own = {n for n, _ in self.claim.parameters}
        alike = self.claim.delta.names | spent(None).names <= own
        for place in [None] if alike else places_of(self):
            most, least = delta_at(self.claim, place), spent(place)
            if most is not least:
                here = self.here if place is None else place.here
                self.at_least_zero(here, minus(most, least))


def require_proof(claim: Claim, proof: Evidence, words: Words) -> None:
    """Raises unless the proof shows the claim on all its inputs."""
    need(proof.claim == claim.fingerprint, "the certificate belongs to another claim")
    if proof.kind == "by rule":
        require_by_law(claim, proof, words)
    else:
        need(size_of(proof) is None, "an enumeration is not a proof on all inputs")
        require_certificate(claim, proof, words)


def require_by_law(claim: Claim, proof: Evidence, words: Words) -> None:
    """the claim follows by the rule from the premises     every premise is proved
    every side condition holds
    ---------------------------------------------------------------------------
    the claim is proved
    """
    rule = proof.rule
    if rule == "written_out":
        require_written_out(claim, proof, words)
        return
    if rule == "interchangeable":
        require_interchangeable(claim, proof, words)
        return
    if rule == "open_level":
        require_open_level(claim, proof, words)
        return
    if rule in OTHER_RULES:
        OTHER_RULES[rule](claim, proof, words)
        return
    need(rule in (*SAME, *WAYS), "a rule is unknown")
    need(proof.version == 1, "a rule has another version")
    step = Step(claim, premises_of(claim, proof), above_exponentials(claim))
    kept = step.premises
    if rule == "assumed":
        kept = [about(claim, *listed(claim.mechanism["assumed"], 3))]
    for p in kept:
        need_relations(rule, p, claim)
    RULES[rule](step, kept)
    require_sides(step.sides, proof.evidence)
    need(len(proof.premises) == len(step.premises), "a rule has too many or too few premises")
    for premise, shown in zip(step.premises, proof.premises, strict=True):
        require_proof(premise, shown, words)


def require_written_out(claim: Claim, proof: Evidence, words: Words) -> None:
    """the same claim about the distribution as one expression is proved
    -----------------------------------------------------------
    the claim is proved

    The fingerprint of the premise depends on how the expression is written, and is not read.
    """
    need(claim.relation != "pairs", "the rule is not for this relation")
    need(proof.stated is None and not proof.evidence, "the rule takes no `stated` and no evidence")
    need(len(proof.premises) == 1, "a rule has too many or too few premises")
    (premise,) = proof.premises
    cover(premise.kind == "certificate", "written_out, with a premise by another rule")
    need(size_of(premise) is None, "an enumeration is not a proof on all inputs")
    require_meaning(claim)
    require_certificate(written_out(claim), premise, words)


def require_interchangeable(claim: Claim, proof: Evidence, words: Words) -> None:
    """the claim is proved for the mechanism with fewer values
    ----------------------------------------------------------
    the claim is proved
    """
    need(not claim.rule, "the rule is about a mechanism given by its density")
    need(proof.version == 1, "a rule has another version")
    need(proof.stated is None and not proof.evidence, "the rule takes no `stated` and no evidence")
    need(len(proof.premises) == 1, "a rule has too many or too few premises")
    (premise,) = proof.premises
    cover(premise.kind == "certificate", "interchangeable, with a premise by another rule")
    need(size_of(premise) is None, "an enumeration is not a proof on all inputs")
    require_certificate(with_fewer_values(claim), premise, words)


def require_open_level(claim: Claim, proof: Evidence, words: Words) -> None:
    """at every level L that satisfies c(L) the claim is proved with delta d(L)     c(l)     d(l) <=
    d -------------------------------------------------------------------------------------------------
    the claim is proved at level l with delta d
    """
    need(not claim.rule, "the rule is about a mechanism given by its density")
    need(proof.version == 1, "a rule has another version")
    need(proof.stated is not None, "the rule needs `stated`")
    need(len(proof.premises) == 1, "a rule has too many or too few premises")
    relation, among, delta = proof.stated.relation, proof.stated.level, proof.stated.delta
    need(relation == claim.relation, "a premise has another relation")
    need(len(among.names) == 1 and not claim.level.names, "a level is not one of many")
    (opened,) = among.names
    require_number(claim.level, Context())
    at = {opened: claim.level}
    need(truth(substitute(among, at), Context()), "the level is not one of those of the premise")
    every = with_open_level(claim, opened, to_json(among), to_json(delta))
    step = Step(claim, [every], above_exponentials(claim))
    step.delta_at_least(lambda place: substitute(delta, at))
    require_sides(step.sides, proof.evidence)
    attested: Words = set()
    require_proof(every, proof.premises[0], attested)
    need(not attested, "a premise for many levels is attested by solvers")


def with_open_level(claim: Claim, opened: str, among: Any, delta: Any) -> Claim:
    """The claim with its level as one more parameter, of which the mechanism does not speak."""
    m = claim.mechanism
    wider = {**m, "parameters": [*m["parameters"], [opened, among]]}
    said = {"mechanism": wider, "level": ["name", opened], "delta": delta}
    return Claim({**claim.data, **said})


def require_meaning(claim: Claim) -> None:
    """Raises unless formulas have values and what is pulled back becomes records of the part."""
    if claim.rule == "post_process" and len(claim.parts) == 1:
        require_values(claim, above_exponentials(claim))
    if claim.rule == "pull_back":
        require_limits(claim)
        for place in places(claim):
            becomes_at(claim, place)
    for part in claim.parts:
        require_meaning(part)


def premises_of(claim: Claim, proof: Evidence) -> list[Claim]:
    if proof.rule in STATED:
        stated = proof.stated
        need(stated is not None, "the rule needs `stated`")
        return [about(claim, stated.relation, to_json(stated.level), to_json(stated.delta))]
    need(proof.stated is None, "the rule takes no `stated`")
    need(claim.rule == proof.rule, "the mechanism is not a composite of this rule")
    return claim.parts


def about(claim: Claim, relation: Any, level: Any, delta: Any) -> Claim:
    """Another claim of the same mechanism."""
    public = claim.public if relation == "hdp" else []
    return Claim(
        {
            "mechanism": claim.mechanism,
            "relation": relation,
            "level": level,
            "delta": delta,
            "public": public,
        }
    )


def to_json(e: Tree) -> Any:
    if is_number(e):
        return str(e.value)
    return [e.head, *(map(to_json, e.args) if e.args else ([e.value] if e.head in NAMED else []))]


NAMED = ("name", "label", "boolean")


def need_relations(rule: str, premise: Claim, claim: Claim) -> None:
    if rule in WAYS:
        need((premise.relation, claim.relation) in WAYS[rule], "the rule is not for this relation")
    else:
        need(premise.relation == claim.relation, "a premise has another relation")
        need(premise.public == claim.public, "a premise has other public parts")


def above_exponentials(claim: Claim) -> Context:
    """exp(p) > 1 for every parameter p > 0."""
    here = claim.base
    for n, _ in claim.parameters:
        p = here.form(name(n))
        if here.signs(p) == POS:
            here = here.given(exp_of(p) - UNIT, ">")
    return here


def places_of(step: Step) -> list[Place]:
    """Where levels are compared, with what is known of parameters."""
    claim, base = step.claim, step.claim.base
    claim.base = step.here
    try:
        return places(claim)
    finally:
        claim.base = base


def level_at(claim: Claim, place: Place) -> Tree:
    return place.at(claim.level) if claim.relation in OWN_LEVEL else claim.level


def delta_at(claim: Claim, place: Place | None) -> Tree:
    return claim.delta if place is None else place.at(claim.delta)


# the rules


def by_sum(step: Step, kept: list[Claim]) -> None:
    """Levels add up, and so do deltas."""
    for place in places_of(step):
        levels = [level_at(p, place) for p in kept]
        step.level_at_least(place.here, level_at(step.claim, place), summed(levels))
    step.delta_at_least(lambda place: summed([delta_at(p, place) for p in kept]))


def by_post_processing(step: Step, kept: list[Claim]) -> None:
    """The release is a function of the output of the part, or computed from it by a second part."""
    if len(kept) == 1:
        require_values(step.claim, step.here)
    by_sum(step, kept)


def summed(terms: list[Tree]) -> Tree:
    """The sum; with oo it is oo."""
    if any(t.head == "oo" for t in terms):
        return make("oo")
    return terms[0] if len(terms) == 1 else plus(*terms)


def by_mixture(step: Step, kept: list[Claim]) -> None:
    """The level is the largest of the parts, the delta their mean."""
    weights = step.claim.formulas
    need(step.here.form(plus(*weights)) == UNIT, "the probabilities do not sum to 1")
    for w in weights:
        step.at_least_zero(step.here, w)
    for place in places_of(step):
        levels = [level_at(p, place) for p in kept]
        endless = any(e.head == "oo" for e in levels)
        most = make("oo") if endless else make("max", *levels)
        step.level_at_least(place.here, level_at(step.claim, place), most)
    pairs = list(zip(weights, kept, strict=True))
    step.delta_at_least(lambda place: plus(*(times(w, delta_at(p, place)) for w, p in pairs)))


def by_subsample(step: Step, kept: list[Claim]) -> None:
    """The level is log(1 + keep (exp(L) - 1)) at each record."""
    (part,) = kept
    listed = places_of(step)
    for place in listed:
        keep = place.at(step.claim.formulas[0])
        step.at_least_zero(place.here, keep)
        step.at_least_zero(place.here, minus(number(1), keep))
    for place in listed:
        keep = place.at(step.claim.formulas[0])
        level = level_at(part, place)
        if is_number(keep) and keep.value == 0:
            spent = number(0)
        elif level.head == "oo":
            spent = level
        else:
            gain = minus(make("exp", level), number(1))
            spent = make("log", plus(number(1), times(keep, gain)))
        step.level_at_least(place.here, level_at(step.claim, place), spent)
    step.delta_at_least(lambda place: delta_at(part, place))


def by_pull_back(step: Step, kept: list[Claim]) -> None:
    """The level is that of the part at the record that the record becomes."""
    (part,) = kept
    require_limits(step.claim)
    for place in places_of(step):
        new = becomes_at(step.claim, place)
        spent = part.level
        if part.relation == "ahdp":
            spent = at_record(part.level, new, place.here)
        step.level_at_least(place.here, level_at(step.claim, place), spent)

    def lost(place: Place | None) -> Tree:
        if place is None or part.relation != "ahdp":
            return part.delta
        return at_record(part.delta, becomes_at(step.claim, place), place.here)

    step.delta_at_least(lost)


def require_limits(claim: Claim) -> None:
    """Raises unless `defined` treats a record of demand oo like the record that it becomes.

    With a formula in the demand put into a sum, the sum would take its limit along the formula.
    """
    (part,) = claim.parts
    pairs = zip(part.bound, claim.formulas, strict=True)
    computed = {n for n, f in pairs if f is not name("eps") and ("eps" in f.names or has_oo(f))}
    bodies = [node.args[0] for node in walk(part.defined) if node.head in AGGREGATES]
    read = any(computed & body.names or has_index(body) for body in bodies)
    need(
        not (computed and read and is_endless(claim)),
        "`defined` reads a value computed from a demand that may be oo",
    )


def has_oo(e: Tree) -> bool:
    return any(node.head == "oo" for node in walk(e))


def has_index(e: Tree) -> bool:
    return any(node.head == "index" for node in walk(e))


def is_endless(claim: Claim) -> bool:
    """Whether a record may have the demand oo."""
    if claim.records:
        return any(r["eps"].head == "oo" for r in claim.records)
    return any(isinstance(place, EndlessPlace) for place in places(claim))


def becomes_at(claim: Claim, place: Place) -> dict[str, Tree]:
    """The record of the part's domain that a record is pulled back to."""
    (part,) = claim.parts
    new: dict[str, Tree] = {}
    for n, f in zip(part.bound, claim.formulas, strict=True):
        if f.head == "name" and place.record and f.value in place.record:
            new[n] = place.record[f.value]
        else:
            new[n] = f if f.head in ("label", "oo") else place.at(f)
    if part.records:
        alike = [
            all(is_the_same(new[k], v, place.here) for k, v in r.items()) for r in part.records
        ]
        need(any(alike), "a record becomes none of the part's domain")
        return new
    for n, v in new.items():
        if not (n == "eps" and v.head == "oo"):
            need(all(e.label_free for e in walk(v)), "a record becomes one with a label")
            place.here.form(v)
    if "eps" in new:
        need(truth(at_most(number(0), new["eps"]), place.here), "a demand may be below 0")
    for _, c in part.unknowns:
        need(truth(substitute(c, new), place.here), "a record does not satisfy a condition")
    return new


def by_group(step: Step, kept: list[Claim]) -> None:
    """Single moves join any two datasets, and their levels add up."""
    (part,) = kept
    need(is_without_delta(part), "the rule needs a claim without delta")
    need(is_joined(step.claim.defined), "datasets are not known to be connected by single moves")
    by_one(step, kept)


def by_one(step: Step, kept: list[Claim]) -> None:
    """A weaker claim of the same mechanism, or of all mechanisms that satisfy an assumption."""
    by_sum(step, kept)


def by_swap(step: Step, kept: list[Claim]) -> None:
    """A record is taken away, and another is added."""
    (first,) = kept
    need(is_without_delta(first), "the rule needs a claim without delta")
    need(is_joined(step.claim.defined), "datasets are not known to be connected by single moves")
    level, zero = step.claim.level, number(0)
    if first.relation == "ahdp":
        need(bool(step.claim.records), "the rule needs listed records")
        levels = [level_at(first, place) for place in places_of(step)]
        pairs = (summed(list(pair)) for pair in itertools.combinations(levels, 2))
        for spent in dict.fromkeys(pairs):
            step.level_at_least(step.here, level, spent)
    else:
        step.level_at_least(step.here, level, summed([first.level, first.level]))
    step.delta_at_least(lambda place: zero)


def by_normalising(step: Step, kept: list[Claim]) -> None:
    """No move adds more than `high` to the score, or less than `low`.

    Then the density grows by at most exp(high), and what it is divided by falls at most to
    exp(low) of itself.
    """
    claim = step.claim
    need(claim.relation in ADDED, "the rule needs ahdp or add-remove")
    score, low, high = claim.formulas
    need(
        all(n.head == "sum" for n in sums_over_records(score)),
        "the score has a maximum or minimum over records",
    )
    scored = Scored(claim, score, step.here)
    for bound, forwards in ((high, False), (negated(low), True)):
        for here, small, large, level in scored.bounds(bound, forwards):
            step.sides.append(Side(here, small, large, level))
    for place in places_of(step):
        spent = minus(place.at(high), place.at(low))
        step.level_at_least(place.here, level_at(claim, place), spent)
    step.delta_at_least(lambda place: number(0))


class Scored:
    """exp(score) in place of the density of a mechanism, used only to list its moves."""

    def __init__(self, claim: Claim, score: Tree, here: Context) -> None:
        self.claim, self.here = claim, here
        self.twin = Claim(claim.data)
        self.twin.density = make("exp", score)
        self.twin.base, self.twin.relation = here, "ahdp"

    def bounds(self, bound: Tree, forwards: bool) -> Iterator[tuple[Context, Tree, Tree, Tree]]:
        """law <= exp(bound) law', for each move and part of the output space."""
        self.twin.level = bound
        f = frame(self.twin, False)
        for m in moves(self.twin, f):
            here = state_context(self.twin, f, m.conditions, m.before, m.after)
            small, large = (m.before, m.after) if forwards else (m.after, m.before)
            for law in laws_of_parts(self.twin):
                yield here, rebuild(law, small.get), rebuild(law, large.get), m.level


RULES: dict[str, Callable[[Step, list[Claim]], None]] = {
    **dict.fromkeys(("compose", "product"), by_sum),
    **dict.fromkeys(("assumed", "weaken", "to_ahdp"), by_one),
    "post_process": by_post_processing,
    "mixture": by_mixture,
    "subsample": by_subsample,
    "pull_back": by_pull_back,
    "group": by_group,
    "to_swap": by_swap,
    "normalised": by_normalising,
}


# side conditions

PLAIN = Evidence("closed", {"form": "log", "lemmas": [], "proofs": []})


def require_sides(sides: list[Side], evidence: list[Evidence]) -> None:
    """Each side condition is shown by its evidence.

    A checker may list fewer of them, as it sees that some hold without any; so each is shown by
    some piece of evidence, in whatever place.
    """
    for i, side in enumerate(sides):
        likely = evidence[i : i + 1] + evidence + [PLAIN]
        require_side(side, likely)


def require_side(side: Side, evidence: list[Evidence]) -> None:
    reason = Rejected("a side condition is not shown")

    def leaf(e: Evidence, here: Context) -> None:
        require_at_most(side.small, side.large, side.level, e, here)

    for e in evidence:
        try:
            descend(e, side.here, leaf)
            return
        except Rejected as why:
            reason = why
    raise Rejected(f"a side condition is not shown: {reason}")
