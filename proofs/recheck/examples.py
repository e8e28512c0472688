"""Section 6: counterexamples."""

from __future__ import annotations

from typing import Any

from recheck.claims import Claim
from recheck.events import EVERYTHING, probability, read_event, read_points
from recheck.forms import UNIT, constant_sign, exp_of
from recheck.images import require_preimage
from recheck.inputs import Setting, delta_of_move, finite_level, need_small, read_setting
from recheck.limits import need
from recheck.radial import share_of_box
from recheck.shapes import fields, listed
from recheck.trees import Tree
from recheck.written import At, law_at


def require_example(
    claim: Claim,
    concrete: Claim,
    data: Any,
    size: int | None,
    processed: tuple[Claim, Any] | None = None,
) -> None:
    """one move of level L leads between the inputs     both laws have total 1
    P(event) > exp(L) Q(event) + delta
    --------------------------------------------------------------------------
    the claim is refuted

    `concrete` is the claim with instances in place of abstract mechanisms; where formulas process
    its outputs, `processed` is that claim and the image that the event has.
    """
    wanted = "parameters instances first second event points"
    parameters, records, before, after, event, points = fields(data, wanted, "the counterexample")
    s = read_setting(claim, parameters, records, before, after)
    level = finite_level(s)
    if size is not None:
        need_small(s, size)
    require_event(concrete, s, (level, delta_of_move(s)), (event, points), processed)


def require_event(
    concrete: Claim,
    s: Setting,
    allowed: tuple[Tree, Tree],
    data: tuple[Any, Any],
    processed: tuple[Claim, Any] | None = None,
) -> None:
    """both laws have total 1     P(event) > exp(L) Q(event) + delta
    ------------------------------------------------------------
    the two inputs violate level L and delta, the two numbers allowed
    """
    level, delta = allowed
    event, points = data
    found = []
    for side, marks in zip((s.before, s.after), listed(points, 2), strict=True):
        law = law_at(concrete, At(s.here, s.records, side))
        where = read_points(marks, law.outputs)
        boxed, real = read_event(event, law.outputs), all(o.kind == "real" for o in law.outputs)
        if processed is None and points == [[], []] and boxed.is_bounded and real:
            rows = boxed.intervals or {}
            need(not (boxed.without or boxed.atoms or law.atoms), "there are atoms beside a box")
            share = share_of_box(law.density, law.outputs, rows, least=not found, here=s.here)
            found.append(share)
            continue
        everything = probability(law, EVERYTHING, where, s.here)
        need(everything == UNIT, "a distribution does not have total 1")
        chosen = read_event(event, law.outputs)
        if processed is not None:
            require_preimage(processed[0], law, (chosen, where), processed[1], s.here)
        found.append(probability(law, chosen, where, s.here))
    p, q = found
    need(constant_sign(q) in (0, 1), "a probability is not known to be >= 0")
    excess = p - exp_of(s.here.form(level)) * q - s.here.form(delta)
    need(constant_sign(excess) == 1, "the event does not violate the claimed bound")
