"""`tokumei anonymize table --engine spark`: the same command on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.cli.console import note, print_json
from tokumei.cli.options import pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.files.containers import Format, format_of
from tokumei.files.spark.files import FORMS, SparkTable, read_spark
from tokumei.files.spark.look import distinct_shares
from tokumei.files.spark.session import spark_session
from tokumei.tables.releasing.counted_method import Roles
from tokumei.tables.releasing.local import build_method
from tokumei.tables.releasing.spark import anonymize_on_spark
from tokumei.tables.releasing.spark_release import SparkRelease, save_on_spark

SUSPECT = 0.93
"""Above this share of distinct values, which are estimated, a column looks like an identifier."""
NO_LINK = Text(
    "The Spark engine keeps no link of rows; only the seed is written to",
    "Spark エンジンは行の対応を残しません。シードだけを次に書きます:",
)


@dataclass(frozen=True)
class SparkCommand:
    """What the command line asks for."""

    data: str
    out: str
    steps: list[dict[str, Any]]
    roles: tuple[str | None, str | None, str | None]
    kinds: list[str] | None
    master: str | None
    fragments: int | None
    secret: str | None
    keep_order: bool
    sep: str | None
    encoding: str
    seed: int | None
    json: bool

    def run(self) -> None:
        """Anonymize, verify, save, and say what was done."""
        roles, method = self._roles(), build_method(self.steps, {})
        form = format_of(self.out, FORMS)
        with spark_session(self.master) as session:
            source = read_spark(session, self.data, sep=self.sep, encoding=self.encoding)
            release = anonymize_on_spark(
                source,
                method,
                roles,
                seed=self.seed,
                keep_order=self.keep_order,
                as_text=form is not Format.PARQUET,
                fragments=self.fragments,
                tell=note,
            )
            _warn_of_passed(release, source)
            save_on_spark(release, self.out, secret=self.secret, sep=self.sep or source.sep)
            self._report(release)

    def _roles(self) -> Roles:
        qi, sa, ids = (split(names) or [] for names in self.roles)
        if not qi:
            raise UsageError(
                Text(
                    "--engine spark guesses no roles: name the quasi-identifiers with --qi",
                    "--engine spark は役割を推定しません。--qi で準識別子を指定してください",
                )
            )
        return Roles(qi, sa, ids, pairs(self.kinds))

    def _report(self, release: SparkRelease) -> None:
        from tokumei.cli.anonymize import UNCHANGED

        if release.unchanged:
            note(UNCHANGED)
        for search in release.provenance.searches:
            note(search.note)
        if self.secret is not None:
            place = f"{self.secret}.provenance.json"
            note(Text(f"{NO_LINK.en} {place}", f"{NO_LINK.ja} {place}"))
        if self.json:
            print_json({"out": self.out, "secret": self.secret, **release.manifest()})
            return
        claims = ", ".join(claim.rule for claim in release.claims) or "–"
        note(
            Text(
                f"{self.out}: {release.rows} of {release.source_rows} rows; verified: {claims}",
                f"{self.out}: {release.source_rows} 行中 {release.rows} 行。検証済み: {claims}",
            )
        )


def _warn_of_passed(release: SparkRelease, source: SparkTable) -> None:
    """Say which columns pass unchanged, and which of them look like identifiers."""
    others = release.schema.others
    if not others:
        return
    names = ", ".join(others)
    note(Text(f"Passed unchanged: {names}", f"そのまま通す列: {names}"))
    found = distinct_shares(source, others, least=SUSPECT)
    if found:
        suspects = ", ".join(found)
        note(
            Text(
                f"WARNING: {suspects} looks like an identifier; drop it with --id",
                f"警告: {suspects} は識別子のようです。--id で削除してください",
            )
        )
