"""Plants: identifying cells of many forms, put where an ordinary table would hide them.

    forms = plant_forms(random.Random(1))            # name → a function that draws a value
    table, where = plant(rng, form, "stray")

The forms are drawn by code of their own: nothing here imports what looks for them.
"""

from __future__ import annotations

import hashlib
import json
import random
import uuid
from collections.abc import Callable, Iterator

import polars as pl

Draw = Callable[[random.Random], str]
POSITIONS = ("every row", "late", "stray", "header", "inside a set", "inside JSON")
ROWS = 240
_WORDS = ("cold", "warm", "hot", "mild")


def _digits(rng: random.Random, count: int) -> str:
    return str(rng.randint(1, 9)) + "".join(str(rng.randint(0, 9)) for _ in range(count - 1))


def _luhn(rng: random.Random, prefix: str, length: int) -> str:
    body = prefix + _digits(rng, length - len(prefix) - 1)
    total = 0
    for place, char in enumerate(reversed(body)):
        value = int(char) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def _weighted(rng: random.Random, weights: list[int], modulus: int) -> tuple[str, int]:
    body = _digits(rng, len(weights))
    return body, sum(int(a) * b for a, b in zip(body, weights, strict=True)) % modulus


def _my_number(rng: random.Random) -> str:
    body, rest = _weighted(rng, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11)
    text = body + str(0 if rest <= 1 else 11 - rest)
    return f"{text[:4]} {text[4:8]} {text[8:]}"


def _nhs(rng: random.Random) -> str:
    while True:
        body, rest = _weighted(rng, [10, 9, 8, 7, 6, 5, 4, 3, 2], 11)
        check = 11 - rest
        if check != 10:
            text = body + str(check % 11)
            return f"{text[:3]} {text[3:6]} {text[6:]}"


def _chinese_id(rng: random.Random) -> str:
    body = (
        f"110105{rng.randint(1950, 2000)}0{rng.randint(1, 9)}1{rng.randint(0, 9)}{_digits(rng, 3)}"
    )
    weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    return body + "10X98765432"[sum(int(a) * b for a, b in zip(body, weights, strict=True)) % 11]


def _dni(rng: random.Random) -> str:
    body = _digits(rng, 8)
    return body + "TRWAGMYFPDXBNJZSQVHLCKE"[int(body) % 23]


def _cpf(rng: random.Random) -> str:
    body = _digits(rng, 9)
    for _ in range(2):
        length = len(body) + 1
        rest = sum(int(a) * (length - i) for i, a in enumerate(body)) * 10 % 11
        body += str(rest % 10)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def _iban(rng: random.Random) -> str:
    bank = "DE", _digits(rng, 18)
    check = 98 - int(bank[1] + "131400") % 97
    text = f"{bank[0]}{check:02d}{bank[1]}"
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def _hex(rng: random.Random, count: int) -> str:
    return hashlib.sha512(str(rng.random()).encode()).hexdigest()[:count]


def _letters(rng: random.Random, count: int, alphabet: str = "ABCDEFGHJKLMNPRSTUVWXYZ") -> str:
    return "".join(rng.choice(alphabet) for _ in range(count))


def _day(rng: random.Random) -> tuple[int, int, int]:
    return rng.randint(1940, 2005), rng.randint(1, 12), rng.randint(1, 28)


def _name(given: str, surnames: str, form: str = "{0} {1}") -> Draw:
    return lambda rng: form.format(rng.choice(given.split()), rng.choice(surnames.split()))


def _number(form: str) -> Draw:
    """A text with a digit for every 9, a capital for every A."""
    return lambda rng: "".join(
        _digits(rng, 1) if char == "9" else _letters(rng, 1) if char == "A" else char
        for char in form
    )


_BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
FORMS: dict[str, Draw] = {
    "e-mail": lambda r: f"{_letters(r, 6).lower()}@example.org",
    "e-mail, obscured": lambda r: f"{_letters(r, 6).lower()} (at) example.org",
    "e-mail, full width": lambda r: f"{_letters(r, 6).lower()}＠example.org",
    "e-mail in a sentence": lambda r: f"write to {_letters(r, 6).lower()}@example.org soon",
    "user name": lambda r: f"@{_letters(r, 8).lower()}",
    "profile link": lambda r: f"https://example.org/users/{_letters(r, 7).lower()}",
    "link with token": lambda r: f"https://example.org/reset?token={_hex(r, 12)}",
    "link with password": lambda r: f"ftp://{_letters(r, 5).lower()}:pw1234@example.org/",
    "social page": lambda r: f"instagram.com/{_letters(r, 8).lower()}",
    "IPv4": lambda r: (
        f"{r.randint(11, 223)}.{r.randint(0, 255)}.{r.randint(0, 255)}.{r.randint(1, 254)}"
    ),
    "IPv6": lambda r: f"2001:db8:{_hex(r, 4)}:{_hex(r, 4)}::{_hex(r, 4)}",
    "MAC, colons": lambda r: ":".join(_hex(r, 2) for _ in range(6)).upper(),
    "MAC, hyphens": lambda r: "-".join(_hex(r, 2) for _ in range(6)),
    "UUID": lambda r: str(uuid.UUID(int=r.getrandbits(128), version=4)),
    "MD5": lambda r: _hex(r, 32),
    "SHA-1": lambda r: _hex(r, 40),
    "SHA-256": lambda r: _hex(r, 64),
    "JWT": lambda r: f"eyJhbGciOiJIUzI1NiJ9.{_letters(r, 20, _BASE62)}.{_letters(r, 20, _BASE62)}",
    "access key": lambda r: "AKIA" + _letters(r, 16),
    "GitHub token": lambda r: "ghp_" + _letters(r, 30, _BASE62),
    "random token": lambda r: _letters(r, 32, _BASE62),
    "password": lambda r: f"password={_letters(r, 8, _BASE62)}",
    "bcrypt": lambda r: "$2b$12$" + _letters(r, 40, _BASE62),
    "Ethereum address": lambda r: "0x" + _hex(r, 40),
    "card, Visa": lambda r: _luhn(r, "4", 16),
    "card, grouped": lambda r: " ".join(__import__("re").findall("....", _luhn(r, "51", 16))),
    "card, Amex": lambda r: _luhn(r, "34", 15),
    "IBAN": _iban,
    "IMEI": lambda r: _luhn(r, "35", 15),
    "ICCID": lambda r: "8981" + _digits(r, 15),
    "SSN": lambda r: f"{r.randint(100, 665)}-{r.randint(10, 99)}-{r.randint(1000, 9999)}",
    "My Number": _my_number,
    "NHS number": _nhs,
    "Chinese identity number": _chinese_id,
    "DNI": _dni,
    "CPF": _cpf,
    "National insurance": lambda r: f"AB {_digits(r, 2)} {_digits(r, 2)} {_digits(r, 2)} C",
    "Korean resident number": lambda r: (
        f"{r.randint(50, 99)}0{r.randint(1, 9)}1{r.randint(0, 9)}-1{_digits(r, 6)}"
    ),
    "passport, Japan": _number("TK9999999"),
    "passport, machine-readable": lambda r: (
        f"P<JPN{_letters(r, 6)}<<{_letters(r, 5)}<<<<<<<<<<<<<<<<<<<"
    ),
    "NRIC": _number("S9999999D"),
    "member number": _number("MEM-999999-A"),
    "patient number": _number("PT/9999/99999"),
    "insurance number": _number("INS99999999A"),
    "licence number": _number("A999-9999-9999"),
    "telephone, Japan": lambda r: f"0{r.choice('789')}0-{_digits(r, 4)}-{_digits(r, 4)}",
    "telephone, Tokyo": lambda r: f"03-{_digits(r, 4)}-{_digits(r, 4)}",
    "telephone, international": lambda r: f"+81 90 {_digits(r, 4)} {_digits(r, 4)}",
    "telephone, USA": lambda r: f"({r.choice(['212', '415', '312'])}) 555-01{r.randint(10, 99)}",
    "telephone, UK": lambda r: f"07400 {r.randint(100000, 999999)}",
    "telephone, Germany": lambda r: f"+49 30 {r.randint(1000000, 9999999)}",
    "telephone, France": lambda r: (
        f"06 12 {r.randint(10, 99)} {r.randint(10, 99)} {r.randint(10, 99)}"
    ),
    "day, ISO": lambda r: "{}-{:02d}-{:02d}".format(*_day(r)),
    "day, slashes": lambda r: "{2:02d}/{1:02d}/{0}".format(*_day(r)),
    "day, Japanese": lambda r: "{}年{}月{}日".format(*_day(r)),
    "day, era": lambda r: f"昭和{r.randint(20, 63)}年{r.randint(1, 12)}月{r.randint(1, 28)}日",
    "day, words": lambda r: f"{r.randint(1, 28)} March {r.randint(1940, 2005)}",
    "day, American": lambda r: f"March {r.randint(1, 28)}, {r.randint(1940, 2005)}",
    "name, English": _name("John Mary Robert Linda", "Smith Johnson Brown Miller"),
    "name, surname first": _name("John Mary Robert Linda", "Smith Johnson Brown", "{1}, {0}"),
    "name, Spanish": _name("José María Carlos", "García Fernández López"),
    "name, German": _name("Jürgen Sabine Klaus", "Müller Schmidt Weber"),
    "name, romaji": _name("Taro Hanako Kenji", "Sato Suzuki Tanaka"),
    "name, kanji": _name("太郎 花子 健一", "佐藤 鈴木 田中", "{1} {0}"),
    "name, kanji together": _name("太郎 花子 健一", "佐藤 鈴木 田中", "{1}{0}"),
    "name, kana": _name("タロウ ハナコ", "サトウ スズキ", "{1} {0}"),
    "name, Chinese": _name("小明 建国 秀英", "王 李 张", "{1}{0}"),
    "name, Korean": _name("철수 영희 민준", "김 이 박", "{1}{0}"),
    "name, Russian": _name("Иван Анна", "Петров Иванов"),
    "name, Arabic": _name("محمد أحمد", "حسن علي"),
    "name, Hindi": _name("राजेश सुनीता", "शर्मा सिंह"),
    "name, Greek": _name("Μαρία Νίκος", "Παπαδόπουλος Γεωργίου"),
    "name with title": lambda r: f"Dr. {r.choice(['Smith', 'Okonkwo', 'Yamada'])}",
    "name, polite": lambda r: r.choice(["鈴木様", "田中さん", "山田先生"]),
    "address, Japan": lambda r: (
        f"東京都新宿区西新宿{r.randint(1, 9)}-{r.randint(1, 9)}-{r.randint(1, 9)}"
    ),
    "address, English": lambda r: f"{r.randint(1, 200)} Baker Street",
    "address, German": lambda r: f"Hauptstraße {r.randint(1, 90)}",
    "address, French": lambda r: f"{r.randint(1, 90)} rue de la Paix",
    "address, Spanish": lambda r: f"Calle Mayor {r.randint(1, 90)}",
    "coordinates": lambda r: f"35.{_digits(r, 4)},139.{_digits(r, 4)}",
    "coordinates, degrees": lambda r: f"35°{r.randint(10, 59)}'{r.randint(10, 59)}\"N",
    "plus code": lambda r: (
        "8Q7X" + _letters(r, 4, "23456789CFGHJ") + "+" + _letters(r, 2, "23456789CFGHJ")
    ),
    "plate, Japan": lambda r: (
        f"品川 {r.randint(300, 399)} あ {r.randint(10, 99)}-{r.randint(10, 99)}"
    ),
    "plate, France": _number("AA-999-AA"),
    "plate, UK": _number("AA99 AAA"),
    "plate, China": _number("京A99999"),
    "VIN": lambda r: "WVWZZZ" + _letters(r, 4, "ABCDEFGHJ") + _digits(r, 7),
}
"""What somebody can be found by, in how many forms people write it."""


def plant(rng: random.Random, form: str, position: str) -> tuple[pl.DataFrame, set[str]]:
    """A table of ordinary people with planted cells in the column `note`, and what was planted."""
    draw = FORMS[form]
    notes = [rng.choice(_WORDS) for _ in range(ROWS)]
    name, planted = "note", set[str]()
    places = _places(rng, position)
    for place in places:
        value = draw(rng)
        planted.add(value)
        notes[place] = _wrap(value, position)
    if position == "header":
        name = draw(rng)
        planted.add(name)
    frame = pl.DataFrame(
        {
            "age": [20 + rng.randint(0, 39) for _ in range(ROWS)],
            "sex": [rng.choice("MF") for _ in range(ROWS)],
            "illness": [rng.choice(["flu", "cough", "asthma"]) for _ in range(ROWS)],
            name: notes,
        }
    )
    return frame, planted


def _places(rng: random.Random, position: str) -> Iterator[int]:
    if position == "every row":
        yield from range(ROWS)
    elif position == "late":
        yield from range(ROWS - 20, ROWS)
    elif position != "header":
        yield from rng.sample(range(ROWS), 3)


def _wrap(value: str, position: str) -> str:
    if position == "inside a set":
        return "{" + value + ";web}"
    if position == "inside JSON":
        return json.dumps({"who": {"is": [value, 1]}}, ensure_ascii=False)
    return value
