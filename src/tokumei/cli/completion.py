"""`tokumei completion`: a script by which a shell completes commands and options.

The script calls `tokumei --complete WORD…` with the words typed so far, the last one unfinished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args, get_origin

from tokumei.cli.dispatch import CliCommand, list_commands
from tokumei.core.ask import Answer, Ask, option
from tokumei.core.text import Text

EVERYWHERE = ("--help", "--lang")
SCRIPTS = {
    "bash": """\
_tokumei_complete() {
    local IFS=$'\\n'
    COMPREPLY=($(tokumei --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o nosort -F _tokumei_complete tokumei
""",
    "zsh": """\
#compdef tokumei
_tokumei() {
    local -a found
    found=("${(@f)$(tokumei --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then
        compadd -a found
    else
        _files
    fi
}
compdef _tokumei tokumei
""",
    "fish": """\
function __tokumei_complete
    set -l typed (commandline -opc) (commandline -ct)
    tokumei --complete $typed[2..-1] 2>/dev/null
end
complete -c tokumei -a '(__tokumei_complete)'
""",
}


@dataclass(frozen=True, kw_only=True)
class ShowCompletion(Ask):
    """Print the script of a shell."""

    about: ClassVar = Text(
        "Print a script that completes commands and options in your shell: bash, zsh or fish. "
        "Load it where your shell starts (~/.bashrc, ~/.zshrc, ~/.config/fish/config.fish).",
        "コマンドとオプションを補完するシェル (bash、zsh、fish) 用のスクリプトを出力します。"
        "シェルの設定 (~/.bashrc、~/.zshrc、~/.config/fish/config.fish) で読み込んでください。",
    )
    examples: ClassVar = (
        'eval "$(tokumei completion bash)"',
        "tokumei completion fish | source",
    )

    shell: Literal["bash", "zsh", "fish"] = option(
        "bash, zsh or fish", "bash、zsh、fish", positional=True
    )

    def answer(self) -> Answer:
        """The script."""
        script = SCRIPTS[self.shell]
        return Answer({"shell": self.shell, "script": script}, [Text(script, script)])


def complete_words(words: Sequence[str]) -> list[str]:
    """What the last word may become, after the words before it; nothing if it may be a file."""
    *before, unfinished = words or [""]
    commands = list_commands()
    typed = tuple(word for word in before if not word.startswith("-"))
    for length in range(len(typed), 0, -1):
        command = next((one for one in commands if one.path == typed[:length]), None)
        if command is not None:
            candidates = _complete_argument(command, before)
            if length == len(typed) == len(before):
                candidates += _complete_command(commands, typed)
            return [one for one in candidates if _continues(one, unfinished)]
    names = [*_complete_command(commands, tuple(before)), *EVERYWHERE, "--version"]
    return [one for one in names if _continues(one, unfinished)]


def _continues(candidate: str, unfinished: str) -> bool:
    """Whether a candidate begins as typed; options are offered once a dash is typed."""
    return candidate.startswith(unfinished) and (
        unfinished.startswith("-") or not candidate.startswith("-")
    )


def _complete_command(commands: Sequence[CliCommand], typed: tuple[str, ...]) -> list[str]:
    """The words that may follow."""
    size = len(typed)
    following = (one.path[size] for one in commands if one.path[:size] == typed != one.path)
    return list(dict.fromkeys(following))


def _complete_argument(command: CliCommand, before: Sequence[str]) -> list[str]:
    """The choices of the option before, or of a positional argument; otherwise all options."""
    options = command.options()
    previous = next((one for one in options.values() if one.written == before[-1]), None)
    if previous is not None and previous.type is not bool:
        return _choices(previous.type)
    positional = [text for one in options.values() if one.positional for text in _choices(one.type)]
    shown = [one.written for one in options.values() if not (one.hidden or one.positional)]
    return [*positional, *shown, *EVERYWHERE, "--help-all"]


def _choices(kind: object) -> list[str]:
    return [str(one) for one in get_args(kind)] if get_origin(kind) is Literal else []
