"""Who plays the demonstration: the bots of its preset's format."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.preset import preset
from tokumei.core.judging import Player

PRESET = "pws2017"


def player() -> Player:
    """The module that plays."""
    home = contest_format(preset(PRESET)["format"]).judge.player
    return cast(Player, import_module(str(home)))
