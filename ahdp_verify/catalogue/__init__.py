"""The catalogue: parametric constructors of published mechanisms, one file per family, with the
claims of one instance each.

`CATALOGUE` lists all entries of mechanisms given by a density, in order, and `PROGRAMS` those of
noise programs; `find_entry` finds one by its name.  A constructor is an ordinary function that
returns a `Mechanism` or that is a noise program.  The other names serve to write further
constructors and entries, as `ahdp_verify.paper.catalogue` does.

>>> print(find_entry("count").mechanism.density)
exp(-abs(s - sum(alpha)))/2
>>> find_entry("counts")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: entry: the catalogue has no counts; it has count, count-ex-sum, count-half
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TypeVar, overload

from ahdp_verify.catalogue import (
    discrete,
    exponential,
    function_sums,
    functional_mechanism,
    laplace,
    linear_queries,
    local_intervals,
    noisy_max,
    randomised_response,
    running_sums,
    smooth,
    sparse_vector,
    sums,
    sums_of_noises,
)
from ahdp_verify.catalogue.entry import (
    EPS,
    AnyEntry,
    Claims,
    Entry,
    Expected,
    MechanismEntry,
    Number,
    ProgramEntry,
    VerdictWord,
    X,
    expect_all,
    expect_broken_twin,
    expect_exact_level,
    expect_private_as_stated,
    expect_proved,
    expect_refuted,
    expect_verdict,
    lowered_level,
    noise_title,
)
from ahdp_verify.catalogue.functional_mechanism import features, functional
from ahdp_verify.catalogue.linear_queries import (
    ALPHA,
    BINS,
    BOUNDS,
    EX_SUM,
    RATIO,
    SATURATING,
    F,
    H,
    L,
    linear_query,
    linear_query_without_offset,
)
from ahdp_verify.catalogue.randomised_response import k_ary_response
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Record, value_at_record
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.laws.law import simplified_reciprocal
from ahdp_verify.laws.noise import laplace_density

__all__ = (
    "ALPHA",
    "BINS",
    "BOUNDS",
    "CATALOGUE",
    "EPS",
    "EX_SUM",
    "PROGRAMS",
    "RATIO",
    "SATURATING",
    "AnyEntry",
    "Body",
    "Claims",
    "Entry",
    "Expected",
    "F",
    "H",
    "L",
    "MechanismEntry",
    "Number",
    "ProgramEntry",
    "VerdictWord",
    "X",
    "expect_all",
    "expect_broken_twin",
    "expect_exact_level",
    "expect_private_as_stated",
    "expect_proved",
    "expect_refuted",
    "expect_verdict",
    "features",
    "find_entry",
    "functional",
    "k_ary_response",
    "laplace_density",
    "linear_query",
    "linear_query_without_offset",
    "lowered_level",
    "noise_title",
    "record_expression",
    "simplified_reciprocal",
    "weight_at",
)

CATALOGUE: tuple[MechanismEntry, ...] = (
    *laplace.ENTRIES,
    *linear_queries.ENTRIES,
    *functional_mechanism.ENTRIES,
    *randomised_response.ENTRIES,
    *local_intervals.ENTRIES,
    *sums.ENTRIES,
    *smooth.ENTRIES,
    *function_sums.ENTRIES,
    *sums_of_noises.ENTRIES,
    *discrete.ENTRIES,
    *exponential.ENTRIES,
)


PROGRAMS: tuple[ProgramEntry, ...] = (
    *sparse_vector.ENTRIES,
    *noisy_max.ENTRIES,
    *running_sums.ENTRIES,
)
SomeEntry = TypeVar("SomeEntry", bound=AnyEntry)


@overload
def find_entry(name: str) -> MechanismEntry: ...
@overload
def find_entry(name: str, entries: tuple[SomeEntry, ...]) -> SomeEntry: ...
def find_entry(name: str, entries: tuple[AnyEntry, ...] = CATALOGUE) -> AnyEntry:
    """The entry of that name; BadInput, with similar names, if there is none."""
    for found in entries:
        if found.name == name:
            return found
    close = get_close_matches(name, [e.name for e in entries], 3)
    raise BadInput(
        "entry",
        f"the catalogue has no {name}",
        f"it has {', '.join(close)}" if close else "ahdp-verify list prints all names",
    )


def weight_at(weight: Body, record: Record) -> Expression:
    """The value of a weight, a function of x and eps or an expression, at a record; at demand oo
    its limit.
    """
    return value_at_record(record_expression(weight), record, Context.empty())
