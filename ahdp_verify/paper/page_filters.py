"""The filters of the paper's page: choices on which its style acts, without a script.

>>> "body:has(#part-1:checked)" in filter_style(["one part"])
True
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ahdp_verify.paper.page_words import OUTCOME_WORDS
from ahdp_verify.paper.statements import Result
from ahdp_verify.reporting import Html, element, join


def filters_html(found: Sequence[Result], titles: list[str]) -> Html:
    """Choices of an outcome and of a part; the style of the page acts on them, without a script."""
    present = [word for word in OUTCOME_WORDS if any(r.outcome == word for r in found)]
    return join(
        element("h2", "Statements", class_="screen"),
        choice_html(
            "Show the outcome",
            "outcome",
            [("all", "all"), *((css_class(word), word) for word in present)],
        ),
        choice_html(
            "Show the part",
            "part",
            [("all", "all"), *((str(i), title) for i, title in enumerate(titles, 1))],
        ),
    )


def choice_html(legend_: str, name: str, options: list[tuple[str, str]]) -> Html:
    """One group of choices, the first of them chosen."""
    return element(
        "fieldset",
        element("legend", legend_),
        (
            element(
                "label",
                element(
                    "input",
                    type="radio",
                    name=name,
                    id=f"{name}-{value}",
                    value=value,
                    checked=value == "all",
                ),
                f" {text}",
            )
            for value, text in options
        ),
        class_="filters screen",
    )


def filter_style(titles: list[str]) -> str:
    """The rules by which a choice hides what it does not name; a browser that does not know them
    shows everything.
    """
    chosen = [(f"outcome-{css_class(word)}", css_class(word)) for word in OUTCOME_WORDS]
    chosen += [(f"part-{i}", f"part-{i}") for i in range(1, len(titles) + 1)]
    return "\n".join(
        f"body:has(#{name}:checked) :is(article, .entry):not(.{kind}), "
        f"body:has(#{name}:checked) .group:not(:has(article.{kind})) {{ display: none }}"
        for name, kind in chosen
    )


def css_class(word: str) -> str:
    """A word as a class."""
    return re.sub(r"\W+", "-", word)
