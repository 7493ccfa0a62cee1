"""Translates error messages of libraries and of the system into both languages.

translate_value_error("Input should be a valid integer")     # a whole number is needed / 整数を…
translate_system_error(error)                                # no such file / ファイルがありません
"""

from __future__ import annotations

import errno
import re

from tokumei.core.messages import Message

_VALUE_MESSAGES = (
    (
        r"(?:Input should be )?a valid integer.*",
        Message("a whole number is needed", "整数を指定してください"),
    ),
    (
        r"(?:Input should be )?a valid number.*",
        Message("a number is needed", "数値を指定してください"),
    ),
    (
        r"Input should be a valid boolean.*",
        Message("true or false is needed", "true か false を指定してください"),
    ),
    (
        r"Input should be a valid (?:list|tuple|array)",
        Message("a list is needed, such as [a, b]", "[a, b] のようなリストを指定してください"),
    ),
    (
        r"Input should be a valid (?:dictionary|mapping)",
        Message("pairs are needed, such as {a: 1}", "{a: 1} のように名前と値を指定してください"),
    ),
    (r"Input should be a valid string", Message("a text is needed", "文字列を指定してください")),
    (
        r"Input should be greater than or equal to (\S+)",
        Message(r"it must be at least \1", r"\1 以上にしてください"),
    ),
    (
        r"Input should be greater than (\S+)",
        Message(r"it must be above \1", r"\1 より大きくしてください"),
    ),
    (
        r"Input should be less than or equal to (\S+)",
        Message(r"it must be at most \1", r"\1 以下にしてください"),
    ),
    (
        r"Input should be less than (\S+)",
        Message(r"it must be below \1", r"\1 より小さくしてください"),
    ),
    (r"Field required", Message("it is missing", "指定が必要です")),
)
"""Pydantic's messages about wrong values, and ours."""
_CHOICE_PATTERN = re.compile(r"Input should be ('.+')")
_SYSTEM_MESSAGES = {
    errno.ENOENT: Message("no such file or folder", "ファイルまたはフォルダがありません"),
    errno.ENOTDIR: Message("a file stands where a folder is needed", "フォルダではありません"),
    errno.EISDIR: Message("it is a folder, not a file", "ファイルではなくフォルダです"),
    errno.EACCES: Message("permission denied", "アクセスが許可されていません"),
    errno.EPERM: Message("permission denied", "アクセスが許可されていません"),
    errno.EEXIST: Message("it exists already", "既に存在します"),
    errno.ENOSPC: Message("no space is left on the disk", "ディスクに空きがありません"),
    errno.EROFS: Message("the disk is read-only", "読み取り専用のディスクです"),
    errno.ENAMETOOLONG: Message("the name is too long", "名前が長すぎます"),
    errno.EADDRINUSE: Message("the address is in use", "アドレスは使用中です"),
}


def translate_value_error(message: str) -> Message:
    """Translate what is wrong with a value; unknown messages stay English."""
    message = message.removeprefix("Value error, ")
    if choice := _CHOICE_PATTERN.fullmatch(message):
        names = re.split(r", | or ", choice[1])
        return Message(f"it must be {choice[1]}", f"{'、'.join(names)} のいずれかにしてください")
    for pattern, words in _VALUE_MESSAGES:
        if match := re.fullmatch(pattern, message, re.DOTALL):
            return Message(match.expand(words.en), match.expand(words.ja))
    return Message(message, message)


def translate_system_error(error: OSError | UnicodeDecodeError) -> Message:
    """Why a file could not be opened, read or written."""
    if isinstance(error, UnicodeDecodeError):
        code = error.encoding.upper()
        return Message(f"it is not {code} text", f"{code} のテキストではありません")
    system_text = error.strerror or type(error).__name__
    return _SYSTEM_MESSAGES.get(error.errno or 0, Message(system_text, system_text))
