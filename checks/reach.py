"""Records that are built to reach one check each: they pass everything before it in the checker.

    python checks/reach.py > OUT.jsonl

Each claims something false or meaningless, or has evidence that does not belong there. What the
checker tests before is taken from its code: the total mass, the shape of the fields, the premises.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from reach_alone import alone
from reach_claims import compared, guesses, kinds, meanings, rules, written_out
from reach_events import events
from reach_facts import dependent_totals, facts, regions, signs, unlike_exponentials
from reach_parts import evidence
from reach_undecided import (
    along_a_formula,
    negative_deltas,
    negative_laws,
    oddities,
    pulled_back,
    totals,
    twice_a_label,
    undecided,
    unknown_values,
    valueless,
)

GRAMMAR = (
    "piecewise((1 < 2, x == 1), (0, true))",
    "piecewise((1 == 1, true))",
    "piecewise((1), (0, true))",
    "piecewise((1 x == 1))",
    "piecewise((1; true))",
    "total(k 2, k, 1, 2)",
    "total(k, k k, 1, 2)",
    "total(k, k, 1 1, 2)",
    "total(k, k, 1, 2 2)",
    "total(k, k, 1, (2",
    "total(k, k, 1, 2",
    "product((k, k, 1, 2",
    "total(k) 3",
    " + ".join(["10^1000"] * 3) + " + 10^1233 * 10^1200",
    "*".join(["99999999999999999999"] * 100),
    "product(10^100, k, 1, 50)",
    "1/3 + " + " + ".join(f"1/{10**300 + 2 * i + 1}" for i in range(8)),
    "-" * 150 + "1",
    "exp(" * 90 + "1" + ")" * 90,
    "ordered(x 2)",
    "ordered(x)",
    "^".join(["x"] * 300),
)


def main() -> None:
    kinds_ = (
        evidence(),
        facts(),
        signs(),
        regions(),
        dependent_totals(),
        unlike_exponentials(),
        compared(),
        guesses(),
        meanings(),
        kinds(),
        written_out(),
        rules(),
        events(),
        totals(),
        undecided(),
        oddities(),
        negative_laws(),
        negative_deltas(),
        twice_a_label(),
        pulled_back(),
        valueless(),
        along_a_formula(),
        unknown_values(),
        alone(),
        ({"text": text} for text in GRAMMAR),
    )
    for made in itertools.chain(*kinds_):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
