"""Looks for values of columns that do not leave among what leaves: the recognizer without a form.

search = WithheldSearch(terms)
search.add({"Taro SATO": 1, "web": 640}, "contact")
list(search.findings())
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import polars as pl

from tokumei.core.messages import Message
from tokumei.core.reader_equality import series_as_read
from tokumei.core.release_terms import ReleaseTerms
from tokumei.release_gate.cell_shapes import CALENDAR, PLAIN_NUMBER, QUANTITY
from tokumei.release_gate.findings import Finding


class WithheldSearch:
    """Collects the texts of all places, and looks for them in what does not leave, once."""

    def __init__(self, terms: ReleaseTerms) -> None:
        self._withheld = terms.withheld
        self._places: list[tuple[str | None, Message | None, pl.DataFrame]] = []

    def add(
        self, pieces: Mapping[str, int], column: str | None, place: Message | None = None
    ) -> None:
        """Add the texts of a place, with how many cells have each."""
        telling = [piece for piece in pieces if is_telling(piece)]
        if self._withheld is not None and telling:
            spelled = series_as_read(pl.Series("text", telling, dtype=pl.String))
            cells = pl.Series("cells", [pieces[piece] for piece in telling], dtype=pl.Int64)
            self._places.append((column, place, pl.DataFrame([spelled, cells]).drop_nulls()))

    def findings(self) -> Iterator[Finding]:
        """The places in which withheld values stand."""
        if self._withheld is None or not self._places:
            return
        texts = pl.concat([texts["text"] for _, _, texts in self._places]).unique()
        matches = self._withheld.find_among(texts)
        if matches.is_empty():
            return
        for column, place, cells in self._places:
            count = cells.filter(pl.col("text").is_in(matches.implode()))["cells"].sum()
            if count:
                yield Finding("withheld", int(count), column, place)


def is_telling(piece: str) -> bool:
    """Whether it is no accident if a text stands in two columns: it is long, or of two words."""
    if CALENDAR.fullmatch(piece) or not any(char.isalnum() for char in piece):
        return False
    if PLAIN_NUMBER.fullmatch(piece):
        return sum(char.isdigit() for char in piece.partition(".")[0]) >= 7
    has_digits = any(char.isdigit() for char in piece)
    words = len(re.findall(r"[^\W\d_]+", piece))
    if not piece.isascii():
        return len(piece) >= 2
    return (has_digits and len(piece) >= 6 and not QUANTITY.fullmatch(piece)) or (
        words >= 2 and len(piece) >= 5
    )
