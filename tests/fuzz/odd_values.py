"""Columns as nobody expects them: pools of values from which a table's cells are drawn.

A pool is a few values of one sort; small, so that classes of k rows are possible.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from random import Random
from typing import Any

Pool = list[Any]
BIG = 2**63 - 1
JAPANESE = ["東京都", "大阪府", "北海道", "京都府", "沖縄県", "髙橋", "﨑", "ｶﾅ", "ＡＢＣ", "１２"]
WORDS = ["red", "green", "blue", "Red", "a b", "a-b", "x", "y", "z", "ÅÄÖ", "naïve", "😀"]
AWKWARD = [
    'say "hi"',
    '"',
    '""',
    "two\nlines",
    "cr\rhere",
    "crlf\r\nend",
    "a,b",
    "tab\there",
    "'quoted'",
    "back\\slash",
    "#hash",
    "=1+1",
]
SPACES = [" a", "a ", "a", " ", "  ", "　", "a  b", "\u00a0"]
LOOKALIKES = ["*", "[1;2]", "{a}", "{a}", "[1;2[", "1-2", "{}", "[]", "NA", "null", "NaN", "None"]
SPELLINGS = ["1", "1.0", "01", "+1", "1e0", "1.", " 1", "１"]
REALS = ["0.5", "0.50", ".5", "5e-1", "1.25", "-1.25", "1e300", "1e-300"]
LONG_REALS = [f"0.123456789012345678{n}" for n in range(9)] + ["1234567890123456.1"]
LONG_WHOLE = [1234567890123456789 + n for n in range(6)]


def whole(rng: Random) -> Pool:
    return rng.sample(range(-3, 90), rng.randint(1, 8))


def codes(rng: Random) -> Pool:
    return [f"{n:03d}" for n in rng.sample(range(120), rng.randint(2, 6))]


def real(rng: Random) -> Pool:
    return [round(rng.uniform(-5, 50), rng.choice((1, 2, 4))) for _ in range(rng.randint(2, 7))]


def signed_zero(rng: Random) -> Pool:
    return [0.0, -0.0, rng.choice((1.0, -1.5, 0.0))]


def written_zero(rng: Random) -> Pool:
    return rng.sample(["0.0", "-0.0", "0", "-0", "0.00", "1.5"], 4)


def long_whole(rng: Random) -> Pool:
    return rng.sample(LONG_WHOLE, rng.randint(2, 5))


def largest(rng: Random) -> Pool:
    return rng.sample([BIG, BIG - 1, -BIG - 1, 0, 1, -1, BIG // 2], rng.randint(2, 5))


def beyond(rng: Random) -> Pool:
    return [str(BIG + n) for n in range(1, rng.randint(3, 6))] + ["-9223372036854775809"]


def long_real(rng: Random) -> Pool:
    return rng.sample(LONG_REALS, rng.randint(2, 6))


def decimal(rng: Random) -> Pool:
    return [Decimal(rng.randint(-(10**19), 10**19)) / 1000 for _ in range(rng.randint(2, 5))]


def written_real(rng: Random) -> Pool:
    return rng.sample(REALS, rng.randint(2, 6))


def spellings(rng: Random) -> Pool:
    return rng.sample(SPELLINGS, rng.randint(2, 6))


def words(rng: Random) -> Pool:
    return rng.sample(WORDS, rng.randint(1, 7))


def japanese(rng: Random) -> Pool:
    return rng.sample(JAPANESE, rng.randint(2, 6))


def awkward(rng: Random) -> Pool:
    return [*rng.sample(AWKWARD, rng.randint(2, 5)), "plain"]


def spaces(rng: Random) -> Pool:
    return rng.sample(SPACES, rng.randint(2, 6))


def lookalikes(rng: Random) -> Pool:
    return [*rng.sample(LOOKALIKES, rng.randint(2, 6)), "a"]


def days(rng: Random) -> Pool:
    return [date(2020, rng.randint(1, 12), rng.randint(1, 28)) for _ in range(rng.randint(2, 7))]


def old_days(rng: Random) -> Pool:
    return [date(rng.choice((1, 1582, 1900, 9999)), 3, n) for n in range(1, rng.randint(3, 5))]


def moments(rng: Random) -> Pool:
    return [datetime(2021, 5, n, n, 0, n, n * 1000) for n in range(1, rng.randint(3, 6))]


def truths(rng: Random) -> Pool:
    return [True, False]


def written_truths(rng: Random) -> Pool:
    return rng.sample(["true", "false", "True", "TRUE", "yes", "no", "1", "0"], 3)


def mixed(rng: Random) -> Pool:
    return rng.sample([1, "1", 1.0, "a", True, 2.5, date(2020, 1, 1), "2020-01-01", 0], 5)


def constant(rng: Random) -> Pool:
    return [rng.choice(["same", 7, 0.5, "", None, "*"])]


POOLS: dict[str, Callable[[Random], Pool]] = {
    made.__name__: made
    for made in (
        whole,
        codes,
        real,
        signed_zero,
        written_zero,
        long_whole,
        largest,
        beyond,
        long_real,
        decimal,
        written_real,
        spellings,
        words,
        japanese,
        awkward,
        spaces,
        lookalikes,
        days,
        old_days,
        moments,
        truths,
        written_truths,
        mixed,
        constant,
    )
}
NUMBERS = ("whole", "real", "signed_zero", "written_zero", "long_whole", "largest", "long_real")
NUMBERS += ("decimal", "written_real", "beyond")
"""The pools that a sensitive column of a method without models needs."""
MISSING: list[list[Any]] = [[], [], [None], [""], [None, ""]]


def cells(rng: Random, pool: str, rows: int, *, gaps: bool) -> list[Any]:
    """A column of so many cells, some of them missing or empty if there may be gaps."""
    values = POOLS[pool](rng)
    weights = [rng.choice((1, 1, 4)) for _ in values]
    drawn = rng.choices(values, weights, k=rows)
    lacking = rng.choice(MISSING) if gaps else []
    return [rng.choice(lacking) if lacking and rng.random() < 0.15 else cell for cell in drawn]
