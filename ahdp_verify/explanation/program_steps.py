"""The steps of the paths of a noise program, in the order in which the checker lists its paths.

A path of the checker (`kernel.model.program_paths`) has its draws, rows and items in three lists;
here they are in the order in which they happen, in the words of the program.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.model.program import Program, Stop
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> high = If(parse("q[1] + nu"), True, Release(label("yes"), Stop()), Stop())
>>> program = Program("sign", (), Answers(1), Draw("nu", "laplace", parse("1"), high))
>>> for steps in run_steps(program, 1):
...     print("; ".join(step.text for step in steps))
nu ~ laplace(1); q[1] + nu > 0; output "yes"; stop
nu ~ laplace(1); q[1] + nu <= 0; stop
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ahdp_verify.display.program_text import (
    item_text,
    name_in_words,
    opposite_row_text,
    row_text,
    statement_text,
    with_names_in_words,
)
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import (
    Coin,
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    Tree,
    Winner,
)
from ahdp_verify.kernel.rules.alignment import Area
from ahdp_verify.kernel.terms.expression import Expression, add, negative

DRAW, ROW, ITEM, COIN, END, HEADING = "draw", "row", "item", "coin", "end", "heading"


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step in words: a draw, a row that has to hold, an item that is released, a side of a
    coin, the end of the path, or a heading.
    """

    kind: str
    text: str


Steps = tuple[PathStep, ...]


def run_steps(program: Program, n: int) -> Iterator[Steps]:
    """The steps of each path of whole runs on n queries, in the order of `PathTable.runs`."""
    bodies = {s.name: tuple(tree_steps(s.body)) for s in program.states}
    ends = {s.name: tuple(tree_steps(s.end)) for s in program.states}

    def continued(so_far: Steps, end: Tree, i: int) -> Iterator[Steps]:
        if not isinstance(end, Goto):
            yield so_far
            return
        last = i > n
        head = PathStep(HEADING, "after the last query:" if last else f"query {i}:")
        for steps, following in (ends if last else bodies)[end.state]:
            yield from continued((*so_far, head, *steps), following, i + 1)

    for steps, end in tree_steps(program.start):
        yield from continued(steps, end, 1)


def tree_steps(tree: Tree) -> Iterator[tuple[Steps, Tree]]:
    """The steps of each path of a tree, with how it ends, in the order of the checker."""
    match tree:
        case Draw():
            yield from _after((PathStep(DRAW, statement_text(tree)),), tree.then)
        case Release():
            yield from _after((PathStep(ITEM, statement_text(tree)),), tree.then)
        case If():
            yes, no = row_text, opposite_row_text
            for text, branch in ((yes, tree.yes), (no, tree.no)):
                step = PathStep(ROW, text(tree.value, strict=tree.strict))
                yield from _after((step,), branch)
        case Coin():
            said = f"with probability {tree.probability}"
            yield from _after((PathStep(COIN, said),), tree.yes)
            yield from _after((PathStep(COIN, f"not {said}"),), tree.no)
        case Winner():
            for i, branch in enumerate(tree.branches):
                yield from _after(tuple(_won(tree.values, i)), branch)
        case _:
            yield (PathStep(END, statement_text(tree)),), tree


def _after(steps: Steps, tree: Tree) -> Iterator[tuple[Steps, Tree]]:
    for following, end in tree_steps(tree):
        yield (*steps, *following), end


def _won(values: tuple[Expression, ...], i: int) -> Iterator[PathStep]:
    """The rows where value number i (from 0) is the first greatest."""
    for j, other in enumerate(values):
        if j != i:
            gap = add(values[i], negative(other))
            yield PathStep(ROW, row_text(gap, strict=j < i))


def area_steps(area: Area, n: int) -> Steps:
    """The steps of merged paths: what is drawn, the rows that hold on all of them, and what is
    released.
    """
    draws = [PathStep(DRAW, f"{name_in_words(d.name, n)} ~ {d.law}({d.scale})") for d in area.draws]
    rows = [
        PathStep(ROW, with_names_in_words(row_text(r.form.expression, strict=r.strict), n))
        for r in area.rows
    ]
    items = [PathStep(ITEM, f"output {released_text(item, n)}") for item in area.items]
    return (*draws, *rows, *items)


def contest_steps(contest: Contest) -> Steps:
    """The steps of the query that wins a contest."""
    draws = [PathStep(DRAW, f"{noise} ~ {law}({scale})") for noise, law, scale in contest.draws]
    row = PathStep(ROW, f"{contest.value} >= each other value")
    gap = (PathStep(ITEM, "output the gap"),) if contest.gap else ()
    return (*draws, row, PathStep(ITEM, "output its place"), *gap)


def released_text(item: Expression | LinearForm, n: int) -> str:
    """A released item."""
    if isinstance(item, LinearForm):
        return with_names_in_words(str(item), n)
    return item_text(item)
