"""Claims about composites: the resulting levels, three ways to the same answer, tightness, and
premises that have their own proofs.

Expected levels are those of the paper (prop:BC, prop:pp, the Sample Mechanism, rows 4, 15, 16, 18,
50 and S6 of the shared statements) or of `tighten`, which finds the loss of the distribution as one
expression and uses no composition rules.
"""

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
    Values,
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
    mixture,
    name,
    normalised,
    number,
    oo,
    piecewise,
    post_process,
    product,
    real,
    recheck,
    subsample,
    tighten,
    verify,
)
from ahdp_verify.files.records import proof_in
from ahdp_verify.kernel.evidence.certificate import ByRule, Certificate, Declined
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search import verify as search_module
from ahdp_verify.search.compose import group, pull_back, subsample_ends, to_ahdp, to_swap, weaken
from tests.deriving import by_rules

PAPER = Path(__file__).parents[2] / "proofs" / "paper"
W = Domain([(0, 1), (1, 2)])
x, eps, t = (name(key) for key in ("x", "eps", "t"))
s, n = real("s"), real("n")


def abstract(
    level: object,
    output: str = "y",
    domain: Domain = W,
    relation: str = "ahdp",
    **parameters: object,
) -> CompositeClaim:
    return assume(
        domain,
        relation,
        level,
        outputs=[real(output)],
        parameters=parameters,
        text=f"mechanism {output}",
    )


def equal(a: Expression, b: object) -> bool:
    """Whether two constants or expressions have the same canonical form."""
    return (
        normal(a, Context.empty())
        - normal(b if isinstance(b, Expression) else number(b), Context.empty())
    ).is_zero


def proved(claim: object) -> Proved:
    found = verify(claim)  # type: ignore[arg-type]
    assert isinstance(found, Proved), found
    return found


def unknown(claim: object, *parts: str) -> None:
    found = by_rules(claim)
    assert isinstance(found, Declined), found
    for part in parts:
        assert part in found.reason


# the levels that come out


UNIVERSAL = Domain.universal({"alpha": "0 <= alpha"}, {"t": "t > 0"})
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("claim", "level"),
    [
        (compose(abstract(1), abstract(1, "z")), "2"),
        (compose(abstract(1), abstract(x, "z")), "x + 1"),
        (product(abstract(eps / 2), abstract(eps / 2, "z")), "eps"),
        (compose(abstract(oo), abstract(1, "z")), "oo"),
        (compose(abstract(0), abstract(0, "z")), "0"),
        (
            compose(abstract(piecewise((oo, eq(x, 1)), (1, True))), abstract(1, "z")),
            "piecewise((oo, x == 1), (2, true))",
        ),
        (post_process(abstract(x), {"z": name("y") ** 2}), "x"),
        (post_process(abstract(x), abstract(0, "z", y="")), "x"),
        (mixture((HALF, abstract(1)), (HALF, abstract(1))), "1"),
        (mixture((HALF, abstract(1)), (HALF, abstract(eps))), "eps"),
        (mixture((HALF, abstract(0)), (HALF, abstract(oo))), "oo"),
        (subsample(abstract(log(4), relation="add-remove"), Fraction(1, 3)), "log(2)"),
        (subsample(abstract(log(4)), 0), "0"),
        (subsample(abstract(oo), 0), "0"),
        (subsample(abstract(oo), HALF), "oo"),
        (subsample(abstract(1), 1), "1"),
        (
            subsample(
                abstract(t, domain=UNIVERSAL, relation="add-remove"),
                (exp(Min(name("alpha"), t)) - 1) / (exp(t) - 1),
            ),
            "min(alpha, t)",
        ),
        (
            subsample(
                abstract(t, domain=UNIVERSAL, relation="add-remove"),
                (exp(Min(eps, t)) - 1) / (exp(t) - 1),
            ),
            "min(eps, t)",
        ),
        (pull_back(abstract(x), W, {"x": 1 - x, "eps": 3 - eps}), "1 - x"),
        (group(abstract(eps)), "eps"),
        (to_swap(abstract(1, relation="add-remove")), "2"),
        (to_ahdp(abstract(1, relation="add-remove")), "1"),
        (weaken(abstract(1), 2), "2"),
    ],
)
def test_the_level_that_the_law_gives(claim: CompositeClaim, level: str) -> None:
    assert str(claim.level) == level
    assert isinstance(proved(claim).certificate, ByRule)


def test_the_probability_of_being_kept_may_be_too_large() -> None:
    """Row 50 and the issue: too large by any factor above 1 is refuted for a count, so no rule
    may prove it of any base.
    """
    keep = (exp(Min(eps, t)) - 1) / (exp(t) - 1)
    base = abstract(t, domain=Domain.universal({}, {"t": "t > 0"}), relation="add-remove")
    proved(subsample(base, keep, level=Min(eps, t)))
    unknown(subsample(base, keep * Fraction(1001, 1000), level=Min(eps, t)), "subsample: it")
    assert isinstance(
        verify(load(PAPER / "sample-mechanism-geometric-count-kept-too-often.toml").claims[0]),
        Refuted,
    )


def test_an_abstract_part_may_run_twice() -> None:
    once = abstract(1)
    twice = compose(once, once, once)
    assert [o.name for o in twice.mechanism.outputs] == ["y", "y_2", "y_3"] and str(
        twice.level
    ) == "3"
    proved(twice)


def test_what_a_composite_is_called() -> None:
    nameless = ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s)) / 2), 0)
    assert (
        str(compose(nameless, abstract(1)))
        == "compose(release of s, mechanism y) is AHDP at level 1"
    )
    assert str(normalised(W, [finite("r", [0, 1])], number(0), 0, 0).mechanism) == "normalised(r)"
    found = verify(group(abstract(1)))
    assert (
        found._repr_latex_()
        == r"$\textbf{Proved}:\ \text{mechanism y}\ \text{is private between any two datasets at level}\ 1$"
    )
    assert "<b " in found._repr_html_() and "all pairs of datasets" in found._repr_html_()


# what is missing


def test_an_unknown_says_which_side_condition_is_missing() -> None:
    unknown(
        ahdp(compose(abstract(1), abstract(x, "z")), 1),
        "compose: it gives 2 at the record (1, 2), but 1 is claimed",
    )
    unknown(
        ahdp(compose(abstract(oo), abstract(x, "z")), 1),
        "compose: it gives oo at the record (0, 1), but 1 is claimed",
    )
    unknown(
        ahdp(subsample(abstract(log(4)), Fraction(1, 3)), HALF),
        "subsample: it gives log(2) at the record (0, 1), but 1/2 is claimed",
    )
    unknown(
        subsample(abstract(1), 2), "it needs a probability at the record (0, 1), but 2 is given"
    )
    unknown(
        mixture((HALF, abstract(1)), (Fraction(1, 3), abstract(1))),
        "the probabilities of a mixture were not shown to add up to 1",
    )
    unknown(mixture((2, abstract(1)), (-1, abstract(1))), "it needs probabilities, but -1 is given")
    unknown(
        dp(abstract(1, relation="add-remove"), Fraction(3, 2), "swap"),
        "to_swap: it gives 2 at every swap, but 3/2 is claimed",
    )
    unknown(
        ahdp(abstract(1, relation="add-remove"), HALF),
        "to_ahdp: it gives 1 at the record (0, 1), but 1/2 is claimed",
    )
    unknown(
        dp(abstract(t, relation="add-remove", t=""), 1),
        "it gives t at every move, but 1 is claimed, and this was not shown to suffice",
    )
    unknown(ahdp(group(abstract(1)), 1), "a group claim compares any two datasets")
    unknown(
        dp(abstract(1, relation="swap"), 1),
        "no composition rule yields a claim of relation add-remove",
    )
    unknown(
        ahdp(compose(assume(W, "ahdp", 1, delta="1/8"), abstract(1, "z")), 2, delta="1/9"),
        "it needs a delta of at least 1/8, but 1/9 is claimed",
    )
    unknown(
        normalised(W, [finite("r", [0, 1])], name("r") * W.size, 0, HALF),
        "it needs an upper bound of the score's change, but 1/2 is given",
    )
    unknown(
        pull_back(
            abstract(1, domain=Domain.universal({"g": ""})),
            Domain.universal({"f": ""}),
            {"g": 1 / name("f")},
        ),
        "the sign of f is not known",
    )


def test_an_unproved_part_is_named_with_its_verdict() -> None:
    count = Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count")
    unknown(
        compose(ahdp(count, HALF), abstract(1)),
        "compose: a premise was not proved: Refuted: count is AHDP at level 1/2",
    )


# three ways to the same answer


VALUES = Values([0, 1])
v = name("v")


def response(output: str, level: Expression) -> Expression:
    """The distribution of a randomised response about v."""
    return piecewise(
        (exp(level) / (1 + exp(level)), eq(name(output), v)), (1 / (1 + exp(level)), True)
    )


def response_claim(output: str, level: Expression) -> Claim:
    return Claim(
        Mechanism(
            VALUES,
            outputs=[finite(output, [0, 1])],
            density=response(output, level),
            name=f"response {output}",
        ),
        "any",
        level,
    )


@pytest.mark.parametrize(("e1", "e2"), [(log(2), log(3)), (number(1), number(HALF))])
def test_composition_three_ways_and_its_tightness(e1: Expression, e2: Expression) -> None:
    """Row 18: the levels of two randomised responses add, and their sum is attained."""
    by_rule = compose(response_claim("s", e1), response_claim("t", e2))
    joint = Mechanism(
        VALUES,
        outputs=[finite("s", [0, 1]), finite("t", [0, 1])],
        density=response("s", e1) * response("t", e2),
        name="both",
    )
    assert equal(by_rule.level, e1 + e2)
    assert isinstance(proved(by_rule).certificate, ByRule)
    assert isinstance(proved(Claim(joint, "any", by_rule.level)).certificate, Certificate)
    assert equal(tighten(joint, "any").level, e1 + e2)  # type: ignore[arg-type]
    lowered = by_rule.level * Fraction(999, 1000)
    assert isinstance(verify(Claim(joint, "any", lowered)), Refuted)
    assert isinstance(by_rules(CompositeClaim(by_rule.mechanism, "any", lowered)), Declined)  # type: ignore[arg-type]


def flipped(output: str, count: Expression, q: Fraction) -> Expression:
    """A bit that says whether the count is odd, truthful with probability 1/(1 + q)."""
    odd = Expression("mod", (count, number(2)))
    return piecewise((number(1 / (1 + q)), eq(name(output), odd)), (number(q / (1 + q)), True))


def test_composition_on_datasets_by_rule_and_by_enumeration() -> None:
    one, two = (
        Mechanism(W, outputs=[finite(o, [0, 1])], density=flipped(o, W.count((1, 2)), q), name=o)
        for o, q in (("s", Fraction(1, 2)), ("t", Fraction(1, 3)))
    )
    level = {q: piecewise((log(number(q)), eq(x, 1)), (0, True)) for q in (2, 3, 6)}
    by_rule = proved(compose(ahdp(one, level[2]), ahdp(two, level[3])))
    density = flipped("s", W.count((1, 2)), Fraction(1, 2)) * flipped(
        "t", W.count((1, 2)), Fraction(1, 3)
    )
    both = Mechanism(
        W, outputs=[finite("s", [0, 1]), finite("t", [0, 1])], density=density, name="both"
    )
    assert isinstance(by_rule.certificate, ByRule) and isinstance(
        proved(ahdp(both, level[6])).certificate, Certificate
    )
    small = verify(ahdp(both, level[6]), size=3)
    assert isinstance(small, Proved) and "at most 3 records" in small.scope_text
    assert isinstance(
        verify(
            ahdp(both, piecewise((log(number(6)) * Fraction(999, 1000), eq(x, 1)), (0, True))),
            size=3,
        ),
        Refuted,
    )


# swaps, and one level for all


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


# the Sample Mechanism


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


# premises with proofs


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
