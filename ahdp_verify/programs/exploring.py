"""One run of a noise program along a script of decisions, and all of them as a tree.

A run records what happens: draws, comparisons, choices, coins and outputs.  Where more than one
thing can happen it follows its script and, after the script, takes the first possibility; what it
took is noted, so that running again with each other possibility, depth first, visits every path
once.  A comparison that follows from an earlier one of the same linear part, or from the conditions
of the parameters, does not fork.

The records of all runs are put together as one tree.  Two runs with the same decisions so far have
to agree in what happens next; otherwise the program is not a function of its noises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.model.program import (
    LEAVES,
    Coin,
    Draw,
    If,
    Release,
    Tree,
    Winner,
)
from ahdp_verify.kernel.numbers.algebra import Ratio
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.programs.amount import Amount, exact_parameter
from ahdp_verify.programs.outputs import Item, Shape, flattened, shape_of
from ahdp_verify.programs.words import RUN, listed_values

ONE = Fraction(1)
KEEP = "keep values in local variables"
LONGEST = 600  # most events of a path between two queries: trees are walked by recursion
ControlState = tuple[tuple[str, Any], ...]  # variables with what they hold
SomeRun = TypeVar("SomeRun", bound="ExploringRun")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A noise is drawn."""

    noise: str
    law: str
    scale: Expression


@dataclass(frozen=True, slots=True)
class Compared:
    """Whether value > 0 (strict) or value >= 0 is asked."""

    value: LinearForm
    strict: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """The place of the first greatest of several values is asked."""

    values: tuple[LinearForm, ...]


@dataclass(frozen=True, slots=True)
class Tossed:
    """A coin falls."""

    probability: Expression


@dataclass(frozen=True, slots=True)
class Output:
    """Items are released."""

    items: tuple[Item, ...]
    shape: Shape


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next query is waited for, in a control state that keeps registers."""

    state: ControlState
    registers: tuple[tuple[str, LinearForm], ...]


@dataclass(frozen=True, slots=True)
class Contested:
    """Each of any number of queries, ?1, draws noises and has a value; the place of the first
    greatest is released, and with `gap` by how much it leads.
    """

    draws: tuple[Drawn, ...]
    value: LinearForm
    gap: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The program ends."""


Event = Drawn | Compared | Chosen | Tossed | Output | Waiting | Contested | Ended


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, and which of its possibilities was taken."""

    event: Event
    choice: int = 0


class ExploringRun:
    """One run along a script; see the module.  `live` are the names that may be used (None:
    all).
    """

    def __init__(self, name: str, here: Context, script: tuple[int, ...] = ()) -> None:
        self.name, self.here, self.script = name, here, script
        self.taken: list[tuple[int, int]] = []  # each choice, and how many there were
        self.record: list[Happened] = []
        self.noises = 0
        self.facts: dict[tuple[tuple[str, Fraction], ...], list[tuple[Ratio, bool]]] = {}
        self.live: set[str] | None = None
        self.refusal: BadInput | None = None

    def refuse(self, reason: str, cure: str) -> NoReturn:
        """Raises BadInput, which the run remembers, and the present run too if it is another one: a
        program that catches it is refused.
        """
        error = self.refusal = self.refusal or BadInput(self.name, reason, cure)
        present = RUN.get()
        if isinstance(present, ExploringRun):
            present.refusal = present.refusal or error
        raise error

    def draw(self, law: str, scale: object) -> Amount:
        """A new noise."""
        amount = exact_parameter(scale, self, "scale")
        self.noises += 1
        noise = f"#{self.noises}"
        self.happens(Drawn(noise, law, amount.symbol))
        if self.live is not None:
            self.live.add(noise)
        return Amount(self, {noise: ONE})

    def decide(self, gap: Amount, strict: bool) -> bool:
        """Whether gap > 0, or gap >= 0, on this path."""
        if not gap.terms:
            return self._decide_constant(gap, strict)
        self.check_present(gap)
        known = self._known(gap, strict)
        if known is not None:
            return known
        yes = self.happens(Compared(gap.form, strict), 2) == 0
        self._learn(gap if yes else -gap, strict is yes)
        return yes

    def argmax(self, values: Iterable[object], gap: bool) -> Any:
        """The place of the first greatest value on this path, and by how much it leads."""
        amounts = [Amount(self) + value for value in listed_values(values)]
        first = self._first_greatest(amounts)
        if not gap:
            return first
        others = amounts[:first] + amounts[first + 1 :]
        if not others:
            return (first,)
        return first, amounts[first] - others[self._first_greatest(others)]

    def _first_greatest(self, amounts: list[Amount]) -> int:
        if len(amounts) == 1:
            return 0
        if not any((a - amounts[0]).terms for a in amounts):
            return max(range(len(amounts)), key=amounts.__getitem__)
        k = self.happens(Chosen(tuple(a.form for a in amounts)), len(amounts))
        for j, other in enumerate(amounts):
            if j != k and (amounts[k] - other).terms:
                self._learn(amounts[k] - other, j < k)
        return k

    def coin(self, probability: object) -> bool:
        """How a coin falls on this path."""
        p = exact_parameter(probability, self, "probability")
        certain = p.constant.as_rational
        if certain in (0, 1):
            return certain == 1
        return self.happens(Tossed(p.symbol), 2) == 0

    def release(self, value: object) -> None:
        """The program releases a value."""
        try:
            items = flattened(value, self)
        except BadInput as error:
            self.refuse(error.reason, error.cure)
        self.happens(Output(items, shape_of(value)))

    def happens(self, event: Event, choices: int = 1) -> int:
        """Records an event, and says which of its possibilities is taken."""
        self._check_live(event)
        if len(self.record) > LONGEST:
            self.refuse(
                f"a path has no end, or more than {LONGEST} steps",
                "loop a number of times that is known, or over any number of queries",
            )
        i, choice = len(self.taken), 0
        if choices > 1:
            choice = self.script[i] if i < len(self.script) else 0
            if choice >= choices:
                raise changing(self.name)
            self.taken.append((choice, choices))
        self.record.append(Happened(event, choice))
        return choice

    def alternatives(self, after: int) -> Iterator[tuple[int, ...]]:
        """The scripts that differ from this run in one choice, taken after so many."""
        path = tuple(choice for choice, _ in self.taken)
        for i in range(after, len(path)):
            for other in range(1, self.taken[i][1]):
                yield (*path[:i], other)

    def check_present(self, amount: Amount) -> None:
        """BadInput for an amount that was kept from a run that is over."""
        if amount.run is not self or RUN.get() not in (self, None):
            self.refuse(f"{amount.text[:60]} was kept from another run", KEEP)

    def _check_live(self, event: Event) -> None:
        if self.live is None:
            return
        for form in forms_of(event):
            for key, _ in form.terms:
                if key not in self.live:
                    self.refuse(
                        "a value from an earlier query is used that no local variable holds",
                        "keep it in a local variable",
                    )

    def _decide_constant(self, gap: Amount, strict: bool) -> bool:
        signs = self.here.ratio_signs(gap.constant)
        if signs <= ({1} if strict else {0, 1}):
            return True
        if signs <= ({-1, 0} if strict else {-1}):
            return False
        self.refuse(
            f"whether {gap.text[:80]} {'>' if strict else '>='} 0 is not known of the parameters",
            "declare a condition from which it follows, or make the number an option",
        )

    def _known(self, gap: Amount, strict: bool) -> bool | None:
        part, c = _scaled(gap)
        for bound, was_strict in self.facts.get(part, ()):
            if self._exceeds(c - bound, strict and not was_strict):
                return True
        for bound, was_strict in self.facts.get(tuple((k, -a) for k, a in part), ()):
            if self._exceeds(-(c + bound), not strict and not was_strict):
                return False
        return None

    def _exceeds(self, gap: Ratio, strict: bool) -> bool:
        return self.here.ratio_signs(gap) <= ({1} if strict else {0, 1})

    def _learn(self, gap: Amount, strict: bool) -> None:
        part, c = _scaled(gap)
        self.facts.setdefault(part, []).append((c, strict))


def forms_of(event: Event) -> tuple[LinearForm, ...]:
    """The linear forms of an event."""
    match event:
        case Compared():
            return (event.value,)
        case Chosen():
            return event.values
        case Output():
            return tuple(item for item in event.items if isinstance(item, LinearForm))
        case Waiting():
            return tuple(form for _, form in event.registers)
    return ()


def _scaled(gap: Amount) -> tuple[tuple[tuple[str, Fraction], ...], Ratio]:
    """The linear part with 1 or -1 as its first coefficient, and the constant at the same scale."""
    part = sorted(gap.terms.items())
    by = 1 / abs(part[0][1])
    return tuple((key, by * c) for key, c in part), gap.constant.scale(by)


@dataclass(slots=True)
class Branching:
    """What happened next on all runs with the same decisions so far."""

    event: Event | None = None
    after: dict[int, Branching] = field(default_factory=dict)

    def include(self, record: list[Happened], name: str) -> None:
        """Adds a run; BadInput if it differs from another one with the same decisions."""
        here = self
        for step in record:
            if here.event is None:
                here.event = step.event
            elif here.event != step.event:
                raise changing(name)
            here = here.after.setdefault(step.choice, Branching())

    def outputs(self) -> Iterator[Output]:
        """The outputs, each as often as it stands in the tree."""
        if isinstance(self.event, Output):
            yield self.event
        for branch in self.after.values():
            yield from branch.outputs()


def changing(name: str) -> BadInput:
    """The error about a program that is not a function of its noises."""
    return BadInput(
        name,
        "it does something else when it is run again, so it is not a function of its noises",
        "use only the words laplace, coin and the like for chance, and keep nothing between runs",
    )


def explored(
    run_along: Callable[[tuple[int, ...]], SomeRun], name: str, start: tuple[int, ...] = ()
) -> list[SomeRun]:
    """All runs whose decisions begin with those of `start`; BadInput for too many."""
    runs: list[SomeRun] = []
    todo = [start]
    while todo:
        run = run_along(todo.pop())
        if len(run.script) > len(run.taken):
            raise changing(name)
        runs.append(run)
        todo.extend(run.alternatives(max(len(start), len(run.script))))
        if len(runs) + len(todo) > LEAVES:
            raise BadInput(
                name,
                f"it has more than {LEAVES} paths",
                "use argmax, fewer queries, or a loop over any number of queries",
            )
    again = run_along(start)
    if (again.taken, again.record) != (runs[0].taken, runs[0].record):
        raise changing(name)
    return runs


def tree_of(
    branching: Branching,
    ended: Callable[[Waiting | Ended, dict[str, LinearForm]], Tree],
    values: dict[str, LinearForm],
    prefix: str,
) -> Tree:
    """The tree of what can happen; `values` are the new names of registers and queries, noises are
    numbered along each path after the prefix.
    """
    event = branching.event
    match event:
        case Waiting() | Ended():
            return ended(event, values)
        case None:
            raise RuntimeError("a path without an end")
    below = [branching.after[i] for i in sorted(branching.after)]
    if isinstance(event, Drawn):
        noise = f"{prefix}{sum(k.startswith('#') for k in values) + 1}"
        values = {**values, event.noise: LinearForm.of({noise: ONE})}
    trees = [tree_of(branch, ended, values, prefix) for branch in below]
    return _joined(event, trees, values)


def _joined(event: Event, trees: list[Tree], values: dict[str, LinearForm]) -> Tree:
    """One step, and the trees after it; a question whose answer does not matter is left out."""
    if len(trees) > 1 and all(tree == trees[0] for tree in trees):
        return trees[0]
    match event:
        case Drawn():
            ((noise, _),) = values[event.noise].terms
            return Draw(noise, event.law, event.scale, trees[0])
        case Compared():
            return If(event.value.at(values).expression, event.strict, trees[0], trees[1])
        case Chosen():
            listed = tuple(form.at(values).expression for form in event.values)
            return Winner(listed, tuple(trees))
        case Tossed():
            return Coin(event.probability, trees[0], trees[1])
        case Output():
            tree = trees[0]
            for item in reversed(event.items):
                released = item.at(values).expression if isinstance(item, LinearForm) else item
                tree = Release(released, tree)
            return tree
    raise RuntimeError("an end is not followed by anything")


def free_prefix(taken: set[str]) -> str:
    """A prefix of which no numbered name is taken.

    >>> free_prefix({"eps", "z2"})
    'noise'
    """
    options = ("z", "noise", *(f"z_{i}_" for i in range(len(taken) + 1)))
    return next(
        p for p in options if not any(k.startswith(p) and k[len(p) :].isdigit() for k in taken)
    )
