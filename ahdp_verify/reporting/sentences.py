"""What a claim says, in one sentence for each relation, without the field's own words.

Every sentence has one form: *a change of the input* makes no set of outputs more than *a factor* as
likely as before (up to an additional probability, the delta).  Since the inverse of every change is
a change of the same kind, this bounds the probability from both sides, so it is the definition.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> law = exp(-Abs(name("s") - name("q[1]"))) / 2
>>> said = protection(dp(Mechanism(Queries(1), outputs=[real("s")], density=law), 1, "one"))
>>> print("".join(map(str, said)))
Changing the one query answer by at most 1 makes no set of outputs more than exp(1) times as likely as before; exp(1) is between 2.71828 and 2.71829.
"""

from __future__ import annotations

from collections.abc import Callable

from ahdp_verify.decimals import approximate_rational
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.composite import PAIRS, AnyClaim
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Inputs
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.algebra import Ratio, exp_of
from ahdp_verify.kernel.rules.scope import nontrivial_conditions
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    conjuncts,
    exp,
    name,
    names,
    oo,
)
from ahdp_verify.reporting.blocks import Formula, Piece, Pieces
from ahdp_verify.reporting.numbers import (
    better_guess,
    constant_value,
    enclosed_text,
    upper_decimal,
)

PrivacyClaim = AnyClaim | ProgramClaim


def inputs_of(claim: PrivacyClaim) -> Inputs | Answers:
    """What a claim's mechanism or program runs on; for answers computed from a dataset, the
    datasets.
    """
    if isinstance(claim, ProgramClaim):
        inputs = claim.program.inputs
        return inputs.domain if isinstance(inputs, RecordAnswers) else inputs
    return claim.mechanism.inputs


def parameters_of(claim: PrivacyClaim) -> NamedConditions:
    """The parameters of a claim's mechanism or program."""
    return claim.parameters if isinstance(claim, ProgramClaim) else claim.mechanism.parameters


def number_of_answers(claim: PrivacyClaim) -> int | None:
    """The number of query answers that the input has; None for any number."""
    if isinstance(claim, ProgramClaim):
        return claim.n
    inputs = inputs_of(claim)
    return inputs.n if isinstance(inputs, Queries) else 1


def of_answers(claim: PrivacyClaim) -> str:
    """The change of query answers, of which there may be one only."""
    n = number_of_answers(claim)
    if n == 1:
        return "Changing the one query answer by at most 1"
    many = (
        f"the {n} query answers" if n is not None else "the query answers, however many there are,"
    )
    return {
        "one": f"Changing one of {many} by at most 1, while the others stay,",
        "all": f"Changing each of {many} by at most 1, up or down,",
    }.get(
        claim.relation,
        f"Changing each of {many} by at most 1, all in the same direction (some may stay),",
    )


def of_value_change(claim: PrivacyClaim) -> str:
    """The change of a value at one demand."""
    if not isinstance(claim, ProgramClaim) and claim.public:
        kept = (
            f"its privacy demand and {', '.join(claim.public)}, which are public, stay as they are,"
        )
    else:
        kept = "its privacy demand, which is public, stays as it is,"
    return f"Changing the value in one person's record, while {kept}"


def of_local_value(claim: PrivacyClaim) -> str:
    """The change of the value of the one person whose data the input is."""
    inputs = inputs_of(claim)
    some = f"one of the {len(inputs.values)}" if isinstance(inputs, Values) else "one of the"
    return (
        f"For a person who reports alone, having {some} possible values (v) rather than a "
        "different one (other)"
    )


INFINITE = Formula(r"e^{\infty}", "exp(oo)")
CHANGES: dict[str, Callable[[PrivacyClaim], str]] = {
    "ahdp": lambda claim: (
        "Adding one person's record (a value with a privacy demand) to a dataset, or removing it,"
    ),
    "add-remove": lambda claim: "Adding one person's record to a dataset, or removing it,",
    "hdp": of_value_change,
    "swap": lambda claim: (
        "Replacing one person's record in a dataset by any other record of the domain"
    ),
    PAIRS: lambda claim: "Replacing a dataset by any other one",
    "any": of_local_value,
    **dict.fromkeys(("one", "all", "increasing", "decreasing"), of_answers),
}


def protection(claim: PrivacyClaim) -> Pieces:
    """What the claim says, as the pieces of one sentence."""
    slack: Pieces = ()
    if claim.delta != ZERO:
        slack = (", up to an additional probability of delta = ", Formula.of(claim.delta))
    return (
        f"{CHANGES[claim.relation](claim)} makes no set of outputs more than ",
        *factor_pieces(claim),
        f" times as likely as {'with the other value' if claim.relation == 'any' else 'before'}",
        *slack,
        *whose_level(claim),
        *condition_pieces(claim),
        *size_of_factor(claim),
        ".",
    )


def protection_of_notion(claim: NotionClaim) -> Pieces:
    """What a claim of zCDP, Rényi DP or GDP says, as the pieces of one sentence."""
    bounds = claim.bounds
    bound = Formula.of(bounds.level)
    if claim.notion == "gdp":
        said: Pieces = (
            "can be noticed by no test of the output better than by one of N(0, 1) against N(mu, 1)"
            " with mu = ",
            bound,
        )
    else:
        order: Pieces = ("of every order a > 1",)
        if claim.order is not None:
            order = ("of order ", Formula.of(claim.order))
        times = "a times " if claim.order is None else ""
        said = (
            "changes the distribution of the output by a Rényi divergence ",
            *order,
            f" of at most {times}",
            bound,
            ", in both directions",
        )
    ending = (*whose_level(bounds), *condition_pieces(bounds), ".")
    return (f"{CHANGES[claim.relation](bounds)} ", *said, *ending)


def factor_pieces(claim: PrivacyClaim) -> Pieces:
    """The factor: exp(level)."""
    if claim.relation == PAIRS:
        return ("exp(d)",)
    return (Formula.of(exp(claim.level)) if claim.level != oo else INFINITE,)


def whose_level(claim: PrivacyClaim) -> Pieces:
    """To which record the names in the level belong."""
    if claim.relation == PAIRS:
        return (
            ", where d adds up the level ",
            Formula.of(claim.level),
            " of every record by which the two datasets differ",
        )
    inputs = inputs_of(claim)
    if not depends_on_record(claim) or not isinstance(inputs, Domain):
        return ()
    own = [key for key in inputs.bound if key in names(claim.level)]
    if own == ["eps"]:
        return (", where ", Formula.of(name("eps")), " is the privacy demand of this record")
    listed: list[Piece] = []
    for key in own:
        listed += [", "] * bool(listed) + [Formula.of(name(key))]
    return (
        ", where ",
        *listed,
        f" belong{'s' * (len(own) == 1)} to this record",
        ", before or after the change, whichever gives the smaller factor"
        if claim.relation == "hdp"
        else "",
    )


def depends_on_record(claim: PrivacyClaim) -> bool:
    """Whether the level is one of a record, or of two values, rather than one number."""
    inputs = inputs_of(claim)
    stems = {key.partition("[")[0] for key in names(claim.level)}
    listed = () if isinstance(inputs, Answers) else inputs.bound
    bound = {key.partition("[")[0] for key in (*listed, "other")}
    return claim.relation in ("ahdp", "hdp", "any") and bool(stems & bound)


def condition_pieces(claim: PrivacyClaim) -> Pieces:
    """For which parameters and inputs the claim speaks."""
    found: list[Piece] = []
    conditions = [
        part for c in nontrivial_conditions(parameters_of(claim)) for part in conjuncts(c)
    ]
    for i, condition in enumerate(conditions):
        found += [" and " if i else ", whenever ", Formula.of(condition)]
    if not isinstance(claim, ProgramClaim) and claim.mechanism.defined != TRUE:
        found += [", where both inputs satisfy ", Formula.of(claim.mechanism.defined)]
    return tuple(found)


def size_of_factor(claim: PrivacyClaim) -> Pieces:
    """The factor as a number, where it is one number."""
    if claim.level == oo:
        return ("; a level of oo allows everything",)
    level = constant_value(claim.level)
    if level is None or claim.relation == PAIRS:
        return ()
    shown = Formula.of(exp(claim.level))
    return ("; ", shown, f" is {enclosed_text(exp_of(level))}")


def largest_level(levels: list[Expression]) -> Ratio | None:
    """The largest of constant levels; None if one is not a finite constant, or there are none."""
    found = [r for r in map(constant_value, levels) if r is not None]
    if not found or len(found) < len(levels):
        return None
    return max(found, key=approximate_rational)


def belief(level: Ratio, several: bool) -> str:
    """The same bound as a statement about what can be learned; "" where no decimal is known."""
    shown = upper_decimal(better_guess(level))
    whose = "the largest of these levels" if several else "this level"
    if not shown:
        return ""
    return (
        "Put differently: whoever knows that the input is one of two such inputs, and takes both to be "
        "equally likely before seeing the output, takes neither of them to be more likely than "
        f"{shown} after it (exp(level)/(1 + exp(level)) at {whose}, rounded up)."
    )


MEANING = (
    "A factor of 1 would mean that the output tells nothing; the larger the factor, the weaker the "
    "protection."
)
