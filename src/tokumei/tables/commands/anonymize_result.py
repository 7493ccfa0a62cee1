"""Renders the result of `tokumei anonymize table`: what was done, and what was verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokumei.core.claims import MAX_LISTED_COLUMNS, describe_verified_claims
from tokumei.core.command import CommandResult, MadeRelease
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.tables.commands.anonymize import AnonymizeTable
    from tokumei.tables.services.publish import WrittenRelease

UNCHANGED = Message(
    "WARNING: the released rows are unchanged originals; anyone who knows a row can find it"
)

EXACT_PAIRS = Message(
    "WARNING: Mondrian with k = 2 gives exact records away: a class of two rows that differ in one "
    "column shows both (13 % of Adult's people; none with k = 5)"
)


def render_release(
    command: AnonymizeTable, written: WrittenRelease, notes_before: Sequence[Message]
) -> CommandResult:
    """Say what became of every column, how unique rows are, and which claims were verified."""
    from tokumei.tables.registry import claim_checks

    release, notes = written.release, [*notes_before, *written.notes]
    notes += [UNCHANGED] if written.unchanged else []
    notes += [EXACT_PAIRS] if command.k == 2 and "mondrian" in command.method else []
    notes += [search.note for search in release.provenance.searches]
    notes += release.provenance.notes
    notes += [] if release.account is None else release.account.lines()
    notes += written.uniqueness
    claims = describe_verified_claims(claim_checks, release.claims, most=MAX_LISTED_COLUMNS)
    summary = Message(
        "{out}: {rows} of {source_rows} rows; {claims}",
        out=command.out,
        rows=written.rows,
        source_rows=written.source_rows,
        claims=claims,
    )
    data = {"out": command.out, "secret": command.secret, **release.manifest()}
    made = MadeRelease(release, written.source, command.data, command.out, command.secret)
    return CommandResult(data, notes=[*notes, summary], made=made)
