"""Limits of the log-likelihood ratio as the rest of the input grows without bound: for finite
outputs and distributions made of exponentials and powers.

Query answers go to oo, to -oo, or stay at 0, all at the same rate; a dataset of a universal domain
holds more and more copies of one concrete record. A ratio of sums of exponentials then tends to the
ratio of its leading terms.

>>> from ahdp_verify.kernel.terms.expression import exp
>>> e, q, here = name("e"), name("q"), Context.empty().given(symbol("e").num, ">")
>>> below, above = (exp(e * (q + k)) / (1 + exp(e * (q + k))) for k in (0, 1))
>>> limit_of_log_ratio(above, below, "q", here).key, limit_of_log_ratio(*(1 - p for p in (above, below)), "q", here).key
('0', '-1*e')
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import outcome_count
from ahdp_verify.kernel.model.neighbours import (
    Dominated,
    DominatedInput,
    Dominating,
    DominatingInput,
    substitute_nodes,
)
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Atom, Polynomial, Ratio, Rational, constant, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    message_text,
    normal,
    refusal_text,
    require_positive,
    to_expression,
    truth,
)
from ahdp_verify.kernel.rules.obligations import mechanism_frame, moves, output_parts
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    multiply,
    name,
    number,
    oo,
    substitute,
)
from ahdp_verify.search.loss.candidates import (
    FAILED,
    LossSearch,
    corners_of_queries,
    move_directions,
    slot_of,
)
from ahdp_verify.search.loss.ends import eliminate_unknowns
from ahdp_verify.search.loss.largest import LevelCandidate, Sample, largest_candidate
from ahdp_verify.search.loss.linear_peaks import NEVER, LogRatio, strict_sign
from ahdp_verify.search.loss.peak import log_of_ratio
from ahdp_verify.search.proving.sign_queries import answer_with_signs
from ahdp_verify.search.refuting.small_inputs import assignments, simple_records

FAR = "n'"  # the growing quantity; no user can write this name
EVERY = 3  # query answers up to which all combinations of signs are tried; with more, one at a time
OUTCOMES = 64  # most outcomes for which limits are computed
SAMPLES = 40  # samples at which limits are compared
LimitPath = dict[str, Expression]
GrowthRate = tuple[Ratio, Rational]  # exp(rate * far) * far^degree


def search_growing_states(search: LossSearch, wanted: frozenset[int]) -> None:
    """Candidates for the slots that are wanted, as the rest of the input grows in simple ways."""
    samples = (*search.samples, *further_samples(search))
    for i, move in enumerate(moves(search.claim)):
        slot = slot_of(search, i, move)
        for direction, dominated, dominating in (
            move_directions(search.claim, move) if slot in wanted else ()
        ):
            listed = limit_paths(search, (*dominating.values(), *dominated.values()))
            found = [
                c
                for text, way in listed
                for c in limits_along_path(search, dominated, dominating, text, way)
            ]
            if found:
                search.offer(
                    (slot, direction),
                    largest_candidate(
                        *({c.level: c for c in reversed(found)}.values()),
                        samples=samples,
                        here=search.here,
                    ),
                )


def further_samples(search: LossSearch) -> Iterator[Sample]:
    """Further samples for a universal domain: which limit is the largest may depend on the order of
    several unknowns.
    """
    m = search.mechanism
    if isinstance(m.inputs, Domain) and m.inputs.is_universal:
        yield from assignments((*m.parameters, *m.inputs.unknowns), {}, SAMPLES)


def limit_paths(
    search: LossSearch, answers: tuple[Expression, ...]
) -> Iterator[tuple[str, LimitPath]]:
    """The values of the state names, with their description; amounts by which answers move are at
    ends of their interval.
    """
    inputs = search.mechanism.inputs
    if isinstance(inputs, Queries):
        for signs in sign_patterns(inputs.n):
            grown = {f"q[{j + 1}]": multiply(number(s), name(FAR)) for j, s in enumerate(signs)}
            text = ", ".join(
                f"q[{j + 1}] {'large' if s > 0 else 'small'}" for j, s in enumerate(signs) if s
            )
            yield from (
                (text, {**grown, **corner})
                for corner in corners_of_queries(search.claim.relation, answers)
            )
    elif isinstance(inputs, Domain) and inputs.is_universal:
        yield from crowd_paths(search, inputs)


def crowd_paths(search: LossSearch, domain: Domain) -> Iterator[tuple[str, LimitPath]]:
    """Many copies of one record, whose unknowns have simple values that are allowed whatever the
    parameters are.
    """
    frame = mechanism_frame(search.mechanism, False)
    if any(node.head != "sum" for node in frame.nodes):
        return
    for record in simple_records(domain.unknowns, {}):
        table = dict(record)
        try:
            allowed = all(truth(substitute(c, table), search.here) for _, c in domain.unknowns)
        except (Undecided, Unsupported, ZeroDivisionError):
            continue
        if allowed:
            held = (multiply(name(FAR), substitute(e, table)) for e in frame.rows[0])
            yield (
                f"many copies of ({', '.join(f'{u} = {v}' for u, v in table.items())})",
                {f"@{j + 1}": e for j, e in enumerate(held)},
            )


def sign_patterns(k: int) -> list[tuple[int, ...]]:
    """The signs with which k answers grow, not all of them 0."""
    if k <= EVERY:
        return [signs for signs in itertools.product((0, 1, -1), repeat=k) if any(signs)]
    return [tuple(s if i == j else 0 for j in range(k)) for i in range(k) for s in (1, -1)]


def limits_along_path(
    search: LossSearch,
    dominated: DominatedInput,
    dominating: DominatingInput,
    text: str,
    way: LimitPath,
) -> list[LevelCandidate]:
    """The limits along one way; none where one is not found."""
    here = with_large_number(search.here)
    start = {name(n): e for n, e in way.items() if n.startswith("q[")}
    above, below = (
        {**start, **{n: substitute(e, way) for n, e in side.items()}}
        for side in (dominated, dominating)
    )
    try:
        limits = limits_of_loss(search, DominatedInput(above), DominatingInput(below), FAR, here)
        listed = (replace(c, where=f"{c.where}, {text}") for c in limits)
        return [eliminate_unknowns(search.claim, c, search.samples, search.here) for c in listed]
    except FAILED as reason:
        search.reasons[refusal_text(reason)] = None
        return []


def with_large_number(here: Context) -> Context:
    """The context with a large whole number more."""
    return here.with_integers(frozenset((FAR,))).given((symbol(FAR) - constant(1)).num, ">=")


def limits_of_loss(
    search: LossSearch,
    dominated: DominatedInput,
    dominating: DominatingInput,
    far: str,
    here: Context,
) -> list[LevelCandidate]:
    """The limits of log(dominated / dominating), one of each outcome; raises one of FAILED where
    one is not found.
    """
    m, found = search.mechanism, []
    if any(o.kind != "finite" for o in m.outputs) or outcome_count(m.outputs) > OUTCOMES:
        raise Unsupported("limits of the privacy loss are computed for few outcomes only")
    if m.defined != TRUE and not all(
        truth(substitute_nodes(m.defined, nodes), here.at_infinity(far))
        for nodes in (dominating, dominated)
    ):
        raise Unsupported("the mechanism is not defined in the limit")
    for part in output_parts(m):
        search.clock.count(1, "looking for the largest privacy loss")
        above, below = substitute_nodes(part.law, dominated), substitute_nodes(part.law, dominating)
        value = (
            constant(0)
            if above == below
            else answer_with_signs(
                here, search.clock, partial(limit_of_log_ratio, above, below, far)
            )[1]
        )
        if value is not NEVER:
            found.append(
                LevelCandidate(
                    to_expression(value) if isinstance(value, Ratio) else oo, part.text, False
                )
            )
    return found


def limit_of_log_ratio(
    dominated: Dominated, dominating: Dominating, far: str, here: Context
) -> LogRatio:
    """The limit of log(dominated / dominating) as a name grows; None for oo, NEVER for -oo or
    where `dominated` is 0.
    """
    p, q = form_at_infinity(dominating, far, here), form_at_infinity(dominated, far, here)
    if p.is_zero or q.is_zero:
        return NEVER if q.is_zero else None
    r = q / p
    (rate, degree), top = fastest_term(r.num, far, here)
    value = Ratio(top)
    for f, k in r.den:
        (slower, less), bottom = fastest_term(f, far, here)
        rate, degree, value = (
            rate - slower.scale(Fraction(k)),
            degree - k * less,
            value / Ratio(bottom) ** k,
        )
    direction = degree if rate.is_zero else strict_sign(rate, here)
    if direction:
        return None if direction > 0 else NEVER
    return log_of_ratio(require_positive(value, here))


def form_at_infinity(law: Expression, far: str, here: Context) -> Ratio:
    """The canonical form of a probability where a name is large."""
    try:
        return normal(law, here)
    except (Undecided, Unsupported):
        return normal(law, here.at_infinity(far))


def fastest_term(p: Polynomial, far: str, here: Context) -> tuple[GrowthRate, Polynomial]:
    """The term that grows fastest as a name does, and its coefficient."""
    found: list[tuple[GrowthRate, Polynomial]] = []
    for m, c in p.terms.items():
        (rate, degree), rest = growth_rate(m, far)
        same = next(
            (i for i, ((r, d), _) in enumerate(found) if d == degree and (r - rate).is_zero), None
        )
        if same is None:
            found.append(((rate, degree), algebra.polynomial_of_monomial(rest, c)))
        else:
            found[same] = found[same][0], found[same][1] + algebra.polynomial_of_monomial(rest, c)
    best = found[0]
    for other in (f for f in found[1:] if f[1].terms):
        faster = other[0][0] - best[0][0]
        if (
            strict_sign(faster, here) if not faster.is_zero else other[0][1] - best[0][1]
        ) > 0 or not best[1].terms:
            best = other
    return best


def growth_rate(m: algebra.Monomial, far: str) -> tuple[GrowthRate, algebra.Monomial]:
    """How fast a monomial grows as a name does, and its factors that are free of the name."""
    rate, degree, rest = constant(0), Fraction(0), list[tuple[Atom, Rational]]()
    for a, k in m.powers:
        if far not in algebra.atom_names(a):
            rest.append((a, k))
        elif a == algebra.name_atom(far):
            degree += k
        elif a.kind == "exp":
            rate += exponent_slope(a, far).scale(Fraction(k))
        else:
            raise Unsupported(f"the limit of {message_text(a)} is not known")
    return (rate, degree), algebra.Monomial(rest)


def exponent_slope(a: Atom, far: str) -> Ratio:
    """The exponent of an exponential, which is linear in the name, without the name."""
    inside = Ratio(algebra.polynomial_of_monomial(a.payload[0], Fraction(1)), a.payload[1])
    split = algebra.linear_coefficients(inside.num, far)
    if split is None or any(
        far in algebra.polynomial_names(f) for f in (*split, *(f for f, _ in inside.den))
    ):
        raise Unsupported(f"the limit of {message_text(a)} is not known")
    return Ratio(split[0], inside.den)
