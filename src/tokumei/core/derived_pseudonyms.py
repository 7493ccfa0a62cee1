"""`pseudonym-shows-customer`: detects pseudonyms that are derived from the customer's id.

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
from typing import ClassVar, Protocol

import numpy as np
import polars as pl

from tokumei.core.errors import Violation
from tokumei.core.messages import Message

_HASH_ALGORITHMS = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b")
_MIN_DIGEST_LENGTH = 6
"""A digest cut shorter than this may agree by chance."""
_MIN_RANK_CORRELATION = 0.9
_MIN_PAIRS = 10
_DERIVATION_LABELS = {
    "inside": Message("each holds the customer's id"),
    "reversed": Message("each is the customer's id reversed"),
    "constant": Message("each is the customer's id plus a constant"),
    "order": Message("each is in the order of the customers' ids"),
}


class _HasFrame(Protocol):
    @property
    def frame(self) -> pl.DataFrame: ...


@dataclass(frozen=True)
class PseudonymShowsCustomer:
    """No simple way leads from ids to the pseudonyms of at least `share` of the customers."""

    name: ClassVar[str] = "pseudonym-shows-customer"
    aligned: ClassVar[bool] = True

    share: float = 0.5
    most: int = 60
    """How many pairs of customer and pseudonym are looked at."""

    def check(self, submission: pl.DataFrame, *, source: _HasFrame) -> list[Violation]:
        """One fault for each way that fits; deleted rows are `DEL` or `*`."""
        pairs = _customer_pseudonym_pairs(submission, source)
        if pairs.height < _MIN_PAIRS:
            return []
        sample = pairs.gather_every(max(1, pairs.height // self.most)).head(self.most)
        sample = sample.with_columns(other=pl.concat([sample["id"][1:], sample["id"][:1]]))
        derivation_counts = Counter(
            derivation for row in sample.iter_rows() for derivation in {*_find_derivations(*row)}
        )
        shifts = sample.select(pl.col("id", "pseudonym").cast(pl.Int64, strict=False)).drop_nulls()
        constants = Counter((shifts["pseudonym"] - shifts["id"]).to_list())
        derivation_counts["constant"] += max(constants.values(), default=0)
        common_derivations = [
            derivation
            for derivation, count in derivation_counts.items()
            if count >= self.share * sample.height
        ]
        common_derivations += ["order"] if _is_in_id_order(pairs) else []
        return [_derivation_violation(derivation) for derivation in sorted(common_derivations)]


def _customer_pseudonym_pairs(submission: pl.DataFrame, source: _HasFrame) -> pl.DataFrame:
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


def _find_derivations(name: str, pseudonym: str, month: str, other: str) -> Iterator[str]:
    """How the pseudonym could have been made; a short id may be inside any, so another's is not."""
    lower_pseudonym, lower_id, lower_other_id = pseudonym.lower(), name.lower(), other.lower()
    if lower_id in lower_pseudonym and lower_other_id not in lower_pseudonym:
        yield "inside"
    if (
        lower_id[::-1] in lower_pseudonym
        and lower_id not in lower_pseudonym
        and lower_other_id[::-1] not in lower_pseudonym
    ):
        yield "reversed"
    for derivation, value in _encode_id(name):
        if value == lower_pseudonym:
            yield derivation
    if len(lower_pseudonym) >= _MIN_DIGEST_LENGTH:
        for derivation, value in _hash_texts(
            [name, f"{name}\n", name.zfill(10), *_append_month(name, month)]
        ):
            if value.startswith(lower_pseudonym):
                yield derivation


def _encode_id(name: str) -> Iterator[tuple[str, str]]:
    raw = name.encode()
    yield "base64", base64.b64encode(raw).decode().rstrip("=").lower()
    yield "base32", base64.b32encode(raw).decode().rstrip("=").lower()
    yield "hex", raw.hex()
    if name.isdecimal():
        yield "hex", f"{int(name):x}"
    yield "crc32", f"{zlib.crc32(raw):08x}"
    yield "crc32", str(zlib.crc32(raw))


def _hash_texts(texts: list[str]) -> Iterator[tuple[str, str]]:
    for algorithm in _HASH_ALGORITHMS:
        for text in texts:
            raw = hashlib.new(algorithm, text.encode(), usedforsecurity=False).digest()
            yield algorithm, raw.hex()
            yield algorithm, base64.urlsafe_b64encode(raw).decode().lower()


def _append_month(name: str, month: str) -> list[str]:
    year, number = month.split("-")
    months = (month, f"{year}/{number}", f"{year}{number}", f"{year}/{int(number)}", number)
    id_month_pairs = [(name, text) for text in (*months, str(int(number)))]
    return [f"{a}{sign}{b}" for a, b in id_month_pairs for sign in ("", "-", "_", ":")]


def _is_in_id_order(pairs: pl.DataFrame) -> bool:
    """Whether in most months the pseudonyms, sorted, follow the ids."""
    monthly_agreement = []
    for _, rows in pairs.group_by("month"):
        if rows.height >= _MIN_PAIRS:
            agreement = np.corrcoef(_rank_names(rows["id"]), _rank_names(rows["pseudonym"]))[0, 1]
            monthly_agreement.append(abs(agreement) >= _MIN_RANK_CORRELATION)
    return bool(monthly_agreement) and float(np.mean(monthly_agreement)) > 0.5


def _rank_names(names: pl.Series) -> np.ndarray:
    numbers = names.str.extract(r"([0-9]{1,18})$").cast(pl.Int64)
    distinct = not numbers.null_count() and numbers.is_unique().all()
    return (numbers if distinct else names).rank("dense").to_numpy()


def _derivation_violation(derivation: str) -> Violation:
    description = _DERIVATION_LABELS.get(
        derivation, Message("each is the {code} of the customer's id", code=derivation)
    )
    message = Message(
        "most pseudonyms show whose they are: {description}; use random pseudonyms",
        description=description,
    )
    return Violation(rule=PseudonymShowsCustomer.name, column="customer", message=message)
