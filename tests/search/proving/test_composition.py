"""Trees of composition rules: what the search finds is accepted by the checker, and no forgery
is.
"""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify import (
    Abs,
    BadInput,
    Domain,
    Limits,
    Mechanism,
    Proved,
    Rejected,
    ahdp,
    assume,
    compose,
    dp,
    eq,
    exp,
    log,
    mixture,
    name,
    number,
    oo,
    piecewise,
    post_process,
    real,
    recheck,
    subsample,
    verify,
)
from ahdp_verify.files import records as storage
from ahdp_verify.kernel import checker as module
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.evidence.certificate import (
    ByRule,
    Certificate,
    Declined,
    Enumeration,
    InequalityLeaf,
    Mass,
    SolverWord,
    StatedPremise,
)
from ahdp_verify.kernel.model.composite import Composite, CompositeClaim
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms.expression import TRUE, ZERO, Expression, add
from ahdp_verify.search.compose import group, to_ahdp, to_swap, weaken
from ahdp_verify.search.parts import branch_on_infinity, level_branches, relation_and_level
from ahdp_verify.search.proving.composition import Derivation, applicable_rules, smallest_level
from tests.deriving import by_rules
from tests.kernel.model.test_composite import tree

W = Domain([(0, 1), (1, 2)])
x, eps, t = (name(key) for key in ("x", "eps", "t"))
n = real("n")
COUNT = ahdp(Mechanism(W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count"), 1)
HOMOGENEOUS = dp(COUNT.mechanism, 1)
SAME = assume(W, "add-remove", 1, text="any 1-DP mechanism")


def any_ahdp(level: object, output: str = "y") -> CompositeClaim:
    return assume(W, "ahdp", level, outputs=[real(output)], text=f"mechanism {output}")


def law(claim: Any, procedure: str | None = None) -> ByRule:
    found = verify(claim, procedure=procedure)
    assert isinstance(found, Proved) and isinstance(found.certificate, ByRule), found
    return found.certificate


def rejected(claim: Any, certificate: Any, *parts: str) -> None:
    with pytest.raises(Rejected) as caught:
        check(claim, certificate)
    for part in parts:
        assert part in str(caught.value)


# what is searched for


def test_the_laws_that_lead_to_a_claim() -> None:
    assert [key for key, _ in applicable_rules(SAME)] == ["assumed"]
    assert [key for key, _ in applicable_rules(ahdp(SAME, 1))] == ["to_ahdp"]
    assert [key for key, _ in applicable_rules(dp(SAME, 2, "swap"))] == ["to_swap"]
    assert [key for key, _ in applicable_rules(ahdp(compose(SAME), 1))] == ["compose", "to_ahdp"]
    assert [key for key, _ in applicable_rules(dp(compose(any_ahdp(eps)), 3, "swap"))] == [
        "compose",
        "to_swap",
    ]
    assert [key for key, _ in applicable_rules(group(SAME))] == ["group"]
    assert [key for key, _ in applicable_rules(dp(assume(W, "swap", 1), 1))] == []
    assert applicable_rules(dp(COUNT.mechanism, 3, "swap")) == [
        ("to_swap", StatedPremise("add-remove", number(Fraction(3, 2)), ZERO))
    ]
    assert applicable_rules(ahdp(COUNT.mechanism)) == [
        ("to_ahdp", StatedPremise("add-remove", number(1), ZERO))
    ]
    assert applicable_rules(ahdp(COUNT.mechanism, lambda x, eps: oo)) == [
        ("to_ahdp", StatedPremise("add-remove", oo, ZERO))
    ]


def test_two_steps_are_found() -> None:
    """A composite of add-remove parts is AHDP, and private under swaps, by two laws."""
    whole = compose(SAME, SAME)
    assert (
        law(ahdp(whole, 2)).rule == "to_ahdp" and law(ahdp(whole, 2)).premises[0].rule == "compose"
    )  # type: ignore[union-attr]
    assert law(dp(whole, 4, "swap")).rule == "to_swap"
    assert isinstance(by_rules(dp(whole, Fraction(399, 100), "swap")), Declined)
    assert law(dp(subsample(any_ahdp(eps), 1), 3, "swap")).rule == "to_swap"


def test_the_smallest_level() -> None:
    here = Context.empty()
    assert smallest_level([number(2), log(number(3)), number(5)], here) == log(number(3))
    assert str(smallest_level([t, number(1)], here)) == "min(t, 1)"


def test_branches_of_levels() -> None:
    level = piecewise((oo, eq(x, 1)), (piecewise((1, eq(eps, 2)), (3, True)), eq(x, 2)), (0, True))
    assert [(str(v), str(c)) for v, c in level_branches(level)] == [
        ("oo", "x == 1"),
        ("1", "x == 2 and eps == 2"),
        ("3", "x == 2"),
        ("0", "true"),
    ]
    assert branch_on_infinity([number(1), t], lambda levels: add(*levels), oo) == t + 1
    assert (
        str(branch_on_infinity([level, t], lambda levels: add(*levels), oo))
        == "piecewise((oo, x == 1), (t + 1, x == 2 and eps == 2), (t + 3, x == 2), (t, true))"
    )
    assert branch_on_infinity([oo, t], lambda levels: add(*levels), oo) == oo
    assert relation_and_level(
        subsample(any_ahdp(oo), t, parameters={"t": "0 <= t and t <= 1"}, level=oo).mechanism
    ) == ("ahdp", piecewise((0, eq(t, 0)), (oo, True)))  # type: ignore[arg-type]


def test_a_part_is_proved_once() -> None:
    asked: list[str] = []

    def leaf(claim: Any) -> Any:
        asked.append(str(claim))
        return Declined("test", "not today")

    claim = mixture((Fraction(1, 2), COUNT), (Fraction(1, 2), COUNT))
    found = Derivation(leaf, Limits().clock()).derive(claim)
    assert (
        isinstance(found, Declined)
        and "mixture: a premise was not proved: not today" in found.reason
    )
    assert asked.count("count is AHDP at level 1") == 1


def test_limits_end_a_search() -> None:
    clock = Limits(pieces=1).clock()
    claim = subsample(
        assume(W, "add-remove", t, parameters={"t": "t > 0"}),
        (exp(Expression("min", (eps, t))) - 1) / (exp(t) - 1),
    )
    found = Derivation(lambda part: Declined("test", "no leaf"), clock).by_rules(claim)
    assert isinstance(found, Declined) and "stopped after 1 pieces" in found.reason


# what the checker refuses


def test_forged_trees_are_rejected() -> None:
    claim = compose(COUNT, any_ahdp(x))
    good = law(claim)
    check(claim, good)
    for wrong, why in (
        (replace(good, claim="0" * 64), "belongs to another claim"),
        (replace(good, version=2), "there is no rule 'compose' of version 2"),
        (replace(good, version=True), "of version True"),
        (replace(good, version="1"), "of version 1"),
        (replace(good, rule="product"), "the mechanism is not made by product"),
        (replace(good, rule="magic"), "there is no rule 'magic'"),
        (replace(good, rule=["compose"]), "malformed"),
        (replace(good, rule="weaken"), "about another claim of the same mechanism"),
        (
            replace(good, stated=StatedPremise("ahdp", number(1), ZERO)),
            "is not about another claim",
        ),
        (replace(good, premises=good.premises[::-1]), ""),
        (replace(good, premises=good.premises[:1]), "asks for 2 premises"),
        (replace(good, premises=(*good.premises, good.premises[0])), "asks for 2 premises"),
        (replace(good, premises=(good.premises[0], good)), "belongs to another claim"),
        (replace(good, premises=("x", "y")), "malformed"),
        (
            replace(good, evidence=(InequalityLeaf((), "log"),)),
            "asks for 2 premises and 0 side conditions",
        ),
        (good.premises[0], "a composite is proved by a composition rule"),
        (
            Certificate(claim.fingerprint, False, (), Mass((), ()), (Enumeration(3),), ()),
            "a composite is proved by a composition rule",
        ),
    ):
        rejected(claim, wrong, why)


def test_evidence_of_another_side_condition_is_rejected() -> None:
    claim = ahdp(compose(any_ahdp(eps), any_ahdp(1, "z")), piecewise((3, eq(x, 0)), (4, True)))
    good = law(claim)
    assert len(good.evidence) == 2
    short = ahdp(compose(any_ahdp(eps), any_ahdp(1, "z")), piecewise((1, eq(x, 0)), (4, True)))
    for evidence in (
        good.evidence,
        good.evidence[::-1],
        (InequalityLeaf((), "zero"),) * 2,
        (InequalityLeaf((), "log"),) * 2,
        (InequalityLeaf((), "direct"),) * 2,
        (InequalityLeaf((), "never"),) * 2,
    ):
        rejected(short, replace(good, claim=short.fingerprint, evidence=evidence))
    rejected(
        claim,
        replace(good, evidence=(Enumeration(3), good.evidence[1])),
        "an inequality needs a proof by products",
    )


def test_a_premise_with_a_lower_level_is_another_claim() -> None:
    cheap = compose(ahdp(COUNT.mechanism, Fraction(1, 2)), any_ahdp(x))
    good = law(compose(COUNT, any_ahdp(x)))
    rejected(cheap, replace(good, claim=cheap.fingerprint), "belongs to another claim")


def test_laws_about_the_same_mechanism() -> None:
    """weaken, to_ahdp and to_swap, with premises that are stated wrongly."""
    two = weaken(COUNT, 2)
    premise = verify(COUNT)
    assert isinstance(premise, Proved)
    slope = law(ahdp(compose(any_ahdp(1)), 2)).evidence
    by_weaken = ByRule(
        two.fingerprint,
        "weaken",
        1,
        StatedPremise("ahdp", number(1), ZERO),
        (premise.certificate,),
        slope,
    )
    assert check(two, by_weaken).scope_text == "all datasets"
    less = weaken(COUNT, Fraction(1, 2))
    rejected(less, replace(by_weaken, claim=less.fingerprint))
    rejected(two, replace(by_weaken, stated=None), "about another claim of the same mechanism")
    rejected(
        two,
        replace(by_weaken, stated=StatedPremise("add-remove", number(1), ZERO)),
        "keeps the relation",
    )
    rejected(two, replace(by_weaken, stated=StatedPremise("ahdp", number(2), ZERO)))
    rejected(two, replace(by_weaken, stated=StatedPremise("nonsense", number(1), ZERO)))
    rejected(two, replace(by_weaken, stated=("ahdp", 1, 0)), "")  # type: ignore[arg-type]
    swap = law(to_swap(HOMOGENEOUS), "laws")
    hasty = dp(COUNT.mechanism, 1, "swap")
    rejected(hasty, replace(swap, claim=hasty.fingerprint))
    with_delta = dp(COUNT.mechanism, 2, "swap", delta=Fraction(1, 8))
    rejected(
        with_delta,
        replace(
            swap,
            claim=with_delta.fingerprint,
            stated=StatedPremise("add-remove", number(1), number(Fraction(1, 8))),
        ),
        "without delta",
    )


def test_swaps_need_datasets_that_are_joined() -> None:
    for defined, joined in (
        (None, True),
        (W.size >= 1, True),
        (W.size <= 4, True),
        (eq(W.size, 2), False),
        ((W.size >= 1) & (W.size <= 4), False),
    ):
        m = Mechanism(
            W, outputs=[n], density=exp(-Abs(n - W.size)) / 2, name="count", defined=defined
        )
        found = verify(dp(m, 2, "swap"), procedure="laws")
        assert isinstance(found, Proved) is joined
        assert joined or "need not be joined" in str(found)
        together = by_rules(group(ahdp(m, 1)))
        assert isinstance(together, Proved) is joined
        if joined and defined is not None:
            assert together.scope_text == f"all pairs of datasets inside {m.defined}"  # type: ignore[union-attr]


def test_fixed_size_shows_why_joined_datasets_are_needed() -> None:
    """Of size 2 alone, the number of ones is released as it is: no single addition stays inside,
    so every AHDP claim holds, and no swap claim does.
    """
    whole = W.count((1, 2))
    known = Mechanism(
        W, outputs=[n], density=exp(-Abs(n - 9 * whole)) / 2, name="count", defined=eq(W.size, 2)
    )
    assert isinstance(by_rules(group(ahdp(known, 0))), Declined)
    assert not isinstance(verify(dp(known, 0, "swap")), Proved)


# what had to be trusted


def test_trusts_of_premises_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = compose(COUNT, any_ahdp(x))
    good = law(claim)
    real_check = module._inequalities

    def believing(part: Any, certificate: Any, ask: Any) -> Proved:
        found = real_check(part, certificate, ask)
        return replace(found, trusts=("cvc5", "z3"))

    monkeypatch.setattr(module, "_inequalities", believing)
    found = check(claim, good)
    assert found.trusts == ("cvc5", "z3") and found.word == "Proved, attested by cvc5 and z3"


def test_a_word_of_solvers_stands_for_no_side_condition() -> None:
    claim = ahdp(compose(any_ahdp(1)), 2)
    good = law(claim)
    with pytest.raises(Rejected):
        check(
            claim,
            replace(good, evidence=(SolverWord(("z3", "cvc5")),)),
            lambda claim, task: ("z3", "cvc5"),
        )


# files


def test_saved_trees_are_checked_again(tmp_path: Path) -> None:
    for i, claim in enumerate(
        (
            tree(),
            group(SAME),
            ahdp(compose(SAME, SAME), 3),
            mixture((Fraction(1, 2), COUNT), (Fraction(1, 2), COUNT)),
        )
    ):
        found = verify(claim)
        assert isinstance(found, Proved), found
        path = tmp_path / f"{i}.json"
        found.save(path)
        assert recheck(path) == found and recheck(path, trust="kernel") == found


def spots(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all leaves of JSON data."""
    if isinstance(data, dict | list):
        pairs = data.items() if isinstance(data, dict) else enumerate(data)
        return [p for k, v in pairs for p in spots(v, (*path, k))]
    return [path]


def test_mutations_of_saved_trees_are_refused_or_still_true(tmp_path: Path) -> None:
    """Whatever single leaf of a record is changed and sealed again, the record is refused, or
    proves the very same claim.
    """
    claim = ahdp(
        compose(COUNT, subsample(assume(W, "add-remove", log(4)), Fraction(1, 3))),
        lambda x, eps: log(2) + 2,
    )
    found = verify(claim)
    assert isinstance(found, Proved)
    record = found.to_json()
    places = [p for p in spots(record) if p[-1] != jsonfile.SEAL]
    for path in places:
        data = copy.deepcopy(record)
        spot = data
        for key in path[:-1]:
            spot = spot[key]
        old = spot[path[-1]]
        spot[path[-1]] = (
            {bool: not old, int: 2 if old == 1 else 1}.get(type(old), "7" if old != "7" else "8")
            if old is not None
            else 0
        )
        text = jsonfile.seal({k: v for k, v in data.items() if k != jsonfile.SEAL})
        file = tmp_path / "mutant.json"
        file.write_text(json.dumps(text))
        try:
            again = recheck(file)
        except (BadInput, Rejected):
            continue
        assert again.claim == claim and path[0] in (
            "certificate",
            "compared",
            "made_by",
        )  # another proof, other inputs, versions that are not believed


def test_a_mutated_claim_with_its_own_fingerprint_needs_its_own_proof(tmp_path: Path) -> None:
    """The fingerprint is adapted too: then only the law stands between a lower level and a
    verdict.
    """
    base = ahdp(
        compose(COUNT, subsample(assume(W, "add-remove", log(4)), Fraction(1, 3))),
        lambda x, eps: log(2) + 1,
    )
    found = verify(base)
    assert isinstance(found, Proved) and isinstance(found.certificate, ByRule)
    lower = CompositeClaim(base.mechanism, "ahdp", (log(2) + 1) * Fraction(999, 1000))
    rejected(lower, replace(found.certificate, claim=lower.fingerprint), "asks for 2 premises")
    looser = CompositeClaim(base.mechanism, "ahdp", log(2) + 2)
    assert (
        check(
            looser,
            replace(found.certificate, claim=looser.fingerprint, evidence=law(looser).evidence),
        ).claim
        == looser
    )


def test_hand_made_records_end_in_one_sentence(tmp_path: Path) -> None:
    found = verify(group(SAME))
    assert isinstance(found, Proved)
    record = found.to_json()
    for change in (
        {"certificate": {"is": "by rule"}},
        {"certificate": {**record["certificate"], "more": 1}},
        {"certificate": []},
        {"claim": {}},
        {"claim": {"mechanism": {"rule": 1}}},
        {"claim": {**record["claim"], "public": "x"}},
        {"claim": {**record["claim"], "level": 1}},
        {"verdict": "refuted"},
    ):
        data = {k: v for k, v in {**record, **change}.items() if k != jsonfile.SEAL}
        path = tmp_path / "made.json"
        jsonfile.write_json(jsonfile.seal(data), path)
        with pytest.raises((BadInput, Rejected)) as caught:
            storage.recheck(path)
        assert "\n" not in str(caught.value)


def test_an_assumption_is_kept_in_the_record() -> None:
    """The claim that a saved proof proves names what it assumes, so a stronger assumption is
    another claim.
    """
    weak, strong = (compose(assume(W, "ahdp", level, text="A")) for level in (1, 0))
    assert weak.fingerprint != strong.fingerprint
    assert isinstance(verify(ahdp(strong, 0)), Proved) and isinstance(
        by_rules(ahdp(weak, 0)), Declined
    )
    assert isinstance(weak.mechanism, Composite) and weak.mechanism.defined == TRUE
    assert isinstance(verify(to_ahdp(SAME)), Proved) and isinstance(
        verify(post_process(SAME, {"z": name("y")})), Proved
    )
