"""All targets as one zip: what an attacker needs, in one click."""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from tokumei.apps.contest.services.published_releases import get_public_file, list_targets
from tokumei.apps.contest.web.request_context import CurrentRequest
from tokumei.apps.http.errors import NotFound
from tokumei.core.releases_folder import to_file_name

router = APIRouter()
ARCHIVE_TIME = (1980, 1, 1, 0, 0, 0)
"""The same targets are the same bytes."""


@router.get("/c/{slug}/targets.zip")
def send_all_targets(visit: CurrentRequest, slug: str) -> Response:
    """Every published release but one's own, under its team's name."""
    targets = [target for target in visit.ask(list_targets, slug) if not target.own]
    if not targets:
        raise NotFound
    handle, name = tempfile.mkstemp(suffix=".zip")
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w") as archive:
            for target in targets:
                entry = zipfile.ZipInfo(
                    f"{to_file_name(target.team)}-{target.number}-{target.id}.csv", ARCHIVE_TIME
                )
                entry.compress_type = zipfile.ZIP_DEFLATED
                source = visit.ask(get_public_file, slug, target.id).path
                archive.writestr(entry, source.read_bytes())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return FileResponse(
        path,
        filename=f"{slug}-targets.zip",
        media_type="application/zip",
        background=BackgroundTask(path.unlink, missing_ok=True),
    )
