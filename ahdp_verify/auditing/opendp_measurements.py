"""Measurements of OpenDP with their laws: `from_opendp(dp.m.make_laplace(...))`.

A measurement is a closure that reveals its domains, its metric and its privacy map, and not its
noise.  What its constructor was given is kept beside it, to be written to a file
(`__opendp_dict__`): the adapter reads that, so it knows what was asked for, and the audit tells
whether that is what is drawn.  A chain of a transformation and a measurement, or a measurement from
a file of your own, does not say which noise it has: audit its last measurement, or give `audit` a
mechanism yourself.  One move is a distance of 1 in the input metric; `map(1)` is the level that the
package states for it.  OpenDP takes no seeds.

>>> import opendp.prelude as dp
>>> dp.enable_features("contrib")
>>> coin = from_opendp(dp.m.make_randomized_response_bool(prob=0.75))
>>> print(coin.compare_level())
the stated level 1.09861 is the least level of the law, up to rounding (least level: log(3))
>>> print(coin.audit([True, False], size=200).outcome)
consistent
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ahdp_verify.auditing import laws
from ahdp_verify.auditing.diffprivlib_mechanisms import whole_value
from ahdp_verify.auditing.packaged import PackagedMechanism
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import number
from ahdp_verify.kernel.terms.printing import one_line

READ = "the arguments of its constructor, which the measurement keeps"
PURE = "MaxDivergence"
Given = Mapping[str, Any]


def from_opendp(measurement: Any, candidates: int | None = None) -> PackagedMechanism:
    """A measurement of OpenDP with its law; BadInput for one that has none here.

    candidates  how many scores a selection gets, where its domain does not state that
    """
    kept = getattr(measurement, "__opendp_dict__", None)
    if not isinstance(kept, Mapping) or "__function__" not in kept:
        raise BadInput(
            "measurement",
            f"a {type(measurement).__name__} does not say how it was made",
            "give what a constructor such as dp.m.make_laplace returned",
        )
    constructor = str(kept["__function__"])
    build = BUILDERS.get(constructor)
    if build is None:
        raise BadInput(
            "measurement",
            f"no law is known for {one_line(constructor, 60)}",
            f"use one of {', '.join(sorted(BUILDERS))}, or audit(your mechanism, draws, at)",
        )
    given = dict(kept["__kwargs__"])
    return build(measurement, given, f"OpenDP {constructor}", candidates)


def _pure(given: Given) -> None:
    """Passes, or raises BadInput for a measure other than pure privacy."""
    measure = str(given.get("MO", PURE))
    if measure != PURE:
        raise BadInput("measurement", f"its measure is {measure}", f"use {PURE}")


def _noise(
    measurement: Any, given: Given, label: str, law_of: Callable[[Any, bool], Mechanism]
) -> PackagedMechanism:
    """Noise on a number, or on every coordinate of a vector: then a vector of equal numbers gives
    many draws at once.
    """
    _pure(given)
    domain = str(given["input_domain"])
    whole, vector = "T=i" in domain or "T=u" in domain, domain.startswith("VectorDomain")
    kind = int if whole else float

    def drawn(value: Any, size: int) -> list[Any]:
        """Draws of the measurement."""
        if vector:
            return list(measurement([kind(value)] * size))
        return [measurement(kind(value)) for _ in range(size)]

    return PackagedMechanism(
        f"{label} on {'whole numbers' if whole else 'floats'}{', by coordinate' if vector else ''}",
        READ,
        law_of(given["scale"], whole),
        "add-remove" if whole else "one",
        float(measurement.map(kind(1))),
        (lambda value: [whole_value(value)]) if whole else (lambda value: [Fraction(value)]),
        drawn,
    )


def _scale(given: Given) -> Fraction:
    """The scale as the exact number that it is; BadInput where there is no noise."""
    if not given["scale"] > 0:
        raise BadInput("measurement", "its scale is 0: it adds no noise", "use a positive scale")
    return Fraction(given["scale"])


def _laplace(
    measurement: Any, given: Given, label: str, candidates: int | None
) -> PackagedMechanism:
    if given.get("k") is not None:
        raise BadInput("measurement", "its output is rounded to multiples of 2^k", "leave k out")
    b = _scale(given)

    def law_of(_: Any, whole: bool) -> Mechanism:
        """Discrete on whole numbers."""
        return laws.geometric(1 / b, 1) if whole else laws.laplace(b, 1)

    return _noise(measurement, given, label, law_of)


def _geometric(
    measurement: Any, given: Given, label: str, candidates: int | None
) -> PackagedMechanism:
    """With bounds, a value outside is moved into them before the noise is added, and the noisy
    value after: the first is not in the documentation, and is what OpenDP 0.16 draws.
    """
    rate, bounds = 1 / _scale(given), given.get("bounds")
    law = (
        laws.geometric(rate, 1)
        if bounds is None
        else laws.clamped_geometric(rate, 1, int(bounds[0]), int(bounds[1]), before=True)
    )
    return _noise(measurement, given, label, lambda _scale, _whole: law)


def _response(
    values: Sequence[Any], measurement: Any, label: str, keep: float
) -> PackagedMechanism:
    """Randomised response over labels, whole numbers or truth values."""
    numbers = all(isinstance(v, int | float) for v in values)

    def plain(value: Any) -> Any:
        """A value as the law has it: a truth value is 0 or 1."""
        return int(value) if isinstance(value, bool) else value

    if not numbers and not all(isinstance(v, str) for v in values):
        raise BadInput("measurement", "its categories are neither texts nor numbers", "use texts")
    return PackagedMechanism(
        label,
        READ,
        laws.response([plain(v) for v in values], number(Fraction(keep))),
        "any",
        float(measurement.map(1)),
        plain,
        lambda value, size: [plain(measurement(value)) for _ in range(size)],
    )


def _response_bool(
    measurement: Any, given: Given, label: str, candidates: int | None
) -> PackagedMechanism:
    return _response([False, True], measurement, label, given["prob"])


def _response_values(
    measurement: Any, given: Given, label: str, candidates: int | None
) -> PackagedMechanism:
    return _response(list(given["categories"]), measurement, label, given["prob"])


def _selection(
    measurement: Any, label: str, rate: Fraction, n: int, *, flip: bool, least: bool
) -> PackagedMechanism:
    """A selection by scores of which each may move by 1."""
    whole = "T=i" in str(measurement.input_domain)
    kind = int if whole else float
    pure = str(measurement.output_measure) == PURE
    law, sibling = (
        laws.selection(n, number(rate), flip=each, least=least) for each in (flip, not flip)
    )

    def drawn(scores: Sequence[Any], size: int) -> list[int]:
        """Draws of the measurement, as numbers from 1."""
        given = [kind(u) for u in scores]
        return [measurement(given) + 1 for _ in range(size)]

    return PackagedMechanism(
        label,
        READ,
        law,
        "all",
        float(measurement.map(kind(1))) if pure else None,
        lambda scores: [Fraction(u) for u in scores],
        drawn,
        others={"the exponential mechanism" if flip else "permute-and-flip": sibling},
    )


def _count(given: Given, candidates: int | None) -> int:
    """How many scores a selection gets."""
    text = str(given["input_domain"])
    stated = text.rpartition("size=")[2].rstrip(")") if "size=" in text else ""
    if candidates is None and not stated.isdigit():
        raise BadInput(
            "candidates",
            "the domain of the measurement does not state how many scores there are",
            "give from_opendp(measurement, candidates=3)",
        )
    return int(stated) if candidates is None else candidates


def _noisy_max(
    measurement: Any, given: Given, label: str, candidates: int | None
) -> PackagedMechanism:
    """Documented as permute-and-flip (exponential noise) for pure privacy, and as Gumbel noise, the
    exponential mechanism, for zero-concentrated privacy.
    """
    return _selection(
        measurement,
        label,
        1 / _scale(given),
        _count(given, candidates),
        flip=str(given["output_measure"]) == PURE,
        least=bool(given["negate"]),
    )


def _gumbel(
    measurement: Any, given: Given, label: str, candidates: int | None
) -> PackagedMechanism:
    """Documented as Gumbel noise: the exponential mechanism."""
    return _selection(
        measurement,
        label,
        1 / _scale(given),
        _count(given, candidates),
        flip=False,
        least=given["optimize"] == "min",
    )


BUILDERS: Mapping[str, Callable[[Any, Given, str, int | None], PackagedMechanism]] = {
    "make_laplace": _laplace,
    "make_geometric": _geometric,
    "make_randomized_response_bool": _response_bool,
    "make_randomized_response": _response_values,
    "make_noisy_max": _noisy_max,
    "make_report_noisy_max_gumbel": _gumbel,
}
