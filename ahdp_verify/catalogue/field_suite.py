"""The noise programs on which the tools of the field are measured, as one suite.

A row is a program of the catalogue with a relation, a number of queries (None: any number, chosen
adaptively), the level that its authors or its users claim, and what is known of it: the verdict and
the least level.  Ids are those of the benchmarks of the field (M1 to M29); G stands for
whole-number noise, L for a loop, Gap and Top2 for noisy max with gap and for the two greatest.

Times of others are the published ones unless the table says otherwise: StatDP (Ding, Wang, Wang,
Zhang, Kifer 2018), DP-Sniper (Bichsel, Steffen, Bogunovic, Vechev 2021), ShadowDP, with annotations
(Wang, Ding, Wang, Kifer, Zhang 2019), CheckDP (Wang, Ding, Kifer, Zhang 2020), the synthesis of
coupling proofs (Albarghouthi, Hsu 2018), dpest.

>>> row = next(row for row in FIELD if row.id == "M20" and row.queries == 2)
>>> answer = row.decided()
>>> print(answer.outcome, answer.level, answer.shown)
refuted 3*eps/2 limit
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ahdp_verify.analysis.levels.programs import least_levels
from ahdp_verify.catalogue.entry import EPS, VerdictWord, times_eps
from ahdp_verify.catalogue.noisy_max import (
    noisy_max,
    noisy_max_in_a_loop,
    noisy_max_with_gap,
    noisy_maximum,
    two_largest,
    whole_noisy_max,
)
from ahdp_verify.catalogue.running_sums import (
    noisy_histogram,
    noisy_histogram_upside_down,
    noisy_sum,
    noisy_sum_with_half_the_noise,
    running_sums,
    smart_sum,
    smart_sum_with_plain_blocks,
    whole_running_sums,
)
from ahdp_verify.catalogue.sparse_vector import (
    adaptive_sparse_vector,
    adaptive_sparse_vector_with_answers,
    gap_sparse_vector,
    monotone_sparse_vector,
    numeric_sparse_vector,
    sparse_vector,
    sparse_vector_with_answers,
    sparse_vector_with_little_noise,
    sparse_vector_with_plain_answers,
    sparse_vector_without_end,
    whole_sparse_vector,
)
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.terms.expression import Expression, oo
from ahdp_verify.programs import NoiseProgram
from ahdp_verify.search import resources
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.programs.decide import verify_program

ONE, ALL, UP, DOWN = "one", "all", "increasing", "decreasing"
HEAD = (
    "id",
    "neighbours",
    "queries",
    "claim",
    "verdict",
    "least level",
    "shown",
    "seconds",
    "bytes",
    "others",
)


@dataclass(frozen=True, slots=True)
class Answered:
    """What was found about a row.

    outcome  of the claim: proved, refuted or unknown
    level    the least level; None if none was found
    shown    how the least level is known (`ProgramLevel`)
    seconds  processor time for the program, the verdict and the least level
    size     bytes of the record of the verdict
    """

    outcome: str
    level: Expression | None
    shown: str
    seconds: float
    size: int


@dataclass(frozen=True, slots=True)
class SuiteRow:
    """One row; see the module.  `least` is None where there is none for every number of queries."""

    id: str
    subject: NoiseProgram | Program
    relation: str
    queries: int | None
    claim: Expression
    verdict: VerdictWord
    least: Expression | None

    @property
    def name(self) -> str:
        """The name of the program."""
        return self.subject.name

    @property
    def others(self) -> str:
        """The times of other tools."""
        return OTHERS.get(self.id, "")

    def stated(self) -> ProgramClaim:
        """The claim."""
        program, queries = self._program()
        return ProgramClaim(program, self.relation, self.claim, queries=queries)

    def decided(self, limits: Limits | None = None) -> Answered:
        """The verdict on the claim, and the least level."""
        start = resources.processor_time()
        claim = self.stated()
        verdict = verify_program(claim, limits)
        least = least_levels(claim.program, self.relation, claim.queries, limits).rows[0]
        seconds = resources.processor_time() - start
        record = b"" if verdict.outcome == "unknown" else compact(verdict.to_json())
        return Answered(verdict.outcome, least.level, least.shown, seconds, len(record))

    def is_as_known(self, found: Answered) -> bool:
        """Whether the verdict and the least level are the known ones."""
        return (found.outcome, found.level) == (self.verdict, self.least)

    def cells(self, found: Answered) -> tuple[str, ...]:
        """The row as texts, one for each of `HEAD`."""
        return (
            self.id,
            self.relation,
            "any" if self.queries is None else str(self.queries),
            f"{self.name}: {self.claim}",
            found.outcome + ("" if found.outcome == self.verdict else f", NOT {self.verdict}"),
            ("" if found.level is None else str(found.level))
            + ("" if found.level == self.least else f", NOT {self.least}"),
            found.shown,
            f"{found.seconds:.3f}",
            str(found.size),
            self.others,
        )

    def _program(self) -> tuple[Program, int | None]:
        if isinstance(self.subject, NoiseProgram):
            return self.subject.answering(self.queries)
        return self.subject, self.queries


def compact(data: Any) -> bytes:
    """JSON without spaces."""
    return json.dumps(data, separators=(",", ":")).encode()


SHADOWDP, CHECKDP = "ShadowDP up to 3 s", "CheckDP up to 70 s"
BOTH = f"{SHADOWDP}, {CHECKDP}"
OTHERS = {
    "M4": BOTH,
    "M5": CHECKDP,
    "M6": SHADOWDP,
    "M7": BOTH,
    "M8": CHECKDP,
    "M11": f"{BOTH}, coupling 22 s (from memory), DP-Sniper 58-63 s, StatDP 3-10 s (measured)",
    "M12": "DP-Sniper 58-63 s, StatDP 3-10 s (measured), dpest 2.7 s",
    "M13": f"{CHECKDP}, StatDP 3-10 s (measured)",
    "M14": "StatDP 3-10 s (measured)",
    "M17": f"{BOTH}, DP-Sniper 126 s, StatDP 344 s, dpest 276 s",
    "M19": "DP-Sniper 160 s, StatDP 5821 s",
    "M20": CHECKDP,
    "M21": f"{CHECKDP}, StatDP 8.1 s (measured)",
    "M22": f"{CHECKDP}, StatDP 20.7 s (measured)",
    "M24": BOTH,
    "M25": BOTH,
    "M27": CHECKDP,
    "M28": CHECKDP,
    "M29": CHECKDP,
}


Known = tuple[str, int | None, str]  # relation, queries, least level in eps ("oo"; "" for none)


def rows_of(
    key: str, subject: NoiseProgram | Program, claim: str, *known: Known
) -> tuple[SuiteRow, ...]:
    """The rows of one program; the claim, in eps, is refuted where the least level is larger."""
    return tuple(
        SuiteRow(
            key,
            subject,
            relation,
            n,
            times_eps(claim),
            "proved"
            if least not in ("", "oo") and Fraction(least) <= Fraction(claim)
            else "refuted",
            oo if least == "oo" else times_eps(least) if least else None,
        )
        for relation, n, least in known
    )


FIELD: tuple[SuiteRow, ...] = (
    *rows_of("M1", noisy_sum, "1", (ONE, 1, "1")),
    *rows_of("M3", noisy_sum, "1", (ONE, 5, "1"), (ALL, 5, "5")),
    *rows_of("M4", noisy_sum, "1", (ONE, 5, "1"), (ONE, None, "1")),
    *rows_of("M5", noisy_sum_with_half_the_noise, "1", (ONE, 5, "2"), (ONE, None, "2")),
    *rows_of("M6", running_sums, "1", (ONE, 10, "1"), (ALL, 10, "10"), (ONE, None, "1")),
    *rows_of("G6", whole_running_sums, "1", (ONE, 10, "1"), (ONE, None, "1")),
    *rows_of("M7", smart_sum, "2", (ONE, 10, "2"), (ONE, None, "2")),
    *rows_of("M7", smart_sum(block=3), "2", (ONE, None, "2")),
    *rows_of("M7", smart_sum(block=4), "2", (ONE, None, "2")),
    *rows_of("M8", smart_sum_with_plain_blocks, "2", (ONE, 2, "oo"), (ONE, None, "oo")),
    *rows_of("M9", noisy_histogram, "1", (ONE, 10, "1"), (ALL, 10, "10"), (ONE, None, "1")),
    SuiteRow("M10", noisy_histogram_upside_down, ONE, 5, EPS, "refuted", 1 / EPS),
    *rows_of("M11", noisy_max, "1", (ALL, 5, "1"), (UP, 5, "1/2"), (DOWN, 5, "1/2")),
    *rows_of("M11", noisy_max, "1", (ALL, None, "1"), (UP, None, "1/2")),
    *rows_of("L11", noisy_max_in_a_loop, "1", (ALL, 5, "1"), (UP, 5, "1/2")),
    *rows_of("M12", noisy_max(law="exponential"), "1", (ALL, 5, "1"), (UP, 5, "1/2")),
    *rows_of("M12", noisy_max(law="exponential"), "1", (ALL, None, "1")),
    *rows_of("M13", noisy_maximum, "1", (ALL, 2, "1"), (ALL, 3, "3/2"), (ALL, 5, "5/2")),
    *rows_of("M13", noisy_maximum, "1", (UP, 5, "5/2")),
    *rows_of("M14", noisy_maximum(law="exponential"), "1", (ALL, 3, "oo"), (UP, 3, "oo")),
    *rows_of("M15", noisy_max(law="gumbel"), "1", (ALL, 5, "1")),
    *rows_of("M15", noisy_max(law="gumbel"), "1", (ALL, None, "1")),
    *rows_of("Gap", noisy_max_with_gap, "1", (ALL, None, "1")),
    *rows_of("Gap", noisy_max_with_gap, "1", (UP, None, "1/2")),
    *rows_of("Top2", two_largest, "1", (ALL, 4, "1"), (UP, 4, "1/2")),
    *rows_of("G11", whole_noisy_max, "1", (ALL, 5, "1")),
    *rows_of("G11", whole_noisy_max, "1", (ALL, None, "1")),
    *rows_of("M17", sparse_vector, "1", (ALL, 3, "3/4"), (ALL, 4, "1"), (ALL, 10, "1")),
    *rows_of("M17", sparse_vector, "1", (UP, 10, "3/4"), (ALL, None, "1"), (UP, None, "3/4")),
    *rows_of("M17", sparse_vector(count=2), "1", (ALL, 10, "1"), (ALL, None, "1")),
    *rows_of("M18", sparse_vector(count=2, redrawn=True), "1", (ALL, 10, "1"), (ALL, None, "1")),
    *rows_of("M19", sparse_vector_with_answers, "1", (ALL, 3, "3/2"), (ALL, 10, "5")),
    *rows_of("M19", sparse_vector_with_answers, "1", (UP, 10, "5"), (ALL, None, "")),
    *rows_of("M20", sparse_vector_with_little_noise, "1", (ALL, 1, "1/4"), (ALL, 2, "3/2")),
    *rows_of("M20", sparse_vector_with_little_noise, "1", (ALL, 3, "7/4"), (ALL, None, "7/4")),
    *rows_of("M20", sparse_vector_with_little_noise, "1", (UP, 10, "1"), (UP, None, "1")),
    *rows_of("M20", sparse_vector_with_little_noise(count=2), "1", (ALL, 5, "13/4")),
    *rows_of("M20", sparse_vector_with_little_noise(count=2), "1", (UP, 3, "1"), (UP, 4, "3/2")),
    *rows_of("M21", sparse_vector_with_plain_answers, "1", (ALL, 2, "oo"), (UP, 2, "oo")),
    *rows_of("M22", sparse_vector_without_end, "1", (ALL, 2, "1"), (ALL, 3, "3/2")),
    *rows_of("M22", sparse_vector_without_end, "1", (ALL, 8, "4"), (UP, 4, "1"), (UP, 5, "3/2")),
    *rows_of("M24", numeric_sparse_vector, "1", (ALL, 10, "1"), (ALL, None, "1")),
    *rows_of("M24", numeric_sparse_vector(count=2), "1", (ALL, 8, "1"), (ALL, None, "1")),
    *rows_of("M25", gap_sparse_vector, "1", (ALL, 10, "1"), (ALL, None, "1")),
    *rows_of("M25", gap_sparse_vector(count=2), "1", (ALL, 8, "1"), (ALL, None, "1")),
    *rows_of("M27", adaptive_sparse_vector, "1", (ALL, 6, "1"), (ALL, None, "1")),
    *rows_of("M27", adaptive_sparse_vector(count=2), "1", (ALL, 6, "1"), (ALL, None, "1")),
    *rows_of("M28", adaptive_sparse_vector_with_answers, "1", (ALL, 3, "1"), (ALL, 5, "13/8")),
    *rows_of("M29", monotone_sparse_vector, "1", (UP, 10, "1"), (UP, None, "1"), (DOWN, None, "1")),
    *rows_of("M29", monotone_sparse_vector(count=2), "1", (UP, 8, "1")),
    *rows_of(
        "M29", monotone_sparse_vector, "1", (ALL, 2, "1"), (ALL, 3, "3/2"), (ALL, None, "3/2")
    ),
    *rows_of("G17", whole_sparse_vector, "1", (ALL, 10, "1"), (ALL, None, "1")),
)
