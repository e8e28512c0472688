"""The figures of noise programs: the tree of a program, the probabilities of its outputs at two
inputs, and its least level against the number of queries.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Stop
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> yes, no = (Release(label(word), Stop()) for word in ("yes", "no"))
>>> test = Draw("nu", "laplace", parse("1"), If(parse("q[1] + nu"), True, yes, no))
>>> print(tree_picture(Program("sign", (), Answers(1), test)).text)
The tree of sign: 2 ways to its ends.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ahdp_verify.analysis.levels.programs import least_levels
from ahdp_verify.classroom.pictures import BLUE, GREEN, INK, LOOKS, ORANGE, Picture, picture
from ahdp_verify.display.markup import escape_html
from ahdp_verify.display.program_text import row_text, statement_text
from ahdp_verify.explanation.numbered_lines import Explanation, NumberedLine
from ahdp_verify.kernel.evidence.program_counterexample import OutputEvent
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import Draw, If, Program, Release, Tree
from ahdp_verify.kernel.model.program_paths import PathTable
from ahdp_verify.kernel.numbers.normal_form import to_expression
from ahdp_verify.kernel.refuted import RefutedProgram
from ahdp_verify.kernel.rules.chance import output_probability
from ahdp_verify.kernel.terms.expression import Expression, number, oo, substitute
from ahdp_verify.plots import float_value
from ahdp_verify.programs import NoiseProgram

CODE = "overflow-x:auto;font-size:.72rem;margin:.3rem 0"
MOST = 16  # outputs whose probabilities are shown


@dataclass(frozen=True, slots=True)
class Node:
    """The steps up to the next comparison or the end, and what follows: nothing, or what happens if
    it holds and if it does not.
    """

    lines: tuple[str, ...]
    then: tuple[Node, ...] = ()

    @property
    def width(self) -> int:
        """The number of its ends."""
        return sum(node.width for node in self.then) or 1

    @property
    def height(self) -> int:
        """The number of nodes on its longest way down."""
        return 1 + max((node.height for node in self.then), default=0)


def node_of(tree: Tree) -> Node:
    """The tree with draws and outputs gathered in its nodes."""
    lines: list[str] = []
    while isinstance(tree, Draw | Release):
        lines.append(statement_text(tree))
        tree = tree.then
    if isinstance(tree, If):
        question = row_text(tree.value, strict=tree.strict)
        return Node((*lines, f"{question} ?"), (node_of(tree.yes), node_of(tree.no)))
    return Node((*lines, statement_text(tree)))


def tree_picture(program: Program) -> Picture:
    """The tree of a program on few queries, from its first draw to its ends: yes to the left."""
    root = node_of(program.start)

    def draw(axes: Any) -> None:
        _draw_node(axes, root, 0.0, 0)
        axes.set(xlim=(0, root.width), ylim=(-root.height + 0.4, 0.6))
        axes.axis("off")

    said = f"The tree of {program.name}: {root.width} ways to its ends."
    return picture(draw, said, 1.25 * root.height)


def _draw_node(axes: Any, node: Node, left: float, depth: int) -> float:
    """Draws a node and all below it, from `left`; where its middle is."""
    places, at = [], left
    for below in node.then:
        places.append(_draw_node(axes, below, at, depth + 1))
        at += below.width
    middle = sum(places) / len(places) if places else left + 0.5
    for x, (word, (colour, dashes, _)) in zip(
        places, zip(("yes", "no"), LOOKS, strict=True), strict=False
    ):
        axes.plot([middle, x], [-depth, -depth - 1], color=colour, linestyle=dashes, zorder=1)
        axes.text(
            (middle + x) / 2,
            -depth - 0.5,
            word,
            fontsize=8,
            ha="center",
            va="center",
            color=colour,
            backgroundcolor="white",
        )
    axes.text(
        middle,
        -depth,
        "\n".join(node.lines),
        fontsize=7.5,
        ha="center",
        va="center",
        zorder=3,
        bbox={"boxstyle": "round", "facecolor": "white" if node.then else GREEN, "edgecolor": INK},
    )
    return middle


def outcomes_picture(refuted: RefutedProgram) -> Picture:
    """The probabilities of all outputs of labels at the two inputs of a counterexample, that of its
    event marked; of the event alone where there are many, or outputs of numbers.
    """
    example, claim = refuted.counterexample, refuted.claim
    given = dict(example.parameters)
    events = _events(claim.program, len(example.first)) or [example.event]
    series = [
        [
            float_value(to_expression(output_probability(claim.program, side, given, event)))
            for event in events
        ]
        for side in (example.first, example.second)
    ]
    sides = [f"({', '.join(map(str, side))})" for side in (example.first, example.second)]

    def draw(axes: Any) -> None:
        for i, (values, side, (colour, _, hatch)) in enumerate(
            zip(series, sides, LOOKS, strict=True)
        ):
            axes.barh(
                [k + (i - 0.5) * 0.4 for k in range(len(events))],
                values,
                height=0.36,
                color=colour,
                alpha=0.75,
                hatch=hatch,
                edgecolor="white",
                label=f"at {side}",
            )
        axes.set_yticks(range(len(events)), [_short(event) for event in events], fontsize=8)
        for text, event in zip(axes.get_yticklabels(), events, strict=True):
            text.set_fontweight("bold" if event == example.event else "normal")
        axes.invert_yaxis()
        axes.set(xlabel="probability", xlim=(0, 1.3 * max(map(max, series))))

    said = f"The probabilities of the outputs at {sides[0]} and at {sides[1]}."
    return picture(draw, said, 1.3 + 0.33 * len(events))


def _events(program: Program, n: int) -> list[OutputEvent]:
    """The outputs of a program on n queries; none if there are numbers among them, or too many."""
    found: dict[OutputEvent, None] = {}
    for path in PathTable(program).runs(n):
        labels = tuple(item for item in path.items if not isinstance(item, LinearForm))
        if len(labels) < len(path.items) or len(found) > MOST:
            return []
        found[OutputEvent(labels)] = None
    return list(found)


@dataclass(frozen=True, slots=True)
class Beside:
    """The text of a function, and an explanation of a verdict about it, beside each other or below
    each other where there is no room.
    """

    source: str
    explanation: Explanation

    def _repr_html_(self) -> str:
        """The numbered lines with their reasons; tables scroll where they are too wide."""
        told = "".join(map(_line_html, self.explanation.shown))
        return (
            '<div style="display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start">'
            f'<pre style="{CODE};flex:1 1 300px">{_lines_html(self.source.splitlines())}</pre>'
            f'<div style="flex:2 1 300px;min-width:0">{told}</div></div>'
        )


def beside(source: str, explanation: Explanation) -> Beside:
    """The code and the explanation beside each other."""
    return Beside(source, explanation)


def code_of(program: NoiseProgram) -> str:
    """The text of the function of a program, from the left edge."""
    return textwrap.dedent(program.source).strip()


def _lines_html(lines: Iterable[str]) -> str:
    return "\n".join(map(escape_html, lines))


def _line_html(line: NumberedLine) -> str:
    """A numbered line, what is below it, and its reason; nothing for a remark."""
    if not line.number:
        return ""
    below = f'<pre style="{CODE}">{_lines_html(line.below)}</pre>' if line.below else ""
    reason = (
        f' <span style="color:#6b6b6b">[{escape_html(line.reason)}]</span>' if line.reason else ""
    )
    return (
        f'<div style="margin:.2rem 0 .2rem {line.depth}rem;overflow-wrap:anywhere">'
        f"<b>{line.number}</b> {escape_html(line.text)}{reason}{below}</div>"
    )


def _short(event: OutputEvent) -> str:
    """The outputs of an event in one line."""
    return str(event).replace('"', "")


def least_level(program: Program, relation: str, n: int | None) -> Expression | None:
    """The least level, or the best that is proved to suffice, for n queries (None: for any number);
    None where none was found.
    """
    return least_levels(program, relation, n).rows[0].level


def levels_picture(
    levels: Mapping[str, Sequence[Expression | None]],
    claimed: Expression,
    values: Mapping[str, int],
) -> Picture:
    """Levels for 1, 2, ... queries, a line for each program, above the band of those that are
    claimed, at values of the parameters; infinite ones are triangles at the upper edge.
    """
    at = {key: number(value) for key, value in values.items()}

    def height(level: Expression) -> float:
        return float_value(substitute(level, at))

    known = [x for found in levels.values() for x in found if x is not None and x != oo]
    top = 1.15 * max([height(claimed), *map(height, known)])
    most = max(map(len, levels.values()))

    def draw(axes: Any) -> None:
        axes.axhspan(0, height(claimed), color=GREEN, label="claimed")
        for i, (name, found) in enumerate(levels.items()):
            colour = (BLUE, ORANGE, INK)[i % 3]
            points = [(n, x) for n, x in enumerate(found, 1) if x is not None]
            axes.plot(
                [n for n, _ in points],
                [top if x == oo else height(x) for _, x in points],
                color=colour,
                linestyle=("-", "--", ":")[i // 3 % 3],
                marker="osDv^x"[i % 6],
                markersize=10 - i,
                label=name,
            )
            if first := [n for n, x in points if x == oo][:1]:
                axes.annotate(
                    "infinite", (first[0], top), (0, 5), textcoords="offset points", fontsize=8
                )
        axes.set(xlabel="number of queries", ylabel="least level, nats", ylim=(0, 1.1 * top))
        axes.set(xlim=(0.7, most + 0.3), xticks=range(1, most + 1))
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=4, fontsize=8)

    return picture(draw, f"The least level against the number of queries, up to {most}.", 3.6)
