"""The checker accepts what was proved and nothing else: mutated, transplanted and forged
certificates are rejected, never anything worse.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.evidence.certificate import (
    KIND_NAMES,
    CaseSplit,
    Certificate,
    CoordinatesLeaf,
    Declined,
    HockeyStickLeaf,
    HockeyStickPart,
    InequalityLeaf,
    Lemma,
    Mass,
    Products,
    SolverWord,
    TotalLeaf,
)
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.model.privacy import ahdp, dp, hdp
from ahdp_verify.kernel.rules.obligations import tasks
from ahdp_verify.kernel.rules.schema import schema_tasks
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    exp,
    label,
    multiply,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.kernel.terms.expression import eq as equals
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.proving.claim import certify
from ahdp_verify.search.proving.hockey_stick import divergence_evidence
from ahdp_verify.search.proving.inequality import prove_inequality
from ahdp_verify.search.proving.total_mass import mass_certificate
from ahdp_verify.search.verify import verify

S = name("s")
BITS = Domain([(0, 1), (1, 1)])
AB = Values(["a", "b"])
HALF, LITTLE = Fraction(1, 2), Fraction(1, 1000)


def clock() -> Any:
    return Limits(seconds=30).clock()


def laplace(inputs: Any = BITS, where: str = "sum(x)", **more: Any) -> Mechanism:
    return Mechanism(
        inputs,
        outputs=[real("s")],
        density=parse(f"exp(-abs(s - {where}))/2"),
        name="laplace",
        **more,
    )


def coin(value: str = "y == 1") -> Mechanism:
    return Mechanism(
        AB,
        outputs=[finite("y", [0, 1])],
        density=parse(
            f'piecewise((piecewise((3/4, {value}), (1/4, true)), v == "a"), (1/2, true))'
        ),
        name="coin",
    )


def bits(n: int, probability: str) -> Mechanism:
    ys = finite("y", [0, 1], n)
    share = parse(f'piecewise(({probability}, v == "a"), (1 - {probability}, true))')
    return Mechanism(
        AB,
        outputs=ys,
        density=multiply(*(piecewise((share, equals(y, 1)), (1 - share, True)) for y in ys)),
        name="bits",
    )


def clamped() -> Mechanism:
    density = parse(
        'piecewise((exp(-abs(s - piecewise((0, v == "a"), (1, true))))/2, 0 < s and s < 1), (0, '
        "true))"
    )
    low, high = (
        parse(f'piecewise(({p}, v == "a"), ({q}, true))')
        for p, q in (("1/2", "exp(-1)/2"), ("exp(-1)/2", "1/2"))
    )
    return Mechanism(
        AB, outputs=[real("s")], density=density, atoms=[(0, low), (1, high)], name="clamped"
    )


U = Domain.universal(
    unknowns={"alpha": "0 <= alpha <= eps", "f": "l <= f <= h"}, parameters={"l": "", "h": "h > l"}
)
GEOMETRIC = Mechanism(
    BITS,
    outputs=[integer("s")],
    density=parse("exp(-abs(s - sum(x)))*(1 - exp(-1))/(1 + exp(-1))"),
    name="geometric",
)
REPAIRED = Mechanism(
    U,
    outputs=[real("s")],
    density=parse("exp(-abs(s - sum(alpha*f))/b)/(2*b)"),
    parameters={"b": "b >= abs(l) and b >= abs(h) and b > 0"},
    name="weighted",
)
SIZED = Mechanism(
    BITS,
    outputs=[finite("y", ["none", "some"])],
    name="sized",
    density=parse(
        'piecewise((piecewise((2/3, y == "none"), (1/3, true)), size == 0), (piecewise((1/3, y == '
        '"none"), (2/3, true)), true))'
    ),
)

STAIRS = Mechanism(
    BITS,
    outputs=[real("s")],
    density=parse("2^(-floor(abs(s - sum(x)) + 1/2))/3"),
    name="staircase",
)
RESIDUE = Mechanism(
    BITS,
    outputs=[finite("y", [0, 1])],
    density=parse("piecewise((2/3, y == mod(sum(x), 2)), (1/3, true))"),
    name="parity",
)
CUT = Mechanism(
    BITS,
    outputs=[integer("k")],
    density=parse("piecewise((1/2^abs(k - sum(x))/2, abs(k - sum(x)) <= 1), (0, true))"),
    name="cut off",
)

TRUE: dict[str, Claim] = {
    "laplace": dp(laplace(), 1),
    "weighted": ahdp(
        Mechanism(
            Domain([(0, 1), (1, parse("log(2)")), (1, oo)]),
            outputs=[real("s")],
            density=parse("exp(-abs(s - sum((1 - exp(-eps))*x)))/2"),
            name="w",
        ),
        parse("1 - exp(-eps)"),
    ),
    "geometric": dp(GEOMETRIC, 1),
    "delta": dp(laplace(Domain([(1, 1)])), 0, delta=Fraction(2, 5)),
    "coin delta": Claim(coin(), "any", number(0), number(Fraction(1, 4))),
    "bits": Claim(bits(13, "501/1000"), "any", parse("13*log(501/499)")),
    "clamped": Claim(clamped(), "any", number(1)),
    "sized": dp(SIZED, parse("log(2)")),
    "two": dp(
        Mechanism(
            BITS,
            outputs=[real("s"), real("t")],
            density=parse("exp(-abs(s - sum(x)))/2*exp(-abs(t - s))/2"),
            name="two",
        ),
        1,
    ),
    "staircase": dp(STAIRS, parse("log(2)")),
    "parity": dp(RESIDUE, parse("log(2)")),
    "cut off": dp(CUT, parse("log(2)"), delta=Fraction(1, 4)),
}
# the same mechanisms with claims that are false by a little
FALSE: dict[str, Claim] = {
    "laplace": dp(laplace(), 1 - LITTLE),
    "weighted": dataclasses.replace(TRUE["weighted"], level=parse("999/1000*(1 - exp(-eps))")),
    "geometric": dp(GEOMETRIC, 1 - LITTLE),
    "delta": dp(laplace(Domain([(1, 1)])), 0, delta=Fraction(39, 100)),
    "coin delta": Claim(coin(), "any", number(0), number(Fraction(1, 4) - LITTLE)),
    "bits": Claim(bits(13, "501/1000"), "any", parse("13*log(501/499) - 1/1000")),
    "clamped": Claim(clamped(), "any", number(1 - LITTLE)),
    "sized": dp(SIZED, parse("log(2) - 1/1000")),
    "two": dp(TRUE["two"].mechanism, 1 - LITTLE),
    "staircase": dp(STAIRS, parse("log(2) - 1/1000")),
    "parity": dp(RESIDUE, parse("log(2) - 1/1000")),
    "cut off": dp(CUT, parse("log(2)"), delta=Fraction(1, 4) - LITTLE),
}


@cache
def certificate(key: str) -> Certificate:
    for counts in (False, True):
        answer = certify(TRUE[key], counts, clock())
        if not isinstance(answer, Declined):
            return answer
    raise AssertionError(f"{key}: {answer.reason}")


def put(certificate_: Certificate, claim: Claim) -> Certificate:
    """The certificate with the fingerprint of another claim."""
    return dataclasses.replace(certificate_, claim=claim.fingerprint)


def mutations(
    thing: Any, deltas: tuple[Fraction, ...] = (Fraction(1), Fraction(-1), Fraction(1, 7))
) -> Iterator[Any]:
    """Every copy of a piece of certificate in which one number, index, truth value, relation or
    form is another.
    """
    if isinstance(thing, bool):
        yield not thing
    elif isinstance(thing, int):
        yield from (thing + 1, thing - 1)
    elif isinstance(thing, Fraction):
        yield from (thing + d for d in deltas)
    elif isinstance(thing, tuple):
        for i, part in enumerate(thing):
            yield from ((*thing[:i], other, *thing[i + 1 :]) for other in mutations(part, deltas))
    elif isinstance(thing, Expression):
        yield from (Expression(thing.head, args) for args in mutations(thing.args, deltas))
    elif isinstance(thing, str):
        yield from (
            {
                "excess": ("none", "whole"),
                "none": ("excess", "whole"),
                "whole": ("none", "excess"),
                "log": ("direct", "zero"),
                "direct": ("log", "zero", "never"),
                ">=": (">", "!="),
                "<": ("!=",),
                "<=": ("<",),
                ">": ("!=",),
                "=": ("!=", ">="),
            }.get(thing, ())
        )
    elif type(thing) in KIND_NAMES:
        for field in dataclasses.fields(thing):
            yield from (
                dataclasses.replace(thing, **{field.name: other})
                for other in mutations(getattr(thing, field.name), deltas)
            )


def verdict_of(claim: Claim, proof: Any) -> Proved | None:
    """The checker's answer, None if it rejects; any other exception is an error."""
    try:
        return check(claim, proof)
    except (Rejected, BadInput):
        return None


@pytest.mark.parametrize("key", sorted(TRUE))
def test_what_was_proved_is_accepted(key: str) -> None:
    answer = check(TRUE[key], certificate(key))
    assert answer.claim == TRUE[key]
    assert answer.trusts == ()


@pytest.mark.parametrize("key", sorted(TRUE))
def test_a_certificate_of_another_claim_is_rejected(key: str) -> None:
    with pytest.raises(Rejected):
        check(FALSE[key], certificate(key))
    with pytest.raises(Rejected):
        check(FALSE[key], put(certificate(key), FALSE[key]))


@pytest.mark.parametrize("key", sorted(TRUE))
def test_no_single_mutation_proves_a_false_claim(key: str) -> None:
    """Every number of a real certificate, changed one at a time, under a claim that is false by
    1/1000.
    """
    tried = 0
    for proof in mutations(put(certificate(key), FALSE[key])):
        assert verdict_of(FALSE[key], proof) is None, proof
        tried += 1
        if tried == 60:
            break
    assert tried > 5


@pytest.mark.sweep(4)
@pytest.mark.parametrize("key", sorted(TRUE))
def test_a_mutation_of_a_true_proof_is_rejected_or_proves_the_same_claim(key: str) -> None:
    rejected = 0
    for i, proof in enumerate(mutations(certificate(key), (Fraction(1),))):
        if i == 40:
            break
        answer = verdict_of(TRUE[key], proof)
        rejected += answer is None
        assert answer is None or (answer.claim == TRUE[key] and answer.trusts == ())
    assert rejected > 3


def other(thing: Any) -> Any:
    """The thing with its last part missing or its one piece of evidence gone: what no honest
    certificate looks like.
    """
    return {
        InequalityLeaf: lambda t: dataclasses.replace(t, form="never", lemmas=(), proofs=()),
        CaseSplit: lambda t: dataclasses.replace(t, cases=t.cases[:-1]),
        TotalLeaf: lambda t: dataclasses.replace(t, points=t.points[:-1]),
        CoordinatesLeaf: lambda t: dataclasses.replace(t, levels=t.levels[:-1]),
        HockeyStickLeaf: lambda t: dataclasses.replace(t, choices=t.choices[:-1]),
        HockeyStickPart: lambda t: dataclasses.replace(
            t, counts="excess" if t.counts == "none" else "none"
        ),
        Products: lambda t: dataclasses.replace(t, terms=t.terms[:-1]),
        Lemma: lambda t: dataclasses.replace(t, kind="square"),
        Mass: lambda t: dataclasses.replace(t, evidence=t.evidence[:-1]),
    }[type(thing)](thing)


def spoiled(thing: Any, kind: type) -> Iterator[Any]:
    """Copies of a certificate with one part of a kind spoiled."""
    if isinstance(thing, kind) and other(thing) != thing:
        yield other(thing)
    if isinstance(thing, tuple):
        for i, part in enumerate(thing):
            yield from ((*thing[:i], bad, *thing[i + 1 :]) for bad in spoiled(part, kind))
    elif type(thing) in KIND_NAMES:
        for field in dataclasses.fields(thing):
            yield from (
                dataclasses.replace(thing, **{field.name: bad})
                for bad in spoiled(getattr(thing, field.name), kind)
            )


def needs(key: str, kind: type) -> list[Certificate]:
    return list(spoiled(certificate(key), kind))


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        (InequalityLeaf, "laplace"),
        (Products, "laplace"),
        (Lemma, "laplace"),
        (TotalLeaf, "laplace"),
        (Mass, "laplace"),
        (CoordinatesLeaf, "bits"),
        (HockeyStickLeaf, "delta"),
        (HockeyStickPart, "delta"),
        (HockeyStickPart, "coin delta"),
        (InequalityLeaf, "sized"),
        (TotalLeaf, "two"),
        (InequalityLeaf, "clamped"),
    ],
)
def test_spoiling_any_part_is_rejected(kind: type, key: str) -> None:
    bad = needs(key, kind)
    assert bad
    for proof in bad[:40]:
        with pytest.raises(Rejected):
            check(TRUE[key], proof)


def test_a_solver_word_is_rejected_unless_two_solvers_agree() -> None:
    claim = TRUE["laplace"]
    proof = dataclasses.replace(
        certificate("laplace"),
        evidence=(SolverWord(("cvc5", "z3")),),
        uses=(0,) * len(certificate("laplace").uses),
    )
    with pytest.raises(Rejected):
        check(claim, proof)
    for confirming in ((), ("z3",), ("z3", "z3"), ("cvc5", "another z3")):
        with pytest.raises(Rejected):
            check(claim, proof, ask=lambda c, t, confirming=confirming: confirming)  # type: ignore[misc]
    assert check(claim, proof, ask=lambda c, t: ("z3", "cvc5")).trusts == ("cvc5", "z3")


def test_a_solver_word_is_neither_mass_nor_leaf() -> None:
    good, word = certificate("laplace"), SolverWord(("z3", "cvc5"))
    split = CaseSplit((), S, ((">=", word), ("<", word)))
    for proof in (
        dataclasses.replace(good, mass=Mass((), (word,))),
        dataclasses.replace(good, evidence=(split,), uses=(0,) * len(good.uses)),
    ):
        with pytest.raises(Rejected):
            check(TRUE["laplace"], proof, ask=lambda c, t: ("z3", "cvc5"))


GARBAGE: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**30,
    0.5,
    float("nan"),
    "",
    "x",
    b"x",
    (),
    (None,),
    [0],
    {},
    {"a": 1},
    set(),
    object(),
    number(1),
    oo,
    label("a"),
    InequalityLeaf(),
    Products(()),
)


@pytest.mark.parametrize("key", ["laplace", "delta"])
def test_garbage_anywhere_is_rejected(key: str) -> None:
    """Wrong types in every field of every part: rejected or irrelevant, never another exception."""
    good, false = certificate(key), FALSE[key]

    def replaced(thing: Any, junk: Any) -> Iterator[Any]:
        yield junk
        if isinstance(thing, tuple) and thing:
            yield from ((bad, *thing[1:]) for bad in replaced(thing[0], junk))
        elif type(thing) in KIND_NAMES:
            for field in dataclasses.fields(thing):
                yield from (
                    dataclasses.replace(thing, **{field.name: bad})
                    for bad in replaced(getattr(thing, field.name), junk)
                )

    for junk in GARBAGE:
        for proof in replaced(put(good, false), junk):
            if isinstance(proof, Certificate):
                assert verdict_of(false, proof) is None


@pytest.mark.parametrize(
    "uses",
    [
        (-1, -1),
        (True, True, True),
        (0,),
        (),
        (0, 0, 0, 0, 0),
        (10**30, 0),
        (0.0, 0.0),
        ("0", "0"),
        None,
        0,
    ],
)
def test_forged_uses_are_rejected(uses: Any) -> None:
    good = put(certificate("laplace"), FALSE["laplace"])
    assert verdict_of(FALSE["laplace"], dataclasses.replace(good, uses=uses)) is None


@pytest.mark.parametrize("counts", [0, 1, None, "False", "", ()])
def test_the_state_is_a_truth_value(counts: Any) -> None:
    with pytest.raises(Rejected):
        check(TRUE["laplace"], dataclasses.replace(certificate("laplace"), counts=counts))


# forgeries that use what is true where it does not hold


def forged(
    claim: Claim, total: Mass, *evidence: Any, conditions: tuple[Any, ...] = ()
) -> Certificate:
    """A certificate by hand: one piece of evidence for each inequality, or one for all."""
    count = len(list(tasks(claim, False)))
    uses = (0,) * count if len(evidence) == 1 else tuple(range(len(evidence)))
    return Certificate(
        claim=claim.fingerprint,
        counts=False,
        conditions=conditions,
        mass=total,
        evidence=tuple(evidence),
        uses=uses,
    )


def contradiction(lemma: Lemma, claim: Claim) -> Certificate:
    """A certificate whose every leaf is 'never', from a lemma that would say -1 >= 0."""
    total = mass_certificate(claim.mechanism, False, clock())
    assert isinstance(total, Mass)
    listed = list(tasks(claim, False))
    evidence = tuple(
        InequalityLeaf(
            (lemma,),
            "never",
            (Products(((Fraction(1), (len(t.obligation.here.facts),)), (Fraction(1), ()))),),
        )
        for t in listed
    )
    return forged(claim, total, *evidence)


@pytest.mark.parametrize("relation", [">=", ">", "=", "!=", "<=", "==", "", None, ("!=",)])
@pytest.mark.parametrize("kind", ["sign", "proved"])
def test_no_relation_makes_minus_one_a_contradiction(kind: str, relation: Any) -> None:
    false = FALSE["laplace"]
    assert (
        verdict_of(
            false,
            contradiction(
                Lemma(kind, (number(-1),), relation, (None,) if kind == "proved" else ()), false
            ),
        )
        is None
    )


def test_the_mass_is_not_totalled_under_a_sign_of_the_output() -> None:
    """One distribution for s > 0, another for s <= 0, each of mass 1 on the whole line: together 2
    - exp(-5).
    """
    law = piecewise((exp(-Abs(S - 5)) / 2, S > 0), (exp(-Abs(S + 5)) / 2, True))
    claim = dp(Mechanism(BITS, outputs=[real("s")], density=law, name="two halves"), 0)
    split = CaseSplit(
        (), S, ((">", TotalLeaf((), (number(5),))), ("<=", TotalLeaf((), (number(-5),))))
    )
    leaf = CaseSplit((), S, ((">", InequalityLeaf((), "log")), ("<=", InequalityLeaf((), "log"))))
    proof = forged(claim, Mass((), (split,)), leaf)
    assert verdict_of(claim, proof) is None


def test_a_factor_is_not_totalled_under_a_sign_of_its_output() -> None:
    law = (
        piecewise((exp(-Abs(S - 5)) / 2, S > 0), (exp(-Abs(S + 5)) / 2, True))
        * exp(-Abs(name("t")))
        / 2
    )
    claim = dp(Mechanism(BITS, outputs=[real("s"), real("t")], density=law, name="two halves"), 0)
    split = CaseSplit(
        (), S, ((">", TotalLeaf((), (number(5),))), ("<=", TotalLeaf((), (number(-5),))))
    )
    leaf = CaseSplit((), S, ((">", InequalityLeaf((), "log")), ("<=", InequalityLeaf((), "log"))))
    for values in (
        (number(1), number(Fraction(1, 1))),
        (number(2), number(HALF)),
        (number(HALF), number(2)),
    ):
        proof = forged(claim, Mass(values, (split, TotalLeaf((), (number(0),)))), leaf)
        assert verdict_of(claim, proof) is None


def test_the_excess_is_not_added_up_under_a_sign_of_the_output() -> None:
    """Two shifted Laplace distributions differ by 1 - exp(-1/2) = 0.39; cut in two by a split on s,
    either half stays below 1/4.
    """
    W = Domain([(1, 1)])
    claim = dp(laplace(W), 0, delta=Fraction(1, 4))
    true = dp(laplace(W), 0, delta=HALF)
    total = mass_certificate(claim.mechanism, False, clock())
    assert isinstance(total, Mass)
    evidence = []
    for task in tasks(true, False):
        honest = divergence_evidence(true, task.obligation, clock())
        assert isinstance(honest, HockeyStickLeaf) and len(honest.points) == 3
        low, middle, high = honest.points
        choices = honest.choices
        grows = choices[-1].counts == "excess"
        cut = high + HALF if grows else low - HALF
        points = (low, middle, high, cut) if grows else (cut, low, middle, high)
        no = HockeyStickPart("none", InequalityLeaf((), "never"))
        inner = (
            (no, no, choices[2], choices[3], no) if grows else (no, choices[0], choices[1], no, no)
        )
        outer = (no, no, no, no, choices[3]) if grows else (choices[0], no, no, no, no)
        flat = (*choices[:2], no, no, no) if grows else (no, no, no, *choices[2:])
        inward, outward = ("<=", ">") if grows else (">=", "<")
        rest = CaseSplit(
            (),
            S - cut,
            (
                (inward, HockeyStickLeaf((), points, inner)),
                (outward, HockeyStickLeaf((), points, outer)),
            ),
        )
        evidence.append(
            CaseSplit(
                (), S - middle, ((outward, rest), (inward, HockeyStickLeaf((), points, flat)))
            )
        )
    proof = forged(claim, total, *evidence)
    assert verdict_of(claim, proof) is None


def test_delta_is_a_sum_over_all_outcomes_however_many() -> None:
    """5000 outcomes, two disjoint distributions: the divergence is 1, each outcome's share of it
    only 1/2500.
    """
    y = finite("y", range(5000))
    law = parse(
        'piecewise((piecewise((1/2500, y < 2500), (0, true)), v == "a"), (piecewise((0, y < '
        "2500), (1/2500, true)), true))"
    )
    claim = Claim(
        Mechanism(AB, outputs=[y], density=law, name="disjoint"), "any", number(0), number(LITTLE)
    )
    answer = certify(claim, False, clock())
    assert isinstance(answer, Declined) or verdict_of(claim, answer) is None


@pytest.mark.parametrize(
    "points",
    [
        (S,),
        (S * 2,),
        (S - 1, S),
        (),
        (number(1),),
        (number(0), number(-1)),
        (name("z"),),
        (oo,),
        (exp(S),),
    ],
)
def test_points_that_are_not_points_of_the_law_are_rejected(points: tuple[Expression, ...]) -> None:
    claim = dp(
        Mechanism(BITS, outputs=[real("s")], density=parse("exp(-abs(s))/2"), name="constant"), 0
    )
    good = certify(claim, False, clock())
    assert isinstance(good, Certificate)
    check(claim, good)
    assert (
        verdict_of(claim, dataclasses.replace(good, mass=Mass((), (TotalLeaf((), points),))))
        is None
    )


def test_what_mentions_the_output_beside_points_is_an_antiderivative_that_need_not_serve() -> None:
    claim = dp(
        Mechanism(BITS, outputs=[real("s")], density=parse("exp(-abs(s))/2"), name="constant"), 0
    )
    good = certify(claim, False, clock())
    assert isinstance(good, Certificate)
    for points in ((number(0), S), (S, number(0))):
        mass = Mass((), (TotalLeaf((), points),))
        assert isinstance(verdict_of(claim, dataclasses.replace(good, mass=mass)), Proved)


@pytest.mark.parametrize(
    "values",
    [
        (S, 1 / S),
        (number(4), number(1)),
        (number(-2), number(-2)),
        (name("t"), 1 / name("t")),
        (number(1),),
        (),
        (number(1), number(1), number(1)),
        (oo, number(0)),
    ],
)
def test_totals_of_factors_are_the_true_ones(values: Any) -> None:
    good = certificate("two")
    bad = dataclasses.replace(good, mass=dataclasses.replace(good.mass, values=values))
    assert verdict_of(TRUE["two"], bad) is None


LAWS = {
    "mass 2": parse("exp(-abs(s))"),
    "negative": parse("3/2*exp(-abs(s)) - exp(-abs(s)/2)/2"),
    "no decay": parse("exp(abs(s))/2"),
    "zero": parse("0*s"),
    "half": parse("piecewise((exp(-s)/2, s > 0), (0, true))"),
}


@pytest.mark.parametrize("key", sorted(LAWS))
def test_what_is_not_a_distribution_is_not_private(key: str) -> None:
    claim = dp(Mechanism(BITS, outputs=[real("s")], density=LAWS[key], name=key), 0)
    for points in ((), (number(0),), (number(-1), number(0), number(1))):
        for form in ("log", "direct", "zero"):
            proof = forged(
                claim, Mass((number(1),), (TotalLeaf((), points),)), InequalityLeaf((), form)
            )
            assert verdict_of(claim, proof) is None


def test_a_missing_or_negative_atom_is_not_a_distribution() -> None:
    for atoms in ([(0, HALF)], [(0, Fraction(-1, 2)), (1, Fraction(1, 2))]):
        claim = dp(
            Mechanism(
                BITS,
                outputs=[real("s")],
                density=parse("exp(-abs(s))/2"),
                atoms=atoms,
                name="atoms",
            ),
            0,
        )
        proof = forged(claim, Mass((), (TotalLeaf((), (number(0),)),)), InequalityLeaf((), "log"))
        assert verdict_of(claim, proof) is None


@pytest.mark.parametrize("shift", [(-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)])
def test_forged_levels_of_coordinates_are_rejected(shift: tuple[int, int]) -> None:
    """Levels of coordinates that are too small for their coordinate, or add up to more than the
    claim's, whatever the others are.
    """
    good = put(certificate("bits"), FALSE["bits"])
    for i, piece in enumerate(good.evidence):
        assert isinstance(piece, CoordinatesLeaf)
        changed = dataclasses.replace(
            piece,
            levels=(
                piece.levels[0] + LITTLE * shift[0],
                *piece.levels[1:-1],
                piece.levels[-1] + LITTLE * shift[1],
            ),
        )
        assert (
            verdict_of(
                FALSE["bits"],
                dataclasses.replace(
                    good, evidence=(*good.evidence[:i], changed, *good.evidence[i + 1 :])
                ),
            )
            is None
        )
    for levels in (
        (),
        good.evidence[0].levels[:-1],
        (*good.evidence[0].levels, number(-1)),
        (oo, *good.evidence[0].levels[1:]),
        (name("z"),) * 13,
    ):  # type: ignore[union-attr]
        forged = tuple(dataclasses.replace(piece, levels=levels) for piece in good.evidence)  # type: ignore[call-arg]
        assert verdict_of(FALSE["bits"], dataclasses.replace(good, evidence=forged)) is None


SCHEMA = dp(laplace(Domain([(Fraction(k, 9), 1) for k in range(10)])), 1)
C, L = name("@c1"), name("@level")


def of_schema(claim: Claim, conditions: tuple[Any, ...], *evidence: Any) -> Certificate:
    total = mass_certificate(claim.mechanism, False, clock())
    assert isinstance(total, Mass)
    return Certificate(
        claim=claim.fingerprint,
        counts=False,
        conditions=conditions,
        mass=total,
        evidence=tuple(evidence),
        uses=(0, 1) if len(evidence) == 2 else (0, 0),
    )


def test_a_schema_serves_all_records_of_which_its_conditions_are_true() -> None:
    conditions = (L - C, C)
    leaves = [
        prove_inequality(*t.laws, t.obligation.level, t.obligation.here, clock())
        for t in schema_tasks(SCHEMA, conditions)
    ]
    assert check(SCHEMA, of_schema(SCHEMA, conditions, *leaves)).claim == SCHEMA
    false = dataclasses.replace(SCHEMA, level=number(1 - LITTLE))
    assert verdict_of(false, of_schema(false, conditions, *leaves)) is None


@pytest.mark.parametrize(
    "conditions",
    [
        (number(-1),),
        (L - C, number(-1)),
        (L - 2 * C,),
        (-C,),
        (-L,),
        (C - 1,),
        (-(C ** number(2)),),
        (L - C - LITTLE,),
        (name("z"),),
        (-Abs(name("z")),),
        (S,),
        (name("@1"),),
        (name("@1") - C,),
        (oo,),
        (label("a"),),
        (piecewise((-1, C < HALF), (1, True)),),
        (1 / C,),
        (None,),
        (3,),
        ("x",),
        ((),),
    ],
)
def test_a_schema_assumes_nothing_that_is_false_of_a_record(conditions: tuple[Any, ...]) -> None:
    """Whatever false condition is assumed, a leaf that rests on it, or on 'never', does not make
    a proof.
    """
    false = dataclasses.replace(SCHEMA, level=number(1 - LITTLE))
    empty = InequalityLeaf((), "never")
    for proof in (None, *(Products(((Fraction(1), (k,)), (Fraction(1), ()))) for k in range(4))):
        leaf = dataclasses.replace(empty, proofs=(proof,))
        assert verdict_of(false, of_schema(false, conditions, leaf)) is None
    honest = certify(SCHEMA, False, clock())
    assert isinstance(honest, Certificate)
    assert verdict_of(false, dataclasses.replace(put(honest, false), conditions=conditions)) is None
    assert verdict_of(false, put(honest, false)) is None


def test_only_additions_to_a_finite_domain_have_a_schema() -> None:
    moved = dataclasses.replace(SCHEMA, relation="swap")
    values = TRUE["coin delta"]
    for claim in (moved, dataclasses.replace(SCHEMA, delta=number(LITTLE)), values):
        total = mass_certificate(claim.mechanism, False, clock())
        assert isinstance(total, Mass)
        assert (
            verdict_of(
                claim, forged(claim, total, InequalityLeaf((), "never"), conditions=(number(-1),))
            )
            is None
        )


@pytest.mark.parametrize("level", ["0", "1/2", "min(eps, 1)"])
def test_a_record_of_demand_oo_is_a_move_of_a_universal_domain(level: str) -> None:
    """The generic proof speaks of finite demands; a law that singles out eps = oo, or its limit,
    is not covered by it.
    """
    V = Domain.universal(unknowns={"f": "0 <= f"})
    sees = Mechanism(
        V,
        outputs=[real("s")],
        density=parse("exp(-abs(s - 100*sum(indicator(eps == oo))))/2"),
        name="sees oo",
    )
    limit = Mechanism(
        V,
        outputs=[finite("y", [0, 1])],
        density=parse(
            "piecewise((piecewise((1, y == 1), (0, true)), maximum(1 - exp(-eps)) >= 1), "
            "(piecewise((0, y == 1), (1, true)), true))"
        ),
        defined="size >= 1",
        name="limit",
    )
    for mechanism in (sees, limit):
        claim = ahdp(mechanism, parse(level))
        try:
            answer = certify(claim, False, clock())
        except BadInput:
            continue
        assert isinstance(answer, Declined) or verdict_of(claim, answer) is None


def test_a_demand_of_oo_does_not_hide_a_coefficient_that_may_be_0() -> None:
    """c * eps >= 1 at demand oo holds for c > 0 only, and c = 0 is allowed."""
    W = Domain([(1, oo)])
    weight = laplace(
        W, "sum(piecewise((0, c*eps >= 1), (100*x, true)))", parameters={"c": "c >= 0"}
    )
    level = laplace(W, "100*sum(x)", parameters={"c": "c >= 0"})
    for claim in (dp(weight, 1), ahdp(level, parse("piecewise((oo, c*eps >= 1), (0, true))"))):
        try:
            answer = certify(claim, False, clock())
        except BadInput:
            continue
        assert isinstance(answer, Declined) or verdict_of(claim, answer) is None


@pytest.mark.parametrize(
    ("first", "second", "parameters"),
    [
        ("log(4)", "2*log(2)", {}),
        ("1/(1 + sqrt(2))", "sqrt(2) - 1", {}),
        ("t", "u", {"t": "t > 0", "u": "u > 0"}),
        ("2*t", "t + t", {"t": "t > 0"}),
    ],
)
def test_equal_demands_written_differently_are_equal(
    first: str, second: str, parameters: dict[str, str]
) -> None:
    """Where two demands are, or for some parameters can be, one number, their records may
    replace each other.
    """
    W = Domain([(0, parse(first)), (100, parse(second))])
    claim = hdp(laplace(W, parameters=parameters))
    try:
        answer = certify(claim, False, clock())
    except BadInput:
        return
    assert isinstance(answer, Declined) or verdict_of(claim, answer) is None


MONSTERS = (
    "2^(1000000000000001/2)",
    "exp(100000000000000*log(2))",
    "floor(exp(exp(30)))",
    "floor(exp(exp(200)))",
    "exp(exp(exp(exp(9))))",
    "z^(2^1000)",
    "log(2^1000 + 7)",
    "floor(2^(1/2)*2^3000)",
)
PROGRAM = """
import resource, sys
from fractions import Fraction
resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))
from tests.kernel.test_checker import FALSE, contradiction, verdict_of, Lemma, parse
try:
    monster = parse(sys.argv[1])
except Exception as error:
    sys.exit(0 if type(error).__name__ in ("BadInput", "GrammarError") else 3)
sys.exit(0 if verdict_of(FALSE["laplace"], contradiction(Lemma("square", (monster,)), FALSE["laplace"])) is None else 4)
"""


@pytest.mark.sweep(2)
@pytest.mark.parametrize("text", MONSTERS)
def test_a_monstrous_number_is_rejected_soon(text: str) -> None:
    """In a process of its own, since an exhausted memory or an abort in C would end this one."""
    root = pathlib.Path(__file__).resolve().parents[2]
    path = {**os.environ, "PYTHONPATH": str(root)}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, text],
        env=path,
        timeout=30,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-500:]


def test_a_verdict_names_the_rules_beyond_the_core_that_it_relied_on() -> None:
    plain, loose = ahdp(laplace()), ahdp(laplace(), number(HALF), delta=number(HALF))
    found = [verify(claim) for claim in (plain, loose)]
    assert isinstance(found[0], Proved) and isinstance(found[1], Proved)
    assert (found[0].beyond, found[1].beyond) == ((), ("the hockey-stick rule",))
    assert found[1].to_json()["trusts"] == []
    assert str(found[1]).endswith("; trusts: the checker and the hockey-stick rule")
