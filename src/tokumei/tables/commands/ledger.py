"""`tokumei ledger add` and `check` of tables, for a release of any tool."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from tokumei.core.command import option
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.ledger.commands import AddReleaseCommand, CheckLedgerCommand
from tokumei.tables.commands.options import label_hierarchies_option, qi_option, sa_option

if TYPE_CHECKING:
    import polars as pl

    from tokumei.ledger.contribution import Contribution
    from tokumei.ledger.ledger import Ledger
    from tokumei.ledger.release_draft import ReleaseDetails


_secret_option = partial(
    option,
    "its link: CSV released,original (without it only unlinked figures are known)",
    "対応表 CSV released,original (なければ、結び付かない場合の数値だけ)",
    default=None,
)
_id_option = partial(
    option,
    "column of the source that names people (default: a row is a person of this very file)",
    "元データで人を表す列 (既定は、このファイルの 1 行を 1 人とする)",
    default=None,
)


@dataclass(frozen=True, kw_only=True)
class AddTableToLedger(AddReleaseCommand):
    """Record a released table."""

    examples: ClassVar = (
        "tokumei ledger add ledger --release y.csv --secret link.csv --data x.csv --id id "
        "--qi age,sex --sa income --recipient A",
    )

    release: str = option("the release", "匿名加工データ")
    data: str = option("the source it was made of", "元データ")
    secret: str | None = _secret_option()
    id: str | None = _id_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    hierarchies: str | None = label_hierarchies_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    @property
    def public_file(self) -> str:
        """The file that was handed out."""
        return self.release

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Message]]:
        """What the release says of each person."""
        return read_contribution(self, self.release)

    def said(self) -> ReleaseDetails:
        """What is said of it, here and in the manifest beside it."""
        from tokumei.tables.hierarchies.release_hierarchies import read_manifest

        manifest = read_manifest(self.release)
        steps = manifest.get("provenance", {}).get("steps", [])
        method = ",".join(str(step.get("method", "")) for step in steps)
        return replace(super().said(), claims=tuple(manifest.get("claims", ())), method=method)


@dataclass(frozen=True, kw_only=True)
class CheckTableLedger(CheckLedgerCommand):
    """What all releases say together, with a table that has not left yet."""

    examples: ClassVar = (
        "tokumei ledger check ledger --joint-k 5 --out joint.html",
        "tokumei ledger check ledger --with y2.csv --secret link2.csv --data x.csv --id id "
        "--qi age,sex --sa income --recipient B --joint-k 5",
    )

    data: str | None = option("the source of that release", "その元データ", default=None)
    secret: str | None = _secret_option()
    id: str | None = _id_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    hierarchies: str | None = label_hierarchies_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def contribution(self, book: Ledger) -> tuple[Contribution, list[Message]]:
        """What the release says of each person."""
        if self.data is None or self.release is None:
            raise UsageError("--with needs --data", "--with には --data が必要です")
        return read_contribution(self, self.release)


def read_contribution(command: Any, release: str) -> tuple[Contribution, list[Message]]:
    """From the files that options name."""
    from tokumei.files.writing import read_link
    from tokumei.tables.comparisons import resolve_hierarchies
    from tokumei.tables.ledger.contribution import table_contribution
    from tokumei.tables.services.read_comparison import read_comparison_files

    form = {"sep": command.sep, "encoding": command.encoding}
    files = read_comparison_files(
        command.data, release, command.qi, command.sa, command.hierarchies, **form
    )
    source, public, secret = files.source, files.public, command.secret
    link = None if secret is None else read_link(secret, public.rows, source.rows)
    contribution = table_contribution(
        source.frame,
        public.frame,
        link=link,
        ids=read_person_ids(source.frame, command.id, command.data),
        qi=source.schema.qi,
        sa=source.schema.sa,
        hierarchies=resolve_hierarchies(source, files.hierarchies),
    )
    return contribution, files.notes


def read_person_ids(source: pl.DataFrame, name: str | None, path: str) -> pl.Series:
    """Who every row of the source is of: by a column, or by its place in this very file."""
    import polars as pl

    from tokumei.files.file_formats import sha256_of_file
    from tokumei.tables.data.schema import COLUMN_NOUN

    if name is None:
        digest = sha256_of_file(path)
        return pl.Series("id", [f"{digest}:{row}" for row in range(source.height)])
    if name not in source.columns:
        raise UnknownNameError(COLUMN_NOUN, name, source.columns, where="--id")
    ids = source[name]
    if ids.null_count() == source.height:
        raise InputError(f"column '{name}' is empty", f"列 '{name}' は空です")
    return ids
