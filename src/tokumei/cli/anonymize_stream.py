"""`tokumei anonymize table --engine stream`: the same command on a file larger than memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokumei.cli.console import note, print_json
from tokumei.cli.options import pairs, split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.tables.engines.stream_files import open_stream
from tokumei.tables.releasing.counted_method import Roles
from tokumei.tables.releasing.local import build_method
from tokumei.tables.releasing.stream import StreamRelease, anonymize_stream, save_stream


@dataclass(frozen=True)
class StreamCommand:
    """What the command line asks for."""

    data: str
    out: str
    steps: list[dict[str, Any]]
    roles: tuple[str | None, str | None, str | None]
    kinds: list[str] | None
    secret: str | None
    keep_order: bool
    sep: str | None
    encoding: str

    def run(self, *, seed: int | None, json: bool) -> None:
        """Anonymize, verify, save, and say what was done."""
        roles, method = self._roles(), build_method(self.steps, {})
        source = open_stream(self.data, sep=self.sep, encoding=self.encoding)
        note(Text("Rows stay on disk (stream)", "行をディスクに置いたまま処理します (stream)"))
        release = anonymize_stream(
            self.data,
            method,
            roles,
            seed=seed,
            keep_order=self.keep_order,
            sep=source.sep if source.is_text else None,
            encoding=self.encoding,
        )
        _warn_of_passed(release)
        save_stream(release, self.out, secret=self.secret, sep=self.sep or source.sep)
        self._report(release, json)

    def _roles(self) -> Roles:
        qi, sa, ids = (split(names) or [] for names in self.roles)
        if not qi:
            raise UsageError(
                Text(
                    "a table that stays on disk needs roles: name the quasi-identifiers with --qi",
                    "ディスクに置いたまま処理する表では役割を推定しません。"
                    "--qi で準識別子を指定してください",
                )
            )
        return Roles(qi, sa, ids, pairs(self.kinds))

    def _report(self, release: StreamRelease, json: bool) -> None:
        from tokumei.cli.anonymize import UNCHANGED

        if release.unchanged:
            note(UNCHANGED)
        for search in release.provenance.searches:
            note(search.note)
        if json:
            print_json({"out": self.out, "secret": self.secret, **release.manifest()})
            return
        claims = ", ".join(claim.rule for claim in release.claims) or "–"
        note(
            Text(
                f"{self.out}: {release.rows} of {release.source_rows} rows; verified: {claims}",
                f"{self.out}: {release.source_rows} 行中 {release.rows} 行。検証済み: {claims}",
            )
        )


def _warn_of_passed(release: StreamRelease) -> None:
    """Say which columns pass unchanged, and which of them look like identifiers."""
    others = ", ".join(release.schema.others)
    if others:
        note(Text(f"Passed unchanged: {others}", f"そのまま通す列: {others}"))
    if release.suspects:
        suspects = ", ".join(release.suspects)
        note(
            Text(
                f"WARNING: {suspects} looks like an identifier; drop it with --id",
                f"警告: {suspects} は識別子のようです。--id で削除してください",
            )
        )
