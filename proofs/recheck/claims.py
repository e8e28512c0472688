"""Sections 1 and 9: claims and mechanisms, read from JSON, with all names and ranges checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recheck.limits import COMBINATIONS, Rejected, cover, need
from recheck.meaning import (
    AMOUNT,
    CONDITION,
    INFINITE,
    LABEL,
    MOST_PARTS,
    NUMBER,
    Choice,
    Reading,
    base_of,
    choice,
    choices_of,
    is_closed_below,
    key_of,
    need_conditions,
    need_demand_unknown,
    need_met,
    need_names,
    need_rows,
    need_value,
)
from recheck.places import (
    Output,
    combinations,
    factors,
    neighbour,
    number_of_combinations,
    other,
    read_outputs,
)
from recheck.shapes import Named, Record, digest, fields, listed, read_named, read_value, text
from recheck.signs import Context, assume, known_truth, truth
from recheck.trees import (
    AGGREGATES,
    Tree,
    boolean,
    conjunction,
    conjuncts,
    is_number,
    is_true,
    make,
    name,
    need_scoped,
    read,
    rebuild,
    substitute,
    walk,
)

AMOUNTS = {"one": (-1, 1), "all": (-1, 1), "increasing": (0, 1), "decreasing": (-1, 0)}
OWN_LEVEL = ("ahdp", "hdp", "any", "pairs")  # the level is that of a record or of two values
ADDED = ("ahdp", "add-remove", "pairs")  # relations in which a record is added
MADE = {  # how many parts a rule has
    **dict.fromkeys(("compose", "product", "mixture"), (1, 99)),
    **dict.fromkeys(("subsample", "pull_back", "group"), (1, 1)),
    **{"post_process": (1, 2), "normalised": (0, 0)},
}
OWN_PARAMETERS = ("subsample", "mixture", "normalised", "pull_back")
MOST_LEVELS, MOST_MECHANISMS = 40, 1000  # inside each other, and in one tree


class Claim:
    """A claim.  `bound` has the names of a record, `direct` those of other inputs.

    `region` has the conditions of a value that is any real number, or any numbers.
    `rule` is how a composite is made of its parts, "assumed" for an abstract one, and else empty.
    """

    def __init__(self, data: Any) -> None:
        self.data = data
        self.mechanism, relation, level, delta, public = fields(
            data, "mechanism relation level delta public", "the claim"
        )
        self.relation, self.level, self.delta = text(relation), read(level), read(delta)
        self.public = [text(n) for n in listed(public)]
        self.fingerprint = digest(data)
        self.parts: list[Claim] = []
        self.formulas: list[Tree] = []
        self.density, self.defined = boolean(True), boolean(True)
        self.atoms: list[tuple[Tree, Tree]] = []
        self.labels: dict[str, tuple[Tree, ...]] = {}  # those that an output may be, if any
        self.levels = self.mechanisms = 1
        self.read_mechanism()
        given = self.read_inputs()
        check_claim(self, given)
        whole = frozenset(o.name for o in self.outputs if o.kind == "integer")
        self.base = assume([c for _, c in self.parameters], Context(whole_names=whole))

    def read_mechanism(self) -> None:
        m = self.mechanism
        need(isinstance(m, dict), "the mechanism is not an object")
        self.rule = "assumed" if "assumed" in m else ""
        if "rule" in m:
            wanted = "rule parts name own domain released formulas"
            read_composite(self, *fields(m, wanted, "the mechanism"))
            return
        own = "assumed" if self.rule else "density atoms defined"
        wanted = "name inputs outputs parameters " + own
        said, self.inputs, outputs, parameters, *law = fields(m, wanted, "the mechanism")
        text(said)
        self.outputs, self.parameters = read_outputs(outputs), read_named(parameters)
        if not self.rule:
            self.density, self.defined = read(law[0]), read(law[2])
            rows = (listed(row, 2) for row in listed(law[1]))
            self.atoms = [(read(at), read(mass)) for at, mass in rows]

    def read_inputs(self) -> Named:
        """The parameters of the domain."""
        self.unknowns: Named = []
        self.records: list[Record] = []
        self.values: list[Record] = []
        self.region: Named = []
        self.direct: list[str] = []
        self.bound: list[str] = []
        given: Named = []
        need(isinstance(self.inputs, dict), "the inputs are not an object")
        kind = sorted(self.inputs)
        if kind == ["queries"]:
            n = self.inputs["queries"]
            good = type(n) is int and 0 < n <= MOST_PARTS
            need(good, "the number of query answers is not a positive integer")
            cover(n <= 1000, "there are too many query answers")
            self.direct = [f"q[{i}]" for i in range(1, n + 1)]
        elif kind == ["values"]:
            self.values = [read_value(v, "v") for v in listed(self.inputs["values"])]
            need(bool(self.values), "there are no values")
            self.direct = list(self.values[0])
        elif kind == ["reals"]:
            self.region = read_named(self.inputs["reals"])
            self.direct = [n for n, _ in self.region]
            need({base_of(n) for n in self.direct} == {"v"}, "the value is not called v")
            need(not self.rule, "a composite is about datasets, query answers or listed values")
        elif kind == ["records"]:
            rows = (listed(row, 2) for row in listed(self.inputs["records"]))
            self.records = [{**read_value(value, "x"), "eps": read(eps)} for value, eps in rows]
            need(bool(self.records), "there are no records")
            self.bound = list(self.records[0])
        else:
            need(kind == ["parameters", "unknowns"], "the inputs are of unknown kind")
            self.unknowns = read_named(self.inputs["unknowns"])
            need(bool(self.unknowns), "a record has no demand")
            given = read_named(self.inputs["parameters"])
            self.bound = [n for n, _ in self.unknowns]
        return given

    @property
    def one_by_one(self) -> bool:
        """Whether there are several finite outputs, each with a factor of its own."""
        outs = {o.name for o in self.outputs if o.kind == "finite"}
        if len(outs) != len(self.outputs) or len(outs) < 2:
            return False
        return all(len(outs & f.names) < 2 for f in factors(self.density))


# which names may occur where


def check_claim(claim: Claim, given: Named) -> None:
    """Names are declared once and numbers are in range; expressions mention what they may."""
    check_names(claim, given)
    check_outputs(claim)
    check_law(claim)
    check_formulas(claim)
    check_said(claim, claim.relation, claim.level, claim.delta)
    if claim.rule == "assumed":
        relation, level, delta = listed(claim.mechanism["assumed"], 3)
        check_said(claim, text(relation), read(level), read(delta))
    public = set(claim.bound if claim.relation == "hdp" else ())
    need(set(claim.public) <= public, "a public part is not part of a record")


def check_names(claim: Claim, given: Named) -> None:
    own, domain = [n for n, _ in claim.parameters], [n for n, _ in given]
    outs = declared_outputs(claim)
    need(bool(claim.outputs), "there is no output")
    need_names([*outs, *own])
    taken = {base_of(n) for n in (*outs, *own)} & reserved(claim)
    need(not taken, "an output or a parameter has the name of a part of the input")
    need_conditions(claim.parameters, own)
    first = claim.parameters[: len(given)]
    found = [p for p in given if p in claim.parameters] if claim.rule == "assumed" else first
    need(found == given, "the parameters of the domain do not come first")
    if not claim.records and claim.bound:
        need_names([*domain, *claim.bound])
        need_conditions(given, domain)
        need_conditions(claim.unknowns, [*domain, *claim.bound])
        need_demand_unknown(claim.unknowns)
    need_rows(claim.records or claim.values, own)
    need_names([n for n, _ in claim.region])
    need_conditions(claim.region, [*own, *claim.direct])


def declared_outputs(claim: Claim) -> list[str]:
    """The outputs, including those that post-processing hides."""
    found = claim.outputs
    if claim.rule == "post_process":
        computed = claim.outputs if len(claim.parts) == 1 else []
        found = [*(o for p in claim.parts for o in p.outputs), *computed]
    return [o.name for o in found]


def reserved(claim: Claim) -> set[str]:
    """Names that outputs, parameters, and the vectors of which they are parts, may not have."""
    if not claim.bound:
        return {base_of(n) for n in claim.direct} | ({"other"} if beside(claim) else set())
    taken = {"x", *map(base_of, claim.bound)}
    return taken - {"eps"} if claim.records and not claim.rule else taken


def check_outputs(claim: Claim) -> None:
    for o in claim.outputs:
        need(o.kind in ("real", "integer", "finite"), "an output is of unknown kind")
        need((o.kind == "finite") == bool(o.values), "only a finite output has values")
        check_points(claim, o, o.values)
    points = [at for at, _ in claim.atoms]
    if points:
        (kind,) = {o.kind for o in claim.outputs} if len(claim.outputs) == 1 else {""}
        need(bool(kind), "a mechanism with atoms has several outputs")
        need(kind != "finite", "a finite output has atoms")
        labels = all(at.head == "label" for at in points)
        need(kind == "real" or labels, "an integer output has an atom at a number")
        check_points(claim, claim.outputs[0], points)


def check_points(claim: Claim, output: Output, points: Sequence[Tree]) -> None:
    """Each is a label or a number, and is listed once."""
    for v in points:
        need_value(v)
        cover(v.head in ("label", "number"), "a value of an output that is computed")
    need(len(set(map(key_of, points))) == len(points), "a value or an atom is listed twice")
    if claim.rule in ("", "assumed", "normalised"):
        labels = tuple(v for v in points if v.head == "label")
        claim.labels[output.name] = claim.labels.get(output.name, ()) + labels


def input_choices(claim: Claim) -> dict[str, Choice]:
    """The possible values of the parts of the listed records, or of the values of two people."""
    return choices_of(claim.records or claim.values) | choices_of([*map(other, claim.values)])


def output_choices(outputs: Iterable[Output]) -> dict[str, Choice]:
    return {o.name: choice(o.values) for o in outputs if o.values}


def inside_sums(claim: Claim) -> set[str]:
    """The names that a sum over records may mention."""
    own = {n for n, _ in claim.parameters}
    return {*claim.bound, *own} - ({"eps"} & own & {*claim.bound}) if claim.bound else set()


def check_law(claim: Claim) -> None:
    """The law of a mechanism that is not a composite.

    What was put into it may have left comparisons that nothing meets.
    """
    if claim.rule:
        return
    outs, own = [o.name for o in claim.outputs], [n for n, _ in claim.parameters]
    body = inside_sums(claim)
    reading = Reading(input_choices(claim) | output_choices(claim.outputs), strict=False)
    need_scoped(claim.density, [*outs, *own, *claim.direct], body)
    reading.need(claim.density, NUMBER)
    need_scoped(claim.defined, [*own, *claim.direct], body)
    reading.need(claim.defined, CONDITION)
    for _, mass in claim.atoms:
        need_scoped(mass, [*own, *claim.direct], body)
        reading.need(mass, NUMBER)


def check_formulas(claim: Claim) -> None:
    """Raises unless each formula of a composite mentions only names that it may."""
    own, choices = [n for n, _ in claim.parameters], input_choices(claim)
    formulas, names = claim.formulas, [*own, *claim.bound]
    kinds: tuple[str, ...] = AMOUNT
    if claim.rule == "normalised":
        score, *formulas = formulas
        outs = [o.name for o in claim.outputs]
        need_scoped(score, [*outs, *own, *claim.direct], inside_sums(claim))
        Reading(choices | output_choices(claim.outputs)).need(score, NUMBER)
        names += [] if claim.bound else beside(claim)
    elif claim.rule == "post_process":
        (part, *_) = claim.parts
        names, kinds = [*own, *(o.name for o in part.outputs)], (NUMBER,)
        choices = {o.name: seen_choice(part, o) for o in part.outputs}
    elif claim.rule == "mixture":
        names = own
    elif claim.rule == "pull_back":
        kinds = (NUMBER, LABEL, INFINITE)
    for f in formulas:
        need_scoped(f, names)
        Reading(choices).need(f, *kinds)


def beside(claim: Claim) -> list[str]:
    """The names of two values, where levels are of two values."""
    of_values = claim.direct if claim.values or claim.region else []
    return [*of_values, *map(neighbour, of_values)]


def seen_choice(part: Claim, output: Output) -> Choice:
    """The possible values of an output, for formulas and parts that read it."""
    labels = part.labels.get(output.name, ())
    return choice((*output.values, *labels), numbers=output.kind != "finite")


def check_said(claim: Claim, relation: str, level: Tree, delta: Tree) -> None:
    """Raises unless the relation fits the inputs, and level and delta are in their ranges."""
    known = tuple(AMOUNTS)
    if claim.values or claim.region:
        known = ("any",)
    if claim.bound:
        known = ("ahdp", "add-remove", "hdp", "swap", *("pairs",) * (claim.rule == "group"))
    need(relation in known, "its relation does not fit the inputs")
    own = [n for n, _ in claim.parameters]
    moved = [*claim.bound, *beside(claim)] if relation in OWN_LEVEL else []
    reading = Reading(input_choices(claim))
    need_scoped(level, [*own, *moved])
    reading.need(level, *AMOUNT)
    need_scoped(delta, [*own, *(claim.bound if relation == "ahdp" else ())])
    reading.need(delta, NUMBER)
    if claim.records and moved and "eps" in own and "eps" in level.names | delta.names:
        alike = all(r["eps"] is name("eps") for r in claim.records)
        need(alike, "eps is both a demand and a parameter")
    need(not is_number(delta) or 0 <= delta.value <= 1, "delta is not in [0, 1]")
    need(not is_number(level) or level.value >= 0, "the level is below 0")


# composites


def read_composite(
    claim: Claim,
    rule: str,
    parts: Any,
    called: Any,
    own: Any,
    domain: Any,
    released: Any,
    formulas: Any,
) -> None:
    """Reads the inputs, outputs, parameters and `defined` of a composite."""
    need(isinstance(rule, str) and rule in MADE, "a composite has an unknown rule")
    text(called)
    claim.rule, claim.parts = rule, [Claim(p) for p in listed(parts)]
    claim.levels += max((p.levels for p in claim.parts), default=0)
    claim.mechanisms += sum(p.mechanisms for p in claim.parts)
    need(claim.levels <= MOST_LEVELS, "mechanisms are nested too deeply")
    need(claim.mechanisms <= MOST_MECHANISMS, "a composite has too many mechanisms")
    claim.formulas = [read(f) for f in listed(formulas)]
    least, most = MADE[rule]
    need(least <= len(claim.parts) <= most, "a rule has too many or too few parts")
    need(all(p.relation != "pairs" for p in claim.parts), "a part has a claim about pairs")
    own_domain = rule in ("normalised", "pull_back")
    need(
        (domain is not None) == own_domain,
        "a rule has a domain that it should not have, or lacks one",
    )
    claim.inputs = domain if own_domain else claim.parts[0].inputs
    same = own_domain or all(p.inputs == claim.inputs for p in claim.parts)
    need(same, "the parts have different inputs")
    need(own == [] or rule in OWN_PARAMETERS, "a rule has parameters that it should not have")
    if rule == "subsample":
        added = claim.parts[0].relation in ("ahdp", "add-remove")
        need(added, "subsampling needs a part that is ahdp or add-remove")
        smaller = is_closed_below(claim.parts[0].defined)
        need(smaller, "the part is not defined on all smaller datasets")
    if rule == "pull_back":
        of_records = isinstance(domain, dict) and bool({"records", "unknowns"} & set(domain))
        need(of_records and bool(claim.parts[0].bound), "pull_back needs datasets on both sides")
    read_released(claim, released)
    read_parameters(claim, own)
    check_released(claim, released)
    claim.defined = defined_of_parts(claim)


def read_released(claim: Claim, released: Any) -> None:
    rule, parts, own = claim.rule, claim.parts, read_outputs(released)
    computed = rule == "normalised" or (rule == "post_process" and len(parts) == 1)
    need(
        bool(own) == computed, "a rule has released outputs that it should not have, or lacks them"
    )
    last = parts if rule in ("compose", "product") else parts[-1:]
    claim.outputs = own or [o for p in last for o in p.outputs]
    wanted = {
        "subsample": 1,
        "mixture": len(parts),
        "normalised": 3,
        "post_process": len(own),
        "pull_back": len(parts[0].bound) if parts else 0,
    }
    need(len(claim.formulas) == wanted.get(rule, 0), "a rule has too many or too few formulas")
    finite = rule != "normalised" or all(o.kind == "finite" for o in own)
    need(finite, "a normalised mechanism has an output that is not finite")
    alike = rule != "mixture" or all(p.outputs == claim.outputs for p in parts)
    need(alike, "the parts of a mixture have different outputs")


def read_parameters(claim: Claim, own: Any) -> None:
    """The parameters: of the domain, of the parts except earlier outputs, and its own."""
    domain: Any = claim.mechanism["domain"]
    domain = domain.get("parameters", []) if isinstance(domain, dict) else []
    claim.parameters = read_named(domain)
    earlier: dict[str, Output] = {}
    for p in claim.parts:
        hidden = p.level.names | p.delta.names | p.defined.names
        need(hidden.isdisjoint(earlier), "a claim or a condition of a part mentions an output")
        for n, c in p.parameters:
            if n in earlier:
                check_reading(claim, p, earlier[n], c)
            else:
                need(c.names.isdisjoint(earlier), "a condition mentions an output")
                claim.parameters += [(n, c)] * ((n, c) not in claim.parameters)
        if claim.rule in ("compose", "post_process"):
            earlier |= {o.name: o for o in p.outputs}
        for o in p.outputs:
            claim.labels[o.name] = claim.labels.get(o.name, ()) + p.labels.get(o.name, ())
    claim.parameters += [pair for pair in read_named(own) if pair not in claim.parameters]


def check_reading(claim: Claim, part: Claim, output: Output, condition: Tree) -> None:
    """Raises unless the condition of a parameter holds for all values of the output that it is.

    So a part assumes nothing of an output that it reads but what is always true.
    """
    need(not claim.labels.get(output.name), "a part reads a label")
    if not is_true(condition):
        need(
            bool(output.values),
            "a parameter that is an output has a condition and no listed values",
        )
        need(
            condition.names == {output.name},
            "the condition of a parameter that is an output mentions other names",
        )
        for v in output.values:
            holds = truth(substitute(condition, {output.name: v}), Context())
            need(holds, "the condition of a parameter fails for a value of the output")
    if output.values and not part.rule:
        choices = input_choices(part) | output_choices((*part.outputs, output))
        for e in walk(part.density):
            if e.head in ("==", "!=") and name(output.name) in e.args:
                need_met(e, choices)


def check_released(claim: Claim, released: Any) -> None:
    """Raises unless each computed output is real, or takes the listed values only."""
    if not released or not claim.parts:
        return
    (part,) = claim.parts
    for o, f in zip(claim.outputs, claim.formulas, strict=True):
        claim.labels[o.name] = labels_left(part, f)
        if o.kind == "real":
            continue
        need(o.kind == "finite", "a computed output is integer")
        inside = [p for p in part.outputs if p.name in f.names]
        need(
            all(p.kind == "finite" for p in inside),
            "a computed value depends on outputs that are not finite",
        )
        few = number_of_combinations(inside) <= COMBINATIONS
        need(few, "a computed value depends on too many combinations")
        for c in combinations(inside):
            found = [is_equal(substitute(f, c), v) for v in o.values]
            need(any(found), "a computed value is not among the listed ones")


def labels_left(part: Claim, f: Tree) -> tuple[Tree, ...]:
    """The labels of outputs that a formula may pass on."""
    found = [(n, v) for n in part.labels if n in f.names for v in part.labels[n]]
    return tuple(v for n, v in found if not is_number_at(f, {n: v}))


def is_number_at(f: Tree, label: Record) -> bool:
    """True only if the formula is, where an output is this label, one that does not read it."""
    while f.head == "piecewise":
        held = held_branch(f, label)
        if held is None:
            return False
        f = held
    return f.names.isdisjoint(label)


def held_branch(e: Tree, values: Record) -> Tree | None:
    """The value of a piecewise expression that holds at these values, if that is known."""
    for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
        holds = known_truth(substitute(condition, values), Context(), Rejected)
        if holds is not False:
            return value if holds else None
    return None


def is_equal(a: Tree, b: Tree) -> bool:
    """True only if both are known to be the same."""
    return known_truth(make("==", a, b), Context(), Rejected) is True


def defined_of_parts(claim: Claim) -> Tree:
    """The conditions of all parts; of a part pulled back, at what the records become."""
    becomes: Mapping[str, Tree] = {}
    if claim.rule == "pull_back":
        becomes = dict(zip(claim.parts[0].bound, claim.formulas, strict=True))

    def moved(e: Tree) -> Tree | None:
        if becomes and e.head in AGGREGATES:
            return make(e.head, rename(e.args[0], becomes))
        return None

    said = (c for p in claim.parts for c in conjuncts(p.defined) if not is_true(c))
    return conjunction(dict.fromkeys(rebuild(c, moved) for c in said))


def rename(e: Tree, values: Mapping[str, Tree]) -> Tree:
    """The expression with all names replaced, including those of records."""
    return rebuild(e, lambda node: values.get(node.value) if node.head == "name" else None)
