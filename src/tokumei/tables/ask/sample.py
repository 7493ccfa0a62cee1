"""`tokumei sample table`: look-alike households."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import seed_option
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class SampleTable(Ask):
    """Write a look-alike household table."""

    about: ClassVar = Text(
        "Households: 13 quasi-identifiers and 12 yearly expenditures.",
        "世帯データ: 準識別子 13 列と年間支出 12 列。",
    )
    examples: ClassVar = ("tokumei sample table --rows 8333 --seed 1 --out x.csv",)

    out: str = option("file to write", "出力ファイル")
    rows: int = option("how many rows", "行数", default=8333)
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Make it and write it."""
        from tokumei.files.writing import write_frame
        from tokumei.tables.sample.households import sample_table

        made = sample_table(self.rows, seed=self.seed)
        write_frame(made.frame, self.out)
        schema = made.schema
        qi, sa = ",".join(schema.qi), ",".join(schema.sa)
        told = Text(
            f"{self.out}: {self.rows} rows\n--qi {qi}\n--sa {sa}",
            f"{self.out}: {self.rows} 行\n--qi {qi}\n--sa {sa}",
        )
        data = {"out": self.out, "rows": self.rows, "qi": schema.qi, "sa": schema.sa}
        return Answer(data, notes=[told])
