"""What a released history is still good for, in sentences with a light."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tokumei.core.measure import Level
from tokumei.core.text import Text
from tokumei.core.words import known
from tokumei.histories.measures.losses import PARTS_OF_LOSS
from tokumei.histories.registry import measures
from tokumei.histories.study import HistoryStudy


@dataclass(frozen=True)
class Use:
    """A question a user of the data may ask, and how well the release answers it."""

    level: Level
    title: Text
    words: Text


def uses_of(study: HistoryStudy) -> list[Use]:
    """Every measure with limits that is no part of the loss, in the order of the registry."""
    found = []
    for name, score in study.scores.items():
        kind = known(measures, name)
        if kind is None or name in PARTS_OF_LOSS or not math.isfinite(score.value):
            continue
        level = kind.level(score)
        if level is not None:
            found.append(Use(level, kind.title, kind.reading(score)))
    return found
