"""`tokumei sample history` (a year of a generated shop) and `tokumei anonymize history`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokumei.core import shared_options
from tokumei.core.command import Command, CommandResult, MadeRelease, chosen_methods, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.registry import split_params_by_method
from tokumei.histories.commands.history_file import (
    HistoryFileCommand,
    categories_option,
    items_option,
)
from tokumei.histories.services.requests import AnonymizeHistoryRequest, RecordRequest
from tokumei.ledger.commands import joint_k_option, key_file_option, name_option, recipient_option

if TYPE_CHECKING:
    from tokumei.histories.services.anonymize import WrittenHistory


@dataclass(frozen=True, kw_only=True)
class SampleHistory(Command):
    """Write a look-alike purchase history."""

    about: ClassVar = Message(
        "A year of an online shop: customers, baskets, seasons, prices, item descriptions."
    )
    examples: ClassVar = (
        "tokumei sample history --rows 20000 --seed 1 --out T.csv --items items.csv",
    )

    format: str = "pws2018"
    out: str = option("file to write")
    rows: int = option("how many rows", default=20_000)
    customers: int | None = option("how many customers", default=None)
    items: str | None = option("file for item descriptions", default=None)
    seed: int | None = shared_options.seed_option()

    def answer(self) -> CommandResult:
        """Make it and write it."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output
        from tokumei.histories.data.history import sample_history
        from tokumei.histories.formats.layout import history_layout

        history = sample_history(self.rows, customers=self.customers, seed=self.seed)
        outputs = [history_layout(self.format).output(history, self.out)]
        if self.items is not None and history.items is not None:
            outputs.append(frame_output(history.items, self.items))
        write_all(outputs)
        people = len(history.customers)
        message = Message(
            "{out}: {rows:,} purchases of {people:,} customers",
            out=self.out,
            rows=self.rows,
            people=people,
        )
        data = {"out": self.out, "rows": self.rows, "customers": people, "items": self.items}
        return CommandResult(data, notes=[message])


DEFAULT_METHOD = "aligned"


@dataclass(frozen=True, kw_only=True)
class AnonymizeHistory(HistoryFileCommand):
    """Make a release of a purchase history and prove its claims."""

    about: ClassVar = Message(
        "Anonymize a purchase history: k customers become exactly alike. Nothing is written unless "
        "this has been verified.\n\n--out gets all rows in the original's order (a secret: row i "
        "comes from row i), --public what may be handed out, --secret who is who."
    )
    examples: ClassVar = (
        "tokumei anonymize history --data T.csv --format pws2018 --method aligned --k 6 "
        "--out A.csv --public public.csv --secret people.csv",
    )

    format: str = "pws2018"
    data: str = option("the history to anonymize")
    out: str | None = option("row-aligned release (secret)", default=None)
    method: str = option("the method (default: aligned)", default=DEFAULT_METHOD)
    k: int | None = option("k", default=None)
    set: dict[str, object] = shared_options.set_option()
    public: str | None = option("what attackers see", default=None)
    secret: str | None = option("pseudonym,customer", default=None)
    categories: str | None = categories_option()
    items: str | None = items_option()
    engine: Literal["local", "spark"] = option(
        "local, or spark: rows stay on a cluster (see --cluster)", default="local"
    )
    cluster: str | None = shared_options.cluster_option()
    ledger: str | None = option(
        "check against all earlier releases of this ledger first, and record it there", default=None
    )
    ledger_key: str | None = key_file_option()
    recipient: str | None = recipient_option()
    name: str = name_option()
    joint_k: int | None = joint_k_option()
    seed: int | None = shared_options.seed_option()
    key: str | None = shared_options.key_option()

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen method and the layout of the file, whose fields are options."""
        from tokumei.histories.registry import anonymizers

        layout = super().methods(given)
        names = chosen_methods(given, [DEFAULT_METHOD]) if layout else anonymizers.names()
        return {**layout, **{name: anonymizers.get(name) for name in names}}

    def answer(self) -> CommandResult:
        """Have the release made, verified and written, and say what came of it."""
        from tokumei.files.key_files import resolve_seed
        from tokumei.files.release_files import ReleasePaths
        from tokumei.histories.registry import anonymizers
        from tokumei.histories.services.anonymize import publish_history

        if self.out is None and self.public is None:
            raise UsageError("give --out, --public or both")
        shared_options.require_spark_engine(self.engine, cluster=self.cluster)
        if self.engine == "spark":
            shared_options.refuse_engine_options(
                "spark", keep=self.keep, cleaning=self.cleaning, items=self.items
            )
        files, rest = self.split_params()
        settings = shared_options.merge_set_params({} if self.k is None else {"k": self.k}, rest)
        params = split_params_by_method(anonymizers, [self.method], settings)[self.method]
        method, source = anonymizers.build(self.method, params), self.history_source(files)
        if self.categories is not None:
            how = self.category_request(self.categories, self.items, self.seed)
            source = replace(source, categories=how)
        request = AnonymizeHistoryRequest(
            source=source,
            method=method,
            seed=resolve_seed(self.seed, self.key),
            engine=self.engine,
            cluster=self.cluster,
            record=self._record(),
        )
        paths = ReleasePaths(public=self.public, aligned=self.out, secret=self.secret)
        written = publish_history(request, paths)
        losses = {} if written.loss is None else written.loss.as_json()
        outputs = {"out": self.out, "public": self.public}
        data = {**outputs, "people": written.people, **losses, **written.release.manifest()}
        notes = [*written.notes, _summary(written)]
        return CommandResult(data, notes=notes, made=self._made(written))

    def _made(self, written: WrittenHistory) -> MadeRelease:
        """What is assessed at the end; the file in the original's order needs no link."""
        return MadeRelease(
            written.release,
            written.source,
            self.data,
            str(self.out or self.public),
            self.secret,
            options=("--format", self.format),
            is_aligned=self.out is not None,
        )

    def _record(self) -> RecordRequest | None:
        if self.ledger is not None:
            return RecordRequest(
                folder=self.ledger,
                key_file=self.ledger_key,
                recipient=self.recipient,
                name=self.name,
                joint_k=self.joint_k,
            )
        unused = {"recipient": self.recipient, "name": self.name or None, "joint_k": self.joint_k}
        without = Message("anonymize history without --ledger")
        shared_options.refuse_unused_options(without, **unused)
        return None


def _summary(written: WrittenHistory) -> Message:
    figures: dict[str, Any] = {
        "kept": written.kept,
        "rows": written.rows,
        "people": written.people,
        "customers": written.customers,
        "k": written.release.k,
    }
    if written.loss is None:
        return Message(
            "{kept:,} of {rows:,} rows and {people:,} of {customers:,} customers kept; verified: "
            "every history is shared by at least {k} people",
            **figures,
        )
    return Message(
        "{kept:,} of {rows:,} rows and {people:,} of {customers:,} customers kept; loss "
        "{loss:.4f}; verified: every history is shared by at least {k} people",
        loss=written.loss.loss,
        **figures,
    )
