"""`tokumei ledger init|show|verify|forget`: what no kind of data is needed for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, fault_answer, option
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.ledger.ask import AskLedger, folder_option


@dataclass(frozen=True, kw_only=True)
class Init(Ask):
    """Make a ledger."""

    about: ClassVar = Text(
        "Make a ledger: a folder that holds, of every release, who is in which class, as codes. "
        "Its key (made if the file does not exist) must stand elsewhere; both together name "
        "people, each alone does not.",
        "台帳を作ります。各匿名加工データについて、誰がどのクラスにいるかを符号で記録するフォルダ"
        "です。鍵 (なければ作ります) は別の場所に置いてください。台帳と鍵がそろうと個人を特定"
        "できます。",
    )
    examples: ClassVar = ("tokumei ledger init ledger --key-file ledger.key",)

    folder: str = folder_option()
    key_file: str = option("the key, outside the ledger", "鍵 (台帳の外に置く)")

    def answer(self) -> Answer:
        """Make it."""
        from tokumei.ledger.book import Ledger

        book = Ledger.create(self.folder, self.key_file)
        told = Text(
            f"{self.folder}: a new ledger; its key is {self.key_file} (mode 0600): keep both, and "
            "apart",
            f"{self.folder}: 台帳を作りました。鍵は {self.key_file} (0600) です。別々に保管して"
            "ください",
        )
        data = {"ledger": self.folder, "key_file": self.key_file, "head": book.head}
        return Answer(data, notes=[told])


@dataclass(frozen=True, kw_only=True)
class Show(AskLedger):
    """List the releases."""

    about: ClassVar = Text(
        "List the releases of a ledger. Its head, noted elsewhere, proves later that no line was "
        "taken away.",
        "台帳の匿名加工データを一覧します。head を別の場所に控えておけば、後で行が失われていない"
        "ことを証明できます。",
    )
    examples: ClassVar = ("tokumei ledger show ledger",)

    def answer(self) -> Answer:
        """The releases, and the head."""
        from tokumei.ledger.words import listing

        book = self.book()
        head = Text(f"head {book.head}", f"head {book.head}")
        data = {"releases": [one.as_json() for one in book.entries], "head": book.head}
        return Answer(data, [listing(book.entries), head])


@dataclass(frozen=True, kw_only=True)
class Verify(AskLedger):
    """Check that nothing was changed."""

    about: ClassVar = Text(
        "Check every byte of a ledger: the chain of lines, their seals, the files of classes; and "
        "whether released files are still what was recorded. Exit code 1 if anything was changed.",
        "台帳の全バイト (行の連鎖、封印、クラスのファイル) と、公開ファイルが記録時のままかを"
        "検査します。変更があれば終了コード 1。",
    )
    examples: ClassVar = ("tokumei ledger verify ledger --head HASH",)

    head: str | None = option("the head noted earlier", "以前に控えた head", default=None)

    def answer(self) -> Answer:
        """All faults."""
        from tokumei.ledger.verify import verify

        found = verify(self.folder, self.key_file, head=self.head)
        made = fault_answer(found.faults)
        data = {**made.data, "releases": found.releases, "head": found.head}
        return Answer(data, [*found.lines(), *made.shown], notes=found.notes, code=made.code)


@dataclass(frozen=True, kw_only=True)
class Forget(AskLedger):
    """Take people out of a ledger."""

    about: ClassVar = Text(
        "Take people out of the ledger's classes, by their ids in a file with a header (--id "
        "names the column). It is said which figures become unknowable.",
        "指定した人を台帳のクラスから取り除きます。ID は見出しのあるファイルで渡します (--id で列を"
        "指定)。分からなくなる数値も示します。",
    )
    examples: ClassVar = ("tokumei ledger forget ledger --people gone.csv --id id",)

    people: str = option("file with the ids", "ID のファイル")
    id: str = option("its column", "その列")

    def answer(self) -> Answer:
        """Forget them, and say what cannot be known any more."""
        from tokumei.files.reading import read_cells
        from tokumei.ledger.forget import forget

        cells = read_cells(self.people)
        if self.id not in cells.columns:
            raise UsageError(
                f"{self.people}: no column '{self.id}'",
                f"{self.people}: 列 '{self.id}' がありません",
            )
        book = self.book()
        found = forget(book, cells[self.id])
        return Answer(found.as_json(), notes=[*book.notes, *found.lines()])
