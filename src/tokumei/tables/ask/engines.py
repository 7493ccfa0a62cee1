"""Where `tokumei anonymize table` works: in memory, from disk to disk, on a Spark cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import TokumeiError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import read_ahead
from tokumei.files.keys import chance

if TYPE_CHECKING:
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.ask.anonymize import AnonymizeTable
    from tokumei.tables.data.table import Release, Table
    from tokumei.tables.releasing.far import Roles
    from tokumei.tables.releasing.opening import Opened


@dataclass(frozen=True)
class Made:
    """A release that is written, and what is to be said of it."""

    release: Any
    rows: int
    source_rows: int
    unchanged: bool
    notes: Sequence[Text]
    together: Sequence[Text] = ()
    """What rows look like to somebody who knows all their cells."""


def in_memory(asked: AnonymizeTable) -> Made:
    """The whole table at once; two threads do what need not wait for each other."""
    steps, data = asked.steps, asked.data
    beside = ThreadPoolExecutor(3)
    # Before Polars is loaded: until then one core has no work.
    content, digest = read_ahead(data, beside)
    from tokumei.files.reading import separator_of
    from tokumei.files.releases import save_release
    from tokumei.tables.ask.strangers import open_read, read_strangers
    from tokumei.tables.data.account import same_rows
    from tokumei.tables.kind import TABLES

    ready = beside.submit(prepared, steps)
    beside.submit(import_module, "tokumei.tables.look.look")
    beside.submit(import_module, "numpy.ma")  # Polars needs it for the first array
    read = read_strangers(asked, content)
    looking = beside.submit(open_read, asked, read, ready.result())
    release = _released(asked, read.table, ready.result(), looking, digest)
    alone = beside.submit(_together, release.public, asked.pseudonym)
    beside.shutdown(wait=False)
    sep = asked.sep or separator_of(data, encoding=asked.encoding)
    opened, said = looking.result(), list[Text]()
    if asked.ledger is None:
        save_release(TABLES, release, asked.out, secret=asked.secret, sep=sep, **asked.form)
    else:
        from tokumei.tables.ask.ledgered import save_recorded

        said = save_recorded(asked, opened.table, release, sep=sep)
    if asked.save_roles and release.account is not None:
        from tokumei.tables.ask.saved_roles import save_roles

        said.append(save_roles(asked, read, release.account))
    unchanged = same_rows(opened.table, release.public)
    rows = release.public.rows, opened.table.rows
    notes = [*opened.notes, *said]
    return Made(release, *rows, unchanged, notes, alone.result())


def _together(public: Table, pseudonym: str | None) -> list[Text]:
    """What rows look like to somebody who knows all their cells; nobody knows a pseudonym."""
    from tokumei.tables.data.account import Together

    if pseudonym is None:
        return [Together.of(public.frame).words()]
    from tokumei.tables.releasing.pseudonymized import linked_words

    return [Together.of(public.frame.drop(pseudonym)).words(), linked_words(public, pseudonym)]


def _released(
    asked: AnonymizeTable,
    table: Table,
    method: TableMethod,
    looking: Future[Opened],
    digest: Future[str] | None,
) -> Release:
    """A release after the columns were looked at; of a large table, it is made meanwhile.

    What was made meanwhile counts only if the look left table and method as they are.
    """
    from tokumei.tables.look.first_rows import LOOKED_AT
    from tokumei.tables.releasing.known_columns import with_hierarchies
    from tokumei.tables.releasing.local import make_release, with_account

    def make(table: Table, method: TableMethod) -> Release:
        if asked.reuse or asked.apart or asked.coarsen_of:
            from tokumei.tables.ask.ledgered import defended

            method = defended(asked, table, method)
        if asked.slack is not None:
            from tokumei.tables.ledger.slack import Slackened

            method = Slackened(method, asked.slack)
        return make_release(
            table,
            method,
            seed=chance(asked.seed, asked.key),
            keep_order=asked.keep_order,
            sha256=None if digest is None else digest.result(),
        )

    meanwhile: Release | TokumeiError | None = None
    if table.rows > LOOKED_AT and not asked.inferred:
        method = with_hierarchies(method, table, asked.listed)
        try:
            meanwhile = make(table, method)
        except TokumeiError as err:
            meanwhile = err
    opened = looking.result()
    if opened.table is not table or opened.method != method or meanwhile is None:
        meanwhile = make(opened.table, opened.method)
    if isinstance(meanwhile, TokumeiError):
        raise meanwhile
    release = with_account(meanwhile, opened.table, opened.account)
    if asked.pseudonym is None:
        return release
    from tokumei.core.randomness import Randomness
    from tokumei.tables.releasing.pseudonymized import pseudonymized, require_person

    require_person(opened.method, asked.pseudonym, opened.account.person)
    rng = Randomness(chance(asked.seed, asked.key))
    return pseudonymized(release, opened.table, asked.pseudonym, rng=rng)


AS_THEY_STAND = Text(
    "Cells are read as they stand: no normalization, and a row of empty cells is a row; in a "
    "column of moments that is generalized, exact ones may be written as 2024-05-01T08:30",
    "セルは書かれたまま読みます。正規化は行わず、空のセルだけの行も行と数えます。"
    "一般化した日時の列では、そのまま残る値を 2024-05-01T08:30 の形で書き出すことがあります",
)
"""What engines that never hold the rows do otherwise than the one in memory."""


def on_disk(asked: AnonymizeTable) -> Made:
    """From disk to disk, for files larger than memory."""
    from tokumei.tables.engines.stream_files import open_stream
    from tokumei.tables.releasing.local import build_method
    from tokumei.tables.releasing.stream import anonymize_stream, save_stream

    roles = _roles(
        asked,
        Text(
            "a table that stays on disk needs roles: name the quasi-identifiers with --qi",
            "ディスクに置いたまま処理する表では役割を推定しません。"
            "--qi で準識別子を指定してください",
        ),
    )
    method = build_method(asked.steps, {})
    source = open_stream(asked.data, sep=asked.sep, encoding=asked.encoding)
    release = anonymize_stream(
        asked.data,
        method,
        roles,
        seed=chance(asked.seed, asked.key),
        keep_order=asked.keep_order,
        sep=source.sep if source.is_text else None,
        encoding=asked.encoding,
        consent=asked.consent,
    )
    save_stream(release, asked.out, secret=asked.secret, sep=asked.sep or source.sep)
    notes = [
        Text("Rows stay on disk (stream)", "行をディスクに置いたまま処理します (stream)"),
        AS_THEY_STAND,
    ]
    return Made(release, release.rows, release.source_rows, release.unchanged, notes)


def on_spark(asked: AnonymizeTable) -> Made:
    """On a cluster, where the rows stay."""
    from tokumei.files.containers import Format, format_of
    from tokumei.files.spark.files import FORMS, read_spark
    from tokumei.files.spark.session import spark_session
    from tokumei.tables.releasing.local import build_method
    from tokumei.tables.releasing.spark import anonymize_on_spark, save_on_spark

    roles = _roles(
        asked,
        Text(
            "--engine spark guesses no roles: name the quasi-identifiers with --qi",
            "--engine spark は役割を推定しません。--qi で準識別子を指定してください",
        ),
    )
    method, notes = build_method(asked.steps, {}), [AS_THEY_STAND]
    form = format_of(asked.out, FORMS)
    with spark_session(asked.cluster) as session:
        source = read_spark(session, asked.data, sep=asked.sep, encoding=asked.encoding)
        release = anonymize_on_spark(
            source,
            method,
            roles,
            seed=chance(asked.seed, asked.key),
            keep_order=asked.keep_order,
            as_text=form is not Format.PARQUET,
            fragments=asked.fragments,
            tell=notes.append,
            consent=asked.consent,
        )
        save_on_spark(release, asked.out, secret=asked.secret, sep=asked.sep or source.sep)
    notes += [_no_link(f"{asked.secret}.provenance.json")] if asked.secret is not None else []
    return Made(release, release.rows, release.source_rows, release.unchanged, notes)


def _roles(asked: AnonymizeTable, needed: Text) -> Roles:
    from tokumei.tables.releasing.far import Roles

    if not asked.qi:
        raise UsageError(needed)
    qi, sa, ids = (list(names or ()) for names in asked.roles.values())
    return Roles(qi, sa, ids, asked.kind)


def _no_link(place: str) -> Text:
    return Text(
        f"The Spark engine keeps no link of rows; only the seed is written to {place}",
        f"Spark エンジンは行の対応を残しません。シードだけを次に書きます: {place}",
    )


def prepared(steps: Sequence[Mapping[str, Any]]) -> TableMethod:
    """The method, ready to start."""
    from tokumei.tables.releasing.local import build_method

    method = build_method(steps, {})
    method.prepare()
    return method
