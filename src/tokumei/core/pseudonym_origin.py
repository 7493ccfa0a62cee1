"""`pseudonym-shows-customer`: pseudonyms are random, not made from the customer's own id.

PseudonymShowsCustomer().check(aligned, source=history)

An id is found inside the pseudonym, as a number moved by a constant, as a common unsalted hash or
code of it (also with the month), or in the order of the pseudonyms. One such way must explain
most of some dozen customers: single pseudonyms may look so by chance.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text

_HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b")
_SHORTEST = 6
"""A digest cut shorter than this may agree by chance."""
_ORDER = 0.9
_FEWEST = 10
_WAYS = {
    "inside": Text("holds the customer's id", "顧客の ID を含んでいます"),
    "reversed": Text("is the customer's id reversed", "顧客の ID を逆に並べたものです"),
    "constant": Text("is the customer's id plus a constant", "顧客の ID に定数を足したものです"),
    "order": Text("is in the order of the customers' ids", "顧客の ID と同じ順に並んでいます"),
}


@dataclass(frozen=True)
class PseudonymShowsCustomer:
    """No simple way leads from ids to the pseudonyms of at least `share` of the customers."""

    name: ClassVar[str] = "pseudonym-shows-customer"
    aligned: ClassVar[bool] = True

    share: float = 0.5
    most: int = 60
    """How many pairs of customer and pseudonym are looked at."""

    def check(self, submission: pl.DataFrame, *, source: Any) -> list[Fault]:
        """One fault for each way that fits; deleted rows are `DEL` or `*`."""
        pairs = _pairs(submission, source)
        if pairs.height < _FEWEST:
            return []
        some = pairs.gather_every(max(1, pairs.height // self.most)).head(self.most)
        some = some.with_columns(other=pl.concat([some["id"][1:], some["id"][:1]]))
        found = Counter(way for row in some.iter_rows() for way in {*_ways(*row)})
        shifts = some.select(pl.col("id", "pseudonym").cast(pl.Int64, strict=False)).drop_nulls()
        constants = Counter((shifts["pseudonym"] - shifts["id"]).to_list())
        found["constant"] += max(constants.values(), default=0)
        ways = [way for way, count in found.items() if count >= self.share * some.height]
        ways += ["order"] if _in_order(pairs) else []
        return [_fault(way) for way in sorted(ways)]


def _pairs(submission: pl.DataFrame, source: Any) -> pl.DataFrame:
    """Customer, pseudonym and month (the first in which they go together), each pair once."""
    cells = source.frame
    day = cells["day"]
    month = day.str.strptime(pl.Date, "%Y/%m/%d") if day.dtype == pl.String else day
    rows = pl.DataFrame(
        {
            "id": cells["customer"].cast(pl.String),
            "pseudonym": submission["customer"],
            "month": month.dt.strftime("%Y-%m"),
        }
    ).filter(~pl.col("pseudonym").is_in(["DEL", "*"]))
    return rows.group_by("id", "pseudonym").agg(pl.col("month").min()).sort("month", "id")


def _ways(name: str, pseudonym: str, month: str, other: str) -> Iterator[str]:
    """How the pseudonym could have been made; a short id may be inside any, so another's is not."""
    seen, own, strange = pseudonym.lower(), name.lower(), other.lower()
    if own in seen and strange not in seen:
        yield "inside"
    if own[::-1] in seen and own not in seen and strange[::-1] not in seen:
        yield "reversed"
    for way, value in _codes(name):
        if value == seen:
            yield way
    if len(seen) >= _SHORTEST:
        for way, value in _digests([name, f"{name}\n", name.zfill(10), *_dated(name, month)]):
            if value.startswith(seen):
                yield way


def _codes(name: str) -> Iterator[tuple[str, str]]:
    raw = name.encode()
    yield "base64", base64.b64encode(raw).decode().rstrip("=").lower()
    yield "base32", base64.b32encode(raw).decode().rstrip("=").lower()
    yield "hex", raw.hex()
    if name.isdecimal():
        yield "hex", f"{int(name):x}"
    yield "crc32", f"{zlib.crc32(raw):08x}"
    yield "crc32", str(zlib.crc32(raw))


def _digests(texts: list[str]) -> Iterator[tuple[str, str]]:
    for algorithm in _HASHES:
        for text in texts:
            raw = hashlib.new(algorithm, text.encode(), usedforsecurity=False).digest()
            yield algorithm, raw.hex()
            yield algorithm, base64.urlsafe_b64encode(raw).decode().lower()


def _dated(name: str, month: str) -> list[str]:
    year, number = month.split("-")
    months = (month, f"{year}/{number}", f"{year}{number}", f"{year}/{int(number)}", number)
    together = [(name, text) for text in (*months, str(int(number)))]
    return [f"{a}{sign}{b}" for a, b in together for sign in ("", "-", "_", ":")]


def _in_order(pairs: pl.DataFrame) -> bool:
    """Whether in most months the pseudonyms, sorted, follow the ids."""
    found = []
    for _, rows in pairs.group_by("month"):
        if rows.height >= _FEWEST:
            agreement = np.corrcoef(_ranks(rows["id"]), _ranks(rows["pseudonym"]))[0, 1]
            found.append(abs(agreement) >= _ORDER)
    return bool(found) and float(np.mean(found)) > 0.5


def _ranks(names: pl.Series) -> np.ndarray:
    numbers = names.str.extract(r"([0-9]{1,18})$").cast(pl.Int64)
    distinct = not numbers.null_count() and numbers.is_unique().all()
    return (numbers if distinct else names).rank("dense").to_numpy()


def _fault(way: str) -> Fault:
    what = _WAYS.get(way, Text(f"is the {way} of the customer's id", f"顧客の ID の {way} です"))
    message = Text(
        f"most pseudonyms show whose they are: each {what.en}; use random pseudonyms",
        f"ほとんどの仮名から顧客がわかります。仮名が{what.ja}。無作為に付けてください",
    )
    return Fault(rule=PseudonymShowsCustomer.name, column="customer", message=message)
