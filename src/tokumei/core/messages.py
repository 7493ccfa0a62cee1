"""`Message`: a text in English and Japanese.

    Message("no rows", "行がありません").show()      # in the language in force
    with language("ja"): ...

Both languages travel together because JSON faults and reports need both at once. JSON, too, is
written here, the same in every file and by every command.
"""

from __future__ import annotations

import json
import locale
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple, cast

Language = Literal["en", "ja"]

_chosen_language: ContextVar[Language | None] = ContextVar("tokumei_language", default=None)


class Message(NamedTuple):
    """One sentence in both languages."""

    en: str
    ja: str

    def show(self, lang: Language | None = None) -> str:
        """The sentence in `lang`, or in the language in force."""
        return self.ja if (lang or current_language()) == "ja" else self.en

    def as_json(self, name: str) -> dict[str, str]:
        """Both languages as plain data: `name_en` and `name_ja`."""
        return {f"{name}_en": self.en, f"{name}_ja": self.ja}

    def __str__(self) -> str:
        return self.show()


def current_language() -> Language:
    """The language chosen by `use_language`, else by the locale, else English."""
    return _chosen_language.get() or _language_from_locale()


def use_language(lang: str | None) -> None:
    """Choose the language of messages for the rest of this context; None: the locale's."""
    if lang not in (None, "en", "ja"):
        raise ValueError(f"language must be 'en' or 'ja', not {lang!r}")
    _chosen_language.set(cast("Language | None", lang))


@contextmanager
def language_context(lang: Language) -> Iterator[None]:
    """Messages inside the block are in `lang`."""
    token = _chosen_language.set(lang)
    try:
        yield
    finally:
        _chosen_language.reset(token)


def _language_from_locale() -> Language:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ja" if os.environ[name].lower().startswith("ja") else "en"
    locale_name = locale.getlocale()[0] or ""
    return "ja" if locale_name.lower().startswith("ja") else "en"


def as_json_text(data: object) -> str:
    """JSON as every file and command of Tokumei writes it."""
    return (
        json.dumps(_replace_non_finite(data), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    )


def _replace_non_finite(data: object) -> object:
    """Plain data with null for what JSON cannot hold: NaN and infinities."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: _replace_non_finite(value) for key, value in data.items()}
    return (
        [_replace_non_finite(value) for value in data] if isinstance(data, list | tuple) else data
    )
