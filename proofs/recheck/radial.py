"""Section 5, radial: noise whose density falls off with the Euclidean distance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from recheck.evidence import Evidence, extended, require
from recheck.forms import NOTHING, UNIT, Form, constant_sign, exp_of, product, total, tree_of
from recheck.limits import Rejected, need
from recheck.places import Output
from recheck.signs import POS, Context
from recheck.trees import Tree, make, name, number, read, substitute

SPHERE = {2: 2, 3: 4}  # its surface in units of pi


def factors_of(e: Tree) -> list[Tree]:
    return [f for a in e.args for f in factors_of(a)] if e.head == "*" else [e]


def is_root(e: Tree) -> bool:
    return e.head == "^" and e.args[1] is read("1/2")


def product_of(factors: Iterable[Tree], here: Context) -> Form:
    return product([UNIT, *map(here.form, factors)])


def apart(e: Tree, head: str, outs: set[str], here: Context) -> tuple[Tree, Form]:
    """The one factor that mentions outputs, and the product of the others."""
    factors = factors_of(e)
    spoken = [f for f in factors if f.names & outs]
    need(len(spoken) == 1 and spoken[0].head == head, "the density is not that of a distance")
    return spoken[0], product_of((f for f in factors if f is not spoken[0]), here)


def radial(law: Tree, outputs: Sequence[Output], here: Context) -> tuple[Form, Form, list[Form]]:
    """(c, k, a) with law = c exp(-k |s - a|) and k > 0."""
    outs = {o.name for o in outputs}
    need(len(outputs) in SPHERE, "there are not two or three outputs")
    need(all(o.kind == "real" for o in outputs), "an output is not real")
    outer, c = apart(law, "exp", outs, here)
    root, minus_k = apart(outer.args[0], "^", outs, here)
    need(is_root(root), "the exponent is not a root")
    need(here.signs(-minus_k) == POS, "the density is not known to fall off")
    square, centre, gaps = root.args[0], [], []
    for o in outputs:
        high, low = (here.form(substitute(square, {o.name: number(n)})) for n in (1, -1))
        a = (low - high) * here.form(read("1/4"))
        need(not a.names & outs, "the centre depends on an output")
        centre.append(a)
        gaps.append(here.form(name(o.name)) - a)
    need((here.form(square) - total(g * g for g in gaps)).is_zero, "the root is not a distance")
    return c, -minus_k, centre


def require_radial_total(
    outputs: Sequence[Output], law: Tree, leaf: Evidence, here: Context
) -> None:
    """law = c exp(-k |s - a|)     c (n - 1)! surface / k^n = 1
    -----------------------------------------------------------
    law >= 0, and its total is 1
    """
    need(leaf.kind == "pieces", "the mass needs points")
    here = extended(leaf.lemmas, here)
    outs = {o.name for o in outputs}
    need(all(outs.isdisjoint(p.names) for p, _ in here.facts), "a fact mentions an output")
    c, k, _ = radial(law, outputs, here)
    whole = total_of(c, k, len(outputs), here)
    need((whole - UNIT).is_zero, "the total over all outputs is not 1")


def total_of(c: Form, k: Form, n: int, here: Context) -> Form:
    """c (n - 1)! surface / k^n"""
    whole = c * here.form(make("*", number(SPHERE[n] * math.factorial(n - 1)), make("pi")))
    for _ in range(n):
        whole = whole / k
    return whole


def share_of_box(
    law: Tree,
    outputs: Sequence[Output],
    box: Mapping[str, tuple[Tree | None, Tree | None]],
    *,
    least: bool,
    here: Context,
) -> Form:
    """law = c exp(-k |s - a|), of total 1     d <= |s - a| <= e in a box of volume V
    -----------------------------------------------------------------------------
    V c exp(-k e) <= P(box) <= V c exp(-k d)
    """
    c, k, centre = radial(law, outputs, here)
    need((total_of(c, k, len(outputs), here) - UNIT).is_zero, "a distribution lacks total 1")
    volume, squared = c, NOTHING
    for o, a in zip(outputs, centre, strict=True):
        ends = box.get(o.name, (None, None))
        low, high = (NOTHING if e is None else here.form(e) for e in ends)
        need(None not in ends and constant_sign(high - low) == 1, "a box is not bounded")
        volume = volume * (high - low)
        sides = sign_known(a - low), sign_known(high - a)
        nearer_low = sign_known((a - low) ** 2 - (a - high) ** 2) < 0
        if least:
            squared = squared + ((a - high) if nearer_low else (a - low)) ** 2
        elif min(sides) < 0:
            squared = squared + ((a - low) if nearer_low else (a - high)) ** 2
    root = make("^", tree_of(squared), read("1/2"))
    return volume * exp_of(-(k * here.form(root)))


def sign_known(r: Form) -> int:
    found = constant_sign(r)
    if found is None:
        raise Rejected("the distance from a centre is not decided")
    return found


def require_radial(
    outputs: Sequence[Output], sides: tuple[Tree, Tree], level: Tree, leaf: Evidence, here: Context
) -> None:
    """small = c exp(-k |s - a|)     large = c exp(-k |s - b|)
    level >= 0     level^2 - k^2 |a - b|^2 >= 0
    ----------------------------------------------------------
    small <= exp(level) large
    """
    here = extended(leaf.lemmas, here)
    need(len(leaf.proofs) <= 1, "there are too many proofs")
    (c, k, a), (d, m, b) = (radial(law, outputs, here) for law in sides)
    need((c - d).is_zero and (k - m).is_zero, "the densities differ by more than their centre")
    apart_ = total((x - y) * (x - y) for x, y in zip(a, b, strict=True))
    excess = square_of_level(level, here) - k * k * apart_
    require(excess, ">=", leaf.proofs[0] if leaf.proofs else None, here)


def square_of_level(level: Tree, here: Context) -> Form:
    """The square of a level that is known to be >= 0; it may have one root as a factor."""
    factors = factors_of(level)
    roots = [f for f in factors if is_root(f)]
    rest = product_of((f for f in factors if f not in roots), here)
    need(len(roots) <= 1, "the level has several roots")
    known = here.signs(rest)
    need(-1 not in known and (not roots or known == POS), "the level is not known to be >= 0")
    return rest * rest * (here.form(roots[0].args[0]) if roots else UNIT)
