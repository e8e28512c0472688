"""The figures of noise programs show what was worked out: every end of a tree, exact probabilities,
and levels at the values of the parameters.
"""

from __future__ import annotations

import math

import pytest

pytest.importorskip("matplotlib", reason="the extra plots")

from ahdp_verify import dp, explain, laplace, name, noise_program, oo, verify
from ahdp_verify.classroom.program_pictures import (
    beside,
    code_of,
    least_level,
    levels_picture,
    node_of,
    outcomes_picture,
    tree_picture,
)
from ahdp_verify.kernel.refuted import RefutedProgram


@noise_program(parameters={"eps": "eps > 0"})
def once(queries, eps):
    rho = laplace(2 / eps)
    for q in queries:
        if q >= rho:
            yield True
            return
        yield False


@noise_program(parameters={"eps": "eps > 0"})
def number_itself(queries, eps):
    return queries[0] + laplace(1 / (2 * eps))


def refuted(claim: object) -> RefutedProgram:
    verdict = verify(claim)
    assert isinstance(verdict, RefutedProgram)
    return verdict


def test_a_tree_shows_every_end() -> None:
    program = once.program(queries=3)
    root = node_of(program.start)
    assert (root.width, root.height) == (4, 4)
    assert root.lines == ("z1 ~ laplace(2/eps)", "q[1] >= z1 ?")
    yes, no = root.then
    assert yes.lines == ("output true", "stop") and no.lines == ("output false", "q[2] >= z1 ?")
    texts = [text.get_text() for text in tree_picture(program).figure.axes[0].texts]
    assert texts.count("yes") == texts.count("no") == 3
    assert sum("stop" in text for text in texts) == 4


def test_the_probabilities_of_all_outputs_are_shown() -> None:
    """At answers a, b the outputs false, true have the probability P[a < rho <= b]."""
    verdict = refuted(dp(once, "eps/4", "all", queries=1))
    axes = outcomes_picture(verdict).figure.axes[0]
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels == ["true", "false"]
    (at_first,), (at_second,) = verdict.counterexample.first, verdict.counterexample.second
    eps = float(dict(verdict.counterexample.parameters)["eps"].args[0])

    def below(q: float) -> float:
        tail = math.exp(-abs(q) * eps / 2) / 2
        return 1 - tail if q > 0 else tail

    for bars, q in zip(axes.containers, (at_first, at_second), strict=True):
        assert [bar.get_width() for bar in bars] == pytest.approx([below(q), 1 - below(q)])


def test_of_outputs_of_numbers_the_event_alone_is_shown() -> None:
    verdict = refuted(dp(number_itself, "eps", "all", queries=1))
    axes = outcomes_picture(verdict).figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        str(verdict.counterexample.event)
    ]


def test_levels_are_drawn_where_they_are() -> None:
    """rho moves by the largest step of an answer, once: 1 of 2/eps, and by no more."""
    assert str(least_level(once.program(), "all", 1)) == "eps/2"
    assert least_level(once.program(), "all", 2) == oo  # q[1] < rho <= q[2] may be impossible
    shown = levels_picture({"once": [name("eps") / 2, None, oo]}, name("eps"), {"eps": 3})
    axes = shown.figure.axes[0]
    (line,) = axes.lines
    assert list(line.get_xdata()) == [1, 3]
    low, high = line.get_ydata()
    assert low == pytest.approx(1.5) and 3 < high < axes.get_ylim()[1]
    assert [text.get_text() for text in axes.texts] == ["infinite"]


def test_code_stands_beside_its_proof() -> None:
    verdict = verify(dp(once, "eps", "one", queries=1))
    html = beside(code_of(once), explain(verdict))._repr_html_()
    assert code_of(once).startswith("@noise_program(") and "\n    rho = laplace(2 / eps)\n" in html
    assert "in the second run" in html and "\\n" not in html
    assert "<b>1</b>" in html
