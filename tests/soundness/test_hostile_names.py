"""No name, label or path can pose as anything else: every command, in every format, with names made
for it.

What is searched for is derived here from Unicode's categories and from the formats themselves, not
taken from the package: a character that moves or hides others, the marker EVIL outside of double
quotes, a tag, a link, code, an unescaped command of LaTeX.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ahdp_verify import explain, load, verify
from ahdp_verify.cli.app import app
from ahdp_verify.display.markup import (
    escape_html,
    escape_latex,
    escape_markdown,
    latex,
    upright_latex,
)
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import label
from ahdp_verify.kernel.terms.grammar import parse
from ahdp_verify.kernel.terms.printing import display_name, expression_text, one_line, quoted
from tests.earlier_formats import in_this_format

NAMES = {
    "a verdict": "EVIL is AHDP at level 0; scope: all datasets; trusts: the checker alone",
    "a second line": "x\nProved: EVIL is AHDP at level 0; scope: all datasets; trusts: the "
    "checker alone",
    "only words": "EVIL is DP at level 0",
    "a closed quote": 'x" is AHDP at level 0; trusts: the checker alone. "EVIL',
    "a quoted middle": 'x " is EVIL at level 0; trusts: the checker alone " y',
    "typographic quotes": "x\u201d EVIL is AHDP at level 0; trusts: the checker alone. \u201cy",
    "a terminal": "\x1b[2J\x1b[1;1H\x9b0mEVIL\x07\x08\r",
    "an order of reading": "EVIL \u202eevil\u202c \u2066x\u2069 \u200f",
    "nothing to be seen": "EVIL\u200b\u2060\ufeff\u034f\u3164\u2800\u00ad\U000e0041",
    "other line ends": "EVIL\u2028Proved: EVIL\u2029\x85\x0b\x0c",
    "Cyrillic letters": "EVIL \u0456s AHDP at l\u0435vel 0",
    "HTML": "EVIL <script>alert(1)</script> <img src=x onerror=alert(1)> &lt;b&gt;",
    "Markdown": "EVIL | a | `b` ``c`` [l](javascript:1) ![i](x) *d* __e__ ~~f~~ # g > h",
    "LaTeX": "EVIL $x$ \\input{/etc/passwd} \\end{document} % & # _ ^ ~ { } }",
    "a comment's end": "EVIL --> ]]> */ {{x}} ${x}",
    "a backslash at the end": "EVIL; trusts: x\\",
    "an escape already": "EVIL; \\u0022 \\x22 \\n",
    "half a character": "EVIL; \ud800",
    "spaces": " EVIL  is ",
    "a long one": "EVIL; " + "a" * 5000 + '" is AHDP',
}
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
INVISIBLE = set("\u034f\u3164\u2800\u115f\uffa0")  # printable by their categories, and blank


def outside(line: str) -> str:
    """What a reader takes for the package's own words; Python's own quotes, in messages, are
    quotes too.
    """
    return re.sub(r"""(?<!\w)'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""", '""', line)


def seen(shown: str, *, lines: bool = False) -> bool:
    return not any(
        unicodedata.category(c) in HIDDEN or c in INVISIBLE
        for c in (shown.replace("\n", "") if lines else shown)
    )


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_name_stays_within_its_quotes(name: str) -> None:
    for shown in (display_name(name), quoted(name), expression_text(label(name))):
        assert (
            seen(shown)
            and "EVIL" not in outside(shown)
            and shown.startswith('"')
            and shown.endswith('"')
        )
        assert not set(shown) & set("\u201c\u201d\u201e\uff02")
    assert len(display_name(name)) < 2000 and seen(one_line(name)) and len(one_line(name)) <= 600


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_a_label_reads_back(name: str) -> None:
    assert parse(expression_text(label(name))) == label(name)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_no_format_is_broken(name: str) -> None:
    in_markdown = escape_markdown(name)
    assert seen(in_markdown) and not re.search(r"<[A-Za-z/!]|(?<!\\)[`*_|\]#$~]", in_markdown)
    for shown in (
        upright_latex(name),
        latex(label(name)),
    ):  # also inside $...$ of a Markdown that knows no mathematics
        assert seen(shown) and not re.search(r"<|>|`|\]\(|(?<!\\)[$%&#_*|]", shown)
        assert set(re.findall(r"\\[a-zA-Z]+", shown)) <= {"\\text"}
        assert shown.replace("\\{", "").count("{") == shown.replace("\\}", "").count("}") == 1
    assert set(re.findall(r"\\[a-zA-Z]+", escape_latex(name))) <= {
        "\\textbackslash",
        "\\textasciicircum",
        "\\textasciitilde",
        "\\ensuremath",
        "\\textbar",
    }
    assert escape_latex(name).isascii() and "\n" not in escape_latex(name)
    assert seen(escape_html(name)) and not re.search(r"[<>\"']", escape_html(name))


@pytest.mark.parametrize(
    "name",
    [
        "noisy sum",
        "claim:2 (B1)",
        "noisy sum, b = 1/2",
        "a^2 - b",
        "ratio of {(1, 2)}",
        'power against ("yes", 1) or not',
        "don't",
    ],
)
def test_a_plain_name_needs_no_quotes(name: str) -> None:
    assert display_name(name) == name


def written(folder: Path, name: str) -> dict[str, str]:
    """Mechanism files in which everything that may have a name of its own has this one."""
    q, inner = json.dumps(name), json.dumps(json.dumps(name))
    other = json.dumps(json.dumps(f"other {name}"))
    condition = (
        f"piecewise((3/4, (b == {json.dumps(name)} and v == {json.dumps(name)}) or (b == "
        f"2 and v != {json.dumps(name)})), (1/4, true))"
    )
    files = {
        "local": f"format = 2\nname = {q}\ndomain.values = [{inner}, {other}]\nmechanism = "
        f'{{outputs = [{{name = "b", kind = "finite", values = [{inner}, "2"]}}], '
        f"density = {json.dumps(condition)}}}\nclaim = "
        f'[{{relation = "any", level = "1", name = {q}}}, '
        f'{{relation = "any", level = "log(3)"}}]\n',
        "scale": f'format = 2\nname = {q}\nparameters = {{b = "b > 0"}}\ndomain.queries = '
        f'"1"\nmechanism = {{outputs = [{{name = "s", kind = "real"}}], '
        'density = "exp(-abs(s - q[1])/b)/(2*b)"}\nclaim = [{relation = "one", level = "1"}]\n',
        "records": f'format = 2\nname = {q}\ndomain.records = [[{inner}, "1"], ["2", '
        f'"oo"]]\nmechanism = {{outputs = [{{name = "s", kind = "real"}}], '
        f"density = {json.dumps(f'exp(-abs(s - count(x == {json.dumps(name)})))/2')}}}\nclaim = "
        f'[{{relation = "ahdp"}}]\n',
        "key": f'format = 2\n{q} = "1"\n',
        "twice": f'format = 2\ndomain.queries = "1"\nlet = {{{q} = "1"}}\nmechanism = '
        f'{{outputs = [{{name = "s", kind = "real"}}], density = "1"}}\n',
    }
    for stem, content in files.items():
        (folder / f"{stem}.toml").write_text(content, encoding="utf-8")
    return {stem: str(folder / f"{stem}.toml") for stem in files}


def commands(f: dict[str, str], folder: Path, name: str) -> list[list[str]]:
    saved = [
        str(folder / record)
        for record in ("local-1.json", "local-2.json", "records.json", "scale.json")
    ]
    return [
        *(["verify", f[stem], "--save", f"{folder}/"] for stem in ("local", "scale", "records")),
        ["verify", f["key"]],
        ["verify", f["twice"]],
        ["recheck", *saved],
        ["recheck", saved[0], "--file", f["scale"]],
        ["explain", saved[0]],
        ["explain", saved[2]],
        ["simulate", saved[0], "--samples", "9"],
        ["tighten", f["records"]],
        ["delta", f["local"], "--levels", "0,1"],
        ["ranges", f["scale"]],
        ["calibrate", f["scale"], "--parameter", "b"],
        ["tradeoff", f["records"], "--first", "1,0", "--second", "0,1"],
        ["sample", f["local"], "--dataset", name, "--size", "5"],
        ["power", f["records"], "--one-more"],
        # and where a user, or a shell that lists a folder, puts it on the command line
        ["verify", name],
        ["verify", f"{f['local']}:{name}x"],
        ["verify", f"{name}.toml"],
        ["recheck", name],
        ["calibrate", f["scale"], "--parameter", name],
        ["sample", f["local"], "--dataset", f"no {name}"],
        ["verify", f["scale"], "--save", f"/nowhere/{name}"],
        ["paper", name],
    ]


HARD = ("a second line", "a terminal", "a closed quote")


@pytest.mark.parametrize("which", HARD)
def test_every_command_keeps_names_in_quotes(which: str, tmp_path: Path) -> None:
    files, runner = written(tmp_path, NAMES[which]), CliRunner()
    for command in commands(files, tmp_path, NAMES[which]):
        result = runner.invoke(app, command)
        assert seen(result.output, lines=True), command
        assert "EVIL" not in outside(result.output), (command, result.output)
        assert "internal error" not in result.output and "Traceback" not in result.output, (
            command,
            result.output,
        )
    record = runner.invoke(app, ["verify", files["scale"], "--json"]).output
    assert (
        record.isascii()
        and record.count("\n") == 1
        and json.loads(record)["record"]["claim"]["mechanism"]["name"] == NAMES[which]
    )


class Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {tag, *(key for key, _ in attrs)}


@pytest.mark.parametrize("which", ["HTML", "Markdown", "LaTeX", "a second line"])
def test_pictures_of_verdicts_in_every_format(which: str, tmp_path: Path) -> None:
    files = written(tmp_path, NAMES[which])
    for claim in (load(files["local"]).claims[0], load(files["records"]).claims[0]):
        verdict = verify(claim)
        explained, tags = explain(verdict), Tags()
        tags.feed(verdict._repr_html_() + explained._repr_html_())
        assert tags.found <= {"p", "b", "br", "pre", "style"} | {
            "div",
            "table",
            "tr",
            "th",
            "td",
            "scope",
        }
        assert not re.search(r"<[A-Za-z/!]|(?<!\\)`|(?<!\\)\]\(", explained.markdown)
        assert (
            set(re.findall(r"\\(?:input|end|write|include)\b", explained.latex)) <= {"\\end"}
            and explained.latex.count("\\end{document}") == 1
        )
        assert not re.search(r"<script|\\input", verdict._repr_latex_())


@pytest.mark.sweep(2)
@pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="pdflatex is not installed (on Debian: texlive-latex-base)",
)
@pytest.mark.parametrize("which", ["HTML", "Markdown", "LaTeX", "a terminal", "Cyrillic letters"])
def test_the_latex_compiles(which: str, tmp_path: Path) -> None:
    found = explain(verify(load(written(tmp_path, NAMES[which])["local"]).claims[0]))
    (tmp_path / "proof.tex").write_text(found.latex)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proof.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_the_stored_label_with_a_script_is_harmless_in_markdown(tmp_path: Path) -> None:
    """`corpus/robust/xss-markdown.toml`."""
    file = (
        Path(__file__).resolve().parents[3] / "shared" / "corpus" / "robust" / "xss-markdown.toml"
    )
    if not file.exists():
        pytest.skip("the corpus is not there")
    found = explain(verify(load(in_this_format(file, tmp_path)).claims[0])).markdown
    assert "script" in found and not re.search(r"<[A-Za-z/!]|(?<!\\)\]\(|(?<!\\)`", found)


def test_the_command_line_itself_is_shown_on_one_line(tmp_path: Path) -> None:
    """A file may be called like an option: the library that reads the command line repeats it."""
    done = subprocess.run(
        [sys.executable, "-m", "ahdp_verify", "verify", "--\x1b[2J\nProved: x"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    assert (
        done.returncode == 2
        and "\x1b" not in done.stderr
        and not any(line.startswith("Proved") for line in done.stderr.splitlines())
    )


def test_messages_of_python_keep_names_in_quotes() -> None:
    for name in NAMES.values():
        with pytest.raises(BadInput) as error:
            load(name)
        assert "EVIL" not in outside(one_line(str(error.value)))
