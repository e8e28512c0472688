"""Section 6: events on what a post-processing releases, by their preimages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from recheck.claims import Claim
from recheck.events import Event, Points, Span, in_event, read_interval
from recheck.limits import need
from recheck.shapes import listed
from recheck.signs import Context, truth
from recheck.totals import on_piece
from recheck.trees import Tree, conjunction, make, substitute
from recheck.written import Law


def processed_part(whole: Claim) -> Claim:
    """What a claim about a post-processing by formulas says of the part."""
    good = whole.rule == "post_process" and len(whole.parts) == 1
    need(good, "an image, but no post-processing by formulas")
    (part,) = whole.data["mechanism"]["parts"]
    return Claim({**whole.data, "mechanism": part["mechanism"]})


def require_preimage(
    whole: Claim, law: Law, box: tuple[Event, Points], image: Any, here: Context
) -> None:
    """on each piece of the output between ends and points, the formulas lie in the image, and the
    piece in the event, or neither     the same for every atom
    ---------------------------------------------------------------------------------------------
    the formulas lie in the image exactly on the event, but for outputs of probability 0
    """
    event, points = box
    need(len(law.outputs) == 1, "an image of several outputs")
    (o,) = law.outputs
    need(o.kind != "finite", "an image of an output that is finite")
    need(event.continuous and set(event.intervals or {}) == {o.name}, "a preimage is an interval")
    condition = conjunction(conditions(whole, image))
    if o.kind == "integer":
        here = here.with_whole_names([o.name])
    ordered, (first, last) = Span.of(o.name, event, points, {}).in_order(here)
    for upper in range(len(ordered) + 1):
        inside = (first is None or upper > first) and (last is None or upper <= last)
        lies = truth(condition, on_piece(o, ordered, upper, here))
        need(lies == inside, "the event is not the preimage of the image")
    chosen = in_event(event, law, here)
    for at, _ in law.atoms:
        lies = truth(substitute(condition, {o.name: at}), here)
        need(lies == (at in chosen), "the event is not the preimage of the image")


def conditions(whole: Claim, image: Any) -> Iterator[Tree]:
    """low <= formula and formula < high, for each interval of the image."""
    keys = {"continuous", "intervals", "values", "outcomes", "without", "atoms"}
    need(isinstance(image, dict) and set(image) == keys, "the image has other fields")
    bare = [image[k] for k in sorted(keys - {"continuous", "intervals"})] == [[]] * 4
    need(bare and image["continuous"] is True, "an image has more than intervals")
    rows = [read_interval(row, whole.outputs) for row in listed(image["intervals"])]
    need(len({n for n, _ in rows}) == len(rows) > 0, "an image has no interval, or one twice")
    formulas = {o.name: f for o, f in zip(whole.outputs, whole.formulas, strict=True)}
    for n, (low, high) in rows:
        need(not any(e.names for e in (low, high) if e is not None), "an end is not a constant")
        if low is not None:
            yield make("<=", low, formulas[n])
        if high is not None:
            yield make("<", formulas[n], high)
