"""A search for forged records: each is stopped by the whole program and shows what one of its
checks does.

    python checks/find.py kernel|recheck --count N [--seed S] [--more FILE.jsonl ...]

Records are forged from true ones (the smaller stored records, and those of the files given with
`--more`) and from forged ones that reached a check first. For each check at which a forged record
stops, the program without that check is run on the record. The records that are needed for the
table are stored in `checks/forged/`: for each check one that it alone stops, or otherwise some that
it stops first.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import run
from forge import Record, broken, forged
from programs import NAMES, ROOT, Program, load

SMALL = 6000  # bytes of a true record from which others are forged
TRIES = 40  # forged records tried for one check, while none is accepted without it
REACHING = 2  # records kept for a check that never stops one alone


@dataclass(slots=True)
class Search:
    """What was found: for each check a record that it alone stops, and records that reach it."""

    program: Program
    alone: dict[str, Record] = field(default_factory=dict)
    reaching: dict[str, list[Record]] = field(default_factory=lambda: defaultdict(list))
    tries: Counter[str] = field(default_factory=Counter)
    accepted: list[Record] = field(default_factory=list)
    pool: list[Record] = field(default_factory=list)

    def put(self, record: Record) -> None:
        """Runs the program on the record, and again without each check at which it stops."""
        outcome = run.outcome(self.program, record)
        if outcome.refusal is None:
            self.accepted.append(record)
            return
        if outcome.refusal.startswith("a traceback"):
            print(f"{outcome.refusal}: {json.dumps(record)[:300]}", file=sys.stderr)
        checks = self.program.switches.checks
        for number in outcome.stopping:
            key = checks[number].key
            if not self.program.counts(checks[number]):
                continue
            self.reach(key, record)
            if key not in self.alone and self.tries[key] < TRIES:
                self.without(key, number, record)

    def reach(self, key: str, record: Record) -> None:
        kept = self.reaching[key]
        if len(kept) < REACHING and record not in kept:
            kept.append(record)
            self.pool.append(record)

    def without(self, key: str, number: int, record: Record) -> None:
        self.tries[key] += 1
        if run.without(self.program, self.program.switches.checks[number], record) is None:
            self.alone[key] = record


def given(name: str, files: Iterable[Path]) -> list[Record]:
    """The records of the files; expressions are used for the kernel only."""
    records = (json.loads(line) for file in files for line in file.read_text().splitlines())
    return [r for r in records if isinstance(r, dict) and (name == "kernel" or "text" not in r)]


def small() -> list[Record]:
    """The smaller stored records."""
    listed = (ROOT / "proofs").glob("*/certificates/*.json")
    texts = (path.read_text() for path in sorted(listed) if path.stat().st_size <= SMALL)
    return sorted((json.loads(text) for text in texts), key=lambda record: len(run.text(record)))


def few(records: list[Record]) -> list[Record]:
    """At most three records of each kind."""
    taken: Counter[str] = Counter()
    found = []
    for record in records:
        taken[kind(record)] += 1
        if taken[kind(record)] <= 3:
            found.append(record)
    return found


def kind(record: Record) -> str:
    """The words of the format that occur in a record."""
    words: set[str] = set()

    def walk(data: object) -> None:
        if isinstance(data, dict):
            words.update(
                f"{k} {data[k]}"
                for k in ("is", "rule", "relation", "form")
                if isinstance(data.get(k), str)
            )
            words.update(f"key {key}" for key in data)
            for value in data.values():
                walk(value)
        elif isinstance(data, list):
            for value in data:
                walk(value)

    walk(record)
    return " ".join(sorted(words))


def mutants(search: Search, true: list[Record], count: int, rng: random.Random) -> Iterator[Record]:
    whole, seen = [record for record in true if "claim" in record], set[str]()
    for _ in range(count):
        pool = search.pool if search.pool and rng.random() < 0.5 else whole
        parent = min(rng.choices(pool, k=2), key=lambda record: len(run.text(record)))
        if isinstance(parent.get("claim"), dict):
            yield forged(parent, whole, rng, seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", choices=NAMES)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument(
        "--seconds", type=float, default=600, help="limit in seconds of wall-clock time"
    )
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--more", type=Path, nargs="*", default=[])
    parser.add_argument(
        "--accepted", type=Path, help="write the changed records that are accepted here"
    )
    options = parser.parse_args()
    search = Search(load(options.program))
    end = time.monotonic() + options.seconds
    more, known = given(options.program, options.more), run.stored(options.program)
    true = few([*more, *small()])
    rng = random.Random(options.seed)
    proved, refuted = (
        next(r for r in true if r.get("verdict") == v) for v in ("proved", "refuted")
    )
    records = itertools.chain(known, more, broken(proved), broken(refuted))
    for number, record in enumerate(
        itertools.chain(records, mutants(search, true, options.count, rng))
    ):
        if time.monotonic() > end:
            break
        search.put(record)
        if number % 500 == 499 and number > len(known):
            print(
                f"{number}: {len(search.alone)} alone, {len(search.reaching)} reached",
                file=sys.stderr,
            )
            keep(options.program, search)
    keep(options.program, search)
    if options.accepted:
        options.accepted.write_text("".join(json.dumps(r) + "\n" for r in search.accepted))
    print(
        f"seed {options.seed}: {len(search.alone)} checks are the only one to stop a record, "
        f"{len(search.reaching)} are reached"
    )


def keep(name: str, search: Search) -> None:
    """The records that are needed, each once, in the order of their text."""
    needed = [search.alone[key] for key in search.alone]
    texts = {run.text(record) for record in needed}
    for key, records in search.reaching.items():
        if key not in search.alone:
            texts.update(run.text(record) for record in records)
    path = run.HERE / "forged" / f"{name}.jsonl"
    path.write_text("".join(f"{line}\n" for line in sorted(texts)))


if __name__ == "__main__":
    main()
