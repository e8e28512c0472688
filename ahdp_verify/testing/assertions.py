"""Test suites: `assert_proved` fails with the counterexample, and a pytest plugin runs the claims
of mechanism files as tests.

    from ahdp_verify.testing.assertions import assert_proved

    def test_the_count_keeps_its_level():
        assert_proved(ahdp(noisy_count(scale=1), lambda x, eps: 1))

The plugin is available once the package is installed, and does nothing until a project enables it
in its pytest settings:

    [tool.pytest.ini_options]
    ahdp_files = ["mechanisms/*.toml"]        # each claim with an expected verdict is a test,
                                              # regardless of `testpaths`
    ahdp_seconds = "60"                       # for one claim

Proofs are stored in pytest's cache.  For a claim that has not changed there is no new search: its
record is checked, which is faster and no less certain.

>>> from ahdp_verify.kernel.model.domain import Queries
>>> from ahdp_verify.kernel.terms.expression import Abs, exp, name
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> s = real("s")
>>> answer = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - name("q[1]"))) / 2, name="noisy answer")
>>> assert_proved(dp(answer, 1, "one")).scope.inputs
'query answers'
>>> assert_proved(dp(answer, "1/2", "one"))
Traceback (most recent call last):
ahdp_verify.testing.assertions.NotProved: noisy answer is DP for one moving answer at level 1/2
it was refuted: 0 against -1, event s >= 0: probability 1/2 against exp(-1)/2 = 0.18394, loss 1 > 1/2, delta 0.196735
>>> pinned = Mechanism(Queries(1), outputs=[s], density=exp(-Abs(s - 9*name("q[1]"))) / 2, defined="q[1] == 0", name="one answer")
>>> assert_proved(dp(pinned, 1, "one"))
Traceback (most recent call last):
ahdp_verify.testing.assertions.NotProved: one answer is DP for one moving answer at level 1
it was proved, but it says nothing: nothing is compared: no two neighbouring lists of answers satisfy q[1] == 0
"""

from __future__ import annotations

from typing import Any

from ahdp_verify.display.verdict_text import said_of_inputs
from ahdp_verify.kernel.checker import check
from ahdp_verify.kernel.errors import BadInput, NotWorkedOut, Rejected
from ahdp_verify.kernel.model.applied import AppliedClaim
from ahdp_verify.kernel.model.composite import AnyClaim
from ahdp_verify.kernel.model.program_claim import ProgramClaim
from ahdp_verify.kernel.model.sensitivity import Statement
from ahdp_verify.kernel.record import read_record
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.search.verify import verify
from ahdp_verify.verdicts import AnyRefuted, Unknown, Verdict


class NotProved(AssertionError):
    """A claim that a test requires to be proved was refuted, or is open; the text states why, with
    the whole counterexample.
    """


def assert_proved(
    claim: AnyClaim | Statement | ProgramClaim | AppliedClaim,
    *,
    limits: Limits | None = None,
    size: int | None = None,
    cache: Any = None,
    vacuous: bool = False,
) -> Proved:
    """The proof of the claim; raises NotProved, an AssertionError, with the counterexample or with
    the reasons why nothing was decided.

    A proof that compares no two inputs says nothing about the mechanism: it raises NotProved too,
    unless `vacuous` is true. `size` asks about datasets of at most so many records.  `cache`, such
    as pytest's own, keeps records between runs.
    """
    __tracebackhide__ = True  # what fails is the line of the test
    kept = None if size is not None else cached_proof(claim, cache)
    verdict = verify(claim, limits, size=size) if kept is None else kept
    if isinstance(verdict, Proved):
        if cache is not None and kept is None and size is None:
            cache.set(cache_key(claim), verdict.to_json())
        if verdict.vacuous and not vacuous:
            raise NotProved(failure_report(verdict))
        return verdict
    raise NotProved(failure_report(verdict))


def cache_key(claim: AnyClaim | Statement | ProgramClaim | AppliedClaim) -> str:
    """The name under which a record is cached."""
    return f"ahdp/{claim.fingerprint}"


def cached_proof(
    claim: AnyClaim | Statement | ProgramClaim | AppliedClaim, cache: Any
) -> Proved | None:
    """A cached proof of exactly this claim, checked again; None if there is none that the checker
    accepts, or only one for small datasets.
    """
    record = cache.get(cache_key(claim), None) if cache is not None else None
    if record is None:
        return None
    try:
        kept = read_record(record)
        if kept.claim.fingerprint != claim.fingerprint or record["verdict"] != "proved":
            return None
        found = check(claim, kept.evidence, None, kept.compared)  # type: ignore[arg-type]
    except (BadInput, NotWorkedOut, Rejected):
        return None
    return found if found.scope.size is None else None


def failure_report(verdict: Verdict) -> str:
    """What a failing test says: the claim, and the counterexample in full or the reasons why
    nothing was decided.
    """
    if isinstance(verdict, AnyRefuted):
        return f"{verdict.claim}\nit was refuted: {verdict.text}"
    if isinstance(verdict, Unknown):
        return f"{verdict.claim}\nnothing was decided: " + "\n".join(
            f"{d.procedure}: {d.reason}" for d in verdict.reasons
        )
    if verdict.vacuous:
        return (
            f"{verdict.claim}\nit was proved, but it says nothing: "
            f"{'; '.join(said_of_inputs(verdict))}"
        )
    return f"{verdict.claim}\nit was proved"
