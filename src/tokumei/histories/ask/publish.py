"""`tokumei publish` on a history: from a row-aligned release to what attackers see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import encoding_option, published, spare_sources
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class PublishHistory(Ask):
    """Write the public rows of a checked release, and the truth."""

    about: ClassVar = Text(
        "Make the public file (deleted rows gone, sorted as text) and the secret one "
        "(pseudonym,customer). All rules are checked first; with --k also that k people share "
        "every history. Exit code 1, and nothing written, if one is broken.",
        "公開ファイル (削除行なし、文字列順) と秘密の対応 (仮名,顧客) を作ります。"
        "先にすべての規則を検査し、--k があれば k 人が同じ履歴を持つことも確かめます。"
        "違反があれば何も書き出さず終了コード 1。",
    )
    examples: ClassVar = (
        "tokumei publish --format pws2018 --original T.csv --release A.csv --public A1.csv "
        "--secret F.csv",
    )

    original: str = option("the original T", "元の T")
    release: str = option("row-aligned A", "行順どおりの A")
    public: str = option("public file to write", "公開ファイル")
    secret: str = option("truth to write", "仮名と顧客の対応の出力先")
    k: int | None = option("verify k", "k を検証", default=None)
    encoding: str = encoding_option()

    def answer(self) -> Answer:
        """Check, write, and say how much there is."""
        from tokumei.histories.contest_files import publish_contest

        spare_sources((self.original, self.release), (self.public, self.secret))
        made = publish_contest(
            self.original,
            self.release,
            public=self.public,
            secret=self.secret,
            k=self.k,
            encoding=self.encoding,
        )
        return published(self.public, self.secret, made)
