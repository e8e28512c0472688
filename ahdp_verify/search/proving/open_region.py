"""What is left of a requirement that was not proved: where, and by how much it is positive there.

Where the facts put all names between constants, the box is covered as far as possible: what is left
are the pieces, no wider than a hundredth of the box, on which neither a ball nor slopes decide.
The gap is the least value that is found in floating point; where that is 0, or close to it, the
requirement is tight there, and no number of pieces would show it.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition, normal
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> here = assume_condition(parse("0 <= x and x <= 1"), Context.empty())
>>> print(open_region_text(normal(parse("(sin(3*x) - 1/2)^2"), here).num, ">=", here))
shown but for 0.15625 <= x <= 0.1875 and 0.859375 <= x <= 0.890625; the least value found is 0, at x = 0.873
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.derivative import ratio_derivative
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.regions import (
    Ends,
    Slopes,
    constant_ends,
    kept_directions,
    open_parts,
)
from ahdp_verify.kernel.terms.expression import Expression, names
from ahdp_verify.search.floating_point import WITHOUT_VALUE, FloatFunction, float_function
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.regions import DRAWN, NOT_FOUND, ROUNDS, SHRINK, least_point

PIECES = 2000  # pieces that are examined; each takes about a millisecond
FACE = 40  # pieces of one face
NARROW = 0.02  # width of a piece that is not cut again, in widths of the box
FEW = 3  # intervals that are listed
FAR = 20.0  # values of a name without bounds between which the least value is looked for
Piece = dict[str, Ends]


def open_region_text(p: Polynomial, relation: str, here: Context) -> str:
    """Which part of the box is left of p >= 0 (or > 0), and the least value that is found."""
    names = sorted(algebra.polynomial_names(p))
    if not names:
        return f"it is {_rounded(least_point(p, {})[1])}"
    bounds = {n: _float_ends(n, here) for n in names}
    point, value = least_point(p, bounds)
    found = f"the least value found is {_rounded(value)}, at {_place(point)}"
    if not math.isfinite(value):
        found = "no value of it was found in floating point"
    left = _left(p, relation, here)
    return f"shown but for {left}; {found}" if left else found


def _float_ends(name: str, here: Context) -> tuple[float, float]:
    try:
        low, high = constant_ends(name, here)
        return float(enclose(low)[0]), float(enclose(high)[1])
    except NOT_FOUND:
        return _one_end(name, here)


def _one_end(name: str, here: Context) -> tuple[float, float]:
    """The ends of a name that constants bound on one side at most."""
    low, high = -FAR, FAR
    for fact in here.facts:
        parts = algebra.linear_coefficients(fact.polynomial, name)
        c = parts[0].as_rational if parts else None
        if parts and c and not algebra.polynomial_names(parts[1]):
            try:
                end = float(enclose(Ratio(parts[1]).scale(-1 / c))[0])
            except NOT_FOUND:
                continue
            low, high = (end, end + 2 * FAR) if c > 0 else (end - 2 * FAR, end)
    return low, high


def _left(p: Polynomial, relation: str, here: Context) -> str:
    """The pieces that are left; empty where names have no constant bounds, or all is left."""
    names = sorted(algebra.polynomial_names(p))
    slopes: Slopes = {}
    try:
        whole = {n: constant_ends(n, here) for n in names}
        for n in names:
            slopes[n] = ratio_derivative(Ratio(p), n), kept_directions(n, here)
    except (Rejected, Unsupported):
        return ""
    pieces = list(_narrow_pieces(p, relation, slopes, whole, here))
    if not pieces or len(names) > 2:
        return ""
    return " and ".join(
        " and ".join(f"{_rounded(a)} <= {n} <= {_rounded(b)}" for n, (a, b) in box.items())
        for box in _joined(pieces)[:FEW]
    )


def _narrow_pieces(
    p: Polynomial, relation: str, slopes: Slopes, whole: Piece, here: Context
) -> Iterator[dict[str, tuple[float, float]]]:
    """The pieces that are not decided, in floats."""
    widths = {n: _width(ends) for n, ends in whole.items()}
    waiting = [whole]
    for _ in range(PIECES):
        if not waiting:
            return
        piece = waiting.pop()
        parts = _parts(p, relation, slopes, piece, here)
        if len(parts) == 1 and _is_settled(p, relation, slopes, parts[0], here):
            continue
        if len(parts) == 1 or (
            parts and all(_width(ends) <= NARROW * widths[n] for n, ends in piece.items())
        ):
            yield _floats(piece)
        else:
            waiting += parts
    yield from map(_floats, waiting)


def _parts(
    p: Polynomial, relation: str, slopes: Slopes, piece: Piece, here: Context
) -> list[Piece]:
    """What is left of a piece: the piece itself where p fails at a corner of it."""
    try:
        return open_parts(p, relation, slopes, piece, here)
    except (Rejected, Undecided, Unsupported, ZeroDivisionError):
        return [piece]


def _is_settled(p: Polynomial, relation: str, slopes: Slopes, face: Piece, here: Context) -> bool:
    """Whether p has the sign on all of a face."""
    waiting = [face]
    for _ in range(FACE):
        if not waiting:
            return True
        piece = waiting.pop()
        parts = _parts(p, relation, slopes, piece, here)
        if parts == [piece]:
            return False
        waiting += parts
    return not waiting


def _floats(piece: Piece) -> dict[str, tuple[float, float]]:
    return {n: (float(enclose(a)[0]), float(enclose(b)[1])) for n, (a, b) in piece.items()}


def _width(ends: Ends) -> float:
    return float(enclose(ends[1])[1]) - float(enclose(ends[0])[0])


def _joined(pieces: list[dict[str, tuple[float, float]]]) -> list[dict[str, tuple[float, float]]]:
    """Neighbouring intervals of one name put together; of two names, the box around all pieces."""
    names = list(pieces[0])
    if len(names) > 1:
        return [{n: (min(b[n][0] for b in pieces), max(b[n][1] for b in pieces)) for n in names}]
    (n,) = names
    found: list[tuple[float, float]] = []
    for a, b in sorted(box[n] for box in pieces):
        if found and a <= found[-1][1]:
            found[-1] = found[-1][0], max(b, found[-1][1])
        else:
            found.append((a, b))
    return [{n: ends} for ends in found]


def _place(point: dict[str, float]) -> str:
    return " and ".join(f"{n} = {value:.3g}" for n, value in point.items())


def _rounded(value: float) -> str:
    return "0" if abs(value) < 1e-9 else f"{value:.6g}"


def slack_text(
    dominated: Dominated, dominating: Dominating, level: Expression, here: Context
) -> str:
    """The largest share of the level that the privacy loss is found to reach, in floating point,
    and where; empty where none is found.
    """
    sides = [float_function(side) for side in (dominated, dominating, level)]
    used = frozenset().union(*(names(side) for side in (dominated, dominating, level)))
    points = SamplePoints.of(here, used)
    draw, best, share = random.Random(0), dict[str, float](), -math.inf
    for reach in (0.0, *(SHRINK**i for i in range(2 * ROUNDS))):
        if best:
            points = _near(best, reach, here, draw)
        for i in range(points.size):
            point = {n: column[i] for n, column in points.names.items()}
            found = _share(sides, point)
            if found > share:
                best, share = point, found
    if not math.isfinite(share):
        return ""
    shown = {n: x for n, x in best.items() if n[0] not in "@#" and n in used}
    return f"the loss reaches {100 * share:.6g} % of the level, at {_place(shown)}"


def _near(best: dict[str, float], reach: float, here: Context, draw: random.Random) -> SamplePoints:
    """Points around another one at which the facts hold: some with a single name moved."""
    columns = {n: [x] for n, x in best.items()}
    for _ in range(DRAWN):
        alone = draw.choice([*best, ""])
        for n, x in best.items():
            moves = alone in ("", n)
            columns[n].append(x + moves * reach * (1 + abs(x)) * draw.uniform(-1, 1))
    points = SamplePoints(DRAWN + 1, columns)
    for fact in here.facts:
        if algebra.polynomial_names(fact.polynomial) <= best.keys() and points.size:
            points = points.kept(points.satisfying(fact))
    return points


def _share(sides: list[FloatFunction], point: dict[str, float]) -> float:
    """The loss over the level at a point; -oo where there is none."""
    try:
        small, large, level = (float(side(point)) for side in sides)
        found = (math.log(small) - math.log(large)) / level
    except WITHOUT_VALUE:
        return -math.inf
    return found if math.isfinite(found) else -math.inf
