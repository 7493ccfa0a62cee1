"""Rows by identifiers that anybody may have made up: those that cannot be are not asked for.

A database fails on text with NUL or half a character, and on numbers beyond its own.
"""

from __future__ import annotations

import re

from sqlalchemy.orm import Session, defer

from tokumei.contest.store.tables import Entry
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound

NO_ENTRY = Text("there is no such upload", "その提出はありません")
BIGGEST = 2**31 - 1
_ID = re.compile(r"[a-z0-9]{20}")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def is_slug(text: str) -> bool:
    """Whether a contest could have this name."""
    return _SLUG.fullmatch(text) is not None


def is_id(text: str) -> bool:
    """Whether an entry or a run could have this id."""
    return _ID.fullmatch(text) is not None


def find_entry(session: Session, contest_id: int, entry_id: str, *, faults: bool = True) -> Entry:
    """An entry of a contest, with or without the `faults`; NotFound if there is none."""
    options = [] if faults else [defer(Entry.faults)]
    entry = session.get(Entry, entry_id, options=options) if is_id(entry_id) else None
    if entry is None or entry.contest_id != contest_id:
        raise NotFound(NO_ENTRY)
    return entry


def require_number(number: int) -> int:
    """A row's number; NotFound if no row could have it."""
    if not 0 <= number <= BIGGEST:
        raise NotFound()
    return number
