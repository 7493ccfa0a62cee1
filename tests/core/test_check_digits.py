"""Check digits against worked examples and against all single-digit changes."""

from __future__ import annotations

import pytest

from tokumei.core.check_digits import (
    is_article_number,
    is_card_number,
    is_driving_licence,
    is_my_number,
)


@pytest.mark.parametrize("digits", ["4111111111111111", "5555555555554444", "378282246310005"])
def test_test_numbers_of_card_companies(digits: str) -> None:
    assert is_card_number(digits)


def test_my_number_by_hand() -> None:
    # 1·6 + 2·5 + 3·4 + 4·3 + 5·2 + 6·7 + 7·6 + 8·5 + 9·4 + 0·3 + 1·2 = 212 = 19·11 + 3 → 11 − 3 = 8
    assert is_my_number("123456789018")


def test_licence_by_hand() -> None:
    # 3·5 + 0·4 + 1·3 + 2·2 + 3·7 + 4·6 + 5·5 + 6·4 + 7·3 + 8·2 = 153 = 13·11 + 10 → 11 − 10 = 1
    assert is_driving_licence("301234567810")


@pytest.mark.parametrize(
    ("check", "digits", "place"),
    [
        (is_card_number, "4111111111111111", 15),
        (is_my_number, "123456789018", 11),
        (is_driving_licence, "301234567810", 10),
        (is_article_number, "4901234567894", 12),
    ],
)
def test_another_check_digit_is_wrong(check, digits: str, place: int) -> None:
    others = [digits[:place] + str(n) + digits[place + 1 :] for n in range(10)]
    assert [other for other in others if check(other)] == [digits]


@pytest.mark.parametrize("digits", ["1" * 12, "0" * 16, "12345", "9" * 19, "4111"])
def test_other_numbers_are_none(digits: str) -> None:
    assert not any(
        check(digits)
        for check in (is_card_number, is_my_number, is_driving_licence, is_article_number)
    )
