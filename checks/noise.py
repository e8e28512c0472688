"""Small records about noise programs: true ones, from which others are forged, and forged ones that
reach one check each.

    python checks/noise.py > OUT.jsonl

A true record is a program of a few steps, with an alignment or a counterexample made by hand.  A
forged one claims something false or meaningless, with evidence that would suffice otherwise.
"""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]


from noise_meaningless import meaningless
from noise_misaligned import misaligned
from noise_true import proofs, refutations
from noise_unlike import unlike


def main() -> None:
    for made in itertools.chain(proofs(), refutations(), meaningless(), misaligned(), unlike()):
        print(json.dumps(made, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    main()
