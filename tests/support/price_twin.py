"""One population that fits the tables of the price paper, built from the published figures.

It is a reconstruction, consistent and not unique: values, numbers of words and the optimum are the
paper's, people and single prices are not. The seed is one whose optimum for k = 3 and with cut-offs
is that of the published reconstruction, too. The figures are data: tests of it are marked `data`.
"""

from __future__ import annotations

from functools import cache
from math import gcd
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import yaml

from tokumei.apps.price.price_list import PriceList

JOB_KINDS = ("勤め人",) * 5 + ("自営・専門",) * 3 + ("無業",) * 2
DECADES = [f"{ten}代" for ten in range(10, 90, 10)]


@cache
def figures(spec: Path) -> dict[str, Any]:
    """The paper's figures."""
    return yaml.safe_load((spec / "papers" / "002.yaml").read_text(encoding="utf-8"))


def twin_people(spec: Path, seed: int = 3) -> pl.DataFrame:
    """10,933 people."""
    rng = np.random.default_rng(seed)
    found = figures(spec)["reconstruction"]
    ages = np.repeat(*map(np.array, zip(*found["age_counts"].items(), strict=True)))
    marginals = found["marginals"]
    people = len(ages)
    columns = {
        "職業": _words("職業", marginals["職業"]),
        "年代": [f"{age // 10 * 10}代" for age in ages],
        "住所": _words("住所", _falling(47, 0.9, 39, people)),
        "年齢": ages,
        "性別": _words("性別", marginals["性別"]),
        "婚姻": _words("婚姻", marginals["婚姻"]),
        "年収": _words("年収", _falling(11, 1.0, 29, people)),
    }
    drawn = {
        name: column if name in ("年齢", "年代") else rng.permutation(column)
        for name, column in columns.items()
    }
    return _smallest_cell(pl.DataFrame(drawn), rng)


def twin_lines(spec: Path, people: pl.DataFrame, seed: int = 3) -> list[tuple[str, ...]]:
    """The lines of the price list: every value of Tables 4 and 5 to the yen."""
    rng = np.random.default_rng(seed)
    tables = {one["id"]: one["rows"] for one in figures(spec)["tables"]}
    before = {row[0]: row[3] for row in tables["table4"]}
    after = {row[0]: row[4] for row in tables["table5"]}
    patterns: dict[str, dict[str, Any]] = {name: {"original": str} for name in before}
    patterns["職業"]["abstract"] = lambda v: JOB_KINDS[int(v[2:])]
    patterns["年代"]["abstract"] = _life
    lines = []
    for name, found in patterns.items():
        values = people[name].cast(pl.String).unique(maintain_order=True).sort()
        for pattern, word_of in found.items():
            words = pl.Series([word_of(v) for v in people[name].cast(pl.String)])
            value = before[name] if pattern == "original" else after[name]
            prices = _prices(words, value, rng)
            lines += [
                (name, pattern, v, word_of(v), str(prices[word_of(v)])) for v in values.to_list()
            ]
    return lines


def list_of(lines: list[tuple[str, ...]], path: Path, *more: str) -> PriceList:
    """The price list of some lines, by way of a file."""
    names = ["attribute", "pattern", "value", "word", "price", *more]
    pl.DataFrame(lines, schema=names, orient="row").write_csv(path)
    return PriceList.read(path)


def _words(name: str, counts: list[int]) -> np.ndarray:
    return np.repeat([f"{name}{at}" for at in range(len(counts))], counts)


def _falling(words: int, power: float, smallest: int, people: int) -> list[int]:
    """Counts falling as 1/rank^power, the last the smallest, the first what is left."""
    weights = 1 / np.arange(1, words + 1) ** power
    counts = np.maximum(np.floor(weights / weights.sum() * people), smallest).astype(int)
    counts[-1] = smallest
    counts[:-1] = np.maximum(counts[:-1], smallest + 1)
    counts[0] += people - counts.sum()
    return counts.tolist()


def _life(decade: str) -> str:
    ten = int(decade[:-1])
    return "若者" if ten < 30 else "中年" if ten < 60 else "シニア"


def _smallest_cell(people: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """Exchange jobs until the smallest cell of job kind, life, sex and marriage has two people."""
    jobs = people["職業"].to_list()
    place = [(JOB_KINDS[int(job[2:])]) for job in jobs]
    rest = list(zip(map(_life, people["年代"]), people["性別"], people["婚姻"], strict=True))
    cells: dict[Any, list[int]] = {}
    for row, cell in enumerate(zip(place, rest, strict=True)):
        cells.setdefault(cell, []).append(row)
    kind, where = min(cells, key=lambda cell: len(cells[cell]))
    for row in cells[kind, where][2:]:
        others = [r for r in range(len(jobs)) if place[r] != kind and rest[r] != where]
        other = int(rng.choice(others))
        jobs[row], jobs[other] = jobs[other], jobs[row]
        place[row], place[other] = place[other], place[row]
    return people.with_columns(pl.Series("職業", jobs))


def _prices(words: pl.Series, value: int, rng: np.random.Generator) -> dict[str, int]:
    """Whole yen around value per person; two words are solved so that the sum is exact."""
    counts = dict(words.value_counts(sort=True).iter_rows())
    if not value:
        return dict.fromkeys(counts, 0)
    mean = value / len(words)
    names = list(counts)
    while True:
        prices = {name: max(1, round(mean * rng.lognormal(0, 0.3))) for name in names}
        for first in range(len(names)):
            for second in range(first + 1, len(names)):
                a, b = counts[names[first]], counts[names[second]]
                rest = value - sum(
                    counts[n] * p
                    for n, p in prices.items()
                    if n not in (names[first], names[second])
                )
                if gcd(a, b) != 1 or rest <= 0:
                    continue
                x = rest * pow(a, -1, b) % b if b > 1 else 0
                for one in range(x, rest // a + 1, b):
                    other = (rest - one * a) // b
                    if one > 0 and other > 0 and max(one, other) < 4 * mean:
                        return {**prices, names[first]: one, names[second]: other}
