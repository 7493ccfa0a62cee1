"""Detects people's names: Japanese, kana, Latin letters, western."""

from __future__ import annotations

import re
from functools import cache

from tokumei.core.lazy_patterns import LazyPattern
from tokumei.tables.profiling.lexicon.person_names import (
    GIVEN_NAME_ENDINGS,
    GIVEN_NAMES,
    SURNAMES,
    WESTERN_GIVEN_NAMES,
    WESTERN_SURNAMES,
)

_JAPANESE_NAME = LazyPattern(
    r"^[一-龯々髙﨑ヶぁ-んァ-ンー]{1,5}(?:[ ・]?[一-龯々ぁ-んァ-ンー]{1,5})?$"
)
_TWO_WORD_NAME = LazyPattern(r"^([一-龯々髙﨑]{1,3}) ([一-龯々ぁ-んァ-ンー]{1,4})$")
_HONORIFIC = LazyPattern(r" ?(様|さん|氏|殿|先生|くん|君|ちゃん|さま)$")
_KANA_NAME = LazyPattern(
    r"^[ァ-ヴー]{2,8}[ ・]?[ァ-ヴー]{0,10}$|^[ぁ-んー]{2,8}[ ・]?[ぁ-んー]{0,10}$"
)
_LATIN_LETTERS = "A-Za-zÀ-ſẠ-ỹ"
_WESTERN_NAME = LazyPattern(
    rf"^[{_LATIN_LETTERS}][{_LATIN_LETTERS}'’.-]*"
    rf"(?:,? [{_LATIN_LETTERS}(][{_LATIN_LETTERS}'’.()-]*){{1,5}}$"
)
_UPPER_LETTERS, _LOWER_LETTERS = "A-ZÀ-ÞĀ-ŽΑ-ΩА-ЯЁ", "a-zà-ÿā-žα-ώа-яё'’A-ZÀ-ÞĀ-ŽΑ-ΩА-ЯЁ-"
_NAME_WITH_INITIALS = LazyPattern(
    rf"^(?:[{_UPPER_LETTERS}]\. ?){{1,3}}[{_UPPER_LETTERS}][{_LOWER_LETTERS}]+$"
    rf"|^(?:(?:van|von|de|der|den|da) )*[{_UPPER_LETTERS}][{_LOWER_LETTERS}]+,? "
    rf"(?:[{_UPPER_LETTERS}]\. ?){{1,3}}$"
)
"""A surname beside initials, which things hardly ever have."""
_NAME_TITLE = LazyPattern(
    r"\b(mr|mrs|ms|miss|dr|prof|master|sir|rev|herr|frau|mme|jr|sr)\b\.?", re.IGNORECASE
)
_NAME_DEGREE = LazyPattern(
    r"^(?:(?:mgr|inż|inz|dra|dott|mudr|phdr|judr|mvdr|rndr|smt|shri|sri|kum)\.?|"
    r"(?:ing|dipl|lic|sra|srta|sig|bc|mag)\.)(?:[ -]?(?:ssa|ra|ing|na|inż)\.?)? ?(?=[A-ZÀ-Ž])",
    re.IGNORECASE,
)
"""Titles that stand before a name in other countries, and hardly before anything else."""
_ORGANIZATION_OR_PLACE = LazyPattern(
    r"(株式|有限|合同|会社|法人|\(株\)|商店|商会|工業|病院|大学|学校|銀行|"
    r"[市区町村県府都道店部課科室]$)|\b(inc|ltd|llc|corp|co|company|gmbh|university|"
    r"street|road|store|party)\b",
    re.IGNORECASE,
)

_KANA_SIGNS = (
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
    "ガギグゲゴザジズゼゾダヂヅデドバビブベボパピプペポ"
)
_SYLLABLES = """
a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me
mo ya yu yo ra ri ru re ro wa o n ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi
pu pe po
"""
_CONTRACTED = """
キャ:kya キュ:kyu キョ:kyo シャ:sha シュ:shu ショ:sho チャ:cha チュ:chu チョ:cho ジャ:ja ジュ:ju
ジョ:jo リョ:ryo リュ:ryu リャ:rya ヒョ:hyo ミョ:myo ニョ:nyo
"""
_KANA_SURNAMES, _KANA_GIVEN = frozenset(SURNAMES.values()), frozenset(GIVEN_NAMES.values())
_ROMAJI = dict(zip(_KANA_SIGNS, _SYLLABLES.split(), strict=True)) | {
    pair.partition(":")[0]: pair.partition(":")[2] for pair in _CONTRACTED.split()
}


def is_name(cell: str) -> bool:
    """Whether a cell looks like the name of a person."""
    text = _HONORIFIC.sub("", cell.strip())
    if not text or len(text) > 60 or _ORGANIZATION_OR_PLACE.search(text):
        return False
    if _JAPANESE_NAME.match(text):
        return _is_japanese_name(text)
    if _NAME_WITH_INITIALS.match(text):
        return True
    return bool(_WESTERN_NAME.match(text)) and _is_western_name(text)


def is_kana_name(cell: str) -> bool:
    """Whether a cell is a name in kana, its surname a common one."""
    text = "".join(chr(ord(c) + 96) if "ぁ" <= c <= "ゖ" else c for c in cell.strip())
    if not _KANA_NAME.match(text):
        return False
    first_word = re.split(r"[ ・]", text)[0]
    has_known_surname = any(text[:n] in _KANA_SURNAMES for n in range(2, 6))
    return has_known_surname or first_word in _KANA_GIVEN


def _is_japanese_name(text: str) -> bool:
    spaced = _TWO_WORD_NAME.match(text)
    if spaced and (spaced[2][-1] in GIVEN_NAME_ENDINGS or spaced[2] in GIVEN_NAMES):
        return True
    if _KANA_NAME.match(text):
        return False
    plain = text.replace(" ", "")
    for n in (3, 2, 1):
        if plain[:n] in SURNAMES:
            given = plain[n:]
            return len(given) <= 4 and not re.search(r"[県市区町村駅線店科部]$", given)
    return plain in GIVEN_NAMES


def _is_western_name(text: str) -> bool:
    words = [word for word in re.split(r"[ ,.\-()]+", text.lower()) if word]
    if _NAME_TITLE.search(text) or _NAME_DEGREE.match(text):
        return True
    given_count = sum(
        word in WESTERN_GIVEN_NAMES or word in _romanize_names(_KANA_GIVEN) for word in words
    )
    surname_count = sum(
        word in WESTERN_SURNAMES or word in _romanize_names(_KANA_SURNAMES) for word in words
    )
    if "," in text:
        return given_count + surname_count > 0
    return (
        text[:1].isupper()
        and (given_count > 0 or surname_count > 0)
        and given_count + surname_count >= len(words) / 3
    )


def is_single_name(cell: str) -> bool:
    """Whether a cell is one given name or one surname and nothing else."""
    text = cell.strip().lower()
    name_lists = (
        SURNAMES,
        GIVEN_NAMES,
        WESTERN_GIVEN_NAMES,
        WESTERN_SURNAMES,
        _romanize_names(_KANA_SURNAMES),
    )
    return any(text in names for names in name_lists)


def surname_pattern() -> str:
    """A regular expression of all surnames that have two characters or more."""
    return "|".join(sorted((name for name in SURNAMES if len(name) > 1), key=len, reverse=True))


@cache
def _romanize_names(kana: frozenset[str]) -> frozenset[str]:
    """Names in Latin letters, long vowels short or doubled."""
    return frozenset(form for name in kana for form in _romanize(name))


def _romanize(kana: str) -> list[str]:
    romanized, i = "", 0
    while i < len(kana):
        step = 2 if kana[i : i + 2] in _ROMAJI else 1
        romanized += _ROMAJI.get(kana[i : i + step], "")
        i += step
    short_vowels = romanized.replace("ou", "o").replace("oo", "o").replace("uu", "u")
    return [romanized, short_vowels]
