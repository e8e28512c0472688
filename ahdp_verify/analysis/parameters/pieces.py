"""The values of a parameter in pieces, each with its verdict, and how they are shown.

>>> from ahdp_verify.kernel.model.domain import Values
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import finite
>>> from ahdp_verify.kernel.terms.expression import number
>>> coin = Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density="1/2")
>>> Ranges(Claim(coin, "any", number(1)), "p", ())
Ranges('holds for no p', 0 pieces)
"""

from __future__ import annotations

from dataclasses import dataclass

from ahdp_verify.display.markup import escape_html, latex, upright_latex
from ahdp_verify.display.program_text import program_input_text
from ahdp_verify.display.short_repr import counted, named_repr, short_repr
from ahdp_verify.kernel.evidence.counterexample import side_text
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.refuted import Refuted, RefutedProgram, Violation
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.unknown import Verdict
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.intervals import RealInterval


@dataclass(frozen=True, slots=True)
class RangePiece:
    """An interval of the parameter and the verdict on the claim with that interval as its
    condition.

    A Refuted fails at one value; `everywhere` says that its event refutes the claim at every value
    of the piece, by the checker's rules.
    """

    interval: RealInterval
    verdict: Verdict
    everywhere: bool = False

    __repr__ = short_repr

    @property
    def decided(self) -> bool:
        """True if the claim is proved at every value of the piece, or refuted at every one."""
        return isinstance(self.verdict, Proved) or (
            isinstance(self.verdict, Violation) and (self.everywhere or self.interval.is_point)
        )


@dataclass(frozen=True, slots=True)
class Ranges:
    """The pieces, in order, into which the values of the parameter fall; `reason` says what is
    missing, if something is.
    """

    claim: Claim | ProgramClaim
    parameter: str
    pieces: tuple[RangePiece, ...]
    reason: str = ""

    def __repr__(self) -> str:
        return named_repr(
            self, self.text or "nothing was found", counted(len(self.pieces), "piece")
        )

    @property
    def holds(self) -> tuple[RealInterval, ...]:
        """Where the claim is proved."""
        return tuple(p.interval for p in self.pieces if isinstance(p.verdict, Proved))

    @property
    def exact(self) -> bool:
        """True if the claim is proved or refuted at every value of the parameter."""
        return all(p.decided for p in self.pieces)

    @property
    def text(self) -> str:
        """Where the claim holds, in words."""
        shown = " and ".join(i.text(self.parameter) for i in self.holds)
        if self.exact:
            return f"holds exactly for {shown}" if shown else f"holds for no {self.parameter}"
        return f"holds for {shown}, and perhaps for other values" if shown else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """One line for each piece."""
        return tuple(_line(p, self.parameter) for p in self.pieces)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape_html(line)}</p>" for line in self.lines)

    def _repr_latex_(self) -> str:
        where = r" \lor ".join(latex(i.condition(self.parameter)) for i in self.holds)
        if self.exact:
            said = "holds exactly for" if where else f"holds for no {self.parameter}"
            return rf"${upright_latex(said)}\ {where}$"
        said = "holds for" if where else "where it holds was not found"
        more = ", and perhaps for other values" if where else ""
        return rf"${upright_latex(said)}\ {where}{upright_latex(more)}$"


def _line(piece: RangePiece, parameter: str) -> str:
    verdict, parts, where = piece.verdict, piece.verdict.parts, piece.interval.text(parameter)
    if isinstance(verdict, Refuted | RefutedProgram):
        parts = (
            *(("everywhere there",) if piece.decided else ("not decided elsewhere in it",)),
            refutation_summary(verdict),
        )
    head = f"{verdict.word} for {where}"
    if isinstance(verdict, Violation) and not piece.decided:
        head = f"{verdict.word} for one value in {where}"
    return "; ".join((f"{head}: {one_line(str(verdict.claim))}", *parts))


def refutation_summary(refuted: Refuted | RefutedProgram) -> str:
    """The value, the two inputs and the event of a refutation."""
    what = "outputs" if isinstance(refuted, RefutedProgram) else "event"
    first, second = (one_line(side, 160) for side in _sides(refuted))
    example = refuted.counterexample
    given = ", ".join(f"{k} = {v}" for k, v in example.parameters)
    return (
        f"at {given}: {first} against {second}, {what} {one_line(str(example.event), 160)}, "
        f"{refuted.excess.partition(', delta')[0]}"
    )


def _sides(refuted: Refuted | RefutedProgram) -> tuple[str, ...]:
    """The two inputs in words."""
    if isinstance(refuted, RefutedProgram):
        pair = refuted.counterexample.first, refuted.counterexample.second
        return tuple(program_input_text(refuted.claim.program, side) for side in pair)
    written, example = refuted.written, refuted.counterexample
    return tuple(side_text(written, example, side) for side in (example.first, example.second))
