"""Option values as data: lists, values of parameters, inputs of a mechanism, folders.

>>> split_list("0, log(1, 2), 1")
['0', 'log(1, 2)', '1']
"""

from __future__ import annotations

from pathlib import Path

from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.model.composite import AnyMechanism
from ahdp_verify.kernel.model.domain import Domain, Values
from ahdp_verify.kernel.model.program import Program
from ahdp_verify.kernel.terms.printing import display_name, named_path
from ahdp_verify.programs import NoiseProgram

DIGITS = 400  # most digits of one count, the limit on every number that is read


def split_list(text: str) -> list[str]:
    """The texts between those commas that are outside parentheses."""
    found, depth, start = list[str](), 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            found.append(text[start:i].strip())
            start = i + 1
    return [*found, text[start:].strip()]


def named_values(texts: list[str], example: str) -> dict[str, str]:
    """The value of each NAME=VALUE; BadInput for another form, or a name that is given twice."""
    found: dict[str, str] = {}
    for text in texts:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not key or not sign or not value:
            raise BadInput(
                "--set",
                f"{text[:40]!r} does not have the form NAME=VALUE",
                f"write for example --set {example}",
            )
        if key in found:
            raise BadInput("--set", f"{display_name(key)} is given two values", "give one")
        found[key] = value
    return found


def parameter_settings(
    mechanism: AnyMechanism | Program | NoiseProgram, values: list[str]
) -> dict[str, str]:
    """The value of each parameter; BadInput unless each is given exactly once, as name=value."""
    found = named_values(values, "b=1/2")
    wanted = [key for key, _ in mechanism.parameters]
    for key in (key for key in wanted if key not in found):
        raise BadInput(
            "--set", f"the parameter {key} has no value", f"add for example --set {key}=1/2"
        )
    what = "program" if isinstance(mechanism, Program | NoiseProgram) else "mechanism"
    for key in (key for key in found if key not in wanted):
        raise BadInput(
            "--set",
            f"the {what} has no parameter {display_name(key)}",
            f"its parameters are {', '.join(wanted) or 'none'}",
        )
    return found


def read_input(mechanism: AnyMechanism, text: str, option: str) -> object:
    """The input that a text describes: counts in the order of the records, query answers, or the
    parts of a value, separated by commas.

    A record of a universal domain is given by the values of its unknowns; ";" separates records.
    """
    inputs, parts = mechanism.inputs, split_list(text)
    if isinstance(inputs, Values):
        return tuple(parts) if isinstance(inputs.values[0], tuple) else text
    if not isinstance(inputs, Domain):
        return parts
    if inputs.is_universal:
        return [
            record_settings(record, option, [k for k, _ in inputs.unknowns])
            for record in text.split(";")
            if text.strip()
        ]
    return read_counts(inputs, text, option)


def read_counts(domain: Domain, text: str, option: str) -> list[int]:
    """The counts of a dataset, in the order of the records."""
    parts = split_list(text)
    if not all(part.isascii() and part.isdigit() for part in parts):
        example = ",".join(str(int(i == 0)) for i in range(min(9, len(domain.records))))
        raise BadInput(
            option,
            f"{text[:40]!r} is not a list of counts",
            f"give one for each of the {len(domain.records)} records, for example {example}",
        )
    if any(len(part) > DIGITS for part in parts):
        raise BadInput(option, f"a count has more than {DIGITS} digits", "give a smaller one")
    return [int(part) for part in parts]


def record_settings(record: str, option: str, unknowns: list[str]) -> dict[str, str]:
    """The values of the unknowns of a record; BadInput unless each is given exactly once, as
    name=value.
    """
    pairs = [[side.strip() for side in part.split("=", 1)] for part in split_list(record)]
    if sorted(pair[0] for pair in pairs) != sorted(unknowns) or any(
        len(pair) == 1 for pair in pairs
    ):
        example = ", ".join(f"{k}=1" for k in unknowns)
        raise BadInput(
            option,
            f"a universal domain does not list its records, and {record[:40]!r} does not give the "
            f"unknowns of one",
            f'write for example "{example}; {example}"',
        )
    return {k: value for k, value in pairs}


def make_folder(path: str) -> Path:
    """The folder, created if it is missing; BadInput if that fails."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise BadInput(
            named_path(path), f"it cannot be created ({said})", "name another folder"
        ) from None
    return Path(path)
