"""Every sampler of the catalogue, and of composites, follows the verified distribution, by the
checker's exact probabilities of cells; draws from another distribution are detected.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest

from ahdp_verify import (
    BadInput,
    Claim,
    Domain,
    Expression,
    Mechanism,
    Multiset,
    Queries,
    Values,
    compose,
    eq,
    exp,
    finite,
    integer,
    log,
    mixture,
    name,
    number,
    piecewise,
    post_process,
    product,
    real,
    subsample,
)
from ahdp_verify.analysis.inputs import law_at_input
from ahdp_verify.catalogue import CATALOGUE, find_entry
from ahdp_verify.kernel.errors import NotWorkedOut
from ahdp_verify.kernel.model.real_values import RealValues
from ahdp_verify.kernel.rules.joint_law import explicit_mechanism
from ahdp_verify.kernel.terms.expression import Abs
from ahdp_verify.paper.catalogue import PAPER_CATALOGUE

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from ahdp_verify.sampling.goodness_of_fit import (  # noqa: E402
    chi_squared_test,
    goodness_of_fit,
    law_of_linked_outputs,
    output_groups,
)
from ahdp_verify.sampling.sample import sample  # noqa: E402
from tests.sweeps import swept  # noqa: E402

VALUES = [Fraction(1, 2), Fraction(1), Fraction(1, 4), Fraction(0), Fraction(2), Fraction(3)]
# claims about no probability law, with the reason: the total as floats have it shows nothing, an
# infinite weight is found
ALL = (*CATALOGUE, *PAPER_CATALOGUE)
NO_LAW = {
    "count-as-printed": (NotWorkedOut, "no way to draw from this distribution was found"),
    "linear-query-infinite-weight": (BadInput, "infinite weight"),
    "planar-laplace": (NotWorkedOut, "no way to draw from this distribution was found"),
}

CERTAIN = (
    "size",
    "known-size",
    "infinite-level",
    "publish-demands",
    "publish-demands-coupled",
    "swap-dp-limit",
)  # one outcome only, as the entry says


def given(mechanism: Mechanism, dataset: object) -> dict[str, Fraction]:
    """Values of the parameters at which the mechanism has a law."""
    keys = [key for key, _ in mechanism.parameters]
    for values in itertools.product(VALUES, repeat=len(keys)):
        try:
            law_at_input(mechanism, dataset, dict(zip(keys, values, strict=True)))
            return dict(zip(keys, values, strict=True))
        except BadInput:
            continue
    raise AssertionError("no values of the parameters were found")


def instances(mechanism: Mechanism) -> list[dict[str, Fraction]]:
    """Records of a universal domain: values of its unknowns that satisfy their conditions, with
    0 and 1 for the bounds.
    """
    keys = [key for key, _ in mechanism.inputs.unknowns]  # type: ignore[union-attr]
    found = []
    for values in itertools.product(VALUES, repeat=len(keys)):
        record = dict(zip(keys, values, strict=True))
        try:
            given(mechanism, [record])
            found.append(record)
        except AssertionError:
            continue
        if len(found) == 2:
            break
    return found


def datasets(mechanism: Mechanism) -> list[object]:
    """Two inputs of a mechanism."""
    inputs = mechanism.inputs
    if isinstance(inputs, Queries):
        return [list(range(inputs.n)), [0] * inputs.n]
    if isinstance(inputs, RealValues):
        return [tuple([k] * len(inputs.bound)) for k in (0, 1)]
    if not isinstance(inputs, Domain):
        return [inputs.values[0], inputs.values[-1]]
    if not inputs.is_universal:
        k = len(inputs.records)
        return [Multiset(inputs, [2] + [1] * (k - 1)), Multiset(inputs, [1] + [0] * (k - 1))]
    records = instances(mechanism)
    return [records, [records[0]] * 3]


def family(key: str) -> list[str]:
    """What the names of an entry and of its variants, such as one with half the noise, share."""
    return key.split("-")[:2]


WITHOUT_CELLS = "one-report-of-two"
KEYS = sorted(
    (e.name for e in ALL if e.name not in (*NO_LAW, WITHOUT_CELLS)),
    key=lambda key: (family(key), len(key)),
)
FIRST_OF_FAMILIES = [k for _, keys in itertools.groupby(KEYS, family) for k in swept(keys, 1)]


@pytest.mark.sweep(10)
@pytest.mark.parametrize("key", FIRST_OF_FAMILIES)
def test_a_sampler_follows_the_law(key: str) -> None:
    mechanism = find_entry(key, ALL).mechanism
    for seed, dataset in enumerate(datasets(mechanism), 1):
        found = goodness_of_fit(mechanism, dataset, 1000, seed, given(mechanism, dataset))
        assert found.p_value > 1e-4
        assert found.freedom or key in CERTAIN


@pytest.mark.parametrize(("key", "kind", "reason"), [(key, *rest) for key, rest in NO_LAW.items()])
def test_what_is_not_a_distribution_is_refused(
    key: str, kind: type[Exception], reason: str
) -> None:
    mechanism = find_entry(key, ALL).mechanism
    at = datasets(mechanism)[0]
    with pytest.raises(kind, match=reason):
        goodness_of_fit(
            mechanism, at, 1000, 1, given(mechanism, at) if mechanism.parameters else {}
        )


W = Domain([("a", log(2)), ("b", log(3))])
AT = Multiset(W, [2, 1])
N, K, B, T = name("n"), name("k"), name("b"), name("t")


def claimed(outputs: Any, density: Any, **more: Any) -> Claim:
    return Claim(
        Mechanism(W, outputs=[outputs], density=density, name=outputs.name, **more),
        "ahdp",
        number(3),
    )


def noisy(scale: int) -> Mechanism:
    return Mechanism(
        W,
        outputs=[real("n")],
        density=exp(-Abs(N - W.size) / scale) / (2 * scale),
        name="noisy size",
    )


COUNT = Claim(noisy(1), "ahdp", number(1))
WHOLE = claimed(integer("k"), (1 - exp(-1)) / (1 + exp(-1)) * exp(-Abs(K - W.size)))
COIN = claimed(finite("b", [0, 1]), piecewise((Fraction(1, 4), eq(B, 1)), (Fraction(3, 4), True)))
SILENT = claimed(
    real("n"), piecewise((exp(-N) / 2, N >= 0), (0, True)), atoms={"nothing": number("1/2")}
)
SEEN = claimed(
    finite("b", [0, 1]), piecewise((exp(-W.size) / 2, eq(B, 1)), (1 - exp(-W.size) / 2, True))
)
COMPOSITES = {
    "compose": compose(WHOLE, claimed(real("t"), exp(-Abs(T - K)) / 2, parameters={"k": ""})),
    "product": product(COUNT, COIN),
    "post_process": post_process(COUNT, {"t": 3 - 2 * N}),
    "kernel": post_process(
        COIN, claimed(real("t"), exp(-Abs(T) / (1 + B)) / (2 * (1 + B)), parameters={"b": ""})
    ),
    "subsample": subsample(WHOLE, lambda x, eps: 1 - exp(-eps)),
    "subsample of two": subsample(product(SEEN, WHOLE), "1/3"),  # both parts see the same sample
    "mixture": mixture(
        ("1/3", COUNT),
        (
            "2/3",
            Claim(
                Mechanism(W, outputs=[real("n")], density=exp(-2 * Abs(N + 4)), name="shifted"),
                "ahdp",
                number(0),
            ),
        ),
    ),
    "mixture with an atom": mixture(("1/4", SILENT), ("3/4", COUNT)),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", COMPOSITES)
def test_what_runs_part_by_part_follows_its_law_written_out(key: str) -> None:
    for seed, at in enumerate((AT, Multiset(W, [0, 0])), 1):
        found = goodness_of_fit(COMPOSITES[key].mechanism, at, 1000, seed)
        assert found.p_value > 1e-4 and found.freedom


def test_a_sample_that_keeps_too_much_is_detected() -> None:
    kept, more = (subsample(WHOLE, share).mechanism for share in ("1/2", "3/5"))
    at = Multiset(W, [3, 2])
    assert goodness_of_fit(kept, at, rng=1, draws=sample(more, at, size=9000, rng=2)).p_value < 1e-6
    assert goodness_of_fit(more, at, rng=1, draws=sample(more, at, size=5000, rng=2)).p_value > 1e-4


def test_draws_from_another_law_are_found_out() -> None:
    other = sample(noisy(2), AT, size=5000, rng=5)
    assert goodness_of_fit(noisy(1), AT, rng=1, draws=other).p_value < 1e-6
    assert goodness_of_fit(noisy(2), AT, rng=1, draws=other).p_value > 1e-4


def test_outputs_that_should_depend_on_each_other_and_do_not_are_detected() -> None:
    """Each output by itself is right: n is noisy, and t is n with a little more noise; the
    shuffled t has the same distribution alone.
    """
    pair = Mechanism(
        W,
        outputs=[real("n"), real("t")],
        density=exp(-Abs(N - W.size)) / 2 * exp(-2 * Abs(T - N)),
        name="pair",
    )
    both = sample(pair, AT, size=3000, rng=1)
    assert goodness_of_fit(pair, AT, rng=1, draws=both).p_value > 1e-4
    assert (
        goodness_of_fit(
            pair, AT, rng=1, draws={**both, "t": np.random.default_rng(2).permutation(both["t"])}
        ).p_value
        < 1e-6
    )


def test_outputs_that_should_be_independent_and_are_not_are_found_out() -> None:
    M = find_entry("laplace-parallel").mechanism
    draws = sample(M, [0] * 5, size=3000, rng=4, parameters={"eps": 1})
    found = [
        goodness_of_fit(M, [0] * 5, rng=1, parameters={"eps": 1}, draws=d)
        for d in (draws, {**draws, "s[4]": draws["s[3]"]})
    ]
    assert found[0].tables == 4 and found[0].p_value > 1e-4 and found[1].p_value < 1e-6


def test_finite_outputs_that_bound_each_other() -> None:
    """Three counts of which at most one is 1, by weights 1, 2, 3, 4: the last cells are
    impossible.
    """
    b = finite("b", [0, 1], 3)
    one, two, three = (name(f"b[{i}]") for i in (1, 2, 3))
    law = piecewise(((1 + one + 2 * two + 3 * three) / 10, one + two + three <= 1), (0, True))
    M = Mechanism(Queries(1), outputs=b, density=law, name="one of three")
    draws = sample(M, [0], size=2000, rng=1)
    found = goodness_of_fit(M, [0], rng=1, draws=draws)
    assert found.p_value > 1e-4 and found.freedom == 3
    assert goodness_of_fit(M, [0], rng=1, draws={**draws, "b[1]": 1 - draws["b[1]"]}).p_value == 0


def test_a_staircase_with_a_missing_step_is_detected() -> None:
    M = find_entry("staircase").mechanism
    at, values = datasets(M)[0], {"eps": 1, "gamma": Fraction(1, 4)}
    draws = sample(M, at, size=5000, rng=1, parameters=values)
    centre = 2  # records
    assert goodness_of_fit(M, at, rng=1, parameters=values, draws=draws).p_value > 1e-4
    moved = np.where(abs(draws - centre) < 0.25, draws + 1, draws)
    assert goodness_of_fit(M, at, rng=1, parameters=values, draws=moved).p_value < 1e-6


@pytest.mark.parametrize("wrong", ["something", float("nan"), float("inf")])
def test_what_is_not_an_output_is_detected(wrong: object) -> None:
    draws = sample(noisy(1), AT, size=999, rng=1).tolist()
    assert (
        goodness_of_fit(noisy(1), AT, rng=1, draws=np.array([*draws, wrong], dtype=object)).p_value
        == 0
    )


def test_halves_are_not_whole_outputs_and_other_labels_not_labels() -> None:
    k = sample(WHOLE.mechanism, AT, size=999, rng=1)
    assert goodness_of_fit(WHOLE.mechanism, AT, rng=1, draws=np.append(k, 2.5)).p_value == 0
    V = Mechanism(
        Values(["yes", "no"]),
        outputs=[finite("s", ["yes", "no"])],
        density=piecewise(
            (number("2/3"), Expression("==", (name("s"), name("v")))), (number("1/3"), True)
        ),
    )
    draws = sample(V, "no", size=999, rng=1)
    assert goodness_of_fit(V, "no", rng=1, draws=draws).p_value > 1e-4
    assert goodness_of_fit(V, "yes", rng=1, draws=draws).p_value < 1e-6
    assert goodness_of_fit(V, "no", rng=1, draws=[*draws, "maybe"]).p_value == 0


def test_a_clamped_law_has_atoms_among_its_cells() -> None:
    """A Laplace answer clamped to [0, 1]; without its atoms' share the draws are another law."""
    s = name("s")
    density = piecewise((exp(-Abs(s - Fraction(1, 4))) / 2, (s > 0) & (s < 1)), (0, True))
    M = Mechanism(
        Queries(1),
        outputs=[real("s")],
        density=density,
        atoms={0: exp(number("-1/4")) / 2, 1: exp(number("-3/4")) / 2},
        name="clamped",
    )
    draws = sample(M, [0], size=3000, rng=1)
    assert goodness_of_fit(M, [0], rng=1, draws=draws).p_value > 1e-4
    assert goodness_of_fit(M, [0], rng=1, draws=np.where(draws == 1, 0, draws)).p_value < 1e-6
    assert goodness_of_fit(M, [0], rng=1, draws=np.clip(draws, 0.01, 0.99)).p_value < 1e-6


def test_cells_are_as_fine_as_the_noise() -> None:
    """Noise of scale 1/4096 around a million still has 16 cells."""
    M = Mechanism(
        Queries(1),
        outputs=[real("s")],
        density=exp(-4096 * Abs(name("s") - name("q[1]"))) * 2048,
        name="narrow",
    )
    assert goodness_of_fit(M, [10**6], 1000, 1).freedom == 15


def test_the_outputs_that_are_looked_at_together() -> None:
    listed = {k: tuple(real(f"s{i}") for i in range(k)) for k in (1, 3, 4)}
    assert [[len(g) for g in output_groups(listed[k])] for k in (1, 3, 4)] == [[1], [3], [2, 2, 2]]
    many = tuple(finite(f"b{i}", list(range(30))) for i in range(2))
    assert [[o.name for o in g] for g in output_groups(many)] == [["b0"], ["b1"]]


def test_outputs_that_depend_on_each_other() -> None:
    """t depends on n, and k on neither."""
    whole = product(
        compose(COUNT, claimed(real("t"), exp(-Abs(T - N)) / 2, parameters={"n": ""})), WHOLE
    ).mechanism
    there = law_at_input(explicit_mechanism(whole), AT)
    by_name = {o.name: o for o in there.outputs}
    assert [
        [o.name for o in law_of_linked_outputs(there, (by_name[k],)).outputs]
        for k in ("n", "t", "k")
    ] == [
        ["n", "t"],
        ["n", "t"],
        ["k"],
    ]


def test_the_same_seed_gives_the_same_answer() -> None:
    assert (
        goodness_of_fit(noisy(1), AT, 500, 1)
        == goodness_of_fit(noisy(1), AT, 500, 1)
        != goodness_of_fit(noisy(1), AT, 500, 2)
    )


def test_the_statistic_by_hand() -> None:
    """(12 - 10)^2/10 + (8 - 10)^2/10 = 0.8 with one degree of freedom: p = erfc(sqrt(0.4)) =
    0.3711.
    """
    statistic, freedom, p = chi_squared_test([12, 8], [10.0, 10.0])
    assert (statistic, freedom) == (pytest.approx(0.8), 1)
    assert p == pytest.approx(0.371093, abs=1e-5)
    assert chi_squared_test([1, 19], [0.0, 20.0])[2] == 0.0


def test_p_values_are_evenly_spread() -> None:
    """Under the law a p-value is below 1/2 about half of the time: 40 seeds, at most 32 (a fair
    coin: with probability 0.9999).
    """
    found = [goodness_of_fit(noisy(1), AT, 300, seed).p_value for seed in range(40)]
    assert 8 <= sum(p < 0.5 for p in found) <= 32


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": 50}, "^size: 50 draws show nothing"),
        ({"size": True}, "^size: True is not a number of draws"),
        ({"draws": [1.0] * 50}, "^draws: 50 draws show nothing"),
        ({"draws": {"m": [1.0] * 200}}, "^draws: they are not one column for each of n"),
        ({"draws": np.zeros((200, 2))}, "^draws: they are not one column"),
        ({"rng": "x"}, "^rng: x is not a seed"),
    ],
)
def test_bad_input(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        goodness_of_fit(noisy(1), AT, **options)


def test_a_law_without_exact_cells() -> None:
    """One of two reports, which takes the place of the other: it is drawn from, but intervals of
    the second output have no closed form.
    """
    mechanism = find_entry(WITHOUT_CELLS, ALL).mechanism
    at = datasets(mechanism)[0]
    with pytest.raises(
        NotWorkedOut,
        match=r"^fit: the exact probabilities of the cells of this distribution were not found [(]",
    ):
        goodness_of_fit(mechanism, at, 200, 1, given(mechanism, at))
