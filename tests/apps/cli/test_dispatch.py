"""Tests of tokumei.apps.cli.dispatch."""

from __future__ import annotations

import pytest

from tokumei.apps.cli.dispatch import resolve_command
from tokumei.core.errors import UnknownNameError


def test_the_longest_words_name_the_command() -> None:
    assert resolve_command(["price", "patterns", "suggest", "--json"]).words == (
        *("price", "patterns"),
        "suggest",
    )
    assert resolve_command(["paper", "002"]).args == ["002"]
    group = resolve_command(["price", "patterns"])
    assert (group.command, group.words) == (None, ("price", "patterns"))


@pytest.mark.parametrize(
    ("args", "nearest"),
    [(["attac"], "attack"), (["anonymize", "tabel"], "table"), (["contest", "srve"], "serve")],
)
def test_an_unknown_command_names_the_nearest(args: list[str], nearest: str) -> None:
    with pytest.raises(UnknownNameError) as wrong:
        resolve_command(args)
    assert wrong.value.nearest == nearest
