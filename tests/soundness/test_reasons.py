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
from itertools import pairwise
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
from ahdp_verify.kernel.terms.printing import short_text
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.search.wording import without_internal_names
from ahdp_verify.verdicts import Unknown
from tests.earlier_formats import in_this_format

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


# a law that is one is never called wrong


@dataclass(frozen=True, slots=True)
class Law:
    """A law that is one: the total at some inputs is worked out without the package."""

    domain: str
    mechanism: str
    totals: Callable[[], list[float]]
    relation: str = "add-remove"


def nested(f: Callable[[float, float], float], bound: float = 12.0, steps: int = 240) -> float:
    """The integral of a density of two outputs by the midpoint rule, whose points avoid the
    kinks.
    """
    h = 2 * bound / steps
    points = [-bound + (i + 0.5) * h for i in range(steps)]
    return h * h * sum(f(a, b) for a in points for b in points)


LAWS = {
    "mixture of products": Law(
        TWO_VALUES,
        PLANE + 'density = "(2*exp(-abs(a - v) - 2*abs(b)) + exp(-abs(a) - abs(b)))/8"\n',
        lambda: [
            nested(
                lambda a, b, v=v: (
                    (2 * math.exp(-abs(a - v) - 2 * abs(b)) + math.exp(-abs(a) - abs(b))) / 8
                )
            )
            for v in (0, 1)
        ],
        "any",
    ),
    "powers of two": Law(
        ONE_RECORD,
        'outputs = [{name = "a", kind = "integer"}, {name = "b", kind = "integer"}]\ndensity = '
        '"1/9*2^(-abs(a - size) - abs(b))"\n',
        lambda: [
            sum(2.0 ** (-abs(a - n) - abs(b)) / 9 for a in range(-40, 40) for b in range(-40, 40))
            for n in (0, 2)
        ],
    ),
    "Cauchy": Law(
        ONE_RECORD,
        LINE + 'density = "1/(pi*(1 + (y - size)^2))"\n',
        lambda: [2 * math.atan(1e9) / math.pi],
    ),
    "logistic": Law(
        ONE_RECORD,
        LINE + 'density = "exp(-(y - size))/(1 + exp(-(y - size)))^2"\n',
        lambda: [
            integral(lambda y, n=n: math.exp(-(y - n)) / (1 + math.exp(-(y - n))) ** 2)
            for n in (0, 3)
        ],
    ),
    "triangle": Law(
        ONE_RECORD,
        LINE + 'density = "max(0, 1 - abs(y - size))"\n',
        lambda: [integral(lambda y, n=n: max(0.0, 1 - abs(y - n))) for n in (0, 3)],
    ),
    "slow decay": Law(
        ONE_RECORD, LINE + 'density = "1/(2*(1 + abs(y - size))^2)"\n', lambda: [1 - 1 / (1 + 1e9)]
    ),
    "a division in a case that does not occur": Law(
        ONE_RECORD,
        LINE
        + 'density = "piecewise((exp(-abs(y))/2, size == 0), (exp(-abs(y/size))/(2*size), true))"\n',
        lambda: [
            integral(lambda y: math.exp(-abs(y)) / 2),
            *(integral(lambda y, n=n: math.exp(-abs(y / n)) / (2 * n)) for n in (1, 2)),
        ],
    ),
    "noisy maximum": Law(
        '[domain]\nqueries = "2"\n',
        BIT
        + 'density = "piecewise((1 - exp(-abs(q[1] - q[2])/2)*(1/2 + abs(q[1] - q[2])/8), (r == 0) == (q[1] >= q[2])), '
        '(exp(-abs(q[1] - q[2])/2)*(1/2 + abs(q[1] - q[2])/8), true))"\n'.replace(
            "(r == 0) == (q[1] >= q[2])", "r == 0 and q[1] >= q[2] or r == 1 and q[1] < q[2]"
        ),
        lambda: [
            (1 - (s := math.exp(-d / 2) * (1 / 2 + d / 8))) + s + (0 if 0 <= s <= 1 else 9)
            for d in (0.0, 0.3, 1.0, 4.0, 30.0)
        ],
        "all",
    ),
    "one record of a universal domain": Law(
        '[domain]\nuniversal = true\nunknowns = {x = "0 <= x and x <= 1"}\n',
        BIT
        + 'density = "piecewise(((1 + sum(x))/3, r == 1), ((2 - sum(x))/3, true))"\ndefined = "size == 1"\n',
        lambda: [(1 + x) / 3 + (2 - x) / 3 + (0 if x <= 2 else 9) for x in (0.0, 0.5, 1.0)],
        "swap",
    ),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", LAWS)
def test_a_law_that_is_one_is_never_called_wrong(key: str, tmp_path: Path) -> None:
    law = LAWS[key]
    assert all(abs(total - 1) < 2e-3 for total in law.totals()), "it is a law"
    path = tmp_path / "m.toml"
    path.write_text(text(law.domain, law.mechanism, law.relation))
    found = verify(load(path).claims[0], Limits(seconds=0.4))
    if isinstance(found, Unknown):
        assert not [d for d in found.reasons if ASSERTS.search(d.reason)]
        assert internal(found) == []


@needs_corpus
@pytest.mark.parametrize(
    ("file", "said"),
    [
        (
            "second/14d_noisymax_laplace_says_law_is_negative.toml",
            "the total was not shown to be 1",
        ),
        (
            "second/24_cauchy.toml",
            "the total was not shown to be 1: the sign of 1 - 2*size*y + size^2 + y^2",
        ),
        (
            "second/p2-05-partition-formula-pieces.toml",
            "the total was not shown to be 1: 1 - d - d*exp(e) was not shown to be >= 0",
        ),
        (
            "second/p2-22-min-universal-local.toml",
            "the total was not shown to be 1: 2/3 - sum(x)/3 was not shown to be >= 0",
        ),
        ("second/p2-02-min-false-total.toml", "the total was not shown to be 1"),
        ("second/p2-10-min-false-total.toml", "the total was not shown to be 1"),
        ("robust/message-no-finite-value.toml", "it may be too large"),
    ],
)
def test_the_corpus_is_told_the_truth(file: str, said: str, tmp_path: Path) -> None:
    """These laws are laws, and the constant of the last one is finite (the corpus says so), so a
    decision is as right as this reason.
    """
    found = verify(load(in_this_format(CORPUS / file, tmp_path)).claims[0], Limits(seconds=0.4))
    if isinstance(found, Unknown):
        reasons = [d.reason for d in found.reasons]
        assert any(said in reason for reason in reasons) or any(
            "stopped after" in reason for reason in reasons
        )
        assert not [reason for reason in reasons if ASSERTS.search(reason)]
        assert internal(found) == []


# names of proofs are not shown


def internal(found: Unknown) -> list[str]:
    """Names in the reasons that no user wrote."""
    shown = "; ".join(d.reason for d in found.reasons)
    return re.findall(r"[@#]\w*", re.sub(r'"[^"]*"', "", shown))


ODD = {
    "two sums": (
        '[domain]\nrecords = [["0", "1"], ["1", "1"], ["1", "2"]]\n',
        LINE + 'density = "1/(pi*(1 + (y - sum(x) - sum(eps))^2))"\n',
        "ahdp",
    ),
    "counts": (
        '[domain]\nrecords = [["0", "1"], ["1", "1"]]\n',
        BIT
        + 'density = "piecewise((1/(2 + (size - 2*sum(x))^2), r == 1), (1 - 1/(2 + (size - 2*sum(x))^2), true))"\n',
        "add-remove",
    ),
    "extremes": (
        '[domain]\nrecords = [["0", "1"], ["1", "1"], ["5", "1"]]\n',
        LINE + 'density = "max(0, 1 - abs(y - maximum(x)))"\ndefined = "size >= 1"\n',
        "swap",
    ),
    "moved answers": (
        '[domain]\nqueries = "2"\n',
        LINE + 'density = "exp(-abs(y - q[1]*q[2]))/2"\n',
        "all",
    ),
    "labels": (
        '[domain]\nrecords = [["\\"@1\\"", "1"], ["\\"#2\\"", "1"]]\n',
        LINE + 'density = "max(0, 1 - abs(y - count(x == \\"@1\\")))"\n',
        "add-remove",
    ),
    "roots": (
        '[domain]\nrecords = [["2", "1"], ["3", "1"]]\n',
        BIT
        + 'density = "piecewise((1/(1 + sqrt(1 + sum(x))), r == 1), (1 - 1/(1 + sqrt(1 + sum(x))), true))"\n',
        "add-remove",
    ),
    "floors": (ONE_RECORD, LINE + 'density = "exp(-floor(abs(y - size)^2))"\n', "add-remove"),
    "too strong": (ONE_RECORD, LINE + 'density = "exp(-abs(y - size)/s)/(2*s)"\n', "add-remove"),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("key", ODD)
def test_no_reason_holds_a_name_that_no_user_wrote(key: str, tmp_path: Path) -> None:
    domain, mechanism, relation = ODD[key]
    path = tmp_path / "m.toml"
    path.write_text(
        text(
            domain, mechanism, relation, '[parameters]\ns = "s > 0"\n' if "/s)" in mechanism else ""
        )
    )
    try:
        found = verify(load(path).claims[0], Limits(seconds=0.3))
    except BadInput as error:
        assert "@" not in re.sub(r'"[^"]*"', "", error.reason) and "#" not in re.sub(
            r'"[^"]*"', "", error.reason
        )
        return
    assert not isinstance(found, Unknown) or internal(found) == []


@needs_corpus
def test_no_reason_of_the_corpus_holds_a_name_that_no_user_wrote(tmp_path: Path) -> None:
    for path in sorted(CORPUS.glob("second/*min*.toml")):
        try:
            found = verify(load(in_this_format(path, tmp_path)).claims[0], Limits(seconds=0.1))
        except BadInput as error:
            assert "@" not in str(error)
            continue
        assert not isinstance(found, Unknown) or internal(found) == [], path.name


def test_words_stand_for_names_and_labels_stay() -> None:
    claim = load(ROOT / "proofs" / "public" / "answer-negative-from-three-records.toml").claims[0]
    m = claim.mechanism
    assert without_internal_names('@1 - 2*#1 >= 0, @c1, @level, @7 and "@1" of ann@1', m) == (
        "size - 2*count of (1, 1) >= 0, (size of the added record), (the level of the added "
        'record), a quantity of the proof and "@1" of ann@1'
    )


def test_a_text_is_cut_where_a_word_ends() -> None:
    """A cut name would be another name: #12 must not become #1."""
    whole = " + ".join(f"#{i}*@{i}" for i in range(10, 60))
    for most in range(20, 120):
        shown = short_text(whole, most)
        assert shown.endswith(" ...")
        assert set(re.findall(r"[@#]\d*", shown)) <= set(re.findall(r"[@#]\d*", whole))
    assert all(a <= b for a, b in pairwise(len(short_text(whole, most)) for most in range(20, 120)))
