"""A language in which every sentence stands in brackets: what has none is in no catalog.

Its letters have accents, too, so that words of a sentence that was wrapped or cut are known.
"""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from catalogs.extraction import SOURCE, extract_messages
from catalogs.po_files import DOMAIN

PSEUDO_LANGUAGE = "qps"
FORMAT_CONTEXTS = ("how a ", "units of ")
_ACCENTS = str.maketrans(
    "abcdeghijklnorstuwyzABCDEGHIJKLNORSTUWYZ", "äḅċḋëġḧïĵḳḷñöṛśẗüẅÿżÄḄĊḊËĠḦÏĴḲḶÑÖṚŚŢÜẄŸŻ"
)
_PLACEHOLDER = re.compile(r"(\{[^{}]*\})")


def write_pseudo_locale(folder: Path, source: Path = SOURCE) -> None:
    """Write the compiled catalog into a folder for TOKUMEI_LOCALES."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    for (context, text), entry in extract_messages(source).messages.items():
        if context is not None and context.startswith(FORMAT_CONTEXTS):
            catalog.add(text, text, context=context)
        elif entry.plural:
            marked = (mark_sentence(text), mark_sentence(entry.plural))
            catalog.add((text, entry.plural), marked, context=context)
        else:
            catalog.add(text, mark_sentence(text), context=context)
    target = folder / PSEUDO_LANGUAGE / "LC_MESSAGES" / f"{DOMAIN}.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_mo(file, catalog)


def mark_sentence(text: str) -> str:
    """A sentence in brackets, with accents on its letters; placeholders stay as they are."""
    parts = _PLACEHOLDER.split(text)
    parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
    return f"⟦{''.join(parts)}⟧"
