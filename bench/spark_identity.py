"""The same bytes from one machine and from a cluster: `python -m bench.spark_identity [ROWS]`.

Local recoding, full-domain (flash, datafly), Mondrian, price and rank-match at a million rows, on a
standalone cluster of two workers that reads the file in 2 and in 7 parts. Rows keep their order, so
the files of a release on the cluster, one after the other, must be the local file.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.apps.cli.app import main as command
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.files.contest_files import to_contest_bytes
from tokumei.files.spark.session import spark_session
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import sample_history
from tokumei.tables.datasets.households import sample_table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.spark_cluster import SETTINGS, SparkCluster  # type: ignore[import-not-found]

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = 1_000_000
PARTS = (2, 7)
QI = "household_size,head_age_band,head_sex,occupation,region"
TABLE = ("anonymize", "table", "--qi", QI, "--k", "5", "--keep-order", "--seed", "1")


@dataclass(frozen=True)
class Case:
    """A command, the file it reads, and whether its files begin with the names of the columns."""

    name: str
    data: str
    arguments: tuple[str, ...]
    header: bool = True


def cases(folder: Path) -> list[Case]:
    prices = ("--patterns", str(folder / "prices.csv"), "--k", "5", "--keep-order")
    history = ("anonymize", "history", "--method", "rank-match", "--k", "6", "--seed", "1")
    return [
        Case("local", "people.csv", (*TABLE, "--method", "local")),
        Case("flash", "people.csv", (*TABLE, "--method", "flash")),
        Case("datafly", "people.csv", (*TABLE, "--method", "datafly")),
        Case("mondrian", "people.csv", (*TABLE, "--method", "mondrian")),
        Case(
            "mondrian-hierarchical",
            "people.csv",
            (*TABLE, "--method", "mondrian-hierarchical", "--hierarchies", "auto"),
        ),
        Case("price", "priced.csv", ("price", "optimize", *prices)),
        Case("rank-match", "T.csv", history, header=False),
    ]


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    # One folder for all, on a disk with room for it; removed at the end.
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        _write_samples(folder, rows)
        found = {case.name: _run(case, folder, f"{case.name}.csv") for case in cases(folder)}
        print(f"{rows:,} rows; seconds depend on the machine\n", flush=True)
        print(
            "| method | parts | same bytes | local s | Spark s |\n|---|---|---|---|---|", flush=True
        )
        with (
            SparkCluster.started(folder / "cluster") as cluster,
            spark_session(cluster.master, settings=SETTINGS) as session,
        ):
            for parts in PARTS:
                for case in cases(folder):
                    seconds, same = _on_cluster(case, folder, session, cluster.master, parts)
                    print(
                        f"| {case.name} | {parts} | {'yes' if same else 'NO'} | "
                        f"{found[case.name]:.1f} | {seconds:.1f} |",
                        flush=True,
                    )


def _write_samples(folder: Path, rows: int) -> None:
    (folder / "cluster").mkdir()
    sample_table(rows, seed=1).frame.select(*QI.split(","), "food").write_csv(folder / "people.csv")
    people, prices = sample_prices(rows, seed=2, correlated=True)
    people.write_csv(folder / "priced.csv")
    prices.write_csv(folder / "prices.csv")
    (folder / "T.csv").write_bytes(to_contest_bytes(format_history(sample_history(rows, seed=1))))


def _run(case: Case, folder: Path, out: str, *more: str) -> float:
    """Seconds of a command that must succeed."""
    files = ("--data", str(folder / case.data), "--out", str(folder / out))
    started = time.perf_counter()
    with (
        contextlib.redirect_stdout(sys.stderr),
        contextlib.suppress(SystemExit),
    ):
        command([*case.arguments, *files, *more])
    if not (folder / out).exists():
        raise RuntimeError(f"{case.name} wrote nothing")
    return time.perf_counter() - started


def _on_cluster(
    case: Case, folder: Path, session: SparkSession, master: str, parts: int
) -> tuple[float, bool]:
    """Seconds on the cluster, and whether its files are the local file."""
    size = (folder / case.data).stat().st_size
    session.conf.set("spark.sql.files.minPartitionNum", "1")
    session.conf.set("spark.sql.files.openCostInBytes", "1")
    session.conf.set("spark.sql.files.maxPartitionBytes", str(-(-size // parts)))
    out = f"{case.name}-{parts}.csv"
    seconds = _run(case, folder, out, "--engine", "spark", "--master", master)
    pieces = sorted((folder / out).glob("part-*"))
    same = _digest(pieces, case.header) == _digest([folder / f"{case.name}.csv"], case.header)
    return seconds, same


def _digest(pieces: list[Path], header: bool) -> str:
    found = sha256()
    for line in _lines(pieces, header):
        found.update(line)
    return found.hexdigest()


def _lines(pieces: list[Path], header: bool) -> Iterator[bytes]:
    """The lines of files, with the first line of the first only if it names the columns."""
    for number, piece in enumerate(pieces):
        with piece.open("rb") as stream:
            if header and number:
                next(stream, None)
            yield from stream


if __name__ == "__main__":
    main()
