"""`best_power` and `best_mechanism`: what the best private mechanism achieves, exactly (paper,
section 4).

The power of an adversary against a mechanism and a threat model is the largest worst-case
probability, over tests, of naming the values of the true dataset (def:capHomo, def:cap-ahdp). The
largest power that any private mechanism concedes is the optimum of a linear programme, since a
mechanism followed by a test is again a private mechanism. So is the least worst-case (or
prior-weighted) expected loss of a task. The value comes with a certificate: a mechanism that
attains it, and dual prices that show that none does better.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> from ahdp_verify.analysis.power.threat_models import extra_records
>>> W = Domain([("a", log(2)), ("b", log(3))])
>>> found = best_power(W, extra_records(3))
>>> print(found.value, found.extends)
36/119 True
>>> print(best_mechanism(W, extra_records(1), [0, 1], lambda D, s: abs(D.size - s)).value)
1/3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, reduce
from operator import and_, or_
from pathlib import Path
from typing import Any

from ahdp_verify.analysis.bounds import Bounds
from ahdp_verify.analysis.power import linear_programme as programme
from ahdp_verify.analysis.power.claims import best_claim
from ahdp_verify.analysis.power.closed_forms import canonical_value as value_of
from ahdp_verify.analysis.power.closed_forms import limit_power
from ahdp_verify.analysis.power.exact_vertex import Dual, Primal
from ahdp_verify.analysis.power.parametric import formulas, proved_on_interval
from ahdp_verify.analysis.power.structure import programme_of_claim
from ahdp_verify.analysis.power.threat_models import (
    Hypotheses,
    ThreatModel,
    counts_between,
    most_private_records,
)
from ahdp_verify.datasets import Multiset
from ahdp_verify.decimals import SHORT, decimal
from ahdp_verify.display.markup import escape_html
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.display.verdict_latex import verdict_latex
from ahdp_verify.kernel import checker
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected
from ahdp_verify.kernel.model.declarations import canonical_constant as exact_constant
from ahdp_verify.kernel.model.declarations import exact_expression, value_key
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, to_expression
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    Max,
    Min,
    eq,
    name,
    names,
    number,
    piecewise,
    substitute,
)
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.progress import Progress, no_progress
from ahdp_verify.search.proving import compared_inputs as comparing

MOST_ROWS = 1500  # rows of a box on which an extension to all datasets is searched for


@dataclass(frozen=True)
class BestMechanism:
    """What the best mechanism that is private on the datasets attains, and what none exceeds; equal
    where the optimum is exact.

    claim     the claim that was proved last (the optimum itself where it is exact)
    found     the mechanism and the prices, as numbers or as functions of exp(-eps)
    verdicts  one if exact, else one for each bound
    output    the output of the mechanism, with one value for each column of the kernel
    note      how the question was simplified before it was solved, "" if it was not
    floor     what some mechanism on all datasets attains in any case
    """

    claim: BestClaim
    found: programme.PrimalDual
    verdicts: tuple[Proved, ...]
    output: Output
    note: str = ""
    floor: Expression | None = None
    report: Progress = field(default=no_progress, repr=False, compare=False)

    __repr__ = short_repr

    @property
    def exact(self) -> bool:
        """True if the optimum is known exactly."""
        return self.found.exact

    @property
    def attained(self) -> Expression | None:
        """The value that the mechanism attains, if one was found."""
        return (
            None if self.found.low is None else signed_value(self.claim, self.found, self.found.low)
        )

    @property
    def bound(self) -> Expression | None:
        """The value that no mechanism exceeds, if one was found."""
        return (
            None
            if self.found.high is None
            else signed_value(self.claim, self.found, self.found.high)
        )

    @property
    def bounds(self) -> Bounds:
        """The bounds on the optimum."""
        return Bounds(
            *(
                (self.attained, self.bound)
                if self.claim.sense == "gain"
                else (self.bound, self.attained)
            )
        )

    @property
    def value(self) -> Expression:
        """The optimum; NotWorkedOut where only bounds were found."""
        if not self.exact or self.attained is None:
            raise NotWorkedOut(
                "optimum",
                f"its value is not known: {self.bounds.text(decimal_of)}",
                "use .attained and .bound",
            )
        return self.attained

    @property
    def certificate(self) -> Any:
        """The optimal mechanism and the prices in one certificate, where they meet."""
        return self.verdicts[-1].certificate

    @cached_property
    def ball_bound(self) -> Proved | None:
        """That no private mechanism exceeds the ball bound: around one dataset the hypotheses weigh
        sum of exp(-distance), and the power is at most 1 / that (S3).

        Not always attained (three values, two extra records, exp(-eps) = 1/10).  None for other
        aims than naming the dataset.
        """
        dual = (
            programme.ball_bound_dual(
                programme_of_claim(self.claim)[0], self.claim, self.found.variable
            )
            if self.claim.sense == "gain"
            else None
        )
        if dual is None:
            return None
        claim = replace(self.claim, value=signed_value(self.claim, self.found, dual), bound="<=")
        return checker.check(
            claim,
            programme.optimum_certificate(claim, self.found, None, dual),
            None,
            comparing.find_compared_inputs(claim),
        )

    @property
    def datasets(self) -> tuple[str, ...]:
        """The rows of the mechanism in words."""
        return tuple(str(Multiset(self.claim.domain, row)) for row in self.claim.rows)

    @property
    def prior(self) -> dict[str, Expression]:
        """The least favourable prior of the datasets of the aims: under it no mechanism does
        better than the bound.
        """
        weights = self.found.high.prior if self.found.high else ()
        return {
            self.datasets[aim[0][0]]: self.found.variable.tree(w)
            for aim, w in zip(self.claim.aims, weights, strict=False)
        }

    @property
    def kernel(self) -> dict[str, dict[str, Expression]]:
        """An optimal mechanism: for each dataset the probability of each outcome."""
        rows = self.found.low.kernel if self.found.low else ()
        tree = self.found.variable.tree
        return {
            text: dict(zip(self.claim.columns, map(tree, probabilities), strict=True))
            for text, probabilities in zip(self.datasets, rows, strict=False)
        }

    @property
    def mechanism(self) -> Mechanism:
        """The optimal mechanism, which `verify` proves private: on the datasets, or on all where
        that costs nothing and the datasets are scattered, so that steps of one record do not lead
        from one to the other. Where it costs something, `verify(..., size=N)` enumerates the
        scattered datasets.
        """
        if self.claim.relation != "swap" and not _is_box_or_ball(self.claim.rows) and self.extends:
            assert self.everywhere is not None
            return self.everywhere.mechanism
        return as_mechanism(self.claim, self.found, self.output)

    @cached_property
    def everywhere(self) -> BestMechanism | None:
        """The same for mechanisms that are private on all datasets, from a programme on a box
        onto which all datasets can be moved; None where it is too large.
        """
        return _extended_optimum(self)

    @property
    def extends(self) -> bool:
        """True if it is proved that some mechanism private on all datasets attains as much."""
        if self.claim.everywhere:
            return self.exact
        best = self.everywhere
        return (
            best is not None
            and self.exact
            and best.exact
            and (normal(best.value, self.claim.here) - normal(self.value, self.claim.here)).is_zero
        )

    @property
    def attained_everywhere(self) -> Expression | None:
        """What a mechanism that is private on all datasets is proved to attain: the optimum there,
        or, where the box is too large for it, for a power of all extra records the limit of
        large t (two-sided geometric noise on the counts attains it, S1), else a blind guess;
        None for a loss.
        """
        if self.claim.everywhere or (best := self.everywhere) is None:
            return self.attained if self.claim.everywhere else self.floor
        return best.attained

    @property
    def lines(self) -> list[str]:
        """The bounds on the optimum, for display."""
        lines = list(map(str, self.verdicts)) or [
            f"Unknown: {display_name(self.claim.name) or 'the optimum'}: {self.bounds}"
        ]
        return [*lines, *([f"  {self.note}"] if self.note else [])]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        notes = self.lines[len(self.verdicts) :]
        return "".join(verdict_html(v) for v in self.verdicts) + "".join(
            f"<p>{escape_html(line.strip())}</p>" for line in notes
        )

    def _repr_latex_(self) -> str:
        return "".join(verdict_latex(v) for v in self.verdicts)

    def save(self, path: str | Path) -> None:
        """The file at `path` holds the record of the optimum, which `recheck` accepts;
        NotWorkedOut where only bounds are known.
        """
        if not self.exact:
            raise NotWorkedOut("optimum", "only bounds are known", "save the verdicts one by one")
        self.verdicts[-1].save(path)


def signed_value(claim: BestClaim, found: programme.PrimalDual, end: Primal | Dual) -> Expression:
    """The value of a primal or a dual, a loss with its own sign."""
    return found.variable.tree(end.value if claim.sense == "gain" else -end.value)


def decimal_of(e: Expression) -> str:
    """An expression, however long, with a decimal, if it is a constant and no short number."""
    if names(e) or (e.head == "number" and len(str(e)) < SHORT):
        return str(e)
    return f"{e} = {decimal(normal(e, Context.empty()))}"


def best_power(
    domain: Domain,
    model: ThreatModel,
    relation: str = "ahdp",
    level: object = None,
    parameters: Mapping[str, object] | None = None,
    *,
    everywhere: bool = False,
    report: Progress = no_progress,
    limits: Limits | None = None,
) -> BestMechanism:
    """The largest power that a private mechanism can concede against a threat model, exactly, with
    its certificate.

    relation     "ahdp" (levels are the demands, or `level` in x and eps), "add-remove" or "swap"
                 (one `level`, by default that of all demands)
    parameters   one name in demands or level, with its condition; then the value is a formula,
                 proved on an interval around a sample
    everywhere   True: private on all datasets, not only on the hypotheses
    limits       the time and memory it may use (else OutOfLimits); without any, only limits
                 already in force
    Raises BadInput for infinitely many or too many hypotheses, for hypotheses that coincide in
    their values, and for levels without one common exponential.
    """
    with enforce_limits(limits, "working out the power"):
        claim, output, note = power_claim(
            domain, model, relation, level, parameters or {}, everywhere=everywhere
        )
        plain = model.all_records and relation == "ahdp" and level is None and not parameters
        floor = value_of(limit_power(domain)) if plain else number(Fraction(1, len(claim.columns)))
        return replace(_certified_optimum(claim, output, note, report), floor=floor)


def best_powers(
    domain: Domain,
    model: ThreatModel,
    relation: str = "ahdp",
    level: object = None,
    parameters: Mapping[str, object] | None = None,
    *,
    everywhere: bool = False,
    report: Progress = no_progress,
    limits: Limits | None = None,
) -> tuple[BestMechanism, ...]:
    """The formulas of the optimum on all intervals of its one parameter that were found, in
    ascending order; without a parameter its one value.
    """
    with enforce_limits(limits, "working out the power"):
        claim, output, note = power_claim(
            domain, model, relation, level, parameters or {}, everywhere=everywhere
        )
        if not parameters:
            return (_certified_optimum(claim, output, note, report),)
        return tuple(
            BestMechanism(c, f, (v,), output, note, report=report)
            for c, f, v in formulas(claim, report)
        )


def power_claim(
    domain: Domain,
    model: ThreatModel,
    relation: str,
    level: object,
    parameters: Mapping[str, object],
    *,
    everywhere: bool,
) -> tuple[BestClaim, Output, str]:
    """The claim about the power with its value still open, its output, and a note."""
    hypotheses, note = model(domain), ""
    if (
        model.all_records
        and relation == "ahdp"
        and level is None
        and not parameters
        and len(kept := most_private_records(domain)) < len(domain.records)
    ):
        hypotheses, note = (
            model(Domain(kept)),
            "only the most private record of each value is used, which does not change the "
            "optimum (S4)",
        )
    place = {u: i for i, u in enumerate(hypotheses.names)}
    aims = [[(i, place[u], number(1))] for i, u in enumerate(hypotheses.labels)]
    claim = _best_claim(
        hypotheses,
        hypotheses.names,
        aims,
        relation,
        level,
        parameters,
        everywhere=everywhere,
        title=f"best power against {hypotheses}",
    )
    return claim, finite("guess", list(range(len(place)))), note


LossFunction = Callable[[Multiset, Any], object]


def best_mechanism(
    domain: Domain,
    datasets: ThreatModel,
    outputs: Iterable[object],
    loss: LossFunction,
    relation: str = "ahdp",
    level: object = None,
    *,
    prior: Iterable[object] | None = None,
    everywhere: bool = False,
    report: Progress = no_progress,
    limits: Limits | None = None,
) -> BestMechanism:
    """The private mechanism of least worst-case expected loss on the given datasets, or of least
    prior-weighted one, exactly and certified optimal.

    datasets   which datasets count: extra_records(t), these([...]), ...
    outputs    the possible outputs of the mechanism
    loss       loss(dataset, output), an exact number; `prior` one weight for each dataset, in their
               order
    limits       the time and memory it may use (else OutOfLimits); without any, only limits
                 already in force
    Raises BadInput for a loss that is not an exact number, and as `best_power` does.
    """
    with enforce_limits(limits, "working out the best mechanism"):
        hypotheses, answers = datasets(domain), list(outputs)
        output = finite("answer", answers)
        weights = [
            [exact_expression(loss(D, u), f"loss of {D} and {u}") for u in answers]
            for D in hypotheses.datasets
        ]
        aims = [[(i, u, w) for u, w in enumerate(row)] for i, row in enumerate(weights)]
        title = "least worst-case loss"
        if prior is not None:
            prior_weights = [exact_expression(p, "prior") for p in prior]
            if len(prior_weights) != len(aims):
                raise BadInput(
                    "prior",
                    f"the prior has {len(prior_weights)} weights for {len(aims)} datasets",
                    "give one for each",
                )
            check_prior_weights(prior_weights)
            aims, title = (
                [
                    [
                        (i, u, p * w)
                        for p, aim in zip(prior_weights, aims, strict=True)
                        for i, u, w in aim
                    ]
                ],
                "least expected loss under the prior",
            )
        claim = _best_claim(
            hypotheses,
            tuple(map(str, output.values)),
            aims,
            relation,
            level,
            {},
            everywhere=everywhere,
            title=f"{title} on {hypotheses}",
            sense="loss",
        )
        return _certified_optimum(claim, output, "", report)


def check_prior_weights(prior_weights: list[Expression]) -> None:
    """Passes if the probabilities are constants >= 0 that add up to 1; BadInput if they are not,
    NotWorkedOut where that was not decided.
    """
    listed, cure = (
        [exact_constant(p, "prior") for p in prior_weights],
        "give the probabilities of the datasets",
    )
    gap = sum(listed, constant(0)) - constant(1)
    signs, differs = [constant_sign(p) for p in listed], constant_sign(gap)
    if -1 in signs:
        raise BadInput("prior", f"the weight {prior_weights[signs.index(-1)]} is negative", cure)
    if differs:
        raise BadInput(
            "prior", f"its weights add up to {to_expression(gap + constant(1))}, not to 1", cure
        )
    if None in (*signs, differs):
        raise NotWorkedOut(
            "prior", "its weights were not shown to be nonnegative and to add up to 1", cure
        )


def _best_claim(
    hypotheses: Hypotheses,
    columns: tuple[str, ...],
    aims: list[list[tuple[int, int, Expression]]],
    relation: str,
    level: object,
    parameters: Mapping[str, object],
    *,
    everywhere: bool,
    title: str,
    sense: str = "gain",
) -> BestClaim:
    """A claim about the best mechanism on datasets, with its value still open."""
    rows = [D.counts for D in hypotheses.datasets]
    if everywhere and relation != "swap":
        rows += [row for row in _count_box(rows) if row not in set(rows)]
    at = level_of(hypotheses.domain, relation, level)
    return best_claim(
        hypotheses.domain,
        rows,
        columns,
        aims,
        0,
        relation=relation,
        level=at,
        parameters=parameters,
        everywhere=everywhere,
        name=title,
        sense=sense,
    )


def level_of(domain: Domain, relation: str, level: object) -> Expression | None:
    """The level of a claim: None for the demand."""
    if level is not None or relation == "ahdp":
        return None if level is None else exact_expression(level, "level")
    demands = {value_key(r.demand): r.demand for r in domain.records}
    if len(demands) > 1:
        first, second, *_ = demands.values()
        raise BadInput(
            "level",
            f"the records have the demands {first} and {second}, but {relation} needs one level",
            "give one, as level=...",
        )
    return next(iter(demands.values()))


def _count_box(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All counts between the least and the greatest of each record; BadInput if there are too
    many.
    """
    ends = [(min(column), max(column)) for column in zip(*rows, strict=True)]
    size = reduce(lambda n, end: n * (end[1] - end[0] + 1), ends, 1)
    if size > MOST_ROWS:
        raise BadInput(
            "everywhere",
            f"the box around the datasets has {size} datasets",
            f"leave everywhere out, or give fewer datasets (at most {MOST_ROWS} in the box)",
        )
    return list(counts_between(ends))


def _certified_optimum(
    claim: BestClaim, output: Output, note: str, report: Progress
) -> BestMechanism:
    """The optimum of a claim, with the verdicts of the checker."""
    found = programme.solve_best_claim(claim, report)
    if claim.parameters:
        claim, verdict = proved_on_interval(claim, found, report)
        return BestMechanism(claim, found, (verdict,), output, note, report=report)
    if found.exact and found.low and found.high:
        claim = replace(claim, value=signed_value(claim, found, found.low))
        verdict = checker.check(
            claim,
            programme.optimum_certificate(claim, found, found.low, found.high),
            None,
            comparing.find_compared_inputs(claim),
        )
        return BestMechanism(claim, found, (verdict,), output, note, report=report)
    reached, not_beyond = (">=", "<=") if claim.sense == "gain" else ("<=", ">=")
    verdicts = []
    for bound, low, high in ((reached, found.low, None), (not_beyond, None, found.high)):
        if end := low or high:
            claim = replace(claim, value=signed_value(claim, found, end), bound=bound)
            verdicts.append(
                checker.check(
                    claim,
                    programme.optimum_certificate(claim, found, low, high),
                    None,
                    comparing.find_compared_inputs(claim),
                )
            )
    return BestMechanism(claim, found, tuple(verdicts), output, note, report=report)


def _extended_optimum(found: BestMechanism) -> BestMechanism | None:
    """The optimum over mechanisms that are private on all datasets, or None where the box is too
    large or nothing was found.
    """
    old = found.claim
    try:
        rows = (
            list(old.rows)
            if old.relation == "swap"
            else list(old.rows)
            + [row for row in _count_box(list(old.rows)) if row not in set(old.rows)]
        )
        claim = replace(old, rows=tuple(rows), everywhere=True, value=ZERO, bound="=")
        return _certified_optimum(claim, found.output, found.note, found.report)
    except (BadInput, NotWorkedOut, Rejected):
        return None


def as_mechanism(claim: BestClaim, found: programme.PrimalDual, output: Output) -> Mechanism:
    """The matrix of an optimum as a mechanism with one finite output: on all datasets if its rows
    are a box or if it was asked about them all, else defined where they are.
    """
    if found.low is None:
        raise NotWorkedOut("mechanism", "none was found", "use fewer datasets")
    new = {
        key: _fresh_name(key, claim)
        for key, _ in claim.parameters
        if key.split("[")[0] in ("x", "eps")
    }  # names of parts of a record, in a mechanism
    put = {key: name(other) for key, other in new.items()}
    domain = Domain([(r.value, substitute(r.demand, put)) for r in claim.domain.records])
    counts = [domain.count(r) for r in domain.records]
    ends = [(min(column), max(column)) for column in zip(*claim.rows, strict=True)]
    everywhere = claim.everywhere or (claim.relation != "swap" and _is_full_box(claim.rows, ends))
    if everywhere and claim.relation != "swap":
        counts = [Min(Max(c, low), high) for c, (low, high) in zip(counts, ends, strict=True)]
    answers = [eq(name(output.name), v) for v in output.values]
    rows = [
        _select_value([substitute(found.variable.tree(x), put) for x in row], answers)
        for row in found.low.kernel
    ]
    if everywhere and claim.relation == "swap":
        rows.append(number(Fraction(1, len(answers))))  # what other datasets get
    density = _select_value(
        rows,
        [_counts_equal(counts, row) for row in claim.rows] + [TRUE] * (len(rows) - len(claim.rows)),
    )
    return Mechanism(
        domain,
        outputs=[output],
        density=density,
        defined=None if everywhere else _rows_condition(claim.rows, domain, counts, ends),
        name=f"mechanism of {claim.name}",
        parameters={new.get(key, key): substitute(c, put) for key, c in claim.parameters},
    )


def _fresh_name(key: str, claim: BestClaim) -> str:
    """A name for a parameter that no other one has."""
    taken = {k for k, _ in claim.parameters}
    return next(
        text for i in range(1, len(taken) + 2) if (text := f"{key.split('[')[0]}_{i}") not in taken
    )


def _select_value(values: list[Expression], conditions: list[Expression]) -> Expression:
    """The value whose condition holds, the last one if none does."""
    return (
        piecewise(*zip(values[:-1], conditions[:-1], strict=True), (values[-1], TRUE))
        if len(values) > 1
        else values[0]
    )


def _counts_equal(counts: list[Expression], row: tuple[int, ...]) -> Expression:
    """That the counts are those of a row."""
    return reduce(and_, (eq(c, n) for c, n in zip(counts, row, strict=True)))


CountRows = tuple[tuple[int, ...], ...]


def _is_full_box(rows: CountRows, ends: list[tuple[int, int]]) -> bool:
    """True if the rows are all counts between these ends."""
    return set(counts_between(ends)) == set(rows)


def is_ball(rows: CountRows, base: list[int]) -> bool:
    """True if the rows are all datasets with at most some number of records more than the base."""
    most = max(map(sum, rows))
    return set(rows) == {
        row
        for row in counts_between([(low, low + most - sum(base)) for low in base])
        if sum(row) <= most
    }


def _is_box_or_ball(rows: CountRows) -> bool:
    """True if the rows are a box of counts, or all datasets up to some size that contain the
    least one.
    """
    ends = [(min(column), max(column)) for column in zip(*rows, strict=True)]
    return _is_full_box(rows, ends) or is_ball(rows, [low for low, _ in ends])


def _rows_condition(
    rows: CountRows, domain: Domain, counts: list[Expression], ends: list[tuple[int, int]]
) -> Expression:
    """That a dataset is one of the rows; short where these are all that have at most some number
    of records more than the least one.
    """
    base = [low for low, _ in ends]
    if is_ball(rows, base):
        return reduce(
            and_,
            (
                least <= c
                for c, least in zip(counts, map(number, base), strict=True)
                if least != ZERO
            ),
            domain.size <= max(map(sum, rows)),
        )
    return reduce(or_, (_counts_equal(counts, row) for row in rows))
