"""Ends the output of a command that made a release with the verdict on it.

The scenario is that of the release (saved with the roles, or given), else that of a partner.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from tokumei.core.command import CommandResult, MadeRelease
from tokumei.core.fields import field_name
from tokumei.core.messages import Message, join_sentences
from tokumei.tables.data.table import Table

if TYPE_CHECKING:
    from tokumei.histories.data.history import History
    from tokumei.pseudonyms.data.period_history import PeriodHistory

MAX_CELLS = 4_000_000
"""A larger original takes more time and memory than a command should add of its own accord."""
CELLS_OF_A_PURCHASE = 20
"""Purchases are compared with those of everybody else, so each of them costs more than a row."""


def add_verdict(result: CommandResult, made: MadeRelease) -> CommandResult:
    """The result with the verdict on what was made, or how to get it."""
    where = _where_to_read_more(made)
    if made.source is None or _count_cells(made.source) > MAX_CELLS:
        note = Message("Not assessed here, because the table is large.")
        return replace(result, notes=[*result.notes, join_sentences([note, where])])
    from tokumei.assessment.assess_release import assess_release
    from tokumei.assessment.first_screen import verdict_sentence
    from tokumei.assessment.saved_scenario import find_scenario

    scenario = None
    if not isinstance(made.source, Table):
        scenario = find_scenario(made.original, made.public)
    assessment = assess_release(made.source, made.release, scenario=scenario, remedies=False)
    shown = [*result.shown, verdict_sentence(assessment), where]
    return replace(result, data={**result.data, "assessment": assessment.to_dict()}, shown=shown)


def _count_cells(source: Table | History | PeriodHistory) -> int:
    if isinstance(source, Table):
        return source.rows * len(source.schema.names)
    rows = source.rows if isinstance(source.rows, int) else source.rows.rows
    return rows * CELLS_OF_A_PURCHASE


def _where_to_read_more(made: MadeRelease) -> Message:
    """The command that says why; the link that it needs may not have been written."""
    command = format_assess_command(made)
    if made.link is None and not made.is_aligned:
        return Message(
            "Reasons and what would help: make it with the link ({secret}), then {command}",
            secret=field_name("secret"),
            command=command,
        )
    return Message("Reasons and what would help: {command}", command=command)


def format_assess_command(made: MadeRelease) -> str:
    """The command that assesses the files."""
    words = ["tokumei", "assess", "--original", made.original, "--release", made.public]
    if made.link is not None and not made.is_aligned:
        words += ["--truth", made.link]
    words += made.options
    return shlex.join(words)
