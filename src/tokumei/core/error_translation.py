"""Translates error messages of libraries and of the system.

translate_value_error("Input should be a valid integer")     # a whole number is needed
translate_system_error(error)                                # no such file or folder
"""

from __future__ import annotations

import errno
import re

from tokumei.core.messages import Message, join_messages

_VALUE_MESSAGES = (
    (r"(?:Input should be )?a valid integer.*", Message("a whole number is needed")),
    (r"(?:Input should be )?a valid number.*", Message("a number is needed")),
    (r"Input should be a valid boolean.*", Message("true or false is needed")),
    (r"Input should be a valid (?:list|tuple|array)", Message("a list is needed, such as [a, b]")),
    (
        r"Input should be a valid (?:dictionary|mapping)",
        Message("pairs are needed, such as {a: 1}"),
    ),
    (r"Input should be a valid string", Message("a text is needed")),
    (
        r"Input should be greater than or equal to (?P<limit>\S+)",
        Message("it must be at least {limit}"),
    ),
    (r"Input should be greater than (?P<limit>\S+)", Message("it must be above {limit}")),
    (
        r"Input should be less than or equal to (?P<limit>\S+)",
        Message("it must be at most {limit}"),
    ),
    (r"Input should be less than (?P<limit>\S+)", Message("it must be below {limit}")),
    (r"Field required", Message("it is missing")),
)
"""Pydantic's messages about wrong values, and ours; named groups fill the placeholders."""
_CHOICE_PATTERN = re.compile(r"Input should be ('.+')")
_SYSTEM_MESSAGES = {
    errno.ENOENT: Message("no such file or folder"),
    errno.ENOTDIR: Message("a folder is needed, but this is a file"),
    errno.EISDIR: Message("it is a folder, not a file"),
    errno.EACCES: Message("permission denied"),
    errno.EPERM: Message("permission denied"),
    errno.EEXIST: Message("it exists already"),
    errno.ENOSPC: Message("no space is left on the disk"),
    errno.EROFS: Message("the disk is read-only"),
    errno.ENAMETOOLONG: Message("the name is too long"),
    errno.EADDRINUSE: Message("the address is in use"),
}


def translate_value_error(message: str) -> Message:
    """Translate what is wrong with a value; unknown messages stay English."""
    message = message.removeprefix("Value error, ")
    if choice := _CHOICE_PATTERN.fullmatch(message):
        choices = join_messages(re.split(r", | or ", choice[1]))
        return Message("it must be one of {choices}", choices=choices)
    for pattern, words in _VALUE_MESSAGES:
        if match := re.fullmatch(pattern, message, re.DOTALL):
            return words.fill(**match.groupdict())
    return Message.verbatim(message)


def translate_system_error(error: OSError | UnicodeDecodeError) -> Message:
    """Why a file could not be opened, read or written."""
    if isinstance(error, UnicodeDecodeError):
        code = error.encoding.upper()
        return Message("it is not {code} text", code=code)
    system_text = error.strerror or type(error).__name__
    return _SYSTEM_MESSAGES.get(error.errno or 0, Message.verbatim(system_text))
