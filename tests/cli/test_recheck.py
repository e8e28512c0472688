"""What `verify --save` writes, and `recheck` of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.search import verify as search
from tests.cli.bench import DENSITY, PROVED, PROVED_LINE, REFUTED, Bench, content, refuse


def saved(bench: Bench) -> list[str]:
    return sorted(str(path.relative_to(bench.folder)) for path in bench.folder.rglob("*.json"))


def test_one_claim_is_saved_under_its_name_and_several_under_numbers(bench: Bench) -> None:
    bench.write(content())
    assert bench.run("verify", "sum.toml", "--save", "a.json").exit_code == 0
    assert saved(bench) == ["a.json"]
    bench.write(content(claims=PROVED + 'name = "good"\n' + REFUTED))
    bench.run("verify", "sum.toml", "--save", "b.c.json")
    assert saved(bench) == ["a.json", "b.c-1.json", "b.c-2.json"]
    bench.run("verify", "sum.toml:good", "--save", "c.json")
    assert saved(bench)[-1] == "c.json"
    result = bench.run("recheck", *saved(bench))
    assert result.exit_code == 0 and result.stdout.count("valid: ") == 4


def test_a_folder_gets_files_named_like_the_mechanism_file(bench: Bench) -> None:
    bench.write(content(claims=PROVED + 'name = "good"\n' + REFUTED))
    bench.run("verify", "sum.toml", "--save", "deep/er/")
    bench.run("verify", "sum.toml:good", "--save", "deep")
    assert saved(bench) == ["deep/er/sum-1.json", "deep/er/sum-2.json", "deep/sum.json"]


def test_an_unknown_saves_nothing(bench: Bench, undecided: None) -> None:
    assert bench.run("verify", bench.write(content()), "--save", "a.json").exit_code == 3
    assert saved(bench) == []


def test_where_nothing_can_be_saved_nothing_is_searched(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "verify", refuse)
    bench.write(content())
    assert "there is no folder none" in bench.sentence(
        "verify", "sum.toml", "--save", "none/a.json"
    )
    assert "is the file that is read" in bench.sentence(
        "verify", "sum.toml", "--save", "./sum.toml"
    )
    assert "not an ordinary file" in bench.sentence("verify", "sum.toml", "--save", os.devnull)
    assert "it cannot be created" in bench.sentence(
        "verify", "sum.toml", "--save", "sum.toml/folder/"
    )


def test_a_record_that_cannot_be_saved_is_still_printed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    result = bench.run("verify", bench.write(content()), "--save", "a.json")
    assert (result.exit_code, result.stdout) == (2, PROVED_LINE)
    assert (
        result.stderr
        == "ahdp-verify: a.json: it cannot be written (No space left on device); check the folder and its permissions\n"
    )


@pytest.fixture
def certificate(bench: Bench) -> Path:
    bench.run("verify", bench.write(content()), "--save", "sum.json")
    return bench.folder / "sum.json"


def test_recheck_says_what_is_proved(bench: Bench, certificate: Path) -> None:
    assert bench.run("recheck", "sum.json").stdout == f"valid: sum.json: {PROVED_LINE}"
    assert bench.run("recheck", "sum.json", "--trust", "kernel").exit_code == 0
    assert bench.run("recheck", "sum.json", "--file", "sum.toml").exit_code == 0


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def changed(path: Path) -> None:
    path.write_text(path.read_text().replace('"1/2"', '"1/3"', 1))


def emptied(path: Path) -> None:
    path.write_text("")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (truncated, "not a complete JSON"),
        (changed, "changed after it was saved"),
        (emptied, "not a complete JSON"),
        (binary, "not UTF-8"),
        (Path.unlink, "no such file"),
    ],
)
def test_a_damaged_certificate_is_bad_input(
    bench: Bench, certificate: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(certificate)
    assert said in bench.sentence("recheck", "sum.json")


def test_a_certificate_of_another_mechanism_is_bad_input(bench: Bench, certificate: Path) -> None:
    bench.write(content(density=DENSITY.replace("sum(x)", "size")))
    said = bench.sentence("recheck", "sum.json", "--file", "sum.toml")
    assert "it says that sum is AHDP at level eps, which is not a claim of sum.toml" in said


def test_a_forged_certificate_is_invalid(bench: Bench, certificate: Path) -> None:
    record = jsonfile.read_json(certificate)
    record["scope"] = "scope: everything"
    del record[jsonfile.SEAL]
    jsonfile.write_json(jsonfile.seal(record), certificate)
    result = bench.run("recheck", "sum.json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert (
        result.stdout
        == "invalid: sum.json: its scope or its trusts are not those that the checker finds\n"
    )
    assert bench.run("recheck", "sum.json", "none.json").exit_code == 2, (
        "bad input comes before invalid"
    )


def test_every_certificate_is_checked_whatever_the_others_are(
    bench: Bench, certificate: Path
) -> None:
    result = bench.run("recheck", "none.json", "sum.json", "sum.toml")
    assert (
        result.exit_code == 2
        and result.stdout.startswith(
            f"valid: sum.json: {PROVED_LINE}3 records: 1 valid, 2 failed; "
        )
        and result.stderr.count("\n") == 2
    )
