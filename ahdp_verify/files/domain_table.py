"""The [domain] of a file: records, a universal domain, the values of a local mechanism, or query
answers.

Records are listed one by one, or as a grid of values and demands, or they are read from a table of
people (`ahdp_verify.files.csv_records`).  A text such as "1 to 300" stands for a list of whole
numbers.

>>> from ahdp_verify.files.table import read_table
>>> grid = read_table({"records": {"values": "1 to 3", "demands": ["1/2", "oo"]}}, "domain", KEYS)
>>> print(*inputs_from_table(grid, {}).records)
(1, 1/2) (1, oo) (2, 1/2) (2, oo) (3, 1/2) (3, oo)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ahdp_verify.files.csv_records import people_from_csv
from ahdp_verify.files.table import (
    FileTable,
    required_text,
    type_text,
    value_from_entry,
    whole_number,
)
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, with_location
from ahdp_verify.kernel.model.declarations import MANY
from ahdp_verify.kernel.model.domain import Domain, Queries, Record, Values
from ahdp_verify.kernel.model.mechanism import Inputs
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse

KINDS_OF_INPUT = ("records", "universal", "values", "queries")
KEYS = (*KINDS_OF_INPUT, "unknowns")
OF_GRID = ("values", "demands")
OF_CSV = ("csv", "value", "demand", "id")
RANGE = re.compile(r"\s*(-?[0-9]{1,9})\s+to\s+(-?[0-9]{1,9})\s*", re.ASCII)


def domain_grid(values: Iterable[object], demands: Iterable[object]) -> Domain:
    """The domain with a record for every value and every demand, values first.

    >>> print(*domain_grid(range(2), [1, "1/2"]).records)
    (0, 1) (0, 1/2) (1, 1) (1, 1/2)
    """
    listed = tuple(demands)
    if not listed:
        raise BadInput("demands", "there is none", 'list at least one, for example ["1"]')
    return Domain((value, demand) for value in values for demand in listed)


def inputs_from_table(
    table: FileTable, parameters: Mapping[str, str], folder: Path | None = None
) -> Inputs:
    """The input of the mechanism: a dataset over listed records or over a universal domain, a
    value, or query answers.  Paths are relative to `folder`; without one, no other file is read.
    """
    kinds = [key for key in KINDS_OF_INPUT if key in table.content]
    if len(kinds) != 1:
        raise BadInput(
            table.where,
            f"{' and '.join(kinds)} define the input in different ways"
            if kinds
            else "nothing defines the input",
            f"write exactly one of {', '.join(KINDS_OF_INPUT)}",
        )
    if "unknowns" in table.content and kinds != ["universal"]:
        raise BadInput(
            table.at("unknowns"),
            "only a universal domain has unknowns",
            "write universal = true, or leave unknowns out",
        )
    if kinds == ["records"]:
        return _records(table, parameters, folder)
    if kinds == ["values"] and isinstance(table.content["values"], Mapping):
        return RealValues(table.texts("values"))
    if kinds == ["values"]:
        return Values(listed_values(table, "values", parameters))
    if kinds == ["queries"]:
        return Queries(whole_number(table.text("queries"), table.at("queries")))
    if table.content["universal"] is not True:
        raise BadInput(
            table.at("universal"),
            f"{type_text(table.content['universal'])} has no meaning here",
            "write universal = true, or list records",
        )
    return Domain.universal(table.texts("unknowns"), parameters)


def _records(table: FileTable, parameters: Mapping[str, str], folder: Path | None) -> Domain:
    """The domain of listed records, of a grid, or of the people of another file."""
    if not isinstance(table.content["records"], Mapping):
        return Domain(
            _record(pair, f"{table.at('records')}[{i}]", parameters)
            for i, pair in enumerate(table.items("records"), 1)
        )
    if "csv" not in table.content["records"]:
        grid = table.table("records", (*OF_GRID, "csv"))
        return domain_grid(
            listed_values(grid, "values", parameters),
            [
                parse(required_text(text, grid.at("demands")), grid.at("demands"))
                for text in grid.items("demands")
            ],
        )
    people = table.table("records", OF_CSV)
    if folder is None:
        raise BadInput(
            people.at("csv"), "another file cannot be read from here", "list the records"
        )
    identity = people.text("id") if "id" in people.content else None
    return people_from_csv(
        folder / people.text("csv"),
        value=_columns(people),
        demand=people.text("demand"),
        id=identity,
    ).domain


def _columns(table: FileTable) -> str | tuple[str, ...]:
    """The column of the value, or the columns of its parts."""
    if isinstance(table.content.get("value"), list):
        return tuple(required_text(part, table.at("value")) for part in table.items("value"))
    return table.text("value")


def listed_values(table: FileTable, key: str, parameters: Mapping[str, str]) -> list[object]:
    """The values of a list, or of a text "1 to 300"."""
    given = table.get(key, None)
    if isinstance(given, str):
        return list(whole_numbers(given, table.at(key)))
    return [
        value_from_entry(each, f"{table.at(key)}[{i}]", parameters)
        for i, each in enumerate(table.items(key), 1)
    ]


def whole_numbers(text: str, where: str) -> range:
    """The numbers of a text "1 to 300", both ends included.

    >>> whole_numbers("18 to 20", "values")
    range(18, 21)
    """
    found = RANGE.fullmatch(text)
    if not found:
        raise BadInput(
            where,
            f"{text[:40]!r} is not a range of whole numbers",
            'write for example "1 to 300", or a list ["red", "blue"]',
        )
    low, high = int(found[1]), int(found[2])
    if not low <= high < low + MANY:
        raise BadInput(
            where,
            f"{text.strip()} has {max(high - low + 1, 0)} numbers",
            f"use 1 to {MANY} of them, the smaller end first",
        )
    return range(low, high + 1)


def _record(pair: object, where: str, parameters: Mapping[str, str]) -> Record:
    if not isinstance(pair, list) or len(pair) != 2:
        raise BadInput(
            where, "a record is not a pair of value and demand", 'write for example ["1", "log(2)"]'
        )
    value = value_from_entry(pair[0], where, parameters)
    demand = parse(required_text(pair[1], where), where)
    try:
        return Record(value, demand)
    except (BadInput, NotWorkedOut) as error:
        raise with_location(error, where) from None


def count_names(inputs: Inputs) -> tuple[Expression, ...]:
    return inputs.counts if isinstance(inputs, Domain) else ()
