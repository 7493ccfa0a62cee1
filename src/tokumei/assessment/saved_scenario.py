"""The scenario that was decided for a release: beside the original, or told by the release.

    find_scenario(AssessTable(original="people.csv", release="y.csv"))

It is looked for in the request, the side file of the original (`people.csv.tokumei.json`), the
assessment in the folder of the release, the release or the manifest beside it; the default is a
partner under contract.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message
from tokumei.core.scenario import Scenario
from tokumei.files.file_formats import input_error, translate_read_errors
from tokumei.tables.data.table import Release
from tokumei.tables.hierarchies.release_hierarchies import read_manifest
from tokumei.tables.services.comparison_requests import is_path

if TYPE_CHECKING:
    from tokumei.tables.services.comparison_requests import Original, Released


def find_scenario(
    original: Original, release: Released | None = None, folder: str | None = None
) -> Scenario:
    """The scenario that was decided for releases of this original, or for this release."""
    from tokumei.tables.profiling.profile_file import read_saved_scenario

    saved = read_saved_scenario(cast("str | Path", original)) if is_path(original) else None
    if saved is None and folder is not None:
        saved = assessed_scenario(Path(folder) / "assessment.json")
    if saved is None and isinstance(release, Release):
        saved = release.scenario
    if saved is None and release is not None and is_path(release):
        saved = manifest_scenario(read_manifest(str(release)))
    return Scenario() if saved is None else saved


def assessed_scenario(path: Path) -> Scenario | None:
    """The scenario of an assessment that lies beside a release; the manifest tells less of it."""
    if not path.is_file():
        return None
    with translate_read_errors(path):
        text = path.read_text(encoding="utf-8", errors="replace")
    try:
        document = json.loads(text)
    except ValueError:
        raise input_error(path, Message("not an assessment of Tokumei")) from None
    return manifest_scenario(document) if isinstance(document, dict) else None


def manifest_scenario(manifest: Mapping[str, object]) -> Scenario | None:
    """The scenario that a manifest tells; None where it tells none that can be read."""
    told = manifest.get("scenario")
    if not isinstance(told, dict):
        return None
    try:
        return Scenario.from_dict(told)
    except (TokumeiError, ValueError, TypeError):
        return None


def save_scenario(original: str, scenario: Scenario) -> Message:
    """Write a scenario with the roles beside the original; return where it stands."""
    from tokumei.files.writing import write_text
    from tokumei.tables.profiling.profile_file import (
        format_profile_file,
        profile_path,
        with_scenario,
    )
    from tokumei.tables.services.profile import ProfileTableRequest, profile_table

    path = profile_path(original)
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    else:
        text = format_profile_file(profile_table(ProfileTableRequest(data=original)))
    write_text(with_scenario(text, scenario), path)
    return Message("Scenario saved in {path}", path=path)
