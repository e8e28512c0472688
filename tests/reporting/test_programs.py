"""Reports of claims about noise programs: pages are well formed, texts escaped, and the numbers are
those of the verdicts.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace

from ahdp_verify import Program, ProgramClaim, report, verify
from ahdp_verify.kernel.evidence.certificate import Declined
from ahdp_verify.kernel.model.answers import Answers
from ahdp_verify.kernel.model.program import Draw, Release, Stop
from ahdp_verify.kernel.terms.expression import label, number
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.reporting import Report
from ahdp_verify.reporting.sentences import protection
from ahdp_verify.search.wording import unknown_verdict
from tests.programs_by_hand import buggy_twin, claim, contest, most_popular, sparse_vector
from tests.reporting.pages import check_page, read_page

HOSTILE = '</pre><script>alert(1)</script> ``` "&amp;"'


def hostile() -> ProgramClaim:
    items = Release(label(HOSTILE), Release(parse("q[1] + nu"), Stop()))
    program = Program(HOSTILE, (), Answers(1), Draw("nu", "laplace", number(1), items))
    return ProgramClaim(program, "all", number(1))


@functools.cache
def whole() -> Report:
    twin = buggy_twin()
    return report(
        [
            verify(claim(sparse_vector("2/eps", "4/eps"), "all", "eps")),
            verify(claim(most_popular("2/eps"), "add-remove", "eps/2")),
            verify(claim(contest(False), "increasing", "eps/2")),
            verify(hostile()),
            twin,
            unknown_verdict(twin.claim, [Declined("alignment", "the change of nu#2 is not known")]),
        ]
    )


def test_the_page_of_programs_is_well_formed() -> None:
    reader = check_page(whole().html)
    assert str(whole()) == "6 claims: 1 refuted, 1 unknown, 4 proved"
    assert "script" not in {tag for tag, _ in reader.elements}
    assert len(reader.of("pre")) >= 6 + 3  # the programs, and the tables of the proofs


def test_the_page_tells_the_claim_the_program_and_the_counterexample() -> None:
    text = read_page(whole().html).text
    assert "Changing each of the query answers, however many there are, by at most 1" in text
    assert "Changing each of the 2 query answers by at most 1, up or down," in text
    assert '    if q + nu >= T + rho\n        output "yes"' in text
    assert (
        "all inputs, any number of queries, chosen adaptively, each answer moving by at most 1, 0 < eps"
        in text
    )
    assert 'The event is that exactly this is output: "no", "yes".' in text
    assert "the checker and the rule of exact probabilities of programs" in text
    assert "the change of nu of query 2 is not known" in text and "nu#2" not in text
    assert "r ~ laplace(2/eps)       r + 1              eps/2" in text


def test_markdown_keeps_programs_in_fences_that_nothing_closes() -> None:
    text = whole().markdown
    fences = re.findall(r"^ *(`{3,})(\w*)$", text, re.MULTILINE)
    assert fences and len(fences) % 2 == 0
    for (opened, kind), (closed, end) in zip(fences[::2], fences[1::2], strict=True):
        assert kind in ("text", "bash") and opened == closed and end == ""
    assert "````text" in text, "the label has three backticks"
    assert "<script" not in re.sub(r"(`{3,})\w*\n.*?\n *\1", "", text, flags=re.DOTALL)


def test_sentences_about_programs() -> None:
    def said(about: ProgramClaim) -> str:
        return "".join(map(str, protection(about)))

    one = claim(sparse_vector("2/eps", "4/eps"), "one", "eps")
    assert said(one) == (
        "Changing one of the query answers, however many there are, by at most 1, while the others "
        "stay, makes no set of outputs more than exp(eps) times as likely as before, whenever 0 < eps."
    )
    added = claim(replace(most_popular("2"), parameters=()), "ahdp", "3*eps")
    assert said(added).startswith("Adding one person's record (a value with a privacy demand)")
    assert "where eps is the privacy demand of this record" in said(added)
