"""The words of the paper's page, explained on it: outcomes, grades, roles of findings, and
labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ahdp_verify.paper.statements import Result
from ahdp_verify.reporting import Html, element

OUTCOME_WORDS = {
    "holds": "shown as it is printed",
    "repaired": "fails as printed; a corrected statement was shown",
    "false": "fails, and there is no corrected statement",
    "conjecture": "shown in every case that was tried, not proved in general",
    "open": "an answer is missing",
    "no formal content": "there is nothing that could be proved or refuted",
    "data not available": "the records behind it are not public",
}
GRADE_WORDS = {
    "proved": "for all values of everything that the statement speaks of",
    "proved, given ...": "each step is checked by machine; the named facts are cited, not checked",
    "verified for ...": "for the listed values only",
    "refuted": "by a counterexample that was checked",
}
ROLE_WORDS = {
    "printed": "a finding about what the paper says",
    "repair": "a finding about what should stand there",
    "more": "a finding beyond what the paper says",
}
LABELS = {
    "def": "a definition",
    "thm": "a theorem",
    "claim": "a claim; (A1), (B2) and the like are its parts",
    "prop": "a proposition",
    "ex": "an example",
    "rem": "a remark",
    "alg": "an algorithm",
    "fig": "a figure",
    "eq": "an equation",
    "sec": "a passage of a section",
    "exp": "an experiment",
    "E": "an erratum: a passage that is wrong, with what should stand there",
    "S": "a result beyond the paper",
}  # the beginning of a label, which is that of the paper's LaTeX source


def legend(found: Sequence[Result]) -> Html:
    """The meaning of outcomes, grades, roles and labels."""
    labels = {
        (f"{key}:" if key not in "ES" else f"{key}1, {key}2, ..."): meaning
        for key, meaning in LABELS.items()
        if any(re.match(rf"{key}(?:[:.]|\d)", r.row.label) for r in found)
    }
    return element(
        "details",
        element("summary", "What the words and labels mean"),
        (
            facts(caption, words)
            for caption, words in (
                ("Outcome of a statement", OUTCOME_WORDS),
                ("How much was shown", GRADE_WORDS),
                ("Role of a finding", ROLE_WORDS),
                ("Label of a statement", labels),
            )
            if words
        ),
    )


def facts(caption: str, words: dict[str, str]) -> Html:
    """A table of words with their meanings."""
    rows = (
        element("tr", element("th", word, scope="row"), element("td", meaning))
        for word, meaning in words.items()
    )
    return element(
        "table",
        element("caption", element("span", caption)),
        element("tbody", rows),
        class_="facts",
    )
