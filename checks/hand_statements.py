"""Forged statements: expressions that have no value, or none that is known."""

from __future__ import annotations

from collections.abc import Iterator

from forge import Record, sealed
from hand_parts import COUNT, DEEP, NO_MASS, STRANGE, TRUE, Q, refuted_statement, statement


def statements() -> Iterator[Record]:
    for e in (*STRANGE, DEEP):
        for unknowns in ([["q", TRUE]], [["q", ["<", "0", Q]]]):
            yield statement(e, "==", e, unknowns)
        yield statement("0", "<=", e, [["q", TRUE]], gaps=1)
        yield statement("1", "==", "1", [["q", e]])
        yield statement("1", "==", "1", [["q", ["<=", e, "1"]]])
        yield refuted_statement("1", "<=", "0", [["q", TRUE]], [["q", {"e": e}]])
        yield refuted_statement(e, "<=", ["+", e, "-1"], [["q", TRUE]], [["q", {"e": "1"}]])
    for relation in ("<", "<=", "==", "!=", "=", ">", "", None):
        yield statement("1", relation, "1", [])
        yield statement("2", relation, "1", [], gaps=1)
        yield statement("1", relation, "2", [], gaps=1, form="direct")
        yield refuted_statement("1", relation, "1", [], [])
        yield refuted_statement("1", relation, "2", [], [])
    for unknowns in (
        [["q", TRUE], ["q", TRUE]],
        [["q[1]", TRUE]],
        [["q[2]", TRUE]],
        [["exp", TRUE]],
        [["@1", TRUE]],
        [["pi", TRUE]],
        [["eps", TRUE]],
        [["q", ["<", Q, ["name", "zz"]]]],
        [["q", ["label", "a"]]],
        [["q", ["==", Q, ["label", "a"]]]],
        [["q", ["<", COUNT, "1"]]],
        [["q"]],
        [[1, TRUE]],
        {},
        None,
    ):
        yield statement("1", "==", "1", unknowns)
    for values in (
        [],
        [["q", {"e": "1"}], ["q", {"e": "1"}]],
        [["r", {"e": "1"}]],
        [["q", {"e": "-1"}]],
        [["q", {"e": Q}]],
        [["q", {"e": ["label", "a"]}]],
        [["q", "1"]],
        None,
        {},
    ):
        yield refuted_statement(Q, "<=", "0", [["q", ["<=", "0", Q]]], values)
    yield {
        **sealed(
            {
                **refuted_statement("1", "<=", "0", [], []),
                "mass": {"counts": False, "mass": NO_MASS},
            }
        )
    }
