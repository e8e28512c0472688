"""Where the privacy loss at two inputs is unbounded, by the checker's own rule of limits.

    p > 0 for large s      q/p tends to 0 as s tends to oo
    ------------------------------------------------------
       no level bounds the loss of p, the law at one input, over q, that at the other

For every L there is then a T with q < exp(-L) p wherever s > T: the event s > T has a positive
probability under p, and less than exp(-L) times that under q.  The same holds as s tends to -oo.

>>> from ahdp_verify.kernel.evidence.event import Event
>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.terms.expression import number
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> def loses(density: str) -> str | None:
...     law = parse(density, "density")
...     M = Mechanism(Domain([(1, 1)]), outputs=[real("s")], density=law, name="noise")
...     points = (("s", (number(0),)),), (("s", (number(1),)),)
...     pair = Counterexample((), (), (number(0),), (number(1),), Event(), points)
...     return unbounded_tail(Claim(M, "add-remove", number(1)), pair)
>>> print(loses("exp(-(s - size)^2/2)/sqrt(2*pi)"), "and", loses("exp(-abs(s - size))/2"))
small s and None
"""

from __future__ import annotations

from contextlib import suppress

from ahdp_verify.kernel.errors import Undecided, Unsupported
from ahdp_verify.kernel.evidence.counterexample import Counterexample, law_at
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.numbers.ends import limit_at_end
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.events import ascending_points
from ahdp_verify.kernel.rules.integration import piece_context
from ahdp_verify.kernel.terms.expression import names

ENDS = ((1, "large"), (-1, "small"))


def unbounded_tail(claim: Claim, example: Counterexample) -> str | None:
    """Where the loss of the first input over the second grows without bound: "large s" or "small
    s", if it does so beyond all points of the example; None where that is not found.
    """
    outputs = claim.mechanism.outputs
    if len(outputs) != 1 or outputs[0].kind == "finite":
        return None
    (output,) = outputs
    here = Context.empty(frozenset((output.name,)) if output.kind == "integer" else frozenset())
    for side, word in ENDS:
        with suppress(Undecided, Unsupported, ZeroDivisionError):
            p, q = (law_at(claim, example, at)[0] for at in (example.first, example.second))
            listed = [e for table in example.points for e in dict(table).get(output.name, ())]
            found = {r.key: r for e in listed if not names(e) for r in (normal(e, here),)}
            points = ascending_points(list(found.values()), here)
            place = piece_context(
                output.name, output.kind, points, len(points) if side == 1 else 0, here
            )
            first, second = normal(p, place), normal(q, place)
            if place.ratio_signs(first) != {1}:
                continue
            if limit_at_end(second / first, output.name, side, place).is_zero:
                return f"{word} {output.name}"
    return None
