"""Conformity cases of tables, and of histories with a header (format `table`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.conformity_case import (
    PURCHASE_ROLES,
    AttackFigure,
    CaseFiles,
    ConformityCase,
    Dossier,
    MissingCells,
    Roles,
)
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.files.reading import read_frame
from tokumei.files.writing import read_link
from tokumei.tables.data.column_report import ColumnTreatment
from tokumei.tables.data.schema import COLUMN_NOUN, Role
from tokumei.tables.data.table import non_numeric_rows
from tokumei.tables.hierarchies.release_hierarchies import read_manifest
from tokumei.tables.profiling.distinct_cells import is_missing
from tokumei.tables.services.attack import attack_table
from tokumei.tables.services.comparison_requests import (
    EVERYTHING,
    AttackTableRequest,
    ComparisonRequest,
)
from tokumei.tables.services.read_comparison import read_original, read_saved_person

ALL_ROWS_KNOWN = Message("all original rows known")


def table_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of a table's files, and the strongest attack on it."""
    files.refuse_unused(master=files.master, public=files.public, effects=files.effects)
    files = _fill_roles_from_manifest(files)
    case = build_table_case(files)
    missing = count_missing_cells(case)
    return Dossier(
        case, _run_strongest_attack(files, case, seed), handed_out=files.release, missing=missing
    )


def build_table_case(files: CaseFiles) -> ConformityCase:
    """The case; `truth` tells which original row each released row comes from."""
    # As `anonymize` reads it, so that the link leads to the right rows.
    table, _ = read_original(files.original, qi=[], sa=[], sep=files.sep, encoding=files.encoding)
    before, after = (
        table.frame.with_columns(**table.spelled),
        _read_case_frame(files.release, files),
    )
    origin = None
    if files.truth is not None:
        origin = read_link(files.truth, released=after.height, original=before.height)
    roles = _require_known_roles(files.roles, before.columns, after.columns)
    return ConformityCase(
        _cast_to_text(after),
        np.arange(after.height) + 2,
        roles,
        original=_cast_to_text(before),
        origin=origin,
        earlier=tuple(
            _read_earlier_pseudonyms(path, roles.pseudonym, files) for path in files.earlier
        ),
        public=_cast_to_text(after),
        limits=files.limits,
    )


def count_missing_cells(case: ConformityCase) -> tuple[MissingCells, ...]:
    """Every column of both tables with missing cells, however they are written."""
    columns = []
    for name in case.release.columns:
        if case.original is None or name not in case.original.columns:
            continue
        sides = (case.original[name], case.release[name])
        # In a column of numbers, days or ranges of them, words stand for nothing.
        present_cells = sides[1].filter(~_missing_mask(sides[1], words=True))
        has_only_numbers = bool(len(present_cells)) and not len(non_numeric_rows(present_cells))
        before, after = (
            _missing_mask(cells_of_side, words=has_only_numbers) for cells_of_side in sides
        )
        cells = MissingCells(name, int(before.sum()), int(after.sum()))
        if case.origin is not None:
            linked = before[case.origin]
            gained, lost = int((after & ~linked).sum()), int((linked & ~after).sum())
            cells = replace(cells, gained=gained, lost=lost)
        columns += [cells] if cells.before or cells.after else []
    return tuple(columns)


def _missing_mask(cells: pl.Series, *, words: bool) -> np.ndarray:
    missing_marks = is_missing(cells.str.normalize("NFKC").str.strip_chars(), words=words)
    return (cells.is_null() | missing_marks.fill_null(False)).to_numpy()


def _fill_roles_from_manifest(files: CaseFiles) -> CaseFiles:
    """With what manifest and side file say of roles and people, where the user says nothing."""
    manifest, roles = read_manifest(files.release), files.roles
    person = roles.person or manifest.get("person") or read_saved_person(files.original)
    account = manifest.get("account")
    if roles.qi or roles.identifiers or not isinstance(account, dict):
        return replace(files, roles=replace(roles, person=person))
    columns = manifest["columns"]
    qi = tuple(name for name, role in columns.items() if role == Role.QI)
    sa = tuple(name for name, role in columns.items() if role == Role.SA)
    dropped = tuple(
        name for name, entry in account.items() if entry["fate"] == ColumnTreatment.DROPPED
    )
    ids = tuple(name for name in dropped if name != person)
    completed = replace(roles, qi=qi, identifiers=ids, person=person)
    return replace(files, roles=completed, sa=sa if files.sa is None else files.sa)


def _require_known_roles(roles: Roles, original: list[str], release: list[str]) -> Roles:
    """The roles of columns that are there; a name that is nowhere is an error, not a pass."""
    role_columns = {name: getattr(roles, name) for name in PURCHASE_ROLES}
    for names, columns, where in (
        ((roles.person, *roles.identifiers), original, "original"),
        ((roles.pseudonym, *roles.qi), release, "release"),
        (role_columns.values(), list(dict.fromkeys([*release, *original])), "release, original"),
    ):
        for name in names:
            if name is not None and name not in columns:
                raise UnknownNameError(COLUMN_NOUN, name, columns, where=where)
    absent_roles: dict[str, Any] = {
        role: None for role, name in role_columns.items() if name not in release
    }
    return replace(roles, **absent_roles)


def _read_earlier_pseudonyms(path: str, name: str | None, files: CaseFiles) -> pl.Series:
    """The pseudonyms of an earlier release."""
    if name is None:
        earlier, pseudonym = field_name("earlier"), field_name("pseudonym")
        raise UsageError(
            "{earlier} needs {pseudonym}", field="pseudonym", earlier=earlier, pseudonym=pseudonym
        )
    frame = _read_case_frame(path, files)
    if name not in frame.columns:
        raise UnknownNameError(COLUMN_NOUN, name, frame.columns, where=path)
    return frame[name]


def _run_strongest_attack(
    files: CaseFiles, case: ConformityCase, seed: int
) -> tuple[AttackFigure, ...]:
    """Needs the link: without it no attack can be scored. Purchases are attacked as histories."""
    roles = case.roles
    if files.truth is None or (not roles.qi and (roles.pseudonym or roles.day or roles.item)):
        return ()
    comparison = ComparisonRequest(
        original=files.original,
        release=files.release,
        link=files.truth,
        qi=tuple(roles.qi),
        sa=tuple(files.sa or ()),
        hierarchies=files.hierarchies,
        person=roles.person,
        sep=files.sep,
        encoding=files.encoding,
    )
    methods = () if roles.qi else (EVERYTHING,)
    request = AttackTableRequest(comparison=comparison, methods=methods, expected=True, seed=seed)
    best = attack_table(request).strongest
    figure = AttackFigure(
        ALL_ROWS_KNOWN, best.attack, best.rate, best.low, best.high, best.baseline
    )
    return (figure,)


def _read_case_frame(path: str, files: CaseFiles) -> pl.DataFrame:
    return read_frame(path, sep=files.sep, encoding=files.encoding)


def _cast_to_text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.all().cast(pl.String))
