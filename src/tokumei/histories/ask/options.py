"""Options that several commands on histories share."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from tokumei.core.ask import option


def original_option(default: Any = MISSING) -> Any:
    """The original history."""
    return option("the original table X (or history T)", "元の表 X (履歴 T)", default=default)


def release_option(default: Any = MISSING) -> Any:
    """The released history, row by row as the original."""
    return option("the release Y (or A)", "匿名加工データ Y (A)", default=default)


def public_option(default: Any = MISSING) -> Any:
    """What was handed out."""
    return option("histories: the public file", "履歴: 公開ファイル", default=default)


def guess_option(default: Any = MISSING) -> Any:
    """An attacker's answer."""
    return option(
        "lines pid,cid; pws2017: lines cid,p1,…,pL",
        "pid,cid の行。pws2017 は cid,p1,…,pL",
        default=default,
    )
