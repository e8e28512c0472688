"""Evidence for a claim whose level is left open, at one value of that level.

    low <= L <= high |- claim at level L        low <= l <= high
    ------------------------------------------------------------
                        claim at level l

L    a parameter of the claim;  l, low, high constants

One search then serves many levels. The evidence for l is that for L with l in its place: the
conditions on L become lemmas behind what is known besides, if they are used, and of a split by the
sign of a guard in L alone the case is left that holds. It is a certificate like any other, and may
be wrong: the checker decides.

>>> from ahdp_verify.kernel.evidence.certificate import InequalityLeaf
>>> from ahdp_verify.kernel.terms.expression import number
>>> L = OpenLevel("L", number(0), number(2))
>>> split = CaseSplit((), name("L") - 1, (("<", InequalityLeaf()), (">=", InequalityLeaf((), "zero"))))
>>> print(AtValue(L, number("3/2"), FactNumbers.of(split, L, 0, 2, 2)).evidence(split).form)
zero
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.evidence.certificate import (
    CaseSplit,
    Evidence,
    ExpSign,
    HockeyStickPart,
    Lemma,
    Products,
)
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.hypotheses import OF_RELATION, Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression, name, names, substitute
from ahdp_verify.search.proving.draft import with_lemmas


@dataclass(frozen=True, slots=True)
class OpenLevel:
    """A parameter for the level, and the constants between which it lies."""

    name: str
    low: Expression
    high: Expression

    @property
    def conditions(self) -> tuple[Expression, ...]:
        """What is known of it."""
        return self.low <= name(self.name), name(self.name) <= self.high

    def added_to(self, mechanism: Mechanism) -> Mechanism:
        """The mechanism with this parameter, on which its law does not depend."""
        bounds = Expression("and", self.conditions)
        return Mechanism.derived(
            mechanism.inputs,
            outputs=mechanism.outputs,
            density=mechanism.density,
            defined=mechanism.defined,
            name=mechanism.name,
            atoms=mechanism.atoms,
            parameters=(*mechanism.parameters, (self.name, bounds)),
        )

    def is_constant(self, *listed: Expression) -> bool:
        """Whether these are constants at a value of the level."""
        return all(names(e) <= {self.name} for e in listed)

    def numbers_in(self, thing: Any) -> Iterator[int]:
        """The numbers of the facts that a part of evidence needs at a value of the level."""
        match thing:
            case Products():
                yield from (i for _, facts in thing.terms for i in facts)
            case ExpSign():
                if not self.is_constant(*(f for f, _, _ in thing.factors)):
                    yield from (i for i in (thing.low, thing.high) if i is not None)
            case tuple():
                for part in thing:
                    yield from self.numbers_in(part)
            case _ if is_dataclass(thing) and not isinstance(thing, Expression):
                for f in fields(thing):
                    yield from self.numbers_in(getattr(thing, f.name))


@dataclass(frozen=True, slots=True)
class FactNumbers:
    """Where the facts of the conditions on the level stand: from number `first` up to `end`, of
    `count` facts before the evidence adds its own; `used` where its products need them.
    """

    first: int
    end: int
    count: int
    used: bool

    @staticmethod
    def of(evidence: Evidence, level: OpenLevel, first: int, end: int, count: int) -> FactNumbers:
        """Those of one piece of evidence."""
        used = any(first <= i < end for i in level.numbers_in(evidence))
        return FactNumbers(first, end, count, used)

    def moved(self, i: int) -> int:
        """The number of fact i once these stand behind the others, or are left out."""
        if i < self.first or (self.used and i >= self.count):
            return i
        if i < self.end:
            return i + self.count - self.end
        return i - (self.end - self.first)


@dataclass(frozen=True, slots=True)
class AtValue:
    """Evidence with a value in the place of the level; `done` keeps parts that stand in it more
    than once.
    """

    level: OpenLevel
    value: Expression
    numbers: FactNumbers
    done: dict[HockeyStickPart, HockeyStickPart] = field(default_factory=dict, compare=False)

    def evidence(self, given: Evidence) -> Evidence:
        """The evidence at the value; Unsupported where a case depends on a sign that is not
        found.
        """
        found: Evidence = self.of(given)
        if not self.numbers.used:
            return found
        gaps = (self.of(c.args[1] - c.args[0]) for c in self.level.conditions)
        return with_lemmas(tuple(Lemma("sign", (gap,), ">=") for gap in gaps), found)

    def of(self, thing: Any) -> Any:
        """A part of evidence with the value in the place of the level."""
        match thing:
            case HockeyStickPart():
                if thing not in self.done:
                    self.done[thing] = HockeyStickPart(thing.counts, self.of(thing.why))
                return self.done[thing]
            case Expression():
                return substitute(thing, {self.level.name: self.value})
            case tuple():
                return tuple([self.of(part) for part in thing])
            case Products():
                moved = self.numbers.moved
                return Products(tuple((c, tuple(map(moved, facts))) for c, facts in thing.terms))
            case ExpSign() if self.level.is_constant(*(f for f, _, _ in thing.factors)):
                return None  # the sign of a constant needs no proof
            case ExpSign():
                high = None if thing.high is None else self.numbers.moved(thing.high)
                low = self.numbers.moved(thing.low)
                return replace(thing, factors=self.of(thing.factors), low=low, high=high)
            case CaseSplit() if self.level.is_constant(thing.guard):
                return self._case_that_holds(thing)
        if not is_dataclass(thing) or isinstance(thing, type):
            return thing
        return type(thing)(*(self.of(getattr(thing, f.name)) for f in fields(thing)))

    def _case_that_holds(self, split: CaseSplit) -> Evidence:
        """The evidence of the case of a constant guard, whose sign becomes a lemma."""
        guard = self.of(split.guard)
        signs = Context.empty().ratio_signs(normal(guard, Context.empty()))
        for relation, rest in split.cases:
            if signs <= OF_RELATION[relation]:
                lemmas = (*self.of(split.lemmas), Lemma("sign", (guard,), relation))
                return with_lemmas(lemmas, self.of(rest))
        raise Unsupported("the sign of a guard at this level was not found")
