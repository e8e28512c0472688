"""`tighten` returns the least levels of the paper and the corpus, as expressions, with evidence
from both sides.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ahdp_verify.analysis.levels.table import Levels, is_same_level
from ahdp_verify.analysis.levels.tighten import tighten
from ahdp_verify.files.load import load
from ahdp_verify.kernel.checker import check, refute
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.domain import Domain, Queries, Values
from ahdp_verify.kernel.model.mechanism import Mechanism, Output
from ahdp_verify.kernel.model.neighbours import Dominated, Dominating
from ahdp_verify.kernel.model.outputs import finite, integer, real
from ahdp_verify.kernel.numbers.algebra import Ratio, constant, exp_of, log_of
from ahdp_verify.kernel.numbers.ball import constant_sign
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal
from ahdp_verify.kernel.refuted import Refuted
from ahdp_verify.kernel.terms.expression import (
    Abs,
    Expression,
    Max,
    eq,
    exp,
    label,
    log,
    name,
    number,
    oo,
    piecewise,
)
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.loss.at_infinity import limit_of_log_ratio
from ahdp_verify.search.simplify import is_same_value
from tests import field_programs as field
from tests.sweeps import examples

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
EMPTY = Context.empty()
x, eps, s = name("x"), name("eps"), real("s")

# file, relation and the exact level as it must print
SHOWN = [
    ("paper/linear-query-universal", "ahdp", "alpha*(f - l)/(h - l)"),  # row 53
    ("paper/mean-numerator-and-denominator", "ahdp", "alpha1*(x - l)/(h - l) + alpha2"),  # row 59
    ("paper/mean-centred", "ahdp", "alpha1*abs(h + l - 2*x)/(h - l) + alpha2"),
    ("paper/linear-regression-d-1", "ahdp", "alpha*abs(x[1])*(abs(x[1]) + abs(y))/2"),  # row 67
    (
        "paper/linear-regression-d-2",
        "ahdp",
        "alpha*(abs(x[1]) + abs(x[2]))*(abs(x[1]) + abs(x[2]) + abs(y))/6",
    ),
    ("paper/weighted-sum-weights-saturating", "ahdp", "(1 - exp(-eps))*(x - l)/(h - l)"),
    ("paper/linear-query-three-records", "ahdp", "x*(1 - exp(-eps))/2"),  # S5
    ("paper/linear-query-without-offset", "ahdp", "alpha*abs(f)/F"),
    ("field/sum-noise-from-least-demand-of-domain", "ahdp", "abs(x)/2"),
    ("field/laplace-sum-of-five-queries", "increasing", "5*eps"),
    ("field/exponential-mechanism-two-queries", "all", "e"),
    ("field/exponential-mechanism-two-queries", "increasing", "e/2"),
    ("field/exponential-mechanism-two-queries", "decreasing", "e/2"),
    ("field/exponential-mechanism-two-queries", "one", "e/2"),  # limits
    ("public/optimised-unary-encoding-bit-not-reset-every-eps", "any", "log(exp(eps) + 2)"),
    ("public/laplace-clamped-to-unit-interval-every-eps", "any", "eps"),
]

# file and relation; the level is `least` of the file
REPRESENTATIVE = [
    ("paper/linear-regression-d-2", "ahdp"),
    ("paper/linear-regression-upper-triangle-d-2", "ahdp"),  # row 67, S7
    ("paper/weighted-histogram", "ahdp"),
    ("paper/frequency-bins-and-size", "ahdp"),
    ("paper/frequency-bins-alone", "ahdp"),  # row 69
    ("paper/mean-three-records", "ahdp"),
    ("paper/geometric-size-as-a-guess", "add-remove"),
    ("paper/geometric-counts-two-values-log-demands", "ahdp"),
    ("paper/randomised-response-twice", "any"),
    ("paper/homogeneous-histogram-swap-costs-twice", "swap"),
    ("paper/exact-size-infinite-demand", "ahdp"),
    ("paper/publish-demands", "ahdp"),
    ("paper/publish-demands", "hdp"),
    ("paper/exact-size", "swap"),
    ("paper/demand-weighted-mean-limit", "ahdp"),
    ("field/exact-demand-counts-then-weighted-sum", "ahdp"),
    ("field/laplace-one-query", "one"),
    ("field/laplace-histogram-five-bins", "one"),
    ("field/one-time-rappor-two-values", "any"),
    ("public/laplace-histogram-two-bins-eps-log-2", "swap"),
    ("public/sum-of-squares-sensitivity-from-lower-bound", "ahdp"),
    ("public/sum-in-a-group-of-one-row", "swap"),
    ("public/integer-sum-of-known-size-every-eps", "swap"),
    ("public/bit-without-noise", "any"),
    ("public/randomised-response-eps-depends-on-the-value", "any"),
    ("public/basic-rappor-two-bits", "any"),
    ("public/geometric-noise-lumped-at-distance-1", "add-remove"),
    ("public/rarity-threshold-with-uniform-noise", "add-remove"),
    ("public/selection-error-independent-of-data", "ahdp"),
    ("public/k-ary-response-never-picks-the-truth-every-eps", "any"),
]


def least_of(file: str, relation: str) -> tuple[Mechanism, Expression]:
    found = load(PROOFS / f"{file}.toml")
    least = next(
        n.least
        for c, n in zip(found.claims, found.notes, strict=True)
        if c.relation == relation and n.least is not None
    )
    return found.mechanism, least


def supported(levels: Levels) -> bool:
    """Both sides of every row stand up to the checker again."""
    for row in levels.rows:
        if row.proof is not None:
            check(row.proof.claim, row.proof.certificate)
        if row.refutation is not None:
            refute(row.refutation.claim, row.refutation.counterexample)
        assert row.exact and (row.level == oo) == (row.proof is None)
        assert row.level != oo or (
            isinstance(row.refutation, Refuted) and row.refutation.second_probability.is_zero
        )
    return True


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("file", "relation", "shown"), SHOWN)
def test_the_exact_level_is_an_expression(file: str, relation: str, shown: str) -> None:
    mechanism, least = least_of(file, relation)
    levels = tighten(mechanism, relation)
    assert str(levels.level) == shown
    assert levels.exact and levels.matches(least) and supported(levels)
    assert not levels.matches(least * Fraction(999, 1000))


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("file", "relation"), REPRESENTATIVE)
def test_the_level_is_that_of_the_file(file: str, relation: str) -> None:
    mechanism, least = least_of(file, relation)
    levels = tighten(mechanism, relation)
    assert levels.matches(least) or levels.least_in_its_names(least), str(levels)
    assert supported(levels)


def of_table(table: list[list[str]], conditions: dict[str, str]) -> Mechanism:
    """A finite distribution: a row for each input, a probability for each outcome."""
    cells = [(p, v, o) for v, row in enumerate(table) for o, p in enumerate(row)]
    law = (
        ", ".join(f"({p}, v == {v} and r == {o})" for p, v, o in cells[:-1])
        + f", ({cells[-1][0]}, true)"
    )
    outputs = [finite("r", range(len(table[0])))]
    return Mechanism(
        Values(range(len(table))),
        outputs=outputs,
        density=parse(f"piecewise({law})", "law"),
        parameters=conditions,
        name="table",
    )


# Laws whose largest ratio changes with the parameter, with the levels of both moves by hand: the
# largest log ratio over the outcomes.
CHANGING = [
    (
        [["p", "1 - p"], ["1 - p", "p"]],
        {"p": "0 < p < 1"},
        ("max(log((1 - p)/p), log(p/(1 - p)))",) * 2,
    ),
    (
        [["q", "1 - q"], ["1/2", "1/2"]],
        {"q": "0 < q < 1"},
        ("max(log(2*q), log(2 - 2*q))", "max(-log(2*q), -log(2 - 2*q))"),
    ),
    (
        [["1/2", "1/3", "1/6"], ["(1 - exp(-e))/2", "exp(-e)/2", "1/2"]],
        {"e": "e > 0"},
        ("max(e - log(3/2), -log(1 - exp(-e)))", "log(3)"),
    ),
    (
        [["exp(-e)/2", "1 - exp(-e)/2"], ["1 - exp(-e)/2", "exp(-e)/2"]],
        {"e": "e > 0"},
        ("e + log(2 - exp(-e))",) * 2,
    ),
]


@pytest.mark.parametrize(
    ("table", "conditions", "wanted"), CHANGING, ids=[str(t) for t, _, _ in CHANGING]
)
def test_a_level_that_changes_its_branch_with_the_parameter(
    table: list[list[str]], conditions: dict[str, str], wanted: tuple[str, str]
) -> None:
    levels = tighten(of_table(table, conditions), "any")
    supported(levels)
    for row, text in zip(levels.rows, wanted, strict=True):
        assert is_same_level(row.level, parse(text, "level"), levels.here), (
            f"{row.level} is not {text}"
        )


def test_a_branch_on_a_narrow_range_is_found() -> None:
    """The first outcome is the likelier one by more than the others only for e between 101/100
    and 103/100.
    """
    first = "1/2 + (e - 101/100)*(103/100 - e)/100"
    levels = tighten(
        of_table([["1/2", "1/2"], [first, f"1 - ({first})"]], {"e": "1/2 < e < 2"}), "any"
    )
    supported(levels)
    for e in ("1", "102/100"):
        p = (
            Fraction(1, 2)
            + (Fraction(e) - Fraction(101, 100)) * (Fraction(103, 100) - Fraction(e)) / 100
        )
        wanted = log(number(max(p / Fraction(1, 2), (1 - p) / Fraction(1, 2))))
        back = normal(
            parse(f"({levels.rows[1].level}) - ({wanted})", "gap", {"e": number(e)}), EMPTY
        )
        assert constant_sign(back) == 0, e


def test_an_indicator_of_an_unknown_has_a_level_in_cases() -> None:
    universal = Domain.universal(unknowns={"a": "0 <= a <= eps"})
    m = Mechanism(
        universal,
        outputs=[s],
        density=parse("exp(-abs(s - sum(indicator(a > 0))))/2", "law"),
        name="how many want some",
    )
    levels = tighten(m)
    supported(levels)
    assert str(levels.level) == "piecewise((1, 0 < a), (0, true))"


def test_a_level_that_is_not_found_is_not_said_to_be_attained() -> None:
    m = Mechanism(
        Domain([(0, 1), (1, 1)]),
        outputs=[s],
        density=parse("sqrt(2)/(pi*(1 + (s - sum(x))^4))", "law"),
        name="noise with tails of degree 4",
    )
    still, moved = tighten(m, limits=Limits(seconds=3)).rows
    for row, kind in ((still, "not found"), (moved, "at least")):
        assert row.level is None and not row.exact and row.bounds.kind == kind
    assert still.where == "not found" and moved.where.startswith("limit at s near 1.95924")


def test_unary_encoding_has_the_level_eps() -> None:
    """log(exp(eps)) is not how it is printed."""
    one, zero = (
        "piecewise((1/2, v == {0}), (1/(exp(eps) + 1), true))",
        "piecewise((1/2, v == {0}), (exp(eps)/(exp(eps) + 1), true))",
    )
    law = "*".join(
        f"piecewise(({one.format(k)}, {bit} == 1), ({zero.format(k)}, true))"
        for k, bit in ((1, "a"), (2, "b"))
    )
    m = Mechanism(
        Values([1, 2]),
        outputs=[finite("a", [0, 1]), finite("b", [0, 1])],
        density=parse(law, "law"),
        parameters={"eps": "eps > 0"},
        name="unary",
    )
    levels = tighten(m, "any")
    supported(levels)
    assert str(levels.level) == "eps"


def test_public_parts_stay() -> None:
    family = load(PROOFS / "paper/weighted-sum-public-weights.toml").mechanism
    assert tighten(family, "hdp", public=("x[2]",)).matches(eps)


def test_the_table_names_every_record_and_says_where() -> None:
    W = Domain([(0, 1), (1, oo), ("-1/2", 3)])
    table = str(
        tighten(
            Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(x)) / 2) / 4, name="noisy sum")
        )
    )
    assert table.splitlines()[0] == "least ahdp level of noisy sum: abs(x)/2"
    assert [line.split()[:3] for line in table.splitlines()[2:]] == [
        ["(0,", "1)", "0"],
        ["(1,", "oo)", "1/2"],
        ["(-1/2,", "3)", "1/4"],
    ]
    assert "attained at large s or small s" in table


def test_html_is_escaped() -> None:
    W = Domain([("<b>", 1)])
    page = tighten(
        Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="a < b")
    )._repr_html_()
    assert (
        "&lt;b&gt;" in page and "a &lt; b" in page and "<b>" not in page and page.count("<tr>") == 2
    )


def test_labels_and_many_records() -> None:
    W = Domain(
        [(label("a"), Fraction(i, 7)) for i in range(30)] + [(label("b"), i) for i in range(5)]
    )
    levels = tighten(
        Mechanism(W, outputs=[s], density=exp(-Abs(s - W.count(eq(x, label("a"))))) / 2)
    )
    assert levels.exact and levels.matches(piecewise((1, eq(x, label("a"))), (0, True)))


def test_unknowns_that_a_level_may_not_mention_are_put_at_their_ends() -> None:
    U = Domain.universal({"f": "0 <= f <= 1"})
    noisy = Mechanism(U, outputs=[s], density=exp(-Abs(s - U.sum(name("f"))) / 2) / 4)
    assert tighten(noisy).level == name("f") / 2
    assert tighten(noisy, "add-remove").level == tighten(noisy, "swap").level == number("1/2")
    assert tighten(noisy, "hdp").matches(Max(name("f"), 1 - name("f")) / 2)


def test_unknowns_that_share_a_condition_are_put_where_both_can_be() -> None:
    U = Domain.universal({"a": "0 <= a", "b": "0 <= b and a + b <= 1"})
    t = real("t", 2)
    both = Mechanism(
        U,
        outputs=t,
        density=exp(-Abs(t[0] - U.sum(name("a")))) * exp(-Abs(t[1] - U.sum(name("b")))) / 4,
    )
    assert tighten(both).level == name("a") + name("b")
    assert tighten(both, "add-remove").level == number(1) and tighten(both, "swap").level == number(
        2
    )


def test_a_universal_mechanism_that_is_not_defined_everywhere() -> None:
    U = Domain.universal({"f": "0 <= f <= 1"})
    some = Mechanism(
        U, outputs=[s], density=exp(-Abs(s - U.sum(name("f"))) / 2) / 4, defined=U.size >= 1
    )
    levels = tighten(some)
    assert levels.level == name("f") / 2 and levels.exact and levels.rows[0].refutation is not None


def test_demand_oo_attains_the_level_that_finite_demands_approach() -> None:
    U = Domain.universal({"f": "0 <= f <= 1"})
    weighted = Mechanism(
        U, outputs=[s], density=exp(-Abs(s - U.sum((1 - exp(-eps)) * name("f")))) / 2
    )
    (row,) = tighten(weighted, "add-remove").rows
    assert row.exact and row.level == number(1) and row.where.startswith("attained")


def selection(*weights: Expression) -> tuple[Output, Expression]:
    """The exponential mechanism: an outcome with probability proportional to its weight."""
    i = finite("i", list(range(len(weights))))
    return i, piecewise(
        *((w, eq(i, k)) for k, w in enumerate(weights[:-1])), (weights[-1], True)
    ) / sum(weights, number(0))


@pytest.mark.sweep(0)
def test_selection_from_opposite_users_is_a_limit() -> None:
    # By hand: a record moves log p(r) by eps*u[r] - log(Z'/Z), and Z'/Z is a mean of the
    # exp(eps*u[k]) with weights p(k) as close to 0 and 1 as one likes.  So
    # the supremum is eps*(u[r] - u[k]) for the best pair r, k; for replacements, of the difference
    # of two such records.
    U = Domain.universal({"u1": "0 <= u1 <= 1", "u2": "0 <= u2 <= 1", "eps": "eps <= 1"})
    i, law = selection(*(exp(U.sum(eps * name(u))) for u in ("u1", "u2")))
    chosen = Mechanism(U, outputs=[i], density=law)
    u1, u2 = name("u1"), name("u2")
    for relation, least in (
        ("ahdp", eps * Abs(u1 - u2)),
        ("add-remove", number(1)),
        ("hdp", eps * (1 + Abs(u1 - u2))),
    ):
        levels = tighten(chosen, relation)
        assert levels.matches(least) and supported(levels), str(levels)
        assert (
            levels.rows[0].where.startswith("limit at") and "many copies of" in levels.rows[0].where
        )


@pytest.mark.sweep(0)
def test_three_candidates_need_every_pair() -> None:
    U = Domain.universal({u: f"0 <= {u} <= 1" for u in ("u1", "u2", "u3")})
    i, law = selection(*(exp(U.sum(name(f"u{k}"))) for k in (1, 2, 3)))
    levels = tighten(Mechanism(U, outputs=[i], density=law))
    assert levels.level is not None and levels.level.head == "max" and supported(levels)
    assert sorted(map(str, levels.level.args)) == sorted(
        f"u{j} - u{k}" for j, k in itertools.permutations((1, 2, 3), 2)
    )  # as above


def test_many_answers_grow_one_at_a_time() -> None:
    i, law = selection(*(exp(name("e") * name(f"q[{k}]") / 2) for k in range(1, 5)))
    levels = tighten(
        Mechanism(Queries(4), outputs=[i], density=law, parameters={"e": "e > 0"}), "all"
    )
    assert levels.matches(name("e")) and supported(
        levels
    )  # field corpus, M15: the level is the same for any number of candidates


SUMS = st.lists(st.tuples(st.integers(1, 9), st.integers(-2, 2)), min_size=1, max_size=4)


@settings(deadline=None, max_examples=examples(60, 8))
@given(SUMS, SUMS)
def test_a_ratio_tends_to_that_of_the_leading_terms(
    below: list[tuple[int, int]], above: list[tuple[int, int]]
) -> None:
    e, n = name("e"), name("n")
    trees = [sum((c * exp(r * e * n) for c, r in terms), number(0)) for terms in (above, below)]
    found = limit_of_log_ratio(
        Dominated(trees[0]), Dominating(trees[1]), "n", EMPTY.given(normal(e, EMPTY).num, ">")
    )
    ratio = math.log(sum(c * math.exp(r * 50) for c, r in above)) - math.log(
        sum(c * math.exp(r * 50) for c, r in below)
    )  # e = 1, n = 50
    if isinstance(found, Ratio):
        assert abs(math.exp(ratio) - float(exp_of(found).as_rational or 0)) < 1e-9
    else:
        assert ratio > 40 if found is None else ratio < -40


def test_geometric_noise() -> None:
    W, k = Domain([(0, 1), (3, 1)]), integer("k")
    levels = tighten(Mechanism(W, outputs=[k], density=number("1/2") ** Abs(k - W.sum(x)) / 3))
    assert levels.matches(x * log(2)) and levels.rows[1].where == "attained at large k"


def test_one_answer_is_not_all_answers() -> None:
    t = real("t", 2)
    two = Mechanism(
        Queries(2),
        outputs=t,
        density=exp(-Abs(t[0] - name("q[1]"))) * exp(-Abs(t[1] - name("q[2]"))) / 4,
    )
    assert tighten(two, "one").level == number(1) and tighten(two, "all").level == number(2)


def test_what_is_not_proved_is_enclosed_with_a_reason() -> None:
    W = Domain([(0, 1), (1, 1)])
    mixed = exp(-Abs(s - W.sum(x))) / 4 + exp(-2 * Abs(s - W.sum(x))) / 2
    first, second = tighten(
        Mechanism(W, outputs=[s], density=mixed, name="mixture"), limits=Limits(seconds=2)
    ).rows
    assert first.exact and first.level == number(0)
    assert is_same_value(second.low, log(3 * exp(2) / (exp(1) + 2)), EMPTY)
    assert second.exact or (second.reason and "at least" in second.cells[-1])


def test_records_of_an_unbounded_loss_stand_beside_one_with_an_exact_level() -> None:
    """The noise is for the least demand of the dataset: a stricter person changes its scale, the
    laxest one does not, and moves the sum by 1 at scale 1/2.
    """
    mechanism, _ = least_of("field/sum-noise-from-least-demand-of-dataset", "ahdp")
    assert [(row.record, str(row.bounds)) for row in tighten(mechanism, "ahdp").rows] == [
        ("(-1, 1/2)", "oo"),
        ("(1/2, 1)", "oo"),
        ("(1, 2)", "2"),
    ]


def test_an_unbounded_loss_without_an_impossible_event_is_shown_by_a_limit() -> None:
    """The file says that no level suffices: the scale changes, so the loss is linear in the
    output.
    """
    mechanism, least = least_of("public/mean-noise-for-current-size", "add-remove")
    assert least == oo
    levels = tighten(mechanism, "add-remove")
    (row,) = levels.rows
    assert row.refutation is not None and not row.refutation.second_probability.is_zero
    assert (str(row.bounds), row.level, levels.level, levels.exact) == ("oo", oo, oo, True)
    assert row.where.startswith("limit at ") and "without bound" in row.reason
    assert levels.matches(least) and not levels.matches(number(100))


def test_a_loss_that_grows_with_the_dataset_is_a_bound() -> None:
    """The file says that no level suffices, but at any two datasets the loss is bounded; all that a
    refutation of level 100 shows is that the least level is larger.
    """
    mechanism, least = least_of("public/counts-with-noise-for-probabilities-any-size", "swap")
    assert least == oo
    levels = tighten(mechanism, "swap")
    (row,) = levels.rows
    assert row.refutation is not None and row.refutation.level == number(100)
    assert (str(row.bounds), row.level, levels.level, levels.exact) == (
        "at least 100",
        None,
        None,
        False,
    )
    assert "oo" not in str(levels) and not levels.matches(least) and not levels.matches(number(100))


@pytest.mark.parametrize("deviation", ["1", "1/100"])
def test_no_level_suffices_for_gaussian_noise(deviation: str) -> None:
    """The loss at s is (s - 1/2)/sigma^2: GA-03 of the public cases."""
    law = parse(f"exp(-(s - size)^2/2/({deviation})^2)/sqrt(2*pi)/({deviation})", "density")
    noise = Mechanism(Domain([(1, 1)]), outputs=[s], density=law, name="Gaussian")
    levels = tighten(noise, "add-remove")
    assert levels.level == oo and levels.exact


def test_out_of_time_no_level_is_found() -> None:
    mechanism, least = least_of("paper/linear-regression-d-2", "ahdp")
    levels = tighten(mechanism, limits=Limits(seconds=0.001))
    assert not levels.exact and not levels.matches(least) and levels.remarks


def test_a_wrong_normaliser_is_bad_input() -> None:
    W = Domain([(0, 1)])
    with pytest.raises(BadInput, match="the total is 2, not 1"):
        tighten(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size))))


def laws(size: int) -> st.SearchStrategy[tuple[Fraction, ...]]:
    return (
        st.lists(st.integers(0, 4), min_size=size, max_size=size)
        .filter(any)
        .map(lambda w: tuple(Fraction(i, sum(w)) for i in w))
    )


@settings(max_examples=examples(25, 8))
@given(st.lists(laws(3), min_size=2, max_size=3))
def test_brute_force_agrees_on_finite_laws(table: list[tuple[Fraction, ...]]) -> None:
    v, r = name("v"), finite("r", [0, 1, 2])
    cases = [(p, eq(v, i) & eq(r, j)) for i, law in enumerate(table) for j, p in enumerate(law)]
    levels = tighten(
        Mechanism(
            Values(range(len(table))),
            outputs=[r],
            density=piecewise(*cases[:-1], (cases[-1][0], True)),
        ),
        "any",
    )
    pairs = [(a, b) for i, a in enumerate(table) for j, b in enumerate(table) if i != j]
    for row, (before, after) in zip(levels.rows, pairs, strict=True):
        if any(p and not q for p, q in zip(before, after, strict=True)):
            assert row.upward == oo
        else:
            best = max(p / q for p, q in zip(before, after, strict=True) if p)
            assert (
                row.upward is not None
                and (normal(row.upward, EMPTY) - log_of(constant(best))).is_zero
            )


def test_noise_programs_have_least_levels_too() -> None:
    """M11 and M17 of field.md: eps, the limit of a loss, and half of it for increasing answers."""
    for program, relation, queries, level in (
        (field.noisy_max, "all", 4, "eps"),
        (field.noisy_max, "increasing", 4, "eps/2"),
        (field.sparse_vector, "all", 10, "eps"),
        (field.sparse_vector, "all", 3, "3*eps/4"),
    ):
        found = tighten(program, relation, queries=queries)
        assert found.exact and str(found.level) == level
    tree = field.sparse_vector.program()
    assert str(tighten(tree, "all", queries=10)) == str(
        tighten(field.sparse_vector, "all", queries=10)
    )


def test_options_of_programs_and_of_mechanisms_are_told_apart() -> None:
    with pytest.raises(BadInput, match="it does not apply to noise programs"):
        tighten(field.sparse_vector, "all", public=("x",))  # type: ignore[call-overload]
    density = exp(-Abs(name("s") - name("q[1]"))) / 2
    M = Mechanism(Queries(1), outputs=[real("s")], density=density)
    with pytest.raises(BadInput, match="it applies to noise programs alone"):
        tighten(M, "one", queries=2)  # type: ignore[call-overload]
