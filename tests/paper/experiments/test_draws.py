"""Who draws makes no difference to the draws; what a cluster draws is drawn again here in part."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from ahdp_verify.paper.experiments import draws  # noqa: E402
from ahdp_verify.paper.experiments.draws import (  # noqa: E402
    DrawnByCluster,
    DrawnByProcesses,
    DrawnHere,
    Trials,
    blocks,
    fair_coins,
    run_trials,
)
from ahdp_verify.paper.experiments.examples import draw_examples_twice  # noqa: E402
from ahdp_verify.paper.experiments.frequency import frequency_curves  # noqa: E402
from ahdp_verify.paper.experiments.generated import (  # noqa: E402
    generate_education,
    generate_weights,
)
from ahdp_verify.paper.experiments.housing import Housing  # noqa: E402
from ahdp_verify.paper.experiments.mean import mean_curves  # noqa: E402
from ahdp_verify.paper.experiments.methods import HALF  # noqa: E402
from ahdp_verify.paper.experiments.regression import regression_curves  # noqa: E402
from tests.answering import at_once, cluster_of  # noqa: E402

COINS = Trials(fair_coins, {"tosses": 5})


def listed(found: Any) -> list[list[float]]:
    return [numbers.tolist() for numbers in found]


def test_every_trial_depends_on_the_seed_and_its_number_alone() -> None:
    def run(number: int, rng: Any) -> Any:
        return float(rng.random())

    few, many, other = (
        run_trials(run, 3, 5, draws.no_step),
        run_trials(run, 6, 5, draws.no_step),
        run_trials(run, 3, 6, draws.no_step),
    )
    assert many[:3] == few != other and len(set(many)) == 6


def test_an_interrupt_keeps_what_is_finished() -> None:
    def run(number: int, rng: Any) -> Any:
        if number == 4:
            raise KeyboardInterrupt
        return number

    assert run_trials(run, 10, 1, draws.no_step) == [0, 1, 2, 3]

    def none(number: int, rng: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_trials(none, 3, 1, draws.no_step)


@pytest.mark.parametrize("asked", [1, 15, 16, 47, 399, 1001])
def test_every_trial_is_in_one_block(asked: int) -> None:
    assert [i for block in blocks(asked) for i in block] == list(range(asked))
    assert all(0 < len(block) <= draws.BLOCK for block in blocks(asked))


def housing() -> Housing:
    x = np.random.default_rng(1).uniform(-1, 1, (60, 8))
    y = x.mean(axis=1)
    return Housing(x[:40], y[:40], x[40:], y[40:], 2.5)


EXPERIMENTS: dict[str, Callable[[Any], Any]] = {
    "mean": lambda draw: (
        mean_curves(generate_weights(60, -0.8, 1), (20, 60), (HALF,), 3, 1, draw).csv
    ),
    "frequency": lambda draw: (
        frequency_curves(generate_education(60, -0.8, 1), (20, 60), (HALF,), 3, 1, draw).csv
    ),
    "regression": lambda draw: regression_curves(housing(), (20, 40), (HALF,), 3, 1, draw).csv,
    "examples": lambda draw: [
        (e.drawn.mean, e.drawn.number, e.drawn.bins.tolist())
        for e in draw_examples_twice(1000, 1, draw)
    ],
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_setting_and_its_answers_can_be_written_as_json(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that is sent the text of the setting draws the same."""
    monkeypatch.setattr(draws, "cluster", cluster_of(at_once))
    monkeypatch.setattr(draws, "local_processes", cluster_of(at_once))
    experiment = EXPERIMENTS[name]
    here = experiment(DrawnHere())
    assert experiment(DrawnByProcesses(2)) == here
    assert experiment(DrawnByCluster("nowhere", pytest.fail)) == here


def test_a_cluster_draws_the_same(dask_cluster: Any) -> None:
    draw = DrawnByCluster(dask_cluster.scheduler_address, pytest.fail)
    assert listed(draw(COINS, 40, 1)) == listed(DrawnHere()(COINS, 40, 1))
    assert draw.notes == (
        "drawn by a cluster: 40 trials, of which 2, chosen at random, were drawn again here and "
        "agree; the others were not verified",
    )


def forging(forge: Callable[[list[list[float]]], Any]) -> Callable[..., Any]:
    def answer(function: Callable[..., str], *arguments: Any) -> Any:
        return json.dumps(forge(json.loads(function(*arguments))))

    return answer


def failing(error: Exception) -> Callable[..., Any]:
    def answer(function: Callable[..., str], *arguments: Any) -> Any:
        raise error

    return answer


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (forging(lambda found: [[1 - v for v in row] for row in found]), "drawn again here, gives"),
        (forging(lambda found: found[1:]), "its numbers are not those of the trials"),
        (forging(lambda found: [row[1:] for row in found]), "its numbers are not those of"),
        (forging(lambda found: "[[["), "could not convert"),
        (forging(lambda found: [found]), "its numbers are not those of the trials"),
        (lambda function, *arguments: "[", "Expecting value"),
        (failing(ValueError("old")), "old"),
        (failing(ConnectionError()), ""),
    ],
)
def test_what_a_worker_makes_up_is_thrown_away(
    answer: Callable[..., Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws, "cluster", cluster_of(answer))
    monkeypatch.setattr(draws, "CHECKED", 1)  # all are drawn again
    heard: list[str] = []
    draw = DrawnByCluster("nowhere", lambda why: heard.append(str(why)))
    assert listed(draw(COINS, 20, 1)) == listed(DrawnHere()(COINS, 20, 1))
    assert len(heard) == (20 if said else 0) and all(said in why for why in heard)
    assert (draw.drawn, draw.again) == (0, 0)


def test_those_that_are_drawn_again_are_chosen_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one in twenty is checked, forgeries of the others stay, and the notes say so."""
    monkeypatch.setattr(
        draws, "cluster", cluster_of(forging(lambda found: [[7.0] * 5 for _ in found]))
    )
    draw = replace(DrawnByCluster("nowhere", lambda why: None), chosen=random.Random(3))
    found = listed(draw(COINS, 40, 1))
    kept = sum(row == [7.0] * 5 for row in found)
    assert 0 < kept < 40 and draw.drawn == kept and draw.again == 0
    assert draw.notes[0].startswith(f"drawn by a cluster: {kept} trials, of which 0, chosen")


def test_an_interrupt_keeps_the_answers_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "local_processes", cluster_of(at_once))
    calls = iter(range(100))

    def step() -> None:
        if next(calls) == 8:
            raise KeyboardInterrupt

    found = listed(DrawnByProcesses(2, step)(COINS, 64, 1))
    assert found == listed(DrawnHere()(COINS, 64, 1))[: len(found)] and 8 < len(found) < 64


def test_a_lost_process_costs_the_draws_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "local_processes", cluster_of(failing(ConnectionError())))
    assert listed(DrawnByProcesses(2)(COINS, 5, 1)) == listed(DrawnHere()(COINS, 5, 1))
