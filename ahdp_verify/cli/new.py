"""`ahdp-verify new`: a commented mechanism file to start from."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

import typer

from ahdp_verify.cli.console import print_line, print_text
from ahdp_verify.cli.exit_codes import PROVED
from ahdp_verify.kernel.errors import BadInput, closest
from ahdp_verify.kernel.terms.printing import display_name

# In the order in which a newcomer would try them.
NAMES = (
    "laplace",
    "geometric",
    "randomised-response",
    "histogram",
    "exponential-mechanism",
    "every-domain",
    "two-steps",
)
Template = Annotated[
    str,
    typer.Argument(
        metavar="[NAME]",
        help="A template; without one, the templates are listed. Also the name of a mechanism of "
        "the catalogue (ahdp-verify list), whose density is then written out.",
        show_default=False,
    ),
]


def new_command(name: Template = "") -> int:
    """Print a commented mechanism file to start from, for example: ahdp-verify new laplace >
    my.toml
    """
    found = templates()
    if not name:
        for key, text in found.items():
            print_line(f"{key}: {first_sentence(text)}")
        print_line("To start from one: ahdp-verify new laplace > my.toml")
        return PROVED
    print_text(found[name] if name in found else from_catalogue(name, list(found)))
    return PROVED


def templates() -> dict[str, str]:
    """The text of every template by its name."""
    folder = files("ahdp_verify").joinpath("templates")
    return {name: folder.joinpath(f"{name}.toml").read_text(encoding="utf-8") for name in NAMES}


def first_sentence(text: str) -> str:
    """The first sentence of the comment at the top of a template."""
    comment = [
        line.removeprefix("#").strip() for line in text.partition("\nformat")[0].splitlines()
    ]
    return " ".join(comment).partition(". ")[0].rstrip(".") + "."


def from_catalogue(name: str, known: list[str]) -> str:
    """The mechanism file of an entry of the catalogue; BadInput if there is none."""
    from ahdp_verify.cli.show import written_out
    from ahdp_verify.cli.sources import catalogue_entries, catalogue_file

    entries = [entry.name for entry in catalogue_entries()]
    if name not in entries:
        raise BadInput(
            "NAME",
            f"{display_name(name)} is neither a template nor a mechanism of the catalogue",
            closest(name, known, "the templates are"),
        )
    return written_out(name, catalogue_file(name))
