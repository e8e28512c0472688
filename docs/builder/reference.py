"""docs/toml.md: every key and every word of the files, from the tables that the readers go by.

    python docs/builder/reference.py        writes the page anew; `make docs` does it first

What there is comes from the readers (KEYS, FUNCTIONS, RELATIONS, ...), what is said of it from
reference.toml beside this file, the examples from examples/.  A key or word that is accepted and
not described, or described and not accepted, is an error that names it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from ahdp_verify.files import (
    argument_file,
    composite_file,
    domain_table,
    law_text,
    mechanism_file,
    program_file,
    scope,
    sensitivity_file,
)
from ahdp_verify.kernel.model.composite import PART_COUNTS
from ahdp_verify.kernel.model.inequality import COMPARISONS
from ahdp_verify.kernel.model.mechanism import OUTPUT_KINDS
from ahdp_verify.kernel.model.neighbours import RELATIONS
from ahdp_verify.kernel.terms import grammar

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "toml.md"
EXAMPLES = {path.name: path.read_text() for path in sorted((HERE / "examples").glob("*.toml"))}
PEOPLE = (HERE / "examples" / "people.csv").read_text()
Entry = Mapping[str, Any]

# Kind of file -> table -> the keys that its reader accepts; the table "" is the file itself.
KEYS: dict[str, Mapping[str, tuple[str, ...]]] = {
    "mechanism": {
        **mechanism_file.KEYS,
        "grid": domain_table.OF_GRID,
        "people": domain_table.OF_CSV,
        "family": scope.OF_FAMILY,
    },
    "program": program_file.KEYS,
    "composite": composite_file.KEYS,
    "argument": argument_file.KEYS,
    "query": sensitivity_file.KEYS,
}
# The lists of words, each with what the readers accept, in the order of the page.
WORDS: dict[str, Collection[str]] = {
    "inputs": domain_table.KINDS_OF_INPUT,
    "outputs": OUTPUT_KINDS,
    "laws": law_text.WORDS,
    "relations": RELATIONS,
    "verdicts": mechanism_file.EXPECTED,
    "rules": tuple(PART_COUNTS),
    "arguments": argument_file.ARGUMENTS[1:],
    "comparisons": COMPARISONS,
    "operators": (*grammar.LEVELS, *(w for w in grammar.WORDS if w not in grammar.LEVELS)),
    "constants": tuple(grammar.CONSTANTS),
    # that of queries on entries has no value on a dataset
    "functions": tuple(word for word in grammar.FUNCTIONS if word != "ordered"),
}
TITLES = {
    ("mechanism", ""): "The file",
    ("mechanism", "output"): "Each of `outputs`",
    ("mechanism", "atom"): "Each of `atoms`",
    ("mechanism", "claim"): "`[[claim]]`",
    ("mechanism", "grid"): "`records` as a grid",
    ("mechanism", "people"): "`records` from a table of people",
    ("mechanism", "family"): "A family in `[let]`",
    ("program", ""): "The file, with a program",
    ("program", "domain"): "`[domain]`, of a program",
    ("program", "state"): "Each `[program.state.NAME]`",
    ("program", "claim"): "`[[claim]]`, of a program",
    ("composite", ""): "The file, with parts",
    ("composite", "domain"): "`[domain]`, with parts",
    ("composite", "written"): "A `[[part]]` with a density",
    ("composite", "assumed"): "A `[[part]]` that is assumed",
    ("composite", "file"): "A `[[part]]` from another file",
    ("composite", "record"): "A `[[part]]` from a record",
    ("composite", "made"): "A `[[part]]` made by a rule",
    ("composite", "claim"): "`[[claim]]`, with parts",
    ("argument", ""): "The file, with an inequality",
    ("argument", "step"): "`[[step]]`",
    ("argument", "cited"): "`[[cited]]`",
    ("query", ""): "The file, with a query",
    ("query", "claim"): "`[[claim]]`, of a query",
}
FILES = {
    "mechanism": "Mechanism files",
    "program": "Program files",
    "composite": "Composite files",
    "argument": "Inequalities",
    "query": "Queries on entries",
}
SHOWN = {
    "mechanism": (
        "reported-count.toml",
        "two-answers.toml",
        "colour.toml",
        "any-person.toml",
        "public-part.toml",
        "votes.toml",
        "people.toml",
        "normal-noise.toml",
    ),
    "program": ("first-above.toml", "most-visited.toml"),
    "composite": (
        *("noisy-size.toml", "stages.toml"),
        *("two-releases-rho.toml", "two-releases-mu.toml", "two-releases-renyi.toml"),
    ),
    "argument": ("growth.toml",),
    "query": ("middle.toml", "answer-with-noise.toml"),
}
HEAD = """# The files, key by key

What a file may contain: every key, every function, every word. This page is made from the tables that
the readers themselves go by, so nothing that is accepted is missing. [Get started](start.md) shows a
first file, [Mechanisms and claims](mechanisms.md) what can be decided.

Numbers and expressions are quoted texts, so that nothing is rounded: `"0.1"` is exactly 1/10, and a bare
number is refused. In lists of values, a word is a label and anything else is a constant:
`["yes", "1/2"]`. In expressions labels stand in double quotes, and are only compared: `x == "yes"`.
"""


class Undescribed(Exception):
    """A key or word that is accepted and not described, or the other way round."""


def described() -> dict[str, Any]:
    """The content of reference.toml."""
    return tomllib.loads((HERE / "reference.toml").read_text(encoding="utf-8"))


def entries(file: str, table: str, said: Mapping[str, Any]) -> dict[str, Entry]:
    """What is said of each key of a table, in the reader's order; of a key that is described
    elsewhere, that description.  Raises Undescribed.
    """
    own = said["keys"][file].get(table or "top", {})
    elsewhere: dict[str, Entry] = {}
    if same := own.get("same"):
        other_file, other = same.split(".")
        elsewhere = entries(other_file, "" if other == "top" else other, said)
    known = {**elsewhere, **{key: e for key, e in own.items() if key != "same"}}
    accepted = KEYS[file][table]
    where = f"{file} file, table {table!r}"
    agree(accepted, known, own.keys() - {"same"}, where)
    return {key: known[key] for key in accepted}


def agree(
    accepted: Collection[str], known: Collection[str], own: Collection[str], where: str
) -> None:
    """Raises Undescribed unless all that is accepted is known, and all that is described is
    accepted.
    """
    if missing := [word for word in accepted if word not in known]:
        raise Undescribed(f"{where}: describe {', '.join(missing)} in docs/builder/reference.toml")
    if unknown := [word for word in own if word not in accepted]:
        raise Undescribed(
            f"{where}: {', '.join(unknown)} is described in docs/builder/reference.toml, and no "
            "reader accepts it"
        )


def key_lines(file: str, said: Mapping[str, Any]) -> Iterator[str]:
    """The sections of the tables of a kind of file."""
    for table in KEYS[file]:
        yield f"### {TITLES.get((file, table), f'`[{table}]`')}\n"
        for key, entry in entries(file, table, said).items():
            usual = f"default: {entry['default']}" if entry["default"] else "required"
            usual = INSTEAD.get((file, table, key), usual)
            means = entry["means"].replace("\n", " ")
            yield f"* **`{key}`**: {entry['takes']}; {usual}.\n  {means}"
            yield f"  <br>`{entry['example']}`"
        yield ""


INSTEAD = {
    **{
        (file, "domain", kind): "exactly one kind of input is required"
        for file in ("mechanism", "program", "composite")
        for kind in domain_table.KINDS_OF_INPUT
    },
    **{
        ("composite", "made", key): f"required with `{rule}`"
        for rule, keys in composite_file.EXTRAS.items()
        for key in keys
    },
}


def word_lines(words: str, said: Mapping[str, Any]) -> Iterator[str]:
    """The section of a list of words."""
    section = said["words"].get(words, {"entries": {}})
    known = section["entries"]
    agree(WORDS[words], known, known, words)
    yield f"### {section['title']}\n\n{section['text']}\n"
    for word in WORDS[words]:
        entry = known[word]
        at = f"At {entry['at']}, " if "at" in entry else ""
        value = f". {at}`{entry['example']}` is `{entry['value']}`" if "value" in entry else ""
        yield f"* **`{word}`**{arguments_of(words, word)}: {entry['means']}{value}"
    yield ""


def arguments_of(words: str, word: str) -> str:
    """The arguments of a law, those that may be left out in brackets."""
    if words != "laws":
        return ""
    names = law_text.WORDS[word][1]
    listed = ", ".join(f"[{name[:-1]}]" if name.endswith("?") else name for name in names)
    return f" `({listed})`"


def example_lines(file: str) -> Iterator[str]:
    """The examples of a kind of file, and their verdicts."""
    for name in SHOWN[file]:
        if name == "people.toml":
            yield f"```csv\n# people.csv\n{PEOPLE}```\n"
        yield f"```toml\n# {name}\n{EXAMPLES[name]}```\n"
    saved = "$ ahdp-verify verify noisy-size.toml --save noisy-size.json\nProved: ..."
    first = [saved] if file == "composite" else []
    checked = [name for name in SHOWN[file] if name != "noisy-size.toml"]
    lines = [f"$ ahdp-verify verify {name} --expect\n...\n$ echo $?\n0" for name in checked]
    yield "\n".join(("```console", *first, *lines, "```\n"))


def page() -> str:
    """The whole page."""
    said = described()
    if unknown := said["words"].keys() - WORDS.keys():
        raise Undescribed(f"no reader has a list of words called {', '.join(unknown)}")
    lines = [HEAD]
    for file, title in FILES.items():
        text = said["intro"][file]["text"].replace("\n", " ")
        lines += [f"## {title}\n", f"{text}\n", *key_lines(file, said)]
        lines += ["### Examples: " + title[0].lower() + title[1:] + "\n", *example_lines(file)]
    lines += ["## Words\n", f"{said['names']['text']}\n"]
    lines += [*(line for words in WORDS for line in word_lines(words, said))]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
