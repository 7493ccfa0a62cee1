"""`tokumei anonymize history --engine spark`: the same command on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.cli.console import note, print_json
from tokumei.cli.options import Format, pairs, split
from tokumei.core.text import Text
from tokumei.files.spark.session import spark_session
from tokumei.histories.spark.files import save_history_on_spark
from tokumei.histories.spark.flow import SparkHistoryRelease, anonymize_history_on_spark
from tokumei.histories.spark.reading import read_spark_history


@dataclass(frozen=True)
class HistoryCommand:
    """What the command line asks for."""

    data: str
    out: str | None
    public: str | None
    secret: str | None
    format: Format
    method: str
    params: dict[str, Any]
    master: str | None
    columns: str | None
    sep: str | None
    encoding: str
    seed: int | None
    json: bool

    def run(self) -> None:
        """Anonymize, verify, save, and say what was done."""
        with spark_session(self.master) as session:
            source = read_spark_history(
                session,
                self.data,
                format=self.format.value,
                columns=pairs(split(self.columns)),
                sep=self.sep,
                encoding=self.encoding,
            )
            release = anonymize_history_on_spark(source, self.method, seed=self.seed, **self.params)
            save_history_on_spark(release, self.out, public=self.public, secret=self.secret)
        self._report(release)

    def _report(self, release: SparkHistoryRelease) -> None:
        people = release.truth.height
        if self.json:
            files = {"out": self.out, "public": self.public, "people": people}
            print_json(files | dict(release.manifest()))
            return
        kept, rows, everyone = release.kept, release.rows, release.customers
        note(
            Text(
                f"{kept:,} of {rows:,} rows and {people:,} of {everyone:,} customers kept; "
                f"verified: every history is shared by at least {release.k} people",
                f"{rows:,} 行中 {kept:,} 行、顧客 {everyone:,} 人中 {people:,} 人を保持。"
                f"検証済み: どの履歴も {release.k} 人以上が共有",
            )
        )
