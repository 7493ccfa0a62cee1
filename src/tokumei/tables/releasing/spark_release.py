"""A release whose rows are on a cluster: written to a hidden path, verified there, then renamed.

    save_on_spark(release, "hdfs:///released.parquet")

Nothing stands at the path of the release unless what was written keeps every claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokumei.core.json_text import as_json_text
from tokumei.core.progress import meter
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.files.atomic import write_all
from tokumei.files.containers import format_of
from tokumei.files.spark.files import FORMS, SparkTable, reread, write_spark
from tokumei.files.spark.paths import SparkPaths
from tokumei.files.writing import text_output
from tokumei.tables.data.schema import Schema
from tokumei.tables.engines.spark import SparkEngine
from tokumei.tables.verify.on_spark import require_spark_claims

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class SparkRelease:
    """Released rows on a cluster, not yet computed, with what is claimed of them."""

    table: SparkTable
    schema: Schema
    rows: int
    claims: tuple[Claim, ...]
    provenance: Provenance
    source_rows: int
    unchanged: bool = False
    """Whether no cell was changed."""

    @property
    def frame(self) -> DataFrame:
        """The released rows as a Spark DataFrame."""
        return self.table.frame

    def manifest(self) -> dict[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.rows,
            "columns": {column.name: column.role.value for column in self.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True) | {"engine": SparkEngine.name},
        }


def save_on_spark(
    release: SparkRelease, path: str, *, secret: str | None = None, sep: str = ","
) -> None:
    """Write the rows to a hidden path, verify them there, and only then rename.

    `path` gets a folder of files, `path.manifest.json` the claims and methods;
    `secret.provenance.json`, on this machine and readable by its owner only, the seed.
    """
    form, frame = format_of(path, FORMS), release.frame
    session = frame.sparkSession
    paths = SparkPaths(session)
    paths.require_new(path)
    with paths.staged(path) as hidden:
        with meter(Text("writing", "書き出し中")):
            write_spark(frame, hidden, form, sep=sep)
        written = SparkTable(reread(session, hidden, frame.columns, form, sep), form, sep, path)
        with meter(Text("verifying", "検証中")):
            require_spark_claims(written, release.claims, rows=release.rows)
        if secret is not None:
            full = as_json_text(release.provenance.as_json(public=False))
            write_all([text_output(full, f"{secret}.provenance.json", secret=True)])
        paths.write_text(as_json_text(release.manifest()), f"{path}.manifest.json")
        paths.publish(hidden, path)
