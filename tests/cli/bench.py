"""A folder in which commands run, and a file about a sum."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from ahdp_verify.cli import app as cli
from ahdp_verify.kernel.errors import BadInput
from tests.cli.sentences import only_sentence

SUM = """
format = 2
name = "sum"
{top}
[domain]
records = {records}
[mechanism]
outputs = [{{name = "s", kind = "real"}}]
density = '{density}'
{claims}
"""
DENSITY = "exp(-abs(s - sum(x)))/2"
RECORDS = '[["0", "1"], ["1", "2"]]'
PROVED, REFUTED = (
    '[[claim]]\nrelation = "ahdp"\n',
    '[[claim]]\nrelation = "ahdp"\nlevel = "eps/3"\n',
)
PROVED_LINE = "Proved: sum is AHDP at level eps; scope: all datasets; trusts: the checker alone\n"


def content(
    density: str = DENSITY, records: str = RECORDS, claims: str = PROVED, top: str = ""
) -> str:
    return SUM.format(density=density, records=records, claims=claims, top=top)


# the one record of value 1 has the demand 2, and its loss under noise of scale b is 1/b
SCALED = content(density="exp(-abs(s - sum(x))/b)/(2*b)", top='[parameters]\nb = "b > 0"')


@dataclass
class Bench:
    """A folder, and the commands run in it."""

    folder: Path

    def write(self, text: str, path: str = "sum.toml") -> str:
        (self.folder / path).write_text(text, encoding="utf-8")
        return path

    def run(self, *words: str) -> Result:
        result = CliRunner().invoke(cli.app, list(words))
        assert result.exception is None or isinstance(result.exception, SystemExit), (
            result.exception
        )
        assert "Traceback" not in result.output
        return result

    def spawn(self, *words: str, **options: Any) -> subprocess.Popen[str]:
        """The command as its own program."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        settings = {
            "cwd": self.folder,
            "env": environment,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
        } | options
        return subprocess.Popen([sys.executable, "-m", "ahdp_verify", *words], **settings)

    def sentence(self, *words: str) -> str:
        """The one sentence on stderr of a command that ends with 2 and prints nothing else."""
        result = self.run(*words)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        sentence = only_sentence(result.stderr)
        assert len(sentence) < 400
        return sentence


def refuse(claim: Any, **_: Any) -> Any:
    raise BadInput("density", "its mass is 2 at {}", "divide by 2")
