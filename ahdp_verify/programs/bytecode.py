"""What has to hold of the code of a noise program, since running it cannot show it.

A loop over any number of queries is understood by reading the local variables where it waits for
the next query.  So nothing may be kept anywhere else: the loop is a plain `for` statement of the
function itself, outside of other `for` loops, `try` and `with`, and the function changes no global,
no variable of an enclosing function and no attribute, and reads no global that could change.

The rules look at the names of instructions alone, as `dis` shows them for CPython 3.11 to 3.13,
specialised and instrumented instructions as the plain ones.

>>> def program(queries, eps):
...     for q in queries:
...         yield q
>>> WaitingPlace.of(program.__code__, place_of(program.__code__, "GET_ITER"), "program").start > 0
True
"""

from __future__ import annotations

import dis
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from inspect import getmro
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import Arithmetic
from ahdp_verify.programs.amount import Amount

FILLER = ("CACHE", "EXTENDED_ARG", "NOP")
PASSING = ("PRECALL", "KW_NAMES", "LOAD_CONST", "LOAD_FAST", "LOAD_DEREF", "LOAD_GLOBAL")
INLINED = "LOAD_FAST_AND_CLEAR"  # begins a list of a comprehension, as of CPython 3.12
COLLECTED = ("<listcomp>", "<setcomp>", "<dictcomp>")
GUARDED = ("PUSH_EXC_INFO", "BEFORE_WITH", "BEFORE_ASYNC_WITH")
WRITES = {
    "STORE_GLOBAL": "a global variable",
    "DELETE_GLOBAL": "a global variable",
    "STORE_ATTR": "an attribute",
    "DELETE_ATTR": "an attribute",
}
SETS = ("BUILD_SET", "SET_ADD", "SET_UPDATE")
GENERATED = "<string>"  # where the methods that a dataclass is given come from
MATCHES = ("MATCH_SEQUENCE", "MATCH_MAPPING")  # which a stream of queries never is
READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_METHOD")
CHANGING = (
    *("random", "secrets", "time", "datetime", "uuid", "os", "sys", "threading", "statistics"),
    *("io", "_io", "codecs", "tempfile", "pathlib", "shutil", "socket", "subprocess", "platform"),
)
DRAWING = ("ahdp_verify.sampling", "ahdp_verify.auditing")  # outside of the program
REFLECTING = (
    *("exec", "eval", "compile", "__import__", "globals", "locals", "vars", "dir"),
    *("setattr", "delattr", "input", "open", "id", "hash"),
)
ASKING = ("isinstance", "issubclass", "type", "callable", "getattr", "hasattr", "attrgetter")
ANSWERED = ("__init__", "__getitem__", "__len__", "__contains__", "__iter__", "__next__")
SAYING = ("print", "logging", "warnings")  # what they write is seen, and is no output
PLAIN = (int, str, Fraction, type(None), Arithmetic)  # what does not change
LIBRARY = sys.stdlib_module_names - {"__main__"}  # trusted to keep nothing, but for `CHANGING`
MEMBERS = (  # how methods, and places of instances, are found in a class
    *(FunctionType, MethodDescriptorType, ClassMethodDescriptorType, WrapperDescriptorType),
    *(MemberDescriptorType, GetSetDescriptorType),
)
PLAIN_TYPES = ("builtins", "fractions")  # modules whose classes keep nothing
OWN = "ahdp_verify."
PROGRAM = "ahdp_verify.programs.noise_program"
GIVE_NUMBER = "give the number of queries"
RETURN_IT = "write return argmax(... for q in queries)"


def steps(code: CodeType) -> list[dis.Instruction]:
    """The instructions of a code object without what only fills places."""
    return [step for step in dis.get_instructions(code) if step.opname not in FILLER]


def place_of(code: CodeType, name: str) -> int:
    """The place of the first instruction of a name."""
    return next(step.offset for step in steps(code) if step.opname == name)


@dataclass(frozen=True, slots=True)
class WaitingPlace:
    """Where a `for` statement takes its next element: from `start` to before `end`."""

    start: int
    end: int

    @classmethod
    def of(cls, code: CodeType, offset: int, where: str) -> WaitingPlace:
        """The place that belongs to the instruction at an offset, at which iteration begins;
        BadInput unless it begins a `for` statement whose iterator is all that waits.
        """
        listed = steps(code)
        at = [i for i, step in enumerate(listed) if step.offset <= offset][-1]
        if listed[at].opname != "GET_ITER" or listed[at + 1].opname != "FOR_ITER":
            raise BadInput(
                where,
                "it goes over any number of queries otherwise than by a for statement",
                f"write for q in queries: without enumerate, zip or a list, or {GIVE_NUMBER}",
            )
        loop = listed[at + 1]
        if any(
            step.opname == "FOR_ITER" and step.offset < loop.offset < step.argval for step in listed
        ):
            raise BadInput(
                where, "the loop over the queries is inside another for loop", "use one loop"
            )
        return cls(listed[at].offset + 1, listed[at + 2].offset)


def begins_contest(code: CodeType, offset: int, where: str) -> bool:
    """Whether the iteration that begins at an offset is that of a generator expression, which the
    function hands to a call whose result it returns at once, and does nothing else with; BadInput
    for what looks like it and is something else.
    """
    listed = steps(code)
    at = [i for i, step in enumerate(listed) if step.offset <= offset][-1]
    if listed[at].opname != "GET_ITER":
        return False
    made = [s.argval.co_name for s in listed[:at] if isinstance(s.argval, CodeType)][-1:]
    after = [step.opname for step in listed[at + 1 :] if step.opname not in PASSING]
    called = after[0].startswith("CALL")
    if after[0] == INLINED or (called and made and made[0] in COLLECTED):
        raise BadInput(
            where,
            "it collects its queries in a list",
            f"{RETURN_IT}, without a list, or {GIVE_NUMBER}",
        )
    if not called or made != ["<genexpr>"]:
        return False
    if not after[1].startswith("CALL") or after[2:3] != ["RETURN_VALUE"]:
        raise BadInput(
            where,
            "it does something else with a generator over its queries than return argmax of it",
            f"{RETURN_IT}, or {GIVE_NUMBER}",
        )
    return True


def keeps_nothing(value: Any, seen: tuple[int, ...] = ()) -> bool:
    """Whether a local value of a function that `check_code` accepts stays what it is however often
    it is used: a constant, or a function that keeps only such values.
    """
    if isinstance(value, tuple | frozenset):
        return all(keeps_nothing(part, seen) for part in value)
    if isinstance(value, FunctionType):
        kept = [*_held(value), *_defaults(value)]
        return id(value) in seen or all(keeps_nothing(part, (*seen, id(value))) for _, part in kept)
    plain = isinstance(value, (*PLAIN, float, range, Amount))
    return plain or (isinstance(value, BuiltinFunctionType | type) and _is_fixed(value))


def check_code(function: Callable[..., Any], where: str, *, any_number: bool) -> None:
    """BadInput if a function, or one that it calls by a global name, writes to what other runs see;
    with `any_number` of queries also if it reads what could change.
    """
    if not isinstance(function, FunctionType):
        raise BadInput(where, f"it is a {type(function).__name__}", "write a plain function")
    _check(function, where, any_number, set())


def _check(function: FunctionType, where: str, strict: bool, seen: set[int]) -> None:
    seen.add(id(function))
    for code in _codes(function.__code__):
        for step in dis.get_instructions(code):
            _check_step(step, code, where)
            if strict and step.opname in MATCHES:
                raise BadInput(where, "it matches a list", "compare its parts, or use if")
        _check_identity(steps(code), where)
        _check_order(steps(code), where)
    for key, value in _reachable(function):
        _check_value(key, value, where, strict)
        if isinstance(value, FunctionType) and id(value) not in seen and not _is_trusted(value):
            _check(value, where, strict, seen)


def check_methods(function: Callable[..., Any], where: str) -> None:
    """The same for the methods of classes, which runs of the function may also find out."""
    todo, seen = [function], set[int]()
    while todo:
        reached = todo.pop()
        if not isinstance(reached, FunctionType) or id(reached) in seen or _is_trusted(reached):
            continue
        seen.add(id(reached))
        for _, value in _reachable(reached):
            for method in _methods(value):
                if not _is_trusted(method):
                    _check(method, where, False, seen)
            todo.append(value)


def _methods(value: Any) -> Iterator[FunctionType]:
    """The methods that a class is written with, and those of classes that it inherits or holds."""
    for _, part in _attributes(value) if isinstance(value, type) else ():
        method = getattr(part, "__func__", getattr(part, "fget", part))
        if isinstance(method, FunctionType):
            written = getattr(method, "__wrapped__", method)
            if written.__code__.co_filename != GENERATED:
                yield method
        elif method is not value:
            yield from _methods(method)


def _attributes(value: type) -> Iterator[tuple[str, Any]]:
    """The attributes of a class and of those that it inherits, but for classes that keep
    nothing.
    """
    for owner in dict.fromkeys((*getmro(value), *getmro(type(value)))):
        if not _is_fixed(owner):
            yield from vars(owner).items()


def _is_trusted(function: FunctionType) -> bool:
    home = function.__module__ or ""
    return home.startswith(OWN) or home.partition(".")[0] in LIBRARY


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _check_step(step: dis.Instruction, code: CodeType, where: str) -> None:
    written = WRITES.get(step.opname)
    if step.opname in ("STORE_DEREF", "DELETE_DEREF") and step.argval in code.co_freevars:
        written = "a variable of an enclosing function"
    if written:
        raise BadInput(
            where, f"it changes {written}, {step.argval}", "keep values in local variables"
        )
    if step.opname == "IMPORT_NAME":
        raise BadInput(
            where, f"it imports {step.argval} while it runs", "import it at the top of the file"
        )
    if step.opname in GUARDED:  # a number that is verified raises other errors than a float
        raise BadInput(where, "it uses try or with", "leave them out, and compare values")
    if step.opname == "MATCH_CLASS" or (step.opname in READS and _is_asking(step)):
        raise _asking(where)


def _is_asking(step: dis.Instruction) -> bool:
    """Whether what is read may tell a float from a number that is verified."""
    key = str(step.argval)
    own = step.opname in ("LOAD_ATTR", "LOAD_METHOD") and key.startswith("__")
    return key in ASKING or (own and key not in ANSWERED)


def _asking(where: str) -> BadInput:
    return BadInput(
        where,
        "it asks what type a value has, which is another one when it is verified",
        "compare values, or decide by an option",
    )


def _check_identity(listed: list[dis.Instruction], where: str) -> None:
    """BadInput if `is` compares something with anything but None, True and False: whether two
    equal numbers are one object differs from real runs.
    """
    for before, step in itertools.pairwise(listed):
        known = before.opname == "LOAD_CONST" and type(before.argval) in (type(None), bool)
        if step.opname == "IS_OP" and not known:
            raise BadInput(where, "it asks whether two values are one object", "compare with ==")


def _check_order(listed: list[dis.Instruction], where: str) -> None:
    """BadInput if a set is made or gone through, since the order of its texts differs from process
    to process.
    """
    for step, after in itertools.pairwise(listed):
        gone_through = isinstance(step.argval, frozenset) and after.opname == "GET_ITER"
        named = step.opname in READS and step.argval in ("set", "frozenset")
        if gone_through or named or step.opname in SETS:
            raise BadInput(where, "it uses a set, which has no order", "use a tuple or a list")


def _reachable(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What it reads by global names and their attributes, from enclosing functions, as defaults,
    and the parts of tuples among that.
    """
    for key, value in _read(function):
        yield from _with_parts(key, value)


def _with_parts(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    yield key, value
    for part in value if isinstance(value, tuple | frozenset) else ():
        yield from _with_parts(key, part)


def _read(function: FunctionType) -> Iterator[tuple[str, Any]]:
    for code in _codes(function.__code__):
        listed = [step for step in steps(code) if step.opname not in ("PUSH_NULL", "PRECALL")]
        for i, step in enumerate(listed):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                yield from _global(function, step.argval, listed[i + 1 :])
    yield from _held(function)
    yield from _defaults(function)


def _held(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What it reads from enclosing functions."""
    for key, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield key, cell.cell_contents
        except ValueError:  # it is not set yet
            yield key, _Unseen()


def _defaults(function: FunctionType) -> Iterator[tuple[str, Any]]:
    yield from (function.__kwdefaults__ or {}).items()
    yield from (("a default", value) for value in function.__defaults__ or ())


def _global(
    function: FunctionType, key: str, following: list[dis.Instruction]
) -> Iterator[tuple[str, Any]]:
    """A global name, and what is taken from it if it is a module or a function; of another noise
    program, its function.
    """
    if key not in function.__globals__:
        yield key, None  # a word of Python itself
        return
    value = function.__globals__[key]
    for step in (*following, None):
        takes = step is not None and step.opname in ("LOAD_ATTR", "LOAD_METHOD")
        taken = str(step.argval) if step is not None and takes else ""
        of_program = taken == "function" and type(value).__module__ == PROGRAM
        if not of_program:
            yield key, value
        if not taken or not (of_program or isinstance(value, ModuleType | FunctionType)):
            break
        key, value = f"{key}.{taken}", getattr(value, taken, None)
    if isinstance(value, ModuleType):
        yield key, _Unseen()  # it is passed on, and what is taken from it is not seen


class _Unseen:
    """Something of which it is not known what it keeps."""


def _check_value(key: str, value: Any, where: str, strict: bool) -> None:
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    if str(home) in ("builtins", "operator", "_operator"):  # under whatever name it is read
        key = getattr(value, "__name__", key)
        if key in ASKING:
            raise _asking(where)
    if key in SAYING or str(home).partition(".")[0] in SAYING:
        raise BadInput(
            where,
            f"it uses {key}, and what that writes is not among its outputs",
            "yield or return what is released, and leave the rest out",
        )
    if str(home).partition(".")[0] == "numpy":
        raise BadInput(
            where,
            f"it uses {key} of NumPy, which rounds and draws on its own",
            "use numbers, argmax, sorted and the words of this package",
        )
    changing = str(home).partition(".")[0] in CHANGING or str(home).startswith(DRAWING)
    if key in REFLECTING or changing:
        raise BadInput(
            where,
            f"it uses {key}, which may differ from run to run",
            "use laplace, coin and the other words of this package",
        )
    if not (_is_fixed(value) or (not strict and _is_constant_class(value))):
        kind = "module or variable" if isinstance(value, _Unseen) else type(value).__name__
        raise BadInput(
            where,
            f"{key} is a {kind}, which could keep something between {'queries' if strict else 'runs'}",
            "pass what it needs as an option, a number, a text or a tuple of them",
        )


def _is_constant_class(value: Any) -> bool:
    """Whether it is a class whose attributes, inherited ones too, are methods and what stays as it
    is.
    """
    return isinstance(value, type) and all(
        _stays(part) for key, part in _attributes(value) if not key.startswith(("__", "_abc_"))
    )


def _stays(part: Any) -> bool:
    """Whether an attribute of a class is a method, a place of its instances, or does not change."""
    inside = getattr(part, "__func__", getattr(part, "fget", part))
    return isinstance(inside, MEMBERS) or _is_fixed(inside) or _is_constant_class(inside)


def _is_fixed(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_fixed, value))
    if isinstance(value, BuiltinFunctionType):
        return value.__self__ is None or isinstance(value.__self__, ModuleType)
    if isinstance(value, type):
        return value.__module__.partition(".")[0] in (*PLAIN_TYPES, OWN.rstrip("."))
    return isinstance(value, (*PLAIN, float, ModuleType, FunctionType))
