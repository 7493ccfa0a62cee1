"""`tokumei unicity` of pseudonyms' originals: whom a few known purchases single out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.options import data_option, encoding_option
from tokumei.core.text import Text
from tokumei.report.unicity_ask import AskUnicity

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True)
class UnicityOfPseudonyms(AskUnicity):
    """Measure the unicity of the original's rows."""

    about: ClassVar = Text(
        "Pseudonyms over time: the same of the rows of T.", "期間ごとの仮名: T の行で同様に。"
    )

    data: str = data_option()
    encoding: str = encoding_option()

    def purchases(self) -> tuple[pl.DataFrame, list[Text]]:
        """The rows of T; no customers are needed."""
        from tokumei.pseudonyms.flow import points
        from tokumei.pseudonyms.formats.pws2017 import read_rows

        self.spare(self.data)
        return points(read_rows(self.data, encoding=self.encoding)), []
