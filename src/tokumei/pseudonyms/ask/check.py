"""`tokumei check` of pseudonyms over time: a release or guess tables against the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import Answer, Ask, fault_answer, option
from tokumei.core.options import (
    encoding_option,
    needed,
    original_option,
    public_option,
    refuse_beside,
    release_option,
)
from tokumei.core.text import Text
from tokumei.pseudonyms.ask.options import master_option

if TYPE_CHECKING:
    from tokumei.core.errors import Fault


@dataclass(frozen=True, kw_only=True)
class CheckPseudonyms(Ask):
    """Check a release with its original, or guesses."""

    about: ClassVar = Text(
        "Pseudonyms over time: a release and its --original against all rules, or each --guess "
        "against the --public rows.",
        "期間ごとの仮名: 匿名加工データと --original がすべての規則を満たすか、"
        "または各 --guess が公開行 (--public) に合うかを調べます。",
    )
    examples: ClassVar = (
        "tokumei check --format pws2017 --original T.csv --master M.csv --release AT.csv",
    )

    master: str = master_option()
    original: str | None = original_option(default=None)
    release: str | None = release_option(default=None)
    public: str | None = public_option(default=None)
    guess: list[str] = option("histories: guess file(s)", "履歴: 推定ファイル", default=[])
    encoding: str = encoding_option()
    format: str = "pws2017"

    def answer(self) -> Answer:
        """All violations of a release, or of each of the guess files."""
        return fault_answer(self._guess_faults() if self.guess else self._release_faults())

    def _release_faults(self) -> list[Fault]:
        from tokumei.files.contest_text import read_contest
        from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS
        from tokumei.pseudonyms.formats.pws2017 import Pws2017
        from tokumei.pseudonyms.verify.pws2017 import check_release

        release = needed(self.release, "--release", f"--format {self.format}")
        original = needed(self.original, "--original", f"--format {self.format}")
        refuse_beside("--release", public=self.public)
        history = Pws2017(master=self.master, encoding=self.encoding).read(original)
        return check_release(history, read_contest(release, PERIOD_COLUMNS, encoding=self.encoding))

    def _guess_faults(self) -> list[Fault]:
        """The months are the original's if it is given, else those of the public rows."""
        from tokumei.pseudonyms.data.months import Months
        from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows, table_text
        from tokumei.pseudonyms.verify.guess2017 import check_guess_table

        refuse_beside("--guess", release=self.release)
        customers = read_master(self.master, encoding=self.encoding).customers
        seen = read_rows(needed(self.public, "--public", "--guess"), encoding=self.encoding)
        dated = seen
        if self.original is not None:
            dated = read_rows(self.original, encoding=self.encoding)
        periods = Months.spanning(dated.days).count
        return [
            fault
            for path in self.guess
            for fault in check_guess_table(
                seen, customers, table_text(path, periods, encoding=self.encoding), name=path
            )
        ]
