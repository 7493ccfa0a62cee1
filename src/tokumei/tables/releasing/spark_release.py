"""A release whose rows are on a cluster: written to a hidden path, verified there, then renamed.

    save_on_spark(release, "hdfs:///released.parquet")

Nothing stands at the path of the release unless what was written keeps every claim.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokumei.files.spark.files import SparkTable
from tokumei.tables.engines.spark import SparkEngine
from tokumei.tables.releasing.far import FarRelease
from tokumei.tables.verify.on_spark import SparkRows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class SparkRelease(FarRelease):
    """Released rows on a cluster, not yet computed, with what is claimed of them."""

    engine: SparkEngine

    @property
    def frame(self) -> DataFrame:
        """The released rows as a Spark DataFrame."""
        return self.engine.table.frame

    def seen(self, written: SparkTable) -> SparkRows:
        """The files that were written, as rules see them."""
        return SparkRows(written)


def save_on_spark(
    release: SparkRelease, path: str, *, secret: str | None = None, sep: str = ","
) -> None:
    """Write the rows to a hidden path, verify them there, and only then rename.

    `path` gets a folder of files, `path.manifest.json` the claims and methods;
    `secret.provenance.json`, on this machine and readable by its owner only, the seed.
    """
    release.save(path, secret=secret, sep=sep)
