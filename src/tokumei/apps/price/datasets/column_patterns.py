"""Attributes of the generated people, and the words that several values share.

    people = price_columns(7)               # 職業, 年代, 住所, 年齢, 性別, 婚姻, 年収
    people[3].patterns["decades"]["37"]     # 30代

Names and shares are made up; only the numbers of values (10, 8, 47, 73, 2, 2, 11) are those of the
published experiment. Words are such as an advertiser bids for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

AGE_RANGE = range(12, 85)
OPEN_AGE = 70
"""The age from which on five-year bands are one."""
INCOMES = ("なし", *(f"{low}万円台" for low in range(100, 1000, 100)), "1000万円以上")
JOB_GROUPS = {
    "会社員": "勤め人",
    "主婦": "家庭",
    "学生": "学生",
    "パート": "勤め人",
    "公務員": "勤め人",
    "自営業": "自営",
    "無職": "家庭",
    "教員": "専門職",
    "医師": "専門職",
    "農業": "自営",
}
PREFECTURES = {
    "北海道": "北海道",
    "東北": "青森 岩手 宮城 秋田 山形 福島",
    "関東": "茨城 栃木 群馬 埼玉 千葉 東京 神奈川",
    "中部": "新潟 富山 石川 福井 山梨 長野 岐阜 静岡 愛知",
    "近畿": "三重 滋賀 京都 大阪 兵庫 奈良 和歌山",
    "中国": "鳥取 島根 岡山 広島 山口",
    "四国": "徳島 香川 愛媛 高知",
    "九州": "福岡 佐賀 長崎 熊本 大分 宮崎 鹿児島 沖縄",
}
REGION_BY_PREFECTURE = {
    name: region for region, names in PREFECTURES.items() for name in names.split()
}
CAPITAL_AREAS = {
    "首都圏": "埼玉 千葉 東京 神奈川",
    "中京圏": "岐阜 愛知 三重",
    "近畿圏": "京都 大阪 兵庫 奈良",
}
LARGE_PREFECTURES = "北海道 宮城 埼玉 千葉 東京 神奈川 静岡 愛知 京都 大阪 兵庫 広島 福岡"


@dataclass(frozen=True)
class PriceColumn:
    """A column: its values, how frequent they are, and patterns beside `original`."""

    name: str
    values: Sequence[str]
    weights: Sequence[float]
    patterns: Mapping[str, Mapping[str, str]]


def price_columns(number: int, *, patterns: int = 6) -> list[PriceColumn]:
    """The first columns; at most so many patterns each, `original` and `delete` among them."""
    all_columns = [
        _job_column(),
        _decade_column(),
        _address_column(),
        _age_column(),
        *_binary_columns(),
        _income_column(),
        *_further_columns(),
    ]
    return [
        PriceColumn(
            column.name,
            column.values,
            column.weights,
            dict(list(column.patterns.items())[: patterns - 2]),
        )
        for column in all_columns[:number]
    ]


def _job_column() -> PriceColumn:
    public, office = ("公務員", "教員"), ("会社員", "公務員", "教員")
    patterns = {
        "kinds": JOB_GROUPS,
        "work": _map_values(
            list(JOB_GROUPS),
            lambda value: "無業者" if value in ("主婦", "学生", "無職") else "就業者",
        ),
        "public": _map_values(
            list(JOB_GROUPS), lambda value: "公職" if value in public else "民間"
        ),
        "office": _map_values(
            list(JOB_GROUPS), lambda value: "オフィス" if value in office else "その他"
        ),
    }
    return PriceColumn("職業", list(JOB_GROUPS), (36, 15, 12, 14, 6, 7, 6, 2, 1, 1), patterns)


def _decade_column() -> PriceColumn:
    values = [f"{decade}代" for decade in range(10, 90, 10)]
    patterns = {
        "twenty-years": _map_values(
            values, lambda v: f"{(int(v[:-1]) - 10) // 20 * 20 + 10}代から"
        ),
        "life": _map_values(
            values, lambda v: _band_of(int(v[:-1]), {10: "若者", 30: "中年", 60: "シニア"})
        ),
        "adult": _map_values(values, lambda v: "十代" if int(v[:-1]) < 20 else "大人"),
        "retired": _map_values(values, lambda v: "現役世代" if int(v[:-1]) < 60 else "退職世代"),
    }
    return PriceColumn("年代", values, (8, 17, 21, 20, 16, 11, 6, 1), patterns)


def _address_column() -> PriceColumn:
    values = list(REGION_BY_PREFECTURE)
    capital = {name: area for area, names in CAPITAL_AREAS.items() for name in names.split()}
    east = ("北海道", "東北", "関東", "中部")
    patterns = {
        "region": REGION_BY_PREFECTURE,
        "capital": _map_values(values, lambda v: capital.get(v, "地方圏")),
        "east-west": _map_values(
            values, lambda v: "東日本" if REGION_BY_PREFECTURE[v] in east else "西日本"
        ),
        "large": _map_values(
            values, lambda v: "大都市圏" if v in LARGE_PREFECTURES.split() else "その他の県"
        ),
    }
    weights = [3.0 if v in LARGE_PREFECTURES.split() else 0.6 for v in values]
    weights[values.index("東京")] = 14
    return PriceColumn("住所", values, weights, patterns)


def _age_column() -> PriceColumn:
    values = [str(age) for age in AGE_RANGE]
    patterns = age_patterns(values)
    weights = [max(0.02, 1 - abs(age - 40) / 46) for age in AGE_RANGE]
    return PriceColumn("年齢", values, weights, patterns)


def age_patterns(ages: Sequence[str], *, retired: int = 65) -> dict[str, dict[str, str]]:
    """Decades, five years (open from 70 on), stages of life, and single years from 16 to 59."""
    stages = {12: "小学生", 13: "中学生", 16: "高校生", 19: "大学生", 23: "大人", retired: "退職"}
    return {
        "decades": _map_values(ages, lambda v: f"{int(v) // 10 * 10}代"),
        "five-years": _map_values(ages, _five_year_band),
        "school": _map_values(ages, lambda v: _band_of(int(v), stages)),
        "custom": _map_values(ages, _custom_age_band),
    }


def _five_year_band(age: str) -> str:
    low = int(age) // 5 * 5
    return f"{OPEN_AGE}歳以上" if low >= OPEN_AGE else f"{low}-{low + 4}歳"


def _binary_columns() -> list[PriceColumn]:
    sex = PriceColumn("性別", ("男性", "女性"), (55, 45), {})
    return [sex, PriceColumn("婚姻", ("未婚", "既婚"), (42, 58), {})]


def _income_column() -> PriceColumn:
    bands = ("低収入", *["中収入"] * 5, *["高収入"] * 5)
    halves = ("300万円未満",) * 3 + ("300万円以上",) * 8
    patterns = {
        "bands": dict(zip(INCOMES, bands, strict=True)),
        "halves": dict(zip(INCOMES, halves, strict=True)),
        "earning": _map_values(INCOMES, lambda v: "収入なし" if v == "なし" else "収入あり"),
        "rich": _map_values(INCOMES, lambda v: "富裕層" if v == INCOMES[-1] else "一般"),
    }
    return PriceColumn("年収", INCOMES, (14, 12, 14, 15, 13, 10, 8, 6, 4, 3, 1), patterns)


def _further_columns() -> list[PriceColumn]:
    """Five more, for searches that take long."""
    return [
        _generic_column("学歴", ("中学", "高校", "専門学校", "短大", "大学", "大学院")),
        _generic_column("世帯", ("一人", "二人", "三人", "四人", "五人", "六人以上")),
        _generic_column("住居", ("持家", "分譲", "賃貸", "社宅", "寮")),
        _generic_column("車", ("なし", "軽自動車", "普通車", "ミニバン", "輸入車")),
        _generic_column(
            "趣味", ("旅行", "読書", "料理", "音楽", "運動", "映画", "園芸", "釣り", "ゲーム")
        ),
    ]


def _generic_column(name: str, values: Sequence[str]) -> PriceColumn:
    half, third = (len(values) + 1) // 2, (len(values) + 2) // 3
    patterns = {
        "halves": {
            value: f"{name}{'前半' if index < half else '後半'}"
            for index, value in enumerate(values)
        },
        "thirds": {value: f"{name}{index // third + 1}群" for index, value in enumerate(values)},
    }
    return PriceColumn(name, values, [1 / (index + 1) for index in range(len(values))], patterns)


def _custom_age_band(age: str) -> str:
    return "15才以下" if int(age) <= 15 else "60才以上" if int(age) >= 60 else f"{age}才"


def _map_values(values: Sequence[str], word: Callable[[str], str]) -> dict[str, str]:
    return {value: word(value) for value in values}


def _band_of(number: int, steps: Mapping[int, str]) -> str:
    return steps[max(start for start in steps if start <= number)]
