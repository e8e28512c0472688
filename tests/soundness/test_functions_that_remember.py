"""Functions that release the answer itself from their 50th call on, which no exploration of their
paths shows: they keep count in classes, or in functions that they reach through a tuple.
"""

from __future__ import annotations

import io
import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify import laplace, noise_program
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.programs.numbers import GivenRun
from ahdp_verify.programs.words import drawing_with


class Base:
    seen: list[int] = []  # noqa: RUF012


class Derived(Base):
    pass


class Counting:
    place = itertools.count()


class Queue:
    seen: deque[int] = deque()  # noqa: RUF012


class Kept:
    @staticmethod
    @lru_cache
    def numbers() -> Any:
        return itertools.count()


class Outer:
    class Inner:
        seen: list[int] = []  # noqa: RUF012


class Methods:
    class Nested:
        @staticmethod
        def run(q: Any) -> Any:
            Base.seen.append(1)
            return q + laplace(1) if len(Base.seen) < 50 else q


class Inherited(Methods):
    pass


def by_a_base_class(queries: Any) -> Any:
    Derived.seen.append(1)
    return queries[0] + laplace(1) if len(Derived.seen) < 50 else queries[0]


def by_an_iterator(queries: Any) -> Any:
    return queries[0] + laplace(1) if next(Counting.place) < 50 else queries[0]


def by_a_queue(queries: Any) -> Any:
    Queue.seen.append(1)
    return queries[0] + laplace(1) if len(Queue.seen) < 50 else queries[0]


def by_a_cache(queries: Any) -> Any:
    return queries[0] + laplace(1) if next(Kept.numbers()) < 50 else queries[0]


def by_a_class_in_a_class(queries: Any) -> Any:
    Outer.Inner.seen.append(1)
    return queries[0] + laplace(1) if len(Outer.Inner.seen) < 50 else queries[0]


def by_a_nested_method(queries: Any) -> Any:
    return Methods.Nested.run(queries[0])


def by_an_inherited_class(queries: Any) -> Any:
    return Inherited.Nested.run(queries[0])


@pytest.mark.parametrize(
    "function",
    [
        by_a_base_class,
        by_an_iterator,
        by_a_queue,
        by_a_cache,
        by_a_class_in_a_class,
        by_a_nested_method,
        by_an_inherited_class,
    ],
)
def test_what_keeps_count_is_refused(function: Callable[..., Any]) -> None:
    """Real runs, with a noise of 1/2 each, end with the answer itself."""
    Base.seen.clear()
    with pytest.raises(BadInput, match="is a type, which could keep something between runs"):
        noise_program(function).program(1)
    with drawing_with(GivenRun([0.5] * 100)):
        released = [function([10.0]) for _ in range(100)]
    assert released[0] in (10, 10.5) and released[-1] == 10


@dataclass
class Noisy:
    location: Any
    scale: int = 2

    def released(self) -> Any:
        return self.location + laplace(self.scale)


@dataclass(frozen=True, slots=True)
class Twice:
    value: Any

    @property
    def doubled(self) -> Any:
        return self.value * 2


class Release(ABC):
    @abstractmethod
    def of(self, q: Any) -> Any: ...


class Shifted(Release):
    scale, by = 2, (1, "no")

    def of(self, q: Any) -> Any:
        return self.same(q) + laplace(self.scale) + self.by[0] - 1

    @classmethod
    def same(cls, q: Any) -> Any:
        return q


def test_classes_that_keep_nothing_may_be_used() -> None:
    def written(queries: Any) -> Any:
        return Noisy(queries[0]).released()

    def doubled(queries: Any) -> Any:
        return Twice((queries[0] + laplace(2)) / 2).doubled

    def shifted(queries: Any) -> Any:
        return Shifted().of(queries[0])

    def plain(queries: Any) -> Any:
        return queries[0] + laplace(2)

    wanted = noise_program(plain).program(1).start
    for function in (written, doubled, shifted):
        assert noise_program(function).program(1).start == wanted


@noise_program
def rarely(queries: Any) -> Any:
    return queries[0] + laplace(1) > 2


def by_another_program(queries: Any) -> Any:
    return queries[0] if rarely.sample([0.0]) else queries[0] + laplace(1)


def by_a_file(queries: Any) -> Any:
    with_count = io.open(PLACE[0])  # noqa: SIM115, UP020
    return queries[0] + laplace(1) if int(with_count.read()) < 50 else queries[0]


PLACE = ("",)


def test_another_program_draws_noise_that_is_not_in_the_program() -> None:
    """The other one says True with probability exp(-2)/2: of 400 runs of this one, some release the
    answer itself, but for a probability of 6e-13.
    """
    with drawing_with(GivenRun([0.5] * 400)):
        released = [by_another_program([10.0]) for _ in range(400)]
    assert 10 in released
    with pytest.raises(BadInput, match="rarely is a NoiseProgram, which could keep something"):
        noise_program(by_another_program).program(1)


def test_a_file_may_change_between_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "count").write_text("50")
    monkeypatch.setattr(f"{__name__}.PLACE", (str(tmp_path / "count"),))
    assert by_a_file([10.0]) == 10
    (tmp_path / "count").write_text("3")
    with pytest.raises(BadInput, match="it uses io, which may differ from run to run"):
        noise_program(by_a_file).program(1)


@noise_program
def remembering(queries: Any) -> Any:
    Base.seen.append(1)
    return queries[0] + laplace(1) if len(Base.seen) < 50 else queries[0]


def of_another_program(queries: Any) -> Any:
    return remembering.function(queries)


def of_a_plain_one(queries: Any) -> Any:
    return rarely.function(queries)


def test_the_function_of_another_program_may_be_called_and_is_looked_at() -> None:
    Base.seen.clear()
    with drawing_with(GivenRun([0.5] * 100)):
        assert [of_another_program([10.0]) for _ in range(60)][-1] == 10
    with pytest.raises(BadInput, match="Base is a type, which could keep something between runs"):
        noise_program(of_another_program).program(1)
    assert noise_program(of_a_plain_one).program(1).start == rarely.program(1).start
