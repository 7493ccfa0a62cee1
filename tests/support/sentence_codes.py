"""Finds sentences in JSON that a program could only understand by reading them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

CODE_KEYS = ("code", "rule", "error", "id", "level", "verdict", "method", "attack", "randomness")
"""Keys whose values say to a program what the sentences of the same object say to people."""
NOT_SENTENCES = ("title", "name", "clause", "what", "knowledge", "label")
"""Names of things, which have an id or a column beside them."""


def find_uncoded_sentences(data: Any, place: str = "") -> Iterator[str]:
    """Places of sentences (`reason_en`, `reason: {en: …}`) that have no stable code beside them."""
    if isinstance(data, list):
        for item in data:
            yield from find_uncoded_sentences(item, f"{place}[]")
    if not isinstance(data, dict):
        return
    is_figure = {"name", "value"} <= data.keys()  # its sentence only reads it out
    has_code = is_figure or any(key in data for key in CODE_KEYS)
    for key, value in data.items():
        name = key.removesuffix("_en").removesuffix("_texts")
        is_sentence = (key.endswith("_en") and isinstance(value, str)) or _is_by_language(value)
        is_coded = has_code or isinstance(data.get(f"{name}_code"), str)
        if is_sentence and not is_coded and name not in NOT_SENTENCES:
            yield f"{place}.{name}"
        if not _is_by_language(value):
            yield from find_uncoded_sentences(value, f"{place}.{key}")


def _is_by_language(value: Any) -> bool:
    return isinstance(value, dict) and {"en", "ja"} <= value.keys()
