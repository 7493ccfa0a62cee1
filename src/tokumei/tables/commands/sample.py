"""`tokumei sample table`: generates households."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import seed_option

_PROFILED_ROWS = 1000


@dataclass(frozen=True, kw_only=True)
class SampleTable(Command):
    """Write a look-alike household table."""

    about: ClassVar = Message(
        "Households: 13 quasi-identifiers and 12 yearly expenditures. With --messy a customer "
        "ledger as people keep them: names, telephone numbers, a title and a total line."
    )
    examples: ClassVar = (
        "tokumei sample table --rows 8333 --seed 1 --out x.csv",
        "tokumei sample table --messy en --rows 300 --seed 1 --out customers.csv",
    )

    out: str = option("file to write")
    rows: int = option("how many rows", default=8333)
    messy: Literal["ja", "en"] | None = option(
        "a messy customer ledger, in Japanese or English", default=None
    )
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Make it and write it."""
        return self._write_households() if self.messy is None else self._write_ledger(self.messy)

    def _write_ledger(self, lang: Literal["ja", "en"]) -> CommandResult:
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import bytes_output
        from tokumei.tables.datasets.customer_list import sample_customer_list
        from tokumei.tables.profiling.suggested_command import quote_for_shell

        write_all(
            [bytes_output(sample_customer_list(self.rows, lang=lang, seed=self.seed), self.out)]
        )
        message = Message(
            "{out}: {rows} customers\nNext: tokumei look {file}",
            out=self.out,
            rows=self.rows,
            file=quote_for_shell(self.out),
        )
        return CommandResult({"out": self.out, "rows": self.rows}, notes=[message])

    def _write_households(self) -> CommandResult:
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import frame_output, text_output
        from tokumei.tables.datasets.households import sample_table
        from tokumei.tables.profiling.profile_file import format_profile_file, profile_path
        from tokumei.tables.profiling.profiler import look

        households = sample_table(self.rows, seed=self.seed)
        schema, roles_path = households.schema, profile_path(self.out)
        roles_text = format_profile_file(
            look(households.frame.head(_PROFILED_ROWS)).with_roles(schema)
        )
        write_all([frame_output(households.frame, self.out), text_output(roles_text, roles_path)])
        qi, sa = ",".join(schema.qi), ",".join(schema.sa)
        message = Message(
            "{out}: {rows} rows\n--qi {qi}\n--sa {sa}\nRoles: {roles}",
            out=self.out,
            rows=self.rows,
            qi=qi,
            sa=sa,
            roles=roles_path,
        )
        data = {"out": self.out, "rows": self.rows, "qi": schema.qi, "sa": schema.sa}
        return CommandResult(data, notes=[message])
