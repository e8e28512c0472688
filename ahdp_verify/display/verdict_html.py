"""A verdict as HTML: its word in colour, the claim, and a line for each part of what follows.

>>> from ahdp_verify.kernel.model.inequality import Inequality
>>> from ahdp_verify.kernel.terms.expression import number
>>> from ahdp_verify.kernel.unknown import Unknown
>>> print(verdict_html(Unknown(Inequality({}, number(0), "<=", number(1)), ())))
<p><b style="color:#9a6700">Unknown</b>: 0 &lt;= 1<br>reasons: </p>
"""

from __future__ import annotations

from ahdp_verify.display.markup import escape_html
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.kernel.unknown import Verdict

COLOURS = {
    "proved": "#1a7f37",
    "refuted": "#b3261e",
    "unknown": "#9a6700",
    "vacuous": "#9a6700",
}  # legible on white and on black


def verdict_html(verdict: Verdict) -> str:
    """One paragraph."""
    rest = "".join(f"<br>{escape_html(part)}" for part in verdict.parts)
    return (
        f'<p><b style="color:{COLOURS[verdict.outcome]}">{escape_html(verdict.word)}</b>: '
        f"{escape_html(one_line(str(verdict.claim)))}{rest}</p>"
    )
