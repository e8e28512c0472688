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

from ahdp_verify.analysis.moments.context import Given, moment_context
from ahdp_verify.analysis.moments.enclosure import enclosure as enclosure
from ahdp_verify.analysis.moments.expectation import WrongTotal, check_law
from ahdp_verify.analysis.moments.infinite import InfiniteMean, find_infinite_mean
from ahdp_verify.analysis.moments.request import Of, moment_expression, read_expression
from ahdp_verify.analysis.moments.solving import MomentQuery, deadline_tick, solve_moment
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import NUMBER, Mechanism, name_scope
from ahdp_verify.kernel.model.mechanism import check_kind as check_kind
from ahdp_verify.kernel.model.record_expression import Body
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text
from ahdp_verify.kernel.terms.expression import Abs, Expression, exp, multiply
from ahdp_verify.search.limits import Limits


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
    return solve_moment(
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
    return solve_moment(
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
        else read_expression(query, "query")
    )
    check_kind(target, (NUMBER,), name_scope(mechanism, "query"))
    return solve_moment(
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
    wanted, loss = Abs(moment_expression(mechanism, of)), read_expression(level, "level")
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
    return solve_moment(
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
            "law", refusal_text(why), "give a density that is a sum of exponentials on each piece"
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
