"""`power`: the power of the best adversary against one mechanism, exact for finite and whole-number
outputs, between rigorous bounds for real ones.

The best test is the optimum of a linear programme over the cells of the output
(`ahdp_verify.kernel.rules.power`). For a real output the cells are refined where two answers are
equally good under the resulting prior: there the Bayes test changes its answer, and everywhere else
one answer wins.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.analysis.power.threat_models import known_record
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy count")
>>> found = power(M, known_record((1, 1)))
>>> str(found.low), str(found.high)  # 1 - exp(-1/2)/2 = 0.6967346701...
('69673467/100000000', '696734673/1000000000')
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.analysis.inputs import checker_input, law_at_input
from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.highs import float_solution
from ahdp_verify.analysis.power.structure import programme_of_test
from ahdp_verify.analysis.power.threat_models import ThreatModel
from ahdp_verify.analysis.power.variable import Variable, variable_for
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.display.verdict_latex import verdict_latex
from ahdp_verify.kernel import checker
from ahdp_verify.kernel.decimals import approximate_rational
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.evidence.certificate import BestTest
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.algebra import (
    Ratio,
    constant,
    exponential_form,
    polynomial_of_monomial,
)
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression
from ahdp_verify.kernel.rules.events import event_with_atoms
from ahdp_verify.kernel.rules.power import (
    GuessClaim,
    OutputCell,
    bayes_gain,
    guess_input_text,
    input_laws,
    output_cells,
)
from ahdp_verify.kernel.terms.expression import Expression, number
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving import compared_inputs as comparing
from ahdp_verify.search.proving.total_mass import output_breakpoints, sort_in_context

BITS = 60  # to which the probabilities of a test and of a prior are rounded
DIGITS = 9  # decimal places of bounds that are rounded outwards
# distance of the two points around a crossing of two answers; larger than the tolerance of HiGHS
CLOSE = Fraction(1, 1 << 26)
ROUNDS = 40  # rounds of refinement; each usually halves the gap
GAP = Fraction(1, 10**7)  # between the bounds, at which refinement ends
# answers that are tried as the winner of a cell: equal densities differ by rounding only
CONTENDERS = 3
# breakpoints, one for each hypothesis about a Laplace count; measured: six take half a minute
MOST_KINKS = 30
MOST_CELLS = 400  # cells of an output that is not finite
EMPTY = Context.empty()


@dataclass(frozen=True)
class Power:
    """The power of an adversary against a mechanism: between `low` and `high`, which are equal
    where it is exact.
    """

    claim: GuessClaim
    verdict: Proved
    cells: tuple[str, ...]
    test: tuple[tuple[Expression, ...], ...]
    weights: tuple[Expression, ...]

    __repr__ = short_repr

    @property
    def low(self) -> Expression:
        """The success probability that a test attains."""
        return self.claim.low

    @property
    def high(self) -> Expression:
        """The success probability that no test exceeds."""
        return self.claim.high

    @property
    def bounds(self) -> Bounds:
        """The bounds on the power."""
        return Bounds(self.low, self.high)

    @property
    def exact(self) -> bool:
        """True if the bounds meet."""
        return self.low == self.high

    @property
    def value(self) -> Expression:
        """The power; NotWorkedOut where only bounds are known."""
        if not self.exact:
            raise NotWorkedOut(
                "power",
                f"it is only known to lie between {self.low} and {self.high}",
                "use .low and .high",
            )
        return self.low

    @cached_property
    def prior(self) -> dict[str, Expression]:
        """The least favourable prior of the hypotheses."""
        return {
            guess_input_text(self.claim, side): w
            for side, w in zip(self.claim.inputs, self.weights, strict=True)
        }

    @property
    def strategy(self) -> dict[str, dict[str, Expression]]:
        """The optimal test: for each cell of the output the probabilities of the answers, those
        that are 0 left out.
        """
        return {
            cell: {u: x for u, x in zip(self.claim.answers, row, strict=True) if x != number(0)}
            for cell, row in zip(self.cells, self.test, strict=True)
        }

    def __str__(self) -> str:
        return str(self.verdict)

    def _repr_html_(self) -> str:
        return verdict_html(self.verdict)

    def _repr_latex_(self) -> str:
        return verdict_latex(self.verdict)

    def save(self, path: str | Path) -> None:
        """The file at `path` holds the record, which `recheck` accepts."""
        self.verdict.save(path)


def power(
    mechanism: Mechanism,
    hypotheses: ThreatModel | Iterable[object],
    parameters: Mapping[str, object] | None = None,
    labels: Iterable[str] | None = None,
    report: Progress = no_progress,
    limits: Limits | None = None,
) -> Power:
    """The power of an adversary against a mechanism.

    hypotheses   a threat model, or inputs of the mechanism: datasets (counts, or lists of records),
                 values, lists of query answers
    parameters   values of the mechanism's parameters
    labels       what the adversary has to name of each input; by default the values of a dataset, or
                 the input itself
    limits       the time and memory it may use (else OutOfLimits); without any, only limits
                 already in force
    Raises BadInput for inputs that the mechanism does not take, for hypotheses that coincide, and
    for outputs whose distributions are not known to have total 1.
    """
    with enforce_limits(limits, "working out the power"):
        claim = _guess_claim(mechanism, hypotheses, parameters or {}, labels)
        try:
            if all(o.kind == "finite" for o in mechanism.outputs):
                return _solve_cells(claim, (), report)
            ends = _breakpoints(claim)
            return (
                _solve_cells(claim, ends, report)
                if mechanism.outputs[0].kind == "integer"
                else _refined_power(claim, ends, report)
            )
        except (Unsupported, Undecided, Rejected) as why:
            cure = (
                "use finite outputs, or one output whose density is a sum of exponentials on each "
                "piece"
            )
            raise NotWorkedOut(
                "power",
                f"the distributions of {mechanism} were not worked out ({refusal_text(why)})",
                cure,
            ) from None


def _guess_claim(
    mechanism: Mechanism,
    hypotheses: ThreatModel | Iterable[object],
    parameters: Mapping[str, object],
    labels: Iterable[str] | None,
) -> GuessClaim:
    """The claim, with its bounds still open."""
    title = "the hypotheses"
    if isinstance(hypotheses, ThreatModel):
        if not isinstance(mechanism.inputs, Domain):
            raise BadInput(
                "hypotheses",
                "the input of the mechanism is not a dataset",
                "list its inputs instead",
            )
        model = hypotheses(mechanism.inputs)
        asked: list[Any] = list(model.datasets)
        said, title = list(model.labels), str(model)
    else:
        asked, said = list(hypotheses), []
    if len(asked) < 2:
        raise BadInput(
            "hypotheses",
            f"there {'is one' if asked else 'is none'}",
            "give at least two inputs, or there is nothing to tell apart",
        )
    found = [checker_input(mechanism, item, parameters)[1] for item in asked]
    for item in asked:
        law_at_input(
            mechanism, item, parameters
        )  # BadInput for an input that the mechanism does not take
    inputs = tuple(example.first for example in found)
    claim = GuessClaim(
        mechanism,
        found[0].parameters,
        inputs,
        tuple(labels or said or map(str, range(len(inputs)))),
        number(0),
        number(1),
        f"power against {title} of {mechanism}",
    )
    if not said and labels is None:
        claim = replace(claim, labels=tuple(guess_input_text(claim, side) for side in inputs))
    if len(set(claim.labels)) < 2:
        raise BadInput(
            "hypotheses",
            "they all have the same label, so there is nothing to tell apart",
            "give inputs with different values",
        )
    return claim


def _breakpoints(claim: GuessClaim) -> tuple[Ratio, ...]:
    """The points between which all laws are sums of exponentials; for a whole output every whole
    number between the first and the last of them.
    """
    output = claim.mechanism.outputs[0]
    if len(claim.mechanism.outputs) > 1:
        raise Unsupported("several outputs, at least one of them not finite")
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    found = sort_in_context(
        [p for density, _ in input_laws(claim) for p in output_breakpoints(density, output, here)],
        here,
    )
    if output.kind == "integer" and found:
        ends = [enclose(p) for p in found]
        low, high = math.floor(ends[0][0]), math.ceil(ends[-1][1]) + 1
        if high - low > MOST_CELLS:
            raise Unsupported(
                f"the breakpoints of the densities span more than {MOST_CELLS} whole numbers"
            )
        return tuple(constant(i) for i in range(low, high + 1))
    if len(found) > MOST_KINKS:
        raise Unsupported(
            f"the densities have {len(found)} breakpoints; at most {MOST_KINKS} are handled"
        )
    return found or (constant(0),)


def _cell_probabilities(listed: list[OutputCell]) -> tuple[Variable | None, list[list[Any]]]:
    """The probabilities of each hypothesis, by cells, exactly if they are functions of one
    variable, else rational numbers near them.
    """
    ratios = [p for cell in listed for p in cell.probabilities]
    try:
        variable = variable_for(ratios, lambda base, root: Fraction(0))
        return variable, [
            [variable.number(cell.probabilities[h]) for cell in listed]
            for h in range(len(listed[0].probabilities))
        ]
    except NotWorkedOut:
        return None, _approximate_probabilities(listed)


def _approximate_probabilities(listed: list[OutputCell]) -> list[list[Any]]:
    """Rational numbers near the probabilities."""
    return [
        [
            _round_to_grid(approximate_rational(cell.probabilities[h]))
            if not cell.probabilities[h].is_zero
            else Fraction(0)
            for cell in listed
        ]
        for h in range(len(listed[0].probabilities))
    ]


def _round_to_grid(x: Fraction) -> Fraction:
    """A multiple of 2^-BITS near x, not 0 if x is not."""
    return Fraction(max(1, round(x * (1 << BITS))), 1 << BITS)


def _solve_cells(claim: GuessClaim, ends: tuple[Ratio, ...], report: Progress) -> Power:
    """The power for cells that are not refined: exact if the programme could be solved exactly."""
    points_ = tuple(map(to_expression, ends))
    listed = list(output_cells(claim, points_))
    report(f"the best test on {len(listed)} cells")
    variable, probabilities = _cell_probabilities(listed)
    width = len(claim.answers)
    p = programme_of_test(probabilities, [claim.answers.index(u) for u in claim.labels], width)
    found = programme.search_bases(
        p, programme.PrimalDual(None, None, variable or NO_VARIABLE), report
    )
    if variable is None or not found.exact or found.low is None or found.high is None:
        return _bounded_power(claim, points_, listed, _approximate_probabilities(listed))
    tree = variable.tree
    test = [[tree(x) for x in row] for row in found.low.kernel]
    prior = [tree(x) for x in found.high.prior]
    value = tree(found.low.value)
    return _checked_power(replace(claim, low=value, high=value), points_, listed, test, prior)


NO_VARIABLE = variable_for([], lambda base, root: Fraction(0))


def _bounded_power(
    claim: GuessClaim,
    points_: tuple[Expression, ...],
    listed: list[OutputCell],
    probabilities: list[list[Fraction]],
) -> Power:
    """The power between bounds that a nearly optimal test and a nearly least favourable prior
    give.
    """
    test, prior = _approximate_solution(claim, probabilities)
    return _checked_power(
        with_bounds(claim, listed, test, prior),
        points_,
        listed,
        [[number(x) for x in row] for row in test],
        [number(x) for x in prior],
    )


def _approximate_solution(
    claim: GuessClaim, probabilities: list[list[Fraction]]
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """A test and a prior with rational entries, nearly optimal for probabilities near these."""
    labels, width = [claim.answers.index(u) for u in claim.labels], len(claim.answers)
    found = float_solution(programme_of_test(probabilities, labels, width))
    if found is None:
        raise Unsupported("no test and prior were found")
    return [_normalised_weights(row) for row in found[0]], _normalised_weights(found[1])


def _normalised_weights(row: list[float]) -> list[Fraction]:
    """Nearby multiples of 2^-BITS that are >= 0 and add up to 1."""
    size = sum(max(x, 0.0) for x in row)
    found = [Fraction(round(Fraction(max(x, 0.0) / size) * (1 << BITS)), 1 << BITS) for x in row]
    largest = max(range(len(found)), key=found.__getitem__)
    found[largest] += 1 - sum(found)
    return found


def with_bounds(
    claim: GuessClaim, listed: list[OutputCell], test: list[list[Fraction]], prior: list[Fraction]
) -> GuessClaim:
    """The claim with the success of the test, rounded down, and that of the Bayes test, rounded
    up.
    """
    successes = []
    for h, label in enumerate(claim.labels):
        u = claim.answers.index(label)
        success = constant(0)
        for cell, row in zip(listed, test, strict=True):
            success = success + cell.probabilities[h].scale(row[u])
        successes.append(enclose(success, 256)[0])
    weights = [constant(x) for x in prior]
    high = constant(0)
    for cell, winner in zip(listed, winners(claim, listed, weights), strict=True):
        high = high + bayes_gain(claim, cell, weights, winner)
    unit = Fraction(1, 10**DIGITS)
    return replace(
        claim,
        low=number(max(min(successes) // unit * unit, Fraction(0))),
        high=number(min(-(-enclose(high, 256)[1] // unit) * unit, Fraction(1))),
    )


def winners(claim: GuessClaim, listed: list[OutputCell], prior: list[Ratio]) -> tuple[int, ...]:
    """For each cell the answer that wins in all of it, or -1."""
    found = []
    for cell in listed:
        gains = dict.fromkeys(claim.answers, Fraction(0))
        for p, c, label in zip(prior, cell.probabilities, claim.labels, strict=True):
            gains[label] += (
                0 if p.is_zero or c.is_zero else approximate_rational(p) * approximate_rational(c)
            )
        order = sorted(range(len(gains)), key=list(gains.values()).__getitem__, reverse=True)
        found.append(next((u for u in order[:CONTENDERS] if _is_winner(claim, cell, prior, u)), -1))
    return tuple(found)


def _is_winner(claim: GuessClaim, cell: OutputCell, prior: list[Ratio], answer: int) -> bool:
    """Whether the checker accepts an answer as the winner of a cell."""
    try:
        bayes_gain(claim, cell, prior, answer)
    except (Rejected, Unsupported):
        return False
    return True


def _checked_power(
    claim: GuessClaim,
    points_: tuple[Expression, ...],
    listed: list[OutputCell],
    test: list[list[Expression]],
    prior: list[Expression],
) -> Power:
    """The claim with the verdict of the checker."""
    place: dict[Expression, int] = {}

    def at(e: Expression) -> int:
        return place.setdefault(e, len(place))

    rows = tuple(tuple(map(at, row)) for row in test)
    of_prior = tuple(map(at, prior))
    chosen = winners(claim, listed, [normal(e, EMPTY) for e in prior])
    proof = BestTest(
        claim.fingerprint,
        points_ if any(c.output for c in listed) else (),
        tuple(place),
        rows,
        of_prior,
        chosen,
    )
    verdict = checker.check(claim, proof, None, comparing.find_compared_inputs(claim))
    return Power(
        claim, verdict, tuple(_cell_texts(claim, listed)), tuple(map(tuple, test)), tuple(prior)
    )


def _cell_texts(claim: GuessClaim, listed: list[OutputCell]) -> Iterable[str]:
    """A name for each cell."""
    m = claim.mechanism
    yield from (f"{m.outputs[0].name} = {at}" for at, _ in m.atoms)
    rest = listed[len(m.atoms) :]
    if any(c.output for c in rest):
        for c in rest:
            low, high = (None if e is None else to_expression(e) for e in (c.low, c.high))
            box = Event(intervals=((c.output, low, high),))
            yield str(event_with_atoms(box, (at for at, _ in m.atoms), m.outputs, ()))
        return
    combinations: list[tuple[Expression, ...]] = [()]
    for o in m.outputs:
        combinations = [(*c, v) for c in combinations for v in o.values]
    yield from (
        ", ".join(f"{o.name} = {v}" for o, v in zip(m.outputs, c, strict=True))
        for c in combinations
    )


def _refined_power(claim: GuessClaim, ends: tuple[Ratio, ...], report: Progress) -> Power:
    """The power against a real output, with points where the answers of the Bayes test change."""
    grid = list(ends)
    best: Power | None = None
    for step in range(ROUNDS):
        points_ = tuple(map(to_expression, sort_in_context(grid, EMPTY)))
        listed = list(output_cells(claim, points_))
        report(f"round {step + 1}: the best test on {len(listed)} cells")
        probabilities = _approximate_probabilities(listed)
        test, prior = _approximate_solution(claim, probabilities)
        bounds = with_bounds(claim, listed, test, prior)
        if best is None or _bounds_gap(bounds) < _bounds_gap(best.claim):
            best = _checked_power(
                bounds,
                points_,
                listed,
                [[number(x) for x in row] for row in test],
                [number(x) for x in prior],
            )
        if _bounds_gap(best.claim) <= GAP or len(listed) > MOST_CELLS:
            break
        grid = [*ends, *_winner_changes(claim, listed, prior)]
        known = [_approximate_float(p) for p in grid]
        new = [
            constant(x)
            for x in _density_crossings(claim, listed, prior)
            if all(abs(float(x) - y) > float(CLOSE) / 4 for y in known)
        ]
        if not new:
            break
        grid += new
    if best is None:
        raise Unsupported("no cells were found")
    return best


def _winner_changes(
    claim: GuessClaim, listed: list[OutputCell], prior: list[Fraction]
) -> list[Ratio]:
    """The ends of cells at which the winner changes; the others are no longer needed."""
    won = winners(claim, listed, [constant(x) for x in prior])
    kept = [
        c
        for i, c in enumerate(listed)
        if won[i] == -1 or won[max(i - 1, 0)] != won[i] or won[min(i + 1, len(won) - 1)] != won[i]
    ]
    return list({end.key: end for c in kept for end in (c.low, c.high) if end is not None}.values())


def _bounds_gap(claim: GuessClaim) -> Fraction:
    """The distance between the bounds."""
    low, high = (normal(e, EMPTY).as_rational for e in (claim.low, claim.high))
    return Fraction(1) if low is None or high is None else high - low


def _density_crossings(
    claim: GuessClaim, listed: list[OutputCell], prior: list[Fraction]
) -> Iterable[Fraction]:
    """Two points around each place inside a cell where the weighted distributions of two answers
    are equal, found by halving in floating point.
    """
    for cell in listed:
        if not cell.laws:
            continue
        low, high = (
            None if end is None else _approximate_float(end) for end in (cell.low, cell.high)
        )
        if low is None or high is None or not 4 * float(CLOSE) <= high - low < math.inf:
            continue
        weighted = {
            u: [
                (p, law)
                for p, law, label in zip(prior, cell.laws, claim.labels, strict=True)
                if label == u and p
            ]
            for u in claim.answers
        }
        functions = [[(float(p), law) for p, law in parts] for parts in weighted.values() if parts]
        for i, f in enumerate(functions):
            for g in functions[:i]:
                x = _bisect(f, g, cell.output, low, high)
                if x is not None:
                    middle_ = Fraction(round(Fraction(x) * (1 << 48)), 1 << 48)
                    yield middle_ - CLOSE / 2
                    yield middle_ + CLOSE / 2


def _bisect(
    f: list[tuple[float, Ratio]], g: list[tuple[float, Ratio]], output: str, low: float, high: float
) -> float | None:
    """Where f - g changes its sign between low and high, None where the signs at the ends do not
    differ.
    """

    def at(x: float) -> float:
        return sum(p * _float_value(law, output, x) for p, law in f) - sum(
            p * _float_value(law, output, x) for p, law in g
        )

    first, last = at(low), at(high)
    if not first * last < 0:  # nor where one of them is not known
        return None
    for _ in range(80):
        x = (low + high) / 2
        if at(x) * first > 0:
            low = x
        else:
            high = x
    return (low + high) / 2


MOST_EXPONENT = 700.0  # beyond it a float overflows; sign changes are searched for far below


def _float_value(law: Ratio, output: str, x: float) -> float:
    """The value of a sum of exponentials near x."""
    result = 0.0
    for m, c in law.num.terms.items():
        rest, rate, shift = exponential_form(m, output)
        size = Ratio(polynomial_of_monomial(rest, c), law.den)
        factor = approximate_rational(size)
        if factor:
            exponent = (
                _approximate_float(rate) * x
                + _approximate_float(shift)
                + _approximate_log(abs(factor))
            )
            result += (1 if factor > 0 else -1) * math.exp(min(exponent, MOST_EXPONENT))
    return result


def _approximate_float(r: Ratio) -> float:
    """A float near a constant, infinite where it is out of their range."""
    if r.is_zero:
        return 0.0
    value = approximate_rational(r)
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _approximate_log(x: Fraction) -> float:
    """A float near the logarithm of a positive fraction, however large or small it is."""
    return math.log(x.numerator) - math.log(x.denominator)
