"""`tradeoff`: the exact error rates of the best tests that distinguish two inputs of a mechanism.

A test that sees the output rejects "the input is D" on an event R. Its type I error is P(R | D),
its type II error 1 - P(R | D'). The trade-off curve is, for each type I error alpha, the least type
II error beta of tests that may be randomised; by the lemma of Neyman and Pearson the best test
rejects where the likelihood ratio law(D') / law(D) is largest
(`ahdp_verify.analysis.testing.likelihood_ratio`).

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.kernel.model.outputs import real
>>> W, s = Domain([(1, 1)]), real("s")
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> print(tradeoff(M, [0], [1]))
trade-off of noisy size: {} or {(1, 1)}
type I       decimal   type II      decimal   the best test rejects {} on
0            0         1            1         nothing
exp(-1)/2    0.18394   1/2          0.5       s >= 1
exp(-1/2)/2  0.303265  exp(-1/2)/2  0.303265  s >= 1/2
1/2          0.5       exp(-1)/2    0.18394   s >= 0
1            1         0            0         any output
  from exp(-1)/2 to 1/2 the type II error is exp(-1)/alpha/4
  elsewhere it is straight
  total variation 1 - exp(-1/2) = 0.393469, level 1
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from ahdp_verify.analysis.inputs import constant_of, law_at_input
from ahdp_verify.analysis.levels.table import aligned_lines
from ahdp_verify.analysis.testing.likelihood_ratio import (
    SAME,
    RatioCell,
    cells_by_ratio,
    compare_quotients,
    events_text,
    interval_event,
    merge_events,
    require_sign,
    short_expression,
)
from ahdp_verify.decimals import decimal
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.display.tables import html_table, latex_table
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Undecided, Unsupported
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, log_of, symbol
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, refusal_text, to_expression
from ahdp_verify.kernel.terms.expression import ZERO, Expression, oo
from ahdp_verify.kernel.terms.printing import display_name, one_line
from ahdp_verify.search.limits import Limits, enforce_limits

EMPTY = Context.empty()
WIDEST = 60  # characters of a constant or a test in the table
MANY = 60  # vertices beyond which the table leaves some out and constants are not simplified
HEAD = ("type I", "decimal", "type II", "decimal")
CURE = (
    "use finitely many outputs, or a single output whose density is one exponential on each of "
    "finitely many pieces"
)


@contextmanager
def translate_errors(where: str, cure: str = CURE) -> Iterator[None]:
    """An error without a closed form becomes NotWorkedOut; one without a value becomes BadInput."""
    try:
        yield
    except (Undecided, Unsupported) as why:
        raise NotWorkedOut(where, refusal_text(why), cure) from None
    except ZeroDivisionError:
        raise BadInput(
            where,
            "the density or a probability divides by 0 at one of the inputs",
            "choose inputs at which the mechanism is defined",
        ) from None


@dataclass(frozen=True, slots=True)
class Attack:
    """Rejects `first` on the events `rejected`, and on `tossed` with probability `chance`; the
    events are disjoint.
    """

    rejected: tuple[Event, ...]
    tossed: tuple[Event, ...] = ()
    chance: Expression = ZERO

    __repr__ = short_repr

    def __str__(self) -> str:
        parts = [events_text(self.rejected)] if self.rejected else []
        parts += (
            [f"{events_text(self.tossed)} with probability {self.chance}"] if self.tossed else []
        )
        return ", and on ".join(parts) or "nothing"


@dataclass(frozen=True, slots=True)
class TradeoffVertex:
    """A point of the curve and the test that attains it: that which rejects on the first `rank`
    of the `cells`.
    """

    alpha: Expression
    beta: Expression
    rank: int
    cells: tuple[RatioCell, ...]

    __repr__ = short_repr

    @property
    def row(self) -> tuple[str, ...]:
        """The vertex as texts; constants that are long are decimals only."""
        errors = (
            text
            for e in (self.alpha, self.beta)
            for text in ((str(e) if len(str(e)) <= WIDEST else "", _decimal_text(e)))
        )
        return (*errors, one_line(str(self.test), WIDEST))

    @property
    def test(self) -> Attack:
        """The best test with this type I error; it is not randomised."""
        everything = (e for c in self.cells for e in c.events)
        return Attack(
            merge_events((e for c in self.cells[: self.rank] for e in c.events), everything)
        )


@dataclass(frozen=True, slots=True)
class TradeoffPiece:
    """The curve between two neighbouring vertices, along which more and more of one cell is
    rejected.
    """

    low: TradeoffVertex
    high: TradeoffVertex
    cell: RatioCell

    __repr__ = short_repr

    @property
    def straight(self) -> bool:
        """Whether the curve is straight here, since the likelihood ratio is one number."""
        return self.cell.slope is None

    @property
    def beta(self) -> Expression:
        """The least type II error as a formula in the name alpha."""
        return short_expression(self.second(symbol("alpha")))

    def second(self, alpha: Ratio) -> Ratio:
        """The least type II error at a type I error on this piece."""
        used = alpha - constant_to_ratio(self.low.alpha)
        power = (
            used * self.cell.second / self.cell.first
            if self.cell.slope is None
            else self.cell.slope.reached(used)[1]
        )
        return constant_to_ratio(self.low.beta) - power


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """The least type II error for each type I error in distinguishing two inputs: convex, and
    falling from the first vertex to the last, at alpha = 1.

    title       the title of the curve
    first, second    the inputs; the type I error is to take `first` for `second`
    vertices    points in order, where straight parts end, and the point at which tests are best in
                the sum of both errors
    pieces      the curve between them
    cells       the outputs in falling order of the likelihood ratio
    """

    title: str
    first: str
    second: str
    vertices: tuple[TradeoffVertex, ...]
    pieces: tuple[TradeoffPiece, ...]
    cells: tuple[RatioCell, ...]

    __repr__ = short_repr

    def _place(self, alpha: object) -> tuple[Ratio, TradeoffVertex | TradeoffPiece]:
        """The type I error as a constant, and the vertex or the piece that it belongs to."""
        value = read_constant(alpha, "alpha")
        if require_sign(value) < 0 or require_sign(constant(1) - value) < 0:
            raise BadInput("alpha", f"{alpha} is not a type I error", "give a number from 0 to 1")
        for vertex, piece in zip(self.vertices, (*self.pieces, None), strict=True):
            if (value - constant_to_ratio(vertex.alpha)).is_zero:
                return value, vertex
            if piece is not None and require_sign(constant_to_ratio(piece.high.alpha) - value) > 0:
                return value, piece
        raise Unsupported("the type I error lies on no piece")

    def at(self, alpha: object) -> Expression:
        """The least type II error of tests whose type I error is alpha, an exact number, text or
        expression in [0, 1].
        """
        with translate_errors("alpha", "give a number from 0 to 1, for example 1/10"):
            value, place = self._place(alpha)
            return (
                place.beta
                if isinstance(place, TradeoffVertex)
                else short_expression(place.second(value))
            )

    def test(self, alpha: object) -> Attack:
        """The best test with this type I error."""
        with translate_errors("alpha", "give a number from 0 to 1, for example 1/10"):
            value, place = self._place(alpha)
            if isinstance(place, TradeoffVertex):
                return place.test
            used, cell, sure = (
                value - constant_to_ratio(place.low.alpha),
                place.cell,
                place.low.test.rejected,
            )
            if cell.slope is None:
                return Attack(sure, cell.events, short_expression(used / cell.first))
            t, s = cell.slope.reached(used)[0], cell.slope
            low, high = (t, s.high) if s.rising else (s.low, t)
            part = interval_event(s.output, s.values, low, high, s.points)
            return Attack(merge_events((*sure, part), (e for c in self.cells for e in c.events)))

    @property
    def total_variation(self) -> Expression:
        """The total variation distance: the largest difference of the two probabilities of an
        event, which is 1 minus the least sum of both errors.
        """
        return short_expression(
            sum(
                (c.second - c.first for c in self.cells if compare_quotients(c.bottom, SAME) >= 0),
                constant(0),
            )
        )

    @property
    def level(self) -> Expression:
        """The largest privacy loss, |log of the likelihood ratio|, over all outputs; oo if it is
        unbounded.
        """
        (most, least), (low, high) = self.cells[0].top, self.cells[-1].bottom
        if least.is_zero or low.is_zero:
            return oo
        up, down = most / least, high / low
        return short_expression(log_of(up if require_sign(up - down) > 0 else down))

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The vertices as texts, below a head."""
        head = (*HEAD, f"the best test rejects {self.first} on")
        hidden = len(self.vertices) - MANY
        listed = (
            self.vertices
            if hidden <= 0
            else (*self.vertices[: MANY // 2], None, *self.vertices[-MANY // 2 :])
        )
        return [
            head,
            *((f"... {hidden} more", "", "", "", "") if v is None else v.row for v in listed),
        ]

    @property
    def remarks(self) -> list[str]:
        """The parts that are not in the rows: the pieces that are not straight, total variation and
        level.
        """
        curved = [
            f"from {low} to {high} the type II error is {beta}" for low, high, beta in self.curved
        ]
        straight = (
            ["elsewhere it is straight"] if curved and any(p.straight for p in self.pieces) else []
        )
        return [
            *curved,
            *straight,
            f"total variation {with_decimal(self.total_variation)}, level "
            f"{with_decimal(self.level)}",
        ]

    @property
    def curved(self) -> Iterator[tuple[Expression, Expression, Expression]]:
        """(from, to, type II error) of the parts that are not straight, those of one formula
        together.
        """
        listed = [(p.low.alpha, p.high.alpha, p.beta) for p in self.pieces if not p.straight]
        for i, (low, high, beta) in enumerate(listed):
            if i and listed[i - 1][1:] == (low, beta):
                continue
            for start, end, same in listed[i + 1 :]:
                high = end if (start, same) == (high, beta) else high
            yield low, high, beta

    def __str__(self) -> str:
        return "\n".join(
            [self.title, *aligned_lines(self.rows), *(f"  {line}" for line in self.remarks)]
        )

    def _repr_html_(self) -> str:
        return html_table(self.title, self.rows, self.remarks)

    def _repr_latex_(self) -> str:
        return latex_table(self.rows)


def tradeoff(
    mechanism: Mechanism,
    first: object,
    second: object,
    *,
    parameters: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> Tradeoff:
    """The trade-off curve of a mechanism at two inputs, in the form that `Mechanism.sample` takes;
    its parameters get the values given.

    Finite outputs have vertices with straight lines between; whole outputs too, if their ratio
    takes finitely many values.  Laws of one real output that are single exponentials between
    finitely many points, such as Laplace distributions of one scale, have a formula on each piece.
    `limits` say how long it may take and how much memory it may use (OutOfLimits then). Raises
    BadInput for other distributions, and for inputs that the mechanism does not take.
    """
    with enforce_limits(limits, "working out the trade-off"):
        first_law, second_law = (law_at_input(mechanism, d, parameters) for d in (first, second))
        title = (
            f"trade-off of {display_name(mechanism.name) or 'the mechanism'}: {first_law.text} or "
            f"{second_law.text}"
        )
        with translate_errors("trade-off"):
            listed = cells_by_ratio(first_law, second_law)
            shown = short_expression if len(listed) <= MANY else to_expression
            corners, alpha, beta = [], constant(0), constant(1)
            for rank, cell in enumerate((*listed, None)):
                if cell is None or not cell.first.is_zero:
                    corners.append(TradeoffVertex(shown(alpha), shown(beta), rank, listed))
                if cell is not None:
                    alpha, beta = alpha + cell.first, beta - cell.second
        return Tradeoff(
            title,
            first_law.text,
            second_law.text,
            tuple(corners),
            tuple(TradeoffPiece(a, b, listed[a.rank]) for a, b in itertools.pairwise(corners)),
            listed,
        )


def constant_to_ratio(e: Expression) -> Ratio:
    """The canonical form of a constant."""
    return normal(e, EMPTY)


def read_constant(value: object, where: str) -> Ratio:
    """The same for a user's input; BadInput for anything but a finite constant, NotWorkedOut for
    one whose sign is not known.
    """
    found, cure = constant_of(value, where), 'write for example "1/10"'
    if found == oo:
        raise BadInput(where, f"{str(value)[:40]} is not a number", cure)
    if constant_sign(constant_to_ratio(found)) is None:
        raise NotWorkedOut(where, f"the sign of {str(value)[:40]} is not known", cure)
    return constant_to_ratio(found)


def _decimal_text(e: Expression) -> str:
    """A decimal of a constant, for display."""
    return "oo" if e == oo else decimal(constant_to_ratio(e))


def with_decimal(e: Expression) -> str:
    """A constant with its decimal, if it is not a number itself."""
    return str(e) if e.head in ("number", "oo") else f"{e} = {_decimal_text(e)}"
