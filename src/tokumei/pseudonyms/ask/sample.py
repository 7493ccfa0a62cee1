"""`tokumei sample history --format pws2017`: a year of a made-up shop, with its customers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.options import seed_option
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class SamplePseudonyms(Ask):
    """Write T and M."""

    about: ClassVar = Text("pws2017: with customers, too.", "pws2017: 顧客データもあります。")
    examples: ClassVar = ("tokumei sample history --format pws2017 --out T.csv --master M.csv",)

    out: str = option("file to write", "出力ファイル")
    master: str = option("pws2017: file for M", "pws2017: M の出力先")
    rows: int = option("how many rows", "行数", default=20_000)
    customers: int | None = option("how many customers", "顧客数", default=None)
    invoices: bool = option("pws2017: real invoices, not 0", "pws2017: 伝票番号あり", default=False)
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """Make them and write them."""
        from tokumei.files.atomic import write_all
        from tokumei.pseudonyms.data.sample import sample_periods
        from tokumei.pseudonyms.formats.pws2017 import master_output, rows_output

        made = sample_periods(
            self.rows, customers=self.customers, invoices=self.invoices, seed=self.seed
        )
        write_all([rows_output(made.rows, self.out), master_output(made.master, self.master)])
        people = len(made.master.customers)
        told = Text(
            f"{self.out}: {self.rows:,} purchases of {people:,} customers",
            f"{self.out}: 顧客 {people:,} 人の購買 {self.rows:,} 行",
        )
        data = {"out": self.out, "rows": self.rows, "customers": people, "master": self.master}
        return Answer(data, notes=[told])
