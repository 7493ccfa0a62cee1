"""Releases of histories on a cluster: written to hidden paths, verified there, then renamed.

save_history_on_spark(release, "hdfs:///A.csv", public="hdfs:///public.csv", secret="people.csv")
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import polars as pl

from tokumei.data.cells import STAR
from tokumei.data.files.atomic import write_all
from tokumei.data.files.contest_text import CONTEST_SUFFIXES, contest_cells
from tokumei.data.files.formats import Format, format_of, input_error
from tokumei.data.files.history_outputs import rows_output
from tokumei.data.files.writing import text_output
from tokumei.data.history import COLUMNS
from tokumei.data.json_text import as_json_text
from tokumei.engine.spark_files import FORMS, quoted, read_spark, reread, write_spark
from tokumei.engine.spark_paths import SparkPaths
from tokumei.engine.spark_rows import NUMBER
from tokumei.progress import meter
from tokumei.spark_histories import SparkHistoryRelease
from tokumei.text import Text
from tokumei.verify.history.on_spark import identical_on_spark, require_identical_on_spark
from tokumei.verify.on_spark import Found

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LINE = "value"


def save_history_on_spark(
    release: SparkHistoryRelease,
    aligned: str | None = None,
    *,
    public: str | None = None,
    secret: str | None = None,
    sep: str = ",",
) -> None:
    """Write the rows to hidden paths, verify them there, and only then rename.

    `aligned` gets all rows in the original's order (a secret), `public` what may be handed out
    with its manifest; `secret`, on this machine, who is who with the seed. Files in a folder follow
    each other by name.
    """
    paths = SparkPaths(release.cells.sparkSession)
    targets = {path: path == public for path in (aligned, public) if path is not None}
    for path in targets:
        format_of(path, CONTEST_SUFFIXES if release.format == "pws2018" else FORMS)
        paths.require_new(path)
    cells = release.cells.persist()
    try:
        with ExitStack() as stack:
            hidden = {path: stack.enter_context(paths.staged(path)) for path in targets}
            for path, handed_out in targets.items():
                with meter(Text("writing and verifying", "書き出しと検証中")):
                    _write(release, cells, path, hidden[path], sep, handed_out=handed_out)
            _write_secret(release, secret)
            if public is not None:
                paths.write_text(as_json_text(release.manifest()), f"{public}.manifest.json")
            for path, place in hidden.items():
                paths.publish(place, path)
    finally:
        cells.unpersist()


def check_history_on_spark(session: SparkSession, path: str, k: int) -> Found:
    """The histories in a contest's public file that fewer than k people have, whoever made it."""
    from pyspark.sql import functions as f

    if format_of(path, CONTEST_SUFFIXES) is Format.PARQUET:
        table = read_spark(session, path).frame
        contest_cells(pl.DataFrame(schema=dict.fromkeys(table.columns)), COLUMNS, where=path)
        cells = (quoted(name).cast("string") for name in table.columns)
        return identical_on_spark(table.select(*cells).toDF(*COLUMNS), k)
    SparkPaths(session).data_files(path)
    fields = f.size(f.split(_LINE, ",", -1))
    broken = session.read.text(path).where((f.col(_LINE) != "") & (fields != len(COLUMNS)))
    if total := broken.count():
        reason = Text(
            f"{total} line(s) do not have {len(COLUMNS)} fields between commas",
            f"コンマで区切った {len(COLUMNS)} 個の欄を持たない行が {total} 行あります",
        )
        raise input_error(path, reason)
    return identical_on_spark(_lines(session, path), k)


def _write(
    release: SparkHistoryRelease,
    cells: DataFrame,
    path: str,
    hidden: str,
    sep: str,
    *,
    handed_out: bool,
) -> None:
    from pyspark.sql import functions as f

    line = f.concat_ws(",", *COLUMNS)
    rows = cells.orderBy(NUMBER)
    if handed_out:
        rows = cells.where(f.col("customer") != STAR).orderBy(line)
    form = format_of(path)
    session = cells.sparkSession
    if release.format == "pws2018" and form is not Format.PARQUET:
        packed = "gzip" if form is Format.CSV_GZ else "none"
        rows.select(line.alias(_LINE)).write.text(hidden, compression=packed)
        written = _lines(session, hidden)
    else:
        write_spark(rows.select(*COLUMNS), hidden, form, sep=sep)
        written = reread(session, hidden, list(COLUMNS), form, sep)
    expected = release.kept if handed_out else release.rows
    if (found := written.count()) != expected:
        raise RuntimeError(f"{expected} rows should have been written, but there are {found}")
    require_identical_on_spark(written, release.k, kept=release.kept)


def _lines(session: SparkSession, path: str) -> DataFrame:
    """The lines of a contest's file that have all their fields."""
    from pyspark.sql import functions as f

    cells = f.split(_LINE, ",", -1)
    whole = session.read.text(path).where(f.size(cells) == len(COLUMNS))
    return whole.select(*(cells[place].alias(name) for place, name in enumerate(COLUMNS)))


def _write_secret(release: SparkHistoryRelease, secret: str | None) -> None:
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        who = rows_output(release.truth, secret, release.format, secret=True)
        write_all([who, text_output(full, f"{secret}.provenance.json", secret=True)])
