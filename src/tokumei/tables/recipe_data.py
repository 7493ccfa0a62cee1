"""The data of a recipe for tables: a sample or a file, its roles, consents and how it is read."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from tokumei.core.errors import UsageError
from tokumei.core.recipe import SourceSpec
from tokumei.tables.data.account import Consent
from tokumei.tables.data.table import Table


class DataSpec(SourceSpec):
    """Where the table comes from and what its columns mean."""

    sep: str | None = None
    encoding: str = "auto"
    qi: list[str] | None = None
    sa: list[str] | None = None
    ids: list[str] | None = None
    kinds: dict[str, str] = Field(default_factory=dict)
    cross: list[str] = Field(default_factory=list)
    passed: list[str] = Field(default_factory=list)
    qi_anyway: list[str] = Field(default_factory=list)
    person: str | None = None
    sets: list[str] = Field(default_factory=list)
    normalize: bool = False
    sheet: str | None = None
    header_row: int | Literal["none"] | None = None
    no_normalize: list[str] = Field(default_factory=list)
    date_order: str | None = None
    two_digit_years: int | None = None
    bad_cells: Literal["refuse", "missing"] = "refuse"

    def require(self, where: str) -> None:
        """Fail unless there is one source, and how it is read goes together."""
        super().require(where)
        if self.person not in (None, "none"):
            raise UsageError(
                f"{where}: person may only be 'none' (every row is another person), not "
                f"'{self.person}'; to count people by a column, name it in the method's step: "
                f"{{method: mondrian, k: 5, person: {self.person}}}",
                f"{where}: person に書けるのは 'none' (1 行が 1 人) だけです "
                f"('{self.person}' は使えません)。列で人数を数えるには、手法の steps に列名を"
                f"書いてください: {{method: mondrian, k: 5, person: {self.person}}}",
            )
        days = self.date_order or self.two_digit_years is not None
        said = self.sheet or self.header_row or self.no_normalize or days
        said = said or self.bad_cells != "refuse"
        if said and not self.normalize:
            raise UsageError(
                f"{where}: sheet, header_row, no_normalize, date_order, two_digit_years and "
                "bad_cells need 'normalize: true'",
                f"{where}: sheet・header_row・no_normalize・date_order・two_digit_years・bad_cells "
                "には 'normalize: true' が必要です",
            )

    @property
    def roles(self) -> dict[str, Any]:
        """What the columns mean."""
        return {"qi": self.qi, "sa": self.sa, "ids": self.ids, "kinds": self.kinds}

    @property
    def consent(self) -> Consent:
        """What was said about columns that may identify people."""
        return Consent(
            tuple(self.passed),
            qi=tuple(self.qi_anyway),
            person=self.person or "",
            sets=tuple(self.sets),
        )


def read_recipe_table(data: DataSpec) -> Table:
    """Read the table of a recipe's file; roles saved beside it hold where the recipe gives none."""
    from tokumei.tables.services.apply_saved_roles import apply_saved_roles
    from tokumei.tables.services.read_table import read_table_file
    from tokumei.tables.services.requests import TableRequest, column_names

    request = TableRequest(
        data=str(data.file),
        qi=column_names(data.qi),
        sa=column_names(data.sa),
        id=column_names(data.ids),
        kind=data.kinds,
        sep=data.sep,
        encoding=data.encoding,
    )
    if request.inferred and not request.id:
        request, _ = apply_saved_roles(request, settled=False)
    table = read_table_file(request).table.with_text()
    return Table.of(table, ids=request.id) if request.inferred else table


def understood(data: DataSpec) -> Table:
    """The table of a stranger's file, as `anonymize` reads and normalizes it."""
    from tokumei.tables.look.days import require_decided, said_of_days
    from tokumei.tables.look.first_rows import looked_at
    from tokumei.tables.look.normalized import normalized
    from tokumei.tables.services.read_table import read_table_file
    from tokumei.tables.services.requests import TableRequest

    request = TableRequest(
        data=str(data.file),
        qi=tuple(data.qi or ()),
        sa=tuple(data.sa or ()),
        id=tuple(data.ids or ()),
        kind=dict(data.kinds),
        sheet=data.sheet,
        header_row=None if data.header_row is None else str(data.header_row),
        sep=data.sep,
        encoding=data.encoding,
    )
    read = read_table_file(request)
    table = read.table.with_text()
    days = said_of_days(data.date_order, data.two_digit_years)
    found = looked_at(table.frame, tuple(data.no_normalize), days)
    names = [*table.schema.qi, *table.schema.sa]
    require_decided([found[name] for name in names])
    missing = data.bad_cells == "missing"
    off = tuple(data.no_normalize)
    return normalized(table, found, names, line_of=read.line_of, bad_missing=missing, off=off)
