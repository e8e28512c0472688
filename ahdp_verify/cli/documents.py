"""What the commands print on stdout: lines for people, or with --json a document for each answer.

A document is one line of JSON, in ASCII, with the same keys in the same order for every command;
docs/command-line.md, section "JSON", describes it.

>>> printer = Printer(True, "sum.toml")
>>> printer.start = 0.0  # as if all processor time of this process had gone into the answer
>>> printer.show("exact", ("least level: 1",), lambda: {"level": "1"}, claim="tight")  # doctest: +ELLIPSIS
{"file": "sum.toml", "claim": "tight", "verdict": "exact", "text": "least level: 1", "seconds": ..., "reason": "", "answer": {"level": "1"}, "record": null}
>>> Printer(False).show("exact", ("least level: 1",), lambda: {"level": "1"})
least level: 1
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ahdp_verify.cli.console import WIDEST, print_line, print_text
from ahdp_verify.cli.exit_codes import BAD
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.search.resources import processor_time

Data = dict[str, Any]
NO_DATA: Data = {}


@dataclass(slots=True)
class Printer:
    """Prints the answers about one file, as lines or as documents.

    as_json  whether documents are printed
    file     the file as the command line names it, "" for none
    claim    the name of the claim in its file, "" for none
    start    the processor time at which the work on the next answer began
    """

    as_json: bool = False
    file: str = ""
    claim: str = ""
    start: float = field(default_factory=processor_time)

    def show(
        self,
        verdict: str,
        lines: Iterable[str],
        answer: Callable[[], Data],
        *,
        claim: str | None = None,
        reason: str = "",
        record: Callable[[], Any] = lambda: None,
    ) -> None:
        """The answer is on stdout: its lines, or a document.

        verdict   the verdict, or another word for the outcome
        answer    the answer as data; it is called only for a document
        claim     the name of the claim, if it is not that of the printer
        reason    why there is no answer, "" if there is one
        record    the record that `recheck` accepts; it is called only for a document
        """
        if not self.as_json:
            for line in lines:
                print_line(line)
            return
        text = "\n".join(one_line(line, WIDEST) for line in lines)
        now = processor_time()
        document = {
            "file": self.file,
            "claim": self.claim if claim is None else claim,
            "verdict": verdict,
            "text": text,
            "seconds": round(max(0.0, now - self.start), 3),
            "reason": reason,
            "answer": answer(),
            "record": record(),
        }
        self.start = now
        print_text(json.dumps(document, allow_nan=False) + "\n")

    def refuse(self, code: int, sentence: str, claim: str | None = None) -> None:
        """With --json, a document on stdout says why there is no answer; the sentence itself is for
        stderr.
        """
        if self.as_json:
            verdict = "refused" if code == BAD else "unknown"
            self.show(verdict, (), lambda: NO_DATA, claim=claim, reason=sentence)


def for_options(options: dict[str, Any]) -> Printer:
    """The printer of a whole command with these options: about its file, if it has exactly one."""
    named = next((options[key] for key in SUBJECTS if options.get(key)), "")
    listed = named if isinstance(named, list) else [named]
    return Printer(bool(options.get("as_json")), listed[0] if len(listed) == 1 else "")


SUBJECTS = ("source", "sources", "certificate", "certificates")
