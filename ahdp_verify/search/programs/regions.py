"""Paths that may be treated as one, and paths that no noise takes.

A loop that keeps the best value so far has 2^(n-1) paths and n outputs; the paths of an output fill
one polyhedron up to ties, in which shifting noises is cheaper than on each path alone.

>>> from ahdp_verify.kernel.model.linear_form import LinearForm
>>> larger = LinearForm.of({"x": Fraction(1), "y": Fraction(-1)})
>>> rows = (Row(larger, False), Row(-larger, True))
>>> [(i, str(c)) for i, c in contradiction(rows)]
[(0, '1'), (1, '1')]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ahdp_verify.kernel.evidence.alignment import Region
from ahdp_verify.kernel.model.program_paths import Path, Row
from ahdp_verify.kernel.terms.expression import ONE, ZERO
from ahdp_verify.search.solvers.linear_programme import Programme

Side = tuple[tuple[str, Fraction], ...]
Gap = tuple[Side, Side]  # the first side is at least the second
MANY = 2000  # paths that are merged at most; each pair of regions is compared


def contradiction(rows: Sequence[Row]) -> tuple[tuple[int, Fraction], ...]:
    """Rows, by index, with positive factors, that add up to a negative constant, or to 0 with a
    strict row; () if none were found.  Rows with a constant that is not a number are left out.
    """
    usable = [
        (i, row.form.constant.args[0])
        for i, row in enumerate(rows)
        if row.form.constant.head == "number"
    ]
    for strict in (True, False):
        programme = Programme()
        for i, _ in usable:
            programme.variable(i, low=0, cost=1.0)
        for key in sorted({key for i, _ in usable for key, _ in rows[i].form.terms}):
            terms = {i: dict(rows[i].form.terms).get(key, Fraction(0)) for i, _ in usable}
            programme.equal(terms, Fraction(0))
        constants = {i: c for i, c in usable if c}
        if strict:
            programme.equal(constants, Fraction(0))
            programme.at_least({i: Fraction(1) for i, _ in usable if rows[i].strict}, Fraction(1))
        else:
            programme.at_least({i: -c for i, c in constants.items()}, Fraction(1))
        found = programme.solve()
        if found is not None:
            return tuple((int(str(i)), c) for i, c in found.items() if c > 0)
    return ()


def merged_regions(paths: Sequence[Path]) -> tuple[Region, ...]:
    """The regions into which all paths are merged, one for each output; () where they cannot be."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, path in enumerate(paths):
        groups.setdefault(path.items, []).append(i)
    if len(groups) == len(paths) or len(paths) > MANY or len({p.draws for p in paths}) > 1:
        return ()
    if any(p.probability != ONE for p in paths):
        return ()
    regions = [_region(paths, members) for members in groups.values()]
    return tuple(r for r in regions if r is not None) if all(regions) else ()


def _region(paths: Sequence[Path], members: list[int]) -> Region | None:
    implied = [_implied(paths[i].rows) for i in members]
    common = sorted(set.intersection(*(set(table) for table in implied)))
    if not common:
        return None
    return Region(tuple(members), tuple(tuple(table[gap] for gap in common) for table in implied))


def _implied(rows: Sequence[Row]) -> dict[Gap, tuple[int, ...]]:
    """The differences that follow from rows without constants by adding them up along chains, with
    the rows of a shortest chain.
    """
    steps: dict[Side, list[tuple[Side, int]]] = {}
    for i, row in enumerate(rows):
        if row.form.constant == ZERO:
            more = tuple((k, c) for k, c in row.form.terms if c > 0)
            less = tuple((k, -c) for k, c in row.form.terms if c < 0)
            steps.setdefault(more, []).append((less, i))
    found: dict[Gap, tuple[int, ...]] = {}
    for first in steps:
        todo: list[tuple[Side, tuple[int, ...]]] = [(first, ())]
        for side, chain in todo:  # grows as it is gone through: breadth first
            for less, i in steps.get(side, ()):
                if (first, less) not in found:
                    found[first, less] = (*chain, i)
                    todo.append((less, (*chain, i)))
    return found
