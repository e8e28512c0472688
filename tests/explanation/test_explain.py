"""What `explain` prints: every number that a reason uses is that of an earlier line, every identity
is true at random points, nothing is left open.

Identities are evaluated here in floating point from the printed formulas, which does not go through
the package's algebra.
"""

from __future__ import annotations

import json
import math
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ahdp_verify import (
    Abs,
    Domain,
    Max,
    Mechanism,
    Refuted,
    ahdp,
    dp,
    exp,
    explain,
    load,
    name,
    post_process,
    real,
    report,
    simulate,
    verify,
)
from ahdp_verify.analysis.arguments import examine
from ahdp_verify.canonical_json import seal
from ahdp_verify.cli.app import app
from ahdp_verify.display.verdict_html import verdict_html
from ahdp_verify.explanation.numbered_lines import ComparisonPiece, Explanation, NumberedLine
from ahdp_verify.files.argument_file import ArgumentFile
from ahdp_verify.kernel.errors import BadInput, Rejected
from ahdp_verify.kernel.terms.expression import Expression
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.verdict import Proved
from ahdp_verify.search.limits import Limits
from ahdp_verify.verdicts import Unknown

ROOT = Path(__file__).resolve().parents[2]
PROOFS = (
    "paper/certificates/linear-query-universal-1",
    "paper/certificates/randomised-response-meets-testing-bound-1",
    "paper/certificates/linear-regression-d-2-1",
    "paper/certificates/weighted-count-1",
    "paper/certificates/mean-by-composition-1",
    "paper/certificates/sample-mechanism-over-any-mechanism-1",
    "laws/certificates/compose-delta",
    "paper/certificates/three-stages-count-threshold-sum-1",
)
REFUTATIONS = (
    "paper/certificates/randomised-response-twice-2",
    "paper/certificates/linear-query-three-records-half-noise-1",
    "public/certificates/k-ary-response-level-below-1-t-wrong-ratio",
)
FORMS = [
    *PROOFS,
    *REFUTATIONS,
    "public/certificates/geometric-noise-cut-off-at-1-1",
    "field/certificates/exponential-mechanism-two-queries-1",
    "paper/certificates/multiset-weights-1-value-3-more-every-eps-2",
]


def explanation_of(stem: str, **options: Any) -> Explanation:
    return explain(ROOT / "proofs" / f"{stem}.json", **options)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("stem", [s for s in FORMS if (ROOT / "proofs" / f"{s}.json").exists()])
@pytest.mark.parametrize("every", [False, True], ids=["short", "all"])
def test_lines_are_numbered_in_order_and_reasons_speak_of_earlier_ones(
    stem: str, every: bool
) -> None:
    found, seen = explanation_of(stem, every=every), set[str]()
    for line in found.lines:
        if not line.number:
            continue
        spoken = set(re.findall(r"\((\d+(?:\.\d+)*)\)", line.reason)) | set(
            re.findall(r"(?<=[ ,])(\d+(?:\.\d+)*)(?=,|$)", line.reason.partition("from ")[2])
        )
        assert spoken <= seen, line
        head, _, last = line.number.rpartition(".")
        assert last == "1" or f"{head}.{int(last) - 1}".lstrip(".") in seen, line
        seen.add(line.number)
    assert not every or ("omitted here" not in found.text and "more lines" not in found.text)


def value(e: Expression, at: dict[str, float]) -> float:
    """The value of a printed formula, by Python's own floats."""
    if e.head == "number":
        return float(e.args[0])
    if e.head == "name":
        return at.setdefault(e.args[0], random.Random(e.args[0]).uniform(0.2, 0.8))
    parts = [value(a, at) for a in e.args]
    table: dict[str, Any] = {
        "+": lambda *a: math.fsum(a),
        "*": lambda *a: math.prod(a),
        "^": math.pow,
        "exp": math.exp,
        "log": math.log,
        "abs": abs,
    }
    return float(table[e.head](*parts))


def gap(line: NumberedLine) -> Expression:
    (found,) = [piece for piece in line.pieces if isinstance(piece, ComparisonPiece)]
    return found.left


def factor(text: str, lines: dict[str, NumberedLine], at: dict[str, float]) -> float:
    """The value of the line with a number in parentheses, or a coefficient, which stands in
    parentheses where it is a fraction.
    """
    inner = text.strip("()")
    return float(Fraction(inner)) if "/" in inner or inner == text else value(gap(lines[inner]), at)


IDENTITIES = (
    "paper/certificates/linear-query-universal-1",
    "paper/certificates/linear-regression-d-2-1",
    "paper/certificates/mean-by-composition-1",
    "paper/certificates/sample-mechanism-over-any-mechanism-1",
    "laws/certificates/compose",
    "laws/certificates/compose-delta",
    "laws/certificates/subsample-level",
)
EQUALS = re.compile(r"^(?:times (?P<divisor>.*), which is > 0, )?it equals (?P<sum>[-+*/().\d ]+)$")


@pytest.mark.parametrize("stem", IDENTITIES)
def test_every_identity_is_true_at_random_points(stem: str) -> None:
    """Also where the facts do not hold: an identity is one of formulas.  The points are such
    that no divisor vanishes.
    """
    lines = {line.number: line for line in explanation_of(stem, every=True).lines if line.number}
    checked = 0
    for line in lines.values():
        said = EQUALS.match(line.reason)
        assert said is not None or "it equals" not in line.reason, line
        for trial in range(5 if said else 0):
            source = random.Random(f"{line.number} {trial}")
            at = {
                key: source.uniform(0.1, 0.9)
                for key in sorted(
                    set(re.findall(r"[A-Za-z_]\w*(?:\[\d+\])?'*", line.text))
                    - {"exp", "abs", "log"}
                )
            }
            at["h"] = at.get("l", 0.0) + 1.7
            total = math.fsum(
                math.prod(factor(f, lines, at) for f in term.split("*"))
                for term in said["sum"].split(" + ")
            )
            shown = value(gap(line), at) * (
                value(parse(said["divisor"], "divisor"), at) if said["divisor"] else 1.0
            )
            assert math.isclose(total, shown, rel_tol=1e-9, abs_tol=1e-9), (
                line.text,
                line.reason,
                total,
                shown,
            )
            checked += 1
    assert checked


def test_an_invalid_record_and_an_open_claim_are_refused(tmp_path: Path) -> None:
    record = json.loads(
        (ROOT / "proofs" / "paper" / "certificates" / "weighted-count-1.json").read_text()
    )
    record["certificate"]["evidence"][0].update(lemmas=[], proofs=[])
    record.pop("sha256")
    (tmp_path / "forged.json").write_text(json.dumps(seal(record)))
    with pytest.raises(Rejected):
        explain(tmp_path / "forged.json")
    W, s = Domain([(1, 1)]), real("s")
    claim = ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="count"))
    with pytest.raises(BadInput, match="it decides nothing"):
        explain(Unknown(claim, ()))
    result = CliRunner().invoke(app, ["explain", str(tmp_path / "forged.json")])
    assert result.exit_code == 1 and result.output.startswith("invalid: ")


def test_names_that_mean_something_to_latex_and_markdown_are_escaped() -> None:
    W, s = Domain([(1, 1)]), real("s")
    verdict = verify(
        ahdp(
            Mechanism(
                W,
                outputs=[s],
                density=exp(-Abs(s - W.size)) / 2,
                name="50% of $x_1 & {y} ~ \\end{document} ∀ *bold* `code`",
            )
        ),
        Limits(seconds=30),
    )
    assert isinstance(verdict, Proved)
    found = explain(verdict)
    assert (
        "\\end{document} " not in found.latex.replace("\\end{document}\n", "")
        and r"50\% of \$x\_1 \& \{y\}" in found.latex
        and "[U+2200]" in found.latex
    )
    assert r"\*bold\*" in found.markdown and r"\`code\`" in found.markdown
    assert found._repr_markdown_() == found.markdown


def test_the_command_writes_each_format(tmp_path: Path) -> None:
    record = str(ROOT / "proofs" / "paper" / "certificates" / "weighted-count-1.json")
    for kind, start in (
        ("text", "Proof that"),
        ("markdown", "**Proof that"),
        ("latex", "\\documentclass"),
    ):
        place = tmp_path / f"proof.{kind}"
        assert (
            CliRunner()
            .invoke(app, ["explain", record, "--format", kind, "--output", str(place)])
            .exit_code
            == 0
        )
        assert place.read_text().startswith(start)
    assert CliRunner().invoke(app, ["explain", str(tmp_path / "none.json")]).exit_code == 2


@pytest.mark.sweep(2)
@pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="pdflatex is not installed (on Debian: texlive-latex-base)",
)
@pytest.mark.parametrize("stem", [*PROOFS[:5], *REFUTATIONS])
def test_the_latex_compiles(stem: str, tmp_path: Path) -> None:
    (tmp_path / "proof.tex").write_text(explanation_of(stem).latex)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proof.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0 and (tmp_path / "proof.pdf").stat().st_size > 10_000, (
        done.stdout.decode(errors="replace")[-2000:]
    )


def test_an_exhaustive_search_says_that_it_is_one() -> None:
    W, s = Domain([(1, 1)]), real("s")
    found = explain(
        verify(
            ahdp(Mechanism(W, outputs=[s], density=exp(-Abs(s - W.size)) / 2, name="count")), size=2
        ),
        every=True,
    )
    assert (
        "all datasets of at most 2 records, all moves between them" in found.text
        and "exhaustive search" in found.text
    )
    assert "it equals" not in found.text and "datasets of at most 2 records" in found.lines[-1].text


def test_an_argument_is_reported_step_by_step() -> None:
    """The printed proof of the Sample Mechanism (row 51 of the corpus): its third step needs
    exp(y) >= 1, and names exp(y) >= 0.
    """
    file = load(str(ROOT / "proofs" / "paper" / "sample-mechanism-proof-lower-end-as-printed.toml"))
    assert isinstance(file, ArgumentFile)
    said = [(line.number, line.text, line.reason) for line in explain(examine(file.argument)).lines]
    assert ("3.1", "this step is not valid", "as a statement it holds") in said
    assert any(
        text == "exp(y) >= 1" and reason.startswith("needed; it holds") for _, text, reason in said
    )
    assert not any("opaque" in text for _, text, _ in said)
    assert "step 3 is the first that fails" in said[-2][1] and "is true" in said[-1][1]


def test_an_event_of_what_is_released_is_told_with_what_it_is_of_the_part() -> None:
    # max(s, 0) >= c for c > 0 is s >= c
    W, s = Domain([(0, 1), (1, 1)]), real("s")
    count = Mechanism(W, outputs=[s], density=exp(-Abs(s - W.sum(name("x")))) / 2, name="count")
    image = post_process(dp(count, 1), {"k": Max(name("s"), 0)}, name="no negative count")
    refuted = verify(dp(image, "9/10"))
    assert isinstance(refuted, Refuted)
    texts = [
        str(explain(refuted)),
        report([refuted]).markdown,
        verdict_html(refuted),
        str(simulate(refuted, samples=10, rng=1)),
    ]
    assert all(re.search(r"k (>=|&gt;=) .*up to probability 0, s", text) for text in texts)
    assert "about the output of the part, before it is processed further" in texts[1]
