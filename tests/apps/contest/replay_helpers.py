"""What the tests split from test_replay share."""

from __future__ import annotations

import shutil
from pathlib import Path

from apps.contest.played import SLUG, Played
from tokumei.apps.contest.services.export import export_contest


def exported(played: Played, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    found = export_contest(played.place, played.viewers["organiser"], SLUG)
    return Path(shutil.move(found.path, folder / "export.zip"))
