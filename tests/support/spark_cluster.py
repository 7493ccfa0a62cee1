"""A real Spark standalone cluster on this machine: one master and two workers, each a process.

    with SparkCluster.started(folder) as cluster:
        cluster.master                  # spark://127.0.0.1:40123
        cluster.kill_worker(1)          # as a machine that fails

Every process leads a group of its own; stopping asks them to end and then ends the groups.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from support.waiting import wait_until

SOURCES = Path(__file__).parents[2] / "src"
HOST = "127.0.0.1"
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
"""For processes that live for a few seconds of work: less compiling, fewer threads."""
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": QUICK_START,
    "spark.executor.extraJavaOptions": QUICK_START,
    "spark.executor.memory": "1g",
    "spark.sql.shuffle.partitions": "4",
}
"""Of a session on the cluster, for short tests."""


@dataclass
class SparkCluster:
    """The processes of a cluster and where its master listens."""

    folder: Path
    master: str = ""
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def started(
        cls, folder: Path, *, workers: int = 2, memory: str = "1536m"
    ) -> Iterator[SparkCluster]:
        """A cluster whose workers have all registered; stopped at the end."""
        cluster = cls(folder)
        try:
            cluster._start_master()
            for number in range(workers):
                cluster.start_worker(number, memory=memory)
            for number in range(workers):
                cluster.wait_for_worker(number)
            yield cluster
        finally:
            cluster.stop()

    def start_worker(self, number: int, *, memory: str = "1536m") -> None:
        """One more worker with one core."""
        sizes = ["--cores", "1", "--memory", memory, "--work-dir", str(self.folder / f"w{number}")]
        name = "org.apache.spark.deploy.worker.Worker"
        self._start(f"worker{number}", name, [*sizes, self.master])

    def wait_for_worker(self, number: int) -> None:
        """Until the master knows it."""
        self._wait_for(f"worker{number}", "Successfully registered with master")

    def kill_worker(self, number: int) -> None:
        """kill −9 of a worker and of all its executors, as when a machine fails."""
        process = self.processes.pop(f"worker{number}")
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """End all processes, workers first."""
        running = list(self.processes.values())[::-1]
        for process in running:
            process.terminate()
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes.clear()

    def _start_master(self) -> None:
        self._start("master", "org.apache.spark.deploy.master.Master", [])
        self.master = self._wait_for("master", r"Starting Spark master at (spark://\S+)")

    def _start(self, name: str, what: str, arguments: list[str]) -> None:
        import pyspark

        command = Path(pyspark.__file__).parent / "bin" / "spark-class"
        where = ["--host", HOST, "--port", "0", "--webui-port", "0"]
        with self._log(name).open("wb") as log:
            self.processes[name] = subprocess.Popen(
                [str(command), what, *where, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment(),
                start_new_session=True,
            )

    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": str(SOURCES),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_NO_DAEMONIZE": "1",
        }

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _wait_for(self, name: str, pattern: str) -> str:
        """The first group of the pattern (or all of it) once it stands in the log."""

        def search() -> re.Match[str] | None:
            text = self._log(name).read_text(encoding="utf-8", errors="replace")
            found = re.search(pattern, text)
            if found is None and self.processes[name].poll() is not None:
                raise RuntimeError(f"the Spark {name} ended:\n{text[-2000:]}")
            return found

        found = wait_until(search, what=f"'{pattern}' in the log of the Spark {name}")
        assert found is not None
        return str(found[found.lastindex or 0])
