"""The exact mean, variance and bias of a mechanism's output, as functions of the dataset.

For a dataset the answer is an exact constant. Without one it is a formula in the record sums, query
answers and parameters, which holds for every dataset; where its form depends on a sign, it is
piecewise. `of` is any expression in the outputs: E[m / max(n, 1)] is the mean of a quotient with
clipped denominator, E[abs(s)] bounds a bias. A value without an elementary form is written with
Ei(x), the exponential integral, and `enclosure` gives decimals.

The weighted sum of the paper estimates the sum of x with the bias that weights below 1 cause; its
noise has variance 2 b^2 whatever the dataset:

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(1, 1), (2, 3)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: (1 - exp(-eps)) * x)) / 2) / 4, name="weighted sum")
>>> print(mean(M), "and", variance(M), "and", bias(M, lambda x, eps: x))
sum(x*(1 - exp(-eps))) and 8 and -sum(exp(-eps)*x)
>>> print(bias(M, lambda x, eps: x, [10, 0]), "=", enclosure(bias(M, lambda x, eps: x, [10, 0]), 12))
-10*exp(-1) = -3.678794411714, within 1e-12
>>> print(mean(M, [10, 0], of="1/s"))
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: of: 1/s has no mean: E|1/s| is infinite, since the density of s is continuous and positive at 0; clip the divisor, for example max(s, 1)
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ahdp_verify.analysis.inputs import checker_input, constant_of, input_refusal
from ahdp_verify.analysis.moments.antiderivative import AtPole
from ahdp_verify.analysis.moments.enclosure import enclosure as enclosure
from ahdp_verify.analysis.moments.expectation import (
    IntegrableLaw,
    Tick,
    WrongTotal,
    check_law,
    expectation,
    idle,
)
from ahdp_verify.analysis.moments.infinite import InfiniteMean, find_infinite_mean
from ahdp_verify.analysis.moments.record_sums import RecordSums
from ahdp_verify.kernel.errors import (
    BadInput,
    DecayNotShown,
    NotWorkedOut,
    Rejected,
    Undecided,
    Unsupported,
)
from ahdp_verify.kernel.evidence.counterexample import (
    Counterexample,
    counted_record,
    law_at,
    side_nodes,
    value_at_instance,
)
from ahdp_verify.kernel.evidence.counterexample import check_example_conditions as check_input
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.comparisons import check_comparisons
from ahdp_verify.kernel.model.declarations import no_value_error
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import JOINT, NUMBER, Mechanism, Output, name_scope
from ahdp_verify.kernel.model.mechanism import check_kind as check_kind
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.algebra import Polynomial, Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression, truth
from ahdp_verify.kernel.rules.obligations import input_states
from ahdp_verify.kernel.terms.expression import (
    ONE,
    TRUE,
    ZERO,
    Abs,
    Expression,
    aggregates,
    exp,
    expression,
    multiply,
    name,
    names,
    number,
    piecewise,
    substitute,
    to_json,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.search.proving.sign_queries import is_contradictory, is_implied

# seconds for one query whether a sign follows from the facts; measured: such proofs take a
# few milliseconds
BRIEF = 0.5
DEPTH = 4  # signs that a formula may depend on, in turn
EMPTY = Context.empty()
Given = Mapping[str, object] | None
Combine = Callable[..., Ratio]  # combines expectations and values at the dataset
Of = Output | Expression | str | None


def mean(
    mechanism: Mechanism,
    dataset: object = None,
    *,
    of: Of = None,
    keep: Body | str | None = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> Expression:
    """E[of], exactly: a constant at a dataset, a formula for all datasets without one.

    dataset     a Multiset, a list of records or of counts, a list of query answers, or a value;
                None for all
    of          an expression in the outputs (an Output, or a text such as "m / max(n, 1)"); the
                output itself if there is only one
    keep        if given, the mechanism runs on a random part of the dataset that keeps (x, eps)
                with this probability (Sample Mechanism); without a dataset it is taken to lie in
                [0, 1]
    parameters  exact values of parameters; at a dataset all are needed
    limits      the time it may take, Limits().seconds if not given
    Raises BadInput where the mean is shown to be infinite, NotWorkedOut where no closed form of it
    was found, OutOfLimits where it takes too long.
    """
    wanted = moment_expression(mechanism, of)
    return _solved(
        MomentQuery(mechanism, dataset, keep, parameters, limits), [wanted], [], lambda first: first
    )


def variance(
    mechanism: Mechanism,
    dataset: object = None,
    *,
    of: Of = None,
    keep: Body | str | None = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> Expression:
    """Var[of] = E[of^2] - E[of]^2, exactly; arguments as in `mean`."""
    wanted = moment_expression(mechanism, of)
    return _solved(
        MomentQuery(mechanism, dataset, keep, parameters, limits),
        [multiply(wanted, wanted), wanted],
        [],
        lambda second, first: second - first * first,
    )


def bias(
    mechanism: Mechanism,
    query: Body | str,
    dataset: object = None,
    *,
    of: Of = None,
    keep: Body | str | None = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> Expression:
    """E[of] - query, exactly.

    query   what the output estimates: a function f(x, eps), whose sum over the records is meant; or
            an expression in record sums, in query answers, or in the value
    Other arguments as in `mean`.
    """
    target = (
        mechanism.inputs.sum(query)
        if callable(query) and isinstance(mechanism.inputs, Domain)
        else _expression(query, "query")
    )
    check_kind(target, (NUMBER,), name_scope(mechanism, "query"))
    return _solved(
        MomentQuery(mechanism, dataset, keep, parameters, limits),
        [moment_expression(mechanism, of)],
        [target],
        lambda first, value: first - value,
    )


def mean_shift_bound(
    mechanism: Mechanism,
    level: object,
    dataset: object = None,
    *,
    of: Of = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> Expression:
    """(exp(level) - 1) E|of|, which |E of(M(D + w)) - E of(M(D))| cannot exceed if adding w costs
    at most `level` nats (S8).

    As level -> 0 it vanishes, so an unbiased estimate of a query that w moves has to grow without
    bound: no universal mechanism is one. Other arguments as in `mean`.
    """
    wanted, loss = Abs(moment_expression(mechanism, of)), _expression(level, "level")
    check_kind(loss, (NUMBER,), name_scope(mechanism, "level"))
    there = moment_context(mechanism, dataset, [loss], parameters)
    if not (signs := there.here.ratio_signs(normal(there.put(loss), there.here))) <= {0, 1}:
        if signs == {-1}:
            raise BadInput("level", f"{loss} is negative", "levels lie in [0, oo)")
        raise NotWorkedOut(
            "level",
            f"{loss} was not shown to be at least 0",
            "state it as a condition on a parameter, or give a number",
        )
    return _solved(
        MomentQuery(mechanism, dataset, None, parameters, limits),
        [wanted],
        [exp(loss) - 1],
        lambda size, factor: factor * size,
    )


def infinite_mean(
    mechanism: Mechanism,
    dataset: object = None,
    *,
    of: Of = None,
    parameters: Given = None,
    limits: Limits | None = None,
) -> InfiniteMean:
    """The proof that E|of| is infinite, with the output, the pole and the density there (E12);
    NotWorkedOut where no such proof is found.
    """
    wanted = moment_expression(mechanism, of)
    there = moment_context(mechanism, dataset, [wanted], parameters, deadline_tick(limits))
    try:
        check_law(there.law, there.here)
        found = find_infinite_mean(there.put(wanted), there.law, there.here)
    except WrongTotal as why:
        raise BadInput(
            "law", f"its total is {why.total}, not 1", "correct the density or the atoms"
        ) from None
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise NotWorkedOut(
            "law", _reason_text(why), "give a density that is a sum of exponentials on each piece"
        ) from None
    if found is None:
        raise NotWorkedOut(
            "of",
            f"no divisor in {wanted} was shown to vanish where the density of an output is "
            f"positive",
            "see what mean(...) reports about it",
        )
    return InfiniteMean(
        wanted, found.output, there.sums.back(found.at), there.sums.back(found.density)
    )


def value_at(
    e: Body | str, mechanism: Mechanism, dataset: object, parameters: Given = None
) -> Expression:
    """The exact value of an expression in record sums, query answers or the value, at one input: of
    formulas for all datasets, those with Ei too.

    A function f(x, eps) stands for its sum over the records.  Raises BadInput where it has no
    value, NotWorkedOut where none was found.
    """
    target = (
        mechanism.inputs.sum(e)
        if callable(e) and isinstance(mechanism.inputs, Domain)
        else _expression(e, "expression")
    )
    there = moment_context(mechanism, dataset, [target], parameters)
    placed = there.put(target)
    if left := names(placed):
        raise BadInput(
            "expression",
            f"the name {min(left)} is not known",
            "use record sums, query answers and parameters",
        )
    try:
        return to_expression(normal(placed, EMPTY))
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise no_value_error(
            why, "expression", f"at this input {target}", "choose another input"
        ) from None


@dataclass(frozen=True, slots=True)
class MomentContext:
    """Where moments are taken: the output distribution there, the values of record sums and
    parameters, and the facts about the names that are left.
    """

    law: IntegrableLaw
    sums: RecordSums
    here: Context
    given: Mapping[str, Expression]

    def put(self, e: Expression) -> Expression:
        """An expression with its record sums, answers and parameters replaced by their values here."""
        return substitute_nodes(
            substitute(substitute_nodes(e, self.sums.nodes), self.given), self.sums.nodes
        )


@dataclass(frozen=True, slots=True)
class MomentQuery:
    """A request for moments: a mechanism, a dataset or all, the records that are kept, values of
    parameters, and how long it may take.
    """

    mechanism: Mechanism
    dataset: object
    keep: Body | str | None
    parameters: Given
    limits: Limits | None


def deadline_tick(limits: Limits | None) -> Tick:
    """A function that raises OutOfLimits once the time that starts now is over."""
    clock = (limits or Limits()).clock()
    return lambda: clock.check("working out a mean")


def moment_context(
    mechanism: Mechanism,
    dataset: object,
    extra: Sequence[Expression],
    parameters: Given,
    tick: Tick = idle,
) -> MomentContext:
    wanted = tuple(dict.fromkeys(node for e in extra for node in aggregates(e)))
    found = (
        _everywhere(mechanism, wanted, parameters or {})
        if dataset is None
        else _at(mechanism, dataset, wanted, parameters or {})
    )
    return replace(found, law=replace(found.law, tick=tick))


def _everywhere(
    mechanism: Mechanism, extra: tuple[Expression, ...], parameters: Mapping[str, object]
) -> MomentContext:
    """All datasets, with a name for every record sum."""
    known = {k for k, _ in mechanism.parameters}
    if unknown := sorted(set(parameters) - known):
        raise BadInput(
            "parameters",
            f"the mechanism has no parameter {unknown[0]}",
            f"its parameters are {', '.join(sorted(known)) or 'none'}",
        )
    given = {k: constant_of(v, k) for k, v in parameters.items()}
    mechanism = with_values(mechanism, given)
    listed = list(input_states(mechanism, False))
    if len(listed) > 1:
        raise BadInput(
            "dataset",
            "the output distribution depends on the input value",
            "give one of the values",
        )
    sums = RecordSums(mechanism.inputs.bound, dict(listed[0].nodes))
    for node in extra:
        sums.symbol(substitute(node, given))
    there = MomentContext(IntegrableLaw(mechanism.outputs, ONE), sums, listed[0].here, given)
    return MomentContext(
        IntegrableLaw(
            mechanism.outputs,
            there.put(mechanism.density),
            tuple((at, there.put(mass)) for at, mass in mechanism.atoms),
        ),
        sums,
        there.here,
        given,
    )


def with_values(m: Mechanism, given: Mapping[str, Expression]) -> Mechanism:
    """The mechanism with values in place of some parameters, whose conditions hold there or are
    conditions of the parameters that are left.
    """
    if not given:
        return m
    left = {k: substitute(c, given) for k, c in m.parameters if k not in given}
    for k, c in ((k, substitute(c, given)) for k, c in m.parameters if k in given):
        if (other := next((n for n in left if n in names(c)), None)) is not None:
            left[other] = left[other] & c
        elif not truth(c, EMPTY):
            raise BadInput(
                "parameters", f"{k} = {given[k]} does not satisfy {c}", "choose another value"
            )
    inputs = m.inputs
    if isinstance(inputs, Domain) and inputs.is_universal:
        unknowns = [[k, to_json(substitute(c, given))] for k, c in inputs.unknowns]
        inputs = Domain.from_json(
            {
                "unknowns": unknowns,
                "parameters": [[k, to_json(left[k])] for k, _ in inputs.parameters if k in left],
            }
        )
    elif isinstance(inputs, Domain):
        inputs = Domain((r.value, substitute(r.demand, given)) for r in inputs.records)
    atoms, density, defined = (
        [(at, substitute(mass, given)) for at, mass in m.atoms],
        substitute(m.density, given),
        substitute(m.defined, given),
    )
    return Mechanism.derived(
        inputs,
        outputs=m.outputs,
        density=density,
        defined=defined,
        name=m.name,
        atoms=atoms,
        parameters=tuple(left.items()),
    )


def _at(
    mechanism: Mechanism,
    dataset: object,
    extra: tuple[Expression, ...],
    parameters: Mapping[str, object],
) -> MomentContext:
    """One dataset."""
    claim, example = checker_input(mechanism, dataset, parameters)
    return _at_example(claim, example, extra)


def _at_example(
    claim: Claim, example: Counterexample, extra: tuple[Expression, ...]
) -> MomentContext:
    try:
        check_input(claim, example)
        law = IntegrableLaw(claim.mechanism.outputs, *law_at(claim, example, example.first))
        nodes = {
            **side_nodes(claim, example, example.first),
            **(side_nodes(claim, example, example.first, extra) if extra else {}),
        }
    except (Rejected, Undecided, Unsupported, ZeroDivisionError) as why:
        raise input_refusal(why, "dataset", "choose another dataset or other parameters") from None
    whole = frozenset(o.name for o in claim.mechanism.outputs if o.kind == "integer")
    return MomentContext(
        law,
        RecordSums(claim.mechanism.inputs.bound, nodes),
        Context.empty(whole),
        dict(example.parameters),
    )


def _solved(
    ask: MomentQuery,
    ofs: list[Expression],
    fixed: list[Expression],
    combine: Combine,
    tick: Tick | None = None,
) -> Expression:
    """The combination of the expectations `ofs` and of the values `fixed`, at a dataset or for all
    datasets.
    """
    with enforce_limits((ask.limits or Limits()) if tick is None else None, "working out a mean"):
        return _solution(ask, ofs, fixed, combine, tick)


def _solution(
    ask: MomentQuery,
    ofs: list[Expression],
    fixed: list[Expression],
    combine: Combine,
    tick: Tick | None,
) -> Expression:
    mechanism, dataset, parameters, tick = (
        ask.mechanism,
        ask.dataset,
        ask.parameters,
        tick or deadline_tick(ask.limits),
    )
    kept = None if ask.keep is None else keep_probability(mechanism, ask.keep)
    if kept is not None and (found := [node for e in ofs for node in aggregates(e)]):
        raise BadInput(
            "of",
            f"{found[0]} could be over all records or over those that are kept",
            "leave record sums out; the mean squared error is variance(...) + bias(...)^2",
        )
    if kept is not None and dataset is not None:
        _keep_probabilities(*checker_input(mechanism, dataset, parameters or {}), kept)
        try:
            return value_at(
                _solved(replace(ask, dataset=None, parameters={}), ofs, fixed, combine, tick),
                mechanism,
                dataset,
                parameters,
            )
        except (BadInput, NotWorkedOut):  # no formula for all datasets
            return _sampled(mechanism, dataset, ofs, fixed, combine, kept, parameters, tick)
    if kept is not None and mechanism.defined != TRUE:
        raise BadInput(
            "keep",
            f"the mechanism is not defined on subsets that violate {mechanism.defined}",
            "give a dataset of which enough records are kept with certainty",
        )
    there = moment_context(mechanism, dataset, [*ofs, *fixed], parameters, tick)
    random = frozenset(o.name for o in mechanism.outputs) | (
        frozenset(v.args[0] for v in there.sums.nodes.values() if v.head == "name")
        if kept is not None
        else frozenset()
    )

    def work(here: Context) -> Ratio:
        found = [expectation(there.put(e), there.law, here) for e in ofs]
        if kept is not None:
            found = [there.sums.kept(r, substitute(kept, there.given), here) for r in found]
        return combine(*found, *(normal(there.put(e), here) for e in fixed))

    try:
        return there.sums.back(
            substitute(_in_cases(work, there, there.here, random, DEPTH), there.given)
        )
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise _refusal(why, ofs[-1], there) from None


def _refusal(why: Exception, of: Expression, there: MomentContext) -> BadInput | NotWorkedOut:
    """The error for a mean that is shown not to exist, or for which no closed form was found."""
    if isinstance(why, AtPole | DecayNotShown | ZeroDivisionError) and _is_law(there):
        reason = find_infinite_mean(there.put(of), there.law, there.here)
        if reason is not None:
            return BadInput(
                "of",
                f"{of} has no mean: E|{of}| is infinite, since {reason.reason}",
                f"clip the divisor, for example max({reason.output}, 1)",
            )
    if (total := _wrong_total(there)) is not None:
        return BadInput("law", f"its total is {total}, not 1", "correct the density or the atoms")
    said = re.sub(
        r"[@#]d?[0-9]+", lambda found: str(there.sums.back(name(found[0]))), _reason_text(why)
    )
    return NotWorkedOut(
        "of",
        f"no closed form was found for the mean of {of} ({said})",
        "use sums of powers and exponentials of the outputs, with divisors that do not vanish",
    )


def _wrong_total(there: MomentContext) -> str | None:
    """The total of the law, if it was computed and is not 1; that of a case of the law shows
    nothing, since the case may not occur.
    """
    try:
        check_law(there.law, there.here)
    except WrongTotal as why:
        return re.sub(
            r"[@#]d?[0-9]+", lambda found: str(there.sums.back(name(found[0]))), why.total
        )
    except (Undecided, Unsupported, ZeroDivisionError):
        return None
    return None


def _is_law(there: MomentContext) -> bool:
    try:
        check_law(there.law, there.here)
    except (Undecided, Unsupported, ZeroDivisionError):
        return False
    return True


def _reason_text(why: Exception) -> str:
    return refusal_text(why)


def _in_cases(
    work: Callable[[Context], Ratio],
    there: MomentContext,
    here: Context,
    random: frozenset[str],
    depth: int,
) -> Expression:
    """The result as a piecewise expression in the signs that it depends on; these must be signs of
    expressions that are not random.
    """
    there.law.tick()
    try:
        return there.sums.gathered(work(here), here)
    except Undecided as missing:
        guard = missing.guard
        if (
            depth == 0
            or not isinstance(guard, Polynomial)
            or not algebra.polynomial_names(guard)
            or not algebra.polynomial_names(guard).isdisjoint(random)
        ):
            raise Unsupported(_reason_text(missing)) from None
    if (known := _follows(guard, here)) is not None:
        return _in_cases(work, there, known, random, depth)
    failed: Unsupported = Unsupported("")
    for split in ((">=", "<"), (">", "=", "<")):
        if here.signs(guard) <= {0, 1} and ">=" in split:
            continue
        try:
            found = [
                (r, _in_cases(work, there, case, random, depth - 1))
                for r in split
                if not is_contradictory(case := here.given(guard, r), Limits(seconds=BRIEF).clock())
            ]
            return (
                number(0)
                if not found
                else _chosen(there.sums.back(to_expression(Ratio(guard))), found)
            )
        except Unsupported as why:
            failed = why
        except ZeroDivisionError:
            failed = Unsupported(f"it may divide by 0 where {to_expression(Ratio(guard))} = 0")
    raise failed


def _follows(guard: Polynomial, here: Context) -> Context | None:
    """The context with the strict sign of a guard that follows from what is known, None if none
    was found to.
    """
    for relation, p in ((">", guard), ("<", -guard)):
        if is_implied(p, ">", here, Limits(seconds=BRIEF).clock()):
            return here.given(guard, relation)
    return None


def _chosen(guard: Expression, found: list[tuple[str, Expression]]) -> Expression:
    conditions = {
        ">": guard > 0,
        ">=": guard >= 0,
        "=": Expression("==", (guard, ZERO)),
        "<": guard < 0,
    }
    last = found[-1][1]
    return (
        piecewise(*((e, conditions[r]) for r, e in found[:-1]), (last, TRUE))
        if len(found) > 1
        else last
    )


def _sampled(
    mechanism: Mechanism,
    dataset: object,
    ofs: list[Expression],
    fixed: list[Expression],
    combine: Combine,
    keep: Expression,
    parameters: Given,
    tick: Tick,
) -> Expression:
    """The same over the random subsets of one dataset, each with its probability."""
    claim, example = checker_input(mechanism, dataset, parameters or {})
    whole = _at_example(
        claim, example, tuple(dict.fromkeys(node for e in fixed for node in aggregates(e)))
    )
    totals = [constant(0)] * len(ofs)
    for probability, part in _parts(claim, example, keep):
        tick()
        there = _at_example(claim, part, ())
        try:
            found = [expectation(there.put(e), there.law, there.here) for e in ofs]
        except (Undecided, Unsupported, ZeroDivisionError) as why:
            raise _refusal(why, ofs[-1], there) from None
        totals = [t + probability * f for t, f in zip(totals, found, strict=True)]
    return to_expression(combine(*totals, *(normal(whole.put(e), EMPTY) for e in fixed)))


def _parts(
    claim: Claim, example: Counterexample, keep: Expression
) -> Iterator[tuple[Ratio, Counterexample]]:
    """The subsets of a dataset with their probabilities, those of probability 0 left out."""
    counts, probabilities = (
        [int(c.args[0]) for c in example.first],
        _keep_probabilities(claim, example, keep),
    )
    rows = [
        [(j, weight) for j in range(h + 1) if not (weight := _binomial(h, j, k)).is_zero]
        for h, k in zip(counts, probabilities, strict=True)
    ]
    if math.prod(map(len, rows)) > JOINT:
        raise BadInput(
            "dataset",
            f"it has more than {JOINT} random parts",
            "give fewer records, or ask for a polynomial in record sums",
        )
    for choice in itertools.product(*rows):
        probability = math.prod((w for _, w in choice), start=constant(1))
        yield (
            probability,
            Counterexample(
                example.parameters,
                example.instances,
                tuple(number(j) for j, _ in choice),
                (),
                example.event,
            ),
        )


def _keep_probabilities(claim: Claim, example: Counterexample, keep: Expression) -> list[Ratio]:
    """The probability with which each record of a dataset is kept, 0 where there is none."""
    given = dict(example.parameters)
    found = [
        normal(value_at_instance(keep, counted_record(claim, example, i), given), EMPTY)
        if c != ZERO
        else constant(0)
        for i, c in enumerate(example.first)
    ]
    for k in found:
        for gap in (k, constant(1) - k):
            if not (signs := EMPTY.ratio_signs(gap)) <= {0, 1}:
                kind, said = (
                    (BadInput, "is not a probability")
                    if signs == {-1}
                    else (NotWorkedOut, "was not shown to be a probability")
                )
                raise kind("keep", f"{to_expression(k)} {said}", "probabilities lie in [0, 1]")
    return found


def _binomial(n: int, j: int, k: Ratio) -> Ratio:
    """The probability of keeping j of n records."""
    return (k**j * (constant(1) - k) ** (n - j)).scale(Fraction(math.comb(n, j)))


def keep_probability(mechanism: Mechanism, keep: Body | str) -> Expression:
    if not isinstance(mechanism.inputs, Domain):
        raise BadInput("keep", "the input is not a dataset", "leave it out")
    found = parse(keep, "keep") if isinstance(keep, str) else record_expression(keep)
    allowed = frozenset(mechanism.inputs.bound) | {k for k, _ in mechanism.parameters}
    if unknown := names(found) - allowed:
        raise BadInput(
            "keep",
            f"the name {min(unknown)} is not known",
            "use components of the record and parameters",
        )
    check_comparisons(found, mechanism.inputs.choices, "keep")
    return found


def moment_expression(mechanism: Mechanism, of: Of) -> Expression:
    """The expression whose mean is asked for; BadInput for unknown names, and for several
    outputs without a choice.
    """
    if not isinstance(mechanism, Mechanism):
        raise BadInput(
            "mechanism",
            f"{type(mechanism).__name__} is not a mechanism given by its density",
            "give a Mechanism",
        )
    if of is None and len(mechanism.outputs) > 1:
        raise BadInput(
            "of",
            f"the mechanism has {len(mechanism.outputs)} outputs",
            f'say which, for example of="{mechanism.outputs[0]}"',
        )
    found = mechanism.outputs[0].symbol if of is None else _expression(of, "of")
    used = frozenset(
        o.name for o in mechanism.outputs if o.values and any(v.head == "label" for v in o.values)
    )
    if found.head == "name" and found.args[0] in used:
        raise BadInput(
            "of",
            f"{found} is a label, which has no mean",
            f'ask for a probability, for example of=indicator(eq({found}, label("...")))',
        )
    missing = next((at for at, _ in mechanism.atoms if at.head == "label"), None)
    if missing is not None and found == mechanism.outputs[0].symbol:
        raise BadInput(
            "of",
            f"{found} has no mean, since it may be the label {missing}",
            f"ask for a probability, for example of=indicator(eq({found}, label(...)))",
        )
    check_kind(
        found,
        (NUMBER,),
        name_scope(mechanism, "of", mechanism.outputs, (at for at, _ in mechanism.atoms)),
    )
    return found


def _expression(e: object, where: str) -> Expression:
    return parse(e, where) if isinstance(e, str) else expression(e)
