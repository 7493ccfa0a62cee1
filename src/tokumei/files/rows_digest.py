"""Ties the rows of a release to its manifest, so that a reader sees if they do not belong together.

with_rows_digest(manifest_bytes, staged_rows)     # the manifest with the rows' SHA-256
require_rows_of_manifest("y.csv")                 # fails if other rows stand beside it
"""

from __future__ import annotations

import json
from pathlib import Path

from tokumei.core.errors import ClaimError
from tokumei.core.json_types import as_json_text
from tokumei.files.file_formats import AnyPath, sha256_of_file

ROWS_DIGEST, MANIFEST_SUFFIX = "rows_sha256", ".manifest.json"


def with_rows_digest(manifest: bytes, rows: AnyPath) -> bytes:
    """The manifest, which names the bytes of the file of rows that it describes."""
    described = json.loads(manifest)
    return as_json_text(described | {ROWS_DIGEST: sha256_of_file(rows)}).encode()


def require_rows_of_manifest(public: AnyPath) -> None:
    """Fail if the manifest beside a public file describes other rows.

    Without a manifest, or one that does not name its rows, there is nothing to compare.
    """
    manifest, rows = Path(f"{public}{MANIFEST_SUFFIX}"), Path(public)
    if not (manifest.is_file() and rows.is_file()):
        return
    try:
        described = json.loads(manifest.read_bytes())
    except ValueError:
        return  # whoever reads what it says refuses it
    digest = described.get(ROWS_DIGEST) if isinstance(described, dict) else None
    if digest is not None and digest != sha256_of_file(rows):
        raise ClaimError(
            "{path}: these are not the rows that its manifest describes: one of the two was "
            "changed or comes from another release",
            path=public,
        )
