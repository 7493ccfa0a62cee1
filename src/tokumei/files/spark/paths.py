"""Files wherever Spark sees them (HDFS, object stores, shared disks), through Hadoop's own calls.

    files = SparkPaths(session)
    with files.staged("hdfs:///out/people.parquet") as temporary:
        frame.write.parquet(temporary)
        files.publish(temporary, "hdfs:///out/people.parquet")

Nothing stands at the target before `publish`, and what was staged is gone at the end.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import OutputError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import input_error
from tokumei.files.leftovers import UNVERIFIED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_HEAD = 2**20
CONNECT = Text(
    "a Spark Connect session cannot be used: files are renamed through the driver's JVM",
    "Spark Connect のセッションは使えません (ファイルの改名にドライバーの JVM が必要です)",
)


@dataclass(frozen=True)
class SparkPaths:
    """The file systems of a session."""

    session: SparkSession

    def exists(self, path: str) -> bool:
        """Whether something stands there."""
        return bool(self._system(path).exists(self._path(path)))

    def require_new(self, path: str) -> None:
        """Fail if something stands there: a folder is never replaced."""
        if self.exists(path):
            raise OutputError(
                f"{path}: exists already; remove it or choose another path",
                f"{path}: すでに存在します。削除するか別のパスにしてください",
            )

    def head(self, path: str) -> bytes:
        """The first bytes of one of the data files at a path, decompressed."""
        (first, *_) = self.data_files(path)
        opened = self._system(path).open(first)
        codecs = self._jvm.org.apache.hadoop.io.compress.CompressionCodecFactory(self._conf)
        codec = codecs.getCodec(first)
        stream = opened if codec is None else codec.createInputStream(opened)
        try:
            return bytes(stream.readNBytes(_HEAD))
        finally:
            stream.close()

    def data_files(self, path: str) -> list[Any]:
        """The files of a path, a folder or a pattern, without hidden ones and markers."""
        system = self._system(path)
        found: list[Any] = []
        for status in system.globStatus(self._path(path)) or []:
            inside = system.listStatus(status.getPath()) if status.isDirectory() else [status]
            found += [one.getPath() for one in inside if _is_data(one)]
        if not found:
            raise input_error(path, Text("no such file", "ファイルがありません"))
        return sorted(found, key=lambda one: str(one.toString()))

    @contextmanager
    def staged(self, target: str) -> Iterator[str]:
        """A hidden path beside the target, removed at the end with whatever is left there."""
        parent = self._path(target).getParent()
        name = f"{UNVERIFIED}{secrets.token_hex(8)}"
        hidden = name if parent is None else f"{parent.toString().rstrip('/')}/{name}"
        try:
            yield hidden
        finally:
            self._system(target).delete(self._path(hidden), True)

    def publish(self, staged: str, target: str) -> None:
        """Rename what was staged to its target, which must not exist."""
        self.require_new(target)
        if not self._system(target).rename(self._path(staged), self._path(target)):
            raise OutputError(
                f"{target}: nothing was written: the file system refused to rename",
                f"{target}: 何も書き込みませんでした: 改名できません",
            )

    def write_text(self, text: str, path: str) -> None:
        """A small file, whole or not at all; it may replace an older one."""
        system, target = self._system(path), self._path(path)
        with self.staged(path) as hidden:
            # On a plain disk Hadoop would leave a hidden file of checksums beside this one.
            system.setWriteChecksum(False)
            stream = system.create(self._path(hidden), True)
            stream.write(bytearray(text.encode()))
            stream.close()
            system.setWriteChecksum(True)
            if system.exists(target):
                system.delete(target, False)
            system.rename(self._path(hidden), target)

    @property
    def _jvm(self) -> Any:
        jvm = getattr(self.session, "_jvm", None)
        if jvm is None:
            raise UsageError(CONNECT)
        return jvm

    @property
    def _conf(self) -> Any:
        return self.session._jsparkSession.sessionState().newHadoopConf()

    def _path(self, path: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(path)

    def _system(self, path: str) -> Any:
        return self._path(path).getFileSystem(self._conf)


def _is_data(status: Any) -> bool:
    hidden = str(status.getPath().getName()).startswith(("_", "."))
    return bool(status.isFile()) and not hidden
