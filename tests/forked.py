"""A command of the program in a fork of the test's process: a process of its own, with its own
limits, folder and environment, in which nothing has to be imported anew.

>>> forked("recheck", "missing.json").code
2
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

from ahdp_verify.cli.app import main
from ahdp_verify.search.solvers import processes as solvers

CRASHED = 70  # the exit code of a command that let an exception through


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, negative for a signal, and what it printed."""

    code: int
    stdout: str
    stderr: str


def forked(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    limit: Callable[[], None] | None = None,
) -> Ended:
    """`ahdp-verify` with these arguments; `limit` is called in its process before it begins."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        pid = os.fork()
        if not pid:
            if limit is not None:
                limit()
            os.chdir(folder or ".")
            os.environ.update(environment or {})
            _run(list(arguments), out, err)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        err.seek(0)
        return Ended(code, out.read(), err.read())


def _run(arguments: list[str], out: IO[str], err: IO[str]) -> NoReturn:
    """The command in this process, which ends with it."""
    code: object = CRASHED
    try:
        solvers._Z3.process = solvers._CVC5.process = None  # those of the tests
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = (os.fdopen(i, "w", closefd=False) for i in (1, 2))
        sys.argv = ["ahdp-verify", *arguments]
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        solvers._Z3.close()
        solvers._CVC5.close()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else CRASHED)
