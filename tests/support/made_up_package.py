"""A package of one module in which tests plant what the tool must find."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from catalogs.extraction import Extraction, extract_messages
from catalogs.po_files import catalog_path, update_catalog

ERRORS = "class TokumeiError(Exception): ...\nclass UsageError(TokumeiError): ...\n"
Translations = Mapping[tuple[str | None, str], str | tuple[str, ...]]


def write_package(folder: Path, code: str = "", **templates: str) -> Path:
    """A package `small` whose module `room.py` holds the code, and its templates by name."""
    source = folder / "small"
    (source / "templates").mkdir(parents=True, exist_ok=True)
    (source / "locale").mkdir(exist_ok=True)
    (source / "errors.py").write_text(ERRORS, encoding="utf-8")
    (source / "room.py").write_text(code, encoding="utf-8")
    for name, text in templates.items():
        (source / "templates" / f"{name}.html").write_text(text, encoding="utf-8")
    return source


def extract(folder: Path, code: str = "", **templates: str) -> Extraction:
    """What is found in such a package."""
    return extract_messages(write_package(folder, code, **templates))


def translated(source: Path, translations: Translations, language: str = "ja") -> Path:
    """The catalog of the package with these translations; its path."""
    from catalogs.po_files import first_text, read_catalog, write_catalog

    path = catalog_path(language, source / "locale")
    update_catalog(path, extract_messages(source))
    catalog = read_catalog(path)
    for entry in catalog:
        if entry.id:
            entry.string = translations.get((entry.context, first_text(entry.id)), entry.string)
    write_catalog(path, catalog)
    return path
