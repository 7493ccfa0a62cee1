"""Recognizes telephone numbers of all countries (phonenumbers).

An international number is one if its country numbers so. A national one is one if some country
numbers so and writes it in the same groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

_SPAN = re.compile(r"(?<![\w.])(?:\+|\(|\d)[\d() ./\u00a0+-]{6,24}\d(?![\w]|\.\d)")
_RANGE = re.compile(r"\d{3,7}\s+(?:-|to)\s+\$?\d{3,7}|\d0{2,6}-\d{3,7}|\d{3,7}-\d(?:0{2,6}|9{2,6})")
"""Such as an income from 25000 to 49999."""
_YEARS = re.compile(r"(?:1[5-9]|20)\d\d\D+(?:1[5-9]|20)\d\d")
_DAY = re.compile(
    r"(?:1[89]|20)\d\d\D\d{1,2}\D\d{1,2}(?:\D.*)?|\d{1,2}\D\d{1,2}\D(?:1[89]|20)\d\d(?:\D.*)?"
)
_USUAL_GROUPS = ([3, 4, 4], [2, 4, 4], [4, 2, 4], [3, 3, 4], [1, 3, 3, 4])
_USUAL_REGIONS = ("JP", "KR", "US", "CN")
"""What they write so besides: `090-1234-5678`, `(212) 555-0123`."""
_MAIN_REGIONS = ("JP", "US", "GB", "DE", "FR", "IN", "CN", "KR", "ES", "IT", "BR", "RU", "AU")


def phone_forms(text: str) -> Iterator[str]:
    """The form of a telephone number, if one occurs in a text."""
    if sum(char.isdigit() for char in text) >= 8 and any(map(_is_phone, _SPAN.findall(text))):
        yield "phone"


def _is_phone(span: str) -> bool:
    digits = re.sub(r"\D", "", span)
    if (
        not 8 <= len(digits) <= 15
        or _YEARS.fullmatch(span)
        or _RANGE.fullmatch(span)
        or _DAY.fullmatch(span)
    ):
        return False
    if re.fullmatch(r"\d{5}-\d{4}", span) or re.fullmatch(
        r"[1-9][\d.]* [\d.]+|\d+\.\d+|\d{1,3}(?:[. ]\d{3})+", span
    ):
        return False
    if span.startswith("+"):
        return _is_valid(span, None)
    if span.startswith("00") and _is_valid("+" + digits[2:], None):
        return True
    if span.isdigit():
        return span.startswith("0") and any(_is_valid(span, region) for region in _MAIN_REGIONS)
    return any(_is_written_so(span, region) for region in _regions())


@cache
def _regions() -> tuple[str, ...]:
    import phonenumbers

    return (*_MAIN_REGIONS, *sorted({*phonenumbers.SUPPORTED_REGIONS} - {*_MAIN_REGIONS}))


def _is_valid(text: str, region: str | None) -> bool:
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return False
    if region is not None:
        return bool(phonenumbers.is_valid_number_for_region(number, region))
    return bool(phonenumbers.is_valid_number(number))


def _is_written_so(text: str, region: str) -> bool:
    """Whether a region has this number and writes it in these groups."""
    import phonenumbers

    digits, written = re.sub(r"\D", "", text), _grouping(text)
    lengths, prefix, patterns = _numbering(region)
    strip = prefix if prefix and digits.startswith(prefix) else ""
    national = digits[len(strip) :]
    if len(national) not in lengths or not (
        (written in _USUAL_GROUPS and region in _USUAL_REGIONS)
        or any(_matches_groups(pattern, national, strip, written) for pattern in patterns)
    ):
        return False
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_valid_number_for_region(number, region))


def _matches_groups(
    pattern: re.Pattern[str], national: str, prefix: str, written: list[int]
) -> bool:
    match = pattern.fullmatch(national)
    if match is None:
        return False
    groups = [len(group or "") for group in match.groups()]
    with_prefix = [groups[0] + len(prefix), *groups[1:]] if groups else []
    return written in (groups, with_prefix, [len(prefix), *groups])


@cache
def _numbering(region: str) -> tuple[frozenset[int], str, tuple[re.Pattern[str], ...]]:
    """How many digits a region's numbers have, what precedes them, and how they are grouped."""
    from phonenumbers import PhoneMetadata

    metadata = PhoneMetadata.metadata_for_region(region)
    if metadata is None or metadata.general_desc is None or metadata.country_code is None:
        return frozenset(), "", ()
    formats = metadata.number_format or _main_formats(metadata.country_code)
    patterns = tuple(re.compile(item.pattern) for item in formats if item.pattern)
    lengths = frozenset(metadata.general_desc.possible_length)
    return lengths, metadata.national_prefix or "", patterns


def _main_formats(country_code: int) -> list[Any]:
    """Where several regions share a country code, only the main one has formats."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata

    main = PhoneMetadata.metadata_for_region(COUNTRY_CODE_TO_REGION_CODE[country_code][0])
    return [] if main is None else list(main.number_format)


def _grouping(text: str) -> list[int]:
    return [len(part) for part in re.split(r"\D+", text) if part]
