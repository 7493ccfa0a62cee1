"""Recognizes names of people in several scripts, by lists of common ones.

A name is a given name beside a surname, in either order; one word alone may be anything.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

_LETTER = r"[^\W\d_]"
_MARK = r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31-\u0e4e]"
_WORD = re.compile(rf"(?:{_LETTER}|{_MARK})+(?:['’.-](?:{_LETTER}|{_MARK})+)*")
_MARKS = re.compile(r"[\u0300-\u036f]")
_HAN = re.compile(r"[一-龠々]+")
_BETWEEN_HAN = re.compile(r"(?<=[一-龠])[\s・,、](?=[一-龠])")
_KANA = re.compile(r"[ぁ-んァ-ヶー]+")
_HANGUL = re.compile(r"[가-힣]+")
_TITLES = re.compile(
    r"\b(?-i:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Mme|Sr|Sra|Sig|mr|mrs|ms|dr|prof|MR|MRS)\.?\s+[^\W\d_]{2,}|[^\W\d_]{1,8}(?:さん|様"
    r"|さま|殿|先生|氏|くん|ちゃん|님|씨|先生|女士)(?!\w)",
    re.IGNORECASE,
)
_NOT_GIVEN_ENDINGS = frozenset(
    "県市町村区郡駅校部会社店局院課室党省園館山川島橋谷沢線道寺城湖港庁所型式製屋堂"
)
_LAST_OF_GIVEN = frozenset(
    "子美郎太介輔樹人也斗香奈恵代江平一二三夫雄男彦治司志次吾哉朗翔菜花織乃佳希音莉実穂"
)
_PLACE_WORDS = frozenset(
    [
        "saint",
        "st",
        "san",
        "santa",
        "city",
        "county",
        "university",
        "college",
        "street",
        "avenue",
        "park",
        "river",
        "lake",
        "island",
        "islands",
        "north",
        "south",
        "east",
        "west",
        "new",
        "airport",
        "school",
        "hospital",
        "stadium",
        "museum",
        "church",
        "company",
        "inc",
        "ltd",
        "corp",
        "univ",
        "org",
        "group",
        "holdings",
        "bank",
        "press",
        "plc",
        "llc",
    ]
)


def name_forms(text: str) -> Iterator[str]:
    """The form of a person's name, if one occurs in a text."""
    if text.isascii():
        if any(sign in text for sign in " ,._") and _is_latin_name(text):
            yield "name"
        return
    joined = _BETWEEN_HAN.sub("", text)
    if (
        any(_is_han_name(run, text) for run in _HAN.findall(joined))
        or _is_kana_name(text)
        or any(_is_hangul_name(run) for run in _HANGUL.findall(text))
        or _is_latin_name(text)
    ):
        yield "name"


def _is_latin_name(text: str) -> bool:
    """Whether two neighbouring words are a given name and a surname, in scripts with blanks."""
    if _TITLES.search(text) and len(text) < 60:
        return True
    words = [_plain(word) for word in _WORD.findall(text.replace("_", " "))]
    given, surnames = _words("given"), _words("surname")
    if len(words) < 2 or any(word in _PLACE_WORDS for word in words[:6]):
        return False
    known = {(w in given, w in surnames) for w in words} != {(False, False)}
    if not known:
        return False
    for first, second in itertools.pairwise(words):
        pairs = ((first, second), (second, first))
        if any(a in given and b in surnames and a != b for a, b in pairs):
            return True
    # Initials and middle names: `Smith, John Q.`, `J. Smith`, `Maria del Carmen Lopez`.
    if len(words) <= 5 and any(w in given for w in words) and any(w in surnames for w in words):
        both = {w for w in words if w in given} | {w for w in words if w in surnames}
        return len(both) >= 2
    return bool(re.fullmatch(r"(?:[A-Z]\.\s?){1,2}[^\W\d_]+", text)) and words[-1] in surnames


def _plain(word: str) -> str:
    """A word without accents and in lower case; scripts other than Latin stay as they are."""
    folded = (
        word.casefold()
        .replace("ß", "ss")
        .replace("ł", "l")
        .replace("ø", "o")
        .replace("đ", "d")
        .replace("ı", "i")
        .replace("æ", "ae")
    )
    if not folded.isascii() and unicodedata.name(folded[0], "").startswith("LATIN"):
        folded = _MARKS.sub("", unicodedata.normalize("NFD", folded))
    return re.sub(r"['’.-]", "", folded) if folded.isascii() else folded


def _is_han_name(run: str, text: str) -> bool:
    """Whether a run of Chinese characters is a surname and a given name."""
    if not 2 <= len(run) <= 6:
        return False
    for length in (3, 2, 1):
        surname, given = run[:length], run[length:]
        if not given or len(given) > 3:
            continue
        if surname in _words("surname-ja"):
            if given in _words("given-ja"):
                return True
            rest = text.replace("　", " ").strip()
            spaced = re.fullmatch(rf"{surname}[\s・]+{re.escape(given)}", rest) is not None
            if (
                len(surname) >= 2
                and given[-1] not in _NOT_GIVEN_ENDINGS
                and (given[-1] in _LAST_OF_GIVEN or spaced)
                and 1 <= len(given) <= 3
            ):
                return True
        if surname in _words("surname-zh") and given in _words("given-zh"):
            return True
    return False


def _is_kana_name(text: str) -> bool:
    words = [
        "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in run)
        for run in _KANA.findall(text)
    ]
    given, surnames = _words("given-kana"), _words("surname-kana")
    if any(
        (a in surnames and b in given) or (a in given and b in surnames)
        for a, b in itertools.pairwise(words)
    ):
        return True
    return any(
        word[:cut] in surnames and word[cut:] in given
        for word in words
        for cut in range(2, len(word) - 1)
    )


def _is_hangul_name(run: str) -> bool:
    return any(
        run[:cut] in _words("surname-ko") and run[cut:] in _words("given-ko") for cut in (1, 2)
    )


@cache
def _words(section: str) -> frozenset[str]:
    """The words of a section of the lists."""
    return _lists().get(section, frozenset())


@cache
def _lists() -> dict[str, frozenset[str]]:
    collected: dict[str, set[str]] = {}
    for file in ("latin", "han", "scripts"):
        text = (
            files("tokumei.release_gate").joinpath(f"names/{file}.txt").read_text(encoding="utf-8")
        )
        section = ""
        for line in text.splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif not line.startswith("#"):
                collected.setdefault(section, set()).update(map(_plain, line.split()))
    return {section: frozenset(words) for section, words in collected.items()}
