"""A mechanism: for every input the distribution of its outputs, as one expression.

`density` is the density of real outputs, or the probability of integer and finite ones, as a
function of the outputs, the input and the parameters.  The input appears as sums, maxima and minima
over the records of the dataset (`Domain`), as q[1], q[2], ... (`Queries`) or as v (`Values`).
`atoms` are points with a probability of their own in addition to a density in one variable, such as
a clamped end or "NULL".  Labels are only compared, with == and !=, and a comparison that no value
can satisfy is refused.  `defined` says on which datasets the mechanism is defined.  Parameters are
any numbers that satisfy their conditions.

>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> W, s = Domain([(0, 0), (1, 1)]), Output("s", "real")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: eps * x))) / 2, name="weighted sum")
>>> print(M.density, Mechanism.from_json(M.to_json()) == M)
exp(-abs(s - sum(eps*x)))/2 True
>>> Mechanism(W, outputs=[s], density=s * name("t"))
Traceback (most recent call last):
ahdp_verify.kernel.errors.UnknownName: density: the name t is not known; known are s
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any, Protocol

from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.alternatives import Alternatives, Choices
from ahdp_verify.kernel.model.alternatives import shortened_text as _short
from ahdp_verify.kernel.model.canonical import Canonical, Listed
from ahdp_verify.kernel.model.declarations import (
    NamedConditions,
    check_known_distinct,
    check_no_duplicates,
    set_fields,
    value_key,
)
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.domain import Inputs as Inputs
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, aggregates, name, names, substitute
from ahdp_verify.kernel.terms.fingerprint import canonical_text
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.terms.stored import field_types

# most combinations of finite outputs that are listed one by one; beyond it coordinates
# must separate
JOINT = 4096
OUTPUT_KINDS = ("real", "integer", "finite")
NUMBER, LABEL, CONDITION, INFINITY = "a number", "a label", "a condition", "infinite"
COMPARED, ORDERED = (NUMBER, LABEL, INFINITY), (NUMBER, INFINITY)
TAKES = {
    "==": COMPARED,
    "!=": COMPARED,
    "<": ORDERED,
    "<=": ORDERED,
    "piecewise": ORDERED,
    "and": (CONDITION,),
    "or": (CONDITION,),
    "not": (CONDITION,),
}  # the kinds that arguments may have, for a piecewise node its values; other heads take numbers
TWO_MEANINGS = "eps is the demand of a record here, and a parameter is called eps as well"
RENAME = "rename the parameter, for example e, wherever it is meant"
OF_LEAF = {"label": LABEL, "boolean": CONDITION, "oo": INFINITY}


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Output(ex.Arithmetic, Listed):
    """One output: `name`, `kind` (real, integer or finite) and, for a finite one, its distinct
    `values`; it computes like its name.
    """

    name: str
    kind: str
    values: tuple[Expression, ...]

    def __init__(self, name: str, kind: str, values: Iterable[object] = ()) -> None:
        where = f"output {str(name)[:60]}"
        listed = tuple(reading.read_scalar(value, where) for value in values)
        reading.split_name(name, "output")
        if kind not in OUTPUT_KINDS:
            raise BadInput(
                where,
                f"{str(kind)[:60]} is not a kind of output",
                closest(str(kind), OUTPUT_KINDS, "the kinds are"),
            )
        if bool(listed) != (kind == "finite"):
            raise BadInput(
                where,
                f"a {kind} output with {len(listed)} values",
                "list the values of finite outputs, and of those only",
            )
        check_no_duplicates(listed, where, lambda value: f"the value {value}", value_key)
        check_known_distinct(listed, where)
        set_fields(self, name=name, kind=kind, values=listed)

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash((self.name, self.kind, self.values))

    def same(self, other: object) -> bool:
        """Whether `other` is an output with the same name, kind and values."""
        return type(other) is Output and (self.name, self.kind, self.values) == (
            other.name,
            other.kind,
            other.values,
        )

    @property
    def symbol(self) -> Expression:
        """The name of the output."""
        return name(self.name)


def outcomes(outputs: Iterable[Output]) -> Iterator[dict[str, Expression]]:
    """Every combination of values of finite outputs, by their names; the last output varies
    fastest.
    """
    listed = tuple(outputs)
    for values in itertools.product(*(o.values for o in listed)):
        yield {o.name: v for o, v in zip(listed, values, strict=True)}


def outcome_count(outputs: Iterable[Output]) -> int:
    """How many combinations of values the finite ones among some outputs have."""
    return prod(len(o.values) for o in outputs if o.kind == "finite")


def inputs_from_json(data: Any) -> Inputs:
    """The input of its canonical JSON, its kind told by the keys; BadInput for anything else."""
    keys = set(data) if isinstance(data, dict) else set()
    if keys & {"queries", "values"}:
        return Queries.from_json(data) if "queries" in data else Values.from_json(data)
    if "reals" in keys:
        from ahdp_verify.kernel.model.real_values import RealValues

        return RealValues.from_json(data)
    return Domain.from_json(data)


@dataclass(frozen=True, slots=True, init=False)
class Mechanism(Canonical):
    """The law of `outputs` given the inputs: `density` plus `atoms` (point, probability), on the
    datasets where `defined` holds.

    `parameters` are names with conditions, those of a universal domain first.  Raises BadInput
    naming the malformed part: an unknown name, a record's value outside sum, maximum or minimum,
    arithmetic on a label, an atom together with two outputs.
    """

    inputs: Inputs
    outputs: tuple[Output, ...]
    density: Expression
    atoms: tuple[tuple[Expression, Expression], ...]
    defined: Expression
    parameters: NamedConditions
    name: str

    where, readers = "mechanism", {"inputs": inputs_from_json}

    def __init__(
        self,
        inputs: Inputs,
        *,
        outputs: Iterable[Output],
        density: object,
        defined: object = None,
        name: str = "",
        atoms: Mapping[Any, object] | Iterable[tuple[object, object]] = (),
        parameters: Mapping[str, object] | NamedConditions = (),
        met: bool = True,
    ) -> None:
        """Atoms are a table point -> probability; conditions (of parameters, `defined`) are
        texts or expressions.  With `met`, comparisons that nothing satisfies are refused.
        """
        set_fields(
            self,
            inputs=inputs,
            name=name,
            outputs=(outputs,) if isinstance(outputs, Output) else tuple(outputs),
            density=reading.exact_expression(density, "density"),
            atoms=_read_atoms(atoms),
            parameters=_read_parameters(inputs, parameters),
            defined=ex.TRUE if defined is None else reading.read_condition(defined, "defined"),
        )
        if not self.outputs or not all(isinstance(o, Output) for o in self.outputs):
            raise BadInput(
                "outputs",
                "one of them is not an output" if self.outputs else "there is none",
                'write outputs=[real("s")]',
            )
        check_declarations(self, [o.name for o in self.outputs])
        _check_law(self, met=met)

    @classmethod
    def derived(cls, inputs: Inputs, **content: Any) -> Mechanism:
        """The same for a law that was composed of others, or stored: substitution may have left
        comparisons that nothing satisfies.
        """
        return cls(inputs, **content, met=False)

    def changed(self, **content: Any) -> Mechanism:
        """This mechanism with other fields, its law derived from the one that it has."""
        kept = {field: getattr(self, field) for field in field_types(Mechanism)}
        return Mechanism.derived(**{**kept, **content})

    def __str__(self) -> str:
        return display_name(self.name) or str(self.density)

    @classmethod
    def from_json(cls, data: Any) -> Mechanism:
        """The mechanism of its canonical JSON; BadInput for anything else."""
        try:
            return _of_text(canonical_text(data))
        except (TypeError, ValueError) as error:
            raise BadInput(
                "mechanism", "it is not what to_json returns", "save it again"
            ) from error

    @classmethod
    def of_json(cls, data: Any) -> Mechanism:
        """The mechanism of JSON that may not be canonical."""
        return cls.derived(**cls.fields_of_json(data))


@lru_cache(maxsize=8)  # so that the records of one file are about one object
def _of_text(text: str) -> Mechanism:
    return reading.from_canonical(
        Mechanism.of_json, Mechanism.to_json, json.loads(text), "mechanism"
    )


def _read_atoms(
    atoms: Mapping[Any, object] | Iterable[tuple[object, object]],
) -> tuple[tuple[Expression, Expression], ...]:
    pairs = atoms.items() if isinstance(atoms, Mapping) else atoms
    listed = tuple(
        (reading.read_scalar(at, "atom"), reading.exact_expression(mass, f"atom {at}"))
        for at, mass in pairs
    )
    check_no_duplicates(
        listed, "atom", lambda pair: f"the point {pair[0]}", lambda pair: value_key(pair[0])
    )
    check_known_distinct((at for at, _ in listed), "atom")
    return listed


def _read_parameters(
    inputs: Inputs, parameters: Mapping[str, object] | NamedConditions
) -> NamedConditions:
    if not isinstance(inputs, Inputs):
        raise BadInput(
            "inputs",
            f"{type(inputs).__name__} is not an input",
            "use Domain([...]), Queries(n), Values([...]) or RealValues({...})",
        )
    own = reading.declared_conditions(parameters, "parameter")
    return inputs.parameters + tuple(pair for pair in own if pair not in inputs.parameters)


def check_declarations(m: Described, outputs: Iterable[str], *reserved: str) -> None:
    """Nothing if every name has one meaning, and conditions and demands mention parameters only;
    BadInput otherwise.
    """
    if not isinstance(m.name, str):
        raise BadInput("name", f"{str(m.name)[:60]} is not a string", 'write name="..."')
    parameters = [key for key, _ in m.parameters]
    declared = [*outputs, *parameters]
    reading.check_names(declared, m.name or "names")
    for key in declared:
        if key.split("[")[0] in (*m.inputs.reserved, *reserved):
            raise BadInput(
                m.name or "names",
                f"{key} already names a part of the input",
                "rename the output or parameter",
            )
    reading.check_conditions(m.parameters, parameters, "parameter")
    m.inputs.check_parameters(parameters)


def _check_law(m: Mechanism, *, met: bool) -> None:
    """Nothing if density, atoms and `defined` use known names, each where it may occur and with its
    kind; with `met`, all comparisons must be satisfiable. BadInput otherwise.
    """
    if met:
        _check_atoms(m)
    check_kind(m.density, (NUMBER,), replace(name_scope(m, "density", m.outputs), met=met))
    outputs = {o.name for o in m.outputs}
    for node in ex.aggregates(m.density) if isinstance(m.inputs, Domain) else ():
        if spoken := names(node) & outputs:
            raise BadInput(
                "density",
                f"{node} refers to the output {min(spoken)}, so it is not determined by the dataset",
                "use sums over records of x and eps only",
            )
    of_input = replace(name_scope(m, "defined"), met=met)
    check_kind(m.defined, (CONDITION,), of_input)
    for at, mass in m.atoms:
        check_kind(mass, (NUMBER,), replace(of_input, where=f"mass of the atom {at}"))
    if m.atoms and len(m.outputs) != 1:
        raise BadInput(
            "atoms", f"there are {len(m.outputs)} outputs", "use atoms with one output only"
        )
    for at, _ in m.atoms:
        if m.outputs[0].kind == "finite" or (m.outputs[0].kind == "integer" and at.head != "label"):
            raise BadInput(
                f"atom {at}",
                f"the output is {m.outputs[0].kind}",
                "add the point to its values and its probability to the density",
            )


def _check_atoms(m: Mechanism) -> None:
    """BadInput for a density that compares the output with an atom that is a label: a density is a
    function of numbers.
    """
    labels = {at for at, _ in m.atoms if at.head == "label"}
    if labels:
        from ahdp_verify.kernel.model.suggestions import check_labels_of_atoms

        known = {*m.inputs.bound, *(o.name for o in m.outputs), *dict(m.parameters)}
        check_labels_of_atoms(labels, known)
    for node in ex.walk(m.density) if labels else ():
        for at in labels.intersection(node.args) if node.head in ("==", "!=") else ():
            if any(o.kind != "finite" and o.symbol in node.args for o in m.outputs):
                raise BadInput(
                    "density",
                    f"{node} asks for the atom {at}, and a density refers to numbers only",
                    f"write the probability of {at} under atoms",
                )


class Described(Protocol):
    """An object with inputs, outputs and parameters: a mechanism or a composite."""

    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> Inputs: ...
    @property
    def outputs(self) -> tuple[Output, ...]: ...
    @property
    def parameters(self) -> NamedConditions: ...


def check_level(
    m: Described, level: Expression, *, of_record: bool = True, what: str = "level"
) -> None:
    """BadInput unless the level is a number or oo in parameters and, if it is `of_record`, parts
    of one record (or v and other); a delta is a number, since oo would allow everything.
    """
    outer, record = frozenset(key for key, _ in m.parameters), frozenset[str]()
    if of_record and isinstance(m.inputs, Domain):
        record = frozenset(m.inputs.bound)
        if "eps" in outer & names(level) and any(r.demand != name("eps") for r in m.inputs.records):
            raise BadInput(what, TWO_MEANINGS, RENAME)
    outer |= m.inputs.pair_names if of_record else frozenset()
    choices = m.inputs.choices if names(level) else {}
    scope = NameScope(what, outer - record, record, choices, inside=True)
    check_kind(level, (NUMBER, INFINITY) if what == "level" else (NUMBER,), scope)


@dataclass(frozen=True, slots=True)
class NameScope:
    """The names that an expression may use: `outer` everywhere, `record` only inside record sums;
    `choices` gives the possible values of those that are not arbitrary numbers.

    With `met`, comparisons that no value can satisfy are refused.
    """

    where: str
    outer: frozenset[str]
    record: frozenset[str]
    choices: Choices
    outputs: tuple[Output, ...] = ()
    inside: bool = False
    met: bool = True


def name_scope(
    m: Described, where: str, outputs: tuple[Output, ...] = (), atoms: Iterable[Expression] = ()
) -> NameScope:
    """The scope of expressions about one input: its parameters and parts, and the given outputs,
    which may be `atoms` too.
    """
    parameters = frozenset(key for key, _ in m.parameters) | {o.name for o in outputs}
    bound, of_records = frozenset(m.inputs.bound), isinstance(m.inputs, Domain)
    outer = parameters if of_records else parameters | bound
    return NameScope(
        where,
        outer,
        bound if of_records else frozenset(),
        m.inputs.choices | choices_of_outputs(outputs, atoms),
        outputs,
    )


def choices_of_outputs(
    outputs: Iterable[Output], atoms: Iterable[Expression] = ()
) -> dict[str, Alternatives]:
    """The possible values of outputs that are not simply numbers: finite ones, and those with atoms
    that are labels.
    """
    labels = tuple(at for at in atoms if at.head == "label")
    return {
        o.name: Alternatives.of((*o.values, *labels), numbers=o.kind != "finite")
        for o in outputs
        if o.values or labels
    }


def check_kind(e: Expression, kinds: tuple[str, ...], scope: NameScope) -> str:
    """The kind of `e`; BadInput unless it is well formed in the scope and of one of the kinds: a
    number, a condition, a label, infinite.
    """
    kind = _kind_of(e, scope)
    if kind not in kinds:
        from ahdp_verify.kernel.model.suggestions import kind_error

        raise kind_error(e, kind, kinds, scope.choices, scope.where)
    return kind


def _kind_of(e: Expression, scope: NameScope) -> str:
    """The kind of `e`; BadInput for unknown names, misplaced records and arguments of a kind that
    the head does not take.
    """
    if e.head == "name":
        return _kind_of_name(e.args[0], scope)
    if e.head == "label":
        reading.check_label(e, scope.where)
    if e.head not in ex.HEADS:
        raise BadInput(
            scope.where,
            f"{_short(e)} cannot be part of a formula for a mechanism",
            "write it in elementary functions",
        )
    if e.head in ex.LEAVES:
        return OF_LEAF.get(e.head, NUMBER)
    if e.head == "index":
        return _kind_of_part(e, scope)
    inner = _inside(e, scope) if e.head in ex.AGGREGATES else scope
    kinds = [
        check_kind(
            part,
            (CONDITION,) if e.head == "piecewise" and i % 2 else TAKES.get(e.head, (NUMBER,)),
            inner,
        )
        for i, part in enumerate(e.args)
    ]
    if e.head in ("==", "!=") and scope.met:
        from ahdp_verify.kernel.model.comparisons import check_comparison

        check_comparison(e, scope.choices, scope.where)
    if e.head in ex.CONDITIONS:
        return CONDITION
    return INFINITY if e.head == "piecewise" and INFINITY in kinds else NUMBER


def _kind_of_name(key: str, scope: NameScope) -> str:
    if key in scope.record and not scope.inside and key not in scope.outer:
        raise BadInput(
            scope.where,
            f"{key} belongs to one record",
            "use it inside sum, count, maximum or minimum",
        )
    if key == "eps" and key in scope.record and scope.inside and key in scope.outer:
        raise BadInput(scope.where, TWO_MEANINGS, RENAME)
    if key in scope.record and scope.inside and key in scope.outer:
        raise BadInput(
            scope.where,
            f"{key} is part of the record and declared as well",
            "rename the output or parameter",
        )
    known = scope.outer | (scope.record if scope.inside else frozenset())
    if key not in known:
        from ahdp_verify.kernel.model.suggestions import refuse_unknown_name

        refuse_unknown_name(key, known, scope.choices, scope.where)
    return LABEL if key in scope.choices and scope.choices[key].is_label else NUMBER


def _kind_of_part(e: Expression, scope: NameScope) -> str:
    """The kind of x[k], where k is computed from one finite output, so that every part is known
    to exist.
    """
    used = names(e.args[1])
    chosen = [o for o in scope.outputs if o.kind == "finite" and {o.name} == used]
    if not chosen:
        raise BadInput(
            scope.where,
            f"{_short(e)} has no known part number",
            "use an integer or one finite output as the part number",
        )
    kinds = {_kind_of(substitute(e, {chosen[0].name: value}), scope) for value in chosen[0].values}
    return kinds.pop() if len(kinds) == 1 else NUMBER


def _inside(e: Expression, scope: NameScope) -> NameScope:
    if not scope.record:
        raise BadInput(scope.where, f"{_short(e)} needs a dataset", "use a Domain as the input")
    if scope.inside:
        raise BadInput(
            scope.where,
            f"{_short(e)} reads the dataset where one record is meant",
            "write an inner sum outside, under a name; a level or delta has no sums",
        )
    return replace(scope, inside=True)


def dataset_nodes(mechanism: Mechanism) -> tuple[Expression, ...]:
    """The record aggregates of a mechanism, in order of appearance."""
    return tuple(
        dict.fromkeys(
            n
            for e in (mechanism.density, *(m for _, m in mechanism.atoms), mechanism.defined)
            for n in aggregates(e)
        )
    )
