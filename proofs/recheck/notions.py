"""Section 13: zCDP, Rényi DP and GDP.

A claim of such a notion holds the same moves as a claim with a level; its level is the bound.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from recheck import rules
from recheck.certificates import Words
from recheck.claims import Claim, beside
from recheck.events import EVERYTHING, probability, read_event, read_points
from recheck.everywhere import require_values
from recheck.evidence import Evidence, descend, exponential_form, extended, require, require_at_most
from recheck.forms import NOTHING, UNIT, Form, constant_sign, exp_of, log_of, of_name, total
from recheck.inputs import Setting, finite_level, read_setting
from recheck.limits import Rejected, cover, need
from recheck.moves import Inequality, frame, inequalities, need_datasets_with_records, state_context
from recheck.moves import states as input_states
from recheck.normals import Normals, normal_laws, share_of_normal
from recheck.places import Output, laws_of_parts
from recheck.rules import Step, above_exponentials, level_at, places_of
from recheck.shapes import digest, fields, listed, text
from recheck.signs import POS, Context, nonzero, positive
from recheck.totals import Points, need_points, on_piece, require_mass, term_of, total_of_term
from recheck.trees import (
    Tree,
    is_number,
    make,
    minus,
    name,
    need_scoped,
    negated,
    number,
    plus,
    read,
    rebuild,
    substitute,
    times,
)
from recheck.written import At, Law, law_at, written_out

NOTIONS = ("zcdp", "renyi", "gdp")
EVERY_ORDER = "@order"  # any number > 0: the order less 1
HALF = Fraction(1, 2)


class NotionClaim:
    """A claim of a notion: the claim whose level is the bound, and the order of Rényi DP."""

    def __init__(self, data: Any) -> None:
        self.data = data
        notion, order, bounds = fields(data, "notion order bounds", "the claim")
        self.notion, self.bounds = text(notion), Claim(bounds)
        self.order = None if order is None else read(order)
        self.fingerprint = digest(data)
        need(self.notion in NOTIONS, "a notion is unknown")
        need(self.bounds.relation != "pairs", "a notion compares neighbouring inputs only")
        delta = self.bounds.delta
        need(is_number(delta) and delta.value == 0, "a claim of a notion has a delta")
        need((order is not None) == (notion == "renyi"), "only Rényi DP has an order")
        if self.order is not None:
            need_scoped(self.order, [n for n, _ in self.bounds.parameters])
            above = self.bounds.base.form(self.order) - UNIT
            need(self.bounds.base.signs(above) == POS, "an order is not known to be > 1")

    def about(self, claim: Claim, notion: str = "") -> NotionClaim:
        """The claim of the same order (or, if it is given, of another notion) with these bounds."""
        order = self.data["order"] if not notion else None
        said = {"notion": notion or self.notion, "order": order, "bounds": claim.data}
        return NotionClaim(said)

    def orders(self, here: Context) -> tuple[Form, Form, Context]:
        """(the order a, by what the bound is multiplied there, the context with a > 1)."""
        need(self.notion != "gdp", "GDP bounds no divergence")
        if self.order is not None:
            return here.form(self.order), UNIT, here
        more = of_name(EVERY_ORDER)
        return UNIT + more, UNIT + more, here.given(more, ">")


def require_notion(said: NotionClaim, proof: Evidence, words: Words) -> None:
    """Raises unless the proof shows the claim on all its inputs."""
    need(proof.claim == said.fingerprint, "the certificate belongs to another claim")
    if proof.kind == "by rule":
        require_by_rule(said, proof, words)
    else:
        require_bounds(said, said.bounds, proof)


# certificates


def require_bounds(said: NotionClaim, claim: Claim, proof: Evidence) -> None:
    """the mass is accepted, or every law is a normal density
    evidence[uses[k]] bounds the divergence of move k, for all k
    -------------------------------------------------------------
    the claim is proved
    """
    need(not claim.rule, "a certificate of a composite")
    need(not proof.conditions, "`conditions` in a proof of a notion")
    need_datasets_with_records(claim)
    normal = not proof.mass.values and not proof.mass.evidence
    if normal:
        f = frame(claim, proof.counts)
        for nodes in input_states(claim, f):
            here = state_context(claim, f, f.conditions, nodes)
            normal_laws(law_of(claim, nodes), here)
    else:
        require_mass(claim, proof.mass, proof.counts)
    asked = list(inequalities(claim, proof.counts))
    need(len(asked) == len(proof.uses), f"{len(asked)} bounds are required")
    leaf = require_close if normal else require_divergence
    for move, use in zip(asked, proof.uses, strict=True):
        need(0 <= use < len(proof.evidence), "there is no evidence with this index")
        descend(proof.evidence[use], move.here, partial(leaf, said, claim, move))


def law_of(claim: Claim, nodes: Any) -> Law:
    density = rebuild(claim.density, nodes.get)
    return Law(tuple(claim.outputs), density, tuple(claim.atoms))


def require_divergence(
    said: NotionClaim, claim: Claim, move: Inequality, leaf: Evidence, here: Context
) -> None:
    """divergence    exp((a - 1) B) - (the integral of P^a Q^(1 - a)) >= 0     (log: of the
    logarithms)
    separate      P(r) Q(r') <= exp(levels[0]) Q(r) P(r') for all r, r'     8 B - a levels[0]^2 >= 0
    ------------------------------------------------------------------------------------------------
    the divergence of order a is at most B
    """
    need(leaf.kind in ("divergence", "separate"), "evidence of another kind is required")
    a, factor, here = said.orders(here)
    here = extended(leaf.lemmas, here)
    bound = here.form(move.level) * factor
    laws = [
        (rebuild(law, move.small.get), rebuild(law, move.large.get)) for law in laws_of_parts(claim)
    ]
    if leaf.kind == "divergence":
        need(not leaf.choices, "a divergence with choices")
        spent = integral_of_powers(claim.outputs, laws, leaf.points, a, here)
        most = (a - UNIT) * bound
        spare = exp_of(most) - spent
        if leaf.final.form == "log":
            spare = most - log_of(positive(spent, here))
        require(spare, ">=", only(leaf.final), extended(leaf.final.lemmas, here))
        return
    need(all(o.kind == "finite" for o in claim.outputs), "a range of a loss that is not finite")
    need(len(leaf.levels) == 1, "a range is one level")
    (width,), pairs = leaf.levels, list(itertools.permutations(laws, 2))
    need(len(pairs) == len(leaf.leaves), "there is not one leaf for each pair of outputs")
    for ((p, q), (r, t)), shown in zip(pairs, leaf.leaves, strict=True):
        require_at_most(times(p, t), times(q, r), width, shown, here)
    require(bound.scaled(8) / a - here.form(width) ** 2, ">=", only(leaf), here)


def only(leaf: Evidence) -> Evidence | None:
    """The one proof of a leaf."""
    need(len(leaf.proofs) >= 1, "there is no proof")
    found: Evidence | None = leaf.proofs[0]
    return found


def integral_of_powers(
    outputs: Sequence[Output],
    laws: Sequence[tuple[Tree, Tree]],
    points: Sequence[Tree],
    a: Form,
    here: Context,
) -> Form:
    """The total of P^a Q^(1 - a) over all outputs."""
    others, spent = list(laws), NOTHING
    if any(o.kind != "finite" for o in outputs):
        need(len(outputs) == 1, "a divergence over several outputs that are not finite")
        (output,), (p, q) = outputs, others.pop(0)
        ends: Points = [here.form(e) for e in points]
        need_points(output, ends, here)
        for i in range(len(ends) + 1):
            inside = on_piece(output, ends, i, here)
            form = weighted(p, q, a, inside)
            low, high = (ends[i - 1] if i else None), (ends[i] if i < len(ends) else None)
            terms = [term_of(m, c, form, output.name) for m, c in form.num.items()]
            spent = spent + total(
                total_of_term(t, output.kind, low, high, inside, here) for t in terms
            )
    return spent + total(weighted(p, q, a, here) for p, q in others)


def weighted(p: Tree, q: Tree, a: Form, here: Context) -> Form:
    """P^a Q^(1 - a), which is 0 where P is."""
    (c, e), (d, f) = exponential_form(p, here), exponential_form(q, here)
    if c.is_zero:
        return NOTHING
    quotient = positive(c / nonzero(d, here), here)
    return d * exp_of(a * (log_of(quotient) + e) + (UNIT - a) * f)


def require_close(
    said: NotionClaim, claim: Claim, move: Inequality, leaf: Evidence, here: Context
) -> None:
    """P = N(m, v)     Q = N(n, v)     2 B >= a d     (GDP: mu >= 0, mu^2 >= d)
    d the sum of (m - n)^2/v over the outputs
    -----------------------------------------------------------------------------
    the divergence of order a is at most B (GDP: no test does better than at distance mu)
    """
    need(leaf.kind == "closed" and leaf.form == "direct", "evidence of another kind is required")
    a = factor = UNIT
    if said.notion != "gdp":
        a, factor, here = said.orders(here)
    here = extended(leaf.lemmas, here)
    first, second = (normal_laws(law_of(claim, nodes), here) for nodes in (move.small, move.large))
    bound, gap = here.form(move.level), distance(first, second)
    if said.notion == "gdp":
        require(bound, ">=", None, here)
        spare = bound**2 - gap
    else:
        spare = (bound * factor / a).scaled(2) - gap
    require(spare, ">=", only(leaf), here)


def distance(first: Normals, second: Normals) -> Form:
    """The sum of (m - n)^2/v, where variances are the same."""
    pairs = list(zip(first, second, strict=True))
    need(all((v - w).is_zero for (_, v), (_, w) in pairs), "normal densities differ in variance")
    return total((m - n) ** 2 / v for (m, v), (n, _) in pairs)


# rules


ADDED = ("compose", "product", "post_process")
LIFTED = (*ADDED, "mixture", "pull_back", "weaken", "to_ahdp")
CONVERTED = {"pure_to_zcdp": "zcdp", "gdp_to_zcdp": "zcdp", "zcdp_to_renyi": "renyi"}


def require_by_rule(said: NotionClaim, proof: Evidence, words: Words) -> None:
    """the claim follows by the rule from the premises     every premise is proved
    every side condition holds
    ------------------------------------------------------------------------------
    the claim is proved
    """
    need(proof.version == 1, "a rule has another version")
    claim, rule = said.bounds, proof.rule
    if rule == "written_out":
        require_written(said, proof)
        return
    need(rule in LIFTED or rule in CONVERTED or rule == "scores_to_zcdp", "a rule is unknown")
    if rule in CONVERTED:
        require_conversion(said, proof, words)
        return
    need(rule != "scores_to_zcdp" or said.notion == "zcdp", "a rule gives another notion")
    if rule == "scores_to_zcdp":
        need(claim.rule == "normalised" and proof.stated is None, "the mechanism is not normalised")
        step = Step(claim, [], above_exponentials(claim))
        by_range_of_scores(step)
    else:
        step = Step(claim, rules.premises_of(claim, proof), above_exponentials(claim))
        for p in step.premises:
            rules.need_relations(rule, p, claim)
        if said.notion == "gdp" and rule in ADDED:
            by_squares(step)
        else:
            rules.RULES[rule](step, step.premises)
    rules.require_sides(step.sides, proof.evidence)
    need(len(proof.premises) == len(step.premises), "a rule has too many or too few premises")
    for premise, shown in zip(step.premises, proof.premises, strict=True):
        require_notion(said.about(premise), shown, words)


def require_written(said: NotionClaim, proof: Evidence) -> None:
    """The same claim about the distribution as one expression."""
    claim = said.bounds
    need(bool(claim.rule), "the mechanism is not a composite")
    need(proof.stated is None and not proof.evidence, "the rule takes no `stated` and no evidence")
    need(len(proof.premises) == 1, "a rule has too many or too few premises")
    (premise,) = proof.premises
    cover(premise.kind == "certificate", "written_out, with a premise by another rule")
    rules.require_meaning(claim)
    require_bounds(said, written_out(claim), premise)


def by_squares(step: Step) -> None:
    """mu >= 0, and mu^2 is at least the sum of the squares of the parts."""
    if step.claim.rule == "post_process" and len(step.premises) == 1:
        require_values(step.claim, step.here)
    for place in places_of(step):
        mu = level_at(step.claim, place)
        if mu.head == "oo":
            continue
        spent = [level_at(p, place) for p in step.premises]
        need(all(e.head != "oo" for e in spent), "a part has no finite bound")
        step.at_least_zero(place.here, mu)
        step.at_least_zero(place.here, minus(times(mu, mu), plus(*(times(e, e) for e in spent))))


def by_range_of_scores(step: Step) -> None:
    """rho is at least (high - low)^2/8, where no move changes a score by more, or by less."""
    level, step.claim.level = step.claim.level, make("oo")
    rules.by_normalising(step, [])
    step.claim.level = level
    _, low, high = step.claim.formulas
    for place in places_of(step):
        width = minus(place.at(high), place.at(low))
        spent = times(number(Fraction(1, 8)), width, width)
        step.level_at_least(place.here, level_at(step.claim, place), spent)


def require_conversion(said: NotionClaim, proof: Evidence, words: Words) -> None:
    """pure L -> rho = L (exp(L) - 1)/(exp(L) + 1)     zCDP rho -> bound a rho     GDP mu -> rho =
    mu^2/2
    """
    claim, rule = said.bounds, proof.rule
    need(CONVERTED[rule] == said.notion, "a rule gives another notion")
    before = stated_premise(claim, proof)
    step = Step(claim, [before], above_exponentials(claim))
    levels = [before.level, *([back(before)] if rule == "pure_to_zcdp" else [])]
    for level, place in itertools.product(dict.fromkeys(levels), places_of(step)):
        before.level = level
        spent = level_at(before, place)
        if spent.head != "oo":
            spent = converted(rule, spent)
            spent = spent if said.order is None else times(said.order, spent)
        step.level_at_least(place.here, level_at(claim, place), spent)
    before.level = levels[0]
    rules.require_sides(step.sides, proof.evidence)
    (shown,) = listed(proof.premises, 1)
    if rule == "pure_to_zcdp":
        rules.require_proof(before, shown, words)
    else:
        require_notion(said.about(before, "gdp" if rule == "gdp_to_zcdp" else "zcdp"), shown, words)


def back(claim: Claim) -> Tree:
    """The level of the opposite move, which bounds the loss from below."""
    n = len(names := beside(claim)) // 2
    return substitute(claim.level, dict(zip(names, map(name, names[n:] + names[:n]), strict=True)))


def converted(rule: str, e: Tree) -> Tree:
    """The bound that a level, a rho or a mu gives."""
    if rule == "pure_to_zcdp":
        top, bottom = minus(make("exp", e), number(1)), plus(make("exp", e), number(1))
        return times(e, top, make("^", bottom, number(-1)))
    return times(number(HALF), e, e) if rule == "gdp_to_zcdp" else e


def stated_premise(claim: Claim, proof: Evidence) -> Claim:
    """The premise of another notion, about the same moves."""
    stated = proof.stated
    need(stated is not None and stated.relation == claim.relation, "the rule needs `stated`")
    need(is_number(stated.delta) and stated.delta.value == 0, "a premise has a delta")
    return rules.about(claim, stated.relation, rules.to_json(stated.level), "0")


def require_delta(claim: Claim, proof: Evidence, words: Words) -> None:
    """zCDP rho     L >= rho     delta >= exp(-(L - rho)^2/(4 rho))
    or GDP mu       delta >= F(mu/2 - L/mu) - exp(L) F(-mu/2 - L/mu)
    ----------------------------------------------------------------
    the claim is proved at level L with delta
    """
    need(proof.version == 1, "a rule has another version")
    before = stated_premise(claim, proof)
    step = Step(claim, [before], above_exponentials(claim))
    for place in places_of(step):
        level, bound = level_at(claim, place), level_at(before, place)
        if level.head == "oo":
            continue
        need(bound.head != "oo", "a premise has no finite bound")
        if proof.rule == "zcdp_to_delta":
            gap = minus(level, bound)
            share = times(number(Fraction(-1, 4)), gap, gap, make("^", bound, number(-1)))
            step.at_least_zero(place.here, gap)
            least = make("exp", share)
        else:
            least = delta_of_normals(level, bound)
        step.at_least_zero(place.here, minus(place.at(claim.delta), least))
    rules.require_sides(step.sides, proof.evidence)
    (shown,) = listed(proof.premises, 1)
    said = {"notion": proof.rule[: -len("_to_delta")], "order": None, "bounds": before.data}
    require_notion(NotionClaim(said), shown, words)


def delta_of_normals(level: Tree, mu: Tree) -> Tree:
    """The delta of N(0, 1) against N(mu, 1), by F(x) = (1 + erf(x/sqrt(2)))/2."""
    half, root = number(HALF), make("^", number(2), number(-HALF))
    apart, shift = times(half, mu), times(level, make("^", mu, number(-1)))

    def share(x: Tree) -> Tree:
        return times(half, plus(number(1), make("erf", times(x, root))))

    below = times(make("exp", level), share(negated(plus(apart, shift))))
    return minus(share(minus(apart, shift)), below)


rules.OTHER_RULES["zcdp_to_delta"] = rules.OTHER_RULES["gdp_to_delta"] = require_delta


# refutations


def require_violation(said: NotionClaim, data: Any) -> None:
    """one move of bound b leads between the inputs     both laws have total 1
    the divergence of order a exceeds b (zCDP: a b), or an event has P > 0 and Q = 0
    -------------------------------------------------------------------------------
    the claim is refuted
    """
    claim = said.bounds
    rules.require_meaning(claim)
    order, points, example = fields(data, "order points counterexample", "the counterexample")
    wanted = "parameters instances first second event points"
    given, records, before, after, event, marks = fields(example, wanted, "the counterexample")
    s = read_setting(claim, given, records, before, after)
    require_excess(said, s, finite_level(s), (order, points, event, marks))


def require_excess(
    said: NotionClaim, s: Setting, allowed: Tree, data: tuple[Any, Any, Any, Any]
) -> None:
    """Raises unless the bound that is allowed fails between the two inputs."""
    claim, (order, points, event, marks) = said.bounds, data
    bound = s.here.form(allowed)
    laws = [law_at(claim, At(s.here, s.records, side)) for side in (s.before, s.after)]
    own = None if said.order is None else s.here.form(said.order)
    chosen, t = read_event(event, laws[0].outputs), None if order is None else read(order)
    ends = [read(p) for p in listed(points)]
    where = [read_points(m, law.outputs) for m, law in zip(listed(marks, 2), laws, strict=True)]
    rate = rate_of_normals(laws, s.here)
    if rate is not None:
        gap = (
            rate.scaled(2) - bound**2
            if said.notion == "gdp"
            else rate * (UNIT if own is None else own) - bound
        )
        need(constant_sign(gap) == 1, "the bound is not violated")
        return
    for law, place in zip(laws, where, strict=True):
        need(probability(law, EVERYTHING, place, s.here) == UNIT, "a law does not have total 1")
    if t is None or said.notion == "gdp":
        p, q = (probability(law, chosen, w, s.here) for law, w in zip(laws, where, strict=True))
        if t is None:
            need(q.is_zero and constant_sign(p) == 1, "no divergence is infinite")
        else:
            at = s.here.form(t)
            below = constant_sign(share_of_normal(at, s.here) - q)
            need(below in (0, 1), "a test accepts more than it says")
            above = constant_sign(p - share_of_normal(at + bound, s.here))
            need(above == 1, "the bound is not violated")
        return
    a = s.here.form(t)
    need(own is None or (a - own).is_zero, "the order is not that of the claim")
    need(constant_sign(a - UNIT) == 1, "an order is not > 1")
    whole = s.here.with_whole_names(o.name for o in claim.outputs if o.kind == "integer")
    spent = integral_of_powers(laws[0].outputs, pairs_of_parts(laws), ends, a, whole)
    most = (a - UNIT) * bound * (UNIT if own is not None else a)
    need(constant_sign(spent - exp_of(most)) == 1, "the bound is not violated")


def pairs_of_parts(laws: list[Law]) -> list[tuple[Tree, Tree]]:
    """The two laws on each part of the output space."""
    first, second = (parts_of_law(law) for law in laws)
    return list(zip(first, second, strict=True))


def parts_of_law(law: Law) -> list[Tree]:
    twin = Claim.__new__(Claim)
    twin.outputs, twin.density, twin.atoms = list(law.outputs), law.density, list(law.atoms)
    return laws_of_parts(twin)


def rate_of_normals(laws: list[Law], here: Context) -> Form | None:
    """(m - n)^2/(2 v) of two normal densities of one variance; None for other laws."""
    try:
        first, second = (normal_laws(law, here) for law in laws)
        return distance(first, second).scaled(HALF)
    except Rejected:
        return None
