"""Why something failed, in both languages, where a library or the system says it in English.

value_reason("Input should be a valid integer")     # a whole number is needed / 整数を…
system_reason(error)                                # no such file / ファイルがありません
"""

from __future__ import annotations

import errno
import re

from tokumei.core.text import Text

_VALUES = (
    (
        r"(?:Input should be )?a valid integer.*",
        Text("a whole number is needed", "整数を指定してください"),
    ),
    (
        r"(?:Input should be )?a valid number.*",
        Text("a number is needed", "数値を指定してください"),
    ),
    (
        r"Input should be a valid boolean.*",
        Text("true or false is needed", "true か false を指定してください"),
    ),
    (
        r"Input should be a valid (?:list|tuple|array)",
        Text("a list is needed, such as [a, b]", "[a, b] のようなリストを指定してください"),
    ),
    (
        r"Input should be a valid (?:dictionary|mapping)",
        Text("pairs are needed, such as {a: 1}", "{a: 1} のように名前と値を指定してください"),
    ),
    (r"Input should be a valid string", Text("a text is needed", "文字列を指定してください")),
    (
        r"Input should be greater than or equal to (\S+)",
        Text(r"it must be at least \1", r"\1 以上にしてください"),
    ),
    (
        r"Input should be greater than (\S+)",
        Text(r"it must be above \1", r"\1 より大きくしてください"),
    ),
    (
        r"Input should be less than or equal to (\S+)",
        Text(r"it must be at most \1", r"\1 以下にしてください"),
    ),
    (
        r"Input should be less than (\S+)",
        Text(r"it must be below \1", r"\1 より小さくしてください"),
    ),
    (r"Field required", Text("it is missing", "指定が必要です")),
)
"""What a value should have been, as Pydantic says it, and as a person does."""
_CHOICE = re.compile(r"Input should be ('.+')")
_SYSTEM = {
    errno.ENOENT: Text("no such file or folder", "ファイルまたはフォルダがありません"),
    errno.ENOTDIR: Text("a file stands where a folder is needed", "フォルダではありません"),
    errno.EISDIR: Text("it is a folder, not a file", "ファイルではなくフォルダです"),
    errno.EACCES: Text("permission denied", "アクセスが許可されていません"),
    errno.EPERM: Text("permission denied", "アクセスが許可されていません"),
    errno.EEXIST: Text("it exists already", "既に存在します"),
    errno.ENOSPC: Text("no space is left on the disk", "ディスクに空きがありません"),
    errno.EROFS: Text("the disk is read-only", "読み取り専用のディスクです"),
    errno.ENAMETOOLONG: Text("the name is too long", "名前が長すぎます"),
    errno.EADDRINUSE: Text("the address is in use", "アドレスは使用中です"),
}


def value_reason(message: str) -> Text:
    """What is wrong with a value; what nobody put into words stays English."""
    message = message.removeprefix("Value error, ")
    if choice := _CHOICE.fullmatch(message):
        names = re.split(r", | or ", choice[1])
        return Text(f"it must be {choice[1]}", f"{'、'.join(names)} のいずれかにしてください")
    for pattern, words in _VALUES:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return Text(found.expand(words.en), found.expand(words.ja))
    return Text(message, message)


def system_reason(error: OSError | UnicodeDecodeError) -> Text:
    """Why a file could not be opened, read or written."""
    if isinstance(error, UnicodeDecodeError):
        code = error.encoding.upper()
        return Text(f"it is not {code} text", f"{code} のテキストではありません")
    said = error.strerror or type(error).__name__
    return _SYSTEM.get(error.errno or 0, Text(said, said))
