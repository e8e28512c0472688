"""What the expressions of a file may use: let names, families, and finite outputs as values.

A family is a name with one part for each of several values: `over = "c in values of x"` declares
h["red"], h["blue"], ... (h[1], h[2], ... in the mechanism), and in what belongs to a member, c is
its value.  Where the values are 1, 2, 3, ... a part may have any counter as its number; otherwise
parts are called by their values.  A sum over records that mentions a finite output, such as
count(x == r), is written out for each value of it.

>>> from ahdp_verify.kernel.terms.expression import label
>>> red, blue = label("red"), label("blue")
>>> scope = ExpressionScope({}, (), {"h": Family("h", (red, blue))}, (Output("r", "finite", (red, blue)),))
>>> print(scope.read('h["blue"] - count(x == r)', "density"))
h[2] - piecewise((count(x == "red"), r == "red"), (count(x == "blue"), true))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ahdp_verify.files.domain_table import RANGE, whole_numbers
from ahdp_verify.files.table import FileTable, read_table, required_text, scalar_from_text
from ahdp_verify.kernel.errors import BadInput, GrammarError
from ahdp_verify.kernel.model.declarations import value_key
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Inputs, Output
from ahdp_verify.kernel.terms.expression import (
    AGGREGATES,
    Expression,
    eq,
    name,
    names,
    number,
    piecewise,
    substitute,
    transform,
)
from ahdp_verify.kernel.terms.grammar import parse, parse_condition
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.terms.tokens import Token, tokens
from ahdp_verify.kernel.terms.words import is_name

NOTHING: Mapping[str, Expression] = MappingProxyType({})
OF_FAMILY = ("over", "value")  # the keys of a let that is a family
OVER = re.compile(r"\s*(?:([A-Za-z_][A-Za-z0-9_]*)\s+in\s+)?(.*)", re.ASCII | re.DOTALL)
VALUES_OF = re.compile(r"values\s+of\s+(\S+)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Family:
    """A name with a part for each key, in order; `binder` stands for the key in what is written
    once for all parts ("" for none).
    """

    name: str
    keys: tuple[Expression, ...]
    binder: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether the keys are 1, 2, 3, ..., so that they are the numbers of the parts."""
        return all(key == number(i) for i, key in enumerate(self.keys, 1))

    def members(self) -> Iterator[tuple[str, Mapping[str, Expression]]]:
        """The name of each part, with what the binder stands for there."""
        for i, key in enumerate(self.keys, 1):
            yield f"{self.name}[{i}]", {self.binder: key} if self.binder else NOTHING

    def part(self, key: Expression, where: str) -> int:
        """The number of the part of a key; BadInput if there is none."""
        wanted = value_key(key)
        for i, known in enumerate(self.keys, 1):
            if value_key(known) == wanted:
                return i
        shown = ", ".join(map(str, self.keys[:5])) + (", ..." if len(self.keys) > 5 else "")
        raise BadInput(where, f"{self.name} has no part {key}", f"its parts are {shown}")


@dataclass(frozen=True, slots=True)
class ExpressionScope:
    """What expressions of the file may use besides names: the let expressions (parts of a family
    under c[1], c[2], ...), what count(1), count(2), ... stand for, the families, and the finite
    outputs.
    """

    lets: Mapping[str, Expression]
    records: tuple[Expression, ...]
    families: Mapping[str, Family] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()

    def parse(self, table: FileTable, key: str, default: str | None = None) -> Expression:
        """The expression under a key."""
        return self.read(table.text(key, default), table.at(key))

    def read(self, text: str, where: str, bound: Mapping[str, Expression] = NOTHING) -> Expression:
        """The expression of a text, in which `bound` names stand for values."""
        lets = {**self.lets, **bound} if bound else self.lets
        tree = parse(self.with_numbers(text, where, bound), where, lets, records=self.records)
        return self.written_out(tree, where) if self.outputs else tree

    def condition(self, table: FileTable, key: str) -> Expression:
        """The condition under a key, true where there is none."""
        where = table.at(key)
        text = self.with_numbers(table.text(key, ""), where, NOTHING)
        return parse_condition(text, where, self.lets)

    def with_outputs(self, outputs: Iterable[Output]) -> ExpressionScope:
        """The same, with the finite ones among these outputs."""
        return replace(self, outputs=tuple(o for o in outputs if o.kind == "finite"))

    def with_numbers(self, text: str, where: str, bound: Mapping[str, Expression]) -> str:
        """The text with the number of the part in place of each key, h[2] for h["blue"]."""
        keyed = {k: f for k, f in self.families.items() if not f.is_counted}
        if not keyed or not isinstance(text, str) or not any(k in text for k in keyed):
            return text
        listed = list(tokens(text, where))
        pieces, done = [], 0
        for at, token in enumerate(listed[:-2]):
            if token.text not in keyed or listed[at + 1].text != "[":
                continue
            closing = next((t for t in listed[at:] if t.text == "]"), None)
            if closing is None:
                continue  # the parser says so
            begin, end = listed[at + 1].position, closing.position - 1
            key = text[begin:end].strip()
            pieces += [text[done:begin], self._number(keyed[token.text], key, bound, where, token)]
            done = end
        return "".join((*pieces, text[done:]))

    def _number(
        self,
        family: Family,
        key: str,
        bound: Mapping[str, Expression],
        where: str,
        token: Token,
    ) -> str:
        """The number of the part, or the name of an output that chooses it."""
        if key in bound:
            return str(family.part(bound[key], where))
        if is_name(key):
            if key in {o.name for o in self.outputs}:
                return key
            raise GrammarError(
                where,
                token.position,
                f"the parts of {family.name} are called by their values, and {key} is not one",
                f"write for example {family.name}[{family.keys[0]}]",
            )
        return str(family.part(parse(key, where), where))

    def written_out(self, e: Expression, where: str) -> Expression:
        """The expression with one branch for each value of a finite output where it chooses a part
        of a family, or is compared inside a sum over records.
        """
        by_name = {o.name: o for o in self.outputs}

        def change(node: Expression) -> Expression | None:
            chosen = sorted(names(node) & by_name.keys()) if node.head in AGGREGATES else []
            if node.head == "index" and node.args[0].args[0] in self.families:
                chosen = sorted(names(node.args[1]) & by_name.keys())
            if not chosen:
                return None
            output = by_name[chosen[0]]
            branches = [self._at(node, output.name, v, where) for v in output.values]
            *first, last = zip(branches, output.values, strict=True)
            return piecewise(*((b, eq(output, v)) for b, v in first), (last[0], True))

        return transform(e, change)

    def _at(self, node: Expression, key: str, value: Expression, where: str) -> Expression:
        if node.head != "index":
            return self.written_out(substitute(node, {key: value}), where)
        family = self.families[node.args[0].args[0]]
        part = f"{family.name}[{family.part(substitute(node.args[1], {key: value}), where)}]"
        return self.lets.get(part, name(part))


def family_from_table(
    table: FileTable,
    base: str,
    inputs: Inputs,
    parameters: Mapping[str, str],
    outputs: Sequence[Output] = (),
) -> Family:
    """The family that the key `over` declares."""
    where, given = table.at("over"), table.get("over", None)
    if isinstance(given, list):
        keys = tuple(
            scalar_from_text(each, f"{where}[{i}]", parameters) for i, each in enumerate(given, 1)
        )
        return Family(base, keys)
    found = OVER.fullmatch(required_text(given, where))
    binder = (found[1] or "") if found else ""
    if binder and (not is_name(binder) or binder in ("x", "eps", base)):
        raise BadInput(where, f"{binder} has a meaning already", 'write "c in values of x"')
    text = found[2] if found else ""
    return Family(base, values_of_text(text, where, inputs, outputs), binder)


def values_of_text(
    text: str, where: str, inputs: Inputs, outputs: Sequence[Output] = ()
) -> tuple[Expression, ...]:
    """The values of "1 to 300", of "values of x" (or x[2], v, eps), or of a finite output."""
    if RANGE.fullmatch(text):
        return tuple(number(k) for k in whole_numbers(text, where))
    found = VALUES_OF.fullmatch(text)
    if not found:
        raise BadInput(
            where,
            f"{text[:40]!r} names no values",
            'write "values of x", "1 to 300", or with a name "c in values of x"',
        )
    key = found[1]
    for o in outputs:
        if o.name == key and o.values:
            return o.values
    rows: list[Mapping[str, Expression]] = []
    if isinstance(inputs, Domain):
        rows = [r.bindings for r in inputs.records]
    elif isinstance(inputs, Values):
        rows = [inputs.bindings(value) for value in inputs.values]
    if not rows:
        raise BadInput(where, "the input has no listed values", "write them as a list")
    if key not in rows[0]:
        raise BadInput(
            where,
            f"{key} is not a part of a record or value",
            f"write values of {' or '.join(rows[0])}",
        )
    return tuple({value_key(row[key]): row[key] for row in rows}.values())


def scope_from_table(
    table: FileTable,
    taken: set[str],
    records: tuple[Expression, ...],
    families: Mapping[str, Family] = MappingProxyType({}),
    source: tuple[Inputs, Mapping[str, str]] | None = None,
) -> ExpressionScope:
    """The scope with the let names of the table, each of which may use those above it.

    A let is a text, or, where `source` (inputs and parameters) is given, a family: {over = "c in
    values of x", value = "count(x == c)"}.
    """
    scope = ExpressionScope({}, records, dict(families))
    for key, given in table.content.items():
        where = table.at(key)
        if not is_name(key) or key in taken:
            reason = (
                f"{display_name(key)} already names an output, a parameter or a part of the input"
                if key in taken
                else f"{key!r} is not a name"
            )
            raise BadInput(
                f"let.{display_name(key)}", reason, "choose another name of letters, digits and _"
            )
        if source is not None and isinstance(given, Mapping):
            inner = read_table(given, where, OF_FAMILY)
            family = family_from_table(inner, key, *source)
            text, at = inner.text("value"), inner.at("value")
            found = {part: scope.read(text, at, bound) for part, bound in family.members()}
            scope = replace(scope, families={**scope.families, key: family})
        else:
            found = {key: scope.read(table.text(key), f"let.{key}")}
        for later in sorted(
            {n for e in found.values() for n in names(e)} & table.content.keys() - scope.lets.keys()
        ):
            raise BadInput(
                f"let.{display_name(key)}",
                f"it uses {display_name(later)}, which is not defined above it",
                f"define {display_name(later)} first",
            )
        scope = replace(scope, lets={**scope.lets, **found})
    return scope
