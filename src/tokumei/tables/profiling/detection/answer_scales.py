"""Answers on one scale: parts of a question that their names number, with the same few answers.

`Q15_age` beside `Q15_income` and `Q15_cost`, all 1 to 5, says how important age is to somebody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from tokumei.core.messages import Message
from tokumei.tables.profiling.column_cells import LIKELY, ColumnCells
from tokumei.tables.profiling.detection.type_inference import InferredType

_PART_OF_QUESTION = re.compile(r"^(?P<question>[A-Za-z]{0,10}?[ _.-]?\d+)[ _.-]+\D", re.ASCII)
_MIN_PARTS = 3
_MAX_ANSWERS = 11
_REASON = Message(
    "one of {parts} parts of a question, all with the same {answers} answers",
    stable_code="answer-scale",
)


def infer_answer_scales(
    inferred_types: Mapping[str, InferredType], cells: Mapping[str, ColumnCells]
) -> dict[str, InferredType]:
    """The same types, but what is a part of a question with its answers is a score."""
    by_scale: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for name in inferred_types:
        answers = _answers(cells[name])
        if answers and (part := _PART_OF_QUESTION.match(name)):
            by_scale.setdefault((part["question"], answers), []).append(name)
    scales = {
        name: replace(
            inferred_types[name],
            type="score",
            confidence=LIKELY,
            reason=_REASON.fill(parts=len(names), answers=len(answers)),
            header_confirmed=True,
        )
        for (_, answers), names in by_scale.items()
        if len(names) >= _MIN_PARTS
        for name in names
    }
    return {**inferred_types, **scales}


def _answers(cells: ColumnCells) -> tuple[str, ...]:
    """The answers, if they are few: more than yes and no."""
    if not 2 < cells.distinct <= _MAX_ANSWERS:
        return ()
    return tuple(sorted(cells.filled.to_list()))
