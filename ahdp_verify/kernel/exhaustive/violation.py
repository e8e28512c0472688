"""What the enumeration raises at the first violation; a module of its own, so that a search that
enumerates nothing can name it without loading the arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ahdp_verify.kernel.errors import Rejected

if TYPE_CHECKING:
    from ahdp_verify.kernel.exhaustive.datasets import InputNodes


class ClaimViolated(Rejected):
    """The claim fails: the probability of some output at `before` violates the claimed bound in
    terms of that at `after`, two inputs in the form of counterexamples; `place` orders violations,
    those of small inputs first.
    """

    def __init__(
        self, before: InputNodes, after: InputNodes, place: tuple[int, int, int] = (0, 0, 0)
    ) -> None:
        self.before, self.after, self.place = before, after, place
        super().__init__("two inputs violate the claim")

    def __reduce__(
        self,
    ) -> tuple[type[ClaimViolated], tuple[InputNodes, InputNodes, tuple[int, int, int]]]:
        return ClaimViolated, (self.before, self.after, self.place)
