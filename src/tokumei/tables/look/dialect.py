"""How a file is written, as far as somebody says it."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.files.containers import AnyPath, Format

NONE = "none"
"""The header row of a file that has none."""


@dataclass(frozen=True)
class Dialect:
    """What a reader may say of a file; None and `auto` are found out."""

    encoding: str = "auto"
    separator: str | None = None
    sheet: str | None = None
    header_row: int | str | None = None
    replace: bool = False

    def require_used(self, path: AnyPath, form: Format) -> None:
        """Fail on what a file of this form does not have: it would look heeded."""
        if self.sheet is not None and form is not Format.XLSX:
            raise _unused(path, "sheet")
        if self.header_row is not None and form is Format.PARQUET:
            raise _unused(path, "header_row")
        row = str(self.header_row)
        if self.header_row not in (None, NONE) and not (row.isdecimal() and int(row) > 0):
            raise UsageError(
                f"{field_name('header_row')} is a number from 1 or '{NONE}', not '{row}'",
                f"{field_name('header_row')} は 1 以上の数か '{NONE}' です ('{row}')",
                field="header_row",
                value=row,
            )


FOUND_OUT = Dialect()
"""Nothing said."""


def _unused(path: AnyPath, field: str) -> UsageError:
    return UsageError(
        f"{path}: a file of this kind does not use {field_name(field)}",
        f"{path}: この形式のファイルでは {field_name(field)} を使いません",
        field=field,
    )
