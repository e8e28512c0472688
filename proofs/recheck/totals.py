"""Section 5, mass, pieces and divergence: totals of densities over the outputs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial

from recheck.claims import Claim
from recheck.closed_forms import Stored, power_total
from recheck.evidence import Evidence, descend, extended
from recheck.forms import (
    ATOMS,
    NOTHING,
    UNIT,
    Form,
    Monomial,
    atom_number,
    by_powers,
    exp_of,
    folded,
    log_of,
    of_name,
    of_powers,
    reduced,
    total,
    tree_of,
)
from recheck.gaussian_sums import gaussian_total, is_gaussian
from recheck.growth import limit
from recheck.limits import Rejected, need
from recheck.moves import Frame, Nodes, frame, state_context, states
from recheck.places import Output, combinations, grouped
from recheck.radial import require_radial_total
from recheck.regions import derivative, require_box_cover
from recheck.shapes import digest
from recheck.signs import (
    ANY,
    NEG,
    NIL,
    PERIOD,
    POS,
    Context,
    Signs,
    added,
    both,
    branch,
    is_whole,
    nonzero,
    polynomial,
    sign_set,
)
from recheck.trees import (
    Number,
    Tree,
    is_number,
    make,
    name,
    negated,
    number,
    plus,
    rebuild,
    substitute,
    times,
    walk,
)

Points = Sequence[Form]
COVER = Evidence("box cover", {"pieces": 100})  # that shows a law to be >= 0 on a piece


# signs of densities, read off their trees


def signs_of_law(e: Tree, here: Context) -> Signs:
    """The signs of e, from its factors and terms, or else from e multiplied out."""
    if e.head == "piecewise":
        return signs_of_law(branch(e, here), here)
    signs = ANY
    if e.head in ("+", "*"):
        join, signs = (added, NIL) if e.head == "+" else (both, POS)
        for a in e.args:
            signs = join(signs, signs_of_law(a, here))
    elif e.head == "^":
        base = signs_of_law(e.args[0], here)
        if is_number(e.args[1]) and e.args[1].value % 2 == 0:
            signs = both(base, base) - NEG
        elif -1 not in base and (base == POS or here.signs(here.form(e.args[1])) == POS):
            signs = base
    if not {-1, 1} <= signs:
        return signs
    form = here.form(e)
    signs = here.signs(form)
    if e.head == "+" and {-1, 1} <= signs:
        signs = signs & signs_of_two_exponentials(form, here)
    if e.head == "+" and {-1, 1} <= signs:
        signs = signs & signs_against_number(e, here)
    return signs


def signs_against_number(e: Tree, here: Context) -> Signs:
    """a + b exp(u) with numbers a and b has the sign of a times that of log(-a/b) - u, a sum."""
    numbers = [a for a in e.args if is_number(a)]
    if len(e.args) != 2 or len(numbers) != 1:
        return ANY
    (other,) = (a for a in e.args if not is_number(a))
    b, power = number(1), other
    if other.head == "*" and len(other.args) == 2 and is_number(other.args[0]):
        b, power = other.args
    if power.head != "exp" or numbers[0].value * b.value >= 0:
        return ANY
    a = Fraction(numbers[0].value)
    gap = plus(make("log", number(-a / Fraction(b.value))), negated(power.args[0]))
    return both(sign_set(a), signs_of_law(gap, here))


def signs_of_two_exponentials(p: Form, here: Context) -> Signs:
    """a exp(u) + b exp(v) with a b < 0 has the sign of a times that of log(-a/b) + u - v."""
    if len(p.num) != 2 or p.den or not all(ATOMS[a].invertible for m in p.num for a, _ in m):
        return ANY
    (m, c), (n, d) = p.num.items()
    if c * d > 0:
        return ANY
    return both(sign_set(c), here.signs(log_of(Form({m: c}) / Form({n: -d}))))


def nonnegative(e: Tree, here: Context) -> Form:
    """The value of e, which is >= 0 by its sign."""
    form = here.form(e)
    if -1 in here.signs(form) and -1 in signs_of_law(e, here):
        raise Rejected("a density or probability is not known to be >= 0")
    return form


def nonnegative_on_piece(e: Tree, here: Context) -> Form:
    """The value of e, which is >= 0 by its sign or by a box cover."""
    try:
        return nonnegative(e, here)
    except Rejected:
        form = here.form(e)
        require_box_cover(polynomial(form, here), ">=", COVER, here)
        return form


# pieces between points


def on_piece(output: Output, points: Points, upper: int, here: Context) -> Context:
    """The context with the facts of the piece below point number `upper`."""
    s, integer = of_name(output.name), output.kind == "integer"
    unit = integer and 0 < upper < len(points) and points[upper] - points[upper - 1] == UNIT
    for j, b in enumerate(points):
        gap = s - b if j < upper else b - s
        if unit and j == upper - 1:
            here = here.given(polynomial(gap, here), "=").with_value(output.name, b)
        elif not integer:
            here = here.given(polynomial(gap, here), ">")
        else:
            low = gap if j < upper else gap - UNIT
            here = here.given(polynomial(low, here), ">=")
            here = here.given(polynomial(low + UNIT, here), ">")
    return here


def marked(marks: Sequence[Tree], output: Output, here: Context) -> Stored:
    """The points; an entry that mentions the output is an antiderivative beside them."""
    aside = [e for e in marks if output.kind != "finite" and output.name in e.names]
    return Stored([here.form(e) for e in marks if e not in aside], aside)


def need_points(output: Output, points: Points, here: Context) -> None:
    """Raises unless the points ascend and neither they nor the facts mention the output."""
    n = output.name
    need(all(n not in p.names for p, _ in here.facts), "a fact mentions the output summed over")
    need(all(n not in p.names for p in points), "a point mentions its own output")
    for u, v in itertools.pairwise(points):
        need(-1 not in here.signs(v - u), "points do not ascend")
    if output.kind == "integer":
        need(
            all(is_whole(b, here) for b in points), "a point of an integer output is not an integer"
        )


def integral(
    law: Tree,
    output: Output,
    points: Points,
    here: Context,
    low: int | None = None,
    high: int | None = None,
) -> Form:
    """The total of a law that is >= 0, from point number `low` to `high` (None: infinite)."""
    need_points(output, points, here)
    first = 0 if low is None else low + 1
    last = len(points) if high is None else high
    return total(piece_total(law, output, points, i, here) for i in range(first, last + 1))


def piece_total(
    law: Tree,
    output: Output,
    points: Points,
    upper: int,
    here: Context,
    positive: bool = True,
) -> Form:
    """The total on a piece.  Beyond the last point a law may also repeat itself."""
    try:
        return simple_total(law, output, points, upper, here, positive)
    except Rejected:
        for stored in points.antiderivatives if isinstance(points, Stored) else ():
            try:
                return stored_total(law, stored, output, points, upper, here, positive)
            except Rejected:
                continue
        if len(points) < 2 or upper not in (0, len(points)):
            raise
    last = len(points) - 1
    spans = [(i, last) for i in reversed(range(last))]
    if upper == 0:
        spans = [(0, i) for i in range(1, last + 1)]
    for span in spans:
        try:
            return repeated_total(law, output, points, upper, here, positive, span)
        except Rejected:
            continue
    raise Rejected(
        "a density on a piece is neither a sum of exponentials nor periodic up to a factor"
    )


def repeated_total(
    law: Tree,
    output: Output,
    points: Points,
    upper: int,
    here: Context,
    positive: bool,
    span: tuple[int, int],
) -> Form:
    """The pieces between two points, moved by 1, 2, 3, ... periods, cover all that lies beyond.

    Their totals after k + 1 periods are summed over k.
    """
    first, end = span
    way = 1 if upper else -1
    period = points[end] - points[first]
    need(here.signs(period) == POS, "a period is not > 0")
    again = here.with_whole_names([PERIOD])
    k = of_name(PERIOD)
    there = again.given(k, ">=")
    place = of_name(output.name) + ((k + UNIT) * period).scaled(way)
    relation = ">=" if output.kind == "integer" and upper else ">"
    for b in points:
        there = there.given(polynomial((place - b).scaled(way), there), relation)
    moved = substitute(law, {output.name: tree_of(place)})
    once = total(
        simple_total(moved, output, points, j, there, positive) for j in range(first + 1, end + 1)
    )
    return simple_total(tree_of(once), Output(PERIOD, "integer", ()), [NOTHING], 1, again, False)


def simple_total(
    law: Tree, output: Output, points: Points, upper: int, here: Context, positive: bool
) -> Form:
    """The total of a sum of exponentials on a piece."""
    inside = on_piece(output, points, upper, here)
    try:
        form = nonnegative(law, inside) if positive else inside.form(law)
    except Rejected:
        inside = as_written(law, inside)
        form = nonnegative_on_piece(law, inside) if positive else inside.form(law)
    return total_of_form(form, output, ends_of(points, upper), inside, here)


def ends_of(points: Points, upper: int) -> tuple[Form | None, Form | None]:
    """The ends of a piece; None for a missing one."""
    return points[upper - 1] if upper else None, points[upper] if upper < len(points) else None


def as_written(e: Tree, here: Context) -> Context:
    """The context with the signs of sums, products and powers in e as they are written: 1 + (s -
    a)^2 > 0.
    """
    for part in reversed(list(walk(e))):
        if part.head in ("+", "*", "^"):
            try:
                signs = signs_of_law(part, here)
                if signs and -1 not in signs and signs != NIL:
                    p = polynomial(here.form(part), here)
                    here = here.given(p, ">=" if 0 in signs else ">")
            except Rejected:
                continue
    return here


def stored_total(
    law: Tree,
    stored: Tree,
    output: Output,
    points: Points,
    upper: int,
    here: Context,
    positive: bool,
) -> Form:
    """on the piece F' = law (for an integer output F(s + 1) - F(s)), up to powers times
    exponentials
    -------------------------------------------------------------------------------------------- the
    total is F at the upper end less F at the lower one, and what these powers add up to
    """
    inside = as_written(law, on_piece(output, points, upper, here))
    form = nonnegative_on_piece(law, inside) if positive else inside.form(law)
    inside = as_written(stored, inside)
    n, f = output.name, tree_of(inside.form(stored))
    if output.kind == "integer":
        slope = inside.form(substitute(f, {n: plus(name(n), number(1))})) - inside.form(f)
    else:
        slope = inside.form(derivative(f, n))
    rest, ends = folded(form - slope), ends_of(points, upper)
    found = total_of_form(rest, output, ends, inside, here)
    for side, end in zip((-1, 1), ends, strict=True):
        if end is None:
            value = limit(inside.form(f), n, side, here)
        else:
            at = {n: tree_of(end)}
            value = as_written(substitute(stored, at), here).form(substitute(f, at))
        found = found + value.scaled(side)
    return found


def total_of_form(
    form: Form,
    output: Output,
    ends: tuple[Form | None, Form | None],
    inside: Context,
    here: Context,
) -> Form:
    """The total of a sum of powers times exponentials between two ends."""
    low, high = ends
    found = []
    for m, c in form.num.items():
        if output.kind == "integer" and is_gaussian(m, output.name):
            rest = of_powers((a, e) for a, e in m if not moves_in(a, output.name))
            factor = Form(rest.num, form.den).scaled(c)
            for f, _ in factor.den:
                nonzero(f, here)
            found.append(gaussian_total(m, factor, output.name, (low, high), here))
        else:
            term = term_of(m, c, form, output.name)
            found.append(total_of_term(term, output.kind, low, high, inside, here))
    return total(found)


def moves_in(a: int, n: str) -> bool:
    """Whether an atom is an exponential that depends on the output."""
    return ATOMS[a].kind == "exp" and n in ATOMS[a].of.names


@dataclass(frozen=True)
class Term:
    """factor * s^power * exp(rate * s + shift), where factor, rate and shift are free of s."""

    factor: Form
    rate: Form
    shift: Form
    power: int


def term_of(m: Monomial, c: Number, form: Form, n: str) -> Term:
    growing = [(a, e) for a, e in m if ATOMS[a].kind == "exp" and n in ATOMS[a].of.names]
    exponent = total(ATOMS[a].of.scaled(e) for a, e in growing)
    parts = by_powers(exponent.top, atom_number("name", n))
    den = dict(exponent.den)
    rate = reduced(parts.pop((1,), NOTHING), den)
    shift = reduced(parts.pop((0,), NOTHING), den)
    s = atom_number("name", n)
    rest = of_powers((a, e) for a, e in m if (a, e) not in growing and a != s)
    factor = Form(rest.num, form.den).scaled(c)
    free = not parts and not any(n in r.names for r in (factor, rate, shift))
    need(free, "a density is not a sum of exponentials of its output")
    return Term(factor, rate, shift, int(dict(m).get(s, 0)))


def total_of_term(
    t: Term, kind: str, low: Form | None, high: Form | None, inside: Context, here: Context
) -> Form:
    """Over low <= s < high; at an infinite end the term has to decay.

    A piece may be empty, and then what is known inside says nothing; so what the total divides by
    has to be known not to be 0 outside.
    """
    for f, _ in t.factor.den:
        nonzero(f, here)
    signs = inside.signs(t.rate)
    need(low is not None or signs == POS, "a density does not decay towards -oo")
    need(high is not None or signs == NEG, "a density does not decay towards oo")
    if t.power:
        rate = t.rate if t.rate.is_zero else nonzero(t.rate, here)
        return t.factor * exp_of(t.shift) * power_total(t.power, rate, kind, (low, high))
    if t.rate.is_zero and low is not None and high is not None:
        return t.factor * (high - low) * exp_of(t.shift)
    below, above = (
        NOTHING if end is None else exp_of(t.rate * end + t.shift) for end in (low, high)
    )
    rate = nonzero(t.rate, here)
    divisor = rate if kind == "real" else exp_of(rate) - UNIT
    return t.factor * (above - below) / divisor


# the mass


def total_over(
    outputs: list[Output],
    law: Tree,
    points: Points,
    here: Context,
    ends: tuple[int | None, int | None] = (None, None),
) -> Form:
    """The total of a law >= 0 over finite outputs, or over another one between points."""
    if outputs[0].kind != "finite":
        return integral(law, outputs[0], points, here, *ends)
    need(not points, "there are points of a finite output")
    return total(nonnegative(substitute(law, c), here) for c in combinations(outputs))


def require_total(
    outputs: list[Output],
    law: Tree,
    atoms: Sequence[Tree],
    value: Tree,
    leaf: Evidence,
    here: Context,
) -> None:
    """points ascend     on each piece law >= 0, with a total     atoms >= 0
    totals and atoms add up to the value
    -----------------------------------------------------------------------
    the total is the value
    """
    need(leaf.kind == "pieces", "evidence of another kind is required")
    here = extended(leaf.lemmas, here)
    points = marked(leaf.points, outputs[0], here)
    found = total_over(outputs, law, points, here)
    found = found + total(nonnegative(mass, here) for mass in atoms)
    need(here.vanishes(found - here.form(value)), "a total does not have the stated value")


@dataclass(frozen=True)
class Law:
    """A law with the evidence for its mass.  Two are the same if all that is read of them is.

    The mass depends on the mechanism and not on the claim, but for the kinds of records: `said` is
    the digest of the mechanism, of their number, and of the evidence.
    """

    said: str
    claim: Claim = field(compare=False)
    frame: Frame = field(compare=False)
    mass: Evidence = field(compare=False)


def require_mass(claim: Claim, mass: Evidence, counts: bool) -> None:
    """Raises unless the law is nowhere negative and has total 1."""
    f = frame(claim, counts)
    said = digest([claim.mechanism, len(f.kinds), counts, mass.data])
    require_mass_of(Law(said, claim, f, mass))


@lru_cache(maxsize=16)  # records of one mechanism, which are checked one after another, share it
def require_mass_of(shown: Law) -> None:
    """factor j >= 0 with total values[j] over output j, whatever the earlier outputs are
    prefactor * product of values = 1
    -------------------------------------------------------------------------------------
    law >= 0 and total 1, in every state of the input

    Where a value mentions an output, the values are those of `require_iterated`, but for finite
    outputs that each have a factor of their own.
    """
    claim, f, mass = shown.claim, shown.frame, shown.mass
    at_once = len(claim.outputs) == 1 or (
        all(o.kind == "finite" for o in claim.outputs) and not claim.one_by_one
    )
    every = states(claim, f)
    radial = not at_once and not mass.values and len(mass.evidence) == len(every)
    entries = len(every) * (1 if at_once or radial else len(claim.outputs))
    need(len(mass.evidence) == entries, "the mass has too many or too few pieces of evidence")
    need(
        at_once or radial or len(mass.values) == entries, "the mass has too many or too few values"
    )
    for i, state in enumerate(every):
        here = state_context(claim, f, f.conditions, state)
        law = rebuild(claim.density, state.get)
        if radial:
            descend(mass.evidence[i], here, partial(require_radial_total, claim.outputs, law))
        elif at_once:
            atoms = [rebuild(mass, state.get) for _, mass in claim.atoms]
            show = partial(require_total, claim.outputs, law, atoms, number(1))
            descend(mass.evidence[i], here, show)
        else:
            part = slice(i * len(claim.outputs), (i + 1) * len(claim.outputs))
            said = any(o.name in e.names for o in claim.outputs for e in mass.values[part])
            said = said and not claim.one_by_one  # `separate` relies on factors that are >= 0
            if said:
                require_iterated(claim, law, mass.values[part], mass.evidence[part], here)
            else:
                require_factors(claim, state, mass.values[part], mass.evidence[part], here)


def require_iterated(
    claim: Claim, law: Tree, values: list[Tree], evidence: list[Evidence], here: Context
) -> None:
    """values[j] is the total over output j of values[j + 1], an expression in the outputs before j
    ---------------------------------------------------------------------------------------------
    values[0] is the total over all outputs; finite ones are summed first, and have to be last here
    """
    later: set[str] = set()
    order = [o for o in claim.outputs if o.kind != "finite"]
    order += [o for o in claim.outputs if o.kind == "finite"]
    listed = zip(claim.outputs, values, evidence, strict=True)
    entries = {o.name: (value, leaf) for o, value, leaf in listed}
    for output in reversed(order):
        value, leaf = entries[output.name]
        later.add(output.name)
        need(value.names.isdisjoint(later), "a total mentions an output that is summed over")
        descend(leaf, here, partial(require_total, [output], law, (), value))
        law = value
    need(here.vanishes(here.form(law) - UNIT), "the total over all outputs is not 1")


def require_factors(
    claim: Claim, state: Nodes, values: list[Tree], evidence: list[Evidence], here: Context
) -> None:
    """One factor for each output, of the density before the state is put in, which may turn it into
    a product; the values, free of outputs, are multiplied where the lemmas hold.
    """
    prefactor, laws = grouped(claim.density, claim.outputs)
    prefactor, *laws = (rebuild(e, state.get) for e in (prefactor, *laws))
    shown = here
    for part, output, value, leaf in zip(laws, claim.outputs, values, evidence, strict=True):
        descend(leaf, here, partial(require_total, [output], part, (), value))
        if leaf.kind == "pieces":
            for fact in extended(leaf.lemmas, here).facts[len(here.facts) :]:
                shown = shown.given(*fact)
    everything = shown.form(times(prefactor, *values))
    need(shown.vanishes(everything - UNIT), "the totals do not multiply to 1")
