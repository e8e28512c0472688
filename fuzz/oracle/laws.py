"""The distribution of a mechanism at one input, from its JSON: of mechanisms given by their
density, and of composites by the definition of each rule.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mpmath import mpf

from fuzz.oracle import lines
from fuzz.oracle.trees import (
    AGGREGATES,
    FAR,
    CannotTell,
    Env,
    Label,
    Records,
    Tree,
    Undefined,
    equal,
    folded,
    holds,
    limit,
    names,
    number,
    value,
)

Json = Any
Outcome = tuple[Any, ...]
Instances = Mapping[str, Callable[["Input", Env], Tree]]
MOST = 4096  # outcomes that are listed


@dataclass(frozen=True)
class Input:
    """One input: a dataset, query answers, or a value."""

    env: Mapping[str, Any]
    data: Records | None = None
    text: str = ""


@dataclass(frozen=True)
class Out:
    """One output."""

    name: str
    kind: str
    values: tuple[Any, ...] = ()


@dataclass
class Law:
    """A distribution at one input: a tree in the outputs alone, and atoms."""

    outputs: tuple[Out, ...]
    tree: Tree
    atoms: tuple[tuple[Any, mpf], ...] = ()
    kinks: dict[tuple[Any, ...], list[mpf]] = field(default_factory=dict, init=False)

    @property
    def finite(self) -> bool:
        return all(o.kind == "finite" for o in self.outputs)

    @property
    def others(self) -> tuple[Out, ...]:
        return tuple(o for o in self.outputs if o.kind != "finite")

    def outcomes(self) -> list[Outcome]:
        if math.prod(len(o.values) for o in self.outputs if o.kind == "finite") > MOST:
            raise CannotTell("too many outcomes")
        return list(itertools.product(*(o.values for o in self.outputs if o.kind == "finite")))

    def named(self, outcome: Outcome) -> dict[str, Any]:
        listed = (o.name for o in self.outputs if o.kind == "finite")
        return dict(zip(listed, outcome, strict=True))

    def table(self) -> dict[Outcome, mpf]:
        return {o: value(self.tree, self.named(o)) for o in self.outcomes()}

    def at(self, point: Env) -> mpf:
        return value(self.tree, point)

    def cases(self) -> list[tuple[Outcome, Tree]]:
        """The tree in the other outputs, for each combination of finite values."""
        free = frozenset(o.name for o in self.others)
        return [(o, folded(self.tree, self.named(o), None, free)) for o in self.outcomes()]

    def total(self) -> mpf:
        """The total mass."""
        mass = (
            sum(self.table().values(), mpf(0))
            if self.finite
            else sum((box(t, self.others, {}) for _, t in self.cases()), mpf(0))
        )
        return mass + sum((m for _, m in self.atoms), mpf(0))


def box(tree: Tree, outputs: tuple[Out, ...], ends: Mapping[str, tuple[mpf, mpf]]) -> mpf:
    """The integral of a tree over a box of outputs that are not finite; a product of distributions
    of one output each.
    """
    if not outputs:
        return value(tree, {})
    if len(outputs) == 1:
        o = outputs[0]
        return lines.total(
            tree, o.name, o.kind == "integer", *ends.get(o.name, (-lines.INF, lines.INF))
        )
    groups: dict[str, list[Tree]] = {o.name: [] for o in outputs}
    result = mpf(1)
    for f in factors(tree):
        used = names(f) & set(groups)
        if len(used) > 1:
            return nested(tree, outputs, ends)
        if used:
            groups[used.pop()].append(f)
        else:
            result *= value(f, {})
    for o in outputs:
        result *= box(["*", mpf(1), *groups[o.name]], (o,), ends)
    return result


def nested(tree: Tree, outputs: tuple[Out, ...], ends: Mapping[str, tuple[mpf, mpf]]) -> mpf:
    raise CannotTell("outputs that depend on each other")


def factors(e: Tree) -> list[Tree]:
    """Trees whose product is e."""
    if not isinstance(e, list):
        return [e]
    if e[0] == "*":
        return [f for a in e[1:] for f in factors(a)]
    if e[0] == "exp" and isinstance(e[1], list):
        return [["exp", t] for t in summands(e[1])]
    if e[0] == "^" and isinstance(e[2], mpf) and e[2] == -1:
        return [["^", f, e[2]] for f in factors(e[1])]
    return [e]


def summands(e: Tree) -> list[Tree]:
    if isinstance(e, list) and e[0] == "+":
        return [t for a in e[1:] for t in summands(a)]
    if isinstance(e, list) and e[0] == "*":
        for i, a in enumerate(e[1:], 1):
            if isinstance(a, list) and a[0] == "+":
                return [t for b in a[1:] for t in summands(["*", *e[1:i], b, *e[i + 1 :]])]
    return [e]


def outputs_of(m: Json) -> tuple[Out, ...]:
    """The outputs of a mechanism of any kind."""
    if "rule" not in m:
        return tuple(Out(n, k, tuple(value(v, {}) for v in vs)) for n, k, vs in m["outputs"])
    if m["released"]:
        return tuple(Out(n, k, tuple(value(v, {}) for v in vs)) for n, k, vs in m["released"])
    if m["rule"] in ("compose", "product"):
        return tuple(o for p in m["parts"] for o in outputs_of(p["mechanism"]))
    return outputs_of(m["parts"][-1]["mechanism"])


def inputs_of(m: Json) -> Json:
    """The inputs of a mechanism of any kind."""
    if "rule" not in m:
        return m["inputs"]
    return m["domain"] if m["domain"] is not None else inputs_of(m["parts"][0]["mechanism"])


def expanded(e: Tree, env: Env, data: Records | None, free: frozenset[str]) -> Tree:
    """The tree with aggregates that read an output expanded record by record."""
    if not isinstance(e, list) or e[0] in ("name", "label", "boolean"):
        return e
    if e[0] in AGGREGATES and names(e) & free and data is not None:
        listed = [(folded(e[1], {**env, **r}, None, free), n) for r, n in data.held if n]
        if e[0] == "sum":
            return ["+", mpf(0), *(["*", mpf(n), t] for t, n in listed)]
        if not listed:
            raise Undefined("an extreme of nothing")
        return ["max" if e[0] == "maximum" else "min", *(t for t, _ in listed)]
    if e[0] == "index":
        return chosen(e, env, free)
    return [e[0], *(expanded(a, env, data, free) for a in e[1:])]


def chosen(e: Tree, env: Env, free: frozenset[str]) -> Tree:
    """A part with a computed index, as a choice among all parts."""
    base = e[1] if isinstance(e[1], str) else e[1][1]
    keys = [k for k in env if k.startswith(f"{base}[")] + [
        k for k in free if k.startswith(f"{base}[")
    ]
    branches: list[Tree] = []
    for k in keys:
        branches += [["name", k], ["==", e[2], k[len(base) + 1 : -1]]]
    return ["piecewise", *branches]


def law(
    m: Json,
    at: Input,
    parameters: Env,
    instances: Instances | None = None,
    read: frozenset[str] = frozenset(),
) -> Law:
    """The distribution at one input; Undefined where the mechanism is not defined.

    `instances` gives laws of abstract mechanisms by their JSON; `read` are outputs of earlier
    parts.
    """
    if "rule" in m:
        return RULES[m["rule"]](m, at, parameters, instances or {}, read)
    outputs = outputs_of(m)
    if "assumed" in m:
        key = json.dumps(m, sort_keys=True)
        if instances is None or key not in instances:
            raise CannotTell("an abstract mechanism")
        found = instances[key](at, parameters)
        return (
            found
            if isinstance(found, Law)
            else Law(tuple(Out(o.name, "finite", (mpf(0), mpf(1))) for o in outputs), found)
        )
    env = {**parameters, **at.env}
    if not holds(m["defined"], env, at.data):
        raise Undefined("not defined")
    free = frozenset(o.name for o in outputs) | read
    tree = folded(expanded(m["density"], env, at.data, free), env, at.data, free)
    atoms = tuple((value(p, {}), value(mass, env, at.data)) for p, mass in m["atoms"])
    return Law(outputs, tree, atoms)


def sequential(
    m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]
) -> Law:
    seen, trees, outputs = read, [], []
    for p in m["parts"]:
        part = law(
            p["mechanism"],
            at,
            {k: v for k, v in parameters.items() if k not in seen},
            instances,
            seen,
        )
        if part.atoms and len(m["parts"]) > 1:
            raise CannotTell("atoms inside a composition")
        trees.append(part.tree)
        outputs += part.outputs
        if m["rule"] != "product":
            seen |= {o.name for o in part.outputs}
    if len(m["parts"]) == 1:
        return part
    return Law(tuple(outputs), ["*", *trees])


def post_process(
    m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]
) -> Law:
    if len(m["parts"]) == 2:
        whole = sequential(m, at, parameters, instances, read)
        first = law(m["parts"][0]["mechanism"], at, parameters, instances, read)
        if not first.finite:
            raise CannotTell("a kernel behind outputs that are not finite")
        free = frozenset(o.name for o in whole.outputs[len(first.outputs) :])
        terms = [folded(whole.tree, first.named(o), None, free) for o in first.outcomes()]
        return Law(whole.outputs[len(first.outputs) :], ["+", mpf(0), *terms])
    part = law(m["parts"][0]["mechanism"], at, parameters, instances, read)
    env = {**parameters, **at.env}
    if part.finite:
        return pushed(m, part, env)
    return affine(m, part, env)


def pushed(m: Json, part: Law, env: Env) -> Law:
    """The distribution of formulas in finite outputs, by listing all outcomes."""
    found: list[tuple[Outcome, mpf]] = []
    for o, p in part.table().items():
        y = tuple(value(f, {**env, **part.named(o)}) for f in m["formulas"])
        for i, (z, q) in enumerate(found):
            if all(equal(a, b) for a, b in zip(y, z, strict=True)):
                found[i] = (z, q + p)
                break
        else:
            found.append((y, p))
    listed = [n for n, _, _ in m["released"]]
    return table_law(listed, found)


def table_law(listed: list[str], found: list[tuple[Outcome, mpf]]) -> Law:
    outputs = []
    for i, n in enumerate(listed):
        values: list[Any] = []
        for y, _ in found:
            if not any(equal(y[i], v) for v in values):
                values.append(y[i])
        outputs.append(Out(n, "finite", tuple(values)))
    branches: list[Tree] = []
    for y, p in found:
        conditions = [
            ["==", ["name", n], ["label", v.text] if isinstance(v, Label) else v]
            for n, v in zip(listed, y, strict=True)
        ]
        branches += [p, conditions[0] if len(conditions) == 1 else ["and", *conditions]]
    return Law(tuple(outputs), ["piecewise", *branches, mpf(0), ["boolean", True]])


def affine(m: Json, part: Law, env: Env) -> Law:
    """The distribution of a e + b of the one output of a part."""
    if len(part.outputs) != 1 or len(m["released"]) != 1:
        raise CannotTell("formulas in several outputs that are not finite")
    e, (y, kind, _) = part.outputs[0], m["released"][0]
    f = folded(m["formulas"][0], env, None, frozenset((e.name,)))
    found = lines.pieces(f, e.name, False)
    if len(found) != 1 or found[0][2].linear is None or found[0][2].linear[1] == 0:
        return stepwise(m, part, f)
    b, a = found[0][2].linear
    if e.kind == "integer" and (kind != "integer" or abs(a) != 1):
        raise CannotTell("a formula in a whole output")
    back = ["*", ["+", ["name", y], -b], 1 / a]
    moved = replaced(part.tree, e.name, back)
    tree = moved if e.kind == "integer" else ["*", 1 / abs(a), moved]
    atoms = tuple((v if isinstance(v, Label) else a * v + b, p) for v, p in part.atoms)
    return Law((Out(y, e.kind),), tree, atoms)


def stepwise(m: Json, part: Law, f: Tree) -> Law:
    """The distribution of a formula that takes finitely many values, one for each piece of the
    output.
    """
    e, table = part.outputs[0], []
    if part.atoms:
        raise CannotTell("atoms behind steps")
    for a, b, g in lines.pieces(f, e.name, e.kind == "integer"):
        if g.constant is None:
            raise CannotTell("a formula that is neither affine nor constant")
        mass = sum(
            (
                lines.integral(h, c, d, e.kind == "integer")
                for c, d, h in lines.pieces(part.tree, e.name, e.kind == "integer", a, b)
            ),
            mpf(0),
        )
        for i, (y, q) in enumerate(table):
            if equal(y[0], g.constant):
                table[i] = (y, q + mass)
                break
        else:
            table.append(((g.constant,), mass))
    return table_law([m["released"][0][0]], table)


def replaced(e: Tree, name: str, by: Tree) -> Tree:
    if not isinstance(e, list):
        return e
    if e[0] == "name":
        return by if e[1] == name else e
    if e[0] in ("label", "boolean"):
        return e
    return [e[0], *(replaced(a, name, by) for a in e[1:])]


def mixture(m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]) -> Law:
    parts = [law(p["mechanism"], at, parameters, instances, read) for p in m["parts"]]
    weights = [value(f, parameters) for f in m["formulas"]]
    if any(w < 0 for w in weights):
        raise Undefined("a probability below 0")
    atoms: list[tuple[Any, mpf]] = []
    for w, p in zip(weights, parts, strict=True):
        for v, mass in p.atoms:
            known = [i for i, (u, _) in enumerate(atoms) if equal(u, v)]
            if known:
                atoms[known[0]] = (v, atoms[known[0]][1] + w * mass)
            else:
                atoms.append((v, w * mass))
    return Law(
        parts[0].outputs,
        ["+", *(["*", w, p.tree] for w, p in zip(weights, parts, strict=True))],
        tuple(atoms),
    )


def normalised(
    m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]
) -> Law:
    outputs, env = outputs_of(m), {**parameters, **at.env}
    free = frozenset(o.name for o in outputs)
    score = folded(expanded(m["formulas"][0], env, at.data, free), env, at.data, free)
    plain = Law(outputs, ["exp", score])
    total = sum(plain.table().values(), mpf(0))
    return Law(outputs, ["*", 1 / total, ["exp", score]])


def pull_back(
    m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]
) -> Law:
    part = m["parts"][0]["mechanism"]
    keys = bound(inputs_of(part))
    assert at.data is not None
    moved = []
    for r, n in at.data.held:
        new = {k: value(f, {**parameters, **r}) for k, f in zip(keys, m["formulas"], strict=True)}
        moved.append(({k: FAR if str(v) == "oo" else v for k, v in new.items()}, n))
    return law(part, Input(at.env, merged(moved)), parameters, instances, read)


def merged(held: list[tuple[Mapping[str, Any], int]]) -> Records:
    """The same dataset with equal records together."""
    out: list[tuple[Mapping[str, Any], int]] = []
    for r, n in held:
        for i, (s, k) in enumerate(out):
            if all(equal(r[key], s[key]) for key in r):
                out[i] = (s, k + n)
                break
        else:
            out.append((r, n))
    return Records(tuple(out))


def bound(inputs: Json) -> list[str]:
    """The names of the parts of a record, in the order of the formulas of a pull-back."""
    if "records" in inputs:
        return [*list(bindings(inputs["records"][0][0], "x")), "eps"]
    return [k for k, _ in inputs["unknowns"]]


def bindings(v: Json, name: str) -> dict[str, Any]:
    """What x (or x[1], x[2], ...) stands for."""
    if isinstance(v, list) and v and v[0] == "vector":
        return {f"{name}[{i}]": value(part, {}) for i, part in enumerate(v[1:], 1)}
    return {name: value(v, {})}


def subsample(
    m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]
) -> Law:
    assert at.data is not None
    held = [(r, n) for r, n in at.data.held if n]
    if math.prod(n + 1 for _, n in held) > 300:
        raise CannotTell("too many samples")
    keep = [limit(m["formulas"][0], {**parameters, **r}) for r, _ in held]
    if any(k < 0 or k > 1 for k in keep):
        raise Undefined("a probability outside [0, 1]")
    terms, found = [], None
    for kept in itertools.product(*(range(n + 1) for _, n in held)):
        probability = mpf(1)
        for (_, n), k, p in zip(held, kept, keep, strict=True):
            probability *= math.comb(n, k) * p**k * (1 - p) ** (n - k)
        if probability == 0:
            continue
        part = Records(tuple((r, k) for (r, _), k in zip(held, kept, strict=True)))
        found = law(m["parts"][0]["mechanism"], Input(at.env, part), parameters, instances, read)
        if found.atoms:
            raise CannotTell("atoms behind a sample")
        terms.append(["*", probability, found.tree])
    assert found is not None
    return Law(found.outputs, ["+", mpf(0), *terms])


def same(m: Json, at: Input, parameters: Env, instances: Instances, read: frozenset[str]) -> Law:
    return law(m["parts"][0]["mechanism"], at, parameters, instances, read)


RULES: dict[str, Callable[..., Law]] = {
    "compose": sequential,
    "product": sequential,
    "post_process": post_process,
    "mixture": mixture,
    "normalised": normalised,
    "pull_back": pull_back,
    "subsample": subsample,
    "group": same,
}
__all__ = ["Input", "Law", "Out", "law", "number"]
