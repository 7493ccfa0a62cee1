"""A connection to a Spark cluster, or one clear sentence about what is missing.

    with spark_session("spark://host:7077") as session:
        ...
    with spark_session(existing) as session:        # left open at the end

Only a session opened here is configured here and closed at the end.
"""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import InputError, UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENGINE = "spark"
NO_PYSPARK = Text(
    'the Spark engine needs PySpark: pip install "tokumei[spark]"',
    'Spark エンジンには PySpark が必要です: pip install "tokumei[spark]"',
)
NO_JAVA = Text(
    "the Spark engine needs Java 17 or newer: install it (for example openjdk-17-jre-headless) or "
    'set JAVA_HOME; PySpark itself comes with pip install "tokumei[spark]"',
    "Spark エンジンには Java 17 以降が必要です。インストールする (例 openjdk-17-jre-headless) か "
    'JAVA_HOME を設定してください。PySpark は pip install "tokumei[spark]" で入ります',
)
NO_MASTER = Text(
    "--engine spark needs --cluster, for example spark://host:7077, yarn or local[*]",
    "--engine spark には --cluster が必要です (例 spark://host:7077、yarn、local[*])",
)
SETTINGS = {
    "spark.app.name": "tokumei",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
"""What `conf/spark-defaults.conf` of the cluster says of anything else is left as it is."""


def require_spark() -> None:
    """Fail with the remedy if PySpark or Java is missing."""
    if find_spec("pyspark") is None:
        raise UsageError(NO_PYSPARK)
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home) / "bin") if home else None) is None:
        raise UsageError(NO_JAVA)


@contextmanager
def spark_session(
    master: str | SparkSession | None, *, settings: dict[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session on the cluster at `master`, closed at the end; or the one given, left open."""
    require_spark()
    if master is None:
        raise UsageError(NO_MASTER)
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    session, ours = _opened(master, settings or {}) if isinstance(master, str) else (master, False)
    try:
        yield session
    except (PySparkException, Py4JError) as err:
        raise _failed(err) from err
    finally:
        if ours:
            session.stop()


def is_spark_frame(source: Any) -> bool:
    """Whether this is a Spark DataFrame, without loading PySpark."""
    return any(kind.__module__.startswith("pyspark.sql") for kind in type(source).__mro__)


def _opened(master: str, settings: dict[str, str]) -> tuple[SparkSession, bool]:
    """The session, and whether there was none before."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # It only says that it has not been tested with the newest pandas, which is not used here.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
    # The workers' Python must be of the same version as this one.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master)
    for name, value in (SETTINGS | settings).items():
        builder = builder.config(name, value)
    before = SparkSession.getActiveSession()
    try:
        return builder.getOrCreate(), before is None
    except (PySparkException, RuntimeError) as err:
        raise _unreachable(master, err) from None


def _failed(err: Exception) -> InputError:
    """What stopped a job, in one line; the rest is in the logs of Spark."""
    lines = str(err).strip().splitlines() or [type(err).__name__]
    reason = lines[-1] if "Python worker" in lines[0] else lines[0]
    return InputError(f"Spark failed: {reason}", f"Spark の処理に失敗しました: {reason}")


def _unreachable(master: str, err: Exception) -> InputError:
    (reason, *_) = str(err).strip().splitlines() or [type(err).__name__]
    return InputError(
        f"no Spark session on {master}: {reason}",
        f"{master} に Spark セッションを開けません: {reason}",
    )
