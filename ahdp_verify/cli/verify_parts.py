"""One enumeration of `ahdp-verify verify --size`, shared among processes of this machine.

What takes long is shown in parts of the rows (`kernel.exhaustive.sizes`), one by each process, with
the same trusted code as one process alone, so the verdict trusts nobody else. A Dask cluster is
given no part: a part has no certificate, so its answer would have to be believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ahdp_verify.kernel.errors import Unsupported
from ahdp_verify.kernel.exhaustive.enumerate import EnumerationJob
from ahdp_verify.kernel.exhaustive.sizes import Parts, ShownPart, in_parts, part_of, shown_part
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import claim_from_json
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.resources import processor_time

DOING = "comparing, shared among processes"
# seconds of processor time before an enumeration is shared: as many as it takes to start processes,
# and enough for the small datasets at which most false claims fail
ALONE = 2.0


@contextmanager
def parts_among_processes(number: int, limits: Limits) -> Iterator[None]:
    """In the block, the parts of an enumeration are shown by so many processes, which share the
    limits of the claim.
    """
    from ahdp_verify.workers import LOST, TaskRun, local_processes

    start = processor_time()
    limits = replace(limits, seconds=limits.seconds / number)

    def show(claim: Claim, job: EnumerationJob) -> tuple[ShownPart, ...]:
        job.tick(DOING)
        text = json.dumps(claim.to_json())
        jobs = [part_of(job, i, number) for i in range(number)]
        tasks = (
            (own, (text, (own.part, own.parts, own.done, own.most, own.massive), limits))
            for own in jobs
        )
        shown: list[ShownPart] = []
        with local_processes(number) as processes:
            for own, found in TaskRun(processes, part_in_process, tasks):
                job.tick(DOING)
                if isinstance(found, Exception):
                    raise found
                shown.append(shown_part(claim, own) if found is LOST else found)
        return tuple(shown)

    with in_parts(Parts(show, lambda: processor_time() - start > ALONE)):
        yield


def part_in_process(
    claim: str, numbers: tuple[int, int, int, int, bool], limits: Limits
) -> ShownPart:
    """What one part of an enumeration of a claim, given as JSON, shows."""
    asked = claim_from_json(json.loads(claim))
    part, parts, done, most, massive = numbers
    if not isinstance(asked, Claim):
        raise Unsupported("only a claim about one mechanism is enumerated")
    clock = limits.clock()
    with clock.running():
        return shown_part(asked, EnumerationJob(most, massive, clock.check, done, part, parts))
