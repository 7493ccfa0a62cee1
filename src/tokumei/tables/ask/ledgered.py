"""`tokumei anonymize table --ledger`: checked with all earlier releases, then written, recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.ledger.ask import open_book, require_people

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.ask.anonymize import AnonymizeTable
    from tokumei.tables.data.table import Release, Table


def save_recorded(
    asked: AnonymizeTable, source: Table, release: Release, *, sep: str
) -> list[Text]:
    """Check, write and record, or nothing of it; what is to be said."""
    from tokumei.files.releases import save_release
    from tokumei.ledger.recording import (
        Recording,
        joint_check,
        require_invariant,
        require_joint,
        said_of,
    )
    from tokumei.ledger.words import linked_words, recorded_as, unlinked_words
    from tokumei.tables.kind import TABLES

    book = open_book(str(asked.ledger), asked.ledger_key)
    given = TABLES.contribution(release, source, person_column(asked))
    with book.writing():
        said = said_of(book, release, str(asked.recipient), asked.name)
        draft = book.draft(given, said, public=asked.out)
        everyone = (*asked.coalition, str(asked.recipient)) if asked.coalition else ()
        found = require_joint(joint_check(book, draft, coalition=everyone, joint_k=asked.joint_k))
        if asked.invariant is not None:
            require_invariant(book, book.entry(str(asked.reuse)), draft, asked.invariant)
        form = {"secret": asked.secret, "sep": sep, **asked.form}
        save_release(TABLES, release, asked.out, record=Recording(book, draft), **form)
    several = len(found.entries) > 1
    told = recorded_as(asked.ledger, draft.entry)
    if waiting := source.rows - release.public.rows:
        from tokumei.tables.ledger.defences import held_back

        book.notes.append(held_back(waiting, source.rows))
    figures = [*linked_words(found), *unlinked_words(found)] if several else []
    return [*book.notes, *found.notes, told, *figures]


def defended(asked: AnonymizeTable, table: Table, method: TableMethod) -> TableMethod:
    """The method that keeps the classes of the earlier releases named."""
    import numpy as np

    from tokumei.files.compact import as_text
    from tokumei.ledger.recording import earlier_classes, earlier_signatures
    from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
    from tokumei.tables.ledger.defences import Again, Apart
    from tokumei.tables.ledger.invariant import Invariant

    if not isinstance(method, KAnonymizer) or method.conditions or method.person:
        raise UsageError(
            "--reuse, --apart and --coarsen-of need one k-anonymizing method without conditions",
            "--reuse、--apart、--coarsen-of には、条件のない k-匿名化の手法が一つ必要です",
        )
    book = open_book(str(asked.ledger), asked.ledger_key)
    names = [name for name in (asked.reuse, asked.coarsen_of, *asked.apart) if name]
    column = person_column(asked)
    ids = as_text(table.frame.select(column))[column]
    earlier = tuple(earlier_classes(book, book.entry(name), ids) for name in names)
    if asked.invariant is not None:
        entry, sa = book.entry(str(asked.reuse)), table.schema.sa
        return Invariant(
            method.k,
            earlier=earlier,
            wait=asked.wait,
            m=asked.invariant,
            shown=earlier_signatures(book, entry, earlier[0], sa),
            codes=np.stack([book.codes.values(as_text(table.frame)[one]) for one in sa], axis=1),
        )
    if asked.reuse:
        return Again(method.k, earlier=earlier, wait=asked.wait)
    whole = asked.coarsen_of is not None
    return Apart(method.k, earlier=earlier, wait=asked.wait, whole=whole)


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
