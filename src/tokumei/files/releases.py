"""Saving a release: all its files or none, and none unless it proves its claims."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tokumei.core.flow import require_proven
from tokumei.core.kind import Kind, Release
from tokumei.files.atomic import write_all
from tokumei.files.containers import AnyPath


def save_release(kind: Kind, release: Release, public: AnyPath | None, **files: Any) -> None:
    """Write the files of a release; its claims are verified beside the writing, before renaming."""
    outputs = kind.flow.outputs(release, public, **files)
    with ThreadPoolExecutor(1) as beside:
        proven = beside.submit(require_proven, kind, release)
        write_all(list(outputs), only_if=proven.result)
