"""Reasons in the words of the user."""

from __future__ import annotations

from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.search.wording import unknown_verdict, without_internal_names
from tests.programs_by_hand import claim, contest, sparse_vector


def test_reasons_about_programs_name_noises_by_their_query() -> None:
    about = claim(sparse_vector("2/eps", "4/eps"), "all", "eps", 2)
    reasons = [
        Declined("alignment", "a shift leaves the row nu#2 + q[2] - T >= 0"),
        Declined("alignment", "the change of nu#3 is not known"),
    ]
    assert [d.reason for d in unknown_verdict(about, reasons).reasons] == [
        "a shift leaves the row (nu of query 2) + q[2] - T >= 0",
        "the change of nu after the last query is not known",
    ]


def test_reasons_about_contests_name_the_other_query() -> None:
    said = without_internal_names(
        "a shift leaves the row q - #other >= 0", claim(contest(True), "all", "1")
    )
    assert said == "a shift leaves the row q - (the value of another query) >= 0"
