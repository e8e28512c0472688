"""A report of claims of every kind: the page is well formed and self-contained, texts are escaped,
numbers are those of a computation by other means, and records in it are accepted.
"""

from __future__ import annotations

import base64
import functools
import math
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify import (
    Abs,
    Domain,
    Limits,
    Mechanism,
    Queries,
    Values,
    Verdict,
    ahdp,
    compose,
    dp,
    eq,
    examine,
    exp,
    finite,
    hdp,
    integer,
    log,
    name,
    oo,
    piecewise,
    real,
    recheck,
    report,
    verify,
)
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.reporting import NoVerdict, Origin, Report, Subject, report_on
from ahdp_verify.reporting.html_page import html_page
from ahdp_verify.search.wording import unknown_verdict
from tests.reporting.pages import check_page, read_page

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "<script>alert(1)</script> \"'&amp; </style> \u202e $x^2$ " + "n" * 300
LABELS = ("<b>", "b\"'&amp;", "Ж中", "w" * 300, "$x$")
s = real("s")


def noisy_count(name_: str, output: str = "s") -> Mechanism:
    W, y = Domain([(0, 1), (1, "1/2"), (1, 2)]), real(output)
    law = exp(-Abs(y - W.sum(lambda x, eps: x))) / 2
    return Mechanism(W, outputs=[y], density=law, name=name_)


def response(name_: str) -> Mechanism:
    """Of five values the true one with probability 3/7, else another."""
    r = finite("r", LABELS)
    law = piecewise(("3/7", eq(r, name("v"))), ("1/7", True))
    return Mechanism(Values(LABELS), outputs=[r], density=law, name=name_)


def cut_off() -> Mechanism:
    """Geometric noise of ratio 1/2 that is never above 2 in size: 1/10, 1/5, 2/5, 1/5, 1/10."""
    W, k = Domain([(1, log(2))]), integer("k")
    law = piecewise((2 ** (-Abs(k - W.size)) * 2 / 5, Abs(k - W.size) <= 2), (0, True))
    return Mechanism(W, outputs=[k], density=law, name="cut-off noise")


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """Claims of every kind, with what was found."""
    count, flip = noisy_count("noisy count"), response(HOSTILE)
    answer = exp(-Abs(s - name("q[1]")) - Abs(name("t"))) / 4
    q = Mechanism(Queries(1), outputs=[s, real("t")], density=answer, name="answer")
    two = compose(*(ahdp(noisy_count(y, y), lambda x, eps: x) for y in ("y1", "y2")))
    argument = load(ROOT / "proofs/public/k-ary-response-level-proof-as-printed.toml")
    assert isinstance(argument, ArgumentFile)
    origin = Origin("a b.toml", "0" * 64, name=HOSTILE, note="`[x](http://y)`", expect="proved")
    return (
        Subject(verify(ahdp(count, lambda x, eps: x)), origin),
        Subject(verify(ahdp(count)), origin),
        Subject(verify(dp(flip, log(3), "any")), origin),
        Subject(verify(dp(flip, log(2), "any")), origin),
        Subject(verify(dp(cut_off(), log(2), delta=Fraction(1, 10)))),
        Subject(verify(dp(cut_off(), log(2), delta=Fraction(99, 1000)))),
        Subject(verify(dp(q, 1, "one"))),
        Subject(verify(two)),
        Subject(examine(argument.argument)),
        Subject(unknown_verdict(ahdp(count), (Declined("smt", "<i>nobody</i> was asked"),))),
        Subject(
            NoVerdict("<u>a claim</u>", "invalid", "<u>a reason</u>"),
            Origin("r.json", "1" * 64, True),
        ),
        Subject(NoVerdict("another claim", "refused", "the total is 2")),
    )


@functools.cache
def whole() -> Report:
    return report_on(subjects(), limits=Limits(seconds=20), date="2026-01-02")


def test_the_page_is_well_formed_and_fetches_nothing() -> None:
    reader = check_page(whole().html)
    assert len(reader.of("section")) == len(subjects()) + 4
    assert len(reader.of("figure")) >= 10
    assert len(reader.of("math")) >= 20
    assert reader.of("a")[0] == {"href": "#main", "class": "skip"}


def test_nothing_is_folded_for_paper() -> None:
    assert all(
        "open" in fold for fold in read_page(html_page(whole().content, opened=True)).of("details")
    )
    assert not any("open" in fold for fold in read_page(whole().html).of("details"))


def test_texts_of_files_are_escaped() -> None:
    page = whole().html
    assert "<script" not in page
    assert "<u>" not in page and "<i>nobody" not in page
    text = read_page(page).text
    assert "<script>alert(1)</script>" in text
    assert "\u202e" not in page
    assert "<i>nobody</i> was asked" in text
    labels = [str(a["aria-label"]) for a in read_page(page).of("svg")]
    assert any("b\\\"'&amp;" in label for label in labels)


def test_markdown_has_the_same_content_and_no_markup_of_others() -> None:
    text = whole().markdown
    assert text.startswith(
        "<!-- ahdp-verify report -->\n# Privacy report: &lt;u\\>a claim&lt;/u\\> and 7 more\n"
    )
    unescaped = re.sub(r"\\(.)", r"\1", text).replace("&lt;", "<").replace("&amp;", "&")
    for wanted in ("What this report does not cover", "Probability of the event", "not accepted"):
        assert wanted in unescaped
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(http", text)
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert len(heads) == len(subjects()) + 4


def test_what_failed_comes_first() -> None:
    text = read_page(whole().html).text
    assert str(whole()) == (
        "12 claims: 1 not accepted, 1 not well defined, 3 refuted, 1 unknown, 6 proved; "
        "1 argument not shown to be valid"
    )
    places = [
        text.index(f"{i}. {word}") for i, word in enumerate(("<u>a claim", "another claim"), 1)
    ]
    assert places == sorted(places)
    shown = [subject.outcome for subject in sorted(whole().subjects, key=lambda x: x.rank)]
    assert shown[:2] == ["invalid", "refused"]
    assert shown[-1] == "proved"
    assert "the file expects proved" in text


def rows_of(page: str, caption: str) -> list[list[str]]:
    """The cells of the first table with this caption in a page, its head left out."""
    table = page[page.index(caption) :]
    body = table[table.index("<tbody>") : table.index("</tbody>")]
    return [
        [read_page(cell).text for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", body)
    ]


def section(subject: Subject) -> str:
    """The section of one claim in the whole page."""
    number = sorted(subjects(), key=lambda x: x.rank).index(subject) + 1
    found = re.search(
        rf'<section [^>]*aria-labelledby="claim-{number}">.*?</section>', whole().html, re.DOTALL
    )
    assert found is not None
    return found[0]


def one(verdict: Verdict) -> str:
    """A page about another verdict."""
    return report_on([Subject(verdict)], date="2026-01-02").html


def test_probabilities_are_exact_and_enclosed() -> None:
    """s < 0 has the probability 1/2 at {} and exp(-1)/2 at one record (1, 1/2), and the claim
    allows exp(1/2) exp(-1)/2.
    """
    rows = rows_of(section(subjects()[1]), "Probability of the event")
    wanted = (0.5, math.exp(-1) / 2, 0.5, math.exp(-0.5) / 2)
    assert [row[1] for row in rows] == ["1/2", "exp(-1)/2", "1/2", "exp(-1/2)/2"]
    for value, row in zip(wanted, rows, strict=True):
        low, high = (
            map(float, row[2].strip("[]").split(", "))
            if row[2].startswith("[")
            else (float(Fraction(row[2])),) * 2
        )
        assert low <= value <= high <= low * (1 + 1e-5)


def test_the_delta_of_a_claim_is_part_of_what_is_allowed() -> None:
    """The outcome -2 has probability 1/10 at {} and 0 at one record, so only delta is allowed."""
    rows = rows_of(section(subjects()[5]), "Probability of the event")
    assert [row[2] for row in rows] == ["1/10", "0", "[0.693147, 0.693148]", "99/1000", "99/1000"]


def test_levels_stand_against_demands() -> None:
    """One more record x moves the location by x, so its loss is x; the level eps is claimed."""
    rows = rows_of(section(subjects()[1]), "Levels against the demands")
    assert [row[0] for row in rows] == ["(0, 1)", "(1, 1/2)", "(1, 2)"]
    assert [row[1] for row in rows] == [row[2] for row in rows] == ["1", "1/2", "2"]
    assert [row[4] for row in rows] == ["0", "1", "1"]
    assert [row[6] for row in rows] == ["yes", "no", "yes"]
    for row, level in zip(rows, (1, 0.5, 2), strict=True):
        low, high = map(float, row[3].strip("[]").split(", "))
        assert low <= math.exp(level) <= high


def test_what_a_level_means_for_a_belief() -> None:
    (value,) = re.findall(
        r"more likely than ([0-9./]+) after it", read_page(section(subjects()[2])).text
    )
    assert Fraction(value) == Fraction(3, 4)
    assert "more likely than" not in read_page(section(subjects()[3])).text  # it is refuted
    assert "more likely than" not in read_page(section(subjects()[4])).text  # it has a delta


def test_records_without_protection_are_named() -> None:
    W = Domain([(0, 1), (1, 2), (1, oo)])
    law = exp(-Abs(s - W.sum(lambda x, eps: (1 - exp(-eps)) * x))) / 2
    claim = ahdp(Mechanism(W, outputs=[s], density=law, name="weighted"))
    text = read_page(one(verify(claim))).text
    assert "Not protected (their level is infinite, which allows everything): (1, oo)." in text
    assert "records of the domain of finite level, the largest factor is between 7.38905" in text
    assert "more likely than" not in text


def test_a_demand_is_kept_beyond_a_size_only_if_that_is_shown() -> None:
    """A proof for at most 1 record does not show that demands are kept on larger datasets, and a
    level that only tighten proves does.
    """
    claim = ahdp(noisy_count("noisy count"), lambda x, eps: 2 * x)
    small = verify(claim, size=1)
    assert isinstance(small, Proved)
    assert small.scope.size == 1
    page = one(small)
    assert "This holds for datasets of at most 1 record." in read_page(page).text
    assert "more likely than" not in read_page(page).text
    rows = rows_of(page, "Levels against the demands")
    assert [row[6] for row in rows] == ["yes", "no", "yes"]  # by the least levels 0, 1, 1


def test_a_record_in_the_page_is_accepted_by_both_checkers(tmp_path: Path) -> None:
    reader = read_page(whole().html)
    kept = [a for a in reader.of("a") if "download" in a]
    assert len(kept) == 9  # all but an Unknown and two without a verdict
    for link in kept:
        data = base64.b64decode(str(link["href"]).partition("base64,")[2])
        (tmp_path / str(link["download"])).write_bytes(data)
    paths = sorted(tmp_path.iterdir())
    for path in paths:
        recheck(path)
    words = [sys.executable, str(ROOT / "proofs/recheck"), *map(str, paths)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_unknown_says_why_and_what_may_help() -> None:
    text = read_page(section(subjects()[9])).text
    assert "must not be relied on" in text
    assert "<i>nobody</i> was asked" in text
    assert "--size 3" in text


def test_only_what_the_checker_accepts_is_reported() -> None:
    proof = subjects()[0].verdict
    assert isinstance(proof, Proved)
    forged = replace(proof, claim=ahdp(proof.claim.mechanism, lambda x, eps: x / 2))  # type: ignore[union-attr]
    with pytest.raises(Rejected):
        report(forged)


@pytest.mark.parametrize("nothing", [(), [None], 3 * ("a",)])
def test_there_has_to_be_a_verdict(nothing: tuple[Verdict, ...]) -> None:
    with pytest.raises(BadInput, match="there is no verdict to report"):
        report(nothing)


def test_a_vacuous_proof_says_that_it_says_nothing() -> None:
    lone = Mechanism(Domain([(1, 1)]), outputs=[s], density=exp(-Abs(s)) / 2, name="alone")
    text = read_page(one(verify(hdp(lone)))).text
    assert "1 proved vacuously" in text
    assert "The claim says nothing: nothing is compared: no record of finite level can" in text
    assert "more likely than" not in text
