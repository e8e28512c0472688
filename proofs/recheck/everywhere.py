"""Section 9: whether a formula has a value, whatever the outputs of its part are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from recheck.claims import Claim
from recheck.limits import Rejected, cover, need
from recheck.places import Output
from recheck.signs import ANY, NEG, POS, Context, Signs, assume, known_truth
from recheck.totals import signs_of_law
from recheck.trees import Tree, make, name, substitute

PARTS = ("+", "*", "exp", "abs", "sign", "floor", "min", "max", "sin", "cos", "atan", "erf")
CASES = 1000  # most contexts examined together, as a bound of time


def require_values(claim: Claim, here: Context) -> None:
    """each formula is a number, or a label, at all values of the outputs that it reads
    -----------------------------------------------------------------------------------
    what is released is a function of what the part releases
    """
    (part,) = claim.parts
    here = here.with_whole_names(o.name for o in part.outputs if o.kind == "integer")
    for f in claim.formulas:
        seen = [o for o in part.outputs if o.name in f.names]
        for values in itertools.product(*(choices(part, o) for o in seen)):
            pairs = zip(seen, values, strict=True)
            value = substitute(f, {o.name: v for o, v in pairs})
            if value.head != "label":
                require_number(value, here)


def choices(part: Claim, output: Output) -> list[Tree]:
    """The listed values, or any number and the labels at which there are points."""
    if output.kind == "finite":
        return list(output.values)
    return [name(output.name), *labels(part, output.name)]


def labels(part: Claim, output: str) -> Iterator[Tree]:
    if output not in part.labels:
        return
    cover(part.rule != "post_process", "a formula of an output that may be a computed label")
    if part.parts:
        for p in part.parts:
            yield from labels(p, output) if output in {o.name for o in p.outputs} else ()
    else:
        yield from (v for v, _ in part.atoms if v.head == "label")


def require_number(e: Tree, here: Context) -> None:
    """each part is a number     no divisor is 0     what is under a logarithm or a root is > 0
    ------------------------------------------------------------------------------------------
    e is a number
    """
    if e.head in ("number", "pi", "name"):
        return
    if e.head == "piecewise":
        require_branches(e, here)
        return
    known = (*PARTS, "^", "log", "theta3", "mod", "binomial")
    need(e.head in known, "a formula uses an expression that is not known to be a number")
    for part in e.args:
        require_number(part, here)
    if e.head == "^":
        base, exponent = e.args
        whole = exponent.head == "number" and exponent.value == int(exponent.value)
        if whole and exponent.value < 0:
            need(0 not in signs(base, here), "a formula may divide by 0")
        need(
            whole or signs(base, here) == POS,
            "a formula may take a root of an expression that is not > 0",
        )
    elif e.head in ("log", "theta3"):
        need(
            signs(e.args[0], here) == POS,
            "a formula may take a logarithm, or theta3, of an expression that is not > 0",
        )
    elif e.head == "mod":
        need(0 not in signs(e.args[1], here), "a formula may divide by 0")
    elif e.head == "binomial":
        here.form(e)


def require_branches(e: Tree, here: Context) -> None:
    """each value is a number where its condition holds and those before fail     one holds
    -----------------------------------------------------------------------------------------
    the piecewise value is a number
    """
    left = [here]
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        for at in left:
            require_sides(condition, at)
            for inside in cases(condition, True, at):
                require_number(value, inside)
        left = [outside for at in left for outside in cases(condition, False, at)]
        need(len(left) <= CASES, "a formula has too many cases")
    need(not left, "possibly no condition of a piecewise expression holds")


def require_sides(condition: Tree, here: Context) -> None:
    """Both sides of each comparison are numbers, or labels and oo by themselves."""
    if condition.head == "boolean":
        return
    for part in condition.args:
        if condition.head in ("and", "or", "not"):
            require_sides(part, here)
        elif part.head not in ("label", "oo"):
            require_number(part, here)


def cases(condition: Tree, holds: bool, here: Context) -> list[Context]:
    """Contexts that cover all of `here` where the condition holds, or fails."""
    if condition.head == "not":
        return cases(condition.args[0], not holds, here)
    if condition.head in ("and", "or"):
        if (condition.head == "or") == holds:
            return [c for part in condition.args for c in cases(part, holds, here)]
        found = [here]
        for part in condition.args:
            found = [c for at in found for c in cases(part, holds, at)]
        return found
    known = known_truth(condition, here, Rejected)
    if known is not None:
        return [here] if known is holds else []
    facts = (assume([fact], here) for fact in alternatives(condition, holds))
    return [c for c in facts if not c.contradicts_itself()]


def alternatives(condition: Tree, holds: bool) -> list[Tree]:
    """Comparisons of which one is true where a comparison holds, or fails."""
    a, b = condition.args
    if condition.head in ("<", "<="):
        opposite = {"<": "<=", "<=": "<"}[condition.head]
        return [condition if holds else make(opposite, b, a)]
    if (condition.head == "==") == holds:
        return [make("==", a, b)]
    return [make("<", a, b), make("<", b, a)]


def signs(e: Tree, here: Context) -> Signs:
    """The signs of e; a maximum is > 0 if one part is, and a minimum < 0."""
    if e.head in ("max", "min"):
        wanted = POS if e.head == "max" else NEG
        found = [signs(a, here) for a in e.args]
        if wanted in found:
            return wanted
        if not any(wanted <= each for each in found):
            return frozenset().union(*found)
    try:
        return signs_of_law(e, here)
    except Rejected:
        return ANY
