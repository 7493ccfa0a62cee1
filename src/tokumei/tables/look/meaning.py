"""What a column's name announces: types in the order in which they are likely.

announced("顧客番号")       # ("member_id",)
announced("店舗名")         # ("store",)
announced("利用者")         # ("name",)   who somebody is, without a word for number or name
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tokumei.core.patterns import Match, Pattern
from tokumei.tables.look import words_abroad, words_of_people, words_of_values
from tokumei.tables.look.header_tokens import Header, read_header
from tokumei.tables.look.header_words import (
    EVENT_EN,
    EVENT_JA,
    ROLE_EN,
    ROLE_JA,
    THING_EN,
    THING_JA,
    WHO_EN,
    WHO_JA,
    any_word,
)
from tokumei.tables.look.words_abroad import NAMES, PEOPLE

Line = tuple[str, Pattern, Pattern]
"""A type and the words for it, Japanese and Latin."""


def _patterns(lines: Sequence[tuple[str, str, str]]) -> list[Line]:
    return [(kind, Pattern(ja), Pattern(en)) for kind, ja, en in lines]


_FIRST = _patterns((*words_of_people.LINES, *words_abroad.LINES))
"""What belongs to a person: looked for before numbers and names of people and things."""
_LAST = _patterns(words_of_values.LINES)
_ID_JA = Pattern(r"(id|番号|ナンバー|コード|cd|no\.?|№|#|番)$")
_ID_EN = Pattern(
    r" (id|ids|no|num|number|nr|nummer|numero|hash|token|code|cd|key|uid|uuid|guid|pk|"
    r"ref|bango|ident|identifier|seq|sn|#) $"
    r"|^ (id|no|num|numero|number) |^ [a-z]*id $|^ (mrn|uuid|guid|pid|uid) "
)
_PLAIN_ID = Pattern(
    r"^ ?(id|no|num|number|nr|#|key|index|idx|seq|serial|row( (id|no|num|number|"
    r"names?))?|code|pk) ?$"
)
_NAME_JA = Pattern(
    r"(氏名|姓名|名前|苗字|名字|名義|芳名|^姓$|^名$|^氏$|旧姓|姓\(|^せい$|^めい$|漢字氏|"
    r"氏名漢字|ネーム)"
)
_OF_THING_JA = Pattern(rf"({THING_JA})(の)?名(称|前)?(\(.*)?$")
_OF_PERSON_JA = Pattern(
    r"(様|者|人|主|員|生|医|師|長|客|先|親|父|母|妻|夫|子|方)(の?お?名(前)?)(\(.*)?$"
)
_NAME_EN = Pattern(
    r"\b(name|names|surname|forename|fname|lname|mname|fullname|firstname|lastname|"
    r"nombre|nombres|apellidos?|"
    r"nom|prenom|vorname|nachname|familienname|simei|shimei|namae|onamae|myoji|sei|mei|"
    r"nome|cognome|sobrenome|"
    r"given|maiden|middle|shime)\b"
)
_NAME_ABROAD = any_word(NAMES)
_WHO = any_word(WHO_EN + PEOPLE)
_EVENT = any_word(EVENT_EN)
_THING = any_word(THING_EN)
_ROLE = any_word(ROLE_EN + PEOPLE)
_CARE_OF = Pattern(
    r"(z hd|z h|zhd|zu haenden|zu handen|c o|attn|attention|a l attention de|next of kin|nok|"
    r"contact person|kontaktperson|emergency contact( person)?|neighbou?r|nachbar|voisin)"
)
"""Whom something is sent to, or who is called: somebody, in more than one word."""
_POLITE = Pattern(r"^[ごお御]|様$|さま$")


@lru_cache(maxsize=4096)
def announced(name: str) -> tuple[str, ...]:
    """Types that a column's name announces, the likeliest first; none if it says nothing."""
    header = read_header(name)
    if header.silent:
        return ()
    found = _matching(_FIRST, header) + _account(header) + _identity(header) + _name(header)
    return tuple(dict.fromkeys(found + _matching(_LAST, header)))


def _matching(lines: Sequence[Line], header: Header) -> list[str]:
    """Types of the lines that match, what stands last in the name first: there stands the noun.

    Of two that end together the longer one: 数量 is a quantity, although 量 is measured.
    """
    ends: dict[str, tuple[float, float]] = {}
    for kind, ja, en in lines:
        read = ((header.flat, ja), (header.words, en))
        found = [(m, len(text)) for text, one in read if text for m in one.finditer(text)]
        places = [(m.end() / length, len(m[0]) / length) for m, length in found]
        if places:
            ends[kind] = max(*places, ends.get(kind, (0.0, 0.0)))
    return sorted(ends, key=lambda kind: ends[kind], reverse=True)


def _account(header: Header) -> list[str]:
    """Bank accounts; who holds one has a name."""
    ja = r"口座(?!名義|種別|開設|残高|振替日)|^振込先?$"
    en = (
        r"\b(iban|account (no|number|num|nr)|acct (no|number|num)|kouza|koza|kontonummer|routing)\b"
    )
    found = re.search(ja, header.flat) or re.search(en, header.words)
    return ["bank_account"] if found else []


def _identity(header: Header) -> list[str]:
    """Numbers and codes: of somebody, of something that happened, of a thing, or of a row."""
    if (not header.flat and _PLAIN_ID.match(header.words)) or re.fullmatch(
        r"(id|番号|no\.?|№|#|連番|通し番号|項番|整理番号|管理番号|識別子)", header.bare
    ):
        return ["id"]
    ja, en = _ID_JA.search(header.bare), _ID_EN.search(header.words)
    if not ja and not en:
        return _somebody(header)
    who = _last_end(WHO_JA, header.bare, ja), _last_match(_WHO, header.words, en)
    event = _last_end(EVENT_JA, header.bare, ja), _last_match(_EVENT, header.words, en)
    thing = _last_end(THING_JA, header.bare, ja), _last_match(_THING, header.words, en)
    places = {"member_id": max(who), "record_id": max(event), "thing": max(thing)}
    best = max(places, key=lambda kind: places[kind])
    if places[best] < 0:
        number = r"(id|番号|no\.?)$| (id|no|number|num|nr|nummer|numero) $"
        return ["number" if re.search(number, header.bare + header.words) else "key"]
    if best != "thing":
        return [best]
    in_ja, in_en = next((j, e) for k, j, e in _LAST if k == "store")
    sold = in_ja.search(header.flat) or in_en.search(header.words)
    return ["store", "code"] if sold else ["code"]


def _last_end(words: str, text: str, head: Match | None) -> int:
    """Where the last of the words ends, before the word for number."""
    if head is None:
        return -1
    return max((m.end() for m in re.finditer(words, text[: head.start()])), default=-1)


def _last_match(words: Pattern, text: str, head: Match | None) -> int:
    if head is None:
        return -1
    before = text[: head.start() + 1] if head.end() == len(text) else text
    return max((m.end() for m in words.finditer(before)), default=-1)


def _somebody(header: Header) -> list[str]:
    """Who somebody is, without more: a number or a name, as the cells say."""
    bare = _POLITE.sub("", _POLITE.sub("", header.bare))
    # Patterns are compiled when they are first used: Japanese ones not for Latin names.
    if bare and re.search(rf"^({ROLE_JA})(さん|様)$|({ROLE_JA})$", bare):
        return ["somebody"]
    words = re.sub(r" [0-9]+$", "", header.words.strip())  # driver 1, driver 2
    plain = re.sub(r"\b(e|a|social|party|of kin)$", "", words).strip()
    named = re.fullmatch(_WHO.pattern, plain) or re.search(rf"{_ROLE.pattern}$", plain)
    return ["somebody"] if named or _CARE_OF.fullmatch(words) else []


def _name(header: Header) -> list[str]:
    """Names: of people, unless a word for a thing stands before."""
    if header.flat and _NAME_JA.search(header.flat) and not _OF_THING_JA.search(header.flat):
        return ["name"]
    if header.bare and _OF_PERSON_JA.search(header.bare) and not _OF_THING_JA.search(header.bare):
        return ["name"]
    if header.bare.endswith("名") and not _OF_THING_JA.search(header.bare):
        return ["name?"]
    match = _NAME_EN.search(header.words) or _NAME_ABROAD.search(header.words)
    if match is None or re.search(r"\b(username|nickname)\b", header.words):
        return []
    return ["thing-name" if _THING.search(header.words[: match.start()]) else "name"]
