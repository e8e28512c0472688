"""Section 9: the distribution of a composite, as one expression."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from recheck.claims import Claim, is_equal, rename
from recheck.forms import UNIT
from recheck.inputs import Side, need_record
from recheck.limits import COMBINATIONS, NotCovered, Rejected, cover, need
from recheck.places import Output, combinations
from recheck.shapes import Record
from recheck.signs import Context, assume, at_record, branch, known_truth, truth
from recheck.trees import (
    AGGREGATES,
    Number,
    Tree,
    at_most,
    boolean,
    conjunction,
    is_number,
    make,
    minus,
    name,
    number,
    plus,
    rebuild,
    substitute,
    times,
    walk,
)

LARGEST_SAMPLE = 16


@dataclass(frozen=True)
class Law:
    """The law at one input; it has no names other than its outputs."""

    outputs: tuple[Output, ...]
    density: Tree
    atoms: tuple[tuple[Tree, Tree], ...] = ()


@dataclass(frozen=True)
class At:
    """An input: how often each record occurs, query answers, or the parts of a value."""

    here: Context
    records: tuple[Record, ...]
    side: Side


@dataclass(frozen=True)
class Anywhere:
    """No input in particular: sums over records stay as they are."""

    here: Context


def value_of_sum(node: Tree, at: At) -> Tree:
    """A sum, maximum or minimum over the records of the dataset."""
    row = [(n, r) for n, r in zip(at.side, at.records, strict=True) if n.value]
    try:
        found = [(n, at_record(node.args[0], r, at.here)) for n, r in row]
    except Rejected as why:
        if node.args[0].names - {k for r in at.records for k in r} - set(at.here.values):
            raise NotCovered("a sum over records that reads an output") from why
        raise
    if node.head == "sum":
        return plus(number(0), *(times(n, c) for n, c in found))
    if not found:
        return name("@empty")  # a maximum of no records: nothing is known about this name
    return make(AGGREGATES[node.head], *(c for _, c in found))


def put_in(e: Tree, claim: Claim, at: At) -> Tree:
    """The expression e at the input."""
    direct: dict[str, Tree] = {}
    if not claim.bound:
        direct = dict(zip(claim.direct, at.side, strict=True))

    def node(part: Tree) -> Tree | None:
        if part.head in AGGREGATES:
            return value_of_sum(part, at)
        return direct.get(part.value) if part.head == "name" else None

    return rebuild(e, node)


def law_at(claim: Claim, at: At | Anywhere) -> Law:
    """The law of a mechanism at an input at which it is defined, or for input `Anywhere`."""
    if claim.rule == "assumed":
        raise Rejected("an abstract mechanism has no distribution")
    if claim.rule:
        return MADE_OF[claim.rule](claim, at)
    if isinstance(at, Anywhere):
        return Law(tuple(claim.outputs), claim.density, tuple(claim.atoms))
    need(truth(put_in(claim.defined, claim, at), at.here), "the mechanism is not defined there")
    atoms = tuple((point, put_in(mass, claim, at)) for point, mass in claim.atoms)
    return Law(tuple(claim.outputs), put_in(claim.density, claim, at), atoms)


def written_out(claim: Claim) -> Claim:
    """The claim about the distribution as one expression, where all parts are defined."""
    law = law_at(claim, Anywhere(claim.base))
    outputs = {o.name for o in law.outputs}
    for node in walk(law.density, *(mass for _, mass in law.atoms)):
        reads = node.head in AGGREGATES and not outputs.isdisjoint(node.names)
        cover(not reads, "a sum over records that reads an output")
    twin = copy.copy(claim)
    twin.rule, twin.parts, twin.formulas = "", [], []
    twin.outputs, twin.density, twin.atoms = list(law.outputs), law.density, list(law.atoms)
    whole = frozenset(o.name for o in twin.outputs if o.kind == "integer")
    twin.base = assume([c for _, c in claim.parameters], Context(whole_names=whole))
    return twin


def without_atoms(law: Law) -> Law:
    cover(not law.atoms, "a part has atoms")
    return law


def law_of_several(claim: Claim, at: At | Anywhere) -> Law:
    """`compose` and `product`: a later part may read what an earlier one releases."""
    laws = [law_at(p, at) for p in claim.parts]
    if len(laws) == 1:
        return laws[0]
    outputs = [o for law in laws for o in without_atoms(law).outputs]
    everything = [*(o.name for o in outputs), *(n for n, _ in claim.parameters)]
    need(len(set(everything)) == len(everything), "a name is declared twice")
    return Law(tuple(outputs), times(*(law.density for law in laws)))


def law_of_mixture(claim: Claim, at: At | Anywhere) -> Law:
    laws = [law_at(p, at) for p in claim.parts]
    need_weights(claim.formulas, at)
    alike = all(law.outputs == laws[0].outputs for law in laws)
    need(alike, "the parts of a mixture have different outputs")
    terms, masses = [], dict[Tree, list[Tree]]()
    for w, law in zip(claim.formulas, laws, strict=True):
        terms.append(times(w, law.density))
        for point, mass in law.atoms:
            masses.setdefault(point, []).append(times(w, mass))
    atoms = tuple((point, plus(*parts)) for point, parts in masses.items())
    return Law(laws[0].outputs, plus(*terms), atoms)


def need_weights(weights: Sequence[Tree], at: At | Anywhere) -> None:
    """Raises unless the weights are probabilities; not covered if that depends on the input."""
    for w in weights:
        known = known_truth(at_most(number(0), w), at.here)
        cover(known is not None, "a probability that is not known to be >= 0")
        need(known is True, "a probability is below 0")
    need(at.here.form(plus(*weights)) == UNIT, "the probabilities do not sum to 1")


def law_of_sample(claim: Claim, at: At | Anywhere) -> Law:
    """The sum over all samples."""
    if isinstance(at, Anywhere):
        raise NotCovered("a sample of any dataset")
    keep = [at_record(claim.formulas[0], r, at.here) for r in at.records]
    for p in keep:
        for bound in (at_most(number(0), p), at_most(p, number(1))):
            need(truth(bound, at.here), "an inclusion probability is not in [0, 1]")
    size = sum(n.value for n in at.side)
    cover(size <= LARGEST_SAMPLE, f"a sample of more than {LARGEST_SAMPLE} records")
    terms, laws = [], []
    for kept in itertools.product(*(range(n.value + 1) for n in at.side)):
        there = replace(at, side=tuple(map(number, kept)))
        laws.append(without_atoms(law_at(claim.parts[0], there)))
        probabilities = sampling_probabilities(at.side, kept, keep)
        terms.append(times(laws[-1].density, *probabilities))
    return Law(laws[0].outputs, plus(*terms))


def sampling_probabilities(side: Side, kept: Iterable[int], keep: Sequence[Tree]) -> list[Tree]:
    """Factors of the probability of a sample."""
    out = []
    for n, k, p in zip(side, kept, keep, strict=True):
        out.append(number(math.comb(n.value, k)))
        out += [p] * k + [minus(number(1), p)] * (n.value - k)
    return out


def law_of_part(claim: Claim, at: At | Anywhere) -> Law:
    return law_at(claim.parts[0], at)


def law_of_normalised(claim: Claim, at: At | Anywhere) -> Law:
    """exp(g) over the sum of exp(g) over all combinations."""
    score = make("exp", claim.formulas[0])
    if isinstance(at, At):
        score = put_in(score, claim, at)
    every = [substitute(score, c) for c in combinations(claim.outputs)]
    cover(len(every) <= COMBINATIONS, "there are too many outputs")
    below = make("^", plus(*every), number(-1))
    return Law(tuple(claim.outputs), times(score, below))


def law_of_pull_back(claim: Claim, at: At | Anywhere) -> Law:
    (part,) = claim.parts
    if isinstance(at, At):
        records = tuple(becomes(claim, r, at.here) for r in at.records)
        return law_at(part, replace(at, records=records))
    cover(keeps_limits(claim), "pull_back by a formula in a demand that may be oo")
    law = law_at(part, at)
    atoms = tuple((point, moved(mass, claim)) for point, mass in law.atoms)
    return Law(law.outputs, moved(law.density, claim), atoms)


def keeps_limits(claim: Claim) -> bool:
    """Whether formulas may be substituted in a sum for what a record becomes, also at demand oo.

    The sum then takes its limit along the formula, not its value at the record that it becomes.
    """
    if claim.records and not any(v.head == "oo" for r in claim.records for v in r.values()):
        return True
    put_in_for_eps = [f for f in claim.formulas if "eps" in f.names or "oo" in heads(f)]
    return all(f == name("eps") for f in put_in_for_eps)


def heads(e: Tree) -> set[str]:
    return {node.head for node in walk(e)}


def moved(e: Tree, claim: Claim) -> Tree:
    """The expression with each record replaced, in sums over records, by what it becomes."""
    new = dict(zip(claim.parts[0].bound, claim.formulas, strict=True))

    def node(part: Tree) -> Tree | None:
        if part.head in AGGREGATES:
            return make(part.head, rename(part.args[0], new))
        return None

    return rebuild(e, node)


def becomes(claim: Claim, record: Record, here: Context) -> Record:
    """The record of the part's domain that a record is pulled back to."""
    (part,) = claim.parts
    new = {}
    for n, f in zip(part.bound, claim.formulas, strict=True):
        if f.head == "name" and f.value in record:
            new[n] = record[f.value]
        else:
            new[n] = f if f.head in ("label", "oo") else at_record(f, record, here)
    if not part.records:
        need_record(part, new, here)
        return new
    for r in part.records:
        if all(is_the_same(new[k], v, here) for k, v in r.items()):
            return r
    raise Rejected("a record becomes none of the part's domain")


def is_the_same(a: Tree, b: Tree, here: Context) -> bool:
    if a is b:
        return True
    if not a.label_free or not b.label_free:
        return False
    return (here.form(a) - here.form(b)).is_zero


def law_of_post_process(claim: Claim, at: At | Anywhere) -> Law:
    if len(claim.parts) == 2:
        return law_of_second(claim, at)
    law = law_at(claim.parts[0], at)
    if all(o.kind == "finite" for o in law.outputs):
        return law_of_values(claim, law)
    return law_of_shifted(claim, law, at.here)


def law_of_second(claim: Claim, at: At | Anywhere) -> Law:
    """The sum, over the outputs of the first part, of probability times law of the second."""
    first, second = (without_atoms(law_at(p, at)) for p in claim.parts)
    cover(all(o.kind == "finite" for o in first.outputs), "a part reads infinitely many outputs")
    both = times(first.density, second.density)
    terms = [substitute(both, c) for c in combinations(list(first.outputs))]
    cover(len(terms) <= 1024, "there are too many outputs")
    return Law(second.outputs, plus(*terms))


def law_of_values(claim: Claim, law: Law) -> Law:
    """Finite outputs: for each list of values, all combinations of outputs that give it."""
    found: dict[tuple[Tree, ...], list[Tree]] = {}
    for c in combinations(list(law.outputs)):
        computed = [substitute(f, c) for f in claim.formulas]
        pairs = zip(claim.outputs, computed, strict=True)
        key = tuple(computed_value(o, e) for o, e in pairs)
        found.setdefault(key, []).append(substitute(law.density, c))
    cover(len(found) <= 1024, "there are too many outputs")
    columns = zip(*found, strict=True)
    outputs = [
        Output(o.name, "finite", o.values or tuple(dict.fromkeys(column)))
        for o, column in zip(claim.outputs, columns, strict=True)
    ]
    cases: list[Tree] = []
    for key, terms in found.items():
        values = zip(outputs, key, strict=True)
        cases += [plus(*terms), conjunction(make("==", name(o.name), v) for o, v in values)]
    return Law(tuple(outputs), make("piecewise", *cases, number(0), boolean(True)))


def computed_value(output: Output, e: Tree) -> Tree:
    """The listed value that e equals, or e as a number or label."""
    for v in output.values:
        if is_equal(e, v):
            return v
    cover(not output.values, "a computed value is not recognised")
    while e.head == "piecewise":
        e = branch(e, Context())
    if e.head == "label":
        return e
    q = Context().form(e).rational
    if q is None:
        raise NotCovered("a computed value is not rational")
    return number(q)


def law_of_shifted(claim: Claim, law: Law, here: Context) -> Law:
    """a e + b of each output, a and b rational, a not 0."""
    inner = {o.name: o for o in law.outputs}
    back: Record = {}
    lines: dict[str, tuple[Number, Number]] = {}
    factor = UNIT
    for o, f in zip(claim.outputs, claim.formulas, strict=True):
        (n,) = f.names if len(f.names) == 1 else ("",)
        cover(
            n in inner and n not in back and inner[n].kind == o.kind,
            "a formula that is not a y + b of one output",
        )
        zero, one = (here.form(substitute(f, {n: number(k)})).rational for k in (0, 1))
        cover(
            zero is not None and one is not None and zero != one,
            "a formula that is not a y + b of one output",
        )
        a, b = one - zero, zero
        line = here.form(minus(f, plus(times(number(a), name(n)), number(b))))
        cover(line.is_zero, "a formula that is not a y + b of one output")
        cover(
            o.kind == "real" or (a == 1 and b == 0), "a formula that is not a y + b of one output"
        )
        need(o.values == inner[n].values, "an output takes other values")
        back[n] = times(make("^", number(a), number(-1)), plus(name(o.name), number(-b)))
        lines[n] = (a, b)
        factor = factor.scaled(1 / abs(Fraction(a)))
    cover(len(back) == len(inner), "formulas for only some of the outputs")
    scaled = times(number(factor.rational or 0), substitute(law.density, back))
    atoms = []
    for point, mass in law.atoms:
        a, b = lines[law.outputs[0].name]  # a mechanism with atoms has one output
        need(is_number(point) or (a, b) == (1, 0), "a formula computes with a label")
        atoms.append((number(a * point.value + b) if is_number(point) else point, mass))
    return Law(tuple(claim.outputs), scaled, tuple(atoms))


MADE_OF = {
    "compose": law_of_several,
    "product": law_of_several,
    "mixture": law_of_mixture,
    "subsample": law_of_sample,
    "group": law_of_part,
    "normalised": law_of_normalised,
    "pull_back": law_of_pull_back,
    "post_process": law_of_post_process,
}
