"""From the files of `tokumei conform` to its findings."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.cli.console import note
from tokumei.cli.options import Format, split
from tokumei.conformity.case import ConformityCase, Limits, Roles
from tokumei.conformity.conform import Conformity, conform
from tokumei.conformity.difference import AttackFigure
from tokumei.conformity.figures import (
    history_figures,
    period_figures,
    table_figures,
    unicity_shares,
)
from tokumei.conformity.files import CUSTOMER_COLUMNS, contest_case, table_case
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.files.containers import sha256
from tokumei.tables.ask.inputs import read_case


@dataclass(frozen=True)
class Inputs:
    """The files of a release and how to read them."""

    format: Format
    original: str
    release: str
    master: str | None
    public: str | None
    earlier: tuple[str, ...]
    truth: str | None
    qi: str | None
    sa: str | None
    sep: str | None
    encoding: str


def conformity_of(files: Inputs, roles: Roles, limits: Limits, *, seed: int) -> Conformity:
    """All findings on a release in files."""
    if files.format is Format.online_retail:
        raise UsageError(
            Text(
                "--format is pws2017, pws2018 or table here",
                "--format は pws2017、pws2018、table のいずれかです",
            )
        )
    if files.format is Format.table:
        return _of_table(files, roles, limits, seed)
    case = contest_case(
        files.original,
        files.release,
        format=files.format.value,
        master=files.master,
        public=files.public,
        earlier=files.earlier,
        limits=limits,
        encoding=files.encoding,
    )
    figures = period_figures if files.format is Format.pws2017 else history_figures
    return conform(
        case,
        unicity=unicity_shares(case, seed=seed),
        attacks=figures(case, seed=seed),
        customer_columns=CUSTOMER_COLUMNS,
        # The row-aligned release is secret: only a public file may be told by its hash.
        sha256=None if files.public is None else sha256(files.public),
    )


def _of_table(files: Inputs, roles: Roles, limits: Limits, seed: int) -> Conformity:
    case = table_case(
        files.original,
        files.release,
        roles=roles,
        truth=files.truth,
        earlier=files.earlier,
        limits=limits,
        sep=files.sep,
        encoding=files.encoding,
    )
    return conform(
        case,
        unicity=unicity_shares(case, seed=seed),
        attacks=_table_attacks(files, case, seed),
        sha256=sha256(files.release),
    )


def _table_attacks(files: Inputs, case: ConformityCase, seed: int) -> list[AttackFigure]:
    """Needs the roles of columns and the link; without them no attack can be scored."""
    if files.truth is None or not case.roles.qi:
        return []
    comparison, remarks = read_case(
        files.original,
        files.release,
        truth=files.truth,
        qi=split(files.qi),
        sa=split(files.sa),
        sep=files.sep,
        encoding=files.encoding,
    )
    for remark in remarks:
        note(remark)
    return table_figures(comparison, seed=seed)
