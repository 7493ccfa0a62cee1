"""The first part of `tokumei demo`: the release of a made-up ledger, the verdict first."""

from __future__ import annotations

from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tokumei.core.language import current_language
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.core.command import CommandResult

ROWS = 3000


def release_made_up_ledger(folder: Path, seed: int) -> CommandResult:
    """Write a messy ledger of people who do not exist, and its release for a partner."""
    from tokumei.apps.cli.release import ReleaseTableFile
    from tokumei.tables.commands.sample import SampleTable

    folder.mkdir(parents=True, exist_ok=True)
    ledger = folder / "customers.csv"
    language: Literal["en", "ja"] = "ja" if current_language() == "ja" else "en"
    SampleTable(out=str(ledger), rows=ROWS, messy=language, seed=seed).answer()
    target = find_free_folder(folder / "release")
    return ReleaseTableFile(data=str(ledger), out=str(target), answers="defaults").answer()


def find_free_folder(wanted: Path) -> Path:
    """The folder, or with a number if it is there already: nothing is ever written over."""
    numbered = (wanted.with_name(f"{wanted.name}-{number}") for number in count(2))
    return next(path for path in chain([wanted], numbered) if not path.exists())


def introduce_comparison() -> Message:
    """What follows the release."""
    return Message("Next, ten methods on one generated table, each attacked and measured:")
