"""Claims with delta: the pieces of the output space where dominated - exp(level) * dominating is
positive, and a proof that the hockey-stick divergence is at most delta.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    Evidence,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating, substitute_nodes
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.hypotheses import Context, open_factor
from ahdp_verify.kernel.numbers.normal_form import floor_of, normal, to_expression
from ahdp_verify.kernel.rules.hockey_stick import compared_parts, law_here
from ahdp_verify.kernel.rules.inequalities import log_form
from ahdp_verify.kernel.rules.integration import piece_bounds, piece_context, total_on_piece
from ahdp_verify.kernel.rules.obligations import Obligation
from ahdp_verify.kernel.terms.expression import ZERO, Expression
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.case_splits import DEPTH, split_by_sign
from ahdp_verify.search.proving.inequality import (
    InequalityForms,
    leaf_by_signs,
    prove_inequality,
)
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context

WHOLE = HockeyStickPart("whole")
# an order of points may be weak, so two cases settle it; what divides by a guard asks again, and
# has its sign in three
WEAK, STRICT = ("<=", ">"), ("<", "=", ">")
# forms that the signs may show, those that multiply out last: most pieces need none of these
BY_SIGNS = ("log",), ("zero", "direct")


Choices = dict[tuple[Dominated, Dominating, Expression, Context], HockeyStickPart]


def divergence_evidence(
    claim: Claim, obligation: Obligation, clock: Clock, known: Choices | None = None
) -> Evidence | None:
    """Evidence that the hockey-stick divergence is at most delta in every state of the obligation,
    or None; choices for parts that another obligation has too are kept in `known`.
    """
    search = EvidenceSearch(claim, obligation, clock, {} if known is None else known)
    return search.by_cases(obligation.here, DEPTH)


@dataclass(frozen=True, slots=True)
class EvidenceSearch:
    """A search for evidence for one obligation of a claim with delta."""

    claim: Claim
    obligation: Obligation
    clock: Clock
    known: Choices

    def by_cases(self, here: Context, depth: int) -> Evidence | None:
        """Evidence here, in cases where a sign is missing; or None."""
        self.clock.count(1, "splitting cases")
        if here.contradictory:
            return InequalityLeaf((), "never", ())
        try:
            return self._leaf(here)
        except Undecided as missing:
            guard = missing.guard
            outputs = {o.name for o in self.claim.mechanism.outputs}
            if isinstance(guard, Polynomial) and algebra.polynomial_names(guard) & outputs:
                return None
            is_open = isinstance(guard, Polynomial) and len(here.signs(guard)) == 3
            relations = WEAK if is_open else STRICT
            return split_by_sign(guard, self.by_cases, here, self.clock, depth, relations)
        except (Unsupported, Rejected, ZeroDivisionError):
            return None

    def _leaf(self, here: Context) -> Evidence | None:
        """Evidence without cases; Undecided with the sign that is missing."""
        claim, obligation = self.claim, self.obligation
        outputs, parts = claim.mechanism.outputs, compared_parts(claim.mechanism)
        trivial = here.ratio_signs(normal(claim.delta, here) - constant(1)) <= {0, 1}
        choices: list[HockeyStickPart] = []
        cuts: tuple[Ratio, ...] = ()
        total = constant(0)
        if continuous := any(o.kind != "finite" for o in outputs):
            laws = (
                substitute_nodes(parts[0].law, obligation.dominated),
                substitute_nodes(parts[0].law, obligation.dominating),
            )
            level = None if trivial else obligation.level
            cuts = excess_crossings(outputs[0], *laws, level, here)
            for _, _, upper in piece_bounds(len(cuts)):
                place = outputs[0].name, outputs[0].kind, cuts, upper
                choices.append(self._choice(*laws, piece_context(*place, here), trivial))
                measures = [partial(total_on_piece, law, *place, here) for law in laws]
                total = total + self._counted(choices[-1], measures, here)
        for part in parts[1 if continuous else 0 :]:
            laws = (
                law_here(part.law, obligation.dominated, here),
                law_here(part.law, obligation.dominating, here),
            )
            choices.append(self._choice(*laws, here, trivial))
            measures = [partial(normal, law, here) for law in laws]
            total = total + self._counted(choices[-1], measures, here)
        final = self._final(normal(claim.delta, here) - total, here)
        points = tuple(to_expression(p) for p in cuts)
        return None if final is None else HockeyStickLeaf((), points, tuple(choices), final)

    def _choice(
        self, dominated: Dominated, dominating: Dominating, here: Context, trivial: bool
    ) -> HockeyStickPart:
        """How a piece or part counts; all of it where delta is at least 1."""
        if trivial:
            return WHOLE
        asked = dominated, dominating, self.obligation.level, here
        if asked not in self.known:
            self.known[asked] = choose_excess(*asked, self.clock)
        return self.known[asked]

    def _counted(
        self, choice: HockeyStickPart, measures: Sequence[Callable[[], Ratio]], here: Context
    ) -> Ratio:
        """What a piece or part adds to the divergence, given the measures of both its laws."""
        if choice.counts == "none":
            return constant(0)
        dominated, dominating = measures
        if choice.counts == "whole":
            return dominated()
        return dominated() - exp_of(normal(self.obligation.level, here)) * dominating()

    def _final(self, slack: Ratio, here: Context) -> InequalityLeaf | None:
        """Why delta leaves a slack >= 0, or None."""
        if here.ratio_signs(slack) <= {0, 1}:
            return InequalityLeaf((), "log", ())
        answer = prove_requirement(slack, ">=", here, self.clock)
        return None if answer is None else InequalityLeaf(answer[0], "log", (answer[1],))


def choose_excess(
    dominated: Dominated, dominating: Dominating, level: Expression, here: Context, clock: Clock
) -> HockeyStickPart:
    """Whether dominated - exp(level) * dominating is positive here, with a proof without further
    cases; Undecided or Unsupported where neither is shown.
    """
    # both kinds by signs before either by search: measured, a search for "none" takes 30 ms where
    # the signs show "excess" in 1 ms
    for forms in BY_SIGNS:
        for kind in ("none", "excess"):
            asked = InequalityForms(dominated, dominating, level, here, kind == "none")
            if (leaf := leaf_by_signs(asked, forms)) is not None:
                return HockeyStickPart(kind, leaf)
    likely = ("excess", "none") if _is_larger(dominated, dominating) else ("none", "excess")
    for light in (True, False):
        for kind in likely:
            found = prove_inequality(
                dominated,
                dominating,
                level,
                here,
                clock,
                upper=kind == "none",
                depth=0,
                light=light,
            )
            if isinstance(found, InequalityLeaf):
                return HockeyStickPart(kind, found)
    gap = normal(dominated, here) - exp_of(normal(level, here)) * normal(dominating, here)
    for p in (*(f for f, _ in gap.den), gap.num):
        if not any(here.signs(p) <= known for known in ({0, 1}, {0, -1})):
            raise Undecided(open_factor(p, here))
    raise Unsupported("the sign of dominated - exp(level)*dominating on a piece was not found")


def _is_larger(dominated: Dominated, dominating: Dominating) -> bool:
    """Whether the dominated law is the larger number of two, so that it is likely to be in excess."""
    known = dominated.head == dominating.head == "number"
    return known and bool(dominated.args[0] > dominating.args[0])


def excess_crossings(
    output: Output,
    dominated: Dominated,
    dominating: Dominating,
    level: Expression | None,
    here: Context,
) -> tuple[Ratio, ...]:
    """The points of both laws and, if a level is given, between them the points (of whole outputs
    the next whole ones) where dominated - exp(level) * dominating changes sign.
    """
    found = {
        p.key: p for law in (dominating, dominated) for p in output_breakpoints(law, output, here)
    }
    cuts = sort_in_context(list(found.values()), here)
    extra: list[Ratio] = []
    for i, j, upper in piece_bounds(len(cuts)) if level is not None else []:
        low, high = (cuts[i] if i is not None else None), (cuts[j] if j is not None else None)
        whole = output.kind == "integer"
        if whole and low is not None and high is not None and (high - low - constant(1)).is_zero:
            continue
        root = _root(
            output,
            dominated,
            dominating,
            level if level is not None else ZERO,
            piece_context(output.name, output.kind, cuts, upper, here),
        )
        if root is None:
            continue
        if (low is None or _at_most(low, root, here)) and (
            high is None or _at_most(root, high, here)
        ):
            extra.append(-floor_of(-root, here) if whole else root)
    return sort_in_context([*cuts, *extra], here)


def _at_most(a: Ratio, b: Ratio, here: Context) -> bool:
    signs = here.ratio_signs(b - a)
    if signs <= {0, 1}:
        return True
    if signs <= {0, -1}:
        return False
    raise Undecided(open_factor((b - a).num, here))


def _root(
    output: Output, dominated: Dominated, dominating: Dominating, level: Expression, here: Context
) -> Ratio | None:
    (c, e), (d, f) = log_form(dominating, here), log_form(dominated, here)
    if c.is_zero or d.is_zero:
        return None
    gap = normal(level, here) + e - f
    if not (c - d).is_zero:
        gap = gap + log_of(c / d)
    split = algebra.linear_coefficients(gap.num, output.name)
    if split is None or not split[0].terms:
        return None
    return Ratio(-split[1]) / Ratio(split[0])
