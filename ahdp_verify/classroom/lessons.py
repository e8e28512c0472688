"""The ten notebooks of the course, in order: title, time and goals, and where their files are.

>>> print(lesson(4).title)
Why HDP fails
>>> print(heading(4).splitlines()[0])
# 4. Why HDP fails
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ahdp_verify.kernel.errors import BadInput


@dataclass(frozen=True, slots=True)
class Lesson:
    """A notebook of the course.

    file      the name of its file
    minutes   about how long it takes, exercises included
    goals     what its reader can do afterwards; each begins with a verb
    """

    number: int
    file: str
    title: str
    minutes: int
    goals: tuple[str, ...]


LESSONS = (
    Lesson(
        1,
        "1_first_mechanism.py",
        "A first private mechanism",
        10,
        (
            "state a mechanism as the density of its output, and a claim about it",
            "read the three verdicts, and a counterexample",
            "find the least noise for a level",
        ),
    ),
    Lesson(
        2,
        "2_randomised_response.py",
        "Randomised response by hand",
        10,
        (
            "work out the probabilities of the answers, and the privacy loss",
            "choose the probability of the truth for a given level",
            "turn noisy answers into an estimate without bias",
        ),
    ),
    Lesson(
        3,
        "3_composition.py",
        "Composition, post-processing, budgets",
        10,
        (
            "add up the levels of several outputs",
            "divide a budget between two questions",
            "tell post-processing from a second look at the data",
        ),
    ),
    Lesson(
        4,
        "4_why_hdp_fails.py",
        "Why HDP fails",
        10,
        (
            "draw the graph of neighbouring datasets for HDP and for AHDP",
            "explain how a demand can reveal the data, and why HDP has no objection",
            "find two datasets and an event that refute a claim",
        ),
    ),
    Lesson(
        5,
        "5_sampling.py",
        "Sampling by demand",
        10,
        (
            "choose with which probability a record takes part, given its demand",
            "work out the level that sampling leaves",
            "name what a mechanism after the sampling has to satisfy",
        ),
    ),
    Lesson(
        6,
        "6_tradeoff.py",
        "Trade-off curves, delta, and what an adversary learns",
        10,
        (
            "read a trade-off curve and the region that a level allows",
            "say what delta is, and find the least one",
            "update the odds of an adversary",
        ),
    ),
    Lesson(
        7,
        "7_power.py",
        "The power of an adversary, and its exact limit",
        10,
        (
            "say what power is, and compare it with a blind guess",
            "find the largest power against any private mechanism",
            "tell a limit from an upper bound of it",
        ),
    ),
    Lesson(
        8,
        "8_false_line.py",
        "Find the false line",
        10,
        (
            "tell a false statement from a true one with a false proof",
            "find the first line of a proof that fails, and say why",
            "write a proof that is checked line by line",
        ),
    ),
    Lesson(
        9,
        "9_certify.py",
        "Certify your own mechanism",
        10,
        (
            "state your own mechanism and claim, and decide it",
            "read the proof or the counterexample",
            "save the result so that others can check it without trusting you",
        ),
    ),
    Lesson(
        10,
        "10_noise_programs.py",
        "Sparse vector, right and wrong",
        15,
        (
            "read a program that draws noise and compares as a tree, or as a machine for any number of "
            "queries",
            "follow a proof that shifts noises, and add up what it costs",
            "refute a broken variant with two inputs and outputs",
        ),
    ),
)


def lesson(number: int) -> Lesson:
    """The notebook with this number; BadInput if there is none."""
    for found in LESSONS:
        if found.number == number:
            return found
    raise BadInput("notebooks", f"there is no notebook {number}", f"choose 1 to {len(LESSONS)}")


def notebook_path(number: int) -> Path:
    """The file of the notebook: inside an installed package, or in the checkout."""
    wanted = lesson(number).file
    inside = Path(__file__).resolve().parent / "notebooks"  # put there when a wheel is built
    beside = Path(__file__).resolve().parents[2] / "notebooks"
    for folder in (inside, beside):
        if (folder / wanted).is_file():
            return folder / wanted
    raise BadInput("notebooks", f"{wanted} is not installed", "install the package again")


def heading(number: int) -> str:
    """The first lines of the notebook in Markdown: title, time, goals."""
    found = lesson(number)
    goals = "\n".join(f"* {goal}" for goal in found.goals)
    return (
        f"# {found.number}. {found.title}\n\n"
        f"*Notebook {found.number} of {len(LESSONS)}, about {found.minutes} minutes.* "
        f"At the end you can\n\n{goals}\n"
    )
