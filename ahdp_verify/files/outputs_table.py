"""The outputs of a mechanism in a file, and its distribution: one density for all outputs, or a law
for each.

An output is one name, a vector (`size`), or a family with a part for each of several values
(`over`).

>>> from ahdp_verify.kernel.model.domain import Queries
>>> table = read_table({"outputs": [{"name": "s", "law": "laplace(q[1], 2)"}]}, "mechanism", None)
>>> declared = declared_outputs(table, Queries(1), {})
>>> found = distribution(table, declared, Queries(1), ExpressionScope({}, ()), {})
>>> print(*found.outputs, found.density)
s exp(-abs(s - q[1])/2)/4
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ahdp_verify.files.law_text import LawText
from ahdp_verify.files.scope import (
    NOTHING,
    ExpressionScope,
    Family,
    family_from_table,
    values_of_text,
)
from ahdp_verify.files.table import FileTable, read_table, scalar_from_text, whole_number
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.declarations import declared_names
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.mechanism import Inputs, Output
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.laws.building import atoms_of, joint_density
from ahdp_verify.laws.law import Law

KEYS = ("name", "kind", "values", "size", "over", "law")
ATOM = ("at", "mass")
Atoms = tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class Distribution:
    """The outputs of a mechanism with their density and points of mass; `laws` are the words by
    the names of the outputs, none where the density is written.
    """

    outputs: list[Output]
    density: Expression
    atoms: Atoms
    laws: Mapping[str, Law]


@dataclass(frozen=True, slots=True)
class DeclaredOutput:
    """One entry of `outputs`: the names that it declares, the values that it lists, the family that
    it is, and whether it has a law.
    """

    table: FileTable
    names: tuple[str, ...]
    values: tuple[Expression, ...]
    family: Family | None
    has_law: bool

    @property
    def base(self) -> str:
        return self.names[0].split("[")[0]

    def plain(self) -> Iterator[Output]:
        """The outputs, whose kind is written."""
        for part in self.names:
            yield Output(part, self.table.text("kind"), self.values)

    def members(self) -> Iterator[tuple[str, Mapping[str, Expression]]]:
        """Each name with what is bound in its law."""
        if self.family is not None:
            yield from self.family.members()
        else:
            yield from ((part, NOTHING) for part in self.names)


def declared_outputs(
    table: FileTable, inputs: Inputs, parameters: Mapping[str, str]
) -> list[DeclaredOutput]:
    """The entries of `outputs`, before their laws are read."""
    listed: list[DeclaredOutput] = []
    for i, given in enumerate(table.items("outputs"), 1):
        output = read_table(given, f"{table.at('outputs')}[{i}]", KEYS)
        known = [o for d in listed if not d.has_law for o in d.plain()]
        has_law = "law" in output.content
        named, family = _names(output, inputs, parameters, known)
        values = _values(output, inputs, parameters)
        listed.append(DeclaredOutput(output, named, values, family, has_law))
    return listed


def _names(
    table: FileTable, inputs: Inputs, parameters: Mapping[str, str], known: list[Output]
) -> tuple[tuple[str, ...], Family | None]:
    text = table.text("name")
    if "over" not in table.content:
        size = (
            f"[{whole_number(table.text('size'), table.at('size'))}]"
            if "size" in table.content
            else ""
        )
        return declared_names(text + size, table.at("name")), None
    if "size" in table.content:
        raise BadInput(table.at("size"), "over says already how many parts there are", "drop size")
    family = family_from_table(table, text, inputs, parameters, known)
    return declared_names(f"{text}[{len(family.keys)}]", table.at("name")), family


def _values(
    table: FileTable, inputs: Inputs, parameters: Mapping[str, str]
) -> tuple[Expression, ...]:
    given = table.content.get("values", ())
    if isinstance(given, str):
        return values_of_text(given, table.at("values"), inputs)
    return tuple(
        scalar_from_text(v, table.at("values"), parameters) for v in table.items("values", ())
    )


def families_of(declared: list[DeclaredOutput]) -> dict[str, Family]:
    """The families among the outputs, by name."""
    return {d.base: d.family for d in declared if d.family is not None}


def plain_outputs(declared: list[DeclaredOutput]) -> list[Output]:
    """The outputs, where no law may be given."""
    for d in declared:
        if d.has_law:
            raise BadInput(
                d.table.at("law"), "a law has no meaning here", "write the kind of the output"
            )
    return [o for d in declared for o in d.plain()]


def distribution(
    table: FileTable,
    declared: list[DeclaredOutput],
    inputs: Inputs,
    scope: ExpressionScope,
    parameters: Mapping[str, str],
) -> Distribution:
    """The outputs, the density and the points of mass of a mechanism, and the laws that it is
    written in.
    """
    if not any(d.has_law for d in declared):
        outputs = plain_outputs(declared)
        inside = scope.with_outputs(outputs)
        density = inside.parse(table, "density")
        return Distribution(outputs, density, _atoms(table, inside, parameters), {})
    _check_laws_alone(table, declared)
    laws: dict[str, Law] = {}
    outputs = []
    for d in declared:
        if d.family is not None:
            d.family.check_used(d.table.text("law"), d.table.at("law"))
        for part, bound in d.members():
            law = _law(d, inputs, scope.with_outputs(outputs), bound)
            laws[part] = law
            outputs.append(Output(part, law.kind, law.values))
    return Distribution(outputs, joint_density(laws), atoms_of(laws), laws)


def _check_laws_alone(table: FileTable, declared: list[DeclaredOutput]) -> None:
    """BadInput if the distribution is given in two ways, or for some outputs only."""
    (first, *_), without = (
        [d for d in declared if d.has_law],
        [d for d in declared if not d.has_law],
    )
    if "density" in table.content:
        raise BadInput(
            table.at("density"),
            f"the law of {first.base} defines the distribution already",
            "drop density, or drop the law and write the kind of the output",
        )
    if "atoms" in table.content:
        raise BadInput(
            table.at("atoms"),
            f"the law of {first.base} has its own points of mass",
            "drop atoms, or drop the law and write density",
        )
    if without:
        raise BadInput(
            without[0].table.where,
            f"{first.base} has a law and {without[0].base} has none",
            f"give {without[0].base} a law as well, or write one density for both",
        )


def _law(
    d: DeclaredOutput, inputs: Inputs, scope: ExpressionScope, bound: Mapping[str, Expression]
) -> Law:
    """The law of one part; BadInput where the kind or the values that are written are not its."""
    values = d.values
    if not values and isinstance(inputs, Values):
        values = tuple(v for v in inputs.values if isinstance(v, Expression))
    text, where = d.table.text("law"), d.table.at("law")
    law = LawText(text, where, scope, bound=bound, output=d.base, values=values).law()
    kind = d.table.text("kind", law.kind)
    if kind != law.kind:
        raise BadInput(
            d.table.at("kind"), f"an output with this law is {law.kind}, not {kind}", "drop kind"
        )
    if d.values and law.values != d.values:
        raise BadInput(d.table.at("values"), f"the values of {law} are not these", "drop values")
    return law


def _atoms(table: FileTable, scope: ExpressionScope, parameters: Mapping[str, str]) -> Atoms:
    listed = [
        read_table(a, f"{table.at('atoms')}[{i}]", ATOM)
        for i, a in enumerate(table.items("atoms", ()), 1)
    ]
    return tuple(
        (scalar_from_text(a.get("at", None), a.at("at"), parameters), scope.parse(a, "mass"))
        for a in listed
    )
