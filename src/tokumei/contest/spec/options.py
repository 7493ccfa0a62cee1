"""What `schema` of contest.yaml may say, by format.

options = options_of(contest, TableOptions)
"""

from __future__ import annotations

from typing import TypeVar

from pydantic import Field, ValidationError

from tokumei.contest.spec.model import ContestSpec, Part, Share
from tokumei.contest.spec.problems import problem_faults
from tokumei.core.errors import InputError
from tokumei.core.text import Text

Options = TypeVar("Options", bound=Part)


class PeriodOptions(Part):
    """`pws2017`: how much of a cell drawn knowledge keeps."""

    prefix: dict[str, int] = Field(default_factory=lambda: {"item": 2})


class HistoryOptions(Part):
    """`pws2018`: nothing."""


class TableOptions(Part):
    """`table`: what the columns of X mean; `id` columns are left out of releases."""

    qi: tuple[str, ...] = Field(min_length=1)
    sa: tuple[str, ...] = Field(min_length=1)
    id: tuple[str, ...] = ()
    cross: tuple[str, ...] = ()
    """The QI of the cross tables of U2 and U3; the first six if empty."""
    kinds: dict[str, str] = Field(default_factory=dict)
    rows_kept: Share = 0.5
    """The least share of the rows that a release keeps."""


OPTIONS: dict[str, type[Part]] = {
    "pws2017": PeriodOptions,
    "pws2018": HistoryOptions,
    "table": TableOptions,
}


def options_of(contest: ContestSpec, kind: type[Options]) -> Options:
    """The contest's `schema` as its format wants it; an InputError lists what is wrong."""
    try:
        return kind.model_validate(contest.schema_)
    except ValidationError as err:
        faults = problem_faults(err, kind, under="schema")
    raise InputError(Text("contest.yaml: schema", "contest.yaml: schema"), faults=faults)


def require_options(contest: ContestSpec) -> None:
    """Fail unless the contest's `schema` is what its format wants."""
    options_of(contest, OPTIONS[contest.format])
