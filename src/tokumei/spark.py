"""Public names for tables and histories whose rows stay on a Spark cluster.

    release = tk.anonymize(session.read.csv("hdfs:///people.csv", header=True), "mondrian", k=5)
    save_on_spark(release, "hdfs:///public", secret="hdfs:///link")

Needs `pip install "tokumei[spark]"` and Java; without them every function says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.lazy_imports import lazy_exports

if TYPE_CHECKING:
    from tokumei.files.spark.session import spark_session as spark_session
    from tokumei.histories.spark.anonymize import SparkHistoryRelease as SparkHistoryRelease
    from tokumei.histories.spark.reading import SparkHistory as SparkHistory
    from tokumei.histories.spark.reading import read_spark_history as read_spark_history
    from tokumei.histories.spark.release_files import save_history_on_spark as save_history_on_spark
    from tokumei.tables.anonymization.spark import SparkRelease as SparkRelease
    from tokumei.tables.anonymization.spark import save_on_spark as save_on_spark
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
