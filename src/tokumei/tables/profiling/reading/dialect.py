"""Reading options that the user gave: separator, encoding, header, sheet."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.files.file_formats import AnyPath, FileFormat

NO_HEADER = "none"
"""The header row of a file that has none."""


@dataclass(frozen=True)
class Dialect:
    """What a reader may say of a file; None and `auto` are found out."""

    encoding: str = "auto"
    separator: str | None = None
    sheet: str | None = None
    header_row: int | str | None = None
    replace: bool = False

    def require_used(self, path: AnyPath, file_format: FileFormat) -> None:
        """Fail on what a file of this form does not have: it would look heeded."""
        if self.sheet is not None and file_format is not FileFormat.XLSX:
            raise _unused_option_error(path, "sheet")
        if self.header_row is not None and file_format.has_records:
            raise _unused_option_error(path, "header_row")
        header_text = str(self.header_row)
        if self.header_row not in (None, NO_HEADER) and not (
            header_text.isdecimal() and int(header_text) > 0
        ):
            raise UsageError(
                "{option} is a number from 1 or '{no_header}', not '{given}'",
                field="header_row",
                value=header_text,
                option=field_name("header_row"),
                no_header=NO_HEADER,
                given=header_text,
            )


AUTO_DIALECT = Dialect()
"""Nothing said."""


def _unused_option_error(path: AnyPath, field: str) -> UsageError:
    return UsageError(
        "{path}: a file of this format does not use {option}",
        field=field,
        path=path,
        option=field_name(field),
    )
