"""How well an adversary can do against one mechanism: the claim that its power lies between two
numbers, and what a certificate of that has to show.

    for every input, the test names its label with probability >= low
    under the prior, the Bayes test is right with probability <= high
    -----------------------------------------------------------------
              the power against M lies in [low, high]

The power is the greatest least probability, over (randomised) tests of the output, of naming the
label of the true input (def:capHomo, def:cap-ahdp).  A test that is listed by cells of the output
bounds it from below.  A prior of the inputs bounds it from above: no test does better than the
Bayes test, which answers in every cell with the label of the largest weighted law.  Cells are the
outcomes of finite outputs, atoms, and for one real or integer output the intervals between points;
on an interval one label may be named that is best on all of it, otherwise the laws of all labels
are added up.

>>> from ahdp_verify.kernel.terms.expression import TRUE, eq, name, number, piecewise
>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.outputs import finite
>>> flip = Mechanism(Values(["a", "b"]), outputs=[finite("r", ["a", "b"])], density=piecewise(("3/4", eq(name("r"), name("v"))), ("1/4", TRUE)))
>>> claim = GuessClaim(flip, (), tuple((v,) for v in flip.inputs.values), ("a", "b"), number("3/4"), number("3/4"))
>>> shown = BestTest(claim.fingerprint, (), (number(0), number(1), number("1/2")), ((1, 0), (0, 1)), (2, 2), (0, 1))
>>> print(claim, check_guess(claim, shown))
power against 2 inputs = 3/4 None
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from ahdp_verify.kernel.errors import BadInput, Rejected, Unsupported
from ahdp_verify.kernel.evidence.certificate import BestTest
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    check_example_conditions,
    law_at,
)
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, outcomes
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exponential_form
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import OTHER_PROOF, Acceptance, rely_on
from ahdp_verify.kernel.rules.best_power import check_places, is_nested_list, reject_unless
from ahdp_verify.kernel.rules.integration import nonnegative_value, piece_context, total_on_piece
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, names, substitute
from ahdp_verify.kernel.terms.printing import display_name

MOST = 4096  # outcomes of finite outputs
OutputLaw = tuple[Expression, tuple[tuple[Expression, Expression], ...]]


@dataclass(frozen=True, slots=True)
class GuessClaim(Canonical):
    """The power against a mechanism is between `low` and `high`.

    parameters   values of the mechanism's parameters
    inputs       the hypotheses: counts in the order of the domain, query answers, or the parts of a
                 value
    labels       what has to be named for each input; equal labels need not be distinguished
    """

    mechanism: Mechanism
    parameters: tuple[tuple[str, Expression], ...]
    inputs: tuple[tuple[Expression, ...], ...]
    labels: tuple[str, ...]
    low: Expression
    high: Expression
    name: str = ""

    where = "power"
    keys: ClassVar = {
        key: f"guess.{key}" for key in ("mechanism", "parameters", "inputs", "labels")
    }

    def __post_init__(self) -> None:
        if isinstance(self.mechanism.inputs, Domain) and self.mechanism.inputs.is_universal:
            raise BadInput(
                "power",
                "the records of a universal domain are not listed",
                "give a mechanism with listed records",
            )
        if (
            not self.inputs
            or len(self.inputs) != len(self.labels)
            or not all(isinstance(u, str) for u in (*self.labels, self.name))
        ):
            raise BadInput(
                "hypotheses", "inputs and labels do not fit", "give one label for each input"
            )
        if len(dict(self.parameters)) < len(self.parameters):
            raise BadInput("power", "a parameter has two values", "give one")

    @property
    def answers(self) -> tuple[str, ...]:
        """The different labels, in order of appearance."""
        return tuple(dict.fromkeys(self.labels))

    def __str__(self) -> str:
        said = (
            f"= {self.low}" if self.low == self.high else f"lies between {self.low} and {self.high}"
        )
        return f"{display_name(self.name) or f'power against {len(self.inputs)} inputs'} {said}"


def input_laws(claim: GuessClaim) -> list[OutputLaw]:
    """The law at each input; Rejected for anything that is not an input of the mechanism."""
    inputs = claim.mechanism.inputs
    relation = "add-remove" if isinstance(inputs, Domain) else inputs.relations[0]
    said, found = Claim(claim.mechanism, relation, ex.ZERO), []
    for side in claim.inputs:
        example = Counterexample(claim.parameters, (), side, (), Event())
        check_example_conditions(said, example)
        found.append(law_at(said, example, side))
    return found


@dataclass(frozen=True, slots=True)
class OutputCell:
    """Outputs that a test treats alike, with their probability under each law; `input_laws` and
    ends are those of an interval, on which the laws vary.
    """

    probabilities: tuple[Ratio, ...]
    laws: tuple[Ratio, ...] = ()
    output: str = ""
    low: Ratio | None = None
    high: Ratio | None = None


def output_cells(claim: GuessClaim, points: tuple[Expression, ...]) -> Iterator[OutputCell]:
    """The cells in order: atoms, then outcomes of finite outputs or the intervals between
    ascending points; Unsupported for other outputs.
    """
    listed, outputs = input_laws(claim), claim.mechanism.outputs
    for k in range(len(claim.mechanism.atoms)):
        yield OutputCell(
            tuple(nonnegative_value(atoms[k][1], Context.empty()) for _, atoms in listed)
        )
    if all(o.kind == "finite" for o in outputs):
        yield from _finite_cells([density for density, _ in listed], outputs)
    elif len(outputs) == 1:
        yield from _interval_cells([density for density, _ in listed], outputs[0], points)
    else:
        raise Unsupported("several outputs, one of which is not finite")


def _finite_cells(densities: list[Expression], outputs: tuple[Output, ...]) -> Iterator[OutputCell]:
    """One cell for each combination of values, the last output varying fastest."""
    here = Context.empty()
    for n, put in enumerate(outcomes(outputs)):
        if n >= MOST:
            raise Unsupported(f"more than {MOST} outcomes")
        yield OutputCell(
            tuple(nonnegative_value(substitute(density, put), here) for density in densities)
        )


def _interval_cells(
    densities: list[Expression], output: Output, points: tuple[Expression, ...]
) -> Iterator[OutputCell]:
    """The cells between neighbouring points, the infinite ones first and last; on each, every law
    is a sum of exponentials that is nonnegative.
    """
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    listed = [normal(p, here) for p in points]
    reject_unless(not any(map(names, points)), "a point is not a constant")
    reject_unless(
        bool(listed) and all(constant_sign(b - a) == 1 for a, b in itertools.pairwise(listed)),
        "the points are not ascending",
    )
    if output.kind == "integer":
        reject_unless(
            all(p.as_rational is not None and p.as_rational.denominator == 1 for p in listed),
            "the points of an integer output must be integers",
        )
    for i in range(len(listed) + 1):
        near = tuple(listed[max(i - 1, 0) : i + 1])
        upper = 0 if i == 0 else 1
        place = piece_context(output.name, output.kind, near, upper, here)
        probabilities = tuple(
            total_on_piece(density, output.name, output.kind, near, upper, here, positive=True)
            for density in densities
        )
        yield OutputCell(
            probabilities,
            tuple(normal(d, place) for d in densities),
            output.name,
            near[0] if i else None,
            near[upper] if i < len(listed) else None,
        )


def check_guess(claim: GuessClaim, proof: BestTest) -> None:
    """Nothing, if the test succeeds with probability at least `low` at every input and no test
    exceeds `high` under the prior; Rejected otherwise.
    """
    reject_unless(proof.claim == claim.fingerprint, "the certificate belongs to another claim")
    check_form(claim, proof)
    here = Context.empty()
    numbers = [normal(e, here) for e in proof.numbers]
    listed = list(output_cells(claim, proof.points))
    for h in range(len(claim.inputs)):
        reject_unless(
            (_total(cell.probabilities[h] for cell in listed) - constant(1)).is_zero,
            "a law was not shown to have total 1",
        )
    check_test(claim, listed, [[numbers[i] for i in row] for row in proof.test])
    check_prior(claim, listed, [numbers[i] for i in proof.prior], proof.winners)


def check_form(claim: GuessClaim, proof: BestTest) -> None:
    """Nothing, if the lists of a certificate are lists and their indices exist; Rejected
    otherwise.
    """
    lists = (proof.points, proof.numbers, proof.test, proof.prior, proof.winners)
    reject_unless(
        all(map(is_nested_list, lists, (1, 1, 2, 1, 1))),
        "a field is not a list of the expected depth",
    )
    check_places(proof.numbers, itertools.chain(*proof.test, proof.prior))
    reject_unless(
        all(type(w) is int for w in proof.winners), "a winner is not the index of an answer"
    )
    reject_unless(
        not proof.points or any(o.kind != "finite" for o in claim.mechanism.outputs),
        "finite outputs take no cut points",
    )


def check_test(claim: GuessClaim, listed: list[OutputCell], test: list[list[Ratio]]) -> None:
    """Nothing, if the test answers each input correctly with a probability of at least `low`;
    Rejected otherwise.
    """
    answers = claim.answers
    reject_unless(
        len(test) == len(listed) and all(len(row) == len(answers) for row in test),
        "the test has no row for each cell",
    )
    for row in test:
        reject_unless(
            all(map(_is_nonnegative, row)) and _is_nonnegative(constant(1) - _total(row)),
            "a row of the test is not a distribution",
        )
    low = normal(claim.low, Context.empty())
    for h, label in enumerate(claim.labels):
        u = answers.index(label)
        success = _total(
            cell.probabilities[h] * row[u] for cell, row in zip(listed, test, strict=True)
        )
        reject_unless(
            _is_nonnegative(success - low),
            "the success probability of the test is lower than claimed",
        )


def check_prior(
    claim: GuessClaim, listed: list[OutputCell], prior: list[Ratio], winners: tuple[int, ...]
) -> None:
    """Nothing, if no test answers correctly with a probability above `high` under the prior;
    Rejected otherwise.
    """
    reject_unless(
        len(prior) == len(claim.inputs)
        and all(map(_is_nonnegative, prior))
        and (_total(prior) - constant(1)).is_zero,
        "the prior is not a distribution",
    )
    reject_unless(len(winners) == len(listed), "there is not one winner per cell")
    spent = _total(
        bayes_gain(claim, cell, prior, winner) for cell, winner in zip(listed, winners, strict=True)
    )
    reject_unless(
        _is_nonnegative(normal(claim.high, Context.empty()) - spent),
        "the success probability of the Bayes test is higher than claimed",
    )


def _total(values: Iterable[Ratio]) -> Ratio:
    """The sum."""
    return sum(values, constant(0))


def _is_nonnegative(r: Ratio) -> bool:
    """True only if a constant is >= 0."""
    return constant_sign(r) in (0, 1)


def bayes_gain(claim: GuessClaim, cell: OutputCell, prior: list[Ratio], winner: int) -> Ratio:
    """An upper bound on the gain of a Bayes test in a cell: the weighted probabilities of the label
    that is best on all of it; those of all labels for winner -1.
    """
    gains = [
        _total(
            p * c
            for p, c, label in zip(prior, cell.probabilities, claim.labels, strict=True)
            if label == u
        )
        for u in claim.answers
    ]
    if winner == -1:
        return _total(gains)
    reject_unless(0 <= winner < len(gains), "there is no such answer")
    for u, gain in enumerate(gains):
        if u == winner:
            continue
        if cell.laws:
            weighted = [
                p * law if label == claim.answers[winner] else -(p * law)
                for p, law, label in zip(prior, cell.laws, claim.labels, strict=True)
                if label in (claim.answers[winner], claim.answers[u])
            ]
            reject_unless(
                _stays_nonnegative(_total(weighted), cell),
                "the winner does not win on all of an interval",
            )
        else:
            reject_unless(_is_nonnegative(gains[winner] - gain), "the winner does not win")
    return gains[winner]


def _stays_nonnegative(f: Ratio, cell: OutputCell) -> bool:
    """True only if f >= 0 on an interval: it is exp(k s) (A + B exp(d s)) with d > 0, so it is
    enough that f >= 0 at the ends.

    At an infinite end the coefficient that dominates there has to be >= 0.
    """
    if any(cell.output in algebra.polynomial_names(d) for d, _ in f.den):
        raise Unsupported("a law has its output in a divisor")
    rates: list[tuple[Ratio, Ratio]] = []
    for m, c in f.num.terms.items():
        rest, rate, shift = exponential_form(m, cell.output)
        reject_unless(
            not any(cell.output in algebra.atom_names(a) for a, _ in rest.powers),
            "a law is not a sum of exponentials",
        )
        term = Ratio(algebra.polynomial_of_monomial(rest, c), f.den) * algebra.exp_of(shift)
        place = next((i for i, (k, _) in enumerate(rates) if (k - rate).is_zero), None)
        rates = (
            [*rates, (rate, term)]
            if place is None
            else [(k, x + term) if i == place else (k, x) for i, (k, x) in enumerate(rates)]
        )
    rates = [(k, x) for k, x in rates if not x.is_zero]
    if len(rates) > 2:
        raise Unsupported("two laws differ by more than two exponentials")
    for end, side in ((cell.low, -1), (cell.high, 1)):
        if end is not None:
            at_end = _total(x * algebra.exp_of(k * end) for k, x in rates)
        else:
            prevailing = [
                x
                for k, x in rates
                if all(constant_sign((k - other).scale(side)) in (0, 1) for other, _ in rates)
            ]
            if rates and not prevailing:  # which one is not known
                return False
            at_end = _total(prevailing)
        if not _is_nonnegative(at_end):
            return False
    return True


def accept_best_test(claim: object, certificate: BestTest) -> Acceptance:
    """Accepted, if the test and the prior bound the power against one mechanism from both sides."""
    if not isinstance(claim, GuessClaim):
        raise Rejected(OTHER_PROOF)
    rely_on("the power rule")
    check_guess(claim, certificate)
    return Acceptance()
