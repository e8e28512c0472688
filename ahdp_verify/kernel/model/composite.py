"""Composite mechanisms, abstract mechanisms, and claims about both.

A `Composite` is a tree: its rule states how its distribution is made from the distributions of its
parts, and its parts are claims, so that each part comes with the level that it is known to keep.

    compose        the parts run one after the other on the same input; a part may have parameters
                   that are named like outputs of earlier parts
    product        the same, and no part reads an earlier output
    post_process   one part, whose outputs y are replaced by formulas in y; or a part and a second
                   mechanism that reads y, of which only the outputs are released
    subsample      the part runs on a random dataset that keeps each record with the probability
                   `keep`, independently
    mixture        one part, chosen with given probabilities, runs; the choice is not released
    normalised     outputs of probability proportional to exp(score)
    pull_back      each record is replaced by a record of the part's domain, then the part runs
    group          the part itself, claimed for any two datasets

An `AbstractMechanism` stands for any mechanism that satisfies a given claim: what is proved about
it holds for all of them.  The rules for levels are in `ahdp_verify.kernel.rules.composition`.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> W = Domain([(1, log(2))])
>>> base = assume(W, "add-remove", log(4), text="any log(4)-DP mechanism")
>>> print(CompositeClaim(Composite("subsample", (base,), formulas=(exact_expression("1/3", "keep"),)), "ahdp", exact_expression(Expression("name", ("eps",)), "level")))
subsample(any log(4)-DP mechanism) is AHDP at level eps
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ahdp_verify.kernel.errors import (
    BadInput,
    LawFault,
    NotWorkedOut,
    Undecided,
    Undefined,
    Unsupported,
)
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.alternatives import Alternatives
from ahdp_verify.kernel.model.canonical import Canonical
from ahdp_verify.kernel.model.claim import (
    RELATION_WORDS,
    Claim,
    check_public,
    check_range,
    check_relation,
)
from ahdp_verify.kernel.model.comparisons import check_comparison, known_to_differ
from ahdp_verify.kernel.model.declarations import NamedConditions, exact_expression, set_fields
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import (
    JOINT,
    NUMBER,
    Inputs,
    Mechanism,
    NameScope,
    Output,
    check_declarations,
    check_kind,
    check_level,
    choices_of_outputs,
    inputs_from_json,
    outcome_count,
    outcomes,
)
from ahdp_verify.kernel.model.neighbours import parameter_context, substitute_nodes
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.numbers.algebra import constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import known_truth, normal
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    aggregates,
    conjunction,
    conjuncts,
    from_json,
    names,
    substitute,
    to_json,
    transform,
    walk,
)
from ahdp_verify.kernel.terms.printing import display_name
from ahdp_verify.kernel.terms.stored import field_types

PART_COUNTS = {
    "compose": (1, None),
    "product": (1, None),
    "post_process": (1, 2),
    "subsample": (1, 1),
    "mixture": (1, None),
    "normalised": (0, 0),
    "pull_back": (1, 1),
    "group": (1, 1),
}  # the least and the largest number of parts
PAIRS = "pairs"  # the relation that compares any two datasets
ALL_RELATION_WORDS = RELATION_WORDS | {PAIRS: "private between any two datasets"}
DEEP = 40  # most nested composites; guards Python's recursion limit
MANY = 1000  # most mechanisms in one tree; guards the running time of a check


@dataclass(frozen=True, slots=True)
class AbstractMechanism(Canonical):
    """Any mechanism on `inputs` that satisfies this claim; `outputs` give names to the outputs, and
    stand for any output space.
    """

    name: str
    inputs: Inputs
    relation: str
    level: Expression
    delta: Expression = ZERO
    outputs: tuple[Output, ...] = (Output("y", "real"),)
    parameters: NamedConditions = ()

    def __post_init__(self) -> None:
        if (
            not isinstance(self.inputs, Domain | Queries | Values)
            or not all(isinstance(o, Output) for o in self.outputs)
            or not self.outputs
        ):
            raise BadInput(
                "assume",
                "it needs inputs and outputs",
                'write assume(Domain([...]), "ahdp", level, outputs=[real("y")])',
            )
        _check_declared(self, [o.name for o in self.outputs])
        if self.relation == PAIRS:
            raise BadInput(
                "relation",
                "only a group claim may compare any two datasets",
                "assume a claim about single moves, and use group(...)",
            )
        check_relation(self.relation, self.inputs, self.name)
        check_range(self.level, self.delta)
        check_level(self, self.level, of_record=self.relation in ("ahdp", "hdp", "any"))
        check_level(self, self.delta, of_record=self.relation == "ahdp", what="delta")

    @property
    def defined(self) -> Expression:
        """An abstract mechanism is defined on all inputs."""
        return TRUE

    def __str__(self) -> str:
        said = f"any mechanism that is {_bound_text(self.relation, self.level, self.delta)}"
        return said if self.name == said else display_name(self.name)

    def to_json(self) -> Any:
        """The canonical JSON, distinguished from that of other mechanisms by the key "assumed"."""
        return {
            "name": self.name,
            "inputs": self.inputs.to_json(),
            "assumed": [self.relation, to_json(self.level), to_json(self.delta)],
            "outputs": [o.to_json() for o in self.outputs],
            "parameters": reading.named_to_json(self.parameters),
        }

    @classmethod
    def of_json(cls, data: Any) -> AbstractMechanism:
        """The mechanism of JSON that may not be canonical."""
        relation, level, delta = data["assumed"]
        said = relation, from_json(level), from_json(delta)
        outputs = tuple(map(Output.from_json, data["outputs"]))
        named = reading.named_from_json(data["parameters"])
        return cls(data["name"], inputs_from_json(data["inputs"]), *said, outputs, named)


def _bound_text(relation: str, level: Expression, delta: Expression) -> str:
    """What a claim states about its mechanism, in words."""
    return f"{ALL_RELATION_WORDS.get(relation, relation)} at level {level}" + (
        "" if delta == ZERO else f" and delta {delta}"
    )


def assumptions(mechanism: AnyMechanism) -> tuple[str, ...]:
    """What is assumed about the abstract mechanisms in a tree, in words, each once; omitted for
    those whose name states it.
    """
    if isinstance(mechanism, Composite):
        return tuple(
            dict.fromkeys(said for part in mechanism.parts for said in assumptions(part.mechanism))
        )
    if not isinstance(mechanism, AbstractMechanism):
        return ()
    said = _bound_text(mechanism.relation, mechanism.level, mechanism.delta)
    return (
        ()
        if mechanism.name == f"any mechanism that is {said}"
        else (f"{display_name(mechanism.name)} is {said}",)
    )


def assume(
    inputs: Inputs,
    relation: str,
    level: object,
    *,
    delta: object = 0,
    text: str = "",
    outputs: Iterable[Output] = (real("y"),),
    parameters: Mapping[str, object] | None = None,
) -> CompositeClaim:
    """The claim of an arbitrary mechanism that is private under `relation` at `level` (nats): a
    premise for theorems about all such mechanisms.
    """
    own = inputs.parameters if isinstance(inputs, Domain) else ()
    listed = (
        *own,
        *(
            pair
            for pair in reading.declared_conditions(parameters or {}, "parameter")
            if pair not in own
        ),
    )
    at = exact_expression(level, "level")
    slack = exact_expression(delta, "delta")
    text = text or f"any mechanism that is {_bound_text(relation, at, slack)}"
    abstract = AbstractMechanism(text, inputs, relation, at, slack, tuple(outputs), listed)
    return CompositeClaim(abstract, relation, at, slack)


@dataclass(frozen=True, slots=True, init=False)
class Composite(Canonical):
    """A mechanism made of `parts`.

    rule       how it is constructed, see above
    inputs     of normalised and pull_back: its own; else those of the parts
    released   of post_process by formulas, and of normalised: the outputs
    formulas   of post_process: one for each output, in the part's outputs; of subsample: `keep`; of
               mixture: the probabilities; of normalised: the score, and the least and largest
               amount by which a move may change it; of pull_back: what each name of the part's
               records is
    own        parameters that are not those of the parts
    """

    rule: str
    parts: tuple[AnyClaim, ...]
    name: str
    domain: Inputs | None
    released: tuple[Output, ...]
    formulas: tuple[Expression, ...]
    own: NamedConditions
    # of the parts, for a search to try first, where there are any; not part of the mechanism's
    # identity
    proofs: tuple[object, ...] = field(compare=False, repr=False)

    readers: ClassVar = {
        "parts": lambda data: [_part(part) for part in data],
        "domain": lambda data: None if data is None else inputs_from_json(data),
    }

    def __init__(
        self,
        rule: str,
        parts: Iterable[AnyClaim] = (),
        *,
        name: str = "",
        domain: Inputs | None = None,
        released: Iterable[Output] = (),
        formulas: Iterable[object] = (),
        own: Mapping[str, object] | NamedConditions = (),
        proofs: Iterable[object] = (),
    ) -> None:
        listed = reading.declared_conditions(own, "parameter")
        set_fields(
            self,
            rule=rule,
            parts=tuple(parts),
            name=name,
            domain=domain,
            released=tuple(released),
            own=listed,
            proofs=tuple(proofs),
            formulas=tuple(exact_expression(f, "formula") for f in formulas),
        )
        _check_composite(self)

    @property
    def inputs(self) -> Inputs:
        """The input of the mechanism."""
        return self.domain if self.domain is not None else self.parts[0].mechanism.inputs

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs that are released."""
        if (
            self.released or not self.parts
        ):  # a normalised mechanism without outputs is refused when its names are checked
            return self.released
        if self.rule in ("compose", "product"):
            return tuple(o for part in self.parts for o in part.mechanism.outputs)
        return self.parts[-1].mechanism.outputs

    @property
    def parameters(self) -> NamedConditions:
        """The parameters of the parts that are not outputs of earlier parts, and its own."""
        of_parts = [
            pair
            for part, earlier in self.stages()
            for pair in part.mechanism.parameters
            if pair[0] not in earlier
        ]
        own_domain = self.domain.parameters if isinstance(self.domain, Domain) else ()
        return tuple(dict.fromkeys((*own_domain, *of_parts, *self.own)))

    @property
    def defined(self) -> Expression:
        """Where the mechanism is defined: where all parts are."""
        whole = conjunction(part.mechanism.defined for part in self.parts)
        if self.rule == "pull_back" and isinstance(bound := self.parts[0].mechanism.inputs, Domain):
            formulas = dict(zip(bound.bound, self.formulas, strict=True))
            whole = conjunction(_moved_aggregates(c, formulas) for c in conjuncts(whole))
        return whole

    def stages(self) -> Iterator[tuple[AnyClaim, frozenset[str]]]:
        """The parts, each with the names of the outputs that it may read."""
        earlier: frozenset[str] = frozenset()
        for part in self.parts:
            yield part, earlier
            if self.rule in ("compose", "post_process"):
                earlier |= {o.name for o in part.mechanism.outputs}

    def changed(self, **content: Any) -> Composite:
        """This mechanism with other fields."""
        kept = {key: getattr(self, key) for key in (*field_types(Composite), "proofs")}
        return Composite(**{**kept, **content})

    def named(self, name: str) -> Composite:
        """The same mechanism under another name."""
        return self.changed(name=name)

    def __str__(self) -> str:
        return (
            display_name(self.name)
            or f"{self.rule}({', '.join(_name_in_composite(part.mechanism) for part in self.parts) or ', '.join(o.name for o in self.released)})"
        )


AnyMechanism = Mechanism | Composite | AbstractMechanism


def _name_in_composite(mechanism: AnyMechanism) -> str:
    """The name of a part in the name of its composite: its own name, or its outputs."""
    return (
        str(mechanism)
        if mechanism.name or isinstance(mechanism, Composite)
        else f"release of {', '.join(o.name for o in mechanism.outputs)}"
    )


@dataclass(frozen=True, slots=True)
class CompositeClaim(Canonical):
    """The claim that a composite or an abstract mechanism is private: as `Claim`, also with the
    relation "pairs" for any two datasets.

    For pairs, `level` is of one record: the loss between two datasets is at most their distance,
    the sum of level * |difference of counts|.
    """

    mechanism: Composite | AbstractMechanism
    relation: str
    level: Expression
    delta: Expression = ZERO
    public: tuple[str, ...] = ()

    readers: ClassVar = {
        "mechanism": lambda data: (Composite if "rule" in data else AbstractMechanism).of_json(data)
    }

    def __post_init__(self) -> None:
        if not isinstance(self.mechanism, Composite | AbstractMechanism):
            raise BadInput(
                "mechanism",
                f"{type(self.mechanism).__name__} is not a mechanism",
                "give a Mechanism, or what compose(...) and the like return",
            )
        if self.relation == PAIRS and not (
            isinstance(self.mechanism, Composite) and self.mechanism.rule == "group"
        ):
            raise BadInput(
                "relation", "only a group claim may compare any two datasets", "use group(...)"
            )
        moved = "ahdp" if self.relation == PAIRS else self.relation
        check_relation(moved, self.mechanism.inputs, str(self.mechanism))
        check_range(self.level, self.delta)
        check_public(self.public, self.relation, self.mechanism.inputs)
        check_level(
            self.mechanism, self.level, of_record=self.relation in ("ahdp", "hdp", "any", PAIRS)
        )
        check_level(self.mechanism, self.delta, of_record=self.relation == "ahdp", what="delta")

    def __str__(self) -> str:
        public = f" with {', '.join(self.public)} public" if self.public else ""
        return f"{self.mechanism} is {_bound_text(self.relation, self.level, self.delta)}{public}"


AnyClaim = Claim | CompositeClaim


def claim_from_json(data: Any) -> AnyClaim:
    """The claim of its canonical JSON; BadInput for anything else."""
    return (CompositeClaim if _is_composite(data) else Claim).from_json(data)


def _is_composite(data: Any) -> bool:
    """Whether JSON is that of a claim about a composite or an abstract mechanism."""
    mechanism = data.get("mechanism") if isinstance(data, dict) else None
    return isinstance(mechanism, dict) and not {"rule", "assumed"}.isdisjoint(mechanism)


def _part(data: Any) -> AnyClaim:
    return CompositeClaim.of_json(data) if _is_composite(data) else Claim.from_json(data)


# what a composite must be to have a meaning


def _check_composite(m: Composite) -> None:
    least, most = PART_COUNTS.get(m.rule, (0, -1))
    if m.rule not in PART_COUNTS:
        raise BadInput(
            "rule",
            f"{str(m.rule)[:40]!r} does not construct a mechanism",
            "use " + ", ".join(PART_COUNTS),
        )
    if not least <= len(m.parts) or (most is not None and len(m.parts) > most):
        raise BadInput(
            m.rule,
            f"it has {len(m.parts)} parts",
            f"give "
            f"{least if least == most else f'{least} or more' if most is None else f'{least} to {most}'}",
        )
    if not all(isinstance(part, Claim | CompositeClaim) for part in m.parts):
        raise BadInput(m.rule, "a part is not a claim", "give claims, as in ahdp(M, level)")
    if m.domain is None and not m.parts:
        raise BadInput(m.rule, "it has no inputs", "give it a domain")
    if not isinstance(m.inputs, Domain | Queries | Values):
        raise BadInput(
            m.rule,
            "composition is worked out for datasets, query answers and listed values only",
            "write the whole law as one density",
        )
    if m.rule == "normalised" and not m.released:
        raise BadInput(m.rule, "it has no outputs", "give it finite outputs")
    check_size(m)
    if any(part.relation == PAIRS for part in m.parts):
        raise BadInput(
            m.rule,
            "a part is compared between any two datasets",
            "use the part itself, and group the whole",
        )
    if m.domain is None and any(
        part.mechanism.inputs != m.parts[0].mechanism.inputs for part in m.parts
    ):
        raise BadInput(
            m.rule, "its parts have different inputs", "pull the parts back to one domain first"
        )
    _check_names(m)
    CHECKS.get(m.rule, _plain)(m)


def _check_names(m: Composite) -> None:
    """Every name has one meaning: outputs are distinct, parameters of the same name have the
    same condition, and an output is read only later.
    """
    outputs = (
        [o.name for part in m.parts for o in part.mechanism.outputs]
        if m.rule in ("compose", "product", "post_process")
        else [o.name for o in m.outputs]
    )
    if m.rule == "post_process":
        outputs += [o.name for o in m.released]
    reading.check_names(outputs, f"outputs of {m.rule}")
    conditions: dict[str, Expression] = {}
    for key, condition in m.parameters:
        if conditions.setdefault(key, condition) != condition:
            raise BadInput(
                m.rule,
                f"the parameter {key} has two conditions, {conditions[key]} and {condition}",
                "state one condition, or rename one of them",
            )
    if clash := set(outputs) & set(conditions):
        cure = (
            "use compose if a part reads it"
            if m.rule == "product"
            else "rename the parameter, or put the part that releases it first"
        )
        raise BadInput(m.rule, f"{min(clash)} is both an output and a parameter", cure)
    for part, earlier in m.stages():
        _check_read(m, part, earlier)
    _check_declared(m, outputs)
    for f in m.formulas:
        reading.check_depth(f, f"formula of {m.rule}")


def _check_declared(m: Composite | AbstractMechanism, outputs: Iterable[str]) -> None:
    """Nothing if names have one meaning each, and the parameters of the domain are among those of
    the mechanism; BadInput otherwise.
    """
    listed = isinstance(m.inputs, Domain) and not m.inputs.is_universal
    check_declarations(m, outputs, *(("eps",) if listed else ()))
    if not set(m.inputs.parameters) <= set(m.parameters):
        raise BadInput(
            "parameters",
            "those of the domain are not among them",
            "give the domain's parameters with their conditions",
        )


def check_size(m: Composite) -> None:
    """BadInput for a tree of more than MANY mechanisms, or of composites nested more than DEEP
    levels.
    """
    layer: list[AnyMechanism] = [m]
    total = 0
    for _ in range(DEEP):
        total += len(layer)
        if total > MANY:
            raise BadInput(
                m.rule,
                f"it has more than {MANY} parts, those of its parts included",
                "prove a part first and state its claim as an assumption",
            )
        layer = [
            part.mechanism
            for inner in layer
            if isinstance(inner, Composite)
            for part in inner.parts
        ]
        if not layer:
            return
    raise BadInput(
        m.rule, "composites are nested too deep", f"use at most {DEEP} inside each other"
    )


def output_labels(mechanism: AnyMechanism, key: str) -> tuple[Expression, ...]:
    """The labels that an output may be, as far as can be seen; an empty tuple only if it is always
    a number.
    """
    if not isinstance(mechanism, Composite):
        values = tuple(v for o in mechanism.outputs if o.name == key for v in o.values)
        atoms = tuple(at for at, _ in mechanism.atoms) if isinstance(mechanism, Mechanism) else ()
        return tuple(v for v in (*values, *atoms) if v.head == "label")
    if mechanism.rule == "normalised":
        return tuple(
            v for o in mechanism.released if o.name == key for v in o.values if v.head == "label"
        )
    if mechanism.rule != "post_process" or not mechanism.released:
        releasing = (
            part.mechanism
            for part in mechanism.parts
            if key in {o.name for o in part.mechanism.outputs}
        )
        return tuple(v for part in releasing for v in output_labels(part, key))
    formula = next(
        f for o, f in zip(mechanism.released, mechanism.formulas, strict=True) if o.name == key
    )
    first = mechanism.parts[0].mechanism
    sources = {
        o.name: output_labels(first, o.name) for o in first.outputs if o.name in names(formula)
    }
    return tuple(
        v
        for source, labels in sources.items()
        for v in labels
        if not _is_number(formula, {source: v})
    )


def _is_number(formula: Expression, values: Mapping[str, Expression]) -> bool:
    """True only if a formula is a number where an output is this label: the label selects a branch
    that does not read it.
    """
    while formula.head == "piecewise":
        conditions = (substitute(c, values) for c in formula.args[1::2])
        known = [known_truth(c, Context.empty()) for c in conditions]
        first = next((i for i, holds in enumerate(known) if holds is not False), None)
        if first is None or known[first] is None:
            return False
        formula = formula.args[2 * first]
    return not set(values) & names(formula)


def _check_read(m: Composite, part: AnyClaim, earlier: frozenset[str]) -> None:
    """Nothing if what a part assumes about an earlier output holds for all its values, and its
    level does not depend on it; BadInput or NotWorkedOut otherwise.
    """
    read = [(key, c) for key, c in part.mechanism.parameters if key in earlier]
    if spoken := (names(part.level) | names(part.delta)) & earlier:
        raise BadInput(
            m.rule,
            f"the level of {part.mechanism} depends on {min(spoken)}, an earlier output",
            "state a level that holds whatever was seen",
        )
    if spoken := names(part.mechanism.defined) & earlier:
        raise BadInput(
            m.rule,
            f"where {part.mechanism} is defined depends on {min(spoken)}, an earlier output",
            "let it be defined whatever was seen",
        )
    of_name = {o.name: (o, p.mechanism) for p in m.parts for o in p.mechanism.outputs}
    if (
        later := {n for key, c in part.mechanism.parameters if key not in earlier for n in names(c)}
        & earlier
    ):
        raise BadInput(
            m.rule,
            f"a condition of {part.mechanism} mentions {min(later)}, an earlier output",
            "state conditions of the output itself only",
        )
    for key, condition in read:
        output, source = of_name[key]
        if condition != TRUE:
            _check_assumed(
                condition, output, f"{part.mechanism} assumes {condition} of {key}", m.rule
            )
        if labels := output_labels(source, key):
            cure = "use numbers as values of outputs that are read later"
            raise BadInput(
                m.rule, f"{part.mechanism} reads {key}, which may be the label {labels[0]}", cure
            )
        if output.kind == "finite" and isinstance(part.mechanism, Mechanism):
            choices = {
                **part.mechanism.inputs.choices,
                **choices_of_outputs((*part.mechanism.outputs, output)),
            }
            for node in walk(part.mechanism.density):
                if node.head in ("==", "!=") and output.symbol in node.args:
                    check_comparison(node, choices, f"density of {part.mechanism}")


def _check_assumed(condition: Expression, output: Output, said: str, where: str) -> None:
    """Nothing if a condition holds for all values of an output; BadInput if it fails for one,
    NotWorkedOut if neither was shown.
    """
    own = names(condition) == {output.name}
    at = [substitute(condition, {output.name: v}) for v in output.values]
    known = [known_truth(c, Context.empty()) if own else None for c in at]
    for value, held in zip(output.values, known, strict=True):
        if held is False:
            raise BadInput(
                where, f"{said}, which is false for its value {value}", "drop the condition"
            )
    if not known or None in known:
        raise NotWorkedOut(
            where, f"{said}, which was not shown for all of its values", "drop the condition"
        )


def _plain(m: Composite) -> None:
    _nothing_more(m, m.released or m.formulas or m.domain is not None or m.own)


def _nothing_more(m: Composite, more: object) -> None:
    if more:
        raise BadInput(m.rule, "it is given more fields than it takes", "leave the rest out")


def _check_post_process(m: Composite) -> None:
    _nothing_more(
        m, m.domain is not None or m.own or (len(m.parts) == 2 and (m.released or m.formulas))
    )
    if len(m.parts) == 1 and (not m.released or len(m.formulas) != len(m.released)):
        raise BadInput(
            "post_process",
            f"{len(m.formulas)} formulas are given for {len(m.released)} outputs",
            "give one formula for each output",
        )
    seen = m.parts[0].mechanism.outputs
    first = m.parts[0].mechanism
    choices = {
        o.name: Alternatives.of(
            (*o.values, *output_labels(first, o.name)), numbers=o.kind != "finite"
        )
        for o in seen
    }
    outer = frozenset((*(k for k, _ in m.parameters), *(o.name for o in seen)))
    for o, f in zip(m.released, m.formulas, strict=bool(m.released)):
        check_kind(f, (NUMBER,), NameScope("post_process", outer, frozenset(), choices, seen))
        _check_values(f, seen)
        _check_released(o, f, seen)


def _check_values(f: Expression, seen: tuple[Output, ...]) -> None:
    """BadInput if a formula is found to have no value at some values of the finite outputs; that it
    has one elsewhere has to be shown (ahdp_verify.kernel.rules.composition).
    """
    read = [s for s in seen if s.name in names(f) and s.kind == "finite"]
    if not read or outcome_count(read) > JOINT:
        return
    for at in outcomes(read):
        try:
            normal(substitute(f, at), Context.empty())
        except ZeroDivisionError:
            fault = "it divides by 0"
        except Undefined:
            fault = "it has no value"
        except (Undecided, Unsupported):
            continue
        else:
            continue
        raise LawFault(
            str(f),
            ", ".join(f"{key} = {v}" for key, v in at.items()),
            fault,
            "give its value there with piecewise or max",
        )


def _check_released(o: Output, f: Expression, seen: tuple[Output, ...]) -> None:
    """Nothing if an output declared finite takes only its listed values, and all others are real;
    BadInput or NotWorkedOut otherwise.
    """
    read = [s for s in seen if s.name in names(f)]
    if o.kind == "real":
        return
    if o.kind != "finite" or any(s.kind != "finite" for s in read) or outcome_count(read) > JOINT:
        raise NotWorkedOut(
            f"output {o.name}", "it was not shown to take only such values", "call it real"
        )
    for values in outcomes(read):
        value = substitute(f, values)
        if not any(_equal(value, v) for v in o.values):
            at = ", ".join(f"{key} = {v}" for key, v in values.items())
            if all(known_to_differ(value, v) for v in o.values):
                raise BadInput(
                    f"output {o.name}", f"{f} is not one of its values at {at}", "list all values"
                )
            raise NotWorkedOut(
                f"output {o.name}",
                f"{f} was not shown to be one of its values at {at}",
                "list all values",
            )


def _equal(a: Expression, b: Expression) -> bool:
    try:
        return (normal(a, Context.empty()) - normal(b, Context.empty())).is_zero
    except (Undecided, Unsupported, ZeroDivisionError):
        return False


def _check_subsample(m: Composite) -> None:
    _nothing_more(m, m.released or m.domain is not None or len(m.formulas) != 1)
    if not isinstance(m.inputs, Domain) or m.parts[0].relation not in ("ahdp", "add-remove"):
        raise BadInput(
            "subsample",
            "its part makes no claim about adding records to datasets",
            "use a part that is ahdp or add-remove",
        )
    check_level(m, m.formulas[0])
    defined, cure = (
        m.parts[0].mechanism.defined,
        "use a part that is defined on all smaller datasets too",
    )
    if not is_downward_closed(defined):
        if _fails_on_none(defined):
            raise BadInput("subsample", f"the empty sample does not satisfy {defined}", cure)
        raise NotWorkedOut(
            "subsample", f"a sample was not shown to satisfy {defined} where the dataset does", cure
        )


def _check_mixture(m: Composite) -> None:
    _nothing_more(m, m.released or m.domain is not None)
    if len(m.formulas) != len(m.parts):
        raise BadInput(
            "mixture",
            f"{len(m.formulas)} probabilities are given for {len(m.parts)} parts",
            "give one probability for each part",
        )
    if any(part.mechanism.outputs != m.parts[0].mechanism.outputs for part in m.parts):
        raise BadInput(
            "mixture", "its parts have different outputs", "let all parts have the same outputs"
        )
    for f in m.formulas:
        check_level(m, f, of_record=False)


def _check_normalised(m: Composite) -> None:
    if (
        m.domain is None
        or not m.released
        or len(m.formulas) != 3
        or any(o.kind != "finite" for o in m.released)
    ):
        raise BadInput(
            "normalised",
            "it needs inputs, finite outputs, a score and two bounds",
            "give Domain, finite outputs, score, low and high",
        )
    Mechanism(m.domain, outputs=m.released, density=m.formulas[0], parameters=m.parameters)
    for f in m.formulas[1:]:
        check_level(m, f)


def _check_pull_back(m: Composite) -> None:
    old = m.parts[0].mechanism.inputs
    if (
        not isinstance(m.domain, Domain)
        or not isinstance(old, Domain)
        or len(m.formulas) != len(old.bound)
    ):
        raise BadInput(
            "pull_back",
            "it needs a domain and what each part of a record becomes",
            "give a Domain and one formula for each of its names",
        )
    _nothing_more(m, m.released)
    scope = NameScope(
        "pull_back",
        frozenset(k for k, _ in m.parameters),
        frozenset(m.domain.bound),
        m.domain.choices,
        inside=True,
    )
    for f in m.formulas:
        check_kind(f, (NUMBER, "a label", "infinite"), scope)


CHECKS = {
    "post_process": _check_post_process,
    "subsample": _check_subsample,
    "mixture": _check_mixture,
    "normalised": _check_normalised,
    "pull_back": _check_pull_back,
}


# where a mechanism runs


def _moved_aggregates(e: Expression, formulas: Mapping[str, Expression]) -> Expression:
    """e with the names of a record, inside sums, maxima and minima over records, replaced by
    formulas.
    """
    return transform(
        e,
        lambda node: (
            Expression(node.head, (substitute(node.args[0], formulas),))
            if node.head in ("sum", "maximum", "minimum")
            else None
        ),
    )


def _fails_on_none(defined: Expression) -> bool:
    """True only if the empty dataset, all of whose sums are 0, does not satisfy a condition."""
    empty = {node: ZERO for node in aggregates(defined) if node.head == "sum"}
    return known_truth(substitute_nodes(defined, empty), Context.empty()) is False


def is_downward_closed(defined: Expression) -> bool:
    """True only if a mechanism that is defined on a dataset is defined on all smaller ones: sums
    of numbers >= 0 that stay below constants.
    """
    return all(
        c == TRUE or (c.head == "<=" and _counts(c.args[0]) and _is_constant(c.args[1]))
        for c in conjuncts(defined)
    )


def is_upward_closed(defined: Expression) -> bool:
    """True only if a mechanism that is defined on a dataset is defined on all larger ones."""
    return all(
        c == TRUE or (c.head == "<=" and _counts(c.args[1]) and _is_constant(c.args[0]))
        for c in conjuncts(defined)
    )


def _counts(e: Expression) -> bool:
    """True only for the size of the dataset and for counts of records."""
    if e.head != "sum":
        return False
    values = e.args[0].args[::2] if e.args[0].head == "piecewise" else e.args
    return all(v.head == "number" and v.args[0] >= 0 for v in values)


def _is_constant(e: Expression) -> bool:
    return e.head == "number" or (e.head == "name" and not names(e) & {"x", "eps"})


def composite_context(mechanism: AnyMechanism) -> Context:
    """The context given by the conditions of the parameters, and for each parameter that is > 0 the
    fact that its exponential is > 1.
    """
    here = parameter_context(mechanism.parameters)
    for key, _ in mechanism.parameters:
        e = normal(Expression("name", (key,)), here)
        if here.ratio_signs(e) == {1}:
            here = here.given((exp_of(e) - constant(1)).num, ">")
    return here
