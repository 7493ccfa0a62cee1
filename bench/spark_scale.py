"""How cost grows, on one machine and on a cluster: `python -m bench.spark_scale [ROWS …]`.

The whole command `anonymize table --method local` by every engine, beside Polars' and Spark's own
reading and writing of the same file. The cluster is a master and two workers of one core each, all
on this machine; every command opens its own session there.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from bench.enlarged import enlarged
from bench.families import FamilySpent, run_family
from bench.harness import write_section
from bench.recoding import FLOOR, K

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.spark_cluster import SparkCluster  # type: ignore[import-not-found]

MILLION = 1_000_000
ROWS = (1, 3, 10, 30)
COMPARED = 1
"""Millions of rows at which tuples, quasi-identifiers and workers vary."""
PLAIN = """
import sys
from pyspark.sql import SparkSession
session = SparkSession.builder.master(sys.argv[1]).getOrCreate()
kind, source, target = sys.argv[2:]
session.read.options(header=True).format(kind).load(source).write.options(header=True).format(
    kind).save(target)
session.stop()
"""
SUBMIT = (
    "--driver-memory 2g --executor-memory 3g --conf spark.driver.host=127.0.0.1 "
    "--conf spark.ui.enabled=false pyspark-shell"
)
TITLE = "How cost grows (`python -m bench.spark_scale`)"


@dataclass
class Scene:
    """A folder with a table as CSV and as Parquet, and the commands on it."""

    folder: Path
    qi: tuple[str, ...] = ()
    hierarchies: str = ""

    def write(self, millions: int, *, changed: float = 0.05, parquet: bool = False) -> None:
        """So many rows; 4 Parquet files, if asked for."""
        source = self.folder / "x.csv"
        shutil.rmtree(self.folder / "x.parquet", ignore_errors=True)
        with source.open("wb") as stream:
            for part in range(millions):
                frame, qi, self.hierarchies = enlarged(MILLION, seed=part, changed=changed)
                frame.write_csv(stream, include_header=part == 0)
        self.qi = tuple(qi)
        if parquet:
            (self.folder / "x.parquet").mkdir()
            rows = pl.scan_csv(source)
            share = millions * MILLION // 4
            for part in range(4):
                target = self.folder / "x.parquet" / f"{part}.parquet"
                rows.slice(part * share, share).sink_parquet(target)

    def ours(self, *engine: str, kind: str = "csv", qi: int | None = None) -> FamilySpent:
        """The whole command."""
        names = ",".join(self.qi[:qi])
        what = f"-m tokumei anonymize table --method local --k {K} --qi {names}".split()
        files = ["--data", str(self.folder / f"x.{kind}"), "--out", self._new(kind)]
        more = ["--hierarchies", self.hierarchies, *engine]
        return run_family([sys.executable, *what, *files, *more], env=_environment())

    def polars(self) -> FamilySpent:
        """Polars' reading and writing."""
        files = [str(self.folder / "x.csv"), self._new("csv")]
        return run_family([sys.executable, "-c", FLOOR, *files])

    def plain(self, master: str, kind: str = "csv") -> FamilySpent:
        """Spark's reading and writing."""
        files = [kind, str(self.folder / f"x.{kind}"), self._new(kind)]
        return run_family([sys.executable, "-c", PLAIN, master, *files], env=_environment())

    def _new(self, kind: str) -> str:
        """Where a command writes; nothing is there yet."""
        for old in self.folder.glob("y.*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        return str(self.folder / f"y.{kind}")

    @contextmanager
    def cluster(self, workers: int = 2) -> Iterator[tuple[str, ...]]:
        """The options of a cluster of so many workers; the last is its address."""
        place = self.folder / "cluster"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        with SparkCluster.started(place, workers=workers, memory="4g") as cluster:
            yield ("--engine", "spark", "--master", cluster.master)


def main() -> None:
    chosen = [int(number) for number in sys.argv[1:]] or list(ROWS)
    # One folder for all, on a disk with room for it; removed at the end.
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        scene, text = Scene(Path(name)), _heading()
        for millions in chosen:
            text += _row(scene, millions)
        text += _formats(scene, max(n for n in chosen if n <= 10)) + _compared(scene)
    print(text)
    write_section(TITLE, text)


def _heading() -> str:
    cells = "million rows|Polars r+w|local|stream|Spark r+w|Spark|Spark / r+w|driver MB|local MB"
    names = "| " + cells.replace("|", " | ") + " |\n"
    return f"Seconds of whole commands. {os.cpu_count()} cores.\n\n{names}" + "|---" * 9 + "|\n"


def _row(scene: Scene, millions: int) -> str:
    scene.write(millions)
    floor, local, stream = scene.polars(), scene.ours(), scene.ours("--engine", "stream")
    with scene.cluster() as options:
        plain, spark = scene.plain(options[-1]), scene.ours(*options)
    times = [f"{one.wall:.1f}" for one in (floor, local, stream, plain, spark)]
    ratio = f"**{spark.wall / plain.wall:.2f}**"
    return _line(str(millions), *times, ratio, f"{spark.peak_mb:,.0f}", f"{local.peak_mb:,.0f}")


def _formats(scene: Scene, millions: int) -> str:
    """CSV and Parquet, twice each: the ratio that is promised."""
    scene.write(millions, parquet=True)
    text = f"\n{millions} million rows through the cluster, twice (target: ratio ≤ 3)\n\n"
    text += "| files | Spark r+w | ours | ratio | driver MB |\n|---|---|---|---|---|\n"
    with scene.cluster() as options:
        for kind in ("csv", "parquet", "csv", "parquet"):
            plain, ours = scene.plain(options[-1], kind), scene.ours(*options, kind=kind)
            ratio = f"**{ours.wall / plain.wall:.2f}**"
            text += _line(
                kind, f"{plain.wall:.1f}", f"{ours.wall:.1f}", ratio, f"{ours.peak_mb:,.0f}"
            )
    return text


def _compared(scene: Scene) -> str:
    """Distinct tuples, quasi-identifiers and workers, one at a time."""
    text = f"\n{COMPARED} million rows, one thing varied\n\n"
    text += "| varied | distinct tuples | local | Spark |\n|---|---|---|---|\n"
    for changed in (0.0, 0.05, 1.0):
        scene.write(COMPARED, changed=changed)
        text += _varied(scene, f"{changed:.0%} of the rows changed", 8, 2)
    scene.write(COMPARED)
    for qi in (2, 4):
        text += _varied(scene, f"{qi} QI", qi, 2)
    return text + _varied(scene, "8 QI, 1 worker", 8, 1)


def _varied(scene: Scene, what: str, qi: int, workers: int) -> str:
    local = scene.ours(qi=qi)
    with scene.cluster(workers) as options:
        spark = scene.ours(*options, qi=qi)
    return _line(what, f"{_tuples(scene, qi):,}", f"{local.wall:.1f}", f"{spark.wall:.1f}")


def _tuples(scene: Scene, qi: int) -> int:
    names = scene.qi[:qi]
    rows = pl.scan_csv(scene.folder / "x.csv").select(names).unique().select(pl.len())
    return int(rows.collect(engine="streaming").item())


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |\n"


def _environment() -> dict[str, str]:
    return {"PYSPARK_SUBMIT_ARGS": SUBMIT, "PYSPARK_PYTHON": sys.executable}


if __name__ == "__main__":
    main()
