"""Options that several commands on pseudonyms share."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from tokumei.core.ask import option


def master_option(default: Any = MISSING) -> Any:
    """The file of the customers."""
    return option("pws2017: the customers M", "pws2017: 顧客データ M", default=default)


def original_option(default: Any = MISSING) -> Any:
    """The original history."""
    return option("the original table X (or history T)", "元の表 X (履歴 T)", default=default)


def release_option(default: Any = MISSING) -> Any:
    """The release, row by row as the original."""
    return option("the release Y (or A)", "匿名加工データ Y (A)", default=default)


def public_option(default: Any = MISSING) -> Any:
    """What was handed out."""
    return option("histories: the public file", "履歴: 公開ファイル", default=default)


def data_option() -> Any:
    """The original history, for commands that read nothing else."""
    return option("the history", "履歴")
