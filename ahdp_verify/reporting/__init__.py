"""`report`: claims and what was found of them, as a page that can be attached to a review.

The page says for each claim, in words, who is protected, what was found, and why that can be
believed; it has the formula of the mechanism, pictures, tables, the steps of the proof, and the
record itself.  Every verdict goes through the checker once more before it is reported.

>>> from ahdp_verify.kernel.model.domain import Domain
>>> from ahdp_verify.kernel.model.mechanism import Mechanism
>>> from ahdp_verify.kernel.model.outputs import real
>>> from ahdp_verify.kernel.model.privacy import dp
>>> from ahdp_verify.kernel.terms.expression import Abs, exp
>>> from ahdp_verify.search.verify import verify
>>> s, W = real("s"), Domain([(1, 1)])
>>> M = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="noisy size")
>>> print(report(verify(dp(M, 1))))
1 claim: 1 proved
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.analysis.arguments import Examination
from ahdp_verify.display.short_repr import short_repr
from ahdp_verify.files import records as storage
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.reporting.blocks import Document, Formula
from ahdp_verify.reporting.document import counted, document, versions
from ahdp_verify.reporting.html_page import html_page, labelled_svg, page_frame, piece_html
from ahdp_verify.reporting.markdown_text import markdown_text
from ahdp_verify.reporting.markup import Html, element, join
from ahdp_verify.reporting.style import OUTCOMES, sign
from ahdp_verify.reporting.subjects import NoVerdict, Origin, Subject
from ahdp_verify.reporting.writing import check_places, find_browser, write_pdf
from ahdp_verify.search.limits import Limits, enforce_limits
from ahdp_verify.verdicts import Verdict

__all__ = (
    "OUTCOMES",
    "Formula",
    "Html",
    "NoVerdict",
    "Origin",
    "Report",
    "Subject",
    "element",
    "join",
    "labelled_svg",
    "page_frame",
    "piece_html",
    "report",
    "report_on",
    "sign",
    "versions",
)


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """A report: `html` and `markdown` are its texts; printing gives how many claims it has."""

    subjects: tuple[Subject, ...]
    content: Document

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        return counted(self.subjects)

    @property
    def html(self) -> str:
        """The self-contained page."""
        return html_page(self.content)

    @property
    def markdown(self) -> str:
        """The same without pictures."""
        return markdown_text(self.content)

    def save(
        self,
        *,
        html: str | Path | None = None,
        markdown: str | Path | None = None,
        pdf: str | Path | None = None,
        browser: str = "",
        force: bool = False,
    ) -> None:
        """The report is in the named files.

        A file that exists is replaced if it is such a report, or with `force`.  A PDF is made by
        Chromium or Chrome, found on the path unless `browser` names it.  Raises BadInput where a
        file cannot be written, before any is.
        """
        check_places({"html": html, "markdown": markdown, "pdf": pdf}, force=force)
        program = find_browser(browser) if pdf is not None else ""
        if pdf is not None:
            write_pdf(html_page(self.content, opened=True), pdf, program)
        if html is not None:
            jsonfile.write_text(self.html, html)
        if markdown is not None:
            jsonfile.write_text(self.markdown, markdown)


def report(
    verdicts: Verdict | Examination | Iterable[Verdict | Examination],
    *,
    html: str | Path | None = None,
    markdown: str | Path | None = None,
    pdf: str | Path | None = None,
    force: bool = False,
    limits: Limits | None = None,
) -> Report:
    """A report about one verdict or several, written to the files that are named.

    Each verdict is reached anew by the checker, so that nothing else is reported.  `limits` are
    those of one claim.  Raises Rejected for a verdict that the checker does not accept, and
    BadInput where a file cannot be written or holds something else than a report.
    """
    check_places({"html": html, "markdown": markdown, "pdf": pdf}, force=force)
    alone = isinstance(verdicts, Verdict | Examination)
    listed: tuple[Verdict | Examination, ...] = (verdicts,) if alone else tuple(verdicts)  # type: ignore[assignment, arg-type]
    if not listed or not all(isinstance(v, Verdict | Examination) for v in listed):
        raise BadInput("report", "there is no verdict to report", "give what verify(...) returns")
    subjects = []
    for found in listed:
        with enforce_limits(limits, "checking it"):
            kept = found if isinstance(found, Examination) else storage.remake_verdict(found)
        subjects.append(Subject(kept))
    made = report_on(subjects, limits=limits)
    made.save(html=html, markdown=markdown, pdf=pdf, force=force)
    return made


def report_on(
    subjects: Iterable[Subject], *, limits: Limits | None = None, date: str = ""
) -> Report:
    """A report about claims whose verdicts the checker has just reached; `date` is today unless it
    is given.
    """
    listed = tuple(subjects)
    when = date or datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Report(listed, document(listed, when, limits or Limits()))
