"""Optima in words: the mechanism or the test that attains the value, and why no other does
better.
"""

from __future__ import annotations

from ahdp_verify.display.input_text import guess_input_text
from ahdp_verify.explanation.numbered_lines import LineWriter
from ahdp_verify.kernel.evidence.certificate import BestTest, Optimum
from ahdp_verify.kernel.model.declarations import value_text
from ahdp_verify.kernel.rules.best_power import BestClaim
from ahdp_verify.kernel.rules.power import GuessClaim
from ahdp_verify.kernel.terms.expression import negative

SHOWN = 12  # most rows of a mechanism's table, and cells of a test, that are listed


def explain_optimum(claim: BestClaim, shown: Optimum, lines: LineWriter) -> None:
    """The lines of the proof of an optimum: primal, dual, conclusion."""
    rows = [dataset_as_counts(claim, row) for row in claim.rows]
    gain, shows = claim.sense == "gain", list[str]()
    covered = "gains of an answer are at most" if gain else "losses of an answer are at least"
    worst, at_least = ("least aim", "at least") if gain else ("greatest aim", "at most")
    if shown.kernel:
        lines.add(
            "the mechanism followed by its best test",
            "There is a private mechanism from datasets to answers:",
            head=True,
        )
        with lines.inside():
            for text, row in [
                *zip(rows[:SHOWN], shown.kernel, strict=False),
                *([("every other dataset of that size", shown.rest)] if shown.rest else []),
            ]:
                parts = [
                    piece
                    for u, i in zip(claim.columns, row, strict=True)
                    for piece in (f" {u} with probability ", shown.numbers[i], ",")
                ]
                lines.add("probabilities add up to 1", f"at {text}:", *parts[:-1])
            if len(rows) > SHOWN:
                lines.say(f"and {omission_text(len(rows) - SHOWN, 'dataset')}")
        shows.append(
            lines.add(
                "neighbouring rows were compared entry by entry, and every aim with the value",
                f"It is private, and its {worst} is {at_least} ",
                claim.value,
            )
        )
        if claim.everywhere:
            shows.append(explain_extension(claim, shows[-1], lines))
    if shown.prices:
        of_datasets = all(len({r for r, _, _ in aim}) == 1 for aim in claim.aims)
        first = lines.add(
            "one probability for each aim, adding up to 1",
            f"Let the {'true dataset' if of_datasets else 'aim'} be drawn from this prior:",
            head=True,
        )
        with lines.inside():
            for h, (aim, i) in enumerate(zip(claim.aims, shown.prior, strict=True), 1):
                if str(shown.numbers[i]) != "0":
                    lines.add(
                        "of the certificate",
                        f"{rows[aim[0][0]] if of_datasets else f'number {h}'} with probability ",
                        shown.numbers[i],
                    )
        second = lines.add(
            "one for each dataset; only those that are not 0 are listed",
            "Let these be prices:",
            head=True,
        )
        with lines.inside():
            for text, i in zip(rows, shown.prices, strict=True):
                if str(shown.numbers[i]) != "0":
                    lines.add(
                        "of the certificate",
                        f"{text} has the price ",
                        shown.numbers[i] if gain else negative(shown.numbers[i]),
                    )
        count = sum(map(len, shown.flows))
        third = lines.add(
            f"{count} privacy inequalit{'y' if count == 1 else 'ies'}, each times a number >= 0, "
            f"show{'s' * (count == 1)} it answer by answer",
            f"For any private mechanism, the prior-weighted {covered} the sum of price times its "
            f"probability.",
        )
        shows.append(
            lines.add(
                f"the sum of {third} over all answers, as probabilities add up to 1; prior from "
                f"{first}, prices from {second}",
                f"So no private mechanism has a {worst} {'above' if gain else 'below'} the sum of "
                f"the prices, which is ",
                claim.value,
            )
        )
    lines.add(f"from {', '.join(shows)}", f"{claim}")


def explain_extension(claim: BestClaim, private: str, lines: LineWriter) -> str:
    """The number of the line that the mechanism is private on all datasets."""
    if claim.relation == "swap":
        return lines.add(
            f"from {private}; the row of the other datasets was compared with all rows, as at one "
            f"swap",
            "So it is private on all datasets of that size",
        )
    return lines.add(
        f"from {private}; the datasets are all counts between their least and their greatest "
        f"ones, and moving each count there takes no two datasets farther apart",
        "With the row of the nearest of these datasets at every other one, it is private on all "
        "datasets",
    )


def omission_text(n: int, what: str) -> str:
    """How many are omitted, in words."""
    return f"{n} more {what}{'s' * (n > 1)}"


def explain_best_test(claim: GuessClaim, shown: BestTest, lines: LineWriter) -> None:
    """The lines of the proof of the power against one mechanism: test, prior, conclusion."""
    if shown.points:
        lines.add(
            "",
            f"The output is cut into {len(shown.test)} cells, atoms first, by the points ",
            *[piece for p in shown.points for piece in (p, ", ")][:-1],
        )
    answers = ", ".join(claim.answers)
    first = lines.add(
        "the laws were integrated over the cells, and add up to 1 for every input",
        f"A test answers with these probabilities of {answers}:",
        head=True,
    )
    with lines.inside():
        for i, row in enumerate(shown.test[:SHOWN]):
            lines.add(
                "of the certificate",
                f"cell {i + 1}: ",
                *[piece for j in row for piece in (shown.numbers[j], ", ")][:-1],
            )
        if len(shown.test) > SHOWN:
            lines.say(f"and {omission_text(len(shown.test) - SHOWN, 'cell')}")
    low = lines.add(
        f"probabilities of the cells times those of {first}, input by input",
        "It names every input with a probability of at least ",
        claim.low,
    )
    second = lines.add(
        "probabilities that add up to 1", "Let the true input be drawn from this prior:", head=True
    )
    with lines.inside():
        for side, j in zip(claim.inputs, shown.prior, strict=True):
            lines.add(
                "of the certificate",
                f"{guess_input_text(claim, side)} with probability ",
                shown.numbers[j],
            )
    open_cells = sum(w == -1 for w in shown.winners)
    reason = (
        f"in every cell one answer has the largest weighted "
        f"law{f', but for {open_cells} in which all answers were counted' if open_cells else ''}; "
        f"prior from {second}"
    )
    high = lines.add(
        reason,
        "The Bayes test, and so every test, succeeds with a probability of at most ",
        claim.high,
    )
    lines.add(f"from {low} and {high}", f"{claim}")


def dataset_as_counts(claim: BestClaim, row: tuple[int, ...]) -> str:
    """A dataset as the values of its records, with their counts."""
    held = [
        value_text(r.value) if n == 1 else f"{n} x {value_text(r.value)}"
        for r, n in zip(claim.domain.records, row, strict=True)
        if n
    ]
    return "{" + ", ".join(held) + "}"
