"""Names and identifiers that people give: what is shown, what tells them apart, what can exist.

    name = clean_name("Ｔｅａｍ  Ａ")        # Name(shown="Team A", key="teama")
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

from tokumei.contest.store.tables import Entry
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound, Wrong

MOST_NAME = 40
MOST_KEY = 64
MOST_FILE_NAME = 100
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories without a shape of their own: controls, bidi marks, zero-width, half characters."""
EMPTY_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"
MARKS_IN_A_ROW = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff\ufe20-\ufe2f]{3}")

# Letter and what it looks like: Cyrillic, Greek and digits like Latin, kanji like kana.
PAIRS = (
    "аa вb еe іl кk мm нh оo рp сc тt уy хx ѕs јj ԁd һh αa βb εe ηn ιl κk νv οo ρp τt υu χx ωw "
    "0o 1l il 一ー 二ニ 力カ 口ロ 八ハ 工エ 夕タ 卜ト 丿ノ"
)
LOOKS = str.maketrans({pair[0]: pair[1] for pair in PAIRS.split()})
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
LENGTH = 20
NO_ENTRY = Text("there is no such upload", "その提出はありません")
BIGGEST = 2**31 - 1
_ID = re.compile(r"[a-z0-9]{20}")
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True)
class Name:
    """A name as shown, and the key that look-alikes share."""

    shown: str
    key: str


def clean_name(text: str) -> Name:
    """A name of a person or a team, or why it cannot be one."""
    shown = " ".join(unicodedata.normalize("NFKC", text[:1000]).split())
    if not shown or len(shown) > MOST_NAME:
        raise Wrong(f"a name has 1 to {MOST_NAME} characters", f"名前は 1 〜 {MOST_NAME} 文字です")
    if any(_unseen(letter) for letter in shown) or MARKS_IN_A_ROW.search(shown):
        raise Wrong(
            "a name must not contain invisible characters, direction marks or stacked accents",
            "名前に不可視文字、書字方向の制御文字、重なった記号は使えません",
        )
    key = look_alike_key(shown)
    if not key or len(key) > MOST_KEY:
        raise Wrong("a name needs letters or digits", "名前には文字か数字を含めてください")
    return Name(shown, key)


def look_alike_key(name: str) -> str:
    """The same for all names that look alike: no case, accents, spaces or punctuation."""
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    bare = re.sub(r"[\u0300-\u036f]", "", apart)
    whole = unicodedata.normalize("NFKC", bare).translate(LOOKS)
    return "".join(letter for letter in whole if unicodedata.category(letter)[0] in "LNM")


def _unseen(letter: str) -> bool:
    return unicodedata.category(letter) in UNSEEN or letter in EMPTY_LETTERS


def clean_line(text: str, most: int) -> str:
    """One line of free text: without invisible characters, not longer than `most`."""
    return clean_text("".join(" " if letter in "\r\n\t" else letter for letter in text), most)


def clean_text(text: str, most: int) -> str:
    """Free text of several lines: without invisible characters, not longer than `most`."""
    lines = text[: 4 * most].replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    seen = "".join(one for one in lines if one == "\n" or not _unseen(one)).strip()
    if len(seen) > most or len(text) > 4 * most:
        raise Wrong(f"this text is longer than {most} characters", f"{most} 文字以内にしてください")
    return seen


def file_name(given: str) -> str:
    """The last part of a path, fit to be shown; never used as a path on the server."""
    last = re.split(r"[/\\]", given[-1000:])[-1]
    seen = "".join(letter for letter in last if not _unseen(letter)).strip().lstrip(".")
    if len(seen) > MOST_FILE_NAME:
        seen = seen[:60] + "…" + seen[-(MOST_FILE_NAME - 61) :]
    return seen or "upload"


def new_id() -> str:
    """20 small letters and digits (99 random bits); none that look alike."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))


def is_slug(text: str) -> bool:
    """Whether a contest could have this name."""
    return _SLUG.fullmatch(text) is not None


def is_id(text: str) -> bool:
    """Whether an entry or a run could have this id."""
    return _ID.fullmatch(text) is not None


def find_entry(session: Session, contest_id: int, entry_id: str, *, faults: bool = True) -> Entry:
    """An entry of a contest, with or without the `faults`; NotFound if there is none."""
    options = [] if faults else [defer(Entry.faults)]
    entry = session.get(Entry, entry_id, options=options) if is_id(entry_id) else None
    if entry is None or entry.contest_id != contest_id:
        raise NotFound(NO_ENTRY)
    return entry


def require_number(number: int) -> int:
    """A row's number; NotFound if no row could have it."""
    if not 0 <= number <= BIGGEST:
        raise NotFound()
    return number
