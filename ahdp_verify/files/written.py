"""A mechanism as the text of a mechanism file, with everything written out: each word as the
density that it stands for, each family as its parts, a grid or a table of people as records.

The text is what a proof is about, and reading it gives the same mechanism.

>>> from ahdp_verify.files.mechanism_file import read_mechanism_file
>>> file = read_mechanism_file({"format": 2, "domain": {"records": {"values": "0 to 1", "demands": ["1"]}},
...     "mechanism": {"outputs": [{"name": "s", "law": "laplace(sum(x), 2)"}]},
...     "claim": [{"relation": "ahdp", "level": "x/2"}]}, "noisy sum")
>>> print(expanded(file))
format = 2
name = "noisy sum"
<BLANKLINE>
[domain]
records = [["0", "1"], ["1", "1"]]
<BLANKLINE>
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - sum(x))/2)/4"
<BLANKLINE>
[[claim]]
relation = "ahdp"
level = "x/2"
<BLANKLINE>
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ahdp_verify.files.composite_file import PipelineFile
from ahdp_verify.files.load import load_mechanism
from ahdp_verify.files.mechanism_file import ClaimNote, MechanismFile
from ahdp_verify.files.notion_keys import KEY_OF_NOTION
from ahdp_verify.files.table import FORMAT, WORD
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import NamedConditions, Value, split_name
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, name, substitute
from ahdp_verify.laws.law import Law

Entry = tuple[str, str]
SHOWN = 3  # parts of one name whose laws are listed


def expanded(source: str | Path | Mechanism | Claim | NotionClaim | MechanismFile) -> str:
    """The text of a mechanism file in which every word is written out.

    source   a mechanism, a claim with its mechanism, the path of a mechanism file, or what `load`
             returns for one.  Raises BadInput for a mechanism with parts.
    """
    if isinstance(source, str | Path):
        return expanded(load_mechanism(source))
    if isinstance(source, Mechanism):
        return mechanism_text(source)
    if isinstance(source, NotionClaim) and isinstance(source.mechanism, Mechanism):
        return mechanism_text(source.mechanism, [(source, ClaimNote())])
    if isinstance(source, Claim):
        return mechanism_text(source.mechanism, [(source, ClaimNote())])
    if isinstance(source, MechanismFile):
        return mechanism_text(source.mechanism, zip(source.claims, source.notes, strict=True))
    kind = "a mechanism with parts" if isinstance(source, PipelineFile) else "not a mechanism"
    raise BadInput("expanded", f"it is {kind}", "give a mechanism that has a density")


def laws_text(laws: Mapping[str, Law]) -> str:
    """The words in which a distribution is written, one line for each output and one for each note:
    that clamp is post-processing, say, and truncate is not; "" where there are no words.

    >>> from ahdp_verify.laws.noise import geometric, laplace
    >>> print(laws_text({"s": laplace(0, 1), "k": geometric(0, 1)}))
    s has the law laplace(0, 1)
    k has the law geometric(0, 1)
      geometric noise needs a location that is a whole number for every input
    """
    lines: list[str] = []
    for base, parts in groupby(laws.items(), key=lambda pair: pair[0].split("[")[0]):
        listed = list(parts)
        lines += [f"{key} has the law {law}" for key, law in listed[:SHOWN]]
        if len(listed) > SHOWN:
            lines.append(f"{base} has {len(listed)} parts in all, written alike")
        lines += [
            f"  {note}" for note in dict.fromkeys(n for _, law in listed[:1] for n in law.notes)
        ]
    return "\n".join(lines)


def mechanism_text(
    m: Mechanism, claims: Iterable[tuple[Claim | NotionClaim, ClaimNote]] = ()
) -> str:
    """The text of the file of a mechanism with its claims."""
    lines = [f"format = {FORMAT}", f"name = {toml_text(m.name)}"]
    lines += section("parameters", [(k, toml_text(v)) for k, v in grouped_conditions(m.parameters)])
    lines += section("domain", _domain(m))
    atoms = ", ".join(
        f"{{at = {toml_text(_scalar(at, _parameters(m)))}, mass = {toml_text(mass)}}}"
        for at, mass in m.atoms
    )
    lines += section(
        "mechanism",
        [
            ("outputs", f"[{', '.join(_outputs(m.outputs, _parameters(m)))}]"),
            ("density", toml_text(m.density)),
            *([("atoms", f"[{atoms}]")] if m.atoms else []),
            *([("defined", toml_text(m.defined))] if m.defined != TRUE else []),
        ],
    )
    for claim, note in claims:
        lines += section("[claim]", _claim(claim, note))
    return "\n".join(lines) + "\n"


def toml_text(thing: object) -> str:
    """The text of anything as a TOML string."""
    return json.dumps(str(thing), ensure_ascii=False).replace("\x7f", "\\u007f")


def section(title: str, entries: Sequence[Entry]) -> list[str]:
    """The lines of a table; none for no entries."""
    return ["", f"[{title}]", *(f"{key} = {value}" for key, value in entries)] if entries else []


def _parameters(m: Mechanism) -> frozenset[str]:
    return frozenset(key for key, _ in m.parameters)


def grouped_conditions(named: NamedConditions) -> list[Entry]:
    """Names with their conditions; the parts of a vector as one declaration, "x[8]"."""
    entries: list[Entry] = []
    for base, parts in groupby(named, key=lambda pair: pair[0].split("[")[0]):
        listed = list(parts)
        key, condition = listed[0]
        if "[" in key:
            condition = substitute(condition, {key: name(base)})
            key = f'"{base}[{len(listed)}]"'
        entries.append((key, "" if condition == TRUE else str(condition)))
    return entries


def _domain(m: Mechanism) -> list[Entry]:
    inputs = m.inputs
    known = _parameters(m)
    if isinstance(inputs, Queries):
        return [("queries", toml_text(inputs.n))]
    if isinstance(inputs, Values):
        return [("values", f"[{', '.join(_value(v, known) for v in inputs.values)}]")]
    if isinstance(inputs, RealValues):
        listed = ", ".join(
            f"{k} = {toml_text(v)}" for k, v in grouped_conditions(inputs.conditions)
        )
        return [("values", f"{{{listed}}}")]
    if isinstance(inputs, Domain):
        return domain_entries(inputs, known)
    raise NotWorkedOut(str(m), f"{inputs.noun} are not written to a file", "save the record")


def domain_entries(inputs: Domain, known: Collection[str]) -> list[Entry]:
    """The entries of a domain, where the parameters are known."""
    if inputs.is_universal:
        unknowns = ", ".join(
            f"{k} = {toml_text(v)}" for k, v in grouped_conditions(inputs.unknowns)
        )
        return [("universal", "true"), ("unknowns", f"{{{unknowns}}}")]
    records = (f"[{_value(r.value, known)}, {toml_text(r.demand)}]" for r in inputs.records)
    return [("records", f"[{', '.join(records)}]")]


def _value(value: Value, known: Collection[str]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(toml_text(_scalar(part, known)) for part in value)}]"
    return toml_text(_scalar(value, known))


def _scalar(e: Expression, known: Collection[str]) -> str:
    """A constant, or a label: without quotes of its own if it is a word."""
    if e.head != "label":
        return str(e)
    text = str(e.args[0])
    plain = WORD.fullmatch(text) and text not in known and text not in ("pi", "oo")
    return text if plain else str(e)


def _outputs(outputs: Sequence[Output], known: Collection[str]) -> Iterable[str]:
    for base, parts in groupby(outputs, key=lambda o: split_name(o.name, "output")[0]):
        first, *others = parts
        if any((o.kind, o.values) != (first.kind, first.values) for o in others):
            raise BadInput(
                f"output {base}",
                "its parts are of different kinds, which a file cannot say",
                "give them names of their own",
            )
        size = f', size = "{len(others) + 1}"' if "[" in first.name else ""
        values = ", ".join(toml_text(_scalar(v, known)) for v in first.values)
        listed = f", values = [{values}]" if values else ""
        yield f'{{name = "{base}", kind = "{first.kind}"{size}{listed}}}'


def _claim(said: Claim | NotionClaim, note: ClaimNote) -> list[Entry]:
    claim = said.bounds if isinstance(said, NotionClaim) else said
    key, order = "level", None
    if isinstance(said, NotionClaim):
        key, order = KEY_OF_NOTION[said.notion], said.order
    texts: Mapping[str, Any] = {
        "name": note.name,
        "relation": claim.relation,
        "order": order if order is not None else "",
        key: claim.level,
        "delta": claim.delta if claim.delta != ZERO else "",
        "expect": note.expect,
        "least": note.least if note.least is not None else "",
        "note": note.note,
    }
    entries = [(key, toml_text(text)) for key, text in texts.items() if str(text)]
    if claim.public:
        entries.append(("public", f"[{', '.join(map(toml_text, claim.public))}]"))
    return entries
