"""Lines of output: a problem with its place, a line below another one."""

from __future__ import annotations

from tokumei.core.messages import Message, join_messages


def locate_problem(problem: Message, where: str) -> Message:
    """A problem behind its place; without one, as it stands."""
    return Message("{where}: {problem}", where=where, problem=problem) if where else problem


def indent_message(line: Message) -> Message:
    """A line that belongs to the one above it."""
    return join_messages(["  ", line], Message.verbatim(""))
