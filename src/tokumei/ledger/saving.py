"""From a release to its files and its line in a ledger, all or nothing; for Python."""

from __future__ import annotations

from typing import Any

from tokumei.core.errors import UsageError
from tokumei.core.kind import Kind, Release
from tokumei.files.containers import AnyPath
from tokumei.files.releases import save_release
from tokumei.ledger.book import Ledger
from tokumei.ledger.check import Check
from tokumei.ledger.contribution import Contribution
from tokumei.ledger.recording import Recording, joint_check, require_joint, said_of


def save_recorded(
    book: Ledger,
    kind: Kind,
    release: Release,
    given: Contribution,
    public: AnyPath | None,
    *,
    recipient: str,
    joint_k: int | None = None,
    **files: Any,
) -> Check:
    """Check the release with all earlier ones, write it, record it."""
    if public is None or not recipient:
        raise UsageError(
            "a ledger records what is handed out, and to whom: give a public file and a recipient",
            "台帳には渡すファイルと受領者が必要です",
        )
    with book.writing():
        draft = book.draft(given, said_of(book, release, recipient), public=public)
        found = require_joint(joint_check(book, draft, joint_k=joint_k))
        save_release(kind, release, public, record=Recording(book, draft), **files)
    return found
