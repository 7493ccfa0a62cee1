"""Whether a release can be recorded in a ledger as it is asked for; said before any work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.ledger.ask import require_people

if TYPE_CHECKING:
    from tokumei.tables.ask.anonymize import AnonymizeTable


def person_column(asked: AnonymizeTable) -> str:
    """The column that names people for the ledger: --person, else the first --id."""
    if asked.person not in (None, "none"):
        return str(asked.person)
    require_people(asked.id)
    assert asked.id is not None
    return asked.id[0]


def require_recordable(asked: AnonymizeTable, engine: str) -> None:
    """Fail early where a release cannot be recorded, or an option of the ledger stands alone."""
    given = {
        "recipient": asked.recipient,
        "reuse": asked.reuse,
        "apart": asked.apart,
        "coarsen-of": asked.coarsen_of,
        "wait": asked.wait,
        "invariant": asked.invariant,
        "joint-k": asked.joint_k,
        "coalition": asked.coalition,
        "name": asked.name,
        "ledger-key": asked.ledger_key,
    }
    for option, value in given.items():
        if value and asked.ledger is None:
            raise UsageError(f"--{option} needs --ledger", f"--{option} には --ledger が必要です")
    if asked.ledger is None:
        return
    if engine != "local":
        raise UsageError(
            "--ledger needs rows in memory (--engine local)",
            "--ledger はメモリ上の行 (--engine local) でだけ使えます",
        )
    if not asked.recipient:
        raise UsageError("--ledger needs --recipient", "--ledger には --recipient が必要です")
    person_column(asked)
    if asked.invariant is not None and not asked.reuse:
        raise UsageError("--invariant needs --reuse", "--invariant には --reuse が必要です")
    ways = [one for one in (asked.reuse, asked.apart, asked.coarsen_of) if one]
    if len(ways) > 1 or (asked.wait and not ways):
        raise UsageError(
            "give one of --reuse, --apart, --coarsen-of; --wait only beside one of them",
            "--reuse、--apart、--coarsen-of はどれか一つです。--wait はそのどれかと併用します",
        )
