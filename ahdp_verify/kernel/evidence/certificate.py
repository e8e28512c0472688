"""The closed set of certificate kinds; nothing here decides anything.

Each kind states the premises of one rule; the checker (`ahdp_verify.kernel.rules`) tests them.

    Products          proves r >= 0: r is a sum of positive multiples of products of facts
    ExpSign           proves the sign of a polynomial in one name and its exponential: it is a
                      product of factors of constant sign
    BoxCover          proves the sign of a differentiable expression on a box, piece by piece
    Monotone          proves the sign of what grows from a bound of a name on
    Lemma             adds one fact, with the reason that the checker tests
    InequalityLeaf    proves dominated <= exp(level) dominating: the form it takes, and a proof of
                      each requirement that the signs of the facts do not settle
    CaseSplit         proves a claim by cases: the sign of a guard, with evidence for each case
    TotalLeaf         proves a total: the points between which the law is a sum of exponentials
    HockeyStickLeaf   proves a claim with delta: points, the pieces that count, and the final bound
    HockeyStickPart   how one of these pieces counts
    CoordinatesLeaf   proves a level from the losses of independent finite coordinates
    SolverWord        attests an obligation without a proof: what two independent solvers answered
    Enumeration       claims all datasets of at most so many records: nothing is stored, the checker
                      enumerates them
    Mass              proves that the law is >= 0 and has total 1 in every state
    Certificate       proves a claim about one mechanism: its mass and the evidence pieces
    ByRule            proves a claim by a composition rule: proofs of its premises, and evidence for
                      its side conditions
    StatedPremise     the premise of a rule that claims something else of the same mechanism
    Optimum           proves an optimum: a best mechanism, and the prior, prices and flows that show
                      that no other is better
    BestTest          proves the power against one mechanism: a test of its output, and the prior
                      and winners that show that no other test is better

>>> certificate_kind(Products(((Fraction(1, 2), (0, 3)),)))
'products'
>>> from ahdp_verify.kernel.terms.stored import from_stored, to_stored
>>> from ahdp_verify.kernel.terms.expression import number
>>> split = CaseSplit((), number(1), ((">=", InequalityLeaf()), ("<", InequalityLeaf())))
>>> from_stored(CaseSplit, to_stored(split), "certificate") == split
True
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.stored import name_kinds

SIGN_RELATIONS = ("<", "<=", "=", ">=", ">")


@dataclass(frozen=True, slots=True)
class Declined:
    """A procedure's refusal: its name, and why it has no answer, in words that tell the user what
    would help.
    """

    procedure: str
    reason: str


@dataclass(frozen=True, slots=True)
class Products:
    """sum of c * (product of the facts with these numbers); c > 0 unless a fact in the product
    is an equality.

        h_i >= 0      r = sum of c * (product of some h_i)      c > 0
        -------------------------------------------------------------
                                 r >= 0
    """

    terms: tuple[tuple[Fraction, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class ExpSign:
    """A product of factors in one name e and exp(e): (factor, power, points between which its sign
    is shown).

        p = f_1^k_1 ... f_n^k_n      each f_i with odd k_i has one sign where low <= e <= high
        --------------------------------------------------------------------------------------
                       low <= e <= high |- p has the product of these signs

    `low` and `high` are the numbers of the facts that bound e; high is None if e may be arbitrarily
    large.  A factor without points is a polynomial in a power of exp(e), whose roots are counted.
    If fact `low` determines e, there are no factors.
    """

    factors: tuple[tuple[Expression, int, tuple[Fraction, ...]], ...]
    low: int
    high: int | None = None


@dataclass(frozen=True, slots=True)
class BoxCover:
    """A cover of the box that the facts leave to the names, by at most so many pieces, which a
    checker finds again.

        p > 0 on each piece by a ball, or p >= 0 at the exact end to which its slopes lead
        ----------------------------------------------------------------------------------
                            facts bound each name by constants |- p >= 0
    """

    pieces: int


@dataclass(frozen=True, slots=True)
class Monotone:
    """p >= 0 because it is so at a bound of a name, and factor * p grows from there.

        at the bound |- p >= 0      between |- the derivative of factor * p, in the name, is >= 0
        -----------------------------------------------------------------------------------------
                                          here |- p >= 0

    `fact` is the number of the fact that bounds the name from below (side 1) or from above (-1);
    None stands for -oo and oo.  `lemmas` hold between.  With `strict`, p > 0 is shown by a
    derivative > 0, otherwise by p > 0 at the bound.  For the two contexts see
    `ahdp_verify.kernel.rules.regions`.
    """

    name: str
    side: int
    fact: int | None
    lemmas: tuple[Lemma, ...]
    factor: Expression
    strict: bool
    slope: Evidence
    start: Evidence


@dataclass(frozen=True, slots=True)
class Lemma:
    """One more fact of the given kind about the given expressions (for the kinds see
    `ahdp_verify.kernel.rules.inequalities`).

        here, fact |- claim      here |- fact, by its kind
        --------------------------------------------------
                           here |- claim
    """

    kind: str
    arguments: tuple[Expression, ...]
    relation: str = ">="
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class InequalityLeaf:
    """A leaf that proves dominated <= exp(level) * dominating in the form "log", "direct" or
    "zero", or that the case is empty ("never"), with the proofs.

        the requirements of the form, by signs or by `proofs`
        -----------------------------------------------------
             here |- dominated <= exp(level) * dominating
    """

    lemmas: tuple[Lemma, ...] = ()
    form: str = "direct"
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class TotalLeaf:
    """A leaf of a total: ascending points, between which the checker integrates.

    the law is a sum of exponentials between neighbouring points      their integrals sum to t
    ------------------------------------------------------------------------------------------
                              here |- the total of the law is t
    """

    lemmas: tuple[Lemma, ...] = ()
    points: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class HockeyStickPart:
    """How one piece or part counts towards the hockey-stick divergence: "excess" (p - exp(level) p'
    >= 0 there), "none" (<= 0 there), each with its proof, or "whole" (bounded by all of p).
    """

    counts: str
    why: InequalityLeaf = InequalityLeaf()


@dataclass(frozen=True, slots=True)
class HockeyStickLeaf:
    """A leaf of a claim with delta: points, a choice for every piece and every other part, and (in
    `final`) why the divergence is at most delta.

        p >= exp(L) q on "excess" pieces, p <= exp(L) q on "none" pieces
        sum over "excess" of (p - exp(L) q)  +  sum over "whole" of p  <=  delta
        ------------------------------------------------------------------------
        here |- the hockey-stick divergence of p from q at level L is at most delta

    With several outputs, the choice on a piece of the first is the leaf of the rest, whose points
    may depend on the first, without lemmas and `final`.
    """

    lemmas: tuple[Lemma, ...] = ()
    points: tuple[Expression, ...] = ()
    choices: tuple[HockeyStickPart | HockeyStickLeaf, ...] = ()
    final: InequalityLeaf = InequalityLeaf()


@dataclass(frozen=True, slots=True)
class CoordinatesLeaf:
    """A leaf for independent finite coordinates: coordinate j has the loss levels[j], shown for
    each of its values; these losses add up to at most the level.

        p_j(v) <= exp(l_j) q_j(v) for every coordinate j and value v      l_1 + ... + l_n <= L
        --------------------------------------------------------------------------------------
                                      here |- p <= exp(L) q

    The last comparison is one of the levels ("log") or of their exponentials ("direct").
    """

    lemmas: tuple[Lemma, ...] = ()
    form: str = "log"
    levels: tuple[Expression, ...] = ()
    leaves: tuple[InequalityLeaf, ...] = ()
    proofs: tuple[Proof, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseSplit:
    """Cases by the sign of a guard; together their relations must cover all signs.

    g > 0 |- claim      g = 0 |- claim      g < 0 |- claim
    ------------------------------------------------------
                          claim
    """

    lemmas: tuple[Lemma, ...]
    guard: Expression
    cases: tuple[tuple[str, Evidence], ...]


# None: the signs of the facts settle it; a case split has a proof of the same in each leaf
Proof = Products | ExpSign | BoxCover | Monotone | CaseSplit | None


@dataclass(frozen=True, slots=True)
class SolverWord:
    """The negation of the obligation, reported unsatisfiable by these independent solvers;
    attested, not proved.
    """

    solvers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The claim on all datasets of at most `size` records, by comparing all of them; the only
    evidence in its certificate, which then answers no single inequality.
    """

    size: int


Evidence = (
    InequalityLeaf
    | TotalLeaf
    | HockeyStickLeaf
    | CoordinatesLeaf
    | CaseSplit
    | SolverWord
    | Enumeration
)


@dataclass(frozen=True, slots=True)
class Mass:
    """Totals of the output groups (none if finite outputs are listed combination by combination),
    and evidence for each state and group.
    """

    values: tuple[Expression, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof of the claim with this fingerprint: the kind of state it refers to, the mass, the
    evidence pieces, and which obligation uses which piece.

    With `conditions`, expressions >= 0 in a record's contributions @c1, @c2, ... and its @level,
    the proof is one schema for all records.
    """

    claim: str
    counts: bool
    conditions: tuple[Expression, ...]
    mass: Mass
    evidence: tuple[Evidence, ...]
    uses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StatedPremise:
    """What a premise claims of the mechanism that the claim is about: relation, level and delta."""

    relation: str
    level: Expression
    delta: Expression


@dataclass(frozen=True, slots=True)
class ByRule:
    """A proof of the claim with this fingerprint by a composition rule of that version: proofs of
    its premises, and evidence for its side conditions, in order.

        the premises, each proved on all inputs of its own      the side conditions
        ---------------------------------------------------------------------------
                             the claim about the whole

    `stated` gives the premise of a rule about one and the same mechanism; the premises of other
    rules are the parts of a composite.
    """

    claim: str
    rule: str
    version: int
    stated: StatedPremise | None
    premises: tuple[AnyCertificate, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Optimum:
    """A proof of the optimum with this fingerprint: primal and dual solution of its linear
    programme; all entries are indices into the list `numbers`.

    lemmas   facts about the parameters
    kernel   the best mechanism: one row per dataset, one probability per outcome
    rest     the row of every other dataset of that size (swaps only), or empty
    prior    of the aims
    prices   of the datasets
    flows    for each outcome (i, j, amount): that multiple of exp(distance) K(j) - K(i) >= 0
    """

    claim: str
    lemmas: tuple[Lemma, ...]
    numbers: tuple[Expression, ...]
    kernel: tuple[tuple[int, ...], ...]
    rest: tuple[int, ...]
    prior: tuple[int, ...]
    prices: tuple[int, ...]
    flows: tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class BestTest:
    """A proof of the power with this fingerprint; entries are indices into the list `numbers`.

    points    ascending; between them lie the cells of an output that is not finite
    test      for each cell the probabilities of the answers
    prior     of the inputs
    winners   for each cell the answer whose weighted distribution is largest on all of it, or -1
    """

    claim: str
    points: tuple[Expression, ...]
    numbers: tuple[Expression, ...]
    test: tuple[tuple[int, ...], ...]
    prior: tuple[int, ...]
    winners: tuple[int, ...]


AnyCertificate = Certificate | ByRule | Optimum | BestTest

CERTIFICATE_KINDS: dict[str, type] = {
    "products": Products,
    "exp sign": ExpSign,
    "box cover": BoxCover,
    "monotone": Monotone,
    "lemma": Lemma,
    "closed": InequalityLeaf,
    "pieces": TotalLeaf,
    "choice": HockeyStickPart,
    "divergence": HockeyStickLeaf,
    "separate": CoordinatesLeaf,
    "case split": CaseSplit,
    "solver word": SolverWord,
    "enumeration": Enumeration,
    "mass": Mass,
    "certificate": Certificate,
    "by rule": ByRule,
    "stated": StatedPremise,
    "optimum": Optimum,
    "best test": BestTest,
}
KIND_NAMES = {kind: text for text, kind in CERTIFICATE_KINDS.items()}
name_kinds(CERTIFICATE_KINDS)


def certificate_kind(thing: object) -> str:
    """The name of a certificate kind in JSON."""
    return KIND_NAMES[type(thing)]
