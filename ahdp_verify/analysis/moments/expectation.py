"""The exact expectation of an expression in the outputs of a mechanism: a number, or a formula in
the names that are left.

Finite outputs are summed over first. Then each summand of the expression is a product; the factors
of the expression and of the density that mention the last output are integrated over it, the result
belongs to the earlier outputs, and so on. So E[m n] = E[m] E[n] for independent outputs, and a law
may depend on earlier outputs. Between neighbouring points, where nothing changes its form, the
integrand must be a sum of powers times exponentials
(`ahdp_verify.analysis.moments.antiderivative`).

A density that is negative somewhere, or whose total is not 1, is refused. So is an expectation that
is not shown to exist: every piece of every total has to converge by itself, and where outputs
depend on each other the absolute value of the expression has to have a finite mean as well.

>>> from ahdp_verify.kernel.terms.expression import Abs, Max, exp, name
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, a = real("s"), name("a")
>>> law = IntegrableLaw((s,), exp(-Abs(s - a) / 3) / 6)
>>> expectation(s * s, law, Context.empty()).key
'18 + a^(2)'
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

from ahdp_verify.analysis.moments.antiderivative import integral_or_sum
from ahdp_verify.analysis.testing.likelihood_ratio import ceiling_if_integer
from ahdp_verify.kernel.errors import SignNotShown, Undecided, Unsupported
from ahdp_verify.kernel.model.mechanism import JOINT, Output
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant, polynomial_names
from ahdp_verify.kernel.numbers.hypotheses import Context, open_factor, sign_of
from ahdp_verify.kernel.numbers.normal_form import message_text, normal, signs_of, to_expression
from ahdp_verify.kernel.rules.integration import (
    check_ascending,
    density_factors,
    factors_by_output,
    piece_bounds,
    piece_context,
    summands,
)
from ahdp_verify.kernel.terms.expression import (
    ONE,
    Expression,
    multiply,
    names,
    reciprocal,
    substitute,
    walk,
)
from ahdp_verify.kernel.terms.printing import short_text
from ahdp_verify.search.proving.absolute_values import absolute_arguments
from ahdp_verify.search.proving.total_mass import (
    linear_root,
    output_breakpoints,
    sort_in_context,
    unfold_guard,
)

Tick = Callable[[], None]
POWER = 8  # highest whole power of a sum or a product that is multiplied out


def idle() -> None:
    """Nothing."""


class WrongTotal(Unsupported):
    """The total of a law was computed and is not 1; `total` is its text."""

    def __init__(self, total: str) -> None:
        self.total = total
        super().__init__(
            f"the probabilities were not shown to add up to 1: in a case that was "
            f"tried, their total is {total}"
        )


@dataclass(frozen=True, slots=True)
class IntegrableLaw:
    """The distribution of outputs: a density, and atoms (point, mass) beside the density of one
    output; `tick` is called at every step, and may stop it.
    """

    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...] = ()
    tick: Tick = idle

    def given(self, values: dict[str, Expression]) -> IntegrableLaw:
        """The distribution of the other outputs, not normalised, at values of some."""
        return IntegrableLaw(
            tuple(o for o in self.outputs if o.name not in values),
            substitute(self.density, values),
            self.atoms,
            self.tick,
        )


def expectation(of: Expression, law: IntegrableLaw, here: Context) -> Ratio:
    """E[of], exact.

    of     an expression in the outputs, and in names that `here` knows something about
    Raises Undecided where a sign of such names is missing; Unsupported for a form without closed
    expression, for a law that is not shown to be nowhere negative and of mass 1, and
    (DecayNotShown, AtPole) where the expectation of a term is not shown to exist.
    """
    check_law(law, here)
    return _total_under_law(of, law, here)


def check_law(law: IntegrableLaw, here: Context) -> None:
    """Passes if the law is nowhere negative and has mass 1; raises Unsupported otherwise."""
    for _, part in _finite_cases(law):
        _check_nonnegative(part, here)
    for _, mass in law.atoms:
        if not here.ratio_signs(normal(mass, here)) <= {0, 1}:
            sign_of(normal(mass, here).num, here)
            raise SignNotShown("the mass of an atom was not shown to be nonnegative")
    whole_mass = _total_under_law(ONE, law, here)
    if not (whole_mass - constant(1)).is_zero:
        if (
            missing := _inner_absolute(whole_mass, frozenset())
        ) is not None:  # the mass may be 1 whatever its sign, which its form does not show
            raise Undecided(missing)
        shown = message_text(whole_mass)
        if here.ratio_signs(whole_mass - constant(1)) in (frozenset((1,)), frozenset((-1,))):
            raise WrongTotal(shown)
        raise Unsupported(f"the distribution was not shown to have total 1; its total is {shown}")


def _total_under_law(of: Expression, law: IntegrableLaw, here: Context) -> Ratio:
    """The total of an expression times a law."""
    of, found = powers_as_products(of), constant(0)
    for values, part in _finite_cases(law):
        for term in summands(substitute(of, values)):
            found = found + _product_total(term, part, here)
            if any(o.name in names(term) for o in part.outputs) and _has_tangled_outputs(
                term, part
            ):
                _check_finite_mean(term, part, here)
    for at, mass in law.atoms:
        found = found + normal(mass, here) * normal(substitute(of, {law.outputs[0].name: at}), here)
    return found


def _finite_cases(law: IntegrableLaw) -> Iterator[tuple[dict[str, Expression], IntegrableLaw]]:
    """The values of the finite outputs, each with the distribution of the others."""
    finite = [o for o in law.outputs if o.kind == "finite"]
    if prod(len(o.values) for o in finite) > JOINT:
        raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
    for chosen in itertools.product(*(o.values for o in finite)):
        values = {o.name: v for o, v in zip(finite, chosen, strict=True)}
        yield values, law.given(values)


def powers_as_products(e: Expression) -> Expression:
    """e with small whole powers of sums and products as products, so that their factors are
    seen.
    """
    if e.head in ("+", "*"):
        args = tuple(powers_as_products(a) for a in e.args)
        return multiply(*args) if e.head == "*" else Expression("+", args)
    if (
        e.head != "^"
        or e.args[1].head != "number"
        or abs(e.args[1].args[0]) not in range(1, POWER + 1)
    ):
        return e
    base, power = powers_as_products(e.args[0]), int(e.args[1].args[0])
    if power < 0:  # 1/(a^2 b) as 1/a 1/a 1/b, so that divisors are linear where they can be
        return multiply(
            *[reciprocal(f) for f in (base.args if base.head == "*" else (base,))] * -power
        )
    return (
        multiply(*[base] * power)
        if base.head in ("+", "*", "^", "max", "min", "abs", "name")
        else e
    )


def _product_total(term: Expression, law: IntegrableLaw, here: Context) -> Ratio:
    """The total of a product times a law without finite outputs, from the last output to the
    first.
    """
    prefactor, groups = factors_by_output(
        powers_as_products(law.density), tuple(o.name for o in law.outputs)
    )
    left = list(density_factors(term))
    for output, group in reversed(list(zip(law.outputs, groups, strict=True))):
        mine = [f for f in left if output.name in names(f)]
        left = [f for f in left if output.name not in names(f)]
        left.append(
            to_expression(total_over_output(multiply(group, *mine), output, here, law.tick))
        )
    return normal(multiply(prefactor, *left), here)


def _has_tangled_outputs(term: Expression, law: IntegrableLaw) -> bool:
    """True unless every factor of a term times a law mentions at most one output, so that the
    total is a product of totals.
    """
    outputs = frozenset(o.name for o in law.outputs)
    return any(
        len(names(f) & outputs) > 1
        for f in (*density_factors(powers_as_products(law.density)), *density_factors(term))
    )


def _check_finite_mean(term: Expression, law: IntegrableLaw, here: Context) -> None:
    """Passes if E|term| is finite, since it or E[term^2] is known; raises Undecided or Unsupported
    otherwise.

    Totals over one output after the other are those over all at once where |term| has a finite one
    (Fubini); where positive and negative parts of an inner total cancel, its outer total may be
    finite without that.
    """
    missing: Undecided | None = None
    for size in (
        multiply(*(abs(f) for f in density_factors(term))),
        multiply(*density_factors(term), *density_factors(term)),
    ):
        try:
            _product_total(size, law, here)
            return
        except Undecided as why:
            missing = missing or (
                why
                if isinstance(why.guard, Polynomial)
                and polynomial_names(why.guard).isdisjoint(o.name for o in law.outputs)
                else None
            )
        except (Unsupported, ZeroDivisionError):
            continue
    if missing is not None:
        raise missing
    raise Unsupported(f"the mean of |{short_text(str(term))}| is not shown to be finite")


def total_over_output(
    integrand: Expression, output: Output, here: Context, tick: Tick = idle
) -> Ratio:
    """The total of an integrand over one output."""
    ends = _breakpoints(integrand, output, here)
    found = constant(0)
    for i, j, upper in piece_bounds(len(ends)):
        tick()
        low, high = (None if k is None else ends[k] for k in (i, j))
        if low is not None and high is not None and (high - low).is_zero:
            continue
        place = piece_context(output.name, output.kind, ends, upper, here)
        found = found + integral_or_sum(
            normal(integrand, place), output.name, output.kind, (low, high), place
        )
    return found


def _breakpoints(integrand: Expression, output: Output, here: Context) -> tuple[Ratio, ...]:
    """The points between which an integrand keeps its form, in ascending order; poles are among
    them.
    """
    listed = [
        ceiling_if_integer(p, output, here)
        for p in (*output_breakpoints(integrand, output, here), *poles(integrand, output, here))
    ]
    found = sort_in_context(list({p.key: p for p in listed}.values()), here)
    check_ascending(found, here)
    return found


def poles(integrand: Expression, output: Output, here: Context) -> Iterator[Ratio]:
    """Where divisors that mention the output vanish."""
    for node in walk(integrand):
        if (
            node.head == "^"
            and output.name in names(node.args[0])
            and not (node.args[1].head == "number" and node.args[1].args[0] > 0)
        ):
            for linear in unfold_guard(node.args[0], output.name):
                root = linear_root(normal(linear, here), output.name)
                if root is not None:
                    yield root


def _check_nonnegative(law: IntegrableLaw, here: Context) -> None:
    """Passes if the product of prefactor and groups is nowhere negative; raises Undecided or
    SignNotShown otherwise.
    """
    prefactor, groups = factors_by_output(law.density, tuple(o.name for o in law.outputs))
    direction = _common_sign([(prefactor, here)], law)
    for output, group in zip(law.outputs, groups, strict=True):
        ends = _breakpoints(group, output, here)
        direction *= _common_sign(
            [
                (group, piece_context(output.name, output.kind, ends, upper, here))
                for _, _, upper in piece_bounds(len(ends))
            ],
            law,
        )
    if direction < 0:
        raise SignNotShown("the density was not shown to be nonnegative everywhere")


def _common_sign(listed: list[tuple[Expression, Context]], law: IntegrableLaw) -> int:
    """1 if all expressions are >= 0 in their contexts, -1 if all are <= 0; raises Undecided or
    SignNotShown otherwise.
    """
    found = [signs_of(e, place) for e, place in listed]
    for direction in (1, -1):
        if all(-direction not in signs for signs in found):
            return direction
    outputs = frozenset(o.name for o in law.outputs)
    for (e, place), signs in zip(listed, found, strict=True):
        if len(signs) > 1:
            r = normal(e, place)
            missing = _inner_absolute(r, outputs) or next(
                (
                    open_factor(f, place)
                    for f in (r.num, *(f for f, _ in r.den))
                    if len(place.signs(f)) > 1
                ),
                None,
            )
            if missing is not None and polynomial_names(missing).isdisjoint(outputs):
                raise Undecided(missing)
    raise SignNotShown("the density was not shown to be nonnegative everywhere")


def _inner_absolute(r: Ratio, outputs: frozenset[str]) -> Polynomial | None:
    """The innermost argument of an absolute value of r that depends on no output; None if there is
    none.
    """
    listed = (w for p in (r.num, *(f for f, _ in r.den)) for w in absolute_arguments(p))
    return next((w for w in listed if polynomial_names(w).isdisjoint(outputs)), None)
