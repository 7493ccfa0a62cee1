"""`tokumei sample table`: look-alike households."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import seed_option
from tokumei.core.text import Text

_LOOKED_AT = 1000


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
