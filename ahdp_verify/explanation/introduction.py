"""How a proof about a mechanism begins: what is claimed, the law, the names used below, and what is
known from the start.

>>> first_few(["one", "two", "three"], " or ")
'one or two or three'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ahdp_verify.explanation.numbered_lines import ComparisonPiece, LinePiece
from ahdp_verify.explanation.teller import Facts, Teller, state_name
from ahdp_verify.kernel.evidence.certificate import Certificate
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.model.domain import Domain, Queries
from ahdp_verify.kernel.model.mechanism import Mechanism, dataset_nodes
from ahdp_verify.kernel.model.neighbours import assume_known_facts
from ahdp_verify.kernel.numbers import algebra
from ahdp_verify.kernel.numbers.hypotheses import Context, Fact
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.rules.obligations import (
    has_single_total,
    mechanism_context,
    mechanism_frame,
)
from ahdp_verify.kernel.terms.expression import ONE, TRUE, ZERO, Expression, name, names
from ahdp_verify.search.wording import InternalName, internal_names

MOVES = {
    "ahdp": "a record (x, eps) is added to a dataset or removed from it",
    "add-remove": "a record is added to a dataset or removed from it",
    "hdp": "a record of a dataset is replaced by one with the same demand",
    "swap": "a record of a dataset is replaced by another one",
    "any": "the value is replaced by another one",
    "one": "one answer moves by at most 1",
    "all": "all answers move, each by at most 1",
    "increasing": "all answers grow, each by at most 1",
    "decreasing": "all answers fall, each by at most 1",
    "pairs": "a dataset becomes any other one, where levels add up along the records that differ",
}
FEW = 8  # most records, or moves, that are listed in one line


def claim_sentence(claim: Claim | CompositeClaim) -> str:
    """A claim in words, up to the level."""
    slack = "" if claim.delta == ZERO else f", and an additional {claim.delta}"
    kept = f" (and the same {', '.join(claim.public)})" if claim.public else ""
    return (
        f"Claimed: when {MOVES[claim.relation]}{kept}, the probability of every event changes "
        f"by at most the factor exp(L){slack}, up or down, where L = "
    )


def introduce_claim(claim: Claim, shown: Certificate, teller: Teller) -> None:
    """The claim, the law that it is about, and the names used below."""
    m, say = claim.mechanism, teller.lines.say
    say(claim_sentence(claim), claim.level, ".")
    kinds = {"real": "a real number", "integer": "a whole number"}
    outputs = ", ".join(
        f"{o.name} ({kinds.get(o.kind) or 'one of ' + first_few([str(v) for v in o.values])})"
        for o in m.outputs
    )
    say(f"The law (distribution) of the output {outputs}: ", *law_pieces(m))
    if m.defined != TRUE:
        say("It is defined for datasets with ", m.defined, ".")
    if m.parameters:
        say(
            "Parameters: ",
            *comma_separated([c if c != TRUE else name(key) for key, c in m.parameters]),
            ".",
        )
    if isinstance(m.inputs, Domain) and m.inputs.is_universal:
        say(
            "A record is anything with ",
            *comma_separated([c if c != TRUE else name(key) for key, c in m.inputs.unknowns]),
            ".",
        )
    elif isinstance(m.inputs, Domain):
        say("A record is " + first_few([str(r) for r in m.inputs.records], " or ") + ".")
    for text, _, e in state_name_meanings(m, shown):
        say(e, " stands for ", *text, ".")
    for i in range(m.inputs.n if isinstance(m.inputs, Queries) else 0):
        teller.spoken[f"@d{i + 1}"] = state_name(
            "d", i + 1, m.inputs.n > 1 if isinstance(m.inputs, Queries) else False
        )
        say(
            teller.spoken[f"@d{i + 1}"],
            f" stands for the amount by which the answer q[{i + 1}] moves.",
        )
    say(
        "To be shown: the law is a probability distribution (nowhere negative, of total 1), and "
        "for any two neighbouring inputs, in either order: "
        "(law at the first) <= exp(L) * (law at the second)."
    )


def law_pieces(m: Mechanism) -> tuple[LinePiece, ...]:
    """A law as one formula, or as a product if its factors are integrated separately; then its
    single points.
    """
    points = [
        p for at, mass in m.atoms for p in (f"; the single point {at} has the probability ", mass)
    ]
    if has_single_total(m):
        return (m.density, *points)
    prefactor, groups = factors_by_output(m.density, tuple(o.name for o in m.outputs))
    return (
        "the product of ",
        *comma_separated([e for e in (prefactor, *groups) if e != ONE]),
        *points,
    )


def comma_separated(formulas: Sequence[Expression | ComparisonPiece]) -> list[LinePiece]:
    """Formulas with commas between them."""
    return [p for i, e in enumerate(formulas) for p in ((", ", e) if i else (e,))]


def first_few(texts: list[str], last: str = ", ") -> str:
    """The texts, or the first few of them and how many more there are."""
    return (
        last.join(texts)
        if len(texts) <= FEW
        else f"{last.join(texts[:FEW])}{last.rstrip(' or').rstrip()} and {len(texts) - FEW} more"
    )


def state_name_meanings(
    m: Mechanism, shown: Certificate
) -> list[tuple[tuple[LinePiece, ...], str, Expression]]:
    """For each name of a state: its meaning, its name in certificates, and the name shown."""
    if not isinstance(m.inputs, Domain):
        return []
    taken = {
        key.split("[")[0]
        for key in (*(k for k, _ in m.parameters), *(o.name for o in m.outputs), *m.inputs.bound)
    }
    rest, count, added, level = (
        next(
            c
            for c in (letter, letter * 2, f"{letter}_", f"{letter}_0", f"own_{letter}")
            if c not in taken
        )
        for letter in "ShcL"
    )
    nodes = dataset_nodes(m)
    internal: dict[str, list[InternalName]] = {}
    for meaning in internal_names(m):
        internal.setdefault(meaning.kind, []).append(meaning)
    if shown.counts:
        listed = enumerate(internal["count"], 1)
        return [
            (
                (f"how often the record {c.of} occurs in the rest of the dataset",),
                c.internal,
                state_name(count, i, True),
            )
            for i, c in listed
        ]
    result: list[tuple[tuple[LinePiece, ...], str, Expression]] = []
    for j, node in enumerate(nodes, 1):
        result.append(
            (
                (node, " over the rest of the dataset"),
                internal["rest"][j - 1].internal,
                state_name(rest, j, len(nodes) > 1),
            )
        )
    if shown.conditions:
        sums = [(j, e) for j, (_, _, e) in enumerate(result, 1)]
        result += [
            (
                ("what the added record contributes to ", e),
                internal["added"][j - 1].internal,
                state_name(added, j, len(nodes) > 1),
            )
            for j, e in sums
        ]
        result += [(("the level of the added record",), internal["level"][0].internal, name(level))]
    return result


def introduce_facts(
    here: Context, teller: Teller, why: Callable[[int, Fact], str], title: str
) -> Facts:
    """The lines of the facts of a context; new ones are listed under a title."""
    if any(f not in teller.stands for f in here.facts):
        teller.lines.add("", title, head=True)
        with teller.lines.inside():
            return teller.introduced(here, why)
    return {i: teller.stands[f] for i, f in enumerate(here.facts)}


def fact_source(claim: Claim, shown: Certificate, i: int, fact: Fact) -> str:
    """Where a fact that is known from the start comes from."""
    m = claim.mechanism
    here = mechanism_context(m)
    if i < len(here.facts):
        return "condition on the parameters"
    if isinstance(m.inputs, Queries):
        return "how far an answer moves"
    if not isinstance(m.inputs, Domain):
        return "condition on the values"
    f = mechanism_frame(m, shown.counts)
    for c in f.conditions:
        here = assume_known_facts(c, here)
    if i < len(here.facts):
        return (
            "counts are not negative"
            if shown.counts
            else "it holds for what each record contributes, and so for all together"
        )
    of_rest = {n for e in f.rest for n in names(e)}
    if algebra.polynomial_names(fact.polynomial) & of_rest:
        return "where the mechanism is defined"
    return (
        "every record satisfies it"
        if shown.conditions
        else "condition on the record"
        if m.inputs.is_universal
        else "condition of the move"
    )
