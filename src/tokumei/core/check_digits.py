"""Validates check digits: payment cards, My Number, driving licences, article numbers.

Sources: ISO/IEC 7812-1 (Luhn); ministerial order no. 85 of 2014, Article 5 (My Number); the
driving licence's eleventh digit is a mod-11 check over the ten before it; GS1 (JAN, EAN, UPC).
"""

from __future__ import annotations

import numpy as np

MY_NUMBER_WEIGHTS = np.array([6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
LICENCE_WEIGHTS = np.array([5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
CARD_FIRST_DIGITS = "23456"


def is_card_number(digits: str) -> bool:
    """13 to 19 digits of a payment card: Luhn's sum is a multiple of ten."""
    if not 13 <= len(digits) <= 19 or digits[0] not in CARD_FIRST_DIGITS or len(set(digits)) == 1:
        return False
    values = [int(digit) for digit in reversed(digits)]
    doubled = (sum(divmod(2 * value, 10)) for value in values[1::2])
    return (sum(values[::2]) + sum(doubled)) % 10 == 0


def is_my_number(digits: str) -> bool:
    """Twelve digits whose last is the check digit of the others."""
    if len(digits) != 12 or len(set(digits)) == 1:
        return False
    rest = int(MY_NUMBER_WEIGHTS @ _to_digits(digits[:11])) % 11
    return int(digits[11]) == (0 if rest <= 1 else 11 - rest)


def is_driving_licence(digits: str) -> bool:
    """Twelve digits: prefecture of issue, year, serial number, check digit, reissues."""
    if len(digits) != 12 or not 10 <= int(digits[:2]) <= 97 or len(set(digits)) == 1:
        return False
    rest = int(LICENCE_WEIGHTS @ _to_digits(digits[:10])) % 11
    return int(digits[10]) == (0 if rest <= 1 else 11 - rest)


def _to_digits(digits: str) -> np.ndarray:
    return np.array([int(digit) for digit in digits])


def is_article_number(digits: str) -> bool:
    """JAN, EAN or UPC of 8, 12 or 13 digits: weights 3 and 1 from the right, a multiple of ten."""
    if len(digits) not in (8, 12, 13) or len(set(digits)) == 1:
        return False
    values = [int(digit) for digit in reversed(digits)]
    return (sum(values[::2]) + 3 * sum(values[1::2])) % 10 == 0
