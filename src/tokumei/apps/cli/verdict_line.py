"""Ends the output of a command that made a release with the verdict on it.

The scenario is that of the release (saved with the roles, or given), else that of a partner.
"""

from __future__ import annotations

import shlex
from dataclasses import replace

from tokumei.core.command import CommandResult, MadeRelease
from tokumei.core.messages import Message

MAX_CELLS = 4_000_000
"""A larger original takes more time and memory than a command should add of its own accord."""


def add_verdict(result: CommandResult, made: MadeRelease) -> CommandResult:
    """The result with the verdict on what was made, or how to get it."""
    command = format_assess_command(made)
    cells = 0 if made.source is None else made.source.rows * len(made.source.schema.names)
    if made.source is None or cells > MAX_CELLS:
        note = Message(
            "Not assessed here, because the table is large. For the verdict: {command}",
            command=command,
        )
        return replace(result, notes=[*result.notes, note])
    from tokumei.assessment.assess_release import assess_release
    from tokumei.assessment.first_screen import verdict_sentence

    assessment = assess_release(made.source, made.release, remedies=False)
    if assessment is None:
        return result
    where = Message("Reasons and what would help: {command}", command=command)
    shown = [*result.shown, verdict_sentence(assessment), where]
    return replace(result, data={**result.data, "assessment": assessment.to_dict()}, shown=shown)


def format_assess_command(made: MadeRelease) -> str:
    """The command that assesses the files."""
    words = ["tokumei", "assess", "--original", made.original, "--release", made.public]
    if made.link is not None:
        words += ["--truth", made.link]
    return shlex.join(words)
