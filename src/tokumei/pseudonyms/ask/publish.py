"""`tokumei publish` on pseudonyms over time: from A(T) to S and F."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import encoding_option, published, spare_sources
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class PublishPseudonyms(Ask):
    """Write S and F of a checked A(T)."""

    about: ClassVar = Text(
        "Pseudonyms over time: the same, with the table customer,p1,…,pL as the secret.",
        "期間ごとの仮名: 同様に作ります。秘密の対応は表 顧客,p1,…,pL です。",
    )
    examples: ClassVar = (
        "tokumei publish --format pws2017 --original T.csv --master M.csv --release AT.csv "
        "--public S.csv --secret F.csv",
    )

    original: str = option("the original T", "元の T")
    master: str = option("pws2017: the customers M", "pws2017: 顧客データ M")
    release: str = option("row-aligned A", "行順どおりの A")
    public: str = option("public file to write", "公開ファイル")
    secret: str = option("truth to write", "仮名と顧客の対応の出力先")
    encoding: str = encoding_option()

    def answer(self) -> Answer:
        """Check, write, and say how much there is."""
        from tokumei.pseudonyms.flow import publish_periods

        spare_sources((self.original, self.master, self.release), (self.public, self.secret))
        made = publish_periods(
            self.original,
            self.release,
            master=self.master,
            public=self.public,
            secret=self.secret,
            encoding=self.encoding,
        )
        return published(self.public, self.secret, made)
