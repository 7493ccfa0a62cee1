"""What Typer says in English, in the language in force: help pages and errors of usage."""

from __future__ import annotations

import re
from typing import Any

from tokumei.core.reasons import value_reason
from tokumei.core.text import Text, current_language

_HELP = (
    (r"^Usage: ", "使い方: "),
    (r"^Options:$", "オプション:"),
    (r"^Arguments:$", "引数:"),
    (r"^Commands:$", "コマンド:"),
    (r"Show this message and exit\.", "この説明を表示して終了します。"),
    (r"Install completion for the current shell\.", "使用中のシェルに補完を組み込みます。"),
    (
        r"Show completion for the current shell, to copy it or\s+customize the installation\.",
        "使用中のシェル用の補完を表示します。",
    ),
    (r"\[default: ", "[既定: "),
    (r"\[required\]", "[必須]"),
    (r"\[OPTIONS\]", "[オプション]"),
    (r"COMMAND \[ARGS\]\.\.\.", "コマンド [引数]..."),
)
_ERRORS = (
    (
        r"Missing option '(.+?)' \(env var: '(.+?)'\)\.(?: .*)?",
        r"オプション \1 (または環境変数 \2) が必要です。",
    ),
    (r"Missing option '?(.+?)'?\.(?: .*)?", r"オプション \1 が必要です。"),
    (r"Missing argument '?(.+?)'?\.(?: .*)?", r"引数 \1 が必要です。"),
    (r"Missing command\.", "コマンドを指定してください。"),
    (r"No such option: (\S+?)\.?(?: Did you mean (.+?)\?)?", r"オプション \1 はありません。"),
    (
        r"No such option: (\S+) \(Possible options: (.+)\)",
        r"オプション \1 はありません (候補: \2)。",
    ),
    (r"No such command '(.+?)'\.?", r"コマンド '\1' はありません。"),
    (
        r"No such command '(.+?)'\. Did you mean (.+)\?",
        r"コマンド '\1' はありません。\2 のことですか?",
    ),
    (r"Option '?(.+?)'? requires an argument\.", r"オプション \1 には値が必要です。"),
    (r"Option '?(.+?)'? does not take a value\.", r"オプション \1 は値を取りません。"),
    (r"Got unexpected extra arguments? \((.+)\)", r"余分な引数があります: \1"),
)
_INVALID = re.compile(r"Invalid value for '?(.+?)'?: (.+)", re.DOTALL)


def usage_text(message: str) -> Text:
    """An error of usage in both languages; one that is not known stays English."""
    if invalid := _INVALID.fullmatch(message):
        option, reason = invalid[1], value_reason(invalid[2])
        return Text(f"{option}: {reason.en}", f"{option} の値が不正です: {reason.ja}")
    for pattern, japanese in _ERRORS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return Text(message, found.expand(japanese))
    return Text(message, message)


def first_sentence(text: str) -> str:
    """What a list of commands says of one: whole words, never cut off."""
    return re.split(r"(?<=[.?!])\s|(?<=。)|\n\n", " ".join(text.split()) or "", maxsplit=1)[0]


def translate_help(command: Any) -> None:
    """Make a command, and those below it, show its help in the language in force."""
    plain = command.get_help
    if current_language() == "ja":
        command.get_help = lambda ctx: _help(plain(ctx))
    for below in getattr(command, "commands", {}).values():
        below.short_help = below.short_help or first_sentence(below.help or "")
        translate_help(below)


def _help(page: str) -> str:
    for pattern, japanese in _HELP:
        page = re.sub(pattern, japanese, page, flags=re.MULTILINE)
    return page
