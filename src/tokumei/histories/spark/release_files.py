"""Writes releases of histories on a cluster to hidden paths, verifies and renames them.

save_history_on_spark(release, "hdfs:///A.csv", public="hdfs:///public.csv", secret="people.csv")
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.claims import VerificationResult
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.verification import VerifiedRelease, verify_written
from tokumei.files.atomic_write import write_all
from tokumei.files.contest_files import CONTEST_SUFFIXES, frame_to_contest_rows
from tokumei.files.file_formats import FileFormat, detect_format, input_error
from tokumei.files.spark.distinct_tuples import NUMBER_COLUMN
from tokumei.files.spark.gate_batches import candidate_batches
from tokumei.files.spark.session import SparkPaths
from tokumei.files.spark.table_files import (
    SPARK_SUFFIXES,
    column_by_name,
    read_spark_table,
    reread_spark_folder,
    write_spark_folder,
)
from tokumei.files.writing import text_output
from tokumei.histories.data.history import COLUMNS
from tokumei.histories.registry import formats
from tokumei.histories.spark.anonymize import SparkHistoryRelease
from tokumei.histories.spark.reading import is_utf8_text
from tokumei.histories.verification.identical_histories import (
    NO_ROWS_VIOLATION,
    check_identical_on_spark,
)
from tokumei.release_gate.gate import require_clean_batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LINE_COLUMN = "value"


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
        detect_format(path, CONTEST_SUFFIXES if release.format == "pws2018" else SPARK_SUFFIXES)
        paths.require_new(path)
    cells = release.cells.persist()
    try:
        with ExitStack() as stack:
            hidden = {path: stack.enter_context(paths.staging_path(path)) for path in targets}
            verified = {}
            for path, handed_out in targets.items():
                with progress_bar(Message("writing and verifying")):
                    verified[path] = _write_and_verify(
                        release, cells, path, hidden[path], handed_out=handed_out
                    )
            if secret is not None:
                full = as_json_text(release.provenance.as_json(public=False))
                truth_output = formats.get(release.format).rows_output(
                    release.truth, secret, secret=True
                )
                write_all(
                    [truth_output, text_output(full, f"{secret}.provenance.json", secret=True)]
                )
            if public is not None:
                manifest = {**release.manifest(), "kind": "histories", "format": release.format}
                paths.write_text(as_json_text(manifest), f"{public}.manifest.json")
            for path, hidden_path in hidden.items():
                paths.publish(hidden_path, path, verified[path])
    finally:
        cells.unpersist()


def check_history_on_spark(session: SparkSession, path: str, k: int) -> VerificationResult:
    """The histories in a contest's public file that fewer than k people have, whoever made it."""
    from pyspark.sql import functions as f

    if detect_format(path, CONTEST_SUFFIXES) is FileFormat.PARQUET:
        table = read_spark_table(session, path).frame
        frame_to_contest_rows(
            pl.DataFrame(schema=dict.fromkeys(table.columns)), COLUMNS, where=path
        )
        texts = (
            f.coalesce(column_by_name(name).cast("string"), f.lit("")) for name in table.columns
        )
        rows = table.select(*texts).toDF(*COLUMNS)
    else:
        _require_field_count(session, path)
        rows = _read_contest_lines(session, path)
    outcome = check_identical_on_spark(rows, k)
    return (
        VerificationResult([NO_ROWS_VIOLATION], 1)
        if not outcome.rows and rows.isEmpty()
        else outcome
    )


def _require_field_count(session: SparkSession, path: str) -> None:
    """Fail on lines of a contest's file that are no text or have too few or too many fields."""
    from pyspark.sql import functions as f

    SparkPaths(session).data_files(path)
    fields = f.size(f.split(_LINE_COLUMN, ",", -1))
    broken = (fields != len(COLUMNS)) | ~is_utf8_text(_LINE_COLUMN)
    if total := session.read.text(path).where((f.col(_LINE_COLUMN) != "") & broken).count():
        reason = Message(
            "{count} line does not have {fields} fields of UTF-8 text between commas",
            plural="{count:,} lines do not have {fields} fields of UTF-8 text between commas",
            count=total,
            fields=len(COLUMNS),
        )
        raise input_error(path, reason)


def _write_and_verify(
    release: SparkHistoryRelease, cells: DataFrame, path: str, hidden: str, *, handed_out: bool
) -> VerifiedRelease[SparkHistoryRelease]:
    """Write the rows to a hidden path, and verify them there."""
    from pyspark.sql import functions as f

    line = f.concat_ws(",", *COLUMNS)
    rows = cells.orderBy(NUMBER_COLUMN)
    if handed_out:
        rows = cells.where(f.col("customer") != SUPPRESSED_CELL).orderBy(line)
    form = detect_format(path)
    session = cells.sparkSession
    if release.format == "pws2018" and form is not FileFormat.PARQUET:
        compression = "gzip" if form is FileFormat.CSV_GZ else "none"
        rows.select(line.alias(_LINE_COLUMN)).write.text(hidden, compression=compression)
        written = _read_contest_lines(session, hidden)
    else:
        if form is not FileFormat.PARQUET:
            _require_whole_lines(cells, path)
        write_spark_folder(rows.select(*COLUMNS), hidden, form)
        written = reread_spark_folder(session, hidden, list(COLUMNS), form, ",")
    expected = release.kept if handed_out else release.rows
    if (written_rows := written.count()) != expected:
        raise RuntimeError(
            f"{expected} rows should have been written, but there are {written_rows}"
        )
    verified = verify_written(release, check_identical_on_spark(written, release.k), release.kept)
    if handed_out:
        require_clean_batches(candidate_batches(written, release.terms), release.terms)
    return verified


def _require_whole_lines(cells: DataFrame, path: str) -> None:
    """Fail on items with a line end in their names: a cluster reads lines apart."""
    from pyspark.sql import functions as f

    if not cells.where(f.col("item").rlike(r"[\r\n]")).isEmpty():
        reason = Message("items have a line end in their names: on Spark write Parquet")
        raise input_error(path, reason)


def _read_contest_lines(session: SparkSession, path: str) -> DataFrame:
    """The lines of a contest's file that have all their fields."""
    from pyspark.sql import functions as f

    cells = f.split(_LINE_COLUMN, ",", -1)
    whole = session.read.text(path).where(f.size(cells) == len(COLUMNS))
    return whole.select(*(cells[place].alias(name) for place, name in enumerate(COLUMNS)))
