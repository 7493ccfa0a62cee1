"""Connects to a Spark cluster, or says in one sentence what is missing.

    with spark_session("spark://host:7077") as session:
        ...
    with spark_session(existing) as session:        # left open at the end

Only a session opened here is configured here and closed at the end. Its files, wherever Spark sees
them (HDFS, object stores, shared disks), are reached through Hadoop's own calls: nothing stands at
a target before `publish`, and what was staged is gone at the end.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tokumei.core.errors import InputError, OutputError, UsageError
from tokumei.core.messages import Message
from tokumei.core.verification import VerifiedRelease, require_verified
from tokumei.files.file_formats import input_error
from tokumei.files.temporary_files import UNVERIFIED_PREFIX

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject, JVMView
    from pyspark.sql import SparkSession

    from tokumei.core.data_kind import Release

SPARK_ENGINE = "spark"
NO_PYSPARK = Message('the Spark engine needs PySpark: pip install "tokumei[spark]"')
NO_JAVA = Message(
    "the Spark engine needs Java 17 or newer: install it (for example openjdk-17-jre-headless) or "
    'set JAVA_HOME; PySpark itself comes with pip install "tokumei[spark]"'
)
NO_CLUSTER = Message(
    "--engine spark needs --cluster, for example spark://host:7077, yarn or local[*]"
)
SPARK_SETTINGS = {
    "spark.app.name": "tokumei",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # Spark's Python processes do not run a module that lies in their current folder.
    "spark.executorEnv.PYTHONSAFEPATH": "1",
}
"""Our settings; all others stay as `conf/spark-defaults.conf` of the cluster sets them."""
_HEAD_BYTES = 2**20
NO_SPARK_CONNECT = Message(
    "a Spark Connect session cannot be used: files are renamed through the driver's JVM"
)


def require_pyspark() -> None:
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
    require_pyspark()
    if master is None:
        raise UsageError(NO_CLUSTER)
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    session, is_own_session = (
        _open_session(master, settings or {}) if isinstance(master, str) else (master, False)
    )
    try:
        yield session
    except (PySparkException, Py4JError) as err:
        # In one line; the rest is in the logs of Spark.
        lines = str(err).strip().splitlines() or [type(err).__name__]
        reason = lines[-1] if "Python worker" in lines[0] else lines[0]
        raise InputError("Spark failed: {reason}", reason=reason) from err
    finally:
        if is_own_session:
            session.stop()


def is_spark_frame(source: object) -> bool:
    """Whether this is a Spark DataFrame, without loading PySpark."""
    return any(kind.__module__.startswith("pyspark.sql") for kind in type(source).__mro__)


def _open_session(master: str, settings: dict[str, str]) -> tuple[SparkSession, bool]:
    """The session, and whether there was none before."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # It only says that it has not been tested with the newest pandas, which is not used here.
    warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
    # The workers' Python must be of the same version as this one.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master)
    for name, value in (SPARK_SETTINGS | settings).items():
        builder = builder.config(name, value)
    before = SparkSession.getActiveSession()
    try:
        return builder.getOrCreate(), before is None
    except (PySparkException, RuntimeError) as err:
        (reason, *_) = str(err).strip().splitlines() or [type(err).__name__]
        raise InputError(
            "no Spark session on {master}: {reason}", master=master, reason=reason
        ) from None


@dataclass(frozen=True)
class SparkPaths:
    """The file systems of a session."""

    session: SparkSession

    def require_new(self, path: str) -> None:
        """Fail if something stands there: a folder is never replaced."""
        if self._file_system(path).exists(self._hadoop_path(path)):
            raise OutputError("{path}: exists already; remove it or choose another path", path=path)

    def read_head(self, path: str) -> bytes:
        """The first bytes of one of the data files at a path, decompressed."""
        (first, *_) = self.data_files(path)
        opened = self._file_system(path).open(first)
        codecs = self._jvm.org.apache.hadoop.io.compress.CompressionCodecFactory(self._hadoop_conf)
        codec = codecs.getCodec(first)
        stream = opened if codec is None else codec.createInputStream(opened)
        try:
            return bytes(stream.readNBytes(_HEAD_BYTES))
        finally:
            stream.close()

    def data_files(self, path: str) -> list[JavaObject]:
        """The files of a path, a folder or a pattern, without hidden ones and markers."""
        system = self._file_system(path)
        data_paths: list[JavaObject] = []
        for status in system.globStatus(self._hadoop_path(path)) or []:
            inside = system.listStatus(status.getPath()) if status.isDirectory() else [status]
            files = [entry.getPath() for entry in inside if entry.isFile()]
            data_paths += [
                entry for entry in files if not str(entry.getName()).startswith(("_", "."))
            ]
        if not data_paths:
            raise input_error(path, Message("no such file"))
        return sorted(data_paths, key=lambda entry: str(entry.toString()))

    @contextmanager
    def staging_path(self, target: str) -> Iterator[str]:
        """A hidden path beside the target, removed at the end with whatever is left there."""
        parent = self._hadoop_path(target).getParent()
        name = f"{UNVERIFIED_PREFIX}{secrets.token_hex(8)}"
        hidden = name if parent is None else f"{parent.toString().rstrip('/')}/{name}"
        try:
            yield hidden
        finally:
            self._file_system(target).delete(self._hadoop_path(hidden), True)

    def publish(self, staged: str, target: str, verified: VerifiedRelease[Release]) -> None:
        """Rename the staged rows of a verified release to their target, which must not exist."""
        require_verified(verified)
        self.require_new(target)
        if not self._file_system(target).rename(
            self._hadoop_path(staged), self._hadoop_path(target)
        ):
            raise OutputError(
                "{path}: nothing was written: the file system refused to rename the file",
                path=target,
            )

    def write_text(self, text: str, path: str) -> None:
        """A small file, whole or not at all; it may replace an older one."""
        system, target = self._file_system(path), self._hadoop_path(path)
        with self.staging_path(path) as hidden:
            # On a plain disk Hadoop would leave a hidden file of checksums beside this one.
            system.setWriteChecksum(False)
            stream = system.create(self._hadoop_path(hidden), True)
            stream.write(bytearray(text.encode()))
            stream.close()
            system.setWriteChecksum(True)
            if system.exists(target):
                system.delete(target, False)
            system.rename(self._hadoop_path(hidden), target)

    @property
    def _jvm(self) -> JVMView:
        jvm = getattr(self.session, "_jvm", None)
        if jvm is None:
            raise UsageError(NO_SPARK_CONNECT)
        return jvm

    @property
    def _hadoop_conf(self) -> JavaObject:
        return self.session._jsparkSession.sessionState().newHadoopConf()

    def _hadoop_path(self, path: str) -> JavaObject:
        return self._jvm.org.apache.hadoop.fs.Path(path)

    def _file_system(self, path: str) -> JavaObject:
        return self._hadoop_path(path).getFileSystem(self._hadoop_conf)
