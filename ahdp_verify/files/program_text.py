"""A noise program as the text of a file, in which every step is a statement.

Where a program branches, the part that is nested less deeply becomes a block, and the other one
goes on after it; so the blocks are nested at most as often as the number of paths can be halved.

>>> from ahdp_verify.files.program_file import read_program_file
>>> file = read_program_file({"format": 2, "parameters": {"T": ""}, "domain": {"queries": "n"},
...     "program": {"start": ["goto wait"], "state": {"wait": {"query": ["nu ~ laplace(2)",
...     "if q + nu >= T", ["output true", "stop"], "output false", "goto wait"]}}}}, "first above")
>>> print(program_toml(file.program))
format = 2
name = "first above"
<BLANKLINE>
[parameters]
T = ""
<BLANKLINE>
[domain]
queries = "n"
<BLANKLINE>
[program]
start = ["goto wait"]
<BLANKLINE>
[program.state.wait]
query = [
  "nu ~ laplace(2)",
  "if q + nu - T >= 0", [
    "output true",
    "stop",
  ],
  "output false",
  "goto wait",
]
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ahdp_verify.display.program_text import EACH, goto_text, statement_text
from ahdp_verify.files.mechanism_file import ClaimNote
from ahdp_verify.files.table import FORMAT
from ahdp_verify.files.written import (
    Entry,
    domain_entries,
    grouped_conditions,
    section,
    toml_text,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import RecordAnswers
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
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import ZERO

Line = tuple[int, str]  # how deeply it is nested, and what it says
FEW = 4  # steps that are written on one line


def program_toml(
    program: Program, claims: Iterable[tuple[ProgramClaim, ClaimNote]] = (), *, note: str = ""
) -> str:
    """The text of a file about a program and claims about it, with a remark; reading it gives the
    same program and the same claims.
    """
    lines = [f"format = {FORMAT}", f"name = {toml_text(program.name)}"]
    lines += [f"note = {toml_text(note)}"] if note else []
    conditions = [(key, toml_text(text)) for key, text in grouped_conditions(program.parameters)]
    lines += section("parameters", conditions)
    lines += section("domain", _domain(program))
    lines += section("program", [("start", _block(program, program.start))])
    for state in program.states:
        lines += section(f"program.state.{state.name}", list(_state(program, state)))
    for claim, about in claims:
        lines += section("[claim]", _claim(claim, about))
    return "\n".join(lines) + "\n"


def _domain(program: Program) -> list[Entry]:
    inputs = program.inputs
    if isinstance(inputs, RecordAnswers):
        known = frozenset(key for key, _ in program.parameters)
        answers = ", ".join(map(toml_text, inputs.answers))
        return [*domain_entries(inputs.domain, known), ("answers", f"[{answers}]")]
    count = ("queries", toml_text("n" if inputs.n is None else inputs.n))
    return [count, ("whole", "true")] if inputs.whole else [count]


def _state(program: Program, state: State) -> Iterator[Entry]:
    if state.registers:
        yield "keeps", f"[{', '.join(map(toml_text, state.registers))}]"
    yield "query", _block(program, state.body)
    if state.end != Stop():
        yield "end", _block(program, state.end)


def _claim(claim: ProgramClaim, note: ClaimNote) -> list[Entry]:
    texts = {
        "name": note.name,
        "relation": claim.relation,
        "level": str(claim.level),
        "delta": "" if claim.delta == ZERO else str(claim.delta),
        "queries": "" if claim.queries is None else str(claim.queries),
        "expect": note.expect,
        "note": note.note,
    }
    return [(key, toml_text(text)) for key, text in texts.items() if text]


def _block(program: Program, tree: Tree) -> str:
    """A block as TOML: on one line if it is short."""
    try:
        lines = list(_lines(tree, 1))
    except RecursionError:
        raise BadInput(program.name, "a path of it is too long", "use states") from None
    if len(lines) <= FEW and all(depth == 1 for depth, _ in lines):
        return f"[{', '.join(text for _, text in lines)}]"
    return "\n".join(["[", *(f"{'  ' * depth}{text}{_comma(text)}" for depth, text in lines), "]"])


def _comma(text: str) -> str:
    return "" if text.endswith("[") else ","


def _lines(tree: Tree, depth: int) -> Iterator[Line]:
    """The statements of a tree; a line that ends with [ is followed by its block and by ]."""
    while True:
        match tree:
            case Draw() | Release():
                yield depth, toml_text(statement_text(tree))
                tree = tree.then
            case If() | Coin():
                yes, no = tree.yes, tree.no
                asked = toml_text(_question(tree))
                if _nesting(yes) <= _nesting(no):
                    yield depth, f"{asked}, ["
                    yield from _nested(yes, depth, "]")
                    tree = no
                else:
                    yield depth, f'{asked}, [], "else", ['
                    yield from _nested(no, depth, "]")
                    tree = yes
            case Winner():
                yield depth, toml_text(statement_text(tree))
                longest = max(tree.branches, key=_nesting)
                last = tree.branches.index(longest)
                for i, branch in enumerate(tree.branches):
                    if i == last:
                        yield depth, "[]"
                        continue
                    yield depth, "["
                    yield from _nested(branch, depth, "]")
                tree = longest
            case Goto():
                yield depth, toml_text(goto_text(tree, tree.state))
                return
            case Contest():
                yield depth, f"{toml_text(EACH)}, ["
                for draw in tree.draws:
                    yield depth + 1, toml_text(statement_text(Draw(*draw, Stop())))
                yield depth + 1, toml_text(statement_text(tree))
                yield depth, "]"
                return
            case _:
                yield depth, toml_text(statement_text(tree))
                return


def _nested(tree: Tree, depth: int, after: str) -> Iterator[Line]:
    yield from _lines(tree, depth + 1)
    yield depth, after


def _nesting(tree: Tree) -> int:
    """How deeply the blocks of a tree are nested."""
    while isinstance(tree, Draw | Release):
        tree = tree.then
    match tree:
        case If() | Coin():
            parts = sorted(map(_nesting, (tree.yes, tree.no)))
        case Winner():
            parts = sorted(map(_nesting, tree.branches))
        case _:
            return 0
    return max(parts[-1], parts[-2] + 1)


def _question(tree: If | Coin) -> str:
    """The statement of a tree with two branches; a comparison with 0, so that reading it gives the
    very same value.
    """
    if isinstance(tree, Coin):
        return statement_text(tree)
    return f"if {tree.value} {'>' if tree.strict else '>='} 0"
