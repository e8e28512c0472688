"""The two sides of an obligation cannot be confused: a swap is a type error, and every function
names and orders them alike.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import nodes, trees

ROOT = Path(__file__).resolve().parents[2]
SIDES = {
    "dominated": {"Dominated", "DominatedInput"},
    "dominating": {"Dominating", "DominatingInput"},
}

# What a checker of types has to say to each line stands behind it; the lines without a remark are
# right.
CALLS = """
from ahdp_verify.kernel.evidence.certificate import InequalityLeaf
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.rules.composition import SideCondition
from ahdp_verify.kernel.rules.obligations import Obligation, Task
from ahdp_verify.kernel.rules.inequalities import check_leaf, requirements
from ahdp_verify.kernel.model.neighbours import DominatedInput, DominatingInput, Nodes, substitute_nodes


def of_laws(leaf: InequalityLeaf, task: Task, here: Context) -> None:
    (dominated, dominating), level = task.laws, task.obligation.level
    check_leaf(leaf, dominated, dominating, level, here)
    check_leaf(leaf, dominating, dominated, level, here)  # swapped
    requirements(dominated, dominating, level, "log", here)
    requirements(dominating, dominated, level, "log", here)  # swapped
    SideCondition("", here, dominated, dominating, level)
    SideCondition("", here, dominating, dominated, level)  # swapped


def of_places(leaf: InequalityLeaf, law: Expression, o: Obligation, here: Context) -> None:
    check_leaf(leaf, substitute_nodes(law, o.dominated), substitute_nodes(law, o.dominating), o.level, here)
    check_leaf(leaf, substitute_nodes(law, o.dominating), substitute_nodes(law, o.dominated), o.level, here)  # swapped
    check_leaf(leaf, law, law, o.level, here)  # no side
    Obligation(o.text, here, o.dominated, o.dominating, o.level)
    Obligation(o.text, here, o.dominating, o.dominated, o.level)  # swapped


def of_moves(before: Nodes, after: Nodes, here: Context, level: Expression) -> None:
    Obligation("", here, DominatedInput(before), DominatingInput(after), level)
    Obligation("", here, before, after, level)  # no side
"""


def test_a_swap_is_a_type_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mypy = pytest.importorskip("mypy.api")
    monkeypatch.chdir(ROOT)
    file = tmp_path / "calls.py"
    file.write_text(CALLS, encoding="utf-8")
    said, trouble, _ = mypy.run(["--strict", "--no-error-summary", str(file)])
    found = {int(n) for n in re.findall(r"calls\.py:(\d+): error: .*\[arg-type\]", said)}
    assert found == {n for n, line in enumerate(CALLS.splitlines(), 1) if "  # " in line}, (
        said + trouble
    )
    assert len({line for line in said.splitlines() if "error:" in line}) == len(
        re.findall(r"\[arg-type\]", said)
    ), said


def functions() -> Iterator[tuple[str, dict[str, str]]]:
    """Every function of the package, and every class as the function that makes it: its place,
    and its parameters with their annotations.
    """
    for path, tree in trees().items():
        for node in nodes(tree):
            if isinstance(node, ast.FunctionDef):
                listed = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                yield (
                    f"{path.stem}.{node.name}",
                    {a.arg: ast.unparse(a.annotation) if a.annotation else "" for a in listed},
                )
            elif isinstance(node, ast.ClassDef):
                fields = [
                    n
                    for n in node.body
                    if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
                ]
                yield (
                    f"{path.stem}.{node.name}",
                    {
                        n.target.id: ast.unparse(n.annotation)
                        for n in fields
                        if isinstance(n.target, ast.Name)
                    },
                )


def test_both_sides_are_typed_and_stand_in_one_order() -> None:
    found = [
        (where, parameters) for where, parameters in functions() if SIDES.keys() & parameters.keys()
    ]
    assert len(found) > 30
    for where, parameters in found:
        names = list(parameters)
        assert names[names.index("dominated") :][:2] == ["dominated", "dominating"], where
        assert all(parameters[side] in types for side, types in SIDES.items()), (where, parameters)
        assert {"before", "after"}.isdisjoint(parameters), where
