"""Validates and normalizes names, texts and identifiers that people enter.

    name = clean_name("Ｔｅａｍ  Ａ")        # CleanName(shown="Team A", key="teama")
    file_name("..\\\\..\\\\etc/A.csv")        # "A.csv"

Two names that look alike have one key, so nobody can pass for somebody else. Identifiers that
cannot be are not asked for: a database fails on text with NUL or half a character, and on numbers
beyond its own.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import dataclass

from sqlalchemy.orm import Session, defer

from tokumei.apps.contest.store.tables import ContestEntry
from tokumei.apps.http.errors import NotFound, UnprocessableContent
from tokumei.core.messages import Message

MOST_NAME = 40
MOST_KEY = 64
MOST_FILE_NAME = 100
INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories without a shape of their own: controls, bidi marks, zero-width, half characters."""
EMPTY_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"
MARKS_IN_A_ROW = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff\ufe20-\ufe2f]{3}")

# Letter and what it looks like: Cyrillic, Greek and digits like Latin, kanji like kana.
LOOK_ALIKE_PAIRS = (
    "аa вb еe іl кk мm нh оo рp сc тt уy хx ѕs јj ԁd һh αa βb εe ηn ιl κk νv οo ρp τt υu χx ωw "
    "0o 1l il 一ー 二ニ 力カ 口ロ 八ハ 工エ 夕タ 卜ト 丿ノ"
)
LOOK_ALIKE_TABLE = str.maketrans({pair[0]: pair[1] for pair in LOOK_ALIKE_PAIRS.split()})
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 20
NO_ENTRY = Message("there is no such upload")
BIGGEST_NUMBER = 2**31 - 1
_ID_PATTERN = re.compile(r"[a-z0-9]{20}")
_SLUG_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True)
class CleanName:
    """A name as shown, and the key that look-alikes share."""

    shown: str
    key: str


def clean_name(text: str) -> CleanName:
    """A name of a person or a team, or why it cannot be one."""
    shown = " ".join(unicodedata.normalize("NFKC", text[:1000]).split())
    if not shown or len(shown) > MOST_NAME:
        raise UnprocessableContent("a name has 1 to {most} characters", most=MOST_NAME)
    if any(_is_invisible(letter) for letter in shown) or MARKS_IN_A_ROW.search(shown):
        raise UnprocessableContent(
            "a name must not contain invisible characters, direction marks or stacked accents"
        )
    key = look_alike_key(shown)
    if not key or len(key) > MOST_KEY:
        raise UnprocessableContent("a name needs letters or digits")
    return CleanName(shown, key)


def look_alike_key(name: str) -> str:
    """The same for all names that look alike: no case, accents, spaces or punctuation."""
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    without_accents = re.sub(r"[\u0300-\u036f]", "", decomposed)
    translated = unicodedata.normalize("NFKC", without_accents).translate(LOOK_ALIKE_TABLE)
    return "".join(letter for letter in translated if unicodedata.category(letter)[0] in "LNM")


def _is_invisible(letter: str) -> bool:
    return unicodedata.category(letter) in INVISIBLE_CATEGORIES or letter in EMPTY_LETTERS


def clean_line(text: str, most: int) -> str:
    """One line of free text: without invisible characters, not longer than `most`."""
    return clean_text("".join(" " if letter in "\r\n\t" else letter for letter in text), most)


def clean_text(text: str, most: int) -> str:
    """Free text of several lines: without invisible characters, not longer than `most`."""
    lines = text[: 4 * most].replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    visible_text = "".join(
        letter for letter in lines if letter == "\n" or not _is_invisible(letter)
    ).strip()
    if len(visible_text) > most or len(text) > 4 * most:
        raise UnprocessableContent("this text is longer than {most} characters", most=most)
    return visible_text


def clean_file_name(path_text: str) -> str:
    """The last part of a path, fit to be shown; never used as a path on the server."""
    last = re.split(r"[/\\]", path_text[-1000:])[-1]
    visible_name = (
        "".join(letter for letter in last if not _is_invisible(letter)).strip().lstrip(".")
    )
    if len(visible_name) > MOST_FILE_NAME:
        visible_name = visible_name[:60] + "…" + visible_name[-(MOST_FILE_NAME - 61) :]
    return visible_name or "upload"


def generate_id() -> str:
    """20 small letters and digits (99 random bits); none that look alike."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def is_slug(text: str) -> bool:
    """Whether a contest could have this name."""
    return _SLUG_PATTERN.fullmatch(text) is not None


def is_id(text: str) -> bool:
    """Whether an entry or a run could have this id."""
    return _ID_PATTERN.fullmatch(text) is not None


def find_entry(
    session: Session, contest_id: int, entry_id: str, *, faults: bool = True
) -> ContestEntry:
    """An entry of a contest, with or without the `faults`; NotFound if there is none."""
    options = [] if faults else [defer(ContestEntry.faults)]
    entry = session.get(ContestEntry, entry_id, options=options) if is_id(entry_id) else None
    if entry is None or entry.contest_id != contest_id:
        raise NotFound(NO_ENTRY)
    return entry


def require_row_id(number: int) -> int:
    """A row's number; NotFound if no row could have it."""
    if not 0 <= number <= BIGGEST_NUMBER:
        raise NotFound()
    return number
