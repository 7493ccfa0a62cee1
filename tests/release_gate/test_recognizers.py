from __future__ import annotations

import phonenumbers
import pytest

from tokumei.release_gate.recognizers import FORM_TITLES, MAX_TEXT, find_forms

RECOGNIZED = {
    "email": [
        "taro@example.org",
        "TARO@Example.ORG",
        "taro(at)example.org",
        "ｔａｒｏ＠example.org",
    ],
    "url": ["https://example.org/reset?token=abc123", "https://linkedin.com/in/taro-sato"],
    "ip": ["192.168.10.7", "2001:db8:85a3::8a2e:370:7334"],
    "mac": ["00:1A:2B:3C:4D:5E", "00-1a-2b-3c-4d-5e", "001a.2b3c.4d5e"],
    "account": ["GB82 WEST 1234 5698 7654 32"],
    "card": ["4111 1111 1111 1111", "5500-0055-5555-5559"],
    "identity-number": ["361-95-5875", "6214 9832 0257", "943-476-5870", "TK1234567", "S1234567D"],
    "phone": ["+81 90 1234 5678", "090-1234-5678", "(212) 555-0123"],
    "address": [
        "東京都千代田区丸の内1-1-1",
        "12 Baker Street",
        "Hauptstraße 12",
        "12 rue de la Paix",
    ],
    "coordinates": ["35.6895,139.6917", "35°41'22\"N", "8Q7XMP8R+X2"],
    "plate": ["品川 300 あ 12-34", "AB-123-CD", "京A12345", "12가 3456"],
    "date": [
        "1985-03-12",
        "12/03/1985",
        "昭和60年3月12日",
        "S60.3.12",
        "March 12, 1985",
        "19850312",
    ],
    "token": [
        "550e8400-e29b-41d4-a716-446655440000",
        "5d41402abc4b2a76b9719d911017c592",
        "AKIAIOSFODNN7EXAMPLE",
        "password=hunter22",
    ],
    "name": [
        "Taro SATO",
        "Smith, John",
        "佐藤 太郎",
        "佐藤太郎",
        "サトウ タロウ",
        "김철수",
        "王小明",
        "Иванов Иван",
        "أحمد حسن",
        "राजेश कुमार",
        "สมชาย ใจดี",
    ],
}
HARMLESS = """山口県|田中市|San Jose|Virginia Beach|St. Louis|Holand-Netherlands|ford taurus|
2010-2011|chevrolet chevelle malibu|12345-6789|Married-civ-spouse|New York|United States|
buick skylark 320|
<=50K|10-20|100-0001|ISO-8859-1|3.14159|1,234,567|Paris|2024-Q1|Iris-setosa|85%-90%|AAPL|12:30:45|
M8 x 20|Lincoln Continental|Mercedes Benz|Toyota Corolla 1.6|1.2.3|v2.0.1-rc1|A4 210x297"""


@pytest.mark.parametrize(
    ("form", "text"), [(f, t) for f, texts in RECOGNIZED.items() for t in texts]
)
def test_a_form_is_recognized_alone_and_inside_a_sentence(form: str, text: str) -> None:
    from tokumei.release_gate.pieces import normalize_text

    assert form in FORM_TITLES
    assert form in find_forms(normalize_text(text))
    assert find_forms(f"seen by us: {normalize_text(text)}")


@pytest.mark.parametrize("text", [text.strip() for text in HARMLESS.replace("\n", "").split("|")])
def test_ordinary_cells_have_no_form(text: str) -> None:
    assert not find_forms(text)


def test_what_stands_far_inside_a_long_text_is_found() -> None:
    assert "email" in find_forms("x " * MAX_TEXT + " taro@example.org " + "y " * MAX_TEXT)


def test_international_example_numbers_of_every_region_are_telephone_numbers() -> None:
    missed = []
    for region in phonenumbers.SUPPORTED_REGIONS:
        number = phonenumbers.example_number(region)
        form = phonenumbers.PhoneNumberFormat.INTERNATIONAL
        text = phonenumbers.format_number(number, form)
        if len(str(number.national_number)) >= 7 and not find_forms(text):
            missed.append(text)
    assert not missed
