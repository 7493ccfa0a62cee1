"""The judge's version: changes when figures may.

judge_version(contest, folder)         # 64 hexadecimal digits

Library, whatever of contest.yaml decides figures and rules, data files, the organiser's own file.
Times, titles, quotas and what is shown when are not in it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tokumei._version import __version__
from tokumei.contest.spec.model import ContestSpec
from tokumei.files.containers import sha256

DECIDING = ("format", "schema_", "knowledge", "rules", "scoring")


def judge_version(contest: ContestSpec, folder: Path) -> str:
    """The version, without loading the data."""
    plain = contest.model_dump(mode="json", include=set(DECIDING))
    held = {key: sha256(folder / name) for key, name in sorted(contest.data.items())}
    extra = None if contest.extra is None else sha256(folder / contest.extra)
    parts = {"tokumei": __version__, "contest": plain, "data": held, "extra": extra}
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
