"""Files about statements: what they may contain, what the command prints for them, and the general
forms of the composition rules beside the code that uses them.

The expected answers of the model cases are rows 30, 31, 43 and 51 of the referee notes and RR-06 of
the public corpus; numbers are computed beside them.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify.analysis.arguments import examine
from ahdp_verify.cli import app as cli
from ahdp_verify.files.argument_file import ArgumentFile, read_argument_file
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.refuted import RefutedInequality
from ahdp_verify.kernel.rules.composition import COMPOSITION_RULES
from ahdp_verify.kernel.terms.expression import conjuncts, names
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from tests import oracle
from tests.cli.sentences import only_sentence

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
OF_LAWS = sorted((PROOFS / "laws").glob("*.toml"))
WITHOUT = {
    "assumed",
    "written_out",
    "interchangeable",
    "open_level",
    # an assumption, the definition of what a composite is, a symmetry, and a value of a parameter:
    # no inequality leads from one to the other
}
LIMITS = Limits(seconds=60)


def about(path: Path) -> ArgumentFile:
    file = load(path)
    assert isinstance(file, ArgumentFile)
    return file


def edited(path: Path, old: str, new: str, folder: Path) -> ArgumentFile:
    """The file with one change."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, (path, old)
    other = folder / path.name
    other.write_text(text.replace(old, new, 1), encoding="utf-8")
    return about(other)


# laws


def test_every_law_has_its_general_form_in_the_version_that_is_used() -> None:
    found = {(about(path).rule, about(path).version) for path in OF_LAWS}
    assert found == {
        (name, law.version) for name, law in COMPOSITION_RULES.items() if name not in WITHOUT
    }
    assert all(
        f"{path.stem}-".startswith(f"{about(path).rule.replace('_', '-')}-") for path in OF_LAWS
    )


@pytest.mark.sweep(5)
@pytest.mark.parametrize("path", OF_LAWS, ids=lambda path: path.stem)
def test_the_conditions_of_a_law_can_be_satisfied_and_the_law_holds_there(path: Path) -> None:
    """A statement under conditions that contradict each other would be proved whatever it says.
    Points are drawn name by name between the ends.
    """
    statement, source = about(path).argument.statement, random.Random(3)
    satisfied = 0
    for _ in range(4000):
        at: dict[str, Fraction] = {}
        for key, condition in statement.parameters:
            ends = [
                (part.args[1 - i], i)
                for part in conjuncts(condition)
                for i in (0, 1)
                if part.head in ("<", "<=") and part.args[i] == parse(key)
            ]
            known = [
                (Fraction(str(oracle.value(end, at))), i)
                for end, i in ends
                if names(end) <= set(at)
            ]
            low = max([v for v, i in known if i], default=Fraction(-2))
            high = min([v for v, i in known if not i], default=max(low, Fraction(0)) + 2)
            at[key] = low + (high - low) * Fraction(source.randint(1, 19), 20)
        try:
            if not all(oracle.holds(c, at) for _, c in statement.parameters):
                continue
            gap = oracle.value(statement.right, at) - oracle.value(statement.left, at)
        except (oracle.Doubtful, oracle.Undefined):
            continue
        satisfied += 1
        assert {
            "<=": oracle.sign(gap) >= 0,
            ">=": oracle.sign(gap) <= 0,
            "==": oracle.sign(gap) == 0,
        }[statement.relation]
        if satisfied >= 60:
            break
    assert satisfied >= 20


WEAKENED = [
    ("compose", "p <= exp(a)*q", "p <= exp(a)*q + 1/100"),
    ("compose", "k <= exp(b)*m", "k <= exp(b)*m + 1/100"),
    ("compose", "exp(a + b)*q*m", "exp(a + b - 1/1000)*q*m"),
    ("compose-delta", "+ d + p*c", "+ d"),
    ("compose-delta", "+ d + p*c", "+ p*c"),
    ("group", "exp(a + b)*r", "exp(max(a, b))*r"),
    ("mixture", "w <= 1", "w <= 2"),
    ("mixture", "exp(max(a, b))", "exp((a + b)/2)"),
    ("mixture-delta", "+ w*d + (1 - w)*c", "+ w*d"),
    ("normalised", "exp(u - l)", "exp(u)"),
    ("normalised", "exp(l)*Z <= Y and ", ""),
    ("post-process", "exp(a)*q + d", "exp(a)*q + 2*d"),
    ("post-process-kernel", "k <= exp(b)*m", "k <= exp(b)*m + q"),
    ("product", "exp(a)*exp(b)*q*m", "exp(a)*q*m"),
    ("pull-back", "a <= b", "b <= a + 1"),
    ("pull-back", "d <= c", "c <= 2*d"),
    ("subsample", "(1 + k*(exp(L) - 1))*P", "(1 + k*(exp(L) - 1)*99/100)*P"),
    ("subsample", "Q <= exp(L)*P and", "Q <= 2*exp(L)*P and"),
    ("subsample-delta", "Q <= exp(L)*P + d", "Q <= exp(L)*P + 2*d"),
    ("subsample-delta-lower", "P <= exp(L)*Q + d", "P <= exp(L)*Q + 2*d"),
    ("subsample-lower", "(1 - k*(1 - exp(-L)))*P", "(1 - k*(1 - exp(-L))*99/100)*P"),
    ("subsample-level", "k <= 1", "k <= 3/2"),
    ("to-ahdp", "e <= a", "e <= a + 1/10"),
    ("to-swap", "exp(a + b)*r", "exp(max(a, b))*r"),
    ("weaken", "d <= c", "d <= 2*c"),
]


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("stem", "old", "new"), WEAKENED)
def test_no_law_holds_with_less(stem: str, old: str, new: str, tmp_path: Path) -> None:
    """A weaker premise, or a smaller level or delta, and the statement is false: a law that does
    not use its premises would not say much.
    """
    file = edited(PROOFS / "laws" / f"{stem}.toml", old, new, tmp_path)
    found = verify(file.argument.statement, LIMITS)
    assert isinstance(found, RefutedInequality), found
    at = {key: value for key, value in found.values}
    assert list(at) == [key for key, _ in file.argument.statement.parameters]


# model cases


def test_rr_06_the_theorem_holds_and_a_line_of_its_proof_does_not() -> None:
    file = about(PROOFS / "public" / "k-ary-response-level-proof-as-printed.toml")
    found = examine(file.argument, LIMITS)
    assert (
        isinstance(found.verdict, Proved)
        and found.valid is False
        and found.first is not None
        and found.first.number == 1
    )
    line = file.argument.steps[0]
    at = {"t": Fraction(4), "p": Fraction(3, 10)}  # the printed terms are 9/7 and 7
    assert [
        oracle.near(oracle.value(side, at), oracle.real(v))
        for side, v in ((line.left, Fraction(9, 7)), (line.right, Fraction(7)))
    ] == [True, True]


@pytest.mark.parametrize(
    ("path", "word", "valid", "first", "said"),
    [
        (
            "paper/sample-mechanism-proof-lower-end-as-printed",
            "Proved",
            False,
            3,
            "needed is exp(y) >= 1, which holds",
        ),  # row 51
        (
            "paper/power-lower-bound-two-values-inverted",
            "Refuted",
            False,
            3,
            "fails at",
        ),  # row 31: (1 + q)/(1 - q) > 1 is not a power
        (
            "paper/multiset-weights-argument-as-printed",
            "Refuted",
            False,
            2,
            "fails at",
        ),  # row 30: the sums differ
        (
            "paper/power-upper-bound-presence-wrong-exponent",
            "Proved",
            False,
            1,
            "fails at",
        ),  # row 43: the exponent has the other sign
    ],
)
def test_the_papers_proofs_fail_at_the_step_that_the_notes_name(
    path: str, word: str, valid: bool, first: int, said: str
) -> None:
    found = examine(about(PROOFS / f"{path}.toml").argument, LIMITS)
    assert found.verdict.word == word and found.valid is valid and found.first is not None
    assert found.first.number == first and said in str(found.first)


def test_a_step_of_a_repaired_proof_that_is_broken_is_named(tmp_path: Path) -> None:
    file = edited(
        PROOFS / "paper" / "sample-mechanism-proof-lower-end.toml",
        "1 + 1/exp(t) - exp(y)/exp(t)",
        "1 + 1/exp(t) - exp(y)/exp(t) - y^2*(t - y)/1000",
        tmp_path,
    )
    found = examine(file.argument, LIMITS)
    assert isinstance(found.verdict, Proved) and found.first is not None and found.first.number == 1


# the command


SQUARE = """
format = 2
name = "square"
{top}
[parameters]
x = "0 <= x and x <= 1"
[let]
half = "x/2"
[inequality]
left = "x^2"
relation = "{relation}"
right = "x"
{expect}
[[step]]
relation = "{relation}"
right = "{middle}"
reason = "as is easily seen"
[[step]]
relation = "<="
right = "half + half"
"""


class Bench:
    """A folder, and the command run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(
        self, relation: str = "<=", middle: str = "x", top: str = "", expect: str = ""
    ) -> str:
        path = self.folder / "square.toml"
        path.write_text(
            SQUARE.format(relation=relation, middle=middle, top=top, expect=expect),
            encoding="utf-8",
        )
        return str(path)

    def run(self, *words: str) -> tuple[int, list[str], str]:
        result = CliRunner().invoke(cli.app, list(words))
        assert result.exception is None or isinstance(result.exception, SystemExit), (
            result.exception
        )
        return result.exit_code, result.stdout.splitlines(), result.stderr


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_line_for_the_statement_one_for_each_step_and_one_for_the_argument(bench: Bench) -> None:
    code, lines, _ = bench.run("verify", bench.write())
    assert code == 0 and lines == [
        "Proved: square: x^2 <= x; scope: all values of its unknowns, 0 <= x and x <= 1; trusts: "
        "the checker and the rule of statements",
        "step 1: x^2 <= x (as is easily seen): holds",
        "step 2: x <= x/2 + x/2: holds",
        "argument: valid",
    ]


def test_the_exit_code_is_0_only_if_the_statement_is_proved_and_the_argument_valid(
    bench: Bench,
) -> None:
    code, lines, _ = bench.run("verify", bench.write(middle="x^3"))
    assert (
        code == 1
        and lines[0].startswith("Proved")
        and lines[1].endswith("fails at x = 1/2: 1/4 against 1/8")
        and lines[-1].startswith("argument: not valid, step 1")
    )
    code, lines, _ = bench.run("verify", bench.write(relation=">="))
    assert code == 1 and lines[0].startswith(
        "Refuted: square: x^2 >= x; witness: x = 1/2: 1/4 against 1/2"
    )


def test_what_is_expected_is_compared(bench: Bench) -> None:
    as_expected = 'expect = "proved"\nargument = "not valid"'
    assert bench.run("verify", bench.write(middle="x^3", expect=as_expected), "--expect")[0] == 0
    code, _, error = bench.run("verify", bench.write(expect=as_expected), "--expect")
    assert (
        code == 1
        and "not valid was expected, not valid" not in lines_of(error)[0][:3]
        and "not valid was expected" in error
    )
    assert bench.run("verify", bench.write(), "--expect")[0] == 2


def lines_of(text: str) -> list[str]:
    return text.splitlines()


def test_what_is_saved_is_rechecked(bench: Bench) -> None:
    kept = str(bench.folder / "square.json")
    for relation in ("<=", ">="):
        _, lines, _ = bench.run("verify", bench.write(relation=relation), "--save", kept)
        code, again, _ = bench.run("recheck", kept)
        assert code == 0 and lines[0] in again[0]
    record = json.loads(Path(kept).read_text(encoding="utf-8"))
    assert record["verdict"] == "refuted" and record["counterexample"] == {
        "values": [["x", {"e": "1/2"}]]
    }


def test_json_contains_the_record(bench: Bench) -> None:
    code, lines, _ = bench.run("verify", bench.write(), "--json")
    assert code == 0 and json.loads("\n".join(lines))["record"]["claim"]["inequality"] == [
        ["^", ["name", "x"], "2"],
        "<=",
        ["name", "x"],
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"relation": "=>"}, "=>"),
        ({"middle": "y"}, "y"),
        ({"middle": "x +"}, "character"),
        ({"expect": 'expect = "true"'}, "true"),
        ({"expect": 'argument = "invalid"'}, "invalid"),
        ({"expect": 'by = ["x >= 0"]'}, "by"),
        ({"top": "version = -1"}, "version"),
        ({"top": 'rule = "compose"\nversion = "1"'}, "version"),
        ({"top": "domain = 3"}, "domain"),
    ],
)
def test_what_is_wrong_in_a_file_is_reported_in_a_sentence(
    bench: Bench, change: dict[str, str], said: str
) -> None:
    code, lines, error = bench.run("verify", bench.write(**change))
    assert code == 2 and not lines and said in only_sentence(error)


@pytest.mark.parametrize(
    "option", [("--level", "1"), ("--relation", "ahdp"), ("--procedure", "smt"), ("--size", "2")]
)
def test_options_of_mechanisms_are_refused(bench: Bench, option: tuple[str, str]) -> None:
    code, _, error = bench.run("verify", bench.write(), *option)
    assert code == 2 and "about a statement" in error


def test_a_step_begins_where_the_one_before_ends() -> None:
    document = {
        "format": 2,
        "parameters": {"x": ""},
        "inequality": {"left": "x", "relation": "<=", "right": "x + 2"},
        "step": [
            {"left": "0", "relation": "<=", "right": "1", "lemma": True},
            {"relation": "<=", "right": "x + 1"},
            {"relation": "<=", "right": "x + 2"},
        ],
    }
    steps = read_argument_file(document, "file").argument.steps
    assert [str(s.left) for s in steps] == ["0", "x", "x + 1"]
    assert read_argument_file(document, "file").argument.statement.name == "file"


@pytest.mark.parametrize("by", ["x >= 0", ["x"], [3], ["x >= 0 and x <= 1"], ["z >= 0"]])
def test_a_fact_is_a_comparison_of_what_is_known(by: object) -> None:
    document = {
        "format": 2,
        "parameters": {"x": ""},
        "inequality": {"left": "x", "relation": "<=", "right": "x"},
        "step": [{"relation": "<=", "right": "x", "by": by}],
    }
    with pytest.raises(BadInput):
        read_argument_file(document, "file")
