"""What is wrong with the catalogs and with the sentences in the source."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.catalog import Message as CatalogEntry

from catalogs.extraction import ExtractedMessage, Extraction, find_placeholders
from catalogs.glued_sentences import explain_glued
from catalogs.po_files import LOCALE_FOLDER, first_text, list_catalogs, read_catalog

JOINING_CONTEXTS = ("between ", "before the last ")
_JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def check_catalogs(extraction: Extraction, folder: Path = LOCALE_FOLDER) -> list[str]:
    """All faults, those of the source first."""
    faults = [*extraction.faults, *_check_sentences(extraction)]
    for path in list_catalogs(folder):
        entries = {(m.context, first_text(m.id)): m for m in read_catalog(path) if m.id}
        language = path.parents[1].name
        for key, extracted in extraction.messages.items():
            if (entry := entries.pop(key, None)) is None:
                faults.append(f"{language}: missing: {key[1]!r}")
            else:
                faults += [
                    f"{language}: {problem}: {key[1]!r}"
                    for problem in _check_entry(entry, extracted)
                ]
        faults += [f"{language}: not in the source: {text!r}" for _, text in entries]
    return faults


def _check_sentences(extraction: Extraction) -> list[str]:
    """Sentences that are parts of others, or not English."""
    faults = []
    for (context, first), entry in extraction.messages.items():
        place = min(entry.files)
        is_separator = context is not None and context.startswith(JOINING_CONTEXTS)
        for text in filter(None, (first, entry.plural)):
            if _JAPANESE.search(text):
                faults.append(f"{place}: Japanese in the code: {text!r}")
            if text != text.strip() and not text.startswith(" (") and not is_separator:
                faults.append(f"{place}: part of a sentence (blank at its end): {text!r}")
            elif reason := explain_glued(text, context):
                faults.append(f"{place}: {reason}: {text!r}")
    return faults


def _check_entry(entry: CatalogEntry, extracted: ExtractedMessage) -> list[str]:
    english = [entry.id] if isinstance(entry.id, str) else list(entry.id)
    if english[1:] != [*filter(None, [extracted.plural])]:
        return ["another plural in the source"]
    translations = [entry.string] if isinstance(entry.string, str) else list(entry.string or [""])
    if not all(translations):
        return ["no translation"]
    if entry.fuzzy:
        return ["marked as doubtful (fuzzy)"]
    forms = [find_placeholders(text) for text in english]
    known, needed = set.union(*forms), set.intersection(*forms)
    if extracted.plural:
        needed -= {"count"}
    return [
        f"placeholders differ in {said!r}"
        for said in translations
        if not needed <= find_placeholders(said) <= known
    ]
