"""The question that `ahdp-verify power` is asked, and its answer: a threat model and a domain from
the options, and the optima or the table over t that are printed, plotted and saved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.cli.console import progress
from ahdp_verify.cli.documents import Data, Printer
from ahdp_verify.cli.exit_codes import PROVED, UNKNOWN
from ahdp_verify.cli.option_values import split_list
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.terms.expression import Expression, names
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name

if TYPE_CHECKING:
    from ahdp_verify.analysis.power.against_mechanism import Power
    from ahdp_verify.analysis.power.best import BestMechanism
    from ahdp_verify.analysis.power.table import PowerTable
    from ahdp_verify.analysis.power.threat_models import ThreatModel


@dataclass(frozen=True, slots=True)
class PowerOptions:
    """The threat model and what is asked about it, as the options give them."""

    demands: str = ""
    extra: int | None = None
    one_more: bool = False
    known: int | None = None
    datasets: str = ""
    given: str = ""
    relation: str = "ahdp"
    level: str = ""
    everywhere: bool = False
    save: str = ""
    plot: str = ""


def run_power(asked: PowerOptions, mechanism: Mechanism | None, printer: Printer) -> int:
    """The exit code of the answer, which is printed: 0 if every optimum is exact, 3 if one is only
    bounded.
    """
    import ahdp_verify.plots as plots
    from ahdp_verify.analysis.power.against_mechanism import power
    from ahdp_verify.analysis.power.best import best_powers

    if asked.plot:
        plots.figure_module()
        plots.check_picture_path(asked.plot)
    place = jsonfile.writable_path(asked.save) if asked.save else None
    domain = domain_of(asked, mechanism)
    if asked.extra is not None and is_plain(asked, domain) and has_one_threat_model(asked):
        return print_power_table(asked, domain, mechanism, place, printer)
    if asked.plot:
        raise BadInput(
            "--plot", "there is no table over t to plot", "use --extra T with constant demands"
        )
    model = chosen_threat_model(asked, domain)
    parameters = {n: f"{n} > 0" for n in sorted(unknown_names(asked, domain))}
    with progress(0, 1) as report:
        found = best_powers(
            domain,
            model,
            asked.relation,
            parse(asked.level, "--level") if asked.level else None,
            parameters,
            everywhere=asked.everywhere,
            report=report,
        )
    saved = save_last_optimum(found, place)
    is_exact = bool(found) and all(best.exact for best in found)
    printer.show(
        "exact" if is_exact else "enclosed",
        [*(line for best in found for line in optimum_lines(best)), *saved],
        lambda: {
            "optima": [optimum_data(best) for best in found],
            "written": [asked.save] if saved else [],
        },
    )
    if mechanism is not None and not parameters:
        against = power(mechanism, model)
        word = "exact" if against.exact else "enclosed"
        printer.show(word, (str(against),), lambda: against_data(against))
    return PROVED if is_exact else UNKNOWN


def is_plain(asked: PowerOptions, domain: Domain) -> bool:
    """Whether a table over t answers the question: constant demands, and AHDP at the demands."""
    return asked.relation == "ahdp" and not asked.level and not unknown_names(asked, domain)


def unknown_names(asked: PowerOptions, domain: Domain) -> set[str]:
    """The names in demands and level that do not stand for a part of a record."""
    level = parse(asked.level, "--level") if asked.level else None
    found = set().union(
        *(names(r.demand) for r in domain.records), names(level) if level is not None else ()
    )
    return (
        found - {"x", "eps"}
        if level is not None
        and asked.relation == "ahdp"
        and not any("eps" in names(r.demand) for r in domain.records)
        else found
    )


def print_power_table(
    asked: PowerOptions,
    domain: Domain,
    mechanism: Mechanism | None,
    place: Path | None,
    printer: Printer,
) -> int:
    """The exit code of the table for t = 1, 2, ..., which is printed, plotted and saved."""
    import ahdp_verify.plots as plots
    from ahdp_verify.analysis.power.table import power_table

    most = asked.extra or 0
    with progress(0, 1) as report:
        found = power_table(
            domain,
            most,
            parse_counts(asked.given, domain, "--given").counts if asked.given else (),
            mechanism,
            everywhere=asked.everywhere or None,
            report=report,
        )
    if asked.plot:
        plots.draw_power(found, asked.plot)
    saved = save_last_optimum(tuple(row.best for row in found.rows[-1:]), place)
    printer.show(
        "exact" if found.exact else "enclosed",
        (*str(found).splitlines(), *saved),
        lambda: table_data(found, [path for path in (asked.plot, asked.save) if path]),
    )
    return PROVED if found.exact else UNKNOWN


def save_last_optimum(found: tuple[BestMechanism, ...], place: Path | None) -> list[str]:
    """A line on the file that holds the record of the last optimum, if that was asked for."""
    if place is None or not found:
        return []
    found[-1].save(place)
    return [f"saved: {place} (the last optimum)"]


def optimum_lines(best: BestMechanism) -> list[str]:
    """The lines of an optimum."""
    from ahdp_verify.analysis.power.best import decimal_of

    lines = list(best.lines)
    if not best.claim.everywhere and not best.claim.parameters and best.exact:
        weights = (f"{D}: {decimal_of(w)}" for D, w in best.prior.items() if str(w) != "0")
        lines.append(f"  least favourable prior: {', '.join(weights)}")
    return lines


def optimum_data(best: BestMechanism) -> Data:
    """An optimum: its value, a mechanism that attains it, and the least favourable prior."""
    from ahdp_verify.analysis.answer_data import bounds_data, verdict_data

    return {
        "best": bounds_data(best.bounds),
        "parameters": {k: str(condition) for k, condition in best.claim.parameters},
        "hypotheses": len(best.claim.aims),
        "prior": {D: str(w) for D, w in best.prior.items()},
        "mechanism": {
            D: {answer: str(p) for answer, p in row.items()} for D, row in best.kernel.items()
        },
        "verdicts": [verdict_data(verdict) for verdict in best.verdicts],
        "note": best.note,
    }


def against_data(found: Power) -> Data:
    """The power against one mechanism, and the least favourable prior."""
    from ahdp_verify.analysis.answer_data import bounds_data, verdict_data

    return {
        "power": bounds_data(found.bounds),
        "prior": {text: str(w) for text, w in found.prior.items()},
        "verdict": verdict_data(found.verdict),
    }


def table_data(found: PowerTable, written: list[str]) -> Data:
    """A row for each t, the limit, and the paper's upper bound of the limit."""
    from ahdp_verify.analysis.answer_data import bounds_data, value_data

    rows = [
        {
            "t": row.t,
            "hypotheses": row.hypotheses,
            "best": bounds_data(row.best.bounds),
            "extends": row.extends,
            "against": None if row.against is None else bounds_data(row.against.bounds),
        }
        for row in found.rows
    ]
    return {
        "rows": rows,
        "limit": value_data(found.limit),
        "limit_at_most": value_data(found.bound),
        "against": found.against,
        "written": written,
    }


def domain_of(asked: PowerOptions, mechanism: Mechanism | None) -> Domain:
    """The domain of --demands, or that of the mechanism."""
    if asked.demands:
        return Domain([parse_record(part, i) for i, part in enumerate(split_list(asked.demands))])
    if mechanism is None:
        raise BadInput(
            "power",
            "neither a file nor demands were given",
            'name a mechanism file, or write for example --demands "log(2), log(3)"',
        )
    if not isinstance(mechanism.inputs, Domain) or mechanism.inputs.is_universal:
        raise BadInput(
            "power",
            "the mechanism has no list of records, so there are no hypotheses",
            'give demands, for example --demands "log(2), log(3)"',
        )
    return mechanism.inputs


def parse_record(text: str, i: int) -> tuple[object, Expression]:
    """The record of "value: demand", or of a demand alone, whose value is then x1, x2, ..."""
    value, sign, demand = (part.strip() for part in text.rpartition(":"))
    if not demand:
        raise BadInput(
            "--demands",
            f"the demand of {display_name(value) or f'value number {i + 1}'} is missing",
            'write for example "a: log(2), b: oo"',
        )
    return (value if sign else f"x{i + 1}"), parse(demand, "--demands")


def parse_counts(text: str, domain: Domain, option: str) -> Multiset:
    """The dataset of counts between commas."""
    try:
        return Multiset(domain, [int(part) for part in text.split(",")])
    except ValueError:
        raise BadInput(
            option,
            f"{text[:40]!r} is not a list of counts",
            f"write {len(domain.records)} whole numbers, such as "
            f"{','.join(['0'] * len(domain.records))}",
        ) from None


def chosen_threat_model(asked: PowerOptions, domain: Domain) -> ThreatModel:
    """The threat model of the options; BadInput unless there is exactly one."""
    from ahdp_verify.analysis.power.threat_models import (
        extra_records,
        known_record,
        one_more_record,
        these,
    )

    has_one_threat_model(asked)
    base = parse_counts(asked.given, domain, "--given").counts if asked.given else ()
    if asked.extra is not None:
        return extra_records(asked.extra, base)
    if asked.one_more:
        return one_more_record(base)
    if asked.known is not None:
        return known_record(record_number(asked.known, domain), base)
    return these(
        parse_counts(part, domain, "--datasets").counts for part in asked.datasets.split(";")
    )


def has_one_threat_model(asked: PowerOptions) -> bool:
    """True if exactly one threat model is given; BadInput otherwise."""
    given = sum(
        (asked.extra is not None, asked.one_more, asked.known is not None, bool(asked.datasets))
    )
    if given != 1:
        raise BadInput(
            "power",
            f"{given or 'no'} threat models are given",
            "give one of --extra T, --one-more, --known I, --datasets",
        )
    return True


def record_number(i: int, domain: Domain) -> object:
    """Record number i of the domain, counted from 1."""
    if not 1 <= i <= len(domain.records):
        raise BadInput(
            "--known",
            f"there is no record number {i}",
            f"give a number from 1 to {len(domain.records)}",
        )
    return domain.records[i - 1]
