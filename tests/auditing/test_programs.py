"""Draws of commands, Python functions and files; every mistake names the place and the cure."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from ahdp_verify import BadInput
from ahdp_verify.auditing.programs import (
    as_columns,
    draws_of_function,
    load_function,
    read_draw_file,
    read_draw_table,
    run_command,
)

ECHO = """
import json, sys
given = json.loads(sys.stdin.readline())
print(json.dumps([given, sys.argv[1:]]))
"""


@pytest.fixture
def echo(tmp_path: Path) -> str:
    path = tmp_path / "echo program.py"
    path.write_text(ECHO)
    return f"{sys.executable} '{path}'"


def test_a_command_gets_the_input_twice(echo: str) -> None:
    printed = json.loads(run_command(echo, "1,0", [("a", 1), ("b", math.inf)], 5, 60))
    assert printed == [{"input": [["a", 1], ["b", "oo"]], "size": 5}, ["1,0", "5"]]


def test_placeholders_say_where_the_input_goes(echo: str) -> None:
    assert json.loads(run_command(f"{echo} --n={{size}} {{at}}", "3; rm", 3, 5, 60))[1] == [
        "--n=5",
        "3; rm",
    ]


def test_no_shell_reads_the_command(echo: str) -> None:
    assert json.loads(run_command(f"{echo} $HOME ; ls > x", "3", 3, 5, 60))[1] == [
        *("$HOME", ";", "ls", ">", "x", "3", "5")
    ]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "--run: it is empty"),
        ("python 'x", "--run: it is not a command"),
        ("no-such-program-here", "it cannot be started"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"no budget\")'", "exit code 1: no budget"),
        (f"{sys.executable} -c 'import time; time.sleep(9)'", "did not end within 0.5 s at 3"),
        (f"{sys.executable} -c 'print(chr(56320))'", "exit code 1|not UTF-8"),
    ],
)
def test_a_command_that_fails_is_reported(command: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        run_command(command, "3", 3, 5, 0.5)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("1\n2.5\n", {"s": [1.0, 2.5]}),
        ("s\n1\n\n2\n", {"s": [1.0, 2.0]}),
        ("NULL\n1e3\n", {"s": ["NULL", 1000.0]}),
        ("s\ns\n", {"s": ["s"]}),
        ("", {"s": []}),
    ],
)
def test_a_table_of_draws(text: str, columns: dict[str, list[Any]]) -> None:
    assert read_draw_table(text, ["s"], "a.csv") == columns


def test_a_label_that_looks_like_a_number_stays_a_label() -> None:
    assert read_draw_table("1\n2\n", ["s"], "x", {"1"}) == {"s": ["1", 2.0]}


def test_a_head_gives_the_order_of_the_outputs() -> None:
    assert read_draw_table("b, a\n1,2\n", ["a", "b"], "x") == {"a": [2.0], "b": [1.0]}
    assert read_draw_table("1,2\n", ["a", "b"], "x") == {"a": [1.0], "b": [2.0]}


def test_a_line_of_another_width_is_named() -> None:
    with pytest.raises(BadInput, match=r"^a.csv, line 3: it has 1 values, and a draw has 2"):
        read_draw_table("a,b\n1,2\n3\n", ["a", "b"], "a.csv")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for path, said in ((tmp_path / "none", "cannot be read"), (tmp_path / "binary", "not UTF-8")):
        with pytest.raises(BadInput, match=said):
            read_draw_file(str(path), ["s"])


def one(value: float) -> float:
    return value + 1


def with_default(value: float, scale: float = 2) -> float:
    return value * scale


def many(value: float, count: int) -> list[float]:
    return [value] * count


def by_name(value: float, scale: float = 1, size: int = 1) -> list[float]:
    return [scale * value] * size


def pairs(value: float) -> tuple[float, float]:
    return value, -value


@pytest.mark.parametrize(
    ("function", "names", "columns"),
    [
        (one, ["s"], {"s": [4, 4]}),
        (with_default, ["s"], {"s": [6, 6]}),
        (many, ["s"], {"s": [3, 3]}),
        (by_name, ["s"], {"s": [3, 3]}),
        (pairs, ["a", "b"], {"a": [3, 3], "b": [-3, -3]}),
        (lambda value: {"b": 1, "a": value}, ["a", "b"], {"a": [3, 3], "b": [1, 1]}),
        (lambda value, n: {"s": [value] * n}, ["s"], {"s": [3, 3]}),
    ],
)
def test_how_a_function_is_called(function: Any, names: list[str], columns: Any) -> None:
    assert draws_of_function(function, names)(3, 2) == columns


def failing(value: float) -> float:
    raise ZeroDivisionError("no noise left")


@pytest.mark.parametrize(
    ("function", "names", "said"),
    [
        (failing, ["s"], "failed with ZeroDivisionError: no noise left"),
        (lambda value, size: 3.0, ["s"], "returned a float for all draws"),
        (one, ["a", "b"], "a draw is not a tuple of 2 values"),
    ],
)
def test_a_function_that_fails_is_reported(function: Any, names: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        draws_of_function(function, names)(3, 2)


def test_what_a_function_prints_is_not_part_of_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    draws_of_function(lambda value: print("drawing") or value, ["s"])(3, 2)
    assert capsys.readouterr() == ("", "drawing\ndrawing\n")


def test_columns_are_taken_as_they_are() -> None:
    assert as_columns({"s": (1, 2)}, ["s"]) == {"s": (1, 2)}


def test_a_function_is_named_by_its_module_or_its_file(tmp_path: Path) -> None:
    (tmp_path / "noise.py").write_text("def draw(value):\n    return value\n")
    assert load_function(f"{tmp_path / 'noise.py'}:draw")(3) == 3
    assert load_function("math:floor") is math.floor


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("math", "names no function"),
        ("math:none", "math defines no function none"),
        ("math:pi", "math defines no function pi"),
        ("no.such.module:f", "loading it failed with ModuleNotFoundError"),
        ("no-such-file.py:f", "loading it failed with FileNotFoundError"),
    ],
)
def test_a_function_that_is_not_there(target: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        load_function(target)
