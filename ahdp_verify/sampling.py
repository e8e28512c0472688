"""Draws from the very law that was verified.

The law at one input with concrete parameters is worked out exactly, then drawn from: finite outputs from their joint table, others one
after the other, each from its own factor of the law, in which earlier outputs may occur.  Nothing here is part of a proof.  Needs numpy.

>>> from ahdp_verify.domain import Domain, Multiset
>>> from ahdp_verify.expression import Abs, exp
>>> from ahdp_verify.mechanism import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> round(float(sample(M, Multiset(W, [3]), size=4000, rng=1).mean()), 1)
3.0
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import Any

from ahdp_verify.context import normal
from ahdp_verify.counterexample import Counterexample, check_conditions, law_at
from ahdp_verify.draws import EMPTY, FAR, array, draw_one, generator, plain, rounded, shares, total_of
from ahdp_verify.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.event import JOINT
from ahdp_verify.expression import Expression, eq, multiply, name, names, number, piecewise, substitute
from ahdp_verify.inputs import question
from ahdp_verify.integrate import grouped
from ahdp_verify.mechanism import Mechanism, Output
from ahdp_verify.privacy import Claim

MOST = 10_000_000  # draws at once
NEAR = 1e-9  # relative difference of totals that are the same
PROBES = (0, 3, -5)  # whole, so that they are values of whole outputs too
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Law:
    """The law of a mechanism at one input: only the outputs are left as names."""

    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...]

    def draw(self, rng: Any, n: int) -> list[Row]:
        """n independent draws, each a table output -> value."""
        if self.atoms:
            return self._with_atoms(rng, n)
        if all(o.kind == "finite" for o in self.outputs) and self._combinations <= JOINT:
            return self._joint(rng, n)
        _, groups = grouped(self.density, tuple(o.name for o in self.outputs))
        rows: list[Row] = [{} for _ in range(n)]
        for i, (output, group) in enumerate(zip(self.outputs, conditional(groups, self.outputs), strict=True)):
            earlier = [o.name for o in self.outputs[:i] if o.name in names(group)]
            for given, members in _alike(rows, earlier):
                values = draw_one(substitute(group, given), output)(rng, len(members))
                for row, value in zip(members, values, strict=True):
                    row[output.name] = value
        return rows

    @property
    def _combinations(self) -> int:
        return math.prod(len(o.values) for o in self.outputs)

    def _joint(self, rng: Any, n: int) -> list[Row]:
        outcomes = list(itertools.product(*(o.values for o in self.outputs)))
        listed = [o.name for o in self.outputs]
        weights = [rounded(normal(substitute(self.density, dict(zip(listed, outcome, strict=True))), EMPTY)) for outcome in outcomes]
        shown = [tuple(plain(v) for v in outcome) for outcome in outcomes]
        return [dict(zip(listed, shown[i], strict=True)) for i in rng.choice(len(outcomes), n, p=shares(weights))]

    def _with_atoms(self, rng: Any, n: int) -> list[Row]:
        masses = [rounded(normal(mass, EMPTY)) for _, mass in self.atoms]
        rest = max(0.0, 1 - sum(masses))
        chosen = rng.choice(len(masses) + 1, n, p=shares([*masses, rest if rest > FAR else 0.0]))
        only = self.outputs[0].name
        continuous = iter(draw_one(self.density, self.outputs[0])(rng, k) if (k := int((chosen == len(masses)).sum())) else [])
        return [{only: next(continuous) if i == len(masses) else Atom(self.atoms[i][0])} for i in chosen]


def conditional(groups: Iterable[Expression], outputs: tuple[Output, ...]) -> list[Expression]:
    """The groups, each of which is the law of its own output given the earlier ones, up to a constant.

    From the last on, the total of a group over its output, where it hangs on earlier finite outputs, goes to the group of the last of
    these: the 1/(1 + b) of exp(-|s|/(1 + b))/(1 + b) mentions b alone, and yet belongs to the law of s.
    """
    listed = list(groups)
    for i in reversed(range(len(outputs))):
        finite = [o for o in outputs[:i] if o.kind == "finite" and o.name in names(listed[i])]
        others = [o.name for o in outputs[:i] if o.kind != "finite" and o.name in names(listed[i])]
        if not finite and not others:
            continue
        if math.prod(len(o.values) for o in finite) > JOINT:
            raise Unsupported(f"there are more than {JOINT} combinations of finite outputs")
        assignments = [dict(zip((o.name for o in finite), values, strict=True)) for values in itertools.product(*(o.values for o in finite))]
        totals = [_total(substitute(listed[i], put), outputs[i], others) for put in assignments]
        if not all(math.isclose(total, totals[0], rel_tol=NEAR) for total in totals):
            cases = [(number(Fraction(total)), reduce(and_, (eq(name(k), v) for k, v in put.items()))) for total, put in zip(totals, assignments, strict=True)]
            last = outputs.index(finite[-1])
            listed[last] = multiply(listed[last], piecewise(*cases[:-1], (cases[-1][0], True)))
    return listed


def _total(law: Expression, output: Output, others: list[str]) -> float:
    """The total of a law over its output; Unsupported where it hangs on earlier outputs that are not finite, seen at three values of them."""
    found = [total_of(substitute(law, dict.fromkeys(others, number(at))), output) for at in (PROBES if others else PROBES[:1])]
    if not math.isfinite(found[0]):
        raise Unsupported(f"the total over {output.name} is not finite")
    if not all(math.isclose(total, found[0], rel_tol=NEAR) for total in found):
        raise Unsupported(f"the total over {output.name} hangs on {', '.join(others)}")
    return found[0]


@dataclass(frozen=True, slots=True)
class Atom:
    """A drawn atom, which is not the same as a real output of that value."""

    at: Expression


def _alike(rows: list[Row], earlier: list[str]) -> Iterator[tuple[dict[str, Expression], list[Row]]]:
    """The rows grouped by the values of earlier outputs, with these as exact expressions."""
    table: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        table.setdefault(tuple(row[k] for k in earlier), []).append(row)
    for key, members in table.items():
        yield {k: exact(v) for k, v in zip(earlier, key, strict=True)}, members


def exact(value: Any) -> Expression:
    """A drawn value as an expression."""
    return Expression("label", (value,)) if isinstance(value, str) else number(Fraction(value))


def law_of(claim: Claim, example: Counterexample, side: tuple[Expression, ...]) -> Law:
    """The law at one side of an example; BadInput where the mechanism has none there."""
    try:
        check_conditions(claim, example)
        density, atoms = law_at(claim, example, side)
    except (Rejected, Undecided, Unsupported) as why:
        raise BadInput("sampling", str(why), "choose another input or other parameters") from None
    except ZeroDivisionError:
        raise BadInput("sampling", "the law divides by 0 at this input", "choose another input") from None
    return Law(claim.mechanism.outputs, density, atoms)


def drawn(law: Law, rng: Any, n: int) -> list[Row]:
    """Draws from a law; BadInput where it has no form that can be drawn from."""
    if not 0 <= n <= MOST:
        raise BadInput("size", f"{n} draws at once", f"ask for 0 to {MOST}")
    try:
        return law.draw(rng, n)
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise BadInput("sampling", f"this law cannot be drawn from ({why})", "laws that are sums of exponentials between finitely many points can") from None


def sample(mechanism: Mechanism, dataset: object, size: int | None = None, rng: object = None, parameters: Mapping[str, object] | None = None) -> Any:
    """Independent draws from the mechanism's law at one input, as a numpy array; a dict of arrays for several outputs, one value without a size.

    dataset     a Multiset or a list of records (of a universal domain: tables of its unknowns), one of the values, or a list of query answers
    size        how many draws; None for one, as a plain value
    rng         a numpy Generator, a seed, or None for a new one
    parameters  the values of the mechanism's parameters, exact numbers or texts
    Raises BadInput for a missing parameter, an input that the mechanism does not take, and laws without a form that can be drawn from.
    """
    claim, example = question(mechanism, dataset, parameters or {})
    rows = drawn(law_of(claim, example, example.before), generator(rng), 1 if size is None else whole_number(size))
    shown = {o.name: [v.at if isinstance(v := row[o.name], Atom) else v for row in rows] for o in mechanism.outputs}
    columns = {k: [plain(v) if isinstance(v, Expression) else v for v in column] for k, column in shown.items()}
    if size is None:
        first = {k: column[0] for k, column in columns.items()}
        return first if len(first) > 1 else next(iter(first.values()))
    arrays = {k: array(column) for k, column in columns.items()}
    return arrays if len(arrays) > 1 else next(iter(arrays.values()))


def whole_number(size: object) -> int:
    """A number of draws; BadInput for anything else."""
    if not isinstance(size, int) or isinstance(size, bool):
        raise BadInput("size", f"{str(size)[:40]} is no number of draws", "give a whole number, or None for one draw")
    return size
