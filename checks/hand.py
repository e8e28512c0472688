"""Records made by hand: each claims something false or meaningless, with evidence that would
suffice otherwise.

    python checks/hand.py > OUT.jsonl

For example, an inequality states that an expression without a value equals itself, which needs no
proof; or datasets of at most two records are enumerated, which needs no evidence either, for
densities that do not define a distribution.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from hand_composites import composites, meaningless_parts, vacuous, words
from hand_enumerations import enumerations, meanings
from hand_evidence import exp_signs, interchanged, misplaced, open_levels
from hand_intervals import (
    gaussian_sums,
    levels_of_one_way,
    of_intervals,
    own_deltas,
    wrong_slants,
    wrong_slices,
)
from hand_parts import points
from hand_queries import queries
from hand_refutations import corners, images, of_instances, refutations
from hand_regions import (
    coupled_outputs,
    negative_factors,
    of_distances,
    of_no_length,
    of_strips,
    parabolas,
    poles,
    summed_over_records,
    without_value,
)
from hand_statements import statements


def main() -> None:
    kinds = (
        statements(),
        enumerations(),
        meanings(),
        meaningless_parts(),
        points(),
        composites(),
        vacuous(),
        words(),
        exp_signs(),
        misplaced(),
        interchanged(),
        open_levels(),
        refutations(),
        images(),
        corners(),
        of_instances(),
        of_intervals(),
        of_distances(),
        of_strips(),
        levels_of_one_way(),
        poles(),
        of_no_length(),
        without_value(),
        negative_factors(),
        coupled_outputs(),
        summed_over_records(),
        wrong_slices(),
        wrong_slants(),
        gaussian_sums(),
        own_deltas(),
        queries(),
        parabolas(),
    )
    for made in itertools.chain(*kinds):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
