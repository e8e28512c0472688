"""`ahdp-verify renyi`, and `tighten --notion`: the least bound of Rényi DP, zCDP or GDP."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN, worst_exit_code
from ahdp_verify.cli.options import (
    USUAL,
    JsonOption,
    RelationOption,
    SearchLimits,
    SourceArgument,
)
from ahdp_verify.search.limits import Limits, enforce_limits

if TYPE_CHECKING:
    from ahdp_verify.analysis.levels.notions import NotionBound
    from ahdp_verify.kernel.terms.expression import Expression

OrdersOption = Annotated[
    str,
    typer.Option(
        "--order",
        metavar="A,A,...",
        help='Orders larger than 1, for example "3/2,2,10", or a parameter that is.',
    ),
]


def renyi_command(
    source: SourceArgument,
    order: OrdersOption = "2",
    relation: RelationOption = "",
    as_json: JsonOption = False,
    limits: SearchLimits = USUAL,
) -> int:
    """Print the least bound of Rényi DP at each order; exit code 3 if one is not proved."""
    from ahdp_verify.kernel.terms.grammar import parse

    orders = [parse(text, "--order") for text in order.split(",")]
    return print_bounds(source, relation, "renyi", orders, (limits, as_json))


def print_bounds(
    source: str,
    relation: str,
    notion: str,
    orders: list[Expression] | list[None],
    run: tuple[Limits, bool],
) -> int:
    """The worst exit code; the least bound is printed for each relation and order."""
    from ahdp_verify.analysis.levels.notions import least_bound
    from ahdp_verify.cli.claims import READING, relations_of
    from ahdp_verify.cli.sources import load_named_mechanism

    limits, as_json = run
    printer = Printer(as_json, source)
    with enforce_limits(limits, READING):
        file = load_named_mechanism(source)
    codes = []
    asked = [(r, a) for r in ((relation,) if relation else relations_of(file)) for a in orders]
    for i, (one, order) in enumerate(asked):
        with progress(i, len(asked)) as report:
            report(f"least {notion} bound ({one})")
            found = least_bound(file.mechanism, one, notion, order, limits)
        word = "exact" if found.exact else "unknown" if found.bound is None else "lower bound"
        printer.show(word, str(found).splitlines(), partial(bound_data, found))
        codes.append(PROVED if found.exact else UNKNOWN)
    return worst_exit_code(codes)


def bound_data(found: NotionBound) -> Data:
    """The least bound, and the divergence of each move."""
    from ahdp_verify.analysis.answer_data import text_or_none

    return {
        "mechanism": found.claim.mechanism.name,
        "relation": found.claim.relation,
        "notion": found.claim.notion,
        "order": text_or_none(found.claim.order),
        "bound": text_or_none(found.bound),
        "exact": found.exact,
        "reason": found.reason,
        "rows": [{"move": text, "bound": str(bound)} for text, bound in found.rows],
    }
