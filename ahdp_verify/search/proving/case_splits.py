"""Proofs continued with the sign of a guard: known by lemmas, or in cases, some of which may be
contradictory.

A guard is an expression whose sign a form or a requirement needs, or the argument of an absolute
value. `go` continues the proof in a case; if one case has no proof, the whole has none.

>>> from ahdp_verify.kernel.numbers.normal_form import assume_condition
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.search.limits import Limits
>>> for text in ("x <= y and y <= z and z < x", "x <= y and y <= z and z <= x"):
...     print(contradiction_leaf(assume_condition(parse(text), Context.empty()), Limits().clock()) is not None)
True
False
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ahdp_verify.kernel.errors import Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Evidence,
    InequalityLeaf,
    Lemma,
    Products,
    Proof,
)
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import is_whole
from ahdp_verify.kernel.rules.inequalities import check_contradiction, extend_context, split_cases
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving import one_variable as exppoly
from ahdp_verify.search.proving.absolute_values import absolute_arguments
from ahdp_verify.search.proving.draft import Draft, polynomial_tree, with_lemmas
from ahdp_verify.search.proving.exponentials import add_constant_bounds, add_exponential_facts
from ahdp_verify.search.proving.integers import add_integer_gaps, least_value_guard, sharpen_case
from ahdp_verify.search.proving.monotone import sign_by_bounds
from ahdp_verify.search.proving.products import prove_by_products
from ahdp_verify.search.proving.regions import is_smooth_or_mixed, region_lemmas
from ahdp_verify.search.proving.residues import open_residue
from ahdp_verify.search.proving.signs import sign_lemmas

DEPTH = 14  # most nested case splits
Continuation = Callable[[Context, int], Evidence | None]


def split_by_sign(
    guard: object,
    go: Continuation,
    here: Context,
    clock: Clock,
    depth: int,
    relations: tuple[str, ...] = ("<", "=", ">"),
) -> Evidence | None:
    """The proof continued with the sign of the guard: known by lemmas, or in cases, those of
    `relations`; absolute values inside the guard are split first.
    """
    if not isinstance(guard, Polynomial):
        return None
    if (next_case := open_residue((Ratio(guard),), here)) is not None:
        return split_by_residue(*next_case, go, here, depth)
    inside = [w for w in absolute_arguments(guard) if len(here.signs(w)) > 1]
    if inside:
        return (
            split_into_cases(inside[0], go, here, depth, absolute_value_cases(inside[0], here))
            if depth > 0
            else None
        )
    lemmas = sign_by_bounds(guard, here, clock) or sign_lemmas(guard, here, clock)
    if not lemmas and is_smooth_or_mixed(guard):
        lemmas = region_lemmas(guard, here, clock)
    try:
        larger = extend_context(lemmas, here)
    except Rejected:  # one of the lemmas fixed a name in those after it
        larger = here
    if lemmas and larger.signs(guard) < here.signs(guard):
        rest = go(larger, depth)
        return None if rest is None else with_lemmas(lemmas, rest)
    if depth > 0 and (found := exppoly.separating_guard(guard, here, clock)) is not None:
        return split_into_cases(
            found[0], go, here, depth, ("<", "=", ">") if found[1] else ("<=", ">=")
        )
    return split_into_cases(guard, go, here, depth, relations) if depth > 0 else None


def split_by_residue(
    lemmas: tuple[Lemma, ...], guard: Polynomial, go: Continuation, here: Context, depth: int
) -> Evidence | None:
    """The proof in the cases of a residue, after lemmas that bound it."""
    rest = (
        split_into_cases(guard, go, extend_context(lemmas, here), depth, ("<", "=", ">"))
        if depth > 0
        else None
    )
    return None if rest is None else with_lemmas(lemmas, rest)


def split_absolute_value(
    guard: Polynomial, go: Continuation, here: Context, clock: Clock, depth: int
) -> Evidence | None:
    """The proof with the sign of the argument of an absolute value: by lemmas where exponentials
    may fix it, else in cases.
    """
    lemmas = (
        sign_lemmas(guard, here, clock)
        if any(a.kind in ("exp", "log") for a in algebra.polynomial_atoms(guard))
        else ()
    )
    if lemmas:
        rest = go(extend_context(lemmas, here), depth)
        return None if rest is None else with_lemmas(lemmas, rest)
    if (found := exppoly.separating_guard(guard, here, clock)) is not None:
        return split_into_cases(
            found[0], go, here, depth, ("<", "=", ">") if found[1] else ("<=", ">=")
        )
    guard = least_value_guard(guard, here)
    return split_into_cases(guard, go, here, depth, absolute_value_cases(guard, here))


def split_into_cases(
    guard: Polynomial, go: Continuation, here: Context, depth: int, relations: tuple[str, ...]
) -> Evidence | None:
    """The proof in the cases of a guard, or None as soon as a case has none."""
    expression, done = polynomial_tree(guard), []
    frame = CaseSplit((), expression, tuple((r, InequalityLeaf()) for r in relations))
    try:
        listed = split_cases(frame, here)
    except Undecided:
        return None
    for (case, _), relation in zip(listed, relations, strict=True):
        lemmas, case = sharpen_case(guard, relation, case, here)
        rest = InequalityLeaf((), "never", ()) if case.contradictory else go(case, depth - 1)
        if rest is None:
            return None
        done.append((relation, with_lemmas(lemmas, rest)))
    return CaseSplit((), expression, tuple(done))


def absolute_value_cases(guard: Polynomial, here: Context) -> tuple[str, ...]:
    """The cases of an absolute value: two, or three where whole numbers make the strict ones
    stronger.
    """
    return ("<", "=", ">") if is_whole(Ratio(guard), here) else (">=", "<=")


def contradiction_leaf(here: Context, clock: Clock) -> InequalityLeaf | None:
    """A leaf that shows that no state is in this case, or None."""
    found = _contradiction(here, clock)
    if found is not None or not here.facts:
        return found
    listed = [algebra.polynomial_names(f.polynomial) for f in here.facts]
    wanted, larger = frozenset[str](), listed[-1]
    while larger != wanted:
        wanted, larger = larger, larger.union(*(n for n in listed if n & larger))
    kept = [i for i, n in enumerate(listed) if n <= wanted]
    if len(kept) == len(here.facts):
        return None
    fewer = Context.empty(here.integers)
    for i in kept:
        fewer = fewer.given(here.facts[i].polynomial, here.facts[i].relation)
    found = _contradiction(fewer, clock, most=24)
    moved = None if found is None else _renumbered(found, kept, len(here.facts))
    if moved is None:
        return None
    try:
        check_contradiction(moved.proofs, extend_context(moved.lemmas, here))
        return moved
    except (Rejected, Undecided, Unsupported):
        return None


def _renumbered(leaf: InequalityLeaf, kept: list[int], count: int) -> InequalityLeaf | None:
    """A leaf that was found with the kept ones of so many facts; None if a proof in it is not by
    products.
    """

    def place(i: int) -> int:
        return kept[i] if i < len(kept) else count + i - len(kept)

    def moved(proof: Proof) -> Proof:
        if not isinstance(proof, Products):
            return proof
        return Products(tuple((c, tuple(map(place, numbers))) for c, numbers in proof.terms))

    proofs = [*leaf.proofs, *(p for lemma in leaf.lemmas for p in lemma.proofs)]
    if any(p is not None and not isinstance(p, Products) for p in proofs):
        return None
    lemmas = tuple(replace(m, proofs=tuple(map(moved, m.proofs))) for m in leaf.lemmas)
    return replace(leaf, lemmas=lemmas, proofs=tuple(map(moved, leaf.proofs)))


def _contradiction(here: Context, clock: Clock, most: int = 16) -> InequalityLeaf | None:
    """Such a leaf; products of two facts are tried if there are less than `most`."""
    draft = Draft(here)
    if here.integers:
        add_integer_gaps(draft)
    for f in here.facts:
        add_exponential_facts(f.polynomial, draft)
        add_constant_bounds(f.polynomial, draft)
    try:
        found = prove_by_products(
            algebra.ZERO,
            ">",
            draft.here,
            clock,
            degrees=(1, 2) if len(draft.here.facts) < most else (1,),
        )
    except Rejected:
        return None
    return None if found is None else InequalityLeaf(draft.lemmas, "never", (found,))
