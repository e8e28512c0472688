"""The total mass of a law of several outputs that is not a product of one factor for each.

    f_n = f      here |- f_j >= 0, and its total over output j is f_(j-1), for j = n, ..., 1
    ----------------------------------------------------------------------------------------
                           here |- the total of f is f_0,  which has to be 1

f_j     the stated total over all outputs after j, an expression in the outputs up to j
here    what is known in one state of the input; it says nothing about any output

The order is that of the outputs, but finite ones count as the last ones: their values are summed
first.  The order does not matter, because f is >= 0 (Tonelli).
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Evidence
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import constant
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import rely_on
from ahdp_verify.kernel.rules.cases import LeafCheck, check_cases
from ahdp_verify.kernel.rules.obligations import InputState
from ahdp_verify.kernel.terms.expression import Expression, names

# the test that a law has a stated total over an output
TotalCheck = Callable[[Output, Expression, Expression], LeafCheck]


def integration_order(mechanism: Mechanism) -> list[int]:
    """The places of the outputs in the order in which they are integrated or summed."""
    outputs = mechanism.outputs
    return sorted(range(len(outputs)), key=lambda i: (outputs[i].kind != "finite", -i))


def check_iterated(
    mechanism: Mechanism,
    state: InputState,
    values: tuple[Expression, ...],
    evidence: tuple[Evidence, ...],
    total_check: TotalCheck,
) -> None:
    """Nothing if the totals over one output after another are the stated values, by `total_check`,
    and the one that is left in the end is 1; Rejected otherwise.
    """
    law, done = substitute_nodes(mechanism.density, state.nodes), set[str]()
    for i in integration_order(mechanism):
        done.add(mechanism.outputs[i].name)
        if not names(values[i]).isdisjoint(done):
            raise Rejected("a total mentions an output over which it is taken")
        check_cases(evidence[i], state.here, total_check(mechanism.outputs[i], law, values[i]))
        law = values[i]
    if not (normal(law, state.here) - constant(1)).is_zero:
        raise Rejected("the total over all outputs was not shown to be 1")
    rely_on("the rule of iterated totals")
