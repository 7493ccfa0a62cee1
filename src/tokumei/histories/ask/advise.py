"""`tokumei advise` of a history: candidates over k by the curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import option
from tokumei.core.options import encoding_option, sep_option
from tokumei.core.text import Text
from tokumei.histories.ask.inputs import columns_option, read_source
from tokumei.report.advice_ask import AskAdvice

if TYPE_CHECKING:
    from tokumei.core.advice.adviser import Adviser


@dataclass(frozen=True, kw_only=True)
class AdviseHistory(AskAdvice):
    """Advise on a history."""

    about: ClassVar = Text(
        "Of purchase histories: candidates over k for every method, with their loss and the people "
        "that attacks find.",
        "購買履歴: 手法ごとに k を変えた候補の損失と、攻撃で特定される人数を示します。",
    )
    examples: ClassVar = (
        "tokumei advise T.csv --format pws2018 --recipient partner --keep item --out advice.html",
    )
    told_by: ClassVar = ("columns",)

    method: tuple[str, ...] = option(
        "method names: a,b (default: those that fit)",
        "手法名: a,b (既定は大きさに合うもの)",
        default=(),
    )
    columns: dict[str, str] = columns_option()
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    format: str = "table"

    def adviser(self) -> Adviser:
        """Read the history."""
        from tokumei.histories.advising import history_adviser

        history, notes = read_source(
            self.file, self.format, columns=self.columns, sep=self.sep, encoding=self.encoding
        )
        seed = 1 if self.seed is None else self.seed
        made = history_adviser(history, self.purpose(), seed=seed, methods=self.method or None)
        made.notes[:0] = notes
        return made
