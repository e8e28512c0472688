"""Claims about composite mechanisms: each function takes claims about parts and returns the claim
that its composition rule gives.

A part is a claim, a `Proved` (of `verify`, or of `recheck` for a saved proof), or an abstract
mechanism (`assume`). A part that comes with a proof is not proved again, but the proof is checked
again. `verify` proves the claim, part by part. A claim about a noise program is a part like others:
the verdict names it among its assumptions, and is `Proved` only if that claim is proved too.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import ahdp
>>> from ahdp_verify.search.verify import verify
>>> W, s, n = Domain([(0, 1), (1, 2)]), real("s"), real("n")
>>> count = ahdp(Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count"), 1)
>>> total = ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2, name="sum"), lambda x, eps: x)
>>> print(verify(compose(count, total)))
Proved: compose(count, sum) is AHDP at level x + 1; scope: all datasets; trusts: the checker and the composition rules
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, overload

from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.composite import (
    PAIRS,
    AnyClaim,
    Composite,
    CompositeClaim,
    composite_context,
)
from ahdp_verify.kernel.model.declarations import exact_expression
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.rules.composition import move_kinds
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    Max,
    add,
    exp,
    multiply,
    negative,
    number,
    oo,
    piecewise,
    sqrt,
    substitute,
    walk,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.parts import ComposedPart, claim_and_proof, composite_claim
from ahdp_verify.search.simplify import is_same_value, shortest_form
from ahdp_verify.search.verify import verify


def simplified_claim(
    rule: str, parts: Iterable[ComposedPart], *, level: Expression | None = None, **more: Any
) -> CompositeClaim:
    """The claim of a composite (`parts.made`), the level and the delta that its rule gives in the
    shortest form.
    """
    whole = composite_claim(rule, parts, level=level, **more)
    if whole.delta != ZERO:
        whole = replace(whole, delta=shortest_form(whole.delta, composite_context(whole.mechanism)))
    return whole if level is not None else replace(whole, level=shortest_level(whole))


def shortest_level(claim: CompositeClaim) -> Expression:
    """The shortest level available that equals that of the claim wherever it is evaluated."""
    forms = [
        e
        for e in shorter_levels(claim)
        if e != claim.level and is_level(claim, e) and equals_level_everywhere(claim, e)
    ]
    return min((claim.level, *forms), key=lambda e: len(str(e)))


def shorter_levels(claim: CompositeClaim) -> list[Expression]:
    """Levels that may equal that of a claim: a shorter form, one argument of a maximum, an exponent
    in the probability of being kept.
    """
    level, m = claim.level, claim.mechanism
    here = next((p.here for p in move_kinds(claim)), composite_context(m))
    found = [shortest_form(level, here)]
    if level.head == "max":
        found += [*level.args, Max(*dict.fromkeys(level.args))]
    if level.head == "piecewise":
        found.append(merge_branches(level, here))
    if isinstance(m, Composite) and m.rule == "subsample":
        found += dict.fromkeys(node.args[0] for node in walk(m.formulas[0]) if node.head == "exp")
    return found


def merge_branches(level: Expression, here: Context) -> Expression:
    """The same branches, their values in a shorter form, and a branch that repeats the value of
    the next one left out.
    """
    pairs = [
        (shortest_form(v, here), c) for v, c in zip(level.args[::2], level.args[1::2], strict=True)
    ]
    kept = [
        pair
        for i, pair in enumerate(pairs)
        if i + 1 == len(pairs) or any(v != pair[0] for v, _ in pairs[i + 1 :])
    ]
    return kept[0][0] if len(kept) == 1 else piecewise(*kept)


def is_level(claim: CompositeClaim, e: Expression) -> bool:
    """Whether an expression may be the level of a claim."""
    try:
        replace(claim, level=e)
        return True
    except (BadInput, NotWorkedOut):
        return False


def equals_level_everywhere(claim: CompositeClaim, e: Expression) -> bool:
    """True only if an expression is the level of a claim at every record, pair of values, or for
    all moves.
    """
    try:
        return all(
            (a := p.at(claim.level)) == (b := p.at(e))
            or (oo not in (a, b) and is_same_value(a, b, p.here))
            for p in move_kinds(claim)
        )
    except (BadInput, Undecided, Unsupported, Rejected, ZeroDivisionError):
        return False


def bounds_of_one_notion(parts: Iterable[object]) -> tuple[list[AnyClaim], NotionClaim]:
    """The bounds of claims of one notion and order, and the first of the claims; BadInput if they
    are of several.
    """
    listed = [part for part in parts if isinstance(part, NotionClaim)]
    first, among = listed[0], list(parts)
    if len(listed) < len(among) or any(
        (c.notion, c.order) != (first.notion, first.order) for c in listed
    ):
        raise BadInput("parts", "they claim different notions", "give claims of one notion")
    return [c.bounds for c in listed], first


def claim_of_notion(rule: str, parts: Iterable[object], **more: Any) -> NotionClaim:
    """The claim of a composite whose parts have bounds of one notion, which add up; for GDP their
    squares do.
    """
    bounds, first = bounds_of_one_notion(list(parts))
    level = None
    if first.notion == "gdp":
        level = sqrt(add(*(multiply(c.level, c.level) for c in bounds)))
    whole = simplified_claim(rule, bounds, level=level, **more)
    return NotionClaim(replace(whole, level=shortest_level(whole)), first.notion, first.order)


def is_of_notion(parts: Iterable[object]) -> bool:
    """Whether a part is a claim of zCDP, Rényi DP or GDP."""
    return any(isinstance(part, NotionClaim) for part in parts)


@overload
def compose(*parts: NotionClaim, name: str = "") -> NotionClaim: ...
@overload
def compose(*parts: ComposedPart, name: str = "") -> CompositeClaim: ...
def compose(*parts: Any, name: str = "") -> Any:
    """The parts run one after the other; a part may read outputs of earlier parts, as parameters of
    that name.  Levels and deltas add (prop:BC); of claims of zCDP or Rényi DP the bounds do, of
    GDP their squares.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> W = Domain([(0, 1), (1, 2)])
    >>> print(compose(assume(W, "ahdp", 1, text="A"), assume(W, "ahdp", Expression("name", ("x",)), text="B")))
    compose(A, B) is AHDP at level x + 1
    """
    if is_of_notion(parts):
        return claim_of_notion("compose", parts, name=name)
    return simplified_claim("compose", parts, name=name)


@overload
def product(*parts: NotionClaim, name: str = "") -> NotionClaim: ...
@overload
def product(*parts: ComposedPart, name: str = "") -> CompositeClaim: ...
def product(*parts: Any, name: str = "") -> Any:
    """Independent releases.  Levels and deltas add; bounds of notions as in `compose`.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> W = Domain([(0, 1), (1, 2)])
    >>> print(product(*(assume(W, "hdp", 1, text=letter) for letter in "AB")))
    product(A, B) is HDP at level 2
    """
    if is_of_notion(parts):
        return claim_of_notion("product", parts, name=name)
    return simplified_claim("product", parts, name=name)


@overload
def post_process(
    part: NotionClaim, how: Mapping[str, object] | NotionClaim, *, name: str = ""
) -> NotionClaim: ...
@overload
def post_process(
    part: ComposedPart, how: Mapping[str, object] | ComposedPart, *, name: str = ""
) -> CompositeClaim: ...
def post_process(part: Any, how: Any, *, name: str = "") -> Any:
    """Post-processing of a part's outputs: by named formulas, or by a mechanism that reads them
    (prop:pp); the bound of a notion stays.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> part = assume(Domain([(0, 1)]), "ahdp", 1, outputs=[real("s"), real("n")], text="A")
    >>> claim = post_process(part, {"mean": "s / max(n, 1)"})
    >>> print(claim, [str(f) for f in claim.mechanism.formulas])
    post_process(A) is AHDP at level 1 ['s/max(n, 1)']
    """
    build: Any = claim_of_notion if isinstance(part, NotionClaim) else simplified_claim
    if not isinstance(how, Mapping):
        return build("post_process", (part, how), name=name)
    return build(
        "post_process",
        (part,),
        name=name,
        released=[real(key) for key in how],
        formulas=[body_expression(f, key) for key, f in how.items()],
    )


def subsample(
    base: ComposedPart,
    keep: object,
    *,
    level: Body | str | None = None,
    parameters: Mapping[str, object] | None = None,
    name: str = "",
) -> CompositeClaim:
    """`base` run on a random subset of the dataset that keeps (x, eps) with probability keep(x,
    eps); its level is log(1 + keep (exp(L) - 1)) for a base of level L, or `level`.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> from ahdp_verify.kernel.terms.expression import Min, log
    >>> W = Domain([(0, log(2)), (1, log(8))])
    >>> print(subsample(assume(W, "add-remove", log(4), text="A"), lambda x, eps: (exp(Min(eps, log(4))) - 1) / 3))
    subsample(A) is AHDP at level min(eps, log(4))
    """
    return simplified_claim(
        "subsample",
        (base,),
        name=name,
        formulas=(body_expression(keep, "keep"),),
        own=parameters,
        level=None if level is None else body_expression(level, "level"),
    )


def body_expression(value: object, where: str) -> Expression:
    """The expression of a text, of a function of (x, eps), or of an expression."""
    return (
        parse(value, where)
        if isinstance(value, str)
        else record_expression(value)
        if callable(value)
        else exact_expression(value, where)
    )


@dataclass(frozen=True, slots=True)
class SubsampleEnds:
    """For a base with levels L and a record that is kept with probability k, every event becomes
    likelier by a factor from `low` to `high`.

    low = 1 - k (1 - exp(-L)) and high = 1 + k (exp(L) - 1), in x, eps and parameters; `lower` and
    `upper` are proofs of the two inequalities low <= 1 - k + k r <= high for every ratio r in
    [exp(-L), exp(L)] of the base (S6: low = 1 + 1/T - u/T where high = u and exp(L) = T).
    """

    low: Expression
    high: Expression
    lower: Proved
    upper: Proved


def subsample_ends(base: ComposedPart, keep: object) -> SubsampleEnds:
    """The exact bounds on the ratio by which adding a record changes the probability of an event of
    a subsampled base.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> from ahdp_verify.kernel.terms.expression import log
    >>> W = Domain([(1, log(2))])
    >>> ends = subsample_ends(assume(W, "add-remove", log(4)), "1/3")
    >>> print(ends.low, ends.high)
    3/4 2
    """
    claim, _ = claim_and_proof(base)
    m = subsample(claim, keep, level=oo).mechanism
    k, level, one = body_expression(keep, "keep"), claim.level, number(1)
    low = add(one, negative(multiply(k, add(one, negative(exp(negative(level)))))))
    high = add(one, multiply(k, add(exp(level), number(-1))))
    k_, r, at = (Expression("name", (key,)) for key in ("k", "r", "level"))
    unknown = {
        "k": "0 <= k and k <= 1",
        "level": "0 <= level",
        "r": "exp(-level) <= r and r <= exp(level)",
    }
    changed = 1 - k_ + k_ * r
    proofs = [
        verify(Inequality.of(unknown, *sides, name="subsample"))
        for sides in (
            (1 - k_ * (1 - exp(-at)), "<=", changed),
            (changed, "<=", 1 + k_ * (exp(at) - 1)),
        )
    ]
    lower, upper = (proof for proof in proofs if isinstance(proof, Proved))
    here = composite_context(m)
    return SubsampleEnds(shortest_form(low, here), shortest_form(high, here), lower, upper)


def mixture(
    *parts: tuple[object, ComposedPart],
    parameters: Mapping[str, object] | None = None,
    name: str = "",
) -> CompositeClaim:
    """One of the parts runs, chosen at random: pairs (probability, part). The level is the largest
    of the parts' levels.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> A, B = (assume(Domain([(0, 1)]), "ahdp", level) for level in (1, 3))
    >>> print(mixture(("1/4", A), ("3/4", B)).level)
    3
    """
    return simplified_claim(
        "mixture",
        [part for _, part in parts],
        name=name,
        formulas=[body_expression(w, "probability") for w, _ in parts],
        own=parameters,
    )


def normalised(
    domain: Domain,
    outputs: Iterable[Output],
    score: object,
    low: Body | str,
    high: Body | str,
    *,
    parameters: Mapping[str, object] | None = None,
    name: str = "",
) -> CompositeClaim:
    """Outputs of probability proportional to exp(score), for a score of sensitivity [low, high]:
    adding a record changes it by an amount from low(x, eps) to high(x, eps).

    >>> from ahdp_verify.kernel.model.outputs import finite
    >>> W, r = Domain([(0, 1), (1, 2)]), finite("r", [0, 1])
    >>> print(verify(normalised(W, [r], r * W.sum(lambda x, eps: x), 0, lambda x, eps: x)))
    Proved: normalised(r) is AHDP at level x; scope: all datasets; trusts: the checker and the composition rules
    """
    return simplified_claim(
        "normalised",
        (),
        name=name,
        domain=domain,
        released=outputs,
        formulas=(
            body_expression(score, "score"),
            body_expression(low, "low"),
            body_expression(high, "high"),
        ),
        own=parameters,
    )


def pull_back(
    part: ComposedPart, domain: Domain, how: Mapping[str, object] | None = None, *, name: str = ""
) -> CompositeClaim:
    """The part, run on a dataset over `domain` whose records are mapped to records of the part's
    domain: `how` maps each name, by default to itself.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> part = assume(Domain([("a", 1)]), "ahdp", 1, text="A")
    >>> print(verify(pull_back(part, Domain([("a", 1), ("a", 5)]), {"eps": 1})))
    Proved: pull_back(A) is AHDP at level 1; scope: all datasets; assumes: A is AHDP at level 1; trusts: the checker and the composition rules
    """
    claim, _ = claim_and_proof(part)
    old = claim.mechanism.inputs
    if not isinstance(old, Domain):
        raise BadInput(
            "pull_back", "the part is not about datasets", "pull back claims about datasets"
        )
    formulas = {key: Expression("name", (key,)) for key in old.bound} | {
        key: body_expression(f, f"what {key} becomes") for key, f in (how or {}).items()
    }
    if set(formulas) != set(old.bound):
        raise BadInput(
            "pull_back",
            f"{', '.join(sorted(set(formulas) - set(old.bound)))} is not a component of the "
            "part's records",
            f"use {', '.join(old.bound)}",
        )
    level = claim.level if claim.relation == "add-remove" else substitute(claim.level, formulas)
    whole = simplified_claim(
        "pull_back",
        (part,),
        name=name,
        domain=domain,
        formulas=[formulas[key] for key in old.bound],
        level=level,
    )
    return replace(whole, level=shortest_level(whole))


def group(part: ComposedPart, *, name: str = "") -> CompositeClaim:
    """Group privacy: between any two datasets the privacy loss is at most their distance, each
    record weighted by its level (def:newDP(A)).

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> print(group(assume(Domain([(0, 1), (1, 2)]), "ahdp", Expression("name", ("eps",)), text="A")))
    A is private between any two datasets at level eps
    """
    claim, _ = claim_and_proof(part)
    return simplified_claim("group", (part,), name=name or str(claim.mechanism), relation=PAIRS)


def _changed(part: ComposedPart, **changes: Any) -> AnyClaim | ProgramClaim:
    """The claim of a part with changes; that of a noise program is about the program itself."""
    claim = part.claim if isinstance(part, Proved) else part
    if isinstance(claim, ProgramClaim):
        return replace(claim, **changes)
    return replace(claim_and_proof(part)[0], **changes)


def weaken(part: ComposedPart, level: Body | str) -> AnyClaim | ProgramClaim:
    """The same claim at another level.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> print(verify(weaken(assume(Domain([(0, 1)]), "ahdp", 1), 2)).word, verify(weaken(assume(Domain([(0, 1)]), "ahdp", 1), "1/2")).word)
    Proved Refuted
    """
    return _changed(part, level=body_expression(level, "level"))


def to_swap(part: ComposedPart) -> AnyClaim | ProgramClaim:
    """The swap claim that follows from an add-remove claim: twice its level.

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> print(to_swap(assume(Domain([(0, 1)]), "add-remove", 1, text="A")))
    A is swap DP at level 2
    """
    claim = _changed(part)
    if claim.relation != "add-remove":
        raise BadInput(
            "to_swap",
            f"{claim} is not an add-remove claim",
            "state the swap level yourself: dp(M, level, 'swap')",
        )
    return _changed(part, relation="swap", level=multiply(number(2), claim.level))


def to_ahdp(part: ComposedPart, level: Body | str | None = None) -> AnyClaim | ProgramClaim:
    """The AHDP claim that follows from an add-remove claim: its level for every record, or any
    level that is nowhere smaller (ex:ahdp).

    >>> from ahdp_verify.kernel.model.composite import assume
    >>> print(verify(to_ahdp(assume(Domain([(0, 1), (1, 2)]), "add-remove", 1, text="A"), lambda x, eps: eps)).word)
    Proved
    """
    claim = _changed(part)
    return _changed(
        part,
        relation="ahdp",
        level=claim.level if level is None else body_expression(level, "level"),
    )
