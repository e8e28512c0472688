"""A noise program as the statements that it consists of.

    x ~ laplace(2/eps)              draws noise
    if a >= b  ...  else  ...       compares
    winner k of a, b, c  ...        goes on with the first greatest; k is its place, 0, 1 or 2
    winner of a, b  case 1  ...     the same where the branches are not alike
    coin p  ...  else  ...          goes on with the first block with probability p
    output e                        releases a label (true, false and none are bare) or a number
    goto s with r = e               waits for the next query; what is not listed keeps its value
    stop
    for each query q  ...           a contest of any number of queries: a block of draws, then
    output first greatest of e      the place, from 0, of the query with the first greatest value;
                                    with "and gap" also by how much that exceeds the next

The statements of a tree are strings, and a tuple for each block, as in the file of a program.

>>> from ahdp_verify.kernel.model.program import Goto
>>> from ahdp_verify.kernel.terms.expression import label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> no = Release(label("no"), Goto("wait", (("rho", parse("rho")),)))
>>> tree = If(parse("q + nu - T - rho"), False, Release(label("yes"), Stop()), no)
>>> statements(Draw("nu", "laplace", parse("4/eps"), tree))[:3]
('nu ~ laplace(4/eps)', 'if q + nu >= T + rho', ('output "yes"', 'stop'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from ahdp_verify.datasets import Multiset
from ahdp_verify.kernel.evidence.program_counterexample import Between, OutputEvent
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers, answer_names, answers_at
from ahdp_verify.kernel.model.program import (
    Coin,
    Contest,
    Draw,
    Goto,
    If,
    Program,
    Release,
    State,
    Stop,
    Tree,
    Winner,
    children,
)
from ahdp_verify.kernel.model.program_claim import OTHER
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    add,
    name,
    names,
    negative,
    number,
)
from ahdp_verify.kernel.terms.printing import display_name, one_line

Statement = str | tuple["Statement", ...]
INDENT = "    "
EACH = "for each query q"  # begins a contest
BARE = ("true", "false", "none")  # labels that are written without quotes
K = "k"  # the name of the place of the greatest value
BEFORE, AFTER = re.compile(r"[-+*/(] ?$"), re.compile(r" ?[-+*/^)]")
OF_QUERY = re.compile(r'("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)#([1-9][0-9]*)')


def program_text(program: Program) -> str:
    """The whole program: its name, parameters and inputs, then its statements."""
    head = [display_name(program.name) or "a noise program"]
    if program.parameters:
        head.append(f"{INDENT}parameters: {parameters_text(program)}")
    head.append(f"{INDENT}input: {program_inputs_text(program.inputs)}")
    return "\n".join((*head, "", *program_lines(program)))


def parameters_text(program: Program) -> str:
    """The parameters with their conditions."""
    return ", ".join(
        key if condition == TRUE else one_line(str(condition))
        for key, condition in program.parameters
    )


def program_inputs_text(inputs: Answers | RecordAnswers) -> str:
    """What a program is run on."""
    if isinstance(inputs, RecordAnswers):
        listed = ", ".join(
            f"{key} = {one_line(str(e))}"
            for key, e in zip(answer_names(inputs), inputs.answers, strict=True)
        )
        return f"a dataset, with the answers {listed}"
    kind = "whole number" if inputs.whole else "real number"
    if inputs.n is None:
        return f"any number of query answers ({kind}s), each in turn called q"
    if inputs.n == 1:
        return f"the query answer q[1] (a {kind})"
    return f"{inputs.n} query answers q[i] ({kind}s)"


def program_lines(program: Program) -> list[str]:
    """The statements of a program, line by line."""
    lines = indented(statements(program.start))
    for state in program.states:
        lines += ["", state_head(state), *indented(statements(state.body), 1)]
        if state.end != Stop():
            lines += [f"end of state {state_name(state.name)}", *indented(statements(state.end), 1)]
    return lines


def state_head(state: State) -> str:
    """The line above what happens in a state."""
    kept = f", which keeps {', '.join(state.registers)}" if state.registers else ""
    return f"state {state_name(state.name)}{kept}; for the next query q"


def state_name(key: str) -> str:
    """The name of a state."""
    return display_name(one_line(key))


def indented(block: Iterable[Statement], depth: int = 0) -> list[str]:
    """Statements line by line, those of a block further to the right."""
    lines: list[str] = []
    for statement in block:
        if isinstance(statement, str):
            lines.append(f"{INDENT * depth}{statement}")
        else:
            lines += indented(statement, depth + 1)
    return lines


def statements(tree: Tree) -> tuple[Statement, ...]:
    """The statements of a tree: one string each, followed by a tuple for each of its blocks."""
    if isinstance(tree, Draw | Release):
        return (statement_text(tree), *statements(tree.then))
    if isinstance(tree, If | Coin):
        return statement_text(tree), statements(tree.yes), "else", statements(tree.no)
    if isinstance(tree, Winner):
        return _winner(tree)
    if isinstance(tree, Contest):
        draws = tuple(f"{noise} ~ {law}({scale})" for noise, law, scale in tree.draws)
        return EACH, draws, statement_text(tree)
    return (statement_text(tree),)


def statement_text(tree: Tree) -> str:
    """The first statement of a tree."""
    match tree:
        case Draw():
            return f"{tree.noise} ~ {tree.law}({tree.scale})"
        case If():
            return f"if {row_text(tree.value, strict=tree.strict)}"
        case Winner():
            return f"winner of {', '.join(map(str, tree.values))}"
        case Coin():
            return f"coin {tree.probability}"
        case Release():
            return f"output {item_text(tree.item)}"
        case Contest():
            return f"output first greatest of {tree.value}{' and gap' if tree.gap else ''}"
        case Goto():
            return goto_text(tree, state_name(tree.state))
    return "stop"


def goto_text(step: Goto, state: str) -> str:
    """A goto with the name of its state as it is to be written."""
    changed = [f"{key} = {value}" for key, value in step.registers if value != name(key)]
    return f"goto {state} with {', '.join(changed)}" if changed else f"goto {state}"


def item_text(item: Expression) -> str:
    """What is released: a label or a number.

    >>> from ahdp_verify.kernel.terms.expression import label
    >>> item_text(label("true")), item_text(label("yes"))
    ('true', '"yes"')
    """
    if item.head == "label" and item.args[0] in BARE:
        return str(item.args[0])
    if item.head == "name" and item.args[0] in BARE:
        return f"({item})"  # a value that is called like a label
    return str(item)  # a label in quotes is on one line


def row_text(value: Expression, *, strict: bool) -> str:
    """value > 0 (strict) or value >= 0, with a sum on each side and no minus where none is needed.

    >>> from ahdp_verify.kernel.terms.grammar import parse
    >>> row_text(parse("q - 2*rho - T + 1"), strict=False), row_text(parse("-x"), strict=True)
    ('q + 1 >= 2*rho + T', '0 > x')
    """
    terms = value.args if value.head == "+" else (value,)
    left = [t for t in terms if not str(t).startswith("-")]
    right = [negative(t) for t in terms if str(t).startswith("-")]
    sides = (str(add(*side) if side else ZERO) for side in (left, right))
    return (" > " if strict else " >= ").join(sides)


def opposite_row_text(value: Expression, *, strict: bool) -> str:
    """That value > 0 (strict) or value >= 0 does not hold."""
    left, sign, right = row_text(value, strict=strict).rpartition(" > " if strict else " >= ")
    return f"{left}{' <= ' if sign == ' > ' else ' < '}{right}"


def _winner(tree: Winner) -> tuple[Statement, ...]:
    alike = _common_branch(tree)
    if alike is not None:
        return (f"winner {K} of {', '.join(map(str, tree.values))}", *statements(alike))
    cases: list[Statement] = [statement_text(tree)]
    for i, branch in enumerate(tree.branches):
        cases += [f"case {i}", statements(branch)]
    return tuple(cases)


def _common_branch(tree: Winner) -> Tree | None:
    """The branch of a winner if all are alike but for the place of the winner, which they
    release.
    """
    found = {_with_place(branch, number(i)) for i, branch in enumerate(tree.branches)}
    used = {key for e in _expressions(tree) for key in names(e)}
    return found.pop() if len(found) == 1 and K not in used else None


def _with_place(tree: Tree, place: Expression) -> Tree:
    match tree:
        case Release():
            item = name(K) if tree.item == place else tree.item
            return Release(item, _with_place(tree.then, place))
        case Draw():
            return replace(tree, then=_with_place(tree.then, place))
        case If() | Coin():
            return replace(tree, yes=_with_place(tree.yes, place), no=_with_place(tree.no, place))
        case Winner():
            return replace(tree, branches=tuple(_with_place(b, place) for b in tree.branches))
    return tree


def _expressions(tree: Tree) -> Iterator[Expression]:
    """What the statements of a tree compute with."""
    match tree:
        case Draw():
            yield name(tree.noise)
        case If():
            yield tree.value
        case Winner():
            yield from tree.values
        case Release():
            yield tree.item
        case Goto():
            yield from (value for _, value in tree.registers)
    for child in children(tree):
        yield from _expressions(child)


# What is said of runs.


def name_in_words(key: str, n: int | None = None) -> str:
    """A noise of the paths of whole runs on n queries, in which nu#3 is drawn for query number 3.

    >>> name_in_words("nu#3", 3), name_in_words("nu#3", 2), name_in_words("rho")
    ('nu of query 3', 'nu after the last query', 'rho')
    """
    stem, mark, number = key.partition("#")
    if not mark:
        return key
    return (
        f"{stem} after the last query"
        if str(n) == str(int(number) - 1)
        else f"{stem} of query {number}"
    )


def with_names_in_words(text: str, n: int | None = None) -> str:
    """A text in which such noises are named in words; labels in quotes stay.

    >>> with_names_in_words('a shift leaves the row nu#2 - rho >= 0 of "x#1"')
    'a shift leaves the row (nu of query 2) - rho >= 0 of "x#1"'
    >>> with_names_in_words("rho + 1 > nu#2"), with_names_in_words("the change of nu#2 is not known")
    ('rho + 1 > nu of query 2', 'the change of nu of query 2 is not known')
    """
    text = text.replace(OTHER, "(the value of another query)")
    return OF_QUERY.sub(lambda m: m[1] or _in_words(m, n), text)


def _in_words(found: re.Match[str], n: int | None) -> str:
    """A noise in words, in parentheses beside a sign of arithmetic."""
    said = name_in_words(f"{found[2]}#{found[3]}", n)
    before, after = found.string[: found.start()], found.string[found.end() :]
    beside = BEFORE.search(before) or AFTER.match(after)
    return f"({said})" if beside else said


def outputs_text(event: OutputEvent) -> str:
    """An event in words.

    >>> from ahdp_verify.kernel.terms.expression import label
    >>> outputs_text(OutputEvent((label("no"), Between(None, ZERO))))
    'exactly this is output: "no", a number in (-oo, 0]'
    """
    said = [
        f"a number in {item}" if isinstance(item, Between) else item_text(item)
        for item in event.items
    ]
    return f"exactly this is output: {', '.join(said)}" if said else "nothing is output"


def program_input_text(program: Program, side: tuple[Fraction, ...]) -> str:
    """One input of a program: the query answers, or a dataset with its answers."""
    inputs = program.inputs
    if not isinstance(inputs, RecordAnswers):
        return f"({', '.join(map(str, side))})" if len(side) != 1 else str(side[0])
    counts = tuple(map(int, side))
    answers = ", ".join(map(str, answers_at(inputs, counts)))
    many = "answer" if inputs.n == 1 else "answers"
    return f"{Multiset(inputs.domain, counts)} ({many} {answers})"
