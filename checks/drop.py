"""Forged proofs from disabled checks: the search proves or refutes false claims while a check of
the kernel is disabled.

    python checks/drop.py [--seconds S] OUT.jsonl

A record that the weakened kernel accepts and the full one refuses is forged. `checks/find.py
kernel --more OUT.jsonl` then keeps the records that are needed. The claims are those of
`checks/claims.py`.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import run
from claims import claims
from programs import Program, load

PATIENCE = 15  # seconds for one claim
SEARCH = 2  # seconds of processor time
EACH = 3  # false claims tried for one check


class TooLong(BaseException):
    """A search without a check did not terminate in time."""


def _stop(signum: int, frame: Any) -> None:
    raise TooLong


def tried(program: Program, make: Callable[[], Any]) -> Any:
    """The record of the verdict about a claim, None if there is none."""
    from ahdp_verify.search.limits import Limits
    from ahdp_verify.search.verify import verify

    program.switches.forget()
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(PATIENCE)
    try:
        return verify(make(), Limits(seconds=SEARCH)).to_json()
    except TooLong:
        return None
    except Exception:
        return None
    finally:
        signal.alarm(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    program, end = load("kernel"), time.monotonic() + options.seconds
    asking: dict[int, list[Callable[[], Any]]] = defaultdict(list)
    for make in claims(true=False):
        tried(program, make)
        for number in program.switches.stopping:
            asking[number].append(make)
    done = run.removed(program, run.stored("kernel")).alone
    print(f"{len(asking)} checks to do, {len(done)} are shown already", file=sys.stderr)
    with options.out.open("a") as out:
        for number, makes in sorted(asking.items(), key=lambda item: len(item[1])):
            check = program.switches.checks[number]
            if check.key in done or not program.counts(check) or time.monotonic() > end:
                continue
            for make in makes[:EACH]:
                with program.switches.off(check):
                    record = tried(program, make)
                program.forget()
                if (
                    record is not None
                    and record.get("verdict") != "unknown"
                    and program.refusal(record) is not None
                ):
                    print(f"{check.name}", file=sys.stderr)
                    out.write(json.dumps(record) + "\n")
                    out.flush()
                    break


if __name__ == "__main__":
    main()
