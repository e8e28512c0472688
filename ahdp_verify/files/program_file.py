"""TOML files about a noise program: its statements, as texts, and blocks of them, as lists.

    x ~ law(scale)                draws noise: laplace, geometric, exponential, gumbel or
                                  gaussian
    x = e                         a name for a value
    if a >= b, [..], else, [..]   compares, with >, >=, < or <=; what follows comes after both
    coin p, [..], else, [..]      the same with probability p
    winner of a, b, .., [..], ..  the block of the greatest value, of the first among equals
    winner k of a, b, ..          the same without blocks: k is the place of that value, from 0
    output e                      releases a number, or a label: "word", true, false or none
    goto s                        waits for the next query in state s
    goto s with x = e, ..         the same; of what s keeps, x becomes e
    stop                          the program ends
    for each query q, [draws, output first greatest of e]
                                  the whole of start, for any number of queries: the place, from
                                  0, of the first greatest e; with "and gap" also by how much it
                                  leads

Each statement is an element of its own: the condition, its block, "else", its block.  With
queries = "n" there are states: `query` answers the query q, `end` (["stop"] if missing) runs when
none is left.  With queries = "3", or records and answers, the queries are q[1], q[2], ...

>>> file = read_program_file({"format": 2, "parameters": {"eps": "eps > 0"}, "domain": {"queries": "2"},
...     "program": {"start": ["a ~ laplace(2/eps)", "b ~ laplace(2/eps)", "winner k of q[1] + a, q[2] + b",
...     "output k"]}, "claim": [{"relation": "all", "level": "eps", "expect": "proved"}]}, "larger")
>>> print(*file.claims, file.notes[0].expect)
larger is DP for all answers moving at level eps proved
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ahdp_verify.display.program_text import BARE, EACH
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.files import domain_table
from ahdp_verify.files.domain_table import inputs_from_table
from ahdp_verify.files.mechanism_file import EXPECTED, ClaimNote, check_distinct
from ahdp_verify.files.table import (
    FileTable,
    check_format,
    read_table,
    required_text,
    type_text,
    whole_number,
)
from ahdp_verify.kernel.errors import BadInput, UnknownName, closest
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers, answer_names
from ahdp_verify.kernel.model.declarations import NamedConditions, declared_conditions
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import (
    LAWS,
    LEAVES,
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
    leaf_count,
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import (
    ZERO,
    Expression,
    add,
    label,
    name,
    names,
    negative,
    number,
    substitute,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.words import is_name
from ahdp_verify.programs import NoiseProgram

KEYS = {
    "": ("format", "name", "note", "parameters", "domain", "program", "claim"),
    "domain": (*domain_table.KEYS, "answers", "whole"),
    "program": ("start", "state"),
    "state": ("keeps", "query", "end"),
    "claim": ("relation", "level", "delta", "queries", "name", "note", "expect"),
}
WORD = r"[A-Za-z_][A-Za-z0-9_]*"
DRAWS = re.compile(rf"({WORD})\s*~\s*({WORD})\s*\((.*)\)", re.DOTALL)
NAMES = re.compile(rf"({WORD})\s*=(?!=)\s*(.*)", re.DOTALL)
WINNER = re.compile(rf"winner(?:\s+({WORD}))?\s+of\s+(.*)", re.DOTALL)
GOTO = re.compile(rf"goto\s+({WORD})(?:\s+with\s+(.*))?", re.DOTALL)
GREATEST = re.compile(r"output first greatest of (.*?)(\s+and gap)?", re.DOTALL)
FIRST_WORDS = ("if", "else", "coin", "winner", "output", "goto", "stop")
WRITE = (
    "write x ~ laplace(2/eps), x = e, if a >= b, coin p, winner of a, b, output e, goto s or stop"
)


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A noise program, or a Python function that stands for one, the claims about it, and one note
    per claim.
    """

    program: Program | NoiseProgram
    claims: tuple[ProgramClaim, ...] = ()
    notes: tuple[ClaimNote, ...] = ()

    __repr__ = short_repr

    @property
    def mechanism(self) -> Program | NoiseProgram:
        """The program, under the name that other files give to what they are about."""
        return self.program


def read_program_file(
    document: Mapping[str, Any], stem: str, folder: Path | None = None
) -> ProgramFile:
    """The content of a TOML document; `stem` names a program that has no name of its own, and paths
    are relative to `folder`.

    Raises BadInput, whose `where` is the dotted name of the key and the number of the statement.
    """
    check_format(document)
    top = read_table(document, "", KEYS[""])
    parameters = top.texts("parameters")
    declared = declared_conditions(parameters, "parameters")
    inputs = _inputs(top.table("domain", KEYS["domain"]), parameters, folder)
    table = top.table("program", KEYS["program"])
    try:
        program = _program(table, declared, inputs, top.text("name", stem))
    except RecursionError:
        raise BadInput("program", "a path of it is too long", "use states") from None
    if not _outputs(program):
        raise BadInput("program", "it never outputs anything", "write output e where it does")
    tables = [
        read_table(c, f"claim[{i}]", KEYS["claim"]) for i, c in enumerate(top.items("claim", ()), 1)
    ]
    notes = tuple(map(_note, tables))
    check_distinct([note.name for note in notes if note.name])
    return ProgramFile(program, tuple(_claim(c, program) for c in tables), notes)


def _inputs(
    table: FileTable, parameters: Mapping[str, str], folder: Path | None
) -> Answers | RecordAnswers:
    """The query answers of the program: any number, a fixed number, or computed from records."""
    whole = table.content.get("whole", False)
    if not isinstance(whole, bool):
        raise BadInput(
            table.at("whole"), f"{type_text(whole)} has no meaning here", "write whole = true"
        )
    if "queries" in table.content:
        _only(table, ("queries", "whole"))
        text = table.text("queries")
        count = None if text == "n" else whole_number(text, table.at("queries"))
        return Answers(count, whole)
    _only(table, (*domain_table.KEYS, "answers"))
    rest = FileTable({k: v for k, v in table.content.items() if k != "answers"}, table.where)
    domain = inputs_from_table(rest, parameters, folder)
    if not isinstance(domain, Domain):
        raise BadInput(
            table.where, "a program is given query answers", 'write queries = "n", or list records'
        )
    listed = [
        parse(required_text(text, f"{table.at('answers')}[{i}]"), f"{table.at('answers')}[{i}]")
        for i, text in enumerate(table.items("answers"), 1)
    ]
    return RecordAnswers(domain, tuple(listed))


def _only(table: FileTable, keys: tuple[str, ...]) -> None:
    for key in table.content:
        if key not in keys:
            raise BadInput(table.at(key), "it does not fit this kind of input", f"leave {key} out")


def _program(
    table: FileTable, declared: NamedConditions, inputs: Answers | RecordAnswers, called: str
) -> Program:
    states = read_table(table.get("state", {}), table.at("state"), None)
    read = {key: states.table(key, KEYS["state"]) for key in states.content}
    keeps = {
        key: tuple(required_text(k, state.at("keeps")) for k in state.items("keeps", ()))
        for key, state in read.items()
    }
    blocks = _Blocks(tuple(key for key, _ in declared), keeps)
    fixed = answer_names(inputs) if inputs.n is not None else ()
    start = blocks.tree(table, "start", fixed)
    listed = []
    for key, state in read.items():
        body = blocks.tree(state, "query", (*keeps[key], "q"))
        end = blocks.tree(state, "end", keeps[key]) if "end" in state.content else Stop()
        listed.append(State(key, keeps[key], body, end))
    return Program(called, declared, inputs, start, tuple(listed))


@dataclass(frozen=True, slots=True)
class _Scope:
    """What names stand for at a statement, and whether a path may end without a word."""

    values: Mapping[str, Expression]
    may_end: bool = True

    def with_name(self, key: str, value: Expression) -> _Scope:
        """The scope with one more name."""
        return replace(self, values={**self.values, key: value})


Block = list[tuple[str, Any]]  # statements with their places


@dataclass(frozen=True, slots=True)
class _Blocks:
    """How the blocks of one program are read."""

    parameters: tuple[str, ...]
    keeps: Mapping[str, tuple[str, ...]]

    def tree(self, table: FileTable, key: str, bound: Sequence[str]) -> Tree:
        """The tree of the block under a key, in which some names are bound."""
        block = _placed(table.items(key), table.at(key))
        may_end = not self.keeps or key == "end"
        scope = _Scope({k: name(k) for k in (*self.parameters, *bound)}, may_end)
        if block and isinstance(block[0][1], str) and block[0][1].strip() == EACH:
            return self._contest(block, scope.with_name("q", name("q")))
        return self._block(block, scope, table.at(key))

    def _block(self, block: Block, scope: _Scope, where: str) -> Tree:
        if not block:
            if not scope.may_end:
                raise BadInput(where, "a path through it ends in neither goto nor stop", "add one")
            return Stop()
        (place, first), rest = block[0], block[1:]
        if isinstance(first, list):
            raise BadInput(place, "a block follows no if, coin or winner", "leave the brackets out")
        text = required_text(first, place).strip()
        word = re.split(r"[^A-Za-z0-9_]", text, maxsplit=1)[0]
        if word in ("if", "coin"):
            return self._branched(text, place, rest, scope)
        if found := WINNER.fullmatch(text):
            return self._winner(found, place, rest, scope)
        if text == "stop" or GOTO.fullmatch(text):
            if rest:
                raise BadInput(rest[0][0], "nothing can follow goto or stop", "leave it out")
            return Stop() if text == "stop" else self._goto(text, place, scope)
        if found := DRAWS.fullmatch(text):
            return self._draw(found, place, rest, scope)
        if word == "output" and not NAMES.fullmatch(text):
            item = self._item(text.removeprefix("output"), place, scope)
            return Release(item, self._block(rest, scope, where))
        if found := NAMES.fullmatch(text):
            value = self._value(found[2], place, scope)
            self._check_new(found[1], place)
            return self._block(rest, scope.with_name(found[1], value), where)
        raise BadInput(
            place,
            f"{text[:60]!r} is not a statement",
            closest(word, FIRST_WORDS, "the words are") if word not in FIRST_WORDS else WRITE,
        )

    def _contest(self, block: Block, scope: _Scope) -> Tree:
        """The winner of any number of answers; the block lists draws and names, and what wins."""
        write = f'write ["{EACH}", ["nu ~ laplace(2/eps)", "output first greatest of q + nu"]]'
        if len(block) != 2 or not isinstance(block[1][1], list):
            raise BadInput(block[0][0], "one block follows it, and nothing after that", write)
        *steps, last = _placed(block[1][1], block[1][0]) or [(block[1][0], "")]
        drawn: list[tuple[str, str, Expression]] = []
        for place, step in steps:
            text = required_text(step, place).strip()
            tree = self._block([(place, text)], scope, place) if DRAWS.fullmatch(text) else None
            if isinstance(tree, Draw):
                drawn.append((tree.noise, tree.law, tree.scale))
                scope = scope.with_name(tree.noise, name(tree.noise))
            elif found := NAMES.fullmatch(text):
                self._check_new(found[1], place)
                scope = scope.with_name(found[1], self._value(found[2], place, scope))
            else:
                raise BadInput(place, f"{text[:60]!r} has no place in a contest", write)
        won = GREATEST.fullmatch(required_text(last[1], last[0]).strip())
        if won is None:
            raise BadInput(last[0], "it does not say what is greatest", write)
        return Contest(tuple(drawn), self._value(won[1], last[0], scope), won[2] is not None)

    def _draw(self, found: re.Match[str], place: str, rest: Block, scope: _Scope) -> Tree:
        key, law, scale = found[1], found[2], self._value(found[3], place, scope)
        if law not in LAWS:
            raise BadInput(
                place, f"{law!r} is not a law of noise", closest(law, LAWS, "the laws are")
            )
        self._check_new(key, place)
        then = self._block(rest, scope.with_name(key, name(key)), place)
        return Draw(key, law, scale, then)

    def _branched(self, text: str, place: str, rest: Block, scope: _Scope) -> Tree:
        """A comparison or a coin with its two blocks; what follows comes after both."""
        if not rest or not isinstance(rest[0][1], list):
            raise BadInput(place, "no block follows it", f'write "{text[:40]}", ["output true"]')
        yes, after = rest[0], rest[1:]
        no: tuple[str, Any] = (place, [])
        if after and after[0][1] == "else":
            if len(after) < 2 or not isinstance(after[1][1], list):
                raise BadInput(after[0][0], "no block follows it", 'write "else", ["output false"]')
            no, after = after[1], after[2:]
        _check_reached(after, (yes, no))
        first, second = (self._then(part, after, scope) for part in (yes, no))
        word, _, given = text.partition(" ")
        if word == "coin":
            return _few(Coin(self._value(given, place, scope), first, second), place)
        condition = self._value(given, place, scope)
        if condition.head not in ("<", "<="):
            raise BadInput(
                place,
                f"{given[:60]} is not a comparison of two numbers",
                "write >, >=, < or <= between them, and nest the questions for and, or",
            )
        low, high = condition.args
        return _few(If(_gap(high, low), condition.head == "<", first, second), place)

    def _winner(self, found: re.Match[str], place: str, rest: Block, scope: _Scope) -> Tree:
        values = tuple(self._value(text, place, scope) for text in _listed(found[2]))
        given = [part for part in rest[: len(values)] if isinstance(part[1], list)]
        if found[1] is None and len(given) < len(values):
            raise BadInput(
                place,
                f"{len(values)} blocks have to follow, and there are {len(given)}",
                "write a block for each value, or winner k of ...",
            )
        blocks = rest[: len(values)] if len(given) == len(values) else [(place, [])] * len(values)
        after = rest[len(values) :] if len(given) == len(values) else rest
        _check_reached(after, blocks)
        branches = []
        for i, block in enumerate(blocks):
            inside = scope if found[1] is None else scope.with_name(found[1], number(i))
            branches.append(self._then(block, after, inside))
        return _few(Winner(values, tuple(branches)), place)

    def _then(self, block: tuple[str, Any], after: Block, scope: _Scope) -> Tree:
        """A block, and what comes after it unless it ends the path."""
        inner = _placed(block[1], block[0])
        return self._block(inner if _ends(block[1]) else [*inner, *after], scope, block[0])

    def _goto(self, text: str, place: str, scope: _Scope) -> Tree:
        found = GOTO.fullmatch(text)
        state, given = (found[1], found[2]) if found else ("", None)
        if state not in self.keeps:
            listed = list(self.keeps)
            raise BadInput(
                place,
                f"there is no state {state}",
                closest(state, listed, "the states are") if listed else "write stop",
            )
        set_here: dict[str, Expression] = {}
        for part in _listed(given) if given else ():
            named = NAMES.fullmatch(part)
            if named is None:
                raise BadInput(place, f"{part[:40]!r} sets nothing", "write goto s with x = e")
            if named[1] not in self.keeps[state]:
                kept = self.keeps[state]
                raise BadInput(
                    place,
                    f"{state} does not keep {named[1]}",
                    closest(named[1], kept, "it keeps") if kept else "it keeps nothing",
                )
            if named[1] in set_here:
                raise BadInput(place, f"{named[1]} is set twice", "set it once")
            set_here[named[1]] = self._value(named[2], place, scope)
        return Goto(
            state, tuple((k, self._kept(k, set_here, scope, place)) for k in self.keeps[state])
        )

    def _kept(
        self, key: str, given: Mapping[str, Expression], scope: _Scope, place: str
    ) -> Expression:
        if key in given:
            return given[key]
        if key not in scope.values:
            raise BadInput(place, f"{key} has no value here", f"write goto s with {key} = e")
        return scope.values[key]

    def _item(self, text: str, place: str, scope: _Scope) -> Expression:
        word = text.strip()
        if word in BARE:
            return label(word)
        return self._value(text, place, scope)

    def _value(self, text: str, place: str, scope: _Scope) -> Expression:
        e = parse(text.strip(), place)
        for key in sorted(names(e)):
            if key not in scope.values:
                raise UnknownName(
                    place, key, closest(key, list(scope.values), "the names here are")
                )
        changed = {k: v for k, v in scope.values.items() if v.head != "name" or v.args[0] != k}
        return substitute(e, changed) if changed else e

    def _check_new(self, key: str, place: str) -> None:
        taken = (*self.parameters, "q", *FIRST_WORDS, *BARE)
        if not is_name(key) or key in taken:
            raise BadInput(place, f"{key} cannot be given a value", "choose another name")


def _outputs(program: Program) -> bool:
    """Whether any path of it outputs something."""
    todo: list[Tree] = [program.start, *(t for s in program.states for t in (s.body, s.end))]
    while todo:
        tree = todo.pop()
        if isinstance(tree, Release | Contest):
            return True
        todo += children(tree)
    return False


def _few(tree: Tree, where: str) -> Tree:
    """The tree itself; BadInput for too many paths, before they double again."""
    if leaf_count(tree) > LEAVES:
        raise BadInput(where, f"it has more than {LEAVES} paths", "use states, or fewer queries")
    return tree


def _gap(high: Expression, low: Expression) -> Expression:
    """high - low; the other side itself where one is 0."""
    if low == ZERO:
        return high
    return negative(low) if high == ZERO else add(high, negative(low))


def _placed(block: list[Any], where: str) -> Block:
    return [(f"{where}[{i}]", part) for i, part in enumerate(block, 1)]


def _ends(block: list[Any]) -> bool:
    """Whether a block ends with goto or stop."""
    last = block[-1].strip() if block and isinstance(block[-1], str) else ""
    return last == "stop" or GOTO.fullmatch(last) is not None


def _check_reached(after: Block, blocks: Sequence[tuple[str, Any]]) -> None:
    if after and all(_ends(block) for _, block in blocks):
        raise BadInput(after[0][0], "it is never reached: each block ends the path", "leave it out")


def _listed(text: str) -> list[str]:
    """The parts between the commas of a text that are outside of brackets and quotes."""
    parts, depth, inside = [""], 0, False
    for c in text:
        inside ^= c == '"'
        depth += 0 if inside else (c in "([") - (c in ")]")
        if c == "," and not depth and not inside:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def _note(table: FileTable) -> ClaimNote:
    expect = table.text("expect", "")
    if expect not in ("", *EXPECTED):
        raise BadInput(
            table.at("expect"),
            f"{expect[:40]!r} is not a verdict",
            f"write one of {', '.join(EXPECTED)}",
        )
    return ClaimNote(table.text("name", ""), table.text("note", ""), expect)


def _claim(table: FileTable, program: Program) -> ProgramClaim:
    level = parse(table.text("level"), table.at("level"))
    delta = parse(table.text("delta", "0"), table.at("delta"))
    queries = None
    if "queries" in table.content:
        queries = whole_number(table.text("queries"), table.at("queries"))
    try:
        return ProgramClaim(program, table.text("relation"), level, delta, queries)
    except BadInput as error:
        raise BadInput(
            table.at(error.where) if error.where in KEYS["claim"] else table.where,
            error.reason,
            error.cure,
        ) from None
