"""What a search near a candidate brought, in one sentence: better in what was asked, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokumei.apps.studio.store.records import CandidateRecord, NearRecord
from tokumei.apps.studio.web.verdict_figures import VerdictFigures
from tokumei.core.messages import Message


@dataclass(frozen=True)
class NearOutcome:
    """The candidate that was searched near, the best that came of it, and the sentence."""

    near: str
    best: str | None
    sentence: Message


NOTHING_SAFER = Message(
    "Safer: nothing was found near this one in which fewer {unit} are guessed right."
)
NOTHING_FINER = Message("More detail: nothing was found near this one that keeps more and fits.")
NO_FEWER_ROWS = Message("No rows left out: no such candidate was found near this one.")
NOTHING_WITHOUT = Message("Without the column: no such candidate could be made.")
NOTHING_FITS = Message("The candidates that were tried to improve this one do not fit either.")
BROUGHT = Message(
    "Found {candidate}: {found:number} {unit} guessed right instead of {before:number}, "
    "{kept:percent} of the information kept instead of {kept_before:percent}."
)


def describe_near(
    record: NearRecord | None,
    candidates: Mapping[str, CandidateRecord],
    figures: Mapping[str, VerdictFigures],
) -> NearOutcome | None:
    """What the last search near a candidate brought; None if there was none."""
    if record is None or record["near"] not in figures:
        return None
    before = figures[record["near"]]
    new = {id: figures[id] for id in record["ids"] if id in figures}
    better = {id: entry for id, entry in new.items() if _is_better(record["wish"], entry, before)}
    if not better:
        sentence = _nothing(record["wish"]).fill(unit=before.unit_words)
        return NearOutcome(record["near"], None, sentence)
    best = min(better, key=lambda id: better[id].rank)
    after = better[best]
    sentence = BROUGHT.fill(
        candidate=Message.of_json(candidates[best], "title"),
        found=after.found or 0.0,
        before=before.found or 0.0,
        unit=before.unit_words,
        kept=after.kept or 0.0,
        kept_before=before.kept or 0.0,
    )
    return NearOutcome(record["near"], best, sentence)


def _is_better(wish: str, after: VerdictFigures, before: VerdictFigures) -> bool:
    """Whether a candidate is what was asked for."""
    if wish == "safer":
        return (after.found or 0.0) < (before.found or 0.0)
    if wish == "more detail":
        fits = after.verdict == "fits" or before.verdict != "fits"
        return fits and (after.kept or 0.0) > (before.kept or 0.0)
    if wish == "remedy":
        return after.verdict == "fits"
    return True


def _nothing(wish: str) -> Message:
    return {
        "safer": NOTHING_SAFER,
        "more detail": NOTHING_FINER,
        "without suppressed rows": NO_FEWER_ROWS,
        "drop": NOTHING_WITHOUT,
    }.get(wish, NOTHING_FITS)
