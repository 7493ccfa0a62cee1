"""Ways in which people compute pseudonyms from ids, and which of them explain a release.

A true derivation explains (nearly) every pseudonym; a short one explains a few by chance. So a
way counts if it gives people's own pseudonyms where rows can be traced, or else those of at least
a fifth of the ids.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Iterator

import polars as pl

HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b")
PREFIXES = (6, 8, 10, 12, 16, 20, 24, 32)
"""Digests are often cut to these lengths."""
MOST_IDS, MOST_IDS_BY_MONTH = 2_000, 100
SHARE_OF_IDS = 0.2
LONG = 8
FEW = 3


def explaining(
    ids: pl.Series, pseudonyms: pl.Series, pairs: pl.DataFrame | None, months: Iterable[str] = ()
) -> tuple[dict[str, pl.Series], int]:
    """The pseudonyms that each fitting derivation explains, and how many derivations were tried.

    `pairs` holds the true (id, pseudonym) where rows can be traced.
    """
    table = _derived(ids, list(months))
    lower = pl.DataFrame({"pseudonym": pseudonyms.unique()}).with_columns(
        value=pl.col("pseudonym").str.to_lowercase()
    )
    if pairs is None:
        hits = table.join(lower, on="value")
        share = pl.col("id").n_unique() >= max(FEW, SHARE_OF_IDS * table["id"].n_unique())
    else:
        own = pairs.select("id", value=pl.col("pseudonym").str.to_lowercase())
        hits = table.join(own, on=["id", "value"]).join(lower, on="value")
        share = (pl.col("id").n_unique() >= FEW) | (pl.col("value").str.len_chars().max() >= LONG)
    fitting = hits.filter(share.over("way")).group_by("way").agg(pl.col("pseudonym").unique())
    found = {way: pl.Series(names).sort() for way, names in fitting.sort("way").iter_rows()}
    shifted = _shifted(pairs)
    if len(shifted):
        found["id + a constant"] = shifted
    return found, table["way"].n_unique() + 1


def _derived(ids: pl.Series, months: list[str]) -> pl.DataFrame:
    rows = [
        (way, name, value)
        for name in _spread(ids, MOST_IDS)
        for way, value in (*_plain(name), *_digests(HASHES, _spellings(name)))
    ]
    for name in _spread(ids, MOST_IDS_BY_MONTH):
        dated = [f"{name}{sign}{month}" for sign in ("", "-", "_", ":") for month in months]
        rows += [
            (f"{way} with the month", name, value) for way, value in _digests(HASHES[:4], dated)
        ]
    schema = dict.fromkeys(("way", "id", "value"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row").unique()


def _spread(ids: pl.Series, most: int) -> list[str]:
    return ids.gather_every(max(1, -(-len(ids) // most))).to_list()


def _spellings(name: str) -> list[str]:
    return [name, name + "\n", name.lower(), name.upper(), name.zfill(10)]


def _plain(name: str) -> Iterator[tuple[str, str]]:
    if name != name[::-1]:
        yield "reversed text", name[::-1].lower()
    yield "base64", base64.b64encode(name.encode()).decode().lower()
    yield "base64", base64.b64encode(name.encode()).decode().rstrip("=").lower()
    yield "base32", base64.b32encode(name.encode()).decode().rstrip("=").lower()
    yield "hexadecimal", name.encode().hex()
    if name.isdecimal():
        yield "hexadecimal", f"{int(name):x}"
    yield "crc32", f"{zlib.crc32(name.encode()):08x}"
    yield "crc32", str(zlib.crc32(name.encode()))
    yield "adler32", f"{zlib.adler32(name.encode()):08x}"


def _digests(algorithms: Iterable[str], spellings: Iterable[str]) -> Iterator[tuple[str, str]]:
    for algorithm in algorithms:
        for spelling in spellings:
            raw = hashlib.new(algorithm, spelling.encode(), usedforsecurity=False).digest()
            text = raw.hex()
            yield algorithm, text
            yield algorithm, base64.b64encode(raw).decode().lower()
            yield from ((algorithm, text[:length]) for length in PREFIXES)


def _shifted(pairs: pl.DataFrame | None) -> pl.Series:
    """Pseudonyms that are their ids plus one and the same number."""
    none = pl.Series("pseudonym", [], dtype=pl.String)
    if pairs is None:
        return none
    numbers = pl.col("id", "pseudonym").cast(pl.Int64, strict=False).name.suffix("_number")
    shifts = (
        pairs.with_columns(numbers)
        .drop_nulls()
        .with_columns(shift=pl.col("pseudonym_number") - pl.col("id_number"))
    )
    often = shifts.filter(pl.len().over("shift") >= max(5, 0.02 * pairs.height))
    return often["pseudonym"].unique().sort() if often.height else none
