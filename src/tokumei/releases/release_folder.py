"""Writes a release with everything that belongs to it into one folder, all of it or nothing.

files = save_prepared(prepared, "to-partner")
files["release"], files["link"]

Public: `release.csv` and its manifest. For the owner's records: `assessment.json`, `report.html`,
`recipe.yaml`. Secret, for the owner alone: `secret/` with the link and the key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tokumei.core.errors import OutputError
from tokumei.core.json_types import as_json_text
from tokumei.core.language import current_language
from tokumei.core.provenance import KEY_BYTES
from tokumei.core.releases_folder import SECRET_FOLDER
from tokumei.core.verification import verify_release
from tokumei.files.atomic_write import Output, stage_files
from tokumei.files.release_files import publish_files
from tokumei.files.temporary_files import temporary_secret_folder
from tokumei.files.writing import text_output
from tokumei.releases.recipe_text import build_recipe
from tokumei.releases.release_table import PreparedRelease
from tokumei.releases.trial import build_table_request
from tokumei.tables.kind import TABLES

RELEASE, ASSESSMENT, REPORT, RECIPE = (
    "release.csv",
    "assessment.json",
    "report.html",
    "recipe.yaml",
)
LINK, KEY = f"{SECRET_FOLDER}/release.link.csv", f"{SECRET_FOLDER}/release.key"


@dataclass(frozen=True)
class ReleaseFolder:
    """The folder of a release, and which of its files are there."""

    folder: Path
    has_recipe: bool

    @property
    def files(self) -> dict[str, str]:
        """The files by what they are."""
        names = {"release": RELEASE, "assessment": ASSESSMENT, "report": REPORT}
        names |= {"recipe": RECIPE} if self.has_recipe else {}
        return {key: str(self.folder / name) for key, name in (*names.items(), ("link", LINK))}


def require_free_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder to write, which is not there yet, or is empty."""
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError("{folder}: it exists already; choose another folder", folder=target)
    if not target.parent.is_dir():
        raise OutputError("{folder}: no such folder", folder=target.parent)
    return target


def save_prepared(
    prepared: PreparedRelease, folder: str | os.PathLike[str], document: Mapping[str, object]
) -> ReleaseFolder:
    """Write the folder of a release; `document` is its assessment as plain data."""
    target = require_free_folder(folder)
    with temporary_secret_folder(target) as place:
        (place / SECRET_FOLDER).mkdir(mode=0o700)
        verified = verify_release(TABLES, prepared.release)
        with stage_files(list(_outputs(prepared, place, target, document))) as staged:
            publish_files(staged, verified)
        place.chmod(0o777 & ~_umask())
        if target.exists():
            target.rmdir()
        place.rename(target)
    return ReleaseFolder(target, bool(prepared.request.table.data))


def _outputs(
    prepared: PreparedRelease, place: Path, target: Path, document: Mapping[str, object]
) -> Iterator[Output]:
    """The files, the public rows first."""
    yield from TABLES.flow.outputs(prepared.release, place / RELEASE, secret=place / LINK)
    yield text_output(f"{prepared.key:0{2 * KEY_BYTES}x}\n", place / KEY, secret=True)
    yield text_output(as_json_text(dict(document)), place / ASSESSMENT)
    yield text_output(_report(prepared), place / REPORT)
    if prepared.request.table.data:
        best = prepared.best
        table = build_table_request(
            prepared.source,
            best.request,
            prepared.decisions.identifiers,
            prepared.assessment.scenario,
        )
        recipe = build_recipe(table, best.request, target.resolve(), KEY)
        yield text_output(recipe, place / RECIPE)


def _report(prepared: PreparedRelease) -> str:
    from tokumei.assessment.page import render_assessment_page

    return render_assessment_page(prepared.assessment, release=RELEASE, lang=current_language())


def _umask() -> int:
    """The mask of this process; it can only be read by setting it, for a moment."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
