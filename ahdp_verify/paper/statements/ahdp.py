"""Section 3: AHDP, its distance between datasets, and its composition."""

from __future__ import annotations

from ahdp_verify import Domain, Multiset, distance
from ahdp_verify.paper.statements.questions import (
    argument_check,
    claim_check,
    claim_checks,
    comparison_check,
)
from ahdp_verify.paper.statements.row import PaperRow

# The weighted distance: its levels are real numbers.
TWO_RECORDS = Domain([(0, 1), (1, 2)])
TRIANGLE = {"a": "a >= 0", "h": "", "g": "", "f": ""}


def distance_at_half() -> object:
    """The distance of {3 (0, 1)} and {(0, 1), (1, 2)} for the level eps/2."""
    return distance(
        Multiset(TWO_RECORDS, [3, 0]), Multiset(TWO_RECORDS, [1, 1]), lambda x, eps: eps / 2
    )


def distance_at_vanishing_level() -> object:
    """The distance of {} and {(0, 1)} for the level eps - 1, which vanishes there."""
    return distance(
        Multiset(TWO_RECORDS, [0, 0]), Multiset(TWO_RECORDS, [1, 0]), lambda x, eps: eps - 1
    )


D_ALPHA = PaperRow(
    identifier="d_alpha",
    label="d_alpha",
    says=r"For $\alpha : \mathcal{W} \to \mathbb{Z}_{\ge 0}$, $d_\alpha(D, D') = \sum \alpha(x, "
    r"\epsilon)\, |h_D(x, \epsilon) - h_{D'}(x, \epsilon)|$.",
    checks=(
        comparison_check(
            "1 - exp(-eps)",
            "==",
            "floor(1 - exp(-eps))",
            "refuted",
            says="the levels that the paper uses are whole numbers",
            unknowns={"eps": "eps > 0"},
        ),
        comparison_check(
            "1 - exp(-eps)",
            ">=",
            0,
            role="repair",
            says="they lie in [0, oo]",
            unknowns={"eps": "eps >= 0"},
        ),
        comparison_check(
            "eps/(1 + eps)",
            ">=",
            0,
            role="repair",
            says="and so do the others",
            unknowns={"eps": "eps >= 0"},
        ),
        comparison_check(
            "a*abs(h - f)",
            "<=",
            "a*abs(h - g) + a*abs(g - f)",
            role="more",
            says="the triangle inequality, record by record",
            unknowns=TRIANGLE,
        ),
        comparison_check(
            "a*abs(h - g)", "==", "a*abs(g - h)", role="more", says="symmetry", unknowns=TRIANGLE
        ),
        comparison_check(
            distance_at_vanishing_level,
            "==",
            0,
            role="more",
            says="datasets that differ may have distance 0",
        ),
        comparison_check(
            distance_at_half,
            "==",
            2,
            role="more",
            says="two records of level 1/2 and one of level 1",
        ),
    ),
    note="The codomain must be [0, oo], with 0 * oo = 0; the distance is a pseudo-metric, since a "
    "level may vanish.",
    section="3",
)
# def:newDP: AHDP, with auxiliary input, and W-AHDP.
DEF_NEW_DP = PaperRow(
    identifier="def_new_dp",
    label="def:newDP",
    says=r"(A) $\alpha$-AHDP; (B) with an auxiliary input; (C) an $\alpha$-AHDP algorithm is "
    r"$\mathcal{W}$-AHDP if $\alpha(x, \epsilon) \le \epsilon$ on $\mathcal{W}$.",
    checks=(
        argument_check(
            "laws/weaken.toml",
            "proved",
            says="a larger level is a weaker claim, so (C) is a bound at the demands",
        ),
    ),
    section="3",
)
# After def:newDP: the bound for all pairs is the bound for one added record.
THREE_COUNTS = {"a": "a >= 0", "h": "h >= 0", "g": "g >= 0"}
SINGLE_STEPS = PaperRow(
    identifier="single_steps",
    label="Pairs and single steps",
    says=r"$\alpha$-AHDP is equivalent to $|\log \frac{\Pr\{M(D) \in S\}}{\Pr\{M(D') \in S\}}| "
    r"\le \alpha(x, \epsilon)$ for all $D$ and $D' = D + \{(x, \epsilon)\}$.",
    checks=(
        argument_check(
            "laws/group.toml",
            "proved",
            says="along D, the common part, D': losses add",
            given=("induction along the path",),
        ),
        comparison_check(
            "a*abs(h - min(h, g)) + a*abs(min(h, g) - g)",
            "==",
            "a*abs(h - g)",
            says="this path is as long as the distance, record by record",
            unknowns=THREE_COUNTS,
        ),
        comparison_check(
            "a*abs(h + 1 - h)",
            "==",
            "a",
            says="one added record is a pair at distance alpha",
            unknowns={"a": "a >= 0", "h": "h >= 0"},
        ),
    ),
    note="If a step has an infinite level the distance is infinite and nothing is claimed; else "
    "the probabilities on the path are all 0 or all positive.",
    section="3",
)
# ex:ahdp: homogeneous privacy is a special case.
HIGHER_DEMAND = {"g": "g >= 0", "e": "e > g", "s": "s >= 1"}
EX_AHDP = PaperRow(
    identifier="ex_ahdp",
    label="ex:ahdp",
    says=r"If $\mathcal{W}_h = \mathcal{X} \times \{\epsilon_h\}$, an $\epsilon'$-DP mechanism is "
    r"AHDP, certified $\mathcal{W}_h$-AHDP iff $\epsilon' \le \epsilon_h$.",
    checks=(
        argument_check(
            "laws/to-ahdp.toml",
            "proved",
            says="add-remove DP at e is AHDP at every level that is at least e",
        ),
        comparison_check(
            "exp(-e*abs(s - 1))",
            ">",
            "exp(g)*exp(-e*abs(s))",
            unknowns=HIGHER_DEMAND,
            says="for e > g no certificate: the density at s of the sum at level e exceeds what "
            "demand g allows, for all s >= 1",
            given=("a strict bound on densities is one on the event",),
        ),
        claim_check(
            "paper/homogeneous-sum-below-the-demand-every-level.toml",
            1,
            "proved",
            says="this sum is e-DP",
        ),
        *claim_checks(
            "paper/homogeneous-sum-below-the-demand-every-level.toml",
            "proved",
            "proved",
            "refuted",
            role="more",
            says="a sum at level e, where all demand g >= e",
        )[1:],
        claim_check(
            "paper/homogeneous-sum-above-the-demand.toml",
            2,
            "refuted",
            "more",
            "a sum at level 2 where everybody demands 1",
        ),
    ),
    note="The iff is about what can be certified from the level alone.",
    section="3",
)
# ex:ahdp-via-homo: the least demand for everybody.
EX_AHDP_VIA_HOMO = PaperRow(
    identifier="ex_ahdp_via_homo",
    label="ex:ahdp-via-homo",
    says=r"A homogeneous $\epsilon_l$-DP mechanism with $\epsilon_l = \min_{\mathcal{W}} \epsilon "
    r"> 0$ is $\mathcal{W}$-AHDP.",
    checks=(
        argument_check(
            "laws/to-ahdp.toml",
            "proved",
            says="add-remove DP at e is AHDP at every level that is at least e",
        ),
        *claim_checks(
            "paper/homogeneous-sum-at-the-least-demand-every-demand.toml",
            "proved",
            "refuted",
            role="more",
            says="a sum at the least of several demands",
        ),
    ),
    section="3",
)
# W-AHDP is not closed under composition.
COMPOSITION_OF_W_AHDP = PaperRow(
    identifier="composition_of_w_ahdp",
    label="Composition of W-AHDP",
    says=r"We cannot directly compose two $\mathcal{W}$-AHDP mechanisms to obtain a "
    r"$\mathcal{W}$-AHDP mechanism.",
    checks=(
        claim_check(
            "paper/presence-told-twice-w-ahdp.toml",
            1,
            "refuted",
            says="presence released twice, each time at the demand",
            denies=True,
        ),
        claim_check(
            "paper/presence-told-twice-w-ahdp-by-composition.toml",
            6,
            "refuted",
            says="any two mechanisms",
            denies=True,
        ),
        claim_check(
            "paper/presence-told-twice-w-ahdp-by-composition.toml",
            7,
            "proved",
            "more",
            "any two are AHDP at twice the demand",
        ),
        claim_check(
            "paper/presence-told-twice-w-ahdp.toml", 3, "refuted", "more", "and at no lower level"
        ),
    ),
    section="3",
)
# prop:BC: levels add under composition.
PROP_BC = PaperRow(
    identifier="prop_bc",
    label="prop:BC",
    says=r"Composing $\alpha_i$-AHDP mechanisms one after the other is $(\sum_i \alpha_i)$-AHDP.",
    checks=(
        argument_check(
            "laws/compose.toml",
            "proved",
            says="two of them",
            given=("induction over the number of mechanisms",),
        ),
        *claim_checks(
            "paper/randomised-response-twice-by-composition.toml",
            "proved",
            "refuted",
            "refuted",
            role="more",
            says="two randomised responses attain the sum",
        ),
    ),
    note="The parts must be Markov kernels. In the proof, the projection of an event need not be "
    "measurable (integrate instead), and S is a subset of the product.",
    section="3.1",
)
# prop:pp: post-processing.
PROP_PP = PaperRow(
    identifier="prop_pp",
    label="prop:pp",
    says=r"If $M$ is $\alpha$-AHDP and $K$ is measurable, then $K \circ M$ is $\alpha$-AHDP.",
    checks=(
        argument_check("laws/post-process.toml", "proved", says="a function of the output"),
        argument_check("laws/post-process-kernel.toml", "proved", "more", "a random one"),
    ),
    note="S is a subset of the outputs, not an element. It holds for randomised K too.",
    section="3.1",
)
# The remark on local privacy, the introduction and related work.
REMARK_LOCAL_DP = PaperRow(
    identifier="remark_local_dp",
    label="Remark on Local-DP, introduction, related work",
    says="In the local model the server would not know which data is useful.",
    note="A comparison in words.",
    kind="no formal content",
    section="3",
)


ROWS = (
    D_ALPHA,
    DEF_NEW_DP,
    SINGLE_STEPS,
    EX_AHDP,
    EX_AHDP_VIA_HOMO,
    COMPOSITION_OF_W_AHDP,
    PROP_BC,
    PROP_PP,
    REMARK_LOCAL_DP,
)
