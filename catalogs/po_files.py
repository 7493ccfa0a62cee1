"""Reads, writes and compiles the catalogs (`.po`), one writer at a time."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from catalogs.extraction import SOURCE, Extraction

LOCALE_FOLDER = SOURCE / "locale"
DOMAIN = "tokumei"


def list_catalogs(folder: Path = LOCALE_FOLDER) -> list[Path]:
    """The catalog of every language but English."""
    return sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def catalog_path(language: str, folder: Path = LOCALE_FOLDER) -> Path:
    """Where the catalog of a language stands."""
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def is_language(code: str) -> bool:
    """Whether a code names a language other than English, which stands in the code."""
    return code != "en" and bool(re.fullmatch("[a-z]{2,3}(_[A-Z][a-z]{3})?(_[A-Z]{2})?", code))


def read_catalog(path: Path) -> Catalog:
    """A catalog with its translations."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def write_catalog(path: Path, catalog: Catalog) -> None:
    """Write a catalog in the order of its English sentences."""
    for message in catalog:
        message.flags.discard("python-format")  # a share such as "5 %" is no placeholder
    catalog.fuzzy = False
    path.parent.mkdir(parents=True, exist_ok=True)
    staged = path.with_suffix(".po.new")
    with staged.open("wb") as file:
        write_po(file, catalog, width=100, sort_output=True, include_lineno=False)
    staged.replace(path)


@contextmanager
def locked_catalogs(folder: Path = LOCALE_FOLDER) -> Iterator[None]:
    """Keep other writers out of the folder."""
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def update_catalog(
    path: Path, extraction: Extraction, *, keep_unused: bool = False
) -> tuple[int, int]:
    """Bring a catalog in line with the source; how many sentences came and went.

    Translations of sentences that stay are kept; a new sentence has none yet. `keep_unused` keeps
    those of sentences that went as obsolete entries, for when they come back.
    """
    language = path.parents[1].name
    old = read_catalog(path) if path.exists() else Catalog(locale=language)
    before = {(m.context, first_text(m.id)): m for m in old if m.id}
    obsolete = {(m.context, first_text(m.id)): m for m in old.obsolete.values()}
    new = Catalog(
        locale=language,
        project="Tokumei",
        charset="utf-8",
        fuzzy=False,
        header_comment=f"# {language} sentences of Tokumei.",
        creation_date=old.creation_date,
        revision_date=old.revision_date,
        last_translator=old.last_translator,
        language_team=old.language_team,
    )
    for (context, text), entry in extraction.messages.items():
        kept = before.get((context, text)) or obsolete.get((context, text))
        message_id = (text, entry.plural) if entry.plural else text
        translation = kept.string if kept else ""
        if entry.plural and isinstance(translation, str):
            translation = tuple([translation] * new.num_plurals)
        if not entry.plural and not isinstance(translation, str):
            (translation, *_) = translation or ("",)
        new.add(
            message_id,
            translation,
            context=context,
            locations=[(file, 0) for file in sorted(entry.files)],
            flags=kept.flags & {"fuzzy"} if kept else (),
            user_comments=kept.user_comments if kept else (),
        )
    if keep_unused:
        for key, unused in {**obsolete, **before}.items():
            if key not in extraction.messages:
                new.obsolete[str(key)] = unused
    write_catalog(path, new)
    return len({*extraction.messages} - {*before}), len({*before} - {*extraction.messages})


def first_text(message_id: str | tuple[str, ...] | list[str]) -> str:
    """The singular of a message."""
    return message_id if isinstance(message_id, str) else message_id[0]


def compile_catalog(path: Path, target: Path | None = None) -> None:
    """Write the compiled catalog beside its source, or to `target`."""
    target = target or path.with_suffix(".mo")
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = target.with_suffix(".mo.new")
    with staged.open("wb") as file:
        write_mo(file, read_catalog(path))
    staged.replace(target)
