"""Every command of the documentation answers `--json` with one JSON document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.test_docs import RUN, Command, blocks, commands, compiled, own_registries, page_of, run
from tokumei.core.text import language

__all__ = ["own_registries", "page_of"]
NO_JSON = ("worker",)
"""It runs until it is stopped, and answers nothing."""


@pytest.mark.no_cover
@pytest.mark.parametrize("page_of", RUN, indirect=True)
@pytest.mark.usefixtures("own_registries")
def test_every_command_of_the_page_answers_in_json(
    page_of: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page_of):
        if block.saved and block.kind == "yaml":
            Path(block.saved).write_text(block.text, encoding="utf-8")
        if block.kind == "python":
            with language("en"):
                exec(compiled(block), names)
        if block.kind == "console":
            for command in commands(block):
                capsys.readouterr()
                run(asking_json(command))
                require_json(command, capsys.readouterr().out)


def asking_json(command: Command) -> Command:
    """The same command with `--json`, unless it has it or cannot take it."""
    plain = {"--json", "--help", "--version", *NO_JSON}.isdisjoint(command.args)
    return Command([*command.args, "--json"], command.code) if plain else command


def require_json(command: Command, printed: str) -> None:
    """Fail unless what was printed is one JSON document."""
    if "--json" in asking_json(command).args:
        try:
            json.loads(printed)
        except ValueError as err:
            pytest.fail(f"tokumei {' '.join(command.args)} --json: {err}: {printed[:200]}")
