"""Datasets: finite multisets of records of a listed domain, and the distance between two.

For datasets D, D' and a level alpha the weighted add-remove distance is d(D, D') = sum over records
w of alpha(w) |h(w) - h'(w)|, with 0 * oo = 0 here and only here (paper, def:newDP and A:multisets).

>>> W = Domain([(0, 0), (1, 1), ("none", oo)])
>>> D, E = Multiset(W, [2, 1, 0]), Multiset(W, [0, 3, 0])
>>> (D + E).counts, (D - E).counts, D.size
((2, 4, 0), (2, 0, 0), 3)
>>> str(distance(D, E, lambda x, eps: eps))
'2'
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ahdp_verify.kernel.errors import BadInput, Undecided, Unsupported
from ahdp_verify.kernel.model import declarations as reading
from ahdp_verify.kernel.model.comparisons import check_comparisons
from ahdp_verify.kernel.model.declarations import (
    Value,
    from_canonical,
    set_fields,
    value_from_json,
    value_to_json,
)
from ahdp_verify.kernel.model.domain import Domain, Record, as_record, value_at_record
from ahdp_verify.kernel.model.record_expression import Body, record_expression
from ahdp_verify.kernel.numbers.hypotheses import Context
from ahdp_verify.kernel.terms import expression as ex
from ahdp_verify.kernel.terms.expression import Expression, add, number, oo
from ahdp_verify.kernel.terms.grammar import parse


@dataclass(frozen=True, slots=True, init=False)
class Multiset:
    """A dataset: `counts` says how often it holds each record of a listed `domain`, in the domain's
    order (paper, A:multisets).

    Built from all counts, from a table record -> count, or from the records themselves; nothing is
    the empty dataset.
    """

    counts: tuple[int, ...]
    domain: Domain

    def __init__(self, domain: Domain, contents: Iterable[object] = ()) -> None:
        if domain.is_universal:
            raise BadInput(
                "dataset", "the records of a universal domain are not listed", "use Domain([...])"
            )
        set_fields(self, counts=_counts(domain, contents), domain=domain)

    def __hash__(self) -> int:
        return hash(self.counts)

    def __str__(self) -> str:
        return "{" + ", ".join(f"{r}" if c == 1 else f"{c} x {r}" for r, c in self.held) + "}"

    def __add__(self, other: Multiset) -> Multiset:
        return self._merge(other, lambda a, b: a + b)

    def __sub__(self, other: Multiset) -> Multiset:
        return self._merge(other, lambda a, b: max(0, a - b))

    def _merge(self, other: Multiset, f: Callable[[int, int], int]) -> Multiset:
        _check_same_domain(self, other)
        return Multiset(
            self.domain, [f(a, b) for a, b in zip(self.counts, other.counts, strict=True)]
        )

    @property
    def held(self) -> tuple[tuple[Record, int], ...]:
        """The records that occur, with their counts, in the domain's order."""
        return tuple((r, c) for r, c in zip(self.domain.records, self.counts, strict=True) if c)

    @property
    def size(self) -> int:
        """|D|, the number of records with their multiplicities."""
        return sum(self.counts)

    def project(self) -> dict[Value, int]:
        """How often each value occurs, whatever the demands; values that do not occur are left
        out.
        """
        table: dict[Value, int] = {}
        for r, c in self.held:
            table[r.value] = table.get(r.value, 0) + c
        return table

    def to_json(self) -> Any:
        """The canonical JSON: [[value, demand, count], ...] for the records that occur, in the
        domain's order.
        """
        return [[value_to_json(r.value), ex.to_json(r.demand), c] for r, c in self.held]

    @classmethod
    def from_json(cls, data: Any, domain: Domain) -> Multiset:
        """The dataset over `domain` of its canonical JSON; BadInput for anything else."""
        return from_canonical(
            lambda data: cls(
                domain,
                {
                    Record(value_from_json(value), ex.from_json(demand)): count
                    for value, demand, count in data
                },
            ),
            cls.to_json,
            data,
            "dataset",
        )


def _check_same_domain(D: Multiset, E: Multiset) -> None:
    if D.domain != E.domain:
        raise BadInput("dataset", "the datasets belong to different domains", "use one domain")


def _counts(domain: Domain, contents: Iterable[object]) -> tuple[int, ...]:
    if isinstance(contents, Mapping):
        return _tally(domain, contents.items())
    listed = list(contents)
    if not listed or not all(isinstance(c, int) for c in listed):
        return _tally(domain, ((item, 1) for item in listed))
    if len(listed) != len(domain.records):
        raise BadInput(
            "dataset",
            f"{len(listed)} counts are given for {len(domain.records)} records",
            "give one count per record",
        )
    return tuple(_count(c) for c in listed)


def _tally(domain: Domain, pairs: Iterable[tuple[object, object]]) -> tuple[int, ...]:
    counts = dict.fromkeys(domain.records, 0)
    for item, count in pairs:
        counts[_listed(domain, counts, as_record(item))] += _count(count)
    return tuple(counts.values())


def _listed(domain: Domain, records: Container[Record], r: Record) -> Record:
    """The record of the domain that equals r, however its constants are written: 2*log(2) is
    log(4).
    """
    if r in records:
        return r
    key = _key(r)
    found = next((other for other in domain.records if _key(other) == key), None)
    if found is None:
        raise BadInput("dataset", f"{r} is not a record of the domain", "use listed records only")
    return found


def _key(r: Record) -> tuple[object, object]:
    """A key that is equal for equal records."""
    return reading.value_key(r.value), reading.value_key(r.demand)


def _count(count: object) -> int:
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise BadInput("dataset", f"{str(count)[:60]} is not a count", "counts are 0, 1, 2, ...")
    return count


def distance(D: Multiset, E: Multiset, level: Body | str) -> Expression:
    """d(D, E), the sum of level(x, eps) |h(x, eps) - h'(x, eps)|; oo as soon as two counts differ
    where the level is oo.

    Records of equal counts add 0, whatever their level.  Raises BadInput for different domains and
    a level without a value, NotWorkedOut for one whose value was not found.
    """
    _check_same_domain(D, E)
    f = record_expression(parse(level, "level") if isinstance(level, str) else level)
    terms = []
    check_comparisons(f, D.domain.choices, "level")
    for r, a, b in zip(D.domain.records, D.counts, E.counts, strict=True):
        try:
            terms += [(abs(a - b), value_at_record(f, r, Context.empty()))] if a != b else []
        except (Undecided, Unsupported, ZeroDivisionError) as error:
            raise reading.no_value_error(
                error,
                "level",
                f"at the record {r} {f}",
                "use a level with a limit in [0, oo] at demand oo",
            ) from error
    return (
        oo
        if any(at == oo for _, at in terms)
        else add(*(ex.multiply(number(c), at) for c, at in terms))
    )
