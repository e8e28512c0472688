"""How well an adversary can do at best: claims about optima, and what a certificate of one has to
show.

    the mechanism K is private, and each of its aims is >= v
    price(D) >= prior-weighted gain of (D, u) + net flow into (D, u), for every D and u
    the prices sum to v
    -----------------------------------------------------------------------------------
                  the greatest least aim of private mechanisms is v

    K           a mechanism on the listed datasets D (rows) with finitely many outcomes u (columns)
    aim         an expected gain, a sum of weights times probabilities K(D, u)
    price, flow the dual variables of the rows and of the privacy inequalities; v in the unit of
                the gain

`BestClaim` is about all mechanisms that are private on listed datasets.  Followed by the
adversary's post-processing of its output, such a mechanism gives probabilities K(D, u) with K(D, u)
<= exp(d(D, D')) K(D', u), where d is the distance of two datasets: the sum of the levels of the
records by which they differ, or the level of a swap times the number of swaps.  The claim states
the greatest least aim.  The mechanism in the certificate attains it.  Its prior (of the aims),
prices (of the rows, which sum to the value) and flows show that no mechanism does better, by weak
duality:

    sum of prior(h) aim(h)  <=  sum over u, D of price(D) K(D, u)  =  sum of prices,

since for every column u, price(D) - (prior-weighted gain of D, u) is what a flow of privacy
inequalities leaves, plus something >= 0.

`GuessClaim` is the same for one mechanism: the probability that the best test names the right
hypothesis, which is the success probability of a Bayes test under the least favourable prior.
Nothing here makes a verdict; `ahdp_verify.kernel.checker` does.

>>> from ahdp_verify.kernel.terms import expression as ex
>>> aims = ((0, 0, ex.ONE),), ((1, 1, ex.ONE),)
>>> W, level, rows = Domain([("a", ex.log(2))]), ex.name("eps"), ((0,), (1,))
>>> claim = BestClaim(W, "ahdp", level, rows, ("0", "1"), aims, ex.number("2/3"))
>>> print(claim.factor(0, 1), claim)
2 greatest least aim = 2/3
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import Optimum
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Domain, value_at_record
from ahdp_verify.kernel.model.mechanism import INFINITY, NUMBER, NameScope, check_kind
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import NONNEGATIVE, Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import OTHER_PROOF, Acceptance, rely_on
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.terms.expression import Expression, oo
from ahdp_verify.kernel.terms.printing import display_name

SUPPORTED_RELATIONS = ("ahdp", "add-remove", "swap")
BOUNDS = ("=", "<=", ">=")
SAYS = {"=": "=", "<=": "at most", ">=": "at least"}
SENSES = {"gain": "greatest least aim", "loss": "least greatest aim"}
OF_TASK = ("domain", "relation", "level", "rows", "columns", "aims")  # fields
MOST = 10_000  # copies of one record in a row; guards the size of exp(distance)
Weight = tuple[int, int, Expression]
Exact = Fraction | Ratio


@dataclass(frozen=True, slots=True)
class BestClaim(Canonical):
    """The greatest least aim over mechanisms that are private on `rows` is (at most, at least)
    `value`.

    domain      listed records; their demands are constants or expressions in `parameters`
    relation    "ahdp" (the level is one of a record), "add-remove" or "swap" (one level for all)
    rows        datasets, as counts in the order of the domain
    columns     the names of the outcomes
    aims        each a tuple of (row, column, weight): the sum of weight * K(row, column)
    bound       "=", "<=" or ">="
    everywhere  True: mechanisms on all datasets, private on all of them (for "swap": on all
                datasets of that size)
    sense       "gain"; or "loss": aims are expected losses, and the claim is about the least
                greatest aim
    """

    domain: Domain
    relation: str
    level: Expression
    rows: tuple[tuple[int, ...], ...]
    columns: tuple[str, ...]
    aims: tuple[tuple[Weight, ...], ...]
    value: Expression
    bound: str = "="
    everywhere: bool = False
    parameters: NamedConditions = ()
    name: str = ""
    sense: str = "gain"

    where = "optimum"
    keys: ClassVar = {key: f"best.{key}" for key in OF_TASK}

    def __post_init__(self) -> None:
        known = [key for key, _ in self.parameters]
        reading.check_names(known, "parameters")
        reading.check_conditions(self.parameters, known, "parameter")
        if self.domain.is_universal:
            raise BadInput("domain", "its records are not listed", "use Domain([...])")
        if (
            self.relation not in SUPPORTED_RELATIONS
            or self.bound not in BOUNDS
            or self.sense not in SENSES
            or not isinstance(self.everywhere, bool)
            or not isinstance(self.name, str)
        ):
            raise BadInput(
                "optimum",
                f"{self.relation!r} or {self.bound!r} is not known",
                f"use {', '.join(SUPPORTED_RELATIONS)} and {', '.join(BOUNDS)}",
            )
        for r in self.domain.records:
            reading.check_known(r.demand, known, f"demand of {r}")
        for e in (self.value, *(w for aim in self.aims for _, _, w in aim)):
            check_kind(e, (NUMBER,), NameScope("optimum", frozenset(known), frozenset(), {}))
        of_record = frozenset(self.domain.bound) if self.relation == "ahdp" else frozenset[str]()
        check_kind(
            self.level,
            (NUMBER, INFINITY),
            NameScope(
                "level", frozenset(known) - of_record, of_record, self.domain.choices, inside=True
            ),
        )
        _check_rows(self)

    def signed(self, e: Expression, here: Context) -> Ratio:
        """A weight or the value as a gain: a loss is a gain of the opposite sign."""
        r = normal(e, here)
        return r if self.sense == "gain" else -r

    @property
    def here(self) -> Context:
        """The context given by the conditions of the parameters."""
        return parameter_context(self.parameters)

    def costs(self) -> tuple[Ratio | None, ...]:
        """exp(level) of one record each, or of a swap, in the order of the domain; None where
        the level is oo.
        """
        here = self.here
        found = []
        for r in self.domain.records:
            level = value_at_record(self.level, r, here) if self.relation == "ahdp" else self.level
            found.append(None if level == oo else exp_of(normal(level, here)))
        return tuple(found)

    def factor(self, i: int, j: int, costs: tuple[Ratio | None, ...] | None = None) -> Ratio | None:
        """exp(distance) of two rows; None if the distance is infinite."""
        costs = self.costs() if costs is None else costs
        gaps = [abs(a - b) for a, b in zip(self.rows[i], self.rows[j], strict=True)]
        if self.relation == "swap":
            same = sum(self.rows[i]) == sum(self.rows[j])
            return (
                costs[0] ** (sum(gaps) // 2)
                if same and costs[0] is not None
                else constant(1)
                if not any(gaps)
                else None
            )
        result = constant(1)
        for cost, gap in zip(costs, gaps, strict=True):
            if gap and cost is None:
                return None
            result = result if cost is None else result * cost**gap
        return result

    def __str__(self) -> str:
        return f"{display_name(self.name) or SENSES[self.sense]} {SAYS[self.bound]} {self.value}"


def _check_rows(claim: BestClaim) -> None:
    width = len(claim.domain.records)
    if not claim.rows or not claim.columns or not claim.aims or not all(claim.aims):
        raise BadInput(
            "optimum", "it has no dataset, no outcome or no aim", "list at least one of each"
        )
    for row in claim.rows:
        if len(row) != width or not all(type(c) is int and 0 <= c <= MOST for c in row):
            raise BadInput(
                "datasets",
                f"{str(row)[:60]} are not counts of {width} records",
                f"give one integer from 0 to {MOST} for each record",
            )
    if (
        len(set(claim.rows)) != len(claim.rows)
        or len(set(claim.columns)) != len(claim.columns)
        or not all(isinstance(c, str) for c in claim.columns)
    ):
        raise BadInput("optimum", "a dataset or an outcome is listed twice", "list each once")
    for r, u, _ in itertools.chain.from_iterable(claim.aims):
        if not (
            type(r) is int
            and type(u) is int
            and 0 <= r < len(claim.rows)
            and 0 <= u < len(claim.columns)
        ):
            raise BadInput("aims", f"there is no row {r} or no column {u}", "count them from 0")


class Numbers:
    """Exact arithmetic in one context: fractions if every number is rational, else ratios.
    `values` are those of a certificate, in order.
    """

    __slots__ = ("here", "rational", "values")

    def __init__(self, given: Sequence[Ratio], more: Iterable[Ratio], here: Context) -> None:
        self.here = here
        self.rational = all(r.as_rational is not None for r in (*given, *more))
        self.values: list[Any] = [self.of(r) for r in given]

    def of(self, r: Ratio) -> Any:
        """The number that a ratio is here."""
        return r.as_rational if self.rational else r

    def whole(self, n: int) -> Any:
        """The number of an integer."""
        return Fraction(n) if self.rational else constant(n)

    def is_zero(self, x: Any) -> bool:
        """True only if x is 0."""
        return x == 0 if isinstance(x, Fraction) else bool(x.is_zero)

    def nonnegative(self, x: Any) -> bool:
        """True only if x >= 0, by its sign or by a fact."""
        return x >= 0 if isinstance(x, Fraction) else self.here.ratio_signs(x) <= NONNEGATIVE

    def total(self, values: Iterable[Any]) -> Any:
        """The sum."""
        return sum(values, self.whole(0))


def reject_unless(holds: bool, reason: str) -> None:
    """Nothing if it holds; Rejected with the reason otherwise."""
    if not holds:
        raise Rejected(reason)


def check_best(
    claim: BestClaim,
    proof: Optimum,
    kind: Callable[[Sequence[Ratio], Iterable[Ratio], Context], Numbers] = Numbers,
) -> None:
    """Nothing, if the mechanism attains the value and the prior with its prices and flows shows
    that none exceeds it; Rejected otherwise.
    """
    reject_unless(proof.claim == claim.fingerprint, "the certificate belongs to another claim")
    only_kernel, only_prices = (">=", "<=") if claim.sense == "gain" else ("<=", ">=")
    check_shape(claim, proof, kernel=claim.bound != only_prices, prices=claim.bound != only_kernel)
    here = extend_context(proof.lemmas, claim.here)
    costs, value = claim.costs(), claim.signed(claim.value, here)
    weights = [claim.signed(w, here) for aim in claim.aims for _, _, w in aim]
    numbers = kind(
        [normal(e, here) for e in proof.numbers],
        [value, *weights, *(c for c in costs if c is not None)],
        here,
    )
    for cost in costs:
        reject_unless(
            cost is None or numbers.nonnegative(numbers.of(cost) - numbers.whole(1)),
            "a level is not known to be >= 0",
        )
    if claim.bound != only_prices:
        check_kernel(claim, proof, costs, numbers, numbers.of(value))
    if claim.bound != only_kernel:
        check_prices(claim, proof, costs, numbers, numbers.of(value))


def check_shape(claim: BestClaim, proof: Optimum, *, kernel: bool, prices: bool) -> None:
    """Nothing, if everything in the certificate is used: fields that the bound does not need are
    empty, and every number is referred to; Rejected otherwise.
    """
    depths = (
        (proof.lemmas, 1),
        (proof.numbers, 1),
        (proof.kernel, 2),
        (proof.rest, 1),
        (proof.prior, 1),
        (proof.prices, 1),
        (proof.flows, 3),
    )
    reject_unless(
        all(is_nested_list(given, depth) for given, depth in depths),
        "a field is not a list of the expected depth",
    )
    reject_unless(kernel or not (proof.kernel or proof.rest), "this bound takes no mechanism")
    reject_unless(
        prices or not (proof.prior or proof.prices or proof.flows), "this bound takes no prices"
    )
    reject_unless(
        bool(proof.rest) == (kernel and claim.everywhere and claim.relation == "swap"),
        "other datasets of that size have a row if, and only if, the claim includes them",
    )
    reject_unless(
        not (claim.everywhere and claim.relation == "swap")
        or len({sum(row) for row in claim.rows}) == 1,
        "the datasets have different sizes",
    )
    amounts = (amount for flow in proof.flows for _, _, amount in flow)
    check_places(
        proof.numbers,
        itertools.chain(*proof.kernel, proof.rest, proof.prior, proof.prices, amounts),
    )


def is_nested_list(thing: object, depth: int) -> bool:
    """Whether it is a list of lists ... of this depth."""
    return not depth or (
        isinstance(thing, tuple) and all(is_nested_list(part, depth - 1) for part in thing)
    )


def check_places(numbers: Sequence[Expression], used: Iterable[object]) -> None:
    """Nothing, if the entries are indices into the list of numbers, and refer to each of them;
    Rejected otherwise.
    """
    found = set()
    for i in used:
        reject_unless(type(i) is int and 0 <= i < len(numbers), f"there is no index {str(i)[:40]}")
        found.add(i)
    reject_unless(len(found) == len(numbers), "a number is not used")


def check_kernel(
    claim: BestClaim, proof: Optimum, costs: tuple[Ratio | None, ...], numbers: Numbers, value: Any
) -> None:
    """Nothing, if the mechanism in the certificate is private and no aim is below the value;
    Rejected otherwise.
    """
    width = len(claim.columns)
    kernel = [[numbers.values[i] for i in row] for row in proof.kernel]
    reject_unless(
        len(kernel) == len(claim.rows), "the rows of the mechanism are not those of the claim"
    )
    for row in (*kernel, *([[numbers.values[i] for i in proof.rest]] if proof.rest else [])):
        reject_unless(
            len(row) == width and all(map(numbers.nonnegative, row)),
            "a row of the mechanism does not give one probability per outcome",
        )
        reject_unless(
            numbers.is_zero(numbers.total(row) - numbers.whole(1)),
            "the probabilities of a row do not sum to 1",
        )
    seen: set[tuple[int, int, object]] = set()
    for i, j in neighbouring_rows(claim):
        factor = claim.factor(i, j, costs)
        if factor is not None:
            _private(proof.kernel[i], proof.kernel[j], factor, numbers, seen)
    for aim in claim.aims:
        reject_unless(
            numbers.nonnegative(
                numbers.total(
                    numbers.of(claim.signed(w, numbers.here)) * kernel[r][u] for r, u, w in aim
                )
                - value
            ),
            "an aim is below the value",
        )
    if claim.everywhere:
        check_extension(claim, proof, costs, numbers)


def _private(
    first: tuple[int, ...],
    second: tuple[int, ...],
    factor: Ratio,
    numbers: Numbers,
    seen: set[tuple[int, int, object]],
) -> None:
    """Nothing, if each probability of either row is at most `factor` times that of the other;
    Rejected otherwise.
    """
    f = numbers.of(factor)
    key = f if numbers.rational else factor.key
    for a, b in zip(first, second, strict=True):
        for p, q in ((a, b), (b, a)):
            if (p, q, key) not in seen:
                reject_unless(
                    numbers.nonnegative(f * numbers.values[q] - numbers.values[p]),
                    "the mechanism is not private",
                )
                seen.add((p, q, key))


def neighbouring_rows(claim: BestClaim) -> Iterable[tuple[int, int]]:
    """Pairs of rows (i < j) without a third row on a shortest path between them: privacy for these
    implies it for all, since distances along such a path add up.
    """
    place = {row: i for i, row in enumerate(claim.rows)}
    for i, j in itertools.combinations(range(len(claim.rows)), 2):
        if not any(
            z in place
            for z in _steps_towards(claim.rows[i], claim.rows[j], claim.relation == "swap")
        ):
            yield i, j


def _steps_towards(a: tuple[int, ...], b: tuple[int, ...], swap: bool) -> Iterable[tuple[int, ...]]:
    """The datasets one step from a towards b on a shortest path to b, other than b."""
    up = [k for k, (x, y) in enumerate(zip(a, b, strict=True)) if x < y]
    down = [k for k, (x, y) in enumerate(zip(a, b, strict=True)) if x > y]
    steps = itertools.product(down, up) if swap else ((k,) for k in (*down, *up))
    for step in steps:
        z = list(a)
        for k in step:
            z[k] += 1 if a[k] < b[k] else -1
        if tuple(z) != b:
            yield tuple(z)


def check_extension(
    claim: BestClaim, proof: Optimum, costs: tuple[Ratio | None, ...], numbers: Numbers
) -> None:
    """Nothing, if the mechanism extends to all datasets: the rows form a box, onto which every
    dataset is projected count by count, which never increases distances; or, for swaps, one more
    row is within one swap of every row and serves all other datasets of that size.
    """
    if claim.relation != "swap":
        inside = math.prod(
            max(column) - min(column) + 1 for column in zip(*claim.rows, strict=True)
        )
        reject_unless(
            inside == len(claim.rows),
            "the rows do not form a box, so nothing is known about other datasets",
        )  # they are different, and all lie in it
        return
    seen: set[tuple[int, int, object]] = set()
    for row in proof.kernel:
        if costs[0] is not None:
            _private(row, proof.rest, costs[0], numbers, seen)


def check_prices(
    claim: BestClaim, proof: Optimum, costs: tuple[Ratio | None, ...], numbers: Numbers, value: Any
) -> None:
    """Nothing, if the prices sum to the value and in every column cover the gains and the net flow;
    Rejected otherwise.
    """
    prior = [numbers.values[i] for i in proof.prior]
    prices = [numbers.values[i] for i in proof.prices]
    reject_unless(
        len(prior) == len(claim.aims) and all(map(numbers.nonnegative, prior)),
        "the prior does not give one probability per aim",
    )
    reject_unless(
        numbers.is_zero(numbers.total(prior) - numbers.whole(1)), "the prior does not sum to 1"
    )
    reject_unless(
        len(prices) == len(claim.rows) and numbers.is_zero(numbers.total(prices) - value),
        "the prices do not sum to the value",
    )
    reject_unless(len(proof.flows) == len(claim.columns), "there is no flow for each outcome")
    gains: list[dict[int, Any]] = [{} for _ in claim.columns]
    for weight, aim in zip(prior, claim.aims, strict=True):
        for r, u, w in aim:
            gains[u][r] = gains[u].get(r, numbers.whole(0)) + weight * numbers.of(
                claim.signed(w, numbers.here)
            )
    for gain, flow in zip(gains, proof.flows, strict=True):
        left = [price - gain[r] if r in gain else price for r, price in enumerate(prices)]
        for i, j, amount in flow:
            reject_unless(type(i) is int and type(j) is int, "a flow does not join two datasets")
            factor, y = claim.factor(i, j, costs), numbers.values[amount]
            reject_unless(
                factor is not None and i != j and min(i, j) >= 0 and numbers.nonnegative(y),
                "a flow is not a multiple of a privacy inequality",
            )
            left[i], left[j] = left[i] + y, left[j] - y * numbers.of(factor or constant(0))
        reject_unless(
            all(map(numbers.nonnegative, left)), "the prices of an outcome do not cover its gains"
        )


def accept_optimum(claim: object, certificate: Optimum) -> Acceptance:
    """Accepted, if the certificate is a primal and dual solution of the optimum over private
    mechanisms.
    """
    if not isinstance(claim, BestClaim):
        raise Rejected(OTHER_PROOF)
    rely_on("the best-power rule")
    check_best(claim, certificate)
    return Acceptance()
