"""Composites with swaps, samples, and premises that come with proofs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Claim,
    Domain,
    Mechanism,
    Min,
    Proved,
    Refuted,
    Rejected,
    Unknown,
    ahdp,
    assume,
    compose,
    dp,
    eq,
    exp,
    finite,
    integer,
    load,
    log,
    name,
    number,
    piecewise,
    post_process,
    real,
    recheck,
    subsample,
    tighten,
    verify,
)
from ahdp_verify.files.records import proof_in
from ahdp_verify.kernel.evidence.certificate import ByRule, Certificate
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search import verify as search_module
from ahdp_verify.search.compose import group, subsample_ends, to_ahdp, to_swap
from tests.deriving import by_rules
from tests.search.test_compose import HALF, PAPER, W, abstract, equal, n, proved, s, x

HISTOGRAM = Domain([("a", 1), ("b", 1)])


def test_a_swap_costs_twice_as_much_as_an_addition_and_no_less() -> None:
    """Row 4: a histogram with Laplace noise in every bin; a swap moves two bins."""
    outputs = real("b", 2)
    noise = (
        exp(-Abs(outputs[0] - HISTOGRAM.count(("a", 1))))
        / 2
        * (exp(-Abs(outputs[1] - HISTOGRAM.count(("b", 1)))) / 2)
    )
    histogram = Mechanism(HISTOGRAM, outputs=outputs, density=noise, name="histogram")
    single = dp(histogram, 1)
    swap = to_swap(proved(single))
    assert equal(tighten(histogram, "add-remove").level, 1) and equal(
        tighten(histogram, "swap").level, 2
    )  # type: ignore[arg-type]
    assert swap == Claim(histogram, "swap", number(2))
    by_rule, direct = verify(swap, procedure="laws"), verify(swap)
    assert (
        isinstance(by_rule, Proved)
        and isinstance(by_rule.certificate, ByRule)
        and by_rule.certificate.rule == "to_swap"
    )
    assert (
        isinstance(direct, Proved)
        and isinstance(direct.certificate, Certificate)
        and direct.scope_text == by_rule.scope_text == "all datasets"
    )
    assert isinstance(verify(dp(histogram, Fraction(1999, 1000), "swap")), Refuted)
    assert isinstance(
        verify(dp(histogram, Fraction(1999, 1000), "swap"), procedure="laws"), Unknown
    )


@pytest.mark.parametrize(
    ("file", "law"),
    [
        ("homogeneous-sum-below-the-demand.toml", "to_ahdp"),
        ("homogeneous-sum-at-the-least-demand.toml", "to_ahdp"),
        ("homogeneous-sum-below-the-demand-every-level.toml", "to_ahdp"),
    ],
)
def test_homogeneous_privacy_is_ahdp_by_rule_and_directly(
    file: str, law: str, tmp_path: Path
) -> None:
    """Rows 15 and 16: whatever is claimed of every record follows from a homogeneous level that
    is nowhere larger.
    """
    claims = [c for c in load(PAPER / file).claims if c.relation == "ahdp"]
    agreed = 0
    for claim in claims:
        direct, by_rule = verify(claim), verify(claim, procedure="laws")
        assert isinstance(direct, Proved) or isinstance(by_rule, Unknown)
        if isinstance(by_rule, Proved):
            agreed += 1
            assert isinstance(by_rule.certificate, ByRule) and by_rule.certificate.rule == law
            by_rule.save(tmp_path / "by-law.json")
            assert recheck(tmp_path / "by-law.json") == by_rule
    assert agreed


def test_claims_that_no_law_leads_to() -> None:
    count = Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count")
    found = verify(dp(count, 1), procedure="laws")
    assert isinstance(
        found, Unknown
    ) and "no composition rule yields a claim of relation add-remove about count" in str(found)
    with pytest.raises(BadInput, match="composition rules apply to all datasets"):
        verify(dp(count, 1), procedure="laws", size=2)
    with pytest.raises(BadInput, match="is proved by composition rules"):
        verify(compose(abstract(1)), procedure="smt")
    with pytest.raises(BadInput, match="is not a claim"):
        verify(compose(abstract(1)).mechanism)  # type: ignore[arg-type]
    for ask in (tighten, lambda m: Claim(m, "ahdp", number(1))):
        with pytest.raises(BadInput, match="not a mechanism given by its density"):
            ask(compose(abstract(1)).mechanism)  # type: ignore[arg-type, operator]
    with pytest.raises(BadInput, match="is not an add-remove claim"):
        to_swap(ahdp(count, 1))


BASES = {
    "laplace": (real("y"), lambda count, T: exp(-log(T) * Abs(name("y") - count)) * log(T) / 2),
    "geometric": (
        integer("y"),
        lambda count, T: exp(-log(T) * Abs(name("y") - count)) * (T - 1) / (T + 1),
    ),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize(
    "file",
    [
        "u-3-2",
        "u-2",
        "u-3",
        "u-4",
    ],
)
def test_both_ends_of_a_sampled_count(base: str, file: str) -> None:
    """S6: T = 4, u = 3/2, 2, 3, 4 gives exactly the factors u and 7/8, 3/4, 1/2, 1/4; the
    explicit distributions of up to 3 or 4 records reach both.
    """
    domain = Domain([(1, 1)])
    output, law = BASES[base]
    u = {
        "u-3-2": Fraction(3, 2),
        "u-2": Fraction(2),
        "u-3": Fraction(3),
        "u-4": Fraction(4),
    }[file]
    low = {
        Fraction(3, 2): Fraction(7, 8),
        Fraction(2): Fraction(3, 4),
        Fraction(3): HALF,
        Fraction(4): Fraction(1, 4),
    }[u]
    count = Mechanism(
        domain, outputs=[output], density=law(domain.size, number(4)), name=f"{base} count"
    )
    single = dp(count, log(4))
    whole = subsample(single, (u - 1) / 3)
    assert equal(exp(whole.level), u)
    assert isinstance(proved(whole).certificate, ByRule)
    ends = subsample_ends(single, (u - 1) / 3)
    assert equal(ends.high, u) and equal(ends.low, low)
    assert isinstance(ends.lower, Proved) and isinstance(ends.upper, Proved)
    explicit = load(PAPER / f"sample-mechanism-{base}-count-{file}.toml").claims[0].mechanism
    (row,) = tighten(explicit).rows
    assert row.exact and equal(exp(row.upward), u) and equal(exp(-row.downward), low)  # type: ignore[arg-type, operator]


def test_a_sampled_exponential_mechanism() -> None:
    """Outputs 0 and 1 with scores 0 and (number of records) log(4): the distribution is one
    expression for up to two records, each sampled independently.
    """
    domain = Domain([(1, 1)])
    h, r = domain.size, name("r")

    def chosen(k: Expression) -> Expression:
        return piecewise(
            (1 / (1 + exp(log(4) * k)), eq(r, 0)), (exp(log(4) * k) / (1 + exp(log(4) * k)), True)
        )

    base = Mechanism(
        domain, outputs=[finite("r", [0, 1])], density=chosen(h), name="exponential mechanism"
    )
    level = tighten(base).sufficient
    assert level is not None
    keep = number(Fraction(1, 3))
    whole = subsample(ahdp(base, level), keep)
    terms = [
        Expression("binomial", (h, number(k))) * keep**k * (1 - keep) ** (h - k) * chosen(number(k))
        for k in range(3)
    ]
    law = sum(
        (piecewise((term, number(k) <= h), (0, True)) for k, term in enumerate(terms)), number(0)
    )
    explicit = Mechanism(
        domain, outputs=[finite("r", [0, 1])], density=law, defined=h <= 2, name="sampled"
    )
    assert isinstance(proved(whole).certificate, ByRule)
    least = tighten(explicit).rows[0]
    assert least.exact
    assert isinstance(
        verify(ahdp(explicit, whole.level)), Proved
    )  # the level that the rule gives holds of the single expression
    ends = subsample_ends(ahdp(base, level), keep)
    assert equal(exp(whole.level), ends.high)


def count_claim(level: object = 1) -> Claim:
    return ahdp(Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count"), level)  # type: ignore[list-item, arg-type]


def test_premises_with_proofs_are_not_proved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = proved(count_claim())
    known.save(tmp_path / "count.json")
    claims = [
        compose(known, abstract(1)),
        compose(recheck(tmp_path / "count.json"), abstract(1)),  # type: ignore[arg-type]
        post_process(recheck(tmp_path / "count.json"), {"z": 2 * n}),  # type: ignore[arg-type]
        group(known),
    ]
    asked: list[object] = []
    real_verify = search_module.verify

    def counted(claim: object, *more: object, **others: object) -> object:
        asked.append(claim)
        return real_verify(claim, *more, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(search_module, "verify", counted)
    monkeypatch.setattr(search_module, "LEAVES", {})  # what other tests proved
    for claim in claims:
        found = real_verify(claim)
        assert (
            isinstance(found, Proved)
            and isinstance(found.certificate, ByRule)
            and found.certificate.premises[0] == known.certificate
        )
    assert asked == []
    assert isinstance(real_verify(compose(count_claim(), abstract(1))), Proved) and len(asked) == 1


def test_premises_with_wrong_proofs_are_rejected(tmp_path: Path) -> None:
    other = proved(
        ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size) / 2) / 4, name="other"), 1)
    )
    forged = Proved(count_claim(HALF), other.certificate, other.scope)
    with pytest.raises(Rejected, match="the certificate belongs to another claim"):
        by_rules(compose(forged, abstract(1)))
    assert not isinstance(verify(compose(forged, abstract(1))), Proved)
    refuted = verify(count_claim(HALF))
    assert isinstance(refuted, Refuted)
    refuted.save(tmp_path / "no.json")
    with pytest.raises(BadInput, match="not a proof about a mechanism"):
        proof_in(tmp_path / "no.json")
    with pytest.raises(BadInput, match=r"missing\.json"):
        proof_in(tmp_path / "missing.json")
    with pytest.raises(BadInput, match=r"is not a claim; .* recheck\(path\)"):
        compose(tmp_path / "no.json")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="is not a claim"):
        compose(refuted)  # type: ignore[arg-type]


def test_premises_that_were_enumerated_prove_nothing_of_all_datasets() -> None:
    small = verify(count_claim(), size=2)
    assert isinstance(small, Proved)
    found = verify(compose(small, abstract(1)))
    assert isinstance(
        found, Unknown
    ) and "a premise is shown for datasets of at most 2 records only" in str(found)


def test_a_mechanism_without_a_level_is_not_a_part() -> None:
    count = Mechanism(W, outputs=[n], density=exp(-2 * Abs(n - W.size)), name="count")
    with pytest.raises(BadInput, match=r"count is not a claim; state its level, .* tighten"):
        compose(count, abstract(1))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="5 is not a claim"):
        compose(5)  # type: ignore[arg-type]


def test_a_verdict_says_what_is_assumed() -> None:
    """Whatever an abstract mechanism is called, the line says what is assumed of it."""
    sly = assume(W, "ahdp", 0, text="the Laplace mechanism", outputs=[real("z")])
    plain = assume(W, "add-remove", 1, delta="1/8")
    assert (
        str(plain)
        == "any mechanism that is add-remove DP at level 1 and delta 1/8 is add-remove DP at level 1 and delta 1/8"
    )
    line = str(verify(compose(sly, sly, count_claim())))
    assert line.endswith(
        "scope: all datasets; assumes: the Laplace mechanism is AHDP at level 0; trusts: the "
        "checker and the composition rules"
    )
    assert "assumes" not in str(verify(plain)) and "assumes" not in str(
        verify(compose(count_claim()))
    )


def test_proofs_of_parts_are_not_proofs_of_the_whole() -> None:
    """A swap claim about a composite builds on the composite, not on the part whose proof it
    brought.
    """
    whole = compose(proved(dp(count_claim().mechanism, 1)), assume(W, "add-remove", 1, text="A"))
    assert isinstance(verify(dp(whole, 4, "swap")), Proved) and isinstance(
        verify(ahdp(whole, 2)), Proved
    )


def test_conversions_three_ways() -> None:
    """A bit that tells whether there is a record (0, 1), truly with probability 3/4: by rule,
    as a finite distribution, and by enumeration.
    """
    true = eq(name("b"), Min(W.count((0, 1)), 1))
    released_bit = Mechanism(
        W,
        outputs=[finite("b", [0, 1])],
        density=piecewise((Fraction(3, 4), true), (Fraction(1, 4), True)),
        name="released bit",
    )
    base = dp(released_bit, log(3))
    for claim, law, broken in (
        (to_swap(base), "to_swap", dp(released_bit, log(3) * Fraction(999, 1000), "swap")),
        (to_ahdp(base), "to_ahdp", ahdp(released_bit, log(3) * Fraction(999, 1000))),
        (
            to_ahdp(base, piecewise((log(3), eq(x, 0)), (5, True))),
            "to_ahdp",
            ahdp(released_bit, piecewise((1, eq(x, 0)), (5, True))),
        ),
    ):
        by_rule, direct, small = (
            verify(claim, procedure="laws"),
            verify(claim),
            verify(claim, size=3),
        )
        assert (
            isinstance(by_rule, Proved)
            and isinstance(by_rule.certificate, ByRule)
            and by_rule.certificate.rule == law
        )
        assert isinstance(direct, Proved) and isinstance(direct.certificate, Certificate)
        assert isinstance(small, Proved) and "at most 3 records" in small.scope_text
        assert (
            isinstance(verify(broken), Refuted)
            and isinstance(verify(broken, size=3), Refuted)
            and isinstance(verify(broken, procedure="laws"), Unknown)
        )


def test_a_python_file_may_hold_claims_about_composites(tmp_path: Path) -> None:
    path = tmp_path / "parts.py"
    path.write_text(
        "from ahdp_verify import *\n"
        "W = Domain([(0, 1), (1, 2)])\n"
        "base = assume(W, 'add-remove', log(4), text='any log(4)-DP mechanism')\n"
        "claim = subsample(base, '1/3')\n"
        "both = [claim, dp(Mechanism(W, outputs=[real('n')], density=exp(-Abs(name('n') - "
        "W.size)) / 2, name='count'), 1)]\n"
        "bare = claim.mechanism\n"
    )
    assert [str(c.level) for c in load(f"{path}:claim").claims] == ["log(2)"]  # type: ignore[union-attr]
    assert [type(c) for c in load(f"{path}:both").claims] == [CompositeClaim, Claim]  # type: ignore[union-attr]
    with pytest.raises(
        BadInput, match="it is a Composite; name a Mechanism, a noise program, a Claim"
    ):
        load(f"{path}:bare")
    with pytest.raises(BadInput, match="it defines base, claim"):
        load(f"{path}:other")
