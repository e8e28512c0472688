"""Independent finite coordinates: each has a privacy loss of its own, and the losses add up.

    here |- p_j(v) <= exp(l_j) q_j(v), for every coordinate j and each of its values v
    here |- l_1 + ... + l_n <= L
    ----------------------------------------------------------------------------------
                      here |- p <= exp(L) q at every output

p, q    the laws on the dominated and on the dominating side: products of p_j and of q_j
l_j     the stated loss of coordinate j;  L the level of the move, both in nats
"""

from __future__ import annotations

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import CoordinatesLeaf, Evidence
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.cases import LeafCheck
from ahdp_verify.kernel.rules.inequalities import check_leaf, check_sign_by, extend_context
from ahdp_verify.kernel.rules.integration import factors_by_output
from ahdp_verify.kernel.rules.obligations import Obligation
from ahdp_verify.kernel.terms.expression import Expression, multiply, substitute


def separation_check(mechanism: Mechanism, obligation: Obligation) -> LeafCheck:
    """The test of a leaf: each coordinate keeps its own level at each of its values, and these
    levels add up to at most the claim's.
    """
    laws = list(zip(mechanism.outputs, factor_laws(mechanism), strict=True))

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, CoordinatesLeaf) or len(evidence.levels) != len(laws):
            raise Rejected("each independent coordinate needs one level")
        here = extend_context(evidence.lemmas, here)
        leaves, spent = list(evidence.leaves), constant(0)
        for (output, law), level in zip(laws, evidence.levels, strict=True):
            spent = spent + normal(level, here)
            for value in output.values:
                # the value first: it may select the part of the input that the law mentions
                at_value = substitute(law, {output.name: value})
                dominated = substitute_nodes(at_value, obligation.dominated)
                dominating = substitute_nodes(at_value, obligation.dominating)
                check_leaf(leaves.pop(0), dominated, dominating, level, here)
        if leaves:
            raise Rejected("there are more leaves than values")
        left = level_slack(normal(obligation.level, here), spent, evidence.form)
        check_sign_by(left, ">=", evidence.proofs, here)

    return leaf


def level_slack(level: Ratio, spent: Ratio, form: str) -> Ratio:
    """What must be >= 0 for a level to cover what is spent: the difference, or that of the
    exponentials.
    """
    if form not in ("log", "direct"):
        raise Rejected(f"{form!r} is not a known form")
    return level - spent if form == "log" else exp_of(level) - exp_of(spent)


def factor_laws(mechanism: Mechanism) -> tuple[Expression, ...]:
    """The factor of each output in the law; the last also takes what mentions no output."""
    prefactor, groups = factors_by_output(
        mechanism.density, tuple(o.name for o in mechanism.outputs)
    )
    return (*groups[:-1], multiply(prefactor, groups[-1]))
