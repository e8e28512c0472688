"""Mistakes that people make: the message names the place, the cause and the cure, on one line.

Each row changes one text of a file that is right, or is a command line; the expected words were
written down by hand, from what is wrong with it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Mechanism,
    ahdp,
    calibrate,
    exp,
    hdp,
    name,
    real,
    tighten,
    verify,
)
from ahdp_verify.cli.app import app
from tests.cli.sentences import only_sentence

RIGHT = """format = 2
name = "noisy count"

[parameters]
e = "e > 0"

[let]
weight = "1 - exp(-eps)"

[domain]
records = [["0", "1/2"], ["1", "1/2"], ["1", "2"]]

[mechanism]
outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - sum(weight * x))) / 2"

[[claim]]
relation = "ahdp"
level = "eps"
"""
LAW = """outputs = [{name = "s", kind = "real"}]
density = "exp(-abs(s - sum(weight * x))) / 2\""""
RECORDS = '[["0", "1/2"], ["1", "1/2"], ["1", "2"]]'
END = 'level = "eps"\n'
TOP = """format = 2

[domain]
queries = "1"

[program]
start = ["z ~ laplace(1)", "output q[1] + z"]
"""


def law(word: str) -> tuple[str, str]:
    return LAW, f'outputs = [{{name = "s", law = "{word}"}}]'


# What is changed, into what; the place, the cause and the cure.
FILES = [
    ("format = 2\n", "", "format", "the key is missing", "format = 2"),
    ("format = 2", "format = 3", "format", "3 is not a supported format", "format = 2"),
    ("[let]", "[lets]", "lets", "key is not known", "did you mean let?"),
    ("relation =", "relatoin =", "claim[1].relatoin", "not known", "did you mean relation?"),
    ('"ahdp"', '"adp"', "relation", "'adp' is not a known relation", "did you mean ahdp?"),
    ("sum(weight", "sum(wieght", "density", "wieght is not known", "did you mean weight"),
    ("weight * x)", "weight * y)", "density", "the name y is not known", "known are e, eps, s, x"),
    ("abs(", "ab(", "density: at character 6", "'ab' is not a function", "did you mean abs?"),
    ("weight * x", "weight x", "density: at character 25", "'x' is not expected", "an operator"),
    ("x))) / 2", "x)) / 2", "density: at character 4", "never closed", "write )"),
    ("(-eps)", "(-eps))", "let.weight: at character 14", "')' closes nothing", "remove it"),
    ("* x", "** x", "density: at character 25", "'**' is not expected", "write ^ for a power"),
    (") / 2", ")^ / 2", "density", "'/' is not expected here", "write a number, a name"),
    ('"real"', '"reel"', "output s", "reel is not a kind of output", "did you mean real?"),
    ('["1", "2"]', '["1", 2]', "domain.records[3]", "the bare number 2", '"2" with quotes'),
    ('["1", "2"]', '["1", "-2"]', "domain.records[3]", "-2 is negative", "[0, oo]"),
    ('["1", "2"]', '["1"]', "domain.records[3]", "not a pair of value and demand", "write"),
    ('["1", "2"]', '["1", "1/2"]', "domain", "(1, 1/2) is listed twice", "list each once"),
    ('["0", "1/2"]', '["0", "1/0"]', "domain.records[1]", "1/0 has no value", "1/3"),
    (RECORDS, "[]", "domain", "it is empty", "list at least one"),
    ("records =", 'values = ["a"]\nrecords =', "domain", "records and values", "exactly one of"),
    (RECORDS, '{csv = "none.csv", value = "v", demand = "d"}', "none.csv", "no such file", "path"),
    (' / 2"', '"', "noisy count", "the total is 2, not 1", "correct the normaliser"),
    ("exp(-abs", "exp(abs", "noisy count", "its total is infinite", "make it decay"),
    ("s - sum(weight * x)", "s - x", "density", "x belongs to one record", "inside sum"),
    ("sum(weight * x)", 'count(x == \\"yes\\")', "density", "never holds", "numbers with numbers"),
    ("density", "distribution", "mechanism.distribution", "key is not known", "density"),
    ('"eps"', '"epsilon"', "level", "epsilon is not known", "known are e, eps, x"),
    ('"eps"', "0.5", "claim[1].level", "the bare number 0.5", '"0.5" with quotes'),
    ('"eps"\n', '"eps\n', "it is not TOML", "line 19", "fix the file there"),
    ('"eps"', '"-1"', "level", "-1 is out of range", "[0, oo]"),
    (END, END + 'delta = "2"\n', "delta", "2 is out of range", "[0, 1]"),
    (END, 'level = "0"\ndelta = "eps"\n', "delta", "eps is 2 at the record (1, 2)", "[0, 1]"),
    (END, 'level = "0"\ndelta = "x - eps"\n', "delta", "is -1/2 at the record (0, 1/2)", "min"),
    (END, END + "delta = 1e-5\n", "claim[1].delta", "the bare number 1e-05", '"0.00001"'),
    (END, END + 'order = "2"\n', "claim[1].order", "a claim with level has no order", "renyi"),
    (END, 'level = "size"\n', "level", "size reads the dataset where one record", "no sums"),
    (END, 'level = "inf"\n', "level", "the name inf is not known", "did you mean oo?"),
    (END, END + 'expect = "true"\n', "claim[1].expect", "'true' is not a verdict", "one of proved"),
    ('"ahdp"', '"swap"', "claim[1].level", "one level for all records", "ahdp or hdp"),
    ('"ahdp"', '"one"', "relation", "one does not fit the input", "ahdp, hdp, add-remove or swap"),
    ("[[claim]]", "[claim]", "claim", "a table stands where a list", "write [[claim]]"),
    ('"e > 0"', '"e"', "parameter e", "'e' is not a condition", "0 < eps <= 1"),
    ('e = "e > 0"', 'x = "x > 0"', "names", "x already names a part of the input", "rename"),
    ("weight =", "sum =", "let.sum", "'sum' is not a name", "choose another name"),
    (*law("lapalce(sum(x), 1)"), "outputs[1].law", "not a law", "did you mean laplace?"),
    (*law("laplace(sum(x))"), "outputs[1].law", "has 1 argument;", "laplace(location, scale)"),
    (*law("laplace(sum(x), -1)"), "outputs[1].law", "-1 is not positive", "> 0"),
    (*law("clamp(laplace(sum(x), 1), 10, 0)"), "law, clamp", "10 is not below 0", "smaller end"),
    ('kind = "real"', 'law = "laplace(0, 1)"', "density", "defines the distribution", "drop"),
]
COMMANDS = [
    ("verfy my.toml", "verfy", "No such command", "Did you mean 'verify'?"),
    ("verify", "FILE", "Missing argument", "--help"),
    ("verify --relatin ahdp my.toml", "--relatin", "No such option", "--relation"),
    ("verify none.toml", "none.toml", "no such file", "check the path"),
    ("verify my.txt", "my.txt", "neither a .toml nor a .py file", "name a mechanism file"),
    ("verify my.toml:other", "my.toml", "none is called other", "no claim has a name"),
    ("verify my.toml --relation adp", "relation", "'adp' is not a known", "did you mean ahdp?"),
    ("verify my.toml --level 1+", "--level: at character 3", "ends too early", "write a number"),
    ("verify my.toml --seconds ten", "--seconds", "'ten' is not a valid", "--help"),
    ("verify my.toml --workers 0", "--workers", "0 is not in the range", "x>=1|1<=x"),
    ("verify my.toml --expect", "--expect", "states an expected verdict", "expect ="),
    ("verify my.toml --procedure magic", "--procedure", "'magic' is not one of", "'finite'"),
    ("verify catalogue:laplac", "catalogue", "has no laplac", "laplace"),
    ("show laplac", "catalogue", "has no laplac", "laplace"),
    ("new lapalce", "lapalce", "neither a template nor", "did you mean laplace?"),
    ("recheck my.toml", "my.toml", "not a saved|JSON", "save|verify"),
    ("explain none.json", "none.json", "no such file", "check the path"),
    ("delta my.toml --levels 1;2", "--levels", "';' cannot begin", "remove it"),
    (
        "sample my.toml --set e=1 --dataset 7 --size 2",
        "dataset",
        "for 3 records",
        "one count per",
    ),
    ("tradeoff my.toml --first 0", "--second", "Missing option", "--help"),
    ("calibrate my.toml --parameter b", "parameter", "b is not a parameter", "known are e"),
    ("ranges folder", "folder", "neither a .toml nor", "name a mechanism file"),
]


def in_turn(sentence: str, parts: tuple[str, ...]) -> bool:
    """Whether each part, or one of its alternatives, is in the sentence."""
    return all(any(word in sentence for word in part.split("|")) for part in parts)


@pytest.mark.parametrize("row", FILES, ids=lambda row: " ".join(row[1].split())[:40])
def test_a_mistake_in_a_file_is_told(
    row: tuple[str, str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after, *said = row
    assert RIGHT.count(before) >= 1
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text(RIGHT.replace(before, after, 1))
    result = CliRunner().invoke(app, ["verify", "my.toml"])
    assert result.exit_code == 2 and not result.stdout
    sentence = only_sentence(result.stderr)
    assert sentence.startswith("ahdp-verify: my.toml") and in_turn(sentence, tuple(said)), sentence


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row[0])
def test_a_mistake_on_the_command_line_is_told(
    row: tuple[str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, *said = row
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text(RIGHT)
    Path("my.txt").write_text(RIGHT)
    Path("folder").mkdir()
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2 and "Traceback" not in result.output
    told = result.stderr
    if not told.startswith("Usage: "):
        only_sentence(told)
    assert in_turn(told, tuple(said)), told


def test_the_file_without_a_mistake_is_right(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(RIGHT)
    assert CliRunner().invoke(app, ["verify", str(path)]).exit_code == 0
    assert len(FILES) >= 40 and len(COMMANDS) >= 20


@pytest.mark.parametrize(
    "words",
    [
        "verify my.toml --save my.toml",
        "program top.toml --output ./top.toml",
        "program top.py:top --queries 1 --output top.py",
        "sample my.toml --set e=1 --dataset 0,0,1 --size 2 --out my.toml",
        "sample top.toml --dataset 1 --size 2 --out top.toml",
        "explain my.json --output my.json",
        "power my.toml --one-more --save my.toml",
        "audit my.toml --draws draws.csv --at 0,0,1 --set e=1 --html draws.csv",
        "audit my.toml --draws draws.csv --at 0,0,1 --set e=1 --html my.toml",
    ],
)
def test_no_command_writes_over_what_it_reads(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "my.toml": RIGHT,
        "top.toml": TOP,
        "top.py": "from ahdp_verify import laplace, noise_program\n\n\n"
        "@noise_program(parameters={})\ndef top(queries):\n    return queries[0] + laplace(1)\n",
        "draws.csv": "1\n2\n",
    }
    for file, text in files.items():
        Path(file).write_text(text)
    assert CliRunner().invoke(app, ["verify", "my.toml", "--save", "my.json"]).exit_code == 0
    files["my.json"] = Path("my.json").read_text()
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2
    assert "is the file that is read" in only_sentence(result.stderr), result.output
    assert {file: Path(file).read_text() for file in files} == files


NOTIONS = RIGHT.replace('level = "eps"', 'rho = "1/2"')
MEAN = """format = 2

[parameters]
n = "n >= 1"

[entries]
size = "n"
values = "0 <= x <= 1"

[query]
answer = "sum(x)/n"
"""
NOT_TOGETHER = [
    ("verify my.toml --level=", "--level", "it is empty", "leave the option out"),
    ("verify my.toml --relation=", "--relation", "it is empty", "leave the option out"),
    ("verify rho.toml --level 1", "--level", "another bound than a level", "in the file"),
    (
        "verify my.toml --relation swap",
        "--relation",
        "eps of the file does not fit swap",
        "--level",
    ),
    ("tighten rho.toml --notion zcdp --delta 1/9", "--notion", "another bound", "leave --delta"),
    ("tighten my.toml --notion gdp --queries 2", "--notion", "another bound", "leave --delta"),
    ("tighten top.toml --relation all --delta 1/9", "--delta", "have delta 0", "leave it out"),
    ("tighten my.toml --delta 0", "delta", "asks for the plain least level", "without a delta"),
    ("tighten my.toml --delta 1+", "--delta: at character 3", "ends too early", "write a number"),
    ("sensitivity mean.toml --relation swap", "--relation", "about the records", "--query"),
    ("sensitivity my.toml --query sum(z)", "query: the name z", "not known", "are e, eps, x"),
]


@pytest.mark.parametrize("row", NOT_TOGETHER, ids=lambda row: row[0])
def test_options_that_would_be_ignored_are_refused(
    row: tuple[str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, *said = row
    monkeypatch.chdir(tmp_path)
    files = {"my.toml": RIGHT, "rho.toml": NOTIONS, "top.toml": TOP, "mean.toml": MEAN}
    for file, text in files.items():
        Path(file).write_text(text)
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2 and not result.stdout
    told = " ".join(result.stderr.split())
    assert in_turn(told, tuple(said)), told


def test_a_bound_of_many_files_is_asked_for_each_and_a_bad_one_stops_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    normal = RIGHT.replace("exp(-abs(s - sum(weight * x))) / 2", "exp(-(s - size)^2/2)/sqrt(2*pi)")
    Path("a.toml").write_text(normal)
    Path("c.toml").write_text(normal.replace("noisy count", "second"))
    result = CliRunner().invoke(app, ["tighten", "a.toml", "b.toml", "c.toml", "--notion", "zcdp"])
    assert result.exit_code == 2 and "b.toml: there is no such file" in result.stderr
    # N(0, 1) against N(1, 1): the order a has a/2
    assert result.stdout.count("least rho: 1/2") == 2 and "3 files: 2 exact" in result.stdout


def test_python_arguments_of_another_kind_are_told() -> None:
    W, s = Domain([(("n", 0), 1), (("n", 1), 1), (("s", 1), 1)]), real("s")
    M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(name("x[2]")))) / 2, name="sum")
    kept = hdp(M, public=("x[1]",))
    assert hdp(M, public="x[1]") == kept  # type: ignore[arg-type]
    assert hdp(M, public=(name("x[1]"), "x[1]")) == kept  # type: ignore[arg-type]
    assert tighten(M, "hdp", public="x[1]").claim.public == ("x[1]",)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="60 is not Limits; write Limits"):
        verify(kept, 60)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"0\.5 is not a parameter of sum; it has none"):
        calibrate(ahdp(M), 0.5)  # type: ignore[arg-type]
