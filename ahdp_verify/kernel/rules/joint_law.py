"""A composite rewritten as one mechanism with the same output distribution, where that is possible.

    P_1, ..., P_n are the distributions of the parts, each as one expression      conditions C hold
    -----------------------------------------------------------------------------------------------
                  the distribution of the composite is the expression F(P_1, ..., P_n)

    F    depends on the rule, see below
    C    the parts are defined, probabilities lie in [0, 1], and whatever else the composite
         needs to be meaningful; what does not follow from the conditions of its parameters
         becomes part of `defined`

    compose, product    F = P_1 ... P_n, where an earlier output that a part reads is that output
    post_process        injective affine formulas: P_1 at the inverse map, times the Jacobian;
                        finite outputs: F(z) = sum of P_1(y) over all y that are mapped to z;
                        a second mechanism that reads finite outputs: F(z) = sum over y of
                        P_1(y) P_2(z; y)
    mixture             F = w_1 P_1 + ... + w_n P_n for the probabilities w_i, atoms included
    normalised          F = exp(score) / (sum of exp(score) over all outputs)
    pull_back           F = P_1, each record sum taken over what the records become
    group               F = P_1
    subsample           F(h) = sum over k <= h of P_1(k) times the product over the records r of
                        binomial(h_r, k_r) keep^k_r (1 - keep)^(h_r - k_r); over listed records,
                        on datasets of at most `size` records, which becomes part of `defined`
    abstract            the distribution of an instance: a mechanism that is proved to satisfy the
                        assumed claim

Everything else is `Unsupported`, with the reason.  The outputs may be of another kind than those of
the composite (a formula in finite outputs has finitely many values), but their distribution is the
same.

>>> from ahdp_verify.kernel.terms.expression import Abs
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> W, n, s = Domain([(1, 1)]), real("n"), real("s")
>>> count = ahdp(Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count"), 1)
>>> more = ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - name("n"))) / 2, parameters={"n": ""}, name="more"), 0)
>>> print(explicit_mechanism(Composite("compose", (count, more))).density)
exp(-abs(n - size))*exp(-abs(s - n))/4
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import comb, prod

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    PAIRS,
    AbstractMechanism,
    AnyClaim,
    AnyMechanism,
    Composite,
    CompositeClaim,
    composite_context,
)
from ahdp_verify.kernel.model.declarations import value_key
from ahdp_verify.kernel.model.domain import Domain, Record, value_at_bindings
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, outcome_count, outcomes
from ahdp_verify.kernel.model.neighbours import known_value_at_record, substitute_nodes
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression, truth
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Expression,
    Max,
    Min,
    add,
    aggregates,
    binomial,
    conjunction,
    eq,
    exp,
    indicator,
    multiply,
    name,
    names,
    ne,
    negative,
    number,
    oo,
    piecewise,
    reciprocal,
    substitute,
    transform,
    walk,
)

MOST = 1024  # most terms of a sum over finite outputs or smaller datasets; guards its size
EMPTY = Context.empty()
Instances = Mapping[AbstractMechanism, Claim]
Atoms = tuple[tuple[Expression, Expression], ...]


def explicit_mechanism(
    mechanism: AnyMechanism, size: int | None = None, instances: Instances | None = None
) -> Mechanism:
    """The same mechanism with its distribution as one expression; where a sample is taken, on
    datasets of at most `size` records. Unsupported if that is not possible.

    `instances` gives the mechanism that replaces each abstract one; that these satisfy the assumed
    claims has to be proved elsewhere.
    """
    whole = substitute_instances(mechanism, instances or {})
    try:
        return _with_parameters(_law(whole, size), mechanism)
    except (BadInput, Undecided, ZeroDivisionError) as why:
        said = f"the distribution of {whole} could not be written as one expression"
        raise Unsupported(f"{said}: {refusal_text(why)}") from None


def explicit_claim(
    claim: AnyClaim, size: int | None = None, instances: Instances | None = None
) -> Claim:
    """The same claim about the mechanism given by its density; a claim about any two datasets
    becomes the claim about datasets that differ by one record, which it implies.
    """
    relation = "ahdp" if claim.relation == PAIRS else claim.relation
    return Claim(
        explicit_mechanism(claim.mechanism, size, instances),
        relation,
        claim.level,
        claim.delta,
        claim.public,
    )


def processed_part(claim: AnyClaim) -> AnyClaim:
    """What the claim about a post-processing by formulas says of their part."""
    m = claim.mechanism
    if not isinstance(m, Composite) or m.rule != "post_process" or len(m.parts) > 1:
        raise Unsupported(f"{m} is not a post-processing by formulas")
    return _about(m.parts[0].mechanism, claim)


def abstract_mechanisms(mechanism: AnyMechanism) -> tuple[AbstractMechanism, ...]:
    """The different abstract mechanisms in a tree, in order of appearance."""
    if isinstance(mechanism, AbstractMechanism):
        return (mechanism,)
    parts = mechanism.parts if isinstance(mechanism, Composite) else ()
    return tuple(dict.fromkeys(a for part in parts for a in abstract_mechanisms(part.mechanism)))


def takes_sample(mechanism: AnyMechanism) -> bool:
    """Whether a sample is taken somewhere in a tree: then its distribution is one expression only
    for datasets up to some size.
    """
    return isinstance(mechanism, Composite) and (
        mechanism.rule == "subsample"
        or any(takes_sample(part.mechanism) for part in mechanism.parts)
    )


def substitute_instances(mechanism: AnyMechanism, instances: Instances) -> AnyMechanism:
    """The tree with instances in place of abstract mechanisms."""
    if isinstance(mechanism, AbstractMechanism):
        return instances[mechanism].mechanism if mechanism in instances else mechanism
    if not isinstance(mechanism, Composite) or not abstract_mechanisms(mechanism):
        return mechanism
    m = mechanism
    try:
        parts = [_about(substitute_instances(part.mechanism, instances), part) for part in m.parts]
        return m.changed(parts=parts, proofs=())
    except BadInput as reason:
        raise Unsupported(f"an instance does not fit into {m}: {reason}") from None


def _about(mechanism: AnyMechanism, part: AnyClaim) -> AnyClaim:
    """What a part claims, claimed of another mechanism."""
    kind: Callable[..., AnyClaim] = Claim if isinstance(mechanism, Mechanism) else CompositeClaim
    return kind(mechanism, part.relation, part.level, part.delta, part.public)


def _with_parameters(m: Mechanism, of: AnyMechanism) -> Mechanism:
    """The mechanism with the parameters of another one as well, since the claim may refer to
    them.
    """
    more = tuple(pair for pair in of.parameters if pair not in m.parameters)
    if not more and m.name == str(of):
        return m
    return m.changed(parameters=(*m.parameters, *more), name=str(of))


def _made(
    m: Composite,
    outputs: Iterable[Output],
    density: Expression,
    atoms: Atoms = (),
    defined: Expression = TRUE,
) -> Mechanism:
    """The composite with this law."""
    law = {"outputs": outputs, "density": density, "atoms": atoms, "defined": defined}
    return Mechanism.derived(m.inputs, **law, parameters=m.parameters, name=str(m))


def _law(m: AnyMechanism, size: int | None) -> Mechanism:
    if isinstance(m, Mechanism):
        return m
    if isinstance(m, AbstractMechanism):
        raise Unsupported(f"{m} stands for any mechanism of its kind, so it has no law of its own")
    if m.rule == "normalised":
        return _normalised(m)
    parts = [_law(part.mechanism, size) for part in m.parts]
    if m.rule == "subsample":
        return _subsample(m, parts[0], size)
    return JOINT_LAWS[m.rule](m, parts)


def _unknown(conditions: Iterable[Expression], here: Context) -> list[Expression]:
    """The conditions that do not follow from what is known; Unsupported if one is known to be
    false.
    """
    left = []
    for c in conditions:
        try:
            if not truth(c, here):
                raise Unsupported(f"{c} does not hold, so the mechanism has no meaning")
        except Undecided:
            left.append(c)
    return left


def _assignments(outputs: Iterable[Output]) -> Iterator[dict[str, Expression]]:
    """All combinations of values of finite outputs; Unsupported for too many."""
    listed = list(outputs)
    if outcome_count(listed) > MOST:
        raise Unsupported(
            f"there are more than {MOST} combinations of {', '.join(o.name for o in listed)}"
        )
    yield from outcomes(listed)


# compose, product


def _product(m: Composite, parts: list[Mechanism]) -> Mechanism:
    """The product of the laws: the density of a later part at the earlier outputs is its
    conditional density.
    """
    if len(parts) == 1:
        return parts[0]
    if any(part.atoms for part in parts):
        raise Unsupported(
            f"{m} has an atom beside further outputs, which one expression cannot describe"
        )
    outputs = tuple(o for part in parts for o in part.outputs)
    density = multiply(*(_reading(part.density, outputs) for part in parts))
    return _made(m, outputs, density, defined=conjunction(part.defined for part in parts))


def _reading(density: Expression, outputs: tuple[Output, ...]) -> Expression:
    """A density whose record sums refer to finite outputs only case by case, so that each case is
    determined by the dataset.
    """

    def by_cases(node: Expression) -> Expression | None:
        if node.head not in ("sum", "maximum", "minimum"):
            return None
        read = [o for o in outputs if o.name in names(node)]
        if not read:
            return node
        if any(o.kind != "finite" for o in read):
            raise Unsupported(f"{node} depends on an output that has no list of values")
        cases = [
            (substitute(node, values), conjunction(eq(name(k), v) for k, v in values.items()))
            for values in _assignments(read)
        ]
        return piecewise(*cases[:-1], (cases[-1][0], True))

    return transform(density, by_cases)


# mixture


def _mixture(m: Composite, parts: list[Mechanism]) -> Mechanism:
    """The sum of probability times law; probabilities are >= 0, which becomes a condition where
    it is not known, and add up to 1.
    """
    if any(part.outputs != parts[0].outputs for part in parts):
        raise Unsupported(f"the parts of {m} have outputs of different kinds")
    if not (
        normal(add(*m.formulas), composite_context(m)) - normal(ONE, composite_context(m))
    ).is_zero:
        raise Unsupported(f"the probabilities of {m} were not shown to sum to 1")
    density = add(*(multiply(w, part.density) for w, part in zip(m.formulas, parts, strict=True)))
    masses: dict[object, tuple[Expression, list[Expression]]] = {}
    for w, part in zip(m.formulas, parts, strict=True):
        for at, mass in part.atoms:
            masses.setdefault(value_key(at), (at, []))[1].append(multiply(w, mass))
    atoms = tuple((at, add(*listed)) for at, listed in masses.values())
    conditions = _unknown((w >= ZERO for w in m.formulas), composite_context(m))
    defined = conjunction((*(part.defined for part in parts), *conditions))
    return _made(m, parts[0].outputs, density, atoms, defined)


# normalised


def _normalised(m: Composite) -> Mechanism:
    """exp(score) / the sum of exp(score) over all outputs."""
    total = add(*(exp(substitute(m.formulas[0], values)) for values in _assignments(m.released)))
    return _made(m, m.released, multiply(exp(m.formulas[0]), reciprocal(total)))


# pull_back


def _pull_back(m: Composite, parts: list[Mechanism]) -> Mechanism:
    """The part's law, in which every record sum is one over what the new records become."""
    (part,) = parts
    old, new = part.inputs, m.domain
    if not isinstance(old, Domain) or not isinstance(new, Domain):
        raise Unsupported("only a mechanism on datasets can be pulled back")
    become = dict(zip(old.bound, m.formulas, strict=True))
    move = _listed(new, become, m) if not new.is_universal else _unlisted(become)

    def moved(e: Expression) -> Expression:
        return transform(
            e, lambda node: move(node) if node.head in ("sum", "maximum", "minimum") else None
        )

    conditions = [
        moved(part.defined),
        *(_apart(new, composite_context(m)) if not new.is_universal else ()),
    ]
    atoms = tuple((at, moved(mass)) for at, mass in part.atoms)
    return _made(m, part.outputs, moved(part.density), atoms, conjunction(conditions))


def _listed(
    new: Domain, become: Mapping[str, Expression], m: Composite
) -> Callable[[Expression], Expression]:
    """The contribution of each listed record is computed one by one: a limit at demand oo is taken
    once for the record, and once for what it becomes.
    """
    here = composite_context(m)
    bound = [{key: _part(f, r, here) for key, f in become.items()} for r in new.records]

    def move(node: Expression) -> Expression:
        values = [value_at_bindings(node.args[0], b, here) for b in bound]
        if any(part == oo for v in values for part in walk(v)):
            raise Unsupported(f"{node} is infinite at a record")
        if all(v == values[0] for v in values):
            return Expression(node.head, (values[0],))
        cases = [(v, new.condition(r)) for v, r in zip(values, new.records, strict=True)]
        return Expression(node.head, (piecewise(*cases[:-1], (cases[-1][0], True)),))

    return move


def _part(f: Expression, r: Record, here: Context) -> Expression:
    """What a part of a record becomes: a label or oo unchanged, else the value of a formula."""
    if f.head == "name" and f.args[0] in r.bindings:
        return r.bindings[f.args[0]]
    return f if f.head in ("label", "oo") else known_value_at_record(f, r, here)


def _unlisted(become: Mapping[str, Expression]) -> Callable[[Expression], Expression]:
    """In a universal domain formulas are substituted; not where a limit at demand oo would then
    differ.
    """
    if any(part == oo for f in become.values() for part in walk(f)) or any(
        "eps" in names(f) and f != name("eps") for f in become.values()
    ):
        raise Unsupported("a record of demand oo may become a different one than its limit")

    def put(e: Expression) -> Expression | None:
        return become.get(e.args[0]) if e.head == "name" else None

    return lambda node: Expression(node.head, (transform(node.args[0], put),))


def _apart(domain: Domain, here: Context) -> list[Expression]:
    """The conditions under which no two listed records are equal: demands that hold parameters
    may be.
    """
    pairs = [
        (a.demand, b.demand)
        for a, b in itertools.combinations(domain.records, 2)
        if value_key(a.value) == value_key(b.value)
        and (names(a.demand) or names(b.demand))
        and oo not in (a.demand, b.demand)
    ]
    return _unknown((ne(a, b) for a, b in pairs), here)


# post_process


def _post_process(m: Composite, parts: list[Mechanism]) -> Mechanism:
    return _kernel(m, *parts) if len(parts) == 2 else _mapped(m, parts[0])


def _kernel(m: Composite, first: Mechanism, kernel: Mechanism) -> Mechanism:
    """The distribution of the second mechanism, summed over the outputs of the first, each with its
    probability.
    """
    if any(o.kind != "finite" for o in first.outputs):
        raise Unsupported(
            f"{first} has outputs without a list of values, over which the second mechanism {kernel} would have to be integrated"
        )
    cases = [(substitute(first.density, values), values) for values in _assignments(first.outputs)]
    density = add(*(multiply(p, substitute(kernel.density, values)) for p, values in cases))
    atoms = tuple(
        (at, add(*(multiply(p, substitute(mass, values)) for p, values in cases)))
        for at, mass in kernel.atoms
    )
    return _made(m, kernel.outputs, density, atoms, conjunction((first.defined, kernel.defined)))


def _mapped(m: Composite, part: Mechanism) -> Mechanism:
    """The distribution of the formulas: by combinations if the part's outputs are finite, else by
    an injective affine map of every output.
    """
    if all(o.kind == "finite" for o in part.outputs):
        return _images(m, part)
    sources = [[o for o in part.outputs if o.name in names(f)] for f in m.formulas]
    used = [s[0].name for s in sources if len(s) == 1]
    if len(used) != len(m.formulas) or sorted(used) != sorted(o.name for o in part.outputs):
        raise Unsupported(f"{m} was not found to be a one-to-one map of every output of {part}")
    maps = [_affine(f, s[0]) for f, s in zip(m.formulas, sources, strict=True)]
    outputs = tuple(
        Output(o.name, s[0].kind, s[0].values) for o, s in zip(m.released, sources, strict=True)
    )
    back = {
        s[0].name: multiply(number(1 / a), add(name(o.name), number(-b)))
        for o, s, (a, b) in zip(outputs, sources, maps, strict=True)
    }
    scale = number(1 / abs(prod((a for a, _ in maps), start=Fraction(1))))
    a, b = maps[0]
    atoms = tuple((_moved_point(at, a, b), mass) for at, mass in part.atoms)
    density = multiply(scale, substitute(part.density, back))
    return _made(m, outputs, density, atoms, part.defined)


def _affine(f: Expression, source: Output) -> tuple[Fraction, Fraction]:
    """Numbers a != 0 and b with f = a y + b; for outputs that are not real only y itself.
    Unsupported for any other formula.
    """
    y = name(source.name)
    if f == y:
        return Fraction(1), Fraction(0)
    try:
        low, high = (
            normal(substitute(f, {source.name: number(v)}), EMPTY).as_rational for v in (0, 1)
        )
        if low is not None and high is not None and high != low and source.kind == "real":
            a, b = high - low, low
            if (normal(f, EMPTY) - normal(add(multiply(number(a), y), number(b)), EMPTY)).is_zero:
                return a, b
    except (Undecided, Unsupported, ZeroDivisionError):
        pass
    raise Unsupported(f"{f} is not known to be a one-to-one affine map of {source.name}")


def _moved_point(at: Expression, a: Fraction, b: Fraction) -> Expression:
    """Where an atom goes."""
    if at.head == "label":
        if (a, b) != (Fraction(1), Fraction(0)):
            raise Unsupported(f"{at} is a label, and labels have no arithmetic")
        return at
    return to_expression(normal(add(multiply(number(a), at), number(b)), EMPTY))


def _images(m: Composite, part: Mechanism) -> Mechanism:
    """The distribution of formulas in finite outputs, which take finitely many values: for each of
    them the sum over the combinations that give it.
    """
    laws: dict[object, tuple[tuple[Expression, ...], list[Expression]]] = {}
    for values in _assignments(part.outputs):
        image = tuple(_image(f, values) for f in m.formulas)
        laws.setdefault(tuple(value_key(v) for v in image), (image, []))[1].append(
            substitute(part.density, values)
        )
    images = [image for image, _ in laws.values()]
    outputs = tuple(
        Output(o.name, "finite", {value_key(image[i]): image[i] for image in images}.values())
        for i, o in enumerate(m.released)
    )
    cases = [
        (add(*found), conjunction(eq(name(o.name), v) for o, v in zip(outputs, image, strict=True)))
        for image, found in laws.values()
    ]
    return _made(m, outputs, piecewise(*cases, (0, True)), defined=part.defined)


def _image(f: Expression, values: Mapping[str, Expression]) -> Expression:
    """The value of a formula, a number without names."""
    value = substitute(f, values)
    if value.head == "label":
        return value
    if names(value):
        raise Unsupported(f"{f} takes the value {value}, which is not a number")
    return to_expression(normal(value, EMPTY))


def _first(m: Composite, parts: list[Mechanism]) -> Mechanism:
    """The distribution of a group is that of its part."""
    return parts[0]


JOINT_LAWS: dict[str, Callable[[Composite, list[Mechanism]], Mechanism]] = {
    "compose": _product,
    "product": _product,
    "mixture": _mixture,
    "pull_back": _pull_back,
    "group": _first,
    "post_process": _post_process,
}


# subsample


def _subsample(m: Composite, part: Mechanism, size: int | None) -> Mechanism:
    """The sum over all smaller datasets, each record kept independently; for datasets of at most
    `size` records.
    """
    domain, here = m.inputs, composite_context(m)
    if size is None:
        raise Unsupported(
            f"the distribution of {m} has no single expression for datasets of any size"
        )
    if not isinstance(domain, Domain) or domain.is_universal:
        raise Unsupported(f"{m} takes a sample of records that are not listed")
    if comb(size + len(domain.records), size) > MOST:
        raise Unsupported(f"there are more than {MOST} datasets of at most {size} records")
    keep = [known_value_at_record(m.formulas[0], r, here) for r in domain.records]
    counts = (
        [domain.size] if len(domain.records) == 1 else [domain.count(r) for r in domain.records]
    )
    laws = (part.density, *(mass for _, mass in part.atoms))
    sums: list[list[Expression]] = [[] for _ in laws]
    for kept in _kept(len(domain.records), size):
        nodes = {node: _aggregate(node, kept, domain, here) for e in laws for node in aggregates(e)}
        probability = multiply(
            *(_binomial_probability(n, k, p) for n, k, p in zip(counts, kept, keep, strict=True))
        )
        for i, e in enumerate(laws):
            sums[i].append(multiply(probability, substitute_nodes(e, nodes)))
    density, *masses = (add(*terms) for terms in sums)
    atoms = tuple((at, mass) for (at, _), mass in zip(part.atoms, masses, strict=True))
    in_range = _unknown((c for p in keep for c in (p >= ZERO, p <= ONE)), here)
    defined = conjunction(
        (part.defined, *in_range, *_apart(domain, here), domain.size <= number(size))
    )
    return _made(m, part.outputs, density, atoms, defined)


def _kept(records: int, size: int) -> Iterator[tuple[int, ...]]:
    """All counts of so many records that add up to at most `size`."""
    if records == 0:
        yield ()
        return
    for k in range(size + 1):
        for rest in _kept(records - 1, size - k):
            yield (k, *rest)


def _binomial_probability(n: Expression, k: int, keep: Expression) -> Expression:
    """The probability that k of n records are kept; 0 for k > n, where the power of 1 - keep
    would have no value.
    """
    kept = [keep] * k if k < 2 else [keep ** number(k)]
    lost = add(ONE, negative(keep)) ** add(n, number(-k))
    value = multiply(binomial(n, number(k)), *kept, _power_one(keep, lost, n, k))
    return piecewise((value, number(k) <= n), (0, True))


def _power_one(keep: Expression, lost: Expression, n: Expression, k: int) -> Expression:
    """(1 - keep)^(n - k), where 0^0 is 1."""
    return indicator(eq(n, number(k))) if keep == ONE else ONE if keep == ZERO else lost


def _aggregate(
    node: Expression, kept: tuple[int, ...], domain: Domain, here: Context
) -> Expression:
    """The value of a record sum, maximum or minimum at a concrete dataset."""
    held = [
        (known_value_at_record(node.args[0], r, here), k)
        for r, k in zip(domain.records, kept, strict=True)
        if k
    ]
    if any(part == oo for v, _ in held for part in walk(v)):
        raise Unsupported(f"{node} is infinite at a record")
    if node.head == "sum":
        return add(ZERO, *(multiply(number(k), v) for v, k in held))
    if not held:
        raise Unsupported(f"{node} is undefined where the sample is empty")
    return (Max if node.head == "maximum" else Min)(*(v for v, _ in held))
