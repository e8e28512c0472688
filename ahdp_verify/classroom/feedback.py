"""What an exercise says to an answer: accepted, not accepted, or not decided, with the reason.

>>> print(Feedback(False, "2 is more than 1"))
Not right. 2 is more than 1
>>> print(Feedback(True, "1/2 is the probability")._repr_html_()[:38])
<div role="status" data-accepted="yes"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ahdp_verify.display.markup import escape_html
from ahdp_verify.display.verdict_text import said_of_inputs
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, OutOfLimits, Rejected
from ahdp_verify.kernel.refuted import Refuted, RefutedInequality, RefutedProgram
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.verdicts import Unknown, Verdict

SECONDS = 20.0  # of processor time for one answer
LOOKS = {True: ("yes", "Right.", "#1a5fb4", "✓"), False: ("no", "Not right.", "#c64600", "✗")}
OPEN = ("open", "Not yet.", "#6b6b6b", "…")


@dataclass(frozen=True, slots=True)
class Feedback:
    """Whether an answer is accepted (None: there is none, it cannot be read, or the toolkit did not
    decide), and a sentence that says why.
    """

    accepted: bool | None
    text: str

    def __str__(self) -> str:
        return f"{LOOKS.get(self.accepted, OPEN)[1] if self.accepted is not None else OPEN[1]} {self.text}"

    def _repr_html_(self) -> str:
        """A box with a sign and a word, so that nothing depends on its colour alone."""
        key, word, colour, mark = OPEN if self.accepted is None else LOOKS[self.accepted]
        return (
            f'<div role="status" data-accepted="{key}" style="border-left:4px solid {colour};'
            f'padding:.4rem .8rem;margin:.4rem 0;overflow-wrap:anywhere">'
            f'<b style="color:{colour}">{mark} {word}</b> {escape_html(self.text)}</div>'
        )


NOTHING = Feedback(None, "Give an answer above; the toolkit checks it.")


def answered(answer: str | None, judge: Callable[[str], Feedback]) -> Feedback:
    """What `judge` says to an answer; an answer that is missing or has no meaning is not judged."""
    if answer is None or not str(answer).strip():
        return NOTHING
    try:
        return judge(str(answer).strip())
    except (BadInput, NotWorkedOut) as why:
        return Feedback(None, f"This answer could not be used: {why}.")
    except OutOfLimits as stop:
        return Feedback(None, f"This takes too long: {stop.reason}.")
    except Rejected as why:
        return Feedback(False, f"The checker rejects it: {why.reason}.")


def limits() -> Limits:
    """The limits for one answer."""
    return Limits(seconds=SECONDS)


def judged(verdict: Verdict, proved: str) -> Feedback:
    """An answer that is right if and only if a claim about it holds; `proved` is the sentence for
    one that is right.
    """
    if isinstance(verdict, Refuted | RefutedProgram):
        return Feedback(False, counterexample_text(verdict))
    if isinstance(verdict, RefutedInequality):
        return Feedback(False, f"It fails at {verdict.text}.")
    if isinstance(verdict, Unknown):
        reasons = "; ".join(d.reason for d in verdict.reasons)
        return Feedback(None, f"The toolkit neither proves nor refutes it: {reasons}.")
    assert isinstance(verdict, Proved)
    if verdict.vacuous:
        return Feedback(False, f"It says nothing: {'; '.join(said_of_inputs(verdict))}.")
    return Feedback(True, proved)


def counterexample_text(refuted: Refuted | RefutedProgram) -> str:
    """A counterexample in a sentence.

    >>> from ahdp_verify.kernel.model.domain import Domain
    >>> from ahdp_verify.kernel.terms.expression import Abs, exp
    >>> from ahdp_verify.kernel.model.mechanism import Mechanism
    >>> from ahdp_verify.kernel.model.outputs import real
    >>> from ahdp_verify.kernel.model.privacy import ahdp
    >>> from ahdp_verify.search.verify import verify
    >>> s, W = real("s"), Domain([(0, 1)])
    >>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2)
    >>> print(counterexample_text(verify(ahdp(M, "1/2"))))
    Counterexample: {} against {(0, 1)}, event s < 0: probability 1/2 against exp(-1)/2 = 0.18394, loss 1 > 1/2, delta 0.196735.
    """
    return f"Counterexample: {refuted.text}."
