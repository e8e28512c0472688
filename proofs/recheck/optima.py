"""Section 11: the optimum over private mechanisms, and the best test of one mechanism."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

from recheck.claims import Claim
from recheck.evidence import Evidence, extended
from recheck.forms import NOTHING, UNIT, Form, constant_sign, exp_of, total
from recheck.inputs import need_constant, need_side, with_parameters
from recheck.limits import COMBINATIONS, Rejected, cover, need
from recheck.meaning import (
    AMOUNT,
    NUMBER,
    Reading,
    choices_of,
    need_conditions,
    need_names,
    need_rows,
)
from recheck.places import combinations, number_of_combinations
from recheck.shapes import Named, Record, digest, fields, listed, read_named, read_value, text
from recheck.signs import Context, assume, at_record
from recheck.totals import nonnegative, on_piece, piece_total, term_of
from recheck.trees import Tree, boolean, make, name, need_scoped, read, substitute
from recheck.written import At, Law, law_at

LARGEST_COUNT = 10_000
Row = tuple[int, ...]


# the best private mechanism


class Best:
    """The claim about the optimum over private mechanisms on the rows.

    For gains it is the largest minimum over the aims, for losses the smallest maximum.
    """

    def __init__(self, data: Any) -> None:
        wanted = "best value bound everywhere parameters name sense"
        task, value, self.bound, self.everywhere, parameters, called, self.sense = fields(
            data, wanted, "the claim"
        )
        text(called)
        domain, self.relation, level, rows, columns, aims = fields(
            task, "domain relation level rows columns aims", "the task"
        )
        self.fingerprint, self.defined = digest(data), boolean(True)
        self.unknowns: Named = read_named(parameters)
        self.level, self.value = read(level), read(value)
        (given,) = fields(domain, "records", "the domain")
        pairs = (listed(row, 2) for row in listed(given))
        self.records = [{**read_value(v, "x"), "eps": read(eps)} for v, eps in pairs]
        self.rows = [tuple(listed(row)) for row in listed(rows)]
        self.columns = [text(c) for c in listed(columns)]
        self.aims = [[read_weight(w) for w in listed(aim)] for aim in listed(aims)]
        self.check_words()
        self.check_scopes()
        self.check_rows()

    def check_words(self) -> None:
        need(self.relation in ("ahdp", "add-remove", "swap"), "the relation is unknown")
        need(self.bound in ("=", "<=", ">="), "the bound is unknown")
        need(self.sense in ("gain", "loss"), "the sense is unknown")
        need(isinstance(self.everywhere, bool), "`everywhere` is neither true nor false")

    def check_scopes(self) -> None:
        names = [n for n, _ in self.unknowns]
        need_names(names)
        need_conditions(self.unknowns, names)
        need(bool(self.records), "there are no records")
        need_rows(self.records, names)
        reading = Reading(choices_of(self.records))
        for e in (self.value, *(w for aim in self.aims for _, _, w in aim)):
            need_scoped(e, names)
            reading.need(e, NUMBER)
        bound = self.records[0] if self.relation == "ahdp" else ()
        need_scoped(self.level, [*names, *bound])
        reading.need(self.level, *AMOUNT)

    def check_rows(self) -> None:
        need(bool(self.rows and self.columns and self.aims), "there is no row, column or aim")
        for row in self.rows:
            need(len(row) == len(self.records), "a row does not have one count for each record")
            good = all(type(c) is int and 0 <= c <= LARGEST_COUNT for c in row)
            need(good, "a count is not a whole number from 0 to 10000")
        need(len(set(self.rows)) == len(self.rows), "a row is listed twice")
        need(len(set(self.columns)) == len(self.columns), "a column is listed twice")
        for aim in self.aims:
            need(bool(aim), "an aim is empty")
            for r, u, _ in aim:
                need(0 <= r < len(self.rows), "an aim refers to an unknown row")
                need(0 <= u < len(self.columns), "an aim refers to an unknown column")

    def signed(self, e: Tree, here: Context) -> Form:
        """A weight, or the value, with the sign of a gain."""
        return here.form(e) if self.sense == "gain" else -here.form(e)

    @property
    def sides(self) -> tuple[bool, bool]:
        """Whether it claims that the optimum (of gains) is at least, and at most, the value."""
        at_least, at_most = self.bound in ("=", ">="), self.bound in ("=", "<=")
        return (at_least, at_most) if self.sense == "gain" else (at_most, at_least)


def read_weight(data: Any) -> tuple[int, int, Tree]:
    r, u, w = listed(data, 3)
    need(type(r) is int and type(u) is int, "a row or a column has no number")
    return r, u, read(w)


@dataclass
class Kernels:
    """The exact numbers of a certificate, and the costs exp(level) of records, or of a swap."""

    claim: Best
    here: Context
    values: list[Form]
    costs: list[Form | None]

    def __post_init__(self) -> None:
        self.private: set[tuple[int, int, Form]] = set()

    def factor(self, i: Row, j: Row) -> Form | None:
        """exp of the distance of two rows; None if it is infinite."""
        gaps = [abs(a - b) for a, b in zip(i, j, strict=True)]
        if self.claim.relation == "swap":
            if sum(i) != sum(j) or self.costs[0] is None:
                return UNIT if i == j else None
            return self.costs[0] ** (sum(gaps) // 2)
        out = UNIT
        for cost, gap in zip(self.costs, gaps, strict=True):
            if gap and cost is None:
                return None
            out = out * cost**gap if gap and cost is not None else out
        return out

    def need_nonnegative(self, r: Form, reason: str) -> None:
        need(-1 not in self.here.signs(r), reason)

    def need_distribution(self, places: Sequence[int], length: int, what: str) -> None:
        need(len(places) == length, f"{what} has another length")
        for i in places:
            self.need_nonnegative(self.values[i], f"{what} has a number below 0")
        whole = total(self.values[i] for i in places)
        need((whole - UNIT).is_zero, f"{what} does not sum to 1")


def require_optimum(claim: Best, proof: Evidence) -> None:
    """A claim with = needs both rules, any other claim the rule for its bound."""
    need(proof.claim == claim.fingerprint, "the certificate belongs to another claim")
    at_least, at_most = claim.sides
    need(at_least or not (proof.kernel or proof.rest), "`kernel` or `rest` is not empty")
    need(
        at_most or not (proof.prior or proof.prices or proof.flows),
        "`prior`, `prices` and `flows` are not all empty",
    )
    amounts = [amount for flow in proof.flows for _, _, amount in flow]
    used = [*itertools.chain(*proof.kernel), *proof.rest, *proof.prior, *proof.prices, *amounts]
    need_places(used, len(proof.numbers))
    start = assume([c for _, c in claim.unknowns], Context())
    here = extended(proof.lemmas, start)
    kernels = Kernels(claim, here, [here.form(e) for e in proof.numbers], costs_of(claim, start))
    for cost in kernels.costs:
        if cost is not None:
            kernels.need_nonnegative(cost - UNIT, "a level is not known to be >= 0")
    if at_least:
        require_kernel(kernels, proof)
    if at_most:
        require_prices(kernels, proof)


def need_places(used: Iterable[int], length: int) -> None:
    """Raises unless the entries are indices into the list of numbers, and all are used."""
    found = set(used)
    need(all(0 <= i < length for i in found), "there is no number with this index")
    need(len(found) == length, "a number is not used")


def costs_of(claim: Best, here: Context) -> list[Form | None]:
    found: list[Form | None] = []
    for r in claim.records:
        level = at_record(claim.level, r, here) if claim.relation == "ahdp" else claim.level
        found.append(None if level.head == "oo" else exp_of(here.form(level)))
    return found


def require_kernel(k: Kernels, proof: Evidence) -> None:
    """kernel >= 0     its rows sum to 1     it is private     every aim >= value
    ------------------------------------------------------------------------------
    the optimum is at least the value
    """
    claim = k.claim
    need(
        len(proof.kernel) == len(claim.rows), "the mechanism does not have one row for each dataset"
    )
    for row in proof.kernel:
        k.need_distribution(row, len(claim.columns), "a row of the mechanism")
    for i, j in steps(claim):
        need_private(k, k.factor(claim.rows[i], claim.rows[j]), proof.kernel[i], proof.kernel[j])
    value = claim.signed(claim.value, k.here)
    for aim in claim.aims:
        gains = (claim.signed(w, k.here) * k.values[proof.kernel[r][u]] for r, u, w in aim)
        k.need_nonnegative(total(gains) - value, "an aim is below the value")
    require_extension(k, proof)


def need_private(k: Kernels, factor: Form | None, first: list[int], second: list[int]) -> None:
    """Raises unless each probability of either row is at most `factor` times that of the other."""
    if factor is None:
        return
    for pair in zip(first, second, strict=True):
        for p, q in (pair, pair[::-1]):
            if (p, q, factor) not in k.private:
                gap = factor * k.values[q] - k.values[p]
                k.need_nonnegative(gap, "the mechanism is not private")
                k.private.add((p, q, factor))


def steps(claim: Best) -> Iterator[tuple[int, int]]:
    """Pairs of rows without a third row one step from the first towards the second.

    The distances of the others add up along such steps.
    """
    known = set(claim.rows)
    for i, j in itertools.combinations(range(len(claim.rows)), 2):
        if not any(z in known for z in between(claim, claim.rows[i], claim.rows[j])):
            yield i, j


def between(claim: Best, a: Row, b: Row) -> Iterator[Row]:
    """The datasets one step from a towards b, other than b."""
    up = [k for k, (x, y) in enumerate(zip(a, b, strict=True)) if x < y]
    down = [k for k, (x, y) in enumerate(zip(a, b, strict=True)) if x > y]
    swap = claim.relation == "swap"
    for moved in itertools.product(down, up) if swap else ((k,) for k in (*down, *up)):
        z = tuple(c + (k in moved) * (1 if k in up else -1) for k, c in enumerate(a))
        if z != b:
            yield z


def require_extension(k: Kernels, proof: Evidence) -> None:
    """the rows form a box        (swap: one size, and one more row near every row)
    -----------------------------------------------------------------------------
    the mechanism on the rows extends to one that is private on all datasets
    """
    claim = k.claim
    if not (claim.everywhere and claim.relation == "swap"):
        need(not proof.rest, "`rest` is not empty")
    if not claim.everywhere:
        return
    if claim.relation == "swap":
        need(len({sum(row) for row in claim.rows}) == 1, "the datasets have different sizes")
        k.need_distribution(proof.rest, len(claim.columns), "the row for other datasets")
        for row in proof.kernel:
            need_private(k, k.costs[0], row, proof.rest)
    else:
        columns = zip(*claim.rows, strict=True)
        box = math.prod(max(column) - min(column) + 1 for column in columns)
        need(box == len(claim.rows), "the rows do not form a box")


def require_prices(k: Kernels, proof: Evidence) -> None:
    """prior >= 0 with sum 1     prices with the sum value     amounts y >= 0
    for every column u and row r: price(r) - (sum of prior * weight at (r, u))
      + (sum of y over flows (r, j, y)) - (sum of y f(i, r) over flows (i, r, y)) >= 0
    ----------------------------------------------------------------------------------
    the optimum is at most the value
    """
    claim = k.claim
    k.need_distribution(proof.prior, len(claim.aims), "the prior")
    need(len(proof.prices) == len(claim.rows), "there is not one price for each row")
    prices = [k.values[i] for i in proof.prices]
    gap = total(prices) - claim.signed(claim.value, k.here)
    need(gap.is_zero, "the prices do not sum to the value")
    need(len(proof.flows) == len(claim.columns), "there is not one flow for each column")
    gains: dict[tuple[int, int], Form] = {}
    for prior_weight, aim in zip(proof.prior, claim.aims, strict=True):
        for r, u, w in aim:
            gain = k.values[prior_weight] * claim.signed(w, k.here)
            gains[r, u] = gains.get((r, u), NOTHING) + gain
    for u, flow in enumerate(proof.flows):
        left = [price - gains.get((r, u), NOTHING) for r, price in enumerate(prices)]
        for i, j, amount in flow:
            need(
                0 <= i < len(left) and 0 <= j < len(left) and i != j,
                "a flow does not join two different rows",
            )
            factor, y = k.factor(claim.rows[i], claim.rows[j]), k.values[amount]
            if factor is None:
                raise Rejected("a flow joins rows of infinite distance")
            k.need_nonnegative(y, "a flow has an amount below 0")
            left[i], left[j] = left[i] + y, left[j] - y * factor
        for rest in left:
            k.need_nonnegative(rest, "the prices of a column do not cover its gains")


# the best test


class Guess:
    """The claim that the power against one mechanism lies between `low` and `high`.

    The power is the largest worst-case probability of naming the label of the true input.
    """

    def __init__(self, data: Any) -> None:
        task, low, high, called = fields(data, "guess low high name", "the claim")
        text(called)
        mechanism, parameters, inputs, labels = fields(
            task, "mechanism parameters inputs labels", "the task"
        )
        self.fingerprint, self.low, self.high = digest(data), read(low), read(high)
        self.parameters = read_named(parameters)
        self.inputs = [tuple(map(read, listed(side))) for side in listed(inputs)]
        self.labels = [text(label) for label in listed(labels)]
        fit = bool(self.inputs) and len(self.inputs) == len(self.labels)
        need(fit, "there is not one label for each input")
        self.claim = Claim(claim_about(mechanism))
        need(not self.claim.rule, "a best test of a composite")
        need(not self.claim.unknowns, "a best test needs listed records")
        for e in (self.low, self.high):
            need_constant(e)
        self.answers = list(dict.fromkeys(self.labels))

    @property
    def conditions(self) -> list[Tree]:
        return [make("==", name(n), v) for n, v in self.parameters]


def claim_about(mechanism: Any) -> Any:
    """A claim whose relation fits the inputs of the mechanism."""
    need(isinstance(mechanism, dict), "the mechanism is not an object")
    inputs = mechanism.get("inputs")
    need(isinstance(inputs, dict), "the inputs are not an object")
    local = "values" in inputs or "reals" in inputs
    relation = "one" if "queries" in inputs else "any" if local else "add-remove"
    return {
        "mechanism": mechanism,
        "relation": relation,
        "level": "0",
        "delta": "0",
        "public": [],
    }


@dataclass(frozen=True)
class Cell:
    """Outputs that a test treats alike, with their probability at each input.

    For an interval from `low` to `high`, `laws` are the densities at each input, as functions of
    the output.
    """

    probabilities: tuple[Form, ...]
    laws: tuple[Form, ...] = ()
    output: str = ""
    low: Form | None = None
    high: Form | None = None


def require_best_test(said: Guess, proof: Evidence) -> None:
    """every law is >= 0 and has total 1     test >= 0, rows sum to at most 1
    for every input, sum of P(cell) test(cell, label) >= low
    prior >= 0 with sum 1     sum over cells of the gain of a Bayes test there <= high
    ---------------------------------------------------------------------------------
    the power lies between low and high
    """
    need(proof.claim == said.fingerprint, "the certificate belongs to another claim")
    need_places([*itertools.chain(*proof.test), *proof.prior], len(proof.numbers))
    empty = Context()
    numbers = [empty.form(e) for e in proof.numbers]
    cells = list(cells_of(said, proof.points))
    for h in range(len(said.inputs)):
        whole = total(cell.probabilities[h] for cell in cells)
        need(whole == UNIT, "a distribution does not have total 1")
    need(len(proof.test) == len(cells), "the test does not have one row for each cell")
    for row in proof.test:
        need(len(row) == len(said.answers), "the test does not have one probability for each label")
        for r in [*(numbers[i] for i in row), UNIT - total(numbers[i] for i in row)]:
            need_above(r, "a row of the test is not a distribution")
    for h, label in enumerate(said.labels):
        u = said.answers.index(label)
        rows = zip(cells, proof.test, strict=True)
        success = total(cell.probabilities[h] * numbers[row[u]] for cell, row in rows)
        need_above(success - empty.form(said.low), "the test succeeds less often than claimed")
    prior = [numbers[i] for i in proof.prior]
    need(len(prior) == len(said.inputs), "the prior does not have one probability for each input")
    for p in prior:
        need_above(p, "the prior has a number below 0")
    need(total(prior) == UNIT, "the prior does not sum to 1")
    need(len(proof.winners) == len(cells), "there is not one winner for each cell")
    pairs = zip(cells, proof.winners, strict=True)
    spent = total(bayes_gain(said, cell, prior, winner) for cell, winner in pairs)
    need_above(empty.form(said.high) - spent, "a Bayes test succeeds more often than claimed")


def need_above(r: Form, reason: str) -> None:
    """Raises unless a constant is >= 0."""
    need(constant_sign(r) in (0, 1), reason)


def cells_of(said: Guess, points: list[Tree]) -> Iterator[Cell]:
    """The atoms; then outcomes of finite outputs, or the intervals between ascending points."""
    claim = said.claim
    here = with_parameters(claim, said.parameters)
    for side in said.inputs:
        need_side(claim, side, len(claim.records))
    records: tuple[Record, ...] = tuple(claim.records)
    laws = [law_at(claim, At(here, records, side)) for side in said.inputs]
    for k in range(len(claim.atoms)):
        yield Cell(tuple(nonnegative(law.atoms[k][1], here) for law in laws))
    if all(o.kind == "finite" for o in claim.outputs):
        need(not points, "there are points of a finite output")
        cover(number_of_combinations(claim.outputs) <= COMBINATIONS, "there are too many outputs")
        for c in combinations(claim.outputs):
            yield Cell(tuple(nonnegative(substitute(law.density, c), here) for law in laws))
    else:
        cover(len(claim.outputs) == 1, "several outputs, one of which is not finite")
        yield from intervals(claim, laws, points, here)


def intervals(claim: Claim, laws: list[Law], given: list[Tree], here: Context) -> Iterator[Cell]:
    (o,) = claim.outputs
    here = here.with_whole_names([o.name] if o.kind == "integer" else [])
    for p in given:
        need_constant(p)
    points = [Context().form(p) for p in given]
    need(bool(points), "there are no points")
    for a, b in itertools.pairwise(points):
        need(constant_sign(b - a) == 1, "points do not ascend")
    if o.kind == "integer":
        for point in points:
            need(isinstance(point.rational, int), "a point of an integer output is not an integer")
    for i in range(len(points) + 1):
        inside = on_piece(o, points, i, here)
        yield Cell(
            tuple(piece_total(law.density, o, points, i, here) for law in laws),
            tuple(inside.form(law.density) for law in laws),
            o.name,
            points[i - 1] if i else None,
            points[i] if i < len(points) else None,
        )


def bayes_gain(said: Guess, cell: Cell, prior: list[Form], winner: int) -> Form:
    """An upper bound on the gain of any test in a cell; for the winner -1 the sum over all inputs.

    the weighted law of the winner is largest throughout the cell
    -------------------------------------------------------------
    no test gains more there
    """
    gains = [weighted(said, cell.probabilities, prior, u) for u in said.answers]
    if winner == -1:
        return total(gains)
    need(0 <= winner < len(gains), "a winner is not a label")
    for u, gain in zip(said.answers, gains, strict=True):
        if u == said.answers[winner]:
            continue
        if cell.laws:
            ahead = weighted(said, cell.laws, prior, said.answers[winner])
            require_above(ahead - weighted(said, cell.laws, prior, u), cell)
        else:
            need_above(gains[winner] - gain, "a winner does not win in its cell")
    return gains[winner]


def weighted(said: Guess, laws: tuple[Form, ...], prior: list[Form], u: str) -> Form:
    rows = zip(prior, laws, said.labels, strict=True)
    return total(p * law for p, law, label in rows if label == u)


def require_above(f: Form, cell: Cell) -> None:
    """f = A exp(a s) + B exp(b s) is >= 0 at both ends
    -------------------------------------------------
    f >= 0 in the interval, since f exp(-a s) is monotone
    """
    rates: dict[Form, Form] = {}
    for m, c in f.num.items():
        t = term_of(m, c, f, cell.output)
        rates[t.rate] = rates.get(t.rate, NOTHING) + t.factor * exp_of(t.shift)
    rates = {rate: c for rate, c in rates.items() if not c.is_zero}
    cover(len(rates) <= 2, "the difference of two densities has more than two exponentials")
    if not rates:
        return
    least, *more = sorted(rates, key=cmp_to_key(order))
    for end, prevailing in ((cell.low, least), (cell.high, [least, *more][-1])):
        at_end = rates[prevailing]
        if end is not None:
            at_end = total(c * exp_of(end * rate) for rate, c in rates.items())
        need_above(at_end, "a winner does not win throughout an interval")


def order(a: Form, b: Form) -> int:
    """The sign of a - b, for constants."""
    s = constant_sign(a - b)
    if s is None:
        raise Rejected("the order of two rates is not known")
    return s
