"""TOML mechanism files: the tables of the file, key by key, as a mechanism with its claims.

Every number and every expression is a quoted string in the package's own grammar, so nothing is
rounded and nothing is run.  Let names are expressions that later strings may use; count(i) is the
multiplicity of the i-th listed record.  In values, a word that is not a constant and a text in
double quotes are labels ("yes", "\\"two words\\""), and everything else is an exact constant.  In
expressions labels are in double quotes and can only be compared, with == and !=; a comparison that
no record, value or output can satisfy is an error that lists the possible labels.  An unknown key
is an error.

>>> file = read_mechanism_file({"format": 2, "domain": {"queries": "2"}, "let": {"b": "1/2"}, "mechanism": {
...     "outputs": [{"name": "s", "kind": "real"}], "density": "exp(-abs(s - max(q[1], q[2]))/b)/(2*b)"},
...     "claim": [{"relation": "all", "level": "2", "expect": "proved"}]}, "largest")
>>> print(*file.claims, file.notes[0].expect)
largest is DP for all answers moving at level 2 proved
>>> read_mechanism_file({"format": 2, "domain": {"queries": 2}}, "largest")
Traceback (most recent call last):
ahdp_verify.kernel.errors.BadInput: domain.queries: the bare number 2 stands where a quoted text is expected; write "2" with quotes
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import declared_names
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.terms.expression import Expression, label, names
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.terms.printing import display_name, quoted
from ahdp_verify.kernel.terms.words import is_name

FORMAT = 2
EXPECTED = ("proved", "vacuous", "refuted", "unknown", "refused")
OF_DEMAND = ("ahdp", "hdp")  # relations whose level is the demand unless the file says otherwise
KINDS_OF_INPUT = ("records", "universal", "values", "queries")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
KEYS = {
    "": ("format", "name", "note", "parameters", "let", "domain", "mechanism", "claim"),
    "domain": (*KINDS_OF_INPUT, "unknowns"),
    "mechanism": ("outputs", "density", "atoms", "defined"),
    "output": ("name", "kind", "values", "size"),
    "atom": ("at", "mass"),
    "claim": ("relation", "level", "delta", "public", "name", "note", "expect", "least"),
}


@dataclass(frozen=True, slots=True)
class ClaimNote:
    """What a file states besides a claim: its name, a remark, the expected verdict ("" for none),
    the least level that holds.
    """

    name: str = ""
    note: str = ""
    expect: str = ""
    least: Expression | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class MechanismFile:
    """A mechanism, its claims, and one note per claim."""

    mechanism: Mechanism
    claims: tuple[Claim, ...]
    notes: tuple[ClaimNote, ...]

    __repr__ = short_repr


def read_mechanism_file(document: Mapping[str, Any], stem: str) -> MechanismFile:
    """The content of a TOML document; `stem` names a mechanism that has no name of its own.

    Raises BadInput, whose `where` is the dotted name of the key, for an unknown or missing key and
    for an invalid value.
    """
    check_format(document)
    top = read_table(document, "", KEYS[""])
    parameters = top.texts("parameters")
    inputs = inputs_from_table(top.table("domain", KEYS["domain"]), parameters)
    outer = top.table("mechanism", KEYS["mechanism"])
    outputs = outputs_from_table(outer, parameters)
    taken = {
        key.split("[")[0]
        for key in (*parameters, *(o.name for o in outputs), *inputs.bound, "eps", "other")
    }
    scope = ExpressionScope(
        let_trees(top.texts("let"), taken, count_names(inputs)), count_names(inputs)
    )
    mechanism = mechanism_from_table(
        outer, inputs, outputs, parameters, scope, top.text("name", stem)
    )
    claims = [
        read_table(c, f"claim[{i}]", KEYS["claim"]) for i, c in enumerate(top.items("claim", ()), 1)
    ]
    notes = tuple(note_from_table(c, scope) for c in claims)
    check_distinct([note.name for note in notes if note.name])
    return MechanismFile(mechanism, tuple(_claim(c, mechanism, scope) for c in claims), notes)


def check_format(document: Mapping[str, Any]) -> None:
    """BadInput unless the file has the current format; for format 1 the message states what to
    change.
    """
    if "format" not in document:
        raise BadInput("format", "the key is missing", f"add a line format = {FORMAT}")
    found = document["format"]
    if type(found) is int and found == 1:
        raise BadInput(
            "format",
            "format 1 is no longer supported",
            "write format = 2, rule for law, inclusion_probability for keep, and [inequality] for "
            "[statement]",
        )
    if type(found) is not int or found != FORMAT:
        raise BadInput(
            "format",
            f"{display_name(str(found)[:40])} is not a supported format",
            f"write format = {FORMAT} as the first line",
        )


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table of the file with its dotted name."""

    content: Mapping[str, Any]
    where: str

    def at(self, key: str) -> str:
        shown = key if WORD.fullmatch(key) else quoted(key)
        return f"{self.where}.{shown}" if self.where else shown

    def get(self, key: str, default: object) -> Any:
        """The value of a key, or its default; BadInput for a missing key without one."""
        if key not in self.content and default is None:
            raise BadInput(self.at(key), "the key is missing", f"add a line {key} = ...")
        return self.content.get(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        return _text(self.get(key, default), self.at(key))

    def items(self, key: str, default: tuple[()] | None = None) -> list[Any]:
        found = self.get(key, default)
        if not isinstance(found, list | tuple):
            raise BadInput(
                self.at(key),
                f"{_kind(found)} stands where a list is expected",
                f"write {key} = [...]",
            )
        return list(found)

    def table(self, key: str, keys: tuple[str, ...]) -> FileTable:
        return read_table(self.get(key, None), self.at(key), keys)

    def texts(self, key: str) -> dict[str, str]:
        """A table of texts, empty if it is missing."""
        inner = read_table(self.get(key, {}), self.at(key), None)
        return {word: inner.text(word) for word in inner.content}


@dataclass(frozen=True, slots=True)
class ExpressionScope:
    """What expressions of the file may use besides names: the let expressions, and what count(1),
    count(2), ... stand for.
    """

    lets: Mapping[str, Expression]
    records: tuple[Expression, ...]

    def parse(self, table: FileTable, key: str, default: str | None = None) -> Expression:
        return parse(table.text(key, default), table.at(key), self.lets, records=self.records)


def read_table(content: object, where: str, keys: tuple[str, ...] | None) -> FileTable:
    """The table with this dotted name; BadInput for a key that is not in `keys`, unless that is
    None.
    """
    if not isinstance(content, Mapping):
        raise BadInput(
            where,
            f"{_kind(content)} stands where a table is expected",
            "write it as {key = ...} or under its own heading",
        )
    table = FileTable(content, where)
    for key in content:
        if keys is not None and key not in keys:
            raise BadInput(
                table.at(key),
                "the key is not known",
                closest(key, keys, "the keys here are"),
            )
    return table


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return f"the bare word {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the bare number {str(value)[:40]}"
    return (
        "a text"
        if isinstance(value, str)
        else "a list"
        if isinstance(value, list)
        else "a table"
        if isinstance(value, dict)
        else "a date or time"
    )


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        cure = (
            f'write "{str(value).lower()[:40]}" with quotes'
            if isinstance(value, bool | int | float)
            else "write a text in double quotes"
        )
        raise BadInput(where, f"{_kind(value)} stands where a quoted text is expected", cure)
    return value


def _whole(text: str, where: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise BadInput(
            where, f"{text[:40]!r} is not a whole number from 1 to 9999", 'write for example "3"'
        )
    return int(text)


def scalar_from_text(given: object, where: str, parameters: Mapping[str, str]) -> Expression:
    """The label or the constant of a text."""
    text = _text(given, where).strip()
    if text in parameters:
        raise BadInput(
            where,
            f"{text} is a parameter, and values are constants or labels",
            "use a universal domain for unknown values",
        )
    return label(text) if WORD.fullmatch(text) and text not in ("pi", "oo") else parse(text, where)


def _value(given: object, where: str, parameters: Mapping[str, str]) -> object:
    if isinstance(given, list):
        return tuple(
            scalar_from_text(part, f"{where}[{i}]", parameters) for i, part in enumerate(given, 1)
        )
    return scalar_from_text(given, where, parameters)


def inputs_from_table(table: FileTable, parameters: Mapping[str, str]) -> Inputs:
    """The input of the mechanism: a dataset over listed records or over a universal domain, a
    value, or query answers.
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
        return Domain(
            _record(pair, f"{table.at('records')}[{i}]", parameters)
            for i, pair in enumerate(table.items("records"), 1)
        )
    if kinds == ["values"]:
        return Values(
            _value(given, f"{table.at('values')}[{i}]", parameters)
            for i, given in enumerate(table.items("values"), 1)
        )
    if kinds == ["queries"]:
        return Queries(_whole(table.text("queries"), table.at("queries")))
    if table.content["universal"] is not True:
        raise BadInput(
            table.at("universal"),
            f"{_kind(table.content['universal'])} has no meaning here",
            "write universal = true, or list records",
        )
    return Domain.universal(table.texts("unknowns"), parameters)


def _record(pair: object, where: str, parameters: Mapping[str, str]) -> tuple[object, object]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise BadInput(
            where, "a record is not a pair of value and demand", 'write for example ["1", "log(2)"]'
        )
    return _value(pair[0], where, parameters), parse(_text(pair[1], where), where)


def count_names(inputs: Inputs) -> tuple[Expression, ...]:
    return inputs.counts if isinstance(inputs, Domain) else ()


def outputs_from_table(table: FileTable, parameters: Mapping[str, str]) -> list[Output]:
    listed: list[Output] = []
    for i, given in enumerate(table.items("outputs"), 1):
        output = read_table(given, f"{table.at('outputs')}[{i}]", KEYS["output"])
        values = [
            scalar_from_text(v, output.at("values"), parameters) for v in output.items("values", ())
        ]
        size = (
            f"[{_whole(output.text('size'), output.at('size'))}]"
            if "size" in output.content
            else ""
        )
        listed += [
            Output(part, output.text("kind"), values)
            for part in declared_names(output.text("name") + size, output.at("name"))
        ]
    return listed


def let_trees(
    texts: Mapping[str, str], taken: set[str], records: tuple[Expression, ...]
) -> dict[str, Expression]:
    """The expressions of the let names, each of which may use those above it."""
    lets: dict[str, Expression] = {}
    for key, text in texts.items():
        if not is_name(key) or key in taken:
            reason = (
                f"{display_name(key)} already names an output, a parameter or a part of the input"
                if key in taken
                else f"{key!r} is not a name"
            )
            raise BadInput(
                f"let.{display_name(key)}", reason, "choose another name of letters, digits and _"
            )
        lets[key] = parse(text, f"let.{key}", lets, records=records)
        for later in sorted(names(lets[key]) & texts.keys()):
            raise BadInput(
                f"let.{display_name(key)}",
                f"it uses {display_name(later)}, which is not defined above it",
                f"define {display_name(later)} first",
            )
    return lets


def mechanism_from_table(
    table: FileTable,
    inputs: Inputs,
    outputs: list[Output],
    parameters: Mapping[str, str],
    scope: ExpressionScope,
    name: str,
) -> Mechanism:
    atoms = [
        read_table(a, f"{table.at('atoms')}[{i}]", KEYS["atom"])
        for i, a in enumerate(table.items("atoms", ()), 1)
    ]
    return Mechanism(
        inputs,
        outputs=outputs,
        density=scope.parse(table, "density"),
        parameters=parameters,
        name=name,
        atoms=[
            (scalar_from_text(a.get("at", None), a.at("at"), parameters), scope.parse(a, "mass"))
            for a in atoms
        ],
        defined=parse_condition(table.text("defined", ""), table.at("defined"), scope.lets),
    )


def _claim(table: FileTable, mechanism: Mechanism, scope: ExpressionScope) -> Claim:
    relation = table.text("relation")
    level = scope.parse(table, "level", "eps" if relation in OF_DEMAND else None)
    public = tuple(_text(part, table.at("public")) for part in table.items("public", ()))
    return Claim(mechanism, relation, level, scope.parse(table, "delta", "0"), public)


def note_from_table(table: FileTable, scope: ExpressionScope) -> ClaimNote:
    expect = table.text("expect", "")
    if expect not in ("", *EXPECTED):
        raise BadInput(
            table.at("expect"),
            f"{expect[:40]!r} is not a verdict",
            f"write one of {', '.join(EXPECTED)}",
        )
    least = scope.parse(table, "least") if "least" in table.content else None
    return ClaimNote(table.text("name", ""), table.text("note", ""), expect, least)


def check_distinct(found: list[str]) -> None:
    for name in found:
        if found.count(name) > 1:
            raise BadInput(
                "claim", f"two claims are called {display_name(name)}", "rename one of them"
            )
