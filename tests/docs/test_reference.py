"""docs/toml.md names exactly what the readers of files accept, and its examples are what it
says.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from ahdp_verify import Abs, BadInput, Domain, Mechanism, eq, exp, name, real
from ahdp_verify.analysis.moments.context import value_at
from ahdp_verify.constants import holds
from ahdp_verify.files.argument_file import read_argument_file
from ahdp_verify.files.composite_file import read_pipeline_file
from ahdp_verify.files.law_text import LawText
from ahdp_verify.files.mechanism_file import read_mechanism_file
from ahdp_verify.files.program_file import read_program_file
from ahdp_verify.files.scope import ExpressionScope
from ahdp_verify.files.sensitivity_file import read_sensitivity_file
from ahdp_verify.kernel.model.claim import Claim
from ahdp_verify.kernel.model.mechanism import Output
from ahdp_verify.kernel.terms.expression import label, substitute
from ahdp_verify.kernel.terms.grammar import parse
from docs.builder import reference
from docs.builder.reference import EXAMPLES, KEYS, WORDS, Undescribed, described, entries, page
from tests.repository.test_readme import ROOT

PAGE = reference.PAGE.read_text(encoding="utf-8")
SAID = described()
UNKNOWN = "the key is not known"
ALL_KEYS = sorted({key for tables in KEYS.values() for keys in tables.values() for key in keys})
W = '[domain]\nrecords = [["0", "1"], ["1", "2"]]\n'
PROGRAM = (
    'domain.queries = "n"\n'
    'program = {start = ["goto w"], state = {w = {query = ["output true", "stop"]}}}\n'
)
PART = W + '[[part]]\nname = "p"\n'
NOISE = 'outputs = [{name = "s", kind = "real"}]\ndensity = "exp(-abs(s - size))/2"\n'
QUERY = '[entries]\nsize = "n"\nvalues = "0 <= x <= 1"\n[query]\nanswer = "sum(x)"\n'
# Kind of file -> table -> a file, and where in it the table is.
PLACES: dict[str, dict[str, tuple[str, tuple[str | int, ...]]]] = {
    "mechanism": {
        "": (W + "[mechanism]\n" + NOISE, ()),
        "domain": (W + "[mechanism]\n" + NOISE, ("domain",)),
        "mechanism": (W + "[mechanism]\n" + NOISE, ("mechanism",)),
        "output": (W + "[mechanism]\n" + NOISE, ("mechanism", "outputs", 0)),
        "atom": (
            W + "[mechanism]\n" + NOISE + 'atoms = [{at = "0", mass = "0"}]\n',
            ("mechanism", "atoms", 0),
        ),
        "claim": (W + "[mechanism]\n" + NOISE + '[[claim]]\nrelation = "ahdp"\n', ("claim", 0)),
        "grid": (
            '[domain]\nrecords = {values = "1 to 2", demands = ["1"]}\n[mechanism]\n' + NOISE,
            ("domain", "records"),
        ),
        "people": (
            '[domain]\nrecords = {csv = "p.csv", value = "a", demand = "e"}\n[mechanism]\n' + NOISE,
            ("domain", "records"),
        ),
        "family": (
            W + '[let]\nf = {over = "values of x", value = "1"}\n[mechanism]\n' + NOISE,
            ("let", "f"),
        ),
    },
    "program": {
        "": (PROGRAM, ()),
        "domain": (PROGRAM, ("domain",)),
        "program": (PROGRAM, ("program",)),
        "state": (PROGRAM, ("program", "state", "w")),
        "claim": (PROGRAM + '[[claim]]\nrelation = "all"\nlevel = "1"\n', ("claim", 0)),
    },
    "composite": {
        "": (PART + NOISE, ()),
        "domain": (PART + NOISE, ("domain",)),
        "written": (PART + NOISE, ("part", 0)),
        "assumed": (PART + "assumed = true\n", ("part", 0)),
        "file": (PART + 'file = "x.toml"\n', ("part", 0)),
        "record": (PART + 'record = "x.json"\n', ("part", 0)),
        "made": (PART + 'rule = "compose"\n', ("part", 0)),
        "claim": (PART + NOISE + '[[claim]]\nlevel = "1"\n', ("claim", 0)),
    },
    "argument": {
        "": ('[inequality]\nleft = "0"\nrelation = "<="\nright = "1"\n', ()),
        "inequality": ('[inequality]\nleft = "0"\nrelation = "<="\nright = "1"\n', ("inequality",)),
        "step": (
            '[inequality]\nleft = "0"\nrelation = "<="\nright = "1"\n[[step]]\nrelation = "<="\nright = "1"\n',
            ("step", 0),
        ),
        "cited": (
            '[inequality]\nleft = "0"\nrelation = "<="\nright = "1"\n[[cited]]\nfact = "f"\n',
            ("cited", 0),
        ),
    },
    "query": {
        "": (QUERY, ()),
        "entries": (QUERY, ("entries",)),
        "query": (QUERY, ("query",)),
        "claim": (QUERY + '[[claim]]\nbound = "1"\n', ("claim", 0)),
    },
}
OTHER_TABLE = {("grid", "csv")}  # with this key it is a table of people
READERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "mechanism": lambda document: read_mechanism_file(document, "file"),
    "program": lambda document: read_program_file(document, "file"),
    "composite": lambda document: read_pipeline_file(document, "file", ROOT),
    "argument": lambda document: read_argument_file(document, "file"),
    "query": lambda document: read_sensitivity_file(document, "file"),
}


def is_accepted(file: str, table: str, key: str) -> bool:
    """Whether the reader knows a key in a table, whatever it makes of its value."""
    if (table, key) in OTHER_TABLE:
        return False
    text, place = PLACES[file][table]
    document: Any = tomllib.loads(f"format = 2\n{text}")
    inside = document
    for step in place:
        inside = inside[step]
    inside.setdefault(key, "1")
    try:
        READERS[file](document)
    except BadInput as error:
        if "define the same part in different ways" in error.reason:
            return False
        return error.reason != UNKNOWN or error.where.rpartition(".")[2] != key
    return True


def listed(file: str, table: str) -> set[str]:
    """The keys under the heading of a table on the page."""
    title = reference.TITLES.get((file, table), f"`[{table}]`")
    kind = PAGE.partition(f"\n## {reference.FILES[file]}\n")[2]
    section = re.split(r"^##", kind.partition(f"\n### {title}\n")[2], flags=re.MULTILINE)[0]
    return set(re.findall(r"^\* \*\*`(\w+)`\*\*", section, re.MULTILINE))


def test_the_page_is_the_one_that_is_made() -> None:
    assert page() == PAGE, "run: python docs/builder/reference.py"


@pytest.mark.parametrize(
    ("file", "table"), [(file, table) for file in KEYS for table in KEYS[file]]
)
def test_the_page_lists_the_keys_that_the_reader_accepts(file: str, table: str) -> None:
    assert table in PLACES[file], f"say in PLACES where a file has the table {table}"
    accepted = {key for key in (*ALL_KEYS, "levle") if is_accepted(file, table, key)}
    assert listed(file, table) == accepted


@pytest.mark.parametrize("words", WORDS)
def test_the_page_lists_the_words_of_every_list(words: str) -> None:
    section = PAGE.partition(f"\n### {SAID['words'][words]['title']}\n")[2].partition("\n### ")[0]
    assert re.findall(r"^\* \*\*`(.+?)`\*\*", section, re.MULTILINE) == list(WORDS[words])


def every_word() -> Iterator[str]:
    for words in WORDS:
        yield from (word for word in WORDS[words] if word.isidentifier())
    yield from ("laplacian", "Exp")


@pytest.mark.parametrize("word", sorted(set(every_word())))
def test_a_word_is_listed_as_a_function_if_it_can_be_called(word: str) -> None:
    try:
        parse(f"{word}(1)")
        callable_ = word not in WORDS["operators"]
    except BadInput as error:
        callable_ = "is not a function" not in error.reason and word not in WORDS["operators"]
    assert callable_ == (word in WORDS["functions"])


def test_relations_and_kinds_of_outputs_are_those_that_are_accepted() -> None:
    """Of all words of the page and some others, each is accepted if and only if it is listed."""
    candidates = {word for words in WORDS for word in WORDS[words]} | {"pairs", "complex", "ahdp "}
    outputs = [Output("s", "real")]
    M = Mechanism(Domain([(0, 1)]), outputs=outputs, density=exp(-Abs(name("s"))) / 2)
    for word in sorted(candidates):
        try:
            Claim(M, word, name("eps"))
            known = True
        except BadInput as error:
            known = "is not a known relation" not in error.reason
        assert known == (word in WORDS["relations"]), word
        try:
            Output("s", word, [0] if word == "finite" else [])
            known = True
        except BadInput:
            known = False
        assert known == (word in WORDS["outputs"]), word


def test_what_is_not_described_and_what_does_not_exist_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shorter = deepcopy(SAID)
    del shorter["keys"]["mechanism"]["claim"]["delta"]
    with pytest.raises(Undescribed, match=r"mechanism file, table 'claim': describe delta"):
        entries("mechanism", "claim", shorter)
    longer = deepcopy(SAID)
    longer["keys"]["mechanism"]["claim"]["epsilon"] = {}
    with pytest.raises(Undescribed, match=r"epsilon is described .* no reader accepts it"):
        entries("mechanism", "claim", longer)
    monkeypatch.setitem(reference.WORDS, "functions", (*WORDS["functions"], "laplace"))
    with pytest.raises(Undescribed, match=r"functions: describe laplace"):
        page()


EXAMPLE_OF = [
    pytest.param(file, table, key, id=f"{file} {table or 'top'} {key}")
    for file in KEYS
    for table in KEYS[file]
    for key in KEYS[file][table]
]


@pytest.mark.parametrize(("file", "table", "key"), EXAMPLE_OF)
def test_the_example_of_a_key_is_a_line_of_an_example(file: str, table: str, key: str) -> None:
    """All examples on the page are decided, with the expected verdicts, by
    tests/repository/test_readme.py.
    """
    entry = entries(file, table, SAID)[key]
    texts = (
        [(ROOT / entry["seen"]).read_text(encoding="utf-8")]
        if "seen" in entry
        else list(EXAMPLES.values())
    )
    assert any(entry["example"] in text and re.search(rf"\b{key}\b", text) for text in texts)


def test_every_example_is_on_the_page_and_has_expectations() -> None:
    shown = {name for names in reference.SHOWN.values() for name in names}
    assert shown == EXAMPLES.keys()
    assert all("\nexpect = " in text for text in EXAMPLES.values())


VALUES = [
    pytest.param(entry["example"], entry["value"], id=f"{words} {word}")
    for words in WORDS
    for word, entry in SAID["words"][words]["entries"].items()
    if "value" in entry and words != "laws"
]


@pytest.mark.parametrize(("example", "value"), VALUES)
def test_the_value_of_an_example_is_the_one_shown(example: str, value: str) -> None:
    """On the dataset of the page: one record (0, 1/2), two records (1, 2)."""
    domain, s = Domain([(0, "1/2"), (1, "1/2"), (1, 2)]), real("s")
    M = Mechanism(domain, outputs=[s], density=exp(-Abs(s)) / 2, defined=domain.size >= 1)
    found = value_at(parse(example, records=domain.counts), M, [1, 0, 2])
    assert holds(eq(found, parse(value)))


@pytest.mark.parametrize("word", WORDS["laws"])
def test_a_law_has_at_the_point_shown_the_density_shown(word: str) -> None:
    entry, values = SAID["words"]["laws"]["entries"][word], (label("a"), label("b"))
    assert entry["example"].startswith(f"{word}(")
    of_law = LawText(entry["example"], "law", ExpressionScope({}, ()), output="s", values=values)
    law = of_law.law()
    at = entry["at"].split(",")[0].strip("`")
    point = label(at) if at.isalpha() else parse(at)
    found = dict((str(p), mass) for p, mass in law.atoms).get(str(point), law.density(point))
    assert holds(eq(substitute(found, {"v": values[0]}), parse(entry["value"])))


def test_functions_operators_and_laws_have_values() -> None:
    for words in ("functions", "operators", "laws"):
        assert [w for w, e in SAID["words"][words]["entries"].items() if "value" not in e] == []
