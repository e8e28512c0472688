"""Whether every record is byte for byte the same for every hash seed and in every run.

    python bench/reproducible.py [--seeds N] [--seconds N] [--out FOLDER] [FILE.toml ...]

The claims of the mechanism files (by default all under proofs/) are decided once for each of N
hash seeds, every file in a process of its own.  The records are left in FOLDER/SEED/; those that
differ are listed, and the exit code is then 1.  A claim that ran out of time states this in its
reasons and has no record; a claim that is decided for some seeds only is listed too.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


sys.path.insert(0, str(ROOT))


def decide(files: list[str], seconds: float, out: Path) -> None:
    """Writes the records of the files to the folder; files are decided in forks of this process."""

    for file in files:
        child = os.fork()
        if child == 0:
            try:
                keep(Path(file), seconds, out)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


def keep(file: Path, seconds: float, out: Path) -> None:
    """One record for each claim of a file that is decided."""
    from ahdp_verify.analysis.arguments import examine  # noqa: PLC0415
    from ahdp_verify.files.argument_file import ArgumentFile  # noqa: PLC0415 - in the worker only
    from ahdp_verify.files.load import load  # noqa: PLC0415
    from ahdp_verify.kernel.errors import AhdpError  # noqa: PLC0415
    from ahdp_verify.search.limits import Limits  # noqa: PLC0415
    from ahdp_verify.search.verify import verify  # noqa: PLC0415

    limits = Limits(seconds=seconds)
    try:
        content = load(file)
        for i, claim in enumerate(content.claims, 1):
            target = out / f"{file.parent.name}-{file.stem}-{i}.json"
            try:
                if isinstance(content, ArgumentFile):
                    examine(content.argument, limits).verdict.save(target)
                else:
                    verify(claim, limits).save(target)
            except AhdpError as error:
                target.with_suffix(".txt").write_text(f"{error}\n", encoding="utf-8")
    except AhdpError as error:
        print(f"{file}: {error}", file=sys.stderr)


def main() -> int:
    """0 if all records are the same for all seeds, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "reproducible")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    files = asked.files or [str(path) for path in sorted(ROOT.glob("proofs/*/[!.]*.toml"))]
    if asked.worker:
        decide(files, asked.seconds, asked.out)
        return 0
    folders = [asked.out / str(seed) for seed in range(asked.seeds)]
    for seed, folder in enumerate(folders):
        folder.mkdir(parents=True, exist_ok=True)
        for stale in (*folder.glob("*.json"), *folder.glob("*.txt")):
            stale.unlink()
        command = [sys.executable, __file__, "--worker", f"--seconds={asked.seconds}"]
        settings = os.environ | {"PYTHONHASHSEED": str(seed)}
        subprocess.run([*command, f"--out={folder}", *files], env=settings, check=True)
    names = sorted({path.name for folder in folders for path in folder.glob("*.json")})
    kept = {name: {content(folder / name) for folder in folders} for name in names}
    differing = [name for name in names if len(kept[name]) > 1]
    for name in differing:
        print(f"{name}: {'missing' if b'' in kept[name] else 'differs'}")
    print(f"{len(names)} records, {asked.seeds} hash seeds: {len(differing)} differ")
    return 1 if differing else 0


def content(path: Path) -> bytes:
    """The bytes of a file, empty if it is missing."""
    return path.read_bytes() if path.exists() else b""


if __name__ == "__main__":
    sys.exit(main())
