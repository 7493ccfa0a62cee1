"""Keyed codes: people and values as a ledger holds them, HMAC-SHA-256 under its own key.

Without the key nobody can try names: the codes tell only what is equal. Ids are compared as text,
in one spelling (`canonical`), so that 17 in one source is 17.0 in another.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.release import KEY_BYTES
from tokumei.files.containers import AnyPath
from tokumei.files.keys import read_key

HIGH, LOW = "high", "low"
"""The two halves of a person's code of 128 bits."""
NO_VALUE = b"\x00"
"""What stands for a missing cell, unlike any text."""


@dataclass(frozen=True)
class Codes:
    """The key of a ledger, and what it makes of names."""

    key: bytes = field(repr=False)

    @classmethod
    def read(cls, path: AnyPath) -> Codes:
        """The key in a file that only its owner may read."""
        return cls(read_key(path).to_bytes(KEY_BYTES, "big"))

    def mark(self, what: str, data: bytes = b"") -> str:
        """A seal on bytes, as text; nobody without the key can make it."""
        return hmac.digest(self._key(what), data, "sha256").hex()

    @property
    def key_id(self) -> str:
        """What tells one key from another, and nothing of the key."""
        return self.mark("key")[:16]

    def people(self, ids: pl.Series) -> tuple[np.ndarray, np.ndarray]:
        """The two halves of every person's code; ids that are missing must be gone before."""
        key = self._key("person")
        digests = [
            hmac.digest(key, text.encode(), "sha256")[:16] for text in canonical(ids).to_list()
        ]
        halves = np.frombuffer(b"".join(digests), dtype=">u8").reshape(-1, 2).astype(np.uint64)
        return halves[:, 0].copy(), halves[:, 1].copy()

    def values(self, cells: pl.Series) -> np.ndarray:
        """A code of 64 bits for every cell, by its canonical text; a missing cell has one too."""
        key = self._key("value")
        text = canonical(cells)
        unique = text.unique()
        codes = [
            int.from_bytes(
                hmac.digest(key, NO_VALUE if one is None else b"\x01" + one.encode(), "sha256")[:8]
            )
            for one in unique.to_list()
        ]
        table = pl.DataFrame({"text": unique, "code": pl.Series(codes, dtype=pl.UInt64)})
        found = text.alias("text").to_frame()
        return (
            found.join(table, on="text", how="left", nulls_equal=True, maintain_order="left")[
                "code"
            ]
            .to_numpy()
            .astype(np.uint64)
        )

    def _key(self, what: str) -> bytes:
        """A key for one purpose, so that a code of one is none of another."""
        return hashlib.sha256(b"tokumei ledger " + what.encode() + b"\n" + self.key).digest()
