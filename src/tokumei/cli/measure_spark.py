"""`tokumei measure utility --engine spark`: the measures that counts suffice for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokumei.cli.console import note
from tokumei.cli.options import pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.files.spark.files import read_spark
from tokumei.files.spark.session import spark_session
from tokumei.tables.releasing.spark_measures import Measured, MeasuredRoles, measure_on_spark

if TYPE_CHECKING:
    from tokumei.core.score import Score


@dataclass(frozen=True)
class MeasureCommand:
    """What the command line asks for."""

    original: str
    release: str
    roles: tuple[str | None, str | None, str | None]
    kinds: list[str] | None
    names: list[str]
    params: dict[str, dict[str, Any]]
    hierarchies: str | None
    master: str | None
    sep: str | None
    encoding: str

    def run(self) -> dict[str, Score]:
        """The scores; says what was left out, and why."""
        qi, sa, cross = (split(names) or [] for names in self.roles)
        if not qi:
            raise UsageError(
                Text(
                    "--engine spark guesses no roles: name the quasi-identifiers with --qi",
                    "--engine spark は役割を推定しません。--qi で準識別子を指定してください",
                )
            )
        with spark_session(self.master) as session:
            original, release = (
                read_spark(session, path, sep=self.sep, encoding=self.encoding)
                for path in (self.original, self.release)
            )
            found = measure_on_spark(
                original,
                release,
                MeasuredRoles(qi, sa, cross, pairs(self.kinds)),
                self.names,
                params=self.params,
                hierarchies=self.hierarchies,
            )
        _tell(found)
        return found.scores


def _tell(found: Measured) -> None:
    if found.left_out:
        names = ", ".join(found.left_out)
        note(
            Text(
                f"Left out, because they need single rows, which stay on the cluster: {names}",
                f"クラスター上の個々の行が必要なため測らない指標: {names}",
            )
        )
    if found.too_many:
        names = ", ".join(found.too_many)
        note(
            Text(
                f"Left out, because the sensitive columns have too many distinct tuples: {names}",
                f"機密属性を含む異なる組が多すぎるため測らない指標: {names}",
            )
        )
