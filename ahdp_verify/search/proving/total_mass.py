"""Certificates that a density has total 1: the breakpoints between which it is a sum of
exponentials, in every case of their order.

The breakpoints are the roots of the arguments of absolute values, maxima and conditions. They are
tested with the checker's own leaf, so the answer is right or a refusal.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    Declined,
    Evidence,
    InequalityLeaf,
    Mass,
    TotalLeaf,
)
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, outcomes
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, symbol
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact, open_factor
from ahdp_verify.kernel.numbers.normal_form import (
    floor_of,
    message_text,
    normal,
    refusal_text,
    to_expression,
)
from ahdp_verify.kernel.rules.cases import LeafCheck
from ahdp_verify.kernel.rules.inequalities import extend_context, sign_polynomial
from ahdp_verify.kernel.rules.integration import density_factors, factors_by_output
from ahdp_verify.kernel.rules.obligations import (
    InputState,
    has_single_total,
    input_states,
    is_separable,
)
from ahdp_verify.kernel.rules.total_mass import law_total, output_total_check, total_mass_check
from ahdp_verify.kernel.terms.expression import Expression, names, substitute, transform, walk
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.absolute_values import absolute_arguments
from ahdp_verify.search.proving.antiderivatives import antiderivatives
from ahdp_verify.search.proving.case_splits import DEPTH, contradiction_leaf, split_by_sign
from ahdp_verify.search.proving.draft import with_lemmas
from ahdp_verify.search.proving.iterated_totals import iterated_totals
from ahdp_verify.search.proving.radial import radial_mass
from ahdp_verify.search.proving.residues import has_floors, normal_forms, open_residue

MASS = "mass"  # the procedure name of the refusal that a total was not shown to be 1
LISTED = 256  # combinations of finite outputs that are examined for guards to split on
PERIODS = 64  # longest period of a density on whole numbers whose values are enumerated
COUNTED = 256  # longest range of an output whose binomial coefficients are numbers one by one
WHOLE = 12  # longest range of a whole number that is enumerated value by value
CACHED = 32  # mechanisms whose evidence is cached
FOUND: dict[tuple[Mechanism, bool], Mass] = {}


class TotalNotShown(Exception):
    """A total that is not shown to be 1: `reason` says what is missing."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def sign_guards(law: Expression, variable: str) -> Iterator[tuple[Expression, bool]]:
    """Expressions whose sign changes the form of the law in a variable, and whether they come
    from a condition.
    """
    for node in walk(law):
        if variable not in names(node):
            continue
        if node.head in ("abs", "sign"):
            yield node.args[0], node.head == "sign"
        elif node.head in ("min", "max"):
            for i, a in enumerate(node.args):
                yield from ((a - b, False) for b in node.args[i + 1 :])
        elif node.head in ("==", "!=", "<", "<="):
            yield node.args[0] - node.args[1], True


def output_breakpoints(law: Expression, output: Output, here: Context) -> list[Ratio]:
    """The points of a law: where a guard changes sign, for whole numbers the next number too
    where a condition does, and steps of floors.
    """
    found: dict[str, Ratio] = {}
    for guard, condition in sign_guards(law, output.name):
        if has_floors((guard,)) and any(
            output.name in names(n) for n in walk(guard) if n.head in ("floor", "mod")
        ):
            continue
        for linear in unfold_guard(guard, output.name):
            root = linear_root(normal(linear, here), output.name)
            if root is None:
                continue
            value = root.as_rational
            if value is not None and output.kind == "integer":
                root = constant(math.ceil(value))  # the first whole number of another sign
            for p in (
                (root, root + constant(1)) if condition and output.kind == "integer" else (root,)
            ):
                found.setdefault(p.key, p)
    for p in floor_steps(law, output, list(found.values()), here) if has_floors((law,)) else ():
        found.setdefault(p.key, p)
    for p in whole_numbers_between(law, output, list(found.values()), here):
        found.setdefault(p.key, p)
    return list(found.values())


def whole_numbers_between(
    law: Expression, output: Output, known: list[Ratio], here: Context
) -> Iterator[Ratio]:
    """The whole numbers between known points of a law that counts choices: at each of them its
    binomial coefficients are numbers, between them they are no exponentials.
    """
    if not any(n.head == "binomial" and output.name in names(n) for n in walk(law)):
        return
    for low, high in itertools.pairwise(sort_in_context(known, here)):
        width = (high - low).as_rational
        if width is not None and width <= COUNTED:
            yield from (low + constant(k) for k in range(1, math.ceil(width)))


def floor_steps(law: Expression, output: Output, known: list[Ratio], here: Context) -> list[Ratio]:
    """Points beyond the known ones where floors of the output step, over one period on either side
    and one step more.

    For whole outputs all whole numbers of a period on either side.
    """
    ordered_ = sort_in_context(known, here) or (constant(0),)
    beyond = [
        (base, side, (symbol(output.name) - base).scale(side))
        for base, side in ((ordered_[0], -1), (ordered_[-1], 1))
    ]
    sides = [
        (base, side, floor_arguments(law, output.name, here.given(sign_polynomial(gap, here), ">")))
        for base, side, gap in beyond
    ]
    if output.kind == "integer":
        return [
            base + constant(side * j)
            for base, side, slopes in sides
            if slopes
            for j in range(common_period(slopes) + 1)
        ]
    result: list[Ratio] = []
    for base, side, slopes in sides:
        widest = max((1 / abs(a) for a, _ in slopes), default=Fraction(0))
        result += [base, base + constant(widest * side)] if slopes else []
        for a, b in slopes:
            value = base.scale(a) + b
            following = (
                floor_of(value, here) + constant(1)
                if side * a > 0
                else -floor_of(-value, here) - constant(1)
            )
            first = (following - b).scale(1 / a)
            result += [first + constant(side * k / abs(a)) for k in range(int(widest * abs(a)) + 1)]
    return [*result, *floor_kinks(law, output, sort_in_context([*known, *result], here), here)]


def floor_kinks(
    law: Expression, output: Output, listed: tuple[Ratio, ...], here: Context
) -> Iterator[Ratio]:
    """Where guards that hold floors change sign between neighbouring points, between which the
    floors are numbers.
    """
    stepped = [g for g, _ in sign_guards(law, output.name) if has_floors((g,))]
    s = symbol(output.name)
    for low, high in itertools.pairwise(listed) if stepped else ():
        spot = here.given(sign_polynomial(s - low, here), ">").given(
            sign_polynomial(high - s, here), ">"
        )
        for guard in stepped:
            for r in normal_forms((guard,), spot):
                root = (
                    linear_root(r, output.name)
                    if algebra.linear_coefficients(r.num, output.name) is not None
                    else None
                )
                if root is not None:
                    yield root


def common_period(slopes: list[tuple[Fraction, Ratio]]) -> int:
    """After how many whole numbers all floors of a * k + b have stepped by a whole number."""
    period = math.lcm(*((1 / abs(a)).numerator for a, _ in slopes))
    if period > PERIODS:
        raise Unsupported("the period of a density is too long for its total to be computed here")
    return period


def floor_arguments(law: Expression, variable: str, here: Context) -> list[tuple[Fraction, Ratio]]:
    """(a, b) for the arguments of the floors (or the dividends of mod) of a law: a * variable + b,
    a rational.
    """
    found: dict[tuple[Fraction, str], tuple[Fraction, Ratio]] = {}
    for node in walk(law):
        if node.head not in ("floor", "mod") or variable not in names(node):
            continue
        r = normal(node.args[0] if node.head == "floor" else node.args[0] / node.args[1], here)
        split = algebra.linear_coefficients(r.num, variable)
        slope = None if split is None or r.den else split[0].as_rational
        if split is None or slope is None:
            raise Unsupported(
                f"the floor of {message_text(r)} does not have a known numeric period"
            )
        if slope:
            found.setdefault((slope, split[1].key), (slope, Ratio(split[1])))
    return list(found.values())


def linear_root(r: Ratio, variable: str) -> Ratio | None:
    """Where a linear expression vanishes; None if it does not depend on the variable."""
    split = algebra.linear_coefficients(r.num, variable)
    if split is None or not split[0].terms:
        if variable in algebra.polynomial_names(r.num):
            raise Unsupported(f"{message_text(r)} was not found to be linear in {variable}")
        return None
    return Ratio(-split[1]) / Ratio(split[0])


def unfold_guard(guard: Expression, variable: str) -> list[Expression]:
    """The guard with absolute values, maxima and minima of the variable replaced in all ways by
    what they can be.
    """
    node = next(
        (n for n in walk(guard) if n.head in ("abs", "min", "max") and variable in names(n)), None
    )
    if node is None:
        return [guard]
    choices = [node.args[0], -node.args[0]] if node.head == "abs" else list(node.args)
    return [e for c in choices for e in unfold_guard(transform(guard, {node: c}.get), variable)]


def total_evidence(
    laws: tuple[Expression, ...],
    outputs: tuple[Output, ...],
    leaf: LeafCheck,
    here: Context,
    clock: Clock,
    depth: int = DEPTH,
) -> Evidence:
    """Evidence that the leaf accepts, with the case splits that the order of the points needs;
    `TotalNotShown` otherwise.
    """
    clock.count(1, "ordering the breakpoints of a density")
    if here.contradictory:
        return InequalityLeaf((), "never", ())
    if (
        has_floors(laws)
        and depth > 0
        and (
            next_case := open_residue(
                normal_forms(listed_laws(laws, outputs), here),
                here,
                frozenset(o.name for o in outputs),
            )
        )
        is not None
    ):
        lemmas, residue = next_case
        return with_lemmas(
            lemmas,
            _by_guard(residue, laws, outputs, leaf, extend_context(lemmas, here), clock, depth),
        )
    try:
        listed = ordered_breakpoints(laws, outputs, here)
        stored = (a for law in laws for a in antiderivatives(law, outputs[0], listed, here))
        piece = TotalLeaf((), (*map(to_expression, listed), *stored))
        leaf(piece, here)
        return piece
    except Undecided as missing:
        return _by_guard(missing.guard, laws, outputs, leaf, here, clock, depth)
    except (Rejected, Unsupported, ZeroDivisionError) as error:
        empty = contradiction_leaf(here, clock) if depth < DEPTH else None
        if empty is not None:
            return empty
        if depth > 0 and (guard := open_absolute_in_laws(laws, outputs, here)) is not None:
            return _by_guard(guard, laws, outputs, leaf, here, clock, depth)
        if depth > 0 and (guard := next_integer_guard(laws, here)) is not None:
            return _by_guard(guard, laws, outputs, leaf, here, clock, depth)
        raise TotalNotShown(refusal_text(error)) from None


def open_absolute_in_laws(
    laws: tuple[Expression, ...], outputs: tuple[Output, ...], here: Context
) -> Polynomial | None:
    """An argument of unknown sign of an absolute value in laws with their finite outputs
    substituted: the innermost one of each law, and of all these the middle one, since its sign
    often tells those of half of the others.
    """
    found: dict[Polynomial, None] = {}
    for r in normal_forms(listed_laws(laws, outputs), here):
        inner = (w for p in (r.num, *(f for f, _ in r.den)) for w in absolute_arguments(p))
        free = (w for w in inner if not algebra.polynomial_names(w) & {o.name for o in outputs})
        found |= {w: None for w in itertools.islice(free, 1)}
    return list(found)[len(found) // 2] if found else None


def listed_laws(laws: tuple[Expression, ...], outputs: tuple[Output, ...]) -> Iterator[Expression]:
    """The laws with each of the first combinations of values substituted for their finite
    outputs.
    """
    chosen = (
        itertools.islice(outcomes(outputs), LISTED)
        if all(o.kind == "finite" for o in outputs)
        else [{}]
    )
    for law, values in itertools.product(laws, list(chosen)):
        yield substitute(law, values)


def next_integer_guard(laws: tuple[Expression, ...], here: Context) -> Polynomial | None:
    """n - k for a whole-number name n of the laws that the facts keep between k and a bound
    above it; None if there is none.
    """
    used = (frozenset(n for law in laws for n in names(law)) & here.integers) - {
        n for n, _ in here.values
    }
    for n in sorted(used):
        atom = algebra.polynomial_of_atom(algebra.name_atom(n))
        ends: dict[int, list[Fraction]] = {1: [], -1: []}
        for f in here.facts:
            c = f.polynomial.coefficient(algebra.Monomial(((algebra.name_atom(n), 1),)))
            r = (f.polynomial - atom.scale(c)).as_rational
            if c and r is not None and f.relation != "=":
                ends[1 if c > 0 else -1].append(-r / c)
        if ends[1] and ends[-1] and max(ends[1]) <= min(ends[-1]) <= max(ends[1]) + WHOLE:
            return atom - algebra.polynomial_of_monomial(
                algebra.UNIT, Fraction(math.ceil(max(ends[1])))
            )
    return None


def _by_guard(
    guard: object,
    laws: tuple[Expression, ...],
    outputs: tuple[Output, ...],
    leaf: LeafCheck,
    here: Context,
    clock: Clock,
    depth: int,
) -> Evidence:
    if isinstance(guard, Polynomial) and algebra.polynomial_names(guard) & {
        o.name for o in outputs
    }:
        raise TotalNotShown(
            f"the sign of {message_text(guard)} between the breakpoints of the density was not "
            "found"
        )

    def go(case: Context, left: int) -> Evidence:
        return total_evidence(laws, outputs, leaf, case, clock, left)

    result = split_by_sign(guard, go, here, clock, depth)
    if result is None:
        raise TotalNotShown(refusal_text(Undecided(guard)))
    return result


def ordered_breakpoints(
    laws: tuple[Expression, ...], outputs: tuple[Output, ...], here: Context
) -> tuple[Ratio, ...]:
    """The points of the laws in ascending order; none for finite outputs."""
    if len(outputs) != 1 or outputs[0].kind == "finite":
        return ()
    found = {p.key: p for law in laws for p in output_breakpoints(law, outputs[0], here)}
    return sort_in_context(list(found.values()), here)


def sort_in_context(listed: list[Ratio], here: Context) -> tuple[Ratio, ...]:
    """The points in an order that the context knows, weakly; Undecided with the difference that
    is missing.
    """
    result: list[Ratio] = []
    for p in listed:
        position = next((i for i, q in enumerate(result) if _at_most(p, q, here)), len(result))
        if position < len(result) and (p - result[position]).is_zero:
            continue
        result.insert(position, p)
    return tuple(result)


def _at_most(p: Ratio, q: Ratio, here: Context) -> bool:
    signs = here.ratio_signs(q - p)
    if signs <= {0, 1}:
        return True
    if signs <= {0, -1}:
        return False
    gap = q - p
    for f in (*(f for f, _ in gap.den), gap.num):
        if not here.signs(f) <= {0, 1} and not here.signs(f) <= {0, -1}:
            raise Undecided(open_factor(f, here))
    raise Unsupported("the breakpoints of the density could not be put in order")


def mass_certificate(mechanism: Mechanism, counts: bool, clock: Clock) -> Mass | Declined:
    """Evidence that the law has mass 1 in every state, or why not.

    Evidence is cached: the claims of a file often are about one mechanism, and a refutation and a
    proof need the same evidence.
    """
    if (mechanism, counts) in FOUND:
        return FOUND[mechanism, counts]
    found = _mass_certificate(mechanism, counts, clock)
    if isinstance(found, Mass):
        while len(FOUND) >= CACHED:
            del FOUND[next(iter(FOUND))]
        FOUND[mechanism, counts] = found
    return found


def _mass_certificate(mechanism: Mechanism, counts: bool, clock: Clock) -> Mass | Declined:
    values: list[Expression] = []
    pieces: list[Evidence] = []
    memory: dict[tuple[Expression, str, tuple[Fact, ...]], tuple[Expression, Evidence]] = {}
    if (radial := radial_mass(mechanism, counts)) is not None:
        return radial
    try:
        for state in input_states(mechanism, counts):
            if has_single_total(mechanism):
                law = substitute_nodes(mechanism.density, state.nodes)
                pieces.append(
                    total_evidence(
                        (law,),
                        mechanism.outputs,
                        total_mass_check(mechanism, state.nodes),
                        state.here,
                        clock,
                    )
                )
            else:
                for value, piece in several_totals(mechanism, state, clock, memory):
                    values.append(value)
                    pieces.append(piece)
    except TotalNotShown as failure:
        return mass_not_shown(failure.reason)
    except (Undecided, Unsupported) as failure:
        return mass_not_shown(refusal_text(failure))
    return Mass(tuple(values), tuple(pieces))


def has_separate_outputs(mechanism: Mechanism) -> bool:
    """Whether every factor of the law mentions one output at most."""
    listed = frozenset(o.name for o in mechanism.outputs)
    return all(len(names(f) & listed) < 2 for f in density_factors(mechanism.density))


def several_totals(
    mechanism: Mechanism,
    state: InputState,
    clock: Clock,
    memory: dict[tuple[Expression, str, tuple[Fact, ...]], tuple[Expression, Evidence]],
) -> list[tuple[Expression, Evidence]]:
    """The totals of the factors of one output each, else one output after another."""
    try:
        return list(factor_totals(mechanism, state, clock, memory))
    except (TotalNotShown, Undecided, Unsupported) as reason:

        def find(law: Expression, output: Output, leaf: LeafCheck, here: Context) -> Evidence:
            return total_evidence((law,), (output,), leaf, here, clock)

        if is_separable(mechanism):
            raise
        try:
            return iterated_totals(mechanism, state, find)
        except (TotalNotShown, Undecided, Unsupported) as other:
            raise (reason if has_separate_outputs(mechanism) else other) from None


def mass_not_shown(reason: str) -> Declined:
    """The refusal for a total that was not shown to be 1."""
    return Declined(MASS, f"the total was not shown to be 1: {reason}")


def factor_totals(
    mechanism: Mechanism,
    state: InputState,
    clock: Clock,
    memory: dict[tuple[Expression, str, tuple[Fact, ...]], tuple[Expression, Evidence]],
) -> Iterator[tuple[Expression, Evidence]]:
    """The total of each output's factor with its evidence; `memory` keeps those that were
    computed.
    """
    _, listed = factors_by_output(mechanism.density, tuple(o.name for o in mechanism.outputs))
    for output, factor in zip(mechanism.outputs, listed, strict=True):
        group, found = substitute_nodes(factor, state.nodes), list[Ratio]()
        key = (group, output.name, state.here.facts)
        if key in memory:
            yield memory[key]
            continue

        def leaf(
            piece: Evidence,
            here: Context,
            output: Output = output,
            group: Expression = group,
            found: list[Ratio] = found,
        ) -> None:
            if isinstance(piece, TotalLeaf):
                found.append(law_total((output,), group, piece.points, here))

        total_evidence((group,), (output,), leaf, state.here, clock)
        value = to_expression(found[0])
        memory[key] = (
            value,
            total_evidence(
                (group,), (output,), output_total_check(output, group, value), state.here, clock
            ),
        )
        yield memory[key]
