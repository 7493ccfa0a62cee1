"""`tokumei knowledge` (draws an attacker's knowledge of a history) and `tokumei unicity` of T."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    data_option,
    encoding_option,
    refuse_overwriting_inputs,
    seed_option,
)
from tokumei.report.unicity_command import UnicityCommand

if TYPE_CHECKING:
    import polars as pl

    from tokumei.files.atomic_write import Output
    from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows


@dataclass(frozen=True, kw_only=True)
class DrawKnowledge(Command):
    """Draw what an attacker knows, of rows in any layout."""

    about: ClassVar = Message(
        "Draw what an attacker knows: a share of the rows (or some rows of each person), of some "
        "people and months, coarsened, with noise and mistakes.",
        "攻撃者の知識を作ります。行の一部 (または各人の数行)、一部の人や月だけ、粗い値、"
        "ずれた値、誤った知識を指定できます。",
    )

    data: str = data_option()
    out: str = option("file to write", "出力ファイル")
    alpha: float | None = option("share of the rows", "行の割合", default=None)
    points: int | None = option("rows of each person", "一人あたりの行数", default=None)
    people: float = option("share of the customers", "顧客の割合", default=1.0)
    first: str | None = option(
        "first month known: 2011-01", "最初の月 (例 2011-01)", default=None, name="from"
    )
    last: str | None = option(
        "last month known: 2011-06", "最後の月 (例 2011-06)", default=None, name="to"
    )
    prefix: dict[str, int] = option(
        "characters left of a cell: item=2", "残す文字数: item=2", default={}
    )
    coarse: dict[str, str] = option(
        "coarser values: day=month (or week), time=hour, price=1, quantity=10",
        "粗い値: day=month (または week), time=hour, price=1, quantity=10",
        default={},
    )
    noise: dict[str, float] = option(
        "noise: price=0.1 (share), quantity=2, day=3 (days), time=30 (minutes)",
        "ずれ: price=0.1 (比率), quantity=2, day=3 (日), time=30 (分)",
        default={},
    )
    wrong: float = option("share of wrong rows", "誤った行の割合", default=0.0)
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def true_rows(self) -> str | PeriodRows:
        """What is true, or the file of it."""
        raise NotImplementedError

    def known_rows_output(self, known: PeriodRows) -> Output:
        """What is known, as a file of the layout it came from."""
        raise NotImplementedError

    def answer(self) -> CommandResult:
        """Read, draw, write."""
        from tokumei.files.atomic_write import write_all
        from tokumei.pseudonyms.data.knowledge import PartialKnowledge
        from tokumei.pseudonyms.services.knowledge import draw_knowledge
        from tokumei.pseudonyms.services.requests import KnowledgeRequest

        refuse_overwriting_inputs((self.data,), (self.out,))
        knowledge_params = {
            field_info.name: getattr(self, field_info.name)
            for field_info in fields(PartialKnowledge)
        }
        knowledge_params["coarse"] = {
            name: _parse_step(value) for name, value in self.coarse.items()
        }
        request = KnowledgeRequest(
            rows=self.true_rows(),
            knowledge=PartialKnowledge(**knowledge_params),
            seed=self.seed,
            encoding=self.encoding,
        )
        known = draw_knowledge(request)
        write_all([self.known_rows_output(known)])
        kept, people = int(known.kept.sum()), len(known.people)
        note = Message(
            f"{self.out}: {kept:,} of {known.rows:,} rows are known, of {people:,} people",
            f"{self.out}: {known.rows:,} 行中 {kept:,} 行 ({people:,} 人分) が知られています",
        )
        data = {"out": self.out, "rows": known.rows, "known": kept, "people": people}
        return CommandResult(data, notes=[note])


def _parse_step(text: str) -> str | float:
    """A word such as month, or a number."""
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True, kw_only=True)
class DrawPseudonymKnowledge(DrawKnowledge):
    """Of the contest's T; unknown rows are DEL."""

    about: ClassVar = Message(
        f"{DrawKnowledge.about.en} In format pws2017 unknown rows are DEL,,,,,,; in others they "
        "are left out.",
        f"{DrawKnowledge.about.ja}pws2017 では知られていない行が DEL,,,,,, になり、"
        "ほかの形式では除かれます。",
    )
    examples: ClassVar = (
        "tokumei knowledge --format pws2017 --data T.csv --alpha 0.25 --prefix item=2 --seed 1 "
        "--out T25.csv",
    )

    def true_rows(self) -> str:
        """The file of T."""
        return self.data

    def known_rows_output(self, known: PeriodRows) -> Output:
        """All rows, in the order of T."""
        from tokumei.pseudonyms.formats.pws2017 import rows_output

        return rows_output(known, self.out)


@dataclass(frozen=True, kw_only=True)
class MeasurePseudonymUnicity(UnicityCommand):
    """Measure the unicity of the original's rows."""

    about: ClassVar = Message(
        "Pseudonyms over time: the same of the rows of T.", "期間ごとの仮名: T の行で同様に。"
    )

    data: str = data_option()
    encoding: str = encoding_option()

    def purchases(self) -> tuple[pl.DataFrame, list[Message]]:
        """The rows of T; no customers are needed."""
        from tokumei.pseudonyms.flow import points
        from tokumei.pseudonyms.formats.pws2017 import read_rows

        self.spare(self.data)
        return points(read_rows(self.data, encoding=self.encoding)), []
