"""Positivity by products of facts: an exact linear programme whose solution is a `Products`
certificate.

The target is written as sum of c * (product of facts), c >= 0. Products of one fact are Farkas'
lemma, of several Handelman's. Multipliers are exact rationals: of few products the simplex method
of `small_programme` finds them, else that of Z3. Of many products HiGHS, where it is installed,
says first which ones to take (`float_multipliers`). The checker expands them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from ahdp_verify.kernel.evidence.certificate import Products
from ahdp_verify.kernel.numbers.algebra import (
    ONE,
    Monomial,
    Polynomial,
    Rational,
    polynomial_atoms,
    polynomial_names,
)
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.search.limits import Clock
from ahdp_verify.search.proving.corner_products import products_of_corner
from ahdp_verify.search.proving.float_filter import SamplePoints
from ahdp_verify.search.proving.float_multipliers import (
    Candidate,
    exact_multipliers,
    likely_candidates,
)
from ahdp_verify.search.proving.small_programme import is_small, small_multipliers

DEGREES = (1, 2, 3)
# products tried at one degree; measured: beyond it the programme takes longer than a case split
MOST = 4000
# candidates up to which those whose multiplier must be 0 are kept from Z3; measured: of 2,000, it
# takes ten times as long without them
PRUNED = 500
SMALL = 100  # candidates up to which Z3 takes some milliseconds, and is loaded sooner than HiGHS


def relevant_facts(target: Polynomial, facts: tuple[Fact, ...]) -> list[int]:
    """The numbers of the facts that share names with the target, directly or through other
    facts; the newest first.
    """
    wanted = set(polynomial_names(target))
    chosen: set[int] = set()
    if not target.terms:
        return sorted(range(len(facts)), reverse=True)[:60]
    while True:
        new = {
            i
            for i, f in enumerate(facts)
            if i not in chosen
            and (not polynomial_names(f.polynomial) or polynomial_names(f.polynomial) & wanted)
        }
        if not new or len(chosen) > 60:
            return sorted(chosen, reverse=True)
        chosen |= new
        for i in new:
            wanted |= polynomial_names(facts[i].polynomial)


def fact_products(here: Context, numbers: list[int], degree: int) -> list[Candidate]:
    """The products of at most `degree` facts with these numbers, the empty product first."""
    found = products_of_places(tuple(here.facts[i] for i in numbers), degree)
    return [
        (tuple(numbers[k] for k in places), p, equal, strict) for places, p, equal, strict in found
    ]


@lru_cache(maxsize=32)  # several requirements of a case are tried with the same facts
def products_of_places(facts: tuple[Fact, ...], degree: int) -> tuple[Candidate, ...]:
    """The products of at most `degree` of the facts, by their places."""
    if not degree:
        return (((), ONE, False, True),)
    shorter, longer = products_of_places(facts, degree - 1), list[Candidate]()
    for places, p, equal, strict in shorter:
        if len(places) < degree - 1:
            continue
        for k in range(places[-1] if places else 0, len(facts)):
            product = p * facts[k].polynomial
            kinds = equal or facts[k].relation == "=", strict and facts[k].relation == ">"
            longer.append(((*places, k), product, *kinds))
            if len(shorter) + len(longer) > MOST:
                return (*shorter, *longer)
    return (*shorter, *longer)


def find_multipliers(
    target: Polynomial, candidates: Sequence[Candidate], strict: bool, clock: Clock
) -> Products | None:
    """Multipliers with which the candidates add up to the target, or None."""
    left = prune_products(candidates, target)
    if left is None or (strict and not any(sharp for _, _, _, sharp in left)):
        return None
    if is_small(target, left):
        solved = small_multipliers(target, left, strict)
        return None if solved is None else Products(tuple(solved))
    listed: Sequence[Candidate] = candidates if len(left) > PRUNED else left
    likely = likely_candidates(target, listed, strict) if len(listed) > SMALL else None
    if likely is not None:
        if not likely:
            return None
        found = exact_multipliers(target, listed, likely, strict)
        if found is not None:
            return Products(tuple(found))
    import z3  # noqa: PLC0415 - slow to load

    solver = z3.SolverFor("QF_LRA")
    solver.set("timeout", max(1, int(1000 * min(clock.left, 20))))
    solver.from_string(smtlib_programme(target, listed, strict))
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    values = {d.name(): model[d].as_fraction() for d in model.decls()}
    return Products(
        tuple(
            (Fraction(v), numbers)
            for k, (numbers, _, _, _) in enumerate(listed)
            if (v := values.get(f"c{k}"))
        )
    )


def smtlib_programme(target: Polynomial, listed: Sequence[Candidate], strict: bool) -> str:
    """The linear programme as SMT-LIB text (written as text because that is ten times faster
    than building terms).
    """
    lines = [f"(declare-const c{k} Real)" for k in range(len(listed))]
    lines += [f"(assert (>= c{k} 0))" for k, (_, _, equal, _) in enumerate(listed) if not equal]
    rows: dict[Monomial, list[str]] = {m: [] for m in target.terms}
    for k, (_, p, _, _) in enumerate(listed):
        for m, v in p.terms.items():
            rows.setdefault(m, []).append(f"(* {_number(v)} c{k})")
    for m, terms in rows.items():
        total = f"(+ 0 {' '.join(terms)})" if terms else "0"
        lines.append(f"(assert (= {total} {_number(target.coefficient(m))}))")
    if strict:
        lines.append(
            "(assert (> (+ 0 0 "
            + " ".join(f"c{k}" for k, (_, _, _, s) in enumerate(listed) if s)
            + ") 0))"
        )
    return "\n".join(lines)


def _number(value: Rational) -> str:
    size = f"(/ {abs(value.numerator)} {value.denominator})"
    return size if value >= 0 else f"(- {size})"


def prove_by_products(
    target: Polynomial,
    relation: str,
    here: Context,
    clock: Clock,
    degrees: Iterable[int] = DEGREES,
    points: SamplePoints | None = None,
) -> Products | None:
    """A proof of target >= 0 (or > 0) from the facts, or None: longer products in turn, first of
    facts in the target's own atoms; `points` satisfy the facts.
    """
    own = (
        [
            i
            for i, f in enumerate(here.facts)
            if polynomial_atoms(f.polynomial) <= polynomial_atoms(target)
        ]
        if target.terms
        else []
    )
    near = relevant_facts(target, here.facts)
    tried: set[tuple[int, int]] = set()
    for degree in degrees:
        if (
            degree == 2
            and target.terms
            and not (points or SamplePoints.of(here, polynomial_names(target))).may_hold(target)
        ):
            return None  # it is negative where all facts hold
        for numbers in (own, near):
            clock.check("looking for products")
            listed = fact_products(here, numbers, degree)
            if (size := (len(numbers), len(listed))) in tried:
                continue
            tried.add(size)
            found = find_multipliers(target, listed, relation == ">", clock)
            if found is not None:
                return found
        if degree == 2 and (
            listed := products_of_corner(
                target,
                here.facts,
                lambda p, given: find_multipliers(p, given, False, clock) is not None,
            )
        ):
            found = find_multipliers(target, listed, relation == ">", clock)
            if found is not None:
                return found
    return None


def prune_products(listed: Sequence[Candidate], target: Polynomial) -> list[Candidate] | None:
    """The candidates without those whose multiplier must be 0; None if no multipliers make up the
    target.

    A monomial that the target lacks is brought by one candidate alone, or only by candidates of one
    sign, whose multipliers are at least 0: then all of these are 0.
    """
    rows: dict[Monomial, MonomialRow] = {m: MonomialRow() for m in target.terms}
    for k, (_, p, equal, _) in enumerate(listed):
        for m, c in p.terms.items():
            rows.setdefault(m, MonomialRow()).add(k, 0 if equal else 1 if c.numerator > 0 else -1)
    waiting, gone = list(rows), set[int]()
    while waiting:
        m = waiting.pop()
        wanted = target.terms.get(m, 0).numerator
        if not rows[m].leaves_no_choice((wanted > 0) - (wanted < 0)):
            continue
        if wanted:
            return None
        for k in list(rows[m].signs):
            gone.add(k)
            for other in listed[k][1].terms:
                rows[other].remove(k)
                waiting.append(other)
    return [c for k, c in enumerate(listed) if k not in gone]


@dataclass(slots=True)
class MonomialRow:
    """The candidates that bring one monomial, with the sign of its coefficient, 0 for an equation
    (whose multiplier may have any sign), and how many there are of each sign.
    """

    signs: dict[int, int] = field(default_factory=dict)
    count: dict[int, int] = field(default_factory=lambda: {-1: 0, 0: 0, 1: 0})

    def add(self, k: int, sign: int) -> None:
        """One candidate more."""
        self.signs[k] = sign
        self.count[sign] += 1

    def remove(self, k: int) -> None:
        """One candidate less."""
        self.count[self.signs.pop(k)] -= 1

    def leaves_no_choice(self, wanted: int) -> bool:
        """Whether the multipliers of all must be 0 or, where a coefficient of this sign is wanted,
        none make it up.
        """
        if wanted:
            return not self.count[0] and not self.count[wanted]
        if len(self.signs) <= 1:
            return bool(self.signs)
        return not self.count[0] and not (self.count[1] and self.count[-1])
