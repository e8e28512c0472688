"""TOML files about a composite mechanism: its parts, each with its own claim, and claims about the
whole.

A [[part]] is a mechanism given by its density (outputs, density, ...), or any mechanism with a
claim (assumed = true), or a claim of another file about a mechanism or a noise program
(file = "count.toml:claim"), or a saved proof
(record = "count.json"), or a composite of earlier parts by a rule (rule, of).  A part with a
density may use outputs of other parts by their names; then it has to follow them in a part formed
by compose.  A [[claim]] is about the last part unless `about` names another one.

>>> W = {"records": [["1", "1"]]}
>>> noise = {"outputs": [{"name": "n", "kind": "real"}], "density": "exp(-abs(n - size))/2", "level": "1"}
>>> later = {"outputs": [{"name": "s", "kind": "real"}], "density": "exp(-abs(s - n - sum(x)))/2", "level": "1"}
>>> file = read_pipeline_file({"format": 2, "domain": W, "part": [{"name": "count", **noise}, {"name": "sum", **later},
...     {"name": "both", "rule": "compose", "of": ["count", "sum"]}], "claim": [{"relation": "ahdp", "level": "2", "expect": "proved"}]}, "two", Path())
>>> print(*file.claims)
both is AHDP at level 2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.files.domain_table import count_names, inputs_from_table
from ahdp_verify.files.mechanism_file import (
    OF_DEMAND,
    ClaimNote,
    check_distinct,
    mechanism_from_table,
    note_from_table,
)
from ahdp_verify.files.notion_keys import KEYS_OF_NOTIONS, key_of_bound, notion_from_table
from ahdp_verify.files.outputs_table import (
    declared_outputs,
    distribution,
    families_of,
    plain_outputs,
)
from ahdp_verify.files.records import proof_in
from ahdp_verify.files.scope import ExpressionScope, scope_from_table
from ahdp_verify.files.table import FileTable, check_format, read_table
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, with_location
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import (
    PAIRS,
    PART_COUNTS,
    AnyClaim,
    AnyMechanism,
    Composite,
    CompositeClaim,
    assume,
)
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Inputs, Output
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Expression, names
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name, named_path
from ahdp_verify.search.parts import ClaimWithProof, assumed_from, composite_claim

KEYS = {
    "": ("format", "name", "note", "parameters", "let", "domain", "part", "claim"),
    "domain": ("records", "universal", "values", "queries", "unknowns"),
    "written": (
        "name",
        "note",
        "outputs",
        "density",
        "atoms",
        "defined",
        "repeat",
        "relation",
        "level",
        "delta",
        *KEYS_OF_NOTIONS,
    ),
    "assumed": ("name", "note", "assumed", "outputs", "relation", "level", "delta"),
    "file": ("name", "note", "file"),
    "record": ("name", "note", "record"),
    "made": (
        "name",
        "note",
        "rule",
        "of",
        "inclusion_probability",
        "weights",
        "formulas",
        "score",
        "low",
        "high",
        "outputs",
        "domain",
        "becomes",
        "level",
    ),
    "claim": (
        *("about", "relation", "level", "delta", "name", "note", "expect", "least"),
        *(*KEYS_OF_NOTIONS, "order"),
    ),
}
EXTRAS = {
    "subsample": ("inclusion_probability",),
    "mixture": ("weights",),
    "post_process": ("formulas",),
    "normalised": ("score", "low", "high", "outputs"),
    "pull_back": ("domain", "becomes"),
}


@dataclass(frozen=True, slots=True)
class PipelineFile:
    """The mechanism of the last part, the claims about parts or the whole, one note for each,
    and all parts by name.
    """

    mechanism: AnyMechanism
    claims: tuple[AnyClaim | NotionClaim, ...]
    notes: tuple[ClaimNote, ...]
    parts: Mapping[str, AnyClaim]

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class _Reading:
    """What all parts share, the parts read so far, the proofs of those that are saved records, and
    the claims of those that stand for noise programs;
    `claim_of` reads the claim of another file.
    """

    parameters: Mapping[str, str]
    inputs: Inputs
    scope: ExpressionScope
    folder: Path
    claim_of: Callable[[str], Claim | ProgramClaim]
    parts: dict[str, AnyClaim]
    records: dict[str, ClaimWithProof]
    bounds: set[str] = field(default_factory=set)  # the keys of notions that parts state


def refuse_other_files(source: str) -> Claim | ProgramClaim:
    """Raises BadInput: a document that is not in a file cannot refer to other files."""
    raise BadInput(
        "file", f"{named_path(source)} cannot be read from here", "give the density of the part"
    )


def read_pipeline_file(
    document: Mapping[str, Any],
    stem: str,
    folder: Path,
    claim_of: Callable[[str], Claim | ProgramClaim] = refuse_other_files,
) -> PipelineFile:
    """The content of a TOML document; paths in it are relative to `folder`.  Raises BadInput,
    whose `where` is the dotted name of the key.
    """
    check_format(document)
    top = read_table(document, "", KEYS[""])
    parameters = top.texts("parameters")
    inputs = inputs_from_table(top.table("domain", KEYS["domain"]), parameters, folder)
    taken_ = {key.split("[")[0] for key in (*parameters, *inputs.bound, "eps", "other")}
    scope = scope_from_table(
        read_table(top.get("let", {}), "let", None),
        taken_,
        count_names(inputs),
        source=(inputs, parameters),
    )
    at = _Reading(parameters, inputs, scope, folder, claim_of, {}, {})
    for i, given in enumerate(top.items("part"), 1):
        table = read_table(given, f"part[{i}]", None)
        name = table.text("name")
        if name in at.parts:
            raise BadInput(
                table.at("name"), f"two parts are called {display_name(name)}", "rename one of them"
            )
        at.parts[name] = _in_part(table, name, at)
    if not at.parts:
        raise BadInput("part", "there is none", "add a [[part]]")
    whole = list(at.parts)[-1]
    at.parts[whole] = _renamed(at.parts[whole], top.text("name", "") or whole)
    claims = [
        read_table(c, f"claim[{i}]", KEYS["claim"]) for i, c in enumerate(top.items("claim", ()), 1)
    ]
    notes = tuple(note_from_table(c, scope) for c in claims)
    check_distinct([note.name for note in notes if note.name])
    return PipelineFile(
        at.parts[whole].mechanism, tuple(_claim(c, whole, at) for c in claims), notes, at.parts
    )


def _renamed(claim: AnyClaim, name: str) -> AnyClaim:
    """The claim, with this name for its composite."""
    if isinstance(claim, CompositeClaim) and isinstance(claim.mechanism, Composite):
        return replace(claim, mechanism=claim.mechanism.named(name))
    return claim


def _in_part(table: FileTable, name: str, at: _Reading) -> AnyClaim:
    """The claim of a part; every error names the part.  A let name that is also an output is
    refused, since it would hide the output.
    """
    try:
        claim = _part(table, name, at)
    except (BadInput, NotWorkedOut) as error:
        inside = error.where.startswith(table.where)
        raise with_location(
            error, error.where if inside else f"{table.where}, {error.where}"
        ) from None
    for key in sorted({o.name.split("[")[0] for o in claim.mechanism.outputs} & set(at.scope.lets)):
        raise BadInput(
            f"let.{display_name(key)}",
            f"{display_name(key)} already names an output of {display_name(name)}",
            "choose another name of letters, digits and _",
        )
    return claim


def _part(table: FileTable, name: str, at: _Reading) -> AnyClaim:
    """The claim of a part, of whichever kind it is."""
    kinds = {
        key: kind
        for kind, key in (
            ("written", "density"),
            ("assumed", "assumed"),
            ("file", "file"),
            ("record", "record"),
            ("made", "rule"),
        )
        if key in table.content
    }
    if not kinds and _has_laws(table):
        kinds = {"law": "written"}
    if len(kinds) != 1:
        raise BadInput(
            table.where,
            f"{' and '.join(kinds)} define the same part in different ways"
            if kinds
            else "nothing defines the part",
            "write exactly one of density, assumed, file, record, rule, or a law for each output",
        )
    (kind,) = kinds.values()
    read_table(table.content, table.where, KEYS[kind])
    readers: dict[str, Callable[[FileTable, str, _Reading], AnyClaim]] = {
        "written": _written,
        "assumed": _assumed,
        "file": _file,
        "record": _record,
        "made": _made,
    }
    return readers[kind](table, name, at)


def _has_laws(table: FileTable) -> bool:
    """Whether an output of the part has a law."""
    outputs = table.content.get("outputs", ())
    return isinstance(outputs, list) and any(
        isinstance(output, Mapping) and "law" in output for output in outputs
    )


def _relation(table: FileTable, at: _Reading) -> tuple[str, Expression]:
    """The relation and the level of a part."""
    usual = "ahdp" if isinstance(at.inputs, Domain) else None
    relation, key = table.text("relation", usual), key_of_bound(table)
    at.bounds.update({key} & set(KEYS_OF_NOTIONS))
    by_demand = key == "level" and relation in OF_DEMAND
    return relation, at.scope.parse(table, key, "eps" if by_demand else None)


def _written(table: FileTable, name: str, at: _Reading) -> Claim:
    """A mechanism given by its density; the outputs of earlier parts that it uses are
    parameters.
    """
    declared = declared_outputs(table, at.inputs, at.parameters)
    scope = replace(at.scope, families={**at.scope.families, **families_of(declared)})
    law = distribution(table, declared, at.inputs, scope, at.parameters)
    released = {
        o.name: o
        for part in at.parts.values()
        for o in part.mechanism.outputs
        if o.name not in {own.name for own in law.outputs}
    }
    defined = scope.condition(table, "defined")
    used = sorted((names(law.density) | names(defined)) & set(released))
    for key in used:
        if words := [v for v in released[key].values if v.head == "label"]:
            raise BadInput(
                table.at("density"),
                f"it reads {key}, which may be the label {words[0]}",
                "use numbers as values of outputs that later parts read",
            )
    reading = {**at.parameters, **{key: _condition(released[key]) for key in used}}
    relation, level = _relation(table, at)
    return Claim(
        mechanism_from_table(table, at.inputs, law, reading, scope, name),
        relation,
        level,
        at.scope.parse(table, "delta", "0"),
    )


def _condition(output: Output) -> str:
    """What is known of an output that is read: nothing, or the range of its numbers."""
    numbers = [v.args[0] for v in output.values if v.head == "number"]
    return (
        f"{min(numbers)} <= {output.name} and {output.name} <= {max(numbers)}"
        if numbers and len(numbers) == len(output.values)
        else ""
    )


def _assumed(table: FileTable, name: str, at: _Reading) -> CompositeClaim:
    """The claim of an arbitrary mechanism, assumed to satisfy it."""
    if table.get("assumed", None) is not True:
        raise BadInput(
            table.at("assumed"), "it is not true", "write assumed = true, or leave it out"
        )
    relation, level = _relation(table, at)
    outputs = (
        plain_outputs(declared_outputs(table, at.inputs, at.parameters))
        if "outputs" in table.content
        else [Output("y", "real")]
    )
    return assume(
        at.inputs,
        relation,
        level,
        delta=at.scope.parse(table, "delta", "0"),
        text=name,
        outputs=outputs,
        parameters=at.parameters,
    )


def _file(table: FileTable, name: str, at: _Reading) -> AnyClaim:
    """A claim of another file, which is proved anew; of a noise program, an abstract mechanism that
    stands for it.
    """
    path = at.folder / table.text("file")
    try:
        found = at.claim_of(str(path))
        if isinstance(found, Claim):
            return found
        assumed = assumed_from(found, at.inputs.n if isinstance(at.inputs, Queries) else None)
    except (BadInput, NotWorkedOut) as error:
        raise with_location(error, f"{table.at('file')}, {error.where}") from None
    at.records[name] = assumed, found
    return assumed


def _record(table: FileTable, name: str, at: _Reading) -> AnyClaim:
    """The claim of a saved proof, which is used as it is."""
    at.records[name] = proof_in(at.folder / table.text("record"))
    return at.records[name][0]


def _made(table: FileTable, name: str, at: _Reading) -> AnyClaim:
    """A part that a composition rule forms from earlier parts."""
    rule = table.text("rule")
    if rule not in PART_COUNTS:
        raise BadInput(
            table.at("rule"),
            f"{rule[:40]!r} is not a rule that forms a mechanism",
            "write one of " + ", ".join(PART_COUNTS),
        )
    for key in sorted(
        {
            "inclusion_probability",
            "weights",
            "formulas",
            "score",
            "low",
            "high",
            "outputs",
            "domain",
            "becomes",
        }
        & set(table.content)
    ):
        if key not in EXTRAS.get(rule, ()):
            raise BadInput(table.at(key), f"{rule} does not take it", "leave it out")
    parts = [_of(key, table, at) for key in table.items("of", ())]
    level = at.scope.parse(table, "level") if "level" in table.content else None
    own = at.parameters if rule in EXTRAS and rule != "post_process" else {}
    return composite_claim(
        rule,
        parts,
        name=name,
        level=level,
        own=own,
        relation=PAIRS if rule == "group" else "",
        **_options(rule, table, at),
    )


def _of(key: object, table: FileTable, at: _Reading) -> AnyClaim | ClaimWithProof:
    """An earlier part, by its name; a saved one with its proof, so that it is not proved again."""
    if not isinstance(key, str) or key not in at.parts:
        raise BadInput(
            table.at("of"),
            f"no part above is called {display_name(str(key))}",
            f"use {', '.join(map(display_name, at.parts)) or 'parts that stand above'}",
        )
    return at.records.get(key, at.parts[key])


def _options(rule: str, table: FileTable, at: _Reading) -> dict[str, Any]:
    """What a composition rule needs besides its parts."""
    if rule == "subsample":
        return {"formulas": (at.scope.parse(table, "inclusion_probability"),)}
    if rule == "mixture":
        return {
            "formulas": tuple(_text(w, table.at("weights"), at) for w in table.items("weights"))
        }
    if rule == "post_process" and "formulas" in table.content:
        texts = table.texts("formulas")
        return {
            "released": tuple(real(key) for key in texts),
            "formulas": tuple(
                _text(text, table.at(f"formulas.{key}"), at) for key, text in texts.items()
            ),
        }
    if rule == "normalised":
        return {
            "domain": at.inputs,
            "released": plain_outputs(declared_outputs(table, at.inputs, at.parameters)),
            "formulas": tuple(at.scope.parse(table, key) for key in ("score", "low", "high")),
        }
    if rule == "pull_back":
        return _pulled_back(table, at)
    return {}


def _pulled_back(table: FileTable, at: _Reading) -> dict[str, Any]:
    domain = inputs_from_table(table.table("domain", KEYS["domain"]), at.parameters, at.folder)
    becomes = table.texts("becomes")
    usual = {key: key for key in at.inputs.bound} | becomes
    if set(usual) != set(at.inputs.bound):
        raise BadInput(
            table.at("becomes"),
            "it names something that is not a part of a record of the file's domain",
            f"use {', '.join(at.inputs.bound)}",
        )
    return {
        "domain": domain,
        "formulas": tuple(_text(usual[key], table.at("becomes"), at) for key in at.inputs.bound),
    }


def _text(text: object, where: str, at: _Reading) -> Expression:
    if not isinstance(text, str):
        raise BadInput(where, "it is not a quoted string", 'write for example "1/3"')
    return parse(text, where, at.scope.lets, records=at.scope.records)


def _claim(table: FileTable, whole: str, at: _Reading) -> AnyClaim | NotionClaim:
    """A claim about a part, by default the last one."""
    about = table.text("about", whole)
    if about not in at.parts:
        raise BadInput(
            table.at("about"),
            f"no part is called {display_name(about)}",
            f"use {', '.join(map(display_name, at.parts))}",
        )
    base = at.parts[about]
    relation = table.text("relation", base.relation)
    key = key_of_bound(table)
    if at.bounds - {key} and not (key == "level" and "delta" in table.content):
        raise BadInput(
            table.where,
            f"it states {key}, and a part states {min(at.bounds - {key})}",
            "state bounds of one notion in a file",
        )
    by_demand = key == "level" and relation in OF_DEMAND
    level = at.scope.parse(table, key, "eps" if by_demand else None)
    delta = at.scope.parse(table, "delta", "0")
    claim = replace(base, relation=relation, level=level, delta=delta)
    return claim if key == "level" else notion_from_table(table, claim, key, at.scope)
