"""Generates a messy customer list.

A title line, a total line, eras, full-width digits, units, thousands, gaps, telephone numbers in
remarks; in Japanese (cp932) or English (Windows-1252). Nobody in it exists.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence
from typing import Literal, NamedTuple

from tokumei.core.randomness import Randomness

ListLanguage = Literal["ja", "en"]
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
FIRST_DAY = dt.date(1935, 1, 1)
BIRTH_DAYS = 25_000
SHOWA, HEISEI = dt.date(1926, 12, 25), dt.date(1989, 1, 8)


class ListWords(NamedTuple):
    """The words of one language's ledger."""

    encoding: str
    title: str
    header: Sequence[str]
    surnames: Sequence[str]
    given: Sequence[str]
    places: Sequence[tuple[str, str]]
    remarks: Sequence[str]
    total: str


WORDS_BY_LANGUAGE = {
    "ja": ListWords(
        "cp932",
        "顧客台帳（社外秘）",
        [
            *("顧客番号", "氏名", "性別", "生年月日", "郵便番号"),
            *("住所", "電話番号", "購入金額合計", "来店回数", "備考"),
        ],
        [
            *("佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺"),
            *("山本", "中村", "小林", "加藤", "吉田", "山田"),
        ],
        ["健", "誠", "翔太", "大輔", "拓也", "和也", "美咲", "陽子", "恵", "愛", "花子", "直子"],
        (
            ("100-00", "東京都千代田区"),
            ("150-00", "東京都渋谷区"),
            ("220-00", "神奈川県横浜市西区"),
            ("530-00", "大阪府大阪市北区"),
            ("460-00", "愛知県名古屋市中区"),
            ("060-00", "北海道札幌市中央区"),
        ),
        ("", "", "", "DM不要", "常連", "{given}様の紹介", "折返しは {phone} へ"),
        "合計",
    ),
    "en": ListWords(
        "cp1252",
        "Customer list (confidential)",
        [
            *("Customer no.", "Full name", "Sex", "Date of birth", "Postcode"),
            *("Address", "Phone", "Total spent", "Visits", "Remarks"),
        ],
        [
            *("Smith", "Jones", "Brown", "Taylor", "Wilson"),
            *("Evans", "Walker", "García", "Müller", "Lefèvre"),
        ],
        ["James", "Oliver", "George", "Harry", "Jack", "Amelia", "Olivia", "Emily", "Grace", "Zoë"],
        (
            ("SW1A 1A", "Whitehall, London"),
            ("M1 1A", "Piccadilly, Manchester"),
            ("B1 1A", "Broad Street, Birmingham"),
            ("LS1 1A", "Park Row, Leeds"),
            ("EH1 1A", "Princes Street, Edinburgh"),
            ("CF10 1A", "Queen Street, Cardiff"),
        ),
        ("", "", "", "no mailings", "regular", "friend of {given}", "call back on {phone}"),
        "Total",
    ),
}


def sample_customer_list(
    rows: int = 300, *, lang: ListLanguage = "ja", seed: int | None = None
) -> bytes:
    """The whole file, in the encoding that such files have."""
    words, draw = WORDS_BY_LANGUAGE[lang], Randomness(seed).child("ledger").generator
    lines: list[Sequence[str]] = [[words.title, *[""] * (len(words.header) - 1)], words.header]
    spent = (draw.lognormal(9.5, 0.9, rows) // 10 * 10).astype(int)
    for i in range(rows):
        draws = [int(x) for x in draw.integers(0, 2**31, 12)]
        lines.append(_customer_row(words, lang, i, draws, int(spent[i])))
    total = f"{int(spent.sum()):,}円" if lang == "ja" else f"£{int(spent.sum()):,}.00"
    lines.append([words.total, *[""] * 6, total, "", ""])
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(lines)
    return text.getvalue().encode(words.encoding)


def _customer_row(
    words: ListWords, lang: ListLanguage, i: int, draws: Sequence[int], spent: int
) -> list[str]:
    female = draws[0] % 2
    half = len(words.given) // 2
    given_name = words.given[draws[1] % half + female * half]
    surname = words.surnames[draws[2] % len(words.surnames)]
    code, town = words.places[draws[3] % len(words.places)]
    number = draws[4]
    phone = f"07700 900{number % 1000:03d}"
    if lang == "ja":
        phone = f"090-{number % 9000 + 1000}-{number // 9000 % 9000 + 1000}"
    friend = words.given[draws[5] % len(words.given)]
    remark = words.remarks[draws[6] % len(words.remarks)].format(phone=phone, given=friend)
    born = FIRST_DAY + dt.timedelta(days=draws[7] % BIRTH_DAYS)
    visits = 1 + draws[8] % 40
    if lang == "en":
        sex = "MF"[female] if draws[9] % 37 else "n/a"
        place = f"{1 + draws[10] % 80} {town}"
        return [
            f"K{10001 + i}", f"{given_name} {surname}", sex, f"{born:%d/%m/%Y}",
            f"{code}{'ABDE'[draws[11] % 4]}", place, phone, f"£{spent:,}.00", f"{visits}", remark,
        ]  # fmt: skip
    sex = "男女"[female] if draws[9] % 37 else "不明"
    block = f"{1 + draws[10] % 5}-{1 + draws[10] % 20}-{1 + draws[10] % 30}"
    shown = f"{visits}回" if draws[11] % 5 else f"{visits}回".translate(FULL_WIDTH)
    era, first = ("平成", HEISEI) if born >= HEISEI else ("昭和", SHOWA)
    year = born.year - first.year + 1
    day = f"{era}{'元' if year == 1 else year}年{born.month}月{born.day}日"
    return [
        f"K{10001 + i}", f"{surname}　{given_name}", sex, day, f"{code}{10 + draws[11] % 80}",
        f"{town}{block}", phone, f"{spent:,}円", shown, remark,
    ]  # fmt: skip
