"""Limits of a mechanism's outputs on a growing random dataset, and means over a distribution of
records.

The records are independent draws from one distribution of (x, eps). By the law of large numbers a
record sum divided by n tends to E f(x, eps), almost surely. Let every output have a mean that is
linear in record sums and a variance that does not depend on the dataset. Then by Chebyshev's
inequality and the Borel-Cantelli lemma output/n tends to the same combination of the E f, so that a
ratio of outputs tends to the ratio of its leading terms, wherever the divisor of these is not 0.
For the mean of prop:newDP-mean that is E[alpha X] / E[alpha] = E X + Cov(X, alpha) / E alpha
(rem:bias). Where each record is kept with its own probability k(x, eps), as in the Sample
Mechanism, f becomes k f.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, m, n = Domain([(0, 1), (1, 2)]), real("m"), real("n")
>>> noise = exp(-Abs(m - W.sum(lambda x, eps: eps * x))) * exp(-Abs(n - W.sum(lambda x, eps: eps))) / 4
>>> M, half = Mechanism(W, outputs=[m, n], density=noise), {(0, 1): "1/2", (1, 2): "1/2"}
>>> print(limit(M, half, of="m / max(n, 1)"), "=", average(lambda x, eps: x, half), "+", asymptotic_bias(M, lambda x, eps: x, half, of=m / n))
2/3 = 1/2 + 1/6
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ahdp_verify.analysis.inputs import constant_of
from ahdp_verify.analysis.moments.context import Given, MomentContext, moment_context
from ahdp_verify.analysis.moments.expectation import expectation
from ahdp_verify.analysis.moments.request import Of, keep_probability, moment_expression
from ahdp_verify.analysis.moments.solving import deadline_tick
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.model.declarations import no_value_error, value_key
from ahdp_verify.kernel.model.domain import GROWING, Domain, Values, as_record, value_at_bindings
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.limits_at_infinity import limit_at_infinity as growing_limit
from ahdp_verify.kernel.numbers.normal_form import (
    message_text,
    normal,
    refusal_text,
    to_expression,
    truth,
)
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    Expression,
    add,
    conjuncts,
    exp,
    expression,
    indicator,
    multiply,
    name,
    names,
    negative,
    number,
    oo,
    piecewise,
    reciprocal,
    substitute,
    walk,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.proving.total_mass import sign_guards

EMPTY = Context.empty()
SIGNS = 16  # signs of leading coefficients that one limit may depend on
LawOfRecords = Multiset | Mapping[object, object] | Iterable[tuple[object, object]]


@dataclass(frozen=True, slots=True)
class WeightedRecord:
    """A record, as values of names, and its probability."""

    values: Mapping[str, Expression]
    weight: Expression


def records_of(law: LawOfRecords) -> list[WeightedRecord]:
    """The records of a distribution with their probabilities: pairs (record, weight), a table, or a
    dataset, one of whose records is drawn.

    A record is a pair (value, demand) or a table of a universal domain's unknowns.
    Raises BadInput for weights that do not add up to 1, NotWorkedOut where that was not shown.
    """
    if isinstance(law, Multiset):
        pairs: list[tuple[object, object]] = [
            (r, number(c) * reciprocal(number(law.size))) for r, c in law.held
        ]
    else:
        pairs = list(law.items() if isinstance(law, Mapping) else law)
    found = [WeightedRecord(_values(r), _exact(w, "weight")) for r, w in pairs]
    total = normal(add(number(0), *(w.weight for w in found)), EMPTY)
    gap = EMPTY.ratio_signs(total - constant(1))
    if 0 not in gap:
        raise BadInput(
            "law",
            f"the weights add up to {str(to_expression(total))[:60]}, not to 1",
            "give probabilities",
        )
    if gap != {0}:
        raise NotWorkedOut(
            "law",
            f"the weights were not shown to add up to 1: their sum is "
            f"{str(to_expression(total))[:60]}",
            "give probabilities",
        )
    for w in found:
        signs = EMPTY.ratio_signs(normal(w.weight, EMPTY))
        if signs == {-1}:
            raise BadInput("law", f"the weight {w.weight} is negative", "give probabilities")
        if signs == {-1, 0}:
            raise NotWorkedOut(
                "law",
                f"the weight {w.weight} was not shown to be nonnegative",
                "give probabilities",
            )
    return found


def _values(item: object) -> Mapping[str, Expression]:
    if isinstance(item, Mapping):
        return {str(k): (oo if v == oo else _exact(v, str(k))) for k, v in item.items()}
    return as_record(item).bindings


def _exact(v: object, where: str) -> Expression:
    return parse(v, where) if isinstance(v, str) else expression(v)


def average(f: Body | str, law: LawOfRecords) -> Expression:
    """The exact value of E f(x, eps) for a record drawn from a distribution; the limit of f at
    demand oo. BadInput where f is infinite or has no value, NotWorkedOut where none was found.
    """
    return to_expression(_average(_of_record(f), records_of(law)))


def covariance(f: Body | str, g: Body | str, law: LawOfRecords) -> Expression:
    """The exact value of Cov(f(x, eps), g(x, eps)) for a record drawn from a distribution."""
    listed, (a, b) = records_of(law), (_of_record(e) for e in (f, g))
    return to_expression(
        _average(multiply(a, b), listed) - _average(a, listed) * _average(b, listed)
    )


def _of_record(f: Body | str) -> Expression:
    return parse(f, "f") if isinstance(f, str) else record_expression(f)


def _average(
    f: Expression, listed: list[WeightedRecord], bound: tuple[str, ...] = ("x", "eps")
) -> Ratio:
    found = constant(0)
    for r in listed:
        if missing := names(f).intersection(bound) - set(r.values):
            raise BadInput(
                "law",
                f"a record has no value for {min(missing)}",
                "give every component of the record",
            )
        try:
            value = value_at_bindings(f, r.values, EMPTY)
            if any(node == oo for node in walk(value)):
                raise BadInput(
                    "law",
                    f"{f} is infinite at a record of demand oo",
                    "bound it, for example 1 - exp(-eps)",
                )
            found = found + normal(r.weight, EMPTY) * normal(value, EMPTY)
        except (Undecided, Unsupported, ZeroDivisionError) as why:
            if isinstance(why, NotWorkedOut):
                raise
            shown = ", ".join(f"{k} = {v}" for k, v in r.values.items())
            raise no_value_error(
                why, "law", f"at {shown} {f}", "give the records exact values"
            ) from None
    return found


def limit(
    mechanism: Mechanism,
    law: LawOfRecords,
    *,
    of: Of = None,
    keep: Body | str | None = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> Expression:
    """The almost sure limit of `of` on n independent records from a law as n grows.

    of     an expression in the outputs and record sums that tends to a finite value, for example "m
           / max(n, 1)", or s / W.size; record sums in it are those of all records
    keep   if given, the mechanism runs on a random part of the records that keeps (x, eps) with
           this probability
    limits how long it may take, Limits().seconds if not given
    Raises BadInput for records that the mechanism does not take; NotWorkedOut where no limit was
    found, since outputs were not found to grow like sums, or the mechanism was not found to run on
    large datasets, or the limit may be infinite; OutOfLimits where it takes too long.
    """
    with enforce_limits(limits or Limits(), "working out a limit"):
        return _limit(mechanism, law, of, keep, parameters, limits)


def _limit(
    mechanism: Mechanism,
    law: LawOfRecords,
    of: Of,
    keep: Body | str | None,
    parameters: Given,
    limits: Limits | None,
) -> Expression:
    listed, wanted = records_of(law), moment_expression(mechanism, of)
    there = moment_context(
        mechanism, None, [wanted, mechanism.defined], parameters, deadline_tick(limits)
    )
    _check_records(listed, mechanism, there.given)
    kept = None if keep is None else keep_probability(mechanism, keep)
    try:
        _check_defined_eventually(mechanism.defined, there, listed, kept)
        slopes = {
            o.name: _output_slope(o, there, listed, kept)
            for o in mechanism.outputs
            if o.name in names(wanted)
        }
        sums = _sum_limits(there.put(wanted), there, listed, None)
        return _leading_limit(there.put(wanted), {**slopes, **sums}, there.here)
    except NotWorkedOut:
        raise
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        said = (
            "a divisor may tend to 0"
            if isinstance(why, ZeroDivisionError)
            else "the case distinction may change in the limit"
            if isinstance(why, Undecided)
            else str(why)
        )
        raise NotWorkedOut(
            "of",
            f"the limit of {wanted} was not found ({said})",
            "use ratios of outputs that estimate sums",
        ) from None


def _sum_limits(
    e: Expression, there: MomentContext, listed: list[WeightedRecord], keep: Expression | None
) -> dict[str, Ratio]:
    """The limits of the record sums of an expression, divided by n."""
    return {
        v.args[0]: _mean_of_sum(node, there, listed, keep)
        for node, v in there.sums.nodes.items()
        if v.head == "name" and v.args[0] in names(e)
    }


def _check_defined_eventually(
    defined: Expression, there: MomentContext, listed: list[WeightedRecord], keep: Expression | None
) -> None:
    """Passes if the mechanism is defined on the records from some n on, almost surely; raises
    Unsupported otherwise.
    """
    condition = there.put(defined)
    if condition != TRUE and _leading_limit(
        indicator(condition), _sum_limits(condition, there, listed, keep), EMPTY
    ) != number(1):
        raise Unsupported(
            f"the mechanism is defined only on datasets with {defined}, which large ones were not "
            "shown to satisfy"
        )


def _check_records(
    listed: list[WeightedRecord], mechanism: Mechanism, given: Mapping[str, Expression]
) -> None:
    """Passes if every record of a law may occur in the mechanism's datasets, for some values of the
    parameters that are left.

    Raises BadInput for a record that does not, NotWorkedOut where that was not decided.
    """
    if not isinstance(mechanism.inputs, Domain):
        raise BadInput(
            "law", "the input of the mechanism is not a dataset", "use a mechanism over a Domain"
        )
    known = (
        None
        if mechanism.inputs.is_universal
        else [_keys(r.bindings) for r in mechanism.inputs.records]
    )
    for r in listed:
        shown = ", ".join(f"{k} = {v}" for k, v in r.values.items())
        if (known is None and set(r.values) != set(mechanism.inputs.bound)) or (
            known is not None and _keys(r.values) not in known
        ):
            raise BadInput(
                "law",
                f"{shown[:60]} is not a record of the mechanism's domain",
                "use records of the domain, or tables of all its unknowns",
            )
        for _, condition in mechanism.inputs.unknowns:
            try:
                failed = _is_false(substitute(condition, {**given, **r.values}))
            except (Undecided, Unsupported, ZeroDivisionError) as why:
                raise NotWorkedOut(
                    "law",
                    f"{shown[:60]} was not shown to satisfy {condition} ({refusal_text(why)})",
                    "use records of the domain",
                ) from None
            if failed:
                raise BadInput(
                    "law", f"{shown[:60]} does not satisfy {condition}", "use records of the domain"
                )


def _keys(values: Mapping[str, Expression]) -> dict[str, object]:
    """A key that equal records share, however their constants are written."""
    return {k: value_key(v) for k, v in values.items()}


def _is_false(condition: Expression) -> bool:
    """Whether one part of a condition is false, whatever its names stand for; a demand oo
    satisfies its own.
    """
    return any(not truth(part, EMPTY) for part in conjuncts(condition) if not names(part))


def _output_slope(
    output: Output, there: MomentContext, listed: list[WeightedRecord], keep: Expression | None
) -> Ratio:
    """The limit of output/n; Unsupported where its mean is not linear in record sums, or its
    variance depends on the dataset.
    """
    s = output.symbol
    first, second = (expectation(e, there.law, there.here) for e in (s, multiply(s, s)))
    sums = {v.args[0]: node for node, v in there.sums.nodes.items() if v.head == "name"}
    if not algebra.ratio_names(second - first * first).isdisjoint(sums):
        raise Unsupported(f"the variance of {output} was not found to be the same for all datasets")
    found = constant(0)
    for key, node in sums.items():
        if key not in algebra.ratio_names(first):
            continue
        split = algebra.linear_coefficients(first.num, key)
        if (
            split is None
            or not algebra.polynomial_names(split[0]).isdisjoint(sums)
            or any(key in algebra.polynomial_names(f) for f, _ in first.den)
        ):
            raise Unsupported(f"the mean of {output} was not found to be linear in record sums")
        found = found + Ratio(split[0], first.den) * _mean_of_sum(node, there, listed, keep)
    return found


def _mean_of_sum(
    node: Expression, there: MomentContext, listed: list[WeightedRecord], keep: Expression | None
) -> Ratio:
    if node.head != "sum":
        raise Unsupported(f"{node} is not a sum")
    f = node.args[0] if keep is None else multiply(keep, node.args[0])
    return _average(
        substitute(f, {k: v for k, v in there.given.items() if k not in there.sums.bound}),
        listed,
        there.sums.bound,
    )


def _leading_limit(e: Expression, slopes: Mapping[str, Ratio], here: Context) -> Expression:
    """The limit of e as its names grow like slope * n, slopes being approached from anywhere:
    leading terms, whose divisor is not 0 there.

    Conditions on which the form of e depends are strict at the slopes, so that they hold from some
    n on.
    """
    keys = {key: f"#c{i + 1}" for i, key in enumerate(slopes)}
    at = {y: to_expression(slopes[key]) for key, y in keys.items()}
    moved = substitute(e, {key: multiply(name(y), name(GROWING)) for key, y in keys.items()})
    for guard, _ in sign_guards(moved, GROWING):
        r = normal(guard, here.at_infinity(GROWING))
        for f in (r.num, *(f for f, _ in r.den)):
            here = _with_leading_sign(f, at, here)
    for _ in range(SIGNS):
        try:
            found = growing_limit(moved, GROWING, here)
            break
        except Undecided as missing:
            if not isinstance(missing.guard, Polynomial):
                raise
            here = _with_leading_sign(missing.guard, at, here)
    else:
        raise Unsupported("it depends on too many signs")
    if any(node == oo for node in walk(found)):
        raise Unsupported("it may grow without bound")
    return to_expression(normal(substitute(found, at), here))


def _with_leading_sign(guard: Polynomial, at: Mapping[str, Expression], here: Context) -> Context:
    """The context with the sign that a leading coefficient has at the slopes; Unsupported if it
    vanishes there or is not known.
    """
    if GROWING in algebra.polynomial_names(guard):
        guard = algebra.leading_growth(guard, GROWING)[1]
    signs = here.ratio_signs(normal(substitute(to_expression(Ratio(guard)), at), here))
    if signs == {0}:
        raise Unsupported(
            "a divisor may tend to 0, or the case distinction may change in the limit"
        )
    if signs not in (frozenset((1,)), frozenset((-1,))):
        raise Unsupported(f"the sign of {message_text(guard)} is not known")
    return here.given(guard, ">" if signs == {1} else "<")


def asymptotic_bias(
    mechanism: Mechanism,
    f: Body | str,
    law: LawOfRecords,
    *,
    of: Of = None,
    keep: Body | str | None = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> Expression:
    """`limit` less E f(x, eps): the bias that more data does not remove (S6: Cov(X, k) / E k for
    the mean of sampled records).
    """
    return to_expression(
        normal(limit(mechanism, law, of=of, keep=keep, parameters=parameters, limits=limits), EMPTY)
        - normal(average(f, law), EMPTY)
    )


def log_uniform(low: object, high: object, output: str = "eps") -> Mechanism:
    """A demand whose logarithm is uniform on [low, high], as a mechanism without data:
    mean(log_uniform(-5, 2), of="1 - exp(-eps)").
    """
    a, b = (constant_of(v, "ends") for v in (low, high))
    if (signs := EMPTY.ratio_signs(normal(b - a, EMPTY))) != {1}:
        kind, said = (
            (NotWorkedOut, f"{a} was not shown to lie below {b}")
            if 1 in signs
            else (BadInput, f"{a} is not below {b}")
        )
        raise kind("ends", said, "give the lower end first")
    s = real(output)
    inside = (exp(a) <= s.symbol) & (s.symbol <= exp(b))
    law = piecewise((reciprocal(multiply(add(b, negative(a)), s.symbol)), inside), (0, True))
    return Mechanism(Values(["any"]), outputs=[s], density=law, name=f"log-uniform on [{a}, {b}]")
