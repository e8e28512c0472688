"""Noise programs on any number of queries: the control states of their loop, as a program.

From the start, and from each control state that was reached, all ways to the next place where a
query is waited for are explored, until no new control state appears.  Registers that nothing
depends on are left out, and states from which the same happens are one.

>>> from ahdp_verify.kernel.terms.grammar import parse
>>> from ahdp_verify.programs.words import draw
>>> def above(queries, eps, c):
...     rho = draw("laplace", 2 / eps)
...     for q in queries:
...         high = q + draw("laplace", 4 * c / eps) >= rho
...         yield high
...         c -= high
...         if c == 0:
...             return
>>> from ahdp_verify.programs.running import Function
>>> request = Request(Function(above, "above"), (("eps", parse("0 < eps")),), {"c": 3})
>>> [(state.name, state.registers) for state in program_on_any_number(request, Answers(None)).states]
[('wait1', ('rho',)), ('wait2', ('rho',)), ('wait3', ('rho',))]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.neighbours import parameter_context
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
from ahdp_verify.kernel.terms.words import is_name
from ahdp_verify.programs.bytecode import GIVE_NUMBER
from ahdp_verify.programs.exploring import (
    ONE,
    Branching,
    Contested,
    ControlState,
    Ended,
    Event,
    Happened,
    Waiting,
    changing,
    explored,
    forms_of,
    free_prefix,
    tree_of,
)
from ahdp_verify.programs.fixed import Request
from ahdp_verify.programs.outputs import CONSTANTS, check_released, read_alike
from ahdp_verify.programs.stream import StreamRun, run_stream

MOST_STATES = 60


@dataclass(frozen=True, slots=True)
class Reached:
    """How a control state was reached: after so many queries, by a script, with this record."""

    depth: int
    script: tuple[int, ...] = ()
    before: tuple[tuple[Happened, ...], ...] = ()


@dataclass(slots=True)
class Loop:
    """What happens from the start, and in each control state for a query and at the end."""

    start: Branching = field(default_factory=Branching)
    bodies: dict[ControlState, Branching] = field(default_factory=dict)
    ends: dict[ControlState, Branching] = field(default_factory=dict)
    places: dict[ControlState, int] = field(default_factory=dict)  # their depths

    def live_registers(self) -> dict[ControlState, frozenset[str]]:
        """The registers of each state that a comparison or an output depends on, now or later."""
        live: dict[ControlState, frozenset[str]] = dict.fromkeys(self.bodies, frozenset())
        growing = True
        while growing:
            growing = False
            for state in self.bodies:
                found = frozenset(
                    key.rpartition("@")[0]
                    for branching in (self.bodies[state], self.ends[state])
                    for event in _events(branching)
                    for key in _used(event, live)
                    if not key.startswith(("#", "?"))
                )
                if found != live[state]:
                    live[state], growing = found, True
        return live


def program_on_any_number(request: Request, inputs: Answers) -> Program:
    """The program that the function is on any number of queries; BadInput for what it keeps or does
    that no such program can.
    """
    loop = _explored_loop(request)
    called = request.function.name
    if isinstance(loop.start.event, Contested):
        return _contest(loop.start.event, request, inputs)
    branchings = (loop.start, *loop.bodies.values(), *loop.ends.values())
    shapes = [output.shape for branching in branchings for output in branching.outputs()]
    read_alike(shapes, whole=False)
    check_released(shapes, called)
    try:
        return _program(loop, request, inputs)
    except RecursionError:
        raise BadInput(called, "a path between two queries is too long", "shorten it") from None


def _explored_loop(request: Request) -> Loop:
    loop = Loop()
    known: dict[ControlState, Reached] = {}
    todo: list[ControlState] = []

    def follow(branching: Branching, at: Reached, last: bool = False) -> None:
        for run in _runs(request, at, last):
            branching.include(run.record, run.name)
            end = run.record[-1].event
            if isinstance(end, Waiting) and end.state not in known:
                script = tuple(choice for choice, _ in run.taken)
                before = (*map(tuple, run.finished), tuple(run.record))
                known[end.state] = Reached(at.depth + 1, script, before)
                todo.append(end.state)

    follow(loop.start, Reached(0))
    if not todo and not isinstance(loop.start.event, Contested):
        raise BadInput(request.function.name, "it does not go over its queries", GIVE_NUMBER)
    while todo:
        state = todo.pop(0)
        if len(known) > MOST_STATES:
            raise _growing(request.function.name, known)
        loop.places[state] = known[state].depth
        loop.bodies[state], loop.ends[state] = Branching(), Branching()
        follow(loop.bodies[state], known[state])
        follow(loop.ends[state], known[state], last=True)
    return loop


def _runs(request: Request, at: Reached, last: bool) -> list[StreamRun]:
    """The runs from a state that was reached to the next one, or to the end."""
    here, name = parameter_context(request.parameters), request.function.name

    def run_along(script: tuple[int, ...]) -> StreamRun:
        run = StreamRun(name, here, script, at.depth, last)
        run_stream(run, request.function, request.arguments)
        if run.forked_before != len(at.script) or tuple(map(tuple, run.finished)) != at.before:
            raise changing(name)
        return run

    return explored(run_along, name, at.script)


def _growing(name: str, known: Iterable[ControlState]) -> BadInput:
    """The error about too many control states, which names what takes the most values."""
    values: dict[str, set[object]] = {}
    for state in known:
        for key, value in state:
            values.setdefault(key, set()).add(value)
    key = max(sorted(values), key=lambda k: len(values[k]))
    if {value[0] for value in values[key] if isinstance(value, tuple)} & {"list", "tuple"}:
        return BadInput(
            name,
            f"its variable {key} holds more and more with the number of queries",
            "yield outputs instead of collecting them",
        )
    return BadInput(
        name,
        f"its variable {key} takes more and more values with the number of queries",
        "count modulo something, stop after a fixed number, or give the number of queries",
    )


def _events(branching: Branching) -> Iterator[Event]:
    if branching.event is not None:
        yield branching.event
    for after in branching.after.values():
        yield from _events(after)


def _used(event: Event, live: Mapping[ControlState, frozenset[str]]) -> Iterator[str]:
    """The names on which what an event shows depends."""
    if isinstance(event, Waiting):
        forms = [form for key, form in event.registers if key in live[event.state]]
    else:
        forms = list(forms_of(event))
    for form in forms:
        yield from form.coefficients


# the program


def _program(loop: Loop, request: Request, inputs: Answers) -> Program:
    live = loop.live_registers()
    names = _register_names(live, request.names)
    prefix = free_prefix(request.names | set(names.values()))

    def ended(event: Waiting | Ended, values: dict[str, LinearForm]) -> Tree:
        if isinstance(event, Ended):
            return Stop()
        kept = {names[k]: form.at(values) for k, form in event.registers if k in live[event.state]}
        listed = sorted(kept.items())
        return Goto(numbers[event.state], tuple((k, form.expression) for k, form in listed))

    numbers = {state: str(i) for i, state in enumerate(loop.bodies)}
    states = []
    for state, number in numbers.items():
        depth = loop.places[state]
        values = {f"{k}@{depth}": LinearForm.of({names[k]: ONE}) for k in live[state]}
        make = partial(tree_of, ended=ended, prefix=prefix)
        body = make(loop.bodies[state], values={**values, f"?{depth}": LinearForm.of({"q": ONE})})
        registers = tuple(sorted(names[k] for k in live[state]))
        states.append(State(number, registers, body, make(loop.ends[state], values=values)))
    start = tree_of(loop.start, ended, {}, prefix)
    start, merged = _merged(start, states)
    return Program(request.function.name, request.parameters, inputs, start, merged)


def _contest(event: Contested, request: Request, inputs: Answers) -> Program:
    prefix = free_prefix(request.names)
    values = {"?1": LinearForm.of({"q": ONE})}
    values |= {d.noise: LinearForm.of({d.noise.replace("#", prefix): ONE}) for d in event.draws}
    drawn = tuple((d.noise.replace("#", prefix), d.law, d.scale) for d in event.draws)
    start = Contest(drawn, event.value.at(values).expression, event.gap)
    return Program(request.function.name, request.parameters, inputs, start)


def _register_names(live: Mapping[ControlState, frozenset[str]], taken: set[str]) -> dict[str, str]:
    """A name for each register: that of its variable, if no parameter has it."""
    found: dict[str, str] = {}
    taken = taken | {"q", *CONSTANTS.values()}
    for key in sorted(frozenset().union(*live.values())):
        plain = key.replace("[", "_").replace("]", "")
        name = plain if plain.isascii() else "kept"
        while name in taken or not is_name(name):
            name += "_"
        taken.add(name)
        found[key] = name
    return found


def _merged(start: Tree, states: list[State]) -> tuple[Tree, tuple[State, ...]]:
    """The trees with one state for all from which the same happens."""
    names = dict.fromkeys((state.name for state in states), "")
    while True:
        kinds: dict[object, str] = {}
        finer = {}
        for state in states:
            does = (state.registers, _renamed(state.body, names), state.end)
            finer[state.name] = kinds.setdefault(does, str(len(kinds) + 1))
        if len(kinds) == len(set(names.values())):
            break
        names = finer
    called = {kind: f"wait{kind}" if len(kinds) > 1 else "wait" for kind in kinds.values()}
    names = {state: called[kind] for state, kind in finer.items()}
    first = {names[state.name]: state for state in reversed(states)}
    kept = tuple(
        replace(first[name], name=name, body=_renamed(first[name].body, names, join=True))
        for name in called.values()
    )
    return _renamed(start, names, join=True), kept


def _renamed(tree: Tree, names: Mapping[str, str], *, join: bool = False) -> Tree:
    """The tree with other names of states; questions that no longer matter are left out if
    `join`.
    """
    match tree:
        case Goto():
            return replace(tree, state=names[tree.state])
        case Draw() | Release():
            return replace(tree, then=_renamed(tree.then, names, join=join))
        case If() | Coin():
            yes, no = (_renamed(part, names, join=join) for part in (tree.yes, tree.no))
            return yes if join and yes == no else replace(tree, yes=yes, no=no)
        case Winner():
            parts = tuple(_renamed(part, names, join=join) for part in tree.branches)
            same = join and all(part == parts[0] for part in parts)
            return parts[0] if same else replace(tree, branches=parts)
    return tree
