"""The best power and the best mechanism: the tables of STATEMENTS (read where they are present,
else a few rows with their source), its formulas, and small instances against a linear programme in
another form solved by Z3. Every value has been accepted by the checker.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import linprog

from ahdp_verify import (
    BadInput,
    Domain,
    Proved,
    Refuted,
    ahdp,
    best_power,
    dp,
    extra_records,
    recheck,
    verify,
)
from ahdp_verify.analysis.power import (
    best_mechanism,
    best_powers,
    known_record,
    one_more_record,
    these,
)
from ahdp_verify.analysis.power.best import BestMechanism
from ahdp_verify.kernel.checker import refute
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.evidence.event import Event
from ahdp_verify.kernel.model.mechanism import Mechanism
from ahdp_verify.kernel.model.outputs import finite
from ahdp_verify.kernel.numbers.ball import enclose
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal, truth
from ahdp_verify.kernel.terms.expression import (
    TRUE,
    ZERO,
    Expression,
    eq,
    exp,
    log,
    name,
    number,
    oo,
    pi,
    piecewise,
    sqrt,
    substitute,
)
from tests.minmax import SHARED, all_near, best, closeness, demand, domain, exact, extra, naming
from tests.sweeps import swept

F = Fraction
# STATEMENTS O1 (k, q, powers for t = 1, 2, ...; limit), in part
FEW = [
    (1, "1/2", "2/3 1/2 4/9 2/5 8/21 4/11 16/45 8/23", "1/3"),
    (2, "1/3", "3/5 27/58 27/74 81/251", "1/4"),
    (3, "1/2", "2/5 1/4 32/183 32/261 64/669", "1/27"),
    (3, "1/10", "10/13 2900/4133 1450/2261", "729/1331"),
]


def table_o1() -> list[tuple[int, str, str, str]]:
    if not SHARED.is_file():
        return FEW
    text = SHARED.read_text().split("**O1.", 1)[1].split("Decimals", 1)[0]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if re.match(r"\| \d", line)
    ]
    return [(int(k), q, " ".join(v for v in powers if v), limit) for k, q, *powers, limit in lines]


def test_the_table_is_read_as_it_is_stored() -> None:
    whole = {(k, q): values for k, q, values, _ in table_o1()}
    assert all(whole[k, q].startswith(values) for k, q, values, _ in FEW)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("k", "q", "values", "limit"), table_o1())
def test_powers_of_equal_demands(k: int, q: str, values: str, limit: str) -> None:
    """O1.  V_t does not increase, and stays above the limit (S1)."""
    found = [power_of([q] * k, t) for t in range(1, len(values.split()) + 1)]
    assert found == [F(v) for v in values.split()]
    assert sorted(found, reverse=True) == found and found[-1] > F(limit)


def power_of(qs: Any, t: int) -> Fraction:
    """The optimum, as one verdict of the checker."""
    found = best_power(domain(*qs), extra_records(t))
    (verdict,) = found.verdicts
    assert isinstance(verdict, Proved) and verdict.claim.bound == "=" and verdict.trusts == ()  # type: ignore[union-attr]
    return exact(verdict.claim.value)  # type: ignore[union-attr]


O2 = {
    ("1/2", "1/3"): "6/11 9/23 36/119 216/841 648/2819 3888/18193 7776/38735",
    ("1/2", "1/3", "1/4"): "12/25 288/865",
}
O3 = {"1/20": "23600/28463", "1/10": "2900/4133", "1/4": "176/383"}


@pytest.mark.parametrize("qs", O2)
def test_powers_of_unequal_demands(qs: tuple[str, ...]) -> None:
    """O2."""
    assert [power_of(qs, t) for t in range(1, len(O2[qs].split()) + 1)] == [
        F(v) for v in O2[qs].split()
    ]
    if SHARED.is_file():
        assert O2[qs].replace(" ", ", ") in SHARED.read_text()


@pytest.mark.parametrize("q", O3)
def test_the_ball_bound_is_not_always_met(q: str) -> None:
    """O3: three values, t = 2.  The ball bound is 1 over the largest sum of q^distance (S3):
    here about a dataset of one record, 1/(1 + 3q + 6q^2) about none.
    """
    x, found = F(q), power_of([q] * 3, 2)
    ball = min(1 / sum(closeness(v, u, [x] * 3) for u in extra(3, 2)) for v in extra(3, 2))
    assert found == F(O3[q]) and found < ball
    if SHARED.is_file():
        assert f"{q}: {O3[q]}" in SHARED.read_text()


@pytest.mark.parametrize(
    ("qs", "t"),
    [
        (("1/2",) * 2, 4),
        (("9/10", "1/7"), 3),
        (("1/100", "99/100"), 3),
        (("1/100",) * 2, 5),
        (("1/3",) * 2, 6),
        (("1/5",), 9),
    ],
)
def test_the_ball_bound_is_met_for_one_and_two_values(qs: tuple[str, ...], t: int) -> None:
    """S3: every case that was tried."""
    numbers = [F(q) for q in qs]
    assert power_of(qs, t) == min(
        1 / sum((closeness(v, u, numbers) for u in extra(len(qs), t)), F(0))
        for v in extra(len(qs), t)
    )


@pytest.mark.parametrize(
    ("qs", "t"),
    [
        (("1/2",), 1),
        (("1/7",), 2),
        (("3/4",), 3),
        (("0",), 2),
        (("1",), 3),
        (("1/100",), 3),
        (("1/2", "1/3"), 1),
        (("0", "1/2"), 1),
        (("1", "1/3"), 1),
        (("1/100", "99/100"), 1),
        (("1/2", "0"), 2),
    ],
)
def test_extra_records_against_another_linear_programme(qs: tuple[str, ...], t: int) -> None:
    rows, numbers = extra(len(qs), t), [F(q) for q in qs]
    aims, width = naming(rows)
    assert power_of(qs, t) == best(rows, width, all_near(rows, numbers), aims)


def test_demands_at_the_ends() -> None:
    """q = 0: everything may be released.  q = 1: nothing, so a blind guess among all that cannot be
    told apart.
    """
    assert power_of(["0", "0"], 3) == 1
    assert power_of(["1", "1"], 2) == F(1, 6)
    assert power_of(["0", "1"], 2) == F(
        1, 3
    )  # counts of the second value: 0, 1 or 2 at count 0 of the first
    assert power_of(["1/100"], 1) == F(100, 101)


@pytest.mark.parametrize("seed", swept(range(8), 3))
def test_random_hypotheses_against_another_linear_programme(seed: int) -> None:
    """Datasets drawn at random over two or three records, two of which may have one value (and
    then one label).
    """
    rng = random.Random(seed)
    width = rng.choice([2, 2, 3])
    qs = [F(rng.choice(["1/2", "1/3", "2/3", "1/10", "0", "1"])) for _ in range(width)]
    values = [rng.choice("ab") for _ in range(width)]
    if len(set(zip(values, qs, strict=True))) < width:
        values = list("abc")[:width]
    W = Domain([(v, demand(q)) for v, q in zip(values, qs, strict=True)])
    rows = rng.sample(list(itertools.product(range(3), repeat=width)), rng.randint(2, 5))
    labels = [
        tuple(
            sorted(
                {
                    v: sum(c for x, c in zip(values, row, strict=True) if x == v) for v in values
                }.items()
            )
        )
        for row in rows
    ]
    aims, answers = naming(labels)
    if answers < 2:
        with pytest.raises(BadInput, match="nothing to tell apart"):
            best_power(W, these(rows))
        return
    assert exact(best_power(W, these(rows)).value) == best(rows, answers, all_near(rows, qs), aims)


@pytest.mark.parametrize("seed", swept(range(4), 2))
def test_random_hypotheses_under_swaps(seed: int) -> None:
    """Datasets of sizes 2 and 3 over three values; those of different size are infinitely far
    apart.
    """
    rng, q = random.Random(seed), F(1, 2)
    rows = rng.sample(
        [row for row in itertools.product(range(4), repeat=3) if sum(row) in (2, 3)], 5
    )
    near = {
        (i, j): q ** (sum(abs(x - y) for x, y in zip(a, b, strict=True)) // 2)
        if sum(a) == sum(b)
        else F(0)
        for (i, a), (j, b) in itertools.permutations(enumerate(rows), 2)
    }
    aims, width = naming(rows)
    W = Domain([("a", 1), ("b", 2), ("c", oo)])
    assert exact(best_power(W, these(rows), "swap", log(2)).value) == best(rows, width, near, aims)


# formulas


@pytest.mark.sweep(1)
@pytest.mark.parametrize("eps", ["eps > 0", "eps >= log(3)"])
def test_the_formula_of_three_values_and_two_records(eps: str) -> None:
    """S3: 1/V = (3 + 11 q + 3 q^2 + 3 q^3)/(3 - q) for q < 1/3, else 1 + 3 q + 6 q^2; the
    threshold is found, not given.
    """
    W = Domain([(c, name("eps")) for c in "abc"])
    pieces = best_powers(W, extra_records(2), parameters={"eps": eps})
    assert all(isinstance(v, Proved) for piece in pieces for v in piece.verdicts)
    conditions = [str(piece.claim.parameters[0][1]) for piece in pieces]
    assert conditions[-1] == ("log(3) < eps" if eps == "eps > 0" else "log(3) <= eps")
    for q in (F(1, 100), F(1, 10), F(1, 4), F(1, 3), F(2, 5), F(1, 2), F(9, 10)):
        level = log(number(1 / q))
        holding = [p for p in pieces if holds(p, level)]
        expected = (
            (3 - q) / (3 + 11 * q + 3 * q**2 + 3 * q**3)
            if q < F(1, 3)
            else 1 / (1 + 3 * q + 6 * q**2)
        )
        assert {exact(p.value, eps=level) for p in holding} == (
            {expected} if eps == "eps > 0" or q <= F(1, 3) else set()
        )
    if eps == "eps > 0":
        assert any(str(c).endswith("eps <= log(3)") for c in conditions)


def holds(piece: BestMechanism, level: Expression) -> bool:
    return all(
        truth(substitute(c, {"eps": level}), Context.empty()) for _, c in piece.claim.parameters
    )


def test_multiples_of_one_demand() -> None:
    """Demands eps and 2 eps: 1/(1 + q + q^2) at t = 1 (claim:3)."""
    W = Domain([("a", name("eps")), ("b", 2 * name("eps"))])
    (found,) = best_powers(W, extra_records(1), parameters={"eps": "eps > 0"})
    for q in (F(1, 10), F(1, 2), F(9, 10)):
        assert exact(found.value, eps=log(number(1 / q))) == 1 / (1 + q + q * q)


def test_constant_levels_that_are_not_logarithms() -> None:
    """eps = 1/2 and 1/3: claim:3, with exp(-1/2) and exp(-1/3)."""
    found = best_power(Domain([("a", "1/2"), ("b", "1/3")]), extra_records(1))
    gap = normal(found.value, Context.empty()) - normal(
        1 / (1 + exp(number("-1/2")) + exp(number("-1/3"))), Context.empty()
    )
    assert gap.is_zero and found.exact


def test_levels_without_one_exponential_are_not_worked_out() -> None:
    for other in (sqrt(2), pi, name("a")):
        with pytest.raises(
            (BadInput, NotWorkedOut),
            match=r"not found to be powers of one exponential|not found to be a power of one "
            r"eps|the name a is not known",
        ):
            best_power(Domain([("a", "1/2"), ("b", other)]), extra_records(1))
    with pytest.raises(NotWorkedOut, match="not found to be powers of one exponential"):
        best_powers(
            Domain([("a", name("a")), ("b", name("b"))]),
            extra_records(1),
            parameters={"a": "a > 0", "b": "b > 0"},
        )
    mixed = best_power(
        Domain([("a", "1/2"), ("b", log(2))]), extra_records(1)
    )  # one exponential, and a rational number beside it
    assert (
        normal(mixed.value, Context.empty())
        - normal(1 / (1 + exp(number("-1/2")) + number("1/2")), Context.empty())
    ).is_zero


# S4: several demands for one value


@pytest.mark.parametrize(
    ("records", "values"),
    [
        ((("a", "1/2"), ("a", "1/5"), ("b", "1/3")), ("6/11", "9/23")),
        ((("a", "1"), ("a", "1/5"), ("b", "1/3")), ("3/7", "9/34")),
        ((("a", "1/2"), ("b", "0")), ("2/3", "1/2")),
    ],
)
def test_several_demands_for_one_value(
    records: tuple[tuple[str, str], ...], values: tuple[str, str]
) -> None:
    """The reduction to the most private records, and the whole domain with all of its datasets."""
    W = Domain([(x, demand(q)) for x, q in records])
    for t, value in enumerate(values, 1):
        reduced, whole = (
            best_power(W, extra_records(t)),
            best_power(W, these(extra(len(records), t))),
        )
        assert exact(reduced.value) == exact(whole.value) == F(value)
        assert len(whole.claim.rows) == len(extra(len(records), t)) and bool(reduced.note) == (
            len(records) > 2
        )


# claim:1 to claim:4


@pytest.mark.parametrize(("k", "n"), [(2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2)])
@pytest.mark.parametrize("q", ["1/2", "1/3"])
def test_claim_1_is_tight(k: int, n: int, q: str) -> None:
    """1/(1 + (k - 1) q) with n - 1 known records, for kernels on the hypotheses, on all datasets
    of that size (as rows, and by E5).
    """
    W, given = domain(*[q] * k), [n - 1] + [0] * (k - 1)
    x, level = F(q), demand(q)
    expected = 1 / (1 + (k - 1) * x)
    found = best_power(W, one_more_record(given), "swap", level)
    assert exact(found.value) == expected and found.extends
    assert (
        exact(best_power(W, one_more_record(given), "swap", level, everywhere=True).value)
        == expected
    )


@pytest.mark.parametrize(
    "qs",
    [
        ("1/2",),
        ("1/2", "1/2"),
        ("1/3",) * 3,
        ("1/10",) * 4,
        ("1/2", "1/3"),
        ("1/2", "1/3", "1/4"),
        ("1/100", "1/2", "9/10"),
        ("0", "1/2", "1"),
        ("1", "1"),
    ],
)
def test_claims_2_and_3_at_one_record_are_tight_on_all_datasets(qs: tuple[str, ...]) -> None:
    """(A2), (B2): 1/(1 + sum of q), attained on all datasets (E4)."""
    found = best_power(domain(*qs), extra_records(1))
    assert exact(found.value) == 1 / (1 + sum(map(F, qs)))
    assert found.extends and exact(found.attained_everywhere) == exact(found.value)  # type: ignore[arg-type]


@pytest.mark.parametrize("q", ["1/2", "1/10", "0", "1"])
def test_claim_4_is_tight(q: str) -> None:
    """1/(1 + q), whatever else is known."""
    for given in ((), [2, 1]):
        found = best_power(domain(q, "1/3"), known_record(("x0", demand(q)), given))
        assert exact(found.value) == 1 / (1 + F(q)) and found.extends


def test_add_remove_at_one_level() -> None:
    """claim:2 for a level that is not the demand: q = 1/4 for two values, t = 1."""
    assert exact(
        best_power(domain("1/2", "1/3"), extra_records(1), "add-remove", log(4)).value
    ) == F(2, 3)
    with pytest.raises(
        BadInput,
        match=r"the records have the demands log\(2\) and log\(3\), but add-remove needs one level",
    ):
        best_power(domain("1/2", "1/3"), extra_records(1), "add-remove")
    assert exact(best_power(domain("1/4", "1/4"), extra_records(1), "add-remove").value) == F(2, 3)


def test_what_the_adversary_has_seen_does_not_matter() -> None:
    """The distances among D_o + v are those among the v."""
    for given in ((), [0, 2], [1, 3]):
        assert exact(best_power(domain("1/2", "1/3"), extra_records(2, given)).value) == F(9, 23)


@pytest.mark.parametrize(
    ("qs", "t"), [(("1/2",), 3), (("1/2", "1/2"), 3), (("1/2", "1/3"), 2), (("1/10",) * 3, 2)]
)
def test_the_optimum_is_attained_on_all_datasets(qs: tuple[str, ...], t: int) -> None:
    """S4: proved for k = 1 and k = 2 with equal demands; for the others no instance is known
    that loses anything.
    """
    found = best_power(domain(*qs), extra_records(t))
    assert found.extends and found.everywhere is not None and found.everywhere.claim.everywhere
    assert best_power(domain(*qs), extra_records(t), everywhere=True).value == found.value


# the mechanism, its prior, the record


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("qs", "t"), [(("1/2",), 2), (("1/2", "1/3"), 1), (("0", "1/2"), 1), (("1", "1/2"), 1)]
)
@pytest.mark.parametrize("everywhere", [False, True])
def test_the_mechanism_is_proved_private(qs: tuple[str, ...], t: int, everywhere: bool) -> None:
    found = best_power(domain(*qs), extra_records(t), everywhere=everywhere)
    verdict = verify(ahdp(found.mechanism))
    assert isinstance(verdict, Proved)
    assert verdict.scope_text == (
        "all datasets" if everywhere or len(qs) == 1 else f"all moves inside size <= {t}"
    )


def test_the_mechanism_is_not_private_at_a_smaller_level() -> None:
    found = best_power(domain("1/2", "1/3"), extra_records(1), everywhere=True)
    assert isinstance(verify(ahdp(found.mechanism, name("eps") * number("99/100"))), Refuted)


def test_the_mechanism_of_a_formula() -> None:
    found = best_power(
        Domain([("a", name("eps"))]), extra_records(1), parameters={"eps": "eps > 0"}
    )
    assert isinstance(verify(ahdp(found.mechanism)), Proved)


@pytest.mark.parametrize("everywhere", [False, True])
def test_the_mechanism_of_swaps(everywhere: bool) -> None:
    found = best_power(domain("1/2", "1/2"), one_more_record(), "swap", everywhere=everywhere)
    verdict = verify(dp(found.mechanism, log(2), neighbours="swap"))
    assert isinstance(verdict, Proved)
    assert (verdict.scope_text == "all datasets") is everywhere


def test_the_mechanism_of_scattered_datasets() -> None:
    """Where privacy on all datasets costs nothing, it is private there; else where it is
    defined, which `size` exhausts.
    """
    free, dear = (
        best_power(domain("1/2", "1/3"), these(rows))
        for rows in ([(0, 0), (1, 0), (2, 0), (2, 1)], [(0, 0), (1, 1)])
    )
    assert free.extends
    assert verify(ahdp(free.mechanism)).scope_text == "all datasets"
    # two outcomes at distance log 6 in two steps: the one between them would need 3/7 and 5/7 of
    # one mass
    assert not dear.extends
    assert isinstance(verify(ahdp(dear.mechanism), size=2), Proved)


@pytest.mark.parametrize(("qs", "t"), [(("1/2",), 3), (("1/2", "1/3"), 2), (("1/10",) * 3, 2)])
def test_the_prior_is_least_favourable(qs: tuple[str, ...], t: int) -> None:
    """Under it no private kernel succeeds more often (Z3), and it is a distribution."""
    found = best_power(domain(*qs), extra_records(t))
    prior = list(map(exact, found.prior.values()))
    assert sum(prior) == 1 and min(prior) >= 0
    if len(qs) < 3:
        rows = list(found.claim.rows)
        aim = [(i, i, p) for i, p in enumerate(prior)]
        assert best(rows, len(rows), all_near(rows, [F(q) for q in qs]), [aim]) == exact(
            found.value
        )


def test_the_kernel_attains_it() -> None:
    """By the definition: rows sum to 1, every dataset is named with that probability, and the
    probabilities of all pairs are within exp(distance).
    """
    found = best_power(domain("1/2", "1/3"), extra_records(3))
    rows = [[exact(p) for p in row.values()] for row in found.kernel.values()]
    assert all(sum(row) == 1 and min(row) >= 0 for row in rows) and min(
        row[i] for i, row in enumerate(rows)
    ) == exact(found.value) == F(36, 119)
    for (i, a), (j, b) in itertools.permutations(enumerate(found.claim.rows), 2):
        near = closeness(a, b, [F(1, 2), F(1, 3)])
        assert all(near * p <= r for p, r in zip(rows[i], rows[j], strict=True))


def test_save_and_recheck(tmp_path: Path) -> None:
    for i, found in enumerate(
        (
            best_power(domain("1/2", "1/3"), extra_records(2)),
            best_power(domain("0", "1/2"), extra_records(1), everywhere=True),
            best_power(domain("1/2", "1/2"), one_more_record(), "swap", everywhere=True),
            *best_powers(
                Domain([("a", name("eps"))]), extra_records(2), parameters={"eps": "eps > 0"}
            ),
        )
    ):
        found.save(tmp_path / f"{i}.json")
        assert recheck(tmp_path / f"{i}.json", trust="kernel") == found.verdicts[-1]


# optimal mechanisms for a task


@pytest.mark.parametrize("seed", swept(range(6), 2))
def test_random_losses_against_another_linear_programme(seed: int) -> None:
    rng = random.Random(seed)
    qs = rng.choice([("1/2",), ("1/2", "1/3"), ("0", "1/2"), ("1/10", "9/10")])
    rows = rng.sample(extra(len(qs), 2), 3)
    loss = {(row, u): F(rng.randint(-6, 12), rng.randint(1, 4)) for row in rows for u in range(3)}
    weights = [F(rng.randint(1, 5), 10) for _ in rows]
    near, numbers = all_near(rows, [F(q) for q in qs]), [(i, u) for i in range(3) for u in range(3)]
    worst = [[(i, u, loss[rows[i], u]) for u in range(3)] for i in range(3)]
    average = [[(i, u, weights[i] / sum(weights) * loss[rows[i], u]) for i, u in numbers]]
    for prior, aims in ((None, worst), ([w / sum(weights) for w in weights], average)):
        found = best_mechanism(
            domain(*qs), these(rows), range(3), lambda D, s: loss[D.counts, s], prior=prior
        )
        assert exact(found.value) == best(rows, 3, near, aims, sense="loss")
        kernel = [[exact(p) for p in row.values()] for row in found.kernel.values()]
        assert all(sum(row) == 1 and min(row) >= 0 for row in kernel)
        assert all(
            near[i, j] * a <= b for i, j in near for a, b in zip(kernel[i], kernel[j], strict=True)
        )


def test_losses_that_are_none() -> None:
    W = domain("1/2")
    for loss in (0.5, "text", None):
        with pytest.raises(BadInput, match="loss of"):
            best_mechanism(W, extra_records(1), [0, 1], lambda D, s, loss=loss: loss)
    with pytest.raises(BadInput, match="give one for each"):
        best_mechanism(W, extra_records(1), [0, 1], lambda D, s: 0, prior=[1])
    with pytest.raises(BadInput):
        best_mechanism(W, extra_records(1), [], lambda D, s: 0)
    with pytest.raises(BadInput, match="listed twice"):
        best_mechanism(W, extra_records(1), [1, 1], lambda D, s: 0)


def test_a_prior_that_is_not_one_is_bad_input() -> None:
    """Weights that do not add up to 1, or are negative, would not make an expected loss."""
    for prior in ([1, 1], [2, -1]):
        with pytest.raises(BadInput, match="prior"):
            best_mechanism(
                domain("1/2"), extra_records(1), [0, 1], lambda D, s: abs(D.size - s), prior=prior
            )


# E4 and the extension that fails

P = F(6, 11)
ROWS = {"0": (P, P / 2, P / 3), "1": (P / 2, P, P / 3), "2": (P / 3, P / 2, P)}


def guess(order: list[tuple[str, Expression]], last: str) -> Mechanism:
    """The row of the first condition that holds, else the last."""
    s = name("s")
    rows = {
        key: piecewise((a, eq(s, 0)), (b, eq(s, 1)), (c, TRUE)) for key, (a, b, c) in ROWS.items()
    }
    return Mechanism(
        W4,
        outputs=[finite("s", [0, 1, 2])],
        density=piecewise(*((rows[key], c) for key, c in order), (rows[last], TRUE)),
        name="guess",
    )


W4 = Domain([(1, log(2)), (2, log(3))])


def test_the_row_of_the_largest_demand_is_private_on_all_datasets() -> None:
    """E4 with q = (1/2, 1/3): the element of the support with the largest demand."""
    c = [W4.count(r) for r in W4.records]
    verdict = verify(ahdp(guess([("2", c[1] > 0), ("1", c[0] > 0)], "0")))
    assert isinstance(verdict, Proved) and verdict.scope_text == "all datasets"


def test_the_naive_extension_is_refuted() -> None:
    """STATEMENTS E4: "two or more: the row of none" fails for D = (0, 1) -> (1, 1), output 0,
    where the ratio is 3 and 2 is allowed.
    """
    c = [W4.count(r) for r in W4.records]
    M = guess([("0", W4.size >= 2), ("2", c[1] > 0), ("1", c[0] > 0)], "0")
    verdict = verify(ahdp(M))
    assert isinstance(verdict, Refuted)
    before, after = (
        tuple(int(exact(e)) for e in side)
        for side in (verdict.counterexample.first, verdict.counterexample.second)
    )
    assert {before, after} == {(0, 1), (1, 1)}
    ratio = (verdict.first_probability / verdict.second_probability).as_rational
    assert ratio is not None and max(ratio, 1 / ratio) == 3 and str(verdict.level) == "log(2)"
    at_0 = replace(
        verdict.counterexample,
        event=Event(outcomes=((number(0),),)),
        first=(number(1), number(1)),
        second=(number(0), number(1)),
    )
    shown = refute(ahdp(M), at_0)
    assert (shown.first_probability.as_rational, shown.second_probability.as_rational) == (P, P / 3)


# questions that are none


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (lambda: extra_records(0), "leaves nothing"),
        (lambda: extra_records(-1), "leaves nothing"),
        (lambda: extra_records(True), "leaves nothing"),
        (lambda: extra_records(F(3, 2)), "leaves nothing"),
        (lambda: these([[0, 0]]), "there is one"),
        (lambda: these([]), "there is none"),
        (lambda: these([[1, 0], [1, 0]]), "listed twice"),
        (lambda: these([[1], [0]]), ""),
        (lambda: these([[1, -1], [0, 0]]), ""),
        (lambda: these([[0.5, 1], [0, 0]]), ""),
        (lambda: known_record(("z", 1)), ""),
        (lambda: extra_records(500), "there are 125751 of them"),
    ],
)
def test_questions_that_are_none(model: Any, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        best_power(domain("1/2", "1/3"), model())
    assert reason in str(caught.value)


def test_hypotheses_that_coincide_in_their_values() -> None:
    W = Domain([("a", log(2)), ("a", log(3))])
    with pytest.raises(BadInput, match="nothing to tell apart"):
        best_power(W, these([[1, 0], [0, 1]]))
    with pytest.raises(BadInput, match="nothing to tell apart"):
        best_power(Domain([("a", 1)]), one_more_record())


def test_infinitely_many_hypotheses() -> None:
    with pytest.raises(BadInput, match="infinitely many"):
        best_power(Domain.universal({"x": "0 <= x <= 1"}), extra_records(1))


def test_demands_that_are_missing_or_wrong() -> None:
    with pytest.raises(BadInput, match="eps is not known"):
        best_power(Domain([("a", name("eps"))]), extra_records(1))
    with pytest.raises(BadInput, match="negative"):
        Domain([("a", -1)])
    with pytest.raises(BadInput, match="everywhere"):
        best_power(domain("1/2", "1/2", "1/2", "1/2"), extra_records(7), everywhere=True)


@pytest.mark.parametrize("level", [-1, name("eps") - 1, -name("eps")])
def test_levels_are_not_negative(level: Any) -> None:
    with pytest.raises(BadInput, match="negative"):
        best_power(domain("1/2", "1/3"), extra_records(2), level=level)
    with pytest.raises(BadInput, match="negative"):
        best_powers(
            Domain([("a", name("e"))]),
            extra_records(2),
            level=-name("eps"),
            parameters={"e": "e > 0"},
        )


def test_a_note_says_what_was_left_out() -> None:
    assert best_power(domain("1/2"), extra_records(1)).note == ""
    note = best_power(Domain([("a", log(2)), ("a", log(3))]), extra_records(1)).note
    assert note.startswith("only the most private record of each value is used")


def test_a_loss_has_no_floor() -> None:
    found = best_mechanism(domain("1/2"), extra_records(1), [0, 1], lambda D, s: abs(D.size - s))
    assert found.floor is None and exact(found.value) == F(1, 3) and found.value != ZERO


@pytest.mark.parametrize(
    ("q", "t", "best", "ball"),
    [
        ("1/10", 2, "2900/4133", "1000/1423"),
        ("1/4", 2, "176/383", "64/139"),  # O3
        ("1/3", 3, "2/7", "243/850"),  # S3
        ("1/2", 1, "2/5", "2/5"),  # S3: attained at t = 1 for all k
    ],
)
def test_the_ball_bound_is_proved_and_not_always_attained(
    q: str, t: int, best: str, ball: str, tmp_path: Path
) -> None:
    found = best_power(domain(q, q, q), extra_records(t))
    assert found.ball_bound is not None and found.ball_bound.claim.bound == "<="  # type: ignore[union-attr]
    assert found.value == number(F(best)) and found.ball_bound.claim.value == number(F(ball))  # type: ignore[union-attr]
    found.ball_bound.save(tmp_path / "ball.json")
    assert recheck(tmp_path / "ball.json") == found.ball_bound


def test_a_loss_has_no_ball_bound() -> None:
    assert (
        best_mechanism(
            domain("1/2", "1/3"), extra_records(1), [0, 1], lambda D, s: abs(D.size - s)
        ).ball_bound
        is None
    )


def test_an_optimum_prints_its_note_on_a_line_of_its_own_and_is_a_formula_in_notebooks() -> None:
    found = best_power(Domain([("a", log(2)), ("a", log(5))]), extra_records(2))
    assert str(found).splitlines()[1].startswith("  only the most private record")
    assert (
        found._repr_latex_()
        == r"$\textbf{Proved}:\ \text{best power against at most 2 extra records} = \frac{1}{2}$"
    )
    assert "<b " in found._repr_html_() and "only the most private record" in found._repr_html_()


def test_one_value_with_two_demands_is_named_among_others() -> None:
    # {(0, 1/2)}, {(1, 1/2)}, {(1, 2)} lie 1, 5/2 and 5/2 apart; HiGHS in floats finds the mechanism
    # with two answers whose worst probability of the right one is largest
    apart = {(0, 1): 1.0, (0, 2): 2.5, (1, 2): 2.5}
    rows = [[0.0, 0.0, 0.0, 1.0] for _ in range(3)]  # p[i]: answer 0 at dataset i; and -value
    bounds, right = [], (0, 1, 1)
    for (i, j), far in apart.items():
        for a, b in ((i, j), (j, i)):
            for answer in (0, 1):  # q(a) <= exp(far) q(b), q = p or 1 - p
                sign, row = (1 if answer == 0 else -1), [0.0] * 4
                row[a], row[b] = sign, -sign * math.exp(far)
                rows.append(row)
                bounds.append(0.0 if answer == 0 else math.exp(far) - 1)
    for i, answer in enumerate(right):
        rows[i][i] = -1.0 if answer == 0 else 1.0
    most = [0.0 if answer == 0 else 1.0 for answer in right]
    found = linprog([0, 0, 0, -1], rows, [*most, *bounds], bounds=[(0, 1)] * 4, method="highs")
    W = Domain([(0, "1/2"), (1, "1/2"), (1, 2)])
    value = best_power(W, one_more_record()).value
    assert value is not None
    exactly = normal(value, Context.empty())
    assert abs(float(enclose(exactly)[0]) + found.fun) < 1e-9
