"""What `tokumei advise` of any kind asks and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tokumei.core.advice.purpose import NO_LAW, Purpose
from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.errors import UsageError
from tokumei.core.figures import percent, plain
from tokumei.core.option_values import split
from tokumei.core.options import require_ending, spare_sources
from tokumei.core.progress import meter
from tokumei.core.text import Text, as_json_text, current_language

if TYPE_CHECKING:
    from tokumei.core.advice.advice import Advice
    from tokumei.core.advice.adviser import Adviser


@dataclass(frozen=True, kw_only=True)
class AskAdvice(Ask):
    """A command that gives advice on a file."""

    file: str = option("the file", "ファイル", positional=True)
    recipient: Literal["public", "partner", "inside"] = option(
        "who gets it: anybody, a partner under contract, people inside",
        "提供先: public (一般公開)、partner (契約のある相手)、inside (社内)",
        default="partner",
    )
    known: tuple[str, ...] | None = option(
        "columns that the recipient may know of a person: a,b (default: decided from the data)",
        "提供先が個人について知り得る列: a,b (既定は自動判別)",
        default=None,
    )
    keep: tuple[str, ...] = option(
        "columns that must stay as exact as can be, the most important first: a,b",
        "できるだけ正確に残す列 (重要な順): a,b",
        default=(),
    )
    k: int | None = option("start with this k", "出発点とする k", default=None, least=2)
    seconds: float = option(
        "stop after about this many seconds", "おおよその制限時間 (秒)", default=60.0
    )
    steps: int | None = option(
        "stop after this many steps (the same number gives the same advice)",
        "手順の上限 (同じ手順数なら同じ結果)",
        default=None,
        least=1,
    )
    out: str | None = option(
        "page or data to write: .html or .json", "出力: .html か .json", default=None
    )
    seed: int = option("seed of the draws", "乱数のシード値", default=1, least=0)

    def purpose(self) -> Purpose:
        """What the release is for."""
        return Purpose(self.recipient, self.known, self.keep, k=self.k)

    def adviser(self) -> Adviser:
        """What gives the advice."""
        raise NotImplementedError

    def answer(self) -> Answer:
        """Search within the budget, write what was asked for, and show the front."""
        spare_sources((self.file,), (self.out,))
        require_ending(self.out, ".html", ".json")
        if not self.seconds > 0:
            raise UsageError(
                f"--seconds must be above 0, not {self.seconds:g}",
                f"--seconds は 0 より大きくしてください ({self.seconds:g})",
            )
        adviser = self.adviser()
        seconds = None if self.steps is not None else self.seconds
        with meter(Text("candidates", "候補"), self.steps) as advance:
            for _ in adviser.steps(seconds=seconds, steps=self.steps):
                advance(1)
        found = adviser.advice()
        notes = [*found.notes, *self._write(found)]
        return Answer(self.data_of(found), shown(found), notes)

    def data_of(self, found: Advice) -> Mapping[str, Any]:
        """The JSON document."""
        return found.as_json()

    def _write(self, found: Advice) -> list[Text]:
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import text_output
        from tokumei.report.advice_page import render_advice

        if self.out is None:
            return []
        if self.out.lower().endswith(".json"):
            text = as_json_text(self.data_of(found))
        else:
            name = Path(self.file).name
            text = render_advice(found, source=name, lang=current_language())
        write_all([text_output(text, self.out)])
        return [Text(f"Written: {self.out}", f"書き出し: {self.out}")]


def shown(found: Advice) -> list[Listing | Text]:
    """The front as a table with its reasons, and how it came about."""
    from tokumei.report.advice_page import detail, found_heading, headline, letters, read_so, unit

    named = letters(found)
    rows = [
        [
            named[one.id],
            one.title.show(),
            f"{plain(round(one.risk.people))} / {one.risk.of:,}",
            f"{plain(round(one.risk.low))}–{plain(round(one.risk.high))}",
            "–" if everything is None else plain(round(everything.people)),
            percent(one.figures.loss),
            percent(one.figures.rows_kept),
        ]
        for one in found.front
        for everything in [one.figures.everything]
        if one.risk is not None
    ]
    header: list[Text | str] = [
        "",
        Text("candidate", "候補"),
        found_heading(unit(found)),
        "95 %",
        Text("by all columns", "全列で特定"),
        Text("loss", "損失"),
        Text("rows kept", "残る行"),
    ]
    reasons = [
        Text(f"{named[one.id]}: {one.reason.en}", f"{named[one.id]}: {one.reason.ja}")
        for one in found.front
    ]
    words = [Text(f"  {one.en}", f"  {one.ja}") for one in found.settings.words()]
    return [
        Listing(headline(found), header, rows),
        *reasons,
        read_so(unit(found)),
        detail(found),
        *words,
        found.budget.words(),
        NO_LAW,
    ]


def tables_of(given: list[str]) -> tuple[tuple[str, ...], ...]:
    """`--count age,sex --count zip` as sets of columns."""
    return tuple(split(one) for one in given)
