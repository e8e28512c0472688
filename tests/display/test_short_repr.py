"""repr of every object that a user can reach: one line of at most 80 characters."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import ahdp_verify
from ahdp_verify import (
    Abs,
    Argument,
    Claim,
    Domain,
    Entries,
    Inequality,
    Limits,
    Mechanism,
    Multiset,
    Output,
    ProgramClaim,
    Queries,
    RealValues,
    Step,
    Values,
    ahdp,
    assume,
    audit,
    best_power,
    by_sensitivity,
    calibrate,
    compose,
    delta,
    dp,
    examine,
    exp,
    explain,
    extra_records,
    finite,
    hdp,
    label,
    laplace,
    log,
    name,
    number,
    oo,
    power,
    ranges,
    real,
    renyi,
    report,
    sample,
    sensitivity,
    sensitivity_claim,
    simulate,
    tighten,
    tradeoff,
    verify,
    zcdp,
)
from ahdp_verify.analysis.divergence.curve import delta_curve
from ahdp_verify.analysis.power.table import power_table
from ahdp_verify.analysis.testing.error_rates import privacy_region
from ahdp_verify.catalogue import CATALOGUE
from ahdp_verify.display.short_repr import LONGEST, named_repr
from ahdp_verify.files.load import load
from ahdp_verify.sampling.goodness_of_fit import goodness_of_fit
from ahdp_verify.search.inequalities import verify_inequality
from ahdp_verify.search.progress import no_progress
from ahdp_verify.verdicts import Unknown
from tests.programs_by_hand import (
    best_so_far,
    buggy_twin,
    claim,
    contest,
    most_popular,
    noisy_max,
    sparse_vector,
    total_at_the_end,
)

ROOT = Path(__file__).parents[2]

LONG = 'a mechanism "with" a \u202ename\x1b[31m that\nruns over several lines and ' + "over" * 40
NUMBERS = ("Ratio", "Polynomial", "RationalFunction")  # their text, cut
W = Domain([(0, 1), (1, "1/2"), (label("three"), oo)])
N = Domain([(0, 1), (1, "1/2")])
s, q, b = real("s"), name("q[1]"), name("b")


def noisy_sum(title: str, s: Output = s) -> Mechanism:
    location = N.sum(lambda x, eps: (1 - exp(-eps)) * x)
    return Mechanism(N, outputs=[s], density=exp(-Abs(s - location)) / 2, name=title)


def answers() -> Iterator[object]:
    """An answer of each public function, about mechanisms with short and long names."""
    for title in ("", LONG):
        M = noisy_sum(title)
        proved, refuted = verify(ahdp(M)), verify(ahdp(M, lambda x, eps: eps / 9))
        assert isinstance(refuted, ahdp_verify.Refuted) and isinstance(proved, ahdp_verify.Proved)
        yield from (M, ahdp(M), hdp(M), dp(M, 1), proved, refuted, explain(proved))
        yield from (explain(refuted), simulate(refuted, 100, 0), Unknown(proved.claim, ()))
        yield from (tighten(M), delta(M, 0), delta_curve(M, ["0", "1/2"]))
        yield from (curve := tradeoff(M, [0, 0], [0, 1]), curve.test("1/10"))
        yield from (power(M, [[0, 0], [0, 1]]), goodness_of_fit(M, [1, 1], 200, 0))
        yield verify(ahdp(M), size=1, procedure="finite")
        again = noisy_sum(title, real("r"))
        two = compose(ahdp(M), ahdp(again), name=title)
        yield from (two, verify(two))
    M = noisy_sum(LONG)
    yield from (laplace(name("q[1]"), 2), report([verify(ahdp(M))]))
    draws = [sample(M, dataset, 200, 0) for dataset in ([0, 0], [0, 1])]
    yield audit(ahdp(M), draws, [[0, 0], [0, 1]])
    noise = Mechanism(
        Queries(1),
        outputs=[s],
        density=exp(-Abs(s - q) / b) / (2 * b),
        parameters={"b": "b > 0"},
    )
    of_noise = Claim(noise, "one", number("1/3"))
    yield from (ranges(of_noise), calibrate(of_noise, "b"), assume(W, "ahdp", name("eps")))
    bounded = zcdp(noisy_sum(LONG), lambda x, eps: eps / 99)
    yield from (bounded, verify(bounded), renyi(noisy_sum(LONG), 2))
    entries = Entries("n", "0 <= x <= 1", {"n": "n >= 2"})
    moves = sensitivity_claim("sum(x)/n", entries, "1/n", name=LONG)
    yield from (entries, moves, verify(moves), sensitivity("sum(x)/n", entries))
    halved = by_sensitivity(
        Claim(noise, "one", 1 / b), sensitivity_claim("sum(x)/n", entries, "1/(2*n)")
    )
    yield from (halved, verify(halved), sensitivity("sum(x)", N, relation="swap"))
    best = Domain([("a", log(2)), ("b", log(3))])
    yield from (best_power(best, extra_records(2)), power_table(best, 2), extra_records(1))
    yield from (
        extra_records(1)(best),
        W,
        privacy_region(1),
        Multiset(W, [0, 2, 1]),
        Values(["a", "b"]),
        RealValues({"v": "0 <= v <= 1"}),
        Limits(),
    )
    yield Domain.universal(unknowns={"f": "f > 0"}, parameters={"h": "h > 0"})
    order = Inequality.of({"y": "y >= 0"}, "exp(y)", ">=", "1", name=LONG)
    step = Step(order.left, ">=", order.right, "it is " + LONG)
    yield from (Argument(order, (step,)), examine(Argument(order, (step,))))
    yield verify_inequality(Inequality.of({"y": "y >= 0"}, "y", ">=", "1"), Limits(), no_progress)
    yield from (finite("v", range(300)), name("x") * 2)
    yield from CATALOGUE[:5]
    twin = buggy_twin()
    proved = [verify(about) for about in proved_claims()]
    yield from (twin, explain(twin), report([twin]), Unknown(twin.claim, ()), *proved)
    yield from (explain(proved[0]), total_at_the_end(), contest(False))
    for path in ("laws/group.toml", "paper/exact-size.toml"):
        yield load(str(ROOT / "proofs" / path))


def proved_claims() -> Iterator[ProgramClaim]:
    """Claims about noise programs, with a proof of each kind."""
    yield claim(sparse_vector("2/eps", "4/eps"), "one", "eps")
    yield claim(noisy_max(2, "laplace"), "increasing", "eps")
    yield claim(best_so_far(3), "all", "eps")
    yield claim(most_popular("2/eps"), "add-remove", "eps/2")


def walk(value: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """The objects of this package that a value contains, itself included, without the blocks of
    pages.
    """
    if id(value) in seen:
        return
    seen[id(value)] = value  # kept, so that no other object gets its number
    if isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from walk(part, seen)
    elif isinstance(value, Mapping):
        yield from walk([*value.items()], seen)
    elif (
        type(value).__module__.startswith("ahdp_verify") and "blocks" not in type(value).__module__
    ):
        yield value
        names = [f.name for f in fields(value)] if is_dataclass(value) else []
        kept = [getattr(value, key, None) for key in names]
        for part in kept:
            yield from walk(part, seen)


def test_repr_is_short_and_says_what_it_is() -> None:
    seen: dict[int, Any] = {}
    everything = [*answers()]
    kinds: dict[str, str] = {}
    for value in walk(everything, seen):
        text, kind = repr(value), type(value).__name__
        assert text.isprintable() and len(text) <= LONGEST, (kind, text)
        assert " object at 0x" not in text, (kind, text)
        assert text.startswith(f"{kind}(") or kind in NUMBERS, (kind, text)
        kinds.setdefault(kind, text)
    assert len(kinds) > 60
    public = {key for key in ahdp_verify.__all__ if isinstance(getattr(ahdp_verify, key), type)}
    errors = {key for key in public if issubclass(getattr(ahdp_verify, key), Exception)}
    assert public - errors <= set(kinds), public - set(kinds)


@pytest.mark.parametrize("room", range(0, 80, 7))
def test_no_name_makes_it_longer(room: int) -> None:
    rng = random.Random(room)
    for _ in range(50):
        text = "".join(
            rng.choice("a'\"\\\n\x1b\u202e\U0001f600 ") for _ in range(rng.randrange(120))
        )
        shown = named_repr(name("x"), text, "y" * room)
        assert shown.isprintable() and len(shown) <= max(LONGEST, room + 22)
