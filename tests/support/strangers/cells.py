"""Cells of people who do not exist, written as many hands would write them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any


def _words(text: str) -> list[str]:
    return text.split()


FAMILY = _words(
    """
相川 秋元 浅野 荒井 石塚 市原 岩田 上原 臼井 江口 大沢 大塚 岡部 小倉 片桐 門田 川口 神田 北野
桐山 久保 黒川 小池 児玉 坂口 桜井 下村 白石 菅原 関口 高野 田辺 千葉 堤 永井 成田 西川 根本 野口
浜田 平野 福島 古川 星野 町田 水野 望月 森本 安田 湯浅 吉川 若林 鷲尾 四方 東海林 御手洗 綿貫
長谷部
"""
)
GIVEN = _words(
    """
葵 彩花 一樹 英二 佳奈 和彦 恭平 健 浩二 さくら 沙織 修 純子 翔 真一 進 大輔 拓也 千尋 智子 奈々
典子 春菜 久美子 博之 文子 誠 真由美 美咲 恵 優 由紀 陽菜 良太 蓮 若菜 凛 颯太 みゆき ひろし
"""
)
FAMILY_KANA = _words(
    """
アイカワ アキモト アサノ アライ イシヅカ イチハラ イワタ ウエハラ ウスイ エグチ オオサワ オオツカ
オカベ オグラ カタギリ カドタ カワグチ カンダ キタノ キリヤマ クボ クロカワ コイケ コダマ サカグチ
サクライ
"""
)
GIVEN_KANA = _words(
    """
アオイ アヤカ カズキ エイジ カナ カズヒコ キョウヘイ ケン コウジ サクラ サオリ オサム ジュンコ
ショウ シンイチ
"""
)
FIRST = _words(
    """
Oliver Amelia Noah Isla Ethan Freya Mateo Lucia Hugo Chloe Lars Ingrid Pedro Sofia Anna Piotr
Marek Yusuf Fatima Priya Arjun Wei Mei Kofi Ama Liam Grace Henry Ruby Oscar Nora Felix Clara Theo
Alice
"""
)
LAST = _words(
    """
Whitfield Osborne Larsen Kowalski Fernandez Moreau Becker Rossi Novak Andersen Patel Okafor Nguyen
Chen Haddad Doyle Pritchard Langley Marsh Holloway Sinclair Vaughn Ashworth Bennett Carver Dalton
"""
)
PREFECTURES = _words(
    """
北海道 青森県 宮城県 茨城県 栃木県 千葉県 東京都 神奈川県 新潟県 長野県 静岡県 愛知県 京都府
大阪府 兵庫県 岡山県 広島県 香川県 福岡県 熊本県 沖縄県
"""
)
CITIES = _words(
    """
函館市 八戸市 仙台市青葉区 つくば市 宇都宮市 船橋市 世田谷区 川崎市宮前区 長岡市 松本市
浜松市中央区 豊橋市 宇治市 堺市北区 姫路市 倉敷市 福山市 高松市 久留米市 八代市 那覇市
"""
)
TOWNS = _words(
    """
本町 緑が丘 東 桜台 若葉町 中央 栄町 旭町 大手町 富士見
"""
)
STREETS = _words(
    """
Maple Station Church Victoria Mill Park Queen Orchard Bridge Highfield
"""
)
WAYS = ("Road", "Street", "Ave", "Lane", "Drive", "Close")


class Cells:
    """A seeded source of columns."""

    def __init__(self, seed: int, rows: int) -> None:
        self.rng = random.Random(seed)
        self.rows = rows

    def each(self, make: Callable[[], Any], gaps: float = 0.0, gap: Any = "") -> list[Any]:
        """A cell per row, some of them missing."""
        return [gap if self.rng.random() < gaps else make() for _ in range(self.rows)]

    def of(self, values: Sequence[Any], gaps: float = 0.0, gap: Any = "") -> list[Any]:
        """Any of the values in each row."""
        return self.each(lambda: self.rng.choice(values), gaps, gap)

    def people(self, values: Sequence[Any], count: int) -> list[Any]:
        """Rows of `count` people, several each, in mixed order; the same order for equal seeds."""
        order = [i % count for i in range(self.rows)]
        random.Random(self.rows * 7 + count).shuffle(order)
        return [values[i] for i in order]

    def digits(self, n: int) -> str:
        """That many random digits, the first of them not zero."""
        return str(self.rng.randint(10 ** (n - 1), 10**n - 1))

    def ja_name(self, between: str = " ") -> str:
        """A Japanese name."""
        return f"{self.rng.choice(FAMILY)}{between}{self.rng.choice(GIVEN)}"

    def kana(self, between: str = " ") -> str:
        """A name in katakana."""
        return f"{self.rng.choice(FAMILY_KANA)}{between}{self.rng.choice(GIVEN_KANA)}"

    def en_name(self) -> str:
        """A name in Latin letters."""
        return f"{self.rng.choice(FIRST)} {self.rng.choice(LAST)}"

    def mobile(self, between: str = "-") -> str:
        """A Japanese mobile number."""
        start = self.rng.choice(("070", "080", "090"))
        return between.join((start, f"{self.rng.randint(0, 9999):04}", self.digits(4)))

    def landline(self) -> str:
        """A Japanese number of a house, area code in brackets or with hyphens."""
        area = self.rng.choice(("03", "06", "011", "022", "045", "0267", "092"))
        local = self.digits(6 - len(area) + 4)
        form = self.rng.choice(("({}){}-{}", "{}-{}-{}"))
        return form.format(area, local[:-4], local[-4:])

    def email(self) -> str:
        """An address at a domain that nobody can own."""
        word = self.rng.choice(LAST).lower()
        return f"{word}{self.rng.randint(1, 999)}@{self.rng.choice(('example.jp', 'mail.test'))}"

    def postal(self, between: str = "-") -> str:
        """A Japanese postal code."""
        return f"{self.rng.randint(1, 999):03}{between}{self.rng.randint(0, 9999):04}"

    def ja_address(self) -> str:
        """A whole Japanese address."""
        r = self.rng
        place = r.choice(list(zip(PREFECTURES, CITIES, strict=True)))
        number = f"{r.randint(1, 9)}-{r.randint(1, 30)}-{r.randint(1, 20)}"
        return "".join((*place, r.choice(TOWNS), number))

    def en_street(self) -> str:
        """House number and street."""
        r = self.rng
        return f"{r.randint(1, 250)} {r.choice(STREETS)} {r.choice(WAYS)}"

    def day(self, first: str, last: str) -> date:
        """A day between two."""
        start, end = date.fromisoformat(first), date.fromisoformat(last)
        return start + timedelta(days=self.rng.randint(0, (end - start).days))

    def moment(self, first: str, last: str) -> datetime:
        """A second between two days."""
        day = self.day(first, last)
        return datetime(day.year, day.month, day.day) + timedelta(
            seconds=self.rng.randint(0, 86399)
        )

    def era(self, day: date, form: str = "{long}{y}年{m}月{d}日") -> str:
        """A day by the era's year."""
        starts = ((date(2019, 5, 1), "令和", "R"), (date(1989, 1, 8), "平成", "H"))
        long, short, first = "昭和", "S", 1926
        for start, name, letter in starts:
            if day >= start:
                long, short, first = name, letter, start.year
                break
        y = day.year - first + 1
        return form.format(long=long, short=short, y=y, m=day.month, d=day.day)

    def luhn(self, start: str, length: int) -> str:
        """A number that passes Luhn's check."""
        body = start + "".join(str(self.rng.randint(0, 9)) for _ in range(length - len(start) - 1))
        doubled = [int(c) * (2 if i % 2 == 0 else 1) for i, c in enumerate(reversed(body))]
        return body + str(-sum(sum(divmod(v, 10)) for v in doubled) % 10)

    def my_number(self) -> str:
        """Twelve digits with the check digit of the Japanese personal number."""
        body = self.digits(11)
        weights = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
        rest = sum(int(c) * w for c, w in zip(body, weights, strict=True)) % 11
        return body + str(0 if rest <= 1 else 11 - rest)

    def ean(self) -> str:
        """A thirteen-digit article number."""
        body = "49" + self.digits(10)
        total = sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(body))
        return body + str(-total % 10)
