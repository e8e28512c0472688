"""Noise programs as data: trees that draw noise, compare, release outputs, and go on to the next
query.

A program never contains code.  Its trees branch exhaustively and exclusively and draw from laws, so
the distribution of the outputs has total 1 by construction.

    Draw(noise, law, scale, then)     noise of one of `LAWS`, scale > 0 in parameters alone
    If(value, strict, yes, no)        value > 0 (strict) or value >= 0, value linear
    Winner(values, branches)          the branch of the first greatest of several linear values
    Coin(probability, yes, no)        probability in [0, 1], in parameters alone
    Release(item, then)               one output: a label, or a linear value
    Goto(state, registers)            waits for the next query in a state, with values to keep
    Stop()
    Contest(draws, value, gap)        of any number of answers, releases which has the first
    greatest
                                      value, and (gap) by how much it exceeds the next

Laws, with scale b: laplace, density exp(-|x|/b)/(2b); geometric, P(k) proportional to exp(-|k|/b)
on the whole numbers; exponential, density exp(-x/b)/b for x >= 0; gumbel, distribution function
exp(-exp(-x/b)); gaussian, of standard deviation b.

The inputs are n query answers q[1], ..., q[n] (`Answers`); with n = None there is any number of
them: the program starts, then each query is answered by the `body` of the present state, in which
it is called q, and when none is left the `end` of that state runs.  Or they are computed from a
dataset (`RecordAnswers`): linear combinations of sums over records.

>>> from ahdp_verify.kernel.model.answers import Answers
>>> from ahdp_verify.kernel.terms.expression import TRUE, label
>>> from ahdp_verify.kernel.terms.grammar import parse
>>> high = If(parse("q + nu - T - rho"), False, Release(label("yes"), Stop()),
...           Release(label("no"), Goto("wait", (("rho", parse("rho")),))))
>>> wait = State("wait", ("rho",), Draw("nu", "laplace", parse("4/eps"), high), Stop())
>>> start = Draw("r", "laplace", parse("2/eps"), Goto("wait", (("rho", parse("r")),)))
>>> above = Program("above", (("eps", parse("0 < eps")), ("T", TRUE)), Answers(None), start, (wait,))
>>> Program.from_json(above.to_json()) == above
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers, answer_names, inputs_from_json
from ahdp_verify.kernel.model.canonical import Canonical, Listed
from ahdp_verify.kernel.model.declarations import NamedConditions
from ahdp_verify.kernel.model.linear_form import linear_form
from ahdp_verify.kernel.model.neighbours import parameter_context
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import known_signs
from ahdp_verify.kernel.terms.expression import ONE, Expression, add, is_condition, negative, walk

LAWS = ("laplace", "geometric", "exponential", "gumbel", "gaussian")
ONE_SIDED = ("exponential", "gumbel")  # an alignment may shift these upwards only
LEAVES = 4096  # paths of one tree


class _Step(Listed):
    """A step of a program; its canonical JSON is [word, contents ..., trees ...]."""

    __slots__ = ()

    def to_json(self) -> Any:
        """The canonical JSON."""
        return [WORDS[type(self)], *super().to_json()]

    @classmethod
    def from_json(cls, data: Any) -> Any:
        """The step of its canonical JSON, and with it the tree that begins there."""
        word, *content = data
        kind = next((kind for kind, known in WORDS.items() if known == word), None)
        if kind is None:
            raise BadInput("program", f"{str(data)[:60]} is not a step", "use the listed steps")
        if kind is If:  # another relation is not what is written again
            content[1] = content[1] == ">"
        return super(_Step, kind).from_json(content)


@dataclass(frozen=True, slots=True)
class Stop(_Step):
    """The program ends."""


@dataclass(frozen=True, slots=True)
class Goto(_Step):
    """Waits for the next query in a state; `registers` are the values that it keeps."""

    state: str
    registers: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Draw(_Step):
    """Draws one noise with the given law and scale, then goes on."""

    noise: str
    law: str
    scale: Expression
    then: Tree


@dataclass(frozen=True, slots=True)
class If(_Step):
    """Goes on with `yes` where value > 0 (strict) or value >= 0, with `no` elsewhere."""

    value: Expression
    strict: bool
    yes: Tree
    no: Tree

    def to_json(self) -> Any:
        """The canonical JSON, with > or >= for `strict`."""
        word, value, strict, *trees = super(If, self).to_json()
        return [word, value, ">" if strict else ">=", *trees]


@dataclass(frozen=True, slots=True)
class Winner(_Step):
    """Goes on with the branch of the greatest value, of the first one among equals."""

    values: tuple[Expression, ...]
    branches: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Coin(_Step):
    """Goes on with `yes` with the given probability, with `no` otherwise."""

    probability: Expression
    yes: Tree
    no: Tree


@dataclass(frozen=True, slots=True)
class Release(_Step):
    """Releases one output, a label or a number, then goes on."""

    item: Expression
    then: Tree


@dataclass(frozen=True, slots=True)
class Contest(_Step):
    """For each of any number of answers, called q, draws noises (name, law, scale) and computes a
    linear value; releases the place, counted from 0, of the first greatest value, and with `gap`
    then also by how much it exceeds the second greatest.  Stands for a whole program.
    """

    draws: tuple[tuple[str, str, Expression], ...]
    value: Expression
    gap: bool


Tree = Stop | Goto | Draw | If | Winner | Coin | Release | Contest
WORDS: dict[type[_Step], str] = {
    Stop: "stop",
    Goto: "goto",
    Draw: "draw",
    If: "if",
    Winner: "winner",
    Coin: "coin",
    Release: "release",
    Contest: "contest",
}


@dataclass(frozen=True, slots=True)
class State(Listed):
    """What happens between two queries: `registers` are kept from before, `body` answers the query
    q, `end` runs when no query is left.
    """

    name: str
    registers: tuple[str, ...]
    body: Tree
    end: Tree


@dataclass(frozen=True, slots=True)
class Program(Canonical):
    """A noise program.  Raises BadInput for a name that is not bound, a comparison or an output
    that is not linear, a scale that is not known to be positive, and more than `LEAVES` paths in a
    tree.
    """

    name: str
    parameters: NamedConditions
    inputs: Answers | RecordAnswers
    start: Tree
    states: tuple[State, ...] = ()

    where, readers = "program", {"inputs": inputs_from_json}

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise BadInput("name", f"{str(self.name)[:20]!r} is not a string", "give a text")
        keys = [key for key, _ in self.parameters]
        reading.check_names([*keys, "q"], "parameters")
        reading.check_conditions(self.parameters, keys, "parameter")
        for r in self.inputs.domain.records if isinstance(self.inputs, RecordAnswers) else ():
            reading.check_known(r.demand, keys, f"demand of {r}")
        listed = [state.name for state in self.states]
        if len(set(listed)) < len(listed):
            raise BadInput("program", "two states have the same name", "rename one of them")
        if (bool(listed) or isinstance(self.start, Contest)) is not (self.inputs.n is None):
            raise BadInput(
                "program",
                "states wait for queries whose number is not fixed",
                'use states with queries = "n", and q[1], q[2], ... without states otherwise',
            )
        contest = isinstance(self.start, Contest)
        fixed = frozenset(() if listed else answer_names(self.inputs))
        if listed and contest:
            raise BadInput("program", "a contest stands for a whole program", "use no states")
        check = _TreeCheck(self.here, frozenset(keys), {s.name: s.registers for s in self.states})
        check.tree(self.start, fixed, "start")
        for state in self.states:
            reading.check_names([*keys, "q", *state.registers], f"state {state.name}")
            kept = frozenset(state.registers)
            check.tree(state.body, kept | {"q"}, f"state {state.name}")
            check.tree(state.end, kept, f"end of state {state.name}", last=True)

    @property
    def here(self) -> Context:
        """The context given by the conditions of the parameters."""
        return parameter_context(self.parameters)

    def state(self, key: str) -> State:
        """The state with a name."""
        return next(s for s in self.states if s.name == key)


def children(tree: Tree) -> tuple[Tree, ...]:
    """The trees with which a tree goes on."""
    match tree:
        case Draw() | Release():
            return (tree.then,)
        case If() | Coin():
            return (tree.yes, tree.no)
        case Winner():
            return tree.branches
    return ()


def leaf_count(tree: Tree) -> int:
    """The number of paths of a tree."""
    return sum(map(leaf_count, children(tree))) or 1


@dataclass(frozen=True, slots=True)
class _TreeCheck:
    """What the trees of one program may use."""

    here: Context
    parameters: frozenset[str]
    registers: dict[str, tuple[str, ...]]

    def tree(self, tree: Tree, bound: frozenset[str], where: str, last: bool = False) -> None:
        """BadInput unless every path of the tree ends and uses what is bound on it alone."""
        if leaf_count(tree) > LEAVES:
            raise BadInput(
                where, f"it has more than {LEAVES} paths", "use states, or fewer queries"
            )
        self._walk(tree, bound, where, last)

    def _walk(self, tree: Tree, bound: frozenset[str], where: str, last: bool) -> None:
        match tree:
            case Draw():
                self._draw(tree, bound, where)
                bound |= {tree.noise}
            case If():
                self._linear(tree.value, bound, where)
            case Winner():
                if not 2 <= len(tree.values) == len(tree.branches):
                    raise BadInput(where, "a winner needs a branch for each value", "list both")
                for value in tree.values:
                    self._linear(value, bound, where)
            case Coin():
                self._probability(tree.probability, where)
            case Release():
                if tree.item.head != "label":
                    self._linear(tree.item, bound, where)
            case Goto():
                self._goto(tree, bound, where, last)
            case Contest():
                self._contest(tree, bound, where)
            case Stop():
                pass
            case _:
                raise BadInput(where, f"{str(tree)[:40]} is not a step", "use the listed steps")
        for child in children(tree):
            self._walk(child, bound, where, last)

    def _draw(self, draw: Draw, bound: frozenset[str], where: str) -> None:
        reading.check_names([draw.noise], where)
        if draw.noise in bound | self.parameters or draw.noise.partition("[")[0] == "q":
            raise BadInput(where, f"the name {draw.noise} is used twice", "rename the noise")
        if draw.law not in LAWS:
            raise BadInput(
                where,
                f"{draw.law!r} is not a law of noise",
                closest(draw.law, LAWS, "the laws are"),
            )
        self._constant(draw.scale, where, "scale")
        if not known_signs(draw.scale, self.here) == {1}:
            raise BadInput(
                where,
                f"the scale {draw.scale} is not known to be positive",
                'give its parameters a condition, such as eps = "eps > 0"',
            )

    def _contest(self, contest: Contest, bound: frozenset[str], where: str) -> None:
        if where != "start" or type(contest.gap) is not bool:
            raise BadInput(where, "a contest stands for a whole program", "start with it")
        for noise, law, scale in contest.draws:
            self._draw(Draw(noise, law, scale, Stop()), bound, where)
            bound |= {noise}
        self._linear(contest.value, bound, where)

    def _probability(self, p: Expression, where: str) -> None:
        self._constant(p, where, "probability")
        rest = add(ONE, negative(p))
        if not known_signs(p, self.here) | known_signs(rest, self.here) <= {0, 1}:
            raise BadInput(
                where, f"the probability {p} is not known to lie in [0, 1]", "give a condition"
            )

    def _goto(self, step: Goto, bound: frozenset[str], where: str, last: bool) -> None:
        if last:
            raise BadInput(where, "no query is left to wait for", "stop there")
        if step.state not in self.registers:
            known = list(self.registers)
            cure = closest(step.state, known, "the states are") if known else "there are no states"
            raise BadInput(where, f"there is no state {str(step.state)[:40]!r}", cure)
        if tuple(key for key, _ in step.registers) != self.registers[step.state]:
            raise BadInput(
                where,
                f"goto {step.state} does not set exactly what that state keeps",
                f"set {', '.join(self.registers[step.state]) or 'nothing'}",
            )
        for _, value in step.registers:
            self._linear(value, bound, where)

    def _constant(self, e: Expression, where: str, what: str) -> None:
        reading.check_known(e, self.parameters, f"{what} in {where}")
        _check_number(e, f"{what} in {where}")

    def _linear(self, e: Expression, bound: frozenset[str], where: str) -> None:
        reading.check_known(e, self.parameters | bound, where)
        _check_number(e, where)
        linear_form(e, bound, self.here, where)


def _check_number(e: Expression, where: str) -> None:
    if is_condition(e) or any(
        n.head in ("label", "sum", "maximum", "minimum", "oo", "index") for n in walk(e)
    ):
        raise BadInput(where, f"{str(e)[:60]} is not a number", "use numbers and names of numbers")
    reading.check_kinds(e, where)


def draws(tree: Tree) -> Iterator[Draw]:
    """All draws of a tree."""
    if isinstance(tree, Draw):
        yield tree
    for child in children(tree):
        yield from draws(child)
