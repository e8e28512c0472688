"""Threat models: an adversary's knowledge of the dataset, as a list of hypotheses (paper, section
4).

A threat model states which datasets are possible and which of them the adversary need not
distinguish: it has to name the values of a dataset, not the demands (def:cap-ahdp), so datasets
with one projection share a label.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.terms.expression import log
>>> W = Domain([("a", log(2)), ("b", log(3))])
>>> model = extra_records(1)(W)
>>> [str(D) for D in model.datasets], model.labels
(['{}', '{("a", log(2))}', '{("b", log(3))}'], ('{}', '{"a"}', '{"b"}'))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ahdp_verify.datasets import Multiset
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut
from ahdp_verify.kernel.model.declarations import value_text
from ahdp_verify.kernel.model.domain import Domain, Record, as_record
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.numbers.normal_form import normal

# most hypotheses that are listed; with more, no linear programme here ends in useful time
MOST = 5000


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The datasets that are possible for the adversary, and what it has to name for each (its
    projection to values).
    """

    datasets: tuple[Multiset, ...]
    name: str

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if len(self.datasets) < 2:
            raise BadInput(
                "hypotheses",
                f"there {'is one' if self.datasets else 'is none'}",
                "give at least two datasets, or there is nothing to tell apart",
            )
        if len({D.counts for D in self.datasets}) < len(self.datasets):
            raise BadInput("hypotheses", "a dataset is listed twice", "list each dataset once")
        if len(set(self.labels)) == 1:
            raise BadInput(
                "hypotheses",
                f"all of them have the values {self.labels[0]}, so there is nothing to tell apart",
                "give datasets with different values",
            )

    @property
    def domain(self) -> Domain:
        """The domain that all datasets share."""
        return self.datasets[0].domain

    @property
    def labels(self) -> tuple[str, ...]:
        """The projection of each dataset, as a text: equal for datasets that differ in demands
        only.
        """
        return tuple(_dataset_label(D) for D in self.datasets)

    @property
    def names(self) -> tuple[str, ...]:
        """The different labels, in order of appearance: the possible answers of a test."""
        return tuple(dict.fromkeys(self.labels))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ThreatModel:
    """What an adversary knows, for any domain: `of(domain)` are the hypotheses. `all_records`: the
    model treats all records of the domain alike.
    """

    of: Callable[[Domain], Hypotheses]
    all_records: bool = False

    __repr__ = short_repr

    def __call__(self, domain: Domain) -> Hypotheses:
        if not isinstance(domain, Domain) or domain.is_universal:
            raise BadInput(
                "domain",
                "its records are not listed, so there would be infinitely many hypotheses",
                "use Domain([...])",
            )
        return self.of(domain)


def _dataset_label(D: Multiset) -> str:
    """The values of a dataset as a text, with multiplicities."""
    return (
        "{"
        + ", ".join(
            value_text(v) if c == 1 else f"{c} x {value_text(v)}" for v, c in D.project().items()
        )
        + "}"
    )


def _as_dataset(domain: Domain, given: Iterable[object]) -> Multiset:
    """The dataset itself, or that of counts, of a table record -> count or of records."""
    return given if isinstance(given, Multiset) else Multiset(domain, given)


def extra_records(t: int, given: Iterable[object] = ()) -> ThreatModel:
    """At most t records more than `given`, the part of the dataset that the adversary has seen
    (claim:2 and claim:3).
    """
    if not isinstance(t, int) or isinstance(t, bool) or t < 1:
        raise BadInput(
            "extra records",
            f"{t!r} leaves nothing for the adversary to find out",
            "give a whole number >= 1",
        )

    def model(domain: Domain) -> Hypotheses:
        base, width = _as_dataset(domain, given), len(domain.records)
        if t > MOST or width > MOST or (found := math.comb(t + width, width)) > MOST:
            count = "too many" if t > MOST or width > MOST else f"{found}"
            raise BadInput(
                "hypotheses",
                f"there are {count} of them",
                f"give fewer records or a smaller t (at most {MOST} hypotheses)",
            )
        more = (counts for size in range(t + 1) for counts in integer_compositions(size, width))
        datasets = tuple(base + Multiset(domain, counts) for counts in more)
        return Hypotheses(
            datasets,
            f"at most {t} extra record{'s' * (t > 1)}" + (f" beside {base}" if base.size else ""),
        )

    return ThreatModel(model, all_records=True)


def one_more_record(given: Iterable[object] = ()) -> ThreatModel:
    """Exactly one record more than `given`, the size being public (claim:1, rem:power)."""

    def model(domain: Domain) -> Hypotheses:
        base = _as_dataset(domain, given)
        return Hypotheses(
            tuple(base + Multiset(domain, [r]) for r in domain.records),
            "one unknown record" + (f" beside {base}" if base.size else ""),
        )

    return ThreatModel(model)


def known_record(item: object, given: Iterable[object] = ()) -> ThreatModel:
    """`given`, or `given` and one known record (claim:4)."""

    def model(domain: Domain) -> Hypotheses:
        base, r = _as_dataset(domain, given), as_record(item)
        return Hypotheses(
            (base, base + Multiset(domain, [r])),
            f"{r} or not" + (f", beside {base}" if base.size else ""),
        )

    return ThreatModel(model)


def these(datasets: Iterable[Iterable[object]]) -> ThreatModel:
    """The listed datasets: counts in the order of the domain, tables record -> count, or lists
    of records.
    """
    kept = tuple(datasets)

    def model(domain: Domain) -> Hypotheses:
        return Hypotheses(tuple(_as_dataset(domain, D) for D in kept), f"{len(kept)} datasets")

    return ThreatModel(model)


def integer_compositions(size: int, width: int) -> Iterable[tuple[int, ...]]:
    """All tuples of `width` whole numbers >= 0 with the sum `size`, those with large leading
    entries first.
    """
    if width == 1:
        yield (size,)
        return
    for first in range(size, -1, -1):
        for rest in integer_compositions(size - first, width - 1):
            yield (first, *rest)


def most_private_records(domain: Domain) -> tuple[Record, ...]:
    """W_o: for each value the first record with the least demand, in the order of the domain;
    demands are constants or oo.
    """
    best: dict[str, Record] = {}
    for r in domain.records:
        key = value_text(r.value)
        kept = best.get(key)
        if kept is None or (kept.demand.head == "oo" and r.demand.head != "oo"):
            best[key] = r
        elif r.demand.head != "oo":
            signs = Context.empty().ratio_signs(
                normal(r.demand, Context.empty()) - normal(kept.demand, Context.empty())
            )
            if len(signs) != 1:
                raise NotWorkedOut(
                    "demands",
                    f"it is not known which of {kept.demand} and {r.demand} is smaller",
                    "give one record for each value",
                )
            best[key] = r if signs == {-1} else kept
    return tuple(r for r in domain.records if best[value_text(r.value)] is r)


def counts_between(ends: Iterable[tuple[int, int]]) -> Iterable[tuple[int, ...]]:
    """All counts between these ends."""
    return itertools.product(*(range(low, high + 1) for low, high in ends))
