"""What a judgement changes in the tables, always inside the caller's transaction.

    move(session, entry_id, "running", only_from=WAITING)      # state and its step
    record(session, entry_id, answer, kept)                    # scored or rejected
    supersede(session, entry_id, answer)                       # a re-judgement becomes current

`answer` is the judge's, as plain JSON (tasks.py); so is `Job.result` of a dry run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.contest.jobs.tasks import Answer
from tokumei.contest.store.clock import utc_now
from tokumei.contest.store.tables import Entry, Score, Step
from tokumei.contest.store.vault import Commitments
from tokumei.core.text import Text

WAITING = ("received", "queued", "running")
"""States that a judgement may change; a withdrawn entry stays withdrawn."""


@dataclass(frozen=True)
class Kept:
    """What was stored of an accepted release."""

    public_sha256: str
    commitments: Commitments


def move(
    session: Session,
    entry_id: str,
    state: str,
    *,
    reason: Text | None = None,
    only_from: tuple[str, ...] = WAITING,
) -> bool:
    """Change an entry's state and note the step; False if it was in no state to be changed."""
    told = None if reason is None else {"en": reason.en, "ja": reason.ja}
    found = session.scalars(
        update(Entry)
        .where(Entry.id == entry_id, Entry.state.in_(only_from), Entry.state != state)
        .values(state=state, reason=told)
        .returning(Entry.id)
        .execution_options(synchronize_session="fetch")
    ).all()
    if found:
        session.add(Step(entry_id=entry_id, state=state, at=utc_now(), reason=told))
    return bool(found)


def record(session: Session, entry_id: str, answer: Answer, kept: Kept | None) -> None:
    """Note the first judgement of an entry."""
    entry = session.get_one(Entry, entry_id)
    if not answer["accepted"]:
        entry.faults, entry.fault_total = answer["faults"], answer["fault_total"]
        move(session, entry_id, "rejected")
        return
    if kept is not None:
        entry.public_sha256 = kept.public_sha256
        entry.public_commitment = kept.commitments.public
        entry.truth_commitment = kept.commitments.truth
    supersede(session, entry_id, answer)
    move(session, entry_id, "scored")


def supersede(session: Session, entry_id: str, answer: Answer) -> Score:
    """Make an accepted answer the entry's current score; older ones are kept.

    The same version of the judge has one row: judged again by it, that row is current again.
    """
    session.execute(
        update(Score).where(Score.entry_id == entry_id, Score.current).values(current=False)
    )
    version = answer["judge_version"]
    score = session.scalar(
        select(Score).where(Score.entry_id == entry_id, Score.judge_version == version)
    )
    figures: dict[str, Any] = {
        name: answer[name] for name in ("utility", "safety", "total", "unsafe", "figures")
    }
    if score is None:
        score = Score(entry_id=entry_id, judge_version=version, created_at=utc_now(), **figures)
        session.add(score)
    for name, value in figures.items():
        setattr(score, name, value)
    score.current = True
    session.flush()
    return score
