"""Exact reading of what users write: values, names with conditions, and canonical JSON; anything
malformed is a `BadInput`.

A text among values is a number when it reads as one ("0.5" is 1/2) and a label otherwise.  A name
is a word such as s or alpha, or part of a vector such as x[2]; a declared "x[8]" is the eight names
x[1] to x[8].  JSON is accepted only if writing the result again reproduces it exactly, so no two
files have the same meaning and nothing in a file is ignored.

>>> [str(e) for e in (exact_expression("0.5", "value"), read_value("yes"))]
['1/2', '"yes"']
>>> [(key, str(condition)) for key, condition in declared_conditions({"x[2]": "0 <= x"}, "unknown")]
[('x[1]', '0 <= x[1]'), ('x[2]', '0 <= x[2]')]
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any, TypeVar

from ahdp_verify.kernel.errors import (
    BadInput,
    NotWorkedOut,
    Undecided,
    UnknownName,
    Unsupported,
    closest,
    with_location,
)
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.ball import constant_sign, enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import has_no_value, no_value_text, normal
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms import printing
from ahdp_verify.kernel.terms.exact import guard_size, rational
from ahdp_verify.kernel.terms.expression import (
    Expression,
    from_json,
    name,
    names,
    oo,
    substitute,
    to_json,
    walk,
)
from ahdp_verify.kernel.terms.words import is_name

T = TypeVar("T")
Value = Expression | tuple[Expression, ...]
NamedConditions = tuple[tuple[str, Expression], ...]

NUMERAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(/[0-9]+)?")  # a number, however long it is
NOTATION = re.compile(r"[+-]?[0-9.]*[0-9]([eE][+-]?[0-9]+| ?%|,[0-9]+|(_[0-9]+)+)")
NAME = re.compile(r"(\w{1,60})(?:\[([1-9][0-9]{0,3})\])?", re.ASCII)
CONSTANT = frozenset(("number", "pi", *ex.ARITHMETIC))
MANY = 10_000  # most parts of one vector of values, names or queries; far beyond any mechanism seen


def exact_expression(value: object, where: str) -> Expression:
    """The expression of `value`, SymPy's included; BadInput naming `where` for a float or anything
    else that is not exact.
    """
    if isinstance(value, ex.Arithmetic | bool):
        return check_depth(ex.expression(value), where)
    if (read := ex.reader_of(value)) is not None:
        try:
            return check_depth(read(value), where)
        except (BadInput, NotWorkedOut) as error:
            raise with_location(error, where) from None
    return ex.number(guard_size(rational(value, where), where))


def check_depth(e: Expression, where: str) -> Expression:
    """`e` itself; BadInput when it could not be saved and read again: nested too deep, or with a
    function that no file may use (Ei).
    """
    layer = [e]
    for _ in range(ex.DEPTH):
        for node in layer:
            if node.head not in ex.HEADS:
                raise BadInput(
                    where,
                    f"{str(node)[:60]} cannot be part of a formula that is checked",
                    "write it in elementary functions",
                )
        layer = [part for node in layer if node.head not in ex.LEAVES for part in node.args]
        if not layer:
            return e
    raise BadInput(where, f"it is nested more than {ex.DEPTH} deep", "write it flatter")


def read_condition(given: object, where: str) -> Expression:
    """The condition of a text or an expression; the empty text stands for no condition."""
    if isinstance(given, bool):
        raise BadInput(
            where,
            f"it is just {given}, whatever the values are",
            'write the condition with eq(a, b), a < b and the like, or "" for none',
        )
    if isinstance(given, str):
        from ahdp_verify.kernel.terms.grammar import parse_condition

        return parse_condition(given, where)
    e = exact_expression(given, where)
    if not ex.is_condition(e):
        raise BadInput(where, f"{e} is not a condition", "write for example 0 <= alpha <= eps")
    return e


def read_value(value: object) -> Value:
    """The value as a tree: an exact constant, a label (a text that does not read as a number), or a
    tuple of those for a vector.
    """
    if not isinstance(value, list | tuple):
        return read_scalar(value, "value")
    if not 1 <= len(value) <= MANY:
        raise BadInput("value", f"a vector has {len(value)} parts", f"use 1 to {MANY}")
    return tuple(read_scalar(part, "value") for part in value)


def read_scalar(value: object, where: str) -> Expression:
    """The exact constant or the label that `value` is."""
    if isinstance(value, str) and not NUMERAL.fullmatch(value.strip()):
        return _label_of_text(value, where)
    e = exact_expression(value, where)
    if e.head == "label":
        return check_label(e, where)
    if not all(node.head in CONSTANT for node in walk(e)):
        raise BadInput(
            where,
            f"{e} is neither an exact constant nor a label",
            "write a number such as 1/2 or log(2), or a word in quotes",
        )
    canonical_constant(e, where)
    return e


def _label_of_text(text: str, where: str) -> Expression:
    """The label of a text; BadInput if it reads as a constant, since a text is never a formula, or
    as a number in another notation, such as 1e-5 or 50%.
    """
    from ahdp_verify.kernel.terms.grammar import parse

    constant = NOTATION.fullmatch(text.strip()) is not None
    with suppress(BadInput):
        e = parse(text, where)
        constant = not ex.names(e) and all(q.head in (*CONSTANT, "oo") for q in walk(e))
    if not constant:
        return ex.label(text)
    cure = "write log(2), Fraction(1, 3) and the like without quotes, or another word for a label"
    raise BadInput(where, f"the text {printing.quoted(text)} reads as a formula or number", cure)


def check_label(e: Expression, where: str) -> Expression:
    """The label `e` itself; BadInput when it reads as a number, since "1" and 1 would be two
    values that look like one.
    """
    if NUMERAL.fullmatch(e.args[0].strip()):
        raise BadInput(
            where,
            f"the label {e} reads as a number",
            "write numbers without quotes, and labels that are words",
        )
    return e


def canonical_constant(e: Expression, where: str) -> Ratio:
    """The canonical form of a tree without names; BadInput when it has no value, NotWorkedOut
    when none was found.
    """
    try:
        return normal(e, Context.empty())
    except (Undecided, Unsupported, ZeroDivisionError) as error:
        raise no_value_error(
            error, where, str(e), "use an exact constant such as 1/3 or log(2)"
        ) from error


def no_value_error(why: Exception, where: str, what: str, cure: str) -> BadInput | NotWorkedOut:
    """The error for an expression whose value was needed: BadInput if it has none, NotWorkedOut if
    none was found.
    """
    return (BadInput if has_no_value(why) else NotWorkedOut)(
        where, f"{what} {no_value_text(why)}", cure
    )


def read_demand(demand: object) -> Expression:
    """The demand as a tree: a constant that is not negative, an expression in parameters, or oo."""
    e = exact_expression(demand, "demand")
    if e == oo:
        return e
    if not all(node.head in CONSTANT or node.head == "name" for node in walk(e)):
        raise BadInput(
            "demand",
            f"the demand {e} is not a number",
            "use 0, a constant, an expression in parameters, or oo",
        )
    if not names(e) and constant_sign(canonical_constant(e, "demand")) == -1:
        raise BadInput("demand", f"the demand {e} is negative", "demands lie in [0, oo]")
    return e


def check_values(values: Sequence[Value], where: str) -> None:
    """BadInput unless there is a value, and all are scalars or all are vectors of one length."""
    if not values:
        raise BadInput(where, "it is empty", "list at least one")
    if len({len(v) if isinstance(v, tuple) else None for v in values}) > 1:
        raise BadInput(
            where, "its values have different numbers of parts", "give every vector the same length"
        )


def check_no_duplicates(
    things: Iterable[T], where: str, text: Callable[[T], str], key: Callable[[T], object]
) -> None:
    """BadInput with the text of the first thing whose key occurred before."""
    seen: set[object] = set()
    for thing in things:
        found = key(thing)
        if found in seen:
            raise BadInput(where, f"{text(thing)} is listed twice", "list each once")
        seen.add(found)


def value_key(value: Value) -> object:
    """A key that is equal for equal values: for constants their canonical text, so that 2*log(2)
    and log(4) share one; for other trees the tree itself.
    """
    if isinstance(value, tuple):
        return tuple(value_key(part) for part in value)
    if value.head in ex.LEAVES and value.head != "pi":
        return str(value.args[0]) if value.head == "number" else value
    try:
        found = normal(value, Context.empty())
        return found.key if found.as_rational is None else str(found.as_rational)
    except (Undecided, Unsupported, ZeroDivisionError):
        return value


def check_known_distinct(constants: Iterable[Expression], where: str) -> None:
    """Nothing if any two constants are known to differ; BadInput if two are equal, NotWorkedOut
    otherwise; labels differ from everything else.
    """
    listed = [(e, canonical_constant(e, where)) for e in constants if e.head != "label"]
    if all(r.as_rational is not None for _, r in listed):  # then their texts distinguish them
        return
    near: list[tuple[Fraction, Expression, Ratio]] = []  # those whose enclosures overlap
    try:
        places = sorted(((enclose(r), e, r) for e, r in listed), key=lambda item: item[0])
    except Unsupported as reason:
        raise NotWorkedOut(where, str(reason), "use smaller values") from None
    for (low, high), e, r in places:
        near = [item for item in near if item[0] >= low]
        for _, f, s in near:
            gap = constant_sign(r - s)
            if gap == 0:
                raise BadInput(where, f"{f} and {e} are equal", "list each value once")
            if gap is None:
                raise NotWorkedOut(
                    where,
                    f"{f} and {e} are not known to differ",
                    "list each value once, written in one way",
                )
        near.append((high, e, r))


def value_bindings(value: Value, base: str) -> dict[str, Expression]:
    """The values of the names of a value: {"x": value}, or {"x[1]": ..., "x[2]": ...} for a
    vector.
    """
    if not isinstance(value, tuple):
        return {base: value}
    return {f"{base}[{i}]": part for i, part in enumerate(value, 1)}


def value_text(value: Value) -> str:
    """The value in the grammar, a vector in parentheses."""
    return f"({', '.join(str(part) for part in value)})" if isinstance(value, tuple) else str(value)


def split_name(text: object, where: str) -> tuple[str, int | None]:
    """The base and the bracketed number (or None) of a name such as s or x[8]; BadInput when it is
    not a name, or is a reserved word.
    """
    match = NAME.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise BadInput(
            where,
            f"{str(text)[:60]!r} is not a name",
            "use letters, digits and _, and x[8] for a vector of 8 parts",
        )
    if not is_name(match[1]):
        raise BadInput(where, f"{match[1]} is a number or a reserved word", "use a different name")
    return match[1], int(match[2]) if match[2] else None


def declared_names(key: str, where: str) -> tuple[str, ...]:
    """The names that a declaration declares: s for "s", x[1] to x[8] for "x[8]"."""
    base, size = split_name(key, where)
    return (base,) if size is None else tuple(f"{base}[{i}]" for i in range(1, size + 1))


def check_names(keys: Iterable[str], where: str) -> None:
    """BadInput unless every name is declared once, and vectors with their parts 1, 2, 3, ... in
    order.
    """
    parts: dict[str, list[int | None]] = {}
    for key in keys:
        base, part = split_name(key, where)
        parts.setdefault(base, []).append(part)
    for base, found in parts.items():
        if found not in ([None], list(range(1, len(found) + 1))):
            raise BadInput(
                where,
                f"the name {base} is declared twice, or its parts are not 1, 2, 3, ...",
                "rename one of them",
            )


def declared_conditions(conditions: Any, where: str) -> NamedConditions:
    """The names with their conditions; "x[8]" declares x[1] to x[8], each in place of x in its copy
    of the condition.  A tuple is one of names with their conditions already.

    A condition is a text or an expression; the empty text stands for no condition.
    """
    if isinstance(conditions, tuple):
        return conditions
    if not isinstance(conditions, Mapping):
        raise BadInput(where, f"{str(conditions)[:40]} is no table", 'write {"b": "b > 0"}')
    named: list[tuple[str, Expression]] = []
    for key, given in conditions.items():
        condition, parts = read_condition(given, f"{where} {key}"), declared_names(key, where)
        named += [(part, substitute(condition, {part.split("[")[0]: name(part)})) for part in parts]
    return tuple(named)


def check_conditions(named: NamedConditions, known: Iterable[str], where: str) -> None:
    """BadInput naming the first entry that is not a condition on known names alone, without sums
    over records.
    """
    known = frozenset(known)
    for key, condition in named:
        read_condition(condition, f"{where} {key}")
        if any(node.head in ex.AGGREGATES for node in walk(condition)):
            raise BadInput(
                f"{where} {printing.display_name(str(key))}",
                f"{condition} depends on the dataset",
                "use unknowns and parameters only",
            )
        check_known(condition, known, f"{where} {key}")
        for node in walk(condition):
            if node.head == "label":
                raise BadInput(
                    f"{where} {key}",
                    f"{node} is a label, and every {where} is a number",
                    "use numbers in its condition",
                )
        check_kinds(condition, f"{where} {key}")


def check_kinds(condition: Expression, where: str) -> None:
    """BadInput if a number is used in place of a condition, or a condition in place of a number."""
    for node in walk(condition):
        for i, part in enumerate(node.args if node.head not in ex.LEAVES else ()):
            asked = node.head in ("and", "or", "not") or (node.head == "piecewise" and i % 2 == 1)
            if ex.is_condition(part) is not asked:
                raise BadInput(
                    where,
                    f"{str(part)[:60]} is {'no' if asked else 'a'} condition",
                    "compare numbers with ==, <, <= and the like",
                )
            if _may_be_infinite(part) and node.head not in ("==", "!=", "<", "<=", "piecewise"):
                raise BadInput(
                    where, f"{str(node)[:60]} computes with oo", "compare with oo, as in eps < oo"
                )


def _may_be_infinite(e: Expression) -> bool:
    return e == oo or (e.head == "piecewise" and any(map(_may_be_infinite, e.args[::2])))


def check_known(e: Expression, known: Iterable[str], where: str) -> None:
    """BadInput naming the first name in `e` that is not known."""
    listed = sorted(frozenset(known))
    for key in sorted(names(e).difference(listed)):
        cure = closest(str(key), listed, "known are") if listed else "declare it as a parameter"
        raise UnknownName(where, printing.display_name(str(key)), cure)


def value_to_json(value: Value) -> Any:
    """The canonical JSON of a value: that of its expression, or ["vector", parts ...]."""
    if not isinstance(value, tuple):
        return to_json(value)
    return ["vector", *(to_json(part) for part in value)]


def value_from_json(data: Any) -> Value:
    """The value of its canonical JSON."""
    return read_value(
        [from_json(part) for part in data[1:]] if data[0] == "vector" else from_json(data)
    )


def named_to_json(named: NamedConditions) -> Any:
    """The canonical JSON of names with conditions: pairs, in order."""
    return [[key, to_json(condition)] for key, condition in named]


def named_from_json(data: Any) -> NamedConditions:
    """The names with conditions of their canonical JSON."""
    return tuple((key, from_json(condition)) for key, condition in data)


def set_fields(thing: object, **content: object) -> None:
    """Sets the fields of a frozen thing under construction."""
    for field, value in content.items():
        object.__setattr__(thing, field, value)


def from_canonical(
    build: Callable[[Any], T], write: Callable[[T], Any], data: Any, where: str
) -> T:
    """The result of `build` on JSON data; BadInput if it fails in any way or if `write` does not
    reproduce the data exactly.
    """
    try:
        built = build(data)
        same = json.dumps(write(built), sort_keys=True) == json.dumps(data, sort_keys=True)
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise BadInput(where, "it is not what to_json returns", "save it again") from error
    if not same:
        raise BadInput(where, "it is not in canonical form", "save it again")
    return built
