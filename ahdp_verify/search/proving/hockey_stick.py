"""Claims with delta: the pieces of the output space where dominated - exp(level) * dominating is
positive, and a proof that the hockey-stick divergence is at most delta.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
from ahdp_verify.kernel.rules.integration import cuts as points_of_leaf
from ahdp_verify.kernel.rules.integration import (
    exponentials_total,
    piece_bounds,
    piece_context,
    total_on_piece,
)
from ahdp_verify.kernel.rules.obligations import Obligation
from ahdp_verify.kernel.terms.expression import ZERO, Expression, substitute
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.antiderivatives import antiderivatives
from ahdp_verify.search.proving.case_splits import DEPTH, split_by_sign
from ahdp_verify.search.proving.inequality import (
    InequalityForms,
    leaf_by_signs,
    prove_inequality,
)
from ahdp_verify.search.proving.requirement import prove_requirement
from ahdp_verify.search.proving.total_mass import linear_root, output_breakpoints, sort_in_context

WHOLE = HockeyStickPart("whole")
MOST_CUTS = 64  # points of an output before further outputs
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
        trivial = here.ratio_signs(normal(obligation.delta, here) - constant(1)) <= {0, 1}
        pieces = PiecesSearch(None if trivial else obligation.level, self.clock, self.known)
        found = PiecesFound()
        if continuous := any(o.kind != "finite" for o in outputs):
            law = claim.mechanism.density
            laws = (
                substitute_nodes(law, obligation.dominated),
                substitute_nodes(law, obligation.dominating),
            )
            found = pieces.of_density(outputs, laws, here)
        for part in parts[len(parts) - len(claim.mechanism.atoms) if continuous else 0 :]:
            laws = (
                law_here(part.law, obligation.dominated, here),
                law_here(part.law, obligation.dominating, here),
            )
            found = found.then(*pieces.of_part(laws, here))
        final = self._final(normal(obligation.delta, here) - found.total, here)
        return None if final is None else replace(found.leaf, final=final)

    def _final(self, slack: Ratio, here: Context) -> InequalityLeaf | None:
        """Why delta leaves a slack >= 0, or None."""
        if here.ratio_signs(slack) <= {0, 1}:
            return InequalityLeaf((), "log", ())
        answer = prove_requirement(slack, ">=", here, self.clock)
        return None if answer is None else InequalityLeaf(answer[0], "log", (answer[1],))


@dataclass(frozen=True, slots=True)
class PiecesFound:
    """Pieces with their choices, and the total of what these count."""

    leaf: HockeyStickLeaf = field(default_factory=HockeyStickLeaf)
    total: Ratio = field(default_factory=lambda: constant(0))

    def then(self, choice: HockeyStickPart | HockeyStickLeaf, value: Ratio) -> PiecesFound:
        """These pieces and one more, which counts as the value."""
        leaf = replace(self.leaf, choices=(*self.leaf.choices, choice))
        return PiecesFound(leaf, self.total + value)


@dataclass(frozen=True, slots=True)
class PiecesSearch:
    """A search for the pieces of a divergence at a level; all of them count as "whole" if it is
    None.
    """

    level: Expression | None
    clock: Clock
    known: Choices

    def of_part(
        self,
        laws: tuple[Dominated, Dominating],
        here: Context,
        measure: Callable[[Expression], Ratio] | None = None,
    ) -> tuple[HockeyStickPart, Ratio]:
        """How a piece or part counts, and what it adds to the divergence, given the measure of a
        law there.
        """
        choice = self._choice(*laws, here)
        value = partial(normal, here=here) if measure is None else measure
        if choice.counts == "none":
            return choice, constant(0)
        if choice.counts == "whole" or self.level is None:
            return choice, value(laws[0])
        return choice, value(laws[0]) - exp_of(normal(self.level, here)) * value(laws[1])

    def _choice(
        self, dominated: Dominated, dominating: Dominating, here: Context
    ) -> HockeyStickPart:
        if self.level is None:
            return WHOLE
        asked = dominated, dominating, self.level, here
        if asked not in self.known:
            self.known[asked] = choose_excess(*asked, self.clock)
        return self.known[asked]

    def of_density(
        self, outputs: tuple[Output, ...], laws: tuple[Dominated, Dominating], here: Context
    ) -> PiecesFound:
        """The pieces of the outputs, one output after another."""
        output, rest = outputs[0], outputs[1:]
        if output.kind == "finite":
            return self._of_values(output, rest, laws, here)
        if not rest:
            cuts = excess_crossings(output, *laws, self.level, here)
            return self._between(cuts, output, rest, laws, here)
        return self._of_slices(output, rest, laws, here)

    def _of_values(
        self,
        output: Output,
        rest: tuple[Output, ...],
        laws: tuple[Dominated, Dominating],
        here: Context,
    ) -> PiecesFound:
        found = PiecesFound()
        for value in output.values:
            dominated, dominating = (substitute(law, {output.name: value}) for law in laws)
            there = Dominated(dominated), Dominating(dominating)
            if rest:
                inner = self.of_density(rest, there, here)
                found = found.then(inner.leaf, inner.total)
            else:
                found = found.then(*self.of_part(there, here))
        return found

    def _of_slices(
        self,
        output: Output,
        rest: tuple[Output, ...],
        laws: tuple[Dominated, Dominating],
        here: Context,
    ) -> PiecesFound:
        """Pieces on each of which the later outputs have one list of points: where a sign depends
        on this output, its root becomes a point.
        """
        cuts = excess_crossings(output, *laws, None, here)
        for _ in range(MOST_CUTS):
            try:
                return self._between(cuts, output, rest, laws, here)
            except Undecided as missing:
                cuts = _with_root_of(missing, output, cuts, here)
        raise Unsupported(f"the divergence has more than {MOST_CUTS} pieces over {output.name}")

    def _between(
        self,
        cuts: tuple[Ratio, ...],
        output: Output,
        rest: tuple[Output, ...],
        laws: tuple[Dominated, Dominating],
        here: Context,
    ) -> PiecesFound:
        self.clock.count(1, "cutting the outputs into pieces")
        points = tuple(to_expression(p) for p in cuts)
        if not rest:
            listed = (a for law in laws for a in antiderivatives(law, output, cuts, here))
            points = (*points, *dict.fromkeys(listed))
            cuts = points_of_leaf(points, output.name, here)
        found = PiecesFound(HockeyStickLeaf((), points))
        for i, j, upper in piece_bounds(len(cuts)):
            place = output.name, output.kind, cuts, upper
            piece = piece_context(*place, here)
            if not rest:
                measure = partial(measure_of_piece, place=place, here=here)
                found = found.then(*self.of_part(laws, piece, measure))
                continue
            inner = self.of_density(rest, laws, piece)
            u, v = (None if k is None else cuts[k] for k in (i, j))
            total = exponentials_total(inner.total, output.name, output.kind, u, v, piece)
            found = found.then(inner.leaf, total)
        return found


def _with_root_of(
    missing: Undecided, output: Output, cuts: tuple[Ratio, ...], here: Context
) -> tuple[Ratio, ...]:
    """The points and the root, in an output, of a polynomial whose sign is missing; the same
    refusal if it has none, or one that is a point already.
    """
    guard = missing.guard
    if not isinstance(guard, Polynomial) or output.name not in algebra.polynomial_names(guard):
        raise missing
    root = linear_root(Ratio(guard), output.name)
    if root is None:
        raise missing
    if output.kind == "integer":
        root = -floor_of(-root, here)
        if any((root - p).is_zero for p in cuts):
            root = root + constant(1)
    if any((root - p).is_zero for p in cuts):
        raise missing
    return sort_in_context([*cuts, root], here)


def measure_of_piece(
    law: Expression, place: tuple[str, str, tuple[Ratio, ...], int], here: Context
) -> Ratio:
    """The total of a law on a piece of an output: name, kind, points and the upper point."""
    return total_on_piece(law, *place, here)


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
    logarithmic = _log_gap(dominated, dominating, level, here)
    gap = normal(dominated, here) - exp_of(normal(level, here)) * normal(dominating, here)
    # a logarithm of names is harder to split on than what it is the logarithm of
    split = logarithmic is not None and not any(
        a.kind == "log" and algebra.atom_names(a) for a in logarithmic.num.exponents
    )
    for r in (logarithmic, gap) if logarithmic is not None and split else (gap,):
        for p in (*(f for f, _ in r.den), r.num):
            if not any(here.signs(p) <= known for known in ({0, 1}, {0, -1})):
                raise Undecided(open_factor(p, here))
    raise Unsupported("the sign of dominated - exp(level)*dominating on a piece was not found")


def _is_larger(dominated: Dominated, dominating: Dominating) -> bool:
    """Whether the dominated law is the larger number of two, so that it is likely to be in
    excess.
    """
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
    gap = _log_gap(dominated, dominating, level, here)
    if gap is None:
        return None
    split = algebra.linear_coefficients(gap.num, output.name)
    if split is None or not split[0].terms:
        return None
    return Ratio(-split[1]) / Ratio(split[0])


def _log_gap(
    dominated: Dominated, dominating: Dominating, level: Expression, here: Context
) -> Ratio | None:
    """level + log(dominating) - log(dominated); None where one of them vanishes."""
    (c, e), (d, f) = log_form(dominating, here), log_form(dominated, here)
    if c.is_zero or d.is_zero:
        return None
    gap = normal(level, here) + e - f
    return gap if (c - d).is_zero else gap + log_of(c / d)
