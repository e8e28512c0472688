"""Candidates for the largest privacy loss, coordinate by coordinate: values and limits of
log(dominated / dominating), here called peaks.

Between the breakpoints of two densities the log-likelihood ratio of an output is linear, so its
supremum is its value at a point, the limit at an end, or oo. Coordinates are independent: the peaks
of the whole are sums, one peak from each. Only exact algebra is used, and every peak is a true
value or limit of the ratio for all names in it, so a peak shows that no lower level suffices. That
no higher one is needed is left to the prover.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, a, here = name("s"), name("a"), Context.empty()
>>> dominated, dominating = Dominated(exp(-Abs(s - a)) / 2), Dominating(exp(-Abs(s)) / 2)
>>> [(p.where, p.value.key) for p in output_peaks(dominated, dominating, real("s"), here)]
[('large s', 'a'), ('small s', '-1*a'), ('s = 0', '-1*|a|'), ('s = a', '|a|')]
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, symbol
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import (
    is_whole,
    message_text,
    normal,
    require_positive,
    to_expression,
)
from ahdp_verify.kernel.rules.inequalities import check_leaf, log_form, sign_polynomial
from ahdp_verify.kernel.rules.integration import factors_by_output, piece_bounds, piece_context
from ahdp_verify.kernel.terms.expression import name, negative
from ahdp_verify.search.loss.curved_peaks import (
    curved_peaks,
    has_bases,
    is_curved,
    with_divisors,
)
from ahdp_verify.search.loss.peak import Laws, Peak, log_of_ratio, substitute_in_both
from ahdp_verify.search.proving.sign_queries import has_state_names
from ahdp_verify.search.proving.total_mass import output_breakpoints, sign_guards, sort_in_context

Coordinates = tuple[tuple[Peak, ...], ...]
NEVER = object()  # the output does not occur at the dominated side: the log-likelihood ratio is -oo
LogRatio = Ratio | None | object


def exact_log_ratio(dominated: Dominated, dominating: Dominating, here: Context) -> LogRatio:
    """log(dominated / dominating) where both sides are one exponential; None for oo, NEVER for
    -oo.
    """
    (c, e), (d, f) = log_form(dominating, here), log_form(dominated, here)
    if d.is_zero:
        return NEVER
    if c.is_zero:
        require_positive(d, here)
        return None
    return f - e if (c - d).is_zero else f - e + log_of_ratio(require_positive(d / c, here))


def coordinate_peaks(
    dominated: Dominated,
    dominating: Dominating,
    outputs: tuple[Output, ...],
    here: Context,
    seen: dict[object, tuple[Peak, ...]] | None = None,
) -> Coordinates | None:
    """The peaks of each coordinate of a part of the output space, those of the prefactor first;
    None if the part does not occur at the dominated side.

    The finite outputs are values already, or there are no others and they are independent.  `seen`
    remembers factors that come again in a context of the same facts.
    """
    seen = {} if seen is None else seen
    used = tuple(o for o in outputs if o.kind != "finite") or outputs
    listed = tuple(o.name for o in used)
    (p, groups_below), (q, groups_above) = (
        factors_by_output(dominating, listed),
        factors_by_output(dominated, listed),
    )
    fronts = Dominated(q), Dominating(p)
    front = exact_log_ratio(*fronts, here) if p != q else constant(0)
    if front is NEVER:
        return None
    result: list[tuple[Peak, ...]] = []
    if not isinstance(front, Ratio):
        result.append((Peak(None, "everywhere"),))
    elif not front.is_zero:
        result.append((Peak(front, "", True, fronts, here),))
    for output, below, above in zip(used, groups_below, groups_above, strict=True):
        if below != above:
            key = (above, below, output.name, here.facts)
            if key not in seen:
                seen[key] = tuple(output_peaks(Dominated(above), Dominating(below), output, here))
            result.append(seen[key])
    return tuple(result)


def output_peaks(
    dominated: Dominated, dominating: Dominating, output: Output, here: Context
) -> Iterator[Peak]:
    """The peaks of one output's factor: outcomes, both tails and the points, or, where
    conditions cut the law, piece by piece.
    """
    if output.kind == "finite":
        yield from peaks_at_values(dominated, dominating, output, here)
    elif (
        output.kind == "real" and (is_curved(dominating, output) or is_curved(dominated, output))
    ) or any(
        condition
        for law in (dominating, dominated)
        for _, condition in sign_guards(law, output.name)
    ):
        yield from peaks_by_pieces(dominated, dominating, output, here)
    else:
        yield from peaks_by_values(dominated, dominating, output, here)


def peaks_at_values(
    dominated: Dominated, dominating: Dominating, output: Output, here: Context
) -> Iterator[Peak]:
    """The log-likelihood ratio at every value of a finite output."""
    for v in output.values:
        laws = substitute_in_both((dominated, dominating), {output.name: v})
        found = exact_log_ratio(*laws, here)
        if found is not NEVER:
            yield _peak(found, f"{output} = {v}", True, laws, here)


def _peak(found: LogRatio, where: str, attained: bool, laws: Laws, spot: Context) -> Peak:
    return (
        Peak(found, where, attained, laws, spot)
        if isinstance(found, Ratio)
        else Peak(None, where, attained)
    )


def breakpoints_of_both(
    dominated: Dominated, dominating: Dominating, output: Output, here: Context
) -> list[Ratio]:
    """The points of both distributions, each once."""
    return list(
        {
            p.key: p
            for law in (dominating, dominated)
            for p in output_breakpoints(law, output, here)
        }.values()
    )


def peaks_by_values(
    dominated: Dominated, dominating: Dominating, output: Output, here: Context
) -> Iterator[Peak]:
    """Peaks of a continuous log-likelihood ratio: the limits in both tails and the values at the
    points; their order need not be known.
    """
    listed = breakpoints_of_both(dominated, dominating, output, here)
    for direction, word in ((1, "large"), (-1, "small")):
        found, reached = tail_log_ratio(dominated, dominating, output, direction, here)
        if found is NEVER:
            continue
        spot = context_beyond(listed, output, direction, here)
        yield (
            _peak(found, f"{word} {output}", True, (dominated, dominating), spot)
            if reached or not isinstance(found, Ratio)
            else Peak(found, f"{word} {output}", False)
        )
    for at in (q for p in listed for q in nearest_outputs(p, output, here)):
        laws = substitute_in_both((dominated, dominating), {output.name: to_expression(at)})
        found = exact_log_ratio(*laws, here)
        if found is not NEVER:
            yield _peak(
                found, f"{output} = {to_expression(at)}", output.kind == "integer", laws, here
            )


def tail_log_ratio(
    dominated: Dominated, dominating: Dominating, output: Output, direction: int, here: Context
) -> tuple[LogRatio, bool]:
    """The limit of the log-likelihood ratio as the output goes to oo, or to -oo, and whether the
    ratio is constant from some output on.
    """
    turned = {output.name: negative(name(output.name))}
    laws = (
        (dominated, dominating)
        if direction > 0
        else substitute_in_both((dominated, dominating), turned)
    )
    try:
        found = exact_log_ratio(*laws, here.at_infinity(output.name))
    except (Undecided, Unsupported) as reason:
        guard = reason.guard if isinstance(reason, Undecided) else None
        if isinstance(guard, Polynomial) and output.name not in algebra.polynomial_names(guard):
            raise
        return limit_of_log_ratio_beyond(dominated, dominating, output, direction, here), False
    if not isinstance(found, Ratio) or output.name not in algebra.ratio_names(found):
        return found, True
    split = algebra.linear_coefficients(found.num, output.name)
    if split is None or any(output.name in algebra.polynomial_names(f) for f, _ in found.den):
        return limit_of_log_ratio_beyond(dominated, dominating, output, direction, here), False
    return (NEVER if strict_sign(Ratio(split[0], found.den), here) < 0 else None), False


def limit_of_log_ratio_beyond(
    dominated: Dominated, dominating: Dominating, output: Output, direction: int, here: Context
) -> LogRatio:
    """The limit of the log-likelihood ratio beyond all points of both laws."""
    listed = breakpoints_of_both(dominated, dominating, output, here)
    spot = context_beyond(listed, output, direction, here)
    p, q = normal(dominated, spot), normal(dominating, spot)
    return log_of_limit(limit_at_end(p / q, output.name, direction, spot), here)


def log_of_limit(r: Ratio, here: Context) -> LogRatio:
    """The logarithm of the limit of a ratio, which may be 0."""
    return NEVER if r.is_zero else log_of_ratio(require_positive(r, here))


def strict_sign(r: Ratio, here: Context) -> int:
    """The one sign that a ratio has here; Undecided where it is not known."""
    signs = here.ratio_signs(r)
    if len(signs) == 1:
        return next(iter(signs))
    for p in (*(f for f, _ in r.den), r.num):
        if len(here.signs(p)) > 1:
            raise Undecided(p)
    raise Unsupported("the sign of a slope is not known")


def context_beyond(listed: list[Ratio], output: Output, direction: int, here: Context) -> Context:
    """The context of the outputs that lie on one side of all points."""
    s = symbol(output.name)
    for p in listed:
        here = here.given(sign_polynomial((s - p).scale(Fraction(direction)), here), ">")
    return here


def nearest_outputs(p: Ratio, output: Output, here: Context) -> tuple[Ratio, ...]:
    """The point itself, or for whole outputs the whole numbers next to it."""
    if output.kind != "integer" or is_whole(p, here):
        return (p,)
    value = p.as_rational
    if value is None:
        raise Unsupported(f"the point {message_text(p)} is not known to be a whole number")
    return constant(math.floor(value)), constant(math.ceil(value))


def peaks_by_pieces(
    dominated: Dominated, dominating: Dominating, output: Output, here: Context
) -> Iterator[Peak]:
    """Peaks of a log-likelihood ratio that conditions cut into pieces; the order of its points must
    be known.
    """
    ordered = sort_in_context(breakpoints_of_both(dominated, dominating, output, here), here)
    for i, j, upper in piece_bounds(len(ordered)) if ordered else [(None, None, 0)]:
        low, high = (ordered[i] if i is not None else None), (ordered[j] if j is not None else None)
        spot = piece_context(output.name, output.kind, ordered, upper, here)
        spot = with_divisors((dominated, dominating), output.name, spot)
        if output.kind == "real" and has_bases((dominated, dominating), output.name, spot):
            yield from curved_peaks((dominated, dominating), output, (low, high), spot)
            continue
        found = exact_log_ratio(dominated, dominating, spot)
        if found is NEVER:
            continue
        if low is not None and high is not None and here.ratio_signs(high - low) != {1}:
            continue  # the piece may be empty: nothing is claimed of it
        if isinstance(found, Ratio):
            yield from peaks_of_piece(found, (dominated, dominating), output, (low, high), spot)
        else:
            yield Peak(None, _span(output, low, high))


def _span(output: Output, low: Ratio | None, high: Ratio | None) -> str:
    a, b = (None if end is None else to_expression(end) for end in (low, high))
    if a is None or b is None:
        return (
            f"{output} > {a}"
            if a is not None
            else f"{output} < {b}"
            if b is not None
            else "everywhere"
        )
    return f"{a} < {output} < {b}" if output.kind == "real" else f"{a} <= {output} < {b}"


def peaks_of_piece(
    found: Ratio, laws: Laws, output: Output, ends: tuple[Ratio | None, Ratio | None], spot: Context
) -> Iterator[Peak]:
    """The peaks of a linear log-likelihood ratio between two ends, of which whole outputs do not
    reach the upper one.
    """
    split = algebra.linear_coefficients(found.num, output.name)
    if split is None or any(output.name in algebra.polynomial_names(f) for f, _ in found.den):
        if output.kind != "real":
            raise Unsupported(
                f"the log-likelihood ratio was not found to be linear in {output} between the "
                "breakpoints"
            )
        yield from curved_peaks(laws, output, ends, spot)
        return
    slope, height = Ratio(split[0], found.den), Ratio(split[1], found.den)
    if slope.is_zero:
        yield Peak(height, _span(output, *ends), True, laws, spot)
        return
    whole = output.kind == "integer"
    for end, outward in zip(ends, (-1, 1), strict=True):
        if end is None:
            if strict_sign(slope, spot) == outward:
                yield Peak(None, f"{'large' if outward > 0 else 'small'} {output}")
            continue
        at = end - constant(1) if whole and outward > 0 else end
        yield Peak(slope * at + height, f"{output} = {to_expression(at)}", whole)


def is_confirmed_peak(peak: Peak) -> bool:
    """True if the checker's own rule accepts that the ratio reaches the value: dominated >=
    exp(value) * dominating in the peak's context.
    """
    if peak.laws is None or peak.spot is None or peak.value is None:
        return False
    level = to_expression(peak.value)
    for form in ("log", "direct"):
        try:
            check_leaf(InequalityLeaf((), form, ()), *peak.laws, level, peak.spot, upper=False)
            return True
        except (Rejected, Undecided, Unsupported, ZeroDivisionError):
            continue
    return False


def is_free_of_state(listed: Coordinates) -> bool:
    """True if no peak depends on the rest of the input."""
    return not any(
        p.value is not None and has_state_names(algebra.ratio_names(p.value))
        for c in listed
        for p in c
    )


def output_names(outputs: tuple[Output, ...]) -> frozenset[str]:
    """The names of the outputs."""
    return frozenset(o.name for o in outputs)


def mentions_names(listed: Coordinates, forbidden: frozenset[str]) -> bool:
    """True if a peak depends on one of these names (an earlier output, say)."""
    return any(
        p.value is not None and algebra.ratio_names(p.value) & forbidden for c in listed for p in c
    )
