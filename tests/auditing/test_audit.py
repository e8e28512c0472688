"""Audits of draws: rejections are as rare as promised, what would be found is found, and bounds of
the loss are bounds.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from ahdp_verify import (
    Abs,
    BadInput,
    Claim,
    Domain,
    Mechanism,
    NotWorkedOut,
    Queries,
    Values,
    audit,
    dp,
    eq,
    exp,
    finite,
    integer,
    name,
    number,
    oo,
    piecewise,
    real,
    sample,
    verify,
)

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from ahdp_verify.auditing.certified_level import allowed_level, loss_of_law  # noqa: E402
from ahdp_verify.auditing.events import (  # noqa: E402
    detectable_difference,
    reference_at,
    tail_probability,
)
from ahdp_verify.auditing.noise_scale import (  # noqa: E402
    FACTORS,
    detectable_scale,
    log_ratios,
    scale_test,
    scaled_cells,
)
from ahdp_verify.auditing.observed_loss import clopper_pearson, observed_loss  # noqa: E402
from ahdp_verify.auditing.page import audit_page  # noqa: E402
from ahdp_verify.auditing.plain_inputs import plain_input  # noqa: E402
from ahdp_verify.auditing.results import audit_record  # noqa: E402

S, R, V = name("s"), name("r"), name("v")


def laplace(scale: object = 1, title: str = "noisy") -> Mechanism:
    density = exp(-Abs(S - name("q[1]")) / scale) / (2 * number(scale))
    return Mechanism(Queries(1), outputs=[real("s")], density=density, name=title)


def response(keep: object) -> Mechanism:
    law = piecewise((keep, eq(R, V)), (1 - number(keep), True))
    return Mechanism(Values([0, 1]), outputs=[finite("r", [0, 1])], density=law, name="coin")


def program(scale: float, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return lambda value, size: value + rng.laplace(scale=scale, size=size)


def test_rejections_are_as_rare_as_alpha_says() -> None:
    """At alpha 1/5 at most 12 of 60 true programs are expected to be rejected: more than 24 would
    happen with a probability below 0.001.
    """
    references = [reference_at(laplace(), [v]) for v in (0, 1)]
    total, rejected = sum(r.number_of_events for r in references) + 1, 0
    for seed in range(60):
        draw = program(1.0, seed)
        columns = [{"s": draw(v, 150)} for v in (0, 1)]
        scale = scale_test(references, columns)
        assert scale is not None
        found = [scale.p_value]
        for reference, column in zip(references, columns, strict=True):
            events = reference.tables[0].events
            counts = reference.counts(reference.tables[0], column)[:-1]
            seen = [counts[event.cells].sum() for event in events]
            found += tail_probability(seen, 150, [e.probability for e in events]).tolist()
        rejected += min(found) * total < 0.2
    assert rejected <= 24


def test_a_scale_that_should_be_found_is_found_nine_times_in_ten() -> None:
    """Of 40 programs fewer than 28 would be found with a probability of about 0.0001."""
    references = [reference_at(laplace(), [v]) for v in (0, 1)]
    alpha = 1e-4
    ends = detectable_scale(references, [2000, 2000], alpha)
    assert ends is not None and 1 < ends[0] < 1.25 and 0.8 < ends[1] < 1
    for scale in ends:
        draws = (program(scale, seed) for seed in range(40))
        tested = [scale_test(references, [{"s": d(v, 2000)} for v in (0, 1)]) for d in draws]
        assert sum(t is not None and t.p_value < alpha for t in tested) >= 28


def test_a_difference_that_should_be_found_is_found_nine_times_in_ten() -> None:
    reference = reference_at(response("3/4"), 0)
    difference = detectable_difference(reference, 1000, 0.01)
    assert 0.03 < difference < 0.08
    rng = np.random.default_rng(1)
    for p in (0.75 - difference, 0.75 + difference):
        seen = rng.binomial(1000, p, size=400)
        assert np.sum(tail_probability(seen, 1000, 0.75) < 0.01) >= 340


def test_likelihood_ratios_of_scales_have_expectation_one() -> None:
    """So that 1/E is a p-value: the sum over the cells of probability times ratio is 1."""
    (table,) = reference_at(laplace(), [3]).tables
    for factor in FACTORS:
        total = float(table.grid.probabilities @ np.exp(log_ratios(table, factor)))
        assert total == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_a_scaled_laplace_law_is_the_laplace_law_of_that_scale(factor: float) -> None:
    (table,) = reference_at(laplace(), [0]).tables
    cuts = table.grid.cuts["s"]
    assert cuts.point == number(0)
    z = cuts.offsets / factor
    below = np.where(z < 0, np.exp(-abs(z)) / 2, 1 - np.exp(-abs(z)) / 2)
    wanted = np.diff([0.0, *below, 1.0])
    assert np.allclose(scaled_cells(table, factor), wanted, atol=0.003)


def test_the_p_value_of_a_count_is_its_binomial_tail() -> None:
    """10 heads of 10, or 10 tails: 2/1024; and nothing is impossible but what has probability 0."""
    assert tail_probability(10, 10, 0.5) == pytest.approx(2 / 1024)
    assert tail_probability(5, 10, 0.5) == 1
    assert tail_probability(1, 10, 0.0) == 0
    assert tail_probability(0, 10, 0.0) == 1


def test_bounds_of_clopper_and_pearson() -> None:
    """All of n draws: the lower bound is alpha^(1/n); none: the upper one is 1 - alpha^(1/n)."""
    assert clopper_pearson(20, 20, 0.05) == pytest.approx((0.05 ** (1 / 20), 1.0))
    assert clopper_pearson(0, 20, 0.05) == pytest.approx((0.0, 1 - 0.05 ** (1 / 20)))


def test_the_bound_of_the_loss_is_close_to_the_loss_and_rarely_above() -> None:
    """Noise of scale 1/2 has loss 2 between 3 and 4."""
    (table,) = reference_at(laplace(), [3]).tables
    above = 0
    for seed in range(40):
        draw = program(0.5, seed)
        first, second = ({"s": draw(v, 4000)} for v in (3, 4))
        bound = observed_loss(table.grid, first, second, 0.1).bound()
        assert bound > 1.4
        above += bound > 2
    assert above <= 12  # of 40 at 10 %: more with a probability below 0.001


def test_a_program_that_loses_more_than_the_certified_level_is_said_to() -> None:
    proved = verify(dp(laplace(), 1, "one"))
    found = audit(proved, program(0.5, 3), [[3], [4]], size=4000)
    said = " ".join(found.findings)
    assert "more than the certified level 1" in said and "the program is not this mechanism" in said
    assert all(pair.exceeds_law and pair.exceeds_allowed for pair in found.pairs)
    honest = audit(proved, program(1.0, 3), [[3], [4]], size=4000)
    assert honest.outcome == "consistent" and not any(p.exceeds_law for p in honest.pairs)
    assert all(0 < p.observed.bound() < 1 for p in honest.pairs)


def test_a_claim_is_verified_before_its_level_is_called_certified() -> None:
    true, false = (
        audit(dp(laplace(), e, "one"), program(1.0, 3), [[3]], size=200) for e in (1, "1/2")
    )
    assert true.claim and not false.claim


def test_the_level_of_a_claim_with_delta_is_compared_at_that_delta() -> None:
    """Uniform noise has an unbounded loss, and delta 1/4: no bound at that delta exceeds 0."""
    density = piecewise((number("1/4"), Abs(S - name("q[1]")) <= 2), (0, True))
    M = Mechanism(Queries(1), outputs=[real("s")], density=density, name="uniform")
    rng = np.random.default_rng(5)
    claim = Claim(M, "one", number(0), number("1/4"))
    found = audit(claim, lambda v, n: v + rng.uniform(-2, 2, n), [[0], [1]], size=3000)
    assert found.outcome == "consistent" and found.scale is None
    assert all(p.law == oo and p.allowed == number(0) and p.delta == 0.25 for p in found.pairs)
    wide = audit(claim, lambda v, n: v + rng.uniform(-1, 1, n), [[0], [1]], size=3000)
    assert any(p.exceeds_allowed for p in wide.pairs)


@pytest.mark.parametrize(
    ("relation", "first", "second", "level"),
    [
        ("one", [0, 0], ["1/2", 2], number(3)),
        ("all", [0, 0], ["1/2", 2], number(2)),
        ("increasing", [0, 0], [1, 2], number(2)),
        ("increasing", [0, 0], [1, -2], None),
        ("one", [0, 0], [0, 0], None),
    ],
)
def test_the_level_between_query_answers_is_that_of_the_moves(
    relation: str, first: list[Any], second: list[Any], level: object
) -> None:
    M = Mechanism(Queries(2), outputs=[finite("r", [0])], density=1, name="silent")
    found = allowed_level(Claim(M, relation, number(1)), first, second, {})
    assert found == level or str(found) == str(level)


def test_the_level_between_datasets_is_the_sum_over_the_records_that_differ() -> None:
    W = Domain([(1, 1), (2, 3)])
    M = Mechanism(W, outputs=[finite("r", [0])], density=1, name="silent")
    assert str(allowed_level(Claim(M, "ahdp", name("eps")), [1, 0], [0, 2], {})) == "7"
    assert allowed_level(Claim(M, "swap", number(1)), [1, 0], [0, 1], {}) is None
    assert loss_of_law(M, [1, 0], [0, 2], {}) == number(0)


def test_impossible_draws_are_rejected_and_shown() -> None:
    density = piecewise((exp(-S), S >= 0), (0, True))
    M = Mechanism(Queries(1), outputs=[real("s")], density=density, name="one-sided")
    rng = np.random.default_rng(1)
    draws = rng.exponential(size=400)
    assert audit(M, [draws], [[0]]).outcome == "consistent"
    draws[16] = -0.25
    found = audit(M, [draws], [[0]])
    assert found.findings == (
        "at 0 1 draws are impossible under the law, the first s = -0.25 (draw 17)",
    )


@pytest.mark.parametrize("wrong", [float("nan"), "text", 0.5])
def test_what_is_no_whole_number_is_impossible(wrong: object) -> None:
    law = (1 - exp(-1)) / (1 + exp(-1)) * exp(-Abs(name("k") - name("q[1]")))
    M = Mechanism(Queries(1), outputs=[integer("k")], density=law, name="geometric")
    draws = [*sample(M, [3], size=300, rng=1).tolist(), wrong]
    found = audit(M, [draws], [[3]])
    assert found.inputs[0].impossible == 1


def test_labels_and_numbers_in_one_list_stay_what_they_are() -> None:
    density = piecewise((exp(-S) / 2, S >= 0), (0, True))
    M = Mechanism(
        Queries(1), outputs=[real("s")], density=density, atoms={"NULL": number("1/2")}, name="a"
    )
    draws = sample(M, [0], size=500, rng=1).tolist()
    assert {type(v) for v in draws} == {float, str}
    assert audit(M, [draws], [[0]]).outcome == "consistent"
    assert audit(M, [[v if v == "NULL" else v + 1 for v in draws]], [[0]]).findings


def test_a_program_that_starts_from_one_seed_is_not_rejected_for_it() -> None:
    """The same noise at both inputs, and by chance a rather unlikely one: the likelihood ratios of
    the inputs may then not be multiplied.
    """
    found = audit(laplace(), lambda v, n: program(1.0, 4)(v, n), [[3], [4]], size=2000)
    assert "one seed" in found.notes[0]
    apart = audit(laplace(), program(1.0, 4), [[3], [4]], size=2000)
    assert not apart.notes and apart.detectable is not None and found.detectable is not None
    assert found.detectable[0] > apart.detectable[0]


def test_several_outputs_are_tested_together() -> None:
    s, t = real("s"), real("t")
    pair = Mechanism(
        Queries(1), outputs=[s, t], density=exp(-Abs(S)) / 2 * exp(-Abs(name("t"))) / 2, name="pair"
    )
    rng = np.random.default_rng(1)
    a, b = rng.laplace(size=(2, 3000))
    assert audit(pair, [{"s": a, "t": b}], [[0]]).outcome == "consistent"
    assert audit(pair, [{"s": a, "t": a}], [[0]]).outcome == "rejected"


def test_other_laws_are_named_if_they_fit() -> None:
    found = audit(
        laplace(1),
        program(2.0, 1),
        [[3]],
        size=2000,
        others={"twice": laplace(2), "half": laplace("1/2")},
    )
    assert found.others == (("twice", True), ("half", False))


def test_the_answer_fits_a_terminal_a_page_and_json() -> None:
    found = audit(
        dp(laplace(title="<b>noisy</b>"), 1, "one"), program(1.0, 1), [[3], [4]], size=500
    )
    assert max(map(len, str(found).splitlines())) <= 80
    assert "draws cannot prove" in " ".join(str(found).split())
    page = audit_page(found)
    assert "<b>noisy" not in page and "&lt;b&gt;noisy" in page and "http" not in page
    record = json.loads(json.dumps(audit_record(found), allow_nan=False))
    assert record["outcome"] == "consistent" and len(record["privacy_loss"]) == 2
    assert "verified" not in str(found) + page


def test_inputs_as_programs_get_them() -> None:
    silent: dict[str, Any] = {"outputs": [finite("r", [0])], "density": 1}
    U = Domain.universal(unknowns={"f": "0 <= f <= 1"})
    assert plain_input(Mechanism(U, **silent), [{"f": "1/2", "eps": oo}]) == [
        {"eps": math.inf, "f": 0.5}
    ]
    W = Domain([(("a", 1), 2), (("b", 1), oo)])
    assert plain_input(Mechanism(W, **silent), [0, 1]) == [(("b", 1), math.inf)]
    assert plain_input(Mechanism(Values(["a", "b"]), **silent), "b") == "b"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": []}, "^at: there is no input"),
        ({"alpha": 0}, r"^alpha: 0 is not in \(0, 1/2\]"),
        ({"alpha": "x"}, "^alpha: x is not in"),
        ({"alpha": 0.9}, "^alpha: 0.9 is not in"),
        ({"size": 50}, "^size: 50 draws show nothing"),
        ({"draws": [[1.0] * 200] * 2}, "^draws: there are draws for 2 inputs, and 1 inputs"),
        ({"draws": [[1.0] * 20]}, "^draws at 3: 20 draws show nothing"),
        ({"draws": [{"k": [1.0] * 200}]}, "^draws at 3: they are not one column for each of s"),
        ({"subject": 3}, "^audit: int is not a mechanism"),
    ],
)
def test_bad_input(change: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {
        "subject": laplace(),
        "draws": program(1.0, 1),
        "at": [[3]],
        "size": 200,
    } | change
    with pytest.raises(BadInput, match=said):
        audit(given.pop("subject"), given.pop("draws"), given.pop("at"), **given)


def test_a_law_without_exact_cells_is_not_tested() -> None:
    scale = 1 + Abs(name("n"))
    M = Mechanism(
        Queries(1),
        outputs=[real("n"), real("s")],
        density=exp(-Abs(name("n"))) / 2 * exp(-Abs(S) / scale) / (2 * scale),
        name="scale by n",
    )
    with pytest.raises(NotWorkedOut, match=r"^audit: the exact probabilities of the cells"):
        audit(M, [{"n": [0.0] * 200, "s": [0.0] * 200}], [[0]])
