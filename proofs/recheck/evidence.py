"""Section 5: the shapes of evidence; proofs, lemmas, leaves and cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from recheck.exp_sign import require_exp_sign
from recheck.forms import ATOMS, NOTHING, UNIT, Form, exp_of, log_of, product, total, tree_of
from recheck.limits import Rejected, need
from recheck.regions import require_region
from recheck.signs import (
    ANY,
    RELATION,
    Context,
    abs_of,
    branch,
    floor_of,
    is_whole,
    polynomial,
    positive,
)
from recheck.trees import Tree, rational, read

Shape = Callable[[Any], Any]


class Evidence:
    """A piece of evidence of one kind, with exactly the fields of that kind; `data` is its JSON."""

    def __init__(self, kind: str, fields: dict[str, Any], data: Any = None) -> None:
        self.kind, self.data = kind, data
        self.__dict__.update({"lemma_kind" if f == "kind" else f: v for f, v in fields.items()})

    def __getattr__(self, field: str) -> Any:
        raise Rejected(f"evidence of kind {self.kind!r} where another kind is required")


# shapes: each is a function from JSON to the value that it represents


def tree(data: Any) -> Tree:
    need(isinstance(data, dict) and set(data) == {"e"}, "evidence: expected a tree")
    return read(data["e"])


def quantity(data: Any) -> Any:
    need(isinstance(data, dict) and set(data) == {"q"}, "evidence: expected a number")
    return rational(data["q"])


def whole(data: Any) -> int:
    need(type(data) is int, "evidence: expected an integer")
    return int(data)


def words(data: Any) -> str:
    need(isinstance(data, str), "evidence: expected a string")
    return str(data)


def truth_value(data: Any) -> bool:
    need(isinstance(data, bool), "evidence: expected true or false")
    return bool(data)


def maybe(shape: Shape) -> Shape:
    return lambda data: None if data is None else shape(data)


def either(first: Shape, key: str, second: Shape) -> Shape:
    """The first shape for objects that have a key, otherwise the second."""
    return lambda data: (first if isinstance(data, dict) and key in data else second)(data)


def many(shape: Shape) -> Shape:
    def of(data: Any) -> list[Any]:
        need(isinstance(data, list), "evidence: expected a list")
        return [shape(d) for d in data]

    return of


def row(*shapes: Shape) -> Shape:
    def of(data: Any) -> list[Any]:
        good = isinstance(data, list) and len(data) == len(shapes)
        need(good, "evidence: a list has another length")
        return [shape(d) for shape, d in zip(shapes, data, strict=True)]

    return of


def one_of(*kinds: str) -> Shape:
    def of(data: Any) -> Evidence:
        good = isinstance(data, dict) and isinstance(data.get("is"), str)
        need(good and data["is"] in kinds, "evidence of another kind is required")
        shapes = KINDS[data["is"]]
        need(set(data) == {"is", *shapes}, f"evidence: {data['is']!r} has other fields")
        return Evidence(data["is"], {f: shape(data[f]) for f, shape in shapes.items()}, data)

    return of


LEAVES = ("closed", "case split", "separate", "divergence", "solver word", "enumeration")
LEMMA, LEAF, SHIFTS = one_of("lemma"), one_of("closed"), one_of("shifts")
PROOFS = many(maybe(one_of("products", "exp sign", "box cover", "monotone", "case split")))
CASES = one_of("closed", "case split")
PROOF = one_of("certificate", "by rule")
TOTALS = one_of("pieces", "case split", "closed")
KINDS: dict[str, dict[str, Shape]] = {
    "certificate": {
        "claim": words,
        "counts": truth_value,
        "conditions": many(tree),
        "mass": one_of("mass"),
        "evidence": many(one_of(*LEAVES)),
        "uses": many(whole),
    },
    "by rule": {
        "claim": words,
        "rule": words,
        "version": whole,
        "stated": maybe(one_of("stated")),
        "premises": many(PROOF),
        "evidence": many(one_of("closed", "case split")),
    },
    "stated": {"relation": words, "level": tree, "delta": tree},
    "mass": {"values": many(tree), "evidence": many(TOTALS)},
    "pieces": {"lemmas": many(LEMMA), "points": many(tree)},
    "products": {"terms": many(row(quantity, many(whole)))},
    "exp sign": {
        "factors": many(row(tree, whole, many(quantity))),
        "low": whole,
        "high": maybe(whole),
    },
    "box cover": {"pieces": whole},
    "monotone": {
        "name": words,
        "side": whole,
        "fact": maybe(whole),
        "lemmas": many(LEMMA),
        "factor": tree,
        "strict": truth_value,
        "slope": CASES,
        "start": CASES,
    },
    "lemma": {"kind": words, "arguments": many(tree), "relation": words, "proofs": PROOFS},
    "closed": {"lemmas": many(LEMMA), "form": words, "proofs": PROOFS},
    "case split": {
        "lemmas": many(LEMMA),
        "guard": tree,
        "cases": many(row(words, one_of("pieces", *LEAVES[:4]))),
    },
    "separate": {
        "lemmas": many(LEMMA),
        "form": words,
        "levels": many(tree),
        "leaves": many(LEAF),
        "proofs": PROOFS,
    },
    "choice": {"counts": words, "why": LEAF},
    "divergence": {
        "lemmas": many(LEMMA),
        "points": many(tree),
        "choices": many(one_of("choice", "divergence")),
        "final": LEAF,
    },
    "enumeration": {"size": whole},
    "solver word": {"solvers": many(words)},
    "optimum": {
        "claim": words,
        "lemmas": many(LEMMA),
        "numbers": many(tree),
        "kernel": many(many(whole)),
        "rest": many(whole),
        "prior": many(whole),
        "prices": many(whole),
        "flows": many(many(row(whole, whole, whole))),
    },
    "best test": {
        "claim": words,
        "points": many(tree),
        "numbers": many(tree),
        "test": many(many(whole)),
        "prior": many(whole),
        "winners": many(whole),
    },
    "alignment": {
        "claim": words,
        "regions": many(one_of("region")),
        "moves": many(one_of("whole runs", "cut runs", "rounds")),
    },
    "region": {"paths": many(whole), "sums": many(many(many(whole)))},
    "whole runs": {"shifts": many(SHIFTS)},
    "cut runs": {"shifts": many(SHIFTS), "cuts": many(row(words, tree))},
    "rounds": {"ages": whole, "start": many(SHIFTS), "heads": many(one_of("head"))},
    "head": {
        "state": words,
        "phase": whole,
        "differences": many(row(words, quantity)),
        "left": tree,
        "bodies": many(row(whole, many(SHIFTS))),
        "end": many(SHIFTS),
    },
    "shifts": {
        "rows": many(many(many(row(words, quantity)))),
        "never": many(row(whole, quantity)),
    },
    "inputs and outputs": {
        "parameters": many(row(words, tree)),
        "first": many(quantity),
        "second": many(quantity),
        "event": one_of("outputs"),
    },
    "outputs": {"items": many(either(tree, "e", one_of("between"))), "increments": truth_value},
    "between": {"low": maybe(tree), "high": maybe(tree)},
}


# proofs that a form has a sign


def require(r: Form, relation: str, proof: Evidence | None, here: Context) -> None:
    """Raises unless r `relation` 0 is shown: by its sign, an exp sign, or a sum of products."""
    if proof is None:
        if not here.signs(r) <= RELATION[relation]:
            raise Rejected("a required sign is not known")
        return
    if proof.kind == "case split":
        require_by_cases(r, relation, proof, here)
        return
    need(relation in (">=", ">"), "a proof can only show >= and >")
    if proof.kind == "exp sign":
        require_exp_sign(polynomial(r, here), relation, proof, here)
    elif proof.kind in ("box cover", "monotone"):
        require_region(polynomial(r, here), relation, proof, here, (require_by_cases, extended))
    else:
        require_products(polynomial(r, here), relation, proof, here)


def require_by_cases(r: Form, relation: str, evidence: Evidence, here: Context) -> None:
    """Raises unless r `relation` 0 is shown by cases, with one proof in each leaf."""

    def leaf(found: Evidence, at: Context) -> None:
        at = extended(found.lemmas, at)
        need(found.kind == "closed" and found.form == "direct", "a sign needs a direct leaf")
        need(len(found.proofs) <= 1, "there are too many or too few proofs")
        require(at.form(tree_of(r)), relation, found.proofs[0] if found.proofs else None, at)

    descend(evidence, here, leaf)


def require_products(p: Form, relation: str, proof: Evidence, here: Context) -> None:
    """p = sum of c * (product of facts)     c > 0, or a fact of that product is an equality
    ----------------------------------------------------------------------------------------
    p >= 0, and p > 0 if a term with c > 0 has only facts of the kind > 0
    """
    terms, strict = [], False
    for c, numbers in proof.terms:
        facts = [fact(i, here) for i in numbers]
        kinds = {kind for _, kind in facts}
        need(c > 0 or "=" in kinds, "a product is subtracted, and none of its facts is an equality")
        strict = strict or (c > 0 and kinds <= {">"})
        terms.append(product(f for f, _ in facts).scaled(c))
    need(strict or relation == ">=", "no product is > 0")
    found = total(terms)
    if p != found and here.values:  # facts may contain names whose values are known now
        found = here.form(tree_of(found))
    need_same(p, found, "products do not add up to what they should")


def fact(number: int, here: Context) -> tuple[Form, str]:
    """The fact of this number."""
    if not 0 <= number < len(here.facts):
        raise Rejected("there is no fact with this number")
    return here.facts[number]


def need_same(p: Form, q: Form, reason: str) -> None:
    """Raises unless p and q are the same up to a product of exponentials, which is > 0."""
    if p == q:
        return
    need(not p.is_zero and not q.is_zero, reason)
    quotient = p / q
    need(not quotient.den and list(quotient.num.values()) == [1], reason)
    (m,) = quotient.num
    need(all(ATOMS[a].kind == "exp" for a, _ in m), reason)


# lemmas

Demand = tuple[Form, str]  # what has to be shown, and how


def fact_of_lemma(lemma: Evidence, here: Context) -> tuple[list[Demand], Form]:
    """(what has to be shown, the polynomial of the new fact) for a lemma."""
    kind, relation = lemma.lemma_kind, lemma.relation
    args = [here.form(a) for a in lemma.arguments]
    need(kind in ARGUMENTS, "a lemma is of unknown kind")
    count, relations = ARGUMENTS[kind]
    need(len(args) == count, "a lemma has too many or too few arguments")
    need(relation in relations, "a lemma has a relation that its kind does not have")
    a, b = [*args, NOTHING][:2]
    if kind in ("sign", "proved"):
        return [(a, relation)], a
    if kind == "exp":
        return [], exp_of(a) - UNIT - a
    if kind == "order":
        return [(b - a, relation)], exp_of(b) - exp_of(a)
    if kind == "triangle":
        return [], abs_of(here, a) + abs_of(here, a - b) - abs_of(here, b)
    if kind == "absolute":
        return [], abs_of(here, a) - a
    if kind == "bound":
        return [(b - a, ">="), (b + a, ">=")], b - abs_of(here, a)
    if kind == "whole":
        need(is_whole(a, here), "a lemma of kind whole needs an expression known to be an integer")
        return [(a, ">")], a - UNIT
    if kind == "square":
        return [], a * a
    below = floor_of(here, a)
    return [], a - below if relation == ">=" else below + UNIT - a


EVERY = ("<", "<=", "=", ">=", ">")
ARGUMENTS = {  # kind: how many arguments, which relations
    "sign": (1, EVERY),
    "proved": (1, EVERY),
    "exp": (1, (">=",)),
    "order": (2, (">=", ">")),
    "triangle": (2, (">=",)),
    "absolute": (1, (">=",)),
    "bound": (2, (">=",)),
    "whole": (1, (">=",)),
    "square": (1, (">=",)),
    "floor": (1, (">=", ">")),
}


def extended(lemmas: Sequence[Evidence], here: Context) -> Context:
    """the condition of each lemma holds
    ------------------------------------
    here, with the fact of each lemma
    """
    for lemma in lemmas:
        demands, fact = fact_of_lemma(lemma, here)
        proofs = proofs_of(lemma, len(demands))
        for (r, relation), proof in zip(demands, proofs, strict=True):
            require(r, relation, proof, here)
        here = here.given(polynomial(fact, here), lemma.relation)
    return here


def proofs_of(evidence: Evidence, wanted: int) -> list[Evidence | None]:
    """One proof for each requirement; an empty list means that signs decide all of them."""
    proofs = evidence.proofs or [None] * wanted
    need(len(proofs) == wanted, "there are too many or too few proofs")
    return list(proofs)


# leaves and cases

Leaf = Callable[[Evidence, Context], None]


def descend(evidence: Evidence, here: Context, leaf: Leaf) -> None:
    """the relations cover -1, 0 and 1     the evidence of each case is accepted, with its fact
    -------------------------------------------------------------------------------------------
    what the leaves show holds in the context `here`
    """
    if evidence.kind == "case split":
        require_cases(evidence, extended(evidence.lemmas, here), leaf)
    elif evidence.kind == "closed" and evidence.form == "never":
        require_never(evidence, extended(evidence.lemmas, here))
    else:
        leaf(evidence, here)


def require_cases(evidence: Evidence, here: Context, leaf: Leaf) -> None:
    guard = polynomial(here.form(evidence.guard), here)
    need(all(r in RELATION for r, _ in evidence.cases), "a case has an unknown relation")
    covered = frozenset(s for r, _ in evidence.cases for s in RELATION[r])
    need(covered == ANY, "the cases do not cover all signs")
    for relation, rest in evidence.cases:
        descend(rest, here.given(guard, relation), leaf)


def require_never(leaf: Evidence, here: Context) -> None:
    """products of facts prove 0 > 0, or some polynomial has no sign left
    ---------------------------------------------------------------------
    this case does not occur
    """
    if leaf.proofs and leaf.proofs[0] is not None:
        require(NOTHING, ">", leaf.proofs[0], here)
    else:
        need(here.contradicts_itself(), "a case is not shown to be impossible")


def exponential_form(law: Tree, here: Context) -> tuple[Form, Form]:
    """(c, e) with law = c exp(e), read off its tree."""
    if law not in here.split:
        here.split[law] = split(law, here)
    return here.split[law]


def split(law: Tree, here: Context) -> tuple[Form, Form]:
    if law.head == "*":
        parts = [exponential_form(a, here) for a in law.args]
        return product(c for c, _ in parts), total(e for _, e in parts)
    if law.head == "piecewise":
        return exponential_form(branch(law, here), here)
    if law.head == "exp":
        return UNIT, here.form(law.args[0])
    if law.head == "^":
        exponent = here.form(law.args[1])
        if exponent.rational is None:
            return UNIT, exponent * log_of(positive(here.form(law.args[0]), here))
    return here.form(law), NOTHING


def require_at_most(
    small: Tree, large: Tree, level: Tree, leaf: Evidence, here: Context, side: int = 1
) -> None:
    """small <= exp(level) large, for laws that are >= 0; with the side -1, >= in place of <=.

    log      small = c exp(e), large = c' exp(e'):     level + e' - e >= 0     c' - c >= 0
    direct   exp(level) large - small >= 0
    zero     -small >= 0                               (side -1: -large >= 0)
    --------------------------------------------------------------------------------------
    small <= exp(level) large
    """
    need(leaf.kind == "closed", "evidence of another kind is required")
    here = extended(leaf.lemmas, here)
    if leaf.form == "never":
        require_never(leaf, here)
        return
    forms = wanted(small, large, level, leaf.form, here, side)
    for r, proof in zip(forms, proofs_of(leaf, len(forms)), strict=True):
        require(r.scaled(side), ">=", proof, here)


def wanted(
    small: Tree, large: Tree, level: Tree, form: str, here: Context, side: int
) -> list[Form]:
    """What has to be >= 0 (side -1: <= 0)."""
    if form == "zero":
        return [-here.form(small)] if side > 0 else [here.form(large)]
    if form == "log":
        (c, e), (d, f) = exponential_form(large, here), exponential_form(small, here)
        return [here.form(level) + e - f, c - d]
    need(form == "direct", "a leaf has an unknown form")
    return [exp_of(here.form(level)) * here.form(large) - here.form(small)]
