"""The standing attack: its oracle is independent, distinguishes right from wrong verdicts, and a
few cases of every kind pass.
"""

from __future__ import annotations

import ast
import json
import multiprocessing
import random
import signal
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scipy")
from mpmath import mp, mpf

from fuzz import mutate, work
from fuzz.case import Outcome, document
from fuzz.generate import FAMILIES, KINDS, mechanisms
from fuzz.oracle import judge, lines, text, values
from fuzz.oracle.trees import CannotTell
from fuzz.work import case
from tests.answering import at_once, cluster_of

# Seeds of the kinds that search for long, whose cases take less than half a second.
CHEAP = {
    "ranges": (4, 6),
    "calibrate": (4, 6),
    "delta": (2, 3),
    "tradeoff": (2,),
    "tighten": (2, 6),
}
FOLDER = Path(__file__).resolve().parents[2] / "fuzz"
LAPLACE = [
    "*",
    "1/2",
    ["exp", ["*", "-1", ["abs", ["+", ["name", "s"], ["*", "-1", ["sum", ["name", "x"]]]]]]],
]


def claim(level: Any, density: Any = LAPLACE, delta: str = "0") -> Any:
    mechanism = {
        "name": "",
        "inputs": {"records": [["0", "0"], ["1", "1"]]},
        "parameters": [],
        "outputs": [["s", "real", []]],
        "density": density,
        "atoms": [],
        "defined": ["boolean", True],
    }
    return {
        "mechanism": mechanism,
        "relation": "ahdp",
        "level": level,
        "delta": delta,
        "public": [],
    }


@pytest.mark.parametrize("path", sorted(FOLDER.glob("oracle/*.py")), ids=lambda p: p.stem)
def test_the_oracle_imports_nothing_of_the_package(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        named = (
            [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        assert not [
            n
            for n in named
            if n.split(".")[0] in ("ahdp_verify", "tests")
            or (n.startswith("fuzz") and not n.startswith("fuzz.oracle"))
        ]


def test_integrals_of_the_oracle_agree_with_quadrature() -> None:
    """mpmath.quad is the reference."""
    e = [
        "*",
        ["exp", ["*", "-1", ["abs", ["+", ["name", "s"], "-1"]]]],
        ["max", ["name", "s"], "0"],
    ]
    numeric = mp.quad(lambda s: mp.exp(-abs(s - 1)) * max(s, 0), [0, 1, 60])
    assert abs(lines.total(e, "s", False) - numeric) < mpf(10) ** -20
    assert (
        abs(
            lines.total(["exp", ["*", "-1", ["abs", ["name", "k"]]]], "k", True)
            - mp.nsum(lambda k: mp.exp(-abs(k)), [-mp.inf, mp.inf])
        )
        < mpf(10) ** -20
    )


def test_a_case_reads_only_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "READS", 6)
    lines.begin()
    assert len(lines.pieces(["abs", ["name", "s"]], "s", False)) == 2
    with pytest.raises(CannotTell, match="more to read"):
        lines.pieces(["abs", ["name", "s"]], "s", False)
    lines.begin()
    assert len(lines.pieces(["abs", ["name", "s"]], "s", False)) == 2


def test_a_false_proof_is_seen() -> None:
    """The noisy sum of FORMAT.md, section 7: (1, 1) moves it by 1, so a level of 999/1000 is too
    low.
    """
    assert not judge.proved(claim(["name", "eps"]), 1).wrong
    assert judge.proved(claim(["*", "999999999/1000000000", ["name", "eps"]]), 1).wrong
    assert judge.proved(claim(["name", "eps"], ["*", "1001/1000", LAPLACE]), 1).wrong
    # 1 - exp(-1/4) is the divergence at level 1/2 (docstring of ahdp_verify/analysis/divergence/delta.py, by hand: two
    # Laplace distributions at distance 1)
    d = 1 - mp.exp(mpf(-1) / 4)
    low, high = (str(Fraction(int(d * 10**12) + k, 10**12)) for k in (0, 1))
    assert judge.proved(claim("1/2", delta=low), 1).wrong
    assert not judge.proved(claim("1/2", delta=high), 1).wrong


def test_a_false_refutation_is_seen() -> None:
    """The refutation of FORMAT.md, section 8, and the same with other words."""
    side = lambda a, b: [{"e": str(a)}, {"e": str(b)}]  # noqa: E731
    example = {
        "parameters": [],
        "instances": [],
        "first": side(0, 0),
        "second": side(0, 1),
        "event": {
            "atoms": [],
            "continuous": True,
            "intervals": [["s", None, {"e": "0"}]],
            "outcomes": [],
            "values": [],
        },
        "points": [[], []],
    }
    half = claim(["*", "1/2", ["name", "eps"]])
    printed = (
        "{} against {(1, 1)}, event s < 0: probability 1/2 against exp(-1)/2 = 0.18394, "
        "loss 1 > 1/2, delta 0.196735"
    )
    assert judge.refuted(half, {"counterexample": example}, printed, 1).wrong == []
    for old, new in (
        ("s < 0", "s < 1"),
        ("1/2 against", "1/3 against"),
        ("exp(-1)/2 =", "exp(-2)/2 ="),
        ("0.196735", "0.19"),
    ):
        assert judge.refuted(
            half, {"counterexample": example}, printed.replace(old, new), 1
        ).wrong, new
    assert judge.refuted(claim(["name", "eps"]), {"counterexample": example}, printed, 1).wrong
    assert judge.refuted(
        half, {"counterexample": {**example, "second": side(1, 1)}}, printed, 1
    ).wrong


def test_events_are_read_as_they_are_printed() -> None:
    read = text.event('0 <= s < 2 except s = 1, or the output is "NULL"', ["s"])
    assert [
        text.contains(read, ["s"], {"s": v})
        for v in (mpf(0), mpf(1), mpf(2), text.Label("NULL"), text.Label("no"))
    ] == [True, False, False, True, False]
    read = text.event("any output except 1", ["s"])
    assert [text.contains(read, ["s"], {"s": mpf(v)}) for v in (0, 1, 2)] == [True, False, True]
    read = text.event("(r = 1 or r = 2) and s < 0", ["r", "s"])
    assert [
        text.contains(read, ["r", "s"], {"r": mpf(r), "s": mpf(s)})
        for r, s in ((1, -1), (2, 1), (3, -1))
    ] == [True, False, False]


def test_best_power_of_the_paper() -> None:
    """36/119, from the table of README (checked there with exact certificates and with z3 in
    tests/minmax.py).
    """
    rows = [(a, b) for a in range(4) for b in range(4 - a)]
    found = values.best_power(rows, [mp.log(2), mp.log(3)], [str(r) for r in rows], "ahdp")
    assert abs(found - 36 / 119) < 1e-8


def test_mutants_are_sealed_and_differ() -> None:
    rng, record = (
        random.Random(1),
        {
            "format": 2,
            "verdict": "proved",
            "claim": {"level": "1"},
            "certificate": {"claim": "f"},
            "fingerprint": "f",
            "sha256": "",
        },
    )
    changed = [mutate.fitted(mutate.record(record, rng)) for _ in range(20)]
    assert len({json.dumps(c, sort_keys=True) for c in changed}) > 10
    assert all(
        c["sha256"] == mutate.digest({k: v for k, v in c.items() if k != "sha256"}) for c in changed
    )
    file = document(mechanisms.made(rng).data)
    assert len({mutate.file(file, rng) for _ in range(20)}) > 10


def test_no_family_hides_a_kind_of_another() -> None:
    assert len(KINDS) == sum(len(family.KINDS) for family in FAMILIES)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_some_cases_of_every_kind(kind: str) -> None:
    for seed in CHEAP.get(kind, (0, 1)):
        out = case(seed, kind)
        assert (out.wrong, out.error) == ([], ""), out.source


# who runs the cases

GOOD = Outcome("moments", answers=["bound"], settled=1, seconds=0.5)
BAD = replace(GOOD, wrong=["1 is not 2"])
SEEDS = range(5, 8)


@pytest.mark.parametrize(
    ("told", "here", "wrong", "said"),
    [
        (lambda seed: asdict(replace(GOOD, seed=seed)), BAD, 0, ""),
        (lambda seed: asdict(replace(BAD, seed=seed)), BAD, 3, ""),
        (
            lambda seed: asdict(replace(BAD, seed=seed)),
            GOOD,
            0,
            "seed 5: what a worker found does not occur here: 1 is not 2",
        ),
        (lambda seed: asdict(replace(GOOD, seed=4)), GOOD, 0, "seed 5: a worker gave no outcome"),
        (
            lambda seed: asdict(replace(GOOD, seed=seed)) | {"wrong": [1]},
            GOOD,
            0,
            "seed 5: a worker",
        ),
        (
            lambda seed: asdict(replace(GOOD, seed=seed)) | {"kind": "x"},
            GOOD,
            0,
            "seed 5: a worker",
        ),
        (lambda seed: ["x"], BAD, 3, "seed 5: a worker gave no outcome, so it is run here"),
    ],
)
def test_what_a_worker_finds_is_found_again_here(
    told: Any, here: Outcome, wrong: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "cluster", cluster_of(lambda _, seed, only: json.dumps(told(seed))))
    monkeypatch.setattr(work, "local_processes", cluster_of(at_once))
    monkeypatch.setattr(
        work, "guarded_case", lambda seed, only: json.dumps(asdict(replace(here, seed=seed)))
    )
    heard: list[str] = []
    found = list(work.outcomes_of_cluster(SEEDS, "", "nowhere", heard.append))
    assert [out.seed for out in found] == list(SEEDS)
    assert sum(bool(out.wrong) for out in found) == wrong
    assert len(heard) == (3 if said else 0) and (not heard or heard[0].startswith(said))


def test_a_cluster_runs_the_same_cases(dask_cluster: Any) -> None:
    address = dask_cluster.scheduler_address
    there = list(work.outcomes_of_cluster(range(1), "statement", address, pytest.fail))
    assert [replace(out, seconds=0.0) for out in there] == [
        replace(case(seed, "statement"), seconds=0.0) for seed in range(1)
    ]


@pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="timers of processor time")
def test_a_case_that_hangs_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def hangs(seed: int, only: str) -> str:
        while True:
            pass

    monkeypatch.setattr(work, "HANG", 0.2)
    monkeypatch.setattr(work, "case_text", hangs)
    process = multiprocessing.get_context("fork").Process(target=work.guarded_case, args=(1, ""))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGPROF


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_kind_changes_the_precision_of_another(kind: str) -> None:
    with mp.workdps(41):
        KINDS[kind][1](random.Random(7))
        assert mp.dps == 41
