"""The text of a mechanism file: a mechanism and its claims, as the reader takes them.

Reading the text again gives the same mechanism and the same claims, every expression written out.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> M = Mechanism(Queries(1), outputs=[real("s")], density=parse("exp(-abs(s - q[1]))/2"), name="answer")
>>> print(mechanism_text(M, [Claim(M, "one", parse("1"))]))
format = 2
name = "answer"
<BLANKLINE>
[domain]
queries = "1"
<BLANKLINE>
[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(q[1] - s))/2"
<BLANKLINE>
[[claim]]
relation = "one"
level = "1"
<BLANKLINE>
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ahdp_verify.files.mechanism_file import ClaimNote
from ahdp_verify.files.table import FORMAT, WORD
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import DEMAND, Domain, Queries
from ahdp_verify.kernel.model.mechanism import Inputs, Mechanism, Output
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, name, substitute

CONSTANTS = ("pi", "oo")


def mechanism_text(
    mechanism: Mechanism, claims: Iterable[Claim], notes: Sequence[ClaimNote] = ()
) -> str:
    """The text of a file with the mechanism and the claims; `notes` are what it states besides
    each claim.

    Raises BadInput for a vector whose parts have different conditions, since a file has one
    condition for all of them.
    """
    lines = [f"format = {FORMAT}"]
    lines += [f"name = {_string(mechanism.name)}"] if mechanism.name else []
    inputs = mechanism.inputs
    if mechanism.parameters:
        lines += ["", "[parameters]", *_declarations(mechanism.parameters)]
    lines += ["", "[domain]", *_inputs(inputs)]
    lines += ["", "[mechanism]", *_outputs(mechanism.outputs)]
    lines += [f"density = {_string(str(mechanism.density))}"]
    if mechanism.atoms:
        atoms = (
            f"  {{at = {_string(_constant(at))}, mass = {_string(str(mass))}}},"
            for at, mass in mechanism.atoms
        )
        lines += ["atoms = [", *atoms, "]"]
    if mechanism.defined != TRUE:
        lines += [f"defined = {_string(str(mechanism.defined))}"]
    listed = tuple(claims)
    for claim, note in zip(listed, notes or [ClaimNote()] * len(listed), strict=True):
        lines += ["", "[[claim]]", *_claim(claim, note)]
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    """The text in quotes, as TOML and JSON both read it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _constant(e: Expression) -> str:
    """A label without quotes if it is a word, any other constant as an expression."""
    word = e.args[0] if e.head == "label" else ""
    return str(word) if WORD.fullmatch(str(word)) and word not in CONSTANTS else str(e)


def _inputs(inputs: Inputs) -> list[str]:
    """The lines of [domain]."""
    if isinstance(inputs, Queries):
        return [f"queries = {_string(str(inputs.n))}"]
    if not isinstance(inputs, Domain):
        return [f"values = [{', '.join(map(_value, inputs.values))}]"]
    if inputs.is_universal:
        own = inputs.unknowns
        if own[0] == ("eps", DEMAND):  # which goes without saying
            own = own[1:]
        unknowns = ", ".join(_declarations(own))
        return ["universal = true", *([f"unknowns = {{{unknowns}}}"] if own else [])]
    records = (f"[{_value(r.value)}, {_string(str(r.demand))}]" for r in inputs.records)
    return ["records = [", *(f"  {record}," for record in records), "]"]


def _value(value: Expression | tuple[Expression, ...]) -> str:
    """A value of a record: a quoted constant, or a list of them."""
    if isinstance(value, tuple):
        return f"[{', '.join(_string(_constant(part)) for part in value)}]"
    return _string(_constant(value))


def _declarations(conditions: NamedConditions) -> list[str]:
    """The lines that declare names with their conditions, the parts of a vector together."""
    parts: dict[str, list[Expression]] = {}
    for declared, condition in conditions:
        base = declared.partition("[")[0]
        parts.setdefault(base, []).append(substitute(condition, {declared: name(base)}))
    for base, found in parts.items():
        if any(condition != found[0] for condition in found):
            raise BadInput(
                base,
                "its parts have different conditions, and a file has one for all of them",
                "give each part a name of its own",
            )
    vectors = {declared.partition("[")[0] for declared, _ in conditions if "[" in declared}
    return [
        f"{_string(f'{base}[{len(found)}]') if base in vectors else base} = "
        f"{_string('' if found[0] == TRUE else str(found[0]))}"
        for base, found in parts.items()
    ]


def _outputs(outputs: tuple[Output, ...]) -> list[str]:
    """The line, or lines, of the outputs; the parts of a vector together."""
    together: dict[tuple[str, str, tuple[Expression, ...]], list[str]] = {}
    for output in outputs:
        base, _, index = output.name.partition("[")
        together.setdefault((base, output.kind, output.values), []).append(index)
    texts = []
    for (base, kind, values), indices in together.items():
        listed = ", ".join(_string(_constant(v)) for v in values)
        size = f', size = "{len(indices)}"' if indices != [""] else ""
        given = f", values = [{listed}]" if values else ""
        texts.append(f"{{name = {_string(base)}, kind = {_string(kind)}{size}{given}}}")
    if len(texts) == 1:
        return [f"outputs = [{texts[0]}]"]
    return ["outputs = [", *(f"  {text}," for text in texts), "]"]


def _claim(claim: Claim, note: ClaimNote) -> list[str]:
    """The lines of a claim."""
    lines = [f"name = {_string(note.name)}"] if note.name else []
    lines += [f"relation = {_string(claim.relation)}", f"level = {_string(str(claim.level))}"]
    if claim.delta != ZERO:
        lines.append(f"delta = {_string(str(claim.delta))}")
    if claim.public:
        lines.append(f"public = [{', '.join(map(_string, claim.public))}]")
    if note.expect:
        lines.append(f"expect = {_string(note.expect)}")
    if note.least is not None:
        lines.append(f"least = {_string(str(note.least))}")
    return lines + ([f"note = {_string(note.note)}"] if note.note else [])
