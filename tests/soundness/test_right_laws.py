"""A law that is one is never called wrong, and names of proofs are not shown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.printing import short_text
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.search.wording import without_internal_names
from ahdp_verify.verdicts import Unknown
from tests.earlier_formats import in_this_format
from tests.soundness.test_reasons import (
    ASSERTS,
    BIT,
    CORPUS,
    LINE,
    ONE_RECORD,
    PLANE,
    ROOT,
    TWO_VALUES,
    integral,
    needs_corpus,
    text,
)


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
