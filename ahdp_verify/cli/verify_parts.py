"""One enumeration of `ahdp-verify verify --size`, shared among processes of this machine or among
the workers of a Dask cluster.

What takes long is shown in parts of the rows (`kernel.exhaustive.sizes`). A process of this machine
runs the same trusted code as this one, so the verdict trusts nobody else. A part has no
certificate, so that what a cluster says of it is believed: the verdict names the cluster among what
it trusts, and with `--trust kernel` it is given no part. Two inputs at which a cluster says that
the claim fails refute it only if the checker finds so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from ahdp_verify.cli.several import report_failure
from ahdp_verify.kernel.errors import OutOfLimits, Rejected, Unsupported
from ahdp_verify.kernel.exhaustive.enumerate import EnumerationJob
from ahdp_verify.kernel.exhaustive.sizes import Parts, ShownPart, in_parts, part_of, shown_part
from ahdp_verify.kernel.exhaustive.violation import ClaimViolated
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.composite import claim_from_json
from ahdp_verify.kernel.terms.expression import from_json, to_json
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.resources import processor_time

DOING = "comparing, shared among processes"
# seconds of processor time before an enumeration is shared: as many as it takes to start processes,
# and enough for the small datasets at which most false claims fail
ALONE = 2.0
SHARES = 4  # parts for each thread of a cluster, so that a slow or a lost one costs little
Numbers = tuple[int, int, int, int, bool]  # part, parts, done, most, massive


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


def part_in_process(claim: str, numbers: Numbers, limits: Limits) -> ShownPart:
    """What one part of an enumeration of a claim, given as JSON, shows."""
    asked = claim_from_json(json.loads(claim))
    part, parts, done, most, massive = numbers
    if not isinstance(asked, Claim):
        raise Unsupported("only a claim about one mechanism is enumerated")
    clock = limits.clock()
    with clock.running():
        return shown_part(asked, EnumerationJob(most, massive, clock.check, done, part, parts))


# a cluster


@contextmanager
def parts_on_cluster(address: str, limits: Limits) -> Iterator[None]:
    """In the block, the parts of an enumeration are shown by the workers of the cluster whose
    scheduler is at this address; a part without an answer that can be read is shown here.
    """
    from ahdp_verify.workers import TaskRun, cluster

    start = processor_time()
    with cluster(address) as workers:

        def show(claim: Claim, job: EnumerationJob) -> tuple[ShownPart, ...]:
            number = SHARES * workers.threads
            jobs = [part_of(job, i, number) for i in range(number)]
            text = json.dumps(claim.to_json())
            tasks = ((own, (part_task(text, own, limits),)) for own in jobs)
            shown, failures = [], set[str]()
            for own, answer in TaskRun(workers, part_on_worker, tasks):
                job.tick(DOING)
                found = part_of_answer(claim, own, answer, failures)
                shown.append(found or shown_part(claim, own))
            return tuple(shown)

        said = f"the workers of the cluster at {one_line(address, 100)}"
        with in_parts(Parts(show, lambda: processor_time() - start > ALONE, said)):
            yield


def part_task(claim: str, job: EnumerationJob, limits: Limits) -> str:
    """A part of the enumeration of a claim, as JSON."""
    numbers = (job.part, job.parts, job.done, job.most, job.massive)
    return json.dumps({"claim": claim, "numbers": numbers, "limits": asdict(limits)})


def part_on_worker(text: str) -> str:
    """What a worker says of a part, as JSON: why it is not decided, "" if it is, and two inputs at
    which the claim fails, with their place among all such, if there are any.
    """
    from ahdp_verify.workers import ONE_TASK

    task = json.loads(text)
    with ONE_TASK:  # the threads of a worker share its processor time and its memory
        shown = part_in_process(task["claim"], task["numbers"], Limits(**task["limits"]))
    violated = shown.violated and [
        [to_json(e) for e in shown.violated.before],
        [to_json(e) for e in shown.violated.after],
        shown.violated.place,
    ]
    return json.dumps({"undecided": shown.undecided, "violated": violated})


def part_of_answer(
    claim: Claim, job: EnumerationJob, answer: Any, failures: set[str]
) -> ShownPart | None:
    """What a worker says that a part of a job shows; None for what is no answer, which is reported
    unless it is among the failures.
    """
    numbers = (job.part, job.parts, job.done, job.most, job.massive)
    try:
        if not isinstance(answer, str):
            raise answer if isinstance(answer, Exception) else Rejected("there is none")
        said = json.loads(answer)
        undecided, violated = str(said["undecided"]), None
        if said["violated"] is not None:
            before, after, (size, row, change) = said["violated"]
            sides = tuple(map(from_json, before)), tuple(map(from_json, after))
            violated = ClaimViolated(*sides, (int(size), int(row), int(change)))
    except OutOfLimits:
        raise
    except Exception as error:  # whatever a worker raised or wrote
        report_failure(error, "its part of the enumeration is shown", failures)
        return None
    return ShownPart(claim.fingerprint, numbers, violated, one_line(undecided, 2000))
