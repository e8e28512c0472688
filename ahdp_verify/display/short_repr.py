"""What `repr` gives: one line of at most 80 characters that says what an object is.

The text itself, which `print` shows, may be long; a proof is a tree of thousands of nodes.  Answers
of the packages to the right use `short_repr` in their classes; for the classes of the kernel, which
has no code for display, `ahdp_verify/display/notebook.py` attaches it.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Answer:
...     value: int
...     steps: tuple[int, ...] = ()
...     __repr__ = short_repr
>>> Answer(7, (1, 2, 3)), Answer(7)
(Answer(value=7, steps=(3 items)), Answer(value=7))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from typing import Any

from ahdp_verify.kernel.terms.printing import one_line

LONGEST = 80
SHORTEST = 24  # characters of a field at which it is cut


def short_repr(value: Any) -> str:
    """The type, with the title of the value, or the first line of its text, or its fields."""
    title = getattr(value, "title", None)
    if isinstance(title, str):
        return named_repr(value, title)
    if any("__str__" in vars(kind) for kind in type(value).__mro__[:-1]):
        return named_repr(value, str(value))
    return _call(value, _fields(value))


def named_repr(value: Any, name: str, *more: str) -> str:
    """The type, with a name or another text in quotes, cut if it is long, and what else is said.

    >>> named_repr(1, "x" * 100, "2 outputs")
    "int('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...', 2 outputs)"
    """
    room = LONGEST - len(_call(value, ", ".join(("", *more))))
    return _call(value, ", ".join((quoted_and_cut(name, room), *more)))


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "output"), counted(2, "output")
    ('1 output', '2 outputs')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def cut(text: str, room: int) -> str:
    """A text on one line, cut if it is long.

    >>> cut("(1, 2)", 5), cut("(1, 2)", 6)
    ('(1...', '(1, 2)')
    """
    line = one_line(text, LONGEST)
    return line if len(line) <= room else f"{line[: room - 3]}..."


def quoted_and_cut(text: str, room: int) -> str:
    """The first line of a text in quotes, with invisible characters written as escapes."""
    line = repr(next(iter(text.splitlines()), "")[:LONGEST])
    if len(line) <= room and text[:LONGEST] == text:
        return line
    return f"{line[: max(1, room - 4)]}...{line[0]}"


def _call(value: Any, arguments: str) -> str:
    """The type as if it were called."""
    return f"{type(value).__name__}({arguments})"


def _fields(value: Any) -> str:
    """The fields of a dataclass that have not their default value, as many as there is room for."""
    if not is_dataclass(value):
        return "..."
    shown = [f"{f.name}={_part(getattr(value, f.name))}" for f in fields(value) if _told(f, value)]
    text = ", ".join(shown)
    while shown and len(_call(value, text)) > LONGEST:
        shown.pop()
        text = ", ".join((*shown, "..."))
    return text


def _told(field: Field[Any], value: Any) -> bool:
    """Whether a field is shown: not the default value, and not a function."""
    found, usual = getattr(value, field.name), field.default
    if not field.repr or callable(found) or found is usual:
        return False
    if isinstance(found, tuple) and isinstance(usual, tuple) and not found:
        return bool(usual)
    plain = isinstance(found, str | int | float)  # expressions and arrays are not compared
    return not (plain and type(found) is type(usual) and found == usual)


def _part(value: Any) -> str:
    """One field, without what is in it."""
    if value is None or isinstance(value, bool | int | float):
        return repr(value) if len(repr(value)) <= SHORTEST else f"{repr(value)[:SHORTEST]}..."
    if isinstance(value, str):
        return quoted_and_cut(value, SHORTEST)
    if isinstance(value, tuple | list | Mapping | set | frozenset):
        return f"({counted(len(value), 'item')})"
    text = one_line(str(value), LONGEST)
    return text if len(text) <= SHORTEST else f"{type(value).__name__}(...)"
