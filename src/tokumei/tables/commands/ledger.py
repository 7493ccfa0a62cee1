"""`tokumei ledger add` and `check` of tables, for a release of any tool."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import option
from tokumei.core.errors import UsageError
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.ledger.commands import AddReleaseCommand, CheckLedgerCommand
from tokumei.tables.commands.options import label_hierarchies_option, qi_option, sa_option

if TYPE_CHECKING:
    from tokumei.tables.services.ledger import TableToRecord


_secret_option = partial(
    option,
    "its link: CSV released,original (without it only unlinked figures are known)",
    default=None,
)
_id_option = partial(
    option,
    "column of the source that names people (default: every row of this file is another person)",
    default=None,
)


@dataclass(frozen=True, kw_only=True)
class AddTableToLedger(AddReleaseCommand):
    """Record a released table."""

    examples: ClassVar = (
        "tokumei ledger add ledger --release y.csv --secret link.csv --data x.csv --id id "
        "--qi age,sex --sa income --recipient A",
    )

    release: str = option("the release")
    data: str = option("the source it was made of")
    secret: str | None = _secret_option()
    id: str | None = _id_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    hierarchies: str | None = label_hierarchies_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def release_to_record(self) -> TableToRecord:
        """The files of the release."""
        return _table_to_record(self, self.release, self.data)


@dataclass(frozen=True, kw_only=True)
class CheckTableLedger(CheckLedgerCommand):
    """What all releases say together, with a table that has not left yet."""

    examples: ClassVar = (
        "tokumei ledger check ledger --joint-k 5 --out joint.html",
        "tokumei ledger check ledger --with y2.csv --secret link2.csv --data x.csv --id id "
        "--qi age,sex --sa income --recipient B --joint-k 5",
    )

    data: str | None = option("the source of that release", default=None)
    secret: str | None = _secret_option()
    id: str | None = _id_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    hierarchies: str | None = label_hierarchies_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def release_to_record(self, release: str) -> TableToRecord:
        """The files of the release that has not left."""
        if self.data is None:
            raise UsageError("--with needs --data")
        return _table_to_record(self, release, self.data)


def _table_to_record(
    command: AddTableToLedger | CheckTableLedger, release: str, data: str
) -> TableToRecord:
    from tokumei.tables.services.ledger import TableToRecord

    return TableToRecord(
        release=release,
        data=data,
        secret=command.secret,
        id=command.id,
        qi=command.qi,
        sa=command.sa,
        hierarchies=command.hierarchies,
        sep=command.sep,
        encoding=command.encoding,
    )
