"""The rule `by_sensitivity`: a mechanism on query answers, applied to vectors of entries.

    the claim about M, on answers      the sensitivity of f is at most b      b > 0
    -------------------------------------------------------------------------------
                the claim about M, applied to answers of f divided by b

M, f, b    as in `ahdp_verify.kernel.model.applied`

Where one entry changes, each answer of f / b moves by at most 1, so the two lists of answers are
neighbouring, or equal.  Whatever the premises are, the claim fails where it fails at two inputs:

    D_j' differs from D_j in one entry, at the same position for each j      b > 0
    the claim fails between M(f(D_1)/b, ..., f(D_m)/b) and M(f(D_1')/b, ..., f(D_m')/b)
    -----------------------------------------------------------------------------------
                                    the claim is refuted
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import ByRule
from ahdp_verify.kernel.evidence.counterexample import expand_indexed_parts
from ahdp_verify.kernel.evidence.notion_counterexample import NotionCounterexample
from ahdp_verify.kernel.evidence.of_vectors import AppliedAlignment, VectorCounterexample
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Values
from ahdp_verify.kernel.model.entry_changes import vector_context
from ahdp_verify.kernel.model.inequality import UnknownValues
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Nodes, substitute_nodes
from ahdp_verify.kernel.model.notion_claim import NotionClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.normal_form import message_text, normal, to_expression
from ahdp_verify.kernel.rules.accepting import Acceptance, rely_on
from ahdp_verify.kernel.rules.composition import check_well_formed
from ahdp_verify.kernel.rules.joint_law import explicit_claim
from ahdp_verify.kernel.terms.expression import Expression, eq, label, name, piecewise

RULE = "by_sensitivity"
BEFORE, AFTER = label("before"), label("after")


def accept_applied(
    claim: AppliedClaim, certificate: ByRule | AppliedAlignment, accept: Callable[..., Acceptance]
) -> Acceptance:
    """Accepted, if both premises are proved, and the bound of the sensitivity is known to be
    > 0; Rejected otherwise.
    """
    proofs: tuple[object, ...]
    if isinstance(certificate, AppliedAlignment):
        proofs, fits = (certificate.of_program, certificate.of_query), True
    else:
        said = (certificate.rule, certificate.version, certificate.stated, certificate.evidence)
        proofs, fits = certificate.premises, said == (RULE, 1, None, ())
    if certificate.claim != claim.fingerprint or not fits or len(proofs) != 2:
        raise Rejected("the certificate belongs to another claim or rule")
    here = vector_context(claim.sensitivity.inputs)
    bound = normal(claim.sensitivity.bound, here)
    if not here.ratio_signs(bound) <= {1}:
        raise Rejected(f"the bound {message_text(bound)} is not known to be > 0")
    rely_on("the rule of sensitivity")
    shown = [accept(claim.base, proofs[0]), accept(claim.sensitivity, proofs[1])]
    return Acceptance(None, tuple(sorted({name for part in shown for name in part.trusts})))


def claim_there(claim: AppliedClaim, example: VectorCounterexample) -> Claim | NotionClaim:
    """The claim between the answers before and those after a change, at inputs of these names;
    Rejected unless parameters have one value each, and there is a vector for each answer, with a
    change at one position of all.
    """
    base, there = claim.base, example.there
    if isinstance(base, ProgramClaim):
        raise Rejected("a noise program is not refuted by vectors")
    check_well_formed(base.mechanism)
    written = explicit_claim(base.bounds if isinstance(base, NotionClaim) else base)
    m, nodes = written.mechanism, answers_there(claim, example.vectors)
    pair = there.counterexample if isinstance(there, NotionCounterexample) else there
    if any(dict(example.vectors[0]).get(k, v) != v for k, v in pair.parameters):
        raise Rejected("a parameter has another value in the vectors")
    density, *masses = (
        substitute_nodes(expand_indexed_parts(e, nodes), nodes)
        for e in (m.density, *(mass for _, mass in m.atoms))
    )
    law = Mechanism(
        Values([BEFORE, AFTER]),
        outputs=m.outputs,
        density=density,
        atoms=zip((at for at, _ in m.atoms), masses, strict=True),
        parameters=m.parameters,
        name=m.name,
    )
    between = Claim(law, "any", written.level, written.delta)
    return replace(base, bounds=between) if isinstance(base, NotionClaim) else between


def answers_there(claim: AppliedClaim, vectors: tuple[UnknownValues, ...]) -> Nodes:
    """The answers of vectors, in units of the bound, before and after."""
    places = {(*v[: len(claim.sensitivity.inputs.parameters)], v[-1][0]) for v in vectors}
    if len(vectors) != claim.answers or len(places) != 1:
        raise Rejected("there is not one vector for each answer, with a change at one position")
    nodes: dict[Expression, Expression] = {}
    for j, (before, after, bound) in enumerate(map(claim.sensitivity.answers_at, vectors), 1):
        if constant_sign(bound) != 1:
            raise Rejected("the bound was not shown to be > 0")
        first, second = (to_expression(answer / bound) for answer in (before, after))
        nodes[name(f"q[{j}]")] = piecewise((first, eq(name("v"), BEFORE)), (second, True))
    return nodes
