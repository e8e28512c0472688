"""The command line: the commands in the order of --help, and how each of them ends.

What a command does is in the file of its name; it prints one line on stdout for each answer, as
soon as it is known, and returns its exit code.

>>> from typer.testing import CliRunner
>>> CliRunner().invoke(app, ["recheck", "missing.json"]).exit_code
2
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, NoReturn

import typer

from ahdp_verify import start
from ahdp_verify.cli.audit import EXPLAINED_OF_AUDIT, audit_command
from ahdp_verify.cli.bench import bench_command
from ahdp_verify.cli.calibrate import calibrate_command
from ahdp_verify.cli.console import print_line, run_outermost
from ahdp_verify.cli.delta import delta_command
from ahdp_verify.cli.documents import Printer, for_options
from ahdp_verify.cli.exit_codes import BAD, EXPLAINED, EXPLAINED_OF_EXPERIMENT, PROVED
from ahdp_verify.cli.experiment import experiment_command
from ahdp_verify.cli.explain import explain_command
from ahdp_verify.cli.layout import PLAIN
from ahdp_verify.cli.list import list_command
from ahdp_verify.cli.new import new_command
from ahdp_verify.cli.notebooks import notebooks_command
from ahdp_verify.cli.options import PlainOption, limit_options
from ahdp_verify.cli.paper import paper_command
from ahdp_verify.cli.power import power_command
from ahdp_verify.cli.program import program_command
from ahdp_verify.cli.ranges import ranges_command
from ahdp_verify.cli.recheck import recheck_command
from ahdp_verify.cli.renyi import renyi_command
from ahdp_verify.cli.report import report_command
from ahdp_verify.cli.sample import sample_command
from ahdp_verify.cli.sensitivity import sensitivity_command
from ahdp_verify.cli.show import show_command
from ahdp_verify.cli.simulate import simulate_command
from ahdp_verify.cli.tighten import tighten_command
from ahdp_verify.cli.tradeoff import tradeoff_command
from ahdp_verify.cli.verify import verify_command
from ahdp_verify.kernel.terms.printing import one_line
from ahdp_verify.search.limits import Limits

# what the library raises for a command line that it cannot read
REFUSED: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="ahdp-verify",
    help="Decide claims of heterogeneous differential privacy: proved, refuted or unknown.",
    epilog=EXPLAINED,
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def register_command(
    name: str, command: Callable[..., int], epilog: str | None = EXPLAINED
) -> None:
    """The app offers the command, with --plain, as all have it, and with an option for each limit
    that it takes; it exits with the code that the function returns.
    """
    declared = signature(command, eval_str=True).parameters.values()
    offered = {parameter.name: limit_options(parameter) for parameter in declared}

    def run(given: dict[str, Any]) -> int:
        limits = {
            name: Limits(**{option.name: given.pop(option.name) for option in options})
            for name, options in offered.items()
            if options
        }
        return command(**given, **limits)

    @wraps(command)
    def ending(**given: Any) -> NoReturn:
        if given.pop("plain"):
            os.environ[PLAIN] = "1"
        raise typer.Exit(run_outermost(lambda: run(given), name, for_options(given).refuse))

    plain = Parameter("plain", Parameter.KEYWORD_ONLY, default=False, annotation=PlainOption)
    listed = [option for one in declared for option in offered[one.name] or [one]]
    ending.__signature__ = Signature([*listed, plain])  # type: ignore[attr-defined]
    app.command(name, epilog=epilog)(ending)


register_command("verify", verify_command)
register_command("recheck", recheck_command)
register_command("explain", explain_command)
register_command("report", report_command)
register_command("show", show_command)
register_command("new", new_command, None)
register_command("program", program_command)
register_command("tighten", tighten_command)
register_command("renyi", renyi_command)
register_command("simulate", simulate_command)
register_command("sample", sample_command)
register_command("audit", audit_command, EXPLAINED_OF_AUDIT)
register_command("sensitivity", sensitivity_command)
register_command("ranges", ranges_command)
register_command("calibrate", calibrate_command)
register_command("delta", delta_command)
register_command("tradeoff", tradeoff_command)
register_command("power", power_command)
register_command("experiment", experiment_command, EXPLAINED_OF_EXPERIMENT)
register_command("paper", paper_command)
register_command("list", list_command, None)
register_command("bench", bench_command)
register_command("notebooks", notebooks_command, None)


def print_version(wanted: bool) -> None:
    """The version is printed if `wanted`."""
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print_line(f"ahdp-verify {version('ahdp-verify')}")
        except PackageNotFoundError:
            print_line("ahdp-verify, run from its source")
        raise typer.Exit(PROVED)


@app.callback()
def before_any_command(
    version_: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Decide claims of heterogeneous differential privacy: proved, refuted or unknown."""


def main() -> None:
    """The exit code of the command in sys.argv; whatever happens, no traceback."""
    for stream in ("stdout", "stderr"):
        if isinstance(getattr(sys, stream), io.TextIOWrapper):
            getattr(sys, stream).reconfigure(errors="backslashreplace")
        elif getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it stays open until the end
    start.mark_loaded()
    start.collect_garbage_rarely()
    code = run_outermost(run_command, "ahdp-verify")
    start.mark_finished()
    sys.exit(code)


def run_command() -> int:
    """The exit code of the command in sys.argv."""
    try:
        found = app(prog_name="ahdp-verify", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else BAD
    except REFUSED as error:  # arguments may be names of files, and these may be anything
        error.message = one_line(error.message, 2000)  # type: ignore[attr-defined]
        error.show()  # type: ignore[attr-defined]
        Printer("--json" in sys.argv).refuse(BAD, error.message)  # type: ignore[attr-defined]
        return BAD
    return found if isinstance(found, int) else PROVED
