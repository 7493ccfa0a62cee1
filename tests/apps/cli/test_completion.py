"""Completion offers what may follow, and its scripts are those of the shells."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tokumei.apps.cli.completion import SHELL_SCRIPTS, complete_command_line


@pytest.mark.parametrize(
    ("typed", "some"),
    [
        ([""], {"anonymize", "contest", "look"}),
        (["att"], {"attack"}),
        (["price", ""], {"optimize", "serve", "patterns"}),
        (["price", "patterns", "s"], {"suggest"}),
        (["anonymize", "table", "--eng"], {"--engine"}),
        (["anonymize", "table", "--engine", "s"], {"stream", "spark"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["audit", "--o"], {"--out"}),
    ],
)
def test_what_may_follow_is_offered(typed: list[str], some: set[str]) -> None:
    found = complete_command_line(typed)
    assert {*found} >= some
    assert all(one.startswith(typed[-1]) for one in found)


def test_a_file_is_left_to_the_shell() -> None:
    assert complete_command_line(["anonymize", "table", "--data", ""]) == []
    assert complete_command_line(["run", ""]) == []


def test_hidden_options_are_not_offered() -> None:
    assert "--methods" not in complete_command_line(["sweep", "--meth"])


@pytest.mark.parametrize("shell", sorted(SHELL_SCRIPTS))
def test_the_script_is_one_of_its_shell(tokumei, shell: str) -> None:  # type: ignore[no-untyped-def]
    ran = tokumei("completion", shell)
    assert (ran.code, "tokumei --complete" in ran.out) == (0, True)
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=ran.out, text=True, check=True)


def test_scripts_ask_by_a_hidden_option(tokumei) -> None:  # type: ignore[no-untyped-def]
    ran = tokumei("--complete", "contest", "ser")
    assert (ran.code, ran.out, ran.err) == (0, "serve\n", "")
    assert "--complete" not in tokumei("--help").out
