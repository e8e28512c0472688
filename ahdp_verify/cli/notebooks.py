"""`ahdp-verify notebooks`: the course's notebooks, listed, or one of them opened in the browser.

They are shown by marimo (the extra `notebooks`), which listens on this computer only.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from ahdp_verify.cli.console import print_error, print_line, print_text
from ahdp_verify.cli.exit_codes import BAD, PROVED

NEEDED = ("marimo", "matplotlib", "highspy")  # what the notebooks import beside the package
HERE = "127.0.0.1"


def notebooks_command(
    number: Annotated[
        int | None,
        typer.Argument(metavar="[NUMBER]", help="The notebook to open. By default all are listed."),
    ] = None,
    edit: Annotated[
        bool,
        typer.Option(
            "--edit",
            help="Open a copy in the current folder, with its code, to be changed. A copy that is "
            "there already is opened as it is.",
        ),
    ] = False,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="By default one that is free.")
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether a browser is started.")
    ] = True,
) -> int:
    """List the notebooks of the course, or open one in the browser."""
    if number is None:
        return _list_notebooks()
    return _open_notebook(number, edit, port, browser)


def _list_notebooks() -> int:
    """Exit code 0; the notebooks are printed, each with its time and its goals."""
    import textwrap

    from ahdp_verify.classroom.lessons import LESSONS

    width = min(100, shutil.get_terminal_size().columns)
    for lesson in LESSONS:
        print_line(f"{lesson.number}  {lesson.title} ({lesson.minutes} minutes)")
        for goal in lesson.goals:
            print_text(
                textwrap.fill(goal, width, initial_indent="   - ", subsequent_indent="     ") + "\n"
            )
    print_line("Open one with its number, for example: ahdp-verify notebooks 1")
    return PROVED


def _open_notebook(number: int, edit: bool, port: int | None, browser: bool) -> int:
    """The exit code of marimo, which shows the notebook until it is interrupted."""
    import subprocess
    import sys
    from importlib.util import find_spec

    from ahdp_verify.classroom.lessons import notebook_path
    from ahdp_verify.kernel.errors import Missing

    path = notebook_path(number)
    for library in NEEDED:
        if find_spec(library) is None:
            raise Missing("notebooks", library, "notebooks")
    if edit:
        path = _own_copy(path)
    line = [sys.executable, "-m", "marimo", "edit" if edit else "run", str(path), "--host", HERE]
    line += ["--no-sandbox", *(["--port", str(port)] if port is not None else [])]
    print_error(f"opening {path.name} on {HERE}; press Ctrl-C to end it")
    try:
        done = subprocess.run(line + ([] if browser else ["--headless"]), check=False)
    except KeyboardInterrupt:  # the usual way to end it
        return PROVED
    return PROVED if done.returncode == 0 else BAD


def _own_copy(path: Path) -> Path:
    """The notebook's copy in the current folder, made if it is not there."""
    from ahdp_verify.kernel.errors import BadInput

    own = Path.cwd() / path.name
    if not own.exists():
        try:
            shutil.copyfile(path, own)
        except OSError as error:
            raise BadInput(
                path.name,
                f"it cannot be copied to the current folder ({error.strerror})",
                "change to a folder that you can write to",
            ) from None
    return own
