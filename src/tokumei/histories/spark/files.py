"""Releases of histories on a cluster: written to hidden paths, verified there, then renamed.

save_history_on_spark(release, "hdfs:///A.csv", public="hdfs:///public.csv", secret="people.csv")
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.claims import Found
from tokumei.core.progress import meter
from tokumei.core.text import Text, as_json_text
from tokumei.core.verification import VerifiedRelease, verify_written
from tokumei.files.atomic import write_all
from tokumei.files.containers import Format, format_of, input_error
from tokumei.files.contest_text import CONTEST_SUFFIXES, contest_cells
from tokumei.files.spark.files import FORMS, quoted, read_spark, reread, write_spark
from tokumei.files.spark.session import SparkPaths
from tokumei.files.spark.tuples import NUMBER
from tokumei.files.writing import text_output
from tokumei.histories.data.history import COLUMNS
from tokumei.histories.registry import formats
from tokumei.histories.spark.flow import SparkHistoryRelease
from tokumei.histories.spark.reading import is_text
from tokumei.histories.verify.identical_histories import NOBODY, identical_on_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LINE = "value"


def save_history_on_spark(
    release: SparkHistoryRelease,
    aligned: str | None = None,
    *,
    public: str | None = None,
    secret: str | None = None,
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
            verified = {}
            for path, handed_out in targets.items():
                with meter(Text("writing and verifying", "書き出しと検証中")):
                    verified[path] = _write(
                        release, cells, path, hidden[path], handed_out=handed_out
                    )
            if secret is not None:
                full = as_json_text(release.provenance.as_json(public=False))
                who = formats.get(release.format).rows_output(release.truth, secret, secret=True)
                write_all([who, text_output(full, f"{secret}.provenance.json", secret=True)])
            if public is not None:
                said = {**release.manifest(), "kind": "histories", "format": release.format}
                paths.write_text(as_json_text(said), f"{public}.manifest.json")
            for path, place in hidden.items():
                paths.publish(place, path, verified[path])
    finally:
        cells.unpersist()


def check_history_on_spark(session: SparkSession, path: str, k: int) -> Found:
    """The histories in a contest's public file that fewer than k people have, whoever made it."""
    from pyspark.sql import functions as f

    if format_of(path, CONTEST_SUFFIXES) is Format.PARQUET:
        table = read_spark(session, path).frame
        contest_cells(pl.DataFrame(schema=dict.fromkeys(table.columns)), COLUMNS, where=path)
        texts = (f.coalesce(quoted(name).cast("string"), f.lit("")) for name in table.columns)
        rows = table.select(*texts).toDF(*COLUMNS)
    else:
        _require_fields(session, path)
        rows = _lines(session, path)
    found = identical_on_spark(rows, k)
    return Found([NOBODY], 1) if not found.rows and rows.isEmpty() else found


def _require_fields(session: SparkSession, path: str) -> None:
    """Fail on lines of a contest's file that are no text or have too few or too many fields."""
    from pyspark.sql import functions as f

    SparkPaths(session).data_files(path)
    fields = f.size(f.split(_LINE, ",", -1))
    broken = (fields != len(COLUMNS)) | ~is_text(_LINE)
    if total := session.read.text(path).where((f.col(_LINE) != "") & broken).count():
        reason = Text(
            f"{total} line(s) do not have {len(COLUMNS)} fields of UTF-8 text between commas",
            f"コンマで区切った {len(COLUMNS)} 個の欄 (UTF-8) を持たない行が {total} 行あります",
        )
        raise input_error(path, reason)


def _write(
    release: SparkHistoryRelease, cells: DataFrame, path: str, hidden: str, *, handed_out: bool
) -> VerifiedRelease[SparkHistoryRelease]:
    """Write the rows to a hidden path, and verify them there."""
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
        if form is not Format.PARQUET:
            _require_whole_lines(cells, path)
        write_spark(rows.select(*COLUMNS), hidden, form)
        written = reread(session, hidden, list(COLUMNS), form, ",")
    expected = release.kept if handed_out else release.rows
    if (found := written.count()) != expected:
        raise RuntimeError(f"{expected} rows should have been written, but there are {found}")
    return verify_written(release, identical_on_spark(written, release.k), release.kept)


def _require_whole_lines(cells: DataFrame, path: str) -> None:
    """Fail on items with a line end in their names: a cluster reads lines apart."""
    from pyspark.sql import functions as f

    if not cells.where(f.col("item").rlike(r"[\r\n]")).isEmpty():
        reason = Text(
            "items have a line end in their names: on Spark write Parquet",
            "改行を含む商品名があります。Spark では Parquet に書き出してください",
        )
        raise input_error(path, reason)


def _lines(session: SparkSession, path: str) -> DataFrame:
    """The lines of a contest's file that have all their fields."""
    from pyspark.sql import functions as f

    cells = f.split(_LINE, ",", -1)
    whole = session.read.text(path).where(f.size(cells) == len(COLUMNS))
    return whole.select(*(cells[place].alias(name) for place, name in enumerate(COLUMNS)))
