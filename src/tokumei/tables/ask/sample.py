"""`tokumei sample table`: look-alike households."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import seed_option
from tokumei.core.text import Text

_LOOKED_AT = 1000


@dataclass(frozen=True, kw_only=True)
class SampleTable(Ask):
    """Write a look-alike household table."""

    about: ClassVar = Text(
        "Households: 13 quasi-identifiers and 12 yearly expenditures. With --messy a customer "
        "ledger as people keep them: names, telephone numbers, a title and a total line.",
        "世帯データ: 準識別子 13 列と年間支出 12 列。--messy では、氏名や電話番号、"
        "表題や合計の行がある、ありがちな顧客台帳を作ります。",
    )
    examples: ClassVar = (
        "tokumei sample table --rows 8333 --seed 1 --out x.csv",
        "tokumei sample table --messy en --rows 300 --seed 1 --out customers.csv",
    )

    out: str = option("file to write", "出力ファイル")
    rows: int = option("how many rows", "行数", default=8333)
    messy: Literal["ja", "en"] | None = option(
        "a messy customer ledger, in Japanese or English",
        "ありがちな顧客台帳 (日本語か英語)",
        default=None,
    )
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Make it and write it."""
        return self._households() if self.messy is None else self._ledger(self.messy)

    def _ledger(self, lang: Literal["ja", "en"]) -> Answer:
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import bytes_output
        from tokumei.tables.look.command import quote
        from tokumei.tables.sample.ledger import sample_ledger

        write_all([bytes_output(sample_ledger(self.rows, lang=lang, seed=self.seed), self.out)])
        told = Text(
            f"{self.out}: {self.rows} customers\nNext: tokumei look {quote(self.out)}",
            f"{self.out}: 顧客 {self.rows} 人\n次に: tokumei look {quote(self.out)}",
        )
        return Answer({"out": self.out, "rows": self.rows}, notes=[told])

    def _households(self) -> Answer:
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import frame_output, text_output
        from tokumei.tables.look.look import look
        from tokumei.tables.look.side_file import side_path, side_text
        from tokumei.tables.sample.households import sample_table

        made = sample_table(self.rows, seed=self.seed)
        schema, place = made.schema, side_path(self.out)
        said = side_text(look(made.frame.head(_LOOKED_AT)).with_roles(schema))
        write_all([frame_output(made.frame, self.out), text_output(said, place)])
        qi, sa = ",".join(schema.qi), ",".join(schema.sa)
        told = Text(
            f"{self.out}: {self.rows} rows\n--qi {qi}\n--sa {sa}\nRoles: {place}",
            f"{self.out}: {self.rows} 行\n--qi {qi}\n--sa {sa}\n役割: {place}",
        )
        data = {"out": self.out, "rows": self.rows, "qi": schema.qi, "sa": schema.sa}
        return Answer(data, notes=[told])
