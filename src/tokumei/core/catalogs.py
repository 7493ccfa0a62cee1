"""Languages and their message catalogs.

    available_languages()                        # ("en", "ja")
    translate("no rows", "ja")                   # "行がありません"
    translate("open", "ja", context="a phase")   # the same English may mean two things

English stands in the code. Every other language is one gettext catalog,
`locale/LANGUAGE/LC_MESSAGES/tokumei.po`, compiled when the package is built (`make catalogs`). The
environment variable TOKUMEI_LOCALES names a folder of the same form whose catalogs come first: a
translator sees a new one at once.
"""

from __future__ import annotations

import locale
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokumei.core.compiled_catalog import CompiledCatalog

SOURCE_LANGUAGE = "en"
DOMAIN = "tokumei"
LOCALE_FOLDER = Path(__file__).parents[1] / "locale"
LOCALES_VARIABLE = "TOKUMEI_LOCALES"


def available_languages() -> tuple[str, ...]:
    """English, and every language that has a compiled catalog, in alphabetical order."""
    return _list_languages(os.environ.get(LOCALES_VARIABLE, ""))


def translate(
    message_id: str,
    language: str,
    *,
    context: str | None = None,
    plural: str | None = None,
    count: int | float = 1,
) -> str:
    """The sentence in a language, placeholders unfilled; English where its catalog has none."""
    english = message_id if plural is None or count == 1 else plural
    if language == SOURCE_LANGUAGE or not message_id:
        return english
    catalog = _load_catalog(language, os.environ.get(LOCALES_VARIABLE, ""))
    number = int(count) if count == int(count) else 2
    if catalog is None:
        return english
    translation = catalog.find(message_id, context=context, plural=plural, number=number)
    return english if translation is None else translation


def _catalog_folders(extra_folder: str) -> list[Path]:
    return [*([Path(extra_folder)] if extra_folder else []), LOCALE_FOLDER]


@cache
def _list_languages(extra_folder: str) -> tuple[str, ...]:
    found = {
        path.parents[1].name
        for folder in _catalog_folders(extra_folder)
        for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    }
    return (SOURCE_LANGUAGE, *sorted(found - {SOURCE_LANGUAGE}))


@cache
def _load_catalog(language: str, extra_folder: str) -> CompiledCatalog | None:
    from tokumei.core.compiled_catalog import CompiledCatalog

    for folder in _catalog_folders(extra_folder):
        path = folder / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.exists():
            return CompiledCatalog.read(path)
    return None


def language_from_locale() -> str:
    """The language that the environment asks for, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return _language_of(os.environ[name])
    return _language_of(locale.getlocale()[0] or "")


def _language_of(locale_name: str) -> str:
    """The available language that a name such as ja_JP.UTF-8 starts with, else English."""
    name = locale_name.lower()
    matches = [code for code in available_languages() if _is_part_of_locale(code.lower(), name)]
    return max(matches, key=len, default=SOURCE_LANGUAGE)


def _is_part_of_locale(code: str, locale_name: str) -> bool:
    """Whether a locale is of a language: fil_PH is of fil, not of fi."""
    return locale_name.startswith(code) and not locale_name[len(code) : len(code) + 1].isalnum()
