"""The mu of a mechanism whose outputs are independent and normal, as a premise of its delta.

Turned so that one axis points from the one mean to the other, the outputs of a move are those of
one normal output, moved by mu = |(m - n)/sigma|, and others that do not move.  So delta is that of
one output: the rule `gdp_to_delta` gives it from the claim of mu-GDP, and no integral over several
outputs is needed.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> law = parse("exp(-(s - q[1])^2/2)*exp(-(t - q[2])^2/8)/(4*pi)")
>>> M = Mechanism(Queries(2), outputs=[real("s"), real("t")], density=law, name="two normal outputs")
>>> print(mu_of_normal_outputs(Claim(M, "all", parse("1"))))
sqrt(5/4)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

from ahdp_verify.kernel.errors import BadInput, Rejected, Undecided, Unsupported
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.neighbours import Nodes
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.rules import notions as rules
from ahdp_verify.kernel.rules.obligations import Obligation, mechanism_context, obligations
from ahdp_verify.kernel.terms.expression import ONE, Expression, names, number, substitute
from ahdp_verify.search.proving.notions import square_root

FAILING = (Undecided, Unsupported, Rejected, ZeroDivisionError, BadInput)
MOST = 6  # query answers of which each moves up or down
MOVED = "@d"  # how far a query answer moves


def mu_of_normal_outputs(claim: Claim) -> Expression | None:
    """The least mu for which the mechanism is mu-GDP under the relation of the claim, in its
    parameters; None where that is not found.
    """
    m, found = claim.mechanism, dict[str, Ratio]()
    if any(o.kind != "real" for o in m.outputs):
        return None
    here = mechanism_context(m)
    with suppress(*FAILING):
        for obligation in obligations(Claim(m, claim.relation, ONE)):
            for first, second in ends_of_move(obligation):
                gap = _squared_distance(m, (first, second), obligation.here)
                found[gap.key] = gap
        top = _largest(list(found.values()), here)
        if top is not None and names(to_expression(top)) <= {key for key, _ in m.parameters}:
            return square_root(to_expression(top), here)
    return None


def ends_of_move(obligation: Obligation) -> Iterator[tuple[Nodes, Nodes]]:
    """Both inputs of a move, for query answers with each of them moving as far as it may."""
    both: tuple[Nodes, Nodes] = (obligation.dominated, obligation.dominating)
    moved = sorted({n for nodes in both for e in nodes.values() for n in names(e) if MOVED in n})
    for ends in itertools.product((ONE, number(-1)), repeat=min(len(moved), MOST)):
        at = dict(zip(moved, ends, strict=False))
        first, second = ({k: substitute(v, at) for k, v in nodes.items()} for nodes in both)
        yield first, second


def _squared_distance(m: Mechanism, move: tuple[Nodes, Nodes], here: Context) -> Ratio:
    """mu^2 of one move."""
    ((p, q), *_) = rules.pairs_of_laws(m, move)
    first, second = (rules.normal_density(law, m.outputs, m.atoms, here) for law in (p, q))
    return rules.squared_distance(first, second)


def _largest(listed: list[Ratio], here: Context) -> Ratio | None:
    """The one that is known to be at least each of the others."""
    for top in listed:
        if all(here.ratio_signs(top - other) <= {0, 1} for other in listed):
            return top
    return None
