"""The lines on totals: that a law is nowhere negative and adds up to 1, and between which points it
was integrated.

>>> from ahdp_verify.explanation.numbered_lines import LineWriter
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> s, teller = real("s"), Teller(LineWriter())
>>> str(explain_piecewise_total(s, exp(-Abs(s - 1)) / 2, (constant(1),), Context.empty(), teller).key)
'1'
>>> teller.lines.done[0].text, teller.lines.done[0].reason
('for s < 1 the law is exp(s - 1)/2 and its integral is 1/2', 'a sum of exponentials')
"""

from __future__ import annotations

from ahdp_verify.explanation.evidence import (
    ExplainLeaf,
    explain_evidence,
    explain_lemmas,
)
from ahdp_verify.explanation.numbered_lines import LinePiece, comparison_piece
from ahdp_verify.explanation.radial import explain_radial_total
from ahdp_verify.explanation.teller import Facts, Teller
from ahdp_verify.kernel.errors import Rejected
from ahdp_verify.kernel.evidence.certificate import (
    Evidence,
    Mass,
    TotalLeaf,
)
from ahdp_verify.kernel.model.mechanism import Mechanism, Output, outcomes
from ahdp_verify.kernel.model.neighbours import substitute_nodes
from ahdp_verify.kernel.numbers.algebra import Ratio, constant
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.rules.accepting import noting
from ahdp_verify.kernel.rules.antiderivatives import with_signs
from ahdp_verify.kernel.rules.integration import (
    cuts,
    factors_by_output,
    piece_bounds,
    piece_context,
    total_on_piece,
)
from ahdp_verify.kernel.rules.iterated_totals import integration_order
from ahdp_verify.kernel.rules.obligations import (
    InputState,
    has_single_total,
    input_states,
)
from ahdp_verify.kernel.terms.expression import ONE, Expression, add, names, substitute

SEVERAL = 12  # most probabilities that are listed one by one
# how a law is integrated by the rules beyond the core, those first that others go along with
HOW = {
    "the rule of repetition": "there the law repeats itself, each time smaller by the same factor: "
    "a geometric series",
    "the rule of antiderivatives": "by an antiderivative, whose derivative is the law",
    "the rule of Gaussian sums": "a discrete Gaussian, whose sum over all whole numbers is a "
    "multiple of theta3",
    "the rule of integration by parts": "powers times exponentials, by parts",
}
LENGTH = 200  # most characters of a law on a piece that is shown


def explain_total_mass(m: Mechanism, shown: Mass, counts: bool, teller: Teller) -> str:
    """The number of the line under which the total of the law is shown to be 1 in every state."""
    head = teller.lines.add("", "The law is nowhere negative, and its total is 1.", head=True)
    spaces = list(input_states(m, counts))
    groups = 1 if has_single_total(m) else len(m.outputs)
    with teller.lines.inside():
        for i, state in enumerate(spaces):
            known = {j: teller.stands[f] for j, f in enumerate(state.here.facts)}
            found = shown.evidence[i * groups : (i + 1) * groups]
            if len(spaces) > 1:
                teller.lines.add("", f"{state.text[0].upper()}{state.text[1:]}", head=True)
                with teller.lines.inside():
                    _state(
                        m, state, shown.values[i * groups : (i + 1) * groups], found, known, teller
                    )
            else:
                _state(m, state, shown.values, found, known, teller)
    return head


def _state(
    m: Mechanism,
    state: InputState,
    values: tuple[Expression, ...],
    found: tuple[Evidence, ...],
    known: Facts,
    teller: Teller,
) -> None:
    law = substitute_nodes(m.density, state.nodes)
    if len(found) == 1:
        explain_evidence(found[0], state.here, known, teller, _whole(m, law, state, teller))
        return
    listed = frozenset(o.name for o in m.outputs)
    if any(not listed.isdisjoint(names(v)) for v in values):
        for i in integration_order(m):
            leaf = _total(m.outputs[i], law, values[i], teller)
            explain_evidence(found[i], state.here, known, teller, leaf)
            law = values[i]
        return
    prefactor, groups = factors_by_output(law, tuple(o.name for o in m.outputs))
    for output, factor, value, piece in zip(m.outputs, groups, values, found, strict=True):
        explain_evidence(piece, state.here, known, teller, _total(output, factor, value, teller))
    product = teller.show(Expression("*", (prefactor, *values)))
    teller.tell(
        "each factor has its total whatever the other outputs are; with the factor in front",
        comparison_piece(product, "=", ONE),
    )


def _whole(m: Mechanism, law: Expression, state: InputState, teller: Teller) -> ExplainLeaf:
    """The explanation of the total of the whole law: its atoms, and one output or all combinations
    of finite ones.
    """

    def leaf(found: Evidence, here: Context, known: Facts) -> None:
        if len(m.outputs) > 1 and any(o.kind != "finite" for o in m.outputs):
            explain_radial_total(law, m.outputs, here, teller)
            return
        points, here, _ = _pieces(found, m.outputs[0].name, here, known, teller)
        parts_ = []
        for at, mass in m.atoms:
            parts_.append(normal(substitute_nodes(mass, state.nodes), here))
            teller.tell(
                "not negative by its sign",
                f"the single point {at} has the probability ",
                teller.ratio(parts_[-1]),
            )
        if any(o.kind != "finite" for o in m.outputs):
            parts_.append(explain_piecewise_total(m.outputs[0], law, points, here, teller))
        else:
            parts_ += _outcomes(m.outputs, law, here, teller)
        _added(parts_, ONE, teller)

    return leaf


def _total(output: Output, law: Expression, value: Expression, teller: Teller) -> ExplainLeaf:
    """The explanation of the total of one output's factor."""

    def leaf(found: Evidence, here: Context, known: Facts) -> None:
        points, here, _ = _pieces(found, output.name, here, known, teller)
        if output.kind == "finite":
            _added(
                _outcomes((output,), law, here, teller),
                value,
                teller,
                f"the total over {output.name}",
            )
        else:
            explain_piecewise_total(output, law, points, here, teller)
            teller.tell("added up", f"so its total over {output.name} is ", teller.show(value))

    return leaf


def _pieces(
    found: Evidence, output: str, here: Context, known: Facts, teller: Teller
) -> tuple[tuple[Ratio, ...], Context, Facts]:
    if not isinstance(found, TotalLeaf):
        raise Rejected("the mass needs points")
    here, known = explain_lemmas(found.lemmas, here, known, teller)
    return cuts(found.points, output, here), here, known


def _outcomes(
    outputs: tuple[Output, ...], law: Expression, here: Context, teller: Teller
) -> list[Ratio]:
    """The probability of every outcome, each with a line of its own unless there are many."""
    found = [(outcome, normal(substitute(law, outcome), here)) for outcome in outcomes(outputs)]
    if len(found) > SEVERAL:
        teller.tell(
            "each not negative by its sign",
            f"the probabilities of all {len(found)} outcomes were computed",
        )
        return [p for _, p in found]
    for outcome, p in found:
        at = ", ".join(f"{k} = {v}" for k, v in outcome.items())
        teller.tell("not negative by its sign", f"at {at} the law is ", teller.ratio(p))
    return [p for _, p in found]


def _added(parts_: list[Ratio], value: Expression, teller: Teller, what: str = "the total") -> None:
    shown = add(*(teller.ratio(p) for p in parts_)) if 1 < len(parts_) <= SEVERAL else None
    pieces_: tuple[LinePiece, ...] = (
        (f"{what}: ", comparison_piece(shown, "=", teller.show(value)))
        if shown is not None
        else (f"{what} is ", teller.show(value))
    )
    teller.tell("added up", *pieces_)


def explain_piecewise_total(
    output: Output,
    law: Expression,
    points: tuple[Ratio, ...],
    here: Context,
    teller: Teller,
    low: int | None = None,
    high: int | None = None,
) -> Ratio:
    """The total of a law from point `low` to point `high` (None: unbounded), with a line for each
    piece between points.
    """
    total = constant(0)
    for i, j, upper in piece_bounds(len(points)):
        if (low is not None and (i is None or i < low)) or (
            high is not None and (j is None or j > high)
        ):
            continue
        value = total_on_piece(law, output.name, output.kind, points, upper, here, positive=True)
        total = total + value
        reason, shown = explain_piece_total(output, law, points, upper, here, teller)
        said = "integral" if output.kind == "real" else "sum"
        if shown is None:
            teller.tell(
                reason,
                "for ",
                *piece_span(output, points, upper, teller),
                f" the {said} is ",
                teller.ratio(value),
            )
        else:
            teller.tell(
                reason,
                "for ",
                *piece_span(output, points, upper, teller),
                " the law is ",
                shown,
                f" and its {said} is ",
                teller.ratio(value),
            )
    return total


def piece_span(
    output: Output, points: tuple[Ratio, ...], upper: int, teller: Teller
) -> tuple[LinePiece, ...]:
    """u < s < v, for a whole-number output u <= s < v."""
    low = None if upper == 0 else teller.ratio(points[upper - 1])
    high = None if upper == len(points) else teller.ratio(points[upper])
    if low is not None and high is not None:
        return (
            comparison_piece(low, "<" if output.kind == "real" else "<=", output.symbol),
            " < ",
            high,
        )
    if low is not None:
        return (comparison_piece(output.symbol, ">" if output.kind == "real" else ">=", low),)
    return (
        ("all ", output.symbol) if high is None else (comparison_piece(output.symbol, "<", high),)
    )


def explain_piece_total(
    output: Output,
    law: Expression,
    points: tuple[Ratio, ...],
    upper: int,
    here: Context,
    teller: Teller,
) -> tuple[str, Expression | None]:
    """How the law was integrated on a piece, and its formula there (None if that is long, or has no
    single form).
    """
    with noting() as used:
        total_on_piece(law, output.name, output.kind, points, upper, here, positive=False)
    reason = next((said for rule, said in HOW.items() if rule in used), "a sum of exponentials")
    if "the rule of repetition" in used:
        return reason, None
    place = piece_context(output.name, output.kind, points, upper, here)
    law_ = normal(law, with_signs(law, place) if used else place)
    shown = teller.ratio(law_)
    return reason, shown if len(str(shown)) <= LENGTH else None
