"""The least bound of zCDP, Rényi DP or GDP: `renyi`, and `tighten` with a notion.

The divergence of each move is worked out exactly, as an expression in the parameters: of normal
outputs in closed form, otherwise by the integral of p^a q^(1 - a).  For zCDP that is the
Kullback-Leibler divergence, the limit of D_a / a at a = 1, which is the least rho wherever it is
enough for all orders; whether it is, `verify` decides.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> flip = parse("piecewise((3/4, r == v), (1/4, true))")
>>> M = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=flip, name="flip")
>>> print(renyi(M, 2, "any"))
flip, any: least Rényi bound of order 2: -log(3) + log(7) = 0.847298, for every move; proved
>>> print(least_bound(M, "any", "zcdp"))
flip, any: least rho: log(3)/2 = 0.549306, for every move; proved
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from ahdp_verify.decimals import decimal
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import side_nodes
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import DominatedInput, DominatingInput
from ahdp_verify.kernel.model.notion_claim import NOTIONS, NotionClaim
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of, ratio_names, replace_name
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.derivative import derivative
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules import notions as rules
from ahdp_verify.kernel.rules.obligations import Obligation, mechanism_context, obligations
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    Expression,
    Max,
    eq,
    expression,
    name,
    names,
    number,
    oo,
    piecewise,
    substitute,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, OutOfLimits
from ahdp_verify.search.proving.notions import square_root
from ahdp_verify.search.proving.sign_queries import answer_with_signs
from ahdp_verify.search.proving.total_mass import ordered_breakpoints
from ahdp_verify.search.refuting.small_inputs import neighbouring_inputs
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import Verdict

FAILING = (Undecided, Unsupported, Rejected, ZeroDivisionError, BadInput)
WORDS = {"zcdp": "rho", "gdp": "mu"}
BACKWARDS = ", backwards"
SIGNS = 5.0  # seconds for the signs that one divergence needs
SHARE, SMALL, PAIRS = 4, 2, 100  # of the time, records and pairs of inputs that are tried
MOST = 6  # query answers of which each moves up or down


@dataclass(frozen=True, slots=True)
class NotionBound:
    """The least bound of a notion for a relation, with what is shown of it.

    bound     an expression in the parameters, and in the record where records differ; None where
              none was found, for the `reason`
    rows      the divergence of each move
    verdict   on the claim with this bound; Proved: then no smaller bound holds, since the
              divergence attains it, or tends to it for zCDP; None without a bound
    """

    claim: NotionClaim
    bound: Expression | None
    rows: tuple[tuple[str, Expression], ...]
    verdict: Verdict | None
    reason: str = ""

    __repr__ = short_repr

    @property
    def exact(self) -> bool:
        """Whether the bound is proved, and so the least one."""
        return isinstance(self.verdict, Proved)

    def __str__(self) -> str:
        mechanism = display_name(self.claim.mechanism.name) or "the mechanism"
        order = f"Rényi bound of order {self.claim.order}"
        word = WORDS.get(self.claim.notion, order)
        if self.bound is None:
            return f"{mechanism}, {self.claim.relation}: least {word}: not found; {self.reason}"
        what = ("least " if self.exact else "") + word
        shown = "proved" if self.exact else "at least this, a larger one was not excluded"
        moves = "for every move" if len({e for _, e in self.rows}) == 1 else "over all moves"
        if len(self.rows) == 1 and not self.exact:
            moves = self.rows[0][0]
        return f"{mechanism}, {self.claim.relation}: {what}: {_text(self.bound)}, {moves}; {shown}"


def _text(e: Expression) -> str:
    """The bound, however long: a decimal alone would be rounded, and might not be a bound."""
    plain = names(e) or e == oo or e.head == "number"
    return str(e) if plain else f"{e} = {decimal(normal(e, Context.empty()))}"


def renyi(
    mechanism: Mechanism, order: object, relation: str = "ahdp", limits: Limits | None = None
) -> NotionBound:
    """The least bound b, in nats, for which a mechanism is (order, b)-Rényi DP, order > 1; its
    `bound` is None where none is found.

    Raises BadInput for a relation without neighbouring inputs, and for a composite.
    """
    given = parse(order, "order") if isinstance(order, str) else expression(order)
    return least_bound(mechanism, relation, "renyi", given, limits)


def least_bound(
    mechanism: Mechanism,
    relation: str,
    notion: str,
    order: Expression | None = None,
    limits: Limits | None = None,
) -> NotionBound:
    """The least bound of a notion, proved where `exact`; raises BadInput as `renyi` does."""
    if notion not in NOTIONS:
        raise BadInput("notion", f"{notion[:20]!r} is not known", f"use {', '.join(NOTIONS)}")
    asked = NotionClaim(Claim(mechanism, relation, ONE), notion, order)
    here, limits = mechanism_context(mechanism), limits or Limits()
    try:
        found = divergences_of_moves(asked, mechanism)
        rows = tuple((text, largest(listed, here)) for text, listed in found.items())
        bound = joined(mechanism, relation, rows, here)
    except Unsupported as why:
        rows = tuple(largest_at_small_inputs(asked, mechanism, limits))
        if not rows:
            return NotionBound(asked, None, (), None, str(why))
        bound = rows[0][1]
    claim = NotionClaim(Claim(mechanism, relation, bound), notion, order)
    return NotionBound(claim, bound, rows, verify(claim, limits))


def divergences_of_moves(asked: NotionClaim, m: Mechanism) -> dict[str, list[Expression]]:
    """The divergences of every move, in both directions, as expressions in the parameters."""
    found: dict[str, list[Expression]] = {}
    for obligation in obligations(Claim(m, asked.relation, ONE)):
        text = obligation.text.removesuffix(BACKWARDS)
        for full in full_moves(m, obligation):
            found.setdefault(text, []).append(divergence_of(asked, full))
    if not found:
        raise BadInput(
            "relation", f"no inputs are neighbouring ({asked.relation})", "use another one"
        )
    return found


def largest_at_small_inputs(
    asked: NotionClaim, m: Mechanism, limits: Limits
) -> Iterator[tuple[str, Expression]]:
    """The pair of small inputs with the largest divergence, for a mechanism without parameters."""
    if m.parameters:
        return
    claim, best = Claim(m, asked.relation, ONE), None
    clock = replace(limits, seconds=limits.seconds / SHARE).clock()
    with suppress(OutOfLimits), clock.running():
        for example in itertools.islice(neighbouring_inputs(claim, clock, SMALL), PAIRS):
            clock.count(1, "trying small inputs")
            for first, second in itertools.permutations((example.first, example.second)):
                nodes = [side_nodes(claim, example, side) for side in (first, second)]
                pair = Obligation(
                    "",
                    Context.empty(),
                    DominatedInput(nodes[0]),
                    DominatingInput(nodes[1]),
                    ONE,
                )
                shown = (side_text(claim, example, side) for side in (first, second))
                text = " against ".join(shown)
                for value in divergences(asked, m, pair):
                    if best is None or constant_sign(value - best[1]) == 1:
                        best = text, value
    if best is not None:
        yield best[0], to_expression(best[1])


def full_moves(m: Mechanism, obligation: Obligation) -> Iterator[Obligation]:
    """The obligation, for query answers with each of them moving as far as it may."""
    listed = (obligation.dominated, obligation.dominating)
    moved = sorted({n for nodes in listed for e in nodes.values() for n in names(e) if "@d" in n})
    if not moved:
        yield obligation
    for ends in itertools.product((ONE, number(-1)), repeat=min(len(moved), MOST)) if moved else ():
        at = dict(zip(moved, ends, strict=False))
        first, second = ({k: substitute(v, at) for k, v in nodes.items()} for nodes in listed)
        yield replace(
            obligation,
            here=mechanism_context(m),
            dominated=DominatedInput(first),
            dominating=DominatingInput(second),
        )


def divergence_of(claim: NotionClaim, obligation: Obligation) -> Expression:
    """The divergence of one move in one direction: of the order, for zCDP divided by it in the
    limit 1, for GDP the mu of normal outputs; Unsupported where it is no expression in parameters.
    """
    m = claim.mechanism
    if not isinstance(m, Mechanism):
        raise BadInput("mechanism", "it is a composite", "give a mechanism with a density")
    reason = "its divergence is not worked out"
    for value in divergences(claim, m, obligation):
        found = to_expression(value)
        unknowns = {u for u, _ in m.inputs.unknowns} if isinstance(m.inputs, Domain) else set()
        if names(found) <= {key for key, _ in m.parameters} | unknowns:
            return found
        reason = "its divergence depends on the input beyond what moves"
    raise Unsupported(f"{obligation.text}: {reason}; claim a bound, and verify that")


def divergences(claim: NotionClaim, m: Mechanism, obligation: Obligation) -> Iterator[Ratio]:
    """The divergence of one move, if it is worked out: signs that it needs are looked for."""
    laws = rules.pairs_of_laws(m, (obligation.dominated, obligation.dominating))
    clock = Limits(seconds=SIGNS).clock()
    for form in (of_normal_outputs, of_powers):
        with suppress(*FAILING, OutOfLimits), clock.running():
            ask = partial(form, claim, m, laws)
            yield answer_with_signs(obligation.here, clock, ask)[1]
            return


def of_normal_outputs(
    claim: NotionClaim, m: Mechanism, laws: list[rules.PairOfLaws], here: Context
) -> Ratio:
    """The divergence of normal outputs, or their mu; Rejected for others."""
    first, second = (rules.normal_density(law, m.outputs, m.atoms, here) for law in laws[0])
    gap = rules.squared_distance(first, second)
    if claim.notion == "gdp":
        return normal(square_root(to_expression(gap), here), here)
    order = constant(1) if claim.order is None else normal(claim.order, here)
    return gap.scale(rules.HALF) * order


def of_powers(
    claim: NotionClaim, m: Mechanism, laws: list[rules.PairOfLaws], here: Context
) -> Ratio:
    """The divergence of the order, or for zCDP that of Kullback and Leibler, the derivative of the
    integral of p^a q^(1 - a) at a = 1.
    """
    a, _, there = rules.with_order(claim, here)
    points = tuple(map(to_expression, ordered_breakpoints(laws[0], m.outputs, here)))
    spent = rules.divergence_power(m, laws, points, a, there)
    if claim.order is not None:
        return log_of(spent) / (a - constant(1))
    slope = derivative(to_expression(spent), rules.ORDER, there)
    return replace_name(slope, rules.ORDER, constant(0))


def largest(listed: list[Expression], here: Context) -> Expression:
    """The largest of some expressions, a maximum where that is not known."""
    most, *others = dict.fromkeys(listed)
    for e in others:
        try:
            gap = normal(e, here) - normal(most, here)
        except FAILING:
            most = Max(most, e)
            continue
        signs = here.ratio_signs(gap)
        sign = constant_sign(gap) if not ratio_names(gap) else None
        if signs <= {0, -1} or sign in (0, -1):
            continue
        most = e if signs <= {0, 1} or sign == 1 else Max(most, e)
    return most


def joined(
    mechanism: Mechanism, relation: str, rows: tuple[tuple[str, Expression], ...], here: Context
) -> Expression:
    """One bound for all moves: by the record where records are listed and the relation allows
    it.
    """
    inputs, bounds = mechanism.inputs, [bound for _, bound in rows]
    by_record = relation == "ahdp" and isinstance(inputs, Domain) and not inputs.is_universal
    if len(set(bounds)) == 1 or not by_record or not isinstance(inputs, Domain):
        return largest(bounds, here)
    if len(bounds) != len(inputs.records):
        return largest(bounds, here)
    branches: list[tuple[object, object]] = []
    for record, bound in zip(inputs.records, bounds, strict=True):
        condition = TRUE
        for key, value in record.bindings.items():
            if value != oo and key != "eps":
                condition = (
                    eq(name(key), value) if condition == TRUE else condition & eq(name(key), value)
                )
        branches.append((bound, condition))
    values = [r.value for r in inputs.records]
    if len(set(values)) < len(values):
        return largest(bounds, here)
    return piecewise(*branches[:-1], (branches[-1][0], True))
