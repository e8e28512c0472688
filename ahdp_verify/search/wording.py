"""Refusals in the user's own words: the internal names of proofs are replaced by what they stand
for.

A state of the input is written in names that no user wrote: @1 for the first record aggregate, #1
for the count of the first record, @c1 for what the added record contributes, @level for its level,
@d1 for the amount by which a query answer moves; in a whole run of a noise program, nu#3 is the
noise nu of query 3.  `words_for_names` gives their meanings; whoever shows a text to a user
replaces the names with `without_internal_names`.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, W = real("s"), Domain([(0, 1), (1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(lambda x, eps: x))) / 2)
>>> without_internal_names("the sign of @1 - 2*#2 is not known", M)
'the sign of sum(x) - 2*count of (1, 1) is not known'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ahdp_verify.display import verdict_text as verdict_text  # a verdict says itself in words
from ahdp_verify.display.program_text import with_names_in_words
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.domain import GROWING, Domain, Queries
from ahdp_verify.kernel.model.entries import position
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.model.neighbours import count_name, rest_name
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import SensitivityClaim
from ahdp_verify.kernel.rules.compared import CheckableClaim
from ahdp_verify.kernel.rules.schema import LEVEL, contribution_name
from ahdp_verify.kernel.terms.expression import name, walk
from ahdp_verify.sympy_trees import from_sympy as from_sympy  # SymPy's expressions are read
from ahdp_verify.verdicts import Unknown

INTERNAL = re.compile(
    r"""("(?:[^"\\]|\\.)*")|(?<![\w@#])[@#]\w*'?"""
)  # a label in quotes, which stays, or an internal name
ELSE = "a quantity of the proof"


class InternalName(NamedTuple):
    """What an internal name stands for: a `kind` of quantity ("rest", "added", "extreme",
    "count", "level", "move") of an expression or a record.
    """

    internal: str
    kind: str
    of: object


def internal_names(mechanism: Mechanism) -> Iterator[InternalName]:
    """Every name of a state of a mechanism's input, and of a move, that no user wrote."""
    inputs = mechanism.inputs
    if isinstance(inputs, Queries):
        yield from (
            InternalName(f"@d{i + 1}", "move", name(f"q[{i + 1}]")) for i in range(inputs.n)
        )
    if not isinstance(inputs, Domain):
        return
    for j, node in enumerate(dataset_nodes(mechanism)):
        yield InternalName(rest_name(j).args[0], "rest", node)
        yield InternalName(contribution_name(j).args[0], "added", node)
        yield from (InternalName(f"@{node.head}{j + 1}{tag}", "extreme", node) for tag in ("", "'"))
    yield InternalName(LEVEL.args[0], "level", None)
    for i, record in enumerate(() if inputs.is_universal else inputs.records):
        yield InternalName(count_name(i).args[0], "count", record)


WORDS = {
    "rest": "{}",
    "added": "({} of the added record)",
    "extreme": "{}",
    "level": "(the level of the added record)",
    "count": "count of {}",
    "move": "(the move of {})",
}


def words_for_names(mechanism: object) -> dict[str, str]:
    """The words for internal names in texts about a mechanism."""
    listed = internal_names(mechanism) if isinstance(mechanism, Mechanism) else ()
    return {GROWING: "eps", **{m.internal: WORDS[m.kind].format(m.of) for m in listed}}


def without_internal_names(text: str, about: object) -> str:
    """A text about a mechanism, or about a claim, with the internal names in it written as what
    they stand for; labels in quotes stay.
    """
    if "@" not in text and "#" not in text:
        return text
    if isinstance(about, ProgramClaim):
        return with_names_in_words(text, about.n)
    if isinstance(about, SensitivityClaim):
        return with_names_of_entries(text, about)
    table = words_for_names(getattr(about, "mechanism", about))
    return INTERNAL.sub(lambda m: m[0] if m[1] else table.get(m[0], ELSE), text)


def with_names_of_entries(text: str, claim: SensitivityClaim) -> str:
    """A text about how a query changes, with x and x' for the entry before and after, at position
    i, and r1, r2 ... for what the others contribute; where the query names positions, u1, u2 ...
    for all of these.
    """
    named = any(position(part) is not None for part in walk(claim.query))
    own = {} if named else {"@1": "i", "@2": "x", "@3": "x'"}
    letter, start = ("u", 0) if named else ("r", len(own))

    def word(found: re.Match[str]) -> str:
        number = found[0][1:]
        if found[1] or not number.isdigit():
            return found[0] if found[1] else ELSE
        return own.get(found[0], f"{letter}{int(number) - start}")

    said = INTERNAL.sub(word, text)
    if said == text:
        return text
    if named:
        return f"{said}; u1, u2 ... are entries, and what the other entries contribute"
    return f"{said}; x becomes x', and r1, r2 ... are what the other entries contribute"


def unknown_verdict(claim: CheckableClaim, reasons: Iterable[Declined]) -> Unknown:
    """Unknown, with each reason once and in the user's own words."""
    return Unknown(
        claim,
        tuple(
            dict.fromkeys(
                Declined(d.procedure, without_internal_names(d.reason, claim)) for d in reasons
            )
        ),
    )
