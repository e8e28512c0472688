"""People in a table (CSV): who has which value and which demand, and the records that they share.

Nothing is guessed.  Columns are separated by commas, or by semicolons if the header says so; a
number has a decimal point and is taken exactly ("0.1" is 1/10); what is not a number is a label.
Whatever cannot be read that way (another encoding, a decimal comma, a missing demand) is an error
that names the line.

A domain is public: it says which records a dataset may hold.  One that is read from the people
themselves shows which values and demands occur among them, so use it where that may be known.

>>> import pathlib, tempfile
>>> path = pathlib.Path(tempfile.mkdtemp(), "users.csv")
>>> _ = path.write_text("name,age,eps\\nann,34,0.5\\nbob,34,1/2\\ncyd,51,oo\\n")
>>> people = people_from_csv(path, value="age", demand="eps", id="name")
>>> print(*people.domain.records, people.dataset)
(34, 1/2) (51, oo) {2 x (34, 1/2), (51, oo)}
>>> print(people.summary)
users.csv: 3 people, 2 different records; (34, 1/2) is shared by 2 people: ann, bob
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from ahdp_verify.canonical_json import file_bytes
from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, with_location
from ahdp_verify.kernel.model.declarations import NOTATION, value_key
from ahdp_verify.kernel.model.domain import Domain, Record
from ahdp_verify.kernel.terms.expression import Expression, label, names
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import named_path

LARGEST = 20_000_000  # most bytes of a table
PEOPLE = 200_000  # most rows; reading so many takes a few seconds
COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(/[0-9]+)?")
ABSENT = ("", "na", "n/a", "nan", "null")  # cells that stand for nothing
SHOWN = 5  # people, and shared records, that a summary lists


@dataclass(frozen=True, slots=True)
class Person:
    """One row: its line in the file, the name of the person or "line 7", and the record."""

    line: int
    name: str
    record: Record


@dataclass(frozen=True, slots=True)
class People:
    """The people of a file; `domain` is the set of their records, `dataset` the multiset."""

    file: str
    people: tuple[Person, ...]
    domain: Domain
    dataset: Multiset

    def __repr__(self) -> str:
        return f"<{self.summary[:100]}>"

    def sharing(self, record: Record) -> tuple[str, ...]:
        """The names of those who have this record."""
        return tuple(p.name for p in self.people if p.record == record)

    @property
    def summary(self) -> str:
        """How many people and records there are, and who share one: the largest groups first."""
        groups: dict[Record, list[str]] = {}
        for p in self.people:
            groups.setdefault(p.record, []).append(p.name)
        shared = sorted((g for g in groups.items() if len(g[1]) > 1), key=lambda g: -len(g[1]))
        parts = [f"{self.file}: {len(self.people)} people, {len(groups)} different records"]
        parts += [
            f"{record} is shared by {len(who)} people: {_shortened(who)}"
            for record, who in shared[:SHOWN]
        ]
        if len(shared) > SHOWN:
            parts.append(f"{len(shared) - SHOWN} more records are shared")
        return "; ".join(parts)


def _shortened(names_: Sequence[str]) -> str:
    more = len(names_) - SHOWN
    return ", ".join(names_[:SHOWN]) + (f" and {more} others" if more > 0 else "")


def domain_from_csv(
    path: str | Path, *, value: str | Sequence[str], demand: str, id: str | None = None
) -> Domain:
    """The domain of the records that occur in a table; a record that several people share is
    listed once.

    value    the column with the value, or several columns for a vector
    demand   the column with the demand, in nats: a number, a constant such as log(2), or oo
    id       a column that names the people in messages; by default their line

    `people_from_csv` keeps the people as well.  Raises BadInput with the line.
    """
    return people_from_csv(path, value=value, demand=demand, id=id).domain


def people_from_csv(
    path: str | Path, *, value: str | Sequence[str], demand: str, id: str | None = None
) -> People:
    """The people of a table, the domain of their records and the dataset that they form; arguments
    as for `domain_from_csv`.
    """
    shown = named_path(path)
    rows = _rows(_text(path), shown)
    header = next(rows, (1, []))[1]
    values = (value,) if isinstance(value, str) else tuple(value)
    columns = [_column(header, key, shown) for key in (*values, demand, *([id] if id else []))]
    people: list[Person] = []
    first: tuple[str, ...] = ()
    known: dict[tuple[str, ...], Record] = {}  # rows with the same texts have the same record
    distinct: dict[object, Record] = {}
    for line, cells in rows:
        if len(people) == PEOPLE:
            raise BadInput(shown, f"it has more than {PEOPLE} rows", "use a part of it")
        where = f"{shown}, line {line}"
        if len(cells) != len(header):
            raise BadInput(
                where,
                f"it has {len(cells)} cells in place of {len(header)}",
                "quote cells that contain the separator",
            )
        texts = tuple(cells[i].strip() for i in columns[: len(values) + 1])
        first = first or texts
        if texts not in known:
            _check_alike(texts, first, values, where)
            found = _record(texts, (*values, demand), where, vector=not isinstance(value, str))
            parts = found.value if isinstance(found.value, tuple) else (found.value,)
            key = tuple(value_key(part) for part in (*parts, found.demand))
            known[texts] = distinct.setdefault(key, found)
        name = cells[columns[-1]].strip() if id else ""
        people.append(Person(line, name or f"line {line}", known[texts]))
    if not people:
        raise BadInput(shown, "it has no rows below the header", "add the people")
    domain = Domain(distinct.values())
    return People(
        Path(path).name, tuple(people), domain, Multiset(domain, [p.record for p in people])
    )


def _text(path: str | Path) -> str:
    shown = named_path(path)
    content = file_bytes(path, LARGEST, "use a part of it, or list the records")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{shown}, line {line}", "it is not UTF-8 text", "save the file as UTF-8"
        ) from None


def _rows(text: str, shown: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row that is not empty, the header first."""
    header = text.partition("\n")[0]
    separator = ";" if ";" in header and "," not in header else ","
    if ";" in header and "," in header:
        raise BadInput(
            f"{shown}, line 1",
            "both commas and semicolons occur in the header",
            "separate the columns by commas only",
        )
    if "\t" in header and separator not in header:
        raise BadInput(
            f"{shown}, line 1", "its columns are separated by tabs", "save it with commas"
        )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(f"{shown}, line {line}", f"it is not CSV: {error}", "fix the row") from None


def _column(header: Sequence[str], key: str, shown: str) -> int:
    """The position of a column; BadInput if there is none, or two, of that name."""
    found = [i for i, cell in enumerate(header) if cell.strip() == key]
    if len(found) == 1:
        return found[0]
    listed = [cell.strip() for cell in header]
    close = get_close_matches(key, listed, 1)
    raise BadInput(
        f"{shown}, line 1",
        f"there {'are two columns' if found else 'is no column'} called {key[:60]}",
        "rename one of them"
        if found
        else f"did you mean {close[0]}?"
        if close
        else f"the columns are {', '.join(listed)[:200]}",
    )


def _check_alike(
    texts: Sequence[str], first: Sequence[str], keys: Sequence[str], where: str
) -> None:
    """BadInput for a label in a column of numbers, or a number in one of labels: it may be a word
    for a missing value.
    """
    for text, other, key in zip(texts, first, keys, strict=False):
        if text and bool(NUMBER.fullmatch(text)) is not bool(NUMBER.fullmatch(other)):
            kind = "not a number" if NUMBER.fullmatch(other) else "a number"
            raise BadInput(
                where,
                f"the {key} {text[:40]} is {kind}, and that of the first person is {other[:40]}",
                "fill it in, or leave the person out",
            )


def _record(texts: Sequence[str], keys: Sequence[str], where: str, *, vector: bool) -> Record:
    """The record of the texts of a row, the demand last; BadInput for a cell without a meaning."""
    *values, demand = texts
    for text, key in zip(texts, keys, strict=True):
        if text.lower() in ABSENT:
            raise BadInput(where, f"the {key} is missing", "fill it in, or leave the person out")
        if COMMA.fullmatch(text):
            raise BadInput(
                where,
                f"the {key} {text} has a comma",
                f"write {text.replace(',', '.')} if it is the decimal point, or leave it out",
            )
    for text, key in zip(values, keys, strict=False):
        if NOTATION.fullmatch(text):
            said = f"the {key} {text[:40]} is a number in another notation"
            raise BadInput(where, said, "write a decimal such as 0.001, or a fraction")
    read = [parse(t, where) if NUMBER.fullmatch(t) else label(t) for t in values]
    try:
        return Record(tuple(read) if vector else read[0], _demand(demand, keys[-1], where))
    except (BadInput, NotWorkedOut) as error:
        raise with_location(error, f"{where}, {error.where}") from None


def _demand(text: str, key: str, where: str) -> Expression:
    try:
        found = parse("oo" if text.lower() in ("inf", "infinity") else text, where)
    except BadInput:
        found = label(text)
    if names(found) or found.head == "label":
        raise BadInput(
            where,
            f"the {key} {text[:40]} is not a demand",
            "write a number such as 0.5, a constant such as log(2), or oo",
        )
    return found
