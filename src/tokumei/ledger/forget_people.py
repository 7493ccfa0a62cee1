"""Removes the codes of people from a ledger."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, join_messages
from tokumei.ledger.hash_chain import CODE_HIGH, CODE_LOW
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.recorded_classes import RecordedClasses, remove_people


@dataclass(frozen=True)
class ForgetResult:
    """How many people were asked for and found, and how many lines of which releases went."""

    asked: int
    found: int
    releases: dict[str, int]

    def as_json(self) -> JsonObject:
        """Plain data; the sentence in every language."""
        last_line = self.lines()[-1]
        return {**vars(self), **last_line.as_json("unknowable")}

    def lines(self) -> list[Message]:
        """What was done, and which figures cannot be known any more."""
        releases = join_messages(f"'{name}' ({lines})" for name, lines in self.releases.items())
        removed_message = Message(
            "{found} of {asked} people were in the ledger and have been removed: {releases}",
            found=self.found,
            asked=self.asked,
            releases=releases if self.releases else "–",
            stable_code="people-removed",
        )
        consequence_message = Message(
            "From now on the joint k, leavers and joiners of these releases leave these people "
            "out: whoever shared a class with them is counted in a smaller class than the files "
            "show, and nothing can be said of these people in later releases.",
            stable_code="figures-lost",
        )
        return [removed_message, consequence_message] if self.found else [removed_message]


def forget_people(book: Ledger, ids: pl.Series) -> ForgetResult:
    """Take people out of all releases, by their ids."""
    unique_ids = ids.drop_nulls().unique()
    high, low = book.codes.person_codes(unique_ids)
    removed_codes = pl.DataFrame({CODE_HIGH: high, CODE_LOW: low})
    with book.writing():
        changed: dict[int, RecordedClasses] = {}
        lines: dict[str, int] = {}
        removed_people: set[tuple[int, int]] = set()
        for entry in book.entries:
            parts = book.recorded(entry)
            removed_mask = _find_people(parts, removed_codes)
            if removed_mask.any():
                changed[entry.number] = remove_people(parts, removed_mask)
                lines[entry.name] = int(removed_mask.sum())
                removed_people |= set(
                    parts.people.filter(pl.Series(removed_mask)).select(CODE_HIGH, CODE_LOW).rows()
                )
        if changed:
            book.forget(changed, len(removed_people))
    return ForgetResult(len(unique_ids), len(removed_people), lines)


def _find_people(parts: RecordedClasses, removed_codes: pl.DataFrame) -> np.ndarray:
    marked_codes = removed_codes.with_columns(gone=pl.lit(True))
    joined = parts.people.select(CODE_HIGH, CODE_LOW).join(
        marked_codes, on=[CODE_HIGH, CODE_LOW], how="left", maintain_order="left"
    )
    return joined["gone"].fill_null(False).to_numpy()
