"""Claims about single mechanisms: `verify`, plain and on all datasets up to a size."""

from __future__ import annotations

from random import Random

from fuzz import ask
from fuzz.case import Outcome, document
from fuzz.generate import mechanisms


def verdict(rng: Random) -> Outcome:
    """One claim about a random mechanism."""
    m = mechanisms.made(rng)
    m.data["claim"] = [mechanisms.claimed(rng, m)]
    out = Outcome("verify", document(m.data))
    file = ask.timed(out, "read", lambda: ask.mechanism_of(m.data))
    if file is not None:
        ask.ask(out, file.claims[0], rng.randrange(10**9))
    return out


def enumerated(rng: Random) -> Outcome:
    """One claim on all datasets up to a size."""
    while True:
        m = mechanisms.made(rng)
        if "parameters" not in m.data and "records" in m.data["domain"]:
            break
    m.data["claim"] = [mechanisms.claimed(rng, m)]
    size = rng.choice((1, 2, 2, 3))
    out = Outcome("size", document(m.data) + f"# size {size}\n")
    file = ask.timed(out, "read", lambda: ask.mechanism_of(m.data))
    if file is not None:
        ask.ask(out, file.claims[0], rng.randrange(10**9), size=size)
    return out


KINDS = {"verify": (30, verdict), "size": (8, enumerated)}
