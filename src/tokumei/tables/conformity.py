"""Evidence for conformity reports on tables, and on histories with a header (format `table`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.conformity import (
    ROLES,
    AttackFigure,
    CaseFiles,
    ConformityCase,
    Dossier,
    MissingCells,
    Roles,
)
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text
from tokumei.files.reading import read_frame
from tokumei.files.writing import read_link
from tokumei.tables.data.account import Fate
from tokumei.tables.data.schema import COLUMN, Role
from tokumei.tables.data.table import not_numbers
from tokumei.tables.hierarchies.released import read_manifest
from tokumei.tables.look.missing import is_missing
from tokumei.tables.services.attack import attack_table
from tokumei.tables.services.comparison_requests import (
    EVERYTHING,
    AttackTableRequest,
    ComparisonRequest,
)
from tokumei.tables.services.read_comparison import person_said, read_original

ALL_ROWS = Text("all original rows known", "元の行をすべて知る場合")


def table_dossier(files: CaseFiles, *, seed: int) -> Dossier:
    """The case of a table's files, and the strongest attack on it."""
    files.refuse(master=files.master, public=files.public, effects=files.effects)
    files = _with_roles(files)
    case = table_case(files)
    missing = _missing(case)
    return Dossier(case, _attacks(files, case, seed), handed_out=files.release, missing=missing)


def table_case(files: CaseFiles) -> ConformityCase:
    """The case; `truth` tells which original row each released row comes from."""
    # As `anonymize` reads it, so that the link leads to the right rows.
    table, _ = read_original(files.original, qi=[], sa=[], sep=files.sep, encoding=files.encoding)
    before, after = table.frame.with_columns(**table.spelled), _frame(files.release, files)
    origin = None
    if files.truth is not None:
        origin = read_link(files.truth, released=after.height, original=before.height)
    roles = _known_roles(files.roles, before.columns, after.columns)
    return ConformityCase(
        _text(after),
        np.arange(after.height) + 2,
        roles,
        original=_text(before),
        origin=origin,
        earlier=tuple(_pseudonyms(path, roles.pseudonym, files) for path in files.earlier),
        public=_text(after),
        limits=files.limits,
    )


def _missing(case: ConformityCase) -> tuple[MissingCells, ...]:
    """Every column of both tables with missing cells, however they are written."""
    found = []
    for name in case.release.columns:
        if case.original is None or name not in case.original.columns:
            continue
        sides = (case.original[name], case.release[name])
        # In a column of numbers, days or ranges of them, words stand for nothing.
        there = sides[1].filter(~_gaps(sides[1], words=True))
        measured = bool(len(there)) and not len(not_numbers(there))
        before, after = (_gaps(one, words=measured) for one in sides)
        cells = MissingCells(name, int(before.sum()), int(after.sum()))
        if case.origin is not None:
            linked = before[case.origin]
            gained, lost = int((after & ~linked).sum()), int((linked & ~after).sum())
            cells = replace(cells, gained=gained, lost=lost)
        found += [cells] if cells.before or cells.after else []
    return tuple(found)


def _gaps(cells: pl.Series, *, words: bool) -> np.ndarray:
    marks = is_missing(cells.str.normalize("NFKC").str.strip_chars(), words=words)
    return (cells.is_null() | marks.fill_null(False)).to_numpy()


def _with_roles(files: CaseFiles) -> CaseFiles:
    """With what manifest and side file say of roles and people, where the user says nothing."""
    manifest, roles = read_manifest(files.release), files.roles
    person = roles.person or manifest.get("person") or person_said(files.original)
    account = manifest.get("account")
    if roles.qi or roles.identifiers or not isinstance(account, dict):
        return replace(files, roles=replace(roles, person=person))
    columns = manifest["columns"]
    qi = tuple(name for name, role in columns.items() if role == Role.QI)
    sa = tuple(name for name, role in columns.items() if role == Role.SA)
    dropped = tuple(name for name, entry in account.items() if entry["fate"] == Fate.DROPPED)
    ids = tuple(name for name in dropped if name != person)
    known = replace(roles, qi=qi, identifiers=ids, person=person)
    return replace(files, roles=known, sa=sa if files.sa is None else files.sa)


def _known_roles(roles: Roles, original: list[str], release: list[str]) -> Roles:
    """The roles of columns that are there; a name that is nowhere is an error, not a pass."""
    places = {name: getattr(roles, name) for name in ROLES}
    for names, columns, where in (
        ((roles.person, *roles.identifiers), original, "original"),
        ((roles.pseudonym, *roles.qi), release, "release"),
        (places.values(), list(dict.fromkeys([*release, *original])), "release, original"),
    ):
        for name in names:
            if name is not None and name not in columns:
                raise UnknownNameError(COLUMN, name, columns, where=where)
    gone: dict[str, Any] = {role: None for role, name in places.items() if name not in release}
    return replace(roles, **gone)


def _pseudonyms(path: str, name: str | None, files: CaseFiles) -> pl.Series:
    """The pseudonyms of an earlier release."""
    if name is None:
        earlier, pseudonym = field_name("earlier"), field_name("pseudonym")
        raise UsageError(
            f"{earlier} needs {pseudonym}",
            f"{earlier} には {pseudonym} が必要です",
            field="pseudonym",
        )
    frame = _frame(path, files)
    if name not in frame.columns:
        raise UnknownNameError(COLUMN, name, frame.columns, where=path)
    return frame[name]


def _attacks(files: CaseFiles, case: ConformityCase, seed: int) -> tuple[AttackFigure, ...]:
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
    found = AttackFigure(ALL_ROWS, best.attack, best.rate, best.low, best.high, best.baseline)
    return (found,)


def _frame(path: str, files: CaseFiles) -> pl.DataFrame:
    return read_frame(path, sep=files.sep, encoding=files.encoding)


def _text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.all().cast(pl.String))
