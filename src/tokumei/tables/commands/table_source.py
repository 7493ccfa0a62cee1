"""Options that describe a table file: path, how it is read, and its columns."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from tokumei.core.command import Command, option
from tokumei.core.shared_options import encoding_option, sep_option
from tokumei.tables.commands.options import (
    date_order_option,
    header_row_option,
    kind_option,
    pass_option,
    person_option,
    qi_anyway_option,
    qi_option,
    sa_option,
    sheet_option,
    strict_option,
    two_digit_years_option,
)

if TYPE_CHECKING:
    from tokumei.tables.services.requests import TableRequest

DEFAULT_METHOD = ("mondrian",)


@dataclass(frozen=True, kw_only=True)
class TableSourceCommand(Command):
    """A command that reads a table and must know what becomes of its columns."""

    engine: Literal["local", "stream", "spark"] = "local"

    data: str = option("the table to anonymize")
    method: tuple[str, ...] = option("method name(s): a,b", default=DEFAULT_METHOD)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] | None = option("identifiers, dropped: a,b", default=None)
    drop: tuple[str, ...] = option("columns that are dropped: a,b", default=())
    kind: dict[str, str] = kind_option()
    person: str | None = person_option(or_none=True)
    passed: tuple[str, ...] = pass_option()
    pass_rest: bool = option(
        "where no role is given: release columns of no known use instead of dropping them",
        default=False,
    )
    scrub: tuple[str, ...] = option(
        "texts released with found personal data (telephone, address, …) replaced: a,b", default=()
    )
    qi_anyway: tuple[str, ...] = qi_anyway_option()
    sets: tuple[str, ...] = option(
        "quasi-identifiers of many values that may become sets of them: a,b or all", default=()
    )
    answers: Literal["ask", "defaults"] = option(
        "where no role is given: ask about columns in doubt, or drop them (defaults)", default="ask"
    )
    sheet: str | None = sheet_option()
    header_row: str | None = header_row_option()
    no_normalize: tuple[str, ...] = option(
        "rules that are not applied to QI and SA: a,b or all (see tokumei look)", default=()
    )
    date_order: str | None = date_order_option()
    two_digit_years: int | None = two_digit_years_option()
    bad_cells: Literal["refuse", "missing"] = option(
        "cells that fit neither number nor date in a column of them: refuse, or make them missing",
        default="refuse",
    )
    plain: bool = option("write normalized values in columns that pass, too", default=False)
    encoding_errors: Literal["strict", "replace"] = option(
        "replace: bytes that cannot be read become a mark, and are counted", default="strict"
    )
    strict: bool = strict_option()
    roles_file: str | None = option(
        "side file with the roles (default: DATA.tokumei.json, if it is there)",
        default=None,
        name="roles",
    )
    no_roles: bool = option("ignore the side file", default=False)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    @property
    def request(self) -> TableRequest:
        """The request that these options make."""
        from tokumei.tables.services.requests import TableRequest

        names = [field.name for field in fields(TableRequest) if hasattr(self, field.name)]
        return TableRequest(**{name: getattr(self, name) for name in names})
