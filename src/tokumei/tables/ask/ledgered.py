"""`tokumei anonymize table --ledger`: checked with all earlier releases, then written, recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.ledger.ask import open_book
from tokumei.ledger.recording import (
    Recording,
    earlier_classes,
    earlier_signatures,
    joint_check,
    require_invariant,
    require_joint,
    said_of,
)
from tokumei.ledger.words import linked_words, recorded_as, unlinked_words
from tokumei.tables.ask.recordable import person_column

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.ask.anonymize import AnonymizeTable
    from tokumei.tables.data.table import Release, Table


def save_recorded(
    asked: AnonymizeTable, source: Table, release: Release, *, sep: str
) -> list[Text]:
    """Check, write and record, or nothing of it; what is to be said."""
    from tokumei.files.releases import save_release
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
        record = Recording(book, draft)
        save_release(
            TABLES,
            release,
            asked.out,
            record=record,
            secret=asked.secret,
            sep=sep,
            excel=asked.excel,
        )
    several = len(found.entries) > 1
    told = recorded_as(asked.ledger, draft.entry)
    if waiting := source.rows - release.public.rows:
        from tokumei.tables.ledger.defences import held_back

        book.notes.append(held_back(waiting, source.rows))
    figures = [*linked_words(found), *unlinked_words(found)] if several else []
    return [*book.notes, *found.notes, told, *figures]


def defended(asked: AnonymizeTable, table: Table, method: TableMethod) -> TableMethod:
    """The method that keeps the classes of the earlier releases named."""
    from tokumei.files.compact import as_text
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
