"""Noise programs as TOML: every statement, every refusal, and writing what was read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify import load
from ahdp_verify.files.mechanism_file import ClaimNote
from ahdp_verify.files.program_file import ProgramFile, read_program_file
from ahdp_verify.files.program_text import program_toml
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.answers import Answers, RecordAnswers
from ahdp_verify.kernel.model.domain import Domain
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
    leaf_count,
)
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import label, name
from ahdp_verify.kernel.terms.grammar import parse
from tests import field_programs as field

ABOVE = """
format = 2
name = "sparse vector, two answers"
[parameters]
eps = "eps > 0"
T = ""
[domain]
queries = "n"
[program]
start = ["rho ~ laplace(2/eps)", "goto first"]
[program.state.first]
keeps = ["rho"]
query = ["nu ~ laplace(8/eps)", "if q + nu >= T + rho", ["output true", "goto second"],
         "else", ["output false", "goto first"]]
[program.state.second]
keeps = ["rho"]
query = ["nu ~ laplace(8/eps)", "if q + nu >= T + rho", ["output true", "stop"],
         "else", ["output false", "goto second"]]
[[claim]]
relation = "all"
level = "eps"
expect = "proved"
"""


def read(text: str) -> ProgramFile:
    """The content of a text."""
    return read_program_file(tomllib.loads(text), "file")


def fixed(*start: Any, n: str = "2", **domain: Any) -> Tree:
    """The tree of the statements of a program on n queries, with parameters eps and T."""
    document = {
        "format": 2,
        "parameters": {"eps": "eps > 0", "T": ""},
        "domain": domain or {"queries": n},
        "program": {"start": list(start)},
    }
    program = read_program_file(document, "file").program
    assert isinstance(program, Program)
    return program.start


def stop(*items: str) -> Tree:
    """The tree that releases items and stops."""
    tree: Tree = Stop()
    for item in reversed(items):
        tree = Release(parse(item), tree)
    return tree


def test_the_file_of_the_design_is_the_function_of_the_field() -> None:
    file = read(ABOVE)
    made = field.sparse_vector(count=2).program()
    states = {"wait1": "first", "wait2": "second"}
    assert [states[s.name] for s in made.states] == [s.name for s in file.program.states]
    assert [leaf_count(s.body) for s in file.program.states] == [2, 2]
    assert file.claims == (ProgramClaim(file.program, "all", parse("eps")),)
    assert file.notes == (ClaimNote(expect="proved"),) and file.program.inputs == Answers(None)


def test_every_statement() -> None:
    assert fixed("output 1", "stop") == fixed("output 1") == stop("1")
    assert fixed("a ~ gumbel(1/eps)", "b = 2*a + 1", "output b") == Draw(
        "a", "gumbel", parse("1/eps"), stop("2*a + 1")
    )
    assert fixed("if q[1] > T", ["output 1"], "output 2") == If(
        parse("q[1] - T"), True, stop("1", "2"), stop("2")
    )
    assert fixed("if q[1] <= T", ["output 1", "stop"], "output 2") == If(
        parse("T - q[1]"), False, stop("1"), stop("2")
    )
    assert fixed("if q[1] >= 0", [], "else", ["output 1"], "output 2") == If(
        parse("q[1]"), False, stop("2"), stop("1", "2")
    )
    assert fixed("coin 1/3", ["output 1"], "else", ["output 2"]) == Coin(
        parse("1/3"), stop("1"), stop("2")
    )
    assert fixed("winner of q[1], q[2]", ["output 1"], [], "output 3") == Winner(
        (parse("q[1]"), parse("q[2]")), (stop("1", "3"), stop("3"))
    )
    assert fixed("winner k of q[1], max(T, 2)", "output k + 1") == Winner(
        (parse("q[1]"), parse("max(T, 2)")), (stop("0 + 1"), stop("1 + 1"))
    )


def test_labels() -> None:
    words = [("true", "true"), ("none", "none"), ('"two words"', "two words"), ('"false"', "false")]
    for text, word in words:
        assert fixed(f"output {text}") == Release(label(word), Stop())


def test_what_a_state_keeps_is_set_at_once() -> None:
    document = tomllib.loads(ABOVE)
    document["program"] = {
        "start": ["goto wait with a = 1, b = min(2, 3)"],
        "state": {
            "wait": {
                "keeps": ["a", "b"],
                "query": ["goto wait with a = b, b = a + q"],
                "end": ["output a"],
            }
        },
    }
    del document["claim"]
    (state,) = read_program_file(document, "file").program.states
    assert state.body == Goto("wait", (("a", parse("b")), ("b", parse("a + q"))))
    assert state.end == Release(parse("a"), Stop())


def test_answers_from_records_and_whole_answers() -> None:
    assert fixed("output q[2]", records=[["0", "1"], ["1", "1"]], answers=["size", "sum(x)"]) == (
        stop("q[2]")
    )
    document = tomllib.loads(ABOVE)
    document["domain"] = {"queries": "n", "whole": True}
    assert read_program_file(document, "file").program.inputs == Answers(None, whole=True)


def changed(*path: Any) -> str:
    """Why the file above is refused with another value (the last part) under a key."""
    document: Any = tomllib.loads(ABOVE)
    *keys, last, value = path
    table = document
    for key in keys:
        table = table[key]
    if value is None:
        del table[last]
    else:
        table[last] = value
    with pytest.raises(BadInput) as caught:
        read_program_file(document, "file")
    return str(caught.value)


def query(*statements: Any) -> str:
    """Why these statements, and then a stop, are refused in a state."""
    last = str(statements[-1])
    ends = [] if last == "stop" or last.startswith("goto") else ["stop"]
    return changed("program", "state", "first", "query", [*statements, *ends])


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["print q"], "query[1]: 'print q' is not a statement; the words are if, else, coin"),
        (["ouput q"], "'ouput q' is not a statement; did you mean output? the words are"),
        (["output"], "query[1]: at character 1,"),
        (
            ["nu ~ laplase(1)", "stop"],
            "query[1]: 'laplase' is not a law of noise; did you mean lap",
        ),
        (["nu ~ laplace(q)"], "the name q is not known"),
        (["nu ~ laplace(T)"], "the scale T is not known to be positive; give its parameters"),
        (["nu ~ laplace(1)", "nu ~ laplace(1)"], "the name nu is used twice; rename the noise"),
        (["T ~ laplace(1)"], "query[1]: T cannot be given a value; choose another name"),
        (["q = 1"], "query[1]: q cannot be given a value"),
        (["sum = 1"], "query[1]: sum cannot be given a value"),
        (["output = 1"], "query[1]: output cannot be given a value; choose another name"),
        (["none ~ laplace(1)"], "query[1]: none cannot be given a value; choose another name"),
        (["if q >= nu", ["stop"]], "query[1]: the name nu is not known; the names here are eps, T"),
        (["if q >= rhoo", ["stop"]], "the name rhoo is not known; did you mean rho?"),
        (["if q*q >= 1", ["stop"]], "q*q - 1 is not linear in noises and query answers"),
        (["if q*T >= 1", ["stop"]], "is not linear in noises and query answers with rational"),
        (["if q == 1", ["stop"]], "query[1]: q == 1 is not a comparison of two numbers; write >"),
        (["if q", ["stop"]], "query[1]: q is not a comparison of two numbers"),
        (["if q > 1", "stop"], 'query[1]: no block follows it; write "if q > 1", ["output true"]'),
        (["if q > 1", ["stop"], "else", "stop"], "query[3]: no block follows it; write"),
        (["else", ["stop"]], "query[1]: 'else' is not a statement; write x ~ laplace"),
        ([["stop"]], "query[1]: a block follows no if, coin or winner; leave the brackets"),
        (["coin 2", ["stop"]], "the probability 2 is not known to lie in [0, 1]"),
        (["winner of q, rho", ["stop"]], "query[1]: 2 blocks have to follow, and there are 1;"),
        (["winner k of q"], "a winner needs a branch for each value; list both"),
        (["goto third"], "query[1]: there is no state third; the states are first, second"),
        (["goto frist"], "there is no state frist; did you mean first?"),
        (["goto first with nu = 1"], "query[1]: first does not keep nu; it keeps rho"),
        (["goto first with 3"], "query[1]: '3' sets nothing; write goto s with x = e"),
        (["stop", "output 1"], "query[2]: nothing can follow goto or stop; leave it out"),
        (["goto first", ["output 1"]], "query[2]: nothing can follow goto or stop"),
        ([3], "query[1]: the bare number 3 stands where a quoted text is expected; write "),
        (["if q > 1", [4]], "query[2][1]: the bare number 4 stands where a quoted text"),
    ],
    ids=str,
)
def test_statements_that_are_refused(statements: list[Any], said: str) -> None:
    assert said in query(*statements)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (("format", 1), "format: format 1 is no longer supported"),
        (("programme", {}), "programme: the key is not known; did you mean program?"),
        (("domain", {}), "domain: nothing defines the input"),
        (("domain", {"queries": "m"}), "domain.queries: 'm' is not a whole number"),
        (("domain", {"queries": 3}), "domain.queries: the bare number 3 stands where"),
        (("domain", {"queries": "3", "answers": []}), "domain.answers: it does not fit this kind"),
        (("domain", {"queries": "n", "whole": "yes"}), "domain.whole: a text has no meaning here"),
        (("domain", {"values": ["a", "b"], "answers": []}), "domain: a program is given query"),
        (("domain", {"records": [["1", "1"]]}), "domain.answers: the key is missing"),
        (
            ("domain", {"records": [["1", "1"]], "answers": ["x"]}),
            "answers: x is not a sum over records; write sum(x) or count(...)",
        ),
        (("domain", {"queries": "2"}), "states wait for queries whose number is not fixed"),
        (("program", {}), "program.start: the key is missing; add a line start = ..."),
        (("program", "starts", []), "program.starts: the key is not known; did you mean start?"),
        (("program", "start", "stop"), "program.start: a text stands where a list is expected"),
        (("program", "start", ["goto first"]), "program.start[1]: rho has no value here; write"),
        (("program", "state", "first", "kepes", []), "kepes: the key is not known; did you mean k"),
        (("program", "state", "first", "end", ["goto first"]), "no query is left to wait for"),
        (("program", "state", "first", "end", ["output q"]), "end[1]: the name q is not known"),
        (("parameters", "eps", ""), "the scale 2/eps is not known to be positive; give its"),
        (("claim", 0, "level", None), "claim[1].level: the key is missing"),
        (("claim", 0, "level", "-1"), "claim[1].level: -1 is out of range"),
        (("claim", 0, "relation", "add-remove"), "claim[1].relation: 'add-remove' does not fit"),
        (("claim", 0, "queries", "none"), "claim[1].queries: 'none' is not a whole number"),
        (("claim", 0, "expect", "true"), "claim[1].expect: 'true' is not a verdict; write one of"),
        (("claim", 0, "public", []), "claim[1].public: the key is not known"),
    ],
    ids=str,
)
def test_keys_that_are_refused(path: tuple[Any, ...], said: str) -> None:
    assert said in changed(*path)


def test_paths_are_counted_before_they_double_again() -> None:
    with pytest.raises(BadInput, match="it has more than 4096 paths; use states"):
        fixed(*(part for _ in range(40) for part in ("if q[1] > 0", ["output 1"])))


# writing

FIELD = [
    field.sparse_vector.program(count=3),
    field.sparse_vector.program(5, count=2),
    field.smart_sum.program(block=3),
    field.adaptive_sparse_vector.program(count=2),
    field.noisy_max_with_gap_by_lists.program(4),
    field.noisy_max_by_loop.program(4),
    field.whole_sparse_vector.program(),
    field.noisy_max.program(inputs=Domain([("a", "1/2"), (2, 1)]), answers=["size", "sum(eps)"]),
]


@pytest.mark.parametrize("program", FIELD, ids=lambda p: p.name)
def test_what_is_written_reads_as_the_same_program(program: Program) -> None:
    text = program_toml(program, note="a remark")
    assert read(text).program.fingerprint == program.fingerprint


def test_claims_are_written_too(tmp_path: Path) -> None:
    program = field.sparse_vector.program()
    claims = (
        (ProgramClaim(program, "all", parse("eps")), ClaimNote("tight", "a note", "proved")),
        (ProgramClaim(program, "one", parse("2*eps"), parse("1/9"), 7), ClaimNote()),
    )
    path = tmp_path / "above.toml"
    path.write_text(program_toml(program, claims))
    found, chosen = load(path), load(f"{path}:tight")
    assert isinstance(found, ProgramFile) and isinstance(chosen, ProgramFile)
    assert tuple(zip(found.claims, found.notes, strict=True)) == claims
    assert chosen.claims == found.claims[:1]


def trees(names: list[str]) -> st.SearchStrategy[Tree]:
    """Trees in which noises with these names are drawn first."""
    value = st.sampled_from(["q[1]", "q[1] - z1", "2*z2 - T", "1/2", "-q[2] + 3"]).map(parse)
    word = st.sampled_from(["true", "none", "a", 'a "b", c', "x = 1", "é"]).map(label)
    ends: st.SearchStrategy[Tree] = st.just(Stop())
    return st.recursive(
        ends,
        lambda inner: st.one_of(
            st.builds(Release, value | word, inner),
            st.builds(If, value, st.booleans(), inner, inner),
            st.builds(Coin, st.sampled_from(["1/3", "exp(-eps)"]).map(parse), inner, inner),
            st.lists(st.tuples(value, inner), min_size=2, max_size=3).map(
                lambda parts: Winner(tuple(v for v, _ in parts), tuple(t for _, t in parts))
            ),
        ),
        max_leaves=12,
    ).map(
        lambda tree: Draw("z1", "laplace", parse("1/eps"), Draw("z2", "gumbel", parse("2"), tree))
    )


@settings(max_examples=60, deadline=None)
@given(trees(["z1", "z2"]))
def test_every_tree_can_be_written(tree: Tree) -> None:
    parameters = (("eps", parse("0 < eps")), ("T", parse("true")))
    program = Program("any", parameters, Answers(2), Release(label("begun"), tree))
    assert read(program_toml(program)).program == program


@pytest.mark.parametrize(
    "statements",
    [
        ["if q >= 1", ["output true", "stop"], "output false"],
        ["if q >= 1", ["output true"], "else", ["output false", "goto first"]],
        ["output true"],
    ],
    ids=str,
)
def test_between_queries_every_path_says_how_it_goes_on(statements: list[Any]) -> None:
    said = changed("program", "state", "first", "query", statements)
    assert "a path through it ends in neither goto nor stop; add one" in said


def test_what_is_never_reached_and_what_never_outputs_is_refused() -> None:
    both = ["if q >= 1", ["output true", "stop"], "else", ["output false", "stop"]]
    assert "query[5]: it is never reached: each block ends the path" in query(*both, "output q")
    silent = {"format": 2, "domain": {"queries": "1"}, "program": {"start": ["a ~ laplace(1)"]}}
    with pytest.raises(BadInput, match="program: it never outputs anything; write output e"):
        read_program_file(silent, "silent")


def test_a_value_called_like_a_label_is_told_from_it() -> None:
    body = Release(label("none"), Release(name("none"), Goto("wait", (("none", name("q")),))))
    state = State("wait", ("none",), body, Stop())
    start = Draw("r", "laplace", parse("1"), Goto("wait", (("none", name("r")),)))
    program = Program("any", (), Answers(None), start, (state,))
    assert read(program_toml(program)).program == program


def test_blocks_are_nested_as_little_as_paths_can_be_halved() -> None:
    text = program_toml(field.sparse_vector.program(100))
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) == 4
    assert isinstance(read(text).program, Program)


def test_a_record_domain_is_kept() -> None:
    inputs = read(program_toml(FIELD[-1])).program.inputs
    assert isinstance(inputs, RecordAnswers) and inputs == FIELD[-1].inputs


def contest(*lines: object) -> dict[str, Any]:
    return {
        "format": 2,
        "parameters": {"eps": "eps > 0"},
        "domain": {"queries": "n"},
        "program": {"start": ["for each query q", *lines]},
    }


@pytest.mark.parametrize("gap", [False, True])
def test_a_contest_is_read_and_written(gap: bool) -> None:
    won = "output first greatest of v" + (" and gap" if gap else "")
    steps = ["x ~ laplace(2/eps)", "v = q + x", won]
    program = read_program_file(contest(steps), "noisy max").program
    assert isinstance(program, Program)
    wanted = Contest((("x", "laplace", parse("2/eps")),), parse("q + x"), gap)
    assert program.start == wanted
    written = tomllib.loads(program_toml(program))
    again = read_program_file(written, "other").program
    assert isinstance(again, Program)
    assert again.fingerprint == program.fingerprint


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("stop",),
        (["x ~ laplace(2/eps)"],),
        (["output first greatest of q"], "stop"),
        (["output true", "output first greatest of q"],),
        (["output first greatest of q + y"],),
        (["x ~ normal(1)", "output first greatest of q + x"],),
        ([],),
    ],
    ids=str,
)
def test_what_is_no_contest(lines: tuple[object, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        read_program_file(contest(*lines), "noisy max")
    assert refused.value.where.startswith("program.start[")
    assert refused.value.cure


def test_gaussian_noise_in_a_file() -> None:
    assert fixed("a ~ gaussian(1/eps)", "output a") == Draw(
        "a", "gaussian", parse("1/eps"), stop("a")
    )
