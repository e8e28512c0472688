"""Mechanisms of IBM's diffprivlib with their laws: `from_diffprivlib(Laplace(epsilon=1, ...))`.

All parameters are public attributes of the objects, and floats, taken for the exact numbers that
they are.  Classes are told by their full name, since a subclass may draw from anything.  Geometric
mechanisms have whole values of at least 0 here.  The objects draw with their own `random_state`;
selections, whose scores belong to the object, are built anew for each list of scores, with the same
generator.

>>> from diffprivlib.mechanisms import Laplace
>>> found = from_diffprivlib(Laplace(epsilon=1, sensitivity=2, random_state=1))
>>> print(found.compare_level())
the stated level 1 is the least level of the law, up to rounding (least level: 1)
>>> print(found.audit([0, 2], size=1000).outcome)
consistent
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from ahdp_verify.auditing import laws
from ahdp_verify.auditing.packaged import PackagedMechanism
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression, exp, log, number
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.sampling.floats import np

READ = "the public attributes of the object"
BALANCED = 1e-9  # relative difference of row sums that count as equal, far above float errors


def from_diffprivlib(mechanism: Any) -> PackagedMechanism:
    """A mechanism of diffprivlib with its law; BadInput for a class that has none here."""
    kind = type(mechanism)
    build = BUILDERS.get(kind.__name__) if kind.__module__.startswith(PACKAGE) else None
    if build is None:
        raise BadInput(
            "mechanism",
            f"no law is known for {one_line(f'{kind.__module__}.{kind.__name__}', 80)}",
            f"use one of {', '.join(sorted(BUILDERS))}, or audit(your mechanism, draws, at)",
        )
    if mechanism.epsilon == float("inf") or getattr(mechanism, "sensitivity", 1) == 0:
        raise BadInput(
            "mechanism", "it adds no noise", "use a finite epsilon and a positive sensitivity"
        )
    return build(mechanism)


PACKAGE = "diffprivlib.mechanisms."


def _exact(value: float) -> Fraction:
    """A float as the exact number that it is."""
    return Fraction(value)


def _label(m: Any) -> str:
    return f"diffprivlib {type(m).__name__}"


def _draws(m: Any, value: Any, size: int) -> list[Any]:
    """Draws of the object."""
    return [m.randomise(value) for _ in range(size)]


def _real(m: Any, law: Mechanism) -> PackagedMechanism:
    """A mechanism over real values."""
    sensitivity = _exact(m.sensitivity)
    return PackagedMechanism(
        _label(m),
        READ,
        law,
        "one",
        m.epsilon,
        lambda value: [Fraction(value) / sensitivity],
        partial(_draws, m),
        m.delta,
    )


def _laplace_scale(m: Any) -> Expression:
    """sensitivity/(epsilon - log(1 - delta)), as documented."""
    eps = number(_exact(m.epsilon))
    rate = eps - log(number(1 - _exact(m.delta))) if m.delta else eps
    return number(_exact(m.sensitivity)) / rate


def _laplace(m: Any) -> PackagedMechanism:
    return _real(m, laws.laplace(_laplace_scale(m), _exact(m.sensitivity)))


def _between(
    law: Callable[[object, Fraction, Fraction, Fraction], Mechanism], m: Any
) -> PackagedMechanism:
    """Laplace noise on [lower, upper]."""
    low, high = _bounds(m)
    return _real(m, law(_laplace_scale(m), _exact(m.sensitivity), low, high))


def _bounds(m: Any) -> tuple[Fraction, Fraction]:
    """The bounds of the outputs; BadInput unless they are finite and different."""
    if not -math.inf < m.lower < m.upper < math.inf:
        raise BadInput(
            "mechanism",
            f"its outputs lie between {m.lower} and {m.upper}",
            "use finite bounds that differ",
        )
    return _exact(m.lower), _exact(m.upper)


def _bounded_domain(m: Any) -> PackagedMechanism:
    if m.delta:
        raise BadInput(
            "mechanism", "its scale is not public where delta is positive", "use delta = 0"
        )
    sensitivity = _exact(m.sensitivity)
    scale = sensitivity / _exact(float(m.effective_epsilon()))
    low, high = _bounds(m)
    return _real(m, laws.bounded_laplace(scale, sensitivity, low, high))


def _bounded_noise(m: Any) -> PackagedMechanism:
    sensitivity, eps = _exact(m.sensitivity), number(_exact(m.epsilon))
    scale = number(sensitivity) / eps
    bound = scale * log(1 + (exp(eps) - 1) / (2 * _exact(m.delta)))
    return _real(m, laws.laplace_of_bounded_noise(scale, sensitivity, bound))


def _uniform(m: Any) -> PackagedMechanism:
    sensitivity = _exact(m.sensitivity)
    return _real(m, laws.uniform(sensitivity / _exact(m.delta) / 2, sensitivity))


def _staircase(m: Any) -> PackagedMechanism:
    law = laws.staircase(_exact(m.epsilon), _exact(m.sensitivity), _exact(m.gamma))
    return _real(m, law)


def _whole(m: Any, law: Mechanism) -> PackagedMechanism:
    """A mechanism over whole values."""
    return PackagedMechanism(
        _label(m),
        READ,
        law,
        "add-remove",
        m.epsilon,
        lambda value: [whole_value(value), *([0] if m.sensitivity > 1 else [])],
        partial(_draws, m),
    )


def whole_value(value: Any) -> int:
    """A whole value of at least 0; BadInput for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadInput(
            "at", f"{str(value)[:40]} is not a count", "give a whole number of at least 0"
        )
    return value


def _rate(m: Any) -> Fraction:
    return _exact(m.epsilon) / int(m.sensitivity)


def _geometric(m: Any) -> PackagedMechanism:
    return _whole(m, laws.geometric(_rate(m), m.sensitivity))


def _whole_between(law: Callable[[object, int, int, int], Mechanism], m: Any) -> PackagedMechanism:
    """Geometric noise on lower, ..., upper."""
    low, high = _bounds(m)
    if low.denominator > 1 or high.denominator > 1:
        raise BadInput("mechanism", "its bounds are not whole", "use whole bounds")
    return _whole(m, law(_rate(m), m.sensitivity, int(low), int(high)))


def _within_bounds(build: Callable[[Any], PackagedMechanism], m: Any) -> PackagedMechanism:
    """A mechanism that folds: its law is filled in for values within the bounds, since one outside
    is reflected too, and not moved to the nearest bound.
    """
    found = build(m)

    def dataset(value: Any) -> object:
        """The input of the law; BadInput for a value outside the bounds."""
        if not m.lower <= value <= m.upper:
            raise BadInput(
                "at",
                f"{value} is not between {m.lower} and {m.upper}",
                "give a value within the bounds of the mechanism",
            )
        return found.dataset(value)

    return replace(found, dataset=dataset)


def _binary(m: Any) -> PackagedMechanism:
    values, weight = (m.value0, m.value1), exp(number(_exact(m.epsilon)))
    law = laws.response(values, weight / (1 + weight))
    return _labels(m, law)


def _labels(m: Any, law: Mechanism) -> PackagedMechanism:
    """A mechanism over labels."""
    return PackagedMechanism(
        _label(m), READ, law, "any", m.epsilon, lambda value: value, partial(_draws, m)
    )


def _categorical(m: Any) -> PackagedMechanism:
    """As documented: the weight is exp(-epsilon utility/(2 sensitivity)), without the 2 if all rows
    have the same sum then.
    """
    utility = {frozenset(pair): _exact(u) for *pair, u in m.utility_list}
    values = sorted({v for pair in utility for v in pair})
    largest, eps = max(utility.values()), _exact(m.epsilon)

    def rows(halving: int) -> list[list[Expression]]:
        """The weights of all pairs."""
        return [
            [
                exp(number(-eps * utility.get(frozenset((a, b)), 0) / largest / halving))
                for b in values
            ]
            for a in values
        ]

    sums = [
        sum(
            float(np.exp(-float(eps * utility.get(frozenset((a, b)), 0) / largest))) for b in values
        )
        for a in values
    ]
    balanced = max(sums) - min(sums) <= BALANCED * max(sums)
    return _labels(m, laws.categorical(values, rows(1 if balanced else 2)))


def _selection(m: Any, *, flip: bool) -> PackagedMechanism:
    """A selection by scores: q[i] is score i in units of the sensitivity."""
    if getattr(m, "measure", None) is not None:
        raise BadInput("mechanism", "it weights its candidates", "use measure=None")
    sensitivity, monotonic = _exact(m.sensitivity), bool(m.monotonic)
    rate = number(_exact(m.epsilon) / (1 if monotonic else 2))
    source = m.random_state
    if isinstance(source, int):
        source = np.random.RandomState(source)

    def drawn(scores: Sequence[float], size: int) -> list[int]:
        """Draws of the same mechanism with these scores."""
        again = type(m)(
            epsilon=m.epsilon,
            sensitivity=m.sensitivity,
            utility=list(scores),
            monotonic=m.monotonic,
            random_state=source,
        )
        return [again.randomise() + 1 for _ in range(size)]

    n = len(m.utility)
    return PackagedMechanism(
        _label(m),
        READ,
        laws.selection(n, rate, flip=flip),
        "increasing" if monotonic else "all",
        m.epsilon,
        lambda scores: [Fraction(u) / sensitivity for u in scores],
        drawn,
        others={
            "the exponential mechanism" if flip else "permute-and-flip": laws.selection(
                n, rate, flip=not flip
            )
        },
    )


BUILDERS: Mapping[str, Callable[[Any], PackagedMechanism]] = {
    "Laplace": _laplace,
    "LaplaceTruncated": partial(_between, laws.clamped_laplace),
    "LaplaceFolded": partial(_within_bounds, partial(_between, laws.folded_laplace)),
    "LaplaceBoundedDomain": _bounded_domain,
    "LaplaceBoundedNoise": _bounded_noise,
    "Uniform": _uniform,
    "Staircase": _staircase,
    "Geometric": _geometric,
    "GeometricTruncated": partial(_whole_between, laws.clamped_geometric),
    "GeometricFolded": partial(_within_bounds, partial(_whole_between, laws.folded_geometric)),
    "Binary": _binary,
    "Exponential": partial(_selection, flip=False),
    "PermuteAndFlip": partial(_selection, flip=True),
    "ExponentialCategorical": _categorical,
    "ExponentialHierarchical": _categorical,
}
