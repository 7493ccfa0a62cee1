"""Infers likely types from a column's name.

announced("顧客番号")       # ("member_id",)
announced("店舗名")         # ("store",)
announced("利用者")         # ("name",)   who somebody is, without a word for number or name
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tokumei.core.lazy_patterns import LazyPattern, Match
from tokumei.tables.profiling.detection.header_tokens import HeaderTokens, parse_header
from tokumei.tables.profiling.lexicon.header_words import (
    EVENT_WORDS_JA,
    NON_PERSONAL_HEADERS,
    PERSON_ROLES_JA,
    PERSON_WORDS_JA,
    PERSONAL_HEADERS,
    THING_WORDS_JA,
    compile_any_word,
)

HeaderPattern = tuple[str, LazyPattern, LazyPattern]
"""A type and the words for it, Japanese and Latin."""


def _compile_patterns(lines: Sequence[tuple[str, str, str]]) -> list[HeaderPattern]:
    return [(column_type, LazyPattern(ja), LazyPattern(en)) for column_type, ja, en in lines]


_PERSON_PATTERNS = _compile_patterns(PERSONAL_HEADERS)
"""What belongs to a person: looked for before numbers and names of people and things."""
_VALUE_PATTERNS = _compile_patterns(NON_PERSONAL_HEADERS)
_ID_JA = LazyPattern(r"(id|番号|ナンバー|コード|cd|no\.?|№|#|番)$")
_ID_EN = LazyPattern(
    r" (id|ids|no|num|number|nr|nummer|numero|hash|token|code|cd|key|uid|uuid|guid|pk|"
    r"ref|bango|ident|identifier|seq|sn|#) $"
    r"|^ (id|no|num|numero|number) |^ [a-z]*id $|^ (mrn|uuid|guid|pid|uid) "
    r"|^ (seqn|respondent) $|^ [a-z]{1,2}code $"
)
_PERSON_ID_WORD = LazyPattern(
    r" (mrn|(hh|h|p|pat|cust|subj|resp|pers|ind|stud|emp|usr|mem|acct)id) $"
)
"""One word for the number of a person or household, whatever stands before: `ori_hid`."""
_PLAIN_ID = LazyPattern(
    r"^ ?(id|no|num|number|nr|#|key|index|idx|seq|serial|row( (id|no|num|number|"
    r"names?))?|code|pk) ?$"
)
_NAME_JA = LazyPattern(
    r"(氏名|姓名|名前|苗字|名字|名義|芳名|^姓$|^名$|^氏$|旧姓|姓\(|^せい$|^めい$|漢字氏|"
    r"氏名漢字|ネーム)"
)
_THING_NAME_JA = LazyPattern(rf"({THING_WORDS_JA})(の)?名(称|前)?(\(.*)?$")
_PERSON_NAME_JA = LazyPattern(
    r"(様|者|人|主|員|生|医|師|長|客|先|親|父|母|妻|夫|子|方)(の?お?名(前)?)(\(.*)?$"
)
_NAME_EN = LazyPattern(
    r"\b(name|names|surname|forename|fname|lname|mname|fullname|firstname|lastname|"
    r"nombre|nombres|apellidos?|"
    r"nom|prenom|vorname|nachname|familienname|simei|shimei|namae|onamae|myoji|sei|mei|"
    r"nome|cognome|sobrenome|"
    r"given|maiden|middle|shime)\b"
)
_NAME_FOREIGN = compile_any_word("name_foreign")
_PERSON_EN = compile_any_word("person_en", "person_foreign")
_EVENT_EN = compile_any_word("event_en")
_THING_EN = compile_any_word("thing_en")
_PERSON_ROLE_EN = compile_any_word("role_en", "person_foreign")
_CARE_OF = LazyPattern(
    r"(z hd|z h|zhd|zu haenden|zu handen|c o|attn|attention|a l attention de|next of kin|nok|"
    r"contact person|kontaktperson|emergency contact( person)?|neighbou?r|nachbar|voisin)"
)
"""Whom something is sent to, or who is called: somebody, in more than one word."""
_HONORIFIC = LazyPattern(r"^[ごお御]|様$|さま$")


@lru_cache(maxsize=4096)
def types_from_header(name: str) -> tuple[str, ...]:
    """Types that a column's name announces, the likeliest first; none if it says nothing."""
    header = parse_header(name)
    if header.silent:
        return ()
    matches = (
        _match_patterns(_PERSON_PATTERNS, header)
        + _match_bank_account(header)
        + _match_identifier(header)
        + _match_person_or_thing_name(header)
    )
    return tuple(dict.fromkeys(matches + _match_patterns(_VALUE_PATTERNS, header)))


def _match_patterns(lines: Sequence[HeaderPattern], header: HeaderTokens) -> list[str]:
    """Types of the lines that match, what stands last in the name first: there stands the noun.

    Of two that end together the longer one: 数量 is a quantity, although 量 is measured.
    """
    ends: dict[str, tuple[float, float]] = {}
    for column_type, ja, en in lines:
        texts = ((header.flat, ja), (header.words, en))
        matches = [
            (m, len(text)) for text, pattern in texts if text for m in pattern.finditer(text)
        ]
        positions = [(m.end() / length, len(m[0]) / length) for m, length in matches]
        if positions:
            ends[column_type] = max(*positions, ends.get(column_type, (0.0, 0.0)))
    return sorted(ends, key=lambda column_type: ends[column_type], reverse=True)


def _match_bank_account(header: HeaderTokens) -> list[str]:
    """Bank accounts; who holds one has a name."""
    ja = r"口座(?!名義|種別|開設|残高|振替日)|^振込先?$"
    en = (
        r"\b(iban|account (no|number|num|nr)|acct (no|number|num)|kouza|koza|kontonummer|routing)\b"
    )
    match = re.search(ja, header.flat) or re.search(en, header.words)
    return ["bank_account"] if match else []


def _match_identifier(header: HeaderTokens) -> list[str]:
    """Numbers and codes: of somebody, of something that happened, of a thing, or of a row."""
    if (not header.flat and _PLAIN_ID.match(header.words)) or re.fullmatch(
        r"(id|番号|no\.?|№|#|連番|通し番号|項番|整理番号|管理番号|識別子)", header.bare
    ):
        return ["id"]
    if _PERSON_ID_WORD.search(header.words):
        return ["member_id"]
    ja, en = _ID_JA.search(header.bare), _ID_EN.search(header.words)
    if not ja and not en:
        return _match_person_role(header)
    person_ends = (
        _last_word_end(PERSON_WORDS_JA, header.bare, ja),
        _last_match_end(_PERSON_EN, header.words, en),
    )
    event_ends = (
        _last_word_end(EVENT_WORDS_JA, header.bare, ja),
        _last_match_end(_EVENT_EN, header.words, en),
    )
    thing_ends = (
        _last_word_end(THING_WORDS_JA, header.bare, ja),
        _last_match_end(_THING_EN, header.words, en),
    )
    ends = {"member_id": max(person_ends), "record_id": max(event_ends), "thing": max(thing_ends)}
    best_type = max(ends, key=lambda column_type: ends[column_type])
    if ends[best_type] < 0:
        number = r"(id|番号|no\.?)$| (id|no|number|num|nr|nummer|numero) $"
        return ["number" if re.search(number, header.bare + header.words) else "key"]
    if best_type != "thing":
        return [best_type]
    in_ja, in_en = next((j, e) for k, j, e in _VALUE_PATTERNS if k == "store")
    is_store = in_ja.search(header.flat) or in_en.search(header.words)
    return ["store", "code"] if is_store else ["code"]


def _last_word_end(words: str, text: str, number_match: Match | None) -> int:
    """Where the last of the words ends, before the word for number."""
    if number_match is None:
        return -1
    return max((m.end() for m in re.finditer(words, text[: number_match.start()])), default=-1)


def _last_match_end(words: LazyPattern, text: str, number_match: Match | None) -> int:
    if number_match is None:
        return -1
    before = text[: number_match.start() + 1] if number_match.end() == len(text) else text
    return max((m.end() for m in words.finditer(before)), default=-1)


def _match_person_role(header: HeaderTokens) -> list[str]:
    """Who somebody is, without more: a number or a name, as the cells say."""
    bare_header = _HONORIFIC.sub("", _HONORIFIC.sub("", header.bare))
    # Patterns are compiled when they are first used: Japanese ones not for Latin names.
    if bare_header and re.search(
        rf"^({PERSON_ROLES_JA})(さん|様)$|({PERSON_ROLES_JA})$", bare_header
    ):
        return ["somebody"]
    words = re.sub(r" [0-9]+$", "", header.words.strip())  # driver 1, driver 2
    bare_words = re.sub(r"\b(e|a|social|party|of kin)$", "", words).strip()
    is_person_word = re.fullmatch(_PERSON_EN.pattern, bare_words) or re.search(
        rf"{_PERSON_ROLE_EN.pattern}$", bare_words
    )
    return ["somebody"] if is_person_word or _CARE_OF.fullmatch(words) else []


def _match_person_or_thing_name(header: HeaderTokens) -> list[str]:
    """Names: of people, unless a word for a thing stands before."""
    if header.flat and _NAME_JA.search(header.flat) and not _THING_NAME_JA.search(header.flat):
        return ["name"]
    if (
        header.bare
        and _PERSON_NAME_JA.search(header.bare)
        and not _THING_NAME_JA.search(header.bare)
    ):
        return ["name"]
    if header.bare.endswith("名") and not _THING_NAME_JA.search(header.bare):
        return ["name?"]
    match = _NAME_EN.search(header.words) or _NAME_FOREIGN.search(header.words)
    if match is None or re.search(r"\b(username|nickname)\b", header.words):
        return []
    return ["thing-name" if _THING_EN.search(header.words[: match.start()]) else "name"]
