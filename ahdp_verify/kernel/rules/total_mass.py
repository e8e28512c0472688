"""That density and atoms of a mechanism form a probability distribution at every input.

    here |- f >= 0 between each two points      here |- integral of f + sum of the atoms = 1
    ----------------------------------------------------------------------------------------
                        here |- the law is a distribution

here    what is known in one state of the input
f       the density of one output, or the probability of an outcome of finite outputs

Several outputs are considered one after another: output j has the factor f_j of the density that
mentions no later output, and a stated total t_j that mentions no output at all.

    here |- f_j >= 0 and integral of f_j over output j = t_j, for every j      c t_1 ... t_n = 1
    --------------------------------------------------------------------------------------------
                        here |- the law c f_1 ... f_n is a distribution

If a stated total mentions an output, the totals are those of
`ahdp_verify.kernel.rules.iterated_totals`; not for finite outputs that each have a factor of their
own, since the rule of separate coordinates relies on it that these factors are >= 0.
"""

from __future__ import annotations

from functools import lru_cache

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import Certificate, Evidence, Mass, TotalLeaf
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, dataset_nodes, outcomes
from ahdp_verify.kernel.model.neighbours import Nodes, substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import message_text, normal, truth
from ahdp_verify.kernel.rules.accepting import noting, rely_on
from ahdp_verify.kernel.rules.cases import LeafCheck, check_cases
from ahdp_verify.kernel.rules.inequalities import extend_context
from ahdp_verify.kernel.rules.integration import (
    cuts,
    factors_by_output,
    integral,
    nonnegative_value,
)
from ahdp_verify.kernel.rules.obligations import (
    InputState,
    has_single_total,
    input_states,
    is_separable,
)
from ahdp_verify.kernel.terms.expression import ZERO, Expression, multiply, names, substitute, walk


def check_mass(mechanism: Mechanism, mass: Mass, counts: bool) -> None:
    """Nothing if the law is nonnegative and has total 1 in every state; Rejected otherwise."""
    for rule in rules_of_mass(mechanism, mass, counts):
        rely_on(rule)


@lru_cache(maxsize=64)  # the claims about one mechanism, and their re-checks, share it
def rules_of_mass(mechanism: Mechanism, mass: Mass, counts: bool) -> frozenset[str]:
    """The rules beyond the core that accept the mass; Rejected if it is not shown."""
    with noting() as used:
        _check_mass(mechanism, mass, counts)
    return frozenset(used)


def _check_mass(mechanism: Mechanism, mass: Mass, counts: bool) -> None:
    spaces = list(input_states(mechanism, counts))
    # the rule of separate coordinates relies on it that each factor is >= 0
    one = has_single_total(mechanism) or (
        len(mass.evidence) == len(spaces) and not mass.values and not is_separable(mechanism)
    )
    groups = 1 if one else len(mechanism.outputs)
    needed = groups * len(spaces)
    if len(mass.evidence) != needed or (groups > 1 and len(mass.values) != needed):
        raise Rejected("the mass does not cover every state and output")
    for i, state in enumerate(spaces):
        of_state = slice(i * groups, (i + 1) * groups)
        evidence = mass.evidence[of_state]
        if groups == 1:
            check_cases(evidence[0], state.here, total_mass_check(mechanism, state.nodes))
        else:
            check_product(mechanism, state, mass.values[of_state], evidence)


def total_mass_check(mechanism: Mechanism, nodes: Nodes) -> LeafCheck:
    """The test of a leaf: density and atoms >= 0 and together of total 1."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, TotalLeaf):
            raise Rejected("the mass needs points")
        here = extend_context(evidence.lemmas, here)
        density = substitute_nodes(mechanism.density, nodes)
        masses = (nonnegative_value(substitute_nodes(e, nodes), here) for _, e in mechanism.atoms)
        total = sum(masses, constant(0))
        total = total + law_total(mechanism.outputs, density, evidence.points, here)
        if not here.vanishes(total - constant(1)):
            raise Rejected(f"the total {message_text(total)} was not shown to be 1")

    return leaf


def law_total(
    outputs: tuple[Output, ...], law: Expression, points: tuple[Expression, ...], here: Context
) -> Ratio:
    """The total of a law that is shown to be >= 0: an integral over one output, or a sum over
    all finite outcomes.
    """
    if len(outputs) > 1 and any(o.kind != "finite" for o in outputs):
        from ahdp_verify.kernel.rules.radial import radial_total

        return radial_total(law, outputs, here)
    if any(o.kind != "finite" for o in outputs):
        ends = cuts(points, outputs[0].name, here)
        return integral(law, outputs[0].name, outputs[0].kind, ends, here)
    listed = (nonnegative_value(substitute(law, outcome), here) for outcome in outcomes(outputs))
    return sum(listed, constant(0))


def check_product(
    mechanism: Mechanism,
    state: InputState,
    values: tuple[Expression, ...],
    evidence: tuple[Evidence, ...],
) -> None:
    """Nothing if each output's factor has the stated total, whatever the earlier outputs are,
    and the totals multiply to 1; or if they are iterated totals, which mention earlier outputs.
    """
    outputs = tuple(o.name for o in mechanism.outputs)
    mentioned = any(not names(v).isdisjoint(outputs) for v in values)
    if mentioned and not is_separable(mechanism):
        from ahdp_verify.kernel.rules.iterated_totals import check_iterated

        return check_iterated(mechanism, state, values, evidence, output_total_check)
    # separated as in `separation`: a state may turn a factor into a product of others
    prefactor, listed = factors_by_output(mechanism.density, outputs)
    prefactor, *groups = (substitute_nodes(e, state.nodes) for e in (prefactor, *listed))
    known = state.here
    for output, group, value, piece in zip(
        mechanism.outputs, groups, values, evidence, strict=True
    ):
        check_cases(piece, state.here, output_total_check(output, group, value))
        known = _with_lemma_facts(piece, state.here, known)
    total = normal(multiply(prefactor, *values), known)
    if not known.vanishes(total - constant(1)):
        raise Rejected(f"the total {message_text(total)} was not shown to be 1")


def _with_lemma_facts(piece: Evidence, here: Context, known: Context) -> Context:
    """The context with the facts that the lemmas of a piece without cases show here: a total may
    divide by what they show to be nonzero.
    """
    if isinstance(piece, TotalLeaf):
        for fact in extend_context(piece.lemmas, here).facts[len(here.facts) :]:
            known = known.given(fact.polynomial, fact.relation)
    return known


def output_total_check(output: Output, law: Expression, value: Expression) -> LeafCheck:
    """The test of a leaf: one output's factor is >= 0 and has this total."""

    def leaf(evidence: Evidence, here: Context) -> None:
        if not isinstance(evidence, TotalLeaf):
            raise Rejected("the mass needs points")
        here = extend_context(evidence.lemmas, here)
        total = law_total((output,), law, evidence.points, here)
        if not here.vanishes(total - normal(value, here)):
            raise Rejected(f"the total over {output.name} was not shown to be the stated one")

    return leaf


def check_extremes_defined(mechanism: Mechanism) -> None:
    """Nothing unless a maximum or minimum over the records present is used where no record need be
    present; Rejected then.
    """
    nodes = dataset_nodes(mechanism) if isinstance(mechanism.inputs, Domain) else ()
    if all(n.head == "sum" for n in nodes):
        return
    empty = {n: ZERO for n in nodes if n.head == "sum"}
    condition = substitute_nodes(mechanism.defined, empty)
    here = Context.empty()
    if any(n.head in ("maximum", "minimum") for n in walk(condition)) or truth(condition, here):
        raise Rejected(
            'the maximum or minimum over no records is undefined; state defined = "size >= 1"'
        )


def check_matching_claim(claim: Claim, certificate: Certificate) -> None:
    """Nothing if the certificate is for this claim, and the law is defined on all its inputs;
    Rejected otherwise.
    """
    if certificate.claim != claim.fingerprint:
        raise Rejected("the certificate belongs to another claim")
    if not isinstance(certificate.counts, bool):
        raise Rejected("the field counts of the certificate is neither true nor false")
    check_extremes_defined(claim.mechanism)
