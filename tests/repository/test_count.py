"""What `make count` measures: the core, which has at most 5,000 lines of code (DESIGN section
4).
"""

from __future__ import annotations

from bench.count import PACKAGE, loaded, plain_records, total

CORE = 5_000
BEYOND = ("composite", "joint_law", "best_power", "power", "hockey_stick", "counterexample")


def test_small_proofs_load_the_core_alone() -> None:
    """`make count` checks all plain proofs; the smallest of them load what every check needs."""
    smallest = sorted(plain_records(), key=lambda path: path.stat().st_size)[:12]
    assert len(smallest) == 12
    core = loaded(smallest, "claim")
    assert PACKAGE / "kernel" / "checker.py" in core
    assert total(core) <= CORE
    assert not {path.stem for path in core} & {*BEYOND}
