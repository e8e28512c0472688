"""Runs of a noise program on any number of queries, cut where it waits for the next one.

The function is given a `Stream`.  Where its loop asks for the next query, the stream reads the
local variables of the function: this is all that the program remembers (see `bytecode` for why).
What is no noisy value, such as a counter or a flag, is the control state.  Each noisy value becomes
a *register*: the object itself is changed into a new name, so that what follows holds for every
value of it, and what it was is what the program keeps.  Two variables that hold the same object
share a register.

So between two such places a run does not depend on the queries before, other than through control
state and registers; a value that came by another way is noticed by its name, and refused.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from inspect import getgeneratorlocals
from types import FrameType, FunctionType, GeneratorType
from typing import Any, NoReturn

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.linear_form import LinearForm
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import Arithmetic
from ahdp_verify.programs.amount import NOTHING, Amount, exact_cure
from ahdp_verify.programs.bytecode import (
    GIVE_NUMBER,
    OWN,
    RETURN_IT,
    WaitingPlace,
    begins_contest,
    keeps_nothing,
)
from ahdp_verify.programs.exploring import (
    ONE,
    Contested,
    ControlState,
    Drawn,
    Ended,
    Event,
    ExploringRun,
    Happened,
    Waiting,
    changing,
)
from ahdp_verify.programs.running import Cut, Function, outputs_of
from ahdp_verify.programs.words import drawing_with

LONGEST, DEEPEST = 20, 3  # parts of a list, and lists in lists


class StreamRun(ExploringRun):
    """A run that is cut at the place after the one at which `depth` queries have been asked for
    (`last`: that one is told that no query is left).
    """

    def __init__(
        self, name: str, here: Context, script: tuple[int, ...], depth: int, last: bool
    ) -> None:
        super().__init__(name, here, script)
        self.depth, self.last = depth, last
        self.asked = 0
        self.frame: FrameType | None = None
        self.place: WaitingPlace | None = None
        self.finished: list[list[Happened]] = []  # the records up to each place passed
        self.forked_before = 0  # choices before the last opening
        self.is_cut = False
        self.contest: WholeContest | None = None

    def happens(self, event: Event, choices: int = 1) -> int:
        """As of every run; nothing may happen once it is cut."""
        if self.is_cut:
            self.refuse("it catches what ends a run", "leave out try and finally")
        if self.contest is not None:
            self.contest.check(event)
        return super().happens(event, choices)

    def begin(self, frame: FrameType) -> None:
        """The loop over the queries begins in a frame; BadInput unless it is that of the function,
        and for the second time.
        """
        if self.place is not None or self.contest is not None:
            self.refuse("it goes over the queries twice", GIVE_NUMBER)
        caller = frame.f_back
        if caller is None or caller.f_code is not outputs_of.__code__:
            self.refuse("another function goes over the queries", "loop in the function itself")
        try:
            if begins_contest(frame.f_code, frame.f_lasti, self.name):
                self.contest = WholeContest(self)
            else:
                self.place = WaitingPlace.of(frame.f_code, frame.f_lasti, self.name)
        except BadInput as error:
            self.refuse(error.reason, error.cure)
        self.frame = frame

    def next_query(self, frame: FrameType) -> Amount:
        """The next query; the run is cut, or told that none is left, where it should be."""
        if self.contest is not None:
            return self.contest.next_query(frame)
        place = self.place
        if frame is not self.frame or place is None or not place.start <= frame.f_lasti < place.end:
            self.refuse("its loop over the queries is not the only one", GIVE_NUMBER)
        control, registers = self._read(frame)
        if self.asked == self.depth:
            forms = tuple((key, amount.form) for key, amount in registers.items())
            self.happens(Waiting(control, forms))
            self.is_cut = True
            raise Cut
        self.asked += 1
        self._open(control, registers)
        if self.last and self.asked == self.depth:
            raise StopIteration
        query = f"?{self.asked}"
        self.live = {*(self.live or ()), query}
        return Amount(self, {query: ONE})

    def argmax(self, values: Iterable[object], gap: bool) -> Any:
        """As of every run; of the generator over all queries, what the program releases."""
        contest = self.contest
        if contest is None or contest.generator is not None:
            return super().argmax(values, gap)
        if sys._getframe(2) is not self.frame or not isinstance(values, GeneratorType):
            self.refuse("another function calls argmax", "call it in the function itself")
        return contest.among(values, gap)

    def _open(self, control: ControlState, registers: dict[str, Amount]) -> None:
        """Every register has a new name as its value from now on."""
        forms = tuple((key, amount.form) for key, amount in registers.items())
        super().happens(Waiting(control, forms))
        self.finished.append(self.record)
        self.record, self.facts = [], {}
        self.forked_before = len(self.taken)
        self.live = set()
        for key, amount in registers.items():
            new = f"{key}@{self.asked}"
            amount.terms, amount.constant = {new: ONE}, NOTHING
            self.live.add(new)

    def _read(self, frame: FrameType) -> tuple[ControlState, dict[str, Amount]]:
        reading = _Reading(self)
        for key in sorted(frame.f_locals):
            if key not in frame.f_code.co_freevars:
                reading.value(key, frame.f_locals[key])
        return tuple(reading.control), reading.registers


class WholeContest:
    """All queries in place of one: `argmax` is given a generator over them, and what it returns is
    returned.

    The generator is asked twice.  It computes with constants and functions of them, a query and the
    noises that it draws; so it does for every query what it does for the first two.
    """

    def __init__(self, run: StreamRun) -> None:
        self.run = run
        self.generator: GeneratorType[Any, Any, Any] | None = None
        self.result: object = None  # of argmax
        self.wanted = 0  # how many queries the generator may have asked for

    def check(self, event: Event) -> None:
        """BadInput for an event that has no place in a contest."""
        if self.generator is None:
            self._refuse_use()
        if self.result is None:
            if not isinstance(event, Drawn):
                self.run.refuse(
                    "what it compares by argmax is not the same sum for every query",
                    f"only draw, add and multiply there, or {GIVE_NUMBER}",
                )
        elif not isinstance(event, Contested | Ended):
            self._refuse_use()

    def check_returned(self, value: object) -> None:
        """BadInput unless the function returns what argmax returned."""
        if self.result is None or value is not self.result:
            self._refuse_use()

    def next_query(self, frame: FrameType) -> Amount:
        """The next query; BadInput unless the generator asks, and once for each value."""
        run = self.run
        if self.generator is None or frame is not self.generator.gi_frame:
            self._refuse_use()
        if run.asked == self.wanted:
            run.refuse("it leaves queries out of argmax", f"leave out if, or {GIVE_NUMBER}")
        run.asked += 1
        return Amount(run, {f"?{run.asked}": ONE})

    def among(self, generator: GeneratorType[Any, Any, Any], gap: bool) -> object:
        """What argmax returns; BadInput unless all queries are treated alike."""
        run = self.run
        if run.record:
            run.refuse(
                "it draws, compares or releases something before argmax",
                f"draw noise for each query, or {GIVE_NUMBER}",
            )
        self._check_constants(generator)
        self.generator = generator
        one, other = self._element(1), self._element(2)
        if one != other:
            self._refuse_keeping()
        run.record, self.result = [], object()
        run.happens(Contested(*one, gap))
        return self.result

    def _element(self, k: int) -> tuple[tuple[Drawn, ...], LinearForm]:
        """The draws and the value of query number k, called ?1 and its noises #1, #2, ..."""
        run, self.wanted = self.run, k
        before = len(run.record)
        assert self.generator is not None
        value = Amount(run) + next(self.generator)
        if run.asked != k:
            run.refuse(
                "argmax is given more than one value for a query",
                f"use one for inside argmax, or {GIVE_NUMBER}",
            )
        drawn = [step.event for step in run.record[before:]]
        names = {f"?{k}": LinearForm.of({"?1": ONE})}
        listed = []
        for i, event in enumerate(drawn, 1):
            assert isinstance(event, Drawn)
            names[event.noise] = LinearForm.of({f"#{i}": ONE})
            listed.append(replace(event, noise=f"#{i}"))
        if not set(value.terms) <= set(names):
            self._refuse_keeping()
        return tuple(listed), value.form.at(names)

    def _check_constants(self, generator: GeneratorType[Any, Any, Any]) -> None:
        """BadInput unless the generator reads only what stays as it is."""
        for key, value in getgeneratorlocals(generator).items():
            if key not in generator.gi_code.co_freevars:
                continue
            if isinstance(value, Stream):
                self.run.refuse(
                    "it uses all its queries inside argmax", f"use only q there, or {GIVE_NUMBER}"
                )
            if not keeps_nothing(value):
                self.run.refuse(
                    f"inside argmax it uses {key}, a {type(value).__name__}, which could keep something "
                    "between queries",
                    f"use numbers, texts and tuples of them, or {GIVE_NUMBER}",
                )

    def _refuse_keeping(self) -> NoReturn:
        self.run.refuse(
            "inside argmax it keeps something from one query to the next",
            f"use only q and new noises there, or {GIVE_NUMBER}",
        )

    def _refuse_use(self) -> NoReturn:
        self.run.refuse(
            "it does something else with a generator over its queries than return argmax of it",
            f"{RETURN_IT}, or {GIVE_NUMBER}",
        )


class _Reading:
    """The control state and the registers of some local variables."""

    def __init__(self, run: StreamRun) -> None:
        self.run = run
        self.control: list[tuple[str, Any]] = []
        self.registers: dict[str, Amount] = {}
        self.seen: dict[int, str] = {}

    def value(self, key: str, value: object, depth: int = 0) -> None:
        """Reads one variable, or one part of a list."""
        match value:
            case Amount() if value.terms:
                self.run.check_present(value)
                if self._is_new(key, value):
                    self.registers[key] = value
                    self.control.append((key, "register"))
            case Amount():
                self.control.append((key, ("constant", value.constant.key)))
            case bool() | int() | str() | None | Fraction() | range():
                self.control.append((key, (type(value).__name__, value)))
            case Arithmetic():
                self.control.append((key, ("constant", str(value.symbol))))
            case list() | tuple():
                if self._is_new(key, value):
                    self._parts(key, value, depth)
            case Stream():
                self.control.append((key, "queries"))
            case FunctionType() if (value.__module__ or "").startswith(OWN):
                self.control.append((key, ("function", value.__module__, value.__qualname__)))
            case float() if math.isinf(value):
                self.control.append((key, ("float", value)))
            case float():
                self._refuse(key, f"{value!r}, a float, which is not exact", exact_cure(value))
            case _:
                self._refuse(
                    key,
                    f"a {type(value).__name__}, which could keep something between queries",
                    f"use numbers, texts and short lists, or {GIVE_NUMBER}",
                )

    def _parts(self, key: str, value: list[object] | tuple[object, ...], depth: int) -> None:
        if len(value) > LONGEST or depth > DEEPEST:
            self._refuse(key, "a list that grows", "yield outputs instead of collecting them")
        self.control.append((key, (type(value).__name__, len(value))))
        for i, part in enumerate(value):
            self.value(f"{key}[{i}]", part, depth + 1)

    def _is_new(self, key: str, value: object) -> bool:
        if id(value) in self.seen:
            self.control.append((key, ("same as", self.seen[id(value)])))
            return False
        self.seen[id(value)] = key
        return True

    def _refuse(self, key: str, reason: str, cure: str) -> NoReturn:
        self.run.refuse(
            f"where it waits for the next query, its variable {key} holds {reason}", cure
        )


class Stream:
    """The queries of a program on any number of them: they can be gone over once."""

    def __init__(self, run: StreamRun) -> None:
        self._run = run

    def __iter__(self) -> StreamIterator:
        self._run.begin(sys._getframe(1))
        return StreamIterator(self._run)

    def __len__(self) -> int:
        self._run.refuse("it asks for the number of queries", GIVE_NUMBER)

    def __getitem__(self, place: object) -> object:
        self._run.refuse(f"it asks for the query at place {place}", GIVE_NUMBER)

    def __bool__(self) -> bool:
        self._run.refuse("it asks whether there is a query", GIVE_NUMBER)

    def __eq__(self, other: object) -> bool:
        self._run.refuse("it compares all queries with something", GIVE_NUMBER)

    def __hash__(self) -> int:
        self._run.refuse("its queries are a key or an element of a set", GIVE_NUMBER)

    def __repr__(self) -> str:
        self._run.refuse("its queries become a text", GIVE_NUMBER)

    def __getattr__(self, key: str) -> object:
        if key.startswith("_"):
            raise AttributeError(key)
        self._run.refuse(f"its queries are asked for {key}", GIVE_NUMBER)


class StreamIterator:
    """What the loop over a stream asks for the next query."""

    def __init__(self, run: StreamRun) -> None:
        self._run = run

    def __next__(self) -> Amount:
        return self._run.next_query(sys._getframe(1))


def run_stream(
    run: StreamRun, function: Function, named: Callable[[StreamRun], dict[str, Any]]
) -> None:
    """Runs the function until the run is cut, or to its end; BadInput for what is refused."""
    try:
        with drawing_with(run):
            for value in outputs_of(function, (Stream(run),), named(run)):
                if run.contest is None:
                    run.release(value)
                else:
                    run.contest.check_returned(value)
    except Cut:
        _raise_refusal(run)
        return
    _raise_refusal(run)
    if run.is_cut:
        raise BadInput(run.name, "it catches what ends a run", "leave out try and finally")
    if run.asked < run.depth:
        raise changing(run.name)
    run.happens(Ended())


def _raise_refusal(run: StreamRun) -> None:
    if run.refusal is not None:
        raise run.refusal
