"""The scope of a verdict in words: the only place where such texts are made.

A text states no more than the fields of the scope and what was found to be compared.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> whole = Scope("datasets", (parse("e > 0"),), TRUE, None, "something")
>>> print(scope_text(whole))
all datasets, 0 < e
>>> from dataclasses import replace
>>> print(scope_text(replace(whole, defined=parse("size >= 1"), size=3)))
all moves inside 1 <= size between datasets of at most 3 records, 0 < e
"""

from __future__ import annotations

from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.composite import AnyClaim, assumptions
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.inequality import Inequality
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.compared import CheckableClaim, Compared, NothingCompared, OfUnknowns
from ahdp_verify.kernel.rules.influence import NONE, SIZE, influence
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.rules.scope import Scope
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import TRUE

ALL = {
    "datasets": "all datasets",
    "pairs of datasets": "all pairs of datasets",
    "query answers": "all inputs",
    "any number of queries": "all inputs, any number of queries, chosen adaptively",
    "any number of answers": "all inputs, any number of answers",
    "values": "all inputs",
    "unknowns": "all values of its unknowns",
    "vectors": "all vectors that differ in one entry",
}
WORDS = {"ahdp": "AHDP", "add-remove": "add-remove DP", "swap": "swap DP"}


def scope_text(scope: Scope, claim: CheckableClaim | None = None) -> str:
    """The inputs to which a proof applies, in words; for an optimum, the mechanisms or tests."""
    conditions = "".join(f", {c}" for c in scope.conditions)
    if isinstance(claim, BestClaim):
        return f"mechanisms that are {_kept(claim)} on {_where(claim)}{conditions}"
    if isinstance(claim, GuessClaim):
        given = "".join(f", {k} = {v}" for k, v in claim.parameters)
        return f"all tests of {claim.mechanism}{given}"
    return f"{_inputs(scope)}{_answers(claim)}{conditions}"


def _answers(claim: CheckableClaim | None) -> str:
    """How many answers a program is given, if it is a fixed number, and how far they move."""
    if not isinstance(claim, ProgramClaim) or not isinstance(claim.program.inputs, Answers):
        return ""
    n = claim.program.inputs.n
    count = "" if n is None else f" of {n} quer{'y' if n == 1 else 'ies'}"
    return f"{count}, each answer moving by at most 1"


def _inputs(scope: Scope) -> str:
    small = "" if scope.size is None else f"datasets of at most {_size_in_words(scope.size)}"
    if scope.defined == TRUE:
        return small or ALL[scope.inputs]
    if scope.inputs == "pairs of datasets":
        return f"{ALL[scope.inputs]} inside {scope.defined}"
    return f"all moves inside {scope.defined}" + (f" between {small}" if small else "")


def _size_in_words(size: int) -> str:
    """A number of records in words."""
    return f"{size} record" + ("s" if size != 1 else "")


def _kept(claim: BestClaim) -> str:
    at_demand = claim.relation == "ahdp" and claim.level == ex.name("eps")
    return WORDS[claim.relation] + ("" if at_demand else f" at level {claim.level}")


def _where(claim: BestClaim) -> str:
    if not claim.everywhere:
        return f"the {len(claim.rows)} datasets"
    return "all datasets" + (" of that size" if claim.relation == "swap" else "")


def not_found_text(claim: CheckableClaim) -> str:
    """The statement that it was not determined whether anything is compared."""
    if isinstance(claim, OfUnknowns | GuessClaim):
        return f"no values of the {_named(claim)} that satisfy the conditions were found"
    return "no two inputs to which it applies were found"


def vacuous_text(scope: Scope, claim: CheckableClaim, shown: NothingCompared) -> str:
    """Why nothing is compared."""
    if not shown.uses:
        return f"nothing is compared: {_no_moves(claim)}"
    said = [str(c) for c in scope.conditions] + (
        [] if scope.defined == TRUE else [str(scope.defined)]
    )
    if isinstance(claim, OfUnknowns | GuessClaim):
        return f"nothing is compared: no values of the {_named(claim)} satisfy {' and '.join(said)}"
    inputs = claim.mechanism.inputs
    if isinstance(inputs, Domain) and inputs.is_universal:
        said.append("the conditions of the domain")
    few = "" if scope.size is None else f" of at most {_size_in_words(scope.size)}"
    kind = {"pairs of datasets": "datasets", "query answers": "lists of answers"}.get(
        scope.inputs, scope.inputs
    )
    return (
        f"nothing is compared: no two neighbouring {kind}{few} satisfy "
        f"{' and '.join(said) or 'the relation'}"
    )


def _named(claim: CheckableClaim) -> str:
    return "unknowns" if isinstance(claim, Inequality) else "parameters"


def _no_moves(claim: CheckableClaim) -> str:
    if isinstance(claim, OfUnknowns | GuessClaim):
        return "there are no inputs"
    if claim.relation == "hdp":
        kept = " and with the same public parts" if getattr(claim, "public", ()) else ""
        return f"no record of finite level can become another one of the same demand{kept}"
    return "no two neighbouring inputs have a finite level"


def inputs_text(scope: Scope, claim: CheckableClaim, compared: Compared | None) -> tuple[str, ...]:
    """What is compared, or why nothing is, and whether the input influences the output."""
    if isinstance(compared, NothingCompared):
        return (vacuous_text(scope, claim, compared),)
    found = () if compared is not None else (not_found_text(claim),)
    return f"scope: {scope_text(scope, claim)}", *found, *influences(claim)


def assumptions_text(claim: CheckableClaim) -> tuple[str, ...]:
    """What is assumed of abstract mechanisms; empty if there are none."""
    claim = claim.base if isinstance(claim, AppliedClaim) else claim
    assumed = assumptions(claim.mechanism) if isinstance(claim, AnyClaim | NotionClaim) else ()
    return (f"assumes: {'; '.join(assumed)}",) if assumed else ()


def influences(claim: CheckableClaim) -> tuple[str, ...]:
    """What is known about the influence of the inputs on the output."""
    said = influence_text(claim) if isinstance(claim, AnyClaim | NotionClaim) else ""
    return (said,) if said else ()


def total_text(scope: Scope | None) -> str:
    """The inputs for which a refutation shows that the law has total 1: those of the scope, or the
    two of the witness.
    """
    where = "only at the two inputs of the witness" if scope is None else f"at {_covered(scope)}"
    return f"total probability 1 is shown {where}"


def _covered(scope: Scope) -> str:
    conditions = "".join(f", {c}" for c in scope.conditions)
    inside = "" if scope.defined == TRUE else f" inside {scope.defined}"
    return f"{ALL[scope.inputs]}{inside}{conditions}"


def influence_text(claim: AnyClaim | NotionClaim) -> str:
    """The statement that the inputs do not influence the output, or only through their number; ""
    if neither is known.
    """
    inputs, found = claim.mechanism.inputs, influence(claim.mechanism)
    if found == NONE:
        kind = "the records" if isinstance(inputs, Domain) else "the input"
        return f"the distribution of the output does not depend on {kind}"
    if found == SIZE:
        return (
            "the distribution of the output depends on the number of records only, not on "
            "their values or demands"
        )
    return ""
