"""Reading, anonymizing and starting up, against plain Polars and a bare interpreter."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl

from bench.harness import Result, best_of
from tokumei.api.releases import anonymize, save
from tokumei.files.reading import read_frame
from tokumei.tables.anonymization.in_memory import build_method, make_release
from tokumei.tables.data.reading import read_table
from tokumei.tables.datasets.households import sample_table

ROWS = 200_000
LOOKED = 1_000_000


def results() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "x.csv"
        sample = sample_table(ROWS, seed=1)
        sample.frame.write_csv(source)
        return [
            _reading(source),
            *_anonymizing(source, Path(folder), sample.schema.qi[:6], sample.schema.sa),
            _start_up(),
            _looking(Path(folder)),
        ]


def _reading(source: Path) -> Result:
    ours = best_of(3, lambda: read_frame(source))
    floor = best_of(3, lambda: pl.read_csv(source, infer_schema=False))
    return Result(f"read a CSV of {ROWS:,} × 25", ours, floor, "Polars, all as text", "ratio ≤ 3")


def _anonymizing(source: Path, folder: Path, qi: list[str], sa: list[str]) -> list[Result]:
    """The whole way, and the same without the look that gives every column its fate."""

    def ours() -> None:
        release = anonymize(read_table(source, qi=qi, sa=sa), "mondrian", k=5, seed=1)
        save(release, folder / "y.csv", secret=folder / "link.csv")

    def without() -> None:
        method = build_method("mondrian", {"k": 5})
        release = make_release(read_table(source, qi=qi, sa=sa), method, seed=1)
        save(release, folder / "y.csv", secret=folder / "link.csv")

    floor = best_of(5, lambda: pl.read_csv(source).write_csv(folder / "z.csv"))
    what, name = f"read, Mondrian on 6 QI, verify, write {ROWS:,} × 25", "Polars read + write"
    return [
        Result(what, best_of(5, ours), floor, name, ""),
        Result(f"{what}, without the look", best_of(5, without), floor, name, ""),
    ]


def _looking(folder: Path) -> Result:
    """The whole command on a million rows of fifteen columns, people and texts among them."""
    source = folder / "wide.csv"
    people = sample_table(LOOKED, seed=1).frame
    columns = {
        "customer_id": [f"C{i:07d}" for i in range(LOOKED)],
        "remarks": ["", "call back", "moved", "no mailings"] * (LOOKED // 4),
    }
    people.select(people.columns[:13]).with_columns(
        **{name: pl.Series(cells) for name, cells in columns.items()}
    ).write_csv(source)
    ours = best_of(1, lambda: _run("-m", "tokumei", "look", str(source)))
    floor = best_of(2, lambda: pl.read_csv(source))
    what = f"tokumei look, {LOOKED:,} × 15, the whole command"
    return Result(what, ours, floor, "Polars read", "≤ 10 s, ratio ≤ 20")


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)


def _start_up() -> Result:
    tokumei = Path(sys.executable).with_name("tokumei")
    ours = best_of(5, lambda: subprocess.run([tokumei, "--help"], capture_output=True, check=True))
    bare = [sys.executable, "-c", "pass"]
    floor = best_of(5, lambda: subprocess.run(bare, check=True))
    return Result("tokumei --help", ours, floor, "python -c pass", "≤ 0.5 s")
