"""Small claims of every kind, from which records are forged: true ones with short proofs, and false
ones.

A document is the content of a TOML file. The search is run on the false ones while a check is
disabled: what the weakened checker then accepts is a record that only this check stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

Table = dict[str, Any]
BIT = [{"name": "s", "kind": "finite", "values": ["0", "1"]}]
ONE = [{"name": "s", "kind": "finite", "values": ["0"]}]
REAL = [{"name": "s", "kind": "real"}]
WHOLE = [{"name": "s", "kind": "integer"}]
TWO = [{"name": "s", "kind": "real"}, {"name": "r", "kind": "real"}]
YES_NO = {"values": ["yes", "no"]}
PAIR = {"records": [["0", "1"], ["1", "1/2"]]}
VECTORS = {"records": [[["0", "1"], "1"], [["1", "1"], "oo"]]}
EVERY = {"universal": True, "unknowns": {"x": "0 <= x and x <= 1"}}
PUBLIC = {"universal": True, "unknowns": {"x": "0 <= x and x <= eps", "z": "z >= 0"}}
ANSWER, ANSWERS = {"queries": "1"}, {"queries": "2"}
LAPLACE = "exp(-abs(s - q[1]))/2"
COUNT = "exp(-abs(s - size))/2"
SUM = "exp(-abs(s - sum(x)))/2"
RESPONSE = (
    'piecewise((piecewise((2/3, s == 1), (1/3, true)), v == "yes"), (piecewise((1/3, s == '
    "1), (2/3, true)), true))"
)


def one(domain: Table, outputs: list[Table], density: str, claim: Table, **more: Any) -> Table:
    """A mechanism given by its density, and one claim; `more` goes into the mechanism or, if it
    is `parameters`, beside it.
    """
    parameters = {"parameters": more.pop("parameters")} if "parameters" in more else {}
    law = {"outputs": outputs, "density": density, **more}
    return {"format": 2, "domain": domain, **parameters, "mechanism": law, "claim": [claim]}


def says(relation: str, level: str = "0", **more: Any) -> Table:
    return {"relation": relation, "level": level, **more}


TRUE: tuple[Table, ...] = (
    one(YES_NO, ONE, "1", says("any")),
    one(YES_NO, BIT, RESPONSE, says("any", "log(2)")),
    one(YES_NO, BIT, RESPONSE, says("any", "0", delta="1/3")),
    one(
        {"values": ["1", "2", "log(2)"]},
        BIT,
        "piecewise((p, s == 0), (1 - p, true))",
        says("any", "v + other"),
        parameters={"p": "0 < p and p < 1"},
    ),
    one({"values": [["1", "2"], ["3", "4"]]}, ONE, "1", says("any", "abs(v[1] - other[2])")),
    one(ANSWER, REAL, LAPLACE, says("one", "1")),
    one(ANSWERS, REAL, LAPLACE, says("all", "1"), defined="q[1] <= q[2]"),
    one(ANSWERS, TWO, "exp(-abs(s - q[1]) - abs(r - q[2]))/4", says("one", "1")),
    one(
        ANSWER,
        REAL,
        "exp(-abs(s - q[1])/b)/(2*b)",
        says("increasing", "1/b"),
        parameters={"b": "b > 0"},
    ),
    one(ANSWERS, REAL, LAPLACE, says("decreasing", "1")),
    one(
        ANSWER,
        REAL,
        "0",
        says("one", "0"),
        atoms=[{"at": "0", "mass": "1/2"}, {"at": "1", "mass": "1/2"}],
    ),
    one(PAIR, ONE, "1", says("ahdp", "0")),
    one(PAIR, REAL, COUNT, says("add-remove", "1")),
    one(PAIR, REAL, COUNT, says("ahdp", "2*eps")),
    one(PAIR, REAL, SUM, says("swap", "1")),
    one(PAIR, REAL, "exp(-abs(s - maximum(x)))/2", says("ahdp", "2*eps"), defined="size >= 1"),
    one(
        PAIR,
        BIT,
        "piecewise((1/(1 + exp(min(size, 1)/2)), s == 0), (1 - 1/(1 + exp(min(size, 1)/2)), true))",
        says("ahdp"),
    ),
    one(
        PAIR,
        WHOLE,
        "piecewise((1/2, s == 0), (piecewise((1/2, s == 1), (0, true)), true))",
        says("ahdp", "0"),
    ),
    one(
        PAIR,
        WHOLE,
        "(1 - a)/(1 + a)*a^abs(s - size)",
        says("add-remove", "-log(a)"),
        parameters={"a": "0 < a and a < 1"},
    ),
    one(PAIR, REAL, "piecewise((1, s >= 0 and s <= 1), (0, true))", says("swap", "0", delta="1/2")),
    one(VECTORS, ONE, "1", says("ahdp", "x[1]"), defined="size <= 3"),
    one(VECTORS, REAL, "exp(-abs(s - sum(x[1])))/2", says("ahdp", "eps")),
    one(EVERY, REAL, SUM, says("ahdp", "x")),
    one(
        EVERY,
        REAL,
        "exp(-abs(s - sum(c*x)))/2",
        says("ahdp", "c*x"),
        parameters={"c": "0 <= c and c <= 1"},
    ),
    one(EVERY, ONE, "1", says("ahdp", "eps"), defined="size >= 2"),
    one(EVERY, REAL, SUM, says("swap", "1")),
    one(PUBLIC, REAL, SUM, says("ahdp", "eps")),
    one(PUBLIC, REAL, "exp(-abs(s - sum(z)))/2", says("hdp", "0", public=["z"])),
    one(PUBLIC, ONE, "1", says("hdp", "eps", delta="d"), parameters={"d": "0 <= d and d <= 1"}),
    one(PAIR, REAL, COUNT, says("hdp", "0")),
    one(PAIR, TWO, "exp(-abs(s - size))/2*exp(-abs(r - s))/2", says("add-remove", "1")),
    one(
        PAIR,
        [*BIT, *REAL[:0], {"name": "r", "kind": "finite", "values": ["a", "b"]}],
        'piecewise((1/2, s == 0), (1/2, true))*piecewise((1/3, r == "a"), (2/3, true))',
        says("ahdp", "0"),
    ),
)
FALSE: tuple[Table, ...] = (
    one(YES_NO, BIT, "1", says("any")),
    one(YES_NO, BIT, "piecewise((3/2, s == 0), (-1/2, true))", says("any")),
    one(YES_NO, BIT, "1/3", says("any")),
    one(YES_NO, BIT, RESPONSE, says("any", "log(2)/2")),
    one(YES_NO, BIT, RESPONSE, says("any", "0", delta="1/4")),
    one(YES_NO, BIT, RESPONSE, says("any", "-log(2)")),
    one(
        YES_NO,
        BIT,
        "piecewise((p, s == 0), (1 - p, true))",
        says("any"),
        parameters={"p": "p <= 1"},
    ),
    one(YES_NO, REAL, "piecewise((1, 0 <= s and s <= 2), (0, true))", says("any")),
    one(
        YES_NO,
        REAL,
        "piecewise((1 - s, 0 <= s and s <= 2), (0, true)) + piecewise((1, 0 <= s and s <= 1), (0, "
        "true))",
        says("any"),
    ),
    one(
        YES_NO,
        REAL,
        'piecewise((piecewise((1, 0 <= s and s <= 1), (0, true)), v == "yes"), (piecewise((1, 1 '
        "<= s and s <= 2), (0, true)), true))",
        says("any", "5"),
    ),
    one(YES_NO, REAL, "0", says("any"), atoms=[{"at": "0", "mass": "2"}]),
    one(
        YES_NO, REAL, "0", says("any"), atoms=[{"at": "0", "mass": "2"}, {"at": "1", "mass": "-1"}]
    ),
    one(
        YES_NO,
        REAL,
        "0",
        says("any", "1"),
        atoms=[
            {"at": "0", "mass": 'piecewise((1, v == "yes"), (0, true))'},
            {"at": "1", "mass": 'piecewise((0, v == "yes"), (1, true))'},
        ],
    ),
    one(
        YES_NO,
        WHOLE,
        "piecewise((1, s == 0), (0, true)) + piecewise((1, s == 1), (0, true))",
        says("any"),
    ),
    one(YES_NO, WHOLE, "2^(-s)", says("any")),
    one(YES_NO, TWO, "exp(-abs(s) - abs(r))/2", says("any")),
    one(YES_NO, TWO, "exp(-abs(s) - abs(r*s))/4", says("any")),
    one(ANSWER, REAL, LAPLACE, says("one", "1/2")),
    one(ANSWER, REAL, LAPLACE, says("one", "0", delta="1/3")),
    one(ANSWER, REAL, "exp(-(s - q[1])^2/2)/3", says("one", "1")),
    one(ANSWER, REAL, "exp(-abs(s - q[1])/b)/(2*b)", says("one", "1/b"), parameters={"b": ""}),
    one(ANSWER, REAL, "exp(-abs(s - q[1])/b)/(2*b)", says("one", "1"), parameters={"b": "b > 0"}),
    one(ANSWERS, REAL, "exp(-abs(s - q[1] - q[2]))/2", says("all", "1")),
    one(ANSWERS, TWO, "exp(-abs(s - q[1]) - abs(r - q[1]))/4", says("one", "1")),
    one(ANSWERS, REAL, "exp(-abs(s - q[1]/q[2]))/2", says("one", "1")),
    one(ANSWERS, REAL, "exp(-abs(s - log(q[1])))/2", says("one", "1")),
    one(PAIR, REAL, COUNT, says("ahdp", "eps")),
    one(PAIR, REAL, SUM, says("ahdp", "eps")),
    one(PAIR, REAL, SUM, says("swap", "1/2")),
    one(PAIR, REAL, "exp(-abs(s - maximum(x)))/2", says("ahdp", "2*eps")),
    one(PAIR, REAL, "exp(-abs(s - sum(x)/size))/2", says("ahdp", "2*eps")),
    one(PAIR, WHOLE, "piecewise((1, s == size), (0, true))", says("add-remove", "3")),
    one(PAIR, BIT, "piecewise((1, s == min(size, 1)), (0, true))", says("add-remove", "3")),
    one(PAIR, BIT, "piecewise((size, s == 0), (1 - size, true))", says("ahdp", "0")),
    one(
        PAIR,
        WHOLE,
        "(1 - a)/(1 + a)*a^abs(s - size)",
        says("add-remove", "-log(a)"),
        parameters={"a": "0 < a"},
    ),
    one(PAIR, REAL, COUNT, says("add-remove", "0", delta="1/10")),
    one(VECTORS, REAL, "exp(-abs(s - sum(x[1])))/2", says("ahdp", "x[1]/2")),
    one(EVERY, REAL, SUM, says("ahdp", "x/2")),
    one(EVERY, REAL, SUM, says("ahdp", "eps")),
    one(EVERY, REAL, "exp(-abs(s - sum(1/x)))/2", says("ahdp", "1/x")),
    one(EVERY, REAL, "exp(-abs(s - sum(c*x)))/2", says("ahdp", "c*x"), parameters={"c": ""}),
    one(PUBLIC, REAL, "exp(-abs(s - sum(z)))/2", says("hdp", "eps")),
    one(PUBLIC, REAL, SUM, says("swap", "1")),
    one(PAIR, REAL, SUM, says("hdp", "0")),
)
NOISE = {
    "outputs": [{"name": "n", "kind": "real"}],
    "density": "exp(-abs(n - size))/2",
    "level": "1",
}
LATER = {
    "outputs": [{"name": "s", "kind": "real"}],
    "density": "exp(-abs(s - n - sum(x)))/2",
    "level": "1",
}
COIN = {
    "outputs": [{"name": "n", "kind": "finite", "values": ["0", "1"]}],
    "density": "1/2",
    "level": "0",
}
GIVEN = {
    "assumed": True,
    "outputs": [{"name": "n", "kind": "finite", "values": ["0", "1"]}],
    "relation": "ahdp",
    "level": "eps",
}
SAMPLE = {"rule": "subsample", "of": ["a"], "inclusion_probability": "1/2"}


def made(domain: Table, parts: list[Table], claim: Table, **more: Any) -> Table:
    """A composite, the last part of which the claim is about."""
    return {"format": 2, "domain": domain, "part": parts, "claim": [claim], **more}


MADE_TRUE: tuple[Table, ...] = (
    made(PAIR, [{"name": "a", **GIVEN}], says("ahdp", "eps")),
    made(
        PAIR,
        [
            {"name": "a", **COIN},
            {"name": "b", "rule": "post_process", "of": ["a"], "formulas": {"t": "1 - n"}},
        ],
        says("ahdp", "0"),
    ),
    made(PAIR, [{"name": "a", **COIN}, {"name": "b", **SAMPLE}], says("ahdp", "0")),
    made(
        PAIR,
        [
            {"name": "a", **NOISE},
            {"name": "b", **LATER},
            {"name": "c", "rule": "compose", "of": ["a", "b"]},
        ],
        says("ahdp", "2"),
    ),
    made(
        PAIR,
        [
            {"name": "a", **GIVEN},
            {"name": "b", **COIN},
            {"name": "c", "rule": "mixture", "of": ["a", "b"], "weights": ["1/2", "1/2"]},
        ],
        says("ahdp", "eps"),
    ),
    made(
        PAIR,
        [
            {"name": "a", **GIVEN},
            {
                "name": "b",
                **COIN,
                "outputs": [{"name": "m", "kind": "finite", "values": ["0", "1"]}],
            },
            {"name": "c", "rule": "product", "of": ["a", "b"]},
        ],
        says("ahdp", "eps"),
    ),
    made(
        PAIR,
        [{"name": "a", **GIVEN}, {"name": "b", "rule": "group", "of": ["a"]}],
        says("pairs", "eps"),
    ),
    made(
        PAIR,
        [
            {
                "name": "a",
                "rule": "normalised",
                "of": [],
                "outputs": [{"name": "t", "kind": "finite", "values": ["0", "1"]}],
                "score": "t*sum(x)",
                "low": "0",
                "high": "x",
            }
        ],
        says("ahdp", "2*x"),
    ),
    made(PAIR, [{"name": "a", **GIVEN}], says("swap", "2")),
    made(
        PAIR,
        [
            {"name": "a", **GIVEN},
            {
                "name": "b",
                "rule": "pull_back",
                "of": ["a"],
                "domain": {"records": [["0", "1"]]},
                "becomes": {"x": "x", "eps": "eps"},
            },
        ],
        says("ahdp", "eps"),
    ),
)
MADE_FALSE: tuple[Table, ...] = (
    made(PAIR, [{"name": "a", **GIVEN}], says("ahdp", "eps/2")),
    made(PAIR, [{"name": "a", **GIVEN}], says("add-remove", "1/4")),
    made(
        PAIR,
        [
            {"name": "a", **NOISE},
            {"name": "b", **LATER},
            {"name": "c", "rule": "compose", "of": ["a", "b"]},
        ],
        says("ahdp", "1"),
    ),
    made(
        PAIR,
        [
            {"name": "a", **GIVEN},
            {"name": "b", **COIN},
            {"name": "c", "rule": "mixture", "of": ["a", "b"], "weights": ["1/2", "1"]},
        ],
        says("ahdp", "eps"),
    ),
    made(
        PAIR,
        [
            {"name": "a", **GIVEN},
            {"name": "b", **COIN},
            {"name": "c", "rule": "mixture", "of": ["a", "b"], "weights": ["3/2", "-1/2"]},
        ],
        says("ahdp", "eps"),
    ),
    made(
        PAIR,
        [{"name": "a", **COIN}, {"name": "b", **SAMPLE, "inclusion_probability": "2"}],
        says("ahdp", "0"),
    ),
    made(
        PAIR,
        [{"name": "a", **GIVEN}, {"name": "b", "rule": "group", "of": ["a"]}],
        says("pairs", "eps/2"),
    ),
    made(
        PAIR,
        [
            {
                "name": "a",
                "rule": "normalised",
                "of": [],
                "outputs": [{"name": "t", "kind": "finite", "values": ["0", "1"]}],
                "score": "t*sum(x)",
                "low": "0",
                "high": "x",
            }
        ],
        says("ahdp", "x/4"),
    ),
    made(
        PAIR,
        [
            {
                "name": "a",
                "rule": "normalised",
                "of": [],
                "outputs": [{"name": "t", "kind": "finite", "values": ["0", "1"]}],
                "score": "t*sum(x)",
                "low": "0",
                "high": "x/2",
            }
        ],
        says("ahdp", "x"),
    ),
    made(
        PAIR,
        [
            {
                "name": "a",
                "rule": "normalised",
                "of": [],
                "outputs": [{"name": "t", "kind": "finite", "values": ["0", "1"]}],
                "score": "t*sum(x)",
                "low": "0",
                "high": "oo",
            }
        ],
        says("ahdp", "oo"),
    ),
)
STATEMENTS: tuple[tuple[dict[str, str], str, str, str, bool], ...] = (
    ({"q": "0 <= q and q <= 1"}, "q^2", "<=", "q", True),
    ({"q": "q > 0"}, "q", "<", "2*q", True),
    ({}, "1 + 1", "==", "2", True),
    ({"q": ""}, "exp(q)*exp(-q)", "==", "1", True),
    ({"q": ""}, "q^2", "<=", "q", False),
    ({"q": "q >= 0"}, "q", "<", "2*q", False),
    ({"q": ""}, "q/q", "==", "1", False),
    ({}, "1 + 1", "==", "3", False),
    ({"q": "0 <= q"}, "log(q)", "<=", "q", False),
)


def claims(*, true: bool) -> Iterator[Any]:
    """Functions that make a claim each, or raise BadInput."""
    for table in TRUE if true else FALSE:
        yield lambda table=table: _written(table)
    for table in MADE_TRUE if true else MADE_FALSE:
        yield lambda table=table: _made(table)
    for unknowns, left, relation, right, holds in STATEMENTS:
        if holds == true:
            yield lambda said=(unknowns, left, relation, right): _statement(*said)


def _written(table: Table) -> Any:
    from ahdp_verify.files.mechanism_file import read_mechanism_file

    return read_mechanism_file(table, "m").claims[0]


def _made(table: Table) -> Any:
    from ahdp_verify.files.composite_file import read_pipeline_file

    return read_pipeline_file(table, "m", Path()).claims[0]


def _statement(unknowns: dict[str, str], left: str, relation: str, right: str) -> Any:
    from ahdp_verify.kernel.model.inequality import Inequality
    from ahdp_verify.kernel.terms.expression import TRUE as ALWAYS
    from ahdp_verify.kernel.terms.grammar import parse, parse_condition

    listed = tuple((k, parse_condition(c) if c else ALWAYS) for k, c in unknowns.items())
    return Inequality(listed, parse(left), relation, parse(right))
