"""Sessions by name and price lists by id, with limits on requests."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tokumei.apps.http.errors import NotFound
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.answer_verification import RecountCache
from tokumei.apps.price.session import PriceSession
from tokumei.core.errors import InputError, TokumeiError, UsageError
from tokumei.core.messages import Message


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds that keep one client from holding up the others.

    `searches` run at once, `waiting` more stand in line; any further question is sent away. A
    request's header must arrive within `idle_seconds` and its body within `body_seconds`.
    """

    question_bytes: int = 64 << 10
    price_bytes: int = 8 << 20
    idle_seconds: int = 10
    body_seconds: float = 10.0
    seconds: float = 10.0
    searches: int = max(2, os.cpu_count() or 1)
    waiting: int = 64
    price_lists: int = 100
    best: int = 20
    least_k: int = 2
    uploads: bool = True


PRICE_FILE_SUFFIXES = (".csv", ".tsv", ".txt")
MAX_NAME_LENGTH = 60


@dataclass(frozen=True)
class CatalogPriceList:
    """A price list under its id: the beginning of its files' hash."""

    id: str
    name: str
    prices: PriceList

    @classmethod
    def of(cls, prices: PriceList) -> CatalogPriceList:
        """The list with its id; paths of this machine stay here."""
        origins = tuple(
            replace(origin, source=Path(origin.source).name) for origin in prices.origins
        )
        digests = "".join(origin.sha256 or origin.source for origin in origins)
        name = origins[0].source if origins else "prices"
        hashed = hashlib.sha256(digests.encode()).hexdigest() if len(origins) != 1 else digests
        return cls(hashed[:12], name, replace(prices, origins=origins))

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "id": self.id,
            "name": self.name,
            "date": self.prices.date,
            "currency": self.prices.currency,
            "attributes": {name: list(patterns) for name, patterns in self.prices.patterns.items()},
            "unpriced": len(self.prices.unpriced),
        }


class Catalog:
    """Sessions and price lists; lists may be added while the service runs."""

    def __init__(
        self,
        sessions: Mapping[str, PriceSession],
        prices: Iterable[PriceList],
        limits: Limits | None = None,
    ) -> None:
        self._sessions, self._limits = dict(sessions), limits or Limits()
        self._prices = {entry.id: entry for entry in map(CatalogPriceList.of, prices)}
        self._recounts = {name: RecountCache() for name in self._sessions}
        self._lock = threading.Lock()

    def session(self, name: str) -> PriceSession:
        """The session of a name."""
        if name not in self._sessions:
            raise NotFound("there is no such session; GET /v1/sessions lists them")
        return self._sessions[name]

    def recount_cache(self, name: str) -> RecountCache:
        """Where the answers of a session are counted again."""
        return self._recounts[name]

    def prices(self, id: str) -> PriceList:
        """The price list of an id."""
        if id not in self._prices:
            raise NotFound("there is no such price list; GET /v1/prices lists them")
        return self._prices[id].prices

    def add(self, content: bytes, name: str) -> CatalogPriceList:
        """Read and keep a price file; the same file again is the same list."""
        entry = CatalogPriceList.of(_read_uploaded_prices(content, _clean_file_name(name)))
        with self._lock:
            if entry.id not in self._prices and len(self._prices) >= self._limits.price_lists:
                raise UsageError(
                    "the service keeps {limit} price lists at most", limit=self._limits.price_lists
                )
            return self._prices.setdefault(entry.id, entry)

    def sessions_json(self) -> list[dict[str, object]]:
        """All sessions as plain data."""
        return [
            {"name": name, "rows": session.rows, "columns": list(session.columns)}
            for name, session in self._sessions.items()
        ]

    def prices_json(self) -> list[dict[str, object]]:
        """All price lists as plain data."""
        return [entry.as_json() for entry in tuple(self._prices.values())]


def _clean_file_name(name: str) -> str:
    """A client's file name without anything but letters that a file name may have."""
    base_name = re.split(r"[\\/]", name)[-1]
    printable = "".join(letter for letter in base_name if letter.isprintable()).strip(" .")
    suffix = Path(printable).suffix.lower()
    if suffix not in PRICE_FILE_SUFFIXES:
        raise UsageError(
            "the name must end in one of {suffixes}: /v1/prices?name=prices.csv",
            suffixes=", ".join(PRICE_FILE_SUFFIXES),
        )
    return Path(printable).stem[:MAX_NAME_LENGTH] + suffix


def _read_uploaded_prices(content: bytes, name: str) -> PriceList:
    """The price list in a body; files are what the reader knows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            return PriceList.read(path)
        except TokumeiError as error:
            texts = error.message.texts().items()
            message = Message.of_texts(
                {lang: text.replace(f"{folder}/", "") for lang, text in texts}
            )
            raise InputError(message, faults=error.faults, total=error.total) from None
