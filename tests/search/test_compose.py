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
    Claim,
    Domain,
    Mechanism,
    Min,
    Proved,
    Refuted,
    Values,
    ahdp,
    assume,
    compose,
    dp,
    eq,
    exp,
    finite,
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
    subsample,
    tighten,
    verify,
)
from ahdp_verify.kernel.evidence.certificate import ByRule, Certificate, Declined
from ahdp_verify.kernel.model.composite import CompositeClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.search.compose import group, pull_back, to_ahdp, to_swap, weaken
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
