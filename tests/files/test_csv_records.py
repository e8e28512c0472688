"""Tables of people: exact values, shared records, and the line of whatever is wrong."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from ahdp_verify.files import csv_records
from ahdp_verify.files.csv_records import domain_from_csv, people_from_csv
from ahdp_verify.files.load import load
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.kernel.terms.expression import log, number, oo
from ahdp_verify.search.verify import verify

PEOPLE = """name,age,town,eps
ann,34,Ulm,0.1

"Bob, jr.",34,"Ulm, Donau",1/10
cyd,.5,Ulm,log(2)
dan,34,Ulm,0.10
eva,34,Ulm,inf
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "users.csv"
    path.write_text(PEOPLE)
    return path


def test_numbers_are_exact_and_the_rest_are_labels(table: Path) -> None:
    ages = domain_from_csv(table, value="age", demand="eps").records
    assert [(r.value, r.demand) for r in ages] == [
        (number(34), number(Fraction(1, 10))),
        (number("1/2"), log(2)),
        (number(34), oo),
    ]
    pairs = domain_from_csv(table, value=("age", "town"), demand="eps").records
    assert [str(r) for r in pairs][:2] == ['((34, "Ulm"), 1/10)', '((34, "Ulm, Donau"), 1/10)']


def test_a_record_is_listed_once_and_who_shares_it_is_said(table: Path) -> None:
    people = people_from_csv(table, value="age", demand="eps", id="name")
    assert people.dataset.counts == (3, 1, 1)
    assert people.sharing(people.domain.records[0]) == ("ann", "Bob, jr.", "dan")
    assert people.summary == (
        "users.csv: 5 people, 3 different records; (34, 1/10) is shared by 3 people: ann, Bob, jr., dan"
    )
    assert [p.name for p in people_from_csv(table, value="age", demand="eps").people] == [
        "line 2", "line 4", "line 5", "line 6", "line 7",
    ]  # fmt: skip


def test_a_mechanism_file_reads_the_table_beside_it(table: Path) -> None:
    path = table.with_name("mean.toml")
    path.write_text(
        'format = 2\ndomain.records = {csv = "users.csv", value = "age", demand = "eps", id = "name"}\n'
        'mechanism.outputs = [{name = "s", law = "laplace(size, 10)"}]\nclaim = [{relation = "ahdp"}]'
    )
    (claim,) = load(path).claims
    assert verify(claim).outcome == "proved"
    path.write_text(path.read_text().replace("users.csv", "user.csv"))
    with pytest.raises(BadInput, match=r"user\.csv: there is no such file"):
        load(path)


@pytest.mark.parametrize(
    "text", ["a;eps\n1;0.5\n2;1\n", "\ufeffa,eps\r\n1,0.5\r\n2,1\r\n", "eps,a\n0.5,1\n1,2"]
)
def test_separators_marks_and_line_ends_do_not_matter(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    assert [str(r) for r in domain_from_csv(path, value="a", demand="eps").records] == [
        "(1, 1/2)",
        "(2, 1)",
    ]


MISTAKES = [
    ("a,eps\n1,\n", "line 2: the eps is missing; fill it in, or leave the person out"),
    ("a,eps\n1,1\n\n,1\n", "line 4: the a is missing"),
    ("a,eps\nNA,1\n", "line 2: the a is missing"),
    ("a,eps\n1,1\nunknown,1\n", "line 3: the a unknown is not a number, and that of the first"),
    ("a,eps\nyes,1\n0,1\n", "line 3: the a 0 is a number, and that of the first person is yes"),
    ("a,eps\n1,-1\n", "line 2, demand: the demand -1 is negative"),
    ("a,eps\n1,lots\n", "line 2: the eps lots is not a demand; write a number such as 0.5"),
    ('a,eps\n1,"very private"\n', "line 2: the eps very private is not a demand"),
    (
        "a;eps\n1;0,5\n",
        "line 2: the eps 0,5 has a comma; write 0.5 if it is the decimal point, or leave it out",
    ),
    ('a,eps\n"1,5",1\n', "line 2: the a 1,5 has a comma; write 1.5 if"),
    ("a,eps\n1,5,1\n", "line 2: it has 3 cells in place of 2"),
    ("a;b,eps\n1;2,1\n", "line 1: both commas and semicolons occur in the header"),
    ("a\teps\n1\t1\n", "line 1: its columns are separated by tabs"),
    ("a,epz\n1,1\n", "line 1: there is no column called eps; did you mean epz?"),
    ("a,b\n1,1\n", "there is no column called eps; the columns are a, b"),
    ("a,eps,eps\n1,1,1\n", "there are two columns called eps"),
    ("a,eps\n", "it has no rows below the header"),
    ("", "there is no column called a"),
    ('a,eps\n"1,1\n', "line 2: it is not CSV"),
    ("a,eps\n1,1\n1,1e3\n", "line 3: the eps 1e3 is not a demand"),
]


@pytest.mark.parametrize(("text", "says"), MISTAKES)
def test_a_mistake_names_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(BadInput) as raised:
        domain_from_csv(path, value="a", demand="eps")
    assert says in str(raised.value)


def test_other_encodings_and_large_tables_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,eps\nM\u00fcnchen,1\n".encode("latin-1"))
    with pytest.raises(BadInput, match="line 2: it is not UTF-8 text; save the file as UTF-8"):
        domain_from_csv(path, value="a", demand="eps")
    path.write_text("a,eps\n1,1\n2,1\n3,1\n")
    monkeypatch.setattr(csv_records, "PEOPLE", 2)
    with pytest.raises(BadInput, match="it has more than 2 rows"):
        domain_from_csv(path, value="a", demand="eps")
    monkeypatch.setattr(csv_records, "LARGEST", 5)
    with pytest.raises(BadInput, match="the file has more than 5 bytes"):
        domain_from_csv(path, value="a", demand="eps")


@pytest.mark.parametrize("age", ["1e-5", "50%", "10_000"])
def test_a_number_in_another_notation_is_no_label(age: str, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text(f"age;eps\n{age};1\n{age};2\n")
    with pytest.raises(BadInput, match=r"line 2: the age .* is a number in another notation"):
        domain_from_csv(table, value="age", demand="eps")
