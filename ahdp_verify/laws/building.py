"""Mechanisms made of laws: each output has its own, given the input and the outputs before it.

The density of the whole is the product, so independent noise and noise that depends on an earlier
output are written alike.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.laws.noise import laplace
>>> W = Domain([(0, 1), (1, 1)])
>>> both = mechanism(W, {"n": laplace(W.size, 2), "s": laplace(W.sum(lambda x, eps: x), 2)})
>>> print(both.density)
exp(-abs(n - size)/2)*exp(-abs(s - sum(x))/2)/16
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.terms.expression import (
    Expression,
    multiply,
    name,
    names,
    substitute,
)
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.laws.law import Law

Laws = Law | Sequence[Law] | Mapping[str, Law | Sequence[Law]]
SHOWN = 3  # laws that the name of a mechanism lists
MOST = 1000  # copies of one mechanism
POINTS = "points of mass are supported with one output only"


def mechanism(
    inputs: Inputs,
    laws: Laws,
    *,
    name: str = "",
    parameters: Mapping[str, object] | None = None,
    defined: object = None,
) -> Mechanism:
    """The mechanism whose outputs have these laws.

    inputs       Domain, Queries or Values
    laws         one law, of the output s; or a list, of s[1], s[2], ...; or a table from names of
                 outputs to laws or lists of laws.  A law may use the outputs above it
    name         what messages call it; the laws themselves, unless given
    parameters   names with conditions
    defined      the condition on datasets under which it is defined
    """
    given = laws_by_output(laws)
    outputs = [Output(key, law.kind, law.values) for key, law in given.items()]
    return Mechanism(
        inputs,
        outputs=outputs,
        density=joint_density(given),
        atoms=atoms_of(given),
        parameters=parameters or {},
        defined=defined,
        name=name or _title(given),
    )


def _title(laws: Mapping[str, Law]) -> str:
    """The first laws, and how many there are."""
    first = ", ".join(str(law) for law in list(laws.values())[:SHOWN])
    return first + (f", ... ({len(laws)} outputs)" if len(laws) > SHOWN else "")


def laws_by_output(laws: Laws) -> dict[str, Law]:
    """The laws by the names of their outputs; BadInput for anything that is not a law."""
    table = laws if isinstance(laws, Mapping) else {"s": laws}
    given: dict[str, Law] = {}
    for key, found in table.items():
        if isinstance(found, Law):
            given[str(key)] = found
        elif isinstance(found, Sequence) and found and all(isinstance(e, Law) for e in found):
            given |= {f"{key}[{i}]": each for i, each in enumerate(found, 1)}
        else:
            raise BadInput(
                f"law of {str(key)[:60]}",
                f"{str(found)[:60]} is not a law",
                "write for example laplace(location, scale)",
            )
    return given


def joint_density(laws: Mapping[str, Law]) -> Expression:
    """The product of the densities; BadInput if a law uses an output that is not above it."""
    factors, later = [], set(laws)
    for key, law in laws.items():
        factor = law.density(name(key))
        if forward := names(factor) & (later - {key}):
            raise BadInput(
                f"law of {display_name(key)}",
                f"it uses the output {display_name(min(forward))}, which is below it",
                "put that output first",
            )
        factors.append(factor)
        later.discard(key)
    return multiply(*factors)


def atoms_of(laws: Mapping[str, Law]) -> tuple[tuple[Expression, Expression], ...]:
    """The points of mass; BadInput if there are any beside a second output."""
    for key, law in laws.items():
        if law.atoms and len(laws) > 1:
            raise BadInput(
                f"law of {display_name(key)}",
                f"{law} has points of mass, and {POINTS}",
                "round it before it is clamped, or make each output a part of its own",
            )
    return tuple(pair for law in laws.values() for pair in law.atoms)


def repeat(once: Mechanism, times: int, *, name: str = "") -> Mechanism:
    """The mechanism run so many times on one input, with fresh randomness each time.

    The output s becomes s[1], ..., s[times]; s[1] and s[2] become s[1], ..., s[2 times], run by
    run.  A level adds up: k runs of a mechanism with level a have level k a.

    >>> from ahdp_verify.kernel.model.domain import Queries
    >>> from ahdp_verify.laws.noise import laplace
    >>> from ahdp_verify.kernel.terms.expression import name
    >>> print(repeat(mechanism(Queries(1), laplace(name("q[1]"), 2)), 2).density)
    exp(-abs(s[1] - q[1])/2)*exp(-abs(s[2] - q[1])/2)/16
    """
    if not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= MOST:
        raise BadInput("repeat", f"{str(times)[:40]} is not a number of runs", f"use 1 to {MOST}")
    if once.atoms and times > 1:
        raise BadInput(
            "repeat",
            f"{once} has points of mass, and {POINTS}",
            "write it as parts that are composed",
        )
    outputs = tuple(o for run in range(times) for o in _outputs_of_run(once.outputs, run))
    factors = [substitute(once.density, _renaming(once.outputs, run)) for run in range(times)]
    return Mechanism.derived(
        once.inputs,
        outputs=_in_order(outputs),
        density=multiply(*factors),
        atoms=once.atoms if times == 1 else (),
        parameters=once.parameters,
        defined=once.defined,
        name=name or f"{once.name or once} ({times} times)",
    )


def _outputs_of_run(outputs: Sequence[Output], run: int) -> Iterable[Output]:
    renamed = _renaming(outputs, run)
    return (Output(str(renamed[o.name].args[0]), o.kind, o.values) for o in outputs)


def _renaming(outputs: Sequence[Output], run: int) -> dict[str, Expression]:
    """The names of the outputs in one run, counted from 0."""
    bases = [o.name.split("[")[0] for o in outputs]
    table: dict[str, Expression] = {}
    for o, base in zip(outputs, bases, strict=True):
        part = int(o.name.partition("[")[2].rstrip("]") or 1)
        table[o.name] = name(f"{base}[{run * bases.count(base) + part}]")
    return table


def _in_order(outputs: Sequence[Output]) -> list[Output]:
    """The outputs with the parts of one name together."""
    bases = list(dict.fromkeys(o.name.split("[")[0] for o in outputs))
    return [o for base in bases for o in outputs if o.name.split("[")[0] == base]
