"""The language of messages: chosen for a context, else that of the locale, else English."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tokumei.core.catalogs import available_languages, language_from_locale

Language = str
"""A code such as "en"; `available_languages` lists those with a catalog."""

_chosen_language: ContextVar[Language | None] = ContextVar("tokumei_language", default=None)


def current_language() -> Language:
    """The language chosen by `use_language`, else by the locale, else English."""
    return _chosen_language.get() or language_from_locale()


def use_language(language: str | None) -> None:
    """Choose the language of messages for the rest of this context; None: the locale's."""
    languages = available_languages()
    if language is not None and language not in languages:
        raise ValueError(f"language must be one of {', '.join(languages)}, not {language!r}")
    _chosen_language.set(language)


@contextmanager
def language_context(language: Language) -> Iterator[None]:
    """Messages inside the block are in `language`."""
    token = _chosen_language.set(language)
    try:
        yield
    finally:
        _chosen_language.reset(token)
