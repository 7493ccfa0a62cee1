"""`tokumei completion`: prints a script that completes commands and options in a shell.

The script calls `tokumei --complete WORD…` with the words typed so far, the last one unfinished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args, get_origin

from tokumei.apps.cli.dispatch import CliCommand, list_commands
from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message

GLOBAL_OPTIONS = ("--help", "--lang")
SHELL_SCRIPTS = {
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
class PrintCompletionScript(Command):
    """Print the script of a shell."""

    about: ClassVar = Message(
        "Print a script that completes commands and options in your shell: bash, zsh or fish. Load "
        "it where your shell starts (~/.bashrc, ~/.zshrc, ~/.config/fish/config.fish)."
    )
    examples: ClassVar = ('eval "$(tokumei completion bash)"', "tokumei completion fish | source")

    shell: Literal["bash", "zsh", "fish"] = option("bash, zsh or fish", positional=True)

    def answer(self) -> CommandResult:
        """The script."""
        script = SHELL_SCRIPTS[self.shell]
        return CommandResult({"shell": self.shell, "script": script}, [Message.verbatim(script)])


def complete_command_line(words: Sequence[str]) -> list[str]:
    """What the last word may become, after the words before it; nothing if it may be a file."""
    *earlier_words, unfinished = words or [""]
    commands = list_commands()
    typed_words = tuple(word for word in earlier_words if not word.startswith("-"))
    for length in range(len(typed_words), 0, -1):
        command = next(
            (candidate for candidate in commands if candidate.path == typed_words[:length]), None
        )
        if command is not None:
            candidates = _argument_candidates(command, earlier_words)
            if length == len(typed_words) == len(earlier_words):
                candidates += _next_command_words(commands, typed_words)
            return [
                candidate
                for candidate in candidates
                if _matches_typed_prefix(candidate, unfinished)
            ]
    names = [*_next_command_words(commands, tuple(earlier_words)), *GLOBAL_OPTIONS, "--version"]
    return [candidate for candidate in names if _matches_typed_prefix(candidate, unfinished)]


def _matches_typed_prefix(candidate: str, unfinished: str) -> bool:
    """Whether a candidate begins as typed; options are offered once a dash is typed."""
    return candidate.startswith(unfinished) and (
        unfinished.startswith("-") or not candidate.startswith("-")
    )


def _next_command_words(commands: Sequence[CliCommand], typed_words: tuple[str, ...]) -> list[str]:
    """The words that may follow."""
    size = len(typed_words)
    following = (
        command.path[size]
        for command in commands
        if command.path[:size] == typed_words != command.path
    )
    return list(dict.fromkeys(following))


def _argument_candidates(command: CliCommand, earlier_words: Sequence[str]) -> list[str]:
    """The choices of the option before, or of a positional argument; otherwise all options."""
    options = command.options()
    previous = next((spec for spec in options.values() if spec.written == earlier_words[-1]), None)
    if previous is not None and previous.type is not bool:
        return _literal_choices(previous.type)
    positional = [
        text for spec in options.values() if spec.positional for text in _literal_choices(spec.type)
    ]
    visible_options = [
        spec.written for spec in options.values() if not (spec.hidden or spec.positional)
    ]
    return [*positional, *visible_options, *GLOBAL_OPTIONS, "--help-all"]


def _literal_choices(option_type: object) -> list[str]:
    return (
        [str(choice) for choice in get_args(option_type)]
        if get_origin(option_type) is Literal
        else []
    )
