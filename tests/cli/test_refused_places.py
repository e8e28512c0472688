"""Places that cannot be written to, and paths that are not files, are refused in one sentence
before anything is computed.

That nothing was computed is seen from the search, which fails the test if it is called.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.testing import CliRunner

import ahdp_verify.canonical_json as jsonfile
from ahdp_verify.cli.app import app
from ahdp_verify.kernel.errors import BadInput
from ahdp_verify.search import verify as search

CLAIM = """format = 2
domain.records = [["0", "1"], ["1", "1"]]
mechanism = {outputs = [{name = "s", kind = "real"}], density = "exp(-abs(s - size))/2"}
claim = [{relation = "ahdp"}]
"""
posix = pytest.mark.skipif(
    sys.platform == "win32", reason="devices, FIFOs and permissions are those of POSIX"
)


def asked(*arguments: Any, **keywords: Any) -> NoReturn:
    raise AssertionError("the search was asked")


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def dangling(folder: Path) -> Path:
    (folder / "link").symlink_to(folder / "none" / "x.json")
    return folder / "link"


def circle(folder: Path) -> Path:
    (folder / "a").symlink_to(folder / "b")
    (folder / "b").symlink_to(folder / "a")
    return folder / "a"


def below_a_file(folder: Path) -> Path:
    (folder / "file").write_text("x")
    return folder / "file" / "x.json"


PLACES: dict[str, Callable[[Path], object]] = {
    "a name of 300 characters": lambda folder: folder / ("x" * 300),
    "a name of 300 characters in a folder like that": lambda folder: (
        folder / ("x" * 300) / "x.json"
    ),
    "a path of 5000 characters": lambda folder: "x/" * 2500 + "y.json",
    "no such folder": lambda folder: folder / "none" / "x.json",
    "below a file": below_a_file,
    "a FIFO": fifo,
    "a device": lambda folder: "/dev/zero",
    "a full device": lambda folder: "/dev/full",
    "a link to nowhere": dangling,
    "links in a circle": circle,
    "a folder of the system": lambda folder: "/proc/x.json",
}
OUTPUTS = (
    ["verify", "FILE", "--save"],
    ["sample", "FILE", "--dataset", "1,0", "--out"],
    ["power", "FILE", "--one-more", "--save"],
    ["paper", "--html"],
    ["paper", "--markdown"],
    ["delta", "FILE", "--plot"],
)


@pytest.fixture
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A mechanism file with one claim."""
    path = tmp_path_factory.mktemp("input") / "count.toml"
    path.write_text(CLAIM)
    return str(path)


@posix
@pytest.mark.parametrize("make", PLACES.values(), ids=PLACES.keys())
def test_refused_before_the_search(
    make: Callable[[Path], object], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "verify", asked)
    monkeypatch.setattr("ahdp_verify.cli.paper.print_results", asked)
    monkeypatch.setattr("ahdp_verify.analysis.divergence.curve.delta_curve", asked)
    place = str(make(tmp_path))
    before = sorted(tmp_path.iterdir())
    for command in OUTPUTS:
        result = CliRunner().invoke(
            app, [*(file if part == "FILE" else part for part in command), place]
        )
        assert (
            result.exit_code == 2
            and result.output.startswith("ahdp-verify: ")
            and result.output.count("\n") == 1
        ), (command, result.output)
        assert "internal error" not in result.output and "searched" not in result.output, (
            command,
            result.output,
        )
    assert sorted(tmp_path.iterdir()) == before


@posix
def test_a_folder_that_may_not_be_written_to(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system says it (the superuser may write anywhere, so the system call says it here)."""
    monkeypatch.setattr(search, "verify", asked)
    opened = os.open

    def refused(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        if flags & os.O_CREAT and Path(path).parent == tmp_path:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", refused)
    result = CliRunner().invoke(app, ["verify", file, "--save", str(tmp_path / "x.json")])
    assert result.exit_code == 2 and "Permission denied" in result.output


@posix
@pytest.mark.parametrize(
    "make",
    [
        fifo,
        lambda folder: "/dev/zero",
        lambda folder: "/dev/stdin",
        lambda folder: folder,
        circle,
        lambda folder: "x" * 300,
        lambda folder: "a\0b",
    ],
    ids=[
        "a FIFO",
        "endless",
        "standard input",
        "a folder",
        "links in a circle",
        "a long name",
        "a zero byte",
    ],
)
def test_files_that_are_none(make: Callable[[Path], object], tmp_path: Path) -> None:
    place = str(make(tmp_path))
    experiment = ["experiment", "regression", "--data", place, "--out", str(tmp_path / "out")]
    for command in (
        ["verify", f"{place}.toml"],
        ["recheck", place],
        ["explain", place],
        ["simulate", place],
        experiment,
    ):
        result = CliRunner().invoke(app, command)
        assert (
            result.exit_code == 2
            and result.output.count("\n") == 1
            and "internal error" not in result.output
        ), (command, result.output)
    assert not (tmp_path / "out").exists()


@posix
def test_a_file_whose_size_says_nothing_is_read_with_a_limit(tmp_path: Path) -> None:
    """Files of the system have the size 0, whatever is in them."""
    assert jsonfile.file_bytes("/proc/self/status", 100_000, "")
    with pytest.raises(BadInput, match="has more than 10 bytes"):
        jsonfile.file_bytes("/proc/self/status", 10, "give a smaller one")


@posix
def test_the_temporary_file_is_new_and_nobody_guesses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, flags, synced = list[str](), list[int](), list[int]()
    opened, sync = os.open, os.fsync

    def noted(path: Any, how: int, mode: int = 0o777, **more: Any) -> int:
        names.append(os.path.basename(path))
        flags.append(how)
        return opened(path, how, mode, **more)

    monkeypatch.setattr(os, "open", noted)
    monkeypatch.setattr(
        os, "fsync", lambda fd: (synced.append(stat.S_IFMT(os.fstat(fd).st_mode)), sync(fd))
    )
    for _ in range(2):
        jsonfile.write_json({}, tmp_path / "x.json")
    made = [name for name, how in zip(names, flags, strict=True) if how & os.O_CREAT]
    assert len(made) == len(set(made)) == 4  # each time one to try the place, one to write
    assert all(how & os.O_EXCL for how in flags if how & os.O_CREAT)
    assert synced == [stat.S_IFREG, stat.S_IFDIR] * 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


@posix
def test_permissions_are_those_of_the_user_and_of_the_file_before(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        jsonfile.write_json({}, tmp_path / "x.json")
        assert stat.S_IMODE((tmp_path / "x.json").stat().st_mode) == 0o640
        (tmp_path / "x.json").chmod(0o600)
        jsonfile.write_json({}, tmp_path / "x.json")
        assert stat.S_IMODE((tmp_path / "x.json").stat().st_mode) == 0o600
    finally:
        os.umask(before)


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "kept.json")
    jsonfile.write_json({}, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink() and (tmp_path / "kept.json").read_text() == "{}\n"
