"""What notebooks show: every kind of object, whatever is in its names."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from ahdp_verify import (
    Abs,
    Argument,
    Claim,
    Domain,
    Inequality,
    Mechanism,
    Multiset,
    Program,
    ProgramClaim,
    Queries,
    Refuted,
    Step,
    Values,
    ahdp,
    assume,
    best_power,
    calibrate,
    compose,
    delta,
    dp,
    eq,
    examine,
    exp,
    extra_records,
    finite,
    indicator,
    label,
    log,
    name,
    number,
    oo,
    piecewise,
    power,
    ranges,
    real,
    simulate,
    tighten,
    tradeoff,
    verify,
)
from ahdp_verify.analysis.divergence.curve import delta_curve
from ahdp_verify.analysis.power.table import power_table
from ahdp_verify.display import formulas
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import Draw, Release, Stop
from ahdp_verify.verdicts import Unknown
from tests.programs_by_hand import (
    buggy_twin,
    claim,
    contest,
    most_popular,
    refuted,
    sparse_vector,
    total_at_the_end,
)

HOSTILE = '</p><script>alert(1)</script> $\\input{x}$ "&amp;" <img src=x onerror=y>'
MARK = label(HOSTILE)
s, r, b, q = real("s"), real("r"), name("b"), name("q[1]")
W = Domain([(MARK, 0), ("a", "1/2"), ((label("c")), oo)])
TAGS = {"p", "b", "br", "pre", "div", "table", "tr", "th", "td", "ol", "li", "code"}
MATHML = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "msub", "msup"}
ATTRIBUTES = {"style", "scope", "xmlns", "display", "displaystyle", "stretchy", "fence", "form"}
ATTRIBUTES |= {"columnalign", "width", "mathvariant", "linethickness", "separator", "movablelimits"}
MATHML |= {"msubsup", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle"}


def noisy_count(output: Any = s) -> Mechanism:
    density = exp(-Abs(output - W.count(("a", "1/2")))) / 2
    return Mechanism(W, outputs=[output], density=density, name=HOSTILE)


def noise() -> Mechanism:
    density = exp(-Abs(s - q) / b) / (2 * b)
    return Mechanism(
        Queries(1), outputs=[s], density=density, parameters={"b": "b > 0"}, name=HOSTILE
    )


def coin() -> Mechanism:
    w = finite("w", [MARK, "no"])
    law = piecewise((number("2/3"), eq(w.symbol, MARK)), (number("1/3"), True))
    return Mechanism(Values([MARK, "no"]), outputs=[w], density=law, name="coin")


def clamped() -> Mechanism:
    law = indicator(s.symbol > 0) * exp(-s.symbol) / 2
    return Mechanism(W, outputs=[s], density=law, atoms={MARK: "1/2"}, defined="size >= 1")


def objects() -> Iterator[object]:
    """One object of each kind that a notebook may show."""
    M = noisy_count()
    false = verify(dp(M, "1/3"))
    assert isinstance(false, Refuted)
    yield from (W, Domain.universal(unknowns={"f": "0 <= f <= 1"}, parameters={"h": "h > 0"}))
    yield from (Values([MARK, (label("a"))]), Queries(5), Multiset(W, [1, 2, 0]), Multiset(W))
    yield from (
        M,
        noise(),
        coin(),
        clamped(),
        dp(M, 1),
        assume(W, "ahdp", name("eps"), text=HOSTILE),
    )
    whole = compose(dp(M, 1), dp(noisy_count(r), 1), name=HOSTILE)
    yield from (whole, whole.mechanism, verify(dp(M, 1)), false, Unknown(dp(M, 1), ()))
    yield from (false.counterexample, simulate(false, 100, 0), tighten(M, "add-remove"))
    yield from (delta(M, 0, "add-remove"), delta_curve(dp(M, 1), ["0", "1/2"]))
    yield from (tradeoff(M, [0, 0, 0], [0, 1, 0]), power(M, [[0, 0, 0], [0, 1, 0]]))
    of_noise = Claim(noise(), "one", number("1/3"))
    yield from (ranges(of_noise), calibrate(of_noise, "b"))
    best = Domain([(MARK, log(2)), ("b", log(3))])
    yield from (best_power(best, extra_records(1)), power_table(best, 2, (), None))
    order = Inequality.of({"y": "y >= 0"}, "exp(y)", ">=", "1", name=HOSTILE)
    yield order
    yield examine(Argument(order, (Step(order.left, ">=", order.right, HOSTILE),)))
    yield from programs()


def programs() -> Iterator[object]:
    """Noise programs, with claims and verdicts about them."""
    marked = Draw("nu", "laplace", number(1), Release(MARK, Release(q + name("nu"), Stop())))
    program = Program(HOSTILE, (), Answers(1), marked)
    yield from (program, ProgramClaim(program, "all", number(1)), sparse_vector("2/eps", "4/eps"))
    yield from (verify(ProgramClaim(program, "all", number(1))), total_at_the_end(), contest(True))
    twin = buggy_twin()
    yield from (most_popular("2/eps"), twin, twin.counterexample, Unknown(twin.claim, ()))


@pytest.fixture(scope="module")
def shown() -> list[Any]:
    return [*objects()]


class Page(HTMLParser):
    """The tags and attributes of a page, those that are open, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.rows = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.rows += tag == "tr"
        self.attributes |= {key for key, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_holds_only_what_belongs_there(shown: list[Any]) -> None:
    for thing in shown:
        page, kind = Page(thing._repr_html_()), type(thing).__name__
        assert page.open == [] and page.tags <= TAGS | MATHML and page.text, kind
        assert page.attributes <= ATTRIBUTES, kind


def test_latex_is_one_formula_that_another_program_reads(shown: list[Any]) -> None:
    convert = pytest.importorskip("latex2mathml.converter").convert
    for thing in shown:
        text, kind = thing._repr_latex_(), type(thing).__name__
        assert text.startswith("$") and text.endswith("$") and text.isprintable(), kind
        inside = text[1:-1]
        assert re.sub(r"\\\$", "", inside).count("$") == 0 and "\\input" not in inside, kind
        assert re.sub(r"\\[{}]", "", inside).count("{") == re.sub(r"\\[{}]", "", inside).count("}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert convert(inside).startswith("<math"), kind


def test_a_domain_is_a_table_of_its_records() -> None:
    page = Page(W._repr_html_())  # type: ignore[attr-defined]
    assert page.rows == 1 + len(W.records) and str(MARK) in page.text
    large = Domain([(i, 1) for i in range(300)])
    page = Page(large._repr_html_())  # type: ignore[attr-defined]
    assert page.rows == 22 and "... 280 more" in page.text and "300 records" in page.text
    assert r"\ldots" in large._repr_latex_()  # type: ignore[attr-defined]


def test_a_mechanism_shows_its_law_and_what_is_left_out() -> None:
    page = Page(clamped()._repr_html_())  # type: ignore[attr-defined]
    assert "with the density" in page.text and "with the probability" in page.text
    assert "defined if" in page.text and page.text.count("1/2") + page.text.count("12") >= 1
    assert r"P\left(" in clamped()._repr_latex_()  # type: ignore[attr-defined]
    assert "with the probability" in Page(coin()._repr_html_()).text  # type: ignore[attr-defined]


def test_a_claim_is_not_shown_as_a_verdict() -> None:
    undecided = ahdp(noisy_count())
    text = Page(undecided._repr_html_()).text  # type: ignore[attr-defined]
    assert text.startswith("Claim, not decided: ") and "Proved" not in text


def test_a_proof_for_small_datasets_says_so_everywhere() -> None:
    small = verify(dp(noisy_count(), 1), size=2)
    for text in (small._repr_html_(), small._repr_latex_()):  # type: ignore[attr-defined]
        assert "datasets of at most 2 records" in text
    assert repr(small).endswith("at most 2 records)")


def test_a_refutation_shows_both_probabilities(shown: list[Any]) -> None:
    false = next(thing for thing in shown if isinstance(thing, Refuted))
    page = Page(false._repr_html_())  # type: ignore[attr-defined]
    assert page.rows == 3 and str(false.counterexample.event) in page.text
    assert "1/2" in page.text and "exp(-1)/2 = 0.18394" in page.text


def test_a_program_shows_its_statements_and_what_it_runs_on() -> None:
    page = Page(sparse_vector("2/eps", "4/eps")._repr_html_())  # type: ignore[attr-defined]
    assert "    if q + nu >= T + rho" in page.text and 'output "yes"' in page.text
    assert "any number of query answers" in page.text and page.rows == 3  # its two parameters
    popular = Page(most_popular("2/eps")._repr_html_())  # type: ignore[attr-defined]
    assert "the answers q[1] = count" in popular.text and "any number of each of 2" in popular.text
    undecided = claim(sparse_vector("2/eps", "4/eps"), "all", "eps")
    text = Page(undecided._repr_html_()).text  # type: ignore[attr-defined]
    assert text.startswith("Claim, not decided: sparse vector is DP") and "Proved" not in text
    shown = sparse_vector("2/eps", "4/eps")._repr_latex_()  # type: ignore[attr-defined]
    assert r"\quad \text{nu} \sim \text{laplace(4/eps)}" in shown
    assert r"\text{if q + nu} \ge \text{T + rho}" in shown


def test_a_refuted_program_shows_inputs_outputs_and_probabilities() -> None:
    page = Page(buggy_twin()._repr_html_())  # type: ignore[attr-defined]
    assert page.rows == 3 and 'probability of "no", "yes"' in page.text
    assert "(1/2, -1/2)" in page.text and "(3/2, -3/2)" in page.text and "Refuted" in page.text
    about = claim(most_popular("2/eps"), "add-remove", "eps/4")
    by_dataset = refuted(about, [0, 0], [1, 0], [label("2")], eps="8")
    text = Page(by_dataset._repr_html_()).text  # type: ignore[attr-defined]
    # two Laplace noises of scale 1/4: equal chances on no records, and exp(-4) (1/2 + 4/4) where
    # the first one is 1 ahead, by hand
    assert '{("a", 1/2)} (answers 1, 0)' in text and "3*exp(-4)/2" in text and "1/2" in text


def test_bounds_are_shown_as_bounds() -> None:
    found = tighten(noisy_count(), "add-remove")
    assert [row.exact for row in found.rows] == [True] * len(found.rows)
    curve = delta(noisy_count(), 0, "add-remove")
    assert curve._repr_latex_().startswith(r"$\delta\left(0\right) = ")
    loose = replace(curve, low=number("1/9"), high=number("1/2"), reason="it is hard")
    assert loose._repr_latex_() == r"$\frac{1}{9} \le \delta\left(0\right) \le \frac{1}{2}$"
    assert "lies between 1/9 and 1/2" in loose._repr_html_()
    nothing = replace(curve, low=number(0), high=number(1), reason="it is hard")
    assert "was not found" in nothing._repr_latex_() and "not found" in nothing._repr_html_()


def test_without_the_library_a_formula_stays_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    formulas.mathml.cache_clear()
    monkeypatch.setattr(formulas, "converter", lambda: None)
    assert formulas.formula_html("x < y", "x < y") == "<code>x &lt; y</code>"
    monkeypatch.setattr(
        formulas, "converter", lambda: lambda text, display: "<math><a href='x'/></math>"
    )
    assert formulas.formula_html("y", "y") == "<code>y</code>"
    formulas.mathml.cache_clear()
