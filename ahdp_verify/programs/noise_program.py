"""Plain Python functions as noise programs.

    @noise_program(parameters={"eps": "eps > 0", "T": ""})
    def above(queries, eps, T, c=1): ...

The first argument of the function is the query answers; those that are declared as parameters stand
for all numbers that satisfy their condition; the others are options, whose values become part of
the program and of its name.  The function draws with `laplace(scale)`, `geometric(scale)`,
`exponential(scale)`, `gumbel(scale)`, `gaussian(scale)` and `coin(p)`, computes sums and multiples,
compares, chooses with `argmax`, loops, and returns or yields outputs.  Nothing reads its text: it
is run, once for each path.

>>> from ahdp_verify.laws import laplace
>>> @noise_program(parameters={"eps": "eps > 0", "T": ""})
... def above(queries, eps, T, c=1):
...     rho, left = laplace(2 / eps), c
...     for q in queries:
...         if q + laplace(4 * c / eps) >= T + rho:
...             yield True
...             left -= 1
...             if left == 0:
...                 return
...         else:
...             yield False
>>> print(above(c=2).program().name, len(above(c=2).program().states))
above(c=2) 2
>>> above.run_on([1, 0, 3], [0.5, -1.25, 0, 0], eps=1, T=2)
[False, False, True]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from types import FunctionType, MappingProxyType
from typing import Any, overload

from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.declarations import (
    NamedConditions,
    declared_conditions,
    exact_expression,
)
from ahdp_verify.kernel.model.domain import Domain
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.terms.exact import rational
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.programs.bytecode import check_code, check_methods
from ahdp_verify.programs.fixed import Request, program_on
from ahdp_verify.programs.loop import program_on_any_number
from ahdp_verify.programs.numbers import DrawnRun, GivenRun, Real, as_float, generator
from ahdp_verify.programs.running import Function, result_of
from ahdp_verify.programs.words import Drawing, drawing_with

OWN_OPTIONS = ("queries", "inputs", "answers", "size", "rng", "noises")
Option = bool | int | str | Fraction | None


@dataclass(frozen=True, slots=True)
class NoiseProgram:
    """A function as a noise program; `options` are those that differ from its defaults, `whole`
    says that the query answers are whole numbers.
    """

    function: Callable[..., Any]
    parameters: NamedConditions
    whole: bool = False
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """The name of the function, with its options: above(c=2)."""
        listed = ", ".join(f"{key}={_option_text(value)}" for key, value in self.options)
        return f"{self.function.__name__}({listed})" if listed else self.function.__name__

    def __str__(self) -> str:
        return self.name

    def __call__(self, *arguments: object, **options: Any) -> NoiseProgram:
        """The same program with these options; BadInput for what is none."""
        if arguments:
            raise BadInput(
                self.name,
                "a noise program is not called with query answers",
                "use .sample(answers, ...) to run it, .program(...) to see it",
            )
        known = self._defaults()
        for key, value in options.items():
            if key not in known:
                raise BadInput(
                    self.name,
                    f"it has no option {key[:40]}",
                    closest(key, list(known), "the options are") if known else "it has none",
                )
            _check_option(self.name, key, value)
        given = {**dict(self.options), **options}
        kept = tuple((k, given[k]) for k in known if k in given and not _same(given[k], known[k]))
        return replace(self, options=kept)

    def program(
        self,
        queries: int | None = None,
        *,
        inputs: Domain | None = None,
        answers: Sequence[object] = (),
        **options: Any,
    ) -> Program:
        """The kernel's program: for any number of queries (None) or for so many or, with the
        records of a domain as inputs, for answers such as "count(x == 1)" computed from them.

        Raises BadInput, with the cure, for what the function does that no such program can.
        """
        if options:
            return self(**options).program(queries, inputs=inputs, answers=answers)
        request = self._request()
        check_code(self.function, self.name, any_number=queries is None and inputs is None)
        if inputs is not None and queries is not None:
            raise BadInput("queries", "the answers are listed", "leave the number out")
        if inputs is not None:
            found = program_on(RecordAnswers(inputs, tuple(map(_answer, answers))), request)
        elif queries is None:
            found = program_on_any_number(request, Answers(None, self.whole))
        else:
            found = program_on(Answers(queries, self.whole), request)
        check_methods(self.function, self.name)
        return found

    def answering(self, queries: int | None) -> tuple[Program, int | None]:
        """The program of a claim about so many queries, and how many of any number of them the
        claim is about: the program for any number, where there is one.
        """
        if queries is not None:
            try:
                return self.program(), queries
            except BadInput:
                return self.program(queries), None
        return self.program(), None

    @property
    def source(self) -> str:
        """The text of the function; BadInput where Python has not kept it."""
        try:
            return inspect.getsource(self.function)
        except (OSError, TypeError):
            raise BadInput(
                self.name, "its source is not known", "write the function in a file"
            ) from None

    @property
    def source_digest(self) -> str:
        """The SHA-256 of the text of the function, in hexadecimal."""
        return sha256(self.source.encode()).hexdigest()

    def sample(
        self,
        answers: Sequence[object],
        size: int | None = None,
        rng: object = None,
        **parameters: object,
    ) -> Any:
        """Outputs of real runs of the function: a list of so many, or of one run for no size.

        answers     the query answers, numbers
        rng         a NumPy generator, a seed, or None for a new one
        parameters  exact values of all parameters, and options
        An output is the list of what the function yields, or what it returns.  For many draws at
        once see `ahdp_verify.sampling.programs`.
        """
        drawing = DrawnRun(generator(rng))
        runs = 1 if size is None else size
        found = [self._real(drawing, answers, parameters) for _ in range(runs)]
        return found[0] if size is None else found

    def run_on(
        self, answers: Sequence[object], noises: Sequence[float], **parameters: object
    ) -> Any:
        """The output of the function when its noises are these, in the order of drawing."""
        return self._real(GivenRun(noises), answers, parameters)

    def _real(
        self, drawing: Drawing, answers: Sequence[object], given: Mapping[str, object]
    ) -> Any:
        names = [key for key, _ in self.parameters]
        for key in names:
            if key not in given:
                raise BadInput(self.name, f"the parameter {key} has no value", f"give {key}=...")
        program = self(**{key: value for key, value in given.items() if key not in names})
        values = {key: rational(given[key], key) for key in names}
        function = Function(self.function, program.name)
        listed_answers = [Real(as_float(answer)) for answer in answers]
        with drawing_with(drawing):
            return result_of(function, (listed_answers,), {**values, **dict(program.options)})

    def _request(self) -> Request:
        missing = [key for key, default in self._given().items() if default is inspect._empty]
        if missing:
            raise BadInput(
                self.name, f"the option {missing[0]} has no value", f"give {missing[0]}=..."
            )
        return Request(Function(self.function, self.name), self.parameters, self._given())

    def _given(self) -> dict[str, Any]:
        return {**self._defaults(), **dict(self.options)}

    def _defaults(self) -> dict[str, Any]:
        return dict(_options_of(self.function, self.parameters))


@overload
def noise_program(function: Callable[..., Any], /) -> NoiseProgram: ...
@overload
def noise_program(
    *, parameters: Mapping[str, object] = ..., whole: bool = False
) -> Callable[[Callable[..., Any]], NoiseProgram]: ...
def noise_program(
    function: Callable[..., Any] | None = None,
    /,
    *,
    parameters: Mapping[str, object] = MappingProxyType({}),
    whole: bool = False,
) -> NoiseProgram | Callable[[Callable[..., Any]], NoiseProgram]:
    """What makes a noise program of a function; or, written without parentheses, the program of a
    function without parameters.

    parameters  the arguments that stand for any number, each with a condition such as "eps > 0",
                "" for none
    whole       the query answers are whole numbers
    Raises BadInput for an argument that is declared and not there, and for a default of an option
    that is not a number, a text, a truth value, None, or a tuple of them.
    """
    declared = declared_conditions(parameters, "parameters")

    def wrap(function: Callable[..., Any]) -> NoiseProgram:
        _check_signature(function, [key for key, _ in declared])
        return NoiseProgram(function, declared, whole)

    return wrap if function is None else wrap(function)


@lru_cache(maxsize=256)
def _options_of(
    function: Callable[..., Any], parameters: NamedConditions
) -> tuple[tuple[str, Any], ...]:
    """The options of a function with their defaults."""
    names = {key for key, _ in parameters}
    listed = list(inspect.signature(function).parameters.values())[1:]
    return tuple((p.name, p.default) for p in listed if p.name not in names)


def _check_signature(function: Callable[..., Any], declared: list[str]) -> None:
    where = getattr(function, "__name__", str(function)[:40])
    if not isinstance(function, FunctionType) or inspect.iscoroutinefunction(function):
        raise BadInput(where, "it is not a plain function", "write it with def")
    listed = list(inspect.signature(function).parameters.values())
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.POSITIONAL_ONLY) for p in listed):
        raise BadInput(where, "its arguments are not all named", "leave out *, ** and /")
    if not listed or listed[0].name in declared:
        raise BadInput(
            where, "its first argument is not the query answers", f"write def {where}(queries, ...)"
        )
    names = [p.name for p in listed[1:]]
    for key in declared:
        if key not in names:
            raise BadInput(
                where,
                f"the parameter {key} is not among its arguments",
                closest(key, names, "they are"),
            )
    for p in listed[1:]:
        if p.name in OWN_OPTIONS:
            raise BadInput(where, f"an argument is called {p.name}", "rename it")
        if p.name not in declared and p.default is not p.empty:
            _check_option(where, p.name, p.default)


def _check_option(where: str, key: str, value: object) -> None:
    if isinstance(value, tuple):
        for part in value:
            _check_option(where, key, part)
    elif isinstance(value, float):
        raise BadInput(where, f"the option {key} is a float", "give a whole number or a Fraction")
    elif not isinstance(value, Option):
        raise BadInput(
            where,
            f"the option {key} is a {type(value).__name__}",
            "give a number, a text, a truth value, None, or a tuple of them",
        )


def _same(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b


def _option_text(value: object) -> str:
    return str(value) if isinstance(value, Fraction) else repr(value)


def _answer(given: object) -> Expression:
    return parse(given, "answers") if isinstance(given, str) else exact_expression(given, "answers")
