"""The catalogue: parametric constructors of published mechanisms, one file per family, with the
claims of one instance each.

`CATALOGUE` lists all entries in order, `entry` finds one by its name.  A constructor is an ordinary
function that returns a `Mechanism`.  The rest is for those who write constructors and entries of
their own, as `ahdp_verify.paper.catalogue` does.

>>> print(entry("count").mechanism.density)
exp(-abs(s - sum(alpha)))/2
>>> entry("counts")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: entry: the catalogue has no counts; it has count, count-ex-sum, count-half
"""

from __future__ import annotations

from difflib import get_close_matches

from ahdp_verify.catalogue import (
    discrete,
    exponential,
    functional_mechanism,
    laplace,
    linear_queries,
    randomised_response,
    sums,
)
from ahdp_verify.catalogue.entry import (
    EPS,
    Claims,
    Entry,
    Expected,
    Number,
    Word,
    X,
    both,
    broken,
    exact,
    expect,
    fails,
    holds,
    lowered,
    private,
    with_noise,
)
from ahdp_verify.catalogue.functional_mechanism import features, functional
from ahdp_verify.catalogue.laplace import density, inverse
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
from ahdp_verify.catalogue.randomised_response import response
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Record, at_record
from ahdp_verify.kernel.model.record_expression import Body, body
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Expression

__all__ = (
    "ALPHA",
    "BINS",
    "BOUNDS",
    "CATALOGUE",
    "EPS",
    "EX_SUM",
    "RATIO",
    "SATURATING",
    "Body",
    "Claims",
    "Entry",
    "Expected",
    "F",
    "H",
    "L",
    "Number",
    "Word",
    "X",
    "body",
    "both",
    "broken",
    "density",
    "entry",
    "exact",
    "expect",
    "fails",
    "features",
    "functional",
    "holds",
    "inverse",
    "linear_query",
    "linear_query_without_offset",
    "lowered",
    "private",
    "response",
    "weight_at",
    "with_noise",
)

CATALOGUE: tuple[Entry, ...] = (
    *laplace.ENTRIES,
    *linear_queries.ENTRIES,
    *functional_mechanism.ENTRIES,
    *randomised_response.ENTRIES,
    *sums.ENTRIES,
    *discrete.ENTRIES,
    *exponential.ENTRIES,
)


def entry(name: str, entries: tuple[Entry, ...] = CATALOGUE) -> Entry:
    """The entry of that name; BadInput, with names that look like it, where there is none."""
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
    return at_record(body(weight), record, Context.empty())
