"""Reconstructs the people and prices of the published experiment (Oguri and Sonehara).

    twin = build_paper_twin(seed=1)
    twin.people             # 10,933 people: 職業, 年代, 住所, 年齢, 性別, 婚姻, 年収
    twin.prices             # attribute,pattern,value,word,price: what Tables 4 and 5 were made by
    twin.ages               # the same form: five ways to group the ages, Table 6

Their data is not public. This is one of many populations that the printed tables fit: its ages give
every cell of Table 6, its counts and prices Table 4 to the yen, and its best recoding at k = 2 is
that of Table 5 (¥2,648,556, 60.57 %). It is no reproduction, and must not be called one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
import polars as pl

from tokumei.apps.price.datasets.column_patterns import INCOMES, REGION_BY_PREFECTURE, age_patterns
from tokumei.core.randomness import Randomness

_AGE_COUNTS_TEXT = """
4 10 56 109 132 173 156 136 283 282 286 202 268 175 215 168 215 206 276 233 246 245 240 242 286
311 227 314 239 273 173 308 284 289 301 281 281 317 79 232 162 203 148 126 165 144 207 159 4 23
81 32 40 20 70 13 15 5 44 2 121 18 81 27 110 40 88 15 9 3 2 2 1
"""
AGE_COUNTS = dict(zip((*range(12, 84), 88), map(int, _AGE_COUNTS_TEXT.split()), strict=True))
"""People of every age: found by a search, so that all of Table 6 comes out."""
JOBS = {
    "会社員": (4321, "勤め人"),
    "パート": (1903, "勤め人"),
    "主婦": (1218, "無業"),
    "公務員": (887, "勤め人"),
    "学生": (694, "無業"),
    "自営業": (568, "自営・専門"),
    "教員": (479, "勤め人"),
    "無職": (414, "無業"),
    "医師": (363, "自営・専門"),
    "農業": (86, "自営・専門"),
}
SEXES = {"男性": 6653, "女性": 4280}
MARRIAGES = {"未婚": 5469, "既婚": 5464}
SMALLEST_PREFECTURE, SMALLEST_INCOME = 39, 29
"""People in the smallest prefecture, and with the rarest income."""
ATTRIBUTE_VALUES = {
    ("職業", "original"): 1_307_878,
    ("職業", "abstract"): 951_813,
    ("年代", "original"): 749_360,
    ("年代", "abstract"): 622_910,
    ("住所", "original"): 690_763,
    ("年齢", "original"): 550_713,
    ("性別", "original"): 549_109,
    ("婚姻", "original"): 524_724,
    ("年収", "original"): 0,
}
"""What the attributes are worth in yen before (Table 4) and as abstracted (Table 5)."""
LIFE_STAGES = {10: "若者", 20: "若者", 30: "中年", 40: "中年", 50: "中年"}
SMALLEST_GROUP = 2
"""People in the smallest group of the published answer."""
PRICE_LIST_COLUMNS = ("attribute", "pattern", "value", "word", "price")


@dataclass(frozen=True, eq=False)
class PaperTwin:
    """The people, the price list of the search, and that of the five ways to group ages."""

    people: pl.DataFrame
    prices: pl.DataFrame
    ages: pl.DataFrame


def build_paper_twin(*, seed: int | None = 1) -> PaperTwin:
    """The twin; other seeds give other populations with the same tables."""
    rng = Randomness(seed).child("paper twin")
    people = _draw_people(rng)
    prices = _draw_prices(people, rng.child("prices"))
    return PaperTwin(people, prices, _age_price_list(prices))


def _draw_people(rng: Randomness) -> pl.DataFrame:
    """Columns shuffled alone, drawn again until richer answers than the published one fail."""
    attempt = 0
    while True:
        generator = rng.child("people", attempt).generator
        people = _shrink_smallest_class(_shuffle_columns(generator), generator)
        if all(_smallest_class(people, columns) < SMALLEST_GROUP for columns in RICHER_CHOICES):
            return people.drop("kind", "life")
        attempt += 1


RICHER_CHOICES = (
    ("職業", "life", "性別", "婚姻"),
    ("kind", "年代", "性別", "婚姻"),
    ("kind", "住所", "性別", "婚姻"),
)
"""What would be worth more than the published answer, and must leave somebody alone."""
PUBLISHED_CHOICE = ("kind", "life", "性別", "婚姻")


def _shuffle_columns(generator: np.random.Generator) -> pl.DataFrame:
    total = sum(AGE_COUNTS.values())
    columns = {
        "職業": {job: count for job, (count, _) in JOBS.items()},
        "住所": _power_law_counts(list(REGION_BY_PREFECTURE), total, SMALLEST_PREFECTURE, 0.9),
        "年齢": {str(age): count for age, count in AGE_COUNTS.items()},
        "性別": SEXES,
        "婚姻": MARRIAGES,
        "年収": _power_law_counts(list(INCOMES), total, SMALLEST_INCOME, 1.0),
    }
    drawn = {
        name: generator.permutation(np.repeat(list(counts), list(counts.values())))
        for name, counts in columns.items()
    }
    frame = pl.DataFrame({name: pl.Series(values) for name, values in drawn.items()})
    decade = pl.col("年齢").cast(pl.Int64) // 10 * 10
    return frame.select(
        "職業",
        pl.format("{}代", decade).alias("年代"),
        "住所",
        pl.col("年齢").cast(pl.Int64),
        "性別",
        "婚姻",
        "年収",
        kind=pl.col("職業").replace_strict({job: kind for job, (_, kind) in JOBS.items()}),
        life=decade.replace_strict(LIFE_STAGES, default="シニア"),
    )


def _power_law_counts(
    values: Sequence[str], total: int, least: int, power: float
) -> dict[str, int]:
    """Counts that fall as 1/rank^power, the last one given, all together `total`."""
    weights = np.arange(1, len(values), dtype=np.float64) ** -power
    counts = np.floor(weights / weights.sum() * (total - least)).astype(np.int64)
    counts[0] += total - least - counts.sum()
    return dict(zip(values, [*counts.tolist(), least], strict=True))


def _smallest_class(frame: pl.DataFrame, columns: Sequence[str]) -> int:
    return int(frame.group_by(columns).len()["len"].to_numpy().min())


def _shrink_smallest_class(frame: pl.DataFrame, generator: np.random.Generator) -> pl.DataFrame:
    """Exchange the jobs of all but two of the smallest group with people of the largest."""
    sizes = frame.group_by(PUBLISHED_CHOICE).len().sort("len", *PUBLISHED_CHOICE)
    small, large = sizes.row(0), sizes.row(-1)
    numbered = frame.with_row_index("row")
    small_rows, large_rows = (
        generator.permutation(
            numbered.filter(
                pl.struct(PUBLISHED_CHOICE) == dict(zip(PUBLISHED_CHOICE, group, strict=False))
            )["row"].to_numpy()
        )
        for group in (small, large)
    )
    moved_count = max(len(small_rows) - SMALLEST_GROUP, 0)
    order = np.arange(frame.height)
    order[small_rows[:moved_count]], order[large_rows[:moved_count]] = (
        large_rows[:moved_count],
        small_rows[:moved_count],
    )
    return frame.with_columns(frame["職業"].gather(order), frame["kind"].gather(order))


def _draw_prices(people: pl.DataFrame, rng: Randomness) -> pl.DataFrame:
    lines = []
    for (attribute, pattern), value in ATTRIBUTE_VALUES.items():
        words = _pattern_words(people, attribute, pattern)
        counts = people[attribute].cast(pl.String).value_counts().rows()
        per_word: dict[str, int] = {}
        for name, count in sorted(counts):
            per_word[words[name]] = per_word.get(words[name], 0) + count
        prices = solve_prices(per_word, value, rng.child(attribute, pattern).generator)
        lines += [(attribute, pattern, name, words[name], prices[words[name]]) for name in words]
    return pl.DataFrame(lines, schema=list(PRICE_LIST_COLUMNS), orient="row")


def _pattern_words(people: pl.DataFrame, attribute: str, pattern: str) -> dict[str, str]:
    values = sorted(people[attribute].unique().cast(pl.String))
    if pattern == "original":
        return {value: value for value in values}
    if attribute == "職業":
        return {value: JOBS[value][1] for value in values}
    return {value: LIFE_STAGES.get(int(value[:-1]), "シニア") for value in values}


def solve_prices(
    counts: Mapping[str, int], value: int, generator: np.random.Generator
) -> dict[str, int]:
    """Whole prices with Σ count · price = value: all but two drawn, these two solved for.

    Drawn again until two words with coprime counts have a solution without a negative price.
    """
    words = list(counts)
    if value == 0:
        return dict.fromkeys(words, 0)
    mean = value / sum(counts.values())
    coprime = [(a, b) for a in words for b in words if a < b and gcd(counts[a], counts[b]) == 1]
    while True:
        first, second = coprime[int(generator.integers(len(coprime)))]
        drawn = np.rint(mean * generator.lognormal(0, 0.4, len(words))).astype(int).tolist()
        prices = dict(zip(words, drawn, strict=True))
        rest = value - sum(
            counts[word] * prices[word] for word in words if word not in (first, second)
        )
        first_price = rest * pow(counts[first], -1, counts[second]) % counts[second]
        second_price, remainder = divmod(rest - first_price * counts[first], counts[second])
        if remainder == 0 and 0 <= second_price <= 9 * mean and first_price <= 9 * mean:
            return {**prices, first: int(first_price), second: int(second_price)}


def _age_price_list(prices: pl.DataFrame) -> pl.DataFrame:
    """Ages and decades at their prices; five years are worth nothing, the rest has no price."""
    known_prices = {
        (attribute, word): price
        for attribute, pattern, _, word, price in prices.iter_rows()
        if pattern == "original"
    }
    values = [str(age) for age in AGE_COUNTS]
    patterns: dict[str, Mapping[str, str]] = {
        "original": {value: value for value in values},
        **age_patterns(values, retired=60),
    }
    lines = []
    for pattern, words in patterns.items():
        for value, word in words.items():
            attribute = "年齢" if pattern == "original" else "年代"
            price = 0 if pattern == "five-years" else known_prices.get((attribute, word))
            lines.append(("年齢", pattern, value, word, price))
    return pl.DataFrame(lines, schema=list(PRICE_LIST_COLUMNS), orient="row")
