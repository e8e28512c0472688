"""Section 4: the length of the dataset is heterogeneously private, and tells everything; AHDP
does not allow that.
"""

from ahdp_verify.analysis.power.against_mechanism import Power, power
from ahdp_verify.analysis.power.best import best_power
from ahdp_verify.analysis.power.threat_models import known_record
from ahdp_verify.files.load import load_mechanism
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.paper.statements.checks import argument, claim, holds, optimum, powered
from ahdp_verify.paper.statements.row import Row
from ahdp_verify.paper.statements.stored import folder

NOTHING = Domain([(1, 0)])
PERFECT = {"A": "0 <= A and A <= 1", "B": "0 <= B and B <= 1 and B <= exp(0)*(1 - A)"}
ANY_BASE = "one record more makes another size, whatever the others are"


def of_the_size() -> Power:
    """The power against the size of the dataset, of an adversary who knows all but one record."""
    mechanism = load_mechanism(folder() / "paper/size.toml").mechanism
    return power(mechanism, known_record((0, 0)))


ROW = Row(
    label="HDP fails: the length",
    says=r"The mechanism $M = $ length is HDP, and an adversary has power 1; under AHDP at demand "
    r"0 the power is 1/2.",
    checks=(
        holds(
            "p",
            "<=",
            "exp(eps)*p",
            says="a change of data alone leaves the size as it is",
            unknowns={"p": "0 <= p and p <= 1", "eps": "eps >= 0"},
        ),
        powered(
            of_the_size,
            1,
            says="an adversary who knows all but one record finds out whether it is there",
            given=(ANY_BASE,),
        ),
        holds(
            "min(A, B)",
            "<=",
            "1/2",
            says="under AHDP at demand 0 no test names D_o and D_o + (x, 0), each where it is "
            "true, with a chance above 1/2",
            unknowns=PERFECT,
            given=("what a classifier makes of a private output is private, prop:pp",),
        ),
        holds(
            "chance*(1/2)",
            ">=",
            "1/2",
            says="and a blind guess has 1/2 on each output",
            unknowns={"chance": "chance == 1"},
        ),
        optimum(
            lambda: best_power(NOTHING, known_record(NOTHING.records[0])),
            "1/2",
            "more",
            "the best power, W = {(1, 0)}",
        ),
        claim("paper/size.toml", 2, "proved", "more", "the size is HDP at level 0"),
        argument(
            "paper/claim-4-proof-repaired.toml",
            "proved",
            "more",
            "the bound at any demand (claim:4)",
        ),
    ),
    section="4.3",
)
