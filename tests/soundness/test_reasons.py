"""No reason claims more than was shown: an error is reported with its place, everything else only
as not shown.

The distribution at the named place is computed here by hand-written functions (exact fractions, or
quadrature for densities), which share no code with the package.
"""

from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.analysis.inputs import distance_between, law_at_input
from ahdp_verify.analysis.moments.asymptotics import average, limit
from ahdp_verify.analysis.power.best import check_prior_weights
from ahdp_verify.cli import app as cli
from ahdp_verify.datasets import Multiset
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput, LawFault, NotWorkedOut, Unsupported, with_location
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import real
from ahdp_verify.kernel.terms.expression import log
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify

ROOT = Path(__file__).resolve().parents[2]
SHARED = (
    ROOT.parent / "shared" if (ROOT.parent / "shared").is_dir() else ROOT.parent.parent / "shared"
)
CORPUS = SHARED / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")
ASSERTS = re.compile(
    r"is negative|has no finite|total mass is|does not decay|is not a sum of|changes inside|, not "
    r"1\b|divides by 0"
)

ONE_RECORD = '[domain]\nrecords = [["1", "1"]]\n'
TWO_VALUES = '[domain]\nvalues = ["0", "1"]\n'
BIT = 'outputs = [{name = "r", kind = "finite", values = ["0", "1"]}]\n'
LINE = 'outputs = [{name = "y", kind = "real"}]\n'
PLANE = 'outputs = [{name = "a", kind = "real"}, {name = "b", kind = "real"}]\n'


def text(
    domain: str, mechanism: str, relation: str = "add-remove", before: str = "", level: str = "1"
) -> str:
    """A mechanism file with one claim."""
    return (
        f'format = 2\nname = "m"\n{before}{domain}[mechanism]\n{mechanism}[[claim]]\nrelation '
        f'= "{relation}"\nlevel = "{level}"\n'
    )


def integral(f: Callable[[float], float], bound: float = 60.0, steps: int = 24_000) -> float:
    """The integral of a density over [-bound, bound] by Simpson's rule."""
    h = 2 * bound / steps
    ends = f(-bound) + f(bound)
    return h / 3 * (ends + sum((4 if i % 2 else 2) * f(-bound + i * h) for i in range(1, steps)))


# what is found is reported with its place and its value


@dataclass(frozen=True, slots=True)
class Fault:
    """A mechanism that is none at some input: where, what is said, and the value there and the
    least input, worked out without the package.
    """

    domain: str
    mechanism: str
    said: str
    shown: Callable[[], bool]
    relation: str = "add-remove"
    before: str = ""


def total_of_bump(n: int) -> float:
    """The total of the noisy count with a bump, numerically."""
    bump = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) / 1000
    return integral(lambda y: (math.exp(-abs(y - n)) + bump * math.exp(-abs(y))) / 2)


def geometric_total(n: int) -> Fraction:
    """The total of the truncated geometric count, exactly."""
    q = Fraction(1, 2)
    inner = sum((1 - q) / (1 + q) * q ** abs(k - n) for k in (1, 2))
    return q**n / (1 + q) + q ** (3 - n) / (1 + q) + inner


FAULTS = {
    "total": Fault(
        ONE_RECORD,
        BIT + 'density = "piecewise((1/2, size < 3), (7/12, true))"\n',
        "at {3 x (1, 1)} the total is 7/6, not 1",
        lambda: 2 * Fraction(7, 12) == Fraction(7, 6),
    ),
    "geometric": Fault(
        '[domain]\nrecords = [["0", "log(2)"]]\n',
        'outputs = [{name = "k", kind = "finite", values = ["0", "1", "2", "3"]}]\n'
        'density = "piecewise((2/3/2^size, k == 0), (2/3/2^(3 - size), k == 3), (1/3/2^abs(k - '
        'size), true))"\n',
        "at {4 x (0, log(2))} the total is 3/2, not 1",
        lambda: [geometric_total(n) for n in range(5)] == [1, 1, 1, 1, Fraction(3, 2)],
    ),
    "bump": Fault(
        ONE_RECORD,
        LINE
        + 'density = "(exp(-abs(y - size)) + size*(size - 1)*(size - 2)*(size - 3)*(size - 4)*exp(-abs(y))/1000)/2"\n',
        "at {5 x (1, 1)} the total is 28/25, not 1",
        lambda: [round(total_of_bump(n), 3) for n in range(6)] == [1, 1, 1, 1, 1, 1.12],
    ),
    "negative": Fault(
        ONE_RECORD,
        BIT + 'density = "piecewise(((2 - size)/2, r == 0), (size/2, true))"\n',
        "at {3 x (1, 1)}, output r = 0 the probability is -1/2",
        lambda: [Fraction(2 - n, 2) for n in range(4)] == [1, Fraction(1, 2), 0, Fraction(-1, 2)],
    ),
    "atom": Fault(
        ONE_RECORD,
        LINE
        + 'density = "(1/2 + size/4)*exp(-abs(y))/2"\natoms = [{at = "NULL", mass = "1/2 - size/4"}]\n',
        'at {3 x (1, 1)}, output "NULL" the probability is -1/4',
        lambda: (
            min(n for n in range(9) if Fraction(1, 2) - Fraction(n, 4) < 0) == 3
            and Fraction(1, 2) - Fraction(3, 4) == Fraction(-1, 4)
        ),
    ),
    "flat": Fault(
        ONE_RECORD,
        LINE + 'density = "exp(-size*abs(y))*max(size, 1)/2"\n',
        "at the empty dataset the density does not decay as y tends to oo, so its total is "
        "infinite",
        lambda: all(math.exp(-0 * abs(y)) * max(0, 1) / 2 == 0.5 for y in (0.0, 1e3, 1e9)),
    ),
    "logarithm": Fault(
        ONE_RECORD,
        BIT + 'density = "piecewise((1/(2 + log(size)), r == 0), (1 - 1/(2 + log(size)), true))"\n',
        "at the empty dataset, output r = 0 the probability has no value: the logarithm or a root "
        "of 0 is taken",
        lambda: (
            all(math.log(n) >= 0 for n in range(1, 9))
            and all(math.log(10.0**-k) < -2 * k for k in range(1, 300))
        ),
    ),
    "case": Fault(
        ONE_RECORD,
        BIT + 'density = "piecewise((1/2, size <= 1), (1/2, size >= 3))"\n',
        "at {2 x (1, 1)}, output r = 0 the probability has no value: a piecewise "
        "expression has no branch that holds",
        lambda: [n for n in range(9) if not (n <= 1 or n >= 3)] == [2],
    ),
    "division": Fault(
        ONE_RECORD,
        BIT + 'density = "piecewise((1/(3 - size), r == 0), (1 - 1/(3 - size), true))"\n',
        "at {3 x (1, 1)}, output r = 0 the probability divides by 0",
        lambda: [n for n in range(9) if 3 - n == 0] == [3],
    ),
    "universal": Fault(
        '[domain]\nuniversal = true\nunknowns = {x = "0 <= x and x <= 1"}\n',
        BIT + 'density = "piecewise(((1 + sum(x))/3, r == 1), ((2 - sum(x))/3, true))"\n',
        "at {3 x (eps = 1, x = 1)}, output r = 0 the probability is -1/3",
        lambda: Fraction(2 - 3 * 1, 3) == Fraction(-1, 3),
    ),
    "queries": Fault(
        '[domain]\nqueries = "2"\n',
        BIT
        + 'density = "piecewise((1/2 + (q[1] - q[2])/50, r == 0), (1/2 - (q[1] - q[2])/50, true))"\n',
        "at the query answers (40, 0), output r = 1 the probability is -3/10",
        lambda: Fraction(1, 2) - Fraction(40 - 0, 50) == Fraction(-3, 10),
        "one",
    ),
    "parameter": Fault(
        TWO_VALUES,
        BIT + 'density = "piecewise((p, r == v), (1 - p, true))"\n',
        "at p = 2, the input 0, output r = 1 the probability is -1",
        lambda: 1 - 2 == -1,
        "any",
        '[parameters]\np = "1 < p and p <= 2"\n',
    ),
}


@pytest.mark.parametrize("key", FAULTS)
def test_a_fault_that_was_found_is_bad_input_and_names_its_place(key: str, tmp_path: Path) -> None:
    fault = FAULTS[key]
    assert fault.shown(), "the value at the named place, worked out without the package"
    path = tmp_path / "m.toml"
    path.write_text(text(fault.domain, fault.mechanism, fault.relation, fault.before))
    with pytest.raises(LawFault) as found:
        verify(load(path).claims[0], Limits(seconds=20))
    assert fault.said in str(found.value)


def test_a_found_fault_ends_with_2_and_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.toml"
    path.write_text(text(FAULTS["geometric"].domain, FAULTS["geometric"].mechanism))
    monkeypatch.setattr("sys.argv", ["ahdp-verify", "verify", str(path)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


# what is not known is not bad input: each pair is one question whose answer is found, and one like
# it whose answer is only not found

UNKNOWN_VALUE = (
    "floor(exp(10^6))"  # a whole number of some 434,295 digits, which is beyond what is worked out
)
# above 0, since exp(t) > 1 for t > 0, but below 2^-28000, and enclosures have 4096 bits
TINY = "exp(exp(0 - 20000)) - 1"


def constants(value: str, demand: str = "1", level: str = "1", before: str = "") -> str:
    """A file whose one record, level and parameters are constants."""
    return text(
        f'[domain]\nrecords = [["{value}", "{demand}"]]\n',
        LINE + 'density = "exp(-abs(y - size))/2"\n',
        before=before,
        level=level,
    )


def two_values(first: str, second: str) -> str:
    """A file whose output has two values."""
    return text(
        ONE_RECORD,
        f'outputs = [{{name = "r", kind = "finite", values = ["{first}", "{second}"]}}]\ndensity '
        f'= "1/2"\n',
    )


def noise(condition: str) -> str:
    """Noise whose scale is a parameter."""
    return text(
        ONE_RECORD,
        LINE + 'density = "exp(-abs(y - size)/b)/(2*b)"\n',
        before=f'[parameters]\nb = "{condition}"\n',
    )


GAUSS = text(
    ONE_RECORD, LINE + 'density = "exp(-(y - size)^4)"\n'
)  # its total is 2 Gamma(5/4), which is 1.81...

PAIRS = {  # what is asked, with the exit code and a part of the sentence of each
    "a value": (
        ["verify"],
        constants("log(0)"),
        "log(0) has no value;",
        ["verify"],
        constants(UNKNOWN_VALUE),
        "has no value that was found (",
    ),
    "a value, as a record of JSON": (
        ["verify", "--json"],
        constants("1/0"),
        "1/0 has no value;",
        ["verify", "--json"],
        constants(f"1/({TINY})"),
        "has no value that was found (",
    ),
    "a demand": (
        ["verify"],
        constants("1", "0 - 1"),
        "is negative;",
        ["verify"],
        constants("1", UNKNOWN_VALUE),
        "has no value that was found (",
    ),
    "equal values": (
        ["verify"],
        two_values("1", "2 - 1"),
        "is listed twice;",
        ["verify"],
        two_values("1", "exp(exp(0 - 20000))"),
        "are not known to differ;",
    ),
    "a parameter": (
        ["sample", "--dataset", "1", "--set", "b=log(0)"],
        noise("b > 0"),
        "log(0) has no value;",
        ["sample", "--dataset", "1", "--set", f"b=1/({TINY})"],
        noise("b > 0"),
        "has no value that was found (",
    ),
    "a condition of a parameter": (
        ["sample", "--dataset", "1", "--set", "b=0"],
        noise("b > 0"),
        "does not hold",
        ["sample", "--dataset", "1", "--set", f"b={TINY}"],
        noise("b > 0"),
        "is not decided",
    ),
    "a level at an input": (
        ["tradeoff", "--first", "0", "--second", "1", "--level", "0 - 1"],
        constants("1"),
        "is negative",
        ["tradeoff", "--first", "0", "--second", "1", "--level", UNKNOWN_VALUE],
        constants("1"),
        "has no value that was found (",
    ),
    "a law to draw from": (
        ["sample", "--dataset", "0"],
        text(ONE_RECORD, LINE + 'density = "exp(-abs(y)/size)/(2*size)"\ndefined = "size >= 1"\n'),
        "not defined there",
        ["sample", "--dataset", "2"],
        GAUSS,
        "no way to draw from this distribution was found (",
    ),
    "a range": (
        ["calibrate", "--parameter", "b"],
        noise("b > 2 and b < 1"),
        "allows no value;",
        ["calibrate", "--parameter", "b"],
        noise("b^3 > 1"),
        "could not be read as an interval;",
    ),
}


@pytest.mark.parametrize("key", PAIRS)
def test_what_was_not_worked_out_ends_with_3_and_what_was_found_with_2(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.toml"
    for code, (words, content, said) in ((2, PAIRS[key][:3]), (3, PAIRS[key][3:])):
        path.write_text(content)
        monkeypatch.setattr("sys.argv", ["ahdp-verify", words[0], str(path), *words[1:]])
        with pytest.raises(SystemExit) as end:
            cli.main()
        shown = capsys.readouterr()
        out = [json.loads(line) for line in shown.out.splitlines()]
        assert end.value.code == code and len(out) == words.count("--json"), shown
        for document in out:
            assert document["verdict"] == {2: "refused", 3: "unknown"}[code]
            assert shown.err == f"ahdp-verify: {document['reason']}\n"
        assert (
            said in shown.err
            and shown.err.count("\n") == 1
            and shown.err.startswith("ahdp-verify: ")
        )
        assert code == 2 or re.search(
            r"not (be )?(found|known|worked|shown|decided|read)|that was found|was found", shown.err
        )


def test_a_refusal_names_its_file_and_keeps_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    for content, kind in (
        (constants("log(0)"), BadInput),
        (constants(UNKNOWN_VALUE), NotWorkedOut),
    ):
        path.write_text(content)
        with pytest.raises(kind, match=r"m\.toml, domain.*: .* has no value"):
            load(path)


def test_an_error_that_is_not_bad_input_keeps_its_fields() -> None:
    error = NotWorkedOut("level", "its sign is not known", "give a number")
    assert not isinstance(error, BadInput) and isinstance(error, Unsupported)
    assert str(error) == error.reason == "level: its sign is not known; give a number" and (
        error.where,
        error.why,
    ) == ("level", "its sign is not known")
    again = pickle.loads(pickle.dumps(error))
    assert (again.where, again.why, again.cure) == (error.where, error.why, error.cure)
    assert (
        str(with_location(error, "m.toml, level"))
        == "m.toml, level: its sign is not known; give a number"
        and type(with_location(error, "")) is NotWorkedOut
    )
    assert type(with_location(BadInput("a", "b"), "c")) is BadInput


def test_datasets_of_unlisted_records_have_no_distance_0() -> None:
    """{x = 0} and {x = 1} differ by two records, each of which costs 1; that no count differs is
    not a reason to call them equal.
    """
    W = Domain.universal(unknowns={"x": "0 <= x and x <= 1"})
    M = Mechanism(
        W, outputs=[real("y")], density=parse("exp(-abs(y - sum(x)))/2", "density", records=W.bound)
    )
    with pytest.raises(BadInput, match="the records of a universal domain are not listed"):
        distance_between(M, [{"x": 0, "eps": 1}], [{"x": 1, "eps": 1}], "1")


def test_a_record_is_one_of_the_domain_however_its_constants_are_written() -> None:
    """2 log 2 = log 4, so none of these may say that there is no such record or value."""
    W, y = Domain([(log(4), 1), (1, log(4))]), real("y")
    assert Multiset(W, [(2 * log(2), 1), (1, 2 * log(2))]).counts == (1, 1)
    M = Mechanism(
        W, outputs=[y], density=parse("exp(-abs(y - sum(x)))/2", "density", records=W.bound)
    )
    assert str(limit(M, {(2 * log(2), 1): 1}, of=y / W.size)) in ("2*log(2)", "log(4)")
    local = Mechanism(Values([log(4), 1]), outputs=[y], density=parse("exp(-abs(y))/2", "density"))
    assert law_at_input(local, 2 * log(2)).text == law_at_input(local, log(4)).text
    with pytest.raises(BadInput, match="is not a record of the domain"):
        Multiset(W, [(2 * log(3), 1)])


@pytest.mark.parametrize(
    ("weights", "kind", "said"),
    [
        (("1/2", "1/3"), BadInput, "add up to 5/6, not to 1"),
        (("3/2", "-1/2"), BadInput, "negative"),
        (
            ("1/2", f"1/2 + {TINY}"),
            NotWorkedOut,
            "not shown",
        ),  # the sum is above 1, but by too little to be seen
    ],
)
def test_weights_are_wrong_or_not_shown_to_be_right(
    weights: tuple[str, str], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        average("x", [((0, 1), weights[0]), ((1, 1), weights[1])])
    with pytest.raises(kind, match=said):
        check_prior_weights([parse(w, "prior") for w in weights])
