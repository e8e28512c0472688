"""A verdict as HTML: its word in colour, the claim, and a line for each part of what follows.

>>> from ahdp_verify.kernel.model.inequality import Inequality
>>> from ahdp_verify.kernel.terms.expression import number
>>> from ahdp_verify.verdicts import Unknown
>>> print(verdict_html(Unknown(Inequality({}, number(0), "<=", number(1)), ())))
<p><b style="color:#9a6700">Unknown</b>: 0 &lt;= 1<br>reasons: </p>
"""

from __future__ import annotations

from ahdp_verify.decimals import text_with_decimal
from ahdp_verify.display.input_text import side_text
from ahdp_verify.display.markup import escape_html
from ahdp_verify.display.program_text import program_input_text
from ahdp_verify.display.tables import table_of_html
from ahdp_verify.display.verdict_text import PART, event_text
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.refuted import Refuted, RefutedProgram
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.verdicts import Verdict

COLOURS = {
    "proved": "#1a7f37",
    "refuted": "#b3261e",
    "unknown": "#9a6700",
    "vacuous": "#9a6700",
}  # legible on white and on black


def verdict_html(verdict: Verdict) -> str:
    """A paragraph, and for a refutation a table of its witness."""
    rest = "".join(f"<br>{escape_html(part)}" for part in verdict.parts)
    witness = witness_html(verdict) if isinstance(verdict, Refuted | RefutedProgram) else ""
    return (
        f'<p><b style="color:{COLOURS[verdict.outcome]}">{escape_html(verdict.word)}</b>: '
        f"{escape_html(one_line(str(verdict.claim)))}{rest}</p>{witness}"
    )


def witness_html(refuted: Refuted | RefutedProgram) -> str:
    """Both inputs of a counterexample, with the probabilities of its event."""
    example = refuted.counterexample
    found = (refuted.first_probability, refuted.second_probability)
    words = ("at least ", "at most ") if refuted.enclosed else ("", "")
    numbers = (
        f"{word}{text_with_decimal(to_expression(p), p)}"
        for word, p in zip(words, found, strict=True)
    )
    rows = zip(input_texts(refuted), numbers, strict=True)
    escaped = [tuple(escape_html(one_line(cell, PART)) for cell in row) for row in rows]
    said = event_text(refuted) if isinstance(refuted, Refuted) else str(example.event)
    event = escape_html(one_line(said, PART))
    return table_of_html([("input", f"probability of {event}"), *escaped])


def input_texts(refuted: Refuted | RefutedProgram) -> tuple[str, str]:
    """Both inputs of a counterexample in words."""
    if isinstance(refuted, RefutedProgram):
        told, program = refuted.counterexample, refuted.claim.program
        return program_input_text(program, told.first), program_input_text(program, told.second)
    example, claim = refuted.counterexample, refuted.written
    return side_text(claim, example, example.first), side_text(claim, example, example.second)
