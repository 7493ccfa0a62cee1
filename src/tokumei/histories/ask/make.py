"""`tokumei sample history`, a year of a made-up shop; `tokumei anonymize history`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tokumei.core import options
from tokumei.core.ask import Answer, Ask, option
from tokumei.core.errors import UsageError
from tokumei.core.registry import params_of
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import (
    InLayout,
    categories_option,
    cleaning_option,
    columns_option,
    items_option,
    keep_option,
    read_asked,
)
from tokumei.histories.services.categorize import choose_item_categories
from tokumei.ledger.ask import joint_k_option, key_file_option, name_option, recipient_option


@dataclass(frozen=True, kw_only=True)
class SampleHistory(Ask):
    """Write a look-alike purchase history."""

    about: ClassVar = Text(
        "A year of an online shop: customers, baskets, seasons, prices, item descriptions.",
        "オンラインショップの 1 年間: 顧客・買い物かご・季節・価格・商品名。",
    )
    examples: ClassVar = (
        "tokumei sample history --rows 20000 --seed 1 --out T.csv --items items.csv",
    )

    format: str = "pws2018"
    out: str = option("file to write", "出力ファイル")
    rows: int = option("how many rows", "行数", default=20_000)
    customers: int | None = option("how many customers", "顧客数", default=None)
    items: str | None = option("file for item descriptions", "商品名の出力先", default=None)
    seed: int | None = options.seed_option()

    def answer(self) -> Answer:
        """Make it and write it."""
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import frame_output
        from tokumei.histories.data.history import sample_history
        from tokumei.histories.formats.layout import history_layout

        made = sample_history(self.rows, customers=self.customers, seed=self.seed)
        outputs = [history_layout(self.format).output(made, self.out)]
        if self.items is not None and made.items is not None:
            outputs.append(frame_output(made.items, self.items))
        write_all(outputs)
        people = len(made.customers)
        told = Text(
            f"{self.out}: {self.rows:,} purchases of {people:,} customers",
            f"{self.out}: 顧客 {people:,} 人の購買 {self.rows:,} 行",
        )
        data = {"out": self.out, "rows": self.rows, "customers": people, "items": self.items}
        return Answer(data, notes=[told])


DEFAULT = "aligned"


@dataclass(frozen=True, kw_only=True)
class AnonymizeHistory(InLayout):
    """Make a release of a purchase history and prove its claims."""

    about: ClassVar = Text(
        "Anonymize a purchase history: k customers become exactly alike. Nothing is written unless "
        "this has been verified.\n\n"
        "--out gets all rows in the original's order (a secret: row i comes from row i), --public "
        "what may be handed out, --secret who is who.",
        "購買履歴を匿名加工します。k 人の顧客がまったく同じ履歴になります。"
        "検証できなければ何も書き出しません。\n\n"
        "--out は元の行順のままの全行 (秘密)、--public は公開してよいもの、"
        "--secret は仮名と顧客の対応です。",
    )
    examples: ClassVar = (
        "tokumei anonymize history --data T.csv --format pws2018 --method aligned --k 6 "
        "--out A.csv --public public.csv --secret people.csv",
    )

    format: str = "pws2018"
    data: str = option("the history to anonymize", "元の履歴")
    out: str | None = option(
        "row-aligned release (secret)", "元の行順のままの出力 (秘密)", default=None
    )
    method: str = option("the method (default: aligned)", "手法 (既定は aligned)", default=DEFAULT)
    k: int | None = option("k", "k", default=None)
    set: dict[str, Any] = options.set_option()
    public: str | None = option("what attackers see", "公開する行", default=None)
    secret: str | None = option("pseudonym,customer", "仮名と顧客の対応", default=None)
    categories: str | None = categories_option()
    items: str | None = items_option()
    keep: tuple[str, ...] = keep_option()
    cleaning: str | None = cleaning_option()
    columns: dict[str, str] = columns_option()
    engine: Literal["local", "spark"] = option(
        "local, or spark: rows stay on a cluster (see --cluster)",
        "local か spark (行はクラスターに置かれます。--cluster 参照)",
        default="local",
    )
    cluster: str | None = options.cluster_option()
    ledger: str | None = option(
        "check against all earlier releases of this ledger first, and record it there",
        "この台帳のこれまでの匿名加工データと合わせて検査し、記録する",
        default=None,
    )
    ledger_key: str | None = key_file_option()
    recipient: str | None = recipient_option()
    name: str = name_option()
    joint_k: int | None = joint_k_option()
    sep: str | None = options.sep_option()
    encoding: str = options.encoding_option()
    seed: int | None = options.seed_option()
    key: str | None = options.key_option()

    @classmethod
    def methods(cls, given: Mapping[str, Any]) -> Mapping[str, type[Any]]:
        """The chosen method and the layout of the file, whose fields are options."""
        from tokumei.histories.registry import anonymizers

        layout = super().methods(given)
        names = [given.get("method", DEFAULT)] if layout else anonymizers.names()
        return {**layout, **{name: anonymizers.get(name) for name in names}}

    def answer(self) -> Answer:
        """Read, anonymize, verify, write, and say what came of it."""
        if self.out is None and self.public is None:
            raise UsageError("give --out, --public or both", "--out か --public を指定してください")
        options.spare_sources((self.data, self.items), (self.out, self.public, self.secret))
        options.require_spark(self.engine, cluster=self.cluster)
        if self.ledger is None:
            ledgered = {"recipient": self.recipient, "name": self.name or None}
            without = "anonymize history without --ledger"
            options.refuse_beside(without, **ledgered, joint_k=self.joint_k)
        elif self.engine == "spark":
            options.refuse_with("spark", ledger=self.ledger)
        return self._in_memory() if self.engine == "local" else self._on_spark()

    def _in_memory(self) -> Answer:
        from tokumei.core.flow import make_release
        from tokumei.files.containers import sha256
        from tokumei.files.keys import chance
        from tokumei.files.releases import save_release
        from tokumei.histories.kind import HISTORIES
        from tokumei.histories.measures.protocol import history_loss

        files, params = self._split()
        method = HISTORIES.anonymizers.build(self.method, params)
        source, notes = read_asked(self, files)
        if self.categories is not None:
            found = choose_item_categories(
                source, self.categories, items=self.items, seed=self.seed
            )
            source = source.with_items(found.of)
        digest, format = sha256(self.data), self.format
        seed = chance(self.seed, self.key)
        release = make_release(HISTORIES, source, method, seed=seed, sha256=digest, format=format)
        if self.ledger is None:
            save_release(
                HISTORIES, release, self.public, secret=self.secret, aligned=self.out, format=format
            )
        else:
            from tokumei.histories.ask.ledger import save_recorded

            notes = [*notes, *save_recorded(self, source, release)]
        loss, people = history_loss(source, release.rows), release.truth().height
        kept = int(release.rows.kept.sum())
        told = _told(kept, source.rows, people, len(source.customers), release.k, loss.loss)
        data = {"out": self.out, "public": self.public, "people": people, **loss.as_json()}
        notes = [*notes, *release.provenance.notes, told]
        return Answer({**data, **release.manifest()}, notes=notes)

    def _on_spark(self) -> Answer:
        from tokumei.files.keys import chance
        from tokumei.files.spark.session import spark_session
        from tokumei.histories.registry import anonymizers
        from tokumei.histories.spark.files import save_history_on_spark
        from tokumei.histories.spark.flow import anonymize_history_on_spark, require_ranking
        from tokumei.histories.spark.reading import read_spark_history

        unused = {"keep": self.keep, "cleaning": self.cleaning}
        options.refuse_with("spark", categories=self.categories, items=self.items, **unused)
        files, params = self._split()
        options.refuse_with("spark", **files)
        method = require_ranking(anonymizers.build(self.method, params))
        with spark_session(self.cluster) as session:
            dialect: dict[str, Any] = {"sep": self.sep, "encoding": self.encoding}
            source = read_spark_history(
                session, self.data, format=self.format, columns=self.columns, **dialect
            )
            seed = chance(self.seed, self.key)
            release = anonymize_history_on_spark(source, method, seed=seed)
            save_history_on_spark(release, self.out, public=self.public, secret=self.secret)
        people = release.truth.height
        told = _told(release.kept, release.rows, people, release.customers, release.k, None)
        data = {"out": self.out, "public": self.public, "people": people, **release.manifest()}
        return Answer(data, notes=[*release.provenance.notes, told])

    def _split(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The parameters of the layout and those of the method, among those without a field."""
        from tokumei.histories.registry import anonymizers

        files, rest = self.parted()
        given = options.said_once({} if self.k is None else {"k": self.k}, rest)
        return files, params_of(anonymizers, [self.method], given)[self.method]


def _told(kept: int, rows: int, people: int, everyone: int, k: int, loss: float | None) -> Text:
    en, ja = ("", "") if loss is None else (f"; loss {loss:.4f}", f"。損失 {loss:.4f}")
    return Text(
        f"{kept:,} of {rows:,} rows and {people:,} of {everyone:,} customers kept{en}; "
        f"verified: every history is shared by at least {k} people",
        f"{rows:,} 行中 {kept:,} 行、顧客 {everyone:,} 人中 {people:,} 人を保持{ja}。"
        f"検証済み: どの履歴も {k} 人以上が共有",
    )
