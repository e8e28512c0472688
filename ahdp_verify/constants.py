"""Whether a condition on constants holds, by exact computation.

Python's `if` decides only what is certain at once (`terms.truth.truth_of`): a comparison such
as log(2) < 1 needs the numbers of this package.

>>> from ahdp_verify.kernel.terms.expression import eq, exp, log, name, sqrt
>>> holds(exp(1) < 3), holds(eq(2 * log(2), log(4))), holds(~eq(sqrt(8), 2 * sqrt(2)))
(True, True, False)
>>> holds(name("x") < 1)
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: holds: x < 1 depends on x; write indicator(x < 1)
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import refusal_text, truth
from ahdp_verify.kernel.terms.expression import aggregates, as_condition, names
from ahdp_verify.kernel.terms.printing import short_text


def holds(condition: object) -> bool:
    """Whether a condition on constants holds; NotWorkedOut if that could not be decided, BadInput
    for one that depends on names or on a dataset.
    """
    asked = as_condition(condition, "holds")
    said = short_text(str(asked))
    if free := [*sorted(names(asked)), *map(str, aggregates(asked))]:
        raise BadInput(
            "holds", f"{said} depends on {short_text(free[0])}", f"write indicator({said})"
        )
    try:
        return truth(asked, Context.empty())
    except (Undecided, Unsupported, ZeroDivisionError) as why:
        raise NotWorkedOut("holds", f"{said} could not be decided ({refusal_text(why)})") from None
