"""Reads what an assessment needs: from files with what lies beside them, or from memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tokumei.assessment.opened_release import NO_PERSON, OpenedRelease, method_names
from tokumei.assessment.saved_scenario import find_scenario
from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim
from tokumei.core.scenario import Scenario
from tokumei.tables.comparisons import resolve_hierarchies
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.choose import add_missing_leaves
from tokumei.tables.hierarchies.release_hierarchies import (
    hierarchies_from_manifest,
    read_manifest,
    step_hierarchies,
)
from tokumei.tables.profiling.retype_original import retype_original
from tokumei.tables.services.comparison_requests import is_path

if TYPE_CHECKING:
    from tokumei.assessment.control_audit import Control
    from tokumei.ledger.services import LedgerLocation
    from tokumei.tables.services.comparison_requests import HierarchyFiles, Original, Released


@dataclass(frozen=True, kw_only=True)
class AssessTable:
    """The request: an original, a release of it, the link between them, and the scenario.

    Each side may be a file, a frame or a Table. What is not given is as the release says: roles,
    person, hierarchies, claims and link of a Release, or of the manifest beside a file. Without a
    scenario that of the side file or of the manifest holds, else that of a partner. `ledger` tells
    of earlier releases (of the recipients in `coalition`, or of all), `control` of people who are
    not in the data.
    """

    original: Original
    release: Released
    link: str | Path | np.ndarray | None = None
    scenario: Scenario | None = None
    qi: tuple[str, ...] | None = None
    sa: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    hierarchies: HierarchyFiles = None
    remedies: bool = True
    conformity: bool = True
    ledger: LedgerLocation | None = None
    coalition: tuple[str, ...] = ()
    control: Control | None = None
    sep: str | None = None
    encoding: str = "auto"

    def decided(self) -> Scenario:
        """The scenario of the request, or the one that was decided for such releases."""
        if self.scenario is not None:
            return self.scenario
        return find_scenario(self.original, self.release)


@dataclass(frozen=True)
class _ReleaseSide:
    """A release with what is said of it."""

    public: Table
    manifest: Mapping[str, Any]
    link: np.ndarray | None = None
    claims: tuple[Claim, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    written: Table | None = None


def open_release(request: AssessTable) -> OpenedRelease:
    """Both sides with their link, claims and people."""
    scenario = request.decided()
    side = _read_release(request)
    roles = _roles(request, side)
    original, notes = _read_original(request, side, roles)
    original, more_notes = _match_roles(original, side, roles)
    names = [name for name in original.schema.names if name in side.public.schema.names]
    hierarchies = _hierarchies(request, side, original, names)
    person = scenario.person or side.manifest.get("person") or _saved_person(request)
    if person not in (None, NO_PERSON):
        original.schema.require([str(person)])
    return OpenedRelease(
        original,
        side.public,
        _read_link(request, side, original),
        hierarchies,
        person,
        side.claims,
        side.written,
        method_names(side.steps),
        _identifiers(request, side, original, person),
        _pseudonyms(side),
        (*notes, *more_notes),
    )


def _read_release(request: AssessTable) -> _ReleaseSide:
    from tokumei.tables.data.reading import read_table

    release = request.release
    if isinstance(release, Release):
        manifest = release.manifest()
        steps = tuple(release.provenance.steps)
        return _ReleaseSide(
            release.public, manifest, release.link, release.claims, steps, release.written
        )
    if not is_path(release):
        return _ReleaseSide(Table.of(release), {})
    form: dict[str, Any] = {"sep": request.sep, "encoding": request.encoding}
    path = cast("str | Path", release)
    public = read_table(path, qi=(), sa=(), release=True, **form)
    manifest = read_manifest(str(path))
    provenance: Any = manifest.get("provenance", {})
    steps = provenance.get("steps", [])
    return _ReleaseSide(
        public, manifest, None, _claims(manifest), tuple(steps), _read_as_text(path, form)
    )


def _read_as_text(path: str | Path, form: Mapping[str, Any]) -> Table:
    from tokumei.files.reading import read_cells

    return Table.of(read_cells(str(path), **form), qi=(), sa=())


def _claims(manifest: Mapping[str, Any]) -> tuple[Claim, ...]:
    return tuple(
        Claim(entry["rule"], entry["params"])
        for entry in manifest.get("claims", [])
        if isinstance(entry, dict) and {"rule", "params"} <= entry.keys()
    )


Roles = dict[str, tuple[str, ...] | None]


def _roles(request: AssessTable, side: _ReleaseSide) -> Roles:
    """The roles that were given, else those of the manifest; None where nobody said."""
    columns = side.manifest.get("columns")
    if request.qi is not None or request.sa is not None or not isinstance(columns, dict):
        return {"qi": request.qi, "sa": request.sa, "ids": request.ids}
    return {
        key: tuple(name for name, told in columns.items() if told == role)
        for key, role in (("qi", Role.QI), ("sa", Role.SA), ("ids", Role.ID))
    }


def _read_original(
    request: AssessTable, side: _ReleaseSide, roles: Roles
) -> tuple[Table, list[Message]]:
    if not is_path(request.original):
        return Table.of(request.original), []
    from tokumei.tables.services.read_comparison import read_original

    return read_original(
        str(request.original),
        qi=roles["qi"],
        sa=roles["sa"],
        sep=request.sep,
        encoding=request.encoding,
    )


def _match_roles(original: Table, side: _ReleaseSide, roles: Roles) -> tuple[Table, list[Message]]:
    """The original with these roles, its columns typed as the release has them."""
    table = original
    if any(names is not None for names in roles.values()):
        for names in roles.values():
            original.schema.require(names or ())
        table = replace(
            original,
            schema=original.schema.with_roles(qi=roles["qi"], sa=roles["sa"], ids=roles["ids"]),
        )
    return retype_original(table, side.public, side.manifest.get("answers"))


def _hierarchies(
    request: AssessTable, side: _ReleaseSide, original: Table, names: list[str]
) -> dict[str, Any]:
    if request.hierarchies is not None:
        return resolve_hierarchies(original, request.hierarchies)
    qi = [name for name in original.schema.qi if name in names]
    before, after = original.frame, side.public.frame
    if isinstance(request.release, Release):
        return add_missing_leaves(step_hierarchies(side.steps, before, after, qi), before)
    return hierarchies_from_manifest(side.manifest, before, after, qi)


def _saved_person(request: AssessTable) -> str | None:
    from tokumei.tables.services.read_comparison import read_saved_person

    return read_saved_person(str(request.original)) if is_path(request.original) else None


def _read_link(request: AssessTable, side: _ReleaseSide, original: Table) -> np.ndarray | None:
    from tokumei.files.writing import read_link

    link: np.ndarray | None
    if is_path(request.link):
        link = read_link(cast("str | Path", request.link), side.public.rows, original.rows)
    else:
        link = cast("np.ndarray | None", request.link)
    link = side.link if link is None else np.asarray(link)
    if link is None:
        return None
    is_complete = len(link) == side.public.rows
    is_inside = not len(link) or (link.min() >= 0 and link.max() < original.rows)
    if not is_complete or not is_inside or len(np.unique(link)) != len(link):
        raise UsageError(
            "the link ({truth_field}) must name another original row for each of the {rows:,} "
            "released rows",
            field="truth",
            truth_field=field_name("truth"),
            rows=side.public.rows,
        )
    return link.astype(np.int64)


def _identifiers(
    request: AssessTable, side: _ReleaseSide, original: Table, person: str | None
) -> frozenset[str]:
    """Columns that were declared identifiers: they must go, so nothing is lost with them.

    Other columns that were dropped are lost.
    """
    account = side.manifest.get("account")
    declared = {*original.schema.ids, *(request.ids or ())}
    if request.ids is None and is_path(request.original):
        declared |= _saved_identifiers(str(request.original), original)
    if isinstance(account, dict):
        declared |= {
            name
            for name, entry in account.items()
            if entry.get("role") == Role.ID and name in original.schema.names
        }
        declared -= {name for name, entry in account.items() if entry.get("is_loss")}
    return frozenset(declared | ({person} if person not in (None, NO_PERSON) else set()))


def _saved_identifiers(path: str, original: Table) -> set[str]:
    """The columns that the side file drops, unless another role was given to them."""
    from tokumei.tables.profiling.profile_file import dropped_columns

    schema = original.schema
    return ({*dropped_columns(path)} & {*schema.names}) - {*schema.qi, *schema.sa}


def _pseudonyms(side: _ReleaseSide) -> frozenset[str]:
    account = side.manifest.get("account")
    if not isinstance(account, dict):
        return frozenset()
    return frozenset(name for name, entry in account.items() if entry.get("fate") == "pseudonym")
