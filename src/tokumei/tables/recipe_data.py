"""The data section of a table recipe: sample or file, roles, decisions, reading options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from tokumei.core.recipe import SourceSpec
from tokumei.tables.services.requests import DEFAULT_METHOD, TableRequest, column_names


class DataSpec(SourceSpec):
    """Where the table comes from, what its columns mean and what may leave.

    The keys are the options of `tokumei anonymize table`; what is saved beside the file holds as
    it does there. `normalize: false` reads cells as they stand.
    """

    sep: str | None = None
    encoding: str = "auto"
    qi: list[str] | None = None
    sa: list[str] | None = None
    ids: list[str] | None = None
    kinds: dict[str, str] = Field(default_factory=dict)
    cross: list[str] = Field(default_factory=list)
    drop: list[str] = Field(default_factory=list)
    passed: list[str] = Field(default_factory=list)
    pass_rest: bool = False
    scrub: list[str] = Field(default_factory=list)
    qi_anyway: list[str] = Field(default_factory=list)
    person: str | None = None
    sets: list[str] = Field(default_factory=list)
    answers: Literal["ask", "defaults"] = "ask"
    normalize: bool = True
    sheet: str | None = None
    header_row: int | Literal["none"] | None = None
    no_normalize: list[str] = Field(default_factory=list)
    date_order: str | None = None
    two_digit_years: int | None = None
    bad_cells: Literal["refuse", "missing"] = "refuse"
    no_roles: bool = False

    def request(self, steps: Sequence[Mapping[str, object]] = ()) -> TableRequest:
        """The request that `anonymize table` would make of the same options."""
        return TableRequest(
            data=self.file or "",
            method=tuple(str(step["method"]) for step in steps) or DEFAULT_METHOD,
            qi=column_names(self.qi),
            sa=column_names(self.sa),
            id=column_names(self.ids),
            drop=tuple(self.drop),
            kind=self.kinds,
            person=self.person,
            passed=tuple(self.passed),
            pass_rest=self.pass_rest,
            scrub=tuple(self.scrub),
            qi_anyway=tuple(self.qi_anyway),
            sets=tuple(self.sets),
            answers=self.answers,
            sheet=self.sheet,
            header_row=None if self.header_row is None else str(self.header_row),
            no_normalize=tuple(self.no_normalize) if self.normalize else ("all",),
            date_order=self.date_order,
            two_digit_years=self.two_digit_years,
            bad_cells=self.bad_cells,
            no_roles=self.no_roles,
            sep=self.sep,
            encoding=self.encoding,
        )
