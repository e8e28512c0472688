"""Tables of texts for notebooks, in HTML and in LaTeX.

>>> rows = [("level", "delta"), ("1/2", "<b>")]
>>> html_table("least delta", rows).count("<td")
2
>>> print(latex_table(rows))
$\\begin{array}{ll}\\text{level} & \\text{delta} \\\\ \\hline \\text{1/2} & \\text{＜b＞}\\end{array}$
"""

from __future__ import annotations

from collections.abc import Iterable

from ahdp_verify.display.markup import escape_html, upright_latex

# notebooks provide no style for tables that holds for all of them, so it is in the elements
TABLE = "border-collapse: separate; border-spacing: 1.2em 0.2em; margin-left: -1.2em"
HEAD = "text-align: left"
MOST = 20  # rows of a list that are shown whole


def html_table(title: str, rows: Iterable[tuple[str, ...]], remarks: Iterable[str] = ()) -> str:
    """The rows as a table, the first as its head, below a title and above remarks; a wide table
    scrolls.
    """
    escaped = [tuple(map(escape_html, row)) for row in rows]
    notes = "".join(f"<p>{escape_html(remark)}</p>" for remark in remarks)
    return f"<div><p>{escape_html(title)}</p>{table_of_html(escaped)}{notes}</div>"


def table_of_html(rows: Iterable[tuple[str, ...]]) -> str:
    """The same for cells that are HTML."""
    head, *body = rows
    top = "".join(f'<th scope="col" style="{HEAD}">{cell}</th>' for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return (
        f'<div style="overflow-x: auto"><table style="{TABLE}"><tr>{top}</tr>{lines}</table></div>'
    )


def latex_table(rows: Iterable[tuple[str, ...]]) -> str:
    """The rows as an array in dollar signs, with a line below the first."""
    listed = list(rows)
    head, *body = (" & ".join(map(upright_latex, row)) for row in listed)
    columns = "l" * len(listed[0])
    below = r" \hline " + r" \\ ".join(body) if body else ""
    return rf"$\begin{{array}}{{{columns}}}{head} \\{below}\end{{array}}$"


def without_middle_rows(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The rows, those in the middle of many replaced by their number."""
    if len(rows) <= MOST:
        return rows
    half = MOST // 2
    gap = (f"... {len(rows) - 2 * half} more", *("" for _ in rows[0][1:]))
    return [*rows[:half], gap, *rows[-half:]]
