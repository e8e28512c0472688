"""JSON files: one text for one content, seals that notice every change, writing that leaves no
partial files.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.kernel.errors import BadInput

leaves = st.none() | st.booleans() | st.integers() | st.text()
documents = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
records = st.dictionaries(st.text().filter(lambda key: key != jsonfile.SEAL), documents, max_size=4)


@given(documents)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    path = tmp_path_factory.mktemp("json") / "data.json"
    jsonfile.write_json(data, path)
    assert jsonfile.read_json(path) == data
    assert path.read_text(encoding="ascii") == jsonfile.canonical_text(data) + "\n"


@given(records, st.randoms(use_true_random=False))
def test_the_text_does_not_depend_on_the_order_of_keys(record: dict[str, Any], random: Any) -> None:
    shuffled = list(record.items())
    random.shuffle(shuffled)
    assert jsonfile.canonical_text(dict(shuffled)) == jsonfile.canonical_text(record)


@given(records, st.text().filter(lambda key: key != jsonfile.SEAL), documents)
def test_a_seal_notices_every_change(record: dict[str, Any], key: str, value: Any) -> None:
    sealed = jsonfile.seal(record)
    assert jsonfile.is_sealed(sealed) and not jsonfile.is_sealed(record)
    changed = sealed | {key: value}
    assert jsonfile.is_sealed(changed) == (
        jsonfile.canonical_text(changed) == jsonfile.canonical_text(sealed)
    )
    assert not jsonfile.is_sealed(sealed | {jsonfile.SEAL: "0" * 64})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a complete JSON document"),
        (b'{"a": [1, 2', "not a complete JSON document"),
        (b"\x80\x81", "byte 1 is not UTF-8"),
        (b"[0.5]", "the number 0.5 in it is not exact"),
        (b"[NaN]", "the number NaN in it is not exact"),
        (b"[-Infinity]", "the number -Infinity in it is not exact"),
        (b'{"a": 1, "a": 1}', "a key is repeated"),
        (b"[" * 100_000, "nested too deep"),
        (b"1" * 5000, "not a complete JSON document"),
    ],
)
def test_what_is_not_exact_json_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=reason) as error:
        jsonfile.read_json(path)
    assert error.value.where == str(path) and "\n" not in str(error.value)


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path, "folder"),
        (tmp_path / "none.json", "no such file"),
        (Path(os.devnull), "not an ordinary file"),
    ):
        with pytest.raises(BadInput, match=reason):
            jsonfile.read_json(path)
    for path, reason in (
        (tmp_path, "folder"),
        (tmp_path / "none" / "a.json", "no folder"),
        (Path(os.devnull), "not an ordinary file"),
    ):
        with pytest.raises(BadInput, match=reason):
            jsonfile.write_json({}, path)


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(jsonfile.LARGEST + 1)
    with pytest.raises(BadInput, match="more than"):
        jsonfile.read_json(path)


def test_a_failed_write_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.json"
    jsonfile.write_json("before", path)

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(BadInput, match="No space left"):
        jsonfile.write_json("after", path)
    assert [p.name for p in tmp_path.iterdir()] == ["data.json"] and jsonfile.read_json(
        path
    ) == "before"


def test_a_link_stays_a_link_and_the_usual_permissions_hold(tmp_path: Path) -> None:
    path, link = tmp_path / "data.json", tmp_path / "link.json"
    link.symlink_to(path)
    jsonfile.write_json([1], link)
    assert link.is_symlink() and jsonfile.read_json(path) == [1]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


def test_the_text_is_ascii_and_has_no_spaces() -> None:
    assert jsonfile.canonical_text({"b": "ü", "a": [1, None]}) == '{"a":[1,null],"b":"\\u00fc"}'
    assert json.loads(jsonfile.canonical_text({"b": "ü"})) == {"b": "ü"}
    with pytest.raises(ValueError):
        jsonfile.canonical_text(float("nan"))
